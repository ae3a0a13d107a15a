# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs and measures of reality_clos.py: the 40 Gb/s CLOS, the two podsets, the 25 Gb/s rack."""
from __future__ import annotations

import statistics

from . import reality_clos as data_of
from .figure import Data, Measured, Panel, kb, near, percent
from .reality_arrivals_runs import web_search, ws_runs
from .reality_runs import (FRAME, attach, between, dcqcn, gb, group, groups, line, port, quantile, queue, spread, switch,
                           testbed)

# ------------------------------------------------------------------------------------------------ SIGCOMM'15

FABRIC = "t[1-2]-l[1-2],t[3-4]-l[3-4],l[1-4]-s[1-2]"
FOUR = f"--links=h1-t1,h2-t2,h3-t3,h4-t4,h5-t4,{FABRIC}"
VICTIM = f"--links=h[1-4]-t1,h8-t1,h9-t2,h[5-6]-t3,h7-t4,{FABRIC}"
FLOWS = ("--flows=h8-h9,h[1-4]-h7", "--flows=h8-h9,h[1-4]-h7,h5-h7", "--flows=h8-h9,h[1-4]-h7,h[5-6]-h7")
SHORT = ("--time=20ms", "--window=10ms-20ms")
LONG = ("--time=200ms", "--window=100ms-200ms")
READINGS = {"slope": switch("trident2", 40), "step": switch("trident2", 40, False) + ("--kmin=40KB", "--kmax=40KB", "--pmax=1")}
INCASTS = (2, 4, 8, 16, 20)


def s15_runs() -> dict:
    lossless = ("--cc=none",) + switch("trident2", 40, False)
    runs = {"fig3": testbed(FOUR, *lossless, *SHORT, seeds=20, cost=0.15)}
    for n in range(3):
        runs[f"fig4-{n}"] = testbed(VICTIM, FLOWS[n], *lossless, *SHORT, seeds=25, cost=0.2)
    for name, words in READINGS.items():
        runs[f"fig8-{name}"] = testbed(FOUR, *dcqcn("cx3-pro"), *words, *LONG, cost=1)
        for n in (0, 2):
            runs[f"fig9-{name}-{n}"] = testbed(VICTIM, FLOWS[n], *dcqcn("cx3-pro"), *words, *LONG, cost=1.3)
    for k in INCASTS:
        runs[f"k{k}"] = testbed(f"--links=h[0-{k}]-t1", f"--flows=h[1-{k}]-h0", *dcqcn("cx3-pro"), *switch("trident2", 40), *LONG,
                                *(("--interval=10us",) if k == 20 else ()), cost=0.5)
    return runs


def fig3(data: Data) -> Measured:
    found = data.map_seeds("fig3", lambda s: groups(data, "fig3", s))
    order = [r["h4-h5"] > max(r[f"h{i}-h5"] for i in (1, 2, 3)) for r in found]
    most = max(r["h4-h5"] for r in found)
    return Measured(f"order in {percent(statistics.fmean(order))} of {len(order)} seeds; H4 at most {gb(most)}, "
                    f"{spread([r['h4-h5'] for r in found])}", statistics.fmean(order) >= 0.8 and near(20e9, 0.25)(most), most)


def victims(data: Data, key: str) -> float:
    return statistics.median(data.map_seeds(key, lambda s: groups(data, key, s)["h8-h9"]))


def fig4(data: Data) -> Measured:
    found = [victims(data, f"fig4-{n}") for n in range(3)]
    inside = near(10e9, 0.25)(found[0]) and near(4.5e9, 0.25)(found[2]) and found[0] > found[1] > found[2]
    return Measured("median victim " + ", ".join(gb(v) for v in found) + " with 0, 1, 2 senders under T3", inside, found[0])


def fig89(data: Data) -> Measured:
    texts, inside = [], True
    for name in READINGS:
        rates = [statistics.fmean(data.map_seeds(f"fig8-{name}", lambda s, i=i, k=f"fig8-{name}": groups(data, k, s)[f"h{i}-h5"]))
                 for i in (1, 2, 3, 4)]
        none, two = victims(data, f"fig9-{name}-0"), victims(data, f"fig9-{name}-2")
        inside = (inside and all(near(9.5e9, 0.1)(r) for r in rates) and max(rates) <= 1.15 * min(rates)
                  and abs(two - none) <= 0.15 * none)
        texts.append(f"{'5/200 KB/1 %' if name == 'slope' else '40/40 KB/1'}: {gb(min(rates))} to {gb(max(rates))}, victim "
                     f"{gb(none)} "
                     f"and {gb(two)}")
    return Measured("; ".join(texts), inside)


def k1(data: Data) -> Measured:
    use = [40e9 * data.mean(f"k{k}", "utilization") for k in INCASTS]
    p90 = statistics.fmean(data.map_seeds("k20", lambda s: quantile(port(data, "k20", s, "t1>h0", 0.1, 0.2), 0.9)))
    return Measured(f"total {gb(min(use))} at least; p90 queue at 20:1 {kb(p90)}", min(use) >= 38e9 and near(76.6e3, 0.25)(p90), p90)


