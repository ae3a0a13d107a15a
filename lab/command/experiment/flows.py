# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The items of --flows: pairs of hosts with sizes and starts, and what they wait for (lab/doc/testbed.md)."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from . import names
from .model import CLASSES, RDMA_CLASS, TIME_MAX, After, Flows, Wait
from .quantity import read_whole
from .refusal import Refusal, read_field, refuse_item
from ..common import plural

LISTED_MAX = 10_000_000   # flows of a run
BYTES_MAX = 10**15
DSCPS = 64
RECEIVED = ".received"    # after the name of a flow: when its last byte has arrived
ECN = ("not-ect", "ect1", "ect0", "ce")   # by code point
FORM = "A-B[:size=..:start=..:stop=..:within=..:count=..:qps=..:rate=..:window=..:messages=..:depth=..:think=..:repeat=..:every=..:" \
       "class=..:dscp=..:ecn=..:cc=..:name=..:after=..:needs=..:delay=..]"


class Key(NamedTuple):
    """A key of an item. `unit` "word": its value is a text."""
    unit: str
    default: object
    low: int = 0
    high: int = 0


KEYS: Dict[str, Key] = {
    "size": Key("size", 0, 0, BYTES_MAX), "start": Key("time", 0, 0, TIME_MAX), "stop": Key("time", 0, 1, TIME_MAX),
    "within": Key("time", 0, 0, TIME_MAX), "count": Key("count", 0, 1, LISTED_MAX), "qps": Key("count", 1, 1, 100_000),
    "rate": Key("rate", 0, 10**6, 16 * 10**12), "window": Key("size", 0, 1, BYTES_MAX), "messages": Key("count", 1, 0, BYTES_MAX),
    "depth": Key("count", 1, 1, 65536), "think": Key("time", 0, 0, 10**9), "repeat": Key("count", 1, 1, 1_000_000),
    "every": Key("time", 0, 0, 10**9), "class": Key("count", -1, 0, CLASSES - 1), "dscp": Key("count", -1, 0, DSCPS - 1),
    "ecn": Key("word", ""), "cc": Key("word", ""), "name": Key("word", ""), "after": Key("word", ""),
    "needs": Key("count", 0, 1, LISTED_MAX), "delay": Key("time", 0, 0, TIME_MAX),
}


def read_keys(option: str, item: str, keys: Dict[str, Key], form: str) -> dict:
    """Read the KEY=VALUE parts behind the first colon of an item. Returns the value of each key in the smallest unit, or its default."""
    values = {name: key.default for name, key in keys.items()}
    seen = set()
    for part in item.split(":")[1:]:
        name, equal, text = part.partition("=")
        key = keys.get(name)
        if not key or not equal or not text:
            refuse_item(option, item, form)
        if name in seen:
            raise Refusal(option, "has", item, f": {name} is given twice")
        seen.add(name)
        values[name] = text if key.unit == "word" else read_field(option, item, key.unit, text, key.low, key.high)
    return values


