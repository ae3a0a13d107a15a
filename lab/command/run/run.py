# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc run`: check everything, simulate every algorithm, merge, table, plots, report."""
from __future__ import annotations

import argparse
import contextlib
import copy
import functools
import io
import json
import math
import os
import shlex
import sys
import tempfile
import time
from typing import Any, NamedTuple, Optional

from . import experiments, grid, inputs, nic_params, trace_defaults as defaults, ranks, simulation, specs, staging
from ..experiment import catalogue, declared
from ..experiment.option_values import attribute_items
from ..results.draw import drawing, perfetto
from ..results.judge import lines, summary
from ..results.read import results, seeds, table
from ..system import build, packages
from .. import below
from ..common import EXIT_DEADLOCK, EXIT_FAILED, EXIT_INTERRUPTED, JSON_LIMIT, RccError, counted, duration, echo, \
    get, open_regular, say, warn
from .processes import Job, Runner
from ..arguments import Parser, complete_with, examples
from ..registry import Command
from .scenarios import SCENARIOS, Scenario


FINISHED = (0, EXIT_DEADLOCK, EXIT_INTERRUPTED)  # statuses of a program that has a result
LONGEST_NAME = 255   # bytes of a folder's name on Linux
UNNAMED = "config"   # a run whose algorithm its configuration names; its folder gets that name afterwards


class RunName(str):
    """The name of a run's folder, with the scenario, algorithm, seed and NIC of the run."""
    spec: specs.Spec
    scenario: Scenario
    seed: str         # "": as the options say
    nic: Optional[nic_params.NicParams] = None   # the settings of --nic-params for the algorithm


def built(args) -> str:
    """Return the path of the program."""
    return build.program(simulation.PROGRAM, packages.BENCH if args.no_plots else packages.RUN)


def run_names(scenario: Scenario, algorithms: list, numbers: list, nics: Optional[list] = None, preset: str = "") -> list:
    """List a name for each algorithm, or for each of its seeds; for each of several NICs."""
    names = []
    for spec, nic in nic_params.spread(algorithms, nics or [], preset):
        for number in numbers or [""]:
            name = RunName(spec.folder + (f"-seed-{number}" if number != "" else ""))
            if len(os.fsencode(name)) > LONGEST_NAME:
                raise RccError(f"--cc={spec.label}: found {len(os.fsencode(name))} bytes, expected at most {LONGEST_NAME}, the name of a "
                               "folder; --set gives parameters too")
            name.scenario, name.spec, name.seed, name.nic = scenario, spec, str(number), nic
            names.append(name)
    return names


def chosen_seeds(args) -> list:
    """Return the seeds of --seed=1-10; [] for a single one, which the program checks."""
    text = getattr(args, "opt_seed", None)
    if not text or not set(text) & set(",-") or text.startswith("-"):
        return []
    found = grid.seeds(text)
    args.opt_seed = None
    return found


def label(name: str, folder: str, run: dict) -> dict:
    """Add label and folder to a run, also in its run.json, if the folder does not have the algorithm's name."""
    if isinstance(name, RunName) and name != run.get("cc"):
        run = {**run, "label": name.spec.label, "folder": str(name)}
        with below.replace(folder, f"{name}/run.json") as f:
            json.dump(run, f)
            f.write("\n")
    return run


def given_options(scenario, args) -> list:
    """Return the user's options word for word, as options of the program."""
    words = []
    for option in scenario.options:
        value = getattr(args, "opt_" + option.name)
        if value == "" or (isinstance(value, list) and "" in value):
            raise RccError(f"--{option.name}=: a value is missing; expected {option.metavar}")  # ns-3 would print its help
        if option.flag:
            words += [f"--{option.name}"] if value else []
        elif option.repeat:
            words += [f"--{option.name}={','.join(LISTS.get(option.name, list)(value))}"] if value else []
        elif value is not None:
            words.append(f"--{option.name}={value}")
    return words


