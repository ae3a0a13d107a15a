# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A full disk, a closed stdout: every write is checked, the message names the file, what is there stays readable."""
import csv
import json
import os
import subprocess
import sys
import unittest

from support import RCC, RccTest, needs_programs

from command.run import simulation  # noqa: E402  (support.py puts lab/ on the path)

SHORT = ["--time=5ms", "--start=100us", "--flows=20"]
# files end after this many blocks of 512 bytes; the program is told so as on a full disk, by the write
SMALL = 'case "$*" in *--check*) ;; *) trap "" XFSZ; ulimit -f 8;; esac'


@needs_programs
class Programs(RccTest):
    def incast(self, *words, **more):
        made = simulation.of_scenario("incast", [*SHORT, *words])
        made.write(self.path("run-file"))
        done = subprocess.run([self.path("bin", "rcc-run"), *made.words("run-file")], cwd=self.scratch, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False, **more)
        done.stderr = "".join(f"{line}\n" for line in made.translate(done.stderr.splitlines()))
        return done

    def test_each_file_of_the_results(self):
        for name in ("queue.csv", "rate.csv", "flow_rates.csv", "flows.csv", "run.json"):
            with self.subTest(name):
                folder = self.path(name + ".d")
                os.mkdir(folder)
                os.symlink("/dev/full", os.path.join(folder, name))
                done = self.incast(f"--out={folder}")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, f"rcc: error: cannot write {folder}/{name}: No space left on device\n")

    def test_a_capture(self):
        os.mkdir(self.path("out"))
        os.symlink("/dev/full", self.path("out", "receiver.pcap"))
        done = self.incast("--out=out", "--pcap")
        self.assertIn("cannot write out/receiver.pcap: No space left on device", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_the_summary_on_stdout(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.incast(stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write the summary to stdout: No space left on device", done.stderr)


class Modules(RccTest):
    def test_compiled_modules_that_a_full_disk_has_cut(self):
        """Python takes what a write has left of a compiled module for all of it."""
        self.put("made/CMakeCache.txt", "")
        for _ in range(2):
            done = self.begin("version", RCC_BUILD_DIR=self.path("made"))
            out, err = done.communicate()
            self.assertEqual((done.returncode, err), (0, ""))
            self.assertRegex(out, "^rcc ")
            compiled = [os.path.join(at, name) for at, _, names in os.walk(self.path("made", "pycache")) for name in names]
            self.assertTrue(compiled)
            for path in compiled:
                os.truncate(path, 100)


@needs_programs
class Command(RccTest):
    def test_what_is_there_stays_readable(self):
        self.wrap("rcc-run", SMALL)
        done = self.rcc("run", "incast", *SHORT, "--cc=dcqcn", "--no-plots")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertRegex(done.stderr, r"rcc: error: cannot write out/incast/\.rcc-run-[^/]+/dcqcn/queue\.csv: File too large")
        merged = json.loads(self.read("out", "incast", "summary.json"))
        self.assertIs(merged["partial"], True)
        self.assertIn("queue.csv: File too large", merged["runs"][0]["warnings"][0])
        with open(self.path("out", "incast", "dcqcn", "queue.csv"), encoding="utf-8") as f:
            rows = list(csv.reader(f))
        self.assertGreater(len(rows), 20)
        self.assertEqual({len(row) for row in rows}, {3})

    def run_on_full_disk(self, *words):
        with open("/dev/full", "w", encoding="utf-8") as full:
            return subprocess.run([sys.executable, RCC, *words], cwd=self.scratch, env=self.environment(), stdout=full,
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)

    def test_full_stdout(self):
        for words in (["--help"], ["algorithms"], ["algorithms", "dcqcn"], ["--version"], ["model", "fixed-point"], ["reproduce", "--list"],
                      ["run", "incast", "--help"], ["run", "incast", *SHORT, "--no-plots", "--cc=qcn"]):
            with self.subTest(words):
                done = self.run_on_full_disk(*words)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr, "rcc: error: cannot write to stdout: No space left on device\n")

    def test_closed_stdout(self):
        for words in ("--version", "algorithms", "run incast --time=2ms --start=1ms --flows=4 --no-plots --cc=qcn", "--help"):
            with self.subTest(words):
                done = subprocess.run(["/bin/sh", "-c", f'"$0" "$1" {words} >&-', sys.executable, RCC], cwd=self.scratch,
                                      env=self.environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr, "rcc: error: cannot write to stdout: it is closed\n")

    def test_closed_stderr(self):
        done = subprocess.run(["/bin/sh", "-c", '"$0" "$1" run nothing 2>&-', sys.executable, RCC], cwd=self.scratch,
                              env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main()
