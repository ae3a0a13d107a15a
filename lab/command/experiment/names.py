# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The notation for nodes and pairs of nodes: h[1-4], h[0-90/10], h[1-2]-t1, h[0-3]=t[0-1], h[0-7]~h[8-9] (lab/doc/testbed.md)."""
from __future__ import annotations

import itertools
import math
import re
from typing import List

from .refusal import Refusal, refuse_item
from ..units import DIGITS

NUMBER_MAX = 100_000    # in a name
PAIRS_MAX = 1_000_000   # names or pairs of one pattern
RANGE = re.compile(rf"([^\[\]]*)\[({DIGITS})-({DIGITS})(?:/({DIGITS}))?\](.*)", re.ASCII | re.DOTALL)
NO_NAME = re.compile(r"[-=~:*> \t]")
SEPARATORS = "-=~"
EXPECTED_PAIR = "A-B, A=B or A~B, such as h[1-4]-t1"


def is_host(name: str) -> bool:
    """True if a node of this name is a host."""
    return name.startswith("h")


def expand_names(option: str, pattern: str) -> list:
    """List the names of a pattern, a name with ranges such as h[0-90/10]. Raises Refusal for an option that has it: it is no name, or has
    more than PAIRS_MAX."""
    texts: List[str] = []
    ranges: List[range] = []    # the numbers between the texts
    rest = pattern
    while "[" in rest or "]" in rest:
        found = RANGE.fullmatch(rest)
        first, last, step = (int(text or 1) for text in found.group(2, 3, 4)) if found else (1, 0, 1)
        if not found or first > last or step == 0 or max(first, last, step) > NUMBER_MAX:
            raise Refusal(option, "has", pattern, ", expected ranges such as h[1-4] or h[0-90/10]")
        texts.append(found.group(1))
        ranges.append(range(first, last + 1, step))
        rest = found.group(5)
    texts.append(rest)
    form = "{}".join(text.replace("{", "{{").replace("}", "}}") for text in texts)
    if not pattern or any(map(NO_NAME.search, texts)):
        refuse_item(option, form.format(*(numbers[0] for numbers in ranges)), "the name of a node")
    if math.prod(map(len, ranges)) > PAIRS_MAX:
        refuse_item(option, pattern, f"at most {PAIRS_MAX} names")
    return list(itertools.starmap(form.format, itertools.product(*ranges)))


def find_separator(text: str) -> int:
    """Return the position of the first -, = or ~ outside of brackets; -1 if there is none."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and letter in SEPARATORS:
            return at
    return -1


def expand_pairs(option: str, text: str, most: int = 2**63) -> list:
    """List the pairs of names of A-B (each with each), A=B (one by one, blocks of A) or A~B (in turn, at most `most`). Raises Refusal."""
    at = find_separator(text)
    if at < 0:
        refuse_item(option, text, EXPECTED_PAIR)
    left, right = expand_names(option, text[:at]), expand_names(option, text[at + 1:])
    if text[at] == "=" and len(right) > 1 and len(left) % len(right):
        refuse_item(option, text, "as many names left of = as right of it, or a multiple")
    count = {"-": len(left) * len(right), "=": len(left), "~": min(math.lcm(len(left), len(right)), most)}[text[at]]
    if count > PAIRS_MAX:
        refuse_item(option, text, f"at most {PAIRS_MAX} pairs")
    if text[at] == "-":
        return [(a, b) for a in left for b in right]
    if text[at] == "=":
        return [(a, right[i * len(right) // len(left)]) for i, a in enumerate(left)]
    return [(left[i % len(left)], right[i % len(right)]) for i in range(count)]


def expand_flows(option: str, text: str, most: int = 2**63) -> list:
    """List the pairs of different hosts of a pattern: A-B leaves out a host beside itself, other forms refuse it."""
    pairs = expand_pairs(option, text, most)
    others = [pair for pair in pairs if pair[0] != pair[1]]
    if not others or (len(others) < len(pairs) and text[find_separator(text)] != "-"):
        refuse_item(option, text, "two different hosts")
    return others
