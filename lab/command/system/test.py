# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc test`: the tests live in test/, with a driver of their own."""
from __future__ import annotations

import os
import sys

from ..common import EXIT_FAILED, ROOT, RccError
from ..registry import Command


def add_arguments(parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="run these tests only, in place of stages: test_run, rcc-addresses")
    parser.add_argument("--only", metavar="STAGE", action="append", help="run this stage only; repeatable")
    parser.add_argument("--tree", action="store_true",
        help="build an ns-3 source tree for the stage `tree` if there is none yet: some minutes, once")
    parser.add_argument("--list", action="store_true", help="list the stages and exit")


def command(args) -> int:
    folder = os.path.join(ROOT, "lab", "test")
    if not os.path.isdir(os.path.join(folder, "stages")):
        raise RccError(f"{folder}: the tests are not there", EXIT_FAILED)
    sys.path.insert(0, folder)
    from stages import driver
    return driver.command(args.only, args.list, args.tree, args.names)


COMMAND = Command(
    description="Build and run all tests; ends with a line `N passed, N failed`.",
    examples=[("./rcc test", "everything"),
        ("./rcc test --only core-tests --only cli", "two stages"),
        ("./rcc test test_run rcc-addresses", "two tests by name"),
        ("./rcc test --list", "the stages and what they do"),
        ("./rcc test --tree", "build an ns-3 source tree for the last stage too")],
    add_arguments=add_arguments,
    run=command)
