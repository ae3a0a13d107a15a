# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The text files of ns3-rdma and HPCC users that are no input of a run: rows of words.
Every error is one line, FILE:LINE: WHAT: found ..., expected ..."""
from __future__ import annotations

import os
from typing import Iterator

from .. import below, units
from .. import owned
from ..experiment.json_lines import quoted
from ..ns3_rdma.files import wrong
from ..common import RccError, cannot_write, refuse_endless, without_mark

GENERATE = "./rcc generate"    # by whose name its files are listed
ROW_MAX = 1 << 20    # bytes of a line: the switch ids of 100,000 switches are one
NODES_MAX = 1 << 16  # addresses of those simulators have 16 bits for the node


def shown(word) -> str:
    """Quote a user's text for a message, cut after 40 characters."""
    return quoted(word if isinstance(word, str) else word.decode("latin-1"))


def open_to_read(path: str):
    """Open a file of bytes. Raises RccError if that is not possible."""
    if not path:
        raise RccError("the name of a file is missing")
    try:
        refuse_endless(path)
        return open(path, "rb")
    except OSError as error:
        raise RccError(f"{path}: {error.strerror or error}") from error


def rows(path: str) -> Iterator[tuple]:
    """Yield (line number, line as bytes), CRLF or not, with or without a newline at the end."""
    with open_to_read(path) as f:
        number = 0
        while True:
            try:
                line = f.readline(ROW_MAX + 1)
            except OSError as error:
                raise RccError(f"{path}: {error.strerror or error}") from error
            if not line:
                return
            number += 1
            line = without_mark(line) if number == 1 else line
            if len(line) > ROW_MAX:
                raise wrong(path, number, "line", f"more than {ROW_MAX} bytes", "text in lines")
            if b"\0" in line:
                raise wrong(path, number, "line", "a byte of value 0", "text")
            yield number, line.rstrip(b"\r\n")


def read_whole(path: str, line: int, what: str, word, low: int, high: int) -> int:
    """Read a plain decimal number from low to high."""
    text = word if isinstance(word, str) else word.decode("latin-1")
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high):
        raise wrong(path, line, what, shown(text), f"a number from {low} to {high}")
    return int(text)


def quantity(unit: str, text: str, what: str, low: float, high: float, span: str) -> float:
    """Read the value of an option within its range, `span` in words."""
    value = units.parse(unit, text, what)
    if not low <= value <= high:
        raise RccError(f"{what}={text}: expected {span}")
    return value


def write_text(path: str, text: str) -> None:
    """Write a file whole or not at all, and never over a file that ./rcc generate has not written. A pipe or /dev/stdout is not replaced,
    and a link stays a link."""
    if not path:
        raise RccError("--out=: a file's name is missing")
    if os.path.isdir(path):
        raise RccError(f"--out={path}: found a directory, expected the name of a file")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        else:
            folder, name, own = owned.place_of(path, GENERATE, "--out")
            owned.record(folder, own, GENERATE, [name])
            with below.replace(folder, name) as f:
                f.write(text)
    except OSError as error:
        raise cannot_write(f"--out={path}", error) from error
