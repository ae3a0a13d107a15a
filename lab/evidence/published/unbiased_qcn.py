# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""IBM: Chrysos et al., "Unbiased QCN for Scalable Server-Fabrics", IBM research report RZ 3880, 2014."""
from __future__ import annotations

import statistics

from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, accept_between, first_time, kb, near, over_seeds, ratio_text, run
from .seeds import MORE

PAPER = "Unbiased QCN IBM'14"
SWITCH = "CIOQ switch, 150 KB input and output buffers, STOP/GO 110/44 KB, Qeq 60 KB"
TEN = "10 Gb/s, QCN preset ibm-10g"
SEEDS = 10


def fan_in(*words: str, seeds: int = SEEDS, cost: float = 0.8):
    return run("fan-in", "--cc=qcn", *words, seeds=seeds, cost=cost)


def arrivals(data: Data, key: str, seed: int, begin: float, end: float) -> list:
    """Mean arrival rate of every flow at the switch's inputs in begin < t <= end, bit/s."""
    s = data.series(key, "flow_arrivals.csv", seed)
    flows: dict = {}
    for t, flow, v in zip(s["time_s"], s["flow"], s["arrival_bps"]):
        if begin < t <= end:
            flows.setdefault(int(flow), []).append(v or 0.0)
    return [statistics.fmean(flows[f]) for f in sorted(flows)]


def gbps(value: float) -> str:
    return f"{value / 1e9:.2f} Gb/s"


def plain_ratio(value: float) -> str:
    return f"{value:.2f}"


def flows_panel(title: str, key: str, names: dict, column: str = "arrival_bps", width: float = 5e-3) -> Panel:
    what = "arrivals of a flow" if column == "arrival_bps" else "rate limit of a flow"

    def panel(ax, data: Data) -> None:
        draw.flow_timeline(ax, data, key, "flow_arrivals.csv", column, 1e9, f"{what}, {1e3 * width:g} ms means (Gb/s)", names,
                           width=width)
    return Panel(title, (key,), panel)


# ------------------------------------------------------------------------------------------------ figure 2

def fig2() -> Figure:
    runs = {cp: fan_in(f"--cp={cp}", cost=1.2) for cp in ("none", "outputs", "inputs", "both")}
    names = {i: f"f{i + 1}" for i in range(5)}

    def pause(data: Data) -> Measured:
        """Deviation of a flow's 0.5 ms arrivals from its mean, 50 to 100 ms, beside that with CPs at the inputs."""
        def measure_deviation(key: str) -> float:
            s = data.series(key, "flow_arrivals.csv")
            values = [v for t, f, v in zip(s["time_s"], s["flow"], s["arrival_bps"]) if 0.05 < t <= 0.1 and f == 0]
            return statistics.pstdev(values) / statistics.fmean(values)
        loud, calm = measure_deviation("none"), measure_deviation("inputs")
        return Measured(f"deviation of f1's 0.5 ms arrivals {100 * loud:.1f} % of their mean, {100 * calm:.1f} % with QCN at "
                        "inputs", loud > 0.1 and loud > 2 * calm, loud)

    def unfair(key: str):
        def measure(data: Data) -> Measured:
            def compare_rates(seed: int) -> float:
                rates = arrivals(data, key, seed, 0.05, 0.1)[:4]
                return max(rates) / min(rates)
            return over_seeds(data.map_seeds(key, compare_rates), plain_ratio, lambda v: v >= 1.2)
        return measure

    def late(data: Data) -> Measured:
        def compare_late_flow(seed: int) -> float:
            rates = arrivals(data, "outputs", seed, 0.15, 0.2)
            return rates[4] / min(rates[:4])
        return over_seeds(data.map_seeds("outputs", compare_late_flow), plain_ratio, lambda v: v >= 1.5)

    def fair(begin: float, end: float, target: float, count: int):
        def measure(data: Data) -> Measured:
            seeds = data.figure.runs["inputs"].seeds
            rates = [r for seed in seeds for r in arrivals(data, "inputs", seed, begin, end)[:count]]
            return Measured(f"{min(rates) / 1e9:.3f} to {max(rates) / 1e9:.3f} Gb/s over all flows and {len(seeds)} seeds",
                            all(near(target, 0.05)(r) for r in rates), statistics.fmean(rates), (min(rates), max(rates)))
        return measure
    return Figure(
        "ib-fig2", PAPER, "Figure 2: throughput of five flows that fan in; f5 is active from 100 to 200 ms",
        f"{SWITCH}; {TEN}; f1 to f5 from five inputs to one output; arrivals at the inputs; {SEEDS} seeds", runs,
        (Row("ib-fig2a", "PAUSE only: flows fluctuate wildly around their fair shares", "fluctuate",
             "deviation above 10 % and twice that of QCN at inputs", ("none", "inputs"), pause),
         Row("ib-fig2b", "QCN at outputs is unfair: the fastest of f1 to f4 has 1.5 times the slowest", "1.5x",
             "visibly unfair over seeds (>= 1.2x)", ("outputs",), unfair("outputs")),
         Row("ib-fig2b-f5", "and f5 ends up with about three times the rate of the slowest", "3x",
             "visibly unfair over seeds (>= 1.5x)", ("outputs",), late),
         Row("ib-fig2c", "QCN at inputs is fair: four flows", "2.5 Gb/s each", "+-5 %, every flow", ("inputs",),
             fair(0.05, 0.1, 2.5e9, 4), quick=True),
         Row("ib-fig2c-f5", "QCN at inputs finds the new fair shares with f5", "2.0 Gb/s each", "+-5 %, every flow", ("inputs",),
             fair(0.15, 0.2, 2e9, 5), quick=True),
         Row("ib-fig2d", "QCN at both inputs and outputs is as at outputs", "unfair", "visibly unfair over seeds (>= 1.2x)",
             ("both",), unfair("both"))),
        (flows_panel("(a) PAUSE only, 0.5 ms", "none", names, width=0.5e-3), flows_panel("(b) QCN at outputs", "outputs", names),
         flows_panel("(c) QCN at inputs", "inputs", names), flows_panel("(d) QCN at both", "both", names)))


