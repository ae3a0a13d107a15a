# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs and measures of reality_mrc.py and reality_simulated.py."""
from __future__ import annotations

import statistics

from . import reality_mrc, reality_simulated
from .figure import Data, Measured, Panel, near, percent, run
from .reality_runs import FRAME, attach, dcqcn, gb, groups, line, spread, switch, testbed

# ------------------------------------------------------------------------------------------------ MRC: 400 Gb/s

FABRIC = "--links=h[0-15]=t[0-3],t[0-3]-s[0-3]"
LARGE = ("--rate=400Gbps", "--mtu=4096")
SPELL = ("--time=40ms", "--window=10ms-40ms", "--interval=1ms")
STRENGTHS = ("thor-stand-in", "stronger", "strongest")


def mrc_runs() -> dict:
    thor = dcqcn("thor-stand-in") + switch("tomahawk5", 400)
    runs = {}
    for qps in (1, 8):
        runs[f"victim-{qps}"] = testbed(FABRIC, f"--flows=h7-h13:qps={qps},h[0-6]-h12:qps={qps}", *thor, *LARGE, *SPELL, cost=0.7)
        for name, words in (("pfc", ("--cc=none",) + switch("tomahawk5", 400, False)), ("dcqcn", thor)):
            runs[f"{name}-{qps}"] = testbed(FABRIC, f"--flows=h[0-7]=h[8-15]:qps={qps}", *words, *LARGE, *SPELL, cost=2.1)
    flows = ",".join(f"h{i + 1}-h0:start={20 * i}ms" for i in range(15))
    for nic in STRENGTHS:
        runs[nic] = testbed("--links=h[0-15]-t1", f"--flows={flows}", *dcqcn(nic), *switch("tomahawk5", 400), *LARGE, "--time=300ms",
                            "--window=20ms-300ms", cost=1.2)
    return runs


def mrc18(data: Data) -> Measured:
    found = {q: data.map_seeds(f"victim-{q}", lambda s, q=q: groups(data, f"victim-{q}", s)["h7-h13"]) for q in (1, 8)}
    pauses = {q: min(data.list_values(f"victim-{q}", "switch_pauses")) for q in (1, 8)}
    low = min(min(v for t, v in zip(*line(data, "victim-8", s, "h7-h13")) if t > 10.5e-3) for s in data.figure.runs["victim-8"].seeds)
    one, eight = (statistics.fmean(found[q]) for q in (1, 8))
    return Measured(f"victim with 1 QP {spread(found[1])}; with 8 {spread(found[8])}, least interval {gb(low)}; pauses at "
                    f"least {pauses[1]} and "
                    f"{pauses[8]}", 225e9 <= one <= 375e9 and eight > one and min(pauses.values()) > 0 and low < 200e9, one)


def mrc20(data: Data) -> Measured:
    levels = (390e9, 195e9, 130e9)
    flows = [v for key in ("pfc-1", "dcqcn-1") for s in data.figure.runs[key].seeds for v in groups(data, key, s).values()]
    share = statistics.fmean(any(near(level, 0.1)(v) for level in levels) for v in flows)
    mean = {key: statistics.fmean(v for s in data.figure.runs[key].seeds for v in groups(data, key, s).values())
            for key in ("pfc-8", "dcqcn-8")}
    return Measured(f"1 QP: {percent(share)} of flows at a level ({gb(min(flows))} to {gb(max(flows))}); 8 QPs: PFC only "
                    f"{gb(mean['pfc-8'])}, "
                    f"DCQCN {gb(mean['dcqcn-8'])}", share == 1 and mean["dcqcn-8"] >= 1.05 * mean["pfc-8"], share)


def mrc22(data: Data) -> Measured:
    full = 400e9 * 4096 / (4096 + FRAME)
    loss, first = {}, []
    for nic in STRENGTHS:
        loss[nic] = 1 - statistics.fmean(data.map_seeds(nic, lambda s, n=nic: sum(groups(data, n, s).values()))) / full
    for at in data.list_values("thor-stand-in", "first_pause_s"):
        first.append(float("inf") if at is None else int(at / 0.02) + 1)
    turn = statistics.median(first)
    inside = (5 <= turn <= 20 and loss["thor-stand-in"] <= 0.05 and 0.05 <= loss["stronger"] <= 0.15 and 0.1 <= loss["strongest"] <= 0.3
              and loss["stronger"] < loss["strongest"])
    when = f"first pause with {turn:g} flows" if turn < 16 else "no pause up to 15 flows"
    return Measured(f"{when}; losses {', '.join(percent(v) for v in loss.values())}", inside, loss["thor-stand-in"])


RANKS = "--links=h[0-63]=t[0-7],t[0-7]-s[0-7]"
COLLECTIVES = {"all-reduce": (1, 8, 16), "all-to-all": (1, 16)}


def collective_runs() -> dict:
    thor = dcqcn("thor-stand-in") + switch("tomahawk5", 400) + LARGE
    return {f"{operation}-{qps}": run("collective", RANKS, f"--operation={operation}", "--sync=data", "--size=64MB", f"--qps={qps}", *thor,
                                      "--interval=1ms", seeds=10, cost=2.3)
            for operation, all_qps in COLLECTIVES.items() for qps in all_qps}


