# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""core/ alone: sources as C11, public headers as C++11 and C++17 too, with gcc and clang; nothing included but three standard headers,
a library that calls nothing outside and has no variables of its own."""
from __future__ import annotations

import concurrent.futures
import glob
import os
import re
import shutil
import tempfile

from command.common import ROOT

from . import units
from .outcome import INCLUDES, WARNINGS, Outcome, run

# Functions that a compiler may call by itself in freestanding code; the core may need nothing else from outside.
COMPILER_CALLS = re.compile(
    r"^(mem(cpy|set|move|cmp)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__u?(div|mod|divmod)[dt]i[34])$")
HEADERS = {"stdint.h", "stdbool.h", "stddef.h"}


def compiled(compiler: str, unit: str, target: str) -> tuple:
    """(exit status, output) of the compilation of one of units.write() into `target`.o; a file alone where two have a name in common."""
    words = [compiler, "-std=c11", "-O1", *WARNINGS, *INCLUDES]
    status, output = run([*words, "-c", unit, "-o", target + ".o"])
    if status:
        with open(unit, encoding="utf-8") as f:
            sources = re.findall('"(.+)"', f.read())
        objects = [f"{target}.{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, objects):
            status, output = run([*words, "-c", source, "-o", made])
            if status:
                return status, output
        status, output = run(["ld", "-r", *objects, "-o", target + ".o"])
    return status, output


def users(headers: list, scratch: str) -> list:
    """(what is compiled, language, standard, file): each header alone as C; all of them as C++, where what one needs is there by then."""
    found = [(os.path.basename(header), "c", "c11", [header]) for header in headers]
    found += [("headers", "c++", standard, headers) for standard in ("c++11", "c++17")]
    made = []
    for number, (name, language, standard, included) in enumerate(found):
        path = os.path.join(scratch, f"{number}.user")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(f'#include "{header}"\n' for header in included)
        made.append((name, language, standard, path))
    return made


def stage(outcome: Outcome) -> None:
    sources = units.sources()
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
        made = units.write(scratch)
        given = users([path for path in headers if os.path.basename(path).startswith("rcc")], scratch)
        for compiler in compilers:
            for i, unit in enumerate(made):
                target = os.path.join(scratch, f"{compiler}-{i}")
                jobs.append((f"unit {i} of core/ with {compiler}", pool.submit(compiled, compiler, unit, target)))
            for name, language, standard, user in given:
                words = [compiler, "-x", language, f"-std={standard}", *WARNINGS, *INCLUDES, "-fsyntax-only", user]
                jobs.append((f"{name} as {standard} with {compiler}", pool.submit(run, words)))
        for name, job in jobs:
            status, output = job.result()
            outcome.check(status == 0, name, output)
        for compiler in compilers:
            check_library(outcome, compiler, len(made), scratch)


def check_library(outcome: Outcome, compiler: str, count: int, scratch: str) -> None:
    """A static library of nothing but core/, and a user of it that knows nothing but rcc.h."""
    objects = [os.path.join(scratch, f"{compiler}-{i}.o") for i in range(count)]
    library, user = os.path.join(scratch, f"lib{compiler}.a"), os.path.join(scratch, "user.c")
    with open(user, "w", encoding="utf-8") as f:
        f.write('#include "rcc.h"\nint main(void) { return rcc_find("dcqcn") == NULL; }\n')
    status, output = run(["ar", "rcs", library] + objects)
    if status == 0:
        status, output = run([compiler, "-std=c11", *WARNINGS, *INCLUDES, user, library, "-o", user + ".out"])
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
