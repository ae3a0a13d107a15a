# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Saved runs side by side: what differs in their set-up, every metric with difference and ratio, and what moved."""
from __future__ import annotations

import math
import os
from typing import Any, Callable, NamedTuple, Optional

from . import lines, questions, settled
from ..read import asked, results, seeds
from ... import below
from ...common import (WIDEST, RccError, aligned, counted, digits, get, nearest, ratio, readable, refuse_twice, si_bytes,
                       si_count, si_rate, si_time, terminal_width, version, wrapped)

SCHEMA = 1
LETTERS = "ABCDEFGH"
NAMES = 25     # letters of the runs that a line of the set-up names
OF_MACHINE = ("events", "wall_s", "peak_rss_bytes")   # costs of the simulation: never a reason to fail unless they are named


class Metric(NamedTuple):
    path: str                                   # in a run of summary.json
    label: str
    show: Callable[[Optional[float]], str]


METRICS = [Metric(*row) for row in (
    *((f"queue.{name}_bytes", f"queue {name}", si_bytes) for name in ("mean", "p50", "p95", "p99", "max")),
    ("utilization", "utilisation", ratio), ("send_utilization", "sending utilisation", ratio), ("jain", "Jain", ratio),
    ("fct.count", "flows that ended", si_count), *((f"fct.{name}_s", f"FCT {name}", si_time) for name in ("mean", "p50", "p99", "max")),
    *((f"slowdown.{name}", f"slowdown {name}", questions.factor) for name in ("mean", "p50", "p95", "p99")),
    ("drain_s", "drained after", lambda v: "never" if v is None else si_time(v)),
    ("pfc.pauses", "PFC pauses", si_count), ("pfc.paused_s", "paused by PFC", si_time),
    *((path, path.replace("_", " "), si_count) for path in ("packets_sent", "packets_delivered", "packets_dropped", "packets_repeated",
                                                            "frames_trimmed", "packets_marked")),
    ("bytes_delivered", "bytes delivered", si_bytes), ("packets_overrun", "packets dropped by hosts", si_count),
    ("frames_lost", "frames lost on links", si_count), ("icrc_errors", "frames that arrived corrupted", si_count),
    ("naks", "NAKs", si_count), ("timeouts", "timeouts", si_count), ("cnps", "CNPs", si_count), ("cnms", "CNMs", si_count),
    ("incomplete", "flows without an end", si_count), ("offered_load", "offered load", ratio), (questions.USED, "link used", ratio),
    *((one.path, one.called, one.show) for one in (questions.LOST, questions.GOODPUT, questions.LEAST, questions.MOST, questions.VICTIM,
                                                   questions.BUS, questions.STEP)),
    ("events", "events", si_count), ("wall_s", "wall time", si_time), ("peak_rss_bytes", "peak memory", si_bytes))]
BY_PATH = {metric.path: metric for metric in METRICS}

# Keys that make two runs different before they begin, and how each is shown.
SETUP: list = [("scenario", str), ("preset", str), ("rcc_version", str), ("ns3_version", str), ("flows", str), ("hosts", str),
         ("senders", str), ("rate_bps", si_rate), ("bottleneck_bps", si_rate), ("sim_s", si_time), ("window_s", str),
         ("congested_port", str), ("kmax_bytes", si_bytes), ("pfc_limit_bytes", si_bytes), ("load", str),
         ("mean_size_bytes", si_bytes), ("partial", str)]
# options of commands that those, parameters and files say, or that change nothing
SAID = ("cc", "seed", "preset", "time", "rate", "window", "flows", "kmin", "kmax", "pmax", "set", "attr", "faults", "choices", "out",
        "json", "quiet", "progress", "format", "no-plots", "ranks", "jobs")


class Folder(NamedTuple):
    letter: str
    path: str
    summary: dict
    runs: dict       # (scenario, cc) -> run

    def places(self, run: dict) -> list:
        """Return the folders of all seeds of a run."""
        return [os.path.join(os.path.abspath(self.path), name) for name in seeds.folders(run)]


