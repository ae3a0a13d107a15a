# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Compiles a mutant of the core, links it with the libcheck tests and runs the suites that can notice it.

Tests are compiled once. tcc, where it is installed, compiles a mutated file in milliseconds; cc does it otherwise, and
wherever tcc's way through an #ifdef would be another one.
"""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
from typing import Dict, Iterable, List, Optional, Set, Tuple

from c_tokens import read_tokens
from operators import Mutant

QUICK_DIVISOR = 10  # randomised tests have this part of their rounds
CPU_LIMIT = (1.0, 4.0)  # seconds, plus this many times what the unmutated suite takes
ALL_ROUNDS = 300.0  # seconds that a suite may take with all of them, far more than any does: a slow mutant is not killed

# The first failed check ends the process; so does a mutant that never ends.
STOP_AT_FIRST_FAILURE = r"""
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
void __wrap__ck_assert_failed(void);
void __wrap__ck_assert_failed(void) { _exit(1); }
__attribute__((constructor)) static void limit_cpu(void)
{
    const char *ms = getenv("RCC_TEST_CPU_MS");
    struct itimerval t = {{0, 0}, {0, 0}};
    if (ms == NULL)
        return;
    t.it_value.tv_sec = atol(ms) / 1000;
    t.it_value.tv_usec = atol(ms) % 1000 * 1000;
    setitimer(ITIMER_PROF, &t, NULL);
}
"""


class BuildError(Exception):
    """The unmutated core does not build or does not pass: there is nothing to compare mutants with."""


def call(command: List[str], env: Optional[Dict[str, str]] = None) -> Tuple[int, str]:
    """Status and output of a command."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def need(command: List[str]) -> str:
    """The output of a command that must succeed."""
    status, output = call(command)
    if status != 0:
        raise BuildError(f"{' '.join(command[:2])} ...: status {status}, expected 0\n{output[-2000:]}")
    return output


