# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Configures and builds with cmake; silent when there is nothing to do."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from typing import IO, Iterable, Iterator, Optional

from ..common import EXIT_FAILED, ROOT, RccError, atomic_write, build_dir, nearest, say, warn
from ..registry import Command

QUIET_SECONDS = 1.5  # a build that takes longer than this says so
JOBS = os.cpu_count() or 1
LOCK = ".rcc-lock"
STYLE = {"CMAKE_BUILD_TYPE": "Release", "RCC_UNITY": "ON"}  # of a folder that nobody has configured


def prebuilt(program: str) -> bool:
    """RCC_BUILD_DIR may hold ready programs and no build system: packagers and the CLI tests use that."""
    folder = build_dir()
    return ("RCC_BUILD_DIR" in os.environ and not os.path.exists(os.path.join(folder, "CMakeCache.txt"))
            and os.access(os.path.join(folder, program), os.X_OK))


def somebody_elses(program: str) -> bool:
    """Whether the programs were built by another user: they are there, and we may not build. Warns if they are older than the
    sources."""
    folder = build_dir()
    path = os.path.join(folder, program)
    lock = os.path.join(folder, LOCK)
    if not os.access(path, os.X_OK) or (os.access(folder, os.W_OK) and (not os.path.exists(lock) or os.access(lock, os.W_OK))):
        return False
    made = os.stat(path).st_mtime
    rooms = [os.path.join(ROOT, room) for room in ("core", "model", "helper", "lab/base", "lab/faults", "lab/ns3-rdma",
                                                 "lab/scenario", "lab/programs")]
    sources = (os.path.join(place, name) for room in rooms for place, _, names in os.walk(room) for name in names)
    newer = next((name for name in sources if os.stat(name).st_mtime > made), None)
    if newer:
        warn(f"{path} is older than {os.path.relpath(newer, ROOT)}, and {folder} cannot be written: another user has built it")
    return True


@contextlib.contextmanager
def locked(folder: str) -> Iterator[None]:
    """Two ./rcc at once must not build into one folder at once."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, LOCK), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def tail(path: str, lines: int = 30) -> str:
    with open(path, encoding="utf-8", errors="replace") as f:
        return "".join(f.readlines()[-lines:]).rstrip("\n")


def progress(log: str) -> str:
    """How far make ("[ 45%] Building ...") or ninja ("[12/300] Building ...") has come, "" before its first line."""
    found = re.findall(r"^\[ *(\d+)(%|/\d+)\]", log, re.MULTILINE)
    if not found:
        return ""
    done, rest = found[-1]
    return f"{done} %" if rest == "%" else f"{done} of {rest[1:]}"


def generator() -> list:
    """Options of cmake: ninja where it is there, as make builds one target after the other and waits for the last file of each."""
    return ["-G", "Ninja"] if shutil.which("ninja") else []


class Build:
    """One build folder: its cmake options are remembered, so that nothing is configured twice for nothing."""

    def __init__(self, variant: str = "", options: Optional[dict] = None):
        self.folder = build_dir(variant)
        self.variant = variant
        self.log = os.path.join(self.folder, "log.txt")
        self.stamp = os.path.join(self.folder, ".rcc-options.json")
        self.wanted = dict(STYLE)
        if os.environ.get("NS3_DIR"):
            self.wanted["NS3_DIR"] = os.path.abspath(os.path.expanduser(os.environ["NS3_DIR"]))
        self.wanted.update(options or {})

    def known(self) -> dict:
        try:
            with open(self.stamp, encoding="utf-8") as f:
                return json.load(f)
        except (OSError, ValueError):
            return {}

    def make(self, targets: Optional[list] = None, testing: bool = False, anew: bool = False) -> None:
        """Bring `targets` (default: all) up to date, or raise with the end of the log. `testing`: configure anew, since
        a library that was missing last time may be there now; build all that can be built; say nothing. `anew`: configure anew,
        since a file that an option names may have been missing last time."""
        try:
            with locked(self.folder):
                self._make(targets or [], testing, anew)
        except OSError as error:
            raise RccError(f"cannot build in {self.folder}: {error.strerror or error}", EXIT_FAILED) from error

    def _make(self, targets: list, testing: bool, anew: bool) -> None:
        known = self.known()
        cache = os.path.join(self.folder, "CMakeCache.txt")
        configured = os.path.exists(cache) and any(
            os.path.exists(os.path.join(self.folder, f)) for f in ("Makefile", "build.ninja"))
        if "NS3_DIR" in known and "NS3_DIR" not in self.wanted:
            # back to the system's ns-3: what cmake remembers of the other one must go
            os.unlink(cache)
            known, configured = {}, False
        with open(self.log, "w", encoding="utf-8") as log:
            # a folder that the user has configured by hand stays as it is
            wanted = self.wanted if known or not configured else {k: v for k, v in self.wanted.items() if k not in STYLE}
            if testing or anew or not configured or any(known.get(k) != v for k, v in wanted.items()):
                options = {**known, **wanted}
                with contextlib.suppress(OSError):
                    os.unlink(self.stamp)
                words = ["cmake", "-S", ROOT, "-B", self.folder]
                if not configured:
                    words += generator()
                self._step(words + [f"-D{k}={v}" for k, v in sorted(options.items())], log, "configure", testing)
                with atomic_write(self.stamp) as f:
                    json.dump(options, f)
            words = ["cmake", "--build", self.folder, "-j", str(JOBS)] + (["--target"] + targets if targets else [])
            if testing:  # one program that does not build must not take the others' tests away
                words += ["--", "-k", "0"] if os.path.exists(os.path.join(self.folder, "build.ninja")) else ["--", "-k"]
            self._step(words, log, "build", testing)

    def _step(self, words: list, log: IO, what: str, quiet: bool) -> None:
        log.write("$ " + " ".join(words) + "\n")
        log.flush()
        started = time.monotonic()
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT) as process:
            try:
                process.wait(timeout=QUIET_SECONDS)
            except subprocess.TimeoutExpired:
                if not quiet and what == "build":
                    say(f"building, a minute or two the first time (log: {os.path.relpath(self.log)})")
                self._wait(process, quiet or what != "build")
        if process.returncode:
            log.flush()
            name = f"{what} of {self.variant or 'the programs'}"
            raise RccError(f"the {name} failed after {time.monotonic() - started:.0f} s; the end of "
                           f"{os.path.relpath(self.log)}:\n{tail(self.log)}", EXIT_FAILED)

    def _wait(self, process: subprocess.Popen, quiet: bool) -> None:
        """Wait for the end; on a terminal, with how much is built."""
        show = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.5 if show else None)
                    break
                sys.stderr.write(f"\rbuilding: {progress(tail(self.log))}\x1b[K")
                sys.stderr.flush()
            if show:
                sys.stderr.write("\r\x1b[K")
        except BaseException:  # Ctrl-C: make stops its compilers and removes what is half made
            process.terminate()
            raise


def program(name: str, needs: Optional[list] = None, options: Optional[dict] = None, family: Iterable[str] = ()) -> str:
    """The path of a program, built if need be. `needs` are installed first; None installs nothing. `options`: of cmake.
    `family`: programs that are likely to be asked for next; the first build makes them too."""
    if not prebuilt(name) and not somebody_elses(name):
        from . import packages
        before, beside = packages.split(needs or [])   # None installs nothing
        packages.ensure(before)
        if not shutil.which("cmake"):
            raise RccError("cmake is missing; ./rcc doctor shows what else is", EXIT_FAILED)
        first = not os.path.exists(os.path.join(build_dir(), name))
        with packages.ensured_meanwhile(beside, optional=packages.OPTIONAL):
            Build(options=options).make([name, *sorted(set(family) - {name})] if first else [name])
    path = os.path.join(build_dir(), name)
    if not os.access(path, os.X_OK):
        raise RccError(f"{path} is missing after the build", EXIT_FAILED)
    return path


# ------------------------------------------------------------------------------------------------ ./rcc build

def known_programs() -> list:
    """The programs of the project that can be asked for by name: cmake's targets."""
    return sorted(prefix + name[:-3] for prefix, folder in (("example-", "examples"), ("", "lab/programs"))
                  for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(".cc"))


