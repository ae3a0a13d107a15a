# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""doc/traces.md has the trace sources that the code has; examples-to-run.py of module and lab, the programs that there are."""
import glob
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import ROOT, scenario

sys.path.insert(0, os.path.join(ROOT, "lab", "tools"))
import traces_table  # noqa: E402

BUILD = os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build")
CATALOG = os.path.join(BUILD, "rcc-catalog")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


# Least utilisation and Jain's index of an algorithm that does not reach 0.9 of both.
CONVERGED = {"timely": (0.9, 0.5)}  # any division of the rates is stationary, as "ECN or Delay" shows (doc/timely.md)


def algorithms() -> list:
    """The names of core/cc/algorithms.def, as --cc has them."""
    return [name.replace("_", "-") for name in re.findall(r"^RCC_ALGORITHM\((\w+)\)", read("core/cc/algorithms.def"), re.MULTILINE)]


class Traces(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(CATALOG), "build/rcc-catalog is not built")
    def test_table(self):
        found = re.search(r"<!-- traces -->\n(.*?)\n<!-- end -->", read("doc/traces.md"), re.DOTALL)
        self.assertIsNotNone(found, "doc/traces.md has no table of trace sources")
        self.maxDiff = None
        self.assertEqual(found.group(1).strip(), traces_table.table(traces_table.read(CATALOG)),
                         "paste the output of lab/tools/traces_table.py build/rcc-catalog")

    @unittest.skipUnless(os.path.exists(CATALOG), "build/rcc-catalog is not built")
    def test_every_source_of_the_code_is_listed(self):
        """The names that source files give to AddTraceSource are those of the program's TypeIds."""
        named = []
        for path in glob.glob(os.path.join(ROOT, "model", "*", "*.cc")):
            named += re.findall(r'AddTraceSource\(\s*"(\w+)"', read(path))
        self.assertGreater(len(named), 30)
        self.assertEqual(sorted(named), sorted(s["name"] for s in traces_table.read(CATALOG)))

    def test_signatures_are_documented(self):
        for path in glob.glob(os.path.join(ROOT, "model", "*", "*.h")):
            for comment, name in re.findall(r"(/\*\*(?:(?!\*/).)*\*/|///[^\n]*)\n    using (\w+TracedCallback) =",
                                            read(path), re.DOTALL):
                arguments = re.search(rf"{name} = void \(\*\)\(([^)]*)\)", read(path)).group(1)
                for argument in arguments.split(", "):
                    self.assertIn(f"\\param {argument.split()[-1]} ", comment, f"{path}: {name}")

    def test_log_components(self):
        components = []
        for path in glob.glob(os.path.join(ROOT, "model", "*", "*.cc")) + glob.glob(os.path.join(ROOT, "helper", "*.cc")):
            components += re.findall(r'NS_LOG_COMPONENT_DEFINE\("(\w+)"\)', read(path))
        listed = re.search(r"`NS_LOG=([\w:]+)`", read("doc/traces.md")).group(1).split(":")
        self.assertEqual(sorted(components), sorted(listed))


