# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""JSON whose values know the line that they stand in, for messages about what a person wrote."""
from __future__ import annotations

import json
import re
from typing import List, NamedTuple, NoReturn, Tuple

from ..common import JSON_LIMIT, RccError, open_regular, visible

DEPTH_MAX = 64
FILE_LIMIT = 1 << 28   # ten million flows in short form
PLAIN = ("text", "number", "flag")
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
WORD = re.compile(r"[^ \t\r\n,:\]}]*")
BLANKS = re.compile(r"[ \t\r\n]*")
TEXT = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)("?)')


class Value(NamedTuple):
    """One value. `kind`: text, number, flag, nothing, list or object."""
    kind: str
    line: int
    text: str = ""          # the text, the number as text, or true or false
    items: tuple = ()       # Values of a list or object
    keys: tuple = ()        # (name, line) of each item of an object

    def is_plain(self) -> bool:
        """True if it is a text, a number or a flag."""
        return self.kind in PLAIN

    def shown(self) -> str:
        """Return the value as messages show it."""
        return {"nothing": "null", "list": "a list", "object": "an object"}.get(self.kind) or quoted(self.text)


def quoted(text: str, most: int = 40) -> str:
    """Return a text in quotes, cut after `most` characters, with ? for what a terminal cannot show."""
    shown = "".join(letter if " " <= letter <= "~" else "?" for letter in text[:most])
    return f"'{shown}{'...' if len(text) > most else ''}'"


def at(path: str, line: int, message: str) -> RccError:
    """Return an error with its place in front."""
    return RccError(f"{visible(path)}:{max(line, 1)}: {message}")


class Reader:
    """A recursive reader of one text."""

    def __init__(self, path: str, text: str):
        self.path, self.text, self.at, self.line = path, text, 0, 1

    def read_all(self) -> Value:
        """Read the only value of the text."""
        value = self.value(0)
        if self.peek():
            self.refuse("the end of the file")
        return value

    def fail(self, found: str, expected: str) -> NoReturn:
        raise at(self.path, self.line, f"found {found}, expected {expected}")

    def refuse(self, expected: str) -> NoReturn:
        """Raise for the text at the current position."""
        end = self.text.find("\n", self.at)
        end = min(end if end >= 0 else len(self.text), self.at + 20)
        self.fail(quoted(self.text[self.at:max(end, self.at + 1)]) if self.at < len(self.text) else "the end", expected)

    def peek(self) -> str:
        """Return the next character that is no blank; empty at the end."""
        end = BLANKS.match(self.text, self.at).end()
        self.line += self.text.count("\n", self.at, end)
        self.at = end
        return self.text[end:end + 1]

    def value(self, depth: int) -> Value:
        if depth > DEPTH_MAX:
            self.refuse(f"at most {DEPTH_MAX} levels")
        first, line = self.peek(), self.line
        if first and first in "{[":
            return self.items(depth, first == "{")
        if first == '"':
            return Value("text", line, self.string())
        if not (first == "-" or first.isdigit() or "a" <= first <= "z"):
            self.refuse("a value: text, number, list or object")
        word = WORD.match(self.text, self.at).group()
        kind = {"true": "flag", "false": "flag", "null": "nothing"}.get(word, "number")
        if kind == "number" and not NUMBER.fullmatch(word):
            self.refuse("a value: texts have quotes")
        self.at += len(word)
        return Value(kind, line, word)

    def items(self, depth: int, is_object: bool) -> Value:
        line, close = self.line, "}" if is_object else "]"
        items: List[Value] = []
        keys: List[Tuple[str, int]] = []
        known: dict = {}
        self.at += 1
        while self.peek() != close or items:
            if is_object:
                keys.append(self.key(known))
            items.append(self.value(depth + 1))
            if self.peek() == close:
                break
            if self.peek() != ",":
                self.refuse(f"a comma or {close}")
            self.at += 1
        self.at += 1
        return Value("object" if is_object else "list", line, "", tuple(items), tuple(keys))

    def key(self, known: dict) -> Tuple[str, int]:
        if self.peek() != '"':
            self.refuse("a key in quotes")
        line = self.line
        name = self.string()
        if name in known:
            self.fail(f"the key {quoted(name)} again", f"it once, as in line {known[name]}")
        known[name] = line
        if self.peek() != ":":
            self.refuse("a colon after a key")
        self.at += 1
        return name, line

    def string(self) -> str:
        found = TEXT.match(self.text, self.at)
        self.at = found.end()
        if not found.group(2):
            self.refuse("an escape of JSON" if self.text[self.at:self.at + 1] == "\\" else "a quote at the end of the text")
        if "\\" not in found.group(1):
            return found.group(1)
        text = json.loads(found.group())
        # a byte of a name that is no UTF-8 is written as a lone surrogate, which Python has for it too
        for letter in text:
            if "\ud800" <= letter <= "\udfff" and not "\udc80" <= letter <= "\udcff":
                self.refuse("the second half of a character")
        if "\0" in text:
            self.refuse("an escape of JSON")
        return text


def read(path: str, limit: int = JSON_LIMIT) -> Value:
    """Read a file of JSON. Raises RccError if it cannot be read, or is no JSON: FILE:LINE: found .., expected .."""
    try:
        with open_regular(path, limit) as f:
            text = f.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise RccError(f"{visible(path)}: {error.strerror or error}") from error
    if "\0" in text:
        raise at(path, text.count("\n", 0, text.index("\0")) + 1, "found a byte of value 0, expected text")
    return Reader(path, text.lstrip("\ufeff").replace("\r\n", "\n")).read_all()
