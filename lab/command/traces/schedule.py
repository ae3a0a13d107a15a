# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A trace as operations of ranks that wait for one another: sends, receives, computing. Whatever format it has, this is checked and
becomes flows.

The start and the end of an operation are two events. Every event is at the latest of some earlier ones, each with a time after it: the
start after what the operation waits for, the end of computing its time later, the end of a send when its flow is acknowledged, the end of
a receive at its own start or the end of the matching flow, whichever is later. What lies between two flows is therefore a longest path,
and a flow starts at the latest of `end of another flow + a time` and a time of the run: no approximation."""
from __future__ import annotations

from array import array
from typing import Callable, List, NamedTuple, Optional

from ..common import RccError

CALC, SEND, RECV = 0, 1, 2
NAMES = ("calc", "send", "recv")
SIZE_MAX = 10**15             # bytes of a message
NANOSECONDS_MAX = 10**12      # of computing, and of a time that a flow waits
EDGES_MAX = 20_000_000        # flows that flows wait for
COMPARED = 64                 # flows of one event that are compared with what those wait for


class Flow(NamedTuple):
    """A message on the network. It starts at the latest of `begin` and of each flow's end and a time after it."""
    operation: int      # the send
    after: dict         # {number of a flow: ns}
    begin: int          # ns of the run


class Collective(NamedTuple):
    """A collective operation that became messages. Each of its ranks enters it with one operation and has left it at the end of another."""
    name: str           # in the trace
    kind: str           # such as all-reduce
    size: int           # bytes, as nccl-tests count them: of the larger one of a rank's input and output
    ranks: tuple
    algorithm: str
    enters: list        # operations, in the order of `ranks`
    leaves: list


