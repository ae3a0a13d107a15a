# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each scenario has one question, and the right algorithm answers it."""
import json
import math
import os
import re
import unittest

from support import RccTest, needs_programs, pairs, sample_run

from command.common import get
from command.results.html import report
from command.results.judge import questions, summary
from command.results.read import asked, seeds, statistics


def summarize(command, *runs):
    """(the first three lines of the terminal as one, all of it)"""
    text = summary.text({"command": command, "runs": list(runs), "partial": False})
    return " ".join(text[:text.index("\n\n")].split()), text


def stars(text):
    """The algorithms that the table marks."""
    return [line.split()[0] for line in text.partition("---\n")[2].splitlines() if re.search(r"\S \* ", line)]


def make_fct(mean, p99=None, count=100):
    return {"count": count, "mean_s": mean, "p50_s": mean, "p99_s": p99 or 2 * mean, "max_s": 3 * mean}


def over_seeds(**means):
    """Runs with these mean queues under seeds 1, 2, ..., by algorithm."""
    return [sample_run(cc, mean, seed=seed) for cc, own in means.items() for seed, mean in enumerate(own, 1)]


def testbed(cc, rates, **more):
    return sample_run(cc, 1e5, **{"scenario": "testbed", "bottleneck_bps": 40e9, "groups": pairs(**rates), **more})


