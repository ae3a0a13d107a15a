# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the figures of an output folder, or of several over one another. Runs as a process of its own (`python -m
command.results.draw.draw_run`), because the python3 that runs ./rcc may not be the one that has matplotlib; it is started early, and waits
for its job, as JSON, with everything loaded: the name of the folder, or what ./rcc compare draws into DIR."""
from __future__ import annotations

import functools
import json
import sys

from . import figures, plots, sheet
from ..judge import settled
from ..read import results, seeds

FOLDER_LINES = ["-", "--", ":", "-."]


class FolderLook(plots.Look):
    """An algorithm or variant keeps its colour, a folder has its kind of line; a single one gives the colours to the folders."""

    def __init__(self, runs: list, names: dict, letters: list):
        super().__init__(runs)
        variants = list(dict.fromkeys(names.values()))
        own = sheet.colours(variants)
        if len(set(own.values())) < len(own):     # more than there are spare colours
            own = dict(zip(variants, sheet.flow_colours(len(variants))))
        for run in runs:
            key, at = run["cc"], letters.index(run["letter"])
            self.colour[key] = own[names[key]] if len(variants) > 1 else sheet.flow_colours(len(letters))[at]
            self.style[key] = FOLDER_LINES[at % len(FOLDER_LINES)]


def prepare_folders(job: dict) -> plots.Look:
    """Make the runs of ./rcc compare those of a figure. Returns how they look."""
    names = {run["place"]: str(run.get("label") or run["cc"]) for run in job["runs"]}
    for run in job["runs"]:
        label, own = seeds.label(run), job["called"][run["letter"]]
        run["legend"] = own if len(set(names.values())) == 1 or own == label else f"{label}, {own}"
        run["algorithm"], run["cc"] = run["cc"], run["place"]    # an absolute path stays what it is below any folder
        run["span"] = plots.find_span("", run)
    return FolderLook(job["runs"], names, job["letters"])


def prepare_folder(folder: str) -> dict:
    """Return the summary of a folder with its runs as figures want them; of several seeds the first is drawn."""
    summary = results.load(folder)
    runs = [r for r in summary["runs"] if isinstance(r, dict) and "cc" in r]
    first = {seeds.label(run): run for run in reversed(runs)}
    if len(first) < len(runs):
        summary["command"] = f"{summary.get('command', '')}  (curves: seed {runs[0].get('seed')})"
    summary["runs"] = [{**run, "legend": seeds.label(run) + ("" if settled.is_steady(run) else f" {settled.MARK} not settled"),
                        "algorithm": run["cc"], "cc": seeds.folder(run)}
                       for run in (first[label] for label in dict.fromkeys(map(seeds.label, runs)))]
    for run in summary["runs"]:
        run["span"] = plots.find_span(folder, run)
    return summary


def list_jobs(folder: str) -> list:
    """Return a function without arguments for each figure of a folder of results that is wanted."""
    summary = prepare_folder(folder)
    look = plots.Look(summary["runs"])
    return [functools.partial(draw, folder, summary, look) for name, draw in figures.FIGURES.items()
            if summary["runs"] and (not sheet.Output.figures or name in sheet.Output.figures)]


def list_folder_jobs(folder: str, job: dict) -> list:
    """Return a function without arguments for each figure that ./rcc compare draws into a folder."""
    look = prepare_folders(job)
    return [functools.partial(figures.FIGURES[name], folder, job, look) for name in figures.OF_COMPARE if job["runs"]]


def main(argv: list) -> int:
    rest = sheet.configure(argv)
    sheet.set_style()
    sheet.Sheet()  # the first figure loads the most
    text = sys.stdin.read()  # "" from a command that ends without results
    job = json.loads(text) if text else ""
    return sheet.draw_all(list_folder_jobs(rest[0], job) if isinstance(job, dict) else list_jobs(job) if job else [])


if __name__ == "__main__":
    sheet.leave(main(sys.argv[1:]))
