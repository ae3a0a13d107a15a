# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One ns-3 test suite of a program of them, ns3-tests or lab-tests, under sanitizers."""
from __future__ import annotations

import os

from command.common import build_dir

from . import builds
from .outcome import HANG_SECONDS, Outcome, run, sanitizer_environment


def stage(outcome: Outcome, tests: str, suite: str) -> None:
    program = os.path.join(build_dir(builds.sanitize()), tests)
    status, output = run([program, suite + "/"], timeout=HANG_SECONDS, env=sanitizer_environment())
    lines = output.splitlines()
    passed = sum(line.startswith(f"PASS {suite}/") for line in lines)
    failures = [line for line in lines if line.startswith("FAIL ")]
    outcome.passed += passed
    outcome.failed += len(failures)
    if failures:
        outcome.lines += failures + ["     " + line for line in lines if not line.startswith(("PASS ", "FAIL "))][-30:]
    elif status or not passed:
        outcome.check(False, f"{suite} ended with status {status} after {passed} passed cases", output)
