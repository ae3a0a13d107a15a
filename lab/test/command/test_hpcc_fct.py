# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Preset hpcc beside the simulator that it is named after: flow completion times of 160 flows.

hpcc_fct.csv has the flows and what that simulator (github.com/alibaba-edu/High-Precision-Congestion-Control, 9f4be2a, DCQCN without
window, RngRun 1 to 6, gcc 12) gave for them: web search at load 0.8 in the network that is written here."""
import bisect
import csv
import math
import os

from support import RccTest, needs_programs

HERE = os.path.dirname(os.path.abspath(__file__))
HOSTS, LEAVES = 32, 4
CONFIG = """\
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
SIMULATOR_STOP_TIME 4.00
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
L2_BACK_TO_ZERO 0
HAS_WIN 0
ENABLE_TRACE 0
KMAX_MAP 2 25000000000 400 100000000000 1600
KMIN_MAP 2 25000000000 100 100000000000 400
PMAX_MAP 2 25000000000 0.2 100000000000 0.2
BUFFER_SIZE 32
"""


def distance(a, b):
    """Kolmogorov and Smirnov's: the largest difference of two empirical distributions."""
    a, b = sorted(a), sorted(b)
    return max(abs(bisect.bisect_right(a, x) / len(a) - bisect.bisect_right(b, x) / len(b)) for x in (*a, *b))


def critical(n, m):
    """The distance that samples of n and m of one distribution pass in 5 % of the cases."""
    return math.sqrt(-math.log(0.05 / 2) / 2 * (n + m) / (n * m))


@needs_programs
class BesideThatSimulator(RccTest):
    def setUp(self):
        super().setUp()
        with open(os.path.join(HERE, "hpcc_fct.csv"), encoding="utf-8", newline="") as f:
            self.flows = list(csv.DictReader(line for line in f if not line.startswith("#")))
        self.theirs = [int(flow[f"fct_{seed}_ns"]) for flow in self.flows for seed in range(1, 7)]
        spine = HOSTS + LEAVES
        links = [f"{host} {HOSTS + host * LEAVES // HOSTS} 25Gbps 1000ns 0" for host in range(HOSTS)]
        links += [f"{HOSTS + leaf} {spine} 100Gbps 1000ns 0" for leaf in range(LEAVES)]
        switches = " ".join(str(HOSTS + leaf) for leaf in range(LEAVES + 1))
        lines = [f"{flow['source']} {flow['destination']} 3 100 {flow['bytes']} {flow['start_s']}" for flow in self.flows]
        for name, text in (("config.txt", CONFIG), ("flow.txt", "\n".join([str(len(lines)), *lines, ""])),
                           ("topology.txt", "\n".join([f"{spine + 1} {LEAVES + 1} {len(links)}", switches, *links, ""]))):
            with open(self.path(name), "w", encoding="utf-8") as f:
                f.write(text)

    def fct(self, seed, *words):
        done = self.rcc("ns3-rdma", "config.txt", f"--seed={seed}", "--no-plots", "--quiet", "--out=out", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        name = os.listdir(self.path("out"))
        folder = next(entry for entry in name if os.path.isdir(self.path("out", entry)))
        found = [int(line.split()[6]) for line in self.read("out", folder, "fct.txt").splitlines()]
        self.assertEqual(len(found), len(self.flows))
        return found

    def test_completion_times_are_of_one_distribution(self):
        ours = [fct for seed in (1, 2, 3) for fct in self.fct(seed)]
        self.assertLess(distance(ours, self.theirs), critical(len(ours), len(self.theirs)))

    def test_without_congestion_control_they_are_not(self):
        ours = self.fct(1, "--cc=none")
        self.assertGreater(distance(ours, self.theirs), critical(len(ours), len(self.theirs)))
