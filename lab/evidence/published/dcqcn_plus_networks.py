# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""DCQCN+, ICNP 2018, figures 9 to 13: a CLOS network, static settings, workloads, completion times (dcqcn_plus.py has the others)."""
from __future__ import annotations

import statistics

from command.models.approx import settings

from . import drawing as draw
from .dcqcn_plus import PAPER, SPREAD, STAR, drained, incast
from .drawing import COLOURS
from .figure import (Data, Figure, Measured, Panel, Row, accept_between, kb, ordered, over_seeds, percent, ratio_text, run, window_mean)
from .seeds import SEEDS


# ------------------------------------------------------------------------------------------------ figure 9

def fig9() -> Figure:
    runs = {"clos": run("clos", "--cc=dcqcn-plus", "--time=0.8s", cost=85)}

    def use(data: Data) -> Measured:
        return over_seeds(data.list_values("clos", "send_utilization"), percent, lambda v: v >= 0.9)

    def queue(data: Data) -> Measured:
        return over_seeds(data.list_values("clos", "queue.p99_bytes"), kb, lambda v: v <= 250e3)

    def rate_panel(ax, data: Data) -> None:
        draw.timeline(ax, data, [("DCQCN+", COLOURS["dcqcn-plus"], "clos")], "rate.csv", "sent_bps", 1e9,
                      "sent by 1900 senders (Gb/s)", width=5e-3)
        draw.published_line(ax, 400, "400 Gb/s")

    def queue_panel(ax, data: Data) -> None:
        draw.timeline(ax, data, [("DCQCN+", COLOURS["dcqcn-plus"], "clos")], "queue.csv", "mean_bytes", 1e3,
                      "queue of core switch 0, 1 ms means (KB)", width=1e-3)
        draw.published_line(ax, 200, "200 KB")
    return Figure(
        "dp-fig9", PAPER, "Figure 9: incast through a CLOS network of 2410 nodes",
        "fat tree of 20 pods with 10 core switches, 40 Gb/s links; 1900 senders of 19 pods to 10 receivers of the last; "
        f"DCQCN+ preset paper, {SPREAD}; averages over 0.4 to 0.8 s", runs,
        (Row("dp-fig9", "the total sending rate averages 95 % of the receivers' 400 Gb/s", "95 %", ">= 90 %", ("clos",), use),
         Row("dp-fig9-queue", "queue of a core switch below 200 KB", "< 200 KB", "p99 <= 250 KB", ("clos",), queue)),
        (Panel("Total sending rate", ("clos",), rate_panel), Panel("Queue of a core switch", ("clos",), queue_panel)))


# ------------------------------------------------------------------------------------------------ figure 10