# ------------------------------------------------------------------------------------------------ figure 5

def fig5() -> Figure:
    flows = "--flows=0:5:3Gbps,1:5,2:5,3:5,4:5::100ms:200ms,0:6:7Gbps"
    runs = {"none": fan_in("--cp=none", flows, cost=1.5)}
    runs.update({s: fan_in("--cp=inputs", f"--sampling={s}", flows, cost=1.5) for s in ("arrival", "deterministic", "random")})
    names = {0: "f1, 3 Gb/s to the hotspot", 1: "f2", 2: "f3", 3: "f4", 4: "f5", 5: "f6, 7 Gb/s elsewhere"}

    def pair(data: Data, key: str, seed: int) -> tuple:
        rates = arrivals(data, key, seed, 0.05, 0.1)
        return rates[0], rates[-1]  # f5 is not active then

    def equal(data: Data) -> Measured:
        pairs = data.map_seeds("arrival", lambda s: pair(data, "arrival", s))
        value = statistics.fmean(b for _, b in pairs) / statistics.fmean(a for a, _ in pairs)
        worst = [b / a for a, b in pairs]
        return Measured(f"f6 / f1 = {value:.2f} ({min(worst):.2f} to {max(worst):.2f} over {len(worst)} seeds)",
                        near(1, 0.05)(value), value, (min(worst), max(worst)))

    def seven_thirds(data: Data) -> Measured:
        return over_seeds(data.map_seeds("none", lambda s: (lambda p: p[1] / p[0])(pair(data, "none", s))), plain_ratio,
                          near(7 / 3, 0.05))

    def innocent(key: str):
        return lambda data: over_seeds(data.map_seeds(key, lambda s: pair(data, key, s)[1]), gbps, near(7e9, 0.05))

    def share(begin: float, end: float, target: float):
        return lambda data: over_seeds(data.map_seeds("deterministic", lambda s: arrivals(data, "deterministic", s, begin, end)[0]),
                                       gbps, near(target, 0.05))

    def cnms(key: str, few: bool):
        def measure(data: Data) -> Measured:
            victim, culprit = data.list_values(key, "per_flow.5.cnms"), data.list_values(key, "per_flow.0.cnms")
            value = statistics.fmean(victim)
            inside = value == 0 if not few else 0 < value < 0.1 * statistics.fmean(culprit)
            return Measured(f"{value:g} ({min(victim)} to {max(victim)} over {len(victim)} seeds) beside "
                            f"{statistics.fmean(culprit):.0f} to f1", inside, value, (min(victim), max(victim)))
        return measure
    return Figure(
        "ib-fig5", PAPER, "Figure 5: an innocent flow that shares an input with a culprit",
        f"{SWITCH}; {TEN}; as figure 2, and f1 sends 3 Gb/s to the hotspot and f6 7 Gb/s elsewhere from one input; 50 to 100 ms; "
        f"{SEEDS} seeds, {MORE} with arrival sampling", runs,
        (Row("ib-fig5a", "arrival sampling at inputs pulls f6 to the rate of f1", "equal rates", "f6 / f1 = 1 +-5 %",
             ("arrival",), equal,
             note="f6 is cut below f1 in the first 20 ms and does not come back, in any 50 ms up to 300 ms: the queue holds f1 at the "
                  "hotspot's fair share, nothing holds f6, and \"rate limiters that start at a higher value typically make both faster "
                  "and greater steps up\""),
         Row("ib-fig5b", "PAUSE only: f6 departs 7/3 times as fast as f1", "7/3", "+-5 %", ("none",), seven_thirds, quick=True),
         Row("ib-fig5c", "deterministic occupancy sampling leaves f6 alone", "7 Gb/s", "+-5 %", ("deterministic",),
             innocent("deterministic"), quick=True),
         Row("ib-fig5c-random", "random occupancy sampling leaves f6 alone", "7 Gb/s", "+-5 %", ("random",), innocent("random"),
             quick=True),
         Row("ib-fig5c-f1", "while f1 has its fair share of the hotspot: four flows", "2.5 Gb/s", "+-5 %", ("deterministic",),
             share(0.05, 0.1, 2.5e9)),
         Row("ib-fig5c-f1-f5", "and with f5: five flows", "2 Gb/s", "+-5 %", ("deterministic",), share(0.15, 0.2, 2e9)),
         Row("ib-fig5d", "deterministic occupancy sampling sends f6 no CNM", "0", "0", ("deterministic",),
             cnms("deterministic", False)),
         Row("ib-fig5d-random", "random occupancy sampling sends f6 a few CNMs", "few", "above 0, below a tenth of f1's",
             ("random",), cnms("random", True))),
        (flows_panel("(a) QCN at inputs, arrival sampling", "arrival", names), flows_panel("(b) PAUSE only", "none", names),
         flows_panel("(c) deterministic occupancy sampling", "deterministic", names),
         flows_panel("(c) random occupancy sampling", "random", names),
         flows_panel("(d) rate limits, deterministic", "deterministic", names, "limit_bps"),
         flows_panel("(d) rate limits, random", "random", names, "limit_bps")))


