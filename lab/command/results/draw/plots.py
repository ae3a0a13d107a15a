# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The figures that any scenario may have. Imported only where matplotlib is."""
from __future__ import annotations

import math
import os
import re
import textwrap
from typing import Callable, Optional

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from ...models import fixed_point
from ...common import counted, get, si_bytes, si_rate, si_time
from ..judge import paper, settled, traffic
from ..read import series as series_files
from .sheet import FAINT, FLOW_LINES, HEIGHT, INK, NOTE, SMALL, Sheet, flow_colours, looks, named, write

POINTS = 700        # more points than pixels only blur the picture
LOG_RATIO = 20      # values further apart than this need a logarithmic axis
PFC, MODEL = "#AA3377", "#6A51A3"   # of reference lines
SHADE = "#f3f3f3"
NAMES = 45          # letters of those that a limit belongs to
EMPTY = 100.0       # bytes; a logarithmic axis begins here, and has no place for a queue below
NOWHERE = float("nan")
TIMES = ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns"))


class Look:
    """Colour and name of each run."""

    def __init__(self, runs: list):
        labels = {r["cc"]: r.get("label") or r.get("algorithm") or r["cc"] for r in runs}
        chosen = looks(list(labels.values()))
        self.colour = {place: chosen[label][0] for place, label in labels.items()}
        self.style = {place: chosen[label][1] for place, label in labels.items()}
        # earlier lines are wider: where curves coincide, the one below still shows
        self.width = {r["cc"]: 1.1 + min(0.4, 1.2 / len(runs)) * (len(runs) - 1 - i) for i, r in enumerate(runs)}

    @staticmethod
    def label(run: dict) -> str:
        return named(str(run.get("legend") or run.get("title") or run["cc"]) + (" (partial)" if run.get("partial") else ""))


def read_series(folder: str, run: dict, name: str) -> dict:
    """A series of a run by columns; {} if the file is missing or has no rows."""
    try:
        columns = series_files.read(os.path.join(folder, run["cc"], name))
    except OSError:
        return {}
    return columns if any(columns.values()) else {}


def panels_of(folder: str, runs: list, name: str) -> list:
    """(run, series) of the runs that have this series."""
    found = [(r, read_series(folder, r, name)) for r in runs]
    return [(r, s) for r, s in found if s]


def thin(columns: list, how: list, points: int = POINTS) -> list:
    """Merge neighbours until at most `points` remain; each column by its own function (mean of means, max of maxima)."""
    count = len(columns[0])
    if count <= points:
        return columns
    edges = [i * count // points for i in range(points + 1)]
    return [[f(column[a:b]) for a, b in zip(edges, edges[1:])] for column, f in zip(columns, how)]


def mean(values: list) -> float:
    return sum(values) / len(values)


def mean_known(values: list) -> float:
    """Of what there is, where NOWHERE stands for nothing."""
    known = [v for v in values if v == v]
    return mean(known) if known else NOWHERE


def last(values: list) -> float:
    return values[-1]


# ------------------------------------------------------------------------------------------------ axes

def since(begin: float, end: float) -> float:
    """What a time axis is counted from: 0, or, where it begins so late that ticks have no room for its times, a round time before it."""
    step = 10.0 ** math.ceil(math.log10(10 * (end - begin)) - 1e-9)
    return float(f"{math.floor(begin / step + 1e-6) * step:.12g}")


def time_axis(ax, runs: list, label: bool = True) -> Callable[[float], float]:
    """Choose s, ms or us for the time axis, which shows the traffic, from its first start to its last end; returns the conversion from
    seconds."""
    begin, end = traffic.span(runs)
    long = end - begin
    factor, unit = next((f, u) for f, u in TIMES if long * f >= 1 or u == "ns")
    if unit == "s" and long < 2:
        factor, unit = 1e3, "ms"
    base = since(begin, end)
    ax.set_xlim(round((begin - base) * factor, 6), round((end - base) * factor, 6))     # else the last tick may be out
    if begin > long:
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))      # names of more run together
    if label:
        of = next((f"{base * f:.12g} {u}" for f, u in TIMES if base * f >= 1), "")
        ax.set_xlabel(f"simulated time{' after ' if of else ''}{of} ({unit})")
    return lambda t: (t - base) * factor


