# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc fuzz`: fuzz targets for a given time; the corpus is kept, so that the next run goes on."""
from __future__ import annotations

import csv
import os
import sys
import threading
import time

from ..common import EXIT_FAILED, ROOT, RccError, align, cannot_write, say
from ..registry import Command
from .build import JOBS
from .pool import Pool

OUT = os.path.join("out", "fuzz")
RECORD = "runs.csv"
COLUMNS = ("target", "cpu_s", "executions", "edges", "status")


def add_arguments(parser) -> None:
    parser.add_argument("targets", metavar="TARGET", nargs="*", help="what to fuzz (default: all; --list)")
    parser.add_argument("--minutes", metavar="N", default="1", help="for each target (default: 1)")
    parser.add_argument("--out", metavar="DIR", default=OUT, help=f"folder of the corpora (default: {OUT})")
    parser.add_argument("--list", action="store_true", help="list the targets and exit")


def minutes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 10000:
        raise RccError(f"--minutes={text}: expected a number above 0, at most 10000")
    return value


def refuse_foreign(folder: str) -> None:
    """Raise RccError for a record that is not from this command: lines would be added to it. Raises OSError."""
    path, begin = os.path.join(folder, RECORD), ",".join(COLUMNS).encode() + b"\n"
    if os.path.lexists(path):
        own = os.path.isfile(path) and not os.path.islink(path)
        if own:
            with open(path, "rb") as f:
                own = f.read(len(begin)) == begin
        if not own:
            raise RccError(f"--out={folder}: the {RECORD} there is not from ./rcc fuzz; give another folder")


def record(folder: str, name: str, result) -> None:
    """Add a line for a run; later runs and an interrupted command leave it there."""
    path = os.path.join(folder, RECORD)
    new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        if new:
            writer.writerow(COLUMNS)
        writer.writerow([name, f"{result.cpu:.1f}", result.executions, result.edges, result.status])


def command(args) -> int:
    folder = os.path.join(ROOT, "lab", "test", "fuzz")
    if not os.path.isdir(folder):
        raise RccError(f"{folder}: the tests are not there", EXIT_FAILED)
    sys.path.insert(0, folder)
    import targets
    if args.list:
        print("\n".join(targets.names()))
        return 0
    names = targets.choose(args.targets)
    seconds = 60 * minutes(args.minutes)
    if not args.out:
        raise RccError("--out=: a folder's name is missing")
    try:
        os.makedirs(args.out, exist_ok=True)
        refuse_foreign(args.out)
    except OSError as error:
        raise cannot_write(f"--out={args.out}", error) from error
    for name in names:
        targets.build(name)
    writing = threading.Lock()

    def one(name: str):
        corpus = os.path.abspath(os.path.join(args.out, name))
        result = targets.run(name, seconds, corpus, seed=int(time.time()) % 2 ** 31 + 1)
        if pool.ended:
            return result
        with writing:
            record(args.out, name, result)
        say(f"{name}: {result.executions} executions, {result.edges} edges" if not result.status else f"{name}: a finding in {corpus}")
        return result

    with Pool(max(1, JOBS)) as pool:
        results = list(pool.results(one, names))
    print(align([["target", "CPU s", "executions", "edges", ""]] +
                [[name, f"{r.cpu:.0f}", str(r.executions), str(r.edges), "FINDING" if r.status else "ok"]
                 for name, r in zip(names, results)], left=1))
    for name, result in zip(names, results):
        if result.status:
            print(f"\n{name}:\n" + "\n".join(result.output.strip().splitlines()[-40:]))
    return EXIT_FAILED if any(result.status for result in results) else 0


COMMAND = Command(
    description="Fuzz targets: the core and its encoder of frames, the reader of run files, and the readers in Python.\n"
        "What reaches new code is kept in the folder, and the next run goes on from there; its runs.csv has a line for each run\n"
        "of a target.",
    examples=[("./rcc fuzz --minutes=0.1 wire", "the encoder of frames, for 6 seconds"),
        ("./rcc fuzz --minutes=30", "every target, half an hour each"),
        ("./rcc fuzz --list", "the targets")],
    add_arguments=add_arguments,
    run=command)