def mrc16(data: Data) -> Measured:
    full = 400e9 * 4096 / (4096 + FRAME)
    share = {key: data.mean(key, "collective.bus_bps") / full for key in data.figure.runs if key.startswith("all-")}
    more = share["all-reduce-16"] / share["all-reduce-8"] - 1
    inside = 0.35 <= share["all-reduce-1"] <= 0.65 and more <= 0.1 and share["all-to-all-16"] <= share["all-to-all-1"]
    return Measured("all-reduce " + ", ".join(f"{percent(share[f'all-reduce-{q}'])} with {q} QPs" for q in COLLECTIVES["all-reduce"])
                    + "; all-to-all " + ", ".join(f"{percent(share[f'all-to-all-{q}'])} with {q}" for q in COLLECTIVES["all-to-all"]),
                    inside, share["all-reduce-1"])


# ------------------------------------------------------------------------------------------------ sc20: a victim of a burst

LINK = 32e9
WIRE = 1062 / 1000


def sc20_runs() -> dict:
    return {"burst": testbed("--links=h[1-2]-p2,h[3-19]-p1,p2-p1", "--flows=h1-h3,h2-h4,h[5-19]-h4:start=3ms:stop=4ms",
                             *dcqcn("ns3-rdma"), *switch("ns3-rdma", 32), "--rate=32Gbps", "--mtu=1000", "--time=40ms", "--interval=50us",
                             "--record=p2>p1", cost=0.1)}


def average_rates(data: Data, seed: int) -> tuple:
    """Times and rates on the wire of F1 and F2, 100 us means."""
    times, one = line(data, "burst", seed, "h1-h3")
    _, two = line(data, "burst", seed, "h2-h4")
    rows = [(times[i], WIRE * (one[i - 1] + one[i]) / 2, WIRE * (two[i - 1] + two[i]) / 2) for i in range(1, len(times), 2)]
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]


def recovery(data: Data, seed: int) -> float:
    """Seconds from the burst until the link is used again after it; later cuts are none of its effects."""
    times, one, two = average_rates(data, seed)
    used = (t - 100e-6 for t, a, b in zip(times, one, two) if t > 4.1e-3 and a + b >= 0.95 * LINK)
    return next(used, float("inf")) - 3e-3


def sc20_under(data: Data) -> Measured:
    lasted = data.map_seeds("burst", lambda s: recovery(data, s))

    def slope(seed: int) -> float:
        times, one, _ = average_rates(data, seed)
        end = 3e-3 + recovery(data, seed)
        points = [(t, v) for t, v in zip(times, one) if 4e-3 < t <= end]
        if len(points) < 2:
            return 0.0
        mid_t, mid_v = statistics.fmean(p[0] for p in points), statistics.fmean(p[1] for p in points)
        return sum((t - mid_t) * (v - mid_v) for t, v in points) / sum((t - mid_t) ** 2 for t, v in points) / 1e12
    rise = statistics.fmean(data.map_seeds("burst", slope))
    mean = statistics.fmean(lasted)
    return Measured(f"{1e3 * mean:.1f} ms ({1e3 * min(lasted):.1f} to {1e3 * max(lasted):.1f}); {rise:.2f} Gb/s per ms",
                    near(16e-3, 0.25)(mean) and near(0.70, 0.15)(rise), mean)


def sc20_cut(data: Data) -> Measured:
    def cut(seed: int) -> tuple:
        times, paced = line(data, "burst", seed, "h1-h3", "rate_bps")
        _, real = line(data, "burst", seed, "h1-h3")
        window = [(p, WIRE * r) for t, p, r in zip(times, paced, real) if 3e-3 < t <= 8e-3]
        return min(p for p, _ in window), 50e-6 * sum(r < 0.9 * p for p, r in window), min(r for _, r in window)
    found = data.map_seeds("burst", cut)
    rate, held, real = (statistics.fmean(f[i] for f in found) for i in range(3))
    return Measured(f"F1's rate cut to {gb(rate)}; PFC sets it for {1e3 * held:.2f} ms; least real rate {gb(real)}",
                    near(9e9, 0.25)(rate) and near(1.2e-3, 0.25)(held), rate)


def draw_sc20(ax, data: Data) -> None:
    times, one, two = average_rates(data, 1)
    ax.plot([1e3 * t for t in times], [v / 1e9 for v in one], color="#0072B2", linewidth=1, label="F1, seed 1")
    ax.plot([1e3 * t for t in times], [(a + b) / 1e9 for a, b in zip(one, two)], color="#D55E00", linewidth=1, label="F1 + F2")
    ax.plot([3, 19], [9.5, 20.5], color="#222222", linestyle="--", linewidth=1.1, label="published: F1, 9.5 to 20.5 Gb/s in "
        "16 ms")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("simulated time (ms)")
    ax.set_ylabel("rate (Gb/s)")


FIGURES = (
    attach(reality_mrc.MRC, {**mrc_runs(), **collective_runs()}, {
        "mrc-fig16": (tuple(f"{o}-{q}" for o, all_ in COLLECTIVES.items() for q in all_), mrc16, False),
        "mrc-fig18": (("victim-1", "victim-8"), mrc18, False), "mrc-fig20": (("pfc-1", "dcqcn-1", "pfc-8", "dcqcn-8"), mrc20, False),
        "mrc-fig22": (STRENGTHS, mrc22, False)}),
    attach(reality_simulated.SC20, sc20_runs(), {"sc20-under": (("burst",), sc20_under, False), "sc20-cut": (("burst",), sc20_cut, False)},
        (Panel("F1 and the link", ("burst",), draw_sc20),)))
