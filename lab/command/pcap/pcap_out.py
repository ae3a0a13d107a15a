# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The results of `./rcc pcap`: CSV files, pcap.json, tables."""
from __future__ import annotations

import csv
import os
from typing import List, Optional

from ..below import atomic_write
from ..common import (WIDEST, aligned, cannot_write, digits, fit, ratio, si_count, si_rate, si_time,
                      terminal_width, version)
from .. import owned
from ..results.read import results
from .pcap_flows import LINK, Point, address

SCHEMA = 1
PCAP = "./rcc pcap"    # by whose name its files are listed
FLOW_COLUMNS = ["run", "point", "flow", "src", "dst", "qp", "sender_qp", "sport", "dscp", "pcp", "vlan", "first_s", "last_s",
                "packets", "wire_bytes", "payload_bytes", "payload_bps", "ce_share", "acks", "naks", "rnrs", "cnps",
                "cnp_spacing_mean_s", "cnp_spacing_p50_s", "gobacks", "retransmitted", "gaps", "missing", "ce_echoes"]
BANDWIDTH_COLUMNS = ["run", "point", "time_s", "flow", "packets", "wire_bps", "payload_bps", "ce_share", "retransmitted"]
INTERVAL_COLUMNS = ["run", "point", "time_s", "packets", "wire_bps", "payload_bps", "ect", "ce", "ce_share", "retransmitted", "acks",
                    "naks", "rnrs", "cnps", "cnms", "pauses", "resumes", "paused_share", "other_bps", "ce_echoes"]
CNP_COLUMNS = ["run", "point", "time_s", "flow", "src", "dst", "qp", "spacing_s", "period_s"]
PAUSE_COLUMNS = ["run", "point", "from_s", "to_s", "paused_s", "mac", "class", "frames", "ended"]
FILES = ["flows.csv", "bandwidth.csv", "intervals.csv", "cnps.csv", "pauses.csv"]
PLOTS = ["bandwidth.png", "flow_bandwidth.png", "cnp.png", "ecn.png", "pauses.png"]


def quantile(ordered: list, share: float) -> Optional[float]:
    return ordered[int(share * (len(ordered) - 1))] if ordered else None


def number(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.9g}"


def share_of(part: int, whole: int) -> Optional[float]:
    return part / whole if whole else None


def column_sums(width: int, rows: list) -> list:
    """Sum each column of the rows, which have `width` of them."""
    return [sum(column) for column in zip([0] * width, *rows)]


def cls_name(cls: int) -> str:
    return "link" if cls == LINK else str(cls)


