# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc algorithms`: the core's registry and field tables, as build/rcc-catalog prints them."""
from __future__ import annotations

import contextlib
import json
import subprocess
import textwrap
from typing import Any

from ..arguments import complete_with
from ..experiment import declared
from ..system import build
from ..common import EXIT_FAILED, WIDEST, RccError, align, nearest, si_bytes, si_rate, si_time, terminal_width
from ..registry import Command

ROLES = {"cp": "congestion point (CP), at the switch", "np": "notification point (NP), at the receiver",
         "rp": "reaction point (RP), at the sender"}
UNITS = {"ns": lambda v: si_time(v * 1e-9), "bps": si_rate, "bytes": si_bytes}


def read(*words: str) -> Any:
    """Return what rcc-catalog prints: without words the algorithms, which the build folder keeps while the program stays the same."""
    program = build.program("rcc-catalog")  # installs nothing: listing algorithms is no reason to
    if words:
        return ask(program, *words)
    keeper = build.Build()
    kept = keeper.read_stamp(keeper.catalog)
    if kept.get("of") != build.identify(program) or not isinstance(kept.get("said"), dict):
        kept = {"of": build.identify(program), "said": ask(program)}
        with contextlib.suppress(OSError):  # a folder that another user has built
            keeper.remember(kept, keeper.catalog)
    return kept["said"]


def ask(*command_line: str) -> Any:
    """Return the JSON that a program prints."""
    done = subprocess.run(command_line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise RccError(f"{' '.join(command_line)} ended with status {done.returncode} and printed no JSON", EXIT_FAILED) from error


def cell(value: Any, unit: str) -> str:
    """Format a value of a field in its unit."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value and unit in UNITS:
            return UNITS[unit](value)
        return f"{value:.10g}" if isinstance(value, float) else str(value)
    return str(value)


def span(field: dict) -> str:
    if field["choices"]:
        return field["choices"].replace("|", " | ")
    return f"{cell(field['min'], field['unit'])} .. {cell(field['max'], field['unit'])}"


def overview(algorithms: list) -> str:
    rows = [["algorithm", "title", "presets", "parameters", "source"]]
    rows += [[a["name"], a["title"], " ".join(p["name"] for p in a["presets"]), str(len(a["fields"])), a["source"]] for a in algorithms]
    text = align(rows, left=5)
    width = terminal_width(WIDEST)
    if max(map(len, text.splitlines())) > width:
        text = "\n".join(textwrap.fill(f"{name}: {title}, {count} parameters, presets {presets}; {source}", width, subsequent_indent="    ",
                                       break_on_hyphens=False) for name, title, presets, count, source in rows[1:])
    return text + "\n\n./rcc algorithms NAME shows presets and parameters"


def entry(name: str, text: str, width: int, more: str) -> list:
    """Format a name and what it is, and below it more text if there is any. `width`: of the names."""
    indent = " " * (width + 4)
    lines = [textwrap.fill(f"  {name:<{width}}  {text}", terminal_width(WIDEST), subsequent_indent=indent)]
    return lines + ([textwrap.fill(more, terminal_width(98), initial_indent=indent, subsequent_indent=indent)] if more else [])


def in_full(algorithm: dict) -> str:
    name = algorithm["name"]
    lines = [f"{name}: {algorithm['title']}", f"source: {algorithm['source']}", "", "presets (--preset=NAME)"]
    width = max(len(p["name"]) for p in algorithm["presets"])
    for p in algorithm["presets"]:
        lines += entry(p["name"], p["help"], width, " ".join(f"{key}={value}" for key, value in p["values"].items()))
    if algorithm["variants"]:
        lines.append(f"  {name}:PRESET has the presets of {' and '.join(algorithm['variants'])} too")
    for role, title in ROLES.items():
        fields = [f for f in algorithm["fields"] if f["role"] == role]
        if not fields:
            continue
        lines += ["", textwrap.fill(f"{title}  (--set {name}.PARAM=VALUE)", terminal_width(WIDEST))]
        width = max(len(f["name"]) for f in fields)
        for f in fields:
            lines += entry(f["name"], f"default {cell(f['default'], f['unit'])}   [{span(f)}]", width,
                           f"{f['help']} ({f['source']})" if f["source"] else f["help"])
    return "\n".join(lines)


def markdown(algorithm: dict) -> str:
    """Return the parameter tables as they stand in doc/; a test compares them."""
    lines = []
    for role, title in ROLES.items():
        fields = [f for f in algorithm["fields"] if f["role"] == role]
        if not fields:
            continue
        lines += [f"**{title}**", "", "| parameter | default | range | meaning | source |", "|---|---|---|---|---|"]
        lines += ["| " + " | ".join([f"`{f['name']}`", cell(f["default"], ""), span(f).replace("|", "\\|"), f["help"],
                                     f["source"]]) + " |" for f in fields]
        lines.append("")
    lines += ["| preset | what it changes | |", "|---|---|---|"]
    for p in algorithm["presets"]:
        changes = ", ".join(f"`{key}={value}`" for key, value in p["values"].items())
        lines.append(f"| `{p['name']}` | {changes or 'nothing: the defaults'} | {p['help']} |")
    return "\n".join(lines)


def add_arguments(parser) -> None:
    complete_with(parser.add_argument("name", nargs="?", metavar="NAME", help="show this algorithm in full"), declared.names)
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--markdown", action="store_true", help="print the tables as they stand in doc/")


def command(args) -> int:
    name = args.name
    known = declared.names()
    if name is not None and name not in known:
        raise RccError(f"unknown algorithm {name!r}{nearest(name, known)}; known: {', '.join(known)}")
    catalog = read()
    algorithms = catalog["algorithms"]
    if name is not None:
        algorithms = [a for a in algorithms if a["name"] == name]
    if args.json:
        print(json.dumps(dict(catalog, algorithms=algorithms), indent=1))
    elif args.markdown:
        print("\n\n".join(f"## {a['title']}\n\n{markdown(a)}" if name is None else markdown(a) for a in algorithms))
    else:
        print(in_full(algorithms[0]) if name is not None else overview(algorithms))
    return 0


COMMAND = Command(
    description="List the algorithms, or one algorithm's presets and parameters.",
    examples=[("./rcc algorithms", "all of them"),
        ("./rcc algorithms dcqcn-plus", "one in full")],
    add_arguments=add_arguments,
    run=command)
