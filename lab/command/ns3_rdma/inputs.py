# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A configuration with all the files that it names, and what must hold between them."""
from __future__ import annotations

import os
import stat
from collections import Counter
from typing import Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from . import config as configs
from .config import Config, find_rate
from .files import at, found_expected, kind_of_file, lines_of, shown, words_of
from .rows import Flow, Topology, read_flows, read_topology, read_trace
from ..common import RccError, counted
from ..experiment import quantity


class Overrides(NamedTuple):
    """Replacements for parts of the configuration before its files are checked against each other."""
    original: Optional[bool] = None   # the dialect; None: by the keys
    topology: str = ""                # in place of TOPOLOGY_FILE
    flows: str = ""                   # in place of FLOW_FILE
    has_thresholds: bool = False      # kmin, kmax and pmax are given elsewhere: the maps need not be complete
    keys: frozenset = frozenset()     # keys whose values are given elsewhere
    stop: Optional[int] = None        # ns, in place of SIMULATOR_STOP_TIME


class Input(NamedTuple):
    """A configuration and the files that it names, as read."""
    config: Config
    topology: Topology
    flows: List[Flow]
    tcp_flows: List[Flow]
    traced: List[int]


def find_parts(topology: Topology) -> List[Set[int]]:
    """Return the parts of the network that each node is in: within one every host reaches every other. Hosts do not forward, and a link of
    two hosts is a part of its own."""
    is_switch = topology.is_switch
    near: List[List[int]] = [[] for _ in is_switch]
    for link in topology.links:
        if is_switch[link.a] and is_switch[link.b]:
            near[link.a].append(link.b)
            near[link.b].append(link.a)
    part_of = [-1] * len(is_switch)     # the first switch of the part that each switch is in
    for first in range(len(is_switch)):
        ready = [first] if part_of[first] < 0 else []
        for node in ready:   # grows
            if part_of[node] < 0:
                part_of[node] = first
                ready += near[node]
    found: List[Set[int]] = [set() for _ in is_switch]
    for number, link in enumerate(topology.links, len(is_switch)):
        part = next((part_of[end] for end in (link.a, link.b) if is_switch[end]), number)
        found[link.a].add(part)
        found[link.b].add(part)
    return found


def check_reachable(topology: Topology, flows: List[Flow], path: str) -> None:
    """Raise unless there is a path through switches for every flow. `path`: of the flow file."""
    parts = find_parts(topology)
    known: Set[tuple] = set()
    for number, flow in enumerate(flows, 1):
        pair = (flow.src, flow.dst)
        if pair in known or not parts[flow.src].isdisjoint(parts[flow.dst]):
            known.add(pair)
            continue
        alone = next((host for host in pair if not parts[host]), None)
        found = f"no path from {flow.src} to {flow.dst}" if alone is None else f"host {alone} without a link"
        hint = "; hosts do not forward: write a GPU that does as a switch with a host behind it" if alone is None else ""
        raise RccError(at(path, flow.line, found_expected(f"flow {number} (src {flow.src}, dst {flow.dst})", found,
                                                          f"one through the switches of {topology.path}{hint}")))


def check_thresholds(config: Config, topology: Topology) -> None:
    """Raise unless the threshold maps that are given have every rate at a switch, and kmin is at most kmax."""
    seen: Set[int] = set()
    for link in topology.links if config.ecn else ():
        if link.rate in seen or not (topology.is_switch[link.a] or topology.is_switch[link.b]):
            continue
        seen.add(link.rate)
        rate = quantity.shown("rate", link.rate)
        for key, _, thresholds in config.rate_maps():
            if thresholds and find_rate(thresholds, link.rate) is None:
                raise config.wrong(key, f"no entry for {rate}", f"one: {topology.path}:{link.line} has such a link at a switch")
        kmin, kmax = find_rate(config.kmin, link.rate), find_rate(config.kmax, link.rate)
        if kmin is not None and kmax is not None and kmin > kmax:
            raise config.wrong("KMIN_MAP", f"{quantity.shown('size', kmin)} for {rate}",
                               f"at most what KMAX_MAP has, {quantity.shown('size', kmax)}")


def check_output_names(config: Config, others: set) -> None:
    """Raise if a file that is to be written has no name, or that of another one. `others`: files of the run itself."""
    taken: Dict[str, str] = {name: "a file of the run itself" for name in others}
    for key, path in (("FCT_OUTPUT_FILE", config.fct_output), ("PFC_OUTPUT_FILE", config.pfc_output), ("QLEN_MON_FILE", config.qlen_output),
                      ("TRACE_OUTPUT_FILE", config.trace_output)):
        name = os.path.basename(path)
        if not path:
            continue
        if name in ("", ".", ".."):
            raise config.wrong(key, f"'{path}'", "the name of a file")
        if name in taken:
            raise config.wrong(key, f"'{path}', the name of {taken[name]}", "another one")
        taken[name] = key


