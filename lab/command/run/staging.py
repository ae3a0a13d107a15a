# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The folder in which simulators write, of this command alone. Their files are checked and then moved to the results, so that the files of
two runs never mix."""
from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from typing import Iterator

from .. import lock, owned
from ..results.read import results
from .. import below
from ..common import EXIT_FAILED, RccError, cannot_write


PROGRESS = "progress.txt"
REWRITTEN = 1.0    # seconds from which on it is written again


class Work:
    """A command that has locked the folder of its results. `place`: the folder in which its simulators write; progress.txt there lists the
    steps of the command."""

    def __init__(self, folder: str, killed: bool):
        """`killed`: the last command that wrote there was killed, and its files are there."""
        self.killed, self.place = killed, make(folder)
        self.began = time.monotonic()
        self.steps: list = []
        self.written = 0.0

    def note(self, step: str) -> None:
        """Begin a step."""
        self.steps.append(f"{time.monotonic() - self.began:7.1f} s  {step}")
        self._write([])

    def show(self, jobs: list) -> None:
        """Write the progress of simulations, at most once in REWRITTEN seconds."""
        if time.monotonic() >= self.written + REWRITTEN:
            width = max(len(job.label) for job in jobs)
            self._write([job.line(width) for job in jobs])

    def _write(self, lines: list) -> None:
        path = os.path.join(self.place, PROGRESS)
        with contextlib.suppress(OSError):    # a full disk: the results will say so
            with open(path + ".part", "w", encoding="utf-8") as f:
                f.write("\n".join([*self.steps, *lines, ""]))
            os.replace(path + ".part", path)  # a reader sees the whole file
        self.written = time.monotonic()


@contextlib.contextmanager
def work(folder: str) -> Iterator[Work]:
    """Lock a folder of results, and make a folder for the simulators there."""
    killed = lock.left(folder)
    with lock.locked(folder):
        results.remove_left_over(folder)
        found = Work(folder, killed)
        try:
            yield found
        finally:
            remove(found.place)


def make(folder: str) -> str:
    """Make a folder for the simulators inside the folder of the results, so that files can be renamed to there."""
    try:
        return tempfile.mkdtemp(prefix=results.TEMPORARY, dir=folder)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error


def remove(place: str) -> None:
    shutil.rmtree(place, ignore_errors=True)


def check(run: dict, expected: dict) -> str:
    """Return why a run.json is not the result of the command, or ""."""
    for key, value in expected.items():
        if run.get(key) != value:
            return f"its run.json says {key} {run.get(key)!r}, expected {value!r}"
    return ""


def adopt(place: str, name: str, folder: str, new: str) -> None:
    """Move a run's files from the simulators' folder to the run's own. Other files there stay; run.json, the sign that the others are
    complete, is moved last."""
    results.check_folder_name(new, folder)
    target = os.path.join(folder, new)
    try:
        below.make_folder(folder, new)
        entries = sorted(below.names_in(place, name), key=lambda e: (e == "run.json", e))
        for entry in entries:   # files of earlier runs have been removed
            if below.is_there(folder, f"{new}/{entry}"):
                raise RccError(f"{os.path.join(target, entry)}: not from ./rcc run; give another folder")
        # before the moves: what an interrupt leaves is the command's own
        owned.record(folder, results.all_files(folder), results.RUN, soon=[f"{new}/{entry}" for entry in entries])
        for entry in entries:
            below.move(place, f"{name}/{entry}", folder, f"{new}/{entry}")
    except OSError as error:
        raise RccError(f"{target}: {error.strerror or error}", EXIT_FAILED) from error
