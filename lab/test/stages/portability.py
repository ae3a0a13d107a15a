# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A stage of `./rcc test`: the core on other compilers, word sizes and byte orders. One program (test/vectors) is built for
each and run, under qemu where the machine is another; all have to print the same bytes."""
from __future__ import annotations

import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import tempfile
from typing import NamedTuple, Optional

from command.system import packages, probe
from command.system.build import LOCK, locked
from command.common import ROOT, build_dir
from . import units
from .outcome import INCLUDES, WARNINGS, Outcome, run

# Undefined behaviour, wrong alignment included, ends the program. Needs no runtime library, so it works everywhere.
TRAP = ["-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
TIMEOUT = 300


class Target(NamedTuple):
    """A way to build the vectors. `needs`: the group of packages, see packages.targets()."""
    name: str
    words: list                # compiler and options
    emulator: str = ""         # a program of qemu-user
    needs: str = ""


REFERENCE = Target("cc -O2", ["cc", "-O2"])


def foreign(name: str, compiler: str, emulator: str, needs: str) -> Target:
    return Target(f"{name}, -O1", [compiler, "-static", "-O1"], emulator, needs)


def targets() -> list:
    """Undefined behaviour is looked for with 32 bits, where there is no __int128 either; with 64 the tests of the core run under
    sanitizers."""
    return [
        Target("gcc -O0", ["gcc", "-O0"]),
        Target("gcc -O3 -flto", ["gcc", "-O3", "-flto"]),
        Target("clang -O3", ["clang", "-O3"]),
        Target("32-bit x86, gcc -m32, traps", ["gcc", "-m32"] + TRAP, "", packages.X86),
        Target("32-bit x86, clang -m32 -O2", ["clang", "-m32", "-O2"], "", packages.X86),
        foreign("aarch64 (64-bit, little-endian)", "aarch64-linux-gnu-gcc", "aarch64", "aarch64"),
        foreign("s390x (64-bit, big-endian)", "s390x-linux-gnu-gcc", "s390x", "s390x")]


def digest(words: list) -> str:
    """Return the digest of a command that compiles the vectors, of its compiler, and of all files of the project that it may read."""
    found = hashlib.sha256(repr([words, run([words[0], "-v"])[1]]).encode())
    for path in sorted(path for part in ("core/*", "test/vectors", "test/core/wire") for path in glob.glob(os.path.join(ROOT, part, "*"))):
        with open(path, "rb") as f:
            found.update(path.encode() + b"\0" + f.read())
    return found.hexdigest()[:20]


def build_and_run(target: Target, folder: str) -> tuple:
    """(what the program printed or None, what is wrong, the program in `folder`, which is compiled where it is not there yet)"""
    words = [*target.words, "-std=c11", *WARNINGS, "-Wcast-align", *INCLUDES, "test/vectors/vectors.c"]
    program = os.path.join(folder, digest(words))
    if not os.path.exists(program):
        with tempfile.TemporaryDirectory() as scratch:
            status, output = run([*words, *units.write(scratch), "-o", program + ".new"], timeout=TIMEOUT)
        if status:  # two files may have a name in common
            status, output = run([*words, *units.sources(), "-o", program + ".new"], timeout=TIMEOUT)
        if status:
            return None, f"does not compile (status {status})\n{output}", program
        os.rename(program + ".new", program)
    words = [program]
    if target.emulator:
        words.insert(0, shutil.which(f"qemu-{target.emulator}") or f"qemu-{target.emulator}-static")
    status, output = run(words, timeout=TIMEOUT)
    return (None, f"ended with status {status}\n{output[-2000:]}", program) if status else (output, "", program)


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
    if target.needs == packages.X86 and os.uname().machine != "x86_64":
        return f"this machine is {os.uname().machine}"
    if target.needs == packages.X86 and not probe.runs_i386():
        return "the kernel runs no 32-bit programs"
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
    folder = build_dir("portability")
    with locked(folder), concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(build_and_run, target, folder) for target in [REFERENCE] + chosen]
        keep = {os.path.basename(job.result()[2]) for job in jobs} | {LOCK}
        for name in set(os.listdir(folder)) - keep:
            os.unlink(os.path.join(folder, name))
        expected, trouble, _ = jobs[0].result()
        traced = set(re.findall(r"^(\S+) \S+ \d+ rp \d+:", expected or "", re.MULTILINE))
        lacking = [name for name in algorithms() if name not in traced]
        outcome.check(not trouble and not lacking, f"vectors with {REFERENCE.name}", trouble or "no trace of " + ", ".join(lacking))
        if trouble:
            return
        for target, job in zip(chosen, jobs[1:]):
            found, trouble, _ = job.result()
            outcome.check(not trouble and found == expected, f"same vectors: {target.name}",
                          trouble or first_difference(expected, found))
    outcome.note(f"{len(expected.splitlines())} lines of vectors compared on {len(chosen)} other targets")
