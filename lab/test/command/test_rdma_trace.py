# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc trace: every byte is written here from the format's description, offset by offset, not through the code under test."""
import json
import os
import random
import struct
import subprocess
import sys
import unittest

from support import RCC, RccTest

from command.files import trace, trace_filter
from command.common import RccError

A, B = 0x0B000101, 0x0B000201


def record(time=2_000_000_000, node=1, intf=2, qidx=3, qlen=1048, sip=A, dip=B, size=1048, prot=0x11, event=1, ecn=0, kind=1,
           union=b""):
    """56 bytes: the common part at fixed offsets, then the union from byte 32 on."""
    raw = bytearray(56)
    for offset, form, value in ((0, "<Q", time), (8, "<H", node), (10, "B", intf), (11, "B", qidx), (12, "<I", qlen),
                                (16, "<I", sip), (20, "<I", dip), (24, "<H", size), (26, "B", prot), (27, "B", event),
                                (28, "B", ecn), (29, "B", kind)):
        struct.pack_into(form, raw, offset, value)
    raw[32:32 + len(union)] = union
    return bytes(raw)


def data(sport=10000, dport=100, seq=161000, ts=7, pg=3, payload=1000, **more):
    return record(union=struct.pack("<HHIQHH", sport, dport, seq, ts, pg, payload), **more)


def ack(prot=0xFC, sport=100, dport=10000, flags=1, pg=3, seq=162000, ts=1 << 40, **more):
    return record(prot=prot, size=60, union=struct.pack("<HHHHIxxxxQ", sport, dport, flags, pg, seq, ts), **more)


def header(ports=((1, 1, 100_000_000_000), (2, 1, 25_000_000_000)), window=12345):
    raw = struct.pack("<I", len(ports))
    for node, intf, bps in ports:
        raw += struct.pack("<H", node) + struct.pack("B", intf) + struct.pack("<Q", bps)
    return raw + struct.pack("<I", window)


RECORDS = [
    data(),
    data(time=2_000_055_540, node=338, intf=4, qlen=100608, ecn=3, event=2, sip=0x0B00D101, dip=0x0B012301, ts=0),
    ack(time=2_000_060_000, sip=B, dip=A, event=0),
    ack(prot=0xFD, time=2_000_060_001, sip=B, dip=A, flags=0x0A, ts=2),
    record(prot=0xFE, time=2_000_070_000, size=64, qidx=0, union=struct.pack("<IIB", 5, 70000, 3)),
    record(prot=0xFF, time=2_000_080_000, size=60, union=struct.pack("<HBBHH", 9, 3, 1, 2, 1)),
    record(prot=0x00, time=2_000_090_000, kind=0, union=struct.pack("<HH", 10000, 100)),
    record(prot=0x06, time=2_000_100_000, event=3, union=struct.pack("<HHIQHH", 49153, 80, 5, 6, 1, 1000)),
    record(prot=0x33, time=2_000_110_000, event=7),
]
# the first of these is, but for addresses, the example in the README of HPCC's analysis
LINES = [
    "2000000000 n:1 2:3 1048 Enqu ecn:0 0b000101 0b000201 10000 100 U 161000 7 3 1048(1000)",
    "2000055540 n:338 4:3 100608 Dequ ecn:3 0b00d101 0b012301 10000 100 U 161000 0 3 1048(1000)",
    "2000060000 n:1 2:3 1048 Recv ecn:0 0b000201 0b000101 100 10000 A 0x01 3 162000 1099511627776 60",
    "2000060001 n:1 2:3 1048 Enqu ecn:0 0b000201 0b000101 100 10000 N 0x0A 3 162000 2 60",
    "2000070000 n:1 2:0 1048 Enqu ecn:0 0b000101 0b000201 P 5 70000 3 64",
    "2000080000 n:1 2:3 1048 Enqu ecn:0 0b000101 0b000201 C 9 3 1 65538 60",
    "2000090000 n:1 2:3 Enqu 0b000101 0b000201 10000 100",
    "2000100000 n:1 2:3 1048 Drop ecn:0 0b000101 0b000201 49153 80 T 5 6 1 1048(1000)",
    "2000110000 n:1 2:3 1048 ???? ecn:0 0b000101 0b000201 33 1048",
]

