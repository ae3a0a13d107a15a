# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc build FILE.cc: what it asks of cmake, of which a script stands in the place."""
import argparse
import os
import unittest
from unittest import mock

from support import RccTest, captured

from cli.system import build, packages

CMAKE = """#!/bin/sh
[ "$1" = -S ] && echo "$@" >> "$SAID" && touch "$4/CMakeCache.txt" "$4/build.ninja"
exit 0
"""


class BuildFile(RccTest):
    def test_a_file_that_was_gone(self):
        """What cmake has made without the file, as it was gone when something else configured, does not know it: cmake is asked again."""
        with open(self.path("bin", "cmake"), "w", encoding="utf-8") as f:
            f.write(CMAKE)
        os.chmod(self.path("bin", "cmake"), 0o755)
        with open(self.path("mine.cc"), "w", encoding="utf-8") as f:
            f.write("int main() {}\n")
        environment = {"RCC_BUILD_DIR": self.path("made"), "SAID": self.path("said"),
                       "PATH": self.path("bin") + os.pathsep + os.environ["PATH"]}
        with mock.patch.dict(os.environ, environment), mock.patch.object(packages, "ensure"):
            for _ in range(2):
                status, out, err = captured(build.command, argparse.Namespace(what=[self.path("mine.cc")]))
                self.assertEqual((status, out), (0, os.path.relpath(self.path("made", "mine")) + "\n"), err)
        asked = self.read("said").splitlines()
        self.assertEqual(len(asked), 2)
        for words in asked:
            self.assertIn(f"-DRCC_MAINS={os.path.realpath(self.path('mine.cc'))}", words)


if __name__ == "__main__":
    unittest.main()
