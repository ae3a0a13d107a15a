# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the figures of `./rcc pcap` from its CSV files. Runs as a process of its own (`python -m command.pcap.pcap_plot DIR`), because
the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import csv
import functools
import json
import os
import re
import sys
from typing import NamedTuple, Optional

from ..common import DECIMAL, counted, scaled, si_rate, si_time
from ..results.draw.plots import POINTS, flow_legend, last, mean, numbers, thin
from ..results.draw.sheet import (COLOURS, FAINT, FLOW_LINES, SMALL, Sheet, colours, configure, each_in_a_process, flow_colours, leave,
                             named, set_style, write)

STYLES = ["-", "--", ":", "-."]
LINES = 8          # more in one figure cannot be told apart: then one line per run
FLOWS = 16
FILL = 1_000_000   # intervals up to which those without frames are drawn as 0


class Line(NamedTuple):
    """A capture point and how it looks: runs differ in colour, that of their algorithm where they have its name; points of a run in
    style; those of a single run as runs do."""
    key: tuple
    label: str
    colour: str
    style: str
    width: float


def named_colours(names: list) -> dict:
    """Choose colours of runs or points, whose names are often paths with the name of an algorithm."""
    called = [next((part for part in reversed(name.split("/")) if re.split("[:+]", part)[0] in COLOURS), name) for name in names]
    if len(set(called)) < len(names):
        called = names
    chosen = colours(called)
    return {name: chosen[one] for name, one in zip(names, called)}


def run_colours(found: dict) -> dict:
    return named_colours([str(run["run"]) for run in found["runs"]])


def shown(found: dict) -> list:
    """The runs with the points that are drawn: all, or, of too many, the chief one of each run."""
    if sum(len(r["points"]) for r in found["runs"]) <= LINES:
        return found["runs"]
    return [{**r, "points": [p for p in r["points"] if p["point"] == r["chief"]]} for r in found["runs"]]


def lines_of(found: dict) -> list:
    runs = shown(found)
    several = len(runs) > 1
    colour = run_colours(found) if several else named_colours([str(p["point"]) for r in runs for p in r["points"]])
    lines: list = []
    for i, run in enumerate(runs):
        for k, point in enumerate(run["points"]):
            own = colour[str(run["run"] if several else point["point"])]
            taken = {one.style for one in lines if one.colour == own}
            styles = STYLES[k % len(STYLES) if several else 0:] + STYLES
            label = f"{run['run']}: {point['point']}" if several and len(run["points"]) > 1 else run["run"] if several else point["point"]
            lines.append(Line((run["run"], point["point"]), label, own, next((one for one in styles if one not in taken), styles[0]),
                              1.6 if i == 0 else 1.2))
    return lines


def read(folder: str, name: str) -> dict:
    """Read the rows of a CSV by (run, point)."""
    rows: dict = {}
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            rows.setdefault((row["run"], row["point"]), []).append(row)
    return rows


class Clock:
    """Turns a column of times into x values: seconds, ms or us, from 0 on if the times are those of the day."""

    def __init__(self, found: dict, rows: dict):
        times = [float(r["time_s"]) for points in rows.values() for r in points]
        self.interval = found["interval_s"]
        # an interval that the capture does not reach the end of would be drawn as a fall
        self.ends = {(p["run"], p["point"]): p["first_s"] + p["length_s"] - p["zero_s"] for r in found["runs"] for p in r["points"]}
        low, high = (min(times), max(times)) if times else (0.0, 1.0)
        self.start = low - self.interval if found["align"] == "none" else 0.0
        span = high - min(low - self.interval, self.start)
        self.factor, self.unit = next((f, u) for f, u in ((1, "s"), (1e3, "ms"), (1e6, "us")) if span * f >= 2 or u == "us")
        self.end = high
        self.what = {"none": "time since the first interval", "point": "time since the point's first data packet",
                     "run": "time since the run's first data packet"}[found["align"]]

    def label(self, ax) -> None:
        """Set name and limits of the time axis: the same in all figures, for all runs."""
        ax.set_xlim(0, (self.end - self.start) * self.factor)
        ax.set_xlabel(f"{self.what} ({self.unit})")

    def series(self, rows: list, column: str, empty: Optional[float] = 0.0) -> tuple:
        """Return (x, y): a value per interval, also without frames; `empty` None leaves those out."""
        known = {round(float(r["time_s"]) / self.interval): float(r[column]) if r[column] else empty for r in rows}
        slots = sorted(known)
        if len(slots) > 2 and slots[-1] * self.interval > self.ends[rows[0]["run"], rows[0]["point"]] + 1e-9:
            slots.pop()
        if slots and empty is not None and slots[-1] - slots[0] <= FILL:
            slots = list(range(slots[0], slots[-1] + 1))
        pairs = [(s, known.get(s, empty)) for s in slots]
        pairs = [(s, v) for s, v in pairs if v is not None]
        if not pairs:
            return [], []
        # a step has its value over the whole interval that ends at the time
        x, y = thin([[((s - 0.5) * self.interval - self.start) * self.factor for s, _ in pairs], [v for _, v in pairs]], [last, mean],
                    POINTS)
        return x, y


def save(sheet: Sheet, folder: str, name: str, found: dict) -> str:
    sheet.finish(f"{found['command']} | rcc {found['rcc_version']}")
    return write(sheet.figure, folder, name)


