# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run fan-in with the real program: what it refuses, its files, and the claims of IBM RZ 3880 (lab/doc/fan-in.md)."""
import csv
import json
import os
import unittest

from support import ROOT, RccTest, program

BUILD = os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build")
WALL = {"wall_s", "peak_rss_bytes"}  # the keys that may differ between two runs of one seed
VICTIM = "--flows=0:5:3Gbps,1:5,2:5,3:5,0:6:7Gbps --time=100ms"  # f6 of the report is flow 4

# (arguments after `run fan-in`, a part of the one line on stderr; compared without regard to case)
REFUSED = [
    ("--cp=input", "none, outputs, inputs, both"),
    ("--cp=Inputs", "cp"),
    ("--sampling=occupancy", "arrival, deterministic, random"),
    ("--attr=CioqSwitch.KeepAlive=true", "sampling"),
    ("--attr=CioqSwitch.KeepAlive=true --sampling=arrival", "sampling"),
    ("--cc=dcqcn", "dcqcn"),
    ("--cc=qcn --preset=ibm", "ibm-10g"),
    ("--flows=0", "src:dst"),
    ("--flows=0:1:2Gbps:0s:1ms:x", "src:dst"),
    ("--flows=0:5,,1:5", "src:dst"),
    ("--flows=0:8", "0 to 7"),
    ("--flows=-1:5", "'-1'"),
    ("--flows=a:5", "'a'"),
    ("--flows=3:3", "same port"),
    ("--flows=0:5:fast", "'fast'"),
    ("--flows=0:5:1bps", "'1bps'"),
    ("--flows=0:5::400ms", "'400ms'"),
    ("--flows=0:5::-1ms", "'-1ms'"),
    ("--flows=0:5::20ms:10ms", "'10ms'"),
    ("--capacity=5:1ms", "port:time:rate"),
    ("--capacity=8:1ms:1Gbps", "0 to 7"),
    ("--capacity=5:x:1Gbps", "'x'"),
    ("--capacity=5:1ms:20Gbps", "'20gbps'"),
    ("--capacity=5:1ms:0bps", "'0bps'"),
    ("--hosts=1", "hosts"),
    ("--hosts=100000", "hosts"),
    ("--window=50ms", "from-to"),
    ("--window=50ms-40ms", "window"),
    ("--window=0s-301ms", "window"),
    ("--attr=CioqSwitch.Speedup=0.9", "speedup"),
    ("--attr=CioqSwitch.Latency=-1us", "latency"),
    ("--attr=CioqSwitch.CnmDelay=x", "cnmdelay"),
    ("--attr=CioqSwitch.StopThreshold=44000", "gothreshold"),
    ("--attr=CioqSwitch.StopThreshold=149000", "inputbuffer"),
    ("--attr=CioqSwitch.InputBuffer=100000", "inputbuffer"),
    ("--attr=CioqSwitch.OutputBuffer=1000", "outputbuffer"),
    ("--delay=100us", "inputbuffer"),
    ("--rate=0bps", "rate"),
]
NAMED = [   # the switch knows its attributes only; what is refused has the name that was given
    ("--cc=qcn,none --cp=outputs", "--cp=outputs needs an algorithm whose congestion point sends CNMs, such as qcn, not none"),
    ("--cc=none", "--cp=inputs needs an algorithm"), ("--cc=dcqcn --cp=both", "--cp=both needs an algorithm"),
    ("--cc=none --attr=CioqSwitch.CongestionPoints=Both", "CongestionPoints Both need an algorithm"),
    ("--attr=CioqSwitch.KeepAlive=true", "KeepAlive samples while no frame arrives: it needs --sampling=deterministic or random"),
]


@unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-run"), os.X_OK), "the programs are not built")
class FanIn(RccTest):
    def test_refused(self):
        for line, fragment in REFUSED + NAMED:
            with self.subTest(line):
                done = self.rcc("run", "fan-in", "--no-plots", *line.split())
                self.assert_refused(done, "")
                self.assertIn(fragment.lower(), done.stderr.lower())

    def test_ports_of_a_switch_that_is_not_the_last_node(self):
        """buffers.csv has the ports by which flows come and go, whatever numbers their hosts have."""
        done = program.run("experiment", ["--cioq", "--links=h[0-4]-s0", "--flows=h[0-2]-h4", "--cc=qcn", "--rate=10Gbps", "--time=2ms",
                                          "--out=out"], self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("out", "buffers.csv"), encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual({row["port"] for row in rows}, {"0", "1", "2", "4"})
        self.assertLess(max(int(row["input_bytes"]) for row in rows), 9_000_000)

    def run_fan_in(self, folder, line):
        done = self.rcc("run", "fan-in", "--no-plots", f"--out={folder}", *line.split())
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(self.read(folder, "summary.json"))["runs"][0]
        self.assertEqual(run["packets_dropped"], 0)
        return run

    def test_a_short_run(self):
        """The times of the default --flows shrink with --time, and its ports do not."""
        done = self.rcc("run", "fan-in", "--no-plots", "--time=30ms", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: --flows is 0:5,1:5,2:5,3:5,4:5::10ms:20ms here", done.stderr)
        self.assertEqual(json.loads(done.stdout)["runs"][0]["flows"], 5)

    def rows(self, folder, name):
        with open(self.path(folder, "qcn", name), encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f))

    def test_files(self):
        run = self.run_fan_in("files", "--flows=0:2,1:2:4Gbps:2ms:6ms --time=10ms --window=3ms-5ms")
        self.assertEqual([(f["flow"], f["src"], f["dst"]) for f in run["per_flow"]], [(0, 0, 2), (1, 1, 2)])
        self.assertEqual(run["per_flow_window_s"], [0.003, 0.005])
        self.assertAlmostEqual(run["per_flow"][1]["mean_bps"] / 4e9, 1, delta=0.01)
        self.assertGreaterEqual(run["stops"], 0)
        flows, buffers = self.rows("files", "flow_arrivals.csv"), self.rows("files", "buffers.csv")
        self.assertEqual(list(flows[0]), ["time_s", "flow", "arrival_bps", "limit_bps"])
        self.assertEqual(list(buffers[0]), ["time_s", "port", "input_bytes", "output_bytes", "stopped"])
        self.assertEqual(len(buffers), 3 * 19)  # every 0.5 ms, before the end
        of_second = [float(row["time_s"]) for row in flows if row["flow"] == "1"]
        self.assertEqual((min(of_second), max(of_second)), (0.002, 0.006))
        for row in buffers:
            self.assertLessEqual(max(int(row["input_bytes"]), int(row["output_bytes"])), 150_000)

    def test_same_seed_same_bytes_other_seed_not(self):
        line = "--flows=0:2,1:2,3:2 --time=40ms --cp=both --sampling=random --seed="
        one, two, three = (self.run_fan_in(name, line + seed) for name, seed in (("a", "7"), ("b", "7"), ("c", "8")))
        self.assertEqual({k: v for k, v in one.items() if k not in WALL},
                         {k: v for k, v in two.items() if k not in WALL})
        for name in ("flow_arrivals.csv", "buffers.csv"):
            self.assertEqual(self.read("a", "qcn", name), self.read("b", "qcn", name))
            self.assertNotEqual(self.read("a", "qcn", name), self.read("c", "qcn", name))
        self.assertNotEqual(one["events"], three["events"])

    def test_congestion_points_at_inputs_are_fair(self):
        """Figure 2: 2.5 Gb/s for four flows, 2.0 for five, within 5 %; at outputs somebody is far from it."""
        for seed in ("1", "2"):
            for window, flows in (("50ms-100ms", 4), ("150ms-200ms", 5)):
                inputs = self.run_fan_in("in", f"--cp=inputs --window={window} --seed={seed}")["per_flow"][:flows]
                outputs = self.run_fan_in("out", f"--cp=outputs --window={window} --seed={seed}")["per_flow"][:flows]
                fair = 10e9 / flows
                self.assertLess(max(abs(f["mean_bps"] / fair - 1) for f in inputs), 0.05)
                self.assertGreater(max(abs(f["mean_bps"] / fair - 1) for f in outputs), 0.10)

    def test_occupancy_sampling_spares_the_victim(self):
        """Figure 5: 7 Gb/s for f6, which no deterministic and few random notifications reach; arrivals pull it down."""
        for sampling, most in (("deterministic", 0), ("random", 20)):
            victim = self.run_fan_in("os", f"--sampling={sampling} {VICTIM}")["per_flow"][4]
            self.assertAlmostEqual(victim["mean_bps"] / 7e9, 1, delta=0.05)
            self.assertLessEqual(victim["cnms"], most)
        self.assertLess(self.run_fan_in("as", VICTIM)["per_flow"][4]["mean_bps"], 3.5e9)
        paused = self.run_fan_in("pause", f"--cp=none {VICTIM}")["per_flow"]
        self.assertAlmostEqual(paused[4]["mean_bps"] / paused[0]["mean_bps"], 7 / 3, delta=0.1)

    def slow_for(self, name, line):
        """Seconds after the capacity fell to 1 Gb/s until the limit is below 1.2 Gb/s."""
        self.run_fan_in(name, f"--flows=0:5 --capacity=5:10ms:1Gbps --sampling=random --time=200ms {line}")
        return next(float(r["time_s"]) - 0.01 for r in self.rows(name, "flow_arrivals.csv")
                    if float(r["time_s"]) > 0.01 and float(r["limit_bps"]) < 1.2e9)

    def test_keep_alive_converges_as_outputs_do(self):
        """Figure 6: outputs and inputs with keep-alive within 15 ms or so, the others several times as slow."""
        quick = max(self.slow_for("out", "--cp=outputs"), self.slow_for("alive", "--cp=inputs --attr=CioqSwitch.KeepAlive=true"))
        slow = min(self.slow_for("in", "--cp=inputs"), self.slow_for("rd", "--cp=outputs --attr=CioqSwitch.Reliable=true"))
        self.assertLess(quick, 0.025)
        self.assertGreater(slow, 2 * quick)


if __name__ == "__main__":
    unittest.main()
