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

A file is read line by line; statements are words, so that several may share a line. Files of millions of operations have a line for each
statement: those lines are read without a look at every word."""
from __future__ import annotations

import re

from .schedule import CALC, CUT, NANOSECONDS_MAX, RECV, SEND, SIZE_MAX, Place, Schedule
from ..common import RccError, counted, open_regular

LIMIT = 1 << 32        # bytes of a file
BLOCK = 1 << 20        # bytes that are read at a time
RANKS_MAX = 65536
KINDS = {"send": SEND, "recv": RECV, "calc": CALC}
SIDES = {"send": "to", "recv": "from"}
REQUIRES = {"requires", "irequires"}
TAG_MAX = 2**63
PLACES_MAX = 999_999   # number of a cpu or nic
MARKED = re.compile("[{};,/]")
MARKS_OF_BYTES = (b"{", b"}", b";", b",", b"/")
ESCAPED = re.compile("[\udc80-\udcff]")     # bytes that are no text
OF_MESSAGE = {"to", "from", "tag", "cpu", "nic"}
# An operation in the usual order of its words.
PLAIN = re.compile(r"\s*(?:([^\s:]+):\s+)?(?:calc\s+(\d{1,20})|(?:send\s+(\d{1,20})b\s+to|recv\s+(\d{1,20})b\s+from)\s+(\d{1,20})"
                   r"(?:\s+tag\s+(\d{1,20}))?)(?:\s+cpu\s+\d{1,6}(?:\s+nic\s+(\d{1,6}))?)?\s*", re.ASCII)
MARKS = str.maketrans({"{": " { ", "}": " } ", ";": " ", ",": " "})


def first_words(path: str) -> list:
    """Return the words of the first line that has any."""
    inside = False
    with open_regular(path, LIMIT) as f:
        for raw in f:
            line, inside = uncommented(raw.decode("utf-8", "replace"), inside)
            found = line.translate(MARKS).split()
            if found:
                return found
    return []


def uncommented(line: str, inside: bool) -> tuple:
    """Remove the comments of a line. Returns the rest, and True if a comment goes on."""
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


class Reader(Place):
    """Reads the statements of one file. Its place is the last statement and the rank whose block is open."""

    def __init__(self, path: str):
        super().__init__(path)
        self.inside = False            # a comment
        self.labels: dict = {}         # the labels of this rank's operations
        self.waits: list = []          # (line, label, label, whether for the start alone) of this rank
        self.seen: set = set()         # ranks
        self.nics: dict = {}           # {nic but 0: the messages that name it}
        self.schedule = Schedule(path, 0)

    def read(self) -> Schedule:
        number = 0     # the number of lines before the block
        with open_regular(self.path, LIMIT) as f:
            while True:
                raw = f.read(BLOCK) + f.readline()
                if not raw:
                    return self.end(number)
                number += self.block(raw, number)

    def block(self, raw: bytes, before: int) -> int:
        """Read some lines. `before`: how many there are before them. Returns how many they are."""
        ascii_alone = raw.isascii()
        lines = raw.decode("ascii" if ascii_alone else "utf-8", "surrogateescape").split("\n")
        if not lines[-1]:
            lines.pop()
        marked = any(mark in raw for mark in MARKS_OF_BYTES)
        at = 0
        while at < len(lines):
            if ascii_alone and self.rank >= 0 and not self.inside:
                at = self.plain_lines(lines, at, before, marked)
            if at < len(lines):
                self.any_line(lines[at], before + at + 1)
                at += 1
        return len(lines)

    def any_line(self, line: str, number: int) -> None:
        if ESCAPED.search(line):
            raise RccError(f"{self.path}:{number}: found bytes that are no text, expected a schedule in GOAL's text form")
        line, self.inside = uncommented(line, self.inside)
        found = line.translate(MARKS).split()
        self.line = number if found else self.line
        at = 0
        while at < len(found):
            at = self.statement(found, at)

    def plain_lines(self, lines: list, first: int, before: int, marked: bool) -> int:
        """Read the lines from `first` on as long as each is one statement in the usual order of its words, and right. Returns the number of
        the first one that is not."""
        s, labels = self.schedule, self.labels
        one = len(s)
        rows = []      # as add_all() has them
        at = first
        for at in range(first, len(lines) + 1):
            if at == len(lines) or (marked and MARKED.search(lines[at])):
                break
            words = lines[at].split() if "requires" in lines[at] or not lines[at].strip() else None
            if words is None:
                operation = PLAIN.fullmatch(lines[at])
                found = self.plain(*operation.groups()) if operation else ()
                if not found or found[-1] in labels:
                    break
                if found[-1]:
                    labels[found[-1]] = one
                one += 1
                rows.append((*found, before + at + 1))
                s.last.append(-1)
            elif words:
                if len(words) != 3 or words[1] not in REQUIRES or words[0] in KINDS or words[0][-1] == ":":
                    break
                later, other = labels.get(words[0]), labels.get(words[2])
                if later is None or other is None or self.waits:
                    self.waits.append((before + at + 1, words[0], words[2], words[1] == "irequires"))
                else:
                    s.wait_for(later, 2 * other + (words[1] == "requires"))
        if rows:
            s.add_all(self.rank, *zip(*rows))
        self.line = next((before + k + 1 for k in range(at - 1, first - 1, -1) if lines[k].strip()), self.line)
        return at

    def plain(self, label: str, ns: str, sent: str, received: str, peer: str, tag: str, nic: str) -> tuple:
        """Return (kind, bytes or ns, peer, tag, label) of an operation that PLAIN has found; () of one that is wrong."""
        label = label or ""
        if ns:
            return (CALC, int(ns), -1, 0, label) if int(ns) <= NANOSECONDS_MAX else ()
        size, other, number = int(sent or received), int(peer), int(tag or 0)
        good = size <= SIZE_MAX and other < self.schedule.ranks and other != self.rank and number <= TAG_MAX
        if good and nic:
            self.count_nic(nic)
        return (SEND if sent else RECV, size, other, number, label) if good else ()

    def count_nic(self, text: str) -> None:
        """Count a message that names a nic."""
        if text.strip("0"):
            self.nics[int(text)] = self.nics.get(int(text), 0) + 1

    def end(self, number: int) -> Schedule:
        """Check the end of the file. `number`: how many lines it has."""
        if self.inside:
            raise RccError(f"{self.path}:{number}: found the end in a comment, expected */")
        if self.rank >= 0:
            raise self.error("the end of the file", "} after the operations of the rank")
        if not self.schedule.ranks:
            raise self.error("no operation", "num_ranks N")
        for rank in range(self.schedule.ranks):
            if rank not in self.seen:
                raise RccError(f"{self.path}: rank {rank} is missing, expected a block for each of the {self.schedule.ranks} ranks")
        self.schedule.notes += nic_note(self.path, self.nics)
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
                raise self.error(f"'{word[:CUT]} {after}'", "a label after it")
            self.waits.append((self.line, word, found[at + 2], after == "irequires"))
            return at + 3
        raise self.error(f"'{word[:CUT]}'", "send, recv, calc, 'LABEL requires LABEL' or }")

    def header(self, found: list, at: int) -> int:
        """Read num_ranks N or rank R {."""
        if found[at] == "num_ranks" and at + 1 < len(found) and not self.schedule.ranks:
            self.schedule.ranks = self.number(found[at + 1], "a number of ranks", RANKS_MAX)
            if not self.schedule.ranks:
                raise self.error("'0'", f"1 to {RANKS_MAX} ranks")
            return at + 2
        if found[at] != "rank" or found[at + 2:at + 3] != ["{"]:
            raise self.error(f"'{' '.join(found[at:at + 3])[:CUT]}'", "num_ranks N once, and then rank R { for each rank")
        if not self.schedule.ranks:
            raise self.error("'rank'", "num_ranks N before it")
        rank = self.number(found[at + 1], "a rank", self.schedule.ranks - 1)
        if rank in self.seen:
            raise self.error(f"rank {rank} again", "each rank once")
        self.seen.add(rank)
        self.rank, self.labels, self.waits = rank, {}, []
        return at + 3

    def operation(self, found: list, at: int, label: str) -> int:
        """Read a calc, or a message, which has a side."""
        word, side = found[at], SIDES.get(found[at], "")
        text = found[at + 1] if at + 1 < len(found) else "the end of the line"
        if side and not text.endswith("b"):
            raise self.error(f"'{text[:CUT]}'", "a number of bytes such as 4096b")
        size = self.number(text[:-1], "a number of bytes", SIZE_MAX) if side else self.number(text, "a time in ns", NANOSECONDS_MAX)
        fields, at = self.fields(found, at + 2)
        if side and side not in fields:
            raise self.error(f"a {word} without '{side}'", f"'{side} RANK' after the bytes")
        known = (side, "tag", "cpu") if side else ("cpu",)
        for one in fields:
            if one not in (*known, "nic"):
                raise self.error(f"'{one}' of a {word}", f"{', '.join(known)} and nic alone")
        for one in ("cpu", "nic"):
            self.number(fields.get(one, "0"), f"a number of a {one}", PLACES_MAX)
        for one, what in (("from", "any source"), ("tag", "any tag")):
            if fields.get(one) == "-1" and word == "recv":
                raise self.error(f"'{one} -1' ({what})", f"a {'rank' if one == 'from' else 'tag'}: a receive is matched before the run")
        if side:
            self.count_nic(fields.get("nic", "0"))
        peer = self.number(fields[side], "a rank", self.schedule.ranks - 1) if side else -1
        tag = self.number(fields.get("tag", "0"), "a tag", TAG_MAX)
        if peer == self.rank:
            raise self.error(f"'{side} {peer}'", "another rank")
        if label and label in self.labels:
            raise self.error(f"the label {label[:CUT]} again", "each label once in a rank")
        number = self.schedule.add(self.rank, KINDS[word], size, peer, tag, label, self.line)
        if label:
            self.labels[label] = number
        return at

    def fields(self, found: list, at: int) -> tuple:
        """Return the pairs of words after an operation, and the position after them."""
        fields: dict = {}
        while at < len(found) and found[at] in OF_MESSAGE:
            if at + 1 >= len(found) or found[at] in fields:
                raise self.error(f"'{found[at]}'", "one value after each of to, from, tag, cpu and nic")
            fields[found[at]] = found[at + 1]
            at += 2
        return fields, at

    def close(self) -> None:
        """End a rank: all its labels are known now."""
        for self.line, later, before, start in self.waits:
            for label in (later, before):
                if label not in self.labels:
                    raise self.error(f"'{label[:CUT]}'", "the label of an operation of this rank")
            self.schedule.wait(self.labels[later], self.labels[before], start)
        self.rank = -1


def nic_note(path: str, nics: dict) -> list:
    """Return a note about messages of other NICs than 0, if there are any. `nics`: how many messages name each of them."""
    names, count = ", ".join(map(str, sorted(nics)[:8])), counted(sum(nics.values()), "message")
    return [f"{path}: {count} of nic {names}: here a rank has one NIC for all its messages"] if nics else []


def is_goal(head: list) -> bool:
    """True if a file is a schedule of GOAL. `head`: its first words, without comments."""
    return head[:1] == ["num_ranks"]


def read(path: str) -> Schedule:
    """Read a schedule. Raises RccError with file, line and rank; OSError."""
    return Reader(path).read()
