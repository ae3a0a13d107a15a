# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A command refuses wrong words before it asks cmake or a package manager, where nothing is built yet."""
import os
import subprocess
import sys
import unittest
from unittest import mock

from support import RCC, InFolder, RccTest, needs_programs

from command.common import RccError
from command.experiment import catalogue, declared
from command.run import run, scenarios, simulation, specs

TOOLS = ("cmake", "ninja", "make", "apt-get", "dpkg-query", "g++", "c++", "cc", "gcc")   # ends with status 1 and leaves a line in `asked`
CONFIG = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nSIMULATOR_STOP_TIME 2.01\n"
# the words of a command, and what it answers
REFUSED = [
    ("run incast --cc=dcqcnn", "unknown algorithm 'dcqcnn', expected one of dcqcn, dcqcn-nic, dcqcn-hpcc, dcqcn-plus"),
    ("run incast --cc=dcqcn:cx44", "dcqcn has no preset 'cx44', expected one of paper, "),
    ("run incast --cc=dcqcn+tiemr=3us", "dcqcn has no parameter 'tiemr'; the nearest is 'timer'"),
    ("run incast --set dcqcn.timer=3lightyears", "dcqcn.timer is '3lightyears', expected a time"),
    ("run incast --rate=40Gbsp", "--rate is '40Gbsp', expected a rate"),
    ("run incast --flows=many", "--flows is 'many', expected a whole number"),
    ("run workload --sizes=no.txt", "no.txt"),
    ("run incast --faults=no.txt", "no.txt"),
    ("run incast --nic-params=no.txt", "--nic-params=no.txt: No such file or directory"),
    ("run incast --nic-params=nic.txt --rate=3", "--rate is '3', expected a rate"),
    ("run testbed --links=h1-t1 --flows=h1-h2", "h2"),
    ("run no.json", "no.json"),
    ("run bad.json", "bad.json:1"),
    ("run trace no.goal", "no.goal: No such file or directory"),
    ("ns3-rdma no.txt", "no.txt"),
    ("ns3-rdma config.txt", "topology.txt"),
    ("sweep incast --cc=dcqcnn", "unknown algorithm 'dcqcnn'"),
    ("sweep incast --rate=10Gbps,40Gbsp", "40Gbsp"),
    ("algorithms dcqcnn", "unknown algorithm 'dcqcnn', did you mean dcqcn"),
]


class Fresh(RccTest):
    """An empty build folder, and tools that only tell that they were asked."""

    def setUp(self):
        super().setUp()
        for tool in TOOLS:
            self.put_script(f"tools/{tool}", f'echo "{tool} $*" >> "{self.path("asked")}"\nexit 1')
        for name, text in (("config.txt", CONFIG), ("nic.txt", "rpg_ai_rate 5\n"), ("bad.json", '{"rate": "40Gbsp"}')):
            self.put(name, text)

    def read_calls(self):
        return self.read("asked") if os.path.exists(self.path("asked")) else ""

    def test_refused_at_once(self):
        path = self.path("tools") + os.pathsep + os.environ["PATH"]
        for words, answer in REFUSED:
            with self.subTest(words):
                done = self.rcc(*words.split(), RCC_BUILD_DIR=self.path("made"), PATH=path)
                self.assertEqual(self.read_calls(), "")
                self.assert_refused(done, answer)

    def test_what_is_right_is_built(self):
        path = self.path("tools") + os.pathsep + os.environ["PATH"]
        done = subprocess.run([sys.executable, RCC, "run", "incast", "--cc=dcqcn:cx4+g=0.01"], cwd=self.scratch, stdin=subprocess.DEVNULL,
                              env=self.environment(RCC_BUILD_DIR=self.path("made"), PATH=path, RCC_NO_INSTALL="1"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn("cmake", self.read_calls())
        self.assertIn("missing: ", done.stderr)


@needs_programs
class Declared(InFolder):
    """The names that are read from the sources are those that the programs print."""

    def test_everything_that_there_is(self):
        known, found = catalogue.cores(), declared.algorithms()
        self.assertEqual(list(found), list(known))
        for name, core in known.items():
            one = found[name]
            self.assertEqual(sorted(one.presets), sorted(core.presets), name)
            self.assertEqual(tuple(one.variants), core.variants, name)
            for field in core.fields.values():
                self.assertEqual((one.units.get(field.name), sorted(one.choices.get(field.name, ()))), (field.unit, sorted(field.choices)),
                                 f"{name}.{field.name}")

    def test_no_example_is_refused(self):
        """Every scenario is accepted under each of its algorithms and presets, as the programs accept it."""
        known = catalogue.cores()
        with catalogue.unbuilt():
            for scenario in scenarios.SCENARIOS.values():
                for spec in specs.parse_list(",".join(scenario.algorithms)):
                    for preset in known[spec.cc].presets:
                        names = run.run_names(scenario, [spec._replace(preset=preset)], [])
                        self.assertEqual(len(run.make(scenario, names, [], "out")), 1)

    def test_the_programs_have_the_last_word(self):
        with catalogue.unbuilt():
            simulation.of_scenario("incast", ["--cc=dcqcn", "--set=dcqcn.g=17"])
        with self.assertRaises(RccError) as raised:
            simulation.of_scenario("incast", ["--cc=dcqcn", "--set=dcqcn.g=17"])
        self.assertIn("dcqcn.g is '17', expected ", str(raised.exception))

    def test_sources_are_not_read_where_programs_are(self):
        with mock.patch.object(declared, "algorithms", side_effect=AssertionError):
            self.succeed("run", "incast", "--cc=qcn", "--time=1ms", "--no-plots", "--quiet")
            catalogue.cores()


if __name__ == "__main__":
    unittest.main()
