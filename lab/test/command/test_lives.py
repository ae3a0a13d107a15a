# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a victim and the least flow got: flows that end over their own lives, and several flows of a pair each by itself."""
import csv
import hashlib
import json
import os
import shutil
import unittest
import unittest.mock

from support import RccTest, needs_programs, sample_run

from command.common import read_json
from command.results.judge import lives, questions, summary
from command.results.read import asked


def group(name, bps, flows=1, ended=None, delivered=0, halves=None):
    return {"name": name, "flows": flows, "mean_bps": bps, "delivered_bytes": delivered, "ended_s": ended,
            **({"halves_bps": halves} if halves else {})}


def testbed(*groups):
    return sample_run("a", 1e5, scenario="testbed", bottleneck_bps=40e9, congested_port="switch port t4>h7", sim_s=0.01,
                      groups=list(groups))


def life(start, end, delivered, sized=True, rate=0.0):
    return lives.Life(start, end, delivered, rate, sized)


class Lives(unittest.TestCase):
    def test_a_flow_that_ends_has_its_life(self):
        self.assertEqual(life(0.001, 0.005, 1e6).goodput, 2e9)
        self.assertEqual(life(0, 0.01, 1e6, False, 3e9).goodput, 3e9)
        self.assertEqual(life(0.01, 0.01, 0).goodput, 0)

    def test_a_pair_has_the_time_in_which_one_of_its_flows_was_under_way(self):
        self.assertEqual(lives.together([life(0.006, 0.008, 1e6), life(0, 0.004, 1e6), life(0.001, 0.002, 1e6)]), 4e9)
        self.assertEqual(lives.together([life(0, 0.01, 1e6, False, 3e9), life(0, 0.01, 1e6, True, 1e9)]), 4e9)    # in the window

    def test_without_flows_the_groups_tell(self):
        """As of a folder that has no flows.csv."""
        run = testbed(group("h1-h7", 8e9, 2), group("h8-h9", 0, 1, 0.004, 10_000_000))
        known = {scenario: questions.answer(run, asked.of(f"./rcc run {scenario}", run)) for scenario in ("victim", "unfairness")}
        self.assertEqual([known["victim"]["victim_bps"], known["unfairness"]["least_bps"], known["unfairness"]["most_bps"]],
                         [20e9, 4e9, 20e9])
        later = asked.of("./rcc run victim --flows=h1-h7,h8-h9:size=10MB:start=2ms", run)
        self.assertEqual(questions.answer(run, later)["victim_bps"], 0)

    def test_the_halves_are_of_flows_without_an_end(self):
        run = testbed(group("h1-h7", 8e9, 4, halves=[8e9, 12e9]), group("h2-h7", 1e9, 1, 0.004, 10_000_000, [2e9, 0]),
                      group("h8-h9", 0, 1, 0.004, 10_000_000, [2e9, 0]))
        self.assertEqual(questions.halves(run, asked.of("./rcc run victim", run)), {})
        self.assertEqual(questions.halves(run, asked.of("./rcc run unfairness", run)), {})    # of four flows nobody knows each one's
        run["groups"][0]["flows"] = 1
        self.assertEqual(questions.halves(run, asked.of("./rcc run unfairness", run)), {"least_bps": [8e9, 12e9]})
        run["groups"][1]["delivered_bytes"] = 1_000_000    # 2 Gb/s at least, and maybe no more: it may be the least
        self.assertEqual(questions.halves(run, asked.of("./rcc run unfairness", run)), {})
        stopped = asked.of("./rcc run unfairness --flows=h1-h7:stop=9ms,h[2-2]-h7,h8-h9", {**run, "window_s": [0.005, 0.01]})
        self.assertEqual(questions.halves(run, stopped), {})

    def test_flows_of_a_pattern_are_no_pair(self):
        """Which has the name of its item, and flows of several pairs."""
        run = testbed(group("h[1-6]-h7", 12e9, 12, halves=[10e9, 14e9]), group("h6-h9", 9e9, halves=[8e9, 10e9]))
        what = asked.of("./rcc run victim --flows=h[1-6]-h7:count=12,h6-h9", run)
        self.assertEqual(questions.answer(run, what)["victim_bps"], 9e9)
        self.assertEqual(questions.halves(run, what), {"victim_bps": [8e9, 10e9]})
        run = testbed(group("h[1-2]-h[7-8]", 12e9, 6, halves=[10e9, 14e9]))
        what = asked.of("./rcc run victim --flows=h[1-2]-h[7-8]:count=3:qps=2", run)
        self.assertEqual(questions.victim(run, what), ("h1", "h8"))
        self.assertEqual((questions.answer(run, what)["victim_bps"], questions.halves(run, what)), (4e9, {}))
        self.assertTrue(questions.no_cut(run, what, 40e9, 40e9))

    def test_files_of_other_flows(self):
        self.assertIsNone(lives.read("/nonexistent", testbed(group("h1-h7", 8e9))))
        self.assertIsNone(lives.read("/nonexistent", sample_run("a", 1)))


