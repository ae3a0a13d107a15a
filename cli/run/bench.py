# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc bench`: what a simulated packet costs, as a multiple of a bare ns-3 event timed in the same process."""
from __future__ import annotations

import json
import statistics
import subprocess
import sys

from ..system import build, packages
from ..common import EXIT_FAILED, RccError, align, get, si_bytes, si_count, si_time
from ..registry import Command

FLOWS = [8, 160, 800, 2000]
ACKS = ["coalesced", "per-packet"]
REPEATS = 3
TARGET = {"coalesced": 8.0, "per-packet": 14.0}  # bare events per packet over two links, at most
GROWTH = 2.0                                     # cost at 2000 flows over cost at 8, at most
FAT_TREE = 3e5                                   # packets per CPU second on 2 cores of a 2020s server, at least
KEYS = ["scenario", "flows", "rate_bps", "ack", "packets", "cpu_s", "packets_per_cpu_s", "events_per_packet",
        "bare_events_per_packet", "peak_rss_bytes", "setup_s"]


def measure(program: str, case: list, quick: bool) -> dict:
    words = [program] + case + ["--quick"] * quick
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    try:
        row = json.loads(done.stdout)
        float(row["bare_events_per_packet"]), float(row["bare_events_per_s"])
    except (ValueError, KeyError, TypeError) as error:
        last = (done.stderr.strip().splitlines() or ["it printed no result"])[-1]
        raise RccError(f"rcc-bench {' '.join(case)} ended with status {done.returncode}: {last}", EXIT_FAILED) from error
    return row


def median_row(rows: list) -> dict:
    """The whole row with the median cost, so that its columns belong together."""
    return sorted(rows, key=lambda r: r["bare_events_per_packet"])[(len(rows) - 1) // 2]


def table(rows: list) -> str:
    text = [["", "", "", "packets per", "events per", "bare events", "peak", "set-up"],
            ["flows", "scenario", "ACKs", "CPU second", "packet", "per packet", "memory", "time"]]
    for r in rows:
        text.append([str(r["flows"]), str(r["scenario"]), r["ack"], si_count(get(r, "packets_per_cpu_s")),
                     f"{get(r, 'events_per_packet') or 0:.2f}", f"{r['bare_events_per_packet']:.2f}",
                     si_bytes(get(r, "peak_rss_bytes")), si_time(get(r, "setup_s"))])
    lines = align([[row[1], row[2], row[0]] + row[3:] for row in text]).splitlines()
    lines.insert(2, "-" * max(map(len, lines)))
    return "\n".join(lines)


def verdict(rows: list) -> str:
    """One line: the worst cost and the growth with flows, each beside its target."""
    parts = []
    for ack in ACKS:
        cost = {r["flows"]: r["bare_events_per_packet"] for r in rows if r["ack"] == ack and r["scenario"] == "star"}
        if not cost:
            continue
        worst, growth = max(cost.values()), cost[max(cost)] / cost[min(cost)]
        met = worst <= TARGET[ack] and growth <= GROWTH
        parts.append(f"{ack} ACKs: a packet costs at most {worst:.2f} bare events (target {TARGET[ack]:g}), "
                     f"{growth:.2f} times as much at {max(cost)} flows as at {min(cost)} (target {GROWTH:g})"
                     + ("" if met else " - NOT MET"))
    for r in rows:
        if r["scenario"] == "fat-tree":
            speed = get(r, "packets_per_cpu_s") or 0
            parts.append(f"fat-tree: {si_count(speed)} packets per CPU second (target {si_count(FAT_TREE)})"
                         + ("" if speed >= FAT_TREE else " - NOT MET"))
    return "; ".join(parts) + "."


def add_arguments(parser) -> None:
    parser.add_argument("--quick", action="store_true", help="one short run per row in place of the median of three")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def command(args) -> int:
    quick, as_json = args.quick, args.json
    program = build.program("rcc-bench", packages.BENCH)
    repeats = 1 if quick else REPEATS
    rows, bare = [], []
    cases = [["--scenario=star", f"--flows={flows}", "--rate=40Gbps", f"--ack={ack}"] for ack in ACKS for flows in FLOWS]
    cases.append(["--scenario=fat-tree", "--rate=100Gbps", "--ack=per-packet", "--preset=hpcc"])
    tty = sys.stderr.isatty() and not as_json
    for i, case in enumerate(cases):
        if tty:
            sys.stderr.write(f"\rmeasuring {i + 1} of {len(cases)}: {' '.join(w.lstrip('-') for w in case)}\x1b[K")
            sys.stderr.flush()
        # one at a time: neighbours on the other cores would share caches and clock
        results = [measure(program, case, quick) for _ in range(repeats)]
        bare += [r["bare_events_per_s"] for r in results]
        rows.append({key: median_row(results).get(key) for key in KEYS})
    if tty:
        sys.stderr.write("\r\x1b[K")
    median = statistics.median(bare)
    if as_json:
        print(json.dumps({"bare_events_per_s": median, "rows": rows}, indent=1))
        return 0
    how = "one short run per row" if quick else f"median of {repeats} runs per row"
    print("star: 8 senders and a receiver, 40 Gb/s, two links; fat-tree: 320 hosts, 100 Gb/s, web search at half load, four "
          "or six links to most")
    print(f"{how}; a bare ns-3 event: {1e9 / median:.0f} ns ({si_count(median)} per second)\n")
    print(table(rows))
    print("\n" + verdict(rows))
    return 0


COMMAND = Command(
    help="measure the cost of a simulated packet",
    description="Measure packets per CPU second, events per packet, and the cost of a packet\n"
        "as a multiple of a bare ns-3 event timed in the same process.",
    examples=[("./rcc bench --quick", "one run per row, under a minute"),
        ("./rcc bench --json > bench.json", "median of three, as JSON")],
    add_arguments=add_arguments,
    run=command)
