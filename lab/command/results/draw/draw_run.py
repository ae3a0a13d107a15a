# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the figures of an output folder. Runs as a process of its own (`python -m command.results.draw.draw_run`), because the python3 that
runs ./rcc may not be the one that has matplotlib; it is started early, and waits for the folder's name, as JSON, with everything
loaded."""
from __future__ import annotations

import functools
import json
import sys

from . import plots, scenario_plots, sheet, testbed_plots
from ..judge import settled, traffic
from ..read import results, seeds

FIGURES = [plots.draw_flow_rates, plots.draw_windows, plots.draw_queue, plots.draw_levels, plots.draw_rate, plots.draw_fct,
           plots.draw_slowdown,
           scenario_plots.draw_utilization, scenario_plots.draw_buffers,
           testbed_plots.draw_groups, testbed_plots.draw_steps]  # the one with most lines first


def draw_all(folder: str) -> list:
    """Draw every figure for which the folder has series, one process each. Returns their file names, None for one without series, and
    the exception of one that failed."""
    summary = results.load(folder)
    summary["runs"] = [r for r in summary["runs"] if isinstance(r, dict) and "cc" in r]
    if not summary["runs"]:
        return []
    if len({seeds.label(run) for run in summary["runs"]}) < len(summary["runs"]):
        summary["command"] = f"{summary.get('command', '')}  (curves: seed {summary['runs'][0].get('seed')})"
    # of several seeds the first is drawn; the figures look for series in DIR/cc
    first = {seeds.label(run): run for run in reversed(summary["runs"])}
    summary["runs"] = [{**run, "legend": seeds.title(run) + ("" if settled.steady(run) else f" {settled.MARK} not settled"),
                        "algorithm": run["cc"], "cc": seeds.folder(run)}
                       for run in (first[label] for label in dict.fromkeys(map(seeds.label, summary["runs"])))]
    for run in summary["runs"]:
        run["traffic"] = traffic.read(folder, run, str(summary.get("command", "")))
    look = plots.Look(summary["runs"])
    wanted = [draw for draw in FIGURES if not sheet.Output.figures or draw.__name__[len("draw_"):] in
              [name.replace("queue_levels", "levels") for name in sheet.Output.figures]]
    return sheet.each_in_a_process([functools.partial(draw, folder, summary, look) for draw in wanted])


def main(argv: list) -> int:
    sheet.configure(argv)
    sheet.set_style()
    sheet.empty()  # the first figure loads the most
    job = sys.stdin.read()  # "" from a command that ends without results
    failed = [one for one in draw_all(json.loads(job)) if isinstance(one, Exception)] if job else []
    for error in failed:
        print(error, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sheet.leave(main(sys.argv[1:]))
