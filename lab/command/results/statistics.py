# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Mean and 95 % interval over seeds, by Student's t, in plain Python."""
from __future__ import annotations

import math
from typing import NamedTuple, Optional

# 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom
T975 = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
        2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423]
Z975 = 1.959964


class Interval(NamedTuple):
    """A mean, and the interval that holds the true one with 95 % if the seeds' values are normal around it."""
    seeds: int
    mean: float
    half: Optional[float]    # None: one value has no interval
    deviation: Optional[float]

    @property
    def low(self) -> Optional[float]:
        return None if self.half is None else self.mean - self.half

    @property
    def high(self) -> Optional[float]:
        return None if self.half is None else self.mean + self.half


def t975(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; beyond the table by Cornish and Fisher's expansion, right to 1e-4."""
    if freedom <= len(T975):
        return T975[freedom - 1]
    z = Z975
    return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def interval(values: list) -> Interval:
    """Of at least one value."""
    count = len(values)
    mean = math.fsum(values) / count
    if min(values) == max(values):
        mean = values[0]  # their sum, divided again, may differ in its last digit
    if count < 2:
        return Interval(count, mean, None, None)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (count - 1))
    return Interval(count, mean, t975(count - 1) * deviation / math.sqrt(count), deviation)
