# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the flows of a testbed got: one without an end in the window of the averages, one with a size, or with a stop before the window
ends, over its own life, as a window would also hold the time after its end."""
from __future__ import annotations

import itertools
import os
import re
from typing import NamedTuple, Optional

from . import capacity
from ..read import asked, series
from ... import units
from ...common import RccError, get


class Life(NamedTuple):
    start: float
    end: float             # of the run, where the flow has neither ended nor been stopped
    delivered: float       # bytes, of a flow that was stopped until then
    rate: float            # bit/s in the window
    sized: bool            # or stopped before the window ends

    @property
    def goodput(self) -> float:
        return over([self]) if self.sized else self.rate


def over(flows: list) -> float:
    """Goodput of flows with ends, bit/s: their bytes over the time in which one of them was under way."""
    busy, until = 0.0, 0.0
    for one in sorted(flows):
        busy += max(0.0, one.end - max(one.start, until))
        until = max(until, one.end)
    return sum(one.delivered for one in flows) * 8 / busy if busy > 0 else 0.0


def together(flows: list) -> float:
    """Goodput of all flows of a pair of hosts, bit/s."""
    return over(flows) if flows and all(one.sized for one in flows) else sum(one.rate for one in flows)


def stops(run: dict, what: Optional[asked.Asked]) -> list:
    """When the flows of each group are stopped, as the command has it; the end of the run without that."""
    last = get(run, "sim_s") or 0.0
    try:
        given = [group.keys.get("stop") for group in capacity.groups_of(what, run)] if what else []
        own = [min(last, units.parse("time", text, "")) if text else last for text in given]
    except (RccError, ValueError):   # a command of another version
        own = []
    return own or [last for group in run.get("groups") or [] if isinstance(group, dict)]


def ends(run: dict, what: Optional[asked.Asked]) -> list:
    """Whether the flows of each group are stopped before the window ends."""
    window, last = run.get("window_s"), get(run, "sim_s") or 0.0
    until = min(last, window[1]) if isinstance(window, list) and len(window) == 2 else last
    return [stop < until for stop in stops(run, what)]


def read(place: str, run: dict, what: Optional[asked.Asked] = None) -> Optional[list]:
    """The flows of each group of a testbed, from the flows.csv in a folder; None without one, or where it is not of these groups. `what`
    the command says of when they are stopped."""
    counts = [get(group, "flows") for group in run.get("groups") or [] if isinstance(group, dict)]
    if not counts or None in counts:
        return None
    try:
        found = series.read(os.path.join(place, "flows.csv"))
    except (OSError, RccError):
        return None
    columns = [found.get(name, []) for name in ("start_s", "fct_s", "delivered_bytes", "goodput_bps", "size_bytes")]
    if len(columns[0]) != sum(map(int, counts)):
        return None
    until_stop = found.get("at_stop_bytes") or [None] * len(columns[0])   # the rest was on its way, and came later
    columns[2] = [every if stopped is None else stopped for every, stopped in zip(columns[2], until_stop)]
    rest = zip(*columns)
    return [[Life(start or 0.0, max(start or 0.0, stop) if fct is None else (start or 0.0) + fct, delivered or 0.0, rate or 0.0,
                  bool(size) or stopped) for start, fct, delivered, rate, size in itertools.islice(rest, int(count))]
            for count, stop, stopped in zip(counts, stops(run, what), ends(run, what))]


def of_groups(run: dict, options: str) -> list:
    """The same from the groups of the run alone, of a folder that has no flows.csv: each flow of a group has its part, from 0 on where all
    have ended. Of flows that begin later, which `options` says, it has what they got in the window."""
    later = re.search(r":(start|within|after|needs|delay|every)=", options)
    found = []
    for group in run.get("groups") or []:
        if isinstance(group, dict):
            count = max(1, int(get(group, "flows") or 1))
            end, part = get(group, "ended_s"), (get(group, "delivered_bytes") or 0.0) / count
            found.append([Life(0.0, end or 0.0, part, (get(group, "mean_bps") or 0.0) / count, bool(end) and not later)] * count)
    return found
