# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Thresholds that cannot act in a run, and those that marks show to act."""
import unittest

from support import sample_run, with_experiment

from command.results.judge import cannot_act


class Thresholds(unittest.TestCase):
    def test_thresholds(self):
        high = sample_run("dcqcn", 1e5, parameters={"kmin": "400KB", "kmax": "1600KB"}, pfc_limit_bytes=187_000)
        self.assertIn("dcqcn: Kmin 400 KB is above the PFC limit 187 KB: nothing is ever marked", cannot_act.words([high]))
        slow = sample_run("dcqcn", 1e5, parameters={"kmin": "5KB", "kmax": "200KB"}, rate_bps=100e9)
        self.assertIn("for 40 Gb/s, the links have 100 Gb/s", cannot_act.words([slow])[0])
        self.assertEqual(cannot_act.words([sample_run("dcqcn", 1e5, parameters={"kmin": "5KB", "kmax": "200KB"})]), [])

    def test_thresholds_without_pfc(self):
        """A queue that drops at its limit before it marks. Its limit is not in run.json: what it reached is, and the drops."""
        def said(cc="dcqcn", drops=127_037, marks=0, **more):
            run = sample_run(cc, 1_999_326, packets_dropped=drops, packets_marked=marks,
                             **{"parameters": {"kmin": "3MB", "kmax": "4MB"}, "pfc_limit_bytes": None, **more})
            return cannot_act.words([run])
        self.assertEqual(said(), ["dcqcn: Kmin 3 MB is above what the queue reaches, 2.00 MB: queues drop at their limit before they mark"])
        self.assertEqual(said("dctcp", parameters={"k": "4MB"}),
                         ["dctcp: K 4 MB is above what the queue reaches, 2.00 MB: queues drop at their limit before they mark"])
        self.assertEqual(said("dctcp", parameters={"k": "8MB"}, pfc_limit_bytes=4_440_000),
                         ["dctcp: K 8 MB is above the PFC limit 4.44 MB: nothing is ever marked"])
        for more in ({"drops": 0}, {"marks": 1}, {"parameters": {"kmin": "1MB", "kmax": "4MB"}}, {"parameters": {}},
                     {"cc": "timely", "parameters": {"k": "4MB"}}, {"pfc_limit_bytes": 4_440_000}, {"queue": None},
                     {"faults": [{"fault": "link-down"}]}, {"frames_lost": 3},   # whose drops may be of no route
                     {"cc": "dctcp", "parameters": {"k": "0B"}}):
            with self.subTest(more):
                self.assertEqual(said(**more), [])

    def test_what_was_marked_is_not_denied(self):
        """Headroom takes a queue above the limit, and where every n-th packet is marked that does not go by the queue."""
        def said(**more):
            run = sample_run("dcqcn", 1e5, rate_bps=100e9, pfc_limit_bytes=4_440_000, packets_marked=more.pop("marks", None),
                             packets_delivered=94_000, parameters={"kmin": "6MB", "kmax": "7MB", **more})
            return cannot_act.words([run])
        for marks in (0, None):
            self.assertEqual(said(marks=marks), ["dcqcn: Kmin 6 MB is above the PFC limit 4.44 MB: nothing is ever marked"])
        self.assertEqual(said(marks=5167), [])
        self.assertEqual(said(mark_every="0"), said(marks=0))
        self.assertEqual(said(mark_every="50"), [])
        self.assertEqual(said(mark_every="50", kmin="5KB", kmax="200KB"), [])

    def test_a_threshold_that_the_rate_gives(self):
        """run.json has it as kmin_bytes; `parameters` have the 0 that stands for it."""
        def said(cc, parameters, **more):
            return cannot_act.words([sample_run(cc, 1e5, parameters=parameters, pfc_limit_bytes=898_000, packets_marked=0, **more)])
        self.assertEqual(said("dctcp", {"k": "0B"}, kmin_bytes=1_200_000),
                         ["dctcp: K 1.20 MB is above the PFC limit 898 KB: nothing is ever marked"])
        self.assertEqual(said("nscc", {"kmin": "0B", "kmax": "0B"}, kmin_bytes=900_000),
                         ["nscc: Kmin 900 KB is above the PFC limit 898 KB: nothing is ever marked"])
        for kmin in (None, 120_000):
            self.assertEqual(said("dctcp", {"k": "0B"}, kmin_bytes=kmin), [])

    def test_a_few_marks_are_counted(self):
        """Those of the start, when many queues are above the limit for a moment."""
        def said(marks):
            return cannot_act.words([sample_run("dctcp", 1e5, parameters={"k": "8MB"}, pfc_limit_bytes=4_440_000, packets_marked=marks,
                                                packets_delivered=47_000)])
        self.assertEqual(said(55), ["dctcp: K 8 MB is above the PFC limit 4.44 MB: 55 of 47000 packets were marked"])
        self.assertEqual(said(1), ["dctcp: K 8 MB is above the PFC limit 4.44 MB: 1 of 47000 packets was marked"])
        self.assertEqual(said(471), [])

    def test_a_red_for_40_gbps_is_that_of_the_watched_port(self):
        """bottleneck_bps is its rate, but for clos, workload and files with `bottlenecks`, which have the sum of several ports."""
        def said(rate, port, **more):
            run = sample_run("dcqcn", 1e5, rate_bps=rate, bottleneck_bps=port, parameters={"kmin": "5KB", "kmax": "200KB"}, **more)
            return [text.rpartition(", ")[2] for text in cannot_act.words([run])]
        self.assertEqual(said(100e9, 100e9), ["the links have 100 Gb/s"])
        self.assertEqual(said(10e9, 100e9), ["the watched port has 100 Gb/s"])
        self.assertEqual(said(100e9, 10e9), [])
        self.assertEqual(said(100e9, None), ["the links have 100 Gb/s"])
        for scenario in ("clos", "workload"):
            self.assertEqual(said(40e9, 160e9, scenario=scenario), [])
            self.assertEqual(said(100e9, 800e9, scenario=scenario), ["the links have 100 Gb/s"])
        for experiment, expected in (({"bottlenecks": ["h1", "h2"]}, []), ({}, ["the watched port has 80 Gb/s"])):
            self.assertEqual(said(40e9, 80e9, scenario="testbed", **with_experiment({}, experiment)), expected)
