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

import bisect
from array import array
from collections import deque
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .flows import Flows, Paths
from ..common import RccError, one_line, open_regular
from ..experiment.quantity import read_whole

CALC, SEND, RECV = 0, 1, 2
NAMES = ("calc", "send", "recv")
SIZE_MAX = 10**15             # bytes of a message
NANOSECONDS_MAX = 10**12      # the longest time of computing, and of a flow's wait
WAITING = -2                  # Schedule.part of a time before a message that is neither computing nor in a collective
CUT = 40                      # letters of a word in an error
UNUSED_SHOWN = 12             # names of fields without effect in a note


def read_text(path: str, limit: int, expected: str) -> str:
    """Read a trace of at most `limit` bytes that is a text."""
    with open_regular(path, limit) as f:
        try:
            return f.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise RccError(f"{path}: found bytes that are no text, expected {expected}") from error


class Place:
    """The place that a reader of a trace has come to."""

    def __init__(self, path: str):
        self.path = path
        self.line = 0
        self.rank = -1      # -1: none

    def error(self, found: str, expected: str) -> RccError:
        where = f"{self.path}:{self.line}: " + (f"rank {self.rank}: " if self.rank >= 0 else "")
        return RccError(f"{where}found {one_line(found)}, expected {expected}")

    def number(self, text: str, what: str, high: int, low: int = 0, found: str = "") -> int:
        """Read a whole number, with a sign only where it may be negative. `what`: it is; `found`: how an error shows the text."""
        number = read_whole(text.removeprefix("-") if low < 0 else text, max(high, -low))
        number = -number if number and text.startswith("-") else number
        if number is None or not low <= number <= high:
            raise self.error(found or f"'{text[:CUT]}'", f"{what} of {low} to {high}")
        return number


class Labels:
    """The labels of operations, by number: as one text, since an object for each would take more memory than all else."""

    def __init__(self) -> None:
        self.text = bytearray()
        self.ends = array("q", [0])      # where the first of them begins, and where each ends
        self.number = array("i")         # the label number of each operation
        self.last = ""                   # the one that was added last

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, operation: int) -> str:
        number = self.number[operation]
        return self.text[self.ends[number]:self.ends[number + 1]].decode("utf-8", "surrogatepass")

    def add(self, label: str, count: int = 1) -> None:
        """Add the label of the next operations."""
        if label != self.last or len(self.ends) == 1:
            self.text += label.encode("utf-8", "surrogatepass")
            self.ends.append(len(self.text))
            self.last = label
        self.number.extend([len(self.ends) - 2] * count)

    def add_all(self, labels: Sequence) -> None:
        """Add the labels of the next operations, each in ASCII."""
        if not labels:
            return
        end, first = len(self.text), len(self.ends) - 1
        self.text += "".join(labels).encode("ascii")
        for label in labels:
            end += len(label)
            self.ends.append(end)
        self.number.extend(range(first, first + len(labels)))
        self.last = labels[-1]


class Collective(NamedTuple):
    """A collective operation that became messages. Each of its ranks enters it with one operation and has left it at the end of another."""
    name: str           # in the trace
    kind: str           # such as all-reduce
    size: int           # bytes, as nccl-tests count them: of the larger one of a rank's input and output
    ranks: tuple
    algorithm: str
    enters: list        # the operation of each rank, in the order of `ranks`
    leaves: list


class Fan(NamedTuple):
    """Messages from each of n members of a group to each other one, at once, as numbers of operations: in n - 1 rounds k the send of each
    member to the one k places behind it, and its receive. A member's first send stands for all of its sends, and the receive of that one
    for all of their receives: they begin together, and what they do in the order of events is the same."""
    first: int      # send
    n: int
    done: int       # the first member's operation that waits for all its messages; the others' operations follow

    def sends(self, member: int) -> range:
        return range(self.first + 2 * member, self.first + 2 * self.n * (self.n - 1), 2 * self.n)

    def receives(self, member: int) -> Tuple[range, range]:
        """Return the receives of a member from those before it in the group, and from those behind it."""
        step, first = 2 * (self.n - 1), self.first + 2 * member + 1
        return range(first - 2, first - 2 + member * step, step), \
            range(first - 2 + 2 * self.n + member * step, first - 2 + 2 * self.n + (self.n - 1) * step, step)

    def latest(self, times: array, member: int) -> int:
        """Return when `done` of a member begins, by the times of all events."""
        return max(max(times[2 * one.start + 1:2 * one.stop + 1:2 * one.step])
                   for one in (self.sends(member), *self.receives(member)) if one)

    def before(self, member: int) -> list:
        """List the ends that `done` of a member waits for."""
        ends = []
        for k in range(1, self.n):
            own = self.first + 2 * ((k - 1) * self.n + member)
            other = self.first + 2 * ((k - 1) * self.n + (member - k) % self.n) + 1
            ends += [2 * min(own, other) + 1, 2 * max(own, other) + 1]
        return ends


