#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A study with sem, the library that drives ns-3 programs (pip install sem), in an ns-3 tree that has the module:

    ./rcc install ~/ns-3-dev
    python3 lab/studies/sem_study.py ~/ns-3-dev

Our programs are ns-3 programs: their options are CommandLine parameters, --RngRun is the seed, and the summary is printed as JSON. sem
simulates what its database does not have yet, so that this script can be stopped and extended. table.csv has a row for each run and
metric, as ./rcc sweep writes it."""
import csv
import json
import sys

PROGRAM = "lab-experiment"
GRID = {"cc": ["dcqcn", "dcqcn-plus"], "links": ["h[0-8]-s0"], "flows": [f"h[0-7]-h8:count={n}:within=1ms" for n in (8, 80)],
        "time": ["20ms"], "plain": ["true"]}
RUNS = 3    # seeds of each combination


def numbers(tree: dict, before: str = "") -> dict:
    """The numbers of a summary: path -> value."""
    found = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            found.update(numbers(value, f"{before}{key}."))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found[before + key] = value
    return found


def write_table(results: list, path: str) -> None:
    """One row for each run and metric. `results`: {"params": {name: value}, "output": {"stdout": text}} each, as sem has them."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow(["run", *results[0]["params"], "metric", "value"])
        for run, result in enumerate(results):
            for metric, value in numbers(json.loads(result["output"]["stdout"])).items():
                out.writerow([run, *result["params"].values(), metric, value])


def main(tree: str) -> None:
    import sem
    campaign = sem.CampaignManager.new(tree, PROGRAM, "sem-results", check_repo=False, optimized=True)
    campaign.run_missing_simulations(GRID, runs=RUNS)
    write_table(list(campaign.db.get_complete_results()), "table.csv")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 lab/studies/sem_study.py NS3_TREE")
    main(sys.argv[1])
