# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Remarks, warnings and settings say of a run only what is true of it."""
import re
import unittest

import support  # noqa: F401 - lets the command be found
from command.results.html import report
from command.results.judge import summary, sweep_results
from command.results.read import seeds
from support import RccTest, needs_programs, sample_run


class Fairness(unittest.TestCase):
    def test_nothing_is_no_index(self):
        """Jain's index of n flows is at least 1/n: a 0 is none, as nobody got anything in the window."""
        runs = [sample_run("a", 1e3, jain=0), sample_run("b", 1e3, jain=0.5)]
        rows = {row.split()[0]: row.split()[-1] for row in summary.table(runs).splitlines() if row[:2] in ("a ", "b ")}
        self.assertEqual(rows, {"a": "-", "b": "0.500"})


class Warnings(RccTest):
    LATE = "rcc: warning: f.txt:1: pause at 2ms never happens: the run ends at 1ms"

    def test_whose_they_are(self):
        """A line that not all runs have names those that have it, once."""
        def whose(*told):
            return summary.whose([(label, label.partition(":")[0], lines) for label, lines in told])
        late, short = self.LATE, self.LATE[len("rcc: warning: "):]
        self.assertEqual(whose(("a", [late, late])), [late])
        self.assertEqual(whose(("a", [late]), ("b", [late])), [late])
        self.assertEqual(whose(("a", []), ("b", [late])), [f"rcc: warning: b: {short}"])
        self.assertEqual(whose(("a", ["x"]), ("b", [short]), ("a:p", [short])), ["a: x", f"b, a:p: {short}"])
        # of seeds
        self.assertEqual(whose(("a", [short]), ("a", [short]), ("b", []), ("b", [short])), [f"a, b in 1 of 2 seeds: {short}"])
        self.assertEqual(whose(("a", []), ("a", [short])), [f"a in 1 of 2 seeds: {short}"])
        many = [(name, [short]) for name in "abcdef"]
        self.assertEqual(whose(*many, ("g", [])), [f"a, b, c, 3 more: {short}"])
        self.assertEqual(whose(*many[:4], ("g", [])), [f"a, b, c, d: {short}"])
        # which the program calls by its algorithm already
        self.assertEqual(whose(("a", ["a: 8 of 8"])), ["a: 8 of 8"])
        self.assertEqual(whose(("a:p", ["rcc: warning: a: 8 of 8"]), ("b", [])), ["rcc: warning: a:p: 8 of 8"])

    def test_the_report(self):
        def warned(*runs):
            page = report.page(self.path(""), {"command": "./rcc run incast", "runs": list(runs), "partial": False})
            return re.findall("<li>(.*?)</li>", page)
        self.assertEqual(warned(sample_run("a", 1e3, warnings=["late"]), sample_run("b", 1e3, warnings=["late"])), ["late"])
        self.assertEqual(warned(sample_run("a", 1e3), sample_run("b", 1e3, warnings=["late"])), ["b: late"])
        self.assertEqual(warned(sample_run("a", 1e3), sample_run("a", 1e3, warnings=["late"], seed=2)), ["a in 1 of 2 seeds: late"])

    @needs_programs
    def test_stderr(self):
        """none's run ends before the fault, as its flows are faster."""
        with open(self.path("f.txt"), "w", encoding="utf-8") as f:
            f.write("pause host=2 at=2ms\n")
        done = self.rcc("run", "incast", "--flows=8", "--size=500KB", "--start=0s", "--cc=dcqcn,none", "--faults=f.txt", "--out=out",
                        "--no-plots", "--quiet")
        self.assertRegex(done.stderr, r"^rcc: warning: none: f.txt:1: pause at 2ms never happens: the run ends at [0-9.]+us\n$")

    @needs_programs
    def test_stderr_before_the_simulation(self):
        """Of two algorithms and of two presets of one."""
        for cc, rate, who, text in (
                ("dcqcn,hpcc", "333500000bps", "hpcc", "the telemetry that hpcc reads has rates in whole Mb/s"),
                ("dcqcn:paper,dcqcn:paper+r_min=100Mbps", "1Gbps", "dcqcn:paper+r_min=100Mbps", "r_min x flows = ")):
            done = self.rcc("run", "incast", "--flows=20", "--start=0s", "--time=1ms", f"--rate={rate}", f"--cc={cc}", "--no-plots",
                            "--quiet", f"--out=before-{rate}")
            self.assertTrue(done.stderr.startswith(f"rcc: warning: {who}: {text}"), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Numbers(unittest.TestCase):
    def test_kmax_is_of_algorithms_that_have_one(self):
        """run.json has 200 KB for the others, by which `drain_s` is measured."""
        def cells(**more):
            rows = dict([*report.SETTINGS, *report.MORE])
            run = sample_run("a", 1e3, drain_s=None, **more)
            return rows["Kmax"](run), rows["drained after the last start"](run)
        self.assertEqual(cells(parameters={"kmax": "200KB"}), ("200 KB", "never stayed below Kmax"))
        self.assertEqual(cells(parameters={"g": "1"}), ("-", "never stayed below 200 KB"))
        self.assertEqual(cells(), ("-", "never stayed below 200 KB"))

    def test_flows_of_all_seeds_that_did_not_end(self):
        """The same words in a sweep, in the table of a run and in its report."""
        runs = [sample_run("a", 1e3, seed=seed, flows=2, incomplete=2, fct={"count": 0}) for seed in (1, 2)]
        run, = seeds.averaged(runs)
        self.assertIn("4 in 2 seeds", summary.table([run]))
        rows = dict(report.MORE)
        self.assertTrue(rows["flows that did not end"](run).startswith("4 in 2 seeds: "))
        self.assertTrue(rows["flows that did not end"](runs[0]).startswith("2: "))
        entries = [{"parameters": {"cc": "a", "seed": str(one["seed"])}, "run": one} for one in runs]
        for some, text in ((entries, "4 in 2 seeds"), (entries[:1], "2")):
            rows = sweep_results.table(sweep_results.read(some, lambda point: {}, sweep_results.Axes("", []), "workload"))
            self.assertEqual([row[-1] for row in rows], ["not ended", text])


class Headline(unittest.TestCase):
    def test_rates_of_the_links(self):
        """Not that of --rate, which no link has where each is given its own."""
        run = {"scenario": "testbed", "rate_bps": 1e9, "flows": 2, "hosts": 3}
        for own, rates in ((None, "1 Gb/s"), ([10**10, 10**11], "10 Gb/s to 100 Gb/s"), ([10**10, 10**10], "10 Gb/s")):
            its = {**run, "link_rates_bps": own} if own else run
            self.assertEqual(summary.headline({"runs": [its]}), f"testbed: 2 flows, 3 hosts, {rates}")
            page = report.page("", {"command": "./rcc run testbed", "runs": [its], "partial": False})
            self.assertIn(f'<th scope="row">link rate</th><td>{rates}</td>', page)

    def test_the_end_of_a_step(self):
        """Ranks may compute after the last packet."""
        run = {"scenario": "trace", "rate_bps": 1e9, "flows": 2, "hosts": 3, "sim_s": 6e-6}
        for step, end in ((None, "6 us"), (23e-6, "23 us")):
            told = summary.headline({"runs": [{**run, "step": {"step_s": step}}]})
            self.assertEqual(told, f"trace: 2 flows, 3 hosts, 1 Gb/s, {end} simulated")


if __name__ == "__main__":
    unittest.main()
