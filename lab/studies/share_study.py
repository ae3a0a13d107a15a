#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The runs behind lab/studies/dcqcn-plus-share.md: DCQCN, DCQCN+ and DCQCN+ share, one run after the other.

    python3 lab/studies/share_study.py                 run what is not yet in lab/studies/share_study.csv, the most wanted first
    python3 lab/studies/share_study.py --only=sizes    one group of cells
    python3 lab/studies/share_study.py --list          the groups, with what is there and what is missing
    python3 lab/studies/share_study.py --tables        write the tables of lab/studies/dcqcn-plus-share.md anew
    python3 lab/studies/share_study.py --again=3          run seed 3 of the acceptance again, in place of what is there

Each row of the file is one run: its seed, its settings and what it measured. A run that is there is not run again.
"""
from __future__ import annotations

import argparse
import csv
import json
import os
import re
import statistics
import sys
import tempfile
from typing import Iterable, Iterator, NamedTuple, Optional

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "lab", "studies", "share_study.csv")
PAGE = os.path.join(ROOT, "lab", "studies", "dcqcn-plus-share.md")
HEAD = """# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""
sys.path.insert(0, os.path.join(ROOT, "lab"))

from studies import plus_share  # noqa: E402
from command.run import simulation  # noqa: E402
from command.system import build  # noqa: E402

METRICS = ("sent", "jain", "mean_kb", "p99_kb", "max_kb", "pauses", "paused_s", "fct_mean_ms", "fct_p50_ms", "fct_p99_ms",
           "incomplete", "dropped")
KEYS = ("group", "cell", "algorithm", "settings", "seed")

# What is compared. DCQCN+ has the marking probability and the wake-up that its figures ask for (doc/dcqcn-plus.md), said
# here in full, so that the rows stay the same whatever its default is.
SHARE = ("dcqcn-plus-share", "")
PLUS = ("dcqcn-plus", "pmax=0.5,idle_wake=at-once,initial_alpha=1")
DCQCN = ("dcqcn", "")
ALL = (SHARE, PLUS, DCQCN)

# The core link is one sixteenth of what the receivers' links could carry.
CORE = "clos --topology=leaf-spine --racks=5 --hosts-per-rack=16 --spines=1 --receivers=16 --rate=40Gbps"
CORE_LINK = 16


class Cell(NamedTuple):
    group: str
    name: str
    command: str
    algorithms: tuple = ALL
    seeds: Iterable[int] = range(1, 4)
    part: int = 1  # the bottleneck is one `part`-th of what the program calls the bottleneck


def star(rate: str, flows: int, time: str = "1s --start=0.1s") -> str:
    return f"incast --rate={rate} --flows={flows} --time={time}"


def sizes(algorithms: tuple, seeds: Iterable[int]) -> list:
    return [Cell("sizes", f"{rate} {flows}", star(rate, flows), algorithms, seeds)
            for rate in ("10Gbps", "40Gbps") for flows in (8, 80, 480, 1200, 2000)]


def web(algorithms: tuple, seeds: Iterable[int]) -> Cell:
    return Cell("web-search", "10Gbps load 0.8", "workload --sizes=web-search --time=0.3s", algorithms, seeds)


def core(algorithms: tuple, seeds: Iterable[int], time: str = "1s", group: str = "core-link") -> Cell:
    return Cell(group, f"960 flows, {time}", f"{CORE} --flows=960 --time={time} --start=50ms", algorithms, seeds, CORE_LINK)


