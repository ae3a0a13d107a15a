# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The counts of the stages of `./rcc test`, and the way in which they run programs."""
from __future__ import annotations

import glob
import os
import subprocess
from typing import Optional

from command.common import ROOT

HANG_SECONDS = 1800  # ends what hangs; a machine that does other work too may take ten times as long as a quiet one
SKIPPED = 77         # exit status of what could not be tried, also known to ctest
INCLUDES = ["-I" + os.path.relpath(folder, ROOT) for folder in sorted(glob.glob(os.path.join(ROOT, "core", "*", "")))]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


class Outcome:
    """The result of a stage: counts, and the lines worth showing."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.skipped = False
        self.lines: list = []

    def check(self, good: bool, name: str, output: str = "") -> None:
        """Count one test; show it only if it failed."""
        if good:
            self.passed += 1
            return
        self.failed += 1
        self.lines.append(f"FAIL {name}")
        self.lines += ["     " + line for line in output.strip().splitlines()[-30:]]

    def skip(self, why: str) -> None:
        """Record that the stage could try no case."""
        self.skipped = True
        self.note(f"skipped: {why}")

    def note(self, text: str) -> None:
        self.lines.append(text)


def run(words: list, timeout: Optional[float] = None, env: Optional[dict] = None, cwd: str = ROOT) -> tuple:
    """(exit status, stdout and stderr together)"""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=timeout, check=False, cwd=cwd, env=env)
    except subprocess.TimeoutExpired as error:
        output = error.stdout or ""
        return 124, (output if isinstance(output, str) else output.decode("utf-8", "replace")) + "\ntimed out"
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stdout


def sanitizer_environment() -> dict:
    """Errors end the program. Of where memory came from only the innermost function is kept, as 30 callers of it would take a third of
    the time; malloc_context_size=30 shows them."""
    return {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "ASAN_OPTIONS": "abort_on_error=0:malloc_context_size=1",
            "CK_DEFAULT_TIMEOUT": "120"}
