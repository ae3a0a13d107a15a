# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What faults of kind `rate` leave of the links that a command asked for (lab/doc/reliability.md)."""
from __future__ import annotations

import math
from typing import Optional

from .asked import Asked
from .. import units
from ..common import JSON_LIMIT, RccError, get, open_regular

ALL = "link=all"


def in_force(asked: Asked, run: dict) -> Optional[Asked]:
    """The command with the rate that all links have in the window of the averages, None where its links have rates that are not known: of
    single links, or of a part of the window. bottleneck_bps of the run is that at its end."""
    end = get(run, "sim_s") or math.inf
    window = run.get("window_s")
    begin, until = window if isinstance(window, list) and len(window) == 2 else (0.0, end)
    held = []
    for fault in run.get("faults") or []:
        if isinstance(fault, dict) and fault.get("fault") == "rate":
            start, lasts = get(fault, "time_s") or 0.0, get(fault, "for_s")
            stop = math.inf if lasts is None else start + lasts
            if start < end and (stop > begin or stop >= end):
                held.append((fault.get("place") == ALL and start <= begin and stop >= max(until, end), fault))
    if not held:
        return asked
    rate = of_file(asked.text("faults"), held[0][1]) if len(held) == 1 and held[0][0] else None
    return asked._replace(at_most=rate) if rate else None


def of_file(path: str, fault: dict) -> Optional[float]:
    """The one rate that a file of faults has for all links, or, of several, has in the line of a fault of a run, bit/s."""
    when = (get(fault, "time_s") or 0.0, get(fault, "for_s"))
    try:
        with open_regular(path, JSON_LIMIT) as f:
            lines = [line.split("#")[0].split() for line in f.read().decode("utf-8").splitlines()]
        own = [dict(word.partition("=")[::2] for word in line[1:]) for line in lines if line[:1] == ["rate"] and ALL in line]
        found = {units.value_of(keys.get("rate", "")) for keys in own}
        if len(found) > 1:
            own = [keys for keys in own if same(when, (seconds(keys.get("at", "0s")), seconds(keys.get("for"))))]
            found = {units.value_of(keys.get("rate", "")) for keys in own}
    except (OSError, ValueError, RccError):
        return None
    return found.pop() if len(found) == 1 else None


def seconds(text: Optional[str]) -> Optional[float]:
    return None if text is None else units.parse("time", text, "")


def same(when: tuple, other: tuple) -> bool:
    """Whether begin and duration are the same, in ns."""
    return all(a is b is None or a is not None and b is not None and abs(a - b) < 1e-9 for a, b in zip(when, other))
