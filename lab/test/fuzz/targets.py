# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The fuzz targets: how each is built and run. The core and its encoder of frames in C, the reader of run files in C++ (libFuzzer), and
the readers in Python (readers.py)."""
from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from typing import List, NamedTuple, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[0:0] = [os.path.join(ROOT, "lab"), HERE, os.path.join(ROOT, "test")]

from seeds import SEEDS  # noqa: E402

from command.common import EXIT_FAILED, RccError, build_dir, nearest  # noqa: E402
from command.system import probe  # noqa: E402
from command.system.build import locked  # noqa: E402

sys.path.append(os.path.join(ROOT, "lab", "test"))
from stages import units  # noqa: E402

SANITIZERS = "address,undefined"
OPTIONS = ["-g1", "-O1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
READERS = ["run_file"]
PYTHON = ["config", "topology", "flow", "tcp_flow", "trace", "choices", "nic_params", "faults", "cdf", "fct", "mix", "capture",
          "python_topology", "summary", "goal", "chakra", "simai", "msccl", "htsim"]
# Inputs of a short run, which the stage fuzz has: a number, not a time, so that the same commit tries the same ones.
INPUTS = {"core": 60000, "wire": 200000, **dict.fromkeys(["port", "qp", "selective", "spray", "switch", "transport"], 40000),
          "run_file": 100000, **dict.fromkeys(PYTHON, 300), "config": 100, "capture": 150, "summary": 1500,
          "goal": 1000, "chakra": 1000, "simai": 600, "msccl": 600, "htsim": 600}
# the reader in C++, which needs nothing of ns-3
SOURCES = ["lab/run/test/fuzz-run-file.cc", *(f"lab/run/files/run-file{part}.cc" for part in ("", "-check", "-reader"))]


class Result(NamedTuple):
    status: int
    output: str
    executions: Optional[int]
    edges: Optional[int]
    cpu: float = 0  # seconds, the program's and the system's


def core() -> List[str]:
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "core", "*", "*.c")))


def in_c() -> List[str]:
    return sorted(os.path.basename(path)[len("fuzz_"):-2] for path in glob.glob(os.path.join(ROOT, "test", "fuzz", "*.c")))


def names() -> List[str]:
    return in_c() + READERS + PYTHON


def choose(wanted: List[str]) -> List[str]:
    for name in wanted:
        if name not in names():
            raise RccError(f"unknown target '{name}'{nearest(name, names())}; known: {', '.join(names())}")
    return wanted or names()


def compile_step(words: list, target: str, sources: list) -> None:
    """Run a compiler unless what it makes is newer than what it is made of."""
    headers = [path for folder in ("core", "model", "helper", "lab", "test/fuzz")
               for path in glob.glob(os.path.join(ROOT, folder, "**", "*.h"), recursive=True)]
    newest = max(os.path.getmtime(os.path.join(ROOT, path)) for path in [*sources, *headers])
    if os.path.exists(target) and os.path.getmtime(target) > newest:
        return
    done = subprocess.run([*words, "-o", target], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)
    if done.returncode:
        raise RccError(f"{os.path.basename(target)} does not compile: {done.stdout.strip()[-3000:]}", EXIT_FAILED)


def build_core(folder: str) -> tuple:
    """(its objects, which the targets share, the words that link a target with them)"""
    compiler, compiled, linked = "clang", [f"-fsanitize=fuzzer-no-link,{SANITIZERS}"], [f"-fsanitize=fuzzer,{SANITIZERS}"]
    if not probe.fuzzer():
        compiler, compiled = probe.first("clang", "gcc", "cc") or "cc", [f"-fsanitize={SANITIZERS}"]
        linked = [*compiled, "-DRCC_FUZZ_STANDALONE"]
    options = ["-std=c11", *OPTIONS, *dict.fromkeys("-I" + os.path.dirname(path) for path in core()), "-Itest/fuzz"]
    with locked(folder):
        made = units.write(folder)
        objects = [path + ".o" for path in made]
        try:
            for path, target in zip(made, objects):
                compile_step([compiler, *compiled, *options, "-c", path], target, core())
        except RccError:  # two files may have a name in common
            objects = [os.path.join(folder, path.replace("/", "-") + ".o") for path in core()]
            for path, target in zip(core(), objects):
                compile_step([compiler, *compiled, *options, "-c", path], target, [path])
    return objects, [compiler, *linked, *options]


def build_c(name: str, folder: str) -> str:
    """A target of the core; without libFuzzer with its own driver."""
    folder = os.path.join(folder, "core" if probe.fuzzer() else "core-standalone")
    objects, words = build_core(folder)
    target, source = os.path.join(folder, "fuzz_" + name), f"test/fuzz/fuzz_{name}.c"
    compile_step([*words, source, *objects], target, [source, "test/core/wire/decode.c", *objects])
    return target


def build_reader(name: str, folder: str) -> str:
    """Build the reader of run files."""
    if not probe.fuzzer() or not shutil.which("clang++"):
        raise RccError("libFuzzer is not installed (apt-get install clang libclang-rt-dev)", EXIT_FAILED)
    target = os.path.join(folder, "fuzz_" + name)
    words = ["clang++", "-std=c++17", f"-fsanitize=fuzzer,{SANITIZERS}", *OPTIONS, "-Ilab/run/files"]
    compile_step([*words, *SOURCES], target, SOURCES)
    return target


def write_seeds(name: str, folder: str) -> str:
    os.makedirs(folder, exist_ok=True)
    for i, text in enumerate(SEEDS.get(name, [])):
        with open(os.path.join(folder, f"seed-{i}"), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
    return folder


def build(name: str) -> str:
    """Returns the program; of a target in Python its driver."""
    folder = os.path.join(build_dir(), "fuzz")
    os.makedirs(folder, exist_ok=True)
    if name in PYTHON:
        return os.path.join(HERE, "readers.py")
    return build_reader(name, folder) if name in READERS else build_c(name, folder)


def words(name: str, seconds: float, corpus: str, seed: int, inputs: int = 0) -> list:
    """Return the command that fuzzes a target; `seed`: 0 is another one each time. `inputs`: their number, without a time limit."""
    program = build(name)
    os.makedirs(corpus, exist_ok=True)
    if name in PYTHON:
        return [sys.executable, program, name, str(seconds), str(seed), corpus, *([str(inputs)] if inputs else [])]
    if not probe.fuzzer():
        return [program]
    length = f"-runs={inputs}" if inputs else f"-max_total_time={int(seconds)}"
    return [program, f"-seed={seed}", length, "-print_final_stats=1", "-max_len=8192", "-timeout=20",
            "-rss_limit_mb=2048", f"-artifact_prefix={corpus}/finding-", "-verbosity=1", corpus,
            write_seeds(name, os.path.join(build_dir(), "fuzz", "seeds-" + name))]


def judge(status: int, output: str) -> Result:
    """Judge a run by its output: libFuzzer's last line of state and its statistics, or the driver's own words."""
    runs = re.search(r"number_of_executed_units: (\d+)|^(\d+) (?:executions|inputs)", output, re.M)
    edges = re.findall(r"\bcov: (\d+)|, (\d+) edges", output)
    return Result(status, output, int(runs.group(1) or runs.group(2)) if runs else None,
                  int(edges[-1][0] or edges[-1][1]) if edges else None)


def run(name: str, seconds: float, corpus: str, seed: int = 1, inputs: int = 0) -> Result:
    """Fuzz one target for a time, or with a number of inputs."""
    environment = {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=1"}
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        with subprocess.Popen(words(name, seconds, corpus, seed, inputs), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                              stdout=output, stderr=subprocess.STDOUT) as process:
            watch = threading.Timer(4 * seconds + 300, process.kill)
            watch.start()
            _, status, usage = os.wait4(process.pid, 0)  # wait() would not say what it used
            watch.cancel()
            process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        output.seek(0)
        return judge(process.returncode, output.read())._replace(cpu=usage.ru_utime + usage.ru_stime)