class Stops(RccTest):
    def test_flows_that_are_stopped(self):
        """Their lives end then, with a size or without; one that is stopped after the window has what it got in it."""
        with open(self.path("flows.csv"), "w", encoding="utf-8") as f:
            f.write("flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s\n" + "".join(
                f"{i},{i},7,{start},{size},{delivered},{rate},{fct}\n" for i, (start, size, delivered, rate, fct) in enumerate(
                    ((0.001, 10 ** 8, 10 ** 6, 0, ""), (0, 0, 10 ** 6, 0, ""), (0, 10 ** 6, 10 ** 6, 0, 0.001), (0, 0, 10 ** 6, 3e9, ""),
                     (0, 10 ** 8, 10 ** 7, 4e9, "")))))
        run = {**testbed(*(group(f"h{i}-h7", 0) for i in range(1, 6))), "window_s": [0.005, 0.009]}
        what = asked.of("./rcc run victim --flows=h1-h7:size=100MB:stop=2ms,h2-h7:stop=4ms,h3-h7:size=1MB:stop=2ms,h4-h7:stop=9500us,"
                        "h5-h7:size=100MB", run)
        self.assertEqual([one.goodput for one, in lives.read(self.path(), run, what)], [8e9, 2e9, 8e9, 3e9, 8e9])
        self.assertEqual(lives.ends(run, what), [True, True, True, False, False])
        other = asked.of("./rcc run victim --flows=h1-h7:stop=x,h[2-", run)
        self.assertEqual(lives.stops(run, other), [0.01] * 5)


class Notes(unittest.TestCase):
    def told(self, command, *runs):
        return " ".join(summary.text({"command": command, "runs": list(runs), "partial": False}).split())

    def test_flows_with_an_algorithm_of_their_own(self):
        """Whatever the command was: run.json has their number."""
        run = {**sample_run("none", 1e5), "flows": 4}
        for own, said in (({"hpcc": 2, "dcqcn": 2}, "4 of 4 flows have an algorithm of their own: hpcc 2, dcqcn 2"),
                          ({"swift": 3}, "3 of 4 flows have an algorithm of their own: swift 3")):
            with_own = {**run, "own_algorithms": {name: {"flows": count, "parameters": {}} for name, count in own.items()}}
            for command in ("./rcc run testbed --flows=h[1-4]-h5", "./rcc ns3-rdma config.txt --choices=c.txt"):
                self.assertIn(said, self.told(command, with_own))
        for broken in ({}, [3], {"dcqcn": 3}, {"dcqcn": {"flows": "x"}}, None):
            self.assertNotIn("of their own", self.told("./rcc run testbed --flows=h1-h5:cc=hpcc", {**run, "own_algorithms": broken}))

    def test_a_run_under_whose_algorithm_no_flow_is(self):
        """Its results are not its algorithm's, nor have its thresholds done anything."""
        def runs(own, *names, **more):
            own = {name: {"flows": count, "parameters": {}} for name, count in own.items()}
            return [{**sample_run(cc, 1e5, **more), "flows": 4, "own_algorithms": own} for cc in names]
        for own, said in (({"dcqcn": 4}, "4 of 4 flows have an algorithm of their own: dcqcn 4"),
                          ({"dcqcn": 2, "hpcc": 1}, "3 of 4 flows have an algorithm of their own: dcqcn 2, hpcc 1")):
            self.assertIn(said, self.told("./rcc run incast", *runs(own, "hpcc", "timely")))
        rate = {"rate_bps": 4e11, "parameters": {"kmin": "5KB", "kmax": "200KB"}}
        for scenario, expected in (("ns3-rdma", False), ("testbed", True)):     # where switches have the run's marker
            text = self.told(f"./rcc run {scenario}", *runs({"timely": 4}, "dcqcn", scenario=scenario, **rate))
            self.assertEqual("are for 40 Gb/s" in text, expected, text)

    def test_packets_that_wait_at_other_ports(self):
        none, swift = (sample_run(cc, 0, scenario="clos", packets_marked=0) for cc in ("none", "swift"))
        paused = {**none, "pfc": {"pauses": 9, "paused_s": 1}}
        dcqcn = sample_run("dcqcn", 0, scenario="clos", packets_marked=7)
        self.assertIn("dcqcn, none: the watched port has no queue, packets wait at other ports",
                      self.told("./rcc run clos", dcqcn, swift, paused))
        for runs in ((swift, none), (dcqcn, sample_run("b", 5e4, scenario="clos"))):
            self.assertNotIn("wait at other ports", self.told("./rcc run clos", *runs))