def settings(texts: list) -> list:
    """List the items of --set, with the names of algorithms as the programs know them."""
    found: dict = {}
    for item in (item.strip() for text in texts for item in text.split(",")):
        name, equal, value = item.partition("=")
        owner, dot, parameter = name.strip().partition(".")
        known = f"{specs.canonical(owner)}.{parameter}" if owner and dot else name.strip()
        if known in found:
            raise RccError(f"--set: {known} is given twice")
        found[known] = known + equal + value.strip()
    return list(found.values())


def attributes(texts: list) -> list:
    """List the items of --attr, without ns-3's prefix. A part without TYPE.NAME= continues the value before it, as in a list."""
    found: dict = {}
    for item in attribute_items(",".join(part.strip() for text in texts for part in text.split(","))):
        head, equal, value = item.partition("=")
        name = head.strip().removeprefix("ns3::")
        if name in found:
            raise RccError(f"--attr: {name} is given twice")
        found[name] = name + equal + value.strip()
    return list(found.values())


LISTS = {"set": settings, "attr": attributes}   # options whose items are brought into one form


def given_parameters(scenario, args) -> dict:
    """Return the user's options as columns of the table: option -> text."""
    found = {}
    for option in scenario.options:
        value = getattr(args, "opt_" + option.name)
        if value and option.name != "seed":
            found[option.name] = ",".join(value) if isinstance(value, list) else "yes" if value is True else value
    return found


def words_of(name: str, options: list) -> list:
    """Return the options of one run, with those that make its scenario."""
    if not isinstance(name, RunName):
        return options
    options = name.scenario.merge_options(options, name.spec.cc)
    spec = name.nic.put_below(name.spec, options) if name.nic else name.spec
    words = spec.words(options) + ([f"--seed={name.seed}"] if name.seed else [])
    return [name.scenario.file, *words] if name.scenario.file else experiments.words(name.scenario.program, words)


def make(scenario: Scenario, names: list, options: list, folder: str) -> list:
    """Return the simulation of each run. Raises RccError, in terms of the user's options."""
    runs = []
    for name in names:
        kind = experiments.PROGRAM if scenario.file else experiments.program(scenario.program)
        runs.append(simulation.Simulation(kind, [*words_of(name, options), f"--out={os.path.join(folder, name)}"]))
    return runs


def check(program: str, names: list, runs: list, processes: int) -> list:
    """Let the program check every value before anything is simulated. Returns its warnings: (label, algorithm, lines) of each run."""
    try:
        told = simulation.check(program, runs, processes)
    except simulation.Wrong as error:
        name = names[error.run]
        place = name.nic.place(error.about) if error.about and isinstance(name, RunName) and name.nic else ""
        raise RccError(f"{place}{error}", error.status) from error
    return [(*algorithm_of(name), lines) for name, lines in zip(names, told)]


def tell_nics(names: list, nics: list, options: list) -> None:
    """Describe the runs of several --nic-params, if one of them has a file."""
    own = [name for name in names if isinstance(name, RunName) and name.nic and name.nic.path != nic_params.DEFAULT]
    runs = {(name.spec, name.nic): name for name in own}
    labels = {(spec.cc, spec._replace(shown="").label) for spec, _ in runs}
    for (spec, nic), name in runs.items() if len(nics) > 1 else ():
        several = sum(cc == spec.cc for cc, _ in labels) > 1
        settings = nic.put_below(spec, name.scenario.merge_options(options, spec.cc)).settings
        say(nic_params.stands(nic, spec._replace(shown="").label if several else "", settings, words_of(name, options)))


def unused_settings(names: list, settings: list) -> list:
    """List the algorithms of --set that do not run: likely a mistake, but a harmless one."""
    others = dict.fromkeys(item.split(".")[0] for text in settings for item in text.split(",") if "." in item.split("=")[0])
    known = catalogue.cores() if set(others) - set(names) else {}
    return [name for name in others if name not in names and not (name in known and set(known[name].variants) & set(names))]


