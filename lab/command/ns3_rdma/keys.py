# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The keys of config.txt, which keys.tsv lists, and how their values are read. lab/doc/ns3-rdma-keys.md is made from that table.

Which simulator reads what, and its value for a missing key, is what its source does; a default of 0 that would stop it (RP_TIMER) or is an
integer division (a gain of 1/16) is not taken over."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

from . import numbers
from ..common import read_table
from ..experiment import quantity

STOP_MAX = 9_000_000_000       # s; what is beyond means until the flows are done
SECONDS_MAX = 1_000_000
US_MAX = SECONDS_MAX * 1_000_000
TIME_MAX = 10**15              # ns
BYTES_MAX = 10**12
STEP_RATE_MAX = 1_600_000_000_000   # the largest step of a rate, bit/s
MAP_RATE_MAX = 16_000_000_000_000   # forks list rates that no link of theirs has to have
PACKET = 1030                  # bytes of the original's packets, for KMIN and KMAX
U32_MAX = 2**32 - 1
LINK_DOWN_FROM = 2_000_000_000   # ns
MAP_MAX = 1000                 # entries


class Kind(NamedTuple):
    """How the values of keys are read and described."""
    unit: str         # in the table of keys
    expected: str     # in messages
    has_range: bool   # messages have the key's range as well
    places: int       # decimal places that count; 0: the number is whole
    scale: int        # our units in one of the last place
    most: int         # largest value of a key, if it says nothing else


