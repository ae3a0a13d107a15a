# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--ranks: the same bytes from 1, 2, 3 and 4 processes, with our windows and under ns-3's distributed simulator; what is refused;
a rank that dies."""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import unittest

from support import BUILD, RccTest

from cli.run import ranks  # noqa: E402  (support.py puts ROOT on the path)

PROGRAMS = ["clos-ranks", "workload-ranks"]
needs_ranks = unittest.skipUnless(shutil.which("mpirun") and all(os.access(os.path.join(BUILD, name), os.X_OK) for name in PROGRAMS),
                                  "the programs for several ranks are not built, or there is no mpirun")
TREE = "--k=4 --cores=4 --senders=12 --receivers=2 --flows=24 --start=50us --time=200us"
RACKS = "--topology=leaf-spine --racks=4 --hosts-per-rack=3 --spines=2 --ack-every=1"
VARIES = ("wall_s", "peak_rss_bytes")   # of run.json
STOCK = "--SimulatorImplementationType=ns3::DistributedSimulatorImpl"
CASES = {
    "finite flows": ("clos", TREE + " --size=20KB --cc=dcqcn-plus"),
    "endless flows, captures": ("clos", TREE + " --cc=dcqcn --pcap"),
    "messages of QCN": ("clos", TREE + " --start=0s --cc=qcn"),
    "pauses": ("clos", "--topology=leaf-spine --racks=4 --hosts-per-rack=3 --spines=2 --receivers=1 --start=10us --time=150us --cc=none"
               " --buffer=3MB"),
    "arrivals": ("workload", RACKS + " --time=300us --load=0.8 --drain=1ms --cc=timely --seed=2"),
}


@needs_ranks
class Ranks(RccTest):
    def setUp(self):
        super().setUp()
        for name in PROGRAMS:
            os.symlink(os.path.join(BUILD, name), os.path.join(self.bin, name))

    def simulate(self, scenario, options, number, *more):
        """The sha256 of every output."""
        folder = self.path(f"out-{number}-{len(more)}")
        words = [*ranks.launcher(number), os.path.join(self.bin, scenario + ("-ranks" if number > 1 else "")), *options.split(), *more,
                 f"--out={folder}"]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for path in sorted(glob.glob(folder + "/*")):
            with open(path, "rb") as f:
                data = f.read()
            if path.endswith(".json"):
                run = json.loads(data)
                data = json.dumps({k: v for k, v in run.items() if k not in VARIES}).encode()
            found[os.path.basename(path)] = hashlib.sha256(data).hexdigest()
        shutil.rmtree(folder)
        return found

    def test_same_bytes(self):
        for name, (scenario, options) in CASES.items():
            alone = self.simulate(scenario, options, 1)
            self.assertGreaterEqual(len(alone), 5)
            for number in (2, 3, 4):
                with self.subTest(name, ranks=number):
                    self.assertEqual(self.simulate(scenario, options, number), alone)

    def test_same_bytes_under_the_stock_simulator(self):
        for name in ("finite flows", "arrivals"):
            scenario, options = CASES[name]
            alone = self.simulate(scenario, options, 1)
            for number in (2, 3):
                with self.subTest(name, ranks=number):
                    self.assertEqual(self.simulate(scenario, options, number, STOCK), alone)

    def test_command(self):
        words = ["run", "clos", *(TREE + " --size=20KB --cc=dcqcn").split(), "--no-plots", "--quiet"]
        one = self.rcc(*words, "--out=one")
        two = self.rcc(*words, "--out=two", "--ranks=2")
        self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
        self.assertEqual(self.read("one", "dcqcn", "flows.csv"), self.read("two", "dcqcn", "flows.csv"))
        self.assertIn("--ranks=2", json.loads(self.read("two", "summary.json"))["command"])

    def test_a_rank_that_dies(self):
        self.wrap("clos-ranks", '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && kill -9 $$')
        done = self.rcc("run", "clos", *(TREE + " --cc=dcqcn").split(), "--no-plots", "--ranks=2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 1 exited on signal 9", done.stderr)

    def test_what_does_not_pay(self):
        done = self.rcc("run", "clos", "--topology=leaf-spine", *"--racks=3 --hosts-per-rack=1 --spines=1 --receivers=1".split(),
                        *"--senders=1 --flows=9 --time=100us --start=10us --cc=dcqcn --no-plots --ranks=3".split())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("will not pay", done.stderr)
        done = self.rcc("run", "workload", *(RACKS + " --time=300us --load=0.8 --seed=2 --cc=dcqcn --no-plots --ranks=5").split())
        self.assertIn("5 ranks, expected at most 4", done.stderr)


class Refused(RccTest):
    def test_refused(self):
        for text in ("0", "65", "two", "1.5", ""):
            self.assert_refused(self.rcc("run", "clos", f"--ranks={text}"), f"--ranks={text}: expected 1 to 64")


if __name__ == "__main__":
    unittest.main()
