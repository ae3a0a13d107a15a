# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run trace of schedules in GOAL's text form: what is refused and where, operations as flows, and times that are those of a closed
form where nothing waits for a port."""
import csv
import json
import os
import random
import unittest

from support import RccTest, needs_programs

from command.common import RccError
from command.run import training
from command.traces import goal

PAIR = "num_ranks 2\nrank 0 {{\n{}\n}}\nrank 1 {{\n{}\n}}\n"
REFUSED = [
    ("", ":1: found '', expected a schedule in GOAL's text form (num_ranks N)"),
    ("ranks 3\n", ":1: found 'ranks 3', expected a schedule in GOAL's text form"),
    ("num_ranks 0\n", ":1: found '0', expected 1 to 65536 ranks"),
    ("num_ranks 2\nrank 0 {\n}\n", ": rank 1 is missing, expected a block for each of the 2 ranks"),
    ("num_ranks 2\nrank 2 {\n}\n", ":2: found '2', expected a rank of 0 to 1"),
    ("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", ":4: found rank 0 again, expected each rank once"),
    ("num_ranks 1\nrank 0 {\na: calc 5\n", ":3: rank 0: found the end of the file, expected }"),
    ("num_ranks 1\n/* rank 0 {\n", ":2: found the end in a comment, expected */"),
    (PAIR.format("a: cakc 5", ""), ":3: rank 0: found 'cakc', expected send, recv, calc"),
    (PAIR.format("a: c\x1a5", ""), ":3: rank 0: found 'c\\x1a5', expected send, recv, calc"),
    (PAIR.format("b\x07: send 5b to 1", ""), ":3: rank 0: b\\x07: found a send of 5 bytes to rank 1"),
    (PAIR.format("a: calc 5ns", ""), ":3: rank 0: found '5ns', expected a time in ns"),
    (PAIR.format("a: calc -0", ""), ":3: rank 0: found '-0', expected a time in ns"),
    (PAIR.format("a: send 5 to 1", ""), ":3: rank 0: found '5', expected a number of bytes such as 4096b"),
    (PAIR.format("a: send 5b from 1", ""), ":3: rank 0: found a send without 'to', expected 'to RANK'"),
    (PAIR.format("a: send 5b to 0", ""), ":3: rank 0: found 'to 0', expected another rank"),
    (PAIR.format("a: send 5b to 1 tag 1 tag 2", ""), ":3: rank 0: found 'tag', expected one value after each"),
    (PAIR.format("a: calc 5 cpu banana", ""), ":3: rank 0: found 'banana', expected a number of a cpu of 0 to"),
    (PAIR.format("a: send 5b to 1 tag 1 cpu 0 nic 9999999", ""), ":3: rank 0: found '9999999', expected a number of a nic of 0 to"),
    (PAIR.format("a: calc 5 to 1", ""), ":3: rank 0: found 'to' of a calc, expected cpu and nic alone"),
    (PAIR.format("a: send 5b to 1 from 1", ""), ":3: rank 0: found 'from' of a send, expected to, tag, cpu and nic alone"),
    (PAIR.format("a: send 5b to 7", ""), ":3: rank 0: found '7', expected a rank of 0 to 1"),
    (PAIR.format("a: calc 1\na: calc 2", ""), ":4: rank 0: found the label a again"),
    (PAIR.format("a: calc 1\na requires b", ""), ":4: rank 0: found 'b', expected the label of an operation of this rank"),
    (PAIR.format("a: calc 1\na requires", ""), ":4: rank 0: found 'a requires', expected a label after it"),
    (PAIR.format("a: send 5b to 1 tag 3", ""), ":3: rank 0: a: found a send of 5 bytes to rank 1 with tag 3, expected a receive"),
    (PAIR.format("", "r: recv 5b from 0 tag 3"), ":6: rank 1: r: found a recv of 5 bytes from rank 0 with tag 3, expected a send"),
    (PAIR.format("a: send 5b to 1", "r: recv 6b from 0"), ":6: rank 1: r: found a recv of 6 bytes from rank 0 with tag 0, expected 5 bytes "
     "as the send at "),
    (PAIR.format("a: calc 1\nb: calc 2\na requires b\nb requires a", ""), "waits for itself"),
    (PAIR.format("a: calc 1\na irequires a", ""), ":3: rank 0: a: found a calc that waits for itself"),
    (PAIR.format("s: send 5b to 1\nr: recv 5b from 1\ns requires r", "s: send 5b to 0\nr: recv 5b from 0\ns requires r"),
     "waits for itself"),
    (PAIR.format("a: calc 5", ""), "found no message between two hosts"),
]


class Words:
    """The options of the command that training.read() looks at."""
    ranks_per_host = compute = topology = opt_links = opt_rate = collective = gpus = size = None
    no_plots = True

    def __init__(self, path, **given):
        self.path = path
        self.__dict__.update(given)


def ring(ranks, size):
    """The all-reduce of a ring: in 2 (n - 1) steps each rank sends an n-th part on, when the part before has come and its own last one has
    gone."""
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        lines.append(f"rank {rank} {{")
        for k in range(2 * (ranks - 1)):
            lines.append(f"s{k}: send {size // ranks}b to {(rank + 1) % ranks} tag {k}")
            lines.append(f"r{k}: recv {size // ranks}b from {(rank - 1) % ranks} tag {k}")
            if k:
                lines += [f"s{k} requires r{k - 1}", f"s{k} requires s{k - 1}"]
        lines.append("}")
    return "\n".join(lines)


def ping_pong(rounds, size, compute):
    lines = ["num_ranks 2"]
    for rank in (0, 1):
        lines.append(f"rank {rank} {{")
        for k in range(rounds):
            lines.append(f"m{k}: " + (f"send {size}b to" if rank == k % 2 else f"recv {size}b from") + f" {1 - rank} tag {k}")
            lines.append(f"c{k}: calc {compute}\nc{k} requires m{k}")
            if k:
                lines.append(f"m{k} requires c{k - 1}")
        lines.append("}")
    return "\n".join(lines)


def random_trace(draw):
    """Ranks that exchange messages and compute, each operation after some of those before it."""
    ranks = draw.randrange(3, 6)
    operations = [[] for _ in range(ranks)]
    for _ in range(draw.randrange(20, 50)):
        source = draw.randrange(ranks)
        target = (source + draw.randrange(1, ranks)) % ranks
        tag = draw.randrange(6)
        size = (0, 10, 5000)[tag % 3]    # one for all of a tag
        operations[source].append(f"send {size}b to {target} tag {tag}")
        operations[target].append(f"recv {size}b from {source} tag {tag}")
        operations[draw.randrange(ranks)].append(f"calc {draw.choice((0, 5, 1000))}")
    lines = [f"num_ranks {ranks}"]
    for rank, own in enumerate(operations):
        lines.append(f"rank {rank} {{")
        for k, operation in enumerate(own):
            lines.append(f"l{k}: {operation}")
            lines += [f"l{k} {draw.choice(('requires', 'requires', 'irequires'))} l{draw.randrange(k)}"
                      for _ in range(draw.randrange(4)) if k]
        lines.append("}")
    return "\n".join(lines)


def message(size, rate=100e9, mtu=4096, delay=1e-6):
    """Seconds from the start of a message through one switch until its acknowledgement is there. Every byte passes the first link; the
    switch stores each packet, so that the second link ends later by a packet, a full one if there is one (the last but one is still on it
    when a shorter last one comes); an acknowledgement passes both links back."""
    headers = 14 + 20 + 8 + 12 + 4 + 4   # Ethernet, IPv4, UDP, BTH, ICRC, FCS
    packets = -(-size // mtu)
    acknowledgement = headers + 4        # AETH
    return (size + packets * headers + min(size, mtu) + headers + 2 * acknowledgement) * 8 / rate + 4 * delay


def arrival(size, rate=100e9):
    """Seconds from the start of such a message until its last byte is there: its acknowledgement has not left yet."""
    return message(size, rate) - 2 * (14 + 20 + 8 + 12 + 4 + 4 + 4) * 8 / rate - 2e-6


class Refused(RccTest):
    def trace(self, text, **given):
        self.put("a.goal", text)
        return training.read(Words(self.path("a.goal"), **given))

    def waits(self, text, **given):
        """Return what each flow waits for, and when it begins."""
        return [(flow.after, flow.begin) for flow in self.trace(text, **given).flows]

    def test_refused(self):
        for text, expected in REFUSED:
            with self.subTest(text):
                with self.assertRaises(RccError) as caught:
                    self.trace(text)
                self.assertIn(expected, str(caught.exception))
                self.assertIn("a.goal", str(caught.exception))
                self.assertEqual(caught.exception.status, 2)

    def test_words_without_end(self):
        """Whatever word of a trace is endless, the error is a short line."""
        word = "9" * 100000
        for text in (f"num_ranks {word}", f"num_ranks 2\nrank {word} {{", f"num_ranks 2\n{word}", f"num_ranks 2\nrank 0 {word}", word,
                     *(PAIR.format(text.format(word), "") for text in (
                         "a: calc {}", "a: calc {}x", "a: send {}b to 1", "a: send {} to 1", "a: send 5b to {}", "a: send 5b to 1 tag {}",
                         "a: calc 5 cpu {}", "{}", "{} requires", "a: calc 1\na requires {}", "a: calc 1\n{} requires a", "{0}: {0}",
                         "{0}: calc 1\n{0}: calc 2", "{}: send 5b to 1", "{0}: calc 1\n{0} requires {0}"))):
            with self.assertRaises(RccError) as caught:
                self.trace(text)
            self.assertLess(len(str(caught.exception)), 400, text[:40])

    def test_what_lies_between_messages(self):
        """The longest path from each message to the next, and from the begin of the run."""
        text = PAIR.format("z: recv 5b from 1\na: send 10b to 1 tag 1\nb: send 20b to 1 tag 2",
                           "r: recv 10b from 0 tag 1\nq: recv 20b from 0 tag 2\nc: calc 100\nd: calc 7\ne: calc 1000\ns: send 5b to 0\n"
                           "c requires r\nd requires q\nd requires c\ne irequires d\ns requires d\ns requires e")
        self.assertEqual(self.waits(text), [({}, 0), ({}, 0), ({1: 1100, 3: 1000}, -1)])

    def test_computing_beside_a_message(self):
        text = PAIR.format("a: send 10b to 1\nz: recv 5b from 1", "r: recv 10b from 0\nc: calc 500\ns: send 5b to 0\n"
                           "s requires c\ns requires r")
        self.assertEqual(self.waits(text), [({}, 0), ({1: 0}, 500)])
        self.assertEqual(self.waits(text, compute="0.5x"), [({}, 0), ({1: 0}, 250)])

    def test_ranks_of_a_host(self):
        """Messages between them take their bytes alone, and no flow."""
        text = "num_ranks 3\nrank 0 { a: send 1000b to 1 }\nrank 1 { r: recv 1000b from 0\ns: send 5b to 2\ns requires r }\n" \
               "rank 2 { recv 5b from 1 }\n"
        self.assertEqual([f.after for f in self.trace(text).flows], [{}, {1: 0}])
        trace = self.trace(text, ranks_per_host="2:8Gbps")
        self.assertEqual([(f.after, f.begin) for f in trace.flows], [({}, 1000)])
        self.assertEqual(json.loads(training.flow(trace, 0)), {"hosts": "h0-h1", "size": 5, "name": "m0", "start": "1us"})

    def test_times_that_no_run_has(self):
        """The trace's line and the option, where a flow would wait longer than a run may last."""
        long = "a: calc 600000000000\nb: calc 600000000000\nb requires a\ns: send 5b to 1\ns requires b"
        reply = "r: recv 5b from 1\na: calc 600000000000\na requires r\nb: calc 600000000000\nb requires a\ns: send 6b to 1\ns requires b"
        local = "num_ranks 3\nrank 0 {{ s: send {}b to 1\n r: recv 5b from 1\n r requires s\n t: send 5b to 2\n t requires r }}\n" \
                "rank 1 {{ r: recv {}b from 0\n s: send 5b to 0\n s requires r }}\nrank 2 {{ recv 5b from 0 }}\n"
        for text, given, expected in (
                (PAIR.format(long, "recv 5b from 0"), {}, ":6: rank 0: s: found a send that begins at 1200s, expected 0s to 1000s"),
                (PAIR.format(reply, "s: send 5b to 0\nrecv 6b from 0"), {},
                 ":8: rank 0: s: found a send that begins 1200s after what it waits for, expected 0s to 1000s"),
                (PAIR.format("a: calc 2000000000\ns: send 5b to 1\ns requires a", "recv 5b from 0"), {"compute": "1000x"},
                 ":3: rank 0: a: found a calc of 2000s with --compute=1000x, expected 0s to 1000s"),
                (local.format(200, 200), {"ranks_per_host": "2:1bps"},
                 ":2: rank 0: s: found a send that takes 1600s with --ranks-per-host=2:1bps, expected 0s to 1000s"),
                (local.format(10**15, 10**15), {"ranks_per_host": "2:1bps"}, ":2: rank 0: s: found a send that takes"),
                (local.format(100, 100), {"ranks_per_host": "2:1bps"}, "")):
            with self.subTest(expected):
                if not expected:
                    self.assertEqual(self.trace(text, **given).flows[0].begin, 840 * 10**9)
                    continue
                with self.assertRaises(RccError) as caught:
                    self.trace(text, **given)
                self.assertIn(expected, str(caught.exception))

    def test_lines_in_any_layout(self):
        """Statements in the usual order of words, a line for each, are read by a way of their own: as in any other layout."""
        text = PAIR.format("a: calc 5 cpu 1\nsend 10b to 1\nb: send 20b to 1 tag 7 cpu 0 nic 0\nc: calc 6\nc requires b\nb irequires a\n"
                           "a requires late\n\nlate: calc 1\nc requires late",
                           "recv 10b from 0 nic 1\nr: recv 20b from 0 cpu 2 tag 7\n: calc 8\nx : calc 9\nx requires r")

        def read(layout):
            s = self.trace("\n".join(map(layout, text.split("\n")))).schedule
            return [list(column) for column in (s.rank, s.kind, s.size, s.peer, s.tag, s.label, s.line, s.partner, s.event, s.later,
                                                s.previous, s.last)]

        usual = read(lambda line: line)
        self.assertEqual(usual[5], ["a", "", "b", "c", "late", "", "r", "", "x"])
        self.assertEqual(usual[6], [3, 4, 5, 6, 11, 15, 16, 17, 18])
        for layout in (lambda line: line + " // é", lambda line: f"/**/{line};", lambda line: line.replace(" ", "\t ") + "\r",
                       lambda line: line if line.startswith("num") else line + "/* of\tlines */"):
            self.assertEqual(read(layout), usual)
        self.assertEqual(self.trace(" ".join(line for line in text.split("\n") if line)).schedule.line[-1], 1)
        text = "/* of a\n tool */ num_ranks 2 // two\nrank 0 { send 4b to 1 tag 3 cpu 0 nic 0; } rank 1 { l: recv 4b from 0 tag 3 }"
        self.assertEqual(len(self.trace(text).flows), 1)

    def test_waits_are_the_longest_paths(self):
        """Random traces: with any times of the messages, a message starts when the operations before it are over, and the flows that its
        flow waits for give the same time."""
        for seed in range(60):
            draw = random.Random(seed)
            trace = self.trace(random_trace(draw), ranks_per_host=draw.choice(("1", "2:8Gbps")))
            ends, received, starts = {}, {}, {}

            def end_of(k, start, draw=draw, ends=ends, received=received, starts=starts):
                starts[k] = start
                ends[k] = start + draw.randrange(1, 3000)
                received[k] = draw.randrange(start, ends[k])
                return ends[k]

            trace.times(end_of, received.__getitem__)
            for k, flow in enumerate(trace.flows):
                after = [(received if what & 1 else ends)[what >> 1] + ns for what, ns in flow.after.items()]
                self.assertEqual(starts[k], max(flow.begin, 0, *after), (seed, k))

    def test_an_operation_that_waits_for_many(self):
        """A rank that waits for a hundred messages and sends two after that: both wait for all of them."""
        text = "num_ranks 101\nrank 0 {\n" + "".join(f"r{k}: recv 5b from {k}\n" for k in range(1, 101)) + "all: calc 7\n" \
            + "".join(f"all requires r{k}\n" for k in range(1, 101)) \
            + "a: send 8b to 1\na requires all\nb: send 9b to 2\nb requires all\n}\n" \
            + "".join(f"rank {k} {{ s: send 5b to 0 {['', f'recv {7 + k}b from 0'][k < 3]} }}\n" for k in range(1, 101))
        flows = list(self.trace(text).flows)
        self.assertEqual([(len(f.after), set(f.after.values())) for f in flows[-2:]], [(100, {7})] * 2)

    def test_messages_of_one_tag_keep_their_order(self):
        """However many there are, in time that is linear: the sends before the receives, and the other way round."""
        many = 20000
        sends = "".join(f"send {k + 1}b to 1\n" for k in range(many))
        receives = "".join(f"recv {k + 1}b from 0\n" for k in range(many))
        for text in (PAIR.format(sends, receives), "num_ranks 2\nrank 1 {\n" + receives + "}\nrank 0 {\n" + sends + "}\n"):
            s = self.trace(text).schedule
            self.assertTrue(all(s.size[i] == s.size[send] for i, send in enumerate(s.partner) if send >= 0))
            self.assertEqual(len(s) - s.partner.count(-1), many)

    def test_many_operations(self):
        """Each message in a ring of 64 waits for two others at most."""
        flows = self.trace(ring(64, 64000)).flows
        self.assertEqual(len(flows), 64 * 126)
        self.assertEqual({len(flow.after) for flow in flows}, {0, 2})
        self.assertEqual(len(goal.read(self.path("a.goal"))), 2 * 64 * 126)


