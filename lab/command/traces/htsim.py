# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Connection matrices of htsim (.cm; github.com/Broadcom/csg-htsim, README there), which also the simulator of Ultra Ethernet reads:

    Nodes 3
    Connections 2
    Triggers 1
    0->1 id 1 start 0 size 2000000 send_done_trigger 1
    1->2 id 2 trigger 1 size 2000000
    trigger id 1 oneshot

A connection is a message, whose start is in ps; here it is rounded to ns. One with a trigger starts when the connections that fire the
trigger are acknowledged (send_done_trigger), or have arrived (recv_done_trigger)."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional

from .schedule import CALC, CUT, NANOSECONDS_MAX, RECV, SEND, SIZE_MAX, WAITING, Place, Schedule, read_text
from ..common import RccError, counted

LIMIT = 1 << 30       # bytes of a file
RANKS_MAX = 65536
HEADER = ("Nodes", "Connections", "Triggers", "Failures")
NUMBER_MAX = 2**31    # the highest id
PS = 1000             # in a ns
FIELDS = ("id", "msg", "start", "size", "trigger", "send_done_trigger", "recv_done_trigger", "prio")
UNUSED = ("msg", "prio")
KINDS = ("oneshot", "multishot", "barrier")


class Connection(NamedTuple):
    """A line of a connection. `start` in ns; None: by `trigger`. A number of 0 is none."""
    line: int
    source: int
    target: int
    size: int
    start: Optional[int]
    trigger: int
    sent: int        # trigger that its acknowledgement fires
    received: int    # trigger that its arrival fires


class Trigger(NamedTuple):
    line: int
    kind: str
    needs: int       # connections that fire it