# (filter, indices of the records above that it leaves)
FILTERS = [
    ("time>=2000060000 & time<2000080000", [2, 3, 4]),
    ("node=338", [1]),
    ("node!=338&l3Prot=17", [0]),
    ("l3Prot=021", [0, 1]),
    ("sip=11.0.209.1", [1]),
    ("nodeType=0", [6]),
    ("event=3|event=0", [2, 7]),
    ("qlen<=1047", []),
    ("data.seq=161000", [0, 1]),
    ("ack.flags=0x0a&l3Prot=0xFD", [3]),
    ("ack.ts=0x10000000000", [2]),
    ("data.payload=1000&data.pg=1", [7]),
    ("pfc.time=5&pfc.qlen=70000&pfc.qidx=3", [4]),
    ("cnp.fid=9&cnp.qidx=3&cnp.ecn=1&cnp.qfb=2&cnp.total=1", [5]),
    ("flow=0x0b000101,0x0b000201,10000,100", [0, 6]),
    ("rflow=0x0b000101,0x0b000201,10000,100", [2, 3]),
    ("biflow=0x0b000101,0x0b000201,10000,100", [0, 2, 3, 6]),
    ("queue=338,4,3", [1]),
    # & and | have one precedence and group to the right: the first is event=3&(event=0|node=338)
    ("event=3&event=0|node=338", []),
    ("(event=3&event=0)|node=338", [1]),
    ("event=3|event=0&node=338", [7]),
    (" ( event = 3 ) | ( node = 338 ) ", [1, 7]),
]

# (filter, a part of the error)
BAD_FILTERS = [
    ("", "column 1: found the end, expected a field"),
    ("nod=3", "column 1: found 'nod', expected a field, did you mean node?"),
    ("node", "column 5: found the end, expected one of ="),
    ("node=", "column 6: found the end, expected a number"),
    ("__import__('os')", "found '__import__'"),
    ("node=x", "column 6: found 'x', expected a number"),
    ("node=3 4", "column 8: found '4', expected & or | or the end"),
    ("node=3 &", "column 9: found the end, expected a field"),
    ("(node=3", "expected ')'"),
    ("node=3)", "column 7: found ')', expected & or |"),
    ("()", "found ')', expected a field"),
    ("node=65536", "found '65536', expected a number of 16 bits for node"),
    ("time=99999999999999999999", "expected a number of 64 bits for time"),
    ("sip=0b000101", "did you mean 0x0b000101?"),
    ("sip=11.0.1.256", "expected a number"),
    ("node=09", "found '09', expected a number, decimal, 0x hexadecimal or 0 octal"),
    ("node=3;import os", "found ';'"),
    ("flow!=1,2,3,4", "expected = after flow"),
    ("flow=1,2,3", "expected SIP,DIP,SPORT,DPORT"),
    ("queue=1,2", "expected NODE,INTF,QIDX"),
    ("(" * 60 + "node=1" + ")" * 60, "at most 50 nested brackets"),
    ("&".join(["node=1"] * 300), "at most 200 terms"),
]


