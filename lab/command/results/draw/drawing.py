# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Plots and report of a folder of results. Plots are drawn by a process of their own: the python3 that runs ./rcc may not be the
one that has matplotlib."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from typing import Optional

from ..html import page, report
from ..read import results
from ...common import EXIT_FAILED, ROOT, RccError, end_with_parent, refuse_twice, warn
from ...system import packages


def add_format(parser) -> None:
    """The option of every command that draws."""
    parser.add_argument("--format", metavar="LIST", type=formats, help="of the figures, beside PNG: svg, pdf")


def formats(text: str) -> str:
    """--format=svg,pdf, judged; PNG is always written."""
    for name in text.split(","):
        if name.strip().lower() not in results.FORMATS:
            raise RccError(f"--format={text}: expected {', '.join(results.FORMATS)}, or several of them separated by commas")
    return ",".join(refuse_twice(f"--format={text}", [name.strip().lower() for name in text.split(",")]))


class Plotter:
    """A process that draws. It loads matplotlib while the simulations run, and draws when it gets its job."""

    def __init__(self, words: list, wanted: Optional[str] = None, more: tuple = ()):
        """`words`: of `python -m`. `wanted`: formats beside PNG. `more`: other options of sheet.configure(). Draws nothing where
        RCC_MAX_EVENTS ends the runs early: a command is only tried out."""
        self.trouble = ""
        self.process: Optional[subprocess.Popen] = None
        if os.environ.get("RCC_MAX_EVENTS"):
            return
        python = packages.plotting_python()
        if not python:
            self.trouble = "matplotlib is not installed (./rcc doctor)"
            return
        path = os.pathsep.join(filter(None, [os.path.join(ROOT, "lab"), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": path, "MPLBACKEND": "Agg"}
        options = ([f"--format={wanted}"] if wanted else []) + list(more)
        self.process = subprocess.Popen([python, *words, *options], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
                                        preexec_fn=end_with_parent())

    def draw(self, text: str) -> str:
        """Give the process its job, and wait. Returns what went wrong, or ""."""
        if not self.process:
            return self.trouble
        _, errors = self.process.communicate(text)
        status, self.process = self.process.returncode, None
        if status:
            last = (errors.strip().splitlines() or [f"the process ended with status {status}"])[-1]
            return "drawing failed: " + last.replace(f"{RccError.__module__}.{RccError.__name__}: ", "", 1)
        return ""

    def close(self) -> None:
        """End the process, if it has not come to its end."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # with the processes that it has forked
            self.process.communicate()
            self.process = None


def plotting_process(words: list, text: str = "", wanted: Optional[str] = None, more: tuple = ()) -> str:
    """Draw at once, in a process `python WORDS` that gets `text`. Returns what went wrong, or ""."""
    plotter = Plotter(words, wanted, more)
    try:
        return plotter.draw(text)
    finally:
        plotter.close()


class RunPlotter:
    """Draws the figures and the report of a folder of runs. A context: its process is gone in the end."""

    def __init__(self, folder: str, plots: bool, wanted: Optional[str] = None):
        self.folder = folder
        self.plotter = Plotter(["-m", "command.results.draw.draw_run"], wanted) if plots else None

    def __enter__(self) -> "RunPlotter":
        return self

    def __exit__(self, *_) -> None:
        if self.plotter:
            self.plotter.close()

    def publish(self, merged: dict) -> bool:
        """Write figures and report. False, with a warning, if there are no figures and should be."""
        tty = sys.stderr.isatty() and self.plotter is not None
        sys.stderr.write("drawing the plots ..." if tty else "")
        sys.stderr.flush()
        trouble = self.plotter.draw(json.dumps(os.path.abspath(self.folder))) if self.plotter else ""
        sys.stderr.write("\r\x1b[K" if tty else "")
        if trouble:
            warn(f"no plots: {trouble}")
        try:
            page.write(self.folder, report.page(self.folder, merged))
            results.record(self.folder)
        except OSError as error:
            raise RccError(f"{self.folder}/report.html: {error.strerror or error}", EXIT_FAILED) from error
        return not trouble
