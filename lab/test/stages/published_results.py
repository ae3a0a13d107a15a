# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc reproduce --quick --strict`: published results that must hold, one case a row."""
from __future__ import annotations

import json
import os
import sys
import tempfile

from command.common import ROOT

from .outcome import HANG_SECONDS, Outcome, run


def stage(outcome: Outcome) -> None:
    with tempfile.TemporaryDirectory() as folder:
        status, output = run([sys.executable, os.path.join(ROOT, "rcc"), "reproduce", "--quick", "--strict", "--no-plots",
                              f"--out={folder}"], timeout=HANG_SECONDS)
        try:
            with open(os.path.join(folder, "published.json"), encoding="utf-8") as f:
                rows = json.load(f)["rows"]
        except (OSError, ValueError, KeyError):
            rows = []
    for row in rows:
        outcome.check(row["inside"], f"{row['id']}: published {row['published']}, measured {row['measured']}, "
                      f"band {row['band']}")
    if not rows or (status and not outcome.failed):
        outcome.check(False, f"reproduce --quick --strict ended with status {status}", output)
