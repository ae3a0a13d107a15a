# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The formats that ./rcc pcap reads, and what it says of files that are none, or no longer whole."""
import gzip
import subprocess
import struct
import sys
import unittest

from pcap_bytes import (ack, block, cnm, cnp, data, enhanced, ethernet, interface, pause, pcap, pfc, roce_ip, roce_ip6,
                        section, tcp)
from support import RCC, RccTest

from command.pcap import pcap_flows, pcap_out, pcap_read
from command.common import RccError

MS = 1_000_000
TIMES = [5 * 10**9 + n for n in (0, 1000, 2_000_000, 2_500_000)]
FRAMES = [(t, data(i)) for i, t in enumerate(TIMES)]


class ReadTest(RccTest):
    def write(self, content, name="a.pcap"):
        return self.put(name, content)

    def records(self, content):
        f = pcap_read.CaptureFile(self.write(content))
        return [(r[0], bytes(f.data[r[1]:r[1] + r[2]]), r[3]) for r in f.records()], f

    def refuses(self, content, fragment):
        path = self.write(content)
        with self.assertRaises(RccError) as caught:
            list(pcap_read.CaptureFile(path).records())
        message = str(caught.exception)
        self.assertIn(fragment, message)
        self.assertTrue(message.startswith(path), message)
        self.assertNotIn("\n", message)
        self.assertEqual(caught.exception.status, 2)

    def point(self, *contents, zero=0, interval=MS, rate=0.0):
        files = [pcap_read.CaptureFile(self.write(c, f"{i}.pcap")) for i, c in enumerate(contents)]
        return pcap_flows.read_point("p", files, None, zero, interval, rate, 4791)


