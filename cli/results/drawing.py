# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Plots and report of a folder of results. Plots are drawn by a process of their own: the python3 that runs ./rcc may not be the
one that has matplotlib."""
from __future__ import annotations

import os
import subprocess
import sys

from . import report
from ..common import EXIT_FAILED, ROOT, RccError, warn
from ..system import packages


def plotting_process(words: list, text: str = "") -> str:
    """Run `python WORDS` with `text` on stdin, in an interpreter that has matplotlib. Returns what went wrong, or "". Draws nothing
    where RCC_MAX_EVENTS ends the runs early: a command is only tried out."""
    if os.environ.get("RCC_MAX_EVENTS"):
        return ""
    python = packages.plotting_python()
    if not python:
        return "matplotlib is not installed (./rcc doctor)"
    path = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path, "MPLBACKEND": "Agg"}
    done = subprocess.run([python, *words], env=environment, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return f"drawing failed: {last}"
    return ""


def draw(folder: str) -> bool:
    """Draw the plots. False, with a warning, if that does not work."""
    trouble = plotting_process(["-m", "cli.results.draw_run", os.path.abspath(folder)])
    if trouble:
        warn(f"no plots: {trouble}")
    return not trouble


def publish(folder: str, merged: dict, plots: bool) -> str:
    """Plots and report; returns the line that says where they are."""
    tty = sys.stderr.isatty()
    if plots and tty:
        sys.stderr.write("drawing the plots ...")
        sys.stderr.flush()
    if plots:
        draw(folder)
    if plots and tty:
        sys.stderr.write("\r\x1b[K")
    try:
        report.write(folder, merged)
    except OSError as error:
        raise RccError(f"{folder}/report.html: {error.strerror or error}", EXIT_FAILED) from error
    return f"report: {os.path.join(folder, 'report.html')}   numbers: {os.path.join(folder, 'summary.json')}"
