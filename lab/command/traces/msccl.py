# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Algorithms of MSCCL as XML (github.com/microsoft/msccl-tools): each GPU has thread blocks, each block steps that follow one another and
may wait for a step of another block of the GPU. A step sends, receives, does both (rcs, rrs, rrcs), or copies and reduces, which takes no
time here. A block has one GPU to send to and one to receive from, on a channel, whose messages keep their order."""
from __future__ import annotations

import xml.parsers.expat
from typing import Callable, Dict, List, NamedTuple, Optional

from .schedule import CALC, CUT, RECV, SEND, SIZE_MAX, Collective, Place, Schedule
from ..common import RccError, counted, open_regular, si_bytes

LIMIT = 1 << 28      # bytes of a file
BLOCK = 1 << 16      # bytes that are parsed at a time
TAG_MAX = 1 << 20    # bytes of a tag or comment: the parser begins each again with each block
GPUS_MAX = 65536
SENDS = {"s", "rcs", "rrs", "rrcs"}
RECEIVES = {"r", "rrc", "rcs", "rrs", "rrcs"}
LOCAL = {"cpy", "re", "nop"}
KINDS = {"allreduce": "all-reduce", "allgather": "all-gather", "reducescatter": "reduce-scatter", "reduce_scatter": "reduce-scatter",
         "alltoall": "all-to-all", "broadcast": "broadcast", "reduce": "reduce", "gather": "gather", "scatter": "scatter"}
INSIDE = {"algo": "", "gpu": "algo", "copy": "gpu", "tb": "gpu", "step": "tb", "op": "tb"}
# Attributes that are read, and behind them those without an effect on times here: places in memory and what MSCCL-tools counts for the
# program on the GPU.
KNOWN = {"algo": ("name", "coll", "ngpus", "nchunksperloop", "minBytes", "maxBytes", "nchannels", "proto", "inplace", "outofplace",
                  "nthreadblocks", "redop"),
         "gpu": ("id", "i_chunks", "o_chunks", "s_chunks"), "copy": ("i_off", "o_off"), "tb": ("id", "send", "recv", "chan"),
         "step": ("s", "type", "cnt", "depid", "deps", "srcbuf", "srcoff", "dstbuf", "dstoff", "hasdep")}
KNOWN["op"] = ("step", *KNOWN["step"][1:5], "buf", "off", "hasdep")     # the other form of MSCCL-tools, old_format=False


class Block(NamedTuple):
    """A thread block."""
    send: int
    receive: int
    channel: int
    steps: list    # (line, type, chunks, block that it waits for or -1, its step)


class Reader(Place):
    """Reads one file."""

    def __init__(self, path: str):
        super().__init__(path)
        self.algorithm: dict = {}
        self.chunks = 0                       # the chunks of the largest buffer of input or output
        self.most = 0                         # the chunks of the largest buffer of any kind
        self.gpus: dict = {}                  # {rank: {number: Block}}
        self.block: Optional[Block] = None
        self.open: List[str] = []             # elements
        self.unused: Dict[str, int] = {}      # {attribute without effect: how often it is met}

    def attribute(self, given: dict, name: str, low: int, high: int, default: Optional[int] = None) -> int:
        """Read a number of an element."""
        if name in given or default is None:
            text = given.get(name)
            return self.number(text or "", name, high, low, f"no {name}" if text is None else f"{name}='{text[:CUT]}'")
        return default

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

        def text(found: str) -> None:
            if not found.isspace():
                self.line = parser.CurrentLineNumber
                raise self.error(f"the text '{found.strip()[:CUT]}'", "elements alone")

        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
        parser.StartDoctypeDeclHandler = declared
        try:
            with open_regular(self.path, LIMIT) as f:
                self.parse(parser, f)
        except xml.parsers.expat.ExpatError as error:
            raise RccError(f"{self.path}:{error.lineno}: found XML that is not well formed ({xml.parsers.expat.ErrorString(error.code)}), "
                           "expected an algorithm of MSCCL") from error
        count = self.attribute(self.algorithm, "ngpus", 1, GPUS_MAX, len(self.gpus))
        for rank in range(count):
            if rank not in self.gpus:
                raise RccError(f"{self.path}: rank {rank} is missing, expected a gpu element for each of the {counted(count, 'rank')}")
        if len(self.gpus) > count:
            raise RccError(f"{self.path}: found {counted(len(self.gpus), 'rank')}, expected ngpus='{count}' of them")

    def parse(self, parser, f) -> None:
        """Parse a file in blocks, between which an interrupt ends the program."""
        count = 0
        while True:
            block = f.read(BLOCK)
            parser.Parse(block, not block)
            count += len(block)
            if not block:
                return
            if count - max(parser.CurrentByteIndex, 0) > TAG_MAX + BLOCK:
                self.line = parser.CurrentLineNumber
                raise self.error(f"a tag or comment of more than {TAG_MAX} bytes", "a shorter one")

    def element(self, name: str, given: dict) -> None:
        inside = self.open[-1] if self.open else ""
        if INSIDE.get(name) != inside:
            raise self.error(f"the element {name[:CUT]}" + (f" in {inside}" if inside else ""),
                             {"": "algo", "algo": "gpu", "gpu": "tb", "tb": "step"}.get(inside, "no element"))
        self.open.append(name)
        for one in given:
            if one not in KNOWN[name]:
                self.unused[f"{name} {one}"] = self.unused.get(f"{name} {one}", 0) + 1
        if name == "algo":
            self.algorithm = given
            self.most = self.attribute(given, "nchunksperloop", 1, 10**9, 1)
        elif name == "gpu":
            rank = self.attribute(given, "id", 0, GPUS_MAX - 1)
            if rank in self.gpus:
                raise self.error(f"gpu {rank} again", "each once")
            self.rank = rank
            self.gpus[rank] = {}
            self.chunks = max(self.chunks, *(self.attribute(given, key, 0, 10**9, 0) for key in ("i_chunks", "o_chunks")))
            self.most = max(self.most, self.chunks, self.attribute(given, "s_chunks", 0, 10**9, 0))
        elif name == "copy":    # inside the gpu, without a message
            for one in KNOWN[name]:
                self.attribute(given, one, 0, 10**9, 0)
        elif name == "tb":
            number = self.attribute(given, "id", 0, 10**6)
            if number in self.gpus[self.rank]:
                raise self.error(f"tb {number} again", "each once in a gpu")
            self.block = Block(self.attribute(given, "send", -1, GPUS_MAX - 1), self.attribute(given, "recv", -1, GPUS_MAX - 1),
                               self.attribute(given, "chan", 0, 10**6, 0), [])
            self.gpus[self.rank][number] = self.block
        else:
            self.step(given, KNOWN[name][0])

    def step(self, given: dict, number: str) -> None:
        """Read a step, whose number in its block is the attribute `number`."""
        assert self.block
        kind = given.get("type", "")
        if kind not in SENDS | RECEIVES | LOCAL:
            raise self.error(f"type='{kind[:CUT]}'", "one of " + ", ".join(sorted(SENDS | RECEIVES | LOCAL)))
        for kinds, peer, key in ((SENDS, self.block.send, "send"), (RECEIVES, self.block.receive, "recv")):
            if kind in kinds and (peer < 0 or peer == self.rank):
                raise self.error(f"a step {kind} in a tb with {key}='{peer}'", "the number of another gpu there")
        self.attribute(given, number, len(self.block.steps), len(self.block.steps), len(self.block.steps))
        chunks = self.attribute(given, "cnt", 0 if kind in LOCAL else 1, 10**9 if kind in LOCAL else self.most, 1)
        self.block.steps.append((self.line, kind, chunks, self.attribute(given, "depid", -1, 10**6, -1),
                                 self.attribute(given, "deps", -1, 10**6, -1)))


def is_msccl(head: str) -> bool:
    """True if a file that begins so is XML."""
    return head.lstrip().startswith("<")


def add_steps(reader: Reader, schedule: Schedule, enter: int, bytes_of: Callable[[int], int]) -> list:
    """Add the steps of the gpu that the reader is at, behind `enter`. Returns the last operation of each block."""
    first, last, ends = {}, {}, []     # the operations with which each (block, step) begins and ends
    rank, blocks = reader.rank, reader.gpus[reader.rank]
    for number, block in blocks.items():
        before = enter
        for k, (line, kind, chunks, _, _) in enumerate(block.steps):
            found = []
            for side, kinds, peer in ((RECV, RECEIVES, block.receive), (SEND, SENDS, block.send)):
                if kind in kinds:
                    found.append(schedule.add(rank, side, bytes_of(chunks), peer, block.channel, "", line))
            first[number, k], *_ = found = found or [schedule.add(rank, CALC, 0, -1, 0, "", line)]
            for one in found:
                schedule.wait(one, before, False)
                before = one
            last[number, k] = before
        if before != enter:
            ends.append(before)
    for number, block in blocks.items():
        for k, (line, _, _, other, step) in enumerate(block.steps):
            reader.line = line
            if other < 0 <= step or (other >= 0 and (other, step) not in last):
                raise reader.error(f"depid='{other}' and deps='{step}'", "a tb of this gpu and one of its steps")
            if other >= 0:
                schedule.wait(first[number, k], last[other, step], False)
    return ends


def read(path: str, size: int) -> Schedule:
    """Read the algorithm on `size` bytes, as nccl-tests count them. Raises RccError with file, line and rank; OSError."""
    reader = Reader(path)
    reader.read()
    whole = reader.attribute(reader.algorithm, "nchunksperloop", 1, 10**9, max(reader.chunks, 1))

    def bytes_of(chunks: int) -> int:    # rounded up, so that all chunks hold the whole size
        return min(max(-(-size * chunks // whole), 1), SIZE_MAX)

    schedule = Schedule(path, len(reader.gpus))
    for name, good in (("minBytes", lambda bound: bound <= size), ("maxBytes", lambda bound: bound >= size or not bound)):
        if name in reader.algorithm and not good(reader.attribute(reader.algorithm, name, 0, 2**64 - 1)):
            schedule.notes.append(f"{path}: {name} is {reader.algorithm[name]}: MSCCL does not use the algorithm for {si_bytes(size)}, the "
                                  "--size here")
    schedule.note_unused(reader.unused)
    schedule.current = 0
    enters, leaves = [], []
    for reader.rank in range(schedule.ranks):
        enters.append(schedule.add(reader.rank, CALC, 0, -1, 0, "", 1))
        ends = add_steps(reader, schedule, enters[-1], bytes_of)
        leaves.append(schedule.add(reader.rank, CALC, 0, -1, 0, "", 1))
        for end in ends or enters[-1:]:
            schedule.wait(leaves[-1], end, False)
    schedule.current = -1
    coll, name = reader.algorithm.get("coll", ""), reader.algorithm.get("name", "")
    schedule.collectives.append(Collective((name or coll or "msccl")[:60], KINDS.get(coll, coll[:CUT] or "custom"), size,
                                           tuple(range(schedule.ranks)), "msccl", enters, leaves))
    return schedule
