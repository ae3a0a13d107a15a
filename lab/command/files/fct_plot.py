# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws slowdowns by flow size. Runs as a process of its own (`python -m command.files.fct_plot FILE < JSON`), because the python3
that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import json
import os
import sys

from matplotlib.ticker import FuncFormatter, NullFormatter

from ..common import si_bytes, version
from ..results.draw.plots import LOG_RATIO
from ..results.draw.sheet import Sheet, colours, leave, named, save, set_style

LEVELS = [("p50", "-", 1.8), ("p95", "--", 1.3), ("p99", ":", 1.3)]


def draw(found: dict, path: str) -> None:
    set_style()
    sheet = Sheet()
    ax = sheet.axes[0]
    edges = sorted({(g["to_bytes"], g["name"]) for f in found["files"] for g in f["groups"]}) \
        if found["by"] == "size" else []
    most = 1.0
    own = colours([f["label"] for f in found["files"]])
    for f in found["files"]:
        colour = own[f["label"]]
        x = [edges.index((g["to_bytes"], g["name"])) if edges else k for k, g in enumerate(f["groups"])]
        for name, style, width in LEVELS:
            y = [g[name] for g in f["groups"]]
            most = max([most] + y)
            ax.plot(x, y, style, color=colour, linewidth=width, marker="o", markersize=2.5,
                    label=named(f["label"]) if name == "p50" else None)
    longest = max(found["files"], key=lambda f: len(f["groups"]))
    names = [name for _, name in edges] if edges else [f"{g['name']}\nto {si_bytes(g['to_bytes'])}" for g in longest["groups"]]
    every = -(-len(names) // 10)
    ax.set_xticks(range(0, len(names), every))
    ax.set_xticklabels(names[::every], fontsize=7.5, rotation=30 if edges else 0)
    ax.set_xlabel("flow size" + ("" if edges else ", in equal numbers of flows" if len(found["files"]) == 1 else
                                 f", in equal numbers of flows (sizes of {longest['label']})"))
    if most > LOG_RATIO:
        ax.set_yscale("log")
    ax.set_ylim(bottom=1)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    sheet.head(0, "Slowdown by flow size", "completion time / that of the flow alone; solid: p50, dashed: p95, dotted: p99"
               + ("; log scale" if most > LOG_RATIO else ""))
    sheet.finish(f"./rcc fct | rcc {version()}")
    kind = os.path.splitext(path)[1][1:]
    save(sheet.figure, *os.path.split(path), kind)


if __name__ == "__main__":
    draw(json.load(sys.stdin), sys.argv[1])
    leave(0)
