# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Whether the averages of a run hold: they do if both halves of their window say the same."""
from __future__ import annotations

from typing import Optional

from ..common import digits, get, number, si_bytes

DRIFTS = {"jain": 0.05, "utilization": 0.1}    # between the halves, as a share of the larger one
FAIR = 0.95           # Jain's index from which sharing is even, whatever it still does
QUEUE_DRIFT = 0.5     # of the queue, which oscillates
NOTHING = 0.05        # of Kmax or the PFC limit, by which a queue may move
MARK = "~"            # in tables and figures
LONGER = 3            # times the time that is proposed


def halves(run: dict, name: str) -> Optional[tuple]:
    """Both halves of the window, or None."""
    found = run.get("halves")
    values = found.get(name) if isinstance(found, dict) else None
    if not isinstance(values, list) or len(values) != 2:
        return None
    first, second = number(values[0]), number(values[1])
    return None if first is None or second is None else (first, second)


def drift(run: dict, name: str) -> float:
    """How far a number moves from the first half to the second one, as a share of the larger."""
    pair = halves(run, name)
    largest = max(pair) if pair else 0.0
    return (pair[1] - pair[0]) / largest if pair and largest > 0 else 0.0


def moves(run: dict) -> list:
    """What moves inside the window: ["Jain's index rises from 0.24 to 0.61"]."""
    found = []
    for name, called in (("jain", "Jain's index"), ("utilization", "the utilisation")):
        pair = halves(run, name)
        if pair and abs(drift(run, name)) > DRIFTS[name] and not (name == "jain" and min(pair) >= FAIR):
            found.append(f"{called} {'rises' if pair[1] > pair[0] else 'falls'} from {digits(pair[0], 2)} to {digits(pair[1], 2)}")
    queue = halves(run, "queue_bytes")
    least = NOTHING * (get(run, "kmax_bytes") or get(run, "pfc_limit_bytes") or 0)
    if queue and abs(drift(run, "queue_bytes")) > QUEUE_DRIFT and abs(queue[1] - queue[0]) > least:
        found.append(f"the queue {'grows' if queue[1] > queue[0] else 'shrinks'} from {si_bytes(queue[0])} to {si_bytes(queue[1])}")
    return found


def known(run: dict) -> bool:
    return isinstance(run.get("halves"), dict)


def steady(run: dict) -> bool:
    """True also of a run that does not say."""
    return not moves(run)


def proposal(run: dict) -> str:
    """A longer --time, of two digits."""
    seconds = LONGER * (get(run, "sim_s") or 0)
    if not seconds:
        return ""
    text = f"{float(f'{seconds:.1g}'):g}s" if seconds >= 0.1 else f"{float(f'{seconds * 1e3:.1g}'):g}ms"
    return f"; try --time={text}"


def words(runs: list, name) -> str:
    """One line, or "" where everything is settled. `name`: of a run."""
    moving = [(name(run), moves(run)) for run in runs if moves(run)]
    if not moving:
        return ""
    longest = max((run for run in runs if moves(run)), key=lambda run: get(run, "sim_s") or 0)
    return "not settled: " + "; ".join(f"{who}: {', '.join(what)}" for who, what in moving) + \
        " inside the window of the averages" + proposal(longest)
