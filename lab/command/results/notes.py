# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs note of the files that they read, such as keys without effect: one line for the terminal, a list for the report."""
from __future__ import annotations

import html
import os
import re

from ..common import visible

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
        parts.append(f"{counted(len(keys), f'keys of {os.path.basename(found[1])}', 'is', 'are')} not used, as the command asks for "
                     f"{found[3]}: {some_of(keys)}")
    others = sum(not WITHOUT_EFFECT.match(note) and not NOT_USED.match(note) for note in notes)
    if others:
        parts.append(f"{others} {'other ' if parts else ''}{'note' if others == 1 else 'notes'}")
    return f"{'; '.join(parts)}; see the notes in {place}" if parts else ""


def without_effect(file: str, keys: dict, runs: int) -> list:
    """The keys that have no effect in any run by name, and how many have one under some algorithms."""
    names = [key for key, where in keys.items() if len(where) == runs]
    some = len(keys) - len(names)
    parts = [f"{counted(len(names), f'keys of {file}', 'has', 'have')} no effect: {some_of(names)}"] if names else []
    if some:
        what = counted(some, "more" if names else f"keys of {file}", "has", "have")
        parts.append(f"{what} {'none' if names else 'no effect'} on some of the algorithms")
    return parts


def counted(number: int, what: str, one: str, several: str) -> str:
    """Such as "1 key of config.txt has" or "2 keys of config.txt have"."""
    return f"{number} {what if number != 1 else what.replace('keys', 'key', 1)} {one if number == 1 else several}"


def some_of(names: list) -> str:
    """As many as the terminal has room for."""
    return ", ".join(names[:MOST_NAMES]) + (f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")


def folded(runs: list) -> str:
    """For the report: all of them, folded; "" without one."""
    notes = listed(runs)
    items = "".join(f"<li>{html.escape(visible(note))}</li>" for note in notes)
    return f"<details><summary>Notes on the input files ({len(notes)})</summary><ul>{items}</ul></details>" if notes else ""