class Questions(unittest.TestCase):
    def test_the_number_is_the_first_column_and_bold_in_the_report(self):
        runs = [testbed("none", {"h8_h9": 4.7e9, "h1_h7": 6e9}), testbed("dcqcn", {"h8_h9": 18e9, "h1_h7": 6e9})]
        first, text = summarize("./rcc run victim", *runs)
        self.assertIn("victim: What does the victim get? Largest goodput of the victim: dcqcn 18 Gb/s", first)
        table = text[text.index("algorithm"):].splitlines()
        self.assertEqual(table[0].split()[:2], ["algorithm", "goodput"])
        self.assertEqual(table[2].split()[:3], ["none", "4.70", "Gb/s"])
        page = report.page("", {"command": "./rcc run victim", "runs": runs, "partial": False})
        self.assertIn('<td class="answer">18 Gb/s *</td>', page)
        self.assertLess(page.index("What does the victim get?"), page.index("<table"))
        self.assertIn("<h1>Victim: none, dcqcn</h1>", page)     # the names of the table

    def test_every_other_scenario(self):
        """The first line has the question and the best number, the last one its rule."""
        def slowed(cc, queue, fct, slow):
            return sample_run(cc, queue, 0.8, scenario="workload", fct=make_fct(fct), incomplete=0,
                              slowdown={"count": 100, "mean": slow / 3, "p50": 1.0, "p95": slow / 2, "p99": slow})

        def operated(scenario, cc, **more):
            return sample_run(cc, 1e5, scenario=scenario, **more)
        ended, full = "of the runs whose flows all ended", "of the runs with utilisation 0.90 or more"
        cases: list = [
            ("incast", [sample_run("timely", 20, 0.01), sample_run("dcqcn", 4e6), sample_run("qcn", 6e5, 0.97)],
             "How small a queue keeps the link full? Smallest mean queue: qcn 600 KB incast: ", full),
            ("workload", [slowed("dcqcn", 1e5, 2e-3, 20.0), slowed("qcn", 1e3, 9e-3, 400.0)], "Smallest p99 slowdown: dcqcn 20", ended),
            ("incast", [sample_run("dcqcn", 1e6, 0.9, fct=make_fct(0.1), incomplete=0),
                        sample_run("qcn", 1e3, 0.3, fct=make_fct(0.3), incomplete=0)], "Smallest p99 of the FCT: dcqcn 200 ms", ended),
            ("unfairness", [testbed("none", {"h1_h5": 6e9, "h4_h5": 12e9}), testbed("dcqcn", {"h1_h5": 9e9, "h4_h5": 9e9})],
             "Largest least rate: dcqcn 9 Gb/s", full),
            ("permutation", [testbed("none", {"h0_h4": 20e9, "h4_h8": 20e9}), testbed("dcqcn", {"h0_h4": 10e9, "h4_h8": 8e9})],
             "Largest goodput: none 40 Gb/s", ""),
            ("long-haul", [testbed("dcqcn", {"h1_h5": 90e9}, packets_dropped=12), testbed("none", {"h1_h5": 50e9})],
             "Largest goodput: dcqcn 90 Gb/s", ""),
            ("probes", [testbed("none", {}, fct=make_fct(1e-3)), testbed("dcqcn", {}, fct=make_fct(1e-5))],
             "Smallest p99 latency: dcqcn 20 us", full),
            ("convergence", [sample_run("dcqcn", 1e5, jain=0.3), sample_run("qcn", 1e5, jain=0.9)],
             "Largest Jain's index: qcn 0.900", full),
            ("collective", [operated("collective", cc, collective={"bus_bps": rate, "step_p50_s": 1e-4, "time_s": 1e-2})
                            for cc, rate in (("dcqcn", 30e9), ("none", 50e9))], "Largest bus bandwidth: none 50 Gb/s", ended),
            ("trace", [operated("trace", cc, step={"step_s": step, "mean_exposed_s": step / 2})
                       for cc, step in (("a", 3e-3), ("none", 2e-3))],
             "Smallest time of the step: none 2 ms", ended),
            # the messages of a trace alone: neither ranks nor computing, nothing that the algorithms could be blamed for
            ("trace", [operated("trace", cc, flows=100, fct=make_fct(mean)) for cc, mean in (("a", 1.0), ("b", 2.0))],
             "trace: How long do the slowest flows take? Smallest p99 of the FCT: a 2 s", ended)]
        for name, runs, fragment, rule in cases:
            with self.subTest(name, fragment=fragment):
                first, text = summarize(f"./rcc run {name}", *runs)
                self.assertTrue(first.startswith(f"{name}: "), first)
                self.assertIn(fragment, first)
                text = " ".join(text.split())
                self.assertRegex(text, rf"\* (smallest|largest) [^,*]*, and those within 10 %{', ' * bool(rule)}{rule}( lost| cannot|$)")

    def test_all_scenarios_have_a_question(self):
        from command.run.scenarios import SCENARIOS
        self.assertLessEqual(set(SCENARIOS) - set(questions.OF_SCENARIO), {"workload", "testbed"})   # the flows choose the question

    def test_a_scenario_keeps_its_question(self):
        """Whatever its runs have: what has not ended is no reason to ask another one."""
        late = {"flows": 16, "fct": {"count": 0, "mean_s": None, "p50_s": None, "p99_s": None, "max_s": None}}
        for name, run, what in (
                ("collective", sample_run("a", 1, 0.2, scenario="collective", collective={"bus_bps": None, "step_p50_s": None}, **late),
                 "How fast is the operation? Bus bandwidth: a -"),
                ("trace", sample_run("a", 1, scenario="trace", step={"step_s": None, "messages": 16, "messages_not_delivered": 1}, **late),
                 "How long does the step take? Time of the step: a -"),
                ("rdma.txt", sample_run("a", 1, scenario="ns3-rdma", slowdown={"count": 0, "p99": None}, **late),
                 "than alone? p99 slowdown: a -"),
                ("probes", testbed("a", {"h1_h4": 9e9}, incomplete=200),
                 "small messages take beside bulk? p99 latency: a -"),
                ("victim", testbed("a", {}), "What does the victim get? Goodput of the victim: a -"),
                ("incast", sample_run("a", 1, **late), "How long do the slowest flows take? p99 of the FCT: a -"),
                ("workload", sample_run("a", 1, 0.8, scenario="workload", incomplete=9, **late),
                 "than alone? p99 slowdown: a -"),
                ("testbed", testbed("a", {"h1_h2": 1e9}, incomplete=1),
                 "How long do the slowest flows take? p99 of the FCT: a -"),
                ("testbed", testbed("a", {"h1_h2": 1e9}), "How much do the flows get together? Goodput: a 1 Gb/s")):
            for runs in ([run], [run, {**run, "cc": "b"}], [run, {**run, "seed": 2}]):
                first, _ = summarize(f"./rcc run {name}", *runs)
                what = what if runs == [run] or runs[1]["cc"] == "a" else what.partition("?")[0]
                self.assertIn(what.lower(), first.lower(), name)

    def test_a_file_asks_what_its_scenario_asks(self):
        for name, run in (("victim", testbed("a", {"h8_h9": 1e9})), ("unfairness", testbed("a", {"h1_h5": 1e9})),
                          ("probes", testbed("a", {}, fct=make_fct(1.0))), ("permutation", testbed("a", {"h0_h4": 1e9})),
                          ("long-haul", testbed("a", {"h1_h5": 1e9}, rate_bps=1e11)), ("testbed", testbed("a", {"h1_h5": 1e9}))):
            first, _ = summarize(f"./rcc run {name}", run)
            self.assertEqual(summarize("./rcc run f.json", {**run, "scenario": name})[0], first)
            self.assertEqual(summarize("./rcc run f.json", run)[0][:9], "testbed: ")

    def test_the_victim_is_the_flow_beside_the_watched_port(self):
        def asked_of(flows, port="t4>h7", **rates):
            run = {**testbed("none", rates), "congested_port": f"switch port {port}"}
            for group in run["groups"]:
                group["halves_bps"] = [group["mean_bps"]] * 2
            found = summary.prepared({"command": f"./rcc run victim --flows={flows}", "runs": [run]})[0]
            self.assertEqual([get(found, "answer.victim_bps")] * 2, found.get("halves", {}).get("victim_bps", [None] * 2))
            return get(found, "answer.victim_bps")
        self.assertEqual(asked_of("h[1-2]-h7,h6-h9", h1_h7=6e9, h2_h7=5e9, h6_h9=37e9), 37e9)
        self.assertEqual(asked_of("h6-h9,h[1-2]-h7", h6_h9=37e9, h1_h7=6e9, h2_h7=5e9), 37e9)
        self.assertEqual(asked_of("h[1-2]-h7,h8-h9", h1_h7=6e9, h2_h7=5e9, h8_h9=4e9), 4e9)
        self.assertEqual(asked_of("h8-h9,h1-h7", "t2>h9", h8_h9=4e9, h1_h7=6e9), 4e9)     # the scenario's own
        self.assertEqual(asked_of("h1-h7,h7-h1,h2-h5", "t4>h7", h1_h7=6e9, h7_h1=20e9, h2_h5=1e9), 20e9)   # the other direction
        self.assertIsNone(asked_of("h[1-2]-h7", h1_h7=6e9, h2_h7=5e9))
        self.assertEqual(asked_of("h1-h7,h6-h9&links=?", h1_h7=6e9, h6_h9=37e9), 37e9)
        self.assertIsNone(asked_of("h1-h3,h2-h1", "a>b", h1_h3=6e9, h2_h1=9e9))     # between switches: whose way is not known


