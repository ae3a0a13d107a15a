# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws a metric over a parameter, with a band for the 95 % interval: a line per algorithm, small multiples for the other parameters. Of
workloads also the slowdown by flow size, a figure for each combination of the other parameters, as papers print it.
Runs as a process of its own (`python -m command.results.draw.sweep_plots DIR < JSON`)."""
from __future__ import annotations

import functools
import json
import sys

from matplotlib.ticker import MaxNLocator

from . import plots, sheet
from ..html.sweep_report import picture, size_pictures
from ..judge import sweep_results
from ... import units
from ...common import counted, si_bytes, si_count

PERCENTILES = ("p50", "p95", "p99")
PANELS = 24         # more are too small to read
LETTERS = 10        # letters of the names of ticks, on an inch of a panel
LEAST_TO_MOST = "; shade: from the least to the largest of the seeds"
LOG_AXIS = 20       # values further apart than this need a logarithmic axis


def spread(values: list) -> float:
    return max(values) / min(values) if values and min(values) > 0 else 0.0


def band(values: list, log: bool) -> tuple:
    """Return (mean, low, high) of the seeds: the 95 % interval, or on a logarithm the least and the largest value, as an interval of few
    seeds may begin below 0."""
    mean, low, high, *ends = values
    low, high = ends if log and ends else (low, high)
    return mean, mean if low is None else low, mean if high is None else high


class Grid:
    """The panels of a figure: one for each combination of the parameters that are not on the x axis, the first of them by columns."""

    def __init__(self, job: dict):
        self.x, self.groups = job["x"], job["groups"]
        self.by = [name for name in job["varying"] if name != self.x]
        self.columns, rows = self.list_values(self.by[:1]), self.list_values(self.by[1:])
        shown = rows[:max(1, PANELS // len(self.columns))]
        self.panels = [column + row for row in shown for column in self.columns]     # values of `by`
        self.left_out = "" if shown == rows else f"{len(self.panels)} of {len(rows) * len(self.columns)} panels"
        without = [g for g in self.groups if self.x and g["parameters"][self.x] == "-" and not self.is_level(g["parameters"]["cc"])]
        if without:
            self.left_out = f"{counted(len(without), 'combination')} without {self.x} left out"
        self.labels = list(dict.fromkeys(g["parameters"]["cc"] for g in self.groups))
        ticks = {g["parameters"][self.x] for g in self.groups} - {"-"} if self.x else set()
        self.ticks = sorted(ticks, key=sweep_results.sort_key)
        numbers = [units.value_of(text) for text in self.ticks]
        numeric = bool(numbers) and None not in numbers
        self.at = dict(zip(self.ticks, numbers if numeric else range(len(self.ticks))))
        self.log = numeric and spread(numbers) > LOG_AXIS / 2

    def list_values(self, names: list) -> list:
        """List the combinations of values of parameters. An algorithm that does not have one of them is in the panels of all its values."""
        groups = [g["parameters"] for g in self.groups]
        rows = [tuple(p[name] for name in names) for p in groups]
        found = set(rows)
        alone = {row for row, p in zip(rows, groups) if not any(other != row and self.fits(p, names, other) for other in found)}
        return sorted(alone or found, key=lambda row: [sweep_results.sort_key(text) for text in row])

    @staticmethod
    def fits(p: dict, names: list, values: tuple) -> bool:
        """Return whether a combination is in a panel."""
        return all(p[name] == text or sweep_results.lacks(p["cc"], name) for name, text in zip(names, values))

    def is_level(self, label: str) -> bool:
        """Return whether an algorithm does not have the parameter of the x axis: one value holds along all of it."""
        return bool(self.x) and sweep_results.lacks(label, self.x)

    def places(self, p: dict) -> list:
        """Return the places of a combination on the x axis."""
        if self.is_level(p["cc"]):
            return list(self.at.values())
        return [self.labels.index(p["cc"])] if not self.x else [self.at[p[self.x]]] if p[self.x] in self.at else []

    def line(self, panel: tuple, label: str, metric: str, log: bool) -> list:
        """Return (x, mean, low, high, whether it is settled) of one line, in order."""
        found = []
        for group in self.groups:
            p = group["parameters"]
            if p["cc"] == label and metric in group["metrics"] and self.fits(p, self.by, panel):
                found += [(x, *band(group["metrics"][metric], log), bool(group.get("steady", True))) for x in self.places(p)]
        return sorted(found)

    def title(self, panel: tuple) -> str:
        return ", ".join(f"{name} {text}" for name, text in zip(self.by, panel))


def draw_panel(ax, grid: Grid, panel: tuple, metric: str, log: bool, space: float) -> None:
    """`space`: letters of the x axis."""
    looks = sheet.lines(grid.labels)
    for label in grid.labels:
        points = grid.line(panel, label, metric, log)
        if not points:
            continue
        x, mean, low, high, steady = zip(*points)
        look = looks[label]
        if grid.x:
            ax.fill_between(x, low, high, color=look["color"], alpha=0.18, linewidth=0)
            level = grid.is_level(label)
            ax.plot(x, mean, **{**look, "marker": "" if level and len(x) > 1 else look["marker"]}, markersize=3.5,
                    label=sheet.named(f"{label}, which has no {grid.x}" if level else label))
        else:
            ax.errorbar(x, mean, yerr=[[m - lo for m, lo in zip(mean, low)], [h - m for m, h in zip(mean, high)]], fmt="o",
                        color=look["color"], capsize=4)
        open_marks = [(a, b) for a, b, still in zip(x, mean, steady) if not still]
        if open_marks:   # not settled
            ax.plot(*zip(*open_marks), **{**look, "linestyle": "", "marker": look["marker"] if grid.x else "o"},
                    markersize=5 if grid.x else 6, markerfacecolor="white", zorder=3)
    if grid.log:
        ax.set_xscale("log")
        ax.minorticks_off()
    ticks = [grid.at[text] for text in grid.ticks] if grid.x else list(range(len(grid.labels)))
    names = grid.ticks if grid.x else grid.labels
    turned = max(map(len, names)) > 7   # a name at an angle needs the place of two letters
    step = max(1, -(-len(names) * (2 if turned else max(map(len, names)) + 1) // int(space)))
    ax.set_xticks(ticks[::step])
    ax.set_xticklabels(names[::step], fontsize=8, rotation=30 if turned else 0)


def finish(frame: sheet.Sheet, folder: str, job: dict, name: str, title: str, labels: list, said: str = "") -> None:
    """Put title, legend and footnote, and write the figure."""
    frame.head(0, title, legend=False)
    if said:
        frame.text(0, said, sheet.SMALL, colour=sheet.FAINT)
    handles, names = sheet.legend_of(frame.axes, labels)
    frame.legend(0, handles, names)
    frame.finish(plots.footnote({"command": job["command"], "rcc_version": job["rcc_version"],
                                 "runs": [{"ns3_version": job.get("ns3_version")}]}))
    sheet.write(frame.figure, folder, picture(name))


def draw(folder: str, job: dict, metric: str) -> None:
    """Draw one metric: all panels on the same axes."""
    grid = Grid(job)
    columns = len(grid.columns)
    rows = len(grid.panels) // columns
    wide = max(sheet.WIDTH, 2.2 * columns + 0.8)
    frame = sheet.Sheet(rows, max(sheet.HEIGHT, 1.5 + 2.2 * rows), columns=columns, width=wide)
    found = [group["metrics"][metric] for group in job["groups"] if metric in group["metrics"]]
    log, show, first = spread([values[0] for values in found]) > LOG_AXIS, sweep_results.metric_of(metric).show, frame.axes[0]
    ends = [end for values in found for end in band(values, log)]
    for ax, panel in zip(frame.axes, grid.panels):
        draw_panel(ax, grid, panel, metric, log, LETTERS * wide / columns)
        ax.set_title(grid.title(panel))
    low, high = min(end for end in ends if end > 0 or not log), max(ends)
    plots.scale(first, low / 2 if log else min(0, *(values[0] for values in found)), high * 2 if log else (high or 1) * 1.12, log)
    plots.numbers(first.yaxis, show)
    if show is si_count and not log:
        first.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    for ax in frame.axes[-columns:] if grid.x else []:
        ax.set_xlabel(grid.x + (", log scale" if grid.log else ""))
    steady = all(group.get("steady", True) for group in job["groups"])
    said = [f"log scale{LEAST_TO_MOST}" if log else "", "" if steady else "open marks: not settled", grid.left_out]
    finish(frame, folder, job, metric, sweep_results.metric_of(metric).label, grid.labels, "; ".join(filter(None, said)))


def draw_sizes(folder: str, job: dict, name: str) -> None:
    """Draw slowdown by flow size. Columns: distributions of sizes; rows: percentiles; a line for each algorithm, with its band."""
    groups = [g for g in job["groups"] if size_pictures([g], job["varying"]) == [name]]
    columns = sorted({g["parameters"].get("sizes", "") for g in groups}, key=sweep_results.sort_key)
    labels = list(dict.fromkeys(g["parameters"]["cc"] for g in job["groups"]))
    looks = sheet.lines(labels)
    frame = sheet.Sheet(len(PERCENTILES), 7.6, sharex="col", sharey="row", columns=len(columns),
                        width=max(sheet.WIDTH, 3.6 * len(columns) + 0.8))
    for ax, (which, column) in zip(frame.axes, [(which, column) for which in PERCENTILES for column in columns]):
        own = [g for g in groups if g["parameters"].get("sizes", "") == column]
        ends = sorted({float(to) for group in own for to in group["by_size"]})
        for group in own:
            points = sorted((ends.index(float(to)), *band(values[which], True)) for to, values in group["by_size"].items()
                            if which in values)
            if points:
                label = group["parameters"]["cc"]
                x, middle, low, high = zip(*points)
                ax.fill_between(x, low, high, color=looks[label]["color"], alpha=0.15, linewidth=0)
                ax.plot(x, middle, **looks[label], markersize=3, linewidth=1.1, label=sheet.named(label))
        ax.set_yscale("log")
        plots.ratios(ax.yaxis)
        ax.tick_params(which="both", labelsize=7.5)
        ax.set_xticks(range(len(ends)))
        ax.set_xticklabels([f"to {si_bytes(end)}" for end in ends], fontsize=7.5, rotation=30)
        ax.set_title(", ".join(filter(None, (column, which))))
    others = ", ".join(f"{key} {groups[0]['parameters'][key]}" for key in job["varying"] if key != "sizes")
    finish(frame, folder, job, name, "Slowdown by flow size", labels, "; ".join(filter(None, [others, f"log scale{LEAST_TO_MOST}"])))


def main(argv: list) -> int:
    folder = sheet.configure(argv)[0]
    sheet.set_style()
    job = json.load(sys.stdin)
    metrics = [metric for metric in job["metrics"] if any(metric in group["metrics"] for group in job["groups"])]
    return sheet.draw_all([functools.partial(draw, folder, job, metric) for metric in metrics] +
                          [functools.partial(draw_sizes, folder, job, name) for name in size_pictures(job["groups"], job["varying"])])


if __name__ == "__main__":
    sheet.leave(main(sys.argv[1:]))
