# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""HPCC (SIGCOMM 2019) and DCTCP (SIGCOMM 2010): fixed points, sawtooth and testbed figures. Bands were fixed before the first run."""
from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Callable, Iterable

from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, accept_between, kb, near, over_seeds, percent, run, smooth, window_mean
from .reality_runs import dcqcn, switch
from .seeds import MORE, SEEDS

HPCC = "HPCC SIGCOMM'19"
TESTBED_T = "base_rtt=9us"   # section 5.1: T of the testbed; 13 us in simulations
DCTCP = "DCTCP SIGCOMM'10"


def lead(name: str) -> str:
    """An algorithm's name in titles and claims."""
    return {"powertcp": "PowerTCP", "theta-powertcp": "theta-PowerTCP", "hpcc": "HPCC", "dcqcn": "DCQCN", "timely": "TIMELY",
            "swift": "Swift", "dctcp": "DCTCP", "pint": "HPCC with PINT"}[name]


def algorithm(text: str) -> tuple:
    """The words of NAME[:PRESET][+PARAMETER=VALUE]..., for programs that know the long form alone."""
    name, *parameters = text.split("+")
    name, _, preset = name.partition(":")
    return (f"--cc={name}", *([f"--preset={preset}"] if preset else []),
            *(["--set=" + ",".join(f"{name}.{one}" for one in parameters)] if parameters else []))


def noted(figures: tuple, notes: dict) -> tuple:
    """The figures with the reasons of the rows that are outside."""
    known = {row.id for figure in figures for row in figure.rows}
    assert set(notes) <= known, set(notes) - known
    return tuple(replace(figure, rows=tuple(replace(row, note=notes.get(row.id, row.note)) for row in figure.rows)) for figure in figures)


def least_mean(data: Data, key: str, seed: int, width: float, begin: float, end: float, rate: float) -> float:
    """The least of consecutive means of what a link delivers, over `width` seconds each, as a share of `rate`."""
    s = data.series(key, "rate.csv", seed)
    picked = [(t, v) for t, v in zip(s["time_s"], s["delivered_bps"]) if begin < t <= end]
    _, means = smooth([t - begin for t, _ in picked], [v for _, v in picked], width)
    return min(means) / rate


def jain(rates: list) -> float:
    return sum(rates) ** 2 / (len(rates) * sum(r * r for r in rates)) if any(rates) else 0.0


# ------------------------------------------------------------------------------------------------ DCTCP's sawtooth

def sawtooth(n: int, bdp: float, k: float) -> tuple:
    """(largest queue, amplitude, period in RTTs) of n synchronised flows; packets. SIGCOMM'10, section 3.3, solved without its
    approximations for alpha."""
    w = (bdp + k) / n
    low, high = 0.0, 1.0
    for _ in range(100):
        alpha = (low + high) / 2
        if alpha * alpha * (1 - alpha / 4) < (2 * w + 1) / (w + 1) ** 2:
            low = alpha
        else:
            high = alpha
    return k + n, n * (w + 1) * low / 2, (w + 1) * low / 2


def mean(values: Iterable) -> float:
    """0 if there are none."""
    found = list(values)
    return statistics.fmean(found) if found else 0.0


def cycles(times: list, values: list, amplitude: float) -> list:
    """(least, largest, length) of each cycle between two rises through the mean; a rise goes from a quarter of the amplitude below the
    mean to a quarter above it, so that single packets make no cycle."""
    middle, below, start, found = statistics.fmean(values), False, None, []
    for i, value in enumerate(values):
        if value < middle - amplitude / 4:
            below = True
        elif below and value > middle + amplitude / 4:
            if start is not None:
                part = values[start:i]
                found.append((min(part), max(part), times[i] - times[start]))
            below, start = False, i
    return found


