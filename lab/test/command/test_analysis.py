# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The analytic line: fixed points against the defining equations in 80 digits, published points, the integrators against
the fixed points and the published stability statements, ./rcc model fixed-point, and the packet simulator against the solver."""
import dataclasses
import json
import math
import os
import random
import subprocess
import unittest
from decimal import Decimal, getcontext

from support import ROOT, RccTest, frame_overhead, scenario

from evidence.studies import fluid  # noqa: E402  (support.py puts ROOT on the path)
from command.models.steady_state import (PATCHED, TIMELY, Dcqcn, ParameterError, Switch, Timely, below_kmax, cube_root,
                                  most_flows_below_kmax, solve, solve_patched_timely)
from command.models.fixed_point import HEADERS, queue_of

BUILD = os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build")
PAPER = Dcqcn()
WIDE = Dcqcn(kmax_bytes=2e6, pmax=0.1)   # the profile with a fixed point for many flows
EOD = {2: 20.5, 4: 42.7, 8: 95.8, 10: 125.3, 16: 221.9}   # KB


def imbalance(params: Dcqcn, flows: int, s: Decimal) -> Decimal:
    """[EoD]'s fixed-point equation as it is printed, left over right minus 1, at 1 - p = exp(-s)."""
    rate = Decimal(params.rate_bps) / (8 * Decimal(params.packet_bytes)) / flows
    tau, tau_alpha, timer = Decimal(params.cnp_interval_s), Decimal(params.alpha_timer_s), Decimal(params.timer_s)
    counter = Decimal(params.byte_counter_bytes) / Decimal(params.packet_bytes)
    f, unmarked = Decimal(params.f), (-s).exp()

    def power(x: Decimal) -> Decimal:
        return (-s * x).exp()

    p = 1 - unmarked
    a, alpha = 1 - power(tau * rate), 1 - power(tau_alpha * rate)
    b, d = p / (power(-counter) - 1), p / (power(-timer * rate) - 1)
    c, e = b * power(f * counter), d * power(f * timer * rate)
    r_ai = Decimal(params.r_ai_bps) / (8 * Decimal(params.packet_bytes))
    return a * a * alpha / ((b + d) * (c + e)) / (tau * tau * r_ai * rate) - 1


def extremes() -> list:
    """(parameters, N): corners, then random set-ups over many decades; the same ones in every run."""
    cases = [(dataclasses.replace(base, rate_bps=rate * 1e9, packet_bytes=packet), n)
             for base in (PAPER, WIDE) for rate in (1, 10, 40, 100, 400) for packet in (64, 1062, 9000)
             for n in (1, 7, 300, 10_000)]
    draw = random.Random(1)
    for _ in range(150):
        cases.append((Dcqcn(rate_bps=10 ** draw.uniform(8, 12), packet_bytes=10 ** draw.uniform(1.8, 4),
                            cnp_interval_s=10 ** draw.uniform(-6, -2), alpha_timer_s=10 ** draw.uniform(-6, -2),
                            timer_s=10 ** draw.uniform(-6, -1), byte_counter_bytes=10 ** draw.uniform(3, 10),
                            f=draw.randint(1, 100), r_ai_bps=10 ** draw.uniform(4, 11)),
                      int(10 ** draw.uniform(0, 4))))
    return cases


