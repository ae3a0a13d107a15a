# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The lines below the table of a run: seven kinds, each one function with one sentence."""
from __future__ import annotations

from typing import Any, Optional

from . import paper, questions, settled
from ..read import seeds
from ... import units
from ...common import RccError, counted, get, number, si_bytes, si_count, si_rate, si_time

NOT_SETTLED = "not settled: {who}: {number} {first} ({of_first}), {second} ({of_second}); try --time={time}"
NOT_ENDED = "not ended: {who}: {count} of {flows}: {reason}"
LOST = "lost: {who}: {count} {how}"
DOUBTED = "cannot act: {who}: {setting} {value}, {other} {limit}: {effect}"
PUBLISHED = "published ({paper}, figure {figure}): {who}: {number} {value}, published {published}: {verdict}"
STOPPED = "stopped early: {who}: {why}"
MORE_NOTES = "{count} in {place}"

REASONS = {"paused": "stuck behind a pause", "no_route": "without a route", "retry_limit": "given up at the retry limit",
           "stopped": "cut off at the stop time of the flow"}   # by the reasons of run.json, "unfinished"
RUNNING, VAIN = "still running", "still running, with more packets sent again than delivered"
LOSSES = {"packets_dropped": "packets dropped by switches", "packets_overrun": "packets dropped in full receive buffers of hosts",
          "frames_lost": "frames lost on links", "icrc_errors": "frames corrupted on links"}
OF_40G, RATED = ("5KB", "200KB"), 40e9     # Kmin and Kmax of SIGCOMM 2015, table 14, and the rate of links that they are for
FASTER = 2.0      # times that rate, from which they do not fit
HARDLY = 0.01     # share of the packets, up to which marks are those of moments above the limit
MOST_NOTES = 12   # on the terminal


def list_not_settled(runs: list) -> list:
    return [NOT_SETTLED.format(who=seeds.label(run), number=one.called, **{key: getattr(one, key) for key in one._fields[1:]},
                               time=settled.propose_time(run)) for run in runs for one in settled.list_doubts(run)[:1]]


def count_reasons(run: dict) -> dict:
    """Return {reason: number of flows that did not end}, over all seeds."""
    found: dict = {}
    for one in seeds.split_seeds(run):
        stated: Any = one.get("unfinished")
        rest = seeds.incomplete(one)
        for key, count in (stated if isinstance(stated, dict) else {}).items():
            if number(count):
                text = REASONS.get(key, key.replace("_", " "))
                found[text] = found.get(text, 0) + int(count)
                rest -= int(count)
        if rest > 0:
            text = VAIN if (get(one, "packets_repeated") or 0) > (get(one, "packets_delivered") or 0) else RUNNING
            found[text] = found.get(text, 0) + rest
    return found


def list_not_ended(runs: list) -> list:
    return [NOT_ENDED.format(who=seeds.label(run), count=si_count(count), reason=reason,
                             flows=counted(sum(get(one, "flows") or 0 for one in seeds.split_seeds(run)), "flow"))
            for run in runs for reason, count in count_reasons(run).items()]


def list_lost(runs: list) -> list:
    return [LOST.format(who=seeds.label(run), count=questions.show_whole(get(run, path)), how=how)
            for run in runs for path, how in LOSSES.items() if get(run, path)]


def parameter(run: dict, name: str) -> Optional[float]:
    """Return a parameter of the run's algorithm as a number, None without it."""
    values = run.get("parameters")
    try:
        return units.value_of(str(values[name])) if isinstance(values, dict) and name in values else None
    except RccError:
        return None


def _kmin(run: dict) -> tuple:
    """Return (name, bytes) of the queue from which packets are marked; 0 where marks do not depend on the queue."""
    name = "k" if run.get("cc") == "dctcp" else "kmin"
    value = 0 if parameter(run, "mark_every") else parameter(run, name) or get(run, "kmin_bytes") or 0
    return "K" if name == "k" else "Kmin", value


def _kmin_above_pfc(run: dict) -> Optional[tuple]:
    name, least = _kmin(run)
    limit, marks = get(run, "pfc_limit_bytes"), get(run, "packets_marked") or 0
    if least and limit and least >= limit and marks <= HARDLY * (get(run, "packets_delivered") or 0):
        return name, si_bytes(least), "PFC limit", si_bytes(limit), f"PFC pauses before packets are marked ({si_count(marks)} were)"
    return None


def _kmin_above_buffer(run: dict) -> Optional[tuple]:
    name, least = _kmin(run)
    reached, other = get(run, "queue.max_bytes"), run.get("faults") or get(run, "frames_lost") or get(run, "pfc_limit_bytes")
    if least and reached and least > reached and not other and get(run, "packets_dropped") and get(run, "packets_marked") == 0:
        return name, si_bytes(least), "longest queue", si_bytes(reached), "queues drop packets before they mark them"
    return None