# ------------------------------------------------------------------------------------------------ figure 6

STEP = 10e-3   # when the output drops to 1 Gb/s
FIG6_LABELS = {"outputs": "QCN at outputs", "inputs": "QCN at inputs", "keep-alive": "at inputs, keep-alive",
               "outputs-rd": "at outputs, reliable delivery"}
FIG6_COLOURS = dict(zip(FIG6_LABELS, draw.SHADES))   # one colour for a switch in all panels


def fig6_limits(ax, data: Data) -> None:
    for key, label in FIG6_LABELS.items():
        s = data.series(key, "flow_arrivals.csv")
        ax.plot([1e3 * t for t in s["time_s"]], [(v or 0) / 1e9 for v in s["limit_bps"]], color=FIG6_COLOURS[key], label=label,
                linewidth=1.2)
    ax.set_xlim(0, 150)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("simulated time (ms)")
    ax.set_ylabel("rate limit of the flow (Gb/s)")
    draw.published_range(ax, 10, 25, "outputs throttle within 15 ms", vertical=True)


def fig6_buffer(column: str, port: int, keys: tuple, ylabel: str) -> Panel:
    def panel(ax, data: Data) -> None:
        for key in keys:
            s = data.series(key, "buffers.csv")
            points = [(1e3 * t, v / 1e3) for t, p, v in zip(s["time_s"], s["port"], s[column]) if p == port and t <= 0.06]
            ax.plot([p[0] for p in points], [p[1] for p in points], color=FIG6_COLOURS[key], label=FIG6_LABELS[key], linewidth=1.1)
        ax.set_xlim(left=0)
        ax.set_ylim(0, 160)
        ax.set_xlabel("simulated time (ms)")
        ax.set_ylabel(ylabel)
        if column == "input_bytes":
            draw.published_line(ax, 110, "Qhigh 110 KB: STOP")
            draw.published_line(ax, 44, "Qlow 44 KB: GO")
    return Panel(f"Buffer of the {'input' if port == 0 else 'output'}", keys, panel)


