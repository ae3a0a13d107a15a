# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Probes of the machine's tools: a compiler compiles, links and runs a line, a module is imported. Each function returns the path or the
version of a tool, "" if it is missing or does not work.

A success is remembered in the build folder until the machine's packages or the variables that choose tools change, so that
`./rcc run` does not compile anew each time; forget() looks again."""
from __future__ import annotations

import functools
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from typing import Callable, Optional

from ..below import atomic_write
from ..common import build_dir

TIMEOUT = 120
CHOOSE = ("PATH", "CC", "CXX", "NS3_DIR", "PYTHONPATH", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH")
C_LINE = "int main(void) { return 0; }\n"
CXX_LINE = "#include <string>\nint main() { return static_cast<int>(std::string().size()); }\n"
NS3_LINE = '#include "ns3/simulator.h"\nint main() { ns3::Simulator::Destroy(); }\n'
CHECK_LINE = "#include <check.h>\nint main(void) { srunner_free(srunner_create(suite_create(\"a\"))); return 0; }\n"
FUZZ_LINE = "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *d, size_t n) { (void) d; (void) n; return 0; }\n"

# The C++ that an ns-3 may be written in; cmake/rcc-ns3.cmake tries the same. Older compilers know these words too.
STANDARDS = {"17": "-std=c++17", "20": "-std=c++2a", "23": "-std=c++2b"}

_known: Optional[dict] = None


# ------------------------------------------------------------------------------------------------ memory

def _place() -> str:
    return os.path.join(build_dir(), ".rcc-probes.json")


def packages_time() -> int:
    """Return the time of the last change of the machine's packages, in ns; 0 if that cannot be seen."""
    try:
        return os.stat("/var/lib/dpkg/status").st_mtime_ns
    except OSError:
        return 0


def machine() -> list:
    """List the facts on which the results depend."""
    return [packages_time(), sys.executable] + [os.environ.get(name, "") for name in CHOOSE]


def _read() -> dict:
    try:
        with open(_place(), encoding="utf-8") as f:
            saved = json.load(f)
        return dict(saved["found"]) if saved["machine"] == machine() else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write() -> None:
    if not os.path.isdir(build_dir()):
        return
    try:
        with atomic_write(_place()) as f:
            json.dump({"machine": machine(), "found": {k: v for k, v in (_known or {}).items() if v}}, f)
    except OSError:
        pass  # looked for again next time


def once(look: Callable[..., str]) -> Callable[..., str]:
    """Remember what `look` found, by its name and arguments."""
    @functools.wraps(look)
    def remembered(*args) -> str:
        global _known  # pylint: disable=global-statement
        if _known is None:
            _known = _read()
        key = f"{look.__name__}{args}"
        if key not in _known:
            _known[key] = look(*args)
            if _known[key]:
                _write()
        return _known[key]
    return remembered


def forget() -> None:
    """Forget all results, after an installation or for ./rcc doctor."""
    global _known  # pylint: disable=global-statement
    _known = {}


# ------------------------------------------------------------------------------------------------ using things

def succeeds(words: list, **kwargs) -> bool:
    """True if a command ends with status 0."""
    return output(words, **kwargs) is not None