KINDS: Dict[str, Kind] = {
    "flag": Kind("0 or 1", "0 or 1", False, 0, 1, 1),
    "count": Kind("", "a whole number", True, 0, 1, U32_MAX),
    "microseconds": Kind("us", "a time in us", True, 3, 1, US_MAX),
    "nanoseconds": Kind("ns", "a time in ns, a whole number", True, 0, 1, TIME_MAX),
    "seconds": Kind("s", "a time in s", True, 9, 1, SECONDS_MAX),
    "stop": Kind("s", "a time in s", False, 9, 1, STOP_MAX),
    "bytes": Kind("B", "bytes, a whole number", True, 0, 1, BYTES_MAX),
    "mebibytes": Kind("MiB", "MiB, a whole number", True, 0, 1 << 20, 0),
    "fraction": Kind("0 to 1, or 1/16", "a fraction from 0 to 1 such as 0.01 or 1/16", False, 9, 1, 1),
    "rate": Kind("40Gb/s", "a rate such as 40Gb/s or 5Mbps", False, 0, 1, STEP_RATE_MAX),
    "packets": Kind("packets of 1030 B", "packets, a whole number", True, 0, PACKET, 1_000_000_000),
    "decimal": Kind("", "a number", True, 9, 1, 1000),
    "name": Kind("", "a word without blanks", False, 0, 1, 0),
    "map_bytes": Kind("bit/s and KB of 1000 B", "a number of entries, then for each a link rate in bit/s and a whole number of KB", True, 0,
                      1000, BYTES_MAX // 1000),
    "map_share": Kind("bit/s and 0 to 1", "a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1", False, 9, 1,
                      1),
    "link_down": Kind("us, node, node", "a time in us and two node ids", False, 3, 1, US_MAX),
    "schedule": Kind("node, n, then n times s and 0 to 1",
                     "a node id, a number of entries, then for each a time in s and a fraction from 0 to 1", False, 9, 1, SECONDS_MAX),
    "mode": Kind("", "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC with PINT)", False, 0, 1, U32_MAX),
}
MAPS = ("map_bytes", "map_share", "schedule")
THRESHOLDS = ("kmin", "kmax", "pmax")    # members of Config that have a value for each link rate


class Wrong(Exception):
    """A word that is not as its key expects."""


class Key:
    """A key of config.txt: a row of keys.tsv.

    Attributes:
        original: the value of ns3-rdma if the key is missing; empty: none; None: it has no such key.
        hpcc: the same of the HPCC simulator.
        to: its name in Config; empty: none.
        parameter: of dcqcn that it is; empty: none.
        control: by CC_MODE, the parameter of another algorithm that it is.
        about: what it means, or why it has no effect.
        low, high: its range in the unit of the file.
    """

    def __init__(self, row: Dict[str, str]):
        self.name, self.kind, self.to, self.parameter, self.about = (row[name] for name in ("name", "kind", "member", "parameter", "about"))
        self.original, self.hpcc = (None if row[name] == "-" else row[name] for name in ("ns3-rdma", "hpcc"))
        self.control = {int(mode): name for mode, _, name in (word.partition("=") for word in row["control"].split())}
        self.info = KINDS[self.kind]
        self.low, self.high = int(row["low"] or 0), int(row["high"] or self.info.most)
        self.is_of_node = self.kind == "schedule" or self.name.endswith("_NODE")

    def missing(self, original: bool) -> Optional[str]:
        """Return the value of a simulator if the key is missing; empty: none; None: it has no such key."""
        return self.original if original else self.hpcc

    def has_effect(self) -> bool:
        """True if the key does anything here."""
        return bool(self.to or self.parameter or self.control)

    def expected(self) -> str:
        """Return what the value should be, for messages."""
        node = "a node id and " if self.is_of_node and self.kind != "schedule" else ""
        span = ""
        if self.info.has_range:
            span = f" from {self.low} to {self.high}"
        elif self.kind == "rate":
            span = f"{', above 0' if self.low else ''}, at most 1600Gbps"
        return node + self.info.expected + span

    def read(self, words: List[str]) -> Any:
        """Read the words after the key and its node: three of LINK_DOWN, 1 + 2n of a map, else one. Returns the value as Config has it: in
        ns, bit/s, bytes, parts in 1e9 or a count; of a map (bit/s, threshold) pairs, of a schedule (ns, share), of LINK_DOWN ns and nodes.

        Raises:
            Wrong: with the word that is wrong.
        """
        if self.kind == "name":
            return words[0]
        if self.kind == "schedule":
            return self.read_schedule(words)
        if self.kind in MAPS:
            return self.read_map(words)
        number = self.read_number(words[0])
        if self.kind == "link_down":
            a, b = map(read_node, words[1:])
            return (LINK_DOWN_FROM + number, a, b) if number > 0 else None
        return ((0, number),) if self.to in THRESHOLDS else bool(number) if self.kind == "flag" and self.to else number

    def read_number(self, text: str) -> int:
        if self.kind == "rate":
            found = numbers.read_data_rate(text, self.high)
        elif self.kind in ("fraction", "map_share"):
            found = numbers.read_fraction(text)
        else:
            found = numbers.read_number(text, self.info.places, self.high)
            if found is not None and self.info.places == 0 and not numbers.is_whole(text):
                found = None
        if found is None and self.kind == "stop" and numbers.is_too_large(text):
            found = STOP_MAX * 10**9
        if found is None or found < self.low:
            raise Wrong(text)
        return found * self.info.scale

    def read_map(self, words: List[str]) -> tuple:
        """Read thresholds by link rate."""
        found: Dict[int, int] = {}
        for at in range(1, len(words) - 1, 2):
            rate = numbers.read_data_rate(words[at], MAP_RATE_MAX)
            if not rate:
                raise Wrong(words[at])
            threshold = self.read_number(words[at + 1])
            if found.setdefault(rate, threshold) != threshold:
                raise Wrong(f"{words[at]} twice")
        return tuple(found.items())

    def read_schedule(self, words: List[str]) -> tuple:
        """Read times and fractions; later ones stand behind earlier ones."""
        found = []
        for at in range(1, len(words) - 1, 2):
            share = (self.read_number(words[at]), numbers.read_fraction(words[at + 1]))
            if share[1] is None:
                raise Wrong(words[at + 1])
            found.append(share)
        return tuple(sorted(found, key=lambda entry: entry[0]))


def read_node(text: str) -> int:
    """Read a node id."""
    found = quantity.read_whole(text, U32_MAX)
    if found is None:
        raise Wrong(text)
    return found


KEYS: List[Key] = [Key(row) for row in read_table(__file__, "keys.tsv")]
BY_NAME: Dict[str, Key] = {key.name: key for key in KEYS}


FORKS = [(row["begin"], row["end"], row["about"]) for row in read_table(__file__, "forks.tsv")]


def fork_key(name: str) -> str:
    """Return what a key is in the fork that has it; empty if no known one has."""
    if name in BY_NAME:
        return ""
    for begin, end, about in FORKS:
        whole = bool(begin) and begin[-1] not in "_:"
        fits = name == begin if whole else len(name) > len(begin or end)
        if fits and name.startswith(begin) and name.endswith(end):
            return about
    return ""


def key_table() -> str:
    """Return the keys as the Markdown table of lab/doc/ns3-rdma-keys.md."""
    lines = ["| key | of | unit | if missing: ns3-rdma, hpcc | here | meaning, or why it has no effect |", "|---|---|---|---|---|---|"]
    for key in KEYS:
        here = f"`{key.parameter}`" if key.parameter else "yes" if key.has_effect() else "no effect"
        missing = ", ".join(value or "-" for value in (key.original, key.hpcc) if value is not None)
        owner = "ns3-rdma" if key.hpcc is None else "hpcc" if key.original is None else "both"
        unit = ("node, " if key.is_of_node and key.kind != "schedule" else "") + key.info.unit
        lines.append(f"| `{key.name}` | {owner} | {unit} | {missing} | {here} | {key.about} |")
    return "\n".join(lines) + "\n"
