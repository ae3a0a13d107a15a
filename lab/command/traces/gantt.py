# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""gantt.png: what each rank of a trace did over time, a row for each rank. raster() makes the rows, in the command; draw() runs as a
process of its own (`python -m command.traces.gantt`), as the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import json
import sys
from typing import List

COLUMNS = 900
IDLE, COMPUTE, BOTH = 0, 1, 2
OTHERS = 3       # the first code of communication that is exposed
# Okabe and Ito's colours, told apart with any colour vision
COLOURS = ["#ffffff", "#0072B2", "#56B4E9", "#D55E00", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#882255", "#777777"]
KINDS_MAX = len(COLOURS) - OTHERS
AXES = 3.65      # inches of a row, in a picture as wide as others
CODES = "0123456789"


def raster(computing: list, communicating: list, kinds: list, end: int) -> List[str]:
    """Return a text for each rank, a digit for each part of the time. `computing`: [(begin, end)] of each rank, `communicating`: its
    [(begin, end, number of a kind)]; ns."""
    width = max(end, 1) / COLUMNS
    rows = []
    for compute, others in zip(computing, communicating):
        row = [IDLE] * COLUMNS
        for begin, stop, kind in sorted(others):
            if stop > begin:
                code = OTHERS + min(kind, KINDS_MAX - 1, len(kinds) - 1)
                first, last = span(begin, stop, width)
                row[first:last] = [code] * (last - first)
        for begin, stop in compute:
            if stop - begin < width / 2:
                continue
            first, last = span(begin, stop, width)
            for k in range(first, last):
                row[k] = BOTH if row[k] >= BOTH else COMPUTE
        rows.append("".join(CODES[code] for code in row))
    return rows


def span(begin: int, stop: int, width: float) -> tuple:
    """Return the columns from one time to another, at least one."""
    first = min(round(begin / width), COLUMNS - 1)    # as the end: what follows something else does not cover its last column
    return first, max(first + 1, min(round(stop / width), COLUMNS))


def draw(job: dict) -> None:
    """Draw a picture. `job`: path, title, rows, kinds, end_s, slowest (rank, -1: none), together (ranks that end then)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    from ..common import si_time
    from ..results.draw import sheet

    sheet.set_style()
    rows = [[int(code) for code in row] for row in job["rows"]]
    ranks = len(rows)
    figure = Figure(figsize=(AXES, 1.2 + min(max(0.18 * ranks, 1.0), 5.0)), dpi=sheet.DPI)
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0, 0, 1, 1))
    scale, unit = next(((factor, name) for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "us")) if job["end_s"] * factor >= 1), (1e6, "us"))
    ax.imshow(rows, cmap=ListedColormap(COLOURS), vmin=0, vmax=len(COLOURS) - 1, interpolation="nearest", aspect="auto",
              extent=(0, job["end_s"] * scale, ranks - 0.5, -0.5))
    ax.grid(False)
    if ranks <= 32:
        ax.set_yticks(range(ranks))
        for rank in range(1, ranks):
            ax.axhline(rank - 0.5, color="white", linewidth=1.5)
    ax.set_xlabel(f"time, {unit}")
    ax.set_ylabel("rank")
    if job["slowest"] >= 0:
        who = f"rank {job['slowest']}\nends last" if job["together"] == 1 else \
            "all ranks\nend at" if job["together"] == ranks else f"{job['together']} ranks\nend last"
        ax.annotate(f"{who}\n{si_time(job['end_s'])}", (1, job["slowest"]), xycoords=("axes fraction", "data"),
                    xytext=(6, 0), textcoords="offset points", va="center", fontsize=sheet.SMALL, color=sheet.INK, annotation_clip=False)
    used = {code for row in rows for code in row}
    names = {COMPUTE: "computing", BOTH: "computing beside messages",
             **{OTHERS + k: f"{name} alone" for k, name in enumerate(job["kinds"][:KINDS_MAX])}}
    handles = [Patch(color=COLOURS[code], label=name) for code, name in names.items() if code in used]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.14, 1.0), ncol=2, borderaxespad=0.4, handlelength=1.2,
              columnspacing=1.2)
    ax.set_title(job["title"], loc="left", x=-0.12, fontsize=sheet.TEXT, fontweight="bold", pad=8 + 15 * -(-len(handles) // 2))
    figure.savefig(job["path"], bbox_inches="tight", pad_inches=sheet.MARGIN, metadata=sheet.describe(figure))


def main(argv: list) -> int:
    from ..results.draw import sheet
    sheet.configure(argv)
    text = sys.stdin.read()
    if text:
        draw(json.loads(text))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
