# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Options at their limits: wrong words, and more than a computer has memory for; files of flow sizes."""
import json
import unittest

from support import RccTest, needs_programs

import program
from command.common import RccError
from command.files import flow_sizes

USUAL = ("--links=h[1-5]-s1", "--flows=h[1-4]-h5", "--time=100us")
MANY = "9" * 5000

# (word of a testbed beside the usual ones, a part of the message)
TESTBED = [
    ("--police=,", "--police has '', expected SWITCH>NODE:RATE"),
    ("--lossless=4,4", "--lossless has '4', expected each class once"),
    ("--links=h1-s1*0,h[2-5]-s1", "expected a number of parallel links after *"),
    ("--links=h[1-100000]-s[1-100000]", "expected at most 1000000 pairs"),
    ("--links=h[1-1000]x[1-100000]-s1", "expected at most 1000000 names"),
    ("--links=h[1-100000]=s[1-99999]", "expected as many names"),
    ("--flows=h[1-4]-h5:repeat=1000000:qps=100000", "expected at most 10000000 in all"),
    ("--flows=h1-h5:repeat=1000000:qps=9,h2-h5:repeat=1000001", "'1000001', expected 1 to 1000000"),
    ("--flows=h1-h5:repeat=1000000:qps=10,h2-h5", "--flows has 'h2-h5', expected at most 10000000 in all"),
    ("--tcp=h[1-300]-h[1-300]:cc=dctcp", "expected at most 60534 pairs of hosts in all"),
    # more digits than Python makes a number of
    (f"--rate={MANY}Gbps", "expected a rate such as 40Gbps"),
    (f"--seed={MANY}", "expected a whole number"),
    (f"--pmax=1/{MANY}", "expected a fraction"),
    (f"--lose=h1:{MANY}", "expected HOST:PACKET"),
    (f"--links=h[1-{MANY}]-s1", "expected ranges such as h[1-4]"),
]

# (words, a part of the message) that the program judges
JUDGED = [
    ("--incasts=4:1TB:0.0001", "--time is '100us', in which no flow arrives"),
    ("--incasts=4:1TB:0.00001:100000", "--time is '100us', in which no flow arrives"),
    ("--cc=dcqcn --kmin=300KB", "dcqcn: kmin is above kmax"),
    ("--tcp=h1-h5 --attr=QbbNetDevice.Mtu=x", "--attr has 'QbbNetDevice.Mtu=x', expected uint16_t"),
    ("--buffer=10KB", "buffer of 10000 bytes cannot be lossless: headroom for 5 ports"),
]


@needs_programs
class Words(RccTest):
    def beside_usual(self, *words):
        """Return the words with the usual ones of those that lack; --incasts takes the place of flows."""
        given = {word.partition("=")[0].replace("--incasts", "--flows") for word in words}
        return [*words, *(word for word in USUAL if word.partition("=")[0] not in given)]

    def test_words_of_a_testbed(self):
        for word, part in TESTBED:
            with self.subTest(word[:80]):
                with self.assertRaises(RccError) as caught:
                    program.read("experiment", self.beside_usual(word), self.scratch)
                self.assertIn(part, str(caught.exception))
                self.assertEqual((caught.exception.status, "\n" in str(caught.exception)), (2, False))

    def test_words_that_the_program_judges(self):
        for words, part in JUDGED:
            with self.subTest(words):
                done = program.run("experiment", [*self.beside_usual(*words.split()), "--check"], self.scratch)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, "^rcc: error: .*\n$")
                self.assertIn(part, done.stderr)

    def test_a_check_simulates_nothing(self):
        done = program.run("experiment", [*USUAL, "--check"], self.scratch)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_rates_that_cannot_fall_are_a_warning(self):
        words = self.beside_usual("--flows=h[1-4]-h5:repeat=1250", "--cc=dcqcn", "--set=dcqcn.r_min=10Mbps")
        done = program.run("experiment", words, self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "dcqcn: r_min x flows = 1e+07 bit/s x 5000 = 5e+10 bit/s is not below the bottleneck's 4e+10 bit/s"
        self.assertTrue(done.stderr.startswith(f"rcc: warning: {said}"), done.stderr)
        self.assertTrue(done.stdout.startswith('{"scenario": "testbed"'), done.stdout[:80])

    def test_a_port_is_recorded_once(self):
        """A port that --record names twice, or that is watched too, has one entry."""
        done = program.run("experiment", self.beside_usual("--record=s1>h5,s1>h1,s1>h1"), self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([port["name"] for port in json.loads(done.stdout)["ports"]], ["s1>h5", "s1>h1"])


class Sizes(RccTest):
    """Files of flow sizes; what is wrong with one is in test_workload.py."""

    def load(self, content):
        self.put("sizes.txt", content)
        return flow_sizes.load(self.path("sizes.txt"))

    def test_percent(self):
        """CRLF, comments, blank lines, tabs, and no newline at the end."""
        sizes = self.load(b"# bytes %\r\n\r\n0 0\r\n1000\t50 # half\r\n  3000 100")
        self.assertEqual(len(sizes.points), 3)
        self.assertAlmostEqual(sizes.mean_bytes(), 0.5 * 500 + 0.5 * 2000, places=9)
        self.assertEqual([sizes.quantile(x) for x in (0, 0.5, 0.75, 1 - 2**-53)], [1, 1000, 2000, 3000])

    def test_probabilities(self):
        """A step, more digits than are kept, and fractions of a byte."""
        sizes = self.load(b"100 0.25\n200.4 0.25\n200.4 0.7500000000000004\n400.5 1.0\n")
        self.assertEqual(sizes.points, [(100, flow_sizes.ONE // 4), (200, flow_sizes.ONE // 4), (200, flow_sizes.ONE // 4 * 3),
                                        (401, flow_sizes.ONE)])
        self.assertEqual([sizes.quantile(x) for x in (0, 0.5, 1 - 2**-53)], [100, 200, 401])
        self.assertAlmostEqual(sizes.mean_bytes(), 25 + 0.5 * 200 + 0.25 * 300.5, places=9)

    def test_one_size(self):
        self.assertEqual([self.load(b"5000 1\n").quantile(x) for x in (0, 1e-17, 0.9)], [5000] * 3)


if __name__ == "__main__":
    unittest.main()
