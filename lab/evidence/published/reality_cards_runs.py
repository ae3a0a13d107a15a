# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs and measures of reality_cards.py: single NICs, one switch, long links."""
from __future__ import annotations

import statistics

from . import reality_cards as data_of
from .figure import Data, Measured, Panel, kb, near, percent, window_mean
from .reality_runs import FRAME, attach, dcqcn, gb, groups, jain, line, queue, settings, switch, testbed

# ------------------------------------------------------------------------------------------------ Azure: near and far


def az_runs() -> dict:
    return {"az": testbed("--links=h1-s1:40Gbps:500ns,h2-s1:40Gbps:884500ns,h3-s1:40Gbps:500ns",
                          "--flows=h[1-2]-h3:window=10485760B", *dcqcn("paper"), *switch("azure", 40)[:1], *switch("azure", 40)[2:],
                          "--lossy", "--time=2s", "--window=1s-2s", cost=2.3)}


def az23(data: Data) -> Measured:
    near_, far = ([groups(data, "az", s)[f"h{i}-h3"] for s in data.figure.runs["az"].seeds] for i in (1, 2))

    def watermark(seed: int) -> float:
        return statistics.fmean(max(queue(data, "az", seed, 1 + k / 10, 1.1 + k / 10)) for k in range(10))
    mark = statistics.fmean(data.map_seeds("az", watermark))
    a, b = statistics.fmean(near_), statistics.fmean(far)
    return Measured(f"near {gb(a)}, far {gb(b)}; high watermark {kb(mark)}",
                    near(17e9, 0.15)(a) and near(17e9, 0.15)(b) and max(a, b) <= 1.25 * min(a, b)
                    and near(1.36e6, 0.25)(mark) and mark < 2e6, mark)


# ------------------------------------------------------------------------------------------------ Lumina: marks and CNPs

LAB = ("--links=h[1-2]-s1", "--lossy", "--buffer=22MB")
MANY = (1, 4, 16)
CARDS = {"cx4-lx": ("40Gbps", 250e3), "cx5": ("100Gbps", 250e3), "cx6-dx": ("100Gbps", 250e3), "e810": ("100Gbps", None)}


def lumina_runs() -> dict:
    two = ("--rate=100Gbps", "--kmin=1GB", "--kmax=1GB", "--time=400ms")   # they end on their own
    runs = {"marked": testbed(*LAB, "--flows=h1-h2:size=20MB,h1-h2:size=20MB:cc=none", "--cc=dcqcn", "--preset=nic-default",
                              settings("cx6-dx", ("mark_every=50",)), *two, seeds=1, cost=0.2),
            "unmarked": testbed(*LAB, "--flows=h1-h2:size=20MB,h1-h2:size=20MB", *dcqcn("cx6-dx"), *two, seeds=1, cost=0.2)}
    for card, (rate, _) in CARDS.items():
        for n in MANY:
            runs[f"{card}-{n}"] = testbed(*LAB, f"--flows=h1-h2:qps={n}", f"--rate={rate}", "--cc=dcqcn", "--preset=nic-default",
                                          settings(card, ("mark_every=1", f"r_min={rate}")), "--time=10ms", seeds=1, cost=0.2)
    return runs


def mark50(data: Data) -> Measured:
    def rates(key: str) -> list:
        return [20e6 * 8 / g["ended_s"] for g in data.summary(key, 1)["groups"]]
    marked, without = rates("marked"), rates("unmarked")
    return Measured(f"QP0 {gb(marked[0])}, QP1 {gb(marked[1])}; {gb(sum(without))} without marks",
                    near(11e9, 0.25)(marked[0]) and marked[1] >= 65e9 and near(90.5e9, 0.05)(sum(without)), marked[0])


def cnp(data: Data) -> Measured:
    texts, inside = [], True
    for card, (_, fixed) in CARDS.items():
        found = [data.summary(f"{card}-{n}", 1)["cnps_sent"] / 0.01 for n in MANY]
        inside = inside and all(near(fixed or n * 20e3, 0.02)(v) for n, v in zip(MANY, found))
        texts.append(f"{card} " + ", ".join(f"{v / 1e3:.0f}k" for v in found))
    return Measured("CNPs/s with 1, 4, 16 queue pairs: " + "; ".join(texts), inside)


PLACES = (2, 49, 94)   # the lost packet of 98, counted from 0
DELAYS = {"cx4-lx": 166.2e-6, "cx5": 4.1e-6, "cx6-dx": 5.7e-6, "e810": 14.8e-6}


