# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Figures of series that only some scenarios write: buffers of a CIOQ switch (fan-in), a service rate that changes (capacity)."""
from __future__ import annotations

from typing import Optional

from matplotlib.ticker import FuncFormatter

from . import plots
from ..common import si_bytes, si_rate

PORTS = 8   # more lines tell nobody anything: the fullest ones


def panels_of(folder: str, runs: list, name: str) -> list:
    found = [(r, plots.read_series(folder, r, name)) for r in runs]
    return [(r, s) for r, s in found if s]


def grid(count: int, height: float) -> tuple:
    figure, axes = plots.plt.subplots(count, 1, figsize=(plots.WIDTH, 0.9 + height * count), sharex=True, squeeze=False)
    return figure, [row[0] for row in axes]


def draw_buffers(folder: str, summary: dict, look) -> Optional[str]:
    """Input buffers (solid) and output buffers (dashed) of the ports that carry flows; a panel for each run."""
    panels = panels_of(folder, summary["runs"], "buffers.csv")
    if not panels:
        return None
    figure, axes = grid(len(panels), 2.6)
    colours = plots.plt.get_cmap("viridis")
    for row, (ax, (run, s)) in enumerate(zip(axes, panels)):
        at = plots.time_axis(ax, [run], label=row == len(panels) - 1)
        lines: dict = {}
        for t, port, inside, out in zip(s["time_s"], s["port"], s["input_bytes"], s["output_bytes"]):
            for key, value in ((("input", int(port)), inside), (("output", int(port)), out)):
                lines.setdefault(key, []).append((at(t), value))
        used = sorted((k for k, points in lines.items() if any(v for _, v in points)),
                      key=lambda k: (-max(v for _, v in lines[k]), k))[:PORTS]
        for i, key in enumerate(sorted(used)):
            t, value = plots.thin([[p[0] for p in lines[key]], [p[1] for p in lines[key]]], [plots.last, plots.mean], 400)
            ax.plot(t, value, linewidth=1.1, color=colours(0.9 * i / max(1, len(used) - 1)),
                    linestyle="-" if key[0] == "input" else "--", label=f"{key[0]} {key[1]}")
        ax.set_ylim(bottom=0)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: si_bytes(v) if v else "0"))
        plots.shade_window(ax, [run], at, note=False)
        plots.head(ax, f"{look.label(run)}: buffers of the switch")
    return plots.save(figure, folder, "buffers.png", summary)


def draw_utilization(folder: str, summary: dict, look) -> Optional[str]:
    """What the port could serve, and what it served."""
    panels = panels_of(folder, summary["runs"], "utilization.csv")
    if not panels:
        return None
    figure, axes = grid(len(panels), 2.6)
    for row, (ax, (run, s)) in enumerate(zip(axes, panels)):
        at = plots.time_axis(ax, [run], label=row == len(panels) - 1)
        served = [c * u for c, u in zip(s["capacity_bps"], s["utilization"])]
        t, could, did = plots.thin([s["time_s"], s["capacity_bps"], served], [plots.last, plots.mean, plots.mean], 400)
        t = [at(x) for x in t]
        ax.plot(t, did, color=look.colour[run["cc"]], linewidth=1.3, label="served")
        ax.plot(t, could, color=plots.INK, linewidth=1.0, linestyle=(0, (5, 3)), label="service rate of the port")
        ax.set_ylim(0, max(could) * 1.1 or 1)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: si_rate(v) if v else "0"))
        plots.shade_window(ax, [run], at, note=False)
        plots.head(ax, f"{look.label(run)}: service rate")
    return plots.save(figure, folder, "utilization.png", summary)