def shade_window(ax, runs: list, at: Callable[[float], float], note: bool = True) -> None:
    """What the averages cover; only where all runs agree on it."""
    windows = {tuple(r["window_s"]) for r in runs if isinstance(r.get("window_s"), list) and len(r["window_s"]) == 2}
    if len(windows) == 1:
        begin, end = windows.pop()
        ax.axvspan(at(begin), at(end), color=SHADE, zorder=0, linewidth=0)
        if note:
            ax.annotate("window of the averages", (max(at(begin), ax.get_xlim()[0]), 1), xycoords=("data", "axes fraction"), xytext=(3, -3),
                        textcoords="offset points", fontsize=NOTE, color=FAINT, va="top", zorder=3.5,     # above limits
                        bbox={"facecolor": SHADE, "edgecolor": "none", "pad": 0.5})


def numbers(axis, show: Callable) -> None:
    """Ticks as people write numbers."""
    axis.set_major_formatter(FuncFormatter(lambda v, _: show(v) if v else "0"))
    axis.set_minor_formatter(NullFormatter())   # the one of a logarithm writes in TeX


def ratios(axis) -> None:
    """Ticks of a logarithmic axis of ratios: of less than two decades, small ones have names too."""
    def small(value: float, _) -> str:
        low, high = axis.get_view_interval()
        wanted = high < 4 * low or high < 100 * low and round(value / 10 ** math.floor(math.log10(value)), 6) in (2, 5)
        return f"{value:.6g}" if wanted else ""
    numbers(axis, lambda v: f"{v:.6g}")
    axis.set_minor_formatter(FuncFormatter(small))


def logarithmic(ax, floor: float, top: float) -> None:
    """A logarithmic y axis from `floor` to `top`."""
    ax.set_yscale("log")
    ax.set_ylim(floor, top)


def footnote(summary: dict) -> str:
    run = summary["runs"][0]
    words = f"{summary.get('command', '')} | rcc {summary.get('rcc_version')}, ns-3 {run.get('ns3_version')}"
    return "PARTIAL RESULT, stopped early | " + words if summary.get("partial") else words


def save(sheet: Sheet, folder: str, name: str, summary: dict) -> str:
    sheet.finish(footnote(summary))
    return write(sheet.figure, folder, name)


def reference(ax, value: Optional[float], text: str = "", colour: str = INK) -> None:
    """A dashed horizontal line, named in the legend: a name beside the line would hide data."""
    if value:
        ax.axhline(value, color=colour, linewidth=1.0, linestyle=(0, (5, 3)), zorder=3, label=text or None)


def published(ax, summary: dict, at: Callable[[float], float], paths: tuple, unit: Callable = lambda run: 1.0) -> float:
    """Hollow diamonds in the window of the averages, one name for all: what the paper says of runs with its set-up. Returns the
    largest. `unit`: of a run, what its number is a share of."""
    said = [(run, one) for run in summary["runs"] for one in paper.of(run, str(summary.get("command", ""))) if one.path in paths]
    marks = [(at(sum(run["window_s"]) / 2), one.value * unit(run), one) for run, one in said]
    if not marks:
        return 0.0
    outside = [f"{one.show(get(run, one.path) or 0)} here" for run, one in said if not one.holds(get(run, one.path) or 0)]
    verdict = f"outside, {', '.join(outside)}" if outside else "inside"
    ax.plot([t for t, _, _ in marks], [value for _, value, _ in marks], linestyle="none", marker="D", markersize=7,
            markerfacecolor="none", markeredgecolor=INK, markeredgewidth=1.3, zorder=5,
            label=f"published: {verdict}")
    return max(value for _, value, _ in marks)


