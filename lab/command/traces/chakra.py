# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Execution traces of Chakra (Sridharan et al.: "Chakra: Advancing performance benchmarking and co-design using standardized execution
traces", arXiv 2305.14516): a file for each rank, NAME.RANK.et in protobuf form or NAME.RANK.json, as Chakra's jsonizer or its feeder has
it. Beside the files comm_group.json, or NAME.json of STAGE, may have the ranks of groups, as ASTRA-sim reads it: {"1": [0, 1, 2, 3]}.

A node waits for the ends of its data dependencies, and for the starts of its control dependencies: converters of PyTorch's traces let
those name the operation around it, and Chakra's feeder waits for none of them. A rank in which both make a circle waits for data alone. The
k-th collective of a group in a rank's file is the k-th
in those of the group's other ranks. comm_size is the input of a rank, as ASTRA-sim has it."""
from __future__ import annotations

import json
import os
import re
import subprocess
from graphlib import CycleError, TopologicalSorter
from typing import Any, Dict, List, Optional

from . import collectives
from .collectives import Call
from .schedule import CALC, NANOSECONDS_MAX, RECV, SEND, SIZE_MAX, Collective, Schedule, read_text
from ..common import EXIT_FAILED, ROOT, RccError, counted, one_line, open_regular, unique_names
from ..system import packages

LIMIT = 1 << 30             # bytes of a file
RANKS_MAX = 65536
TYPES = ("INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE", "COMM_RECV_NODE",
         "COMM_COLL_NODE")
INVALID, METADATA, MEM_LOAD, MEM_STORE, COMP, COMM_SEND, COMM_RECV, COMM_COLL = range(8)
KINDS = ("all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter", "reduce-scatter",
         "barrier")
COLLECTIVES = ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL", "REDUCE_SCATTER",
               "REDUCE_SCATTER_BLOCK", "BARRIER")
ATTRIBUTES = ("comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name", "comm_group", "is_cpu_op", "num_ops", "tensor_size",
              "involved_dim")
GROUP = ("pg_name", "comm_group")    # names of the attribute of a group: of today, of traces for older versions of ASTRA-sim
OF_KIND = {"comm_type": (COMM_COLL,), "comm_size": (COMM_SEND, COMM_RECV, COMM_COLL), "comm_src": (COMM_SEND, COMM_RECV, COMM_COLL),
           "comm_dst": (COMM_SEND, COMM_RECV), "comm_tag": (COMM_SEND, COMM_RECV), "pg_name": (COMM_COLL,), "comm_group": (COMM_COLL,),
           "involved_dim": (COMM_COLL,)}    # types of nodes that an attribute has an effect on
# Fields without an effect on times, which no note names: what a profiler says of an operator, and when a node ran in the recorded run.
SILENT = {"rf_id", "fw_parent", "seq_id", "scope", "tid", "fw_tid", "op_schema", "op_type", "stream", "kernel_backend", "kernel_file",
          "startTimeMicros", "inputs", "outputs", "docString", "tensor_loc"}
NODE_KEYS = ("id", "name", "type", "ctrlDeps", "dataDeps", "durationMicros", "attr")
NAME = re.compile(r"(.*\.)([0-9]{1,6})(\.(?:et|json))")
GROUPS_FILE = "comm_group.json"


def files(path: str) -> list:
    """List the files of all ranks beside one, in their order. Raises RccError for a rank that is missing."""
    folder, name = os.path.split(path)
    found = NAME.fullmatch(name)
    if not found:
        raise RccError(f"{path}: found the name {name}, expected NAME.RANK.et or NAME.RANK.json, a file for each rank of a trace of Chakra")
    ranks = {}
    for other in os.listdir(folder or "."):
        one = NAME.fullmatch(other)
        if one and one.group(1) == found.group(1) and one.group(3) == found.group(3):
            if int(one.group(2)) in ranks:
                raise RccError(f"{os.path.join(folder, other)}: found rank {int(one.group(2))} again, expected a file for each rank")
            ranks[int(one.group(2))] = os.path.join(folder, other)
    if len(ranks) > RANKS_MAX:
        raise RccError(f"{path}: found {len(ranks)} ranks, expected at most {RANKS_MAX}")
    for rank in range(max(ranks)):
        if rank not in ranks:
            raise RccError(f"{os.path.join(folder, found.group(1))}{rank}{found.group(3)}: rank {rank} is missing, expected files of ranks "
                           f"0 to {max(ranks)}")
    return [ranks[rank] for rank in range(len(ranks))]


