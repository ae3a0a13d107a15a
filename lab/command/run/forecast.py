# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""How long the points of a sweep take: decides which goes first, and how much time is left."""
from __future__ import annotations

import functools
import math

from .grid import Point
from .. import units
from ..common import RccError

PROPORTIONAL = {"time": "time", "rate": "rate", "load": "ratio"}   # packets are in proportion to these


@functools.lru_cache(maxsize=None)
def prior(values: tuple) -> float:
    """A first guess, in no unit: what a point of these values has to simulate, and a little for each of its flows."""
    guess = 1.0
    for name, text in values:
        try:
            if name in PROPORTIONAL:
                guess *= max(units.parse(PROPORTIONAL[name], text, name), 1e-9)
            elif name == "flows":
                guess *= 1 + units.parse("count", text, name) / 1000
        except RccError:
            continue  # a word, such as a file's name
    return guess


class Forecast:
    """Learns from the points that have ended: a factor for each value of each parameter, over the first guess."""

    def __init__(self):
        self.sums: dict = {}    # (name, value) -> (sum of logarithms of time over guess, count)

    def learn(self, point: Point, seconds: float) -> None:
        """A point took so many seconds."""
        excess = math.log(max(seconds, 1e-3) / prior(point.values))
        for key in self._keys(point):
            total, count = self.sums.get(key, (0.0, 0))
            self.sums[key] = (total + excess, count + 1)

    def seconds(self, point: Point) -> float:
        """The expected time of a point; without anything learnt, its first guess."""
        total, count = self.sums.get(("", ""), (0.0, 0))
        if not count:
            return prior(point.values)
        mean = total / count
        effects = [self.sums[key] for key in self._keys(point)[1:] if key in self.sums]
        return prior(point.values) * math.exp(mean + sum(part / n - mean for part, n in effects))

    @staticmethod
    def _keys(point: Point) -> list:
        return [("", ""), ("cc", point.spec.label), *(pair for pair in point.values if pair[0] not in PROPORTIONAL)]
