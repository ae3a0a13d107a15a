# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Numbers in the syntax of those simulators: decimals without a unit, rates of ns-3, times with or without a unit."""
from __future__ import annotations

import re
from fractions import Fraction
from typing import Optional

from ..experiment import quantity
from ..units import DIGITS

NUMBER = re.compile(rf"\+?({DIGITS})?(?:\.({DIGITS})?)?(?:[eE]([+-]?{DIGITS}))?", re.ASCII)
RATE = re.compile(r"\+?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(|[kKMGT]?i?(?:bps|b/s|Bps|B/s))", re.ASCII)
LARGE = re.compile(r"\d[0-9]*\.?\d*(?:[eE]\+?\d+)?", re.ASCII)
PREFIXES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
EXPONENT_MAX = 1000
NEAR = 1000   # rounding changes a value by at most one part in NEAR


def nearest(value: Fraction) -> Optional[int]:
    """Return a value rounded to nearest; None if that is not the value to one part in 1000."""
    rounded = (2 * value.numerator + value.denominator) // (2 * value.denominator)
    if value and rounded <= NEAR and (not rounded or abs(value - rounded) > value / NEAR):
        return None
    return rounded


def read_decimal(text: str) -> Optional[Fraction]:
    """Read digits with a point and an exponent."""
    found = NUMBER.fullmatch(text)
    if not found or not (found[1] or found[2]):
        return None
    exponent = max(-EXPONENT_MAX, min(int(found[3] or 0), EXPONENT_MAX)) - len(found[2] or "")
    return Fraction(int((found[1] or "") + (found[2] or ""))) * Fraction(10) ** exponent


def read_number(text: str, places: int, most: int) -> Optional[int]:
    """Read a number of at most `most` as a whole number of 10^-places."""
    value = read_decimal(text)
    scaled = None if value is None else nearest(value * 10**places)
    return None if scaled is None or scaled > most * 10**places else scaled


def read_fraction(text: str) -> Optional[int]:
    """Read 0.01, 1e-3 or 1/16 as parts in 1e9."""
    if "/" not in text:
        return read_number(text, 9, 1)
    value, expected = quantity.read("ratio", text)
    return value if not expected and value <= 10**9 else None


def read_data_rate(text: str, most: int) -> Optional[int]:
    """Read a rate as ns-3 writes it, 40Gb/s or 25000000000, in bit/s."""
    found = RATE.fullmatch(text)
    if not found:
        return None
    value, unit = read_decimal(found[1] + (found[2] or "")), found[3]
    if value is None:
        return None
    if unit:
        prefix = unit[0] if unit[0] in PREFIXES else ""
        binary = unit[len(prefix):].startswith("i")
        value *= Fraction(1024 if binary else 1000) ** PREFIXES[prefix]
        value *= 8 if "B" in unit else 1
        if binary and not prefix:
            return None
    rate = nearest(value)
    return rate if rate is not None and rate <= most else None


def read_time(text: str, most: int) -> Optional[int]:
    """Read a time with a unit, or in seconds without one, in ns."""
    bare = read_number(text, 9, 2**63 // 10**9)
    if bare is None:
        bare, expected = quantity.read("time", text[1:] if text.startswith("+") else text)
        if expected:
            return None
    return bare if bare <= most else None


def is_whole(text: str) -> bool:
    """True if what a number has after its point is zeros: "5.0", but not "1.5" packets."""
    return not text.partition(".")[2].strip("0")


def is_too_large(text: str) -> bool:
    """True if what cannot be read as a number is one that is too large."""
    return bool(LARGE.fullmatch(text))
