# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A copy of the repository with one file and one line more has the algorithm everywhere, and only what depends on the file and
the line is built again."""
from __future__ import annotations

import json
import os
import re
import shutil
import sys

from command.common import build_dir, digits, get, si_bytes

from .copies import Copy, copied
from .outcome import Outcome

EXAMPLE = os.path.join("examples", "own-algorithm")
NAME = "dctcp_rate"
CC = NAME.replace("_", "-")
ROLES = {"RCC_CP": "cp", "RCC_NP": "np", "RCC_RP": "rp"}
RUN = ["--flows=16", "--ack-every=1", "--time=20ms", "--start=1ms", "--no-plots"]
SUITE = "conformance"


def fields_of(path: str) -> list:
    """(name, role) of each line of the F(...) list, read from the C file itself."""
    with open(path, encoding="utf-8") as f:
        return re.findall(r"^ {4}F\((\w+), (RCC_[CNR]P),", f.read(), re.MULTILINE)


def stage(outcome: Outcome) -> None:
    with copied(["rcc-catalog", "rcc-run", "core-tests"]) as copy:
        # the file and the line
        shutil.copy(copy.path(EXAMPLE, NAME + ".c"), copy.path("core", "cc"))  # new, as a user's: an object of an earlier run is older
        with open(copy.path("core", "cc", "algorithms.def"), "a", encoding="utf-8") as f:
            f.write(f"RCC_ALGORITHM({NAME})\n")
        if check_build(outcome, copy):
            check_catalog(outcome, copy)
            check_attributes(outcome, copy)
            check_runs(outcome, copy)
            check_conformance(outcome, copy)
            status, out, err = copy.run(sys.executable, os.path.join("lab", "test", "command", "test_docs.py"))
            outcome.check(status == 0, f"test_docs in the copy: status {status}", out + err)


def check_build(outcome, copy: Copy) -> bool:
    """Building is a part of every command, so the first one is the test."""
    status, out, err = copy.rcc("algorithms")
    log = ""
    if os.path.exists(copy.path("build", "log.txt")):
        with open(copy.path("build", "log.txt"), encoding="utf-8", errors="replace") as f:
            log = f.read()
    outcome.check(status == 0 and f"\n{CC} " in out, f"./rcc algorithms lists {CC}: status {status}", out + err)
    if status:
        return False
    built = re.findall(r"Building C(?:XX)? object \S*?/((?:core/cc|model/\w+|helper|tools)/[\w.-]+)\.o", log)
    outcome.check({f"core/cc/{NAME}.c", "core/cc/registry.c", "model/port/rcc-algorithm.cc"} <= set(built),
                  "the build made anew what the file and the line change", log)
    # a file that knows an algorithm by name would be one more to edit; one that reads the list would be compiled for every line of it
    others = set(built) - {f"core/cc/{NAME}.c", "core/cc/registry.c", "model/port/rcc-algorithm.cc"}
    outcome.check(not others, "the line concerns one C file and one C++ file", " ".join(sorted(others)))
    outcome.note(f"{len(built)} files rebuilt")
    return True


def check_catalog(outcome, copy: Copy) -> None:
    status, out, err = copy.rcc("algorithms", CC, "--json")
    try:
        found = json.loads(out)["algorithms"][0]
    except (ValueError, KeyError, IndexError):
        outcome.check(False, f"./rcc algorithms {CC} --json: status {status}", out + err)
        return
    wanted = [(name, ROLES[role]) for name, role in fields_of(copy.path("core", "cc", NAME + ".c"))]
    have = [(f["name"], f["role"]) for f in found["fields"]]
    outcome.check(len(wanted) > 1 and have == wanted, "the catalog has the parameters of the file", f"{have}, not {wanted}")


def check_attributes(outcome, copy: Copy) -> None:
    type_id = "ns3::Rcc" + "".join(word.capitalize() for word in NAME.split("_"))
    status, _, err = copy.run("cmake", "--build", "build", "--target", "rcc-run", "core-tests")
    outcome.check(status == 0, "rcc-run and core-tests build", err)
    _, out, _ = copy.run(copy.path("build", "rcc-catalog"), "--attributes")
    try:
        have = {a["name"] for one in json.loads(out) if one["type"] == type_id for a in one["attributes"]}
    except (ValueError, KeyError):
        have = set()
    wanted = {"".join(word.capitalize() for word in name.split("_"))
              for name, _ in fields_of(copy.path("core", "cc", NAME + ".c"))}
    outcome.check(have == wanted, f"attributes of {type_id}", out)


def check_runs(outcome, copy: Copy) -> None:
    """Check the algorithm in runs: the queue has a limit, and the threshold K moves it."""
    runs = {}
    for out, words in (("a", [f"--cc={CC},none"]), ("b", [f"--cc={CC}", f"--set={CC}.kmax=400KB"])):
        status, text, err = copy.rcc("run", "incast", *words, *RUN, f"--out={copy.path('out', out)}")
        if status:
            outcome.check(False, f"./rcc run incast {words[0]}: status {status}", text + err)
            return
        with open(copy.path("out", out, "summary.json"), encoding="utf-8") as f:
            for run in json.load(f)["runs"]:
                runs[out, run["cc"]] = run
    own, none, deep = runs["a", CC], runs["a", "none"], runs["b", CC]
    queue = {key: get(run, "queue.mean_bytes") for key, run in (("own", own), ("none", none), ("deep", deep))}
    shown = ", ".join(f"{key} {si_bytes(value)}" for key, value in queue.items())
    outcome.check(queue["own"] < queue["none"] / 10, "it keeps the queue below a tenth of that of no control", shown)
    outcome.check(queue["deep"] > 2 * queue["own"], "four times the threshold K, more than twice the queue", shown)
    use = get(own, "utilization")
    outcome.check(use > 0.85 and get(own, "jain") > 0.95, "it fills the link and shares it",
                  f"utilisation {digits(use)}, Jain {digits(get(own, 'jain'))}")
    outcome.note(f"mean queue at K = 100 KB {si_bytes(queue['own'])}, K = 400 KB {si_bytes(queue['deep'])}, "
                 f"no control {si_bytes(queue['none'])}; utilisation {digits(use)}")


def check_conformance(outcome, copy: Copy) -> None:
    """The suite goes through the registry: it must have grown by one round, and hold."""
    counts = []
    for program in (os.path.join(build_dir(), "core-tests"), copy.path("build", "core-tests")):
        if not os.access(program, os.X_OK):
            outcome.check(False, f"{program} is missing (libcheck)")
            return
        status, out, err = copy.run(program, CK_RUN_SUITE=SUITE, CK_DEFAULT_TIMEOUT="120")
        found = re.search(r"Checks: (\d+), Failures: 0, Errors: 0", out)
        outcome.check(status == 0 and found is not None, f"conformance suite of {program}: status {status}", out + err)
        counts.append(int(found.group(1)) if found else 0)
    with open(copy.path("core", "cc", "algorithms.def"), encoding="utf-8") as f:
        algorithms = len(re.findall(r"^RCC_ALGORITHM\(", f.read(), re.MULTILINE))
    outcome.check(counts[1] * (algorithms - 1) == counts[0] * algorithms > 0,
                  f"every check of the conformance suite ran for {CC} too", f"checks without and with it: {counts}")
