# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs and measures of the rows whose flows arrive at random: HPCC's simulations and testbed, TLT."""
from __future__ import annotations

import statistics

from . import reality_simulated
from .figure import Data, Measured, kb, near, percent
from .reality_runs import FRAME, attach, dcqcn, quantile, switch, testbed

ACK = FRAME + 4   # bytes of an acknowledgement


def alone(size: float, mtu: int, path: tuple) -> float:
    """Seconds that a flow takes which meets nobody, until its last acknowledgement: `path` is (bit/s, s) of each link, which stores
    and forwards; every packet is acknowledged."""
    free = [0.0] * len(path)   # when a link has sent what came before
    left, last = int(size), 0.0
    while left > 0:
        ready = 0.0
        for i, (rate, delay) in enumerate(path):
            free[i] = max(ready, free[i]) + 8 * (min(left, mtu) + FRAME) / rate
            ready = free[i] + delay
        left, last = left - mtu, ready
    return last + sum(8 * ACK / rate + delay for rate, delay in path)


def small(data: Data, key: str, seed: int, least: float, mtu: int, path) -> list:
    """Slowdowns of the flows below `least` bytes; path(src, dst) of node ids."""
    flows = data.series(key, "flows.csv", seed)
    return [t / alone(size, mtu, path(a, b)) for a, b, size, t in zip(flows["src"], flows["dst"], flows["size_bytes"], flows["fct_s"])
            if size < least and t is not None]


# ------------------------------------------------------------------------------------------------ HPCC: 320 hosts

PODS = 5
FAT = ("--links=h[0-319]=t[0-19]:100Gbps:1us,"
       + ",".join(f"t[{4 * p}-{4 * p + 3}]-a[{4 * p}-{4 * p + 3}]:400Gbps:1us" for p in range(PODS)) + ","
       + ",".join(f"a{i}-c[{4 * (i % 4)}-{4 * (i % 4) + 3}]:400Gbps:1us" for i in range(4 * PODS)))
LOADS = {"incast": ("--arrivals=fb-hadoop:0.3", "--incasts=60:500KB:0.02"), "fifty": ("--arrivals=fb-hadoop:0.5",)}
ALGORITHMS = {"dcqcn": dcqcn("vendor-100g"),   # each as run.py of that simulator has it at 100 Gb/s
              "timely": ("--cc=timely", "--preset=hpcc", "--set=timely.delta=100Mbps,timely.hai=5,timely.r_min=1Gbps")}


def fat_path(a: float, b: float) -> tuple:
    """Nodes are made in the order of --links: a rack is a host, its switch, 15 hosts."""
    racks = int(a) // 17, int(b) // 17
    middle = 0 if racks[0] == racks[1] else 2 if racks[0] // 4 == racks[1] // 4 else 4
    return ((100e9, 1e-6),) * 2 + ((400e9, 1e-6),) * middle


def fat_runs() -> dict:
    return {f"{load}-{name}": testbed(FAT, *words, "--load-counts=payload", *algorithm,
                                      *switch("h19-sim", 100, name == "dcqcn"), "--scale-thresholds", "--rate=100Gbps", "--mtu=1000",
                                      "--ack-every=1", "--time=2ms", "--window=0s-2ms", "--drain=20ms", "--interval=100us", cost=13)
            for load, words in LOADS.items() for name, algorithm in ALGORITHMS.items()}


def tail(data: Data, key: str) -> tuple:
    """95th percentile of the slowdowns of flows below 1 KB, mean of the seeds; share of the time that the NICs' ports are paused."""
    p95 = statistics.fmean(data.map_seeds(key, lambda s: quantile(small(data, key, s, 1000, 1000, fat_path), 0.95)))
    paused = [data.summary(key, s)["pfc"]["paused_s"] / (320 * data.summary(key, s)["sim_s"]) for s in data.figure.runs[key].seeds]
    return p95, statistics.fmean(paused)


def hadoop_incast(data: Data) -> Measured:
    (one, paused), (two, also) = (tail(data, f"incast-{name}") for name in ALGORITHMS)
    inside = 33 <= one <= 132 and 55 <= two <= 220 and two > one and paused > 0 and also > 0
    return Measured(f"DCQCN {one:.1f}, TIMELY {two:.1f}; paused {percent(paused)} and {percent(also)}", inside, one)


def hadoop_50(data: Data) -> Measured:
    (one, paused), (two, also) = (tail(data, f"fifty-{name}") for name in ALGORITHMS)
    inside = near(5.2, 0.25)(one) and near(6.5, 0.25)(two) and max(paused, also) <= 0.001
    return Measured(f"DCQCN {one:.2f}, TIMELY {two:.2f}; paused {percent(paused)} and {percent(also)}", inside, one)


# ------------------------------------------------------------------------------------------------ TLT: lossy leaf-spine

SMALL = 8000


