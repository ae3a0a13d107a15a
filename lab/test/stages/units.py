# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The sources of core/ in fewer files: most of the time of a compiler goes into its start. The release build compiles each alone."""
from __future__ import annotations

import glob
import os
import re

from command.common import ROOT

# at the beginning of a line: what is static, what has a tag, what is a macro; elsewhere the fields of an algorithm, which become
# enumerators, and those, which are in capitals
NAMES = re.compile(r"^static [^;{(=]*?\b(\w+)(?= *[(\[=;])|^(?:static )?(?:const )?(?:struct|enum|union) (\w+)(?= *$| *\{)|"
                   r"^ *# *define (\w+)|"
                   r"\bF\((\w+),|\b([A-Z]+_\w+)\b", re.MULTILINE)
SHARED = re.compile(r"RCC_|U?INT\d*_")   # names of headers


def sources() -> list:
    return sorted(glob.glob(os.path.join(ROOT, "core", "*", "*.c")))


def names(path: str) -> dict:
    """Return the names that a file and its private headers define, and that may have one definition in a compilation: {name: file}."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = {word: path for words in NAMES.findall(text) for word in words if word and not SHARED.match(word)}
    for header in re.findall(r'^#include "(?!rcc)(\w+\.h)"', text, re.MULTILINE):
        found = {**names(glob.glob(os.path.join(ROOT, "core", "*", header))[0]), **found}
    return found


def write(folder: str) -> list:
    """Files in `folder` that include all sources, those together that have no name in common. Returns their paths."""
    units: list = []
    for path in sources():
        own = names(path)
        unit = next((unit for unit in units if all(unit[0].get(name, place) == place for name, place in own.items())), None)
        if unit is None:
            unit = ({}, [])
            units.append(unit)
        unit[0].update(own)
        unit[1].append(path)
    made = []
    for number, (_, paths) in enumerate(units):
        made.append(os.path.join(folder, f"core-{number}.c"))
        with open(made[-1], "w", encoding="utf-8") as f:
            f.writelines(f'#include "{path}"\n' for path in paths)
    return made
