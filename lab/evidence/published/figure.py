# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The parts that published results are made of, and the results of their runs."""
from __future__ import annotations

import hashlib
import json
import os
import shlex
import statistics
from dataclasses import dataclass, field
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Run:
    """One set-up of a scenario's program; it is simulated once for each seed."""
    program: str
    words: tuple        # the program's options
    seeds: tuple = (1,)
    cost: float = 2.0   # CPU seconds of one seed on the machine of lab/evidence/doc/results.md, to plan with

    def name(self, seed: int) -> str:
        """Names the folder of the results: the same set-up in two figures is one run."""
        digest = hashlib.sha256("\0".join((self.program,) + self.words).encode()).hexdigest()[:12]
        return f"{self.program}-{digest}-seed{seed}"

    def command(self, seed: int) -> str:
        return shlex.join(["./rcc", "run", self.program, *self.words, f"--seed={seed}"])


def run(program: str, *words: str, seeds: int = 1, cost: float = 2.0) -> Run:
    return Run(program, tuple(words), tuple(range(1, seeds + 1)), cost)


@dataclass(frozen=True)
class Measured:
    """The result of a row."""
    text: str
    inside: bool
    value: Optional[float] = None  # the number behind the text
    spread: Optional[tuple] = None  # (least, largest) over the seeds


@dataclass(frozen=True)
class Row:
    """One claim. `measure` gets the figure's results; `runs` are the keys it reads."""
    id: str
    claim: str
    published: str
    band: str
    runs: tuple
    measure: Callable
    quick: bool = False  # part of `./rcc reproduce --quick`: must hold at every change
    note: str = ""       # why it is outside, if it is; or what one should know
    lab: Optional[Any] = None  # reality_row.Lab, in the reality table
    alone: Optional[tuple] = None  # (key, measure): a run that can lose the row by itself, whatever the others show


@dataclass(frozen=True)
class Panel:
    """One plot. `draw(ax, data)` draws it if the runs of all its keys are there."""
    title: str
    runs: tuple
    draw: Callable


@dataclass(frozen=True)
class Figure:
    id: str
    source: str
    title: str
    setup: str
    runs: dict          # key: Run
    rows: tuple
    panels: tuple = field(default=())
    table: str = "papers"  # the set of the figure: "papers", "windowed", "paths" or "reality"

    @property
    def cost(self) -> float:
        return sum(r.cost * len(r.seeds) for r in self.runs.values())


class Missing(Exception):
    """A run that a row or panel wants has no result."""


class NotRun(Exception):
    """A row's set-up needs a feature that is not there yet: it is shown, and counts as not inside."""


class Data:
    """The results of a figure's runs, from the folder that holds them all. `read_series` returns the columns of a CSV file."""

    def __init__(self, figure: Figure, folder: str, read_series: Callable[[str], dict]):
        self.figure = figure
        self.folder = folder
        self.read_series = read_series
        self._summaries: dict = {}
        self._last: tuple = ("", {})

    def place(self, key: str, seed: int) -> str:
        return os.path.join(self.folder, self.figure.runs[key].name(seed))

    def has_results(self, keys: tuple) -> bool:
        return all(os.path.exists(os.path.join(self.place(key, seed), "run.json"))
                   for key in keys for seed in self.figure.runs[key].seeds)

    def summary(self, key: str, seed: int) -> dict:
        path = os.path.join(self.place(key, seed), "run.json")
        if path not in self._summaries:
            try:
                with open(path, encoding="utf-8") as f:
                    self._summaries[path] = json.load(f)
            except (OSError, ValueError) as error:
                raise Missing(key) from error
        return self._summaries[path]

    def list_values(self, key: str, path: str) -> list:
        """A number of every seed's summary, e.g. list_values("paper", "queue.mean_bytes")."""
        values = []
        for seed in self.figure.runs[key].seeds:
            node = self.summary(key, seed)
            for part in path.split("."):
                node = node[int(part)] if isinstance(node, list) else node[part]
            values.append(node)
        return values

    def mean(self, key: str, path: str) -> float:
        return statistics.fmean(self.list_values(key, path))

    def series(self, key: str, name: str, seed: Optional[int] = None) -> dict:
        """A CSV of one seed (the first if none is named) as columns; empty cells are None."""
        place = self.place(key, self.figure.runs[key].seeds[0] if seed is None else seed)
        path = os.path.join(place, name)
        if path != self._last[0]:  # rows read one file several times in a row
            try:
                self._last = (path, self.read_series(path))
            except OSError as error:
                raise Missing(key) from error
        return self._last[1]

    def map_seeds(self, key: str, function: Callable) -> list:
        """function(seed) for every seed of a run."""
        return [function(seed) for seed in self.figure.runs[key].seeds]


# ------------------------------------------------------------------------------------------------ words for numbers

def kb(value: float) -> str:
    """Bytes as KB or MB, three digits."""
    return f"{value / 1e6:.2f} MB" if value >= 999_500 else f"{value / 1e3:.1f} KB"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def over_seeds(values: list, text: Callable, inside: Callable, of: Callable = statistics.fmean) -> Measured:
    """`of` the seeds' values judged as a whole, the spread beside it."""
    value = of(values)
    words = text(value)
    if len(values) > 1:
        words += f" ({text(min(values))} to {text(max(values))} over {len(values)} seeds)"
    return Measured(words, inside(value), value, (min(values), max(values)))


def ratio_text(value: float) -> str:
    return f"{value:.3g}x"


def accept_between(low: float, high: float) -> Callable:
    return lambda value: low <= value <= high


def near(target: float, share: float) -> Callable:
    """Within `share` of the target, both ways."""
    return lambda value: abs(value - target) <= share * abs(target)


def ordered(values: list) -> bool:
    """Strictly increasing."""
    return all(a < b for a, b in zip(values, values[1:]))


# ------------------------------------------------------------------------------------------------ series

def window_mean(times: list, values: list, begin: float, end: float) -> float:
    """Mean of samples with begin < time <= end."""
    picked = [v for t, v in zip(times, values) if begin < t <= end and v is not None]
    return statistics.fmean(picked) if picked else float("nan")


def smooth(times: list, values: list, width: float) -> tuple:
    """Means over consecutive intervals of `width` seconds; the time is that of their end."""
    ends, means, edge, bucket = [], [], width, []
    for t, v in zip(times, values):
        if t > edge * (1 + 1e-9):
            if bucket:
                ends.append(edge)
                means.append(statistics.fmean(bucket))
            while t > edge * (1 + 1e-9):
                edge += width
            bucket = []
        bucket.append(v)
    if bucket:
        ends.append(edge)
        means.append(statistics.fmean(bucket))
    return ends, means


def first_time(times: list, values: list, test: Callable, after: float = 0.0) -> Optional[float]:
    """The first sample after `after` that passes the test."""
    return next((t for t, v in zip(times, values) if t > after and test(v)), None)
