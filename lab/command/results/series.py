# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reader of the series (CSV files) of a run. Plain Python: `./rcc reproduce` judges its rows under any python3, with or without
numpy; numpy is only used by what draws."""
from __future__ import annotations

import csv
from typing import Union

Cell = Union[float, str, None]


def read(path: str) -> dict:
    """The columns of a CSV file with a header line: numbers as floats, other text as it is, empty cells as None. A row that is
    not complete, because the program was stopped while it wrote, is left out. Raises OSError if the file cannot be read."""
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    if not rows:
        return {}
    complete = [row for row in rows[1:] if len(row) == len(rows[0])]
    return {name: [cell(row[i]) for row in complete] for i, name in enumerate(rows[0])}


def cell(text: str) -> Cell:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        return text
