# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The figures that any scenario may have, and what all figures of runs share. Imported only where matplotlib is."""
from __future__ import annotations

import os
import textwrap
from typing import Callable, Optional

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend has to be chosen before)
from matplotlib.ticker import FuncFormatter  # noqa: E402

from ..models import fixed_point  # noqa: E402
from ..common import atomic_write, get, si_bytes, si_rate, si_time  # noqa: E402
from . import series as series_files  # noqa: E402


# Okabe and Ito's colours, told apart with any colour vision. Fixed per algorithm, so that figures of different runs
# can be laid side by side; line styles differ too, for print in black and white.
COLOURS = {"dcqcn": "#D55E00", "dcqcn-plus": "#0072B2", "qcn": "#009E73", "timely": "#CC79A7",
           "timely-patched": "#E69F00", "dcqcn-plus-share": "#882255"}
SPARE = ["#56B4E9", "#000000", "#8C6D31", "#6A51A3"]
STYLES = ["-", "-", "-", "--", "-.", ":"]
INK, FAINT = "#222222", "#777777"
DPI = 200
POINTS = 700        # more points than pixels only blur the picture
LEGEND_COLUMNS = 5
LOG_RATIO = 20      # mean queues further apart than this need a logarithmic axis
WIDTH = 6.2         # inches; narrow, so that the letters stay readable when a phone shrinks the picture


class Look:
    """Colour and name of each run."""

    def __init__(self, runs: list):
        spare = iter(SPARE * 8)
        own = dict(zip(reversed([r.get("algorithm", r["cc"]) for r in runs]), reversed([r["cc"] for r in runs])))
        first = {place: name for name, place in own.items()}  # of several runs of one algorithm the first has its colour
        self.colour = {r["cc"]: COLOURS.get(first.get(r["cc"], "")) or next(spare) for r in runs}
        # earlier lines are wider: where curves coincide, the one below still shows
        self.width = {r["cc"]: 1.1 + 0.4 * (len(runs) - 1 - i) for i, r in enumerate(runs)}
        self.style = {r["cc"]: STYLES[0 if first.get(r["cc"], "") in COLOURS else 3] for r in runs}

    @staticmethod
    def label(run: dict) -> str:
        return str(run.get("legend") or run.get("title") or run["cc"]) + (" (partial)" if run.get("partial") else "")


def read_series(folder: str, run: dict, name: str) -> dict:
    """A series of a run by columns; {} if the file is missing or has no rows."""
    try:
        columns = series_files.read(os.path.join(folder, run["cc"], name))
    except OSError:
        return {}
    return columns if any(columns.values()) else {}


