# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The packages that commands need: installed on Debian and Ubuntu, named on other systems."""
from __future__ import annotations

import contextlib
import functools
import os
import re
import shlex
import shutil
import subprocess
import time
from typing import Callable, Iterator, NamedTuple, Optional

from . import probe
from ..common import EXIT_FAILED, RccError, say


class Need(NamedTuple):
    """A package that a command needs."""
    package: str                # the Debian package
    what: str                   # the name on other systems
    found: Callable[[], str]    # uses it; where or which version it is, "" if it is missing
    disables: str               # the functions that need it


@probe.once
def dpkg_version(package: str) -> str:
    """Return the installed version of a Debian package, or ""."""
    text = probe.output(["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}\n", package]) or ""
    return next((line.partition(" ")[2] for line in text.splitlines() if line.startswith("installed ")), "")


def find_ns3() -> str:
    return probe.ns3(dpkg_version("libns3-dev"))


def plotting_python() -> str:
    """Return an interpreter that has matplotlib, "" if none has."""
    return probe.python_with("matplotlib")


def answers(*names: str, word: str = "--version") -> Callable[[], str]:
    """Return a function that looks for a tool which can print its version."""
    return lambda: probe.tool(names, word)


def cc(name: str, *options: str) -> Callable[[], str]:
    """Return a function that looks for a C compiler whose programs run."""
    return lambda: probe.c_compiler(name, *options)


RUN = [
    Need("g++", "a C++17 compiler", probe.cxx_compiler, "everything"),
    Need("cmake", "cmake 3.16 or newer", answers("cmake"), "everything"),
    Need("ninja-build", "ninja or make", probe.ninja_or_make, "everything"),
    Need("libns3-dev", "ns-3 (NS3_DIR=PREFIX if it is not where compilers look)", find_ns3, "everything"),
    Need("python3-matplotlib", "matplotlib for python3", plotting_python, "plots, in files and in report.html"),
]
BENCH = RUN[:4]
NO_INSTALL = "RCC_NO_INSTALL"
APT_OPTIONS: list = []
LOCKED_S = 600   # how long another package manager is waited for
OPTIONAL = {"python3-matplotlib"}   # commands work without these, and no build waits for them
# python3-matplotlib is content with munkres where apt would choose scipy: 59 packages and 600 MB less on Debian 12
INSTEAD = {"python3-matplotlib": "python3-munkres"}
MPI = BENCH + [
    Need("libopenmpi-dev", "OpenMPI", answers("mpicxx", word="--showme:version"), "--ranks"),
    Need("openmpi-bin", "mpirun", answers("mpirun"), "--ranks"),
]

PROTOBUF = Need("python3-protobuf", "protobuf for python3", lambda: probe.python_with("google.protobuf"),
                "run trace: traces of Chakra in protobuf form")   # installed when one is read
SPHINX = Need("python3-sphinx", "Sphinx", probe.sphinx, "manual, and test: manual")

TEST = RUN + MPI[len(BENCH):] + [
    Need("make", "make", probe.make, "test: builds as cmake makes them where nobody says how"),
    Need("gcc", "gcc", cc("gcc"), "test: core alone with gcc"),
    Need("ccache", "ccache", answers("ccache"), "test: copies of the project are compiled as a whole, which takes longer"),
    Need("pkg-config", "pkg-config", answers("pkg-config"), "test: core-tests, coverage"),
    Need("check", "libcheck", probe.libcheck, "test: core-tests, coverage"),
    Need("gcovr", "gcovr", answers("gcovr"), "test: coverage"),
    Need("clang", "clang", cc("clang"), "test: core alone with clang, fuzz"),
    Need("libclang-rt-dev", "clang's libFuzzer", probe.fuzzer, "test: fuzz with libFuzzer (a plain driver is used)"),
    Need("tshark", "tshark", answers("tshark"), "test: captures read by another program"),
    SPHINX,
    Need("doxygen", "Doxygen", answers("doxygen"), "test: doxygen"),
    Need("clang-format", "clang-format", answers("clang-format-14", "clang-format"), "test: lint, layout of C and C++"),
    Need("tcc", "tcc", answers("tcc", word="-v"), "test: mutation (cc is used, which takes longer)"),
    Need("universal-ctags", "Universal Ctags", answers("ctags-universal", "ctags"), "test: lint, sizes of functions"),
    Need("flake8", "flake8", lambda: probe.python_with("flake8"), "test: lint, Python"),
    Need("mypy", "mypy", lambda: probe.python_with("mypy"), "test: lint, Python"),
    PROTOBUF,
    Need("python3-pandas", "pandas for python3", lambda: probe.python_with("pandas"), "test: results as DataFrames"),
]

