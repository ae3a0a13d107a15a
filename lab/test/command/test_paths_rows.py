# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Loss and many paths: the closed forms of lab/evidence/published/paths.py against models of their own, and the files that rows name."""
import csv
import json
import os
import random
import struct
import unittest

from support import ROOT, RccTest, needs_programs

from evidence.published import sets as published
from evidence.reproduce.reproduce import placed
from evidence.published import paths, paths_fabric


def go_back(p: float, wait: int, packets: int) -> float:
    """Simulate go-back-N and return the share of sent packets that are delivered; the NAK arrives `wait` packets later."""
    draw = random.Random(1)
    wanted, following, sent, heard = 0, 0, 0, {}
    while wanted < packets:
        if sent in heard:                       # the NAK for what was lost `wait` packets before
            following = heard.pop(sent)
        arrives = draw.random() >= p
        if following == wanted and arrives:
            wanted += 1
        elif following == wanted:
            heard[sent + wait] = wanted         # the packet behind it, or one after it, is answered with a NAK
        following += 1
        sent += 1
    return packets / sent


class ClosedForms(unittest.TestCase):
    def test_go_back_n(self):
        """The formula against a model of two counters."""
        for p in (1e-3, 1e-2, 0.1):
            self.assertAlmostEqual(go_back(p, paths.go_back_packets(), 100000) / paths.go_back_share(p), 1, delta=0.03, msg=str(p))

    def test_packets_in_vain(self):
        """By hand: 84.96 ns a packet, 5.12 ns a NAK, four links of 2 us: 8.265 us are 97.3 packets."""
        self.assertEqual(paths.go_back_packets(), 98)


class Files(unittest.TestCase):
    def test_are_there(self):
        named = set()
        for figure in published.PATHS:
            for one in figure.runs.values():
                for word in map(placed, one.words):
                    if "lab/evidence/published/" in word:
                        path = word.partition("=")[2]
                        path = path if os.path.exists(path) else path.rpartition(":")[0]
                        self.assertTrue(os.path.isfile(path), word)
                        named.add(os.path.basename(path))
        folder = os.path.join(ROOT, "lab", "evidence", "published")
        self.assertEqual(named, {name for name in os.listdir(folder) if name.endswith(".txt")})

    def test_loss_rates(self):
        for name, rate in paths.RATES.items():
            with open(os.path.join(ROOT, "lab", "evidence", "published", f"lose-{name}.txt"), encoding="utf-8") as f:
                self.assertIn(f" p={rate:.5f}".rstrip("0") + " ", f.read())

    def test_frames_of_a_capture(self):
        """A frame of data counts with its check sequence, an ACK does not."""
        def frame(opcode: int, dscp: int, total: int, kept: int, whole: int) -> bytes:
            head = bytearray(60)
            head[12:14], head[15], head[23], head[42] = b"\x08\x00", dscp << 2, 17, opcode
            head[16:18] = struct.pack(">H", total)
            return struct.pack("<IIII", 0, 0, kept, whole) + bytes(head[:kept])

        class Place:
            def place(self, key: str, seed: int) -> str:
                return os.path.join(self.folder, key)
        here = Place()
        here.folder = os.environ.get("TMPDIR", "/tmp")
        os.makedirs(here.place("rcc-frames", 1), exist_ok=True)
        path = os.path.join(here.place("rcc-frames", 1), "node-3-port-0.pcap")
        with open(path, "wb") as f:
            f.write(bytes(24) + frame(1, 48, 1482, 60, 252) + frame(17, 56, 48, 60, 62) + frame(0, 0, 1482, 60, 1496))
        try:
            self.assertEqual(paths_fabric.frames(here, "rcc-frames"),
                             [paths_fabric.Seen(256, 1482, 48), paths_fabric.Seen(1500, 1482, 0)])
        finally:
            os.unlink(path)
            os.rmdir(here.place("rcc-frames", 1))


@needs_programs
class Rows(RccTest):
    def test_an_idle_flow(self):
        """Over two, four and six hops: what idle_time says is what the flow takes."""
        for receiver, hops in (("h1", 2), ("h4", 4), ("h53", 6)):
            for size in (300, 1000, 2500, 40000):
                self.succeed("run", "testbed", "--cc=none", paths.FAT_TREE, f"--flows=h0-{receiver}:size={size}", "--rate=40Gbps",
                             "--delay=2us", "--mtu=1000", "--ack-every=1", "--time=1ms", "--no-plots", "--quiet", "--out=one")
                with open(self.path("one", "none", "flows.csv"), encoding="utf-8", newline="") as f:
                    row = next(csv.DictReader(f))
                self.assertAlmostEqual(float(row["fct_s"]) / paths.idle_time(size, hops), 1, delta=0.001, msg=f"{receiver} {size}")
                a, b = int(row["src"]), int(row["dst"])
                self.assertEqual(2 if a // 4 == b // 4 else 4 if a // 12 == b // 12 else 6, hops)

    def test_files_are_found_from_any_folder(self):
        """A row that loses packets: its file is named from the root of the tree, and this is another folder."""
        self.succeed("reproduce", "loss-sr-1e-3", "--no-plots", "--out=out")
        row = json.loads(self.read("out", "published.json"))["rows"][0]
        self.assertFalse(row.get("missing"), row)
        self.assertIn("--faults=lab/evidence/published/lose-1e-3.txt", row["commands"][0])
        self.assertTrue(row["inside"], row)


if __name__ == "__main__":
    unittest.main()