class Best(unittest.TestCase):
    def best(self, command, *runs):
        """(the second line of the terminal, the algorithms that the table marks)"""
        first, text = summarize(command, *runs)
        return first, stars(text)

    def test_within_ten_percent(self):
        runs = [sample_run("a", 100_000), sample_run("b", 105_000), sample_run("c", 900_000)]
        first, marked = self.best("./rcc run incast", *runs)
        self.assertEqual(marked, ["a", "b"])
        self.assertIn("Smallest mean queue: a 100 KB, b 105 KB incast: ", first)
        self.assertEqual(self.best("./rcc run incast", runs[0])[1], [])      # one run is no best one

    def test_a_ratio_that_may_be_1(self):
        """One with a wide interval is marked, though a better one is not."""
        first, marked = self.best("./rcc run incast", *over_seeds(a=(1e5, 1e5, 1e5), b=(2e5, 2.01e5, 1.99e5), c=(0.5e5, 1e5, 6e5),
                                                                  d=(3e5, 3e5, 3.1e5)))
        self.assertEqual(marked, ["a", "c"])
        self.assertIn("Smallest mean queue: a 100 KB, c 250 KB ±756 KB incast: ", first)

    def test_a_paired_ratio_tells_what_the_means_do_not(self):
        runs = over_seeds(a=(1e3, 5e4, 9e4), b=(1.19e3, 6e4, 1.21 * 9e4))
        text = summarize("./rcc run incast", *runs)[1]
        self.assertEqual(stars(text), ["a"])
        self.assertIn("1.20 ±0.025", text)
        self.assertIn("the first", text)
        averaged = seeds.averaged(runs)
        ratio = seeds.paired(averaged[1], averaged[0], "queue.mean_bytes")
        self.assertAlmostEqual(ratio.mean, (1.19 * 1.2 * 1.21) ** (1 / 3))
        self.assertAlmostEqual((ratio.high - ratio.low) / 2, 0.0248, places=4)

    def test_a_ratio_is_the_same_whichever_is_divided(self):
        """The table has the ratio to the first run, the mark goes by that to the best: what one leaves open the other does not decide. An
        arithmetic mean of the ratios of a, which is larger in each seed, has an interval of [0.58, 6.3]; 21.4 / 4.85 = e^1.484, 10.5 /
        4.85 = e^0.772, 17.9 / 4.85 = e^1.306: mean 1.188, deviation 0.370, times 4.3027 / sqrt(3) = 0.920."""
        runs = over_seeds(a=(21.4e3, 10.5e3, 17.9e3), b=(4.85e3, 4.85e3, 4.85e3))
        for order in (runs, runs[3:] + runs[:3]):
            averaged = {run["cc"]: run for run in seeds.averaged(order)}
            up, down = (seeds.paired(averaged[one], averaged[other], "queue.mean_bytes") for one, other in ("ab", "ba"))
            for found, expected in zip((up.mean, up.low, up.high), (1.188, 1.188 - 0.920, 1.188 + 0.920)):
                self.assertAlmostEqual(math.log(found), expected, places=2)
            for product in (up.mean * down.mean, up.low * down.high, up.high * down.low):
                self.assertAlmostEqual(product, 1)
            self.assertEqual(stars(summarize("./rcc run incast", *order)[1]), ["b"])
        runs = over_seeds(a=(10e3, 10e3), b=(11e3, 40e3))
        for order in (runs, runs[2:] + runs[:2]):
            self.assertEqual(len(stars(summarize("./rcc run incast", *order)[1])), 2)

    def test_ratios_that_tell_little(self):
        """A mean that is 0 in a seed has no ratio there; an interval wider than a factor of 100 tells nothing."""
        text = summarize("./rcc run incast", *over_seeds(a=(10e3, 11e3, 0), b=(22e3, 24e3, 0)))[1]
        self.assertEqual(stars(text), ["a"])
        self.assertRegex(text, r"2\.19 ±0\.1[0-9] in 2 of 3 seeds")
        found = seeds.paired(*seeds.averaged(over_seeds(a=(10e3, 10e3), b=(11e3, 90e3)))[::-1], "queue.mean_bytes")
        self.assertEqual(found.text(), "3.15 (too few seeds)")
        self.assertLess(statistics.ratio([1e-300, 1e300], 2).high, float("inf"))

    def test_a_mean_of_some_of_the_seeds_says_so_in_the_table(self):
        """A number that one seed of four has is no mean of four."""
        own = [sample_run("a", 1e5, seed=seed, scenario="workload", flows=100, incomplete=0 if seed == 1 else 100,
                          fct=make_fct(1.0) if seed == 1 else None) for seed in (1, 2, 3, 4)]
        every = [dict(run, cc="b", incomplete=0, fct=make_fct(3.0)) for run in own]
        runs = seeds.averaged(own + every)
        rows = dict(zip("ab", ([cell(run) for _, _, cell in summary.columns(runs)] for run in runs)))
        self.assertLessEqual({"1 s in 1 of 4 seeds", "2 s in 1 of 4 seeds"}, set(rows["a"]))
        self.assertFalse([cell for cell in rows["b"] if " in " in cell], rows["b"])
        for text in (summarize("./rcc run workload", *own, *every)[1].partition("\n\n")[2],
                     report.comparison(runs, questions.choose_question("workload", runs))):
            self.assertIn("1 s in 1 of 4 seeds", text)
        mean = seeds.averaged([sample_run("a", 1e5, seed=seed, packets_repeated=count) for seed, count in ((1, 4), (2, 0))])
        self.assertFalse([cell(one) for one in mean for _, _, cell in summary.columns(mean) if " in " in cell(one)])

    def test_a_seed_with_flows_that_did_not_end_is_no_pair(self):
        """Times of the flows that happened to end are not those of all."""
        def make_runs(cc, *rows):
            return [sample_run(cc, 1e5, seed=seed, scenario="workload", flows=100, incomplete=out, fct=make_fct(mean, count=100 - out),
                               slowdown={"count": 100 - out, "mean": mean, "p99": mean}) for seed, (mean, out) in enumerate(rows, 1)]
        first, second = make_runs("a", (1.0, 0), (1.0, 0), (1.0, 3)), make_runs("b", (2.0, 0), (2.1, 0), (9.0, 0))
        for runs in (first + second, second + first):
            base, other = seeds.averaged(runs)
            for path in ("fct.mean_s", "slowdown.p99"):
                found = seeds.paired(other, base, path)
                self.assertEqual(found.seeds, 2)
                self.assertAlmostEqual(found.mean, (2 * 2.1) ** (0.5 if other["cc"] == "b" else -0.5))
            self.assertEqual(seeds.paired(other, base, "queue.mean_bytes").seeds, 3)
        self.assertIn("2.05 (1.5 to 2.8) in 2 of 3 seeds", summarize("./rcc run workload", *first, *second)[1])
        text = summarize("./rcc run workload", *make_runs("a", (1.0, 0), (1.0, 3)), *make_runs("b", (2.0, 0), (9.0, 0)))[1]
        self.assertNotIn("the first", text)

    def test_an_operation_that_did_not_end_in_a_seed_is_not_marked(self):
        """The seeds that ended are the fast ones."""
        def make_runs(scenario, node, cc, *rows):
            return [sample_run(cc, 1e5, seed=seed, scenario=scenario, flows=16, fct=make_fct(1.0, count=16 - out),
                               **{node: {"bus_bps": rate and rate * 1e9, "step_s": rate}}) for seed, (rate, out) in enumerate(rows, 1)]
        for scenario, node in (("collective", "collective"), ("trace", "step")):
            rates = (10, 20) if scenario == "trace" else (20, 10)
            _, text = summarize(f"./rcc run {scenario}", *make_runs(scenario, node, "none", (rates[1], 0), (rates[1], 0), (rates[1], 0)),
                                *make_runs(scenario, node, "dcqcn", (rates[0], 0), (None, 3), (None, 2)))
            self.assertEqual(stars(text), ["none"])
            self.assertIn("in 1 of 3 seeds", text)
            self.assertNotIn("the first", text)
        runs = seeds.averaged(make_runs("collective", "collective", "none", (10, 0), (10, 0), (10, 0)) +
                              make_runs("collective", "collective", "dcqcn", (10, 0), (10, 0), (90, 16)))     # the mean of fewer rounds
        self.assertEqual(seeds.paired(runs[1], runs[0], "collective.bus_bps").mean, 1)
        self.assertEqual(self.best("./rcc run collective", *runs)[1], ["none"])

    def test_who_is_not_marked(self):
        """One seed that is excluded excludes the run: the mean utilisation of six seeds, one of them with 0.5, is 0.92."""
        good = [sample_run("good", 9e5, use, seed=seed) for seed, use in enumerate((1.0, 1.0, 1.0, 0.95, 0.92, 1.0), 1)]
        for out in ({"partial": True}, {"utilization": 0.5}, {"packets_delivered": 0}):
            few = [{**sample_run("x", 1e3, seed=seed), **(out if seed == 2 else {})} for seed in range(1, 7)]
            for runs in (few, few[1:2]):
                self.assertEqual(self.best("./rcc run incast", *runs, *good)[1], ["good"], out)
        late = sample_run("x", 10, fct=make_fct(1e-6, count=3), incomplete=97)
        runs = summary.answered([late, sample_run("good", 10, fct=make_fct(1.0), incomplete=0)])
        self.assertEqual([run["cc"] for run in questions.find_best(runs, questions.ENDING)], ["good"])

    def test_less_than_a_frame_is_no_difference(self):
        runs = sample_run("a", 0), sample_run("b", 999), sample_run("c", 1001)
        self.assertEqual(self.best("./rcc run incast", *runs)[1], ["a", "b"])
        runs = [sample_run(cc, 1, scenario="convergence", jain=jain) for cc, jain in (("a", 0.9), ("b", 0.5))]
        self.assertEqual(self.best("./rcc run convergence", *runs)[1], ["a"])

    def test_a_full_link_without_control_and_without_a_queue(self):
        """Packets wait at other ports, so that this one tells nothing of it."""
        runs = [sample_run(cc, mean, scenario="clos") for cc, mean in (("none", 0), ("a", 5e3))]
        self.assertEqual(self.best("./rcc run clos", *runs)[1], ["a"])
        self.assertEqual(self.best("./rcc run clos", *(sample_run(cc, mean) for cc, mean in (("none", 1e3), ("a", 5e3))))[1], ["none"])

    def test_digits_of_counts(self):
        self.assertEqual([questions.DROPPED.show(n) for n in (0.5, 5350.5, 17460, None)], ["0.500", "5350", "17460", "-"])
        self.assertNotIn("±", summarize("./rcc run incast", *over_seeds(a=(100_000, 100_000), b=(200_000, 200_000)))[0])

    def test_nobody(self):
        first, text = summarize("./rcc run incast", sample_run("a", 10, 0.5), sample_run("b", 20, 0.3))
        self.assertIn("? Mean queue: a 10 B, b 20 B incast: ", first)
        self.assertNotIn("*", text)


