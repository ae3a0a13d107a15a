# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Of a sweep over workloads: slowdown by flow size, a figure for each combination of the other parameters, as papers print it."""
from __future__ import annotations

import functools

from . import plots, sheet
from ..judge import sweep_results
from ..html.sweep_report import picture, size_pictures
from ...common import si_bytes

PERCENTILES = ("p50", "p95", "p99")


def edges(groups: list) -> list:
    """Upper ends of the decades of flow sizes, in bytes."""
    return sorted({float(to) for group in groups for to in group["by_size"]})


def draw(folder: str, job: dict, name: str) -> None:
    """Columns: distributions of sizes; rows: percentiles; a line for each algorithm, a band for its 95 % interval over the seeds."""
    groups = [g for g in job["groups"] if size_pictures([g], job["varying"]) == [name]]
    columns = sorted({g["parameters"].get("sizes", "") for g in groups}, key=sweep_results.sort_key)
    labels = list(dict.fromkeys(g["parameters"]["cc"] for g in job["groups"]))
    looks = sheet.lines(labels)
    size = sheet.grid_size(max(sheet.WIDTH, 3.6 * len(columns) + 0.8), 7.6, 4.5, len(PERCENTILES))
    figure = sheet.empty(size)
    axes = figure.subplots(len(PERCENTILES), len(columns), squeeze=False, sharex="col", sharey="row")
    for c, column in enumerate(columns):
        ends = edges([g for g in groups if g["parameters"].get("sizes", "") == column])
        for r, which in enumerate(PERCENTILES):
            ax = axes[r][c]
            for group in (g for g in groups if g["parameters"].get("sizes", "") == column):
                label = group["parameters"]["cc"]
                points = [(ends.index(float(to)), *values[which]) for to, values in group["by_size"].items() if which in values]
                if not points:
                    continue
                x, mean, low, high = zip(*sorted(points))
                low, high = ([b if a is None else a for a, b in zip(edge, mean)] for edge in (low, high))
                ax.fill_between(x, [max(1, v) for v in low], high, color=looks[label]["color"], alpha=0.15, linewidth=0)
                ax.plot(x, mean, **looks[label], markersize=3, linewidth=1.1, label=sheet.named(label))
            ax.set_yscale("log")
            plots.ratios(ax.yaxis)
            ax.tick_params(which="both", labelsize=7.5)
            ax.set_xticks(range(len(ends)))
            ax.set_xticklabels([f"to {si_bytes(end)}" for end in ends], fontsize=7.5, rotation=30)
            ax.set_title(f"{column}{', ' if column else ''}{which}", fontsize=8.5, pad=4, fontweight="normal")
    others = ", ".join(f"{key} {groups[0]['parameters'][key]}" for key in job["varying"] if key != "sizes")
    title = f"Slowdown by flow size{': ' if others else ''}{others}, log scale"
    top = sheet.heading(figure, size, title)
    handles, names = sheet.legend_of(axes.flat, labels)
    legend = sheet.fitting_legend(figure, handles, names, most=10)
    legend.set_bbox_to_anchor((sheet.MARGIN / size[0], 1 - top / size[1]), figure.transFigure)
    top += legend.get_window_extent(figure.canvas.get_renderer()).height / figure.dpi
    note = plots.footnote({"command": job["command"], "rcc_version": job["rcc_version"], "runs": [{"ns3_version": job.get("ns3_version")}]})
    bottom = sheet.foot(figure, size, note)
    figure.tight_layout(rect=(0, (bottom + 0.12) / size[1], 1, 1 - top / size[1]))
    sheet.write(figure, folder, picture(name))


def jobs(folder: str, job: dict) -> list:
    """What draws these figures; none without flows of many sizes."""
    return [functools.partial(draw, folder, job, name) for name in size_pictures(job["groups"], job["varying"])]
