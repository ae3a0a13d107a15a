# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""In-band telemetry of data packets and acknowledgements in the forms of core/wire/rcc_wire.h, and the delay and the hops of Swift's
acknowledgements.

No header says that there is telemetry. The bytes between the AETH and the ICRC of a queue pair's first acknowledgement do; packets
before it wait for it."""
from __future__ import annotations

import math
from typing import Dict, List, NamedTuple, Optional, Tuple

from ..common import RccError

UNKNOWN, NONE, PAPER, SIMULATOR, PINT, DELAY = "auto", "none", "paper", "simulator", "pint", "delay"
FORMS = (UNKNOWN, NONE, PAPER, SIMULATOR, PINT, DELAY)
DATA, ACK = "data", "ack"
HEAD, HOP, RECORDS, SLOTS, FIXED, PINT_BYTES, DELAY_BYTES = 2, 8, 8, 5, 42, 2, 5
TIME_BITS, SENT_BITS = 24, 20
SENT_UNIT, QUEUE_UNIT = 128, 80  # bytes
PINT_BASE, PINT_FLOWS = 1.05, 512  # p is a utilisation of base^p / 512
PINT_MOST = 40  # natural logarithm of more than any port can tell
# line rates by code, Mb/s: that of a port is the nearest in ratio; 0: not known
RATES = (25_000, 50_000, 100_000, 200_000, 400_000, 0, 10_000, 40_000, 800_000, 1000, 1_600_000, 2500, 5000, 20_000, 3_200_000, 6_400_000)
MOST_RATE = 16_000_000  # the largest rate of a link, Mb/s
PENDING = 4096  # packets of a flow that wait for its first acknowledgement


class Wanted(NamedTuple):
    """The values of --telemetry: the form, and what the packets do not say of it."""
    form: str = UNKNOWN
    factor: float = 1.0   # multiplier of the units of `simulator` (INT_MULTI)
    base: float = PINT_BASE


def parse(text: str) -> Wanted:
    """FORM or FORM:NUMBER."""
    form, colon, more = text.partition(":")
    if form in FORMS and not colon:
        return Wanted(form)
    try:
        value = float(more)
    except ValueError:
        value = 0.0
    if form == SIMULATOR and value in range(1, 65536):
        return Wanted(form, factor=value)
    if form == PINT and 1 < value <= 2:
        return Wanted(form, base=value)
    raise RccError(f"--telemetry={text}: expected {', '.join(FORMS[:-1])} or {DELAY}, or {SIMULATOR}:N with the multiplier of its units "
                   f"(1 to 65535), or {PINT}:BASE with the base of its logarithm (above 1, at most 2)")


def paper_bytes(word: int) -> int:
    """Bytes of the paper's form that begins with this word: hops in its upper 4 bits."""
    return HEAD + HOP * min(word >> 12, RECORDS)


def form_of(data, at: int, size: int, end: int) -> str:
    """The form of `size` bytes between AETH and ICRC, of which those before `end` were captured."""
    if size == DELAY_BYTES:
        return DELAY
    if size < HEAD or at + HEAD > end:
        return UNKNOWN if size else NONE
    word = data[at] << 8 | data[at + 1]
    if word >> 12 and size == paper_bytes(word):
        return PAPER
    if size == FIXED:
        return SIMULATOR
    if size == PINT_BYTES:  # a paper's path without switches is 0, a PINT that no switch has written too
        return UNKNOWN if word == 0 else PINT
    return NONE


class Record(NamedTuple):
    """The record of one switch."""
    rate: int    # Mb/s; 0: not known
    ts: int      # ns, modulo 2^24
    sent: int    # units, modulo 2^20
    queue: int   # units


def record_of(data, at: int, queue_bits: int) -> Record:
    word = int.from_bytes(data[at:at + HOP], "big")
    return Record(RATES[word >> (TIME_BITS + SENT_BITS + queue_bits)], word >> (SENT_BITS + queue_bits) & (1 << TIME_BITS) - 1,
                  word >> queue_bits & (1 << SENT_BITS) - 1, word & (1 << queue_bits) - 1)