def own_mains(folder: str, given: list) -> list:
    """What cmake is to build beside the project's own programs: the files given now, and those of earlier calls that still exist,
    unless a file given now has the same name."""
    before = Build().known().get("RCC_MAINS", "") if folder else ""
    names = {os.path.basename(path) for path in given}
    return [path for path in before.split(";") if path and os.path.exists(path) and os.path.basename(path) not in names] + given


def add_arguments(parser) -> None:
    parser.add_argument("what", metavar="NAME|FILE.cc", nargs="+", help="an example's name, or a main of your own")


def command(args) -> int:
    from . import packages
    files, names = [], []
    for word in args.what:
        if word.endswith(".cc"):
            if not os.path.isfile(word):
                raise RccError(f"{word}: no such file; expected a C++ source with a main()")
            name = os.path.basename(word)[:-3]
            if name in known_programs():
                raise RccError(f"{word}: {name} is the name of one of rcc's own programs; give the file another name")
            files.append(os.path.realpath(word))
        elif word in known_programs():
            name = word
        else:
            raise RccError(f"unknown program '{word}'{nearest(word, known_programs())}; known: {', '.join(known_programs())}, "
                           "or a file that ends in .cc")
        names.append(name)
    folder = build_dir()
    if "RCC_BUILD_DIR" in os.environ and os.path.isdir(folder) and os.listdir(folder) and \
            not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
        raise RccError(f"RCC_BUILD_DIR={folder} holds programs and no build system; unset it, or name another folder")
    packages.ensure(packages.BENCH)
    Build(options={"RCC_MAINS": ";".join(own_mains(folder, files))} if files else None).make(names, anew=bool(files))
    for name in names:
        print(os.path.relpath(os.path.join(folder, re.sub("^example-", "examples/", name))))
    return 0


COMMAND = Command(
    help="build an example, or a main of your own against the module",
    description="Build programs: examples of this folder by name, or a C++ file of yours with a main(), which is linked to the module,\n"
                "to the run driver of the scenarios and to ns-3. Prints where the programs are.",
    examples=[("./rcc build example-trace-and-pcap tcp-beside-rdma", "an example and a program of the lab that no other command builds"),
              ("./rcc build my-study.cc", "your own main: build/my-study")],
    add_arguments=add_arguments,
    run=command)
