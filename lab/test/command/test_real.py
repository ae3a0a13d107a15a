# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run with the real programs; skipped where they are not built."""
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

from support import RCC, ROOT, TELL, RccTest

BUILD = os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build")
WALL = {"wall_s", "peak_rss_bytes"}  # the keys that may differ between two runs of one seed
TINY = ["--flows=8", "--time=5ms", "--start=1ms", "--no-plots"]

# (arguments after `run incast`, a part of the one line on stderr; compared without regard to case)
REFUSED = [
    ("--cc=dcqcm", "dcqcn"),
    ("--cc=dcqcn,nope", "nope"),
    ("--preset=papr", "paper"),
    ("--preset=", "preset"),
    ("--set dcqcn.nope=1", "nope"),
    ("--set nope.g=1", "nope"),
    ("--set dcqcn.g", "dcqcn.g"),
    ("--set dcqcn.g=", "dcqcn.g"),
    ("--set dcqcn.g=abc", "abc"),
    ("--set dcqcn.g=2", "dcqcn.g"),
    ("--set g=0.5", "g=0.5"),
    ("--flows=0", "flows"),
    ("--flows=-1", "flows"),
    ("--flows=many", "many"),
    ("--flows=1.5", "1.5"),
    ("--flows=99999999999999999999", "flows"),
    ("--flows=4000000000", "flows"),
    ("--flows=", "flows"),
    ("--senders=0", "senders"),
    ("--senders=-3", "senders"),
    ("--senders=x", "senders"),
    ("--senders=1000000", "senders"),
    ("--rate=0", "rate"),
    ("--rate=0Gbps", "rate"),
    ("--rate=-40Gbps", "rate"),
    ("--rate=40", "rate"),
    ("--rate=40Gbs", "rate"),
    ("--rate=40parsecs", "rate"),
    ("--rate=nan", "rate"),
    ("--rate=1e300Gbps", "rate"),
    ("--rate=40000Tbps", "rate"),
    ("--delay=-1us", "delay"),
    ("--delay=1", "delay"),
    ("--delay=1parsec", "delay"),
    ("--delay=1000s", "delay"),
    ("--time=0", "time"),
    ("--time=0s", "time"),
    ("--time=-1s", "time"),
    ("--time=inf", "time"),
    ("--time=soon", "time"),
    ("--time=1e30s", "time"),
    ("--start=-1s", "start"),
    ("--start=x", "start"),
    ("--start=0.6s", "start"),
    ("--window=0.1s", "window"),
    ("--window=", "window"),
    ("--window=x-0.2s", "window"),
    ("--window=0.1s-x", "window"),
    ("--window=0.2s-0.1s", "window"),
    ("--window=0.1s-0.1s", "window"),
    ("--window=-1ms-0.1s", "window"),
    ("--window=0.1s-0.7s", "--time"),
    ("--window=0.1-0.2", "window"),
    ("--receiver-rate=0", "receiver-rate"),
    ("--receiver-rate=10", "receiver-rate"),
    ("--receiver-rate=x", "receiver-rate"),
    ("--seed=-1", "seed"),
    ("--seed=x", "seed"),
    ("--kmin=-1KB", "kmin"),
    ("--kmin=5parsecs", "kmin"),
    ("--kmin=300KB --kmax=200KB", "kmin"),
    ("--kmax=0", "kmax"),
    ("--pmax=2", "pmax"),
    ("--pmax=-0.1", "pmax"),
    ("--pmax=x", "pmax"),
    ("--buffer=0", "buffer"),
    ("--buffer=1KB", "buffer"),
    ("--buffer=x", "buffer"),
    ("--mtu=0", "mtu"),
    ("--mtu=-1", "mtu"),
    ("--mtu=1000000", "mtu"),
    ("--ack-every=0", "ack-every"),
    ("--ack-every=-1", "ack-every"),
    ("--size=-1", "size"),
    ("--size=x", "size"),
]


# Words that `run capacity` refuses.
CAPACITY_REFUSED = [
    ("--senders=0", "senders"),
    ("--senders=65", "senders"),
    ("--senders=x", "senders"),
    ("--capacity=", "capacity"),
    ("--capacity=0.95Gbps", "capacity"),
    ("--capacity=1s:0.95Gbps", "0s"),
    ("--capacity=0s:0.95Gbps --capacity=0s:1Gbps", "capacity"),
    ("--capacity=0s:0.95Gbps --capacity=2s:1Gbps --capacity=1s:1Gbps", "1s:1gbps"),
    ("--capacity=0s:0.95Gbps,12s:0.2Gbps", "--time"),
    ("--capacity=0s:2Gbps", "--rate"),
    ("--capacity=0s:0Gbps", "0s:0gbps"),
    ("--capacity=0s:fast", "0s:fast"),
    ("--capacity=x:1Gbps", "x:1gbps"),
    ("--rtt=-1us", "rtt"),
    ("--rtt=2s", "rtt"),
    ("--attr=RdmaNic.BucketSize=1000,RdmaNic.BucketDebt=false", "rdmanic.bucketsize=1000"),
    ("--attr=RdmaNic.BucketSize=x", "rdmanic.bucketsize=x"),
    ("--attr=RdmaNic.BucketInterval=0s", "bucketinterval"),
    ("--attr=RdmaNic.BucketDebt=both", "true or false"),
    ("--buffer=1KB", "buffer"),
    ("--cc=qcn,dcqcn --preset=netfpga-1g", "netfpga-1g"),
    ("--start=10s", "start"),
]


@unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-run"), os.X_OK), "the programs are not built")
class Real(RccTest):
    def test_refused(self):
        for scenario, line, fragment in [("incast", *row) for row in REFUSED] + \
                [("capacity", *row) for row in CAPACITY_REFUSED]:
            with self.subTest(f"{scenario} {line}"):
                shutil.rmtree(self.path("out"), ignore_errors=True)  # one failure must not look like many
                done = self.rcc("run", scenario, "--no-plots", *line.split())
                self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
                self.assertEqual(done.stdout, "")
                lines = done.stderr.splitlines()
                self.assertEqual(len(lines), 1, done.stderr)
                self.assertTrue(lines[0].startswith("rcc: error: "), lines[0])
                self.assertIn(fragment.lower(), lines[0].lower())
                self.assertFalse(os.path.exists(self.path("out")))

    def run_tiny(self, folder, *args):
        done = self.rcc("run", "incast", *TINY, f"--out={folder}", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
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
                with open(self.path("tiny", run["cc"], "flows.csv"), encoding="utf-8", newline="") as f:
                    flows = list(csv.DictReader(f))
                self.assertEqual(len(flows), 8)
                # flows count payload; bytes_delivered counts what was on the wire
                self.assertEqual(sum(int(flow["delivered_bytes"]) for flow in flows), 1000 * run["packets_delivered"])
                self.assertGreater(run["bytes_delivered"], 1000 * run["packets_delivered"])

    def test_finite_flows_end(self):
        for run in self.run_tiny("finite", "--size=100KB")["runs"]:
            with self.subTest(run["cc"]):
                self.assertEqual(run["fct"]["count"], 8)
                with open(self.path("finite", run["cc"], "flows.csv"), encoding="utf-8", newline="") as f:
                    for flow in csv.DictReader(f):
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
        rows = list(csv.DictReader(self.read("early", "dcqcn", "rate.csv").splitlines()))
        inside = [float(row["delivered_bps"]) for row in rows if 0.001 < float(row["time_s"]) <= 0.002]
        self.assertAlmostEqual(sum(inside) / len(inside) / 10e9, early["utilization"], delta=0.002)

    def test_capacity_phases(self):
        done = self.rcc("run", "capacity", "--no-plots", "--senders=2", "--time=0.3s", "--capacity=0s:0.9Gbps",
                        "--capacity=0.1s:0.5Gbps")
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(self.read("out", "capacity", "summary.json"))["runs"][0]
        self.assertEqual((run["preset"], run["pfc_limit_bytes"], run["pfc"]["pauses"]), ("netfpga-1g", None, 0))
        self.assertEqual([(p["from_s"], p["to_s"], p["rate_bps"]) for p in run["phases"]],
                         [(0, 0.1, 9e8), (0.1, 0.3, 5e8)])
        rows = list(csv.DictReader(self.read("out", "capacity", "qcn", "utilization.csv").splitlines()))
        for phase in run["phases"]:
            inside = [float(row["utilization"]) for row in rows
                      if phase["from_s"] + 1e-9 < float(row["time_s"]) <= phase["to_s"] + 1e-9]
            step = float(rows[1]["time_s"]) - float(rows[0]["time_s"])   # the rows begin with the first flow
            self.assertAlmostEqual(sum(inside) * step / (phase["to_s"] - phase["from_s"]), phase["utilization"], delta=0.001)
            self.assertLess(phase["settled"]["mean_queue_bytes"], 150_000)

    def test_interrupt_keeps_a_partial_result(self):
        self.wrap("rcc-run", TELL)
        process = subprocess.Popen([sys.executable, RCC, "run", "incast", "--no-plots", "--cc=dcqcn", "--time=60s"],
                                   cwd=self.scratch, env=self.environment(TRACE=self.path("trace")), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(process.kill)
        self.simulators()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("stopped early: dcqcn: interrupted after ", out)
        run = json.loads(self.read("out", "incast", "summary.json"))["runs"][0]
        self.assertIs(run["partial"], True)
        self.assertLess(run["sim_s"], 60)

    @unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-catalog"), os.X_OK), "rcc-catalog is not built")
    def test_catalog_lists_what_runs(self):
        text = self.rcc("algorithms").stdout
        for name in ("dcqcn", "dcqcn-plus", "qcn"):
            self.assertIn(name, text)
            self.assertEqual(self.rcc("algorithms", name).returncode, 0)


if __name__ == "__main__":
    unittest.main()