class Schedule:
    """Operations, by number, in the order of the trace. Columns, as there may be millions."""

    def __init__(self, path: str, ranks: int, place: Optional[Callable] = None):
        """`place(rank, line)`: how an error begins that is about an operation; by default file, line and rank."""
        self.path, self.ranks = path, ranks
        self.place = place or (lambda rank, line: f"{self.path}:{line}: rank {rank}")
        self.notes: list = []                    # what the reader of the trace left out, for people
        self.collectives: List[Collective] = []
        self.part: array = array("l")            # the collective of an operation, -1: of none
        self.current = -1                        # of the operations that are added
        self.rank, self.kind, self.size, self.peer = array("l"), array("b"), array("q"), array("l")   # size: bytes, or ns of computing
        self.tag: list = []
        self.label: list = []
        self.line = array("l")
        self.before: List[Optional[list]] = []   # events that the start waits for
        self.partner = array("q")                # the send of a receive

    def __len__(self) -> int:
        return len(self.rank)

    def add(self, rank: int, kind: int, size: int, peer: int, tag: int, label: str, line: int) -> int:
        """Add an operation. Returns its number."""
        for column, value in ((self.rank, rank), (self.kind, kind), (self.size, size), (self.peer, peer), (self.tag, tag),
                              (self.label, label), (self.line, line), (self.before, None), (self.partner, -1), (self.part, self.current)):
            column.append(value)
        return len(self.rank) - 1

    def wait(self, later: int, before: int, start: bool) -> None:
        """Let an operation wait for the end, or the start, of another one of its rank."""
        event = 2 * before + (0 if start else 1)
        self.before[later] = (self.before[later] or []) + [event]

    def error(self, operation: int, found: str, expected: str) -> RccError:
        label = f"{self.label[operation]}: " if self.label[operation] else ""
        return RccError(f"{self.place(self.rank[operation], self.line[operation])}: {label}found {found}, expected {expected}")

    def words(self, operation: int) -> str:
        """Of a message, for an error."""
        side = "to" if self.kind[operation] == SEND else "from"
        return f"{NAMES[self.kind[operation]]} of {self.size[operation]} bytes {side} rank {self.peer[operation]} with tag " \
               f"{self.tag[operation]}"

    def match(self) -> None:
        """Give each receive its send: of one source, destination and tag the first to the first, as MPI orders them."""
        open_sends: dict = {}
        receives: dict = {}
        paired = bytearray(len(self))    # messages of collectives, which were made in pairs
        for i, send in enumerate(self.partner):
            if send >= 0:
                paired[i] = paired[send] = 1
        for i, kind in enumerate(self.kind):
            if paired[i]:
                continue
            if kind == SEND:
                open_sends.setdefault((self.rank[i], self.peer[i], self.tag[i]), []).append(i)
            elif kind == RECV:
                receives.setdefault((self.peer[i], self.rank[i], self.tag[i]), []).append(i)
        for key, found in receives.items():
            sends = open_sends.get(key, [])
            for receive, send in zip(found, sends):
                if self.size[receive] != self.size[send]:
                    raise self.error(receive, f"a {self.words(receive)}", f"{self.size[send]} bytes as the send at "
                                     f"{self.place(self.rank[send], self.line[send])} has")
                self.partner[receive] = send
            if len(found) > len(sends):
                raise self.error(found[len(sends)], f"a {self.words(found[len(sends)])}", "a send that matches it")
        for key, sends in open_sends.items():
            if len(sends) > len(receives.get(key, [])):
                lonely = sends[len(receives.get(key, []))]
                raise self.error(lonely, f"a {self.words(lonely)}", "a receive that matches it")

    def order(self) -> list:
        """All events, each after those that it waits for; event 2 i is the start of operation i, 2 i + 1 its end. Raises RccError for a
        circle."""
        n = len(self)
        followers: List[Optional[list]] = [None] * (2 * n)
        left = array("l", bytes(array("l").itemsize * 2 * n))
        for i in range(n):
            left[2 * i + 1] = 1
            for event in self.before[i] or ():
                followers[event] = (followers[event] or []) + [2 * i]
                left[2 * i] += 1
            if self.partner[i] >= 0:
                event = 2 * self.partner[i] + 1
                followers[event] = (followers[event] or []) + [2 * i + 1]
                left[2 * i + 1] += 1
        done = [2 * i for i in range(n) if left[2 * i] == 0]
        for event in done:   # grows
            for other in (*(() if event & 1 else (event + 1,)), *(followers[event] or ())):
                left[other] -= 1
                if left[other] == 0:
                    done.append(other)
        if len(done) < 2 * n:
            self.refuse_circle(left)
        return done

    def refuse_circle(self, left: array) -> None:
        """Raise for an operation of a circle: back from any event that waits, until one is met again."""
        event = next(e for e in range(len(left)) if left[e])
        seen: set = set()
        while event not in seen:
            seen.add(event)
            i = event >> 1
            before = list(self.before[i] or []) if event % 2 == 0 else [2 * i] + ([2 * self.partner[i] + 1] if self.partner[i] >= 0 else [])
            event = next(e for e in before if left[e])
        i = event >> 1
        raise self.error(i, f"a {NAMES[self.kind[i]]} that waits for itself, by way of others", "no operations that wait in a circle")

    def flows(self, order: list, local: dict) -> list:
        """The messages that take the network as flows. `local`: {send: ns} of the others. `size` of computing is scaled already."""
        flows: list = []
        number: dict = {}
        events: list = [None] * (2 * len(self))   # (flows that it is after, time after them, ns of the run)
        edges = 0
        for event in order:
            i = event >> 1
            if event % 2 == 0:
                events[event] = join([events[e] for e in self.before[i] or ()], flows)
                continue
            after, later, begin = events[event - 1]
            if self.kind[i] == SEND and i not in local:
                flow = Flow(i, {f: ns + later for f, ns in after.items()}, begin)
                edges += len(flow.after)
                if edges > EDGES_MAX:
                    raise self.error(i, f"more than {EDGES_MAX} waits of sends for messages", "fewer")
                number[i] = len(flows)
                flows.append(flow)
                events[event] = ({number[i]: 0}, 0, -1)
                continue
            ns = self.size[i] if self.kind[i] == CALC else local.get(i, 0)
            events[event] = (after, later + ns, begin + ns if begin >= 0 else begin)
            if self.partner[i] >= 0:
                events[event] = join([events[event], events[2 * self.partner[i] + 1]], flows)
        return flows


def join(before: list, flows: list) -> tuple:
    """The latest of some events. A time that another one bounds already is left out."""
    if not before:
        return {}, 0, 0
    if len(before) == 1:
        return before[0]
    found: dict = {}
    begin = -1
    for after, later, own in before:
        begin = max(begin, own)
        for flow, ns in after.items():
            found[flow] = max(found.get(flow, 0), ns + later)
    if len(found) <= COMPARED:
        for flow in sorted(found, reverse=True):
            if flow in found:
                ns = found[flow]
                if flows[flow].begin >= 0 and begin <= flows[flow].begin + ns:
                    begin = -1
                for other, earlier in flows[flow].after.items():
                    if other in found and found[other] <= earlier + ns:
                        del found[other]
    return found, 0, begin
