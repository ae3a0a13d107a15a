# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc run trace PATH`: the trace of a training step as an experiment whose flows wait for one another (lab/doc/workload.md)."""
from __future__ import annotations

import bisect
import functools
import gc
import json
import math
from array import array
from fractions import Fraction
from typing import Iterator, Optional

from . import networks, scenario_options
from .experiments import PROGRAM
from .trace_defaults import DEFAULTS, LEAST_MS, TIMES
from .scenario_options import Values, as_time, smallest
from .options import of_program
from .. import units
from ..common import JSON_LIMIT, RccError, counted, nearest, one_line, open_regular, unique_names, warn
from ..experiment import attributes, network as items_of_network
from ..experiment.option_values import Given
from ..experiment.network import NVSWITCH
from ..experiment.paths import Paths
from ..experiment.refusal import Refusal
from ..ns3_rdma.files import Remarks
from ..ns3_rdma.rows import read_topology
from ..traces import collectives, formats, goal
from ..traces.schedule import CALC, NANOSECONDS_MAX, SEND, Flows, Schedule
from ..traces.step import Trace

TOPOLOGIES = ("star", "leaf-spine", "fat-tree", "rails")
LEAST = LEAST_MS * 10**6  # ns, the least default of --time
LOCAL_RATE = "3600Gbps"   # rate of NVLink's fourth generation in one direction
RACK = 16                 # hosts
MSCCL_SIZE = "64MB"
IN_A_RUN = "0s to 1000s"  # NANOSECONDS_MAX
OF_PATHS = ("rate", "delay", "mtu")    # options that decide how long a message takes


def add_arguments(parser) -> None:
    parser.add_argument("path", metavar="PATH", help="GOAL, Chakra's NAME.RANK.et or .json, SimAI text, MSCCL XML "
                        "or htsim's .cm")
    parser.add_argument("--topology", metavar="|".join(TOPOLOGIES) + "|FILE", help="network of the ranks' hosts h0, h1, ...; leaf-spine: "
                        f"racks of {RACK} with as many uplinks, fat-tree: a full one, rails: a NIC for each rank, at the switch of its "
                        "place in its host; FILE: a topology.txt or the nodes and links of an experiment.json (default: star)")
    parser.add_argument("--ranks-per-host", metavar="N[:RATE]", help="ranks 0 to N-1 are on h0 and so on; between them messages take "
                        f"their bytes at RATE alone (default: 1; RATE {LOCAL_RATE})")
    parser.add_argument("--collective", metavar="KIND=ALGORITHM[:channels=N][:chunk=BYTES]", help="how collectives of Chakra and SimAI "
                        f"become messages: {', '.join(collectives.ALGORITHMS)} (default: ring; direct for all-to-all, gather and scatter)")
    parser.add_argument("--gpus", metavar="N", help="ranks of a workload of SimAI (default: as it says)")
    parser.add_argument("--size", metavar="BYTES", help=f"of an algorithm of MSCCL (default: {MSCCL_SIZE})")
    parser.add_argument("--compute", metavar="FACTOR", help="times what computing takes in the trace, such as 0.5x (default: 1x)")


def read_trace(args, per_host: int) -> Schedule:
    """Read a trace, whose format is found by its content."""
    ranks = None
    if args.gpus is not None:
        ranks = smallest("count", args.gpus)
        if not ranks or ranks > goal.RANKS_MAX:
            raise RccError(f"--gpus is '{args.gpus}', expected 1 to {goal.RANKS_MAX}")
    size = smallest("size", args.size or MSCCL_SIZE)
    if not size or size > 10**15:
        raise RccError(f"--size is '{args.size}', expected a number of bytes such as 64MB")
    try:
        given = {name: getattr(args, name) for name in formats.OF_FORMATS if getattr(args, name) is not None}
        found = formats.read(args.path, formats.Options(collectives.parse(args.collective or ""), per_host, ranks, size, given))
    except OSError as error:
        raise RccError(f"{error.filename or args.path}: {error.strerror or error}") from error
    for note in found.notes:
        warn(note)
    return found