@needs_programs
class Runs(RccTest):
    def run_trace(self, text, *words):
        self.put("a.goal", text)
        done = self.succeed("run", "trace", "a.goal", "--cc=none", "--no-plots", *words)
        run = json.loads(self.read("out", "trace", "none", "run.json"))
        return run["step"], done.stdout

    def test_closed_forms(self):
        """A ring; and a ping-pong, whose last sender computes when its message is acknowledged."""
        rings = [(ring(ranks, 3200000), 2 * (ranks - 1) * message(3200000 // ranks)) for ranks in (2, 8, 32)]
        games = [(ping_pong(11, size, 2500), 10 * arrival(size) + message(size) + 11 * 2.5e-6) for size in (8, 100000)]
        for text, seconds in rings + games:
            step, _ = self.run_trace(text)
            self.assertAlmostEqual(step["step_s"] / seconds, 1, delta=0.005, msg=text[:300])
        self.assertEqual(step["messages"], 11)

    def test_results(self):
        text = PAIR.format("c: calc 1000000\ns: send 100000b to 1\ns requires c", "c: calc 400000\nr: recv 100000b from 0")
        step, shown = self.run_trace(text, "--perfetto")
        self.assertEqual((step["slowest_rank"], step["waited_for"], step["ranks"], step["operations"]), (0, None, 2, 4))
        self.assertAlmostEqual(step["compute_s"], 1e-3)
        self.assertAlmostEqual(step["exposed_s"], step["step_s"] - 1e-3)
        self.assertIn("rank 0", shown)
        rows = list(csv.DictReader(self.read("out", "trace", "none", "ranks.csv").splitlines()))
        self.assertEqual([(row["rank"], row["host"], row["waited_for"]) for row in rows], [("0", "h0", ""), ("1", "h1", "0")])
        # it waits from the begin on, beside its computing; rank 0 until the acknowledgement
        self.assertAlmostEqual(float(rows[1]["exposed_s"]) / (1e-3 + arrival(100000) - 400e-6), 1, delta=0.0001)
        self.assertAlmostEqual(step["step_s"] / (1e-3 + message(100000)), 1, delta=0.0001)
        found = json.loads(self.read("out", "trace", "none", "operations.json"))["traceEvents"]
        self.assertEqual(sorted(e["name"] for e in found if e["ph"] == "X"), ["c", "c", "r", "s"])

    def test_what_is_not_over(self):
        step, shown = self.run_trace(PAIR.format("s: send 100000000b to 1", "r: recv 100000000b from 0"), "--time=1ms")
        self.assertIsNone(step["step_s"])
        self.assertIn("not over: 1 of 1 message is not", shown)
        self.assertFalse(os.path.exists(self.path("out", "trace", "none", "ranks.csv")))

    def test_networks(self):
        for topology in ("leaf-spine", "fat-tree"):
            step, _ = self.run_trace(ring(8, 80000), f"--topology={topology}", "--ranks-per-host=2")
            self.assertEqual(step["messages"], 4 * 14)
        step, _ = self.run_trace(ring(4, 40000), "--links=h[0-3]=t[0-1],t[0-1]-s0")
        self.assertEqual(step["messages"], 4 * 6)

    def test_refused(self):
        self.assert_refused(self.rcc("run", "trace", "none.goal"), "none.goal: No such file")
        self.run_trace(ring(2, 2000))
        for name, text in (("few", '{"links": ["h0-s0"]}'), ("odd", '{"nodes": ["h[0-1]", "s0", "s0"], "links": ["h[0-1]-s0"]}')):
            self.put(name + ".json", text)
        for words, expected in ((["--topology=mesh"], "--topology is 'mesh', expected one of star"),
                                (["--topology=star", "--links=h[0-1]-s0"], "--topology is 'star', expected none beside --links"),
                                (["--compute=fast"], "--compute is 'fast', expected a factor"),
                                (["--ranks-per-host=0"], "--ranks-per-host is '0', expected N[:RATE]"),
                                (["--links=h0-s0"], "--links is 'h0-s0', without h1, expected the hosts h0 to h1 of the trace"),
                                (["--links=h[1-2]-s0,h3-s0"], "--links is 'h[1-2]-s0,h3-s0', without h0, expected the hosts h0 to h1"),
                                (["--topology=few.json"], "few.json: found no host h1, expected the hosts h0 to h1 of the trace"),
                                (["--topology=odd.json"], "rcc: error: odd.json: nodes: found 's0'")):
            done = self.rcc("run", "trace", "a.goal", "--out=x", *words)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
            self.assertIn(expected, done.stderr)
            self.assertFalse(os.path.exists(self.path("x")))


if __name__ == "__main__":
    unittest.main()
