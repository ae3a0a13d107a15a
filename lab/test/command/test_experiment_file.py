# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Experiments as files: what is refused with its place, values of JSON, the arithmetic of a transfer, flows that wait for others."""
import csv
import json
import os
import unittest

from support import RccTest, needs_programs

import program
from command.common import RccError
from command.experiment import json_lines, names

PAIR = '{"links": ["h[1-3]-s1"],\n"cc": "none", "rate": "1Gbps", "mtu": 1000, "time": "50ms",\n'
FLOW = PAIR + '"flows": ["h1-h2:size=1KB"],\n'
PACKET = 1000 + 14 + 20 + 8 + 12 + 4 + 4    # bytes on the wire: payload, Ethernet, IPv4, UDP, BTH, ICRC, frame check
ACK = PACKET - 1000 + 4                     # AETH and no payload
BYTE = 8e-9                                 # s, on a link of 1 Gb/s
DELAY = 1e-6                                # s, of a link

# (text of the file, a part of the message); FILE stands for its name
WRONG = [
    ("{", "FILE:1: found the end, expected a key in quotes"),
    ("[]", "FILE:1: found a list, expected an object with the keys of an experiment"),
    ("[" * 100, "FILE:1: found '[[[[[[[[[[[[[[[[[[[[', expected at most 64 levels"),
    ('{"rate": "1Gbps",\n "rate": "2Gbps"}', "FILE:2: found the key 'rate' again, expected it once, as in line 1"),
    ('{"rate": 1Gbps}', "FILE:1: found '1Gbps}', expected a value: texts have quotes"),
    ('{"rate": "1Gbps}\n', "FILE:1: found '?', expected a quote at the end of the text"),
    ('{"rate": "1Gbps"} x', "FILE:1: found 'x', expected the end of the file"),
    ('{\n\n"rte": "1Gbps"}', "FILE:3: found the key 'rte', expected one of lab/doc/testbed.md; the nearest is 'rate'"),
    ('{"out": "x"}', "FILE:1: found the key 'out', expected one of"),
    ('{"rate":\n ["1Gbps"]}', "FILE:2: rate: found a list, expected a text or a number"),
    ('{"lossy": "yes"}', "FILE:1: lossy: found 'yes', expected true or false"),
    ('{\n"rate": "17Tbps"}', "FILE:2: rate: found '17Tbps', expected 1Mbps to 16Tbps"),
    ('{\n"time": 5}', "FILE:2: time: found '5', expected a time such as 55us or 0.4s"),
    ('{"links": {"a": 1}}', "FILE:1: links: found an object, expected a list"),
    ('{"links": ["h1-s1",\n{"nods": "h2-s1"}]}', "FILE:2: found the key 'nods', expected one of links: nodes"),
    ('{"links": [{"rate": "1Gbps"}]}', "FILE:1: links: found an object without 'nodes'"),
    ('{"links": [{"nodes": "h1-s1", "rate": [1]}]}', "FILE:1: rate: found a list, expected a text without"),
    ('{"links": ["h1-s1,h2-s1"]}', "FILE:1: links: found 'h1-s1,h2-s1', expected texts without commas, or objects"),
    ('{"links": ["h1-s1",\n"h2 x-s1"]}', "FILE:2: links: found 'h2 x', expected the name of a node"),
    ('{"links": ["h1-s1",\n"h2-h2"]}', "FILE:2: links: found 'h2-h2': a link of h2 to itself"),
    ('\n{"flows": ["h1-h2"]}', "FILE:2: links is empty, expected A-B"),
    (PAIR.rpartition(",")[0] + "}", "FILE:1: flows is empty, expected A-B"),
    (PAIR + '"flows": []}', "FILE:3: flows is empty, expected A-B"),
    ('{"links": ["h1-s1"],\n"nodes": ["h1"]}', "FILE:1: links: found 's1', expected a node of nodes"),
    ('{"links": ["h1-s1"],\n"nodes": ["h1", "s1", "h1"]}', "FILE:2: nodes: found 'h1', expected each node once"),
    (PAIR + '"flows": ["h1-h2",\n"h1-h9"]}', "FILE:4: flows: found 'h9', expected a host of links"),
    (PAIR + '"flows": ["h1=h1"]}', "FILE:3: flows: found 'h1=h1', expected two different hosts"),
    (PAIR + '"flows": [{"hosts": "h1-h2", "sise": 1}]}', "FILE:3: found the key 'sise', expected one of flows: hosts"),
    (PAIR + '"flows": [{"hosts": "h1-h2",\n"size": "x"}]}', "FILE:3: flows: found 'h1-h2:size=x': 'x'"),
    (PAIR + '"flows": [{"hosts": "h1-h2", "size": "1KB", "after": "a"}]}',
     "FILE:3: flows: found 'h1-h2:size=1KB:after=a', expected after names of other flows"),
    (PAIR + '"flows": [{"hosts": "h1-h2", "name": "a"}, {"hosts": "h1-h3", "after": "a"}]}',
     "FILE:3: flows: found 'h1-h3:after=a', expected after flows that end, which have a size"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a:after=b",\n"h1-h3:size=1KB:name=b:after=a"]}',
     "FILE:3: flows: found 'h1-h2:size=1KB:name=a:after=b', expected no flows that wait for one another in a circle"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a", "h1-h3:size=1KB:after=a:needs=2"]}', "expected needs of at most the 1 flow that"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a",\n"h1-h3:size=1KB:after=a@5"]}',
     "FILE:4: flows: found 'h1-h3:size=1KB:after=a@5': '5', expected a time"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a@b"]}', "'h1-h2:size=1KB:name=a@b', expected a name without + and @"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a.received"]}', "expected a name without + and @, and without .received at its end"),
    (PAIR + '"received": true, "collective": "all-reduce"}', "FILE:3: received needs flows"),
    (PAIR + '"flows": ["h1-h2:delay=1us"]}', "FILE:3: flows: found 'h1-h2:delay=1us', expected after beside needs and delay"),
    (PAIR + '"flows": ["h1-h2:size=1KB:name=a", "h1-h3:after=a:start=1us"]}', "'h1-h3:after=a:start=1us', expected after, or start"),
    (PAIR + '"flows": ["h1-h2:name=a",\n"h1-h3:name=a"]}', "FILE:4: flows: found 'h1-h3:name=a', expected a name of its own"),
    (PAIR + '"flows": ["h1-h2"], "set": {"dcqcn.g": [1]}}', "FILE:3: dcqcn.g: found a list, expected a text or a number"),
    (PAIR + '"flows": ["h1-h2"],\n"cc": "dcqn"}', "FILE:4: found the key 'cc' again"),
    ('{"links": ["h1-s1"],\n"cc": "dcqn"}', "FILE:2: cc: unknown algorithm 'dcqn', expected one of dcqcn, "),
    (PAIR + '"flows": ["h1-h2"],\n"watch": "s1>h8"}', "FILE:4: watch: found 's1>h8', expected a switch and a neighbour"),
    # a mistake that shows only beside other options, or in a reader of its own, has its place too
    (PAIR + '"flows": ["h1-h2",\n"h1-h3:cc=dcqn"]}', "FILE:4: flows: unknown algorithm 'dcqn', expected one of"),
    (FLOW + '"preset": "papr"}', "FILE:4: preset: none has no preset 'papr', expected one of"),
    (FLOW + '"set": {"dcqcn.g": "1/16",\n"dcqcn.timr": "1us"}}', "FILE:5: set: dcqcn has no parameter 'timr'; the nearest is 'timer'"),
    (FLOW + '"set": {"dcqn.g": 1}}', "FILE:4: set: unknown algorithm 'dcqn', expected one of"),
    (FLOW + '"set": ["dcqcn.g=1/16",\n"dcqcn"]}', "FILE:5: set: found 'dcqcn', expected ALGORITHM.PARAMETER=VALUE"),
    (FLOW + '"set": {"dcqcn.g": 5}}', "FILE:4: set: dcqcn.g is '5', expected 0 to 1"),
    (FLOW + '"set": ["dcqcn.g=1/16", "dcqcn.g=1/32"]}', "FILE:4: set: dcqcn.g is given twice"),
    (FLOW + '"nic": "cx9"}', "FILE:4: nic: found 'cx9', expected one of nic-default"),
    (FLOW + '"lossy": true, "attr": {"RdmaNic.Write": true,\n"QbbSwitch.Alpha": 1}}',
     "FILE:5: attr: found 'QbbSwitch.Alpha=1', expected no lossy beside it"),
    (FLOW + '"attr": {"RdmaNic.Mtu": 500}}', "FILE:4: attr: found 'RdmaNic.Mtu=500', expected no mtu beside it"),
    (FLOW + '"attr": {"QbbSwitch.BufferSize": 1}}', "FILE:4: attr: found 'QbbSwitch.BufferSize=1', expected 1KB to"),
    (FLOW + '"faults": "none.txt"}', "FILE:4: faults: 'none.txt': No such file or directory, expected a file of faults"),
    (FLOW + '"capture": ["all"]}', "FILE:4: capture needs out"),
    (FLOW + '"pcap": true}', "FILE:4: pcap needs out"),
    (FLOW + '"plain": true, "marks": true}', "FILE:4: marks is given, expected none beside plain, collective and cioq"),
    (FLOW + '"cioq": true,\n"lossy": true}', "FILE:5: lossy is given, expected none beside cioq"),
    (FLOW + '"strict": ["9"]}', "FILE:4: strict: found '9', expected 0 to 7"),
    (FLOW + '"strict": [5, 5]}', "FILE:4: strict: found '5', expected each class once"),
    ('{"links": ["h1-s1"],\n"arrivals": "web-search:0.1"}', "FILE:2: arrivals and incasts need two hosts in links"),
    ('{"links": ["h1-s1"],\n"incasts": "1:1KB:0.1"}', "FILE:2: incasts: arrivals and incasts need two hosts in links"),
    ('{"links": ["h1-s1"],\n"collective": "all-reduce"}', "FILE:2: collective needs two hosts in links"),
    (PAIR + '"arrivals": "web-serch:0.1"}', "FILE:3: arrivals: web-serch: No such file or directory, expected web-search"),
    (PAIR.replace("50ms", "1000s").replace("1Gbps", "1Tbps") + '"arrivals": "fb-hadoop:1", "load-counts": "payload"}',
     "FILE:2: time: found '1000s', in which some "),
]

