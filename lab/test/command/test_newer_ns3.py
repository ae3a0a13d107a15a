# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""An installed ns-3 whose headers ask for a newer C++ than this machine's ns-3 does: doctor, build, cmake and a project outside use it.
The headers are copies of this machine's. A guard in core-config.h refuses less than C++20 (as ns-3.41 does) or C++23 (ns-3.46)."""
import os
import re
import shutil
import subprocess
import unittest

from support import BUILD, ROOT, RccTest

from command.system import build

MAIN = """#include "ns3/rcc-module.h"
int main() {
    ns3::QbbHelper helper;
    return ns3::QbbStar::Create(helper, 2).sw->Start().empty() && __cplusplus >= 202002L ? 0 : 1;
}
"""
PROJECT = """cmake_minimum_required(VERSION 3.10)
project(own LANGUAGES CXX)
find_package(rcc REQUIRED)
add_executable(own own.cc)
target_link_libraries(own rcc::rcc)
"""
CACHE = build.cached(BUILD)


@unittest.skipUnless(CACHE.get("NS3_core") and CACHE.get("NS3_INCLUDE"), "no build folder with an ns-3")
class NewerNs3(RccTest):
    def install_ns3(self, refused):
        """Make a prefix with this machine's ns-3, whose headers refuse a compiler for which the condition holds."""
        prefix = self.path("ns3")
        headers = os.path.join(prefix, "include", "ns3")
        shutil.copytree(os.path.join(CACHE["NS3_INCLUDE"], "ns3"), headers)
        for name in ("singleton.h", "simulation-singleton.h"):  # ns-3.37 names constructors as C++20 no longer permits
            text = self.read("ns3", "include", "ns3", name)
            self.put(f"ns3/include/ns3/{name}", re.sub(r"(Singleton)<T>\(", r"\1(", text))
        with open(os.path.join(headers, "core-config.h"), "a", encoding="utf-8") as f:
            f.write(f"#if {refused}\n#error this ns-3 is written in a newer C++\n#endif\n")
        os.mkdir(os.path.join(prefix, "lib"))
        folder = os.path.dirname(CACHE["NS3_core"])
        for name in os.listdir(folder):
            if name.startswith("libns3"):  # an ns-3 that its users install has its version in these names
                os.symlink(os.path.join(folder, name), os.path.join(prefix, "lib", re.sub(r"^libns3[\d.]*-", "libns3.48-", name)))
        return prefix

    def run_tool(self, *words, status=0):
        """Run a program of the machine and return what it printed."""
        done = subprocess.run(words, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout[-3000:])
        return done.stdout

    def check_doctor(self, ns3, status=0):
        """Ask doctor, which finds the tools that build and no other ones."""
        os.mkdir(self.path("tools"))
        for name in ("c++", "as", "ld", "cmake", "ninja", "make"):
            if shutil.which(name):
                os.symlink(shutil.which(name), self.path("tools", name))
        doctor = self.rcc("doctor", NS3_DIR=ns3, PATH=self.path("tools"), CXX="")
        found = f"NS3_DIR={ns3}" if status == 0 else "nothing can be built"
        self.assertRegex(doctor.stdout, rf"(?m)^{'ok' if status == 0 else 'MISSING'} +libns3-dev +{re.escape(found)}")
        self.assertEqual(doctor.returncode, status, doctor.stdout)

    def configure(self, source, ns3, *options, status=0):
        """Configure the folder `made` and return what cmake printed. It must take every library of the given ns-3, not the system's."""
        said = self.run_tool("cmake", "-S", source, "-B", self.path("made"), *build.generator(), "-DCMAKE_BUILD_TYPE=None",
                             "-DRCC_UNITY=ON", f"-DNS3_DIR={ns3}", *options, status=status)  # not optimised: the least time
        found = build.cached(self.path("made"))
        for module in ("core", "network", "bridge", "internet"):
            self.assertEqual(found[f"NS3_{module}"], os.path.join(ns3, "lib", f"libns3.48-{module}.so"))
        return said

    def test_the_oldest_standard_that_compiles_is_chosen(self):
        ns3 = self.install_ns3("__cplusplus < 202002L")
        self.configure(ROOT, ns3)
        self.assertEqual(build.cached(self.path("made"))["RCC_CXX_STANDARD"], "20")

    def test_command(self):
        """./rcc in a build folder that the user has configured, and a project outside that uses the installed module."""
        ns3 = self.install_ns3("__cplusplus <= 202002L")
        self.check_doctor(ns3)
        made = self.path("made")
        self.configure(ROOT, ns3)
        self.succeed("build", "example-incast", NS3_DIR=ns3, RCC_BUILD_DIR=made, RCC_NO_INSTALL="1")
        self.assertIn("dcqcn", self.run_tool(os.path.join(made, "examples", "incast")))
        self.run_tool("cmake", "--build", made, "--target", "rcc-core", "rcc-module")
        self.run_tool("cmake", "--install", made, "--prefix", self.path("prefix"))
        self.put("own/CMakeLists.txt", PROJECT)
        self.put("own/own.cc", MAIN)
        self.run_tool("cmake", "-S", "own", "-B", "own/build", *build.generator(), f"-DCMAKE_PREFIX_PATH={self.path('prefix')}")
        self.run_tool("cmake", "--build", "own/build")
        self.run_tool(self.path("own", "build", "own"))

    def test_no_standard_is_new_enough(self):
        """A compiler older than the ns-3: cmake says what the compiler says."""
        ns3 = self.install_ns3("1")
        self.check_doctor(ns3, 1)
        said = " ".join(self.configure(ROOT, ns3, status=1).split())
        self.assertIn(f"compiles the headers of ns-3 in {ns3}/include as none of C++17, C++20 and C++23", said)
        self.assertIn("this ns-3 is written in a newer C++", said)


if __name__ == "__main__":
    unittest.main()
