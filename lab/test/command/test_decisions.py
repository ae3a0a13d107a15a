# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Decisions have names: those that parameters and flips refer to have a row in doc/decisions.md, and none is a bare number."""
from __future__ import annotations

import glob
import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from evidence.published.decisions import FLIPS  # noqa: E402  (the path comes first)

TEXTS = ("core/*/*.[ch]", "model/*/*.cc", "model/*/*.h", "helper/*.cc", "helper/*.h", "examples/*.cc", "examples/*/*.[ch]",
         "doc/*.md", "doc/*.rst", "README.md", "lab/*/*.cc", "lab/*/*.h", "lab/*/*.py", "lab/command/*/*.py", "lab/doc/*.md")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def rows() -> set:
    """The names in the first column of the tables."""
    return set(re.findall(r"^\| `(\w+)` \|", read("doc/decisions.md"), re.MULTILINE))


class Decisions(unittest.TestCase):
    def test_sources_name_rows(self) -> None:
        found = set()
        for path in glob.glob(os.path.join(ROOT, "core", "*", "*.[ch]")):
            for names in re.findall(r"decisions? (`\w+`(?: and `\w+`)*)", read(path)):
                found |= set(re.findall(r"`(\w+)`", names))
        self.assertIn("pacing", found)
        self.assertEqual(found - rows(), set())

    def test_flips_name_rows(self) -> None:
        self.assertEqual({flip.name for flip in FLIPS if flip.settings} - rows(), set())

    def test_no_bare_numbers(self) -> None:
        for pattern in TEXTS:
            for path in glob.glob(os.path.join(ROOT, pattern)):
                self.assertEqual(re.findall(r"(?i)decisions? \d+", read(path)), [], path)


if __name__ == "__main__":
    unittest.main()