class FixedPoint(unittest.TestCase):
    def test_checked_points(self):
        for flows, kilobytes in EOD.items():
            self.assertAlmostEqual(solve(WIDE, flows).queue_bytes / 1e3, kilobytes, delta=0.05)

    def test_the_end_of_the_authors_run(self):
        """Last line of the authors' conext2016/figures/unstable.2.0.100.dat, two flows after 0.2 s of their Matlab."""
        self.assertAlmostEqual(solve(WIDE, 2).queue_bytes / 1e3, 20.501, delta=0.0005)

    def test_where_it_ends(self):
        self.assertEqual(most_flows_below_kmax(PAPER), 14)
        self.assertTrue(all(below_kmax(PAPER, n) for n in range(1, 15)))
        self.assertTrue(all(below_kmax(WIDE, n) for n in range(1, 65)))
        self.assertEqual(most_flows_below_kmax(WIDE), 100)
        self.assertEqual(most_flows_below_kmax(dataclasses.replace(WIDE, packet_bytes=1062)), 95)
        over = solve(PAPER, 15)
        self.assertFalse(over.below_kmax)
        self.assertIsNone(over.queue_bytes)
        self.assertGreater(over.sloped_queue_bytes, PAPER.kmax_bytes)
        self.assertLess(solve(PAPER, 14).queue_bytes, PAPER.kmax_bytes)

    def test_defining_equation(self):
        """The root lies within 1e-10 of the solver's, whatever the parameters."""
        getcontext().prec = 80
        getcontext().Emax, getcontext().Emin = 10**12, -10**12
        largest = 0.0
        for params, flows in extremes():
            with self.subTest(params=params, flows=flows):
                point = solve(params, flows)
                # p may round to 1, alpha too; whichever of them holds more digits of s says what s is
                rate = params.capacity / flows
                s = -math.log1p(-point.p) if point.p < 0.9 else -math.log1p(-point.alpha) / (params.alpha_timer_s * rate) \
                    if point.alpha < 0.9 else None
                if s is None:  # 13 of 270, marked always: p* holds no digits of s
                    self.assertGreater(point.p, 0.9)
                    continue
                self.assertLess(imbalance(params, flows, Decimal(s) * (1 - Decimal("1e-10"))), 0)
                self.assertGreater(imbalance(params, flows, Decimal(s) * (1 + Decimal("1e-10"))), 0)
                self.assertAlmostEqual(point.alpha, -math.expm1(-s * params.alpha_timer_s * rate), delta=1e-9)
                largest = max(largest, s * params.byte_counter_bytes / params.packet_bytes)
        self.assertGreater(largest, 710, "no case whose (1-p)^-B overflows a double: the corner is not covered")

    def test_overflow_corners(self):
        """p* near 1, exponents of 10^9, hardly any packet within a timer: finite, within range, no exception."""
        for params, flows in [(Dcqcn(r_ai_bps=1e12, rate_bps=1e9), 10_000), (Dcqcn(byte_counter_bytes=1e12), 1000),
                              (Dcqcn(packet_bytes=1e-3), 10_000), (Dcqcn(packet_bytes=1e9), 10_000),
                              (Dcqcn(timer_s=1e3, byte_counter_bytes=1e15), 1),
                              (Dcqcn(timer_s=1e20, packet_bytes=1e-9), 1), (Dcqcn(timer_s=1e-15), 1),
                              (Dcqcn(cnp_interval_s=1e-12, alpha_timer_s=1e-12), 10_000), (Dcqcn(pmax=1e-300), 2),
                              (Dcqcn(byte_counter_bytes=0), 10_000), (Dcqcn(rate_bps=4e11, packet_bytes=64), 1)]:
            with self.subTest(params=params, flows=flows):
                point = solve(params, flows)
                self.assertTrue(0 < point.p <= 1 and 0 < point.alpha <= 1, point)
                self.assertGreater(point.target_bps, point.rate_bps * (1 - 1e-12))
                self.assertEqual(point.below_kmax, point.p <= params.pmax)

    def test_no_byte_counter_is_the_limit_of_a_large_one(self):
        none, large = solve(dataclasses.replace(WIDE, byte_counter_bytes=0), 8), \
            solve(dataclasses.replace(WIDE, byte_counter_bytes=1e13), 8)
        self.assertAlmostEqual(none.p / large.p, 1, delta=1e-9)
        # with the usual counter the queue must be another, or 0 would mean nothing
        self.assertNotAlmostEqual(none.p / solve(dataclasses.replace(WIDE, byte_counter_bytes=1e5), 8).p, 1, delta=1e-2)

    def test_monotonic(self):
        for base in (PAPER, WIDE):
            p = [solve(base, n).p for n in list(range(1, 130)) + [200, 500, 1000, 3000, 10_000]]
            self.assertEqual(p, sorted(set(p)), "p* grows with the number of flows")
        for name, factor in (("r_ai_bps", 2), ("timer_s", 0.5), ("byte_counter_bytes", 0.5), ("f", 0.5),
                             ("alpha_timer_s", 0.5), ("packet_bytes", 1.1)):
            changed = dataclasses.replace(WIDE, **{name: getattr(WIDE, name) * factor})
            self.assertGreater(solve(changed, 8).p, solve(WIDE, 8).p, name)
        self.assertEqual(solve(dataclasses.replace(WIDE, g=0.5), 8), solve(WIDE, 8))

    def test_cube_root_overshoots(self):
        over = [100 * (cube_root(WIDE, n) / solve(WIDE, n).p - 1) for n in (2, 64)]
        self.assertEqual([round(x) for x in over], [19, 58])
        # it is the leading term of the series: right where p is small
        gentle = dataclasses.replace(WIDE, r_ai_bps=1.0)
        self.assertAlmostEqual(cube_root(gentle, 2) / solve(gentle, 2).p, 1, delta=2e-3)

    def test_patched_timely(self):
        for flows, kilobytes in ((2, 78.125), (10, 140.625)):
            self.assertAlmostEqual(solve_patched_timely(PATCHED, flows).queue_bytes / 1e3, kilobytes, delta=1e-9)
        self.assertAlmostEqual(solve_patched_timely(PATCHED, 72).queue_bytes, 625e3, delta=1e-6)  # C T_high exactly
        self.assertIsNone(solve_patched_timely(PATCHED, 73).queue_bytes)

    def test_pfc_thresholds(self):
        switch = Switch()
        self.assertAlmostEqual(switch.static_pause_bytes() / 1e3, 24.47, delta=0.006)
        bound = switch.ecn_bound_bytes()
        self.assertAlmostEqual(bound / 1e3, 21.75, delta=0.006)
        # at the bound: all 256 egress queues full to t_ECN, and the PAUSE threshold just what one port may then hold
        self.assertAlmostEqual(switch.dynamic_pause_bytes(256 * bound), 32 * bound, delta=1e-6)

    def test_errors(self):
        for make, fragment in [
                (lambda: Dcqcn(kmin_bytes=2e5), "kmin_bytes=200000: expected less than Kmax"),
                (lambda: Dcqcn(kmin_bytes=-1), "kmin_bytes=-1: expected a finite number above 0"),
                (lambda: Dcqcn(pmax=0), "pmax=0: expected"), (lambda: Dcqcn(pmax=1.5), "pmax=1.5: expected at most 1"),
                (lambda: Dcqcn(rate_bps=math.inf), "rate_bps=inf: expected"),
                (lambda: Dcqcn(timer_s=math.nan), "timer_s=nan: expected"),
                (lambda: Dcqcn(r_ai_bps="40Mbps"), "r_ai_bps=40Mbps: expected"),
                (lambda: solve(PAPER, 0), "flows=0: expected"), (lambda: solve(PAPER, 2.0), "flows=2.0: expected"),
                (lambda: solve(PAPER, True), "flows=True: expected"),
                (lambda: Timely(t_low_s=1), "t_low_s=1: expected less than T_high"),
                (lambda: Switch(ports=100), "buffer_bytes=12000000: expected more than the headroom"),
                (lambda: fluid.dcqcn(PAPER, [], 0.1), "groups: expected"),
                (lambda: fluid.dcqcn(PAPER, [fluid.Group(0)], 0.1), "flows=0: expected"),
                (lambda: fluid.dcqcn(PAPER, [fluid.Group(1, 0.0, 41e9)], 0.1), "rate_bps=41000000000.0: expected"),
                (lambda: fluid.dcqcn(PAPER, [fluid.Group(1)], 0.1, delay_s=0), "delay_s=0: expected"),
                (lambda: fluid.timely(TIMELY, [fluid.Group(1, -1.0)], 0.1), "start_s=-1.0: expected")]:
            with self.subTest(fragment), self.assertRaises(ParameterError) as caught:
                make()
            self.assertIn(fragment, str(caught.exception))


