# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Captures of every kind of frame, read by two others: tshark with lab/tools/rcc.lua, and a dissector of this file's own that
checks the ICRC with zlib. Both must agree with each other and with what the run counted."""
import collections
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from support import ROOT, needs_programs, program, scenario

LUA = os.path.join(ROOT, "lab", "tools", "rcc.lua")
TSHARK = shutil.which("tshark")

SENDERS = 3
RECEIVER, SWITCH = SENDERS, SENDERS + 1
INCAST = ["incast", f"--senders={SENDERS}", "--flows=30", "--rate=10Gbps", "--time=1500us", "--start=200us", "--buffer=600KB",
          "--capture=all"]
LOSSY = ["capacity", "--attr=RdmaNic.Reliable=true", "--rtt=20us", "--time=30ms", "--capacity=0s:0.9Gbps,10ms:0.1Gbps", "--senders=4",
         "--capture=all"]
CASES = {
    "dcqcn": INCAST + ["--cc=dcqcn"],
    "one-packet": INCAST + ["--cc=dcqcn", "--size=1000"],
    "three-packets": INCAST + ["--cc=dcqcn", "--size=2500"],
    "dcqcn-vlan": INCAST + ["--cc=dcqcn", "--attr=QbbNetDevice.VlanId=100", "--attr=RdmaNic.Write=true", "--size=20KB"],
    "dcqcn-plus": INCAST + ["--cc=dcqcn-plus"],
    "dcqcn-plus-vlan": INCAST + ["--cc=dcqcn-plus", "--attr=QbbNetDevice.VlanId=0"],
    "qcn": INCAST + ["--cc=qcn"],
    "qcn-vlan": INCAST + ["--cc=qcn", "--attr=QbbNetDevice.VlanId=4094"],
    "pause": INCAST + ["--cc=dcqcn", "--attr=QbbNetDevice.LinkPause=true", "--attr=RdmaNic.Write=true"],
    "loss": LOSSY,
    "tcp": ["experiment", "--links=h[0-3]-s1", "--tcp=h1-h0", "--flows=h[2-3]-h0", "--rate=1Gbps", "--time=15ms",
            "--attr=QbbNetDevice.VlanId=5,TcpSocketBase.UseEcn=On", "--pcap"],
}
VLAN = {"dcqcn-vlan": 100, "dcqcn-plus-vlan": 0, "qcn-vlan": 4094, "tcp": 5}

ENDLESS = ("dcqcn", "dcqcn-plus", "qcn")     # cases of 30 flows without an end

ACK, CNP, CE, CLASS, CONTROL = 0x11, 0x81, 3, 3, 7
WRITES = {0x06: 16, 0x07: 0, 0x08: 0, 0x0A: 16}     # opcode: bytes of RETH
SENDS = {0x00: 0, 0x01: 0, 0x02: 0, 0x04: 0}
FIELDS = ["frame.time_epoch", "frame.protocols", "eth.src", "vlan.id", "vlan.priority", "ip.dsfield.ecn", "ip.dsfield.dscp",
          "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn", "infiniband.bth.a", "infiniband.reth.dmalen",
          "infiniband.aeth.syndrome", "infiniband.invariant.crc", "macc.opcode", "macc.pause_time", "macc.cbfc.enbv",
          "macc.cbfc.pause_time.c3", "cntag.flow_id", "cnm.qfb", "cnm.qoffset", "cnm.qdelta", "cnm.mac", "cnp.period", "cnp.destqp"]
Frame = collections.namedtuple("Frame", "ns raw src vlan pcp flow_id kind ecn dscp opcode qpn psn ask syndrome length body")


def icrc(ip):
    """InfiniBand 7.8.1 and annex A17.3.2, with zlib: ones for what may change on the way, and for the route header."""
    masked = bytearray(ip[:-4])
    for i in (1, 8, 10, 11, 26, 27, 32):
        masked[i] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + masked))


def dissect(ns, raw):
    kind, at, vlan, pcp, flow_id = int.from_bytes(raw[12:14], "big"), 14, None, None, None
    src = int.from_bytes(raw[8:12], "big")
    if kind == 0x8100:
        tag, kind = struct.unpack_from("!HH", raw, at)
        vlan, pcp, at = tag & 0xFFF, tag >> 13, at + 4
        assert not tag & 0x1000, "drop eligible"
    if kind == 0x22E9:
        flow_id, kind = struct.unpack_from("!HH", raw, at)
        at += 4
    name = {0x8808: "control", 0x22E7: "cnm", 0x0800: "ip", 0x0806: "arp"}[kind]
    empty = [None] * 8
    if name == "ip" and raw[at + 9] == 17 and raw[at + 22:at + 24] == b"\x12\xb7":
        ip = raw[at:at + int.from_bytes(raw[at + 2:at + 4], "big")]
        assert ip[-4:] == icrc(ip), raw.hex()
        opcode, flags, _, qpn, psn = struct.unpack_from("!BBHII", ip, 28)
        assert flags == 0
        body = ip[40:-4]
        length = int.from_bytes(body[12:16], "big") if WRITES.get(opcode) else None
        syndrome = body[0] if opcode == ACK else None
        return Frame(ns, raw, src, vlan, pcp, flow_id, "roce", ip[1] & 3, ip[1] >> 2, opcode, qpn & 0xFFFFFF, psn & 0xFFFFFF,
                     psn >> 31, syndrome, length, body)
    return Frame(ns, raw, src, vlan, pcp, flow_id, name, *empty, raw[at:])


def records(path):
    with open(path, "rb") as f:
        data = f.read()
    assert struct.unpack_from("<IHHiIII", data) == (0xA1B23C4D, 2, 4, 0, 0, 262144, 1), data[:24].hex()
    at, last = 24, 0
    while at < len(data):
        seconds, ns, kept, size = struct.unpack_from("<IIII", data, at)
        now = seconds * 10**9 + ns
        assert ns < 10**9 and kept == size and now >= last, (path, at)
        yield now, data[at:at + 16], data[at + 16:at + 16 + kept]
        at, last = at + 16 + kept, now
    assert at == len(data), path


def number(text):
    return None if text == "" else int(text == "True") if text in ("True", "False") else int(text, 0)


class IcrcVectors(unittest.TestCase):
    def test_packets_of_real_cards(self):
        cnp = bytes.fromhex("45c2003c718c400040119161 0a0011010a001201 0000 12b7 0028 0000 8100ffff4000011800000000"
                            "00000000000000000000000000000000 82fd002a".replace(" ", ""))
        send = bytes.fromhex("4501004004784000 4011b4d5 c0a80007c0a80007 c000 12b7 002c aca2 2460ffff000000d300cf1710"
                             "4630818be28935d90e9a95505401be885e500000 78f353f3".replace(" ", ""))
        for packet in (cnp, send):
            self.assertEqual(icrc(packet).hex(), packet[-4:].hex())


@needs_programs
class Wire(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="rcc-wire-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.runs, cls.frames, cls.all = {}, {}, {}
        running = []
        plain = {f"plain-{case}": [word for word in CASES[case] if word != "--capture=all"] for case in ENDLESS}
        for case, (name, *options) in {**CASES, **plain}.items():
            folder = os.path.join(cls.scratch, case)
            os.mkdir(folder)
            words = [*options, "--out=" + folder]
            made = [sys.executable, program.__file__, name, *words] if name == "experiment" else scenario(name, *words)
            running.append(subprocess.Popen(made, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        for name, process in zip([*CASES, *plain], running):
            error = process.communicate(timeout=300)[1]
            if process.returncode:
                raise AssertionError(f"{name}: {error.decode()}")
            if name in CASES:
                cls.collect(name)

    @classmethod
    def collect(cls, name):
        """The frames of each file, and one file with all of them for tshark."""
        folder = os.path.join(cls.scratch, name)
        if os.path.exists(os.path.join(folder, "run.json")):
            with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
                cls.runs[name] = json.load(f)
        cls.all[name] = []
        paths = sorted(glob.glob(os.path.join(folder, "*.pcap")))
        with open(os.path.join(folder, "all"), "wb") as out:
            with open(paths[0], "rb") as f:
                out.write(f.read(24))
            for path in paths:
                place = os.path.basename(path)[:-5]
                cls.frames[name, place] = found = []
                for ns, head, raw in records(path):
                    out.write(head + raw)
                    found.append(dissect(ns, raw))
                cls.all[name] += found

    def at(self, case, node, port=0):
        return self.frames[case, f"node-{node}-port-{port}"]

    def data(self, case, node):
        return [f for f in self.at(case, node) if f.kind == "roce" and f.opcode not in (ACK, CNP)]

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_sees_the_same(self):
        """Every frame decodes to its end, without an expert's remark, and every field has the value that we see."""
        together = os.path.join(self.scratch, "all")     # tshark's start takes a third of a second
        with open(together, "wb") as out:
            for i, case in enumerate(self.all):
                with open(os.path.join(self.scratch, case, "all"), "rb") as f:
                    out.write(f.read()[24 if i else 0:])
        words = [w for field in FIELDS + ["_ws.malformed", "_ws.expert.severity", "ip.checksum.status"] for w in ("-e", field)]
        done = subprocess.run([TSHARK, "-n", "-X", "lua_script:" + LUA, "-o", "ip.check_checksum:TRUE", "-r", together, "-T", "fields",
                               "-E", "separator=|", "-E", "occurrence=l", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Lua", done.stderr)
        shown = done.stdout.splitlines()
        self.assertEqual(len(shown), sum(map(len, self.all.values())))
        at = 0
        for case, frames in self.all.items():
            rows, at = shown[at:at + len(frames)], at + len(frames)
            with self.subTest(case):
                for row, f in zip(rows, frames):
                    *values, malformed, severity, checksum = row.split("|")
                    self.assertEqual(malformed, "", row)
                    # TCP is ns-3's: tshark may remark on windows and on segments that two files hold
                    self.assertLess(number(severity) or 0, 0x800000 if "tcp" in values[1] else 0x400000, row)
                    self.assertNotEqual(checksum, "0", row)
                    self.agree(case, dict(zip(FIELDS, values)), f)

    def agree(self, case, row, f):
        seconds, fraction = row["frame.time_epoch"].split(".")
        self.assertEqual(int(seconds) * 10**9 + int(fraction.ljust(9, "0")), f.ns)
        protocols = row["frame.protocols"].split(":")
        self.assertEqual(number(row["vlan.id"]), f.vlan, row)
        self.assertEqual(number(row["vlan.priority"]), f.pcp)
        self.assertEqual(number(row["cntag.flow_id"]), f.flow_id)
        if f.kind == "roce":
            self.assertIn("infiniband", protocols)
            seen = [number(row[name]) for name in ("ip.dsfield.ecn", "ip.dsfield.dscp", "infiniband.bth.opcode",
                                                   "infiniband.bth.destqp", "infiniband.bth.psn", "infiniband.bth.a",
                                                   "infiniband.reth.dmalen", "infiniband.aeth.syndrome")]
            self.assertEqual(seen, [f.ecn, f.dscp, f.opcode, f.qpn, f.psn, f.ask, f.length, f.syndrome])
            if f.opcode == CNP:
                self.assertEqual(number(row["cnp.period"]), int.from_bytes(f.body[:4], "big"))
                self.assertEqual(number(row["cnp.destqp"]), f.qpn)
            else:
                self.assertEqual(number(row["infiniband.invariant.crc"]), int.from_bytes(icrc_of(f), "big"))
        elif f.kind == "control":
            opcode, first, *quanta = struct.unpack_from("!HH8H", f.body)
            if case == "pause":
                self.assertEqual([number(row["macc.opcode"]), number(row["macc.pause_time"])], [1, first])
                self.assertEqual(opcode, 1)
            else:
                seen = [number(row[name]) for name in ("macc.opcode", "macc.cbfc.enbv", "macc.cbfc.pause_time.c3")]
                self.assertEqual(seen, [0x0101, 1 << CLASS, quanta[3]])
        elif f.kind == "cnm":
            head, _, offset, delta, _, mac, _ = struct.unpack_from("!H8shhH6sH", f.body)
            self.assertEqual([number(row[name]) for name in ("cnm.qfb", "cnm.qoffset", "cnm.qdelta")], [head & 63, offset, delta])
            self.assertEqual(row["cnm.mac"], ":".join(f"{b:02x}" for b in mac))
            self.assertEqual(protocols[-1], "cnm")
        else:
            self.assertIn(protocols[-1], ("tcp", "arp", "data"))

    def test_tags(self):
        """With --vlan every frame but a pause has a tag, with the class as priority; without, none has."""
        for case, frames in self.all.items():
            with self.subTest(case):
                for f in frames:
                    self.assertEqual(f.vlan, None if f.kind == "control" else VLAN.get(case), f)
                    if f.kind == "roce":
                        cls = CONTROL if f.opcode in (ACK, CNP) else CLASS
                        self.assertEqual(f.dscp, 8 * cls)
                        self.assertIn(f.pcp, (None, cls))
                        self.assertEqual(f.flow_id is None, not (self.runs.get(case, {}).get("cc") == "qcn" and cls == CLASS))
                    self.assertEqual(len(f.raw) if f.kind in ("control", "cnm") else 60, 60)

    def test_tag_counts_on_the_link(self):
        """Frames on a wire follow one another at its rate: none begins before the last bit of the one before."""
        for case in ("dcqcn-vlan", "qcn-vlan", "pause"):
            sent = self.data(case, 0)
            self.assertGreater(len(sent), 100)
            for a, b in zip(sent, sent[1:]):
                self.assertGreaterEqual(b.ns - a.ns, (len(a.raw) + 4) * 8 // 10)

    def test_counts_are_those_of_the_run(self):
        for case, run in self.runs.items():
            if case == "tcp":    # the capture has the watched ports alone
                continue
            with self.subTest(case):
                receiver = {"loss": 4}.get(case, RECEIVER)
                switch = receiver + 1
                data = self.data(case, receiver)
                answers = [f for f in self.at(case, receiver) if f.kind == "roce" and f.opcode == ACK]
                if not run["naks"]:
                    self.assertEqual(len(data), run["packets_delivered"])
                    self.assertEqual(sum(len(f.raw) + 4 for f in data), run["bytes_delivered"])
                    self.assertEqual(len(answers), sum(f.ask for f in data))
                self.assertEqual(sum(f.ecn == CE for f in data), run["packets_marked"])
                self.assertEqual(sum(f.kind == "roce" and f.opcode == CNP for f in self.at(case, receiver)), run["cnps"])
                self.assertEqual(sum(f.syndrome == 0x60 for f in answers), run["naks"])
                sent = [f for p in range(switch) for f in self.frames[case, f"node-{switch}-port-{p}"]]
                self.assertEqual(sum(f.kind == "cnm" for f in sent), run["cnms"])
                pauses = [int.from_bytes(f.body[2:4] if case == "pause" else f.body[10:12], "big") for f in sent if f.kind == "control"]
                self.assertEqual(sum(q > 0 for q in pauses), run["pfc"]["pauses"])
                self.assertEqual(set(pauses) - {0, 65535}, set())
        self.assertGreater(self.runs["loss"]["naks"], 3)
        for case in ("dcqcn", "pause", "qcn"):
            self.assertGreater(self.runs[case]["pfc"]["pauses"], 3, case)
        self.assertGreater(self.runs["qcn-vlan"]["cnms"], 20)
        self.assertGreater(self.runs["dcqcn-plus-vlan"]["cnps"], 5)

    def test_a_capture_changes_nothing(self):
        for case in ENDLESS:
            with self.subTest(case):
                with open(os.path.join(self.scratch, f"plain-{case}", "run.json"), encoding="utf-8") as f:
                    plain = json.load(f)
                aside = {"wall_s", "peak_rss_bytes", "files"}
                self.assertEqual(*({k: v for k, v in run.items() if k not in aside} for run in (plain, self.runs[case])))
                for name in ("queue.csv", "rate.csv", "flow_rates.csv", "flows.csv"):
                    with open(os.path.join(self.scratch, case, name), "rb") as one, \
                            open(os.path.join(self.scratch, f"plain-{case}", name), "rb") as other:
                        self.assertEqual(one.read(), other.read(), name)

    def test_a_flow_without_an_end(self):
        """Each PSN once and in order, an acknowledgement after data that asked for it, marks by the switch alone."""
        for case in ENDLESS:
            with self.subTest(case):
                sent = collections.Counter()
                for f in self.data(case, 0):
                    self.assertEqual((f.psn, f.opcode), (sent[f.qpn], 1 if f.psn else 0))
                    sent[f.qpn] += 1
                self.assertEqual(len(sent), 30 // SENDERS)
                asked, acknowledged = set(), 0
                for f in self.at(case, RECEIVER):
                    if f.kind == "roce" and f.opcode == ACK:
                        acknowledged += 1
                        self.assertIn(f.psn, asked)
                        self.assertEqual(f.body, b"\x1f\0\0\0")
                    elif f.kind == "roce" and f.ask:
                        asked.add(f.psn)
                self.assertGreater(acknowledged, 5)
                marked = {f.ecn for f in self.data(case, RECEIVER)}
                self.assertEqual((marked, {f.ecn for f in self.data(case, 0)}), ({0}, {0}) if case == "qcn" else ({2, CE}, {2}))

    def test_frames_of_control(self):
        """The fields of CNP, PFC and CNM that tshark does not check."""
        periods = {case: {int.from_bytes(f.body[:4], "big") for f in self.all[case] if f.opcode == CNP} for case in ENDLESS[:2]}
        self.assertEqual(periods["dcqcn"], {0})
        self.assertTrue(all(1_000 <= period <= 10_000_000 for period in periods["dcqcn-plus"]), periods)
        for case in ENDLESS:
            for f in self.all[case]:
                if f.opcode == CNP:
                    self.assertEqual((f.src, f.psn, f.raw[46], f.body[4:]), (RECEIVER, 0, 0x40, bytes(12)))
                elif f.kind == "control":
                    opcode, vector, *quanta = struct.unpack_from("!HH8H", f.body)
                    self.assertEqual((f.raw[:6].hex(), opcode, vector, quanta[:3] + quanta[4:], f.body[20:]),
                                     ("0180c2000001", 0x0101, 1 << CLASS, [0] * 7, bytes(26)))
                elif f.kind == "cnm":
                    head, cpid, offset, _, priority, mac, length = struct.unpack_from("!H8shhH6sH", f.body)
                    self.assertIn(head, range(1, 64))
                    self.assertGreater(offset, -1000)
                    self.assertEqual((cpid, priority, int.from_bytes(mac[2:], "big"), length), (bytes(8), 0, RECEIVER, 0))
                    self.assertIn(f.flow_id, {one.flow_id for one in self.data(case, int.from_bytes(f.raw[2:6], "big"))})

    def test_messages(self):
        for case, opcodes, last in (("one-packet", [4], 1000), ("three-packets", [0, 1, 2], 500)):
            flows = collections.defaultdict(list)
            for f in self.data(case, RECEIVER):
                flows[f.src, f.qpn].append(f)
            self.assertEqual((len(flows), self.runs[case]["fct"]["count"]), (30, 30))
            for frames in flows.values():
                self.assertEqual(([f.opcode for f in frames], len(frames[-1].body), frames[-1].ask), (opcodes, last, 1))

    def test_verbs(self):
        for case, frames in self.all.items():
            opcodes = {f.opcode for f in frames if f.kind == "roce"} - {ACK, CNP}
            self.assertLessEqual(opcodes, set(WRITES if case in ("dcqcn-vlan", "pause") else SENDS), case)
        firsts = [f for f in self.all["dcqcn-vlan"] if f.opcode == 0x06]
        self.assertGreater(len(firsts), 29)
        self.assertEqual({f.length for f in firsts}, {20000})
        self.assertEqual({f.length for f in self.all["pause"] if f.opcode == 0x06}, {1 << 31})
        self.assertEqual({len(f.body) for f in firsts}, {1016})
        self.assertEqual(self.runs["dcqcn-vlan"]["fct"]["count"], 30)

    def test_nak_asks_for_what_is_missing(self):
        """A NAK names the first PSN that the receiver did not get, and the sender goes on there."""
        asked = 0
        for sender in range(4):
            sent, due = set(), None
            for f in self.at("loss", sender):
                if f.kind == "roce" and f.syndrome == 0x60:
                    due = f.psn
                    self.assertIn(due, sent)
                elif f.kind == "roce" and f.opcode in SENDS:
                    if due is not None:
                        self.assertEqual(f.psn, due)
                        asked, due = asked + 1, None
                    sent.add(f.psn)
        self.assertGreater(asked, 2)

    def test_tcp_beside_rdma(self):
        frames = self.all["tcp"]
        kinds = collections.Counter(f.kind for f in frames)
        self.assertGreater(kinds["ip"], 100)
        self.assertGreater(kinds["roce"], 100)
        self.assertGreater(kinds["arp"], 0)
        self.assertEqual({f.pcp for f in frames if f.kind == "ip"}, {1})


def icrc_of(f):
    at = 14 + (4 if f.vlan is not None else 0) + (4 if f.flow_id is not None else 0)
    length = int.from_bytes(f.raw[at + 2:at + 4], "big")
    return f.raw[at + length - 4:at + length]


if __name__ == "__main__":
    unittest.main()
