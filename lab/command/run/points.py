# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The points of a sweep on disk. A point's simulator writes its summary to NAME.BUILD.raw; what is complete becomes NAME.json. Where the
answer is that of each flow, it writes its results to the folder NAME.BUILD.files, and NAME.json has the answer.

The lock on NAME.BUILD.raw says that somebody simulates the point. The simulator's stdout is that open file, so the lock lasts as long as
anybody works on the point. Simulators end with their sweep on Linux; where one goes on to its end, nobody repeats its point meanwhile,
and the next sweep finds its result."""
from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import re
import subprocess
from typing import Optional

from . import processes
from .grid import Point
from .simulation import Simulation
from .. import below
from ..common import JSON_LIMIT, RccError, version
from ..results.judge import questions
from ..results.read import asked

FOLDER = "points"
AS = " as "


def inner(point: Point, ending: str) -> str:
    """Return the path of a point's file inside the folder of its sweep."""
    return f"{FOLDER}/{point.name}{ending}"


def made_by(program: str, scenario: str) -> str:
    """Describe the origin of a point's file: the program itself, so that another build is recognised, and the scenario if the program has
    several. RCC_MAX_EVENTS ends simulations early: no real sweep goes on with such points."""
    import hashlib
    name = os.path.basename(program)
    with open(program, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()[:16]
    return f"rcc {version()}, {name} {digest}" + (AS + scenario if scenario != name else "") + \
        (" under RCC_MAX_EVENTS" if os.environ.get("RCC_MAX_EVENTS") else "")


def scenario_of(entry: dict) -> str:
    """Return the scenario of a point's file."""
    found = re.search(AS + r"([\w-]+)", str(entry.get("made_by")))
    return found.group(1) if found else str(entry["run"].get("scenario"))


def raw(origin: str) -> str:
    """Return the ending of the file that a simulator writes to: only the same build can use a result there."""
    import hashlib
    return f".{hashlib.sha256(origin.encode()).hexdigest()[:8]}.raw"


def parse_summary(text: bytes) -> Optional[dict]:
    """Read the summary that a simulator printed; None if it is not complete."""
    try:
        run = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    complete = isinstance(run, dict) and "cc" in run and (os.environ.get("RCC_MAX_EVENTS") or not run.get("partial"))
    return run if complete else None


def finished(folder: str, point: Point) -> bool:
    return below.is_file(folder, inner(point, ".json"))


def files_ending(origin: str) -> str:
    """Return the ending of the folder of a simulator's results, with its flows."""
    return raw(origin)[:-len("raw")] + "files"


def run_file_ending(origin: str) -> str:
    """Return the ending of the file that a simulator reads."""
    return raw(origin)[:-len("raw")] + "run"


def remove_simulators_files(folder: str, point: Point, origin: str) -> None:
    """Remove the files of a point's simulator: of a finished point, or by the holder of its claim."""
    with contextlib.suppress(OSError):
        below.remove_tree(folder, inner(point, files_ending(origin)))
    for ending in (raw(origin), ".err", run_file_ending(origin)):
        below.remove(folder, inner(point, ending))


class Claim:
    """The right to simulate one point, until keep() or release()."""

    def __init__(self, folder: str, point: Point, origin: str, handle: int):
        self.folder, self.point, self.origin, self.handle = folder, point, origin, handle
        self.process: Optional[subprocess.Popen] = None

    @functools.cached_property
    def simulation(self) -> Simulation:
        """The simulation of the point."""
        return self.point.simulation()

    def start(self, program: str) -> None:
        """Start the simulator anew, with an empty NAME.BUILD.raw."""
        run_file = os.path.join(self.folder, inner(self.point, run_file_ending(self.origin)))
        with os.fdopen(below.open_to_write(self.folder, inner(self.point, run_file_ending(self.origin))), "w", encoding="ascii") as f:
            f.truncate()
            f.write(self.simulation.text())
        words = [program, run_file]
        os.ftruncate(self.handle, 0)
        os.lseek(self.handle, 0, os.SEEK_SET)
        if self.point.needs_flows:
            below.remove_tree(self.folder, inner(self.point, files_ending(self.origin)))
            words = [*words, f"--out={self.files}"]
        with os.fdopen(below.open_to_write(self.folder, inner(self.point, ".err")), "wb") as errors:
            os.ftruncate(errors.fileno(), 0)
            self.process = processes.start(words, stdout=self.handle, stderr=errors)

    @property
    def files(self) -> str:
        return os.path.join(self.folder, inner(self.point, files_ending(self.origin)))

    def text(self) -> bytes:
        if self.point.needs_flows:
            run = inner(self.point, files_ending(self.origin)) + "/run.json"   # the last of its files
            with contextlib.suppress(OSError), below.open_file(self.folder, run, JSON_LIMIT) as f:
                return f.read()
        size = os.fstat(self.handle).st_size
        return os.pread(self.handle, size, 0) if size else b""

    def summary(self) -> Optional[dict]:
        """Return the simulator's summary, with the answer if that needs each flow, or None if it is not complete."""
        run = parse_summary(self.text())
        run = self.simulation.complete(run) if run else None
        if run is None or not self.point.needs_flows:
            return run
        what = asked.read_command(f"./rcc run {self.point.scenario}", run, self.point.parameters)
        return questions.answered([run], lambda _: what, lambda _: questions.read_flows(self.files, run))[0]

    def keep(self) -> Optional[dict]:
        """Publish the result and give the claim back, if the result is complete. None if it is not."""
        if not self.process:    # a new claim has no process yet
            below.remove_half_written(self.folder, inner(self.point, ".json"))  # by a sweep that was killed: the claim is ours now
        run = self.summary()
        if run is not None:
            with below.replace(self.folder, inner(self.point, ".json")) as f:
                f.write(json.dumps({"made_by": self.origin, "parameters": self.point.parameters, "run": run}) + "\n")
            self.release()
        return run

    def errors(self) -> list:
        """List the simulator's lines on stderr."""
        with contextlib.suppress(OSError):
            with below.open_file(self.folder, inner(self.point, ".err"), JSON_LIMIT) as f:
                lines = f.read().decode("utf-8", "replace").splitlines()
            return [line for line in self.simulation.translate(lines) if line.strip()]
        return []

    def release(self) -> None:
        """Give the claim back and remove incomplete files."""
        remove_simulators_files(self.folder, self.point, self.origin)
        os.close(self.handle)


def claim(folder: str, point: Point, origin: str) -> Optional[Claim]:
    """Claim a point that is neither finished nor claimed by another process. `origin`: the text of made_by()."""
    name = inner(point, raw(origin))
    while not finished(folder, point):
        handle = below.open_to_write(folder, name)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        try:
            current = os.path.samestat(os.fstat(handle), os.lstat(os.path.join(folder, name)))
        except FileNotFoundError:
            current = False  # the holder has ended between our two calls
        found = Claim(folder, point, origin, handle)
        if not current:
            os.close(handle)
        elif finished(folder, point):
            found.release()
        elif found.keep() is None:  # not of a simulator that outlived its sweep and came to its end
            return found
    return None


def is_point(entry: dict) -> bool:
    """True if a file of points/ holds an entry of keep()."""
    run, own = entry.get("run"), entry.get("parameters")
    return isinstance(run, dict) and isinstance(own, dict) and {"cc", "seed"} <= own.keys() and \
        all(isinstance(text, str) for text in own.values())


def load(folder: str) -> list:
    """Load all finished points: {"parameters", "run"} each, in the order of their names. Raises RccError if a file is no point."""
    names = sorted(name for name in below.names_in(folder, FOLDER) if name.endswith(".json") and not name.startswith("."))
    found = [below.read_json(folder, f"{FOLDER}/{name}") for name in names]
    for name, entry in zip(names, found):
        if not is_point(entry):
            raise RccError(f"{os.path.join(folder, FOLDER, name)}: found no point of a sweep, expected a file that ./rcc sweep has "
                           "written; remove it, and its point is simulated again")
    return found
