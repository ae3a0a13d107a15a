# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc doctor with a PATH and with ns-3 trees of the test's own making."""
import os
import re
import unittest
from unittest import mock

from support import ROOT, RccTest

from command.system import doctor, install

CACHE = "CMAKE_BUILD_TYPE:STRING={}\nNS3_ENABLED_MODULES:STRING={}\nNS3_WARNINGS_AS_ERRORS:BOOL=ON\n"


class Tools(RccTest):
    def setUp(self):
        super().setUp()
        self.tools = self.path("tools")
        os.mkdir(self.tools)

    def tool(self, name, says="1.2", status=0):
        path = os.path.join(self.tools, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\necho "{says}"\nexit {status}\n')
        os.chmod(path, 0o755)

    def doctor(self, *words, **extra):
        return self.rcc("doctor", *words, PATH=self.tools, CXX="", **extra)

    def lines(self, text):
        """what -> (state, words)"""
        return {line.split()[1]: (line.split()[0], line) for line in text.splitlines()
                if line.split()[:1] and line.split()[0] in ("ok", "missing", "MISSING", "look")}


class Machine(Tools):
    def test_nothing_there(self):
        done = self.doctor(NS3_DIR="/nowhere")
        self.assertEqual(done.returncode, 1)
        rows = self.lines(done.stdout)
        for name in ("g++", "cmake", "ninja-build"):
            self.assertEqual(rows[name], ("MISSING", rows[name][1]))
            self.assertIn("nothing can be built", rows[name][1])
        for name, disables in (("tshark", "captures"), ("clang", "core alone with clang"),
                               ("chromium", "report.html"), ("gcc-aarch64-linux-gnu", "the core on aarch64")):
            self.assertEqual(rows[name][0], "missing", name)
            self.assertIn(disables, rows[name][1])
        self.assertEqual(len(re.findall(r"(?m)^MISSING +cmake ", done.stdout)), 1, "each package once")
        self.assertIn("to install what is missing: use your system's packages", done.stdout)

    def test_how_the_programs_were_built(self):
        self.assertEqual(doctor.how_built(""), "")
        cache = "CMAKE_BUILD_TYPE:STRING=Release\nRCC_ARCH:STRING=\nRCC_LTO:BOOL=OFF\n"
        self.assertEqual(doctor.how_built(cache), "Release, RCC_LTO off, RCC_ARCH off")
        cache = cache.replace("ARCH:STRING=", "ARCH:STRING=x86-64-v3").replace("=OFF", "=ON")
        self.assertEqual(doctor.how_built(cache), "Release, RCC_LTO on, RCC_ARCH x86-64-v3")
        self.assertIn("by default: Release, without RCC_LTO and RCC_ARCH", self.doctor().stdout)

    def test_what_is_there_says_its_version(self):
        self.tool("c++", "c++ (Test) 99.1")
        self.tool("cmake", "cmake version 9.9.9")
        self.tool("gcovr", "gcovr 7.7")
        self.tool("tshark", 'Running as root.\nTShark (Wireshark) 5.6.7')
        rows = self.lines(self.doctor().stdout)
        for name, text in (("cmake", "9.9.9"), ("gcovr", "7.7"), ("tshark", "TShark (Wireshark) 5.6.7")):
            self.assertEqual(rows[name][0], "ok")
            self.assertIn(text, rows[name][1])
        self.assertEqual(rows["g++"][0], "MISSING", "a compiler that compiles nothing")

    def test_profile_of_ns3(self):
        os.makedirs(self.path("ns3", "lib"))
        library = self.path("ns3", "lib", "libns3.43-network-debug.so")
        for data, says in ((b"", "asserts off, logs off"), (b"\0assert failed. cond=\0", "asserts on, logs off"),
                           (b"_ZN3ns317LogGetTimePrinterEv assert failed", "asserts on, logs on")):
            with open(library, "wb") as f:
                f.write(b"\x7fELF" + data)
            with mock.patch.dict(os.environ, {"NS3_DIR": self.path("ns3")}):
                self.assertEqual(doctor.installed_ns3(), says)


class Tree(Tools):
    def setUp(self):
        super().setUp()
        for name in ("cc", "c++", "cmake"):
            self.tool(name)
        self.tool("python3", "3 11")

    def tree(self, version, tool):
        os.makedirs(self.path("tree", "src", "core"), exist_ok=True)
        os.makedirs(self.path("tree", "contrib"), exist_ok=True)
        for name, text in (("VERSION", version), (tool, "")):
            with open(self.path("tree", name), "w", encoding="utf-8") as f:
                f.write(text)
        return self.path("tree")

    def judged(self, status=0):
        done = self.doctor(self.path("tree"))
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        self.assertIn("rcc can be built there" if status == 0 else "rcc cannot be built there", done.stdout)
        return done.stdout, self.lines(done.stdout)

    def test_cmake_tree(self):
        self.tree("3.43\n", "ns3")
        text, rows = self.judged()
        self.assertIn("./ns3 configure --enable-modules=rcc", text)
        self.assertEqual(rows["contrib/rcc"][0], "look")
        self.assertIn("./rcc install TREE", rows["contrib/rcc"][1])
        os.symlink(ROOT, self.path("tree", "contrib", "rcc"))
        rows = self.judged()[1]
        self.assertEqual((rows["contrib/rcc"][0], rows["contrib/rcc-run"][0]), ("ok", "look"))
        os.symlink(os.path.join(ROOT, "lab", "run"), self.path("tree", "contrib", "rcc-run"))
        self.assertEqual(self.judged()[1]["contrib/rcc-run"][0], "ok")

    def test_waf_and_python(self):
        self.tree("3.31", "waf")
        text, rows = self.judged()
        self.assertIn("./waf configure", text)
        self.assertIn("--disable-werror", rows["warnings"][1])
        self.tool("python3", "3 12")
        self.assertIn("before 3.12", self.judged(1)[1]["python3"][1])
        self.tree("3.43", "ns3")
        self.assertEqual(self.judged()[1]["python3"][0], "ok")

    def test_what_cannot_work(self):
        self.tree("3.30", "waf")
        self.assertIn("3.31 is the oldest that works", self.judged(1)[1]["version"][1])
        self.tree("3.43", "ns3")
        os.unlink(self.path("tree", "ns3"))
        self.assertEqual(self.judged(1)[1]["built"][0], "MISSING")
        self.tree("3.43", "ns3")
        os.unlink(os.path.join(self.tools, "cmake"))
        self.assertEqual(self.judged(1)[1]["cmake"][0], "MISSING")
        self.tool("cmake")
        os.unlink(os.path.join(self.tools, "cc"))
        self.assertEqual(self.judged(1)[1]["C"][0], "MISSING")
        self.tool("cc")
        os.mkdir(self.path("tree", "contrib", "rcc"))
        self.assertIn("something else is there", self.judged(1)[1]["contrib/rcc"][1])

    def test_configured(self):
        self.tree("3.43", "ns3")
        os.makedirs(self.path("tree", "cmake-cache"))
        os.makedirs(self.path("tree", "build", "lib"))
        for modules, warns in (("rcc", False), ("core;rcc;wifi", False), ("wifi;lte", True), ("", False)):
            with open(self.path("tree", "cmake-cache", "CMakeCache.txt"), "w", encoding="utf-8") as f:
                f.write(CACHE.format("debug", modules))
            rows = self.judged()[1]
            self.assertIn("profile debug, not built yet, warnings as errors ON", rows["configured"][1])
            self.assertEqual("modules" in rows, warns, modules)
        with open(self.path("tree", "build", "lib", "libns3.43-network-debug.so"), "wb") as f:
            f.write(b"assert failed LogGetTimePrinter")
        self.assertIn("profile debug, asserts on, logs on", self.judged()[1]["configured"][1])

    def test_no_tree(self):
        for place, fragment in ((self.path("nowhere"), "no such folder"), (self.scratch, "no VERSION file")):
            self.assert_refused(self.doctor(place), fragment)

    def test_a_copy_has_what_git_does_not_know_yet(self):
        path = os.path.join(ROOT, "lab", "test", "command", "not_known_yet.txt")
        if not os.path.exists(os.path.join(ROOT, ".git")):
            self.skipTest("not a git work tree")
        with open(path, "w", encoding="utf-8"):
            pass
        self.addCleanup(os.unlink, path)
        self.assertIn("lab/test/command/not_known_yet.txt", install.files())

    def test_a_copy_without_git(self):
        """A machine that was given the files has no git at all."""
        old = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", old)
        os.environ["PATH"] = self.scratch
        found = install.files()
        self.assertIn("core/cc/rcc.h", found)
        self.assertFalse({name.split(os.sep)[0] for name in found} & {".git", "build"})


if __name__ == "__main__":
    unittest.main()
