# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Which readings of the DCQCN+ paper can still win? They are asked for the rows that most readings lose, the cheapest first.

    python3 lab/studies/exclude.py OUT

goes through the readings of lab/studies/identification.jsonl that could be as good as the default by the rows that were run and are not in
lab/studies/excluded.jsonl, and writes OUT/excluded.jsonl: a line for each reading, with the rows that it loses. The rows of FULL are judged
with all of their seeds, as the rule judges them, or by the run that can lose the row alone; `full` in the line has what was seen. A row
of one seed is lost if it is outside by more than MARGIN, which was fixed before the first run; one that is nearer, or inside, is not
judged. Readings that are open after that are asked for the rows of MORE, and last for the queue of figure 9 by the beginning of its
first seed, which is `first` in the line. The same command goes on after an interruption.
"""
from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import Iterator, Optional

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, LAB)

from command.reproduce import reproduce  # noqa: E402
from command.results.read import series  # noqa: E402
from published.figure import Data, kb  # noqa: E402
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
ONE = ("dp-fig6-10g-always", "dp-fig6-10g", "dp-fig13a-mean", "dp-fig6-40g-always", "dp-fig13b-mean")
# Figure 4 is DCQCN's, so that readings of one Pmax share its runs. The last two take 20 to 60 CPU seconds.
FULL = ("dp-fig4b", "dp-fig6-40g-always", "dp-fig6-10g", "dp-fig13a-fair", "dp-fig6-10g-always", "dp-fig11-dm-median", "dp-fig13b-max")
CHEAP = FULL[:-2]
# Of the readings that these leave open: the rows that are left, by their CPU seconds and by how often readings like them lose them.
MORE = ("dp-bound", "dp-fig12a", "dp-fig12c", "dp-fig8-10g", "dp-fig8-40g", "dp-pause", "dp-fig11-ws", "dp-20x", "dp-fig6-40g")
# By the beginning of one seed, 40 to 100 CPU seconds; the edge of its band in bytes.
BOUND, EDGE, BEGINNING = "dp-fig9-queue", 250e3, ("--time=0.41s", "--window=0.4s-0.41s")


def lost(row: str, value: float) -> bool:
    """Whether one seed is outside by more than the margin."""
    edge, margin = MARGIN[row]
    return value <= edge + margin if margin < 0 else value >= edge + margin


def can_win(read: identification.Reading, outside: int, total: int) -> bool:
    """Whether a reading with so many rows outside is not worse than the default by clauses 1 to 3."""
    return read.rank(total - outside)[:3] <= identify.parse(DEFAULT).rank(INSIDE)[:3]


def ask(search: identify.Search, figures: list, row: str, seeds: Optional[int]) -> Iterator[tuple]:
    """Each row of the group of `row`, as judged by so many seeds, or by all."""
    group = group_of(figures, row)
    group = replace(group, figure=replace(group.figure, runs=cut(group.figure.runs, seeds)))
    if not search._simulate(group):
        raise KeyboardInterrupt
    data = Data(group.figure, os.path.join(search.folder, "runs"), series.read)
    for other in group.rows:
        yield other.id, reproduce.judge(group.figure, other, data, {})


def group_of(figures: list, row: str) -> identify.Group:
    """The runs that can lose a row, the fewest."""
    found = [g for g in identify.groups_of(figures, {}, set()) if row in [other.id for other in g.rows]]
    return min(found, key=lambda g: not g.alone)


def cut(runs: dict, seeds: Optional[int]) -> dict:
    return {key: replace(one, seeds=one.seeds[:seeds]) for key, one in runs.items()}


def probe(search: identify.Search, read: identification.Reading, known: dict, outside: dict) -> None:
    """Add to `outside` the rows of one seed that are outside by more than the margin, until the reading cannot win."""
    figures = identification.figures(read)
    for wanted in ONE:
        if not can_win(read, len(outside), known["of"]):
            break
        if all(row.id in known["rows"] or row.id in outside or row.id not in MARGIN for row in group_of(figures, wanted).rows):
            continue
        for row, judged in ask(search, figures, wanted, 1):
            if row in MARGIN and row not in known["rows"] and judged["value"] is not None and lost(row, judged["value"]):
                outside.setdefault(row, judged["measured"] + ", one seed")


def judge_fully(search: identify.Search, read: identification.Reading, known: dict, line: dict, rows: tuple) -> None:
    """Add to `outside` of a line the rows of `rows`, and those beside them, that are outside with all seeds; to `full` what they have."""
    figures, full = identification.figures(read), line.setdefault("full", {})
    for wanted in rows:
        if wanted in {**known["rows"], **line["outside"], **full} or not can_win(read, len(line["outside"]), known["of"]):
            continue
        for row, judged in ask(search, figures, wanted, None):
            if row not in known["rows"]:
                full[row] = [bool(judged["inside"]), judged["measured"]]
                line["outside"].pop(row, None)  # what one seed had said
                if not judged["inside"]:
                    line["outside"][row] = judged["measured"]


def bound(search: identify.Search, read: identification.Reading, known: dict, line: dict) -> None:
    """Add the row BOUND to `outside` of a line if the beginning of its first seed loses it. The row is the mean of the p99 of 0.4 to 0.8 s
    over all seeds. A queue above its median of 10 ms for 5 ms is above it for more than a hundredth of 0.4 s, so that the p99 is at
    least that median; and no queue is negative, so that the median by the number of seeds is the least that the mean can be."""
    if BOUND in {**known["rows"], **line["outside"], **line.get("full", {})} or not can_win(read, len(line["outside"]), known["of"]):
        return
    group = group_of(identification.figures(read), BOUND)
    key, whole = group.keys[0], group.runs()[0]
    start = replace(whole, seeds=whole.seeds[:1], words=(*(w for w in whole.words if w != "--time=0.8s"), *BEGINNING))
    figure = replace(group.figure, runs={key: start})
    if not search._simulate(replace(group, figure=figure)):
        raise KeyboardInterrupt
    median = Data(figure, os.path.join(search.folder, "runs"), series.read).all(key, "queue.p50_bytes")[0]
    line["first"] = {BOUND: f"at least {kb(median)} in the first of {len(whole.seeds)} seeds"}
    if median > EDGE * len(whole.seeds):
        line["outside"][BOUND] = f"at least {kb(median / len(whole.seeds))}"


def main() -> int:
    search = identify.Search(sys.argv[1], float("inf"))
    file = os.path.join(sys.argv[1], "excluded.jsonl")
    asked: dict = {}
    for path in filter(os.path.exists, (ASKED, file)):
        with open(path, encoding="utf-8") as f:
            asked.update((entry["reading"], entry) for entry in map(json.loads, (line for line in f if line.endswith("\n"))))
    entries = {e["reading"]: e for e in identify.read_entries(READINGS)}.values()
    still = [e for e in entries if can_win(identify.parse(e["reading"]), sum(not r[0] for r in e["rows"].values()), e["of"])
             and e["reading"] != DEFAULT and not settled(e, asked.get(e["reading"]))]
    order = {True: lambda e: (missing(e, asked[e["reading"]]), "pmax=1," not in e["reading"]),
             False: lambda e: ("pmax=1," not in e["reading"], -len(e["rows"]))}
    still = [e for known in order for e in sorted((e for e in still if (e["reading"] in asked) == known), key=order[known])]
    for count, entry in enumerate(still):
        read = identify.parse(entry["reading"])
        line = asked.get(read.name, {"reading": read.name, "outside": {r: e[1] for r, e in entry["rows"].items() if not e[0]}})
        outside = line["outside"]
        judge_fully(search, read, entry, line, CHEAP)
        if read.name not in asked:
            probe(search, read, entry, outside)
        judge_fully(search, read, entry, line, FULL + MORE)
        bound(search, read, entry, line)
        line["excluded"] = not can_win(read, len(outside), entry["of"])
        search._tidy([replace(f, runs=cut(f.runs, None)) for f in identification.figures(read)])
        with open(file, "a", encoding="utf-8") as f:
            f.write(json.dumps(line) + "\n")
        print(f"{count + 1} of {len(still)}: {'excluded' if line['excluded'] else 'open'}, {len(outside)} outside: {read.name}", flush=True)
    return 0


def settled(entry: dict, line: Optional[dict]) -> bool:
    """Whether there is nothing more to ask of a reading."""
    return line is not None and (line["excluded"] or {*FULL, *MORE, BOUND} <= {
        *entry["rows"], *line["outside"], *line.get("full", {}), *line.get("first", {})})


def missing(entry: dict, line: dict) -> int:
    """How many rows more have to be lost."""
    read, lost_rows = identify.parse(entry["reading"]), len(line["outside"])
    return next(n for n in range(entry["of"] + 1) if not can_win(read, lost_rows + n, entry["of"]))


if __name__ == "__main__":
    sys.exit(main())
