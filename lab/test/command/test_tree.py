# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc test --tree without apt and without ns-3: sources lists, the cache, what happens to half of it."""
import os
import re
import unittest
from unittest import mock

import support
from support import RccTest

from command import common
from command.system import install, packages
from stages import apt_source, copies, main, portability, source_tree
from stages.outcome import Outcome

DEBIAN = """# a comment
Types: deb
# another
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb deb-src
URIs: http://elsewhere.org/x
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc=
 -----END PGP PUBLIC KEY BLOCK-----

Enabled: no
Types: deb
URIs: http://off.org/
Suites: bookworm
Components: main
"""
POLICY = "libns3-dev:\n  Installed: {0}\n  Candidate: 3.37-2\n  Version table:\n     3.41-1 100\n *** 3.37-2 500\n"


class Apt(RccTest):
    def test_lists_ask_for_source_packages(self):
        os.makedirs(self.path("sources.list.d"))
        os.mkdir(self.path("lists"))
        classic = "# deb http://no.org/d sid main\ndeb http://a.org/d s main # why\n  deb [signed-by=/k.gpg] https://b.org/d/ s x\n"
        for name, text in (("sources.list", classic), ("sources.list.d/debian.sources", DEBIAN),
                           ("sources.list.d/c.list.save", "deb x y z")):
            self.put(name, text)
        with mock.patch.object(apt_source, "LISTS", self.scratch):
            self.assertEqual(apt_source.write_lists(self.path("lists")), 2)
        self.assertEqual(sorted(os.listdir(self.path("lists"))), ["debian.sources", "sources.list"])
        self.assertEqual(self.read("lists", "sources.list"), "# deb http://no.org/d sid main\ndeb-src http://a.org/d s main # why\n"
                         "deb-src [signed-by=/k.gpg] https://b.org/d/ s x\n")
        text = self.read("lists", "debian.sources")
        self.assertEqual(text.count("Types: deb-src\n"), 3)
        self.assertNotIn("Types: deb\n", text)
        self.assertEqual(text.replace("Types: deb-src", "Types: deb"), DEBIAN.replace("Types: deb deb-src", "Types: deb"))

    def test_policy(self):
        self.assertEqual(apt_source.read_policy(POLICY.format("3.37-2")), "3.37-2")
        self.assertEqual(apt_source.read_policy(POLICY.format("(none)")), "3.37-2")
        self.assertEqual(apt_source.read_policy(""), "")
        self.assertEqual(apt_source.read_policy("libns3-dev:\n  Installed: (none)\n  Candidate: (none)\n"), "")

    def test_no_network(self):
        self.put_script("tools/apt-get", 'case "$*" in *update*) echo "W: Failed to fetch http://x/InRelease  Could not resolve \'x\'"; '
                        'exit 0;; esac\necho "E: Unable to find a source package for ns3"; exit 100')
        with mock.patch.dict(os.environ, {"PATH": self.path("tools") + os.pathsep + os.environ["PATH"]}), \
                mock.patch.object(apt_source, "write_lists", lambda folder: 1), \
                self.assertRaisesRegex(common.RccError, "Failed to fetch http://x/InRelease  Could not resolve 'x'"):
            apt_source.fetch("3.37-2", self.path("fetch"))


NS3 = """#!/bin/sh
[ "$1" = configure ] || exit 3
CLICOLOR=1
mkdir -p cmake-cache build && date >> configured
echo $CLICOLOR >> cmake-cache/colour
"""
CMAKE = """#!/bin/sh
[ "$1" = --build ] || exit 3
echo "$CLICOLOR" >> "$2/colour"
if [ -e "$2/poison" ]; then printf '\\033[31mpoisoned\\033[0m\\n'; exit 1; fi
grep -q BROKEN contrib/rcc/core/cc/rcc.h && { echo "error: broken header"; exit 1; }
exit 0
"""


