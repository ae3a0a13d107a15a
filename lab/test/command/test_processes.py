# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""processes.Runner: how a Ctrl-C on the terminal reaches the simulators."""
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

from support import ROOT

from command.run import points, ranks
from command.run.processes import HUGE_PAGES, TUNABLES, Display, Job, environment

# A child that writes a line for each SIGINT and ends a while after the first, so that a second one would be seen.
CHILD = textwrap.dedent("""
    import os, signal, sys, time
    def count(number, frame):
        os.write(told, b"SIGINT\\n")
    told = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    signal.signal(signal.SIGINT, count)
    os.write(told, b"ready\\n")
    while os.path.getsize(sys.argv[1]) <= len("ready\\n"):
        time.sleep(0.01)
    time.sleep(1.0)
    sys.exit(130)
    """)

# A program that runs the children, as `./rcc run` does; its status says whether Runner reported the interrupt.
PARENT = textwrap.dedent("""
    import sys
    from command.run.processes import Job, Runner
    jobs = [Job(path, [sys.executable, "-c", sys.argv[1], path]) for path in sys.argv[2:]]
    interrupted = Runner(jobs, limit=len(jobs)).run()
    print([job.status for job in jobs])
    sys.exit(130 if interrupted else 0)
    """)


class Interrupt(unittest.TestCase):

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="rcc-test-")
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.files = [os.path.join(self.scratch, name) for name in ("a", "b")]
        path = os.pathsep.join(filter(None, [os.path.join(ROOT, "lab"), os.environ.get("PYTHONPATH", "")]))
        self.parent = subprocess.Popen([sys.executable, "-c", PARENT, CHILD, *self.files], env={**os.environ, "PYTHONPATH": path},
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       start_new_session=True)
        self.addCleanup(self.parent.stdout.close)
        self.addCleanup(self.parent.stderr.close)
        self.addCleanup(self.parent.kill)

    def lines(self, path):
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as f:
            return f.read().splitlines()

    def await_children(self):
        end = time.monotonic() + 60
        while any(self.lines(path) != ["ready"] for path in self.files):
            self.assertIsNone(self.parent.poll())
            self.assertLess(time.monotonic(), end, "the children did not start")
            time.sleep(0.02)

    def assert_told_once(self):
        out, err = self.parent.communicate(timeout=60)
        self.assertEqual(self.parent.returncode, 130, err)
        self.assertEqual(out, "[130, 130]\n", err)
        for path in self.files:
            self.assertEqual(self.lines(path), ["ready", "SIGINT"])
        self.assertEqual(err.count("partial results are kept"), 1, err)

    def test_terminal_interrupts_each_simulator_once(self):
        """A terminal sends SIGINT to the whole process group of the foreground."""
        self.await_children()
        os.killpg(self.parent.pid, signal.SIGINT)
        self.assert_told_once()

    def test_a_kill_that_comes_twice_is_one(self):
        """`timeout` sends SIGTERM to the command, and again to its group."""
        self.await_children()
        self.parent.send_signal(signal.SIGTERM)
        end = time.monotonic() + 60
        while any(self.lines(path) == ["ready"] for path in self.files):
            self.assertLess(time.monotonic(), end, "the children were not told")
            time.sleep(0.02)
        self.parent.send_signal(signal.SIGTERM)
        self.assert_told_once()

    def test_signal_to_the_command_alone_interrupts_each_simulator_once(self):
        self.await_children()
        self.parent.send_signal(signal.SIGINT)
        self.assert_told_once()


class HugePages(unittest.TestCase):
    """The setting of glibc for the pages of a program's heap: in every way to start one, and not against the user's will."""

    def setUp(self):
        patch = unittest.mock.patch.dict(os.environ)
        patch.start()
        self.addCleanup(patch.stop)
        os.environ.pop(TUNABLES, None)

    def test_environment(self):
        for chosen, expected in ((None, f"{HUGE_PAGES}=1"), ("", f"{HUGE_PAGES}=1"), (f"{HUGE_PAGES}=0", f"{HUGE_PAGES}=0"),
                                 ("glibc.malloc.check=3", f"glibc.malloc.check=3:{HUGE_PAGES}=1")):
            with self.subTest(chosen):
                if chosen is not None:
                    os.environ[TUNABLES] = chosen
                self.assertEqual(environment(), {**os.environ, TUNABLES: expected})

    def test_programs_have_it(self):
        words = [sys.executable, "-c", f"import os; print(os.environ['{TUNABLES}'])"]
        job = Job("a", words)
        job.start()
        out, _ = job.process.communicate(timeout=60)
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            point = unittest.mock.Mock(digest="a", parameters={})
            point.simulation.return_value.text.return_value = ""
            with open(program, "w", encoding="utf-8") as f:
                f.write(f"#!/bin/sh\nexec {shlex.join(words)}\n")
            os.chmod(program, 0o755)
            inner = unittest.mock.patch.object(points, "inner", lambda _, ending: "out" + ending)
            with open(os.path.join(folder, "out"), "w+b") as f, inner:
                claim = points.Claim(folder, point, "", f.fileno())
                claim.start(program)
                claim.process.wait(timeout=60)
                swept = claim.text()
        self.assertEqual((out, swept), (f"{HUGE_PAGES}=1\n".encode(),) * 2)

    def test_other_machines_are_told(self):
        self.assertIn(f"{TUNABLES}={HUGE_PAGES}=1", ranks.launcher(2, "hosts"))
        self.assertNotIn("-x", ranks.launcher(2))


class Progress(unittest.TestCase):
    def test_names_and_not_folders(self):
        job = Job("incast-0123456789ab-seed1", [], "dp-fig8-40g plus, seed 1")
        self.assertEqual(job.line(len(job.label)), "dp-fig8-40g plus, seed 1  waiting")
        self.assertEqual(Job("dcqcn", []).label, "dcqcn")

    def test_share_and_time_left(self):
        jobs = [Job("a", [], cost=3.0), Job("b", [], cost=1.0)]
        display = Display(jobs)
        self.assertEqual(display.total(), "0 of 2 done  0 %")
        jobs[0].status = 0
        display.began -= 30    # seconds
        self.assertRegex(display.total(), r"^1 of 2 done  75 %  10 s left$")
        jobs[1].fraction = 0.5
        self.assertRegex(display.total(), r"^1 of 2 done  88 %  4 s left$")


if __name__ == "__main__":
    unittest.main()
