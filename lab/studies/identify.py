# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc identify`: which reading of the DCQCN+ paper gives what it shows? A search over its open decisions."""
from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, replace
from typing import NamedTuple, Optional

from command import units
from command import below
from command.below import atomic_write
from command.common import EXIT_INTERRUPTED, RccError, align, duration, say
from command.files import rdma_files
from command.registry import Command
from command.reproduce import reproduce
from command import lock
from command.results.read import results, series
from command.run import simulation, staging
from command.run.processes import Job, Runner
from command.system import build, packages
from published.figure import Data, Figure

from . import identification
from .identification import Reading

RESULTS = "readings.jsonl"
STAMP = "made-by.json"
STAGES = ("singles", "pairs", "climb", "random")


def add_arguments(parser) -> None:
    parser.add_argument("--stage", choices=STAGES, action="append",
                        help="this stage only; repeatable (default: all of them, in this order)")
    parser.add_argument("--readings", metavar="N", default="50", help="readings of the stage random (default: 50)")
    parser.add_argument("--seed", metavar="N", default="1", help="of the stage random (default: 1)")
    parser.add_argument("--budget", metavar="TIME", help="begin no reading after this time, e.g. 1800s (default: none)")
    parser.add_argument("--reading", metavar="LIST", action="append", default=[],
                        help="score this reading only, e.g. pmax=0.5,idle-wake=at-once; repeatable")
    parser.add_argument("--around", metavar="LIST", action="append", default=[],
                        help="score the readings with one decision more than this one, or one changed otherwise; repeatable")
    parser.add_argument("--steps", metavar="N", default="1", help="of --around: change up to this many decisions (default: 1)")
    parser.add_argument("--full", action="store_true", help="score every reading to its end, even one that cannot be the best any more")
    parser.add_argument("--table", metavar="FILE", help="simulate nothing: print the table of a file of readings")
    parser.add_argument("--out", metavar="DIR", default=os.path.join("out", "identify"),
                        help="folder of the results, gone on with if it is there (default: out/identify)")


@dataclass(frozen=True)
class Group:
    """Rows of a figure that are judged from the same runs."""
    figure: Figure
    keys: tuple  # of the runs
    rows: tuple
    alone: bool = False  # one run of several: it can lose the row, and cannot win it

    def runs(self) -> list:
        return [self.figure.runs[key] for key in self.keys]


def groups_of(figures: list, judged: dict, passed: set) -> list:
    """The rows that are not judged yet, those of the same runs together; runs that can lose a row alone, but for those `passed`."""
    found: dict = {}
    alone = []
    for figure in figures:
        for row in figure.rows:
            if row.id not in judged:
                found.setdefault((figure.id, row.runs), (figure, []))[1].append(row)
                if row.alone and row.id not in passed:
                    alone.append(Group(figure, row.alone[:1], (replace(row, measure=row.alone[1]),), True))
    return [Group(figure, keys, tuple(rows)) for (_, keys), (figure, rows) in found.items()] + alone


class Limits(NamedTuple):
    """How far a search goes."""
    readings: int     # of the stage random
    seed: int         # of that stage
    steps: int        # of --around
    budget: float     # s


