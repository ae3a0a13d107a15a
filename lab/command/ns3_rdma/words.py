# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""config.txt as words, which it is in both simulators: which are keys, and which their values."""
from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional

from . import keys as table
from .files import Remarks, Warnings, at, found_expected, lines_of, shown, words_of
from ..common import RccError, counted, show_nearest

FILE_MAX = 1 << 20   # bytes
KEY_LIKE = re.compile(r"(?=.*[A-Z])[A-Z0-9_]{3,}", re.ASCII)


class Given(NamedTuple):
    """The words behind a key, and the key's line."""
    words: List[str]
    line: int


class Word(NamedTuple):
    """A word of the file."""
    text: str
    line: int
    is_first: bool   # true for the first word of its line


def upper(text: str) -> str:
    """Return a text with the letters a to z as capitals."""
    return re.sub("[a-z]+", lambda found: found[0].upper(), text)


def names_key(given: Dict[str, Given], name: str) -> bool:
    """True if the file gives a key, of one node or of all."""
    return name in given or any(key.startswith(name + " ") for key in given)


def dialect_keys(given: Dict[str, Given]) -> tuple:
    """List the keys given that only ns3-rdma has, and those that only the HPCC simulator has."""
    of_one = [key for key in table.KEYS if (key.original is None) != (key.hpcc is None) and names_key(given, key.name)]
    return [key.name for key in of_one if key.hpcc is None], [key.name for key in of_one if key.original is None]


def is_original(given: Dict[str, Given]) -> bool:
    """True if the keys are rather those of ns3-rdma."""
    original, hpcc = dialect_keys(given)
    return len(original) > len(hpcc)


class KeyReader:
    """Splits a file into keys and their values. What is ignored becomes a remark, unknown keys first."""

    def __init__(self, path: str, original: Optional[bool], remarks: Remarks):
        """`original`: the dialect, ns3-rdma or not; None: by the keys."""
        self.path, self.original, self.remarks = path, original, remarks
        self.others: list = []                   # warnings that are not about unknown keys
        self.warnings = Warnings(self.others)
        self.words: List[Word] = []
        self.unknown: List[Word] = []
        self.state = "blank"                     # the kind of the last words: blank, known, unknown, prose
        self.last = ""                           # key
        self.has_prose = False                   # it was warned of
        self.comments, self.first_comment = 0, 0

    def read(self) -> Dict[str, Given]:
        """Read the file. Raises RccError."""
        for number, line in lines_of(self.path, "a configuration file with lines of KEY value", FILE_MAX):
            self.add_line(words_of(line), number)
        given: Dict[str, Given] = {}
        position = 0
        while position < len(self.words):
            word = self.words[position]
            key = table.BY_NAME.get(word.text)
            if not key:
                self.skip(word)
            elif not word.is_first and self.state == "prose":
                self.warn(word.line, f"{word.text}: ignored, because its line does not begin with a key; those simulators would read it")
            else:
                value, position = self.read_values(key, position)
                self.state = "known"
                self.last = key.name + (f" {value.words[0]}" if key.is_of_node else "")
                if self.last in given:
                    self.warn(value.line, f"{self.last}: given again, line {given[self.last].line} is ignored")
                given[self.last] = value
            position += 1
        self.add_warnings(given)
        if not given:
            raise RccError(f"{self.path}:1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'")
        return given

    def count_comment(self, line: int) -> None:
        self.comments += 1
        self.first_comment = self.first_comment or line

    def add_line(self, words: list, line: int) -> None:
        """Add the words of a line without comments: in braces, or from # or // behind a word on."""
        braces = False
        for number, word in enumerate(words):
            opened = 0 if braces else word.find("{")
            if opened >= 0:
                if not braces:
                    self.comments += 1
                self.first_comment = self.first_comment or line
                braces = "}" not in word[opened:]
                word = word[:opened]
            elif number > 0 and (word[0] == "#" or word.startswith("//")):
                self.count_comment(line)
                return
            if word:
                self.words.append(Word(word, line, number == 0))

    def warn(self, line: int, text: str) -> None:
        self.warnings.add(at(self.path, line, text))

    def skip(self, word: Word) -> None:
        """Skip a word that is no key and no value of one."""
        if not word.is_first:
            if self.state == "known":
                self.state = "unknown"
                if word.text[0] in "0123456789":
                    self.warn(word.line, f"{self.last}: ignored {shown(word.text)} after the value")
                    return
                self.count_comment(word.line)
            return
        similar = len(word.text) <= 64 and upper(word.text) in table.BY_NAME
        if KEY_LIKE.fullmatch(word.text) or similar or word.text.startswith("ns3::"):
            self.state = "unknown"
            self.unknown.append(word)
            return
        self.state = "prose"
        if not self.has_prose and word.text[0] != "#":
            self.warn(word.line, f"ignored text that does not begin with a key: {shown(word.text)}")
            self.has_prose = True

    def read_values(self, key: table.Key, position: int) -> tuple:
        """Return the values of a key whose word is at `position`, and the position of its last value."""
        line = self.words[position].line

        def fail(found: str) -> None:
            raise RccError(at(self.path, line, found_expected(key.name, found, key.expected())))

        words: List[str] = []
        first = 2 if key.is_of_node else 1    # values up to the first one that is not the node
        wanted = 3 if key.kind == "link_down" else first
        while len(words) < wanted:
            position += 1
            end = position >= len(self.words)
            if end or self.words[position].text in table.BY_NAME:
                which = f" instead of value {len(words) + 1} of {wanted}" if wanted > 1 else ""
                fail(("the end of the file" if end else f"the key '{self.words[position].text}'") + which)
            words.append(self.words[position].text)
            if len(words) == first and key.kind in table.MAPS:
                count = table.numbers.read_number(words[-1], 0, table.MAP_MAX) if words[-1].replace(".", "", 1).isdigit() else None
                if count is None:
                    fail(shown(words[-1]))
                wanted = first + 2 * count
        return Given(words, line), position

    def add_warnings(self, given: Dict[str, Given]) -> None:
        """Add what was ignored: unknown keys, then all else; one note for all comments."""
        original = is_original(given) if self.original is None else self.original
        missing = [key.name for key in table.KEYS if key.missing(original) is not None and not names_key(given, key.name)]
        unknown = Warnings(self.remarks.warnings)
        for word in self.unknown:
            fork = table.fork_key(word.text)
            key = table.BY_NAME.get(upper(word.text))   # in other letters
            if fork:
                text = f"{word.text}: ignored, a key of forks: {fork}"
            elif key and key.missing(original) is not None:
                text = f"ignored the unknown key {shown(word.text)}; the nearest is '{upper(word.text)}'"
            else:
                text = f"ignored the unknown key {shown(word.text)}{show_nearest(upper(word.text), missing) if unknown.has_room() else ''}"
            unknown.add(at(self.path, word.line, text))
        unknown.finish(self.path)
        self.warnings.finish(self.path)
        self.remarks.warnings += self.others
        if self.comments:
            self.remarks.notes.append(at(self.path, self.first_comment,
                                         f"{counted(self.comments, 'comment')} in braces or behind values ignored, here the first"))
