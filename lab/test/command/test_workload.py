# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run workload and the topologies of clos with the real programs; skipped where they are not built."""
import json
import unittest

from support import RccTest, needs_programs

# (content of --sizes=sizes.txt, part of the message after the file's name)
MALFORMED = [
    (b"", ": found no row"),
    (b"# only a comment\r\n\n", ": found no row"),
    (b"100\n", ":1: found '100', expected two columns"),
    (b"bytes share\n", ":1: found 'bytes', expected bytes"),
    (b"0 0\n100 half\n", ":2: found 'half', expected a cumulative probability"),
    (b"-1 0\n", ":1: found '-1', expected bytes"),
    (b"0 -0.5\n", ":1: found '-0.5', expected a cumulative probability"),
    (b"1e3 0\n", ":1: found '1e3', expected bytes"),
    (b"0 nan\n", ":1: found 'nan', expected a cumulative probability"),
    (b"0 101\n", ":1: found '101', expected a cumulative probability"),
    (b"9999999999999 1\n", ":1: found '9999999999999', expected bytes"),
    (b"99999999999999999999999999999999999999999999 1\n", ":1: found '99999999"),
    (b"0 0\n200 50\n100 100\n", ":3: found '100 100', expected columns that increase"),
    (b"0 0\n0 0\n1 1\n", ":2: found '0 0', expected columns that increase"),
    (b"0 0\n100 0.9\n", ":2: found a last row of cumulative probability 0.9, expected 1 or 100"),
    (b"0 1\n", ":1: found a largest size of 0 bytes"), (b"0 100\n3000 100\n", ":2: found a largest size of 0 bytes"),
    (b"0 0\n1\x000 1\n", ":2: found a byte of value 0"),
    (bytes(range(1, 10)) + bytes(range(128, 256)), ":1: found '"),
    (b"0 0\n" + b"# padding\n" * 200000 + b"1 1\n", ": found 2000008 bytes, expected at most"),
]

# (scenario and arguments, a part of the one line on stderr)
REFUSED = [
    ("workload --sizes=", "sizes"),
    ("workload --sizes=web-serch", "did you mean web-search?"),
    ("workload --sizes=missing.txt", "missing.txt"),
    ("workload --sizes=/tmp", "found no regular file"),
    ("workload --load=0", "--load"),
    ("workload --load=1.2", "--load"),
    ("workload --hosts=1", "--hosts"),
    ("workload --topology=torus", "one of star, leaf-spine, fat-tree"),
    ("workload --topology=fat-tree --racks=5", "only with --topology=leaf-spine"),
    ("workload --topology=fat-tree --hosts=10", "the fat tree has 320"),
    ("workload --racks=4", "--racks is '4', expected only with --topology=leaf-spine"),
    ("clos --racks=4", "--racks is '4', expected only with --topology=leaf-spine"),
    ("clos --topology=leaf-spine --k=20", "--k is '20', expected only with --topology=fat-tree"),
    ("workload --topology=leaf-spine --hosts=10", "--hosts"),
    ("workload --racks=5", "--racks"),
    ("workload --core-rate=10Gbps", "--core-rate"),
    ("workload --drain=-1s", "--drain"),
    ("workload --time=1us --load=0.01", "no flow arrives"),
    ("workload --time=1000s --rate=1600Gbps --hosts=1000 --buffer=1GB", "flows would arrive"),
    ("workload --start=1ms", "start"),
    ("clos --topology=star", "fat-tree or leaf-spine"),
    ("clos --oversubscription=2", "--topology=leaf-spine"),
    ("clos --topology=leaf-spine --k=4", "--topology=fat-tree"),
    ("clos --topology=leaf-spine --cores=4", "--topology=fat-tree"),
    ("clos --topology=leaf-spine --core-rate=10Gbps --oversubscription=2", "one of them"),
    ("clos --topology=leaf-spine --oversubscription=0", "--oversubscription"),
    ("clos --topology=leaf-spine --oversubscription=1000 --rate=1Mbps", "core rate"),
    ("clos --topology=leaf-spine --senders=49", "at most 48"),
    ("clos --topology=leaf-spine --receivers=17", "at most"),
    ("clos --topology=leaf-spine --racks=1", "--racks"),
]


@needs_programs
class Workload(RccTest):
    def refused(self, words, fragment):
        done = self.rcc("run", *words, "--cc=dcqcn", "--no-plots")
        self.assert_refused(done, fragment)

    def test_malformed_sizes(self):
        for content, fragment in MALFORMED:
            with self.subTest(content[:40]):
                self.put("sizes.txt", content)
                self.refused(["workload", "--sizes=sizes.txt"], fragment)

    def test_refused(self):
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.refused(line.split(), fragment)

    def run_small(self, folder, *args):
        done = self.succeed("run", "workload", "--cc=dcqcn,dcqcn-plus", "--no-plots", f"--out={folder}", *args)
        return json.loads(self.read(folder, "summary.json"))["runs"], done.stdout

    def test_flows_and_slowdowns(self):
        self.put("sizes.txt", "1000 20\n50000 100\n")
        for extra in ([], ["--topology=leaf-spine", "--racks=2", "--hosts-per-rack=4", "--spines=2",
                           "--oversubscription=2"]):
            runs, text = self.run_small("out", "--sizes=sizes.txt", "--time=20ms", "--load=0.3", *extra)
            self.assertIn("slowdown", text)
            flows = []
            for run in runs:
                with self.subTest(extra=extra, cc=run["cc"]):
                    rows = self.rows("out", run["cc"], "flows.csv")
                    flows.append([(r["src"], r["dst"], r["start_s"], r["size_bytes"]) for r in rows])
                    self.assertEqual(run["incomplete"], 0)
                    self.assertEqual(run["fct"]["count"], len(rows))
                    self.assertEqual(sum(b["count"] for b in run["slowdown"]["by_size"]), len(rows))
                    self.assertGreaterEqual(run["slowdown"]["p50"], 1.0)
                    self.assertTrue(all(r["size_bytes"] == r["delivered_bytes"] for r in rows))
                    self.assertTrue(all(r["src"] != r["dst"] for r in rows))
                    self.assertAlmostEqual(run["offered_load"], 0.3, delta=0.06)
                    self.assertLess(abs(run["utilization"] - run["offered_load"]), 0.02)
            self.assertEqual(flows[0], flows[1], "every algorithm has the same flows")

    def test_drain_ends_the_run(self):
        self.put("sizes.txt", "10000000 1\n")
        runs, _ = self.run_small("out", "--sizes=sizes.txt", "--time=50ms", "--drain=0s")
        for run in runs:
            self.assertGreater(run["incomplete"], 0)
            self.assertEqual(run["incomplete"] + run["fct"]["count"], run["flows"])
            self.assertAlmostEqual(run["sim_s"], 0.05)


if __name__ == "__main__":
    unittest.main()
