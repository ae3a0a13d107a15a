# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What pairs of hosts can carry together: the largest sum of their rates over any paths, with each direction of a link within its rate.
A linear program: the simplex method, its columns by shortest paths. Hosts and switches that nothing tells apart are one."""
from __future__ import annotations

import heapq
from collections import defaultdict
from typing import Iterable, NamedTuple

ROWS = 1000            # links of the program; beyond, it is simplified
PAIRS = 1500           # of groups of hosts
WORK = 2_000_000       # steps of the program, about a second; beyond, it says what it has
ROUNDS = 30            # in which groups are told apart
SMALL = 1e-9


class Most(NamedTuple):
    rate: float
    exact: bool        # or a bound from above


def twins(near: dict, hosts: dict) -> None:
    """Switches without hosts that have the same links become one."""
    while True:
        alike = defaultdict(list)
        for name, links in near.items():
            if name not in hosts and not any(other in hosts for other in links):
                alike[frozenset(links.items())].append(name)
        several = [names for names in alike.values() if len(names) > 1]
        if not several:
            return
        for first, *rest in several:
            for name in rest:
                merge(near, name, first)


def merge(near: dict, name: str, into: str) -> None:
    for other, rate in near.pop(name).items():
        del near[other][name]
        if other != into:
            near[into][other] = near[into].get(other, 0.0) + rate
            near[other][into] = near[other].get(into, 0.0) + rate


def alike(near: dict, hosts: dict, pairs: list, refined: bool) -> dict:
    """The group of each host: hosts with the same links and, if `refined`, as many pairs with those of every other group."""
    ids: dict = {}
    senders, receivers = {a for a, _ in pairs}, {b for _, b in pairs}
    found = {}
    for host in hosts:
        own = host if any(other in hosts for other in near[host]) else frozenset(near[host].items())
        found[host] = ids.setdefault((own, host in senders, host in receivers), len(ids))
    for _ in range(ROUNDS if refined else 0):
        to: dict = {host: [] for host in hosts}
        of: dict = {host: [] for host in hosts}
        for a, b in pairs:
            to[a].append(found[b])
            of[b].append(found[a])
        before, ids = len(ids), {}
        found = {host: ids.setdefault((found[host], tuple(sorted(to[host])), tuple(sorted(of[host]))), len(ids)) for host in hosts}
        if len(ids) == before:
            return found
    return {host: i for i, host in enumerate(hosts)} if refined else found    # a long chain, as h0 to h1 to h2: each is on its own


def simplified(links: Iterable, pairs: list, core: bool, refined: bool) -> tuple:
    """(rate of each arc, pairs of groups, group and rate of each host). `core`: all switches without hosts are one, which can only carry
    more."""
    hosts = dict.fromkeys(name for pair in pairs for name in pair)
    near: dict = {name: {} for name in hosts}
    for a, b, rate in links:
        if all(name in hosts or not name.startswith("h") for name in (a, b)) and a != b:
            for one, other in ((a, b), (b, a)):
                near.setdefault(one, {})
                near[one][other] = near[one].get(other, 0.0) + rate
    if core:
        inner = [name for name, own in near.items() if name not in hosts and not any(other in hosts for other in own)]
        for name in inner[1:]:
            merge(near, name, inner[0])
    else:
        twins(near, hosts)
    group = alike(near, hosts, pairs, refined)
    senders, receivers = {a for a, _ in pairs}, {b for _, b in pairs}
    arcs: dict = defaultdict(float)
    for a, own in near.items():
        for b, rate in own.items():
            if (a not in hosts or a in senders) and (b not in hosts or b in receivers):
                arcs[("out", group[a]) if a in hosts else a, ("in", group[b]) if b in hosts else b] += rate
    of_groups = list(dict.fromkeys((("out", group[a]), ("in", group[b])) for a, b in pairs))
    return arcs, of_groups, {host: (group[host], sum(near[host].values())) for host in hosts}


def limited(arcs: dict, hosts: dict, pairs: list) -> list:
    """Pairs of groups, of which those hosts that have such a pair have no more than their links; `hosts`: group and rate of each."""
    between: dict = {}
    for a, b in pairs:
        some = between.setdefault((hosts[a][0], hosts[b][0]), ({}, {}))
        some[0][a], some[1][b] = hosts[a][1], hosts[b][1]
    for (a, b), (senders, receivers) in between.items():
        arcs[("pair", a, b), ("out", a)] = min(sum(senders.values()), sum(receivers.values()))
    return [(("pair", a, b), ("in", b)) for a, b in between]


class Program:
    """The largest sum of flows between pairs of nodes."""

    def __init__(self, arcs: dict, pairs: list):
        self.scale = max(arcs.values(), default=1.0)
        self.rates = [rate / self.scale for rate in arcs.values()]
        self.to: dict = defaultdict(list)
        for row, (a, b) in enumerate(arcs):
            self.to[a].append((b, row))
        self.targets: dict = defaultdict(list)
        for a, b in pairs:
            self.targets[a].append(b)
        count = len(self.rates)
        # No two corners are the same one: each rate is larger by another very small part.
        self.x = [rate * (1 + 1e-7 * ((i * 7919) % count + 1) / count) for i, rate in enumerate(self.rates)]
        self.inverse: list = [{i: 1.0} for i in range(count)]    # of the basis, by rows
        self.y = [0.0] * count                                    # prices of the links
        self.columns: dict = {}                                   # paths that were found, as links
        self.work = 0

    def spread(self, start: object) -> tuple:
        """Distances at the present prices from a node, and (node before, link)."""
        away, before = {start: 0.0}, {}
        waiting = [(0.0, 0, start)]
        count = 0
        done = set()
        while waiting:
            at, _, node = heapq.heappop(waiting)
            if node in done:
                continue
            done.add(node)
            for other, row in self.to[node]:
                far = at + max(0.0, self.y[row])
                if far < away.get(other, float("inf")):
                    away[other], before[other] = far, (node, row)
                    count += 1
                    heapq.heappush(waiting, (far, count, other))
        self.work += 4 * len(done) + 4 * count
        return away, before

    def shortest(self) -> tuple:
        """(length of the shortest path of all pairs, paths shorter than 1: one for each pair)."""
        known: dict = {}
        least, found = float("inf"), []
        for source, targets in self.targets.items():
            for first, row in self.to[source]:
                if first not in known:
                    known[first] = self.spread(first)
            for target in targets:
                ways = [(max(0.0, self.y[row]) + known[first][0][target], row, first) for first, row in self.to[source]
                        if target in known[first][0]]
                if not ways:
                    continue
                length, row, node = min(ways, key=lambda way: way[:2])
                least = min(least, length)
                if length < 1 - SMALL:
                    path, at, before = [row], target, known[node][1]
                    while at != node:
                        at, row = before[at]
                        path.append(row)
                    found.append(tuple(path))
            self.work += 4 * len(targets)
        return least, found

    def enter(self) -> bool:
        """The best column enters the basis; False if none is better than what is in it."""
        best = SMALL / 10
        column: tuple = ()
        for path in self.columns:
            gain = 1 - sum(self.y[row] for row in path)
            if gain > best:
                best, column = gain, path
        row, price = min(enumerate(self.y), key=lambda item: item[1])
        if -price > best:
            best, column = -price, (row,)
        self.work += 2 * len(self.columns) + len(self.y)
        if not column:
            return False
        steps = [sum(own.get(row, 0.0) for row in column) for own in self.inverse]
        leaves = min((i for i, step in enumerate(steps) if step > SMALL), key=lambda i: (self.x[i] / steps[i], -steps[i], i), default=-1)
        if leaves < 0:    # only by rounding: each path has a link
            return False
        pivot = steps[leaves]
        fresh = {j: value / pivot for j, value in self.inverse[leaves].items()}
        theta = self.x[leaves] / pivot
        for i, step in enumerate(steps):
            if i == leaves or abs(step) < 1e-12:
                continue
            own = self.inverse[i]
            for j, value in fresh.items():
                left = own.get(j, 0.0) - step * value
                if abs(left) < 1e-12:
                    own.pop(j, None)
                else:
                    own[j] = left
            self.x[i] = max(0.0, self.x[i] - step * theta)
            self.work += len(fresh)
        self.inverse[leaves], self.x[leaves] = fresh, theta
        for j, value in fresh.items():
            self.y[j] += best * value
        self.work += 4 * len(steps)
        return True

    def most(self) -> Most:
        """Prices at which no path is shorter than 1 are a bound, of the least fractional cut; at the end it is what can be carried."""
        while True:
            least, found = self.shortest()
            if all(path in self.columns for path in found):
                break
            self.columns.update(dict.fromkeys(found))
            while self.work < WORK and self.enter():
                pass
            if self.work >= WORK:
                least, _ = self.shortest()
                break
        if least == float("inf"):    # no pair has a path
            return Most(0.0, True)
        bound = sum(rate * max(0.0, price) for rate, price in zip(self.rates, self.y)) / min(1.0, least) if least else float("inf")
        return Most(float(f"{bound * self.scale:.9g}"), self.work < WORK and least > 1 - 1e-6)


def most(links: list, pairs: list) -> Most:
    """`links`: (a, b, rate), full duplex; names of hosts begin with h, and nothing passes through them. `pairs`: of different hosts."""
    for core, refined in ((False, True), (True, True), (True, False)):
        arcs, of_groups, hosts = simplified(links, pairs, core, refined)
        if not refined and len(of_groups) <= PAIRS:
            of_groups = limited(arcs, hosts, pairs)
        if len(arcs) <= ROWS and len(of_groups) <= PAIRS:
            found = Program(arcs, of_groups).most()
            return found._replace(exact=found.exact and not core)
    return Most(float("inf"), False)