class Facts:
    """The numbers of one point, each computed once."""

    def __init__(self, point: Point):
        self.point = p = point
        flows, answers, pauses = p.flows.values(), p.answers.values(), p.pauses.values()
        self.packets, self.wire, self.payload, self.ect, self.ce, self.again = column_sums(6, [f.totals() for f in flows])
        self.from_ns = min((f.first for f in flows), default=None)
        self.to_ns = max((f.last for f in flows), default=None)
        self.span = (self.to_ns - self.from_ns) / 1e9 if flows else 0.0
        self.length = (p.last - p.first) / 1e9 if p.frames else 0.0
        self.acks, self.naks, self.rnrs, self.echoes = column_sums(4, [(a.acks, a.naks, a.rnrs, a.echoes) for a in answers])
        self.spacings = sorted(s / 1e9 for _, _, s, _ in p.cnps if s is not None)
        self.periods = sorted(period / 1e9 for _, _, _, period in p.cnps if period)
        self.gobacks, self.gaps, self.missing = column_sums(3, [(f.gobacks, f.gaps, f.missing) for f in flows])
        self.pauses, self.resumes, paused_ns = column_sums(3, [(x.frames, x.resumes, x.paused_ns()) for x in pauses])
        self.paused = paused_ns / 1e9
        self.answers: dict = {}    # by number of the flow
        for a in answers:
            if a.flow is not None:
                self.answers.setdefault(a.flow.number, []).append(a)

    def rate(self, count: float) -> Optional[float]:
        """Return a count per second of the time in which there were data."""
        return count / self.span if self.span > 0 else None

    def as_json(self, run: str) -> dict:
        p = self.point
        return {
            "run": run, "point": p.name, "frames": p.frames, "first_s": (p.first or 0) / 1e9, "zero_s": p.zero / 1e9,
            "length_s": self.length, "roce_packets": p.roce, "flows": len(p.flows), "data_packets": self.packets,
            "data_from_s": None if self.from_ns is None else (self.from_ns - p.zero) / 1e9,
            "data_to_s": None if self.to_ns is None else (self.to_ns - p.zero) / 1e9,
            "wire_bytes": self.wire, "payload_bytes": self.payload,
            "payload_bps": self.rate(self.payload * 8), "wire_bps": self.rate(self.wire * 8),
            "ect": self.ect, "ce": self.ce, "ce_share": share_of(self.ce, self.ect),
            "ce_echoes": self.echoes,
            "acks": self.acks, "naks": self.naks, "rnrs": self.rnrs, "gobacks": self.gobacks, "retransmitted": self.again,
            "gaps": self.gaps, "missing": self.missing,
            "cnps": len(p.cnps), "cnps_per_s": self.rate(len(p.cnps)),
            "cnp_spacing_s": {n: quantile(self.spacings, s) for n, s in (("p5", 0.05), ("p50", 0.5), ("p95", 0.95), ("p99", 0.99))},
            "cnp_period_s": {n: quantile(self.periods, s) for n, s in (("p5", 0.05), ("p50", 0.5), ("p95", 0.95))},
            "cnms": p.cnms, "pauses": self.pauses, "resumes": self.resumes, "paused_s": self.paused,
            "pauses_by_class": [{"mac": x.mac, "class": cls_name(x.cls), "pauses": x.frames, "resumes": x.resumes,
                                 "paused_s": x.paused_ns() / 1e9} for _, x in sorted(p.pauses.items())],
            "other_frames": p.others, "other_bytes": p.other_bytes, "cut_frames": p.short, "odd_frames": p.odd}


class Run:
    """The captures of one experiment: its points share a clock, and most often a zero of time."""

    def __init__(self, name: str, points: List[Point], files: list):
        self.name, self.files = name, files
        self.facts = [Facts(point) for point in points]

    def chief(self) -> Facts:
        """Return the point that stands for the run in a comparison: the one with most data."""
        return max(self.facts, key=lambda f: (f.packets, f.point.roce))


# ------------------------------------------------------------------------------------------------ CSV

def flow_rows(run: Run, facts: Facts):
    p = facts.point
    spacings: dict = {}
    for _, answers, spacing, _ in p.cnps:
        if spacing is not None and answers.flow is not None:
            spacings.setdefault(answers.flow.number, []).append(spacing / 1e9)
    for flow in p.flows.values():
        packets, wire, payload, ect, ce, again = flow.totals()
        answers = facts.answers.get(flow.number, [])
        acks, naks, rnrs, cnps, echoes = column_sums(5, [(a.acks, a.naks, a.rnrs, a.cnps, a.echoes) for a in answers])
        own = sorted(spacings.get(flow.number, []))
        life = (flow.last - flow.first) / 1e9
        yield [run.name, p.name, flow.number, address(flow.src), address(flow.dst), flow.qp,
               " ".join(str(a.qp) for a in answers), flow.sport, flow.dscp, "" if flow.pcp is None else flow.pcp,
               "" if flow.vlan is None else flow.vlan, number((flow.first - p.zero) / 1e9), number((flow.last - p.zero) / 1e9),
               packets, wire, payload, number(payload * 8 / life if life > 0 else None), number(share_of(ce, ect)),
               acks, naks, rnrs, cnps, number(sum(own) / len(own) if own else None), number(quantile(own, 0.5)),
               flow.gobacks, again, flow.gaps, flow.missing, echoes]


