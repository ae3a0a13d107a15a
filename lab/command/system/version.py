# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc version`."""
from __future__ import annotations

from ..common import version
from ..registry import Command


def command(_args) -> int:
    print(f"rcc {version()}")
    return 0


COMMAND = Command(
    examples=[("./rcc version", "rcc 1.2.3")],
    run=command)
