# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc install: links and copies into a tree, and what it refuses."""
import os
import unittest

from support import ROOT, RccTest


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
        return self.path("ns-3", "contrib", "rcc-lab", *parts)

    def test_link(self):
        self.tree()
        for _ in range(2):  # the second time there is nothing to do
            done = self.rcc("install", "ns-3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.path.realpath(self.module()), ROOT)
            self.assertEqual(os.path.realpath(self.lab()), os.path.join(ROOT, "lab"))
        self.assertIn("./ns3 configure --enable-modules=rcc-lab", done.stdout)

    def test_module_only(self):
        self.tree()
        done = self.rcc("install", "ns-3", "--module-only")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.path.realpath(self.module()), ROOT)
        self.assertFalse(os.path.lexists(self.lab()))
        self.assertIn("./ns3 configure --enable-modules=rcc ", done.stdout)

    def test_all_or_nothing(self):
        """What stands in the lab's place is not ours: the module is not put there either."""
        self.tree()
        os.makedirs(self.lab("something"))
        self.assert_refused(self.rcc("install", "ns-3"), "contrib/rcc-lab exists and is not rcc-lab")
        self.assertFalse(os.path.lexists(self.module()))

    def test_waf(self):
        self.tree("3.31")
        self.assertIn("./waf configure", self.rcc("install", "ns-3", "--copy").stdout)

    def test_copy(self):
        self.tree("3.48-dev")
        self.assertEqual(self.rcc("install", "ns-3", "--copy").returncode, 0)
        self.assertFalse(os.path.islink(self.module()))
        for name in ("CMakeLists.txt", "wscript", "core/cc/rcc.h", "model/nic/rdma-nic.cc", "rcc"):
            self.assertTrue(os.path.exists(self.module(name)), name)
        for name in ("CMakeLists.txt", "wscript", "programs/incast.cc", "ns3-rdma/ns3-rdma-reader.h"):
            self.assertTrue(os.path.exists(self.lab(name)), name)
        self.assertFalse(os.path.exists(self.module("build")))
        self.assertFalse(os.path.exists(self.module("lab")), "the lab has a place of its own")
        with open(self.module("model", "stale.cc"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.rcc("install", "ns-3", "--copy").returncode, 0)
        self.assertFalse(os.path.exists(self.module("model", "stale.cc")))  # would be compiled
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
        os.makedirs(self.module())
        self.tree()
        self.assert_refused(self.rcc("install", "ns-3"), "exists and is not rcc")
        self.assertEqual(os.listdir(self.module()), [])


if __name__ == "__main__":
    unittest.main()
