#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Simulate the words of one run, with neither figures nor tables:

    lab/test/program.py experiment|ns3-rdma [WORD...]

The words are those of Simulation (lab/command/run/simulation.py). Without --out the numbers of the run go to stdout."""
import json
import os
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
if os.path.join(ROOT, "lab") not in sys.path:
    sys.path.insert(0, os.path.join(ROOT, "lab"))
from command.common import RccError  # noqa: E402
from command.run import ranks, simulation  # noqa: E402

BUILD = os.path.abspath(os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build"))
READS = threading.Lock()   # paths in files and words are relative to the folder in which they are read


def read(name, words, folder):
    """Return the Simulation of the words, as somebody in `folder` means them. Raises RccError."""
    with READS:
        before = os.getcwd()
        os.chdir(folder)
        try:
            return simulation.Simulation(name, list(words))
        finally:
            os.chdir(before)


def write_files(folder, texts):
    """Write files with the texts, by name, into a folder."""
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


def command(build, count, path, words):
    """Return the words that start the program, in `count` ranks."""
    if "--check" in words:
        return [os.path.join(build, "rcc-run"), path, "--check" if count == 1 else f"--check={count}"]
    if count == 1:
        return [os.path.join(build, "rcc-run"), *words]
    return [*ranks.launcher(count, yields=count > (os.cpu_count() or 1)), os.path.join(build, "rcc-run-ranks"), *words]


def run(name, words, folder=".", count=1, build="", env=None, timeout=600):
    """Simulate, and return the finished process as subprocess.run() does.

    Args:
        name: experiment or ns3-rdma, whose options the words are.
        words: --NAME=VALUE of each.
        folder: where the words are read and the program runs.
        count: number of ranks.
        build: folder of the programs, if not that of the tests.
        env: environment of the program.
        timeout: s, of the program.
    """
    try:
        made = read(name, words, folder)
    except RccError as error:
        return subprocess.CompletedProcess(words, error.status, "", f"rcc: error: {error}\n")
    if name == "experiment" and made.given.flag("print"):
        return subprocess.CompletedProcess(words, 0, made.given.file_text(), "")
    with tempfile.TemporaryDirectory(prefix="rcc-program-") as place:
        path = os.path.join(place, "run-file")
        made.write(path)
        its = [*made.words(path), *(["--check"] if made.given.flag("check") else [])]
        done = subprocess.run(command(build or BUILD, count, path, its), cwd=folder, env=env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, errors="replace", check=False)
    lines = [line for line in done.stderr.splitlines() if not line.startswith(f"{simulation.SAYS}file ")]
    said = [*(f"rcc: warning: {text}" for text in made.warnings), *made.translate(lines)]
    if made.given.text("out"):
        made.finish(*os.path.split(os.path.abspath(os.path.join(folder, made.given.text("out")))))
    elif done.stdout:
        done.stdout = json.dumps(made.complete(json.loads(done.stdout))) + "\n"
    return subprocess.CompletedProcess(words, done.returncode, done.stdout, "".join(f"{line}\n" for line in said))


def main():
    done = run(sys.argv[1], sys.argv[2:])
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