def fig10() -> Figure:
    flows = (480, 540, 640)
    runs = {f"cx4-{n}": incast("dcqcn", "10Gbps", n, "--preset=cx4", "--time=4s", cost=3.7) for n in flows}
    runs.update({f"static-{n}": incast(
        "dcqcn", "10Gbps", n, "--preset=cx4", "--time=4s",
        f"--set=dcqcn.timer={2 * n}us,dcqcn.r_ai={1000 / n:.6g}Mbps", cost=3.7) for n in flows})

    def smaller(data: Data, path: str) -> Measured:
        """The mean over the seeds of one by that of the other; beside it the seeds one by one."""
        pairs = [data.list_values(key, path) for key in ("cx4-540", "static-540")]
        value = statistics.fmean(pairs[0]) / statistics.fmean(pairs[1])
        each = [a / b for a, b in zip(*pairs)]
        return Measured(f"{ratio_text(value)} ({kb(statistics.fmean(pairs[0]))} and {kb(statistics.fmean(pairs[1]))}; "
                        f"{ratio_text(min(each))} to {ratio_text(max(each))} over {len(each)} seeds)", value >= 5, value,
                        (min(each), max(each)))

    def latency(data: Data) -> Measured:
        return smaller(data, "queue.mean_bytes")

    def buffer(data: Data) -> Measured:
        return smaller(data, "queue.max_bytes")

    def panel(path: str, ylabel: str, scale: float):
        def draw_panel(ax, data: Data) -> None:
            for label, colour, kind in (("CX4", COLOURS["cx4"], "cx4"),
                                        ("static DCQCN+ parameters", COLOURS["dcqcn-plus"], "static")):
                draw.sweep(ax, data, [(label, colour, [(n, f"{kind}-{n}") for n in flows])],
                           lambda d, k: [v / scale for v in d.list_values(k, path)], ylabel, log=False)
            draw.published_points(ax, [540], [data.mean("cx4-540", path) / scale / 10], "a tenth of CX4 at 540 flows")
        return draw_panel

    def timer(_: Data) -> Measured:
        value = settings(540, 10e9, 1e-6)["timer_s"] * 1e6
        return Measured(f"{value:.0f} us", round(value, 6) == 1080, value)

    def step(_: Data) -> Measured:
        value = settings(540, 10e9, 1e-6)["r_ai_bps"] / 1e6
        return Measured(f"{value:.3f} Mb/s", round(value, 2) == 1.85, value)
    return Figure(
        "dp-fig10", PAPER, "Figure 10: CX4 with the static parameters of DCQCN+",
        f"{STAR}, 10 Gb/s, DCQCN preset cx4 with K = 2 max(N us, M/(R/N)) and R_AI = R/(10 N), and without (540 flows: 1080 us, "
        f"1.85 Mb/s; ./rcc model approx); {SPREAD}; 2 to 4 s", runs,
        (Row("dp-fig10", "540 flows: average latency, that is queue, 10 times smaller", "10x", ">= 5x",
             ("cx4-540", "static-540"), latency),
         Row("dp-fig10-buffer", "540 flows: maximal buffer in use 10 times smaller", "10x", ">= 5x",
             ("cx4-540", "static-540"), buffer,
             note="the static parameters converge slowly: the window from 2 to 4 s still holds a part of the approach"),
         Row("dp-fig10-timer", "540 flows at 10 Gb/s: K of the static approximation", "1080 us", "exact", (), timer, quick=True),
         Row("dp-fig10-step", "540 flows at 10 Gb/s: R_AI of the static approximation", "1.85 Mb/s", "exact", (), step,
             quick=True)),
        (Panel("Mean delay in the queue", tuple(runs), panel("queue.mean_bytes", "mean delay (us)", 1250.0)),
         Panel("Largest queue", tuple(runs), panel("queue.max_bytes", "largest queue (KB)", 1e3))))


# ------------------------------------------------------------------------------------------------ figure 11

# "The maximal number of flow at one sender or receiver is about 200" (V.E). With arrivals for this long, a host sends 176 flows on
# average, and receives as many; the largest of the 18 numbers is 200 on average.
ARRIVALS = {"web-search": 0.32, "data-mining": 1.37}


def fig11(sizes: str, label: str) -> Figure:
    name = f"dp-fig11-{label}"
    keys = ("dcqcn", "dcqcn-plus")
    runs = {cc: run("workload", f"--cc={cc}", f"--sizes={sizes}", "--load=0.8", "--rate=10Gbps", f"--time={ARRIVALS[sizes]}s",
                    seeds=3, cost=2 if sizes == "web-search" else 5) for cc in keys}

    def ratios(path: str):
        return lambda data: over_seeds([b / a for a, b in zip(data.list_values("dcqcn", path), data.list_values("dcqcn-plus", path))],
                                       lambda v: f"{v:.2f}", accept_between(0.8, 1.02))

    def panel(ax, data: Data) -> None:
        draw.fct_cdf(ax, data, [("DCQCN", COLOURS["dcqcn"], "dcqcn"), ("DCQCN+", COLOURS["dcqcn-plus"], "dcqcn-plus")],
                     log=True, scale=1e6, unit="us")
    return Figure(name, PAPER, f"Figure 11: completion times of a {sizes.replace('-', ' ')} workload",
                  "9 hosts on one switch, all send and receive, 10 Gb/s, load 0.8, Poisson arrivals for "
                  f"{ARRIVALS[sizes]} s (at most about 200 flows of a sender or receiver), {sizes} sizes; presets paper; 5 seeds", runs,
                  (Row(name, "mean FCT of DCQCN+ / of DCQCN: slightly smaller", "slightly below 1", "0.8 to 1.02", keys,
                       ratios("fct.mean_s")),
                   Row(name + "-median", "with a similar distribution: median FCT of DCQCN+ / of DCQCN", "slightly below 1",
                       "0.8 to 1.02", keys, ratios("fct.p50_s"))),
                  (Panel("Completion times, all seeds", keys, panel),))


# ------------------------------------------------------------------------------------------------ figure 12

