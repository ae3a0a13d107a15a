# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc doctor`: the installed and the missing packages. It uses each piece as the other commands would
(lab/command/system/probe.py), and installs nothing."""
from __future__ import annotations

import argparse
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

from . import build, packages, probe
from ..common import EXIT_FAILED, ROOT, RccError, align, build_dir, version
from ..registry import Command

CHROMIUM = packages.Need("chromium", "chromium", packages.answers("chromium", "chromium-browser", "google-chrome"),
                         "test: report.html looked at by a browser")


def optional() -> list:
    """List the packages that ./rcc run does not need, each once."""
    # some are beyond what ./rcc test installs by itself
    targets = [need for needs in packages.targets().values() for need in needs]
    found = {}
    for need in [*packages.TEST, CHROMIUM, *targets, *packages.TREE]:
        found.setdefault(need.package, need)
    return [need for need in found.values() if need.package not in [one.package for one in packages.RUN]]


def first_line(*words: str) -> str:
    """Return the line with a tool's version, or "". Some tools print warnings before it."""
    if not shutil.which(words[0]):
        return ""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    lines = (done.stdout + "\n" + done.stderr).strip().splitlines()
    return next((line for line in lines if re.search(r"\d+\.\d+", line)), lines[0] if lines else "").strip()


# ------------------------------------------------------------------------------------------------ ns-3 as it was built

def library_says(path: str) -> str:
    """Describe asserts and logs of a built ns-3, by strings in its network library."""
    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError:
        return ""
    asserts = "on" if b"assert failed" in data else "off"
    logs = "on" if b"LogGetTimePrinter" in data else "off"
    return f"asserts {asserts}, logs {logs}"


def installed_ns3() -> str:
    """Describe the built ns-3 that ./rcc run would link with."""
    found = [path for folder in probe.library_folders() for path in sorted(glob.glob(os.path.join(folder, "libns3*network*.so*")))
             if "-test" not in os.path.basename(path)]
    return library_says(found[0]) if found else ""


def describe(need: packages.Need, found: str) -> str:
    """Describe a package that was found, with its version if a tool prints it."""
    if need.package in ("g++", "cmake", "ninja-build", "make", "gcc", "clang", "gcovr", "pkg-config", "tshark", "python3-sphinx",
                        "chromium", "qemu-user-static", "gcc-aarch64-linux-gnu"):
        return first_line(found.split()[0], "--version") or found
    if need.package == "python3-matplotlib":
        done = subprocess.run([found, "-c", "import matplotlib; print(matplotlib.__version__)"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        return f"{done.stdout.strip()} in {found}"
    if need.package == "libns3-dev":
        how = installed_ns3()
        return found + (f", {how}" if how else "")
    return found


def how_built(cache: str) -> str:
    """Return the build type and the options for speed in the text of a CMakeCache.txt; "" if nothing is configured."""
    values = dict(re.findall(r"^(CMAKE_BUILD_TYPE|RCC_LTO|RCC_ARCH):\w+=(\S+)$", cache, re.MULTILINE))
    if "CMAKE_BUILD_TYPE" not in values:
        return ""
    lto = "on" if values.get("RCC_LTO", "").upper() in ("ON", "1", "TRUE", "YES", "Y") else "off"
    return f"{values['CMAKE_BUILD_TYPE']}, RCC_LTO {lto}, RCC_ARCH {values.get('RCC_ARCH', 'off')}"


def elsewhere(folder: str) -> str:
    """Describe a build folder that was made for another place; "" if it was made for this one."""
    try:
        other = build.made_for(folder)
    except RccError as error:
        return f"which cannot be used: {error}"
    return f"which was made for {other}: the next command configures and builds it anew" if other else ""


def machine() -> int:
    rows = []
    others = optional()
    for need in packages.RUN + others:
        found = need.found()
        state = "ok" if found else "MISSING" if need in packages.RUN else "missing"
        rows.append([state, need.package, describe(need, found)[:76] if found else "without it: no " + need.disables
                     if need.disables != "everything" else "nothing can be built"])
    print(f"rcc {version()} in {ROOT}")
    print(f"{platform.platform()}, {os.cpu_count()} processors, Python {platform.python_version()} ({sys.executable})")
    built = [p for p in ("rcc-run", "rcc-bench", "rcc-catalog", "core-tests", "ns3-tests")
             if os.access(os.path.join(build_dir(), p), os.X_OK)]
    kind = how_built(read(os.path.join(build_dir(), "CMakeCache.txt")))
    other = elsewhere(build_dir())
    print(f"built in {build_dir()}, {other}" if other else
          f"built in {build_dir()}{f' ({kind})' if kind else ''}: {', '.join(built) or 'nothing yet'}")
    print("by default: Release, without RCC_LTO and RCC_ARCH (lab/doc/performance.md)\n")
    print(align(rows, left=3))
    lacking = packages.missing(packages.RUN)
    absent = packages.missing(others)
    print()
    if lacking or absent:
        print("to install what is missing: " + (packages.by_hand([packages.resolve(n.package) for n in lacking + absent])
              if packages.is_debian() else "use your system's packages: " + ", ".join(n.what for n in lacking + absent)))
    else:
        print("nothing is missing")
    vital = [n for n in lacking if n.disables == "everything"]
    if vital and packages.is_debian():
        print("`./rcc run` and `./rcc test` install what they need by themselves")
    return EXIT_FAILED if vital else 0


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def add_arguments(parser) -> None:
    parser.add_argument("tree", nargs="?", help=argparse.SUPPRESS)


def command(args) -> int:
    if args.tree:
        raise RccError(f"./rcc doctor {args.tree} is ./rcc install {args.tree} now, which checks the tree first")
    probe.forget()
    return machine()


COMMAND = Command(
    description="Show what is installed, what is missing and what it would enable.\n"
        "Installs nothing. Exit status 1 if `./rcc run` cannot work as things are.",
    examples=[("./rcc doctor", "compilers, ns-3, Python modules, tools")],
    add_arguments=add_arguments,
    run=command)
