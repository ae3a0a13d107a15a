# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The stage `manual` of ./rcc test: Sphinx has nothing to complain of, the tables are the programs', the C++ program that the
manual shows compiles with what the release build made, and does what the text says."""
from __future__ import annotations

import glob
import json
import os
import re
import subprocess
import tempfile

from command.reference import manual
from command.system import probe
from command.system.build import cached, cxx_options
from command.common import ROOT, build_dir

LOADS = re.compile(r"""<(?:link|script|img|iframe|source|object)\b[^>]*?\b(?:href|src|data)=["'](?:https?:)?//[^"']*""", re.IGNORECASE)
STYLES = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//[^"')]*""", re.IGNORECASE)


def stage(outcome) -> None:
    if probe.sphinx():
        check_pages(outcome)
    else:
        outcome.note("skipped: Sphinx is not installed")
    check_program(outcome)


def check_pages(outcome) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trouble = manual.make(folder)
        outcome.check(not trouble, "Sphinx builds the manual without a warning", trouble)
        if trouble:
            return
        pages = {}
        for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
            if path.endswith((".html", ".css")):
                with open(path, encoding="utf-8", errors="replace") as f:
                    pages[os.path.relpath(path, folder)] = f.read()
    away = [f"{name}: {found}" for name, text in pages.items() for found in LOADS.findall(text) + STYLES.findall(text)]
    outcome.check(manual.PAGE in pages and not away, "the pages load nothing from elsewhere", "\n".join(away))
    table = pages.get("parameters.html", "")
    data = manual.data()
    wanted = [f["attribute"] for a in data["algorithms"] for f in a["fields"]] + \
        [f["name"] for attributes in data["classes"].values() for f in attributes]
    absent = [name for name in wanted if f">{name}<" not in table]
    outcome.check(len(wanted) > 100 and not absent, "every parameter and attribute is in the manual", " ".join(absent))


def program_text() -> str:
    """The C++ block that follows the comment in doc/rcc.rst."""
    with open(os.path.join(ROOT, "doc", "rcc.rst"), encoding="utf-8") as f:
        found = re.search(r"^\.\. program from here[^\n]*\n\n\.\. code-block:: cpp\n\n((?: {4}[^\n]*\n|\n)+)", f.read(), re.MULTILINE)
    return re.sub(r"^ {4}", "", found.group(1), flags=re.MULTILINE) if found else ""


def objects_of_the_module() -> list:
    """List the objects that the build compiles for the target rcc now: its folder also keeps objects of files that have moved since."""
    with open(os.path.join(build_dir(), "compile_commands.json"), encoding="utf-8") as f:
        commands = [entry["command"] for entry in json.load(f)]
    found = [re.search(r" -o (CMakeFiles/rcc\.dir/\S+\.o)", command) for command in commands]
    return [os.path.join(build_dir(), match.group(1)) for match in found if match]


def check_program(outcome) -> None:
    text = program_text()
    cache = cached(build_dir())
    objects = objects_of_the_module()
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "manual.cc"), os.path.join(folder, "manual")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        words = [cache.get("CMAKE_CXX_COMPILER", "c++"), *cxx_options(build_dir()), "-O0", "-Wall", "-Wextra", "-Werror", source, *objects,
                 os.path.join(build_dir(), "librcc-core.a"),
                 *[cache[f"NS3_{name}"] for name in ("core", "network", "bridge", "internet") if f"NS3_{name}" in cache],
                 "-Wl,-rpath," + os.path.dirname(cache.get("NS3_core", "")), "-o", target]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        outcome.check(bool(text) and done.returncode == 0, "the manual's program compiles", done.stdout)
        if done.returncode:
            return
        done = subprocess.run([target], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False)
        row = re.search(r"^dcqcn +([\d.]+) KB +([\d.]+) KB +([\d.]+) +([\d.]+)$", done.stdout, re.MULTILINE)
        mean, longest, used, jain = [float(value) for value in row.groups()] if row else [0.0] * 4
        outcome.check(done.returncode == 0 and 0 < mean < longest and 0.9 < used <= 1 and 0.9 < jain <= 1,
                      "the manual's program: DCQCN fills the link, evenly", done.stdout)
        with open(os.path.join(ROOT, "examples", "incast.cc"), encoding="utf-8") as f:
            outcome.check(text.strip() in f.read(), "the manual's program is examples/incast.cc")
