# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the flows of a run did: when they came and went, and what is a fair share of the link that all of them pass."""
from __future__ import annotations

import os
from typing import NamedTuple, Optional

from . import asked, series
from ..common import get

NEAR_ZERO = 0.05     # of the end: a first start before is drawn from 0 on
LEFT = 0.02          # of a run's time by which a flow's last rate precedes its end if the flow has stopped


class Traffic(NamedTuple):
    begin: float           # of the first flow, s
    end: float             # of the last one, or of the run
    shares: list           # (time, bit/s) from which a flow's fair share is this; [] where flows share no one link


NOTHING = Traffic(0.0, 0.0, [])


def read(folder: str, run: dict, command: str) -> Traffic:
    """From flows.csv, with the file's times; NOTHING without it. `run`: with its folder as `cc`."""
    place = os.path.join(folder, str(run["cc"]))
    last = get(run, "sim_s") or 0.0
    try:
        flows = series.read(os.path.join(place, "flows.csv"))
    except OSError:
        return NOTHING._replace(end=last)
    starts = [t for t in flows.get("start_s", []) if isinstance(t, float)]
    if not starts:
        return NOTHING._replace(end=last)
    first = min(starts)
    fcts = flows.get("fct_s", [])
    if fcts and all(isinstance(fct, float) for fct in fcts) and len(fcts) == len(starts):
        last = min(last or float("inf"), max(start + fct for start, fct in zip(starts, fcts)))
    last = max(last, first)
    return Traffic(0.0 if first < NEAR_ZERO * last else first, last, shares(place, run, flows, last, command))


def shares(place: str, run: dict, flows: dict, last: float, command: str) -> list:
    """The fair share in steps: only of flows without an end and without a limit of their own, to one port that is the least cut."""
    what = asked.of(command, run)
    sizes, receivers = flows.get("size_bytes", []), flows.get("dst", [])
    limit = get(run, "answer.capacity_bps")
    if not limit or limit != get(run, "bottleneck_bps") or any(sizes) or len(set(receivers)) != 1 or "rate=" in what.text("flows") or \
            what.scenario in ("victim", "capacity", "fan-in"):
        return []
    events = [(t, 1) for t in flows["start_s"]] + [(t, -1) for t in stops(place, last)]
    active, found = 0, []
    for t, change in sorted(events):
        active += change
        if active > 0:
            found = [*found[:-1], (t, limit / active)] if found and found[-1][0] == t else [*found, (t, limit / active)]
    return found


def stops(place: str, last: float) -> list:
    """When flows were stopped, as far as their rates tell."""
    try:
        rates = series.read(os.path.join(place, "flow_rates.csv"))
    except OSError:
        return []
    ends: dict = {}
    for t, flow in zip(rates.get("time_s", []), rates.get("flow", [])):
        if isinstance(t, float):
            ends[flow] = t
    return [t for t in ends.values() if t < (1 - LEFT) * last]


def span(runs: list) -> tuple:
    """(begin, end) of the traffic of all runs, for a time axis."""
    known = [run["traffic"] for run in runs if isinstance(run.get("traffic"), Traffic) and run["traffic"].end > run["traffic"].begin]
    if not known:
        return 0.0, max([get(run, "sim_s") or 0 for run in runs] + [1e-9])
    return min(one.begin for one in known), max(one.end for one in known)


def share_at_end(run: dict) -> Optional[float]:
    found = run["traffic"].shares if isinstance(run.get("traffic"), Traffic) else []
    return found[-1][1] if found else None
