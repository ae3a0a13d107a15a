# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Collectives of ./rcc run trace: what their algorithms send, that the data arrive where they must, and times of a closed form where no
message waits for a port."""
import csv
import json
import sys
import unittest
import unittest.mock

from support import RccTest, needs_programs
from test_trace_goal import Words, arrival, message

from command.common import RccError
from command.experiment import network
from command.experiment.paths import Paths
from command.run import training
from command.traces import bandwidth, collectives
from command.traces.collectives import Algorithm, Call
from command.traces.schedule import RECV, SEND, Schedule

REFUSED = [
    ("allreduce=ring", "--collective has 'allreduce=ring', expected KIND=ALGORITHM with KIND one of all-reduce"),
    ("all-reduce", "expected KIND=ALGORITHM"),
    ("all-reduce=star",
     "--collective has 'all-reduce=star', expected for all-reduce one of ring, tree, halving-doubling, direct, hierarch"),
    ("all-to-all=ring", "expected for all-to-all one of direct, hierarchical"),
    ("all-reduce=ring:channels=0", "expected channels=1 to 64"),
    ("all-reduce=ring:channels=65", "expected channels=1 to 64"),
    ("all-reduce=ring:chunk=many", "expected chunk=1024 to"),
    ("all-reduce=ring:qps=4", "expected channels=N and chunk=BYTES after the algorithm"),
    ("all-reduce=ring:channels=2:channels=2", "each once"),
    ("all-reduce=ring,all-reduce=tree", "--collective has all-reduce twice"),
]


def made(kind, ranks, algorithm, size=10000, per_host=2):
    schedule = Schedule("t", ranks)
    call = Call("c", kind, size, tuple(range(ranks)), (1,) * ranks, ((),) * ranks)
    collectives.add(schedule, call, algorithm, per_host)
    schedule.match()
    return schedule, schedule.flows(schedule.order(), {})


def every():
    """(kind, algorithm, ranks) that go together."""
    for name, kinds in collectives.ALGORITHMS.items():
        for kind in kinds:
            for ranks in (2, 3, 4, 6, 7, 8, 16):
                if (name != "hierarchical" or ranks % 2 == 0) and (name != "halving-doubling" or kind == "all-reduce"
                                                                   or ranks & (ranks - 1) == 0):
                    yield kind, Algorithm(name), ranks


def sent(ranks, kind, size):
    """Return the least number of bytes that all ranks together send if no rank has the data already."""
    return {"all-reduce": 2 * size * (ranks - 1), "all-gather": size * (ranks - 1), "reduce-scatter": size * (ranks - 1),
            "all-to-all": size * (ranks - 1), "broadcast": size * (ranks - 1), "reduce": size * (ranks - 1),
            "gather": size * (ranks - 1) // ranks, "scatter": size * (ranks - 1) // ranks}[kind]


def reached(schedule):
    """{rank: the ranks whose data it may have in the end}: a send carries what its rank has when what it waits for is over."""
    s = schedule
    events = [None] * (2 * len(s))
    for event in s.order():
        i = event >> 1
        if event % 2 == 0:
            before = [events[e] for e in s.before(i)]
            events[event] = frozenset([s.rank[i]]).union(*before)
        elif s.kind[i] == RECV:
            events[event] = events[event - 1] | events[2 * s.partner[i]]
        else:
            events[event] = events[event - 1]
    one = s.collectives[0]
    return {rank: events[2 * leave + 1] for rank, leave in zip(one.ranks, one.leaves)}


class Messages(RccTest):
    def test_options(self):
        for text, expected in REFUSED:
            with self.subTest(text), self.assertRaises(RccError) as caught:
                collectives.parse(text)
            self.assertIn(expected, str(caught.exception))
            self.assertEqual(caught.exception.status, 2)
        found = collectives.parse("all-reduce=tree:channels=2:chunk=512KB,all-to-all=hierarchical")
        self.assertEqual((found["all-reduce"], found["all-to-all"]), (Algorithm("tree", 2, 512000), Algorithm("hierarchical")))
        self.assertEqual(found["all-gather"], Algorithm("ring"))
        self.assertEqual(str(found["all-reduce"]), "tree:channels=2:chunk=512000")

    def test_bytes(self):
        """The algorithms send what is needed and no more, also where parts are not whole; only a hierarchical all-to-all passes data on."""
        for kind, algorithm, ranks in every():
            extra = ranks - (1 << ranks.bit_length() - 1) if algorithm.name == "halving-doubling" else 0
            for size in (1680 * ranks, 100, 8191):
                expected = 2 * size * extra + sent(ranks - extra, kind, size)
                if (kind, algorithm.name) == ("all-to-all", "hierarchical"):
                    expected = size * (ranks - ranks // 2 + 2 * (ranks // 2 - 1))
                s, flows = made(kind, ranks, algorithm, size)
                self.assertAlmostEqual(sum(s.size[flow.operation] for flow in flows), expected, delta=kind in ("gather", "scatter"),
                                       msg=(kind, algorithm, ranks, size))

    def test_chunks_bound_messages(self):
        """A chunk bounds the messages of every algorithm, whatever part of the bytes its largest message has."""
        for kind, algorithm, ranks in every():
            for per_host in {1, 2, ranks // 2, ranks} if algorithm.name == "hierarchical" else {1}:
                for size, chunk in ((100000, 1024), (99991, 5000)):
                    s, flows = made(kind, ranks, algorithm._replace(chunk=chunk), size, per_host)
                    largest = max(s.size[flow.operation] for flow in flows)
                    self.assertLessEqual(largest, chunk, (kind, algorithm, ranks, per_host))
                    self.assertGreater(largest, chunk // 10, (kind, algorithm, ranks, per_host))

    def test_data_arrive(self):
        for kind, algorithm, ranks in every():
            for chosen in (algorithm, algorithm._replace(channels=3), algorithm._replace(chunk=1024)):
                s, _ = made(kind, ranks, chosen)
                found = reached(s)
                everything = frozenset(range(ranks))
                for rank, have in found.items():
                    with self.subTest((kind, chosen, ranks, rank)):
                        if kind in ("broadcast", "scatter"):
                            self.assertIn(0, have)
                        elif rank == 0 or kind not in ("reduce", "gather"):
                            self.assertEqual(have, everything)

    def test_channels_and_chunks(self):
        s, flows = made("all-reduce", 4, Algorithm("ring", 2), 80000)
        self.assertEqual((len(flows), {s.size[f.operation] for f in flows}), (2 * 4 * 6, {10000}))
        s, flows = made("all-reduce", 4, Algorithm("ring", 1, 5000), 80000)
        self.assertEqual((len(flows), {s.size[f.operation] for f in flows}), (4 * 4 * 6, {5000}))
        self.assertEqual(sum(not f.after for f in flows), 4)    # chunks follow one another
        s, flows = made("all-reduce", 4, Algorithm("ring", 4), 80000)
        self.assertEqual(sum(not f.after for f in flows), 16)   # channels go beside each other

    def test_trees(self):
        """No rank is inside both trees, but rank 0 where it is the root of both or they are an odd number; they are as flat as can be."""
        for n in range(2, 70):
            for rooted in (False, True):
                first, second = collectives.two_trees(n, rooted)
                for parents in (first, second):
                    self.assertEqual(parents.count(-1), 1)
                    depth = 0
                    for i in range(n):
                        steps = 0
                        while parents[i] >= 0:
                            i, steps = parents[i], steps + 1
                        depth = max(depth, steps)
                    self.assertLessEqual(depth, n.bit_length() + 1)
                    self.assertLessEqual(max(parents.count(i) for i in range(n)), 2)
                inside = [{i for i in range(n) if parents.count(i) == 2} for parents in (first, second)]
                self.assertFalse(inside[0] & inside[1], n)
                inside = [set(parents) - {-1} for parents in (first, second)]
                self.assertEqual(inside[0] & inside[1], {0} if rooted or n % 2 else set(), n)

    def test_ranks_that_do_not_go_with_it(self):
        for kind, ranks, name, expected in (("all-gather", 6, "halving-doubling", "found 6 ranks, expected a power of two"),
                                            ("all-reduce", 5, "hierarchical", "found 5 ranks on 3 hosts, 1 to 2 on each")):
            with self.assertRaises(RccError) as caught:
                made(kind, ranks, Algorithm(name))
            self.assertIn(expected, str(caught.exception))
            self.assertIn("t:1: rank 0: c:", str(caught.exception))

    def test_bus_bandwidth(self):
        """doc/PERFORMANCE.md of nccl-tests: all-reduce 2 (n - 1) / n, all-gather, reduce-scatter and all-to-all (n - 1) / n, others 1."""
        self.assertEqual([collectives.bus_factor(kind, 4) for kind in ("all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                                                       "broadcast",
                                                                       "reduce")], [1.5, 0.75, 0.75, 0.75, 1, 1])
        self.assertEqual([collectives.bus_factor(kind, 2) for kind in ("gather", "scatter", "barrier", "custom", "sendrecv")],
                         [0.5, 0.5, None, None, None])
        self.assertEqual([bandwidth.quantile(list(range(1, 101)), part) for part in (0.01, 0.5, 0.99, 1)], [1, 50, 99, 100])
        self.assertEqual(bandwidth.quantile([], 0.99), 0)

    def test_sends_and_receives_are_pairs(self):
        s, _ = made("all-to-all", 8, Algorithm("hierarchical"))
        for i, kind in enumerate(s.kind):
            if kind == RECV:
                self.assertEqual((s.kind[s.partner[i]], s.rank[s.partner[i]], s.size[s.partner[i]]), (SEND, s.peer[i], s.size[i]))
        s, flows = made("all-reduce", 1, Algorithm("ring"))    # a group of one
        self.assertEqual((len(flows), len(s.collectives)), (0, 1))


class Fans(RccTest):
    """All pairs of many ranks are added at a time, and one message of each rank stands for its others: no result may tell."""

    def run_with_and_without(self, text, name, **given):
        """(flows, times of all events, whom each rank waited for, the estimate) with and without fans."""
        self.put(name, text)
        found = []
        for least in (2, 10**9):
            with unittest.mock.patch.object(collectives, "FAN", least):
                trace = training.read(Words(self.path(name), **given))
            received = {}

            def end_of(k, start, received=received):
                received[k] = start + 500 + k * 7919 % 1000
                return received[k] + 300

            times = trace.times(end_of, received.__getitem__)
            self.assertEqual(bool(trace.schedule.fans), least == 2)
            found.append((list(trace.flows), list(times), [row["waited_for"] for row in trace.rows(times)], self.estimate(trace, 10**9)))
        return found

    @staticmethod
    def estimate(trace, rate):
        """Return what the step takes on an idle star."""
        found = network.read([f"h[0-{len(trace.nodes) - 1}]-s"], [], rate, 1000, "switch")
        return trace.estimate(Paths(found.nodes, found.links), found.number, 4096)

    def test_with_and_without(self):
        for n in (2, 3, 5, 8):
            text = f"HYBRID_TRANSFORMER model_parallel_NPU_group: {n} ep: 2 all_gpus: {2 * n}\n2\n" \
                   "x -1 70 ALLTOALL 50000 5 ALLREDUCE 1000 0 ALLREDUCE_DP_EP 9000 0\n" \
                   "y -1 0 ALLTOALL_EP 64000 0 NONE 0 10 ALLGATHER 3000 0\n"
            for chosen in ("", "all-reduce=direct,all-gather=direct", "all-reduce=tree,all-to-all=direct:channels=2:chunk=2048"):
                fans, plain = self.run_with_and_without(text, "w.txt", collective=chosen)
                self.assertEqual(fans, plain, (n, chosen))

    def test_work(self):
        """Lines of ours that run from the trace to its experiment: of each message of an all-to-all few."""
        self.put("w.txt", "HYBRID_TRANSFORMER model_parallel_NPU_group: 128 all_gpus: 128\n1\nx -1 0 ALLTOALL 128000 0 NONE 0 0 NONE 0 0\n")
        lines = 0

        def follow(frame, event, _):
            nonlocal lines
            lines += event == "line"
            return follow

        before = sys.gettrace()
        sys.settrace(lambda *_: follow)
        try:
            trace = training.read(Words(self.path("w.txt")))
            self.estimate(trace, 10**11)
            written = sum(1 for _ in training.items(trace))
        finally:
            sys.settrace(before)
        self.assertLess(lines, 40 * 128 * 127)
        self.assertLessEqual(written, 2 * 128)
        self.assertEqual(len(trace.flows), 128 * 127)

    def test_a_circle(self):
        """Two collectives that ranks call in different orders wait for each other: the same error, fans or not."""
        self.put("comm_group.json", json.dumps({"1": [0, 1, 2], "2": [0, 1, 2, 3]}))
        for rank in range(4):
            groups = ("1", "2") if rank == 0 else ("2", "1")
            nodes = [{"Id": k, "Name": f"a{group}", "NodeType": 7, "data_deps": [k - 1] if k else [], "comm_type": 6, "comm_size": 9000,
                      "pg_name": group} for k, group in enumerate(groups) if rank < 3 or group == "2"]
            self.put(f"c.{rank}.json", json.dumps({"workload_graph": [{**node, "data_deps": []} if rank == 3 else node for node in nodes]}))
        for least in (2, 10**9):
            with unittest.mock.patch.object(collectives, "FAN", least), self.assertRaises(RccError) as caught:
                training.read(Words(self.path("c.0.json")))
            self.assertIn("waits for itself, by way of others", str(caught.exception))


ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST = (
    "ALLREDUCE all-reduce", "ALLGATHER all-gather", "REDUCESCATTER reduce-scatter", "ALLTOALL all-to-all", "BROADCAST broadcast")
HALVES = {ranks: sum(message(64000 * ranks >> k) for k in range(1, ranks.bit_length())) for ranks in (2, 8, 32)}
# (collective, bytes, ranks, algorithm, seconds)
CLOSED_FORMS = [
    *((kind, 100000 * ranks, ranks, "ring", steps * message(100000)) for kind, ranks, steps in (
        (ALL_REDUCE, 2, 2), (ALL_REDUCE, 8, 14), (ALL_REDUCE, 32, 62), (ALL_GATHER, 8, 7), (REDUCE_SCATTER, 8, 7))),
    (ALL_REDUCE, 1600000, 8, "ring:chunk=50KB", 4 * 14 * message(50000)),
    # a rank sends a chunk on when it has arrived, and the next one when that is acknowledged
    (BROADCAST, 100000, 8, "ring", 6 * arrival(100000) + message(100000)),
    (BROADCAST, 100000, 8, "ring:chunk=10KB", 6 * arrival(10000) + 10 * message(10000)),
    *((ALL_REDUCE, 64000 * ranks, ranks, "halving-doubling", 2 * seconds) for ranks, seconds in HALVES.items()),
    (ALL_GATHER, 64000 * 32, 32, "halving-doubling", HALVES[32]),
    # Two ranks of six give their data to others first, and get them back last. The others do not wait for that: a half comes beside it on
    # the links to ranks 0 and 1.
    (ALL_REDUCE, 64000, 6, "halving-doubling", arrival(96000) + 2 * message(32000) + 2 * message(16000) + message(64000)),
    # each of two ranks is the root of one tree, which has half of the bytes: both links are used in both directions
    (ALL_REDUCE, 400000, 2, "tree", arrival(200000) + message(200000)),
    (ALL_REDUCE, 16, 8, "tree", 5 * arrival(8) + message(8)),     # three levels below rank 0
    # all messages share the ports evenly: of n - 1 messages the last packets come together
    *((ALL_TO_ALL, 81920 * ranks, ranks, "direct", message((ranks - 1) * 81920)) for ranks in (2, 8, 32)),
    # A rank acknowledges each message on the link that its own ones leave by: those that come before its last one has left put that off.
    # Without them 128 ranks are 1.4 % off.
    *((ALL_TO_ALL, 4096 * ranks, ranks, "direct", message((ranks - 1) * 4096)
       + max(0, ranks - 1 - round(arrival(4096) / (4154 * 8 / 100e9))) * 62 * 8 / 100e9) for ranks in (8, 32, 128)),
    # Eight ranks are on four hosts of two, with 400 Gb/s inside: a half is reduced inside, a ring of four hosts on each of two rails has
    # quarters of it, and halves are gathered inside.
    (ALL_REDUCE, 1600000, 8, "hierarchical", 2 * 800000 * 8 / 400e9 + 6 * message(200000)),
]


@needs_programs
class ClosedForms(RccTest):
    """Steps of an algorithm in which every port sends and receives one message at a time: their number times that of a message."""

    def test_times(self):
        for kind, size, ranks, algorithm, seconds in CLOSED_FORMS:
            with self.subTest(f"{kind}={algorithm}, {size} bytes, {ranks} ranks"):
                word, name = kind.split()
                self.put("a.txt", f"HYBRID_TRANSFORMER model_parallel_NPU_group: {ranks} all_gpus: {ranks}\n1\n"
                         f"x -1 0 {word} {size} 0 NONE 0 0 NONE 0 0\n")
                rails = ("--topology=rails", "--ranks-per-host=2:400Gbps") if algorithm == "hierarchical" else ()
                self.succeed("run", "trace", "a.txt", "--cc=none", "--no-plots", f"--collective={name}={algorithm}", *rails)
                step = json.loads(self.read("out", "trace", "none", "run.json"))["step"]
                self.assertAlmostEqual(step["step_s"] / seconds, 1, delta=0.005)
                row, *_ = csv.DictReader(self.read("out", "trace", "none", "collectives.csv").splitlines())
                self.assertAlmostEqual(float(row["time_s"]), step["step_s"])
                self.assertAlmostEqual(float(row["algbw_bps"]) * step["step_s"] / (size * 8), 1, places=5)
                self.assertAlmostEqual(float(row["busbw_bps"]) / float(row["algbw_bps"]), collectives.bus_factor(name, ranks), places=5)
                self.assertAlmostEqual(step["collectives"][0]["mean_time_s"], step["step_s"])
                fcts = [float(flow["fct_s"]) for flow in csv.DictReader(self.read("out", "trace", "none", "flows.csv").splitlines())]
                for name, value in (("mean", sum(fcts) / len(fcts)), ("max", max(fcts))):
                    self.assertAlmostEqual(step["collectives"][0][f"fct_{name}_s"], value, places=8)
                    self.assertAlmostEqual(float(row[f"fct_{name}_s"]), value, places=8)


if __name__ == "__main__":
    unittest.main()
