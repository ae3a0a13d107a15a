# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Fabrics that spray and trim: NSCC's permutations in uet-htsim, and SONiC's test plan of packet trimming by name. Bands were fixed before
the first run."""
from __future__ import annotations

import os
import struct
from typing import Callable, NamedTuple

from .figure import Data, Figure, Measured, Row, Run, near, over_seeds, run
from .seeds import MORE
from .windowed import algorithm, noted

HTSIM = "uet-htsim"
PLAN = "SONiC trimming test plan"


# ------------------------------------------------------------------------------------------------ NSCC

# The pairs of uet-htsim's perm_16n_16c_2MB.cm.
PAIRS = ("h13-h6,h1-h4,h6-h0,h2-h13,h10-h5,h15-h1,h8-h14,h14-h2,h5-h15,h4-h12,h12-h11,h0-h8,h9-h7,h7-h9,h3-h10,h11-h3")


def fat_tree(k: int, first: str = "") -> str:
    """A fat tree of k pods. `first`: the rate of the link of the first core and the first aggregation switch, if it has one of its own."""
    half, last = k // 2, k * k // 2 - 1
    links = [f"c[{half * i}-{half * i + half - 1}]-a[{i}-{last - half + 1 + i}/{half}]" for i in range(half)]
    if first:
        links[:1] = [f"c0-a0:{first}", f"c0-a[{half}-{last - half + 1}/{half}]", f"c[1-{half - 1}]-a[0-{last - half + 1}/{half}]"]
    links += [f"e[{p * half}-{p * half + half - 1}]-a[{p * half}-{p * half + half - 1}]" for p in range(k)]
    return ",".join([*links, f"h[0-{k ** 3 // 4 - 1}]=e[0-{last}]"])


AVERAGE = "+average=uet-htsim"   # the average of the delay, which the specification leaves to implementations; uec.cpp, update_delay


def fabric(links: str, flows: str, rtt: int, seeds: int, cost: float, time: str = "10ms", more: str = "") -> Run:
    """The timeout is that of uet-htsim for this queue, 15 us and six queues of it; the first run had 67 ms, for which flows waited whose
    headers were dropped."""
    return run("testbed", *algorithm(f"nscc:uec+base_rtt={rtt}ns{AVERAGE}{more}"), "--rate=100Gbps", "--delay=1us", "--mtu=4088",
               "--ack-every=1", "--lossy", "--buffer=64MB",
               f"--attr=QbbSwitch.TrimSize=64,QbbSwitch.TrimRtt={rtt}ns,QbbSwitch.LoadBalancing=random",
               "--attr=RdmaNic.Recovery=selective,RdmaNic.ReorderPackets=256", f"--links={links}", f"--flows={flows}", f"--time={time}",
               "--rto=101us", "--interval=1ms", seeds=seeds, cost=cost)


def nscc() -> Figure:
    """uet-htsim scales the thresholds of a failed link with its rate. The first run slowed the link by a fault, which left the switch its
    thresholds of 100 Gb/s: 678.6 us with 16 hosts, 560.2 us with 1024."""
    half = "h[0-511]~h[512-1023]:size=2MB,h[512-1023]~h[0-511]:size=2MB"
    small = ",".join(f"{pair}:size=2MB" for pair in PAIRS.split(","))
    slow = "25Gbps"
    # Base RTT: twice the delays of the longest path, and a packet's and an ACK's time on each of its hops.
    runs = {"16": fabric(fat_tree(4), small, 14023, 5, 0.5), "16-slow": fabric(fat_tree(4, slow), small, 14023, 5, 0.5),
            "1024": fabric(fat_tree(16), half, 14023, 2, 30), "1024-slow": fabric(fat_tree(16, slow), half, 14023, 2, 30),
            "4-1": fabric("h[0-1023]=t[0-31],t[0-31]-s[0-7]", half, 9348, 2, 30),
            "8-1": fabric("h[0-1023]=t[0-31],t[0-31]-s[0-3]", half, 9348, 2, 30)}

    def row(key: str, claim: str, seen: float, target: float) -> Row:
        return Row(f"nscc-perm-{key}", f"{claim}: the last end", f"{seen:g} us (its own limit: {target:g} us)", "+-10 %", (key,),
                   lambda data: over_seeds([v * 1e6 for v in data.list_values(key, "fct.max_s")], lambda v: f"{v:.1f} us", near(seen, 0.1)),
                   quick=key == "16")
    return Figure("nscc-perm", HTSIM, "validate_uec_sender: permutations with 128 paths",
                  "100 Gb/s, 1 us a hop, 4150 B on the wire, 2 MB per flow; fat trees of three tiers, or 32 leaves with 8 or 4 spines; "
                  "trimming at 1 BDP, marks from 0.2 to 0.8 BDP, each packet on a random path; the pairs of 1024 hosts are those half the "
                  "hosts apart (uet-htsim: a random permutation); slow: the link of a core and an aggregation switch has 25 Gb/s, and "
                  "thresholds of this rate, in both directions (uet-htsim: from the core switch)", runs,
                  (row("16", "16 hosts", 194.0, 210), row("16-slow", "16 hosts, one link at 25 %", 238.2, 210),
                   row("1024", "1024 hosts", 200.5, 220), row("1024-slow", "1024 hosts, one link at 25 %", 202.3, 220),
                   row("4-1", "1024 hosts, 4:1 oversubscribed", 785.8, 880), row("8-1", "1024 hosts, 8:1 oversubscribed", 1443.4, 1760)))


def incasts() -> Figure:
    """The other rows of the same list, in the fabric that it has: three tiers, sprayed, trimmed. 3-1 has twenty seeds by the rule of
    seeds.py: its mean over five was 226.1 us, where nscc-overlapped has its edge."""
    outcast = ",".join(f"{pair}:size=2MB" for pair in ("h1-h0", "h2-h0", "h2-h[4-12]", "h3-h0", "h3-h[13-21]"))
    runs = {"incast-15": fabric(fat_tree(4), "h[0-14]-h15:size=2MB", 14023, 5, 1),
            "incast-127": fabric(fat_tree(8), "h[0-32]-h33:size=2MB,h[34-127]-h33:size=2MB", 14023, 2, 12, "40ms"),
            "incast-1023": fabric(fat_tree(16), "h[1-1023]-h0:size=100KB", 14023, 2, 30, "40ms", "+initial_cwnd=50"),
            "3-1": fabric(fat_tree(8), "h127-h0:size=2MB,h95-h0:size=250KB:start=40us,h61-h0:size=250KB:start=40us", 14023, MORE, 0.5,
                          more="+initial_cwnd=50"),
            "outcast": fabric(fat_tree(8), outcast, 14023, 5, 1)}

    def ends(data: Data, key: str, first: bool = False) -> list:
        """When the last flow, or the first one, ends; us, by seed."""
        def find_end_us(seed: int) -> float:
            s = data.series(key, "flows.csv", seed)
            return 1e6 * (min if first else max)(begin + fct for begin, fct in zip(s["start_s"], s["fct_s"]))
        return data.map_seeds(key, find_end_us)

    def row(key: str, claim: str, seen: float, first: bool = False) -> Row:
        return Row(f"nscc-trim-{key}" + "-first" * first, f"{claim}: the {'first' if first else 'last'} end", f"{seen:g} us", "+-10 %",
                   (key,), lambda data: over_seeds(ends(data, key, first), lambda v: f"{v:.1f} us", near(seen, 0.1)))
    return Figure("nscc-trim", HTSIM, "validate_uec_sender: incasts and an outcast",
                  "as nscc-perm: fat trees of 16, 128 and 1024 hosts, each packet on a random path, trimming; 2 MB per flow, 1023 flows of "
                  "100 KB, and 2 MB with two of 250 KB from 40 us on, these two with a first window of 50 packets", runs,
                  (row("incast-15", "15 flows into one port", 2478.5), row("incast-127", "127 flows into one port", 21029.3),
                   row("incast-1023", "1023 flows of 100 KB into one port", 10556.2), row("3-1", "3 flows into one port", 221.7),
                   row("outcast", "two hosts send to ten each, a third to one of these", 1638.1),
                   row("outcast", "two hosts send to ten each, a third to one of these", 208.0, True)))


# ------------------------------------------------------------------------------------------------ SONiC

class Seen(NamedTuple):
    """A frame of RoCE data in a capture."""
    bytes: int       # on the wire, with the frame check sequence
    total: int       # the length in the IP header
    dscp: int


def frames(data: Data, key: str, receiver: int = 3) -> list:
    """RoCE data that arrived at the receiver: pcap with nanoseconds; SENDs and nothing else (opcodes 0 to 5)."""
    with open(os.path.join(data.place(key, 1), f"node-{receiver}-port-0.pcap"), "rb") as f:
        raw = f.read()
    found, at = [], 24
    while at < len(raw):
        _, _, kept, whole = struct.unpack("<IIII", raw[at:at + 16])
        frame = raw[at + 16:at + 16 + kept]
        at += 16 + kept
        if frame[12:14] == b"\x08\x00" and frame[23] == 17 and frame[42] <= 5:
            found.append(Seen(whole + 4, struct.unpack(">H", frame[16:18])[0], frame[15] >> 2))
    return found


def sonic() -> Figure:
    """Senders of DSCP 0 fill the queue to one receiver, the node of its own number."""
    def made(mtu: int, size: int, *more: str, receiver: int = 3, packets: int = 800) -> Run:
        return run("testbed", "--cc=none", f"--links=h1-s1,h[2-{receiver}]-s1", "--rate=100Gbps",
                   f"--flows=h[1-{receiver - 1}]-h{receiver}:size={packets * mtu}:class=0", f"--mtu={mtu}", "--buffer=300KB", "--time=5ms",
                   f"--capture={receiver}", "--snaplen=60",
                   f"--attr=RdmaNic.Recovery=selective,QbbSwitch.TrimSize={size}", *more, cost=0.2)
    # Eight senders, for two cannot fill the queue of headers: the first run had two. Small frames so few that class 6 has room for those
    # that class 0 has not: the first run had 800.
    runs = {"256": made(1438, 256), "4084": made(4938, 4084), "small": made(38, 256, packets=700),
            "drops": made(1438, 256, "--attr=QbbSwitch.TrimLimit=1024", receiver=9)}

    def size(key: str, whole: int, cut: int) -> Row:
        def measure(data: Data) -> Measured:
            all_of_them = frames(data, key)
            small = [f for f in all_of_them if f.bytes < whole]
            sizes = ", ".join(map(str, sorted({f.bytes for f in small})))
            return Measured(f"{len(small)} of {len(all_of_them)} frames were cut, to {sizes} B",
                            bool(small) and all(f.bytes == cut and f.total == whole - 18 for f in small))
        return Row(f"sonic-trim-{cut}", f"TC2: frames of {whole} B are cut to {cut} B, and the length in the IP header stays",
                   f"{cut} B", "exact", (key,), measure, quick=True)

    def list_dscps(some: list) -> str:
        return " and ".join(f"DSCP {dscp}" for dscp in sorted({f.dscp for f in some})) or "none"

    def dscp(key: str, claim: str, name: str, published: str, inside: Callable) -> Row:
        def measure(data: Data) -> Measured:
            found = frames(data, key)
            cut = [f for f in found if f.bytes == 256]
            rest = [f for f in found if f.bytes != 256]
            dropped = data.mean(key, "packets_dropped")
            return Measured(f"cut frames {list_dscps(cut)}, others {list_dscps(rest)}; {dropped:.0f} dropped", inside(cut, rest, dropped))
        return Row(name, claim, published, "exact", (key,), measure, quick=name == "sonic-trim-dscp")

    def counted(data: Data) -> Measured:
        found = frames(data, "drops", 9)
        cut, dropped, sent = sum(f.bytes == 256 for f in found), data.mean("drops", "packets_dropped"), data.mean("drops", "packets_sent")
        whole = len(found) - cut
        return Measured(f"{sent:.0f} sent: {whole} whole, {cut} cut, {dropped:.0f} cut and dropped", dropped > 0 and cut > 0
                        and sent == whole + cut + dropped)
    return Figure("sonic-trim", PLAN, "Packet_Trimming_Testplan.md of sonic-mgmt, cases by name",
                  "2 senders (TC13: 8) of class 0 (DSCP 0) to one receiver, 100 Gb/s, 300 KB of buffer, trimming when the buffer is full, "
                  "to class 6 (DSCP 48); sizes with the frame check sequence; read from a capture at the receiver. Cases 1, 4, 5 and 7 to "
                  "12 are of configuration, LAGs, ACLs, reloads, admin states and SRv6; case 6, cut frames in a lossless queue, is refused "
                  "here", runs,
                  (size("256", 1500, 256), size("4084", 5000, 4084),
                   dscp("256", "TC3: cut frames have DSCP 48, others keep 0", "sonic-trim-dscp", "48 and 0",
                        lambda cut, rest, _: {f.dscp for f in cut} == {48} and {f.dscp for f in rest} == {0}),
                   dscp("small", "TC3: frames of 100 B are not cut, but get DSCP 48 when the queue is full", "sonic-trim-small",
                        "48, and none dropped", lambda cut, rest, dropped: {f.dscp for f in rest} == {0, 48} and not dropped and not cut),
                   Row("sonic-trim-counters", "TC13: cut frames are sent or dropped, and counted", "Trim = TrimSent + TrimDrop",
                       "exact; both above 0", ("drops",), counted, quick=True)))


OBLIVIOUS = ("uet-htsim's senders choose the path of each packet by what they hear of it (its default, mixed), and leave the slow "
             "one; the rules here are of switches, which do not know of a slow link behind another switch. Without that choice uet-"
             "htsim has 399 us with 16 hosts (-load_balancing_algo oblivious), and 201.9 us without a slow link")
NOTES = {
    "nscc-perm-16-slow": OBLIVIOUS,
}
INCASTS = incasts()
FIGURES = noted((nscc(), INCASTS, sonic()), NOTES)
