# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The messages of a trace as flows that wait for one another: what lies between two of them is a longest path over computing and over what
hosts do inside."""
from __future__ import annotations

from array import array
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

EDGES_MAX = 20_000_000        # flows that flows wait for
COMPARED = 64                 # flows of one event that are compared with what those wait for
MANY = 64                     # events from which on a join is made when somebody asks for it


class Flow(NamedTuple):
    """A message on the network. It starts at the latest of `begin` and of each flow's end and a time after it."""
    operation: int      # the send
    after: dict         # {twice the number of a flow that is acknowledged, and one more of one that has arrived: ns}
    begin: int          # ns of the run


class Flows:
    """The messages on the network, by number, in columns: they may be millions."""

    def __init__(self) -> None:
        self.operation, self.begin = array("i"), array("q")     # as in Flow
        self.first = array("q", [0])                             # the first wait of each flow, and the end of the last ones
        self.what, self.later = array("i"), array("q")           # the columns of the waits, as in Flow.after

    def __len__(self) -> int:
        return len(self.operation)

    def __getitem__(self, k: int) -> Flow:
        return Flow(self.operation[k], dict(self.waits(k)), self.begin[k])

    def __iter__(self) -> Iterator[Flow]:
        return (self[k] for k in range(len(self)))

    def waits(self, k: int) -> Iterator[Tuple[int, int]]:
        """Return the waits of a flow, as the items of Flow.after."""
        first, end = self.first[k], self.first[k + 1]
        return zip(self.what[first:end], self.later[first:end])