# The program judges these: what ns-3 says of a value, and whether any flow arrives.
JUDGED = [
    (FLOW + '"attr": {"QbbSwitch.EgresAlpha": 2}}', "FILE:4: attr: found 'QbbSwitch.EgresAlpha=2', expected an attribute"),
    (FLOW + '"attr": {"RdmaNic.BucketDebt": false,\n"RdmaNic.BucketSize": 1000}}',
     "FILE:5: attr: found 'RdmaNic.BucketSize=1000', expected 0 or at least a frame of"),
    (PAIR.replace("50ms", "1us") + '"arrivals": "web-search:0.001"}', "FILE:2: time: found '1us', in which no flow arrives"),
]


@needs_programs
class Escapes(RccTest):
    def test_a_value_begins_no_line(self):
        """Control characters and line feeds of a file are escaped in the one line of the refusal, for each kind of key."""
        value = "\x1b]0;owned\x07\nsecond line"
        for key in ("time", "window", "links", "flows", "set", "watch"):
            content = {"links": ["h[1-3]-s1"], "flows": ["h1-h2"], key: [value] if key in ("links", "flows", "set") else value}
            self.put("x.json", json.dumps(content))
            with self.subTest(key):
                self.assert_refused(self.rcc("run", "x.json", "--no-plots"), "\\x1b]0;owned\\x07\\nsecond line")


