# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One file of lab/test/command, by unittest."""
from __future__ import annotations

import atexit
import os
import re
import select
import signal
import sys
import threading
import time
import traceback
from typing import List, Optional

from command.common import ROOT
from .outcome import HANG_SECONDS, Outcome


def discover(words: List[str]) -> int:
    """`python3 -m unittest discover WORDS` in this process. Returns its exit status."""
    own = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, "lab"), os.path.join(ROOT, "lab", "test")]
    sys.path[:] = [ROOT] + [path for path in sys.path if path not in own]
    sys.argv = ["python3 -m unittest", "discover", *words]
    os.chdir(ROOT)
    try:
        import unittest
        unittest.main(module=None)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
    return 1


def forked(words: List[str], timeout: float) -> tuple:
    """(exit status, stdout and stderr together) of discover() in a process of its own, which is this one's copy: to start another
    interpreter would take a tenth of a second, and there are eighty files."""
    sys.stdout.flush()
    sys.stderr.flush()
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(theirs, 1)
        os.dup2(theirs, 2)
        os.closerange(3, 256)
        status = discover(words)
        threading._shutdown()  # type: ignore[attr-defined]  # pylint: disable=protected-access
        atexit._run_exitfuncs()  # pylint: disable=protected-access
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # pylint: disable=protected-access
    os.close(theirs)
    end = time.monotonic() + timeout
    output = bytearray()
    late = False
    while True:
        late = not select.select([ours], [], [], max(0.0, end - time.monotonic()))[0]
        data = b"" if late else os.read(ours, 65536)
        if not data:
            break
        output += data
    os.close(ours)
    if late:
        os.kill(pid, signal.SIGKILL)
        output += b"\ntimed out"
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return 124 if late else status, output.decode("utf-8", "replace")


def counts(output: str) -> Optional[tuple]:
    """(passed, failed) of what unittest has written, or None of one that did not end. Subtests that fail are one test that failed."""
    ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
    if not ran:
        return None
    bad = len(set(re.findall(r"^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S+ \([^)]*\))", output, re.MULTILINE)))
    inside = len(set(re.findall(r"^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (test\S* \([^)]*\))", output, re.MULTILINE)))
    return int(ran.group(1)) - inside - sum(int(n) for n in re.findall(r"skipped=(\d+)", output)), bad


def stage(outcome: Outcome, name: str) -> None:
    """`name`: of the file, without its ending."""
    status, output = forked(["-v", "-s", os.path.join("lab", "test", "command"), "-p", name + ".py"], HANG_SECONDS)
    found = counts(output)
    skipped = re.findall(r"skipped '([^']*)'", output)
    if not found or (status and not found[1]):
        outcome.check(False, f"lab/test/command/{name}.py: status {status}", output)
        return
    outcome.passed += found[0]
    outcome.failed += found[1]
    if found[1]:
        outcome.lines += output.strip().splitlines()[-60:]
    if skipped:
        outcome.note(f"{len(skipped)} skipped: " + ", ".join(sorted(set(skipped))))
        outcome.skipped = not outcome.passed + outcome.failed