class Search:
    """Scores readings; every score is kept in a file as soon as it is known, and none is computed twice."""

    def __init__(self, folder: str, deadline: float, full: bool = False):
        self.folder = folder
        self.deadline = deadline
        self.full = full
        self.scores: dict = {}   # Reading: rows inside; those that were scored to their end
        self.entries: dict = {}  # name: entry of the file
        self.interrupted = False
        self.program = build.program(simulation.PROGRAM, packages.RUN)
        self._open()

    def _open(self) -> None:
        os.makedirs(os.path.join(self.folder, "runs"), exist_ok=True)
        made_by = {simulation.PROGRAM: reproduce.fingerprint(self.program)}
        stamp = os.path.join(self.folder, STAMP)
        file = os.path.join(self.folder, RESULTS)
        if os.path.exists(file) and below.read_json(self.folder, STAMP) != made_by:
            raise RccError(f"{file} was made by other programs; give another --out or remove that folder")
        with atomic_write(stamp) as f:
            json.dump(made_by, f, indent=1)
        if os.path.exists(file):
            entries = read_entries(file)
            with atomic_write(file) as f:  # without the line that was cut off, which the next one would go on with
                f.writelines(json.dumps(entry) + "\n" for entry in entries)
            for entry in entries:
                self._add(entry)

    def _add(self, entry: dict) -> None:
        self.entries[entry["reading"]] = entry
        if not entry.get("at_most"):
            self.scores[parse(entry["reading"])] = entry["inside"]

    def best(self) -> Reading:
        return identification.best_of(self.scores) if self.scores else Reading()

    def can_win(self, read: Reading, inside_at_most: int) -> bool:
        """Whether a reading with so many rows inside would be as good as the best one so far, but for the last two clauses."""
        best = self.best()
        return self.full or best not in self.scores or read.rank(inside_at_most)[:3] <= best.rank(self.scores[best])[:3]

    def score(self, read: Reading) -> bool:
        """Score a reading, or go on with one that was stopped and can win all the same. False if the search is to end here."""
        known = self.entries.get(read.name)
        if known and not (known.get("at_most") and self.can_win(read, known["inside"])):
            return True
        if time.monotonic() > self.deadline:
            return False
        figures = identification.figures(read)
        total = sum(len(figure.rows) for figure in figures)
        rows: dict = dict(known["rows"]) if known else {}
        passed: set = set()
        lost = sum(not row[0] for row in rows.values())
        # The cheapest first, and the rows that most readings lose: a bad reading is soon known to be one.
        while self.can_win(read, total - lost):
            group = min(groups_of(figures, rows, passed), key=self._price, default=None)
            if group is None:
                break
            if not self._simulate(group):
                self.interrupted = True
                return False
            data = Data(group.figure, os.path.join(self.folder, "runs"), series.read)
            for row in group.rows:
                judged = reproduce.judge(group.figure, row, data, {})
                if group.alone and judged["inside"]:
                    passed.add(row.id)
                    continue
                rows[row.id] = [bool(judged["inside"]), judged["measured"]]
                lost += not judged["inside"]
        entry = {"reading": read.name, "inside": total - lost, "of": total, "at_most": len(rows) < total,
                 "contradictions": read.contradictions(), "rows": rows}
        with open(os.path.join(self.folder, RESULTS), "a", encoding="utf-8") as f:
            f.write(json.dumps(entry) + "\n")
        self._add(entry)
        self._tidy(figures)
        say(f"{inside(entry)} rows inside: {read.name}")
        return True

    def _price(self, group: Group) -> float:
        """CPU seconds of the group's runs that are not there yet, by the part of the readings so far that lost one of its rows."""
        cost = sum(one.cost for one in group.runs() for seed in one.seeds
                   if not os.path.exists(os.path.join(self.folder, "runs", one.name(seed), "run.json")))
        tried = [e["rows"] for e in self.entries.values() if any(row.id in e["rows"] for row in group.rows)]
        lost = sum(any(not rows.get(row.id, [True])[0] for row in group.rows) for rows in tried)
        return cost * (len(tried) + 2) / (lost + 1)

    def _simulate(self, group: Group) -> bool:
        folder = os.path.join(self.folder, "runs")
        results.remove_left_over(folder)
        jobs, seen, work, made = [], set(), staging.make(folder), {}
        for one in sorted(group.runs(), key=lambda r: -r.cost):
            for seed in one.seeds:
                name = one.name(seed)
                if name not in seen and not os.path.exists(os.path.join(folder, name, "run.json")):
                    made[name] = simulation.of_scenario(one.program, [*one.words, f"--seed={seed}", f"--out={os.path.join(work, name)}"])
                    jobs.append(Job(name, [self.program, *reproduce.started(made[name], work, name)]))
                seen.add(name)
        try:
            return not Runner(jobs, done=lambda job: reproduce.finish(work, folder, job, made[job.name])).run()
        finally:
            staging.remove(work)

    def _tidy(self, figures: list) -> None:
        """Runs of DCQCN serve other readings too; those of DCQCN+ belong to this one."""
        for one in (r for f in figures for r in f.runs.values()):
            if "--cc=dcqcn-plus" in one.words:
                for seed in one.seeds:
                    runs = os.path.join(self.folder, "runs")
                    if below.is_there(runs, one.name(seed)):
                        reproduce.remove_run(runs, one.name(seed))


def entry_of(line: bytes) -> Optional[dict]:
    """A line of a file of readings, or None if it is none."""
    try:
        entry = json.loads(line)
        parse(entry["reading"])
        numbers = [entry[key] for key in ("inside", "of", "contradictions")]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, RccError):
        return None
    return entry if isinstance(entry.get("rows"), dict) and all(isinstance(x, int) for x in numbers) else None


def read_entries(file: str) -> list:
    """The readings of a file. A last line without its end, which a kill cut off, is left out."""
    with rdma_files.open_to_read(file) as f:
        *lines, rest = f.read().split(b"\n")
    entries = []
    for number, line in enumerate(lines, 1):
        entry = entry_of(line)
        if not entry:
            raise rdma_files.wrong(file, number, "reading", rdma_files.shown(line), "a line that ./rcc identify has written")
        entries.append(entry)
    return entries + list(filter(None, [entry_of(rest)]))


