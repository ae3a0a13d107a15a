# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Objects of JSON that have each name once, where Python's json forgets all but the last."""
from __future__ import annotations

from typing import Callable

from .schedule import shown
from ..common import RccError


def names_of(path: str) -> Callable:
    """The object_pairs_hook of a file's decoder. It raises RccError."""
    def made(pairs: list) -> dict:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for k, name in enumerate(names) if name in names[:k])
            raise RccError(f"{path}: found '{shown(twice[:40])}' twice in an object, expected it once")
        return found
    return made
