# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc generate topology|workload: what they write is read here with a reader of its own, and what they read is malformed."""
import collections
import math
import os
import re
import unittest

from support import RccTest, captured, frame_overhead
from test_workload import MALFORMED as MALFORMED_SIZES

from command.files import flow_sizes, workload
from command.common import RccError
from command.ns3_rdma.files import Remarks
from command.ns3_rdma.rows import read_topology

# (arguments, hosts, switches per level, links, sorted counts of links of the switches, levels between any two hosts at most)
NETWORKS = [
    ("star", 8, 1, 8, {8: 1}, 2),
    ("star --hosts=2", 2, 1, 2, {2: 1}, 2),
    ("dumbbell --left=3 --right=2", 5, 2, 6, {4: 1, 3: 1}, 3),
    ("fat-tree --k=2", 2, 5, 6, {2: 5}, 6),
    ("fat-tree --k=4", 16, 20, 48, {4: 20}, 6),
    ("fat-tree --k=8", 128, 80, 384, {8: 80}, 6),
    ("clos --racks=3 --hosts-per-rack=5 --spines=2", 15, 5, 21, {7: 3, 3: 2}, 4),
    ("clos --racks=1 --hosts-per-rack=2 --spines=1", 2, 2, 3, {3: 1, 1: 1}, 2),
]

# (arguments, a part of the one line on stderr); t.txt is a star of 8
REFUSED = [
    ("generate topology", "SHAPE"),
    ("generate topology torus", "known: star, dumbbell, fat-tree, clos"),
    ("generate topology star --hots=3", "did you mean --hosts"),
    ("generate topology star --hosts=1", "--hosts=1: expected 2 to 60000"),
    ("generate topology star --core-rate=1Gbps", "unknown option --core-rate=1Gbps"),
    ("generate topology fat-tree --k=5", "--k=5: expected an even number"),
    ("generate topology fat-tree --k=62", "--k=62: expected 2 to 60"),
    ("generate topology clos --racks=3000 --hosts-per-rack=3000", "more than 65536 nodes"),
    ("generate topology clos --core-rate=", "--core-rate=: expected a rate"),
    ("generate topology clos --core-delay=1", "--core-delay=1: expected a time"),
    ("generate topology star --rate=1kbps", "--rate=1kbps: expected 1Mbps to 16Tbps"),
    ("generate topology star --delay=0.5ns", "--delay=0.5ns: expected a multiple of 1ns"),
    ("generate topology star --delay=1000.5ns", "--delay=1000.5ns: expected whole nanoseconds"),
    ("generate topology star --delay=11s", "--delay=11s: expected 0ns to 10s"),
    ("generate topology star --error=2", "--error=2: expected a probability"),
    ("generate topology star --out=", "--out=: a file's name is missing"),
    ("generate topology star --out=.", "--out=.: found a directory"),
    ("generate topology star --out=nowhere/t.txt", "cannot write there"),
    ("generate workload", "--topology"),
    ("generate workload --topology=", "the name of a file is missing"),
    ("generate workload --topology=missing.txt", "'missing.txt': No such file"),
    ("generate workload --topology=t.txt --sizes=web-serch", "did you mean web-search?"),
    ("generate workload --topology=t.txt --sizes=.", "expected a file with two columns"),
    ("generate workload --topology=t.txt --load=0", "--load=0: expected 0.001 to 1"),
    ("generate workload --topology=t.txt --load=heavy", "--load=heavy: expected a fraction"),
    ("generate workload --topology=t.txt --time=0s", "--time=0s: expected 1us to 1000s"),
    ("generate workload --topology=t.txt --time=1us --load=0.001", "--time=1us: no flow arrives"),
    ("generate workload --topology=t.txt --time=1000s", "flows would arrive, expected at most 5000000"),
    ("generate workload --topology=t.txt --start=-1s", "--start=-1s: expected a time"),
    ("generate workload --topology=t.txt --seed=x", "--seed=x: expected a whole number"),
    ("generate workload --topology=t.txt --mtu=10", "--mtu=10: expected 64 to 9000 bytes"),
    ("generate workload --topology=t.txt --dialect=hpc", "did you mean hpcc?"),
    ("generate workload --topology=t.txt --out=nowhere/flow.txt", "cannot write there"),
]


