# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What is said of runs beside their results: which marks each algorithm had, where packets wait that the watched port does not see, and
which flows have an algorithm of their own."""
from __future__ import annotations

from ..read import seeds
from .questions import QUEUE, Question
from ...common import get, readable

RED = ("kmin", "kmax", "pmax")
OWN = "own_algorithms"      # of run.json: {algorithm: {"flows", "parameters"}} of those that were chosen for single flows


def marking_words(runs: list) -> str:
    """Which RED each algorithm had, of one too; "" if nothing was marked by RED."""
    marked: dict = {}
    for run in runs:
        parameters = run.get("parameters")
        if isinstance(parameters, dict) and all(key in parameters for key in RED):
            marked.setdefault(tuple(_red(run, key) for key in RED), []).append(seeds.label(run))
    if not marked:
        return ""
    return "RED marking (Kmin, Kmax, Pmax): " + "; ".join(", ".join(who) + " " + " ".join(red) for red, who in marked.items())


def _red(run: dict, key: str) -> str:
    """The parameter, or the threshold that followed from the port's rate where it is 0."""
    given, derived = str(run["parameters"][key]), get(run, f"{key}_bytes")
    return readable(f"{derived:.0f}B" if derived and given == "0B" else given)


def words(runs: list, asks: Question) -> list:
    """One line for each thing that the answer alone would hide."""
    return [text for text in (elsewhere(runs, asks), own_algorithms(runs)) if text]


def elsewhere(runs: list, asks: Question) -> str:
    """Return the line about runs whose packets were marked or paused though the watched port has no queue under any of the runs."""
    empty = bool(runs) and all((get(run, QUEUE.path) or 0) < QUEUE.least and not get(run, "queue.max_bytes") for run in runs)
    who = [seeds.label(run) for run in runs if get(run, "packets_marked") or get(run, "pfc.pauses")]
    return f"{', '.join(who)}: the watched port has no queue, packets wait at other ports" if asks.number is QUEUE and empty and who else ""


def of_flows(run: dict) -> dict:
    """{algorithm: how many flows it was chosen for}, whatever the run is called; {} of a run whose flows all have the run's."""
    own = run.get(OWN)
    found = {name: get(run, f"{OWN}.{name}.flows") for name in (own if isinstance(own, dict) else ())}
    return {name: count for name, count in found.items() if count}


def all_own(run: dict) -> bool:
    """Whether no flow is without an algorithm of its own."""
    found = of_flows(run)
    return bool(found) and sum(found.values()) == get(run, "flows")


def is_name_only(run: dict) -> bool:
    """Whether no flow has the algorithm that a run is called by."""
    return all_own(run) and run.get("cc") not in of_flows(run)


def own_algorithms(runs: list) -> str:
    """How many flows have an algorithm of their own: the same ones in all runs."""
    found = of_flows(runs[0]) if runs else {}
    each = ", ".join(f"{name} {number:.0f}" for name, number in found.items())
    count = get(runs[0], "flows") or 0 if runs else 0
    return f"{sum(found.values()):.0f} of {count:.0f} flows have an algorithm of their own: {each}" if found else ""