def over_time(folder: str, found: dict, rows: dict, name: str, column: str, title: str, unit: str, show,
              empty: Optional[float] = 0.0) -> Optional[str]:
    """Draw one column of intervals.csv, a line per capture point."""
    clock = Clock(found, rows)
    sheet = Sheet()
    ax = sheet.axes[0]
    drawn = False
    for one in lines_of(found):
        x, y = clock.series(rows.get(one.key, []), column, empty)
        if any(y):
            ax.plot(x, y, one.style, color=one.colour, linewidth=one.width, label=named(one.label))
            drawn = True
    if not drawn:
        return None
    ax.set_ylim(bottom=0)
    numbers(ax.yaxis, show)
    clock.label(ax)
    sheet.head(0, title, unit)
    return save(sheet, folder, name, found)


def draw_flows(folder: str, found: dict, every: dict) -> Optional[str]:
    """Draw the largest flows at each point, a panel for each."""
    rows = read(folder, "bandwidth.csv")
    panels = [(one, rows[one.key]) for one in lines_of(found) if one.key in rows]
    if not panels:
        return None
    clock = Clock(found, every)
    sheet = Sheet(len(panels))
    top = 0.0
    for row, (one, points) in enumerate(panels):
        ax = sheet.axes[row]
        flows: dict = {}
        for r in points:
            flows.setdefault(int(r["flow"]), []).append(r)
        largest = sorted(flows, key=lambda k: -sum(float(r["payload_bps"]) for r in flows[k]))[:FLOWS]
        for colour, flow in zip(flow_colours(len(largest)), sorted(largest)):
            x, y = clock.series(flows[flow], "payload_bps")
            ax.plot(x, y, linewidth=0.9, alpha=0.85, color=colour)
            top = max([top, *y])
        numbers(ax.yaxis, si_rate)
        if row == 0:
            sheet.text(row, "Payload of each flow", 11, "bold")
            sheet.text(row, "the colour is the flow's number in flows.csv, from violet to yellow" if len(largest) > FLOW_LINES else
                       "the largest flows", SMALL, colour=FAINT)
        sheet.legend(row, *flow_legend(sorted(largest)))
        run, point = one.key
        sheet.text(row, f"{run}, {point}: {len(largest)} of {counted(len(flows), 'flow')}" if run != point else
                   f"{run}: {len(largest)} of {counted(len(flows), 'flow')}", SMALL, "bold", one.colour)
    sheet.axes[0].set_ylim(0, top * 1.05 or 1)     # all panels share the axis
    clock.label(sheet.axes[-1])
    return save(sheet, folder, "flow_bandwidth.png", found)


def draw_cnps(folder: str, found: dict, rows: dict) -> Optional[str]:
    """Draw CNPs per second over time, and the spacing of a flow's CNPs."""
    cnps = read(folder, "cnps.csv")
    clock = Clock(found, rows)
    sheet = Sheet(2, sharex=False, sharey=False)
    above, below = sheet.axes
    spacings = []
    drawn = False
    for one in lines_of(found):
        x, y = clock.series(rows.get(one.key, []), "cnps")
        if any(y):
            drawn = True
            above.plot(x, [v / found["interval_s"] for v in y], one.style, color=one.colour, linewidth=one.width, label=named(one.label))
        own = sorted(float(r["spacing_s"]) for r in cnps.get(one.key, []) if r["spacing_s"] and float(r["spacing_s"]) > 0)
        if own:
            share = [(i + 1) / len(own) for i in range(len(own))]
            a, b = thin([own, share], [last, last])
            below.step([own[0]] + a, [0.0] + b, where="post", linestyle=one.style, color=one.colour, linewidth=one.width)
            spacings += [own[0], own[-1]]
    if not drawn:
        return None
    above.set_ylim(bottom=0)
    numbers(above.yaxis, lambda v: scaled(v, "", DECIMAL))
    clock.label(above)
    sheet.head(0, "CNPs per second")
    sheet.head(1, "Spacing of a flow's CNPs", "share of the CNPs", legend=False)
    if spacings:
        if max(spacings) > 20 * min(spacings):
            below.set_xscale("log")
        numbers(below.xaxis, si_time)
    below.set_ylim(0, 1.03)
    below.set_xlabel("time since the flow's previous CNP")
    return save(sheet, folder, "cnp.png", found)


def draw_all(folder: str) -> list:
    with open(os.path.join(folder, "pcap.json"), encoding="utf-8") as f:
        found = json.load(f)
    rows = read(folder, "intervals.csv")
    each = f"per interval of {si_time(found['interval_s'])}"
    over = functools.partial(over_time, folder, found, rows)
    return each_in_a_process([
        functools.partial(over, "bandwidth.png", "payload_bps", "RoCEv2 payload", each, si_rate),
        functools.partial(draw_flows, folder, found, rows),
        functools.partial(draw_cnps, folder, found, rows),
        functools.partial(over, "ecn.png", "ce_share", "Share of CE in ECN-capable packets", f"CE / (ECT + CE), {each}",
                          lambda v: f"{v:.2g}", empty=None),
        functools.partial(over, "pauses.png", "paused_share", "Time for which a class was paused", f"share of the time, {each}",
                          lambda v: f"{v:.2g}")])


def main(argv: list) -> int:
    folder = configure(argv)[0]
    set_style()
    failed = [one for one in draw_all(folder) if isinstance(one, Exception)]
    for error in failed:
        print(error, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