class Item:
    """One item of --flows, read and checked."""

    def __init__(self, text: str, dscp_classes: list):
        """`dscp_classes`: of each DSCP its class, None where --dscp-map has none."""
        self.text = text
        self.hosts = text.partition(":")[0]
        self.keys = read_keys("flows", text, KEYS, FORM)
        self.pairs = names.expand_flows("flows", self.hosts, self.keys["count"] or 2**63)
        self.ecn = self.read_ecn()
        self.check()
        self.cls = self.find_class(dscp_classes)
        self.first = 0    # number of its first queue pair

    def __getitem__(self, name: str):
        return self.keys[name]

    def fail_if(self, wrong: bool, expected: str) -> None:
        if wrong:
            refuse_item("flows", self.text, expected)

    def read_ecn(self) -> Optional[int]:
        word = self["ecn"]
        if word and word not in ECN:
            raise Refusal("flows", "has", self.text, f": ecn is '{word}', expected one of {', '.join(ECN)}")
        return ECN.index(word) if word else None

    def check(self) -> None:
        """Refuse keys that do not go together."""
        k = self.keys
        last = k["start"] + (k["repeat"] - 1) * k["every"] + max(k["within"] - 1, 0)   # start of all flows
        self.fail_if(k["stop"] and k["stop"] <= k["start"], "stop after start")
        self.fail_if(k["stop"] and k["stop"] <= last, "stop after all starts of within and every")
        self.fail_if(k["size"] and k["size"] < k["qps"], "a byte of the size for each of its queue pairs")
        self.fail_if(k["depth"] > 1 and not k["size"], "a size of the messages that depth posts at a time")
        self.fail_if(k["messages"] != 1 and not k["size"], "a size of the messages")
        self.fail_if(k["messages"] == 1 and (k["think"] or k["depth"] > 1), "messages beside think and depth")
        self.fail_if(k["repeat"] == 1 and k["every"], "repeat beside every")
        self.fail_if(k["messages"] > BYTES_MAX // max(k["size"], 1), "messages of at most 1e15 bytes together")
        self.fail_if(k["count"] and k["repeat"] > 1, "count or repeat, not both")
        self.fail_if(not k["after"] and (k["needs"] or k["delay"]), "after beside needs and delay")
        self.fail_if(k["after"] and (k["start"] or k["within"] or k["stop"] or k["messages"] != 1 or k["every"]),
                     "after, or start, within, stop, every and messages")

    def find_class(self, dscp_classes: list) -> int:
        """Return the class of its own or of its DSCP; both must be one."""
        dscp, own = self["dscp"], self["class"]
        mapped = dscp_classes[dscp] if dscp >= 0 else None
        cls = own if mapped is None else mapped
        self.fail_if(dscp >= 0 and cls < 0, "a DSCP that --dscp-map lists, or a class beside it")
        self.fail_if(own >= 0 and own != cls, f"class={cls} or none, as --dscp-map gives DSCP {dscp} that class")
        return RDMA_CLASS if cls < 0 else cls

    def count(self) -> int:
        """Return how many queue pairs it has in all."""
        return (self["count"] or len(self.pairs) * self["repeat"]) * self["qps"]


def read_dscp_map(items: list) -> list:
    """Read --dscp-map. Returns the class of each DSCP, None where the map has none."""
    classes: List[Optional[int]] = [None] * DSCPS
    for item in items:
        wide, colon, cls = item.partition(":")
        first, dash, last = wide.partition("-")
        numbers = [read_whole(first, DSCPS - 1), read_whole(last if dash else first, DSCPS - 1), read_whole(cls, CLASSES - 1)]
        if not colon or None in numbers or numbers[0] > numbers[1] or not {*classes[numbers[0]:numbers[1] + 1]} <= {None, numbers[2]}:
            refuse_item("dscp-map", item, "DSCP:CLASS or FIRST-LAST:CLASS, 0 to 63 and 0 to 7, and one class for each DSCP")
        classes[numbers[0]:numbers[1] + 1] = [numbers[2]] * (numbers[1] + 1 - numbers[0])
    return classes


def read_items(texts: list, dscp_classes: list, nodes: Dict[str, int]) -> list:
    """Read all items of --flows and number their queue pairs. `nodes`: number of each node by name."""
    items: List[Item] = []
    count = 0
    for text in texts:
        item = Item(text, dscp_classes)
        item.first = count
        count += item.count()
        item.fail_if(count > LISTED_MAX, f"at most {LISTED_MAX} in all")
        items.append(item)
    for item in items:
        for pair in item.pairs:
            for name in pair:
                if not names.is_host(name) or name not in nodes:
                    raise Refusal("flows", "names", name, ", expected a host of --links")
    return items


# ---------------------------------------------------------------- waits

def read_waits(items: list) -> list:
    """List the waits of the items, by the names in `after`. Raises Refusal for unknown names and circles."""
    by_name: Dict[str, int] = {}
    for number, item in enumerate(items):
        name = item["name"]
        item.fail_if("+" in name or "@" in name or name.endswith(RECEIVED), "a name without + and @, and without .received at its end")
        item.fail_if(bool(name) and name in by_name, "a name of its own")
        if name:
            by_name[name] = number
    waits, followers, left = [], [[] for _ in items], [0] * len(items)
    for number, item in enumerate(items):
        if not item["after"]:
            continue
        after, most = [], 0
        for text in item["after"].split("+"):
            one, other = read_after(item, text, items, by_name)
            after.append(one)
            most += one.flow_count
            if other is not None:
                followers[other].append(number)
                left[number] += 1
        item.fail_if(item["needs"] > most > 0, f"needs of at most the {plural(most, 'flow')} that it names")
        waits.append(Wait(item.first, item.count(), item["needs"], item["delay"], tuple(after)))
    refuse_circles(items, followers, left)
    return waits


def read_after(item: Item, text: str, items: list, by_name: Dict[str, int]) -> tuple:
    """Read one name of what an item waits for, NAME[.received][@TIME] or @TIME. Returns an After and the number of the other item."""
    name, at, time = text.partition("@")
    later = read_field("flows", item.text, "time", time, 0, TIME_MAX) if at else 0
    if at and not name:
        return After(None, 1, False, later), None
    received = name.endswith(RECEIVED)
    number = by_name.get(name[:-len(RECEIVED)] if received else name)
    item.fail_if(number is None, "after names of other flows")
    other = items[number]
    item.fail_if(not other["size"] or not other["messages"] or other["stop"], "after flows that end, which have a size")
    return After(other.first, other.count(), received, later), number


def refuse_circles(items: list, followers: list, left: list) -> None:
    """Refuse items that wait for one another in a circle. `left`: how many others each waits for."""
    ready = [number for number, count in enumerate(left) if not count]
    for number in ready:
        for follower in followers[number]:
            left[follower] -= 1
            if not left[follower]:
                ready.append(follower)
    for item, count in zip(items, left):
        item.fail_if(count > 0, "no flows that wait for one another in a circle")


# ---------------------------------------------------------------- records

Steps = Tuple[int, int, int]    # first node, step, cycle


def find_steps(numbers: list, count: int) -> Optional[Steps]:
    """Return (first, step, cycle) with numbers[i % len] = first + i % cycle * step for all i below `count`; None if there are none."""
    first = numbers[0]
    step = numbers[1] - first if len(numbers) > 1 and count > 1 else 0
    cycle = 1
    while step and cycle < len(numbers) and numbers[cycle] == first + cycle * step:
        cycle += 1
    n = len(numbers)
    fits = all(numbers[i % n] == first + i % cycle * step for i in range(min(count, n * cycle)))
    return (first, step, cycle) if fits else None


def groups(item: Item, nodes: Dict[str, int], algorithm: Optional[int]) -> list:
    """List (name of the group, its Flows) of an item. `algorithm`: number of its own."""
    pairs = [(nodes[a], nodes[b]) for a, b in item.pairs]
    if not item["count"]:
        return [(f"{a}-{b}", [flows_of(item, algorithm, item["repeat"], ((ends[0], 0, 1), (ends[1], 0, 1)), item["every"])])
                for (a, b), ends in zip(item.pairs, pairs)]
    count = item["count"]
    sources, destinations = (find_steps([pair[side] for pair in pairs], count) for side in (0, 1))
    if sources and destinations:
        return [(item.hosts, [flows_of(item, algorithm, count, (sources, destinations), 0)])]
    return [(item.hosts, [flows_of(item, algorithm, 1, ((a, 0, 1), (b, 0, 1)), 0)
                          for a, b in (pairs[i % len(pairs)] for i in range(count))])]


def flows_of(item: Item, algorithm: Optional[int], count: int, sides: Tuple[Steps, Steps], every: int) -> Flows:
    """Return the record of an item's flows between steps of hosts."""
    source, destination = sides
    k = item.keys
    return Flows(count, *source, *destination, k["qps"], item.cls, algorithm, k["size"], k["start"], every, k["within"], k["stop"] or None,
                 k["messages"], k["depth"], k["think"], k["rate"] or None, k["window"] or None, k["dscp"] if k["dscp"] >= 0 else None,
                 item.ecn)
