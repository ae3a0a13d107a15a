# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A short one of the long runs of lab/test/properties/long.py, and that it can fail."""
import os
import sys
import unittest

from support import BUILD, ROOT, RccTest, needs_programs

sys.path.append(os.path.join(ROOT, "lab", "test", "properties"))
import long  # noqa: E402


@needs_programs
class Long(RccTest):
    def test_a_short_one(self):
        for cc in ("dcqcn", "timely"):
            done = long.simulate(BUILD, 400_000, 8, cc)
            self.assertEqual(done.wrong, [], cc)
            self.assertEqual(done.run["packets_delivered"], 400_000)

    def test_a_packet_too_few_is_found(self):
        run = long.simulate(BUILD, 1000, 2, "none").run
        self.assertEqual(long.accounts(run, 1000, 2), [])
        self.assertEqual(len(long.accounts({**run, "packets_delivered": 999}, 1000, 2)), 2)
        self.assertEqual(len(long.accounts({**run, "packets_dropped": 1, "partial": True}, 1000, 2)), 2)
        self.assertEqual(len(long.accounts({**run, "fct": None}, 1000, 2)), 1)

    def test_growth_is_found(self):
        def growth(*sizes, cpu=range(100)):
            return long.growth(list(zip(cpu, sizes)))

        self.assertEqual(growth(5, 90, 90, 90, 90, 90, 90, 90, 90), 0)
        self.assertEqual(growth(5, 90, 90, 90, 90, 90, 90, 91, 90), 1)
        self.assertEqual(growth(1, 2), 0)
        # a busy machine: five looks while the program is loaded
        self.assertEqual(growth(5, 6, 7, 8, 60, 90, 90, 90, 90, cpu=[0, 0, 0, 0, 1, 2, 4, 6, 8]), 0)
        self.assertEqual(growth(5, 6, 7, 8, 60, 90, 90, 90, 99, cpu=[0, 0, 0, 0, 1, 2, 4, 6, 8]), 9)

    def test_a_run_that_fails(self):
        done = long.simulate(BUILD, 1000, 2, "no-such-algorithm")
        self.assertRegex(done.wrong[0], "^status 2: .*no-such-algorithm")


if __name__ == "__main__":
    unittest.main()