def fig12() -> Figure:
    factors = (0.5, 1, 2, 5)
    cuts = (0.25, 0.5, 0.75)
    runs = {f"hi-{f:g}": incast("dcqcn-plus", "10Gbps", 1200, "--time=1s",
                                f"--set=dcqcn-plus.ai_flow={f / 10:g},dcqcn-plus.ai_line={f / 100:g}", seeds=5, cost=0.7)
            for f in factors}
    runs.update({f"cut-{c:g}": incast("dcqcn-plus", "10Gbps", 720, "--time=1s", f"--set=dcqcn-plus.cut_ratio={c:g}",
                                      seeds=5, cost=0.7) for c in cuts})

    def insensitive(data: Data) -> Measured:
        queues = {f: data.mean(f"hi-{f:g}", "queue.mean_bytes") for f in factors}
        use = {f: data.mean(f"hi-{f:g}", "utilization") for f in factors}
        return Measured(", ".join(f"{f:g}x HI: {kb(queues[f])} at {percent(use[f])}" for f in (0.5, 1, 2)),
                        all(0.5 <= queues[f] / queues[1] <= 2 and abs(use[f] - use[1]) <= 0.05 for f in (0.5, 2)), queues[1])

    def extreme(data: Data) -> Measured:
        """Clearly worse in the queue's tail or in throughput than every milder setting."""
        tail = {f: data.mean(f"hi-{f:g}", "queue.p99_bytes") for f in factors}
        use = {f: data.mean(f"hi-{f:g}", "utilization") for f in factors}
        worst, least = max(tail[f] for f in factors[:3]), min(use[f] for f in factors[:3])
        return Measured(f"p99 {kb(tail[5])} at {percent(use[5])} beside at worst {kb(worst)} at {percent(least)}",
                        tail[5] > 1.1 * worst or use[5] < least - 0.01, tail[5])

    def faster(data: Data) -> Measured:
        times = [statistics.fmean(data.map_seeds(f"cut-{c:g}", lambda s, c=c: drained(data, f"cut-{c:g}", s))) for c in cuts]
        return Measured(", ".join(f"{c:g}: {1e3 * t:.0f} ms" for c, t in zip(cuts, times)), ordered(times[::-1]))

    def loses(data: Data) -> Measured:
        """Bytes not sent in the 0.4 s after the last start, in ms of the link."""
        def measure_loss_ms(key: str) -> float:
            def one(seed: int) -> float:
                s = data.series(key, "rate.csv", seed)
                return 1e3 * 0.4 * (1 - window_mean(s["time_s"], s["sent_bps"], 0.1, 0.5) / 10e9)
            return statistics.fmean(data.map_seeds(key, one))
        lost = [measure_loss_ms(f"cut-{c:g}") for c in cuts]
        return Measured(", ".join(f"{c:g}: {v:.0f} ms" for c, v in zip(cuts, lost)), ordered(lost))

    def panel(keys: list, name: str, column: str, scale: float, ylabel: str, width: float):
        def draw_panel(ax, data: Data) -> None:
            draw.timeline(ax, data, [(label, c, key) for (label, key), c in zip(keys, draw.SHADES)], name, column, scale,
                          ylabel, width=width, end=0.6)
            if name == "queue.csv":
                ax.set_yscale("symlog", linthresh=100)
        return draw_panel
    his = [(f"{f:g}x HI", f"hi-{f:g}") for f in factors]
    cutk = [(f"cut ratio {c:g}", f"cut-{c:g}") for c in cuts]
    hi_keys, cut_keys = tuple(k for _, k in his), tuple(k for _, k in cutk)
    return Figure(
        "dp-fig12", PAPER, "Figure 12: DCQCN+ is not sensitive to its parameters",
        f"{STAR}, 10 Gb/s; (a, b) 1200 flows with both bounds of equation 19's first level multiplied, (c, d) 720 flows with "
        f"other cut ratios; {SPREAD}; 5 seeds", runs,
        (Row("dp-fig12a", "queue and throughput are insensitive to 0.5x and 2x HI", "insensitive",
             "mean queue within a factor 2 of 1x, throughput within 5 points", hi_keys, insensitive),
         Row("dp-fig12b", "unless the parameters are very extreme: 5x HI", "worse at 5x",
             "than 0.5x to 2x: the queue's p99 by 10 % or throughput by a point", hi_keys, extreme,
             note="the paper says \"5x means increasing 1Gbps or doubling\": 1 Gb/s is five times Rl/50 and a doubling five times "
                  "RC/5, so that HI is the first level of equation 19 and not equation 21"),
         Row("dp-fig12c", "a larger cut drains faster", "faster", "strict order of the drain times", cut_keys, faster),
         Row("dp-fig12d", "and loses more throughput", "more", "strict order of what was not sent in 0.1 to 0.5 s", cut_keys,
             loses)),
        (Panel("(a) queue, 1200 flows", hi_keys, panel(his, "queue.csv", "mean_bytes", 1e3, "queue, 5 ms means (KB)", 5e-3)),
         Panel("(b) sending rate, 1200 flows", hi_keys, panel(his, "rate.csv", "sent_bps", 1e9, "sent (Gb/s)", 10e-3)),
         Panel("(c) queue, 720 flows", cut_keys, panel(cutk, "queue.csv", "mean_bytes", 1e3, "queue, 5 ms means (KB)", 5e-3)),
         Panel("(d) sending rate, 720 flows", cut_keys,
               panel(cutk, "rate.csv", "sent_bps", 1e9, "sent (Gb/s)", 10e-3))))