def fig6() -> Figure:
    base = ("--flows=0:5", "--capacity=5:10ms:1Gbps", "--sampling=random", "--time=200ms")
    runs = {"outputs": fan_in("--cp=outputs", *base, cost=0.3), "inputs": fan_in("--cp=inputs", *base, cost=0.3),
            "keep-alive": fan_in("--cp=inputs", "--attr=CioqSwitch.KeepAlive=true", *base, cost=0.3),
            "outputs-rd": fan_in("--cp=outputs", "--attr=CioqSwitch.Reliable=true", *base, cost=0.3)}

    def converged(data: Data, key: str) -> list:
        """Seconds from the step until the flow's limit is below 1.2 Gb/s."""
        def measure_convergence_s(seed: int) -> float:
            s = data.series(key, "flow_arrivals.csv", seed)
            found = first_time(s["time_s"], s["limit_bps"], lambda v: v < 1.2e9, STEP)
            return (0.2 if found is None else found) - STEP
        return data.map_seeds(key, measure_convergence_s)

    def ms(value: float) -> str:
        return f"{1e3 * value:.0f} ms"

    def outputs(data: Data) -> Measured:
        return over_seeds(converged(data, "outputs"), ms, accept_between(7.5e-3, 30e-3))

    def compare_with_outputs(key: str, low: float, high: float):
        def measure(data: Data) -> Measured:
            times, base_time = converged(data, key), statistics.fmean(converged(data, "outputs"))
            value = statistics.fmean(times) / base_time
            return Measured(f"{ratio_text(value)} ({ms(statistics.fmean(times))}; {ms(min(times))} to {ms(max(times))} over "
                            f"{len(times)} seeds)", low <= value <= high, value, (min(times), max(times)))
        return measure

    def early(data: Data, key: str, column: str, seed: int = 1) -> list:
        """A buffer's samples in the 10 ms after the step, its first half aside: the fall from the old rate."""
        s = data.series(key, "buffers.csv", seed)
        port = 0 if column == "input_bytes" else 5
        return [v for t, p, v in zip(s["time_s"], s["port"], s[column]) if p == port and STEP + 1e-3 < t <= STEP + 8e-3]

    def swings(data: Data) -> Measured:
        values = early(data, "inputs", "input_bytes")
        return Measured(f"{kb(min(values))} to {kb(max(values))}", min(values) <= 60e3 and max(values) >= 95e3, min(values))

    def measure_least(data: Data) -> Measured:
        return over_seeds(data.map_seeds("outputs", lambda seed: min(early(data, "outputs", "output_bytes", seed))),
                          kb, lambda v: v >= 135e3)

    def wild(data: Data) -> Measured:
        values = early(data, "outputs-rd", "output_bytes")
        return Measured(f"{kb(min(values))} to {kb(max(values))}", max(values) - min(values) >= 40e3, min(values))

    keys = tuple(runs)
    return Figure(
        "ib-fig6", PAPER, "Figure 6: the output of a single flow drops to 1 Gb/s",
        f"{SWITCH}; {TEN}; one flow, its output drops from 10 to 1 Gb/s at 10 ms; occupancy sampling; {SEEDS} seeds", runs,
        (Row("ib-fig6a", "QCN at outputs throttles the flow within 15 ms", "15 ms", "7.5 to 30 ms (x2)", ("outputs",), outputs,
             quick=True, note="throttled: the rate limit is below 1.2 Gb/s"),
         Row("ib-fig6a-inputs", "QCN at inputs needs 4 times as long", "4x", "2x to 8x (x2)", ("outputs", "inputs"),
             compare_with_outputs("inputs", 2, 8)),
         Row("ib-fig6a-keep", "keep-alive brings the inputs on par with the outputs", "1x", "0.5x to 2x (x2)",
             ("outputs", "keep-alive"), compare_with_outputs("keep-alive", 0.5, 2)),
         Row("ib-fig6a-rd", "with reliable delivery QCN at outputs takes much longer again", "much longer", ">= 2x",
             ("outputs", "outputs-rd"), compare_with_outputs("outputs-rd", 2, float("inf"))),
         Row("ib-fig6b", "the input's backlog swings between the PAUSE thresholds", "44 to 110 KB",
             "below 60 KB and above 95 KB within 8 ms of the step", ("inputs",), swings),
         Row("ib-fig6c", "the output stays full until the flow is throttled", "full", ">= 135 of 150 KB within 8 ms of the step",
             ("outputs",), measure_least),
         Row("ib-fig6c-rd", "with reliable delivery the output fluctuates wildly", "wildly", "by 40 KB within 8 ms of the step",
             ("outputs-rd",), wild)),
        (Panel("(a) rate limit", keys, fig6_limits), fig6_buffer("input_bytes", 0, ("inputs", "keep-alive"), "input buffer (KB)"),
         fig6_buffer("output_bytes", 5, ("outputs", "outputs-rd"), "output buffer (KB)")))


# ------------------------------------------------------------------------------------------------ figure 7

