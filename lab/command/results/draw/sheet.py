# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The style and the frame of every figure: panels with title, unit and legend over the whole width, and the files that a figure becomes.
Imported only where matplotlib is. Without pyplot, which takes a quarter more time to load."""
from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import sys
import textwrap
import warnings
from typing import Any, Callable, Iterable, Optional

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import viridis
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from ... import below
from ...common import RccError, end_with_parent

# Okabe and Ito's colours, told apart with any colour vision. Fixed per algorithm, so that figures of different runs
# can be laid side by side; those of variants have dashes too (looks), for print in black and white. Nothing else has these colours.
COLOURS = {"dcqcn": "#D55E00", "dcqcn-plus": "#0072B2", "qcn": "#009E73", "timely": "#CC79A7",
           "timely-patched": "#E69F00", "dcqcn-plus-share": "#882255", "none": "#777777", "hpcc": "#B2182B", "dctcp": "#66A61E",
           "swift": "#A65628", "powertcp": "#4D4D4D", "theta-powertcp": "#999933", "nscc": "#CC3399", "barre": "#117733"}
SPARE = ["#56B4E9", "#000000", "#8C6D31", "#6A51A3"]     # presets, folders and capture points
MARKS = "osD^v"
FLOW_LINES = 8      # lines up to which each has a colour of its own, and a name
INK, FAINT = "#222222", "#666666"
DASHES = (0, (5, 3))    # limits
DPI = 200
WIDTH, HEIGHT = 5.0, 3.9   # inches; narrow, so that letters of 9 points are read on a phone; heights are multiples of HEIGHT
MOST = 2.0          # times that a figure may grow beyond its width, with --size, where its panels need the space
MARGIN = 0.08       # inches around everything
LEAST = 1.2         # inches of axes that are worth looking at
TEXT, SMALL, NOTE = 10.0, 9.0, 7.5
NOTE_LETTERS = 400  # letters of the footnote
FORMATS = ("png", "svg", "pdf")
SCRIPTS = ["DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Noto Sans Arabic", "FreeSans"]


class Output:
    """The output of a drawing process; configure() sets it."""
    formats: tuple = ("png",)
    figures: tuple = ()     # the names of those that are drawn, without ending; () for all
    size: Optional[tuple] = None    # inches, of ./rcc plot --size
    title = ""          # in place of the figure's own


def configure(argv: list) -> list:
    """Take the options out of a drawing process's words, and put their values into Output. Return the other words."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--format", dest="formats", type=lambda text: tuple(kind for kind in FORMATS if kind in ("png", *text.split(","))))
    parser.add_argument("--figure", dest="figures", type=lambda text: tuple(text.split(",")))
    parser.add_argument("--size", type=lambda text: tuple(map(float, text.split("x"))))
    parser.add_argument("--title")
    output: Any = Output
    return parser.parse_known_args(argv, output)[1]


def set_style() -> None:
    matplotlib.rcParams.update({
        "figure.facecolor": "white", "axes.facecolor": "white", "font.family": SCRIPTS,
        "font.size": TEXT, "axes.labelsize": TEXT, "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "axes.edgecolor": "#999999",
        "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.7, "axes.axisbelow": True,
        "axes.titlesize": SMALL, "axes.titleweight": "normal", "axes.titlepad": 4.0, "lines.linewidth": 1.4, "legend.frameon": False,
        "legend.fontsize": SMALL, "svg.hashsalt": "rcc", "pdf.fonttype": 42, "svg.fonttype": "none", "axes.formatter.useoffset": False,
        "figure.constrained_layout.h_pad": MARGIN, "figure.constrained_layout.w_pad": MARGIN,
    })
    matplotlib.set_loglevel("error")    # fonts may be missing
    if "text.parse_math" in matplotlib.rcParams:
        matplotlib.rcParams["text.parse_math"] = False  # a $ is a character


