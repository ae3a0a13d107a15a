# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""HPCC, DCTCP and DCQCN under workloads: the fat tree and the testbed of HPCC (SIGCOMM 2019). Bands were fixed before the first run."""
from __future__ import annotations

import math
from typing import Callable

from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, over_seeds, run, within
from .reality_arrivals_runs import FAT
from .reality_runs import switch
from .windowed import HPCC, algorithm, lead, noted

PACKET, HEADERS, ACK = 1000, 62, 84   # bytes
HOP = 1e-6
WARM_UP = 1e-3         # s: until then the largest flows are few
LOADS = (30, 50, 70)
SHORT = 120e3
AS_SIMULATED = {"hpcc": "hpcc:simulator", "dctcp": "dctcp", "dcqcn": "dcqcn:hpcc", "timely": "timely:hpcc"}
# A rerun of the paper's simulations by others, without seeds: 99th percentile of the slowdown of short flows.
RERUN = {("ws", "hpcc"): (1.62, 1.92, 2.00), ("ws", "dctcp"): (3.84, 5.66, 7.69), ("ws", "dcqcn"): (8.15, 13.7, 23.7),
         ("fb", "hpcc"): (2.27, 3.28, 6.06), ("fb", "dctcp"): (3.55, 5.33, 8.44)}


def alone(size: float, rates: tuple, hop: float = HOP) -> float:
    """Completion time of a flow that has its path of links of these rates for itself, without telemetry."""
    packets = max(1, math.ceil(size / PACKET))
    last = (size - (packets - 1) * PACKET + HEADERS) * 8
    return ((size + packets * HEADERS) * 8 / rates[0] + sum(last / rate for rate in rates[1:])
            + sum(ACK * 8 / rate for rate in rates) + 2 * len(rates) * hop)


def path(src: int, dst: int, rack: int, pod: int, rate: float, core: float) -> tuple:
    """Rates of the links between two hosts; `pod` racks have common switches above them, 0: all racks."""
    if src // rack == dst // rack:
        return rate, rate
    if pod == 0 or src // rack // pod == dst // rack // pod:
        return rate, core, core, rate
    return rate, core, core, core, core, rate


def slowdowns(data: Data, key: str, seed: int, links: Callable, hop: float, some: Callable) -> list:
    """FCT / FCT alone of the flows whose size is one of `some`, of those that begin when the load is there; a flow without an end is as
    slow as can be."""
    s = data.series(key, "flows.csv", seed)
    return sorted(fct / alone(size, links(int(src), int(dst)), hop) if fct is not None else math.inf
                  for src, dst, size, fct, start in zip(s["src"], s["dst"], s["size_bytes"], s["fct_s"], s["start_s"])
                  if some(size) and start > WARM_UP)