class Paths:
    """The flows that each event is after, and the time after them. An event is after -1: no flow; a key of Flow.after;
    or -2 - k, several, which joined[k] has. `begin`: ns of the run before which it is not, -1: none; where it is after several flows,
    joined[k] has it, and the event's time comes after that too."""

    def __init__(self, schedule: Any, local: Dict[int, int]):
        """`schedule`: a Schedule, whose module needs this one; `local`: {send: ns} of those that take no network."""
        n = len(schedule)
        self.schedule, self.local = schedule, local
        self.flows = Flows()
        self.number = array("i", [-1]) * n       # the number of a send's flow
        self.after = array("i", [-1]) * (2 * n)
        self.time, self.begin = array("q", [0]) * (2 * n), array("q", [0]) * (2 * n)
        self.joined: List[Optional[tuple]] = []  # ({key of Flow.after: ns}, begin); (None, operation): that of its start, when it is asked
        # Only a send's own flow needs its start, unless others wait for the start.
        self.keeps = schedule.waits_for_starts

    def run(self, order: array) -> Flows:
        """Go through all events, in an order in which each is after those that it waits for. Raises RccError for too many waits."""
        s, local, number = self.schedule, self.local, self.number
        after, time, begin = self.after, self.time, self.begin
        last, previous, before = s.last, s.previous, s.event
        kind, size, partner, fans = s.kind, s.size, s.partner, s.first_send
        first_of, what, begins, operation = self.flows.first, self.flows.what, self.flows.begin, self.flows.operation
        for event in order:
            i = event >> 1
            if not event & 1:
                wait = last[i]
                if wait == -1:
                    continue
                if wait >= 0 and previous[wait] < 0:
                    one = before[wait]
                    after[event], time[event], begin[event] = after[one], time[one], begin[one]
                else:
                    self.start(i)
                continue
            own, ns, at = after[event - 1], time[event - 1], begin[event - 1]
            send = partner[i]
            if send < 0 and kind[i] == 1 and i not in local:   # SEND
                k = number[i] = len(operation)
                operation.append(i)
                if own == -1:
                    begins.append(at)
                else:
                    self.wait(i, own, ns, at)
                first_of.append(len(what))
                after[event], begin[event] = 2 * k, -1
                if i in fans:
                    self.fan(i)
                continue
            more = size[i] if kind[i] == 0 else local.get(i, 0) if local else 0   # CALC
            after[event], time[event], begin[event] = own, ns + more, at + more if at >= 0 else at
            if send >= 0:
                k = number[send]
                if own == -1 and k >= 0:
                    after[event], time[event] = 2 * k + 1, 0
                    begin[event] = -1 if 0 <= begin[event] <= begins[k] else begin[event]
                else:
                    self.keep(event, self.join([(own, ns + more, begin[event]), (2 * k + 1, 0, -1) if k >= 0 else self.at(2 * send + 1)]))
        return self.flows

    def fan(self, i: int) -> None:
        """Add the messages for which the first one of a member of a fan stands."""
        fan, member = self.schedule.first_send[i]
        others = fan.sends(member)[1:]
        flows, first, count = self.flows, len(self.flows), len(others)
        flows.operation.extend(others)
        flows.begin.extend(flows.begin[-1:] * count)
        low, high = flows.first[-2], flows.first[-1]
        if high + count * (high - low) > EDGES_MAX:
            raise self.schedule.error(i, f"more than {EDGES_MAX} waits of sends for messages", "fewer")
        flows.what.extend(flows.what[low:high] * count)
        flows.later.extend(flows.later[low:high] * count)
        flows.first.extend([high + (k + 1) * (high - low) for k in range(count)])
        bounded = array("q", [-1 if flows.begin[-1] >= 0 else 0]) * count     # whether a message bounds the begin of the run already
        step, end = 2 * others.step, 2 * others.stop
        self.number[others.start:others.stop:others.step] = array("i", range(first, first + count))
        self.after[2 * others.start + 1:end:step] = array("i", range(2 * first, 2 * (first + count), 2))
        self.begin[2 * others.start + 1:end:step] = array("q", [-1]) * count
        self.after[2 * others.start + 3:end + 2:step] = array("i", range(2 * first + 1, 2 * (first + count), 2))
        self.begin[2 * others.start + 3:end + 2:step] = bounded

    def at(self, event: int) -> tuple:
        return self.after[event], self.time[event], self.begin[event]

    def start(self, i: int) -> None:
        """Compute the start of an operation that waits for several events."""
        fan = self.schedule.last[i] < 0 and self.schedule.fan_of(i)
        events = [] if fan and fan.n > MANY else self.schedule.before(i)
        if not events or len(events) > MANY:
            for one in events:      # so that what is not made yet has only made ones before it: those of a fan are messages
                if self.after[one] < -1:
                    self.several(self.after[one])
            self.after[2 * i] = -2 - len(self.joined)
            self.joined.append((None, i))
            return
        (a, x, p), (b, y, q) = self.at(events[0]), self.at(events[1])
        if len(events) == 2 and a >= 0 <= b and a != b and p < 0 and q < 0:     # as join(), which most of a large trace would go through
            high, ns, low, more = (a, x, b, y) if a > b else (b, y, a, x)
            flows, k = self.flows, high >> 1
            bounded = any(flows.what[at] == low and more <= flows.later[at] + ns for at in range(flows.first[k], flows.first[k + 1]))
            self.keep(2 * i, ({high: ns} if bounded else {a: x, b: y}, -1))
            return
        self.keep(2 * i, self.join([self.at(one) for one in events]))

    def several(self, reference: int) -> tuple:
        """Return ({key of Flow.after: ns}, begin) of -2 - k."""
        k = -2 - reference
        found = self.joined[k]
        assert found
        if found[0] is None:
            found = self.joined[k] = self.join([self.at(one) for one in self.schedule.before(found[1])])
        return found

    def keep(self, event: int, found: tuple) -> None:
        """Note the flows that an event is after, as join() returns them."""
        flows, begin = found
        if len(flows) > 1:
            self.after[event], self.time[event], self.begin[event] = -2 - len(self.joined), 0, begin
            self.joined.append(found)
        else:
            self.after[event], self.time[event] = next(iter(flows.items()), (-1, 0))
            self.begin[event] = begin

    def wait(self, i: int, own: int, ns: int, at: int) -> None:
        """Note the waits of a send's flow."""
        what, later = self.flows.what, self.flows.later
        if own >= 0:
            what.append(own)
            later.append(ns)
        else:
            found, at = self.several(own)
            at = at + ns if at >= 0 else at
            what.extend(found)
            later.extend([one + ns for one in found.values()] if ns else found.values())
            if not self.keeps and self.schedule.last[i] >= 0 and self.schedule.previous[self.schedule.last[i]] >= 0:
                self.joined[-2 - own] = None
        self.flows.begin.append(at)
        if len(what) > EDGES_MAX:
            raise self.schedule.error(i, f"more than {EDGES_MAX} waits of sends for messages", "fewer")

    def join(self, before: list) -> tuple:
        """Return the latest of some events, each (what it is after, time, begin), as ({key of Flow.after: ns}, begin), without times that
        another one bounds."""
        found: Dict[int, int] = {}
        begin = -1
        for own, ns, at in before:
            if own >= 0:
                if found.get(own, -1) < ns:
                    found[own] = ns
            elif own < -1:
                several, at = self.several(own)
                at = at + ns if at >= 0 else at
                for what, more in several.items():
                    if found.get(what, -1) < more + ns:
                        found[what] = more + ns
            if at > begin:
                begin = at
        if len(found) <= COMPARED:
            first_of, whats, laters, begins = self.flows.first, self.flows.what, self.flows.later, self.flows.begin
            for what in sorted(found, reverse=True):
                if what in found:
                    ns, k = found[what], what >> 1
                    own = begins[k]
                    if own >= 0 and begin <= own + ns:
                        begin = -1
                    for at in range(first_of[k], first_of[k + 1]):
                        other = whats[at]
                        if other in found and found[other] <= laters[at] + ns:
                            del found[other]
        return found, begin
