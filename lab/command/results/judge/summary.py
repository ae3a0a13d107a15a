# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The output of ./rcc run: the question and its number, the table, its legend, and the lines below."""
from __future__ import annotations

from typing import Callable, Optional

from . import lines, questions, settled
from ..read import asked, seeds
from ...common import counted, fit, get, si_bytes, si_count, si_rate, si_time, terminal_width, wrapped

WIDTH = 100          # the table fits
UNITS = [(1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")]
LATE = 0.5            # share of the end of flows, from which their first start is told
KINDS = ("rcc: warning: ", "rcc: note: ")   # how a line begins


def packets_per_second(run: dict) -> Optional[float]:
    packets, wall = get(run, "packets_delivered"), get(run, "wall_s")
    return packets / wall if packets is not None and wall else None


def marked_name(run: dict) -> str:
    """Return the name of a run with what it lacks: "dcqcn (partial) ~"."""
    return seeds.label(run) + (" (partial)" if run.get("partial") else "") + ("" if settled.is_steady(run) else f" {settled.MARK}")


def scenario(summary: dict) -> str:
    """The name of the scenario as its user knows it: victim, not testbed."""
    runs = summary["runs"]
    return asked.read_command(str(summary.get("command", "")), runs[0] if runs else {}).scenario or "run"


def prepared(summary: dict) -> list:
    """The runs with their answers, one of several seeds."""
    return seeds.averaged(answered(summary["runs"], str(summary.get("command", ""))))


def answered(runs: list, command: str = "") -> list:
    """The runs with their answers."""
    return questions.answered(runs, lambda run: asked.read_command(command, run))


def question(summary: dict, runs: list) -> questions.Question:
    return questions.choose_question(scenario(summary), runs)


def number_cell(number: questions.Number) -> Callable:
    """A number, and half of its interval if there are several seeds, or in how many of them it is."""
    def cell(run: dict) -> str:
        half, value = seeds.half(run, number.path), get(run, number.path)
        if number is questions.JAIN and not value:   # 0 is no index: nobody got anything
            return "-"
        return number.show(value) + (f" ±{number.show(half)}" if half else "") + seeds.count_lacking(run, number.path)
    return cell


def paired_cell(runs: list, path: str) -> Callable:
    """The ratio to the first run over the seeds that both have."""
    def cell(run: dict) -> str:
        found = seeds.paired(run, runs[0], path)
        if run is runs[0] or found is None:
            return "1" if run is runs[0] else "-"
        return found.text()
    return cell


# Columns beside the answer: always, or only where some run has a number that is not 0.
ALWAYS = [questions.QUEUE, questions.Number("queue.p99_bytes", ("queue", "p99"), "p99 queue", si_bytes),
          questions.Number("queue.max_bytes", ("queue", "max"), "longest queue", si_bytes), questions.USE,
          questions.Number("pfc.pauses", ("PFC", "pauses"), "PFC pauses", si_count), questions.DROPPED]
WHERE_ANY = [questions.Number("packets_overrun", ("over-", "run"), "dropped by hosts", si_count),
             questions.Number("frames_lost", ("lost", "links"), "lost on links", si_count),
             questions.Number("icrc_errors", ("cor-", "rupted"), "arrived corrupted", si_count),
             questions.Number("frames_trimmed", ("", "trimmed"), "trimmed by switches", si_count),
             questions.Number("timeouts", ("time-", "outs"), "timeouts", si_count),
             questions.Number("naks", ("", "NAKs"), "NAKs", si_count),
             questions.Number("bytes_repeated", ("", "repeated"), "repeated", si_bytes)]


def columns(runs: list, asks: Optional[questions.Question] = None) -> list:
    """(first header line, second header line, cell of a run) for each column: the answer first."""
    def clip(run: dict) -> str:
        label = marked_name(run)
        return label if len(label) <= 28 else label[:27] + "~"

    asks = asks or questions.choose_question(str(runs[0].get("scenario")) if runs else "", runs)
    result: list = [("", "algorithm", clip)]
    seen: list = []

    def add(number: questions.Number) -> None:
        if number.path not in seen:
            result.append((*number.head, number_cell(number)))
            seen.append(number.path)

    best = [id(run) for run in questions.find_best(runs, asks)]
    for number in (asks.number, *(one for one in asks.beside if one is questions.FCT_MEAN)):
        add(number)
        if number is asks.number and best:
            value = number_cell(number)
            result[-1] = (*number.head, lambda run: value(run) + (f" {questions.MARK}" if id(run) in best else ""))
        if any(seeds.paired(run, runs[0], number.path) for run in runs[1:]):
            result.append(("times", "the first", paired_cell(runs, number.path)))
    usual = [number.path for number in ALWAYS]
    some = [number for number in WHERE_ANY if any(get(run, number.path) for run in runs)]
    for number in [*(one for one in asks.beside if one.path not in usual and one is not questions.LOST), *ALWAYS, *some]:
        add(number)
    if any(map(seeds.incomplete, runs)):
        result.append(("not", "ended", lambda r: seeds.count_late(r) if seeds.incomplete(r) else "0"))
    if any(get(r, "jain") is not None and settled.shares_a_port(r) for r in runs):
        add(questions.JAIN)
    if any(get(run, "fct.count") for run in runs):
        add(questions.FCT_MEAN)
        if any(get(r, "slowdown.count") for r in runs):  # times of the largest flows tell little
            add(questions.Number("slowdown.mean", ("slowdown", "mean"), "mean slowdown", questions.factor))
            add(questions.SLOW)
        else:
            add(questions.FCT_P99)
    return result


def table(runs: list, asks: Optional[questions.Question] = None) -> str:
    """The table as plain text, at most as wide as the terminal and WIDTH; what does not fit beside follows below."""
    runs = answered(runs)
    cols = columns(runs, asks)
    rows = [[c[0] for c in cols], [c[1] for c in cols]] + [[c[2](run) for c in cols] for run in runs]
    return fit(rows, 2, 1, terminal_width(WIDTH))


def span(begin: float, end: float) -> str:
    """Show two times in one unit, with as many digits as tell them apart: "20 to 40 ms"."""
    scale, unit = next(((f, u) for f, u in UNITS if end * f >= 1), UNITS[-1])
    if unit == "s" and end < 2:
        scale, unit = 1e3, "ms"
    for places in range(0, 10):
        texts = [f"{t * scale:.{places}f}" for t in (begin, end)]
        if abs(float(texts[1]) - float(texts[0]) - (end - begin) * scale) <= 0.005 * (end - begin) * scale:
            break
    return f"{texts[0] if float(texts[0]) else '0'} to {texts[1]} {unit}"


def rates(run: dict) -> str:
    """Return the rate of the links, or the least and the highest of them."""
    found = run.get("link_rates_bps")
    return " to ".join(dict.fromkeys(map(si_rate, found if isinstance(found, list) and found else [get(run, "rate_bps")])))


def headline(summary: dict) -> str:
    """Describe a run from the first run's own account of it; times are those of all runs and seeds."""
    runs = summary["runs"]
    run = runs[0] if runs else {}
    flows, hosts = get(run, "flows"), get(run, "hosts")
    facts = []

    def of_seeds(noun: str, count: float) -> str:
        between = seeds.span(run, noun + "s")
        return f"{between} {noun}s" if between else counted(count, noun)

    if flows is not None:
        facts.append(of_seeds("flow", flows))
    if hosts is not None:
        facts.append(of_seeds("host", hosts))
    if get(run, "rate_bps") is not None:
        facts.append(rates(run))
    late = [pair for one in runs for pair in seeds.windows(one) if isinstance(one.get("fct"), dict) and pair[0] > LATE * pair[1]]
    if late and len(late) == len(runs):     # files of HPCC begin at 2 s
        facts.append(f"{si_time(max(end - begin for begin, end in late))} of traffic after {si_time(min(late)[0])}")
    elif seeds.simulated(runs):
        facts.append(f"{seeds.simulated(runs)} simulated")
    windows = [time for one in runs for pair in seeds.windows(one) for time in pair]
    if windows:
        facts.append(f"averages over {span(min(windows), max(windows))}")
    if run.get("seeds"):
        facts.append(f"{len(run['seeds'])} seeds, means with half of the 95 % interval")
    elif run.get("seed") is not None:
        facts.append(f"seed {run['seed']}")
    return f"{scenario(summary)}: " + ", ".join(facts)


def name_speakers(told: list) -> list:
    """Return lines that runs say, each once, and who says it where not all do. `told`: (label, algorithm, lines) of each run, of each
    seed."""
    found: dict = {}
    for label, _, own in told:
        for line in dict.fromkeys(own):
            found.setdefault(line, []).append(label)
    result = []
    for line, labels in found.items():
        if len(labels) < len(told):
            start = next((mark for mark in KINDS if line.startswith(mark)), "")
            begin = next((f"{start}{cc}: " for _, cc, _ in told if line.startswith(f"{start}{cc}: ")), start)   # some begin with it
            line = f"{start}{', '.join(dict.fromkeys(labels))}: {line[len(begin):]}"
        result.append(line)
    return result


def answer(runs: list, asks: questions.Question) -> str:
    """Return the line with the number that answers the question: that of the best runs, or of all where none is marked."""
    if not runs:
        return "no result"
    show = number_cell(asks.number)
    best = questions.find_best(runs, asks)
    cells = ", ".join(f"{seeds.label(run)} {show(run)}" + ("" if settled.is_steady(run) else f" {settled.MARK}") for run in best or runs)
    called = questions.name_best(asks) if best else asks.number.called
    return f"{called[0].upper() + called[1:] if called[1].isalpha() else called}: {cells}"      # p99 stays


def text(summary: dict) -> str:
    """Return the results as ./rcc run prints them."""
    runs = prepared(summary)
    asks, width = question(summary, runs), terminal_width(WIDTH)
    found = [wrapped(f"{scenario(summary)}: {asks.asks}", width), wrapped(answer(runs, asks), width),
             wrapped(headline({**summary, "runs": runs}), width), "", table(runs, asks)]
    if questions.find_best(runs, asks):
        found.append(wrapped(questions.legend(asks), width))
    said = [wrapped(line, width) for line in lines.list_all(summary, runs)]
    return "\n".join([*found, *([""] if said else []), *said])
