# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The output of a sweep: a table in long form, means with intervals over the seeds, figures, report.html."""
from __future__ import annotations

import csv
import functools
import json
import os
import re
from typing import Callable, Iterable, NamedTuple, Optional

from ..draw import drawing
from ..html import page, sweep_report
from . import comparison, questions, settled
from ... import owned
from ..read import asked, results, seeds, statistics
from ..read import table as long_table
from ... import units
from ...below import atomic_write
from ...common import (EXIT_FAILED, RccError, counted, fit, nearest, refuse_twice, terminal_width, version, warn,
                      wrapped)

SHOWN = ["queue.mean_bytes", "queue.p99_bytes", "utilization", "jain", "pfc.pauses", "fct.mean_s", "fct.p99_s", "slowdown.mean",
         "slowdown.p99"]
SUMMARY = "sweep.json"
SWEEP = "./rcc sweep"    # by whose name its files are listed
TABLES = ["report.html", long_table.NAME, long_table.WIDE, "intervals.csv"]
NOT_SETTLED = "{mark} not settled: {count} of {rows}; try --time={time}"
ROWS = 60       # rows of the printed table
WIDTH = 100
LABELS = comparison.BY_PATH


class Axes(NamedTuple):
    """The user's choice; empty: by the data."""
    x: str
    metrics: list
    algorithms: list = []    # labels in the order of --cc


class Group(NamedTuple):
    """The seeds of one combination of parameters."""
    parameters: dict
    metrics: dict      # path -> statistics.Interval
    halves: dict       # a run: its halves of the window are means over the seeds, and "by_seed" has the run of each
    ratio: Optional[statistics.Ratio]   # number that answers the question, over the first algorithm's with the same seeds
    late: int          # flows of all seeds that did not end

    @property
    def steady(self) -> bool:
        return settled.is_steady(self.halves)

    @property
    def seeds(self) -> int:
        return len(self.halves["by_seed"])


class Study(NamedTuple):
    """The finished points of a folder."""
    parameters: list   # names, the algorithm and the seed left out
    varying: list      # names with more than one value
    groups: list       # Group
    metrics: list      # paths that are shown
    rows: list         # (parameters with seed, flat run) of each point
    question: questions.Question
    first: str         # the algorithm that ratios are to, "" without ratios


def lacks(label: str, name: str) -> bool:
    """Whether an algorithm does not have a parameter, as it is one of another algorithm, ALGORITHM.PARAMETER. Attributes, CLASS.NAME, are
    of the network."""
    owner, dot, _ = name.partition(".")
    return bool(dot) and not owner[:1].isupper() and re.split("[:+ ]", label)[0] != owner


def agree(group: dict, other: dict, names: Iterable) -> bool:
    """Whether two combinations agree in the parameters that the algorithms of both have."""
    return all(group[name] == other[name] or lacks(group["cc"], name) or lacks(other["cc"], name) for name in names)


def chosen_axes(x: Optional[str], metric: Optional[str], names: list) -> Axes:
    """--x and --metric, judged before anything is simulated."""
    if x is not None and x not in names:
        raise RccError(f"--x={x}: expected an option that the sweep gives{nearest(x, names)}: {', '.join(names) or 'there is none'}")
    paths = [path.strip() for path in (metric or "").split(",") if path.strip()]
    for path in paths:
        if path not in LABELS:
            raise RccError(f"--metric={path}: not a metric of a run{nearest(path, list(LABELS))}; known: {', '.join(LABELS)}")
    return Axes(x or "", refuse_twice(f"--metric={metric}", paths))


def metric_of(path: str) -> comparison.Metric:
    """Return how a metric is called and shown; one that is not known has its path as its name."""
    return LABELS.get(path) or comparison.Metric(path, path, questions.factor)


def sort_key(text: str) -> tuple:
    """Numbers by size, words after them."""
    value = units.value_of(text)
    return (value is None, value or 0.0, text)


