# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Workloads of SimAI as text, which AICB writes (github.com/aliyun/SimAI, github.com/aliyun/aicb). After a line of the parallelism and one
with the number of layers, a line for each layer:

    name  -1  forward ns, collective, bytes  input-gradient ns, collective, bytes  weight-gradient ns, collective, bytes  update ns

All ranks do the same: forward through all layers, and back through them, input gradients before weight gradients. What follows a
collective of a forward pass or an input gradient waits for it, and for the layer's update after it; those of weight gradients, and the
updates after them, go on beside. Collectives of a group follow one another, as on a communicator of NCCL. Ranks are in Megatron's order:
tensor-parallel ones beside each other, then data-parallel ones, then stages; experts divide the data-parallel ones. Under the policy MODEL
all ranks share the layers, under DATA and MICRO none do, and under HYBRID_MODEL_DATA data-parallel ones are beside each other, as ASTRA-sim
has it."""
from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional

from . import collectives
from .collectives import Call
from .schedule import CALC, CUT, NANOSECONDS_MAX, SIZE_MAX, Place, Schedule, read_text
from ..common import RccError, counted, one_line

LIMIT = 1 << 28       # bytes of a file
RANKS_MAX = 65536
POLICIES = ("MICRO", "DATA", "MODEL", "HYBRID_DATA_MODEL", "HYBRID_MODEL_DATA", "HYBRID_TRANSFORMER", "HYBRID_TRANSFORMER_FWD_IN_BCKWD")
OTHERS = ("HYBRID_", "DISTRIBUTED_INFERENCE")    # how policies of SimAI and ASTRA-sim begin that are not simulated
KINDS = {"ALLREDUCE": "all-reduce", "ALLGATHER": "all-gather", "REDUCESCATTER": "reduce-scatter", "ALLTOALL": "all-to-all",
         "BROADCAST": "broadcast"}
DEGREES = {"TP": "model_parallel_NPU_group", "EP": "ep", "PP": "pp"}
POSITIVE = (*DEGREES.values(), "all_gpus")
# Names of the first line that are read. AICB writes its number of layers as vpp, and the layers of all ga micro-batches. SimAI has them and
# pp_comm for messages between stages.
HEADER = (*POSITIVE, "checkpoints", "checkpoint_initiates", "pp_comm", "vpp", "ga")
ONE_GROUP = ("MICRO", "DATA", "MODEL")    # policies with one group for weight gradients, or (MODEL) for the other two phases
GROUPS = ("TP", "DP", "EP", "DP_EP")
PHASES = ("forward", "input gradient", "weight gradient")
FIELDS = 12           # words of a layer


class Phase(NamedTuple):
    """A phase of a layer."""
    ns: int
    kind: str       # "": no collective
    group: str
    size: int


class Layer(NamedTuple):
    name: str
    line: int
    phases: tuple   # as PHASES
    update: int     # ns


def is_simai(head: str) -> bool:
    """True if a file is a workload of SimAI. `head`: its first line."""
    word = (head.split() or [""])[0]
    return word in POLICIES or word.startswith(OTHERS)


class Reader(Place):
    """Reads one file."""

    def __init__(self, path: str, ranks: Optional[int]):
        super().__init__(path)
        self.asked = ranks
        self.policy = ""
        self.degrees: Dict[str, int] = {}
        self.unused: Dict[str, int] = {}      # {field without effect: how often it is met}
        self.notes: List[str] = []

    def number(self, text: str, what: str, high: int, low: int = 0, found: str = "") -> int:
        """Read a whole number, also as AICB writes the quotient of two in Python."""
        whole, point, fraction = text.partition(".")
        is_whole = point and fraction and not fraction.strip("0")
        return super().number(whole if is_whole else text, what, high, low, found or f"'{text[:CUT]}'")

    def leave(self, name: str) -> None:
        """Count a field that has no effect."""
        self.unused[name] = self.unused.get(name, 0) + 1

    def read(self) -> tuple:
        """Read the file. Returns the number of ranks and the layers."""
        lines = read_text(self.path, LIMIT, "a workload of SimAI").splitlines()
        rows = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
        if len(rows) < 2:
            raise RccError(f"{self.path}:{len(lines)}: found the end of the file, expected the number of layers")
        self.line = rows[0][0]
        ranks = self.header(rows[0][1])
        self.line = rows[1][0]
        if len(rows[1][1]) != 1:
            raise self.error(f"{len(rows[1][1])} words", "the number of layers alone")
        count = self.number(rows[1][1][0], "a number of layers", 10**6, 1)
        if len(rows) - 2 < count:
            raise self.error(f"{count}", f"the number of the layers that follow, {len(rows) - 2}")
        if len(rows) - 2 > count:     # as SimAI, which reads as many as it says
            self.notes.append(f"{self.path}:{rows[2 + count][0]}: {counted(len(rows) - 2 - count, 'line')} behind the "
                              f"{counted(count, 'layer')} of line {self.line} ignored, here the first")
        return ranks, [self.layer(number, words) for number, words in rows[2:2 + count]]

    def header(self, words: list) -> int:
        """Read the degrees of parallelism. Returns the number of ranks."""
        self.policy = words[0]
        if self.policy not in POLICIES:
            raise self.error(f"the policy {self.policy[:CUT]} of SimAI and ASTRA-sim, which is not simulated",
                             f"one of {', '.join(POLICIES)}")
        given: Dict[str, int] = {}
        at = 1
        while at < len(words):
            name = words[at].rstrip(":")
            if not words[at].endswith(":") and name != "pp_comm":
                self.leave(words[at])
                at += 1
                continue
            value = words[at + 1] if at + 1 < len(words) else "the end of the line"
            if name in given:
                raise self.error(f"{name[:40]} again", "it once")
            given[name] = self.number(value, one_line(name[:CUT]), SIZE_MAX if name == "pp_comm" else 10**6, int(name in POSITIVE))
            if name not in HEADER:
                self.leave(f"{name}: {given[name]}")
            at += 2
        for name in ("checkpoints", "checkpoint_initiates"):
            if given.get(name):
                raise self.error(f"{name}: {given[name]}", "0, as forward passes inside the backward pass are not simulated")
        self.degrees = {key: given.get(name) or 1 for key, name in DEGREES.items()}
        if self.policy in ONE_GROUP and max(self.degrees.values()) > 1:
            name = next(DEGREES[key] for key, degree in self.degrees.items() if degree > 1)
            raise self.error(f"{self.policy} with {name}: {given[name]}", "none, as all ranks are one group of it")
        if self.policy in ("HYBRID_DATA_MODEL", "HYBRID_MODEL_DATA") and not given.get(DEGREES["TP"]):
            raise self.error(f"{self.policy} alone", f"{DEGREES['TP']}: N beside it")
        least = self.degrees["TP"] * self.degrees["PP"] * self.degrees["EP"]
        ranks = self.asked or given.get("all_gpus") or (least if "model_parallel_NPU_group" in given else 0)
        if not ranks:
            raise self.error(f"'{words[0]}' without a number of ranks", "--gpus=N beside it")
        if not self.asked and "all_gpus" not in given:
            if ranks == 1:
                raise self.error(f"'{words[0]}' without all_gpus, which is 1 rank", "all_gpus: N, or --gpus=N beside it")
            self.notes.append(f"{self.path}:{self.line}: all_gpus is missing: {ranks} ranks, the product of the tensor, expert and "
                              "pipeline parallelism; --gpus=N has more of them")
        if ranks % least or not 1 <= ranks <= RANKS_MAX:
            raise self.error(counted(ranks, 'rank'), f"a multiple of {least}, the product of the tensor, expert and pipeline parallelism, "
                             f"of at most {RANKS_MAX}")
        if self.policy == "MODEL":
            self.degrees["TP"] = ranks
        return ranks

    def layer(self, number: int, words: list) -> Layer:
        self.line = number
        if len(words) != FIELDS:
            raise self.error(f"{len(words)} words", f"{FIELDS} of a layer: name, dependency, ns, collective and bytes of three phases, and "
                             "the update's ns")
        if words[1] != "-1":
            self.number(words[1], "-1 or the number of a layer", 10**6)
            self.leave("dependency on a layer")
        phases = [self.phase(words[2 + 3 * k:5 + 3 * k], "DP" if k == 2 else "TP") for k in range(3)]
        return Layer(words[0][:60], number, tuple(phases), self.number(words[11], "a time in ns", NANOSECONDS_MAX))

    def phase(self, words: list, usual: str) -> Phase:
        ns = self.number(words[0], "a time in ns", NANOSECONDS_MAX)
        size = self.number(words[2], "a number of bytes", SIZE_MAX)
        if words[1] == "NONE":
            if size:
                self.leave("bytes beside NONE")
            return Phase(ns, "", usual, 0)
        found = re.fullmatch("(" + "|".join(KINDS) + ")(?:_(TP|DP_EP|DP|EP))?", words[1])
        if not found:
            raise self.error(f"'{words[1][:40]}'", f"NONE or one of {', '.join(KINDS)}, alone or with one of _EP, _DP_EP")
        return Phase(ns, KINDS[found.group(1)] if size else "", found.group(2) or usual, size)

    def groups(self, name: str, ranks: int) -> list:
        """List the ranks of each group of a kind."""
        tp, ep = self.degrees["TP"], self.degrees["EP"]
        dp = ranks // tp // self.degrees["PP"]
        stages = range(0, ranks, tp * dp)
        of_place, of_inside = (1, dp) if self.policy == "HYBRID_MODEL_DATA" else (tp, 1)    # steps of a rank's number
        if name == "TP":
            return [tuple(stage + place * of_place + inside * of_inside for inside in range(tp)) for stage in stages for place in range(dp)]
        places = {"DP": [range(dp)], "EP": [range(first, first + ep) for first in range(0, dp, ep)],
                  "DP_EP": [range(first, dp, ep) for first in range(ep)]}[name]
        return [tuple(stage + place * of_place + inside * of_inside for place in one) for stage in stages for one in places
                for inside in range(tp)]


class Writer:
    """A writer of the ranks' operations into a schedule."""

    def __init__(self, reader: Reader, ranks: int, algorithms: dict, per_host: int):
        self.schedule = Schedule(reader.path, ranks)
        self.algorithms, self.per_host = algorithms, per_host
        self.last: List[Optional[int]] = [None] * ranks       # operation of each rank
        self.stream: Dict[tuple, list] = {}                   # {ranks of a group: their last leaves}
        self.groups = {name: reader.groups(name, ranks) for name in GROUPS}
        self.alone = 0      # collectives in groups of one rank

    def refuse_many(self, layers: list) -> None:
        """Raise for more operations than a trace may have, before they are made."""
        ranks = self.schedule.ranks
        count = sum(1 + (1 + collectives.operations(len(self.groups[phase.group][0]), self.algorithms[phase.kind]) if phase.kind else 0)
                    for layer in layers for phase in layer.phases) * ranks
        if count > collectives.OPERATIONS_MAX:
            raise RccError(f"{self.schedule.path}: found {len(layers)} layers on {ranks} ranks, which have some {count} sends, receives "
                           f"and computations, expected at most {collectives.OPERATIONS_MAX}; --gpus=N has fewer ranks")

    def compute(self, layer: Layer, phase: int) -> None:
        ns = layer.phases[phase].ns
        for rank, last in enumerate(self.last):
            one = self.schedule.add(rank, CALC, ns, -1, 0, f"{layer.name} {PHASES[phase]}", layer.line)
            if last is not None:
                self.schedule.wait(one, last, False)
            self.last[rank] = one

    def communicate(self, layer: Layer, phase: int) -> None:
        found = layer.phases[phase]
        if not found.kind:
            return
        self.alone += len(self.groups[found.group][0]) == 1
        for group in self.groups[found.group]:
            if len(group) == 1:
                continue
            before = self.stream.get(group)
            waits = []
            for place, rank in enumerate(group):
                last = self.last[rank]
                assert last is not None
                waits.append(tuple(dict.fromkeys([2 * last + 1] + ([2 * before[place] + 1] if before else []))))
            call = Call(f"{layer.name} {PHASES[phase]} {found.group}", found.kind, found.size, group, (layer.line,) * len(group),
                        tuple(waits))
            leaves = collectives.add(self.schedule, call, self.algorithms[found.kind], self.per_host)
            self.stream[group] = leaves
            for rank, last in zip(group, leaves):
                if layer.update:    # after a collective, as ASTRA-sim's layers have it
                    update = self.schedule.add(rank, CALC, layer.update, -1, 0, f"{layer.name} update", layer.line)
                    self.schedule.wait(update, last, False)
                    last = update
                if phase < 2:
                    self.last[rank] = last

    def add(self, layers: list) -> Schedule:
        passes = [(layer, 0) for layer in layers] + [(layer, phase) for layer in reversed(layers) for phase in (1, 2)]
        for layer, phase in passes:
            self.compute(layer, phase)
            self.communicate(layer, phase)
        return self.schedule


def read(path: str, ranks: Optional[int], algorithms: dict, per_host: int) -> Schedule:
    """Read a workload. `ranks`: None for as many as the file says. Raises RccError with file and line; OSError."""
    reader = Reader(path, ranks)
    found, layers = reader.read()
    writer = Writer(reader, found, algorithms, per_host)
    writer.refuse_many(layers)
    schedule = writer.add(layers)
    if reader.degrees["PP"] > 1:
        schedule.notes.append(f"{path}: every one of the {reader.degrees['PP']} stages does all layers, at once; messages between stages "
                              "are not simulated")
    if writer.alone:
        schedule.notes.append(f"{path}: {counted(writer.alone, 'collective')} {'is' if writer.alone == 1 else 'are'} in groups of one "
                              "rank, which send nothing")
    schedule.notes += reader.notes
    schedule.note_unused(reader.unused)
    return schedule