# ---------------------------------------------------------------- nodes of a file

def from_protobuf(paths: list) -> list:
    """Read the nodes of each file in protobuf form."""
    for path in paths:
        with open_regular(path, LIMIT):
            pass
    packages.ensure([packages.PROTOBUF])
    environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "lab")}
    done = subprocess.run([packages.PROTOBUF.found(), "-m", "command.traces.chakra_wire", *paths], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise RccError(f"{paths[0]}: cannot be read: {(done.stderr.strip().splitlines() or ['no message'])[-1]}", EXIT_FAILED)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if found and isinstance(found[-1], dict):
        raise RccError(found[-1]["error"])
    return found


def from_json(path: str) -> list:
    """Read the nodes of a file in one of the two JSON forms."""
    text = read_text(path, LIMIT, "JSON")
    decoder = json.JSONDecoder(object_pairs_hook=unique_names(path))
    objects: list = []
    at, end = 0, len(text.rstrip())
    while at < end:
        while text[at].isspace():
            at += 1
        try:
            one, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            line = text.count("\n", 0, getattr(error, "pos", at)) + 1
            raise RccError(f"{path}:{line}: found no JSON ({getattr(error, 'msg', 'too deep')}), expected objects of Chakra") from error
        objects.append(one)
    if len(objects) == 1 and isinstance(objects[0], dict):
        refuse_others(path, objects[0])
        if isinstance(objects[0].get("workload_graph"), list):
            nodes = [of_feeder(path, k, one) for k, one in enumerate(objects[0]["workload_graph"])]
            for node in nodes[:1]:
                node["other"] += [key for key in objects[0] if key != "workload_graph"]
            return nodes
    return [of_jsonizer(path, k, one) for k, one in enumerate(objects) if k or not (isinstance(one, dict) and "id" not in one)]


def refuse_others(path: str, found: dict) -> None:
    """Raise for a file of JSON that is known and none of Chakra's, with what makes one of it."""
    nodes = found.get("nodes")
    what = {"nodes": "a trace of PyTorch's host (nodes), expected one of Chakra, which chakra_converter makes of it",
            "traceEvents": "a trace of PyTorch's profiler (traceEvents), expected one of Chakra, which chakra_trace_link and "
                           "chakra_converter make of it and of the host's trace",
            "gpus": "an execution plan of MSCCL++ (gpus), which is not read; expected an algorithm of MSCCL as XML, which msccl-tools "
                    "writes, or a trace of Chakra",
            "flows": "an experiment (flows), expected a trace; ./rcc run FILE runs it"}
    for key, text in what.items():
        if isinstance(found.get(key), list) and "workload_graph" not in found:
            if key == "nodes" and isinstance(nodes, list) and any(isinstance(one, dict) and "node_type" in one for one in nodes[:1]):
                text = "STAGE's JSON (node_type), which is not read; expected STAGE's NAME.RANK.et: --chakra_schema_version v0.0.4"
            raise RccError(f"{path}: found {text}")


def wrong(path: str, number: int, found: str) -> RccError:
    return RccError(f"{path}: node {number} of the file: found {found}, expected a node of Chakra's schema")


def read_digits(value: Any) -> Any:
    """Return the number of digits alone, as JSON of protobuf has numbers; another value as it is."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20 else value


def make_node(path: str, number: int, one: dict, names: tuple, kind: Any, attributes: dict, values: Any) -> dict:
    """Return a node as Reader has it. `names`: of its number, name, time, control and data dependencies, and type in the file."""
    def check(name: str, value: Any) -> int:
        value = read_digits(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64:
            raise wrong(path, number, f"{name} {json.dumps(value)[:40]}")
        return value

    def numbers(name: str) -> list:
        found = one.get(name, [])
        if not isinstance(found, list):
            raise wrong(path, number, f"{name} that is no list")
        return [check(name, value) for value in found]

    key, name, us, ctrl, data, of_type = names
    return {"id": check(key, one.get(key, 0)), "name": str(one.get(name, ""))[:200], "type": check(of_type, kind),
            "us": check(us, one.get(us, 0)), "ctrl": numbers(ctrl), "data": numbers(data), "attr": attributes,
            "values": values if isinstance(values, str) else "", "other": []}


def of_feeder(path: str, number: int, one: Any) -> dict:
    """Read a node of {"workload_graph": [...]}."""
    if not isinstance(one, dict) or "Id" not in one or "NodeType" not in one:
        raise wrong(path, number, "an item without Id and NodeType")
    for name, other in (("ctrl_deps", "ctrlDeps"), ("data_deps", "dataDeps")):
        if name in one and other in one:
            raise wrong(path, number, f"{other} beside {name}")
    one = {**one, "ctrlDeps": one.get("ctrlDeps", one.get("ctrl_deps", [])), "data_deps": one.get("data_deps", one.get("dataDeps", []))}
    names = ("Id", "Name", "runtime", "ctrlDeps", "data_deps", "NodeType")
    node = make_node(path, number, one, names, one["NodeType"], {name: one[name] for name in ATTRIBUTES if name in one}, one.get("values"))
    node["other"] = [name for name in one if name not in ATTRIBUTES and name not in (*names, "ctrl_deps", "dataDeps", "values")]
    return node


def of_jsonizer(path: str, number: int, one: Any) -> dict:
    """Read a node as protobuf writes it in JSON, without fields that are 0."""
    if not isinstance(one, dict):
        raise wrong(path, number, "no object")
    one = with_usual_names(path, number, one)
    kind = one.get("type", "INVALID_NODE")
    if kind not in TYPES:
        raise wrong(path, number, f"the type {json.dumps(kind)[:40]}")
    attributes: dict = {}
    other = [name for name in one if name not in NODE_KEYS]
    for attribute in one.get("attr", []) if isinstance(one.get("attr", []), list) else [None]:
        if not isinstance(attribute, dict):
            raise wrong(path, number, "an attribute that is no object")
        attribute = with_usual_names(path, number, attribute)
        values = [key for key in attribute if key.endswith(("Val", "List"))]
        name, value = str(attribute.get("name")), attribute[values[0]] if values else None
        if len(values) > 1 or name in attributes:
            raise wrong(path, number, f"two values of the attribute {json.dumps(name)[:40]}")
        if isinstance(value, dict):
            value = value.get("values", [])
        if name in ATTRIBUTES:
            attributes[name] = value
        other += [key for key in attribute if key not in ("name", "docString", *values)] + ([] if name in ATTRIBUTES else [name])
    inputs = one.get("inputs")
    node = make_node(path, number, one, ("id", "name", "durationMicros", "ctrlDeps", "dataDeps", "type"), TYPES.index(kind), attributes,
                     inputs.get("values") if isinstance(inputs, dict) else "")
    node["other"] = other
    return node


def with_usual_names(path: str, number: int, one: dict) -> dict:
    """Return an object of node `number` with the names that JSON of protobuf has, also where its writer kept those of the schema."""
    found: dict = {}
    for name, value in one.items():
        first, *others = name.split("_")
        usual = first + "".join(word[:1].upper() + word[1:] for word in others)
        if usual in found:
            raise wrong(path, number, f"{one_line(usual[:40])} by two names")
        found[usual] = value
    return found


# ---------------------------------------------------------------- groups

def groups_of_file(path: str, ranks: int) -> Dict[str, tuple]:
    """Read the groups of comm_group.json; {} if there is none."""
    if not os.path.exists(path):
        return {}
    with open_regular(path, LIMIT) as f:
        try:
            found = json.loads(f.read().decode("utf-8"), object_pairs_hook=unique_names(path))
        except (ValueError, RecursionError) as error:
            raise RccError(f"{path}: found no JSON, expected the ranks of each group such as {{\"1\": [0, 1]}}") from error
    if not isinstance(found, dict):
        raise RccError(f"{path}: found no object, expected the ranks of each group such as {{\"1\": [0, 1]}}")
    return {str(name): checked(path, str(name), members, ranks) for name, members in found.items()}


def groups_beside(path: str, ranks: int) -> tuple:
    """Read the groups in the files beside that of a rank: of comm_group.json, or of STAGE's NAME.json beside NAME.RANK.et. Returns them and
    the names of the two files."""
    folder, name = os.path.split(path)
    found = NAME.fullmatch(name)
    assert found
    usual, other = os.path.join(folder, GROUPS_FILE), os.path.join(folder, found.group(1) + "json")
    groups = groups_of_file(usual, ranks)
    if holds_groups(other):
        of_other = groups_of_file(other, ranks)
        if os.path.exists(usual) and of_other != groups:
            raise RccError(f"{other}: found other groups than those of {usual}, expected one of the two files")
        groups = of_other
    return groups, f"{GROUPS_FILE}, {os.path.basename(other)}"


def holds_groups(path: str) -> bool:
    """True if a file is an object of JSON whose values are lists of numbers: a file beside a trace may be anything."""
    try:
        with open_regular(path, LIMIT) as f:
            if f.read(64).lstrip()[:1] != b"{":
                return False
        with open_regular(path, LIMIT) as f:
            found = json.loads(f.read().decode("utf-8"))
    except (OSError, RccError, ValueError, RecursionError):
        return False
    return any(found.values()) and all(isinstance(members, list) and all(isinstance(one, int) for one in members)
                                       for members in found.values())


def checked(where: str, name: str, members, ranks: int) -> tuple:
    """Check the ranks of a group; an empty list means all."""
    good = isinstance(members, list) and all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < ranks for one in members)
    if not good or len(set(members)) != len(members):
        raise RccError(f"{where}: group {one_line(name[:40])}: found {json.dumps(members)[:60]}, expected ranks of 0 to {ranks - 1}, each "
                       "once")
    return tuple(members) or tuple(range(ranks))


def groups_of_metadata(where: str, text: str, ranks: int) -> Dict[str, tuple]:
    """Read the groups among the inputs of a metadata node of a PyTorch trace; {} if it has none."""
    found = None
    try:    # a list with a text of JSON, whose quotes are not escaped
        found = json.loads(text[2:-2]) if text[:2] in ('["', "['") and text[-2:] in ('"]', "']") and len(text) < 1 << 24 else None
    except (ValueError, RecursionError):
        return {}
    groups = {}
    for one in found if isinstance(found, list) else []:
        if isinstance(one, dict) and "pg_name" in one and "ranks" in one:
            groups[str(one["pg_name"])] = checked(where, str(one["pg_name"]), one["ranks"], ranks)
    return groups


# ---------------------------------------------------------------- schedule

class Reader:
    """A reader that turns the nodes of all ranks into operations."""

    def __init__(self, paths: list, nodes: list, algorithms: dict, per_host: int):
        self.paths, self.nodes, self.algorithms, self.per_host = paths, nodes, algorithms, per_host
        self.ranks = len(paths)
        self.schedule = Schedule(paths[0], self.ranks, lambda rank, line: f"{paths[rank]}: rank {rank}: node {line}")
        self.groups, self.group_files = groups_beside(paths[0], self.ranks)
        self.own: List[Dict[str, tuple]] = [{} for _ in paths]    # groups of each rank's metadata nodes
        self.named: Dict[str, set] = {}                     # {name: the groups of any rank's metadata nodes with it}
        self.unused: Dict[str, int] = {}                    # {field without effect: how often it is met}
        self.free = 0                                       # nodes with operations or bytes of memory, and without a duration
        self.operation: List[dict] = [{} for _ in paths]    # {node: (first, last)} of each rank
        self.called: Dict[tuple, list] = {}                 # {(group, k): [(rank, node)]}
        self.loose: List[int] = []                          # ranks that do not wait for control dependencies
        self.absent = 0                                     # control dependencies on nodes that are not there
        self.partial = 0                                    # collectives of some dimensions of a network alone
        self.played: Dict[tuple, list] = {}                 # {(group, kind, k): [(rank, node)]} of those that take the time of the trace

    def error(self, rank: int, node: dict, found: str, expected: str) -> RccError:
        name = f"{one_line(node['name'][:60])}: " if node["name"] else ""
        return RccError(f"{self.paths[rank]}: rank {rank}: node {node['id']}: {name}found {one_line(found)}, expected {expected}")

    def attribute(self, rank: int, node: dict, name: str, high: int, default: Optional[int] = None) -> int:
        value = node["attr"].get(name)
        if value is None and default is not None:
            return default
        value = read_digits(value)
        if isinstance(value, float) and value == value // 1:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
            raise self.error(rank, node, f"no {name}" if value is None else f"{name} {json.dumps(value)[:40]}", f"{name} of 0 to {high}")
        return value

    def read(self) -> Schedule:
        for rank, nodes in enumerate(self.nodes):
            for node in nodes:
                if node["type"] == METADATA:
                    found = groups_of_metadata(f"{self.paths[rank]}: rank {rank}: node {node['id']}", str(node.get("values") or ""),
                                               self.ranks)
                    self.own[rank].update(found)
                    for name, members in found.items():
                        self.named.setdefault(name, set()).add(members)
        for rank, nodes in enumerate(self.nodes):
            count: Dict[tuple, int] = {}
            for node in nodes:
                self.add(rank, node, count)
        for key, calls in self.called.items():
            self.collective(key, calls)
        for key, calls in self.played.items():
            self.play(key[1], calls)
        for rank, nodes in enumerate(self.nodes):
            if has_circle(nodes, True) and not has_circle(nodes, False):
                self.loose.append(rank)
            for node in nodes:
                self.wait(rank, node)
        if self.loose:
            self.schedule.notes.append(f"{self.paths[self.loose[0]]}: control dependencies make a circle with data dependencies, and are "
                                       f"left out in {len(self.loose)} of {counted(self.ranks, 'rank')}")
        if self.absent:
            names, are = ("dependency names a node", "is") if self.absent == 1 else ("dependencies name nodes", "are")
            self.schedule.notes.append(f"{self.paths[0]}: {self.absent} control {names} that {are} not in their file, and {are} left out")
        if self.partial:
            self.schedule.notes.append(f"{self.paths[0]}: involved_dim of {counted(self.partial, 'collective')} is left out: all ranks of "
                                       "a group take part")
        if self.free:
            takes, it = ("takes", "it has") if self.free == 1 else ("take", "they have")
            self.schedule.notes.append(f"{self.paths[0]}: {counted(self.free, 'node')} with num_ops or tensor_size alone {takes} no time: "
                                       f"{it} no duration")
        self.schedule.note_unused(self.unused)
        if self.played:
            takes, it = ("takes", "it") if len(self.played) == 1 else ("take", "them")
            self.schedule.notes.append(f"{self.paths[0]}: {counted(len(self.played), 'collective')} without comm_size {takes} the time "
                                       f"that the trace has for {it}")
        return self.schedule

    def add(self, rank: int, node: dict, count: dict) -> None:
        kind, number = node["type"], node["id"]
        if number in self.operation[rank]:
            raise self.error(rank, node, "its number again", "each node once")
        if not 0 <= kind < len(TYPES):
            raise self.error(rank, node, f"the type {kind}", f"0 to {len(TYPES) - 1}")
        if node["us"] > NANOSECONDS_MAX // 1000:
            raise self.error(rank, node, f"{node['us']} us", f"at most {NANOSECONDS_MAX // 1000}")
        self.operation[rank][number] = (-1, -1)    # a collective's, until all are read
        self.count_unused(kind, node)
        if kind == COMM_COLL and not self.on_cpu(node):
            if "comm_size" not in node["attr"] and node["us"] > 0:
                self.played_once(rank, node, count)
            else:
                self.called_once(rank, node, count)
            return
        if kind in (COMM_SEND, COMM_RECV):
            mine, other = ("comm_src", "comm_dst") if kind == COMM_SEND else ("comm_dst", "comm_src")
            if self.attribute(rank, node, mine, RANKS_MAX, rank) != rank:
                raise self.error(rank, node, f"{mine} {node['attr'][mine]}", f"the rank itself, {rank}")
            peer = self.attribute(rank, node, other, RANKS_MAX)
            if peer == rank or peer >= self.ranks:
                raise self.error(rank, node, f"{other} {peer}", f"another rank of 0 to {self.ranks - 1}")
            one = self.schedule.add(rank, SEND if kind == COMM_SEND else RECV, self.attribute(rank, node, "comm_size", SIZE_MAX), peer,
                                    self.attribute(rank, node, "comm_tag", 1 << 63, 0), node["name"], number)
        else:
            ns = 0 if kind in (INVALID, METADATA) else node["us"] * 1000
            one = self.schedule.add(rank, CALC, ns, -1, 0, node["name"], number)
        self.operation[rank][number] = (one, one)

    def count_unused(self, kind: int, node: dict) -> None:
        """Count the fields of a node that have no effect."""
        unused = [name for name in node.get("other", ()) if name not in SILENT]
        unused += [name for name in node["attr"] if kind not in OF_KIND.get(name, (kind,))]
        if kind in (INVALID, METADATA) and node["us"]:
            unused.append("duration of a node that does no work")
        for name in unused:
            self.unused[name] = self.unused.get(name, 0) + 1
        if kind in (MEM_LOAD, MEM_STORE, COMP) and not node["us"]:
            self.free += "num_ops" in node["attr"] or "tensor_size" in node["attr"]

    def group(self, rank: int, node: dict) -> str:
        """Return the name of a collective's group, "" if it has none."""
        given = [str(node["attr"][name]) for name in GROUP if node["attr"].get(name) is not None]
        if len(set(given)) > 1:
            raise self.error(rank, node, f"pg_name {given[0][:40]} and comm_group {given[1][:40]}", "one group")
        return given[0] if given else ""

    def members(self, rank: int, node: dict, name: str) -> tuple:
        """Return the ranks of a group: as the rank's metadata has it, the file of groups, or the metadata of others, of which a name of
        PyTorch may be that of another group."""
        own, shared = self.own[rank].get(name), self.groups.get(name)
        if own and shared and own != shared:
            raise self.error(rank, node, f"the group {name[:40]} with other ranks in a metadata node than in a file of groups", "the same")
        found = {own or shared} if own or shared else self.named.get(name, set())
        found = {one for one in found if rank in one} or set(found)
        if not found:
            raise self.error(rank, node, f"the group {name[:40]}", f"one of {self.group_files} or of a metadata node")
        if len(found) > 1:
            raise self.error(rank, node, f"the group {name[:40]}, which metadata nodes of other ranks have with {len(found)} sets of ranks",
                             "a metadata node of this rank with it")
        return found.pop()

    def on_cpu(self, node: dict) -> bool:
        """True if a node runs on a processor; such a node of a collective is its start alone."""
        return node["attr"].get("is_cpu_op") in (True, "true", 1)

    def played_once(self, rank: int, node: dict, count: dict) -> None:
        """Note the call of a collective without a size: it takes the time of the trace."""
        kind = KINDS[self.attribute(rank, node, "comm_type", len(KINDS) - 1)] if "comm_type" in node["attr"] else "collective"
        group = (self.group(rank, node), kind)
        k = count[group] = count.get(group, 0) + 1
        self.played.setdefault((*group, k), []).append((rank, node))

    def play(self, kind: str, calls: list) -> None:
        """Add a collective without messages: each rank leaves it the trace's time after it entered it."""
        s = self.schedule
        enters, leaves = [], []
        for rank, node in calls:
            enters.append(s.add(rank, CALC, 0, -1, 0, node["name"], node["id"]))
            s.current = len(s.collectives)
            leaves.append(s.add(rank, CALC, node["us"] * 1000, -1, 0, node["name"], node["id"]))
            s.current = -1
            s.wait(leaves[-1], enters[-1], False)
            self.operation[rank][node["id"]] = (enters[-1], leaves[-1])
        name, ranks = calls[0][1]["name"][:60] or kind, tuple(rank for rank, _ in calls)
        s.collectives.append(Collective(name, kind, 0, ranks, "trace", enters, leaves))

    def called_once(self, rank: int, node: dict, count: dict) -> None:
        name = self.group(rank, node)
        if name == "0" and "0" not in self.groups and "0" not in self.named:
            name = ""
        members = self.members(rank, node, name) if name else tuple(range(self.ranks))
        if rank not in members:
            raise self.error(rank, node, f"a collective of group {name[:40]}, which has the ranks {', '.join(map(str, members[:20]))}",
                             f"rank {rank} among them")
        k = count[members] = count.get(members, 0) + 1
        self.called.setdefault((members, k), []).append((rank, node))

    def kind_and_size(self, rank: int, node: dict) -> tuple:
        """Return the kind of a collective, by number, and its bytes."""
        kind = self.attribute(rank, node, "comm_type", len(KINDS) - 1)
        return kind, self.attribute(rank, node, "comm_size", SIZE_MAX) if KINDS[kind] != "barrier" else 1

    def collective(self, key: tuple, calls: list) -> None:
        """Turn the calls of all ranks into messages."""
        members, k = key
        nodes = dict(calls)
        first, root = calls[0]
        lonely = next((rank for rank in members if rank not in nodes), None)
        if lonely is not None:
            raise self.error(first, root,
                             f"collective {k} of a group with rank {lonely}, whose file {self.paths[lonely]} has {k - 1} of them",
                             "as many in every rank's")
        kind, size = self.kind_and_size(first, root)
        for rank, node in calls[1:]:
            other = self.kind_and_size(rank, node)
            if other != (kind, size):
                raise self.error(rank, node, f"{COLLECTIVES[other[0]]} of {other[1]} bytes", f"{COLLECTIVES[kind]} of {size} bytes as rank "
                                 f"{first} has in node {root['id']}")
        dimensions = root["attr"].get("involved_dim")
        every = isinstance(dimensions, list) and all(one in (True, "true", 1) for one in dimensions)
        self.partial += dimensions is not None and not every
        name = "all-reduce" if KINDS[kind] == "barrier" else KINDS[kind]
        total = size * len(members) if name in ("all-gather", "gather") else size
        rooted = name in ("broadcast", "reduce", "gather", "scatter")
        begin = self.attribute(first, root, "comm_src", RANKS_MAX, members[0]) if rooted else members[0]
        for rank, node in calls:
            if not rooted and "comm_src" in node["attr"]:
                self.unused["comm_src"] = self.unused.get("comm_src", 0) + 1
            elif rooted and self.attribute(rank, node, "comm_src", RANKS_MAX, begin) != begin:
                raise self.error(rank, node, f"comm_src {node['attr']['comm_src']}", f"{begin} as rank {first} has in node {root['id']}")
        if begin not in members:
            raise self.error(first, root, f"comm_src {begin}", "a rank of the group")
        at = members.index(begin)
        order = members[at:] + members[:at]
        call = Call(root["name"][:60] or COLLECTIVES[kind], name, total, order, tuple(nodes[rank]["id"] for rank in order),
                    ((),) * len(order))
        leaves = collectives.add(self.schedule, call, self.algorithms[name], self.per_host)
        enters = self.schedule.collectives[-1].enters
        for rank, enter, leave in zip(order, enters, leaves):
            self.operation[rank][nodes[rank]["id"]] = (enter, leave)

    def wait(self, rank: int, node: dict) -> None:
        known = self.operation[rank]
        first = known[node["id"]][0]
        for other in dict.fromkeys(node["data"]):
            if other not in known:
                raise self.error(rank, node, f"a data dependency on node {other}", "a node of the file")
            self.schedule.wait(first, known[other][1], False)
        for other in dict.fromkeys(node["ctrl"]):
            self.absent += other not in known
            if other in known and other not in node["data"] and rank not in self.loose:
                self.schedule.wait(first, known[other][0], True)


def has_circle(nodes: list, control: bool) -> bool:
    """True if nodes of a rank wait for themselves. `control`: also for the starts of control dependencies."""
    place = {node["id"]: k for k, node in enumerate(nodes)}
    before = [[2 * place[other] + 1 for other in node["data"] if other in place] for node in nodes]     # 2 k is node k's start
    for node, events in zip(nodes, before) if control else ():
        events += [2 * place[other] for other in node["ctrl"] if other in place and other not in node["data"]]
    if all(event < 2 * k for k, events in enumerate(before) for event in events):    # as most converters write nodes
        return False
    graph = {2 * k: events for k, events in enumerate(before)} | {2 * k + 1: [2 * k] for k in range(len(nodes))}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def read(path: str, algorithms: dict, per_host: int) -> Schedule:
    """Read the trace that a file of any rank belongs to. Raises RccError with file, rank and node; OSError."""
    if path.endswith(".json"):
        from_json(path)    # a file that is none of Chakra's says so before its neighbours are looked for
    paths = files(path)
    nodes = [from_json(one) for one in paths] if path.endswith(".json") else from_protobuf(paths)
    for one, found in zip(paths, nodes):
        if not found:
            raise RccError(f"{one}: found no node, expected the nodes of a rank")
    return Reader(paths, nodes, algorithms, per_host).read()
