# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc ns3-rdma: what its program is asked, and where its results go."""
import json
import os
import re
import shutil
import sys
import unittest

from support import ROOT, WRITTEN, RccTest, needs_programs

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES

TRACE = '[ -z "$TRACE" ] || echo "$@" >> "$TRACE"'

# (arguments, a part of the one line on stderr)
REFUSED = [
    ("ns3-rdma", "CONFIG"),
    ("ns3-rdma missing.txt", "'missing.txt': No such file"),
    ("ns3-rdma hpcc.txt", "CC_MODE: 12 is no control at all in astra-sim's fork, as --cc=none"),
    ("ns3-rdma config.txt --chioces=x", "did you mean --choices or --cc?"),
    ("ns3-rdma config.txt --time=soon", "--time is 'soon'"),
    ("run ns3-rdma", "unknown scenario 'ns3-rdma'"),
]


@needs_programs
class Ns3Rdma(RccTest):
    def setUp(self):
        super().setUp()
        config = FILES["hpcc.txt"].replace("SIMULATOR_STOP_TIME 0.02", "SIMULATOR_STOP_TIME 0.005").replace("LINK_DOWN 4000000 8 10\n", "")
        for name, text in {**FILES, "config.txt": config, "hpcc.txt": config.replace("CC_MODE 1", "CC_MODE 12")}.items():
            self.put(name, text)
        self.wrap("rcc-run", TRACE)

    def run_it(self, *words, **extra):
        done = self.rcc("ns3-rdma", *words, "--no-plots", **extra)
        known = r"^rcc: warning: not ended: |^rcc: \S+[.]txt(:\d+)?: | more notes? in "
        others = [line for line in done.stderr.splitlines() if not re.search(known, line)]
        self.assertEqual((done.returncode, others), (0, []))
        return done.stdout

    def summary(self, *folder):
        return json.loads(self.read(*(folder or ("out", "ns3-rdma")), "summary.json"))

    def test_the_config_decides(self):
        text = self.run_it("config.txt")
        self.assertRegex(text, r"p99 slowdown: dcqcn \d")
        self.assertIn("report: out/ns3-rdma/report.html", text)
        self.assertEqual(sorted(os.listdir(self.path("out", "ns3-rdma"))), sorted(["dcqcn", *WRITTEN]))
        self.assertEqual([r["cc"] for r in self.summary()["runs"]], ["dcqcn"])
        self.assertEqual(self.summary()["command"], "./rcc ns3-rdma config.txt --no-plots")
        self.assertIn("(default: what the config says)", " ".join(self.succeed("ns3-rdma", "--help").stdout.split()))

    def test_thresholds_that_the_algorithm_of_the_config_has_not(self):
        text = "rcc: warning: --kmin and --kmax have no effect: no algorithm of the file (timely) has these parameters\n"
        for mode, said in ((1, ""), (7, text)):
            self.put("mode.txt", self.read("config.txt").replace("CC_MODE 1", f"CC_MODE {mode}"))
            done = self.succeed("ns3-rdma", "mode.txt", "--kmin=5KB", "--kmax=200KB", "--time=3ms", "--no-plots", "--quiet")
            self.assertEqual([line for line in done.stderr.splitlines(True) if "of the file" in line], [said] if said else [])

    def test_the_parameters_are_those_of_the_config(self):
        values = (("KMIN_MAP", 7), ("KMAX_MAP", 70), ("PMAX_MAP", 0.5))
        rates = [f"{name} 2 25000000000 {value} 100000000000 {value}" for name, value in values]
        text = "\n".join([re.sub("(?m)^.*_MAP .*\n", "", self.read("config.txt")), *rates, ""])
        self.put("maps.txt", text)
        self.run_it("maps.txt")
        run = self.summary()["runs"][0]
        self.assertEqual([run["parameters"][name] for name in ("kmin", "kmax", "pmax")], ["7KB", "70KB", "0.5"])
        self.assertEqual(run["kmax_bytes"], 70000)

    def test_what_the_program_is_asked(self):
        self.run_it("config.txt", "--dialect=hpcc", "--seed=3", "--pcap",
                    "--time=10ms", "--set", "dcqcn.g=0.01", "--set=dcqcn.f=3", "--preset=cx4", TRACE=self.path("asked"))
        checked, (path, own, *rest) = (line.split() for line in self.read("asked").splitlines())
        self.assertRegex(own, r"^--out=out/ns3-rdma/\.rcc-run-[^/]+/config$")
        self.assertEqual(path, own[len("--out="):-len("config")] + "0.run")
        self.assertEqual((checked[1:], rest), (["--check"], ["--progress"]))
        run = self.summary()["runs"][0]
        self.assertEqual((run["preset"], run["seed"], run["parameters"]["g"], run["parameters"]["f"]), ("cx4", 3, "0.01", "3"))
        self.assertIn("receiver.pcap", os.listdir(self.path("out", "ns3-rdma", "dcqcn")))

    def test_side_by_side(self):
        text = self.run_it("hpcc.txt", "--cc=dcqcn,qcn", "--out=here", TRACE=self.path("asked"))
        self.assertRegex(text, r"p99 slowdown: dcqcn \d")
        asked = [line.partition(" ")[2] for line in self.read("asked").splitlines() if "--check" not in line]
        asked = [re.sub(r"\.rcc-run-[^/]+/", "", line) for line in asked]
        self.assertEqual(sorted(asked), [f"--out=here/{cc} --progress" for cc in ("dcqcn", "qcn")])
        self.assertEqual(sorted(os.listdir(self.path("here"))), sorted(["dcqcn", "qcn", *WRITTEN]))

    def test_choices_are_said(self):
        """The number of flows of each algorithm."""
        self.put("all.txt", "default dcqcn\n")
        self.put("one.txt", "flow 2 timely\n")
        text = " ".join(self.run_it("config.txt", "--cc=hpcc,timely", "--choices=all.txt").split())
        runs, flows = self.summary()["runs"], self.summary()["runs"][0]["flows"]
        said = f"cannot act: hpcc, timely: flows {flows}, with the run's algorithm 0: each has its own: dcqcn"
        self.assertIn(said, text)
        page = self.read("out", "ns3-rdma", "report.html")
        self.assertIn(said.replace("'", "&#x27;"), page)
        self.run_it("config.txt", "--choices=one.txt", "--set=timely.beta=0.5", "--out=one")
        one = self.summary("one")["runs"][0]
        self.assertEqual((one["own_algorithms"]["timely"]["flows"], one["own_algorithms"]["timely"]["parameters"]["beta"]), (1, "0.5"))
        for run in runs:
            own = run["own_algorithms"]["dcqcn"]
            self.assertEqual((list(run["own_algorithms"]), own["flows"]), (["dcqcn"], flows))
            for name in ("timer", "r_ai", "kmin", "kmax", "pmax"):     # parameters of the config
                self.assertEqual(own["parameters"][name], one["parameters"][name], name)
            self.assertEqual(own["parameters"], one["parameters"])      # CC_MODE 1 with its preset has these
        self.run_it("config.txt", "--out=none")
        self.assertNotIn("own_algorithms", self.read("none", "summary.json"))

    def test_each_cc_mode_has_its_algorithm(self):
        """ENABLE_QCN switches marks off. That simulator's switches write telemetry all the same."""
        config = self.read("config.txt")
        for mode, ecn, name, preset, form in (("3", "1", "hpcc", "simulator", "simulator"), ("7", "1", "timely", "hpcc", None),
                                              ("8", "1", "dctcp", "simulator", None), ("10", "1", "hpcc", "pint", "pint"),
                                              ("3", "0", "hpcc", "simulator", "simulator"), ("10", "0", "hpcc", "pint", "pint")):
            self.put("mode.txt", config.replace("CC_MODE 1", "CC_MODE " + mode).replace("ENABLE_QCN 1", "ENABLE_QCN " + ecn))
            self.run_it("mode.txt", f"--out={mode}-{ecn}")
            run = self.summary(f"{mode}-{ecn}")["runs"][0]
            self.assertEqual((run["cc"], run["preset"], run["parameters"].get("int_form"), run["packets_dropped"]), (name, preset, form, 0))
        for mode in ("3", "10"):
            self.assertEqual(self.read(f"{mode}-0", "hpcc", "fct.txt"), self.read(f"{mode}-1", "hpcc", "fct.txt"))

    def test_its_files_are_read_by_the_other_commands(self):
        self.run_it("config.txt", "--cc=dcqcn,qcn")
        done = self.rcc("fct", "out/ns3-rdma/dcqcn/fct.txt", "out/ns3-rdma/qcn/fct.txt")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.splitlines()[0], r"slowdown +dcqcn +qcn$")
        self.assertRegex(done.stdout, r"(?m)^all +")

    def test_refused(self):
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.assert_refused(self.rcc(*line.split()), fragment)

    def test_files_are_compared_by_what_they_held(self):
        """Files that the config names are compared too, wherever it is, and as they were when they were read."""
        def compare_setups(*folders):
            done = self.succeed("compare", *folders, "--json")
            return {entry["what"]: entry["values"] for entry in json.loads(done.stdout)["setup"]}
        self.run_it("config.txt", "--out=a")
        os.mkdir(self.path("mix"))
        for name in [*FILES, "config.txt"]:
            shutil.copy(self.path(name), self.path("mix", name))
        self.run_it("mix/config.txt", "--out=b")
        self.assertEqual(compare_setups("a", "b"), {})
        name = re.search(r"(?m)^TOPOLOGY_FILE (\S+)", self.read("config.txt")).group(1)
        with open(self.path(name), "a", encoding="utf-8") as f:
            f.write("\n")
        self.run_it("config.txt", "--out=b")
        found = compare_setups("a", "b")
        self.assertEqual(list(found), ["file topology"])


if __name__ == "__main__":
    unittest.main()
