# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Five switches in a ring, hosts that send to the next but one, 80 flows, switches that mark: PFC stops for ever under each of these
algorithms. It is announced before the run, found during it, and there is none with up-down routes."""
import json
import unittest

from support import RccTest, needs_programs, program

LINKS = [(i, 5 + i) for i in range(5)] + [(5 + i, 5 + (i + 1) % 5) for i in range(5)]
FLOWS = [(i % 5, (i + 2) % 5) for i in range(80)]
COMMON = "ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nSIMULATOR_STOP_TIME 0.005\n"
FILES = {
    "topology.txt": "10 5 10\n5 6 7 8 9\n" + "".join(f"{a} {b} 40Gbps 1us 0\n" for a, b in LINKS),
    "original-flows.txt": "80\n" + "".join(f"{a} {b} 3 100000 0 9.5\n" for a, b in FLOWS),
    "hpcc-flows.txt": "80\n" + "".join(f"{a} {b} 3 100 100000000 0\n" for a, b in FLOWS),
    "trace.txt": "0\n",
    # thresholds and parameters are the defaults of ns3-rdma: marking begins too late to keep the queues below PFC's threshold
    "original.txt": COMMON + "FLOW_FILE original-flows.txt\nPACKET_LEVEL_ECMP 0\nFLOW_LEVEL_ECMP 1\nPAUSE_TIME 5\nSEND_IN_CHUNKS 0\n",
    "hpcc.txt": COMMON + "FLOW_FILE hpcc-flows.txt\nTRACE_FILE trace.txt\nTRACE_OUTPUT_FILE mix.tr\nFCT_OUTPUT_FILE fct.txt\n"
                         "PFC_OUTPUT_FILE pfc.txt\nCC_MODE 1\nHAS_WIN 0\nBUFFER_SIZE 9\nENABLE_TRACE 0\nKMIN_MAP 1 40000000000 160\n"
                         "KMAX_MAP 1 40000000000 640\nPMAX_MAP 1 40000000000 0.2\n",
}
# (config, options, whether frames are marked)
STUCK = [
    ("original.txt", ["--cc=dcqcn"], True),
    ("hpcc.txt", ["--cc=timely"], False),
    ("hpcc.txt", ["--cc=none", "--buffer=16MB"], False),
    ("hpcc.txt", ["--cc=dcqcn-plus", "--buffer=1MB"], True),
]


@needs_programs
class Ring(RccTest):
    def program(self, config, *words):
        for name, text in FILES.items():
            self.put(name, text)
        done = program.run("ns3-rdma", [f"--config={config}", "--interval=20us", *words], self.scratch)
        return done, json.loads(done.stdout)

    def test_everything_stops(self):
        for config, words, marks in STUCK:
            with self.subTest(words):
                done, run = self.program(config, *words)
                self.assertEqual((done.returncode, run["partial"]), (3, True), done.stderr)
                self.assertIn("cyclic buffer dependency: PFC can stop for ever switch ", done.stderr)
                self.assertIn("PFC deadlock at ", done.stderr)
                self.assertEqual(len(run["deadlocks"][0]["ports"]), 5)
                self.assertLess(run["deadlocks"][0]["time_s"], 0.002)
                self.assertEqual(run["packets_marked"] > 0, marks)

    def test_not_with_up_down_routes(self):
        done, run = self.program("original.txt", "--cc=dcqcn", "--routing=up-down", "--time=3ms")
        self.assertEqual((done.returncode, run["partial"]), (0, False), done.stderr)
        self.assertNotIn("deadlock", done.stderr)
        self.assertNotIn("cyclic", done.stderr)


if __name__ == "__main__":
    unittest.main()
