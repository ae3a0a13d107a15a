# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc test`: install what is missing, configure, build, call ctest; ends with the line `N passed, N failed`."""
from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import time
from typing import Optional

from command.common import EXIT_FAILED, ROOT, RccError, align, build_dir, nearest, say
from command.system import packages, probe
from command.system.build import JOBS, Build
from command.system.guard import guarded

from .builds import cache

# packages that tests can do without; each test says so
OPTIONAL = {"python3-matplotlib", "python3-numpy", "clang", "libclang-rt-dev", "gcovr", "gcc", "tshark", "python3-sphinx", "doxygen",
            "clang-format", "flake8", "mypy", "tcc", "universal-ctags", "libopenmpi-dev", "openmpi-bin", "bzip2", "dpkg-dev",
            "ccache", "python3-protobuf", "python3-pandas"}
# ctest's labels, in the order of the closing table
STAGES = {
    "build": "release build with warnings as errors, and those of the lab's suites, for coverage and for ranks",
    "lint": "sizes of files and functions, import circles, licence lines, clang-format, flake8, mypy",
    "without-lab": "a copy of the module without the lab builds with its tests, which core-tests and ns3 run; its examples run",
    "core-alone": "core/ as C11, its headers as C++11 and C++17 too, with gcc and clang; a library of its own",
    "portability": "core/ gives the same values on every compiler, word size and byte order",
    "core-tests": "core/ unit tests, and a tenth of their random rounds under address and undefined-behaviour sanitizers",
    "coverage": "line coverage of core/, at least 95 %",
    "mutation": "the tests of core/ notice at least 95 % of a sample of small faults",
    "ns3": "ns-3 test suites under address and undefined-behaviour sanitizers, ns-3 asserts on",
    "cli": "the ./rcc command",
    "golden": "small runs of every scenario give the bytes of before",
    "own-algorithm": "a copy with one file and one line more has another algorithm",
    "tutorial": "every command of lab/doc/tutorial.md, in a copy",
    "first-hour": "what a new user does in the first hour, in a copy",
    "manual": "Sphinx builds the manual without a warning, its program compiles and runs",
    "doxygen": "public headers document everything",
    "reproduce": "published results that must hold, beside their numbers",
    "fuzz": "fuzzing of core/ and of the readers of files, a fixed number of inputs per target",
    "tree": "the module in an ns-3 source tree, asserts and logs on: suites, examples, the same series",
}


# targets of the release build for stages that do not need all of it
NEEDS = {"core-tests": ["core-tests"]}
PROGRAMS = ["rcc-run", "rcc-catalog", "rcc-bench"]  # programs that files of lab/test/command start; suites have a build of their own


def targets_of(only: Optional[list]) -> Optional[list]:
    """List the targets that have to be built for some stages; None: all targets."""
    names = choose(only)
    return [target for name in names for target in NEEDS[name]] if all(name in NEEDS for name in names) else None


def choose(only: Optional[list]) -> list:
    """The names of stages that --only asks for; all without it."""
    names = [name for text in only or [] for name in text.split(",")]
    for name in names:
        if name not in STAGES:
            raise RccError(f"--only={name}: unknown stage{nearest(name, list(STAGES))}; known: {', '.join(STAGES)}")
    return [name for name in STAGES if not names or name in names]


def pattern_of(names: list) -> str:
    """Return the pattern of ctest for tests by their names: files of lab/test/command, suites of C++."""
    known = {os.path.basename(path)[:-3] for path in glob.glob(os.path.join(ROOT, "lab", "test", "command", "test_*.py"))}
    for path in [*glob.glob(f"{ROOT}/test/*/*-test-suite.cc"), *glob.glob(f"{ROOT}/lab/run/test/*-test-suite.cc")]:
        with open(path, encoding="utf-8") as f:
            known.update(re.findall(r'RccTestSuite \w+\(\s*"([^"]+)"', f.read()))
    for name in names:
        if name not in known:
            raise RccError(f"{name}: unknown test{nearest(name, sorted(known))}; expected a file of lab/test/command or a suite of C++")
    return "^(cli-)?(" + "|".join(names) + ")$"


