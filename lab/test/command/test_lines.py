# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The lines below the table of a run: each kind has one sentence, and a condition."""
import re
import unittest

from support import pairs, sample_run

from command.results.html import report
from command.results.judge import lines, paper, questions, settled, summary
from command.results.read import asked, seeds

RED = {"kmin": "5KB", "kmax": "200KB", "pmax": "0.01"}


def testbed(**more):
    return sample_run("a", 1e5, **{"scenario": "testbed", "bottleneck_bps": 40e9, **more})


class NotSettled(unittest.TestCase):
    def run_of(self, jain=(0.9, 0.9), queue=(1e5, 1e5), use=(1.0, 1.0), **more):
        run = sample_run("a", 1e5, halves={"jain": list(jain), "queue_bytes": list(queue), "utilization": list(use)})
        return {**run, **more}

    def test_the_halves_of_the_window(self):
        self.assertEqual(lines.list_not_settled([self.run_of(jain=(0.24, 0.61)), self.run_of()]), [
            "not settled: a: Jain's index 0.24 (first half of the window), 0.61 (second half); try --time=1s"])
        for steady, run in ((False, self.run_of(use=(0.2, 0.9))), (False, self.run_of(queue=(4e6, 1e6))),
                            (True, self.run_of(queue=(40, 9))),      # an empty queue
                            (False, self.run_of(jain=(0.476, 0.520))), (True, self.run_of(jain=(0.955, 1.0))), (True, sample_run("b", 1))):
            self.assertEqual(settled.is_steady(run), steady)

    def test_a_queue_at_the_pfc_limit_before_the_scenario_s_own_time(self):
        """A thousand flows under DCQCN+ wait at the limit for 10 ms and keep 24 KB later."""
        waits = {"queue": {"mean_bytes": 4.5e6}, "pfc_limit_bytes": 4.51e6, "sim_s": 0.001, "cc": "dcqcn-plus"}
        self.assertEqual(lines.list_not_settled([{**self.run_of(), **waits}]), [
            "not settled: dcqcn-plus: queue 4.50 MB (mean over 1 ms), 4.51 MB (PFC limit); try --time=0.6s"])
        for other in ({"sim_s": 0.6}, {"cc": "none"}, {"queue": {"mean_bytes": 1e6}}, {"fct": {"count": 1}}):
            self.assertTrue(settled.is_steady({**self.run_of(), **waits, **other}), other)

    def test_jain_only_of_flows_that_share_a_port(self):
        """The victim of the scenario ends elsewhere: equal rates of all are no aim there."""
        for shares, names in ((True, ("h1-h5", "h[2-4]-h5")), (False, ("h1-h7", "h8-h9")), (False, ("h[0-3]=h[4-7]",))):
            run = testbed(groups=pairs(**{name.replace("-", "_"): 1e9 for name in names}), halves={"jain": [0.2, 0.9]})
            for group, name in zip(run["groups"], names):
                group["name"] = name
            self.assertEqual((settled.shares_a_port(run), settled.is_steady(run)), (shares, not shares), names)
            self.assertEqual("Jain" in summary.table([run]), shares)

    def test_the_number_of_the_answer_moves(self):
        """The shares of pairs of hosts are compared in both halves, not the use of the one port that is watched."""
        groups = [{"name": name, "flows": 1, "mean_bps": 1e9, "halves_bps": halves}
                  for name, halves in (("h1-h7", [2e9, 2e9]), ("h8-h9", [10e9, 14e9]))]
        still = {"jain": [1, 1], "queue_bytes": [1, 1], "utilization": [0.2, 0.9]}
        for command, called, first, second in (("victim", "goodput of the victim", "10 Gb/s", "14 Gb/s"),
                                               ("permutation", "goodput", "12 Gb/s", "16 Gb/s")):
            run = testbed(groups=groups, halves=still)
            found = settled.list_doubts(summary.prepared({"command": f"./rcc run {command}", "runs": [run]})[0])
            self.assertEqual([(one.called, one.first, one.second) for one in found], [(called, first, second)])

    def test_the_time_that_is_proposed(self):
        moving = self.run_of(jain=(0.2, 0.6))
        for more, text in (({"sim_s": 0.4}, "1s"), ({"sim_s": 0.001}, "0.6s"), ({"sim_s": 2}, "6s"),
                           ({"scenario": "testbed", "sim_s": 0.002}, "20ms"),
                           ({"scenario": "workload", "sim_s": 0.9, "window_s": [0, 0.5], "halves": {"slowdown": [1, 9]}}, "2s")):
            self.assertEqual(settled.propose_time({**moving, **more}), text)
        runs = [dict(moving, scenario="testbed", seed=seed, sim_s=sim, window_s=[sim / 2, sim]) for seed, sim in ((1, 0.01), (2, 0.1))]
        self.assertEqual(settled.propose_time(seeds.averaged(runs)[0]), "0.3s")


