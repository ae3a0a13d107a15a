# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Draws the figures of folders and tells, as JSON, what a test can check of them. python look.py: a folder for each line of stdin, in a
process of its own that is forked from one which has imported matplotlib, the answer on a line of stdout. In an interpreter that
has matplotlib, which the one that runs the tests need not have."""
import json
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from matplotlib.collections import PathCollection  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

from command.results.draw import draw_run, figures as drawn, plots, sheet  # noqa: E402

FOUND = {}


def look(figure) -> dict:
    """Text and lines of a figure, and how far anything of its heads stands out of it, in pixels."""
    renderer = figure.canvas.get_renderer()
    boxes = [artist.get_window_extent(renderer) for artist in [*figure.texts, *figure.legends, *(ax.xaxis.label for ax in figure.axes)]]
    boxes += [label for ax in figure.axes for label in shown(ax, renderer)]
    out = max(max(-b.x0, -b.y0, b.x1 - figure.bbox.x1, b.y1 - figure.bbox.y1) for b in boxes)
    heads = [t.get_window_extent(renderer) for t in [*figure.texts, *figure.legends]]
    inside = [ax.get_window_extent(renderer) for ax in figure.axes]
    return {"out": out, "covered": max((min(h.y1, a.y1) - max(h.y0, a.y0)) / a.height for h in heads for a in inside),
            "legend": [t.get_text() for legend in figure.legends for t in legend.get_texts()],
            "texts": [t.get_text() for t in reversed(figure.texts)],
            "xlabel": figure.axes[-1].get_xlabel(), "xticks": [xticks(ax, renderer) for ax in figure.axes],
            "ylim": [ax.get_ylim() for ax in figure.axes], "xlim": [ax.get_xlim() for ax in figure.axes],
            "yscale": [ax.get_yscale() for ax in figure.axes],
            "levels": [line.get_ydata()[0] for ax in figure.axes for line in ax.lines
                       if line.get_linestyle() == "--" and len(line.get_ydata()) == 2],
            "steps": [[list(line.get_xdata()), list(line.get_ydata())] for ax in figure.axes for line in ax.lines
                      if line.get_drawstyle() == "steps-post"],
            "least": min([y for ax in figure.axes for line in ax.lines if len(line.get_xdata()) > 2 for y in line.get_ydata() if y == y]
                         or [0]),
            "colours": [to_hex(line.get_color()) for ax in figure.axes for line in ax.lines
                        if len(line.get_xdata()) > 2 and line.get_drawstyle() == "default"],
            "widths": [line.get_linewidth() for line in figure.axes[0].lines],
            "marks": [sum(len(one.get_offsets()) for one in ax.collections if isinstance(one, PathCollection)) for ax in figure.axes],
            "height": figure.get_figheight()}


def xticks(ax, renderer) -> dict:
    """Return the names of the x axis's ticks, the least space between two of them in pixels, and the power of ten beside the axis."""
    low, high = ax.get_xlim()
    labels = [tick.label1 for tick in ax.xaxis.get_major_ticks() if low <= tick.get_loc() <= high and tick.label1.get_visible()]
    boxes = [label.get_window_extent(renderer) for label in labels if label.get_text()]
    return {"names": [label.get_text() for label in labels], "beside": ax.xaxis.get_offset_text().get_text(),
            "space": min([b.x0 - a.x1 for a, b in zip(boxes, boxes[1:])] or [99.0])}


def shown(ax, renderer) -> list:
    """Boxes of the tick labels and notes that are drawn: ticks outside the axis are not."""
    inner = ax.get_window_extent(renderer)
    x = [label.get_window_extent(renderer) for label in ax.get_xticklabels() if label.get_text()]
    y = [label.get_window_extent(renderer) for label in ax.get_yticklabels() if label.get_text()]
    return [b for b in x if inner.x0 - 1 <= (b.x0 + b.x1) / 2 <= inner.x1 + 1] + [
        b for b in y if inner.y0 - 1 <= (b.y0 + b.y1) / 2 <= inner.y1 + 1] + [note.get_window_extent(renderer) for note in ax.texts]


def keep(figure, _folder, name):
    """In place of writing a figure."""
    FOUND[name] = look(figure)
    return name


def figures(folder) -> dict:
    """Describe the figures of a folder as they are seen."""
    sheet.set_style()
    sheet.write = keep
    plots.write = keep
    assert drawn.save is plots.save
    for draw in draw_run.list_jobs(folder):
        draw()
    return FOUND


def main():
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            try:
                answer = figures(line.rstrip("\n"))
            except BaseException:  # pylint: disable=broad-except
                answer = {"error": traceback.format_exc()}
            print(json.dumps(answer), flush=True)
            os._exit(0)  # pylint: disable=protected-access
        _, status = os.waitpid(pid, 0)
        if status:
            print(json.dumps({"error": f"status {status}"}), flush=True)


if __name__ == "__main__":
    main()
