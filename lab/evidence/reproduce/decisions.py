# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc decisions`: every open decision of DCQCN+ flipped, one at a time: what it does to queue, rate and fairness."""
from __future__ import annotations

import json
import os
import statistics
import tempfile

from evidence.published.decisions import FLIPS, Flip

from command import below, units
from command.reference import algorithms
from command.system import build, packages
from command.common import EXIT_FAILED, EXIT_INTERRUPTED, RccError, align, counted, get, say, si_bytes, si_time
from command.experiment.algorithms import SEARCHED
from command.run import simulation, specs
from command.run.processes import Job, Runner
from command.registry import Command

COLUMNS = [("mean queue", "queue.mean_bytes", si_bytes), ("p99", "queue.p99_bytes", si_bytes),
           ("utilisation", "utilization", lambda v: f"{v:.3f}"), ("Jain", "jain", lambda v: f"{v:.2f}"),
           ("drained after", "drain_s", si_time)]
MOST_SEEDS = 100


def add_arguments(parser) -> None:
    parser.add_argument("--flows", metavar="LIST", default="480,2000", help="numbers of flows (default: 480,2000)")
    parser.add_argument("--rate", metavar="RATE", default="40Gbps", help="rate of every link (default: 40Gbps)")
    parser.add_argument("--preset", metavar="NAME", default="paper", help="preset of dcqcn-plus with +PARAMETER=VALUE... in which the "
                        "decisions are flipped: what it has flipped goes back (default: paper)")
    parser.add_argument("--time", metavar="TIME", default="1s", help="simulated time; averages over its second half")
    parser.add_argument("--seeds", metavar="N", default="1", help="seeds 1..N, of which the means are shown (default: 1)")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--markdown", action="store_true", help="print the table as it stands in lab/evidence/doc/decisions.md")


def parse(preset: str) -> tuple:
    """Return the name and the parameters of PRESET+PARAMETER=VALUE..."""
    spec = specs.parse(f"dcqcn-plus:{preset}")
    return spec.preset, dict(text.split("=", 1) for text in spec.settings)


def flips(preset: str) -> list:
    """The decisions flipped one at a time in a preset. What the preset has flipped already goes back to the default."""
    known = next(one for one in algorithms.read()["algorithms"] if one["name"] == "dcqcn-plus")
    presets = {one["name"]: one["values"] for one in known["presets"]}
    name, settings = parse(preset)
    if name not in presets:
        raise RccError(f"--preset={preset}: expected one of {', '.join(presets)}" +
                       (f", or paper+{SEARCHED['dcqcn-plus'][name]}" if name in SEARCHED["dcqcn-plus"] else ""))
    changed = {**presets[name], **settings}
    default = {field["name"]: field["default"] for field in known["fields"]}
    found = []
    for flip in FLIPS:
        name, _, value = flip.settings.partition("=")
        back = f"{name}={default.get(name)}"
        found.append(Flip(flip.name, "back to the default", back) if changed.get(name) == value and value else flip)
    return found


def first_below(folder: str, kmax: float, last_start: float):
    """Seconds from the last start until the queue, as a mean over a row of the series, is first below Kmax."""
    with open(os.path.join(folder, "queue.csv"), encoding="utf-8") as f:
        next(f)
        for line in f:
            t, mean, _ = line.split(",")
            if float(t) > last_start and float(mean) < kmax:
                return float(t) - last_start
    return None


def last_start(folder: str) -> float:
    with open(os.path.join(folder, "flows.csv"), encoding="utf-8") as f:
        next(f)
        return max(float(line.split(",")[3]) for line in f)


def measure(folder: str) -> dict:
    run = below.read_json(folder, "run.json")
    values = {path: get(run, path) for _, path, _ in COLUMNS}
    values["drain_s"] = first_below(folder, run["kmax_bytes"], last_start(folder))
    return values


