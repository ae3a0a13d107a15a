# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc reproduce`: run what was published and say, row by row, whether the result is within its tolerance."""
from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shlex
import signal
import sys
import textwrap
import time
import traceback
from dataclasses import replace
from typing import Optional

from evidence.published.sets import FIGURES
from evidence.published.figure import Data, Measured, Missing, NotRun
from evidence.published.papers import list_papers, read_last

from . import identified, reproduce_report
from command.results.draw import drawing
from command import lock, owned
from command.results.read import results, series
from command.system import build, packages
from command import below
from command.below import atomic_write
from command.common import EXIT_FAILED, EXIT_INTERRUPTED, ROOT, RccError, cannot_write, counted, duration, nearest, say, \
    terminal_width, version, warn, wrapped
from command.run import simulation, specs, staging
from command.run.processes import Job, Runner
from command.registry import Command

SCHEMA = 1
WIDTH = 120     # columns that are printed, at most
TABLES = ("papers", "windowed", "paths", "reality")
STAMP = "made-by.json"  # in the folder of runs: which programs made them
RUN = re.compile(r"[a-z0-9-]+-[0-9a-f]{12}-seed\d+")   # there: of a run, as published.figure.Run names it
FILES = ["published.md", "report.html", *results.figure_files([f"{f.id}.png" for f in FIGURES])]   # beside published.json
REPRODUCE, RUNS = "./rcc reproduce", "./rcc reproduce and check"   # by whose names files are listed
CHECKS = "checks.json"  # results of ./rcc check


QUICK_SEEDS = 2


def select(ids: list, quick: bool) -> list:
    """(figure, rows) of the ids, which name tables, figures, rows, or their common beginning; all if there are none. `quick`: only rows
    that are marked so, each run with its first seeds."""
    wanted = []
    known = list(TABLES) + [f.id for f in FIGURES] + [r.id for f in FIGURES for r in f.rows]
    for word in ids:
        if not any(name == word or name.startswith(word + "-") for name in known):
            raise RccError(f"unknown id {word!r}{nearest(word, known)}; ./rcc reproduce --list names all")
    for figure in FIGURES:
        rows = [row for row in figure.rows if (not quick or row.quick) and (not ids or any(
            name == word or name.startswith(word + "-") for word in ids for name in (figure.table, figure.id, row.id)))]
        if rows and quick:
            figure = replace(figure, runs={key: replace(one, seeds=one.seeds[:QUICK_SEEDS]) for key, one in figure.runs.items()})
        if rows:
            wanted.append((figure, rows))
    if not wanted:
        raise RccError("none of these rows is part of --quick; leave --quick away")
    return wanted


def needed(wanted: list, quick: bool) -> list:
    """(Run, seed) of everything that the rows read, each once; of a whole figure, what its panels show too."""
    found: dict = {}
    for figure, rows in wanted:
        keys = [key for row in rows for key in row.runs]
        if not quick and len(rows) == len(figure.rows):
            keys += [key for panel in figure.panels for key in panel.runs]
        for key in dict.fromkeys(keys):
            one = figure.runs[key]
            for seed in one.seeds:
                found.setdefault(one.name(seed), (one, seed))
    # the longest first: no core is left idle at the end
    return sorted(found.values(), key=lambda pair: -pair[0].cost)


def cost(wanted: list, quick: bool) -> float:
    return sum(one.cost for one, _ in needed(wanted, quick))


# ------------------------------------------------------------------------------------------------ list

def papers(wanted: list) -> str:
    """A line per paper, indented: how many of its rows were inside in the last full run, title and venue."""
    width = terminal_width(WIDTH)
    return "\n".join(f"  {inside:3} of {rows:3} inside  "
                     + textwrap.shorten(f"{paper.title}, {paper.venue}", max(width - 21, 12), placeholder=" ...")
                     for paper, inside, rows in list_papers(wanted))


def listing(wanted: list, quick: bool) -> str:
    """A line per row: what it is, the cost of its figure in CPU seconds, its claim as far as it fits."""
    width = terminal_width(WIDTH)
    names = max(len(row.id) for _, rows in wanted for row in rows)
    lines = []
    for figure, rows in wanted:
        seconds = cost([(figure, rows)], quick)
        for row in rows:
            begin = f"{row.id:<{names}} {seconds:5.0f} s  " if not row.lab or not row.lab.needs else f"{row.id:<{names}} not run  "
            lines.append(begin + textwrap.shorten(row.claim, max(width - len(begin), 12), placeholder=" ..."))
    return "\n".join(lines)


