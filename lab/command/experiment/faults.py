# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A file of faults: lines KIND KEY=VALUE... (lab/doc/reliability.md)."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, NoReturn, Optional, Tuple

from .json_lines import at, quoted
from .model import LINE_RATE, TIME_MAX, Fault, Node
from .quantity import read_whole, read_within
from .refusal import Statement
from ..common import open_regular

BYTES_MAX = 1 << 20
FAULTS_MAX = 10_000
NODE_MAX, U32_MAX = 2**32 - 2, 2**32 - 1
FRAMES = ("DATA", "ACK", "NAK", "CNP", "CNM", "PFC", "IP")   # by bit
FORGED = FRAMES[:5]               # PFC and IP are not forged
ALL_FRAMES = "all, or some of DATA,ACK,NAK,CNP,CNM,PFC,IP"


class Shape(NamedTuple):
    """The keys that a line of a kind can have beside `at` and `for`."""
    where: str            # link, host or switch
    needs: tuple = ()     # keys that it must have
    may: tuple = ()       # keys that it can have


PICKS = ("p", "burst", "count", "frames")
SHAPES: Dict[str, Shape] = {
    "link-down": Shape("link", (), ("every", "count")), "rate": Shape("link", ("rate",)), "lose": Shape("link", (), PICKS),
    "corrupt": Shape("link", (), PICKS), "delay": Shape("link", ("time",), PICKS), "duplicate": Shape("link", (), PICKS),
    "pause": Shape("host", (), ("class",)), "stop-reading": Shape("host", (), ("buffer",)), "restart": Shape("switch", ("for",)),
    "slow-np": Shape("host", ("every",)), "forge": Shape("host", ("frames",), ("every", "count", "qp", "psn", "period", "class")),
}


class Number(NamedTuple):
    """A key whose value is a quantity or a whole number. `field`: the field of model.Fault."""
    unit: str
    low: int
    high: int
    field: str


NUMBERS: Dict[str, Number] = {
    "at": Number("time", 0, TIME_MAX, "at_ns"), "for": Number("time", 1, TIME_MAX, "lasts_ns"),
    "time": Number("time", 1, TIME_MAX, "time_ns"),
    "every": Number("time", 1, TIME_MAX, "time_ns"), "period": Number("time", 0, U32_MAX, "period_ns"),
    "p": Number("ratio", 1, 10**9, "probability_ppb"), "rate": Number("rate", *LINE_RATE, "rate_bps"),
    "buffer": Number("size", 1, 10**12, "buffer_bytes"), "burst": Number("count", 1, 1_000_000, "burst"),
    "count": Number("count", 1, 1_000_000, "most"), "qp": Number("count", 0, U32_MAX, "qp"), "psn": Number("count", 0, 2**63 - 1, "psn"),
    "class": Number("count", 0, 7, "cls"),
}


