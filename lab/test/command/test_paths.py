# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Names of files and folders with blanks, quotes, other letters and a leading dash: every option that takes one, in every command."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import ROOT, WRITTEN, RccTest, needs_programs, scenario

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES

NAMES = ["results copy", "it's \"quoted\"", "r\u00e9sultats \u7d50\u679c", "-dash", "a=b,c", "tab\there", "$HOME;echo", "%s%n"]
SHORT = ["--time=2ms", "--start=1ms", "--flows=4", "--no-plots", "--cc=qcn"]


@needs_programs
class Paths(RccTest):
    """A folder of results called `results` is there: it must not be touched."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("results"))
        self.put(os.path.join("results", "mine.txt"), "kept")
        for name, text in FILES.items():
            self.put(name, text.replace("SIMULATOR_STOP_TIME 0.02", "SIMULATOR_STOP_TIME 0.003"))

    def ends_well(self, *words):
        done = self.rcc(*words)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(os.listdir(self.path("results")), ["mine.txt"])
        return done

    def loop_names(self):
        for name in NAMES:
            with self.subTest(name):
                yield name

    def test_program(self):
        for name in self.loop_names():
            done = subprocess.run(scenario("incast", "--time=2ms", "--start=1ms", "--flows=4", f"--out={name}"),
                                  cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("run.json", os.listdir(self.path(name)))
            self.assertEqual(os.listdir(self.path("results")), ["mine.txt"])

    def test_run_plot_compare(self):
        for name in self.loop_names():
            self.ends_well("run", "incast", *SHORT, f"--out={name}")
            self.assertEqual(sorted(os.listdir(self.path(name))), sorted(["qcn", *WRITTEN]))
            copy = name + " 2"
            shutil.copytree(self.path(name), self.path(copy))
            self.ends_well("compare", "--no-plots", f"--out={name} 3", "--", name, copy)
            found = json.loads(self.read(name + " 3", "compare.json"))
            self.assertEqual([f["path"] for f in found["folders"]], [name, copy])

    def leave_one_figure(self, folder):
        """Remove series of a run so that one figure is drawn, as each takes time."""
        for name in ("rate.csv", "flow_rates.csv"):
            os.unlink(self.path(folder, "qcn", name))

    def test_plot(self):
        self.ends_well("run", "incast", *SHORT, "--out=a b")
        self.leave_one_figure("a b")
        done = self.rcc("plot", "a b")
        if "matplotlib is not installed" in done.stderr:
            self.skipTest("no matplotlib")
        self.assertIn(os.path.join("a b", "queue.png"), done.stdout)

    def test_ns3_rdma(self):
        for name in self.loop_names():
            folder = self.path("in " + name)
            os.mkdir(folder)
            for file in FILES:
                shutil.copy(self.path(file), os.path.join(folder, file))
            config = os.path.join("in " + name, "hpcc.txt")
            self.ends_well("ns3-rdma", config, "--no-plots", "--cc=none", f"--out={name}")
            done = self.ends_well("fct", "--", os.path.join(name, "none", "fct.txt"))
            self.assertIn("slowdown", done.stdout)
            self.ends_well("trace", "--count", "--", os.path.join(name, "none", "mix.tr"))

    def test_files_given_as_options(self):
        for name in self.loop_names():
            given = {"topology": name, "flows": name + " 2"}
            for option, file in (("topology", "racks.txt"), ("flows", "racks-flows.txt")):
                os.rename(self.path(file), self.path(given[option]))
            self.ends_well("ns3-rdma", "hpcc.txt", "--no-plots", "--cc=none", *(f"--{o}={n}" for o, n in given.items()), "--out=o")
            for option, file in (("topology", "racks.txt"), ("flows", "racks-flows.txt")):
                os.rename(self.path(given[option]), self.path(file))

    def test_topology_and_workload(self):
        for name in self.loop_names():
            self.ends_well("generate", "topology", "clos", f"--out={name}")
            self.ends_well("generate", "workload", f"--topology={name}", "--time=1ms", f"--out={name}.flows")
            self.assertTrue(os.path.getsize(self.path(name + ".flows")))

    def test_captures(self):
        self.ends_well("run", "incast", *SHORT, "--pcap", "--out=caps")
        for name in self.loop_names():
            shutil.copy(self.path("caps", "qcn", "receiver.pcap"), self.path(name))
            self.ends_well("pcap", "--no-plots", f"--out={name} out", "--", name)

    def test_output_names_that_are_none_or_equal(self):
        for key, other in (("FCT_OUTPUT_FILE", "."), ("FCT_OUTPUT_FILE", ".."), ("FCT_OUTPUT_FILE", "/"), ("FCT_OUTPUT_FILE", "pfc.txt"),
                           ("FCT_OUTPUT_FILE", "run.json"), ("TRACE_OUTPUT_FILE", "flows.csv")):
            with self.subTest(key + other):
                lines = [f"{key} {other}" if line.startswith(key + " ") else line for line in self.read("hpcc.txt").splitlines()]
                self.put("bad.txt", "\n".join(lines) + "\n")
                done = self.rcc("ns3-rdma", "bad.txt", "--no-plots", "--cc=none")
                self.assertEqual((done.returncode, "Traceback" in done.stderr), (2, False), done.stderr)
                self.assertIn(key if len(other) < 3 else other, done.stderr)

    def test_names_that_are_no_utf_8(self):
        """Such as those of another system's files, and those of two lines."""
        shutil.copytree(self.path("results"), self.path("in \udcff"))
        for name in FILES:
            shutil.copy(self.path(name), self.path("in \udcff"))
        drawn = [word for word in SHORT if word != "--no-plots"]
        for name, more in (("not \udcff", []), ("two\nlines", ["--no-plots"])):
            for words in (["run", "incast", *drawn, *more, f"--out={name}"], ["plot", name],
                          ["compare", *more, f"--out={name} 2", name, name],
                          ["sweep", "incast", *drawn, *more, "--seed=1-2", "--metric=jain", f"--out={name} 3"],
                          ["ns3-rdma", "in \udcff/hpcc.txt", "--no-plots", "--cc=none", f"--out={name} 4"]):
                with self.subTest(words):
                    done = self.succeed(*words)
                    self.assertNotIn("drawing failed", done.stderr)
                    if words[0] == "run":
                        self.leave_one_figure(name)
            with open(self.path(name, "report.html"), encoding="utf-8") as f:
                self.assertIn("</html>", f.read())

    def test_a_terminal_without_unicode(self):
        done = self.succeed("run", "incast", *SHORT, "--seed=1-2", "--out=\u00e9", PYTHONIOENCODING="ascii")
        self.assertIn(" +-", done.stdout)

    def test_one_line_and_no_traceback(self):
        """For names that are too long, devices, folders, and JSON that is too deep."""
        for name in ("summary.json", "compare.json", "published.json", "run.json"):
            self.put(f"deep/{name}", "[" * 200_000)
        long = 4000 * "x"
        for words in (["run", "incast", *SHORT, f"--out={long}"], ["run", "incast", *SHORT, "--out=" + "x/" * 2500],
                      ["compare", "results", "results", f"--out={long}"], ["plot", long], ["pcap", long],
                      ["generate", "topology", "clos", f"--out={long}"], ["fct", long], ["trace", long],
                      ["ns3-rdma", long], ["ns3-rdma", "hpcc.txt", "--cc=none", f"--out={long}"],
                      ["pcap", "/dev/zero"], ["fct", "/dev/zero"], ["trace", "/dev/zero"], ["ns3-rdma", "/dev/zero"],
                      ["generate", "workload", "--topology=/dev/zero"], ["plot", "/dev/zero"], ["pcap", "/"], ["fct", "/"], ["trace", "/"],
                      ["run", "clos", "--ranks=2", "--hosts-file=/dev/zero"],
                      ["plot", "deep"], ["compare", "deep", "deep"], ["run", "incast", *SHORT, "--out=deep"]):
            with self.subTest([word[:20] for word in words]):
                done = self.rcc(*words)
                self.assertIn(done.returncode, (1, 2), done.stderr[:300])
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr[:300])


if __name__ == "__main__":
    unittest.main()