def fig7() -> Figure:
    base = ("--rate=100Gbps", "--preset=ibm-100g", "--time=60ms", "--window=20ms-60ms",
            "--flows=0:6:50Gbps,1:6::10ms,2:6::10ms,3:6::10ms,4:6::10ms,5:6::10ms,0:7:50Gbps")
    runs = {"none": fan_in("--cp=none", *base, seeds=1, cost=1.5),
            "arrival": fan_in("--cp=inputs", "--sampling=arrival", *base, cost=1.5),
            "random": fan_in("--cp=inputs", "--sampling=random", "--attr=CioqSwitch.KeepAlive=true", *base, cost=1.5),
            "outputs": fan_in("--cp=outputs", *base, cost=1.5)}
    names = {i: f"f{i + 1}" for i in range(6)}
    names[6] = "f7, the victim"

    def victim(key: str, target: float):
        return lambda data: over_seeds(data.list_values(key, "per_flow.6.mean_bps"), gbps, near(target, 0.1))

    def occupancy(data: Data, key: str, column: str) -> list:
        port = 0 if column == "input_bytes" else 6

        def average_occupancy(seed: int) -> float:
            s = data.series(key, "buffers.csv", seed)
            return statistics.fmean(v for t, p, v in zip(s["time_s"], s["port"], s[column]) if p == port and t > 0.02)
        return data.map_seeds(key, average_occupancy)

    def holds(key: str, column: str, inside):
        return lambda data: over_seeds(occupancy(data, key, column), kb, inside)

    def buffers(column: str, port: int):
        def panel(ax, data: Data) -> None:
            for (key, label), colour in zip((("none", "PAUSE only"), ("random", "random occupancy sampling at inputs"),
                                             ("outputs", "QCN at outputs")), draw.SHADES):
                s = data.series(key, "buffers.csv")
                points = [(1e3 * t, v / 1e3) for t, p, v in zip(s["time_s"], s["port"], s[column]) if p == port]
                ax.plot([p[0] for p in points], [p[1] for p in points], color=colour, label=label, linewidth=1.1)
            ax.set_xlim(left=0)
            ax.set_ylim(0, 160)
            ax.set_xlabel("simulated time (ms)")
            ax.set_ylabel("bytes in the buffer (KB)")
            draw.published_line(ax, 60, "Qeq 60 KB")
        return panel
    return Figure(
        "ib-fig7", PAPER, "Figure 7: a hotspot on 100 Gb/s links",
        f"{SWITCH}; 100 Gb/s, QCN preset ibm-100g; f1 to the hotspot and f7 elsewhere, 50 Gb/s each from one input; f2 to f6 "
        f"to the hotspot from 10 ms; 20 to 60 ms; {SEEDS} seeds, 5 with PAUSE only, {MORE} with arrival sampling", runs,
        (Row("ib-fig7a", "PAUSE only: the victim f7 is held to a sixth of the link", "16.6 Gb/s", "+-10 %", ("none",),
             victim("none", 16.6e9), quick=True),
         Row("ib-fig7a-arrival", "QCN at inputs with arrival sampling performs the same", "16.6 Gb/s", "+-10 %", ("arrival",),
             victim("arrival", 16.6e9)),
         Row("ib-fig7b", "random occupancy sampling at inputs with keep-alive: f7 keeps its rate", "50 Gb/s", "+-10 %",
             ("random",), victim("random", 50e9), quick=True),
         Row("ib-fig7c", "the input stays around Qeq with occupancy sampling at inputs", "60 KB", "+-20 %", ("random",),
             holds("random", "input_bytes", near(60e3, 0.2))),
         Row("ib-fig7c-outputs", "it is almost empty with QCN at outputs", "almost empty", "<= 10 KB", ("outputs",),
             holds("outputs", "input_bytes", lambda v: v <= 10e3)),
         Row("ib-fig7d", "the output is almost full with occupancy sampling at inputs", "almost full (150 KB)", ">= 127 KB",
             ("random",), holds("random", "output_bytes", lambda v: v >= 127e3)),
         Row("ib-fig7d-outputs", "it stays around Qeq with QCN at outputs", "60 KB", "+-20 %", ("outputs",),
             holds("outputs", "output_bytes", near(60e3, 0.2)))),
        (flows_panel("(a) PAUSE only", "none", names, width=1e-3),
         flows_panel("(b) random occupancy sampling at inputs", "random", names, width=1e-3),
         Panel("(c) input of f1 and f7", ("none", "random", "outputs"), buffers("input_bytes", 0)),
         Panel("(d) congested output", ("none", "random", "outputs"), buffers("output_bytes", 6))))


FIGURES = (fig2(), fig5(), fig6(), fig7())
