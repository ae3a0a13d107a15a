# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""argparse as this command uses it: one-line errors that name the nearest known word, help that keeps words whole."""
from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import textwrap
from typing import Callable

from . import units
from .common import EXIT_USAGE, RccError, nearest


def columns() -> int:
    """Return the width of a help text."""
    return min(100, shutil.get_terminal_size().columns - 2)


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps words with a hyphen in one piece: a "dcqcn-plus" broken over two lines cannot be typed as it stands."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=26, width=columns())

    def _split_lines(self, text, width):
        return textwrap.wrap(text, width, break_on_hyphens=False)


class Once(argparse.Action):
    """An option with one value. Given twice it is refused: argparse would forget the first value and say nothing."""

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string and self in parser.given:
            parser.error(f"{option_string} is given twice, expected once")
        parser.given.add(self)
        setattr(namespace, self.dest, values)


MANY = 14     # options of a command whose --help shows all of them; of more it shows the first FIRST ones
FIRST = 10


class HelpAll(argparse.Action):
    """--help-all: the help with every option."""

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help(every=True)
        parser.exit()


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors, the nearest known word for what it does not know, and help that begins with examples."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("formatter_class", Formatter)
        self._rest: list = []
        super().__init__(*args, allow_abbrev=False, **kwargs)
        self.given: set = set()   # options that have been read
        self.first: tuple = ()    # the options that a short help prefers
        self.add_argument("--help-all", action=HelpAll, nargs=0, help=argparse.SUPPRESS)
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def later(self, add: Callable) -> None:
        """Call `add`, without arguments, before this parser is used. Of a dozen scenarios with sixty options each a command
        uses one."""
        self._rest.append(add)

    def complete(self) -> None:
        """Add all arguments."""
        rest, self._rest = self._rest, []
        for add in rest:
            add()

    def parse_known_args(self, args=None, namespace=None):
        self.complete()
        self.given = set()
        return super().parse_known_args(args, namespace)

    def print_help(self, file=None, every=False):
        self._print_message(self.format_help(every), file or sys.stdout)

    def format_help(self, every=False):
        """Return the help: what the command does, examples, options; with `every` all of them."""
        self.complete()
        listed = [action for action in self._actions if action.option_strings and action.help != argparse.SUPPRESS]
        short = not every and len(listed) - 1 > MANY
        if short:
            order = {name: number for number, name in enumerate(self.first)}
            listed = sorted(listed[1:], key=lambda action: order.get(action.option_strings[-1], len(order)))[:FIRST]
        formatter = self._get_formatter()
        if short:
            places = [action.metavar or action.dest for action in self._actions if not action.option_strings]
            formatter.add_usage(" ".join([self.prog, *places, "[OPTION]..."]), [], [])
        else:
            formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        below = self.usage is None    # ./rcc itself lists its commands last
        formatter.add_text(self.epilog if below else None)
        for group in self._action_groups:
            formatter.start_section("options" if group is self._optionals else group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(action for action in group._group_actions if not action.option_strings or action in listed)
            formatter.end_section()
        formatter.add_text(f"{self.prog} --help-all shows all options" if short else None)
        formatter.add_text(None if below else self.epilog)
        return formatter.format_help()

    def error(self, message):
        print(f"rcc: error: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(EXIT_USAGE)

    def _print_message(self, message, file=None):
        if message:  # argparse would keep quiet about a full disk
            (file or sys.stderr).write(message)

    def reject_unknown(self, unknown: list) -> None:
        """End the command because of words that argparse could not place."""
        from .run.options import RETIRED
        word = unknown[0]
        name = word.partition("=")[0]
        now = RETIRED.get(name[2:], "")
        if now and now.replace("=", " ").split()[0] in self.known_options():
            self.error(f"{name} is {now} now")
        what = "unknown option" if word.startswith("-") else "unexpected argument"
        self.error(f"{what} {word}{nearest(word.split('=')[0], self.known_options())}")

    def known_options(self) -> list:
        """List every way to write every option that help shows."""
        return [s for action in self._actions for s in action.option_strings if action.help != argparse.SUPPRESS]

    def _check_value(self, action, value):
        accepts = getattr(action, "accepts", None)   # accepts words that are not names among the choices
        if action.choices is not None and value not in action.choices and not (accepts and accepts(value)):
            names = [str(c) for c in action.choices]
            what = {"command": "command", "scenario": "scenario"}.get(action.dest, action.dest)
            self.error(f"unknown {what} {value!r}{nearest(value, names)}; known: {', '.join(names)}")


def complete_with(action: argparse.Action, words: Callable) -> None:
    """Have shells offer what `words` returns as values of an option or a place, which accepts others too."""
    setattr(action, "offered", words)


def positive(text: str) -> int:
    """Read a whole number of at least 1, for the `type` of an option."""
    with contextlib.suppress(RccError):
        if units.parse("count", text, "") >= 1:
            return int(units.parse("count", text, ""))
    raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number of at least 1")


def examples(pairs: list) -> str:
    """Return the end of a help text from (command, what it does) pairs."""
    return "examples:\n" + "\n".join(f"  {command}\n      {what}" for command, what in pairs)
