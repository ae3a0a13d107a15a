# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The rates on paths of a CLOS network (lab/evidence/studies/clos_paths.py): fair rates by hand, and paths beside those of a run."""
import csv
import os
import unittest

from support import RccTest, needs_programs

from evidence.studies import clos_paths


class Shares(unittest.TestCase):
    def test_by_hand(self):
        # a and b share link 1; b, c and d have a third of link 2 each, and a has what b leaves
        for rate, expected in zip(clos_paths.shares([(1,), (1, 2), (2,), (2,)]), (2 / 3, 1 / 3, 1 / 3, 1 / 3)):
            self.assertAlmostEqual(rate, expected)

    def test_jain(self):
        self.assertEqual(clos_paths.jain([1, 1, 1, 1]), 1)
        self.assertEqual(clos_paths.jain([1, 0, 0, 0]), 0.25)


@needs_programs
class Paths(RccTest):
    def test_a_run_takes_them(self):
        """The links from the edge switches that carry data, in a fat tree of 4 pods, are those of the hashes."""
        for seed in (3, 5):
            self.succeed("run", "clos", "--k=4", "--cores=2", "--senders=12", "--receivers=2", "--start=0s", "--time=100us",
                         "--perfetto", "--cc=dcqcn-plus", f"--seed={seed}", "--no-plots", "--quiet", f"--out=s{seed}")
            with open(os.path.join(self.scratch, f"s{seed}", "dcqcn-plus", "port_series.csv"), encoding="utf-8") as f:
                sent = {row["port"] for row in csv.DictReader(f) if float(row["sent_bps"]) > 1e9}  # not only acknowledgements
            # hosts are nodes 0 to 15 and ports 0 and 1 of their edge switch, aggregation switches its ports 2 and 3
            expected = {f"switch {16 + sender // 2} port {2 + clos_paths.core_of(seed, sender, 4)}" for sender in range(12)}
            edges = {f"switch {16 + edge} port {port}" for edge in range(6) for port in (2, 3)}
            self.assertEqual(sent & edges, expected)
            self.assertLess(len(expected), 12, "or any would do")


if __name__ == "__main__":
    unittest.main()