class Formats(ReadTest):
    def test_pcap(self):
        for order in "<>":
            for unit in (1, 1000):
                with self.subTest(order=order, unit=unit):
                    found, f = self.records(pcap([(t + 7, raw) for t, raw in FRAMES], order, unit))
                    self.assertEqual(found, [((t + 7) // unit * unit, raw, len(raw)) for t, raw in FRAMES])
                    self.assertEqual(f.notes, [])

    def test_pcapng(self):
        for order in "<>":
            for resolution, per_s in ((None, 10**6), (6, 10**6), (9, 10**9), (3, 10**3), (0x80 | 30, 1 << 30)):
                with self.subTest(order=order, resolution=resolution):
                    content = section(order) + interface(order, resolution=resolution)
                    units = [t * per_s // 10**9 for t in TIMES]
                    content += b"".join(enhanced(u, raw, order) for u, (_, raw) in zip(units, FRAMES))
                    found, f = self.records(content)
                    self.assertEqual(found, [(u * 10**9 // per_s, raw, len(raw)) for u, (_, raw) in zip(units, FRAMES)])
                    self.assertEqual(f.notes, [])

    def test_pcapng_blocks(self):
        """Two sections of different byte orders, interfaces with names, offsets, old and simple packet blocks, unknown ones."""
        raw = data(0)
        old = block("<", 2, struct.pack("<HHIIII", 1, 0, 0, 5_000_000, len(raw), len(raw)) + raw)
        simple = block("<", 3, struct.pack("<I", len(raw)) + raw)
        content = section("<") + interface("<", name=b"eth0") + interface("<", name=b"eth1", resolution=9, offset=3) + \
            enhanced(7, raw, "<", 0) + block("<", 0x0BAD, b"something") + old + simple + \
            section(">") + interface(">", name=b"eth2") + enhanced(9, raw, ">", 0)
        f = pcap_read.CaptureFile(self.write(content))
        for _ in range(2):  # the second time finds the same
            self.assertEqual([(r[0], r[4]) for r in f.records()], [(7000, 0), (3 * 10**9 + 5_000_000, 1), (9000, 2)])
            self.assertEqual([i.name for i in f.interfaces], ["eth0", "eth1", "eth2"])
        self.assertIn("1 frame without a time", f.notes[0])

    def test_gzip(self):
        plain = pcap(FRAMES)
        found, f = self.records(gzip.compress(plain[:3000]) + gzip.compress(plain[3000:]))
        self.assertEqual([r[0] for r in found], TIMES)
        found, f = self.records(gzip.compress(plain, 0)[:-500])
        self.assertEqual((len(found), len(f.notes)), (3, 1))
        found, f = self.records(gzip.compress(plain)[:-8])  # only its check sum is missing
        self.assertEqual((len(found), len(f.notes)), (4, 1))
        self.refuses(gzip.compress(plain)[:-8] + bytes(8), "damaged gzip data")

    def test_link_types(self):
        ip = roce_ip(1, 2, 1, 7, 3, bytes(1000))
        cases = [(1, data(3)), (101, ip), (12, ip), (228, ip), (113, bytes(14) + b"\x08\x00" + ip),
                 (276, b"\x08\x00" + bytes(18) + ip), (1, data(3, vlan=0x6064)), (1, data(3, tag=4)), (1, data(3, vlan=9, tag=4)),
                 (1, ethernet(1, 2, 0x88A8, struct.pack("!HHHH", 5, 0x8100, 6, 0x0800) + ip)),
                 (1, data(3, options=bytes(8))), (229, roce_ip6(1, 2, 1, 7, 3, bytes(1000))),
                 (1, ethernet(1, 2, 0x86DD, roce_ip6(1, 2, 1, 7, 3, bytes(1000))))]
        for link, raw in cases:
            with self.subTest(link=link, raw=raw[:40].hex()):
                point = self.point(pcap([(0, raw)], link=link))
                (flow,) = point.flows.values()
                tags = 4 * (raw[12:14] in (b"\x81\x00", b"\x22\xe9")) + 4 * (raw[16:18] == b"\x22\xe9") + 8 * (raw[12:14] == b"\x88\xa8")
                headers = (40 if link == 229 or raw[12:14] == b"\x86\xdd" else 28 if b"\x47\x02" in raw[:16] else 20)
                self.assertEqual(flow.totals(), [1, 14 + tags + headers + 8 + 12 + 1000 + 4 + 4, 1000, 1, 0, 0])
                self.assertEqual((flow.qp, flow.next), (7, 4))
        self.refuses(pcap(FRAMES, link=105), "link type: found 105, expected 1 (Ethernet)")

    def test_payload_of_every_opcode(self):
        """RDMA WRITE, immediate data, READ and its answer, datagrams: headers do not count as payload, pad bytes neither."""
        for opcode, extra in ((0x00, 0), (0x03, 4), (0x05, 4), (0x06, 16), (0x0A, 16), (0x0B, 20), (0x0D, 4), (0x0E, 0), (0x10, 4),
                              (0x16, 4), (0x26, 16), (0x64, 8), (0xA0, 4), (0xA6, 20)):
            with self.subTest(f"{opcode:#x}"):
                point = self.point(pcap([(0, data(0, opcode=opcode, payload=extra + 500)), (9, data(1, opcode=opcode, payload=extra + 4,
                                                                                                  pad=3))]))
                (flow,) = point.flows.values()
                self.assertEqual(flow.totals()[2], 501)

    def test_short_frames_count_whole(self):
        """tcpdump -s 60: lengths are those of the IP header."""
        frames = [(i, data(i)) for i in range(5)] + [(9, ack(4)), (10, cnp(period=55000)), (11, pfc({3: 9})), (12, tcp())]
        whole, cut = self.point(pcap(frames)), self.point(pcap(frames, snaplen=60))
        for point in (whole, cut):
            (flow,) = point.flows.values()
            self.assertEqual(flow.totals(), [5, 5 * 1062, 5000, 5, 0, 0])
            self.assertEqual([(a.acks, a.cnps, a.flow) for a in point.answers.values()], [(1, 1, flow)])
            self.assertEqual(point.cnps[0][3], 55000)
            self.assertEqual((point.control, point.others, point.other_bytes, point.short), (1, 1, 1518, 0))
        tagged = self.point(pcap([(i, data(i, vlan=5, tag=9)) for i in range(5)], snaplen=60))
        (flow,) = tagged.flows.values()
        self.assertEqual((flow.totals()[1], tagged.short), (5 * 1070, 5))  # the PSN is gone, the length is not
        self.assertEqual(self.point(pcap(frames, snaplen=30)).short, 9)      # the protocol of the others is cut off

    def test_a_syndrome_that_is_not_there_is_no_ack(self):
        """Cut behind the BTH, at 54 bytes without tags, an acknowledgement may be an ACK, a NAK or an RNR NAK."""
        frames = [(0, data(0)), (1, ack(0)), (2, ack(1, syndrome=0x60)), (3, ack(1, syndrome=0x20)), (4, cnp())]
        for snaplen, counts, short in ((55, (1, 1, 1), 0), (54, (0, 0, 0), 3), (52, (0, 0, 0), 5)):
            with self.subTest(snaplen):
                point = self.point(pcap(frames, snaplen=snaplen))
                found = list(point.answers.values())
                self.assertEqual(tuple(sum(getattr(one, key) for one in found) for key in ("acks", "naks", "rnrs")), counts)
                self.assertEqual((sum(one.cnps for one in found), point.short), (1, short))
                self.assertEqual(sum(slot["acks"] + slot["naks"] + slot["rnrs"] for slot in point.slots.values()), sum(counts))
        done = self.rcc("pcap", self.write(pcap(frames, snaplen=54)), "--no-plots")
        self.assertEqual(done.returncode, 0)
        self.assertIn("3 frames are cut too short for all of their headers", done.stderr)

    def test_files_of_one_point_are_merged_by_time(self):
        even, odd = [f for i, f in enumerate(FRAMES) if i % 2 == 0], [f for i, f in enumerate(FRAMES) if i % 2]
        point = self.point(pcap(odd), pcap(even, ">", 1000))
        (flow,) = point.flows.values()
        self.assertEqual((flow.gaps, flow.gobacks, flow.totals()[0], flow.first, flow.last), (0, 0, 4, TIMES[0], TIMES[3]))
        self.assertEqual(point.backwards, 0)


class Counting(ReadTest):
    def test_go_back_n(self):
        def count(*psns):
            (flow,) = self.point(pcap([(i, data(p & 0xFFFFFF)) for i, p in enumerate(psns)])).flows.values()
            return flow.gobacks, flow.totals()[5], flow.gaps, flow.missing
        self.assertEqual(count(0, 1, 2, 3), (0, 0, 0, 0))
        self.assertEqual(count(0, 1, 4, 5, 2, 3, 4, 5, 6), (1, 4, 1, 2))
        self.assertEqual(count(0, 1, 2, 0, 1, 2, 1, 2, 3), (2, 5, 0, 0))
        self.assertEqual(count(0xFFFFFE, 0xFFFFFF, 0, 1), (0, 0, 0, 0))                 # wraps
        self.assertEqual(count(0xFFFFFE, 1, 0xFFFFFF, 0, 1, 2), (1, 3, 1, 2))
        self.assertEqual(count(100, 101), (0, 0, 0, 0))                                 # the capture begins within a flow

    def test_reads_take_psns(self):
        frames = [data(0), data(1, opcode=0x0C, payload=16), data(9), data(10)]
        (flow,) = self.point(pcap(list(enumerate(frames)))).flows.values()
        self.assertEqual((flow.gaps, flow.totals()[0]), (0, 3))
        answers = [data(1, opcode=0x0D), data(2, opcode=0x0F), data(9, opcode=0x10), data(12, opcode=0x0D), data(14, opcode=0x0F)]
        (flow,) = self.point(pcap(list(enumerate(answers)))).flows.values()
        self.assertEqual((flow.gaps, flow.missing), (1, 1))

    def test_intervals_begin_at_zero(self):
        times = [10 * MS + t for t in (-1, 0, MS - 1, MS, 3 * MS)]
        point = self.point(pcap([(t, data(i)) for i, t in enumerate(times)]), zero=10 * MS)
        (flow,) = point.flows.values()
        self.assertEqual({s: n[0] for s, n in flow.slots.items()}, {-1: 1, 0: 2, 1: 1, 3: 1})

    def test_ecn(self):
        (flow,) = self.point(pcap([(i, data(i, ecn=e)) for i, e in enumerate((0, 1, 2, 3, 3))])).flows.values()
        self.assertEqual(flow.totals()[3:5], [4, 2])

    def test_whose_answers(self):
        """An answer belongs to the only flow, to that of its source port or of the PSNs that it acknowledges, or to none."""
        two = [(0, data(5, qp=7, sport=1, ask=True)), (1, data(900, qp=8, sport=1, ask=True))]
        (one,) = self.point(pcap(two[:1] + [(5, ack(77, sport=3))])).answers.values()
        self.assertEqual(one.flow.qp, 7)
        (one,) = self.point(pcap([two[0], (1, data(5, qp=8, sport=2)), (5, cnp(sport=2))])).answers.values()
        self.assertEqual(one.flow.qp, 8)
        found = self.point(pcap(two + [(5, ack(5, qp=90, sport=1)), (6, ack(900, qp=91, sport=1)), (7, cnp(qp=91, sport=1)),
                                       (8, cnp(qp=92, sport=1))])).answers
        self.assertEqual({a.qp: a.flow and a.flow.qp for a in found.values()}, {90: 7, 91: 8, 92: None})

    def test_naks(self):
        frames = [ack(1), ack(2, syndrome=0x60), ack(3, syndrome=0x63), ack(4, syndrome=0x2A)]
        (one,) = self.point(pcap(list(enumerate(frames)))).answers.values()
        self.assertEqual((one.acks, one.naks, one.rnrs), (1, 2, 1))

    def test_cnp_spacing(self):
        point = self.point(pcap([(100, cnp(qp=1)), (150, cnp(qp=2)), (400, cnp(qp=1)), (450, cnp(qp=2)), (1000, cnp(qp=1))]))
        self.assertEqual([c[2] for c in point.cnps], [None, None, 300, 300, 600])

    def test_pauses(self):
        frames = [(0, pfc({3: 100})), (10, pfc({3: 100})), (30, pfc({3: 0})),                 # refreshed, resumed
                  (100, pfc({3: 100, 4: 50})), (150, pfc({3: 0})), (180, pfc({4: 0})),        # two classes
                  (200, pfc({3: 7}, src=8)), (230, pause(9)), (250, pause(0)), (400, data(0))]
        point = self.point(pcap(frames))
        found = {(x.mac[-2:], x.cls): (x.frames, x.resumes, x.periods) for x in point.pauses.values()}
        self.assertEqual(found, {
            ("09", 3): (3, 2, [(0, 30, 2, "resumed"), (100, 150, 1, "resumed")]),
            ("09", 4): (1, 1, [(100, 180, 1, "resumed")]),
            ("08", 3): (1, 0, [(200, 400, 1, "capture ends")]),
            ("09", pcap_flows.LINK): (1, 1, [(230, 250, 1, "resumed")])})
        # 10 quanta of 512 bits are 128 ns at 40 Gb/s
        point = self.point(pcap([(0, pfc({3: 10})), (100, pfc({3: 10})), (5000, pfc({3: 10})), (5050, pfc({3: 0})),
                                 (6000, pfc({3: 10})), (9000, data(0))]), rate=40e9)
        (one,) = point.pauses.values()
        self.assertEqual(one.periods, [(0, 228, 2, "expired"), (5000, 5050, 1, "resumed"), (6000, 6128, 1, "expired")])

    def test_paused_share_is_of_any_class(self):
        """Time in which two classes are paused counts once, and a pause that is longer than an interval fills it."""
        frames = [(100, pfc({3: 9})), (200, pfc({4: 9})), (300, pfc({3: 0})), (450, pfc({4: 0})), (900, pfc({3: 9})), (2500, pfc({3: 0}))]
        self.assertEqual(pcap_out.paused_shares(self.point(pcap(frames), interval=1000)), {0: 0.45, 1: 1.0, 2: 0.5})

    def test_what_else_there_is(self):
        fragment = bytearray(data(0))
        fragment[20:22] = b"\x00\x10"
        point = self.point(pcap([(0, cnm()), (1, tcp()), (2, bytes(fragment)), (3, ethernet(1, 2, 0x0806, bytes(28))),
                                 (4, ethernet(1, 2, 0x8808, struct.pack("!HH", 0x55, 1)))]))
        self.assertEqual((point.cnms, point.others, point.roce, point.control), (1, 4, 0, 0))
        short = bytearray(data(0, payload=0))
        short[16:18] = struct.pack("!H", 43)  # an IP length without space for the ICRC
        self.assertEqual(self.point(pcap([(0, bytes(short))])).odd, 1)

    def test_frames_out_of_order(self):
        point = self.point(pcap([(MS, data(0)), (5, data(1)), (2 * MS, data(2))]))
        (flow,) = point.flows.values()
        self.assertEqual((point.backwards, {s: n[0] for s, n in flow.slots.items()}), (1, {1: 1, 0: 1, 2: 1}))


class Broken(ReadTest):
    def test_no_captures(self):
        for content, fragment in (
                (b"", "empty: found 0 bytes"), (b"\xd4\xc3", "file: found 2 bytes, expected a pcap or pcapng capture"),
                (b"hello, this is text", "byte 0: magic number: found 68656c6c, expected that of a pcap or pcapng capture"),
                (b"PK\x03\x04zip", "504b0304 (a zip archive)"),
                (b"\xd4\xc3\xb2\xa1" + struct.pack("<HH", 1, 9) + bytes(16), "byte 4: version: found 1.9, expected 2.4"),
                (pcap([])[:20], "cut off within the header")):
            self.refuses(content, fragment)

    def test_absurd_numbers(self):
        good = pcap(FRAMES)
        for offset, value, fragment in ((32, 0xFFFFFFF0, "frame 1, length: found 4294967280, expected at most"),
                                        (36, 0x7FFFFFFF, "frame 1, length"), (28, 10**9, "fraction of its second: found 1000000000")):
            self.refuses(good[:offset] + struct.pack("<I", value) + good[offset + 4:], fragment)
        packet = enhanced(1, data(0))
        head = section() + interface()
        for content, fragment in (
                (head + packet[:4] + struct.pack("<I", 7) + packet[8:], "length of a block of type 6: found 7"),
                (head + packet[:-4] + b"\0\0\0\0", "second length of a block: found 0"),
                (head + packet[:20] + struct.pack("<I", 99999) + packet[24:], "frame 1, length: found 99999"),
                (head + enhanced(1, data(0), number=3), "interface of frame 1: found 3"),
                (section() + packet, "interface of frame 1: found 0"),
                (section()[:8] + b"\1\2\3\4" + section()[12:], "byte-order magic of a section: found 01020304"),
                (section() + interface(link=105), "link type: found 105"),
                (section() + interface(resolution=127), "resolution of times"),
                (section() + block("<", 1, struct.pack("<HHI", 1, 0, 0) + struct.pack("<HH", 2, 400) + b"eth0"), "length of option 2"),
                (section() + block("<", 1, b"\1\0\0\0") + packet, "length of an interface block: found 16")):
            self.refuses(content, fragment)

    def test_cut_at_every_byte(self):
        """Frames before the cut count and the cut is named; with no whole frame before it, it is an error."""
        ng = section() + interface(resolution=9) + b"".join(enhanced(t, raw[:60]) for t, raw in FRAMES)
        classic = pcap([(t, raw[:60]) for t, raw in FRAMES])
        for content, first, step in ((classic, 24, 76), (ng, len(section() + interface(resolution=9)), 92)):
            for size in range(1, len(content)):
                path = self.write(content[:size])
                whole = max(0, (size - first) // step)
                clean = size >= first and (size - first) % step == 0
                try:
                    f = pcap_read.CaptureFile(path)
                    found = [r[0] for r in f.records()]
                except RccError as error:
                    self.assertEqual(whole, 0, (size, str(error)))
                    self.assertFalse("\n" in str(error))
                    continue
                self.assertEqual(found, TIMES[:whole], size)
                if content is ng and size == len(section()):
                    continue  # a section without interfaces is whole
                self.assertEqual(len(f.notes), 0 if clean else 1, (size, f.notes))

    def test_noise(self):
        """Damaged bytes anywhere give a result or one line, never a traceback."""
        import random
        pick = random.Random(1)
        frames = [(0, data(0, vlan=5)), (5, ack(0)), (9, cnp()), (12, pfc({3: 9})), (15, cnm()), (20, tcp(size=60)), (25, pause(5))]
        ng = section() + interface(name=b"eth0", resolution=9) + b"".join(enhanced(t, raw[:70]) for t, raw in frames)
        for content in (pcap([(t, raw[:70]) for t, raw in frames]), ng):
            for _ in range(1500):
                bad = bytearray(content)
                for _ in range(pick.randrange(1, 6)):
                    bad[pick.randrange(len(bad))] = pick.choice((0, 1, 0x45, 0x7F, 0x80, 0xFF, pick.randrange(256)))
                try:
                    self.point(bytes(bad), rate=1e9)
                except RccError as error:
                    self.assertNotIn("\n", str(error))


class Command(ReadTest):
    def test_refused(self):
        good = self.write(pcap(FRAMES), "good.pcap")
        other = self.write(pcap([(0, tcp()), (9, tcp())]), "tcp.pcap")
        cases = [([self.write(b"", "empty")], "empty: found 0 bytes"), ([self.path("none.pcap")], "No such file"),
                 ([self.scratch], "found a folder"), ([self.write(pcap([]), "none")], "no frames"),
                 ([other], "found no RoCEv2 packet (UDP port 4791), CNM or pause among 2 frames"),
                 ([good, "--over", other], "found no RoCEv2"), ([good, good], "given twice"), (["=" + good], "the label before ="),
                 (["x="], "the name of a file is missing"), ([good, "--interval=0.5"], "--interval=0.5: expected a time"),
                 ([good, "--interval=10ns"], "expected at least 1us"), ([good, "--rate=fast"], "--rate=fast"),
                 ([good, "--port=0"], "--port=0: expected 1 to 65535"), ([good, "--align=clock"], "unknown align 'clock'"),
                 ([good, "--names=a,b"], "expected 1 different names"), ([good, "--out="], "a folder's name is missing"),
                 ([good, "--out=" + good], "cannot write there"),
                 ([self.write(pcap(FRAMES, snaplen=20), "cut")], "cut too short to tell: capture at least 60 bytes"),
                 ([self.write(pcap(FRAMES[:1] + [(10**15, pfc({3: 9}))]), "late")], "give a longer --interval"),
                 ([self.write(pcap([(10**15, data(0)), (5, data(1))]), "early")], "are 1000000 s, 1 G intervals of 1ms"),
                 ([good, "--nope"], "unknown option --nope"), ([], "the following arguments are required: FILE")]
        for args, fragment in cases:
            with self.subTest(args):
                self.assert_refused(self.rcc("pcap", *args, "--no-plots"), fragment)

    def test_a_cut_capture_gives_what_it_has(self):
        done = self.succeed("pcap", self.write(pcap(FRAMES)[:-100]), "--no-plots")
        self.assertRegex(done.stderr, r"^rcc: warning: \S+a\.pcap: cut off within frame 4 at byte \d+ \(found \d+ bytes of 1074\); the 3 "
                                      r"frames before it count\n$")
        self.assertEqual(self.read("out", "pcap", "intervals.csv").splitlines()[1].split(",")[3], "2")

    def test_another_pcap_json_is_kept(self):
        self.put("mine/pcap.json", "[1]")
        self.assert_refused(self.rcc("pcap", self.write(pcap(FRAMES)), "--no-plots", "--out=mine"), "the pcap.json there is not from rcc")
        self.assertEqual(self.read("mine", "pcap.json"), "[1]")

    def test_standard_input(self):
        done = subprocess.run([sys.executable, RCC, "pcap", "-", "--no-plots"], cwd=self.scratch, input=pcap(FRAMES),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"\nstandard input      1        4", done.stdout)


if __name__ == "__main__":
    unittest.main()
