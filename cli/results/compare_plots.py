# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws runs of several folders over each other, with the figures of cli/results/plots.py. Runs as a process of its own
(`python -m cli.results.compare_plots DIR < JSON`), because the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import json
import sys

from . import plots

LINES = ["-", "--", ":", "-."]


class Look(plots.Look):
    """An algorithm keeps its colour, a folder has its kind of line; a single algorithm gives the colours to the folders."""

    def __init__(self, runs: list, names: dict, letters: list):
        super().__init__(runs)
        palette = list(plots.COLOURS.values()) + plots.SPARE
        spare = iter(plots.SPARE * 8)
        algorithms = list(dict.fromkeys(names.values()))
        own = {name: plots.COLOURS.get(name) or next(spare) for name in algorithms}
        for run in runs:
            key, at = run["cc"], letters.index(run["letter"])
            self.colour[key] = own[names[key]] if len(algorithms) > 1 else palette[at % len(palette)]
            self.style[key] = LINES[at % len(LINES)]


def main(folder: str) -> None:
    job = json.load(sys.stdin)
    names = {}
    for run in job["runs"]:
        # the figures look for series in folder/cc, and an absolute path stays what it is
        names[run["place"]] = run["cc"]
        run["title"] = f"{run['letter']}: {run.get('title') or run['cc']}"
        run["cc"] = run["place"]
    if not job["runs"]:
        return
    plots.set_style()
    plots.LEGEND_COLUMNS = 4
    look = Look(job["runs"], names, job["letters"])
    for draw in (plots.draw_queue, plots.draw_levels, plots.draw_rate, plots.draw_fct, plots.draw_slowdown):
        draw(folder, job, look)


if __name__ == "__main__":
    main(sys.argv[1])