class Tree(RccTest):
    """A tree whose ./ns3 and cmake are scripts of a few lines."""

    def setUp(self):
        super().setUp()
        self.fetched = 0
        self.tree = source_tree.Tree("3.99-1", self.path("cache"))
        os.mkdir(self.tree.folder)
        self.write(os.path.join(self.bin, "cmake"), CMAKE)
        for patch in (mock.patch.dict(os.environ, {"PATH": self.bin + os.pathsep + os.environ["PATH"]}),
                      mock.patch.object(apt_source, "fetch", self.fetch)):
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)

    def fetch(self, _version, folder):
        self.fetched += 1
        place = os.path.join(folder, "source", "ns-3.99")
        os.makedirs(os.path.join(place, "src", "core"))
        os.mkdir(os.path.join(place, "scratch"))
        self.write(os.path.join(place, "ns3"), NS3)
        return place

    def inside(self, *parts):
        return os.path.join(self.tree.source, *parts)

    def configured(self):
        with open(self.inside("configured"), encoding="utf-8") as f:
            return len(f.readlines())

    def test_cold_then_warm(self):
        self.assertFalse(self.tree.is_warm())
        source_tree.make(self.tree)
        self.assertTrue(self.tree.is_warm())
        self.assertTrue(os.path.exists(self.inside("contrib", "rcc", "model", "nic", "rdma-nic.cc")))
        self.assertTrue(os.path.exists(self.inside("contrib", "rcc-run", "rcc-run.cc")))
        self.assertFalse(os.path.exists(self.inside("contrib", "rcc", "lab")))
        source_tree.make(self.tree)
        self.assertEqual((self.fetched, self.configured()), (1, 1))
        # ns-3 makes it a compiler option, and one that changes would build everything anew
        self.assertEqual(self.read("cache", "ns-3", "cmake-cache", "colour"), "1\n" * 3)

    def test_half_fetched(self):
        self.write(os.path.join(self.tree.folder, "fetch", "download", "x.tar.bz2"), "half")
        source_tree.make(self.tree)
        self.assertTrue(self.tree.is_warm())
        self.assertFalse(os.path.exists(os.path.join(self.tree.folder, "fetch")))

    def test_half_built(self):
        source_tree.make(self.tree)
        os.unlink(self.tree.complete)
        self.write(self.inside("cmake-cache", "poison"), "")
        self.assertFalse(self.tree.is_warm())
        source_tree.make(self.tree)  # made anew
        self.assertTrue(self.tree.is_warm())
        self.assertEqual(self.configured(), 2)

    def test_what_does_not_build_is_our_fault_once_it_was_complete(self):
        source_tree.make(self.tree)
        self.write(self.inside("cmake-cache", "poison"), "")
        with self.assertRaisesRegex(common.RccError, "building the module in ns-3's tree failed.*\n(.*\n)*poisoned\n?$"):
            source_tree.make(self.tree)
        self.assertTrue(os.path.exists(self.inside("cmake-cache", "poison")))  # files that took minutes are kept
        self.assertTrue(self.tree.is_warm())

    def test_sync(self):
        place = self.inside("contrib", "rcc")
        count = len(install.files())
        self.assertEqual(copies.sync(place), count)
        self.assertEqual(copies.sync(place), 0)
        header, stale = os.path.join(place, "core", "cc", "rcc.h"), os.path.join(place, "core", "cc", "stale.c")
        os.utime(os.path.join(place, "core", "cc", "rp.c"), (1000, 1000))
        self.write(stale, "int x;\n")
        self.write(header, "other\n")
        self.assertEqual(copies.sync(place), 2)
        self.assertFalse(os.path.exists(stale))  # would be compiled
        self.assertEqual(os.path.getmtime(os.path.join(place, "core", "cc", "rp.c")), 1000)  # an unchanged file is not touched
        with open(header, encoding="utf-8") as f:
            self.assertIn("rcc_find", f.read())