def thin(columns: list, how: list, points: int = POINTS) -> list:
    """Merge neighbours until at most `points` remain; each column by its own function (mean of means, max of maxima)."""
    count = len(columns[0])
    if count <= points:
        return columns
    edges = [i * count // points for i in range(points + 1)]
    return [[f(column[a:b]) for a, b in zip(edges, edges[1:])] for column, f in zip(columns, how)]


def mean(values: list) -> float:
    return sum(values) / len(values)


def last(values: list) -> float:
    return values[-1]


# ------------------------------------------------------------------------------------------------ frame of a figure

def set_style() -> None:
    plt.rcParams.update({
        "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
        "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9.5,
        "axes.edgecolor": "#999999", "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4",
        "grid.linewidth": 0.7, "axes.axisbelow": True, "axes.titlesize": 11, "axes.titleweight": "bold",
        "axes.titlelocation": "left", "axes.titlepad": 10, "lines.linewidth": 1.4, "legend.frameon": False,
    })


def time_axis(ax, runs: list, label: bool = True) -> Callable[[float], float]:
    """Choose s, ms or us for the time axis; returns the conversion from seconds."""
    end = max([get(r, "sim_s") or 0 for r in runs] + [1e-9])
    factor, unit = next((f, u) for f, u in ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")) if end * f >= 1 or u == "ns")
    if unit == "s" and end < 2:
        factor, unit = 1e3, "ms"
    ax.set_xlim(0, end * factor)
    if label:
        ax.set_xlabel(f"simulated time ({unit})")
    return lambda t: t * factor


def shade_window(ax, runs: list, at: Callable[[float], float], note: bool = True) -> None:
    """What the averages cover; only where all runs agree on it."""
    windows = {tuple(r["window_s"]) for r in runs if isinstance(r.get("window_s"), list) and len(r["window_s"]) == 2}
    if len(windows) == 1:
        begin, end = windows.pop()
        ax.axvspan(at(begin), at(end), color="#f3f3f3", zorder=0, linewidth=0)
        if note:
            ax.annotate("window of the averages", (at(begin), 1), xycoords=("data", "axes fraction"), xytext=(3, -3),
                        textcoords="offset points", fontsize=7, color=FAINT, va="top")


def head(ax, text: str) -> None:
    """The title and, under it and above the axes, the legend, where it hides nothing."""
    handles, labels = ax.get_legend_handles_labels()
    rows = 0
    if handles:
        columns = min(len(handles), LEGEND_COLUMNS)
        rows = -(-len(handles) // columns)
        ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=columns, borderaxespad=0.2,
                  handlelength=1.6, columnspacing=1.2, handletextpad=0.5, fontsize=8.5)
    ax.set_title(text, pad=10 + 15 * rows)


def footer(figure, summary: dict) -> None:
    run = summary["runs"][0]
    words = f"{summary.get('command', '')}  ·  rcc {summary.get('rcc_version')}, ns-3 {run.get('ns3_version')}"
    if summary.get("partial"):
        words = "PARTIAL RESULT, stopped early  ·  " + words
    figure.text(0.01, 0.005, "\n".join(textwrap.wrap(words, 130)[:2]), fontsize=6, color=FAINT, ha="left", va="bottom")


def save(figure, folder: str, name: str, summary: dict) -> str:
    footer(figure, summary)
    figure.tight_layout(rect=(0, 0.035, 1, 1))
    return write(figure, folder, name)


def write(figure, folder: str, name: str) -> str:
    with atomic_write(os.path.join(folder, name), "wb") as f:
        # no Software field: the same results give the same bytes
        figure.savefig(f, format="png", dpi=DPI, metadata={"Software": None})
    plt.close(figure)
    return name


def reference(ax, value: Optional[float], text: str = "", colour: str = INK) -> None:
    """A dashed horizontal line, named in the legend: a name beside the line would hide data."""
    if value:
        ax.axhline(value, color=colour, linewidth=1.0, linestyle=(0, (5, 3)), zorder=3, label=text or None)


def shared(runs: list, key: str) -> list:
    """(value, names) of a limit: once if all runs agree, else once for each value."""
    values: dict = {}
    for run in runs:
        value = get(run, key)
        if value:
            values.setdefault(value, []).append(Look.label(run))
    return [(v, "" if len(values) == 1 else f" ({', '.join(n)})") for v, n in values.items()]


# ------------------------------------------------------------------------------------------------ the figures

def wants_log(runs: list) -> bool:
    means = [get(r, "queue.mean_bytes") for r in runs]
    positive = [m for m in means if m]
    return bool(positive) and max(positive) / min(positive) > LOG_RATIO


def draw_queue(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    series = [(r, read_series(folder, r, "queue.csv")) for r in runs]
    series = [(r, s) for r, s in series if s]
    if not series:
        return None
    figure, ax = plt.subplots(figsize=(WIDTH, 4.1))
    at = time_axis(ax, runs)
    log = wants_log(runs)
    # a logarithm has no zero: what is below the floor is drawn on the axis
    floor = max(100.0, min(np.quantile([x for x in s["mean_bytes"] if x] or [1e3], 0.1) for _, s in series) / 4) if log else 0
    top = 0.0
    for run, s in series:
        t, low, high = thin([s["time_s"], s["mean_bytes"], s["max_bytes"]], [last, mean, max])
        t = [at(x) for x in t]
        colour = look.colour[run["cc"]]
        ax.fill_between(t, [max(x, floor) for x in low], [max(x, floor) for x in high], color=colour, alpha=0.18,
                        linewidth=0)
        ax.plot(t, [max(x, floor) for x in low], color=colour, linestyle=look.style[run["cc"]],
                linewidth=look.width[run["cc"]], label=look.label(run))
        top = max(top, max(high))
    for run in runs:
        value = fixed_point.queue_of(run)
        if value and value < top:
            reference(ax, value, f"fluid model {si_bytes(value)}", "#6A51A3")
    for value, who in shared(runs, "kmax_bytes"):
        reference(ax, value, f"Kmax {si_bytes(value)}{who}")
        top = max(top, value)
    for value, who in shared(runs, "pfc_limit_bytes"):
        if value < 3 * top or log:
            reference(ax, value, f"PFC limit {si_bytes(value)}{who}", "#AA3377")
            top = max(top, value)
    if log:
        ax.set_yscale("log")
        ax.set_ylim(floor, top * 2.5)
    else:
        ax.set_ylim(0, top * 1.12 or 1)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: si_bytes(v) if v else "0"))
    ax.set_ylabel("queue of the congested port (bytes)" + (", log scale" if log else ""))
    shade_window(ax, runs, at)
    head(ax, "Queue over time (line: mean, shade: up to the maximum)")
    return save(figure, folder, "queue.png", summary)


def draw_levels(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Bars of the exact percentiles of the run, which the sampled series can only approximate."""
    runs = summary["runs"]
    keys = [("mean", "queue.mean_bytes"), ("p95", "queue.p95_bytes"), ("p99", "queue.p99_bytes")]
    if not any(get(r, path) for r in runs for _, path in keys):
        return None
    figure, ax = plt.subplots(figsize=(WIDTH, 1.5 + 0.62 * len(runs)))
    log = wants_log(runs)
    values = [get(r, path) or 0 for r in runs for _, path in keys]
    floor = min(v for v in values if v) / 3 if log else 0
    for row, run in enumerate(runs):
        for i, (name, path) in enumerate(keys):
            value = get(run, path)
            if value is None:
                continue
            y = row + (i - 1) * 0.27
            ax.barh(y, max(value, floor) - floor, left=floor, height=0.24, color=look.colour[run["cc"]],
                    alpha=(1.0, 0.65, 0.4)[i])
            ax.annotate(f"{name} {si_bytes(value)}", (max(value, floor), y), xytext=(4, 0), textcoords="offset points",
                        va="center", fontsize=8)
    if log:
        ax.set_xscale("log")
        ax.set_xlim(floor, max(values) * 4)
    else:
        ax.set_xlim(0, max(values) * 1.2)
    ax.set_yticks(range(len(runs)))
    ax.set_yticklabels([look.label(r) for r in runs])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda v, _: si_bytes(v) if v else "0"))
    ax.set_xlabel("queue of the congested port (bytes)" + (", log scale" if log else ""))
    head(ax, "Queue in the window of the averages")
    return save(figure, folder, "queue_levels.png", summary)


def draw_rate(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    series = [(r, read_series(folder, r, "rate.csv")) for r in runs]
    series = [(r, s) for r, s in series if s]
    if not series:
        return None
    figure, ax = plt.subplots(figsize=(WIDTH, 3.6))
    at = time_axis(ax, runs)
    top = 0.0
    for run, s in series:
        # fewer points than the queue: a rate over a very short interval is mostly the grain of single packets
        t, sent = thin([s["time_s"], s["sent_bps"]], [last, mean], 400)
        ax.plot([at(x) for x in t], [x / 1e9 for x in sent], color=look.colour[run["cc"]],
                linestyle=look.style[run["cc"]],
                linewidth=look.width[run["cc"]], label=look.label(run))
        top = max(top, max(sent))
    for value, _ in shared(runs, "rate_bps"):
        reference(ax, value / 1e9, f"line rate of the receiver, {si_rate(value)}")
        top = max(top, value)
    ax.set_ylim(0, top / 1e9 * 1.12)
    ax.set_ylabel("sent by all senders (Gb/s)")
    shade_window(ax, runs, at, note=False)
    head(ax, "Total sending rate")
    return save(figure, folder, "rate.png", summary)


def draw_flow_rates(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs = summary["runs"]
    panels = [(r, read_series(folder, r, "flow_rates.csv")) for r in runs]
    panels = [(r, s) for r, s in panels if s]
    if not panels:
        return None
    figure, axes = plt.subplots(len(panels), 1, figsize=(WIDTH, 0.9 + 2.0 * len(panels)), sharex=True, sharey=True,
                                squeeze=False)
    positive = [x for _, s in panels for x in s["rate_bps"] if x]
    fair = max([(get(r, "rate_bps") or 0) / (get(r, "flows") or 1) for r, _ in panels])
    # flows start at line rate and share a small part of it: with many flows only a logarithm shows both
    log = bool(positive) and fair > 0 and max(positive) / fair > LOG_RATIO
    floor = max(min(fair / 10, np.quantile(positive, 0.01)), fair / 1000) if log else 0
    colours = plt.get_cmap("viridis")
    for row, (run, s) in enumerate(panels):
        ax = axes[row][0]
        at = time_axis(ax, runs, label=row == len(panels) - 1)
        flows: dict = {}
        for t, flow, rate in zip(s["time_s"], s["flow"], s["rate_bps"]):
            flows.setdefault(int(flow), []).append((at(t), max(rate, floor)))
        for i, points in enumerate(flows[k] for k in sorted(flows)):
            t, rate = thin([[p[0] for p in points], [p[1] for p in points]], [last, mean], 500)
            ax.plot(t, rate, linewidth=0.8, alpha=0.8, color=colours(0.9 * i / max(1, len(flows) - 1)))
        share = (get(run, "rate_bps") or 0) / (get(run, "flows") or 1)
        reference(ax, share)
        if log:
            ax.set_yscale("log")
            ax.set_ylim(bottom=floor)
        else:
            ax.set_ylim(bottom=0)
        jain = get(run, "jain")
        ax.set_title(f"{look.label(run)}: {len(flows)} of {int(get(run, 'flows') or len(flows))} flows"
                     + (f", Jain {jain:.3f}" if jain is not None else ""), fontsize=9, pad=5,
                     color=look.colour[run["cc"]])
        # beside the title: on the line itself it would hide the flows
        ax.set_title(f"dashed: line rate / flows, {si_rate(share)}" if share else "", loc="right", fontsize=7.5, pad=5,
                     fontweight="normal")
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: si_rate(v) if v else "0"))
        shade_window(ax, runs, at, note=False)
    figure.supylabel("rate allowed to each flow (bit/s)" + (", log scale" if log else ""), fontsize=9.5, color=INK, x=0.015,
                     y=0.54)
    return save(figure, folder, "flow_rates.png", summary)


def draw_fct(folder: str, summary: dict, look: Look) -> Optional[str]:
    figure, ax = plt.subplots(figsize=(WIDTH, 3.6))
    ends = []
    for run in summary["runs"]:
        flows = read_series(folder, run, "flows.csv")
        fcts = sorted(x for x in flows.get("fct_s", []) if x is not None)
        if not fcts:
            continue
        total = len(flows["fct_s"])
        # of all flows, so that flows without an end show as a curve that stays below 1
        share = [(i + 1) / total for i in range(len(fcts))]
        ax.step([fcts[0]] + fcts, [0.0] + share, where="post", color=look.colour[run["cc"]],
                linestyle=look.style[run["cc"]], linewidth=look.width[run["cc"]],
                label=look.label(run) + ("" if len(fcts) == total else f" ({len(fcts)} of {total} ended)"))
        ends += [fcts[0], fcts[-1]]
    if not ends:
        plt.close(figure)
        return None
    if min(ends) > 0 and max(ends) / min(ends) > LOG_RATIO:
        ax.set_xscale("log")
        ax.set_xlabel("flow completion time, log scale")
    else:
        ax.set_xlim(left=0)
        ax.set_xlabel("flow completion time")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda v, _: si_time(v) if v else "0"))
    ax.set_ylim(0, 1.03)
    ax.set_ylabel("share of flows that ended by then")
    head(ax, "Flow completion times")
    return save(figure, folder, "fct.png", summary)


def draw_slowdown(folder: str, summary: dict, look: Look) -> Optional[str]:
    """By decade of size, algorithms side by side: a bar to the mean, a mark at the 99th percentile."""
    rows = [(r, r["slowdown"]["by_size"]) for r in summary["runs"]
            if isinstance(r.get("slowdown"), dict) and r["slowdown"].get("by_size")]
    if not rows:
        return None
    edges = sorted({(b["from_bytes"], b["to_bytes"]) for _, buckets in rows for b in buckets})
    figure, ax = plt.subplots(figsize=(WIDTH, 3.8))
    wide = 0.8 / len(rows)
    top = 1.0
    for i, (run, buckets) in enumerate(rows):
        x = [edges.index((b["from_bytes"], b["to_bytes"])) + (i - (len(rows) - 1) / 2) * wide for b in buckets]
        ax.bar(x, [b["mean_slowdown"] for b in buckets], width=0.9 * wide, color=look.colour[run["cc"]],
               label=look.label(run))
        high = [b["p99_slowdown"] for b in buckets]
        ax.plot(x, high, linestyle="none", marker="_", markersize=0.9 * wide * 40, markeredgewidth=1.6,
                color=look.colour[run["cc"]])
        ax.vlines(x, [b["mean_slowdown"] for b in buckets], high, color=look.colour[run["cc"]], linewidth=0.8)
        top = max([top] + high)
    ax.set_yscale("log")
    ax.set_ylim(1, top * 1.5)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    ax.set_ylabel("completion time / alone, log scale")
    ax.set_xticks(range(len(edges)))
    most = {e: max(b["count"] for _, buckets in rows for b in buckets if (b["from_bytes"], b["to_bytes"]) == e)
            for e in edges}
    ax.set_xticklabels([f"to {si_bytes(e[1])}\n{most[e]} flows" for e in edges], fontsize=8)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("flow size")
    head(ax, "Slowdown by flow size (bar: mean, mark: 99th percentile)")
    return save(figure, folder, "slowdown.png", summary)
