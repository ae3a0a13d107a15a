# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The module's QbbTopologyFile and ./rcc ns3-rdma give the same completion times for the same files and settings."""
import csv
import os
import random
import subprocess
import unittest

from support import BUILD, RccTest, needs_programs

EXAMPLE = os.path.join(BUILD, "examples", "ns3-rdma")
HPCC = "CC_MODE 1\nHAS_WIN 0\nL2_CHUNK_SIZE 4000\nBUFFER_SIZE 2\nSIMULATOR_STOP_TIME 9\n"
ORIGINAL = "ENABLE_QCN 1\nCNP_INTERVAL 50\nSEND_IN_CHUNKS 0\nFLOW_LEVEL_ECMP 1\nSIMULATOR_STOP_TIME 9\n"
FILES = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
AS_HPCC = {"QbbSwitch": {"BufferSize": 2 << 20, "HeadroomDelays": 3, "AlphaRate": "25Gbps", "ResumeGap": 3072, "PauseTime": "5us"},
           "RdmaNic": {"NakEvery": "500us", "ChunkPackets": 4, "AckEvery": 1, "AckHighPriority": "false"}}


def as_original(ports, classes):
    """The buffer of ns3-rdma: 4000 cells of 1030 bytes, and 103 KB of headroom for each port and class."""
    return {"QbbSwitch": {"PoolSize": 4000 * 1030, "Headroom": 103000, "BufferSize": 4000 * 1030 + 103000 * ports * classes,
                          "PauseTime": "5us"},
            "RdmaNic": {"AckEvery": 1, "AckHighPriority": "true"}}


def network(rng, hosts, switches):
    """A tree of switches, some of its links doubled, and hosts on one switch or two. Return the rows and the most ports of a switch."""
    ends = [(host, hosts + rng.randrange(switches)) for host in range(hosts) for _ in range(rng.choice((1, 1, 1, 2)))]
    ends += [(hosts + rng.randrange(s), hosts + s) for s in range(1, switches) for _ in range(rng.choice((1, 2)))]
    rng.shuffle(ends)
    rows = [f"{a} {b} 25Gbps {rng.choice(('1us', '0.002ms', '500ns'))} 0" for a, b in ends]
    switch_ids = " ".join(str(hosts + s) for s in range(switches))
    ports = max(sum(hosts + s in pair for pair in ends) for s in range(switches))
    return f"{hosts + switches} {switches} {len(rows)}\n{switch_ids}\n" + "\n".join(rows) + "\n", ports


