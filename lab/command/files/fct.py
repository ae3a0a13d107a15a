# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc fct`: slowdowns of the flows in fct.txt, as the HPCC simulator and its forks write it, several files side by side."""
from __future__ import annotations

import json
import os
import re
from typing import Iterator, NamedTuple, Optional

from .. import units
from . import rdma_files
from ..common import RccError, align, cannot_write, counted, digits, si_bytes, warn
from ..registry import Command
from .. import owned

FCT = "./rcc fct"    # by whose name its figures are listed
COLUMNS = ["source address", "destination address", "source port", "destination port", "bytes", "start", "completion time",
           "ideal time"]
# nearly all rows match; only those that do not are looked at word by word
ROW = re.compile(rb"\s*([0-9a-fA-F]{1,8})\s+([0-9a-fA-F]{1,8})\s+(\d{1,5})\s+(\d{1,5})\s+(\d{1,19})\s+(\d{1,19})\s+(\d{1,19})"
                 rb"\s+(\d{1,19})\s*")
SHARES = {"p50": 50, "p95": 95, "p99": 99}
# The ideal time counts a whole packet on every link, so that a flow of less may well be some percent faster.
SUSPICIOUS = 0.8
FIRST_EDGE = 10_000    # bytes: the first fixed bucket, then one per decade, as in a workload's slowdown.by_size


class Group(NamedTuple):
    """Flows of like size, and the percentiles of their slowdown."""
    name: str       # 0-10 % of the flows, or the bucket
    to_bytes: int   # the largest flow, or the bucket's edge
    flows: int
    p50: float
    p95: float
    p99: float


class Flows(NamedTuple):
    path: str
    sizes: list     # (bytes, slowdown), sorted
    faster: int     # flows that ended before their ideal time
    least: float    # the least completion time / ideal time


def add_arguments(parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="fct.txt of a run: sip dip sport dport bytes start_ns fct_ns "
                        "ideal_ns")
    parser.add_argument("--by-size", action="store_true", help="buckets to 10 KB, 100 KB, ... in place of tenths of the flows")
    parser.add_argument("--step", metavar="PERCENT", default="10", help="flows per row without --by-size (default: 10)")
    parser.add_argument("--dport", metavar="PORT", help="only flows to this port; by custom 100 background, 200 incast")
    parser.add_argument("--until", metavar="TIME", help="only flows that end before this simulated time, e.g. 3s")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--plot", metavar="FILE", help="draw the table to this file, .png, .svg or .pdf")


def describe_wrong_row(path: str, line: int, row: bytes) -> RccError:
    """Return the error for a row that ROW does not match."""
    words = row.split()
    if len(words) != len(COLUMNS):
        return rdma_files.wrong(path, line, "flow", f"{len(words)} words", "8: sip dip sport dport bytes start_ns fct_ns ideal_ns")
    for what, word in zip(COLUMNS[:2], words):
        if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", word):
            return rdma_files.wrong(path, line, what, rdma_files.shown(word), "8 hexadecimal digits")
    for what, word in zip(COLUMNS[2:], words[2:]):
        try:
            rdma_files.read_whole(path, line, what, word, 0, 65535 if what.endswith("port") else 10**19 - 1)
        except RccError as error:
            return error
    return rdma_files.wrong(path, line, "flow", rdma_files.shown(row), "a row of fct.txt")


def rows(path: str) -> Iterator[tuple]:
    """Yield (line, source address, destination address, ports, bytes, start, completion time, ideal time) of each flow; times in ns."""
    line, is_empty = 1, True
    for line, row in rdma_files.rows(path):
        found = ROW.fullmatch(row)
        if found:
            is_empty = False
            numbers = list(map(int, found.groups()[2:]))
            if max(numbers[:2]) > 65535:
                raise describe_wrong_row(path, line, row)
            yield (line, *found.groups()[:2], *numbers)
        elif row.strip():
            raise describe_wrong_row(path, line, row)
    if is_empty:
        raise rdma_files.wrong(path, line, "flows", "none", "at least one row")