def load(paths: list) -> list:
    if not 1 < len(paths) <= len(LETTERS):
        raise RccError(f"{paths[0]}: {counted(len(paths), 'folder')}; give 2 to {len(LETTERS)}")
    folders = []
    for letter, path in zip(LETTERS, paths):
        path = os.path.dirname(path) or "." if os.path.basename(path) == "summary.json" else path
        summary = results.load(path)
        runs = {}
        for run in seeds.averaged(summary["runs"]):
            testbed = asked.is_testbed(run)   # results of earlier versions know one name of them
            own = asked.read_command(str(summary.get("command", "")), run).scenario if testbed else run.get("scenario")
            runs[asked.TESTBED if testbed else str(own), seeds.label(run)] = {**run, "scenario": own}
        if not runs:
            raise RccError(f"{path}/summary.json: runs: found none, expected at least one")
        folders.append(Folder(letter, path, summary, runs))
    return folders


def match(folders: list) -> list:
    """Return rows of (name, [run or None per folder]): by scenario and algorithm; if nothing matches and each folder has one run, those."""
    keys = list(dict.fromkeys(key for folder in folders for key in folder.runs))
    rows = [(key, [folder.runs.get(key) for folder in folders]) for key in keys]
    scenarios = {scenario for scenario, _ in keys}
    if any(sum(run is not None for run in runs) > 1 for _, runs in rows):
        return [(f"{scenario} {cc}" if len(scenarios) > 1 else cc, runs) for (scenario, cc), runs in rows]
    if all(len(folder.runs) == 1 for folder in folders) and len(scenarios) == 1:
        lone = [next(iter(folder.runs.values())) for folder in folders]
        return [(" | ".join(run["cc"] for run in lone), lone)]
    raise RccError("nothing to compare: " + "; ".join(
        f"{folder.path} has " + ", ".join(f"{scenario} {cc}" for scenario, cc in folder.runs) for folder in folders))


def shown(value: Any, show: Callable) -> Optional[str]:
    if isinstance(value, list):
        return " to ".join(f"{v:.10g}" if isinstance(v, float) else str(v) for v in value)
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return show(value) if isinstance(value, (int, float)) or show is str else str(value)


def setup(folders: list, rows: list) -> list:
    """Return what differs before the simulation: {"what", "runs" (the names it holds for), "values" per folder}."""
    found: dict = {}
    commands = [asked.options_of(asked.words_of(str(f.summary.get("command", "")))) for f in folders]
    options = [{name: text for name, text in one.items() if name not in SAID} for one in commands]
    for name, runs in rows:
        said = [("algorithm", [run and run["cc"] for run in runs]), ("seed", [run and seeds.numbers(run) for run in runs])]
        said += [(key, [run and (seeds.span(run, key) or shown(run.get(key), show)) for run in runs]) for key, show in SETUP]
        own = [run.get("parameters") or {} if run else {} for run in runs]
        # an algorithm that lacks the parameter is another algorithm, which was said already
        said += [(f"parameter {key}", [readable(str(one[key])) if key in one else None for one in own])
                 for key in dict.fromkeys(key for one in own for key in one)]
        flat = [{**{f"attribute {key}": text for key, text in ((run or {}).get("attributes") or {}).items()},
                 **{f"file {key}": one.get("sha256", "")[:8] for key, one in ((run or {}).get("inputs") or {}).items()}} for run in runs]
        said += [(f"--{key}", [run and one.get(key, "-") for run, one in zip(runs, options)])
                 for key in dict.fromkeys(key for one in options for key in one)]
        said += [(key, [run and one.get(key, "-") for run, one in zip(runs, flat)])
                 for key in dict.fromkeys(key for one in flat for key in one)]
        for what, values in said:
            known = [value for value in values if value is not None]
            if any(value != known[0] for value in known):
                found.setdefault((what, tuple(value or "-" for value in values)), []).append(name)
    return [{"what": what, "runs": names, "values": list(values)} for (what, values), names in found.items()]


def change(base: Optional[float], value: Optional[float]) -> float:
    """Return how far a value moved, as a share of the base; infinite where that cannot be said."""
    if base == value:
        return 0.0
    return math.inf if base is None or value is None or base == 0 else abs(value / base - 1)


def measure(runs: list, metrics: list) -> list:
    rows = []
    for metric in metrics:
        values = [None if run is None else get(run, metric.path) for run in runs]
        if all(v is None for v in values):
            continue
        if metric.path == questions.JAIN.path and not all(map(settled.shares_a_port, filter(None, runs))):
            continue
        if seeds.absent_is_0(metric.path):
            values = [0 if v is None and run is not None else v for run, v in zip(runs, values)]
        base = values[0]
        said = ["-" if run is None else metric.show(value) + seeds.count_lacking(run, metric.path) for run, value in zip(runs, values)]
        some = any(run and seeds.count_lacking(run, metric.path) for run in runs)
        rows.append({"name": metric.path, "values": values, **({"said": said} if some else {}),
                     "difference": [None if base is None or v is None else v - base for v in values[1:]],
                     "ratio": [None if not base or v is None else v / base for v in values[1:]]})
    return rows


