# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs with the best value of the number that answers a scenario's question: the table marks them."""
from __future__ import annotations

from . import caveats, endings, settled
from ..read import seeds
from .questions import QUEUE, USED, Number, Question
from ...common import get

MARK = "*"
FULL = 0.9           # utilisation from which a link counts as full
ALIKE = 1.1          # numbers within this factor are marked together


def competes(run: dict, question: Question) -> bool:
    """Return whether a run may be marked, which holds for all of its seeds (lab/doc/summary.md)."""
    path, each = question.number.path, endings.own(run)
    if run.get("partial") or get(run, path) is None or any(get(one, "packets_delivered") == 0 for one in each):
        return False
    if path.startswith(seeds.OF_FLOWS) and endings.incomplete(run):
        return False
    if question.full and any(use is not None and use < FULL for use in (get(one, USED) for one in each)):
        return False
    elsewhere = question.number is QUEUE and run.get("cc") == "none" and not caveats.of_flows(run)
    return not (elsewhere and any((get(one, QUEUE.path) or 0) < QUEUE.least for one in each))


def is_close(run: dict, best: dict, number: Number) -> bool:
    """Return whether two numbers are within 10 %, both less than a frame, or have a ratio over the same seeds that may be 1."""
    a, b = get(run, number.path) or 0.0, get(best, number.path) or 0.0
    if a == b or max(a, b) < number.least or (min(a, b) > 0 and max(a, b) <= ALIKE * min(a, b)):
        return True
    found = seeds.paired(run, best, number.path)
    return found is not None and found.holds_1


def find_best(runs: list, question: Question) -> list:
    """Return the runs with the best number and those close to it, the best first; [] of one run."""
    sign = 1 if question.low else -1
    order = sorted((run for run in runs if competes(run, question)), key=lambda run: sign * (get(run, question.number.path) or 0.0))
    return [run for run in order if is_close(run, order[0], question.number)] if len(runs) > 1 else []


def name_best(question: Question) -> str:
    return f"{'smallest' if question.low else 'largest'} {question.number.called}"


def legend(question: Question) -> str:
    """Return the rule of the mark, for the line below the table."""
    among = f" of the runs with utilisation {FULL:.2f} or more" if question.full else \
        " of the runs whose flows all ended" if question.number.path.startswith(seeds.OF_FLOWS) else ""
    return f"{MARK} {name_best(question)}, and those within 10 %,{among}".rstrip(",")


def show(run: dict, number: Number) -> str:
    """Return a number with half of its interval, in how many of the seeds it is, and the mark of one that is not settled."""
    half, mean = seeds.half(run, number.path), get(run, number.path)
    told = half and mean is not None and half >= 5e-4 * abs(mean)     # else the digits that are shown do not tell it
    return number.show(mean) + (f" ±{number.show(half)}" if told else "") + seeds.lacking(run, number.path) + \
        ("" if settled.steady(run) else f" {settled.MARK}")


def words(runs: list, question: Question) -> str:
    """Return the number that answers the question: that of the best runs, or of all where none is marked."""
    best = find_best(runs, question)
    called = name_best(question) if best else question.number.called
    begin = called if called[1].isdigit() else called[0].upper() + called[1:]      # p99 stays
    return f"{begin}: " + ", ".join(f"{seeds.label(run)} {show(run, question.number)}" for run in best or runs)
