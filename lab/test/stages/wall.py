# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The stage `wall` of ./rcc test: the module does without the lab. A copy without lab/ builds, its tests pass, its examples run."""
from __future__ import annotations

import glob
import os
import re
import sys

from command.common import ROOT, build_dir
from command.system import install
from command.system.build import JOBS, generator, locked

from .copies import style, sync
from .libcheck import fewer_rounds
from .outcome import HANG_SECONDS, Outcome, run

ROOMS = ("core", "model", "helper", "examples", "test", "cmake")
CODE = (".c", ".h", ".cc", ".def", ".cmake", "CMakeLists.txt")
LEAST = 35  # tests: of the core, each suite, each example


def stage(outcome: Outcome) -> None:
    check_names(outcome)
    place = build_dir("wall")
    with locked(place):
        build(outcome, os.path.join(os.path.realpath(place), "rcc"))


def check_names(outcome: Outcome) -> None:
    """No file of the module includes one of the lab, or names a path of it but a page to read on in. The build would not notice a
    test that reads one."""
    own = {os.path.basename(name) for name in install.RCC.files()}
    labs = {os.path.basename(name) for name in install.LAB.files() if name.endswith(".h")} - own
    found, seen = [], 0
    for name in install.RCC.files():
        if name.split("/")[0] not in ROOMS or not name.endswith(CODE):
            continue
        seen += 1
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            text = f.read()
        headers = re.findall(r'^\s*#\s*include\s*[<"](?:[^>"]*/)?([^>"/]+)[>"]', text, re.MULTILINE)
        found += [f"{name} includes {header}" for header in headers if header in labs]
        paths = re.findall(r'["(/ ](lab/[\w./-]*\w)', text)
        found += [f"{name} names {path}" for path in paths if not re.fullmatch(r"lab/(doc|studies)/[\w-]+\.md", path)]
    outcome.check(seen > 200 and len(labs) > 20, f"{seen} files of the module, {len(labs)} headers of the lab")
    outcome.check(not found, "no file of the module includes or names one of the lab", "\n".join(found))


def build(outcome: Outcome, copy: str) -> None:
    folder = os.path.join(copy, "build")
    os.makedirs(copy, exist_ok=True)
    sync(copy, keep=("build",), module=install.RCC)
    made = generator() if not os.path.exists(os.path.join(folder, "CMakeCache.txt")) else []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RCC_")}
    for words in (["cmake", *made, "-S", copy, "-B", folder, *style()],
                  ["cmake", "--build", folder, "-j", str(JOBS)],
                  ["cmake", "--build", folder, "-j", str(JOBS), "--target", "ns3-tests"]):
        status, output = run(words, timeout=HANG_SECONDS, env=environment)
        outcome.check(status == 0, "without lab/: " + " ".join(words), output)
        if status:
            return
    status, output = run(["ctest", "--test-dir", folder, "-j", str(JOBS), "--output-on-failure"], timeout=HANG_SECONDS,
                         env={**environment, **fewer_rounds(10)})
    passed = set(re.findall(r"Test +#\d+: (\S+) \.* +Passed", output))
    outcome.check(status == 0 and "100% tests passed" in output, f"without lab/: ctest, status {status}", output)
    outcome.check(len(passed) >= LEAST, f"without lab/: {len(passed)} tests passed, at least {LEAST} expected", output)
    examples = [os.path.basename(path)[:-len(".cc")] for path in glob.glob(os.path.join(copy, "examples", "*.cc"))]
    absent = [name for name in examples if "example-" + name not in passed]
    outcome.check(len(examples) >= 4 and not absent, "every program of examples/ is a test", " ".join(absent))
    status, output = run([sys.executable, os.path.join(copy, "rcc"), "run", "incast"], timeout=60, env=environment)
    outcome.check(status in (1, 2) and output.count("\n") == 1 and "lab is missing" in output, "./rcc says that the lab is missing", output)