class SameNames(unittest.TestCase):
    def test_several_groups_of_one_pair(self):
        """--flows=h1-h3,h1-h3,h2-h4: three groups, of which two have one name; none replaces the other, over seeds neither."""
        def run(seed):
            groups = [{"name": name, "flows": 1, "mean_bps": rate * seed, "halves_bps": [rate, rate], "delivered_bytes": 1, "ended_s": None}
                      for name, rate in (("h1-h3", 40.0), ("h1-h3", 10.0), ("h2-h4", 90.0))]
            return sample_run("a", 1e5, scenario="testbed", seed=seed, groups=groups)
        one, many = run(1), seeds.averaged([run(1), run(3)])[0]
        for found, factor in ((one, 1), (many, 2)):
            self.assertEqual([group["mean_bps"] for group in found["groups"]], [40.0 * factor, 10.0 * factor, 90.0 * factor])
        answer = summarize("./rcc run testbed", one)[1]
        self.assertIn("140 b/s", answer)
        known = asked.read_command("./rcc run unfairness", {})
        self.assertEqual(questions.answer(one, known)["least_bps"], 10.0)
        self.assertEqual(questions.halves(one, asked.read_command("./rcc run testbed", {})), {"goodput_bps": [140.0, 140.0]})


class Averaged(unittest.TestCase):
    """Results over several seeds do not depend on the order of the seeds."""

    def test_lists_over_seeds_are_means(self):
        """The lists of the first seed do not stand for all."""
        runs = [sample_run("a", 1e5, seed=seed, phases=[{"from_s": 0, "mean_bps": seed * 1e9}],
                           groups=[{"name": "h1-h3", "flows": 1, "mean_bps": seed * 2e9, "halves_bps": [seed * 1e9, 3e9], "ended_s": end}],
                           slowdown={"mean": 2, "by_size": [{"from_bytes": 0, "to_bytes": to, "count": 4, "p99_slowdown": seed * 2.0}
                                                            for to in (1e4, 1e5)[:seed]]})
                for seed, end in ((1, 0.1), (2, None))]
        run = seeds.averaged(runs)[0]
        self.assertEqual(run["phases"], [{"from_s": 0, "mean_bps": 1.5e9}])
        self.assertEqual(run["groups"], [{"name": "h1-h3", "flows": 1, "mean_bps": 3e9, "halves_bps": [1.5e9, 3e9], "ended_s": None}])
        self.assertEqual([(one["to_bytes"], one["p99_slowdown"]) for one in run["slowdown"]["by_size"]], [(1e4, 3.0), (1e5, 4.0)])
        self.assertEqual(seeds.half(run, "groups.h1-h3.mean_bps"), statistics.interval([2e9, 4e9]).half)
        self.assertEqual(runs[0]["groups"][0]["mean_bps"], 2e9)

    def orders(self, *runs):
        together = [sample_run("a", 1e5, seed=seed, **run) for seed, run in enumerate(runs, 1)]
        found = [seeds.averaged(order)[0] for order in (together, together[::-1])]
        self.assertEqual(*(json.dumps(run) for run in found))
        return found[0]

    def test_counters_that_are_absent_are_0(self):
        for runs in (({"bytes_repeated": 121_000, "packets_repeated": 11, "unfinished": {"paused": 4}}, {}),
                     ({}, {"bytes_repeated": 121_000, "packets_repeated": 11, "unfinished": {"paused": 4}})):
            run = self.orders(*runs)
            self.assertEqual((run["bytes_repeated"], run["packets_repeated"], run["unfinished"]), (60_500, 5.5, {"paused": 2}))
            self.assertEqual(seeds.half(run, "bytes_repeated"), statistics.interval([121_000, 0]).half)
        run = self.orders({"unfinished": {"paused": 4}}, {"unfinished": {"no_route": 2}}, {})
        self.assertEqual(run["unfinished"], {"paused": 4 / 3, "no_route": 2 / 3})
        self.assertEqual(self.orders({"packets_overrun": 3}, {}, {})["packets_overrun"], 1)

    def test_what_only_some_seeds_have(self):
        """The timeout is that of the seeds that waited for one."""
        found = {"rto_s": 0.002, "recovery": "irn", "rto_low_s": 0.001, "timeouts": 4, "deadlocks": [{"time_s": 0.001}],
                 "storms": [{"port": "s1>h1"}]}
        for runs in (({"timeouts": 0}, found), (found, {"timeouts": 0})):
            run = self.orders(*runs)
            self.assertEqual({key: run[key] for key in found}, {**found, "timeouts": 2})
        self.assertEqual(self.orders({"fct": None}, {"fct": make_fct(1.0)})["fct"], make_fct(1.0))
        self.assertNotIn("rto_s", self.orders({}, {}))
        self.assertEqual(self.orders({"halves": {"jain": [1, 1]}}, {"halves": {"slowdown": [2, 3]}})["halves"],
                         {"jain": [1, 1], "slowdown": [2, 3]})

    def test_what_differs_between_seeds_is_no_mean(self):
        """No run of `workload` had 7.33 flows, nor seed 1 alone; each seed and algorithm has averages over a window of its own."""
        runs = [sample_run("a", 1, scenario="workload", seed=seed, flows=flows, hosts=flows, sim_s=end, window_s=[0, end])
                for seed, flows, end in ((1, 5, 2.99e-3), (2, 7, 3.6e-3), (3, 10, 3.82e-3))]
        self.assertIn("5 to 10 flows, 5 to 10 hosts, 40 Gb/s, 2.99 to 3.82 ms simulated, averages",
                      summary.headline({"runs": seeds.averaged(runs)}))
        page = report.page("", {"command": "./rcc run workload", "runs": runs, "partial": False})
        for label, cell in (("flows", "5 to 10"), ("hosts", "5 to 10"), ("seed", "1-3"), ("simulated time", "2.99 to 3.82 ms"),
                            ("window of the averages", "0 to 3.82 ms")):
            self.assertIn(f'<th scope="row">{label}</th><td>{cell}</td>', page)
        self.assertEqual(self.orders({"window_s": [0, 0.03]}, {"window_s": [0, 0.05]})["window_s"], [0, 0.05])
        for rows, line in ((("a1 224e-6", "b1 299e-6"), "224 to 299 us simulated, averages over 0 to 299 us, seed 1"),
                           (("a1 .03", "a2 .05", "b1 .04", "b2 .06"), "30 to 60 ms simulated, averages over 0 to 60 ms, 2 seeds"),
                           (("a1 .03", "a2 .05", "b1 .03", "b2 .05"), "30 to 50 ms simulated, averages over 0 to 50 ms"),
                           (("a1 999e-6", "b1 1.2e-3"), "999 us to 1.20 ms simulated"),
                           (("a1 .03", "b1 .03"), "30 ms simulated, averages over 0 to 30 ms")):
            runs = [sample_run(row[0], 1, seed=int(row[1]), sim_s=float(row[3:]), window_s=[0, float(row[3:])]) for row in rows]
            self.assertIn(line, summary.headline({"runs": seeds.averaged(runs)}))


