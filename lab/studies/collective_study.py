#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs behind lab/studies/collectives.md: bus bandwidth of collectives by algorithm, load balancing and queue pairs.

    python3 lab/studies/collective_study.py            run what is not yet in lab/studies/collective_study.csv, first seeds first
    python3 lab/studies/collective_study.py --tables   write the table of lab/studies/collectives.md anew

Each row of the file is one run. A run that is there is not run again.
"""
from __future__ import annotations

import os
import sys
from typing import Iterator, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from studies import rows  # noqa: E402
from studies.share_study import interval  # noqa: E402

STUDY = rows.Study("collective_study.csv", "collectives.md", ("operation", "ranks", "algorithm", "paths", "qps", "seed"),
                   ("busbw_gbps", "pauses", "repeated"))
RATE = "100Gbps"
RACK = 16    # hosts of a leaf, and its uplinks
ALGORITHMS = {"DCQCN paper": "--cc=dcqcn --preset=paper --scale-thresholds", "DCQCN nic-default": "--cc=dcqcn --preset=nic-default",
              "DCQCN+": "--cc=dcqcn-plus", "HPCC": "--cc=hpcc", "Swift": "--cc=swift", "NSCC": "--cc=nscc"}
PATHS = {"ECMP": "", "spraying": "--attr=QbbSwitch.LoadBalancing=round-robin,RdmaNic.Recovery=selective,RdmaNic.ReorderPackets=256"}


class Group(NamedTuple):
    operation: str
    ranks: int
    size: str
    qps: tuple
    seeds: int
    later: int = 0    # seeds of the others that are run before its first one


# An all-to-all of 512 ranks has 262,000 queue pairs with one for each pair, 33 CPU seconds with four. What takes longest comes last.
GROUPS = (Group("all-reduce", 128, "16MB", (1, 4), 10), Group("all-reduce", 512, "8MB", (1, 4), 10, 10),
          Group("all-to-all", 128, "2MB", (1, 4), 10), Group("all-to-all", 512, "2MB", (1, 4), 10, 10))


def runs() -> Iterator[tuple]:
    """(group, algorithm, paths, queue pairs, seed), the first seeds before the second ones."""
    for turn in range(1, max(group.seeds + group.later for group in GROUPS) + 1):
        for group in GROUPS:
            seed = turn - group.later
            for algorithm in ALGORITHMS if 1 <= seed <= group.seeds else ():
                for paths in PATHS:
                    for qps in group.qps:
                        yield group, algorithm, paths, qps, seed


def key_of(run: tuple) -> tuple:
    group, algorithm, paths, qps, seed = run
    return group.operation, str(group.ranks), algorithm, paths, str(qps), str(seed)


def words(run: tuple) -> list:
    """The words of ./rcc run collective."""
    group, algorithm, paths, qps, seed = run
    leaves = group.ranks // RACK
    links = f"h[0-{group.ranks - 1}]=t[0-{leaves - 1}],t[0-{leaves - 1}]-s[0-{RACK - 1}]"
    return [f"--links={links}", f"--operation={group.operation}", "--sync=data", f"--size={group.size}", f"--qps={qps}", f"--rate={RATE}",
            *ALGORITHMS[algorithm].split(), *PATHS[paths].split(), f"--seed={seed}"]


def measure(run: tuple) -> dict:
    found = rows.simulate("collective", words(run))
    return {"busbw_gbps": f"{found['collective']['bus_bps'] / 1e9:.4g}", "pauses": found["pfc"]["pauses"],
            "repeated": found.get("packets_repeated", 0)}


def table() -> str:
    """Bus bandwidth, Gb/s: mean over the seeds that are there, and half of its 95 % interval."""
    found: dict = {}
    for (operation, ranks, algorithm, paths, qps, _), values in STUDY.read().items():
        found.setdefault((operation, ranks, algorithm, paths, qps), []).append(values["busbw_gbps"])
    columns = [(paths, qps) for paths in PATHS for qps in ("1", "4")]
    lines = ["| | | " + " | ".join(f"{paths}, {qps} QP" for paths, qps in columns) + " | seeds |", "|" + "---|" * (3 + len(columns))]
    for group in GROUPS:
        for algorithm in ALGORITHMS:
            got = [found.get((group.operation, str(group.ranks), algorithm, *column), []) for column in columns]
            if any(got):
                seeds = sorted({len(values) for values in got if values})
                lines.append(f"| {group.operation}, {group.ranks} | {algorithm} | "
                             + " | ".join(interval(values, 1) if values else "" for values in got)
                             + f" | {' to '.join(str(n) for n in dict.fromkeys((seeds[0], seeds[-1])))} |")
    return "\n".join(lines)


def ratios() -> str:
    """Bus bandwidth of 128 ranks over that of the first algorithm with the same hash seed: mean and half of its 95 % interval."""
    found = STUDY.read()
    columns = [(paths, qps) for paths in PATHS for qps in ("1", "4")]
    first, *others = ALGORITHMS
    lines = [f"| over {first} | | " + " | ".join(f"{paths}, {qps} QP" for paths, qps in columns) + " |", "|" + "---|" * (2 + len(columns))]
    for group in GROUPS:
        for algorithm in others if group.ranks == 128 else ():
            cells = []
            for column in columns:
                keys = [[(group.operation, "128", name, *column, str(seed)) for name in (algorithm, first)]
                        for seed in range(1, group.seeds + 1)]
                cells.append(interval([found[mine]["busbw_gbps"] / found[its]["busbw_gbps"] for mine, its in keys
                                       if mine in found and its in found], 2))
            lines.append(f"| {group.operation} | {algorithm} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page() -> str:
    """The page with its tables made anew."""
    return STUDY.page({"table": table(), "ratios": ratios()})


def main() -> int:
    return STUDY.main(__doc__ or "", lambda: STUDY.run_missing((key_of(run), lambda run=run: measure(run)) for run in runs()), page)


if __name__ == "__main__":
    sys.exit(main())