def others() -> list:
    """Networks, starts and departures, other rates."""
    starts = ",".join(f"{50 * i}ms" for i in range(8))
    cells = [Cell("departures", f"{rate}, {flows} flows of {size}", f"incast --rate={rate} --flows={flows} --size={size} --time=2s")
             for rate, flows, size in (("10Gbps", 80, "4MB"), ("10Gbps", 480, "500KB"), ("40Gbps", 480, "1MB"),
                                       ("40Gbps", 2000, "200KB"))]
    cells += [Cell("staggered", f"{rate}, a flow every 50 ms, without end",
                   f"convergence --rate={rate} --start={starts} --time=0.8s") for rate in ("10Gbps", "40Gbps")]
    cells += [Cell("staggered", f"{rate}, a flow of {size} every 50 ms",
                   f"convergence --rate={rate} --start={starts} --size={size} --time=2s")
              for rate, size in (("10Gbps", "100MB"), ("40Gbps", "400MB"))]
    cells += [Cell("rates", f"{rate}, {flows} flows", star(rate, flows, time))
              for rate, time, numbers in (("25Gbps", "0.6s --start=60ms", (80, 2000)), ("100Gbps", "0.3s --start=30ms", (80, 480, 2000)),
                                          ("400Gbps", "0.1s --start=10ms", (80, 2000))) for flows in numbers]
    cells += [Cell("many", f"{rate}, 10000 flows", star(rate, 10000)) for rate in ("10Gbps", "40Gbps")]
    cells += [Cell("many", "10Gbps, 10000 flows", star("10Gbps", 10000),
                   ((SHARE[0], "r_min=0.00001"), (PLUS[0], PLUS[1] + ",r_min=0.00001")))]
    cells += [Cell("networks", "leaf-spine 4:1, 10 Gb/s, 480 flows to 4 receivers",
                   "clos --topology=leaf-spine --oversubscription=4 --rate=10Gbps --receivers=4 --flows=480 --time=0.5s"),
              Cell("networks", "CLOS k = 8, 10 Gb/s, 800 flows to 4 receivers",
                   "clos --k=8 --cores=4 --senders=100 --receivers=4 --rate=10Gbps --flows=800 --time=0.5s")]
    return cells


def sensitivity() -> list:
    variants = [*(f"ai_share={v}" for v in (0.0125, 0.025, 0.1, 0.2)), *(f"pmax={v}" for v in (0.1, 0.3, 0.5)),
                "ai_line=0.04", "idle_wake=in-turn", "early_check=keep", "period_floor=45us", "g=0.015625",
                "target_floor=yes", "list_timeout=10ms", "cut_ratio=0.25", "lambda=1"]
    cells = [Cell("sensitivity", f"{rate} {flows}", star(rate, flows), tuple((SHARE[0], v) for v in variants), range(1, 3))
             for rate, flows in (("10Gbps", 80), ("10Gbps", 480))]
    cells += [Cell("sensitivity", "40Gbps 480", star("40Gbps", 480), tuple((SHARE[0], v) for v in variants[:8]), range(1, 3))]
    chosen = ("ai_share=0.025", "ai_share=0.1", "pmax=0.5", "target_floor=yes")
    return cells + [core(tuple((SHARE[0], v) for v in chosen), range(1, 3), "0.4s", "sensitivity")]


def timers() -> list:
    """Lambda 2, as DCQCN+ has it, with three alpha timers: not safe with 2000 flows at 10 Gb/s."""
    cells = []
    for value in ("1", "1.5", "2"):
        one = ((SHARE[0], f"lambda=2,lambda_alpha={value}"),)
        cells += [Cell("timers", f"{rate} {flows}", star(rate, flows), one, range(1, 11))
                  for rate in ("10Gbps", "40Gbps") for flows in (80, 2000)]
        cells += [core(one, range(1, 11), "1s", "timers")]
    return cells


def same_red() -> list:
    red = "kmin=20KB,kmax=200KB,pmax=1"
    plus = "pmax=1,idle_wake=at-once,initial_alpha=1"
    return [Cell("same-red", f"{rate} {flows}", star(rate, flows), (("dcqcn-plus", plus), ("dcqcn", red)))
            for rate in ("10Gbps", "40Gbps") for flows in (80, 480, 2000)]


def acceptance() -> list:
    """The cells that the project accepts the algorithm by."""
    ten = range(1, 11)
    return [*sizes((SHARE,), ten), web((SHARE, DCQCN), ten), core((SHARE,), ten)]


def comparison() -> list:
    """All other cells, the short runs first. The first seeds of all run before the second ones."""
    ten, figure9 = range(1, 11), Cell("networks", "CLOS of figure 9, 40 Gb/s, 1900 flows to 10 receivers", "clos --time=0.4s", (SHARE,),
                                      range(1, 2))
    cells = [*sizes((PLUS, DCQCN), ten), core(ALL, ten, "0.4s"), core((PLUS, DCQCN), range(1, 4)), *others(), web((PLUS,), ten),
             *timers(), *same_red(), *sensitivity()]
    return [cell for cell in cells if "10Gb" in cell.command] + [cell for cell in cells if "10Gb" not in cell.command] + [figure9]


# ------------------------------------------------------------------------------------------------ running

