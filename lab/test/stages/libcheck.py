# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""core-tests, the libcheck program of core/: as it is, under sanitizers, and for line coverage."""
from __future__ import annotations

import glob
import json
import os
import re
import shutil

from command.common import ROOT, align, build_dir

from . import without_lab
from .outcome import Outcome, run, sanitizer_environment

COVERAGE_TARGET = 95.0
CHECKS = r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)"


def fewer_rounds(divisor: int) -> dict:
    """Environment: randomised tests draw so many times fewer inputs than they would, as rounds() in test/core/helpers.h has it."""
    return {"RCC_TEST_ROUNDS_DIVISOR": str(divisor * int(os.environ.get("RCC_TEST_ROUNDS_DIVISOR", "1")))}


# All tests in one process: a thousand of them take a fifth of the time, under sanitizers most of it, and what they find ends the stage
# all the same; counts of lines would be merged by each process.
ONE_PROCESS = {"CK_FORK": "no"}


def core_tests(outcome: Outcome) -> None:
    """All tests; where one of them crashes, each in a process of its own, so that the output has its name."""
    program = [os.path.join(build_dir(), "core-tests")]
    status, output = run(program, timeout=600, env={**os.environ, **ONE_PROCESS})
    if not re.search(CHECKS, output, re.MULTILINE):
        status, output = run(program, timeout=600)
    add_libcheck(outcome, status, output)


def core_tests_sanitize(outcome: Outcome) -> None:
    """All tests with a tenth of their random inputs: sanitizers make them ten times slower."""
    status, output = run([os.path.join(without_lab.FOLDER, "core-tests")], timeout=600,
                         env={**sanitizer_environment(), **fewer_rounds(10), **ONE_PROCESS})
    add_libcheck(outcome, status, output)


def add_libcheck(outcome: Outcome, status: int, output: str) -> None:
    """libcheck's own count: `100%: Checks: 54, Failures: 0, Errors: 0`, once per suite runner."""
    found = re.findall(CHECKS, output, re.MULTILINE)
    if not found:
        outcome.check(False, f"core-tests: no result, status {status}", output)
        return
    checks = sum(int(c) for c, _, _ in found)
    bad = sum(int(f) + int(e) for _, f, e in found)
    outcome.passed += checks - bad
    outcome.failed += bad
    if bad:
        outcome.lines += [line for line in output.splitlines() if re.match(r"^\S+:\d+:[FE]:", line)][:40] or \
            output.splitlines()[-30:]
    if status and not bad:  # a sanitizer's report after the last check, for example
        outcome.check(False, f"core-tests: status {status} although all checks passed", output)


def coverage(outcome: Outcome) -> None:
    if not shutil.which("gcovr"):
        outcome.check(False, "coverage: gcovr is not installed")
        return
    folder = build_dir("coverage")
    for old in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
        os.unlink(old)  # counts of earlier runs would add up
    status, output = run([os.path.join(folder, "core-tests")], timeout=300, env={**os.environ, **fewer_rounds(10), **ONE_PROCESS})
    report = os.path.join(folder, "coverage.json")
    code, text = run(["gcovr", "--root", ROOT, "--filter", re.escape(os.path.join(ROOT, "core")) + "/",
                      "--object-directory", folder, "--json-summary", report, "--print-summary", folder])
    try:
        with open(report, encoding="utf-8") as f:
            summary = json.load(f)
    except (OSError, ValueError):
        outcome.check(False, f"coverage: no report (core-tests: {status}, gcovr: {code})", text + output[-2000:])
        return
    rows = [["file", "lines", "covered", "%"]]
    for entry in summary.get("files", []):
        rows.append([os.path.relpath(os.path.join(ROOT, entry["filename"]), ROOT), str(entry["line_total"]),
                     str(entry["line_covered"]), percent(entry)])
    rows.append(["all", str(summary["line_total"]), str(summary["line_covered"]), percent(summary)])
    outcome.lines += align(rows).splitlines()
    covered = 100.0 * summary["line_covered"] / summary["line_total"] if summary["line_total"] else 0.0
    outcome.check(covered >= COVERAGE_TARGET, f"line coverage of core/ {covered:.1f} %, wanted {COVERAGE_TARGET:g} %")


def percent(entry: dict) -> str:
    return f"{100.0 * entry['line_covered'] / entry['line_total']:.1f}" if entry["line_total"] else "-"
