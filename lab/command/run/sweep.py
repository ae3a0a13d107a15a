# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc sweep`: a grid over the options of a scenario, each point simulated once, whatever happens in between."""
from __future__ import annotations

import contextlib
import functools
import io
import os
import shlex
import shutil
import sys
import time

from . import grid, nic_params, points, run, simulation, specs
from .processes import REDRAW_SECONDS, caught
from .scenarios import SCENARIOS, Scenario
from ..arguments import Parser, examples, positive
from .. import below, units
from ..experiment import catalogue
from ..system import build
from ..common import EXIT_FAILED, EXIT_INTERRUPTED, RccError, cannot_write, counted, duration, echo, get, say, warn
from ..registry import Command
from ..results.html import sweep_report
from ..results.judge import summary, sweep_results
from .. import owned
from ..results.read import results

CHECKS = 256             # combinations that are checked before the first simulation; of more, each value once
POLL_SECONDS = 0.02
PROPORTIONAL = {"time": "time", "rate": "rate", "load": "ratio"}   # options that packets are in proportion to
CAPTURES = ("pcap", "capture", "snaplen")
OTHERS_SECONDS = 0.5     # between two looks at points of other sweeps


@functools.lru_cache(maxsize=None)
def guess(values: tuple) -> float:
    """Guess the time of a point with these values, in no unit: in proportion to simulated time, rate and load, and more with flows."""
    found = 1.0
    for name, text in values:
        with contextlib.suppress(RccError):    # a word, such as a file's name
            if name in PROPORTIONAL:
                found *= max(units.parse(PROPORTIONAL[name], text, name), 1e-9)
            elif name == "flows":
                found *= 1 + units.parse("count", text, name) / 1000
    return found


