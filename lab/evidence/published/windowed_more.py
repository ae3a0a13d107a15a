# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Further rows of Swift (SIGCOMM 2020), NSCC (uet-htsim) and Barre (ATC 2025). Bands were fixed before the first run."""
from __future__ import annotations

import statistics

from .figure import Data, Figure, Measured, Row, near, over_seeds, percent, run
from .paths_fabric import INCASTS
from .seeds import SEEDS
from .windowed import algorithm, noted
from .windowed_delay import BARRE, HTSIM, NSCC_STAR, PACKET, SWIFT, SWIFT_RATE, UNLOADED, microseconds


# ------------------------------------------------------------------------------------------------ Swift

def swift_below_one() -> Figure:
    """Table 3's other column: windows of at least one packet, 5000 of them, do not fit into a buffer; and 1000 flows of DCTCP. The buffer
    is what the mean RTT of that column, 2027.4 us, leaves: a port of 50 Gb/s that drops has a full buffer, 12.6 MB; the timeout is
    that RTT, as "an EWMA of the RTT" would be."""
    runs = {"swift": run("testbed", *algorithm("swift+min_cwnd=1"), "--links=h[1-51]-s1", "--flows=h[1-50]-h51:qps=100", "--lossy",
                         "--rate=50Gbps", "--delay=2us", "--mtu=4098", "--ack-every=1",
                         "--buffer=12600KB", "--rto=2027us", "--time=0.3s", seeds=3, cost=8),
            "dctcp": run("testbed", *algorithm("dctcp:window"), "--links=h[1-51]-s1", "--flows=h[1-50]-h51:qps=20", "--lossy",
                         "--rate=50Gbps", "--delay=2us", "--mtu=4098", "--ack-every=1", "--buffer=12600KB", "--time=0.3s", seeds=3, cost=8)}
    runs["swift-1000"] = run("testbed", *algorithm("swift"), *runs["dctcp"].words[2:], seeds=3, cost=8)

    def times(data: Data) -> Measured:
        """Mean RTTs by the queue, after the first half of the run."""
        slow, fast = (UNLOADED + data.mean(key, "queue.mean_bytes") * 8 / SWIFT_RATE for key in ("dctcp", "swift-1000"))
        return Measured(f"{slow / fast:.2f}x: {microseconds(slow)} and {microseconds(fast)}", near(8.67, 0.3)(slow / fast), slow / fast)

    def lost(data: Data, key: str) -> list:
        return data.map_seeds(key, lambda seed: data.summary(key, seed)["packets_dropped"]
                              / (data.summary(key, seed)["packets_dropped"] + data.summary(key, seed)["packets_delivered"]))

    def goodput(data: Data) -> list:
        return data.map_seeds("swift", lambda seed: sum(g["mean_bps"] for g in data.summary("swift", seed)["groups"]) / 1e9)
    return Figure("swift-floor", SWIFT, "Table 3: windows of at least a packet; 1000 flows of DCTCP",
                  "50 senders into one port of 50 Gb/s without PFC, 12.6 MB of buffer and a timeout of 2027 us (the column's RTT), 100 "
                  "flows each, DCTCP 20", runs,
                  (Row("swift-table3-floor-rate", "5000 flows, at least a packet each: goodput", "8.7 Gb/s", "+-30 %", ("swift",),
                       lambda data: over_seeds(goodput(data), lambda v: f"{v:.1f} Gb/s", near(8.7, 0.3))),
                   Row("swift-table3-floor-loss", "5000 flows, at least a packet each: loss", "28.7 %", "+-30 %", ("swift",),
                       lambda data: over_seeds(lost(data, "swift"), percent, near(0.287, 0.3))),
                   Row("swift-gcn-rtt", "1000 flows: mean RTT of DCTCP, to that of Swift", "8.67x", "+-30 %", ("dctcp", "swift-1000"),
                       times),
                   Row("swift-gcn-loss", "1000 flows of DCTCP: loss", "5.1 %", "+-30 %", ("dctcp",),
                       lambda data: over_seeds(lost(data, "dctcp"), percent, near(0.051, 0.3)))))


