# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A copy of the project that stays in the build folder with a build of its own, so that a test may change files in it and only
what depends on them is built again."""
from __future__ import annotations

import contextlib
import filecmp
import os
import re
import shutil
import subprocess
import sys
from typing import Iterator, Optional

from command.common import EXIT_FAILED, ROOT, RccError, build_dir
from command.system import install
from command.system.build import JOBS, generator, locked

from .outcome import HANG_SECONDS, run


def sync(place: str, keep: tuple = (), module: Optional[install.Module] = None) -> int:
    """Make a folder the same as the project, or one module of it, but for what is below `keep`. Only files that differ are touched,
    so that only they are compiled again. Returns how many were."""
    wanted = set(module.files() if module else install.files())
    changed = 0
    for name in sorted(wanted):
        source, target = os.path.join(module.source if module else ROOT, name), os.path.join(place, name)
        if os.path.isfile(target) and filecmp.cmp(source, target, shallow=False):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)  # the time of the copy, not of the original: it has to be newer than the objects
        shutil.copymode(source, target)
        changed += 1
    for folder, folders, names in os.walk(place):
        if folder == place:
            folders[:] = [name for name in folders if name not in keep]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, place) not in wanted:
                os.unlink(path)
                changed += 1
    return changed


class Copy:
    """The repository and one algorithm more."""

    def __init__(self, root: str):
        self.root = root
        # no names from outside: the copy must build by itself; python3 is the interpreter, not what a version manager puts in its place
        self.environment = {k: v for k, v in os.environ.items() if k != "RCC_BUILD_DIR"}
        self.environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]

    def run(self, *words: str, timeout: float = 600, **extra: str) -> tuple:
        """(exit status, stdout, stderr)"""
        try:
            done = subprocess.run(words, cwd=self.root, env={**self.environment, **extra}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                  timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return 124, "", "timed out"
        return done.returncode, done.stdout, done.stderr

    def rcc(self, *words: str) -> tuple:
        return self.run(sys.executable, os.path.join(self.root, "rcc"), *words)

    def path(self, *parts: str) -> str:
        return os.path.join(self.root, *parts)


def style() -> list:
    """Options of cmake: as the release build has them where ccache keeps what that has compiled, else what compiles fastest."""
    with open(os.path.join(build_dir(), "CMakeCache.txt"), encoding="utf-8") as f:
        release = dict(re.findall(r"^(\w+):\w+=(.*)$", f.read(), re.MULTILINE))
    if release.get("RCC_CCACHE_USED") == "ON":
        names = ("CMAKE_BUILD_TYPE", "RCC_UNITY", "RCC_WERROR", "RCC_LTO", "RCC_ARCH", "RCC_CCACHE")
        return ["-DCMAKE_CXX_FLAGS=", "-DCMAKE_C_FLAGS="] + [f"-D{name}={release.get(name, '')}" for name in names]
    return ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", "-DCMAKE_C_FLAGS=-O1", "-DRCC_UNITY=ON", "-DRCC_CCACHE="]


@contextlib.contextmanager
def copied(targets: list) -> Iterator[Copy]:
    """The project as it is, with `targets` built in its build folder."""
    place = build_dir("copy")
    with locked(place):
        copy = Copy(os.path.join(os.path.realpath(place), "rcc"))
        os.makedirs(copy.root, exist_ok=True)
        sync(copy.root, keep=("build",))
        shutil.rmtree(copy.path("out"), ignore_errors=True)
        made = generator() if not os.path.exists(copy.path("build", "CMakeCache.txt")) else []
        for step in (["cmake", *made, "-S", copy.root, "-B", copy.path("build"), *style()],
                     ["cmake", "--build", copy.path("build"), "-j", str(JOBS), "--target", *targets]):
            status, output = run(step, timeout=HANG_SECONDS, env=copy.environment)
            if status:
                raise RccError(f"{' '.join(step)}: status {status}\n{output[-3000:]}", EXIT_FAILED)
        yield copy
