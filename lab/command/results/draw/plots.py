# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Common parts of the figures of runs: axes, series with fewer points, reference lines, and panels below one another."""
from __future__ import annotations

import math
import os
from typing import Callable, NamedTuple, Optional

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .sheet import DASHES, FAINT, FLOW_LINES, INK, NOTE, SMALL, Sheet, flow_colours, looks, named, write
from ..judge import settled
from ..read import seeds, series as series_files
from ...common import RccError, counted, get, si_bytes

POINTS = 700        # more points than pixels only blur the picture
LOG_RATIO = 20      # values further apart than this need a logarithmic axis
SHADE = "#f3f3f3"
NAMES = 45          # letters of those that a limit belongs to
NEAR_ZERO = 0.05    # share of the end: an earlier first start is drawn from 0 on
NOWHERE = float("nan")
BELOW = "marks at the foot: less than the axis shows"
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
        return named(str(run.get("legend") or seeds.label(run)) + (" (partial)" if run.get("partial") else ""))

    def line(self, run: dict) -> dict:
        """Return the arguments of plot() for a run's line."""
        return {"color": self.colour[run["cc"]], "linestyle": self.style[run["cc"]], "linewidth": self.width[run["cc"]],
                "label": self.label(run)}


def read_series(folder: str, run: dict, name: str) -> dict:
    """Return a series of a run by columns; {} if the file is missing or has no rows."""
    try:
        columns = series_files.read(os.path.join(folder, run["cc"], name))
    except OSError:
        return {}
    return columns if any(columns.values()) else {}


def panels_of(folder: str, runs: list, name: str) -> list:
    """Return (run, series) of the runs that have this series."""
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
    """Return the mean of what there is, where NOWHERE stands for nothing."""
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else NOWHERE


def last(values: list) -> float:
    return values[-1]


def find_span(folder: str, run: dict) -> tuple:
    """Return the times of the first start and of the last end of a run's flows, s."""
    end = get(run, "sim_s") or 0.0
    try:
        flows = read_series(folder, run, "flows.csv")
    except RccError:
        return 0.0, end
    starts, fcts = [t for t in flows.get("start_s", []) if isinstance(t, float)], flows.get("fct_s", [])
    if not starts:
        return 0.0, end
    if all(isinstance(fct, float) for fct in fcts) and len(fcts) == len(starts):
        end = min(end or math.inf, max(start + fct for start, fct in zip(starts, fcts)))
    return 0.0 if min(starts) < NEAR_ZERO * end else min(starts), max(end, *starts)


# ------------------------------------------------------------------------------------------------ axes

def time_axis(ax, runs: list, label: bool = True) -> Callable[[float], float]:
    """Choose s, ms or us for the time axis, which shows the traffic, from its first start to its last end; returns the conversion from
    seconds. Times that begin late are counted from a round time before."""
    spans = [run["span"] for run in runs if "span" in run and run["span"][1] > run["span"][0]] or \
        [(0.0, max([get(run, "sim_s") or 0 for run in runs] + [1e-9]))]
    begin, end = min(one[0] for one in spans), max(one[1] for one in spans)
    long = end - begin
    factor, unit = next((f, u) for f, u in TIMES if long * f >= 1 or u == "ns")
    if unit == "s" and long < 2:
        factor, unit = 1e3, "ms"
    step = 10.0 ** math.ceil(math.log10(10 * long) - 1e-9)
    base = float(f"{math.floor(begin / step + 1e-6) * step:.12g}")
    ax.set_xlim(round((begin - base) * factor, 6), round((end - base) * factor, 6))     # the last tick may be out otherwise
    if begin > long:
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))      # names of more run together
    if label:
        of = next((f"{base * f:.12g} {u}" for f, u in TIMES if base * f >= 1), "")
        ax.set_xlabel(f"simulated time{' after ' if of else ''}{of} ({unit})")
    return lambda t: (t - base) * factor


def shade_window(ax, runs: list, at: Callable[[float], float], note: bool = False) -> None:
    """Shade what the averages cover, where all runs agree on it."""
    windows = {tuple(r["window_s"]) for r in runs if isinstance(r.get("window_s"), list) and len(r["window_s"]) == 2}
    if len(windows) == 1:
        begin, end = windows.pop()
        ax.axvspan(at(begin), at(end), color=SHADE, zorder=0, linewidth=0)
        if note:
            ax.annotate("window of the averages", (max(at(begin), ax.get_xlim()[0]), 1), xycoords=("data", "axes fraction"), xytext=(3, -3),
                        textcoords="offset points", fontsize=NOTE, color=FAINT, va="top", zorder=3.5,     # above limits
                        bbox={"facecolor": SHADE, "edgecolor": "none", "pad": 0.5})


def numbers(axis, show: Callable) -> None:
    """Give an axis ticks as people write numbers."""
    axis.set_major_formatter(FuncFormatter(lambda v, _: show(v) if v else "0"))
    axis.set_minor_formatter(NullFormatter())   # the one of a logarithm writes in TeX


