#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The program that ctest calls for one test, whose cases are counted in BUILD/test-results/NAME.json.

    python3 lab/test/stages/main.py NAME STAGE [ARGUMENT...]

Prints what failed and `N passed, N failed`; exit status 1 if a case failed, 77 if no case could be tried."""
from __future__ import annotations

import importlib
import json
import os
import resource
import sys
from typing import Callable, Dict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0:0] = [os.path.dirname(os.path.dirname(HERE)), os.path.dirname(HERE)]  # lab, lab/test

from command.below import atomic_write  # noqa: E402
from command.common import RccError, build_dir  # noqa: E402
from stages.outcome import SKIPPED, Outcome  # noqa: E402

# "module.function" of stages/, of which a test imports its own: there are a hundred tests
STAGES: Dict[str, str] = {
    "release": "builds.release", "build-coverage": "builds.coverage", "ranks": "builds.ranks",
    "core-alone": "core_alone.stage", "portability": "portability.stage", "core-tests": "libcheck.core_tests",
    "core-tests-sanitize": "libcheck.core_tests_sanitize", "coverage": "libcheck.coverage", "mutation": "mutation.stage",
    "cli": "command_tests.stage", "own-algorithm": "own_algorithm.stage", "tutorial": "tutorial.stage",
    "first-hour": "first_hour.stage",
    "manual": "manual_pages.stage", "reproduce": "published_results.stage", "fuzz": "fuzz.stage", "golden": "programs.golden",
    "golden-default": "programs.golden_default",
    "doxygen": "programs.doxygen", "lint": "lint.stage", "tree": "source_tree.stage", "install": "programs.install",
    "install-module": "programs.install_module", "without-lab": "without_lab.stage", "run-alone": "without_lab.with_run",
    "without-lab-core": "without_lab.core",
}


def stage_of(name: str) -> Callable:
    module, function = STAGES[name].split(".")
    return getattr(importlib.import_module("stages." + module), function)


SPACE = 4 << 30  # bytes


def scratch() -> None:
    """Temporary files go into memory where there is plenty of it and programs can be run from there: a disk that is asked to keep each
    of thousands of small files is waited for."""
    place = "/dev/shm"
    try:
        about = os.statvfs(place)
    except OSError:
        return
    if about.f_bavail * about.f_frsize > SPACE and not about.f_flag & os.ST_NOEXEC and os.access(place, os.W_OK):
        os.environ.setdefault("TMPDIR", place)


def own_environment() -> None:
    """Remove the settings of a user's own runs from the environment, so that they change no test."""
    for name in ("RCC_MAX_EVENTS", "RCC_RANK_MACHINES", "RCC_RANK_TIMES", "NS_GLOBAL_VALUE", "COLUMNS"):
        os.environ.pop(name, None)


def results_folder() -> str:
    return os.path.join(build_dir(), "test-results")


def cpu_seconds() -> float:
    """Return the CPU time of this process and of the processes that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main(name: str, stage: str, *words: str) -> int:
    outcome = Outcome()
    scratch()
    own_environment()
    try:
        stage_of(stage)(outcome, *words)
    except RccError as error:
        outcome.check(False, name, str(error))
    os.makedirs(results_folder(), exist_ok=True)
    with atomic_write(os.path.join(results_folder(), name + ".json")) as f:
        json.dump({"passed": outcome.passed, "failed": outcome.failed, "cpu_s": round(cpu_seconds(), 2), "lines": outcome.lines}, f)
    print("\n".join(outcome.lines + [f"{outcome.passed} passed, {outcome.failed} failed"]))
    if outcome.skipped and not outcome.passed + outcome.failed:
        return SKIPPED
    return 1 if outcome.failed or not outcome.passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
