# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""When a run of ./rcc ns3-rdma ends, what is under way then, and that its files speak of one instant; what PAUSE frames count."""
import csv
import json
import os
import unittest

from support import BUILD, RccTest, needs_programs, program

STAR = "4 1 3\n3\n0 3 40Gbps 1us 0\n1 3 40Gbps 1us 0\n2 3 40Gbps 1us 0\n"
TWO = "6 2 5\n4 5\n0 4 40Gbps 1us 0\n1 4 40Gbps 1us 0\n2 5 40Gbps 1us 0\n3 5 40Gbps 1us 0\n4 5 10Gbps 5us 0\n"
CONFIG = ("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nFLOW_LEVEL_ECMP 1\nPACKET_LEVEL_ECMP 0\nPACKET_PAYLOAD_SIZE 1000\n"
          "L2_ACK_INTERVAL 16\nKMIN 40\nKMAX 200\nPMAX 0.01\nSIMULATOR_STOP_TIME 2.01\n")
TCP = CONFIG + "TCP_FLOW_FILE tcp.txt\n"


@needs_programs
class Ends(RccTest):
    def run_files(self, config, flows, tcp="", topology=STAR, words=()):
        for name, text in (("config.txt", config), ("topology.txt", topology), ("flow.txt", flows), ("tcp.txt", tcp)):
            self.put(name, text)
        done = self.succeed("ns3-rdma", "config.txt", "--cc=dcqcn", "--no-plots", "--out=out", *words)
        self.stderr = done.stderr
        return json.loads(self.read("out", "dcqcn", "run.json"))

    def flow_rows(self, *folder):
        return list(csv.DictReader(self.read(*folder, "flows.csv").splitlines()))

    def test_tcp_flows_are_waited_for(self):
        """A TCP flow ends after the last RDMA flow; another, without an end, begins after it."""
        run = self.run_files(TCP, "1\n0 1 3 10 2 2.1\n", "2\n0 2 1 1000 2 2.1\n1 2 1 0 2.001 2.002\n")
        sized, endless = run["tcp"]
        self.assertEqual(sized["delivered_bytes"], 1000000)
        self.assertGreater(sized["fct_s"], 200e-6)
        self.assertGreater(endless["delivered_bytes"], 1000000)
        self.assertTrue(2.002 < run["sim_s"] < 2.009, run["sim_s"])
        self.assertEqual([text for text in run["warnings"] if "TCP" in text], [])

    def test_tcp_flows_that_do_not_end_are_told(self):
        flows = "5\n0 1 1 10 2 2.1\n0 2 1 1000000 2 2.1\n1 2 1 1000000 2 2.001\n1 0 1 10 2.5 2.6\n1 0 1 0 2.4 2.6\n"
        run = self.run_files(TCP, "1\n0 1 3 10 2 2.1\n", flows)
        self.assertEqual(run["sim_s"], 2.01)
        for text in ("2 of 5 TCP flows never started: the simulation ended at 2010ms, the first of them is for 2400ms",
                     "1 of 5 TCP flows did not end (still running when the simulation ended)",
                     "1 of 5 TCP flows did not end (cut off at the stop time of the flow)"):
            self.assertIn(text, run["warnings"])
            self.assertIn(f"rcc: warning: {text}\n", self.stderr)
        self.run_files(TCP, "1\n0 1 3 10 2 2.1\n", "1\n0 1 1 10 2 2.1\n")
        self.assertNotIn("TCP", self.stderr)

    def test_what_is_under_way_at_a_stop_arrives(self):
        """A flow is cut short, two without an end wait in a queue, and one stops before another flow's end."""
        cases = {"cut": "1\n0 2 3 1000 2 2.00005\n", "queue": "2\n0 2 3 0 2 2.0005\n1 2 3 0 2 2.0005\n",
                 "before": "2\n0 2 3 0 2 2.0005\n1 2 3 8000 2 2.1\n"}
        for name, flows in cases.items():
            with self.subTest(name):
                run = self.run_files(CONFIG, flows)
                self.assertEqual((run["packets_delivered"], run["packets_dropped"]), (run["packets_sent"], 0))
                rows = self.flow_rows("out", "dcqcn")
                self.assertEqual(sum(int(row["delivered_bytes"]) for row in rows), 1000 * run["packets_delivered"])
                self.assertEqual(run["incomplete"], 1 if name == "cut" else 0)
                self.assertLess(run["sim_s"], 2.004)

    def test_what_is_lost_is_not_waited_for(self):
        run = self.run_files(CONFIG + "ERROR_RATE_PER_LINK 0.01\n", "2\n0 2 3 0 2 2.0005\n1 2 3 0 2 2.0005\n")
        self.assertGreater(run["frames_lost"], 0)
        self.assertLess(run["packets_delivered"], run["packets_sent"])
        self.assertLess(run["sim_s"], 2.001)
        delivered = sum(int(row["delivered_bytes"]) for row in self.flow_rows("out", "dcqcn"))
        self.assertEqual(delivered, 1000 * run["packets_delivered"])

    def test_what_is_stuck_is_not_waited_for_beyond_the_end(self):
        self.put("faults.txt", "pause host=2 at=2000010us\n")
        run = self.run_files(CONFIG, "1\n0 2 3 1000 2 2.00005\n", words=("--faults=faults.txt",))
        self.assertEqual(run["sim_s"], 2.01)
        self.assertLess(run["packets_delivered"], run["packets_sent"])
        endless = CONFIG.replace("SIMULATOR_STOP_TIME 2.01", "SIMULATOR_STOP_TIME 1000000")
        run = self.run_files(endless, "1\n0 2 3 1000 2 2.00005\n", words=("--faults=faults.txt",))
        self.assertGreater(run["sim_s"], 2.1)
        self.assertLess(run["sim_s"], 2.12)

    @unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-run-ranks"), os.X_OK), "the program for ranks is not built")
    def test_ranks_end_with_the_same_bytes(self):
        tcp = "2\n1 3 1 300 2 2.1\n3 0 1 0 2.0002 2.0004\n"
        self.run_files(TCP, "3\n0 2 3 0 2 2.0005\n1 2 3 0 2 2.0005\n3 1 3 400 2 2.1\n", tcp, TWO)
        runs = {}
        for ranks in (1, 2):
            done = program.run("ns3-rdma", ["--config=config.txt", "--cc=dcqcn", f"--out=r{ranks}"], self.scratch, ranks)
            self.assertEqual(done.returncode, 0, done.stderr)
            run = json.loads(self.read(f"r{ranks}", "run.json"))
            runs[ranks] = [{k: v for k, v in run.items() if k not in ("wall_s", "peak_rss_bytes")}, self.flow_rows(f"r{ranks}")]
        self.assertEqual(runs[1], runs[2])
        self.assertEqual(runs[1][0]["packets_delivered"], runs[1][0]["packets_sent"])


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
            self.put(name, text)
        for control in ("false", "true"):
            self.succeed("ns3-rdma", "config.txt", "--cc=none", f"--attr=QbbNetDevice.LinkPause={control}", "--no-plots", "--out=out")
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
        for control, pause in (("pfc", "false"), ("pause", "true")):
            self.succeed("run", "testbed", "--cc=none", f"--attr=QbbNetDevice.LinkPause={pause}", f"--out={control}", *words)
            port = json.loads(self.read(control, "none", "run.json"))["ports"][0]
            rows = list(csv.DictReader(self.read(control, "none", "ports.csv").splitlines()))
            last = [int(row["pauses"]) for row in rows if row["port"] == "a>b"][-1]
            counts[control] = (port["name"], port["pauses_received"], last, port["paused_s"])
        self.assertGreater(counts["pfc"][1], 10)
        self.assertEqual(counts["pause"], counts["pfc"])


if __name__ == "__main__":
    unittest.main()