class Trace(RccTest):
    def write(self, raw, name="mix.tr"):
        self.put(name, raw)

    def lines(self, *words):
        done = self.rcc("trace", "mix.tr", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_every_type(self):
        self.write(header() + b"".join(RECORDS))
        self.assertEqual(self.lines(), LINES)

    def test_filters(self):
        records = [struct.unpack(trace_filter.RECORD, raw) for raw in RECORDS]
        for text, left in FILTERS:
            with self.subTest(text):
                chosen = trace_filter.compile_filter(text)(records)
                self.assertEqual([trace.line(r) for r in chosen], [LINES[i] for i in left])

    def test_bad_filters(self):
        for text, fragment in BAD_FILTERS:
            with self.subTest(text):
                with self.assertRaises(RccError) as caught:
                    trace_filter.compile_filter(text)
                self.assertIn(fragment, str(caught.exception))
                self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_a_filter_as_typed(self):
        self.write(header() + b"".join(RECORDS))
        self.assertEqual((self.lines("node=338"), self.lines("event=9")), ([LINES[1]], []))
        self.assertEqual((self.lines("--count"), self.lines("node=338", "--count")), (["9"], ["1"]))
        self.assertEqual(json.loads("".join(self.lines("node=338", "--count", "--json"))), {"records": 9, "matched": 1})
        self.assert_refused(self.rcc("trace", "mix.tr", "nod=3"), "did you mean node?")

    def test_header(self):
        self.write(header() + RECORDS[0])
        self.assertEqual(self.lines("--header"), ["window 12345", "n:1 1 100000000000", "n:2 1 25000000000"])
        self.assertEqual(json.loads("".join(self.lines("--header", "--json"))),
                         {"window": 12345, "ports": [{"node": 1, "intf": 1, "bps": 100000000000},
                                                     {"node": 2, "intf": 1, "bps": 25000000000}]})
        self.write(header(ports=()))
        self.assertEqual(self.lines(), [])

    def test_json(self):
        self.write(header() + b"".join(RECORDS))
        rows = [json.loads(line) for line in self.lines("--json")]
        self.assertEqual([r["type"] for r in rows],
                         ["data", "data", "ack", "nak", "pfc", "cnp", "queue-pair", "tcp", "other"])
        common = {"time_ns": 2_000_000_000, "node": 1, "node_type": "switch", "intf": 2, "qidx": 3, "qlen": 1048,
                  "event": "Enqu", "ecn": 0, "sip": "0b000101", "dip": "0b000201", "size": 1048, "l3Prot": 17, "type": "data"}
        self.assertEqual(rows[0], {**common, "sport": 10000, "dport": 100, "seq": 161000, "ts": 7, "pg": 3, "payload": 1000})
        self.assertEqual([rows[2][k] for k in ("flags", "pg", "seq", "ts")], [1, 3, 162000, 1 << 40])
        self.assertEqual([rows[4][k] for k in ("pause_us", "pfc_qlen", "pfc_qidx")], [5, 70000, 3])
        self.assertEqual([rows[5][k] for k in ("fid", "cnp_qidx", "cnp_ecn", "qfb", "total")], [9, 3, 1, 2, 1])

    def test_more_records_than_are_read_at_once(self):
        draw = random.Random(1)
        count = 3 * trace.BATCH + 17
        wanted = [draw.randrange(4) for _ in range(count)]
        self.write(header() + b"".join(data(time=i, node=n) for i, n in enumerate(wanted)))
        self.assertEqual(self.lines("node=2", "--count"), [str(wanted.count(2))])
        self.assertEqual([int(row.split()[0]) for row in self.lines("node=3")], [i for i, n in enumerate(wanted) if n == 3])

    def test_truncated(self):
        whole = header() + b"".join(RECORDS)
        begin = len(header())
        for size, fragment in [
                (0, "mix.tr: byte 0: header: found 0 bytes, expected 4"),
                (3, "mix.tr: byte 0: header: found 3 bytes, expected 4"),
                (4, "mix.tr: byte 0: header: found 2 ports in a file of 4 bytes"),
                (begin - 1, "mix.tr: byte 0: header: found 2 ports in a file of 29 bytes"),
                (begin + 1, f"mix.tr: byte {begin}: record: found 1 byte, expected 56"),
                (begin + 55, f"mix.tr: byte {begin}: record: found 55 bytes, expected 56"),
                (len(whole) - 1, f"mix.tr: byte {begin + 8 * 56}: record: found 55 bytes, expected 56")]:
            with self.subTest(size):
                self.write(whole[:size])
                self.assert_refused(self.rcc("trace", "mix.tr"), fragment)

    def test_a_pipe_that_ends_within_a_record(self):
        whole = header() + b"".join(RECORDS)
        done = subprocess.run([sys.executable, RCC, "trace", "/dev/stdin"], input=whole[:-1], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout.decode().splitlines(), LINES[:-1])
        self.assertIn(f"byte {len(whole) - 56}: record: found 55 bytes, expected 56", done.stderr.decode())

    def test_other_files(self):
        self.write(b"36 20 48\n16 17 18\n" * 9, "topology.txt")
        self.assert_refused(self.rcc("trace", "topology.txt"), "topology.txt: byte 0: header: found 840971827 ports")
        self.assert_refused(self.rcc("trace", "missing.tr"), "missing.tr: No such file")
        self.assert_refused(self.rcc("trace", "."), ".: found a directory")
        self.assert_refused(self.rcc("trace"), "FILE")

    def test_a_reader_that_goes_away(self):
        self.write(header() + RECORDS[0] * 100_000)
        done = subprocess.run(["sh", "-c", f"'{RCC}' trace mix.tr | head -1"], cwd=self.scratch, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=dict(os.environ), check=False)
        self.assertEqual((done.stdout.decode(), done.stderr), (LINES[0] + "\n", b""))


if __name__ == "__main__":
    unittest.main()
