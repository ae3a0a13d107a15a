# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc run trace PATH`: the trace of a training step as an experiment whose flows wait for one another (lab/doc/workload.md)."""
from __future__ import annotations

import json
import math
from fractions import Fraction

from . import networks, own_options
from .own_options import Values, as_time, smallest
from .. import units
from ..common import RccError, open_regular
from ..traces import goal
from ..traces.schedule import CALC, SEND, Schedule
from ..traces.step import Trace

TOPOLOGIES = ("star", "leaf-spine", "fat-tree")
DEFAULTS = {"rate": "100Gbps", "mtu": "4096"}
LOCAL_RATE = "3600Gbps"   # of NVLink's fourth generation, a direction
RACK = 16                 # hosts


def add_arguments(parser) -> None:
    parser.add_argument("path", metavar="PATH", help="a schedule in GOAL's text form")
    parser.add_argument("--topology", metavar="|".join(TOPOLOGIES), help="network of the ranks' hosts h0, h1, ...; leaf-spine: racks of "
                        f"{RACK} with as many uplinks, fat-tree: a full one; --links has any other (default: star)")
    parser.add_argument("--ranks-per-host", metavar="N[:RATE]", help="ranks 0 to N-1 are on h0 and so on; between them messages take "
                        f"their bytes at RATE alone (default: 1; RATE {LOCAL_RATE})")
    parser.add_argument("--compute", metavar="FACTOR", help="times what computing takes in the trace, such as 0.5x (default: 1x)")


def read_trace(path: str) -> Schedule:
    """A trace, by its content."""
    try:
        with open_regular(path, goal.LIMIT):
            pass
        head = next((" ".join(words) for _, words in goal.words(path)), "")
        if not goal.is_goal(head):
            raise RccError(f"{path}:1: found '{head[:40]}', expected num_ranks N, the beginning of a schedule in GOAL's text form")
        return goal.read(path)
    except OSError as error:
        raise RccError(f"{path}: {error.strerror or error}") from error


def ranks_per_host(text: str) -> tuple:
    """(ranks, bit/s between them) of --ranks-per-host."""
    count, _, rate = text.partition(":")
    found, speed = smallest("count", count), smallest("rate", rate or LOCAL_RATE)
    if not found or not speed or found > goal.RANKS_MAX:
        raise RccError(f"--ranks-per-host is '{text}', expected N[:RATE] such as 8 or 8:3600Gbps")
    return found, speed


def scaled(schedule: Schedule, text: str) -> None:
    """Multiply what computing takes by --compute."""
    try:
        factor = units.exact("ratio", text[:-1] if text.endswith("x") else text, "--compute")
    except RccError as error:
        raise RccError(f"--compute is '{text}', expected a factor such as 0.5x") from error
    if factor > 1000:
        raise RccError(f"--compute is '{text}', expected 0x to 1000x")
    for i, kind in enumerate(schedule.kind):
        if kind == CALC and factor != 1:
            schedule.size[i] = math.floor(schedule.size[i] * factor + Fraction(1, 2))


def read(args) -> Trace:
    """The trace of the command's words, checked. Raises RccError."""
    per_host, local_rate = ranks_per_host(args.ranks_per_host or "1")
    schedule = read_trace(args.path)
    scaled(schedule, args.compute or "1x")
    schedule.match()
    order = schedule.order()
    local = {i: schedule.size[i] * 8 * 10**9 // local_rate for i, kind in enumerate(schedule.kind)
             if kind == SEND and schedule.rank[i] // per_host == schedule.peer[i] // per_host}
    flows = schedule.flows(order, local)
    if not flows:
        raise RccError(f"{args.path}: found no message between two hosts, expected one")
    return Trace(schedule, order, flows, local, per_host)


def network(args, hosts: int) -> dict:
    """nodes and links of --topology, or those of --links."""
    chosen = args.topology or "star"
    if args.opt_links:
        if args.topology:
            raise RccError(f"--topology is '{args.topology}', expected none beside --links")
        return {}
    if chosen not in TOPOLOGIES:
        raise RccError(f"--topology is '{chosen}', expected one of {', '.join(TOPOLOGIES)}")
    if chosen == "star":
        return {"nodes": [f"h[0-{hosts - 1}]", "s0"], "links": [f"h[0-{hosts - 1}]-s0"]}
    given = {"topology": chosen}
    if chosen == "leaf-spine":
        rack = min(RACK, -(-hosts // 2))
        given.update({"racks": str(max(2, -(-hosts // rack))), "hosts-per-rack": str(rack), "spines": str(rack)})
    else:
        k = next(k for k in range(2, 65, 2) if k ** 3 // 4 >= hosts or k == 64)
        given.update({"k": str(k), "cores": str(k * k // 4)})
    others = {"rate": args.opt_rate or DEFAULTS["rate"]}
    values = Values(own_options.CLOS, given, others, {"time": "0.4s"})
    words = networks.leaf_spine(values).words if chosen == "leaf-spine" else networks.fat_tree(values)[0].words
    return {word[2:].partition("=")[0]: word.partition("=")[2].split(",") for word in words}


def flow(trace: Trace, number: int) -> dict:
    """An item of an experiment's flows."""
    one, s = trace.flows[number], trace.schedule
    i = one.operation
    found = {"hosts": f"h{s.rank[i] // trace.per_host}-h{s.peer[i] // trace.per_host}", "size": max(s.size[i], 1), "name": f"m{number}"}
    after = [f"m{f}@{ns}ns" if ns else f"m{f}" for f, ns in sorted(one.after.items())]
    if not after:
        return {**found, "start": as_time(one.begin)} if one.begin > 0 else found
    return {**found, "after": "+".join(after + ([f"@{one.begin}ns"] if one.begin > 0 else []))}


def write(path: str, trace: Trace, args) -> None:
    """Write the experiment."""
    hosts = max(2, -(-trace.schedule.ranks // trace.per_host))
    rate = smallest("rate", args.opt_rate or DEFAULTS["rate"]) or 10**11
    # So much longer than on an idle network that it ends, and not so long that the series are coarse.
    time = min(max(10 * trace.estimate(rate), 10**6), 1000 * 10**9)
    head = {"scenario": "trace", "plain": True, **DEFAULTS, "time": as_time(time), **network(args, hosts)}
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(head)[:-1] + ', "flows": [\n')
        for number in range(len(trace.flows)):
            f.write((",\n" if number else "") + json.dumps(flow(trace, number)))
        f.write("\n]}\n")
