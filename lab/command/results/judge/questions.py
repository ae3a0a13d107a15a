# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The question of each scenario, and the number that answers it: `answer` of a run in summary.json."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from . import capacity, endings, lives
from ..read import asked
from ...common import digits, get, number, ratio, si_bytes, si_count, si_rate, si_time

USED = "answer.used"      # share of the capacity that is used
OWN_VICTIM = ("h8", "h9")   # of the scenario victim


def factor(value: Optional[float]) -> str:
    return "-" if value is None else digits(value)


class Number(NamedTuple):
    """A number of a run: its path, two lines of a table's head, what it is called in a sentence, how it is shown."""
    path: str
    head: tuple
    called: str
    show: Callable[[Optional[float]], str]
    least: float = 0.0          # what is less than that is alike


class Question(NamedTuple):
    asks: str
    number: Number              # the answer
    low: bool                   # whether the least is the best
    beside: tuple = ()          # what is read with it
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
DROPPED = Number("packets_dropped", ("", "dropped"), "dropped",
                 lambda value: si_count(value if value is None or value < 100 else round(value)))
LOST = DROPPED._replace(path="answer.lost", head=("", "lost"), called="lost")     # by switches, by hosts, and on links

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


def of(scenario: str, runs: list) -> Question:
    """The question that a scenario's runs answer, also where none of them has its number: of flows that end it is how long they take,
    whether they ended or not. Of the messages of a trace too, where the run knows nothing of its ranks."""
    if scenario == "workload" or any(isinstance(run.get("slowdown"), dict) for run in runs):
        return SIZES
    own = OF_SCENARIO.get(scenario)
    if scenario == "trace" and runs and not any(isinstance(run.get("step"), dict) for run in runs):
        return ENDING
    if own and own not in (INCAST, FAIR):
        return own
    if any(isinstance(run.get("fct"), dict) or endings.incomplete(run) for run in runs):
        return ENDING
    if own:
        return own
    return RATE if any(get(run, GOODPUT.path) is not None for run in runs) else INCAST


def each_group(run: dict) -> list:
    """(name, group) of a testbed's groups of flows; a pair of hosts may have several."""
    found = run.get("groups")
    return [(str(group.get("name")), group) for group in (found if isinstance(found, list) else []) if isinstance(group, dict)]


def groups(run: dict) -> dict:
    """Goodput of each pair of hosts of a testbed, bit/s."""
    found: dict = {}
    for name, group in each_group(run):
        found[name] = found.get(name, 0.0) + (get(group, "mean_bps") or 0.0)
    return found


def received(run: dict) -> Optional[float]:
    """What all receivers get on the wire in the window, bit/s: of a testbed their goodput, and headers in proportion; of a collective all
    that arrived, if the window is the whole run."""
    found = run.get("groups")
    wire = get(run, "bytes_delivered")
    if not isinstance(found, list):
        end = get(run, "sim_s")
        return wire * 8 / end if wire is not None and end and run.get("window_s") == [0, end] else None
    payload = sum(get(group, "delivered_bytes") or 0.0 for group in found)
    return sum(groups(run).values()) * wire / payload if wire and payload else None


def understood(run: dict, what: asked.Asked) -> list:
    """The groups of a run, with their pairs of hosts; [] where their names are no such pairs."""
    try:
        return capacity.groups_of(what, run)
    except ValueError:
        return []


def pairs_of(run: dict, what: asked.Asked) -> list:
    """The pair of hosts of each flow of each group; none of groups whose names are not understood."""
    known = understood(run, what)
    return [list(one.flows(int(get(group, "flows") or 1))) for one, (_, group) in zip(known, each_group(run))] if known else \
        [[] for _ in each_group(run)]


def no_cut(run: dict, what: asked.Asked, limit: float, bottleneck: float) -> bool:
    """Return whether the watched port of a testbed is no least cut of all flows: it is slower, or not all of them are known to pass it."""
    to = {b for group in understood(run, what) for _, b in group.pairs}
    port = str(run.get("congested_port")).rpartition(">")[2]
    return limit > bottleneck or to != {port} and (len(to) == 1 or port in to or bool(to) and limit < bottleneck)


def used(run: dict, limit: Optional[float], what: asked.Asked) -> Optional[float]:
    """Share of the capacity that is used. Of a testbed, that of its watched port where this is the least cut of all flows; else what all
    receivers get, or all senders send where that is not known."""
    use, bottleneck = get(run, "utilization"), get(run, "bottleneck_bps")
    if use is None or not limit or not bottleneck:
        return use
    if asked.has_links(run) and no_cut(run, what, limit, bottleneck):
        sent, got = get(run, "send_utilization"), received(run)
        if got is not None:
            return min(1.0, got / limit)
        return use if sent is None else min(1.0, sent * bottleneck / limit)
    return min(1.0, use * bottleneck / limit)


