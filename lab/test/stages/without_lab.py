# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Build a copy of the module without lab/, with its tests, and run its examples: the stage `without-lab` of ./rcc test. It is the one build
with sanitizers: the stages core-tests and ns3 run the tests of that copy."""
from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile

from command.below import atomic_write
from command.common import ROOT, build_dir
from command.system import install, probe
from command.system.build import JOBS, STYLE, cached, generator, locked

from .builds import cache
from .copies import sync
from .outcome import HANG_SECONDS, Outcome, run, sanitizer_environment

PARTS = ("core", "model", "helper", "examples", "test", "cmake")
CODE = (".c", ".h", ".cc", ".def", ".cmake", "CMakeLists.txt")
LEAST = 35  # tests: of the core, each suite, each example
COPY = build_dir("without-lab")
SOURCE = os.path.join(COPY, "rcc")
FOLDER = os.path.join(SOURCE, "build")   # has the programs, as lab/test/CMakeLists.txt knows
MADE = os.path.join(COPY, "made.json")   # the state of the last copy that passed


def core(outcome: Outcome) -> None:
    """Configure the copy and build what C there is, with its tests: a stage that needs no more waits for no more."""
    with locked(COPY):
        if not made(outcome):
            steps(outcome, "without lab/", options(), "core-tests")


def stage(outcome: Outcome) -> None:
    check_names(outcome)
    with locked(COPY):
        if not made(outcome) and steps(outcome, "without lab/", options()):
            check_tests(outcome)
            if not outcome.failed:
                with atomic_write(MADE) as f:
                    json.dump(state(), f)


def made(outcome: Outcome) -> bool:
    """Return True if the copy is up to date; otherwise make it like the project, without lab/."""
    now = state()
    if read_made() == now:
        outcome.check(True, "built before")
        outcome.note("built before: nothing that it consists of has changed")
        return True
    compiler = cached(FOLDER).get("CMAKE_CXX_COMPILER", "")
    if compiler and ("clang" in compiler) != ("-DCMAKE_CXX_COMPILER=clang++" in now["options"]):
        shutil.rmtree(SOURCE, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(MADE)
    os.makedirs(SOURCE, exist_ok=True)
    shutil.rmtree(os.path.join(SOURCE, "lab"), ignore_errors=True)  # empty folders would stay
    sync(SOURCE, keep=("build",), module=install.RCC)
    return False


def with_run(outcome: Outcome) -> None:
    """lab/run without the rest of lab/, built beside the module in that copy, so that the module is compiled once. It simulates its own
    run files."""
    with locked(COPY):
        sync(os.path.join(SOURCE, "lab", "run"), module=install.RUN)
        if steps(outcome, "with lab/run", [], "run-tests", "rcc-run"):
            check_runs(outcome)


def check_runs(outcome: Outcome) -> None:
    """The golden runs of lab/run/test/golden give the sums that stand there."""
    folder = os.path.join(SOURCE, "lab", "run", "test", "golden")
    with open(os.path.join(folder, "sums.txt"), encoding="ascii") as f:
        wanted = [line.split() for line in f]
    names = sorted({name for _, name, _ in wanted})
    outcome.check(len(names) >= 8, f"{len(names)} golden runs")
    for name in names:
        with tempfile.TemporaryDirectory() as out:
            status, output = run([os.path.join(FOLDER, "rcc-run"), os.path.join(folder, f"{name}.run"), f"--out={out}"],
                                 timeout=HANG_SECONDS, env=environment())
            found = [[digest(os.path.join(out, file)), name, file] for file in sorted(os.listdir(out)) if file != "run.json"]
        outcome.check(status == 0 and found == [line for line in wanted if line[1] == name], f"{name}.run, status {status}",
                      output + str(found))


def digest(path: str) -> str:
    """Return the sha256 of a file."""
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def options() -> list:
    """Return the options of cmake; they choose clang where it works, which compiles sanitizers in less than half of the time of gcc."""
    clang = {"RCC_WERROR": "ON", "CMAKE_C_COMPILER": "clang", "CMAKE_CXX_COMPILER": "clang++"}
    chosen = {**STYLE, "RCC_SANITIZE": "ON", **(clang if probe.tool(("clang++",), "--version") and probe.fuzzer() else {}), **cache()}
    return [f"-D{name}={value}" for name, value in chosen.items()]


def state() -> dict:
    """Return the options of the copy's build, and a digest of its sources."""
    found = hashlib.sha256(repr([run([tool, "--version"]) for tool in ("cmake", "clang++", "c++")] + [probe.ns3("")]).encode())
    for name in sorted(install.RCC.files()):
        with open(os.path.join(ROOT, name), "rb") as f:
            found.update(name.encode() + b"\0" + f.read() + b"\0")
    return {"options": options(), "digest": found.hexdigest()}


