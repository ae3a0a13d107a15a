# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Figures of what the programs testbed and collective write: goodput of groups of flows, duration of steps."""
from __future__ import annotations

from typing import Optional

from matplotlib.ticker import MaxNLocator

from . import plots
from .plots import panels_of
from .sheet import FAINT, INK, SMALL, Sheet, flow_colours, named
from ...common import si_rate, si_time

LINES = 8   # more groups are drawn as bars: nobody can follow so many lines


def lines_of(columns: dict, key: str, value: str) -> dict:
    """{name: [(time, value)]} of a table in long form; rows of one name and time are added, as a pair of hosts may have several groups."""
    sums: dict = {}
    for t, name, v in zip(columns["time_s"], columns[key], columns[value]):
        line = sums.setdefault(name, {})
        line[t] = line.get(t, 0.0) + (v or 0.0)
    return {name: list(line.items()) for name, line in sums.items()}


def window_means(lines: dict, window) -> list:
    """(mean over the window, name) of each line, the smallest first."""
    begin, end = window if isinstance(window, list) and len(window) == 2 else (0, float("inf"))
    found = []
    for name, points in lines.items():
        inside = [v for t, v in points if begin < t <= end] or [v for _, v in points]
        found.append((plots.mean(inside), name))
    return sorted(found)


def draw_lines(ax, run: dict, lines: dict, at) -> float:
    """Goodput over time, a line for each group. Returns the largest value."""
    top = 0.0
    for colour, (name, points) in zip(flow_colours(len(lines)), lines.items()):
        t, value = plots.thin([[at(p[0]) for p in points], [p[1] for p in points]], [plots.last, plots.mean], 300)
        ax.plot(t, value, linewidth=1.2, color=colour, label=named(name))
        top = max(top, *value)
    plots.shade_window(ax, [run], at, note=False)
    return top


def draw_bars(ax, run: dict, lines: dict, colour: str) -> float:
    """Mean goodput of each group, sorted. Returns the largest value."""
    values = [value for value, _ in window_means(lines, run.get("window_s"))]
    ax.bar(range(1, len(values) + 1), values, width=0.8, color=colour)
    ax.set_xlim(0.4, len(values) + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.axhline(plots.mean(values), color=INK, linewidth=1.0, linestyle=(0, (5, 3)), label=f"mean {si_rate(plots.mean(values))}")
    return max(values)


def draw_groups(folder: str, summary: dict, look) -> Optional[str]:
    """Goodput of each pair of hosts: over time, or, of many pairs, its mean."""
    panels = panels_of(folder, summary["runs"], "groups.csv")
    if not panels:
        return None
    sheet = Sheet(len(panels))
    all_lines = [lines_of(s, "group", "goodput_bps") for _, s in panels]
    bars = max(map(len, all_lines)) > LINES
    top = 0.0
    for row, (ax, (run, _), lines) in enumerate(zip(sheet.axes, panels, all_lines)):
        bottom = row == len(panels) - 1
        if bars:
            top = max(top, draw_bars(ax, run, lines, look.colour[run["cc"]]))
            if bottom:
                ax.set_xlabel("pairs of hosts, the one with the least goodput first")
        else:
            top = max(top, draw_lines(ax, run, lines, plots.time_axis(ax, summary["runs"], label=bottom)))
        plots.numbers(ax.yaxis, si_rate)
        if row == 0:
            sheet.title("Goodput of each pair of hosts")
            sheet.text(row, "mean over the window of the averages" if bars else "as it is delivered to the receiver", SMALL, colour=FAINT)
        sheet.text(row, look.label(run), SMALL, "bold", look.colour[run["cc"]])
        if bars or row == 0:
            sheet.legend(row)
    for ax in sheet.axes:
        ax.set_ylim(0, top * 1.1 or 1)
    return plots.save(sheet, folder, "groups.png", summary)


def draw_steps(folder: str, summary: dict, look) -> Optional[str]:
    """How long each step of a collective operation took."""
    runs = [(r, s) for r, s in panels_of(folder, summary["runs"], "steps.csv") if s.get("end_s")]
    if not runs:
        return None
    sheet = Sheet()
    ax = sheet.axes[0]
    top = 0.0
    for run, s in runs:
        took = [end - begin for begin, end in zip(s["start_s"], s["end_s"]) if begin is not None and end is not None]
        if not took:
            continue
        median = sorted(took)[len(took) // 2]
        ax.plot(range(1, len(took) + 1), took, color=look.colour[run["cc"]], linestyle=look.style[run["cc"]], linewidth=1.2, marker="o",
                markersize=3, label=f"{look.label(run)}, median {si_time(median)}")
        top = max(top, *took)
    ax.set_xlabel("step")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_ylim(0, top * 1.12 or 1)
    plots.numbers(ax.yaxis, si_time)
    sheet.head(0, "Duration of each step", "until every message of it is acknowledged")
    return plots.save(sheet, folder, "steps.png", summary)
