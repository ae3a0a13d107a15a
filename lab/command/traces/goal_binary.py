# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Schedules in the binary form of GOAL, which txt2bin of LogGOPSim writes, and in which ATLAHS has its traces. Numbers are little-endian:

    u64 4223, then from here on offsets count: u32 ranks, u8 and u8 the highest cpu and nic; of each rank u64 and u64 its begin and end
    of a rank: u32 operations, u32 roots (those that wait for nothing), u32 of each root, operations, appendix
    operation: u32 how many it waits for, u8 type, u32 peer, u64 bytes or ns, u32 tag, u8 cpu, u8 nic, u32 and u32 how many wait for its
    end and where their numbers begin in the appendix, the same of those that wait for its start

The highest cpu and nic, and the cpu of an operation, say nothing of times here."""
from __future__ import annotations

import struct
from array import array
from typing import Any

from .goal import LIMIT, RANKS_MAX, nic_note
from .schedule import CALC, NANOSECONDS_MAX, RECV, SEND, SIZE_MAX, Schedule
from ..common import RccError, open_regular

COOKIE = struct.pack("<Q", 4223)
OPERATION = struct.Struct("<IBIQIBBIIII")
KINDS = {1: SEND, 2: RECV, 3: CALC}
ANY = 2**32 - 1       # source or tag


class Reader:
    """Reads one file."""

    def __init__(self, path: str):
        self.path = path
        self.schedule = Schedule(path, 0, lambda rank, line: f"{path}: rank {rank}: operation {line}")
        self.nics: dict = {}      # {nic but 0: the messages that name it}

    def error(self, place: str, found: str, expected: str) -> RccError:
        return RccError(f"{self.path}: {place}found {found}, expected {expected}")

    def bytes_at(self, f: Any, begin: int, count: int, what: str) -> bytes:
        f.seek(len(COOKIE) + begin)
        found = f.read(count)
        if len(found) < count:
            raise self.error("", f"the end of the file in {what}", f"{count} bytes from byte {len(COOKIE) + begin} on")
        return found

    def read(self) -> Schedule:
        with open_regular(self.path, LIMIT) as f:
            ranks, _, _ = struct.unpack("<IBB", self.bytes_at(f, 0, 6, "the header"))
            if not 0 < ranks <= RANKS_MAX:
                raise self.error("", f"{ranks} ranks", f"1 to {RANKS_MAX} ranks")
            self.schedule.ranks = ranks
            places = list(struct.iter_unpack("<QQ", self.bytes_at(f, 6, 16 * ranks, "the places of the ranks")))
            before = 6 + 16 * ranks
            for rank, (begin, end) in enumerate(places):
                if begin < before or not 8 <= end - begin <= LIMIT:
                    raise self.error(f"rank {rank}: ", f"the place {begin} to {end}", f"8 bytes or more from {before} on")
                before = end
                self.rank(rank, self.bytes_at(f, begin, end - begin, f"rank {rank}"))
        self.schedule.notes += nic_note(self.path, self.nics)
        return self.schedule

    def rank(self, rank: int, content: bytes) -> None:
        """Read the operations of a rank and what waits for them."""
        count, roots = struct.unpack_from("<II", content)
        first, appendix = 8 + 4 * roots, 8 + 4 * roots + OPERATION.size * count
        if appendix > len(content) or (len(content) - appendix) % 4:
            raise self.error(f"rank {rank}: ", f"{count} operations and {roots} roots in {len(content)} bytes", "as many as its place has")
        numbers = array("I", struct.unpack_from(f"<{(len(content) - appendix) // 4}I", content, appendix))
        s, base = self.schedule, len(self.schedule)
        rows = list(OPERATION.iter_unpack(content[first:appendix]))
        if sum(row[7] + row[9] for row in rows) != len(numbers):
            raise self.error(f"rank {rank}: ", f"an appendix of {len(numbers)} numbers", "as many as operations wait for others")
        for number, row in enumerate(rows):
            self.add(rank, number, row)
        left = array("q", (row[0] for row in rows))      # waits that are not met yet
        for number, (*_, ends, end_at, starts, start_at) in enumerate(rows):
            for many, at, event in ((ends, end_at, 1), (starts, start_at, 0)):
                if many and at + many > len(numbers):
                    raise self.error(f"rank {rank}: operation {number}: ", f"{many} operations at {at} of the appendix",
                                     f"some of its {len(numbers)} numbers")
                for later in numbers[at:at + many] if many else ():
                    if later >= count:
                        raise self.error(f"rank {rank}: operation {number}: ", f"operation {later} that waits", f"one of 0 to {count - 1}")
                    s.wait_for(base + later, 2 * (base + number) + event)
                    left[later] -= 1
        wrong = next((number for number, many in enumerate(left) if many), -1)
        if wrong >= 0:
            raise self.error(f"rank {rank}: operation {wrong}: ", f"{rows[wrong][0]} operations that it waits for",
                             f"{rows[wrong][0] - left[wrong]}, which name it")
        if sorted(struct.unpack_from(f"<{roots}I", content, 8)) != [number for number, row in enumerate(rows) if not row[0]]:
            raise self.error(f"rank {rank}: ", f"{roots} roots", "the operations that wait for nothing")

    def add(self, rank: int, number: int, row: tuple) -> None:
        """Check and add an operation."""
        _, kind, peer, size, tag, _, nic, *_ = row
        place = f"rank {rank}: operation {number}: "
        if kind not in KINDS:
            raise self.error(place, f"the type {kind}", "1 (send), 2 (recv) or 3 (calc)")
        most = NANOSECONDS_MAX if KINDS[kind] == CALC else SIZE_MAX
        if size > most:
            raise self.error(place, f"{size} {'ns' if KINDS[kind] == CALC else 'bytes'}", f"at most {most}")
        if KINDS[kind] == CALC:
            self.schedule.add(rank, CALC, size, -1, 0, "", number)
            return
        for value, what, expected in ((peer, "any source", "a rank"), (tag, "any tag", "a tag")):
            if value == ANY and KINDS[kind] == RECV:
                raise self.error(place, f"a recv of {what}", f"{expected}: a receive is matched before the run")
        if peer >= self.schedule.ranks or peer == rank:
            raise self.error(place, f"rank {peer}", f"another rank of 0 to {self.schedule.ranks - 1}")
        if nic:
            self.nics[nic] = self.nics.get(nic, 0) + 1
        self.schedule.add(rank, KINDS[kind], size, peer, tag, "", number)


def is_binary(head: bytes) -> bool:
    """True if a file that begins so is a schedule in binary form."""
    return head.startswith(COOKIE)


def read(path: str) -> Schedule:
    """Read a schedule. Raises RccError with file, rank and operation; OSError."""
    return Reader(path).read()
