# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Programs that judge by themselves and end with a status: golden runs, Doxygen, the installed core."""
from __future__ import annotations

import os
import re
import sys

from command.common import ROOT, build_dir

from .outcome import HANG_SECONDS, SKIPPED, Outcome, run


def golden(outcome: Outcome) -> None:
    """Every run of test/golden gives the recorded bytes."""
    golden_cases(outcome, [], {})


def golden_default(outcome: Outcome) -> None:
    """Some of them under ns-3's own simulator, from which RccSimulatorImpl must not differ."""
    names = ("incast-finite", "incast-pause", "captures", "leaf-spine", "capacity-reliable", "fan-in", "ns3-rdma", "hpcc")
    golden_cases(outcome, [f"--only={name}" for name in names],
                 {"NS_GLOBAL_VALUE": "SimulatorImplementationType=ns3::DefaultSimulatorImpl"})


def golden_cases(outcome: Outcome, options: list[str], environment: dict[str, str]) -> None:
    status, output = run([sys.executable, os.path.join(ROOT, "lab", "test", "golden", "golden.py"), *options], timeout=HANG_SECONDS,
                         env={**os.environ, **environment})
    cases = re.search(r"golden: \d+ files of (\d+) cases", output)
    if status == 0 and cases:
        outcome.passed += int(cases.group(1))
    else:
        outcome.check(False, f"golden runs: status {status}", output)


def doxygen(outcome: Outcome) -> None:
    """Public headers document everything."""
    status, output = run([sys.executable, os.path.join(ROOT, "lab", "test", "doc", "doxygen.py")], timeout=HANG_SECONDS)
    if status == SKIPPED:
        outcome.skip("Doxygen is not installed")
    else:
        outcome.check(status == 0, "Doxygen finds nothing undocumented", output)


def install(outcome: Outcome) -> None:
    """The core is installed without ns-3, and examples/c-host builds against it from the sources, with pkg-config and with CMake."""
    status, output = run([os.path.join(ROOT, "test", "install", "install-core.sh")], timeout=HANG_SECONDS)
    outcome.check(status == 0, "the installed core, used by examples/c-host", output)


def install_module(outcome: Outcome) -> None:
    """The module is installed out of the build, and a main in a folder of its own builds against it with CMake."""
    status, output = run([os.path.join(ROOT, "lab", "test", "install", "install-module.sh"), build_dir()], timeout=HANG_SECONDS)
    outcome.check(status == 0, "the installed module, used by a main of its own", output)
