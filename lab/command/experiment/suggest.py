# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The known word that a misspelt one is nearest to."""
from __future__ import annotations

from typing import Iterable

LONGEST = 64   # letters; the distance takes the product of both lengths


def distance(a: str, b: str) -> int:
    """Return the least number of letters to insert, delete or replace that make one word the other."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return row[-1]


def nearest(word: str, known: Iterable) -> str:
    """Return "; the nearest is '..'" as the end of a message, or nothing if no known word is near."""
    best, least = "", len(word) // 2 + 2
    for one in known if len(word) <= LONGEST else ():
        found = distance(word, one)
        if found < least:
            best, least = one, found
    return f"; the nearest is '{best}'" if best else ""
