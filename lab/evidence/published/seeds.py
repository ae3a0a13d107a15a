# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""How many seeds a row is judged by. Written down before any of the runs that it asks for.

1. A row of table `papers` that is judged by fewer than SEEDS seeds, and with a number within NEAR of the edge that it is compared with,
   on either side of it, gets SEEDS seeds in every run that it reads, and is judged by their mean, by the formula that it had. Rows
   that read one of these runs follow. A run whose result is the same for every seed shows that by an empty spread.
2. After that, a row of SEEDS seeds or more whose edge is less than two standard errors from its mean, on either side, gets MORE
   seeds in the runs that it reads, once. The number of a seed is what the row's formula gives for it alone; where a row asks for an
   order it is the difference of neighbours, with 0 as the edge. Rows judged by the worst seed are not meant.

Bands stay as they are, and whatever comes out counts.
"""
from __future__ import annotations

from dataclasses import replace

from .figure import Run

SEEDS = 5
NEAR = 0.1
MORE = 20


def near(pairs: tuple) -> bool:
    """Whether one of the numbers is within NEAR of its edge."""
    return any(abs(value - edge) <= NEAR * abs(edge) + 1e-12 for value, edge in pairs)


# The rows that were judged by fewer than SEEDS seeds when the rule was made (lab/evidence/doc/results.md of 2026-11-22). A row has
# (number, edge) for each comparison that the band makes; an order compares neighbours.
BEFORE = {
    "dp-pfc": ((1.015, 0.9),),
    "dp-pfc-lossless": ((0, 0),),
    "dp-fig3": ((7, 2),),
    "dp-fig3-fair": ((1.000, 0.95),),
    "dp-fig4a": ((80, 40), (80, 160)),
    "dp-fig4a-level": ((4.50, 4.165), (4.50, 5.635)),
    "dp-fig4b": ((320, 80), (320, 320)),
    "dp-fig4b-level": ((4.51, 4.165), (4.51, 5.635)),
    "dp-cx4": ((480, 400), (480, 700)),
    "dp-cx4-level": ((2.54, 1.75), (2.54, 3.25), (3.16, 1.75), (3.16, 3.25)),
    "dp-fig5-timer": ((10, 38), (38, 122)),
    "dp-fig5-step": ((10, 28), (28, 132)),
    "dp-fig6-10g-always": ((0.922, 0.9),),
    "dp-fig6-40g-always": ((0.944, 0.9),),
    "dp-20x": ((114, 15),),
    "dp-same-red": ((114, 15),),
    "dp-bound": ((1.015, 0.9),),
    "dp-pause": ((39.5, 250),),
    "dp-fig7": ((0.537, 0.9),),
    "dp-fig7-fails": ((0.972, 0.9), (1.005, 0.9)),
    "dp-fig7-rate": ((10.4, 6.9), (0.964, 0.99)),
    "dp-fig9": ((0.951, 0.9),),
    "dp-fig9-queue": ((6260, 250),),
    "dp-fig10": ((11.3, 5),),
    "dp-fig10-buffer": ((4.995, 5),),
    "dp-fig11-ws": ((1.00, 0.8), (1.00, 1.02)),
    "dp-fig11-ws-median": ((0.93, 0.8), (0.93, 1.02)),
    "dp-fig11-dm": ((1.00, 0.8), (1.00, 1.02)),
    "dp-fig11-dm-median": ((0.97, 0.8), (0.97, 1.02)),
    "dp-fig13b-mean": ((1.008, 1),),
    "dp-fig13b-max": ((1.034, 1.06),),
    "th-fig2": ((80, 320),),
    "th-fig2-cx4": ((240, 320),),
    "th-400": ((480, 200), (480, 800)),
    "th-400-latency": ((11.3, 5),),
    "th-400-scale": ((1.94, 4),),
    "th-ports": ((1.000, 1),),
    "eod-fp-2": ((18.5, 17.43), (18.5, 23.58)),
    "eod-fp-4": ((41.8, 36.30), (41.8, 49.11)),
    "eod-fp-8": ((99.3, 81.43), (99.3, 110.2)),
    "eod-fp-10": ((129.7, 106.5), (129.7, 144.1)),
    "eod-fp-16": ((236.8, 188.6), (236.8, 255.2)),
    "eod-fp-32": ((570.5, 438.7), (570.5, 593.5)),
    "eod-fp-alpha-2": ((0.0942, 0.0862), (0.0942, 0.1166)),
    "eod-fp-alpha-4": ((0.1187, 0.1035), (0.1187, 0.1401)),
    "eod-fp-alpha-8": ((0.1479, 0.1234), (0.1479, 0.1670)),
    "eod-fp-alpha-10": ((0.1577, 0.1303), (0.1577, 0.1763)),
    "eod-fp-alpha-16": ((0.1789, 0.1456), (0.1789, 0.1970)),
    "eod-fp-alpha-32": ((0.2143, 0.1699), (0.2143, 0.2299)),
    "eod-fp-narrow-2": ((17.7, 17.17), (17.7, 23.23)),
    "eod-fp-narrow-4": ((41.1, 35.53), (41.1, 48.07)),
    "eod-fp-narrow-8": ((86.6, 79.73), (86.6, 107.9)),
    "eod-fp-narrow-10": ((84.3, 104.2), (84.3, 141.0)),
    "eod-fp-narrow-alpha-2": ((0.0940, 0.0862), (0.0940, 0.1166)),
    "eod-fp-narrow-alpha-4": ((0.1187, 0.1035), (0.1187, 0.1401)),
    "eod-fp-narrow-alpha-8": ((0.1451, 0.1234), (0.1451, 0.1670)),
    "eod-fp-narrow-alpha-10": ((0.1494, 0.1303), (0.1494, 0.1763)),
    "eod-patched-2": ((70.9, 66.39), (70.9, 89.82)),
    "eod-patched-10": ((133.4, 119.5), (133.4, 161.7)),
    "eod-unique": ((0.711, 0.95),),
    "eod-unique-patched": ((1.000, 0.99),),
    "ib-fig2a": ((0.215, 0.1), (0.215, 0.01)),
    "ib-fig6b": ((48.7, 60), (106.5, 95)),
    "ib-fig6c": ((147.6, 135),),
    "ib-fig6c-rd": ((62.4, 40),),
    "ib-fig7a": ((16.67, 14.94), (16.67, 18.26)),
}


# The rows that clause 2 asks for: what their runs of clause 1 gave, (mean, standard error, edge).
UNSURE = {
    "dp-fig8-10g": (-0.111, 0.0756, 0),   # points
    "dp-fig9": (0.869, 0.0381, 0.9),
    "dp-fig10-buffer": (5.085, 0.0434, 5),
    "qn-order-1": (-0.062, 0.065, 0),   # KB, 500 us less 100 us
    "qn-order-8": (-0.094, 0.275, 0),   # KB, 1 ms less 500 us
    "ib-fig5a": (0.921, 0.0600, 0.95),
    "ib-fig7a-arrival": (14.53, 1.02, 14.94),
}

# The rows of five or ten seeds in lab/evidence/doc/results.md whose range does not show that they are no such rows: what their seeds give.
SURE = {
    "dp-fig11-ws-median": (0.964, 0.0256, 1.02),
    "dp-fig13b-mean": (0.9990, 0.0002, 1),
    "eod-fp-narrow-2": (18.08e3, 401, 17.17e3),
    "ib-fig2d": (1.479, 0.102, 1.2),
    "ib-fig6a-inputs": (6.98, 0.496, 8),
    "letflow-asym": (1.731, 0.107, 2),
}


def wanted(figures: list) -> dict:
    """How many seeds the rule asks for, by the name of a set-up, which figures share."""
    found: dict = {}
    for figure in figures:
        for row in figure.rows:
            count = MORE if row.id in UNSURE else SEEDS if near(BEFORE.get(row.id, ())) else 0
            for key in row.runs:
                name = figure.runs[key].name(0)
                found[name] = max(count, found.get(name, 0))
    return found


def judged(figures: list) -> list:
    """The figures with the seeds of the rule."""
    asked = wanted(figures)

    def add_seeds(one: Run) -> Run:
        return replace(one, seeds=tuple(range(1, max(asked.get(one.name(0), 0), len(one.seeds)) + 1)))
    return [replace(figure, runs={key: add_seeds(one) for key, one in figure.runs.items()}) for figure in figures]