def teeth(name: str, rate: float, rtt: float, packet: int, k: int, words: tuple, flows: dict, window: tuple, cost: float) -> Figure:
    """`flows`: n: (share of the peak's band, share of the amplitude's band; 0: at most the prediction)."""
    bdp = rate * rtt / 8 / packet
    runs = {f"n{n}": run("incast", *algorithm(f"dctcp:window+k={k * packet}B"), f"--flows={n}", f"--senders={n}", *words,
                         seeds=SEEDS, cost=cost) for n in flows}

    def found(data: Data, n: int, seed: int) -> list:
        s = data.series(f"n{n}", "queue.csv", seed)
        inside = [(t, v / packet) for t, v in zip(s["time_s"], s["mean_bytes"]) if window[0] < t <= window[1]]
        return cycles([t for t, _ in inside], [v for _, v in inside], sawtooth(n, bdp, k)[1])

    def loaded(data: Data, n: int, seed: int) -> float:
        """The round trip with its queue, in which the closed form counts."""
        return rtt + data.summary(f"n{n}", seed)["queue"]["mean_bytes"] * 8 / rate

    def rows(n: int, peak_share: float, amplitude_share: float) -> list:
        peak, amplitude, period = sawtooth(n, bdp, k)

        def largest(data: Data) -> Measured:
            return over_seeds([v / packet for v in data.list_values(f"n{n}", "queue.max_bytes")], lambda v: f"{v:.1f} packets",
                              near(peak, peak_share))

        def size(data: Data) -> Measured:
            inside = near(amplitude, amplitude_share) if amplitude_share else accept_between(1e-9, amplitude)
            return over_seeds(data.map_seeds(f"n{n}", lambda seed: mean(b - a for a, b, _ in found(data, n, seed))),
                              lambda v: f"{v:.1f} packets", inside)

        def length(data: Data) -> Measured:
            return over_seeds(data.map_seeds(f"n{n}", lambda seed: mean(t for _, _, t in found(data, n, seed)) / loaded(data, n, seed)),
                              lambda v: f"{v:.2f} RTTs", near(period, 0.25))
        made = [Row(f"{name}-peak-{n}", f"largest queue of {n} flows", f"{peak:g} packets", f"+-{100 * peak_share:g} %",
                    (f"n{n}",), largest),
                Row(f"{name}-amplitude-{n}", f"amplitude of the queue of {n} flows", f"{amplitude:.2f} packets"
                    + ("" if amplitude_share else ", less as flows fall out of step"),
                    f"+-{100 * amplitude_share:g} %" if amplitude_share else f"at most {amplitude:.2f} packets", (f"n{n}",), size)]
        if n == 2:
            made.append(Row(f"{name}-period-{n}", f"period of the queue of {n} flows", f"{period:.2f} RTTs", "+-25 %", (f"n{n}",), length))
        return made

    def panel(ax, data: Data) -> None:
        least = min(flows)
        peak, amplitude, _ = sawtooth(least, bdp, k)
        draw.timeline(ax, data, [(f"{least} flows", draw.SHADES[0], f"n{least}")], "queue.csv", "mean_bytes", packet, "queue (packets)",
                      end=window[0] + 40 * rtt)
        ax.set_xlim(window[0] * 1e3, (window[0] + 40 * rtt) * 1e3)
        draw.published_line(ax, peak, f"largest: {peak:g}")
        draw.published_line(ax, peak - amplitude, f"least: {peak - amplitude:.1f}")
    return Figure(name, DCTCP, f"section 3.3: the sawtooth at {rate / 1e9:g} Gb/s",
                  f"N senders, 1 receiver, {rate / 1e9:g} Gb/s, RTT {rtt * 1e6:g} us, packets of {packet} B on the wire, every packet "
                  f"acknowledged, marks above {k} packets, DCTCP preset window; second half of the run", runs,
                  tuple(row for n, shares in flows.items() for row in rows(n, *shares)), (Panel("Queue", (f"n{min(flows)}",), panel),))


# Four links of delay and the times of two data packets and of two acknowledgements make the RTT.
SAW = (teeth("dctcp", 10e9, 100e-6, 1500, 40,
             ("--rate=10Gbps", "--delay=24332ns", "--mtu=1438", "--ack-every=1", "--start=1ms", "--time=0.3s", "--interval=10us"),
             {2: (0.10, 0.25), 10: (0.15, 0.30), 40: (0.20, 0.0)}, (0.15, 0.3), 1.5),
       teeth("dctcp-100g", 100e9, 13e-6, 1048, 286,
             ("--rate=100Gbps", "--delay=3205ns", "--mtu=986", "--ack-every=1", "--start=100us", "--time=20ms", "--interval=1us"),
             {2: (0.10, 0.25), 8: (0.10, 0.30), 16: (0.10, 0.0)}, (0.01, 0.02), 2.0))


