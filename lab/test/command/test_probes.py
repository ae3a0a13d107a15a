# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A piece of the machine counts as present only if using it works: tools that answer but cannot do their work are missing."""
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from support import ROOT, RccTest

from command.system import packages, probe
from stages import portability


class Probes(RccTest):
    """Tools of the test's own making stand before the machine's in PATH."""

    def setUp(self):
        super().setUp()
        self.tools = self.path("tools")
        os.mkdir(self.tools)
        self.addCleanup(probe.forget)
        probe.forget()

    def tool(self, name, text):
        self.put_script(f"tools/{name}", text)

    def list_missing(self, needs, **extra):
        """Return the packages that are missing with our tools first in PATH."""
        path = os.pathsep.join([self.tools, os.environ["PATH"]])
        with mock.patch.dict(os.environ, {"PATH": path, **extra}):
            return [need.package for need in packages.missing(needs)]

    def test_gcc_without_its_32_bit_half(self):
        """Such a gcc names the 64-bit library when it is asked for the 32-bit one."""
        library = self.path("libgcc.a")
        with open(library, "w", encoding="utf-8"):
            pass
        self.tool("gcc", f'for word; do [ "$word" != -print-libgcc-file-name ] || {{ echo {library}; exit 0; }}; done\n'
                  'echo "skipping incompatible libgcc.a when searching for -lgcc" >&2\nexit 1')
        self.assertIn("lib32gcc-dev", self.list_missing(packages.M32))

    def test_a_kernel_without_32_bit_programs(self):
        """A compiler for them is not missing there, nor installed. What the probe tries is a program that ends with status 0."""
        emulator, tried = shutil.which("qemu-i386"), []

        def succeeds(words, **_):
            tried.append(subprocess.run([emulator, *words], check=False).returncode if emulator else 0)
            return works

        for works in (False, True):
            probe.forget()
            with mock.patch.object(probe, "succeeds", succeeds), \
                    mock.patch.object(packages.os, "uname", return_value=os.uname_result(("Linux", "", "", "", "x86_64"))), \
                    mock.patch.object(probe, "_write"):
                self.assertEqual(packages.X86 in packages.targets(), works)
                why = portability.absent(portability.Target("m32", ["cc"], "", packages.X86), {})
                self.assertEqual(why, None if works else "the kernel runs no 32-bit programs")
        self.assertEqual(tried, [0, 0])

    def test_nothing_is_tried_before_a_command_asks(self):
        """A probe on import would hold for a PATH that is not yet set, and cost every command time."""
        text = ("from command import registry\nfrom command.system import probe\n"
                "for module in registry.names().values():\n    registry.load(module)\nprint(probe._known)")
        done = subprocess.run([sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "lab")},
                              stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "None\n")

    def test_cross_compiler_without_emulator(self):
        for name in ("qemu-s390x", "qemu-s390x-static"):
            self.tool(name, "exit 1")
        self.assertIn("qemu-user", self.list_missing(packages.S390X))

    def test_clang_without_its_fuzzer(self):
        runtime = self.path("libclang_rt.fuzzer.a")
        with open(runtime, "w", encoding="utf-8"):
            pass
        self.tool("clang", f'case "$*" in *-print-file-name*) echo {runtime};; *fuzzer*) exit 1;; esac')
        self.assertIn("libclang-rt-dev", self.list_missing([n for n in packages.TEST if n.package == "libclang-rt-dev"]))

    def test_tools_that_only_exist(self):
        self.tool("tshark", "exit 1")
        self.tool("gcovr", "exit 127")
        self.tool("cmake", "exit 1")
        self.assertEqual(self.list_missing([n for n in packages.TEST if n.package in ("tshark", "gcovr", "cmake")]),
                         ["cmake", "gcovr", "tshark"])

    def test_ns3_without_a_library(self):
        """Headers alone are no ns-3."""
        os.makedirs(self.path("prefix", "include", "ns3"))
        for name in ("simulator.h", "core-module.h"):
            self.put(f"prefix/include/ns3/{name}", "namespace ns3 { struct Simulator { static void Destroy(); }; }\n")
        self.assertEqual(self.list_missing([n for n in packages.RUN if n.package == "libns3-dev"], NS3_DIR=self.path("prefix")),
                         ["libns3-dev"])

    def test_a_module_that_cannot_be_imported(self):
        os.mkdir(self.path("modules"))
        self.put("modules/matplotlib/__init__.py", "raise ImportError('half installed')\n")
        self.assertEqual(self.list_missing([n for n in packages.RUN if n.package == "python3-matplotlib"],
                                           PYTHONPATH=self.path("modules")), ["python3-matplotlib"])

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not installed")
    def test_what_works_is_found(self):
        self.assertEqual(self.list_missing([n for n in packages.TEST if n.package == "gcc"]), [])


if __name__ == "__main__":
    unittest.main()
