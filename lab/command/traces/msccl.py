# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Algorithms of MSCCL as XML (github.com/microsoft/msccl-tools): each GPU has thread blocks, each block steps that follow one another and
may wait for a step of another block of the GPU. A step sends, receives, does both (rcs, rrs, rrcs), or copies and reduces, which takes no
time here. A block has one GPU to send to and one to receive from, on a channel, whose messages keep their order."""
from __future__ import annotations

import xml.parsers.expat
from typing import List, NamedTuple, Optional

from .schedule import CALC, RECV, SEND, SIZE_MAX, Collective, Schedule, shown
from ..common import RccError, counted, open_regular

LIMIT = 1 << 28      # bytes of a file
GPUS_MAX = 65536
SENDS = {"s", "rcs", "rrs", "rrcs"}
RECEIVES = {"r", "rrc", "rcs", "rrs", "rrcs"}
LOCAL = {"cpy", "re", "nop"}
KINDS = {"allreduce": "all-reduce", "allgather": "all-gather", "reducescatter": "reduce-scatter", "reduce_scatter": "reduce-scatter",
         "alltoall": "all-to-all", "broadcast": "broadcast", "reduce": "reduce", "gather": "gather", "scatter": "scatter"}
INSIDE = {"algo": "", "gpu": "algo", "tb": "gpu", "step": "tb", "op": "tb"}


class Block(NamedTuple):
    """A thread block."""
    send: int
    receive: int
    channel: int
    steps: list    # (line, type, chunks, block that it waits for or -1, its step)


class Reader:
    """Reads one file."""

    def __init__(self, path: str):
        self.path = path
        self.line = 0
        self.rank = -1
        self.algorithm: dict = {}
        self.chunks = 0                       # the chunks of the largest buffer of input or output
        self.most = 0                         # the chunks of the largest buffer of any kind
        self.gpus: dict = {}                  # {rank: {number: Block}}
        self.block: Optional[Block] = None
        self.open: List[str] = []             # elements

    def error(self, found: str, expected: str) -> RccError:
        where = f"{self.path}:{self.line}: " + (f"rank {self.rank}: " if self.rank >= 0 else "")
        return RccError(f"{where}found {shown(found)}, expected {expected}")

    def number(self, given: dict, name: str, low: int, high: int, default: Optional[int] = None) -> int:
        text = given.get(name)
        if text is None and default is not None:
            return default
        digits = (text or "").removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 18 or not low <= int(text or "") <= high:
            raise self.error(f"{name}='{text[:40]}'" if text is not None else f"no {name}", f"{name} of {low} to {high}")
        return int(text or "")

    def read(self) -> None:
        parser = xml.parsers.expat.ParserCreate()

        def start(name: str, given: dict) -> None:
            self.line = parser.CurrentLineNumber
            self.element(name, given)

        def end(name: str) -> None:
            self.open.pop()
            self.rank = -1 if name in ("gpu", "algo") else self.rank

        def declared(*_) -> None:
            self.line = parser.CurrentLineNumber
            raise self.error("a document type", "none")

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.StartDoctypeDeclHandler = declared
        try:
            with open_regular(self.path, LIMIT) as f:
                parser.ParseFile(f)
        except xml.parsers.expat.ExpatError as error:
            raise RccError(f"{self.path}:{error.lineno}: found XML that is not well formed ({xml.parsers.expat.ErrorString(error.code)}), "
                           "expected an algorithm of MSCCL") from error
        count = self.number(self.algorithm, "ngpus", 1, GPUS_MAX, len(self.gpus))
        for rank in range(count):
            if rank not in self.gpus:
                raise RccError(f"{self.path}: rank {rank} is missing, expected a gpu element for each of the {counted(count, 'rank')}")
        if len(self.gpus) > count:
            raise RccError(f"{self.path}: found {counted(len(self.gpus), 'rank')}, expected ngpus='{count}' of them")

    def element(self, name: str, given: dict) -> None:
        inside = self.open[-1] if self.open else ""
        if INSIDE.get(name) != inside:
            raise self.error(f"the element {name[:40]}" + (f" in {inside}" if inside else ""),
                             {"": "algo", "algo": "gpu", "gpu": "tb", "tb": "step"}.get(inside, "no element"))
        self.open.append(name)
        if name == "algo":
            self.algorithm = given
            self.most = self.number(given, "nchunksperloop", 1, 10**9, 1)
        elif name == "gpu":
            rank = self.number(given, "id", 0, GPUS_MAX - 1)
            if rank in self.gpus:
                raise self.error(f"gpu {rank} again", "each once")
            self.rank = rank
            self.gpus[rank] = {}
            self.chunks = max(self.chunks, *(self.number(given, key, 0, 10**9, 0) for key in ("i_chunks", "o_chunks")))
            self.most = max(self.most, self.chunks, self.number(given, "s_chunks", 0, 10**9, 0))
        elif name == "tb":
            number = self.number(given, "id", 0, 10**6)
            if number in self.gpus[self.rank]:
                raise self.error(f"tb {number} again", "each once in a gpu")
            self.block = Block(self.number(given, "send", -1, GPUS_MAX - 1), self.number(given, "recv", -1, GPUS_MAX - 1),
                               self.number(given, "chan", 0, 10**6, 0), [])
            self.gpus[self.rank][number] = self.block
        else:
            self.step(given)

    def step(self, given: dict) -> None:
        assert self.block
        kind = given.get("type", "")
        if kind not in SENDS | RECEIVES | LOCAL:
            raise self.error(f"type='{kind[:40]}'", "one of " + ", ".join(sorted(SENDS | RECEIVES | LOCAL)))
        for needed, peer, key in ((kind in SENDS, self.block.send, "send"), (kind in RECEIVES, self.block.receive, "recv")):
            if needed and (peer < 0 or peer == self.rank):
                raise self.error(f"a step {kind} in a tb with {key}='{peer}'", "the number of another gpu there")
        self.number(given, "s", len(self.block.steps), len(self.block.steps), len(self.block.steps))
        chunks = self.number(given, "cnt", 0 if kind in LOCAL else 1, 10**9 if kind in LOCAL else self.most, 1)
        self.block.steps.append((self.line, kind, chunks, self.number(given, "depid", -1, 10**6, -1),
                                 self.number(given, "deps", -1, 10**6, -1)))


def is_msccl(head: str) -> bool:
    """True if a file that begins so is XML."""
    return head.lstrip().startswith("<")


def read(path: str, size: int) -> Schedule:
    """Read the algorithm on `size` bytes, as nccl-tests count them. Raises RccError with file, line and rank; OSError."""
    reader = Reader(path)
    reader.read()
    chunks = reader.number(reader.algorithm, "nchunksperloop", 1, 10**9, max(reader.chunks, 1))
    schedule = Schedule(path, len(reader.gpus))
    schedule.current = 0
    ranks = range(schedule.ranks)
    enters, leaves = [], []
    for rank in ranks:
        reader.rank = rank
        enters.append(schedule.add(rank, CALC, 0, -1, 0, "", 1))
        ends = Blocks(reader, schedule, size, chunks).add(enters[rank])
        leaves.append(schedule.add(rank, CALC, 0, -1, 0, "", 1))
        for end in ends or [enters[rank]]:
            schedule.wait(leaves[rank], end, False)
    schedule.current = -1
    coll, name = reader.algorithm.get("coll", ""), reader.algorithm.get("name", "")
    schedule.collectives.append(Collective((name or coll or "msccl")[:60], KINDS.get(coll, coll[:40] or "custom"), size, tuple(ranks),
                                           "msccl", enters, leaves))
    return schedule


class Blocks:
    """Adds the steps of one GPU."""

    def __init__(self, reader: Reader, schedule: Schedule, size: int, chunks: int):
        self.reader, self.schedule, self.size, self.chunks = reader, schedule, size, chunks
        self.blocks = reader.gpus[reader.rank]
        self.last: dict = {}      # (block, step): the operation that ends with it

    def bytes(self, chunks: int) -> int:
        """Return the bytes of chunks, rounded up, so that all chunks hold the whole size."""
        return min(max(-(-self.size * chunks // self.chunks), 1), SIZE_MAX)

    def add(self, enter: int) -> list:
        """Add all steps. Returns the last operation of each block."""
        first: dict = {}
        ends = []
        for number, block in self.blocks.items():
            before = enter
            for k, (line, kind, chunks, _, _) in enumerate(block.steps):
                first[(number, k)], before = self.operations(block, line, kind, chunks, before)
                self.last[(number, k)] = before
            ends.append(before)
        for number, block in self.blocks.items():
            for k, (line, kind, _, other, step) in enumerate(block.steps):
                if other < 0:
                    continue
                self.reader.line = line
                if (other, step) not in self.last:
                    raise self.reader.error(f"depid='{other}' and deps='{step}'", "a tb of this gpu and one of its steps")
                self.schedule.wait(first[(number, k)], self.last[(other, step)], False)
        return list(dict.fromkeys(end for end in ends if end != enter))

    def operations(self, block: Block, line: int, kind: str, chunks: int, before: int) -> tuple:
        """Add a step that follows `before`. Returns its first and its last operation."""
        s, rank = self.schedule, self.reader.rank
        found = []
        if kind in RECEIVES:
            found.append(s.add(rank, RECV, self.bytes(chunks), block.receive, block.channel, "", line))
        if kind in SENDS:
            found.append(s.add(rank, SEND, self.bytes(chunks), block.send, block.channel, "", line))
        if not found:
            found.append(s.add(rank, CALC, 0, -1, 0, "", line))
        for one in found:
            s.wait(one, before, False)
            before = one
        return found[0], found[-1]