@needs_programs
class Mistakes(RccTest):
    NAME = "an experiment.json"    # a blank is nothing special

    def test_a_mistake_has_its_place(self):
        for text, fragment in WRONG:
            with self.subTest(text):
                self.put(self.NAME, text)
                with self.assertRaises(RccError) as caught:
                    program.read("experiment", [self.NAME], self.scratch)
                self.assertIn(fragment.replace("FILE", self.NAME), str(caught.exception))
                self.assertNotIn("--", str(caught.exception))     # keys have no dashes
                self.assertNotIn("\n", str(caught.exception))
                self.assertEqual(caught.exception.status, 2)

    def test_what_the_program_judges_has_its_place(self):
        for text, fragment in JUDGED:
            with self.subTest(text):
                self.put(self.NAME, text)
                done = program.run("experiment", [self.NAME, "--check"], self.scratch)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, "^rcc: error: .*\n$")
                self.assertIn(fragment.replace("FILE", self.NAME), done.stderr)

    def test_a_word_over_a_key_has_no_place(self):
        """A wrong word beside the file has no place in it."""
        self.put(self.NAME, FLOW + '"seed": 2}')
        for word, said in (("--cc=dcqn", "unknown algorithm 'dcqn'"), ("--set=dcqcn.timr=1us", "--set: dcqcn has no parameter 'timr'"),
                           ("--flows=h1-h9", "--flows names 'h9', expected a host of --links"), ("--pcap", "--pcap needs --out"),
                           ("--strict=5,5", "--strict has '5', expected each class once"), ("--nic=cx9", "--nic is 'cx9', expected one of"),
                           ("--set=dcqcn.g=1/16,dcqcn.g=1/32", "--set: dcqcn.g is given twice")):
            with self.subTest(word), self.assertRaises(RccError) as caught:
                program.read("experiment", [self.NAME, word], self.scratch)
            self.assertTrue(str(caught.exception).startswith(said), str(caught.exception))

    def test_a_fault_that_cannot_be(self):
        """The message names keys and lines of the file of faults, not those of the run file."""
        linked, known = "link: found {}, expected two nodes with a link between them", "{0}: found {1}, expected a {0} of the network"
        for line, said in (("lose link=0-9", linked.format("0-9")), ("lose link=9>1", linked.format("9>1")),
                           ("lose link=0-2", linked.format("0-2")),
                           ("pause host=7 for=1us", known.format("host", 7)), ("pause host=1 for=1us", known.format("host", 1)),
                           ("restart switch=8 for=1us", known.format("switch", 8)),
                           ("restart switch=0 for=1us", known.format("switch", 0)),
                           ("rate link=0-1 rate=1Mbps",
                            "rate: found link=0-1 from 0s on, expected a time outside that of line 1, from 0s on")):
            self.put("faults.txt", f"rate link=0-1 rate=200Mbps\n{line}\n")
            self.put(self.NAME, FLOW + '"faults": "faults.txt"}')
            done = program.run("experiment", [self.NAME, "--check"], self.scratch)
            self.assertEqual((done.returncode, done.stderr), (2, f"rcc: error: faults.txt:2: {said}\n"))


