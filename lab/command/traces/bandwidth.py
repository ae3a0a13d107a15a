# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""How long each collective of a trace took in a simulation, and what bandwidth that is by nccl-tests' definitions: algorithm bandwidth is
the collective's bytes over its time, bus bandwidth that times what each rank's link carries of them (doc/PERFORMANCE.md there). A
collective lasts from when the first of its ranks enters it until the last one leaves it; `wait` is how long the first one waits for the
last one to enter."""
from __future__ import annotations

import os
from array import array
from typing import Iterable, List, NamedTuple, Optional

from .collectives import bus_factor
from .schedule import Schedule
from .. import below
from ..common import align, si_bytes, si_rate, si_time
from ..results.read.results import COLLECTIVES_SHOWN

NAME = "collectives.csv"


class Measured(NamedTuple):
    """A collective in a run; ns and bit/s."""
    number: int
    name: str
    kind: str
    algorithm: str
    ranks: int
    size: int
    begin: int
    entered: int        # by all
    end: int
    algbw: Optional[float]      # 0: no time; None: of a size that is not known
    busbw: Optional[float]      # None: nccl-tests define none either
    slowest: int        # rank that left last
    flows: list         # ns of each that took the network, sorted


def quantile(values: list, part: float) -> float:
    """Return the smallest of sorted values that `part` of them do not exceed; 0 of none."""
    return values[min(len(values) - 1, max(0, -(-int(len(values) * part * 1000) // 1000) - 1))] if values else 0


def mean_of(values: list) -> Optional[float]:
    """Return the mean; None if there is no value, or one is None: in collectives of one kind and size all are."""
    return None if None in values or not values else sum(values) / len(values)


def measure(schedule: Schedule, times: array, fcts: Iterable) -> List[Measured]:
    """Measure each collective. `times`: ns of every event. `fcts`: (operation, ns) of the messages on the network."""
    flows: list = [[] for _ in schedule.collectives]
    for operation, ns in fcts:
        if schedule.part[operation] >= 0:
            flows[schedule.part[operation]].append(ns)
    found = []
    for number, one in enumerate(schedule.collectives):
        entered = [times[2 * enter + 1] for enter in one.enters]
        left = [times[2 * leave + 1] for leave in one.leaves]
        ns = max(left) - min(entered)
        algbw = (one.size * 8e9 / ns if ns else 0.0) if one.size else None
        factor = bus_factor(one.kind, len(one.ranks))
        found.append(Measured(number, one.name, one.kind, one.algorithm, len(one.ranks), one.size, min(entered), max(entered), max(left),
                              algbw, None if algbw is None or factor is None else algbw * factor, one.ranks[left.index(max(left))],
                              sorted(flows[number])))
    return found


def write(folder: str, found: List[Measured]) -> None:
    """Write a row for each collective. Raises OSError."""
    with below.replace(*below.split_run(os.path.join(folder, NAME))) as f:
        f.write("collective,name,kind,algorithm,ranks,bytes,begin_s,end_s,time_s,wait_s,algbw_bps,busbw_bps,slowest_rank,flows,fct_mean_s,"
                "fct_p99_s,fct_max_s\n")
        for one in found:
            name = '"' + one.name.replace('"', '""') + '"'
            mean = sum(one.flows) / len(one.flows) if one.flows else 0
            bits = ",".join("" if value is None else f"{value:.0f}" for value in (one.algbw, one.busbw))
            f.write(f"{one.number},{name},{one.kind},{one.algorithm},{one.ranks},{one.size},{one.begin / 1e9:.9f},{one.end / 1e9:.9f},"
                    f"{(one.end - one.begin) / 1e9:.9f},{(one.entered - one.begin) / 1e9:.9f},{bits},{one.slowest},"
                    f"{len(one.flows)},{mean / 1e9:.9f},{quantile(one.flows, 0.99) / 1e9:.9f},{(one.flows or [0])[-1] / 1e9:.9f}\n")


def summary(found: List[Measured]) -> list:
    """Summarise collectives of one kind, size and number of ranks, those that took longest first."""
    groups: dict = {}
    for one in found:
        groups.setdefault((one.kind, one.algorithm, one.ranks, one.size), []).append(one)
    rows = []
    for (kind, algorithm, ranks, size), members in groups.items():
        times, flows = [one.end - one.begin for one in members], sorted(ns for one in members for ns in one.flows)
        rows.append({
            "kind": kind, "algorithm": algorithm, "ranks": ranks, "bytes": size, "count": len(members),
            "mean_time_s": sum(times) / len(times) / 1e9, "max_time_s": max(times) / 1e9,
            "mean_algbw_bps": mean_of([one.algbw for one in members]), "mean_busbw_bps": mean_of([one.busbw for one in members]),
            "flows": len(flows),
            **{f"fct_{name}_s": ns / 1e9 if flows else None for name, ns in (
                ("mean", mean_of(flows) or 0), ("p99", quantile(flows, 0.99)), ("max", quantile(flows, 1)))}})
    return sorted(rows, key=lambda row: -row["mean_time_s"] * row["count"])


def text(runs: list) -> str:
    """Format the collectives of all runs as a table; "" if there are none."""
    rows = [["algorithm", "collective", "ranks", "bytes", "times", "time", "algbw", "busbw", "FCT, mean", "99 %"]]
    left_out = 0
    for run in runs:
        listed = run["step"].get("collectives", [])
        left_out += max(0, len(listed) - COLLECTIVES_SHOWN)
        for one in listed[:COLLECTIVES_SHOWN]:
            rows.append([str(run.get("label") or run.get("cc")), f"{one['kind']}={one['algorithm']}", str(one["ranks"]),
                         si_bytes(one["bytes"]),
                         str(one["count"]), si_time(one["mean_time_s"]), si_rate(one["mean_algbw_bps"]), si_rate(one["mean_busbw_bps"]),
                         si_time(one["fct_mean_s"]), si_time(one["fct_p99_s"])])
    if len(rows) == 1:
        return ""
    return "\n\n" + align(rows, left=2) + (f"\n{left_out} more in {NAME}" if left_out else "")
