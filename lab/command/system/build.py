# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Configures and builds with cmake; silent when there is nothing to do."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from typing import IO, Iterator, Optional

from . import probe
from .guard import guarded
from ..below import atomic_write
from ..common import EXIT_FAILED, ROOT, RccError, build_dir, duration, nearest, say
from ..registry import Command

QUIET_SECONDS = 1.5  # a build that takes longer than this says so
PROGRESS_SECONDS = 10  # between two lines of progress where there is no terminal
JOBS = os.cpu_count() or 1
LOCK = ".rcc-lock"
LOCK_SECONDS = 5    # before a command says for which one it waits
STYLE = {"CMAKE_BUILD_TYPE": "Release", "RCC_UNITY": "ON"}  # options for a folder that nobody has configured
# Options that a user may have set by hand; they stay if the folder is configured anew.
KEPT = ("CMAKE_BUILD_TYPE", "CMAKE_C_FLAGS", "CMAKE_CXX_FLAGS", "NS3_DIR", "RCC_ARCH", "RCC_CCACHE", "RCC_COVERAGE", "RCC_LTO", "RCC_MAINS",
        "RCC_MPI", "RCC_SANITIZE", "RCC_UNITY", "RCC_WERROR")
# Files of cmake and its tools in a build folder.
MADE = ("CMakeCache.txt", "CMakeFiles", "CTestTestfile.cmake", "DartConfiguration.tcl", "Makefile", "build.ninja", "cmake_install.cmake",
        "copy", "lab", "rules.ninja", "test", ".ninja_deps", ".ninja_log")
PROGRAMS = ("examples", "rcc-run", "rcc-run-ranks", "rcc-bench", "rcc-catalog")
WITH = {"rcc-run": ("rcc-catalog",)}      # programs that a command asks for next: one start of cmake builds both
MODULE = ("core", "model", "helper")
BUILT_OF = (*MODULE, "cmake", "lab/run", "examples", "test", "lab/test")   # folders with sources, and with files of cmake


# ------------------------------------------------------------------------------------------------ programs that cannot be built here

def prebuilt(program: str) -> bool:
    """True if RCC_BUILD_DIR holds ready programs and no build system, as for packagers and tests."""
    folder = build_dir()
    return ("RCC_BUILD_DIR" in os.environ and not os.path.exists(os.path.join(folder, "CMakeCache.txt"))
            and os.access(os.path.join(folder, program), os.X_OK))


def is_there(program: str) -> bool:
    """True if the program has been built, of whatever sources."""
    return os.access(os.path.join(build_dir(), program), os.X_OK)


def somebody_elses(program: str) -> bool:
    """True if another user has built the programs: they are there, and this user may not build."""
    folder = build_dir()
    lock = os.path.join(folder, LOCK)
    return os.access(os.path.join(folder, program), os.X_OK) and not (
        os.access(folder, os.W_OK) and (not os.path.exists(lock) or os.access(lock, os.W_OK)))


def sources_of(program: str) -> list:
    """List the sources of a program, and some more files."""
    others = ("test",) if program.endswith("-ranks") else ("test", "ranks")
    return [entry.path for folder in (*MODULE, "lab/run") for entry in files_below(os.path.join(ROOT, folder))
            if os.path.relpath(entry.path, os.path.join(ROOT, "lab", "run")).split(os.sep)[0] not in others
            and entry.name.endswith((".c", ".cc", ".h", ".def", ".inc"))]


def files_below(folder: str) -> Iterator[os.DirEntry]:
    """Yield the files of a folder and of those in it; none if it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from files_below(entry.path)
            else:
                yield entry


def identify(entry) -> str:
    """Return what changes when a file does: time and size, with its path. `entry`: of os.scandir, or a path, whose file may be missing."""
    try:
        status = os.stat(entry)
    except OSError:
        return f"missing {os.fspath(entry)}"
    return f"{status.st_mtime_ns} {status.st_size} {os.fspath(entry)}"


def refuse_old(program: str, why: str) -> None:
    """Raise if a program that cannot be built anew is older than its sources. `why`: the reason that it cannot be built."""
    path = os.path.join(build_dir(), program)
    newest = max(sources_of(program), key=os.path.getmtime, default="")
    if newest and os.path.getmtime(newest) > os.stat(path).st_mtime:
        raise RccError(f"{path} is older than {os.path.relpath(newest, ROOT)}, and {why}; unset RCC_BUILD_DIR, or name a folder in which "
                       "it can be built", EXIT_FAILED)


# ------------------------------------------------------------------------------------------------ a folder and its cmake

def cached(folder: str) -> dict:
    """Read the entries of a folder's CMakeCache.txt; {} if nothing is configured there."""
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8", errors="replace") as f:
            return dict(re.findall(r"^([\w-]+):\w+=(.*)$", f.read(), re.MULTILINE))
    except OSError:
        return {}


