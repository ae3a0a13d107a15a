# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Figures of series that only some scenarios write: buffers of a CIOQ switch (fan-in), a service rate that changes (capacity)."""
from __future__ import annotations

from typing import Optional

from . import plots
from .sheet import INK, SMALL, Sheet, flow_colours
from ... import units
from ...common import si_bytes, si_rate

THRESHOLDS = {"stop": ("CioqSwitch.StopThreshold", 110_000), "go": ("CioqSwitch.GoThreshold", 44_000)}
PORTS = 8   # more lines tell nobody anything: the fullest ones


def threshold_of(run: dict, name: str) -> Optional[float]:
    """A threshold of the switch, bytes: as the run's attributes have it, or by itself."""
    attribute, usual = THRESHOLDS[name]
    return units.value_of(str((run.get("attributes") or {}).get(attribute, usual)))


def buffer_lines(columns: dict, at) -> list:
    """((side, port), [(time, bytes)]) of the fullest buffers, in order."""
    lines: dict = {}
    for t, port, inside, out in zip(columns["time_s"], columns["port"], columns["input_bytes"], columns["output_bytes"]):
        for key, value in ((("input", int(port)), inside), (("output", int(port)), out)):
            lines.setdefault(key, []).append((at(t), value))
    used = sorted((k for k, points in lines.items() if any(v for _, v in points)),
                  key=lambda k: (-max(v for _, v in lines[k]), k))[:PORTS]
    return [(key, lines[key]) for key in sorted(used)]


def draw_buffers(folder: str, summary: dict, look) -> Optional[str]:
    """Input buffers (solid) and output buffers (dashed) of the ports that carry flows; a panel for each run."""
    panels = plots.panels_of(folder, summary["runs"], "buffers.csv")
    if not panels:
        return None
    sheet = Sheet(len(panels))
    tops = []
    for row, (ax, (run, s)) in enumerate(zip(sheet.axes, panels)):
        at = plots.time_axis(ax, summary["runs"], label=row == len(panels) - 1)
        top = 1.0
        lines = buffer_lines(s, at)
        for colour, (key, points) in zip(flow_colours(len(lines)), lines):
            t, value = plots.thin([[p[0] for p in points], [p[1] for p in points]], [plots.last, plots.mean], 400)
            ax.plot(t, value, linewidth=1.1, color=colour, linestyle="-" if key[0] == "input" else "--", label=f"{key[0]} {key[1]}")
            top = max(top, *value)
        for name in ("stop", "go"):
            value = threshold_of(run, name)
            if value and value < 3 * top:
                ax.axhline(value, color=INK, linewidth=1.0, linestyle=":" if name == "go" else (0, (5, 3)),
                           label=f"{name.upper()} of inputs, {si_bytes(value)}")
                top = max(top, value)
        tops.append(top)
        plots.numbers(ax.yaxis, si_bytes)
        plots.shade_window(ax, [run], at, note=False)
        if row == 0:
            sheet.title("Buffers of the switch")
        sheet.text(row, look.label(run), SMALL, "bold", look.colour[run["cc"]])
        sheet.legend(row)
    sheet.axes[0].set_ylim(0, max(tops) * 1.1)     # of all panels, which share it
    return plots.save(sheet, folder, "buffers.png", summary)


def draw_utilization(folder: str, summary: dict, look) -> Optional[str]:
    """What the port could serve, and what it served."""
    panels = plots.panels_of(folder, summary["runs"], "utilization.csv")
    if not panels:
        return None
    sheet = Sheet(len(panels))
    tops = []
    for row, (ax, (run, s)) in enumerate(zip(sheet.axes, panels)):
        at = plots.time_axis(ax, summary["runs"], label=row == len(panels) - 1)
        served = [c * u for c, u in zip(s["capacity_bps"], s["utilization"])]
        t, could, did = plots.thin([s["time_s"], s["capacity_bps"], served], [plots.last, plots.mean, plots.mean], 400)
        t = [at(x) for x in t]
        ax.plot(t, did, color=look.colour[run["cc"]], linewidth=1.3, label="served")
        ax.plot(t, could, color=INK, linewidth=1.0, linestyle=(0, (5, 3)), label="service rate of the port")
        tops.append(max([*could, *did]))
        plots.numbers(ax.yaxis, si_rate)
        plots.shade_window(ax, [run], at, note=False)
        if row == 0:
            sheet.title("Service rate")
            sheet.legend(row)
        sheet.text(row, look.label(run), SMALL, "bold", look.colour[run["cc"]])
    sheet.axes[0].set_ylim(0, max(tops) * 1.1 or 1)
    return plots.save(sheet, folder, "utilization.png", summary)
