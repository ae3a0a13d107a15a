# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The tables of a study: table.csv in long form, a row for each run and metric, and wide.csv with a row for each run, which pandas, R
and DuckDB read in one line. Their numbers are numbers, in s, bit/s and bytes."""
from __future__ import annotations

import csv
import os

from . import results, seeds
from ... import units
from ...below import atomic_write
from ...common import number

NAME, WIDE = "table.csv", "wide.csv"
EXACT = 2 ** 53    # up to which a float is every whole number
NOT_METRICS = ("seed", "schema", "window_s")


def flatten(run: dict, before: str = "") -> dict:
    """The numbers of a run: path -> value."""
    found: dict = {}
    for key, value in run.items():
        if isinstance(value, dict):
            if before + key != "parameters":
                found.update(flatten(value, f"{before}{key}."))
        elif before + key == "slowdown.by_size" and isinstance(value, list):
            for bucket in value:   # slowdown.to_10000.p99_slowdown: of the flows up to 10 KB
                found.update({f"slowdown.to_{bucket['to_bytes']:g}.{name}": part for name, part in bucket.items()
                              if name not in ("from_bytes", "to_bytes") and number(part) is not None})
        elif number(value) is not None and before + key not in NOT_METRICS:
            found[before + key] = value
    return found


def of_runs(runs: list, parameters: dict) -> list:
    """(parameters with algorithm and seed, metrics) of each run. `parameters`: those that all runs have, by name."""
    return [({"cc": seeds.label(run), **parameters, "seed": str(run.get("seed", ""))}, flatten(run)) for run in runs]


def written(value: float) -> str:
    """A number as text: a whole one with all of its digits, as seeds and bytes have more than 12."""
    return str(int(value)) if isinstance(value, int) or abs(value) < EXACT and value == int(value) else f"{value:.12g}"


def plain(text: str) -> str:
    """The value of an option without its unit: 5ms as 0.005; a word stays one."""
    if text.isascii() and text.isdigit():
        return str(int(text))
    value = units.value_of(text) if text else None
    return text if value is None else written(value)


def write(folder: str, rows: list) -> None:
    """Write both tables. `rows`: (parameters, metrics) of each run; all with the same names of parameters. In wide.csv an option that is
    called as a metric is has the column option.NAME."""
    rows = [({name: text if name == "cc" else plain(text) for name, text in own.items()},
             {path: value for path, value in metrics.items() if path not in results.OF_MACHINE}) for own, metrics in rows]
    with atomic_write(os.path.join(folder, NAME)) as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["run", *rows[0][0], "metric", "value"])
        for at, (own, metrics) in enumerate(rows):
            for path, value in metrics.items():
                out.writerow([at, *own.values(), path, written(value)])
    paths = list(dict.fromkeys(path for _, metrics in rows for path in metrics))
    with atomic_write(os.path.join(folder, WIDE)) as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["run", *(f"option.{name}" if name in paths else name for name in rows[0][0]), *paths])
        for at, (own, metrics) in enumerate(rows):
            out.writerow([at, *own.values(), *(written(metrics[path]) if path in metrics else "" for path in paths)])
