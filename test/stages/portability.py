# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A stage of `./rcc test`: the core on other compilers, word sizes and byte orders. One program (test/vectors) is built for
each and run, under qemu where the machine is another; all have to print the same bytes."""
from __future__ import annotations

import concurrent.futures
import glob
import os
import platform
import re
import shutil
import tempfile
from typing import NamedTuple, Optional

from cli.system import packages
from cli.common import ROOT
from .outcome import INCLUDES, WARNINGS, Outcome, run

# Undefined behaviour, wrong alignment included, ends the program. Needs no runtime library, so it works everywhere.
TRAP = ["-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
TIMEOUT = 300


class Target(NamedTuple):
    """A way to build the vectors. `needs`: the group of packages, see packages.targets()."""
    name: str
    words: list                # compiler and options
    emulator: str = ""         # of qemu-user
    needs: str = ""


REFERENCE = Target("cc -O2", ["cc", "-O2"])


def foreign(name: str, compiler: str, emulator: str, needs: str) -> list:
    return [Target(f"{name}, -O2", [compiler, "-static", "-O2"], emulator, needs),
            Target(f"{name}, traps", [compiler, "-static"] + TRAP, emulator, needs)]


def targets() -> list:
    return [
        Target("gcc -O0", ["gcc", "-O0"]),
        Target("gcc -O3 -flto", ["gcc", "-O3", "-flto"]),
        Target("gcc without __int128", ["gcc", "-O2", "-DRCC_NO_INT128"]),
        Target("gcc with sanitizers", ["gcc", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
        Target("clang -O0", ["clang", "-O0"]),
        Target("clang -O3", ["clang", "-O3"]),
        Target("32-bit x86, gcc -m32 -O2", ["gcc", "-m32", "-O2"], "", packages.X86),
        Target("32-bit x86, gcc -m32, traps", ["gcc", "-m32"] + TRAP, "", packages.X86),
        Target("32-bit x86, clang -m32 -O2", ["clang", "-m32", "-O2"], "", packages.X86),
        *foreign("aarch64 (64-bit, little-endian)", "aarch64-linux-gnu-gcc", "aarch64", "aarch64"),
        *foreign("s390x (64-bit, big-endian)", "s390x-linux-gnu-gcc", "s390x", "s390x")]


def build_and_run(target: Target, number: int, scratch: str) -> tuple:
    """(what the program printed or None, what is wrong)"""
    core = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "core", "*", "*.c")))
    program = os.path.join(scratch, f"vectors-{number}")
    status, output = run([*target.words, "-std=c11", *WARNINGS, "-Wcast-align", *INCLUDES, "test/vectors/vectors.c", *core,
                          "-o", program], timeout=TIMEOUT)
    if status:
        return None, f"does not compile (status {status})\n{output}"
    words = [program]
    if target.emulator:
        words.insert(0, shutil.which(f"qemu-{target.emulator}") or f"qemu-{target.emulator}-static")
    status, output = run(words, timeout=TIMEOUT)
    return (None, f"ended with status {status}\n{output[-2000:]}") if status else (output, "")


def first_difference(expected: str, found: str) -> str:
    """"" or the first line that differs, of both."""
    if expected == found:
        return ""
    ours, theirs = expected.splitlines(), found.splitlines()
    for number, (one, other) in enumerate(zip(ours, theirs), 1):
        if one != other:
            return f"line {number}\n{REFERENCE.name}: {one}\nhere: {other}"
    return f"{len(theirs)} lines, {len(ours)} with {REFERENCE.name}"


def algorithms() -> list:
    with open(os.path.join(ROOT, "core", "cc", "algorithms.def"), encoding="utf-8") as f:
        return [name.replace("_", "-") for name in re.findall(r"^RCC_ALGORITHM\((\w+)\)", f.read(), re.MULTILINE)]


def absent(target: Target, reasons: dict) -> Optional[str]:
    """Why this target cannot be tried, or None."""
    if target.needs == packages.X86 and platform.machine() != "x86_64":
        return f"this machine is {platform.machine()}"
    if target.needs in reasons:
        return reasons[target.needs].splitlines()[0]
    return None if shutil.which(target.words[0]) else f"{target.words[0]} is not installed"


def stage(outcome: Outcome) -> None:
    reasons = packages.ensure_some(packages.targets())
    chosen = []
    for target in targets():
        why = absent(target, reasons)
        if why:
            outcome.note(f"skipped {target.name}: {why}")
        else:
            chosen.append(target)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(build_and_run, target, i, scratch) for i, target in enumerate([REFERENCE] + chosen)]
        expected, trouble = jobs[0].result()
        traced = set(re.findall(r"^(\S+) \S+ \d+ rp \d+:", expected or "", re.MULTILINE))
        lacking = [name for name in algorithms() if name not in traced]
        outcome.check(not trouble and not lacking, f"vectors with {REFERENCE.name}", trouble or "no trace of " + ", ".join(lacking))
        if trouble:
            return
        for target, job in zip(chosen, jobs[1:]):
            found, trouble = job.result()
            outcome.check(not trouble and found == expected, f"same vectors: {target.name}",
                          trouble or first_difference(expected, found))
    outcome.note(f"{len(expected.splitlines())} lines of vectors compared on {len(chosen)} other targets")