def shared(runs: list, of: Callable) -> list:
    """(value, names, runs) of a limit: once, without names, if all runs have the same, else once for each value with the algorithms that
    have it, or the runs where algorithms do not tell. Values that are printed alike are one line."""
    values: dict = {}
    printed: dict = {}
    for run in runs:
        value = of(run)
        if value:
            values.setdefault(printed.setdefault(si_bytes(value), value), []).append(run)
    if len(values) == 1 and len(next(iter(values.values()))) == len(runs):
        return [(value, "", own) for value, own in values.items()]
    titles = [{str(run.get("title") or run["cc"]): None for run in own} for own in values.values()]
    tell = sum(map(len, titles)) == len({title for some in titles for title in some})
    found = []
    for (value, own), some in zip(values.items(), titles):
        names = list(some) if tell else [Look.label(run).partition(f" {settled.MARK} ")[0] for run in own]
        found.append((value, f" ({', '.join(names)})" if sum(map(len, names)) < NAMES else f" ({counted(len(own), 'run')})", own))
    return found


def parameter(run: dict, name: str) -> bool:
    """Whether a run's algorithm has the parameter."""
    return isinstance(run.get("parameters"), dict) and name in run["parameters"]


def kmax_of(run: dict) -> Optional[float]:
    """Where every packet is marked, if the algorithm reacts to marks."""
    return get(run, "kmax_bytes") if parameter(run, "kmax") else None


def setpoint_of(run: dict) -> Optional[float]:
    """Qeq, the queue that QCN's congestion points aim at."""
    from ... import units
    return units.value_of(str(run["parameters"]["q_eq"])) if parameter(run, "q_eq") else None


# ------------------------------------------------------------------------------------------------ the figures

def wants_log(runs: list) -> bool:
    means = [get(r, "queue.mean_bytes") for r in runs]
    positive = [m for m in means if m]
    return bool(positive) and max(positive) > EMPTY and max(positive) / min(positive) > LOG_RATIO


def limits(ax, runs: list, look: Look, top: float, log: bool) -> float:
    """The lines that queues are compared with: those of the algorithms that are drawn, and of the network. Returns the new top."""
    for value, who, _ in shared(runs, fixed_point.queue_of):
        if value < top:
            reference(ax, value, f"fluid model {si_bytes(value)}{who}", MODEL)
    for name, colour, of in (("Kmax", INK, kmax_of), ("Qeq", "#009E73", setpoint_of)):
        for value, who, own in shared(runs, of):
            reference(ax, value, f"{name} {si_bytes(value)}{who}", look.colour[own[0]["cc"]] if len(own) == 1 < len(runs) else colour)
            top = max(top, value)
    for value, who, _ in shared(runs, lambda run: get(run, "pfc_limit_bytes")):
        if value < 3 * top or log:
            reference(ax, value, f"PFC limit {si_bytes(value)}{who}", PFC)
            top = max(top, value)
    return top


