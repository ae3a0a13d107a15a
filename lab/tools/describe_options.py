#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Writes lab/scenario/lab-option-table.inc from lab/command/run/options.py: the options that the programs read.

lab/tools/describe_options.py           write the file
lab/tools/describe_options.py --check   exit status 1 if the file says something else than options.py
"""
import argparse
import os
import sys
import textwrap

LAB = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, LAB)

from command import units  # noqa: E402
from command.run import options  # noqa: E402

TARGET = os.path.join(LAB, "scenario", "lab-option-table.inc")
HEAD = """/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* lab/tools/describe_options.py writes this file from lab/command/run/options.py. */
"""
TABLES = {"experiment": options.EXPERIMENT, "ns3-rdma": options.NS3_RDMA, "run": options.EVERY_RUN, "capture": options.CAPTURE}
UNITS = {"time": "RCC_UNIT_NS", "rate": "RCC_UNIT_BPS", "size": "RCC_UNIT_BYTES", "ratio": "RCC_UNIT_RATIO", "count": "RCC_UNIT_COUNT"}


def rows() -> list:
    """Every option once, in an order that is that of each table."""
    common = {option.name for option in options.EVERY_RUN}
    found = [o for o in options.EXPERIMENT if o.name not in common and o.name != "print"]
    found += [o for o in options.NS3_RDMA if o.name not in common]
    for option in options.EVERY_RUN:
        found += [option, *(o for o in options.NS3_RDMA if o.name == option.name and o != option)]
    return found + [options.EXPERIMENT[-1]]


def number(option: options.Declared, text: str) -> str:
    """A limit in the unit of the core."""
    return str(int(units.exact(option.unit, text, option.name) * units.PER_SMALLEST[option.unit]))


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row(option: options.Declared) -> str:
    """One option, as lab-options.h declares it."""
    tables = " ".join(name for name, table in TABLES.items() if option in table)
    kind = "QUANTITY" if option.unit in UNITS else option.unit.upper()
    low, high = (number(option, text) if text else "0" for text in (option.low, option.high))
    words = ", ".join(map(quoted, option.words or option.keys))
    about = option.help + (f" (default: {option.unset})" if option.unset else "")
    parts = textwrap.wrap(about, 105, drop_whitespace=False, break_long_words=False, break_on_hyphens=False)
    unit = UNITS.get(option.unit, "RCC_UNIT_COUNT")
    fields = [quoted(tables), "Kind::" + kind, unit, quoted(option.name), quoted(option.default), low, high]
    words = "\n     ".join(textwrap.wrap("{" + words + "}", 105))
    return "    {" + ", ".join(fields) + ",\n     " + "\n     ".join(map(quoted, parts)) + f", {words}}},\n"


def retired(one: tuple) -> str:
    """An option that is none any more: as a key of an older file it is told what says it now."""
    name, now = one
    return f'    {{"retired", Kind::TEXT, RCC_UNIT_COUNT, {quoted(name)}, "", 0, 0,\n     {quoted(now.replace("--", ""))}, {{}}}},\n'


def table() -> str:
    """The content of the file."""
    return HEAD + "".join(map(row, rows())) + "".join(map(retired, options.RETIRED_KEYS.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args()
    if args.check:
        with open(TARGET, encoding="utf-8") as f:
            if f.read() != table():
                print(f"{TARGET} is out of date: lab/tools/describe_options.py writes it anew")
                return 1
        return 0
    with open(TARGET, "w", encoding="utf-8") as f:
        f.write(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