def parse(name: str, option: str = "--reading") -> Reading:
    if name == "before":
        return Reading()
    changes = {}
    for part in name.split(","):
        decision, _, choice = part.partition("=")
        changes[decision] = choice
    try:
        return identification.reading(changes)
    except ValueError as error:
        raise RccError(f"{option}={name}: no such decision or choice: {error}; lab/studies/identification.md lists them") from error


def candidates(search: Search, stage: str, readings: int, seed: int):
    """Readings of a stage in the order in which they are scored."""
    if stage == "singles":
        yield from identification.singles()
    elif stage == "pairs":
        yield from identification.pairs(search.scores)
    elif stage == "climb":  # from the best on, until no neighbour is better
        while True:
            start = search.best()
            yield from identification.neighbours(start)
            if search.best() == start:
                return
    else:
        source = identification.drawn(seed, search.best())
        for _ in range(readings):
            yield next(source)


def inside(entry: dict) -> str:
    return ("at most " if entry.get("at_most") else "") + f"{entry['inside']} of {entry['of']}"


def table(entries: list) -> str:
    """Every reading with its score, the best first; those that were not scored to their end come last."""
    last = {e["reading"]: e for e in entries}
    ranked = sorted(last.values(), key=lambda e: (e.get("at_most", False), parse(e["reading"]).rank(e["inside"])))
    rows = [["score", "inside", "contradicts", "reading"]]
    rows += [[str(e["inside"] - e["contradictions"]), inside(e), str(e["contradictions"]), e["reading"]] for e in ranked]
    return align([row[3:] + row[:3] for row in rows])


def command(args) -> int:
    if args.table is not None:
        if not os.path.exists(args.table):
            raise RccError(f"--table={args.table}: no such file")
        entries = read_entries(args.table)
        if not entries:
            raise RccError(f"--table={args.table}: found no reading, expected a file that ./rcc identify has written")
        print(table(entries))
        return 0
    budget = units.parse("time", args.budget, "--budget") if args.budget is not None else float("inf")
    readings = int(units.parse("count", args.readings, "--readings"))
    seed = int(units.parse("count", args.seed, "--seed"))
    steps = int(units.parse("count", args.steps, "--steps"))
    wanted = [parse(name) for name in args.reading]
    around = [parse(name, "--around") for name in args.around]
    with lock.locked(args.out):
        return find(args, wanted, around, Limits(readings, seed, steps, budget))


def find(args, wanted: list, around: list, limits: Limits) -> int:
    """Score the readings `wanted`, or those `around` some, or all stages. Returns the exit status."""
    search = Search(args.out, time.monotonic() + limits.budget, args.full or bool(wanted))
    started = time.monotonic()
    going = True
    if wanted:
        going = all(search.score(read) for read in wanted)
    elif around:
        going = all(search.score(read) for start in around  # those that the rule likes best come first
                    for read in [start, *sorted(identification.neighbours(start, limits.steps), key=lambda r: r.rank(0))])
    else:
        for stage in args.stage or STAGES:
            for read in candidates(search, stage, limits.readings, limits.seed):
                going = going and search.score(read)
                if not going:
                    break
    print(table(list(search.entries.values())))
    print(f"\nbest: {search.best().name}   file: {os.path.join(args.out, RESULTS)}   ({duration(time.monotonic() - started)} in all)")
    if search.interrupted:
        say("interrupted: what was scored is kept; the same command goes on")
        return EXIT_INTERRUPTED
    return 0


COMMAND = Command(
    run=command,
    add_arguments=add_arguments,
    description="Score readings of the DCQCN+ paper, one choice for each decision that it leaves open, by the rows of its own\n"
    "simulations that come out inside their bands, less the sentences that it contradicts; lab/studies/identification.md has the\n"
    "rule. Takes hours;\n"
    "every score is kept as soon as it is known, and the same command goes on where it was ended. A reading that cannot be the\n"
    "best any more is not simulated further: what is kept of it is the most rows that it could have inside.",
    examples=[("./rcc identify --budget=1800s", "half an hour of it; the same command goes on later"),
              ("./rcc identify --reading=pmax=0.5,idle-wake=at-once", "one reading"),
              ("./rcc identify --around=pmax=0.5,idle-wake=at-once --steps=2", "readings that differ in one or two decisions"),
              ("./rcc identify --table=lab/studies/identification.jsonl", "the scores that chose the default")])