def draw_queue(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    series = panels_of(folder, runs, "queue.csv")
    if not series:
        return None
    sheet = Sheet()
    ax = sheet.axes[0]
    at = time_axis(ax, runs)
    log = wants_log(runs)
    floor = EMPTY if log else 0     # a logarithm has no zero: what is below the floor is not drawn
    top = 0.0
    for run, s in series:
        t, low, high = thin([s["time_s"], s["mean_bytes"], s["max_bytes"]], [last, mean, max])
        t = [at(x) for x in t]
        colour = look.colour[run["cc"]]
        ax.fill_between(t, [max(x, floor) for x in low], [max(x, floor) for x in high], color=colour, alpha=0.18, linewidth=0)
        ax.plot(t, [x if x >= floor else NOWHERE for x in low], color=colour, linestyle=look.style[run["cc"]],
                linewidth=look.width[run["cc"]], label=look.label(run))
        top = max(top, max(high))
    top = limits(ax, runs, look, top, log)
    top = max(top, published(ax, summary, at, ("queue.p99_bytes", "queue.mean_bytes")))
    if log:
        logarithmic(ax, floor, max(top, 10 * floor) * 6)
    else:
        ax.set_ylim(0, top * 1.12 or 1)
    numbers(ax.yaxis, si_bytes)
    shade_window(ax, runs, at)
    sheet.head(0, "Queue of the congested port", "line: mean, shade: up to the maximum"
               + (f"; log scale, from {si_bytes(EMPTY)} on" if log else ""))
    return save(sheet, folder, "queue.png", summary)


LEVEL_ROWS = 6      # in the height of a figure


def broken(name: str, letters: int = 16) -> str:
    """The name of a run on several lines: words, preset and parameters stay whole where they fit."""
    lines = [""]
    for part in re.findall(r"\+\w+=[^+\s]*\s*|[^\s:+]+(?:\+(?!\w+=))?:?\s*|\S\s*", name):
        if lines[-1] and len(lines[-1] + part.rstrip()) > letters:
            lines.append("")
        lines[-1] += part
    return "\n".join(piece for line in lines for piece in textwrap.wrap(line.strip(), letters, break_on_hyphens=False))


LEVELS = [("mean", "queue.mean_bytes", "o", 1.0), ("p95", "queue.p95_bytes", "d", 0.65), ("p99", "queue.p99_bytes", "s", 0.4)]


def draw_levels(folder: str, summary: dict, look: Look) -> Optional[str]:
    """The exact percentiles of the run, which the sampled series can only approximate: bars from 0, or, where only a logarithm shows
    all of them and a bar would begin nowhere, marks."""
    runs = summary["runs"]
    if not any(get(r, path) for r in runs for _, path, _, _ in LEVELS):
        return None
    units = -(-len(runs) // LEVEL_ROWS)
    sheet = Sheet(height=units * HEIGHT)
    ax = sheet.axes[0]
    log = wants_log(runs)
    values = [get(r, path) or 0 for r in runs for _, path, _, _ in LEVELS]
    floor = min([v for v in values if v > EMPTY] or [EMPTY]) / 2
    for row, run in enumerate(runs):
        for i, (name, path, marker, alpha) in enumerate(LEVELS):
            value = get(run, path)
            if value is None:
                continue
            y = row + (i - 1) * 0.29
            if log and value > floor:
                ax.plot([value], [y], marker, color=look.colour[run["cc"]], markersize=6)
            elif not log:
                ax.barh(y, value, height=0.26, color=look.colour[run["cc"]], alpha=alpha)
            ax.annotate(f"{name} {si_bytes(value)}", (max(value, floor if log else 0), y), xytext=(6, 0), textcoords="offset points",
                        va="center", fontsize=min(SMALL, 34 * units / len(runs) + 3))
    if log:
        ax.set_xscale("log")
        ax.set_xlim(floor / 1.3, max(values) * (max(values) / floor) ** 0.42)
    else:
        ax.set_xlim(0, max(values) * 1.42 or 1)
        ax.xaxis.set_major_locator(MaxNLocator(5))      # names of more run together
    ax.set_yticks(range(len(runs)))
    ax.set_yticklabels([name if len(name) < 18 else broken(name) for name in map(look.label, runs)])
    ax.set_ylim(len(runs) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    numbers(ax.xaxis, si_bytes)
    sheet.head(0, "Queue in the window of the averages", "mean, 95th and 99th percentile" + ("; log scale" if log else ""), legend=False)
    return save(sheet, folder, "queue_levels.png", summary)


def capacity_of(run: dict) -> Optional[float]:
    """What the network can carry between senders and receivers, in bit/s; None where it is not known."""
    return get(run, "answer.capacity_bps")


def draw_rate(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    series = panels_of(folder, runs, "rate.csv")
    if not series:
        return None
    sheet = Sheet()
    ax = sheet.axes[0]
    at = time_axis(ax, runs)
    top = 0.0
    for run, s in series:
        # fewer points than the queue: a rate over a very short interval is mostly the grain of single packets
        t, sent = thin([s["time_s"], s["sent_bps"]], [last, mean], 400)
        ax.plot([at(x) for x in t], sent, color=look.colour[run["cc"]], linestyle=look.style[run["cc"]],
                linewidth=look.width[run["cc"]], label=look.label(run))
        top = max(top, max(sent))
    for value, who, own in shared(runs, lambda run: None if traffic.changes(folder, run) else capacity_of(run)):
        bound = "at most " if any(run.get("answer", {}).get("capacity_at_most") for run in own) else ""
        reference(ax, value, f"capacity between senders and receivers, {bound}{si_rate(value)}{who}")
        top = max(top, value)
    top = max(top, published(ax, summary, at, ("send_utilization",), lambda run: capacity_of(run) or 0.0))
    ax.set_ylim(0, top * 1.12 or 1)
    numbers(ax.yaxis, si_rate)
    shade_window(ax, runs, at, note=False)
    sheet.head(0, "Total sending rate", "what all senders together put on the wire")
    return save(sheet, folder, "rate.png", summary)


def draw_shares(ax, run: dict, at: Callable) -> None:
    """The fair share in steps, as flows come and go."""
    steps = run["traffic"].shares if "traffic" in run else []
    if steps:
        end = traffic.span([run])[1]
        t, share = thin([[t for t, _ in steps], [share for _, share in steps]], [last, last])
        ax.plot([at(x) for x in [*t, end]], [*share, share[-1]], drawstyle="steps-post", color=INK, linewidth=1.0, linestyle=(0, (5, 3)),
                zorder=3)


def has_windows(folder: str, run: dict) -> bool:
    """Whether windows bound flows: as the series has it, or, without one, the algorithm."""
    found = read_series(folder, run, "windows.csv")
    return any(found.get("window_bytes", [])) if found else parameter(run, "window")


def flows_of(columns: dict, at: Callable, column: str = "rate_bps") -> dict:
    """{flow: [(time, value)]}"""
    flows: dict = {}
    for t, flow, value in zip(columns["time_s"], columns["flow"], columns[column]):
        flows.setdefault(int(flow), []).append((at(t), value or 0.0))
    return flows


def draw_flow_rates(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    panels = panels_of(folder, runs, "flow_rates.csv")
    if not panels:
        return None
    sheet = Sheet(len(panels))
    positive = [x for _, s in panels for x in s["rate_bps"] if x]
    fair = max(traffic.share_at_end(r) or 0 for r, _ in panels)
    paced = [traffic.sets_rates(r, [x for x in s["rate_bps"] if x]) for r, s in panels]
    windows = [has_windows(folder, r) for r, _ in panels]
    steps = [share for (r, _), paces in zip(panels, paced) if paces for _, share in (r["traffic"].shares if "traffic" in r else [])]
    # flows start at line rate and share a small part of it: with many flows only a logarithm shows both
    log = bool(positive) and max(positive) / (fair or min(positive)) > LOG_RATIO
    floor = min([*positive, *steps]) / 1.5 if log else 0     # below the smallest flow; a flow that sends nothing has no place
    all_flows: dict = {}
    for row, (run, s) in enumerate(panels):
        ax = sheet.axes[row]
        at = time_axis(ax, runs, label=row == len(panels) - 1)
        flows = flows_of(s, at)
        all_flows.update(flows)
        for colour, flow in zip(flow_colours(len(flows)), sorted(flows)):
            t, rate = thin([[p[0] for p in flows[flow]], [p[1] if p[1] >= floor else NOWHERE for p in flows[flow]]], [last, mean], 500)
            ax.plot(t, rate, linewidth=0.9, alpha=0.85, color=colour)
        paces = paced[row]
        share = traffic.share_at_end(run) if paces else None
        if paces:
            draw_shares(ax, run, at)
        if log:
            logarithmic(ax, floor, max(positive) * 1.6)
        else:
            ax.set_ylim(0, max([*positive, *steps, 1.0]) * 1.08)
        numbers(ax.yaxis, si_rate)
        shade_window(ax, runs, at, note=False)
        if row == 0:
            sheet.title("Rate of each flow")
            words = "the rate that congestion control sets; a window may allow less" if any(windows) \
                else "what congestion control allows"
            sheet.text(row, words + ("; dashed: the fair share" if steps else "") + ("; log scale" if log else ""), SMALL, colour=FAINT)
            sheet.legend(row, *flow_legend(sorted(all_flows if len(panels) == 1 else flows)))
        jain = get(run, "jain")
        sheet.text(row, f"{look.label(run)}: {len(flows)} of {counted(get(run, 'flows') or len(flows), 'flow')}"
                   + ("" if paces else ", all at line rate" + (" under a window" if windows[row] else ""))
                   + (f", fair share {si_rate(share)} in the end" if share else "") + (f", Jain {jain:.3f}" if jain is not None else ""),
                   SMALL, "bold", look.colour[run["cc"]])
    return save(sheet, folder, "flow_rates.png", summary)


# What the state word of a reaction point is, by algorithm: title, the unit in which it is drawn.
SIGNALS = {
    "hpcc": ("utilisation U", lambda v: f"{v / 1000:.3g}"),
    "powertcp": ("power Gamma", lambda v: f"{v / 1000:.3g}"),
    "theta-powertcp": ("power Gamma", lambda v: f"{v / 1000:.3g}"),
    "swift": ("target delay", lambda v: si_time(v / 1e9)),
    "nscc": ("average delay", lambda v: si_time(v / 1e9)),
}


def draw_windows(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Window and round-trip time of each flow, and what the algorithm measures, under one another for each run."""
    runs = summary["runs"]
    found = [(run, s) for run, s in panels_of(folder, runs, "windows.csv") if any(s["window_bytes"]) or any(s.get("rtt_s", []))]
    if not found:
        return None
    panels = []
    for run, s in found:
        if any(s["window_bytes"]):
            panels.append((run, s, "window_bytes", "congestion window", si_bytes))
        if any(s.get("rtt_s", [])):
            panels.append((run, s, "rtt_s", "round-trip time of the last acknowledgement", si_time))
        signal = SIGNALS.get(run.get("algorithm", run["cc"]).split(":")[0])
        if signal and any(s["signal"]):
            panels.append((run, s, "signal", *signal))
    sheet = Sheet(len(panels), sharey=False)
    for row, (run, s, column, title, show) in enumerate(panels):
        ax = sheet.axes[row]
        at = time_axis(ax, runs, label=row == len(panels) - 1)
        flows = flows_of(s, at, column)
        for colour, flow in zip(flow_colours(len(flows)), sorted(flows)):
            times, seen = [t for t, _ in flows[flow]], [v for _, v in flows[flow]]
            begun = next((i for i, v in enumerate(seen) if v), len(seen))     # 0 until then: there is none yet
            t, value = thin([times, [NOWHERE] * begun + seen[begun:]], [last, mean_known], 500)
            ax.plot(t, value, linewidth=0.9, alpha=0.85, color=colour)
        values = sorted(v for v in s[column] if v)
        # windows begin at the bandwidth-delay product, of which many flows keep a small part
        log = bool(values) and values[-1] / values[0] > LOG_RATIO
        if log:
            logarithmic(ax, values[0] / 1.5, values[-1] * 1.6)
        else:
            ax.set_ylim(0, (values[-1] if values else 1) * 1.08)
        numbers(ax.yaxis, show)
        shade_window(ax, runs, at, note=False)
        if row == 0:
            sheet.title("Window and round-trip time of each flow, and what its algorithm measures")
            sheet.legend(row, *flow_legend(sorted(flows)))
        sheet.text(row, f"{look.label(run)}: {title}" + (", log scale" if log else ""), SMALL, "bold", look.colour[run["cc"]])
    return save(sheet, folder, "windows.png", summary)


def flow_legend(flows: list) -> tuple:
    """Handles and labels: every flow if they are few, else the first, the middle and the last one of the scale."""
    colours = flow_colours(len(flows))
    shown = range(len(flows)) if len(flows) <= FLOW_LINES else (0, len(flows) // 2, len(flows) - 1)
    return [Line2D([], [], color=colours[i], linewidth=2) for i in shown], [f"flow {flows[i]}" for i in shown]


def draw_fct(folder: str, summary: dict, look: Look) -> Optional[str]:
    sheet = Sheet()
    ax = sheet.axes[0]
    ends = []
    for run in summary["runs"]:
        flows = read_series(folder, run, "flows.csv")
        messages = [x for x, size in zip(flows.get("fct_s", []), flows.get("size_bytes") or flows.get("fct_s", [])) if size != 0]
        fcts = sorted(x for x in messages if x is not None)
        if not fcts:
            continue
        total = len(messages)     # a flow of size 0 has no end
        # of all others, so that flows without an end show as a curve that stays below 1
        share = [(i + 1) / total for i in range(len(fcts))]
        ax.step([fcts[0]] + fcts, [0.0] + share, where="post", color=look.colour[run["cc"]],
                linestyle=look.style[run["cc"]], linewidth=look.width[run["cc"]],
                label=look.label(run) + ("" if len(fcts) == total else f" ({len(fcts)} of {total} ended)"))
        ends += [fcts[0], fcts[-1]]
    if not ends:
        return None
    log = min(ends) > 0 and max(ends) / min(ends) > LOG_RATIO
    if log:
        ax.set_xscale("log")
    else:
        ax.set_xlim(left=0)
    ax.set_xlabel("flow completion time" + (", log scale" if log else ""))
    numbers(ax.xaxis, si_time)
    ax.set_ylim(0, 1.03)
    sheet.head(0, "Flow completion times", "share of the flows that ended by then")
    return save(sheet, folder, "fct.png", summary)


def draw_slowdown(folder: str, summary: dict, look: Look) -> Optional[str]:
    """By decade of size, algorithms side by side: a bar from 1, as fast as alone, to the mean, marks at percentiles."""
    rows = [(r, r["slowdown"]["by_size"]) for r in summary["runs"]
            if isinstance(r.get("slowdown"), dict) and r["slowdown"].get("by_size")]
    if not rows:
        return None
    edges = sorted({(b["from_bytes"], b["to_bytes"]) for _, buckets in rows for b in buckets})
    sheet = Sheet()
    ax = sheet.axes[0]
    wide = 0.8 / len(rows)
    top = 1.0
    for i, (run, buckets) in enumerate(rows):
        x = [edges.index((b["from_bytes"], b["to_bytes"])) + (i - (len(rows) - 1) / 2) * wide for b in buckets]
        means, high = [b["mean_slowdown"] for b in buckets], [b["p99_slowdown"] for b in buckets]
        ax.bar(x, [max(m - 1, 0) for m in means], bottom=1, width=0.9 * wide, color=look.colour[run["cc"]], label=look.label(run))
        ax.hlines(high, [v - 0.45 * wide for v in x], [v + 0.45 * wide for v in x], color=look.colour[run["cc"]], linewidth=1.6)
        ax.vlines(x, means, high, color=look.colour[run["cc"]], linewidth=0.8)
        at = [(v, b["p95_slowdown"]) for v, b in zip(x, buckets) if "p95_slowdown" in b]
        ax.hlines([y for _, y in at], [v - 0.25 * wide for v, _ in at], [v + 0.25 * wide for v, _ in at], color=look.colour[run["cc"]],
                  linewidth=1.2)
        at = [(v, b["p50_slowdown"]) for v, b in zip(x, buckets) if "p50_slowdown" in b]
        if at:
            ax.plot(*zip(*at), linestyle="none", marker="o", markersize=min(5.0, 20 * wide), color=look.colour[run["cc"]],
                    markerfacecolor="white", markeredgewidth=1.0)
        top = max([top] + high)
    logarithmic(ax, 1, top * 1.5)
    ratios(ax.yaxis)
    ax.set_xticks(range(len(edges)))
    most = {e: max(b["count"] for _, buckets in rows for b in buckets if (b["from_bytes"], b["to_bytes"]) == e)
            for e in edges}
    ax.set_xticklabels([f"to {si_bytes(e[1])}\n{counted(most[e], 'flow')}" for e in edges],
                       fontsize=SMALL if len(edges) < 5 else NOTE)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("flow size")
    sheet.head(0, "Slowdown by flow size", "completion time / that of the flow alone; bar: mean; "
               "circle: median; short, long mark: 95th, 99th percentile; log scale")
    return save(sheet, folder, "slowdown.png", summary)
