# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the PNGs of an output folder. Runs as a process of its own (`python -m cli.results.draw_run DIR`), because the python3
that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import sys

from . import plots, results, scenario_plots, seeds


def draw_all(folder: str) -> list:
    """Draw every figure for which the folder has series. Returns their file names."""
    summary = results.load(folder)
    summary["runs"] = [r for r in summary["runs"] if isinstance(r, dict) and "cc" in r]
    if not summary["runs"]:
        return []
    if len({seeds.label(run) for run in summary["runs"]}) < len(summary["runs"]):
        summary["command"] = f"{summary.get('command', '')}  (curves: seed {summary['runs'][0].get('seed')})"
    # of several seeds the first is drawn; the figures look for series in DIR/cc
    first = {seeds.label(run): run for run in reversed(summary["runs"])}
    summary["runs"] = [{**run, "legend": seeds.title(run), "algorithm": run["cc"], "cc": seeds.folder(run)}
                       for run in (first[label] for label in dict.fromkeys(map(seeds.label, summary["runs"])))]
    plots.set_style()
    look = plots.Look(summary["runs"])
    figures = [plots.draw_queue, plots.draw_levels, plots.draw_rate, plots.draw_flow_rates, plots.draw_fct, plots.draw_slowdown,
               scenario_plots.draw_utilization, scenario_plots.draw_buffers]
    return [name for name in (draw(folder, summary, look) for draw in figures) if name]


if __name__ == "__main__":
    print("\n".join(draw_all(sys.argv[1])))
