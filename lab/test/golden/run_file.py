#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Run every golden run again from a run file, and compare every file with the run from options.

The program of the options writes the run file (--write-run), rcc-run reads and runs it. Every series and capture has the same
bytes, and run.json the same numbers; the words that only options know are left out.
"""
import argparse
import filecmp
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
BUILD = os.environ.get("RCC_BUILD_DIR", os.path.join(ROOT, "build"))
GOLDEN = os.path.join(ROOT, "lab", "test", "golden", "golden.py")
WORDS = {"wall_s", "peak_rss_bytes", "preset", "attributes", "answer", "warnings"}  # of run.json
ADDED = {"folder", "label", "halves"}  # keys that the command adds to some
OF_COMMAND = ("summary.json", "table.csv", "wide.csv", "machine.json", "experiment.json", "run.json")


def program(name):
    return os.path.join(BUILD, name)


def read_numbers(path):
    """Read what a run.json says but for words."""
    with open(path, encoding="utf-8") as f:
        result = json.load(f)
    return {key: json.dumps(value) for key, value in result.items() if key not in WORDS}, len(result["warnings"])


def compare_run(folder, again, name="experiment", words=("experiment.json",)):
    """Run what made a folder from its run file. Return what differs."""
    run_file = os.path.join(again, "run.txt")
    for command in ([program(name), *words, f"--write-run={run_file}", f"--out={again}"],
                    [program("rcc-run"), run_file, f"--out={again}"]):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            return [f"{folder}: {' '.join(command)}: status {done.returncode}: {done.stdout}"]
    files = [file for file in sorted(os.listdir(folder)) if file.endswith((".csv", ".pcap", ".txt", ".tr"))
             and file not in OF_COMMAND]
    same, other, missing = filecmp.cmpfiles(folder, again, files, shallow=False)
    if len(same) < 3:
        missing = missing + ["three files or more"]
    found = [f"{folder}/{file} differs" for file in other] + [f"{folder}: rcc-run has no {file}" for file in missing]
    old, new = read_numbers(os.path.join(folder, "run.json")), read_numbers(os.path.join(again, "run.json"))
    keys = sorted(key for key in old[0].keys() | new[0].keys() if old[0].get(key) != new[0].get(key))
    keys = [key for key in keys if key not in ADDED or key in new[0]]
    if keys or old[1] != new[1]:
        found.append(f"{folder}/run.json differs: {', '.join(keys) or 'warnings'}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", metavar="DIR", help="outputs that golden.py --keep=DIR has left; else they are made")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        kept = args.kept or os.path.join(scratch, "kept")
        if not args.kept and subprocess.run([sys.executable, GOLDEN, f"--keep={kept}"], check=False).returncode:
            return 1
        folders = sorted(base for base, _, names in os.walk(kept) if {"experiment.json", "run.json"} <= set(names))
        troubles = [] if folders else ["no run"]
        for number, folder in enumerate(folders):
            again = os.path.join(scratch, str(number))
            os.makedirs(again)
            troubles += compare_run(os.path.abspath(folder), again)
    for trouble in troubles:
        print(f"FAIL {trouble}")
    print(f"run files: {len(folders)} runs, {len(troubles)} differences")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
