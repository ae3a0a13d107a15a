# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The lint stage reads words: fragments, functions that no verb names, and the dialect of this project are found in C, C++ and Python."""
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import support  # noqa: E402,F401

from doc import doxygen  # noqa: E402
from stages import wording  # noqa: E402
from stages.outcome import Outcome  # noqa: E402

C = '''/* SPDX-License-Identifier: x */
/* Of the next arrival. */
static bool has(int x)
{
    return x; // its class says what it is
}

/**
 * The class of a frame, "//" and all.
 * \\\\return its number
 */
int
QbbSpray::Of(Class& choice, uint8_t cls)
{
    const char* text = "// what no comment is"; // the text
    // What few switches do
    // with a frame.
    int x;     //!< of the flow; else 0
    uint8_t y; //!< the class
    if (x)
    {
    }
}
'''
PYTHON = '''"""What a run says."""
def said(run):
    """Return the sum."""
    return run  # and the rest, alike


def read(run):
    """Read what has happened."""
'''


def words(places):
    return [place.text for place in places]


class Wording(unittest.TestCase):
    def test_c(self):
        comments, names = wording.read_words("core/a.c", C)
        self.assertEqual(words(wording.find_fragments(comments)),
                         ["Of the next arrival.", "its class says what it is", "What few switches do with a frame.", "of the flow; else 0"])
        self.assertEqual(words(wording.find_dialect(comments)), ["of the flow; else 0"])
        self.assertEqual([(name.line, name.text) for name in wording.find_bad_names(names)], [(3, "has"), (13, "Of")])
        self.assertIn("the class", words(comments))
        self.assertNotIn("what no comment is", " ".join(words(comments)))

    def test_python(self):
        comments, names = wording.read_words("test/a.py", PYTHON)
        self.assertEqual(words(wording.find_fragments(comments)), ["What a run says.", "and the rest, alike"])
        self.assertEqual(words(wording.find_dialect(comments)), ["and the rest, alike"])
        self.assertEqual(words(wording.find_bad_names(names)), ["said"])

    def test_every_pattern_of_the_dialect(self):
        for text in ("both are alike", "116 inside of all", "rows inside their bands", "the first; else the last", "ranges as there",
                     "what is none", "a number of which 3 is none", "an algorithm of one's own", "seeds nobody tuned to", "it runs as ever",
                     "the sender hears it", "a NIC believes it", "the rate of now", "arrives however long the queue is", "both in one go",
                     "whoever waits", "the house has rules"):
            with self.subTest(text):
                self.assertEqual(len(wording.find_dialect([wording.Place("a", 1, text)])), 1)
        plain = wording.Place("a", 1, "An if, else a loop, inside the switch; it uses the wall clock, or wall-clock time, before the end")
        self.assertEqual(wording.find_dialect([plain]), [])

    def test_bounds(self):
        """A folder fails one comment above its bound, and a folder without comments fails."""
        def failed(fragments):
            text = "".join(f"/* Of number {i}. */\n" for i in range(fragments)) + "/* The frame. */\n" * (100 - fragments)
            outcome = Outcome()
            with mock.patch.object(wording, "BOUNDS", {"core": 0.03}), mock.patch("builtins.open", mock.mock_open(read_data=text)), \
                    mock.patch.object(wording, "read_page", return_value=[]):
                wording.check(outcome, ["core/a.c"])
            return outcome.lines[:1]
        self.assertEqual(failed(3), [])
        self.assertEqual(failed(4), ["FAIL core/: at most 3% of 100 comments are fragments"])
        outcome = Outcome()
        wording.check(outcome, [])
        self.assertIn("FAIL core/: 0 comments", outcome.lines)


class Described(unittest.TestCase):
    def test_types_that_describe_a_parameter(self):
        """One pointer of a struct and `now` need no line in the core; a number and a second pointer of the struct do."""
        signatures = {"rcc_f": "struct rcc_qp *qp, rcc_time now, uint32_t bytes", "rcc_g": "const struct rcc_hop *a, struct rcc_hop *b"}
        with mock.patch.object(doxygen, "SIGNATURES", signatures):
            for function, names, expected in (("rcc_f", ["qp", "now"], True), ("rcc_f", ["qp", "bytes"], False), ("rcc_g", ["a"], False),
                                              ("rcc_h", ["qp"], False)):
                warning = f"core/x.h:1: warning: The following parameters of {function}(...) are not documented: " + \
                    ", ".join(f"parameter '{name}'" for name in names)
                self.assertEqual(doxygen.is_described(warning), expected, warning)
            self.assertFalse(doxygen.is_described("core/x.h:1: warning: parameters of member rcc_f are not documented"))
        self.assertGreater(len(doxygen.SIGNATURES), 100)


if __name__ == "__main__":
    unittest.main()
