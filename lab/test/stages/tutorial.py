# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Every command of lab/doc/tutorial.md, word for word and in order, in a copy of the project."""
from __future__ import annotations

import json
import os
import re

from command.common import ROOT, get
from command.results.judge import settled

from .copies import copied
from .outcome import Outcome
from .own_algorithm import CC, SUITE


def commands_of(text: str) -> list:
    return re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)


def simulates(command: str) -> bool:
    """True for a command whose output has averages of runs."""
    return re.match(r"\./rcc (run|sweep|compare) ", command) is not None


def still_moves(output: str) -> bool:
    """True if a row has the mark of averages that still move, or a line says so."""
    return settled.MARK in output or re.search(r"\bnot\s+settled\b", output) is not None


def stage(outcome: Outcome) -> None:
    """Every command of lab/doc/tutorial.md, word for word and in order. What it clones is the copy."""
    with open(os.path.join(ROOT, "lab", "doc", "tutorial.md"), encoding="utf-8") as f:
        commands = commands_of(f.read())
    with copied(["rcc-catalog", "rcc-run"]) as copy:
        for command in commands:
            if command.startswith("git clone "):
                continue
            # the tests of the core are run as they are by a stage of their own; here the new algorithm has to pass those of algorithms
            status, out, err = copy.run("bash", "-c", command, timeout=1800, CK_RUN_SUITE=SUITE)
            outcome.check(status == 0, f"{command}: status {status}", out + err)
            if simulates(command):
                outcome.check(not still_moves(out), f"{command}: its averages have settled", out)
            if status:
                return
        found = {}
        for folder in ("base", "slow", "own", "gentle", "short"):
            with open(copy.path("out", folder, "summary.json"), encoding="utf-8") as f:
                for run in json.load(f)["runs"]:
                    found[folder, run["cc"]] = (get(run, "queue.mean_bytes"), get(run, "utilization"))
        for less, more, longer in ((("slow", "dcqcn"), ("base", "dcqcn"), False), (("gentle", CC), ("gentle", "gentle"), True),
                                   (("short", "gentle"), ("short", CC), False)):
            a, b = found[less], found[more]
            outcome.check(a[0] < b[0] and (a[1] < b[1]) == longer, f"what the tutorial says of {less[1]} and {more[1]}", f"{a} {b}")
        outcome.check(found["gentle", CC] == found["own", CC] == found["short", CC], f"{CC} does the same in three runs", str(found))
        with open(copy.path("out", "compare", "compare.json"), encoding="utf-8") as f:
            differs = [entry["what"] for entry in json.load(f)["setup"]]
        outcome.check(differs == ["parameter r_ai"], "the comparison says what differs", str(differs))
