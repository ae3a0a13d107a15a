# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc generate topology`: topology.txt of common networks. Hosts have the ids from 0 on, switches those after them; a host's link
comes before those between switches, level by level."""
from __future__ import annotations

from typing import Callable, NamedTuple

from .. import units
from . import rdma_files
from ..common import RccError, si_rate, warn
from .rdma_files import NODES_MAX
from ..arguments import Parser, examples
from ..registry import Command


class Network(NamedTuple):
    hosts: int
    levels: list     # the number of switches of each level
    edges: list      # (a, b, True for a link between switches)


class Shape(NamedTuple):
    help: str
    counts: dict     # option: (default, least, most, help)
    build: Callable
    examples: list


def star(hosts: int) -> Network:
    return Network(hosts, [1], [(h, hosts, False) for h in range(hosts)])


def dumbbell(left: int, right: int) -> Network:
    n = left + right
    return Network(n, [2], [(h, n if h < left else n + 1, False) for h in range(n)] + [(n, n + 1, True)])


def fat_tree(k: int) -> Network:
    """k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores; aggregation switch j of a pod goes to the j-th k/2."""
    if k % 2:
        raise RccError(f"--k={k}: expected an even number")
    half = k // 2
    hosts = k * half * half
    edge, agg, core = hosts, hosts + k * half, hosts + 2 * k * half
    edges = [(h, edge + h // half, False) for h in range(hosts)]
    edges += [(edge + p * half + e, agg + p * half + a, True) for p in range(k) for e in range(half) for a in range(half)]
    edges += [(agg + p * half + a, core + a * half + c, True) for p in range(k) for a in range(half) for c in range(half)]
    return Network(hosts, [k * half, k * half, half * half], edges)


def clos(racks: int, hosts_per_rack: int, spines: int) -> Network:
    hosts = racks * hosts_per_rack
    edges = [(h, hosts + h // hosts_per_rack, False) for h in range(hosts)]
    edges += [(hosts + r, hosts + racks + s, True) for r in range(racks) for s in range(spines)]
    return Network(hosts, [racks, spines], edges)


SHAPES = {
    "star": Shape("all hosts on one switch", {"hosts": (8, 2, 60000, "hosts")}, star,
                  [("./rcc generate topology star --hosts=65 --rate=100Gbps --out=topology.txt", "64 senders and a receiver")]),
    "dumbbell": Shape("two switches, hosts on both sides", {
        "left": (8, 1, 30000, "hosts on the first switch"), "right": (8, 1, 30000, "hosts on the second")}, dumbbell,
        [("./rcc generate topology dumbbell --left=16 --right=16 --core-rate=40Gbps", "a bottleneck of 40 Gb/s")]),
    "fat-tree": Shape("k pods of k/2 edge and k/2 aggregation switches, k*k/4 core switches, k*k*k/4 hosts", {
        "k": (4, 2, 60, "pods, an even number")}, fat_tree,
        [("./rcc generate topology fat-tree --k=8 --out=topology.txt", "128 hosts, 80 switches")]),
    "clos": Shape("racks of hosts, every rack's switch connected to every spine", {
        "racks": (4, 1, 30000, "racks, each with one switch"), "hosts-per-rack": (16, 1, 30000, "hosts of a rack"),
        "spines": (4, 1, 1024, "spine switches")}, clos,
        [("./rcc generate topology clos --racks=20 --hosts-per-rack=16 --spines=16 --core-rate=400Gbps", "320 hosts")]),
}


def add_shape(parser, name: str) -> None:
    for option, (default, _, _, text) in SHAPES[name].counts.items():
        parser.add_argument("--" + option, metavar="N", default=str(default), help=f"{text} (default: {default})")
    parser.add_argument("--rate", metavar="RATE", default="100Gbps", help="rate of a host's link (default: 100Gbps)")
    parser.add_argument("--delay", metavar="TIME", default="1us", help="propagation delay of every link (default: 1us)")
    if name != "star":
        parser.add_argument("--core-rate", metavar="RATE", help="rate of a link between switches (default: --rate)")
        parser.add_argument("--core-delay", metavar="TIME", help="delay of a link between switches (default: --delay)")
    parser.add_argument("--error", metavar="RATIO", default="0", help="probability that a link loses a frame (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="write there (default: to standard output)")


def rate_words(text: str, what: str) -> str:
    bps = round(rdma_files.quantity("rate", text, what, 1e6, 16e12, "1Mbps to 16Tbps"))
    for unit, factor in (("Gbps", 10**9), ("Mbps", 10**6), ("kbps", 10**3)):
        if bps % factor == 0:
            return f"{bps // factor}{unit}"
    return f"{bps}bps"


def delay_words(text: str, what: str) -> str:
    value = rdma_files.quantity("time", text, what, 0, 10, "0ns to 10s") * 1e9
    if abs(value - round(value)) > 1e-6:
        raise RccError(f"{what}={text}: expected whole nanoseconds")
    return f"{round(value)}ns"


def add_arguments(parser) -> None:
    shapes = parser.add_subparsers(dest="shape", metavar="SHAPE", required=True, parser_class=Parser)
    for name, shape in SHAPES.items():
        leaf = shapes.add_parser(name, help=shape.help, description=f"Write topology.txt: {shape.help}.",
                                 epilog=examples(shape.examples))
        leaf.set_defaults(leaf=leaf)
        add_shape(leaf, name)


def command(args) -> int:
    shape = SHAPES[args.shape]
    counts = {}
    for option, (_, least, most, _) in shape.counts.items():
        key = option.replace("-", "_")
        counts[key] = int(rdma_files.quantity("count", getattr(args, key), "--" + option, least, most, f"{least} to {most}"))
    if counts.get("racks", 1) * counts.get("hosts_per_rack", 1) > NODES_MAX:
        raise RccError(f"{args.shape}: more than {NODES_MAX} nodes, which is all that an address of those simulators can tell apart")
    host = f"{rate_words(args.rate, '--rate')} {delay_words(args.delay, '--delay')}"
    core = host
    if args.shape != "star":
        if args.core_rate is not None:
            core = f"{rate_words(args.core_rate, '--core-rate')} {core.split()[1]}"
        if args.core_delay is not None:
            core = f"{core.split()[0]} {delay_words(args.core_delay, '--core-delay')}"
    error = rdma_files.quantity("ratio", args.error, "--error", 0, 1, "a probability from 0 to 1")
    network = shape.build(**counts)
    switches = sum(network.levels)
    nodes = network.hosts + switches
    if nodes > NODES_MAX:
        raise RccError(f"{args.shape}: {nodes} nodes, expected at most {NODES_MAX}, which is all that an address of those "
                       "simulators can tell apart")
    rows = [f"{nodes} {switches} {len(network.edges)}", " ".join(map(str, range(network.hosts, nodes)))]
    rows += [f"{a} {b} {core if between else host} {error:.12g}" for a, b, between in network.edges]
    text = "\n".join(rows) + "\n"
    if args.out is None:
        print(text, end="")
    else:
        rdma_files.write_text(args.out, text)
    if args.shape == "clos":
        down = counts["hosts_per_rack"] * units.parse("rate", host.split()[0], "--rate")
        up = counts["spines"] * units.parse("rate", core.split()[0], "--core-rate")
        if down > up:
            warn(f"{down / up:.3g}:1 oversubscribed: a rack has {si_rate(down)} of hosts and {si_rate(up)} to the spines")
    return 0


PART = Command(
    help="write topology.txt: star, dumbbell, fat tree or CLOS",
    description="Write topology.txt of a common network, for ns3-rdma, HPCC and ./rcc ns3-rdma.",
    examples=[shape.examples[0] for shape in SHAPES.values()],
    add_arguments=add_arguments,
    run=command)
