# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Whether the averages of a run hold: both halves of their window say the same, and no queue waits at the PFC limit in a run shorter than
its scenario's own time."""
from __future__ import annotations

import re
from typing import Callable, NamedTuple, Optional

from . import questions
from ..read import asked, seeds
from ...common import digits, get, number, si_bytes, si_rate, si_time

MARK = "~"            # in tables and figures
FAIR = 0.95           # Jain's index from which sharing is even
FULL_QUEUE = 0.9      # share of the PFC limit, from which the mean queue waits there
NOTHING = 0.05        # share of Kmax or the PFC limit, by which a queue may move
LONGER = 3            # times the time that is proposed


class Half(NamedTuple):
    """A number that both halves of the window have: its name, how it is shown, the share of the larger by which the halves may differ."""
    called: str
    show: Callable
    drift: float


def two(value: float) -> str:
    return digits(value, 2)


HALVES = {"jain": Half("Jain's index", two, 0.05), "utilization": Half("utilisation", two, 0.1),
          "goodput_bps": Half("goodput", si_rate, 0.1), "victim_bps": Half("goodput of the victim", si_rate, 0.1),
          "least_bps": Half("least rate", si_rate, 0.1), "slowdown": Half("mean slowdown", two, 0.5),   # different flows
          "queue_bytes": Half("queue", si_bytes, 0.5)}   # which oscillates
OF_FLOWS = ("goodput_bps", "victim_bps", "least_bps")


class Doubt(NamedTuple):
    """Two values of a number that should be close, and what each is."""
    called: str
    first: str
    of_first: str
    second: str
    of_second: str


def shares_a_port(run: dict) -> bool:
    """Return whether all flows of a run compete for one port, so that Jain's index says how fair it is."""
    names = [str(group.get("name")) for group in questions.list_groups(run)]
    if names:
        receivers = {re.split(r"[-=~](?![^\[]*\])", name)[-1] for name in names}
        return len(receivers) == 1 and "[" not in "".join(receivers)
    return run.get("scenario") in (*questions.ONE_PORT, "clos")


def pair_of(run: dict, name: str) -> Optional[tuple]:
    """Return both halves of the window, or None."""
    found = run.get("halves")
    values = found.get(name) if isinstance(found, dict) else None
    if not isinstance(values, list) or len(values) != 2 or None in map(number, values):
        return None
    return values[0], values[1]


def _may_differ(run: dict, name: str, low: float, high: float) -> bool:
    if name == "jain":
        return low >= FAIR or not shares_a_port(run)
    if name == "queue_bytes":
        return high - low <= NOTHING * (get(run, "kmax_bytes") or get(run, "pfc_limit_bytes") or 0)
    return name == "utilization" and any(pair_of(run, other) for other in OF_FLOWS)   # one port among several


def list_doubts(run: dict) -> list:
    """Return a Doubt for each number that still moves inside the window, and for a queue that waits at the PFC limit too early."""
    found = []
    for name, half in HALVES.items():
        pair = pair_of(run, name)
        if pair and max(pair) > 0 and abs(pair[1] - pair[0]) > half.drift * max(pair) and not _may_differ(run, name, min(pair), max(pair)):
            found.append(Doubt(half.called, half.show(pair[0]), "first half of the window", half.show(pair[1]), "second half"))
    queue, limit, usual = get(run, "queue.mean_bytes") or 0, get(run, "pfc_limit_bytes"), asked.usual_time(run)
    reacts = run.get("cc") != "none" and not run.get("fct")
    if reacts and limit and queue >= FULL_QUEUE * limit and usual and (get(run, "sim_s") or usual) < usual:
        found.append(Doubt("queue", si_bytes(queue), f"mean over {si_time(get(run, 'sim_s'))}", si_bytes(limit), "PFC limit"))
    return found


def is_steady(run: dict) -> bool:
    """Return True also for a run that does not say."""
    return not list_doubts(run)


def propose_time(run: dict) -> str:
    """Return a longer --time, of one digit, and not below the scenario's own: "6ms"."""
    window = run.get("window_s")
    arrivals = pair_of(run, "slowdown") and isinstance(window, list)   # which --time is of, and not their ends
    lasted = window[1] if arrivals and isinstance(window, list) else max(get(one, "sim_s") or 0 for one in seeds.split_seeds(run))
    seconds = max(LONGER * lasted, 0 if run.get("fct") else asked.usual_time(run) or 0)
    unit, scale = ("s", 1.0) if seconds >= 0.1 else ("ms", 1e3) if seconds >= 1e-4 else ("us", 1e6)
    return f"{float(f'{seconds * scale:.1g}'):g}{unit}"
