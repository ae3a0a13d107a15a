# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A stage of `./rcc test`: both modules inside an ns-3 source tree, as most people use it: Debian's source package of ns-3,
built with asserts and logs. The tree stays in a cache, built; only what changed is built again."""
from __future__ import annotations

import concurrent.futures
import contextlib
import filecmp
import glob
import hashlib
import os
import re
import runpy
import shlex
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple, Optional

from command.run import simulation
from command.system import install, packages
from command.system.build import JOBS, locked, tail
from command.below import atomic_write
from command.common import EXIT_FAILED, ROOT, RccError, build_dir, duration, say
from . import apt_source
from .copies import sync
from .outcome import Outcome, run
from .portability import algorithms

COLD = "some 5 minutes on two cores"
# -O1 without -g: a third of the CPU time of the default profile, and the tests take little longer
CONFIGURE = ["-d", "default", "-G", "Ninja", "--enable-asserts", "--enable-logs", "--enable-examples", "--enable-tests",
             "--enable-modules=rcc;rcc-run", "--filter-module-examples-and-tests=rcc;rcc-run", "--", "-DNS3_WARNINGS_AS_ERRORS=ON",
             "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1"]
COMPARED = ["--flows=200", "--time=20ms", "--start=5ms"]
TIMEOUT = 600
USERS_MAIN = "rcc-users-main"


def cache_folder() -> str:
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "rcc")


def key(version: str) -> str:
    """Another ns-3, compiler or set of options is another tree."""
    compiler = run([os.environ.get("CXX", "c++"), "-dumpfullversion", "-dumpmachine"])[1]
    return hashlib.sha256("\n".join([version, compiler] + CONFIGURE).encode()).hexdigest()[:8]


class Tree(NamedTuple):
    """One cached tree: FOLDER/ns-3 is the source with its build folders, FOLDER/complete says that ns-3 was built once."""
    version: str
    folder: str

    @property
    def source(self) -> str:
        return os.path.join(self.folder, "ns-3")

    @property
    def complete(self) -> str:
        return os.path.join(self.folder, "complete")

    @property
    def log(self) -> str:
        return os.path.join(self.folder, "log.txt")

    def is_warm(self) -> bool:
        return os.path.exists(self.complete) and os.path.isdir(os.path.join(self.source, "src", "core"))


def find() -> Optional[Tree]:
    """The tree of the ns-3 that this machine's package manager has; None if it has none."""
    version = apt_source.version()
    if not version:
        return None
    plain = re.sub(r"[^0-9A-Za-z.+~-]", "_", version)
    return Tree(version, os.path.join(cache_folder(), f"ns3-{plain}-{key(version)}"))


# ------------------------------------------------------------------------------------------------ building

def prepare(tree: Tree) -> None:
    """The source in its place, all of it or nothing: an interrupted download or unpacking leaves only FOLDER/fetch."""
    if os.path.isdir(os.path.join(tree.source, "src", "core")):
        return
    fetched = os.path.join(tree.folder, "fetch")
    found = apt_source.fetch(tree.version, fetched)
    shutil.rmtree(tree.source, ignore_errors=True)
    os.rename(found, tree.source)
    shutil.rmtree(fetched, ignore_errors=True)


