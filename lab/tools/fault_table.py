#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Print the table of faults of lab/evidence/doc/faults.md:

    python3 lab/tools/fault_table.py BUILD_FOLDER"""
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "lab", "test", "command"))

import fault_cases  # noqa: E402


def main(build: str) -> int:
    failed = 0
    print("| fault | hits | survived | flows ended | frames lost | recovery after its end | test |")
    print("|---|---|---|---|---|---|---|")
    for case in fault_cases.CASES:
        with tempfile.TemporaryDirectory() as folder:
            result = fault_cases.run(os.path.abspath(build), case, folder)
        failed += result.status != 0
        print(fault_cases.row(case, result) if result.run else f"| {case.name}: {result.stderr.strip()} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build")))
