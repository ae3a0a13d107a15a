# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A new user's first hour, in a copy of the project."""
from __future__ import annotations

from .copies import copied
from .outcome import Outcome


def stage(outcome: Outcome) -> None:
    """lab/test/first-hour.sh ends well; its last step says where it stopped."""
    with copied(["experiment", "rcc-run"]) as copy:
        status, out, err = copy.run("sh", "lab/test/first-hour.sh", timeout=1800)
        outcome.check(status == 0, f"lab/test/first-hour.sh: status {status}", (out + err)[-2000:])
