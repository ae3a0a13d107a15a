# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc plot`: draw the plots and the report of a finished run again."""
from __future__ import annotations

import contextlib
import os

from . import drawing, lock, report, results
from ..common import EXIT_FAILED, RccError
from ..registry import Command


def add_arguments(parser) -> None:
    parser.add_argument("folder", metavar="DIR", help="output folder of a run")


def command(args) -> int:
    merged = results.load(args.folder)
    with lock.locked(args.folder, ""):
        return draw(args.folder, merged)


def draw(folder: str, merged: dict) -> int:
    with contextlib.suppress(OSError):
        for name in results.PLOTS:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))
    if not drawing.draw(folder):
        return EXIT_FAILED
    try:
        report.write(folder, merged)
    except OSError as error:
        raise RccError(f"{folder}: cannot write there: {error.strerror or error}") from error
    made = [name for name in results.PLOTS if os.path.exists(os.path.join(folder, name))]
    print("\n".join(os.path.join(folder, name) for name in made + ["report.html"]))
    return 0


COMMAND = Command(
    help="draw the plots and the report of a finished run again",
    description="Draw the plots and report.html again from the results in DIR.",
    examples=[("./rcc plot out/incast", "after a run with --no-plots, for example")],
    add_arguments=add_arguments,
    run=command)
