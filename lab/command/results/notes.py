# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs note of the files that they read, such as keys without effect: one line for the terminal, a list for the report."""
from __future__ import annotations

import html
import os
import re

from ..common import visible

WITHOUT_EFFECT = re.compile(r"(.*):\d+: ([\w ]+): (?:\S+ )?has no effect")
MOST_NAMES = 12     # on the terminal


def listed(runs: list) -> list:
    """The notes of all runs, each once, in their order."""
    return list(dict.fromkeys(str(note) for run in runs for note in run.get("notes") or []))


def line(runs: list, place: str) -> str:
    """For the terminal: which keys have no effect, and how many notes of other kinds there are; "" without a note. `place`: where they
    all are."""
    notes = listed(runs)
    names: dict = {}    # by file
    for found in filter(None, map(WITHOUT_EFFECT.match, notes)):
        names.setdefault(os.path.basename(found[1]), {})[found[2]] = True
    parts = []
    for file, keys in names.items():
        more = f" and {len(keys) - MOST_NAMES} more" if len(keys) > MOST_NAMES else ""
        parts.append(f"{len(keys)} {'key' if len(keys) == 1 else 'keys'} of {file} {'has' if len(keys) == 1 else 'have'} no effect: "
                     + ", ".join(list(keys)[:MOST_NAMES]) + more)
    others = sum(not WITHOUT_EFFECT.match(note) for note in notes)
    if others:
        parts.append(f"{others} {'other ' if names else ''}{'note' if others == 1 else 'notes'}")
    return f"{'; '.join(parts)}; see the notes in {place}" if parts else ""


def folded(runs: list) -> str:
    """For the report: all of them, folded; "" without one."""
    notes = listed(runs)
    items = "".join(f"<li>{html.escape(visible(note))}</li>" for note in notes)
    return f"<details><summary>Notes on the input files ({len(notes)})</summary><ul>{items}</ul></details>" if notes else ""