def read() -> dict:
    """{(group, cell, algorithm, settings, seed): metrics}"""
    if not os.path.exists(DATA):
        return {}
    with open(DATA, encoding="utf-8", newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return {tuple(row[k] for k in KEYS): {m: float(row[m]) for m in METRICS if row[m] != ""} for row in rows}


def runs(cells: list) -> Iterator[tuple]:
    """(cell, algorithm, settings, seed)"""
    for cell in cells:
        for seed in cell.seeds:
            for algorithm, settings in cell.algorithms:
                yield cell, algorithm, settings, seed


def wanted(only: Optional[str]) -> list:
    """All runs, the most wanted first."""
    first = list(runs(acceptance()))
    return [run for run in first + sorted(runs(comparison()), key=lambda run: run[3]) if only in (None, run[0].group)]


def key_of(run: tuple) -> tuple:
    cell, algorithm, settings, seed = run
    return cell.group, cell.name, algorithm, settings, str(seed)


def measure(cell: Cell, algorithm: str, settings: str, seed: int) -> dict:
    program, *words = cell.command.split()
    sets = ["--set=" + ",".join(f"{algorithm}.{one}" for one in settings.split(","))] if settings else []
    with tempfile.TemporaryDirectory() as folder:
        made = simulation.of_scenario(program, [*words, f"--cc={algorithm}", *sets, f"--seed={seed}", f"--out={folder}"])
        simulation.run(build.program(simulation.PROGRAM), made)
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            run = json.load(f)
    fct, queue = run["fct"] or {}, run["queue"]
    values = {"sent": run["send_utilization"] * cell.part, "jain": run["jain"], "mean_kb": queue["mean_bytes"] / 1e3,
              "p99_kb": queue["p99_bytes"] / 1e3, "max_kb": queue["max_bytes"] / 1e3, "pauses": run["pfc"]["pauses"],
              "paused_s": run["pfc"]["paused_s"], "fct_mean_ms": fct.get("mean_s"), "fct_p50_ms": fct.get("p50_s"),
              "fct_p99_ms": fct.get("p99_s"), "incomplete": run.get("incomplete"), "dropped": run["packets_dropped"]}
    for name in ("fct_mean_ms", "fct_p50_ms", "fct_p99_ms"):
        values[name] = values[name] * 1e3 if values[name] is not None else None
    return {name: f"{value:.6g}" for name, value in values.items() if value is not None}


def run_missing(only: Optional[str]) -> None:
    have = read()
    if not have:
        with open(DATA, "w", encoding="utf-8") as f:
            f.write(HEAD + ",".join(KEYS + METRICS) + "\n")
    for run in wanted(only):
        if key_of(run) in have:
            continue
        print(*key_of(run), flush=True)
        values = measure(*run)
        with open(DATA, "a", encoding="utf-8", newline="") as f:
            csv.DictWriter(f, KEYS + METRICS, lineterminator="\n").writerow({**dict(zip(KEYS, key_of(run))), **values})


def write(rows: dict) -> None:
    """The file anew, its rows in the order that they have."""
    with open(DATA + ".part", "w", encoding="utf-8", newline="") as f:
        f.write(HEAD)
        table = csv.DictWriter(f, KEYS + METRICS, lineterminator="\n")
        table.writeheader()
        table.writerows({**dict(zip(KEYS, key)), **{name: f"{value:.6g}" for name, value in values.items()}}
                        for key, values in rows.items())
    os.replace(DATA + ".part", DATA)


def run_again(seed: int, only: Optional[str]) -> None:
    """Repeats the accepted cells of one seed; says what each run gave before and what it gives now."""
    for run in runs(acceptance()):
        if run[3] == seed and only in (None, run[0].group):
            values = {name: float(value) for name, value in measure(*run).items()}
            have = read()  # each run is kept as soon as it is known
            before = have.get(key_of(run), {})
            print(*key_of(run), *(f"{m} {before.get(m)} {values[m]}" for m in ("sent", "jain", "p99_kb", "fct_mean_ms") if m in values),
                  sep=", ", flush=True)
            write({**have, key_of(run): values})


def show_groups() -> None:
    have, groups = read(), {}
    for run in wanted(None):
        groups.setdefault(run[0].group, []).append(key_of(run) in have)
    for group, there in groups.items():
        print(f"{group:<12} {sum(there):4} of {len(there):4} runs are there")


# ------------------------------------------------------------------------------------------------ tables

# Student's t for 95 % and 1, 2, ... degrees of freedom
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)


def interval(values: list, digits: int) -> str:
    """The mean over seeds and half the width of its 95 % interval."""
    mean = statistics.mean(values)
    if len(values) == 1:
        return f"{mean:.{digits}f}"
    half = STUDENT[min(len(values) - 2, len(STUDENT) - 1)] * statistics.stdev(values) / len(values) ** 0.5
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