class Json(RccTest):
    def read_text(self, text):
        self.put("a.json", text)
        return json_lines.read(self.path("a.json"))

    def test_values(self):
        value = self.read_text(b'\xef\xbb\xbf{"a": [1, -2.5e+3, true, null, []],\r\n "b": {"\\u00e9\\ud83d\\ude00\\n": "\\""}}')
        numbers, texts = value.items
        self.assertEqual([one.kind for one in numbers.items], ["number", "number", "flag", "nothing", "list"])
        self.assertEqual([one.text for one in numbers.items[:2]], ["1", "-2.5e+3"])
        self.assertEqual(value.keys, (("a", 1), ("b", 2)))
        self.assertEqual((texts.keys, texts.items[0].text), ((("\u00e9\U0001f600\n", 2),), '"'))

    def test_what_is_no_json(self):
        for wrong in ('{"a": 1,}', "[1,]", "[+1]", "[.5]", "[1.]", "[1e]", "[nul]", '["\\x"]', '["\\ud800"]', '["\\u12"]', "{1: 2}",
                      "[1 2]", '["\t"]'):
            with self.subTest(wrong), self.assertRaisesRegex(RccError, r"a\.json:1: found .*, expected "):
                self.read_text(wrong.encode())


class Pairs(unittest.TestCase):
    def test_one_by_one(self):
        """Pairs of A=B take no longer than their number; so many links would not end within a test."""
        found = names.expand_pairs("links", "a[1-100000]=b[1-50000]")
        self.assertEqual((len(found), *found[:2], found[-1]), (100000, ("a1", "b1"), ("a2", "b1"), ("a100000", "b50000")))
        self.assertEqual(names.expand_pairs("links", "a[1-3]=b"), [("a1", "b"), ("a2", "b"), ("a3", "b")])
        self.assertEqual(len(names.expand_pairs("links", "a[1-1000]-b[1-1000]")), 1000000)

    def test_each_side_in_turn(self):
        found = names.expand_flows("flows", "h[0-3]~h[10-30/10]")
        self.assertEqual(len(found), 12, "until they repeat")
        self.assertEqual(found[3:5], [("h3", "h10"), ("h0", "h20")])
        self.assertEqual(names.expand_flows("flows", "h[0-3]~h[10-30/10]", 5), found[:5])


