# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Some of the networks of lab/test/properties/sprayed.py, and that what is wrong is found."""
import os
import sys
import unittest

from support import BUILD, ROOT, RccTest
from test_ranks import needs_ranks

sys.path.append(os.path.join(ROOT, "lab", "test", "properties"))
import sprayed  # noqa: E402


@needs_ranks
class Sprayed(RccTest):
    def test_some_networks(self):
        for seed in (4, 9, 12, 14):   # loss and no path; messages that are posted after others, in ranks (9, 12)
            self.assertEqual(sprayed.check(BUILD, seed), [])

    def test_what_is_wrong_is_found(self):
        case = sprayed.draw(9)
        run = sprayed.simulate(case, BUILD, 1)[1]
        self.assertEqual(sprayed.accounts(case, run), [])
        for change in ({"packets_delivered": case.packets - 1}, {"packets_delivered": case.packets + 1}, {"incomplete": 1},
                       {"packets_sent": 1}, {"partial": True}):
            self.assertEqual(len(sprayed.accounts(case, {**run, **change})), 1, change)


if __name__ == "__main__":
    unittest.main()