OF_FAN = -2


class FanProgress(NamedTuple):
    """The first sends of a fan's members, and the receives, that have ended in an order of events."""
    fan: Fan
    sent: list
    arrived: list

    def begin(self, k: int) -> list:
        """End the send, or for k odd the receive, of member k >> 1. Returns the events that begin with it: `done` of a member
        waits for its own send and for the receives of all others' sends."""
        n, member = self.fan.n, k >> 1
        ours = self.arrived if k & 1 else self.sent
        ours[member] = True
        left = n - sum(self.arrived)
        if left > 1:
            return []
        last = self.arrived.index(False) if left else -1
        if not k & 1:
            begun = [member] if last in (-1, member) else []
        else:
            begun = [last] if left else [*range(member + 1, n), *range(member)]
        return [2 * (self.fan.done + one) for one in begun if self.sent[one]]


class Schedule:
    """Operations, by number, in the order of the trace, in columns: they may be millions."""

    def __init__(self, path: str, ranks: int, place: Optional[Callable] = None):
        """`place(rank, line)`: how an error begins that is about an operation; by default file, line and rank."""
        self.path, self.ranks = path, ranks
        self.place = place or (lambda rank, line: f"{self.path}:{line}: rank {rank}")
        self.notes: list = []                    # sentences about what the reader of the trace left out
        self.collectives: List[Collective] = []
        self.part = array("i")                   # the collective of an operation, -1: of none, or WAITING
        self.current = -1                        # the collective of the operations that are added
        self.rank, self.kind, self.size, self.peer = array("i"), array("b"), array("q"), array("i")   # size: bytes, or ns of computing
        self.tag = array("Q")
        self.label = Labels()
        self.line = array("Q")
        self.partner = array("i")                # the send of a receive
        self.last = array("i")                   # the last wait of a start, by number; -1: none; OF_FAN: as in its Fan
        # The columns of waits: the event, the operation that waits, and the wait of the same operation before it.
        self.event, self.later, self.previous = array("i"), array("i"), array("i")
        self.waits_for_starts = False            # whether an operation waits for the start of another one
        self.fans: List[Fan] = []                # by number
        self.first_send: Dict[int, Tuple[Fan, int]] = {}     # {first send of a member: its fan, the member}

    def __len__(self) -> int:
        return len(self.rank)

    def note_unused(self, counts: Mapping) -> None:
        """Note the fields of the trace that have no effect. `counts`: how often each name was met."""
        if counts:
            names = [f"{one_line(name[:CUT])} ({count})" for name, count in list(counts.items())[:UNUSED_SHOWN]]
            more = f" and {len(counts) - UNUSED_SHOWN} more" if len(counts) > UNUSED_SHOWN else ""
            self.notes.append(f"{self.path}: fields that have no effect: {', '.join(names)}{more}")

    def add(self, rank: int, kind: int, size: int, peer: int, tag: int, label: str, line: int) -> int:
        """Add an operation. Returns its number."""
        self.rank.append(rank)
        self.kind.append(kind)
        self.size.append(size)
        self.peer.append(peer)
        self.tag.append(tag)
        self.label.add(label)
        self.line.append(line)
        self.partner.append(-1)
        self.last.append(-1)
        self.part.append(self.current)
        return len(self.rank) - 1

    def add_all(self, rank: int, kinds: Sequence, sizes: Sequence, peers: Sequence, tags: Sequence, labels: Sequence,
                lines: Sequence) -> None:
        """Add operations of a rank, whose labels are in ASCII and whose waits may be there before."""
        count = len(kinds)
        self.rank.extend([rank] * count)
        self.kind.extend(kinds)
        self.size.extend(sizes)
        self.peer.extend(peers)
        self.tag.extend(tags)
        self.label.add_all(labels)
        self.line.extend(lines)
        self.partner.extend([-1] * count)
        self.last.extend([-1] * (len(self.rank) - len(self.last)))
        self.part.extend([self.current] * count)

    def add_messages(self, sources: Sequence, targets: Sequence, sizes: Sequence, label: str, lines: Sequence, events: Sequence) -> int:
        """Add messages between ranks, each a send and then its receive. `lines`: of each source and then of each target; `events`: what the
        first sends wait for. Returns the number of the first send."""
        first, count = len(self), len(sources)

        def interleave(ours: Sequence, others: Sequence, kind: str) -> array:
            column = array(kind, [0]) * (2 * count)
            column[::2], column[1::2] = array(kind, ours), array(kind, others)
            return column

        self.rank.extend(interleave(sources, targets, "i"))
        self.peer.extend(interleave(targets, sources, "i"))
        self.kind.extend(array("b", [SEND, RECV]) * count)
        self.size.extend(interleave(sizes, sizes, "q"))
        self.tag.extend(array("Q", [0]) * (2 * count))
        self.label.add(label, 2 * count)
        self.line.extend(interleave(lines[:count], lines[count:], "Q"))
        sends = range(first, first + 2 * count, 2)
        self.partner.extend(interleave([-1] * count, sends, "i"))
        waits = len(events)
        self.last.extend(interleave([*range(len(self.event), len(self.event) + waits), *[-1] * (count - waits)], [-1] * count, "i"))
        self.part.extend(array("i", [self.current]) * (2 * count))
        self.event.extend(events)
        self.later.extend(sends[:waits])
        self.previous.extend(array("i", [-1]) * waits)
        return first

    def wait(self, later: int, before: int, start: bool) -> None:
        """Let an operation wait for the end, or the start, of another one of its rank."""
        self.wait_for(later, 2 * before + (0 if start else 1))

    def wait_for(self, later: int, event: int) -> None:
        """Let an operation wait for an event of its rank."""
        self.event.append(event)
        self.later.append(later)
        self.previous.append(self.last[later])
        self.last[later] = len(self.event) - 1
        self.waits_for_starts = self.waits_for_starts or not event & 1

    def wait_for_ends(self, later: int, operations: Sequence) -> None:
        """Let an operation wait for the ends of several others of its rank."""
        count, first = len(operations), len(self.event)
        if count:
            self.event.extend([2 * one + 1 for one in operations])
            self.later.extend([later] * count)
            self.previous.append(self.last[later])
            self.previous.extend(range(first, first + count - 1))
            self.last[later] = first + count - 1

    def add_fan(self, first: int, n: int, done: int) -> None:
        """Let operations be a Fan. `first`: the number of the first send, which add_messages added with events for the first round alone;
        `done`: of the operation of the first member, which waits for nothing yet."""
        fan = Fan(first, n, done)
        self.fans.append(fan)
        self.first_send.update({first + 2 * member: (fan, member) for member in range(n)})
        self.last[done:done + n] = array("i", [OF_FAN]) * n

    def fan_of(self, operation: int) -> Optional[Fan]:
        """Return the fan whose message, or end, an operation is."""
        at = bisect.bisect(self.fans, (operation, 0, 0)) if self.fans else 0
        fan = self.fans[at - 1] if at else None
        return fan if fan and (operation < fan.first + 2 * fan.n * (fan.n - 1) or fan.done <= operation < fan.done + fan.n) else None

    def before(self, operation: int) -> list:
        """List the events that the start of an operation waits for, as they were added."""
        fan = self.fan_of(operation)
        if fan and operation >= fan.done:
            return fan.before(operation - fan.done)
        if fan and (operation - fan.first) % 2 == 0:
            operation = fan.first + (operation - fan.first) % (2 * fan.n)
        found = []
        wait = self.last[operation]
        while wait >= 0:
            found.append(self.event[wait])
            wait = self.previous[wait]
        return found[::-1]

    def error(self, operation: int, found: str, expected: str) -> RccError:
        label = f"{one_line(self.label[operation][:60])}: " if self.label[operation] else ""
        return RccError(f"{self.place(self.rank[operation], self.line[operation])}: {label}found {found}, expected {expected}")

    def words(self, operation: int) -> str:
        """Describe a message for an error."""
        side = "to" if self.kind[operation] == SEND else "from"
        return f"{NAMES[self.kind[operation]]} of {self.size[operation]} bytes {side} rank {self.peer[operation]} with tag " \
               f"{self.tag[operation]}"

    def match(self) -> None:
        """Give each receive its send: of one source, destination and tag the first to the first, as MPI orders them."""
        if 2 * (len(self) - self.partner.count(-1)) == len(self) - self.kind.count(CALC):
            return     # messages of collectives, which were made in pairs
        paired = bytearray(len(self))
        for i, send in enumerate(self.partner):
            if send >= 0:
                paired[i] = paired[send] = 1
        # By source, destination and tag: the sends, or the receives, that have no partner yet, one or several.
        sends: Dict[tuple, Union[int, deque]] = {}
        receives: Dict[tuple, Union[int, deque]] = {}
        odd = False
        for i, (kind, rank, peer, tag) in enumerate(zip(self.kind, self.rank, self.peer, self.tag)):
            if kind == CALC or paired[i]:
                continue
            if kind == SEND:
                key, mine, others = (rank, peer, tag), sends, receives
            else:
                key, mine, others = (peer, rank, tag), receives, sends
            first = others.pop(key, None)
            if first is None:
                have = mine.get(key)
                if isinstance(have, deque):
                    have.append(i)
                else:
                    mine[key] = i if have is None else deque((have, i))
                continue
            if isinstance(first, deque):
                other = first.popleft()
                if first:
                    others[key] = first
            else:
                other = first
            send, receive = (i, other) if kind == SEND else (other, i)
            self.partner[receive] = send
            odd = odd or self.size[send] != self.size[receive]
        if odd or sends or receives:
            self.refuse_odd(paired)

    def refuse_odd(self, paired: bytearray) -> None:
        """Raise for the first message that has no partner, or one of another size: first receives, by their source and tag."""
        sends: Dict[tuple, list] = {}
        receives: Dict[tuple, list] = {}
        for i, kind in enumerate(self.kind):
            if kind == SEND and not paired[i]:
                sends.setdefault((self.rank[i], self.peer[i], self.tag[i]), []).append(i)
            elif kind == RECV and not paired[i]:
                receives.setdefault((self.peer[i], self.rank[i], self.tag[i]), []).append(i)
        for key, found in receives.items():
            ours = sends.get(key, [])
            for receive, send in zip(found, ours):
                if self.size[receive] != self.size[send]:
                    raise self.error(receive, f"a {self.words(receive)}", f"{self.size[send]} bytes as the send at "
                                     f"{self.place(self.rank[send], self.line[send])} has")
            if len(found) > len(ours):
                raise self.error(found[len(ours)], f"a {self.words(found[len(ours)])}", "a send that matches it")
        lonely = next(ours[len(receives.get(key, []))] for key, ours in sends.items() if len(ours) > len(receives.get(key, [])))
        raise self.error(lonely, f"a {self.words(lonely)}", "a receive that matches it")

    def order(self) -> array:
        """List all events, each after those that it waits for; event 2 i is the start of operation i, 2 i + 1 its end. Raises RccError for
        a circle."""
        n = len(self)
        later, events = self.later, self.event
        left = array("i", [0, 1]) * n                    # the number of events that each event waits for
        follower = array("i", [-1]) * (2 * n)            # the first wait for an event
        following = array("i", [-1]) * len(events)       # the next wait for the same event
        receive = array("i", [-1]) * n                   # the receive of each send
        messages: Dict[int, Tuple[FanProgress, int]] = {}     # ends of the first messages of fans
        for i, send in enumerate(self.partner):
            if send >= 0:
                receive[send] = i
                left[2 * i + 1] = 2
        for fan in self.fans:
            count = 2 * fan.n * (fan.n - 1)
            left[2 * fan.first:2 * (fan.first + count):2] = array("i", [1]) * count     # starts that are not in the order
            for one in range(fan.first, fan.first + 2 * fan.n, 2):
                left[2 * one], left[2 * one + 3] = 0, 1
            left[2 * fan.done:2 * (fan.done + fan.n):2] = array("i", [1]) * fan.n
            progress = FanProgress(fan, [False] * fan.n, [False] * fan.n)
            messages.update({2 * fan.first + 1 + 2 * k: (progress, k) for k in range(2 * fan.n)})
        for i in later:
            left[2 * i] += 1
        for wait in range(len(events) - 1, -1, -1):
            event = events[wait]
            following[wait] = follower[event]
            follower[event] = wait
        done = array("i", (2 * i for i, count in enumerate(left[::2]) if not count))
        add = done.append
        for event in done:   # grows
            if event & 1:
                other = receive[event >> 1]
                if other >= 0:
                    other = 2 * other + 1
                    left[other] -= 1
                    if not left[other]:
                        add(other)
                if event in messages:
                    progress, k = messages[event]
                    for other in progress.begin(k):
                        left[other] = 0
                        add(other)
            else:
                left[event + 1] -= 1
                if not left[event + 1]:
                    add(event + 1)
            wait = follower[event]
            while wait >= 0:
                other = 2 * later[wait]
                left[other] -= 1
                if not left[other]:
                    add(other)
                wait = following[wait]
        if len(done) < 2 * n - sum(4 * fan.n * (fan.n - 1) - 3 * fan.n for fan in self.fans):
            if self.fans:     # without fans each message shows where the circle is
                self.without_fans()
                return self.order()
            self.refuse_circle(left)
        return done

    def without_fans(self) -> None:
        """Let each message of a fan stand for itself."""
        fans, self.fans, self.first_send = self.fans, [], {}
        for fan in fans:
            for member in range(fan.n):
                first, *others = fan.sends(member)
                for event in self.before(first):
                    for one in others:
                        self.wait_for(one, event)
                self.last[fan.done + member] = -1
                for event in fan.before(member):
                    self.wait_for(fan.done + member, event)

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
        """Return the messages on the network as flows. `local`: {send: ns} of the others. `size` of computing is scaled already."""
        return Paths(self, local).run(order)