class Fluid(unittest.TestCase):
    def test_dcqcn_comes_to_rest_at_the_fixed_point(self):
        for flows in (2, 10, 64):
            with self.subTest(flows=flows):
                run, point = fluid.dcqcn(WIDE, [fluid.Group(flows)], 0.25, step_s=4e-6), solve(WIDE, flows)
                self.assertAlmostEqual(run.mean_queue(0.2) / point.queue_bytes, 1, delta=1e-4)
                self.assertLess(run.swing(0.2), 1e-4)
                self.assertAlmostEqual(run.alphas[0][-1] / point.alpha, 1, delta=1e-4)
                self.assertAlmostEqual(run.rates[0][-1] / point.rate_bps, 1, delta=1e-6)
                self.assertAlmostEqual(run.targets[0][-1] / point.target_bps, 1, delta=1e-5)

    def test_published_stability(self):
        """[EoD] section 3, impact of delay: with 85 us 10 flows oscillate, 2 and 64 do not (with 4 us: the test above)."""
        swing = {n: fluid.dcqcn(WIDE, [fluid.Group(n)], 0.3, delay_s=85e-6, step_s=5e-6).swing(0.25) for n in (2, 10, 64)}
        self.assertLess(swing[2], 0.02)
        self.assertLess(swing[64], 0.02)
        self.assertGreater(swing[10], 1)

    def test_published_oscillation(self):
        """The curve of the authors' stable_q_85.pdf for 10 flows peaks at 276 KB at the end of its 0.1 s (read off the
        vector drawing) and falls to its axis, 1 KB."""
        run = fluid.dcqcn(WIDE, [fluid.Group(10)], 0.1, delay_s=85e-6, sample_s=2e-5)
        late = run.tail(run.queue_bytes, 0.09)
        self.assertAlmostEqual(max(late) / 1e3, 276, delta=10)
        self.assertLess(min(late), 1e3)

    def test_step_halved(self):
        one, two = (fluid.dcqcn(WIDE, [fluid.Group(4)], 0.02, step_s=step) for step in (2e-6, 1e-6))
        for i, t in enumerate(one.time_s):
            if t >= 0.001:
                self.assertAlmostEqual(one.queue_bytes[i], two.queue_bytes[i], delta=0.01 * max(two.queue_bytes))
                self.assertAlmostEqual(one.rates[0][i] / two.rates[0][i], 1, delta=0.01)

    def test_groups_are_their_flows(self):
        together = fluid.dcqcn(WIDE, [fluid.Group(3)], 0.01)
        apart = fluid.dcqcn(WIDE, [fluid.Group(), fluid.Group(), fluid.Group()], 0.01)
        for a, b in zip(together.queue_bytes, apart.queue_bytes):
            self.assertAlmostEqual(a, b, delta=1e-3)
        self.assertEqual(apart.rates[0], apart.rates[2])

    def test_late_flows(self):
        """A flow that starts late changes nothing before, takes its share after."""
        alone = fluid.dcqcn(WIDE, [fluid.Group(2)], 0.3, step_s=4e-6)
        late = fluid.dcqcn(WIDE, [fluid.Group(2), fluid.Group(2, 0.1, 5e9)], 0.3, step_s=4e-6)
        before = [i for i, t in enumerate(late.time_s) if t < 0.0999]
        self.assertEqual([alone.queue_bytes[i] for i in before], [late.queue_bytes[i] for i in before])
        self.assertEqual(max(late.rates[1][i] for i in before), 0)
        self.assertAlmostEqual(late.rates[1][-1] / 10e9, 1, delta=0.01)
        self.assertAlmostEqual(late.mean_queue(0.28) / solve(WIDE, 4).queue_bytes, 1, delta=0.02)

    def test_above_kmax_there_is_no_rest(self):
        self.assertGreater(fluid.dcqcn(PAPER, [fluid.Group(64)], 0.2, step_s=4e-6).swing(0.15), 0.1)

    def test_patched_timely(self):
        for flows in (2, 10):
            run = fluid.timely(PATCHED, [fluid.Group(flows)], 0.15, step_s=4e-6)
            self.assertAlmostEqual(run.mean_queue(0.1) / solve_patched_timely(PATCHED, flows).queue_bytes, 1, delta=1e-3)
            self.assertLess(run.swing(0.1), 0.01)

    def test_timely_keeps_what_patched_timely_mends(self):
        """[EoD] section 4: from 7 and 3 Gb/s TIMELY stays unfair, patched TIMELY goes to 5 and 5."""
        start = [fluid.Group(1, 0.0, 7e9), fluid.Group(1, 0.0, 3e9)]
        plain = fluid.timely(TIMELY, start, 0.1, patched=False, step_s=4e-6)
        mended = fluid.timely(PATCHED, start, 0.2, step_s=4e-6)
        self.assertGreater(plain.rates[0][-1] / plain.rates[1][-1], 1.5)
        self.assertGreater(plain.swing(0.05), 1, "TIMELY has no fixed point")
        self.assertAlmostEqual(mended.rates[0][-1] / mended.rates[1][-1], 1, delta=0.01)

    def test_patched_timely_stability(self):
        """The characteristic equation of the printed law (w = 2g + 1/2) has a root to the right from N = 20 on."""
        self.assertLess(fluid.timely(PATCHED, [fluid.Group(16)], 0.15, step_s=4e-6).swing(0.13), 1e-3)
        self.assertGreater(fluid.timely(PATCHED, [fluid.Group(22)], 0.15, step_s=4e-6).swing(0.13), 0.05)