def same_series(places: list) -> dict:
    """Return for each series whether it is byte for byte the same, with every seed; None if some run has none. `places`: folders of the
    seeds of each run, as many."""
    found: dict = {}
    for name in results.SERIES:
        for of_one_seed in zip(*places):
            paths = [below.split_run(os.path.join(place, name)) for place in of_one_seed]
            there = [below.is_file(*path) for path in paths]
            if any(there):
                found[name] = found.get(name, True) and all(below.same_bytes(paths[0], path) for path in paths[1:]) if all(there) else None
    return found


def select(text: Optional[str]) -> list:
    if text is None:
        return METRICS
    for name in text.split(","):
        if name not in BY_PATH:
            raise RccError(f"--metrics={text}: unknown metric '{name}'{nearest(name, list(BY_PATH))}; known: {', '.join(BY_PATH)}")
    return [BY_PATH[name] for name in refuse_twice(f"--metrics={text}", text.split(","))]


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


def moved(rows: list, measured: dict, limit: float, named: bool) -> list:
    """Return what is beyond the limit, the farthest first: {"run", "metric", "folder", "percent" (null: from or to nothing)}."""
    found: list = [(math.inf, {"run": name, "metric": None, "folder": LETTERS[i], "percent": None})
                   for name, runs in rows for i, run in enumerate(runs) if run is None]
    for name, runs in rows:
        for row in measured[name] if runs[0] is not None else []:
            for i, value in enumerate(row["values"][1:], 1):
                by = 100 * change(row["values"][0], value)
                if runs[i] is not None and by > limit and (named or row["name"] not in OF_MACHINE):
                    found.append((by, {"run": name, "metric": row["name"], "folder": LETTERS[i], "from": row["values"][0],
                                       "to": value, "percent": None if math.isinf(by) else by}))
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def signed(metric: Metric, value: Optional[float]) -> str:
    if not value:
        return "-" if value is None else "0"
    return ("+" if value > 0 else "-") + metric.show(abs(value))


def factor(value: Optional[float]) -> str:
    return "-" if value is None else f"{value:.4f}" if 0.001 <= value < 100 else digits(value)


def table(rows: list, letters: list) -> list:
    """Return cells, a header first. What is nothing in every folder is left out."""
    head = ["metric"] + letters
    for letter in letters[1:]:
        head += [f"{letter} - {letters[0]}", f"{letter} / {letters[0]}"]
    cells = [head]
    for row in rows:
        if any(row["values"]):
            metric = BY_PATH[row["name"]]
            line = [metric.label] + (row.get("said") or [metric.show(value) for value in row["values"]])
            for difference, quotient in zip(row["difference"], row["ratio"]):
                line += [signed(metric, difference), factor(quotient)]
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
        show, by = BY_PATH[entry["metric"]].show, "" if entry["percent"] is None else f" by {digits(entry['percent'])} %,"
        said.append(f"  {entry['run']} in {entry['folder']}: {entry['metric']}{by} from {show(entry['from'])} to {show(entry['to'])}")
    return said


def series_words(series: dict) -> str:
    differ, lacking = (", ".join(name for name, same in series.items() if same is what) for what in (False, None))
    return "; ".join([f"{differ} differ"] * bool(differ) + [f"{lacking} not in all"] * bool(lacking)) or "all the same, byte for byte"


def text(found: dict) -> str:
    said = words(found)
    for entry in found["runs"]:
        if sum(entry["in"]) > 1:
            said += ["", entry["name"], aligned(table(entry["metrics"], [f["letter"] for f in found["folders"]]), indent="  ")]
            said += [wrapped(f"  series: {series_words(entry['series'])}", terminal_width(WIDEST))] if entry["series"] else []
            said += [wrapped(f"  {entry['not_settled']}", terminal_width(WIDEST))] if entry["not_settled"] else []
    return "\n".join(said + ([""] + verdict(found) if found["fail_over_percent"] is not None else []))


def compare(folders: list, metrics: list, limit: Optional[float], named: bool) -> tuple:
    """Return (what compare.json holds, the matched rows)."""
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
            "moved": [] if limit is None else moved(rows, measured, limit, named)}, rows
