# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""More of HPCC (SIGCOMM 2019), whose text was read: figures 9, 13 and 14. Bands were fixed before the first run of each row; that of
DCQCN's incast was known from row h19-incast."""
from __future__ import annotations

import statistics
from typing import Callable

from .figure import Data, Figure, Measured, Row, kb, near, over_seeds, run
from .reality_runs import dcqcn, quantile, switch
from .seeds import SEEDS
from .windowed import HPCC, TESTBED_T, algorithm, jain, noted

TORS = ("--rate=25Gbps", "--delay=980ns", "--mtu=1000", "--ack-every=1")   # as row h19-incast
BDP = 28.1e3   # bytes: 25 Gb/s and T, 9 us


def incast() -> Figure:
    words = ("--links=h[1-9]-t1", "--flows=h1-h9,h[2-8]-h9:size=200KB:start=2ms", *TORS, "--time=6ms")
    runs = {"hpcc": run("testbed", *algorithm(f"hpcc+{TESTBED_T}"), *switch("h19-tor", 25, False), *words, seeds=SEEDS, cost=0.2),
            "dcqcn": run("testbed", *dcqcn("vendor-25g"), *switch("h19-tor", 25), *words, seeds=SEEDS, cost=0.2)}

    def inside(data: Data, key: str, seed: int, begin: float, end: float, of: str) -> list:
        s = data.series(key, "queue.csv", seed)
        return [v for t, v in zip(s["time_s"], s[of]) if begin < t <= end]

    def drained(data: Data) -> Measured:
        return over_seeds(data.map_seeds("hpcc", lambda seed: statistics.fmean(inside(data, "hpcc", seed, 2.15e-3, 2.4e-3, "mean_bytes"))),
                          kb, lambda v: v <= BDP)

    def peak(data: Data) -> Measured:
        return over_seeds(data.map_seeds("dcqcn", lambda seed: max(inside(data, "dcqcn", seed, 2e-3, 6e-3, "max_bytes"))), kb,
                          near(550e3, 0.25))
    return Figure("hpcc-fig9-incast", HPCC, "Figures 9c and 9d: an incast beside a long flow",
                  "7 senders of 200 KB (not published) at once to the receiver of a long flow, 25 Gb/s, base RTT 5.4 us; as h19-incast of "
                  "the reality table", runs,
                  (Row("hpcc-fig9-incast-hpcc", "HPCC drains the queue after a round trip: its mean from 150 to 400 us after the start",
                       "quickly", "at most 28.1 KB, a BDP", ("hpcc",), drained),
                   Row("hpcc-fig9-incast-dcqcn", "DCQCN's queue builds up", "550 KB", "+-25 %", ("dcqcn",), peak)))


def fair() -> Figure:
    """Four flows join, 50 ms apart (the paper: a second), then leave."""
    step = 50
    flows = ",".join(f"h{i}-h5:start={step * (i - 1)}ms:stop={step * (8 - i)}ms" for i in range(1, 5))
    runs = {"run": run("testbed", *algorithm(f"hpcc+{TESTBED_T}"), *switch("h19-tor", 25, False), "--links=h[1-5]-t1", f"--flows={flows}",
                       *TORS, f"--time={7 * step}ms", "--interval=1ms", seeds=SEEDS, cost=3)}
    there = [(step * i, {f"h{j}-h5" for j in range(1, min(i + 1, 7 - i) + 1)}) for i in range(7)]

    def worst(data: Data, seed: int) -> float:
        """The least mean of Jain's index over 1 ms, of the second halves of the seven periods."""
        s = data.series("run", "groups.csv", seed)
        at: dict = {}
        for t, g, v in zip(s["time_s"], s["group"], s["goodput_bps"]):
            at.setdefault(t, {})[g] = v
        return min(statistics.fmean(jain([by[name] for name in names]) for t, by in at.items()
                                    if (begin + step / 2) * 1e-3 < t <= (begin + step) * 1e-3) for begin, names in there)
    return Figure("hpcc-fig9-fair", HPCC, "Figure 9g: flows join and leave",
                  "4 flows at 25 Gb/s, one more each 50 ms (the paper: each second), then one less; means over 1 ms in the second half of "
                  "each period", runs,
                  (Row("hpcc-fig9-fair", "good fairness even in a short time scale: the worst period", "fair", "Jain >= 0.95", ("run",),
                       lambda data: over_seeds(data.map_seeds("run", lambda seed: worst(data, seed)), lambda v: f"Jain {v:.3f}",
                                               lambda v: v >= 0.95)),))


