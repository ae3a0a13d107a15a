# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The names that the sources of the core declare, read without a program: what can be judged before anything is built. An algorithm may
seem to have a parameter or a preset of a header that it shares with others; rcc-catalog knows better."""
from __future__ import annotations

import functools
import os
import re
from typing import Dict, List

from ..common import ROOT

FOLDER = os.path.join(ROOT, "core", "cc")
ALGORITHM = re.compile(r"^RCC_ALGORITHM\((\w+)\)", re.MULTILINE)
INCLUDE = re.compile(r'^#include "(\w+\.h)"', re.MULTILINE)
FIELD = re.compile(r"\bF\((\w+),\s*RCC_\w+,\s*RCC_UNIT_(\w+),")
CHOICES = re.compile(r'"((?:[\w-]+\|)+[\w-]+)"')
PRESET = re.compile(r'\bRCC_PRESET\(\s*"([^"]+)"|\{\s*\.name = "([^"]+)",\s*\.help')
VARIANTS = re.compile(r"\bvariants\[\] = \{([^}]*)\}")
UNITS = {"NS": "time", "BPS": "rate", "BYTES": "size", "COUNT": "count", "RATIO": "ratio", "CHOICE": "choice"}


class Declared:
    """An algorithm: `units` and `choices` of its parameters, the names of its presets, and the algorithms whose presets it has too."""

    def __init__(self, files: List[str]):
        self.units: Dict[str, str] = {}
        self.choices: Dict[str, tuple] = {}
        self.presets: List[str] = []
        self.variants: List[str] = []
        for text in map(read, files):
            entries = list(FIELD.finditer(text))
            for entry, end in zip(entries, [*(one.start() for one in entries[1:]), len(text)]):
                unit = UNITS[entry[2]]
                found = CHOICES.search(text, entry.end(), end) if unit == "choice" else None
                self.units.setdefault(entry[1], unit)
                self.choices.setdefault(entry[1], tuple(found[1].split("|")) if found else ())
            self.presets += [one[1] or one[2] for one in PRESET.finditer(text)]
            self.variants += [name.replace("_", "-") for one in VARIANTS.findall(text) for name in re.findall(r"&rcc_algorithm_(\w+)", one)]


def read(name: str) -> str:
    """Return a file of the core's algorithms, each macro on one line; "" if it is not there."""
    try:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
            return f.read().replace("\\\n", "")
    except OSError:
        return ""


@functools.lru_cache(maxsize=None)
def names() -> List[str]:
    """List the algorithms as --cc names them, in the order of their list."""
    return [name.replace("_", "-") for name in ALGORITHM.findall(read("algorithms.def"))]


@functools.lru_cache(maxsize=None)
def algorithms() -> Dict[str, Declared]:
    """Return every algorithm with what its file and the headers below it declare."""
    found = {}
    for name in names():
        files = [name.replace("-", "_") + ".c"]
        for file in files:
            files += [header for header in INCLUDE.findall(read(file)) if header not in files]
        found[name] = Declared(files)
    return found
