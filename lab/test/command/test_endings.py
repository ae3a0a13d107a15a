# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What did not end and what was lost stands in the table, the lines below it, the warnings and the report."""
import json
import os
import shutil
import sys
import unittest

import support  # noqa: F401 - lets the command be found
from command.results.html import report
from command.results.judge import endings, questions, ranking, summary
from command.results.read import seeds
from support import ROOT, RccTest, needs_programs, sample_run

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES

KILLED = 'case "$*" in *--check*) ;; *) ! grep -q "^algorithm 0 qcn " "$1" || kill -9 $$;; esac'


def fct(count, mean=0.1):
    return {"count": count, "mean_s": mean if count else None, "p50_s": mean, "p99_s": mean, "max_s": mean}


class Words(unittest.TestCase):
    def test_no_flow_ended(self):
        runs = [sample_run("a", 1e3, flows=8, fct=fct(0)), sample_run("b", 1e3, flows=8, fct=fct(8))]
        self.assertIn("0 of 8 flows ended under a (still running when the simulation ended)", "; ".join(summary.remarks(runs)))
        self.assertIn("ended", summary.table(runs).splitlines()[1])
        self.assertNotIn("under b", "; ".join(summary.remarks(runs)))

    def test_reasons(self):
        run = sample_run("a", 1e3, flows=10, fct=fct(4), incomplete=6, unfinished={"paused": 3, "no_route": 1, "retry_limit": 1})
        self.assertEqual(sum(endings.reasons(run).values()), 6)
        self.assertIn("4 of 10 flows ended under a (3 stuck behind a pause, 1 without a route, 1 given up at the retry limit, "
                      "1 still running when the simulation ended)", "; ".join(summary.remarks([run])))

    def test_what_arrives_corrupted_is_lost(self):
        run = sample_run("a", 1e3, icrc_errors=143, frames_lost=2, packets_dropped=5)
        self.assertEqual(endings.lost(run), 150)
        self.assertIn("a lost 5 packets, 2 frames on links and 143 frames that arrived corrupted", "; ".join(summary.remarks([run])))
        self.assertEqual(endings.loss_words(sample_run("a", 1e3, icrc_errors=1), "x"), "x lost 1 frame that arrived corrupted")
        self.assertIn("rupted", summary.table([run]))

    def test_an_answer_of_an_older_version_is_made_anew(self):
        """It had other definitions; one that knows of losses is kept, as what it was made of may be gone."""
        old = sample_run("a", 1e3, 0.5, scenario="long-haul", frames_lost=7, packets_dropped=0)
        old["answer"] = {"used": 0.25}
        new = {**old, "answer": {"used": 0.25, "lost": 3}}
        found = summary.answered([old, new], "./rcc run long-haul")
        self.assertEqual([run["answer"]["lost"] for run in found], [7, 3])
        self.assertNotEqual(found[0]["answer"]["used"], 0.25)

    def test_a_run_that_was_stopped(self):
        run = sample_run("a", 1e3, flows=10, fct=fct(4), partial=True)
        self.assertIn("(still running when the simulation was stopped)", "; ".join(summary.remarks([run])))

    def test_one_flow_of_one_seed_counts(self):
        """A mean of half a flow is no 0: the numbers are sums over the seeds."""
        def of(cc, *missing):
            return [sample_run(cc, 1e3, seed=seed, flows=16, fct=fct(16 - out), incomplete=out,
                               **({"unfinished": {"paused": 1}} if out > 1 else {}))
                    for seed, out in enumerate(missing, 1)]
        for missing, why in (((1, 0), "still running"), ((0, 2), "1 stuck behind a pause, 1 still running")):
            runs = seeds.averaged(of("a", *missing) + of("b", 0, 0))
            count = sum(missing)
            self.assertEqual([endings.incomplete(run) for run in runs], [count, 0])
            self.assertEqual(sum(endings.reasons(runs[0]).values()), count)
            self.assertIn(f"{32 - count} of 32 flows of 2 seeds ended under a ({why}", "; ".join(summary.remarks(runs)))
            self.assertIn("ended", summary.table(runs).splitlines()[1])
            self.assertRegex(summary.table(runs), rf"(?m)^a .* {count}\b")
            self.assertEqual([run["cc"] for run in ranking.find_best(runs, questions.ENDING)], ["b"])
        self.assertEqual(endings.incomplete({"incomplete": 0.5}), 1)   # a mean without its seeds, as a figure of compare has it

    def test_one_seed_that_repeats_in_vain(self):
        runs = [sample_run("a", 1e3, seed=seed, incomplete=out, packets_repeated=again, packets_delivered=1000)
                for seed, out, again in ((1, 0, 10), (2, 1, 1500))]
        self.assertIn("sent 1500 packets again under a for 1000 that arrived", endings.repeat_words(seeds.averaged(runs)[0], "a"))

    def test_seeds_that_count_by_their_flows(self):
        runs = seeds.averaged([sample_run("a", 1e3, seed=seed, flows=4, fct=fct(ended), partial=ended < 4)
                               for seed, ended in ((1, 4), (2, 3))])
        self.assertEqual(endings.incomplete(runs[0]), 1)
        self.assertEqual(endings.reasons(runs[0]), {endings.STOPPED_EARLY: 1})

    def test_flows_without_an_end_are_not_missing(self):
        run = sample_run("a", 1e3)
        self.assertEqual(endings.incomplete(run), 0)
        self.assertEqual(endings.warnings(run, "a"), [])

    def test_flows_that_were_given_up_repeat_nothing(self):
        run = sample_run("a", 1e3, flows=1, fct=None, incomplete=1, unfinished={"retry_limit": 1}, packets_repeated=1500,
                         packets_delivered=100, timeouts=4, rto_s=1e-3)
        self.assertIsNone(endings.repeat_words(run, "a"))
        self.assertIn("4 timeouts of 1 ms, each in a row twice as long as the one before, under a", endings.timeout_words(run, "a"))
        running = {**run, "unfinished": None}
        self.assertIn("may never end with go-back-N", endings.repeat_words(running, "a"))
        self.assertIsNone(endings.repeat_words({**running, "recovery": "selective"}, "a"), "it does not go back")
        self.assertNotIn("twice", endings.timeout_words(running, "a"))

    def test_frames_lost_on_links(self):
        run = sample_run("a", 1e3, frames_lost=7)
        text = "; ".join(summary.remarks([run, sample_run("b", 1e3, packets_dropped=1, frames_lost=1)]))
        self.assertIn("a lost 7 frames on links; b lost 1 packet and 1 frame on links", text)
        self.assertIn("links", summary.table([run]))

    def test_deadlock(self):
        run = sample_run("a", 1e3, deadlocks=[{"time_s": 0.00076, "ports": ["switch 1 port 2", "switch 2 port 3"]}])
        self.assertIn("PFC deadlock under a at 760 us around switch 1 port 2 -> switch 2 port 3", "; ".join(summary.remarks([run])))

    def test_the_widest_table_fits(self):
        runs = [sample_run(cc, 4_876_543, flows=10 ** 6, fct=fct(123_456), incomplete=876_544, frames_lost=123_456_789,
                           packets_dropped=123_456_789, partial=True, jain=None,
                           slowdown={"count": 5, "mean": 12.345, "p99": 1380.7})
                for cc in ("timely-patched", "an-algorithm-with-a-very-long-name")]
        self.assertLessEqual(max(map(len, summary.table(runs).splitlines())), summary.WIDTH)


