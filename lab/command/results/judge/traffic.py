# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the flows of a run did: when they came and went, and what is a fair share of the link that all of them pass."""
from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from typing import NamedTuple, Optional

from . import capacity
from ..read import asked, series
from ...common import RccError, get

NEAR_ZERO = 0.05     # of the end: a first start before is drawn from 0 on
LEFT = 0.02          # of a run's time by which a flow's last rate precedes its end if the flow has stopped
UNEQUAL = ("rate=", "window=", "class=", "dscp=")    # keys of flows that get another part of a link than others do
TAKES = ("police", "pause", "tcp", "faults")         # options that leave flows less than the link
TOLERANCE = 1e-9


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
    """The fair share in steps: only of flows without an end and without a limit of their own, to one port that is the least cut. From
    when on every sender's link carries the share of its flows."""
    what = asked.of(command, run)
    sizes, receivers = flows.get("size_bytes", []), flows.get("dst", [])
    limit = get(run, "answer.capacity_bps")
    if not limit or limit != get(run, "bottleneck_bps") or any(sizes) or len(set(receivers)) != 1 or \
            any(key in what.text("flows") for key in UNEQUAL) or any(what.given.get(name) for name in TAKES) or \
            what.scenario in ("victim", "capacity", "fan-in") or not reach(what, run, limit):
        return []
    sources = flows.get("src") or [0] * len(receivers)
    of_flow = dict(zip(flows.get("flow", []), sources))
    events = sorted([(t, 1, source) for t, source in zip(flows["start_s"], sources)] +
                    [(t, -1, of_flow.get(flow)) for flow, t in stops(place, last).items()], key=lambda event: event[:2])
    link = sender_rate(what, run)
    active: Counter = Counter()
    found: list = []
    for t, changes in itertools.groupby(events, key=lambda event: event[0]):
        for _, change, source in changes:
            active[source] += change
        count = sum(active.values())
        if count > 0:
            share = limit / count
            found.append((t, share))
            if max(active.values()) * share > link * (1 + TOLERANCE):
                found.clear()
    return found


def sender_rate(what: asked.Asked, run: dict) -> float:
    """The rate of the slowest link of a sender, bit/s; without a limit if it is not known."""
    if not asked.has_links(run) and not what.given.get("links"):
        return get(run, "rate_bps") or float("inf")
    senders = set(flows_from(what, run))
    own = [rate for a, b, rate in links(what) if a in senders or b in senders]
    return min(own, default=float("inf"))


def flows_from(what: asked.Asked, run: dict) -> dict:
    """Flows by the name of the host that sends them, of a testbed or an experiment file."""
    found: Counter = Counter()
    with contextlib.suppress(ValueError):
        counts = [int(get(group, "flows") or 1) for group in run.get("groups") or [] if isinstance(group, dict)]
        for group, count in zip(capacity.groups_of(what, run), counts):
            found.update(a for a, _ in group.flows(count))
        return found or Counter(a for a, _ in capacity.flow_pairs(what.given.get("flows") or ""))
    return Counter()


def links(what: asked.Asked) -> list:
    try:
        return list(itertools.islice(capacity.links(what), capacity.MOST))
    except (RccError, ValueError, OverflowError):   # a command of another version
        return []


def reach(what: asked.Asked, run: dict, limit: float) -> bool:
    """Whether links between switches of a testbed carry equal shares of all flows."""
    senders = flows_from(what, run)
    if not asked.is_testbed(run) and not what.given.get("links") or not senders:
        return True
    graph = capacity.Graph()
    for a, b, rate in links(what):
        graph.link(a, b, rate)
    share = limit / sum(senders.values())
    for name, count in senders.items():
        graph.add(capacity.SOURCE, (name, "out"), count * share)
    for name in {b for _, b in capacity.ends_of(what, run)}:
        graph.add((name, "in"), capacity.SINK, float("inf"))
    return graph.flow() >= limit * (1 - TOLERANCE)


def stops(place: str, last: float) -> dict:
    """When flows were stopped, by flow, as far as their rates tell."""
    try:
        rates = series.read(os.path.join(place, "flow_rates.csv"))
    except OSError:
        return {}
    ends: dict = {}
    for t, flow in zip(rates.get("time_s", []), rates.get("flow", [])):
        if isinstance(t, float):
            ends[flow] = t
    return {flow: t for flow, t in ends.items() if t < (1 - LEFT) * last}


def changes(folder: str, run: dict) -> bool:
    """Whether the rate of the watched port changes: then no one number is what the network can carry. `run`: with its folder as `cc`."""
    try:
        served = series.read(os.path.join(folder, str(run["cc"]), "utilization.csv"))
    except (KeyError, OSError, RccError):
        return False
    return len(set(served.get("capacity_bps", []))) > 1


def sets_rates(run: dict, rates: list) -> bool:
    """Whether congestion control paces flows: under a window alone, and without any control, all of several stay at line rate. `rates`:
    of their reaction points, but for zeros."""
    return len(set(rates)) != 1 or rates[0] != get(run, "rate_bps") or (get(run, "flows") or 1) < 2


def span(runs: list) -> tuple:
    """(begin, end) of the traffic of all runs, for a time axis."""
    known = [run["traffic"] for run in runs if isinstance(run.get("traffic"), Traffic) and run["traffic"].end > run["traffic"].begin]
    if not known:
        return 0.0, max([get(run, "sim_s") or 0 for run in runs] + [1e-9])
    return min(one.begin for one in known), max(one.end for one in known)


def share_at_end(run: dict) -> Optional[float]:
    found = run["traffic"].shares if isinstance(run.get("traffic"), Traffic) else []
    return found[-1][1] if found else None