def _red_of_another_rate(run: dict) -> Optional[tuple]:
    rate = get(run, "rate_bps") if run.get("scenario") in ("clos", "workload", "ns3-rdma", "trace") else get(run, "bottleneck_bps")
    own = tuple(parameter(run, name) for name in ("kmin", "kmax"))
    if get(run, "kmax_bytes") not in (None, own[1]):    # scaled to the rate of the port
        return None
    if own == tuple(map(units.value_of, OF_40G)) and rate and rate >= FASTER * RATED:
        return "Kmin and Kmax", " and ".join(map(si_bytes, own)), "rate of the port", si_rate(rate), f"they are for {si_rate(RATED)}"
    return None


def _queue_elsewhere(run: dict) -> Optional[tuple]:
    marks, pauses = get(run, "packets_marked"), get(run, "pfc.pauses")
    if get(run, "queue.max_bytes") == 0 and (marks or pauses):
        return ("watched port", str(run.get("congested_port")), "its longest queue", "0 B",
                "packets wait at other ports; --watch names one")
    return None


def _bus_above_links(run: dict) -> Optional[tuple]:
    rates: Any = run.get("link_rates_bps")
    rate = rates[1] if isinstance(rates, list) and len(rates) == 2 else get(run, "rate_bps")
    found: Any = (run.get("step") or {}).get("collectives") if isinstance(run.get("step"), dict) else None
    each = [get(one, "mean_busbw_bps") or 0 for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    bus = max([get(run, "collective.bus_bps") or 0, *each])
    if rate and bus > rate:
        return "bus bandwidth", si_rate(bus), "links", si_rate(rate), "more than a host's link carries: not all bytes cross it"
    return None


CONDITIONS: tuple = (_kmin_above_pfc, _kmin_above_buffer, _red_of_another_rate, _queue_elsewhere, _bus_above_links)


def list_cannot_act(runs: list) -> list:
    together: dict = {}
    for run in runs:
        own = questions.count_own_algorithms(run)
        unused = sum(own.values()) == get(run, "flows") and run.get("cc") not in own
        named = ("flows", si_count(get(run, "flows")), "with the run's algorithm", "0", f"each has its own: {', '.join(own)}")
        for found in [named] if unused else filter(None, (holds(run) for holds in CONDITIONS)):
            together.setdefault(found, []).append(seeds.label(run))
    return [DOUBTED.format(who=", ".join(who), setting=setting, value=value, other=other, limit=limit, effect=effect)
            for (setting, value, other, limit, effect), who in together.items()]


def list_published(runs: list, command: str) -> list:
    found = []
    for run in runs:
        for one in paper.list_statements(run, command):
            value = get(run, one.path)
            if value is not None:
                verdict = "agrees" if one.holds(value) else "DIFFERS"
                found.append(PUBLISHED.format(paper=paper.PAPER, figure=one.figure, who=seeds.label(run), number=one.called,
                                              value=one.show(value), published=one.words, verdict=verdict))
    return found


def list_stopped(summary: dict, runs: list) -> list:
    found = [(seeds.label(run), f"interrupted after {si_time(get(run, 'sim_s'))}") for run in runs if run.get("partial")]
    for run in runs:
        for one in (run.get("deadlocks") or [])[:1]:
            ports = " -> ".join(map(str, one.get("ports") or [])) if isinstance(one, dict) else ""
            found.append((seeds.label(run), f"PFC deadlock at {si_time(get(one, 'time_s'))}: {ports}"))
    missing: Any = summary.get("missing")
    found += [(str(one.get("cc")), str(one.get("why"))) for one in (missing if isinstance(missing, list) else []) if isinstance(one, dict)]
    return [STOPPED.format(who=who, why=why) for who, why in found]


def list_notes(runs: list) -> list:
    """Return what the readers of files noted, PLACE: KEY: found, effect; each once."""
    return list(dict.fromkeys(str(note) for run in runs for note in run.get("notes") or []))


def shorten_notes(runs: list, place: str) -> list:
    """Return the first notes for the terminal, and how many more `place` has."""
    found = list_notes(runs)
    more = [MORE_NOTES.format(count=counted(len(found) - MOST_NOTES, "more note"), place=place)] if len(found) > MOST_NOTES else []
    return found[:MOST_NOTES] + more


def list_all(summary: dict, runs: list) -> list:
    """Return the lines of all kinds but notes, the gravest first. `runs`: several seeds as one."""
    kinds: tuple = (list_not_ended, list_lost, list_cannot_act)
    found = list_stopped(summary, runs)
    for kind in kinds:
        found += kind(runs)
    return [*found, *list_published(runs, str(summary.get("command", ""))), *list_not_settled(runs)]


def show_reasons(run: dict) -> str:
    """Return the reasons for a cell of a table: "3: stuck behind a pause"."""
    return "; ".join(f"{si_count(count)}: {reason}" for reason, count in count_reasons(run).items()) or "0"