def draw_order(ax, data: Data) -> None:
    for x in range(4):
        values = data.map_seeds("fig3", lambda s, x=x: groups(data, "fig3", s)[f"h{x + 1}-h5"] / 1e9)
        ax.plot([x + 1] * len(values), values, linestyle="none", marker="o", markersize=4, alpha=0.5, color="#0072B2")
    ax.axhline(20, color="#222222", linestyle="--", linewidth=1.1, label="published: H4 up to 20 Gb/s (recollection)")
    ax.set_xticks([1, 2, 3, 4])
    ax.set_xticklabels(["H1", "H2", "H3", "H4"])
    ax.set_ylim(bottom=0)
    ax.set_ylabel("goodput by ECMP draw (Gb/s)")


def draw_victim(ax, data: Data) -> None:
    for x in range(3):
        values = data.map_seeds(f"fig4-{x}", lambda s, x=x: groups(data, f"fig4-{x}", s)["h8-h9"] / 1e9)
        ax.plot([x] * len(values), values, linestyle="none", marker="o", markersize=4, alpha=0.4, color="#0072B2")
        ax.plot([x], [statistics.median(values)], marker="_", markersize=22, color="#D55E00", label="median" if x == 0 else None)
    ax.plot([0, 2], [10, 4.5], linestyle="none", marker="D", markerfacecolor="none", markeredgecolor="#222222",
            label="published medians (recollection)")
    ax.set_xticks([0, 1, 2])
    ax.set_ylim(bottom=0)
    ax.set_xlabel("senders under T3")
    ax.set_ylabel("victim, by ECMP draw (Gb/s)")


# ------------------------------------------------------------------------------------------------ SIGCOMM'16

def podsets() -> tuple:
    links = []
    for p in (0, 1):
        links += [f"hp{p}t{t}i[0-7]-p{p}t{t}" for t in range(24)] + [f"p{p}t[0-23]-p{p}l[0-3]"]
        links += [f"p{p}l{i}-s[{16 * i}-{16 * i + 15}]" for i in range(4)]
    flows = [f"hp{p}t{t}i[0-7]=hp{1 - p}t{t}i[0-7]:qps=8" for p in (0, 1) for t in range(24)]
    return ("--links=" + ",".join(links), "--flows=" + ",".join(flows), "--rate=40Gbps", "--time=4ms", "--window=2ms-4ms")


def s16_runs() -> dict:
    return {"off": testbed(*podsets(), "--cc=none", *switch("trident2", 40, False), cost=8.5),
            "on": testbed(*podsets(), *dcqcn("cx3-pro"), *switch("trident2", 40), cost=8.5)}


def s16_fig7(data: Data) -> Measured:
    texts, inside = [], True
    for key, name in (("off", "without DCQCN"), ("on", "with it")):
        shares = data.map_seeds(key, lambda s, k=key: sum(groups(data, k, s).values()) * (1024 + FRAME) / 1024 / 5.12e12)
        drops = max(data.list_values(key, "packets_dropped"))
        mean = statistics.fmean(shares)
        inside = inside and 0.52 <= mean <= 0.68 and drops == 0
        texts.append(f"{percent(mean)} ({percent(min(shares))} to {percent(max(shares))} over {len(shares)} seeds) {name}, "
                     f"{drops} drops")
    return Measured("; ".join(texts), inside)


# ------------------------------------------------------------------------------------------------ HPCC's rack at 25 Gb/s

RACK = dcqcn("vendor-25g") + switch("h19-tor", 25) + ("--rate=25Gbps", "--delay=980ns", "--mtu=1000", "--ack-every=1")
WIRE = 1062 / 1000


def h19_runs() -> dict:
    return {"long": testbed("--links=h[1-3]-t1", "--flows=h1-h3,h2-h3:size=1MB:start=2ms", *RACK, "--time=6ms", cost=0.1),
            "incast": testbed("--links=h[1-9]-t1", "--flows=h1-h9,h[2-8]-h9:size=200KB:start=2ms", *RACK, "--time=6ms", cost=0.1),
            "mice": testbed("--links=h[1-4]-t1", "--flows=h[1-2]-h4,h3-h4:size=1000B:start=20ms:repeat=200:every=100us", *RACK,
                            "--time=40ms", "--interval=10us", cost=0.2)}


def long_short(data: Data) -> Measured:
    ends = data.map_seeds("long", lambda s: group(data, "long", s, "h2-h3")["ended_s"])
    later = [between(data, "long", s, "h1-h3", t + 1.85e-3, t + 1.95e-3, "rate_bps") for s, t in zip(data.figure.runs["long"].seeds, ends)]
    plateau = statistics.fmean(data.map_seeds("long", lambda s: between(data, "long", s, "h1-h3", 2.1e-3, 2.3e-3, "rate_bps")))
    first = statistics.fmean(data.map_seeds("long", lambda s: max(queue(data, "long", s, 2e-3, 2.3e-3))))
    second = statistics.fmean(data.map_seeds("long", lambda s: max(queue(data, "long", s, 2.3e-3, 6e-3))))
    rate = statistics.fmean(later)
    inside = (near(19e9, 0.25)(rate) and rate < 23e9 and near(195e3, 0.25)(first) and near(225e3, 0.25)(second)
              and near(2.5e9, 0.5)(plateau))
    return Measured(f"at +1.9 ms {spread(later)}; queue peaks {kb(first)} and {kb(second)}; first plateau "
                    f"{gb(plateau)}", inside, rate)


