# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Quantities as text, in the units that run files have: ns, bit/s, bytes, parts in 1e9, counts."""
from __future__ import annotations

import functools
import math
import re
from fractions import Fraction
from typing import Optional, Tuple, Union

from .. import units
from ..common import RccError

SHOWN = {"time": (("s", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1)),
         "rate": (("Tbps", 10**12), ("Gbps", 10**9), ("Mbps", 10**6), ("Kbps", 10**3), ("bps", 1)),
         "size": (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("KB", 10**3), ("B", 1)),
         "count": (("", 1),)}
ZERO = {"time": "0s", "rate": "0bps", "size": "0B", "count": "0"}
WHOLE = re.compile(units.DIGITS, re.ASCII)


@functools.lru_cache(maxsize=4096)
def read(unit: str, text: str) -> Tuple[int, str]:
    """Read a quantity. Returns its value in the smallest unit, rounded to nearest, and "" or what is expected in place of the text."""
    try:
        return math.floor(units.exact(unit, text, "") * units.PER_SMALLEST[unit] + Fraction(1, 2)), ""
    except RccError as error:
        return 0, str(error).partition(": expected ")[2]


def read_within(unit: str, text: str, low: Union[int, str], high: Union[int, str]) -> Tuple[Optional[int], str]:
    """Read a quantity from `low` to `high`, which are numbers of the smallest unit or texts. Returns as read() does."""
    value, expected = read(unit, text)
    if expected:
        return None, expected
    least, most = (bound if isinstance(bound, int) else read(unit, bound)[0] for bound in (low, high))
    return (value, "") if least <= value <= most else (None, f"{shown(unit, least)} to {shown(unit, most)}")


def read_whole(text: str, most: int) -> Optional[int]:
    """Read a whole number of digits alone, at most `most`; None if it is none."""
    digits = text.lstrip("0") or "0"
    return int(digits) if WHOLE.fullmatch(text) and len(digits) <= len(str(most)) and int(digits) <= most else None


def shown(unit: str, value: int) -> str:
    """Return a value as people write it, exactly, in its largest whole unit."""
    if unit == "ratio":
        whole, rest = divmod(value, 10**9)
        return f"{whole}.{rest:09d}".rstrip("0") if rest else str(whole)
    if not value:
        return ZERO[unit]
    name, factor = next((name, factor) for name, factor in SHOWN[unit] if value % factor == 0)
    return f"{value // factor}{name}"