def cxx_options(folder: str) -> list:
    """Return the options with which a compiler finds the module and ns-3 as a folder was configured: the standard, the headers."""
    cache = cached(folder)
    headers = cache.get("NS3_INCLUDE", "/usr/include")
    elsewhere = [] if headers == "/usr/include" else ["-isystem", headers]  # the compiler looks there, last
    return [probe.STANDARDS[cache.get("RCC_CXX_STANDARD", "17")], "-I" + os.path.join(folder, "include"), *elsewhere]


def made_for(folder: str) -> str:
    """Return the other folder for which cmake has configured this one, if cp -a, mv or a container's COPY has brought it here, or "".
    Raises RccError if it belongs to another project."""
    cache = cached(folder)
    home, place = cache.get("CMAKE_HOME_DIRECTORY", ""), cache.get("CMAKE_CACHEFILE_DIR", "")
    if cache.get("CMAKE_PROJECT_NAME", "rcc") != "rcc":
        raise RccError(f"{folder} is a build folder of {home}, which is not rcc; name another one")
    for found, ours in ((home, ROOT), (place, folder)):
        if found and os.path.realpath(found) != os.path.realpath(ours):
            return found
    return ""


def try_lock(lock: IO) -> bool:
    """Lock a file, unless another process has it. Returns true if it is locked."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def locked(folder: str) -> Iterator[None]:
    """Lock a build folder, so that two ./rcc do not build in it at once. A command that waits longer than it takes to find that nothing is
    to be built says for which one."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, LOCK), "a+", encoding="utf-8", errors="replace") as lock:
        late = time.monotonic() + LOCK_SECONDS
        while not try_lock(lock):
            if time.monotonic() > late:
                lock.seek(0)
                number, _, command = lock.read(4096).partition(" ")
                said = f"process {number}, which builds in {os.path.relpath(folder)}: {command}"
                say(f"waiting for {said if command else 'another command that builds'}")
                fcntl.flock(lock, fcntl.LOCK_EX)
                break
            time.sleep(0.05)
        lock.truncate(0)
        lock.write(f"{os.getpid()} {shlex.join(sys.argv)}")
        lock.flush()
        yield


def tail(path: str, lines: int = 30) -> str:
    with open(path, encoding="utf-8", errors="replace") as f:
        return "".join(f.readlines()[-lines:]).rstrip("\n")


def progress(log: str) -> str:
    """Return the progress of make ("[ 45%] Building ...") or ninja ("[12/300] Building ..."), "" before its first line."""
    found = re.findall(r"^\[ *(\d+)(%|/\d+)\]", log, re.MULTILINE)
    return "[" + "".join(found[-1]).replace("%", " %") + "]" if found else ""


def generator() -> list:
    """Return the options of cmake for ninja, if it is installed: make waits for the last file of each target."""
    return ["-G", "Ninja"] if shutil.which("ninja") else []


