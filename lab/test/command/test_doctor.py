# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc doctor with a PATH and with ns-3 trees of the test's own making."""
import os
import re
import unittest
from unittest import mock

from support import RccTest

from command.system import doctor


class Tools(RccTest):
    def setUp(self):
        super().setUp()
        self.tools = self.path("tools")
        os.mkdir(self.tools)

    def tool(self, name, says="1.2", status=0):
        self.put_script(f"tools/{name}", f'echo "{says}"\nexit {status}')

    def doctor(self, *words, **extra):
        return self.rcc("doctor", *words, PATH=self.tools, CXX="", **extra)

    def lines(self, text):
        """Return {check: (state, words)}."""
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
        self.assertIn("by default: Release, without RCC_LTO and RCC_ARCH", done.stdout)

    def test_how_the_programs_were_built(self):
        self.assertEqual(doctor.how_built(""), "")
        cache = "CMAKE_BUILD_TYPE:STRING=Release\nRCC_ARCH:STRING=\nRCC_LTO:BOOL=OFF\n"
        self.assertEqual(doctor.how_built(cache), "Release, RCC_LTO off, RCC_ARCH off")
        cache = cache.replace("ARCH:STRING=", "ARCH:STRING=x86-64-v3").replace("=OFF", "=ON")
        self.assertEqual(doctor.how_built(cache), "Release, RCC_LTO on, RCC_ARCH x86-64-v3")

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
    def test_a_tree_is_for_install(self):
        done = self.doctor("/nowhere")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("./rcc doctor /nowhere is ./rcc install /nowhere now", done.stderr)


if __name__ == "__main__":
    unittest.main()
