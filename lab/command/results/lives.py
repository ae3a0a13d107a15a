# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the flows of a testbed got: one without an end in the window of the averages, one with a size over its own life, as a window would
also hold the time after its end."""
from __future__ import annotations

import os
import re
from typing import NamedTuple, Optional

from . import series
from ..common import RccError, get


class Life(NamedTuple):
    start: float
    end: float             # of the run, where the flow has not ended
    delivered: float       # bytes
    rate: float            # bit/s in the window
    sized: bool

    @property
    def goodput(self) -> float:
        return over([self]) if self.sized else self.rate


def over(flows: list) -> float:
    """Goodput of flows with sizes, bit/s: their bytes over the time in which one of them was under way."""
    busy, until = 0.0, 0.0
    for one in sorted(flows):
        busy += max(0.0, one.end - max(one.start, until))
        until = max(until, one.end)
    return sum(one.delivered for one in flows) * 8 / busy if busy > 0 else 0.0


def together(flows: list) -> float:
    """Goodput of all flows of a pair of hosts, bit/s."""
    return over(flows) if flows and all(one.sized for one in flows) else sum(one.rate for one in flows)


def read(place: str, run: dict) -> Optional[list]:
    """The flows of each group of a testbed, from the flows.csv in a folder; None without one, or where it is not of these groups."""
    counts = [get(group, "flows") for group in run.get("groups") or [] if isinstance(group, dict)]
    if not counts or None in counts:
        return None
    try:
        found = series.read(os.path.join(place, "flows.csv"))
    except (OSError, RccError):
        return None
    columns = [found.get(name, []) for name in ("start_s", "fct_s", "delivered_bytes", "goodput_bps", "size_bytes")]
    last = get(run, "sim_s") or 0.0
    flows = [Life(start or 0.0, last if fct is None else (start or 0.0) + fct, delivered or 0.0, rate or 0.0, bool(size))
             for start, fct, delivered, rate, size in zip(*columns)]
    if len(flows) != sum(map(int, counts)):
        return None
    rest = iter(flows)
    return [[next(rest) for _ in range(int(count))] for count in counts]


def of_groups(run: dict, options: str) -> list:
    """The same from the groups of the run alone, as in a sweep: each flow of a group has its part, from 0 on where all have ended. Of
    flows that begin later, which `options` says, it has what they got in the window."""
    later = re.search(r":(start|within|after|needs|delay|every)=", options)
    found = []
    for group in run.get("groups") or []:
        if isinstance(group, dict):
            count = max(1, int(get(group, "flows") or 1))
            end, part = get(group, "ended_s"), (get(group, "delivered_bytes") or 0.0) / count
            found.append([Life(0.0, end or 0.0, part, (get(group, "mean_bps") or 0.0) / count, bool(end) and not later)] * count)
    return found
