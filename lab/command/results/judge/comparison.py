# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Saved runs side by side: what differs in their set-up, every metric with difference and ratio, and both in words."""
from __future__ import annotations

import math
import os
from typing import Any, Callable, NamedTuple, Optional

from . import lines, questions, settled
from ..read import asked, given, results, seeds
from ... import below
from ...common import (WIDEST, RccError, aligned, counted, digits, get, nearest, ratio, readable, refuse_twice, si_bytes,
                      si_count, si_rate, si_time, terminal_width, version, wrapped)

SCHEMA = 1
LETTERS = "ABCDEFGH"
NAMES = 25     # letters of the runs that a line of the set-up names


class Metric(NamedTuple):
    path: str                                   # in a run of summary.json
    label: str
    show: Callable[[Optional[float]], str]
    cost: bool = False                          # of the machine, not of the network: never a reason to fail


# numbers that answer a scenario's question and that not every run has
ANSWERS = [questions.LOST, questions.GOODPUT, questions.LEAST, questions.MOST, questions.VICTIM, questions.BUS, questions.STEP]
METRICS = [
    Metric("queue.mean_bytes", "queue mean", si_bytes), Metric("queue.p50_bytes", "queue p50", si_bytes),
    Metric("queue.p95_bytes", "queue p95", si_bytes), Metric("queue.p99_bytes", "queue p99", si_bytes),
    Metric("queue.max_bytes", "queue max", si_bytes), Metric("utilization", "utilisation", ratio),
    Metric("send_utilization", "sending utilisation", ratio), Metric("jain", "Jain", ratio),
    Metric("fct.count", "flows that ended", si_count), Metric("fct.mean_s", "FCT mean", si_time),
    Metric("fct.p50_s", "FCT p50", si_time), Metric("fct.p99_s", "FCT p99", si_time), Metric("fct.max_s", "FCT max", si_time),
    Metric("slowdown.mean", "slowdown mean", lambda v: "-" if v is None else digits(v)),
    Metric("slowdown.p50", "slowdown p50", lambda v: "-" if v is None else digits(v)),
    Metric("slowdown.p95", "slowdown p95", lambda v: "-" if v is None else digits(v)),
    Metric("slowdown.p99", "slowdown p99", lambda v: "-" if v is None else digits(v)),
    Metric("drain_s", "drained after", lambda v: "never" if v is None else si_time(v)),
    Metric("pfc.pauses", "PFC pauses", si_count), Metric("pfc.paused_s", "paused by PFC", si_time),
    Metric("packets_sent", "packets sent", si_count), Metric("packets_delivered", "packets delivered", si_count),
    Metric("bytes_delivered", "bytes delivered", si_bytes), Metric("packets_dropped", "packets dropped", si_count),
    Metric("packets_overrun", "packets dropped by hosts", si_count), Metric("frames_lost", "frames lost on links", si_count),
    Metric("icrc_errors", "frames that arrived corrupted", si_count), Metric("packets_repeated", "packets repeated", si_count),
    Metric("frames_trimmed", "frames trimmed", si_count), Metric("packets_marked", "packets marked", si_count),
    Metric("naks", "NAKs", si_count),
    Metric("timeouts", "timeouts", si_count), Metric("cnps", "CNPs", si_count), Metric("cnms", "CNMs", si_count),
    Metric("incomplete", "flows without an end", si_count), Metric("offered_load", "offered load", ratio),
    Metric(questions.USE.path, "link used", questions.USE.show),
    *(Metric(one.path, one.called, one.show) for one in ANSWERS),
    Metric("events", "events", si_count, True), Metric("wall_s", "wall time", si_time, True),
    Metric("peak_rss_bytes", "peak memory", si_bytes, True),
]

# what makes two runs different before they begin: key, and how it is shown
SETUP = [("scenario", str), ("preset", str), ("rcc_version", str), ("ns3_version", str), ("flows", str), ("hosts", str),
         ("senders", str), ("rate_bps", si_rate), ("bottleneck_bps", si_rate), ("sim_s", si_time), ("window_s", str),
         ("congested_port", str), ("kmax_bytes", si_bytes), ("pfc_limit_bytes", si_bytes), ("load", str),
         ("mean_size_bytes", si_bytes), ("partial", str)]


COUNTS = {"fct.count": seeds.count_ended, "incomplete": seeds.count_late}   # of flows over all seeds: a mean hides one


