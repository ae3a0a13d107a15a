# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A part of what ./rcc properties checks, and that it can fail."""
import os
import random
import re
import sys
import unittest

from support import BUILD, ROOT, RccTest, needs_programs

sys.path.append(os.path.join(ROOT, "lab", "test", "properties"))
import networks  # noqa: E402


@needs_programs
class Properties(RccTest):
    def test_some_networks(self):
        for seed in (*range(1, 7), 181):   # the island of 181 had a longer link than the network: its receivers closed later
            self.assertEqual(networks.check(BUILD, seed), [])

    def test_a_difference_is_found(self):
        net = networks.make(random.Random(1), tree=True)
        flow = net.flows[0]
        other = net._replace(flows=[flow._replace(packets=flow.packets + 1), *net.flows[1:]])
        with self.assertRaisesRegex(networks.Failure, r"a packet more: flow \d+ was .* and is "):
            networks.equal("a packet more", networks.simulate(BUILD, net, "dcqcn").times(),
                           networks.simulate(BUILD, other, "dcqcn").times())

    def test_the_command(self):
        with open(os.path.join(ROOT, "core", "cc", "algorithms.def"), encoding="utf-8") as f:
            names = re.findall(r"^RCC_ALGORITHM\(", f.read(), re.MULTILINE)
        self.assertGreater(len(names), 13)
        done = self.rcc("properties", "--networks=1", "--first=3")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, rf"^1 networks x {len(names)} algorithms: 0 failures \(.*\)\n$")
        self.assert_refused(self.rcc("properties", "--networks=0"), "--networks: found '0', expected")


if __name__ == "__main__":
    unittest.main()
