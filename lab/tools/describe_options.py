#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Writes lab/command/run/options.json: the options of the programs of `./rcc run`, as the programs of a build declare them.

lab/tools/describe_options.py BUILD_DIR           write the file
lab/tools/describe_options.py BUILD_DIR --check   exit status 1 if the file says something else than the programs
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command.run import experiments, ns3_rdma, scenarios  # noqa: E402


def described(build: str) -> str:
    """The content of options.json: one line per option."""
    programs = sorted({experiments.program(s.program) for s in [*scenarios.SCENARIOS.values(), ns3_rdma.SCENARIO]})
    parts = []
    for program in programs:
        done = subprocess.run([os.path.join(build, program), "--describe"], stdout=subprocess.PIPE, check=True, text=True)
        lines = [json.dumps(option) for option in json.loads(done.stdout)]
        parts.append(f"{json.dumps(program)}: [\n  " + ",\n  ".join(lines) + "]")
    return "{" + ",\n".join(parts) + "}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD_DIR", help="folder with the programs")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args()
    text = described(args.build)
    if args.check:
        with open(scenarios.OPTIONS, encoding="utf-8") as f:
            if f.read() != text:
                print(f"{scenarios.OPTIONS} is out of date: lab/tools/describe_options.py {args.build} writes it anew")
                return 1
        return 0
    with open(scenarios.OPTIONS, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
