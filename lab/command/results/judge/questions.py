# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The question of each scenario, the number that answers it (`answer` of a run in summary.json), and the runs with its best value."""
from __future__ import annotations

import itertools
import os
from typing import Any, Callable, NamedTuple, Optional

from ..read import asked, seeds, series
from ...common import RccError, digits, get, number, ratio, si_bytes, si_count, si_rate, si_time

USED = "answer.used"      # share of the capacity that is used
OWN_VICTIM = "h8-h9"      # the scenario victim
ONE_PORT = ("incast", "convergence", "workload", "fan-in", "capacity")   # programs whose flows all pass one port
OWN_RATE = ("fan-in", "capacity")    # programs whose port has a rate of its own
MARK = "*"
FULL = 0.9           # utilisation from which a link counts as full
CLOSE = 1.1          # numbers within this factor are marked together


def factor(value: Optional[float]) -> str:
    return "-" if value is None else digits(value)


def show_whole(value: Optional[float]) -> str:
    return si_count(value if value is None or value < 100 else round(value))


class Number(NamedTuple):
    """A number of a run: its path, two lines of a table's head, its name in a sentence, how it is shown."""
    path: str
    head: tuple
    called: str
    show: Callable[[Optional[float]], str]
    least: float = 0.0          # numbers below this are marked together


class Question(NamedTuple):
    asks: str
    number: Number              # the answer
    low: bool                   # whether the least is the best
    beside: tuple = ()          # numbers that are read with it
    full: bool = True           # whether only runs that fill the link are marked as the best


QUEUE = Number("queue.mean_bytes", ("queue", "mean"), "mean queue", si_bytes, 1000)    # less than a frame
USE = Number(USED, ("utili-", "sation"), "utilisation", ratio)
JAIN = Number("jain", ("", "Jain"), "Jain's index", ratio)
FCT_MEAN = Number("fct.mean_s", ("FCT", "mean"), "mean FCT", si_time)
FCT_P99 = Number("fct.p99_s", ("FCT", "p99"), "p99 of the FCT", si_time)
SLOW = Number("slowdown.p99", ("slowdown", "p99"), "p99 slowdown", factor)
LATENCY_P99 = Number("fct.p99_s", ("latency", "p99"), "p99 latency", si_time)
LATENCY_P50 = Number("fct.p50_s", ("latency", "p50"), "median", si_time)
GOODPUT = Number("answer.goodput_bps", ("good-", "put"), "goodput", si_rate)
LEAST = Number("answer.least_bps", ("least", "rate"), "least rate", si_rate)
MOST = Number("answer.most_bps", ("largest", "rate"), "largest rate", si_rate)
VICTIM = Number("answer.victim_bps", ("victim's", "goodput"), "goodput of the victim", si_rate)
BUS = Number("collective.bus_bps", ("bus", "bandwidth"), "bus bandwidth", si_rate)
STEP = Number("collective.step_p50_s", ("time of", "a step"), "median step", si_time)
WHOLE_STEP = Number("step.step_s", ("", "step"), "time of the step", si_time)
EXPOSED = Number("step.mean_exposed_s", ("exposed,", "mean"), "mean exposed communication", si_time)
DROPPED = Number("packets_dropped", ("", "dropped"), "dropped", show_whole)
LOST = Number("answer.lost", ("", "lost"), "lost", show_whole)     # by switches, by hosts, and on links

INCAST = Question("How small a queue keeps the link full?", QUEUE, True, (USE,))
FAIR = Question("How evenly do the flows share the port?", JAIN, False, (USE,))
ENDING = Question("How long do the slowest flows take?", FCT_P99, True, (FCT_MEAN,), False)
SIZES = Question("How much longer do flows take than alone?", SLOW, True, (FCT_MEAN,), False)
RATE = Question("How much do the flows get together?", GOODPUT, False, (USE,), False)

OF_SCENARIO = {
    "incast": INCAST, "clos": INCAST, "capacity": INCAST, "convergence": FAIR, "fan-in": FAIR,
    "unfairness": Question("What does the flow with the least rate get?", LEAST, False, (MOST, USE)),
    "victim": Question("What does the victim get?", VICTIM, False, (USE,)),
    "probes": Question("How long do small messages take beside bulk?", LATENCY_P99, True, (LATENCY_P50, USE)),
    "permutation": Question("How much do all hosts get together?", GOODPUT, False, (LEAST, USE), False),
    "collective": Question("How fast is the operation?", BUS, False, (STEP,), False),
    "trace": Question("How long does the step take?", WHOLE_STEP, True, (EXPOSED,), False),
    "long-haul": Question("How much does the long link deliver, at which loss?", GOODPUT, False, (USE, LOST), False),
}


