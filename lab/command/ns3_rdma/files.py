# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Text files of users, line by line, and messages about them."""
from __future__ import annotations

import os
import re
import stat
from typing import Iterator, List, Tuple

from ..common import RccError, without_mark
from ..experiment.json_lines import quoted as shown

LINE_MAX = 1 << 20      # bytes
BLANK_MAX = 1_000_000   # blank lines in a row
NO_BLANKS = re.compile(r"[^ \t\n\v\f\r]+")


def at(path: str, line: int, message: str) -> str:
    """Return a message with its place in front."""
    visible = "".join(letter if letter >= " " else "?" for letter in path)
    return f"{visible}:{max(line, 1)}: {message}"


def found_expected(what: str, found: str, expected: str) -> str:
    """Return the form of messages about a value."""
    return f"{what}: found {found}, expected {expected}"


def wrong(path: str, line: int, what: str, found: str, expected: str) -> RccError:
    """Return an error about a value in a line."""
    return RccError(at(path, line, found_expected(what, found, expected)))


def kind_of_file(mode: int) -> str:
    """Name what a file is that is no regular one."""
    return "a directory" if stat.S_ISDIR(mode) else "a FIFO" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


def read_bytes(path: str, expected: str, most: int) -> bytes:
    """Read a regular file of at most `most` bytes. Raises RccError."""
    name = shown(path, 4096)
    try:
        info = os.stat(path)
        if not stat.S_ISREG(info.st_mode):   # opening a pipe may wait for ever
            raise RccError(f"{name}: found {kind_of_file(info.st_mode)}, expected {expected}")
        if info.st_size > most:
            raise RccError(f"{name} has {info.st_size} bytes, expected at most {most}")
        with open(path, "rb") as f:
            return without_mark(f.read())
    except OSError as error:
        raise RccError(f"{name}: {error.strerror}, expected {expected}") from error


def lines_of(path: str, expected: str, most: int) -> Iterator[Tuple[int, str]]:
    """Yield (number, line) of a text file, without line ends."""
    return lines_in(path, read_bytes(path, expected, most))


def lines_in(path: str, content: bytes) -> Iterator[Tuple[int, str]]:
    """Yield (number, line) of a text file's content, without line ends. `path`: for messages."""
    zero = content.find(b"\0")
    bad = content.count(b"\n", 0, zero) + 1 if zero >= 0 else 0
    lines = (content[:zero + 1] if bad else content).decode("utf-8", "surrogateescape").split("\n")
    blank = 0
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        if number == bad:
            raise RccError(at(path, number, "found a byte of value 0, expected text"))
        if len(line) > LINE_MAX:
            raise RccError(at(path, number, f"found a line of more than {LINE_MAX} bytes, expected text"))
        blank = 0 if line else blank + 1
        if blank > BLANK_MAX:
            raise RccError(at(path, number, f"found {BLANK_MAX} blank lines, expected text"))
        yield number, line[:-1] if line.endswith("\r") else line


def words_of(line: str) -> List[str]:
    """Return the words of a line. Blanks are those of ASCII, as in those simulators: str.split() takes a no-break space for one too."""
    return line.split() if line.isascii() else NO_BLANKS.findall(line)


class Remarks:
    """The remarks of readers about a file that they accept.

    Attributes:
        warnings: what is likely a mistake.
        notes: what is ignored because it is meant to be.
    """

    def __init__(self) -> None:
        self.warnings: List[str] = []
        self.notes: List[str] = []


class Warnings:
    """A list of warnings of one kind that ends after MOST of them."""
    MOST = 50

    def __init__(self, found: list):
        self.list, self.count = found, 0

    def has_room(self) -> bool:
        """True if one more would be kept."""
        return self.count < self.MOST

    def add(self, text: str) -> None:
        """Keep a warning, or count it."""
        if self.has_room():
            self.list.append(text)
        self.count += 1

    def finish(self, path: str) -> None:
        """Say how many more there were."""
        if self.count > self.MOST:
            self.list.append(f"{path}: and {self.count - self.MOST} more of these")
