# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The text files of ns3-rdma and HPCC users, as far as the command reads them itself: rows of words, and topology.txt.
Every error is one line, FILE:LINE: WHAT: found ..., expected ..."""
from __future__ import annotations

import os
from typing import Iterator, NamedTuple

from .. import below, units
from ..results import owned
from ..common import RccError, cannot_write, counted, refuse_endless, without_mark

GENERATE = "./rcc generate"    # by whose name its files are listed
ROW_MAX = 1 << 20    # bytes of a line: the switch ids of 100,000 switches are one
NODES_MAX = 1 << 16  # addresses of those simulators have 16 bits for the node


def shown(word) -> str:
    """What a message may show of a user's text."""
    text = word if isinstance(word, str) else word.decode("latin-1")
    text = "".join(c if " " <= c <= "~" else "?" for c in text)
    return f"'{text[:40]}...'" if len(text) > 40 else f"'{text}'"


def wrong(path: str, line: int, what: str, found: str, expected: str) -> RccError:
    return RccError(f"{path}:{line}: {what}: found {found}, expected {expected}")


def open_to_read(path: str):
    """The file, unbuffered reads left to the caller; an error in one line if it is none."""
    if not path:
        raise RccError("the name of a file is missing")
    try:
        refuse_endless(path)
        return open(path, "rb")
    except OSError as error:
        raise RccError(f"{path}: {error.strerror or error}") from error


def rows(path: str) -> Iterator[tuple]:
    """(line number, line as bytes), CRLF or not, with or without a newline at the end."""
    with open_to_read(path) as f:
        number = 0
        while True:
            try:
                line = f.readline(ROW_MAX + 1)
            except OSError as error:
                raise RccError(f"{path}: {error.strerror or error}") from error
            if not line:
                return
            number += 1
            line = without_mark(line) if number == 1 else line
            if len(line) > ROW_MAX:
                raise wrong(path, number, "line", f"more than {ROW_MAX} bytes", "text in lines")
            if b"\0" in line:
                raise wrong(path, number, "line", "a byte of value 0", "text")
            yield number, line.rstrip(b"\r\n")


def whole(path: str, line: int, what: str, word, low: int, high: int) -> int:
    """A plain decimal number from low to high."""
    text = word if isinstance(word, str) else word.decode("latin-1")
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high):
        raise wrong(path, line, what, shown(text), f"a number from {low} to {high}")
    return int(text)


def quantity(unit: str, text: str, what: str, low: float, high: float, span: str) -> float:
    """The value of an option within its range, `span` in words."""
    value = units.parse(unit, text, what)
    if not low <= value <= high:
        raise RccError(f"{what}={text}: expected {span}")
    return value


def write_text(path: str, text: str) -> None:
    """All of it or nothing, and never over a file that is not of ./rcc generate. What is no plain file, such as a pipe or /dev/stdout, is
    written to and not replaced, and a link stays one."""
    if not path:
        raise RccError("--out=: a file's name is missing")
    if os.path.isdir(path):
        raise RccError(f"--out={path}: found a directory, expected the name of a file")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        else:
            folder, name, own = owned.place_of(path, GENERATE, "--out")
            owned.record(folder, own, GENERATE, [name])
            with below.replace(folder, name) as f:
                f.write(text)
    except OSError as error:
        raise cannot_write(f"--out={path}", error) from error


# ------------------------------------------------------------------------------------------------ topology.txt

class Link(NamedTuple):
    a: int
    b: int
    rate: int      # bit/s
    delay: int     # ns
    error: float   # probability that a frame is lost
    line: int


class Topology(NamedTuple):
    path: str
    nodes: int
    switches: frozenset
    links: list    # in the file's order, which numbers the interfaces

    @property
    def hosts(self) -> list:
        return [node for node in range(self.nodes) if node not in self.switches]

    def host_rates(self) -> dict:
        """bit/s that a host can send: of all its links."""
        rates = dict.fromkeys(self.hosts, 0)
        for link in self.links:
            for end in (link.a, link.b):
                if end in rates:
                    rates[end] += link.rate
        return rates


