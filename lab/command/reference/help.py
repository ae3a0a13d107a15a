# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc help [COMMAND [SCENARIO]]`: the text of --help."""
from __future__ import annotations

from . import tree
from ..common import RccError, nearest
from ..registry import Command


def add_arguments(parser) -> None:
    parser.add_argument("words", metavar="COMMAND", nargs="*", help="a command, and a scenario of it")


def command(args) -> int:
    known = {leaf.words: leaf for leaf in tree.leaves()}
    words = tuple(args.words)
    if words not in known:
        near = nearest(" ".join(words), [" ".join(path) for path in known if path])
        raise RccError(f"no command '{' '.join(words)}'{near}; ./rcc help lists them")
    known[words].parser.print_help()
    return 0


COMMAND = Command(
    description="Print the help of a command, as --help does.",
    examples=[("./rcc help", "all commands"), ("./rcc help run incast", "the options of a scenario")],
    add_arguments=add_arguments,
    run=command)