def victim(run: dict, what: asked.Asked) -> tuple:
    """Return the scenario's own victim, else the first pair with a receiver that is not behind the watched port; () where the port leads to
    no receiver."""
    found = list(dict.fromkeys(pair for pairs in pairs_of(run, what) for pair in pairs))
    port = str(run.get("congested_port")).rpartition(">")[2]
    beside = [pair for pair in found if pair[1] != port] if port in {b for _, b in found} else []
    return OWN_VICTIM if OWN_VICTIM in found else beside[0] if beside else ()


def answer(run: dict, what: asked.Asked, flows: Optional[list] = None) -> dict:
    """The numbers that a run's own account has not, or not at one path. `flows`: those of each group, where they are known."""
    known = capacity.known(what, run)
    limit = known.rate if known else None
    found: dict = {"capacity_bps": limit, "capacity_at_most": True if known and not known.exact else None}
    rates = groups(run)
    found["used"] = get(run, "utilization") if what.scenario in ("victim", "probes", "unfairness") else used(run, limit, what)
    found["lost"] = endings.lost(run)
    if rates:
        found["goodput_bps"] = sum(rates.values())
        own = flows or lives.of_groups(run, what.text("flows"))
        each = [one.goodput for group in own for one in group]
        found["least_bps"], found["most_bps"] = min(each, default=None), max(each, default=None)
        if what.scenario == "victim":
            whose = victim(run, what)
            its = [one for pairs, group in zip(pairs_of(run, what), own) for pair, one in zip(pairs, group) if pair == whose]
            found["victim_bps"] = lives.together(its) if its else None
    return {name: value for name, value in found.items() if value is not None}


def halves(run: dict, what: asked.Asked) -> dict:
    """What the two halves of the window say of the number that answers the question, where flows or pairs of hosts tell."""
    known = [(at, group) for at, (_, group) in enumerate(each_group(run)) if isinstance(group.get("halves_bps"), list)
             and len(group["halves_bps"]) == 2 and None not in map(number, group["halves_bps"])]
    if what.scenario in ("victim", "unfairness"):    # where what has ended is not of the window
        stopped = lives.ends(run, what)
        known = [(at, group) for at, group in known if get(group, "ended_s") is None and not stopped[at]]
    rates = [(at, group["halves_bps"]) for at, group in known]
    slow = run.get("slowdown")
    if isinstance(slow, dict) and isinstance(slow.get("halves"), list) and what.scenario != "ns3-rdma":   # whose files have their flows
        return {"slowdown": slow["halves"]}
    if not rates or what.scenario == "probes":
        return {}
    if what.scenario == "victim":
        whose, pairs = victim(run, what), pairs_of(run, what)
        own = [halved for at, halved in rates if set(pairs[at]) == {whose}]
        return {"victim_bps": [sum(column) for column in zip(*own)]} if own else {}
    if what.scenario == "unfairness":
        own = [halved for _, halved in rates]
        return {"least_bps": [min(column) for column in zip(*own)]} if of_the_least(run, what, min(map(sum, own)) / 2) else {}
    return {"goodput_bps": [sum(column) for column in zip(*(pair for _, pair in rates))]}


def of_the_least(run: dict, what: asked.Asked, least: float) -> bool:
    """Whether the least rate of a pair in the window is that of a flow: there is one flow of each pair, and none that ended has less."""
    last = get(run, "sim_s") or 0.0
    for (_, group), stop in zip(each_group(run), lives.stops(run, what)):
        end, bits = get(group, "ended_s") or stop, (get(group, "delivered_bytes") or 0.0) * 8
        if (get(group, "flows") or 1) > 1 or end < last and bits < least * end:
            return False
    return True


def with_halves(run: dict, what: asked.Asked) -> dict:
    """The run, with what the halves of its window say of its answer."""
    own = halves(run, what)
    known = run.get("halves")
    return {**run, "halves": {**(known if isinstance(known, dict) else {}), **own}} if own else run


def answered(runs: list, what: Callable[[dict], asked.Asked], flows: Callable[[dict], Optional[list]] = lambda run: None) -> list:
    """The runs with their answers. One that has them keeps them, but for those of a version that did not know of losses, which had other
    definitions. `flows`: of each group of a run, or None."""
    found: list = []
    for run in runs:
        known: Any = run.get("answer")
        if isinstance(known, dict) and ("lost" in known or endings.lost(run) is None):
            found.append(run)
            continue
        own = what(run)
        found.append({**with_halves(run, own), "answer": answer(run, own, flows(run))})
    return found