class Report(RccTest):
    def test_warnings_and_missing_algorithms(self):
        run = sample_run("a", 1e3, flows=8, fct=fct(0), frames_lost=2)
        text = report.page(self.scratch, {"schema": 1, "rcc_version": "1", "command": "x", "runs": [run], "partial": True,
                                          "missing": [{"cc": "qcn", "why": "the program ended by signal 9"}]})
        for fragment in ("0 of 8 flows ended under a", "a lost 2 frames on links", "qcn: the program ended by signal 9"):
            self.assertIn(fragment, text)
        self.assertNotIn("stopped before its end", text)


@needs_programs
class Command(RccTest):
    def test_one_program_is_killed(self):
        self.wrap("rcc-run", KILLED)
        done = self.rcc("run", "incast", "--time=5ms", "--start=1ms", "--no-plots", "--flows=6", "--cc=qcn,dcqcn")
        self.assertEqual(done.returncode, 1)
        merged = json.loads(self.read("out", "incast", "summary.json"))
        self.assertIs(merged["partial"], True)
        self.assertEqual(merged["missing"], [{"cc": "qcn", "why": "the program ended by signal 9"}])
        self.assertIn("PARTIAL: qcn: the program ended by signal 9", done.stdout)

    def test_no_flow_ends(self):
        done = self.rcc("run", "incast", "--time=1ms", "--start=100us", "--no-plots", "--flows=8", "--size=100MB", "--cc=dcqcn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "rcc: warning: 0 of 8 flows ended under dcqcn (still running when the simulation ended)\n")
        self.assertIn("0 of 8 flows ended under dcqcn", done.stdout)
        self.assertIn("0 of 8 flows ended under dcqcn", self.read("out", "incast", "report.html"))

    def account(self, *words, scenario="testbed"):
        """run.json of a testbed of three hosts, or of a scenario, with what is printed."""
        links = ["--links=h[1-3]-s1"] if scenario == "testbed" else []
        done = self.rcc("run", scenario, *links, *words, "--cc=none", "--no-plots")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.read("out", scenario, "none", "run.json")), " ".join((done.stdout + done.stderr).split())

    def test_no_flow_ends_beside_one_without_an_end(self):
        for words, ended, left, why in ((["--flows=h1-h3:size=50MB,h2-h3"], 0, 1, "still running"),
                                        (["--flows=h1-h3:size=1MB:start=3ms,h2-h3"], 0, 1, "not started"),
                                        (["--flows=h1-h3:size=1KB,h1-h3:size=50MB,h2-h3"], 1, 1, "still running")):
            run, text = self.account(*words, "--time=2ms")
            self.assertEqual((run["fct"]["count"], run["incomplete"]), (ended, left), words)
            self.assertRegex(text, rf"{ended} of {ended + left} flows? ended under none \({why}")
        run, text = self.account("--flows=h1-h3,h2-h3", "--time=200us")
        self.assertEqual((run["fct"], run.get("incomplete"), "did not end" in text), (None, None, False))
        run, text = self.account("--time=4ms", scenario="probes")
        self.assertEqual((run["fct"]["count"], run["incomplete"], run["unfinished"]), (0, 200, {"not_started": 200}))
        self.assertIn("0 of 200 flows ended under none (not started)", text)

    def test_why_flows_of_a_testbed_did_not_end(self):
        """One that its own stop time cuts off, and those that wait for others."""
        for flows, time, ended, why in (("h1-h3:size=10MB:stop=500us,h2-h3:size=1KB", "2ms", 1, {"stopped": 1}),
                                        ("h1-h3:size=1MB:name=a,h2-h3:size=1KB:after=a", "100us", 0, {"not_started": 1}),
                                        ("h1-h3:size=1KB:name=a,h2-h3:size=1KB:after=a:delay=50ms", "100us", 1, {"not_started": 1}),
                                        ("h1-h3:size=1KB:name=a,h2-h3:size=1MB:after=a", "100us", 1, None)):
            run, text = self.account(f"--flows={flows}", f"--time={time}")
            self.assertEqual((run["fct"]["count"], run.get("unfinished")), (ended, why), flows)
        self.assertIn("1 of 2 flows ended under none (still running when", text)

    def test_flows_without_an_end_that_are_given_up(self):
        words = ["--links=h[1-9]-s1", "--lossy", "--buffer=50KB", "--cc=none,dcqcn", "--rto=100us", "--retry-limit=1", "--no-plots"]
        done = self.rcc("run", "testbed", *words, "--flows=h[1-8]-h9", "--time=4ms", "--seed=1-2")
        self.assertEqual(done.returncode, 0, done.stderr)
        warned = [text[len("rcc: warning: "):] for text in done.stderr.splitlines()]
        page, runs = self.read("out", "testbed", "report.html"), json.loads(self.read("out", "testbed", "summary.json"))["runs"]
        self.assertEqual((len(runs), sorted({text.partition(":")[0] for text in warned})), (4, ["dcqcn", "none"]))
        for run in runs:
            self.assertEqual((run.get("unfinished"), run["endless"]), (None, {"retry_limit": 8}))
            self.assertRegex(run["warnings"][0],
                             rf"^{run['cc']}: 8 of 8 flows were given up at the retry limit, the first one at [0-9.]+[mun]s$")
            self.assertIn(run["warnings"][0], warned)
            self.assertIn(run["warnings"][0], page)
        self.assertIn("each in a row twice as long as the one before, under none", " ".join(done.stdout.split()))
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
                with open(self.path("faults.txt"), "w", encoding="utf-8") as f:
                    f.write(f"{more}\n")
                run, said = self.account(flows, "--time=9ms", *(["--faults=faults.txt"] if more else []))
                self.assertEqual(run.get("endless"), reason)
                found = [warning for warning in run["warnings"] if "flows never starts:" not in warning]
                self.assertEqual(found, [f"none: {text} the simulation ended"] if text else [])
                for warning in found:
                    self.assertIn(f"rcc: warning: {warning}", said)

    def test_flows_of_files_that_are_given_up_before_their_stop(self):
        """Of one with an end, and of one without."""
        for packets, key in ((100000, "unfinished"), (0, "endless")):
            for name, text in {**FILES, "star-flows.txt": f"1\n1 2 3 {packets} 0.001 0.008\n", "star-tcp.txt": "0\n",
                               "faults.txt": "link-down link=0-2 at=2ms\n"}.items():
                with open(self.path(name), "w", encoding="utf-8") as f:
                    f.write(text)
            done = self.rcc("ns3-rdma", "original.txt", "--cc=none", "--faults=faults.txt", "--rto=100us", "--no-plots", "--retry-limit=3")
            self.assertEqual(done.returncode, 0, done.stderr)
            run = json.loads(self.read("out", "ns3-rdma", "summary.json"))["runs"][0]
            self.assertEqual((run.get("unfinished"), run.get("endless")), tuple({"retry_limit": 1} if key == one else None
                                                                                for one in ("unfinished", "endless")))
            self.assertRegex(done.stderr, "given up at the retry limit" if packets else
                             r"none: 1 of 1 flow was given up at the retry limit, at [0-9.]+[mun]s\n")

    def test_a_flow_into_a_dead_link(self):
        """Without a limit a sender sends for ever; with one it waits longer each time, and its flow fails."""
        for name, text in {**FILES, "star-flows.txt": "1\n1 2 3 100000 0.001 9.5\n", "star-tcp.txt": "0\n",
                           "faults.txt": "link-down link=0-2 at=2ms\n"}.items():
            with open(self.path(name), "w", encoding="utf-8") as f:
                f.write(text)
        sent = []
        for more, why in (([], "without a route"), (["--retry-limit=3"], "given up at the retry limit")):
            done = self.rcc("ns3-rdma", "original.txt", "--cc=none", "--faults=faults.txt", "--rto=100us", "--no-plots", *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, f"0 of 1 flow ended under none .*{why}")
            sent.append(json.loads(self.read("out", "ns3-rdma", "summary.json"))["runs"][0]["packets_sent"])
        self.assertLess(sent[1], sent[0] / 2)


if __name__ == "__main__":
    unittest.main()
