# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Schedules in the text form of GOAL (Hoefler, Siebert, Lumsdaine: "Group Operation Assembly Language", ICPP 2009), as LogGOPSim reads
it:

    num_ranks 2
    rank 0 {
      a: calc 100
      b: send 4b to 1 tag 3 cpu 0 nic 0
      b requires a
    }
    rank 1 { recv 4b from 0 tag 3 }

A file is read line by line; statements are words, so that several may share a line."""
from __future__ import annotations

from typing import Iterator

from .schedule import CALC, NANOSECONDS_MAX, RECV, SEND, SIZE_MAX, Schedule
from ..common import RccError, open_regular

LIMIT = 1 << 32        # bytes of a file
RANKS_MAX = 65536
KINDS = {"send": SEND, "recv": RECV, "calc": CALC}
OF_MESSAGE = {"to", "from", "tag", "cpu", "nic"}
MARKS = str.maketrans({"{": " { ", "}": " } ", ";": " ", ",": " "})


def words(path: str) -> Iterator[tuple]:
    """(number, words) of each line that has any; comments are // to the end of a line and /* */."""
    inside = False
    number = 0
    with open_regular(path, LIMIT) as f:
        for number, raw in enumerate(f, 1):
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise RccError(f"{path}:{number}: found bytes that are no text, expected a schedule in GOAL's text form") from error
            if inside or "/" in line:
                line, inside = uncommented(line, inside)
            found = line.translate(MARKS).split()
            if found:
                yield number, found
    if inside:
        raise RccError(f"{path}:{number}: found the end in a comment, expected */")


def uncommented(line: str, inside: bool) -> tuple:
    """A line without its comments, and whether one goes on."""
    kept = ""
    while line:
        if inside:
            _, end, line = line.partition("*/")
            inside = not end
            continue
        block, rest = line.find("/*"), line.find("//")
        if rest >= 0 and (block < 0 or rest < block):
            return kept + line[:rest], False
        if block < 0:
            return kept + line, False
        kept, line, inside = kept + line[:block] + " ", line[block + 2:], True
    return kept, inside


class Reader:
    """Reads the statements of one file."""

    def __init__(self, path: str):
        self.path = path
        self.line = 0
        self.rank = -1                 # whose block is open; -1: none
        self.labels: dict = {}         # of this rank's operations
        self.waits: list = []          # (line, label, label, whether for the start alone) of this rank
        self.seen: set = set()         # ranks
        self.schedule = Schedule(path, 0)

    def error(self, found: str, expected: str) -> RccError:
        where = f"{self.path}:{self.line}: " + (f"rank {self.rank}: " if self.rank >= 0 else "")
        return RccError(f"{where}found {found}, expected {expected}")

    def number(self, text: str, what: str, most: int) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) > most:
            raise self.error(f"'{text}'", f"{what} of 0 to {most}")
        return int(text)

    def read(self) -> Schedule:
        for self.line, found in words(self.path):
            at = 0
            while at < len(found):
                at = self.statement(found, at)
        if self.rank >= 0:
            raise self.error("the end of the file", "} after the operations of the rank")
        if not self.schedule.ranks:
            raise self.error("no operation", "num_ranks N")
        for rank in range(self.schedule.ranks):
            if rank not in self.seen:
                raise RccError(f"{self.path}: rank {rank} is missing, expected a block for each of the {self.schedule.ranks} ranks")
        return self.schedule

    def statement(self, found: list, at: int) -> int:
        """Read the statement that begins with a word of a line. Returns the word after it."""
        word = found[at]
        if self.rank < 0:
            return self.header(found, at)
        if word == "}":
            self.close()
            return at + 1
        label = ""
        if word.endswith(":") or found[at + 1:at + 2] == [":"]:
            label = word.rstrip(":")
            at += 1 if word.endswith(":") else 2
            word = found[at] if at < len(found) else "the end of the line"
        if word in KINDS:
            return self.operation(found, at, label)
        after = found[at + 1] if at + 1 < len(found) else ""
        if not label and after in ("requires", "irequires"):
            if at + 2 >= len(found):
                raise self.error(f"'{word} {after}'", "a label after it")
            self.waits.append((self.line, word, found[at + 2], after == "irequires"))
            return at + 3
        raise self.error(f"'{word}'", "send, recv, calc, 'LABEL requires LABEL' or }")

    def header(self, found: list, at: int) -> int:
        """num_ranks N, and rank R {."""
        if found[at] == "num_ranks" and at + 1 < len(found) and not self.schedule.ranks:
            self.schedule.ranks = self.number(found[at + 1], "a number of ranks", RANKS_MAX)
            if not self.schedule.ranks:
                raise self.error("'0'", f"1 to {RANKS_MAX} ranks")
            return at + 2
        if found[at] != "rank" or found[at + 2:at + 3] != ["{"]:
            raise self.error(f"'{' '.join(found[at:at + 3])}'", "num_ranks N once, and then rank R { for each rank")
        if not self.schedule.ranks:
            raise self.error("'rank'", "num_ranks N before it")
        rank = self.number(found[at + 1], "a rank", self.schedule.ranks - 1)
        if rank in self.seen:
            raise self.error(f"rank {rank} again", "each rank once")
        self.seen.add(rank)
        self.rank, self.labels, self.waits = rank, {}, []
        return at + 3

    def operation(self, found: list, at: int, label: str) -> int:
        kind = KINDS[found[at]]
        text = found[at + 1] if at + 1 < len(found) else "the end of the line"
        if kind == CALC:
            size, peer, tag = self.number(text, "a time in ns", NANOSECONDS_MAX), -1, 0
            fields, at = self.fields(found, at + 2)
        else:
            if not text.endswith("b"):
                raise self.error(f"'{text}'", "a number of bytes such as 4096b")
            size = self.number(text[:-1], "a number of bytes", SIZE_MAX)
            side = "to" if kind == SEND else "from"
            fields, at = self.fields(found, at + 2)
            if side not in fields:
                raise self.error(f"a {'send' if kind == SEND else 'recv'} without '{side}'", f"'{side} RANK' after the bytes")
            peer, tag = self.number(fields[side], "a rank", self.schedule.ranks - 1), self.number(fields.get("tag", "0"), "a tag", 2**63)
            if peer == self.rank:
                raise self.error(f"'{side} {peer}'", "another rank")
        if label and label in self.labels:
            raise self.error(f"the label {label} again", "each label once in a rank")
        number = self.schedule.add(self.rank, kind, size, peer, tag, label, self.line)
        if label:
            self.labels[label] = number
        return at

    def fields(self, found: list, at: int) -> tuple:
        """The pairs of words after an operation, and the word after them."""
        fields: dict = {}
        while at < len(found) and found[at] in OF_MESSAGE:
            if at + 1 >= len(found) or found[at] in fields:
                raise self.error(f"'{found[at]}'", "one value after each of to, from, tag, cpu and nic")
            fields[found[at]] = found[at + 1]
            at += 2
        return fields, at

    def close(self) -> None:
        """The end of a rank: its labels are known now."""
        for self.line, later, before, start in self.waits:
            for label in (later, before):
                if label not in self.labels:
                    raise self.error(f"'{label}'", "the label of an operation of this rank")
            self.schedule.wait(self.labels[later], self.labels[before], start)
        self.rank = -1


def is_goal(head: str) -> bool:
    """Whether a file that begins so is one. `head`: its first lines, without comments."""
    return head.split()[:1] == ["num_ranks"]


def read(path: str) -> Schedule:
    """Raises RccError with file, line and rank; OSError."""
    return Reader(path).read()
