# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The commands of `./rcc`. A command is one module of a package of lab/, which the package lists in COMMANDS and which defines COMMAND;
its name is the module's, with hyphens. Only the module of the command that is called is imported."""
from __future__ import annotations

import importlib
import importlib.util
import textwrap
from typing import Callable, NamedTuple, Optional

from .arguments import Parser, examples

# The groups of the help, each with the packages whose commands it has, in this order.
GROUPS = {
    "run": ("command.run", "command.results", "evidence.reproduce", "command.files", "command.pcap"),
    "look up": ("command.reference", "command.models"),
    "develop": ("command.system",),
}
ASIDE = {"bench": "develop", "build": "run", "install": "run", "doctor": "look up", "version": "look up"}   # not the group of their package
OLD = {"topology": "generate topology", "workload": "generate workload", "fixed-point": "model fixed-point", "approx": "model approx",
       "man": "help"}


class Command(NamedTuple):
    """The declaration of a command. `run` gets the parsed arguments, with all words of the command line as args.argv, and
    returns the exit status; it may raise RccError."""
    run: Callable
    examples: list                                # (command, what it does) pairs
    help: str = ""                                # one line, of a command below another one; others have theirs in COMMANDS
    add_arguments: Optional[Callable] = None      # gets the command's parser
    description: Optional[str] = None             # the head of its own help
    notes: str = ""                               # stands before the examples in its own help


class Entry(NamedTuple):
    """A command that is not imported yet."""
    module: str
    help: str     # the line of `./rcc --help`


def list_groups() -> dict:
    """Return {group: {name of a command: its Entry}}, in the order of the help."""
    found: dict = {group: {} for group in GROUPS}
    for group, packages in GROUPS.items():
        for package in packages:
            if not importlib.util.find_spec(package.partition(".")[0]):
                continue    # a part of the lab that was deleted has no commands
            for module, line in importlib.import_module(package).COMMANDS.items():
                name = module.replace("_", "-")
                found[ASIDE.get(name, group)][name] = Entry(f"{package}.{module}", line)
    return found


def names() -> dict:
    """Return all commands in the order of the help: {name: its Entry}."""
    return {name: entry for group in list_groups().values() for name, entry in group.items()}


def load(entry: Entry) -> Command:
    """Import the module of a command, and return its declaration."""
    return importlib.import_module(entry.module).COMMAND._replace(help=entry.help)


def overview(width: int) -> str:
    """List the commands by group, a line or two each."""
    lines = []
    for group, commands in list_groups().items():
        lines.append(f"{group}:")
        for name, entry in commands.items():
            lines += textwrap.wrap(entry.help, width, initial_indent=f"  {name:<12}", subsequent_indent=14 * " ",
                                   break_on_hyphens=False)
        lines.append("")
    return "\n".join(lines)


def add(commands, name: str, command: Command) -> Parser:
    """Add a command's parser to `commands`, the result of argparse's add_subparsers."""
    parser = commands.add_parser(name, help=command.help, description=command.description,
                                 epilog=command.notes + examples(command.examples))
    parser.set_defaults(leaf=parser, function=command.run)
    if command.add_arguments:
        command.add_arguments(parser)
    return parser


def add_parts(parser: Parser, parts: dict, metavar: str) -> None:
    """Add subcommands, {name: Command}, to a command that has no options."""
    below = parser.add_subparsers(dest=metavar.lower(), metavar=metavar, required=True, parser_class=Parser)
    for name, command in parts.items():
        add(below, name, command)