def ratios(axis) -> None:
    """Give a logarithmic axis ticks of ratios."""
    numbers(axis, lambda v: f"{v:.6g}")
    low, high = axis.axes.get_ylim()
    axis.set_major_locator(LogLocator(10, (1, 2, 5) if high < 100 * low else (1,)))


def scale(ax, low: float, high: float, log: bool) -> None:
    """Give a y axis its ends."""
    if log:
        ax.set_yscale("log")
    ax.set_ylim(low, high)


def footnote(summary: dict) -> str:
    run = summary["runs"][0]
    words = f"{summary.get('command', '')} | rcc {summary.get('rcc_version')}, ns-3 {run.get('ns3_version')}"
    return "PARTIAL RESULT, stopped early | " + words if summary.get("partial") else words


def save(sheet: Sheet, folder: str, name: str, summary: dict) -> str:
    sheet.finish(footnote(summary))
    return write(sheet.figure, folder, name)


def mark_below(ax, times: list, values: list, floor: float, colour: object, row: int = 0) -> bool:
    """Mark at the foot of a logarithmic axis where values are below its begin, in a row for each run. Return whether any is."""
    there = [t for t, value in zip(times, values) if value < floor]
    if there:
        ax.scatter(there, [0.015 + 0.025 * row] * len(there), s=5, marker="v", linewidth=0, color=[colour], zorder=2,
                   transform=ax.get_xaxis_transform())
    return bool(there)


def reference(ax, value: Optional[float], text: str = "", colour: str = INK) -> None:
    """Draw a dashed horizontal line, named in the legend: a name beside the line would hide data."""
    if value:
        ax.axhline(value, color=colour, linewidth=1.0, linestyle=DASHES, zorder=3, label=text or None)


def shared(runs: list, value_of: Callable) -> list:
    """Return (value, names, runs) of a limit: once, without names, if all runs have the same, or once for each value with the algorithms
    that have it. Values that are printed with the same digits are one line."""
    values: dict = {}
    for run in runs:
        if value_of(run):
            values.setdefault(si_bytes(value_of(run)), []).append(run)
    found = []
    for own in values.values():
        names = ", ".join(dict.fromkeys(Look.label(run).partition(f" {settled.MARK} ")[0] for run in own))
        told = names if len(names) < NAMES else counted(len(own), "run")
        found.append((value_of(own[0]), "" if len(own) == len(runs) else f" ({told})", own))
    return found


# ------------------------------------------------------------------------------------------------ panels

class Line(NamedTuple):
    points: list            # (time in s, value)
    colour: object
    label: str = ""
    style: object = "-"
    merge: Callable = mean  # neighbours by this function
    steps: bool = False
    width: float = 1.0


class Panel(NamedTuple):
    run: dict
    head: str
    lines: list
    show: Callable          # how the y axis writes numbers
    log: bool = False
    floor: float = 0.0      # lower end of the y axis; a line below it is not drawn, but marked


def draw_panels(folder: str, name: str, summary: dict, look: Look, panels: list, title: str, unit: str = "", legend: tuple = (),
                sharey: bool = True) -> Optional[str]:
    """Draw panels over time below one another. `legend`: handles and labels above the first one; without them, each has its own."""
    if not panels:
        return None
    sheet = Sheet(len(panels), sharey=sharey)
    below = False
    tops = [max([v for line in panel.lines for _, v in line.points if v == v] or [0.0]) for panel in panels]
    for row, (ax, panel) in enumerate(zip(sheet.axes, panels)):
        at = time_axis(ax, summary["runs"], label=row == len(panels) - 1)
        for line in panel.lines:
            times = [at(t) for t, _ in line.points]
            t, value = thin([times, [v if v >= panel.floor else NOWHERE for _, v in line.points]], [last, line.merge], 500)
            ax.plot(t, value, linewidth=line.width, color=line.colour, linestyle=line.style, zorder=1.5 + line.width / 2,
                    label=named(line.label) if line.label else None, drawstyle="steps-post" if line.steps else "default")
            if panel.log:
                t, most = thin([times, [v for _, v in line.points]], [last, max], 500)
                below |= mark_below(ax, t, most, panel.floor, line.colour)
        top = (max(tops) if sharey else tops[row]) or 1.0
        scale(ax, panel.floor if panel.log else 0, top * (1.6 if panel.log else 1.1), panel.log)
        numbers(ax.yaxis, panel.show)
        shade_window(ax, [panel.run], at)
    sheet.head(0, title, "; ".join(filter(None, (unit, BELOW if below else ""))), legend=False)
    if legend:
        sheet.legend(0, *legend)
    for row, panel in enumerate(panels):
        sheet.text(row, panel.head, SMALL, "bold", look.colour[panel.run["cc"]])
        if not legend:
            sheet.legend(row)
    return save(sheet, folder, name, summary)


def flow_legend(flows: list) -> tuple:
    """Return handles and labels: every flow if they are few, else the first, the middle and the last one of the scale."""
    colours = flow_colours(len(flows))
    shown = range(len(flows)) if len(flows) <= FLOW_LINES else (0, len(flows) // 2, len(flows) - 1)
    return [Line2D([], [], color=colours[i], linewidth=2) for i in shown], [f"flow {flows[i]}" for i in shown]
