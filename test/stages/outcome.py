# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the stages of `./rcc test` share: their counts, and how they run programs."""
from __future__ import annotations

import subprocess
from typing import Optional

from cli.common import ROOT

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


class Outcome:
    """What a stage found: counts, and the lines worth showing."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.lines: list = []

    def check(self, good: bool, name: str, output: str = "") -> None:
        """Count one test; show it only if it failed."""
        if good:
            self.passed += 1
            return
        self.failed += 1
        self.lines.append(f"FAIL {name}")
        self.lines += ["     " + line for line in output.strip().splitlines()[-30:]]

    def note(self, text: str) -> None:
        self.lines.append(text)


def run(words: list, timeout: Optional[float] = None, **kwargs) -> tuple:
    """(exit status, stdout and stderr together)"""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=timeout, check=False, **{"cwd": ROOT, **kwargs})
    except subprocess.TimeoutExpired as error:
        output = error.stdout or ""
        return 124, (output if isinstance(output, str) else output.decode("utf-8", "replace")) + "\ntimed out"
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stdout
