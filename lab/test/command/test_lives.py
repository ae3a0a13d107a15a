# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a victim and the least flow got: flows that end over their own lives, and several flows of a pair each by itself."""
import unittest

from support import RccTest, needs_programs, sample_run

from command.common import read_json
from command.results import asked, lives, questions, summary


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

    def test_of_a_sweep_the_groups_tell(self):
        """Which has no flows.csv of its points."""
        run = testbed(group("h1-h7", 8e9, 2), group("h8-h9", 0, 1, 0.004, 10_000_000))
        known = {scenario: questions.answer(run, asked.of(f"./rcc run {scenario}", run)) for scenario in ("victim", "unfairness")}
        self.assertEqual([known["victim"]["victim_bps"], known["unfairness"]["least_bps"], known["unfairness"]["most_bps"]],
                         [20e9, 4e9, 20e9])
        later = asked.of("./rcc run victim --flows=h1-h7,h8-h9:size=10MB:start=2ms", run)
        self.assertEqual(questions.answer(run, later)["victim_bps"], 0)

    def test_the_halves_are_of_flows_without_an_end(self):
        run = testbed(group("h1-h7", 8e9, 4, halves=[8e9, 12e9]), group("h2-h7", 1e9, 1, 0.004, 10_000_000, [2e9, 0]),
                      group("h8-h9", 0, 1, 0.004, 10_000_000, [2e9, 0]))
        self.assertEqual(questions.halves(run, asked.of("./rcc run unfairness", run)), {"least_bps": [2e9, 3e9]})
        self.assertEqual(questions.halves(run, asked.of("./rcc run victim", run)), {})

    def test_files_of_other_flows(self):
        self.assertIsNone(lives.read("/nonexistent", testbed(group("h1-h7", 8e9))))
        self.assertIsNone(lives.read("/nonexistent", sample_run("a", 1)))


class Notes(unittest.TestCase):
    def told(self, command, *runs):
        return " ".join(summary.text({"command": command, "runs": list(runs), "partial": False}).split())

    def test_flows_with_an_algorithm_of_their_own(self):
        run = {**testbed(*(group(f"h{i}-h5", 8e9) for i in range(1, 5))), "flows": 4}
        for flows, said in (("h[1-2]-h5:cc=dcqcn,h[3-4]-h5:cc=hpcc", "4 of 4 flows have an algorithm of their own: dcqcn 2, hpcc 2"),
                            ("h1-h5:cc=swift:qps=2,h[2-3]-h5", "2 of 4 flows have an algorithm of their own: swift 2")):
            self.assertIn(said, self.told(f"./rcc run testbed --flows={flows}", run))
        self.assertNotIn("of their own", self.told("./rcc run testbed --flows=h[1-4]-h5", run))

    def test_packets_that_wait_at_other_ports(self):
        none, swift = (sample_run(cc, 0, scenario="clos", packets_marked=0) for cc in ("none", "swift"))
        paused = {**none, "pfc": {"pauses": 9, "paused_s": 1}}
        dcqcn = sample_run("dcqcn", 0, scenario="clos", packets_marked=7)
        self.assertIn("packets wait at other ports: packets were marked under dcqcn; senders were paused under none",
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
        self.assertIn("hpcc has the largest goodput of the victim, 16.5 Gb/s", " ".join(done.stdout.split()))
        self.assertAlmostEqual(found["none"]["victim_bps"] / 1e9, 9.42, delta=0.01)
        found, _ = self.answers("victim", "--cc=hpcc", "--time=10ms", "--flows=h[1-6]-h7,h8-h9:size=12MB")    # before the window
        self.assertGreater(found["hpcc"]["victim_bps"], 15e9)

    def test_the_least_flow_of_equal_sizes(self):
        found, _ = self.answers("unfairness", "--cc=none", "--time=50ms", "--flows=h[1-4]-h5:size=10MB")
        self.assertGreater(found["none"]["most_bps"], 1.2 * found["none"]["least_bps"])
        found, _ = self.answers("unfairness", "--cc=hpcc", "--time=5ms", "--flows=h[1-3]-h5,h4-h5:size=1MB")
        self.assertGreater(found["hpcc"]["least_bps"], 1e9)

    def test_flows_of_a_pair_are_flows(self):
        found, done = self.answers("unfairness", "--cc=hpcc,none", "--time=20ms", "--flows=h1-h5:qps=8,h[2-4]-h5")
        self.assertIn("hpcc has the largest least rate, 2.75 Gb/s", " ".join(done.stdout.split()))
        self.assertEqual(found["none"]["least_bps"], 1.4196736e9)
        self.assertLess(found["none"]["most_bps"], 13e9)


if __name__ == "__main__":
    unittest.main()
