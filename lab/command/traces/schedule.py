# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A trace as operations of ranks that wait for one another: sends, receives, computing. Whatever format it has, this is checked and
becomes flows.

The start and the end of an operation are two events. Every event is at the latest of some earlier ones, each with a time after it: the
start after what the operation waits for, the end of computing its time later, the end of a send when its flow is acknowledged, the end of
a receive at its own start or when the last byte of the matching flow has arrived, whichever is later. What lies between two flows is
therefore a longest path, and a flow starts at the latest of `end of another flow + a time` and a time of the run: no approximation. A host
knows all that its flows wait for."""
from __future__ import annotations

from array import array
from typing import Callable, Iterator, List, NamedTuple, Optional, Tuple

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
    after: dict         # {twice the number of a flow that is acknowledged, and one more of one that has arrived: ns}
    begin: int          # ns of the run


class Flows:
    """The messages on the network, by number. Columns, as there may be millions."""

    def __init__(self) -> None:
        self.operation, self.begin = array("l"), array("q")     # as in Flow
        self.first = array("q", [0])                             # of the waits of each flow, and behind those of the last one
        self.what, self.later = array("q"), array("q")           # of the waits, as in Flow.after

    def __len__(self) -> int:
        return len(self.operation)

    def __getitem__(self, k: int) -> Flow:
        return Flow(self.operation[k], dict(self.waits(k)), self.begin[k])

    def __iter__(self) -> Iterator[Flow]:
        return (self[k] for k in range(len(self)))

    def waits(self, k: int) -> Iterator[Tuple[int, int]]:
        """What a flow waits for, as the items of Flow.after."""
        first, end = self.first[k], self.first[k + 1]
        return zip(self.what[first:end], self.later[first:end])

    def add(self, operation: int, after: dict, later: int, begin: int) -> int:
        """Add a flow that starts `later` ns after each of some others counts. Returns its number."""
        self.operation.append(operation)
        self.begin.append(begin)
        for what, ns in after.items():
            self.what.append(what)
            self.later.append(ns + later)
        self.first.append(len(self.what))
        return len(self.operation) - 1


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
        self.partner = array("l")                # the send of a receive
        self.last = array("l")                   # of the waits of a start, a number below; -1: there is none
        self.event, self.previous = array("l"), array("l")   # of each wait: the event, and the wait of the same start before it

    def __len__(self) -> int:
        return len(self.rank)

    def add(self, rank: int, kind: int, size: int, peer: int, tag: int, label: str, line: int) -> int:
        """Add an operation. Returns its number."""
        self.rank.append(rank)
        self.kind.append(kind)
        self.size.append(size)
        self.peer.append(peer)
        self.tag.append(tag)
        self.label.append(label)
        self.line.append(line)
        self.partner.append(-1)
        self.last.append(-1)
        self.part.append(self.current)
        return len(self.rank) - 1

    def wait(self, later: int, before: int, start: bool) -> None:
        """Let an operation wait for the end, or the start, of another one of its rank."""
        self.wait_for(later, 2 * before + (0 if start else 1))

    def wait_for(self, later: int, event: int) -> None:
        """Let an operation wait for an event of its rank."""
        self.event.append(event)
        self.previous.append(self.last[later])
        self.last[later] = len(self.event) - 1

    def before(self, operation: int) -> list:
        """The events that the start of an operation waits for, as they were added."""
        found = []
        wait = self.last[operation]
        while wait >= 0:
            found.append(self.event[wait])
            wait = self.previous[wait]
        return found[::-1]

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

    def order(self) -> array:
        """All events, each after those that it waits for; event 2 i is the start of operation i, 2 i + 1 its end. Raises RccError for a
        circle."""
        n = len(self)
        left = array("l", [0, 1] * n)                # what each event waits for
        follower = array("l", [-1]) * (2 * n)        # the first wait for an event
        following = array("l", [-1]) * len(self.event)   # of each wait, the next one for the same event
        start = array("l", [0]) * len(self.event)        # of each wait, the event that waits
        receive = array("l", [-1]) * n               # of each send
        for i in range(n):
            wait = self.last[i]
            while wait >= 0:
                start[wait] = 2 * i
                left[2 * i] += 1
                wait = self.previous[wait]
            if self.partner[i] >= 0:
                receive[self.partner[i]] = i
                left[2 * i + 1] += 1
        for wait in reversed(range(len(self.event))):
            event = self.event[wait]
            following[wait] = follower[event]
            follower[event] = wait
        done = array("l", (2 * i for i in range(n) if left[2 * i] == 0))
        at = 0
        while at < len(done):
            event = done[at]
            at += 1
            others = [] if event & 1 else [event + 1]
            if event & 1 and receive[event >> 1] >= 0:
                others.append(2 * receive[event >> 1] + 1)
            wait = follower[event]
            while wait >= 0:
                others.append(start[wait])
                wait = following[wait]
            for other in others:
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
            before = self.before(i) if event % 2 == 0 else [2 * i] + ([2 * self.partner[i] + 1] if self.partner[i] >= 0 else [])
            event = next(e for e in before if left[e])
        i = event >> 1
        raise self.error(i, f"a {NAMES[self.kind[i]]} that waits for itself, by way of others", "no operations that wait in a circle")

    def flows(self, order: array, local: dict) -> Flows:
        """The messages that take the network as flows. `local`: {send: ns} of the others. `size` of computing is scaled already."""
        flows = Flows()
        number = array("l", [-1]) * len(self)
        # Of an event: when a flow counts, as a key of Flow.after, or (flows that it is after, as there, time after them, ns of the run).
        events: list = [None] * (2 * len(self))
        for event in order:
            i = event >> 1
            if event % 2 == 0:
                events[event] = join([events[e] for e in self.before(i)], flows)
                continue
            send = self.partner[i]
            if self.kind[i] == SEND and i not in local:
                number[i] = flows.add(i, *columns(events[event - 1]))
                if len(flows.what) > EDGES_MAX:
                    raise self.error(i, f"more than {EDGES_MAX} waits of sends for messages", "fewer")
                events[event] = 2 * number[i]
                continue
            ns = self.size[i] if self.kind[i] == CALC else local.get(i, 0)
            events[event] = later(events[event - 1], ns)
            if send >= 0:
                events[event] = join([events[event], 2 * number[send] + 1 if number[send] >= 0 else events[2 * send + 1]], flows)
        return flows


AT_ONCE: tuple = ({}, 0, 0)    # an event of the begin of the run


def columns(event) -> tuple:
    """An event of Schedule.flows() as (flows that it is after, time after them, ns of the run)."""
    return ({event: 0}, 0, -1) if isinstance(event, int) else event


def later(event, ns: int):
    """An event `ns` after another one."""
    if not ns:
        return event
    after, time, begin = columns(event)
    return after, time + ns, begin + ns if begin >= 0 else begin


def join(before: list, flows: Flows):
    """The latest of some events. A time that another one bounds already is left out."""
    if not before:
        return AT_ONCE
    if len(before) == 1:
        return before[0]
    found: dict = {}
    begin = -1
    for after, time, own in map(columns, before):
        begin = max(begin, own)
        for what, ns in after.items():
            found[what] = max(found.get(what, 0), ns + time)
    if len(found) <= COMPARED:
        for what in sorted(found, reverse=True):
            if what in found:
                ns = found[what]
                own = flows.begin[what >> 1]
                if own >= 0 and begin <= own + ns:
                    begin = -1
                for other, earlier in flows.waits(what >> 1):
                    if other in found and found[other] <= earlier + ns:
                        del found[other]
    return found, 0, begin
