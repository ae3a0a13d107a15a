# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Which readings of the DCQCN+ paper can still win? One seed of the rows that most readings lose, the cheapest first.

    python3 lab/studies/exclude.py OUT

goes through the readings of lab/studies/identification.jsonl that could be as good as the default by the rows that were run and are not in
lab/studies/excluded.jsonl, and writes OUT/excluded.jsonl: a line for each reading, with the rows that it loses. A row of one seed is lost
if it is outside by more than MARGIN, which was fixed before the first run; a row that is nearer, or inside, is not judged. The same
command goes on after an interruption.
"""
from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, LAB)

from command.reproduce import reproduce  # noqa: E402
from command.results import series  # noqa: E402
from published.figure import Data  # noqa: E402
from studies import identification, identify  # noqa: E402

READINGS = os.path.join(LAB, "studies", "identification.jsonl")
ASKED = os.path.join(LAB, "studies", "excluded.jsonl")
DEFAULT, INSIDE = "pmax=0.5,idle-wake=at-once", 39

# Row: (edge of its band, how far outside of it one seed has to be). The spreads over five seeds of the default: use of the link 0.1
# points, loss 10 ms (a sample of the rate), p99 3 %, fig. 13 0.001; of readings with two levels the largest spread of a mean FCT is 0.006.
MARGIN = {
    "dp-fig6-10g-loss": (0.1, 0.02), "dp-fig6-10g": (250e3, 25e3), "dp-fig6-10g-mean": (250e3, 25e3),
    "dp-fig6-10g-rate": (0.9, -0.01), "dp-fig6-10g-always": (0.9, -0.01), "dp-fig6-40g-always": (0.9, -0.01),
    "dp-fig13a-mean": (1.0, 0.01), "dp-fig13b-mean": (1.0, 0.01), "dp-fig13b-max": (1.06, 0.01),
}
ORDER = (("dp-fig6-10g-always",), ("dp-fig6-10g",), ("dp-fig13a-mean",), ("dp-fig6-40g-always",), ("dp-fig13b-mean",))


def lost(row: str, value: float) -> bool:
    """Whether one seed is outside by more than the margin."""
    edge, margin = MARGIN[row]
    return value <= edge + margin if margin < 0 else value >= edge + margin


def can_win(read: identification.Reading, outside: int, total: int) -> bool:
    """Whether a reading with so many rows outside is not worse than the default by clauses 1 to 3."""
    return read.rank(total - outside)[:3] <= identify.parse(DEFAULT).rank(INSIDE)[:3]


def probe(search: identify.Search, read: identification.Reading, known: dict) -> dict:
    """The rows that the reading loses: those of the file, and those of one seed that are outside by more than the margin."""
    outside = {row: entry[1] for row, entry in known["rows"].items() if not entry[0]}
    figures = identification.figures(read)
    groups = identify.groups_of(figures, {}, set())
    for wanted in ORDER:
        if not can_win(read, len(outside), known["of"]):
            break
        found = [g for g in groups if wanted[0] in [row.id for row in g.rows]]
        group = min(found, key=lambda g: not g.alone)
        runs = {key: replace(one, seeds=one.seeds[:1]) for key, one in group.figure.runs.items()}
        group = replace(group, figure=replace(group.figure, runs=runs))
        if all(row.id in known["rows"] or row.id not in MARGIN for row in group.rows):
            continue
        if not search._simulate(group):
            raise KeyboardInterrupt
        data = Data(group.figure, os.path.join(search.folder, "runs"), series.read)
        for row in group.rows:
            judged = reproduce.judge(group.figure, row, data, {})
            if row.id in MARGIN and row.id not in known["rows"] and judged["value"] is not None and lost(row.id, judged["value"]):
                outside[row.id] = judged["measured"] + ", one seed"
    search._tidy([replace(f, runs={k: replace(r, seeds=r.seeds[:1]) for k, r in f.runs.items()}) for f in figures])
    return outside


def main() -> int:
    search = identify.Search(sys.argv[1], float("inf"))
    file = os.path.join(sys.argv[1], "excluded.jsonl")
    done = set()
    for path in filter(os.path.exists, (ASKED, file)):
        with open(path, encoding="utf-8") as f:
            done |= {json.loads(line)["reading"] for line in f if line.endswith("\n")}
    entries = {e["reading"]: e for e in identify.read_entries(READINGS)}.values()
    still = [e for e in entries if can_win(identify.parse(e["reading"]), sum(not r[0] for r in e["rows"].values()), e["of"])
             and e["reading"] not in done and e["reading"] != DEFAULT]
    for count, entry in enumerate(sorted(still, key=lambda e: (-e["contradictions"], -len(e["rows"])))):
        read = identify.parse(entry["reading"])
        outside = probe(search, read, entry)
        winning = can_win(read, len(outside), entry["of"])
        with open(file, "a", encoding="utf-8") as f:
            f.write(json.dumps({"reading": read.name, "excluded": not winning, "outside": outside}) + "\n")
        print(f"{count + 1} of {len(still)}: {'open' if winning else 'excluded'}, {len(outside)} outside: {read.name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