# ------------------------------------------------------------------------------------------------ HPCC

def hpcc_fixed_point() -> Figure:
    """U* = eta + n W_AI / BDP, and no standing queue while U* < 1 (closed form for max_stage 0)."""
    rtt, step = 13e-6, 80.0
    runs = {f"n{n}": run("incast", *algorithm("hpcc+base_rtt=13us+max_stage=0"), f"--flows={n}", f"--senders={n}", "--rate=100Gbps",
                         "--delay=3190ns", "--ack-every=1", "--start=100us", "--time=20ms", seeds=SEEDS, cost=2.5)
            for n in (1, 2, 4, 16, 64)}

    def use(n: int) -> Row:
        target = 0.95 + n * step / (100e9 * rtt / 8)
        share = 0.05 if n == 64 else 0.01
        return Row(f"hpcc-use-{n}", f"utilisation of {n} flow{'s' * (n > 1)}: eta + N W_AI / BDP", percent(target),
                   f"+-{100 * share:g} %", (f"n{n}",),
                   lambda data: over_seeds(data.list_values(f"n{n}", "utilization"), percent, near(target, share)))

    def queue(n: int, most: float) -> Row:
        return Row(f"hpcc-queue-{n}", f"no standing queue of {n} flows: its mean", "0", f"at most {kb(most)}", (f"n{n}",),
                   lambda data: over_seeds(data.list_values(f"n{n}", "queue.mean_bytes"), kb, lambda v: v <= most))

    def fair(data: Data) -> Measured:
        return over_seeds(data.list_values("n16", "jain"), lambda v: f"Jain {v:.3f}", lambda v: v >= 0.95)

    def panel(ax, data: Data) -> None:
        every = [1, 2, 4, 8, 16, 32, 64]
        ax.plot(every, [0.95 + n * step / (100e9 * rtt / 8) for n in every], color=draw.INK, linestyle="--",
                label="published: eta + N W_AI / BDP")
        draw.sweep(ax, data, [("HPCC on packets", draw.SHADES[0], [(n, f"n{n}") for n in (1, 2, 4, 16, 64)])],
                   lambda d, k: d.list_values(k, "utilization"), "utilisation")
        ax.set_ylim(0.8, 1.02)
    return Figure("hpcc-fp", HPCC, "the fixed point: utilisation and queue of N long flows",
                  "N senders, 1 receiver, 100 Gb/s, T 13 us, eta .95, W_AI 80 B, max_stage 0; 10 to 20 ms; telemetry's bytes count", runs,
                  (use(1), use(2), use(4), use(16), use(64), queue(1, 1.2e3), queue(16, 5e3),
                   Row("hpcc-fair-16", "16 flows share the link", "fair", "Jain >= 0.95", ("n16",), fair)),
                  (Panel("Utilisation by number of flows", tuple(runs), panel),))


RACK = ("--rate=25Gbps", "--delay=1190ns", "--ack-every=1")