def read_made() -> dict:
    try:
        with open(MADE, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def check_names(outcome: Outcome) -> None:
    """No file of the module includes one of the lab, or names a path of it. The build would not notice a test that reads one."""
    own = {os.path.basename(name) for name in install.RCC.files()}
    labs = {os.path.basename(name) for name in install.RUN.files() if name.endswith(".h")} - own
    found, seen = [], 0
    for name in install.RCC.files():
        if name.split("/")[0] not in PARTS or not name.endswith(CODE):
            continue
        seen += 1
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            text = f.read()
        headers = re.findall(r'^\s*#\s*include\s*[<"](?:[^>"]*/)?([^>"/]+)[>"]', text, re.MULTILINE)
        found += [f"{name} includes {header}" for header in headers if header in labs]
        paths = re.findall(r'["(/ ](lab/[\w./-]*\w)', text)
        found += [f"{name} names {path}" for path in paths]
    outcome.check(seen > 200 and len(labs) > 20, f"{seen} files of the module, {len(labs)} headers of lab/run")
    outcome.check(not found, "no file of the module includes or names one of the lab", "\n".join(found))


def steps(outcome: Outcome, what: str, given: list, *targets: str) -> bool:
    """Configure and build; what RCC_ variables say of the project does not hold for the copy."""
    if not os.path.exists(os.path.join(FOLDER, "CMakeCache.txt")):
        given = generator() + given
    for words in (["cmake", *given, "-S", SOURCE, "-B", FOLDER],
                  ["cmake", "--build", FOLDER, "-j", str(JOBS), *(["--target", *targets] if targets else [])]):
        status, output = run(words, timeout=HANG_SECONDS, env=environment())
        outcome.check(status == 0, f"{what}: {' '.join(words)}", output)
        if status:
            return False
    return True


def environment() -> dict:
    return {name: value for name, value in sanitizer_environment().items() if not name.startswith("RCC_")}


def check_tests(outcome: Outcome) -> None:
    status, output = run(["ctest", "--test-dir", FOLDER, "--show-only"], env=environment())
    tests = re.findall(r"Test +#\d+: (\S+)", output)
    outcome.check(status == 0 and len(tests) >= LEAST, f"without lab/: {len(tests)} tests, at least {LEAST} expected", output)
    status, output = run(["ctest", "--test-dir", FOLDER, "-j", str(JOBS), "--output-on-failure", "-R", "^example-"], timeout=HANG_SECONDS,
                         env=environment())
    passed = set(re.findall(r"Test +#\d+: (\S+) \.* +Passed", output))
    outcome.check(status == 0 and "100% tests passed" in output, f"without lab/: examples, status {status}", output)
    examples = [os.path.basename(path)[:-len(".cc")] for path in glob.glob(os.path.join(SOURCE, "examples", "*.cc"))]
    absent = [name for name in examples if "example-" + name not in passed]
    outcome.check(len(examples) >= 4 and not absent, "every program of examples/ is a test", " ".join(absent))
    status, output = run([sys.executable, os.path.join(SOURCE, "rcc"), "run", "incast"], timeout=60, env=environment())
    outcome.check(status in (1, 2) and output.count("\n") == 1 and "lab is missing" in output, "./rcc says that the lab is missing", output)
