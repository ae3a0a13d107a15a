# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The shortest paths between the hosts of a network: how long a message takes alone, and how long the busiest link needs for all messages.
Hosts do not forward. The program routes by the same rules and picks one of equal paths by a hash; here all of them have an equal share."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from .model import Link, Node

ACK_BYTES = 100         # an answer on the wire has no more
BIT_NS = 8 * 10**9      # ns of a byte at 1 bit/s
Port = Tuple[int, int]  # node at the other end, number of the link


class Way(NamedTuple):
    """A path between two hosts; of several equal ones the longest delay, the longest time of a byte and the least rate."""
    delay_ns: int      # all links together
    byte_ns: float     # that a byte of a frame takes to be sent on all links, one after the other
    rate_bps: int      # the slowest link's

    def transit_ns(self, frame_bytes: int) -> int:
        """Return how long a frame takes from end to end."""
        return self.delay_ns + int(self.byte_ns * frame_bytes)

    def round_trip_ns(self, frame_bytes: int) -> int:
        """Return how long a frame and its answer take."""
        return self.transit_ns(frame_bytes) + self.transit_ns(ACK_BYTES)

    def behind(self, link: Link) -> "Way":
        """Return this path with a link before it."""
        return Way(self.delay_ns + link.delay_ns, self.byte_ns + BIT_NS / link.rate_bps, min(self.rate_bps, link.rate_bps))


ARRIVED = Way(0, 0.0, 2**63)


def slowest(ways: List[Way]) -> Way:
    """Return the worst value of each field."""
    return Way(max(one.delay_ns for one in ways), max(one.byte_ns for one in ways), min(one.rate_bps for one in ways))