REFUSED = [
    ("--flows=0", "--flows=0: expected"), ("--flows=", "--flows=: expected"), ("--flows=2,,4", "--flows=2,,4: expected"),
    ("--flows=8-4", "--flows=8-4: expected"), ("--flows=many", "--flows=many: expected"),
    ("--flows=1-999999999", "at most 100000"),
    ("--rate=40Gbs", "--rate=40Gbs: expected a rate"), ("--rate=0", "--rate=0: expected"),
    ("--rate=16001Gbps", "--rate=16001Gbps: expected at most 16Tbps"),
    ("--set r_ai=2Tbps", "--set r_ai=2Tbps: expected at most 1600Gbps"),
    ("--kmin=300KB", "--kmin=300KB: expected less than Kmax, 200000"),
    ("--kmax=1KB", "--kmin (its default): expected less than Kmax, 1000"),
    ("--pmax=0", "--pmax=0: expected"), ("--pmax=2", "--pmax=2: expected at most 1"), ("--packet=0", "--packet=0: expected"),
    ("--mtu=1000 --packet=1062", "--mtu or --packet, not both"), ("--set timer", "expected PARAM=VALUE"),
    ("--set tmer=1us", "did you mean timer?"), ("--set dcqcn.timer=0us", "--set dcqcn.timer=0us: expected"),
    ("--set g=1", "unknown parameter g"), ("--cc=dcqcm", "did you mean dcqcn?"),
    ("--cc=timely-patched --kmin=5KB", "timely-patched has no such parameter"),
    ("--cc=timely-patched --set t_low=1s", "expected less than T_high"), ("--flow=3", "did you mean --flows?"),
]


