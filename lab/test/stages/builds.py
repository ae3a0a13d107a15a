# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The build folders that tests use: the release build, and that for coverage below it."""
from __future__ import annotations

import contextlib
import os
import re

from command.common import RccError, build_dir
from command.system import packages
from command.system.build import JOBS, Build, cached

from .outcome import HANG_SECONDS, Outcome, run


def cache() -> dict:
    """The option of cmake that names the folder of ccache, which all build folders of one `./rcc test` share, those of copies too."""
    with contextlib.suppress(OSError):
        with open(build_dir("CMakeCache.txt"), encoding="utf-8") as f:
            given = re.search(r"^RCC_CCACHE:\w+=(.+)$", f.read(), re.MULTILINE)
        if given:
            return {"RCC_CCACHE": given.group(1)}
    return {"RCC_CCACHE": build_dir("ccache")}


def release(outcome: Outcome) -> None:
    """The folder that ctest runs in is up to date, or can be brought there."""
    status, output = run(["cmake", "--build", build_dir(), "-j", str(JOBS)], timeout=HANG_SECONDS)
    outcome.check(status == 0, "the release build", output)


def compiled_tests() -> str:
    """Where the release build has the objects of core-tests, if they link with any other build of core/; "" if not."""
    place, given = build_dir("CMakeFiles/core-tests.dir"), cached(build_dir())
    plain = os.path.isdir(place) and not any(given.get(name) == "ON" for name in ("RCC_LTO", "RCC_SANITIZE", "RCC_COVERAGE"))
    return place if plain else ""


def coverage(outcome: Outcome) -> None:
    """core-tests in a build folder of its own, which counts the lines of core/."""
    try:
        Build("coverage", {"RCC_COVERAGE": "ON", "RCC_TEST_OBJECTS": compiled_tests()}).make(["core-tests"], True)
    except RccError as error:
        outcome.check(False, "build of coverage", str(error))
        return
    outcome.check(True, "coverage")


def ranks(outcome: Outcome) -> None:
    """The programs of --ranks, in the release build's folder; what they need is installed."""
    try:
        packages.ensure(packages.MPI)
        Build("", {"RCC_MPI": "ON"}).make(["rcc-run-ranks", "experiment-ranks", "own-main-ranks"], True)
    except RccError as error:
        outcome.check(False, "build of the programs for several ranks", str(error))
        return
    outcome.check(True, "programs for several ranks")