def measured(path: str, line: int, what: str, unit: str, word: bytes) -> float:
    text = word.decode("latin-1")
    try:
        # the format has plain numbers of bit/s too, which the options of the command refuse
        return units.parse(unit, text + "bps" if unit == "rate" and units.NUMBER.fullmatch(text) else text, what)
    except RccError as error:
        expected = str(error).rsplit("expected ", 1)[1]
        raise wrong(path, line, what, shown(text), expected) from error


def header(path: str, line: int, words: list) -> tuple:
    """(nodes, switches, links) of the variants in use: `nodes switches links`; with the racks before the links; with GPUs
    per server and NVSwitches, which are switches too, in the second and third of six or seven."""
    if len(words) == 3:
        places = {"nodes": words[0], "switches": words[1], "links": words[2]}
    elif len(words) == 4:
        places = {"nodes": words[0], "switches": words[1], "links": words[3]}
    elif len(words) in (6, 7):
        places = {"nodes": words[0], "NVSwitches": words[2], "switches": words[3], "links": words[4]}
    else:
        raise wrong(path, line, "first line", f"{len(words)} words", "nodes, switches and links (3, 4 or 6 words)")
    most = {"nodes": NODES_MAX, "links": 1 << 22}
    values = {name: whole(path, line, name, word, 0 if name not in most else 1, most.get(name, NODES_MAX))
              for name, word in places.items()}
    switches = values["switches"] + values.get("NVSwitches", 0)
    if switches > values["nodes"]:
        raise wrong(path, line, "switches", str(switches), f"at most the {counted(values['nodes'], 'node')}")
    return values["nodes"], switches, values["links"]


def read_link(path: str, line: int, words: list, nodes: int) -> Link:
    if len(words) not in (4, 5):
        raise wrong(path, line, "link", f"{len(words)} words", "source, destination, rate, delay and, if need be, error rate")
    a = whole(path, line, "source", words[0], 0, nodes - 1)
    b = whole(path, line, "destination", words[1], 0, nodes - 1)
    if a == b:
        raise wrong(path, line, "link", f"node {a} at both ends", "two nodes")
    rate = measured(path, line, "rate", "rate", words[2])
    if not 1 <= rate <= 1e13:
        raise wrong(path, line, "rate", shown(words[2]), "1bps to 10Tbps")
    delay = measured(path, line, "delay", "time", words[3])
    if delay > 10:
        raise wrong(path, line, "delay", shown(words[3]), "at most 10s")
    error = measured(path, line, "error rate", "ratio", words[4]) if len(words) == 5 else 0.0
    if error > 1:
        raise wrong(path, line, "error rate", shown(words[4]), "a probability from 0 to 1")
    return Link(a, b, round(rate), round(delay * 1e9), error, line)


def read_topology(path: str) -> Topology:
    """What follows the counted links is prose, as those files carry it, and is not read."""
    nodes = count = -1
    waiting = 0
    switches: set = set()
    links: list = []
    line = 1
    for line, row in rows(path):
        words = row.split()
        if not words:  # without switches the second line is empty
            continue
        if nodes < 0:
            nodes, waiting, count = header(path, line, words)
        elif waiting:
            for word in words:
                if not waiting:
                    raise wrong(path, line, "switch ids", shown(word), "no more of them than the first line says")
                switch = whole(path, line, "switch id", word, 0, nodes - 1)
                if switch in switches:
                    raise wrong(path, line, "switch id", f"{switch} twice", "every switch once")
                switches.add(switch)
                waiting -= 1
        else:
            links.append(read_link(path, line, words, nodes))
            if len(links) == count:
                return Topology(path, nodes, frozenset(switches), links)
    if nodes < 0:
        raise wrong(path, line, "first line", "an empty file", "nodes, switches and links")
    if waiting:
        raise wrong(path, line, "switch ids", f"{waiting} too few", "as many as the first line says")
    raise wrong(path, line, "links", counted(len(links), 'row'), f"the {count} of the first line")