def includes_of(path: str, files: Dict[str, str]) -> Set[str]:
    """Base names of what a file includes with quotes, and what those include in turn."""
    found: Set[str] = set()
    todo = [path]
    while todo:
        name = todo.pop()
        with open(files.get(name, name), encoding="utf-8") as f:
            for inner in re.findall(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', f.read(), re.MULTILINE):
                inner = os.path.basename(inner)
                if inner not in found and inner in files:
                    found.add(inner)
                    todo.append(inner)
    return found


def object_name(path: str) -> str:
    """The object file of a source: core/cc/red.c -> core_cc_red.o."""
    return re.sub(r"[^\w]+", "_", os.path.splitext(path)[0]) + ".o"


class Builder:
    """Everything that mutants share: objects of the unmutated core and of the tests, and which suite runs what."""

    def __init__(self, root: str, folder: str, made: str = ""):
        """`made`: where cmake has put objects of the tests, or nothing: they are compiled here."""
        self.root, self.folder, self.made = root, folder, made
        self.sources = self._glob("core/*/*.c")
        self.headers = self._glob("core/*/*.h", "core/*/*.def")
        self.tests = self._glob("test/core/*.c", "test/core/*/*.c")
        test_headers = self._glob("test/core/*.h", "test/core/*/*.h")
        by_name = {os.path.basename(p): os.path.join(root, p) for p in self.headers + test_headers}
        self.includes = {p: includes_of(os.path.join(root, p), by_name) for p in self.sources + self.tests}
        self.names: Dict[str, Set[str]] = {}  # function of a header -> the names in it
        for path in self.headers:
            with open(os.path.join(root, path), encoding="utf-8") as f:
                for token in read_tokens(f.read()):
                    if token.function and token.kind == "name":
                        self.names.setdefault(token.function, set()).add(token.text)
        self.folders = sorted({os.path.dirname(p) for p in self.sources + self.headers})
        self.libraries = need(["pkg-config", "--libs", "check"]).split() + ["-lm"]
        self.linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []  # twice as quick
        self.tcc = shutil.which("tcc")
        self.suites: Dict[str, float] = {}  # name -> seconds of CPU, least first
        self.covers: Dict[str, List[str]] = {}  # "file:function" -> suites
        self.not_for_tcc: Set[str] = set()
        self.noticed: Dict[str, str] = {}  # mutant's key -> suite that has noticed it, which is asked first the next time; "": none can

    def _glob(self, *patterns: str) -> List[str]:
        found = [p for pattern in patterns for p in glob.glob(os.path.join(glob.escape(self.root), pattern))]
        return sorted(os.path.relpath(p, self.root) for p in found)

    def include_flags(self, tree: str) -> List[str]:
        """-I for a tree that holds a copy of core/."""
        return [f"-I{os.path.join(tree, folder)}" for folder in self.folders] + [f"-I{os.path.join(self.root, 'test/core')}"]

    def _path(self, *parts: str) -> str:
        path = os.path.join(self.folder, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def compile(self, tree: str, path: str, output: str, options: List[str], tcc: bool = False) -> Tuple[int, str]:
        """Compile a file of core/ (as it stands in `tree`) or of test/ to `output`."""
        where = tree if path.startswith("core/") else self.root
        fast = tcc and self.tcc is not None and path.startswith("core/") and path not in self.not_for_tcc
        compiler = [self.tcc or "", "-O0"] if fast else ["cc"] + options
        return call(compiler + ["-w", "-c", os.path.join(where, path), "-o", output] + self.include_flags(tree))

    def link(self, output: str, objects: Iterable[str], *options: str) -> Tuple[int, str]:
        """Link objects, the stub and libcheck."""
        return call(["cc", *self.linker, "-o", output, *objects, self._path("stop.o"), *options,
                     "-Wl,--wrap=_ck_assert_failed", *self.libraries])

    # ---------------------------------------------------------------- what is built once

    def _stamp(self) -> str:
        digest = hashlib.sha256()
        for path in self._glob("core/*/*", "test/core/*", "test/core/*/*", "test/mutation/builder.py"):
            full = os.path.join(self.root, path)
            if os.path.isfile(full):
                with open(full, "rb") as f:
                    digest.update(path.encode() + f.read())
        return digest.hexdigest()

    def prepare(self) -> None:
        """Build the unmutated core and the tests, find out which suite runs which function. Nothing if still valid."""
        stamp, state = self._stamp(), self._path("state.json")
        if os.path.exists(state):
            with open(state, encoding="utf-8") as f:
                known = json.load(f)
            if known["stamp"] == stamp:
                self.suites, self.covers = known["suites"], known["covers"]
                self.not_for_tcc = set(known["not_for_tcc"])
                self._recall()
                return
        shutil.rmtree(self.folder, ignore_errors=True)
        with open(self._path("stop.c"), "w", encoding="utf-8") as f:
            f.write(STOP_AT_FIRST_FAILURE)
        need(["cc", "-c", self._path("stop.c"), "-o", self._path("stop.o")])
        for path in self.tests:
            if self.made:
                shutil.copyfile(os.path.join(self.made, path + ".o"), self._path("tests", object_name(path)))
            else:
                self._need_object(path, "tests", ["-O1"])
        self._measure()
        self._choose_compilers()
        with open(state, "w", encoding="utf-8") as f:
            json.dump({"stamp": stamp, "suites": self.suites, "covers": self.covers,
                       "not_for_tcc": sorted(self.not_for_tcc)}, f)

    def _recall(self) -> None:
        try:
            with open(self._path("noticed.json"), encoding="utf-8") as f:
                self.noticed = json.load(f)
        except (OSError, ValueError):
            pass  # it saves time, no more

    def remember(self, outcomes: Dict[str, Tuple[str, str]]) -> None:
        """Keep which suite has noticed which mutant, and which mutants are the same code. The verdict stays that of trying it: the
        suites that let a mutant pass, before one notices it, are what takes the time."""
        self.noticed.update({key: suite for key, (status, suite) in outcomes.items() if status in ("killed", "same-code")})
        with open(self._path("noticed.json.new"), "w", encoding="utf-8") as f:
            json.dump(self.noticed, f)
        os.replace(self._path("noticed.json.new"), self._path("noticed.json"))

    def _need_object(self, path: str, kind: str, options: List[str], tcc: bool = False) -> str:
        output = self._path(kind, object_name(path))
        status, text = self.compile(self.root, path, output, options, tcc)
        if status != 0:
            raise BuildError(f"{path} does not compile: {text[-2000:]}")
        return output

    def _need_program(self, name: str, objects: List[str], *options: str) -> str:
        status, text = self.link(self._path(name), objects + self.test_objects(), *options)
        if status != 0:
            raise BuildError(f"{name} does not link: {text[-2000:]}")
        return self._path(name)

    def test_objects(self) -> List[str]:
        """The objects of the unmutated tests."""
        return [self._path("tests", object_name(p)) for p in self.tests]

    def _suite_names(self) -> List[str]:
        names = []
        for path in self.tests:
            with open(os.path.join(self.root, path), encoding="utf-8") as f:
                names += re.findall(r'suite_create\("([^"]+)"\)', f.read())
        return sorted(set(names))

    def _measure(self) -> None:
        """How long each suite takes, and which functions it runs."""
        objects = [self._need_object(p, "coverage", ["-O0", "--coverage"]) for p in self.sources]
        program = self._need_program("coverage/core-tests", objects, "--coverage")
        took = {}
        for suite in self._suite_names():
            for old in glob.glob(self._path("coverage", "*.gcda")):
                os.unlink(old)
            before = os.times()
            status = run_suite(program, suite, None)
            after = os.times()
            if status != 0:
                raise BuildError(f"suite {suite} of the unmutated core: status {status}, expected 0")
            took[suite] = after.children_user + after.children_system - before.children_user - before.children_system
            for place in self._executed():
                self.covers.setdefault(place, []).append(suite)
        self.suites = dict(sorted(took.items(), key=lambda item: (round(item[1], 1), item[0])))
        order = list(self.suites)
        for suites in self.covers.values():
            suites.sort(key=order.index)

    def _executed(self) -> Set[str]:
        places = set()
        counts = glob.glob(self._path("coverage", "*.gcda"))
        for line in need(["gcov", "--json-format", "--stdout", *counts]).splitlines() if counts else []:
            for file in json.loads(line)["files"]:
                path = os.path.relpath(os.path.join(self.root, file["file"]), self.root)
                places |= {f"{path}:{f['name']}" for f in file["functions"] if f["execution_count"] > 0}
        return places

    def _choose_compilers(self) -> None:
        """Files that tcc cannot compile, or all if the core that it compiles fails a test, are left to cc."""
        for path in self.sources if self.tcc else []:
            if self.compile(self.root, path, self._path("tcc", object_name(path)), [], tcc=True)[0] != 0:
                self.not_for_tcc.add(path)
        if self.tcc:
            objects = [self._need_object(p, "tcc", ["-O0"], tcc=True) for p in self.sources] + self.test_objects()
            status, _ = self.link(self._path("tcc/core-tests"), objects)
            if status != 0 or any(run_suite(self._path("tcc/core-tests"), s, None) != 0 for s in self.suites):
                self.not_for_tcc = set(self.sources)
        for path in self.sources:
            self._need_object(path, "core", ["-O0"], tcc=True)

    # ---------------------------------------------------------------- what depends on a mutant

    def suites_for(self, mutant: Mutant) -> List[str]:
        """The suites that can notice a mutant: that which has noticed it, then quick ones first. Tests call functions of headers too:
        any suite can."""
        found = self.covers.get(f"{mutant.path}:{mutant.function}", [])
        if mutant.path.endswith(".h") or not mutant.function:
            found = found + [s for s in self.suites if s not in found]
        before = self.noticed.get(mutant.key)
        return [before] + [s for s in found if s != before] if before in found else found

    def with_callers(self, name: str) -> Set[str]:
        """A function of a header, and the functions of headers that call it, or call one that does."""
        found: Set[str] = set()
        more = {name}
        while more - found:
            found |= more
            more = {function for function, names in self.names.items() if names & found}
        return found

    def dependents(self, mutant: Mutant) -> List[str]:
        """Return the files that must be compiled anew: of the tests only those that name the mutated function or an inline one that
        calls it, or the macro of an internal header. Tests keep the public constants they were written for."""
        if mutant.path.endswith(".c"):
            return [mutant.path]
        header = os.path.basename(mutant.path)
        files = [p for p in self.sources if header in self.includes[p]]
        if header.startswith("rcc") and not mutant.function:
            return files
        word = re.compile(rf"\b({'|'.join(sorted(self.with_callers(mutant.name)))})\b")
        for path in self.tests:
            if header in self.includes[path]:
                with open(os.path.join(self.root, path), encoding="utf-8") as f:
                    files += [path] * bool(word.search(f.read()))
        return files


def run_suite(program: str, suite: str, cpu_ms: Optional[int], divisor: int = QUICK_DIVISOR) -> int:
    """Run one suite without forking. The status, negative for a signal; SIGPROF ends what takes too long."""
    env = {**os.environ, "CK_FORK": "no", "CK_RUN_SUITE": suite, "CK_VERBOSITY": "silent",
           "RCC_TEST_ROUNDS_DIVISOR": str(divisor)}
    if cpu_ms is not None:
        env["RCC_TEST_CPU_MS"] = str(cpu_ms)
    try:
        return subprocess.run([program], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              timeout=600).returncode
    except subprocess.TimeoutExpired:
        return -14


class Worker:
    """A copy of core/ that one thread mutates, compiles and runs."""

    def __init__(self, builder: Builder, number: int):
        self.builder = builder
        self.tree = os.path.join(builder.folder, f"worker-{number}")
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(os.path.join(builder.root, "core"), os.path.join(self.tree, "core"))
        self.program = os.path.join(self.tree, "core-tests")

    def _write(self, path: str, text: str) -> None:
        with open(os.path.join(self.tree, path), "w", encoding="utf-8") as f:
            f.write(text)

    def _same_code(self, mutant: Mutant, source: str) -> bool:
        """True if the optimising compiler makes the same objects of the original and the mutant: nobody can tell."""
        objects = []
        for text in (source, mutant.apply(source)):
            self._write(mutant.path, text)
            made = []
            for path in self.builder.dependents(mutant):
                output = os.path.join(self.tree, "same.o")
                if self.builder.compile(self.tree, path, output, ["-O2", "-g0"])[0] != 0:
                    return False
                with open(output, "rb") as f:
                    made.append(f.read())
            objects.append(made)
        return objects[0] == objects[1]

    def judge(self, mutant: Mutant, source: str, thorough: bool) -> Tuple[str, str]:
        """("killed", suite), ("invalid", ""), ("same-code", "") or ("survived", "")."""
        builder = self.builder
        if builder.noticed.get(mutant.key) == "" and self._same_code(mutant, source):
            self._write(mutant.path, source)
            return "same-code", ""
        dependents = builder.dependents(mutant)
        self._write(mutant.path, mutant.apply(source))
        try:
            changed = {}
            for path in dependents:
                changed[path] = os.path.join(self.tree, object_name(path))
                if builder.compile(self.tree, path, changed[path], ["-O0"], tcc=not mutant.needs_cc)[0] != 0:
                    return "invalid", ""
            objects = [changed.get(p, builder._path("core", object_name(p))) for p in builder.sources]
            objects += [changed.get(p, builder._path("tests", object_name(p))) for p in builder.tests]
            if builder.link(self.program, objects)[0] != 0:
                return "invalid", ""
            for divisor in (QUICK_DIVISOR, 1) if thorough else (QUICK_DIVISOR,):
                for suite in builder.suites_for(mutant):
                    seconds = CPU_LIMIT[0] + CPU_LIMIT[1] * builder.suites[suite] if divisor != 1 else ALL_ROUNDS
                    if run_suite(self.program, suite, int(1000 * seconds), divisor) != 0:
                        return "killed", suite
            return ("same-code" if self._same_code(mutant, source) else "survived"), ""
        finally:
            self._write(mutant.path, source)
