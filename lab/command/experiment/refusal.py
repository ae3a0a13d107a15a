# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Errors about a value that a person gave, without the place of the value."""
from __future__ import annotations

from typing import NoReturn

from .quantity import read_within
from ..common import RccError


class Refusal(RccError):
    """A wrong value. On the command line it reads --OPTION VERB 'QUOTED'REST; a file puts its name, line and key in front.

    Args:
        option: name without dashes.
        verb: "is" of a value, "has" of an item of a list, "names" of a node.
        quoted: what was found.
        rest: the end of the sentence, such as ", expected 1 to 7".
    """

    def __init__(self, option: str, verb: str, quoted: str, rest: str):
        super().__init__(f"--{option} {verb} '{quoted}'{rest}")
        self.option, self.verb, self.quoted, self.rest = option, verb, quoted, rest

    def renamed(self, option: str) -> "Refusal":
        """Return the same refusal of an option with another name."""
        return Refusal(option, self.verb, self.quoted, self.rest)

    def in_file(self, place: str) -> str:
        """Return the message for a value of a file. `place`: FILE:LINE."""
        rest = self.rest.replace("--", "")   # keys have no dashes
        return f"{place}: {self.option}: found '{self.quoted}'{rest}"


class Statement(Refusal):
    """An error about an option beside others, or about what it names. A file puts its name and line in front of it, and the
    key where the sentence does not begin with it.

    Args:
        option: name without dashes.
        message: the sentence of the command line.
        quoted: the wrong part of a list's item; empty: the whole option.
    """

    def __init__(self, option: str, message: str, quoted: str = ""):
        RccError.__init__(self, message)
        self.option, self.verb, self.quoted, self.message = option, "", quoted, message

    def renamed(self, option: str) -> "Statement":
        """Return the same statement of an option with another name."""
        return Statement(option, self.message.replace(f"--{self.option}", f"--{option}"), self.quoted)

    def in_file(self, place: str) -> str:
        """Return the message for a key of a file. `place`: FILE:LINE."""
        key = "" if self.message.startswith(f"--{self.option}") else f"{self.option}: "
        return f"{place}: {key}{self.message.replace('--', '')}"


def refuse_value(option: str, value: str, expected: str) -> NoReturn:
    """Raise the refusal of an option's whole value."""
    raise Refusal(option, "is", value, f", expected {expected}")


def refuse_item(option: str, item: str, expected: str) -> NoReturn:
    """Raise the refusal of one item of a list."""
    raise Refusal(option, "has", item, f", expected {expected}")


def read_field(option: str, item: str, unit: str, text: str, low: int, high: int) -> int:
    """Read a quantity that is a field of a list's item, or the whole item. Raises Refusal."""
    value, expected = read_within(unit, text, low, high)
    if expected:
        refuse_item(option, item if item == text else f"{item}': '{text}", expected)
    return value
