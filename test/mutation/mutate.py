#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Mutation score of the core: how many small faults in core/ do the libcheck tests notice?

Makes every mutant of core/*/*.c, of the inline functions in core/*/*.h and of their macros (one operator, constant,
condition, branch or statement changed), compiles it, and runs the suites that execute the mutated function until one
fails. A mutant that no suite notices has survived: a test is missing, or the mutant is equivalent. Equivalent mutants
stand in equivalent.txt with the reason; those that the optimising compiler turns into the same code are found.

    score = killed / (killed + survived)

    test/mutation/mutate.py                              all of core/, takes long
    test/mutation/mutate.py --file 'core/cc/qcn*'        some files
    test/mutation/mutate.py --sample 150 --min-score 95  a quick check, the same mutants each time
    test/mutation/mutate.py --results r.jsonl            go on where the last run with this file stopped

Status: 0, or 1 if the score is below --min-score, 2 for a mistake in the arguments or a core that does not build.
"""
import argparse
import fnmatch
import hashlib
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, TextIO, Tuple

from builder import BuildError, Builder, Worker
from operators import Mutant, mutants_of

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EQUIVALENT = os.path.join(HERE, "equivalent.txt")
FINAL = ("killed", "invalid", "same-code")  # a survivor is tried again: tests get better


class UsageError(Exception):
    """A mistake in the arguments or in a file that they name."""


def read_equivalents(path: str) -> Dict[str, str]:
    """Mutant key -> reason. A line that starts with '=' is the reason of the mutants below it."""
    known: Dict[str, str] = {}
    reason = ""
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if line.startswith("="):
                reason = line[1:].strip()
            elif line and not line.startswith("#"):
                if line.count(" | ") < 3 or not reason:
                    raise UsageError(f"{path}:{number}: found '{line[:60]}', expected 'file | function | line | mutation' "
                                     "below a line '= reason'")
                known[line] = reason
    return known


def read_results(path: str) -> Dict[str, Tuple[str, str]]:
    """Mutant key -> (status, suite) of an earlier run that need not be repeated."""
    done: Dict[str, Tuple[str, str]] = {}
    if not os.path.exists(path):
        return done
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            try:
                entry = json.loads(line)
                key, outcome = entry["mutant"], (entry["status"], entry["suite"])
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{path}:{number}: found no result, expected one JSON object per line") from None
            if outcome[0] in FINAL:
                done[key] = outcome
            else:
                done.pop(key, None)
    return done


def parse(argv: List[str]) -> argparse.Namespace:
    """The command line."""
    text = (__doc__ or "").split("\n\n", 1)
    parser = argparse.ArgumentParser(prog="mutate.py", description=text[0], epilog=text[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", metavar="GLOB", action="append", default=[],
                        help="only files that match, as in 'core/cc/*'; may be given again (default: all)")
    parser.add_argument("--match", metavar="TEXT", help="only mutants whose name contains TEXT")
    parser.add_argument("--sample", metavar="N", type=int, help="only N mutants, chosen by --seed")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the sample (default: %(default)s)")
    parser.add_argument("--min-score", metavar="PERCENT", type=float, default=0.0,
                        help="status 1 if the score is below (default: %(default)g)")
    parser.add_argument("--results", metavar="FILE", help="append each result to FILE, skip what FILE says was killed")
    parser.add_argument("--thorough", action="store_true", help="try survivors again with all rounds of every test")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="mutants at a time (default: %(default)s)")
    parser.add_argument("--build-dir", metavar="DIR", default=os.path.join(tempfile.gettempdir(), "rcc-mutation"),
                        help="for objects; made anew when a source changes (default: %(default)s)")
    parser.add_argument("--tests", metavar="DIR", default="",
                        help="take the objects of the tests from DIR, as cmake puts them into BUILD/CMakeFiles/core-tests.dir (default: "
                             "compile them)")
    parser.add_argument("--list", action="store_true", help="print the mutants and do nothing")
    args = parser.parse_args(argv)
    for name, least in (("sample", 1), ("jobs", 1)):
        value = getattr(args, name)
        if value is not None and value < least:
            raise UsageError(f"--{name}: found {value}, expected at least {least}")
    if not 0 <= args.min_score <= 100:
        raise UsageError(f"--min-score: found {args.min_score:g}, expected 0 to 100")
    return args


def choose(args: argparse.Namespace, sources: Dict[str, str], equivalents: Dict[str, str]) -> List[Mutant]:
    """The mutants that the arguments ask for, in the order of the files."""
    every = [m for path, text in sources.items() for m in mutants_of(path, text)]
    stale = sorted({key for key in equivalents if key.split(" | ")[0] in sources} - {m.key for m in every})
    if stale:
        raise UsageError(f"{EQUIVALENT}: found {len(stale)} that are no mutants, expected lines of --list: {stale[0]}")
    mutants = [m for m in every if args.match is None or args.match in m.key]
    if args.sample is not None:
        # by a hash of each name: a change of one file, or of equivalent.txt, leaves the rest of the sample as it was
        candidates = [m.key for m in mutants if m.key not in equivalents]
        candidates.sort(key=lambda key: hashlib.sha256(f"{args.seed} {key}".encode()).digest())
        picked = set(candidates[:args.sample])
        mutants = [m for m in mutants if m.key in picked]
    return mutants


def run_all(args: argparse.Namespace, builder: Builder, todo: List[Mutant], sources: Dict[str, str],
            log: TextIO) -> Dict[str, Tuple[str, str]]:
    """Judge each mutant. Mutant key -> (status, suite)."""
    results: Dict[str, Tuple[str, str]] = {}
    lock, local, started = threading.Lock(), threading.local(), Counter()

    def one(mutant: Mutant) -> None:
        if not hasattr(local, "worker"):
            with lock:
                started["workers"] += 1
                number = started["workers"]
            local.worker = Worker(builder, number)
        outcome = local.worker.judge(mutant, sources[mutant.path], args.thorough)
        with lock:
            results[mutant.key] = outcome
            log.write(json.dumps({"mutant": mutant.key, "status": outcome[0], "suite": outcome[1]}) + "\n")
            log.flush()
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(results)} of {len(todo)} mutants")

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, todo))
    return results


def percent(killed: int, survived: int) -> float:
    """The score; 100 where nothing was tried."""
    return 100.0 * killed / (killed + survived) if killed + survived else 100.0


def report(mutants: List[Mutant], outcomes: Dict[str, Tuple[str, str]]) -> float:
    """Print survivors and the table of scores. The score of all."""
    counts: Dict[str, Counter] = {}
    for mutant in mutants:
        status = outcomes[mutant.key][0]
        if status == "survived":
            print(f"survived, line {mutant.line}: {mutant.key}")
        for row in (mutant.path, os.path.dirname(mutant.path), "all"):
            counts.setdefault(row, Counter())[status] += 1
    print(f"{'':34}{'killed':>8}{'survived':>10}{'equivalent':>12}{'invalid':>9}{'score':>9}")
    order = sorted(row for row in counts if row != "all")
    for row in order + ["all"] * ("all" in counts):
        c = counts[row]
        score = percent(c["killed"], c["survived"])
        same = c["equivalent"] + c["same-code"]
        print(f"{row:34}{c['killed']:8}{c['survived']:10}{same:12}{c['invalid']:9}{score:7.1f} %")
    total = counts.get("all", Counter())
    return percent(total["killed"], total["survived"])


def main(argv: List[str]) -> int:
    """Run as the arguments say; the status."""
    args = parse(argv)
    builder = Builder(ROOT, os.path.abspath(args.build_dir), args.tests)
    absent = [path for path in builder.tests if args.tests and not os.path.isfile(os.path.join(args.tests, path + ".o"))]
    if absent:
        raise UsageError(f"--tests: found no {os.path.join(args.tests, absent[0])}.o, expected the objects of every test")
    chosen = [p for p in builder.sources + builder.headers if p.endswith((".c", ".h")) and
              (not args.file or any(fnmatch.fnmatch(p, pattern) for pattern in args.file))]
    if not chosen:
        raise UsageError(f"--file: found no file of core/ for '{' '.join(args.file)}', expected one as in 'core/cc/*'")
    sources = {}
    for path in sorted(chosen):
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            sources[path] = f.read()
    equivalents = read_equivalents(EQUIVALENT)
    mutants = choose(args, sources, equivalents)
    if args.list:
        for mutant in mutants:
            print(f"{mutant.key}{' (equivalent)' if mutant.key in equivalents else ''}")
        return 0
    outcomes = {m.key: ("equivalent", "") for m in mutants if m.key in equivalents}
    done = read_results(args.results) if args.results else {}
    outcomes.update({m.key: done[m.key] for m in mutants if m.key in done and m.key not in outcomes})
    todo = [m for m in mutants if m.key not in outcomes]
    builder.prepare()
    with open(args.results or os.devnull, "a", encoding="utf-8") as log:
        found = run_all(args, builder, todo, sources, log)
    builder.remember(found)
    outcomes.update(found)
    score = report(mutants, outcomes)
    if score < args.min_score:
        print(f"mutation score {score:.1f} %, expected at least {args.min_score:g} %")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (UsageError, BuildError) as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
