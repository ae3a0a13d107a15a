# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs that never end, and why. A naive model of go-back-N on one port that trims, which shares no code with the simulator, repeats for
ever where the simulator does, and ends when receivers take a random time to answer: the answers follow the port's own clock, so that a
repeated packet comes just after another one has taken the space, each time. And headers that fill a link, by arithmetic."""
import csv
import heapq
import json
import random
import unittest
from collections import deque

from support import RccTest, needs_programs, program

from command.results.judge import lines

FRAME, HEADER, ACK, SPACE = 1062, 128, 66, 15000
LAST = 20_000_000     # ns


class Sender:
    def __init__(self, gbps, delay, packets):
        self.gbps, self.delay, self.packets = gbps, delay, packets
        self.next = self.acknowledged = self.expected = 0
        self.busy = self.asked = False    # asked: the receiver has sent a NAK for the expected packet
        self.answers = 0                  # when the switch's port to it is free


class Model:
    """Senders at line rate to one host. Times in ns, rates in Gb/s. `most`: receivers answer after up to this time."""

    def __init__(self, flows, gbps, delay, most=0):
        self.senders = [Sender(*flow[:3]) for flow in flows]
        self.gbps, self.delay, self.most = gbps, delay, most
        self.whole, self.headers, self.busy, self.answers = deque(), deque(), False, 0
        self.chance, self.events, self.count = random.Random(1), [], 0
        for sender, flow in zip(self.senders, flows):
            self.at(flow[3], self.send, sender)

    def at(self, time, what, *words):
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what, words))

    def run(self):
        """The packets that each has delivered in the end."""
        while self.events and self.events[0][0] < LAST:
            time, _, what, words = heapq.heappop(self.events)
            what(time, *words)
        return [sender.expected for sender in self.senders]

    def send(self, now, sender, idle=False):
        sender.busy = sender.busy and not idle
        if sender.busy or sender.next == sender.packets:
            return
        end = now + FRAME * 8 / sender.gbps
        sender.busy = True
        self.at(end, self.send, sender, True)
        self.at(end + sender.delay, self.arrive, sender, sender.next)
        sender.next += 1

    def arrive(self, now, sender, packet):
        trimmed = (len(self.whole) + 1) * FRAME > SPACE
        (self.headers if trimmed else self.whole).append((sender, packet, trimmed))
        self.serve(now)

    def serve(self, now, idle=False):
        self.busy = self.busy and not idle
        if self.busy or not (self.headers or self.whole):
            return
        frame = (self.headers or self.whole).popleft()
        end = now + (HEADER if frame[2] else FRAME) * 8 / self.gbps
        self.busy = True
        self.at(end, self.serve, True)
        self.at(end + self.delay, self.receive, *frame)

    def receive(self, now, sender, packet, trimmed):
        asks = packet + 1 == sender.packets or (packet + 1) % 64 == 0
        late = packet > sender.expected
        if packet == sender.expected and not trimmed:
            sender.expected, sender.asked, answers, nak = packet + 1, False, asks, False
        else:
            nak = late and (not sender.asked or (trimmed and asks)) or (trimmed and packet == sender.expected)
            sender.asked, answers = sender.asked or nak, nak or (asks and not trimmed and not late)
        if answers:
            self.answers = max(now + self.chance.random() * self.most, self.answers) + ACK * 8 / self.gbps
            sender.answers = max(self.answers + self.delay, sender.answers) + ACK * 8 / sender.gbps
            self.at(sender.answers + sender.delay, self.hear, sender, sender.expected, nak)

    def hear(self, now, sender, expected, nak):
        sender.acknowledged = max(sender.acknowledged, expected)
        if sender.next < sender.acknowledged or (nak and expected == sender.acknowledged):
            sender.next = sender.acknowledged
        self.send(now, sender)


@needs_programs
class Livelock(RccTest):
    def run_star(self, *words):
        """[delivered packets of each flow], run.json."""
        words = ("--cc=none", "--plain", "--buffer=9MB", "--deadlock=continue", "--time=20ms", "--out=out", *words)
        done = program.run("experiment", words, self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = csv.DictReader(self.read("out", "flows.csv").splitlines())
        return [int(row["delivered_bytes"]) // 1000 for row in rows], json.loads(self.read("out", "run.json"))

    def test_go_back_n_may_repeat_for_ever(self):
        """250 packets at 40 Gb/s and 4 at 10 Gb/s into a port of 10 Gb/s that trims above 15 KB; the second one begins at several times."""
        all_of_both = [250, 4]
        star = "--links=h0-s9:40Gbps:0.5us,h1-s9:10Gbps:2us,h2-s9:10Gbps:1us"
        for start, ends in ((20951, False), (21601, False), (21301, True), (21801, True)):
            flows = [(40, 500, 250, 10758), (10, 2000, 4, start)]
            model = Model(flows, 10, 1000).run()
            words = [star, f"--flows=h0-h2:size=250000B:start=10758ns,h1-h2:size=4000B:start={start}ns",
                     f"--attr=QbbSwitch.TrimSize={HEADER}", f"--attr=QbbSwitch.TrimThreshold={SPACE}"]
            found, run = self.run_star(*words)
            self.assertEqual(found, model, start)
            self.assertEqual(found == all_of_both, ends, start)
            self.assertEqual(Model(flows, 10, 1000, most=500).run(), all_of_both, start)
            self.assertEqual(lines.VAIN in lines.count_reasons(run), not ends)
            self.assertEqual(self.run_star(*words, "--attr=RdmaNic.Recovery=selective")[0], all_of_both, start)

    def test_headers_fill_a_link(self):
        """Without congestion control all senders send on at line rate, and what is not sent whole is a header of 128 bytes, which goes
        first. 8 of them fill 8 x 128 / 1062 = 96 % of a link, 9 of them 108 %: then no packet is sent whole any more."""
        for n in (8, 9):
            ends = n * HEADER < FRAME
            found, run = self.run_star("--links=" + ",".join(f"h{i}-s99:100Gbps:1us" for i in range(n + 1)), "--flows="
                                       + ",".join(f"h{i}-h{n}:size=500000B" for i in range(n)), "--attr=RdmaNic.Recovery=selective",
                                       f"--attr=QbbSwitch.TrimSize={HEADER}", f"--attr=QbbSwitch.TrimThreshold={SPACE}")
            self.assertEqual(found == n * [500], ends, found)
            self.assertEqual(lines.VAIN in lines.count_reasons(run), not ends)
            if not ends:
                self.assertLess(sum(found), SPACE / FRAME)


if __name__ == "__main__":
    unittest.main()
