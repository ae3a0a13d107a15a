# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The program in the comment at the head of core/cc/rcc.h compiles without a warning, runs, and does what its comments say."""
from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
CORE = os.path.join(ROOT, "core", "cc")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def recipe() -> str:
    """The lines of the head comment that are indented as code."""
    with open(os.path.join(CORE, "rcc.h"), encoding="utf-8") as f:
        head = f.read().split("#ifndef RCC_H")[0]
    found = re.search(r'^ \*     (#include "rcc.h"\n.*? \*     \}\n)', head, re.MULTILINE | re.DOTALL)
    return re.sub(r"^ \*(     )?", "", found.group(1), flags=re.MULTILINE) if found else ""


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class Recipe(unittest.TestCase):
    def build(self, folder: str, program: str) -> str:
        source, target = os.path.join(folder, "recipe.c"), os.path.join(folder, "recipe")
        with open(source, "w", encoding="utf-8") as f:
            f.write(program)
        words = ["cc", "-std=c11", "-O0", *WARNINGS, f"-I{CORE}", source, *sorted(glob.glob(os.path.join(CORE, "*.c"))), "-o", target]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return target

    def test_runs_as_it_stands(self) -> None:
        program = recipe()
        self.assertIn("rcc_configure", program)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(subprocess.run([self.build(folder, program)], check=False, timeout=60).returncode, 0)

    def test_a_timer_of_zero_is_an_error_not_a_crash(self) -> None:
        program = recipe().replace('rcc_params_init(alg, "paper", params);',
                                   'rcc_params_init(alg, "paper", params);\nparams[rcc_field_find(alg, "timer")] = 0;')
        self.assertIn('"timer"', program)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(subprocess.run([self.build(folder, program)], check=False, timeout=60).returncode, 1)


if __name__ == "__main__":
    unittest.main()