class Folder(NamedTuple):
    letter: str
    path: str
    summary: dict
    runs: dict       # (scenario, cc) -> run

    def place(self, run: dict) -> str:
        return self.places(run)[0]

    def places(self, run: dict) -> list:
        """The folders of all seeds of a run."""
        return [os.path.join(os.path.abspath(self.path), name) for name in seeds.folders(run)]


def load(paths: list) -> list:
    if len(paths) < 2:
        raise RccError(f"{paths[0]}: one folder alone; give two or more")
    if len(paths) > len(LETTERS):
        raise RccError(f"{len(paths)} folders; at most {len(LETTERS)} are shown side by side")
    folders = []
    for letter, path in zip(LETTERS, paths):
        path = os.path.dirname(path) or "." if os.path.basename(path) == "summary.json" else path
        summary = results.load(path)
        runs = {}
        for run in seeds.averaged(summary["runs"]):
            testbed = asked.is_testbed(run)   # of several names, of which results of earlier versions do not know
            own = asked.of(str(summary.get("command", "")), run).scenario if testbed else run.get("scenario")
            runs[asked.TESTBED if testbed else str(own), seeds.label(run)] = {**run, "scenario": own}
        if not runs:
            raise RccError(f"{path}/summary.json: runs: found none, expected at least one")
        folders.append(Folder(letter, path, summary, runs))
    return folders


def match(folders: list) -> list:
    """Rows of (name, [run or None per folder]): by scenario and algorithm; if nothing matches and each folder has one run, those."""
    keys = list(dict.fromkeys(key for folder in folders for key in folder.runs))
    rows = [(key, [folder.runs.get(key) for folder in folders]) for key in keys]
    if any(sum(run is not None for run in runs) > 1 for _, runs in rows):
        many = len({scenario for scenario, _ in keys}) > 1
        return [(f"{scenario} {cc}" if many else cc, runs) for (scenario, cc), runs in rows]
    if all(len(folder.runs) == 1 for folder in folders):
        lone = [next(iter(folder.runs.values())) for folder in folders]
        if len({scenario for scenario, _ in keys}) == 1:
            return [(" | ".join(run["cc"] for run in lone), lone)]
    raise RccError("nothing to compare: " + "; ".join(
        f"{folder.path} has " + ", ".join(f"{scenario} {cc}" for scenario, cc in folder.runs) for folder in folders))


