# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""table.csv, one per study: long form, a row for each run and metric, which pandas, R and DuckDB read in one line."""
from __future__ import annotations

import csv
import os

from . import seeds
from ..common import atomic_write, number

NAME = "table.csv"
NOT_METRICS = ("seed", "schema", "window_s")


def flatten(run: dict, before: str = "") -> dict:
    """The numbers of a run: path -> value."""
    found: dict = {}
    for key, value in run.items():
        if isinstance(value, dict):
            if before + key != "parameters":
                found.update(flatten(value, f"{before}{key}."))
        elif number(value) is not None and before + key not in NOT_METRICS:
            found[before + key] = value
    return found


def of_runs(runs: list, parameters: dict) -> list:
    """(parameters with algorithm and seed, metrics) of each run. `parameters`: those that all runs have, by name."""
    return [({"cc": seeds.label(run), **parameters, "seed": str(run.get("seed", ""))}, flatten(run)) for run in runs]


def write(folder: str, rows: list) -> None:
    """Write the table. `rows`: (parameters, metrics) of each run; all with the same names of parameters."""
    with atomic_write(os.path.join(folder, NAME)) as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["run", *rows[0][0], "metric", "value"])
        for at, (own, metrics) in enumerate(rows):
            for path, value in metrics.items():
                out.writerow([at, *own.values(), path, f"{value:.12g}"])
