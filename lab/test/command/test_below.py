# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The promise of SECURITY.md on folders of results: nothing in one leads out of it, and only what a command can write itself is removed."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import types
import unittest

from support import RccTest, needs_programs, sample_run

from command import below, common
from command.pcap import pcap_out
from command.reference import manual
from evidence.reproduce import reproduce
from command.results import compare
from command.results.judge import comparison, sweep_results
from command import lock, owned
from command.results.read import results, series
from command.run import points
from command.system import packages

RUN = ["run", "incast", "--cc=dcqcn", "--flows=4", "--time=1ms", "--start=100us", "--no-plots"]
COMMANDS = ("", "./rcc run", "./rcc sweep", "./rcc compare", "./rcc pcap", "./rcc reproduce", "./rcc check", "./rcc manual")
DEPTHS = ["old", "a/old", "a/b/old", "dcqcn/old", "dcqcn", "points", "runs"]      # Each is the path of a link that leads out.
BEHIND = ["thesis.txt", "sub/thesis.txt", "queue.csv", "run.json", "receiver.pcap", "report.html", "table.csv"]


class Outside(RccTest):
    """A folder of results `out`, made by somebody else, beside files of the user in `victim`."""

    def setUp(self):
        super().setUp()
        for name in BEHIND:
            self.put(f"victim/{name}", "keep")
        os.makedirs(self.path("out"))
        self.before = self.all_of("victim")

    def all_of(self, folder):
        """Read all that stands below a folder: {path: content}, for a link its target, for a folder None."""
        found = {}
        for place, folders, names in os.walk(self.path(folder)):
            for name in folders + names:
                path = os.path.join(place, name)
                link = os.path.islink(path)
                found[os.path.relpath(path, self.scratch)] = os.readlink(path) if link else None if name in folders else self.read(path)
        return found

    def link(self, path, target="victim"):
        """Make a link out/PATH that leads to `target`, in place of what is there."""
        place = self.path("out", path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.lexists(place):
            os.unlink(place)
        os.symlink(self.path(target), place)

    def list_all(self, paths):
        self.put(f"out/{owned.NAME}", json.dumps({"files": {command: sorted(paths) for command in COMMANDS}}))

    def prepare_all(self):
        """Let every command that removes what a list says make space in out. They may refuse it."""
        folder = self.path("out")
        before = self.read("out", owned.NAME)
        for prepare in (lambda: results.prepare(folder, ["qcn"], False), lambda: results.prepare(folder, ["dcqcn"], False),
                        lambda: results.prepare(folder, ["qcn"], True), lambda: results.clear(folder, ["dcqcn"]),
                        lambda: compare.prepare(folder, False), lambda: pcap_out.prepare(folder, False),
                        lambda: pcap_out.prepare(folder, True), lambda: reproduce.prepare(folder),
                        lambda: results.remove(folder, sorted(sweep_results.own_files(folder))),
                        lambda: owned.remove_tree(self.scratch, "out", manual.MANUAL, manual.may_write, folder),
                        lambda: owned.remove_tree(folder, "dcqcn", reproduce.RUNS, results.is_of_run, folder)):
            self.put(f"out/{owned.NAME}", before)
            with contextlib.suppress(common.RccError, FileNotFoundError):
                prepare()
            self.assertEqual(self.all_of("victim"), self.before)


class Lists(Outside):
    def test_links_at_every_depth(self):
        for depth in DEPTHS:
            with self.subTest(depth):
                self.put("out/summary.json", json.dumps({"rcc_version": "1"}))
                self.link(depth)
                self.list_all([f"{depth}/{name}" for name in BEHIND] + [f"{depth}/../victim/{name}" for name in BEHIND])
                self.prepare_all()
                self.assertEqual(os.readlink(self.path("out", depth)), self.path("victim"))
                shutil.rmtree(self.path("out"))

    def test_names_that_lead_out(self):
        paths = [self.path("victim", name) for name in BEHIND]
        paths += [f"{before}victim/{name}" for name in BEHIND
                  for before in ("../", "./../", "dcqcn/../../", "dcqcn//../../", "a/b/../../../")]
        os.makedirs(self.path("out", "a", "b"))
        os.makedirs(self.path("out", "dcqcn"))
        self.list_all(paths + ["", ".", "..", "/", "dcqcn/.", "dcqcn/..", "dcqcn/", "x\0y"])
        self.prepare_all()

    def test_names_that_no_command_writes(self):
        """Files in the folder itself, which are the user's, whatever a list and a run.json say of them."""
        foreign = ["thesis.txt", "dcqcn/thesis.txt", ".bashrc", "dcqcn/.bashrc", "dcqcn/sub/queue.csv", ".hidden/queue.csv", "queue.csv"]
        for name in foreign:
            self.put(f"out/{name}", "keep")
        self.put("out/dcqcn/run.json", json.dumps(sample_run("dcqcn", 1e5, files=["thesis.txt", ".bashrc", "sub/queue.csv"])))
        self.put("out/dcqcn/queue.csv", "time_s\n")
        self.list_all([*foreign, "dcqcn/run.json", "dcqcn/queue.csv"])
        self.prepare_all()
        self.assertEqual([self.read("out", name) for name in foreign], ["keep"] * len(foreign))
        self.assertFalse(os.path.exists(self.path("out", "dcqcn", "queue.csv")))    # it is what a run writes, and listed

    def test_a_link_among_its_own_files_is_removed_as_a_link(self):
        self.put("out/summary.json", json.dumps({"rcc_version": "1"}))
        self.link("report.html", "victim/report.html")
        self.link("dcqcn/queue.csv", "victim/queue.csv")
        self.list_all(["summary.json", "report.html", "dcqcn/queue.csv"])
        results.prepare(self.path("out"), ["dcqcn"], False)
        self.assertEqual((os.listdir(self.path("out")), self.all_of("victim")), ([owned.NAME], self.before))

    def test_what_killed_commands_left(self):
        """Folders and halves of files have names that no user gives; links among them are removed as links."""
        self.put(".rcc-run-0123abcd/x", "keep")
        for name in (".rcc-run-thesis", ".rcc-run-0123abcde", ".compare.json.my-notes"):
            self.put(f"out/{name}/x" if "run" in name else f"out/{name}", "keep")
        self.link(".rcc-run-0123abcd")
        self.put("out/.rcc-run-abcd0123/x", "keep")
        self.link(".rcc-run-abcd0123/up")
        results.remove_left_over(self.path("out"))
        below.remove_half_written(self.path("out"), "compare.json")
        self.assertEqual(sorted(os.listdir(self.path("out"))), [".compare.json.my-notes", ".rcc-run-0123abcde", ".rcc-run-thesis"])
        self.assertEqual(self.all_of("victim"), self.before)

    def test_names_that_no_file_can_have(self):
        """JSON has letters that no name of a file has, and a name has a limit: such a file is not there."""
        names = ["dcqcn/\ud800.pcap", "\ud800/queue.csv", f"dcqcn/{'a' * 5000}.pcap", f"{'a' * 300}/queue.csv"]
        for path in names:
            self.put("out/summary.json", json.dumps({"rcc_version": "1"}))
            self.put("out/dcqcn/queue.csv", "time_s\n")
            self.list_all(["summary.json", path, "dcqcn/queue.csv"])
            with self.subTest(path[:20]):
                results.prepare(self.path("out"), ["dcqcn"], False)
                self.assertEqual(os.listdir(self.path("out")), [owned.NAME])

    def test_a_left_over_that_is_too_deep(self):
        """It is more than the interpreter walks through, and stays; the folder can be used all the same."""
        os.mkdir(self.path("out", ".rcc-run-0123abcd"))
        below_it = os.open(self.path("out", ".rcc-run-0123abcd"), os.O_RDONLY)
        for _ in range(sys.getrecursionlimit()):
            os.mkdir("a", dir_fd=below_it)
            below_it, above = os.open("a", os.O_RDONLY, dir_fd=below_it), below_it
            os.close(above)
        os.close(below_it)
        self.addCleanup(subprocess.run, ["rm", "-rf", self.path("out")], check=True)
        results.remove_left_over(self.path("out"))
        with self.assertRaisesRegex(OSError, "too deep"):
            below.tree(self.path("out"))

    def test_a_manual_and_a_run_without_a_list(self):
        """A folder of an older version has no list; a file that is not of the command is kept there too."""
        for folder, page, may_write in (("m", "m/rcc.html", manual.may_write), ("r", "r/run.json", results.is_of_run)):
            self.put(page, "keep")
            self.put(f"{folder}/thesis.txt", "keep")
            with self.assertRaisesRegex(common.RccError, "the thesis.txt there is not from"):
                owned.remove_tree(self.scratch, folder, "x", may_write, folder)
            self.assertEqual(self.read(page), "keep")
            os.unlink(self.path(folder, "thesis.txt"))
            owned.remove_tree(self.scratch, folder, "x", may_write, folder)
            self.assertFalse(os.path.exists(self.path(folder)))

    @needs_programs
    def test_a_run(self):
        """The command, from a folder as an archive leaves it."""
        for depth in DEPTHS[:4]:
            with self.subTest(depth):
                self.link(depth)
                self.list_all([f"{depth}/{name}" for name in BEHIND])
                done = self.rcc(*RUN, "--out=out")
                self.assertEqual((done.returncode, self.all_of("victim")), (0, self.before), done.stderr)
                shutil.rmtree(self.path("out"))

    @needs_programs
    def test_out_that_is_a_link(self):
        """It is the user's own word: results go where it leads, and it stays."""
        os.makedirs(self.path("disk"))
        os.symlink("disk", self.path("here"))
        for _ in range(2):
            done = self.succeed(*RUN, "--out=here")
        self.assertEqual((os.readlink(self.path("here")), os.path.isfile(self.path("disk", "summary.json"))), ("disk", True))
        os.unlink(self.path("disk", "dcqcn", "run.json"))
        os.rename(self.path("disk", "dcqcn"), self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("disk", "dcqcn"))
        there = self.all_of("elsewhere")
        done = self.rcc(*RUN, "--out=here")
        self.assertEqual((done.returncode, self.all_of("elsewhere")), (2, there), done.stderr)
        self.assertIn("dcqcn there is a link to", done.stderr)


class Files(Outside):
    """The functions that open, replace and remove, each with a link at each component."""

    def test_each_function(self):
        folder = self.path("out")
        for path in ("old", "old/sub", "a/old", "a/old/sub/x", "a/b/old", "a/b/c/old/sub"):
            place = path[:path.index("old") + 3]
            self.link(place, "victim/thesis.txt" if path == place else "victim")
            inside = path if path != place else f"{place}/.."
            for function in (lambda: below.open_file(folder, path, 1 << 20), lambda: below.open_to_write(folder, path),
                             lambda: below.make_folder(folder, path), lambda: below.move(self.path("victim"), "thesis.txt", folder, inside),
                             lambda: below.move(folder, inside, folder, "x"), lambda: below.remove(folder, inside),
                             lambda: below.remove_empty(folder, inside), lambda: below.remove_tree(folder, inside),
                             lambda: below.tree(folder, path), lambda: below.replace(folder, inside).__enter__()):
                with self.subTest(path), self.assertRaises(below.LeadsOut):
                    function()
            self.assertEqual((below.is_there(folder, inside), below.is_file(folder, path)), (False, False))
            self.assertEqual(below.names_in(folder, path), [])
            self.assertEqual(self.all_of("victim"), self.before)

    def test_texts_that_lead_out(self):
        for path in (self.path("victim", "thesis.txt"), "../victim/thesis.txt", "a/../../victim/thesis.txt", "", ".", "..", "a//b", "a/",
                     "a\0", "\ud800"):
            for function in (below.remove, below.remove_tree, below.remove_empty, below.open_to_write):
                with self.subTest(path), self.assertRaises(below.LeadsOut):
                    function(self.path("out"), path)
        self.assertEqual(self.all_of("victim"), self.before)

    def test_a_link_is_replaced_and_removed_as_one(self):
        for use in (below.remove, below.remove_tree, lambda *where: self.enter(below.replace(*where))):
            for target in ("victim/thesis.txt", "victim", "nowhere"):
                self.link("a/old", target)
                use(self.path("out"), "a/old")
                self.assertFalse(os.path.islink(self.path("out", "a", "old")))
        self.assertEqual((self.read("out", "a", "old"), self.all_of("victim")), ("new", self.before))

    @staticmethod
    def enter(context):
        with context as f:
            f.write("new")

    def test_a_second_name_of_a_file_is_not_written(self):
        os.link(self.path("victim", "thesis.txt"), self.path("out", lock.NAME))
        with self.assertRaisesRegex(common.RccError, "two names"), lock.locked(self.path("out")):
            pass
        self.assertEqual(self.all_of("victim"), self.before)


class Readers(Outside):
    def result(self):
        self.put("real/dcqcn/run.json", json.dumps(sample_run("dcqcn", 1e5)))
        self.put("real/dcqcn/queue.csv", "time_s,mean_bytes,max_bytes\n0.1,1,2\n")
        self.put("real/summary.json", json.dumps({"schema": 1, "rcc_version": "1", "command": "./rcc run incast", "partial": False,
                                                  "runs": [sample_run("dcqcn", 1e5)]}))

    def test_links_at_every_depth(self):
        self.result()
        for path in ("summary.json", "machine.json", "dcqcn", "dcqcn/queue.csv", "queue.png"):
            with self.subTest(path):
                for name in ("summary.json", "dcqcn/run.json", "dcqcn/queue.csv"):
                    if not f"{name}/".startswith(f"{path}/"):
                        self.put(f"out/{name}", self.read("real", name))
                self.link(path, f"real/{path}" if os.path.exists(self.path("real", path)) else "victim/thesis.txt")
                done = self.rcc("plot", "out") if path == "dcqcn/queue.csv" else self.rcc("compare", "real", "out", "--no-plots", "--json")
                if path != "queue.png":     # which no reader of these reads
                    self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
                    self.assertIn("a link to", done.stderr)
                shutil.rmtree(self.path("out"))

    def test_names_that_no_file_can_have(self):
        self.result()
        for key in ("cc", "folder"):
            summary = json.loads(self.read("real", "summary.json"))
            summary["runs"][0][key] = "\ud800"
            self.put("out/summary.json", json.dumps(summary))
            with self.subTest(key), self.assertRaisesRegex(common.RccError, f"{key}: found .*, expected the name of a folder"):
                results.load(self.path("out"))

    def test_a_series_is_another_one_behind_a_link(self):
        """./rcc compare says of series that they are the same: not of one that stands elsewhere."""
        self.result()
        self.link("dcqcn/queue.csv", "real/dcqcn/queue.csv")
        self.assertEqual(comparison.same_series([[self.path("real", "dcqcn")], [self.path("out", "dcqcn")]]), {"queue.csv": None})
        with self.assertRaises(below.LeadsOut):
            series.read(self.path("out", "dcqcn", "queue.csv"))

    def test_runs_that_are_kept(self):
        """./rcc reproduce --resume reads what an archive says that the same programs have made."""
        for path in ("runs", f"runs/{reproduce.STAMP}"):
            self.link(path, "victim/run.json" if path != "runs" else "victim")
            with self.subTest(path), self.assertRaises(common.RccError):
                reproduce.prepare_runs(self.path("out"), "./rcc reproduce")
            os.unlink(self.path("out", path))
        self.put("out/runs/x/run.json", "keep")
        self.link("runs/x/receiver.pcap", "victim/receiver.pcap")
        with self.assertRaisesRegex(common.RccError, "receiver.pcap there is a link to"):
            reproduce.refuse_others(self.path("out", "runs"), "x")
        os.unlink(self.path("out", "runs", "x", "receiver.pcap"))
        os.mkfifo(self.path("out", "runs", "x", "receiver.pcap"))    # which the rows of captures would wait for
        with self.assertRaisesRegex(common.RccError, "receiver.pcap: found no regular file"):
            reproduce.refuse_others(self.path("out", "runs"), "x")
        self.assertEqual(self.all_of("victim"), self.before)


class Points(Outside):
    """Simulators write into files of points: what is there may be a link."""
    POINT = types.SimpleNamespace(name="dcqcn-1", needs_flows=True, simulation=lambda: types.SimpleNamespace(text=lambda: ""))

    def test_files_that_a_simulator_writes(self):
        origin = "rcc x"
        for ending in (points.raw(origin), ".err"):
            self.link(f"points/{self.POINT.name}{ending}", "victim/thesis.txt")
            with self.subTest(ending), self.assertRaises(below.LeadsOut):
                points.claim(self.path("out"), self.POINT, origin).start("true")
            self.assertEqual(self.all_of("victim"), self.before)
            os.unlink(self.path("out", "points", self.POINT.name + ending))

    def test_the_folder_that_a_simulator_writes(self):
        os.makedirs(self.path("out", "points"))
        claim = points.claim(self.path("out"), self.POINT, "rcc x")
        os.symlink(self.path("victim"), claim.files)
        self.put("program", '#!/bin/sh\nmkdir -p "${2#--out=}" && echo "{}" > "${2#--out=}/run.json"\n')
        os.chmod(self.path("program"), 0o755)
        claim.start(self.path("program"))
        claim.process.wait()
        self.assertEqual((self.all_of("victim"), os.path.isfile(os.path.join(claim.files, "run.json"))), (self.before, True))
        claim.release()
        self.assertEqual(os.listdir(self.path("out", "points")), [])

    @unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
    def test_a_figure_whose_name_leads_out(self):
        """./rcc plot draws the metrics that a sweep.json names."""
        metric = "../../victim/thesis"
        group = {"parameters": {"cc": "dcqcn", "flows": "2"}, "steady": True, "metrics": {metric: [1, 1, 1]}, "by_size": {}}
        other = {**group, "parameters": {"cc": "dcqcn", "flows": "4"}}
        self.put("out/sweep.json", json.dumps({"rcc_version": "1", "drawing": {
            "x": "flows", "varying": ["flows"], "metrics": [metric], "groups": [group, other], "command": "x", "rcc_version": "1"}}))
        os.makedirs(self.path("out", "sweep-.."))
        done = self.rcc("plot", "out")
        self.assertEqual((done.returncode, self.all_of("victim")), (1, self.before), done.stderr)
        self.assertIn("leads out of", done.stderr)


if __name__ == "__main__":
    unittest.main()