class Examples(unittest.TestCase):
    """The examples of the module and of lab/run: the list, the programs, the folder where they are built."""
    PLACES = (("test", [os.path.basename(path)[:-len(".cc")] for path in glob.glob(os.path.join(ROOT, "examples", "*.cc"))],
               os.path.join(BUILD, "examples")),
              ("lab/run/test", ["rcc-bench", "rcc-catalog"], BUILD))    # rcc-run needs a file

    def lists(self):
        for test, programs, built in self.PLACES:
            yield runpy.run_path(os.path.join(ROOT, test, "examples-to-run.py")), programs, built

    def test_form(self):
        """As ns-3's test.py reads it."""
        for lists, _, _ in self.lists():
            self.assertEqual(lists["python_examples"], [])
            for entry in lists["cpp_examples"]:
                self.assertIsInstance(entry, tuple)
                command, runs, valgrind = entry
                self.assertIsInstance(command, str)
                self.assertIn(runs, ("True", "False"))
                self.assertIn(valgrind, ("True", "False"))

    def test_every_example_runs(self):
        for lists, programs, _ in self.lists():
            self.assertEqual({command.split()[0] for command, _, _ in lists["cpp_examples"]}, set(programs))

    def test_they_end_well(self):
        """They are started from a folder that is as deep as that of a tree from which ns-3 starts them."""
        tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, tree)
        folder = os.path.join(tree, "testpy-output", "now")
        os.makedirs(folder)
        os.mkdir(os.path.join(tree, "contrib"))
        os.symlink(os.path.join(ROOT, "lab", "run"), os.path.join(tree, "contrib", "rcc-run"))
        for lists, _, built in self.lists():
            for command, _, _ in lists["cpp_examples"]:
                words = command.split()
                program = os.path.join(built, words[0])
                if not os.path.exists(program):
                    continue  # not built
                with self.subTest(command):
                    done = subprocess.run([program] + words[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                          timeout=60, cwd=folder, check=False)
                    self.assertEqual(done.returncode, 0, done.stdout[-500:])

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "examples", "incast")), "the examples are not built")
    def test_incast_converges_under_every_control(self):
        """The second half of the default run has no transient: flows fill the link and share it. The queue of patched TIMELY stands at its
        fixed point."""
        for name in algorithms():
            least_use, least_jain = CONVERGED.get(name, (0.9, 0.9))
            with self.subTest(name):
                said = subprocess.run([os.path.join(BUILD, "examples", "incast"), f"--cc={name}"], stdout=subprocess.PIPE, text=True,
                                      timeout=60, check=True).stdout
                row = re.search(rf"^{name} +([\d.]+) KB +([\d.]+) KB +([\d.]+) +([\d.]+)$", said, re.MULTILINE)
                self.assertIsNotNone(row, said)
                mean, longest, used, jain = map(float, row.groups())
                self.assertGreaterEqual(used, least_use, said)
                self.assertGreaterEqual(jain, least_jain, said)
                if name == "timely-patched":
                    self.assertLess(longest, 1.1 * mean, said)

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "examples", "mixed-algorithms")), "the examples are not built")
    def test_mixed_algorithms_has_every_control(self):
        """Each has a queue pair that moves data in the first 60 ms, all together less than the 40 Gb/s of the link. Later patched TIMELY
        takes most of the link, and Swift nearly nothing."""
        said = subprocess.run([os.path.join(BUILD, "examples", "mixed-algorithms"), "--all", "--time=60ms"], stdout=subprocess.PIPE,
                              text=True, timeout=60, check=True).stdout.splitlines()[1:]
        rates = {line.split()[0]: float(line.split()[1]) for line in said}
        self.assertEqual(list(rates), [name for name in algorithms() if name != "none"])
        self.assertTrue(all(rate > 0 for rate in rates.values()), rates)
        self.assertLess(sum(rates.values()), 40)
        self.assertGreater(sum(rates.values()), 30)

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "examples", "incast")), "the examples are not built")
    def test_incast_measures_as_the_lab(self):
        """The example's few lines and the lab's measurement agree on one run, also where windows follow the base RTT."""
        for cc in ("dcqcn", "nscc"):
            words = [f"--cc={cc}", "--flows=16", "--time=20ms"]
            said = subprocess.run([os.path.join(BUILD, "examples", "incast"), *words], stdout=subprocess.PIPE, text=True, timeout=60,
                                  check=True).stdout.splitlines()
            row = re.fullmatch(rf"{cc} +([\d.]+) KB +([\d.]+) KB +([\d.]+) +([\d.]+)", said[1])
            self.assertIsNotNone(row, said)
            lab = json.loads(subprocess.run(scenario("incast", *words, "--start=0s", "--ack-every=16"), stdout=subprocess.PIPE, text=True,
                                            timeout=60, check=True).stdout)
            wanted = (lab["queue"]["mean_bytes"] / 1000, lab["queue"]["max_bytes"] / 1000, lab["utilization"], lab["jain"])
            for got, want, digits in zip(row.groups(), wanted, (0.051, 0.051, 0.00051, 0.00051)):  # printing rounds by at most this
                self.assertAlmostEqual(float(got), want, delta=digits, msg=cc)


if __name__ == "__main__":
    unittest.main()
