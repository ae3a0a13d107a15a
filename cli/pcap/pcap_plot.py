# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the figures of `./rcc pcap` from its CSV files. Runs as a process of its own (`python -m cli.pcap.pcap_plot DIR`), because
the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import csv
import json
import os
import sys
import textwrap
from typing import Optional

from matplotlib.ticker import FuncFormatter

from ..common import DECIMAL, atomic_write, scaled, si_rate, si_time
from ..results.plots import COLOURS, DPI, FAINT, POINTS, SPARE, WIDTH, last, mean, plt, set_style, thin

PALETTE = [COLOURS[name] for name in ("dcqcn-plus", "dcqcn", "qcn", "timely", "timely-patched")] + SPARE
STYLES = ["-", "--", ":", "-."]
LINES = 8          # more in one figure cannot be told apart: then one line per run
FLOWS = 16
FILL = 1_000_000   # intervals up to which those without frames are drawn as 0


class Line:
    """A capture point and how it looks: runs differ in colour, points of a run in style."""

    def __init__(self, run: int, point: int, found: dict, label: str, several: bool):
        self.key = (found["run"], found["point"])
        self.label = label
        self.colour = PALETTE[(run if several else point) % len(PALETTE)]
        self.style = STYLES[point % len(STYLES)] if several else "-"
        self.width = 1.6 if run == 0 else 1.2


def lines_of(found: dict) -> list:
    runs = found["runs"]
    several = len(runs) > 1
    if sum(len(r["points"]) for r in runs) > LINES:
        runs = [{**r, "points": [p for p in r["points"] if p["point"] == r["chief"]]} for r in runs]
    return [Line(i, k, p, f"{r['run']}: {p['point']}" if several and len(r["points"]) > 1 else r["run"] if several else p["point"],
                 several) for i, r in enumerate(runs) for k, p in enumerate(r["points"])]


def read(folder: str, name: str) -> dict:
    """Rows of a CSV by (run, point)."""
    rows: dict = {}
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            rows.setdefault((row["run"], row["point"]), []).append(row)
    return rows


def head(ax, text: str) -> None:
    """The title and, under it, the legend: as many columns as fit, since names of files are long."""
    handles, labels = ax.get_legend_handles_labels()
    columns = max(1, min(len(labels), 95 // (max(map(len, labels), default=0) + 8)))
    rows = -(-len(labels) // columns) if labels else 0
    if rows:
        ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=columns, borderaxespad=0.2,
                  handlelength=1.8, columnspacing=1.2, handletextpad=0.5, fontsize=8.5)
    ax.set_title(text, pad=10 + 15 * rows)


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
        self.what = {"none": "time since the first interval", "point": "time since the point's first data packet",
                     "run": "time since the run's first data packet"}[found["align"]]

    def label(self, ax) -> None:
        ax.set_xlabel(f"{self.what} ({self.unit})")

    def series(self, rows: list, column: str, empty: Optional[float] = 0.0) -> tuple:
        """(x, y): a value per interval, also where no frame was; `empty` None leaves those out."""
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


def save(figure, folder: str, name: str, found: dict) -> str:
    words = f"{found['command']}  ·  rcc {found['rcc_version']}"
    figure.text(0.01, 0.005, "\n".join(textwrap.wrap(words, 130)[:2]), fontsize=6, color=FAINT, ha="left", va="bottom")
    figure.tight_layout(rect=(0, 0.035, 1, 1))
    with atomic_write(os.path.join(folder, name), "wb") as f:
        figure.savefig(f, format="png", dpi=DPI, metadata={"Software": None})
    plt.close(figure)
    return name


def over_time(folder: str, found: dict, rows: dict, name: str, column: str, title: str, ylabel: str, show, factor: float = 1.0,
              empty: Optional[float] = 0.0, top: Optional[float] = None) -> Optional[str]:
    """A line per capture point of one column of intervals.csv."""
    clock = Clock(found, rows)
    figure, ax = plt.subplots(figsize=(WIDTH, 3.6))
    drawn = False
    for one in lines_of(found):
        x, y = clock.series(rows.get(one.key, []), column, empty)
        if any(y):
            ax.plot(x, [v * factor for v in y], one.style, color=one.colour, linewidth=one.width, label=one.label)
            drawn = True
    if not drawn:
        plt.close(figure)
        return None
    ax.set_ylim(bottom=0, top=top)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: show(v) if v else "0"))
    ax.set_ylabel(ylabel)
    clock.label(ax)
    head(ax, title)
    return save(figure, folder, name, found)


