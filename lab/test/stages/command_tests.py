# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One file of lab/test/command, by unittest."""
from __future__ import annotations

import os
import re
import sys

from .outcome import HANG_SECONDS, Outcome, run


def stage(outcome: Outcome, name: str) -> None:
    """`name`: of the file, without its ending."""
    status, output = run([sys.executable, "-m", "unittest", "discover", "-v", "-s", os.path.join("lab", "test", "command"),
                          "-p", name + ".py"], timeout=HANG_SECONDS)
    ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
    bad = sum(int(n) for n in re.findall(r"(?:failures|errors|unexpected successes)=(\d+)", output))
    skipped = re.findall(r"skipped '([^']*)'", output)
    if not ran or (status and not bad):
        outcome.check(False, f"lab/test/command/{name}.py: status {status}", output)
        return
    outcome.passed += int(ran.group(1)) - bad - sum(int(n) for n in re.findall(r"skipped=(\d+)", output))
    outcome.failed += bad
    if bad:
        outcome.lines += output.strip().splitlines()[-60:]
    if skipped:
        outcome.note(f"{len(skipped)} skipped: " + ", ".join(sorted(set(skipped))))
        outcome.skipped = not outcome.passed + outcome.failed