class Sweep:
    """A sweep, which simulates the points that are not finished, at most one per processor at a time."""

    def __init__(self, folder: str, program: str, origin: str, wanted: list, jobs: int):
        self.folder, self.program, self.origin, self.wanted, self.jobs = folder, program, origin, wanted, jobs
        self.otherwise = finished_otherwise(points.load(folder), wanted)
        self.took = self.guessed = 0.0    # seconds of the points that have ended, and their guesses
        self.waiting: dict = {}      # (label, values) -> points that differ in their seeds alone
        self.running: list = []      # (claim, when it began)
        self.failed: list = []       # (point, why)
        self.stop = 0                # signals
        self.next_draw = 0.0
        self.drawn = False
        self.kept = 0
        self.told = False            # that another sweep is waited for
        self.next_line = time.monotonic() + 30

    def run(self) -> bool:
        """Simulate all. True if the user interrupted it."""
        found = 0
        for point in self.wanted:
            if points.finished(self.folder, point):  # a sweep may have been killed between the result and the end of its claim
                points.remove_simulators_files(self.folder, point, self.origin)
                found += 1
            elif point.name in self.otherwise:
                found += 1
            else:
                self.waiting.setdefault((point.spec.label, point.values), []).append(point)
        known = {frozenset(point.parameters.items()): point for point in self.wanted}
        for entry in points.load(self.folder):
            point, seconds = known.get(frozenset(entry["parameters"].items())), get(entry["run"], "wall_s")
            if point and seconds:
                self.learn(point, seconds)
        say(counted(len(self.wanted), "point") + (f", {found} of them finished before" if found else ""))
        with caught(self._on_signal):
            try:
                while (self.waiting or self.running) and not self.stop:
                    self._start()
                    self._collect()
                    self._draw()
            finally:
                for claim, _ in self.running:
                    claim.process.kill()
                    claim.process.wait()
                    if claim.keep() is None:  # it may have come to its end just now
                        claim.release()
                self._clear()
        return self.stop > 0

    def learn(self, point: grid.Point, seconds: float) -> None:
        """Note the time that a point took."""
        self.took += seconds
        self.guessed += guess(point.values)

    def missing(self) -> list:
        """List the points that have no result."""
        return [point for point in self.wanted if not points.finished(self.folder, point) and point.name not in self.otherwise]

    def _on_signal(self, _number, _frame) -> None:
        self.stop += 1

    def _start(self) -> None:
        """Start a point on every free processor, the longest first."""
        if len(self.running) >= self.jobs or not self.waiting:
            return
        for kind in sorted(self.waiting, key=lambda kind: guess(kind[1]), reverse=True):
            others = []     # points that another sweep simulates
            alike = self.waiting[kind]
            while alike and len(self.running) < self.jobs:
                point = alike.pop(0)
                claim = points.claim(self.folder, point, self.origin)
                if claim:
                    claim.start(self.program)
                    self.running.append((claim, time.monotonic()))
                elif not points.finished(self.folder, point):
                    others.append(point)
            alike[:0] = others
            if not alike:
                del self.waiting[kind]
            if len(self.running) >= self.jobs:
                break
        if not self.running and self.waiting:   # other sweeps run the rest
            if not self.told:
                self.told = True
                count = sum(map(len, self.waiting.values()))
                say(f"waiting for another ./rcc sweep, which simulates {counted(count, 'point')} of {self.folder}")
            time.sleep(OTHERS_SECONDS)

    def _collect(self) -> None:
        """Keep the results of the points that have ended."""
        ended = [pair for pair in self.running if pair[0].process.poll() is not None]
        for claim, began in ended:
            self.running.remove((claim, began))
            status = claim.process.returncode
            errors = [line for line in claim.errors() if not line.startswith("rcc: note: ")]
            if status == 0 and claim.keep() is not None:
                self.kept += 1
                self.learn(claim.point, time.monotonic() - began)
                continue
            claim.release()
            why = errors[0] if errors else f"by signal {-status}" if status < 0 else f"with status {status}"
            self.failed.append((claim.point, why.replace("rcc: error: ", "")))
        if not ended:
            time.sleep(POLL_SECONDS)

    def _left(self) -> float:
        """Estimate the seconds until all is done."""
        factor, now = self.took / self.guessed, time.monotonic()
        todo = sum(len(alike) * guess(values) * factor for (_, values), alike in self.waiting.items())
        todo += sum(max(guess(claim.point.values) * factor - (now - began), 0) for claim, began in self.running)
        return todo / max(1, self.jobs)

    def _draw(self) -> None:
        now = time.monotonic()
        lines = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        if now < (self.next_line if lines else self.next_draw):
            return
        done = len(self.wanted) - sum(map(len, self.waiting.values())) - len(self.running)
        share = f"{done} of {counted(len(self.wanted), 'point')}  {100 * done // len(self.wanted)} %"
        if self.guessed:
            share += f"  {duration(self._left())} left"
        if lines:
            self.next_line = now + 30
            say(share)
            return
        self.next_draw = now + REDRAW_SECONDS
        filled = 24 * done // len(self.wanted)
        line = f"[{'#' * filled}{'.' * (24 - filled)}] {share}"
        sys.stderr.write("\r" + line[:shutil.get_terminal_size().columns - 1] + "\x1b[K")
        sys.stderr.flush()
        self.drawn = True

    def _clear(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def finished_otherwise(entries: list, wanted: list) -> set:
    """Return the names of points that are finished under other words, as one gives a value that is another's default."""
    if not entries or not wanted:
        return set()
    names = sweep_results.names_of([*(entry["parameters"] for entry in entries), *(point.parameters for point in wanted)])

    def completed(given: dict) -> tuple:
        return tuple(sweep_results.completed(given, names, functools.partial(grid.usual, wanted[0].scenario)).items())
    known = {completed(entry["parameters"]) for entry in entries}
    return {point.name for point in wanted if completed(point.parameters) in known}


def to_check(wanted: list) -> list:
    """List points that together have every value of every option; every combination if those are not too many."""
    combinations = list({(point.spec, point.values): point for point in wanted}.values())
    if len(combinations) <= CHECKS:
        return combinations
    seen: set = set()
    chosen = []
    for point in combinations:
        fresh = {(point.spec, pair) for pair in point.values or (("", ""),)} - seen
        if fresh:
            seen |= fresh
            chosen.append(point)
    return chosen


def check_all(program: str, wanted: list) -> list:
    """Let the program check the values before anything is simulated. Each note and warning is shown once, with its points if it does not
    hold for all. Returns the simulations that were checked."""
    checked = to_check(wanted)
    values = [dict(point.values) for point in checked]
    names = dict.fromkeys(name for given in values for name in given)
    varying = [name for name in names if len({given[name] for given in values if name in given}) > 1]
    labels = [" ".join([point.spec.label, *(f"{name}={given[name]}" for name in varying if name in given)])
              for point, given in zip(checked, values)]
    simulations = [point.simulation() for point in checked]
    said = simulation.check(program, simulations)
    said = [SCENARIOS[point.scenario].notes(point.options) + lines for point, lines in zip(checked, said)]
    for line in summary.name_speakers([(label, point.spec.cc, lines) for label, point, lines in zip(labels, checked, said)]):
        echo(line)
    return simulations


def size_figures(wanted: list) -> list:
    """List the names of the figures of slowdown by flow size. Raises RccError if one cannot be the name of a file."""
    rows = [point.parameters for point in wanted]
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if name not in ("cc", "seed")]
    varying = [name for name in names if len({row.get(name, "-") for row in rows}) > 1]
    found = sweep_report.size_pictures([{"parameters": {name: row.get(name, "-") for name in names}, "by_size": True} for row in rows],
                                       varying)
    for picture in map(sweep_report.picture, found):
        if "/" in picture or len(os.fsencode(picture)) > run.LONGEST_NAME:
            raise RccError(f"the figure of slowdown by flow size would be '{picture[:60]}', expected values without / and a name of at "
                           f"most {run.LONGEST_NAME} bytes; --no-plots draws none")
    return found


