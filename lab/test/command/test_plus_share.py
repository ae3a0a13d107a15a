# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The fluid model of DCQCN+ share."""
import math
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command.models.steady_state import ParameterError  # noqa: E402
from evidence.studies import plus_share  # noqa: E402
from evidence.studies.plus_share import Plus  # noqa: E402


class Model(unittest.TestCase):
    def test_fixed_point_is_at_rest(self):
        for rate in (10e9, 40e9, 100e9):
            for flows in (8, 80, 2000):
                for by_share in (True, False):
                    params = Plus(rate_bps=rate, by_share=by_share)
                    point = plus_share.solve(params, flows)
                    self.assertEqual(point.state.rate, 1.0)
                    self.assertGreater(point.state.target, 1.0)
                    for slope in plus_share.slopes(params, flows, point.state, point.p):
                        self.assertLess(abs(slope), 1e-9)

    def test_balance_by_hand(self):
        """cut alpha a^2 = (step/2) d e, the two slopes with the gap eliminated, at 10 Gb/s and 480 flows."""
        params = Plus(rate_bps=10e9)
        point = plus_share.solve(params, 480)
        rate, tau = params.capacity / 480, 480e-6
        k, k_alpha = 1.4 * tau, 1.5 * tau          # a packet takes 384 us: the list rules
        keep = 1 - point.p
        cnps = (1 - keep ** (tau * rate)) / tau
        expiries = rate * point.p / (keep ** (-k * rate) - 1)
        later = expiries * keep ** (4 * k * rate)
        self.assertAlmostEqual(point.state.alpha, 1 - keep ** (k_alpha * rate), 9)
        self.assertAlmostEqual(0.5 * point.state.alpha * cnps ** 2 / (expiries * later / 2 / 20), 1, 6)
        self.assertAlmostEqual(point.queue_bytes, 20e3 + point.p * 180e3, 3)

    def test_marking_does_not_depend_on_the_flows(self):
        for rate in (10e9, 40e9):
            found = [plus_share.solve(Plus(rate_bps=rate), flows).p for flows in (80, 480, 10000)]
            self.assertLess(max(found) / min(found), 1 + 1e-6)

    def test_slow_flows(self):
        """A slow flow of DCQCN+ recovers in proportion to its own packets, one of DCQCN+ share in proportion to the list."""
        share, plus = Plus(rate_bps=10e9), Plus(rate_bps=10e9, by_share=False)
        p = plus_share.solve(share, 480).p
        per_packet = [plus_share.drift(plus, 480, rate, p) / rate for rate in (0.02, 0.2)]
        self.assertAlmostEqual(per_packet[0] / per_packet[1], 1, delta=0.03)
        self.assertGreater(plus_share.drift(share, 480, 0.02, p), 0.5 * plus_share.drift(share, 480, 0.2, p))
        self.assertGreater(plus_share.return_s(plus, 480, 0.02), 5 * plus_share.return_s(share, 480, 0.02))

    def test_margin_shrinks_with_the_rate_and_the_flows(self):
        margins = [plus_share.margin(Plus(rate_bps=rate), flows).phase_deg
                   for rate, flows in ((10e9, 80), (10e9, 2000), (40e9, 2000), (100e9, 2000))]
        self.assertEqual(margins, sorted(margins, reverse=True))
        self.assertLess(margins[0], 0)
        self.assertGreater(margins[0], -30)

    def test_loop(self):
        """It begins at +90 degrees, and a slope half as steep halves the gain: the marking at rest is the same."""
        steep, flat = Plus(rate_bps=10e9), Plus(rate_bps=10e9, kmax_bytes=380e3)
        for omega in (1e-4, 0.1, 1):
            gains = [abs(plus_share.loop_gain(p, 480, plus_share.solve(p, 480), omega)) for p in (steep, flat)]
            self.assertAlmostEqual(gains[0] / gains[1], 2, 6)
        first = plus_share.loop_gain(steep, 480, plus_share.solve(steep, 480), 1e-4)
        self.assertGreater(first.imag, 10 * abs(first.real))

    def test_no_fixed_point(self):
        """Pmax of 1 %: RED's slope never marks enough at 10 Gb/s."""
        params = Plus(rate_bps=10e9, pmax=0.01)
        self.assertIsNone(plus_share.solve(params, 480).queue_bytes)
        self.assertIsNone(plus_share.margin(params, 480))

    def test_refusals(self):
        for more in ({"pmax": 2.0}, {"kmin_bytes": 200e3}, {"rate_bps": 0.0}, {"delta_s": math.nan}):
            with self.assertRaises(ParameterError):
                Plus(**more)
        with self.assertRaises(ParameterError):
            plus_share.return_s(Plus(), 80, 1.5)


if __name__ == "__main__":
    unittest.main()
