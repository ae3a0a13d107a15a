# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The run file of an experiment: one record a line, numbers with fixed units (lab/run/run-file.md)."""
from __future__ import annotations

import re
from typing import Dict, Iterable, List

from .model import Default, Experiment, Fault, Flows, Port

VERSION = 1
RAW = re.compile(r"[!-$&-~]+")    # bytes that stand for themselves
LINK_KINDS = ("link-down", "rate", "lose", "corrupt", "delay", "duplicate")
PICKING = ("lose", "corrupt", "delay", "duplicate")


def escape(text: str) -> str:
    """Return a text as one field: bytes outside ! to ~, and %, as %XX; an empty one as -."""
    if RAW.fullmatch(text) and text != "-":
        return text
    data = text.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if 33 <= byte <= 126 and byte != 37 and text != "-" else f"%{byte:02X}" for byte in data) or "-"


def maybe(value: object) -> str:
    """Return a number, or - for None."""
    return "-" if value is None else str(value)


def show_field(value: object) -> str:
    """Return a value as one field, or a tuple as several: a text escaped, None as -, a flag as 0 or 1."""
    if isinstance(value, tuple):
        return " ".join(map(show_field, value))
    return escape(value) if isinstance(value, str) else str(int(value)) if isinstance(value, bool) else maybe(value)


class Writer:
    """The records of an experiment. It remembers the fault of each record, which messages name."""

    def __init__(self, experiment: Experiment):
        self.experiment = experiment
        self.lines: List[str] = []
        self.faults: Dict[int, Fault] = {}           # by the number of a record
        self.first_link = 0    # number of its record
        self.defaults: Dict[int, Default] = {}       # by the number of a record

    def add(self, kind: str, *fields: object) -> None:
        """Add a record."""
        self.lines.append(" ".join((kind, *map(show_field, fields))))

    def add_all(self, kind: str, values: Iterable) -> None:
        """Add a record of each value of a list."""
        for value in values:
            self.add(kind, value)

    def text(self) -> str:
        """Return the whole file."""
        self.lines = []
        self.add("rcc-run", VERSION)
        self.add_run()
        self.add_network()
        self.add_flows()
        self.add_disturbances()
        self.add_outputs()
        return "\n".join(self.lines) + "\n"

    def add_run(self) -> None:
        e = self.experiment
        self.add("run", e.name, e.seed, e.time_ns, e.drain_ns, e.rate_bps)
        self.add_all("window", [e.window_ns] if e.window_ns else [])
        self.add_all("interval", [e.interval_ns] if e.interval_ns is not None else [])
        for one in e.defaults:
            self.add("default", one)
            self.defaults[len(self.lines)] = one
        for number, algorithm in enumerate(e.algorithms):
            self.add("algorithm", number, algorithm.core, *(f"{key}={value}" for key, value in algorithm.parameters.items()))
        self.add_all("algorithm-at", e.at_rates)

    def add_network(self) -> None:
        e = self.experiment
        self.add_all("node", enumerate(e.nodes))
        self.add_all("internet", e.internet)
        self.add_all("node-attribute", e.node_attributes)
        self.first_link = len(self.lines) + 1
        self.lines += [f"link {number} {link.a} {link.b} {link.rate_bps} {link.delay_ns} {link.loss_ppb}"
                       for number, link in enumerate(e.links)]
        self.add("routes", e.routes)
        self.add_all("pool", [e.pool] if e.pool else [])
        for marker in e.markers:
            self.add("marker", "all" if marker.node is None else marker.node, marker.cls, marker.algorithm)
        self.add_all("policer", e.policers)
        self.add_all("rate", e.steps)
        self.add_all("phase", (phase[1:] for phase in e.phases))
        self.add("watch", e.watched.port or ("busiest", None), e.watched.name)
        self.add_all("bottleneck", e.bottlenecks)

    def add_flows(self) -> None:
        e = self.experiment
        for group in e.groups:
            self.add("group", group.name)
            self.lines += map(flows_line, group.flows)
        self.lines += [f"arrival {a.source} {a.destination} {a.cls} {maybe(a.algorithm)} {a.size_bytes} {a.start_ns} {maybe(a.stop_ns)} "
                       f"{maybe(a.window_bytes)} {int(a.variable_window)} {a.dport}" for a in e.arrived]
        if e.arrivals:
            self.add("arrivals", e.arrivals.gap, e.arrivals.load_ppb)
            self.add_all("cdf", e.arrivals.sizes)
        self.add_all("incasts", [e.incasts] if e.incasts else [])
        for wait in e.waits:
            self.add("wait", wait[:4])
            for one in wait.after:
                when = "received" if one.received else "acked"
                self.add("after", (one.first, one.flow_count, when) if one.first is not None else ("begin", None, None), one.later_ns)
        if e.collective:
            self.add("collective", e.collective[:-1])
            self.add_all("rank", e.collective.ranks)
        self.add_all("tcp", e.tcp)

    def add_disturbances(self) -> None:
        e, guard = self.experiment, self.experiment.guard
        self.add_all("lose", e.losses)
        self.add_all("pause", e.pauses)
        self.add_all("reroute", [e.reroute] if e.reroute is not None else [])
        self.add_all("link-down", [e.link_down] if e.link_down else [])
        for fault in e.faults:
            self.add("fault", *fault_fields(fault))
            self.faults[len(self.lines)] = fault
        self.add("guard", "stop" if guard.stops else "continue", guard.storm_after_ns, "drop" if guard.drops else "report",
                 guard.invariants)

    def add_outputs(self) -> None:
        e = self.experiment
        for capture in e.captures:
            self.add("capture", capture.place if isinstance(capture.place, Port) else (capture.place, None), capture.file)
        self.add_all("snaplen", [e.snaplen_bytes] if e.captures else [])
        self.add_all("record", e.recorded)
        self.add_all("record-port", e.recorded_ports)
        for output in e.outputs:
            self.add(output.kind, output[1:] if output.kind == "qlen" else output.file)
        self.add_all("traced", e.traced)


def flows_line(f: Flows) -> str:
    """Return the record of flows."""
    return (f"flows {f.flow_count} {f.from_first} {f.from_step} {f.from_cycle} {f.to_first} {f.to_step} {f.to_cycle} {f.qps} {f.cls} "
            f"{maybe(f.algorithm)} {f.size_bytes} {f.start_ns} {f.start_step_ns} {f.within_ns} {maybe(f.stop_ns)} {f.messages} {f.depth} "
            f"{f.think_ns} {maybe(f.rate_bps)} {maybe(f.window_bytes)} {maybe(f.dscp)} {maybe(f.ecn)}")


def fault_fields(fault: Fault) -> list:
    """List the fields of a fault; those that its kind does not have are None."""
    kind = fault.kind
    link, picks, forge = kind in LINK_KINDS, kind in PICKING, kind == "forge"
    has_peer = link and fault.node is not None

    def keep(has: bool, value: object) -> object:
        return value if has else None

    return [kind, "all" if fault.node is None else fault.node, keep(has_peer, fault.peer), keep(has_peer, fault.one_way), fault.at_ns,
            fault.lasts_ns, keep(kind in ("link-down", "delay", "slow-np", "forge"), fault.time_ns),
            keep(picks, fault.probability_ppb), keep(picks, fault.burst), keep(kind == "link-down" or picks or forge, fault.most),
            keep(picks or forge, fault.frames), keep(kind == "rate", fault.rate_bps), keep(kind == "stop-reading", fault.buffer_bytes),
            keep(forge, fault.qp), keep(forge, fault.psn), keep(forge, fault.period_ns), keep(kind == "pause" or forge, fault.cls)]
