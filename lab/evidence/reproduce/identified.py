# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Values that no source states: defaults that were identified from figures (lab/evidence/doc/identification.md), and what is
recollection in a row."""
from __future__ import annotations

# They are the defaults; a test compares them with the catalogue.
VALUES = {"dcqcn-plus": {"pmax": "0.5", "idle_wake": "at-once"}}


def _sentence(who: list, values: list) -> str:
    some = ", ".join(values[:-1]) + (" and " if len(values) > 1 else "") + values[-1]
    return f"Identified from figures, stated by no source: {some} of {', '.join(who)} (lab/evidence/doc/identification.md)."


def row_words(rows: list) -> str:
    """Return a sentence for each algorithm of the rows that has such values; their runs have the defaults."""
    commands = [command.split() for row in rows for command in row["commands"]]
    return " ".join(_sentence([cc], [f"{name} {value}" for name, value in values.items()]) for cc, values in VALUES.items()
                    if any(f"--cc={cc}" in words for words in commands))


def published_words(row: dict) -> str:
    """Return what was published, and a mark where some of it is recollection (lab/evidence/doc/reality.md)."""
    return row["published"] + (" UNVERIFIED" if row.get("unverified") else "")
