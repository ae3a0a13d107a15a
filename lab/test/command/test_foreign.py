# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Results of other people: a file that is not regular, too large, broken, or leads elsewhere is named in one line."""
import json
import os
import subprocess
import sys
import unittest
import unittest.mock

from support import RCC, ROOT, RccTest, needs_programs, sample_run

from command import below, common
from command.results.html import page, report
from command.results.read import results, series
from command.run import run
from command.system import packages

HOSTS = 1 << 20    # bytes of a hosts file


class Foreign(RccTest):
    def folder(self, name, **more):
        os.makedirs(self.path(name, "dcqcn"), exist_ok=True)
        value = {"schema": 1, "rcc_version": "1", "command": "./rcc run incast", "partial": False,
                 "runs": [sample_run(more.pop("cc", "dcqcn"), 1e5, **more)]}
        self.put(os.path.join(name, "summary.json"), json.dumps(value))
        return self.path(name)

    def refused(self, done, *fragments):
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for fragment in fragments:
            self.assertIn(fragment, done.stderr)

    def test_no_regular_file(self):
        self.folder("good")
        os.mkdir(self.path("fifo"))
        os.mkfifo(self.path("fifo", "summary.json"))
        os.mkdir(self.path("zero"))
        os.symlink("/dev/zero", self.path("zero", "summary.json"))
        os.makedirs(self.path("folder", "summary.json"))
        for name, found in (("fifo", "a FIFO"), ("zero", "a link to /dev/zero"), ("folder", "a directory")):
            self.refused(self.rcc("compare", "good", name, "--json"), f"{name}/summary.json: found {found}, expected a regular file")
            self.refused(self.rcc("plot", name), f"{name}/summary.json: found {found}")

    def test_too_large(self):
        self.folder("out")
        os.truncate(self.path("out", "summary.json"), common.JSON_LIMIT + 1)   # a hole: no disk is used
        self.refused(self.rcc("compare", "out", "out", "--json"), f"found {common.JSON_LIMIT + 1} bytes, expected at most")

    def test_every_reader(self):
        """Readers of summaries, series and pictures refuse them."""
        os.mkfifo(self.path("x"))
        for reader in (common.read_json, lambda path: below.read_json(*os.path.split(path)), series.read,
                       lambda path: below.open_file(*os.path.split(path), page.PICTURE_LIMIT)):
            with self.assertRaisesRegex(common.RccError, "found a FIFO"):
                reader(self.path("x"))

    def refused_at_once(self, *words):
        done = subprocess.run([sys.executable, RCC, *words], cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        self.refused(done, "found a FIFO, expected a")
        self.assertRegex(done.stderr, "'?x.json'?: found" if "x.json" in words else "'?x'?: found")

    def test_no_input_is_waited_for(self):
        """A FIFO may have no writer."""
        os.mkfifo(self.path("x"))
        for name in ("config.txt", "fct.txt"):
            self.put(name, "0b000001 0b000101 10000 100 1000 0 2000 2000\n")
        for words in (("ns3-rdma", "config.txt", "--nic-params=x"), ("run", "incast", "--nic-params=x"), ("fct", "x"), ("trace", "x"),
                      ("compare-fct", "fct.txt", "x"), ("generate", "workload", "--topology=x"),
                      ("ns3-rdma", "config.txt", "--ranks=2", "--hosts-file=x"), ("run", "trace", "x")):
            with self.subTest(words):
                self.refused_at_once(*words)

    @needs_programs
    def test_no_experiment_is_waited_for(self):
        os.mkfifo(self.path("x.json"))
        self.refused_at_once("run", "x.json")

    @needs_programs
    def test_an_input_that_is_too_large(self):
        """Holes, which take no disk: what the program or the command refuses, nothing has read whole before."""
        limits = {"big.json": common.JSON_LIMIT, "hosts": HOSTS}
        for name, limit in limits.items():
            self.put(name, b"{" if name.endswith(".json") else b"h0 slots=8\n")
            os.truncate(self.path(name), limit + 1)
        self.put("step.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 1\n}\nrank 1 {\nl1: recv 8b from 0 tag 1\n}\n")
        opened = []

        def spy(path, limit, opener=common.open_regular):
            opened.append((os.path.basename(path), limit))
            return opener(path, limit)
        with unittest.mock.patch.object(run, "open_regular", spy):
            self.assertEqual(run.of_file(self.path("big.json")).algorithms, ["dcqcn"])
        self.assertEqual(opened, [("big.json", common.JSON_LIMIT)])
        found = f"found {limits['big.json'] + 1} bytes, expected at most {limits['big.json']}"
        self.refused(self.rcc("run", "big.json"), found)
        self.refused(self.rcc("run", "trace", "step.goal", "--topology=big.json"), found)
        self.refused(self.rcc("run", "clos", "--ranks=2", "--hosts-file=hosts"),
                     f"hosts: found more than {HOSTS} bytes, expected lines of NAME slots=N")

    def test_a_broken_series_is_named_with_line_and_column(self):
        head = "time_s,mean_bytes,max_bytes"
        for text, expected in ((f"{head}\n0.1,1,2\n0.2,x,2\n", "line 3, column mean_bytes: found 'x', expected a number"),
                               (f"{head}\n0.1,nan,2\n", "line 2, column mean_bytes: found 'nan'"),
                               (f"{head}\n0.1,1\n0.2,1,2\n", "line 2: found another number of columns than 3"),
                               (f'{head}\n"0.1,1\n0.2,1,2\n', "line 2: found another number of columns than 3"),
                               (f"{head}\n0.1,1_000,2\n", "line 2, column mean_bytes: found '1_000', expected a number"),
                               (f"{head}\n0.1,\udcff,2\n", "no UTF-8")):
            self.folder("out")
            with open(self.path("out", "dcqcn", "queue.csv"), "w", encoding="utf-8", errors="surrogateescape") as f:
                f.write(text)
            self.refused(self.rcc("plot", "out"), "out/dcqcn/queue.csv: ", expected)

    def test_a_last_row_that_is_not_whole_is_left_out(self):
        self.put("x.csv", "time_s,mean_bytes\n0.1,1\n0.2")
        self.assertEqual(series.read(self.path("x.csv")), {"time_s": [0.1], "mean_bytes": [1.0]})

    def test_a_folder_stays_inside(self):
        for folder in ("../other", "/etc", "..", ".hidden", "a/b"):
            self.folder("out", folder=folder)
            self.refused(self.rcc("plot", "out"), "runs[0].folder: found", "the name of a folder beside summary.json")
        self.folder("out", cc="../x")
        self.refused(self.rcc("compare", "out", "out"), "runs[0].cc: found")
        self.folder("out", seed_folders=["../x"])
        self.refused(self.rcc("compare", "out", "out"), "runs[0].seed_folders: found")

    def test_control_characters_are_shown_not_obeyed(self):
        self.folder("a", title="red\x1b[31m\x9b", label="x\x1b]0;owned\x07", warnings=["\x08"])
        found = results.load(self.path("a"))
        self.assertEqual(found["runs"][0]["title"], "red\\x1b[31m\\x9b")
        done = self.succeed("compare", "a", "a", "--no-plots", "--out=cmp")
        self.assertNotIn("\x1b", done.stdout + done.stderr + self.read("cmp", "report.html"))
        self.assertNotIn("\x1b", report.page("", found))
        self.assertNotIn("\x1b", self.rcc("plot", "no\x1b[31m").stderr)

    def test_a_name_is_one_line(self):
        """Ends of lines of all kinds, in texts of results and in the names of parameters."""
        self.folder("a", label="x\nrcc: error: y\u2028z\u2029\x85\t", parameters={"a\nb": "1"})
        self.folder("b", label="x\nrcc: error: y\u2028z\u2029\x85\t", parameters={"a\nb": "2\n3"}, scenario="in\ncast")
        self.folder("c", label="x\nrcc: error: y\u2028z\u2029\x85\t", parameters={"a\nb": "2\n3"})
        self.assertEqual(results.load(self.path("a"))["runs"][0]["label"], "x\\nrcc: error: y\\u2028z\\u2029\\x85\\t")
        self.refused(self.rcc("compare", "a", "b", "--no-plots"), "in\\ncast x\\nrcc: error: y\\u2028z\\u2029\\x85\\t")
        done = self.rcc("compare", "a", "c", "--no-plots", "--out=cmp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\nx\\nrcc: error: y\\u2028z\\u2029\\x85\\t\n", done.stdout)
        self.assertIn("parameter a\\nb", done.stdout)

    @unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
    def test_a_dollar_is_a_character(self):
        for name in ("y$^$", "z$^$"):
            folder = self.folder(name)
            with open(os.path.join(folder, "dcqcn", "queue.csv"), "w", encoding="utf-8") as f:
                f.write("time_s,mean_bytes,max_bytes\n0.1,1,2\n0.2,2,3\n")
        done = self.rcc("compare", "y$^$", "z$^$", "--out=cmp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(os.path.exists(self.path("cmp", "queue.png")))


class Interrupts(unittest.TestCase):
    TWICE = """
import os, signal, sys
from command import main
def again(status, finish=main.finish):
    os.kill(os.getpid(), signal.SIGINT)
    return finish(status)
def run(_argv):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        main.finish = again
main.run = run
sys.exit(main.main(["run"]))
"""

    def test_ctrl_c_twice_has_no_traceback(self):
        done = subprocess.run([sys.executable, "-c", self.TWICE], cwd=os.path.join(ROOT, "lab"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (130, "", "rcc: interrupted\n"))


if __name__ == "__main__":
    unittest.main()