@unittest.skipUnless(os.path.exists(EXAMPLE), "the examples are not built")
@needs_programs
class TopologyFile(RccTest):
    def write(self, **texts):
        for name, text in texts.items():
            self.put(name + ".txt", text)

    def times_of_lab(self, cc, words):
        self.succeed("ns3-rdma", "config.txt", f"--cc={cc}", "--no-plots", "--out=lab", *words)
        with open(self.path("lab", cc, "flows.csv"), encoding="utf-8") as f:
            rows = [(int(row["src"]), int(row["dst"]), int(row["size_bytes"]), row["start_s"], row["fct_s"]) for row in csv.DictReader(f)]
        return sorted(row for row in rows if row[-1])

    def times_of_module(self, cc, settings):
        words = [f"--ns3::{kind}::{name}={value}" for kind, those in settings.items() for name, value in those.items()]
        done = subprocess.run([EXAMPLE, "--topology=topology.txt", "--flows=flow.txt", f"--cc={cc}", *words], cwd=self.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split() for line in done.stdout.splitlines()[1:-1]]
        return sorted((int(src), int(dst), int(size), start, f"{int(fct) / 1e9:.9f}") for _, src, dst, size, start, fct in rows)

    def compare(self, cc, settings, flows, words=()):
        lab, module = self.times_of_lab(cc, words), self.times_of_module(cc, settings)
        self.assertEqual(module, lab)
        self.assertEqual(len(module), flows)

    def test_flows_in_bytes(self):
        for seed, cc in enumerate(("dcqcn-plus", "qcn", "timely", "none")):
            with self.subTest(cc=cc):
                rng = random.Random(seed)
                topology, _ = network(rng, 6, 3)
                dport = rng.choice(("", "100 "))
                rows = []
                for _ in range(20):
                    src, dst = rng.sample(range(6), 2)
                    rows.append(f"{src} {dst} {rng.choice((0, 3, 7))} {dport}{rng.choice((1, 999, 50000, 500000))} "
                                f"{rng.choice((0, 1000, 1234)) / 1e6}")
                self.write(topology=topology, flow="20\n" + "\n".join(rows) + "\n", config=HPCC + FILES)
                self.compare(cc, AS_HPCC, 20)

    def test_servers(self):
        """SimAI's networks: servers of several hosts with switches of their own, and one or two switches for all."""
        for seed, cc in enumerate(("none", "dcqcn-plus", "timely")):
            with self.subTest(cc=cc):
                rng = random.Random(seed)
                servers, per_server, switches = rng.randrange(2, 4), rng.randrange(2, 4), rng.randrange(1, 3)
                hosts = servers * per_server
                rows = [f"{h} {hosts + h // per_server} 100Gbps 0.000025ms 0" for h in range(hosts)]
                rows += [f"{h} {hosts + servers + s} 25Gbps 0.0005ms 0" for h in range(hosts) for s in range(switches)]
                ids = " ".join(str(node) for node in range(hosts, hosts + servers + switches))
                topology = f"{hosts + servers + switches} {per_server} {servers} {switches} {len(rows)} H100\n{ids}\n"
                flows = []
                for _ in range(30):
                    src, dst = rng.sample(range(hosts), 2)
                    flows.append(f"{src} {dst} 3 100 {rng.choice((999, 50000, 200000))} {rng.choice((0, 1000, 1234)) / 1e6}")
                self.write(topology=topology + "\n".join(rows) + "\n", flow="30\n" + "\n".join(flows) + "\n", config=HPCC + FILES)
                settings = {**AS_HPCC, "QbbSwitch": {**AS_HPCC["QbbSwitch"], "AlphaRate": "100Gbps"}}
                self.compare(cc, settings, 30)

    def test_flows_in_packets(self):
        marks = ["--kmin=20KB", "--kmax=100KB", "--pmax=0.5"]  # ns3-rdma has its own
        as_marks = {"RccDcqcnPlus": {"Kmin": 20000, "Kmax": 100000, "Pmax": 0.5}}
        for seed, (cc, words, given) in enumerate((("dcqcn-plus", marks, as_marks), ("qcn", [], {}))):
            with self.subTest(cc=cc):
                rng = random.Random(seed)
                topology, ports = network(rng, 5, 2)
                pairs = [rng.sample(range(5), 2) for _ in range(10)]
                flow = "10\n" + "".join(f"{src} {dst} 3 {rng.choice((1, 50, 700))} {rng.choice((2.0, 2.001))} 9.5\n" for src, dst in pairs)
                self.write(topology=topology, flow=flow, config=ORIGINAL + FILES)
                self.compare(cc, {**as_original(ports, 1), **given}, 10, words)

    def test_example_of_its_own(self):
        """The example without files has three flows, of 6 MB in all. They take no less time than their receiver's 40 Gb/s link needs."""
        for cc in ("dcqcn", "dcqcn-plus", "qcn"):
            with self.subTest(cc=cc):
                done = subprocess.run([EXAMPLE, f"--cc={cc}"], stdout=subprocess.PIPE, text=True, timeout=60, check=True)
                said = done.stdout.splitlines()
                sizes = [int(line.split()[3]) for line in said[1:-1]]
                self.assertEqual(sorted(sizes), [1000000, 2000000, 3000000])
                self.assertGreater(int(said[-2].split()[-1]), 6000 * 1062 * 8 // 40)
                self.assertEqual(said[-1], "3 of 3 flows ended")

    def test_what_it_refuses(self):
        self.write(topology="3 1 2\n2\n0 2 25Gbps 1us\n1 2 25Gbqs 1us\n", flow="0\n")
        for topology, error in (("topology.txt", "4: rate: found '25Gbqs', expected a rate such as 100Gbps, 1Mbps to 16Tbps\n"),
                                ("absent.txt", "1: row: found no text file, expected nodes switches links\n")):
            done = subprocess.run([EXAMPLE, f"--topology={topology}", "--flows=flow.txt"], cwd=self.scratch, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"{topology}:{error}"))


if __name__ == "__main__":
    unittest.main()