def step(tree: Tree, words: list, what: str) -> None:
    # ns-3 finds ccache by itself, would use it and set options in it: the user's is left alone. ./ns3 sets CLICOLOR, which
    # becomes a compiler option: without it, the next run of cmake (after a new file, say) would build all of ns-3 anew.
    environment = {**os.environ, "CCACHE_DISABLE": "1", "CCACHE_DIR": os.path.join(tree.folder, "ccache"), "CLICOLOR": "1"}
    started = time.monotonic()
    with open(tree.log, "a", encoding="utf-8") as log:
        log.write("$ " + shlex.join(words) + "\n")
        log.flush()
        done = subprocess.run(words, cwd=tree.source, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                              stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise RccError(f"{what} failed after {duration(time.monotonic() - started)}; the end of {tree.log}:\n"
                       + re.sub(r"\x1b\[[0-9;]*[mK]", "", tail(tree.log)), EXIT_FAILED)


def make(tree: Tree) -> None:
    """Bring the tree up to date. A build folder that was never finished is made anew if it does not build."""
    prepare(tree)
    for module in (install.RCC, install.RUN):
        sync(os.path.join(tree.source, "contrib", module.name), module=module)
    with open(tree.log, "w", encoding="utf-8"):
        pass
    write_users_main(tree)
    cache = os.path.join(tree.source, "cmake-cache")
    fresh = not os.path.isdir(cache)
    forget_moved_headers(tree, cache)
    try:
        attempt(tree, cache)
    except RccError:
        if fresh or os.path.exists(tree.complete):
            raise
        for folder in (cache, os.path.join(tree.source, "build")):
            shutil.rmtree(folder, ignore_errors=True)
        attempt(tree, cache)


def write_users_main(tree: Tree) -> None:
    """A user's main in scratch/: it includes every public header, from outside of the module's folder."""
    headers = [name for folder in ("core/*/rcc*.h",)
               for name in sorted(glob.glob(os.path.join(ROOT, folder)))]
    for name in ("public-headers.txt", "engine-headers.txt"):
        with open(os.path.join(ROOT, "cmake", name), encoding="utf-8") as f:
            headers += [line.strip() for line in f if line.strip() and line[0] != "#"]
    lines = [f'#include "ns3/{os.path.basename(name)}"' for name in headers] + ['#include "ns3/rcc-module.h"']
    lines += ["int main()", "{", "    ns3::QbbHelper helper;", "    ns3::QbbStar star = ns3::QbbStar::Create(helper, 2);",
              "    return star.sw->Start().empty() ? 0 : 1;", "}", ""]
    with atomic_write(os.path.join(tree.source, "scratch", USERS_MAIN + ".cc")) as f:
        f.write("\n".join(lines))


def forget_moved_headers(tree: Tree, cache: str) -> None:
    """ns-3's configure writes a header that includes ours, and leaves one that is there: where ours has moved, it must write anew."""
    for path in glob.glob(os.path.join(tree.source, "build", "include", "ns3", "*.h")):
        with open(path, encoding="utf-8", errors="replace") as f:
            found = re.fullmatch(r'#include "(/[^"]+)"\s*', f.read(4096))
        if found and not os.path.exists(found.group(1)):
            os.unlink(path)
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(cache, "configured"))


def attempt(tree: Tree, cache: str) -> None:
    configured = os.path.join(cache, "configured")
    if not os.path.exists(configured):
        step(tree, ["./ns3", "configure"] + CONFIGURE, "configuring ns-3")
        with open(configured, "w", encoding="utf-8"):
            pass
    step(tree, ["cmake", "--build", cache, "-j", str(JOBS)], "building the module in ns-3's tree")
    with atomic_write(tree.complete) as f:
        f.write(f"{tree.version}\n")


# ------------------------------------------------------------------------------------------------ running

