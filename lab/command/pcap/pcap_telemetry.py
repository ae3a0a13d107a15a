# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The bytes of in-band telemetry in data packets, in the forms of core/wire/rcc_wire.h: they are headers, and no payload.
lab/tools/rcc.lua shows what they hold.

No header says that there is telemetry. The bytes between the AETH and the ICRC of a queue pair's first acknowledgement do; packets
before it wait for it."""
from __future__ import annotations

from typing import List, Tuple

UNKNOWN, NONE, PAPER, SIMULATOR, PINT = "auto", "none", "paper", "simulator", "pint"
FORMS = [UNKNOWN, NONE, PAPER, SIMULATOR, PINT]
HEAD, HOP, RECORDS = 2, 8, 8              # bytes before the records of the paper's form and of a record; the most records
FIXED = {SIMULATOR: 42, PINT: 2}          # bytes of the forms of one size
PENDING = 4096  # packets of a flow that wait for its first acknowledgement


def paper_bytes(word: int) -> int:
    """Return the bytes of the paper's form that begins with this word, which has the hops in its upper 4 bits."""
    return HEAD + HOP * min(word >> 12, RECORDS)


def form_of(data, at: int, size: int, end: int) -> str:
    """Return the form of `size` bytes between AETH and ICRC, of which those before `end` were captured."""
    if size < HEAD or at + HEAD > end:
        return UNKNOWN if size else NONE
    word = data[at] << 8 | data[at + 1]
    if word >> 12 and size == paper_bytes(word):
        return PAPER
    if size == FIXED[PINT] and word == 0:    # a paper's path without switches is 0, a PINT that no switch has written too
        return UNKNOWN
    return next((form for form, length in FIXED.items() if size == length), NONE)


class Path:
    """Telemetry of the packets between two hosts with one UDP source port: data one way, acknowledgements the other."""
    __slots__ = ("form", "pending", "paper")

    def __init__(self, form: str):
        self.form = form
        self.pending: List[Tuple[list, int]] = []   # counts of an interval, bytes if it is the paper's form
        self.paper = HEAD                           # bytes of the last packet's, if it is the paper's form

    def size(self, paper: int) -> int:
        """Return the bytes of telemetry of a packet. `paper`: if it is the paper's form."""
        return paper if self.form == PAPER else FIXED.get(self.form, 0)

    def decide(self, form: str) -> None:
        """Set the form; packets that waited for it are counted anew."""
        self.form = form
        for now, paper in self.pending:
            now[2] -= min(self.size(paper), now[2])
        self.pending.clear()

    def data(self, now: list, data, at: int, end: int) -> int:
        """Return the bytes of telemetry at the beginning of the payload, from `at` on."""
        if at < end:  # a frame that is cut short counts as the one before
            self.paper = paper_bytes(data[at] << 8)
        if self.form == UNKNOWN:
            if len(self.pending) < PENDING:
                self.pending.append((now, self.paper))
            else:
                self.decide(NONE)
        return self.size(self.paper)

    def ack(self, data, at: int, size: int, end: int) -> None:
        """Learn the form from an acknowledgement with `size` bytes from `at` on between its AETH and its ICRC."""
        if self.form == UNKNOWN:
            form = form_of(data, at, size, end)
            if form != UNKNOWN:
                self.decide(form)
