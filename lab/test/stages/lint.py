# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Check sizes of files and functions, import circles, licence lines and layout, and run the linters: the stage `lint` of ./rcc test."""
from __future__ import annotations

import ast
import json
import os
import re
from typing import Iterator

from command.common import ROOT
from command.system import install, probe

from . import clean, wording
from .outcome import Outcome, run

FILE_LINES = 600
FUNCTION_LINES = 80
TABLES = {"GetTypeId"}   # functions that are one table
CODE = (".c", ".cc", ".h", ".py")
TIMEOUT = 900
# ns-3 3.31 to 3.35 compile these folders as C++11, and no newer compiler has to be asked for what is easily seen
OLDER = ("model/", "helper/", "examples/", "test/", "lab/")
NEWER = {"a generic lambda": r"\[[^\[\]]*\]\s*\([^()]*\bauto\b", "a structured binding": r"\bauto\s*(?:const)?\s*&{0,2}\s*\[\w",
         "a digit separator": r"\b\d+'\d", "if constexpr": r"\bif\s+constexpr\b",
         "a part of the library": r"\bstd::(?:make_unique|exchange|optional|string_view|variant|any|clamp|filesystem)\b"}


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def stage(outcome: Outcome) -> None:
    files = [path for path in install.files() if path.endswith(CODE)]
    native = [path for path in files if not path.endswith(".py")]
    python = [path for path in files if path.endswith(".py")]
    report(outcome, f"no file has more than {FILE_LINES} lines", large_files(files))
    report(outcome, f"no Python function has more than {FUNCTION_LINES} lines", large_python_functions(python))
    if probe.tool(("ctags-universal", "ctags"), "--version"):
        report(outcome, f"no C or C++ function has more than {FUNCTION_LINES} lines", large_native_functions(native))
    else:
        outcome.note("universal-ctags is not installed: no sizes of C and C++ functions")
    report(outcome, "C++11 in the folders that an ns-3 tree of 3.31 compiles", newer_than_11(native))
    report(outcome, "containers of what is aligned to more than the heap is", over_aligned(native))
    report(outcome, "no import circle in lab/command, lab/evidence and lab/test/stages", circles(imports(python)))
    report(outcome, "SPDX and copyright lines in every file of code", unlicensed(files))
    wording.check(outcome, files)
    linters(outcome, native, python)


def report(outcome: Outcome, name: str, troubles: list) -> None:
    outcome.check(not troubles, name, "\n".join(troubles))


def large_files(files: list) -> list:
    sizes = ((path, read(path).count("\n")) for path in files)
    return [f"{path}: {size} lines" for path, size in sizes if size > FILE_LINES]