def prepare(folder: str, scenario: str, origin: str, metrics: list, by_size: list) -> None:
    """Make the folder, or check that its files belong to this sweep. `metrics`: the metrics that are drawn; `by_size`: names of figures by
    flow size."""
    owned.refuse_links(folder, [points.FOLDER])
    known = points.load(folder)
    results.refuse_foreign(folder, sweep_results.SUMMARY, sweep_results.TABLES, sweep_results.SWEEP, bool(known))
    if os.path.exists(os.path.join(folder, sweep_results.SUMMARY)):
        owned.refuse_others(folder, sweep_results.files_of(metrics), sweep_results.own_files(folder), sweep_results.SWEEP)
    owned.refuse_others(folder, sorted(set(sweep_results.files_of([], by_size)).difference(sweep_results.files_of([]))),
                        sweep_results.own_files(folder), sweep_results.SWEEP)
    try:
        os.makedirs(folder, exist_ok=True)
        below.make_folder(folder, points.FOLDER)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error
    for entry in known:
        if points.scenario_of(entry) != scenario:
            raise RccError(f"--out={folder}: the points there are of {points.scenario_of(entry)}; give another folder")
        if entry.get("made_by") != origin:
            raise RccError(f"--out={folder}: the points there were made by another build ({entry.get('made_by', 'unknown')}; this is "
                           f"{origin}); give another folder")


def read_request(scenario: Scenario, args, given: dict) -> tuple:
    """Return the algorithms of a sweep, the NIC of --nic-params that each is of, or None, and the names in place of labels."""
    algorithms = specs.parse_list(args.cc if args.cc is not None else ",".join(scenario.algorithms))
    if args.nic_params is None:
        return algorithms, [], {}
    options = [f"--{name}={','.join(value) if isinstance(value, list) else value}" for name, value in given.items() if value]
    found = nic_params.as_specs(algorithms, nic_params.read_all(args.nic_params), options)
    return list(found), [nic for nic, _ in found.values()], {spec.label: shown for spec, (_, shown) in found.items() if shown}


