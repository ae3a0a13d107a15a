# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Results as pandas DataFrames, for notebooks and scripts of your own:

    import sys; sys.path.insert(0, "lab")        # or PYTHONPATH=lab
    import rcc_results
    runs = rcc_results.runs("out/incast")        # a row for each run: options and every number of it
    queue = rcc_results.series("out/incast", "queue")    # a series of all runs, with the columns run, cc and seed

All numbers are in s, bit/s and bytes. Needs pandas."""
from __future__ import annotations

import os

import pandas

from command import below
from command.common import RccError
from command.results.read import results, seeds
from command.results.read import series as series_files

__all__ = ["machine", "runs", "series", "table"]


def _read(folder: str, name: str) -> pandas.DataFrame:
    if not below.is_there(folder, name):
        raise RccError(f"{os.path.join(folder, name)}: no such file, expected a result of ./rcc run or ./rcc sweep")
    with below.open_file(folder, name, series_files.LIMIT) as f:
        return pandas.read_csv(f)


def runs(folder: str) -> pandas.DataFrame:
    """A row for each run, or point of a sweep: its options, its seed, and every number of it, such as `queue.mean_bytes`."""
    return _read(folder, "wide.csv")


def table(folder: str) -> pandas.DataFrame:
    """Read the results in long form: a row for each run and metric."""
    return _read(folder, "table.csv")


def series(folder: str, name: str) -> pandas.DataFrame:
    """A series of all runs: "queue", "rate", "flow_rates", "flows", "groups", ... (lab/doc/summary.md), with the columns run, cc, seed."""
    found = []
    for at, run in enumerate(results.load(folder)["runs"]):
        path = os.path.join(folder, seeds.folder(run), name + ".csv")
        if os.path.exists(path):
            frame = pandas.DataFrame(series_files.read(path))
            frame.insert(0, "run", at)
            frame.insert(1, "cc", seeds.label(run))
            frame.insert(2, "seed", run.get("seed"))
            found.append(frame)
    if not found:
        raise RccError(f"{folder}: no run has the series {name}")
    return pandas.concat(found, ignore_index=True)


def machine(folder: str) -> pandas.DataFrame:
    """Read the cost of each run on the machine that it ran on: wall_s, peak_rss_bytes."""
    rows = [{"run": at, "cc": seeds.label(run), **{key: run.get(key) for key in results.OF_MACHINE}}
            for at, run in enumerate(results.load(folder)["runs"])]
    return pandas.DataFrame(rows)
