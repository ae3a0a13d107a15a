#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Kill commands at random moments, and look at what they leave:

    python3 lab/test/properties/kills.py BUILD_FOLDER [KILLS [SEED]]

run, ns3-rdma, sweep and reproduce write into one folder each, again and again, with another seed each time, and
are ended by SIGKILL. After each: every JSON file can be read, every CSV file ends with a whole line, a summary is that of one
command (no runs of different seeds), and a folder without a summary says that its command was killed. In the end each command
runs to its end in the same folder, and the results are its own."""
from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable, List, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[0:0] = [os.path.join(ROOT, "lab"), os.path.join(ROOT, "lab", "test", "golden")]

from golden import FILES  # noqa: E402

from command import lock  # noqa: E402


class Target(NamedTuple):
    name: str
    words: Callable[[int], list]     # words of the command, by the number of the attempt
    folder: str


TARGETS = [
    Target("run", lambda n: ["run", "incast", "--cc=dcqcn,qcn", "--flows=8", "--time=20ms", "--start=1ms", f"--seed={n}", "--no-plots",
                             "--out=run"], "run"),
    Target("ns3-rdma", lambda n: ["ns3-rdma", "hpcc.txt", "--cc=dcqcn,none", f"--seed={n}", "--no-plots", "--out=files"], "files"),
    Target("sweep", lambda n: ["sweep", "incast", "--cc=dcqcn", "--flows=2,4,8", "--time=4ms", "--start=100us", "--seed=1,2",
                               "--no-plots", "--out=sweep"], "sweep"),
    Target("reproduce", lambda n: ["reproduce", "dp-pfc", "--no-plots", "--out=reproduce"], "reproduce"),
]


def state_of(folder: str) -> str:
    """Return the state of the lock once a child that had not become its program yet has ended with its parent."""
    end = time.monotonic() + 120
    while "at work" in lock.state(folder) and time.monotonic() < end:
        time.sleep(0.05)
    return lock.state(folder)


def trouble(folder: str) -> List[str]:
    """List the faults of a folder whose command was killed."""
    found = []
    seeds = set()
    if not os.path.isdir(folder):
        return []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".rcc-run-")]   # never read
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as f:
                data = f.read()
            if name.endswith(".json"):
                try:
                    value = json.loads(data)
                except ValueError as error:
                    found.append(f"{path}: {error}")
                    continue
                if name == "summary.json" and place == folder:
                    seeds = {run.get("seed") for run in value.get("runs", [])}
            elif name.endswith(".csv") and not data.endswith(b"\n"):
                found.append(f"{path}: {len(data)} bytes, the last line is not whole")
    if len(seeds) > 1:
        found.append(f"{folder}: runs of seeds {sorted(seeds)} in one summary")
    summary = os.path.exists(os.path.join(folder, "summary.json"))
    if not summary and os.listdir(folder) and "killed" not in state_of(folder):
        marked = any(name.endswith(".json") or name == "points" for name in os.listdir(folder))   # a sweep's points say it
        if not marked:
            found.append(f"{folder}: no summary, and no word of a killed command: {sorted(os.listdir(folder))}")
    return found


def kill_one(target: Target, attempt: int, chance: random.Random, longest: float, environment: dict, where: str) -> bool:
    """Start a command and kill it. Returns whether it was killed before its end."""
    with subprocess.Popen([sys.executable, os.path.join(ROOT, "rcc"), *target.words(attempt)], cwd=where, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as process:
        try:
            process.wait(chance.uniform(0, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def run_whole(target: Target, attempt: int, environment: dict, where: str) -> tuple:
    """Run a command to its end: (seconds, what is wrong)."""
    started = time.monotonic()
    done = subprocess.run([sys.executable, os.path.join(ROOT, "rcc"), *target.words(attempt)], cwd=where, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = [] if done.returncode == 0 else [f"{target.name}: status {done.returncode}: {done.stdout[-2000:]}"]
    found += trouble(os.path.join(where, target.folder))
    path = os.path.join(where, target.folder, "summary.json")
    if f"--seed={attempt}" in target.words(attempt) and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            seeds = {run["seed"] for run in json.load(f)["runs"]}
        found += [] if seeds == {attempt} else [f"{target.name}: seeds {seeds}, expected {attempt}"]
    left = [name for _, folders, _ in os.walk(os.path.join(where, target.folder)) for name in folders
            if name.startswith(".rcc-run-")]
    found += [f"{target.name}: left over: {left}"] if left else []
    return time.monotonic() - started, found


def run(build: str, kills: int, seed: int, names: tuple = ()) -> tuple:
    """(commands that were killed, what is wrong)"""
    chance = random.Random(seed)
    environment = {**os.environ, "RCC_BUILD_DIR": os.path.abspath(build)}
    targets = [target for target in TARGETS if not names or target.name in names]
    found, killed = [], 0
    with tempfile.TemporaryDirectory(prefix="rcc-kills-") as where:
        for name, text in FILES.items():
            with open(os.path.join(where, name), "w", encoding="utf-8") as f:
                f.write(text)
        longest = {}
        for target in targets:
            longest[target.name], wrong = run_whole(target, 1, environment, where)
            found += wrong
        attempt = 1
        while killed < kills and attempt < 5 * kills + 5 and not found:
            attempt += 1
            target = targets[attempt % len(targets)]
            killed += kill_one(target, attempt, chance, longest[target.name], environment, where)
            found += [f"attempt {attempt}: {text}" for text in trouble(os.path.join(where, target.folder))]
        for target in targets:
            found += run_whole(target, attempt + 1, environment, where)[1]
    return killed, found


if __name__ == "__main__":
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    was_killed, wrong_ones = run(sys.argv[1], number, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    print("\n".join(wrong_ones + [f"{was_killed} commands killed, {len(wrong_ones)} folders with something wrong"]))
    sys.exit(1 if wrong_ones else 0)