def swift_prototype() -> Figure:
    runs = {"run": run("incast", *algorithm("swift+base_target=15us"), "--flows=160", "--senders=16", "--rate=100Gbps", "--delay=2us",
                       "--mtu=4098", "--ack-every=1", "--buffer=64MB", "--start=1ms", "--time=60ms", seeds=SEEDS, cost=2)}
    return Figure("swift-fig24", SWIFT, "Figure 24: 160 flows of the prototype",
                  "16 senders of 10 flows into 100 Gb/s, base target 15 us", runs,
                  (Row("swift-fig24", "160 flows with a target of 15 us fill the link", "100 Gb/s", ">= 98 % of the link", ("run",),
                       lambda data: over_seeds(data.list_values("run", "utilization"), percent, lambda v: v >= 0.98)),))


def swift_uniform() -> Figure:
    """Uniform random writes of 64 KB between hosts at 100 Gb/s: each pair of hosts has a connection, which lives long, and writes when
    its time has come, of which it takes the part that the load leaves; round trips by the queue of a host's port."""
    hosts, size, alone = 64, 64e3, 14e-6
    wire = size * PACKET / 4098 * 8

    def period(load: int) -> float:
        """Time between two writes of a pair, s."""
        return (hosts - 1) * wire / (load / 100 * 100e9)
    with_load = {f"l{load}": run("testbed", *algorithm("swift"), "--links=h[1-64]=t[1-4]:100Gbps:1us,t[1-4]-s[1-4]:400Gbps:1us",
                                 f"--flows=h[1-64]-h[1-64]:size=64KB:messages=0:think={1e9 * (period(load) - alone):.0f}ns:"
                                 f"within={1e9 * period(load):.0f}ns", "--rate=100Gbps", "--mtu=4098", "--ack-every=1", "--buffer=64MB",
                                 "--time=8ms", "--window=4ms-8ms", "--interval=1us", "--watch=t1>h1", seeds=SEEDS, cost=6)
                 for load in (20, 80, 100)}

    def rtts(data: Data, key: str) -> list:
        """In each microsecond in which the port sends."""
        found = []
        for seed in data.figure.runs[key].seeds:
            queue, rate = data.series(key, "queue.csv", seed), data.series(key, "rate.csv", seed)
            busy = {t for t, v in zip(rate["time_s"], rate["delivered_bps"]) if v}
            found += [8.9e-6 + v * 8 / 100e9 for t, v in zip(queue["time_s"], queue["mean_bytes"]) if t > 4e-3 and t in busy]
        return sorted(found)

    def rise(data: Data) -> Measured:
        value = statistics.fmean(rtts(data, "l80")) / statistics.fmean(rtts(data, "l20"))
        return Measured(f"{value:.2f}x", 1 < value <= 1.5, value)   # 1: there is no queue at all

    def tail(data: Data) -> Measured:
        found = rtts(data, "l100")
        value = found[int(0.999 * len(found))]
        return Measured(f"{microseconds(value)} at {percent(data.mean('l100', 'utilization'))}", value < 50e-6, value)
    return Figure("swift-fig18", SWIFT, "Figure 18: uniform random writes of 64 KB",
                  "64 hosts at 100 Gb/s in four racks (the paper: 500), a queue pair for each two hosts, 4 to 8 ms; RTT by the queue of "
                  "one host's port in each microsecond in which it sends, unloaded 8.9 us between racks", with_load,
                  (Row("swift-fig18-80", "mean RTT at 80 % load over that at 20 %", "little rise", "<= 1.5x", ("l80", "l20"), rise),
                   Row("swift-fig18-100", "p99.9 of the RTT near 100 % load", "< 50 us", "< 50 us", ("l100",), tail)))


