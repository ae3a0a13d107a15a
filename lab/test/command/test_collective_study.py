# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""lab/studies/collectives.md: its table is that of its rows, and a row is what its command gives."""
import json
import os
import sys
import unittest

from support import ROOT, RccTest, needs_programs

sys.path.append(os.path.join(ROOT, "lab"))
from studies import collective_study as study  # noqa: E402


class Page(unittest.TestCase):
    def test_table(self):
        with open(os.path.join(ROOT, "lab", "studies", study.STUDY.text), encoding="utf-8") as f:
            self.assertEqual(f.read(), study.page(), "python3 lab/studies/collective_study.py --tables")

    def test_rows(self):
        """Each row is one of the study, and no seed is missing before one that is there."""
        have, wanted = study.STUDY.read(), [study.key_of(run) for run in study.runs()]
        self.assertLessEqual(set(have), set(wanted))
        self.assertEqual(list(have), [key for key in wanted if key in have])
        for *key, seed in have:
            self.assertTrue(seed == "1" or (*key, str(int(seed) - 1)) in have, (key, seed))


@needs_programs
class Rows(RccTest):
    def test_a_row(self):
        """One of each choice of paths."""
        for key in (("all-reduce", "128", "DCQCN nic-default", "ECMP", "1", "1"), ("all-to-all", "128", "HPCC", "spraying", "1", "1")):
            run = next(run for run in study.runs() if study.key_of(run) == key)
            done = self.rcc("run", "collective", *study.words(run), "--no-plots", "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(self.read("out", "collective", "summary.json"))["runs"][0]["collective"]["bus_bps"] / 1e9
            self.assertAlmostEqual(found / study.STUDY.read()[key]["busbw_gbps"], 1, delta=0.001, msg=key)


if __name__ == "__main__":
    unittest.main()
