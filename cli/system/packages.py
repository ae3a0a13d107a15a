# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Installs what a command needs on Debian and Ubuntu, and says what is needed elsewhere."""
from __future__ import annotations

import functools
import os
import platform
import shlex
import shutil
import subprocess
import sys
from typing import Callable, NamedTuple, Optional

from ..common import EXIT_FAILED, RccError, say


class Need(NamedTuple):
    """One thing a command needs."""
    package: str                # the Debian package
    what: str                   # what it is called elsewhere
    found: Callable[[], str]    # where or which version it is, "" if it is missing
    disables: str               # what does not work without it


def tool(*names: str) -> Callable[[], str]:
    def look() -> str:
        return next((path for path in map(shutil.which, names) if path), "")
    return look


@functools.lru_cache(maxsize=None)
def dpkg_version(package: str) -> str:
    """The installed version of a Debian package, or ""."""
    if not shutil.which("dpkg-query"):
        return ""
    done = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}\n", package],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    for line in done.stdout.splitlines():
        status, _, found = line.partition(" ")
        if status == "installed":
            return found
    return ""


def find_ns3() -> str:
    if os.environ.get("NS3_DIR"):
        return f"NS3_DIR={os.environ['NS3_DIR']}"
    found = dpkg_version("libns3-dev")
    if found:
        return f"libns3-dev {found}"
    # an ns-3 that was installed by hand where compilers look
    return next((p for p in ("/usr/local/include/ns3/core-module.h", "/usr/include/ns3/core-module.h")
                 if os.path.exists(p)), "")


def find_libcheck() -> str:
    return next((p for p in ("/usr/include/check.h", "/usr/local/include/check.h") if os.path.exists(p)), "")


