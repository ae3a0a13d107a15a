# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The frame of every figure: panels one below the other, each with title, unit and legend over the whole width, and the files
that a figure becomes. Imported only where matplotlib is. Without pyplot, which takes a quarter more time to load."""
from __future__ import annotations

import atexit
import gc
import io
import os
import re
import string
import sys
import textwrap
from typing import Callable, Iterable, Optional

import matplotlib
from matplotlib import font_manager
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import viridis
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from PIL import Image, PngImagePlugin

from . import dark
from ... import below
from ...common import RccError, end_with_parent

# Okabe and Ito's colours, told apart with any colour vision. Fixed per algorithm, so that figures of different runs
# can be laid side by side; those of variants have dashes too (looks), for print in black and white. Nothing else has these colours.
COLOURS = {"dcqcn": "#D55E00", "dcqcn-plus": "#0072B2", "qcn": "#009E73", "timely": "#CC79A7",
           "timely-patched": "#E69F00", "dcqcn-plus-share": "#882255", "none": "#777777", "hpcc": "#B2182B", "dctcp": "#66A61E",
           "swift": "#A65628", "powertcp": "#4D4D4D", "theta-powertcp": "#999933", "nscc": "#CC3399", "barre": "#117733"}
SPARE = ["#56B4E9", "#000000", "#8C6D31", "#6A51A3"]     # of presets, folders and capture points
MARKS = "osD^v"
FLOW_LINES = 8      # lines up to which each has a colour of its own, and a name
INK, FAINT = "#222222", "#666666"
DPI = 200
WIDTH, HEIGHT = 5.0, 3.9   # inches; narrow, so that letters of 9 points are read on a phone; heights are multiples of HEIGHT
FINEST = 2          # times smaller that the letters of --size may be, where a figure needs the room
MARGIN = 0.08       # inches around everything
LEAST = 0.7         # inches of axes that are worth looking at
ALONE, SIZED = 2.0, 1.6     # with its labels, of a single one, and with --size
GAP = 0.14          # inches below a panel
TEXT, SMALL, NOTE = 10.0, 9.0, 7.5
NOTE_LINES = 4    # of what a figure was made with
FONT = "DejaVu Sans"
FORMATS = ("png", "svg", "pdf")


class Output:
    """What a drawing process writes; configure() sets it."""
    formats: tuple = ("png",)
    dark = ""           # folder for the PNGs on dark ground, "" for none
    figures: tuple = ()     # the names of those that are drawn, without ending; () for all
    size: Optional[tuple] = None    # inches, of ./rcc plot --size
    title = ""          # in place of the figure's own


def configure(argv: list) -> list:
    """Take --format=LIST and --dark=DIR out of a drawing process's words. Returns the others."""
    rest = []
    for word in argv:
        name, _, value = word.partition("=")
        if name == "--format":
            Output.formats = ("png", *(kind for kind in FORMATS[1:] if kind in value.split(",")))
        elif name == "--dark":
            Output.dark = value
        elif name == "--figure":
            Output.figures = tuple(value.split(","))
        elif name == "--size":
            wide, _, high = value.partition("x")
            Output.size = (float(wide), float(high))
        elif name == "--title":
            Output.title = value
        else:
            rest.append(word)
    return rest


def fonts(words: str) -> list:
    """Names of fonts that together have all letters of a text, the usual one first; RccError of a letter of --title that none has."""
    missing, names = lacking(font_manager.findfont(FONT), set(words) - set(string.whitespace)), [FONT]
    several = getattr(matplotlib, "__version_info__", (0,)) >= (3, 6)
    for one in font_manager.fontManager.ttflist if missing and several else []:
        left = lacking(one.fname, missing)
        if left < missing:
            missing = left
            names.append(one.name)
    missing &= set(Output.title)
    if missing:
        raise RccError(f"--title: no font of this machine has {' '.join(sorted(missing))}")
    return names


def lacking(path: str, letters: set) -> set:
    """Those of the letters that a font does not have: all of one that cannot be read."""
    try:
        font = font_manager.get_font(path)
        return {letter for letter in letters if not font.get_char_index(ord(letter))}
    except (OSError, RuntimeError):
        return letters


