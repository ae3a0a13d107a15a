# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""EoD: Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016."""
from __future__ import annotations

import statistics

from evidence.studies import fluid
from command.models.steady_state import PATCHED, Dcqcn, solve, solve_patched_timely

from . import drawing as draw
from .drawing import COLOURS
from .figure import Data, Figure, Panel, Row, kb, near, over_seeds, run

PAPER = "ECN or Delay CoNEXT'16"


def words(flows: int, *more: str) -> tuple:
    return (f"--flows={flows}", f"--senders={flows}", "--start=0s", *more)


# ------------------------------------------------------------------------------------------------ DCQCN's fixed point

def fixed_point(name: str, title: str, params: Dcqcn, profile: tuple, flows: tuple, quick: tuple, note: str = "") -> Figure:
    """938 bytes of payload: 1000 bytes on the wire, the model's packet."""
    runs = {f"n{n}": run("incast", "--cc=dcqcn", *words(n, "--mtu=938", "--time=0.4s", *profile), seeds=3, cost=1.3) for n in flows}

    def row(n: int) -> Row:
        target = solve(params, n).queue_bytes

        def measure(data: Data):
            return over_seeds(data.list_values(f"n{n}", "queue.mean_bytes"), kb, near(target, 0.15))
        return Row(f"{name}-{n}", f"mean queue of {n} flows beside the solver's q*", kb(target), "+-15 %", (f"n{n}",), measure,
                   quick=n in quick, note=note)

    def alpha_row(n: int) -> Row:
        target = solve(params, n).alpha

        def measure(data: Data):
            def average_alpha(seed: int) -> float:
                s = data.series(f"n{n}", "flow_rates.csv", seed)
                return statistics.fmean(a for t, a in zip(s["time_s"], s["alpha"]) if t > 0.2)
            return over_seeds(data.map_seeds(f"n{n}", average_alpha), lambda v: f"{v:.4f}", near(target, 0.15))
        return Row(f"{name}-alpha-{n}", f"mean alpha of {n} flows beside the solver's alpha*", f"{target:.4f}", "+-15 %",
                   (f"n{n}",), measure)

    def alphas(ax, data: Data) -> None:
        every = range(flows[0], flows[-1] + 1)
        ax.plot(list(every), [solve(params, n).alpha for n in every], color=COLOURS["fluid"], linestyle="--",
                label="published: the fluid model's alpha*")
        draw.sweep(ax, data, [("DCQCN on packets", COLOURS["dcqcn"], [(n, f"n{n}") for n in flows])],
                   lambda d, k: [alpha_row(int(k[1:])).measure(d).value], "mean alpha", log=False)

    def panel(ax, data: Data) -> None:
        every = range(flows[0], flows[-1] + 1)
        points = [(n, solve(params, n).queue_bytes) for n in every]
        ax.plot([n for n, q in points if q], [q / 1e3 for _, q in points if q], color=COLOURS["fluid"], linestyle="--",
                label="published: the fluid model's fixed point")
        draw.sweep(ax, data, [("DCQCN on packets", COLOURS["dcqcn"], [(n, f"n{n}") for n in flows])],
                   lambda d, k: [v / 1e3 for v in d.list_values(k, "queue.mean_bytes")], "mean queue (KB)", log=False)

    def transient(ax, data: Data) -> None:
        n = flows[-2]
        path = fluid.dcqcn(params, [fluid.Group(flows=n)], 0.1, sample_s=5e-4)
        draw.timeline(ax, data, [(f"{n} flows on packets", COLOURS["dcqcn"], f"n{n}")], "queue.csv", "mean_bytes", 1e3,
                      "queue, 0.5 ms means (KB)", width=5e-4, end=0.1)
        ax.plot([t * 1e3 for t in path.time_s], [q / 1e3 for q in path.queue_bytes], color=COLOURS["fluid"], linestyle="--",
                label="published: the fluid model, integrated")
        ax.set_ylim(0, 4 * max(q for q in path.queue_bytes[len(path.queue_bytes) // 2:]) / 1e3 + 1)
    return Figure(name, PAPER, title,
                  "N senders, 1 receiver, 40 Gb/s, 1 us links, DCQCN preset paper, 1000 B packets on the wire, "
                  + ", ".join(p.lstrip("-") for p in profile) + "; averages over 0.2 to 0.4 s; at least 3 seeds", runs,
                  tuple(row(n) for n in flows) + tuple(alpha_row(n) for n in flows),
                  (Panel("Queue by number of flows", tuple(runs), panel), Panel("Alpha by number of flows", tuple(runs), alphas),
                   Panel("Transient from a start at line rate", (f"n{flows[-2]}",), transient)))


WIDE = fixed_point("eod-fp", "the fixed point of DCQCN, marking over 5 KB to 2000 KB, Pmax 10 %",
                   Dcqcn(kmax_bytes=2e6, pmax=0.1), ("--kmin=5KB", "--kmax=2000KB", "--pmax=0.1"), (2, 4, 8, 10, 16, 32), (2, 4, 8))
NARROW = fixed_point("eod-fp-narrow", "the fixed point of DCQCN, marking over 5 KB to 200 KB, Pmax 1 %",
                     Dcqcn(), ("--kmin=5KB", "--kmax=200KB", "--pmax=0.01"), (2, 4, 8, 10), (4,),
                     "at 10 flows the queue swings between 0 and Kmax without end (deviation 59 KB in every 0.1 s of 1.2 s): beyond "
                     "Kmax everything is marked, which the linear slope of the fixed point does not have")

# ------------------------------------------------------------------------------------------------ patched TIMELY


def patched() -> Figure:
    flows = (2, 10)
    runs = {f"n{n}": run("incast", "--cc=timely-patched", "--rate=10Gbps", *words(n, "--ack-every=16", "--time=1s"), cost=0.6)
            for n in flows}

    def row(n: int) -> Row:
        target = solve_patched_timely(PATCHED, n).queue_bytes
        return Row(f"eod-patched-{n}", f"q* of {n} flows under patched TIMELY", kb(target), "+-15 %", (f"n{n}",),
                   lambda data: over_seeds(data.list_values(f"n{n}", "queue.mean_bytes"), kb, near(target, 0.15)), quick=True,
                   note="the algorithm compares the whole RTT with T_low, the model the queueing delay: 7.2 KB lower here")

    def panel(ax, data: Data) -> None:
        every = list(range(1, 21))
        ax.plot(every, [solve_patched_timely(PATCHED, n).queue_bytes / 1e3 for n in every], color=COLOURS["fluid"],
                linestyle="--", label="published: q* = q' (1 + N delta / (beta C))")
        draw.sweep(ax, data, [("patched TIMELY on packets", COLOURS["timely-patched"], [(n, f"n{n}") for n in flows])],
                   lambda d, k: [v / 1e3 for v in d.list_values(k, "queue.mean_bytes")], "mean queue (KB)", log=False)

    def queue(ax, data: Data) -> None:
        draw.timeline(ax, data, [(f"{n} flows", c, f"n{n}") for n, c in zip(flows, draw.SHADES)], "queue.csv", "mean_bytes",
                      1e3, "queue, 1 ms means (KB)", width=1e-3)
        ax.set_ylim(0, 400)
        for n in flows:
            draw.published_line(ax, solve_patched_timely(PATCHED, n).queue_bytes / 1e3, f"q* of {n} flows")
    return Figure("eod-patched", PAPER, "patched TIMELY has a fixed point",
                  "N senders, 1 receiver, 10 Gb/s, 1 us links, an ACK per 16 packets; averages over 0.5 to 1 s", runs,
                  tuple(row(n) for n in flows),
                  (Panel("Queue by number of flows", tuple(runs), panel), Panel("Queue over time", tuple(runs), queue)))


# ------------------------------------------------------------------------------------------------ who shares what

def unique() -> Figure:
    runs = {cc: run("convergence", f"--cc={cc}", "--rate=10Gbps", "--start=0s,5ms", "--time=0.5s", "--ack-every=16",
                    cost=0.3) for cc in ("timely", "timely-patched")}

    def unfair(data: Data):
        return over_seeds(data.list_values("timely", "jain"), lambda v: f"Jain {v:.3f}", lambda v: v < 0.95)

    def fair(data: Data):
        return over_seeds(data.list_values("timely-patched", "jain"), lambda v: f"Jain {v:.3f}", lambda v: v >= 0.99)

    def rates(cc: str):
        return lambda ax, d: draw.flow_timeline(ax, d, cc, "flow_rates.csv", "rate_bps", 1e9, "rate of a flow (Gb/s)")
    return Figure("eod-unique", PAPER, "TIMELY has no unique fixed point, the patched law has one",
                  "2 senders, 1 receiver, 10 Gb/s, starts at 0 and 5 ms, presets paper; averages over 0.25 to 0.5 s", runs,
                  (Row("eod-unique", "two flows under TIMELY stay where their history put them", "unfair",
                       "Jain < 0.95", ("timely",), unfair),
                   Row("eod-unique-patched", "under patched TIMELY they converge to the same rate", "fair", "Jain >= 0.99",
                       ("timely-patched",), fair, quick=True)),
                  (Panel("TIMELY", ("timely",), rates("timely")),
                   Panel("patched TIMELY", ("timely-patched",), rates("timely-patched"))))


FIGURES = (WIDE, NARROW, patched(), unique())
