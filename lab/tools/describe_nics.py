#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Writes lab/scenario/lab-nic-table.inc from lab/nics.json: the cards that --nic=NAME offers, for the programs.

lab/tools/describe_nics.py           write the file
lab/tools/describe_nics.py --check   exit status 1 if the file says something else than lab/nics.json
"""
import argparse
import json
import os
import sys

LAB = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, LAB)

from command import units  # noqa: E402

SOURCE = os.path.join(LAB, "nics.json")
TARGET = os.path.join(LAB, "scenario", "lab-nic-table.inc")
HEAD = """/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* lab/tools/describe_nics.py writes this file from lab/nics.json, which says where each value is from. */
"""


def ns(text: str) -> int:
    """A delay in nanoseconds."""
    return int(units.exact("time", text, "lab/nics.json") * 1_000_000_000)


def row(name: str, nic: dict) -> str:
    """One card, as lab-nic.h declares it."""
    settings = ", ".join(f'{{"{key}", "{value}"}}' for key, value in nic["settings"].items())
    delays = ", ".join(str(ns(nic.get(key, "0s"))) for key in ("nak_generation", "nak_reaction"))
    per_destination = "true" if nic.get("cnp_limiter") == "destination IP" else "false"
    return f'{{"{name}", "{nic["preset"]}", {{{settings}}}, {delays}, {per_destination}}},\n'


def described() -> str:
    """The content of the table."""
    with open(SOURCE, encoding="utf-8") as f:
        nics = json.load(f)
    return HEAD + "".join(row(name, nic) for name, nic in nics.items() if nic["option"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args()
    text = described()
    if args.check:
        with open(TARGET, encoding="utf-8") as f:
            if f.read() != text:
                print(f"{TARGET} is out of date: lab/tools/describe_nics.py writes it anew")
                return 1
        return 0
    with open(TARGET, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
