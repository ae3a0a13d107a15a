# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Which algorithm answers a scenario's question best, and the sentence that says so. Alike is alike; one that leaves the link idle, that
was stopped early, or whose flows did not end wins nothing."""
from __future__ import annotations

from typing import NamedTuple, Optional

from . import caveats, endings, seeds, settled
from .questions import FCT_MEAN, LOST, QUEUE, USE, USED, Number, Question
from .statistics import Ratio
from ..common import digits, get, plural

IDLE = 0.9           # utilisation below which a link is idle
ALIKE = 1.1          # numbers within this factor are alike


class Standing(NamedTuple):
    """Of the runs: those that compete, the best first, then those that are alike with it; how many these are together; those that do
    not compete, with the reason."""
    order: list
    alike: int
    out: list

    @property
    def winner(self) -> Optional[dict]:
        """The one that is better than all others; None without others, or if several are alike."""
        return self.order[0] if self.alike == 1 and len(self.order) + len(self.out) > 1 else None


def why_out(run: dict, question: Question) -> str:
    """Why a run cannot win, or "": in any of its seeds."""
    each = endings.own(run)
    still = sum(get(one, "packets_delivered") == 0 for one in each)
    if still:
        return "delivered nothing" + _of_seeds(still, each)
    if run.get("partial"):
        return "was stopped early"
    late = endings.incomplete(run) if question.number.path.startswith(seeds.OF_FLOWS) else 0
    if late:
        return f"has {plural(late, 'flow')} that did not end"
    if get(run, question.number.path) is None:
        return f"has no {question.number.called}"
    used = [use for use in (get(one, USED) for one in each) if use is not None]
    if question.full and used and min(used) < IDLE:
        low = sum(use < IDLE for use in used)
        idle = 100 * (1 - (min(used) if low < len(used) else sum(used) / len(used)))
        return (f"leaves {idle:.1f} % of the link idle" if idle >= 99.5 else f"leaves {idle:.0f} % of the link idle") + _of_seeds(low, used)
    empty = sum((get(one, QUEUE.path) or 0) < QUEUE.least for one in each)
    if question.number is QUEUE and _is_without_control(run) and empty:
        return f"has no queue there{_of_seeds(empty, each)}, which without control means that packets wait elsewhere"
    return ""


def _is_without_control(run: dict) -> bool:
    return run.get("cc") == "none" and not caveats.of_flows(run)


def _of_seeds(count: int, of: list) -> str:
    return f" in {count} of {len(of)} seeds" if count < len(of) else ""


def paired(run: dict, base: dict, path: str) -> Optional[Ratio]:
    """The ratio of two runs' numbers over the seeds that both have: the traffic of a seed is the same for both."""
    return seeds.paired(run, base, path)


def same(run: dict, best: dict, number: Number) -> bool:
    a, b = get(run, number.path) or 0.0, get(best, number.path) or 0.0
    if a == b or max(a, b) < number.least or (min(a, b) > 0 and max(a, b) <= ALIKE * min(a, b)):
        return True
    found = paired(run, best, number.path)
    return found is not None and found.holds_1


def stand(runs: list, question: Question) -> Standing:
    reasons = [why_out(run, question) for run in runs]
    path = question.number.path
    order = sorted((run for run, why in zip(runs, reasons) if not why), key=lambda r: (get(r, path) or 0.0) * (1 if question.low else -1))
    like = [same(run, order[0], question.number) for run in order]
    order = [run for run, found in zip(order, like) if found] + [run for run, found in zip(order, like) if not found]
    return Standing(order, sum(like), [(run, why) for run, why in zip(runs, reasons) if why])


def shown(run: dict, number: Number) -> str:
    """A number with half of its interval, and in how many of the seeds it is."""
    half, mean = seeds.half(run, number.path), get(run, number.path)
    told = half and mean is not None and half >= 5e-4 * abs(mean)     # else the digits that are shown do not tell it
    return number.show(mean) + (f" ±{number.show(half)}" if told else "") + seeds.lacking(run, number.path)


