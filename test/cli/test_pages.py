# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The pages name what exists: files and functions of doc/architecture.md, versions, and C++ lines that compile."""
from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from cli.common import build_dir  # noqa: E402

ROOMS = ("core", "model", "helper", "ns3-rdma", "scenario", "examples", "cli", "published", "analysis", "test", "tools", "doc")
LARGEST_WAY = 8  # files


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def section(text: str, title: str) -> str:
    """The lines below `## title` up to the next heading of that level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def files_in(text: str) -> list[str]:
    return re.findall(rf"\b(?:{'|'.join(ROOMS)})/[\w./*{{}},-]*[\w*}}]", text)


class Architecture(unittest.TestCase):
    def setUp(self):
        self.text = read("doc/architecture.md")

    def test_files_exist(self):
        """Every path of the page; `a.{h,cc}` means both."""
        paths = files_in(self.text)
        self.assertGreater(len(paths), 20)
        for path in paths:
            choices = re.search(r"\{([^}]*)\}", path)
            for choice in choices.group(1).split(",") if choices else [""]:
                name = path.replace(choices.group(0), choice) if choices else path
                self.assertTrue(glob.glob(os.path.join(ROOT, name)), f"doc/architecture.md: {name} does not exist")

    def test_functions_exist(self):
        """Every `Class::Method` and `rcc_function` of the page is a word of the sources."""
        sources = [path for room in ("core", "model", "helper", "ns3-rdma", "scenario")
                   for pattern in ("*.h", "*.cc", "*.c", "*.def")
                   for path in glob.glob(os.path.join(ROOT, room, "**", pattern), recursive=True)]
        words: set[str] = set()
        for path in sources:
            with open(path, encoding="utf-8") as f:
                words |= set(re.findall(r"\w+", f.read()))
        named = re.findall(r"`(\w+)::(\w+)`", self.text) + [(name,) for name in re.findall(r"`(rcc_\w+)`", self.text)]
        self.assertGreater(len(named), 10)
        for name in named:
            for word in name:
                self.assertTrue(word in words, f"doc/architecture.md: {'::'.join(name)} does not exist")

    def test_ways_are_short(self):
        """A packet's way and an option's way take at most 8 files each, none of them twice."""
        for title in ("A packet's way", "An option's way"):
            steps = re.findall(r"^\d+\. `([^`]+)`", section(self.text, title), re.MULTILINE)
            self.assertGreaterEqual(len(steps), 4, title)
            self.assertLessEqual(len(steps), LARGEST_WAY, title)
            self.assertEqual(len(set(steps)), len(steps), f"{title}: a file twice")
            for path in steps:
                self.assertTrue(os.path.isfile(os.path.join(ROOT, path)), f"{title}: {path}")


class Rooms(unittest.TestCase):
    """A room includes headers of rooms that doc/architecture.md lets it use, and of no others."""
    MAY_USE = {
        "core/cc": set(), "core/wire": set(), "core/transport": {"core/cc"}, "core/port": {"core/cc"},
        "core/switch": {"core/cc"}, "model": {"core"}, "helper": {"core", "model"},
        "ns3-rdma": {"core", "model", "helper"}, "scenario": {"core", "model", "helper", "ns3-rdma"},
    }

    def test_includes(self):
        homes = {}
        for room in self.MAY_USE:
            for path in glob.glob(os.path.join(ROOT, room, "*.h")):
                homes[os.path.basename(path)] = room
        self.assertGreater(len(homes), 40)
        for room, allowed in self.MAY_USE.items():
            for path in glob.glob(os.path.join(ROOT, room, "*.[ch]*")):
                for name in re.findall(r'#include "(?:ns3/)?([\w.-]+)"', read(path)):
                    home = homes.get(name, room)
                    self.assertTrue(home == room or home in allowed or home.split("/")[0] in allowed,
                                    f"{os.path.relpath(path, ROOT)} includes {name} of {home}")


class Versions(unittest.TestCase):
    def test_one_version(self):
        """RCC_VERSION, CITATION.cff and the newest release of CHANGES.md agree."""
        version = re.search(r'#define RCC_VERSION "([\d.]+)"', read("core/cc/rcc.h")).group(1)
        self.assertEqual(re.search(r"^version: (\S+)", read("CITATION.cff"), re.MULTILINE).group(1), version)
        self.assertEqual(re.search(r"^## ([\d.]+)\n", read("CHANGES.md"), re.MULTILINE).group(1), version)

    def test_citation(self):
        """The keys that the Citation File Format 1.2.0 requires."""
        keys = dict(re.findall(r"^([a-z-]+):[ ]?(.*)$", read("CITATION.cff"), re.MULTILINE))
        self.assertEqual(keys["cff-version"], "1.2.0")
        for key in ("message", "title", "authors"):
            self.assertIn(key, keys)
        self.assertIn(keys["type"], ("software", "dataset"))


class Readme(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(os.path.join(build_dir(), "CMakeCache.txt")), "the release build is not there")
    def test_lines_compile(self):
        """The C++ lines of README.md, in a main() with the headers that they need."""
        block = re.search(r"^    QbbHelper helper;.*?(?=^\S)", read("README.md"), re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(block)
        self.assertRegex(block.group(0), r"= star\.sw->Start\(\)", "the lines show how a returned error is checked")
        with open(os.path.join(build_dir(), "CMakeCache.txt"), encoding="utf-8") as f:
            cache = dict(re.findall(r"^(\w+):\w+=(.*)$", f.read(), re.MULTILINE))
        headers = cache.get("NS3_INCLUDE", "/usr/include")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "readme.cc")
            with open(path, "w", encoding="utf-8") as f:
                f.write('#include "ns3/core-module.h"\n#include "ns3/qbb-helper.h"\n\nusing namespace ns3;\n\n'
                        "int\nmain()\n{\n" + block.group(0) + "    return 0;\n}\n")
            words = [cache.get("CMAKE_CXX_COMPILER", "c++"), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                     "-I" + os.path.join(build_dir(), "include"), *([] if headers == "/usr/include" else ["-isystem", headers]),
                     path]
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
