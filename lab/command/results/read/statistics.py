# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Mean and 95 % interval over seeds, by Student's t, in plain Python: of numbers, and of ratios."""
from __future__ import annotations

import math
from typing import NamedTuple, Optional

from ...common import digits

# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom
T975 = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
        2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423]
Z975 = 1.959964
EVEN = 1.1     # ratio of the two sides of an interval, up to which one number tells both
WIDE = 100     # a factor from which the ends of an interval tell nothing
LARGEST = 700  # logarithm of what a number can be


class Interval(NamedTuple):
    """A mean, and the interval that holds the true one with 95 % if the seeds' values are normal around it."""
    seeds: int
    mean: float
    half: Optional[float]    # None: one value has no interval
    deviation: Optional[float]
    least: float
    most: float

    @property
    def low(self) -> Optional[float]:
        return None if self.half is None else self.mean - self.half

    @property
    def high(self) -> Optional[float]:
        return None if self.half is None else self.mean + self.half


class Ratio(NamedTuple):
    """The geometric mean of the seeds' ratios, and the interval that holds the true one with 95 % if their logarithms are normal: the
    same two whichever of the numbers is the divisor, which is not so of an arithmetic mean."""
    seeds: int      # seeds with a ratio
    of: int         # that both have
    mean: float
    low: float
    high: float
    deviation: float    # standard deviation of the natural logarithms

    @property
    def holds_1(self) -> bool:
        return self.low <= 1 <= self.high

    def text(self) -> str:
        """"1.20 ±0.025", "3.3 (1.3 to 8.2)" of an interval that is not even, "3.3 (too few seeds)" where it tells nothing;
        and of how many seeds, where some have no ratio."""
        half = (self.high - self.low) / 2
        if half < 5e-4 * self.mean:
            found = digits(self.mean)
        elif self.high > WIDE * self.mean:
            found = f"{digits(self.mean)} (too few seeds)"
        elif self.high - self.mean <= EVEN * (self.mean - self.low):
            found = f"{digits(self.mean)} ±{digits(half, 2)}"
        else:
            found = f"{digits(self.mean)} ({digits(self.low, 2)} to {digits(self.high, 2)})"
        return found + (f" in {self.seeds} of {self.of} seeds" if self.seeds < self.of else "")


def t975(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; beyond the table by Cornish and Fisher's expansion, right to 1e-4."""
    if freedom <= len(T975):
        return T975[freedom - 1]
    z = Z975
    return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def interval(values: list) -> Interval:
    """Return the interval of at least one value."""
    count = len(values)
    mean = math.fsum(values) / count
    if min(values) == max(values):
        mean = values[0]  # a sum that is divided again may differ in its last digit
    if count < 2:
        return Interval(count, mean, None, None, mean, mean)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (count - 1))
    return Interval(count, mean, t975(count - 1) * deviation / math.sqrt(count), deviation, min(values), max(values))


def ratio(values: list, of: int) -> Ratio:
    """Return the interval of at least two ratios above 0, from so many seeds."""
    found = interval([math.log(value) for value in values])
    assert found.half is not None and found.deviation is not None
    low, mean, high = (math.exp(max(-LARGEST, min(LARGEST, x))) for x in (found.mean - found.half, found.mean, found.mean + found.half))
    return Ratio(found.seeds, of, mean, low, high, found.deviation)