# ------------------------------------------------------------------------------------------------ NSCC

def nscc_more() -> Figure:
    """More of validate_uec_sender, those of several flows in its fabric: the runs of rows nscc-trim, with a narrower band."""
    runs = {"1024": INCASTS.runs["incast-1023"], "overlap": INCASTS.runs["3-1"], "outcast": INCASTS.runs["outcast"],
            "cr-10": run("testbed", *NSCC_STAR, "--links=h[0-1]-s1", "--flows=h0-h1:size=40860", seeds=SEEDS, cost=0.1),
            "cr-100": run("testbed", *NSCC_STAR, "--links=h[0-1]-s1", "--flows=h0-h1:size=408600", seeds=SEEDS, cost=0.1)}

    def last(data: Data, key: str) -> list:
        return [v * 1e6 for v in data.list_values(key, "fct.max_s")]

    def first(data: Data, key: str) -> list:
        """The end of the first flow of flows.csv."""
        return data.map_seeds(key, lambda seed: data.series(key, "flows.csv", seed)["fct_s"][0] * 1e6)

    def row(name: str, key: str, claim: str, target: float, of=last) -> Row:
        return Row(f"nscc-{name}", claim, f"{target:g} us", "+-2 %", (key,),
                   lambda data: over_seeds(of(data, key), lambda v: f"{v:.1f} us", near(target, 0.02)))

    def limit_end(name: str, claim: str, target: float) -> Row:
        return Row(f"nscc-{name}", claim, f"at most {target:g} us", f"<= {target:g} us", (name,),
                   lambda data: over_seeds(last(data, name), lambda v: f"{v:.1f} us", lambda v: v <= target))
    return Figure("nscc-more", HTSIM, "validate_uec_sender: incast_1024, overlapped, outcast_incast, test_cr",
                  "fat trees of three tiers, sprayed and trimmed, as nscc-trim, whose runs these are; single flows on one switch as in "
                  "`nscc`", runs,
                  (row("incast-1024", "1024", "1023 flows of 100 KB into one port: the last end", 10556),
                   row("overlapped", "overlap", "2 MB beside two of 250 KB: the last end", 221.7),
                   row("outcast", "outcast", "21 flows out of and into shared ports: the last end", 1638),
                   row("outcast-1-0", "outcast", "the flow of them whose sender has no other", 208.0, first),
                   limit_end("cr-10", "10 packets alone", 18), limit_end("cr-100", "100 packets alone", 47)))


# ------------------------------------------------------------------------------------------------ Barre

WORDS_400G = ("--rate=400Gbps", "--delay=2420ns", "--mtu=4034", "--buffer=256MB", "--start=1ms")


