# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc attributes`: the attributes that --attr can set, as ns-3 registers them and build/rcc-catalog prints them."""
from __future__ import annotations

import json
import textwrap

from . import algorithms
from ..common import WIDEST, RccError, align, nearest, terminal_width
from ..registry import Command

GROUP = "Rcc"   # the group of the module's own types
OF_FLOWS = "RdmaClient"   # programs set its attributes for each flow; --attr refuses it


def read() -> list:
    """Read every type with attributes of its own."""
    return algorithms.read("--attributes")


def short(name: str) -> str:
    return name[len("ns3::"):] if name.startswith("ns3::") else name


def list_module_types(types: list) -> list:
    """List the module's types, without those of algorithms, whose parameters --set sets."""
    known = {entry["typeid"] for entry in algorithms.read()["algorithms"]}
    return [entry for entry in types if entry["group"] == GROUP and entry["type"] not in known]


def overview(types: list) -> str:
    rows = [["type", "attributes"]] + [[short(entry["type"]), str(len(entry["attributes"]))] for entry in types]
    return align(rows, left=1) + "\n\n./rcc attributes TYPE shows the attributes of one, also of ns-3's own types"


def in_full(entry: dict) -> str:
    name = short(entry["type"])
    width = terminal_width(WIDEST)
    lines = [textwrap.fill(f"{name}  (--attr {name}.NAME=VALUE)", width)]
    for a in entry["attributes"]:
        lines.append(textwrap.fill(f"  {a['name']}  default {a['default'] or 'none'}   [{a['value']}]", width, subsequent_indent=" " * 6))
        lines.append(textwrap.fill(a["help"], min(width, 98), initial_indent=" " * 6, subsequent_indent=" " * 6))
    return "\n".join(lines)


def add_arguments(parser) -> None:
    parser.add_argument("type", nargs="?", metavar="TYPE", help="show the attributes of this type, with or without ns3::")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def command(args) -> int:
    types = read()
    if args.type is None:
        chosen = [entry for entry in list_module_types(types) if short(entry["type"]) != OF_FLOWS]
    else:
        known = [short(entry["type"]) for entry in types]
        chosen = [entry for entry in types if short(entry["type"]) == short(args.type)]
        if not chosen:
            raise RccError(f"no type {args.type!r} with attributes{nearest(short(args.type), known)}")
    if args.json:
        print(json.dumps(chosen, indent=1))
    else:
        print(in_full(chosen[0]) if args.type is not None else overview(chosen))
    return 0


COMMAND = Command(
    description="List the types whose attributes --attr sets, or the attributes of one: default, kind of value and range.",
    examples=[("./rcc attributes", "the module's types"),
        ("./rcc attributes QbbSwitch", "attributes of the shared-buffer switch"),
        ("./rcc attributes TcpSocketBase", "and those of a type of ns-3")],
    add_arguments=add_arguments,
    run=command)
