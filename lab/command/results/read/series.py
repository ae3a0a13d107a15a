# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reader of the series (CSV files) of a run. Plain Python: `./rcc reproduce` judges its rows under any python3, with or without
numpy; numpy is only used by what draws."""
from __future__ import annotations

import csv
import io
import math
from typing import Union

from ... import below
from ...common import RccError

Cell = Union[float, str, None]
LIMIT = 1 << 31                                    # bytes of a series
NUMBERS = ("_s", "_bps", "_bytes", "_share")       # endings of the names of columns that hold numbers
ALSO = ("flow", "step", "round", "alpha", "utilization")


def read(path: str) -> dict:
    """The columns of a CSV file with a header line, in the folder of a run: numbers as floats, other text as it is, empty cells as None. A
    last row that is not complete, because the program was stopped while it wrote, is left out. Raises OSError if the file cannot be read,
    RccError with its line and column if it is broken."""
    with below.open_file(*below.split_run(path), LIMIT) as f:
        text = io.TextIOWrapper(f, encoding="utf-8", newline="")
        rows = csv.reader(text, quoting=csv.QUOTE_NONE)  # an unbalanced quote would swallow the rows that follow
        try:
            head = next(rows, [])
            columns: list = [[] for _ in head]
            numeric = [name.endswith(NUMBERS) or name in ALSO for name in head]
            short = 0
            for row in rows:
                if short:
                    raise RccError(f"{path}: line {short}: found another number of columns than {len(head)}, that of line 1")
                if len(row) != len(head):
                    short = rows.line_num
                    continue
                for at, cell_text in enumerate(row):
                    columns[at].append(_cell(cell_text, numeric[at], path, rows.line_num, head[at]))
        except UnicodeDecodeError as error:
            raise RccError(f"{path}: line {rows.line_num + 1}: found bytes that are no UTF-8, expected a CSV file") from error
        except csv.Error as error:
            raise RccError(f"{path}: line {rows.line_num}: {error}") from error
    return dict(zip(head, columns))


def _cell(text: str, numeric: bool, path: str, line: int, column: str) -> Cell:
    value = cell(text)
    if numeric and (isinstance(value, str) or (value is not None and not math.isfinite(value))):
        raise RccError(f"{path}: line {line}, column {column}: found '{text[:40]}', expected a number")
    return value


def cell(text: str) -> Cell:
    if not text:
        return None
    try:
        return float(text) if text.isascii() and "_" not in text else text  # which Python reads as numbers too
    except ValueError:
        return text