def unused_thresholds(scenario: Scenario, args, labels: list, runs: list) -> None:
    """Warn of --kmin, --kmax and --pmax, if neither the algorithms nor those of single flows have them."""
    known = {name for run in runs for algorithm in run.writer.experiment.algorithms for name in algorithm.parameters}
    unused = [f"--{name}" for name in ("kmin", "kmax", "pmax") if getattr(args, f"opt_{name}", None) and name not in known]
    if unused:
        have, these = ("have", "these parameters") if len(unused) > 1 else ("has", "that parameter")
        names = ",".join(labels) or runs[0].algorithm
        warn(f"{', '.join(unused[:-1])}{' and ' if unused[:-1] else ''}{unused[-1]} {have} no effect: no algorithm of "
             f"{f'--cc={names}' if args.cc is not None or scenario.algorithms else f'the file ({names})'} has {these}")


def without_folder(argv: list) -> list:
    """Return the words without --out, which does not change the results."""
    kept, skip = [], False
    for word in argv:
        if not skip and word != "--out" and not word.startswith("--out="):
            kept.append(word)
        skip = word == "--out" and not skip
    return kept


def folder_of(scenario: Scenario, args) -> str:
    """Return the folder of the results."""
    folder = args.out if args.out is not None else os.path.join("out", scenario.name)
    if not folder:
        raise RccError("--out=: a folder's name is missing")
    return folder


def read_request(scenario: Scenario, args, first: Optional[list] = None) -> tuple:
    """Return the names of the runs that the words ask for, and the options of the program."""
    names = [UNNAMED]
    nics = nic_params.read_all(args.nic_params) if args.nic_params is not None else []
    listed = args.cc if args.cc is not None else ",".join(scenario.algorithms) or (nics[0].algorithm if nics else "")
    if listed or args.cc is not None:
        algorithms = specs.parse_list(listed)
        seeds_of_runs, options = chosen_seeds(args), (first or []) + given_options(scenario, args)
        names = run_names(scenario, algorithms, seeds_of_runs, nics, nic_params.find_preset(options))
        for owner in dict.fromkeys(nic.algorithm for nic in nics if not any(nic.is_for(spec.cc) for spec in algorithms)):
            warn(f"--nic-params has no effect: {owner} is not among --cc={listed}")
    else:
        options = (first or []) + given_options(scenario, args)
    tell_nics(names, nics, options)
    return names, options


def judge_unbuilt(scenario: Scenario, args, first: Optional[list] = None) -> None:
    """Refuse names, units and files that are wrong, where the programs are still to be built. What is said is said again later."""
    with catalogue.unbuilt(), contextlib.redirect_stderr(io.StringIO()):
        ranks.hosts(args, ranks.chosen(args))
        names, options = read_request(scenario, copy.copy(args), first)
        make(scenario, names, options, folder_of(scenario, args))


def simulate(scenario, args, first: Optional[list] = None, begun: Optional[staging.Work] = None) -> int:
    """Run a scenario under every algorithm asked for, and publish the results. `first`: options of the
    program that are not the scenario's. `begun`: in the folder of the results, if something had to be done there before."""
    started = time.monotonic()
    program = ""
    if not build.is_there(simulation.PROGRAM):
        judge_unbuilt(scenario, args, first)
        program = built(args)
    names, options = read_request(scenario, args, first)
    folder = folder_of(scenario, args)
    processes = ranks.chosen(args)
    hosts_file = ranks.hosts(args, processes)
    program = program or built(args)
    if getattr(args, "print", False):
        names = names[:1]
    elif begun:
        begun.note("checking the experiment")
    runs = make(scenario, names, options + ["--progress", *(["--port-log"] if args.perfetto else [])], folder)
    notes = scenario.notes(options)
    told = check(program, names, runs, processes)
    if getattr(args, "print", False):
        sys.stdout.write(runs[0].given.file_text())
        return 0
    with contextlib.nullcontext(begun) if begun else staging.work(folder) as work:
        seconds = times_before(folder, names)
        results.prepare(folder, names, work.killed, runs[0].output_names())
        for line in notes + summary.name_speakers(told):
            echo(line)
        algorithms = list(dict.fromkeys(name.spec for name in names if isinstance(name, RunName)))
        for name in unused_settings([spec.cc for spec in algorithms], settings(args.opt_set or [])) if algorithms else []:
            warn(f"--set {name}. has no effect: {name} is not among --cc={','.join(spec.label for spec in algorithms)}")
        unused_thresholds(scenario, args, [spec.label for spec in algorithms], runs)
        work.note("simulating")
        plan = Plan(folder, work, ranks.program(program) if processes > 1 else program, names, runs, options,
                    {line for _, _, lines in told for line in lines}, seconds, started, processes, hosts_file)
        with drawing.RunPlotter(folder, not args.no_plots, args.format) as plotter:
            return simulate_and_publish(scenario, args, plan, plotter)