def output(words: list, **kwargs) -> Optional[str]:
    """Return the output of a command, or None if it could not be run or failed."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              errors="replace", timeout=TIMEOUT, check=False, **kwargs)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def program(words: list, text: str, name: str = "line.c", after: tuple = (), runner: tuple = (), arguments: tuple = ()) -> bool:
    """True if `words` compile and link a program of `text` and it ends with status 0, under `runner` if that is given."""
    with tempfile.TemporaryDirectory(prefix="rcc-probe-") as folder:
        source, target = os.path.join(folder, name), os.path.join(folder, "line")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        return succeeds([*words, source, "-o", target, *after], cwd=folder) and succeeds([*runner, target, *arguments], cwd=folder)


@once
def runs_i386() -> str:
    """Return "yes" if the kernel runs a small 32-bit program of x86, as kernels of some virtual machines do not."""
    code = b"\xb8\x01\x00\x00\x00\x31\xdb\xcd\x80"   # mov eax, 1 (exit); xor ebx, ebx; int 0x80
    base, head = 0x8048000, 52 + 32
    size = head + len(code)
    elf = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 3, 1, base + head, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    elf += struct.pack("<IIIIIIII", 1, 0, base, base, size, size, 5, 0x1000) + code
    with tempfile.TemporaryDirectory(prefix="rcc-probe-") as folder:
        path = os.path.join(folder, "i386")
        with open(path, "wb") as f:
            f.write(elf)
        os.chmod(path, 0o755)
        return "yes" if succeeds([path], cwd=folder) else ""


def first(*names: str) -> str:
    """Return the path of the first of some programs that is in PATH."""
    return next(filter(None, [shutil.which(name) for name in names]), "")


@once
def tool(names: tuple, *words: str) -> str:
    """Return the first program of `names` that ends with status 0 when it is called with `words`."""
    return next((path for path in [shutil.which(name) or "" for name in names] if path and succeeds([path, *words])), "")


@once
def c_compiler(name: str, *options: str) -> str:
    path = shutil.which(name) or ""
    return path if path and program([path, *options], C_LINE) else ""


@once
def cxx_compiler() -> str:
    """Return the C++ compiler that cmake would take."""
    for words in ([os.environ["CXX"].split()] if os.environ.get("CXX") else [["c++"], ["g++"], ["clang++"]]):
        path = shutil.which(words[0])
        if path and program([path, *words[1:], STANDARDS["17"]], CXX_LINE, "line.cc"):
            return path
    return ""


@once
def make() -> str:
    path = shutil.which("make") or ""
    with tempfile.TemporaryDirectory(prefix="rcc-probe-") as folder:
        with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as f:
            f.write("all:\n\t@true\n")
        return path if path and succeeds([path], cwd=folder) else ""


@once
def ninja_or_make() -> str:
    return tool(("ninja",), "--version") or make()


def library_folders() -> list:
    """List the folders in which the libraries of an ns-3 may be."""
    prefix = os.environ.get("NS3_DIR", "")
    return [os.path.join(os.path.expanduser(prefix), lib) for lib in ("lib", "lib64")] if prefix else \
        [f"/usr/lib/{os.uname().machine}-linux-gnu", "/usr/local/lib", "/usr/lib64", "/usr/lib"]


@once
def ns3(version: str) -> str:
    """Find an ns-3 that a program can be linked with. `version`: version of its Debian package, for the returned text."""
    compiler = cxx_compiler()
    if not compiler:  # without a compiler nothing can be linked
        return f"libns3-dev {version}" if version else ""
    prefix = os.path.expanduser(os.environ.get("NS3_DIR", ""))
    headers = ["-isystem", os.path.join(prefix, "include")] if prefix else []
    for folder in library_folders():
        if not os.path.isdir(folder):
            continue
        for name in sorted(os.listdir(folder)):
            library = (os.path.join(folder, name), f"-Wl,-rpath,{folder}")
            if name.startswith("libns3") and "-core" in name and name.endswith(".so") and "-test" not in name and any(
                    program([compiler, standard, *headers], NS3_LINE, "line.cc", library) for standard in STANDARDS.values()):
                return f"NS3_DIR={prefix}" if prefix else f"libns3-dev {version}" if version else os.path.join(folder, name)
    return ""


@once
def libcheck() -> str:
    flags = output(["pkg-config", "--cflags", "--libs", "check"])
    compiler = first("cc", "gcc", "clang")
    if flags is None or not compiler or not program([compiler], CHECK_LINE, after=tuple(flags.split())):
        return ""
    return (output(["pkg-config", "--modversion", "check"]) or "").strip() or "check"


@once
def fuzzer() -> str:
    """Find clang with libFuzzer and its sanitizers."""
    path = shutil.which("clang") or ""
    works = path and program([path, "-fsanitize=fuzzer,address,undefined"], FUZZ_LINE, arguments=("-runs=1",))
    return f"{path} -fsanitize=fuzzer" if works else ""


@once
def emulator(name: str) -> str:
    """Find qemu-user for another processor; it cannot be tried without a program for it."""
    return tool((f"qemu-{name}", f"qemu-{name}-static"), "--version")


@once
def cross(triple: str, processor: str) -> str:
    """Find a cross compiler with its C library and the emulator that runs its programs."""
    path, runner = shutil.which(f"{triple}-gcc") or "", emulator(processor)
    return path if path and runner and program([path, "-static"], C_LINE, runner=(runner,)) else ""


@once
def python_with(*modules: str) -> str:
    """Find an interpreter that can import all of `modules`: this one, the first in PATH, or the system's, which has Debian's modules."""
    for python in dict.fromkeys([sys.executable, shutil.which("python3") or "", "/usr/bin/python3"]):
        if python and os.path.exists(python) and succeeds([python, "-c", "import " + ", ".join(modules)]):
            return python
    return ""


@once
def sphinx() -> str:
    return tool(("sphinx-build", "/usr/share/sphinx/scripts/python3/sphinx-build"), "--version")
