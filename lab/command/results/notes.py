# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs note of the files that they read, such as keys without effect: one line for the terminal, a list for the report."""
from __future__ import annotations

import html
import os
import re

from ..common import counted, visible

WITHOUT_EFFECT = re.compile(r"(.*):\d+: ([\w ]+): (?:\S+ )?has no effect")
NOT_USED = re.compile(r"(.*): not used: ([\w, ]+): the command asks for (.*)")
MOST_NAMES = 12     # on the terminal


def listed(runs: list) -> list:
    """The notes of all runs, each once, in their order."""
    return list(dict.fromkeys(str(note) for run in runs for note in run.get("notes") or []))


def line(runs: list, place: str) -> str:
    """For the terminal: which keys have no effect or are not used, and how many notes of other kinds there are; "" without a note.
    `place`: where they all are."""
    notes = listed(runs)
    names: dict = {}    # by file: keys, and the runs in which they have none
    for number, run in enumerate(runs):
        for found in filter(None, map(WITHOUT_EFFECT.match, map(str, run.get("notes") or []))):
            names.setdefault(os.path.basename(found[1]), {}).setdefault(found[2], set()).add(number)
    parts = [part for file, keys in names.items() for part in without_effect(file, keys, len(runs))]
    for found in filter(None, map(NOT_USED.match, notes)):
        keys = found[2].split(", ")
        parts.append(f"{counted(len(keys), 'key')} of {os.path.basename(found[1])} {'is' if len(keys) == 1 else 'are'} not used, as the "
                     f"command asks for {found[3]}: {some_of(keys)}")
    others = sum(not WITHOUT_EFFECT.match(note) and not NOT_USED.match(note) for note in notes)
    if others:
        parts.append(f"{others} {'other ' if parts else ''}{'note' if others == 1 else 'notes'}")
    return f"{'; '.join(parts)}; see the notes in {place}" if parts else ""


def without_effect(file: str, keys: dict, runs: int) -> list:
    """The keys that have no effect in any run by name, and how many have one under some algorithms."""
    names = [key for key, where in keys.items() if len(where) == runs]
    some = len(keys) - len(names)
    have = ["has" if count == 1 else "have" for count in (len(names), some)]
    parts = [f"{counted(len(names), 'key')} of {file} {have[0]} no effect: {some_of(names)}"] if names else []
    if some:
        parts.append((f"{some} more {have[1]} none" if names else f"{counted(some, 'key')} of {file} {have[1]} no effect")
                     + " on some of the algorithms")
    return parts


def some_of(names: list) -> str:
    """As many as the terminal has room for."""
    return ", ".join(names[:MOST_NAMES]) + (f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")


def folded(runs: list) -> str:
    """For the report: all of them, folded; "" without one."""
    notes = listed(runs)
    items = "".join(f"<li>{html.escape(visible(note))}</li>" for note in notes)
    return f"<details><summary>Notes on the input files ({len(notes)})</summary><ul>{items}</ul></details>" if notes else ""
