# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc doctor`: the installed and missing packages; for an ns-3 tree, whether rcc can be built in it and how. It uses each piece as
the other commands would (lab/command/system/probe.py), and installs nothing."""
from __future__ import annotations

import glob
import os
import platform
import re
import shutil
import subprocess
import sys

from . import build, install, packages, probe
from ..common import EXIT_FAILED, ROOT, RccError, align, build_dir, version
from ..registry import Command

CHROMIUM = packages.Need("chromium", "chromium", packages.answers("chromium", "chromium-browser", "google-chrome"),
                         "test: report.html looked at by a browser")
WAF_PYTHON = (3, 12)   # from this version on a module that waf of ns-3.31 imports is gone


def optional() -> list:
    """List the packages that ./rcc run does not need, each once."""
    named = {need.package for need in packages.RUN}
    found = []
    # some are beyond what ./rcc test installs by itself
    targets = [need for needs in packages.targets().values() for need in needs]
    for need in [*packages.TEST, CHROMIUM, *targets, *packages.TREE]:
        if need.package not in named:
            named.add(need.package)
            found.append(need)
    return found


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


def network_library(folders: list) -> str:
    found = [path for folder in folders for path in sorted(glob.glob(os.path.join(folder, "libns3*network*.so*")))
             if "-test" not in os.path.basename(path)]
    return found[0] if found else ""


def installed_ns3() -> str:
    """Describe the built ns-3 that ./rcc run would link with."""
    prefix = os.environ.get("NS3_DIR")
    if prefix:
        folders = [os.path.join(os.path.expanduser(prefix), lib) for lib in ("lib", "lib64")]
    else:
        folders = [f"/usr/lib/{os.uname().machine}-linux-gnu", "/usr/local/lib", "/usr/lib64", "/usr/lib"]
    return library_says(network_library(folders))


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
    print("by default: Release, without RCC_LTO and RCC_ARCH (doc/performance.md)\n")
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


# ------------------------------------------------------------------------------------------------ an ns-3 tree

def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def python_of_the_tree() -> tuple:
    """Return the version of the python3 that ./ns3 and ./waf would run with; () if there is none."""
    if not shutil.which("python3"):
        return ()
    done = subprocess.run(["python3", "-c", "import sys; print(*sys.version_info[:2])"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    words = done.stdout.split()
    return tuple(map(int, words)) if len(words) == 2 and all(word.isdigit() for word in words) else ()


def configured(tree: str) -> list:
    """List rows about the configuration of the tree; none if it is not configured."""
    cache = read(os.path.join(tree, "cmake-cache", "CMakeCache.txt"))
    if cache:
        values = dict(re.findall(r"^(\w+):\w+=(.*)$", cache, re.MULTILINE))
        profile, modules = values.get("CMAKE_BUILD_TYPE", "?"), values.get("NS3_ENABLED_MODULES", "")
        werror = values.get("NS3_WARNINGS_AS_ERRORS", "?")
    else:
        cache = read(os.path.join(tree, "build", "c4che", "_cache.py"))
        if not cache:
            return []
        found = re.search(r"^BUILD_PROFILE = '(\w+)'", cache, re.MULTILINE)
        profile = found.group(1) if found else "?"
        found = re.search(r"^NS3_ENABLED_CONTRIBUTED_MODULES = \[(.*)\]", cache, re.MULTILINE)
        modules = found.group(1) if found else ""
        werror = "ON" if "'-Werror'" in cache else "OFF"
    how = library_says(network_library([os.path.join(tree, "build", "lib"), os.path.join(tree, "build")]))
    rows = [["ok", "configured", f"profile {profile}" + (f", {how}" if how else ", not built yet") + f", warnings as errors {werror}"]]
    if modules and install.RCC.name not in re.findall(r"[\w-]+", modules.replace("ns3-", "")):
        rows.append(["look", "modules", f"only {modules.strip()} are enabled: configure again with rcc among them"])
    return rows


def tree_rows(tree: str, release: tuple) -> list:
    """List [state, what, words]; the state is ok, look (needs attention) or MISSING (it cannot be built)."""
    waf = release < install.CMAKE
    rows = [["ok", "version", "a development version" if release[1] == 999 else f"ns-3 {release[0]}.{release[1]}"]]
    if release < install.LEAST:
        rows[0] = ["MISSING", "version", f"ns-3 {release[0]}.{release[1]}; {install.LEAST[0]}.{install.LEAST[1]} is the oldest that works"]
    tool = "waf" if waf else "ns3"
    rows.append(["ok", "built with", f"./{tool}" + ("" if waf else ", cmake")] if os.path.exists(os.path.join(tree, tool)) else
                ["MISSING", "built with", f"./{tool}, which is not there: expected in a tree of this version"])
    for path, name in ((probe.first("cc", "gcc", "clang"), "C compiler"), (probe.first("c++", "g++", "clang++"), "C++ compiler")):
        rows.append(["ok", name, first_line(path, "--version") or path] if path else ["MISSING", name, "core/ is C, model/ is C++"])
    if not waf:
        path = probe.first("cmake")
        rows.append(["ok", "cmake", first_line(path, "--version")] if path else ["MISSING", "cmake", "not found"])
    python = python_of_the_tree()
    text = f"{python[0]}.{python[1]}" if python else ""
    if not python:
        rows.append(["MISSING", "python3", f"./{tool} is a Python program"])
    elif waf and python >= WAF_PYTHON:
        rows.append(["MISSING", "python3", f"{text}; its waf needs one before 3.12: put such a python3 first in PATH"])
    else:
        rows.append(["ok", "python3", text])
    if waf:
        rows.append(["look", "warnings", "a compiler newer than the tree finds new ones: configure with --disable-werror"])
    elif release == (3, 37):
        rows.append(["look", "warnings", "-d optimized needs -DNS3_WARNINGS_AS_ERRORS=OFF: one of its own files warns at -O3"])
    return rows + [row for module in (install.RCC, install.RUN) for row in place_rows(tree, module, waf)] + configured(tree)


def place_rows(tree: str, module: install.Module, waf: bool) -> list:
    name = "contrib/" + module.name
    place = os.path.join(tree, name)
    if os.path.realpath(place) == os.path.realpath(module.source) and os.path.exists(place):
        if os.path.islink(place) and waf:
            return [["look", name, "a link to this folder; if waf finds no sources there: ./rcc install TREE --copy"]]
        return [["ok", name, "a link to this folder" if os.path.islink(place) else "this folder"]]
    if os.path.lexists(place):
        if not module.is_at(place):
            return [["MISSING", name, "something else is there: move it away"]]
        found = re.search(r'#define\s+RCC_VERSION\s+"([^"]+)"', read(os.path.join(place, "core", "cc", "rcc.h")))
        version = f", version {found.group(1)}" if found else ""
        return [["look", name, f"another copy of {module.name}{version}: ./rcc install TREE --copy brings it up to date"]]
    parent = next((p for p in (os.path.dirname(place), tree) if os.path.isdir(p)), tree)
    if not os.access(parent, os.W_OK):
        return [["MISSING", name, f"not there, and {parent} cannot be written"]]
    return [["look", name, "not there yet: ./rcc install TREE" + (" --copy" if waf else "")]]


def tree_command(tree: str) -> int:
    path = install.find_tree(tree)
    release = install.version_of(path)
    rows = tree_rows(path, release)
    print(f"{path}\n")
    print(align(rows, left=3))
    bad = [row[1] for row in rows if row[0] == "MISSING"]
    print()
    if bad:
        print("rcc cannot be built there as things are: " + ", ".join(bad))
        return EXIT_FAILED
    print("rcc can be built there")
    print(install.how_to_build(path, release))
    return 0


def add_arguments(parser) -> None:
    parser.add_argument("tree", nargs="?", default="", metavar="NS3_TREE", help="the top folder of an ns-3 source tree")


def command(args) -> int:
    packages.forget()
    return tree_command(args.tree) if args.tree else machine()


COMMAND = Command(
    description="Show what is installed, what is missing and what it would enable.\n"
        "Installs nothing. Exit status 1 if `./rcc run` cannot work as things are.\n"
        "For an ns-3 tree: its version and profile, whether rcc can be built there and how, what wants\n"
        "attention; exit status 1 if it cannot be built.",
    examples=[("./rcc doctor", "compilers, ns-3, Python modules, tools"),
        ("./rcc doctor ~/ns-3.43", "an ns-3 tree, before ./rcc install")],
    add_arguments=add_arguments,
    run=command)
