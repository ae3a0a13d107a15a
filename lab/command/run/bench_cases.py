# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The simulations that `./rcc bench` measures, as experiments: a star, the fat tree of the HPCC paper, full fat trees.

The flows of the HPCC paper's fat tree have windows, which a generator record has not, so they are drawn here. Their draws are those of that
record."""
from __future__ import annotations

from typing import Iterator, NamedTuple, Tuple

from ..experiment import arrivals
from ..experiment.algorithms import Parameters
from ..experiment.model import Arrival, AtRate, Default, Experiment, Flows, Group, Link, Marker, Node
from ..files import flow_sizes, topology

SENDERS = 8
RDMA_CLASS = 3
ACK_EVERY = {"coalesced": 64, "per-packet": 1}
MTU, DELAY_NS = 1000, 1000
HOSTS, RACKS, PER_POD, CORES = 320, 20, 4, 16    # HPCC, SIGCOMM 2019, section 5.1: pods of four racks and four aggregation switches
DRAIN_NS = 1000 * 10**9
MASK = 2**64 - 1
FLOW_START, WORKLOAD = 1, 6                      # purposes of random streams


class Case(NamedTuple):
    """A simulation. `time_ns`: its length; of the scenario fat-tree, how long flows arrive."""
    scenario: str                # star, fat-tree, or large: a full fat tree
    time_ns: int
    flow_count: int = 0          # flows of star
    rate_bps: int = 40 * 10**9   # the rate of hosts' links
    ack: str = "coalesced"
    preset: str = ""             # preset of DCQCN
    k: int = 0                   # pods of large
    pattern: str = ""            # traffic of large: incast or permutation
    defaults: Tuple[Default, ...] = ()


def experiment(case: Case) -> Experiment:
    """Return the experiment of a case, whose run file the program rcc-bench takes."""
    e = Experiment()
    e.name, e.time_ns, e.rate_bps = case.scenario, case.time_ns, case.rate_bps
    e.defaults = [Default("ns3::RdmaNic", "AckEvery", str(ACK_EVERY[case.ack])), *case.defaults]
    e.algorithms = [Parameters("dcqcn", case.preset, "cc").build()]
    e.markers = [Marker(None, RDMA_CLASS, 0)]
    if case.scenario == "star":
        add_switched(e, topology.star(SENDERS + 1), case.rate_bps)
        e.groups = [Group("", (flows(case, case.flow_count, (0, 1, SENDERS), (SENDERS, 0, 1)),))]
    elif case.scenario == "large":
        add_large(e, case)
    else:
        add_web_search(e, case)
    return e


def add_switched(e: Experiment, network: topology.Network, rate: int, core_rate: int = 0) -> None:
    """Add the nodes and links of a topology. `core_rate`: of links between switches, if not `rate`; both bit/s."""
    e.nodes = [Node("host", f"h{i}") for i in range(network.hosts)] + [Node("switch", f"s{i}") for i in range(sum(network.levels))]
    e.links = [Link(a, b, core_rate if core and core_rate else rate, DELAY_NS) for a, b, core in network.edges]


def flows(case: Case, count: int, source: Tuple[int, int, int], destination: Tuple[int, int, int]) -> Flows:
    """Return endless flows that start at random in the first tenth. `source`, `destination`: first node, step and cycle of the flows."""
    return Flows(count, *source, *destination, 1, RDMA_CLASS, None, 0, 0, 0, case.time_ns // 10, None, 1, 1, 0, None, None, None, None)


def add_large(e: Experiment, case: Case) -> None:
    """Add a full fat tree where each host has a flow: to the first host, or to the one half the network away."""
    add_switched(e, topology.fat_tree(case.k), case.rate_bps)
    hosts = case.k ** 3 // 4
    half = hosts // 2
    pairs = [(hosts - 1, (1, 1, hosts), (0, 0, 1))] if case.pattern == "incast" else [
        (half, (0, 1, half), (half, 1, half)), (half, (half, 1, half), (0, 1, half))]
    e.groups = [Group("", tuple(flows(case, *pair) for pair in pairs))]


# ---------------------------------------------------------------- the HPCC paper's network

def add_web_search(e: Experiment, case: Case) -> None:
    """Add the 320 hosts of the HPCC paper and its simulator's settings: windows, a buffer of 32 MB, thresholds by rate."""
    rate = case.rate_bps
    aggregation, cores = HOSTS + RACKS, HOSTS + 2 * RACKS
    edges = [(host, HOSTS + host // (HOSTS // RACKS), False) for host in range(HOSTS)]
    for i in range(RACKS * PER_POD):
        rack, j = divmod(i, PER_POD)
        edges += [(HOSTS + rack, aggregation + rack // PER_POD * PER_POD + j, True),
                  (aggregation + rack, cores + rack % PER_POD * PER_POD + j, True)]
    add_switched(e, topology.Network(HOSTS, [RACKS, RACKS, CORES], edges), rate, 4 * rate)
    e.drain_ns = DRAIN_NS
    e.defaults[1:1] = [Default("ns3::RdmaNic", "AckHighPriority", "false")] + [
        Default("ns3::QbbSwitch", name, value) for name, value in
        (("BufferSize", "32000000"), ("PauseTime", "5us"), ("HeadroomDelays", "3"), ("AlphaRate", f"{rate}bps"), ("ResumeGap", "3072"))]
    e.at_rates = [AtRate(0, at, name, value) for at in (rate, 4 * rate)    # 400 and 1600 KB at 100 Gb/s
                  for name, value in (("kmin", at // 250000), ("kmax", at // 62500), ("pmax", 200_000_000))]
    packet = MTU * 8 * 10**9
    rtt = 12 * DELAY_NS + 2 * (packet // rate) + 4 * (packet // 4 // rate)    # hosts in different pods are six links apart
    window = rtt * rate // (8 * 10**9)
    points = flow_sizes.WEB_SEARCH
    gap = arrivals.mean_gap(points, rate * HOSTS // 2, MTU)
    e.arrived = [Arrival(source, destination, RDMA_CLASS, None, size, start, None, window, True, 0)
                 for source, destination, size, start in draw_flows(e.seed, points, HOSTS, gap, case.time_ns)]


# ---------------------------------------------------------------- draws, as the program has them

def mix(x: int) -> int:
    """Return the output of SplitMix64."""
    x = x + 0x9e3779b97f4a7c15 & MASK
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
    return x ^ x >> 31


def draw(stream: int, index: int) -> int:
    """Return a number of 64 bits."""
    high, low = (mix(stream ^ i * 0xd1342543de82ef95 & MASK) >> 32 for i in (2 * index, 2 * index + 1))
    return high << 32 | low


def minus_log(x: int) -> int:
    """Return -ln(x / 2^64) x 2^52, by squaring: a mantissa of 2 or more is a binary digit 1."""
    log2 = x.bit_length() - 1
    x <<= 63 - log2
    for _ in range(52):
        square = x * x
        digit = square >> 127
        x = square >> (63 + digit)
        log2 = 2 * log2 + digit
    return ((64 << 52) - log2) * 0xb17217f7d1cf79ab >> 64


def quantile(points: list, x: int) -> int:
    """Return the size at a cumulative probability of (x + 1/2) / 2^64, bytes. The first point is at 0."""
    share = x * flow_sizes.ONE >> 64
    (low, below), (high, above) = next((a, b) for a, b in zip(points, points[1:]) if share < b[1])
    part = (x * flow_sizes.ONE + flow_sizes.ONE // 2 - (below << 64)) // (above - below) * (high - low)
    return max(low + (part + 2**63 >> 64), 1)


def draw_flows(seed: int, points: list, hosts: int, gap: int, time: int) -> Iterator[tuple]:
    """Yield (source, destination, bytes, start in ns) of flows between random hosts that arrive before `time`, ns. `gap`: mean time between
    two, 2^-16 ns."""
    times, sizes, pairs = (mix(mix(mix(seed) ^ WORKLOAD) ^ number) for number in range(3))
    index = now = 0
    while True:
        now += gap * minus_log(draw(times, index) | 1) >> 52
        if now >> 16 >= time:
            return
        source, rest = divmod(draw(pairs, index) * hosts * (hosts - 1) >> 64, hosts - 1)
        yield source, rest + (rest >= source), quantile(points, draw(sizes, index)), now >> 16
        index += 1