class Build:
    """A build folder. Its cmake options are remembered, so that it is configured only if they change."""

    def __init__(self, variant: str = "", options: Optional[dict] = None):
        self.folder = build_dir(variant)
        self.variant = variant
        self.log = os.path.join(self.folder, "log.txt")
        self.stamp = os.path.join(self.folder, ".rcc-options.json")
        self.tried = os.path.join(self.folder, ".rcc-tried.json")  # the options of a configuration that has not ended well
        self.current = os.path.join(self.folder, ".rcc-current.json")  # programs, and what they were built of
        self.catalog = os.path.join(self.folder, ".rcc-catalog.json")  # the output of rcc-catalog
        self.wanted = dict(STYLE)
        if os.environ.get("NS3_DIR"):
            self.wanted["NS3_DIR"] = os.path.abspath(os.path.expanduser(os.environ["NS3_DIR"]))
        self.wanted.update(options or {})

    def read_stamp(self, path: str = "") -> dict:
        """Read what remember() has written; {} for no file, or another text."""
        try:
            with open(path or self.stamp, encoding="utf-8") as f:
                found = json.load(f)
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def remember(self, options: dict, path: str = "") -> None:
        with atomic_write(path or self.stamp) as f:
            json.dump(options, f)

    def sources(self) -> list:
        """List the files of which programs are built, with size and time, and an ns-3 that is no package; [] if packages cannot be seen."""
        headers = cached(self.folder).get("NS3_INCLUDE", "/usr/include")
        ns3 = [] if headers == "/usr/include" else [headers, *(os.path.join(os.path.dirname(headers), lib) for lib in ("lib", "lib64"))]
        folders = [*(os.path.join(ROOT, name) for name in BUILT_OF), *ns3]
        return sorted(identify(each) for folder in folders for each in files_below(folder)) if probe.packages_time() else []

    def settings(self) -> list:
        """List what else a build depends on: packages and variables of the machine, options, and files of cmake."""
        files = [os.path.join(ROOT, "CMakeLists.txt"), self.stamp, self.tried,
                 *(os.path.join(self.folder, name) for name in ("CMakeCache.txt", "build.ninja", "Makefile"))]
        return [*probe.machine(), self.wanted, *map(identify, files)]

    def bring(self, targets: list) -> None:
        """Bring programs up to date. cmake is started only if something has changed since it built them."""
        sources = self.sources()    # before the build: what changes during it is built next time
        known = self.read_stamp(self.current)
        same = bool(sources) and known.get("sources") == sources and known.get("settings") == self.settings()
        programs = {name: os.path.join(self.folder, name) for name in targets}
        if not same or any(known.get(name) != identify(path) for name, path in programs.items()):
            self.make(targets)
            self.remember({**(known if same else {}), "sources": sources, "settings": self.settings(),
                           **{name: identify(path) for name, path in programs.items()}}, self.current)

    def make(self, targets: Optional[list] = None, testing: bool = False, anew: bool = False) -> None:
        """Bring `targets` (default: all) up to date, or raise with the end of the log. `testing`: configure anew, since
        a library that was missing last time may be there now; build all that can be built; say nothing. `anew`: configure anew,
        since a file that an option names may have been missing last time."""
        try:
            with locked(self.folder):
                self._adopt()
                self._make(targets or [], testing, anew)
        except OSError as error:
            raise RccError(f"cannot build in {self.folder}: {error.strerror or error}", EXIT_FAILED) from error

    def _adopt(self) -> None:
        """Begin anew in a folder that was made for another one, with the options that it had."""
        other = made_for(self.folder)
        if not other:
            return
        say(f"{os.path.relpath(self.folder)} was made for {other}: it is configured and built anew")
        cache = cached(self.folder)
        options = {**{key: cache[key] for key in KEPT if cache.get(key)}, **self.read_stamp()}
        home = cache.get("CMAKE_HOME_DIRECTORY", "") + os.sep
        mains = [os.path.join(ROOT, path[len(home):]) if path.startswith(home) else path
                 for path in options.pop("RCC_MAINS", "").split(";") if path]
        if any(map(os.path.exists, mains)):
            options["RCC_MAINS"] = ";".join(filter(os.path.exists, mains))
        for name in [*MADE, *PROGRAMS]:
            path = os.path.join(self.folder, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)
        self.remember(options)

    def _make(self, targets: list, testing: bool, anew: bool) -> None:
        known, tried = self.read_stamp(), self.read_stamp(self.tried)
        cache = os.path.join(self.folder, "CMakeCache.txt")
        configured = os.path.exists(cache) and any(
            os.path.exists(os.path.join(self.folder, f)) for f in ("Makefile", "build.ninja"))
        if "NS3_DIR" in known and "NS3_DIR" not in self.wanted:
            # back to the system's ns-3: what cmake remembers of the other one must go
            with contextlib.suppress(FileNotFoundError):
                os.unlink(cache)
            known, configured = {}, False
        with open(self.log, "w", encoding="utf-8") as log:
            # a folder that the user has configured by hand stays as it is
            wanted = {k: v for k, v in self.wanted.items() if k not in STYLE} if known or configured else self.wanted
            if testing or anew or tried or not configured or any(known.get(k) != v for k, v in wanted.items()):
                self._configure({**known, **wanted}, tried, configured, log, testing)
            words = ["cmake", "--build", self.folder, "-j", str(JOBS)] + (["--target"] + targets if targets else [])
            if testing:  # one program that does not build must not take the others' tests away
                words += ["--", "-k", "0"] if os.path.exists(os.path.join(self.folder, "build.ninja")) else ["--", "-k"]
            self._step(words, log, "build", testing)

    def _configure(self, options: dict, tried: dict, configured: bool, log: IO, testing: bool) -> None:
        """Let cmake configure the folder. Until that has ended well the next command configures anew, without these options."""
        self.remember({**tried, **options}, self.tried)
        words = ["cmake", "-S", ROOT, "-B", self.folder, *([] if configured else generator())]
        before = cached(self.folder).get("NS3_DIR", "")
        if configured and options.get("NS3_DIR", before) != before:
            words.append("-UNS3_*")  # cmake would keep the libraries of the previous ns-3
        words += [f"-D{k}={v}" for k, v in sorted(options.items())] + [f"-U{k}" for k in sorted(tried) if k not in options]
        self._step(words, log, "configure", testing)
        self.remember(options)
        os.unlink(self.tried)

    def _step(self, words: list, log: IO, what: str, quiet: bool) -> None:
        log.write("$ " + " ".join(words) + "\n")
        log.flush()
        started = time.monotonic()
        quiet = quiet or what != "build"
        with guarded(words, stdout=log, stderr=subprocess.STDOUT) as process:
            try:
                process.wait(timeout=QUIET_SECONDS)
            except subprocess.TimeoutExpired:
                if not quiet:
                    there = any(os.path.isfile(os.path.join(self.folder, name)) for name in PROGRAMS)
                    first = "" if there else ", a minute or two the first time"
                    say(f"building{first} (log: {os.path.relpath(self.log)})")
                self._wait(process, quiet)
                if not quiet and not process.returncode:
                    say(f"built in {duration(time.monotonic() - started)}")
        if process.returncode:
            log.flush()
            name = f"{what} of {self.variant or 'the programs'}"
            raise RccError(f"the {name} failed after {time.monotonic() - started:.0f} s; the end of "
                           f"{os.path.relpath(self.log)}:\n{tail(self.log)}", EXIT_FAILED)

    def _wait(self, process: subprocess.Popen, quiet: bool) -> None:
        """Wait for the end, and print how much is built: in place on a terminal, otherwise in a line now and then."""
        terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        said = ""
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=None if quiet else 0.5 if terminal else PROGRESS_SECONDS)
                break
            now = progress(tail(self.log))
            if terminal:
                sys.stderr.write(f"\rbuilding {now}\x1b[K")
                sys.stderr.flush()
            elif now != said:
                say(f"building {now}")
            said = now
        if terminal and not quiet:
            sys.stderr.write("\r\x1b[K")