def elapsed(old: int, new: int, captured: int) -> int:
    """ns between two times of 24 bits, which passed while `captured` ns passed at the capture: the nearest one."""
    wrap = 1 << TIME_BITS
    delta = (new - old) % wrap
    return delta + (captured - delta + wrap // 2) // wrap * wrap


class Sums:
    """The sums over the records of one hop within an interval."""
    __slots__ = ("records", "rate", "hops", "queue", "deepest", "sent", "time", "delay", "longest", "used")

    def __init__(self):
        self.records = self.rate = self.hops = self.queue = self.deepest = self.sent = self.time = 0
        self.delay = self.longest = 0   # ns, of the receiver
        self.used = 0.0                 # PINT: sum of utilisations

    def add(self, other: "Sums") -> None:
        for name in ("records", "queue", "sent", "time", "delay", "used"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.rate = self.rate or other.rate
        self.hops, self.deepest = max(self.hops, other.hops), max(self.deepest, other.deepest)
        self.longest = max(self.longest, other.longest)


class Path:
    """Telemetry of the packets between two hosts with one UDP source port: data one way, acknowledgements the other."""
    __slots__ = ("wanted", "form", "pending", "slots", "last", "flow", "packets", "acks", "paper")

    def __init__(self, wanted: Wanted):
        self.wanted, self.form = wanted, wanted.form
        self.pending: List[Tuple[list, int]] = []   # counts of an interval, bytes if it is the paper's form
        self.slots: Dict[tuple, Sums] = {}          # (interval, DATA or ACK, hop from 1 on; 0: of the whole path)
        self.last: Dict[tuple, tuple] = {}          # (DATA or ACK, hop): (ns of the capture, Record)
        self.flow: Optional[object] = None          # the one whose data these are
        self.packets = self.acks = 0                # with telemetry
        self.paper = HEAD                           # bytes of the last packet's, if it is the paper's form

    def decide(self, form: str) -> None:
        """Set the form; packets that waited for it are counted anew."""
        self.form = form
        for now, paper in self.pending:
            size = {PAPER: paper, SIMULATOR: FIXED, PINT: PINT_BYTES}.get(form, 0)
            now[2] -= min(size, now[2])
            self.packets += size > 0
        self.pending.clear()

    def data(self, now: list, ns: int, slot: int, data, at: int, end: int) -> int:
        """Return the bytes of telemetry at the beginning of the payload, from `at` on."""
        if at < end:  # a frame that is cut short counts as the one before
            self.paper = paper_bytes(data[at] << 8)
        if self.form == UNKNOWN:
            if len(self.pending) < PENDING:
                self.pending.append((now, self.paper))
            else:
                self.decide(NONE)
            return 0
        size = {PAPER: self.paper, SIMULATOR: FIXED, PINT: PINT_BYTES}.get(self.form, 0)
        if size:
            self.packets += 1
            self._read(DATA, ns, slot, data, at, min(at + size, end))
        return size

    def ack(self, ns: int, slot: int, data, at: int, size: int, end: int) -> None:
        """Read an acknowledgement with `size` bytes from `at` on between its AETH and its ICRC."""
        if self.form == UNKNOWN:
            form = form_of(data, at, size, end)
            if form == UNKNOWN:
                return
            self.decide(form)
        if self.form != NONE and size > 0:
            self.acks += 1
            self._read(ACK, ns, slot, data, at, min(at + size, end))

    def _read(self, kind: str, ns: int, slot: int, data, at: int, end: int) -> None:
        if self.form == DELAY:
            if at + DELAY_BYTES <= end:
                sums = self._sums(slot, kind, 0, data[at + 4])
                delay = int.from_bytes(data[at:at + 4], "big")
                sums.delay += delay
                sums.longest = max(sums.longest, delay)
            return
        if at + HEAD > end:
            return
        word = data[at] << 8 | data[at + 1]
        if self.form == PINT:
            if word and word * math.log(self.wanted.base) < PINT_MOST:
                self._sums(slot, kind, 0, 0).used += self.wanted.base ** word / PINT_FLOWS
            return
        hops, queue_bits = (word >> 12, 16) if self.form == PAPER else (word, 17)
        for hop in range(min(hops, SLOTS if self.form == SIMULATOR else RECORDS)):
            place = at + HEAD + HOP * hop
            if place + HOP > end:
                return
            self._hop(kind, ns, slot, hop + 1, hops, record_of(data, place, queue_bits))

    def _sums(self, slot: int, kind: str, hop: int, hops: int) -> Sums:
        sums = self.slots.setdefault((slot, kind, hop), Sums())
        sums.records += 1
        sums.hops = max(sums.hops, hops)
        return sums

    def _hop(self, kind: str, ns: int, slot: int, hop: int, hops: int, record: Record) -> None:
        factor = int(self.wanted.factor) if self.form == SIMULATOR else 1
        sums = self._sums(slot, kind, hop, hops)
        sums.rate = record.rate or sums.rate
        sums.queue += record.queue * QUEUE_UNIT * factor
        sums.deepest = max(sums.deepest, record.queue * QUEUE_UNIT * factor)
        before = self.last.get((kind, hop))
        self.last[kind, hop] = (ns, record)
        if before is None:
            return
        time = elapsed(before[1].ts, record.ts, ns - before[0])
        sent = (record.sent - before[1].sent) % (1 << SENT_BITS) * SENT_UNIT * factor
        # a port that may have sent 2^20 units since tells nothing
        if time > 0 and (record.rate or MOST_RATE) * time < (SENT_UNIT * factor << SENT_BITS) * 8000:
            sums.sent += sent
            sums.time += time


def rows(paths: List[Path]) -> Dict[tuple, Sums]:
    """Return sums by (interval, number of the flow or None, DATA or ACK, hop), in this order."""
    found: Dict[tuple, Sums] = {}
    for path in paths:
        flow = getattr(path.flow, "number", -1)
        for (slot, kind, hop), sums in path.slots.items():
            found.setdefault((slot, flow, kind, hop), Sums()).add(sums)
    return dict(sorted(found.items()))


def summarise(paths: List[Path]) -> Optional[dict]:
    """Summarise all records of a capture point for pcap.json; None if there are none."""
    told = [p for p in paths if p.packets or p.acks]
    if not told:
        return None
    sums: Dict[int, Sums] = {}
    for path in told:
        for (_, _, hop), one in path.slots.items():
            sums.setdefault(hop, Sums()).add(one)
    return {"forms": sorted({p.form for p in told}), "data_packets": sum(p.packets for p in told), "acks": sum(p.acks for p in told),
            "hops": [{"hop": hop or None, **figures(hop, one)} for hop, one in sorted(sums.items())]}


def figures(hop: int, sums: Sums) -> dict:
    """Return the numbers of a row. Those that the form does not have are None. `hop`: 0 for the whole path."""
    sent = 8e9 * sums.sent / sums.time if sums.time else None
    used = sums.used / sums.records if sums.used else sent / (sums.rate * 1e6) if sent is not None and sums.rate else None
    delays = hop == 0 and not sums.used
    return {"records": sums.records, "hops": sums.hops or None, "rate_bps": sums.rate * 1e6 if sums.rate else None, "sent_bps": sent,
            "utilization": used, "queue_mean_bytes": sums.queue / sums.records if hop else None,
            "queue_max_bytes": sums.deepest if hop else None,
            "delay_mean_s": sums.delay / sums.records / 1e9 if delays else None, "delay_max_s": sums.longest / 1e9 if delays else None}