# The packages with which ./rcc test builds; the rest of TEST is installed during the build.
BUILDS_TESTS = [need for need in TEST if need in BENCH or need.package in ("ccache", "pkg-config", "check")]


def cross(triple: str, arch: str, processor: str) -> list:
    """List a cross compiler, its C library and its emulator: one works only with the others."""
    disables = f"test: the core on {processor}"
    return [Need(f"gcc-{triple}", f"{triple}-gcc", lambda: probe.cross(triple, processor), disables),
            Need(f"libc6-dev-{arch}-cross", f"a C library for {triple}", lambda: probe.cross(triple, processor), disables),
            Need("qemu-user", f"qemu-{processor}", lambda: probe.emulator(processor), disables)]


# gcc-multilib would bring the 32-bit half of gcc too, but cannot stand beside Debian's cross compilers
M32 = [Need("lib32gcc-dev", "gcc -m32", cc("gcc", "-m32"), "test: the core on 32 bits"),
       Need("libc6-dev-i386", "a 32-bit C library", cc("gcc", "-m32", "-static"), "test: the core on 32 bits")]
AARCH64 = cross("aarch64-linux-gnu", "arm64", "aarch64")
S390X = cross("s390x-linux-gnu", "s390x", "s390x")
X86 = "32-bit x86"


def targets() -> dict:
    """Return the packages for the core's other targets that this machine can have: {group: packages}."""
    found = {X86: M32, "aarch64": AARCH64, "s390x": S390X}
    if os.uname().machine != "x86_64" or not probe.runs_i386():
        del found[X86]
    return found


TREE = [
    Need("dpkg-dev", "dpkg-source", answers("dpkg-source"), "test: tree"),
    Need("ninja-build", "ninja", answers("ninja"), "test: tree"),
    Need("bzip2", "bzip2", answers("bzip2", word="--help"), "test: tree"),
    Need("xz-utils", "xz", answers("xz"), "test: tree"),
]


def is_debian() -> bool:
    return bool(shutil.which("apt-get") and shutil.which("dpkg-query"))


def resolve(package: str) -> str:
    """Return the name of a package in this release: libclang-rt-dev exists from Debian 12 on, and before with a version in its name; gcc's
    32-bit half has a version in its name in all."""
    if package == "lib32gcc-dev":
        version = probe.output(["gcc", "-dumpversion"]) or ""
        return f"lib32gcc-{version.split('.')[0].strip()}-dev"
    if package != "libclang-rt-dev" or apt_knows(package):
        return package
    for word in (probe.output(["apt-cache", "depends", "--important", "clang"]) or "").split():
        if word.startswith("clang-") and word[6:].isdigit():
            # until clang 13 the runtime came as libclang-common-N-dev
            versioned = f"libclang-rt-{word[6:]}-dev"
            return versioned if apt_knows(versioned) else f"libclang-common-{word[6:]}-dev"
    return package


def apt_knows(package: str) -> bool:
    return "Package:" in (probe.output(["apt-cache", "show", package]) or "")


def may_install() -> bool:
    """True if a command may install packages: unless RCC_NO_INSTALL is set, or --no-install, which sets it."""
    return os.environ.get(NO_INSTALL, "") in ("", "0")


def missing(needs: list) -> list:
    return [need for need in needs if not need.found()]


def ensure(needs: list, optional: Optional[set] = None) -> None:
    """Install what is missing. Packages named in `optional` are installed too, but their absence is no error."""
    lacking = missing(needs)
    required = [need for need in lacking if need.package not in (optional or set())]
    if lacking and not may_install():
        if required:
            raise RccError(f"missing: {', '.join(f'{need.package} ({need.what})' for need in required)}; nothing is installed because of "
                           f"{NO_INSTALL}; ./rcc doctor shows all")
        say(f"not installed because of {NO_INSTALL}: {', '.join(need.package for need in lacking)}; "
            f"without: {'; '.join(need.disables for need in lacking)}")
    elif required and not is_debian():
        raise RccError("missing: " + ", ".join(need.what for need in required)
                       + "; install it with your system's packages (./rcc doctor shows all)", EXIT_FAILED)
    if not lacking or not may_install() or not is_debian():
        return
    install(list(dict.fromkeys(need.package for need in lacking)))
    probe.forget()
    still = missing(required)
    if still:
        raise RccError("installed, but still not found: " + ", ".join(need.what for need in still), EXIT_FAILED)


def split(needs: list) -> tuple:
    """Split needs into those before a build and those that may be installed during it."""
    return [need for need in needs if need.package not in OPTIONAL], [need for need in needs if need.package in OPTIONAL]