TITLES = {"dcqcn-plus-share": "share", "dcqcn-plus": "DCQCN+", "dcqcn": "DCQCN"}
COLUMNS = {"sent": ("sending rate", 3), "jain": ("Jain", 3), "p99_kb": ("p99, KB", 0), "mean_kb": ("mean, KB", 0),
           "pauses": ("pauses", 0), "fct_mean_ms": ("FCT mean, ms", 2), "fct_p50_ms": ("p50", 2), "fct_p99_ms": ("p99", 1)}
USUAL = ("sent", "jain", "mean_kb", "p99_kb", "pauses")
FCTS = ("fct_mean_ms", "fct_p50_ms", "fct_p99_ms", "p99_kb", "pauses")


def table(group: str, metrics: tuple, settings: bool = False) -> str:
    """A row per cell and algorithm: mean over the seeds that are there, and the interval."""
    found: dict = {}
    for (where, cell, algorithm, extra, _), values in read().items():
        if where == group:
            found.setdefault((cell, algorithm, extra), []).append(values)
    order = list(dict.fromkeys(key_of(run)[1:4] for run in wanted(group)))
    head = ["set-up", "", *(["settings"] if settings else []), "seeds", *(COLUMNS[m][0] for m in metrics)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    cells = list(dict.fromkeys(cell for cell, _, _ in order))
    for cell, algorithm, extra in sorted(order, key=lambda one: cells.index(one[0])):
        got = found.get((cell, algorithm, extra))
        if got:
            words = [cell, TITLES[algorithm], *([f"`{extra}`" if extra else ""] if settings else []), str(len(got))]
            words += [interval([one[m] for one in got], COLUMNS[m][1]) if m in got[0] else "" for m in metrics]
            lines.append("| " + " | ".join(words) + " |")
    return "\n".join(lines)


def fluid_table() -> str:
    """The fluid model (lab/studies/plus_share.py) beside the packets of the group `sizes`."""
    lines = ["| | p at rest | queue at rest | mean queue, packets | 10 to 90 %: share | DCQCN+ step | phase margin |", "|" + "---|" * 7]
    measured: dict = {}
    for (group, cell, algorithm, _, _), values in read().items():
        if (group, algorithm) == ("sizes", SHARE[0]):
            measured.setdefault(cell, []).append(values["mean_kb"])
    for rate in (10, 40):
        for flows in (8, 80, 480, 2000):
            share, plus = (plus_share.Plus(rate_bps=rate * 1e9, by_share=by) for by in (True, False))
            point, margin = plus_share.solve(share, flows), plus_share.margin(share, flows)
            packets = interval(measured[f"{rate}Gbps {flows}"], 1)
            times = [f"{plus_share.return_s(law, flows, 0.1) * 1e3:.3g} ms" for law in (share, plus)]
            lines.append(f"| {rate} Gb/s, {flows} flows | {point.p:.3f} | {point.queue_bytes / 1e3:.0f} KB | {packets} KB | "
                         f"{times[0]} | {times[1]} | {margin.phase_deg:.0f} degrees |")
    return "\n".join(lines)


def tables() -> dict:
    usual = {group: table(group, USUAL) for group in ("sizes", "core-link", "networks", "rates")}
    ending = {group: table(group, FCTS) for group in ("web-search", "departures")}
    set_by_hand = {group: table(group, USUAL, True) for group in ("many", "same-red", "sensitivity", "timers")}
    return {**usual, **ending, **set_by_hand, "staggered": table("staggered", (*USUAL, "fct_mean_ms")),
            "fluid": fluid_table()}


def page() -> str:
    """The page with its tables made anew."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    for name, lines in tables().items():
        text = re.sub(rf"(<!-- table: {name} -->\n).*?(<!-- end of table -->)", lambda m, it=lines: m[1] + it + "\n" + m[2], text,
                      flags=re.DOTALL)
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="GROUP", help="one group of runs")
    parser.add_argument("--list", action="store_true", help="what is there and what is missing")
    parser.add_argument("--tables", action="store_true", help="write the tables of lab/studies/dcqcn-plus-share.md anew")
    parser.add_argument("--again", type=int, metavar="SEED", help="run the cells of the acceptance again with this seed")
    args = parser.parse_args()
    if args.again is not None:
        run_again(args.again, args.only)
    elif args.list:
        show_groups()
    elif args.tables:
        text = page()
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(text)
    else:
        run_missing(args.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