def incast(data: Data) -> Measured:
    peak = statistics.fmean(data.map_seeds("incast", lambda s: max(queue(data, "incast", s, 2e-3, 6e-3))))

    def recovery(seed: int) -> float:
        times, rates = line(data, "incast", seed, "h1-h9", "rate_bps")
        least = min(v for t, v in zip(times, rates) if 2e-3 < t <= 4e-3)
        restart = max(t for t, v in zip(times, rates) if 2e-3 < t <= 4e-3 and v == least)   # the last cut's end
        return next((t - restart for t, v in zip(times, rates) if t > restart and v >= 22.5e9), float("inf"))
    found = data.map_seeds("incast", recovery)
    mean = statistics.fmean(found)
    back = [1e3 * v for v in found if v < float("inf")]
    when = f" ({min(back):.2f} to {max(back):.2f} ms)" if back else ""
    return Measured(f"peak {kb(peak)}; 90 % of line within 4 ms of the restart in {len(back)} of {len(found)} seeds{when}",
                    near(550e3, 0.25)(peak) and 0.9e-3 <= mean <= 1.8e-3, peak)


def mice(data: Data) -> Measured:
    samples = [v for s in data.figure.runs["mice"].seeds for v in port(data, "mice", s, "t1>h4", 0.02, 0.04)]
    median, low, high = (quantile(samples, q) for q in (0.5, 0.01, 0.99))
    times = []
    for s in data.figure.runs["mice"].seeds:
        flows = data.series("mice", "flows.csv", s)
        times += [t for size, t in zip(flows["size_bytes"], flows["fct_s"]) if size == 1000 and t is not None]
    latency = statistics.median(times)
    return Measured(f"median queue {kb(median)}, p1 to p99 {kb(low)} to {kb(high)}; median latency {1e6 * latency:.1f} us",
                    near(105e3, 0.25)(median) and low >= 75e3 and high <= 200e3 and near(40e-6, 0.25)(latency), median)


def draw_rate(key: str, name: str):
    def panel(ax, data: Data) -> None:
        times, rates = line(data, key, 1, name, "rate_bps")
        ax.plot([1e3 * t for t in times], [v / 1e9 for v in rates], color="#0072B2", linewidth=1, label="long flow, seed 1")
        ax.set_ylim(0, 27)
        ax.set_xlabel("simulated time (ms)")
        ax.set_ylabel("rate of the long flow's sender (Gb/s)")
    return panel


def draw_queue(key: str, published: tuple):
    def panel(ax, data: Data) -> None:
        s = data.series(key, "queue.csv")
        ax.plot([1e3 * t for t in s["time_s"]], [v / 1e3 for v in s["max_bytes"]], color="#D55E00", linewidth=0.9, label="queue, seed 1")
        for value in published:
            ax.axhline(value, color="#222222", linestyle="--", linewidth=1.1, label=f"published: {value} KB")
        ax.set_ylim(bottom=0)
        ax.set_xlabel("simulated time (ms)")
        ax.set_ylabel("queue (KB)")
    return panel


FIGURES = (
    attach(data_of.S15, s15_runs(), {
        "s15-fig3": (("fig3",), fig3, False), "s15-fig4": (("fig4-0", "fig4-1", "fig4-2"), fig4, False),
        "s15-fig8-9": (tuple(f"fig{w}" for name in READINGS for w in (f"8-{name}", f"9-{name}-0", f"9-{name}-2")), fig89, False),
        "s15-k1": (tuple(f"k{k}" for k in INCASTS), k1, False)},
        (Panel("Parking lot: four senders", ("fig3",), draw_order),
         Panel("Victim", ("fig4-0", "fig4-1", "fig4-2"), draw_victim))),
    attach(data_of.S16, s16_runs(), {"s16-fig7": (("off", "on"), s16_fig7, False)}),
    attach(data_of.H19, {**h19_runs(), **ws_runs()}, {
        "h19-ws": (("ws-30", "ws-50"), web_search, False),
        "h19-long-short": (("long",), long_short, False), "h19-incast": (("incast",), incast, False), "h19-mice": (("mice",), mice, False)},
        (Panel("1 MB beside a long flow", ("long",), draw_rate("long", "h1-h3")),
         Panel("Its queue", ("long",), draw_queue("long", (195, 225))),
         Panel("7 senders join", ("incast",), draw_rate("incast", "h1-h9")),
         Panel("Their queue", ("incast",), draw_queue("incast", (550,))),
         Panel("Queue that mice see", ("mice",), draw_queue("mice", (105,))))))