def nack_runs() -> dict:
    return {f"nack-{card}-{place}": testbed(*LAB, "--flows=h1-h2:size=100KB", f"--lose=h1:{place}", "--cc=dcqcn", f"--nic={card}",
                                            f"--rate={CARDS[card][0]}", "--time=1ms", seeds=1, cost=0.1)
            for card in CARDS for place in PLACES}


def nack(data: Data) -> Measured:
    texts, inside = [], True
    for card, (rate, _) in CARDS.items():
        gbps = float(rate[:-4])
        idle = 4e-6 + 2 * 8e-9 * (1024 + FRAME + FRAME + 4) / gbps   # packet and NAK over two links each
        found = [data.summary(f"nack-{card}-{place}", 1)["retransmission_s"] for place in PLACES]
        delays = [one[0] - idle for one in found if len(one) == 1]
        inside = (inside and len(delays) == len(PLACES) and all(near(DELAYS[card], 0.25)(v) for v in delays)
                  and max(delays) - min(delays) <= 0.25 * DELAYS[card])
        texts.append(f"{card} " + ", ".join(f"{1e6 * v:.2f}" for v in delays))
    return Measured("us after the packet behind the gap, by place: " + "; ".join(texts), inside)


# ------------------------------------------------------------------------------------------------ Barre: clients come and go

def bar_runs() -> dict:
    flows = ",".join(f"h{i + 1}-h5:start={100 * i}ms:stop={500 + 100 * i}ms" for i in range(4))
    return {nic: testbed("--links=h[1-5]-t1", f"--flows={flows}", *dcqcn(nic), *switch("tor-400g", 400), "--rate=400Gbps", "--mtu=4096",
                         "--time=800ms", "--interval=10ms", cost=2) for nic in ("nic-default", "barre-tuned")}


def intervals(data: Data, key: str, seed: int) -> list:
    """Goodput of the four clients in each 50 ms from 50 to 750 ms."""
    lines = [line(data, key, seed, f"h{i}-h5") for i in (1, 2, 3, 4)]
    return [[statistics.fmean(v for t, v in zip(*one) if 0.05 * k < t - 1e-9 <= 0.05 * (k + 1)) for one in lines] for k in range(1, 15)]


def barre(data: Data) -> Measured:
    least, fair = {}, {}
    for key in ("nic-default", "barre-tuned"):
        found = data.map_seeds(key, lambda s, k=key: intervals(data, k, s))
        least[key] = statistics.fmean(min(sum(row) for row in one) for one in found)
        some = [[v for v in row if v > 0] for one in found for row in one]
        fair[key] = statistics.fmean(jain(row) for row in some if len(row) > 1)
    inside = 140e9 <= least["nic-default"] <= 260e9 and least["barre-tuned"] >= 360e9 and fair["barre-tuned"] > fair["nic-default"]
    return Measured("; ".join(f"{key}: least total {gb(least[key])}, Jain {fair[key]:.3f}" for key in least), inside, least["nic-default"])


def draw_barre(ax, data: Data) -> None:
    for key, colour in (("nic-default", "#D55E00"), ("barre-tuned", "#0072B2")):
        times = [0.05 * (k + 1) for k in range(1, 15)]
        ax.plot([1e3 * t for t in times], [sum(row) / 1e9 for row in intervals(data, key, 1)], color=colour, marker="o", markersize=3,
                label=f"{key}, seed 1")
    ax.axhline(197.7, color="#222222", linestyle="--", linewidth=1.1, label="published: default dips to 197.7 Gb/s")
    ax.set_ylim(0, 420)
    ax.set_xlabel("simulated time (ms)")
    ax.set_ylabel("total goodput (Gb/s)")


# ------------------------------------------------------------------------------------------------ ConnectX-5: a message at a time

SIZES = {4096: 7.04e9, 16384: 21.95e9, 65536: 49.63e9, 262144: 79.23e9}


def cx5_runs() -> dict:
    common = ("--links=h[1-4]-s1:100Gbps:515ns", *dcqcn("cx5"), "--kmin=1GB", "--kmax=1GB", "--buffer=5200KB", "--lossy", "--rate=100Gbps",
              "--mtu=4096", "--attr=RdmaNic.Write=true", "--time=10ms", "--window=1ms-10ms")
    runs = {f"{size}": testbed(f"--flows=h1-h2:size={size}B:messages=0:think=2400ns", *common, seeds=1, cost=0.1) for size in SIZES}
    runs["fan-out"] = testbed("--flows=h1-h[2-3]:window=67108864B", *common, seeds=1, cost=0.2)
    runs["ring"] = testbed("--flows=h1-h2:window=67108864B,h2-h3:window=67108864B,h3-h4:window=67108864B,h4-h1:window=67108864B", *common,
                           seeds=1, cost=0.5)
    return runs