class Stages(RccTest):
    def outcome(self, asked, tree):
        outcome = Outcome()
        with mock.patch.object(source_tree, "find", lambda: tree), \
                mock.patch.dict(os.environ, {"RCC_TEST_TREE": "1" if asked else ""}):
            source_tree.stage(outcome)
        return outcome

    def test_cold_cache_is_said(self):
        tree = source_tree.Tree("3.99-1", self.path("cache"))
        outcome = self.outcome(False, tree)
        self.assertEqual((outcome.passed, outcome.failed), (0, 0))
        self.assertIn("skipped: no ns-3 3.99-1 source tree is built yet; `./rcc test --tree` builds one", outcome.lines[0])

    def test_no_package(self):
        self.assertIn("skipped: apt knows no libns3-dev", self.outcome(False, None).lines[0])
        self.assertEqual(self.outcome(True, None).failed, 1)

    def test_asked_but_no_network(self):
        def fail(*_):
            raise common.RccError("ns-3's source package could not be had: no network", 1)
        tree = source_tree.Tree("3.99-1", self.path("cache"))
        with mock.patch.object(apt_source, "fetch", fail), mock.patch.object(packages, "ensure", lambda *_: None):
            outcome, _, said = support.captured(self.outcome, True, tree)
        self.assertEqual((outcome.passed, outcome.failed), (0, 1))
        self.assertIn("no network", "\n".join(outcome.lines))
        self.assertIn("building ns-3 3.99-1 from its source package", said)
        self.assertFalse(tree.is_warm())

    def test_no_program_has_the_name_of_a_module(self):
        """From 3.43 on, that is the target of the module's library: a program of its name is not built."""
        with open(os.path.join(support.ROOT, "lab", "run", "CMakeLists.txt"), encoding="utf-8") as f:
            text = f.read()
        programs, modules = re.findall(r"run_program\((rcc[\w-]*) ", text), re.findall(r"^ +LIBNAME (\S+)$", text, re.MULTILINE)
        self.assertEqual((len(programs), len(modules)), (3, 1))
        self.assertFalse(set(programs) & set(modules))

    def test_names_of_suites_and_examples(self):
        self.assertIn("rcc-switch", source_tree.suites())
        self.assertIn("rcc-wire", source_tree.suites())
        self.assertEqual(len(source_tree.suites()), len(set(source_tree.suites())))
        programs = {line.split()[0] for line in source_tree.examples()}
        there = {name[:-3] for name in os.listdir(os.path.join(support.ROOT, "examples")) if name.endswith(".cc")}
        self.assertEqual(programs, there | {"rcc-bench", "rcc-catalog"})


class Environment(unittest.TestCase):
    def test_what_a_user_has_set_changes_no_test(self):
        """RCC_MAX_EVENTS ends runs early, COLUMNS wraps lines; that nothing is to be installed holds for tests too."""
        with mock.patch.dict(os.environ, {"RCC_MAX_EVENTS": "5", "COLUMNS": "40", packages.NO_INSTALL: "1"}):
            main.own_environment()
            self.assertEqual([os.environ.get(name) for name in ("RCC_MAX_EVENTS", "COLUMNS", packages.NO_INSTALL)], [None, None, "1"])


class Portability(unittest.TestCase):
    def test_what_is_absent_is_named(self):
        arm = next(t for t in portability.targets() if t.emulator == "aarch64")
        self.assertEqual(portability.absent(arm, {"aarch64": "no network\nmore"}), "no network")
        self.assertEqual(portability.absent(arm._replace(words=["no-such-compiler"]), {}), "no-such-compiler is not installed")

    def test_some_groups(self):
        here, absent = packages.Need("a", "a", lambda: "here", ""), packages.Need("b", "the b", lambda: "", "")

        def fail(_):
            raise common.RccError("no network", 1)
        with mock.patch.object(packages, "install", fail), mock.patch.object(packages, "is_debian", lambda: True), \
                mock.patch.dict(os.environ, {packages.NO_INSTALL: ""}):
            self.assertEqual(packages.ensure_some({"x": [here], "y": [absent]}), {"y": "no network"})
        with mock.patch.object(packages, "is_debian", lambda: False):
            self.assertEqual(packages.ensure_some({"x": [here], "y": [absent]}), {"y": "missing: the b"})


if __name__ == "__main__":
    unittest.main()
