# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A command removes and replaces what its own last run lists, and nothing else."""
import json
import os
import shutil
import unittest
import unittest.mock

from support import RccTest, needs_programs, sample_run

from command import below, common
from command.reference import manual
from command.results.judge import sweep_results
from command import owned
from command.results.read import results
from command.run import staging

RUN = ["run", "incast", "--cc=dcqcn", "--flows=4", "--time=1ms", "--start=100us", "--no-plots"]


class Owned(RccTest):
    def put(self, name, content="keep"):
        return super().put(name, content)

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
        self.assertEqual(results.own_files(self.path("out"), [], False),
                         {"dcqcn/run.json", "dcqcn/queue.csv", "summary.json", "machine.json"})
        self.put("out/dcqcn/notes.txt")
        results.prepare(self.path("out"), ["dcqcn"], False)
        self.assertEqual((os.listdir(self.path("out")), os.listdir(self.path("out", "dcqcn"))), (["dcqcn"], ["notes.txt"]))

    def test_an_interrupt_between_two_files(self):
        self.put("made/dcqcn/run.json", "{}")
        self.put("made/dcqcn/queue.csv", "time_s\n")
        os.makedirs(self.path("out"))
        moved = []

        def replace(source, path, folder, to, move=below.move):
            if moved and to.endswith("run.json"):
                raise KeyboardInterrupt
            moved.append(move(source, path, folder, to))

        with unittest.mock.patch.object(staging.below, "move", replace), self.assertRaises(KeyboardInterrupt):
            staging.adopt(self.path("made"), "dcqcn", self.path("out"), "dcqcn")
        self.assertEqual(os.listdir(self.path("out", "dcqcn")), ["queue.csv"])
        results.prepare(self.path("out"), ["dcqcn"], False)
        self.assertEqual(os.listdir(self.path("out")), [])

    @needs_programs
    def test_who_reads_the_table_goes(self):
        process = self.begin(*RUN, "--out=out")
        process.stdout.close()
        process.wait()
        self.assertIn("report.html", os.listdir(self.path("out")))

    def test_a_list_that_is_not_one(self):
        """A user's own .rcc-files: notes, another program's JSON, a folder, a pipe."""
        def put(text):
            self.put(f"out/{owned.NAME}", text)
        for make in (lambda: put("mine\n"), lambda: put('{"files": 3}'), lambda: put('{"files": {"./rcc run": "x"}}'),
                     lambda: put("[" * 99999), lambda: os.makedirs(self.path("out", owned.NAME)),
                     lambda: os.mkfifo(self.path("out", owned.NAME))):
            self.result()
            os.unlink(self.path("out", owned.NAME))
            make()
            before = self.everything()
            with self.assertRaises(common.RccError) as caught:
                results.prepare(self.path("out"), ["dcqcn"], False)
            self.assertEqual((caught.exception.status, before), (2, self.everything()))
            self.assertIn(owned.NAME, str(caught.exception))
            shutil.rmtree(self.path("out"))

    def everything(self):
        return sorted((folder, *folders, *names) for folder, folders, names in os.walk(self.path("out")))

    def test_a_file_beside_them_is_somebodys(self):
        for name in ("dcqcn/mine.pcap", "dcqcn/fct.txt", "dcqcn/groups.csv", "wide.csv", "queue.svg"):
            self.result()
            self.put(f"out/{name}")
            self.refused(name)
            self.assertEqual(self.read("out", name), "keep")
            self.assertTrue(os.path.exists(self.path("out", "summary.json")))
            os.unlink(self.path("out", name))

    def test_a_folder_that_leads_elsewhere(self):
        self.put("elsewhere/queue.csv")
        os.makedirs(self.path("out"))
        os.symlink(self.path("elsewhere"), self.path("out", "dcqcn"))
        with self.assertRaisesRegex(common.RccError, "dcqcn there is a link to"):
            results.prepare(self.path("out"), ["dcqcn"], False)
        owned.remove(self.path("out"), ["dcqcn/queue.csv", "../elsewhere/queue.csv", self.path("elsewhere", "queue.csv")], results.RUN)
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
    def test_lists_of_two_commands_in_one_folder(self):
        """Each command has its own list, and takes nothing of the other's away."""
        self.succeed(*RUN, "--pcap", "--out=a")
        capture = "a/dcqcn/receiver.pcap"
        for _ in range(2):
            self.succeed("pcap", capture, "--no-plots", "--out=a")
        self.succeed(*RUN, "--out=a")
        self.assertTrue(os.path.exists(self.path("a", "pcap.json")))
        self.assertFalse(os.path.exists(self.path(capture)))

    @needs_programs
    def test_again(self):
        """A comparison and an analysis of captures are made anew, unless a file that they would write is somebody's."""
        self.succeed(*RUN, "--pcap", "--out=a")
        for words, name in ((["compare", "a", "a"], "queue.png"), (["pcap", "a/dcqcn/receiver.pcap"], "ecn.svg")):
            for _ in range(2):
                self.succeed(*words, "--no-plots", f"--out={words[0]}")
            self.put(f"{words[0]}/{name}")
            done = self.rcc(*words, "--no-plots", f"--out={words[0]}")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"the {name} there is not from ./rcc {words[0]}", done.stderr)
            self.assertEqual(self.read(words[0], name), "keep")

    @needs_programs
    def test_sweep(self):
        words = ["sweep", "incast", "--cc=dcqcn", "--flows=2,4", "--time=500us", "--out=s"]
        for _ in range(2):
            done = self.succeed(*words, "--no-plots")
        self.assertEqual(sweep_results.own_files(self.path("s")),
                         {"sweep.json", "report.html", "table.csv", "wide.csv", "intervals.csv"})
        self.put("s/sweep-jain.png")
        for more in ([], ["--metric=jain,utilization"]):
            done = self.rcc(*words, *more)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the sweep-jain.png there is not from ./rcc sweep", done.stderr)
        self.succeed(*words, "--metric=utilization", "--no-plots")
        self.assertEqual(self.read("s", "sweep-jain.png"), "keep")
        done = self.rcc("plot", "s", "--figure=sweep-utilization", "--format=svg")
        self.put("s/sweep-utilization.pdf")
        done = self.rcc("plot", "s", "--figure=sweep-utilization", "--format=pdf")
        self.assertIn("the sweep-utilization.pdf there is not from ./rcc sweep", done.stderr)

    @needs_programs
    def test_points_that_lead_elsewhere(self):
        os.makedirs(self.path("elsewhere"))
        os.makedirs(self.path("s"))
        os.symlink(self.path("elsewhere"), self.path("s", "points"))
        done = self.rcc("sweep", "incast", "--cc=dcqcn", "--flows=2", "--time=500us", "--no-plots", "--out=s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("points there is a link to", done.stderr)
        self.assertEqual(os.listdir(self.path("elsewhere")), [])

    @needs_programs
    def test_reproduce(self):
        words = ["reproduce", "eod-fp-2", "--no-plots", "--out=r"]
        for _ in range(2):
            self.assertIn("simulations", self.rcc(*words, RCC_MAX_EVENTS="1000").stderr)
        self.put("r/ib-fig6.svg")
        self.assertIn("the ib-fig6.svg there is not from ./rcc reproduce", self.rcc(*words, RCC_MAX_EVENTS="1000").stderr)
        os.unlink(self.path("r", "ib-fig6.svg"))
        run = sorted(name for name in os.listdir(self.path("r", "runs")) if "seed" in name)[0]
        self.put(f"r/runs/{run}/notes.txt")
        done = self.rcc(*words, RCC_MAX_EVENTS="1000")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{run}: the notes.txt there is not from ./rcc reproduce", done.stderr)
        self.assertEqual(self.read("r", "runs", run, "notes.txt"), "keep")

    def test_generate(self):
        words = ["generate", "topology", "star", "--hosts=3", "--out=topology.txt"]
        for _ in range(2):
            self.succeed(*words)
        self.put("mine.txt")
        os.symlink("mine.txt", self.path("link.txt"))
        for name in ("mine.txt", "link.txt"):
            done = self.rcc(*words[:-1], f"--out={name}")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"--out={name}: the file there is not from ./rcc generate", done.stderr)
        self.assertEqual(self.read("mine.txt"), "keep")

    def test_trees(self):
        """Trees that manual and reproduce remove: no file that is not listed, and no folder that a link leads to."""
        self.put("m/a.html")
        self.put("m/sub/b.html")
        owned.record(self.path("m"), owned.tree(self.path("m")), "./rcc manual")
        self.put("m/sub/notes.txt")
        with self.assertRaisesRegex(common.RccError, "--out=m: the sub/notes.txt there is not from ./rcc manual"):
            owned.remove_tree(self.scratch, "m", "./rcc manual", manual.may_write, "--out=m")
        os.unlink(self.path("m", "sub", "notes.txt"))
        os.symlink(self.scratch, self.path("m", "sub", "up"))
        with self.assertRaisesRegex(common.RccError, "the sub/up there"):
            owned.remove_tree(self.scratch, "m", "./rcc manual", manual.may_write, "--out=m")
        os.unlink(self.path("m", "sub", "up"))
        owned.remove_tree(self.scratch, "m", "./rcc manual", manual.may_write, "--out=m")
        self.assertFalse(os.path.exists(self.path("m")))


if __name__ == "__main__":
    unittest.main()