def large_python_functions(files: list) -> list:
    found = []
    for path in files:
        for node in ast.walk(ast.parse(read(path), path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    found.append(f"{path}:{node.lineno}: {node.name} has {lines} lines")
    return found


def large_native_functions(files: list) -> list:
    tool = probe.tool(("ctags-universal", "ctags"), "--version")
    _, output = run([tool, "--output-format=json", "--fields=+ne", "--kinds-C=f", "--kinds-C++=f", "--langmap=C++:+.h", "-f", "-",
                     *files], timeout=TIMEOUT)
    found = []
    for line in output.splitlines():
        try:
            tag = json.loads(line)
        except ValueError:
            continue
        lines = tag.get("end", tag["line"]) - tag["line"] + 1
        if lines > FUNCTION_LINES and tag["name"] not in TABLES:
            found.append(f"{tag['path']}:{tag['line']}: {tag['name']} has {lines} lines")
    return found


# ------------------------------------------------------------------------------------------------ imports

def over_aligned(files: list) -> list:
    """Before C++17 std::allocator gives what any object may need, 16 bytes: moves of a vector of more would be faults."""
    texts = {path: read(path) for path in files if path.startswith(OLDER)}
    names = {name for text in texts.values() for name in re.findall(r"\b(?:struct|class)\s+alignas\([^)]*\)\s+(\w+)", text)}
    bodies = [found for text in texts.values()
              for found in re.findall(r"\b(?:struct|class)\s+(?:\w+::)*(\w+)\b[^;{]*\{(.*?)\n\s*\};", text, re.DOTALL)]
    while True:   # a struct with an aligned member is aligned too
        member = re.compile(rf"^\s+(?:{'|'.join(sorted(names))}) \w+(?:[;{{\[]| =)", re.MULTILINE)
        more = {name for name, body in bodies if member.search(body)} - names
        if not more:
            break
        names |= more
    container = re.compile(rf"\bstd::(?:vector|deque|list|map|multimap|unordered_map)<(?!.*(?:unique_ptr|\bPtr|RccLineAllocator)<)[^;]*"
                           rf"(?<!::)\b(?:{'|'.join(sorted(names))})\s*[>,]")
    return [f"{path}:{number}: {line.strip()}: give it an RccLineAllocator" for path, text in texts.items()
            for number, line in enumerate(text.splitlines(), 1) if container.search(line)]


def newer_than_11(files: list) -> list:
    """Find code that a compiler of C++11 would refuse, as far as a pattern tells."""
    found = []
    for path in files:
        if path.startswith(OLDER) and not path.endswith(".c"):
            for number, line in enumerate(read(path).splitlines(), 1):
                code = re.sub(r'"(?:[^"\\]|\\.)*"|//.*|^\s*\*.*|/\*.*', "", line)
                found += [f"{path}:{number}: {what}" for what, pattern in NEWER.items() if re.search(pattern, code)]
    return found


def module_name(path: str) -> str:
    """lab/command/run/run.py is command.run.run, lab/command/run/__init__.py is command.run; the folder test/ is on the path itself."""
    return re.sub(r"\.__init__$", "", re.sub(r"^lab/(test/)?", "", path)[:-3].replace("/", "."))


def imported(path: str, tree: ast.AST) -> Iterator[str]:
    """Yield the imports anywhere in a file by full names; `from a import b` yields both a.b and a."""
    package = module_name(path).split(".")
    if not path.endswith("__init__.py"):
        package.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            full = ".".join(base + ([node.module] if node.module else []))
            for alias in node.names:
                yield f"{full}.{alias.name}"
            yield full


def imports(files: list) -> dict:
    """The import graph: {module: modules of ours that it imports}."""
    ours = {module_name(path): path for path in files if path.startswith(("lab/command/", "lab/evidence/", "lab/test/stages/"))}
    return {name: {other for other in imported(path, ast.parse(read(path), path)) if other in ours and other != name}
            for name, path in ours.items()}


def circles(graph: dict) -> list:
    """Each circle once, as the modules on it."""
    found, done = [], set()

    def walk(name: str, way: list) -> None:
        if name in way:
            found.append(" -> ".join(way[way.index(name):] + [name]))
        elif name not in done:
            for other in sorted(graph[name]):
                walk(other, way + [name])
            done.add(name)

    for name in sorted(graph):
        walk(name, [])
    return found


# ------------------------------------------------------------------------------------------------ lines and layout

def unlicensed(files: list) -> list:
    found = []
    for path in files:
        head = "\n".join(read(path).splitlines()[:4])
        for wanted in ("SPDX-License-Identifier: ", "SPDX-FileCopyrightText: 2026 rcc contributors"):
            if wanted not in head:
                found.append(f"{path}: no line with {wanted.strip()}")
    return found


def linters(outcome: Outcome, native: list, python: list) -> None:
    formatter = probe.tool(("clang-format-14", "clang-format"), "--version")
    if formatter:
        status, output = clean.lint([formatter, "--dry-run", "-Werror"], ".clang-format", native, TIMEOUT)
        outcome.check(status == 0, "clang-format has nothing to change", output)
    else:
        outcome.note("clang-format is not installed")
    for module, whole in (("flake8", ()), ("mypy", ("lab/command", "lab/evidence", "lab/test/stages"))):
        interpreter = probe.python_with(module)
        if interpreter:
            status, output = clean.lint([interpreter, "-m", module], "setup.cfg", python, TIMEOUT, whole)
            outcome.check(status == 0, f"{module} has nothing to say", output)
        else:
            outcome.note(f"{module} is not installed")