class Counts(unittest.TestCase):
    def test_flows_that_ended_are_no_mean(self):
        run = seeds.averaged([sample_run("a", 1e5, seed=seed, flows=16, incomplete=16 - count, fct=make_fct(1.0, count=count))
                              for seed, count in enumerate((16, 15), 1)])[0]
        self.assertEqual((seeds.count_ended(run), seeds.count_ended(run["by_seed"][1])), ("31 of 32 in 2 seeds", "16"))
        self.assertIn("<td>31 of 32 in 2 seeds</td>", report.details("more", [run], report.MORE))

    def test_timeouts_and_naks_are_in_the_table_where_there_are_any(self):
        heads = [summary.table([sample_run("a", 1, naks=count, timeouts=count)]) for count in (0, 3)]
        for word in ("NAKs", "outs"):
            self.assertEqual([word in head for head in heads], [False, True])


@needs_programs
class Runs(RccTest):
    def test_both_halves_of_the_window(self):
        """The mean of both halves is the number of the run. Pairs of hosts have halves too, and flows with an end have none."""
        words = ["run", "incast", "--cc=dcqcn", "--flows=8", "--time=4ms", "--start=100us", "--no-plots", "--json"]
        run, ended = (json.loads(self.rcc(*words, *more).stdout)["runs"][0] for more in ((), ("--size=10KB",)))
        self.assertAlmostEqual(sum(run["halves"]["queue_bytes"]) / 2, run["queue"]["mean_bytes"], delta=1)
        self.assertAlmostEqual(sum(run["halves"]["utilization"]) / 2, run["utilization"], places=4)
        self.assertEqual(run["answer"]["capacity_bps"], 40e9)
        self.assertNotIn("halves", ended)
        done = self.rcc("run", "victim", "--cc=dcqcn", "--time=2ms", "--no-plots", "--json")
        for group in json.loads(done.stdout)["runs"][0]["groups"]:
            self.assertAlmostEqual(sum(group["halves_bps"]) / 2, group["mean_bps"], delta=1)

    def test_averages_do_not_begin_before_all_flows_have_started(self):
        words = ["run", "convergence", "--cc=none", "--start=0s,1ms,3ms", "--time=4ms", "--no-plots", "--out=out"]
        done = self.rcc(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(self.read("out", "summary.json"))["runs"][0]["window_s"], [0.0035, 0.004])
        done = self.rcc(*words, "--window=2ms-4ms")
        said = "the averages begin at 2ms, before the last flow has started, at 3ms; --window sets another begin"
        self.assertIn(said, done.stderr)
        self.assertIn(said, self.read("out", "report.html"))

    def test_two_runs_of_one_seed_have_the_same_files(self):
        for folder in ("a", "b"):
            self.rcc("run", "incast", "--cc=dcqcn", "--flows=8", "--time=2ms", "--start=100us", "--no-plots", f"--out={folder}")
        for name in ("summary.json", "table.csv", "wide.csv"):
            self.assertEqual(self.read("a", name), self.read("b", name))
        self.assertIn("wall_s", json.loads(self.read("a", "machine.json"))["runs"]["dcqcn"])
        found = json.loads(self.rcc("compare", "a", "b", "--json", "--metrics=wall_s").stdout)
        self.assertEqual([metric["name"] for metric in found["runs"][0]["metrics"]], ["wall_s"])

    def test_numbers_of_tables_are_numbers(self):
        self.rcc("run", "incast", "--cc=dcqcn", "--flows=8", "--time=2ms", "--start=100us", "--rate=10Gbps", "--no-plots", "--out=out")
        head, *rows = [line.split(",") for line in self.read("out", "wide.csv").splitlines()]
        first = dict(zip(head, rows[0]))
        self.assertEqual((first["time"], first["start"], first["rate"], first["flows"]), ("0.002", "0.0001", "10000000000", "8"))
        self.assertEqual(len(rows), 1)
        self.assertEqual((len(set(head)), first["option.flows"], head[:3]), (len(head), "8", ["run", "cc", "option.flows"]))
        self.assertTrue(os.path.exists(self.path("out", "table.csv")))


if __name__ == "__main__":
    unittest.main()
