# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The plots that figures share. They get an axes and draw; what makes it is none of their business.

What was published is always black: a dashed line, a grey band or hollow diamonds. What was measured has colours.
"""
from __future__ import annotations

import statistics
from typing import Callable, Optional

from .figure import Data, smooth

# as in the plots of ./rcc run, for the same algorithm
COLOURS = {"dcqcn": "#D55E00", "dcqcn-plus": "#0072B2", "qcn": "#009E73", "timely": "#CC79A7",
           "timely-patched": "#E69F00", "dcqcn-plus-share": "#882255",
           "none": "#777777", "cx4": "#8C6D31", "other": "#56B4E9", "fluid": "#6A51A3"}
SHADES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#6A51A3"]
INK = "#222222"


def published_line(ax, y: float, label: str) -> None:
    ax.axhline(y, color=INK, linewidth=1.1, linestyle=(0, (5, 3)), zorder=4, label=f"published: {label}")


def published_range(ax, low: float, high: float, label: str, vertical: bool = False) -> None:
    span = ax.axvspan if vertical else ax.axhspan
    span(low, high, color=INK, alpha=0.12, linewidth=0, zorder=0, label=f"published: {label}")


def published_points(ax, xs: list, ys: list, label: str) -> None:
    ax.plot(xs, ys, linestyle="none", marker="D", markersize=7, markerfacecolor="none", markeredgecolor=INK,
            markeredgewidth=1.3, zorder=5, label=f"published: {label}")


def allowed_line(ax, y: float, label: str) -> None:
    """The edge of a row's band."""
    ax.axhline(y, color=INK, linewidth=1.0, linestyle=":", zorder=4, label=f"allowed: {label}")


def judged_range(ax, values: list, scale: float, window: tuple, label: str) -> None:
    """The number that a row judges, one per seed, over the window that it is of. `window`: ends on the x axis."""
    low, high = min(values) / scale, max(values) / scale
    ax.fill_between(window, [low, low], [max(high, low * 1.02)] * 2, color=COLOURS["fluid"], alpha=0.45, linewidth=0, zorder=3)
    ax.hlines(statistics.fmean(values) / scale, *window, color=COLOURS["fluid"], linewidth=2.2, zorder=4, label=f"judged: {label}")


def sweep(ax, data: Data, lines: list, value: Callable, ylabel: str, xlabel: str = "flows", log: bool = True,
          logy: bool = False) -> None:
    """lines: (label, colour, [(x, run key)]); value(data, key) -> one number per seed. The bar is the seeds' spread."""
    for label, colour, points in lines:
        xs = [x for x, _ in points]
        values = [value(data, key) for _, key in points]
        middle = [statistics.fmean(v) for v in values]
        ax.plot(xs, middle, marker="o", markersize=4, color=colour, label=label)
        if any(len(v) > 1 for v in values):
            ax.vlines(xs, [min(v) for v in values], [max(v) for v in values], color=colour, linewidth=3, alpha=0.3)
    if log:
        ax.set_xscale("log")
        ticks = sorted({x for _, _, points in lines for x, _ in points})
        ax.set_xticks(ticks)
        ax.set_xticklabels([f"{t:g}" for t in ticks], fontsize=7.5)
        ax.minorticks_off()
    if logy:
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)


def timeline(ax, data: Data, lines: list, name: str, column: str, scale: float, ylabel: str, width: float = 0.0,
             end: Optional[float] = None, milliseconds: bool = True) -> None:
    """lines: (label, colour, key). A CSV column over time, averaged over `width` seconds; scale: units per y unit."""
    for label, colour, key in lines:
        s = data.series(key, name)
        t, y = s["time_s"], s[column]
        if width:
            t, y = smooth(t, y, width)
        if end:
            cut = sum(1 for x in t if x <= end * (1 + 1e-9))
            t, y = t[:cut], y[:cut]
        factor = 1e3 if milliseconds else 1
        ax.plot([x * factor for x in t], [v / scale for v in y], color=colour, linewidth=1.1, label=label)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("simulated time (ms)" if milliseconds else "simulated time (s)")
    ax.set_ylabel(ylabel)


def flow_timeline(ax, data: Data, key: str, name: str, column: str, scale: float, ylabel: str, names: Optional[dict] = None,
                  width: float = 0.0) -> None:
    """One line per flow."""
    s = data.series(key, name)
    flows: dict = {}
    for t, flow, v in zip(s["time_s"], s["flow"], s[column]):
        flows.setdefault(int(flow), ([], []))
        flows[int(flow)][0].append(t)
        flows[int(flow)][1].append(v)
    for i, flow in enumerate(sorted(flows)):
        t, y = flows[flow]
        if width:
            t, y = smooth(t, y, width)
        ax.plot([x * 1e3 for x in t], [(v or 0) / scale for v in y], linewidth=1.1, color=SHADES[i % len(SHADES)],
                label=(names or {}).get(flow, f"flow {flow}"))
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("simulated time (ms)")
    ax.set_ylabel(ylabel)


def fct_cdf(ax, data: Data, lines: list, log: bool = False, scale: float = 1e3, unit: str = "ms") -> None:
    """lines: (label, colour, key): the flow completion times of all seeds."""
    for label, colour, key in lines:
        times = sorted(v * scale for seed in data.figure.runs[key].seeds
                       for v in data.series(key, "flows.csv", seed)["fct_s"] if v is not None)
        share = [(i + 1) / len(times) for i in range(len(times))]
        ax.step([times[0]] + times, [0] + share, where="post", color=colour, label=label)
    if log:
        ax.set_xscale("log")
    ax.set_ylim(0, 1.02)
    ax.set_xlabel(f"flow completion time ({unit})" + (", log scale" if log else ""))
    ax.set_ylabel("share of the flows")


def bars(ax, labels: list, measured: list, published: list, ylabel: str, low: Optional[list] = None,
         high: Optional[list] = None, log: bool = False) -> None:
    """Measured bars, published diamonds beside them; None where nothing was published."""
    ax.bar(range(len(labels)), measured, width=0.55, color="#0072B2", label="measured")
    if low and high:
        ax.vlines(range(len(labels)), low, high, color=INK, linewidth=1.2, label="spread over the seeds")
    marks = [(i, p) for i, p in enumerate(published) if p is not None]
    if marks:
        published_points(ax, [i for i, _ in marks], [p for _, p in marks], "value")
    ax.set_xticks(range(len(labels)))
    ax.set_xticklabels(labels, fontsize=8)
    ax.grid(axis="x", visible=False)
    if log:
        ax.set_yscale("log")
    ax.set_ylabel(ylabel)