def choose_question(scenario: str, runs: list) -> Question:
    """Return the question that a scenario's runs answer, also where none of them has its number."""
    if scenario == "workload" or any(isinstance(run.get("slowdown"), dict) for run in runs):
        return SIZES
    own = OF_SCENARIO.get(scenario)
    if scenario == "trace" and runs and not any(isinstance(run.get("step"), dict) for run in runs):
        return ENDING
    if own and own not in (INCAST, FAIR):
        return own
    if any(isinstance(run.get("fct"), dict) or seeds.incomplete(run) for run in runs):
        return ENDING
    if own:
        return own
    return RATE if any(get(run, GOODPUT.path) is not None for run in runs) else INCAST


# ------------------------------------------------------------------------------------------------ the answer of a run

def list_groups(run: dict) -> list:
    """Return the groups of flows of a testbed."""
    found = run.get("groups")
    return [group for group in (found if isinstance(found, list) else []) if isinstance(group, dict)]


def capacity(run: dict, what: asked.Asked) -> Optional[float]:
    """Return what the flows of a run can carry together, bit/s, where they pass one port, or end at ports whose rates are added up."""
    bottleneck, senders, rate, program = get(run, "bottleneck_bps"), get(run, "senders"), get(run, "rate_bps"), run.get("scenario")
    if not bottleneck or what.given.get("links") or run.get("faults"):
        return None
    if program not in (*ONE_PORT, "clos") or isinstance(run.get("phases"), list):
        return None
    return bottleneck if program in OWN_RATE or not senders or not rate else min(bottleneck, senders * rate)


def read_flows(place: str, run: dict) -> Optional[list]:
    """Read flows.csv of a testbed: the rows (start, end, bytes, bit/s in the window, size) of each group of flows; None without them."""
    counts = [int(get(group, "flows") or 0) for group in list_groups(run)]
    try:
        found = series.read(os.path.join(place, "flows.csv"))
    except (OSError, RccError):
        return None
    columns = [found.get(name, []) for name in ("start_s", "fct_s", "delivered_bytes", "goodput_bps", "size_bytes")]
    if not counts or len(columns[0]) != sum(counts):
        return None
    last = get(run, "sim_s") or 0.0
    rows = iter([(start or 0.0, max(start or 0.0, last) if fct is None else (start or 0.0) + fct, done or 0.0, rate or 0.0, size or 0.0)
                 for start, fct, done, rate, size in zip(*columns)])
    return [list(itertools.islice(rows, count)) for count in counts]


def goodput(flows: list) -> float:
    """Return what flows of one pair of hosts get, bit/s: of flows with an end their bytes from the first start to the last end."""
    if not flows or not all(size for *_, size in flows):
        return sum(rate for _, _, _, rate, _ in flows)
    busy = max(end for _, end, *_ in flows) - min(start for start, *_ in flows)
    return sum(done for _, _, done, _, _ in flows) * 8 / busy if busy > 0 else 0.0


def find_victims(run: dict) -> list:
    """Return the places of the groups of the scenario's victim, else of the first pair whose receiver is not behind the watched port."""
    names = [str(group.get("name")) for group in list_groups(run)]
    port = str(run.get("congested_port")).rpartition(">")[2]
    beside = [name for name in names if not name.endswith(f"-{port}")]
    own = OWN_VICTIM if OWN_VICTIM in names else beside[0] if beside and len(beside) < len(names) else ""
    return [at for at, name in enumerate(names) if name == own]


def count_lost(run: dict) -> Optional[float]:
    """Count the packets that switches and hosts dropped, and the frames that links lost or corrupted; None if the run does not say."""
    dropped = get(run, "packets_dropped")
    return None if dropped is None else dropped + sum(get(run, path) or 0 for path in ("frames_lost", "packets_overrun", "icrc_errors"))


