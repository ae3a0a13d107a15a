# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run trace beside the command's other options: networks, several seeds and NICs, JSON, figures, an interrupt, files of an earlier
run."""
import base64
import contextlib
import csv
import glob
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from support import RCC, RccTest, needs_programs

from command.common import RccError, si_rate, si_time
from command.main import main
from command.run import run as command
from command.run import training
from command.system import probe
from command.traces import gantt
from test_trace_goal import Words

WORKLOAD = "HYBRID_TRANSFORMER model_parallel_NPU_group: 4 all_gpus: 8\n2\n" \
           "a -1 5000 ALLREDUCE 400000 5000 ALLREDUCE 400000 5000 ALLREDUCE 8000 0\n" \
           "b -1 5000 ALLTOALL 80000 5000 NONE 0 5000 NONE 0 0\n"
LONG = "num_ranks 2\nrank 0 { send 400000000000b to 1 }\nrank 1 { recv 400000000000b from 0 }\n"
NIC = "/sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate:7\n/sys/class/net/eth0/ecn/roce_rp/rpg_time_reset:55\n"


class Networks(RccTest):
    def network(self, topology, hosts, per_host=1):
        return training.network(Words("x", topology=topology), hosts, per_host)

    def test_rails(self):
        found = self.network("rails", 3, 2)
        self.assertEqual(found["nodes"], ["h[0-5]", "r[0-1]", "s[0-2]"])
        self.assertEqual(found["links"], ["h0-r0", "h1-r1", "h2-r0", "h3-r1", "h4-r0", "h5-r1", "r[0-1]-s[0-2]"])
        self.assertEqual(self.network("rails", 128, 8)["links"][-1], "r[0-7]-s[0-63]*2")
        self.assertEqual(self.network("rails", 4, 1), {"nodes": ["h[0-3]", "r0"], "links": ["h0-r0", "h1-r0", "h2-r0", "h3-r0"]})

    def write(self, name, text):
        self.put(name, text)
        return self.path(name)

    def test_a_topology_file(self):
        path = self.write("topology.txt", "5 1 4\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n3 2 50Gbps 2us 0\n4 2 100Gbps 1us 0\n")
        self.assertEqual(self.network(path, 4), {
            "nodes": ["h0", "h1", "h2", "h3", "s0"],
            "links": ["h0-s0:100000000000bps:1000ns", "h1-s0:100000000000bps:1000ns", "h2-s0:50000000000bps:2000ns",
                      "h3-s0:100000000000bps:1000ns"]})
        for text, hosts, expected in (("5 1 4\n2\n0 2 100Gbps 1us 0\n", 2, "rows: found the end of the file, expected 4 links, not 1"),
                                      (None, 5, "found 4 hosts, expected at least the 5"),
                                      ("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0.1\n", 2,
                                       "found links with an error rate, expected none"),
                                      ("{", 2, "found no JSON"), ('{"flows": []}', 2, "found no links"),
                                      ('{"links": ["h[0-1]-s0"], "links": ["h[0-1]-s1"]}', 2, "found 'links' twice in an object"),
                                      ('{"links": ["h[0-1]-s0"], "node": ["h[0-1]", "s0"]}', 2,
                                       "found the key 'node', expected those of an experiment, did you mean nodes")):
            with self.subTest(expected), self.assertRaises(RccError) as caught:
                self.network(self.write("other", text) if text else path, hosts)
            self.assertIn(expected, str(caught.exception))
        path = self.write("experiment.json", '{"links": ["h[0-1]-s0"], "nodes": ["h[0-1]", "s0"], "flows": ["h0-h1"]}')
        self.assertEqual(self.network(path, 2), {"nodes": ["h[0-1]", "s0"], "links": ["h[0-1]-s0"]})

    def test_rows_of_the_picture(self):
        rows = gantt.raster([[(0, 450)], []], [[(300, 900, 0)], [(450, 451, 1)]], ["all-reduce", "send and receive"], 900)
        self.assertEqual(rows[0], "1" * 300 + "2" * 150 + "3" * 450)
        self.assertEqual(rows[1], "0" * 450 + "4" + "0" * 449)

    def test_what_follows_is_not_beside(self):
        """Whatever a column is: a rank that communicates after computing never does both."""
        for end in range(901, 2000, 7):
            row, = gantt.raster([[(0, end // 3)]], [[(end // 3, end, 0)]], ["all-reduce"], end)
            self.assertEqual(set(row), {"1", "3"}, end)


@needs_programs
class Runs(RccTest):
    def setUp(self):
        super().setUp()
        for name, text in (("w.txt", WORKLOAD), ("long.goal", LONG), ("nic.txt", NIC)):
            self.put(name, text)

    def run_trace(self, *words):
        return self.succeed("run", "trace", "w.txt", *words)

    def test_least_rates_at_one_port(self):
        """Seven of 56 flows of an all-to-all share a port; flows that wait for others do not count."""
        self.put("w.txt", "HYBRID_TRANSFORMER model_parallel_NPU_group: 8 all_gpus: 8\n1\n"
                 "x -1 0 ALLTOALL 80000 0 ALLTOALL 80000 0 NONE 0 0\n")
        for least, expected in (("14Gbps", ""), ("15Gbps", "x 7 = 1.05e+11 bit/s is not below the bottleneck's 1e+11 bit/s")):
            found = self.run_trace("--cc=dcqcn", f"--set=dcqcn.r_min={least}", "--no-plots").stderr
            self.assertEqual("r_min" in found, bool(expected), found)
            self.assertIn(expected, found)

    def test_several_seeds_and_nics(self):
        shown = self.run_trace("--cc=dcqcn,none", "--seed=1-2", "--no-plots").stdout
        for name in ("dcqcn-seed-1", "dcqcn-seed-2", "none-seed-1", "none-seed-2"):
            self.assertTrue(os.path.exists(self.path("out", "trace", name, "collectives.csv")))
        self.assertIn("all-reduce=ring", shown)
        self.assertEqual(re.findall(r"^(\S+, seed \d) .*rank \d", shown, re.MULTILINE),
                         [f"{cc}, seed {seed}" for cc in ("dcqcn", "none") for seed in (1, 2)])
        runs = json.loads(self.read("out", "trace", "summary.json"))["runs"]
        self.run_trace("--cc=dcqcn", "--nic-params=nic.txt,default", "--no-plots", "--out=nics")
        nics = json.loads(self.read("nics", "summary.json"))["runs"]
        self.assertEqual((len(runs), len(nics)), (4, 2))
        self.assertTrue(all(run["step"]["step_s"] > 0 for run in runs + nics))

    def test_json(self):
        found = json.loads(self.run_trace("--cc=none", "--json", "--no-plots").stdout)
        step = found["runs"][0]["step"]
        self.assertEqual({(one["kind"], one["ranks"], one["bytes"], one["count"]) for one in step["collectives"]},
                         {("all-reduce", 4, 400000, 4), ("all-reduce", 2, 8000, 4), ("all-to-all", 4, 80000, 2)})
        self.assertEqual(step["messages"], 2 * (2 * 24 + 12) + 4 * 4)

    def test_topology_and_scale(self):
        self.run_trace("--cc=none", "--topology=rails", "--ranks-per-host=4", "--compute=0.5x", "--no-plots", "--out=rails")
        run = json.loads(self.read("rails", "none", "run.json"))
        self.assertEqual(run["step"]["messages"], 4 * 4)       # only data-parallel ones leave a host
        self.assertAlmostEqual(run["step"]["compute_s"], 15e-6)
        again = self.rcc("run", "trace", "w.txt", "--cc=none", "--no-plots", "--out=again", "--topology=rails/none/experiment.json",
                         "--ranks-per-host=4")
        self.assertEqual(again.returncode, 0, again.stderr)

    @unittest.skipUnless(probe.python_with("matplotlib"), "matplotlib is not installed")
    def test_figures_and_files_of_an_earlier_run(self):
        for _ in range(2):     # the second run finds its own files, and replaces them
            self.run_trace("--cc=none", "--perfetto")
            files = os.listdir(self.path("out", "trace", "none"))
            self.assertLessEqual({"gantt.png", "collectives.csv", "ranks.csv", "operations.json"}, set(files))
        with open(self.path("out", "trace", "none", "gantt.png"), "rb") as f:
            picture = f.read()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        page = self.read("out", "trace", "report.html")
        self.assertIn(base64.b64encode(picture).decode(), page)
        shown = re.sub(r"<[^>]+>+", "|", page[page.index("Ranks and collectives"):page.index("Figures")])
        one = json.loads(self.read("out", "trace", "none", "run.json"))["step"]["collectives"][0]
        self.assertIn(f"|{one['kind']}, {one['algorithm']}||{one['ranks']}||", shown)
        self.assertIn(f"|{si_time(one['mean_time_s'])}||{si_rate(one['mean_busbw_bps'])}|", shown)
        events = json.loads(self.read("out", "trace", "none", "operations.json"))["traceEvents"]
        slices = [event for event in events if event["ph"] == "X" and event["cat"] == "collective"]
        self.assertEqual(len(slices), 4 * 4 + 4 * 2 + 2 * 4)   # all-reduces of four, of two, all-to-alls: one for each rank
        self.rcc("run", "incast", "--cc=none", "--no-plots", "--time=1ms", "--flows=2", "--senders=2", "--out=out/trace")
        self.assertNotIn("gantt.png", os.listdir(self.path("out", "trace", "none")))

    def test_progress_from_the_beginning(self):
        """progress.txt is there before the trace is read, and says what is done before and while it is simulated."""
        seen = {}

        def seeing(function, step):
            def called(*words, **given):
                path, = glob.glob(self.path("out", "trace", ".rcc-run-*", "progress.txt"))
                with open(path, encoding="utf-8") as f:
                    seen.setdefault(step, []).append(f.read().splitlines())
                return function(*words, **given)
            return called

        with contextlib.ExitStack() as stack:
            for place, name in ((training, "read"), (training, "write"), (command.simulation, "check"), (command.Runner, "run"),
                                (command, "collect")):
                stack.enter_context(mock.patch.object(place, name, seeing(getattr(place, name), name)))
            stack.enter_context(mock.patch.dict(os.environ, self.environment()))
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(self.scratch)
            self.assertEqual(main(["run", "trace", "w.txt", "--cc=none", "--no-plots"]), 0)
        steps = ["reading w.txt", "writing its experiment: 136 messages of 8 ranks", "checking the experiment", "simulating"]
        for k, step in enumerate(("read", "write", "check", "run")):
            self.assertEqual([re.sub(r"^ +\d+\.\d s  ", "", line) for line in seen[step][0]], steps[:k + 1])
        self.assertEqual(len(seen["collect"][0]), 5)
        self.assertEqual([name for name in os.listdir(self.path("out", "trace")) if name.startswith((".rcc-run-", ".rcc-lock"))], [])

    def begin(self, is_there):
        """Start ./rcc run trace, and wait until something is there. Returns the process."""
        process = subprocess.Popen([sys.executable, RCC, "run", "trace", "long.goal", "--cc=none", "--no-plots"], cwd=self.scratch,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while process.poll() is None and not is_there():
            time.sleep(0.02)
        return process

    def interrupt(self, process):
        """Interrupt the process. Returns its stdout."""
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, err)
        return out

    def test_an_interrupt_leaves_what_there_is(self):
        out = self.interrupt(self.begin(lambda: any(name == "rate.csv" for _, _, files in os.walk(self.path("out")) for name in files)))
        self.assertIn("not over: 1 of 1 message is not delivered", out)
        run = json.loads(self.read("out", "trace", "none", "run.json"))
        self.assertTrue(run["partial"])
        self.assertIsNone(run["step"]["step_s"])

    def test_what_there_is_can_be_read_while_it_runs(self):
        """A message has ended, and another one never does: the first one's end is there before the run's."""
        self.put("long.goal", LONG.replace("{ send", "{ a: send 5000b to 1\nb: send").replace("to 1 }", "to 1\nb requires a }")
                 .replace("{ recv", "{ recv 5000b from 0\nrecv"))
        process = self.begin(lambda: len(self.rows("flows.csv")) == 2 and len(self.rows("queue.csv")) > 2
                             and re.search(r"\nnone  \[#*\.*\] +\d+ % .*packets/s", self.progress()))
        self.assertIsNone(process.poll())
        first, second = self.rows("flows.csv")
        self.assertEqual((first["delivered_bytes"], second["fct_s"]), ("5000", ""))
        self.assertGreater(float(first["fct_s"]), 0)
        self.assertGreater(int(second["delivered_bytes"]), 0)
        self.assertFalse(os.path.exists(self.path("out", "trace", "none", "run.json")))
        self.interrupt(process)
        times = [row["time_s"] for row in self.rows("queue.csv")]
        self.assertEqual(times, sorted(set(times), key=float))

    def progress(self):
        for path in glob.glob(self.path("out", "trace", ".rcc-run-*", "progress.txt")):
            with open(path, encoding="utf-8") as f:
                return f.read()
        return ""

    def rows(self, name):
        """Return the rows of a run's file, in whichever folder it is."""
        for folder, _, files in os.walk(self.path("out")):
            if name in files:
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    return [row for row in csv.DictReader(f) if None not in row.values()]
        return []


if __name__ == "__main__":
    unittest.main()
