# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Values with units, as core/text/units.c reads them: 40Gbps, 55us, 200KB, 1%, 1/256. For commands that simulate nothing;
what goes to a program is passed on as typed."""
from __future__ import annotations

import functools
import math
import re
from fractions import Fraction
from typing import Dict, Optional, Tuple

from .common import RccError

MICRO = ("us", "\u00b5s", "\u03bcs")   # the micro sign, and the Greek letter
PREFIXES = {"": 1, "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "g": 10**9, "G": 10**9, "t": 10**12, "T": 10**12}
UNITS: Dict[str, Tuple[dict, str]] = {
    "time": ({"ns": Fraction(1, 10**9), **{name: Fraction(1, 10**6) for name in MICRO}, "ms": Fraction(1, 1000), "s": 1},
             "a time such as 55us or 0.4s"),
    "rate": ({prefix + rest: factor for prefix, factor in PREFIXES.items() for rest in ("bps", "b/s", "bit/s", "") if prefix + rest},
             "a rate such as 40Gbps or 5Mbps"),
    "size": ({"": 1, "B": 1, "KB": 10**3, "kB": 10**3, "K": 10**3, "k": 10**3, "MB": 10**6, "M": 10**6, "GB": 10**9, "G": 10**9,
              "TB": 10**12, "T": 10**12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}, "a size such as 200KB or 9MB"),
    "ratio": ({"": 1, "%": Fraction(1, 100)}, "a fraction such as 0.01, 1% or 1/256"),
    "count": ({"": 1}, "a whole number such as 5"),
}
PER_SMALLEST = {"time": 10**9, "rate": 1, "size": 1, "ratio": 10**9, "count": 1}   # the programs count ns, bit/s, bytes, ppb
SMALLEST = {"time": "1ns", "rate": "1bps", "size": "1B", "ratio": "1e-9", "count": "1"}
LARGEST = 2**63 - 1
MOST_DIGITS = 1000   # a number has no more of them: int() refuses more than 4300, and takes time that grows with their square
DIGITS = rf"\d{{1,{MOST_DIGITS}}}"
NUMBER = re.compile(rf"({DIGITS}(?:\.\d{{0,{MOST_DIGITS}}})?|\.{DIGITS})(?:[eE]([+-]?{DIGITS}))?", re.ASCII)


def read_whole(text: str) -> Optional[int]:
    """Read a whole number, also one such as 1.5e1; None if the text is none."""
    found = NUMBER.fullmatch(text)
    places = len(found.group(1).partition(".")[2]) if found else 0
    return int(found.group(1).replace(".", "")) if found and int(found.group(2) or 0) == places else None


def exact(unit: str, text: str, what: str) -> Fraction:
    """Return the value in s, bit/s, bytes or 1; `what` is the option, for the error."""
    suffixes, expected = UNITS[unit]
    wrong = RccError(f"{what}={text}: expected {expected}")
    if unit == "ratio" and "/" in text:
        above, below = (read_whole(part) for part in text.split("/", 1))
        if above is None or not below or above > 10**9:
            raise wrong
        parts, divisor = above * 10**9, min(below, 2**62)
        if abs((parts + divisor // 2) // divisor * divisor - parts) > parts // 1000:
            raise rounded(unit, text, what)
        return Fraction(above, below)
    found = NUMBER.match(text)
    if not found:
        raise wrong
    suffix = text[found.end():].lstrip(" ")
    digits = Fraction(found.group(1))
    if suffix == "" and unit in ("time", "rate") and not digits:
        return Fraction(0)  # the one time and rate that need no unit
    exponent = max(-1000, min(int(found.group(2) or 0), 1000))
    if suffix not in suffixes or (unit == "count" and exponent < len(found.group(1).partition(".")[2])):
        raise wrong
    value = digits * Fraction(10) ** exponent * suffixes[suffix]
    parts = nearest(value * PER_SMALLEST[unit])
    if parts > LARGEST:
        raise wrong
    fine = nearest(value * PER_SMALLEST[unit] * 10**6)
    if 0 < value and parts <= 1000 and (not parts or abs(fine - parts * 10**6) > fine // 1000):
        raise rounded(unit, text, what)
    return value


def nearest(value: Fraction) -> int:
    return math.floor(value + Fraction(1, 2))


def rounded(unit: str, text: str, what: str) -> RccError:
    """Return the error for a quantity that is no whole number of the smallest unit: 1e-10 of a ratio is not 0, 5.5B are not 6B."""
    return RccError(f"{what}={text}: expected a multiple of {SMALLEST[unit]}, to one part in 1000")


def canonical(unit: str, text: str, what: str) -> str:
    """Return the value in one form, so that 40Gbps and 40000Mbps are the same; as short as it is exact."""
    value = exact(unit, text, what)
    names = {"time": ["s", "ms", "us", "ns"], "rate": ["Tbps", "Gbps", "Mbps", "kbps", "bps"], "size": ["GB", "MB", "KB", "B"]}
    for name in names.get(unit, []) if value else []:
        part = value / UNITS[unit][0][name]
        if part.denominator == 1 and part.numerator < 10 ** 6:
            return f"{part.numerator}{name}"
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.12g}"


@functools.lru_cache(maxsize=4096)
def value_of(text: str) -> Optional[float]:
    """Return the number that a value of any unit stands for, or None if it is a word."""
    for unit in ("ratio", "time", "rate", "size"):
        try:
            return float(exact(unit, text, ""))
        except RccError:
            continue
    return None


def parse(unit: str, text: str, what: str) -> float:
    """Return the value in s, bit/s, bytes or 1 (an int for a count); `what` is the option, for the error."""
    value = exact(unit, text, what)
    if unit == "count":
        if value.denominator != 1:
            raise RccError(f"{what}={text}: expected {UNITS[unit][1]}")
        return int(value)
    return float(value)


def counts(text: str, what: str) -> list:
    """Read a list such as 2,4,8 or 1-16 of whole numbers of at least 1, in the order given."""
    numbers: list = []
    for part in text.split(","):
        ends = [int(parse("count", word, what)) for word in part.split("-", 1)] if part else []
        if not ends or ends[0] < 1 or ends[-1] < ends[0]:
            raise RccError(f"{what}={text}: expected numbers of at least 1 such as 2,4,8 or 1-16")
        if ends[-1] - ends[0] >= 100_000:
            raise RccError(f"{what}={text}: expected at most 100000 numbers")
        numbers += range(ends[0], ends[-1] + 1)
    return numbers
