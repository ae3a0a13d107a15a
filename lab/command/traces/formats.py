# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The format of a trace, found by its content."""
from __future__ import annotations

import os
from typing import NamedTuple, Optional

from . import chakra, goal, goal_binary, htsim, msccl, simai
from .schedule import Schedule
from ..common import RccError, open_regular, visible

HEAD = 1 << 16    # bytes that tell
EXPECTED = ("a schedule in GOAL's text form (num_ranks N) or its binary form, an execution trace of Chakra (NAME.RANK.et or .json), a "
            "workload of SimAI, an algorithm of MSCCL (XML) or a connection matrix of htsim (Nodes N)")
WHAT = {"Chakra": "a trace of Chakra", "SimAI": "a workload of SimAI", "MSCCL": "an algorithm of MSCCL"}
OF_FORMATS = {"gpus": ("SimAI",), "size": ("MSCCL",), "collective": ("Chakra", "SimAI")}


class Options(NamedTuple):
    """The options of the command for a trace."""
    algorithms: dict            # {collective: collectives.Algorithm}
    per_host: int               # ranks
    ranks: Optional[int]        # ranks of a workload of SimAI; None: as the file says
    size: int                   # bytes of an algorithm of MSCCL
    given: dict                 # {option of OF_FORMATS: its text} of those that were given

    def refuse_unused(self, path: str, name: str) -> None:
        """Raise for an option that a trace of format `name` cannot use."""
        for option, formats in OF_FORMATS.items():
            if option in self.given and name not in formats:
                raise RccError(f"--{option} is '{self.given[option]}', expected none beside {path}: only "
                               f"{' or '.join(WHAT[one] for one in formats)} has it")


def read(path: str, options: Options) -> Schedule:
    """Read the operations of a trace. `path`: a file, or a folder with the files of Chakra's ranks. Raises RccError, OSError."""
    if os.path.isdir(path):
        path = first_of(path)
    with open_regular(path, goal.LIMIT) as f:
        head = f.read(HEAD)
    text = head.decode("utf-8", "replace")
    line = next((line for line in text.splitlines() if line.strip()), "")
    if goal_binary.is_binary(head):
        options.refuse_unused(path, "GOAL")
        return goal_binary.read(path)
    if path.endswith(".et") or (b"\0" in head and chakra.NAME.fullmatch(os.path.basename(path))) or text.lstrip()[:1] in ("{", "["):
        name = "Chakra"
    elif htsim.is_matrix(text):
        name = "htsim"
    elif msccl.is_msccl(text) or simai.is_simai(line):
        name = "MSCCL" if msccl.is_msccl(text) else "SimAI"
    else:
        name, first = "GOAL", goal.first_words(path)
        if not goal.is_goal(first):
            raise RccError(f"{path}:1: found '{visible(' '.join(first)[:40])}', expected {EXPECTED}")
    options.refuse_unused(path, name)
    if name == "Chakra":
        return chakra.read(path, options.algorithms, options.per_host)
    if name == "SimAI":
        return simai.read(path, options.ranks, options.algorithms, options.per_host)
    if name == "htsim":
        return htsim.read(path)
    return msccl.read(path, options.size) if name == "MSCCL" else goal.read(path)


def first_of(folder: str) -> str:
    """Return the file of rank 0 in a folder."""
    found = sorted(name for name in os.listdir(folder) if chakra.NAME.fullmatch(name) and int(chakra.NAME.fullmatch(name).group(2)) == 0)
    if len(found) != 1:
        raise RccError(f"{folder}: found {len(found)} traces" + (f" ({', '.join(found[:4])})" if found else "")
                       + ", expected one, whose files are "
                       "NAME.RANK.et or NAME.RANK.json, or the name of one of its files")
    return os.path.join(folder, found[0])
