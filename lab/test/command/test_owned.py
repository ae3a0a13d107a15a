# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A command removes and replaces what its own last run lists, and nothing else."""
import json
import os
import unittest

from support import RccTest, needs_programs, sample_run

from command import common
from command.results import owned, results

RUN = ["run", "incast", "--cc=dcqcn", "--flows=4", "--time=1ms", "--start=100us", "--no-plots"]


class Owned(RccTest):
    def put(self, path, text="keep"):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as f:
            f.write(text)

    def result(self):
        """A folder as a run leaves it."""
        self.put("out/dcqcn/run.json", json.dumps(sample_run("dcqcn", 1e5)))
        self.put("out/dcqcn/queue.csv", "time_s\n")
        results.write_json(self.path("out"), "summary.json", {"schema": 1, "rcc_version": "1", "command": "./rcc run incast",
                                                              "partial": False, "runs": [sample_run("dcqcn", 1e5)]})
        results.record(self.path("out"))

    def refused(self, name):
        with self.assertRaises(common.RccError) as caught:
            results.prepare(self.path("out"), ["dcqcn"], False)
        self.assertEqual(caught.exception.status, 2)
        self.assertIn(f"the {name} there is not from ./rcc run", str(caught.exception))

    def test_its_own_files_go(self):
        self.result()
        self.assertEqual(owned.listed(self.path("out")), {"dcqcn/run.json", "dcqcn/queue.csv", "summary.json", "machine.json"})
        self.put("out/dcqcn/notes.txt")
        results.prepare(self.path("out"), ["dcqcn"], False)
        self.assertEqual((os.listdir(self.path("out")), os.listdir(self.path("out", "dcqcn"))), (["dcqcn"], ["notes.txt"]))

    def test_results_of_older_versions_have_no_list(self):
        self.result()
        os.unlink(self.path("out", owned.NAME))
        results.prepare(self.path("out"), ["qcn"], False)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_a_file_beside_them_is_somebodys(self):
        for name in ("dcqcn/mine.pcap", "dcqcn/fct.txt", "dcqcn/groups.csv", "wide.csv", "queue.svg"):
            self.result()
            self.put(f"out/{name}")
            self.refused(name)
            self.assertEqual(self.read("out", name), "keep")
            self.assertTrue(os.path.exists(self.path("out", "summary.json")))
            os.unlink(self.path("out", name))

    def test_a_folder_that_leads_elsewhere(self):
        os.makedirs(self.path("elsewhere"))
        self.put("elsewhere/queue.csv")
        os.makedirs(self.path("out"))
        os.symlink(self.path("elsewhere"), self.path("out", "dcqcn"))
        with self.assertRaisesRegex(common.RccError, "dcqcn there is a link to"):
            results.prepare(self.path("out"), ["dcqcn"], False)
        owned.remove(self.path("out"), ["dcqcn/queue.csv", "../elsewhere/queue.csv", self.path("elsewhere", "queue.csv")])
        self.assertEqual(self.read("elsewhere", "queue.csv"), "keep")

    @needs_programs
    def test_a_users_folder_of_an_algorithms_name(self):
        for name, text in (("testbed.pcap", "keep"), ("fct.txt", "keep"), ("queue.csv", "keep"), ("run.json", '{"precious": 1}')):
            self.put(f"mine/dcqcn/{name}", text)
        done = self.rcc(*RUN, "--out=mine")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("the dcqcn/fct.txt there is not from ./rcc run", done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("mine", "dcqcn"))), ["fct.txt", "queue.csv", "run.json", "testbed.pcap"])
        self.assertEqual(self.read("mine", "dcqcn", "run.json"), '{"precious": 1}')

    @needs_programs
    def test_runs_and_comparisons_again(self):
        for _ in range(2):
            self.assertEqual(self.rcc(*RUN, "--out=a").returncode, 0)
            done = self.rcc("compare", "a", "a", "--no-plots", "--out=cmp")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.put("cmp/queue.png")
        done = self.rcc("compare", "a", "a", "--no-plots", "--out=cmp")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the queue.png there is not from ./rcc compare", done.stderr)


if __name__ == "__main__":
    unittest.main()