def find_file(config: Config, key: str, path: str) -> str:
    """Find a file that the configuration names: from the working directory, as those simulators do, else from the configuration's folder,
    else by its base name there."""
    if not path:
        raise config.wrong(key, "no such key", "it with a file's name")
    folder = config.path[:config.path.rfind("/") + 1]
    tried = dict.fromkeys((path, path if path.startswith("/") else folder + path, folder + os.path.basename(path)))
    for candidate in tried:
        if os.path.exists(candidate):
            return candidate
    raise config.wrong(key, "no such file", "it to be one of " + ", ".join(shown(one, 4096) for one in tried))


def find_regular_file(config: Config, key: str, path: str) -> str:
    """Find a file that can be read."""
    found = find_file(config, key, path)
    mode = os.stat(found).st_mode
    if not stat.S_ISREG(mode):
        raise config.wrong(key, f"{shown(found, 4096)}, {kind_of_file(mode)}", "a regular file")
    if not os.access(found, os.R_OK):
        raise config.wrong(key, f"{shown(found, 4096)}: Permission denied", "a file to read")
    return found


def read_traced(config: Config, topology: Topology) -> List[int]:
    """Read the traced nodes; those simulators trace none if the file is missing or empty. Warn of nodes with more interfaces than the 8
    bits of a trace tell apart."""
    try:
        found = find_file(config, "TRACE_FILE", config.trace_file)
    except RccError as error:
        missing = str(error)
    else:
        config.trace_file = find_regular_file(config, "TRACE_FILE", found)
        filled = any(words_of(line) for _, line in lines_of(config.trace_file, "a file of node ids", 1 << 30))
        missing = "" if filled else f"{config.trace_file} is empty"
    if missing:
        config.notes.append(f"{missing}: no node is traced")
        return []
    traced = read_trace(config.trace_file, topology, config)
    interfaces = Counter(end for link in topology.links for end in (link.a, link.b))
    config.warnings += [str(config.wrong("TRACE_FILE", f"node {node} with {interfaces[node]} interfaces",
                                         "at most 255: 256 is 0 in the trace, 257 is 1")) for node in traced if interfaces[node] > 255]
    return traced


def check_nodes(config: Config, topology: Topology) -> None:
    """Raise if a key names a link or a host that the topology does not have."""
    if config.link_down:
        _, a, b = config.link_down
        if not any({link.a, link.b} == {a, b} for link in topology.links):
            raise config.wrong("LINK_DOWN", f"nodes {a} and {b}", f"two that a link of {topology.path} joins")
    of_hosts: Tuple[Tuple[str, Iterable[int]], ...] = (
        ("RX_PULL_RATE_NODE", config.pull_rate_of), ("RX_PULL_MODE_NODE", config.pulls_of), ("RX_BUFFER_SIZE_NODE", config.rx_buffer_of),
        ("RX_BUFFER_PER_QUEUE_NODE", config.rx_buffer_of_class_of), ("RX_PULL_RATE_SCHEDULE", config.pull_schedule))
    for key, values in of_hosts:
        for node in sorted(values):
            if node >= len(topology.is_switch) or topology.is_switch[node]:
                raise config.wrong(f"{key} {node}", f"node {node}", f"a host of {topology.path}")


def read_all(path: str, over: Overrides) -> Input:
    """Read config.txt and all files that it names, checked against each other. Raises RccError."""
    config = configs.read(path, over.original, set(over.keys))
    if over.stop is not None:
        config.stop = over.stop
    config.topology_file = over.topology or find_regular_file(config, "TOPOLOGY_FILE", config.topology_file)
    topology = read_topology(config.topology_file, config)
    if not over.has_thresholds:
        check_thresholds(config, topology)
    check_nodes(config, topology)
    config.flow_file = over.flows or find_regular_file(config, "FLOW_FILE", config.flow_file)
    flows = read_flows(config.flow_file, topology, config.original, config.payload, config)
    check_reachable(topology, flows, config.flow_file)
    tcp_flows: List[Flow] = []
    if config.tcp_flow_file:
        config.tcp_flow_file = find_regular_file(config, "TCP_FLOW_FILE", config.tcp_flow_file)
        tcp_flows = read_flows(config.tcp_flow_file, topology, True, config.payload, config)
        check_reachable(topology, tcp_flows, config.tcp_flow_file)
    traced = read_traced(config, topology) if config.trace_file and config.enable_trace else []
    late = sum(flow.start >= config.stop for flow in flows)
    if late:
        what = "SIMULATOR_STOP_TIME, " if over.stop is None else "the end of the run, "
        config.warnings.append(f"{config.flow_file}: {late} of {counted(len(flows), 'flow')} begin{'' if late > 1 else 's'} after "
                               f"{what}{quantity.shown('time', config.stop)}")
    return Input(config, topology, flows, tcp_flows, traced)
