# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The build folders that tests use: the release build, and its variants below it."""
from __future__ import annotations

import contextlib
import functools
import os
import re

from command.common import RccError, build_dir
from command.system import packages, probe
from command.system.build import JOBS, Build

from .outcome import HANG_SECONDS, Outcome, run

OPTIONS = {"sanitize": {"RCC_SANITIZE": "ON"},
           "sanitize-clang": {"RCC_SANITIZE": "ON", "RCC_WERROR": "ON", "CMAKE_C_COMPILER": "clang", "CMAKE_CXX_COMPILER": "clang++"},
           "coverage": {"RCC_COVERAGE": "ON"}}


@functools.lru_cache(maxsize=None)
def sanitize() -> str:
    """The variant for sanitizers: by clang where it works, as that compiles them in less than half of the time of gcc."""
    return "sanitize-clang" if probe.tool(("clang++",), "--version") and probe.fuzzer() else "sanitize"


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


def variant(outcome: Outcome, name: str, *targets: str) -> None:
    """Targets of a build folder of its own, e.g. build/coverage."""
    name = sanitize() if name == "sanitize" else name
    try:
        Build(name, {**OPTIONS[name], **cache()}).make(list(targets), True)
    except RccError as error:
        outcome.check(False, f"build of {name}", str(error))
        return
    link_sanitized(name)
    outcome.check(True, name)


def link_sanitized(name: str) -> None:
    """ctest calls the ns-3 suites in build/sanitized, whichever compiler's that is."""
    place = build_dir("sanitized")
    if name in ("sanitize", "sanitize-clang") and (not os.path.islink(place) or os.readlink(place) != name):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place)
        with contextlib.suppress(FileExistsError):  # two builds may end at once
            os.symlink(name, place)


def ranks(outcome: Outcome) -> None:
    """The programs of --ranks, in the release build's folder; what they need is installed."""
    try:
        packages.ensure(packages.MPI)
        Build("", {"RCC_MPI": "ON"}).make(["experiment-ranks", "ns3-rdma-ranks", "own-main-ranks"], True)
    except RccError as error:
        outcome.check(False, "build of the programs for several ranks", str(error))
        return
    outcome.check(True, "programs for several ranks")
