# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc plot`: draw the plots and the report of a finished run again."""
from __future__ import annotations

import contextlib
import os
from typing import Optional

from . import drawing, lock, results
from ..common import EXIT_FAILED, RccError
from ..registry import Command
from ..system import packages


def add_arguments(parser) -> None:
    parser.add_argument("folder", metavar="DIR", help="output folder of a run")
    drawing.add_format(parser)


def command(args) -> int:
    merged = results.load(args.folder)
    with lock.locked(args.folder, ""):
        return draw(args.folder, merged, args.format)


def draw(folder: str, merged: dict, wanted: Optional[str]) -> int:
    if not packages.plotting_python():   # the figures that are there stay
        raise RccError("no plots: matplotlib is not installed (./rcc doctor)", EXIT_FAILED)
    files = results.figure_files(results.PLOTS)
    with contextlib.suppress(OSError):
        results.remove(folder, files)
    with drawing.RunPlotter(folder, True, wanted) as plotter:
        if not plotter.publish(merged):
            return EXIT_FAILED
    made = [name for name in files if os.path.exists(os.path.join(folder, name))]
    print("\n".join(os.path.join(folder, name) for name in made + ["report.html"]))
    return 0


COMMAND = Command(
    help="draw the plots and the report of a finished run again",
    description="Draw the plots and report.html again from the results in DIR.",
    examples=[("./rcc plot out/incast", "after a run with --no-plots, for example"),
              ("./rcc plot out/incast --format=pdf,svg", "for a paper")],
    add_arguments=add_arguments,
    run=command)
