# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A process between this command and a program that starts others, as cmake and ctest do. It ends all of them when it is told to end, and
when the command has ended, in whatever way: a signal to the command, or to cmake, reaches cmake alone.

    python3 guard.py PID_OF_THE_COMMAND WORD..."""
from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import Any, Iterator

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 5.0   # for what a program removes before it ends, as make removes an object that is half written


class Told(BaseException):
    """The process is to end."""


@contextlib.contextmanager
def guarded(words: list, **streams) -> Iterator[Any]:
    """Start a program under guard. A context: it gives the process, and waits for its end; an exception ends all that runs."""
    import subprocess
    # in a session of its own: a Ctrl-C of the terminal must not reach the programs twice
    with subprocess.Popen([sys.executable, "-I", "-S", os.path.abspath(__file__), str(os.getpid()), *words], stdin=subprocess.DEVNULL,
                          start_new_session=True, **streams) as process:
        try:
            yield process
        except BaseException:
            process.terminate()
            process.wait()
            raise


def parents() -> dict:
    """Return the parent of every process of this machine; {} where there is no /proc."""
    found = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        with contextlib.suppress(OSError, ValueError):
            with open(f"/proc/{int(name)}/stat", encoding="utf-8", errors="replace") as f:
                found[int(name)] = int(f.read().rpartition(")")[2].split()[1])
    return found


def descendants(child: int) -> list:
    """Return the processes below this one; `child` is one of them, unless it is 0."""
    known = parents()
    found = [child] if child else []
    for one in [os.getpid(), *found] if known else []:
        found += [pid for pid, parent in known.items() if parent == one and pid not in found]
    return found


def tell_all(child: int, number: int) -> None:
    """Send a signal to all processes below this one, and wake those that are stopped."""
    for pid in descendants(child):
        for each in (number, signal.SIGCONT):
            with contextlib.suppress(OSError):
                os.kill(pid, each)


def end_all(child: int) -> None:
    """End all processes below this one, as Ctrl-C does, and wait for them. One without a parent is a child of this one (subreaper)."""
    tell_all(child, signal.SIGINT)
    last = time.monotonic() + GRACE_SECONDS
    with contextlib.suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
            if time.monotonic() > last:
                tell_all(child, signal.SIGKILL)
            time.sleep(0.02)


def prepare(parent: int) -> None:
    """Have this process told when the command ends, and made the parent of processes below it that lose theirs; on Linux."""
    import ctypes   # here: who builds nothing does not wait for it
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise Told


def main(parent: str, *words: str) -> int:
    """Run the program. Returns its exit status, or 128 and its signal."""
    def tell(_number, _frame) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)   # not ignored: a child would ignore it too
        raise Told

    child = 0
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, tell)
        prepare(int(parent))
        try:
            child = os.posix_spawnp(words[0], words, os.environ)
        except OSError as error:
            print(f"{words[0]}: {error.strerror}", file=sys.stderr)
            return 127
        while True:
            pid, status = os.wait()
            if pid == child:
                return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    except Told:
        end_all(child)
        return 130


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
