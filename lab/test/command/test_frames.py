# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""import rcc_results: results as DataFrames."""
import json
import os
import subprocess
import unittest

from support import ROOT, RccTest, sample_run

from command.results import results, table
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
            os.makedirs(self.path("out", run["cc"]))
            with open(self.path("out", run["cc"], "queue.csv"), "w", encoding="utf-8") as f:
                f.write(f"time_s,mean_bytes,max_bytes\n0.1,{run['queue']['mean_bytes']},1\n")
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


if __name__ == "__main__":
    unittest.main()