def tests() -> list:
    """Every test that ctest knows: (name, labels)."""
    done = subprocess.run(["ctest", "--test-dir", build_dir(), "--show-only=json-v1"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, check=False)
    try:
        known = json.loads(done.stdout)["tests"]
    except (ValueError, KeyError) as error:
        raise RccError(f"ctest knows no tests in {build_dir()}", EXIT_FAILED) from error
    return [(t["name"], next((p["value"] for p in t.get("properties", []) if p["name"] == "LABELS"), [])) for t in known]


def call_ctest(only: Optional[list], tree: bool, pattern: str = "") -> tuple:
    """(exit status, {test: what ctest says of it})"""
    words = ["ctest", "--test-dir", build_dir(), "-j", str(JOBS + 1), "--output-on-failure"]
    if pattern:
        words += ["-R", pattern]
    elif only:
        words += ["-L", "^(" + "|".join(choose(only)) + ")$"]
    environment = {**os.environ, "CTEST_OUTPUT_ON_FAILURE": "1"}
    if tree:
        environment["RCC_TEST_TREE"] = "1"
    said = {}
    with guarded(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment) as process:
        for line in process.stdout or []:
            found = re.match(r"\s*\d+/\d+ Test +#\d+: (\S+) \.*\s*(?:\*\*\*)?(Passed|Skipped|\S.*?)\s+[\d.]+ sec", line)
            if found:
                said[found.group(1)] = found.group(2)
            if not re.match(r"\s+Start +\d+:|Test project|Internal ctest|100% tests|\d+% tests|Label Time|.* sec\*proc|Total Test", line):
                print(line, end="", flush=True)
    return process.returncode, said


def count(said: dict) -> tuple:
    """(passed, failed, rows of the closing table, notes)"""
    stages: dict = {name: [0, 0, 0.0] for name in STAGES}
    notes = []
    for name, labels in tests():
        if name not in said:
            continue
        total = stages.setdefault(labels[0] if labels else "other", [0, 0, 0.0])
        try:
            with open(os.path.join(build_dir(), "test-results", name + ".json"), encoding="utf-8") as f:
                result = json.load(f)
        except (OSError, ValueError):
            result = {"passed": 0, "failed": 0, "cpu_s": 0.0, "lines": []}
        total[0] += result["passed"]
        # a test that was ended, or crashed, has left no count, and a count of no failure is not the last word
        total[1] += result["failed"] or int(said[name] not in ("Passed", "Skipped"))
        total[2] += result["cpu_s"]
        notes += [f"{name}: {line}" for line in result["lines"] if said[name] in ("Passed", "Skipped")]
    rows = [["FAIL" if bad else "ok" if good else "-", name, f"{good} passed", f"{bad} failed", f"{cpu:.0f} s", STAGES.get(name, "")]
            for name, (good, bad, cpu) in stages.items() if any(name in labels and test in said for test, labels in tests())]
    return sum(int(n) for n, _, _ in stages.values()), sum(int(n) for _, n, _ in stages.values()), rows, notes


def build(targets: Optional[list] = None) -> str:
    """Bring the release build up to date, or some targets as the folder is configured: all else would have to be compiled anew. What went
    wrong, "" if nothing did."""
    try:
        Build("", {} if targets else {"RCC_WERROR": "ON", **cache()}).make(targets, True)
    except RccError as error:
        return str(error)
    return ""


def command(only: Optional[list], listing: bool, tree: bool = False, names: Optional[list] = None) -> int:
    if listing:
        print(align([[name, what] for name, what in STAGES.items()], left=2))
        return 0
    choose(only)
    if names and only:
        raise RccError(f"{' '.join(names)} and --only={','.join(only)}: expected names of tests, or stages")
    pattern = pattern_of(names) if names else ""
    probe.forget()
    packages.hasty()
    started = time.monotonic()
    packages.ensure(packages.BUILDS_TESTS, optional=OPTIONAL)
    shutil.rmtree(os.path.join(build_dir(), "test-results"), ignore_errors=True)
    say("building (log: build/log.txt)")
    targets = (PROGRAMS if "(test_" in pattern or "|test_" in pattern else ["core-tests"]) if names else targets_of(only)
    more = [] if targets else [need for need in packages.TEST if need not in packages.BUILDS_TESTS]
    with packages.ensured_meanwhile(more, optional=OPTIONAL, groups=packages.targets() if more and "portability" in choose(only) else {}):
        trouble = build(targets)
    if trouble:
        trouble = build(targets)  # a compiler may have been replaced meanwhile
    if trouble:
        print(trouble, flush=True)  # the targets that were built are tested all the same
    print(f"packages and programs are there after {time.monotonic() - started:.0f} s", flush=True)
    # --only=tree asks for the tree too
    status, said = call_ctest(only, tree or "tree" in (only or []), pattern)
    passed, failed, rows, notes = count(said)
    failed += bool((trouble or status or not said) and not failed)
    print()
    print("\n".join(notes))
    if rows:
        print(align([[state, name, what, good, bad, cpu] for state, name, good, bad, cpu, what in rows], left=3))
    used = os.times()
    print(f"{time.monotonic() - started:.0f} s in all, {used.children_user + used.children_system:.0f} s of CPU time")
    print(f"{passed} passed, {failed} failed", flush=True)
    return EXIT_FAILED if failed else 0