# ------------------------------------------------------------------------------------------------ figure 13

def fig13(name: str, setup: str, words: tuple, seeds: int, cost: tuple) -> Figure:
    runs = {cc: run("incast", f"--cc={cc}", *words, seeds=seeds, cost=c) for cc, c in zip(("dcqcn", "dcqcn-plus"), cost)}
    keys = ("dcqcn", "dcqcn-plus")

    def ratios(data: Data, path: str) -> list:
        return [b / a for a, b in zip(data.list_values("dcqcn", path), data.list_values("dcqcn-plus", path))]

    def mean(data: Data) -> Measured:
        return over_seeds(ratios(data, "fct.mean_s"), lambda v: f"{v:.3f}", lambda v: v < 1)

    def largest(data: Data) -> Measured:
        return over_seeds(ratios(data, "fct.max_s"), lambda v: f"{v:.3f}", lambda v: v <= 1.06)

    def fairer(data: Data) -> Measured:
        values = [statistics.fmean(data.map_seeds(cc, lambda s, cc=cc: statistics.pstdev(data.series(cc, "flows.csv", s)["fct_s"])
                                                  / data.summary(cc, s)["fct"]["mean_s"])) for cc in keys]
        return Measured(f"deviation of the FCTs {percent(values[0])} under DCQCN, {percent(values[1])} under DCQCN+",
                        values[1] < values[0], values[1])
    rows = [Row(name + "-mean", "mean FCT of DCQCN+ / of DCQCN: smaller", "< 1", "< 1", keys, mean,
                note="" if name == "dp-fig13a" else "DCQCN fills the link at the PFC limit and all its flows end together; the margin of "
                "DCQCN+ is what its mean is below its largest, less what it leaves of the link")]
    if name == "dp-fig13a":
        rows.append(Row(name + "-fair", "DCQCN+ is fairer: its completion times lie closer together", "fairer", "order", keys,
                        fairer))
    else:
        rows.append(Row(name + "-max", "largest FCT of DCQCN+ / of DCQCN: 4 % longer", "1.04", "<= 1.06", keys, largest))

    def panel(ax, data: Data) -> None:
        draw.fct_cdf(ax, data, [("DCQCN", COLOURS["dcqcn"], "dcqcn"), ("DCQCN+", COLOURS["dcqcn-plus"], "dcqcn-plus")])
    return Figure(name, PAPER, f"Figure 13({name[-1]}): completion times of {setup.split(',')[0]}",
                  f"{STAR}, 40 Gb/s; {setup}; presets paper; {max(seeds, SEEDS)} seeds", runs, tuple(rows),
                  (Panel("Completion times", keys, panel),))


FIGURES = (
    fig9(), fig10(), fig11("web-search", "ws"), fig11("data-mining", "dm"), fig12(),
    fig13("dp-fig13a", "8 flows, 10,000 packets of 1000 B each, same start",
          ("--flows=8", "--size=10MB", "--start=0s", "--time=2s"), 10, (0.3, 0.3)),
    fig13("dp-fig13b", "800 flows, 30,000 packets of 1000 B each, starts within 1 us",
          ("--flows=800", "--size=30MB", "--start=1us", "--time=9s"), 3, (20, 11.5)))