def is_matrix(text: str) -> bool:
    """True if a file that begins so is a connection matrix."""
    word = next((line.split()[0] for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return word in HEADER


class Reader(Place):
    """Reads one file."""

    def __init__(self, path: str):
        super().__init__(path)
        self.counts: Dict[str, int] = {}
        self.connections: List[Connection] = []
        self.triggers: Dict[int, Trigger] = {}
        self.ids: set = set()
        self.unused: Dict[str, int] = {}      # {field without effect: how often it is met}

    def read(self) -> None:
        for self.line, line in enumerate(read_text(self.path, LIMIT, "a connection matrix of htsim").splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] in HEADER and not self.connections and not self.triggers:
                self.header(words)
            elif "->" in words[0]:
                self.connection(words)
            elif words[0] == "trigger":
                self.trigger(words)
            elif words[0] == "failure":
                raise self.error("a failure of a link", "none: --faults and the rates of --links have them")
            else:
                raise self.error(f"'{words[0][:CUT]}'", "SRC->DST, trigger or failure behind the header")
        for name, found in (("Connections", len(self.connections)), ("Triggers", len(self.triggers)), ("Failures", 0)):
            if self.counts.get(name, 0) != found:
                raise RccError(f"{self.path}: found {name} {self.counts.get(name, 0)}, expected {found}, as many as follow")

    def header(self, words: list) -> None:
        if len(words) != 2 or words[0] in self.counts:
            raise self.error(f"'{' '.join(words)[:CUT]}'", f"one number after {words[0]}, once")
        self.counts[words[0]] = self.number(words[1], "a number", RANKS_MAX if words[0] == "Nodes" else 10**9, int(words[0] == "Nodes"))

    def pairs(self, words: list, names: tuple, alone: tuple = ()) -> dict:
        """Read the words of a line behind the first one: names with a value each, and some that are alone."""
        found: dict = {}
        at = 1
        while at < len(words):
            name = words[at]
            if name not in (*names, *alone) or name in found:
                raise self.error(f"'{name[:CUT]}'", f"each of {', '.join((*names, *alone))} once at most")
            has_value = name in names and not (name == "msg" and (words[at + 1:at + 2] or ["size"])[0] in FIELDS)
            found[name] = (words[at + 1:at + 2] or ["the end of the line"])[0] if has_value else ""
            at += 1 + has_value
        return found

    def connection(self, words: list) -> None:
        if "Nodes" not in self.counts:
            raise self.error("a connection", "Nodes N before it")
        source, _, target = words[0].partition("->")
        ranks = [self.number(one, "a node", self.counts["Nodes"] - 1) for one in (source, target)]
        if ranks[0] == ranks[1]:
            raise self.error(f"'{words[0][:CUT]}'", "two nodes")
        found = self.pairs(words, FIELDS)
        numbers = {name: self.number(found[name], f"{name} as a number", NUMBER_MAX, 1) if name in found else 0
                   for name in ("id", "trigger", "send_done_trigger", "recv_done_trigger")}
        if "size" not in found or ("start" in found) == ("trigger" in found):
            raise self.error("a connection with " + (", ".join(found)[:CUT] or "nothing"), "size, and one of start and trigger")
        if numbers["id"] in self.ids and "msg" not in found:
            raise self.error(f"id {numbers['id']} again", "each once")
        if numbers["id"]:
            self.ids.add(numbers["id"])
        for name in found:
            if name in UNUSED:
                self.number(found[name] or "0", f"{name} as a number", NUMBER_MAX)
                self.unused[name] = self.unused.get(name, 0) + 1
        size = self.number(found["size"], "a number of bytes", SIZE_MAX, 1)
        start = self.time(found["start"]) if "start" in found else None
        self.connections.append(Connection(self.line, ranks[0], ranks[1], size, start, numbers["trigger"], numbers["send_done_trigger"],
                                           numbers["recv_done_trigger"]))

    def time(self, text: str) -> int:
        """Read ps, which may have a fraction, as ns."""
        whole, _, fraction = text.partition(".")
        if fraction:
            self.number(fraction[:15], "a time in ps", 10**15, found=f"'{text[:CUT]}'")
        return (self.number(whole, "a time in ps", NANOSECONDS_MAX * PS, found=f"'{text[:CUT]}'") + PS // 2) // PS

    def trigger(self, words: list) -> None:
        found = self.pairs(words, ("id", "count"), KINDS)
        kinds = [one for one in KINDS if one in found]
        if "id" not in found or len(kinds) != 1:
            raise self.error("a trigger with " + (", ".join(found)[:CUT] or "nothing"), f"id and one of {', '.join(KINDS)}")
        number = self.number(found["id"], "id as a number", NUMBER_MAX, 1)
        if number in self.triggers:
            raise self.error(f"trigger {number} again", "each once")
        if kinds[0] == "multishot":
            raise self.error("a multishot trigger", "oneshot or barrier: which message ends first is known in the run alone")
        if (kinds[0] == "barrier") != ("count" in found):
            raise self.error(f"{kinds[0]} with{'' if 'count' in found else 'out'} count", "count of a barrier alone")
        self.triggers[number] = Trigger(self.line, kinds[0], self.number(found.get("count", "1"), "count as a number", 10**9, 1))

    def schedule(self) -> Schedule:
        """Return the messages, each a send and a receive, whose tag is the number of the connection."""
        schedule = Schedule(self.path, self.counts["Nodes"])
        fired: Dict[int, List[int]] = {}      # {trigger: the ends of operations that fire it}
        sends = []
        for tag, one in enumerate(self.connections):
            begin = -1
            if one.start:
                schedule.current = WAITING
                begin = schedule.add(one.source, CALC, one.start, -1, 0, "start", one.line)
                schedule.current = -1
            send = schedule.add(one.source, SEND, one.size, one.target, tag, "", one.line)
            receive = schedule.add(one.target, RECV, one.size, one.source, tag, "", one.line)
            if begin >= 0:
                schedule.wait(send, begin, False)
            sends.append(send)
            for trigger, operation in ((one.sent, send), (one.received, receive)):
                if trigger:
                    fired.setdefault(trigger, []).append(2 * operation + 1)
        self.check_triggers(fired)
        for send, one in zip(sends, self.connections):
            for event in fired.get(one.trigger, ()):
                schedule.wait_for(send, event)
        schedule.note_unused(self.unused)
        return schedule

    def check_triggers(self, fired: Dict[int, List[int]]) -> None:
        """Raise for triggers that nobody fires, or more or fewer connections than they wait for."""
        for one in self.connections:
            self.line = one.line
            for number in (one.trigger, one.sent, one.received):
                if number and number not in self.triggers:
                    raise self.error(f"trigger {number}", "a line 'trigger id N oneshot' or 'trigger id N barrier count M' with it")
        for number, trigger in self.triggers.items():
            self.line = trigger.line
            count = len(fired.get(number, ()))
            if count != trigger.needs:
                raise self.error(f"{trigger.kind} trigger {number} that {counted(count, 'connection')} {'fires' if count == 1 else 'fire'}",
                                 f"{trigger.needs} of them")


def read(path: str) -> Schedule:
    """Read a connection matrix. Raises RccError with file and line; OSError."""
    reader = Reader(path)
    reader.read()
    return reader.schedule()
