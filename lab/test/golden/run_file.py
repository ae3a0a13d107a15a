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

import more_cases

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
BUILD = os.environ.get("RCC_BUILD_DIR", os.path.join(ROOT, "build"))
GOLDEN = os.path.join(ROOT, "lab", "test", "golden", "golden.py")
WORDS = {"wall_s", "peak_rss_bytes", "preset", "attributes", "answer", "warnings", "notes", "inputs"}  # of run.json
OF_TRACE = {"files", "step"}  # of run.json, which the command adds to the run of a trace
SERIES_OF_TRACE = ("ranks.csv", "collectives.csv")  # which it makes of them
ADDED = {"folder", "label", "halves"}  # keys that the command adds to some
OF_COMMAND = ("summary.json", "table.csv", "wide.csv", "machine.json", "experiment.json", "run.json")


def program(name):
    """Return the path of a program, which is built."""
    return os.path.join(BUILD, name)


def read_numbers(path):
    """Read what a run.json says but for words."""
    with open(path, encoding="utf-8") as f:
        result = json.load(f)
    return {key: value for key, value in result.items() if key not in WORDS}


def same(old, new):
    """Compare two values; an old object may have keys that the command has added."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in old and same(old[key], new[key]) for key in new)
    return json.dumps(old) == json.dumps(new)


def run(command, folder, environment=None):
    """Run a program. Return what went wrong."""
    done = subprocess.run(command, cwd=folder, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return [f"{folder}: {' '.join(command)}: status {done.returncode}: {done.stdout}"] if done.returncode else []


def compare_run(direct, again, command, folder, environment=None):
    """Write the run file of a command, run it, and compare with what the command itself has written to `direct`. Return what differs."""
    run_file = os.path.join(again, "run.txt")
    troubles = run([*command, f"--write-run={run_file}", f"--out={again}"], folder)
    troubles = troubles or run([program("rcc-run"), run_file, f"--out={again}"], folder, environment)
    if troubles:
        return troubles
    old, new = read_numbers(os.path.join(direct, "run.json")), read_numbers(os.path.join(again, "run.json"))
    of_command = OF_COMMAND + (SERIES_OF_TRACE if "step" in old else ())
    files = [file for file in sorted(os.listdir(direct)) if file.endswith((".csv", ".pcap", ".txt", ".tr")) and file not in of_command]
    alike, other, missing = filecmp.cmpfiles(direct, again, files, shallow=False)
    if len(alike) < 3:
        missing = missing + ["three files or more"]
    found = [f"{direct}/{file} differs" for file in other] + [f"{direct}: rcc-run has no {file}" for file in missing]
    keys = sorted(key for key in old.keys() | new.keys() if not same(old.get(key), new.get(key)))
    keys = [key for key in keys if key not in ADDED | OF_TRACE or key in new]
    if keys:
        found.append(f"{direct}/run.json differs: {', '.join(keys)}")
    return found


def compare_files(kept, scratch):
    """Compare the runs of the files of ns3-rdma and HPCC. Return how many there are and what differs."""
    troubles = []
    cases = [("original.txt", cc, []) for cc in ("dcqcn", "dcqcn-plus", "qcn")]
    cases += [("hpcc.txt", cc, ["--pcap"]) for cc in ("dcqcn", "timely")]
    for config, cc, more in cases:
        direct, again = (os.path.join(scratch, f"{config}-{cc}-{kind}") for kind in ("direct", "again"))
        os.makedirs(again)
        command = [program("ns3-rdma"), f"--config={config}", f"--cc={cc}", *more]
        folder = os.path.join(os.path.abspath(kept), "files")
        troubles += run([*command, f"--out={direct}"], folder) or compare_run(direct, again, command, folder)
    return len(cases), troubles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", metavar="DIR", help="outputs that golden.py --keep=DIR has left; else they are made")
    args = parser.parse_args()
    subprocess.run(["cmake", "--build", BUILD, "--target", "rcc-run", "ns3-rdma", "experiment"], stdout=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as scratch:
        kept = args.kept or os.path.join(scratch, "kept")
        if not args.kept and subprocess.run([sys.executable, GOLDEN, f"--keep={kept}"], check=False).returncode:
            return 1
        folders = sorted(base for base, _, names in os.walk(kept) if {"experiment.json", "run.json"} <= set(names))
        troubles = [] if folders else ["no run"]
        for number, folder in enumerate(folders):
            again = os.path.join(scratch, str(number))
            os.makedirs(again)
            direct = os.path.abspath(folder)
            case = more_cases.CASES.get(os.path.relpath(folder, kept).split(os.sep)[0])
            troubles += compare_run(direct, again, [program("experiment"), "experiment.json"], direct, case and case.environment)
        of_files, more = compare_files(kept, scratch)
        troubles += more
    for trouble in troubles:
        print(f"FAIL {trouble}")
    print(f"run files: {len(folders) + of_files} runs, {len(troubles)} differences")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
