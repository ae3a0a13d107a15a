# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""import rcc_results: results as DataFrames."""
import json
import os
import subprocess
import unittest

from support import ROOT, RccTest, sample_run

from command.results.read import results, table
from command.system import probe

SHOW = """
import json, rcc_results
runs = rcc_results.runs("out")
queue = rcc_results.series("out", "queue")
print(json.dumps({"mean": runs.set_index("cc")["queue.mean_bytes"].to_dict(), "time": runs["time"].tolist(),
                  "rows": len(rcc_results.table("out")), "queue": queue.groupby("cc")["mean_bytes"].mean().to_dict(),
                  "columns": list(queue.columns), "wall": rcc_results.machine("out")["wall_s"].tolist()}))
"""


@unittest.skipUnless(probe.python_with("pandas"), "pandas is not installed")
class Frames(RccTest):
    def test_frames(self):
        runs = [sample_run("dcqcn", 1e5, seed=1), sample_run("qcn", 2e4, seed=1)]
        for run in runs:
            self.put(f"out/{run['cc']}/queue.csv", f"time_s,mean_bytes,max_bytes\n0.1,{run['queue']['mean_bytes']},1\n")
        results.write_json(self.path("out"), "summary.json", results.merge(self.path("out"), "./rcc run incast", runs, []))
        table.write(self.path("out"), table.of_runs(runs, {"time": "5ms"}))
        done = subprocess.run([probe.python_with("pandas"), "-c", SHOW], cwd=self.scratch,
                              env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "lab")},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["mean"], found["time"]), ({"dcqcn": 1e5, "qcn": 2e4}, [0.005, 0.005]))
        self.assertEqual((found["queue"], found["columns"][:3]), ({"dcqcn": 1e5, "qcn": 2e4}, ["run", "cc", "seed"]))
        self.assertEqual(found["wall"], [2.0, 2.0])
        self.assertGreater(found["rows"], 20)


class Tables(RccTest):
    def test_whole_numbers_of_tables_are_exact(self):
        """Seeds have up to 18 digits, and bytes of long runs more than 12."""
        runs = [{"cc": "a", "seed": 123456789012345670 + i, "bytes": 9007199254740993, "mean": 12345678901234.0, "part": 1 / 3}
                for i in (1, 2)]
        table.write(self.scratch, table.of_runs(runs, {"flows": "1234567890123", "time": "5ms"}))
        rows = [line.split(",") for line in self.read("wide.csv").splitlines()]
        self.assertEqual(rows, [["run", "cc", "flows", "time", "seed", "bytes", "mean", "part"], *(
            [str(i), "a", "1234567890123", "0.005", f"12345678901234567{i + 1}", "9007199254740993", "12345678901234", "0.333333333333"]
            for i in (0, 1))])
        self.assertIn("1,a,1234567890123,0.005,123456789012345672,bytes,9007199254740993", self.read("table.csv").splitlines())

    def test_each_column_has_a_name_of_its_own(self):
        """An option that a metric is called as is option.NAME; in long form metrics are no columns."""
        runs = [{"cc": "a", "seed": seed, "flows": 3, "load": 0.5} for seed in (1, 2)]
        table.write(self.scratch, table.of_runs(runs, {"flows": "h1-h3,h2-h3", "time": "5ms"}))
        self.assertEqual(self.read("wide.csv").splitlines()[:2],
                         ["run,cc,option.flows,time,seed,flows,load", '0,a,"h1-h3,h2-h3",0.005,1,3,0.5'])
        self.assertEqual(self.read("table.csv").splitlines()[0], "run,cc,flows,time,seed,metric,value")


if __name__ == "__main__":
    unittest.main()