def ranks_per_host(text: str) -> tuple:
    """Read --ranks-per-host as (ranks, bit/s between them)."""
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
    for i, kind in enumerate(schedule.kind if factor != 1 else ()):
        if kind == CALC and schedule.part[i] == -1:    # in a collective, it is the time of one without messages
            schedule.size[i] = math.floor(schedule.size[i] * factor + Fraction(1, 2))
            if schedule.size[i] > NANOSECONDS_MAX:
                raise schedule.error(i, f"a calc of {as_time(schedule.size[i])} with --compute={text}", IN_A_RUN)


def read(args) -> Trace:
    """Read and check the trace of the command's words. Raises RccError."""
    gc.disable()    # a trace has no reference cycles, and the collector would scan it again and again
    try:
        return read_and_check(args)
    finally:
        gc.enable()


def read_and_check(args) -> Trace:
    per_host, local_rate = ranks_per_host(args.ranks_per_host or "1")
    schedule = read_trace(args, per_host)
    scaled(schedule, args.compute or "1x")
    schedule.match()
    order = schedule.order()
    local = {i: schedule.size[i] * 8 * 10**9 // local_rate for i, kind in enumerate(schedule.kind)
             if kind == SEND and schedule.rank[i] // per_host == schedule.peer[i] // per_host} if per_host > 1 else {}
    for i, ns in local.items():
        if ns > NANOSECONDS_MAX:
            raise schedule.error(i, f"a send that takes {as_time(ns)} with --ranks-per-host={args.ranks_per_host}", IN_A_RUN)
    flows = schedule.flows(order, local)
    refuse_late(schedule, flows)
    if not flows:
        raise RccError(f"{args.path}: found no message between two hosts, expected one")
    nodes = [f"h{rank if args.topology == 'rails' else rank // per_host}" for rank in range(schedule.ranks)]
    return Trace(schedule, order, flows, local, per_host, nodes, not args.no_plots)


def refuse_late(schedule: Schedule, flows: Flows) -> None:
    """Raise for a message that an experiment cannot have start so late."""
    for k, ns in enumerate(flows.begin if max(flows.begin, default=0) > NANOSECONDS_MAX else ()):
        if ns > NANOSECONDS_MAX:
            raise schedule.error(flows.operation[k], f"a send that begins at {as_time(ns)}", IN_A_RUN)
    for at, ns in enumerate(flows.later if max(flows.later, default=0) > NANOSECONDS_MAX else ()):
        if ns > NANOSECONDS_MAX:
            k = bisect.bisect(flows.first, at) - 1
            raise schedule.error(flows.operation[k], f"a send that begins {as_time(ns)} after what it waits for", IN_A_RUN)


def rails(hosts: int, per_host: int) -> dict:
    """Return a network with a NIC for each rank, at the switch of its place in its host; as many spines as a switch has NICs."""
    spines = min(hosts, 64)
    nics = hosts * per_host
    links = [f"h{nic}-r{nic % per_host}" for nic in range(nics)]
    if per_host > 1:
        links.append(f"r[0-{per_host - 1}]-s[0-{spines - 1}]" + (f"*{-(-hosts // spines)}" if hosts > spines else ""))
    switches = [f"r[0-{per_host - 1}]" if per_host > 1 else "r0", *([f"s[0-{spines - 1}]"] if per_host > 1 else [])]
    return {"nodes": [f"h[0-{nics - 1}]", *switches], "links": links}


def of_file(path: str, hosts: int) -> dict:
    """Read nodes and links of an experiment.json, or of a topology.txt, whose hosts become h0, h1 and so on in their order."""
    with open_regular(path, goal.LIMIT) as f:
        head = f.read(4096).decode("utf-8", "replace").lstrip()
    if head.startswith("{"):
        try:
            with open_regular(path, JSON_LIMIT) as text:
                found = json.loads(text.read().decode("utf-8"), object_pairs_hook=unique_names(path))
        except (ValueError, RecursionError) as error:
            raise RccError(f"{path}: found no JSON ({error}), expected an experiment with nodes and links") from error
        if not isinstance(found, dict) or not isinstance(found.get("links"), list):
            raise RccError(f"{path}: found no links, expected an experiment with nodes and links")
        keys = [option["name"] for option in of_program(PROGRAM)]
        for key in found:
            if key not in keys:
                raise RccError(f"{path}: found the key '{one_line(key[:40])}', expected those of an experiment{nearest(key, keys)}")
        return {key: found[key] for key in ("nodes", "links") if key in found}
    remarks = Remarks()
    topology = read_topology(path, remarks)
    for text in (*remarks.warnings, *remarks.notes):
        warn(text)
    kinds = topology.kinds()
    of_hosts = topology.hosts()
    if len(of_hosts) < hosts:
        raise RccError(f"{path}: found {counted(len(of_hosts), 'host')}, expected at least the {hosts} of the trace")
    names = {node: f"h{k}" for k, node in enumerate(of_hosts)}
    names.update({node: f"s{k}" for k, node in enumerate(node for node, kind in enumerate(kinds) if kind != "host")})
    if any(link.error for link in topology.links):
        raise RccError(f"{path}: found links with an error rate, expected none")
    return {"nodes": [name + (f":{NVSWITCH}" if kinds[node] == NVSWITCH else "") for node, name in names.items()],
            "links": [f"{names[link.a]}-{names[link.b]}:{link.rate}bps:{link.delay}ns" for link in topology.links]}


def network(args, hosts: int, per_host: int = 1) -> dict:
    """Return nodes and links of --topology, or {} for those of --links."""
    chosen = args.topology or "star"
    if args.opt_links:
        if args.topology:
            raise RccError(f"--topology is '{args.topology}', expected none beside --links")
        return {}
    if chosen not in TOPOLOGIES:
        try:
            return of_file(chosen, hosts)
        except OSError as error:
            raise RccError(f"--topology is '{chosen}', expected one of {', '.join(TOPOLOGIES)} or a file: {error.strerror}") from error
    if chosen == "rails":
        return rails(hosts, per_host)
    if chosen == "star":
        return {"nodes": [f"h[0-{hosts - 1}]", "s0"], "links": [f"h[0-{hosts - 1}]-s0"]}
    given = {"topology": chosen}
    if chosen == "leaf-spine":
        rack = min(RACK, -(-hosts // 2))
        given.update({"racks": str(max(2, -(-hosts // rack))), "hosts-per-rack": str(rack), "spines": str(rack)})
    else:
        k = next(k for k in range(2, 65, 2) if k ** 3 // 4 >= hosts or k == 64)
        given.update({"k": str(k), "cores": str(k * k // 4)})
    others = {"rate": args.opt_rate or str(DEFAULTS["rate"])}
    values = Values(scenario_options.CLOS, given, others, {"time": "0.4s"})
    words = networks.leaf_spine(values).words if chosen == "leaf-spine" else networks.fat_tree(values)[0].words
    return {word[2:].partition("=")[0]: word.partition("=")[2].split(",") for word in words}


@functools.lru_cache(maxsize=16)
def waits(what: bytes, later: bytes) -> str:
    """Format a flow's waits as in an item. The flows of one rank in a collective have the same waits, one after the other."""
    pairs = sorted(zip(array("i", what), array("q", later)))
    return "+".join([f"m{one >> 1}" + (".received" if one & 1 else "") + (f"@{ns}ns" if ns else "") for one, ns in pairs])


def flow(trace: Trace, number: int, hosts: str = "") -> str:
    """Return an item of an experiment's flows as JSON. `hosts`: the hosts of several flows, which need no name."""
    flows, s = trace.flows, trace.schedule
    i, begin, first, end = flows.operation[number], flows.begin[number], flows.first[number], flows.first[number + 1]
    text = f'{{"hosts": "{hosts or trace.nodes[s.rank[i]] + "-" + trace.nodes[s.peer[i]]}", "size": {max(s.size[i], 1)}'
    text += "" if hosts else f', "name": "m{number}"'
    if first == end:
        return text + (f', "start": "{as_time(begin)}"}}' if begin > 0 else "}")
    after = waits(flows.what[first:end].tobytes(), flows.later[first:end].tobytes())
    return text + f', "after": "{after}' + (f'+@{begin}ns"}}' if begin > 0 else '"}')


def items(trace: Trace) -> Iterator[str]:
    """Yield the flows of the experiment. Those that follow one another from h1 to h5 and h6, h1 and h2 to h5, or h1 to h5 and h2 to h6,
    are one item, if they wait for nothing and nothing waits for them: an all-to-all of 1024 ranks has a million."""
    flows, s = trace.flows, trace.schedule
    count = len(flows)
    alone = bytearray(b"\1") * count
    for what in flows.what:
        alone[what >> 1] = 0
    for k in range(count):
        if flows.first[k] != flows.first[k + 1]:
            alone[k] = 0
    alone.append(0)    # behind the last one
    host = array("i", (int(name[1:]) for name in trace.nodes))
    some = flows.operation if any(alone) else array("i")
    source = array("i", map(host.__getitem__, map(s.rank.__getitem__, some)))
    target = array("i", map(host.__getitem__, map(s.peer.__getitem__, some)))
    size, begin = s.size, flows.begin
    k = 0
    while k < count:
        end = k + 1
        hosts = ""
        if alone[k] and alone[end]:
            one, at, first, second = size[flows.operation[k]], begin[k], source[k], target[k]
            by, other = source[end] - first, target[end] - second
            if min(by, other) >= 0 and max(by, other) == 1:
                while alone[end] and begin[end] == at and source[end] == first + by * (end - k) \
                        and target[end] == second + other * (end - k) and size[flows.operation[end]] == one:
                    end += 1
            if end > k + 1:
                sides = [f"h[{side}-{side + end - k - 1}]" if step else f"h{side}" for side, step in ((first, by), (second, other))]
                hosts = ("=" if by and other else "-").join(sides)
        yield flow(trace, k, hosts)
        k = end


def default_time(path: str, head: dict, trace: Trace, args) -> int:
    """Return the ns that a run may take: so many more than on an idle network that it ends, and not so many that the series are coarse.

    Args:
        path: of the experiment, for a while of its head alone.
        head: all of the experiment but its flows.
    """
    with open(path, "w", encoding="utf-8") as f:
        json.dump(head, f)
    words = [f"--{name}={value}" for name in OF_PATHS for value in [getattr(args, f"opt_{name}", None)] if isinstance(value, str)]
    words += [f"--{name}={','.join(value)}" for name in ("links", "attr") for value in [getattr(args, f"opt_{name}", None)] if value]
    try:
        given = Given.read(words, path)
        attributes.Attributes(given)    # some are options by another name
        found = items_of_network.read(given.items("links"), given.items("nodes"), given.quantity("rate"), given.quantity("delay"), "switch")
        idle = trace.estimate(Paths(found.nodes, found.links), found.number, given.quantity("mtu"))
    except (RccError, KeyError):    # a network that the builder refuses, or one without a host of the trace
        return LEAST
    return min(max(TIMES * idle, LEAST), 1000 * 10**9)


def write(path: str, trace: Trace, args) -> None:
    """Write the experiment."""
    hosts = max(2, -(-trace.schedule.ranks // trace.per_host))
    head = {"scenario": "trace", "plain": True, "received": True, **DEFAULTS, **network(args, hosts, trace.per_host)}
    time = default_time(path, head, trace, args)
    head = {**{key: head[key] for key in ("scenario", "plain", "received", *DEFAULTS)}, "time": as_time(time), **head}
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(head)[:-1] + ', "flows": [\n')
        for number, item in enumerate(items(trace)):
            f.write((",\n" if number else "") + item)
        f.write("\n]}\n")


def name_sources(error: RccError, path: str, trace: Trace, args) -> str:
    """Return an error about the experiment of a trace, at `path`, in terms of the trace or the network that it is made of."""
    before, found, rest = str(error).partition(f"{path}:")
    if not found:
        return str(error)
    rest = rest.partition(": ")[2]     # behind the line
    key, colon, behind = rest.partition(": ")
    key, rest = (key, behind) if colon and key.isidentifier() else ("", rest)
    cause: Optional[BaseException] = error
    while cause and not isinstance(cause, Refusal):
        cause = cause.__cause__
    if isinstance(cause, Refusal) and (cause.option, cause.verb) == ("flows", "names"):
        host = cause.quoted
        hosts = f"expected the hosts h0 to h{max(int(name[1:]) for name in trace.nodes)} of the trace's ranks"
        if args.opt_links:
            return f"{before}--links is '{','.join(args.opt_links)}', without {host}, {hosts}"
        return f"{before}{args.topology}: found no host {host}, {hosts}"
    of_network = key in ("nodes", "links") and args.topology and args.topology not in TOPOLOGIES
    return f"{before}{args.topology if of_network else args.path}: {key + ': ' if key else ''}{rest}"
