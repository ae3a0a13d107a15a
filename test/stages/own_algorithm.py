# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The stages `own-algorithm` and `tutorial` of ./rcc test: a copy of the repository with one file and one line more has the algorithm
everywhere. The copy takes the objects of the release build along; make rebuilds what depends on the file and the line."""
from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Iterator

from cli.system import install
from cli.common import ROOT, build_dir, digits, get, si_bytes

EXAMPLE = os.path.join("examples", "own-algorithm")
NAME = "dctcp_rate"
CC = NAME.replace("_", "-")
ROLES = {"RCC_CP": "cp", "RCC_NP": "np", "RCC_RP": "rp"}
RUN = ["--flows=16", "--ack-every=1", "--time=20ms", "--start=1ms", "--no-plots"]
SUITE = "conformance"


def copy_build(source: str, target: str, old_root: str, new_root: str) -> bool:
    """The state of a make build under other paths; False if there is none that can move. Times stay as they are: they are
    what make goes by."""
    if not os.path.exists(os.path.join(source, "Makefile")):
        return False  # ninja keeps paths in a binary log
    os.makedirs(target)
    for name in ["CMakeCache.txt", "CMakeFiles", "Makefile", "cmake_install.cmake", ".rcc-options.json", "include"]:
        place = os.path.join(source, name)
        if os.path.isdir(place):
            shutil.copytree(place, os.path.join(target, name), symlinks=True)
        elif os.path.exists(place):
            shutil.copy2(place, os.path.join(target, name))
    moves = [(source.encode(), target.encode()), (old_root.encode(), new_root.encode())]
    for folder, _, names in os.walk(target):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):  # a header under the name it has in an ns-3 tree
                link = os.readlink(path).replace(old_root, new_root)
                os.unlink(path)
                os.symlink(link, path)
                continue
            if name.endswith((".o", ".out", ".bin")):
                continue
            with open(path, "rb") as f:
                text = f.read()
            moved = text
            for old, new in moves:
                moved = moved.replace(old, new)
            if moved != text:
                times = os.stat(path)
                with open(path, "wb") as f:
                    f.write(moved)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return True


def fields_of(path: str) -> list:
    """(name, role) of each line of the F(...) list, read from the C file itself."""
    with open(path, encoding="utf-8") as f:
        return re.findall(r"^ {4}F\((\w+), (RCC_[CNR]P),", f.read(), re.MULTILINE)


class Copy:
    """The repository and one algorithm more."""

    def __init__(self, root: str):
        self.root = root
        # no names from outside: the copy must build by itself
        self.environment = {k: v for k, v in os.environ.items() if k != "RCC_BUILD_DIR"}

    def run(self, *words: str, timeout: float = 600, **extra: str) -> tuple:
        """(exit status, stdout, stderr)"""
        try:
            done = subprocess.run(words, cwd=self.root, env={**self.environment, **extra}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                  timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return 124, "", "timed out"
        return done.returncode, done.stdout, done.stderr

    def rcc(self, *words: str) -> tuple:
        return self.run(sys.executable, os.path.join(self.root, "rcc"), *words)

    def path(self, *parts: str) -> str:
        return os.path.join(self.root, *parts)


@contextlib.contextmanager
def copied(outcome, builds) -> Iterator[tuple]:
    """(a Copy, whether it has the objects of the release build)"""
    trouble = builds.wait("", "")
    outcome.check(not trouble, "build release", trouble)
    with tempfile.TemporaryDirectory(prefix="rcc-own-") as folder:
        copy = Copy(os.path.join(os.path.realpath(folder), "rcc"))
        for name in install.files():
            os.makedirs(os.path.dirname(copy.path(name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), copy.path(name))
        yield copy, copy_build(build_dir(), copy.path("build"), ROOT, copy.root)


def stage(outcome, builds) -> None:
    with copied(outcome, builds) as (copy, shared):
        # the file and the line
        shutil.copy2(copy.path(EXAMPLE, NAME + ".c"), copy.path("core", "cc"))
        with open(copy.path("core", "cc", "algorithms.def"), "a", encoding="utf-8") as f:
            f.write(f"RCC_ALGORITHM({NAME})\n")
        if check_build(outcome, copy, shared):
            check_catalog(outcome, copy)
            check_attributes(outcome, copy)
            check_runs(outcome, copy)
            check_conformance(outcome, copy)
            status, out, err = copy.run(sys.executable, os.path.join("test", "cli", "test_docs.py"))
            outcome.check(status == 0, f"test_docs in the copy: status {status}", out + err)


def check_build(outcome, copy: Copy, shared: bool) -> bool:
    """Building is a part of every command, so the first one is the test."""
    status, out, err = copy.rcc("algorithms")
    log = ""
    if os.path.exists(copy.path("build", "log.txt")):
        with open(copy.path("build", "log.txt"), encoding="utf-8", errors="replace") as f:
            log = f.read()
    outcome.check(status == 0 and f"\n{CC} " in out, f"./rcc algorithms lists {CC}: status {status}", out + err)
    if status:
        return False
    built = re.findall(r"Building C(?:XX)? object \S*?/((?:core/cc|model|helper|tools)/[\w.-]+)\.o", log)
    outcome.check({f"core/cc/{NAME}.c", "core/cc/registry.c", "model/rcc-algorithm.cc"} <= set(built),
                  "make rebuilt what the file and the line change", log)
    if shared:  # a C++ file that knows an algorithm by name would be one more to edit
        others = [name for name in built if name.endswith(".cc") and name != "model/rcc-algorithm.cc"]
        outcome.check(not others, "the line concerns one C++ file", " ".join(others))
    outcome.note(f"{len(built)} files rebuilt" + ("" if shared else "; all of them: no objects to share"))
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
    status, _, err = copy.run("cmake", "--build", "build", "--target", "incast", "core-tests")
    outcome.check(status == 0, "incast and core-tests build", err)
    _, out, _ = copy.run(copy.path("build", "incast"), f"--PrintAttributes={type_id}")
    have = set(re.findall(rf"--{type_id}::(\w+)=", out))
    wanted = {"".join(word.capitalize() for word in name.split("_"))
              for name, _ in fields_of(copy.path("core", "cc", NAME + ".c"))}
    outcome.check(have == wanted, f"attributes of {type_id}", out)


def check_runs(outcome, copy: Copy) -> None:
    """Its law at work: no queue without limit, and the threshold K moves the queue."""
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


# ------------------------------------------------------------------------------------------------ the tutorial

def tutorial_commands(text: str) -> list:
    return re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)


def tutorial(outcome, builds) -> None:
    """Every command of doc/tutorial.md, word for word and in order. What it clones is the copy; the stage of ./rcc test that it
    names has to exist, and runs anyway."""
    from . import driver as selftest
    with open(os.path.join(ROOT, "doc", "tutorial.md"), encoding="utf-8") as f:
        commands = tutorial_commands(f.read())
    with copied(outcome, builds) as (copy, _):
        for command in commands:
            if command.startswith("git clone "):
                continue
            if command.startswith("./rcc test --only "):
                outcome.check(bool(selftest.choose([command.split()[-1]])), command)
                continue
            status, out, err = copy.run("bash", "-c", command)
            outcome.check(status == 0, f"{command}: status {status}", out + err)
            if status:
                return
        found = {}
        for folder in ("base", "slow", "own", "gentle"):
            with open(copy.path("out", folder, "summary.json"), encoding="utf-8") as f:
                for run in json.load(f)["runs"]:
                    found[folder, run["cc"]] = (get(run, "queue.mean_bytes"), get(run, "utilization"))
        for less, more, longer in ((("slow", "dcqcn"), ("base", "dcqcn"), False), (("gentle", CC), ("gentle", "gentle"), True)):
            a, b = found[less], found[more]
            outcome.check(a[0] < b[0] and (a[1] < b[1]) == longer, f"what the tutorial says of {less[1]} and {more[1]}", f"{a} {b}")
        outcome.check(found["gentle", CC] == found["own", CC], f"{CC} does the same in two runs", str(found))
        with open(copy.path("out", "compare", "compare.json"), encoding="utf-8") as f:
            differs = [entry["what"] for entry in json.load(f)["setup"]]
        outcome.check(differs == ["parameter r_ai"], "the comparison says what differs", str(differs))
