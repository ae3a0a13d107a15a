# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc test`: everything that the project checks, in stages; ends with the line `N passed, N failed`."""
from __future__ import annotations

import concurrent.futures
import functools
import glob
import json
import os
import re
import shutil
import sys
import tempfile
import time
from typing import NamedTuple, Optional

from cli.system import packages
from . import portability, source_tree
from cli.system.build import Build
from cli.common import EXIT_FAILED, ROOT, RccError, align, build_dir, nearest
from .outcome import WARNINGS, Outcome, run

COVERAGE_TARGET = 95.0
FUZZ_SECONDS = 20
HANG_SECONDS = 1800  # ends what hangs; a machine that does other work too may take ten times as long as a quiet one
# What a compiler may call by itself in freestanding code; the core may need nothing else from outside.
COMPILER_CALLS = re.compile(
    r"^(mem(cpy|set|move|cmp)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__u?(div|mod|divmod)[dt]i[34])$")
HEADERS = {"stdint.h", "stdbool.h", "stddef.h"}


class Builds:
    """Builds everything that the chosen stages need on one background thread, in the order in which the stages want it:
    while a stage tests on one core, the compiler uses the other."""

    def __init__(self) -> None:
        self.pool = concurrent.futures.ThreadPoolExecutor(max_workers=1)
        self.futures: dict = {}

    def want(self, variant: str, target: str) -> None:
        """One target (or all of them, "") of one build folder."""
        options = {"": {"RCC_WERROR": "ON"}, "sanitize": {"RCC_SANITIZE": "ON"}, "coverage": {"RCC_COVERAGE": "ON"}}
        if (variant, target) not in self.futures:
            make = Build(variant, options[variant]).make
            self.futures[variant, target] = self.pool.submit(make, [target] if target else None, True)

    def wait(self, variant: str, target: str) -> str:
        """"" or why the build failed."""
        self.want(variant, target)
        try:
            self.futures[variant, target].result()
        except RccError as error:
            return str(error)
        return ""

    def stop(self) -> None:
        for future in self.futures.values():
            future.cancel()
        self.pool.shutdown()


# ------------------------------------------------------------------------------------------------ the stages

def stage_build(outcome: Outcome, builds: Builds) -> None:
    trouble = builds.wait("", "")
    outcome.check(not trouble, "build with warnings as errors", trouble)


def stage_core_alone(outcome: Outcome, _builds: Builds) -> None:
    sources = sorted(glob.glob(os.path.join(ROOT, "core", "*", "*.c")))
    outcome.check(bool(sources), "core/*.c exist")
    headers = sorted(glob.glob(os.path.join(ROOT, "core", "*", "*.h")))
    own = {os.path.basename(p) for p in headers} | {"algorithms.def"}
    foreign = []
    for path in sources + headers:
        with open(path, encoding="utf-8") as f:
            for included in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', f.read(), re.MULTILINE):
                if included not in HEADERS | own:
                    foreign.append(f"{os.path.relpath(path, ROOT)}: {included}")
    outcome.check(not foreign, "core includes only stdint, stdbool, stddef and itself", "\n".join(foreign))
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    for absent in {"gcc", "clang"} - set(compilers):
        outcome.note(f"skipped with {absent}: not installed")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for compiler in compilers:
            for language, standard in (("c", "c11"), ("c++", "c++17")):
                for i, source in enumerate(sources):
                    target = os.path.join(scratch, f"{compiler}-{standard}-{i}.o")
                    words = [compiler, "-x", language, f"-std={standard}", "-O2", *WARNINGS, "-Icore/cc", "-c", source,
                             "-o", target]
                    name = f"{os.path.basename(source)} as {standard} with {compiler}"
                    jobs.append((name, pool.submit(run, words)))
        for name, job in jobs:
            status, output = job.result()
            outcome.check(status == 0, name, output)
        for compiler in compilers:
            check_library(outcome, compiler, len(sources), scratch)


