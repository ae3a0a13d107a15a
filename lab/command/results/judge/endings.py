# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What did not end and what was lost: how a run says so in its table, its sentence, its warnings and its report."""
from __future__ import annotations

import math
from typing import Optional

from ...common import counted, get, number, plural, si_count, si_time

# Reasons of run.json, "unfinished": what is said of one flow. Flows without one of them were still running.
REASONS = {
    "paused": "stuck behind a pause",
    "no_route": "without a route",
    "retry_limit": "given up at the retry limit",
    "stopped": "cut off at the stop time of the flow",
}
RUNNING = "still running when the simulation ended"
STOPPED_EARLY = "still running when the simulation was stopped"


def own(run: dict) -> list:
    """The runs that a run stands for: those of its seeds, or itself."""
    found = run.get("by_seed")
    return list(found.values()) if isinstance(found, dict) and found else [run]


def incomplete(run: dict) -> int:
    """Flows with an end that did not reach it, of all seeds together: a mean would hide one of a single seed."""
    return sum(map(_incomplete, own(run)))


def count_words(run: dict) -> str:
    """How many flows ended: of several seeds, of how many in all, as no mean of them is a number of flows."""
    counts = [get(one, "fct.count") for one in own(run)]
    known = [int(count) for count in counts if count is not None]
    if len(counts) < 2 or not known:
        return si_count(get(run, "fct.count"))
    return f"{si_count(sum(known))} of {si_count(sum(known) + incomplete(run))} in {len(counts)} seeds"


def late_words(run: dict) -> str:
    """How many flows have no end: of several seeds in all of them."""
    among = len(own(run))
    return si_count(incomplete(run)) + (f" in {among} seeds" if among > 1 else "")


def _incomplete(run: dict) -> int:
    stated = get(run, "incomplete")
    if stated is not None:
        return math.ceil(stated)   # of a mean whose seeds are not known, a part of a flow is one
    flows, ended = get(run, "flows"), get(run, "fct.count")
    return max(math.ceil(flows - ended), 0) if flows is not None and ended is not None else 0


def _given_up(run: dict, kind: str = "unfinished") -> int:
    """Flows that ended at their retry limit: they repeat nothing any more. `kind`: "endless" for those without an end."""
    return math.ceil(get(run, f"{kind}.retry_limit") or 0)


def reasons(run: dict) -> dict:
    """{reason in words: number of flows}, which sum to incomplete(run)."""
    found: dict = {}
    for one in own(run):
        stated, rest = one.get("unfinished"), _incomplete(one)
        for key, count in (stated if isinstance(stated, dict) else {}).items():
            if number(count):
                text = REASONS.get(key, key.replace("_", " "))
                found[text] = found.get(text, 0) + int(count)
                rest -= int(count)
        if rest > 0:
            text = STOPPED_EARLY if one.get("partial") else RUNNING
            found[text] = found.get(text, 0) + rest
    return found


def why(run: dict) -> str:
    """The reasons as one phrase: "3 stuck behind a pause, 1 still running ..."; without the number if there is one reason."""
    found = reasons(run)
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{si_count(count)} {reason}" for reason, count in found.items())


def ended_words(run: dict, name: str) -> Optional[str]:
    """How many of a run's flows ended, or None if all did or none has an end."""
    missing = incomplete(run)
    if not missing:
        return None
    counts = [_ended(one) for one in own(run)]
    who = f" of {len(counts)} seeds" if len(counts) > 1 else ""
    if None in counts:
        return f"{plural(missing, 'flow')}{who} did not end under {name} ({why(run)})"
    ended = sum(count for count in counts if count is not None)
    return f"{ended:.0f} of {counted(missing + ended, 'flow')}{who} ended under {name} ({why(run)})"


def _ended(run: dict) -> Optional[float]:
    """Flows of one seed that have ended; None if it does not say."""
    ended, flows = get(run, "fct.count"), get(run, "flows")
    return ended if ended is not None else None if flows is None else flows - _incomplete(run)


def lost(run: dict) -> Optional[float]:
    """Packets that buffers of switches and hosts dropped, frames that links lost, and those that hosts dropped as links had corrupted
    them; None if the run does not say."""
    dropped = get(run, "packets_dropped")
    return None if dropped is None else dropped + sum(get(run, path) or 0 for path in ("frames_lost", "packets_overrun", "icrc_errors"))


def loss_words(run: dict, name: str) -> Optional[str]:
    """What a run has lost, or None."""
    dropped, on_links, overrun, corrupted = (get(run, path) or 0 for path in ("packets_dropped", "frames_lost", "packets_overrun",
                                                                              "icrc_errors"))
    parts = []
    if dropped:
        parts.append(plural(dropped, "packet"))
    if overrun:
        parts.append(f"{plural(overrun, 'packet')} in full receive buffers of hosts")
    if on_links:
        parts.append(f"{plural(on_links, 'frame')} on links")
    if corrupted:
        parts.append(f"{plural(corrupted, 'frame')} that arrived corrupted")
    return f"{name} lost {', '.join(parts[:-2] + [' and '.join(parts[-2:])])}" if parts else None


def timeout_words(run: dict, name: str) -> Optional[str]:
    """How often senders waited for a timeout, how long, and what sets that; or None."""
    timeouts, wait = get(run, "timeouts"), get(run, "rto_s")
    if not timeouts or not wait:
        return None
    low = get(run, "rto_low_s")
    if run.get("recovery") == "irn" and low:
        return (f"senders waited for {plural(timeouts, 'timeout')} of {si_time(low)} with few packets in flight, else {si_time(wait)}, "
                f"under {name} (--attr RdmaNic.RtoLow and RtoHigh set others; --rto has no effect on irn)")
    doubled = ", each in a row twice as long as the one before," if _given_up(run) or _given_up(run, "endless") else ""
    return f"senders waited for {plural(timeouts, 'timeout')} of {si_time(wait)}{doubled} under {name} (--rto sets another)"


def repeat_words(run: dict, name: str) -> Optional[str]:
    """How often packets were repeated in vain, of a run with flows that did not end and more repeats than arrivals; or None."""
    counts = [(get(one, "packets_repeated") or 0, get(one, "packets_delivered")) for one in own(run)
              if _incomplete(one) > _given_up(one) and one.get("recovery", "go-back-n") == "go-back-n"]
    vain = [(again, arrived) for again, arrived in counts if arrived is not None and again > arrived]   # one seed is enough
    if not vain:
        return None
    again, arrived = (sum(column) for column in zip(*vain))
    return (f"senders sent {plural(again, 'packet')} again under {name} for {si_count(arrived)} that arrived, which may never end with "
            "go-back-N (--attr RdmaNic.Recovery=selective avoids it) or without congestion control")


def deadlock_words(run: dict, name: str) -> Optional[str]:
    """The first PFC deadlock of a run, or None."""
    found = run.get("deadlocks")
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        return None
    ports = found[0].get("ports")
    around = f" around {' -> '.join(map(str, ports))}" if isinstance(ports, list) and ports else ""
    return f"PFC deadlock under {name} at {si_time(get(found[0], 'time_s'))}{around}"


def warnings(run: dict, name: str) -> list:
    """What a user should know of a run beside what its program has warned of."""
    return [text for text in (deadlock_words(run, name), ended_words(run, name), repeat_words(run, name)) if text]


def missing_words(summary: dict) -> list:
    """One phrase for each algorithm without a result."""
    missing = summary.get("missing")
    return [f"{entry.get('cc')}: {entry.get('why')}" for entry in (missing if isinstance(missing, list) else [])
            if isinstance(entry, dict)]
