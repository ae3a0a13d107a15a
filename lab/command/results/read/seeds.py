# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs that differ in their seed only, as one: means, and half of the 95 % interval beside them."""
from __future__ import annotations

import copy
import math
from collections import Counter
from typing import Any, Optional

from . import statistics
from ...common import get, number, si_count, si_time


# absent where they are 0, or where links lose nothing (lab/doc/summary.md)
COUNTERS = ("packets_repeated", "bytes_repeated", "packets_overrun", "frames_lost", "icrc_errors", "frames_trimmed")
COUNTED = ("flows", "hosts", "senders")   # counts, of which a mean is none
COUNTERS_BEFORE = ("unfinished.", "endless.")
OF_FLOWS = ("fct.", "slowdown.", "collective.", "step.")   # numbers that say something only where all flows have ended
LISTS = ("groups", "phases", "slowdown.by_size", "ports", "classes")   # lists of things with numbers
EDGES = ("from_bytes", "to_bytes", "class")
OWN = ("intervals", "by_seed", "halves")   # keys of an averaged run that have no mean


def label(run: dict) -> str:
    """Return the name of a run: its algorithm, with the preset and the parameters that its entry in --cc gave it."""
    return str(run.get("label") or run.get("cc", "?"))


def folder(run: dict) -> str:
    """The folder of a run's files, inside that of the results."""
    return str(run.get("folder") or run.get("cc", "?"))


def split_seeds(run: dict) -> list:
    """Return the runs that a run stands for: those of its seeds, or itself."""
    found = run.get("by_seed")
    return list(found.values()) if isinstance(found, dict) and found else [run]


def incomplete(run: dict) -> int:
    """Count the flows with an end that did not reach it, over all seeds: a mean would hide one of a single seed."""
    total = 0
    for one in split_seeds(run):
        stated, flows, ended = (get(one, path) for path in ("incomplete", "flows", "fct.count"))
        if stated is not None:
            total += math.ceil(stated)
        elif flows is not None and ended is not None:
            total += max(math.ceil(flows - ended), 0)
    return total


def count_ended(run: dict) -> str:
    """Show how many flows ended: of several seeds, of how many in all."""
    counts = [int(count) for count in (get(one, "fct.count") for one in split_seeds(run)) if count is not None]
    if len(split_seeds(run)) < 2 or not counts:
        return si_count(get(run, "fct.count"))
    return f"{si_count(sum(counts))} of {si_count(sum(counts) + incomplete(run))} in {len(split_seeds(run))} seeds"


def count_late(run: dict) -> str:
    """Show how many flows did not end: of several seeds, in all of them."""
    return si_count(incomplete(run)) + (f" in {len(split_seeds(run))} seeds" if len(split_seeds(run)) > 1 else "")


def averaged(runs: list) -> list:
    """One run per label. Of several seeds: the first one's account, its numbers the means, "seeds" their list, "seed_folders" their
    folders, and "intervals" half of the 95 % interval by path."""
    together: dict = {}
    for run in runs:
        together.setdefault(label(run), []).append(run)
    return [_mean(group) if len(group) > 1 else group[0] for group in together.values()]


def _mean(group: list) -> dict:
    # the order in which seeds were given does not matter
    group = sorted(group, key=lambda run: (number(run.get("seed")) is None, number(run.get("seed")) or 0))
    intervals: dict = {}
    found = _merge(intervals, "", group)
    found["seeds"] = [run.get("seed") for run in group]
    found["seed_folders"] = [folder(run) for run in group]
    found["partial"] = any(run.get("partial") for run in group)
    found["warnings"] = list(dict.fromkeys(text for run in group for text in run.get("warnings") or []))
    found["intervals"] = intervals
    found["by_seed"] = {run.get("seed"): run for run in group}
    if "halves" in found:
        found["halves"] = mean_halves(group)
    if len(windows(found)) > 1:
        begins, ends = zip(*windows(found))
        found["window_s"] = [min(begins), max(ends)]
    return found


def _merge(intervals: dict, path: str, values: list) -> Any:
    """Return one value for those that the seeds have at a path: objects key by key, the mean of numbers, else the first seed's."""
    known = [value for value in values if value is not None]
    inner = [value for value in known if isinstance(value, dict)]
    if inner and path not in OWN:
        return {key: _merge(intervals, f"{path}.{key}" if path else key,
                            [value.get(key) if isinstance(value, dict) else None for value in values])
                for key in dict.fromkeys(key for value in inner for key in value)}
    if path in LISTS and known and isinstance(known[0], list):
        return _mean_list(intervals, path, [value for value in known if isinstance(value, list)])
    first = copy.deepcopy(known[0]) if known else None
    numbers_ = [x for x in map(number, values) if x is not None]
    if absent_is_0(path):
        numbers_ += [0] * (len(values) - len(numbers_))
    if path == "seed" or path in OWN or not numbers_ or isinstance(first, bool) or (first is not None and number(first) is None):
        return first
    return _mean_number(intervals, path, numbers_, first)


def _mean_number(intervals: dict, path: str, values: list, first: Any) -> Any:
    found = statistics.interval(values)
    if found.half is not None:
        intervals[path] = found.half
    return first if found.mean == first else found.mean    # a whole number stays one