class Line:
    """One line of the file."""

    def __init__(self, path: str, number: int, words: list):
        self.path, self.number, self.words = path, number, words
        self.kind = words[0]
        self.shape = SHAPES.get(self.kind)
        if not self.shape:
            self.fail("fault", quoted(self.kind), f"reroute, {', '.join(SHAPES)}")
        forge = self.kind == "forge"
        self.fault = Fault(self.kind, number, most=1 if forge else 0, time_ns=1000 if forge else 0)
        self.given: Dict[str, str] = {}

    def fail(self, key: str, found: str, expected: str) -> NoReturn:
        raise at(self.path, self.number, f"{key}: found {found}, expected {expected}")

    def read(self) -> Fault:
        """Read all keys. Raises RccError."""
        shape = self.shape
        keys = [shape.where, "at", "for", *shape.needs, *shape.may]
        for word in self.words[1:]:
            key, equal, text = word.partition("=")
            if not equal or key not in keys:
                self.fail(self.kind, quoted(key), "=, ".join(keys) + "=")
            if key in self.given:
                self.fail(key, "it twice", "it once")
            self.given[key] = text
            self.set(key, text)
        for key in (shape.where, *shape.needs):
            if key not in self.given:
                self.fail(key, "nothing", f"{self.kind} {key}=...")
        self.check()
        return self.fault

    def check_place(self, nodes: List[Node]) -> None:
        """Refuse nodes that are not in the network, or of another kind."""
        where, node, peer = self.shape.where, self.fault.node, self.fault.peer
        if node is None:
            return
        if where == "link" and max(node, peer) >= len(nodes):
            self.fail("link", f"{node}{'>' if self.fault.one_way else '-'}{peer}", "two nodes with a link between them")
        if where != "link" and not (node < len(nodes) and (nodes[node].kind == "host") == (where == "host")):
            self.fail(where, str(node), f"a {where} of the network")

    def put(self, **fields) -> None:
        """Set fields of the fault."""
        self.fault = self.fault._replace(**fields)

    def set(self, key: str, text: str) -> None:
        """Set the field of a key."""
        if key == "link":
            self.set_link(text)
        elif key in ("host", "switch"):
            everyone = key == "host" and text == "all"
            self.put(node=None if everyone else self.read_number(key, text, 0, NODE_MAX))
        elif key == "frames":
            self.set_frames(text)
        else:
            number = NUMBERS[key]
            self.put(**{number.field: self.read_number(key, text, number.low, number.high, number.unit)})

    def read_number(self, key: str, text: str, low: int, high: int, unit: str = "count") -> int:
        """Read a value within its range; a count has no exponent."""
        value, expected = (read_whole(text, high), "") if unit == "count" else read_within(unit, text, low, high)
        if expected or value is None or value < low:
            self.fail(key, quoted(text), expected or f"{low} to {high}")
        return value

    def set_link(self, text: str) -> None:
        """Read all, NODE-NODE or NODE>NODE."""
        if text == "all":
            return
        mark = next((letter for letter in text if letter in "->"), "")
        first, _, last = text.partition(mark or "-")
        a, b = read_whole(first, NODE_MAX), read_whole(last, NODE_MAX)
        if a is None or b is None or a == b:
            self.fail("link", quoted(text), "all, NODE-NODE for both directions or NODE>NODE for one")
        self.put(node=a, peer=b, one_way=mark == ">")
        if mark == ">" and self.kind in ("link-down", "rate"):
            self.fail("link", quoted(text), "NODE-NODE: the link fails in both directions")

    def set_frames(self, text: str) -> None:
        """Read the kinds of frames that are picked, or the one that is forged."""
        forge = self.kind == "forge"
        if text == "all" and not forge:
            self.put(frames=0xff)
            return
        expected = "one of DATA, ACK, NAK, CNP, CNM" if forge else ALL_FRAMES
        kinds = text.split(",") if text else []
        if not kinds or (forge and len(kinds) > 1) or not set(kinds) <= set(FORGED if forge else FRAMES):
            self.fail("frames", quoted(text), expected if kinds else ALL_FRAMES)
        self.put(frames=sum(1 << FRAMES.index(kind) for kind in set(kinds)))

    def check(self) -> None:
        """Refuse keys that do not go together."""
        fault = self.fault
        for key in ("for", "every"):
            repeats = self.kind == "forge" or (self.kind == "link-down" and key == "every")
            if repeats and key in self.given and fault.most <= 1:
                several = "2 or more with " if "count" in self.given else "count=N with "
                self.fail("count", "1" if "count" in self.given else "nothing", f"{several}{key}=TIME")
        if self.kind == "forge":
            frame = FRAMES[fault.frames.bit_length() - 1]
            for key, frames, expected in (("period", ("CNP",), "frames=CNP with it"), ("class", ("DATA",), "frames=DATA with it"),
                                          ("psn", ("DATA", "ACK", "NAK"), "frames=DATA, ACK or NAK with it")):
                if key in self.given and frame not in frames:
                    self.fail(key, f"frames={frame}", expected)
        # bursts of a mean length with a frame between two of them that is not picked
        if fault.burst > 1 and fault.probability_ppb * (fault.burst + 1) > fault.burst * 10**9 * (1 + 1e-12):
            found = quoted(self.given["p"]) if "p" in self.given else "nothing"
            self.fail("p", found, f"at most {fault.burst}/{fault.burst + 1} with burst={fault.burst}")
        if self.kind == "link-down" and fault.most > 1 and (fault.lasts_ns is None or fault.time_ns <= fault.lasts_ns):
            self.fail("count", str(fault.most), "for=TIME and a longer every=TIME with it")


def read_lines(path: str) -> Tuple[list, int]:
    """List (number, words) of the lines that are not empty, and count all lines. Raises RccError."""
    try:
        with open_regular(path, BYTES_MAX) as f:
            text = f.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise Statement("faults", f"{quoted(path, 4096)}: {error.strerror}, expected a file of faults") from error
    found = []
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise at(path, number, "found a byte of value 0, expected text")
        words = line.rstrip("\r").partition("#")[0].split()
        if words:
            found.append((number, words))
    return found, len(lines)


def read(path: str, nodes: List[Node]) -> Tuple[List[Fault], Optional[str]]:
    """Read a file of faults. Returns them, and the time of "reroute time=..": ns, "never", or None without such a line. Raises RccError
    with FILE:LINE: KEY: found .., expected .."""
    faults: List[Fault] = []
    reroute: Optional[str] = None
    lines, count = read_lines(path)
    for number, words in lines:
        if words[0] == "reroute":
            before, reroute = reroute, read_reroute(path, number, words)
            if before is not None:
                raise at(path, number, "reroute: found it twice, expected it once")
            continue
        line = Line(path, number, words)
        faults.append(line.read())
        line.check_place(nodes)
        if len(faults) > FAULTS_MAX:
            raise at(path, number, f"found more than {FAULTS_MAX} faults, expected fewer")
    if not faults:
        raise at(path, count, "found no fault, expected at least one")
    return faults, reroute


def read_reroute(path: str, number: int, words: list) -> str:
    """Read "reroute time=TIME" or "reroute time=never"."""
    text = words[1] if len(words) > 1 else ""
    if len(words) != 2 or not text.startswith("time="):
        raise at(path, number, f"reroute: found {quoted(text)}, expected time=TIME or time=never")
    text = text[len("time="):]
    if text == "never":
        return text
    value, expected = read_within("time", text, 0, TIME_MAX)
    if expected:
        raise at(path, number, f"time: found {quoted(text)}, expected {expected}")
    return str(value)
