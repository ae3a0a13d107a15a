# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The memory that a network takes: the goals of lab/doc/scale.md."""
import json
import subprocess
import unittest

from support import RccTest, needs_programs, scenario

HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"


def pages_are_huge():
    """True if the system rounds every program's memory up to pages of 2 MiB."""
    try:
        with open(HUGE_PAGES, encoding="ascii") as f:
            return "[always]" in f.read()
    except OSError:
        return False


@needs_programs
@unittest.skipIf(pages_are_huge(), "every page is huge here")
class Memory(RccTest):
    def test_a_fat_tree_of_8192_hosts(self):
        words = ["--k=32", "--cores=256", "--senders=1", "--receivers=1", "--time=1us", "--start=0s"]
        done = subprocess.run(scenario("clos", *words, "--out=" + self.path("large")), cwd=self.scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        peak = json.loads(self.read("large", "run.json"))["peak_rss_bytes"]
        self.assertLess(peak, 120e6)
        self.assertGreater(peak, 60e6, "it is the whole network")


if __name__ == "__main__":
    unittest.main()