def read(path: str, dport: Optional[int], until: Optional[float]) -> Flows:
    sizes = []
    faster = 0
    least = float("inf")
    line = 1
    for line, _, _, _, port, size, start, fct, ideal in rows(path):
        if not ideal:
            raise rdma_files.wrong(path, line, COLUMNS[7], "0", "at least 1 ns")
        if (dport is not None and port != dport) or (until is not None and start + fct >= until):
            continue
        faster += fct < ideal
        least = min(least, fct / ideal)
        sizes.append((size, max(1.0, fct / ideal)))
    if not sizes:
        raise rdma_files.wrong(path, line, "flows", "none that --dport and --until leave", "at least one row")
    sizes.sort()
    return Flows(path, sizes, faster, least)


def percentile(ordered: list, percent: int) -> float:
    """Return the element at floor(n percent / 100), as HPCC's scripts do."""
    return ordered[len(ordered) * percent // 100]


def group(name: str, to_bytes: int, flows: list) -> Group:
    ordered = sorted(slowdown for _, slowdown in flows)
    return Group(name, to_bytes, len(flows), *(percentile(ordered, p) for p in SHARES.values()))


def by_count(flows: Flows, step: int) -> list:
    """Group equal numbers of flows, the smallest first; fewer groups if there are fewer flows."""
    n = len(flows.sizes)
    groups = []
    for percent in range(0, 100, step):
        part = flows.sizes[percent * n // 100:(percent + step) * n // 100]
        if part:
            groups.append(group(f"{percent}-{percent + step} %", part[-1][0], part))
    return groups


def by_size(flows: Flows) -> list:
    """Group flows with from < bytes <= to: to 10 KB, then one group per decade."""
    buckets: dict = {}
    for flow in flows.sizes:
        edge = FIRST_EDGE
        while flow[0] > edge:
            edge *= 10
        buckets.setdefault(edge, []).append(flow)
    return [group(f"to {si_bytes(edge)}", edge, part) for edge, part in sorted(buckets.items())]


def labels(paths: list) -> list:
    """Return names short enough for a table: without the folders that all have in common."""
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    while all(len(p) > 1 for p in parts) and len({p[0] for p in parts}) == 1:
        parts = [p[1:] for p in parts]
    if len({p[-1] for p in parts}) == 1 and all(len(p) > 1 for p in parts):
        parts = [p[:-1] for p in parts]  # a/fct.txt b/fct.txt: the folders tell them apart
    return [os.sep.join(p) for p in parts]


def table(files: list, groups: list, sizes: bool) -> str:
    """Format one row per group, three columns per file. Files of the same flows share the columns of sizes and counts."""
    names = list(dict.fromkeys(g.name for found in groups for g in found))
    if sizes:
        names = [g.name for g in sorted({g.name: g for found in groups for g in found}.values(), key=lambda g: g.to_bytes)]
    rows_of = [{g.name: g for g in found} for found in groups]
    everything = [group("all", f.sizes[-1][0], f.sizes) for f in files]
    alike = all([(g.name, g.to_bytes, g.flows) for g in found] == [(g.name, g.to_bytes, g.flows) for g in groups[0]]
                for found in groups)

    def show_group(g: Optional[Group]) -> list:
        if g is None:
            return [""] * (1 if sizes else 2)
        return [str(g.flows)] if sizes else [si_bytes(g.to_bytes), str(g.flows)]

    def values(g: Optional[Group]) -> list:
        return ["-"] * 3 if g is None else [f"{v:.3f}" for v in (g.p50, g.p95, g.p99)]

    columns = ["flows"] if sizes else ["to size", "flows"]
    first, second = ["slowdown"], [""]
    if alike:
        first += [""] * len(columns)
        second += columns
    for label in labels([f.path for f in files]):
        own = [] if alike else columns
        wide = len(own) + 3
        first += [""] * (wide - 1) + [label]
        second += own + list(SHARES)
    body = []
    for name, found in [(n, [r.get(n) for r in rows_of]) for n in names] + [("all", everything)]:
        cells = [name] + (show_group(next((g for g in found if g), None)) if alike else [])
        for g in found:
            cells += ([] if alike else show_group(g)) + values(g)
        body.append(cells)
    # a long name must not widen its last column: it stands over the three, to the right
    lines = align([second] + body).splitlines()
    width = [max(len(r[i]) for r in [second] + body) for i in range(len(second))]
    head, at = "", 0
    for i, text in enumerate(first):
        at += width[i] + (2 if i else 0)
        if text:
            head += text if not i else text.rjust(max(at - len(head), len(text) + 2))
    lines.insert(0, head)
    return "\n".join(lines)


def result(files: list, groups: list, sizes: bool) -> dict:
    def fields(g: Group) -> dict:
        return {**g._asdict(), **{name: round(getattr(g, name), 6) for name in SHARES}}
    return {"by": "size" if sizes else "count", "files": [
        {"file": f.path, "flows": len(f.sizes), "faster_than_ideal": f.faster, "least": round(f.least, 6),
         "groups": [fields(g) for g in found],
         "all": fields(group("all", f.sizes[-1][0], f.sizes))} for f, found in zip(files, groups)]}


def draw(found: dict, path: str) -> None:
    """Draw the figure in an interpreter that has matplotlib. A link stays a link."""
    from ..results.draw import drawing
    folder, name, own = owned.place_of(path, FCT, "--plot")
    try:
        owned.record(folder, own, FCT, [name])
        try:
            done = drawing.plotting_process(["-m", "command.files.fct_plot", os.path.join(folder, name)], json.dumps(found))
        finally:
            owned.record(folder, {*own, name}, FCT)
    except OSError as error:
        raise cannot_write(f"--plot={path}", error) from error
    if done:
        raise RccError(f"--plot={path}: {done}", 1)


def command(args) -> int:
    step = rdma_files.quantity("count", args.step, "--step", 1, 100, "a divisor of 100, such as 5 or 10")
    if 100 % step:
        raise RccError(f"--step={args.step}: expected a divisor of 100, such as 5 or 10")
    dport = None
    if args.dport is not None:
        dport = int(rdma_files.quantity("count", args.dport, "--dport", 0, 65535, "a port, 0 to 65535"))
    until = units.parse("time", args.until, "--until") * 1e9 if args.until is not None else None
    if args.plot is not None:
        if os.path.splitext(args.plot)[1] not in (".png", ".svg", ".pdf"):
            raise RccError(f"--plot={args.plot}: expected a name that ends in .png, .svg or .pdf")
        if not os.path.isdir(os.path.dirname(os.path.abspath(args.plot))):
            raise RccError(f"--plot={args.plot}: no such folder")
        if os.path.isdir(args.plot):
            raise RccError(f"--plot={args.plot}: found a directory, expected the name of a file")
        owned.place_of(args.plot, FCT, "--plot")
    files = [read(path, dport, until) for path in args.files]
    groups = [by_size(f) if args.by_size else by_count(f, int(step)) for f in files]
    found = result(files, groups, args.by_size)
    print(json.dumps(found, indent=1) if args.json else table(files, groups, args.by_size))
    for f in files:
        if f.least < SUSPICIOUS:
            warn(f"{f.path}: {f.faster} of {counted(len(f.sizes), 'flow')} ended before their ideal time, one after {digits(f.least)} of "
                 "it; counted as slowdown 1")
    if args.plot is not None:
        names = labels(args.files)
        draw({**found, "files": [{**f, "label": n} for f, n in zip(found["files"], names)]}, args.plot)
        print(f"plot: {args.plot}" if not args.json else "", end="" if args.json else "\n")
    return 0


COMMAND = Command(
    description="Slowdown (completion time / ideal time, at least 1) by flow size: p50, p95 and p99 of each tenth of the\n"
        "flows, the smallest first, for several files side by side.",
    examples=[("./rcc fct out/ns3-rdma/*/fct.txt", "all algorithms of a run"),
        ("./rcc fct mix/fct.txt --step=5 --dport=100 --until=3s", "as HPCC's fct_analysis.py cuts and filters"),
        ("./rcc fct a/fct.txt b/fct.txt --by-size --plot=slowdown.png", "fixed sizes, and a figure")],
    add_arguments=add_arguments,
    run=command)
