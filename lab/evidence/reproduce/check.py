# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc check`: the checks of a switch's test plan by name, with their verdicts."""
from __future__ import annotations

import os

from evidence.published.sets import FIGURES
from evidence.published.figure import Data

from . import reproduce
from command import lock, owned
from command.results.read import results, series
from command.common import EXIT_FAILED, EXIT_INTERRUPTED, RccError, nearest, say, terminal_width, wrapped
from command.registry import Command

PLANS = {"sonic": "sonic-plan"}   # name: figure


def select(plan: str, names: list) -> tuple:
    """The plan's figure, and its rows of these names, all without any; a check's name is its row's without the plan's."""
    figure = next(f for f in FIGURES if f.id == PLANS[plan])
    rows = {row.id[len(plan) + 1:]: row for row in figure.rows}
    wanted = [name.lower() for name in names]
    for name in wanted:
        if name not in rows:
            raise RccError(f"unknown check {name!r}{nearest(name, list(rows))}; expected one of {', '.join(rows)}")
    return figure, [row for name, row in rows.items() if not wanted or name in wanted]


def command(args) -> int:
    figure, rows = select(args.plan, args.checks)
    if args.list:
        print(reproduce.listing([(figure, rows)], False))
        return 0
    with lock.locked(args.out):
        runs = os.path.join(args.out, "runs")
        results.refuse_others(args.out, ["published.json"], "./rcc check")
        results.refuse_foreign(args.out, reproduce.CHECKS, reproduce.FILES, "./rcc check", mark="plan")
        reproduce.prepare_runs(args.out, "./rcc check")
        listed = owned.listed(args.out, "./rcc check", lambda path: path == reproduce.CHECKS)
        owned.claim(args.out, [reproduce.CHECKS], {reproduce.CHECKS} if listed is None else listed, "./rcc check")
        interrupted, failures, _ = reproduce.simulate(runs, [(figure, rows)], False, args.resume)
        found = [reproduce.judge(figure, row, Data(figure, runs, series.read), failures) for row in rows]
        results.write_json(args.out, reproduce.CHECKS, {"plan": args.plan, "partial": interrupted, "checks": found})
    for entry in found:
        verdict = "PASS" if entry["inside"] else "FAIL"
        print(wrapped(f"{verdict}  {entry['id'][len(args.plan) + 1:]}: {entry['claim']}", terminal_width(reproduce.WIDTH)))
        print(wrapped(f"      {entry['measured']}", terminal_width(reproduce.WIDTH)))
    passed = sum(entry["inside"] for entry in found)
    print(f"{passed} of {len(found)} checks pass")
    if interrupted:
        say("interrupted: --resume goes on from here")
        return EXIT_INTERRUPTED
    return 0 if passed == len(found) else EXIT_FAILED


def add_arguments(parser) -> None:
    parser.add_argument("plan", choices=sorted(PLANS), help="test plan: SONiC's RoCEv2 plan (lab/evidence/doc/reality.md)")
    parser.add_argument("checks", nargs="*", default=[], metavar="TC", help="checks such as tc1 (default: all)")
    parser.add_argument("--list", action="store_true", help="list the checks, a line each, and exit")
    parser.add_argument("--resume", action="store_true", help="keep the runs that the same programs have made there")
    parser.add_argument("--out", metavar="DIR", default=os.path.join("out", "check"), help="folder for the results (default: out/check)")


COMMAND = Command(
    description="Simulate the steps of a switch's test plan and say of each check whether its criteria hold.\n"
        "Writes checks.json. Exit status 1 if a check fails.",
    examples=[("./rcc check sonic --list", "the checks of SONiC's RoCEv2 plan"),
        ("./rcc check sonic tc1 tc5", "two of them"),
        ("./rcc check sonic", "all of them: some minutes")],
    add_arguments=add_arguments,
    run=command)