def set_style(words: str = "") -> None:
    """`words`: what the figures say beside --title that may have letters of any script."""
    matplotlib.rcParams.update({
        "figure.facecolor": "white", "axes.facecolor": "white", "font.family": "sans-serif", "font.sans-serif": fonts(Output.title + words),
        "font.size": TEXT, "axes.labelsize": TEXT, "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "axes.edgecolor": "#999999",
        "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.7, "axes.axisbelow": True,
        "lines.linewidth": 1.4, "legend.frameon": False, "legend.fontsize": SMALL, "svg.hashsalt": "rcc", "pdf.fonttype": 42,
        "svg.fonttype": "none", "axes.formatter.useoffset": False,
    })
    if "text.parse_math" in matplotlib.rcParams:
        matplotlib.rcParams["text.parse_math"] = False  # a $ is a character


def colours(labels: list) -> dict:
    """A colour for each name of a run, the same in every figure: the algorithm as it is has its own, or else the first of its presets
    and variants; the others have spare ones."""
    return {label: colour for label, (colour, _) in looks(labels).items()}


def looks(labels: list) -> dict:
    """Colour and line of each name: solid in an algorithm's own colour, of a spare one dashes and dots, one dot more where all spare
    colours are taken. Nothing else has such a line: limits have plain dashes."""
    own: dict = {}      # of each algorithm the name that has its colour
    for label in sorted(labels, key=lambda label: label not in COLOURS):     # stable: the others in their order
        algorithm = re.split("[:+]", label)[0]
        if algorithm in COLOURS:
            own.setdefault(algorithm, label)
    others = [label for label in dict.fromkeys(labels) if label not in own.values()]
    return {**{label: (COLOURS[algorithm], "-") for algorithm, label in own.items()},
            **{label: (SPARE[i % len(SPARE)], (0, (6.0, 1.5) + (1.0, 1.5) * (1 + i // len(SPARE)))) for i, label in enumerate(others)}}


def lines(labels: list) -> dict:
    """What a line with marks looks like, by its name, as looks() has it: arguments of plot()."""
    chosen = looks(labels)
    return {label: {"color": chosen[label][0], "linestyle": chosen[label][1], "marker": MARKS[at % len(MARKS)]}
            for at, label in enumerate(dict.fromkeys(labels))}


def named(label: str) -> str:
    """A name of the user's as a label: matplotlib leaves what begins with _ out of every legend."""
    return f" {label}" if label.startswith("_") else label


def legend_of(axes: Iterable, labels: list) -> tuple:
    """Handles and names of what any panel shows, in the order of the names that it begins with."""
    found: dict = {}
    for ax in axes:
        for handle, name in zip(*ax.get_legend_handles_labels()):
            found.setdefault(name, handle)
    order = {named(label): at for at, label in enumerate(labels)}
    names = sorted(found, key=lambda name: order.get(name.split(", which has no ")[0], len(order)))
    return [found[name] for name in names], names


def empty(size: Optional[tuple] = None) -> Figure:
    """A figure without anything, so many inches wide and high."""
    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)     # the figure keeps it
    return figure


def flow_colours(count: int) -> list:
    """Colours of the lines of so many flows: viridis, which anyone can order, and which no algorithm has."""
    return [viridis(0.9 * i / max(count - 1, 1)) for i in range(count)]


def shaped(width: float, height: float) -> float:
    """The height of a figure that is drawn `width` inches wide: of the shape of --size, to which it is enlarged, letters too."""
    return width * Output.size[1] / Output.size[0] if Output.size else height


def grid_size(width: float, height: float, least: float, rows: int) -> tuple:
    """Inches of a figure of panels beside and below one another, `least` of which its height takes: with --size, of its shape, with
    smaller letters where it needs the room."""
    grown = max(1.0, least / shaped(width, height))
    if grown > FINEST:
        raise ValueError(f"--size leaves no room for {rows} panels below one another; give more height")
    return grown * width, grown * shaped(width, height)


def wrap(figure: Figure, text: str, size: float, weight: str = "normal") -> str:
    """Broken between words, so that it is as wide as the figure at most."""
    probe = figure.text(0, 0, text, fontsize=size, fontweight=weight)

    def inches() -> float:
        return probe.get_window_extent(figure.canvas.get_renderer()).width / figure.dpi
    width = inches()
    room = figure.get_figwidth() - 2 * MARGIN
    letters = len(text)
    while width > room and letters > 12:
        letters = min(letters - 1, int(letters * room / width) + 1)
        probe.set_text("\n".join(textwrap.wrap(text, letters, break_on_hyphens=False)))
        width = inches()
    wrapped = probe.get_text()
    probe.remove()
    return wrapped


def heading(figure: Figure, size: tuple, words: str) -> float:
    """The title of a figure of `size` inches, or that of --title. Returns the height that it takes, inches."""
    artist = figure.text(MARGIN / size[0], 1 - MARGIN / size[1], wrap(figure, Output.title or words, 11, "bold"), fontsize=11,
                         fontweight="bold", va="top")
    return MARGIN + artist.get_window_extent(figure.canvas.get_renderer()).height / figure.dpi + 0.06


class Sheet:
    """A figure of `panels` axes in one column. Heads first, finish() last."""

    def __init__(self, panels: int = 1, height: Optional[float] = None, sharex: bool = True, sharey: bool = True):
        units = 1 if panels == 1 else 2 + max(0, panels - 4 + 2) // 3
        self.figure = empty((WIDTH, shaped(WIDTH, height or units * HEIGHT)))
        axes = self.figure.subplots(panels, 1, sharex=sharex, sharey=sharey, squeeze=False)
        self.axes = [row[0] for row in axes]
        self.heads: dict = {}       # panel -> [(artists' height in inches, function that puts the artist at y)]

    @property
    def _renderer(self):
        return self.figure.canvas.get_renderer()

    def _inches(self, artist) -> tuple:
        box = artist.get_window_extent(self._renderer)
        return box.width / self.figure.dpi, box.height / self.figure.dpi

    def text(self, panel: int, words: str, size: float = TEXT, weight: str = "normal", colour: str = INK) -> None:
        """A line or more above a panel."""
        artist = self.figure.text(MARGIN / self.figure.get_figwidth(), 0, wrap(self.figure, words, size, weight), fontsize=size,
                                  fontweight=weight, color=colour, va="top", ha="left")
        self.heads.setdefault(panel, []).append((self._inches(artist)[1] + 0.05, artist.set_y))

    def legend(self, panel: int, handles: Optional[list] = None, labels: Optional[list] = None) -> None:
        """The legend above a panel, in as many columns as fit; a label that is too long is broken."""
        if handles is None or labels is None:
            handles, labels = self.axes[panel].get_legend_handles_labels()
        if not handles:
            return
        legend = fitting_legend(self.figure, handles, labels)
        self.heads.setdefault(panel, []).append((self._inches(legend)[1] + 0.06, lambda y: legend.set_bbox_to_anchor(
            (MARGIN / self.figure.get_figwidth(), y), self.figure.transFigure)))

    def title(self, words: str) -> None:
        """What the figure is, above its first panel."""
        self.text(0, Output.title or words, 11, "bold")

    def head(self, panel: int, title: str, unit: str = "", legend: bool = True) -> None:
        """Title, what the y axis shows, and the legend."""
        self.text(panel, (Output.title if panel == 0 else "") or title, 11, "bold")
        if unit:
            self.text(panel, unit, SMALL, colour=FAINT)
        if legend:
            self.legend(panel)

    def footer(self, words: str) -> float:
        """What the figure was made with, at the bottom. Returns its height in inches."""
        wrapped = shortened(wrap(self.figure, words, NOTE).split("\n"))
        artist = self.figure.text(MARGIN / self.figure.get_figwidth(), MARGIN / self.figure.get_figheight(), wrapped, fontsize=NOTE,
                                  color=FAINT, ha="left", va="bottom")
        return self._inches(artist)[1] + 0.1

    def finish(self, footer: str) -> None:
        """Lay everything out: heads in their places, axes of equal height in what is left."""
        width, height = self.figure.get_size_inches()
        foot = self.footer(footer)
        heads = [sum(one for one, _ in self.heads.get(panel, [])) + 0.08 for panel in range(len(self.axes))]
        enough = LEAST + 0.5 if len(self.axes) > 1 else SIZED if Output.size else ALONE
        while Output.size and height - foot - sum(heads) < enough * len(self.axes) and width < FINEST * WIDTH:
            width, height = 1.1 * width, 1.1 * height     # of the same shape, with smaller letters
            self.figure.set_size_inches(width, height)
        if Output.size and height - foot - sum(heads) < (LEAST + 0.5) * len(self.axes):
            raise ValueError(f"--size leaves no room for {len(self.axes)} panels below their legends; give more height")
        while not Output.size and height - foot - sum(heads) < enough * len(self.axes):     # a legend of many rows
            height += HEIGHT
            self.figure.set_size_inches(width, height)
        self.figure.draw_without_rendering()
        around = [self._around(ax) for ax in self.axes]
        self._place(heads, around, foot)
        for _ in range(3):  # in its place an axes may have other ticks
            again = [tuple(map(max, zip(one, self._around(ax)))) for one, ax in zip(around, self.axes)]
            if all(b - a < 0.01 for one, other in zip(around, again) for a, b in zip(one, other)):
                break
            around = again
            self._place(heads, around, foot)

    def _place(self, heads: list, around: list, foot: float) -> None:
        """Heads and axes to their places. In inches, `heads`: of those of each panel; `around`: of the labels around each axes."""
        width, height = self.figure.get_size_inches()
        left, right = max(a[0] for a in around) + MARGIN, max(a[2] for a in around) + MARGIN
        each = (height - foot - 2 * MARGIN - sum(heads) - sum(a[1] for a in around) - GAP * len(around)) / len(self.axes)
        y = height - MARGIN
        for panel, ax in enumerate(self.axes):
            at = y
            for own, put in self.heads.get(panel, []):
                put(at / height)
                at -= own
            y -= heads[panel] + each
            ax.set_position((left / width, y / height, (width - left - right) / width, max(each, 0.2) / height))
            y -= around[panel][1] + GAP

    def _around(self, ax) -> tuple:
        """Inches that an axes' labels take to the left, below and to the right of it."""
        inner, outer = ax.get_window_extent(self._renderer), ax.get_tightbbox(self._renderer)
        return tuple(max(0.0, part) / self.figure.dpi for part in (inner.x0 - outer.x0, inner.y0 - outer.y0, outer.x1 - inner.x1))


def shortened(lines: list) -> str:
    """The lines of a footer, NOTE_LINES at most: of a command that takes more, the end is left out, with a mark, not what follows it."""
    if len(lines) <= NOTE_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:NOTE_LINES - 1], "... | " + " ".join(lines).rpartition(" | ")[2]])


def foot(figure: Figure, size: tuple, words: str) -> float:
    """What a figure of `size` inches was made with, at its bottom. Returns the height that it takes, inches."""
    artist = figure.text(MARGIN / size[0], MARGIN / size[1], shortened(textwrap.wrap(words, int(17 * size[0]))), fontsize=NOTE,
                         color=FAINT, va="bottom")
    return MARGIN + artist.get_window_extent(figure.canvas.get_renderer()).height / figure.dpi


def fitting_legend(figure, handles: list, labels: list, most: int = 4):
    """A legend of a figure that is not wider than it, with at most `most` columns."""
    room = figure.get_figwidth() - 2 * MARGIN
    legend = None
    for columns in range(min(len(handles), most), 0, -1):
        wrapped = labels if columns > 1 else ["\n".join(textwrap.wrap(label, 60)) for label in labels]
        legend = figure.legend(handles, wrapped, loc="upper left", ncol=columns, borderaxespad=0, borderpad=0, handlelength=1.7,
                               columnspacing=1.2, handletextpad=0.5, labelspacing=0.3)
        if columns == 1 or legend.get_window_extent(figure.canvas.get_renderer()).width / figure.dpi <= room:
            break
        legend.remove()
    return legend


def write(figure, folder: str, name: str) -> str:
    """The figure as FOLDER/NAME.png, in the other formats asked for, and on dark ground; NAME may end in .png. Returns its name."""
    stem = name[:-4] if name.endswith(".png") else name
    if Output.figures and stem not in Output.figures:
        return ""
    for kind in Output.formats:
        save(figure, folder, f"{stem}.{kind}", kind)
    if Output.dark:
        dark.recolour(figure)
        save(figure, Output.dark, stem + ".png", "png")
    return stem + ".png"


def describe(figure) -> dict:
    """Return the metadata of a PNG: a line for each text that the figure shows, without ticks and names of axes."""
    legends = [*figure.legends, *filter(None, (ax.get_legend() for ax in figure.axes))]
    texts = [*(artist.get_text() for artist in figure.texts), *(ax.get_title(loc) for ax in figure.axes for loc in ("left", "center")),
             *(artist.get_text() for legend in legends for artist in legend.get_texts()),
             *(artist.get_text() for ax in figure.axes for artist in ax.texts)]
    lines = [" ".join(text.split()) for text in texts]
    return {"Description": "\n".join(filter(None, lines)).encode("utf-8", "replace").decode("utf-8"), "Software": None}


def save(figure, folder: str, name: str, kind: str) -> None:
    """The figure as a file of a format in a folder. Without Software and Date: the same results give the same bytes."""
    nothing = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Producer": None}}
    with below.replace(folder, name, "wb") as f:
        if kind == "png":
            _save_png(figure, f)
        else:
            _save_vectors(figure, f, kind, nothing[kind])


def _save_vectors(figure, file, kind: str, metadata: dict) -> None:
    """With --size, as large as that says: what was laid out is enlarged, as PNGs are by their pixels."""
    grown = Output.size[0] / figure.get_figwidth() if Output.size else 1.0
    if kind == "svg":
        with io.BytesIO() as f:
            figure.savefig(f, format=kind, dpi=DPI, metadata=metadata, facecolor=figure.get_facecolor())
            head, tag, rest = f.getvalue().partition(b"<svg ")
        own, end, rest = rest.partition(b">")
        own = re.sub(rb'\b(width|height)="([0-9.]+)pt"', lambda m: b'%s="%.10gpt"' % (m[1], grown * float(m[2])), own)
        file.write(head + tag + own + end + rest)
        return
    if grown != 1:
        figure.add_artist(_Enlarged(grown))
    wide, high = figure.get_size_inches()
    figure.savefig(file, format=kind, dpi=DPI, metadata=metadata, facecolor=figure.get_facecolor(),
                   bbox_inches=None if grown == 1 else Bbox.from_bounds(0, 0, grown * wide, grown * high))
    if grown != 1:
        figure.artists[-1].remove()


class _Enlarged(Artist):
    """Drawn before all others, into a PDF: they become so many times larger."""

    def __init__(self, grown: float):
        super().__init__()
        self.grown = grown
        self.set_zorder(-1000)
        self.set_in_layout(False)

    def draw(self, renderer) -> None:
        file = getattr(renderer, "file", None)
        if file:        # that of a PDF; a renderer that measures has none
            from matplotlib.backends.backend_pdf import Op  # with fontTools, a quarter of the time to load matplotlib
            file.output(self.grown, 0, 0, self.grown, 0, 0, Op.concat_matrix)


def _save_png(figure, file) -> None:
    """As savefig does, but faster: it draws once, as nothing is left to be laid out, and compresses less. The files are not larger,
    as the opacity is left away: every figure has a ground."""
    before = figure.dpi
    figure.set_dpi(DPI * Output.size[0] / figure.get_figwidth() if Output.size else DPI)
    figure.canvas.draw()
    pixels = figure.canvas.buffer_rgba()
    size = pixels.shape[1], pixels.shape[0]
    told = PngImagePlugin.PngInfo()
    told.add_text("Description", describe(figure)["Description"])
    Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1).convert("RGB").save(file, "png", compress_level=3, dpi=(DPI, DPI),
                                                                                    pnginfo=told)
    figure.set_dpi(before)


def each_in_a_process(jobs: list) -> list:
    """Call functions without arguments, one process per processor. Returns what they returned, or the exception of one that failed."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context
    _JOBS[:] = jobs
    workers = min(len(jobs), os.cpu_count() or 1)
    if workers < 2:
        return [_call(at) for at in range(len(jobs))]
    gc.freeze()  # what is there now is not looked through, and so not copied, in each process
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


_JOBS: list = []    # what forked processes find


def _call(at: int) -> object:
    job: Callable = _JOBS[at]
    try:
        return job()
    except Exception as error:  # one figure must not take the others away
        return RuntimeError(sentence(job, error))


def sentence(job: Callable, error: Exception) -> str:
    """What went wrong in which figure, for people."""
    name = getattr(getattr(job, "func", job), "__name__", "").replace("draw_", "").replace("_", " ").strip()
    text = " ".join(str(error).split())
    own = isinstance(error, (OSError, RccError))
    return text if own else f"the figure{f' of {name}' if name not in ('', 'draw') else ''} cannot be drawn: " + \
        (text if isinstance(error, ValueError) else f"its data are not as expected ({type(error).__name__}: {text})")
