# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc plot`: draw the plots and the report of a finished run again, or one figure as a talk or a paper needs it."""
from __future__ import annotations

import contextlib
import json
import os
import re
from typing import Optional

from .draw import drawing
from .html import sweep_report
from .judge import sweep_results
from .. import lock, owned
from .read import results
from .. import below
from ..common import EXIT_FAILED, RccError, nearest
from ..registry import Command
from ..system import packages

LEAST, MOST = 2.0, 40.0     # inches of a figure


def size(text: str) -> str:
    """--size=WxH, judged."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
    if not found or not all(LEAST <= float(part) <= MOST for part in found.groups()):
        raise RccError(f"--size={text}: expected width x height in inches, {LEAST:g} to {MOST:g} each, e.g. 10x5.6")
    return text


def add_arguments(parser) -> None:
    parser.add_argument("folder", metavar="DIR", help="output folder of a run or a sweep")
    drawing.add_format(parser)
    parser.add_argument("--figure", metavar="NAME", help="only this one, e.g. queue or sweep-utilization; report.html stays as it is")
    parser.add_argument("--size", metavar="WxH", type=size, help="inches of PNGs, e.g. 10x5.6 for a slide, and shape of all "
                        "formats; letters grow with the width")
    parser.add_argument("--title", metavar="TEXT", help="in place of the figure's own title; needs --figure")


def command(args) -> int:
    if args.title is not None and args.figure is None:
        raise RccError("--title is for one figure; give --figure=NAME too")
    of_sweep = not below.is_there(args.folder, "summary.json") and below.is_there(args.folder, sweep_results.SUMMARY)
    merged = {} if of_sweep else results.load(args.folder)
    job = sweep_job(args.folder) if of_sweep else json.dumps(os.path.abspath(args.folder))
    known = sweep_report.names(json.loads(job)) if of_sweep else [name[:-4] for name in results.PLOTS]
    if args.figure is not None and args.figure not in known:
        raise RccError(f"--figure={args.figure}: no figure of {args.folder}{nearest(args.figure, known)}; known: {', '.join(known)}")
    if not of_sweep:
        results.check_series(args.folder, merged)
    if not packages.plotting_python():   # the figures that are there stay
        raise RccError("no plots: matplotlib is not installed (./rcc doctor)", EXIT_FAILED)
    with lock.locked(args.folder, ""):
        if args.figure is None and args.size is None and not of_sweep:
            return draw(args.folder, merged, args.format)
        return draw_some(args, job, of_sweep, known)


def sweep_job(folder: str) -> str:
    """Return the input of command.results.draw.sweep_plots, as the sweep left it."""
    job = below.read_json(folder, sweep_results.SUMMARY).get("drawing")
    if not isinstance(job, dict) or not {"x", "varying", "metrics", "groups", "command", "rcc_version"} <= job.keys():
        raise RccError(f"{os.path.join(folder, sweep_results.SUMMARY)}: drawing: found none, expected what a sweep of this version "
                       "writes; give the sweep's command again")
    return json.dumps(job)


def draw_some(args, job: str, of_sweep: bool, known: list) -> int:
    """Figures without the report."""
    more = [f"--{name}={value}" for name, value in (("figure", args.figure), ("size", args.size), ("title", args.title)) if value]
    words = ["-m", "command.results.draw.draw_run"]
    if of_sweep:
        words = ["-m", "command.results.draw.sweep_plots", os.path.abspath(args.folder)]
    wanted = [args.figure] if args.figure else known
    files = [f"{name}.{kind}" for name in wanted for kind in ["png", *(args.format or "").split(",")] if kind]
    own = sweep_results.own_files(args.folder) if of_sweep else results.own_files(args.folder, [], False)
    writer = sweep_results.SWEEP if of_sweep else results.RUN
    owned.refuse_others(args.folder, files, own, writer)
    before = {name: state(os.path.join(args.folder, name)) for name in files}
    trouble = drawing.plotting_process(words, job, args.format, tuple(more))
    if trouble:
        raise RccError(f"no plots: {trouble}", EXIT_FAILED)
    made = [name for name, old in before.items() if state(os.path.join(args.folder, name)) not in (old, None)]
    owned.record(args.folder, own.union(made), writer)
    if not made and not os.environ.get("RCC_MAX_EVENTS"):   # where nothing is drawn
        raise RccError(f"{args.folder}: no series for {f'--figure={args.figure}' if args.figure else 'any figure'}")
    print("\n".join(os.path.join(args.folder, name) for name in made))
    return 0


def state(path: str) -> Optional[tuple]:
    """Return inode and time of a file, which differ once it has been written again; None without one."""
    with contextlib.suppress(OSError):
        found = os.stat(path)
        return found.st_ino, found.st_mtime_ns
    return None


def draw(folder: str, merged: dict, wanted: Optional[str]) -> int:
    files = results.figure_files(results.PLOTS)
    own = results.own_files(folder, [], False)
    owned.refuse_others(folder, [*files, "report.html"], own, results.RUN)
    with contextlib.suppress(OSError):
        results.remove(folder, sorted(own.intersection(files)))
    with drawing.RunPlotter(folder, True, wanted) as plotter:
        if not plotter.publish(merged):
            return EXIT_FAILED
    made = [name for name in files if os.path.exists(os.path.join(folder, name))]
    print("\n".join(os.path.join(folder, name) for name in made + ["report.html"]))
    return 0


COMMAND = Command(
    description="Draw the plots and report.html again from the results in DIR.",
    examples=[("./rcc plot out/incast", "after a run with --no-plots, for example"),
              ("./rcc plot out/incast --format=pdf,svg", "for a paper"),
              ("./rcc plot out/incast --figure=queue --size=10x5.6 --title='2000 flows'", "for a slide")],
    add_arguments=add_arguments,
    run=command)
