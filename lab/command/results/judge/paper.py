# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Statements of the DCQCN+ paper (ICNP 2018) on a run that has its set-up, and whether they hold.

The bands are those of the rows of `./rcc reproduce`, which a test compares. A run with another set-up, another parameter, or a
window that begins before the flows have converged has none, nor has the experiment of a file. The set-up is read from run.json, and from
the command what that has not.
"""
from __future__ import annotations

from typing import Callable, NamedTuple

from ..read import asked
from ... import units
from ...common import RccError, get, ratio, si_bytes

PAPER = "ICNP 2018"
CONVERGED_S = 0.2      # 0.1 s after the last start: "in about 0.1 seconds" (V.A)
# By scenario and rate, the queue at which the watched switch pauses all senders. Its headroom follows from the ports, the rate, the
# delay of links and the largest frame, the rest from the buffer and the ports that senders use: they are 1 us, 1000 B and 9 MB.
PFC_LIMIT = {("incast", 10e9): 4474071, ("incast", 40e9): 4440321, ("clos", 40e9): 6146682}
# "default parameters" (II.C, V): preset paper of both, as run.json has them
PARAMETERS = {
    "dcqcn": "kmin=5KB kmax=200KB pmax=0.01 cnp_interval=50us timer=55us byte_counter=10MB alpha_timer=55us g=0.00390625 f=5 "
             "r_ai=40Mbps r_hai=100Mbps r_min=1Mbps",
    "dcqcn-plus": "kmin=20KB kmax=200KB pmax=0.5 mark_at=dequeue cnp_generation=1us cnp_min_interval=45us period_floor=45us "
                  "period_counts=listed list_timeout=0s early_check=clear idle_wake=at-once lambda=2 lambda_alpha=1 m=1KB timer=55us "
                  "alpha_timer=55us timer_rule=always timer_update=every-expiry pause_rule=rearm alpha_restart=yes g=0.00390625 "
                  "initial_alpha=1 alpha_order=after-cut cut_ratio=0.5 f=5 hi_after=4 phase_boundary=upper stage_after_cut=0 ai_levels=one "
                  "ai_alpha=0.1 ai_flow=0.1 ai_line=0.01 hi_flow=1 hi_line=0.01 target_cap=line r_min=0.0001 pacing=follow",
}
CHANGES = ("attributes", "inputs", "frames_lost", "packets_overrun")   # keys that a run has where more was set than the paper has
# options that run.json has not, as the paper's runs have them; "": it gives none
OPTIONS = {"start": "0.1s", "ack-every": "64", "rto": "67.108864ms", "storm-action": "report", "retry-limit": "", "nic": ""}
FAILS_FROM = {10e9: 160, 40e9: 320}   # flows, twice those of figure 4: there is no doubt that DCQCN fails


class Said(NamedTuple):
    """A statement of the paper and what holds of it."""
    row: str        # a row of ./rcc reproduce
    figure: str
    path: str       # the number that it is about
    words: str      # published, in words
    called: str     # the number, in a sentence
    show: Callable
    holds: Callable[[float], bool]


def _queue(row: str, figure: str, words: str) -> Said:
    return Said(row, figure, "queue.p99_bytes", words, "p99", si_bytes, lambda v: v <= 250e3)


def _rate(row: str, figure: str, words: str) -> Said:
    return Said(row, figure, "send_utilization", words, "used", ratio, lambda v: v >= 0.9)


PLUS = {"incast": (_queue("dp-fig6-40g", "6", "a queue of about 200 KB at most"),
                   _rate("dp-fig6-40g-rate", "6", "more than 90 % of the link")),
        "clos": (_queue("dp-fig9-queue", "9", "a queue below 200 KB"), _rate("dp-fig9", "9", "about 95 % of 400 Gb/s"))}
FAILS = (Said("dp-fig4b-level", "4", "queue.mean_bytes", "a queue at the PFC limit, 4.9 MB", "mean", si_bytes,
              lambda v: abs(v / 4.9e6 - 1) <= 0.15),)


def _its_setup(run: dict, cc: str) -> bool:
    flows, rate = get(run, "flows") or 0, get(run, "rate_bps")
    window, scenario = run.get("window_s"), run.get("scenario")
    if run.get("preset") != "paper" or run.get("fct") or run.get("partial") or not isinstance(window, list) or window[0] < CONVERGED_S:
        return False
    if run.get("parameters") != parameters(cc) or any(run.get(key) for key in CHANGES) or \
            get(run, "pfc_limit_bytes") != PFC_LIMIT.get((scenario, rate)):
        return False
    if scenario == "clos":
        return (flows, get(run, "hosts"), get(run, "senders"), get(run, "answer.capacity_bps")) == (1900, 1910, 1900, 400e9)
    return (get(run, "hosts"), get(run, "senders"), get(run, "bottleneck_bps")) == (9, 8, rate) and 8 <= flows <= 2000


def parameters(cc: str) -> dict:
    """Return the parameters of the paper's runs; {} for an algorithm that it does not have."""
    return dict(pair.split("=") for pair in PARAMETERS.get(cc, "").split())


def _number(text: str) -> object:
    """A quantity as a number, so that 100ms is 0.1s; of another text itself."""
    try:
        found = units.value_of(text)
    except RccError:
        found = None
    return text if found is None else round(found, 12)


def _its_options(run: dict, command: str) -> bool:
    """Return whether the command sets none of these options otherwise."""
    own = asked.read_command(command, run).given
    return not asked.names_file(command) and all(_number(own[name]) == _number(text) for name, text in OPTIONS.items() if name in own)


def list_statements(run: dict, command: str = "") -> tuple:
    """Return the paper's statements on this run. `command`: the one that made it, where the run does not have its own."""
    cc = run.get("algorithm", run.get("cc"))   # while figures are drawn, "cc" is the run's folder
    if cc not in PARAMETERS or not _its_setup(run, cc) or not _its_options(run, str(run.get("command") or command)):
        return ()
    if cc == "dcqcn-plus":
        return PLUS[run["scenario"]]
    fails = cc == "dcqcn" and run["scenario"] == "incast" and (get(run, "flows") or 0) >= FAILS_FROM[get(run, "rate_bps")]
    return FAILS if fails else ()
