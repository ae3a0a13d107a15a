#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Fuzzes the readers that are Python: files are changed at random and read by ./rcc, in this process.

    python3 lab/test/fuzz/readers.py TARGET SECONDS SEED CORPUS [INPUTS]

A command must end well, or say in one line of printable text what is wrong. What reaches a new line
of the readers is kept in CORPUS. With INPUTS, it ends after that number, without a time limit. Prints
executions and edges; exit status 1 after a finding, which it leaves in CORPUS."""
from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
import sys
import tempfile
import time
import traceback
from typing import Callable, Dict, List, NamedTuple, Set

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[0:0] = [os.path.join(ROOT, "lab"), os.path.join(ROOT, "lab", "test", "command")]

import pcap_bytes  # noqa: E402
from seeds import CHAKRA, SEEDS  # noqa: E402

from command import main  # noqa: E402
from command.common import RccError  # noqa: E402
from command.experiment import algorithms, faults, nic_dump  # noqa: E402
from command.experiment.model import Node  # noqa: E402
from command.ns3_rdma import config, rows  # noqa: E402
from command.ns3_rdma.files import Remarks  # noqa: E402
from command.results.html import report  # noqa: E402
from command.results.read import results  # noqa: E402
from command.run import training  # noqa: E402
from command.traces import collectives  # noqa: E402

READERS = tuple(os.path.join(ROOT, "lab", "command", *part) for part in (
    ("experiment", "faults.py"), ("experiment", "nic_dump.py"), ("files", ""), ("ns3_rdma", ""), ("pcap", ""), ("results", ""),
    ("traces", "")))
SIZE_MAX = 8192
TOKENS = [b"0", b"1", b"-1", b"1.5", b"1e9", b"65536", b"4294967296", b"18446744073709551616", b"nan", b"inf", b"\n", b" ", b"\t", b"#",
          b"\r\n", b"\0", b"\xff", b"=", b",", b":", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b"null", b'""', b"0x10"]


class Target(NamedTuple):
    file: str                          # name of the input
    words: Callable[[str, str], list]  # words of the command for (path of the input, folder); none: `before` alone reads
    before: Callable[[str], object] = str   # another reader, called with the folder


OPERATIONS_MAX = 5000    # the largest trace that is tried


class Trace:
    """Reads a trace as ./rcc run trace does, and makes its flows."""
    ranks_per_host = compute = topology = opt_links = opt_rate = collective = gpus = size = None
    no_plots = True

    def __init__(self, file: str, partner: str = "", text: str = ""):
        """`partner`: another file of the trace, and its text."""
        self.file, self.partner, self.text = file, partner, text

    def __call__(self, folder: str) -> None:
        collectives.OPERATIONS_MAX = OPERATIONS_MAX
        if self.partner:
            with open(os.path.join(folder, self.partner), "w", encoding="utf-8") as f:
                f.write(self.text)
        self.path = os.path.join(folder, self.file)
        for _ in training.items(training.read(self)):
            pass


def of_trace(file: str, partner: str = "", text: str = "") -> Target:
    return Target(file, lambda path, folder: [], Trace(file, partner, text))


def require(holds: bool, what: str) -> None:
    """Raise AssertionError, which is a finding."""
    if not holds:
        raise AssertionError(f"{what} does not hold")


def small_topology(folder: str) -> rows.Topology:
    """Return the four hosts at two switches that every folder has."""
    return rows.read_topology(os.path.join(folder, "topology.txt"), Remarks())


def read_config(path: str, folder: str) -> None:
    del folder
    require(config.read(path).payload > 0, "a packet has a payload")


def read_topology(path: str, folder: str) -> None:
    del folder
    topology = rows.read_topology(path, Remarks())
    for link in topology.links:
        require(link.a != link.b and max(link.a, link.b) < len(topology.is_switch), "a link has two nodes")
        require(link.rate > 0 and link.delay >= 0 and 0 <= link.error <= 10**18, "a link can be built")


def read_flows(path: str, folder: str, original: bool = False) -> None:
    for flow in rows.read_flows(path, small_topology(folder), original, 1000, Remarks()):
        require(flow.src != flow.dst and max(flow.src, flow.dst) < 4 and flow.pg < 8, "a flow has two hosts")
        require(flow.start >= 0 and flow.bytes <= rows.FLOW_BYTES_MAX, "a flow can be built")


def read_tcp_flows(path: str, folder: str) -> None:
    read_flows(path, folder, True)


def read_traced(path: str, folder: str) -> None:
    found = rows.read_trace(path, small_topology(folder), Remarks())
    require(found == sorted(set(found)) and max(found, default=0) < 6, "traced nodes are ascending")


def read_choices(path: str, folder: str) -> None:
    rows.read_choices(path, small_topology(folder), [rows.Flow(src, 3, 3, 100, 1000, 0, None, 1) for src in range(3)])


def read_nic(path: str, folder: str) -> None:
    del folder
    dump = nic_dump.read(path)
    fields = nic_dump.catalogue.cores()[algorithms.NIC.get(dump.algorithm, dump.algorithm)].fields
    inside = all(fields[name].low <= value <= fields[name].high for name, value in dump.parameters.items())
    require(inside, "parameters are in their ranges")


def read_faults(path: str, folder: str) -> None:
    del folder
    nodes = [Node("host", str(number)) for number in range(4)] + [Node("switch", str(number)) for number in (4, 5)]
    for fault in faults.read(path, nodes)[0]:
        require(fault.at_ns >= 0 and 0 < fault.probability_ppb <= 10**9 and fault.burst >= 1, "a fault can happen")


def of_reader(file: str, read: Callable[[str, str], None]) -> Target:
    """Return the target of a function that reads a file (path, folder)."""
    return Target(file, lambda path, folder: [], lambda folder: read(os.path.join(folder, file), folder))


TARGETS: Dict[str, Target] = {
    "config": of_reader("config.txt", read_config),
    "topology": of_reader("t.txt", read_topology),
    "flow": of_reader("flow.txt", read_flows),
    "tcp_flow": of_reader("flow.txt", read_tcp_flows),
    "trace": of_reader("trace.txt", read_traced),
    "choices": of_reader("choices.txt", read_choices),
    "nic_params": of_reader("nic.txt", read_nic),
    "faults": of_reader("faults.txt", read_faults),
    "cdf": Target("sizes.txt", lambda path, folder: ["generate", "workload", "--topology=" + folder + "/topology.txt", "--sizes=" + path,
                                                     "--load=0.1", "--time=10us", "--out=" + folder + "/flow.txt"]),
    "fct": Target("fct.txt", lambda path, folder: ["fct", path, "--by-size"]),
    "mix": Target("mix.tr", lambda path, folder: ["trace", path, "--json"]),
    "capture": Target("x.pcap", lambda path, folder: ["pcap", path, "--json", "--no-plots", "--out=" + folder + "/out"]),
    "python_topology": Target("t.txt", lambda path, folder: ["generate", "workload", "--topology=" + path, "--load=0.1", "--time=1us",
                                                             "--out=" + folder + "/flow.txt"]),
    "summary": Target("summary.json", lambda path, folder: ["compare", folder, folder, "--json"],
                      lambda folder: report.page(folder, results.load(folder))),
    "goal": of_trace("t.goal"),
    "chakra": of_trace("t.0.json", "t.1.json", CHAKRA.replace('"comm_dst": 1', '"comm_src": 0').replace('"NodeType": 5', '"NodeType": 6')),
    "simai": of_trace("t.txt"),
    "msccl": of_trace("t.xml"),
    "htsim": of_trace("t.cm"),
}


class Edges:
    """Steps from line to line in the readers that were taken so far."""

    def __init__(self) -> None:
        self.seen: Set[tuple] = set()
        self.last = 0

    def call(self, frame, event, argument):
        """Follow functions of the readers only."""
        del event, argument
        return self.line if frame.f_code.co_filename.startswith(READERS) else None

    def line(self, frame, event, argument):
        del argument
        if event == "line":
            now = hash((frame.f_code.co_filename, frame.f_lineno)) & 0xffffffff
            self.seen.add((self.last, now))
            self.last = now
        return self.line


def mutate(data: bytes, others: List[bytes], chance: random.Random) -> bytes:
    """A few changes at random places."""
    out = bytearray(data)
    for _ in range(1 << chance.randrange(4)):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(7)
        if kind == 0 and out:
            out[at % len(out)] ^= 1 << chance.randrange(8)
        elif kind == 1 and out:
            out[at % len(out)] = chance.randrange(256)
        elif kind == 2:
            del out[at:at + chance.randrange(1, 16)]
        elif kind == 3:
            out[at:at] = chance.choice(TOKENS)
        elif kind == 4:
            out[at:at] = out[at:at + chance.randrange(1, 64)]
        elif kind == 5:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            out[at:at + chance.randrange(32)] = other[begin:begin + chance.randrange(64)]
        else:
            words = bytes(out).split(b" ")
            words[chance.randrange(len(words))] = chance.choice(TOKENS)
            out = bytearray(b" ".join(words))
    return bytes(out[:SIZE_MAX])


def judge(target: Target, folder: str, args) -> str:
    """Run a command, as command.main does. Returns what is wrong with how it ends."""
    out, err = io.StringIO(), io.StringIO()
    message = ""
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            target.before(folder)
            if args:
                args.function(args)
    except RccError as error:
        message = str(error)
        if "\n" in message or len(message) > 5000 or error.status not in (1, 2):
            return f"status {error.status}: {message!r}"
    except (MemoryError, RecursionError):
        pass  # command.main has a sentence for each
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc()
    text = message + err.getvalue()
    if any(ord(c) < 32 and c not in "\n\t" for c in text):
        return f"unprintable: {text!r}"
    return ""


def seeds_of(name: str, folder: str) -> List[bytes]:
    """The first inputs, and what an earlier run has kept."""
    found = [text if isinstance(text, bytes) else text.encode() for text in SEEDS.get(name, [])]
    if name == "capture":
        found += pcap_bytes.samples()
    for entry in sorted(os.listdir(folder)):
        with open(os.path.join(folder, entry), "rb") as f:
            found.append(f.read())
    return found


def fuzz(name: str, seconds: float, seed: int, corpus: str, limit: int = 0) -> int:
    """Returns the exit status."""
    target = TARGETS[name]
    chance = random.Random(seed)
    os.makedirs(corpus, exist_ok=True)
    inputs = seeds_of(name, corpus)
    edges = Edges()
    runs = 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "topology.txt"), "w", encoding="utf-8") as f:
            f.write(SEEDS["topology"][0])
        path = os.path.join(folder, target.file)
        words = target.words(path, folder)
        args = main.make_parser(words[0]).parse_args(words) if words else None
        if args:
            args.argv = words
        while runs < limit if limit else time.monotonic() < end:
            data = inputs[runs] if runs < len(inputs) else mutate(chance.choice(inputs), inputs, chance)
            with open(path, "wb") as f:
                f.write(data)
            before = len(edges.seen)
            sys.settrace(edges.call)
            try:
                wrong = judge(target, folder, args)
            finally:
                sys.settrace(None)
            kept = os.path.join(corpus, hashlib.sha1(data).hexdigest()[:16])
            runs += 1
            if wrong or (len(edges.seen) > before and runs > len(SEEDS.get(name, []))):
                inputs.append(data)
                with open(kept + (".finding" if wrong else ""), "wb") as f:
                    f.write(data)
            if wrong:
                print(f"{kept}.finding: {wrong}")
                return 1
    print(f"{runs} executions, {len(edges.seen)} edges")
    return 0


if __name__ == "__main__":
    sys.exit(fuzz(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4], *map(int, sys.argv[5:])))