def bandwidth_rows(run: Run, facts: Facts):
    p = facts.point
    per_s = 8e9 / p.interval
    slots = sorted((slot, flow.number, found) for flow in p.flows.values() for slot, found in flow.slots.items())
    for slot, flow, (packets, wire, payload, ect, ce, again) in slots:
        yield [run.name, p.name, number((slot + 1) * p.interval / 1e9), flow, packets, number(wire * per_s),
               number(payload * per_s), number(share_of(ce, ect)), again]


def paused_shares(point: Point) -> dict:
    """Return, for each interval, the part of it in which at least one class of one end was paused."""
    periods = sorted((since, to) for x in point.pauses.values() for since, to, _, _ in x.periods if to > since)
    found: dict = {}
    end = None
    for since, to in periods:
        since = since if end is None else max(since, end)
        end = to if end is None else max(end, to)
        while since < to:
            slot = (since - point.zero) // point.interval
            until = min(to, point.zero + (slot + 1) * point.interval)
            found[slot] = found.get(slot, 0) + until - since
            since = until
    return {slot: ns / point.interval for slot, ns in found.items()}


def interval_rows(run: Run, facts: Facts):
    p = facts.point
    per_s = 8e9 / p.interval
    data: dict = {}
    for flow in p.flows.values():
        for slot, found in flow.slots.items():
            sums = data.setdefault(slot, [0] * 6)
            for i, n in enumerate(found):
                sums[i] += n
    paused = paused_shares(p)
    for slot in sorted(set(data) | set(p.slots) | set(paused)):
        packets, wire, payload, ect, ce, again = data.get(slot, [0] * 6)
        other = p.slots.get(slot, {})
        yield [run.name, p.name, number((slot + 1) * p.interval / 1e9), packets, number(wire * per_s), number(payload * per_s), ect,
               ce, number(share_of(ce, ect)), again] + \
            [other.get(name, 0) for name in ("acks", "naks", "rnrs", "cnps", "cnms", "pauses", "resumes")] + \
            [number(paused.get(slot, 0.0)), number(other.get("other_bytes", 0) * per_s), other.get("ce_echoes", 0)]


def cnp_rows(run: Run, facts: Facts):
    p = facts.point
    for ns, answers, spacing, period in p.cnps:
        yield [run.name, p.name, number((ns - p.zero) / 1e9), "" if answers.flow is None else answers.flow.number,
               address(answers.src), address(answers.dst), answers.qp, number(None if spacing is None else spacing / 1e9),
               number(None if period is None else period / 1e9)]


def pause_rows(run: Run, facts: Facts):
    p = facts.point
    rows = [(since, to, x.mac, x.cls, frames, how) for x in p.pauses.values() for since, to, frames, how in x.periods]
    for since, to, mac, cls, frames, how in sorted(rows):
        yield [run.name, p.name, number((since - p.zero) / 1e9), number((to - p.zero) / 1e9), number((to - since) / 1e9), mac,
               cls_name(cls), frames, how]


TABLES = [("flows.csv", FLOW_COLUMNS, flow_rows), ("bandwidth.csv", BANDWIDTH_COLUMNS, bandwidth_rows),
          ("intervals.csv", INTERVAL_COLUMNS, interval_rows), ("cnps.csv", CNP_COLUMNS, cnp_rows),
          ("pauses.csv", PAUSE_COLUMNS, pause_rows)]


def prepare(folder: str, killed: bool) -> None:
    """Empty the folder of an earlier result; refuse one that holds another pcap.json. `killed`: the last command that wrote there was,
    and what is there is its."""
    names = ["pcap.json", *FILES, *results.figure_files(PLOTS)]
    results.refuse_foreign(folder, "pcap.json", names, PCAP, killed)
    listed = owned.listed(folder, PCAP, names.__contains__)
    own = set(names) if killed or listed is None else listed
    try:
        owned.refuse_others(folder, names, own, PCAP)
        owned.remove(folder, own, PCAP)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error