def cx5_msg(data: Data) -> Measured:
    found = {size: groups(data, f"{size}", 1)["h1-h2"] for size in SIZES}
    out = sum(groups(data, "fan-out", 1).values())
    drops = data.summary("fan-out", 1)["packets_dropped"] + data.summary("ring", 1)["packets_dropped"]
    ring = min(groups(data, "ring", 1).values())
    return Measured(", ".join(gb(v) for v in found.values()) + f"; fan-out {gb(out)}, ring {gb(ring)} a port, {drops} drops",
                    all(near(want, 0.1)(found[size]) for size, want in SIZES.items()) and out >= 95e9 and drops == 0, found[4096])


FAN_IN = ("--links=h[1-3]-s1:100Gbps:515ns", "--cc=dcqcn", "--nic=cx5", "--kmin=1GB", "--kmax=1GB", "--buffer=5200KB", "--lossy",
          "--rate=100Gbps", "--mtu=4096", "--attr=RdmaNic.Write=true", "--attr=RdmaNic.IngressMeterRate=94Gbps")


def fan_in_runs() -> dict:
    return {"two": testbed("--flows=h[1-2]-h3:window=67108864B", *FAN_IN, "--time=200ms", seeds=1, cost=0.2),
            "stop": testbed("--flows=h1-h3:window=67108864B,h2-h3:window=67108864B:stop=1s", *FAN_IN, "--time=2s", "--interval=10ms",
                            "--window=500ms-1s", seeds=1, cost=1.3)}


def cx5_incast(data: Data) -> Measured:
    run = data.summary("two", 1)
    rates = list(groups(data, "two", 1).values())
    out = next(p for p in run["ports"] if p["name"] == "s1>h3")
    lost = run["packets_dropped"] / (run["packets_dropped"] + out["tx_frames"])
    share = max(rates) / sum(rates)
    return Measured(f"goodput {gb(sum(rates))}, wire {percent(run['utilization'])} of line, shares {100 * share:.1f}/"
                    f"{100 - 100 * share:.1f}, {percent(lost)} lost",
                    near(73.9e9, 0.15)(sum(rates)) and run["utilization"] >= 0.98 and share <= 0.52 and 0.008 <= lost <= 0.033, sum(rates))


def cx5_dcqcn(data: Data) -> Measured:
    times, rates = line(data, "stop", 1, "h1-h3")
    full = 0.95 * 100e9 * 4096 / (4096 + FRAME)
    back = next((t for t, v in zip(times, rates) if t > 1 + 1e-6 and v >= full), float("inf"))
    begin = window_mean(times, rates, 0.9, 1.0)
    reached = next((v for t, v in zip(times, rates) if t >= back), float("nan"))
    slope = (reached - begin) / (back - 1) / 1e12
    cnps = data.summary("stop", 1)["cnps_in_window"] / 0.5 / 2
    return Measured(f"recovery {1e3 * (back - 1):.0f} ms; slope {slope:.3g} Gb/s per ms; {cnps:.0f} CNP/s per queue pair",
                    near(0.447, 0.25)(back - 1) and near(0.1, 0.25)(slope) and near(283, 0.3)(cnps), back - 1)


# ------------------------------------------------------------------------------------------------ Trident 3: CNPs that come late

LATE = ("0us", "5us", "55us")


def late_runs() -> dict:
    return {f"late-{delay}": testbed("--links=h1-s1:100Gbps,h2-s1:25Gbps", "--flows=h1-h2", *dcqcn("nic-default"), *switch("trident3", 25),
                                     f"--attr=RdmaNic.CnpReactionDelay={delay}", "--rate=100Gbps", "--time=20ms", seeds=1, cost=0.1)
                             for delay in LATE}


def late(data: Data) -> Measured:
    pauses, cnps = ([data.summary(f"late-{delay}", 1)[name] for delay in LATE] for name in ("switch_pauses", "cnps_sent"))
    return Measured("with a CNP delay of " + "; ".join(f"{d}: {p} pauses, {c} CNPs" for d, p, c in zip(LATE, pauses, cnps)),
                    pauses[1] > 0 and cnps[1] > 0, pauses[1])


# ------------------------------------------------------------------------------------------------ Juniper: 50 to 500 km

RTTS = (632, 1131, 2138, 3158, 4145, 5179)   # us


