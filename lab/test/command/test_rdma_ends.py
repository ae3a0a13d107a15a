# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""When a run of ./rcc ns3-rdma ends, what is under way then, and that its files speak of one instant; what PAUSE frames count."""
import csv
import json
import unittest

from support import RccTest, needs_programs


@needs_programs
class Pauses(RccTest):
    """A PAUSE frame stops and starts all classes of a link: one frame, one line, one pause."""

    def test_one_line_for_each_frame(self):
        hosts = 8
        config = ("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 1\nHAS_WIN 0\nSIMULATOR_STOP_TIME 2.01\nBUFFER_SIZE 1\n"
                  "PFC_OUTPUT_FILE pfc.txt\n")
        topology = f"{hosts + 2} 1 {hosts + 1}\n{hosts + 1}\n" + "".join(f"{i} {hosts + 1} 100Gbps 1us 0\n" for i in range(hosts + 1))
        flows = f"{hosts}\n" + "".join(f"{i} {hosts} 3 {100 + i} 1000000 2\n" for i in range(hosts))
        for name, text in (("config.txt", config), ("topology.txt", topology), ("flow.txt", flows)):
            with open(self.path(name), "w", encoding="utf-8") as f:
                f.write(text)
        for control in ("pfc", "pause"):
            done = self.rcc("ns3-rdma", "config.txt", "--cc=none", f"--flow-control={control}", "--no-plots", "--out=out")
            self.assertEqual(done.returncode, 0, done.stderr)
            paused = {}
            begun = 0
            for row in self.read("out", "none", "pfc.txt").splitlines():
                _, node, _, interface, on = map(int, row.split())
                self.assertEqual(paused.get((node, interface), 0), 1 - on, f"{control}: {row}")
                paused[node, interface] = on
                begun += on
            self.assertGreater(begun, hosts)
            self.assertLessEqual(begun, json.loads(self.read("out", "none", "run.json"))["pfc"]["pauses"], control)

    def test_a_port_counts_one_pause(self):
        words = ("--links=h[1-2]-a,a-b,h3-b:10Gbps", "--flows=h[1-2]-h3:size=300KB", "--buffer=100KB", "--time=2ms", "--record=a>b",
                 "--no-plots")
        counts = {}
        for control in ("pfc", "pause"):
            done = self.rcc("run", "testbed", "--cc=none", f"--flow-control={control}", f"--out={control}", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            port = json.loads(self.read(control, "none", "run.json"))["ports"][0]
            rows = list(csv.DictReader(self.read(control, "none", "ports.csv").splitlines()))
            last = [int(row["pauses"]) for row in rows if row["port"] == "a>b"][-1]
            counts[control] = (port["name"], port["pauses_received"], last, port["paused_s"])
        self.assertGreater(counts["pfc"][1], 10)
        self.assertEqual(counts["pause"], counts["pfc"])


if __name__ == "__main__":
    unittest.main()
