# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The frames of a capture: RoCEv2 flows, acknowledgements, CNPs, CNMs and pauses, counted per capture point.

Lengths are those of the IP header, so that frames cut by a short snap length count whole. Bytes "on the wire" run from the
destination address to the frame check sequence, at least 64, as everywhere in this project."""
from __future__ import annotations

import collections
import heapq
import struct
from typing import Dict, List, Optional

from . import pcap_read, pcap_telemetry
from .pcap_read import CaptureFile

HEAD = struct.Struct("!BBHHHBBHIIHHHHBBHII")  # IPv4 without options, UDP, BTH
HEAD_BYTES, IP_UDP_BYTES = HEAD.size, 28
assert HEAD_BYTES == 40
IPV4, IPV6, MAC_CONTROL, CNM, CN_TAG, ROCE_V1 = 0x0800, 0x86DD, 0x8808, 0x22E7, 0x22E9, 0x8915
VLANS = (0x8100, 0x88A8, 0x9100)
ETHERNET_BYTES, FCS_BYTES, LEAST_BYTES, BTH_AND_ICRC, BTH_BYTES, AETH_BYTES, SACK_BYTES = 14, 4, 64, 16, 12, 4, 20
ACKNOWLEDGE, SACK, BECN = 0x11, 0xD1, 0x40
UDP = 17
PAUSE, PFC = 0x0001, 0x0101
LINK = 8                # in place of a class: a PAUSE of 802.3x, which stops all of them
ALL24, HALF24 = 0xFFFFFF, 0x800000

# The kind of an opcode (three bits of the transport, then five of the operation), and the bytes of its headers between BTH and payload.
OTHER, DATA, RESPONSE, REQUEST, ACK, CNP = range(6)
KIND, EXTRA, STARTS = [OTHER] * 256, [0] * 256, [False] * 256


def fill_tables() -> None:
    data = {0: 0, 1: 0, 2: 0, 3: 4, 4: 0, 5: 4, 6: 16, 7: 0, 8: 0, 9: 4, 10: 16, 11: 20, 0x16: 4, 0x17: 4}
    responses = {0x0D: 4, 0x0E: 0, 0x0F: 4, 0x10: 4}
    requests = {0x0C: 16, 0x13: 28, 0x14: 28}
    for transport, more in ((0x00, 0), (0x20, 0), (0xA0, 4)):  # RC, UC, XRC with its own header
        for operations, kind in ((data, DATA), (requests, REQUEST)):
            for operation, extra in operations.items():
                KIND[transport | operation], EXTRA[transport | operation] = kind, extra + more
        for operation, extra in responses.items():
            KIND[transport | operation], EXTRA[transport | operation] = RESPONSE, extra
            STARTS[transport | operation] = operation in (0x0D, 0x10)
        KIND[transport | 0x11] = KIND[transport | 0x12] = ACK
    for operation, extra in ((0x64, 8), (0x65, 12)):  # UD: datagrams with DETH
        KIND[operation], EXTRA[operation] = DATA, extra
    KIND[0x81] = CNP
    KIND[SACK] = ACK  # with a SACK header before its ICRC: this project's own (core/wire/rcc_wire_sack.h)


fill_tables()


class Flow:
    """Data from one queue pair to another, at one capture point."""
    __slots__ = ("src", "dst", "qp", "sport", "dscp", "pcp", "vlan", "first", "last", "slots", "slot", "now", "asked", "next",
                 "highest", "gaps", "missing", "gobacks", "number", "path")

    def __init__(self, src, dst, qp, sport, dscp, tag, ns, asked, path):
        self.src, self.dst, self.qp, self.sport, self.dscp = src, dst, qp, sport, dscp
        self.pcp, self.vlan = (tag >> 13, tag & 0xFFF) if tag is not None else (None, None)
        self.first = self.last = ns
        self.slots: Dict[int, list] = {}  # interval: packets, bytes on the wire, payload, ECT or CE, CE, sent again
        self.slot, self.now = None, None
        self.asked = asked
        self.path: Optional[pcap_telemetry.Path] = path   # None: its packets have no telemetry
        self.next = self.highest = None   # PSN that follows the last packet; that follows the highest
        self.gaps = self.missing = self.gobacks = 0
        self.number = -1

    def begin(self, slot: int) -> list:
        """Return the counts of an interval, in which a packet has just come."""
        self.slot = slot
        self.now = self.slots.setdefault(slot, [0, 0, 0, 0, 0, 0])
        return self.now

    def totals(self) -> list:
        return [sum(column) for column in zip(*self.slots.values())] if self.slots else [0] * 6


class Answers:
    """The answers to a sender: acknowledgements and CNPs to one of its queue pairs."""
    __slots__ = ("src", "dst", "qp", "sport", "acks", "naks", "rnrs", "cnps", "echoes", "last_cnp", "votes", "flow")

    def __init__(self, src, dst, qp, sport):
        self.src, self.dst, self.qp, self.sport = src, dst, qp, sport
        self.acks = self.naks = self.rnrs = self.cnps = self.echoes = 0
        self.last_cnp: Optional[int] = None
        self.votes: collections.Counter = collections.Counter()
        self.flow: Optional[Flow] = None


class Pauses:
    """The pauses that one end of a link sends for one class of the other."""
    __slots__ = ("mac", "cls", "frames", "resumes", "periods", "since", "until", "refreshes")

    def __init__(self, mac: str, cls: int):
        self.mac, self.cls = mac, cls
        self.frames = self.resumes = self.refreshes = 0
        self.periods: List[tuple] = []    # (from ns, to ns, frames that said so, how it ended)
        self.since: Optional[int] = None
        self.until: Optional[int] = None  # when the quanta are over, if the rate of the link is known

    def end(self, ns: int, how: str) -> None:
        if self.since is not None:
            self.periods.append((self.since, max(ns, self.since), self.refreshes, how))
        self.since = self.until = None

    def add_frame(self, ns: int, quanta: int, rate: float) -> None:
        if self.until is not None and ns > self.until:
            self.end(self.until, "expired")
        if not quanta:
            self.resumes += 1
            self.end(ns, "resumed")
            return
        self.frames += 1
        if self.since is None:
            self.since, self.refreshes = ns, 0
        self.refreshes += 1
        if rate:
            self.until = ns + int(quanta * 512e9 / rate)

    def paused_ns(self) -> int:
        return sum(to - since for since, to, _, _ in self.periods)


def address(number) -> str:
    """Format an address: IPv4 from a number, IPv6 from its 16 bytes."""
    if isinstance(number, int):
        return f"{number >> 24}.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    import ipaddress
    return str(ipaddress.IPv6Address(number))


def order_of(number) -> tuple:
    return (0, number, b"") if isinstance(number, int) else (1, 0, number)


def locate(data, at: int, end: int, link: int) -> tuple:
    """Return (ethertype, offset behind it, 802.1Q tag or None, bytes of Ethernet and its tags). The ethertype 0 means too short."""
    if link == pcap_read.ETHERNET:
        if at + ETHERNET_BYTES > end:
            return 0, at, None, 0
        kind, head = data[at + 12] << 8 | data[at + 13], at + ETHERNET_BYTES
    elif link in (pcap_read.LINUX_SLL, pcap_read.LINUX_SLL2):
        size, place = (16, 14) if link == pcap_read.LINUX_SLL else (20, 0)
        if at + size > end:
            return 0, at, None, 0
        kind, head = data[at + place] << 8 | data[at + place + 1], at + size
    else:
        if at >= end:
            return 0, at, None, 0
        return (IPV6 if data[at] >> 4 == 6 else IPV4), at, None, ETHERNET_BYTES
    start, tag = head, None
    while kind in VLANS or kind == CN_TAG:
        if head + 4 > end:
            return 0, at, None, 0
        if kind != CN_TAG:
            tag = data[head] << 8 | data[head + 1]
        kind = data[head + 2] << 8 | data[head + 3]
        head += 4
    return kind, head, tag, ETHERNET_BYTES + head - start


def ip_fields(data, at: int, end: int, kind: int) -> Optional[tuple]:
    """Return (fields of HEAD with addresses as they are compared, captured bytes of HEAD, bytes of the IP header), or None
    without a UDP header: another protocol, a later fragment, a frame cut before its ports."""
    if kind == IPV4:
        if at + 20 > end or data[at] >> 4 != 4:
            return None
        header = (data[at] & 15) * 4
        if header < 20 or data[at + 9] != UDP or (data[at + 6] & 0x1F) | data[at + 7]:
            return None
        raw = bytes(data[at:at + 20]) + bytes(data[min(at + header, end):min(at + header + 20, end)])
    else:
        header = 40
        if at + header > end or data[at] >> 4 != 6 or data[at + 6] != UDP:
            return None
        length = (data[at + 4] << 8 | data[at + 5]) + header
        traffic = (data[at] << 4 | data[at + 1] >> 4) & 255
        raw = struct.pack("!BBHIBBHII", 0x45, traffic, min(length, 65535), 0, 64, UDP, 0, 0, 0) + \
            bytes(data[at + header:min(at + header + 20, end)])
    if len(raw) < IP_UDP_BYTES:
        return None
    fields = list(HEAD.unpack(raw.ljust(HEAD_BYTES, b"\0")))
    if kind == IPV6:
        fields[8], fields[9] = bytes(data[at + 8:at + 24]), bytes(data[at + 24:at + 40])
    return tuple(fields), len(raw), header


def is_data(port: int):
    """Return a function for pcap_read.first_where: true if a record holds a RoCEv2 data packet."""
    def matches(f: CaptureFile, record: tuple) -> bool:
        _, at, kept, _, interface = record
        kind, head, _, _ = locate(f.data, at, at + kept, f.interfaces[interface].link)
        found = ip_fields(f.data, head, at + kept, kind) if kind in (IPV4, IPV6) else None
        return bool(found) and found[0][11] == port and found[1] > IP_UDP_BYTES and KIND[found[0][14]] in (DATA, RESPONSE)
    return matches


class Point:
    """A capture point: the frames of one place, in one file or several that continue one another."""

    def __init__(self, name: str, zero: int, interval: int, rate: float, port: int, telemetry: str):
        self.name, self.zero, self.interval, self.rate, self.port, self.telemetry = name, zero, interval, rate, port, telemetry
        self.paths: Dict[tuple, pcap_telemetry.Path] = {}
        self.flows: Dict[tuple, Flow] = {}
        self.answers: Dict[tuple, Answers] = {}
        self.asked: Dict[tuple, dict] = {}
        self.pauses: Dict[tuple, Pauses] = {}
        self.cnps: List[tuple] = []   # (ns, Answers, ns since the last one of it or None, period or None)
        self.frames = self.roce = self.control = self.cnms = self.others = self.short = self.odd = self.backwards = 0
        self.roce_v1 = 0
        self.other_bytes = 0
        self.first: Optional[int] = None
        self.earliest = 0
        self.last: Optional[int] = None
        self.slots: Dict[int, collections.Counter] = collections.defaultdict(collections.Counter)  # all but data

    # ------------------------------------------------------------------------------------------------ reading

    def read(self, records, data_of, links) -> None:
        """records: (ns, offset, captured bytes, bytes on the wire, interface number), and the file's number if there are several;
        data_of: the bytes of each file; links: for each file, the link type of each interface"""
        zero, interval, port = self.zero, self.interval, self.port
        unpack, flows, kinds, extras, starts, ethernet = HEAD.unpack_from, self.flows, KIND, EXTRA, STARTS, pcap_read.ETHERNET
        last = self.last if self.last is not None else -(1 << 62)
        data, link_of, several = data_of[0], links[0], len(data_of) > 1
        for record in records:
            if several:
                ns, at, kept, size, interface, number = record
                data, link_of = data_of[number], links[number]
            else:
                ns, at, kept, size, interface = record
            self.frames += 1
            if ns < last:
                self.backwards += 1
                self.earliest = min(self.earliest, ns)
            else:
                last = ns
            if self.first is None:
                self.first = self.earliest = ns
            # Most frames are plain IPv4 over Ethernet: they take the fewest steps.
            if kept >= 54 and link_of[interface] == ethernet and data[at + 12] == 8 and data[at + 13] == 0 and data[at + 14] == 0x45:
                head, l2, header, have, tag = at + 14, 14, 20, kept - 14, None
                (_, tos, length, _, fragment, _, protocol, _, src, dst, sport, dport, _, _, opcode, flags, _, queue,
                 sequence) = unpack(data, head)
                if dport != port or protocol != UDP or fragment & 0x1FFF:
                    self._count_other(ns, l2 + length)
                    continue
            else:
                found = self._unusual(ns, data, at, kept, size, link_of[interface])
                if not found:
                    continue
                ((_, tos, length, _, _, _, _, _, src, dst, sport, dport, _, _, opcode, flags, _, queue, sequence), have, header,
                 head, tag, l2) = found
            payload = length - header - 24 - extras[opcode] - (flags >> 4 & 3)
            what = kinds[opcode]
            self.roce += 1
            if have <= IP_UDP_BYTES or length < header + 24 or payload < 0 and (what == DATA or what == RESPONSE):
                self._count_unreadable(have)
                continue
            if have < HEAD_BYTES:  # a PSN that is not there is no 0
                self.short += 1
                if have < 36:      # nor is the queue pair
                    continue
            key = (src, dst, queue & ALL24)
            if what == DATA or what == RESPONSE:
                flow = flows.get(key)
                if flow is None:
                    flow = self._begin(key, queue, sport, tos >> 2, tag, ns)
                flow.last = ns if ns > flow.last else flow.last
                slot = (ns - zero) // interval
                now = flow.now if slot == flow.slot else flow.begin(slot)
                now[0] += 1
                wire = l2 + length + FCS_BYTES
                now[1] += wire if wire > LEAST_BYTES else LEAST_BYTES
                path = flow.path
                if path is not None:
                    payload = max(payload - path.data(now, data, head + header + 20 + extras[opcode], at + kept), 0)
                    flow.path = path if path.form != pcap_telemetry.NONE else None
                now[2] += payload
                now[3] += (tos & 3) > 0
                now[4] += (tos & 3) == 3
                if have < HEAD_BYTES:
                    continue
                psn = sequence & ALL24
                if psn == flow.next:
                    flow.next = psn + 1 & ALL24
                    if psn == flow.highest:
                        flow.highest = flow.next
                    else:
                        now[5] += 1
                else:
                    self._jump(flow, psn, starts[opcode])
                if sequence & 0x80000000:
                    flow.asked[psn] = flow
            else:
                self._answer(ns, data, head + header + 8, at + kept, key, sport, what, sequence & ALL24,
                             (l2 + length, length - header - 24))
        self.last = last if self.frames else None

    def _unusual(self, ns, data, at, kept, size, link) -> Optional[tuple]:
        """Read a frame that is not plain IPv4 over Ethernet: (fields, bytes from the IP header on, length of the IP header, its offset,
        tag, bytes before it). Counts a frame that is not RoCEv2 and returns None."""
        kind, head, tag, l2 = locate(data, at, at + kept, link)
        found = ip_fields(data, head, at + kept, kind) if kind in (IPV4, IPV6) else None
        if not found or found[0][11] != self.port:
            self._not_roce(ns, data, at, kept, size, kind, head)
            return None
        return (*found, head, tag, l2)

    def _count_unreadable(self, have: int) -> None:
        self.short += have <= IP_UDP_BYTES
        self.odd += have > IP_UDP_BYTES

    @staticmethod
    def _jump(flow: Flow, psn: int, fresh: bool) -> None:
        """Count a packet that does not follow the one before it."""
        if flow.next is None or fresh:
            flow.next = flow.highest = psn + 1 & ALL24
            return
        ahead = psn - flow.highest & ALL24
        if ahead < HALF24:      # beyond everything seen: what is between was lost before it came here
            if ahead:
                flow.gaps += 1
                flow.missing += ahead
            flow.highest = psn + 1 & ALL24
        else:
            flow.now[5] += 1    # seen before, or an earlier gap is filled
            if psn - flow.next & ALL24 >= HALF24:
                flow.gobacks += 1
        flow.next = psn + 1 & ALL24

    def _begin(self, key: tuple, queue: int, sport: int, dscp: int, tag, ns: int) -> Flow:
        """Begin a flow at its first packet."""
        self.flows[key] = Flow(key[0], key[1], queue, sport, dscp, tag, ns, self.asked.setdefault(key[:2], {}),
                               self._path(key[0], key[1], sport))
        return self.flows[key]

    def _path(self, src, dst, sport) -> Optional[pcap_telemetry.Path]:
        """Return the telemetry of the data between two hosts; None if there is none."""
        path = self.paths.get((src, dst, sport))
        if path is None:
            path = self.paths[src, dst, sport] = pcap_telemetry.Path(self.telemetry)
        return path if path.form != pcap_telemetry.NONE else None

    def _answer(self, ns, data, bth, end, key, sport, what, psn, sizes) -> None:
        """sizes: bytes on the wire without frame check sequence, bytes between BTH and ICRC"""
        wire, rest = sizes
        slot = self.slots[(ns - self.zero) // self.interval]
        if what == REQUEST:
            flow = self.flows.get(key)
            if flow is not None:
                flow.next = flow.highest = None  # a READ takes as many PSNs as its answer has packets
            slot["requests"] += 1
            return
        if what == OTHER:
            self._count_other(ns, wire)
            return
        one = self.answers.get(key)
        if one is None:
            one = self.answers[key] = Answers(key[0], key[1], key[2], sport)
        if what == CNP:
            one.cnps += 1
            slot["cnps"] += 1
            period = int.from_bytes(data[bth + BTH_BYTES:bth + BTH_BYTES + 4], "big") if bth + BTH_BYTES + 4 <= end else None
            self.cnps.append((ns, one, None if one.last_cnp is None else ns - one.last_cnp, period))
            one.last_cnp = ns
            return
        if data[bth] in (ACKNOWLEDGE, SACK):
            echo = data[bth + 4] & BECN > 0
            one.echoes += echo
            slot["ce_echoes"] += echo
            path = self._path(key[1], key[0], sport)
            if path is not None:
                path.ack(data, bth + BTH_BYTES + AETH_BYTES, rest - AETH_BYTES - (SACK_BYTES if data[bth] == SACK else 0), end)
        if bth + BTH_BYTES >= end:  # a syndrome that is not there is no ACK's
            self.short += bth + BTH_BYTES == end    # a shorter frame was counted with its PSN
            return
        kind = data[bth + BTH_BYTES] >> 5 & 3  # the kind in the syndrome
        if kind == 3:
            one.naks += 1
            slot["naks"] += 1
        elif kind == 1:
            one.rnrs += 1
            slot["rnrs"] += 1
        else:
            one.acks += 1
            slot["acks"] += 1
            asked = self.asked.get((key[1], key[0]))
            flow = asked.get(psn) if asked else None
            if flow is not None:
                one.votes[flow] += 1

    def _count_other(self, ns: int, wire: int) -> None:
        self.others += 1
        self.other_bytes += max(wire + FCS_BYTES, LEAST_BYTES)
        self.slots[(ns - self.zero) // self.interval]["other_bytes"] += max(wire + FCS_BYTES, LEAST_BYTES)

    def _not_roce(self, ns, data, at, kept, size, kind, head) -> None:
        if kind == MAC_CONTROL:
            self._mac_control(ns, data, at, head, at + kept)
        elif kind == CNM:
            self.cnms += 1
            self.slots[(ns - self.zero) // self.interval]["cnms"] += 1
        elif kind == 0 or (kind in (IPV4, IPV6) and kept < size and head + IP_UDP_BYTES > at + kept):
            self.short += 1
        else:
            self.roce_v1 += kind == ROCE_V1
            self._count_other(ns, size)

    def _mac_control(self, ns, data, at, head, end) -> None:
        if head + 4 > end:
            self.short += 1
            return
        opcode, word = struct.unpack_from("!HH", data, head)
        if opcode == PAUSE:
            quanta = {LINK: word}
        elif opcode == PFC:
            if head + 20 > end:
                self.short += 1
                return
            times = struct.unpack_from("!8H", data, head + 4)
            quanta = {c: times[c] for c in range(8) if word >> c & 1}
        else:
            self._count_other(ns, end - at)
            return
        self.control += 1
        mac = ":".join(f"{b:02x}" for b in bytes(data[at + 6:at + 12]))
        slot = self.slots[(ns - self.zero) // self.interval]
        for cls, n in quanta.items():
            one = self.pauses.get((mac, cls))
            if one is None:
                one = self.pauses[mac, cls] = Pauses(mac, cls)
            one.add_frame(ns, n, self.rate)
            slot["pauses" if n else "resumes"] += 1

    # ------------------------------------------------------------------------------------------------ the end

    def finish(self) -> None:
        """End the pauses that last, find the flows of the answers, number the flows."""
        for one in self.pauses.values():
            if one.since is not None:
                expired = one.until is not None and one.until < self.last
                one.end(one.until if expired else self.last, "expired" if expired else "capture ends")
        flows = sorted(self.flows.values(), key=lambda f: (order_of(f.src), order_of(f.dst), f.qp))
        for i, flow in enumerate(flows):
            flow.number = i
        self.flows = {(f.src, f.dst, f.qp): f for f in flows}
        pairs: Dict[tuple, list] = collections.defaultdict(list)
        for flow in flows:
            pairs[flow.src, flow.dst].append(flow)
        for answer in self.answers.values():
            answer.flow = self._find_flow(answer, pairs.get((answer.dst, answer.src), []))

    @staticmethod
    def _find_flow(one: Answers, flows: list) -> Optional[Flow]:
        """Find the flow of an answer, which carries the sender's queue pair as the data do not: by the only flow between the two, by
        the UDP source port where both ways share one, or by the PSNs that were acknowledged."""
        if len(flows) == 1:
            return flows[0]
        alike = [f for f in flows if f.sport == one.sport]
        if len(alike) == 1:
            return alike[0]
        votes = one.votes.most_common(2)
        if votes and (len(votes) == 1 or votes[0][1] > 2 * votes[1][1]):
            return votes[0][0]
        return None

    def is_empty(self) -> bool:
        return not (self.roce or self.control or self.cnms)


def read_point(name: str, files: List[CaptureFile], only: Optional[int], zero: int, interval: int, rate: float,
               port: int, telemetry: str = pcap_telemetry.UNKNOWN) -> Point:
    """Read the files of a capture point, in the order of their frames' times. `only`: this interface of a pcapng and no other; None: all.
    `zero`, `interval`: ns; `rate`: of the link, bit/s, for pauses that end by themselves, 0: not known; `telemetry`: its form."""
    point = Point(name, zero, interval, rate, port, telemetry)
    links = [f.interfaces for f in files]

    def open_stream(number: int):
        records = files[number].records()
        if only is not None:
            records = (r for r in records if r[4] == only)
        return ((*r, number) for r in records) if len(files) > 1 else records

    class Links:
        """The link types by interface; a pcapng describes interfaces on the way."""
        def __init__(self, interfaces):
            self.interfaces = interfaces

        def __getitem__(self, i):
            return self.interfaces[i].link

    kinds = [[i.link for i in found] if not f.pcapng else Links(found) for f, found in zip(files, links)]
    streams = [open_stream(i) for i in range(len(files))]
    merged = streams[0] if len(files) == 1 else heapq.merge(*streams, key=lambda r: r[0])
    point.read(merged, [f.data for f in files], kinds)
    point.finish()
    return point