def tlt_runs() -> dict:
    total = 0.4 * (4 * 40) / (8 * 40) * 95 / 88   # load of a host for 40 % of the uplinks: they lead to 88 of 95 partners
    return {"tlt": testbed("--links=h[0-95]=t[0-11],t[0-11]-c[0-3]", f"--arrivals=web-search:{0.95 * total:.5f}",
                           f"--incasts=95:8KB:{0.05 * total:.5f}:8", *dcqcn("paper"), "--lossy",
                           "--attr=QbbSwitch.EgressAlpha=1", "--buffer=4500KB", "--kmin=5KB", "--kmax=200KB", "--pmax=0.01", "--rto=4ms",
                           "--rate=40Gbps", "--mtu=1000", "--time=182ms",
                           "--drain=200ms", "--interval=1ms", seeds=5, cost=20)}


def tlt(data: Data) -> Measured:
    fore, back = [], []
    for seed in data.figure.runs["tlt"].seeds:
        flows = data.series("tlt", "flows.csv", seed)
        times = [(size, t) for size, t in zip(flows["size_bytes"], flows["fct_s"]) if t is not None]
        fore.append(quantile([t for size, t in times if size == SMALL], 0.999))
        back.append(statistics.fmean(t for size, t in times if size != SMALL))
    tail_, mean = statistics.fmean(fore), statistics.fmean(back)
    lost = max(data.list_values("tlt", "incomplete"))
    return Measured(f"foreground p99.9 {1e3 * tail_:.1f} ms, background mean {1e3 * mean:.2f} ms; at most {lost} flows not ended",
                    near(4.3e-3, 0.25)(mean) and 12.7e-3 / 2 <= tail_ <= 2 * 12.7e-3, mean)


# ------------------------------------------------------------------------------------------------ HPCC's testbed: two ports a host

WIRES = ("--links=h[0-15]-t[0-1],h[16-31]-t[2-3],t[0-3]-agg:100Gbps:980ns")
RACK = dcqcn("vendor-25g") + switch("h19-tor", 25) + ("--rate=25Gbps", "--delay=980ns", "--mtu=1000", "--ack-every=1")
PORTS = [f"t{t}>h{h}" for t in range(4) for h in range(16 * (t // 2), 16 * (t // 2) + 16)] + \
        [name for t in range(4) for name in (f"t{t}>agg", f"agg>t{t}")]


def ws_runs() -> dict:
    record = "--record=" + ",".join(PORTS)
    # Half of the traffic crosses the Agg: at a load x of its 64 links to hosts, of 25 Gb/s, its 4 of 100 Gb/s have
    # x (16 / 31) 64 * 25 / (4 * 100). The mean of all links is the source's load.
    hosts = 68 / (64 + 4 * 16 / 31 * 64 * 25 / 400)
    return {f"ws-{load}": testbed(WIRES, f"--arrivals=web-search:{load / 100 * hosts:.4f}", record, *RACK, "--scale-thresholds",
                                  "--time=20ms", "--window=0s-20ms", "--interval=10us", "--drain=500ms", cost=2) for load in (30, 50)}


def host_sides() -> dict:
    """Node ids of the hosts in the order in which --links makes them, to the pair of switches that they are on."""
    order = ["h0", "t0", "t1"] + [f"h{i}" for i in range(1, 16)] + ["h16", "t2", "t3"] + [f"h{i}" for i in range(17, 32)]
    return {i: int(int(name[1:]) >= 16) for i, name in enumerate(order) if name[0] == "h"}


def web_search(data: Data) -> Measured:
    sides = host_sides()

    def path(a: float, b: float) -> tuple:
        return ((25e9, 980e-9),) * 2 + ((100e9, 980e-9),) * (2 if sides[int(a)] != sides[int(b)] else 0)

    def slow(load: int) -> float:
        key = f"ws-{load}"
        return statistics.fmean(data.map_seeds(key, lambda s: quantile(small(data, key, s, 3000, 1000, path), 0.99)))
    found = {load: slow(load) for load in (30, 50)}
    queues = [v for s in data.figure.runs["ws-50"].seeds for v in data.series("ws-50", "ports.csv", s)["queue_bytes"]]
    median, p95, p99 = (quantile(queues, q) for q in (0.5, 0.95, 0.99))
    inside = all(want / 2 <= found[load] <= 2 * want for load, want in ((30, 11.2), (50, 53.9))) and median == 0
    inside = inside and 0.55e6 <= p95 <= 2.2e6 and 1.05e6 <= p99 <= 4.2e6
    return Measured(f"p99 slowdown {found[30]:.1f} and {found[50]:.1f}; queue at 50 %: median {kb(median)}, p95 {kb(p95)}, p99 {kb(p99)}",
                    inside, found[50])


FIGURES = (
    attach(reality_simulated.H19, fat_runs(), {
        "h19-sim-incast": (("incast-dcqcn", "incast-timely"), hadoop_incast, False),
        "h19-sim-50": (("fifty-dcqcn", "fifty-timely"), hadoop_50, False)}),
    attach(reality_simulated.TLT, tlt_runs(), {"tlt-dcqcn-lossy": (("tlt",), tlt, False)}))
