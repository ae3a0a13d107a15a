# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""incast --pcap: its captures against its own results, an independent ICRC and, where it is installed, tshark."""
import collections
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

from support import needs_programs, scenario

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("RCC_BUILD_DIR") or os.path.join(os.path.dirname(os.path.dirname(HERE)), "build")
TSHARK = shutil.which("tshark")

SENDERS = 4
RECEIVER = SENDERS      # node ids: senders, receiver, switch
SWITCH = SENDERS + 1
SMALL = [f"--senders={SENDERS}", "--flows=40", "--time=3ms", "--start=1ms"]
ALGORITHMS = ("dcqcn", "dcqcn-plus", "qcn")
CAPTURES = ("switch-port", "receiver", "sender-0")
SERIES = ("queue.csv", "rate.csv", "flow_rates.csv", "flows.csv")
WALL = {"wall_s", "peak_rss_bytes"}  # the keys that may differ between two runs of one seed

FIRST, MIDDLE, LAST, ONLY, ACK, CNP = 0x00, 0x01, 0x02, 0x04, 0x11, 0x81
DATA = (FIRST, MIDDLE, LAST, ONLY)
CE = 3
HEADER = 24               # bytes of a capture before its first frame

Frame = collections.namedtuple("Frame", "ns raw kind src dst flow_id ip ecn opcode qpn psn body")


def node_of(mac):
    """Node id in a MAC address of a host or switch."""
    assert mac[:2] == b"\x02\x00", mac.hex()
    return int.from_bytes(mac[2:], "big")


def dissect(ns, raw):
    """One frame. kind: roce, pfc or cnm; body: what follows the BTH, the PFC opcode or ethertype 22E7."""
    ethertype, at, flow_id = int.from_bytes(raw[12:14], "big"), 14, None
    if ethertype == 0x8808:
        return Frame(ns, raw, "pfc", node_of(raw[6:12]), raw[:6], None, None, None, None, None, None, raw[14:])
    src, dst = node_of(raw[6:12]), node_of(raw[:6])
    if ethertype == 0x22E9:
        flow_id, ethertype = struct.unpack_from("!HH", raw, 14)
        at = 18
    if ethertype == 0x22E7:
        return Frame(ns, raw, "cnm", src, dst, flow_id, None, None, None, None, None, raw[at:])
    assert ethertype == 0x0800, raw[:20].hex()
    ip = raw[at:]
    bth = ip[28:40]
    return Frame(ns, raw, "roce", src, dst, flow_id, ip, ip[1] & 3, bth[0], int.from_bytes(bth[5:8], "big"),
                 int.from_bytes(bth[9:12], "big"), ip[40:-4])


def read_pcap(path):
    with open(path, "rb") as f:
        data = f.read()
    magic, major, minor, zone, figures, snaplen, link = struct.unpack_from("<IHHiIII", data)
    assert (magic, major, minor, zone, figures, link) == (0xA1B23C4D, 2, 4, 0, 0, 1), data[:24].hex()
    frames, at = [], 24
    while at < len(data):
        seconds, ns, kept, size = struct.unpack_from("<IIII", data, at)
        assert ns < 10**9 and kept == size <= snaplen, (ns, kept, size, snaplen)
        at += 16
        assert at + kept <= len(data), "the last record is cut off"
        frames.append(dissect(seconds * 10**9 + ns, data[at:at + kept]))
        at += kept
    return frames


def icrc(ip):
    """ICRC of an IPv4 packet, as its last four bytes must be, with zlib's CRC-32."""
    masked = bytearray(ip[:-4])
    for i in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, header checksum, UDP checksum, FECN and BECN
        masked[i] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + masked))


