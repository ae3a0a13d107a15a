# SPDX-License-Identifier: GPL-2.0-only
"""`./rcc doctor`: what is there, what is missing, what that disables. Looks only; installs and builds nothing."""
from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys

from . import packages, portability, source_tree
from .common import EXIT_FAILED, ROOT, align, build_dir, version

OPTIONAL = packages.TEST[len(packages.RUN):] + [
    packages.Need("tshark", "tshark", packages.tool("tshark"), "reading the pcap files of --pcap"),
] + list({need.package: need for needs in portability.groups().values() for need in needs}.values()) + source_tree.NEEDS


def first_line(*words: str) -> str:
    """The first line that a tool says about its version, or ""."""
    if not shutil.which(words[0]):
        return ""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return (done.stdout.strip().splitlines() or [""])[0]


def describe(need: packages.Need, found: str) -> str:
    """What was found, with a version where that is easy to ask for."""
    if need.package in ("g++", "cmake", "make", "gcc", "clang", "gcovr", "pkg-config"):
        return first_line(found.split()[0], "--version") or found
    if need.package == "python3-matplotlib":
        done = subprocess.run([found, "-c", "import matplotlib; print(matplotlib.__version__)"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        return f"{done.stdout.strip()} in {found}"
    return found


def command() -> int:
    rows = []
    for need in packages.RUN + OPTIONAL:
        found = need.found()
        state = "ok" if found else "MISSING" if need in packages.RUN else "missing"
        rows.append([state, need.package, describe(need, found)[:60] if found else "without it: no " + need.disables
                     if need.disables != "everything" else "nothing can be built"])
    print(f"rcc {version()} in {ROOT}")
    print(f"{platform.platform()}, {os.cpu_count()} processors, Python {platform.python_version()} ({sys.executable})")
    built = [p for p in ("incast", "rcc-bench", "rcc-catalog", "core-tests", "ns3-tests")
             if os.access(os.path.join(build_dir(), p), os.X_OK)]
    print(f"built in {build_dir()}: {', '.join(built) or 'nothing yet'}\n")
    print(align(rows, left=3))
    lacking = packages.missing(packages.RUN)
    others = packages.missing(OPTIONAL)
    print()
    if lacking or others:
        print("to install what is missing: " + (packages.by_hand([packages.resolve(n.package) for n in lacking + others])
              if packages.is_debian() else "use your system's packages: " + ", ".join(n.what for n in lacking + others)))
    else:
        print("nothing is missing")
    vital = [n for n in lacking if n.disables == "everything"]
    if vital and packages.is_debian():
        print("`./rcc run` and `./rcc test` install what they need by themselves")
    return EXIT_FAILED if vital else 0
