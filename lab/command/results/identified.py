# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What no source states: values of a run that were identified from figures (lab/studies/identification.md), recollections in a row."""
from __future__ import annotations

from . import seeds

# Those of lab/studies/identification.py; a test compares the two.
VALUES = {"dcqcn-plus": {"pmax": "0.5", "idle_wake": "at-once"}}


def _sentence(who: list, values: list) -> str:
    some = ", ".join(values[:-1]) + (" and " if len(values) > 1 else "") + values[-1]
    return f"Identified from figures, stated by no source: {some} of {', '.join(who)} (lab/studies/identification.md)."


def run_words(runs: list) -> str:
    """A sentence per set of such values; "" if no run has one."""
    found: dict = {}
    for run in runs:
        parameters = run.get("parameters")
        values = tuple(f"{name} {value}" for name, value in VALUES.get(str(run.get("cc")), {}).items()
                       if isinstance(parameters, dict) and str(parameters.get(name)) == value)
        if values:
            found.setdefault(values, []).append(seeds.label(run))
    return " ".join(_sentence(who, list(values)) for values, who in found.items())


def row_words(rows: list) -> str:
    """The same for rows of ./rcc reproduce, whose runs have the defaults."""
    commands = [command.split() for row in rows for command in row["commands"]]
    return " ".join(_sentence([cc], [f"{name} {value}" for name, value in values.items()]) for cc, values in VALUES.items()
                    if any(f"--cc={cc}" in words for words in commands))


def published_words(row: dict) -> str:
    """What was published, and a mark where some of it is recollection (lab/doc/reality.md)."""
    return row["published"] + (" UNVERIFIED" if row.get("unverified") else "")