STEPS = (25, 150, 300)   # bytes
STAR = ("--flows=16", "--senders=16", "--rate=100Gbps", "--delay=1us", "--mtu=1000", "--ack-every=1", "--buffer=32MB", "--start=0s")


def steps() -> Figure:
    """The simulations had max_stage 0 and a least rate of 1 Gb/s; T is the topology's, "4 us is the base RTT"."""
    runs = {f"ai-{n}": run("incast", *algorithm(f"hpcc:simulator+r_ai=0bps+w_ai={n}B"), *STAR, "--time=10ms", "--interval=1us",
                           seeds=SEEDS, cost=1) for n in STEPS}

    def p95(data: Data, key: str) -> list:
        return data.map_seeds(key, lambda seed: quantile(data.series(key, "queue.csv", seed)["mean_bytes"], 0.95))

    def row(n: int, published: str, band: str, inside: Callable) -> Row:
        return Row(f"hpcc-fig14-{n}", f"W_AI {n} bytes: p95 of the queue", published, band, (f"ai-{n}",),
                   lambda data: over_seeds(p95(data, f"ai-{n}"), kb, inside))

    def fairness(data: Data, n: int) -> float:
        return statistics.fmean(data.map_seeds(f"ai-{n}", lambda seed: jain([v for v in data.series(f"ai-{n}", "flows.csv", seed)[
            "delivered_bytes"]])))

    def fairer(data: Data) -> Measured:
        low, high = fairness(data, 25), fairness(data, 150)
        return Measured(f"Jain {low:.4f} with 25 bytes, {high:.4f} with 150", high > low, high - low)
    return Figure("hpcc-fig14", HPCC, "Figure 14: the additive step",
                  "16 senders, 1 receiver, 100 Gb/s, 1 us a link, all start at once; 10 ms, a sample each microsecond; max_stage 0 as the "
                  "authors' simulations", runs,
                  (row(25, "within 4 KB", "at most 4 KB", lambda v: v <= 4e3), row(150, "within 4 KB", "at most 4 KB", lambda v: v <= 4e3),
                   row(300, "13 KB", "+-30 %", near(13e3, 0.3)),
                   Row("hpcc-fig14-fair", "a larger step is fairer: bytes of the flows after 10 ms", "fairer", "order",
                       ("ai-25", "ai-150"), fairer)))


def reactions() -> Figure:
    runs = {key: run("incast", *algorithm(f"hpcc:simulator+r_ai=0bps+w_ai=25B{more}"), *STAR, "--time=400us", "--window=0us-400us",
                     "--interval=1us", seeds=SEEDS, cost=0.1) for key, more in (("hpcc", ""), ("round", "+fast_react=no"))}

    def drained(data: Data, key: str) -> float:
        """When the queue is below a tenth of its largest for the first time after that; us."""
        def measure_drain_us(seed: int) -> float:
            s = data.series(key, "queue.csv", seed)
            times, queue = s["time_s"], s["mean_bytes"]
            top = queue.index(max(queue))
            return next((1e6 * t for t, q in zip(times[top:], queue[top:]) if q < queue[top] / 10), 400.0)
        return statistics.fmean(data.map_seeds(key, measure_drain_us))

    def slower(data: Data) -> Measured:
        both, one = drained(data, "hpcc"), drained(data, "round")
        return Measured(f"{both:.0f} us, per round trip {one:.0f} us", one >= 1.2 * both, one / both)
    return Figure("hpcc-fig13", HPCC, "Figure 13: reactions to each ACK and each round trip",
                  "as figure 14, W_AI 25 bytes, 400 us; reactions to each ACK alone are not modelled", runs,
                  (Row("hpcc-fig13", "HPCC drains the first queue sooner than reactions to each round trip alone", "a long queue persists",
                       "a fifth later at least", ("hpcc", "round"), slower),))


NOTES = {"hpcc-fig14-150": "0.3 KB more; the authors' simulator, built, has between 4 and 5 KB as well (its histogram has bins of 1 KB)"}
FIGURES = noted((incast(), fair(), steps(), reactions()), NOTES)