@needs_programs
class Flows(RccTest):
    """Flows on links of 1 Gb/s and 1 us, of experiments that are files."""

    def simulate(self, text, folder="out put"):
        self.put("x.json", text)
        done = program.run("experiment", ["x.json", f"--out={folder}"], self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path(folder, "flows.csv"), encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f))

    def flows(self, rest):
        """Return the start of each flow, s, its end, and when its last byte arrived; None where it did not."""
        rows = self.simulate(PAIR + rest + "}")
        numbers = [[float(row[key]) if row.get(key) else None for key in ("start_s", "fct_s", "received_s")] for row in rows]
        return [(start, fct and start + fct, received and start + received) for start, fct, received in numbers]

    def assert_times(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertAlmostEqual(one, other, delta=1e-12)

    def test_a_transfer(self):
        """For each packet it takes its bytes on the wire, and four times the delay of a link."""
        def time(more):
            return self.flows(f'"flows": ["h1-h2:size={more}')[0][1]
        self.assert_times([time('20KB"]') - time('10KB"]'), time('10KB"], "delay": "5us"') - time('10KB"], "delay": "1us"')],
                          [10 * PACKET * BYTE, 4 * 4e-6])

    def test_waits(self):
        """A flow starts after the later one of two others, or after the first one, and a delay."""
        (_, long, _), (_, short, _), after, first = self.flows(
            '"flows": [{"hosts": "h1-h2", "size": "100KB", "name": "long"},\n'
            '{"hosts": "h3-h2", "size": "20KB", "start": "50us", "name": "short"},\n'
            '{"hosts": "h2-h1", "size": "10KB", "after": "long+short", "delay": "10us"},\n'
            '{"hosts": "h2-h3", "size": "10KB", "after": "short+long", "needs": 1}]')
        self.assertLess(short, long, "they share the link to h2")
        self.assert_times([after[0], first[0]], [long + 10e-6, short])
        self.assertTrue(after[1] and first[1], "they end")

    def test_waits_with_times(self):
        """Each flow that is waited for counts after a time of its own; a time alone is one of the run."""
        (_, a, _), (_, b, _), *rest = self.flows(
            '"flows": [{"hosts": "h1-h2", "size": "10KB", "name": "a"},\n'
            '{"hosts": "h3-h2", "size": "20KB", "start": "400us", "name": "b"},\n'
            '{"hosts": "h2-h1", "size": "1KB", "after": "a@9ms+b@1us", "delay": "2us"},\n'
            '{"hosts": "h2-h1", "size": "1KB", "after": "a@1us+b"},\n'
            '{"hosts": "h2-h1", "size": "1KB", "after": "a+@12ms"},\n'
            '{"hosts": "h2-h1", "size": "1KB", "after": "b+@1us"}]')
        self.assertLess(a, b)
        self.assert_times([start for start, _, _ in rest], [a + 9002e-6, b, 12e-3, b])

    def test_waits_for_arrival(self):
        """The receiver knows of a flow when its last byte is there, the sender when the acknowledgement has come back."""
        (start, end, received), *rest = self.flows(
            '"flows": [{"hosts": "h1-h2", "size": "10KB", "name": "a"},\n'
            '{"hosts": "h2-h3", "size": "1KB", "after": "a.received"},\n'
            '{"hosts": "h2-h3", "size": "1KB", "after": "a.received@1ms"},\n'
            '{"hosts": "h1-h3", "size": "1KB", "after": "a"}]')
        arrived = end - 2 * (ACK * BYTE + DELAY)     # the acknowledgement passes two links
        self.assertEqual(start, 0)
        self.assert_times([received, *(one[0] for one in rest)], [arrived, arrived, arrived + 1e-3, end])
        self.assertTrue(all(one[1] for one in rest), "they end")

    def test_ten_thousand_flows_and_again(self):
        """Each of its own, in one file; what the run leaves repeats it."""
        rows = self.simulate(PAIR + '"plain": true, "flows": [' + ",\n".join(
            f'{{"hosts": "h1-h{3 - i % 2}", "size": 100, "start": "{i}us"}}' for i in range(10000)) + "]}", "first")
        self.assertEqual((len(rows), sum(bool(row["fct_s"]) for row in rows)), (10000, 10000), "all end")
        self.assertEqual([(row["src"], row["dst"], float(row["start_s"])) for row in rows[1:3]], [("0", "2", 1e-6), ("0", "3", 2e-6)])
        done = program.run("experiment", [os.path.join("first", "experiment.json"), "--out=second"], self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in ("experiment.json", "flows.csv", "queue.csv"):
            self.assertEqual(self.read("first", file), self.read("second", file), file)


if __name__ == "__main__":
    unittest.main()
