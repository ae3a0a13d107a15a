# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The equilibrium of DCQCN+ (lab/evidence/studies/equilibrium.py): the recovery by hand, what it says of Pmax, and packets beside it."""
import dataclasses
import json
import os
import subprocess
import tempfile
import unittest

from support import needs_programs, scenario  # puts the project on the path

from evidence.studies.equilibrium import DcqcnPlus, equilibrium, periods, recovery
from command.models.steady_state import ParameterError


class Recovery(unittest.TestCase):
    def test_by_hand(self):
        # alpha = 1: 1/2, 3/4, 7/8, 15/16, 31/32; then the target is 1 + 0.1 * 31/32 and the rate (1.096875 + 0.96875) / 2
        found = recovery(DcqcnPlus(), 1)
        self.assertEqual([rate for rate, _ in found], [0.5, 0.75, 0.875, 0.9375, 0.96875])
        self.assertAlmostEqual(found[-1][1], (1 - 0.96875) / ((1.096875 + 0.96875) / 2 - 0.96875))

    def test_whatever_alpha_is(self):
        for alpha in (0.001, 0.1, 0.3, 0.5, 1):
            self.assertTrue(4 < periods(DcqcnPlus(), alpha) < 4.5, alpha)

    def test_refused(self):
        with self.assertRaises(ParameterError):
            recovery(DcqcnPlus(), 0)
        with self.assertRaises(ParameterError):
            recovery(DcqcnPlus(ai_flow=0), 1)
        with self.assertRaises(ParameterError):
            equilibrium(DcqcnPlus(), 2000, 0)
        with self.assertRaises(ParameterError):
            equilibrium(DcqcnPlus(), 0, 10e9)


class Marking(unittest.TestCase):
    def test_the_number_of_flows_does_not_matter(self):
        for rate in (10e9, 40e9):
            found = {round(equilibrium(DcqcnPlus(), n, rate).probability, 12) for n in (80, 480, 2000, 10_000)}
            self.assertEqual(len(found), 1)

    def test_one_percent_is_too_little_at_both_rates(self):
        at_10g, at_40g = (equilibrium(DcqcnPlus(), 480, rate) for rate in (10e9, 40e9))
        self.assertAlmostEqual(at_10g.probability, 0.10, delta=0.01)
        self.assertAlmostEqual(at_40g.probability, 0.025, delta=0.003)
        for rate in (10e9, 40e9):
            self.assertIsNone(equilibrium(DcqcnPlus(pmax=0.01), 480, rate).queue_bytes)
            self.assertTrue(20e3 < equilibrium(DcqcnPlus(), 480, rate).queue_bytes < 200e3)

    def test_alpha_is_at_rest(self):
        params = DcqcnPlus()
        found = equilibrium(params, 2000, 40e9)
        risen = found.alpha + params.g * (1 - found.alpha)
        # an alpha timer of tau expires twice in a period of 2 tau
        self.assertAlmostEqual(risen * (1 - params.g) ** (2 * found.periods), found.alpha, places=4)

    def test_a_longer_period_needs_less_marking(self):
        some, more = (equilibrium(dataclasses.replace(DcqcnPlus(), lambda_=k), 480, 40e9).probability for k in (2, 4))
        self.assertAlmostEqual(some / more, 2, delta=0.1)


@needs_programs
class Packets(unittest.TestCase):
    def test_the_queue_of_packets_is_near(self):
        """480 flows at 40 Gb/s, the default Pmax and another: the mean queue is within a quarter of the equilibrium's."""
        for pmax in (0.3, 0.5):
            with tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                subprocess.run(scenario("incast", "--cc=dcqcn-plus", "--rate=40Gbps", "--flows=480", "--start=20ms", "--time=0.3s",
                                        f"--set=dcqcn-plus.pmax={pmax}", "--seed=1", f"--out={out}"), check=True,
                               stdout=subprocess.DEVNULL)
                with open(os.path.join(out, "run.json"), encoding="utf-8") as f:
                    queue = json.load(f)["queue"]["mean_bytes"]
            expected = equilibrium(DcqcnPlus(pmax=pmax), 480, 40e9).queue_bytes
            self.assertTrue(0.75 < queue / expected < 1.25, (pmax, queue, expected))


if __name__ == "__main__":
    unittest.main()