def ahead() -> None:
    """Raise the priority of this thread and its children: packages are unpacked on one processor, beside a build. Without the right to do
    so, as in some containers, the priority stays."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 10)


@contextlib.contextmanager
def ensured_meanwhile(needs: list, optional: Optional[set] = None, groups: Optional[dict] = None) -> Iterator[None]:
    """Call ensure() and ensure_some(groups) during the body of the `with`; errors are raised at its end. Without root they are called
    before it, as sudo may ask for a password."""
    def work() -> None:
        ensure(needs, optional)
        ensure_some(groups or {})
    if os.geteuid() or not missing(needs) and not any(map(missing, (groups or {}).values())):
        work()
        yield
        return
    from concurrent.futures import ThreadPoolExecutor  # with logging, a tenth of the time in which a short command starts
    with ThreadPoolExecutor(1, initializer=ahead) as pool:
        done = pool.submit(work)
        yield
        done.result()


def ensure_some(groups: dict) -> dict:
    """Install several independent groups of needs. Returns {group: reason} of those that are missing."""
    lacking = {name: missing(needs) for name, needs in groups.items()}
    wanted = [need for needs in lacking.values() for need in needs]
    why: dict = {}
    if not wanted or not is_debian() or not may_install():
        return {name: "missing: " + ", ".join(n.what for n in needs) for name, needs in lacking.items() if needs}
    try:
        ensure(wanted)
    except RccError as error:
        # one package that this release or architecture does not have must not take the others away
        why = {name: str(error) for name, needs in lacking.items() if needs}
        if len(why) > 1 and "Unable to locate" in str(error):
            for name in why:
                try:
                    ensure(groups[name])
                except RccError as other:
                    why[name] = str(other)
    return {name: why.get(name, "missing") for name, needs in groups.items() if missing(needs)}


def install(packages: list) -> None:
    """Run apt-get update and apt-get install. Raises RccError with the reason."""
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    if prefix and not shutil.which("sudo"):
        raise RccError("missing packages, and neither root nor sudo to install them; as root run: "
                       + by_hand(packages), EXIT_FAILED)
    say(f"installing with apt-get: {' '.join(packages)}")
    # update first: a fresh container has no package lists at all, an old one has stale ones. One unreachable source
    # fails the update, yet the others may serve, so the install has the last word.
    updated = update(*prefix)
    smaller = [INSTEAD[p] for p in packages if p in INSTEAD and apt_knows(INSTEAD[p])]
    packages = [*(resolve(p) for p in packages), *smaller]  # the lists are known only now
    done = apt(prefix, ["install", "-y", "--no-install-recommends"] + packages)
    if done.returncode:
        why = last_error(done.stdout) or last_error(updated.stdout) or f"status {done.returncode}"
        raise RccError(f"apt-get could not install the packages ({why}); try by hand: {by_hand(packages)}", EXIT_FAILED)


@functools.lru_cache(maxsize=None)
def update(*prefix: str) -> subprocess.CompletedProcess:
    """Run apt-get update once in a command; ./rcc has done it if it installed python3. `prefix`: sudo or nothing."""
    if os.environ.pop("RCC_APT_UPDATED", ""):
        return subprocess.CompletedProcess([], 0, "")
    return apt(list(prefix), ["update"])


def hasty() -> None:
    """Let dpkg not wait for the disk after each file, which takes most of the time beside a build. If the machine loses its power
    meanwhile, the packages have to be installed again."""
    APT_OPTIONS[:] = ["-o", "Dpkg::Options::=--force-unsafe-io"]


def apt(prefix: list, words: list) -> subprocess.CompletedProcess:
    """Call apt-get, again while another process holds its locks: a machine that has just started often upgrades itself. apt's own
    DPkg::Lock::Timeout waits silently, and not for the lock of the lists."""
    for left in range(LOCKED_S, -1, -1):
        done = apt_once(prefix, words)
        held = re.search(r"^E: (Could not get lock .*|Unable to lock .*)$", done.stdout, re.MULTILINE) if done.returncode else None
        if not held or not left:
            break
        if left == LOCKED_S:
            say(f"waiting until apt-get can be used: {held.group(1)}")
        time.sleep(1)
    return done


def apt_once(prefix: list, words: list) -> subprocess.CompletedProcess:
    # `env` because sudo drops the environment. stderr joins stdout: apt reports errors on both.
    return subprocess.run(prefix + ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-q", *APT_OPTIONS] + words,
                          stdin=None if prefix else subprocess.DEVNULL,  # sudo may ask for a password
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)


def last_error(output: str) -> str:
    return next((line[2:].strip() for line in output.splitlines() if line.startswith("E:")), "")


def by_hand(packages: list) -> str:
    return ("sudo apt-get update && sudo apt-get install -y --no-install-recommends "
            + " ".join(map(shlex.quote, packages)))
