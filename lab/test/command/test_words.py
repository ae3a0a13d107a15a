# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Numbers for people, the table, the sentence, the report, atomic files, bench, the parsers of ./rcc test."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from unittest import mock

import support
from command import below, common
from command.experiment.model import Arrivals, Port, Watched
from evidence.reproduce import identified
from command.results.html import report
from command.results.judge import lines, paper, summary
from command.results.read import results
from command.run import bench, bench_cases
from evidence.published.sets import FIGURES
from stages import driver, libcheck
from stages.outcome import Outcome
from support import RccTest, needs_programs, sample_run


class Numbers(unittest.TestCase):
    CASES = [
        (common.si_bytes, [(None, "-"), (0, "0 B"), (999, "999 B"), (1000, "1 KB"), (41_234, "41.2 KB"),
                           (200_000, "200 KB"), (999_700, "1.00 MB"), (4_944_000, "4.94 MB"), (9e9, "9 GB")]),
        (common.si_rate, [(40e9, "40 Gb/s"), (1.85e6, "1.85 Mb/s"), (20, "20 b/s")]),
        (common.si_time, [(0.4, "400 ms"), (12.34, "12.3 s"), (55e-6, "55 us"), (0, "0 ns"), (120, "120 s")]),
        (common.si_count, [(None, "-"), (0, "0"), (18234, "18234"), (1_234_567, "1.23 M"), (250.5, "250")]),
        (common.ratio, [(None, "-"), (0.9876, "0.988")]),
        (common.duration, [(0, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (7265, "2 h 01 min"), (-3, "0 s")]),
        (common.digits, [(9.996, "10.0"), (0.012345, "0.0123"), (1234.5, "1230")]),
    ]

    def test_cases(self):
        for function, pairs in self.CASES:
            for value, text in pairs:
                with self.subTest(f"{function.__name__}({value})"):
                    self.assertEqual(function(value), text)

    def test_get_never_fails(self):
        self.assertIsNone(common.get({}, "queue.mean_bytes"))
        self.assertIsNone(common.get({"queue": None}, "queue.mean_bytes"))
        self.assertIsNone(common.get({"queue": {"mean_bytes": "x"}}, "queue.mean_bytes"))
        self.assertIsNone(common.get({"queue": float("nan")}, "queue"))
        self.assertEqual(common.get({"queue": {"mean_bytes": 3}}, "queue.mean_bytes"), 3.0)


class Table(unittest.TestCase):
    def test_widest_case_fits(self):
        fct = {"count": 100, "mean_s": 0.04567, "p50_s": 0.04, "p99_s": 0.1234, "max_s": 1}
        runs = [sample_run(cc, 4_876_543, 0.9999, fct=fct, packets_dropped=123_456_789, pfc={"pauses": 987_654_321},
                           wall_s=0.01234, partial=True)
                for cc in ("timely-patched", "dcqcn-plus", "an-algorithm-with-a-very-long-name")]
        text = summary.table(runs)
        self.assertLessEqual(max(map(len, text.splitlines())), summary.WIDTH)
        self.assertEqual(len({len(line) for line in text.splitlines()[2:]}), 1, "aligned")

    def test_empty_results(self):
        self.assertIn("-", summary.table([{"cc": "dcqcn"}]))
        self.assertIn("dcqcn", summary.text({"runs": [{"cc": "dcqcn"}], "partial": False}))

    def test_fct_columns_only_where_flows_end(self):
        self.assertNotIn("FCT", summary.table([sample_run("qcn", 1e5)]))
        self.assertIn("FCT", summary.table([sample_run("qcn", 1e5, fct={"count": 1, "mean_s": 1, "p99_s": 1})]))

    def test_slowdown_columns_take_the_place_of_others(self):
        runs = [sample_run(cc, 123_456, jain=None, fct={"count": 5, "mean_s": 0.00123, "p99_s": 1},
                           slowdown={"count": 5, "mean": 12.345, "p99": 1380.7}) for cc in ("dcqcn", "timely-patched")]
        text = summary.table(runs)
        self.assertLessEqual(max(map(len, text.splitlines())), summary.WIDTH)
        self.assertNotIn("Jain", text)
        self.assertIn("12.3", text)
        self.assertIn("1380", text)

    def test_packets_per_second(self):
        self.assertEqual(summary.packets_per_second(sample_run("qcn", 1)), 950_000)
        self.assertIsNone(summary.packets_per_second({"packets_delivered": 3, "wall_s": 0}))


class Identified(unittest.TestCase):
    @needs_programs
    def test_they_are_the_defaults(self):
        text = subprocess.check_output([os.path.join(support.BUILD, "rcc-catalog")], text=True)
        fields = {one["name"]: {field["name"]: field["default"] for field in one["fields"]} for one in json.loads(text)["algorithms"]}
        for name, values in identified.VALUES.items():
            self.assertEqual(values, {key: fields[name][key] for key in values})

    def test_rows_say_it(self):
        rows = [{"commands": ["./rcc run incast --cc=dcqcn"]}, {"commands": ["./rcc run incast --cc=dcqcn-plus --flows=8"]}]
        self.assertIn("pmax 0.5 and idle_wake at-once of dcqcn-plus", identified.row_words(rows))
        self.assertEqual(identified.row_words(rows[:1]), "")


class Paper(unittest.TestCase):
    """The statements of ICNP 2018 about a run that has its set-up."""
    PLUS = {"preset": "paper", "senders": 8, "flows": 2000, "pfc_limit_bytes": 4_440_321, "bottleneck_bps": 40e9, "send_utilization": 0.97}
    CLOS = {**PLUS, "scenario": "clos", "flows": 1900, "hosts": 1910, "senders": 1900, "answer": {"capacity_bps": 400e9},
            "pfc_limit_bytes": 6_146_682, "bottleneck_bps": 400e9}

    def run_of(self, cc, mean, **more):
        return sample_run(cc, mean, **{**self.PLUS, "parameters": paper.parameters(cc), **more})

    def lines(self, cc, mean, **more):
        return lines.list_published([self.run_of(cc, mean, **more)], "")

    def test_bands_are_those_of_the_rows(self):
        """The number beside each edge of a row's band is judged as the row does."""
        rows = {row.id: row for figure in FIGURES for row in figure.rows}
        for one in [*paper.PLUS["incast"], *paper.PLUS["clos"], *paper.FAILS]:
            band = rows[one.row].band
            with self.subTest(one.row, band=band):
                if band == "+-15 %":
                    edges = [(4.9e6 * 0.86, 4.9e6 * 0.84), (4.9e6 * 1.14, 4.9e6 * 1.16)]
                    self.assertEqual(rows[one.row].published, "4.9 MB")
                else:
                    edges = [{"p99 <= 250 KB": (250e3, 250.1e3), ">= 90 %": (0.9, 0.899)}[band]]
                for good, bad in edges:
                    self.assertTrue(one.holds(good))
                    self.assertFalse(one.holds(bad))

    def test_a_run_with_its_setup(self):
        found = self.lines("dcqcn-plus", 112e3) + self.lines("dcqcn", 4.51e6) + self.lines("dcqcn-plus", 300e3, **self.CLOS) + \
            self.lines("dcqcn", 4.51e6, rate_bps=10e9, bottleneck_bps=10e9, pfc_limit_bytes=4_474_071, flows=160)
        self.assertEqual([(line[22:30], line.rpartition(": ")[2]) for line in found], [
            ("figure 6", "agrees"), ("figure 6", "agrees"), ("figure 4", "agrees"), ("figure 9", "DIFFERS"), ("figure 9", "agrees"),
            ("figure 4", "agrees")])

    def test_another_parameter_has_none(self):
        """A statement holds for its set-up alone: "with the default parameters of DCQCN"."""
        for cc, mean, own in (("dcqcn", 45e3, {"timer": "10ms"}), ("dcqcn", 4.5e6, {"kmin": "20KB", "pmax": "0.5"}),
                              ("dcqcn-plus", 1e5, {"pmax": "0.01"}), ("dcqcn-plus", 1e5, {"r_min": "0.00025"})):
            self.assertEqual(self.lines(cc, mean, parameters={**paper.parameters(cc), **own}), [], own)
            run = self.run_of(cc, mean, parameters={**paper.parameters(cc), **own})
            self.assertEqual(paper.list_statements({**run, "algorithm": cc, "cc": "folder"}), ())   # a figure's diamonds

    def test_another_option_has_none(self):
        """An option that run.json lacks counts too: it is in the command, or in the experiment.json of the run."""
        run = self.run_of("dcqcn-plus", 1e5)
        for option, said in (("--start=10ms", False), ("--start=100ms", True), ("--ack-every=1", False), ("--ack-every 64", True),
                             ("--rto=1ms", False), ("--rto=67108864ns", True), ("--nic=cx5", False), ("--seed=3", True)):
            command = f"./rcc run incast --cc=dcqcn-plus {option}"
            text = summary.text({"command": command, "runs": [run], "partial": False})
            self.assertEqual("published (ICNP 2018" in text, said, option)
            self.assertEqual("published (ICNP 2018" in report.page("", {"command": command, "runs": [run]}), said, option)
            self.assertEqual(bool(paper.list_statements({**run, "command": command}, "./rcc compare a b")), said, option)
        self.assertEqual(paper.list_statements(run, "./rcc run own.json"), ())

    @needs_programs
    def test_the_paper_s_set_up_is_the_default(self):
        """The paper's parameters, and the number that stands for buffer, delay and frames, are those of a run; other options change one."""
        def run_of(*words):
            with tempfile.TemporaryDirectory() as out:
                subprocess.run([sys.executable, os.path.join(support.ROOT, "rcc"), "run", *words, "--time=0.5ms", "--start=1us", "--quiet",
                                "--no-plots", f"--out={out}"], check=True)
                with open(os.path.join(out, "summary.json"), encoding="utf-8") as f:
                    return [{**run, "window_s": [0.3, 0.6], "flows": max(run["flows"], 320)} for run in json.load(f)["runs"]]
        both = "--cc=dcqcn,dcqcn-plus"
        for words in (("incast", both, "--flows=8"), ("incast", both, "--flows=8", "--rate=10Gbps"), ("clos", "--cc=dcqcn-plus")):
            for run in run_of(*words):
                self.assertEqual(run["parameters"], paper.parameters(run["cc"]))
                self.assertTrue(paper.list_statements(run), f"{words} {run['cc']}")
        for word in ("--mtu=4000", "--delay=1500ns", "--set=dcqcn-plus.pmax=0.01,dcqcn.timer=10ms", "--attr=QbbSwitch.EgressAlpha=0.1"):
            for run in run_of("incast", both, "--flows=8", word):
                self.assertEqual(paper.list_statements(run), (), f"{word} {run['cc']}")

    def test_any_other_has_none(self):
        for more in ({"flows": 2001}, {"senders": 16}, {"rate_bps": 100e9}, {"preset": "paraleon-plus"}, {"window_s": [0.1, 0.2]},
                     {"pfc_limit_bytes": 9e6}, {"partial": True}, {"pfc_limit_bytes": 4_399_821}, {"bottleneck_bps": 10e9},
                     {"attributes": {"QbbSwitch.EgressAlpha": "2"}}, {"frames_lost": 3}, {"inputs": {"faults": {"name": "f"}}},
                     {"fct": {"count": 1}}, {"scenario": "testbed"}, {**self.CLOS, "flows": 100}):
            self.assertEqual(self.lines("dcqcn-plus", 1e5, **more), [], more)
        self.assertEqual(self.lines("qcn", 1e5), [])
        self.assertEqual(self.lines("dcqcn", 4.5e6, flows=160), [])  # figure 4 is about 160 flows: too near
        self.assertEqual(self.lines("dcqcn", 4.5e6, **self.CLOS), [])  # figure 9 is DCQCN+ alone


class Command(unittest.TestCase):
    def test_the_folder_is_not_part_of_what_ran(self):
        from command.run.run import without_folder
        for words in (["run", "incast", "--out=a", "--flows=8"], ["run", "incast", "--out", "a", "--flows=8"],
                      ["run", "incast", "--flows=8", "--out", "--out"], ["run", "incast", "--flows=8"]):
            self.assertEqual(without_folder(words), ["run", "incast", "--flows=8"])


class Links(HTMLParser):
    """Everything in a page that a browser would load, and tags left open."""
    VOID = {"meta", "img", "br", "link", "hr", "input"}

    def __init__(self):
        super().__init__()
        self.loads, self.open, self.scripts = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.loads += [value for key, value in attrs if key in ("src", "href", "srcset", "data", "poster", "action")]
        self.scripts += tag == "script" or any(key.startswith("on") for key, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Report(RccTest):
    def page(self, runs, **more):
        return report.page(self.scratch, {"schema": 1, "rcc_version": "1", "command": "./rcc run incast", "runs": runs,
                                          "partial": False, **more})

    def test_self_contained(self):
        with open(self.path("queue.png"), "wb") as f:
            f.write(b"\x89PNG")
        text = self.page([sample_run("dcqcn", 1e6, parameters={"g": 0.1}), sample_run("qcn", 1e4)])
        links = Links()
        links.feed(text)
        self.assertEqual(links.open, [])
        self.assertEqual(links.scripts, 0)
        self.assertEqual(len(links.loads), 1)
        self.assertTrue(links.loads[0].startswith("data:image/png;base64,"))
        self.assertIsNone(re.search(r"https?://|file:|url\(|@import", text))
        for fragment in ("prefers-color-scheme: dark", "width=device-width", "Parameters of dcqcn", "./rcc run incast",
                         "Smallest mean queue: qcn", "* smallest mean queue, and those within 10 %"):
            self.assertIn(fragment, text)

    def test_text_is_escaped(self):
        text = self.page([sample_run("dcqcn", 1e6, title="<b>x", warnings=["a < b & c"])], command="./rcc '<script>'")
        self.assertNotIn("<b>x", text)
        self.assertNotIn("<script>", text)
        self.assertIn("a &lt; b &amp; c", text)

    def test_missing_fields(self):
        self.assertIn("dcqcn", self.page([{"cc": "dcqcn"}]))

    def test_partial_is_visible(self):
        self.assertIn("Partial result.", self.page([sample_run("a", 1, partial=True)], partial=True))


class Files(RccTest):
    def test_atomic_write_replaces(self):
        path = self.path("f")
        for text in ("one", "two"):
            with below.atomic_write(path) as f:
                f.write(text)
            self.assertEqual(self.read("f"), text)
        self.assertEqual(sorted(os.listdir(self.scratch)), ["bin", "f"])

    def test_atomic_write_that_fails_leaves_the_old_file(self):
        with below.atomic_write(self.path("f")) as f:
            f.write("old")
        with self.assertRaises(RuntimeError):
            with below.atomic_write(self.path("f")) as f:
                f.write("half of the n")
                raise RuntimeError
        self.assertEqual(self.read("f"), "old")
        self.assertEqual(sorted(os.listdir(self.scratch)), ["bin", "f"])

    def test_permissions_follow_the_umask(self):
        old = os.umask(0o027)
        try:
            with below.atomic_write(self.path("f")) as f:
                f.write("x")
        finally:
            os.umask(old)
        self.assertEqual(os.stat(self.path("f")).st_mode & 0o777, 0o640)

    def test_summary_of_another_schema(self):
        self.put("summary.json", '{"schema": 99, "runs": []}')
        with self.assertRaisesRegex(common.RccError, "expected JSON with schema 1"):
            results.load(self.scratch)


def bench_row(case: bench.Case) -> dict:
    """Make the row that rcc-bench prints for a case: every field, at costs within the targets."""
    return {"scenario": case.scenario, "flows": case.flow_count or 1125, "rate_bps": case.rate_bps, "ack": case.ack, "packets": 1_000_000,
            "cpu_s": 0.7, "packets_per_cpu_s": 1.4e6, "events_per_packet": 3.1, "bare_events_per_packet": 4.0, "peak_rss_bytes": 60_000_000,
            "setup_s": 0.01, "bare_events_per_s": 9.1e6}


class Bench(unittest.TestCase):
    def bench(self, **options):
        args = argparse.Namespace(**{"quick": True, "json": False, "instructions": False, "large": False, "peer": None, **options})
        with mock.patch.object(bench.build, "program", lambda *_: "rcc-bench"), \
                mock.patch.object(bench, "measure", lambda _program, case, _quick: bench_row(case)):
            status, out, err = support.captured(bench.command, args)
        self.assertEqual((status, err), (0, ""))
        return out

    def test_json(self):
        value = json.loads(self.bench(json=True))
        self.assertEqual(list(value), ["bare_events_per_s", "rows"])
        self.assertEqual([(r["ack"], r["flows"]) for r in value["rows"]],
                         [("coalesced", f) for f in (8, 160, 800, 2000, 10000, 100000)]
                         + [("per-packet", f) for f in (8, 160, 800, 2000, 1125)])
        self.assertEqual([r["scenario"] for r in value["rows"]], 10 * ["star"] + ["fat-tree"])
        for row in value["rows"]:
            self.assertEqual(list(row), bench.KEYS)

    def test_large_networks(self):
        rows = json.loads(self.bench(json=True, large=True))["rows"]
        self.assertEqual([(r["k"], r["pattern"]) for r in rows], bench.LARGE)
        self.assertEqual(list(rows[0]), ["k", "pattern"] + bench.KEYS)
        self.assertRegex(self.bench(large=True), r"(?m)^64 +1125 +permutation +3\.10 M +1 M +0\.7 s +60 MB +10 ms$")

    def test_table(self):
        text = self.bench()
        self.assertIn("coalesced", text)
        self.assertNotIn("NOT MET", text)
        self.assertEqual(text.splitlines()[-1].count("target"), 7)

    def test_peer(self):
        self.assertRegex(self.bench(peer="/bin/true"), r"star flows=8 rate=40Gb/s ack=coalesced +1\.00\n")
        with self.assertRaisesRegex(common.RccError, "--peer=old/rcc-bench: no such program"):
            self.bench(peer="old/rcc-bench")

    def test_instructions(self):
        counts = {10000000: (1000, 10), 30000000: (45000, 30), 20000000: (5000, 10), 40000000: (100000, 20), 100000: (0, 0),
                  300000: (8500, 1)}
        with mock.patch.object(bench, "callgrind", lambda _program, case: counts[case.time_ns]), \
                mock.patch.object(bench.shutil, "which", lambda _: "valgrind"):
            rows = json.loads(self.bench(json=True, instructions=True))["rows"]
            text = self.bench(instructions=True)
        self.assertEqual([r["instructions_per_packet"] for r in rows], [2200, 9500, 9500, 8500, 8500])
        self.assertEqual(text.count("NOT MET"), 2)
        with mock.patch.object(bench.shutil, "which", lambda _: None), self.assertRaisesRegex(common.RccError, "install valgrind"):
            self.bench(instructions=True)

    @needs_programs
    def test_draws_are_those_of_the_program(self):
        """The flows that are drawn in Python are those of a generator record with the same seed, gap and sizes."""
        case = bench.Case("fat-tree", 60_000, rate_bps=100 * 10**9)
        listed = bench.experiment(case)
        drawn = bench.experiment(case)
        gap = bench_cases.arrivals.mean_gap(bench_cases.flow_sizes.WEB_SEARCH, case.rate_bps * bench_cases.HOSTS // 2, bench_cases.MTU)
        drawn.arrived, drawn.arrivals = [], Arrivals(gap, 5 * 10**8, tuple(bench_cases.flow_sizes.WEB_SEARCH))
        drawn.watched, drawn.drain_ns = Watched(Port(bench_cases.HOSTS, 0), "port"), 0
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "drawn.run")
            with open(path, "w", encoding="ascii") as f:
                f.write(bench.writer.Writer(drawn).text())
            subprocess.run([os.path.join(support.BUILD, "rcc-run"), path, f"--out={folder}"], check=True, stdout=subprocess.DEVNULL,
                           timeout=300)
            with open(os.path.join(folder, "flows.csv"), encoding="ascii") as f:
                rows = [line.split(",") for line in f.read().splitlines()[1:]]
        self.assertEqual([(int(src), int(dst), int(size), round(float(start) * 1e9)) for _, src, dst, start, size, *_ in rows],
                         [(a.source, a.destination, a.size_bytes, a.start_ns) for a in listed.arrived])
        self.assertGreater(len(rows), 40)

    def test_median_and_verdict(self):
        rows = [{"bare_events_per_packet": c} for c in (9, 1, 5)]
        self.assertEqual(bench.median_row(rows)["bare_events_per_packet"], 5)
        rows = [{"scenario": "star", "ack": "coalesced", "flows": f, "bare_events_per_packet": c} for f, c in ((8, 3.0), (2000, 9.0))]
        self.assertIn("at most 9.00 bare events (target 8) up to 2000 flows, 3.00 times as much at 2000 flows as at 8 (target 2) - NOT MET",
                      bench.verdict(rows))
        for speed, met in ((290e3, False), (310e3, True)):
            text = bench.verdict([{"scenario": "fat-tree", "ack": "per-packet", "flows": 1125, "packets_per_cpu_s": speed,
                                   "bare_events_per_packet": 20.0}])
            self.assertIn("packets per CPU second (target 300 k)", text)
            self.assertEqual("NOT MET" in text, not met)


class SelfTest(unittest.TestCase):
    def count(self, status, output):
        outcome = Outcome()
        libcheck.add_libcheck(outcome, status, output)
        return outcome.passed, outcome.failed

    def test_libcheck(self):
        self.assertEqual(self.count(0, "Running suite(s): a\n100%: Checks: 54, Failures: 0, Errors: 0\n"), (54, 0))
        self.assertEqual(self.count(1, "80%: Checks: 5, Failures: 1, Errors: 0\nx.c:3:F:core:t:0: no\n"), (4, 1))
        self.assertEqual(self.count(1, "100%: Checks: 3, Failures: 0, Errors: 0\nERROR: AddressSanitizer\n"), (3, 1))
        self.assertEqual(self.count(139, ""), (0, 1))

    def test_stage_choice(self):
        self.assertEqual(driver.choose(["fuzz", "build"]), ["build", "fuzz"])
        self.assertEqual(driver.choose(None), list(driver.STAGES))

    def test_tests_by_name(self):
        """./rcc test NAME... chooses tests of ctest by their whole names, suites of C++ beside files of Python."""
        pattern = re.compile(driver.pattern_of(["test_run", "rcc-addresses"]))
        chosen = [name for name, _ in driver.tests() if pattern.search(name)]
        self.assertEqual(sorted(chosen), ["cli-test_run", "rcc-addresses"])
        with self.assertRaisesRegex(common.RccError, "test_runn: unknown test, did you mean test_run"):
            driver.pattern_of(["test_run", "test_runn"])
        with self.assertRaisesRegex(common.RccError, "test_run and --only=lint: expected names of tests, or stages"):
            driver.command(["lint"], False, names=["test_run"])


if __name__ == "__main__":
    unittest.main()
