# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Places of results that hold something else or cannot hold them, and commands that are ended while they write there."""
import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from pcap_bytes import data, pcap
from support import RCC, InFolder, captured, needs_programs, sample_run

from command import below, common, main, registry
from command.pcap import pcap_out
from command.results import compare, plot
from command.results.draw import drawing

FRAMES = [(1000 * i, data(i)) for i in range(4)]

for module in registry.names().values():
    registry.load(module)


class Here(InFolder):
    """Commands in this process, so that parts of them can be replaced."""

    def summary(self, folder):
        self.put(f"{folder}/summary.json", json.dumps({"schema": 1, "rcc_version": "0", "runs": [sample_run("qcn", 1000)]}))


class Files(Here):
    def test_a_pipe_gets_the_text_and_stays(self):
        os.mkfifo("pipe")
        found = []
        reader = threading.Thread(target=lambda: found.append(self.read("pipe")), daemon=True)
        reader.start()
        self.succeed("generate", "topology", "star", "--hosts=2", "--out=pipe")
        self.assertFalse(os.path.isfile("pipe"), "the pipe was replaced by a file")
        reader.join()
        self.assertTrue(found[0].startswith("3 1 2\n"), found)

    def test_a_link_stays_one(self):
        self.assertEqual(self.rcc("generate", "topology", "star", "--hosts=3", "--out=topology.txt").returncode, 0)
        os.symlink("topology.txt", "link")
        self.assertEqual(self.rcc("generate", "topology", "star", "--hosts=2", "--out=link").returncode, 0)
        self.assertTrue(os.path.islink("link"))
        self.assertTrue(self.read("topology.txt").startswith("3 1 2\n"))

    @needs_programs
    def test_mistakes_that_are_found_before_any_work(self):
        self.put("fct.txt", "0b000001 0b000101 1 2 1000 5 10 10\n")
        os.mkdir("x.png")
        for words, part in ((["fct", "fct.txt", "--plot=x.png"], "--plot=x.png: found a directory, expected the name of a file"),
                            (["bench", "--quick", "--peer=fct.txt"], "--peer=fct.txt: no such program"),
                            (["--verison"], "unknown option --verison, did you mean --version?")):
            self.assert_refused(self.rcc(*words), part)

    def test_a_file_in_place_of_a_folder(self):
        self.put("file", "mine")
        for folder in ("a", "b"):
            self.summary(folder)
        capture = self.put("c.pcap", pcap(FRAMES))
        for words in (["compare", "a", "b", "--no-plots"], ["pcap", capture, "--no-plots"], ["reproduce", "s15-pfc"], ["check", "sonic"]):
            self.assert_refused(self.rcc(*words, "--out=file"), "--out=file: cannot write there: found a file, expected a folder")
        self.assertEqual(self.read("file"), "mine")

    def test_no_name(self):
        self.assert_refused(self.rcc("check", "sonic", "--out="), "--out=: a folder's name is missing")
        self.assertEqual(os.listdir("."), ["bin"])