class Plan(NamedTuple):
    """The runs to simulate, and the place of their results."""
    folder: str      # the folder of the results
    work: staging.Work   # with the place where the simulators write
    program: str
    names: list      # the names of the runs
    runs: list       # one simulation each
    options: list
    warnings: set    # lines of the programs that the user has seen
    seconds: dict    # that runs took the last time
    started: float   # by time.monotonic(), before the build
    ranks: int       # processes of one simulation
    hosts_file: str  # "": on this machine


def times_before(folder: str, names: list) -> dict:
    """Return the seconds that runs took when they were last run into the folder: {name: seconds}."""
    found = {str(name): get(results.machine_of(folder, name), "wall_s") for name in names}
    return {name: seconds for name, seconds in found.items() if seconds}


def longest_first(jobs: list, seconds: dict) -> list:
    """Order jobs by their last time, the longest first, after those without a known time."""
    return sorted(jobs, key=lambda job: -seconds.get(str(job.name), math.inf))


def simulate_and_publish(scenario, args, plan: Plan, plotter: drawing.RunPlotter) -> int:
    """Simulate, collect, and publish. Returns the exit status."""
    place = plan.work.place
    jobs = []
    for number, (name, run) in enumerate(zip(plan.names, plan.runs)):
        path = os.path.join(place, f"{number}.run")
        run.write(path)
        jobs.append(Job(name, [*ranks.launcher(plan.ranks, plan.hosts_file, os.path.join(place, f"ranks-{number}")), plan.program,
                               *run.words(path, os.path.join(place, name))]))
    files = inputs.hash_files(plan.runs[0].input_files())
    interrupted = Runner(longest_first(jobs, plan.seconds), max(1, (os.cpu_count() or 1) // plan.ranks), show=plan.work.show,
                         quiet=args.quiet).run()
    plan.work.note("collecting the results")
    own = getattr(args, "opt_scenario", None) or (scenario.program if scenario.file else scenario.name)
    runs, missing = collect(plan, own, jobs, interrupted, scenario.trace, args.perfetto)
    runs = [{**run, "inputs": files} if files else run for run in runs]
    for entry in missing:
        say(("error: " if entry["error"] else "") + f"{entry['cc']}: {entry['why']}")
    failed = any(job.status not in (*FINISHED, None) for job in jobs) or any(entry["error"] for entry in missing)
    if not runs:
        discard(plan.folder, plan.names)
        say("interrupted before there was a result" if interrupted else "error: no algorithm gave a result")
        return EXIT_INTERRUPTED if interrupted else EXIT_FAILED
    merged = results.merge(plan.folder, "./rcc " + shlex.join(without_folder(args.argv)), runs,
                           [{"cc": entry["cc"], "why": entry["why"]} for entry in missing])
    try:
        results.write_json(plan.folder, "summary.json", merged)
        for run in runs if args.perfetto else []:
            perfetto.write(os.path.join(plan.folder, seeds.folder(run)), run)
        table.write(plan.folder, table.of_runs(merged["runs"], given_parameters(scenario, args)))
    except OSError as error:
        raise RccError(f"{plan.folder}: {error.strerror or error}", EXIT_FAILED) from error
    for text in [*lines.list_stopped({}, runs), *lines.list_not_ended(runs)] if args.json or args.quiet else []:
        warn(text)
    for text in [] if args.quiet else lines.shorten_notes(runs, os.path.join(plan.folder, "report.html")):
        say(text)
    try:
        if args.json:
            print(json.dumps(merged, indent=1))
        elif not args.quiet:
            print(summary.text(merged))
            if scenario.trace:
                from ..traces import step
                print("\n" + step.text(runs))
            for line in nic_params.verdicts((name.nic, run) for name, run in zip(plan.names, plan.runs) if isinstance(name, RunName)):
                print(line)
    finally:
        plotter.publish(merged)  # even if the reader of the table has gone, as `head` does
    took = time.monotonic() - plan.started
    if not args.json and not args.quiet:
        made = [f"{what}: {os.path.join(plan.folder, name)}" for what, name in (("report", "report.html"), ("numbers", "summary.json"),
                                                                               ("table", table.NAME))]
        print("\n" + "\n".join(made) + f"   ({f'{took:.1f} s' if took < 10 else duration(took)} in all)")
    deadlocked = any(job.status == EXIT_DEADLOCK for job in jobs)
    return EXIT_INTERRUPTED if interrupted else EXIT_FAILED if failed else EXIT_DEADLOCK if deadlocked else 0


def algorithm_of(name: str) -> tuple:
    """Return the label and the algorithm of a run that was started."""
    return (name.spec.label, name.spec.cc) if isinstance(name, RunName) else (str(name), str(name))


def collect(plan: Plan, scenario: str, jobs: list, interrupted: bool, trace: Any, timeline: bool) -> tuple:
    """Return the runs that have a result, after a move of their files, and {"cc", "why", "error"} of each that has none. `scenario`: its
    name in the results; `trace`: the trace that is simulated; `timeline`: true if its operations are written as one."""
    runs, missing = [], []
    # warnings that only the simulation could know; those of --check were shown
    made = dict(zip(plan.names, plan.runs))
    told = [(*algorithm_of(job.name), [line for line in ranks.without_launcher(made[job.name].translate(job.errors))
                                       if line.strip() and line not in plan.warnings]) for job in jobs if job.process]
    for line in summary.name_speakers(told):
        echo(line)
    for job in jobs:
        run = made[job.name].finish(plan.work.place, job.name) if job.process else {}
        expected = {"scenario": scenario, **({} if job.name == UNNAMED else {"cc": job.name.spec.cc})}
        foreign = staging.check(run, expected) if run else ""
        # a program that could not write all of its files says so in run.json, and ends with another status
        if run and not foreign and (job.status in FINISHED or (job.status == EXIT_FAILED and run.get("partial"))):
            new = run["cc"] if job.name == UNNAMED else str(job.name)
            staging.adopt(plan.work.place, job.name, plan.folder, new)
            found = label(job.name, plan.folder, run)
            runs.append(trace.measure(os.path.join(plan.folder, new), found, timeline) if trace else found)
            continue
        missing.append({"cc": str(job.name), **why_missing(job, interrupted, foreign)})
    return runs, missing


def why_missing(job: Job, interrupted: bool, foreign: str) -> dict:
    """Return why a job has no result, and whether that is an error."""
    if job.process is None:
        return {"why": "not started", "error": False}
    if interrupted:
        return {"why": "stopped without a result", "error": False}
    if foreign or job.status in (0, EXIT_INTERRUPTED):
        return {"why": foreign or "the program ended well but wrote no run.json", "error": True}
    if ranks.death(job.errors):
        return {"why": ranks.death(job.errors), "error": True}
    return {"why": "the program ended " + (f"by signal {-job.status}" if job.status < 0 else f"with status {job.status}"),
            "error": True}


def discard(folder: str, names: list) -> None:
    """Remove the empty folders of runs without a result."""
    with contextlib.suppress(OSError):
        results.clear(folder, names)
        for name in names:
            with contextlib.suppress(OSError):
                os.rmdir(os.path.join(folder, name))
        os.rmdir(folder)


# Options that most need come first in a help; the first ten that a command has are shown.
NEEDED = ("cc", "out", "time", "rate", "seed", "set", "links", "flows", "size", "sizes", "load", "topology", "ranks-per-host", "collective",
          "compute", "operation", "senders", "hosts", "nic-params", "kmin", "kmax", "start", "faults", "json")


def add_scenario(parser: Parser, scenario: Scenario, out: str = "", refused: tuple = ()) -> None:
    """Add the options of a scenario's runs. `refused`: names of options that the command refuses, and help does not show."""
    parser.first = tuple(f"--{name}" for name in NEEDED)
    complete_with(parser.add_argument("--cc", metavar="LIST", help="algorithms, separated by commas, each "
                                      "NAME[:PRESET][+PARAMETER=VALUE]... "
                                      f"(default: {','.join(scenario.algorithms) or 'what the config says'})"), declared.names)
    for option in scenario.options:
        text = option.help + (f" (default: {option.default})" if option.default else "")
        text = argparse.SUPPRESS if option.name in refused else text.replace("%", "%%")
        dest = "opt_" + option.name
        if option.flag:
            parser.add_argument("--" + option.name, dest=dest, action="store_true", help=text)
        else:
            parser.add_argument("--" + option.name, dest=dest, metavar=option.metavar,
                                action="append" if option.repeat else "store", help=text)
    nic = "dcqcn has the settings of a real NIC, dumped from sysfs, debugfs, mlxconfig or Windows, over preset " + \
        f"{nic_params.PRESETS['dcqcn']}; FILE,default: both, side by side (lab/doc/nic-params.md)"
    parser.add_argument("--nic-params", metavar="FILE", help=argparse.SUPPRESS if "nic-params" in refused else nic)
    parser.add_argument("--out", metavar="DIR", help=f"folder for the results (default: {out or 'out/' + scenario.name})")
    parser.add_argument("--no-plots", action="store_true", help="no figures, and none in the report")
    drawing.add_format(parser)


def add_output(parser: Parser) -> None:
    """Add the options for the output of a run in place of its table."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="print summary.json in place of the table")
    group.add_argument("--quiet", action="store_true", help="print no table and no progress; errors and warnings only")
    parser.add_argument("--perfetto", action="store_true", help="write trace.json of each run: queue, rate and pauses of every port, "
                        "for ui.perfetto.dev")


class ScenarioOrFile(argparse._SubParsersAction):
    """An action for scenarios and for files of experiments, which share a parser."""

    @staticmethod
    def accepts(value: str) -> bool:
        return value.endswith(".json")

    def __call__(self, parser, namespace, values, option_string=None):
        if self.accepts(values[0]):
            namespace.file, values = values[0], [FILE.name, *values[1:]]
        super().__call__(parser, namespace, values, option_string)


FILE = Scenario(
    name="FILE.json",
    program=experiments.PROGRAM,
    title="an experiment as a file has it: a network, flows, algorithms, attributes, faults, measures",
    about="Run the experiment of a file of JSON (lab/doc/testbed.md). Every run leaves its own as experiment.json beside run.json, and\n"
          "./rcc run SCENARIO --print writes one without running it. Options given here come in place of the file's keys.",
    algorithms=[],
    examples=[
        ("./rcc run out/incast/dcqcn/experiment.json", "a run once more"),
        ("./rcc run experiment.json --cc=dcqcn,timely --seed=1-3", "under other algorithms, with other seeds"),
    ],
    file="FILE.json")


TRACE = FILE._replace(
    name="trace",
    program="trace",
    title="the step of a training job, from its trace",
    about="Run what the ranks of a trace send, each message when what it waits for is over, computing included; collectives\n"
          "become messages by named algorithms. Reads GOAL, Chakra, SimAI and MSCCL. lab/doc/workload.md.",
    algorithms=["dcqcn"],
    shown=(*(f"--{name}={value}" for name, value in defaults.DEFAULTS.items() if value is not True), f"--time={defaults.TIME}"),
    examples=[
        ("./rcc run trace step.goal", "every rank a host of one switch"),
        ("./rcc run trace step.goal --topology=fat-tree --ranks-per-host=8 --cc=dcqcn,hpcc", "eight ranks to a host, two algorithms"),
        ("./rcc run trace llm.0.et --topology=rails --ranks-per-host=8 --collective=all-reduce=ring:channels=4", "a trace of Chakra"),
        ("./rcc run trace step.goal --compute=0x", "communication alone"),
    ])


def of_trace(args) -> int:
    """Run a trace: its experiment is a file as long as it runs."""
    from . import training    # with all readers of traces, which no other run needs
    with contextlib.nullcontext() if args.print else staging.work(folder_of(TRACE, args)) as work, \
            tempfile.TemporaryDirectory(prefix="rcc-trace-") as place:
        def note(step: str) -> None:
            if work:
                work.note(step)
        note(f"reading {args.path}")
        trace = training.read(args)
        note(f"writing its experiment: {counted(len(trace.flows), 'message')} of {counted(trace.schedule.ranks, 'rank')}")
        path = os.path.join(place, "experiment.json")
        training.write(path, trace, args)
        try:
            return simulate(TRACE._replace(file=path, trace=trace), args, begun=work)
        except RccError as error:
            raise RccError(training.name_sources(error, path, trace, args), error.status) from error


def of_file(path: str) -> Scenario:
    """Return the scenario of a file. The program reports errors of the file with their lines."""
    run: dict = {}
    with contextlib.suppress(OSError, ValueError, RecursionError, RccError):
        with open_regular(path, JSON_LIMIT) as f:   # the program has the same limit
            found = json.loads(f.read().decode("utf-8"))
        run = found if isinstance(found, dict) else {}
    cc, label = run.get("cc", "dcqcn"), run.get("scenario", "testbed")
    return FILE._replace(name=os.path.basename(path)[:-len(".json")], file=path, program=label if isinstance(label, str) else "",
                         algorithms=[cc] if isinstance(cc, str) and cc else ["dcqcn"])


def add_arguments(parser: Parser) -> None:
    scenarios = parser.add_subparsers(dest="scenario", metavar="SCENARIO", required=True, parser_class=Parser, action=ScenarioOrFile)
    for scenario in [*SCENARIOS.values(), TRACE, FILE]:
        leaf = scenarios.add_parser(
            scenario.name, help=scenario.title, description=scenario.about,
            epilog="values carry units: rates 40Gbps 500Mbps, times 1us 0.4s, sizes 5KB 9MB 1000 (decimal, bytes)\n\n"
            + examples(scenario.examples))
        leaf.set_defaults(leaf=leaf)
        leaf.later(functools.partial(add_options, leaf, scenario))


def add_options(leaf: Parser, scenario: Scenario) -> None:
    if scenario is TRACE:
        from . import training
        training.add_arguments(leaf)
    add_scenario(leaf, scenario)
    ranks.add_argument(leaf, scenario.name)
    add_output(leaf)
    leaf.add_argument("--print", action="store_true", help="print the first algorithm's experiment as a file, and simulate nothing "
                      "(lab/doc/testbed.md)")


def command(args) -> int:
    if args.scenario == TRACE.name:
        return of_trace(args)
    return simulate(of_file(args.file) if args.scenario == FILE.name else SCENARIOS[args.scenario], args)


COMMAND = Command(
    description="Run a scenario under one or more algorithms and show them side by side.",
    examples=SCENARIOS["incast"].examples[:3] +
        [("./rcc run incast --help-all", "all options of a scenario")],
    add_arguments=add_arguments,
    run=command)