class Command(RccTest):
    def json(self, *args):
        done = self.rcc("model", "fixed-point", "--json", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_refused(self):
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.assert_refused(self.rcc("model", "fixed-point", *line.split()), fragment)

    def test_table(self):
        done = self.rcc("model", "fixed-point", "--flows=14,15")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ +14 .* yes$")
        self.assertRegex(done.stdout, r"(?m)^ +15 +\S+ +- .* no$")
        self.assertIn("below Kmax for N <= 14", done.stdout)
        self.assertNotIn("line rate", done.stdout)
        self.assertIn("R_T* above the line rate", self.rcc("model", "fixed-point", "--flows=1").stdout)

    def test_json(self):
        found = self.json("--kmin=5KB", "--kmax=2000KB", "--pmax=10%", "--flows=2,16", "--set", "dcqcn.timer=55us,f=5")
        self.assertEqual([round(row["queue_bytes"] / 1e3, 1) for row in found["rows"]], [20.5, 221.9])
        self.assertEqual([row["flows"] for row in self.json("--flows=4,2,8-10")["rows"]], [4, 2, 8, 9, 10])
        self.assertIsNone(self.json("--flows=15")["rows"][0]["queue_bytes"])
        self.assertEqual(self.json("--cc=timely-patched", "--flows=10")["rows"][0]["queue_bytes"], 140_625)
        self.assertNotEqual(found["rows"], self.json("--kmax=2MB", "--pmax=.1", "--flows=2,16", "--set=timer=60us")["rows"])

    def test_mtu_is_the_payload_as_in_run(self):
        self.assertEqual(self.json("--mtu=1000"), self.json("--packet=1062"))
        self.assertEqual(HEADERS, frame_overhead())


@unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-run"), os.X_OK), "the programs are not built")
class Packets(RccTest):
    def test_the_simulator_keeps_to_the_line(self):
        """Mean queue of 4 and 8 flows within 15 % of the solver's, for packets as they are on the wire."""
        for flows, mtu in ((4, 1000), (8, 1000), (8, 938)):
            with self.subTest(flows=flows, mtu=mtu):
                out = self.path(f"{flows}-{mtu}")
                done = subprocess.run(
                    scenario("incast", "--cc=dcqcn", f"--flows={flows}", f"--senders={flows}", "--start=0s",
                             "--kmin=5KB", "--kmax=2000KB", "--pmax=0.1", "--time=0.2s", f"--mtu={mtu}", f"--out={out}"),
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120,
                    check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(os.path.join(out, "run.json"), encoding="utf-8") as f:
                    mean = json.load(f)["queue"]["mean_bytes"]
                line = solve(dataclasses.replace(WIDE, packet_bytes=mtu + HEADERS), flows).queue_bytes
                deviation = f"N = {flows}, mtu {mtu}: {mean / 1e3:.1f} KB measured, {line / 1e3:.1f} KB solved, " \
                            f"{100 * (mean / line - 1):+.1f} %"
                print(deviation)
                self.assertLess(abs(mean / line - 1), 0.15, deviation)


class OfARun(unittest.TestCase):
    """The line that ./rcc run draws into its own queue plot."""

    RUN = {"cc": "dcqcn", "scenario": "incast", "fct": None, "flows": 8, "bottleneck_bps": 40e9, "bytes_delivered": 10**6,
           "packets_delivered": 1000, "parameters": {
               "kmin": "5KB", "kmax": "2000KB", "pmax": "0.1", "cnp_interval": "50us", "timer": "55us", "alpha_timer": "55us",
               "byte_counter": "10MB", "f": "5", "r_ai": "40Mbps"}}

    def test_published_point(self):
        self.assertAlmostEqual(queue_of(self.RUN) / 1e3, 95.8, places=1)

    def test_where_there_is_none(self):
        narrow = {**self.RUN["parameters"], "kmax": "200KB", "pmax": "0.01"}
        for change in ({"flows": 2000, "parameters": narrow}, {"cc": "qcn"}, {"scenario": "clos"}, {"fct": {}},
                       {"parameters": {}}, {"packets_delivered": 0}, {"parameters": {**narrow, "cnp_interval": "0s"}}):
            self.assertIsNone(queue_of({**self.RUN, **change}), change)


if __name__ == "__main__":
    unittest.main()