def command(args) -> int:
    scenario = SCENARIOS[args.scenario]
    given = {option.name: getattr(args, "opt_" + option.name) for option in scenario.options}
    for name in CAPTURES:
        if given.get(name):
            raise RccError(f"--{name} is not for a sweep: its points keep their numbers, no captures")
    if not build.is_there(simulation.PROGRAM):
        with catalogue.unbuilt(), contextlib.redirect_stderr(io.StringIO()):   # the run repeats the messages
            algorithms, _, _ = read_request(scenario, args, given)
            for point in to_check(grid.points(scenario.name, algorithms, grid.axes(scenario.options, given), [1])):
                point.simulation()
        run.built(args)
    algorithms, nics, shown = read_request(scenario, args, given)
    over = grid.axes(scenario.options, given)
    for axis in over:
        if axis.owner and axis.owner not in [spec.cc for spec in algorithms]:
            warn(f"--set {axis.name} has no effect: {axis.owner} is not among --cc={args.cc or ','.join(scenario.algorithms)}")
    wanted = grid.points(scenario.name, algorithms, over, grid.seeds(given.get("seed") or "1"))
    folder = args.out if args.out is not None else os.path.join("out", f"sweep-{scenario.name}")
    if not folder:
        raise RccError("--out=: a folder's name is missing")
    axes = sweep_results.chosen_axes(args.x, args.metric, [axis.name for axis in over])._replace(
        algorithms=[shown.get(spec.label, spec.label) for spec in algorithms])
    sized = not args.no_plots and (scenario.program == "workload" or given.get("arrivals") or given.get("incasts"))
    by_size = size_figures(wanted) if sized else []
    program = run.built(args)
    run.unused_thresholds(scenario, args, [spec.label for spec in algorithms], check_all(program, wanted))
    origin = points.made_by(program, scenario.name)
    prepare(folder, scenario.name, origin, [] if args.no_plots else axes.metrics or list(sweep_results.LABELS), by_size)
    sweep = Sweep(folder, program, origin, wanted, args.jobs or os.cpu_count() or 1)
    interrupted = sweep.run()
    for point, why in sweep.failed:
        say(f"error: {point.name[:-11]}: {why}")
    missing = sweep.missing()
    if interrupted:
        kept = len(wanted) - len(missing)
        say(f"stopped: {kept} of {counted(len(wanted), 'point')} {'is' if kept == 1 else 'are'} kept; the same command goes on from there")
    entries = points.load(folder)
    for entry in entries:
        entry["parameters"]["cc"] = shown.get(entry["parameters"]["cc"], entry["parameters"]["cc"])
    if not entries:
        return EXIT_INTERRUPTED if interrupted else EXIT_FAILED
    print(sweep_results.publish(folder, "./rcc " + shlex.join(run.without_folder(args.argv)), entries, len(missing), axes,
                                functools.partial(grid.usual, scenario.name), plots=not args.no_plots, wanted=args.format))
    first = {point.spec: point for point in reversed(wanted)} if nics else {}
    for line in nic_params.verdicts((nic, first[spec].simulation()) for spec, nic in zip(algorithms, nics)):
        print(line)
    return EXIT_INTERRUPTED if interrupted else EXIT_FAILED if missing else 0


def add_arguments(parser: Parser) -> None:
    scenarios = parser.add_subparsers(dest="scenario", metavar="SCENARIO", required=True, parser_class=Parser)
    for scenario in SCENARIOS.values():
        leaf = scenarios.add_parser(scenario.name, help=scenario.title, description=f"A grid over the options of {scenario.name}.",
                                    epilog=NOTES + examples(EXAMPLES.get(scenario.name, [(f"./rcc sweep {scenario.name} --seed=1-5",
                                                                                         "five seeds, with intervals")])))
        leaf.set_defaults(leaf=leaf)
        leaf.later(functools.partial(add_options, leaf, scenario))


def add_options(leaf: Parser, scenario: Scenario) -> None:
    run.add_scenario(leaf, scenario, out=f"out/sweep-{scenario.name}", refused=CAPTURES)
    leaf.add_argument("--x", metavar="OPTION", help="the option over which the metrics are drawn (default: the one with most values)")
    leaf.add_argument("--metric", metavar="LIST", help="what is drawn and shown, e.g. queue.mean_bytes,utilization; see intervals.csv")
    leaf.add_argument("--jobs", metavar="N", type=positive, help="simulations at a time (default: one per processor)")


NOTES = ("every option takes several values, separated by commas; --seed takes ranges such as 1-10; where values hold commas themselves,\n"
         "| separates them: --start='0s,5ms|0s,1ms'. A point that is finished is never simulated again: the same command, or one with\n"
         "more values, goes on where a killed one stopped. lab/doc/sweep.md says more.\n\n")
EXAMPLES = {
    "incast": [("./rcc sweep incast --flows=8,80,480 --rate=10Gbps,40Gbps --cc=dcqcn,dcqcn-plus --seed=1-5 --time=1s",
                "60 simulations: metrics over the number of flows, with 95 % intervals"),
               ("./rcc sweep incast --cc=dcqcn --set dcqcn.g=1/256,1/64,1/16 --flows=80 --time=20ms --seed=1-3", "a parameter")],
    "workload": [("./rcc sweep workload --load=0.2,0.4,0.6 --cc=dcqcn,dcqcn:cx4,timely --seed=1-3 --time=10ms",
                  "slowdowns over the load")],
}

COMMAND = Command(
    description="Simulate every combination of the values given, on all processors, and show mean and 95 % interval over the seeds.",
    examples=EXAMPLES["incast"] + EXAMPLES["workload"],
    notes=NOTES,
    add_arguments=add_arguments,
    run=command)
