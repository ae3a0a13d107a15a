# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""All commands with their options, as the parsers have them: the one source of help, completion and manual page."""
from __future__ import annotations

import argparse
import re
from typing import NamedTuple

from ..arguments import Parser


class Leaf(NamedTuple):
    """A command, or a scenario of one."""
    words: tuple         # ("run", "incast"); () is ./rcc itself
    parser: Parser
    help: str            # one line

    @property
    def options(self) -> list:
        """The option actions that help shows, --help included."""
        return [action for action in self.parser._actions if action.option_strings and action.help != argparse.SUPPRESS]

    @property
    def places(self) -> list:
        """The actions of words without dashes, subcommands left out."""
        return [action for action in self.parser._actions
                if not action.option_strings and not isinstance(action, argparse._SubParsersAction)]


def walk(parser: Parser, words: tuple = (), text: str = "") -> list:
    """A parser and all below it, in the order of the help."""
    parser.complete()
    found = [Leaf(words, parser, text)]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, below in action.choices.items():
                found += walk(below, words + (name,), said.get(name, ""))
    return found


def leaves() -> list:
    from ..main import make_parser
    top = make_parser()
    return walk(top, (), top.description or "")


def values(action: argparse.Action) -> list:
    """The words that an option or a place can be, where they are known."""
    if hasattr(action, "offered"):
        return action.offered()
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return metavar.split("|") if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", metavar) else []


def takes_value(action: argparse.Action) -> bool:
    return action.nargs != 0
