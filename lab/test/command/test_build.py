# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc build FILE.cc: what it asks of cmake, of which a script stands in the place. Copies of a project that ccache compiles."""
import argparse
import os
import shutil
import subprocess
import unittest
from unittest import mock

from support import ROOT, RccTest, captured

from command.system import build, packages

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


PROJECT = """cmake_minimum_required(VERSION 3.13)
project(small C)
include("{}/cmake/rcc-ccache.cmake")
include_directories(inc)
add_executable(small src/small.c)
"""


@unittest.skipUnless(all(shutil.which(tool) for tool in ("cmake", "ninja", "ccache", "gcc")), "cmake, ninja, ccache or gcc is missing")
class Copies(RccTest):
    def compiled(self, folder, cache):
        """What a small program of the folder prints, after a build there."""
        for words in (["cmake", "-S", folder, "-B", os.path.join(folder, "build"), "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc",
                       f"-DRCC_CCACHE={cache}"], ["cmake", "--build", os.path.join(folder, "build")]):
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([os.path.join(folder, "build", "small")], check=True, stdout=subprocess.PIPE, text=True).stdout

    def test_a_copy_notices_its_own_changes(self):
        """In every path: the objects of the first folder are taken for the copy, and what they depend on is the copy's."""
        for name in ("plain", "with blank", "with#sign"):
            first, copy, cache = self.path(name), self.path(name, "build", "copy"), self.path(name, "build", "cache")
            for folder in (first, copy):
                for file, text in (("CMakeLists.txt", PROJECT.format(ROOT)), ("inc/small.h", '#define WORD "old"\n'),
                                   ("src/small.c", '#include <stdio.h>\n#include "small.h"\nint main(void) { return puts(WORD) < 0; }\n')):
                    os.makedirs(os.path.dirname(os.path.join(folder, file)), exist_ok=True)
                    with open(os.path.join(folder, file), "w", encoding="utf-8") as f:
                        f.write(text)
            self.assertEqual([self.compiled(first, cache), self.compiled(copy, cache)], ["old\n", "old\n"], name)
            with open(os.path.join(copy, "inc", "small.h"), "w", encoding="utf-8") as f:
                f.write('#define WORD "new"\n')
            self.assertEqual(self.compiled(copy, cache), "new\n", name)


if __name__ == "__main__":
    unittest.main()