def parsed(text):
    """topology.txt, read for this test alone: (nodes, switches, [(a, b, rate, delay, error)])"""
    lines = text.split("\n")
    nodes, switches, links = map(int, lines[0].split())
    ids = list(map(int, lines[1].split()))
    assert len(ids) == len(set(ids)) == switches
    rows = [row.split() for row in lines[2:-1]]
    assert lines[-1] == "" and len(rows) == links and all(len(r) == 5 for r in rows)
    return nodes, ids, [(int(r[0]), int(r[1]), *r[2:]) for r in rows]


def distances(nodes, links, source):
    near = collections.defaultdict(list)
    for a, b, *_ in links:
        near[a].append(b)
        near[b].append(a)
    found = {source: 0}
    queue = collections.deque([source])
    while queue:
        node = queue.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


class Topology(RccTest):
    def out(self, words):
        return self.succeed("generate", "topology", *words.split()).stdout

    def test_networks(self):
        for words, hosts, switches, count, degrees, far in NETWORKS:
            with self.subTest(words):
                text = self.out(words)
                nodes, ids, links = parsed(text)
                self.assertEqual((nodes, ids), (hosts + switches, list(range(hosts, hosts + switches))))
                self.assertEqual(len(links), count)
                self.assertEqual(len({frozenset(link[:2]) for link in links}), count, "no two links between the same nodes")
                degree = collections.Counter(end for link in links for end in link[:2])
                self.assertEqual({degree[h] for h in range(hosts)}, {1})
                self.assertEqual(collections.Counter(degree[s] for s in ids), degrees)
                for source in (0, hosts - 1):
                    away = distances(nodes, links, source)
                    self.assertEqual(len(away), nodes, "connected")
                    self.assertLessEqual(max(away[h] for h in range(hosts)), far)
                self.put("t.txt", text)
                topology = read_topology(self.path("t.txt"), Remarks())
                self.assertEqual(topology.hosts(), list(range(hosts)))
                self.assertEqual([node for node, is_switch in enumerate(topology.is_switch) if is_switch], ids)

    def test_every_pair_of_pods_has_all_cores(self):
        _, _, links = parsed(self.out("fat-tree --k=4"))
        cores = collections.defaultdict(set)  # core: the pods that it reaches
        for a, b, *_ in links:
            if b >= 32:
                cores[b].add((a - 24) // 2)
        self.assertEqual(dict(cores), {c: {0, 1, 2, 3} for c in range(32, 36)})

    def test_rates_and_delays(self):
        _, _, links = parsed(self.out("clos --racks=2 --hosts-per-rack=2 --spines=1 --rate=2500Mbps --core-rate=0.1Tbps "
                                      "--delay=0.001ms --core-delay=2500ns --error=1/1000000"))
        self.assertEqual([link[2:] for link in links], [("2500Mbps", "1000ns", "1e-06")] * 4 + [("100Gbps", "2500ns", "1e-06")] * 2)
        _, _, links = parsed(self.out("dumbbell --left=1 --right=1 --core-rate=40Gbps"))
        self.assertEqual([link[2:] for link in links], [("100Gbps", "1000ns", "0")] * 2 + [("40Gbps", "1000ns", "0")])

    def test_oversubscription_is_said(self):
        done = self.rcc("generate", "topology", "clos", "--racks=2", "--hosts-per-rack=8", "--spines=2")
        self.assertEqual(done.stderr, "rcc: warning: 4:1 oversubscribed: a rack has 800 Gb/s of hosts and 200 Gb/s to the spines\n")
        self.assertEqual(self.rcc("generate", "topology", "clos", "--racks=2", "--hosts-per-rack=2", "--spines=2").stderr, "")

    def test_written_to_a_file(self):
        self.assertEqual(self.out("star --out=t.txt"), "")
        self.assertEqual(self.read("t.txt"), self.out("star"))

    def test_refused(self):
        self.assertEqual(self.out("star --out=t.txt"), "")
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.assert_refused(self.rcc(*line.split()), fragment)
                self.assertEqual(sorted(os.listdir(self.scratch)), [".rcc-files", "bin", "t.txt"])


class Sizes(RccTest):
    def test_overhead_of_a_packet(self):
        self.assertEqual(frame_overhead(), flow_sizes.OVERHEAD)

    def test_means_are_those_of_the_document(self):
        self.assertEqual(round(flow_sizes.load("web-search").mean_bytes() / 1e6, 2), 1.71)
        self.assertEqual(round(flow_sizes.load("data-mining").mean_bytes() / 1e6, 2), 7.47)

    def test_quantiles(self):
        sizes = flow_sizes.load("web-search")
        self.assertEqual([sizes.quantile(x) for x in (0, 0.075, 0.15, 0.95, 0.999999999)],
                         [1, 5000, 10000, 8571429, 29999999])
        self.assertEqual([flow_sizes.load("data-mining").quantile(x) for x in (0, 0.4999, 0.55)], [1460, 1460, 2190])

    def test_mass_at_0(self):
        """A drawn size of 0 is one byte, in one packet; of steps at 0 too. What is drawn between 0 and 1 is too little to count."""
        for points in ([(0, 90 * flow_sizes.PERCENT), (1000, flow_sizes.ONE)],
                       [(0, 10 * flow_sizes.PERCENT), (0, 60 * flow_sizes.PERCENT), (1000, flow_sizes.ONE)]):
            sizes = flow_sizes.Sizes(points)
            drawn = [sizes.quantile((i + 0.5) / 100000) for i in range(100000)]
            self.assertAlmostEqual(sum(drawn) / len(drawn) / sizes.mean_bytes(), 1, delta=5e-6)
            self.assertAlmostEqual(sum(-(-size // 500) for size in drawn) / len(drawn) / sizes.mean_packets(500), 1, delta=5e-4)

    def test_mean_packets(self):
        for points, mtu, mean in (([(1500, flow_sizes.ONE)], 1000, 2), ([(0, 0), (2000, flow_sizes.ONE)], 1000, 1.5),
                                  ([(1000, flow_sizes.ONE // 2), (1000, flow_sizes.ONE)], 1000, 1)):
            self.assertAlmostEqual(flow_sizes.Sizes(points).mean_packets(mtu), mean, places=2)

    def test_files(self):
        self.assertEqual(flow_sizes.parse("f", b"# bytes share\r\n0 0\r\n\t1000 \t 50 # half\n\n30000 100"),
                         [(0, 0), (1000, flow_sizes.ONE // 2), (30000, flow_sizes.ONE)])
        self.assertEqual(flow_sizes.parse("f", b"1 .5\n2 1.0\n"), [(1, flow_sizes.ONE // 2), (2, flow_sizes.ONE)])

    def test_malformed_files_have_the_programs_words(self):
        for content, fragment in MALFORMED_SIZES:
            with self.subTest(content[:40]):
                self.put("sizes.txt", content)
                with self.assertRaises(RccError) as caught:
                    flow_sizes.load(self.path("sizes.txt"))
                self.assertIn("sizes.txt" + fragment.replace(" has ", ": found "), str(caught.exception))


class Workload(RccTest):
    def setUp(self):
        super().setUp()
        self.rcc("generate", "topology", "clos", "--racks=4", "--hosts-per-rack=4", "--spines=4", "--rate=10Gbps", "--out=t.txt")

    def flows(self, *words):
        lines = self.succeed("generate", "workload", "--topology=t.txt", *words).stdout.split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual(int(lines[0]), len(lines) - 1)
        return [row.split() for row in lines[1:]]

    def test_load_is_achieved(self):
        self.put("sizes.txt", "1 0\n1500 50\n20000 100\n")
        for mtu in (1000, 4096):
            for load in (0.1, 0.9):
                rows = self.flows("--sizes=sizes.txt", f"--load={load}", "--time=20ms", f"--mtu={mtu}")
                wire = sum(int(r[4]) + -(-int(r[4]) // mtu) * 62 for r in rows)
                # 16 hosts of 10 Gb/s; the sum of n sizes has a relative deviation of about 1.1 / sqrt(n)
                self.assertAlmostEqual(wire * 8 / (160e9 * 0.02) / load, 1, delta=4 * 1.1 / math.sqrt(len(rows)))

    def test_hpcc(self):
        rows = self.flows("--time=20ms", "--load=0.8", "--start=1s")
        self.assertTrue(all(len(r) == 6 and r[2:4] == ["3", "100"] for r in rows))
        hosts = set(range(16))
        self.assertTrue(all({int(r[0]), int(r[1])} <= hosts and r[0] != r[1] for r in rows))
        starts = [float(r[5]) for r in rows]
        self.assertEqual(starts, sorted(starts))
        self.assertTrue(1 <= starts[0] and starts[-1] <= 1.02)
        self.assertTrue(all(re.fullmatch(r"1\.\d{9}", r[5]) for r in rows))

    def test_pairs_are_uniform(self):
        flows = workload.arrivals(list(range(4)), flow_sizes.load("web-search"), 1e-6, 0, 0.024, 1)
        pairs = collections.Counter((f.src, f.dst) for f in flows)
        self.assertEqual(len(pairs), 12)
        expected = len(flows) / 12
        self.assertLess(sum((n - expected) ** 2 / expected for n in pairs.values()), 31.3, "chi squared, 11 degrees, 0.1 %")

    def test_gaps_are_exponential(self):
        flows = workload.arrivals([0, 1], flow_sizes.load("web-search"), 1e-6, 0, 0.02, 1)
        starts = [f.start for f in flows]
        gaps = [b - a for a, b in zip(starts, starts[1:])]
        self.assertAlmostEqual(sum(gaps) / len(gaps), 1000, delta=30)
        self.assertAlmostEqual(sum(g > 1000 for g in gaps) / len(gaps), math.exp(-1), delta=0.02)
        self.assertAlmostEqual(sum(g > 3000 for g in gaps) / len(gaps), math.exp(-3), delta=0.01)

    def test_the_original(self):
        hpcc = self.flows("--time=20ms", "--sizes=web-search")
        for name in ("original", "ns3-rdma"):
            rows = self.flows("--time=20ms", f"--dialect={name}", "--mtu=1000")
            self.assertTrue(all(len(r) == 6 and r[2] == "3" and int(r[3]) >= 1 for r in rows))
            self.assertEqual({r[5] for r in rows}, {"12.020000000"})
            # the gap is a little longer, as all packets are full; sizes and pairs are the same draws
            self.assertEqual([int(r[3]) for r in rows[:50]], [-(-int(r[4]) // 1000) for r in hpcc[:50]])
            self.assertEqual([r[:2] for r in rows[:50]], [r[:2] for r in hpcc[:50]])

    def test_same_seed_same_bytes(self):
        for seed in ("1", "2"):
            self.rcc("generate", "workload", "--topology=t.txt", "--time=20ms", f"--seed={seed}", f"--out={seed}.txt")
        self.assertEqual(self.rcc("generate", "workload", "--topology=t.txt", "--time=20ms").stdout, self.read("1.txt"))
        self.assertNotEqual(self.read("1.txt"), self.read("2.txt"))
        # these are the numbers of random.Random(1), from any Python and on any machine
        self.assertEqual(self.read("1.txt").splitlines()[1].split()[:5], ["12", "3", "3", "100", "3423012"])

    def test_hosts_are_not_switches(self):
        self.put("t.txt", "4 1 3\n1\n0 1 10Gbps 1us 0\n1 2 10Gbps 1us 0\n3 1 10Gbps 1us 0\n")
        rows = self.flows("--time=50ms")
        self.assertEqual({word for r in rows for word in r[:2]}, {"0", "2", "3"})

    def test_hosts_of_different_rates_are_said(self):
        self.put("t.txt", "3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 40Gbps 1us 0\n")
        self.assertIn("hosts of 10 Gb/s to 40 Gb/s", self.rcc("generate", "workload", "--topology=t.txt").stderr)

    def test_hosts_that_cannot_send(self):
        for content, fragment in (("3 1 1\n2\n0 2 10Gbps 1us 0\n", "t.txt: host 1: found no link"),
                                  ("2 1 1\n1\n0 1 10Gbps 1us 0\n", "t.txt: found 1 host, expected at least 2")):
            self.put("t.txt", content)
            self.assert_refused(self.rcc("generate", "workload", "--topology=t.txt"), fragment)

    def test_the_start_is_in_whole_nanoseconds(self):
        value, _, _ = captured(workload.text, [workload.Flow(1, 2, 5, 2_000_000_001)], "hpcc", 1000, 0)
        self.assertEqual(value, "1\n1 2 3 100 5 2.000000001\n")


if __name__ == "__main__":
    unittest.main()
