# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws one picture per published figure. Runs as a process of its own (`python -m evidence.reproduce.reproduce_plots DIR ID...`), because
the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import functools
import os
import sys

from evidence.published.sets import FIGURES
from evidence.published.figure import Data, Missing

from .reproduce_report import verdicts
from command import below
from command.results.read import series
from command.results.draw.sheet import FAINT, HEIGHT, NOTE, SMALL, Sheet, configure, each_in_a_process, leave, set_style, write

TICKS = 8.0     # points


OUTSIDE = "#B00020"


def draw(figure, folder: str, version: str, rows: list) -> bool:
    """The panels of a figure, one below the other, below what its rows came to. False if there is nothing to draw."""
    data = Data(figure, os.path.join(folder, "runs"), series.read)
    panels = [panel for panel in figure.panels if data.has_results(panel.runs)]
    if not panels:
        return False
    sheet = Sheet(len(panels), HEIGHT * len(panels), sharex=False, sharey=False)
    sheet.head(0, f"{figure.source}: {figure.title}", legend=False)
    for line, outside in verdicts(rows):
        sheet.text(0, line, SMALL, "bold" if outside else "normal", OUTSIDE if outside else FAINT)
    for at, (ax, panel) in enumerate(zip(sheet.axes, panels)):
        try:
            panel.draw(ax, data)
        except Missing as missing:
            ax.text(0.5, 0.5, f"no data: {missing}", transform=ax.transAxes, ha="center")
        unit = ax.get_ylabel()
        ax.set_ylabel("")
        sheet.head(at, panel.title, unit)
        ax.tick_params(labelsize=TICKS if len(ax.get_xticks()) < 12 else NOTE)
    sheet.finish(f"{figure.setup} | ./rcc reproduce {figure.id} | rcc {version}")
    write(sheet.figure, folder, figure.id)
    return True


def main(argv: list) -> int:
    folder, *names = configure(argv)
    set_style()
    published = below.read_json(folder, "published.json")
    version, rows = published.get("rcc_version", ""), published.get("rows") or []
    wanted = [figure for figure in FIGURES if figure.id in names]
    made = each_in_a_process([functools.partial(draw, figure, folder, version, [row for row in rows if row.get("figure") == figure.id])
                              for figure in wanted])
    failed = [f"{figure.id}: {one}" for figure, one in zip(wanted, made) if isinstance(one, Exception)]
    print("\n".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
