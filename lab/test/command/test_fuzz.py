# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc fuzz` as a command; what the targets find is the stage fuzz."""
import contextlib
import csv
import io
import os
import shutil
import sys
import unittest
from unittest import mock

from support import ROOT, RccTest

from command.main import main

sys.path.append(os.path.join(ROOT, "lab", "test", "fuzz"))
import targets  # noqa: E402


class Fuzz(RccTest):
    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(os.environ, {"RCC_BUILD_DIR": self.path("build")})
        patch.start()
        self.addCleanup(patch.stop)

    def run_command(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as stdout, contextlib.redirect_stderr(io.StringIO()):
            return main(["fuzz", f"--out={self.path('corpora')}", *words]), stdout.getvalue()

    def test_reader_in_a_clone_that_nobody_has_built(self):
        """The reader of run files needs neither ns-3 nor what a configuration makes."""
        found = []
        with mock.patch.object(targets, "compile_step", lambda words, target, sources: found.extend(words)), \
                mock.patch.object(targets.probe, "fuzzer", lambda: "clang"), mock.patch.object(targets.shutil, "which", str), \
                mock.patch.object(targets, "run", return_value=targets.Result(0, "", 5, 7, 1.25)):
            self.assertEqual(self.run_command("run_file")[0], 0)
        self.assertEqual([word for word in found if word.startswith("-I")], ["-Ilab/run/files"])
        self.assertFalse(os.path.exists(self.path("build", "CMakeCache.txt")))

    def test_each_run_leaves_its_line(self):
        """A run before a finding or before an interrupt leaves its line too."""
        results = iter([targets.Result(0, "", 500, 70, 30.04), targets.Result(77, "a crash", 12, 71, 0.5), KeyboardInterrupt()])

        def run(*_, **__):
            result = next(results)
            if isinstance(result, BaseException):
                raise result
            return result
        with mock.patch.object(targets, "build"), mock.patch.object(targets, "run", run):
            self.assertEqual(self.run_command("cdf")[0], 0)
            status, table = self.run_command("cdf")
            self.assertEqual(status, 1)
            self.assertIn("FINDING", table)
            self.assertNotEqual(self.run_command("cdf")[0], 0)
        with open(self.path("corpora", "runs.csv"), encoding="utf-8") as f:
            self.assertEqual(list(csv.reader(f)), [["target", "cpu_s", "executions", "edges", "status"],
                                                   ["cdf", "30.0", "500", "70", "0"], ["cdf", "0.5", "12", "71", "77"]])

    def test_a_record_of_somebody(self):
        """Is not added to, also behind a link; a FIFO is not waited for."""
        os.makedirs(self.path("corpora"))
        path = self.path("corpora", "runs.csv")
        self.put("mine.csv", "a,b\n")
        for make in (lambda: os.symlink(self.path("mine.csv"), path), lambda: shutil.copy(self.path("mine.csv"), path),
                     lambda: os.symlink(self.path("nowhere"), path), lambda: os.mkfifo(path)):
            make()
            with mock.patch.object(targets, "build"), mock.patch.object(targets, "run", return_value=targets.Result(0, "", 5, 7, 1.25)):
                self.assertEqual(self.run_command("cdf")[0], 2)
            os.unlink(path)
        self.assertEqual((self.read("mine.csv"), os.path.exists(self.path("nowhere"))), ("a,b\n", False))

    def test_time_of_a_target_is_its_own(self):
        """CPU time of the fuzzing process, not that of others which run beside it."""
        spin = "import time; t = time.process_time()\nwhile time.process_time() < t + .2: pass\nprint('3 inputs, 4 edges')"
        with mock.patch.object(targets, "words", return_value=[sys.executable, "-c", spin]):
            result = targets.run("cdf", 5, self.path("corpus"))
        self.assertEqual((result.status, result.executions, result.edges), (0, 3, 4))
        self.assertGreaterEqual(result.cpu, 0.2)
        with mock.patch.object(targets, "words", return_value=[sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]):
            self.assertEqual(targets.run("cdf", 5, self.path("corpus")).status, -9)


if __name__ == "__main__":
    unittest.main()