def check_library(outcome: Outcome, compiler: str, count: int, scratch: str) -> None:
    """A static library of nothing but core/, and a user of it that knows nothing but rcc.h."""
    objects = [os.path.join(scratch, f"{compiler}-c11-{i}.o") for i in range(count)]
    library, user = os.path.join(scratch, f"lib{compiler}.a"), os.path.join(scratch, "user.c")
    with open(user, "w", encoding="utf-8") as f:
        f.write('#include "rcc.h"\nint main(void) { return rcc_find("dcqcn") == NULL; }\n')
    status, output = run(["ar", "rcs", library] + objects)
    if status == 0:
        status, output = run([compiler, "-std=c11", *WARNINGS, "-Icore/cc", user, library, "-o", user + ".out"])
    if status == 0:
        status, output = run([user + ".out"])
    outcome.check(status == 0, f"static library with {compiler}", output)
    status, output = run(["nm", "-g", library])
    symbols = [line.split()[-2:] for line in output.splitlines() if re.search(r" [A-Za-z] \S+$", line)]
    defined = {name for kind, name in symbols if kind != "U"}
    outside = sorted({name for kind, name in symbols if kind == "U"} - defined)
    outside = [name for name in outside if not COMPILER_CALLS.match(name)]
    outcome.check(status == 0 and not outside, f"library calls nothing outside ({compiler})", " ".join(outside) or output)
    # sections, not symbols: they show static variables inside functions too, and tell .data from .data.rel.ro
    status, output = run(["size", "-A", library])
    writable = re.findall(r"^(\.(?:data|bss|tdata|tbss)|COMMON)\s+([1-9]\d*)", output, re.MULTILINE)
    outcome.check(status == 0 and not writable, f"library has no variables of its own ({compiler})", output)


