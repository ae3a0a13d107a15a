# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a network can carry from the senders of a run to its receivers, in bit/s. A host sends and receives on its own, as links are full
duplex."""
from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict, deque
from typing import Callable, Iterable, Iterator, NamedTuple, Optional

from ..read.asked import Asked, has_links
from ... import units
from ...common import RccError, get

MOST = 20_000      # links up to which the capacity is computed; beyond, nothing is said
EVERY = 10_000     # pairs up to which each one of all hosts with all others counts; beyond, there is a bound
SOURCE, SINK = ("", "source"), ("", "sink")
# Programs that know the rate of all that their flows can take together, bottleneck_bps, up to that of the senders' links. That of others,
# such as a trace, is the rate of the port that is watched.
OF_FILE = ("clos", "incast", "convergence")   # which experiment files may have on networks of their own, with --links
ONE_PORT = ("incast", "convergence", "workload", "fan-in", "capacity")
SCHEDULED = ("fan-in", "capacity")    # of these, whose port may have a rate of its own: it is the cut
OVERRIDE = re.compile(r"(^|,)(ns3::)?QbbNetDevice\.DataRate=")    # in `base`: it comes in place of the rates of all links


class Most(NamedTuple):
    rate: float
    exact: bool        # or a bound from above


class Graph:
    """Directed edges with capacities."""

    def __init__(self):
        self.room: dict = defaultdict(dict)

    def add(self, a, b, rate: float) -> None:
        self.room[a][b] = self.room[a].get(b, 0) + rate
        self.room[b].setdefault(a, 0)

    def link(self, a: str, b: str, rate: float) -> None:
        """A link of full duplex. A host's two directions are two ends: it is no transit."""
        def end(name: str, sends: bool) -> tuple:
            return (name, ("out" if sends else "in") if name.startswith("h") else "")
        self.add(end(a, True), end(b, False), rate)
        self.add(end(b, True), end(a, False), rate)

    def flow(self) -> float:
        """The least cut between SOURCE and SINK, by shortest augmenting paths (Edmonds and Karp)."""
        total = 0.0
        while True:
            before = {SOURCE: SOURCE}
            waiting = deque([SOURCE])
            while waiting and SINK not in before:
                at = waiting.popleft()
                for to, room in self.room[at].items():
                    if room > 0 and to not in before:
                        before[to] = at
                        waiting.append(to)
            if SINK not in before:
                return total
            path = [SINK]
            while path[-1] != SOURCE:
                path.append(before[path[-1]])
            hops = list(zip(path[1:], path))
            least = min(self.room[a][b] for a, b in hops)
            for a, b in hops:
                self.room[a][b] -= least
                self.room[b][a] += least
            total += least


def items(text: str) -> list:
    """Split at commas outside of brackets."""
    return [part for part in re.split(r",(?![^\[]*\])", text) if part.strip()]


def names(pattern: str) -> list:
    """h[1-3] as h1, h2, h3, and h[10-30/10] as h10, h20, h30. Raises ValueError for what is no such pattern, or too many."""
    found = re.fullmatch(r"([^\[\]]*)\[(\d{1,6})-(\d{1,6})(?:/(\d{1,6}))?\](.*)", pattern)
    if not found:
        if not pattern or re.search(r"[-\[\]=~:*>\s]", pattern):
            raise ValueError(pattern)
        return [pattern]
    head, first, last, step, rest = found.groups()
    numbers = range(int(first), int(last) + 1, int(step or 1))
    ends = names(rest) if rest else [""]
    if not numbers or len(numbers) * len(ends) > MOST:
        raise ValueError(pattern)
    return [f"{head}{i}{end}" for i in numbers for end in ends]