def barre_more() -> Figure:
    def made(cc: str, n: int, senders: int, time: str, cost: float, *more: str) -> object:
        return run("incast", *algorithm(cc), f"--flows={n}", f"--senders={senders}", *WORDS_400G, f"--time={time}", *more, seeds=3,
                   cost=cost)
    runs = {"std-16": made("barre", 16, 16, "0.3s", 9), "std-4096": made("barre", 4096, 64, "0.3s", 12),
            "lock": made("barre", 4000, 4, "0.1s", 4), "no-lock": made("barre+n=0B", 4000, 4, "0.1s", 4),
            "fast-4": made("barre", 4, 4, "0.1s", 4), "slow-4": made("barre+k=1000000", 4, 4, "0.1s", 4),
            "alpha-10": made("barre", 1000, 4, "0.1s", 4), "alpha-400": made("barre+alpha=400Mbps", 1000, 4, "0.1s", 4)}

    def deviation(data: Data, key: str) -> list:
        def measure_deviation(seed: int) -> float:
            rates = [v / 1e9 for v in data.series(key, "flows.csv", seed)["goodput_bps"] if v is not None]
            return statistics.pstdev(rates)
        return data.map_seeds(key, measure_deviation)

    def std(n: int, value: float) -> Row:
        return Row(f"barre-fig15-std-{n}", f"{n} flows into 400 Gb/s: standard deviation of their throughput", f"{value:g} Gb/s",
                   f"at most {1.5 * value:g} Gb/s", (f"std-{n}",),
                   lambda data: over_seeds(deviation(data, f"std-{n}"), lambda v: f"{v:.3f} Gb/s", lambda v: v <= 1.5 * value))

    def total(data: Data) -> Measured:
        return over_seeds([v * 400 for v in data.list_values("std-4096", "utilization")], lambda v: f"{v:.1f} Gb/s", lambda v: v >= 390)

    def bound_change(key: str, other: str, of: str, low: float, high: float):
        def found(data: Data) -> Measured:
            value = data.mean(key, of) / data.mean(other, of) - 1
            return Measured(f"{100 * value:+.1f} %", low <= value <= high, value)
        return found
    return Figure("barre-more", BARRE, "Figures 4, 5 and 15 (experimental)", "400 Gb/s, base RTT 10 us, preset atc25 and one change", runs,
                  (std(16, 0.35), std(4096, 0.002),
                   Row("barre-fig15-4096", "total of 4096 flows into 400 Gb/s", "390 to 400 Gb/s", ">= 390 Gb/s", ("std-4096",), total),
                   Row("barre-fig5-4000", "mean queue of 4000 queue pairs with the lock of 8 KB, to that without", "-90.25 %",
                       "-80 % or less", ("lock", "no-lock"), bound_change("lock", "no-lock", "queue.mean_bytes", -1, -0.8)),
                   Row("barre-fig5-4000-use", "throughput of 4000 queue pairs with the lock of 8 KB, to that without", "the same",
                       "-2 % to +2 %", ("lock", "no-lock"), bound_change("lock", "no-lock", "utilization", -0.02, 0.02)),
                   Row("barre-fig4-4", "throughput of 4 queue pairs with the fast step, to that without", "+8.5 %", "+4 % to +17 %",
                       ("fast-4", "slow-4"), bound_change("fast-4", "slow-4", "utilization", 0.04, 0.17)),
                   Row("barre-fig4-1000", "mean queue of 1000 queue pairs with alpha 10, to that with 400", "-48 %", "-25 % or less",
                       ("alpha-10", "alpha-400"), bound_change("alpha-10", "alpha-400", "queue.mean_bytes", -1, -0.25))))


LOSSES = ("5000 packets in flight are 20.8 MB, of which a full buffer of 12.6 MB holds three fifths; how often the others are sent again "
          "decides the loss: 45.0 % with a timeout of one RTT, 15.7 % with 67 ms. Here each packet that arrives is new, and the full port "
          "delivers them at its rate; what filled the paper's port beside 8.7 Gb/s is not said")
GCN = ("1000 windows of two packets are 8.3 MB and fit into the buffer; first windows of one BDP, 58 MB, do not. GCN's buffer, threshold "
       "and least window are not published")
SHARE = ("a step of 100 Mb/s is the fair share of 4000 flows, and a CNP takes 2 % of it: PFC holds the queue, and within 0.1 s the one of "
         "the start does not drain")
NOTES = {
    "swift-table3-floor-rate": LOSSES, "swift-table3-floor-loss": LOSSES, "swift-gcn-loss": GCN, "swift-gcn-rtt": GCN,
    "barre-fig15-std-4096": SHARE, "barre-fig15-4096": SHARE, "barre-fig5-4000": SHARE, "barre-fig4-1000": SHARE,
    "barre-fig4-4": "without the fast step 4 flows have 67 % of the link, as a cut of 2 % is 2 Gb/s and a step 0.1",
}
FIGURES = noted((swift_below_one(), swift_prototype(), swift_uniform(), nscc_more(), barre_more()), NOTES)