def paired(own: list, base: list, path: str) -> Optional[statistics.Ratio]:
    """Return the ratio of the runs of one combination to those of another over the seeds that both have."""
    one, other = ({"by_seed": {run.get("seed"): run for run in runs}} for runs in (own, base))
    return seeds.paired(one, other, path)


def over_seeds(flats: list, path: str) -> statistics.Interval:
    values = [flat[path] for flat in flats if path in flat]
    return statistics.interval(values + [0] * (len(flats) - len(values) if seeds.absent_is_0(path) else 0))


def names_of(points: list) -> list:
    """The options and parameters that some of the points give. `points`: name -> text of each."""
    return list(dict.fromkeys(name for given in points for name in given if name not in ("cc", "seed")))


def completed(given: dict, names: list, usual: Callable[[dict], dict]) -> dict:
    """A point with every parameter. `usual`: what options are for a point that does not give them; a parameter of one algorithm is none
    of the others'."""
    defaults = {} if set(names) <= given.keys() else usual(given)
    return {"cc": given["cc"], **{name: given.get(name, defaults.get(name) or "-") for name in names}, "seed": given["seed"]}


def read(entries: list, usual: Callable[[dict], dict], axes: Axes, scenario: str = "") -> Study:
    """Put the points of a folder in order. `usual`: what options are for a point that does not give them."""
    names = names_of([entry["parameters"] for entry in entries])
    rows: dict = {}
    for entry in sorted(entries, key=lambda entry: _place(entry["parameters"]["cc"], axes.algorithms)):
        given = entry["parameters"]
        full = completed(given, names, usual)
        what = functools.partial(asked.read_command, f"./rcc run {scenario}", options=given)
        rows.setdefault(tuple(full.items()), (full, questions.answered([entry["run"]], what)[0]))
    ordered = sorted(rows.values(), key=lambda row: [sort_key(text) for text in list(row[0].values())[1:]])
    together: dict = {}
    for full, run in ordered:
        together.setdefault(tuple((k, v) for k, v in full.items() if k != "seed"), []).append(run)
    question = questions.choose_question(scenario, [run for _, run in ordered])
    first = next(iter(dict.fromkeys(full["cc"] for full, _ in rows.values())), "")
    bases = [dict(key) for key in together if dict(key)["cc"] == first]
    groups = []
    zeros = dict.fromkeys(path for path in [*axes.metrics, *(path for _, run in ordered for path in long_table.flatten(run))]
                          if seeds.absent_is_0(path))
    for key, runs in together.items():
        flats = [long_table.flatten(run) for run in runs]
        paths = dict.fromkeys(path for flat in flats for path in flat)
        paths.update(zeros)
        own = dict(key)
        base = [] if own["cc"] == first else [one for one in bases if agree(own, one, names)]
        found = paired(runs, together[tuple(base[0].items())], question.number.path) if len(base) == 1 else None
        groups.append(Group(own, {path: over_seeds(flats, path) for path in paths},
                            {**runs[0], "halves": seeds.mean_halves(runs), "by_seed": dict(enumerate(runs))}, found,
                            sum(map(seeds.incomplete, runs))))
    varying = [name for name in names if len({group.parameters[name] for group in groups}) > 1]
    wanted = dict.fromkeys([question.number.path, *(number.path for number in question.beside), *SHOWN])
    wanted.pop("utilization" if questions.USED in wanted else "", None)   # they differ by the capacity
    if not all(settled.shares_a_port(run) for _, run in ordered):
        wanted.pop(questions.JAIN.path, None)
    metrics = axes.metrics or [path for path in wanted if any(path in group.metrics for group in groups)]
    flat_rows = [(full, long_table.flatten(run)) for full, run in ordered]
    return Study(names, varying, groups, metrics, flat_rows, question, first if any(group.ratio for group in groups) else "")