def program(name: str, needs: Optional[list] = None, options: Optional[dict] = None) -> str:
    """Return the path of a program, built if need be. `needs` are installed first; None installs nothing. `options`: options of cmake."""
    if prebuilt(name):
        refuse_old(name, "there is no build system in that folder")
    elif somebody_elses(name):
        refuse_old(name, f"{build_dir()} cannot be written: another user has built it")
    else:
        from . import packages
        before, beside = packages.split(needs or [])   # None installs nothing
        packages.ensure(before)
        if not shutil.which("cmake"):
            raise RccError("cmake is missing; ./rcc doctor shows what else is", EXIT_FAILED)
        with packages.ensured_meanwhile(beside, optional=packages.OPTIONAL):
            Build(options=options).bring([name, *WITH.get(name, ())])
    path = os.path.join(build_dir(), name)
    if not os.access(path, os.X_OK):
        raise RccError(f"{path} is missing after the build", EXIT_FAILED)
    return path


# ------------------------------------------------------------------------------------------------ ./rcc build

def known_programs() -> list:
    """List the examples that can be built by name: cmake's targets."""
    return sorted(f"example-{name[:-3]}" for name in os.listdir(os.path.join(ROOT, "examples")) if name.endswith(".cc"))


# names that a program cannot have: those of cmake's own targets, and of libraries of this project
KEPT_NAMES = {"all", "clean", "depend", "edit_cache", "help", "install", "lab", "list_install_components", "package", "package_source",
              "preinstall", "rebuild_cache", "test", "core-tests", "run-tests", "ns3-tests", "rcc", *PROGRAMS, "rcc-core", "rcc-module",
              "rcc-mpi", "rcc-simulation"}


def own_mains(folder: str, given: list) -> list:
    """List the mains that cmake builds beside the project's programs: the files given now, and those of earlier calls that still exist,
    unless a file given now has the same name."""
    before = Build().read_stamp().get("RCC_MAINS", "") if folder else ""
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
            if name in KEPT_NAMES:
                raise RccError(f"{word}: {name} is a name that cmake or rcc keeps for itself; give the file another name")
            if not re.fullmatch(r"[A-Za-z0-9_.+-]+", name):
                raise RccError(f"{word}: found a name of '{name}', expected letters, digits and _ . + - before .cc")
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
    made = Build(options={"RCC_MAINS": ";".join(own_mains(folder, files))} if files else None)
    try:
        made.make(names, anew=bool(files))
    except RccError:  # later builds do without them
        known = made.read_stamp()
        if files and "RCC_MAINS" in known:
            made.remember({**known, "RCC_MAINS": ";".join(path for path in known["RCC_MAINS"].split(";") if path not in files)})
        raise
    for name in names:
        print(os.path.relpath(os.path.join(folder, re.sub("^example-", "examples/", name))))
    return 0


COMMAND = Command(
    description="Build programs: examples of this folder by name, or a C++ file of yours with a main(), which is linked to the module\n"
                "and to ns-3. Prints where the programs are.",
    examples=[("./rcc build example-trace-and-pcap", "an example, which no other command builds"),
              ("./rcc build my-study.cc", "your own main: build/my-study")],
    add_arguments=add_arguments,
    run=command)