class Others(unittest.TestCase):
    def test_flows_that_did_not_end(self):
        run = sample_run("a", 1, flows=10, incomplete=4, unfinished={"paused": 3}, fct={"count": 6})
        self.assertEqual(lines.list_not_ended([run]), ["not ended: a: 3 of 10 flows: stuck behind a pause",
                                                       "not ended: a: 1 of 10 flows: still running"])
        vain = {**run, "unfinished": {}, "packets_delivered": 5, "packets_repeated": 6}
        self.assertEqual(lines.list_not_ended([vain]), [
            "not ended: a: 4 of 10 flows: still running, with more packets sent again than delivered"])
        both = seeds.averaged([{**run, "seed": 1}, {**sample_run("a", 1, flows=10, incomplete=0), "seed": 2}])
        self.assertEqual(lines.list_not_ended(both)[0], "not ended: a: 3 of 20 flows: stuck behind a pause")
        self.assertEqual(lines.list_not_ended([sample_run("a", 1)]), [])

    def test_what_was_lost(self):
        run = sample_run("a", 1, packets_dropped=12, packets_overrun=3, frames_lost=2, icrc_errors=1)
        self.assertEqual(lines.list_lost([run]), [
            "lost: a: 12 packets dropped by switches", "lost: a: 3 packets dropped in full receive buffers of hosts",
            "lost: a: 2 frames lost on links", "lost: a: 1 frames corrupted on links"])
        self.assertEqual(lines.list_lost([sample_run("a", 1)]), [])

    def test_what_cannot_act(self):
        def list_lines(**more):
            return lines.list_cannot_act([sample_run("a", 1e5, **more)])
        self.assertEqual(list_lines(parameters={"kmin": "6MB", "kmax": "7MB"}), [
            "cannot act: a: Kmin 6 MB, PFC limit 4.94 MB: PFC pauses before packets are marked (0 were)"])
        self.assertEqual(list_lines(parameters={"kmin": "6MB"}, packets_marked=1_000_000), [])
        self.assertEqual(list_lines(parameters={"kmin": "6MB"}, pfc_limit_bytes=None, packets_dropped=3, packets_marked=0), [
            "cannot act: a: Kmin 6 MB, longest queue 100 KB: queues drop packets before they mark them"])
        self.assertEqual(list_lines(parameters=RED, bottleneck_bps=100e9), [
            "cannot act: a: Kmin and Kmax 5 KB and 200 KB, rate of the port 100 Gb/s: they are for 40 Gb/s"])
        self.assertEqual(list_lines(parameters=RED, bottleneck_bps=40e9), [])
        self.assertEqual(list_lines(parameters=RED, bottleneck_bps=100e9, kmax_bytes=500_000), [])   # scaled to the rate
        self.assertEqual(list_lines(queue={"mean_bytes": 0, "max_bytes": 0}, packets_marked=4, congested_port="x>y"), [
            "cannot act: a: watched port x>y, its longest queue 0 B: packets wait at other ports; --watch names one"])
        self.assertEqual(list_lines(collective={"bus_bps": 90e9}), [
            "cannot act: a: bus bandwidth 90 Gb/s, links 40 Gb/s: more than a host's link carries: not all bytes cross it"])
        self.assertEqual(list_lines(collective={"bus_bps": 39e9}), [])
        runs = [sample_run(cc, 1e5, parameters={"kmin": "6MB"}) for cc in "ab"]
        self.assertEqual(len(lines.list_cannot_act(runs)), 1)
        named = {"own_algorithms": {"dcqcn": {"flows": 100, "parameters": {}}}}    # no flow has the algorithm of the run's name
        self.assertEqual(list_lines(parameters={"kmin": "6MB"}, **named), [
            "cannot act: a: flows 100, with the run's algorithm 0: each has its own: dcqcn"])

    def test_a_published_value(self):
        run = sample_run("dcqcn-plus", 1e5, hosts=9, senders=8, flows=100, preset="paper", pfc_limit_bytes=4440321, window_s=[0.3, 0.6],
                         bottleneck_bps=40e9, parameters=paper.parameters("dcqcn-plus"), send_utilization=0.5)
        self.assertEqual(lines.list_published([run], "./rcc run incast"), [
            "published (ICNP 2018, figure 6): dcqcn-plus: p99 100 KB, published a queue of about 200 KB at most: agrees",
            "published (ICNP 2018, figure 6): dcqcn-plus: used 0.500, published more than 90 % of the link: DIFFERS"])
        self.assertEqual(lines.list_published([run], "./rcc run incast --start=5ms"), [])
        self.assertEqual(lines.list_published([run], "./rcc run own.json"), [])

    def test_what_was_stopped(self):
        runs = [sample_run("a", 1, partial=True), sample_run("b", 1, deadlocks=[{"time_s": 0.002, "ports": ["x>y", "y>x"]}])]
        self.assertEqual(lines.list_stopped({"missing": [{"cc": "c", "why": "was killed"}]}, runs), [
            "stopped early: a: interrupted after 400 ms", "stopped early: b: PFC deadlock at 2 ms: x>y -> y>x",
            "stopped early: c: was killed"])

    def test_notes_are_said_once_and_folded(self):
        runs = [sample_run("a", 1, notes=[f"config.txt: KEY{i}: found 1, no effect" for i in range(14)])] * 2
        self.assertEqual(lines.shorten_notes(runs, "out/report.html")[12:], ["2 more notes in out/report.html"])
        self.assertIn("Notes on the input files (14)", report.page("", {"runs": runs}))

    def test_all_lines_are_printed_and_in_the_report(self):
        run = sample_run("a", 1, partial=True, packets_dropped=3, halves={"jain": [0.1, 0.9]})
        found = {"command": "./rcc run incast", "runs": [run], "partial": True}
        text = " ".join(summary.text(found).split())
        page = re.sub("<[^>]*>", "", report.page("", found))
        for line in lines.list_all(found, [run]):
            self.assertIn(line, text)
            self.assertIn(line.replace("'", "&#x27;"), page)

    def test_what_the_flows_of_a_pair_got(self):
        """Rows are start, end, bytes, bit/s in the window, size: of flows with an end their bytes over their lives."""
        self.assertEqual(questions.goodput([(0.0, 1.0, 1000.0, 5.0, 1000.0)]), 8000.0)
        self.assertEqual(questions.goodput([(0.0, 1.0, 1000.0, 5.0, 1000.0), (1.0, 2.0, 1000.0, 5.0, 1000.0)]), 8000.0)
        self.assertEqual(questions.goodput([(0.0, 1.0, 1000.0, 5.0, 0.0), (0.0, 1.0, 1000.0, 7.0, 0.0)]), 12.0)

    def test_traffic_that_begins_late(self):
        """Files of HPCC begin at 2 s: 34 ms are the time of their traffic."""
        run = sample_run("a", 1, scenario="ns3-rdma", fct={"count": 2}, sim_s=2.034, window_s=[2, 2.034])
        self.assertIn("40 Gb/s, 34 ms of traffic after 2 s, averages over 2.000 to 2.034 s", summary.headline({"runs": [run]}))
        self.assertIn("400 ms simulated", summary.headline({"runs": [sample_run("a", 1)]}))

    def test_the_capacity_of_one_port(self):
        def capacity(command="./rcc run incast", **more):
            run = sample_run("a", 1, **{"bottleneck_bps": 40e9, "senders": 8, **more})
            return questions.capacity(run, asked.read_command(command, run))
        self.assertEqual(capacity(), 40e9)
        self.assertEqual(capacity(senders=1, rate_bps=10e9), 10e9)
        for more in ({"scenario": "testbed"}, {"bottleneck_bps": None}, {"faults": [{"fault": "rate"}]}):
            self.assertIsNone(capacity(**more))
        self.assertIsNone(capacity("./rcc run incast --links=h1-s1"))


if __name__ == "__main__":
    unittest.main()
