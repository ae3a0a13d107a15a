# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""How rows of the reality table are run and measured: words of `./rcc run testbed` from their presets, and what measures "
  "share."""
from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Optional

from .figure import Data, Figure, Run, run, window_mean
from .reality_presets import NICS, PER_25G, SWITCHES

FRAME = 62   # bytes around a payload


def number(value: str) -> str:
    """A setting as the programs read it: 95 % is 0.95."""
    return f"{float(value[:-1]) / 100:g}" if value.endswith("%") else value


def settings(nic: str, more: tuple = ()) -> str:
    """--set of a NIC's settings, with those of `more` in their place."""
    parts = dict(part.split("=") for part in [*NICS[nic].settings.split(","), *more] if part)
    return "--set=" + ",".join(f"dcqcn.{name}={number(value)}" for name, value in parts.items())


def dcqcn(nic: str, *more: str) -> tuple:
    """The words of a NIC's DCQCN."""
    words = ("--cc=dcqcn", f"--preset={NICS[nic].preset}")
    return words + ((settings(nic, more),) if more or NICS[nic].settings else ())


def thresholds(gbps: float) -> tuple:
    """Where marking begins and ends at a link's rate, for switches of which nobody says it."""
    kmin, kmax, pmax = PER_25G
    return (f"--kmin={kmin * gbps / 25:.0f}B", f"--kmax={kmax * gbps / 25:.0f}B", f"--pmax={pmax}")


def switch(name: str, gbps: float, marks: bool = True) -> tuple:
    """The words of a switch."""
    one = SWITCHES[name]
    words = [f"--buffer={one.buffer}"]
    words += [f"--attr=QbbSwitch.PoolSize={one.pool.rstrip('B')}"] if one.pool else []
    words += [f"--attr=QbbSwitch.Alpha={one.alpha}"] if one.alpha else ["--lossy"]
    if marks:
        words += [f"--kmin={one.kmin}", f"--kmax={one.kmax}", f"--pmax={one.pmax}"] if one.kmin else thresholds(gbps)
    return tuple(words)


def testbed(*words: str, seeds: int = 10, cost: float = 2.0) -> Run:
    return run("testbed", *words, seeds=seeds, cost=cost)


# ------------------------------------------------------------------------------------------------ reading a testbed's results

def groups(data: Data, key: str, seed: int) -> dict:
    """Mean goodput by group in the window, bit/s."""
    return {g["name"]: g["mean_bps"] for g in data.summary(key, seed)["groups"]}


def group(data: Data, key: str, seed: int, name: str) -> dict:
    return next(g for g in data.summary(key, seed)["groups"] if g["name"] == name)


def line(data: Data, key: str, seed: int, name: str, column: str = "goodput_bps") -> tuple:
    """Times and values of one group."""
    s = data.series(key, "groups.csv", seed)
    rows = [(t, v) for t, g, v in zip(s["time_s"], s["group"], s[column]) if g == name]
    return [t for t, _ in rows], [v for _, v in rows]


def between(data: Data, key: str, seed: int, name: str, begin: float, end: float, column: str = "goodput_bps") -> float:
    times, values = line(data, key, seed, name, column)
    return window_mean(times, values, begin, end)


def queue(data: Data, key: str, seed: int, begin: float, end: float, column: str = "max_bytes") -> list:
    """Samples of the watched queue."""
    s = data.series(key, "queue.csv", seed)
    return [v for t, v in zip(s["time_s"], s[column]) if begin < t <= end]


def port(data: Data, key: str, seed: int, name: str, begin: float, end: float) -> list:
    """Samples of a recorded port's queue."""
    s = data.series(key, "ports.csv", seed)
    return [v for t, p, v in zip(s["time_s"], s["port"], s["queue_bytes"]) if p == name and begin < t <= end]


def quantile(values: list, share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def jain(values: list) -> float:
    return sum(values) ** 2 / (len(values) * sum(v * v for v in values))


def gb(value: float) -> str:
    """bit/s, in words."""
    return f"{value / 1e9:.3g} Gb/s"


def spread(values: list) -> str:
    return f"{gb(statistics.fmean(values))} ({gb(min(values))} to {gb(max(values))} over {len(values)} seeds)"


# ------------------------------------------------------------------------------------------------ rows that run

def attach(figure: Figure, runs: dict, measures: dict, panels: tuple = (), notes: Optional[dict] = None) -> Figure:
    """The figure with runs and the measures of those rows that have one: (keys, function, quick)."""
    rows = []
    for row in figure.rows:
        if row.id in measures:
            keys, measure, quick = measures[row.id]
            row = replace(row, runs=tuple(keys), measure=measure, quick=quick, lab=replace(row.lab, needs=""))
        rows.append(replace(row, note=(notes or {}).get(row.id, row.note)))
    return replace(figure, runs=runs, rows=tuple(rows), panels=panels)
