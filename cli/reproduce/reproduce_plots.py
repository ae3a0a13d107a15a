# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws one PNG per published figure. Runs as a process of its own (`python -m cli.reproduce.reproduce_plots DIR ID...`), because
the python3 that runs ./rcc may not be the one that has matplotlib."""
from __future__ import annotations

import os
import sys
import textwrap

from published import FIGURES
from published.figure import Data, Missing

from ..results import results
from ..common import atomic_write
from ..results.plots import DPI, FAINT, WIDTH, plt, set_style

HEIGHT = 3.9        # inches of a panel
LEGEND_COLUMNS = 2
LABEL = 40          # letters of a label's line


def head(ax, text: str) -> None:
    """The title and, between it and the axes, the legend: it hides no data and is never wider than the panel."""
    handles, labels = ax.get_legend_handles_labels()
    lines = 0
    if handles:
        wrapped = ["\n".join(textwrap.wrap(label, LABEL)) for label in labels]
        columns = min(len(handles), LEGEND_COLUMNS)
        rows = -(-len(handles) // columns)
        # a legend is filled column by column
        lines = max(sum(w.count("\n") + 1 for w in wrapped[c * rows:(c + 1) * rows]) for c in range(columns))
        ax.legend(handles, wrapped, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=columns, borderaxespad=0.2,
                  handlelength=1.6, columnspacing=1.2, handletextpad=0.5, fontsize=8)
    ax.set_title(text, pad=8 + 13.5 * lines)


def draw(figure, folder: str, version: str) -> bool:
    data = Data(figure, os.path.join(folder, "runs"))
    panels = [panel for panel in figure.panels if data.has(panel.runs)]
    if not panels:
        return False
    columns = 1 if len(panels) == 1 else 2
    rows = -(-len(panels) // columns)
    picture, axes = plt.subplots(rows, columns, figsize=(WIDTH * columns, HEIGHT * rows + 0.7), squeeze=False)
    flat = [ax for line in axes for ax in line]
    for ax, panel in zip(flat, panels):
        try:
            panel.draw(ax, data)
        except Missing as missing:
            ax.text(0.5, 0.5, f"no data: {missing}", transform=ax.transAxes, ha="center")
        head(ax, panel.title)
    for ax in flat[len(panels):]:
        ax.axis("off")
    wide = 60 if columns == 1 else 125
    picture.suptitle("\n".join(textwrap.wrap(f"{figure.source}: {figure.title}", wide)), x=0.012, ha="left", fontsize=12,
                     fontweight="bold")
    words = f"{figure.setup}  ·  ./rcc reproduce {figure.id}  ·  rcc {version}"
    picture.text(0.012, 0.008, "\n".join(textwrap.wrap(words, 105 * columns)[:3]), fontsize=7, color=FAINT, ha="left",
                 va="bottom")
    foot = 0.32 / (HEIGHT * rows + 0.7)
    picture.tight_layout(rect=(0, foot, 1, 0.99), h_pad=2.2, w_pad=2.0)
    with atomic_write(os.path.join(folder, figure.id + ".png"), "wb") as f:
        picture.savefig(f, format="png", dpi=DPI * 0.75, metadata={"Software": None})
    plt.close(picture)
    return True


def main(argv: list) -> int:
    folder, wanted = argv[0], set(argv[1:])
    set_style()
    version = results.read_json(os.path.join(folder, "published.json")).get("rcc_version", "")
    failed = []
    for figure in FIGURES:
        if figure.id in wanted:
            try:
                draw(figure, folder, version)
            except Exception as error:  # one figure must not take the others away
                failed.append(f"{figure.id}: {type(error).__name__}: {error}")
    print("\n".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
