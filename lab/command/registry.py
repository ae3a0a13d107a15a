# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The commands of `./rcc`. A command is one module of a package of lab/command/, which the package lists in COMMANDS and which defines
COMMAND; its name is the module's, with hyphens. Only the module of the command that is called is imported."""
from __future__ import annotations

import importlib
from typing import Callable, NamedTuple, Optional

from .arguments import Parser, examples

SUBJECTS = ["command.run", "command.results", "command.reproduce", "studies", "command.models", "command.files", "command.pcap",
            "command.reference", "command.system"]


class Command(NamedTuple):
    """What a command says of itself. `run` gets the parsed arguments, with all words of the command line as args.argv, and
    returns the exit status; it may raise RccError."""
    help: str                                     # one line, for `./rcc --help`
    run: Callable
    examples: list                                # (command, what it does) pairs
    add_arguments: Optional[Callable] = None      # gets the command's parser
    description: Optional[str] = None             # the head of its own help
    notes: str = ""                               # stands before the examples in its own help


def names() -> dict:
    """All commands, in the order of the help: {name: its module}."""
    found = {}
    for subject in SUBJECTS:
        package = importlib.import_module(subject)
        found.update({module.replace("_", "-"): f"{subject}.{module}" for module in package.COMMANDS})
    return found


def load(module: str) -> Command:
    """The command that a module defines."""
    return importlib.import_module(module).COMMAND


def add(commands, name: str, command: Command) -> Parser:
    """Give a command its parser among `commands`, what argparse's add_subparsers returned."""
    parser = commands.add_parser(name, help=command.help, description=command.description,
                                 epilog=command.notes + examples(command.examples))
    parser.set_defaults(leaf=parser, function=command.run)
    if command.add_arguments:
        command.add_arguments(parser)
    return parser