def _place(label: str, algorithms: list) -> int:
    """Return the place of an algorithm in the order of --cc; those of earlier commands come after."""
    return algorithms.index(label) if label in algorithms else len(algorithms)


def write_tables(folder: str, study: Study) -> None:
    """Write table.csv, a row for each point and metric, and intervals.csv, a row for each combination and metric."""
    long_table.write(folder, study.rows)
    with atomic_write(os.path.join(folder, "intervals.csv")) as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["cc", *study.parameters, "metric", "seeds", "mean", "low95", "high95", "deviation"])
        for group in study.groups:
            own = [text if name == "cc" else long_table.plain(text) for name, text in group.parameters.items()]
            rows = {path: found for path, found in group.metrics.items() if path not in results.OF_MACHINE}
            if group.ratio:
                rows[f"{study.question.number.path} / {study.first}"] = group.ratio
            for path, found in rows.items():
                out.writerow([*own, path, found.seeds, *("" if value is None else long_table.written(value) for value in
                                                         (found.mean, found.low, found.high, found.deviation))])


def cell(path: str, group: Group) -> str:
    """"29.5 KB ±2.1 KB": the mean, half the interval where there is one, and of how many seeds it is where some have no such number."""
    found = group.metrics.get(path)
    if found is None:
        return "-"
    show = metric_of(path).show
    return show(found.mean) + (f" ±{show(found.half)}" if found.half else "") + \
        (f" in {found.seeds} of {group.seeds} seeds" if found.seeds < group.seeds else "")


def table(study: Study) -> list:
    """Rows of cells, the first one the head: varying parameters, algorithm, metrics."""
    rows = [[*study.varying, "algorithm", "seeds", *(metric_of(path).label for path in study.metrics)]]
    for group in study.groups:
        rows.append([*(group.parameters[name] for name in study.varying),
                     group.parameters["cc"] + ("" if group.steady else f" {settled.MARK}"), str(group.seeds),
                     *(cell(path, group) for path in study.metrics)])
    if study.first:
        at = len(study.varying) + 2 + (1 if study.metrics[:1] == [study.question.number.path] else len(study.metrics))
        rows[0].insert(at, f"/ {study.first}")
        for row, group in zip(rows[1:], study.groups):
            found = group.ratio
            row.insert(at, found.text() if found else "-")
    if any(group.late for group in study.groups):   # times are those of flows that ended
        for row, text in zip(rows, ["not ended", *(seeds.count_late(group.halves) for group in study.groups)]):
            row.append(text)
    return rows


def not_settled(study: Study) -> str:
    """One line for the rows that are not settled, or ""."""
    moving = [group for group in study.groups if not group.steady]
    if not moving:
        return ""
    return NOT_SETTLED.format(mark=settled.MARK, count=len(moving), rows=counted(len(study.groups), "row"),
                              time=settled.propose_time(moving[0].halves))


def drawn_values(found: statistics.Interval) -> list:
    """Return what a figure shows of the seeds: the mean, the ends of the interval, and the least and the largest value."""
    return [found.mean, found.low, found.high, found.least, found.most]


def by_size(metrics: dict) -> dict:
    """Slowdown by flow size: upper end of a decade in bytes -> percentile -> what drawn_values() returns."""
    found: dict = {}
    for path, value in metrics.items():
        scope, _, name = path.rpartition(".")
        if scope.startswith("slowdown.to_") and name.endswith("_slowdown"):
            found.setdefault(scope[len("slowdown.to_"):], {})[name[:-len("_slowdown")]] = drawn_values(value)
    return found


