# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc compare-fct: the same flows in two simulations."""
import json
import unittest

from support import RccTest

from command.common import RccError
from command.files import compare_fct


def row(sip, size, start, fct, ideal=1000, sport=10000):
    return f"{sip:08x} 0b000101 {sport} 100 {size} {start} {fct} {ideal}\n"


class CompareFct(RccTest):
    def test_differences(self):
        a = self.put("a", "".join(row(i, 1000, i, 2000) for i in range(100)))
        b = self.put("b", "".join(row(i, 1000, i, 2200 if i < 90 else 4000) for i in range(100)))
        part = compare_fct.compare(a, b)["all"]
        self.assertAlmostEqual(part["median_difference"], 0.1)
        self.assertAlmostEqual(part["p95_difference"], 1.0)
        self.assertEqual(set(compare_fct.compare(a, a)["all"].values()), {100, 0})    # flows, and no difference
        self.assertEqual(part["ks_slowdown"], 1)   # none of A's slowdowns is as large as any of B's
        self.assertAlmostEqual(compare_fct.compare(b, a)["all"]["median_signed"], 1 / 1.1 - 1)

    def test_matching(self):
        a = self.put("a", row(1, 500, 10, 2000) + row(1, 500, 20, 3000) + row(2, 700, 0, 1000) + row(3, 2 * 10 ** 6, 0, 1000))
        b = self.put("b", row(1, 500, 21, 3000) + row(1, 500, 11, 2000) + row(2, 701, 0, 9) + row(3, 2 * 10 ** 6, 0, 1000))
        found = compare_fct.compare(a, b)
        self.assertEqual((found["only_a"], found["only_b"], found["all"]["flows"]), (1, 1, 3))
        self.assertEqual(found["all"]["p95_difference"], 0, "same flows are matched in the order of their starts")
        self.assertEqual([(part["from_bytes"], part["flows"]) for part in found["by_size"]], [(0, 2), (10 ** 6, 1)])

    def test_ks(self):
        self.assertEqual(compare_fct.ks_distance([1, 2, 3, 4], [1, 2, 3, 4]), 0)
        self.assertEqual(compare_fct.ks_distance([1, 1, 1], [2]), 1)
        self.assertEqual(compare_fct.ks_distance([1, 2, 3, 4], [3, 4, 5, 6]), 0.5)
        self.assertEqual(compare_fct.ks_distance([1, 2], [1]), 0.5)

    def test_malformed(self):
        good = self.put("good", row(1, 500, 10, 2000))
        for text, message in (("", "flows: found none"), ("1 2 3\n", "flow: found 3 words, expected 8"),
                              (row(1, 500, 10, 0), "fct_ns and ideal_ns: found 0 and 1000"),
                              (row(1, 500, 10, 5, sport=70000), "source port: found '70000'"), ("\0", "a byte of value 0")):
            path = self.put("bad", text)
            for pair in ((path, good), (good, path)):
                with self.assertRaises(RccError) as caught:
                    compare_fct.compare(*pair)
                self.assertIn(message, str(caught.exception))
        other = self.put("other", row(9, 1, 1, 1))
        with self.assertRaisesRegex(RccError, "found no flow that both have"):
            compare_fct.compare(good, other)

    def test_the_command(self):
        path = self.put("a", row(1, 500, 10, 2000))
        done = self.rcc("compare-fct", "a", "a")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("only in A: 0   only in B: 0", done.stdout)
        self.assertEqual(json.loads(self.rcc("compare-fct", path, path, "--json").stdout)["all"]["flows"], 1)
        self.assert_refused(self.rcc("compare-fct", "a", "missing"), "missing: No such file")


if __name__ == "__main__":
    unittest.main()
