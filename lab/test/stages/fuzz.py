# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Fuzz targets (lab/test/fuzz/targets.py), each with a number of inputs from a fixed seed and without the corpus of earlier runs: the same
commit finds the same things."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from command.common import ROOT, RccError
from command.system import probe

from .outcome import Outcome

sys.path.append(os.path.join(ROOT, "lab", "test", "fuzz"))
import targets  # noqa: E402

HANG_SECONDS = 600


def stage(outcome: Outcome, group: str) -> None:
    """`group`: a target in C, readers (C++) or python."""
    known = {"readers": targets.READERS, "python": targets.PYTHON}
    if not probe.fuzzer():
        if group == "readers":
            outcome.skip("libFuzzer is not installed")
            return
        if group != "python":
            outcome.note("libFuzzer is not installed: the target runs its built-in driver (RCC_FUZZ_STANDALONE)")
    for name in known.get(group, [group]):
        with tempfile.TemporaryDirectory() as corpus:
            try:
                result = targets.run(name, HANG_SECONDS, corpus, inputs=targets.INPUTS[name])
            except (RccError, subprocess.TimeoutExpired) as error:
                outcome.check(False, f"fuzz {name}", str(error))
                continue
            outcome.check(result.status == 0, f"fuzz {name}: status {result.status}", result.output)
            outcome.note(f"{name}: {result.executions} inputs, {result.edges} edges")
