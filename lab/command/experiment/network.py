# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The items of --links and --nodes as numbered nodes and links, and ports by their names SWITCH>NODE (lab/doc/testbed.md)."""
from __future__ import annotations

from typing import Dict, List, Tuple

from . import names
from .flows import Key, read_keys
from .model import LINE_RATE, Link, Node, Port
from .quantity import read_whole
from .refusal import Refusal, Statement, read_field, refuse_item

FORM = "A-B[*N][:RATE[:DELAY]]"
NVSWITCH = "nvswitch"    # behind the name of a switch inside a server, and the kind of such a node
PARALLEL_MAX = 1024
PORTS_MAX = 65535
DELAY = (0, 10**9)     # ns
KEYS = {"parallel": Key("count", None, 1, PARALLEL_MAX), "rate": Key("rate", None, *LINE_RATE), "delay": Key("time", None, *DELAY)}


class Network:
    """The nodes and links of an experiment, by their numbers."""

    def __init__(self) -> None:
        self.nodes: List[Node] = []
        self.number: Dict[str, int] = {}           # index of a node by its name
        self.links: List[Link] = []
        self.neighbours: List[List[int]] = []      # by node and port, the node on the other end

    def add_node(self, name: str, kind: str) -> int:
        """Add a node of kind host, switch, nvswitch or cioq, and return its number."""
        self.number[name] = len(self.nodes)
        self.nodes.append(Node(kind, name))
        self.neighbours.append([])
        return self.number[name]

    def add_link(self, link: Link) -> None:
        """Add a link between nodes that are there."""
        self.links.append(link)
        self.neighbours[link.a].append(link.b)
        self.neighbours[link.b].append(link.a)

    def hosts(self) -> list:
        """List the numbers of the hosts."""
        return [number for number, node in enumerate(self.nodes) if node.kind == "host"]

    def host(self, option: str, name: str) -> int:
        """Return the number of a host, or raise Refusal for an option that names it."""
        number = self.number.get(name)
        if number is None or self.nodes[number].kind != "host":
            raise Refusal(option, "names", name, ", expected a host of --links")
        return number

    def ports(self, option: str, text: str) -> List[Tuple[Port, str]]:
        """List the ports of a switch towards a neighbour with their names, for SWITCH>NODE; of parallel links several."""
        source, _, target = text.partition(">")
        a, b = self.number.get(source), self.number.get(target)
        found = [] if a is None or b is None or self.nodes[a].kind == "host" else self.ports_between(a, b)
        if not found:
            raise Refusal(option, "names", f"{source}>{target}", ", expected a switch and a neighbour of --links")
        return found

    def ports_between(self, a: int, b: int) -> List[Tuple[Port, str]]:
        """List the ports of a node towards another with their names."""
        found: List[Tuple[Port, str]] = []
        for index, neighbour in enumerate(self.neighbours[a]):
            if neighbour == b:
                found.append((Port(a, index), f"{self.nodes[a].name}>{self.nodes[b].name}" + (f"#{len(found) + 1}" if found else "")))
        return found

    def ports_to_host(self, host: int) -> List[Tuple[Port, str]]:
        """List the ports of a host's first switch towards the host."""
        return self.ports_between(self.first_switch(host), host)

    def first_switch(self, host: int) -> int:
        """Return the first switch that a host is linked to; without one the first host."""
        neighbours = self.neighbours[host]
        return next((peer for peer in neighbours if self.nodes[peer].kind != "host"), neighbours[0])

    def rate(self, port: Port) -> int:
        """Return the rate of a port's link, bit/s."""
        own = [link for link in self.links if port.node in (link.a, link.b)]
        return own[port.port].rate_bps


class LinkItem:
    """One item of --links, read."""

    def __init__(self, text: str, rate: int, delay: int):
        """`rate`, `delay`: of links that have none of their own, bit/s and ns."""
        parts = text.split(":")
        pattern, star, parallel = parts[0].partition("*")
        count = read_whole(parallel, PARALLEL_MAX) if star else 1
        if not count:
            refuse_item("links", text, "a number of parallel links after *")
        self.text, self.parallel, self.rate, self.delay = text, count, rate, delay
        if len(parts) > 1 and "=" in parts[1]:
            keys = read_keys("links", text, KEYS, f"{FORM} or A-B[:parallel=..:rate=..:delay=..]")
            self.parallel = keys["parallel"] or count
            self.rate = rate if keys["rate"] is None else keys["rate"]
            self.delay = delay if keys["delay"] is None else keys["delay"]
            parts = parts[:1]
        if len(parts) > 3:
            refuse_item("links", text, FORM)
        rate_text, delay_text = (parts[1:] + ["", ""])[:2]
        if rate_text:
            self.rate = read_field("links", text, "rate", rate_text, *LINE_RATE)
        if delay_text:
            self.delay = read_field("links", text, "time", delay_text, *DELAY)
        self.pairs = names.expand_pairs("links", pattern)


def add_nodes(network: Network, text: str, switch: str) -> None:
    """Add the nodes of an item of --nodes, NAME or NAME:nvswitch. `switch`: kind of the switches."""
    pattern, colon, kind = text.partition(":")
    for name in names.expand_names("nodes", pattern):
        if name in network.number:
            refuse_item("nodes", name, "each node once")
        is_host = names.is_host(name)
        if colon and (kind != NVSWITCH or is_host or switch != "switch"):
            refuse_item("nodes", text, f"NAME or, of a switch inside a server, NAME:{NVSWITCH}" if switch == "switch" else
                        "none with a kind beside --cioq")
        network.add_node(name, "host" if is_host else kind or switch)


def read(items: list, listed: list, rate: int, delay: int, switch: str) -> Network:
    """Read the items of --links and those of --nodes, NAME or NAME:nvswitch; nodes are numbered in their order, or in that of their first
    links. `rate`, `delay`: of links that have none of their own, bit/s and ns; `switch`: kind of the switches, switch or cioq. Raises
    Refusal."""
    if not items:
        raise Statement("links", f"--links is empty, expected {FORM}")
    read_items: List[LinkItem] = []
    ports: Dict[str, int] = {}
    for text in items:
        item = LinkItem(text, rate, delay)
        for pair in item.pairs:
            if pair[0] == pair[1]:
                raise Refusal("links", "has", text, f": a link of {pair[0]} to itself")
            for name in pair:
                ports[name] = ports.get(name, 0) + item.parallel
                if ports[name] > PORTS_MAX and not names.is_host(name):
                    raise Refusal("links", "has", text, f", with which switch {name} has more than {PORTS_MAX} ports")
        read_items.append(item)
    network = Network()
    for text in listed:
        add_nodes(network, text, switch)
    for item in read_items:
        for pair in item.pairs:
            for name in pair:
                if name not in network.number:
                    if listed:
                        raise Refusal("links", "names", name, ", expected a node of --nodes")
                    network.add_node(name, "host" if names.is_host(name) else switch)
    for item in read_items:
        for a, b in item.pairs:
            for _ in range(item.parallel):
                network.add_link(Link(network.number[a], network.number[b], item.rate, item.delay))
    return network
