# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The processes of simulations: several at once, live progress on a terminal, Ctrl-C that keeps partial results."""
from __future__ import annotations

import collections
import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from typing import Any, Callable, Iterator, Optional

from ..common import PARENT, duration, end_with_parent, say, si_count

REDRAW_SECONDS = 0.2
MANY_JOBS = 12
WAKE_SECONDS = 0.5         # between the signals that wake stopped programs once they are to end
RATE_WINDOW_SECONDS = 5.0  # packets/s and time left are taken over the last few seconds
TUNABLES = "GLIBC_TUNABLES"
LAUNCHER = "mpirun"        # the launcher of programs that simulate in several ranks
HUGE_PAGES = "glibc.malloc.hugetlb"


def environment() -> dict:
    """Return the environment of programs: glibc takes their heap in pages of 2 MiB if the system has them (lab/doc/performance.md),
    unless the user has set that option."""
    chosen = os.environ.get(TUNABLES, "")
    if HUGE_PAGES in chosen:
        return dict(os.environ)
    return {**os.environ, TUNABLES: ":".join(filter(None, [chosen, HUGE_PAGES + "=1"]))}


@contextlib.contextmanager
def caught(handler: Callable) -> Iterator[None]:
    """Call `handler` for the signals that end a command during the body of the `with`: Ctrl-C each time, a kill or a closed terminal at the
    first signal only, as `timeout` sends SIGTERM to the command and to its group."""
    old = {}
    seen = []

    def hear(number: int, frame: Any) -> None:
        seen.append(number)
        if number == signal.SIGINT or len(seen) == 1:
            handler(number, frame)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # nohup's wish is kept. An ignored SIGINT is not: shells give that to every background job, and a
        # SIGINT that is then sent is meant.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            old[number] = signal.signal(number, hear)
    try:
        yield
    finally:
        for number, before in old.items():
            signal.signal(number, before)


def start(words: list, **streams) -> subprocess.Popen:
    """Start a program that simulates, which is killed when this process ends, in whatever way. In a session of its own: a terminal's
    Ctrl-C must not reach it by itself, or it would count twice."""
    ours = words[0] != LAUNCHER
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=None if ours else end_with_parent(),
                            env={**environment(), **({PARENT: str(os.getpid())} if ours else {})}, **streams)


