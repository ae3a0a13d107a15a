# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc bench`: the cost of a simulated packet, as a multiple of a bare ns-3 event timed in the same process."""
from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from .bench_cases import Case, experiment
from .processes import environment
from ..system import build, packages
from ..common import EXIT_FAILED, RccError, align, get, si_bytes, si_count, si_rate, si_time
from ..experiment import writer
from ..experiment.model import Default
from ..registry import Command

FLOWS = [8, 160, 800, 2000]
MANY_FLOWS = [10000, 100000]                     # coalesced ACKs only
ACKS = ["coalesced", "per-packet"]
REPEATS = 3
TARGET = {"coalesced": 8.0, "per-packet": 14.0}  # bare events per packet over two links, at most
GROWTH = {2000: 2.0, 10000: 2.0, 100000: 3.0}    # cost at so many flows over cost at 8, at most
FAT_TREE = 3e5                                   # packets per CPU second on 2 cores of a 2020s server, at least
STAR_NS, FAT_TREE_NS = 400_000_000, 1_000_000    # length of a row; a quarter with --quick
LARGE_NS = 50_000
SPRAYED = (Default("ns3::RdmaNic", "Recovery", "selective"), Default("ns3::RdmaNic", "ReorderPackets", "256"),
           Default("ns3::QbbSwitch", "LoadBalancing", "round-robin"))
# Instructions per delivered packet: a case, another length in ns of which the difference is taken, at most.
INSTRUCTIONS = [(Case("star", 10_000_000, 8), 30_000_000, 2200), (Case("star", 20_000_000, 2000), 40_000_000, 4200),
                (Case("star", 20_000_000, 10000), 40_000_000, 5500),
                (Case("fat-tree", 100_000, ack="per-packet"), 300_000, 8500),
                (Case("fat-tree", 100_000, ack="per-packet", defaults=SPRAYED), 300_000, 9600)]
# Full fat trees: pods and pattern; and at most so many seconds of set-up.
LARGE = [(32, "incast"), (32, "permutation"), (64, "incast"), (64, "permutation")]
SETUP = {32: 0.8, 64: 8.0}
KEYS = ["scenario", "flows", "rate_bps", "ack", "packets", "cpu_s", "packets_per_cpu_s", "events_per_packet",
        "bare_events_per_packet", "peak_rss_bytes", "setup_s"]


