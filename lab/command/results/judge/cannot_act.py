# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What cannot act in a run: thresholds that its queue never reaches or that were made for another rate."""
from __future__ import annotations

from typing import Optional

from . import caveats
from ..read import asked, seeds
from ... import units
from ...common import RccError, counted, get, si_bytes, si_rate

OF_40G = {"kmin": 5e3, "kmax": 200e3}     # SIGCOMM 2015, table 14, which is for links of 40 Gb/s
RATED = 40e9
FASTER = 2.0      # times that rate, from which it is said
SUMMED = ("clos", "workload")   # scenarios, and files with `bottlenecks`
HARDLY = 0.01     # of the packets, up to which marks are those of moments above the limit


def parameter(run: dict, name: str) -> Optional[float]:
    values = run.get("parameters")
    try:
        return units.value_of(str(values[name])) if isinstance(values, dict) and name in values else None
    except RccError:
        return None


def watched_rate(run: dict) -> Optional[float]:
    """Of the port whose queue is reported; of several whose rates are added up, that of the links."""
    return (None if _summed(run) else get(run, "bottleneck_bps")) or get(run, "rate_bps")


def _summed(run: dict) -> bool:
    """Whether bottleneck_bps is that of several ports to hosts."""
    return run.get("scenario") in SUMMED or "bottlenecks" in dict(run.get(asked.ITS_OPTIONS) or ())


def thresholds(run: dict) -> str:
    """What is wrong with the marks of a run, or ""."""
    kmin, kmax, limit = parameter(run, "kmin"), parameter(run, "kmax"), get(run, "pfc_limit_bytes")
    name, given = ("K", "k") if run.get("cc") == "dctcp" else ("Kmin", "kmin")
    least = parameter(run, given) or get(run, "kmin_bytes")   # 0 may stand for what follows from the port's rate
    if parameter(run, "mark_every"):   # whatever the queue is
        return ""
    if least and limit and least >= limit and _hardly_marks(run):
        return f"{name} {si_bytes(least)} is above the PFC limit {si_bytes(limit)}: {_marks(run)}"
    reached = get(run, "queue.max_bytes")
    if least and reached and least > reached and not limit and _drops_before_marks(run):
        return f"{name} {si_bytes(least)} is above what the queue reaches, {si_bytes(reached)}: queues drop at their limit before they mark"
    rate = watched_rate(run) if (kmin, kmax) == tuple(OF_40G.values()) else None
    if rate and rate >= FASTER * RATED:
        where = "the links have" if rate == get(run, "rate_bps") else "the watched port has"
        return f"Kmin {si_bytes(kmin)} and Kmax {si_bytes(kmax)} are for {si_rate(RATED)}, {where} {si_rate(rate)}"
    return ""


def _hardly_marks(run: dict) -> bool:
    return (get(run, "packets_marked") or 0) <= HARDLY * (get(run, "packets_delivered") or 0)


def _marks(run: dict) -> str:
    marks = get(run, "packets_marked")
    if not marks:
        return "nothing is ever marked"
    return f"{marks:.0f} of {counted(get(run, 'packets_delivered') or 0, 'packet')} {'was' if marks == 1 else 'were'} marked"


def _drops_before_marks(run: dict) -> bool:
    """Packets are dropped, none is marked, and no fault is there, with which those without a route are dropped too."""
    return bool(get(run, "packets_dropped")) and get(run, "packets_marked") == 0 and not run.get("faults") and not get(run, "frames_lost")


def _names(runs: list) -> str:
    names = [seeds.label(run) for run in runs]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def words(runs: list) -> list:
    """One line for each thing that cannot act."""
    together: dict = {}
    for run in runs:
        none = run.get("scenario") == "ns3-rdma" and caveats.is_name_only(run)   # its switches have the flows'
        text = "" if none else thresholds(run)
        if text:
            together.setdefault(text, []).append(run)
    return [f"{_names(group)}: {text}" for text, group in together.items()]
