# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The run file of an experiment: one record a line, numbers with fixed units (lab/run/run-file.md)."""
from __future__ import annotations

import re
from typing import Dict, List

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


class Writer:
    """The records of an experiment. It remembers the fault of each record, which messages name."""

    def __init__(self, experiment: Experiment):
        self.experiment = experiment
        self.lines: List[str] = []
        self.faults: Dict[int, Fault] = {}           # by the number of a record
        self.first_link = 0    # number of its record
        self.defaults: Dict[int, Default] = {}       # by the number of a record

    def add(self, *fields) -> None:
        """Add a record of fields that are numbers or escaped texts."""
        self.lines.append(" ".join(map(str, fields)))

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
        self.add("run", escape(e.name), e.seed, e.time_ns, e.drain_ns, e.rate_bps)
        if e.window_ns:
            self.add("window", *e.window_ns)
        if e.interval_ns is not None:
            self.add("interval", e.interval_ns)
        for one in e.defaults:
            self.add("default", escape(one.type), escape(one.attribute), escape(one.value))
            self.defaults[len(self.lines)] = one
        for number, algorithm in enumerate(e.algorithms):
            self.add("algorithm", number, escape(algorithm.name), *(f"{key}={value}" for key, value in algorithm.parameters.items()))
        for at in e.at_rates:
            self.add("algorithm-at", at.algorithm, at.rate_bps, at.parameter, at.value)

    def add_network(self) -> None:
        e = self.experiment
        for number, node in enumerate(e.nodes):
            self.add("node", number, node.kind, escape(node.name))
        for number in e.internet:
            self.add("internet", number)
        for own in e.node_attributes:
            self.add("node-attribute", own.node, escape(own.type), escape(own.attribute), escape(own.value), own.at_ns)
        self.first_link = len(self.lines) + 1
        self.lines += [f"link {number} {link.a} {link.b} {link.rate_bps} {link.delay_ns} {link.loss_ppb}"
                       for number, link in enumerate(e.links)]
        self.add("routes", e.routes)
        if e.pool:
            self.add("pool", *e.pool)
        for marker in e.markers:
            self.add("marker", "all" if marker.node is None else marker.node, marker.cls, marker.algorithm)
        for policer in e.policers:
            self.add("policer", *policer.port, policer.rate_bps, policer.burst_bytes)
        for step in e.steps:
            self.add("rate", *step.port, step.at_ns, step.rate_bps)
        for phase in e.phases:
            self.add("phase", phase.at_ns, phase.rate_bps)
        self.add("watch", *(e.watched.port or ("busiest", "-")), escape(e.watched.name))
        for port in e.bottlenecks:
            self.add("bottleneck", *port)

    def add_flows(self) -> None:
        e = self.experiment
        for group in e.groups:
            self.add("group", escape(group.name))
            self.lines += map(flows_line, group.flows)
        self.lines += [f"arrival {a.source} {a.destination} {a.cls} {maybe(a.algorithm)} {a.size_bytes} {a.start_ns} {maybe(a.stop_ns)} "
                       f"{maybe(a.window_bytes)} {int(a.variable_window)} {a.dport}" for a in e.arrived]
        if e.arrivals:
            self.add("arrivals", e.arrivals.gap, e.arrivals.load_ppb)
            for point in e.arrivals.sizes:
                self.add("cdf", *point)
        if e.incasts:
            self.add("incasts", *e.incasts)
        for wait in e.waits:
            self.add("wait", wait.first, wait.flow_count, wait.needs, wait.delay_ns)
            for one in wait.after:
                when = "received" if one.received else "acked"
                self.add("after", *((one.first, one.flow_count, when) if one.first is not None else ("begin", "-", "-")), one.later_ns)
        if e.collective:
            *operation, ranks = e.collective
            self.add("collective", *operation)
            for rank in ranks:
                self.add("rank", rank)
        for tcp in e.tcp:
            self.add("tcp", tcp.source, tcp.destination, tcp.port, tcp.connections, tcp.size_bytes, tcp.start_ns, maybe(tcp.stop_ns),
                     int(tcp.is_awaited), escape(tcp.control), escape(tcp.name))

    def add_disturbances(self) -> None:
        e = self.experiment
        for lost in e.losses:
            self.add("lose", *lost)
        for pause in e.pauses:
            self.add("pause", *pause[:5], maybe(pause.stop_ns))
        if e.reroute is not None:
            self.add("reroute", e.reroute)
        if e.link_down:
            self.add("link-down", *e.link_down)
        for fault in e.faults:
            self.add("fault", *fault_fields(fault))
            self.faults[len(self.lines)] = fault
        guard = e.guard
        self.add("guard", "stop" if guard.stops else "continue", maybe(guard.storm_after_ns), "drop" if guard.drops else "report",
                 int(guard.invariants))

    def add_outputs(self) -> None:
        e = self.experiment
        for capture in e.captures:
            place = capture.place if isinstance(capture.place, Port) else (capture.place, "-")
            self.add("capture", *place, escape(capture.file))
        if e.captures:
            self.add("snaplen", e.snaplen_bytes)
        for what in e.recorded:
            self.add("record", what)
        for port, name in e.recorded_ports:
            self.add("record-port", *port, escape(name))
        for output in e.outputs:
            self.add(output.kind, escape(output.file), *((output.start_ns, output.end_ns) if output.kind == "qlen" else ()))
        for node in e.traced:
            self.add("traced", node)


def flows_line(f: Flows) -> str:
    """Return the record of flows."""
    return (f"flows {f.flow_count} {f.from_first} {f.from_step} {f.from_cycle} {f.to_first} {f.to_step} {f.to_cycle} {f.qps} {f.cls} "
            f"{maybe(f.algorithm)} {f.size_bytes} {f.start_ns} {f.start_step_ns} {f.within_ns} {maybe(f.stop_ns)} {f.messages} {f.depth} "
            f"{f.think_ns} {maybe(f.rate_bps)} {maybe(f.window_bytes)} {maybe(f.dscp)} {maybe(f.ecn)}")


def fault_fields(fault: Fault) -> list:
    """List the fields of a fault; those that its kind does not have are -."""
    kind = fault.kind
    link, picks, forge = kind in LINK_KINDS, kind in PICKING, kind == "forge"
    has_peer = link and fault.node is not None

    def keep(has: bool, value: object) -> str:
        return str(value) if has else "-"

    return [kind, "all" if fault.node is None else fault.node, keep(has_peer, fault.peer), keep(has_peer, int(fault.one_way)), fault.at_ns,
            maybe(fault.lasts_ns), keep(kind in ("link-down", "delay", "slow-np", "forge"), fault.time_ns),
            keep(picks, fault.probability_ppb), keep(picks, fault.burst), keep(kind == "link-down" or picks or forge, fault.most),
            keep(picks or forge, fault.frames), keep(kind == "rate", fault.rate_bps), keep(kind == "stop-reading", fault.buffer_bytes),
            keep(forge, fault.qp), keep(forge, fault.psn), keep(forge, fault.period_ns), keep(kind == "pause" or forge, fault.cls)]


def write(experiment: Experiment) -> Writer:
    """Return the writer of an experiment. Its text() is the run file."""
    return Writer(experiment)