def start(words: list, case: Case) -> subprocess.CompletedProcess:
    """Run rcc-bench for a case. `words`: program and options, before which another program may stand."""
    with tempfile.TemporaryDirectory() as folder:    # callgrind, too, writes there
        path = os.path.join(folder, "bench.run")
        with open(path, "w", encoding="ascii") as f:
            f.write(writer.Writer(experiment(case)).text())
        return subprocess.run([word.format(folder=folder) for word in words] + [path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=environment(), check=False)


def failed(case: Case, done: subprocess.CompletedProcess, where: str = "") -> RccError:
    """Return the error of a program that has printed no result."""
    last = (done.stderr.strip().splitlines() or ["it printed no result"])[-1]
    return RccError(f"rcc-bench, {shown(case)}{where}, ended with status {done.returncode}: {last}", EXIT_FAILED)


def measure(program: str, case: Case, quick: bool) -> dict:
    done = start([program] + ["--quick"] * quick, case)
    try:
        row = json.loads(done.stdout)
        float(row["bare_events_per_packet"]), float(row["bare_events_per_s"])
    except (ValueError, KeyError, TypeError) as error:
        raise failed(case, done) from error
    return row


def shown(case: Case) -> str:
    """Return a case for people."""
    what = [f"flows={case.flow_count}"] if case.flow_count else [f"k={case.k}", f"pattern={case.pattern}"] if case.k else []
    return " ".join([case.scenario, *what, f"rate={si_rate(case.rate_bps).replace(' ', '')}", f"ack={case.ack}",
                     *(f"{one.attribute}={one.value}" for one in case.defaults)])


def median_row(rows: list) -> dict:
    """Return the row with the median cost."""
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
    """Return a line with the worst cost and the growth with flows, each beside its target."""
    parts = []
    for ack in ACKS:
        cost = {r["flows"]: r["bare_events_per_packet"] for r in rows if r["ack"] == ack and r["scenario"] == "star"}
        if not cost:
            continue
        worst = max(value for flows, value in cost.items() if flows <= max(FLOWS))
        grown = [(flows, cost[flows] / cost[min(cost)], most) for flows, most in GROWTH.items() if flows in cost]
        met = worst <= TARGET[ack] and all(growth <= most for _, growth, most in grown)
        parts.append(f"{ack} ACKs: a packet costs at most {worst:.2f} bare events (target {TARGET[ack]:g}) up to {max(FLOWS)} flows, "
                     + ", ".join(f"{growth:.2f} times as much at {flows} flows as at {min(cost)} (target {most:g})"
                                 for flows, growth, most in grown)
                     + ("" if met else " - NOT MET"))
    for r in rows:
        if r["scenario"] == "fat-tree":
            speed = get(r, "packets_per_cpu_s") or 0
            parts.append(f"fat-tree: {si_count(speed)} packets per CPU second (target {si_count(FAT_TREE)})"
                         + ("" if speed >= FAT_TREE else " - NOT MET"))
    return "; ".join(parts) + "."


def callgrind(program: str, case: Case) -> tuple:
    """Return (instructions, delivered packets) of one run."""
    done = start(["valgrind", "--tool=callgrind", "--callgrind-out-file={folder}/out", program, "--packets-only"], case)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not counted:
        raise failed(case, done, " under valgrind")
    return int(counted.group(1)), int(json.loads(done.stdout)["packets"])


def instructions(program: str, as_json: bool) -> int:
    """Print instructions per delivered packet, from the difference of two lengths of a run, so that set-up does not count."""
    if not shutil.which("valgrind"):
        raise RccError("--instructions needs valgrind: apt-get install valgrind", EXIT_FAILED)
    rows = []
    for case, long, most in INSTRUCTIONS:
        (less, few), (more, many) = (callgrind(program, one) for one in (case, case._replace(time_ns=long)))
        rows.append({"case": shown(case), "instructions_per_packet": (more - less) // (many - few), "target": most})
    if as_json:
        print(json.dumps({"rows": rows}, indent=1))
        return 0
    print(align([["case", "instructions per packet", "target"]]
                + [[r["case"], str(r["instructions_per_packet"]), f"at most {r['target']}"
                    + ("" if r["instructions_per_packet"] <= r["target"] else " - NOT MET")] for r in rows]))
    return 0


def large(program: str, as_json: bool) -> int:
    """Measure networks of up to 65,536 hosts with a flow per host, for 50 us, one run each, and their set-up alone."""
    rows, text = [], []
    for k, pattern in LARGE:
        row = measure(program, Case("large", LARGE_NS, k=k, pattern=pattern), True)
        rows.append({"k": k, "pattern": pattern, **{key: row.get(key) for key in KEYS}})
        events = (get(row, "events_per_packet") or 0) * row["packets"]
        text.append([str(k), str(row["flows"]), pattern, si_count(events), si_count(row["packets"]), f"{row['cpu_s']:.1f} s",
                     si_bytes(get(row, "peak_rss_bytes")), si_time(get(row, "setup_s"))])
    if as_json:
        print(json.dumps({"rows": rows}, indent=1))
        return 0
    print(align([["k", "hosts", "pattern", "events", "packets", "CPU time", "peak memory", "set-up time"]] + text))
    print("\n50 us of a full fat tree at 40 Gb/s, a flow per host; set-up targets: "
          + ", ".join(f"{seconds:g} s with k = {k}" for k, seconds in SETUP.items()))
    return 0


def measure_all(programs: list, case: Case, quick: bool) -> list:
    """Return the median row of each program; the programs take turns, so that a busy minute affects all."""
    turns = [[measure(program, case, quick) for program in programs] for _ in range(1 if quick else REPEATS)]
    return [median_row(list(results)) for results in zip(*turns)]


def add_arguments(parser) -> None:
    parser.add_argument("--instructions", action="store_true", help="count instructions per packet with valgrind's callgrind; minutes")
    parser.add_argument("--large", action="store_true", help="fat trees of up to 65,536 hosts in place of the other rows; minutes, 2.4 GB")
    parser.add_argument("--peer", metavar="PATH", help="rcc-bench of another build, measured in turn; prints its CPU time over this one's")
    parser.add_argument("--quick", action="store_true", help="one short run per row in place of the median of three")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def command(args) -> int:
    quick, as_json = args.quick, args.json
    if args.peer is not None and not (os.path.isfile(args.peer) and os.access(args.peer, os.X_OK)):
        raise RccError(f"--peer={args.peer}: no such program")
    program = build.program("rcc-bench", packages.BENCH)
    if args.instructions:
        return instructions(args.peer or program, as_json)
    if args.large:
        return large(args.peer or program, as_json)
    programs = [program] + ([args.peer] if args.peer else [])
    rows, bare, ratios = [], [], []
    part = 4 if quick else 1
    cases = [Case("star", STAR_NS // part, flows, ack=ack) for ack in ACKS for flows in FLOWS + MANY_FLOWS * (ack == "coalesced")]
    cases.append(Case("fat-tree", FAT_TREE_NS // part, rate_bps=100 * 10**9, ack="per-packet", preset="hpcc"))
    tty = sys.stderr.isatty() and not as_json
    for i, case in enumerate(cases):
        if tty:
            sys.stderr.write(f"\rmeasuring {i + 1} of {len(cases)}: {shown(case)}\x1b[K")
            sys.stderr.flush()
        # one at a time: neighbours on the other cores would share caches and clock
        own, *peer = measure_all(programs, case, quick)
        bare.append(own["bare_events_per_s"])
        rows.append({key: own.get(key) for key in KEYS})
        if peer:
            ratios.append([shown(case), f"{own['packets_per_cpu_s'] / peer[0]['packets_per_cpu_s']:.2f}"])
    if tty:
        sys.stderr.write("\r\x1b[K")
    median = statistics.median(bare)
    if as_json:
        print(json.dumps({"bare_events_per_s": median, "rows": rows}, indent=1))
        return 0
    how = "one short run per row" if quick else f"median of {REPEATS} runs per row"
    print("star: 8 senders and a receiver, 40 Gb/s, two links; fat-tree: 320 hosts, 100 Gb/s, web search at half load, four "
          "or six links to most")
    print(f"{how}; a bare ns-3 event: {1e9 / median:.0f} ns ({si_count(median)} per second)\n")
    print(table(rows))
    print("\n" + verdict(rows))
    if ratios:
        print(f"\nCPU time of {args.peer} over this one's, packet by packet:\n" + align(ratios))
    return 0


COMMAND = Command(
    description="Measure packets per CPU second, events per packet, and the cost of a packet\n"
        "as a multiple of a bare ns-3 event timed in the same process.",
    examples=[("./rcc bench --quick", "one run per row, under a minute"),
        ("./rcc bench --json > bench.json", "median of three, as JSON"),
        ("./rcc bench --large", "65,536 hosts"),
        ("./rcc bench --instructions", "instructions per packet, by callgrind")],
    add_arguments=add_arguments,
    run=command)