class Disk(Here):
    def test_a_full_disk_is_no_mistake_of_the_user(self):
        for number, status in ((errno.ENOSPC, 1), (errno.EDQUOT, 1), (errno.EACCES, 2), (errno.EROFS, 2)):
            error = common.cannot_write("--out=x", OSError(number, os.strerror(number)))
            self.assertEqual((str(error), error.status), (f"--out=x: cannot write there: {os.strerror(number)}", status))

    def test_the_file_that_cannot_be_written_is_named(self):
        def raise_no_space(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        with self.assertRaises(OSError) as caught, mock.patch.object(os, "fsync", raise_no_space):
            with below.atomic_write("checks.json") as f:
                f.write("x")
        self.assertEqual(main.describe(caught.exception), "checks.json: No space left on device")
        self.assertEqual(os.listdir("."), ["bin"])

    def test_stdout_is_blamed_for_its_own_errors_only(self):
        self.assertEqual(captured(main.describe, OSError(errno.EAGAIN, "Resource temporarily unavailable"))[0],
                         "Resource temporarily unavailable")


class OfOthers(Here):
    """Files of others stay, whatever their names are."""

    def refused(self, words, fragment, *kept):
        before = {name: self.read(*name) for name in kept}
        done = self.rcc(*words)
        lines = [line for line in done.stderr.splitlines() if not line.startswith("rcc: note: ")]
        self.assertEqual((done.returncode, done.stdout, len(lines)), (2, "", 1), done.stderr)
        self.assertIn(fragment, lines[0])
        for name, text in before.items():
            self.assertEqual(self.read(*name), text)

    def test_runs_of_another_study(self):
        mine = ("study", "runs", "exp-seed1", "result")
        self.put(os.path.join(*mine), "mine")
        for words, name in ((["reproduce", "s15-pfc"], "./rcc reproduce"), (["check", "sonic", "tc5"], "./rcc check")):
            self.refused([*words, "--out=study"], f"--out=study: the runs there are not from {name}; give another folder", mine)

    def test_what_stands_between_our_runs(self):
        self.put("study/runs/made-by.json", "{}")
        self.put("study/runs/exp-seed1/result", "mine")
        self.put("study/runs/incast-0123456789ab-seed1/run.json", "old")
        done = self.rcc("reproduce", "eod-fp-2", "--no-plots", "--out=study", RCC_MAX_EVENTS="1")
        self.assertIn("simulations", done.stderr)
        self.assertEqual(self.read("study", "runs", "exp-seed1", "result"), "mine")
        self.assertFalse(os.path.exists(self.path("study", "runs", "incast-0123456789ab-seed1")))

    @needs_programs
    def test_a_sweep_of_another_tool(self):
        mine = [("mine", name) for name in ("sweep.json", "table.csv", "report.html")]
        for name in mine:
            self.put(os.path.join(*name), '{"method": "grid"}')
        self.refused(["sweep", "incast", "--flows=2", "--time=1ms", "--cc=qcn", "--no-plots", "--out=mine"],
                     "--out=mine: the sweep.json there is not from rcc; give another folder", *mine)

    def test_results_of_reproduce_and_check(self):
        self.put("r/published.json", '{"rcc_version": "0", "rows": []}')
        self.put("r/runs/made-by.json", "{}")
        self.refused(["check", "sonic", "tc5", "--out=r"], "the published.json there is not from ./rcc check", ("r", "published.json"))
        self.put("c/checks.json", '{"plan": "sonic"}')
        self.put("c/runs/made-by.json", "{}")
        self.refused(["reproduce", "s15-pfc", "--out=c"], "the checks.json there is not from ./rcc reproduce", ("c", "checks.json"))
        self.put("m/checks.json", '{"mine": 1}')
        self.refused(["check", "sonic", "tc5", "--out=m"], "the checks.json there is not from rcc", ("m", "checks.json"))

    @needs_programs
    def test_a_point_that_is_none(self):
        """A sweep neither leaves it out of its tables in silence nor ends in a traceback."""
        words = ["sweep", "incast", "--flows=2", "--time=1ms", "--cc=qcn", "--no-plots", "--out=s"]
        self.assertEqual(self.rcc(*words).returncode, 0)
        name, = os.listdir(self.path("s", "points"))
        point = json.loads(self.read("s", "points", name))
        tables = self.read("s", "table.csv")
        for wrong in ({}, {**point, "run": None}, {**point, "parameters": {"cc": "qcn", "flows": "2"}},
                      {**point, "parameters": {**point["parameters"], "flows": ["2"]}}):
            self.put(os.path.join("s", "points", name), json.dumps(wrong))
            self.refused(words, f"{os.path.join('s', 'points', name)}: found no point of a sweep", ("s", "points", name))
            self.assertEqual(self.read("s", "table.csv"), tables)
        os.unlink(self.path("s", "points", name))
        self.assertEqual(self.rcc(*words).returncode, 0)

    @needs_programs
    def test_seeds_are_written_in_ascii(self):
        self.assert_refused(self.rcc("run", "incast", "--seed=\u0663-\u0664"), "expected whole numbers such as 1, 1-10")

    @needs_programs
    def test_a_name_that_no_folder_can_have(self):
        words = "dcqcn" + "".join(f"+{name}=1.{'0' * 80}" for name in ("g", "initial_alpha", "pmax"))
        self.assert_refused(self.rcc("run", "incast", "--cc=" + words), "bytes, expected at most 255, the name of a folder")


class Ended(Here):
    """Commands that a signal ends, and what the next one makes of their folder."""

    @needs_programs
    def test_a_kill_is_as_good_as_ctrl_c(self):
        self.wrap("rcc-run", 'echo x > "$TRACE"; exec sleep 60')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with contextlib.suppress(FileNotFoundError):
                os.unlink("trace")
            process = subprocess.Popen([sys.executable, RCC, "run", "incast", "--cc=qcn", "--no-plots"], cwd=self.scratch,
                                       env=self.environment(TRACE=self.path("trace")), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not os.path.exists("trace"):
                time.sleep(0.02)
            process.send_signal(number)
            out, err = process.communicate()
            self.assertEqual((process.returncode, out, err), (130, "", "rcc: interrupted\n"), number)
            self.assertFalse(os.path.exists("out"))

    def compare(self):
        return captured(main.run, ["compare", "a", "b", "--out=c"])[0]

    def test_a_comparison(self):
        for folder in ("a", "b"):
            self.summary(folder)

        def interrupted(folder, *_):
            self.put(os.path.join(folder, "queue.png"), "half")
            raise KeyboardInterrupt

        with mock.patch.object(compare, "draw", interrupted), self.assertRaises(KeyboardInterrupt):
            self.compare()
        self.assertFalse(os.path.exists("c"))
        # killed: nothing could be removed
        for name in (".rcc-lock", "queue.png", ".compare.json.0123abcd", os.path.join(".rcc-run-0123abcd", "queue.png")):
            self.put(os.path.join("c", name), "")
        with mock.patch.object(compare, "draw"):
            self.assertEqual(self.compare(), 0)
        self.assertEqual(sorted(os.listdir("c")), [".rcc-files", "compare.json", "report.html"])

    def test_captures(self):
        words = ["pcap", self.put("c.pcap", pcap(FRAMES)), "--no-plots", "--out=p"]

        def interrupted(*_):
            raise KeyboardInterrupt

        tables = [*pcap_out.TABLES[:-1], (*pcap_out.TABLES[-1][:2], interrupted)]
        with mock.patch.object(pcap_out, "TABLES", tables), self.assertRaises(KeyboardInterrupt):
            main.run(words)
        self.assertFalse(os.path.exists("p"))
        for name in (".rcc-lock", "flows.csv"):
            self.put(os.path.join("p", name), "")
        self.assertEqual(captured(main.run, words)[0], 0)
        self.assertIn("pcap.json", os.listdir("p"))

    def test_what_draws_ends_with_the_call(self):
        process = mock.Mock(pid=1 << 30, **{"communicate.side_effect": [KeyboardInterrupt, ("", "")]})
        with mock.patch.object(drawing.packages, "plotting_python", lambda: sys.executable), \
                mock.patch.object(subprocess, "Popen", return_value=process), mock.patch.object(os, "killpg") as kill, \
                self.assertRaises(KeyboardInterrupt):
            drawing.plotting_process(["-c", "pass"])
        kill.assert_called_once_with(1 << 30, signal.SIGKILL)
        self.assertEqual(process.communicate.call_count, 2)

    def test_figures_stay_without_matplotlib(self):
        self.summary("a")
        self.put("a/queue.png", "figure")
        with mock.patch.object(plot.packages, "plotting_python", lambda: ""), self.assertRaises(common.RccError) as caught:
            main.run(["plot", "a"])
        self.assertEqual((str(caught.exception), caught.exception.status), ("no plots: matplotlib is not installed (./rcc doctor)", 1))
        self.assertEqual(self.read("a", "queue.png"), "figure")
        self.assertFalse(os.path.exists(os.path.join("a", "report.html")))


if __name__ == "__main__":
    unittest.main()
