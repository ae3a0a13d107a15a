# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Two DCQCN flows in packets and in the fluid model (lab/evidence/studies/two_flows.py): what keeps them apart are the draws of marking."""
import unittest

import support  # noqa: F401  puts the project on the path
from evidence.studies import fluid
from command.models.steady_state import Dcqcn
from evidence.studies import two_flows
from evidence.studies.two_flows import Variant, distance

PARAMS = Dcqcn(packet_bytes=1062)
TIME_S, FLUID_S = 0.12, 0.3   # as short as shows it: the smooth fluid is the slower to come to rest


class TwoFlows(unittest.TestCase):
    def test_distance(self):
        self.assertEqual(distance([[9.0, 1.0, 3.0], [1.0, 1.0, 1.0]]), (0.5 * 0.5 / 2) ** 0.5)  # second half: 0 and 1/2

    def test_the_draws_of_marking_keep_them_apart(self):
        drawn, even = (distance(two_flows.packets(PARAMS, Variant(even=even), TIME_S, 1)) for even in (False, True))
        self.assertGreater(drawn, 0.03)
        self.assertLess(even, 0.01)

    def test_and_in_the_fluid_model_too(self):
        drawn, smooth = (distance(two_flows.fluid(PARAMS, events, FLUID_S, 1)) for events in (True, False))
        self.assertGreater(drawn, 0.03)
        self.assertLess(smooth, 0.01)

    def test_its_fluid_is_that_of_the_analytic_line(self):
        """Another integrator of the same equations: rates at rest, and on the way there."""
        own = two_flows.fluid(PARAMS, False, TIME_S, 1)
        other = fluid.dcqcn(PARAMS, [fluid.Group(start_s=start) for start in two_flows.STARTS_S], TIME_S, step_s=2e-6, sample_s=1e-4)
        for k in range(2):
            for ms in (40, 60, 110):
                mean = sum(own[k][ms:ms + 5]) / 5 / two_flows.MEAN_S * 8 * PARAMS.packet_bytes
                rates = [rate for t, rate in zip(other.time_s, other.rates[k]) if ms * 1e-3 <= t < (ms + 5) * 1e-3]
                self.assertAlmostEqual(mean / (sum(rates) / len(rates)), 1, delta=0.05, msg=f"flow {k} at {ms} ms")


if __name__ == "__main__":
    unittest.main()