class Job:
    """One algorithm's simulation: a process and what is known of its progress."""

    def __init__(self, name: str, words: list, label: str = "", cost: float = 1.0):
        """`label`: what progress calls it, if not its name. `cost`: its expected time, in any unit, beside that of the others."""
        self.name = name
        self.words = words
        self.label = label or name
        self.cost = cost
        self.process: Optional[subprocess.Popen] = None
        self.status: Optional[int] = None  # None: not started, or still running
        self.errors: list = []             # lines of its stderr
        self.fraction = 0.0
        self.history: collections.deque = collections.deque()  # (wall-clock time, fraction, packets)
        self.started = self.ended = 0.0
        self._rest = {"stdout": b"", "stderr": b""}

    def start(self) -> None:
        self.process = start(self.words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started = time.monotonic()

    def read(self, stream: str, data: bytes) -> None:
        lines = (self._rest[stream] + data).split(b"\n")
        self._rest[stream] = lines.pop()
        for raw in lines:
            line = raw.decode("utf-8", "replace")
            if stream == "stderr":
                self.errors.append(line)
            elif line.startswith("progress "):
                self._progress(line.split())

    def finish(self) -> None:
        """Wait for the process, whose pipes have ended."""
        if self._rest["stderr"]:
            self.read("stderr", b"\n")
        self.status = self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        self.ended = time.monotonic()

    def _progress(self, words: list) -> None:
        try:
            fraction, packets = float(words[1]), float(words[2])
        except (IndexError, ValueError):
            return
        now = time.monotonic()
        self.fraction = min(max(fraction, 0.0), 1.0)
        self.history.append((now, self.fraction, packets))
        while len(self.history) > 2 and now - self.history[0][0] > RATE_WINDOW_SECONDS:
            self.history.popleft()

    def line(self, name_width: int) -> str:
        """Return a line with the fraction, packets per second and the time left."""
        name = self.label.ljust(name_width)
        if self.process is None:
            return f"{name}  waiting"
        if self.status is not None:
            text = "done" if self.status == 0 else "stopped" if self.status == 130 else "deadlock" if self.status == 3 \
                else f"failed ({self.status})"
            return f"{name}  {text} after {duration(self.ended - self.started)}"
        filled = int(self.fraction * 24)
        text = f"{name}  [{'#' * filled}{'.' * (24 - filled)}] {self.fraction * 100:3.0f} %"
        if len(self.history) >= 2:
            (t0, f0, p0), (t1, f1, p1) = self.history[0], self.history[-1]
            if t1 > t0:
                text += f"  {si_count((p1 - p0) / (t1 - t0)) if p1 > p0 else '0'} packets/s"
            if f1 > f0:
                left = (1 - f1) * (t1 - t0) / (f1 - f0) - (time.monotonic() - t1)
                text += f"  {duration(left)} left"
        else:
            text += "  setting up"
        return text


class Display:
    """One line per job, redrawn in place on stderr; nothing at all unless that is a terminal. Of many jobs, only those
    that run, and a count."""

    def __init__(self, jobs: list):
        self.jobs = jobs
        self.on = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.drawn = 0
        self.next = 0.0
        self.began = time.monotonic()

    def total(self) -> str:
        """Return the progress of all jobs together: number, per cent, time left."""
        share = sum(job.cost * (1.0 if job.status is not None else job.fraction) for job in self.jobs) / sum(job.cost for job in self.jobs)
        text = f"{sum(job.status is not None for job in self.jobs)} of {len(self.jobs)} done  {100 * share:.0f} %"
        return text + (f"  {duration((time.monotonic() - self.began) * (1 - share) / share)} left" if share > 0.01 else "")

    def draw(self, force: bool = False) -> None:
        if not self.on or (not force and time.monotonic() < self.next):
            return
        self.next = time.monotonic() + REDRAW_SECONDS
        columns = shutil.get_terminal_size().columns
        shown = self.jobs
        lines = []
        if len(self.jobs) > MANY_JOBS:
            shown = [job for job in self.jobs if job.process is not None and job.status is None]
            lines = [self.total()[:columns - 1] + "\x1b[K\n"]
        width = max((len(job.label) for job in shown), default=0)
        up = f"\x1b[{self.drawn}A" if self.drawn else ""
        lines += [job.line(width)[:columns - 1] + "\x1b[K\n" for job in shown]
        rest = "\x1b[J" if len(lines) < self.drawn else ""
        sys.stderr.write(up + "".join(lines) + rest)
        sys.stderr.flush()
        self.drawn = len(lines)

    def clear(self) -> None:
        """Remove the lines."""
        if self.on and self.drawn:
            sys.stderr.write(f"\x1b[{self.drawn}A\x1b[J")
            sys.stderr.flush()
            self.drawn = 0


class Runner:
    """A runner of jobs, at most one per processor at a time."""

    def __init__(self, jobs: list, limit: Optional[int] = None, done: Optional[Callable] = None, show: Optional[Callable] = None,
                 quiet: bool = False):
        self.jobs = jobs
        self.done = done  # called with each job as it ends
        self.show = show  # called with all jobs, again and again
        self.limit = limit or os.cpu_count() or 1
        self.interrupts = 0
        self.told = 0
        self.wake = 0.0
        self.display = Display(jobs)
        self.display.on = self.display.on and not quiet

    def run(self) -> bool:
        """Run all jobs. True if the user interrupted them."""
        with caught(self._on_signal):
            try:
                self._loop()
            finally:
                for job in self._running():  # only after an exception of our own
                    job.process.kill()
                self.display.clear()
        return self.interrupts > 0

    def _on_signal(self, _number, _frame) -> None:
        self.interrupts += 1

    def _running(self) -> list:
        return [job for job in self.jobs if job.process is not None and job.status is None]

    def _loop(self) -> None:
        waiting = list(self.jobs)
        open_streams = collections.Counter()
        with selectors.DefaultSelector() as selector:
            while True:
                self._pass_on_interrupt()
                while waiting and not self.interrupts and len(self._running()) < self.limit:
                    job = waiting.pop(0)
                    job.start()
                    for stream in ("stdout", "stderr"):
                        selector.register(getattr(job.process, stream), selectors.EVENT_READ, (job, stream))
                        open_streams[job] += 1
                if not self._running():
                    return
                self.display.draw()
                if self.show:
                    self.show(self.jobs)
                # the time-out bounds how long a signal can wait: select() resumes after a handler has run
                for key, _ in selector.select(timeout=0.1):
                    job, stream = key.data
                    data = os.read(key.fd, 65536)
                    if data:
                        job.read(stream, data)
                        continue
                    selector.unregister(key.fileobj)
                    open_streams[job] -= 1
                    if not open_streams[job]:
                        job.finish()
                        if self.done:
                            self.done(job)
                        self.display.draw(force=True)

    def _pass_on_interrupt(self) -> None:
        """First interrupt: ask the programs to stop and write what they have, once each. Second: end them."""
        if self.told and time.monotonic() >= self.wake:  # a stopped program takes no notice of any other signal
            self.wake = time.monotonic() + WAKE_SECONDS
            for job in self._running():
                job.process.send_signal(signal.SIGCONT)
        if self.interrupts == self.told:
            return
        first, self.told = self.told == 0, self.interrupts
        self.display.clear()
        say("stopping; partial results are kept (once more to abandon them)" if first else "abandoned")
        for job in self._running():
            job.process.send_signal(signal.SIGINT if first else signal.SIGKILL)
