# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc model fixed-point|approx`: answers of the analytical models."""
from __future__ import annotations

from . import approx, fixed_point
from ..registry import Command, add_parts

PARTS = {"fixed-point": fixed_point.PART, "approx": approx.PART}


def add_arguments(parser) -> None:
    add_parts(parser, PARTS, "MODEL")


COMMAND = Command(
    description="What analytical models predict. Simulates and builds nothing.",
    examples=[example for part in PARTS.values() for example in part.examples],
    add_arguments=add_arguments,
    run=lambda args: 0)   # each part has its own