# ------------------------------------------------------------------------------------------------ colours

def colours(labels: list) -> dict:
    """Return a colour for each name of a run, the same in every figure: the algorithm as it is has its own, or else the first of its
    presets and variants; the others have spare ones."""
    return {label: colour for label, (colour, _) in looks(labels).items()}


def looks(labels: list) -> dict:
    """Return colour and line of each name: solid in an algorithm's own colour, of a spare one dashes and dots, one dot more where all
    spare colours are taken. Nothing else has such a line: limits have plain dashes."""
    own: dict = {}      # the name that has the colour of each algorithm
    for label in sorted(labels, key=lambda label: label not in COLOURS):     # stable: the others in their order
        algorithm = re.split("[:+ ]", label)[0]
        if algorithm in COLOURS:
            own.setdefault(algorithm, label)
    others = [label for label in dict.fromkeys(labels) if label not in own.values()]
    return {**{label: (COLOURS[algorithm], "-") for algorithm, label in own.items()},
            **{label: (SPARE[i % len(SPARE)], (0, (6.0, 1.5) + (1.0, 1.5) * (1 + i // len(SPARE)))) for i, label in enumerate(others)}}


def lines(labels: list) -> dict:
    """Return what a line with marks looks like, by its name, as looks() has it: arguments of plot()."""
    chosen = looks(labels)
    return {label: {"color": chosen[label][0], "linestyle": chosen[label][1], "marker": MARKS[at % len(MARKS)]}
            for at, label in enumerate(dict.fromkeys(labels))}


def flow_colours(count: int) -> list:
    """Return colours of the lines of so many flows: viridis, which anyone can order, and which no algorithm has."""
    return [viridis(0.9 * i / max(count - 1, 1)) for i in range(count)]


def named(label: str) -> str:
    """Return a name of the user's as a label: matplotlib leaves what begins with _ out of every legend."""
    return f" {label}" if label.startswith("_") else label


def legend_of(axes: Iterable, labels: list) -> tuple:
    """Return handles and names of what any panel shows, in the order of the names that it begins with."""
    found: dict = {}
    for ax in axes:
        for handle, name in zip(*ax.get_legend_handles_labels()):
            found.setdefault(name, handle)
    order = {named(label): at for at, label in enumerate(labels)}
    names = sorted(found, key=lambda name: order.get(name.split(", which has no ")[0], len(order)))
    return [found[name] for name in names], names


# ------------------------------------------------------------------------------------------------ the frame

class Sheet:
    """A figure of panels in rows and columns; `axes` has them row by row. Heads first, finish() last."""

    def __init__(self, panels: int = 1, height: Optional[float] = None, sharex: object = True, sharey: object = True, columns: int = 1,
                 width: float = WIDTH):
        height = height or HEIGHT * (1 if panels == 1 else 2 + max(0, panels - 4 + 2) // 3)
        self.figure = Figure(figsize=(width, width * Output.size[1] / Output.size[0] if Output.size else height), constrained_layout=True)
        FigureCanvasAgg(self.figure)     # the figure keeps it
        self.axes = list(self.figure.subplots(panels, columns, sharex=sharex, sharey=sharey, squeeze=False).flat)
        self.heads: dict = {}       # panel -> texts (words, size, weight, colour) and legends (handles, labels)

    def text(self, panel: int, words: str, size: float = TEXT, weight: str = "normal", colour: str = INK) -> None:
        """Put a line or more above a panel."""
        self.heads.setdefault(panel, []).append((words, size, weight, colour))

    def legend(self, panel: int, handles: Optional[list] = None, labels: Optional[list] = None) -> None:
        """Put a legend above a panel."""
        if handles is None or labels is None:
            handles, labels = self.axes[panel].get_legend_handles_labels()
        if handles:
            self.heads.setdefault(panel, []).append((handles, labels))

    def head(self, panel: int, title: str, unit: str = "", legend: bool = True) -> None:
        """Put title, what the y axis shows, and the legend above a panel. --title is in place of the first panel's title and unit."""
        own = Output.title if panel == 0 else ""
        self.text(panel, own or title, 11, "bold")
        if unit and not own:
            self.text(panel, unit, SMALL, colour=FAINT)
        if legend:
            self.legend(panel)

    def _height(self, artist) -> float:
        return artist.get_window_extent(self.figure.canvas.get_renderer()).height / self.figure.dpi

    def _put(self, ax, at: float, item: tuple):
        """Put a text or a legend so many inches above an axes, at the left end of the figure. Returns its artist."""
        place = blended_transform_factory(self.figure.transFigure, ax.transAxes) + \
            ScaledTranslation(MARGIN, at, self.figure.dpi_scale_trans)
        if len(item) == 4:
            words, size, weight, colour = item
            artist = self.figure.text(0, 1, wrap(self.figure, words, size, weight), transform=place, fontsize=size, fontweight=weight,
                                      color=colour, va="bottom", ha="left")
        else:
            artist = fitting_legend(self.figure, *item)
            artist.set_bbox_to_anchor((0, 1), place)
        artist.set_in_layout(False)
        return artist

    def _has_space(self) -> bool:
        """Lay the figure out, and return whether every panel has space. matplotlib warns where it leaves everything in its place."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.figure.draw_without_rendering()
        least = min(ax.get_position().height for ax in self.axes) * self.figure.get_figheight()
        return least >= LEAST / (2 if len(self.axes) > 1 else 1) and not any("layout not applied" in str(one.message) for one in told)

    def finish(self, footer: str) -> None:
        """Lay everything out, and let the figure grow until its panels have space."""
        note = footer if len(footer) <= NOTE_LETTERS else footer[:NOTE_LETTERS] + "... | " + footer.rpartition(" | ")[2]
        self.figure.supxlabel(wrap(self.figure, note, NOTE), x=MARGIN / self.figure.get_figwidth(), ha="left", fontsize=NOTE, color=FAINT)
        for panel, items in self.heads.items():
            ax, at = self.axes[panel], 0.08 + (0.2 if self.axes[panel].get_title() else 0)
            for item in reversed(items):
                at += self._height(self._put(ax, at, item)) + 0.05
            ax.annotate(" ", (0, 1), xycoords="axes fraction", xytext=(0, 72 * at - 8), textcoords="offset points", fontsize=1)
        width, height = self.figure.get_size_inches()
        first = width
        while not self._has_space():
            if Output.size and width >= MOST * first:
                raise ValueError(f"--size leaves no space for {len(self.axes)} panels; give more height")
            width, height = (1.1 * width, 1.1 * height) if Output.size else (width, height + HEIGHT)
            self.figure.set_size_inches(width, height)


def wrap(figure: Figure, text: str, size: float, weight: str = "normal") -> str:
    """Break a text between words, so that it is as wide as the figure at most."""
    probe = figure.text(0, 0, text, fontsize=size, fontweight=weight)
    space, letters = figure.get_figwidth() - 2 * MARGIN, len(text)

    def inches() -> float:
        return probe.get_window_extent(figure.canvas.get_renderer()).width / figure.dpi
    while inches() > space and letters > 12:
        letters = min(letters - 1, int(letters * space / inches()) + 1)
        probe.set_text("\n".join(textwrap.wrap(text, letters, break_on_hyphens=False)))
    probe.remove()
    return probe.get_text()


def fitting_legend(figure: Figure, handles: list, labels: list, most: int = 4):
    """Return a legend of the figure that is not wider than it, with at most `most` columns."""
    legend = None
    for columns in range(min(len(handles), most), 0, -1):
        wrapped = labels if columns > 1 else ["\n".join(textwrap.wrap(label, 60)) for label in labels]
        legend = figure.legend(handles, wrapped, loc="lower left", ncol=columns, borderaxespad=0, borderpad=0, handlelength=1.7,
                               columnspacing=1.2, handletextpad=0.5, labelspacing=0.3)
        width = legend.get_window_extent(figure.canvas.get_renderer()).width / figure.dpi
        if columns == 1 or width <= figure.get_figwidth() - 2 * MARGIN:
            break
        legend.remove()
    return legend


# ------------------------------------------------------------------------------------------------ the files

def write(figure: Figure, folder: str, name: str) -> str:
    """Write the figure as FOLDER/NAME.png, and in the other formats asked for; NAME may end in .png. Returns its name."""
    stem = name[:-4] if name.endswith(".png") else name
    if Output.figures and stem not in Output.figures:
        return ""
    for kind in Output.formats:
        save(figure, folder, f"{stem}.{kind}", kind)
    return stem + ".png"


def describe(figure: Figure) -> dict:
    """Return the metadata of a PNG: a line for each text that the figure shows, without ticks and names of axes."""
    legends = [*figure.legends, *filter(None, (ax.get_legend() for ax in figure.axes))]
    texts = [*(artist.get_text() for artist in reversed(figure.texts)), *(artist.get_text() for ax in figure.axes for artist in ax.texts),
             *(ax.get_title(side) for ax in figure.axes for side in ("left", "center")),
             *(artist.get_text() for legend in legends for artist in legend.get_texts())]
    told = "\n".join(filter(None, (" ".join(text.split()) for text in texts)))
    return {"Description": told.encode("utf-8", "replace").decode("utf-8"), "Software": None}


def save(figure: Figure, folder: str, name: str, kind: str) -> None:
    """Write the figure as a file of a format in a folder. Without Software and Date: the same results give the same bytes. A PNG has
    the size of --size, SVG and PDF have its shape."""
    grown = Output.size[0] / figure.get_figwidth() if Output.size else 1.0
    metadata = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Producer": None}, "png": describe(figure)}[kind]
    with below.replace(folder, name, "wb") as f:
        figure.savefig(f, format=kind, dpi=DPI * grown, metadata=metadata)


# ------------------------------------------------------------------------------------------------ the processes

def each_in_a_process(jobs: list) -> list:
    """Call functions without arguments, one process per processor. Returns what they returned, or the exception of one that failed."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context
    _JOBS[:] = jobs
    workers = min(len(jobs), os.cpu_count() or 1)
    if workers < 2:
        return [_call(at) for at in range(len(jobs))]
    gc.freeze()  # objects that exist now are not copied in each process
    with ProcessPoolExecutor(workers, get_context("fork"), end_with_parent()) as pool:  # forked: matplotlib is loaded once
        return list(pool.map(_call, range(len(jobs))))


def draw_all(jobs: list) -> int:
    """Draw figures as each_in_a_process does; says on stderr which failed, and returns the exit status."""
    failed = [one for one in each_in_a_process(jobs) if isinstance(one, Exception)]
    for error in failed:
        print(error, file=sys.stderr)
    return 1 if failed else 0


def leave(status: int) -> None:
    """End the process as sys.exit() does, but for taking down every module, which takes a fifth of the time of a small figure."""
    atexit._run_exitfuncs()  # pylint: disable=protected-access
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # pylint: disable=protected-access


_JOBS: list = []    # forked processes find them here


def _call(at: int) -> object:
    job: Callable = _JOBS[at]
    try:
        return job()
    except Exception as error:  # one figure must not take the others away
        name = getattr(getattr(job, "func", job), "__name__", "").replace("draw_", "").replace("_", " ").strip()
        text = " ".join(str(error).split())
        own = text if isinstance(error, ValueError) else f"its data are not as expected ({type(error).__name__}: {text})"
        return RuntimeError(text if isinstance(error, (OSError, RccError)) else f"the figure of {name} cannot be drawn: {own}")
