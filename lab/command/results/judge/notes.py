# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs note of the files that they read, such as keys without effect, for the terminal and the report."""
from __future__ import annotations

import html

from ...common import counted, visible

MOST = 12     # on the terminal


def listed(runs: list) -> list:
    """The notes of all runs, each once, in their order."""
    return list(dict.fromkeys(str(note) for run in runs for note in run.get("notes") or []))


def lines(runs: list, place: str) -> list:
    """List the first notes for the terminal, and how many more there are. `place`: the file that has them all."""
    found = listed(runs)
    return found[:MOST] + ([f"{counted(len(found) - MOST, 'more note')} in {place}"] if len(found) > MOST else [])


def folded(runs: list) -> str:
    """For the report: all of them, folded; "" without one."""
    notes = listed(runs)
    items = "".join(f"<li>{html.escape(visible(note))}</li>" for note in notes)
    return f"<details><summary>Notes on the input files ({len(notes)})</summary><ul>{items}</ul></details>" if notes else ""
