# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""In-band telemetry in captures: bytes written here bit by bit, and those of runs, which tshark with lab/tools/rcc.lua reads as well."""
import json
import os
import shutil
import struct
import subprocess
import unittest

from pcap_bytes import ack, ethernet, pcap, roce_ip
from support import ROOT, RccTest, needs_programs, scenario

from command.pcap import pcap_flows, pcap_read, pcap_telemetry

TSHARK = shutil.which("tshark")
LUA = os.path.join(ROOT, "lab", "tools", "rcc.lua")
CODES = {25: 0, 50: 1, 100: 2, 200: 3, 400: 4, 10: 6, 40: 7, 800: 8, 1600: 10, 6400: 15}   # Gb/s


def bits(*fields):
    """Big-endian bytes of (value, width)."""
    text = "".join(f"{value:0{width}b}" for value, width in fields)
    assert len(text) % 8 == 0
    return int(text, 2).to_bytes(len(text) // 8, "big")


def paper(*hops, path=0x123):
    """hops: (Gb/s, ns, units of 128 bytes, units of 80 bytes)."""
    return bits((len(hops), 4), (path, 12)) + b"".join(bits((CODES[r], 4), (t, 24), (s, 20), (q, 16)) for r, t, s, q in hops)


def simulator(*hops):
    records = b"".join(bits((CODES[r], 3), (t, 24), (s, 20), (q, 17)) for r, t, s, q in hops)
    return bits((len(hops), 16)) + records.ljust(40, b"\0")


def sent(psn, telemetry, payload=1000, **more):
    inside = more.pop("before", b"") + telemetry + bytes(payload)
    return ethernet(1, 2, 0x0800, roce_ip(1, 2, more.pop("opcode", 1), more.pop("qp", 7), psn, inside, **more))


def answer(psn, telemetry, opcode=0x11, after=b"", becn=False):
    raw = bytearray(ethernet(2, 1, 0x0800, roce_ip(2, 1, opcode, 90, psn, b"\x1f\0\0\0" + telemetry + after, ecn=0)))
    raw[14 + 28 + 4] |= 0x40 * becn
    return bytes(raw)


class Bytes(RccTest):
    def point(self, frames, wanted="auto", snaplen=0):
        files = [pcap_read.CaptureFile(self.put("a.pcap", pcap(frames, snaplen=snaplen)))]
        return pcap_flows.read_point("p", files, None, 0, 1_000_000, 0.0, 4791, wanted)

    def payload(self, point):
        (flow,) = point.flows.values()
        return flow.totals()[2]

    def test_what_an_acknowledgement_is(self):
        """By its length and its first bits. Five hops of the paper are as long as the simulator's 42 bytes."""
        five = [(100, 1, 1, 1)] * 5
        cases = [(b"", "none"), (paper(path=0), "auto"), (paper((100, 1, 1, 1)), "paper"), (paper(*five), "paper"),
                 (simulator(*five), "simulator"), (simulator(), "simulator"), (b"\0\x01", "pint"), (bytes(5), "none"), (bytes(7), "none"),
                 (b"\x20\0" + bytes(8), "none"),
                 (b"\x90\0" + bytes(64), "paper")]   # nine hops, eight records
        for told, form in cases:
            with self.subTest(told[:4].hex()):
                point = self.point([(0, sent(0, told)), (1, answer(0, told))])
                self.assertEqual([p.form for p in point.paths.values()], [form])
                self.assertEqual(self.payload(point), 1000 if form in ("paper", "simulator", "pint") else 1000 + len(told))

    def test_flows_are_told_apart(self):
        """Another UDP source port, another form; without an acknowledgement nothing is taken away, but with --telemetry."""
        with_it, without = paper((100, 1, 1, 1)), b""
        frames = [(0, sent(0, with_it)), (1, sent(0, without, sport=50001, payload=900, qp=8)), (2, answer(0, with_it)),
                  (3, ack(0, sport=50001)), (4, sent(1, without, sport=50001, payload=900, qp=8)), (5, sent(1, with_it))]
        point = self.point(frames)
        self.assertEqual(sum(f.totals()[2] for f in point.flows.values()), 2 * 1000 + 2 * 900)
        one_way = [f for f in frames if f[1][14 + 28] != 0x11][:1]
        self.assertEqual(self.payload(self.point(one_way)), 1010)
        self.assertEqual(self.payload(self.point(one_way, "paper")), 1000)
        self.assertEqual(self.payload(self.point(frames[:1] + frames[2:3], "none")), 1010)

    def test_headers_before_it(self):
        """Behind the RETH of a WRITE, and before the header of selective repeat."""
        told = paper((100, 1, 1, 1))
        sack = bytes(12) + b"\xff" * 8
        point = self.point([(0, sent(0, told, opcode=0x06, before=bytes(16))), (1, answer(0, told, opcode=0xD1, after=sack))])
        self.assertEqual(self.payload(point), 1000)

    def test_short_captures(self):
        """60 bytes hold the number of hops and the first 4 bytes of a record: the payload is known, the records are not."""
        told = paper((100, 1, 1, 1), (100, 1, 1, 1))
        for snaplen, payload in ((60, 2000), (54, 2000)):
            frames = [(0, sent(0, told)), (1, answer(0, told)), (2, sent(1, told))]
            point = self.point(frames, "paper", snaplen=snaplen)
            self.assertEqual(self.payload(point), payload if snaplen == 60 else 2 * 1016)

    def test_echo_of_marks(self):
        point = self.point([(0, sent(0, b"")), (1, answer(0, b"", becn=True)), (2, answer(1, b""))])
        (one,) = point.answers.values()
        self.assertEqual((one.acks, one.echoes), (2, 1))

    def test_damaged_bytes(self):
        """Any bytes give a result."""
        import random
        pick = random.Random(3)
        for _ in range(3000):
            told = bytes(pick.choice((0, 255, pick.randrange(256))) for _ in range(pick.choice((0, 2, 5, 10, 42, 66, 67))))
            frames = [(pick.randrange(10**9), answer(i, told)) for i in range(2)] + [(5, sent(0, told, payload=pick.randrange(9)))]
            point = self.point(frames, pick.choice(pcap_telemetry.FORMS))
            self.assertGreaterEqual(self.payload(point), 0)


def read_frames(path):
    """(ns, bytes) of a capture of ours."""
    with open(path, "rb") as f:
        raw = f.read()
    at, out = 24, []
    while at < len(raw):
        seconds, ns, kept, _ = struct.unpack_from("<IIII", raw, at)
        out.append((seconds * 10**9 + ns, raw[at + 16:at + 16 + kept]))
        at += 16 + kept
    return out


def by_hand(raw, form):
    """Read a frame by hand as tshark should show it: (form, hops, [(rate, time, sent, queue)], delay, exponent); None without telemetry."""
    opcode = raw[42] if raw[12:14] == b"\x08\x00" and raw[36:38] == b"\x12\xb7" else None
    if opcode not in (0, 1, 2, 4, 0x11, 0xD1):
        return None
    answers = opcode in (0x11, 0xD1)
    end = 14 + int.from_bytes(raw[16:18], "big") - 4 - (20 if opcode == 0xD1 else 0)
    inside = raw[54 + 4 * answers:end]
    if form == "delay":
        return (4, inside[4], [], int.from_bytes(inside[:4], "big"), None) if answers else None
    if form == "pint":
        return 3, None, [], None, int.from_bytes(inside[:2], "big")
    word = int.from_bytes(inside[:2], "big")
    hops, rate_bits, queue_bits = (word >> 12, 4, 16) if form == "paper" else (word, 3, 17)
    found = []
    for i in range(hops):
        text = f"{int.from_bytes(inside[2 + 8 * i:10 + 8 * i], 'big'):064b}"
        fields, at = [], 0
        for width in (rate_bits, 24, 20, queue_bits):
            fields.append(int(text[at:at + width], 2))
            at += width
        rate = next(gbps for gbps, code in CODES.items() if code == fields[0]) * 1000
        found.append((rate, fields[1], fields[2] * 128, fields[3] * 80))
    return (1 if form == "paper" else 2), hops, found, None, None


@needs_programs
class OfRuns(RccTest):
    CASES = {"paper": ("hpcc", []), "simulator": ("hpcc", ["--preset=simulator"]), "pint": ("hpcc", ["--preset=pint"]),
             "delay": ("swift", []), "powertcp": ("powertcp", []), "irn": ("hpcc", ["--attr=RdmaNic.Recovery=irn"])}

    def run_incast(self, name):
        cc, more = self.CASES[name]
        subprocess.run(scenario("incast", "--cc=" + cc, "--flows=8", "--rate=40Gbps", "--time=600us", "--start=50us", "--pcap",
                                "--out=" + self.path(name), *more), check=True, timeout=300, stdout=subprocess.DEVNULL)
        with open(self.path(name, "run.json"), encoding="utf-8") as f:
            return json.load(f), read_frames(self.path(name, "receiver.pcap"))

    def shown(self, path, *words):
        fields = ["form", "hops", "rate", "time", "sent", "queue", "remote", "exponent"]
        done = subprocess.run([TSHARK, "-n", "-2", "-R", "frame", "-X", "lua_script:" + LUA, *words, "-r", path, "-T", "fields",
                               "-E", "separator=|", "-E", "occurrence=a",
                               *(w for f in fields for w in ("-e", "telemetry." + f)), "-e", "_ws.malformed"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=True)
        self.assertNotIn("Lua", done.stderr)
        return [[[int(n, 0) for n in cell.split(",") if n] for cell in row.split("|")] for row in done.stdout.splitlines()]

    def test_counts_and_bytes(self):
        """The payload is that which the run delivered; tshark shows every field as the bits of the frame have it."""
        for name in self.CASES:
            with self.subTest(name):
                run, frames = self.run_incast(name)
                form = name if name in ("simulator", "pint", "delay") else "paper"
                done = self.succeed("pcap", self.path(name, "receiver.pcap"), "--no-plots", "--json", "--out=p-" + name)
                (point,) = json.loads(done.stdout)["runs"][0]["points"]
                self.assertEqual(point["payload_bytes"], 1000 * run["packets_delivered"])
                self.assertEqual(point["wire_bytes"], run["bytes_delivered"])
                if TSHARK:
                    shown = self.shown(self.path(name, "receiver.pcap"))
                    self.assertEqual(len(shown), len(frames))
                    for (_, raw), (kind, hops, rate, time, units, queue, remote, exponent, malformed) in zip(frames, shown):
                        want = by_hand(raw, form)
                        got = (kind[0], hops[0] if hops else None, list(zip(rate, time, units, queue)), remote[0] if remote else None,
                               exponent[0] if exponent else None) if kind else None
                        self.assertEqual((got, malformed), (want, []))

    def test_echoes(self):
        """DCTCP's acknowledgements echo as many marks as packets had."""
        self.CASES = {"dctcp": ("dctcp", [])}
        run, _ = self.run_incast("dctcp")
        (point,) = json.loads(self.succeed("pcap", "dctcp/receiver.pcap", "--no-plots", "--json").stdout)["runs"][0]["points"]
        self.assertGreater(run["packets_marked"], 10)
        self.assertEqual(point["ce_echoes"], run["packets_marked"])

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_with_a_given_form(self):
        """Five hops by hand, one way only: a preference says what they are, and what their units are."""
        hops = [(100, 1, 2, 3), (400, 4, 5, 6), (25, 7, 8, 9), (200, (1 << 24) - 1, (1 << 20) - 1, 65535), (50, 0, 0, 0)]
        for form, told, units in (("paper", paper(*hops), 1), ("simulator", simulator(*hops), 1), ("simulator", simulator(*hops), 8)):
            self.put("a.pcap", pcap([(0, sent(0, told))]))
            (row,) = self.shown(self.path("a.pcap"), "-o", "telemetry.form:" + form, "-o", f"telemetry.units:{units}")
            self.assertEqual(list(zip(*row[2:6])), [(r * 1000, t, s * 128 * units, q * 80 * units) for r, t, s, q in hops])


if __name__ == "__main__":
    unittest.main()