def mean_of(many: list) -> dict:
    return {path: statistics.fmean(m[path] for m in many) if all(m[path] is not None for m in many) else None
            for _, path, _ in COLUMNS}


def shown(values: dict) -> list:
    return ["never" if path == "drain_s" and values[path] is None else form(values[path]) for _, path, form in COLUMNS]


def command(args) -> int:
    flows = units.counts(args.flows, "--flows")
    seeds = int(units.parse("count", args.seeds, "--seeds"))
    if not 1 <= seeds <= MOST_SEEDS:
        raise RccError(f"--seeds={args.seeds}: expected 1 to {MOST_SEEDS}")
    tried, (preset, base) = flips(args.preset), parse(args.preset)
    program = build.program(simulation.PROGRAM, packages.BENCH)
    with tempfile.TemporaryDirectory(prefix="rcc-decisions-") as folder:
        jobs, places = [], {}
        for index, flip in enumerate(tried):
            for n in flows:
                for seed in range(1, seeds + 1):
                    name = f"{index}-{n}-{seed}"
                    places[index, n, seed] = os.path.join(folder, name)
                    own = {**base, **dict(s.split("=", 1) for s in flip.settings.split(",") if s)}
                    settings = ",".join(f"dcqcn-plus.{parameter}={value}" for parameter, value in own.items())
                    words = ["--cc=dcqcn-plus", f"--preset={preset}", f"--flows={n}", f"--rate={args.rate}", f"--time={args.time}",
                             f"--seed={seed}", f"--out={places[index, n, seed]}"] + ([f"--set={settings}"] if settings else [])
                    run = simulation.of_scenario("incast", words)
                    run.write(f"{places[index, n, seed]}.run")
                    jobs.append(Job(f"{flip.settings or 'as decided'}, {counted(n, 'flow')}, seed {seed}",
                                    [program, *run.words(f"{places[index, n, seed]}.run")]))
        say(counted(len(jobs), 'simulation'))
        if Runner(jobs).run():
            return EXIT_INTERRUPTED
        for job in jobs:
            if job.status:
                errors = [line for line in job.errors if line.startswith("rcc: error: ")]
                raise RccError(errors[0][len("rcc: error: "):] if errors else f"{job.name}: status {job.status}",
                               job.status if job.status == 2 else EXIT_FAILED)
        table = [(flip, {n: mean_of([measure(places[i, n, s]) for s in range(1, seeds + 1)]) for n in flows})
                 for i, flip in enumerate(tried)]
    if args.json:
        print(json.dumps([{"decision": f.name, "what": f.what, "settings": f.settings, "flows": rows} for f, rows in table],
                         indent=1))
        return 0
    for n in flows:
        head = ["decision", "flipped to", "parameter"] + [c[0] for c in COLUMNS]
        body = [[f.name, f.what, f.settings] + shown(rows[n]) for f, rows in table]
        if args.markdown:
            lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
            lines += ["| " + " | ".join([b[0], b[1], f"`{b[2]}`" if b[2] else ""] + b[3:]) + " |" for b in body]
        else:
            lines = align([head] + body, left=3).splitlines()
        print(f"\n{counted(n, 'flow')} at {args.rate}:\n\n" + "\n".join(lines))
    return 0


COMMAND = Command(
    description="Flip every decision that the DCQCN+ paper leaves open, one at a time, in the incast of 8 senders:\n"
        "mean queue, p99, utilisation, Jain's index, and the time from the last start until the queue is below Kmax.",
    examples=[("./rcc decisions", "480 and 2000 flows at 40 Gb/s, a few minutes"),
        ("./rcc decisions --flows=2000 --rate=10Gbps --seeds=3 --markdown", "as a table for a document"),
        ("./rcc decisions --preset=paper+pmax=0.01+idle_wake=in-turn --seeds=2 --markdown", "flipped in another reading")],
    add_arguments=add_arguments,
    run=command)
