#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Run every golden run again from a run file, and compare every file with the run from options.

The command makes the run file in Python, rcc-run runs it, and the command completes run.json. Every file has the same bytes, and
run.json, the exit status and the lines on stderr are the same but for what depends on the machine.
"""
import argparse
import filecmp
import json
import os
import subprocess
import sys
import tempfile

import more_cases

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))
from command import below  # noqa: E402
from command.run import simulation  # noqa: E402
BUILD = os.environ.get("RCC_BUILD_DIR", os.path.join(ROOT, "build"))
GOLDEN = os.path.join(ROOT, "lab", "test", "golden", "golden.py")
OF_MACHINE = ("wall_s", "peak_rss_bytes")  # of run.json


def program(name):
    """Return the path of a program, which is built."""
    return os.path.join(BUILD, name)


def run(command, folder, environment=None):
    """Run a program. Return its status and the lines on its stderr."""
    done = subprocess.run(command, cwd=folder, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


def compare_run(direct, again, words, folder, environment=None):
    """Make the run file of the words in Python, run it, and compare with what a program of options writes. Return what differs."""
    command = [program(words[0]), *words[1:], f"--out={direct}"]
    run_file = os.path.join(again, "run.txt")
    wanted = run(command, folder, environment)
    here = os.getcwd()
    os.chdir(folder)
    try:
        made = simulation.Simulation(words[0], [*words[1:], f"--out={again}"])
    finally:
        os.chdir(here)
    made.write(run_file)
    status, lines = run([program("rcc-run"), *made.words(run_file)], folder, environment)
    said = [f"rcc: warning: {text}" for text in made.warnings] + made.said(lines)
    made.finish(*os.path.split(again))
    os.unlink(run_file)
    found = [] if (status, said) == wanted else [f"{direct}: status {wanted[0]} and {wanted[1]}, rcc-run has {status} and {said}"]
    names = sorted({*os.listdir(direct), *os.listdir(again)} - {"run.json"})
    _, other, missing = filecmp.cmpfiles(direct, again, names, shallow=False)
    found += [f"{direct}/{name} differs" for name in other] + [f"{direct}: one has no {name}" for name in missing]
    old, new = (list(below.read_json(place, "run.json").items()) for place in (direct, again))
    old, new = ([(key, value) for key, value in one if key not in OF_MACHINE] for one in (old, new))
    if json.dumps(old) != json.dumps(new):
        keys = [a[0] for a, b in zip(old, new) if json.dumps(a) != json.dumps(b)]
        found.append(f"{direct}/run.json differs: {len(old)} and {len(new)} keys, {', '.join(keys)}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", metavar="DIR", help="outputs that golden.py --keep=DIR has left; else they are made")
    args = parser.parse_args()
    subprocess.run(["cmake", "--build", BUILD, "--target", "rcc-run", "experiment"], stdout=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as scratch:
        kept = args.kept or os.path.join(scratch, "kept")
        if not args.kept and subprocess.run([sys.executable, GOLDEN, f"--keep={kept}"], check=False).returncode:
            return 1
        folders = sorted(base for base, _, names in os.walk(kept) if {"experiment.json", "run.json"} <= set(names))
        troubles = [] if folders else ["no run"]
        for number, folder in enumerate(folders):
            direct, again = (os.path.join(scratch, f"{number}-{kind}") for kind in ("direct", "again"))
            os.makedirs(again)
            case = more_cases.CASES.get(os.path.relpath(folder, kept).split(os.sep)[0])
            troubles += compare_run(direct, again, ["experiment", "experiment.json"], os.path.abspath(folder), case and case.environment)
    for trouble in troubles:
        print(f"FAIL {trouble}")
    print(f"run files: {len(folders)} runs, {len(troubles)} differences")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