def shown(value: Any, show: Callable) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return " to ".join(f"{v:.10g}" if isinstance(v, float) else str(v) for v in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return show(value) if isinstance(value, (int, float)) or show is str else str(value)


def setup(folders: list, rows: list) -> list:
    """What differs before the simulation: {"what", "runs" (the names it holds for), "values" per folder}."""
    found: dict = {}

    def note(what: str, name: str, values: list) -> None:
        present = [v for v in values if v is not None]
        if len(present) > 1 and any(v != present[0] for v in present):
            found.setdefault((what, tuple(v or "-" for v in values)), []).append(name)

    for name, runs in rows:
        def texts(of: Callable) -> list:
            return [None if run is None else of(run) for run in runs]

        if len({run["cc"] for run in runs if run}) > 1:
            note("algorithm", name, texts(lambda r: r["cc"]))
        note("seed", name, texts(seeds.numbers))
        for key, show in SETUP:
            note(key, name, texts(lambda r, k=key, s=show: seeds.span(r, k) or shown(r.get(k), s)))
        own = [run.get("parameters") if run and isinstance(run.get("parameters"), dict) else {} for run in runs]
        for key in dict.fromkeys(k for parameters in own for k in parameters):
            # an algorithm that lacks the parameter is another algorithm, which was said already
            note(f"parameter {key}", name, [None if run is None or key not in p else readable(str(p[key])) for run, p in zip(runs, own)])
        places = [None if run is None else f.place(run) for f, run in zip(folders, runs)]
        for what, values in given.differences(runs, places):
            note(what, name, values)
    return [{"what": what, "runs": names, "values": list(values)} for (what, values), names in found.items()]


def change(base: Optional[float], value: Optional[float]) -> float:
    """How far a value moved, as a share of the base; infinite where that cannot be said."""
    if base == value:
        return 0.0
    if base is None or value is None or base == 0:
        return math.inf
    return abs(value / base - 1)


def measure(runs: list, metrics: list) -> list:
    rows = []
    for metric in metrics:
        values = [None if run is None else get(run, metric.path) for run in runs]
        if metric.path == questions.JAIN.path and not all(map(settled.shares_a_port, filter(None, runs))):
            continue
        if all(v is None for v in values):
            continue
        if seeds.absent_is_0(metric.path):
            values = [0 if v is None and run is not None else v for run, v in zip(runs, values)]
        base = values[0]
        rows.append({"name": metric.path, "values": values,
                     "difference": [None if base is None or v is None else v - base for v in values[1:]],
                     "ratio": [None if not base or v is None else v / base for v in values[1:]],
                     **over_seeds(runs, metric, values)})
    return rows


def over_seeds(runs: list, metric: Metric, values: list) -> dict:
    """What is said in place of a mean over the seeds that would hide one of them: "said", a text for each run, and of counts "seeds", how
    many seeds they are of. Empty where the values say it all."""
    if metric.path not in COUNTS:
        texts = ["-" if run is None else metric.show(value) + seeds.lacking(run, metric.path) for run, value in zip(runs, values)]
        return {"said": texts} if any(run and seeds.lacking(run, metric.path) for run in runs) else {}
    counted = [0 if run is None else sum(get(one, metric.path) is not None for one in seeds.each(run)) for run in runs]
    if max(counted) < 2:
        return {}
    return {"said": ["-" if value is None else COUNTS[metric.path](run) for run, value in zip(runs, values)], "seeds": counted}


def same_series(places: list) -> dict:
    """For each series: whether it is byte for byte the same, with every seed; None if some run has none. `places`: folders of the seeds of
    each run, as many."""
    found: dict = {}
    for name in results.SERIES:
        for of_one_seed in zip(*places):
            paths = [below.split_run(os.path.join(place, name)) for place in of_one_seed]
            there = [below.is_file(*path) for path in paths]
            if all(there):
                found[name] = found.get(name, True) and all(below.same_bytes(paths[0], path) for path in paths[1:])
            elif any(there):
                found[name] = None
    return found


def select(text: Optional[str]) -> list:
    if text is None:
        return METRICS
    known = {metric.path: metric for metric in METRICS}
    for name in text.split(","):
        if name not in known:
            raise RccError(f"--metrics={text}: unknown metric '{name}'{nearest(name, list(known))}; known: {', '.join(known)}")
    return [known[name] for name in refuse_twice(f"--metrics={text}", text.split(","))]


def percentage(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise RccError(f"--fail-over={text}: expected a percentage of 0 or more, e.g. 5")
    return value


def moved(rows: list, measured: dict, metrics: list, limit: float, named: bool) -> list:
    """What is beyond the limit, the farthest first: {"run", "metric", "folder", "percent" (null: from or to nothing)}."""
    counted = {metric.path for metric in metrics if named or not metric.cost}
    found = []
    for name, runs in rows:
        for i, run in enumerate(runs):
            if run is None:
                found.append((math.inf, {"run": name, "metric": None, "folder": LETTERS[i], "percent": None}))
        for row in measured[name]:
            if row["name"] in counted:
                for i, value in enumerate(row["values"][1:], 1):
                    by = 100 * change(row["values"][0], value)
                    if runs[0] is not None and runs[i] is not None and by > limit:
                        found.append((by, {"run": name, "metric": row["name"], "folder": LETTERS[i], "from": row["values"][0],
                                           "to": value, "percent": None if math.isinf(by) else by,
                                           **({"said": [row["said"][0], row["said"][i]]} if "said" in row else {})}))
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def signed(metric: Metric, value: Optional[float]) -> str:
    if value is None:
        return "-"
    text = metric.show(abs(value))
    return "0" if value == 0 else ("+" if value > 0 else "-") + text


def signed_cell(metric: Metric, row: dict, at: int) -> str:
    """How far a folder is from the first one: of counts over as many seeds in all, else for each seed."""
    value, counted = row["difference"][at], row.get("seeds")
    if not value or not counted:
        return signed(metric, value)
    return signed(metric, round(value * counted[0])) if counted[0] == counted[at + 1] else signed(metric, value) + " a seed"


def factor(value: Optional[float]) -> str:
    return "-" if value is None else f"{value:.4f}" if 0.001 <= value < 100 else digits(value)


def table(rows: list, letters: list) -> list:
    """Cells, a header first. What is nothing in every folder is left out."""
    known = {metric.path: metric for metric in METRICS}
    head = ["metric"] + letters
    for letter in letters[1:]:
        head += [f"{letter} - {letters[0]}", f"{letter} / {letters[0]}"]
    cells = [head]
    for row in rows:
        if any(row["values"]):
            metric = known[row["name"]]
            line = [metric.label] + (row.get("said") or [metric.show(v) for v in row["values"]])
            for at, quotient in enumerate(row["ratio"]):
                line += [signed_cell(metric, row, at), factor(quotient)]
            cells.append(line)
    return cells


def words(found: dict) -> list:
    """Return the folders, and what differs in their set-up."""
    said = [wrapped(f"{f['letter']}: {f['path']}   {f['command']}", terminal_width(WIDEST)) for f in found["folders"]]
    said += ["", "set-up differs:" if found["setup"] else "set-up: the same"]
    if found["setup"]:
        rows = [["", *(f["letter"] for f in found["folders"])]]
        for entry in found["setup"]:
            names = ", ".join(entry["runs"])
            told = names if len(names) < NAMES else counted(len(entry["runs"]), "run")
            rows.append([entry["what"] + ("" if len(entry["runs"]) == len(found["runs"]) else f" ({told})"), *entry["values"]])
        said.append(aligned(rows, indent="  "))
    return said + missing(found)


def missing(found: dict) -> list:
    """Return a line for each run that a folder has not."""
    return [f"{entry['name']}: not in {f['path']}" for entry in found["runs"]
            for f, there in zip(found["folders"], entry["in"]) if not there]


def verdict(found: dict) -> list:
    """Return what moved beyond --fail-over."""
    if found["fail_over_percent"] is None:
        return []
    limit = f"{found['fail_over_percent']:g} %"
    said = [f"moved by more than {limit}:" if found["moved"] else f"nothing moved by more than {limit}"]
    for entry in found["moved"]:
        if entry["metric"] is None:
            said.append(f"  {entry['run']} in {entry['folder']}: is missing")
            continue
        show = next(metric.show for metric in METRICS if metric.path == entry["metric"])
        by = "" if entry["percent"] is None else f" by {digits(entry['percent'])} %,"
        before, after = entry.get("said") or (show(entry["from"]), show(entry["to"]))
        said.append(f"  {entry['run']} in {entry['folder']}: {entry['metric']}{by} from {before} to {after}")
    return said


def series_words(series: dict) -> str:
    differ, lacking = (", ".join(name for name, same in series.items() if same is what) for what in (False, None))
    return f"differ: {differ or 'none'}; not in all: {lacking or 'none'}" if differ or lacking else "all the same, byte for byte"


def text(found: dict) -> str:
    said = words(found)
    for entry in found["runs"]:
        if sum(entry["in"]) > 1:
            said += ["", entry["name"], aligned(table(entry["metrics"], [f["letter"] for f in found["folders"]]), indent="  ")]
            said += [wrapped(f"  series: {series_words(entry['series'])}", terminal_width(WIDEST))] if entry["series"] else []
            said += [wrapped(f"  {entry['not_settled']}", terminal_width(WIDEST))] if entry["not_settled"] else []
    return "\n".join(said + ([""] + verdict(found) if found["fail_over_percent"] is not None else []))


def compare(folders: list, metrics: list, limit: Optional[float], named: bool) -> tuple:
    """(what compare.json holds, the matched rows)"""
    rows = match(folders)
    measured = {name: measure(runs, metrics) for name, runs in rows}
    entries = []
    for name, runs in rows:
        present = [(folder, run) for folder, run in zip(folders, runs) if run is not None]
        comparable = len(present) == len(runs) and len({len(f.places(run)) for f, run in present}) == 1
        entries.append({"name": name, "scenario": present[0][1].get("scenario"), "in": [run is not None for run in runs],
                        "metrics": measured[name],
                        "not_settled": "; ".join(lines.list_not_settled([{**run, "label": f.letter} for f, run in present])),
                        "series": same_series([f.places(run) for f, run in present]) if comparable else {}})
    return {"schema": SCHEMA, "rcc_version": version(),
            "folders": [{"letter": f.letter, "path": f.path, "command": str(f.summary.get("command", "")),
                         "rcc_version": f.summary.get("rcc_version"), "partial": bool(f.summary.get("partial"))} for f in folders],
            "setup": setup(folders, rows), "runs": entries, "fail_over_percent": limit,
            "moved": [] if limit is None else moved(rows, measured, metrics, limit, named)}, rows
