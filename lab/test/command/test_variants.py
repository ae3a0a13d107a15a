#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Names of DCQCN: a preset of dcqcn may belong to an algorithm beside it, and a parameter that the paper has not is answered by the name
that has it."""
import json
import unittest

from support import RccTest, needs_programs
from command.common import RccError
from command.experiment import catalogue
from command.run import simulation

# (words, algorithm of the core that runs, what the run is called)
NAMES = (("--cc=dcqcn", "dcqcn", "dcqcn"), ("--cc=dcqcn --preset=paper-10g", "dcqcn", "dcqcn"),
         ("--cc=dcqcn --preset=cx4", "dcqcn-nic", "dcqcn"), ("--cc=dcqcn --preset=nic-default", "dcqcn-nic", "dcqcn"),
         ("--cc=dcqcn --preset=hpcc", "dcqcn-hpcc", "dcqcn"), ("--cc=dcqcn-nic", "dcqcn-nic", "dcqcn-nic"),
         ("--cc=dcqcn --nic=cx5", "dcqcn-nic", "dcqcn"), ("--cc=dcqcn --nic=cx3-pro", "dcqcn", "dcqcn"),
         ("--cc=dcqcn --nic=e810 --preset=paper", "dcqcn-nic", "dcqcn"))
# (words, what is said)
REFUSED = (("--set=dcqcn.clamp_target=no", "dcqcn has no parameter 'clamp_target'; dcqcn-nic has it: --cc=dcqcn-nic"),
           ("--set=dcqcn.pacing=frozen", "dcqcn has no parameter 'pacing'; dcqcn-nic has it"),
           ("--set=dcqcn.notify=ack-ce", "dcqcn has no parameter 'notify'; dcqcn-hpcc has the other rule"),
           ("--preset=hpcc --set=dcqcn.byte_counter=1MB", "dcqcn-hpcc has no parameter 'byte_counter'; dcqcn has it"),
           ("--cc=timely --set=dcqcn.cut_rule=periodic", "dcqcn has no parameter 'cut_rule'; dcqcn-hpcc has the other rule"),
           ("--cc=dcqcn-plus --preset=first-rule", "has no preset 'first-rule', expected dcqcn-plus+pmax=0.3+initial_alpha=0.5"),
           ("--cc=dcqcn-plus --preset=one-percent", "expected dcqcn-plus+pmax=0.01+idle_wake=in-turn"),
           ("--cc=dcqcn-plus --preset=two-level", "expected dcqcn-plus+ai_levels=two"),
           ("--cc=dcqcn-plus --preset=hyper-3f", "expected dcqcn-plus+hi_after=3"))
LEFT = ("mark_at cnp_generation np_rule alpha_restart initial_alpha cut_ratio rate_reduce_period clamp_target hai_steps pacing notify "
        "cut_rule alpha_rule mark_every min_dec_fac first_cnp_rate clamp_after_time start_rate cnp_busy").split()


@needs_programs
class Variants(RccTest):
    def test_names(self):
        for words, core, name in NAMES:
            with self.subTest(words):
                made = simulation.of_scenario("incast", words.split()).writer.experiment.algorithms[0]
                self.assertEqual((made.core, made.name), (core, name))
                self.assertEqual(list(made.parameters), list(catalogue.cores()[core].fields))

    def test_parameters_of_what_a_name_means(self):
        """--set with any of the names sets it, also where another algorithm runs beside it."""
        for words in ("--cc=dcqcn --preset=cx4 --set=dcqcn.rate_reduce_period=8us", "--cc=dcqcn-nic --set=dcqcn.rate_reduce_period=8us",
                      "--cc=dcqcn --preset=cx4 --set=dcqcn-nic.rate_reduce_period=8us"):
            made = simulation.of_scenario("incast", words.split()).writer.experiment.algorithms[0]
            self.assertEqual(made.parameters["rate_reduce_period"], 8000, words)
        simulation.of_scenario("incast", ["--cc=timely", "--set=dcqcn.rate_reduce_period=8us"])

    def test_refused(self):
        for words, said in REFUSED:
            with self.subTest(words), self.assertRaises(RccError) as caught:
                simulation.of_scenario("incast", words.split())
            self.assertIn(said, str(caught.exception))

    def test_each_parameter_that_left_has_an_answer(self):
        self.assertEqual(len(catalogue.cores()["dcqcn"].fields), 12)
        for name in LEFT:
            with self.assertRaisesRegex(RccError, f"dcqcn has no parameter '{name}'; dcqcn-(nic|hpcc) has "):
                simulation.of_scenario("incast", [f"--set=dcqcn.{name}=1"])

    def test_results_have_the_name_that_was_asked_for(self):
        self.succeed("run", "incast", "--cc=dcqcn:hpcc,dcqcn-nic", "--flows=4", "--time=200us", "--ack-every=1", "--no-plots", "--quiet",
                     "--out=out")
        runs = json.loads(self.read("out", "summary.json"))["runs"]
        self.assertEqual([(run["cc"], run.get("label", ""), run["preset"], run["title"]) for run in runs],
                         [("dcqcn", "dcqcn:hpcc", "hpcc", "DCQCN"), ("dcqcn-nic", "", "paper", "DCQCN of NICs")])
        self.assertEqual([len(run["parameters"]) for run in runs], [13, 23])    # without rules of NICs that are off

    def test_settings_of_a_nic_over_the_paper(self):
        """A dump of a NIC over a preset of dcqcn itself: the algorithm of NICs has the settings."""
        self.put("nic.txt", "rate_reduce_monitor_period 4\nrpg_ai_rate 7\n")
        self.succeed("run", "incast", "--cc=dcqcn:paper", "--nic-params=nic.txt", "--flows=4", "--time=200us", "--no-plots", "--quiet",
                     "--out=out")
        run = json.loads(self.read("out", "summary.json"))["runs"][0]
        self.assertEqual((run["preset"], run["parameters"]["rate_reduce_period"], run["parameters"]["timer"]), ("paper", "4us", "55us"))


if __name__ == "__main__":
    unittest.main()