def find_compiler_rt() -> str:
    """libFuzzer's archive, which Debian keeps apart from clang."""
    clang = shutil.which("clang")
    if not clang:
        return ""
    done = subprocess.run([clang, "-print-file-name=libclang_rt.fuzzer-" + os.uname().machine + ".a"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    path = done.stdout.strip()
    return path if os.path.isabs(path) and os.path.exists(path) else ""


def can_import(python: str, module: str) -> bool:
    done = subprocess.run([python, "-c", f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


@functools.lru_cache(maxsize=None)
def plotting_python() -> str:
    """An interpreter that has matplotlib: ours, or the system's (a pyenv or venv python3 lacks Debian's modules)."""
    for python in dict.fromkeys([sys.executable, "/usr/bin/python3"]):
        if python and os.path.exists(python) and can_import(python, "matplotlib"):
            return python
    return ""


def find_sphinx() -> str:
    return shutil.which("sphinx-build") or next((p for p in ("/usr/share/sphinx/scripts/python3/sphinx-build",)
                                                 if os.access(p, os.X_OK)), "")


RUN = [
    Need("g++", "a C++17 compiler", lambda: os.environ.get("CXX", "") or tool("c++", "g++", "clang++")(), "everything"),
    Need("cmake", "cmake 3.16 or newer", tool("cmake"), "everything"),
    Need("make", "make or ninja", tool("make", "ninja"), "everything"),
    Need("libns3-dev", "ns-3 (NS3_DIR=PREFIX if it is not where compilers look)", find_ns3, "everything"),
    Need("python3-matplotlib", "matplotlib for python3", plotting_python, "plots, in files and in report.html"),
]
BENCH = RUN[:4]

SPHINX = Need("python3-sphinx", "Sphinx", find_sphinx, "manual, and test: manual")

TEST = RUN + [
    Need("gcc", "gcc", tool("gcc"), "test: core alone with gcc"),
    Need("check", "libcheck", find_libcheck, "test: core-tests, coverage"),
    Need("pkg-config", "pkg-config", tool("pkg-config"), "test: core-tests, coverage"),
    Need("gcovr", "gcovr", tool("gcovr"), "test: coverage"),
    Need("clang", "clang", tool("clang"), "test: core alone with clang, fuzz"),
    Need("libclang-rt-dev", "clang's libFuzzer", find_compiler_rt, "test: fuzz with libFuzzer (a plain driver is used)"),
    Need("tshark", "tshark", tool("tshark"), "test: captures read by another program"),
    SPHINX,
]


def find_m32() -> str:
    """gcc's 32-bit half. gcc-multilib would bring it too, but cannot stand beside Debian's cross compilers."""
    gcc = shutil.which("gcc")
    if not gcc:
        return ""
    done = subprocess.run([gcc, "-m32", "-print-libgcc-file-name"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return next((path for path in [done.stdout.strip()] if os.path.exists(path)), "")


def cross(triple: str, arch: str, emulator: str) -> list:
    """A cross compiler, its C library, and what runs its programs here."""
    def library() -> str:
        path = f"/usr/{triple}/lib/libc.a"
        return path if os.path.exists(path) else ""
    disables = f"test: the core on {emulator}"
    return [Need(f"gcc-{triple}", f"{triple}-gcc", tool(f"{triple}-gcc"), disables),
            Need(f"libc6-dev-{arch}-cross", f"a C library for {triple}", library, disables),
            Need("qemu-user", f"qemu-{emulator}", tool(f"qemu-{emulator}", f"qemu-{emulator}-static"), disables)]


LIBC32 = "/usr/lib32/libc.a"
M32 = [Need("lib32gcc-dev", "gcc -m32", find_m32, "test: the core on 32 bits"),
       Need("libc6-dev-i386", "a 32-bit C library", lambda: LIBC32 if os.path.exists(LIBC32) else "", "test: the core on 32 bits")]
AARCH64 = cross("aarch64-linux-gnu", "arm64", "aarch64")
S390X = cross("s390x-linux-gnu", "s390x", "s390x")
X86 = "32-bit x86"


def targets() -> dict:
    """What the core's other targets need that this machine can have: {group: packages}."""
    found = {X86: M32, "aarch64": AARCH64, "s390x": S390X}
    if platform.machine() != "x86_64":
        del found[X86]
    return found


TREE = [
    Need("dpkg-dev", "dpkg-source", tool("dpkg-source"), "test: tree"),
    Need("ninja-build", "ninja", tool("ninja"), "test: tree"),
    Need("bzip2", "bzip2", tool("bzip2"), "test: tree"),
    Need("xz-utils", "xz", tool("xz"), "test: tree"),
]


def is_debian() -> bool:
    return bool(shutil.which("apt-get") and shutil.which("dpkg-query"))


def resolve(package: str) -> str:
    """libclang-rt-dev exists as a metapackage from Debian 12 on; before, the versioned name is the only one. gcc's 32-bit
    half has a versioned name only."""
    if package == "lib32gcc-dev":
        done = subprocess.run(["gcc", "-dumpversion"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        return f"lib32gcc-{done.stdout.split('.')[0].strip()}-dev"
    if package != "libclang-rt-dev" or apt_knows(package):
        return package
    done = subprocess.run(["apt-cache", "depends", "--important", "clang"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    for word in done.stdout.split():
        if word.startswith("clang-") and word[6:].isdigit():
            # until clang 13 the runtime came as libclang-common-N-dev
            versioned = f"libclang-rt-{word[6:]}-dev"
            return versioned if apt_knows(versioned) else f"libclang-common-{word[6:]}-dev"
    return package


def apt_knows(package: str) -> bool:
    done = subprocess.run(["apt-cache", "show", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return done.returncode == 0 and "Package:" in done.stdout


def missing(needs: list) -> list:
    return [need for need in needs if not need.found()]


def ensure(needs: list, optional: Optional[set] = None) -> None:
    """Install what is missing. Packages named in `optional` are installed too, but their absence is no error."""
    lacking = missing(needs)
    optional = optional or set()
    if not lacking:
        return
    if not is_debian():
        required = [need for need in lacking if need.package not in optional]
        if required:
            raise RccError("missing: " + ", ".join(need.what for need in required)
                           + "; install it with your system's packages (./rcc doctor shows all)", EXIT_FAILED)
        return
    install(list(dict.fromkeys(need.package for need in lacking)))
    dpkg_version.cache_clear()
    plotting_python.cache_clear()
    still = [need for need in missing(lacking) if need.package not in optional]
    if still:
        raise RccError("installed, but still not found: " + ", ".join(need.what for need in still), EXIT_FAILED)


def ensure_some(groups: dict) -> dict:
    """Install several groups of needs that do without each other. {group: why it is not there} of those that failed."""
    lacking = {name: missing(needs) for name, needs in groups.items()}
    wanted = [need for needs in lacking.values() for need in needs]
    why: dict = {}
    if not wanted or not is_debian():
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
    """apt-get update, then apt-get install; one clear message if it fails."""
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    if prefix and not shutil.which("sudo"):
        raise RccError("missing packages, and neither root nor sudo to install them; as root run: "
                       + by_hand(packages), EXIT_FAILED)
    say(f"installing with apt-get: {' '.join(packages)}")
    # update first: a fresh container has no package lists at all, an old one has stale ones. One unreachable source
    # fails the update, yet the others may serve, so the install has the last word.
    updated = apt(prefix, ["update"])
    packages = [resolve(p) for p in packages]  # the lists are known only now
    done = apt(prefix, ["install", "-y", "--no-install-recommends"] + packages)
    if done.returncode:
        why = last_error(done.stdout) or last_error(updated.stdout) or f"status {done.returncode}"
        raise RccError(f"apt-get could not install the packages ({why}); try by hand: {by_hand(packages)}", EXIT_FAILED)


def apt(prefix: list, words: list) -> subprocess.CompletedProcess:
    # `env` because sudo drops the environment. stderr joins stdout: apt reports errors on both.
    return subprocess.run(prefix + ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-q"] + words,
                          stdin=None if prefix else subprocess.DEVNULL,  # sudo may ask for a password
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)


def last_error(output: str) -> str:
    errors = [line[2:].strip() for line in output.splitlines() if line.startswith("E:")]
    return errors[0] if errors else ""


def by_hand(packages: list) -> str:
    return ("sudo apt-get update && sudo apt-get install -y --no-install-recommends "
            + " ".join(map(shlex.quote, packages)))
