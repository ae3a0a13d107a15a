# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A row of the reality table has the laboratory that it was measured in, beside what a row of a paper has."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from .figure import Data, Measured, NotRun, Row

HARDWARE, SIMULATION, PLAN = "hardware", "simulation", "test plan"
COMPLETE = {"A": "every input that matters is published", "B": "one or two inputs are assumed",
            "C": "parameters are not published: orders, yes or no, wide bands"}


@dataclass(frozen=True)
class Lab:
    """Where and how a row was measured, and what had to be assumed to run it here."""
    kind: str            # hardware, simulation or test plan
    completeness: str    # a key of COMPLETE
    nic: str             # a key of reality_presets.NICS
    switch: str          # a key of reality_presets.SWITCHES
    setup: str
    assume: tuple = ()   # (what, why) of everything that the source leaves out and this table fixes
    unverified: tuple = ()  # parts of the source that are recollection
    needs: str = ""      # the feature that is missing; empty: it runs

    def text(self) -> str:
        """The set-up in one line, with its marks."""
        parts = [f"{self.kind}, completeness {self.completeness}: {self.setup}", f"NIC {self.nic}, switch {self.switch}"]
        parts += [f"assumed {what} ({why})" for what, why in self.assume]
        parts += [f"UNVERIFIED: {what}" for what in self.unverified]
        return "; ".join(parts)


def not_run(_: Data) -> Measured:
    raise NotRun


def reality(name: str, claim: str, published: str, band: str, lab: Lab, runs: tuple = (), measure: Optional[Callable] = None,
            quick: bool = False, note: str = "") -> Row:
    """A row of the table; without a measure it waits for what the lab needs."""
    return Row(name, claim, published, band, runs, measure or not_run, quick=quick, note=note, lab=lab)