class Paths:
    """The paths of a network, and the bytes that take them. Hosts on equal links to the same switches are of one kind."""

    def __init__(self, nodes: List[Node], links: List[Link]):
        self.links = links
        self.ports: List[List[Port]] = [[] for _ in nodes]
        for number, link in enumerate(links):
            self.ports[link.a].append((link.b, number))
            self.ports[link.b].append((link.a, number))
        self.is_host = [node.kind == "host" for node in nodes]
        self.is_preferred = [node.kind == "nvswitch" for node in nodes]
        kinds: Dict[tuple, int] = {}
        self.kind = [kinds.setdefault(self.ends(node), len(kinds)) if is_host else -1 for node, is_host in enumerate(self.is_host)]
        self.example: Dict[int, int] = {}                                 # a host of each kind
        for node, kind in enumerate(self.kind):
            self.example.setdefault(kind, node)
        self.example.pop(-1, None)
        self.levels = self.find_levels()
        self.ways: Dict[Tuple[int, int], Optional[Way]] = {}              # by kinds
        self.rests: Dict[Tuple[int, int], Way] = {}                       # by switch and kind
        self.firsts: Dict[Tuple[int, int], Tuple[Port, ...]] = {}         # by host and kind
        self.sent: Dict[Tuple[int, int], int] = {}                        # bytes by sender and kind of the receiver
        self.received: Dict[Tuple[int, int], int] = {}                    # bytes by receiver and kind of the sender

    def ends(self, host: int) -> tuple:
        """Return the links that hosts of one kind have in common. A host that is linked to a host is alone in its kind."""
        alone = host if any(self.is_host[peer] for peer, _ in self.ports[host]) else -1
        return (alone, *sorted((peer, self.links[link].rate_bps, self.links[link].delay_ns) for peer, link in self.ports[host]))

    def find_levels(self) -> List[List[int]]:
        """Return, by distance in hops and by switch, the kinds of hosts that are so far behind the switch, one bit each."""
        peers = {s: {peer for peer, _ in ports if not self.is_host[peer]} for s, ports in enumerate(self.ports) if not self.is_host[s]}
        front = [0] * len(self.ports)
        for kind, host in self.example.items():
            for peer, _ in self.ports[host]:
                front[peer] |= 0 if self.is_host[peer] else 1 << kind
        seen, levels = front[:], []
        while any(front):
            levels.append(front)
            following = [0] * len(self.ports)
            for s, others in peers.items():
                for peer in others:
                    following[s] |= front[peer]
                following[s] &= ~seen[s]
            for s in peers:
                seen[s] |= following[s]
            front = following
        return levels

    def level(self, switch: int, kind: int) -> Optional[int]:
        """Return the hops from a switch to one that has hosts of a kind; None without a path."""
        return next((hops for hops, front in enumerate(self.levels) if front[switch] >> kind & 1), None)

    def preferred(self, ports: List[Port]) -> List[Port]:
        """Return, of ports at the same distance, those to switches inside a server alone, if there are any."""
        return [port for port in ports if self.is_preferred[port[0]]] or ports

    def first_ports(self, source: int, target: int) -> Tuple[Port, ...]:
        """List the ports by which a host sends to another: those from which that is the nearest."""
        kind = self.kind[target]
        if (source, kind) not in self.firsts:
            found = [port for port in self.ports[source] if port[0] == target]
            if not found:
                hops = [(self.level(port[0], kind), port) for port in self.ports[source] if not self.is_host[port[0]]]
                nearest = min((level for level, _ in hops if level is not None), default=-1)
                found = self.preferred([port for level, port in hops if level == nearest])
            self.firsts[source, kind] = tuple(found)
        return self.firsts[source, kind]

    def next_ports(self, switch: int, kind: int, level: int) -> List[Port]:
        """List the ports of a switch, `level` hops away from hosts of a kind, that are one hop nearer to them."""
        front = self.levels[level - 1]
        return self.preferred([port for port in self.ports[switch] if front[port[0]] >> kind & 1])

    # ------------------------------------------------------------ a message alone

    def way(self, source: int, target: int) -> Optional[Way]:
        """Return the path from a host to another; None if there is none."""
        key = (self.kind[source], self.kind[target])
        if key not in self.ways:
            ways = [(ARRIVED if peer == target else self.way_from_switch(peer, key[1])).behind(self.links[link])
                    for peer, link in self.first_ports(source, target)]
            self.ways[key] = slowest(ways) if ways else None
        return self.ways[key]

    def way_from_switch(self, switch: int, kind: int) -> Way:
        """Return the path from a switch to hosts of a kind."""
        open_ = [switch]    # a stack in place of calls, as a row of switches may be long
        while open_:
            at = open_[-1]
            level = self.level(at, kind)
            if (at, kind) in self.rests:
                open_.pop()
            elif not level:
                self.rests[at, kind] = slowest([ARRIVED.behind(self.links[link]) for peer, link in self.ports[self.example[kind]]
                                                if peer == at])
            else:
                ports = self.next_ports(at, kind, level)
                missing = [peer for peer, _ in ports if (peer, kind) not in self.rests]
                open_ += missing
                if not missing:
                    self.rests[at, kind] = slowest([self.rests[peer, kind].behind(self.links[link]) for peer, link in ports])
        return self.rests[switch, kind]

    # ------------------------------------------------------------ all messages

    def add(self, source: int, target: int, size_bytes: int) -> None:
        """Count the bytes of a message."""
        sent, received = (source, self.kind[target]), (target, self.kind[source])
        self.sent[sent] = self.sent.get(sent, 0) + size_bytes
        self.received[received] = self.received.get(received, 0) + size_bytes

    def busiest_ns(self) -> int:
        """Return how long the busiest link needs for the bytes that are counted."""
        longest = 0
        leaving: Dict[Tuple[int, Tuple[Port, ...]], int] = {}    # bytes by host and its ports
        for (source, kind), size in self.sent.items():
            ports = self.first_ports(source, self.example[kind])
            leaving[source, ports] = leaving.get((source, ports), 0) + size
        for (_, ports), size in leaving.items():
            if ports:
                longest = max(longest, size * BIT_NS // (min(self.links[link].rate_bps for _, link in ports) * len(ports)))
        inner: Dict[Tuple[int, int], float] = {}    # bytes by link and the switch that sends them
        of_kind: Dict[int, Dict[int, float]] = {}   # bytes by kind of the receiver and the switch that they enter first
        for target, entered in self.entering().items():
            peers = {peer for peer, _ in self.ports[target]}
            if len(peers) > 1:
                longest = max(longest, self.spread(self.kind[target], target, entered, inner))
                continue
            rate = sum(self.links[link].rate_bps for _, link in self.ports[target])
            longest = max(longest, int(sum(entered.values())) * BIT_NS // rate)
            together = of_kind.setdefault(self.kind[target], {})
            for switch, bytes_ in entered.items():
                together[switch] = together.get(switch, 0) + bytes_
        for kind, entered in of_kind.items():
            self.spread(kind, -1, entered, inner)
        return max(longest, max((int(size * BIT_NS / self.links[link].rate_bps) for (link, _), size in inner.items()), default=0))

    def entering(self) -> Dict[int, Dict[int, float]]:
        """Return the bytes to each host by the switch that they enter first; those over a link of two hosts enter none."""
        found: Dict[int, Dict[int, float]] = {}
        for (target, kind), size in self.received.items():
            ports = self.first_ports(self.example[kind], target)
            if ports and ports[0][0] != target:
                entered = found.setdefault(target, {})
                for peer, _ in ports:
                    entered[peer] = entered.get(peer, 0) + size / len(ports)
        return found

    def spread(self, kind: int, target: int, entered: Dict[int, float], inner: Dict[Tuple[int, int], float]) -> int:
        """Add the bytes that enter switches, for hosts of a kind, to `inner`, those of all links behind them by link and sending switch.
        Returns how long the busiest link to `target` needs, a host, or -1 for all of its kind."""
        at: Dict[int, Dict[int, float]] = {}    # bytes by distance and switch
        for switch, size in entered.items():
            at.setdefault(self.level(switch, kind) or 0, {})[switch] = size
        for level in range(max(at, default=0), 0, -1):
            for switch, size in at.get(level, {}).items():
                ports = self.next_ports(switch, kind, level)
                nearer = at.setdefault(level - 1, {})
                for peer, link in ports:
                    inner[link, switch] = inner.get((link, switch), 0) + size / len(ports)
                    nearer[peer] = nearer.get(peer, 0) + size / len(ports)
        longest = 0
        for switch, size in at.get(0, {}).items() if target >= 0 else ():
            rate = sum(self.links[link].rate_bps for peer, link in self.ports[target] if peer == switch)
            longest = max(longest, int(size * BIT_NS / rate))
        return longest