@needs_programs
class Runs(RccTest):
    def answers(self, *words):
        done = self.rcc("run", *words, "--out=out", "--no-plots")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {cc: read_json(self.path("out", cc, "run.json")).get("answer") for cc in ("hpcc", "none")}, done

    def test_a_victim_that_ends(self):
        """hpcc's took 4.9 ms and none's 8.5 ms, of windows of 9.4 and 8.5 ms."""
        found, done = self.answers("victim", "--cc=hpcc,none", "--time=50ms", "--flows=h[1-4]-h7:size=10MB,h8-h9:size=10MB")
        self.assertIn("Largest goodput of the victim: hpcc 16.5 Gb/s", " ".join(done.stdout.split()))
        self.assertAlmostEqual(found["none"]["victim_bps"] / 1e9, 9.42, delta=0.01)
        found, _ = self.answers("victim", "--cc=hpcc", "--time=10ms", "--flows=h[1-6]-h7,h8-h9:size=12MB")    # before the window
        self.assertGreater(found["hpcc"]["victim_bps"], 15e9)

    def test_a_sweep_has_the_answers_of_a_run(self):
        """Of flows with sizes, and of several flows of a pair."""
        for scenario, path, flows in (("victim", "victim_bps", "h8-h9:size=2MB:qps=2:start=1ms,h[1-6]-h7"),
                                      ("unfairness", "least_bps", "h[1-4]-h5:qps=3")):
            words = [scenario, "--time=3ms", f"--flows={flows}", "--no-plots"]
            found, _ = self.answers(*words, "--cc=hpcc,none")
            done = self.rcc("sweep", *words, "--cc=hpcc,none", f"--out={scenario}")
            self.assertEqual(done.returncode, 0, done.stderr)
            points = os.listdir(self.path(scenario, "points"))
            self.assertEqual([len(points), {name.rpartition(".")[2] for name in points}], [2, {"json"}])
            entries = [read_json(self.path(scenario, "points", name)) for name in points]
            own = {entry["run"]["cc"]: entry["run"]["answer"] for entry in entries}
            self.assertEqual(own, found)
            with open(self.path(scenario, "table.csv"), encoding="utf-8", newline="") as f:
                table = {row["cc"]: float(row["value"]) for row in csv.DictReader(f) if row["metric"] == f"answer.{path}"}
            self.assertEqual(table, {cc: float(f"{one[path]:.12g}") for cc, one in found.items()})

    def test_the_least_flow_of_equal_sizes(self):
        found, _ = self.answers("unfairness", "--cc=none", "--time=50ms", "--flows=h[1-4]-h5:size=10MB")
        self.assertGreater(found["none"]["most_bps"], 1.2 * found["none"]["least_bps"])
        found, _ = self.answers("unfairness", "--cc=hpcc", "--time=5ms", "--flows=h[1-3]-h5,h4-h5:size=1MB")
        self.assertGreater(found["hpcc"]["least_bps"], 1e9)

    def test_a_sweep_that_was_killed(self):
        """It leaves the folder of a point: whole, where the simulator ended before its result was kept, or half of it."""
        words = ["sweep", "victim", "--cc=none", "--time=1ms", "--flows=h8-h9:size=1MB,h[1-6]-h7:qps=2", "--no-plots", "--out=out"]
        self.assertEqual(self.rcc(*words).returncode, 0)
        name, = os.listdir(self.path("out", "points"))
        point = read_json(self.path("out", "points", name))
        sum_ = hashlib.sha256(point["made_by"].encode()).hexdigest()[:8]
        place = self.path("out", "points", f"{name[:-len('json')]}{sum_}.files")
        self.assertEqual(self.rcc("run", *words[1:-1], "--out=run").returncode, 0)
        for whole in (True, False):
            shutil.copytree(self.path("run", "none"), place)
            run = read_json(self.path("run", "none", "run.json"))
            del run["answer"]
            with open(os.path.join(place, "run.json"), "w", encoding="utf-8") as f:
                f.write(json.dumps({**run, "title": "kept"})[:None if whole else 100])
            os.unlink(self.path("out", "points", name))
            done = self.rcc(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.listdir(self.path("out", "points")), [name])
            again = read_json(self.path("out", "points", name))["run"]
            self.assertEqual([again["answer"], again["title"] == "kept"], [point["run"]["answer"], whole])

    def test_a_flow_that_is_stopped(self):
        """It had its bytes over the whole run; what came later from a queue is not of its life."""
        found, _ = self.answers("unfairness", "--cc=none", "--time=4ms", "--flows=h1-h5,h4-h5:size=100MB:stop=1ms")
        with open(self.path("out", "none", "flows.csv"), encoding="utf-8", newline="") as f:
            _, stopped = csv.DictReader(f)
        self.assertEqual(found["none"]["least_bps"], int(stopped["at_stop_bytes"]) * 8 / 1e-3)

    def test_flows_of_a_pair_are_flows(self):
        found, done = self.answers("unfairness", "--cc=hpcc,none", "--time=20ms", "--flows=h1-h5:qps=8,h[2-4]-h5")
        self.assertIn("Largest least rate: hpcc 2.75 Gb/s", " ".join(done.stdout.split()))
        self.assertEqual(found["none"]["least_bps"], 1.4196736e9)
        self.assertLess(found["none"]["most_bps"], 13e9)

    def test_what_a_stopped_flow_had_until_then(self):
        """What it had sent comes later, from a queue, and is no part of its rate. It has no rows after its end, and no part in Jain's
        index."""
        words = ("--cc=none", "--time=4ms", "--flows=h1-h5,h2-h5,h3-h5:stop=1ms,h4-h5")
        found, _ = self.answers("unfairness", *words, "--seed=2", "--window=0ms-4ms")
        self.assertLess(found["none"]["most_bps"], 15e9)    # it had 12.5 Gb/s until it was stopped, and 37.7 with what came later
        with open(self.path("out", "none", "flows.csv"), encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual([bool(row["at_stop_bytes"]) for row in rows], [False, False, True, False])
        self.assertGreater(int(rows[2]["delivered_bytes"]), 2 * int(rows[2]["at_stop_bytes"]))
        with open(self.path("out", "none", "flow_rates.csv"), encoding="utf-8", newline="") as f:
            last = max(float(row["time_s"]) for row in csv.DictReader(f) if row["flow"] == "2")
        self.assertLessEqual(last, 0.001)
        self.answers("unfairness", *words)    # the window begins after the stop
        with open(self.path("out", "none", "flows.csv"), encoding="utf-8", newline="") as f:
            shares = [float(row["goodput_bps"]) for row in csv.DictReader(f) if not row["at_stop_bytes"]]
        jain = sum(shares) ** 2 / sum(one * one for one in shares) / 3
        self.assertAlmostEqual(read_json(self.path("out", "none", "run.json"))["jain"], jain, places=7)


if __name__ == "__main__":
    unittest.main()