def suites() -> list:
    """The names of all our test suites, from their sources."""
    names = []
    for path in sorted(path for module in (install.RCC, install.RUN)
                       for path in glob.glob(os.path.join(module.source, "test", "**", "*-test-suite.cc"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            names += re.findall(r"^RccTestSuite \w+\(\s*\"([^\"]+)\"", f.read(), re.MULTILINE)
    return names


def runner(tree: Tree) -> str:
    found = glob.glob(os.path.join(tree.source, "build", "utils", "ns3*-test-runner*"))
    if len(found) != 1:
        raise RccError(f"{tree.source}/build/utils: {len(found)} test runners, expected one", EXIT_FAILED)
    return found[0]


def examples() -> list:
    """The command lines of both modules' examples-to-run.py, ns-3's own list of what `./test.py` runs."""
    found = []
    for module in (install.RCC, install.RUN):
        lists = runpy.run_path(os.path.join(module.source, "test", "examples-to-run.py"))
        found += [line for line, _, _ in lists["cpp_examples"]]
    return found


def run_suites(outcome: Outcome, tree: Tree) -> None:
    program, wanted = runner(tree), suites()
    known = set(run([program, "--list"], cwd=tree.source)[1].split())
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs = [(name, pool.submit(run, [program, f"--suite={name}"], timeout=TIMEOUT, cwd=tree.source)) for name in wanted]
        for name, job in jobs:
            status, output = job.result()
            outcome.check(status == 0 and name in known, f"suite {name} in ns-3's tree, status {status}", output)
    outcome.check(len(wanted) > 10, f"{len(wanted)} test suites in test/")
    status, output = run(["./test.py", "--no-build", "-s", wanted[0]], timeout=TIMEOUT, cwd=tree.source)
    outcome.check(status == 0 and "1 of 1 tests passed" in output, f"./test.py -s {wanted[0]}", output)


def in_tree(tree: Tree, line: str, *words: str) -> tuple:
    return run(["./ns3", "run", "--no-build", line, *words], timeout=TIMEOUT, cwd=tree.source)


def run_examples(outcome: Outcome, tree: Tree) -> None:
    """Run the examples in a folder that is as deep as that in which ns-3's test.py starts them."""
    folder = os.path.join(tree.source, "testpy-output", "rcc")
    os.makedirs(folder, exist_ok=True)
    for line in [*examples(), USERS_MAIN]:
        status, output = in_tree(tree, line, f"--cwd={folder}")
        outcome.check(status == 0, f"./ns3 run '{line}', status {status}", output)


def compare_series(outcome: Outcome, tree: Tree, algorithms: list) -> None:
    """The incast's CSV files, from the tree and from the program that was built on its own."""
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        def one(name: str) -> tuple:
            places = [os.path.join(scratch, where, name) for where in ("alone", "tree")]
            run_file = os.path.join(scratch, f"{name}.run")
            simulation.of_scenario("incast", [f"--cc={name}", *COMPARED]).write(run_file)
            alone = run([os.path.join(build_dir(), simulation.PROGRAM), run_file, f"--out={places[0]}"], timeout=TIMEOUT)
            there = in_tree(tree, f"rcc-run-main {run_file} --out={places[1]}")
            if alone[0] or there[0]:
                return name, f"status {alone[0]} on its own, {there[0]} in the tree\n{alone[1][-1000:]}{there[1][-1000:]}"
            files = [sorted(n for n in os.listdir(place) if n.endswith(".csv")) for place in places]
            if files[0] != files[1] or len(files[0]) < 3:
                return name, f"files on its own {files[0]}, in the tree {files[1]}"
            different = [n for n in files[0] if not filecmp.cmp(os.path.join(places[0], n), os.path.join(places[1], n), shallow=False)]
            return name, "differ: " + ", ".join(different) if different else ""
        for name, trouble in pool.map(one, algorithms):
            outcome.check(not trouble, f"incast --cc={name}: the same CSV series in ns-3's tree and on its own", trouble)


def stage(outcome: Outcome) -> None:
    """RCC_TEST_TREE=1 (--tree, --only=tree) asks for it: a cold cache is filled, and failing to do so is a failure."""
    asked = bool(os.environ.get("RCC_TEST_TREE"))
    tree = find()
    if tree is None:
        why = f"apt knows no {apt_source.PACKAGE}; this stage takes ns-3 from Debian's or Ubuntu's source package"
        if asked:
            outcome.check(False, "ns-3's source tree", why)
        else:
            outcome.skip(why)
        return
    if not tree.is_warm():
        if not asked:
            outcome.skip(f"no ns-3 {tree.version} source tree is built yet; `./rcc test --tree` builds one in "
                         f"{cache_folder()}, {COLD}, and from then on this stage runs by itself")
            return
        say(f"building ns-3 {tree.version} from its source package in {tree.folder}, {COLD} (log: log.txt there)")
    try:
        packages.ensure(packages.TREE)
        with locked(tree.folder):
            started = time.monotonic()
            make(tree)
            outcome.note(f"ns-3 {tree.version} (source package), asserts and logs on; built in "
                         f"{duration(time.monotonic() - started)} in {tree.folder}")
            run_suites(outcome, tree)
            run_examples(outcome, tree)
            compare_series(outcome, tree, algorithms())
    except RccError as error:
        outcome.check(False, "ns-3's source tree", str(error))
