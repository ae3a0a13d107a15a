# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""QCN on NetFPGA: Kabbani and Yasuda, "Data Center Quantized Congestion Notification (QCN): Implementation and Evaluation on
NetFPGA", section 4."""
from __future__ import annotations

import statistics

from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, kb, near, ordered, percent, run
from .seeds import MORE

PAPER = "QCN on NetFPGA"
QEQ = 33e3
RTTS = ("100us", "500us", "1ms")
SEEDS = 10
# "Whenever a RP gets consecutive Fb messages (i.e. CR has not increased meanwhile)", section 2; 802.1Qau, which the preset has, looks at
# the byte counter only. At 25 Mb/s a cycle of the timer ends before one of the byte counter.
# "When Fb is negative, ... a feedback message containing the Fb value, quantized to 6 bits, is sent", section 2; "if the computed value
# is negative, a congestion message is sent back", section 3.2; 802.1Qau, which the preset has, sends none if the 6 bits are 0.
RULE = "--set=qcn.extra_fast_recovery=until-increase,qcn.notify=negative"
SETUP = ("{} at 1 Gb/s, service rate 0.95, 0.2 (3.7 s), 0.95 Gb/s, 150 KB buffer, token bucket 3 KB / 16 us, QCN preset netfpga-1g with "
         "extra fast recovery until the rate increases and a CNM for every negative Fb, as the text has it, RTT {}; second half of each "
         "phase; {} seeds")
RATES = ("0.95", "0.2", "0.95 again")


def settled(data: Data, key: str, what: str) -> list:
    """The mean over the seeds for each of the three phases."""
    return [data.mean(key, f"phases.{i}.settled.{what}") for i in range(3)]


def sources(n: int) -> str:
    return "1 source" if n == 1 else f"{n} sources"


def panel_queue(ax, data: Data) -> None:
    draw.timeline(ax, data, [("queue", draw.SHADES[0], "run")], "queue.csv", "mean_bytes", 1e3, "queue, 20 ms means (KB)",
                  width=20e-3, milliseconds=False)
    draw.published_line(ax, QEQ / 1e3, "Qeq 33 KB, where the queue re-centres")
    ax.set_ylim(0, 150)


def panel_rate(ax, data: Data) -> None:
    draw.timeline(ax, data, [("utilisation of the service rate", draw.SHADES[2], "run")], "utilization.csv", "utilization", 1,
                  "utilisation, 20 ms means", width=20e-3, milliseconds=False)
    ax.set_ylim(0, 1.15)
    draw.published_line(ax, 1, "it recovers")


def figure(number: int, n: int, rtt: str) -> Figure:
    name = f"qn-fig{number}"

    def queue(data: Data) -> Measured:
        values = settled(data, "run", "mean_queue_bytes")
        return Measured(", ".join(f"{kb(v)} at {r}" for v, r in zip(values, RATES)) + " Gb/s",
                        all(near(QEQ, 0.2)(v) for v in values), values[0])

    def use(data: Data) -> Measured:
        values = settled(data, "run", "utilization")
        return Measured(", ".join(percent(v) for v in values) + " in the three phases", min(values) >= 0.95, values[2])
    rows = [Row(name + "-use", f"{sources(n)}, RTT {rtt}: utilisation recovers after both steps", "recovers",
                ">= 95 % in the second half of each phase", ("run",), use, quick=number == 8)]
    if rtt == "100us":
        rows.insert(0, Row(name, f"{sources(n)}, RTT {rtt}: the queue re-centres on Qeq", "33 KB", "+-20 % in every phase",
                           ("run",), queue, quick=number == 8,
                           note="" if n == 1 else "at 0.2 Gb/s a source hears from the switch every 48 ms, later than its 25 ms "
                           "timer has recovered the rate: with `timer=100ms` the queue is 35 KB (lab/doc/capacity.md). The "
                           "paper's curve for this phase is not in its text"))
    return Figure(name, PAPER, f"Figure {number}: queue and utilisation, {sources(n)}, RTT {rtt}",
                  SETUP.format(sources(n), rtt, MORE),
                  {"run": run("capacity", "--cc=qcn", RULE, f"--senders={n}", f"--rtt={rtt}", seeds=SEEDS, cost=0.25)}, tuple(rows),
                  (Panel("Queue", ("run",), panel_queue), Panel("Utilisation", ("run",), panel_rate)))


def order(n: int, numbers: str) -> Figure:
    runs = {rtt: run("capacity", "--cc=qcn", RULE, f"--senders={n}", f"--rtt={rtt}", seeds=SEEDS, cost=0.25) for rtt in RTTS}

    def measure(data: Data) -> Measured:
        values = [statistics.fmean(settled(data, rtt, "std_queue_bytes")) for rtt in RTTS]
        return Measured(", ".join(f"{rtt}: {kb(v)}" for rtt, v in zip(RTTS, values)), ordered(values), values[-1])

    def panel(ax, data: Data) -> None:
        for phase, colour in zip(range(3), draw.SHADES):
            ax.plot(range(3), [settled(data, rtt, "std_queue_bytes")[phase] / 1e3 for rtt in RTTS], marker="o", color=colour,
                    label=f"service rate {RATES[phase]} Gb/s")
        ax.set_xticks(range(3))
        ax.set_xticklabels(RTTS)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("round trip")
        ax.set_ylabel("deviation of the queue (KB)")
    return Figure(f"qn-order-{n}", PAPER, f"Figures {numbers}: a larger RTT oscillates more, {sources(n)}",
                  SETUP.format(sources(n), "100, 500, 1000 us", MORE), runs,
                  (Row(f"qn-order-{n}", f"{sources(n)}: a larger RTT oscillates more", "more",
                       "strict order of the queue's standard deviation", RTTS, measure,
                       note="1 ms oscillates more than 100 us, but 500 us lies outside the two, by less than two standard errors of "
                       "twenty seeds: a source hears from the switch every 6 to 48 ms, long against any of these round trips"),),
                  (Panel("Oscillation by round trip", RTTS, panel),))


FIGURES = tuple([figure(8 + i, 1, rtt) for i, rtt in enumerate(RTTS)] + [order(1, "8 to 10")]
                + [figure(11 + i, 8, rtt) for i, rtt in enumerate(RTTS)] + [order(8, "11 to 13")])