def filled(name: str, text: str, width: int, more: str = "") -> str:
    """A named text in lines; `more` ends those that go on: of a command what lets a shell read on, and its words stay whole."""
    if more:
        text = " ".join(shlex.quote(word).replace(" ", "\0") for word in shlex.split(text))
    lines = textwrap.wrap(f"{name:<10} {text}", width - len(more), initial_indent="  ", subsequent_indent=13 * " ", break_on_hyphens=False,
                          break_long_words=not more)
    return (more + "\n").join(lines).replace("\0", " ")


def details(wanted: list, quick: bool) -> str:
    """Everything about the rows."""
    width = terminal_width(WIDTH)
    lines, last = [], read_last()
    for figure, rows in wanted:
        for row in rows:
            facts = [("claim", row.claim), ("published", row.published), ("band", row.band),
                     ("last run", f"{'inside' if last[row.id].inside else 'outside'}: {last[row.id].measured}"),
                     ("set-up", row.lab.text() if row.lab else figure.setup),
                     ("cost", f"{cost([(figure, [row])], quick):.0f} CPU s"), ("note", row.note),
                     ("not run", f"needs {row.lab.needs}" if row.lab and row.lab.needs else "")]
            lines.append(wrapped(f"{row.id}: {figure.source}, {figure.title}", width))
            lines += [filled(name, text, width) for name, text in facts if text]
            lines += [filled("run", figure.runs[key].command(figure.runs[key].seeds[0]), width, " \\") for key in row.runs]
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ runs

def placed(word: str) -> str:
    """A word of a run; a file of published/, which it names from the root of the tree, is found from every folder."""
    return re.sub("(?<==)(?=lab/evidence/published/)", ROOT.replace("\\", "/") + "/", word)


