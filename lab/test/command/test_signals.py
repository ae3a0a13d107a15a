# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A kill, a closed terminal and the death of a command end everything that the command has started."""
import os
import signal
import sys
import tempfile
import textwrap
import time
import unittest

from support import ROOT, RccTest, alive, needs_programs

from command.system import build, guard

# In the place of cmake and ctest: it starts a process in its group and one in a session of its own, and waits for both.
STARTS = textwrap.dedent("""\
    #!{python}
    import os, subprocess, sys
    code = "import os, time\\nwith open(os.environ['PIDS'], 'a') as f: f.write(f'{{os.getpid()}}\\\\n')\\nwhile True: time.sleep(1)"
    if "-S" not in sys.argv and "--show-only=json-v1" not in sys.argv:
        with open(os.environ["PIDS"], "a") as f:
            f.write(f"{{os.getpid()}}\\n")
        started = [subprocess.Popen([sys.executable, "-c", code], start_new_session=own) for own in (False, True)]
        for one in started:
            one.wait()
    """)
# The command with a machine on which all packages are there.
COMMAND = textwrap.dedent("""\
    import contextlib, sys
    from command import main
    from command.system import packages
    packages.ensure = lambda *_, **__: None
    packages.ensured_meanwhile = lambda *_, **__: contextlib.nullcontext()
    sys.exit(main.main(sys.argv[1:]))
    """)
COMMANDS = {"cmake": ["build", "example-incast"], "ctest": ["test", "--only=lint"]}
PROCESSES = 3      # that STARTS is and has


@unittest.skipUnless(os.path.isdir("/proc/self"), "no /proc")
class Started(RccTest):
    """Processes below cmake and ctest, which a signal to ./rcc does not reach by itself."""

    def begin_tool(self, name):
        """Start the command that calls the program `name`; return it with the processes that have begun below it."""
        for tool in COMMANDS:
            os.chmod(self.put(f"bin/{tool}", STARTS.format(python=sys.executable) if tool == name else "#!/bin/sh\nexit 0\n"), 0o755)
        pids = self.path(f"pids-{name}")
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        process = self.begin("-c", COMMAND, *COMMANDS[name], PIDS=pids, PATH=path, RCC_BUILD_DIR=tempfile.mkdtemp(dir=self.scratch),
                             PYTHONPATH=os.path.join(ROOT, "lab"))
        found, last = [], time.monotonic() + 120
        while len(found) < PROCESSES:
            self.assertIsNone(process.poll(), name)
            self.assertLess(time.monotonic(), last, f"{found} began below {name}")
            time.sleep(0.02)
            if os.path.exists(pids):
                with open(pids, encoding="utf-8") as f:
                    found = [int(line) for line in f if line.endswith("\n")]
        os.unlink(pids)
        return process, found

    def assert_all_end(self, pids, what):
        """Wait until none of the processes is left. What is left after two minutes is ended here, and the test fails."""
        last = time.monotonic() + 120
        while any(map(alive, pids)) and time.monotonic() < last:
            time.sleep(0.02)
        left = list(filter(alive, pids))
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [], what)

    def test_a_signal_ends_them(self):
        for name in COMMANDS:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                with self.subTest(f"{number.name} to ./rcc {' '.join(COMMANDS[name])}"):
                    process, pids = self.begin_tool(name)
                    process.send_signal(number)
                    _, errors = process.communicate(timeout=300)
                    self.assertEqual((process.returncode, errors.splitlines()[-1]), (130, "rcc: interrupted"))
                    self.assert_all_end(pids, name)

    def test_a_killed_command_takes_them_along(self):
        for name in COMMANDS:
            with self.subTest(name):
                process, pids = self.begin_tool(name)
                process.kill()
                process.communicate(timeout=300)
                self.assert_all_end(pids, name)

    @needs_programs
    def test_a_signal_ends_what_threads_wait_for(self):
        self.wrap("rcc-run", "exec sleep 3600")
        for words in (["properties", "--networks=2"], ["fuzz", "cdf", "flow", "--minutes=60", "--out=corpora"]):
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(f"{number.name} to ./rcc {words[0]}"):
                    process = self.begin(*words)
                    pids = []
                    while len(pids) < min(2, build.JOBS):
                        self.assertIsNone(process.poll())
                        time.sleep(0.02)
                        pids = [pid for pid, parent in guard.parents().items() if parent == process.pid]
                    process.send_signal(number)
                    self.addCleanup(self.assert_all_end, pids, words[0])
                    _, errors = process.communicate(timeout=60)
                    self.assertEqual((process.returncode, errors), (130, "rcc: interrupted\n"))
                    self.assert_all_end(pids, words[0])
        self.assertFalse(os.path.exists(self.path("corpora", "runs.csv")), "a run that was ended is no finding")

    @needs_programs
    def test_what_judges_a_run_ends_with_its_command(self):
        """rcc-run asks the kernel for it where it finds the number of the command (lab-progress.cc)."""
        self.wrap("rcc-run", 'case "$*" in *--check*) echo "$RCC_PARENT" > judged;; esac')
        process = self.begin("run", "incast", "--time=1us", "--cc=qcn", "--no-plots", "--quiet")
        self.assertEqual(process.wait(timeout=300), 0)
        self.assertEqual(self.read("judged"), f"{process.pid}\n")


if __name__ == "__main__":
    unittest.main()
