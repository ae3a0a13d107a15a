# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One fuzz target of test/fuzz: built with every file of core/ and run for a fixed time from a fixed seed."""
from __future__ import annotations

import glob
import os
import re

from cli.common import ROOT, build_dir
from cli.system import probe

from .outcome import INCLUDES, Outcome, run, sanitizer_environment

SECONDS = 20


def stage(outcome: Outcome, name: str) -> None:
    """`name`: of the file in test/fuzz, without its ending."""
    core = sorted(glob.glob(os.path.join(ROOT, "core", "*", "*.c")))
    source = os.path.join(ROOT, "test", "fuzz", name + ".c")
    folder = build_dir("fuzz")
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, name)
    real = bool(probe.fuzzer())
    if real:
        kinds = ["clang", "-fsanitize=fuzzer,address,undefined"]
    else:
        outcome.note("libFuzzer is not installed: the target runs its built-in driver (RCC_FUZZ_STANDALONE)")
        kinds = [probe.first("clang", "gcc", "cc") or "cc", "-fsanitize=address,undefined", "-DRCC_FUZZ_STANDALONE"]
    status, output = run([*kinds, "-std=c11", "-g", "-O1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all", *INCLUDES,
                          "-Itest/fuzz", source, *core, "-o", target], timeout=300)
    if status:
        outcome.check(False, f"fuzz {name}: does not compile", output)
        return
    words = [target]
    if real:  # a fixed seed and no corpus: the same commit finds the same things
        words += ["-seed=1", f"-max_total_time={SECONDS}", "-print_final_stats=1", f"-artifact_prefix={folder}/{name}-"]
    status, output = run(words, timeout=SECONDS * 4 + 60, env=sanitizer_environment())
    count = re.search(r"number_of_executed_units: (\d+)", output)
    outcome.check(status == 0, f"fuzz {name}: status {status}", output)
    if status == 0 and count:
        outcome.note(f"{name}: {count.group(1)} inputs")