def absent_is_0(path: str) -> bool:
    """Whether a number that run.json leaves out is 0."""
    return path in COUNTERS or path.startswith(COUNTERS_BEFORE)


def windows(run: dict) -> list:
    """The windows of the averages, as [begin, end] in s: one, or several of seeds that differ, as where a run ends with its flows."""
    own = [one.get("window_s") for one in split_seeds(run)]
    return [list(one) for one in dict.fromkeys(tuple(one) for one in own if isinstance(one, list) and len(one) == 2)]


def mean_halves(group: list) -> dict:
    """Both halves of the window, as means over the seeds."""
    halves = [run["halves"] for run in group if isinstance(run.get("halves"), dict)]
    keys = dict.fromkeys(key for one in halves for key in one)
    return {key: _means([one[key] for one in halves if isinstance(one.get(key), list)]) for key in keys}


def _means(rows: list) -> list:
    """Return the mean of each column of numbers."""
    columns = [[x for x in map(number, column) if x is not None] for column in zip(*rows)]
    return [sum(column) / len(column) for column in columns if column]


def _mean_list(intervals: dict, path: str, rows: list) -> list:
    """Return a list of things with the means of their numbers over the seeds that have them. A thing is known by its name, its end in bytes
    or its place, and by its place among those of that name."""
    together: dict = {}
    for row in rows:
        seen: Counter = Counter()
        for at, item in enumerate(item for item in row if isinstance(item, dict)):
            name = str(next((item[key] for key in ("name", "to_bytes") if key in item), at))
            together.setdefault(f"{path}.{name}." + (f"{seen[name]}." if seen[name] else ""), []).append(item)
            seen[name] += 1
    return [_mean_item(intervals, before, items) for before, items in together.items()]


def _mean_item(intervals: dict, before: str, items: list) -> dict:
    """Return the mean of one thing over the seeds; a group that never ended in a seed has no end."""
    mean = copy.deepcopy(items[0])
    for key, value in items[0].items():
        column = [item.get(key) for item in items]
        if isinstance(value, list):
            mean[key] = _means([x for x in column if isinstance(x, list)])
        elif None not in map(number, column) and key not in EDGES:
            mean[key] = _mean_number(intervals, before + key, list(map(number, column)), value)
        elif None in column:
            mean[key] = None
    return mean


def folders(run: dict) -> list:
    """The folders of a run's seeds."""
    return run.get("seed_folders") or [folder(run)]


def numbers(run: dict) -> str:
    """The seeds of a run: "1", or "1-4,7"."""
    found: list = []
    for seed in run.get("seeds") or [run.get("seed")]:
        if found and isinstance(seed, int) and seed - 1 == found[-1][1]:
            found[-1][1] = seed
        else:
            found.append([seed, seed])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def half(run: dict, path: str) -> Optional[float]:
    """Half of the 95 % interval of a mean, or None."""
    intervals: Any = run.get("intervals")
    return intervals.get(path) if isinstance(intervals, dict) else None


def count_lacking(run: dict, path: str) -> str:
    """" in 1 of 3 seeds", for a mean over the seeds that have the number, or ""."""
    own = [] if absent_is_0(path) else split_seeds(run)
    count = sum(get(one, path) is not None for one in own)
    return f" in {count} of {len(own)} seeds" if 0 < count < len(own) else ""


def simulated(runs: list) -> str:
    """Return "2.99 to 3.82 ms", the simulated times of all seeds of the runs, of a trace those of its step; "" if none says."""
    ends = [end for run in runs for end in map(_end, split_seeds(run)) if end is not None]
    if not ends:
        return ""
    first, last = si_time(min(ends)), si_time(max(ends))
    if first == last:
        return last
    return f"{first.partition(' ')[0] if first.split()[-1] == last.split()[-1] else first} to {last}"   # units that differ stay


def _end(run: dict) -> Optional[float]:
    """Return when a run of one seed ends: a step that is over does so with its ranks, which may compute after the last packet."""
    over = get(run, "step.step_s")
    return get(run, "sim_s") if over is None else over


def span(run: dict, path: str) -> str:
    """"280 to 291", for a count or a simulated time that differs between the seeds, or ""."""
    if path == "sim_s":
        return simulated([run]) if len({get(one, path) for one in split_seeds(run)}) > 1 else ""
    known = sorted({value for value in (one.get(path) for one in split_seeds(run)) if isinstance(value, int) and number(value) is not None})
    return f"{known[0]} to {known[-1]}" if len(known) > 1 and path in COUNTED else ""


def paired(run: dict, base: dict, path: str) -> Optional[statistics.Ratio]:
    """The ratio of a number to that of another run over the seeds that both have; None without two of them where both numbers are above
    0. Times of flows are compared only where all flows have ended: those that ended are others under each algorithm."""
    own, others = run.get("by_seed"), base.get("by_seed")
    if not isinstance(own, dict) or not isinstance(others, dict):
        return None
    ratios = []
    both = [(one, others[seed]) for seed, one in own.items() if seed in others]
    for one, other in both:
        if path.startswith(OF_FLOWS) and (incomplete(one) or incomplete(other)):
            continue
        value, reference = get(one, path), get(other, path)
        if (value or 0) > 0 and (reference or 0) > 0:
            ratios.append(value / reference)
    return statistics.ratio(ratios, len(both)) if len(ratios) > 1 else None