def fingerprint(program: str) -> str:
    with open(program, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def kept(folder: str, programs: dict, resume: bool) -> bool:
    """Whether the runs in the folder may be used. Otherwise it is emptied of them."""
    made_by = below.read_json(folder, STAMP)
    same = bool(made_by) and all(made_by.get(name) == digest for name, digest in programs.items() if name in made_by)
    if resume and same:
        programs.update({k: v for k, v in made_by.items() if k not in programs})
    elif os.path.isdir(folder):
        if resume and made_by:
            warn("the programs have changed since: the earlier runs are done again")
        for entry in os.listdir(folder):
            place = os.path.join(folder, entry)
            if RUN.fullmatch(entry) and os.path.isdir(place):  # ours only
                remove_run(folder, entry)
    os.makedirs(folder, exist_ok=True)
    with below.replace(folder, STAMP) as f:
        json.dump(programs, f, indent=1)
    return resume and same


def simulate(folder: str, wanted: list, quick: bool, resume: bool) -> tuple:
    """Run everything that is needed. Returns (interrupted, failures and elapsed seconds by run name)."""
    runs = needed(wanted, quick)
    program = build.program(simulation.PROGRAM, packages.RUN)
    reuse = kept(folder, {simulation.PROGRAM: fingerprint(program)}, resume)
    progress = ["--progress"] if sys.stderr.isatty() else []
    titles = {one.name(seed): f"{figure.id} {key}" for figure, _ in reversed(wanted) for key, one in figure.runs.items()
              for seed in one.seeds}
    todo = []
    for one, seed in runs:
        name = one.name(seed)
        if reuse and below.is_file(folder, f"{name}/run.json"):
            refuse_others(folder, name)
            continue
        if below.is_there(folder, name):
            remove_run(folder, name)
        todo.append((one, seed))
    results.remove_left_over(folder)
    jobs, work, made = [], staging.make(folder), {}
    for one, seed in todo:
        run = simulation.of_scenario(one.program, [*map(placed, one.words), f"--seed={seed}", *progress,
                                                       f"--out={os.path.join(work, one.name(seed))}"])
        words = [program, *started(run, work, one.name(seed))]
        made[one.name(seed)] = run
        jobs.append(Job(one.name(seed), words, f"{titles[one.name(seed)]}, seed {seed}", one.cost))
    say(f"{counted(len(jobs), 'simulation')}" + (f" ({len(runs) - len(jobs)} are there)" if len(jobs) < len(runs) else "")
        + f", about {duration(sum(one.cost for one, _ in runs) / (os.cpu_count() or 1))} on {os.cpu_count()} cores")
    try:
        interrupted = Runner(jobs, done=lambda job: finish(work, folder, job, made[job.name])).run()
    finally:
        staging.remove(work)
    ended = (0, None, EXIT_INTERRUPTED, *((-signal.SIGINT, -signal.SIGKILL) if interrupted else ()))   # Runner ended the rest
    failures = {job.name: reason(job) for job in jobs if job.status not in ended}
    return interrupted, failures, {job.name: job.ended - job.started for job in jobs if job.status == 0}


def remove_run(folder: str, name: str) -> None:
    """Remove a run from the folder of runs. Raises RccError for what is not of ./rcc reproduce there, OSError."""
    owned.remove_tree(folder, name, RUNS, results.is_of_run, os.path.join(folder, name))


def refuse_others(folder: str, name: str) -> None:
    """Raise if what rows read of a run that is kept leads elsewhere, or is no regular file."""
    place, names = os.path.join(folder, name), owned.tree(folder, name)
    owned.refuse_links(place, names, place)
    for one in names:
        if not below.is_file(place, one):
            raise RccError(f"{os.path.join(place, one)}: found no regular file, expected one of a run")


def started(run: simulation.Simulation, work: str, name: str) -> list:
    """Write the run file, and return the words of the program for it."""
    run.write(os.path.join(work, f"{name}.run"))
    return run.words(os.path.join(work, f"{name}.run"))


def finish(work: str, folder: str, job: Job, run: simulation.Simulation) -> None:
    """Move a run from where it was made to the folder of runs, if it is whole."""
    made = os.path.join(work, job.name)
    if job.status == 0 and run.finish(work, job.name):
        owned.record(made, owned.tree(made), RUNS)
        below.move(work, job.name, folder, job.name)


def reason(job: Job) -> str:
    lines = [line for line in job.errors if "error" in line] or job.errors
    return lines[0] if lines else f"status {job.status}"


# ------------------------------------------------------------------------------------------------ rows

def pasted(run) -> str:
    """The command of a run's first seed as a shell and ./rcc run take it: quoted, each parameter once, the last one of several."""
    words = sorted(specs.once(run.words), key=lambda word: word.startswith("--set="))
    return shlex.join(["./rcc", "run", run.program, *words, f"--seed={run.seeds[0]}"])


def judge(figure, row, data: Data, failures: dict) -> dict:
    seeds = max((len(figure.runs[key].seeds) for key in row.runs), default=0)
    entry = {"id": row.id, "figure": figure.id, "source": figure.source, "claim": row.claim, "setup": figure.setup,
             "published": row.published, "measured": None, "value": None, "spread": None, "band": row.band,
             "inside": False, "seeds": list(range(1, seeds + 1)), "note": row.note,
             "commands": [pasted(figure.runs[key]) for key in row.runs]}
    if row.lab:
        entry.update(setup=row.lab.text(), kind=row.lab.kind, completeness=row.lab.completeness,
                     unverified=list(row.lab.unverified), assumed=[list(pair) for pair in row.lab.assume])
    try:
        measured = row.measure(data)
    except NotRun:
        entry.update(measured=f"not run: needs {row.lab.needs}", needs=row.lab.needs)
        return entry
    except Missing as missing:
        failed = [failures[one.name(seed)] for key in row.runs for one in [figure.runs[key]] for seed in one.seeds
                  if one.name(seed) in failures]
        entry["measured"] = f"failed: {failed[0]}" if failed else f"not run ({missing})"
        entry["missing"] = True
        return entry
    except Exception:  # a row whose arithmetic fails must not hide the others
        entry["measured"] = "failed: " + traceback.format_exc().strip().splitlines()[-1]
        entry["missing"] = True
        return entry
    assert isinstance(measured, Measured)
    value = measured.value
    entry.update(measured=measured.text, inside=bool(measured.inside),
                 value=value if value is not None and math.isfinite(value) else None,
                 spread=list(measured.spread) if measured.spread else None)
    return entry


def table(rows: list) -> str:
    """Rows as blocks that fit the terminal: claim and verdict, then what was published, measured and allowed."""
    width = terminal_width(WIDTH)
    lines = []
    for row in rows:
        judged = "no result" if row.get("missing") else "not run" if row.get("needs") else "inside" if row["inside"] else "OUTSIDE"
        lines.append(wrapped(f"{row['id']}: {row['claim']}", width - 12))
        end = lines[-1].split("\n")
        end[0] = f"{end[0]:<{width - 11}} {judged:>10}"
        lines[-1] = "\n".join(end)
        for name, text in (("published", identified.published_words(row)), ("measured", row["measured"]), ("band", row["band"])):
            lines.append(textwrap.fill(f"{name:<10} {text}", width, initial_indent="  ", subsequent_indent=13 * " ",
                                       break_on_hyphens=False))
    return "\n".join(lines)


def markdown(rows: list) -> str:
    """The table as Markdown."""
    def clean(text) -> str:
        return str(text).replace("|", "\\|")
    lines = ["| id | claim | published | measured | band | inside? |", "|---|---|---|---|---|---|"]
    lines += [f"| {r['id']} | {clean(r['claim'])} | {clean(identified.published_words(r))} | {clean(r['measured'])} | {clean(r['band'])} | "
              + ("-" if r.get("missing") or r.get("needs") else "yes" if r["inside"] else "**no**") + " |" for r in rows]
    notes = [f"* {r['id']}: {r['note']}." for r in rows if not r["inside"] and r["note"] and not r.get("needs")]
    said = identified.row_words(rows)
    return "\n".join(lines + (["", said] if said else [])
                     + (["", "Outside, and the likeliest reason:", ""] + notes if notes else [])) + "\n"


def verdict(rows: list) -> str:
    inside = sum(r["inside"] for r in rows)
    missing = sum(bool(r.get("missing")) for r in rows)
    text = f"{inside} of {counted(len(rows), 'row')} inside their bands ({100 * inside / len(rows):.0f} %)"
    outside = [r["id"] for r in rows if not r["inside"] and not r.get("missing") and not r.get("needs")]
    waiting = [r["id"] for r in rows if r.get("needs")]
    if outside:
        text += "; outside: " + ", ".join(outside)
    if waiting:
        text += "; not run: " + ", ".join(waiting)
    if missing:
        text += f"; {missing} without a result"
    return text


def shares(rows: list) -> str:
    """How many rows of the reality table are inside, by kind and by source; empty without such rows."""
    lines = []
    for title, key in (("kind", "kind"), ("source", "source")):
        groups: dict = {}
        for row in rows:
            if "kind" in row:
                groups.setdefault(row[key].split(": ")[-1], []).append(row)
        if groups:
            lines.append(f"inside by {title}: " + ", ".join(
                f"{name} {sum(r['inside'] for r in some)}/{len(some)}" for name, some in groups.items()))
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ output

def draw(folder: str, wanted: list, formats: Optional[str]) -> None:
    """The figures, in an interpreter that has matplotlib."""
    trouble = drawing.plotting_process(["-m", "evidence.reproduce.reproduce_plots", os.path.abspath(folder), *(f.id for f, _ in wanted)],
                                       wanted=formats)
    if trouble:
        warn(f"some plots are missing: {trouble}")


def prepare_runs(folder: str, command: str) -> None:
    """Make the folder of the runs; one that holds something else is somebody's."""
    owned.refuse_links(folder, ["runs"])
    try:
        below.make_folder(folder, "runs")
        strange = below.names_in(folder, "runs") and not below.is_file(folder, f"runs/{STAMP}")
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error
    if strange:
        raise RccError(f"--out={folder}: the runs there are not from {command}; give another folder")


def prepare(folder: str) -> None:
    """Make space for the results of ./rcc reproduce."""
    results.refuse_others(folder, [CHECKS], "./rcc reproduce")
    results.refuse_foreign(folder, "published.json", FILES, REPRODUCE, below.is_file(folder, f"runs/{STAMP}"))
    prepare_runs(folder, REPRODUCE)
    results.remove_left_over(folder)
    names = ["published.json", *FILES]
    listed = owned.listed(folder, REPRODUCE, names.__contains__)
    own = set(names) if listed is None else listed
    try:
        owned.claim(folder, names, own, REPRODUCE)
        results.remove(folder, sorted(own))
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error


def costs(folder: str, wanted: list, quick: bool, spent: dict) -> dict:
    """Seconds of each set-up as measured, per seed: what `cost` in published/ should say."""
    found = {}
    for one, seed in needed(wanted, quick):
        if one.name(seed) in spent:
            found.setdefault(" ".join((one.program,) + one.words), []).append(round(spent[one.name(seed)], 2))
    return found


def add_arguments(parser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="papers, windowed, paths, reality, figures or rows (default: all)")
    parser.add_argument("--list", action="store_true", help="list the papers and then the rows, a line each, and exit")
    parser.add_argument("--details", action="store_true", help="list everything about each row, and exit")
    parser.add_argument("--quick", action="store_true", help="only the rows that every change must keep, with two seeds, a minute or two")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a row is outside its band")
    parser.add_argument("--resume", action="store_true", help="keep the runs that the same programs have made there")
    parser.add_argument("--no-plots", action="store_true", help="no figures, and none in the report")
    drawing.add_format(parser)
    parser.add_argument("--out", metavar="DIR", help="folder for the results (default: out/reproduce)")


def command(args) -> int:
    wanted = select(args.ids, args.quick)
    if args.list or args.details:
        print(details(wanted, args.quick) if args.details else f"{papers(wanted)}\n\n{listing(wanted, args.quick)}")
        return 0
    folder = args.out if args.out is not None else os.path.join("out", "reproduce")
    with lock.locked(folder):
        return run_and_publish(args, folder, wanted)


def run_and_publish(args, folder: str, wanted: list) -> int:
    prepare(folder)
    runs_folder = os.path.join(folder, "runs")
    started = time.monotonic()
    interrupted, failures, spent = simulate(runs_folder, wanted, args.quick, args.resume)
    rows = []
    for figure, some in wanted:
        data = Data(figure, runs_folder, series.read)
        rows += [judge(figure, row, data, failures) for row in some]
    merged = {"schema": SCHEMA, "rcc_version": version(), "partial": interrupted, "quick": args.quick,
              "wall_s": round(time.monotonic() - started, 1), "rows": rows,
              "wall_s_of_runs": costs(folder, wanted, args.quick, spent)}
    try:
        results.write_json(folder, "published.json", merged)
        with atomic_write(os.path.join(folder, "published.md")) as f:
            f.write(markdown(rows))
        if not args.no_plots:
            draw(folder, wanted, args.format)
        reproduce_report.write(folder, merged, [figure for figure, _ in wanted])
        owned.record(folder, ["published.json", *FILES], REPRODUCE)
    except OSError as error:
        raise RccError(f"{folder}: cannot write there: {error.strerror or error}", EXIT_FAILED) from error
    print(table(rows))
    print()
    print(wrapped("\n".join(filter(None, [verdict(rows), shares(rows), identified.row_words(rows)])), terminal_width(WIDTH)))
    for name, why in failures.items():
        say(f"error: {name}: {why}")
    print("\n" + wrapped(f"report: {os.path.join(folder, 'report.html')}   numbers: {os.path.join(folder, 'published.json')}   "
                         f"({duration(time.monotonic() - started)} in all)", terminal_width(WIDTH)))
    if interrupted:
        say("interrupted: rows whose runs had ended are shown; --resume goes on from here")
        return EXIT_INTERRUPTED
    if failures or any(r.get("missing") for r in rows):
        return EXIT_FAILED
    return EXIT_FAILED if args.strict and not all(r["inside"] for r in rows) else 0


COMMAND = Command(
    description="Run the figures and sentences of the source papers and put every published number beside ours.\n"
        "Writes published.json, published.md, a PNG per figure and report.html. An ID is a figure or a row of --list.",
    examples=[("./rcc reproduce --list", "all papers; all rows, with cost in CPU seconds and claim"),
        ("./rcc reproduce dp-fig8 --list --details", "everything about the rows of a figure"),
        ("./rcc reproduce", "all of it: about 70 min on two cores"),
        ("./rcc reproduce paths", "loss, spraying and trimming (lab/evidence/doc/results.md)"),
        ("./rcc reproduce reality", "what NICs and switches of real laboratories did (lab/evidence/doc/reality.md)"),
        ("./rcc reproduce --quick --strict", "the rows that must hold; exit status 1 if one does not"),
        ("./rcc reproduce dp-fig8 dp-20x --out=out/some", "some figures"),
        ("./rcc reproduce --resume", "go on after an interruption")],
    add_arguments=add_arguments,
    run=command)
