# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Malformed files, each through its command: one line that says what was found, and status 2. The readers' own tables are longer
(MALFORMED in the tests beside this one, test_rdma_mistakes.py); here is what reaches a user."""
import argparse
import json
import os
import struct
import subprocess
import sys
import unittest

from support import ROOT, InFolder, captured, needs_programs, sample_run

from command import main
from command.results.read import results
from command.run import nic_params, ranks

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
from golden import FILES


def summary(**fields):
    """A summary.json whose run has other fields."""
    return json.dumps({"schema": 1, "runs": [{**sample_run("dcqcn", 1e5), **fields}]}).encode()


NO_SUMMARY = "not a summary of this version of rcc"
NO_CC = "runs[0]: found no 'cc'"
SUMMARIES = [
    (b"", NO_SUMMARY), (b"{", NO_SUMMARY),
    (b"[]", NO_SUMMARY), (b"3", NO_SUMMARY), (b"null", NO_SUMMARY), (b"\xff\xfe", NO_SUMMARY),
    (b"{}", NO_SUMMARY), (b'{"schema": 1}', NO_SUMMARY), (b'{"schema": 2, "runs": []}', NO_SUMMARY),
    (b'{"schema": "1", "runs": []}', NO_SUMMARY), (b'{"schema": 1, "runs": {}}', NO_SUMMARY), (b'{"schema": 1, "runs": 3}', NO_SUMMARY),
    (b'{"schema": 1, "runs": [' + b"9" * 5000 + b"]}", NO_SUMMARY),
    (b'{"schema": 1, "runs": [null]}', NO_CC), (b'{"schema": 1, "runs": [{}]}', NO_CC), (b'{"schema": 1, "runs": [{"cc": 3}]}', NO_CC),
    (b'{"schema": 1, "runs": [{"cc": ""}]}', NO_CC),
    (summary(window_s=3), "runs[0].window_s: found 3, expected two times in s"), (summary(window_s=[]), "window_s: found []"),
    (summary(window_s=["a", "b"]), 'window_s: found ["a", "b"]'), (summary(window_s=[1, 10 ** 400]), "window_s: found [1, 1000"),
    (summary(warnings="x"), 'warnings: found "x", expected a list of texts'), (summary(warnings=[3]), "warnings: found [3]"),
    (summary(warnings=7), "warnings: found 7"), (summary(title=3), "title: found 3, expected a name"),
    (summary(seeds=2.0), "seeds: found 2.0, expected a list"), (summary(intervals={"jain": "x"}), "intervals: found"),
    (summary(parameters=0.1), "parameters: found 0.1, expected values by name"),
    (summary(label=[]), "label: found []"), (summary(folder={}), "folder: found {}"), (summary(scenario=3), "scenario: found 3"),
]

# input of `./rcc ns3-rdma`: file, content, a part of the line
NETWORKS = [
    ("original.txt", "", "found no key"), ("star.txt", "4 1\n", "header: found 2 fields"),
    ("star-flows.txt", "1\n1 2 9 5 0 1\n", "pg: found '9'"), ("star-flows.txt", "2\n1 2 3 5 0 1\n", "expected 2, not 1"),
    ("star-tcp.txt", "x\n", "flows: found 'x'"), ("star-tcp.txt", "1\n1 2\n", "row: found 2 columns"),
    ("racks-trace.txt", "1 x\n", "id: found 'x'"), ("racks-trace.txt", "many\n", "nodes: found 'many'"),
    ("racks-trace.txt", "2\n0\n", "expected 2, not 1"), ("racks-trace.txt", "1\n-1\n", "id: found '-1'"),
    ("racks-trace.txt", "99999999999\n", "nodes: found '99999999999'"), ("racks-trace.txt", "1\n\0\n", "a byte of value 0"),
]

# input of an option that takes a file
OPTIONS = [
    ("--choices", "default dcqnc\n", "the nearest is 'dcqcn'"), ("--nic-params", "rpg_gd 99\n", "found '99'"),
    ("--nic-params", "rpg_time_reset 1e3\n", "found '1e3'"), ("--nic-params", "rpg_min_rate 0\n", "found '0'"),
    ("--faults", "explode\n", "found 'explode'"),
]


def trace(ports, *records):
    """mix.tr with records cut to size."""
    return struct.pack("<I", ports) + struct.pack("<HBQ", 1, 1, 10 ** 10) * min(ports, 4) + struct.pack("<I", 0) + b"".join(records)


TRACES = [
    (b"", "header: found 0 bytes"), (b"\1", "header: found 1 byte"), (struct.pack("<I", 1), "found 1 port in a file of 4 bytes"),
    (b"\xff" * 4, "found 4294967295 ports"), (b"\xff" * 64, "found 4294967295 ports"), (trace(4000), "found 4000 ports in a file"),
    (trace(1)[:-1], "found 1 port in a file of 18 bytes"), (trace(1, bytes(55)), "record: found 55 bytes"),
    (trace(1, bytes(57)), "record: found 1 byte"), (trace(0, bytes(1)), "record: found 1 byte"),
]


class Files(InFolder):
    """The commands run in this process: there are many."""

    def refuse(self, words, fragment):
        """As ./rcc does. Returns the line."""
        status, out, err = captured(main.main, words)
        self.assert_refused(subprocess.CompletedProcess(words, status, out, err), fragment)
        return err


class Readers(Files):
    def test_summaries(self):
        self.put("good/summary.json", summary())
        for content, fragment in SUMMARIES:
            self.put("bad/summary.json", content)
            for words in (["plot", "bad"], ["compare", "bad", "good"]):
                with self.subTest(words=words, content=content[:60]):
                    self.refuse(words, fragment)
                    self.assertEqual(os.listdir(self.path("bad")), ["summary.json"])

    def test_files_of_other_editors(self):
        """A byte order mark and CRLF, which the programs accept, are accepted by what the command reads itself."""
        fct = "0b000001 0b000101 10000 100 5000 0 2000 1000\n"
        topology = "3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n"
        flows = ["generate", "workload", "--time=1ms", "--topology=topology.txt"]
        for name, text, words in (("topology.txt", topology, flows), ("sizes.txt", "1000 0\n2000 1\n", [*flows, "--sizes=sizes.txt"]),
                                  ("fct.txt", fct, ["fct", "fct.txt"]), ("fct.txt", fct, ["compare-fct", "fct.txt", "fct.txt"])):
            with self.subTest(words=words):
                found = []
                for content in (text, "\ufeff" + text.replace("\n", "\r\n")):
                    self.put(name, content)
                    found.append(captured(main.main, words))
                self.assertEqual(found[0][0], 0, found[0][2])
                self.assertEqual(found[0], found[1])

    def test_a_mark_before_what_the_command_reads(self):
        self.put("hosts", b"\xef\xbb\xbfnode slots=4\n")
        self.assertEqual(ranks.hosts(argparse.Namespace(hosts_file=self.path("hosts")), 2), self.path("hosts"))
        for content in (summary(), b"\xef\xbb\xbf" + summary()):
            self.put("o/summary.json", content)
            self.assertEqual(len(results.load(self.path("o"))["runs"]), 1)

    @needs_programs
    def test_a_mark_before_settings_of_a_nic(self):
        found = []
        for content in (b"rpg_time_reset 55\n", b"\xef\xbb\xbfrpg_time_reset 55\n"):
            self.put("nic", content)
            found.append(nic_params.read(self.path("nic")))
        self.assertEqual(found[0], found[1])

    def test_traces(self):
        for content, fragment in TRACES:
            with self.subTest(content[:40]):
                self.put("mix.tr", content)
                self.assertIn("mix.tr: byte ", self.refuse(["trace", "mix.tr"], fragment))


@needs_programs
class Networks(Files):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.put(name, text)

    def test_files(self):
        for name, content, fragment in NETWORKS:
            with self.subTest(name=name, content=content):
                self.put(name, content)
                config = "hpcc.txt" if name.startswith("racks") else "original.txt"
                self.assertIn(name + ":", self.refuse(["ns3-rdma", config, "--no-plots"], fragment))
                self.put(name, FILES[name])

    def test_options(self):
        for option, content, fragment in OPTIONS:
            with self.subTest(option=option, content=content):
                self.put("x.txt", content)
                self.assertIn("x.txt", self.refuse(["ns3-rdma", "original.txt", f"{option}=x.txt", "--no-plots"], fragment))


if __name__ == "__main__":
    unittest.main()
