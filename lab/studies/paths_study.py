#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs behind lab/studies/paths.md: completion times of five algorithms by load and choice of paths, on a leaf-spine network.

    python3 lab/studies/paths_study.py            run what is not yet in lab/studies/paths_study.csv, first seeds first
    python3 lab/studies/paths_study.py --tables   write the tables of lab/studies/paths.md anew

Each row of the file is one run. A run that is there is not run again.
"""
from __future__ import annotations

import os
import statistics
import sys
from typing import Iterator

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from studies import rows  # noqa: E402
from studies.share_study import interval  # noqa: E402

STUDY = rows.Study("paths_study.csv", "paths.md", ("algorithm", "paths", "load", "seed"),
                   ("flows", "mean", "p50", "p99", "pauses", "sent", "repeated", "timeouts", "incomplete"))
SEEDS = 10
LOADS = ("0.4", "0.6", "0.8", "0.9")
ALGORITHMS = {"DCQCN": "--cc=dcqcn --preset=nic-default", "DCQCN+": "--cc=dcqcn-plus",
              "HPCC": "--cc=hpcc --preset=simulator --set=hpcc.pacing=frozen",
              "Swift": "--cc=swift", "NSCC": "--cc=nscc"}
SPRAY = "--attr=QbbSwitch.LoadBalancing=round-robin"
PATHS = {"ECMP": "", "flowlets": "--attr=QbbSwitch.LoadBalancing=flowlet", "spraying": SPRAY + ",RdmaNic.Recovery=selective,"
         "RdmaNic.ReorderPackets=256", "spraying, go-back-N": SPRAY}
NETWORK = ("--topology=leaf-spine", "--racks=4", "--hosts-per-rack=8", "--spines=8", "--rate=100Gbps", "--delay=1us", "--sizes=fb-hadoop",
           "--time=400us", "--drain=100ms", "--interval=100us")


def runs() -> Iterator[tuple]:
    """(algorithm, paths, load, seed), the first seeds before the second ones."""
    for seed in range(1, SEEDS + 1):
        for load in LOADS:
            for algorithm in ALGORITHMS:
                for paths in PATHS:
                    yield algorithm, paths, load, str(seed)


def words(run: tuple) -> list:
    """The words of ./rcc run workload."""
    algorithm, paths, load, seed = run
    return [*NETWORK, f"--load={load}", *ALGORITHMS[algorithm].split(), *PATHS[paths].split(), f"--seed={seed}"]


def measured(found: dict) -> dict:
    """What a row has of a run.json."""
    slowdown = found["slowdown"]
    return {"flows": found["flows"], **{name: f"{slowdown[name]:.4g}" for name in ("mean", "p50", "p99")}, "pauses": found["pfc"]["pauses"],
            "sent": found["packets_sent"], "repeated": found.get("packets_repeated", 0), "timeouts": found["timeouts"],
            "incomplete": found["incomplete"]}


def slowdowns(metric: str) -> str:
    """A slowdown by algorithm, paths and load: mean over the seeds that are there, and half of its 95 % interval."""
    data = STUDY.read()
    lines = []
    for load in LOADS:
        lines += [f"Load {load}:", "", "| | " + " | ".join(PATHS) + " | seeds |", "|" + "---|" * (2 + len(PATHS))]
        for algorithm in ALGORITHMS:
            got = [[values[metric] for key, values in data.items() if key[:3] == (algorithm, paths, load)] for paths in PATHS]
            if all(got):
                seeds = sorted({len(values) for values in got})
                lines.append(f"| {algorithm} | " + " | ".join(interval(values, 2) for values in got)
                             + f" | {' to '.join(map(str, dict.fromkeys((seeds[0], seeds[-1]))))} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def ratios() -> str:
    """What spraying does to each algorithm: its slowdown over that with ECMP, seed by seed, and the packets sent again."""
    data = STUDY.read()
    lines = ["| | load | p99, flowlets | p99, spraying | p99, spraying with go-back-N | mean, spraying | mean, spraying with go-back-N | "
             "sent again, go-back-N |", "|" + "---|" * 8]
    for algorithm in ALGORITHMS:
        for load in LOADS:
            seeds = [key[3] for key in data if key[:3] == (algorithm, "ECMP", load)]
            seeds = [seed for seed in seeds if all((algorithm, paths, load, seed) in data for paths in PATHS)]
            if not seeds:
                continue

            def over(paths: str, metric: str) -> str:
                return interval([data[algorithm, paths, load, seed][metric] / data[algorithm, "ECMP", load, seed][metric]
                                 for seed in seeds], 2)
            again = statistics.fmean(data[algorithm, "spraying, go-back-N", load, seed]["repeated"]
                                     / data[algorithm, "spraying, go-back-N", load, seed]["sent"] for seed in seeds)
            lines.append(f"| {algorithm} | {load} | " + " | ".join(
                over(paths, metric) for metric, paths in (("p99", "flowlets"), ("p99", "spraying"), ("p99", "spraying, go-back-N"),
                                                          ("mean", "spraying"), ("mean", "spraying, go-back-N"))) + f" | {again:.1%} |")
    return "\n".join(lines)


def page() -> str:
    """The page with its tables made anew."""
    return STUDY.page({"p99": slowdowns("p99"), "ratios": ratios()})


def main() -> int:
    return STUDY.main(__doc__ or "", lambda: STUDY.run_missing((run, lambda run=run: measured(rows.simulate("workload", words(run))))
                                                               for run in runs()), page)


if __name__ == "__main__":
    sys.exit(main())
