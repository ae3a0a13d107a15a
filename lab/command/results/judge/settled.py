# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Whether the averages of a run hold: they do if both halves of their window say the same."""
from __future__ import annotations

from typing import Optional

from . import endings
from ...common import digits, get, number, si_bytes, si_rate

DRIFTS = {"jain": 0.05, "utilization": 0.1, "goodput_bps": 0.1, "victim_bps": 0.1, "least_bps": 0.1,
          "slowdown": 0.5}    # between the halves, as a share of the larger one; those of a workload have different flows
CALLED = {"jain": ("Jain's index", None), "utilization": ("the utilisation", None), "goodput_bps": ("the goodput", si_rate),
          "victim_bps": ("the victim's goodput", si_rate), "least_bps": ("the least rate", si_rate),
          "slowdown": ("the mean slowdown", None)}
FAIR = 0.95           # Jain's index from which sharing is even, whatever it still does
QUEUE_DRIFT = 0.5     # of the queue, which oscillates
NOTHING = 0.05        # of Kmax or the PFC limit, by which a queue may move
MARK = "~"            # in tables and figures
LONGER = 3            # times the time that is proposed
ALIKE = 0.02          # of the answer's utilisation, by which means over seeds may differ from the product of means
HALF = 0.01           # of a run's end, by which the second half may differ from its window


def halves(run: dict, name: str) -> Optional[tuple]:
    """Both halves of the window, or None."""
    found = run.get("halves")
    values = found.get(name) if isinstance(found, dict) else None
    if not isinstance(values, list) or len(values) != 2:
        return None
    first, second = number(values[0]), number(values[1])
    if first is None or second is None:
        return None
    unit = of_capacity(run) if name == "utilization" else 1.0
    return (first, second) if unit == 1 else (min(1.0, first * unit), min(1.0, second * unit))


def of_capacity(run: dict) -> float:
    """What makes a share of the watched ports one of the capacity, if the answer's utilisation is that; else 1."""
    use, used, limit, ports = (get(run, name) for name in ("utilization", "answer.used", "answer.capacity_bps", "bottleneck_bps"))
    if not use or not used or not limit or not ports or abs(used - use) <= ALIKE * use:
        return 1.0
    unit = ports / limit
    return unit if abs(used - min(1.0, use * unit)) <= ALIKE * used else 1.0


def drift(run: dict, name: str) -> float:
    """How far a number moves from the first half to the second one, as a share of the larger."""
    pair = halves(run, name)
    largest = max(pair) if pair else 0.0
    return (pair[1] - pair[0]) / largest if pair and largest > 0 else 0.0


def moves(run: dict) -> list:
    """What moves inside the window: ["Jain's index rises from 0.24 to 0.61"]."""
    found = []
    of_flows = any(halves(run, name) for name in ("goodput_bps", "victim_bps", "least_bps"))
    for name, (called, show) in CALLED.items():
        pair = halves(run, name)
        if pair and abs(drift(run, name)) > DRIFTS[name] and not (name == "jain" and min(pair) >= FAIR) and \
                not (name == "utilization" and of_flows):   # of one port among several
            texts = [show(value) if show else digits(value, 2) for value in pair]
            found.append(f"{called} {'rises' if pair[1] > pair[0] else 'falls'} from {texts[0]} to {texts[1]}")
    queue = halves(run, "queue_bytes")
    least = NOTHING * (get(run, "kmax_bytes") or get(run, "pfc_limit_bytes") or 0)
    if queue and abs(drift(run, "queue_bytes")) > QUEUE_DRIFT and abs(queue[1] - queue[0]) > least:
        found.append(f"the queue {'grows' if queue[1] > queue[0] else 'shrinks'} from {si_bytes(queue[0])} to {si_bytes(queue[1])}")
    return found


def steady(run: dict) -> bool:
    """True also of a run that does not say."""
    return not moves(run)


def goes_by_time(run: dict) -> bool:
    """Whether what happens in a scenario, such as the rates of `capacity`, is stretched with --time."""
    from ...run.experiments import MAKERS
    maker = MAKERS.get(str(run.get("scenario")))
    return maker is not None and any(option.fits and option.unit == "list" for option in maker.own)


def proposal(run: dict) -> str:
    """A longer --time, of one digit, and a window where the run had one of its own: its second half, or the same part of it in a scenario
    that goes by --time."""
    window = run.get("window_s")
    arrivals = halves(run, "slowdown") and isinstance(window, list)   # which --time is of, and not their ends
    lasted = [get(one, "sim_s") or 0 for one in endings.own(run)]   # the slowest of several seeds needs most
    seconds = LONGER * (window[1] if arrivals else max(lasted))
    if not seconds:
        return ""
    unit, factor = ("s", 1.0) if seconds >= 0.1 else ("ms", 1e3) if seconds >= 1e-4 else ("us", 1e6)
    time = float(f"{seconds * factor:.1g}")
    second_half = not isinstance(window, list) or arrivals or abs(window[1] - 2 * window[0]) < HALF * window[1]
    begin, end = (time * edge / max(lasted) for edge in window) if not second_half and goes_by_time(run) else (time / 2, time)
    own = "" if second_half else f" --window={begin:g}{unit}-{end:g}{unit}"
    return f"; try --time={time:g}{unit}{own}"


def words(runs: list, name) -> str:
    """One line, or "" where everything is settled. `name`: of a run."""
    moving = [(name(run), moves(run)) for run in runs if moves(run)]
    if not moving:
        return ""
    longest = max((run for run in runs if moves(run)), key=lambda run: max(get(one, "sim_s") or 0 for one in endings.own(run)))
    return "not settled: " + "; ".join(f"{who}: {', '.join(what)}" for who, what in moving) + \
        " inside the window of the averages" + proposal(longest)
