# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc install: links and copies into a tree, and what it refuses."""
import glob
import os
import shutil
import subprocess
import unittest

from support import ROOT, RccTest

# An ns-3 tree of one module: build_lib makes a header in the include folder for each public one, unless one is there.
TREE = """cmake_minimum_required(VERSION 3.14)
project(pretended LANGUAGES C)
set(CMAKE_HEADER_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/include/ns3)
set(CMAKE_INSTALL_INCLUDEDIR include)
function(build_lib)
  cmake_parse_arguments(LIB "" "LIBNAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN})
  foreach(header ${LIB_HEADER_FILES})
    get_filename_component(name ${header} NAME)
    if(NOT EXISTS ${CMAKE_HEADER_OUTPUT_DIRECTORY}/${name})
      file(WRITE ${CMAKE_HEADER_OUTPUT_DIRECTORY}/${name} "#include \\"${CMAKE_CURRENT_SOURCE_DIR}/${header}\\"\\n")
    endif()
  endforeach()
endfunction()
add_subdirectory(contrib/${MODULE})
"""


class Install(RccTest):

    def tree(self, version="3.43", core=True):
        place = self.path("ns-3")
        os.makedirs(os.path.join(place, "src", "core") if core else place, exist_ok=True)
        if version is not None:
            with open(os.path.join(place, "VERSION"), "w", encoding="utf-8") as f:
                f.write(version + "\n")
        return place

    def module(self, *parts):
        return self.path("ns-3", "contrib", "rcc", *parts)

    def lab(self, *parts):
        return self.path("ns-3", "contrib", "rcc-run", *parts)

    def test_link(self):
        self.tree()
        for _ in range(2):  # the second time there is nothing to do
            done = self.succeed("install", "ns-3")
            self.assertEqual(os.path.realpath(self.module()), ROOT)
            self.assertEqual(os.path.realpath(self.lab()), os.path.join(ROOT, "lab", "run"))
        self.assertIn("./ns3 configure --enable-modules=rcc-run ", done.stdout)

    def test_module_only(self):
        self.tree()
        done = self.succeed("install", "ns-3", "--module-only")
        self.assertIn("./ns3 configure --enable-modules=rcc ", done.stdout)
        self.assertEqual(os.listdir(self.path("ns-3", "contrib")), ["rcc"])

    def configure(self, name):
        """Configure a pretended tree, which makes headers that include ours, as ns-3 does. Returns what cmake printed and its status."""
        self.put("pretended/CMakeLists.txt", TREE)
        os.makedirs(self.path("pretended", "contrib"), exist_ok=True)
        os.symlink(ROOT, self.path("pretended", "contrib", name))
        done = subprocess.run(["cmake", "-S", self.path("pretended"), "-B", self.path("made"), f"-DMODULE={name}"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout, done.returncode

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_another_name(self):
        said, status = self.configure("rdma")
        self.assertIn("found a folder 'rdma', expected 'rcc'", " ".join(said.split()))
        self.assertNotEqual(status, 0)

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_headers_need_the_include_folder_alone(self):
        said, status = self.configure("rcc")
        self.assertEqual(status, 0, said)
        for path in glob.glob(os.path.join(ROOT, "core", "*", "rcc*.h")):
            self.put("one.c", f'#include "ns3/{os.path.basename(path)}"\n')
            done = subprocess.run(["cc", "-fsyntax-only", "-I", self.path("made", "include"), self.path("one.c")], text=True,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), path)

    def test_waf(self):
        self.tree("3.31")
        self.assertIn("./waf configure", self.rcc("install", "ns-3", "--copy").stdout)

    def test_copy(self):
        self.tree("3.48-dev")
        self.succeed("install", "ns-3", "--copy")
        self.assertFalse(os.path.islink(self.module()))
        for name in ("CMakeLists.txt", "wscript", "core/cc/rcc.h", "model/nic/rdma-nic.cc", "examples/incast.cc", "rcc"):
            self.assertTrue(os.path.exists(self.module(name)), name)
        for name in ("CMakeLists.txt", "wscript", "rcc-run.cc", "network/lab-network.h"):
            self.assertTrue(os.path.exists(self.lab(name)), name)
        for name in ("build", "lab"):
            self.assertFalse(os.path.exists(self.module(name)), name)
        for place in (self.module("model", "stale.cc"), self.lab("network", "stale.cc")):
            with open(place, "w", encoding="utf-8"):
                pass
        self.succeed("install", "ns-3", "--copy")
        self.assertFalse(os.path.exists(self.module("model", "stale.cc")))  # would be compiled
        self.assertFalse(os.path.exists(self.lab("network", "stale.cc")))
        done = self.rcc("install", "ns-3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a copy of rcc", done.stderr)

    def test_refused(self):
        self.assert_refused(self.rcc("install", "nowhere"), "no such folder")
        self.tree(None)
        self.assert_refused(self.rcc("install", "ns-3"), "no VERSION file there")
        for version, fragment in (("banana", "found 'banana', expected an ns-3 version"), ("3.30", "is older than 3.31")):
            self.tree(version)
            self.assert_refused(self.rcc("install", "ns-3"), fragment)
        self.tree()
        for place, name in ((self.module(), "rcc"), (self.lab(), "rcc-run")):
            os.makedirs(place)
            for option in ([], ["--copy"]):
                self.assert_refused(self.rcc("install", "ns-3", *option), f"exists and is not {name}; ")
                self.assertEqual(os.listdir(self.path("ns-3", "contrib")), [name])  # all or nothing
            self.assertEqual(os.listdir(place), [])
            os.rmdir(place)
        os.symlink(self.path("ns-3", "src"), self.lab())
        self.assert_refused(self.rcc("install", "ns-3"), "which is not rcc-run")
        self.assertEqual(os.listdir(self.path("ns-3", "contrib")), ["rcc-run"])


if __name__ == "__main__":
    unittest.main()