def percentile(values: list, share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def fat_links(src: int, dst: int) -> tuple:
    return path(src, dst, 16, 4, 100e9, 400e9)


def pooled(data: Data, key: str, links: Callable, some: Callable, hop: float = HOP) -> list:
    """Those of all seeds together, as a seed has few short flows."""
    return sorted(v for seed in data.figure.runs[key].seeds for v in slowdowns(data, key, seed, links, hop, some))


def factor(value: float) -> str:
    return f"{value:.2f}"


def in_all(values: list, share: float, inside: Callable) -> Measured:
    value = percentile(values, share)
    return Measured(f"{factor(value)} ({len(values)} flows)", inside(value), value)


def fat_tree() -> Figure:
    sizes = {"ws": "web-search", "fb": "fb-hadoop"}
    runs = {f"{name}-{cc}-{load}": run("workload", "--topology=fat-tree", *algorithm(AS_SIMULATED[cc]), f"--sizes={sizes[name]}",
                                       f"--load={load / 100:g}", "--rate=100Gbps", "--delay=1us", "--ack-every=1", "--time=3ms",
                                       "--drain=20ms", cost=30)
            for name, cc in RERUN for load in LOADS}

    def rows() -> list:
        made = []
        for (name, cc), values in RERUN.items():
            for load, value in zip(LOADS, values):
                key = f"{name}-{cc}-{load}"
                made.append(Row(f"hpcc-{key}", f"{sizes[name]}, load {load} %, {lead(cc)}: p99 slowdown of flows below 120 KB",
                                f"{value:g}", "+-30 %", (key,), lambda data, key=key, value=value: in_all(
                                    pooled(data, key, fat_links, lambda size: size < SHORT), 0.99, within(0.7 * value, 1.3 * value))))
        return made

    def latency(data: Data) -> Measured:
        ours, theirs = (percentile(pooled(data, f"ws-{cc}-50", fat_links, lambda size: size < SHORT), 0.99) for cc in ("hpcc", "dctcp"))
        return Measured(f"{theirs / ours:.2f}x", theirs / ours > 2, theirs / ours)

    def long(data: Data) -> Measured:
        means = {cc: over_seeds(pooled(data, f"ws-{cc}-50", fat_links, lambda size: size > 1e6), factor, bool).value
                 for cc in ("hpcc", "dctcp", "dcqcn")}
        value = (means["hpcc"] or 0) / min(means["dctcp"] or 0, means["dcqcn"] or 0)
        return Measured(f"{value:.2f}x", value <= 1.24, value)
    three = tuple(f"ws-{cc}-50" for cc in ("hpcc", "dctcp", "dcqcn"))

    def panel(ax, data: Data) -> None:
        for (name, cc), shade in zip(RERUN, draw.SHADES):
            ax.plot(LOADS, [percentile(pooled(data, f"{name}-{cc}-{load}", fat_links, lambda size: size < SHORT), 0.99) for load in LOADS],
                    color=shade, marker="o", label=f"{lead(cc)}, {sizes[name]}")
        ax.set_xlabel("load (%)")
        ax.set_ylabel("p99 slowdown below 120 KB")
        ax.set_yscale("log")
    return Figure("hpcc-fat", HPCC, "workloads on the fat tree of 320 hosts",
                  "3 ms of arrivals, flows after the first one, 100 and 400 Gb/s, 1 us per link, ECMP; HPCC, DCTCP and DCQCN as "
                  "in the paper's simulator; "
                  "slowdown by the FCT alone without telemetry; the rerun is of others, without seeds", runs,
                  (*rows(),
                   Row("hpcc-fat-latency", "web search, load 50 %: p99 of short flows, DCTCP over HPCC", "> 2x", "> 2x", three[:2],
                       latency),
                   Row("hpcc-fat-long", "web search, load 50 %: mean slowdown above 1 MB, HPCC over the better of the others",
                       "at most 1.24x", "<= 1.24x", three, long)),
                  (Panel("Short flows", tuple(runs), panel),))


def fat_incast() -> Figure:
    """FB_Hadoop at 30 % and incasts of 60 x 500 KB, 2 % of the capacity."""
    runs = {cc: run("testbed", *algorithm(AS_SIMULATED[cc]), FAT, "--arrivals=fb-hadoop:0.3", "--incasts=60:500KB:0.02",
                    "--load-counts=payload", *switch("h19-sim", 100, cc == "dcqcn"), "--scale-thresholds", "--rate=100Gbps", "--mtu=1000",
                    "--ack-every=1", "--time=1ms", "--drain=20ms", seeds=3, cost=8) for cc in ("hpcc", "dcqcn", "timely")}

    def row(cc: str, published: str, inside: Callable) -> Row:
        return Row(f"hpcc-pfc-{cc}", f"FB_Hadoop 30 %, incasts of 60 x 500 KB: pauses of switches under {lead(cc)}", published, published,
                   (cc,), lambda data: over_seeds(data.all(cc, "switch_pauses"), lambda v: f"{v:.3g}", inside))
    return Figure("hpcc-pfc", HPCC, "incasts beside FB_Hadoop: pauses",
                  "the fat tree of 320 hosts, its switches as in `reality`, 1 ms of arrivals, load 30 %, incasts of 60 senders "
                  "with 500 KB each at "
                  "2 % of the capacity", runs, (row("hpcc", "none", lambda v: v == 0), row("dcqcn", "some", lambda v: v > 0),
                                         row("timely", "some", lambda v: v > 0)))


def testbed() -> Figure:
    """32 hosts at 25 Gb/s on four switches, 100 Gb/s between them."""
    hop = 600e-9
    words = ("--topology=leaf-spine", "--racks=4", "--hosts-per-rack=8", "--spines=4", "--core-rate=100Gbps", "--rate=25Gbps",
             "--delay=600ns", "--ack-every=1", "--sizes=web-search", "--time=60ms", "--drain=1s")
    runs = {f"{cc}-{load}": run("workload", *algorithm("hpcc" if cc == "hpcc" else AS_SIMULATED[cc]), f"--load={load / 100:g}",
                                *(words if cc == "hpcc" else (*words, "--kmin=100KB", "--kmax=400KB", "--pmax=0.2")), seeds=3, cost=9)
            for cc in ("hpcc", "dcqcn") for load in (30, 50)}

    def links(src: int, dst: int) -> tuple:
        return path(src, dst, 8, 0, 25e9, 100e9)

    def tail(cc: str, load: int, value: float) -> Row:
        key = f"{cc}-{load}"
        return Row(f"hpcc-testbed-{key}", f"testbed, web search {load} %, {lead(cc)}: p99 slowdown of flows below 3 KB", f"{value:g}",
                   "+-30 %", (key,), lambda data: in_all(pooled(data, key, links, lambda size: size < 3000, hop), 0.99,
                                               within(0.7 * value, 1.3 * value)))

    def queue(cc: str, share: int, value: float) -> Row:
        return Row(f"hpcc-testbed-queue-{cc}-p{share}", f"testbed, web search 50 %, {lead(cc)}: p{share} of a host's queue",
                   f"{value / 1e3:g} KB", "+-50 %", (f"{cc}-50",),
                   lambda data: over_seeds(data.all(f"{cc}-50", f"queue.p{share}_bytes"), lambda v: f"{v / 1e3:.1f} KB",
                                           within(0.5 * value, 1.5 * value)))
    return Figure("hpcc-testbed", HPCC, "web search on the testbed",
                  "32 hosts at 25 Gb/s in four racks, 4 x 100 Gb/s from each, 60 ms of arrivals; three seeds together; queue of one port "
                  "to a host", runs,
                  (tail("hpcc", 30, 2.38), tail("dcqcn", 30, 11.2), tail("hpcc", 50, 2.70), tail("dcqcn", 50, 53.9),
                   queue("hpcc", 95, 19.7e3), queue("hpcc", 99, 22.9e3), queue("dcqcn", 95, 1.1e6), queue("dcqcn", 99, 2.1e6)))


RISING = ("what the rerun's arrivals lasted is not known, and the tail grows with them: DCTCP at 50 % of web search has 2.3 after 0.3 ms "
          "and 3.5 after 3 ms, HPCC at 70 % 1.9 and 3.0")
ONE_PORT = ("the published queue is that of ports under load; here it is one port that is used half, all of the time counted; and 60 ms of "
            "arrivals do not fill it as a testbed's do")
NOTES = {
    **{f"hpcc-{key}": RISING for key in ("ws-hpcc-70", "ws-dctcp-50", "ws-dctcp-70", "ws-dcqcn-30", "ws-dcqcn-50", "ws-dcqcn-70",
                                         "fb-hpcc-70", "fb-dctcp-70", "fat-latency")},
    "hpcc-pfc-hpcc": "in the first round trip 60 senders put 60 windows of 150 KB, 9 MB, into one switch; DCQCN pauses 70 times as "
                     "often",
    "hpcc-testbed-hpcc-30": "without the delays of NICs and hosts",
    "hpcc-testbed-dcqcn-50": "the tail grows with the time of arrivals, of which 60 ms are simulated",
    **{f"hpcc-testbed-queue-{key}": ONE_PORT for key in ("hpcc-p95", "hpcc-p99", "dcqcn-p95", "dcqcn-p99")},
}
FIGURES = noted((fat_tree(), fat_incast(), testbed()), NOTES)
