#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs behind lab/studies/collectives.md: bus bandwidth of collectives by algorithm, load balancing and queue pairs.

    python3 lab/studies/collective_study.py            run what is not yet in lab/studies/collective_study.csv, first seeds first
    python3 lab/studies/collective_study.py --tables   write the table of lab/studies/collectives.md anew

Each row of the file is one run. A run that is there is not run again.
"""
from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from typing import Iterator, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "lab", "studies", "collective_study.csv")
PAGE = os.path.join(ROOT, "lab", "studies", "collectives.md")
HEAD = "# SPDX-License-Identifier: GPL-2.0-only\n# SPDX-FileCopyrightText: 2026 rcc contributors\n"
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command.run import experiments  # noqa: E402
from command.system import build  # noqa: E402
from studies.share_study import interval  # noqa: E402

KEYS = ("operation", "ranks", "algorithm", "paths", "qps", "seed")
METRICS = ("busbw_gbps", "pauses", "repeated")
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


# An all-to-all of 512 ranks has 262,000 queue pairs with one for each pair.
GROUPS = (Group("all-reduce", 128, "16MB", (1, 4), 10), Group("all-reduce", 512, "8MB", (1, 4), 2, 1),
          Group("all-to-all", 128, "2MB", (1, 4), 10), Group("all-to-all", 512, "2MB", (1,), 1, 2))


def runs() -> Iterator[tuple]:
    """(group, algorithm, paths, queue pairs, seed), the first seeds before the second ones."""
    for turn in range(1, max(group.seeds for group in GROUPS) + 1):
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
    with tempfile.TemporaryDirectory() as folder:
        made = experiments.words("collective", [*words(run), f"--out={folder}"])
        subprocess.run([build.program(experiments.program("collective")), *made], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            found = json.load(f)
    return {"busbw_gbps": f"{found['collective']['bus_bps'] / 1e9:.4g}", "pauses": found["pfc"]["pauses"],
            "repeated": found.get("packets_repeated", 0)}


def read() -> dict:
    """{(operation, ranks, algorithm, paths, queue pairs, seed): metrics}"""
    if not os.path.exists(DATA):
        return {}
    with open(DATA, encoding="utf-8", newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return {tuple(row[k] for k in KEYS): {m: float(row[m]) for m in METRICS} for row in rows}


def run_missing() -> None:
    have = read()
    if not have:
        with open(DATA, "w", encoding="utf-8") as f:
            f.write(HEAD + ",".join(KEYS + METRICS) + "\n")
    for run in runs():
        if key_of(run) not in have:
            print(*key_of(run), flush=True)
            values = measure(run)
            with open(DATA, "a", encoding="utf-8", newline="") as f:
                csv.DictWriter(f, KEYS + METRICS, lineterminator="\n").writerow({**dict(zip(KEYS, key_of(run))), **values})


def table() -> str:
    """Bus bandwidth, Gb/s: mean over the seeds that are there, and half of its 95 % interval."""
    found: dict = {}
    for (operation, ranks, algorithm, paths, qps, _), values in read().items():
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


def page() -> str:
    """The page with its table made anew."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    return re.sub(r"(<!-- table -->\n).*?(<!-- end of table -->)", lambda m: m[1] + table() + "\n" + m[2], text, flags=re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", action="store_true", help="write the table of lab/studies/collectives.md anew")
    if not parser.parse_args().tables:
        run_missing()
        return 0
    text = page()
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
