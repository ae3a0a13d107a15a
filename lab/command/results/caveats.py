# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a report says of its runs beside the results: which marks each algorithm had."""
from __future__ import annotations

from . import seeds
from ..common import readable

RED = ("kmin", "kmax", "pmax")


def marking_words(runs: list) -> str:
    """Which RED each algorithm had, of one too; "" if nothing was marked by RED."""
    marked: dict = {}
    for run in runs:
        parameters = run.get("parameters")
        if isinstance(parameters, dict) and all(key in parameters for key in RED):
            marked.setdefault(tuple(readable(str(parameters[key])) for key in RED), []).append(seeds.label(run))
    if not marked:
        return ""
    text = "RED marking (Kmin, Kmax, Pmax): " + "; ".join(", ".join(who) + " " + " ".join(red) for red, who in marked.items())
    if len(marked) > 1:
        same = " ".join(f"--{key}={value}" for key, value in zip(RED, list(marked)[-1]))
        text += f". The same for all: {same}"
    return text