def hpcc_recovery() -> Figure:
    words = ("--links=h[1-3]-s1", "--flows=h1-h3,h2-h3:size=1MB:start=2ms", *RACK, "--time=10ms", "--interval=5us")
    runs = {"hpcc": run("testbed", *algorithm(f"hpcc+{TESTBED_T}"), *switch("h19-tor", 25, False), *words, seeds=SEEDS, cost=0.3),
            "dcqcn": run("testbed", *dcqcn("vendor-25g"), *switch("h19-tor", 25), *words, seeds=MORE, cost=0.3)}   # rule of seeds.py

    def back(data: Data, key: str, seed: int) -> float:
        """Time from the end of the short flow until the long one has .9 of what it had before, and keeps it; 8 ms if it never does. What
        waited in the queue arrives at line rate for 0.1 ms, whatever the sender's rate, which the paper's figure shows."""
        s = data.series(key, "groups.csv", seed)
        rows = [(t, v) for t, g, v in zip(s["time_s"], s["group"], s["goodput_bps"]) if g == "h1-h3"]
        times, rates = smooth([t for t, _ in rows], [v for _, v in rows], 50e-6)
        before = window_mean(times, rates, 1e-3, 2e-3)
        flows = data.series(key, "flows.csv", seed)
        end = next(start + fct for start, fct, size in zip(flows["start_s"], flows["fct_s"], flows["size_bytes"]) if size)
        less = [t for t, v in zip(times, rates) if t > end and v < 0.9 * before]
        return min(8e-3, max(less) + 50e-6 - end if less else 50e-6)

    def row(key: str, published: str, band: str, inside: Callable) -> Row:
        return Row(f"hpcc-fig9a-{key}", f"a long flow has its rate again once a short one has ended: {lead(key)}",
                   published, band, (key,),
                   lambda data: over_seeds(data.map_seeds(key, lambda seed: back(data, key, seed)), lambda v: f"{1e3 * v:.2f} ms", inside))

    def panel(ax, data: Data) -> None:
        for key, colour in (("hpcc", draw.SHADES[0]), ("dcqcn", draw.COLOURS["dcqcn"])):
            s = data.series(key, "groups.csv")
            rows = [(t, v) for t, g, v in zip(s["time_s"], s["group"], s["goodput_bps"]) if g == "h1-h3"]
            times, rates = smooth([t for t, _ in rows], [v for _, v in rows], 50e-6)
            ax.plot([1e3 * t for t in times], [v / 1e9 for v in rates], color=colour, label=f"long flow, {lead(key)}")
        ax.set_xlabel("time (ms)")
        ax.set_ylabel("goodput, 50 us means (Gb/s)")
        ax.set_ylim(bottom=0)
    return Figure("hpcc-fig9a", HPCC, "Figure 9: a long and a short flow",
                  "2 senders, 1 receiver, 25 Gb/s, RTT 5.4 us, T 9 us; the short flow has 1 MB; DCQCN with the vendor's parameters, Kmin "
                  "100 KB, Kmax 400 KB, Pmax 20 %", runs,
                  (row("hpcc", "at once", "<= 0.2 ms", lambda v: v <= 0.2e-3),
                   row("dcqcn", "not within 2 ms", "> 2 ms", lambda v: v > 2e-3)),
                  (Panel("Rate of the long flow", tuple(runs), panel),))


def hpcc_mice() -> Figure:
    words = ("--links=h[1-4]-t1", "--flows=h[1-2]-h4,h3-h4:size=1000B:start=20ms:repeat=200:every=100us", "--rate=25Gbps", "--delay=980ns",
             "--mtu=1000", "--ack-every=1", "--time=40ms")
    runs = {"hpcc": run("testbed", *algorithm(f"hpcc+{TESTBED_T}"), *switch("h19-tor", 25, False), *words, seeds=SEEDS, cost=0.5),
            "dcqcn": run("testbed", *dcqcn("vendor-25g"), *switch("h19-tor", 25), *words, seeds=SEEDS, cost=0.5)}

    def latency(data: Data, key: str, seed: int) -> float:
        s = data.series(key, "flows.csv", seed)
        return statistics.fmean(t for t, size in zip(s["fct_s"], s["size_bytes"]) if size and t is not None)

    def row(key: str, published: str, band: str, inside: Callable) -> Row:
        return Row(f"hpcc-fig9-mice-{key}", f"latency of 1 KB beside two elephants: {lead(key)}", published, band,
                   (key,), lambda data: over_seeds(data.map_seeds(key, lambda seed: latency(data, key, seed)),
                                                   lambda v: f"{1e6 * v:.1f} us", inside))
    return Figure("hpcc-fig9-mice", HPCC, "Figure 9: elephants and mice",
                  "2 elephants, and from 20 ms on 200 mice of 1 KB, one each 100 us, 25 Gb/s, base RTT 5.4 us; mean FCT; as h19-mice of "
                  "the reality table", runs,
                  (row("hpcc", "near the base RTT of 5.4 us", "<= 10.8 us", lambda v: v <= 10.8e-6),
                   row("dcqcn", "> 35 us", "> 35 us", lambda v: v > 35e-6)))


NOTES = {
    "dctcp-amplitude-40": "flows start together and stay in step; the least window is two packets, and the share of a flow three: a cut "
                          "goes to the floor or not at all",
    "hpcc-fig9-mice-dcqcn": "DCQCN's queue varies around Kmin, 100 KB or 32 us, and is sometimes empty; the testbed's is never below "
                            "97 KB: its cuts are smaller (row h19-mice of the reality table)",
}
FIGURES = noted((*SAW, hpcc_fixed_point(), hpcc_recovery(), hpcc_mice()), NOTES)
