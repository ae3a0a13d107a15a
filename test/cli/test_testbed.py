# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run testbed, and the scenarios that are made of it: the notation of links and flows, what is refused, what is written."""
import csv
import json
import os
import unittest

from support import RccTest, needs_programs


@needs_programs
class Testbed(RccTest):

    def results(self, *words, scenario="testbed"):
        done = self.rcc("run", scenario, "--no-plots", f"--out={scenario}", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [name for name in os.listdir(self.path(scenario)) if os.path.isdir(self.path(scenario, name))]
        return {name: json.loads(self.read(scenario, name, "run.json")) for name in names}

    def rows(self, scenario, cc, name):
        with open(self.path(scenario, cc, name), encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f))

    def test_patterns(self):
        """One by one and all pairs give the groups that they say."""
        for flows, want in (("h[1-2]-h[3-4]", ["h1-h3", "h1-h4", "h2-h3", "h2-h4"]), ("h[1-2]=h[3-4]", ["h1-h3", "h2-h4"]),
                            ("h[1-4]=h[5-6]", ["h1-h5", "h2-h5", "h3-h6", "h4-h6"])):
            run = self.results("--links=h[1-6]-s1", f"--flows={flows}", "--time=200us")["dcqcn"]
            self.assertEqual([g["name"] for g in run["groups"]], want)

    def test_parallel_links_carry_queue_pairs(self):
        run = self.results("--links=h1-a,h2-b,a-b*4", "--flows=h1-h2:qps=64:size=1MB", "--record=a>b", "--time=1ms")["dcqcn"]
        ports = [p for p in run["ports"] if p["name"].startswith("a>b")]
        self.assertEqual([p["name"] for p in ports], ["a>b", "a>b#2", "a>b#3", "a>b#4"])
        self.assertTrue(all(p["tx_frames"] > 0 for p in ports), ports)
        self.assertEqual(run["groups"][0]["delivered_bytes"], 1_000_000)

    def test_a_message_at_a_time(self):
        """A round of 2 us there, 2 us back and 6 us of thought takes 10 us and the frames' time: 9 in 100 us."""
        run = self.results("--links=h[1-2]-s1", "--flows=h1-h2:size=1000B:messages=0:think=6us", "--time=100us",
                           "--window=1us-100us", "--rate=100Gbps")["dcqcn"]
        self.assertIn(run["groups"][0]["delivered_bytes"], (9000, 10000))

    def test_marks_are_counted_at_both_ends(self):
        run = self.results("--links=h[1-3]-s1", "--flows=h[1-2]-h3", "--set=dcqcn.mark_every=10", "--time=1ms")["dcqcn"]
        self.assertAlmostEqual(run["marked_by_switches"], run["packets_delivered"] / 10, delta=20)
        self.assertLess(run["first_mark_s"], 1e-4)
        self.assertEqual(run["parameters"]["mark_every"], "10")

    def test_a_default_rule_of_nics_is_not_listed(self):
        run = self.results("--links=h[1-3]-s1", "--flows=h[1-2]-h3", "--time=100us")["dcqcn"]
        self.assertFalse({"mark_every", "min_dec_fac", "first_cnp_rate"} & set(run["parameters"]))

    def test_parking_lot(self):
        """PFC alone: the sender in the receiver's rack has the most, or as much as the best of the others."""
        run = self.results("--cc=none", "--time=4ms", scenario="unfairness")["none"]
        rates = {g["name"]: g["mean_bps"] for g in run["groups"]}
        self.assertGreaterEqual(rates["h4-h5"], 0.95 * max(rates.values()))
        self.assertGreater(run["switch_pauses"], 0)
        self.assertEqual(run["packets_dropped"], 0)
        self.assertEqual({row["group"] for row in self.rows("unfairness", "none", "groups.csv")}, set(rates))

    def test_victim_and_long_haul(self):
        run = self.results("--cc=none", "--time=2ms", scenario="victim")["none"]
        self.assertEqual(len(run["groups"]), 7)
        self.assertEqual({row["port"] for row in self.rows("victim", "none", "ports.csv")}, {"t2>h9", "t4>h7"})
        run = self.results("--time=3ms", scenario="long-haul")["dcqcn"]
        self.assertEqual(run["parameters"]["min_dec_fac"], "0.95")
        self.assertGreater(run["packets_marked"], 0)

    def test_refused(self):
        for words, fragment in ((("--links=h1",), "expected A-B or A=B"), (("--links=h[3-1]-s1",), "expected ranges"),
                                (("--links=h1-s1*x",), "number of parallel links"), (("--links=h1-h1",), "to itself"),
                                (("--links=h1-h2",), "no switch"), (("--links=h[1-3]=s[1-2]",), "as many names"),
                                (("--flows=h1-h9",), "expected a host of --links"), (("--flows=h1-h5:colour=red",), "expected A-B"),
                                (("--flows=h1-h5:start=2ms:stop=1ms",), "stop after start"), (("--record=t9>h1",), "--record names")):
            self.assert_refused(self.rcc("run", "testbed", *words), fragment)


if __name__ == "__main__":
    unittest.main()