def value(run: dict, question: Question) -> str:
    """"63.7 KB at utilisation 0.92 (not settled)": the number, what is read with it, and whether it may be another in a longer run."""
    beside = [f"{number.called} {_short(run, number)}" for number in question.beside if get(run, number.path) is not None]
    text = shown(run, question.number)
    if question.number is QUEUE and get(run, LOST.path):     # a queue that loses the rest is small, and its link full
        beside += [f"{LOST.show(get(run, LOST.path))} {'packet' if get(run, LOST.path) == 1 else 'packets'} lost"]
    if question.beside == (USE,) and beside:
        text, beside = f"{text} at {', '.join(beside)}", []
    beside += _moving(run)
    return f"{text} ({', '.join(beside)})" if beside else text


def _moving(run: dict) -> list:
    return [] if settled.steady(run) else ["not settled"]


def _short(run: dict, number: Number) -> str:
    text = f"{get(run, number.path):.2f}" if number.path == USED else number.show(get(run, number.path))
    return text + seeds.lacking(run, number.path)


def compared(run: dict, best: dict, question: Question) -> str:
    """", 120 times as much", by the same seeds where there are several; "" where it cannot be said."""
    path = question.number.path
    a, b = get(run, path), get(best, path)
    if not a or not b:
        return ""
    found = paired(run, best, path)
    if found and found.low < found.high:
        return f", {found.text(' times as much')}"
    times = found.mean if found else a / b
    return f", {digits(times, 3 if 0.5 < times < 2 else 2)} times as much"     # beside the edge of what is alike


def words(runs: list, question: Question) -> str:
    """The answer: the best and its number first, then the others, then those that win nothing."""
    standing = stand(runs, question)
    number, best = question.number, "smallest" if question.low else "largest"
    name = seeds.label
    parts = []
    order = standing.order
    paired_mean = mean_words(runs, question)
    if len(runs) == 1:
        return _alone(runs[0], question)
    if len(order) == 1:
        parts.append(f"{name(order[0])} has a {number.called} of {value(order[0], question)}, and no other that counts")
    elif order and standing.alike == len(order):
        parts.append(f"{number.called}: alike, " + ", ".join(f"{name(r)} {value(r, question)}" for r in order))
    elif order:
        first = ", ".join(f"{name(r)} {value(r, question)}" for r in order[:standing.alike])
        parts.append(f"{name(order[0])} has the {best} {number.called}, {value(order[0], question)}" if standing.alike == 1 else
                     f"the {best} {number.called}: alike, {first}")
        parts += [f"{name(r)} {value(r, question)}{compared(r, order[0], question)}" for r in order[standing.alike:]]
    else:
        parts.append("no algorithm answers it")
        bare = any(_is_without_control(run) and (get(run, USED) or 1) < IDLE for run, _ in standing.out)
        parts += ["without control the link is idle too: the senders or the paths limit"] if bare and question.full else []
    return "; ".join(parts + [f"{name(run)} {why}{_of_loser(run, number)}" for run, why in standing.out] + paired_mean)


def mean_words(runs: list, question: Question) -> list:
    """Mean completion times against the first run's over the same seeds, where these tell more than the means."""
    if FCT_MEAN not in question.beside:
        return []
    found = [(run, paired(run, runs[0], FCT_MEAN.path)) for run in runs[1:]]
    texts = [one.text(f" times under {seeds.label(run)}") for run, one in found if one]
    return [f"mean FCT of the same seeds, to {seeds.label(runs[0])}'s: {', '.join(texts)}"] if texts else []


def _alone(run: dict, question: Question) -> str:
    """What one run says by itself."""
    why, known = why_out(run, question), get(run, question.number.path) is not None
    if not known or get(run, "packets_delivered") == 0:
        return f"{seeds.label(run)} {why}"
    return f"{seeds.label(run)} has a {question.number.called} of {value(run, question)}" + \
        (f" and {why}" if why and not run.get("partial") else "")


def _of_loser(run: dict, number: Number) -> str:
    known = get(run, number.path) is not None and get(run, "packets_delivered") != 0
    parts = [f"{number.called} {shown(run, number)}", *_moving(run)]
    return f" ({', '.join(parts)})" if known else ""
