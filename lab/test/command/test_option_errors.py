# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Options at their limits: wrong words, and more than a computer has memory for; pairs one by one; files of flow sizes."""
import json
import unittest

from support import RccTest, needs_programs

import program
from command.common import RccError
from command.experiment import names
from command.files import flow_sizes
from command.run import simulation

USUAL = ("--links=h[1-5]-s1", "--flows=h[1-4]-h5", "--time=100us")
MANY = "9" * 5000

# (word of a testbed beside the usual ones, a part of the message)
TESTBED = [
    ("--police=,", "--police has '', expected SWITCH>NODE:RATE"),
    ("--lossless=4,4", "--lossless has '4', expected each class once"),
    ("--strict=4,4", "--strict has '4', expected each class once"),
    ("--strict=x", "--strict has 'x', expected "),
    ("--links=h1-s1*0,h[2-5]-s1", "expected a number of parallel links after *"),
    ("--links=h[1-100000]-s[1-100000]", "expected at most 1000000 pairs"),
    ("--links=h[1-1000]x[1-100000]-s1", "expected at most 1000000 names"),
    ("--links=h[1-100000]=s[1-99999]", "expected as many names"),
    ("--flows=h[1-4]-h5:repeat=1000000:qps=100000", "expected at most 10000000 in all"),
    ("--flows=h1-h5:repeat=1000000:qps=9,h2-h5:repeat=1000001", "'1000001', expected 1 to 1000000"),
    ("--flows=h1-h5:repeat=1000000:qps=10,h2-h5", "--flows has 'h2-h5', expected at most 10000000 in all"),
    ("--tcp=h[1-300]-h[1-300]:cc=dctcp", "expected at most 60534 pairs of hosts in all"),
    ("--set=dcqcn.g=1/16,dcqcn.g=1/32", "--set: dcqcn.g is given twice"),
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

# (word of incast, parts of the message)
INCAST = [
    ("--cc=dcqn", "unknown algorithm 'dcqn', expected one of dcqcn, dcqcn-nic, dcqcn-hpcc, dcqcn-plus, dcqcn-plus-share, qcn",
     "the nearest is 'dcqcn'"),
    ("--preset=papr", "dcqcn has no preset 'papr', expected one of paper, ", "cx4"),
    ("--rate=40", "--rate is '40', expected a rate"),
    ("--rate=-1Gbps", "--rate is '-1Gbps', expected a rate such as 40Gbps"),
    ("--rate=17Tbps", "--rate is '17Tbps', expected 1Mbps to 16Tbps"),
    ("--time=nan", "--time is 'nan', expected a time"),
    ("--flows=0", "--flows is '0', expected 1 to 1000000"),
    ("--flows=1e99", "--flows is '1e99', expected "),
    ("--kmin=1..2KB", "--kmin is '1..2KB', expected a size"),
    ("--set=dcqcn.timr=1us", "--set: dcqcn has no parameter 'timr'; the nearest is 'timer'"),
    ("--set=dcqcn", "--set is 'dcqcn', expected ALGORITHM.PARAMETER=VALUE"),
    ("--set=dqcn.timer=1us", "unknown algorithm 'dqcn'", "the nearest is 'dcqcn'"),
]


@needs_programs
class Words(RccTest):
    def beside_usual(self, *words):
        """Return the words with the usual ones of those that lack; --incasts takes the place of flows."""
        given = {word.partition("=")[0].replace("--incasts", "--flows") for word in words}
        return [*words, *(word for word in USUAL if word.partition("=")[0] not in given)]

    def assert_says(self, read, *parts):
        with self.assertRaises(RccError) as caught:
            read()
        self.assertEqual(caught.exception.status, 2)
        self.assertNotIn("\n", str(caught.exception))
        for part in parts:
            self.assertIn(part, str(caught.exception))

    def test_words_of_a_testbed(self):
        for word, part in TESTBED:
            with self.subTest(word[:80]):
                self.assert_says(lambda word=word: program.read("experiment", self.beside_usual(word), self.scratch), part)

    def test_words_of_incast(self):
        for word, *parts in INCAST:
            with self.subTest(word):
                self.assert_says(lambda word=word: simulation.of_scenario("incast", [word]), *parts)

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


class Pairs(unittest.TestCase):
    def test_one_by_one(self):
        """Pairs of A=B take no longer than their number; so many links would not end within a test."""
        found = names.expand_pairs("links", "a[1-100000]=b[1-50000]")
        self.assertEqual((len(found), *found[:2], found[-1]), (100000, ("a1", "b1"), ("a2", "b1"), ("a100000", "b50000")))
        self.assertEqual(names.expand_pairs("links", "a[1-3]=b"), [("a1", "b"), ("a2", "b"), ("a3", "b")])
        self.assertEqual(len(names.expand_pairs("links", "a[1-1000]-b[1-1000]")), 1000000)


class Sizes(RccTest):
    """Files of flow sizes; what is wrong with one is in test_workload.py."""

    def load(self, content):
        with open(self.path("sizes.txt"), "wb") as f:
            f.write(content)
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
