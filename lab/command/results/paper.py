# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the DCQCN+ paper (ICNP 2018) says of a run that has its set-up: values that the figures mark, and whether they hold.

The bands are those of the rows in published/dcqcn_plus*.py, which a test compares. A run with another set-up, another preset, or a window
that begins before the flows have converged has none.
"""
from __future__ import annotations

from typing import Callable, NamedTuple

from ..common import get, ratio, si_bytes

PAPER = "ICNP 2018"
CONVERGED_S = 0.2      # 0.1 s after the last start: "in about 0.1 seconds" (V.A)
PFC_LIMIT = (4.3e6, 4.5e6)   # of the paper's switch, 9 MB for nine ports
FAILS_FROM = {10e9: 160, 40e9: 320}   # flows, twice those of figure 4: there is no doubt that DCQCN fails


class Said(NamedTuple):
    """A statement of the paper and what holds of it."""
    row: str        # in lab/doc/results.md
    figure: str
    path: str       # the number that it is about
    value: float    # published
    words: str      # the same
    called: str     # the number, in a sentence
    show: Callable
    holds: Callable[[float], bool]


def _queue(row: str, figure: str, words: str) -> Said:
    return Said(row, figure, "queue.p99_bytes", 200e3, words, "p99", si_bytes, lambda v: v <= 250e3)


def _rate(row: str, figure: str, value: float, words: str) -> Said:
    return Said(row, figure, "send_utilization", value, words, "used", ratio, lambda v: v >= 0.9)


PLUS = {"incast": (_queue("dp-fig6-40g", "6", "a queue of about 200 KB at most"),
                   _rate("dp-fig6-40g-rate", "6", 0.9, "more than 90 % of the link")),
        "clos": (_queue("dp-fig9-queue", "9", "a queue below 200 KB"), _rate("dp-fig9", "9", 0.95, "about 95 % of 400 Gb/s"))}
FAILS = (Said("dp-fig4b-level", "4", "queue.mean_bytes", 4.9e6, "a queue at the PFC limit, 4.9 MB", "mean", si_bytes,
              lambda v: abs(v / 4.9e6 - 1) <= 0.15),)


def _its_setup(run: dict) -> bool:
    flows, rate = get(run, "flows") or 0, get(run, "rate_bps")
    window, limit = run.get("window_s"), get(run, "pfc_limit_bytes") or 0
    if run.get("preset") != "paper" or run.get("fct") or run.get("partial") or not isinstance(window, list) or window[0] < CONVERGED_S:
        return False
    if run.get("scenario") == "clos":
        return (flows, get(run, "hosts"), get(run, "senders"), rate, get(run, "answer.capacity_bps")) == (1900, 1910, 1900, 40e9, 400e9)
    return run.get("scenario") == "incast" and (get(run, "hosts"), get(run, "senders")) == (9, 8) and rate in FAILS_FROM and \
        8 <= flows <= 2000 and PFC_LIMIT[0] <= limit <= PFC_LIMIT[1]


def of(run: dict) -> tuple:
    """What the paper says of this run."""
    cc = run.get("algorithm", run.get("cc"))   # while figures are drawn, "cc" is the run's folder
    if not _its_setup(run):
        return ()
    if cc == "dcqcn-plus":
        return PLUS[run["scenario"]]
    fails = cc == "dcqcn" and run["scenario"] == "incast" and (get(run, "flows") or 0) >= FAILS_FROM[get(run, "rate_bps")]
    return FAILS if fails else ()


def words(runs: list, name: Callable) -> str:
    """One line, or "". `name`: of a run."""
    parts = []
    for run in runs:
        said = [(one, get(run, one.path)) for one in of(run)]
        if said and all(value is not None for _, value in said):
            parts.append(f"{name(run)} {' and '.join(one.words for one, _ in said)} (figure {said[0][0].figure}), here "
                         + " and ".join(f"{one.called} {one.show(value)}, {'inside' if one.holds(value) else 'OUTSIDE'}"
                                        for one, value in said))
    return f"published ({PAPER}): " + "; ".join(parts) if parts else ""
