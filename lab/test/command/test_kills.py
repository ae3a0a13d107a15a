# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Commands that are killed at random moments leave folders that can be read and say so. lab/test/properties/kills.py does it 100 times."""
import os
import sys
import unittest

from support import ROOT, RccTest, needs_programs

sys.path.append(os.path.join(ROOT, "lab", "test", "properties"))
import kills  # noqa: E402


@needs_programs
class Kills(RccTest):
    def test_five(self):
        killed, found = kills.run(self.bin, 5, 7, ("run", "ns3-rdma", "sweep"))
        self.assertEqual(found, [])
        self.assertEqual(killed, 5)

    def test_trouble_is_found(self):
        os.makedirs(self.path("x", "dcqcn"))
        for name, text in (("summary.json", '{"runs": [{"seed": 1}, {"seed": 2}]}'), ("dcqcn/run.json", '{"seed": '),
                           ("dcqcn/queue.csv", "time_s,mean\n0.1,5")):
            self.put(f"x/{name}", text)
        found = kills.trouble(self.path("x"))
        self.assertEqual(len(found), 3, found)
        os.makedirs(self.path("y", "unmarked"))
        self.assertEqual(len(kills.trouble(self.path("y"))), 1)


if __name__ == "__main__":
    unittest.main()