@needs_programs
class Pcap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="rcc-pcap-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.runs, cls.frames = {}, {}
        for cc in ALGORITHMS:
            cls.runs[cc] = cls.incast(cc, f"--cc={cc}", *SMALL, "--pcap")
            for name in CAPTURES:
                cls.frames[cc, name] = read_pcap(cls.path(cc, name + ".pcap"))

    @classmethod
    def path(cls, *parts):
        return os.path.join(cls.scratch, *parts)

    @classmethod
    def incast(cls, out, *args):
        subprocess.run(scenario("incast", *args, "--out=" + cls.path(out)), check=True, timeout=300, stdout=subprocess.DEVNULL)
        with open(cls.path(out, "run.json"), encoding="utf-8") as f:
            return json.load(f)

    def data(self, cc, name):
        return [f for f in self.frames[cc, name] if f.kind == "roce" and f.opcode in DATA]

    def check_captures(self, check):
        for (cc, name), frames in self.frames.items():
            with self.subTest(cc=cc, capture=name):
                check(cc, name, frames)

    def test_pcap_needs_out(self):
        done = subprocess.run(scenario("incast", "--pcap"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "rcc: error: --pcap needs --out\n"))

    def test_a_capture_changes_nothing(self):
        for cc in ALGORITHMS:
            with self.subTest(cc):
                plain = self.incast("plain", f"--cc={cc}", *SMALL)
                self.assertEqual({k: v for k, v in plain.items() if k not in WALL},
                                 {k: v for k, v in self.runs[cc].items() if k not in WALL})
                for name in SERIES:
                    with open(self.path("plain", name), "rb") as one, open(self.path(cc, name), "rb") as two:
                        self.assertEqual(one.read(), two.read(), name)

    def test_frames_are_in_order_of_time(self):
        def check(_cc, _name, frames):
            self.assertGreater(len(frames), 100)
            self.assertTrue(all(a.ns <= b.ns for a, b in zip(frames, frames[1:])))
            self.assertLessEqual(frames[-1].ns, 3_000_000)

        self.check_captures(check)

    def test_counts_are_those_of_the_run(self):
        for cc, run in self.runs.items():
            with self.subTest(cc):
                self.assertEqual(run["packets_dropped"], 0)
                seen = self.frames[cc, "receiver"]
                self.assertEqual(len(self.data(cc, "receiver")), run["packets_delivered"])
                self.assertEqual(sum(len(f.raw) + 4 for f in self.data(cc, "receiver")), run["bytes_delivered"])
                self.assertEqual(sum(f.ecn == CE for f in self.data(cc, "receiver")), run["packets_marked"])
                self.assertEqual(sum(f.opcode == CNP for f in seen), run["cnps"])
                self.assertEqual(sum(f.kind == "cnm" for f in seen), 0)
                self.assertLessEqual(sum(f.kind == "cnm" for f in self.frames[cc, "sender-0"]), run["cnms"])
                # the switch's port is the other end of the receiver's link, a microsecond away
                away = len(self.data(cc, "switch-port")) - len(self.data(cc, "receiver"))
                self.assertGreaterEqual(away, 0)
                self.assertLess(away, 10)

    def test_marks(self):
        for cc in ALGORITHMS:
            with self.subTest(cc):
                share = collections.Counter(f.ecn for f in self.data(cc, "receiver"))
                at_sender = collections.Counter(f.ecn for f in self.data(cc, "sender-0"))
                if cc == "qcn":
                    self.assertEqual(set(share), {0})
                else:
                    self.assertEqual(set(share), {2, CE})
                    self.assertGreater(share[CE], 10)
                    self.assertGreater(share[2], 10)
                    self.assertEqual(set(at_sender), {2}, "only the switch marks")

    def test_psn_and_opcode(self):
        def check(cc, name, frames):
            following = collections.Counter()
            for f in self.data(cc, name):
                flow = f.src, f.dst, f.qpn
                self.assertEqual(f.psn, following[flow], flow)
                self.assertEqual(f.opcode, MIDDLE if f.psn else FIRST)  # flows without end
                following[flow] += 1
            self.assertEqual(len(following), 40 // SENDERS if name == "sender-0" else 40)

        self.check_captures(check)

    def test_acknowledgements_follow_data(self):
        for cc in ALGORITHMS:
            with self.subTest(cc):
                received, acknowledged = set(), 0
                asked = set()
                for f in self.frames[cc, "receiver"]:
                    if f.kind == "roce" and f.opcode in DATA:
                        received.add((f.src, f.psn))
                        if f.ip[28 + 8] & 0x80:
                            asked.add((f.src, f.psn))
                    elif f.kind == "roce" and f.opcode == ACK:
                        acknowledged += 1
                        self.assertIn((f.dst, f.psn), received)
                        self.assertIn((f.dst, f.psn), asked)
                        self.assertEqual(f.body, b"\x1f\0\0\0")
                self.assertGreater(acknowledged, 40)

    def test_icrc(self):
        def check(_cc, _name, frames):
            roce = [f for f in frames if f.kind == "roce"]
            some = roce[::max(1, len(roce) // 300)] + [f for f in roce if f.opcode in (ACK, CNP)][:200]
            for f in some:
                self.assertEqual(f.ip[-4:].hex(), icrc(f.ip).hex(), f)

        self.check_captures(check)

    def test_cnp_period(self):
        for cc in ("dcqcn", "dcqcn-plus"):
            with self.subTest(cc):
                cnps = [f for f in self.frames[cc, "receiver"] if f.opcode == CNP]
                self.assertGreater(len(cnps), 10)
                for f in cnps:
                    self.assertEqual((f.src, f.psn, f.ip[32]), (RECEIVER, 0, 0x40))
                    self.assertEqual(f.body[4:], bytes(12))
                    period = int.from_bytes(f.body[:4], "big")
                    if cc == "dcqcn":
                        self.assertEqual(period, 0)
                    else:
                        self.assertTrue(1_000 <= period <= 10_000_000, period)

    def test_pfc(self):
        pauses = []

        def check(cc, _name, frames):
            for f in (f for f in frames if f.kind == "pfc"):
                self.assertEqual((f.src, f.dst.hex(), len(f.raw)), (SWITCH, "0180c2000001", 60))
                opcode, vector, *quanta = struct.unpack("!HH8H", f.body[:20])
                self.assertEqual((opcode, vector), (0x0101, 1 << 3))
                self.assertIn(quanta[3], (0, 65535))
                self.assertEqual(quanta[:3] + quanta[4:], [0] * 7)
                self.assertEqual(f.body[20:], bytes(26))
                pauses.append(quanta[3])
            self.assertLessEqual(sum(f.kind == "pfc" and any(f.body[4:20]) for f in frames),
                                 self.runs[cc]["pfc"]["pauses"])

        self.check_captures(check)
        self.assertGreater(sum(pauses), 0, "this run was meant to have some")

    def test_cnm(self):
        sent = {f.flow_id for f in self.data("qcn", "sender-0")}
        self.assertEqual(sent, set(range(40 // SENDERS)))
        cnms = [f for f in self.frames["qcn", "sender-0"] if f.kind == "cnm"]
        self.assertGreater(len(cnms), 10)
        for f in cnms:
            head, cpid, offset, _, priority, mac, length = struct.unpack("!H8shhH6sH", f.body[:24])
            self.assertTrue(1 <= head <= 63, head)
            self.assertEqual((f.src, f.dst, len(f.raw)), (RECEIVER, 0, 60))
            self.assertIn(f.flow_id, sent)
            self.assertGreater(offset, -1000)
            self.assertEqual((cpid, priority, node_of(mac), length), (bytes(8), 0, RECEIVER, 0))

    def test_messages(self):
        for size, opcodes, last in ((1000, [ONLY], 1000), (2500, [FIRST, MIDDLE, LAST], 500)):
            with self.subTest(size):
                run = self.incast(f"size{size}", "--cc=dcqcn", *SMALL, f"--size={size}", "--pcap")
                self.assertEqual(run["fct"]["count"], 40)
                flows = collections.defaultdict(list)
                for f in read_pcap(self.path(f"size{size}", "receiver.pcap")):
                    if f.opcode in DATA:
                        flows[f.src, f.qpn].append(f)
                self.assertEqual(len(flows), 40)
                for frames in flows.values():
                    self.assertEqual([f.opcode for f in frames], opcodes)
                    self.assertEqual(len(frames[-1].body), last)
                    self.assertTrue(frames[-1].ip[36] & 0x80, "the last packet asks for an acknowledgement")

    # ---------------------------------------------------------------- tshark

    def tshark(self, captures, *args):
        """Return the output of tshark for captures that are joined in one file, as its start takes a fifth of a second."""
        together = self.path("together.pcap")
        with open(together, "wb") as out:
            for i, (cc, name) in enumerate(captures):
                with open(self.path(cc, name + ".pcap"), "rb") as f:
                    out.write(f.read()[HEADER if i else 0:])
        command = [TSHARK, "-n", "-o", "ip.check_checksum:TRUE", "-r", together, *args]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_finds_nothing_wrong(self):
        wrong = "_ws.malformed || _ws.short || _ws.expert.severity >= 4194304 || ip.checksum.status == 0"
        self.assertEqual(self.tshark(self.frames, "-Y", wrong), [])

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_sees_the_same(self):
        # QCN's frames have a CN-TAG, which tshark does not look behind.
        fields = ["frame.time_epoch", "eth.src", "ip.dsfield.ecn", "infiniband.bth.opcode", "infiniband.bth.destqp",
                  "infiniband.bth.psn", "infiniband.bth.a", "infiniband.aeth.syndrome", "infiniband.invariant.crc",
                  "macc.opcode", "macc.cbfc.enbv", "macc.cbfc.pause_time.c3"]

        arguments = [word for field in fields for word in ("-e", field)]
        shown = self.tshark([key for key in self.frames if key[0] != "qcn"], "-T", "fields", "-E", "separator=,", *arguments)
        self.assertEqual(len(shown), sum(len(frames) for (cc, _), frames in self.frames.items() if cc != "qcn"))
        rows = iter(shown)

        def check(cc, name, frames):
            if cc == "qcn":
                return
            counts = collections.Counter()
            for f, row in zip(frames, rows):
                at, _, ecn, opcode, qpn, psn, a, syndrome, crc, macc, vector, quanta = row.split(",")
                seconds, fraction = at.split(".")
                self.assertEqual(int(seconds) * 10**9 + int(fraction.ljust(9, "0")), f.ns)
                if f.kind == "pfc":
                    self.assertEqual((int(macc, 0), int(vector, 0), int(quanta, 0)),
                                     (0x0101, 8, int.from_bytes(f.body[10:12], "big")))
                    continue
                counts[int(opcode, 0)] += 1
                self.assertEqual((int(ecn, 0), int(opcode, 0), int(qpn, 0), int(psn, 0)),
                                 (f.ecn, f.opcode, f.qpn, f.psn))
                self.assertEqual(int(a, 0) if a not in ("True", "False") else a == "True", f.ip[36] >> 7)
                if f.opcode != CNP:
                    self.assertEqual(int(crc, 0), int.from_bytes(f.ip[-4:], "big"))
                if f.opcode == ACK:
                    self.assertEqual(int(syndrome, 0), 0x1F)
            self.assertEqual(set(counts), {FIRST, MIDDLE, ACK, CNP})
            if name == "receiver":
                self.assertEqual(counts[CNP], self.runs[cc]["cnps"])

        self.check_captures(check)

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_and_qcn(self):
        ethertypes = collections.Counter(self.tshark([("qcn", "sender-0")], "-T", "fields", "-e", "eth.type"))
        frames = self.frames["qcn", "sender-0"]
        tagged = sum(f.flow_id is not None for f in frames)
        self.assertEqual({int(k, 0): n for k, n in ethertypes.items() if int(k, 0) == 0x22E9}, {0x22E9: tagged})


if __name__ == "__main__":
    unittest.main()
