# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc generate workload`: flow.txt for a topology's hosts: Poisson arrivals of realistic sizes between random pairs.

The same seed gives the same bytes: all numbers come from random.Random(SEED).random(), the one method whose sequence Python
promises to keep, three for each flow in this order: gap, size, pair."""
from __future__ import annotations

import math
from typing import NamedTuple

from . import flow_sizes, rdma_files
from ..common import RccError, counted, digits, say, si_bytes, si_rate, si_time, warn
from ..registry import Command

DIALECTS = ["hpcc", "original", "ns3-rdma"]   # the last two are one
DPORT = 100          # background traffic, by custom
DATA_CLASS = 3
DRAIN = 10.0         # s after the last arrival until ORIGINAL's stop time
MOST_FLOWS = 5_000_000


class Flow(NamedTuple):
    src: int
    dst: int
    size: int        # bytes; of the original: a whole number of packets
    start: int       # ns


def add_arguments(parser) -> None:
    parser.add_argument("--topology", metavar="FILE", required=True, help="topology.txt: its hosts send and receive")
    parser.add_argument("--sizes", metavar="NAME", default="web-search",
                        help="web-search, data-mining, fb-hadoop, or a file (lab/doc/workload.md) (default: web-search)")
    parser.add_argument("--load", metavar="RATIO", default="0.5",
                        help="of the hosts' links that the flows take, headers included (default: 0.5)")
    parser.add_argument("--time", metavar="TIME", default="0.1s", help="how long flows arrive (default: 0.1s)")
    parser.add_argument("--start", metavar="TIME", default="2s", help="when they begin to, by custom 2s (default: 2s)")
    parser.add_argument("--seed", metavar="N", default="1", help="random seed; the same seed gives the same bytes (default: 1)")
    parser.add_argument("--dialect", metavar="NAME", default="hpcc", choices=DIALECTS,
                        help="hpcc: src dst 3 100 BYTES start; original or ns3-rdma: src dst 3 PACKETS start stop (default: hpcc)")
    parser.add_argument("--mtu", metavar="BYTES", default="1000", help="payload of a full packet (default: 1000)")
    parser.add_argument("--out", metavar="FILE", help="write there (default: to standard output)")


def arrivals(hosts: list, sizes: flow_sizes.Sizes, gap: float, start: float, time: float, seed: int) -> list:
    """Flows in order of their start: gaps are exponential with mean `gap` s, pairs uniform."""
    import random  # here: `./rcc --help` stays quick
    draw = random.Random(seed).random
    n = len(hosts)
    flows = []
    now = 0.0
    while True:
        now -= gap * math.log(1.0 - draw())
        if now >= time:
            return flows
        size = sizes.quantile(draw())
        src, dst = divmod(int(draw() * n * (n - 1)), n - 1)
        flows.append(Flow(hosts[src], hosts[dst + (dst >= src)], size, round((start + now) * 1e9)))


def wire_bytes(size: int, mtu: int) -> int:
    return size + -(-size // mtu) * flow_sizes.OVERHEAD


def seconds(ns: int) -> str:
    return f"{ns // 10**9}.{ns % 10**9:09d}"


def text(flows: list, dialect: str, mtu: int, stop: int) -> str:
    rows = [str(len(flows))]
    if dialect == "hpcc":
        rows += [f"{f.src} {f.dst} {DATA_CLASS} {DPORT} {f.size} {seconds(f.start)}" for f in flows]
    else:
        end = seconds(stop)
        rows += [f"{f.src} {f.dst} {DATA_CLASS} {-(-f.size // mtu)} {seconds(f.start)} {end}" for f in flows]
    return "\n".join(rows) + "\n"


def command(args) -> int:
    from ..ns3_rdma.files import Remarks    # with the readers of those files, which no other command of this package needs
    from ..ns3_rdma.rows import read_topology
    load = rdma_files.quantity("ratio", args.load, "--load", 0.001, 1, "0.001 to 1")
    time = rdma_files.quantity("time", args.time, "--time", 1e-6, 1000, "1us to 1000s")
    start = rdma_files.quantity("time", args.start, "--start", 0, 1000, "0s to 1000s")
    mtu = int(rdma_files.quantity("size", args.mtu, "--mtu", 64, 9000, "64 to 9000 bytes"))
    seed = int(rdma_files.quantity("count", args.seed, "--seed", 0, 2**63, "a whole number"))
    sizes = flow_sizes.load(args.sizes)
    if not args.topology:
        raise RccError("the name of a file is missing")
    remarks = Remarks()
    topology = read_topology(args.topology, remarks)
    for remark in (*remarks.warnings, *remarks.notes):
        warn(remark)
    rates = topology.host_rates()
    alone = [host for host, rate in rates.items() if not rate]
    if alone:
        raise RccError(f"{args.topology}: host {alone[0]}: found no link, expected one for each host")
    if len(rates) < 2:
        raise RccError(f"{args.topology}: found {len(rates)} host{'s' * (len(rates) != 1)}, expected at least 2")
    if len(set(rates.values())) > 1:
        warn(f"{args.topology}: hosts of {si_rate(min(rates.values()))} to {si_rate(max(rates.values()))}: the load is of their "
             "sum, and all send alike")

    total = sum(rates.values())
    packets = sizes.mean_packets(mtu)
    payload = packets * mtu if args.dialect != "hpcc" else sizes.mean_bytes()
    gap = 8 * (payload + packets * flow_sizes.OVERHEAD) / (total * load)
    if time / gap > MOST_FLOWS:
        raise RccError(f"--time={args.time}: {time / gap:.0f} flows would arrive, expected at most {MOST_FLOWS}")
    flows = arrivals(list(rates), sizes, gap, start, time, seed)
    if not flows:
        raise RccError(f"--time={args.time}: no flow arrives, one comes every {si_time(gap)} on average; expected a longer time")
    if args.dialect != "hpcc":
        flows = [f._replace(size=-(-f.size // mtu) * mtu) for f in flows]
    written = text(flows, args.dialect, mtu, round((start + time + DRAIN) * 1e9))
    if args.out is None:
        print(written, end="")
    else:
        rdma_files.write_text(args.out, written)
    offered = sum(wire_bytes(f.size, mtu) for f in flows) * 8 / (total * time)
    say(f"{counted(len(flows), 'flow')} of {si_bytes(sum(f.size for f in flows) / len(flows))} on average between {len(rates)} hosts from "
        f"{args.start} on; offered load {digits(offered)} (asked for: {digits(load)})")
    return 0


PART = Command(
    help="write flow.txt: flows of realistic sizes at random times for a topology",
    description="Write flow.txt for a topology's hosts: flows arrive as a Poisson process between random pairs, sizes of\n"
        "web search, data mining or a file of your own. Simulates nothing; ./rcc run workload does both at once.",
    examples=[("./rcc generate workload --topology=topology.txt --load=0.3 --out=flow.txt", "web search at load 0.3"),
        ("./rcc generate workload --topology=t.txt --sizes=sizes.txt --seed=2 --time=10ms --out=flow.txt", "own sizes"),
        ("./rcc generate workload --topology=t.txt --dialect=original --out=flow.txt", "for the original ns3-rdma")],
    add_arguments=add_arguments,
    run=command)