def write(folder: str, runs: List[Run], found: dict) -> None:
    with results.all_or_nothing(folder, FILES):
        for name, columns, rows in TABLES:
            with atomic_write(os.path.join(folder, name)) as f:
                out = csv.writer(f, lineterminator="\n")
                out.writerow(columns)
                for run in runs:
                    for facts in run.facts:
                        out.writerows(rows(run, facts))
        results.write_json(folder, "pcap.json", found)
        record(folder)


def record(folder: str) -> None:
    """List what is there as this command's."""
    owned.record(folder, ["pcap.json", *FILES, *results.figure_files(PLOTS)], PCAP)


def result(command: str, runs: List[Run], interval: int, zero: str) -> dict:
    return {"schema": SCHEMA, "rcc_version": version(), "command": command, "interval_s": interval / 1e9, "align": zero,
            "runs": [{"run": r.name, "files": r.files, "chief": r.chief().point.name,
                      "points": [f.as_json(r.name) for f in r.facts]} for r in runs]}


# ------------------------------------------------------------------------------------------------ for people

def percent(value: Optional[float]) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"


def time_or(value: Optional[float]) -> str:
    return "-" if value is None else si_time(value)


def table(runs: List[Run]) -> str:
    """Format one row per capture point."""
    head = [["", "", "data", "", "CE of", "", "CNP", "", "go-", "sent", "", "paused"],
            ["capture point", "flows", "packets", "payload", "ECT", "CNPs", "spacing", "NAKs", "backs", "again", "pauses", "time"]]
    rows = []
    for run in runs:
        for f in run.facts:
            p = f.point
            name = p.name if len(runs) == 1 else f"{run.name}: {p.name}" if len(run.facts) > 1 else run.name
            rows.append([name, str(len(p.flows)), si_count(f.packets), si_rate(f.rate(f.payload * 8)),
                         percent(share_of(f.ce, f.ect)), si_count(len(p.cnps)), time_or(quantile(f.spacings, 0.5)), si_count(f.naks),
                         si_count(f.gobacks), si_count(f.again), si_count(f.pauses), si_time(f.paused) if f.pauses else "-"])
    return fit(head + rows, 2, 1, terminal_width(WIDEST))


def comparison(runs: List[Run]) -> str:
    """Format the chief point of each run, side by side, per second of its data: captures need not be equally long."""
    chiefs = [r.chief() for r in runs]
    measures = [
        ("payload", lambda f: f.rate(f.payload * 8), si_rate),
        ("CE of ECT", lambda f: share_of(f.ce, f.ect), ratio),
        ("CNPs per second", lambda f: f.rate(len(f.point.cnps)), si_count),
        ("CNP spacing, median", lambda f: quantile(f.spacings, 0.5), time_or),
        ("CNMs per second", lambda f: f.rate(f.point.cnms), si_count),
        ("pauses per second", lambda f: f.rate(f.pauses), si_count),
        ("paused, of the time", lambda f: f.rate(f.paused), ratio),
        ("NAKs per second", lambda f: f.rate(f.naks), si_count),
        ("sent again, of packets", lambda f: share_of(f.again, f.packets), ratio)]
    rows = [[""] + [r.name for r in runs] + ["ratio" if len(runs) == 2 else f"{i + 2} / 1" for i in range(len(runs) - 1)]]
    for name, value, show in measures:
        values = [value(f) for f in chiefs]
        if not any(values):
            continue
        first = values[0]
        rows.append([name] + [show(v) for v in values]
                    + [digits(v / first) if first and v is not None else "-" for v in values[1:]])
    return aligned(rows)
