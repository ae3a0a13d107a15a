# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws a metric over a parameter, with a band for the 95 % interval: a line per algorithm, small multiples for the other parameters.
Runs as a process of its own (`python -m command.results.draw.sweep_plots DIR < JSON`)."""
from __future__ import annotations

import functools
import json
import sys

from matplotlib.ticker import MaxNLocator

from . import plots, sheet, sweep_sizes
from ..judge import sweep_results
from ..html.sweep_report import picture
from ... import units
from ...common import si_count

PANELS = 24         # more are too small to read
LETTERS = 10        # of the names of ticks, on an inch of a panel and its gap
LOG_AXIS = 20       # values further apart than this need a logarithmic axis


def spread(values: list) -> float:
    return max(values) / min(values) if values and min(values) > 0 else 0.0


class Grid:
    """Which group goes to which panel."""

    def __init__(self, job: dict):
        self.job = job
        self.x = job["x"]
        others = [name for name in job["varying"] if name != self.x]
        self.column = others[0] if others else ""
        self.rows_by = others[1:]
        groups = job["groups"]
        self.columns = [row[0] for row in self.panels(others[:1])] if self.column else [""]
        self.rows = self.panels(self.rows_by)
        whole = len(self.rows)
        self.rows = self.rows[:max(1, PANELS // len(self.columns))]
        self.left_out = "" if len(self.rows) == whole else \
            f"{len(self.rows) * len(self.columns)} of {whole * len(self.columns)} panels"
        without = [g for g in groups if self.x and g["parameters"][self.x] == "-" and not self.is_level(g["parameters"]["cc"])]
        if without:
            self.left_out += f"{'; ' if self.left_out else ''}{len(without)} combination{'s' if len(without) > 1 else ''} without " \
                f"{self.x} left out"
        self.labels = list(dict.fromkeys(g["parameters"]["cc"] for g in groups))
        ticks = {g["parameters"][self.x] for g in groups} - {"-"} if self.x else set()
        self.ticks = sorted(ticks, key=sweep_results.sort_key)
        numbers = [units.value_of(text) for text in self.ticks]
        self.numeric = bool(numbers) and None not in numbers
        self.at = dict(zip(self.ticks, numbers if self.numeric else range(len(self.ticks))))
        self.log = self.numeric and spread(numbers) > LOG_AXIS / 2

    def panels(self, names: list) -> list:
        """Combinations of values of parameters. An algorithm that does not have one of them is in the panels of all its values."""
        groups = [g["parameters"] for g in self.job["groups"]]
        rows = [tuple(p[name] for name in names) for p in groups]
        found = set(rows)
        alone = {row for row, p in zip(rows, groups) if not any(other != row and self.fits(p, names, other) for other in found)}
        return sorted(alone or found, key=lambda row: [sweep_results.sort_key(text) for text in row])

    @staticmethod
    def fits(p: dict, names: list, row: tuple) -> bool:
        """Whether a combination is in a panel."""
        return all(p[name] == text or sweep_results.lacks(p["cc"], name) for name, text in zip(names, row))

    def is_level(self, label: str) -> bool:
        """Whether an algorithm does not have the parameter of the x axis: one value holds along all of it."""
        return bool(self.x) and sweep_results.lacks(label, self.x)

    def line(self, row: tuple, column: str, label: str, metric: str) -> list:
        """(x, mean, low, high, whether it is settled) of one line, in order."""
        found = []
        names = [*([self.column] if self.column else []), *self.rows_by]
        places = (column, *row) if self.column else row
        for group in self.job["groups"]:
            p = group["parameters"]
            if p["cc"] != label or metric not in group["metrics"] or not self.fits(p, names, places):
                continue
            at = list(self.at.values()) if self.is_level(label) else [self.labels.index(label)] if not self.x else \
                [self.at[p[self.x]]] if p[self.x] in self.at else []
            mean, low, high = group["metrics"][metric]
            found += [(x, mean, low if low is not None else mean, high if high is not None else mean, bool(group.get("steady", True)))
                      for x in at]
        return sorted(found)

    def title(self, row: tuple, column: str) -> str:
        parts = [f"{self.column} {column}"] if self.column else []
        return ", ".join(parts + [f"{name} {text}" for name, text in zip(self.rows_by, row)])


def draw_panel(ax, grid: Grid, row: tuple, column: str, metric: str, room: float) -> None:
    """`room`: letters of the x axis."""
    looks = sheet.lines(grid.labels)
    for label in grid.labels:
        points = grid.line(row, column, label, metric)
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
    shown = sweep_results.named(ticks, ["--" if turned else name for name in names], room, grid.log)
    ax.set_xticks([ticks[i] for i in shown])
    ax.set_xticklabels([names[i] for i in shown], fontsize=8, rotation=30 if turned else 0)


def draw(folder: str, job: dict, metric: str) -> None:
    """One metric: all panels on the same axes."""
    grid = Grid(job)
    count = (len(grid.rows), len(grid.columns))
    wide = max(sheet.WIDTH, 2.2 * count[1] + 0.8)
    size = sheet.grid_size(wide, max(sheet.HEIGHT, 1.3 + 2.2 * count[0]), 1.3 + count[0], count[0])
    figure = sheet.empty(size)
    axes = figure.subplots(*count, sharex=True, sharey=True, squeeze=False)
    for r, row in enumerate(grid.rows):
        for c, column in enumerate(grid.columns):
            draw_panel(axes[r][c], grid, row, column, metric, LETTERS * size[0] / count[1])
            if grid.title(row, column):
                axes[r][c].set_title(grid.title(row, column), fontsize=8.5, pad=4, fontweight="normal")
    values = [value for group in job["groups"] for value in group["metrics"].get(metric, [])[:1]]
    ends = values + [value for group in job["groups"] for value in group["metrics"].get(metric, [])[1:] if value is not None]
    if spread(values) > LOG_AXIS:
        axes[0][0].set_yscale("log")
        axes[0][0].set_ylim(bottom=min(values) / 2, top=max(ends) * 2)
    else:
        axes[0][0].set_ylim(bottom=min(0, *values), top=(max(ends) or 1) * 1.12)
    show = sweep_results.show_of(metric)
    plots.numbers(axes[0][0].yaxis, show)
    if show is si_count and axes[0][0].get_yscale() == "linear":
        axes[0][0].yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    open_marks = "" if all(group.get("steady", True) for group in job["groups"]) else "open marks: not settled"
    title = f"{sweep_results.label_of(metric)}" + (", log scale" if spread(values) > LOG_AXIS else "") + \
        "".join(f"; {said}" for said in (open_marks, grid.left_out) if said)
    top = sheet.heading(figure, size, title)
    handles, labels = sheet.legend_of(axes.flat, grid.labels)
    if handles:
        legend = sheet.fitting_legend(figure, handles, labels, most=8)
        legend.set_bbox_to_anchor((sheet.MARGIN / size[0], 1 - top / size[1]), figure.transFigure)
        top += legend.get_window_extent(figure.canvas.get_renderer()).height / figure.dpi
    note = plots.footnote({"command": job["command"], "rcc_version": job["rcc_version"], "runs": [{"ns3_version": job.get("ns3_version")}]})
    if sheet.Output.title:   # in place of one that says it
        note = " | ".join(filter(None, (open_marks, grid.left_out, note)))
    bottom = sheet.foot(figure, size, note) + 0.06
    if grid.x:
        figure.text(0.5, bottom / size[1], grid.x + (", log scale" if grid.log else ""), fontsize=sheet.TEXT, va="bottom", ha="center")
    figure.tight_layout(rect=(0, (bottom + 0.17) / size[1], 1, 1 - top / size[1]))
    sheet.write(figure, folder, picture(metric))


def main(argv: list) -> int:
    folder = sheet.configure(argv)[0]
    sheet.set_style()
    job = json.load(sys.stdin)
    metrics = [metric for metric in job["metrics"] if any(metric in group["metrics"] for group in job["groups"])]
    return sheet.draw_all([functools.partial(draw, folder, job, metric) for metric in metrics] + sweep_sizes.jobs(folder, job))


if __name__ == "__main__":
    sheet.leave(main(sys.argv[1:]))
