# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Preset hpcc beside the simulator that it is named after: flow completion times of 160 flows.

hpcc_fct.csv has the flows and what that simulator (github.com/alibaba-edu/High-Precision-Congestion-Control, 9f4be2a, DCQCN without
window, RngRun 1 to 6, gcc 12) gave for them: web search at load 0.8 in the network that is written here."""
import bisect
import csv
import math
import os
import shutil

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


class Beside(RccTest):
    """Runs of the flows of a CSV file, which has their times in that simulator."""
    FILE = ""

    def setUp(self):
        super().setUp()
        with open(os.path.join(HERE, self.FILE), encoding="utf-8", newline="") as f:
            self.flows = list(csv.DictReader(line for line in f if not line.startswith("#")))

    def run_flows(self, config, flows, links, switches, words):
        """Return the rows of fct.txt. `links`: two nodes, rate and delay each; `switches`: their numbers, behind those of the hosts."""
        lines = [f"{flow['source']} {flow['destination']} 3 100 {flow['bytes']} {flow['start_s']}" for flow in flows]
        self.put("config.txt", config)
        self.put("flow.txt", "\n".join([str(len(lines)), *lines, ""]))
        self.put("topology.txt", "\n".join([f"{switches[-1] + 1} {len(switches)} {len(links)}", " ".join(map(str, switches)),
                                            *(f"{link} 0" for link in links), ""]))
        shutil.rmtree(self.path("out"), ignore_errors=True)
        self.succeed("ns3-rdma", "config.txt", "--no-plots", "--quiet", "--out=out", *words)
        folder = next(entry for entry in os.listdir(self.path("out")) if os.path.isdir(self.path("out", entry)))
        found = [line.split() for line in self.read("out", folder, "fct.txt").splitlines()]
        self.assertEqual(len(found), len(flows))
        return found


@needs_programs
class BesideThatSimulator(Beside):
    FILE = "hpcc_fct.csv"

    def check(self, seeds, *words):
        """Return the distance of the times here and there over that which chance allows."""
        theirs = [int(flow[f"fct_{seed}_ns"]) for flow in self.flows for seed in range(1, 7)]
        spine = HOSTS + LEAVES
        links = [f"{host} {HOSTS + host * LEAVES // HOSTS} 25Gbps 1000ns" for host in range(HOSTS)]
        links += [f"{HOSTS + leaf} {spine} 100Gbps 1000ns" for leaf in range(LEAVES)]
        ours = [int(row[6]) for seed in seeds
                for row in self.run_flows(CONFIG, self.flows, links, range(HOSTS, spine + 1), [f"--seed={seed}", *words])]
        return distance(ours, theirs) / critical(len(ours), len(theirs))

    def test_completion_times_are_of_one_distribution(self):
        self.assertLess(self.check((1, 2, 3)), 1)

    def test_without_congestion_control_they_are_not(self):
        self.assertGreater(self.check((1,), "--cc=none"), 1)


MODES = {3: ("hpcc", 1090, 1104), 7: ("timely", 1048, 1062), 8: ("dctcp", 1048, 1062),
         10: ("hpcc with PINT", 1050, 1064)}   # bytes of a full packet in HPCC's simulator and here
NETWORKS = {"star8": 9, "star16": 17, "dumbbell": 8}   # the number of hosts of each


@needs_programs
class OtherModesBesideThatSimulator(Beside):
    """CC_MODE 3, 7, 8 and 10 with the configuration that it ships. hpcc_modes_fct.csv has the flows, and their times there: 5 flows of
    each of 8 and of 16 hosts to one more host of a switch, 24 flows between two switches, all links 100 Gb/s. Links are faster
    here by as much as frames are longer."""

    FILE = "hpcc_modes_fct.csv"

    def config(self, mode, rate):
        """The shipped one; DCTCP's gain, step and thresholds are those of its run.py."""
        kmin, kmax, pmax, gain, step = (300, 300, 1, 0.0625, 615) if mode == 8 else (400, 1600, 0.2, 0.00390625, 1000)
        lines = [line for line in CONFIG.splitlines() if line.split()[0] not in (
            "CC_MODE", "HAS_WIN", "EWMA_GAIN", "KMIN_MAP", "KMAX_MAP", "PMAX_MAP")]
        return "\n".join([*lines, f"CC_MODE {mode}", f"EWMA_GAIN {gain}", f"DCTCP_RATE_AI {step}Mb/s", "HAS_WIN 1", "GLOBAL_T 1",
                          "VAR_WIN 1", "FAST_REACT 1", "U_TARGET 0.95", "MI_THRESH 0", "INT_MULTI 1", "MULTI_RATE 0",
                          "SAMPLE_FEEDBACK 0", "PINT_LOG_BASE 1.05", "PINT_PROB 1.0", "RATE_BOUND 1", "ACK_HIGH_PRIO 0",
                          f"KMIN_MAP 1 {rate}000000 {kmin}", f"KMAX_MAP 1 {rate}000000 {kmax}", f"PMAX_MAP 1 {rate}000000 {pmax}", ""])

    def times(self, network, mode, *words):
        """(there, here) of each flow."""
        _, theirs, ours = MODES[mode]
        rate, hosts = round(100000 * ours / theirs), NETWORKS[network]
        flows = [flow for flow in self.flows if flow["network"] == network]
        pairs = [(host, hosts + host // 4 if network == "dumbbell" else hosts) for host in range(hosts)]
        pairs += [(hosts, hosts + 1)] if network == "dumbbell" else []
        rows = self.run_flows(self.config(mode, rate), flows, [f"{a} {b} {rate}Mbps 1000ns" for a, b in pairs],
                              range(hosts, pairs[-1][1] + 1), words)
        here = {(int(row[0][2:6], 16), int(row[1][2:6], 16), int(row[4])): int(row[6]) for row in rows}
        return [(int(flow[f"fct_{mode}_ns"]), here[int(flow["source"]), int(flow["destination"]), int(flow["bytes"])]) for flow in flows]

    def test_completion_times_are_of_one_distribution(self):
        for mode, (name, _, _) in MODES.items():
            pairs = [pair for network in NETWORKS for pair in self.times(network, mode)]
            theirs, ours = zip(*pairs)
            self.assertLess(distance(ours, theirs), critical(len(ours), len(theirs)) / 2, name)
            self.assertLess(abs(sum(ours) / sum(theirs) - 1), 0.05, name)

    def test_another_control_is_not(self):
        """The incast of HPCC's file under DCQCN."""
        theirs, ours = zip(*self.times("star16", 3, "--cc=dcqcn"))
        self.assertGreater(abs(sum(ours) / sum(theirs) - 1), 0.05)
