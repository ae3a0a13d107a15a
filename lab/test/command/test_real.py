# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run with the real programs; skipped where they are not built."""
import json
import os
import re
import shutil
import unittest

from support import RccTest, needs_programs

WALL = {"wall_s", "peak_rss_bytes"}  # the keys that may differ between two runs of one seed
TINY = ["--flows=8", "--time=5ms", "--start=1ms", "--no-plots"]

# Options that a scenario refuses: the one line on stderr names the option, whose case does not count
OF_OPTIONS = {
    "incast": """
        --preset=
        --set dcqcn.g --set dcqcn.g= --set dcqcn.g=2
        --flows=0 --flows=-1 --flows=99999999999999999999 --flows=4000000000 --flows=
        --senders=0 --senders=-3 --senders=x --senders=1000000
        --rate=0 --rate=0Gbps --rate=-40Gbps --rate=40 --rate=40Gbs --rate=40parsecs --rate=nan --rate=1e300Gbps --rate=40000Tbps
        --delay=-1us --delay=1 --delay=1parsec --delay=1000s
        --time=0 --time=0s --time=-1s --time=inf --time=soon --time=1e30s --start=-1s --start=x --start=0.6s
        --window=0.1s --window= --window=x-0.2s --window=0.1s-x --window=0.2s-0.1s --window=0.1s-0.1s --window=-1ms-0.1s --window=0.1-0.2
        --receiver-rate=0 --receiver-rate=10 --receiver-rate=x --seed=-1 --seed=x
        --kmin=-1KB --kmin=5parsecs --kmax=0 --pmax=2 --pmax=-0.1 --pmax=x --buffer=0 --buffer=1KB --buffer=x
        --mtu=0 --mtu=-1 --mtu=1000000 --ack-every=0 --ack-every=-1 --size=-1 --size=x""",
    "capacity": """
        --senders=0 --senders=65 --senders=x --capacity= --capacity=0.95Gbps --rtt=-1us --rtt=2s --buffer=1KB --start=10s"""}
# (scenario, words, what the line has)
REFUSED = [(scenario, line.strip(), line.split("=")[0].split()[-1]) for scenario, lines in OF_OPTIONS.items()
           for line in re.findall(r"--\S+(?: [^-\s]\S*)?", lines)]
REFUSED += [("incast", *row) for row in (
    ("--cc=dcqcm", "dcqcn"), ("--cc=dcqcn,nope", "nope"), ("--preset=papr", "paper"), ("--set dcqcn.nope=1", "nope"),
    ("--set nope.g=1", "nope"), ("--set dcqcn.g=abc", "abc"), ("--set g=0.5", "g=0.5"), ("--flows=many", "many"), ("--flows=1.5", "1.5"),
    ("--window=0.1s-0.7s", "--time"), ("--kmin=300KB --kmax=200KB", "kmin"))] + [("capacity", *row) for row in (
        ("--capacity=1s:0.95Gbps", "0s"), ("--capacity=0s:0.95Gbps --capacity=0s:1Gbps", "capacity"),
        ("--capacity=0s:0.95Gbps --capacity=2s:1Gbps --capacity=1s:1Gbps", "1s:1gbps"), ("--capacity=0s:0.95Gbps,12s:0.2Gbps", "--time"),
        ("--capacity=0s:2Gbps", "--rate"), ("--capacity=0s:0Gbps", "0s:0gbps"), ("--capacity=0s:fast", "0s:fast"),
        ("--capacity=x:1Gbps", "x:1gbps"), ("--attr=RdmaNic.BucketSize=1000,RdmaNic.BucketDebt=false", "rdmanic.bucketsize=1000"),
        ("--attr=RdmaNic.BucketSize=x", "rdmanic.bucketsize=x"), ("--attr=RdmaNic.BucketInterval=0s", "bucketinterval"),
        ("--attr=RdmaNic.BucketDebt=both", "true or false"), ("--cc=qcn,dcqcn --preset=netfpga-1g", "netfpga-1g"))]