def pairs(text: str, most: int = 0, of_flows: bool = False) -> list:
    """The pairs of A-B, every one with every one, of A=B, one by one, or of A~B, each side in turn (lab/doc/testbed.md); `most`: the
    first ones; `of_flows`: a host with itself is none. Raises ValueError for another text, or too many."""
    at = re.search(r"[-=~](?![^\[]*\])", text)
    if not at:
        raise ValueError(text)
    left, right = names(text[:at.start()]), names(text[at.end():])
    if at[0] == "=":
        if len(right) > 1 and len(left) % len(right):
            raise ValueError(text)
        return [(a, right[i * len(right) // len(left)]) for i, a in enumerate(left)][:most or None]
    count = len(left) * len(right) // (math.gcd(len(left), len(right)) if at[0] == "~" else 1)
    count = min(count, most or count)
    if count > MOST:
        raise ValueError(text)
    if at[0] == "~":
        return [(left[i % len(left)], right[i % len(right)]) for i in range(count)]
    return list(itertools.islice(((a, b) for a in left for b in right if not of_flows or a != b), count))


class Group(NamedTuple):
    """Flows that a run counts together (`groups` of run.json)."""
    name: str
    pairs: list      # of hosts, that its flows have in turn
    keys: dict       # of their item of --flows

    def flows(self, count: int) -> Iterator:
        """The pair of each of the first flows, of which those of a pair's queue pairs follow each other."""
        each = int(self.keys.get("qps") or 1)
        return (self.pairs[i // each % len(self.pairs)] for i in range(count if self.pairs else 0))


def groups(text: str) -> Iterator:
    """Those of --flows. Raises ValueError."""
    for item in items(text):
        hosts, *words = item.strip().split(":")
        keys = dict(word.partition("=")[::2] for word in words)
        if not all(re.fullmatch(r"[1-9]\d{0,7}", keys.get(name) or "1") for name in ("count", "qps", "repeat")):
            raise ValueError(item)
        if keys.get("count"):
            yield Group(hosts, pairs(hosts, int(keys["count"]), True), keys)
        else:
            yield from (Group(f"{a}-{b}", [(a, b)], keys) for a, b in pairs(hosts, 0, True))


def groups_of(asked: Asked, run: dict) -> list:
    """Those of a run, with what the command says of them; of another command, what their names say. Raises ValueError."""
    found = [group for group in run.get("groups") or [] if isinstance(group, dict)]
    try:
        known = list(itertools.islice(groups(asked.text("flows")), len(found)))
    except ValueError:
        known = []
    if [group.name for group in known] == [group.get("name") for group in found]:
        return known
    return [Group(str(group.get("name")), pairs(str(group.get("name")), int(get(group, "flows") or 0), True), {}) for group in found]


def flow_pairs(text: str) -> Iterator:
    """(sender, receiver) of every flow, or of every one of its repetitions, that --flows lists."""
    for group in groups(text):
        yield from itertools.islice(itertools.cycle(group.pairs), int(group.keys.get("count") or len(group.pairs)))


def links(asked: Asked) -> Iterator:
    """(a, b, rate) of every link of a testbed, parallel ones together. Raises ValueError for what is none."""
    return ((a, b, min(rate, asked.at_most) * times) for ends, rate, times in _items_of_links(asked) for a, b in pairs(ends))


def _items_of_links(asked: Asked) -> Iterator:
    """(A-B, rate of each, how many in parallel)"""
    for item in items(asked.text("links")):
        ends, *own = item.strip().split(":")
        ends, star, times = ends.partition("*")
        if own and "=" in own[0]:   # A-B:rate=10Gbps:parallel=2
            keys = dict(part.split("=", 1) for part in own)
            if not keys.keys() <= {"rate", "delay", "parallel"}:
                raise ValueError(item)
            star, times = ("*", keys["parallel"]) if "parallel" in keys else (star, times)
            own = [keys.get("rate", "")]
        if star and not re.fullmatch(r"[1-9]\d{0,3}", times):
            raise ValueError(item)
        rate = units.value_of(own[0]) if own and own[0] else asked.value("rate")
        if not rate:
            raise ValueError(item)
        yield ends, rate, int(times) if star else 1


def ranks(asked: Asked, operation: str, placement: str) -> list:
    """The pairs of a collective operation of all hosts; empty if they are too many."""
    racks: dict = {}
    for name, switch in first_links(asked).items():
        racks.setdefault("" if placement == "within" else switch, []).append(name)
    order = [name for turn in itertools.zip_longest(*racks.values()) for name in turn if name]
    if operation == "all-reduce":
        return list(zip(order, order[1:] + order[:1])) if len(order) > 1 else []
    return every(order) if len(order) ** 2 <= EVERY else []


def every(hosts: Iterable) -> list:
    return [(a, b) for a in hosts for b in hosts if a != b]


def first_links(asked: Asked) -> dict:
    """All hosts, with what their first link leads to."""
    found: dict = {}
    for a, b, _ in links(asked):
        for name, other in ((a, b), (b, a)):
            if name.startswith("h"):
                found.setdefault(name, other)
    return found


def ends_of(asked: Asked, run: dict) -> list:
    """(sender, receiver) of all flows: of the groups of the run, else of the command; empty if every host may send to every other."""
    found = [pair for group in groups_of(asked, run) for pair in group.pairs]
    if run.get("scenario") == "collective":
        operation, *keys = (asked.given.get("collective") or asked.text("operation")).split(":")
        given = dict(key.partition("=")[::2] for key in keys)
        return ranks(asked, operation, given.get("placement") or asked.text("placement"))
    return found or list(dict.fromkeys(flow_pairs(asked.given.get("flows") or "")))


def of_testbed(asked: Asked, run: dict) -> Optional[Most]:
    """From the links, and the hosts that the groups of the run name."""
    net = list(itertools.islice(links(asked), MOST + 1))
    hosts = first_links(asked)
    ends = [(a, b) for a, b in dict.fromkeys(ends_of(asked, run)) if a != b]
    known = bool(ends)
    if not known:
        known = len(hosts) ** 2 <= EVERY
        ends = every(hosts) if known else list(zip(hosts, [*hosts][1:] + [*hosts][:1]))   # of these only what each host is counts
    if len(net) > MOST or not {name for pair in ends for name in pair} <= hosts.keys():   # or the links are not those of this run
        return None
    if min(len({a for a, _ in ends}), len({b for _, b in ends})) == 1:
        return Most(cut(net, ends, False), known)
    return Most(min(cut(net, ends, apart) for apart in (False, known)), False)


def cut(net: list, ends: list, apart: bool) -> float:
    """Return the least cut between all senders and all receivers, which is exact if one host sends or one receives, else a bound. `apart`:
    what comes from the hosts of a switch goes to hosts of the same switch only as far as pairs do; exact for no single host."""
    senders, receivers = {a for a, _ in ends}, {b for _, b in ends}
    near: dict = {name: {} for name in dict.fromkeys(name for pair in ends for name in pair)}
    for a, b, rate in net:
        if all(name in near or not name.startswith("h") for name in (a, b)) and a != b:
            for one, other in ((a, b), (b, a)):
                near.setdefault(one, {})
                near[one][other] = near[one].get(other, 0.0) + rate
    local: dict = {}    # by switch: the rates of hosts that send to another host of it, and of those that receive so
    for a, b in ends:
        for switch in near[a].keys() & near[b].keys():
            for rates, name in zip(local.setdefault(switch, ({}, {})), (a, b)):
                rates[name] = near[name][switch]
    merge_twins(near, lambda name: (name in senders, name in receivers, name if apart and name in local else ""))
    sent, passed, got = ("from", "", "to") if apart else ("", "", "")
    hosts = senders | receivers
    graph = Graph()
    for a, own in near.items():
        for b, rate in own.items():
            end = (b, "in" if b in hosts else sent if a in hosts else passed)
            for side in ["out"] if a in hosts else [got] if b in hosts else dict.fromkeys((sent, passed)):
                graph.add((a, side), end, rate)
        graph.add(SOURCE, (a, "out"), float("inf") if a in senders else 0.0)
        graph.add((a, "in"), SINK, float("inf") if a in receivers else 0.0)
        if apart and a not in hosts:
            graph.add((a, passed), (a, got), float("inf"))
            graph.add((a, sent), (a, got), min(sum(rates.values()) for rates in local.get(a, ({},))))
    return graph.flow()


def merge_twins(near: dict, role: Callable) -> None:
    """Make one node of those that have the same links and the same role, which leaves the cut as it is."""
    while True:
        twins = defaultdict(list)
        for name, own in near.items():
            twins[role(name), frozenset(own.items())].append(name)
        several = [names for names in twins.values() if len(names) > 1]
        if not several:
            return
        for first, *rest in several:
            for name in rest:
                for other, rate in near.pop(name).items():
                    near[first][other] += rate
                    near[other][first] += near[other].pop(name)


def core_rate(asked: Asked) -> float:
    """Of one link between leaf and spine, or aggregation and core."""
    rate = asked.value("rate") or 0.0
    over = asked.value("oversubscription")
    if over and asked.value("spines"):
        return min((asked.value("hosts-per-rack") or 0) * rate / (asked.value("spines") or 1) / over, asked.at_most)
    return min(asked.value("core-rate") or rate, asked.at_most)


def of_clos(asked: Asked, run: dict) -> Optional[float]:
    """Senders fill pods or racks from the first one on, receivers are spread over the last one."""
    senders, receivers, rate = get(run, "senders"), asked.value("receivers"), asked.value("rate")
    if not senders or not receivers or not rate:
        return None
    rate = min(rate, asked.at_most)
    receivers = min(receivers, get(run, "flows") or receivers)
    if asked.text("topology") == "leaf-spine":
        uplinks, hosts = (asked.value("spines") or 0) * core_rate(asked), asked.value("hosts-per-rack") or 1
    else:
        k = asked.value("k") or 0
        cores = asked.value("cores") or 0
        if not asked.given.get("cores") and k and cores % (k / 2):
            cores = k / 2    # as the program has it where its default does not fit
        uplinks, hosts = cores * min(asked.value("core-rate") or rate, asked.at_most), k * k / 4
        receivers = min(receivers, hosts) if not asked.given.get("receivers") else receivers
    if not hosts:
        return None
    full, rest = divmod(senders, hosts)
    return min(full * min(hosts * rate, uplinks) + min(rest * rate, uplinks), uplinks, receivers * rate) or None


def of(asked: Asked, run: dict) -> Optional[float]:
    """What the flows of a run can carry together in bit/s; None where it is not known."""
    found = known(asked, run)
    return found.rate if found else None


def in_window(run: dict) -> tuple:
    """(begin, end) of the averages, and the end of the run."""
    end = get(run, "sim_s") or math.inf
    window = run.get("window_s")
    return (*window, end) if isinstance(window, list) and len(window) == 2 else (0.0, end, end)


def scheduled(asked: Asked, run: dict) -> tuple:
    """When `phases` and when `steps` of an experiment, or --capacity of a scenario, set the rate of a port, in s; 0 of what is none."""
    phases = run.get("phases")
    steps = asked.given.get("steps") or (asked.given.get("capacity") or "" if asked.scenario == "fan-in" else "")
    return ([get(phase, "from_s") or 0.0 for phase in (phases if isinstance(phases, list) else []) if isinstance(phase, dict)],
            [units.value_of(item.split(":")[1]) or 0.0 for item in items(steps) if ":" in item])


def in_force(asked: Asked, run: dict) -> Optional[Asked]:
    """The command with the rate that all links have in the window of the averages, None where its links have rates that are not known: of
    single links, of a part of the window, or of an attribute. bottleneck_bps of the run is that at its end."""
    if OVERRIDE.search(asked.given.get("base") or "") or any(t < in_window(run)[2] for times in scheduled(asked, run) for t in times):
        return None
    return with_faults(asked, run)


def of_port(asked: Asked, run: dict) -> Optional[Asked]:
    """The same where the watched port is the cut: the last of its rates is known if it has it in the whole window. Of steps there is no
    series that shows figures when the rate was another one."""
    begin, _, end = in_window(run)
    phases, steps = scheduled(asked, run)
    return None if any(begin < t < end for t in phases) or any(0 < t < end for t in steps) else with_faults(asked, run)


def with_faults(asked: Asked, run: dict) -> Optional[Asked]:
    begin, until, end = in_window(run)
    held = []
    for fault in run.get("faults") or []:
        if isinstance(fault, dict) and fault.get("fault") == "rate":
            start, lasts = get(fault, "time_s") or 0.0, get(fault, "for_s")
            stop = math.inf if lasts is None else start + lasts
            if start < end and (stop > begin or stop >= end):
                held.append((fault.get("place") == "link=all" and start <= begin and stop >= max(until, end), fault))
    if not held:
        return asked
    rate = get(held[0][1], "rate_bps") if len(held) == 1 and held[0][0] else None
    return asked._replace(at_most=rate) if rate else None


def known(asked: Asked, run: dict) -> Optional[Most]:
    """What the flows of a run can carry together, and whether it is exact or at most that; None where it is not known."""
    program = run.get("scenario")
    own = of_port(asked, run) if program in SCHEDULED else in_force(asked, run)
    if own is None:
        return None
    asked = own
    try:
        if has_links(run) or program in OF_FILE and asked.given.get("links"):
            found = of_testbed(asked, run)
            return found if found and found.rate else None
        if program == "clos":
            rate = of_clos(asked, run)
            return Most(rate, True) if rate else None
    except (RccError, ValueError, OverflowError):   # a command of another version
        return None
    bottleneck, senders, rate = get(run, "bottleneck_bps"), get(run, "senders"), get(run, "rate_bps")
    if program not in ONE_PORT or not bottleneck:
        return None
    alone = program in SCHEDULED or not senders or not rate
    return Most(bottleneck if alone else min(bottleneck, senders * min(rate, asked.at_most)), True)
