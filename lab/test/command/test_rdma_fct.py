# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc fct: tables worked out by hand, files side by side, and what is wrong with a file."""
import json
import os
import random
import unittest
import unittest.mock

from support import RccTest

from command import common
from command.files import fct
from command.results.draw import drawing
from command import owned
from command.system import packages


def row(size, slowdown, ideal=1000, dport=100, start=2_000_000_000):
    return f"0b000101 0b000201 10000 {dport} {size} {start} {int(ideal * slowdown)} {ideal}\n"


# 20 flows of 1000, 2000, ... bytes; the k-th has slowdown k. A tenth has 2 flows: floor(2 p) is the larger for all three.
TWENTY = "".join(row(1000 * k, k) for k in range(1, 21))
TENTHS = """\
slowdown                                 fct.txt
          to size  flows     p50     p95     p99
0-10 %       2 KB      2   2.000   2.000   2.000
10-20 %      4 KB      2   4.000   4.000   4.000
20-30 %      6 KB      2   6.000   6.000   6.000
30-40 %      8 KB      2   8.000   8.000   8.000
40-50 %     10 KB      2  10.000  10.000  10.000
50-60 %     12 KB      2  12.000  12.000  12.000
60-70 %     14 KB      2  14.000  14.000  14.000
70-80 %     16 KB      2  16.000  16.000  16.000
80-90 %     18 KB      2  18.000  18.000  18.000
90-100 %    20 KB      2  20.000  20.000  20.000
all         20 KB     20  11.000  20.000  20.000
"""
HALVES = """\
slowdown                                       a                    b
          to size  flows     p50     p95     p99    p50    p95    p99
0-50 %      10 KB     10   6.000  10.000  10.000  2.000  2.000  2.000
50-100 %    20 KB     10  16.000  20.000  20.000  2.000  2.000  2.000
all         20 KB     20  11.000  20.000  20.000  2.000  2.000  2.000
"""
BY_SIZE = """\
slowdown                           a.txt                       b.txt
           flows     p50     p95     p99  flows    p50    p95    p99
to 10 KB      10   6.000  10.000  10.000             -      -      -
to 100 KB     10  16.000  20.000  20.000      1  3.000  3.000  3.000
to 1 MB                -       -       -      1  5.000  5.000  5.000
all           20  11.000  20.000  20.000      2  5.000  5.000  5.000
"""

# (content of fct.txt, part of the message after the file's name)
MALFORMED = [
    (b"", ":1: flows: found none, expected at least one row"),
    (b"\n \r\n", ":2: flows: found none"),
    (b"0b000101 0b000201 10000 100 1000 2000000000 1000\n", ":1: flow: found 7 words, expected 8"),
    (b"\n0b00010g 0b000201 10000 100 1000 0 1 1\n", ":2: source address: found '0b00010g', expected 8 hexadecimal"),
    (b"0b000101 11.0.2.1 10000 100 1000 0 1 1\n", ":1: destination address: found '11.0.2.1'"),
    (b"0b000101 0b000201 10000 99999 1000 0 1 1\n", ":1: destination port: found '99999', expected a number from 0 to 65535"),
    (b"0b000101 0b000201 10000 100 1e3 0 1 1\n", ":1: bytes: found '1e3', expected a number"),
    (b"0b000101 0b000201 10000 100 1000 0 nan 1\n", ":1: completion time: found 'nan', expected a number"),
    (b"0b000101 0b000201 10000 100 1000 0 1 0\n", ":1: ideal time: found 0, expected at least 1 ns"),
    (b"0b000101 0b000201 10000 100 1000 0 1 99999999999999999999999\n", ":1: ideal time: found '9999"),
    (b"0b000101 0b000201 10000 100 1000 0 1 1\n0b0001\n", ":2: flow: found 1 words, expected 8"),
    (b"time: 2000000000\n", ":1: flow: found 2 words, expected 8"),
    (b"0b000101 0b000201 10000\x00 100 1000 0 1 1\n", ":1: line: found a byte of value 0, expected text"),
    (bytes(range(128, 256)), ":1: flow: found"),
    (b"1" * (1 << 21), ":1: line: found more than 1048576 bytes, expected text"),
]

