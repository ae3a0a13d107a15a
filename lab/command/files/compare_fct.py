# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc compare-fct`: the completion times of the same flows in two simulations, e.g. the HPCC simulator's and ours."""
from __future__ import annotations

import bisect
import json
from typing import Dict, List, NamedTuple

from . import rdma_files
from .fct import percentile, rows
from ..common import RccError, align
from ..registry import Command

BUCKETS = [10 ** 4, 10 ** 5, 10 ** 6, 10 ** 19]


class Flow(NamedTuple):
    start: int       # ns
    fct: int         # ns
    ideal: int       # ns, of the file's own simulator


def add_arguments(parser) -> None:
    parser.add_argument("first", metavar="A", help="fct.txt: sip dip sport dport bytes start_ns fct_ns ideal_ns")
    parser.add_argument("second", metavar="B", help="fct.txt of the same flows")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def read(path: str) -> Dict[tuple, List[Flow]]:
    """Read flows by addresses, ports and bytes, in the order of their starts."""
    flows: Dict[tuple, List[Flow]] = {}
    for line, sip, dip, sport, dport, size, start, fct, ideal in rows(path):
        if not ideal or not fct:
            raise rdma_files.wrong(path, line, "fct_ns and ideal_ns", f"{fct} and {ideal}", "at least 1 ns each")
        flows.setdefault((sip.lower(), dip.lower(), sport, dport, size), []).append(Flow(start, fct, ideal))
    for same in flows.values():
        same.sort()
    return flows


def ks_distance(first: list, second: list) -> float:
    """Return the largest difference of the two cumulative distributions (Kolmogorov, Smirnov)."""
    first, second = sorted(first), sorted(second)
    return max(abs(bisect.bisect(first, here) / len(first) - bisect.bisect(second, here) / len(second)) for here in [*first, *second])


def summary(pairs: list) -> dict:
    """Compare the completion times of pairs of flows, B's with A's."""
    differences = sorted(abs(b.fct / a.fct - 1) for a, b in pairs)
    signed = sorted(b.fct / a.fct - 1 for a, b in pairs)
    return {"flows": len(pairs), "median_difference": percentile(differences, 50), "p95_difference": percentile(differences, 95),
            "median_signed": percentile(signed, 50),
            "ks_slowdown": ks_distance([a.fct / a.ideal for a, _ in pairs], [b.fct / b.ideal for _, b in pairs])}


def compare(first: str, second: str) -> dict:
    """Compare two files. Returns the object that --json prints."""
    a, b = read(first), read(second)
    matched = [(key[4], pair) for key in a if key in b for pair in zip(a[key], b[key])]
    if not matched:
        raise RccError(f"{first}, {second}: found no flow that both have, expected the same addresses, ports and bytes")
    total = {name: sum(map(len, flows.values())) for name, flows in (("a", a), ("b", b))}
    found: dict = {"a": first, "b": second, "only_a": total["a"] - len(matched), "only_b": total["b"] - len(matched),
                   "all": summary([pair for _, pair in matched]), "by_size": []}
    low = 0
    for high in BUCKETS:
        some = [pair for size, pair in matched if low <= size < high]
        if some:
            found["by_size"].append({"from_bytes": low, "to_bytes": high if high < BUCKETS[-1] else None, **summary(some)})
        low = high
    return found


def text(found: dict) -> str:
    """Format the result as a table."""
    def cells(name: str, part: dict) -> list:
        return [name, f"{part['flows']:,}", f"{part['median_difference']:.2%}", f"{part['p95_difference']:.2%}",
                f"{part['median_signed']:+.2%}", f"{part['ks_slowdown']:.4f}"]

    def name_of(part: dict) -> str:
        return f"from {part['from_bytes']:,}" + (f" to {part['to_bytes']:,}" if part["to_bytes"] else "") + " bytes"

    lines = [["flows that both have", "flows", "median", "p95", "signed", "KS"], cells("all", found["all"])]
    lines += [cells(name_of(part), part) for part in found["by_size"]]
    return (align(lines) + f"\n\nonly in A: {found['only_a']:,}   only in B: {found['only_b']:,}\nmedian, p95: |B's completion time / "
            "A's - 1|; "
            "signed: the median with its sign;\nKS: the largest distance of the two distributions of slowdown")


def command(args) -> int:
    found = compare(args.first, args.second)
    print(json.dumps(found, indent=1) if args.json else text(found))
    return 0


COMMAND = Command(
    description="Compare two fct.txt of the same flows, e.g. one of the HPCC simulator and one of ./rcc ns3-rdma: which flows both have,\n"
        "how far their completion times are apart, and the distance of the distributions of slowdown.",
    examples=[("./rcc compare-fct mix/fct.txt out/ns3-rdma/dcqcn/fct.txt", "another simulator's results beside ours"),
        ("./rcc compare-fct a/fct.txt b/fct.txt --json", "as JSON")],
    add_arguments=add_arguments,
    run=command)
