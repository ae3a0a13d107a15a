# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc compare: saved runs side by side."""
import json
import os
import re
import unittest

from support import RccTest, sample_run

from command.common import digits, si_bytes
from command.results.judge import comparison as compare
from command.results.read import results
from command.system import packages


class Numbers(unittest.TestCase):
    """The numbers of a broken summary.json."""
    def test_beyond_all_bounds(self):
        for value, shown in ((float("inf"), "inf B"), (-float("inf"), "-inf B"), (float("nan"), "nan B"), (10 ** 400, "inf B")):
            self.assertEqual(si_bytes(value), shown)
        self.assertTrue(si_bytes(1.797e308).endswith(" TB"))
        self.assertEqual(digits(float("inf")), "inf")


class Compare(RccTest):
    def folder(self, name, runs, **more):
        """A folder as ./rcc run leaves it, with one series."""
        os.makedirs(self.path(name), exist_ok=True)
        summary = {"schema": 1, "rcc_version": "1", "command": f"./rcc run incast --out={name}", "partial": False, "runs": runs}
        results.write_json(self.path(name), "summary.json", {**summary, **more})
        for run in runs:
            if isinstance(run, dict) and "cc" in run:
                place = self.path(name, run.get("folder", run["cc"]))
                os.makedirs(place, exist_ok=True)
                with open(os.path.join(place, "queue.csv"), "w", encoding="utf-8") as f:
                    mean = run["queue"]["mean_bytes"]
                    f.write("time_s,mean_bytes,max_bytes\n" + "".join(f"{i / 100},{mean},{2 * mean}\n" for i in range(1, 40)))

    def compare(self, *words):
        return self.rcc("compare", *words, "--no-plots")

    def numbers(self):
        return json.loads(self.read("out", "compare", "compare.json"))

    def read_setup(self):
        return {entry["what"]: entry["values"] for entry in self.numbers()["setup"]}

    def test_the_same(self):
        for name in ("a", "b"):
            self.folder(name, [sample_run("dcqcn", 1e5), sample_run("qcn", 2e5)])
        done = self.compare("a", "b", "--fail-over=0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("set-up: the same", done.stdout)
        self.assertIn("series: all the same, byte for byte", done.stdout)
        self.assertIn("nothing moved by more than 0 %", done.stdout)
        self.assertEqual([run["name"] for run in self.numbers()["runs"]], ["dcqcn", "qcn"])

    def test_a_scenario_of_a_testbed_has_two_names(self):
        """Runs of earlier versions say testbed; their command tells the scenario."""
        for name, what, called in (("old", "victim", "testbed"), ("new", "victim", "victim"), ("mine", "testbed", "testbed")):
            self.folder(name, [sample_run("dcqcn", 1e5, scenario=called), sample_run("qcn", 1e5, scenario=called)],
                        command=f"./rcc run {what}")
        done = self.compare("old", "new")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("set-up: the same", done.stdout)
        self.assertEqual([(run["name"], run["scenario"]) for run in self.numbers()["runs"]], [("dcqcn", "victim"), ("qcn", "victim")])
        self.assertRegex(self.compare("new", "mine").stdout, "scenario +victim +testbed")

    def test_what_is_not_settled_is_said(self):
        self.folder("a", [sample_run("dcqcn", 1e5, halves={"jain": [0.9, 0.9]}), sample_run("qcn", 1e5)])
        self.folder("b", [sample_run("dcqcn", 1e5, halves={"jain": [0.2, 0.6]}), sample_run("qcn", 1e5)])
        done = self.rcc("compare", "a", "b", "--no-plots")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("not settled: B: Jain's index 0.20 (first half of the window), 0.60 (second half)", done.stdout)
        self.assertEqual(done.stdout.count("not settled"), 1)
        self.assertIn("not settled: B: Jain", self.read("out", "compare", "report.html"))
        self.assertEqual([bool(run["not_settled"]) for run in self.numbers()["runs"]], [True, False])

    def test_several_seeds(self):
        """The seeds differ; whole numbers stay whole; series are the same only if those of all seeds are."""
        def made(name, seeds, mean):
            runs = [sample_run("dcqcn", mean + 1000 * seed, seed=seed, flows=3) for seed in seeds]
            for run in runs:
                run["folder"] = f"dcqcn-seed-{run['seed']}"
            self.folder(name, runs)

        made("a", [1, 2, 3, 5], 1e5)
        made("b", [1], 1e5)
        text = self.compare("a", "b").stdout
        self.assertEqual(self.read_setup(), {"seed": ["1-3,5", "1"]})
        self.assertNotIn("series:", text)
        made("c", [1, 2, 3, 5], 1e5)
        self.assertIn("series: all the same, byte for byte", self.compare("a", "c").stdout)
        with open(self.path("c", "dcqcn-seed-5", "queue.csv"), "a", encoding="utf-8") as f:
            f.write("1,2,3\n")
        text = self.compare("a", "c").stdout
        self.assertIn("set-up: the same", text)
        self.assertIn("series: queue.csv differ", text)

    def seeds_of(self, name, *ended, **more):
        """A folder with a run of 100 flows for each number of those that ended."""
        self.folder(name, [sample_run("dcqcn", 1e5, seed=seed, folder=f"dcqcn-seed-{seed}", incomplete=100 - count,
                                      fct={"count": count, "mean_s": 1e-3}, **{key: values[seed - 1] for key, values in more.items()})
                           for seed, count in enumerate(ended, 1)])

    def test_a_seed_without_a_number_is_said(self):
        """The mean is of the others: a queue that has never drained in one seed."""
        self.seeds_of("a", 100, 100, drain_s=[0.1, 0.1], flows=[280, 290])
        self.seeds_of("b", 100, 100, drain_s=[0.1, None], flows=[280, 291])
        done = self.compare("a", "b")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^  drained after +100 ms +100 ms in 1 of 2 seeds +")
        self.assertEqual(self.read_setup(), {"flows": ["280 to 290", "280 to 291"]})

    def test_a_counter_that_is_absent_is_0(self):
        """An absent counter is not unknown, so that it can be compared, in a single seed too."""
        self.folder("a", [sample_run("dcqcn", 1e5, packets_repeated=22, frames_lost=1, frames_trimmed=3)])
        self.folder("b", [sample_run("dcqcn", 1e5)])
        done = self.compare("a", "b", "--metrics=packets_repeated,frames_lost,frames_trimmed,icrc_errors,naks", "--fail-over=150")
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = {row["name"]: (row["values"], row["difference"], row["ratio"]) for row in self.numbers()["runs"][0]["metrics"]}
        self.assertEqual(rows, {"packets_repeated": ([22, 0], [-22], [0]), "frames_lost": ([1, 0], [-1], [0]),
                                "frames_trimmed": ([3, 0], [-3], [0])})
        self.assertRegex(done.stdout, r"(?m)^  packets repeated +22 +0 +-22 +0$")
        done = self.compare("b", "a", "--metrics=packets_repeated", "--fail-over=150")
        self.assertIn("dcqcn in B: packets_repeated from 0 to 22\n", done.stdout)
        self.seeds_of("c", 100, 100, packets_repeated=[4, None])
        self.assertRegex(self.compare("c", "b").stdout, r"(?m)^  packets repeated +2 +0 +-2 +0$")

    def test_all_that_was_lost_is_a_row(self):
        self.assertLessEqual({"frames_lost", "frames_trimmed", "icrc_errors", "packets_repeated", "packets_overrun", "answer.lost"},
                             {metric.path for metric in compare.METRICS})

    def test_differences_ratios_and_set_up(self):
        self.folder("a", [sample_run("dcqcn", 100_000, 0.8, parameters={"g": "1/256", "f": "5"})])
        self.folder("b", [sample_run("dcqcn", 150_000, 0.6, seed=2, parameters={"g": "1/16", "f": "5"})])
        done = self.compare("a", "b")
        self.assertEqual(done.returncode, 0)
        text = done.stdout
        self.assertRegex(text, r"(?m)^  queue mean +100 KB +150 KB +\+50 KB +1\.5000$")
        self.assertRegex(text, r"(?m)^  utilisation +0\.800 +0\.600 +-0\.200 +0\.7500$")
        self.assertRegex(text, r"(?m)^  seed +1 +2$")
        self.assertRegex(text, r"(?m)^  parameter g +1/256 +1/16$")
        self.assertNotIn("parameter f", text)
        self.assertIn("series: queue.csv differ", text)
        self.assertLess(text.index("set-up differs"), text.index("queue mean"))
        row = next(r for r in self.numbers()["runs"][0]["metrics"] if r["name"] == "queue.mean_bytes")
        self.assertEqual(row, {"name": "queue.mean_bytes", "values": [100_000, 150_000], "difference": [50_000], "ratio": [1.5]})
        self.assertEqual(self.read_setup(), {"seed": ["1", "2"], "parameter g": ["1/256", "1/16"]})

    def test_what_the_results_say_is_said_once(self):
        for name, more in (("a", {}), ("b", {"rate_bps": 10**10, "sim_s": 0.5, "flows": 3, "attributes": {"RdmaNic.Recovery": "irn"}})):
            self.folder(name, [sample_run("dcqcn", 1e5, **more)], command=f"./rcc run incast --time={name}ms --rate={name}")
        self.assertEqual(self.compare("a", "b").stderr, "")
        self.assertEqual(self.read_setup(), {"flows": ["100", "3"], "rate_bps": ["40 Gb/s", "10 Gb/s"], "sim_s": ["400 ms", "500 ms"],
                                             "attribute RdmaNic.Recovery": ["-", "irn"]})

    def test_the_same_is_only_said_of_what_is_there(self):
        for name, command in (("a", "./rcc ns3-rdma c.txt"), ("b", "")):
            self.folder(name, [sample_run("dcqcn", 1e5)], command=command)
        with open(self.path("b", "dcqcn", "windows.csv"), "w", encoding="utf-8") as f:
            f.write("time_s\n")
        text = self.compare("a", "b").stdout
        self.assertIn("series: windows.csv not in all\n", text)
        self.assertIn("set-up: the same\n", text)
        self.assertIn("The set-up is the same.", self.read("out", "compare", "report.html"))
        self.assertEqual(self.numbers()["runs"][0]["series"], {"queue.csv": True, "windows.csv": None})

    def test_limit(self):
        self.folder("a", [sample_run("dcqcn", 100_000, wall_s=1.0)])
        self.folder("b", [sample_run("dcqcn", 104_000, wall_s=9.0)])
        for words, status in (("--fail-over=5", 0), ("--fail-over=3%", 1), ("--fail-over=3 --metrics=utilization", 0),
                              ("--fail-over=3 --metrics=queue.p99_bytes", 1), ("--fail-over=3 --metrics=wall_s", 1)):
            with self.subTest(words):
                self.assertEqual(self.compare("a", "b", *words.split()).returncode, status)
        moved = self.numbers()["moved"]
        self.assertEqual([(m["metric"], m["from"], m["to"], m["percent"]) for m in moved], [("wall_s", 1.0, 9.0, 800.0)])

    def test_from_nothing_to_something(self):
        self.folder("a", [sample_run("dcqcn", 1e5, drain_s=0.1, packets_dropped=0)])
        self.folder("b", [sample_run("dcqcn", 1e5, drain_s=None, packets_dropped=7)])
        done = self.compare("a", "b", "--fail-over=1000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("dcqcn in B: drain_s from 100 ms to never", done.stdout)
        self.assertIn("dcqcn in B: packets_dropped from 0 to 7", done.stdout)

    def test_a_run_that_is_missing(self):
        self.folder("a", [sample_run("dcqcn", 1e5), sample_run("qcn", 1e5)])
        self.folder("b", [sample_run("dcqcn", 1e5)])
        done = self.compare("a", "b")
        self.assertEqual(done.returncode, 0)
        self.assertIn("qcn: not in b", done.stdout)
        done = self.compare("a", "b", "--fail-over=50")
        self.assertEqual(done.returncode, 1)
        self.assertIn("qcn in B: is missing", done.stdout)

    def test_three(self):
        for i, name in enumerate("abc"):
            self.folder(name, [sample_run("dcqcn", 1e5 * (i + 1))])
        text = self.compare("a", "b", "c").stdout
        self.assertRegex(text, r"(?m)^  metric +A +B +C +B - A +B / A +C - A +C / A$")
        self.assertRegex(text, r"(?m)^  queue mean +100 KB +200 KB +300 KB +\+100 KB +2\.0000 +\+200 KB +3\.0000$")
        self.folder("q", [sample_run("qcn", 2e5)])      # two algorithms of one run each
        text = self.compare("a", "q").stdout
        self.assertRegex(text, r"(?m)^  algorithm +dcqcn +qcn$")
        self.assertIn("\ndcqcn | qcn\n", text)

    def test_refused(self):
        self.folder("a", [sample_run("dcqcn", 1e5)])
        self.folder("b", [sample_run("dcqcn", 1e5)])
        self.folder("clos", [sample_run("dcqcn", 1e5, scenario="clos")])
        self.folder("bare", [{"queue": {}}])
        self.folder("number", [3])
        self.folder("empty", [])
        for folder, name, text in (("mine", "notes.txt", "keep"), ("half", "summary.json", "{"),
                                   ("deep", "summary.json", '{"schema": 1, "runs": ' + "[" * 700 + "]" * 700 + "}")):
            os.mkdir(self.path(folder))
            with open(self.path(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        for words, fragment in (("a", "1 folder; give 2 to 8"), ("a nowhere", "nowhere: no summary.json there"),
                                ("a clos", "nothing to compare: a has incast dcqcn; clos has clos dcqcn"),
                                ("a bare", "bare/summary.json: runs[0]: found no 'cc'"), ("a number", "runs[0]: found no 'cc'"),
                                ("a empty", "empty/summary.json: runs: found none"), ("a half", "half/summary.json: not a summary"),
                                ("a deep", "deep/summary.json: not a summary"),
                                ("a b --metrics=queue.mean", "did you mean queue.mean_bytes"), ("a b --fail-over=x", "percentage"),
                                ("a b --fail-over=-1", "percentage"), ("a b --fail-over=nan", "percentage"),
                                ("a b --out=mine", "no result of ./rcc compare"), ("a b --out=", "a folder's name is missing"),
                                ("a b --out=/proc/nowhere", "cannot write there"), (" ".join("a" * 9), "9 folders; give 2 to 8")):
            with self.subTest(words):
                self.assert_refused(self.compare(*words.split()), fragment)
        self.assertEqual(os.listdir(self.path("mine")), ["notes.txt"])

    def test_json_writes_nothing(self):
        self.folder("a", [sample_run("dcqcn", 1e5)])
        done = self.rcc("compare", "a", self.path("a", "summary.json"), "--json")
        self.assertEqual(json.loads(done.stdout)["schema"], compare.SCHEMA)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_report_and_plots(self):
        self.folder("a", [sample_run("dcqcn", 1e5), sample_run("qcn", 3e4)])
        self.folder("b", [sample_run("dcqcn", 2e5, title="<b>x"), sample_run("qcn", 3e4)])
        done = self.rcc("compare", "a", "b")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = self.read("out", "compare", "report.html")
        self.assertIsNone(re.search(r"https?://|file:|url\(|@import|<script", page))
        self.assertNotIn("<b>x", page)
        self.assertIn("The set-up is the same.", page)
        if packages.plotting_python():
            self.assertGreater(os.path.getsize(self.path("out", "compare", "queue.png")), 5000)
            self.assertEqual(page.count("<figure>"), 1)
        # a second time: the old files make space, and the same input gives the same bytes
        before = self.read("out", "compare", "compare.json")
        self.assertEqual(self.compare("a", "b").returncode, 0)
        self.assertEqual(self.read("out", "compare", "compare.json"), before)
        self.assertFalse(os.path.exists(self.path("out", "compare", "queue.png")))


if __name__ == "__main__":
    unittest.main()
