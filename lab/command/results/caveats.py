# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What is said of runs beside their results: which marks each algorithm had, where packets wait that the watched port does not see, and
which flows have an algorithm of their own."""
from __future__ import annotations

from . import seeds
from .questions import QUEUE, Question
from .. import units
from ..common import get, readable

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
    text = "RED marking (Kmin, Kmax, Pmax): " + "; ".join(", ".join(who) + " " + " ".join(red) for red, who in marked.items())
    for_all = [red for red in marked if units.value_of(red[1])]   # a Kmax of 0 is none, or stands for another
    if len(marked) > 1 and for_all:
        same = " ".join(f"--{key}={value}" for key, value in zip(RED, for_all[-1]))
        text += f". The same for all: {same}"
    return text


def _red(run: dict, key: str) -> str:
    """The parameter, or the threshold that followed from the port's rate where it is 0."""
    given, derived = str(run["parameters"][key]), get(run, f"{key}_bytes")
    return readable(f"{derived:.0f}B" if derived and given == "0B" else given)


def words(runs: list, asks: Question) -> list:
    """One line for each thing that the answer alone would hide."""
    return [text for text in (elsewhere(runs, asks), own_algorithms(runs)) if text]


def paused(run: dict) -> str:
    """Whom PFC paused: `paused_s` is the time of the ports of hosts."""
    return "senders" if get(run, "pfc.paused_s") else "switches"


def elsewhere(runs: list, asks: Question) -> str:
    """Where no run has a queue at the watched port, though packets were marked or somebody was paused."""
    queues = [get(run, QUEUE.path) for run in runs]
    if asks.number is not QUEUE or not runs or any(mean is None or mean >= QUEUE.least for mean in queues):
        return ""
    found = [(run, [text for path, text in (("packets_marked", "packets were marked"), ("pfc.pauses", f"{paused(run)} were paused"))
                    if get(run, path)]) for run in runs]
    told = [f"{' and '.join(what)} under {seeds.label(run)}" for run, what in found if what and not get(run, "queue.max_bytes")]
    return f"the watched port has no queue, but packets wait at other ports: {'; '.join(told)}" if told else ""


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


def name_only(runs: list) -> str:
    """The sentence beside an answer whose names are of runs alone."""
    names = list(dict.fromkeys(str(run.get("cc")) for run in runs if is_name_only(run)))
    return f"No flow is under {' or '.join(names)}: each has an algorithm of its own." if names else ""