def answer(run: dict, what: asked.Asked, flows: Optional[list] = None) -> dict:
    """Return the numbers that a run's own account has not. `flows`: as read_flows() has them."""
    limit, use, groups = capacity(run, what), get(run, "utilization"), list_groups(run)
    found: dict = {"capacity_bps": limit, "lost": count_lost(run),
                   "used": use if use is None or not limit else min(1.0, use * (get(run, "bottleneck_bps") or limit) / limit)}
    if groups:
        found["goodput_bps"] = sum(get(group, "mean_bps") or 0.0 for group in groups)
        own = flows or [[(0.0, 0.0, 0.0, (get(group, "mean_bps") or 0.0) / count, 0.0)] * count
                        for group in groups for count in [max(1, int(get(group, "flows") or 1))]]
        rates = [goodput([one]) for group in own for one in group]
        found["least_bps"], found["most_bps"] = min(rates, default=None), max(rates, default=None)
        if what.scenario == "victim" and find_victims(run):
            found["victim_bps"] = goodput([one for at in find_victims(run) for one in own[at]])
    return {name: value for name, value in found.items() if value is not None}


def halves(run: dict, what: asked.Asked) -> dict:
    """Return what the two halves of the window say of the number that answers the question, where flows or pairs of hosts tell."""
    slow = run.get("slowdown")
    if isinstance(slow, dict) and isinstance(slow.get("halves"), list) and what.scenario != "ns3-rdma":   # files of those have their flows
        return {"slowdown": slow["halves"]}
    known = {at: group["halves_bps"] for at, group in enumerate(list_groups(run)) if isinstance(group.get("halves_bps"), list)
             and len(group["halves_bps"]) == 2 and None not in map(number, group["halves_bps"])
             and (what.scenario not in ("victim", "unfairness") or get(group, "ended_s") is None)}
    if not known or what.scenario == "probes":
        return {}
    if what.scenario == "victim":
        own = [known[at] for at in find_victims(run) if at in known]
        return {"victim_bps": [sum(column) for column in zip(*own)]} if own else {}
    if what.scenario == "unfairness":   # pairs with one flow each
        single = all((get(group, "flows") or 1) == 1 for group in list_groups(run)) and len(known) == len(list_groups(run))
        return {"least_bps": [min(column) for column in zip(*known.values())]} if single else {}
    return {"goodput_bps": [sum(column) for column in zip(*known.values())]}


def answered(runs: list, what: Callable[[dict], asked.Asked], flows: Callable[[dict], Optional[list]] = lambda run: None) -> list:
    """Return the runs with their answers; one that has them keeps them. `flows`: of each group of a run, or None."""
    found: list = []
    for run in runs:
        known: Any = run.get("answer")
        if not (isinstance(known, dict) and ("lost" in known or count_lost(run) is None)):
            own = halves(run, what(run))
            run = {**run, "halves": {**(run.get("halves") or {}), **own}} if own else run
            run = {**run, "answer": answer(run, what(run), flows(run))}
        found.append(run)
    return found


# ------------------------------------------------------------------------------------------------ the best of several runs

def count_own_algorithms(run: dict) -> dict:
    """Return {algorithm: number of flows that it was chosen for}; {} of a run whose flows all have the run's."""
    own = run.get("own_algorithms")
    found = {name: get(run, f"own_algorithms.{name}.flows") for name in (own if isinstance(own, dict) else ())}
    return {name: count for name, count in found.items() if count}


def competes(run: dict, question: Question) -> bool:
    """Return whether a run may be marked, which holds for all of its seeds (lab/doc/summary.md)."""
    path, each = question.number.path, seeds.split_seeds(run)
    if run.get("partial") or get(run, path) is None or any(get(one, "packets_delivered") == 0 for one in each):
        return False
    if path.startswith(seeds.OF_FLOWS) and seeds.incomplete(run):
        return False
    if question.full and any(use is not None and use < FULL for use in (get(one, USED) for one in each)):
        return False
    elsewhere = question.number is QUEUE and run.get("cc") == "none" and not count_own_algorithms(run)
    return not (elsewhere and any((get(one, QUEUE.path) or 0) < QUEUE.least for one in each))


def is_close(run: dict, best: dict, number_: Number) -> bool:
    """Return whether two numbers are within 10 %, both less than a frame, or have a ratio over the same seeds that may be 1."""
    a, b = get(run, number_.path) or 0.0, get(best, number_.path) or 0.0
    if a == b or max(a, b) < number_.least or (min(a, b) > 0 and max(a, b) <= CLOSE * min(a, b)):
        return True
    found = seeds.paired(run, best, number_.path)
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
    among = ""
    if question.full:
        among = f", of the runs with utilisation {FULL:.2f} or more"
    elif question.number.path.startswith(seeds.OF_FLOWS):
        among = ", of the runs whose flows all ended"
    return f"{MARK} {name_best(question)}, and those within 10 %{among}"
