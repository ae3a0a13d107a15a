# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Remarks, warnings and settings say of a run only what is true of it."""
import unittest

import support  # noqa: F401 - lets the command be found
from command.results import caveats, questions, report, summary
from support import sample_run

FCT = {"count": 100, "mean_s": 0.1, "p50_s": 0.1, "p99_s": 0.1, "max_s": 0.1}


class Fairness(unittest.TestCase):
    def test_nothing_is_no_uneven_share(self):
        """Jain's index of n flows is at least 1/n: a 0 is none, as nobody got anything in the window."""
        runs = [sample_run("a", 1e3, jain=0), sample_run("b", 1e3, jain=0.5)]
        self.assertIn("shared unevenly under b (Jain 0.50)", summary.remarks(runs))
        self.assertNotIn("a (Jain", summary.remarks(runs))
        rows = {row.split()[0]: row.split()[-1] for row in summary.table(runs).splitlines() if row[:2] in ("a ", "b ")}
        self.assertEqual(rows, {"a": "-", "b": "0.500"})

    def test_flows_that_end_share_by_their_sizes(self):
        """Two at line rate, of 1 MB and of 10 KB, have a Jain's index of 0.51."""
        for more in ({"fct": FCT}, {"incomplete": 2}):
            self.assertNotIn("unevenly", summary.remarks([sample_run("a", 1e3, jain=0.51, **more)]))
        self.assertIn("unevenly", summary.remarks([sample_run("a", 1e3, jain=0.51)]))


class Pauses(unittest.TestCase):
    FULL = {"mean_bytes": 4.9e6, "p99_bytes": 4.9e6}
    NEAR = {"mean_bytes": 1e6, "p99_bytes": 4.9e6}

    def test_a_limit_that_pauses_nobody_is_not_reached(self):
        """A class without PFC may fill its buffer beyond it."""
        for queue, words in ((self.FULL, "a sits at the PFC limit"), (self.NEAR, "a reaches the PFC limit")):
            for pauses in (0, 9):
                text = summary.remarks([sample_run("a", 0, queue=queue, pfc={"pauses": pauses, "paused_s": 0.1 * pauses})])
                self.assertEqual(words in text, pauses > 0, text)
                self.assertEqual("PFC" in text, pauses > 0, text)

    def test_who_was_paused(self):
        """`paused_s` is of the ports of hosts: where it is 0 only switches were paused."""
        for paused_s, who in ((0, "switches"), (1e-6, "senders")):
            pfc = {"pauses": 3, "paused_s": paused_s}
            self.assertIn(f"PFC paused {who} at times under a;", summary.remarks([sample_run("a", 1e5, pfc=pfc)]))
            empty = sample_run("a", 0, scenario="clos", packets_marked=0, pfc=pfc)
            self.assertIn(f"packets wait at other ports: {who} were paused under a", caveats.elsewhere([empty], questions.INCAST))
        both = [sample_run(cc, 1e5, pfc={"pauses": 3, "paused_s": paused_s}) for cc, paused_s in (("a", 0), ("b", 1), ("c", 2))]
        self.assertIn("PFC paused senders at times under b and c; PFC paused switches at times under a;", summary.remarks(both))
        self.assertIn("time paused by PFC, all hosts", [label for label, _ in report.MORE])


if __name__ == "__main__":
    unittest.main()