def add_libcheck(outcome: Outcome, status: int, output: str) -> None:
    """libcheck's own count: `100%: Checks: 54, Failures: 0, Errors: 0`, once per suite runner."""
    found = re.findall(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", output, re.MULTILINE)
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


def sanitizer_environment() -> dict:
    return {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "ASAN_OPTIONS": "abort_on_error=0",
            "CK_DEFAULT_TIMEOUT": "120"}


def stage_core_tests(outcome: Outcome, builds: Builds) -> None:
    trouble = builds.wait("sanitize", "core-tests")
    if trouble:
        outcome.check(False, "build with sanitizers", trouble)
        return
    status, output = run([os.path.join(build_dir("sanitize"), "core-tests")], timeout=300, env=sanitizer_environment())
    add_libcheck(outcome, status, output)


def stage_coverage(outcome: Outcome, builds: Builds) -> None:
    if not shutil.which("gcovr"):
        outcome.check(False, "coverage: gcovr is not installed")
        return
    trouble = builds.wait("coverage", "core-tests")
    if trouble:
        outcome.check(False, "build for coverage", trouble)
        return
    folder = build_dir("coverage")
    for old in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
        os.unlink(old)  # counts of earlier runs would add up
    status, output = run([os.path.join(folder, "core-tests")], timeout=300)
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


def stage_ns3(outcome: Outcome, builds: Builds) -> None:
    ns3_tests(outcome, builds, "")


def stage_ns3_sanitize(outcome: Outcome, builds: Builds) -> None:
    ns3_tests(outcome, builds, "sanitize")


def ns3_tests(outcome: Outcome, builds: Builds, variant: str) -> None:
    trouble = builds.wait(variant, "ns3-tests")
    if trouble:
        outcome.check(False, f"build {variant or 'release'}", trouble)
        return
    status, output = run([os.path.join(build_dir(variant), "ns3-tests")], timeout=HANG_SECONDS,
                         env=sanitizer_environment() if variant else None)
    lines = output.splitlines()
    passed = sum(line.startswith("PASS ") for line in lines)
    failures = [line for line in lines if line.startswith("FAIL ")]
    outcome.passed += passed
    outcome.failed += len(failures)
    if failures:
        outcome.lines += failures + ["     " + line for line in lines if not line.startswith(("PASS ", "FAIL "))][-30:]
    elif status or not passed:
        outcome.check(False, f"ns3-tests ended with status {status} after {passed} passed cases", output)


def stage_cli(outcome: Outcome, builds: Builds) -> None:
    builds.wait("", "")  # the end-to-end tests use the programs; they skip themselves if there are none
    paths = sorted(glob.glob(os.path.join(ROOT, "test", "cli", "test_*.py")), key=lambda p: (-os.path.getsize(p), p))

    def one(path: str) -> tuple:
        return run([sys.executable, "-m", "unittest", "discover", "-v", "-s", os.path.join("test", "cli"),
                    "-p", os.path.basename(path)], timeout=HANG_SECONDS)

    skipped: list = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (status, output) in zip(paths, pool.map(one, paths)):
            ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
            bad = sum(int(n) for n in re.findall(r"(?:failures|errors|unexpected successes)=(\d+)", output))
            lacking = sum(int(n) for n in re.findall(r"skipped=(\d+)", output))
            if not ran or (status and not bad):
                outcome.check(False, f"{os.path.relpath(path, ROOT)}: status {status}", output)
                continue
            outcome.passed += int(ran.group(1)) - bad - lacking
            outcome.failed += bad
            skipped += re.findall(r"skipped '([^']*)'", output)
            if bad:
                outcome.lines += output.strip().splitlines()[-60:]
    if skipped:
        outcome.note(f"{len(skipped)} skipped: " + ", ".join(sorted(set(skipped))))


def stage_reproduce(outcome: Outcome, builds: Builds) -> None:
    trouble = builds.wait("", "")
    if trouble:
        outcome.check(False, "build release", trouble)
        return
    with tempfile.TemporaryDirectory() as folder:
        status, output = run([sys.executable, os.path.join(ROOT, "rcc"), "reproduce", "--quick", "--strict", "--no-plots",
                              f"--out={folder}"], timeout=HANG_SECONDS)
        try:
            with open(os.path.join(folder, "published.json"), encoding="utf-8") as f:
                rows = json.load(f)["rows"]
        except (OSError, ValueError, KeyError):
            rows = []
    for row in rows:
        outcome.check(row["inside"], f"{row['id']}: published {row['published']}, measured {row['measured']}, "
                      f"band {row['band']}")
    if not rows or (status and not outcome.failed):
        outcome.check(False, f"reproduce --quick --strict ended with status {status}", output)


def stage_fuzz(outcome: Outcome, _builds: Builds) -> None:
    sources = sorted(glob.glob(os.path.join(ROOT, "test", "fuzz", "*.c")))
    core = sorted(glob.glob(os.path.join(ROOT, "core", "*", "*.c")))
    if not sources:
        outcome.check(False, "no fuzz targets in test/fuzz")
        return
    folder = build_dir("fuzz")
    os.makedirs(folder, exist_ok=True)
    common = ["-std=c11", "-g", "-O1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all", "-Icore/cc", "-Itest/fuzz"]
    real = bool(packages.probe.fuzzer())
    compiler = "clang" if real else next((c for c in ("clang", "gcc", "cc") if shutil.which(c)), "cc")
    if not real:
        outcome.note("libFuzzer is not installed: each target runs its built-in driver (RCC_FUZZ_STANDALONE)")

    def one(source: str) -> tuple:
        name = os.path.splitext(os.path.basename(source))[0]
        target = os.path.join(folder, name)
        kinds = ["-fsanitize=fuzzer,address,undefined"] if real else \
            ["-fsanitize=address,undefined", "-DRCC_FUZZ_STANDALONE"]
        status, output = run([compiler, *common, *kinds, source, *core, "-o", target], timeout=180)
        if status:
            return name, status, output, "does not compile"
        words = [target]
        if real:  # a fixed seed and no corpus: the same commit finds the same things
            words += ["-seed=1", f"-max_total_time={FUZZ_SECONDS}", "-print_final_stats=1",
                      f"-artifact_prefix={folder}/{name}-"]
        status, output = run(words, timeout=FUZZ_SECONDS * 4 + 60, env=sanitizer_environment())
        count = re.search(r"number_of_executed_units: (\d+)", output)
        return name, status, output, f"{count.group(1)} inputs" if count else "ran"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, output, what in pool.map(one, sources):
            outcome.check(status == 0, f"fuzz {name}: {what}, status {status}", output)
            if status == 0:
                outcome.note(f"{name}: {what}")


def stage_portability(outcome: Outcome, _builds: Builds) -> None:
    portability.stage(outcome)


def stage_tree(outcome: Outcome, builds: Builds, asked: bool = False) -> None:
    trouble = builds.wait("", "")
    if trouble:
        outcome.check(False, "build release", trouble)
        return
    source_tree.stage(outcome, asked, portability.algorithms())


def stage_own_algorithm(outcome: Outcome, builds: Builds) -> None:
    from . import own_algorithm
    own_algorithm.stage(outcome, builds)


def stage_tutorial(outcome: Outcome, builds: Builds) -> None:
    from . import own_algorithm
    own_algorithm.tutorial(outcome, builds)


def stage_manual(outcome: Outcome, builds: Builds) -> None:
    from . import manual_pages as manual_test
    manual_test.stage(outcome, builds)


class Stage(NamedTuple):
    name: str
    what: str
    function: object
    builds: list  # (variant, target) of the programs it uses


STAGES = [
    Stage("build", "release build with warnings as errors", stage_build, [("", "")]),
    Stage("core-alone", "core/ as C11 and C++17 with gcc and clang, and as a library of its own", stage_core_alone, []),
    Stage("portability", "core/ gives the same values on every compiler, word size and byte order", stage_portability, []),
    Stage("core-tests", "core/ unit tests under address and undefined-behaviour sanitizers", stage_core_tests,
          [("sanitize", "core-tests")]),
    Stage("coverage", f"line coverage of core/, at least {COVERAGE_TARGET:g} %", stage_coverage,
          [("coverage", "core-tests")]),
    Stage("ns3", "ns-3 test suites, release", stage_ns3, [("", "ns3-tests")]),
    Stage("ns3-sanitize", "ns-3 test suites under sanitizers", stage_ns3_sanitize, [("sanitize", "ns3-tests")]),
    Stage("cli", "the ./rcc command", stage_cli, [("", "")]),
    Stage("own-algorithm", "a copy with one file and one line more has another algorithm", stage_own_algorithm, [("", "")]),
    Stage("tutorial", "every command of doc/tutorial.md, in a copy", stage_tutorial, [("", "")]),
    Stage("manual", "Sphinx builds the manual without a warning, its program compiles and runs", stage_manual, [("", "")]),
    Stage("reproduce", "published results that must hold, beside their numbers", stage_reproduce, [("", "")]),
    Stage("fuzz", f"fuzzing of core/, {FUZZ_SECONDS} s per target", stage_fuzz, []),
    Stage("tree", "the module in an ns-3 source tree, asserts and logs on: suites, examples, the same series", stage_tree,
          [("", "")]),
]


def choose(only: Optional[list]) -> list:
    names = [name for text in only or [] for name in text.split(",")]
    known = [stage.name for stage in STAGES]
    for name in names:
        if name not in known:
            raise RccError(f"--only={name}: unknown stage{nearest(name, known)}; known: {', '.join(known)}")
    return [stage for stage in STAGES if not names or stage.name in names]


def command(only: Optional[list], listing: bool, tree: bool = False) -> int:
    if listing:
        print(align([[s.name, s.what] for s in STAGES], left=2))
        return 0
    stages = choose(only + ["tree"] if only and tree else only)
    # --only=tree asks for it too
    asked = functools.partial(stage_tree, asked=tree or bool(only))
    stages = [stage._replace(function=asked) if stage.name == "tree" else stage for stage in stages]
    packages.ensure(packages.TEST, optional={"python3-matplotlib", "clang", "libclang-rt-dev", "gcovr", "gcc", "tshark", "python3-sphinx"})
    builds = Builds()
    for stage in stages:
        for variant, target in stage.builds:
            builds.want(variant, target)
    passed = failed = 0
    width = max(len(stage.name) for stage in stages)
    started = time.monotonic()
    try:
        for stage in stages:
            begun = time.monotonic()
            outcome = Outcome()
            try:
                stage.function(outcome, builds)
            except Exception as error:  # pylint: disable=broad-except  # one broken stage must not hide the others
                outcome.check(False, f"{stage.name}: {type(error).__name__}: {error}")
            state = "FAIL" if outcome.failed else "ok  "
            print(f"{state} {stage.name:<{width}}  {outcome.passed:4d} passed  {outcome.failed:2d} failed  "
                  f"{time.monotonic() - begun:6.1f} s   {stage.what}", flush=True)
            for line in outcome.lines:
                print("       " + line)
            passed += outcome.passed
            failed += outcome.failed
    finally:
        builds.stop()
    print(f"{time.monotonic() - started:.0f} s in all")
    print(f"{passed} passed, {failed} failed", flush=True)
    return EXIT_FAILED if failed else 0