# (arguments, a part of the one line on stderr); fct.txt is TWENTY
REFUSED = [
    ("fct", "FILE"),
    ("fct missing.txt", "missing.txt: No such file"),
    ("fct .", ".: found a directory"),
    ("fct fct.txt missing.txt", "missing.txt: No such file"),
    ("fct fct.txt --step=0", "--step=0: expected a divisor of 100"),
    ("fct fct.txt --step=30", "--step=30: expected a divisor of 100"),
    ("fct fct.txt --step=x", "--step=x: expected a whole number"),
    ("fct fct.txt --dport=65536", "--dport=65536: expected a port"),
    ("fct fct.txt --dport=200", "fct.txt:20: flows: found none that --dport and --until leave"),
    ("fct fct.txt --until=1s", "fct.txt:20: flows: found none that --dport and --until leave"),
    ("fct fct.txt --until=3", "--until=3: expected a time"),
    ("fct fct.txt --plot=x.gif", "--plot=x.gif: expected a name that ends in .png, .svg or .pdf"),
    ("fct fct.txt --plot=nowhere/x.png", "--plot=nowhere/x.png: no such folder"),
    ("fct fct.txt --by-sise", "did you mean --by-size?"),
]


class Fct(RccTest):
    def out(self, *words):
        done = self.rcc("fct", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_tenths(self):
        """The order of rows and the form of line ends do not matter."""
        rows = TWENTY.splitlines(True)
        random.Random(1).shuffle(rows)
        for text in (TWENTY, "".join(rows), "\r\n" + TWENTY.replace("\n", "\r\n").rstrip()):
            self.put("fct.txt", text)
            self.assertEqual(self.out("fct.txt"), TENTHS)

    def test_side_by_side(self):
        self.put("a/fct.txt", TWENTY)
        self.put("b/fct.txt", "".join(row(1000 * k, 2) for k in range(1, 21)))
        self.assertEqual(self.out("a/fct.txt", "b/fct.txt", "--step=50"), HALVES)

    def test_fixed_sizes_and_different_flows(self):
        self.put("a.txt", TWENTY)
        self.put("b.txt", row(10_001, 3) + row(1_000_000, 5))
        self.assertEqual(self.out("--by-size", "a.txt", "b.txt"), BY_SIZE)

    def test_edges_of_the_buckets(self):
        flows = fct.Flows("x", [(size, 1.0) for size in (0, 10_000, 10_001, 100_000, 100_001, 5 * 10**12)], 0, 1.0)
        self.assertEqual([(g.to_bytes, g.flows) for g in fct.by_size(flows)],
                         [(10**4, 2), (10**5, 2), (10**6, 1), (10**13, 1)])

    def test_groups_hold_every_flow_once(self):
        for n in (1, 3, 7, 99, 101):
            for step in (5, 10, 20, 100):
                groups = fct.by_count(fct.Flows("x", [(i, 1.0) for i in range(n)], 0, 1.0), step)
                self.assertEqual(sum(g.flows for g in groups), n)
                self.assertEqual(groups[-1].to_bytes, n - 1, "the largest flow is in the last group")

    def test_percentile(self):
        values = list(range(100))
        self.assertEqual([fct.percentile(values, p) for p in (50, 95, 99)], [50, 95, 99])
        self.assertEqual([fct.percentile(values[:1], p) for p in (50, 95, 99)], [0, 0, 0])

    def test_ports_and_times(self):
        self.put("fct.txt", row(1000, 2) + row(1000, 9, dport=200) + row(1000, 5, start=2_999_995_000))
        self.assertIn("all          1 KB      1  9.000", self.out("fct.txt", "--dport=200"))
        self.assertIn("all          1 KB      1  2.000", self.out("fct.txt", "--dport=100", "--until=3s"))

    def test_faster_than_ideal(self):
        self.put("fct.txt", row(1000, 0.5) + row(1000, 2))
        done = self.rcc("fct", "fct.txt", "--json")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "rcc: warning: fct.txt: 1 of 2 flows ended before their ideal time, one after 0.500 of it; "
                         "counted as slowdown 1\n")
        self.assertEqual([g["p50"] for g in json.loads(done.stdout)["files"][0]["groups"]], [1.0, 2.0])
        # the ideal time has a whole packet on every link: a little less than it is no reason to warn
        self.put("fct.txt", row(1000, 0.98) + row(1000, 2))
        value = json.loads(self.out("fct.txt", "--json"))["files"][0]
        self.assertEqual((value["faster_than_ideal"], value["least"], value["groups"][0]["p50"]), (1, 0.98, 1.0))

    def test_json(self):
        self.put("fct.txt", TWENTY)
        value = json.loads(self.out("fct.txt", "--step=50", "--json"))
        self.assertEqual(value, {"by": "count", "files": [
            {"file": "fct.txt", "flows": 20, "faster_than_ideal": 0, "least": 1.0, "groups": [
                {"name": "0-50 %", "to_bytes": 10000, "flows": 10, "p50": 6.0, "p95": 10.0, "p99": 10.0},
                {"name": "50-100 %", "to_bytes": 20000, "flows": 10, "p50": 16.0, "p95": 20.0, "p99": 20.0}],
             "all": {"name": "all", "to_bytes": 20000, "flows": 20, "p50": 11.0, "p95": 20.0, "p99": 20.0}}]})

    def test_malformed(self):
        for content, fragment in MALFORMED:
            with self.subTest(content[:60]):
                self.put("fct.txt", content)
                self.assert_refused(self.rcc("fct", "fct.txt"), "fct.txt" + fragment)

    def test_refused(self):
        self.put("fct.txt", TWENTY)
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.assert_refused(self.rcc(*line.split()), fragment)
                self.assertEqual(sorted(os.listdir(self.scratch)), ["bin", "fct.txt"])

    @unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
    def test_plot(self):
        self.put("a/fct.txt", TWENTY)
        self.put("b/fct.txt", row(10_001, 3) + row(1_000_000, 500))
        for extra in ([], ["--by-size"]):
            self.assertIn("plot: x.png", self.out("a/fct.txt", "b/fct.txt", "--plot=x.png", *extra))
            with open(self.path("x.png"), "rb") as f:
                first = f.read()
            self.assertTrue(first.startswith(b"\x89PNG"))
            self.out("a/fct.txt", "b/fct.txt", "--plot=x.png", *extra)
            with open(self.path("x.png"), "rb") as f:
                self.assertEqual(f.read(), first, "the same flows give the same bytes")
        os.symlink("x.png", self.path("link.png"))
        self.out("a/fct.txt", "--plot=link.png")
        self.assertEqual(os.readlink(self.path("link.png")), "x.png")

    def test_a_plot_that_is_not_its_own(self):
        """Somebody's file, also behind a link, and a file of another command stay as they are."""
        self.put("fct.txt", TWENTY)
        self.put("mine.png", "mine")
        os.symlink("mine.png", self.path("link.png"))
        os.symlink("nowhere.png", self.path("loose.png"))
        os.mkfifo(self.path("fifo.png"))
        owned.record(self.scratch, [], "./rcc run", ["other.png"])
        self.put("other.png", "mine")
        before = sorted(os.listdir(self.scratch))
        for name in ("mine.png", "link.png", "loose.png", "fifo.png", "other.png"):
            self.assert_refused(self.rcc("fct", "fct.txt", f"--plot={name}"), f"--plot={name}: the file there is not from ./rcc fct")
        self.assertEqual((self.read("mine.png"), self.read("other.png"), sorted(os.listdir(self.scratch))), ("mine", "mine", before))

    def test_a_plot_that_fails_is_not_listed(self):
        self.put("fct.txt", TWENTY)
        with unittest.mock.patch.object(drawing, "plotting_process", lambda *_: "no matplotlib"), \
                self.assertRaisesRegex(common.RccError, "no matplotlib"):
            fct.draw({}, self.path("x.png"))
        self.assertEqual(sorted(os.listdir(self.scratch)), ["bin", "fct.txt"])


if __name__ == "__main__":
    unittest.main()
