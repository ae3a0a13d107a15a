# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The rates of a victim and of the least flow: flows that end over their own lives, and several flows of a pair each by itself."""
import csv
import hashlib
import json
import os
import shutil
import unittest
import unittest.mock

from support import RccTest, needs_programs

from command.common import read_json


@needs_programs
class Runs(RccTest):
    def answers(self, *words):
        done = self.succeed("run", *words, "--out=out", "--no-plots")
        return {cc: read_json(self.path("out", cc, "run.json")).get("answer") for cc in ("hpcc", "none")}, done

    def test_a_victim_that_ends(self):
        """hpcc's took 4.9 ms and none's 8.5 ms, of windows of 9.4 and 8.5 ms."""
        found, done = self.answers("victim", "--cc=hpcc,none", "--time=50ms", "--flows=h[1-4]-h7:size=10MB,h8-h9:size=10MB")
        self.assertIn("Largest goodput of the victim: hpcc 16.5 Gb/s", " ".join(done.stdout.split()))
        self.assertAlmostEqual(found["none"]["victim_bps"] / 1e9, 9.42, delta=0.01)
        found, _ = self.answers("victim", "--cc=hpcc", "--time=10ms", "--flows=h[1-6]-h7,h8-h9:size=12MB")    # before the window
        self.assertGreater(found["hpcc"]["victim_bps"], 15e9)

    def test_a_sweep_has_the_answers_of_a_run(self):
        """A sweep has them for flows with sizes, and for several flows of a pair."""
        for scenario, path, flows in (("victim", "victim_bps", "h8-h9:size=2MB:qps=2:start=1ms,h[1-6]-h7"),
                                      ("unfairness", "least_bps", "h[1-4]-h5:qps=3")):
            words = [scenario, "--time=3ms", f"--flows={flows}", "--no-plots"]
            found, _ = self.answers(*words, "--cc=hpcc,none")
            self.succeed("sweep", *words, "--cc=hpcc,none", f"--out={scenario}")
            points = os.listdir(self.path(scenario, "points"))
            self.assertEqual([len(points), {name.rpartition(".")[2] for name in points}], [2, {"json"}])
            entries = [read_json(self.path(scenario, "points", name)) for name in points]
            own = {entry["run"]["cc"]: entry["run"]["answer"] for entry in entries}
            self.assertEqual(own, found)
            table = {row["cc"]: float(row["value"]) for row in csv.DictReader(self.read(scenario, "table.csv").splitlines())
                     if row["metric"] == f"answer.{path}"}
            self.assertEqual(table, {cc: float(f"{one[path]:.12g}") for cc, one in found.items()})

    def test_the_least_flow_of_equal_sizes(self):
        found, _ = self.answers("unfairness", "--cc=none", "--time=50ms", "--flows=h[1-4]-h5:size=10MB")
        self.assertGreater(found["none"]["most_bps"], 1.2 * found["none"]["least_bps"])
        found, _ = self.answers("unfairness", "--cc=hpcc", "--time=5ms", "--flows=h[1-3]-h5,h4-h5:size=1MB")
        self.assertGreater(found["hpcc"]["least_bps"], 1e9)

    def test_a_sweep_that_was_killed(self):
        """It leaves the folder of a point: whole, where the simulator ended before its result was kept, or half of it."""
        words = ["sweep", "victim", "--cc=none", "--time=1ms", "--flows=h8-h9:size=1MB,h[1-6]-h7:qps=2", "--no-plots", "--out=out"]
        self.assertEqual(self.rcc(*words).returncode, 0)
        name, = os.listdir(self.path("out", "points"))
        point = read_json(self.path("out", "points", name))
        sum_ = hashlib.sha256(point["made_by"].encode()).hexdigest()[:8]
        place = self.path("out", "points", f"{name[:-len('json')]}{sum_}.files")
        self.assertEqual(self.rcc("run", *words[1:-1], "--out=run").returncode, 0)
        for whole in (True, False):
            shutil.copytree(self.path("run", "none"), place)
            run = read_json(self.path("run", "none", "run.json"))
            del run["answer"]
            with open(os.path.join(place, "run.json"), "w", encoding="utf-8") as f:
                f.write(json.dumps({**run, "kept": True})[:None if whole else 100])
            os.unlink(self.path("out", "points", name))
            self.succeed(*words)
            self.assertEqual(os.listdir(self.path("out", "points")), [name])
            again = read_json(self.path("out", "points", name))["run"]
            self.assertEqual([again["answer"], "kept" in again], [point["run"]["answer"], whole])

    def test_flows_of_a_pair_are_flows(self):
        found, done = self.answers("unfairness", "--cc=hpcc,none", "--time=20ms", "--flows=h1-h5:qps=8,h[2-4]-h5")
        self.assertIn("Largest least rate: hpcc 2.75 Gb/s", " ".join(done.stdout.split()))
        self.assertEqual(found["none"]["least_bps"], 1.4196736e9)
        self.assertLess(found["none"]["most_bps"], 13e9)


if __name__ == "__main__":
    unittest.main()
