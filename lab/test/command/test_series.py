# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The CSV series of a run follow what happens in it."""
import csv
import json
import os
import subprocess
import sys
import unittest

from support import ROOT, RccTest, needs_programs, scenario

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES


@needs_programs
class Series(RccTest):
    def simulate(self, name, *words):
        done = subprocess.run([*scenario(name, *words), f"--out={self.path('out')}"], cwd=self.scratch, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.read("out", "run.json"))

    def rows(self, name):
        return [{k: v if k in ("group", "port") else float(v) for k, v in row.items()}
                for row in csv.DictReader(self.read("out", name).splitlines())]

    def check_rows(self, first, last, least=1000):
        """1000 to 4000 rows of one interval from `first` to `last`. Returns the interval."""
        for name in ("queue.csv", "rate.csv"):
            times = [row["time_s"] for row in self.rows(name)]
            self.assertTrue(least <= len(times) <= 4000, f"{name} has {len(times)} rows")
            step = (times[-1] - times[0]) / (len(times) - 1)
            for before, after in zip(times, times[1:]):
                self.assertAlmostEqual(after - before, step, delta=1e-8 * after + 1e-12)
            self.assertAlmostEqual(times[0], first, delta=1.1 * step + 1e-8)
            self.assertAlmostEqual(times[-1], last, delta=1.1 * step + 1e-8)
        return step

    def test_a_run_of_40_us(self):
        run = self.simulate("incast", "--flows=1", "--senders=1", "--start=0s", "--size=170KB")
        self.assertLess(run["sim_s"], 50e-6)
        step = self.check_rows(0, run["sim_s"])
        self.assertAlmostEqual(sum(row["sent_bps"] for row in self.rows("rate.csv")) * step / 8, 170 * 1062, delta=1062)
        self.assertGreater(len(self.rows("flow_rates.csv")), 100)

    def test_round_trips(self):
        """With an ACK for each packet, and a window or none: alone twice two links and the time of a packet and its ACK, with others
        the queue more."""
        for cc in ("dctcp", "dcqcn"):
            means = {}
            for flows in ("1", "8"):
                out = f"rtt-{cc}-{flows}"
                done = self.rcc("run", "incast", f"--cc={cc}", f"--flows={flows}", "--rate=25Gbps", "--delay=1us", "--mtu=1000",
                                "--start=0s", "--ack-every=1", "--time=8ms", "--no-plots", f"--out={out}")
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(self.path(out, cc, "windows.csv"), encoding="utf-8", newline="") as f:
                    rows = [row for row in csv.DictReader(f) if float(row["time_s"]) > 4e-3]
                self.assertEqual({row["window_bytes"] == "0" for row in rows}, {cc == "dcqcn"})
                means[flows] = sum(float(row["rtt_s"]) for row in rows) / len(rows)
            self.assertAlmostEqual(means["1"], 4e-6 + 2 * (1062 + 84) * 8 / 25e9, delta=0.1e-6, msg=cc)
            queue = json.loads(self.read(f"rtt-{cc}-8", "summary.json"))["runs"][0]["queue"]["mean_bytes"]
            self.assertAlmostEqual(means["8"] - means["1"], queue * 8 / 25e9, delta=0.1 * queue * 8 / 25e9, msg=cc)

    def test_rows_that_merged(self):
        """Sums and maxima are those of the whole run, however often the interval has doubled."""
        run = self.simulate("incast", "--flows=16", "--size=2MB", "--rate=10Gbps", "--start=1ms", "--window=0s-0.4s")
        start = min(float(row["start_s"]) for row in csv.DictReader(self.read("out", "flows.csv").splitlines()))
        step = self.check_rows(start, run["sim_s"])
        self.assertGreater(step, 1e-6)
        sent = sum(row["sent_bps"] for row in self.rows("rate.csv")) * step / 8
        self.assertAlmostEqual(sent / (run["packets_sent"] * 1062), 1, delta=1e-3)
        self.assertEqual(max(row["max_bytes"] for row in self.rows("queue.csv")), run["queue"]["max_bytes"])

    def test_a_run_without_end(self):
        run = self.simulate("incast", "--flows=20", "--time=5ms", "--start=1ms")
        start = min(float(row["start_s"]) for row in csv.DictReader(self.read("out", "flows.csv").splitlines()))
        self.assertAlmostEqual(self.check_rows(start, run["sim_s"], 1600) * 1e9 % 1000, 0, delta=1e-3)

    def test_the_interval_that_was_asked_for(self):
        self.simulate("incast", "--flows=4", "--time=5ms", "--start=0s", "--interval=10us")
        self.assertEqual([round(row["time_s"] * 1e5, 6) for row in self.rows("queue.csv")], list(range(1, 501)))

    def test_files_that_begin_at_2_s(self):
        flows = FILES["racks-flows.txt"].splitlines()
        later = [flows[0]] + [" ".join(row.split()[:-1] + [f"{float(row.split()[-1]) + 2:.5f}"]) for row in flows[1:]]
        config = FILES["hpcc.txt"].replace("SIMULATOR_STOP_TIME 0.02", "SIMULATOR_STOP_TIME 3.01")
        for name, text in {**FILES, "hpcc.txt": config, "racks-flows.txt": "\n".join(later) + "\n"}.items():
            with open(self.path(name), "w", encoding="utf-8") as f:
                f.write(text)
        run = self.simulate("ns3-rdma", "--config=hpcc.txt")
        self.assertLess(run["sim_s"], 2.1)
        self.check_rows(2.001, run["sim_s"])
        self.assertGreater(sum(row["delivered_bps"] > 0 for row in self.rows("rate.csv")), 100)
        shown = [row["flow"] for row in self.rows("flow_rates.csv")]
        self.assertEqual(len(set(shown)), 16)
        self.assertGreaterEqual(min(shown.count(flow) for flow in set(shown)), 2)

    def test_short_flows_beside_a_long_one(self):
        self.simulate("testbed", "--time=20ms", "--links=h[1-3]-s1", "--flows=h1-h3,h2-h3:start=3ms:size=20KB")
        rows = [row for row in self.rows("flow_rates.csv") if row["flow"] == 1]
        self.assertGreaterEqual(len(rows), 2)
        self.assertTrue(all(0.003 <= row["time_s"] < 0.0031 for row in rows), rows)
        for name, label in (("groups.csv", "group"), ("ports.csv", "port")):
            table = self.rows(name)
            self.assertTrue(1000 <= len(table) / len({row[label] for row in table}) <= 4000, name)


if __name__ == "__main__":
    unittest.main()