@needs_programs
class Real(RccTest):
    def test_refused(self):
        for scenario, line, fragment in REFUSED:
            with self.subTest(f"{scenario} {line}"):
                shutil.rmtree(self.path("out"), ignore_errors=True)  # one failure must not look like many
                done = self.rcc("run", scenario, "--no-plots", *line.split())
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                said, = done.stderr.lower().splitlines()
                self.assertTrue(said.startswith("rcc: error: "), said)
                self.assertIn(fragment.lower().lstrip("-"), said)
                self.assertFalse(os.path.exists(self.path("out")))

    def run_tiny(self, folder, *args):
        self.succeed("run", "incast", *TINY, f"--out={folder}", *args)
        return json.loads(self.read(folder, "summary.json"))

    def test_tiny_run_conserves_packets(self):
        for run in self.run_tiny("tiny")["runs"]:
            with self.subTest(run["cc"]):
                self.assertGreater(run["packets_delivered"], 1000)
                in_flight = run["packets_sent"] - run["packets_delivered"] - run["packets_dropped"]
                self.assertGreaterEqual(in_flight, 0)
                # packets under way fit into the switch's buffer and the links
                self.assertLess(in_flight, 9_000_000 / 1000 + 1000)
                self.assertEqual(run["packets_dropped"], 0)
                # a frame that is leaving at an end of the window counts in whole bytes: two of 20 MB
                self.assertLessEqual(run["utilization"], 1 + 1e-6)
                self.assertIs(run["partial"], False)
                flows = self.rows("tiny", run["cc"], "flows.csv")
                self.assertEqual(len(flows), 8)
                # flows count payload; bytes_delivered counts what was on the wire
                self.assertEqual(sum(int(flow["delivered_bytes"]) for flow in flows), 1000 * run["packets_delivered"])
                self.assertGreater(run["bytes_delivered"], 1000 * run["packets_delivered"])

    def test_finite_flows_end(self):
        for run in self.run_tiny("finite", "--size=100KB")["runs"]:
            with self.subTest(run["cc"]):
                self.assertEqual(run["fct"]["count"], 8)
                for flow in self.rows("finite", run["cc"], "flows.csv"):
                    self.assertEqual(int(flow["delivered_bytes"]), 100_000)
                    self.assertGreater(float(flow["fct_s"]), 0)

    def test_same_seed_same_bytes_other_seed_not(self):
        first, again, other = (self.run_tiny(name, f"--seed={seed}") for name, seed in (("a", 7), ("b", 7), ("c", 8)))
        for one, two, three in zip(first["runs"], again["runs"], other["runs"]):
            with self.subTest(one["cc"]):
                self.assertEqual({k: v for k, v in one.items() if k not in WALL},
                                 {k: v for k, v in two.items() if k not in WALL})
                for name in ("queue.csv", "rate.csv", "flow_rates.csv", "flows.csv"):
                    self.assertEqual(self.read("a", one["cc"], name), self.read("b", one["cc"], name))
                self.assertNotEqual(self.read("a", one["cc"], "flows.csv"), self.read("c", one["cc"], "flows.csv"))
                self.assertNotEqual(one["events"], three["events"])

    def test_columns_of_the_series(self):
        self.run_tiny("cols", "--cc=dcqcn")
        for name, header in (("queue.csv", "time_s,mean_bytes,max_bytes"), ("rate.csv", "time_s,sent_bps,delivered_bps"),
                             ("flow_rates.csv", "time_s,flow,rate_bps,target_bps,alpha"),
                             ("flows.csv", "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s")):
            self.assertEqual(self.read("cols", "dcqcn", name).splitlines()[0], header)

    def test_window_and_receiver_rate(self):
        args = ["--cc=dcqcn", "--rate=100Gbps", "--receiver-rate=10Gbps"]
        whole = self.run_tiny("whole", *args, "--window=0s-5ms")["runs"][0]
        half = self.run_tiny("half", *args, "--window=2.5ms-5ms")["runs"][0]
        default = self.run_tiny("default", *args)["runs"][0]
        early = self.run_tiny("early", *args, "--window=1ms-2ms")["runs"][0]
        self.assertEqual(whole["rate_bps"], 100e9)
        self.assertEqual(whole["bottleneck_bps"], 10e9)
        self.assertEqual([run["window_s"] for run in (whole, half, early)],
                         [[0, 0.005], [0.0025, 0.005], [0.001, 0.002]])
        for key in ("queue", "utilization", "send_utilization", "jain"):
            self.assertEqual(half[key], default[key], key)
        self.assertGreater(half["utilization"], 0.9)
        self.assertNotEqual(early["queue"], half["queue"])
        # bytes delivered in the window, against the series of the same run
        rows = self.rows("early", "dcqcn", "rate.csv")
        inside = [float(row["delivered_bps"]) for row in rows if 0.001 < float(row["time_s"]) <= 0.002]
        self.assertAlmostEqual(sum(inside) / len(inside) / 10e9, early["utilization"], delta=0.002)

    def test_capacity_phases(self):
        self.succeed("run", "capacity", "--no-plots", "--senders=2", "--time=0.3s", "--capacity=0s:0.9Gbps",
                     "--capacity=0.1s:0.5Gbps")
        run = json.loads(self.read("out", "capacity", "summary.json"))["runs"][0]
        self.assertEqual((run["preset"], run["pfc_limit_bytes"], run["pfc"]["pauses"]), ("netfpga-1g", None, 0))
        self.assertEqual([(p["from_s"], p["to_s"], p["rate_bps"]) for p in run["phases"]],
                         [(0, 0.1, 9e8), (0.1, 0.3, 5e8)])
        rows = self.rows("out", "capacity", "qcn", "utilization.csv")
        for phase in run["phases"]:
            inside = [float(row["utilization"]) for row in rows
                      if phase["from_s"] + 1e-9 < float(row["time_s"]) <= phase["to_s"] + 1e-9]
            step = float(rows[1]["time_s"]) - float(rows[0]["time_s"])   # the rows begin with the first flow
            self.assertAlmostEqual(sum(inside) * step / (phase["to_s"] - phase["from_s"]), phase["utilization"], delta=0.001)
            self.assertLess(phase["settled"]["mean_queue_bytes"], 150_000)


if __name__ == "__main__":
    unittest.main()
