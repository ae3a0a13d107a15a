#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs behind lab/studies/paths.md: completion times of five algorithms by load and choice of paths, on a leaf-spine network.

    python3 lab/studies/paths_study.py            run what is not yet in lab/studies/paths_study.csv, first seeds first
    python3 lab/studies/paths_study.py --seeds=3  the same, up to seed 3
    python3 lab/studies/paths_study.py --tables   write the tables of lab/studies/paths.md anew

Each row of the file is one run. A run that is there is not run again.
"""
from __future__ import annotations

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from typing import Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "lab", "studies", "paths_study.csv")
PAGE = os.path.join(ROOT, "lab", "studies", "paths.md")
HEAD = "# SPDX-License-Identifier: GPL-2.0-only\n# SPDX-FileCopyrightText: 2026 rcc contributors\n"
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command.run import experiments  # noqa: E402
from command.system import build  # noqa: E402
from studies.share_study import interval  # noqa: E402

KEYS = ("algorithm", "paths", "load", "seed")
METRICS = ("flows", "mean", "p50", "p99", "pauses", "sent", "repeated", "timeouts", "incomplete")
SEEDS = 10
LOADS = ("0.4", "0.6", "0.8", "0.9")
ALGORITHMS = {"DCQCN": "--cc=dcqcn --preset=nic-default", "DCQCN+": "--cc=dcqcn-plus", "HPCC": "--cc=hpcc --preset=simulator",
              "Swift": "--cc=swift", "NSCC": "--cc=nscc"}
SPRAY = "--attr=QbbSwitch.LoadBalancing=round-robin"
PATHS = {"ECMP": "", "flowlets": "--attr=QbbSwitch.LoadBalancing=flowlet", "spraying": SPRAY + ",RdmaNic.Recovery=selective,"
         "RdmaNic.ReorderPackets=256", "spraying, go-back-N": SPRAY}
NETWORK = ("--topology=leaf-spine", "--racks=4", "--hosts-per-rack=8", "--spines=8", "--rate=100Gbps", "--delay=1us", "--sizes=fb-hadoop",
           "--time=400us", "--drain=100ms", "--interval=100us")


def runs(seeds: int = SEEDS) -> Iterator[tuple]:
    """(algorithm, paths, load, seed), the first seeds before the second ones."""
    for seed in range(1, seeds + 1):
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


def measure(run: tuple) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        made = experiments.words("workload", [*words(run), f"--out={folder}"])
        subprocess.run([build.program(experiments.program("workload")), *made], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            return measured(json.load(f))


def read() -> dict:
    """{(algorithm, paths, load, seed): metrics}"""
    if not os.path.exists(DATA):
        return {}
    with open(DATA, encoding="utf-8", newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return {tuple(row[k] for k in KEYS): {m: float(row[m]) for m in METRICS} for row in rows}


def run_missing(seeds: int) -> None:
    have = read()
    if not have:
        with open(DATA, "w", encoding="utf-8") as f:
            f.write(HEAD + ",".join(KEYS + METRICS) + "\n")
    for run in runs(seeds):
        if run not in have:
            print(*run, flush=True)
            values = measure(run)
            with open(DATA, "a", encoding="utf-8", newline="") as f:
                csv.DictWriter(f, KEYS + METRICS, lineterminator="\n").writerow({**dict(zip(KEYS, run)), **values})


def slowdowns(metric: str) -> str:
    """A slowdown by algorithm, paths and load: mean over the seeds that are there, and half of its 95 % interval."""
    data = read()
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
    data = read()
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
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    for name, made in (("p99", slowdowns("p99")), ("ratios", ratios())):
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", lambda m: m[1] + made + "\n" + m[2], text, flags=re.DOTALL)
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="the last seed")
    parser.add_argument("--tables", action="store_true", help="write the tables of lab/studies/paths.md anew")
    args = parser.parse_args()
    if not args.tables:
        run_missing(args.seeds)
        return 0
    text = page()
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