def drawing_job(study: Study, axes: Axes, command: str, ns3: str) -> dict:
    """Return the input of command.results.draw.sweep_plots."""
    numeric = [name for name in study.varying
               if all(units.value_of(group.parameters[name]) is not None for group in study.groups if group.parameters[name] != "-")]
    most = sorted(numeric or study.varying, key=lambda name: -len({group.parameters[name] for group in study.groups} - {"-"}))
    groups = [{"parameters": group.parameters, "steady": group.steady,
               "metrics": {path: drawn_values(found) for path, found in group.metrics.items() if path in study.metrics},
               "by_size": by_size(group.metrics)} for group in study.groups]
    return {"x": axes.x or (most[0] if most else ""), "varying": study.varying, "metrics": study.metrics, "groups": groups,
                       "command": command, "rcc_version": version(), "ns3_version": ns3}


FIGURE = re.compile(rf"{re.escape(sweep_report.picture('')[:-len('.png')])}[^/]+\.(?:{'|'.join(results.FORMATS)})")


def files_of(metrics: list, by_size: Iterable = ()) -> list:
    """Return the files of a sweep in its folder, beside the points; `by_size`: names of the figures of slowdown by flow size."""
    return [SUMMARY, *TABLES, *results.figure_files([sweep_report.picture(name) for name in [*metrics, *by_size]])]


def own_files(folder: str) -> set:
    """Return what the last sweep wrote into the folder, as it lists it."""
    return owned.listed(folder, SWEEP, lambda path: path in files_of([]) or FIGURE.fullmatch(path) is not None) or set()


def publish(folder: str, command: str, entries: list, missing: int, axes: Axes, usual: Callable[[dict], dict], plots: bool,
            wanted: Optional[str] = None) -> str:
    """Write everything that a sweep's folder shows; `wanted`: formats of figures beside PNG. Returns what is printed."""
    study = read(entries, usual, axes, asked.read_command(command, entries[0]["run"]).scenario)
    summary = {"schema": 1, "rcc_version": version(), "scenario": entries[0]["run"].get("scenario"), "command": command,
               "points": len(entries), "missing": missing, "parameters":
               {name: sorted({full[name] for full, _ in study.rows}, key=sort_key) for name in ["cc", *study.parameters, "seed"]},
               "not_settled": not_settled(study),
               "drawing": drawing_job(study, axes, command, str(entries[0]["run"].get("ns3_version")))}
    try:
        own = own_files(folder)
        files = files_of(study.metrics, sweep_report.size_pictures(summary["drawing"]["groups"], study.varying))
        owned.claim(folder, files if plots else files_of([]), own, SWEEP)
        results.remove(folder, sorted(own.difference(files_of([]))))   # figures of other metrics
        write_tables(folder, study)
        results.write_json(folder, SUMMARY, summary)
        words = ["-m", "command.results.draw.sweep_plots", os.path.abspath(folder)]
        trouble = drawing.plotting_process(words, json.dumps(summary["drawing"]), wanted) if plots else ""
        if trouble:
            warn(f"no plots: {trouble}")
        page.write(folder, sweep_report.make_page(folder, {**summary, "asks": study.question.asks}, table(study), study.metrics))
        owned.record(folder, files, SWEEP)
    except OSError as error:
        raise RccError(f"{folder}: {error.strerror or error}", EXIT_FAILED) from error
    return describe(study, [summary["not_settled"]], folder)


def describe(study: Study, notes: list, folder: str) -> str:
    """Return what is printed: the question, the table, what its marks mean, and the files."""
    rows, width = table(study), terminal_width(WIDTH)
    said = [study.question.asks, "", fit(rows[:ROWS + 1], 1, len(study.varying) + 1, width)]
    if len(rows) > ROWS + 1:
        said.append(f"... and {len(rows) - ROWS - 1} more rows, in the report and in intervals.csv")
    if any(found.half for group in study.groups for found in group.metrics.values()):
        said.append("± half of the 95 % interval over the seeds (Student's t)")
    if study.first:
        notes = [f"/ {study.first}: ratio of {study.question.number.called} to that of {study.first} with the same seeds", *notes]
    said += [wrapped(note, width) for note in notes if note]
    return "\n".join([*said, "", *(f"{name.split('.')[0]}: {os.path.join(folder, name)}" for name in TABLES)])
