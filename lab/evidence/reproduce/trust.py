# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The tables of lab/evidence/doc/trust.md, from the rows and what they gave in the last full run. A test compares them with the page."""
from __future__ import annotations

import re
import statistics
from typing import NamedTuple, Optional

from evidence.published.sets import FIGURES
from evidence.published.papers import Last, read_last

QUESTIONS = {"hardware": "NICs and switches as measured", "pauses": "pauses of PFC", "completion": "completion times, their tails",
             "loss": "loss and what is sent again", "fairness": "fairness, shares of flows", "queue": "queues and round trips",
             "rate": "rates, use of the link", "formula": "formulas, thresholds"}
SETS = {"papers": "DCQCN+, DCQCN, QCN and TIMELY in papers", "windowed": "windowed and telemetry-driven algorithms",
        "paths": "loss and many paths", "reality": "hardware, simulations of others, a switch's test plan"}
KINDS = ("exact", "10 %", "30 %", "wider", "bound", "order")
SCALE = {"KB": (1e3, "bytes"), "MB": (1e6, "bytes"), "B": (1, "bytes"), "ms": (1e-3, "s"), "us": (1e-6, "s"), "ns": (1e-9, "s"),
         "s": (1, "s"), "Gb/s": (1e9, "bit/s"), "Mb/s": (1e6, "bit/s"), "%": (0.01, ""), "x": (1, ""), "": (1, "")}
NUMBER = re.compile(rf"(?:about )?(-?\d[\d.]*) ?({'|'.join(SCALE)})(?=$|[ ,;(])")


def read_number(text: str) -> Optional[tuple]:
    """Return (number, unit) at the begin of a text in base units, or None."""
    found = NUMBER.match(text)
    if not found:
        return None
    factor, unit = SCALE[found[2]]
    return float(found[1]) * factor, unit


def find_kind(band: str) -> str:
    """Return the kind of a band: the largest tolerance that it names, else an order of values, else a bound or a range."""
    widths = [float(width) for width in re.findall(r"\+-([\d.]+) ?%", band)]
    if widths:
        return "10 %" if max(widths) <= 10 else "30 %" if max(widths) <= 30 else "wider"
    if re.match(r"exact|none$|0$", band):
        return "exact"
    if "factor" in band or "doubling" in band or re.search(r"\(x\d", band):
        return "wider"
    return "order" if re.search(r"order|unfair|statements|^some", band) else "bound"


def find_error(row, last: Last) -> Optional[float]:
    """Return how far the measured number is from the published one, as a part of it, if the band is a tolerance around that number."""
    if not re.match(r"\+-[\d.]+ ?%|exact", row.band):
        return None
    told, found = read_number(row.published), read_number(last.measured)
    return abs(found[0] / told[0] - 1) if told and found and told[1] == found[1] and told[0] else None


class Answer(NamedTuple):
    """The results of the rows of a question."""
    question: str
    inside: int
    rows: int
    kinds: dict
    errors: list    # (error, id), the largest first

    @property
    def share(self) -> float:
        """Return the part of the rows that is inside."""
        return self.inside / self.rows


def answers() -> list:
    """Return the Answer of each question, the worst first."""
    last, found = read_last(), {}
    for row in (row for figure in FIGURES for row in figure.rows):
        found.setdefault(last[row.id].question, []).append(row)
    made = []
    for question, rows in found.items():
        errors = [(error, row.id) for row in rows for error in [find_error(row, last[row.id])] if error is not None]
        kinds = {kind: sum(find_kind(row.band) == kind for row in rows) for kind in KINDS}
        made.append(Answer(question, sum(last[row.id].inside for row in rows), len(rows), kinds, sorted(errors, reverse=True)))
    return sorted(made, key=lambda answer: answer.share)


def question_table() -> str:
    """The table of questions as Markdown."""
    lines = ["| question | inside | exact | within 10 % | within 30 % | wider | bound | order | rows with an error | median | largest |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for one in answers():
        median = f"{100 * statistics.median(error for error, _ in one.errors):.1f} %" if one.errors else ""
        worst = f"{100 * one.errors[0][0]:.0f} % ({one.errors[0][1]})" if one.errors else ""
        lines.append(f"| {QUESTIONS[one.question]} | {one.inside} of {one.rows} ({100 * one.share:.0f} %) | "
                     + " | ".join(str(one.kinds[kind] or "") for kind in KINDS) + f" | {len(one.errors)} | {median} | {worst} |")
    return "\n".join(lines)


def set_table() -> str:
    """The table of the four sets as Markdown; the set with hardware by kind of row."""
    last = read_last()
    lines = ["| set | inside |", "|---|---|"]
    for name, title in SETS.items():
        rows = [row for figure in FIGURES if figure.table == name for row in figure.rows]
        lines.append(f"| `{name}`: {title} | {sum(last[row.id].inside for row in rows)} of {len(rows)} |")
        kinds: dict = {}
        for row in rows:
            if row.lab:
                kinds.setdefault(row.lab.kind, []).append(last[row.id].inside)
        lines += [f"| of these: {kind} | {sum(values)} of {len(values)} |" for kind, values in kinds.items()]
    return "\n".join(lines)
