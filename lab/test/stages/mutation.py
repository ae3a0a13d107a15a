# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A sample of mutants of core/: do the libcheck tests notice small faults? test/mutation/mutate.py tries more of them."""
from __future__ import annotations

import os
import re
import sys

from command.common import ROOT, build_dir
from command.system import probe

from .builds import compiled_tests
from .outcome import HANG_SECONDS, Outcome, run

MUTANTS, LEAST_SCORE, JOBS = 40, 95, 2


def stage(outcome: Outcome) -> None:
    """Test the mutants of core/, which are the same as long as core/ does not change."""
    if not probe.first("cc"):
        outcome.skip("mutants need cc, of which there is none; tcc alone does not link with libcheck")
        return
    if not probe.first("tcc"):
        outcome.note("tcc is not installed: cc compiles the mutants, which takes longer")
    tests = compiled_tests()
    made = ["--tests", tests] if tests else []
    status, output = run([sys.executable, os.path.join(ROOT, "test", "mutation", "mutate.py"), "--sample", str(MUTANTS),
                          "--min-score", str(LEAST_SCORE), "--jobs", str(JOBS), "--build-dir", build_dir("mutation"), *made],
                         timeout=HANG_SECONDS)
    outcome.check(status == 0, f"mutation: status {status}", output)
    if status == 0:
        outcome.lines += re.findall(r"^survived.*", output, re.MULTILINE)
        outcome.lines += [" ".join(line.split()) for line in output.splitlines() if re.match(r"all +\d", line)]