def jnp_runs() -> dict:
    runs = {}
    for rtt in RTTS:
        bdp = 12500 * rtt    # bytes at 100 Gb/s
        window = int(1.04 * bdp / 16)
        more = ("timer=7000us",) if rtt == 5179 else ()
        runs[f"{rtt}"] = testbed(
            f"--links=h[1-4]-a,h[5-8]-b,a-b:100Gbps:{500 * rtt - 2000}ns", f"--flows=h[1-4]=h[5-8]:qps=16:window={window}B",
            *dcqcn("jnp", *more), "--lossy", f"--buffer={int(2.5 * bdp)}B", f"--kmin={int(0.75 * bdp)}B",
            f"--kmax={int(1.5 * bdp)}B",
            "--pmax=1", "--record=a>b", "--rate=100Gbps", "--mtu=4096", "--time=5s", "--window=2500ms-5s", seeds=1, cost=8)
    return runs


def jnp_dci(data: Data) -> Measured:
    texts, inside = [], True
    for rtt in RTTS:
        run = data.summary(f"{rtt}", 1)
        one = next(p for p in run["ports"] if p["name"] == "a>b")
        s = data.series(f"{rtt}", "ports.csv")
        peak = max(v for t, p, v in zip(s["time_s"], s["port"], s["queue_bytes"]) if p == "a>b" and t > 2.5) / (12500 * rtt)
        total = sum(g["mean_bps"] for g in run["groups"]) * (4096 + 62) / 4096 / 100e9
        fair = jain([g["mean_bps"] for g in run["groups"]])
        inside = inside and total >= 0.98 and run["packets_dropped"] == 0 and 0.75 <= peak <= 1.25 and fair >= 0.98
        texts.append(f"{rtt} us: {percent(total)}, peak {peak:.2f} RTT, Jain {fair:.3f}, {run['packets_dropped']} drops")
        assert one["tx_frames"] > 0
    return Measured("; ".join(texts), inside)


# ------------------------------------------------------------------------------------------------ BlueField behind a policer

def dpu_runs() -> dict:
    return {"policed": testbed("--links=h[1-4]-s1:20Gbps:12500ns,h5-s1:200Gbps:12500ns",
                               "--flows=h[1-4]-h5:qps=4:window=8388608B:start=50ms", "--tcp=h[1-4]-h5:connections=4",
                               "--police=s1>h5:21Gbps:128KB", *dcqcn("nic-default"), *switch("policer", 20, False), "--kmin=1GB",
                               "--kmax=1GB", "--rto=67100us", "--rate=20Gbps", "--mtu=1024", "--time=1s", "--window=200ms-1s",
                               "--interval=10ms", seeds=3, cost=20)}


def dpu(data: Data) -> Measured:
    runs = [data.summary("policed", seed) for seed in data.figure.runs["policed"].seeds]
    rdma, tcp = ([[g["mean_bps"] for g in run[kind]] for run in runs] for kind in ("groups", "tcp"))
    tenants = [a + b for one, other in zip(rdma, tcp) for a, b in zip(one, other)]
    ours, theirs = (statistics.fmean(sum(values) for values in kind) for kind in (rdma, tcp))
    ratio = theirs / ours if ours else float("inf")
    cnps = sum(run["cnps_sent"] for run in runs)
    return Measured(f"RDMA {gb(ours)}, TCP {gb(theirs)} ({ratio:.3g}x); tenants {gb(min(tenants))} to {gb(max(tenants))}; {cnps} CNPs",
                    cnps == 0 and 3.5 <= ratio <= 14 and all(near(4.73e9, 0.1)(v) for v in tenants), ratio)


FIGURES = (
    attach(data_of.AZ23, az_runs(), {"az23-rtt": (("az",), az23, False)}),
    attach(data_of.LUMINA, {**lumina_runs(), **nack_runs()}, {
        "lum-nack": (tuple(f"nack-{c}-{p}" for c in CARDS for p in PLACES), nack, True),
        "lum-mark50": (("marked", "unmarked"), mark50, False),
                                           "lum-cnp": (tuple(f"{c}-{n}" for c in CARDS for n in MANY), cnp, True)}),
    attach(data_of.BARRE, bar_runs(), {"bar-fig12": (("nic-default", "barre-tuned"), barre, False)},
        (Panel("Total of the clients", ("nic-default", "barre-tuned"), draw_barre),)),
    attach(data_of.CX5, {**cx5_runs(), **fan_in_runs()}, {
        "cx5-incast": (("two",), cx5_incast, False), "cx5-dcqcn": (("stop",), cx5_dcqcn, False),
        "cx5-msg": (tuple(f"{s}" for s in SIZES) + ("fan-out", "ring"), cx5_msg, True)}),
    attach(data_of.JNP, jnp_runs(), {"jnp-dci": (tuple(f"{r}" for r in RTTS), jnp_dci, False)}),
    attach(data_of.OTHERS, late_runs(), {"a12-td3": (tuple(f"late-{d}" for d in LATE), late, False)}),
    attach(data_of.DPU, dpu_runs(), {"dpu-policer": (("policed",), dpu, False)}))
