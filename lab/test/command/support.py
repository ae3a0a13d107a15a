# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Shared by the tests of the command: a build folder with the programs, and ./rcc as a process."""
import contextlib
import csv
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from server import Server

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
RCC = os.path.join(ROOT, "rcc")
for folder in (os.path.join(ROOT, "lab", "test"), os.path.join(ROOT, "lab")):
    if folder not in sys.path:
        sys.path.insert(0, folder)


import program  # noqa: E402

BUILD = os.path.abspath(os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build"))
PROGRAMS = ["rcc-run", "rcc-catalog", "rcc-bench"]
needs_programs = unittest.skipUnless(all(os.access(os.path.join(BUILD, name), os.X_OK) for name in PROGRAMS),
                                     "the programs are not built")
SERVER = Server()
# Lines of shell before a program: a line in $TRACE for each simulation, its first word and its process number.
TELL = 'case "$*" in *--check*) ;; *) [ -z "$TRACE" ] || echo "$1 start $$" >> "$TRACE";; esac'
WRITTEN = [".rcc-files", "machine.json", "report.html", "summary.json", "table.csv", "wide.csv"]  # beside runs and figures


def scenario(name, *words):
    """Return the words of a process that simulates a scenario without ./rcc. `words`: options of the scenario."""
    from command.run import experiments
    return [sys.executable, program.__file__, experiments.program(name), *experiments.words(name, list(words))]


class RccTest(unittest.TestCase):
    """A scratch folder with links to the built programs in bin/; rcc() runs the command in it."""

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="rcc-test-")
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.bin = os.path.join(self.scratch, "bin")
        os.mkdir(self.bin)
        for name in PROGRAMS:
            if os.access(os.path.join(BUILD, name), os.X_OK):
                os.symlink(os.path.join(BUILD, name), os.path.join(self.bin, name))

    def wrap(self, name, before):
        """Put lines of shell before a program: they see its words as "$@", and may end it before it begins."""
        os.unlink(os.path.join(self.bin, name))
        self.put_script(f"bin/{name}", f'{before}\nexec "{os.path.join(BUILD, name)}" "$@"')

    def put_script(self, name, text):
        """Write a program of shell."""
        os.chmod(self.put(name, f"#!/bin/sh\n{text}\n"), 0o755)

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8") as f:
            return f.read()

    def put(self, name, content):
        """Write a file, and the folder that it is in. Returns its path."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def rows(self, *parts):
        """Return the rows of a CSV file."""
        return list(csv.DictReader(self.read(*parts).splitlines()))

    def environment(self, **extra):
        return {**os.environ, "RCC_BUILD_DIR": self.bin, **extra}

    def rcc(self, *args, **extra):
        """Run ./rcc with pipes. Returns the finished process with text streams."""
        return SERVER.run(args, self.scratch, self.environment(**extra))

    def succeed(self, *args, **extra):
        """Run ./rcc, which must end with status 0."""
        done = self.rcc(*args, **extra)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def begin(self, *args, **extra):
        """Begin ./rcc with pipes, in a session of its own, where signals have their defaults. Returns the process, which ends with the
        test; its programs find their TRACE in the scratch folder."""
        words = args if args[0] == "-c" else [RCC, *args]
        process = subprocess.Popen([sys.executable, *words], cwd=self.scratch, env=self.environment(TRACE=self.path("trace"), **extra),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, preexec_fn=reset_signals)
        for release in (process.stdout.close, process.stderr.close, process.wait, process.kill):
            self.addCleanup(release)
        return process

    def simulators(self, count=1):
        """Process numbers of the first simulators that TELL has told of, once they handle SIGINT: before that it would end them without a
        result. The programs are to run until then, whatever the machine does meanwhile."""
        pids, end = [], time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                pids = [int(line.split()[-1]) for line in self.read("trace").splitlines(True) if line.endswith("\n")][:count]
                if len(pids) == count and all(map(handles_interrupts, pids)):
                    return pids
            time.sleep(0.02)
        return self.fail(f"of {count} simulators these began: {pids}")

    def assert_refused(self, done, fragment):
        """Exit status 2, one line on stderr, nothing on stdout, nothing left behind."""
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("rcc: error: "), lines[0])
        self.assertIn(fragment, lines[0])
        self.assertFalse(os.path.exists(self.path("out")), "an output folder was left behind")


class InFolder(RccTest):
    """The scratch folder is the working directory, and code under test in this process finds the programs in bin/."""

    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.scratch)
        patch = unittest.mock.patch.dict(os.environ, {"RCC_BUILD_DIR": self.bin})
        patch.start()
        self.addCleanup(patch.stop)


def reset_signals():
    """Let a child take notice of what nohup, or a shell for its background, has it ignore. For preexec_fn."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def alive(pid):
    """Return whether a process is there and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def handles_interrupts(pid):
    """Whether a program behind wrap() has a handler for SIGINT: proc(5), SigCgt. The shell before it has one too."""
    if os.path.samefile(f"/proc/{pid}/exe", "/bin/sh"):
        return False
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        caught = next(int(line.split()[1], 16) for line in f if line.startswith("SigCgt:"))
    return bool(caught >> (signal.SIGINT - 1) & 1)


def captured(function, *args):
    """(return value, stdout, stderr) of a call in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        value = function(*args)
    return value, out.getvalue(), err.getvalue()


def pairs(**rates):
    """Groups of a testbed: pairs(h8_h9=4.7e9)."""
    return [{"name": name.replace("_", "-"), "flows": 1, "mean_bps": rate, "delivered_bytes": 1, "ended_s": None}
            for name, rate in rates.items()]


def sample_run(cc, mean, use=1.0, **more):
    """A run.json with the fields that table and sentence read."""
    run = {"scenario": "incast", "cc": cc, "title": cc.upper(), "flows": 100, "hosts": 9, "rate_bps": 40_000_000_000,
           "sim_s": 0.4, "wall_s": 2.0, "seed": 1, "packets_delivered": 1_900_000, "packets_dropped": 0,
           "window_s": [0.2, 0.4], "utilization": use, "jain": 0.95, "pfc": {"pauses": 0, "paused_s": 0.0}, "fct": None,
           "queue": {"mean_bytes": mean, "p50_bytes": mean, "p95_bytes": mean, "p99_bytes": mean, "max_bytes": mean},
           "kmax_bytes": 200_000, "pfc_limit_bytes": 4_944_000, "partial": False, "warnings": []}
    run.update(more)
    return run


def frame_overhead() -> int:
    """ROCE_OVERHEAD of model/port/rcc-frame.h: bytes of a data packet beside its payload, by the lengths in core/wire/rcc_wire.h."""
    def read(*parts: str) -> str:
        with open(os.path.join(ROOT, *parts), encoding="utf-8") as f:
            return f.read()
    parts = re.search(r"ROCE_OVERHEAD\s*=\s*([^;]+);", read("model", "port", "rcc-frame.h"))
    lengths = dict(re.findall(r"#define (RCC_WIRE_\w+) (\d+)", read("core", "wire", "rcc_wire.h")))
    assert parts
    return sum(int(lengths[name.strip()]) for name in parts.group(1).split("+"))
