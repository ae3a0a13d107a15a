# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws runs of several folders over each other, with the figures of lab/command/results/draw/plots.py. Runs as a process of its own
(`python -m command.results.draw.compare_plots DIR < JSON`), because the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import functools
import json
import sys

from . import plots, sheet
from ..judge import traffic
from ..read import seeds

LINES = ["-", "--", ":", "-."]


class Look(plots.Look):
    """An algorithm or variant keeps its colour, a folder has its kind of line; a single one gives the colours to the folders."""

    def __init__(self, runs: list, names: dict, letters: list):
        super().__init__(runs)
        palette = sheet.flow_colours(len(letters))
        variants = list(dict.fromkeys(names.values()))
        own = sheet.colours(variants)
        if len(set(own.values())) < len(own):     # more than there are spare colours
            own = dict(zip(variants, sheet.flow_colours(len(variants))))
        for run in runs:
            key, at = run["cc"], letters.index(run["letter"])
            self.colour[key] = own[names[key]] if len(variants) > 1 else palette[at]
            self.style[key] = LINES[at % len(LINES)]


def legend(run: dict, called: dict, variants: int) -> str:
    """What a run is called: algorithm and variant, if there are several, and what its folder has that the others have not."""
    title, own = seeds.title(run), called[run["letter"]]
    return own if variants == 1 or own == title else f"{title}, {own}"


def prepared(job: dict) -> Look:
    """Makes the runs of a job those of a figure. Returns how they look."""
    names = {run["place"]: str(run.get("label") or run["cc"]) for run in job["runs"]}
    for run in job["runs"]:
        run["legend"] = legend(run, job["called"], len(set(names.values())))
        run["algorithm"] = run["cc"]
        run["cc"] = run["place"]    # the figures look for series in folder/cc, and an absolute path stays what it is
        run["traffic"] = traffic.read("", run, str(run.get("command", "")))
    return Look(job["runs"], names, job["letters"])


def style(job: dict) -> None:
    """Names and paths of folders have letters of any script."""
    sheet.set_style("".join([job["command"], *job["called"].values()]))


def main(argv: list) -> int:
    folder = sheet.configure(argv)[0]
    job = json.load(sys.stdin)
    if not job["runs"]:
        return 0
    style(job)
    look = prepared(job)
    figures = [plots.draw_queue, plots.draw_levels, plots.draw_rate, plots.draw_fct, plots.draw_slowdown]
    return sheet.draw_all([functools.partial(draw, folder, job, look) for draw in figures])


if __name__ == "__main__":
    sheet.leave(main(sys.argv[1:]))
