# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The table, the lines below it, the warnings and the report name flows that did not end and packets that were lost."""
import json
import os
import shutil
import sys
import unittest

import support  # noqa: F401 - lets the command be found
from command.results.html import report
from support import ROOT, RccTest, needs_programs, sample_run

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES

KILLED = 'case "$*" in *--check*) ;; *) ! grep -q "^algorithm 0 qcn " "$1" || kill -9 $$;; esac'


def fct(count, mean=0.1):
    return {"count": count, "mean_s": mean if count else None, "p50_s": mean, "p99_s": mean, "max_s": mean}


class Report(RccTest):
    def test_warnings_and_missing_algorithms(self):
        run = sample_run("a", 1e3, flows=8, fct=fct(0), frames_lost=2)
        text = report.page(self.scratch, {"schema": 1, "rcc_version": "1", "command": "x", "runs": [run], "partial": True,
                                          "missing": [{"cc": "qcn", "why": "the program ended by signal 9"}]})
        for fragment in ("not ended: a: 8 of 8 flows: still running", "lost: a: 2 frames lost on links",
                         "stopped early: qcn: the program ended by signal 9"):
            self.assertIn(fragment, text)


@needs_programs
class Command(RccTest):
    def test_one_program_is_killed(self):
        self.wrap("rcc-run", KILLED)
        done = self.rcc("run", "incast", "--time=5ms", "--start=1ms", "--no-plots", "--flows=6", "--cc=qcn,dcqcn")
        self.assertEqual(done.returncode, 1)
        merged = json.loads(self.read("out", "incast", "summary.json"))
        self.assertIs(merged["partial"], True)
        self.assertEqual(merged["missing"], [{"cc": "qcn", "why": "the program ended by signal 9"}])
        self.assertIn("stopped early: qcn: the program ended by signal 9", done.stdout)

    def test_no_flow_ends(self):
        done = self.succeed("run", "incast", "--time=1ms", "--start=100us", "--no-plots", "--flows=8", "--size=100MB", "--cc=dcqcn")
        said = "not ended: dcqcn: 8 of 8 flows: still running"
        self.assertEqual(done.stderr, "")
        self.assertIn(said, done.stdout)
        self.assertIn(said, self.read("out", "incast", "report.html"))
        done = self.rcc("run", "incast", "--time=1ms", "--start=100us", "--no-plots", "--flows=8", "--size=100MB", "--cc=dcqcn", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", f"rcc: warning: {said}\n"))

    def account(self, *words, scenario="testbed"):
        """run.json of a testbed of three hosts, or of a scenario, with what is printed."""
        links = ["--links=h[1-3]-s1"] if scenario == "testbed" else []
        done = self.succeed("run", scenario, *links, *words, "--cc=none", "--no-plots")
        return json.loads(self.read("out", scenario, "none", "run.json")), " ".join((done.stdout + done.stderr).split())

    def test_no_flow_ends_beside_one_without_an_end(self):
        for words, ended, left, why in ((["--flows=h1-h3:size=50MB,h2-h3"], 0, 1, "still running"),
                                        (["--flows=h1-h3:size=1MB:start=3ms,h2-h3"], 0, 1, "not started"),
                                        (["--flows=h1-h3:size=1KB,h1-h3:size=50MB,h2-h3"], 1, 1, "still running")):
            run, text = self.account(*words, "--time=2ms")
            self.assertEqual((run["fct"]["count"], run["incomplete"]), (ended, left), words)
            self.assertRegex(text, rf"not ended: none: {left} of [0-9]+ flows?: {why}")
        run, text = self.account("--flows=h1-h3,h2-h3", "--time=200us")
        self.assertEqual((run["fct"], run.get("incomplete"), "not ended" in text), (None, None, False))
        run, text = self.account("--time=4ms", scenario="probes")
        self.assertEqual((run["fct"]["count"], run["incomplete"], run["unfinished"]), (0, 200, {"not_started": 200}))
        self.assertIn("not ended: none: 200 of 202 flows: not started", text)

    def test_why_flows_of_a_testbed_did_not_end(self):
        """A flow is cut off by its own stop time, or waits for others."""
        for flows, time, ended, why in (("h1-h3:size=10MB:stop=500us,h2-h3:size=1KB", "2ms", 1, {"stopped": 1}),
                                        ("h1-h3:size=1MB:name=a,h2-h3:size=1KB:after=a", "100us", 0, {"not_started": 1}),
                                        ("h1-h3:size=1KB:name=a,h2-h3:size=1KB:after=a:delay=50ms", "100us", 1, {"not_started": 1}),
                                        ("h1-h3:size=1KB:name=a,h2-h3:size=1MB:after=a", "100us", 1, None)):
            run, text = self.account(f"--flows={flows}", f"--time={time}")
            self.assertEqual((run["fct"]["count"], run.get("unfinished")), (ended, why), flows)
        self.assertIn("not ended: none: 1 of 2 flows: still running", text)

    def test_flows_without_an_end_that_are_given_up(self):
        words = ["--links=h[1-9]-s1", "--lossy", "--buffer=50KB", "--cc=none,dcqcn", "--rto=100us", "--retry-limit=1", "--no-plots"]
        done = self.succeed("run", "testbed", *words, "--flows=h[1-8]-h9", "--time=4ms", "--seed=1-2")
        warned = [text[len("rcc: warning: "):] for text in done.stderr.splitlines()]
        page, runs = self.read("out", "testbed", "report.html"), json.loads(self.read("out", "testbed", "summary.json"))["runs"]
        self.assertEqual((len(runs), sorted({text.partition(":")[0] for text in warned})), (4, ["dcqcn", "none"]))
        for run in runs:
            self.assertEqual((run.get("unfinished"), run["endless"]), (None, {"retry_limit": 8}))
            self.assertRegex(run["warnings"][0],
                             rf"^{run['cc']}: 8 of 8 flows were given up at the retry limit, the first one at [0-9.]+[mun]s$")
            self.assertIn(run["warnings"][0], warned)
            self.assertIn(run["warnings"][0], page)
        # a file, in which there is one that ends
        self.rcc("run", "testbed", *words, "--flows=h[1-8]-h9,h8-h1:size=1KB:start=3ms", "--time=4ms", "--out=first")
        shutil.copy(self.path("first", "none", "experiment.json"), self.path("again.json"))
        done = self.rcc("run", "again.json", "--cc=none", "--no-plots")
        self.assertRegex(done.stderr, "rcc: warning: none: 8 of 8 flows without an end were given up at the retry limit, the first one at ")

    def test_flows_without_an_end_that_end_in_nothing(self):
        """Each with what becomes of it, and of which nothing else is said."""
        first, second = "--flows=h1-h3", "h2-h3"
        for flows, more, reason, text in (
                (f"{first},{second}", "link-down link=1-3 at=1ms", {"no_route": 2}, "2 of 2 flows were without a route when"),
                (f"{first},{second}", "link-down link=0-1 at=1ms", {"no_route": 1}, "1 of 2 flows was without a route when"),
                (f"{first},{second}", "link-down link=0-1 at=1ms for=500us", None, None),
                (f"{first}:size=100MB:name=a,{second}:after=a", None, {"not_started": 1},
                 "1 of 1 flow without an end never started: what it waits for had not happened when"),
                (f"{first}:size=1KB:name=a,{second}:after=a", None, None, None),
                (f"{first},{second}", "pause host=3 at=1ms", {"paused": 2}, "2 of 2 flows were stuck behind a pause when"),
                (f"{first},{second}", "rate link=1-3 at=1ms rate=100Mbps", None, None),   # which takes long to empty a buffer
                (f"{first},{second}:start=10ms", None, {"not_started": 1}, None)):   # which is said before the run
            with self.subTest(flows, faults=more):
                self.put("faults.txt", f"{more}\n")
                run, said = self.account(flows, "--time=9ms", *(["--faults=faults.txt"] if more else []))
                self.assertEqual(run.get("endless"), reason)
                found = [warning for warning in run["warnings"] if "flows never starts:" not in warning]
                self.assertEqual(found, [f"none: {text} the simulation ended"] if text else [])
                for warning in found:
                    self.assertIn(f"rcc: warning: {warning}", said)

    def test_flows_of_files_that_are_given_up_before_their_stop(self):
        """A flow with a size is unfinished, one without is endless."""
        for packets, key in ((100000, "unfinished"), (0, "endless")):
            for name, text in {**FILES, "star-flows.txt": f"1\n1 2 3 {packets} 0.001 0.008\n", "star-tcp.txt": "0\n",
                               "faults.txt": "link-down link=0-2 at=2ms\n"}.items():
                self.put(name, text)
            done = self.succeed("ns3-rdma", "original.txt", "--cc=none", "--faults=faults.txt", "--rto=100us", "--no-plots",
                                "--retry-limit=3")
            run = json.loads(self.read("out", "ns3-rdma", "summary.json"))["runs"][0]
            self.assertEqual((run.get("unfinished"), run.get("endless")), tuple({"retry_limit": 1} if key == one else None
                                                                                for one in ("unfinished", "endless")))
            self.assertRegex(done.stdout if packets else done.stderr, "given up at the retry limit" if packets else
                             r"none: 1 of 1 flow was given up at the retry limit, at [0-9.]+[mun]s\n")

    def test_a_flow_into_a_dead_link(self):
        """Without a limit a sender sends for ever; with one it waits longer each time, and its flow fails."""
        for name, text in {**FILES, "star-flows.txt": "1\n1 2 3 100000 0.001 9.5\n", "star-tcp.txt": "0\n",
                           "faults.txt": "link-down link=0-2 at=2ms\n"}.items():
            self.put(name, text)
        sent = []
        for more, why in (([], "without a route"), (["--retry-limit=3"], "given up at the retry limit")):
            done = self.succeed("ns3-rdma", "original.txt", "--cc=none", "--faults=faults.txt", "--rto=100us", "--no-plots", *more)
            self.assertIn(f"not ended: none: 1 of 1 flow: {why}", done.stdout)
            sent.append(json.loads(self.read("out", "ns3-rdma", "summary.json"))["runs"][0]["packets_sent"])
        self.assertLess(sent[1], sent[0] / 2)


if __name__ == "__main__":
    unittest.main()
