# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Output folders: one command at a time, results of that command only, simulators that end with it."""
import json
import os
import signal
import time
import unittest

from support import TELL, WRITTEN, RccTest, alive, needs_programs

LONG = "--time=60s"   # more than any test waits for
SHORT = ["--time=2ms", "--start=1ms", "--no-plots", "--flows=6"]
FOREIGN = ('case "$*" in *--check*) ;; *) for word in "$@"; do case $word in --out=*) mkdir -p "${word#--out=}"; '
           'echo \'{"scenario": "incast", "cc": "dcqcn"}\' > "${word#--out=}/run.json"; exit 0;; esac; done;; esac')


@needs_programs
class Folders(RccTest):
    def start(self, *args):
        self.wrap("rcc-run", TELL)
        return self.begin("run", "incast", "--no-plots", "--flows=20", *args)

    def await_end(self, pid):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if not alive(pid):
                return
            time.sleep(0.02)
        self.fail(f"process {pid} goes on")

    def test_a_second_command_is_refused_and_told_who_is_there(self):
        first = self.start("--cc=qcn", LONG)
        self.simulators()
        done = self.rcc("run", "incast", *SHORT, "--cc=dcqcn")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(f"rcc: error: --out=out/incast: in use by process {first.pid}, since ", done.stderr)
        self.assertIn("./rcc run incast --no-plots --flows=20 --cc=qcn --time=60s", done.stderr)
        plot = self.rcc("plot", "out/incast")
        self.assertIn(f"a command is at work there (process {first.pid}", plot.stderr)
        first.send_signal(signal.SIGINT)
        _, err = first.communicate(timeout=60)
        self.assertEqual(first.returncode, 130, err)
        self.assertEqual(sorted(os.listdir(self.path("out", "incast"))), sorted(["qcn", *WRITTEN]))

    def test_simulators_end_with_the_command(self):
        process = self.start("--cc=qcn", LONG)
        pid, = self.simulators()
        process.kill()
        process.wait()
        self.await_end(pid)
        plot = self.rcc("plot", "out/incast")
        self.assertEqual(plot.returncode, 2)
        self.assertIn(f"the command that wrote there was killed before its end (process {process.pid}", plot.stderr)
        done = self.rcc("run", "incast", *SHORT, "--cc=dcqcn", TRACE=self.path("trace"))  # the files that it left are no obstacle, and go
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out", "incast"))), sorted(["dcqcn", *WRITTEN]))

    def test_a_stopped_simulator_does_not_hold_up_the_end(self):
        process = self.start("--cc=qcn", LONG)
        pid, = self.simulators()
        os.kill(pid, signal.SIGSTOP)
        process.terminate()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIs(json.loads(self.read("out", "incast", "summary.json"))["partial"], True)

    def test_files_that_are_not_ours(self):
        """A folder that is no result of the command, with a file of a name that the command writes: of the user, or of another command."""
        self.succeed("run", "incast", *SHORT, "--cc=qcn", "--pcap", "--out=caps")
        capture = os.path.join("caps", "qcn", "receiver.pcap")
        for words, name in ((["run", "incast", "--flows=2", "--time=1ms", "--no-plots"], "rate.png"),
                            (["run", "incast", "--flows=2", "--time=1ms"], "table.csv"),
                            (["sweep", "incast", "--flows=2", "--time=1ms", "--no-plots"], "table.csv"),
                            (["sweep", "incast", "--flows=2", "--time=1ms", "--no-plots"], "report.html"),
                            (["reproduce", "ib-fig6", "--no-plots"], "report.html"), (["check", "sonic", "tc1"], "report.html"),
                            (["pcap", capture, "--no-plots"], "flows.csv")):
            with self.subTest(words):
                place = self.path("mine", name)
                os.makedirs(self.path("mine"), exist_ok=True)
                with open(place, "w", encoding="utf-8") as f:
                    f.write("mine")
                done = self.rcc(*words, "--out=mine")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                error, = [line for line in done.stderr.splitlines() if not line.startswith("rcc: note: ")]
                self.assertEqual(error, f"rcc: error: --out=mine: the {name} there is not from ./rcc {words[0]}; give another folder")
                self.assertEqual(os.listdir(self.path("mine")), [name])
                self.assertEqual(self.read("mine", name), "mine")
                os.unlink(place)

    def test_a_result_of_another_run_is_none(self):
        self.wrap("rcc-run", FOREIGN)
        done = self.rcc("run", "incast", *SHORT, "--cc=qcn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: qcn: its run.json says cc 'dcqcn', expected 'qcn'", done.stderr)
        self.assertFalse(os.path.exists(self.path("out", "incast")))


if __name__ == "__main__":
    unittest.main()