def draw_flows(folder: str, found: dict) -> Optional[str]:
    """The largest flows of each run, a panel per run."""
    rows = read(folder, "bandwidth.csv")
    panels = [(r, rows[r["run"], r["chief"]]) for r in found["runs"] if (r["run"], r["chief"]) in rows]
    if not panels:
        return None
    clock = Clock(found, rows)
    figure, axes = plt.subplots(len(panels), 1, figsize=(WIDTH, 1.2 + 2.1 * len(panels)), sharex=True, sharey=True, squeeze=False)
    colours = plt.get_cmap("viridis")
    for row, (run, points) in enumerate(panels):
        ax = axes[row][0]
        flows: dict = {}
        for r in points:
            flows.setdefault(int(r["flow"]), []).append(r)
        largest = sorted(flows, key=lambda k: -sum(float(r["payload_bps"]) for r in flows[k]))[:FLOWS]
        for i, flow in enumerate(sorted(largest)):
            x, y = clock.series(flows[flow], "payload_bps")
            ax.plot(x, y, linewidth=0.8, alpha=0.85, color=colours(0.9 * i / max(1, len(largest) - 1)))
        ax.set_ylim(bottom=0)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: si_rate(v) if v else "0"))
        ax.set_title(f"{run['run']}, {run['chief']}: {len(largest)} of {len(flows)} flows" if run["run"] != run["chief"] else
                     f"{run['run']}: {len(largest)} of {len(flows)} flows", fontsize=9, pad=5, color=PALETTE[row % len(PALETTE)])
    clock.label(axes[-1][0])
    figure.supylabel("payload of each flow (bit/s)", fontsize=9.5, x=0.015)
    return save(figure, folder, "flow_bandwidth.png", found)


def draw_cnps(folder: str, found: dict, rows: dict) -> Optional[str]:
    """CNPs per second over time, and how far apart a flow's CNPs are."""
    cnps = read(folder, "cnps.csv")
    clock = Clock(found, rows)
    figure, (above, below) = plt.subplots(2, 1, figsize=(WIDTH, 5.8))
    spacings = []
    drawn = False
    for one in lines_of(found):
        x, y = clock.series(rows.get(one.key, []), "cnps")
        if any(y):
            drawn = True
            above.plot(x, [v / found["interval_s"] for v in y], one.style, color=one.colour, linewidth=one.width, label=one.label)
        own = sorted(float(r["spacing_s"]) for r in cnps.get(one.key, []) if r["spacing_s"] and float(r["spacing_s"]) > 0)
        if own:
            share = [(i + 1) / len(own) for i in range(len(own))]
            a, b = thin([own, share], [last, last])
            below.step([own[0]] + a, [0.0] + b, where="post", linestyle=one.style, color=one.colour, linewidth=one.width)
            spacings += [own[0], own[-1]]
    if not drawn:
        plt.close(figure)
        return None
    above.set_ylim(bottom=0)
    above.yaxis.set_major_formatter(FuncFormatter(lambda v, _: scaled(v, "", DECIMAL) if v else "0"))
    above.set_ylabel("CNPs per second")
    clock.label(above)
    head(above, "CNPs over time, and the spacing of a flow's CNPs")
    if spacings:
        if max(spacings) > 20 * min(spacings):
            below.set_xscale("log")
        below.xaxis.set_major_formatter(FuncFormatter(lambda v, _: si_time(v) if v > 0 else "0"))
    below.set_ylim(0, 1.03)
    below.set_xlabel("time since the flow's previous CNP")
    below.set_ylabel("share of CNPs")
    return save(figure, folder, "cnp.png", found)


def draw_all(folder: str) -> list:
    with open(os.path.join(folder, "pcap.json"), encoding="utf-8") as f:
        found = json.load(f)
    set_style()
    rows = read(folder, "intervals.csv")
    each = f"per interval of {si_time(found['interval_s'])}"
    made = [
        over_time(folder, found, rows, "bandwidth.png", "payload_bps", f"RoCEv2 payload, {each}", "payload (bit/s)", si_rate),
        draw_flows(folder, found),
        draw_cnps(folder, found, rows),
        over_time(folder, found, rows, "ecn.png", "ce_share", f"Share of CE in ECN-capable packets, {each}", "CE / (ECT + CE)",
                  lambda v: f"{v:.2g}", empty=None),
        over_time(folder, found, rows, "pauses.png", "paused_share", f"Time for which a class was paused, {each}",
                  "share of the time", lambda v: f"{v:.2g}")]
    return [name for name in made if name]


if __name__ == "__main__":
    print("\n".join(draw_all(sys.argv[1])))
