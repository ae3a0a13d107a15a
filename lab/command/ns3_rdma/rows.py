# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The files with counted rows: topology, flows and traced nodes; what comes after the counted rows is reported. And the file of choices."""
from __future__ import annotations

from typing import Dict, Iterator, List, NamedTuple, NoReturn, Optional, Tuple

from . import numbers
from .files import Remarks, at, lines_of, shown, words_of, wrong
from .keys import SECONDS_MAX, U32_MAX
from ..common import counted, show_nearest
from ..experiment import catalogue, quantity
from ..experiment.model import LINE_RATE
from ..experiment.refusal import refuse_value

TOPOLOGY_MAX, FLOWS_MAX, TRACE_MAX = 1 << 29, 1 << 30, 1 << 24   # bytes of a file
NODES_MAX = 65536          # an address and a trace record have 16 bits for a node
ROWS_MAX = 10_000_000      # links of a topology, flows of a file
FLOW_BYTES_MAX = 10**18


class Link(NamedTuple):
    """A row of topology.txt."""
    a: int
    b: int
    rate: int       # bit/s
    delay: int      # ns
    error: int      # probability that a frame is lost, 1e-18
    line: int


class Topology:
    """topology.txt."""

    def __init__(self, path: str, nodes: int):
        self.path = path
        self.is_switch = [False] * nodes
        self.nvswitches: List[int] = []    # switches inside a server
        self.links: List[Link] = []        # in the file's order, which numbers the interfaces from 1

    def kinds(self) -> List[str]:
        """List the kinds of the nodes, as those of model.Node."""
        found = ["switch" if is_switch else "host" for is_switch in self.is_switch]
        for node in self.nvswitches:
            found[node] = "nvswitch"
        return found

    def hosts(self) -> List[int]:
        """List the ids of the hosts."""
        return [node for node, is_switch in enumerate(self.is_switch) if not is_switch]

    def host_rates(self) -> Dict[int, int]:
        """Return the bit/s that each host can send, of all its links."""
        rates = dict.fromkeys(self.hosts(), 0)
        for link in self.links:
            for end in (link.a, link.b):
                if end in rates:
                    rates[end] += link.rate
        return rates


class Flow:
    """A row of flow.txt or of the TCP flow file."""
    __slots__ = ("src", "dst", "pg", "dport", "bytes", "start", "stop", "cc", "line")

    def __init__(self, src: int, dst: int, pg: int, dport: int, size: int, start: int, stop: Optional[int], line: int):
        self.src, self.dst, self.pg, self.dport, self.bytes, self.start, self.stop, self.line = src, dst, pg, dport, size, start, stop, line
        self.cc = ""     # algorithm of this flow; empty: the run's


class Rows:
    """A file that is read row by row."""

    def __init__(self, path: str, expected: str, most: int):
        self.path = path
        self.lines = self.filled(lines_of(path, expected, most))
        self.words: List[str] = []
        self.line = 0
        self.row, self.rows = 0, 0     # number of the row from 0, and how many there are

    @staticmethod
    def filled(lines: Iterator[Tuple[int, str]]) -> Iterator[Tuple[int, List[str]]]:
        """Yield (number, words) of the lines that are not blank."""
        for number, line in lines:
            words = words_of(line)
            if words:
                yield number, words

    def fail(self, what: str, found: str, expected: str) -> NoReturn:
        raise wrong(self.path, self.line, what, found, expected)

    def next(self, what: str, expected: str) -> List[str]:
        """Read the next row."""
        found = next(self.lines, None)
        if found is None:
            self.fail(what, "the end of the file", expected)
        self.line, self.words = found
        return self.words

    def count(self, what: str, most: int) -> int:
        """Read the number of rows, alone in the first line."""
        words = self.next(what, "their number")
        if len(words) != 1:
            self.fail(what, counted(len(words), "word"), "their number, alone in the first line")
        return self.read_whole(what, 0, 0, most)

    def read_whole(self, what: str, column: int, least: int, most: int) -> int:
        """Return the whole number in a column."""
        found = quantity.read_whole(self.words[column], most)
        if found is None or found < least:
            self.fail(what, shown(self.words[column]), f"a whole number from {least} to {most}")
        return found

    def node(self, what: str, column: int, nodes: int) -> int:
        """Return the node id in a column."""
        found = quantity.read_whole(self.words[column], nodes - 1)
        if found is None:
            self.fail(what, shown(self.words[column]), f"a node id from 0 to {nodes - 1} (row {self.row + 1} of {self.rows})")
        return found

    def seconds(self, what: str, column: int) -> int:
        """Return the time in seconds in a column, in ns."""
        found = numbers.read_number(self.words[column], 9, SECONDS_MAX)
        if found is None:
            self.fail(what, shown(self.words[column]), f"a time in s from 0 to {SECONDS_MAX}")
        return found

    def finish(self, counted_rows: str, columns: tuple, remarks: Remarks) -> None:
        """Warn of rows behind the counted ones, and note text there. `columns`: how many words a row may have; empty: any number of ids."""
        rows, texts = [], []
        for number, words in self.lines:
            is_row = all(word.isdigit() for word in words[:2]) and (not columns or len(words) in columns)
            (rows if is_row else texts).append(number)
        if rows:
            remarks.warnings.append(at(self.path, rows[0], f"{counted(len(rows), 'row')} behind {counted_rows} "
                                       f"{'is' if len(rows) == 1 else 'are'} ignored; expected a larger count for all rows"))
        if texts:
            remarks.notes.append(at(self.path, texts[0], f"{counted(len(texts), 'line')} of text behind {counted_rows} ignored, here the "
                                    "first"))

    def ends(self, nodes: int, fits: bool, columns: str) -> Tuple[int, int]:
        """Return src and dst, the first two columns, of a row that has as many columns as it must."""
        src = self.node("src", 0, nodes)   # before the number of columns, as a line that is no row is prose
        if not fits:
            self.fail("row", counted(len(self.words), "column"), columns)
        return src, self.node("dst", 1, nodes)


# ---------------------------------------------------------------- topology.txt

def read_header(rows: Rows) -> tuple:
    """Read "nodes switches links", with the racks before the links, with two capacities too, or "nodes GPUs-per-server NVSwitches switches
    links GPU-type". Returns the numbers of nodes, switches, NVSwitches and links."""
    words = rows.next("header", "nodes, switches and links")
    if len(words) not in (3, 4, 6):
        rows.fail("header", counted(len(words), "field"), "nodes, switches and links; nodes, switches, tors and links; or six fields")
    gpus = len(words) == 6 and not words[5][0].isdigit()
    nodes = rows.read_whole("nodes", 0, 1, NODES_MAX)
    switches = rows.read_whole("switches", 3 if gpus else 1, 0, nodes)
    links = rows.read_whole("links", 4 if gpus else 2 if len(words) == 3 else 3, 0, ROWS_MAX)
    nvswitches = rows.read_whole("NVSwitches", 2, 0, nodes - switches) if gpus else 0
    if len(words) > 3:
        rows.read_whole("GPUs per server" if gpus else "tors", 1 if gpus else 2, 0, nodes)
    return nodes, switches, nvswitches, links


def read_switches(rows: Rows, ids: int, topology: Topology, nvswitches: int) -> None:
    """Read switch ids, on one line or more; those of NVSwitches come first."""
    expected = counted(ids, "switch id")
    rows.row, rows.rows = 0, ids
    while rows.row < ids:
        rows.next("switches", expected)
        for column, word in enumerate(rows.words):
            if rows.row == ids:
                rows.fail("switches", f"{shown(word)} after {expected}", "the end of the line, as the header says")
            node = rows.node("switches", column, len(topology.is_switch))
            if topology.is_switch[node]:
                rows.fail("switches", f"{node} twice", "each switch once")
            topology.is_switch[node] = True
            if rows.row < nvswitches:
                topology.nvswitches.append(node)
            rows.row += 1


def read_link(rows: Rows, nodes: int) -> Link:
    """Read src, dst, rate, delay and maybe an error rate."""
    words = rows.words
    a, b = rows.ends(nodes, len(words) in (4, 5), "src dst rate delay, and error rate or none")
    if a == b:
        rows.fail("dst", f"{shown(words[1])}, the same as src", "another node")
    rate = numbers.read_data_rate(words[2], LINE_RATE[1])
    if rate is None or rate < LINE_RATE[0]:
        rows.fail("rate", shown(words[2]), "a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps")
    delay = numbers.read_time(words[3], 10**9)
    if delay is None:
        rows.fail("delay", shown(words[3]), "a time such as 1us, 0.001ms or 1000ns, at most 1s")
    error = numbers.read_number(words[4], 18, 1) if len(words) == 5 else 0
    if error is None:
        rows.fail("error rate", shown(words[4]), "a probability from 0 to 1")
    return Link(a, b, rate, delay, error, rows.line)


def read_topology(path: str, remarks: Remarks) -> Topology:
    """Read topology.txt. Raises RccError."""
    rows = Rows(path, "a file of nodes and links", TOPOLOGY_MAX)
    nodes, switches, nvswitches, links = read_header(rows)
    topology = Topology(path, nodes)
    read_switches(rows, switches + nvswitches, topology, nvswitches)
    rows.rows = links
    for rows.row in range(links):
        rows.next("rows", f"{counted(links, 'link')}, not {rows.row}")
        topology.links.append(read_link(rows, nodes))
    rows.finish(f"the {counted(links, 'link')} of the header", (4, 5), remarks)
    return topology


# ---------------------------------------------------------------- flow.txt

class Shape(NamedTuple):
    """The columns of a row of flows."""
    columns: str
    n_columns: int
    size: int          # column of the packets or bytes, before that of the start
    has_packets: bool  # packets in place of bytes, and a stop time after the start


PACKETS = Shape("src dst pg packets start stop", 6, 3, True)
PORT = Shape("src dst pg dport bytes start", 6, 4, False)
BYTES = Shape("src dst pg bytes start", 5, 3, False)


def read_flow(rows: Rows, topology: Topology, shape: Shape, payload: int) -> Flow:
    """Read a row. `payload`: bytes of a packet."""
    words = rows.words
    ends = rows.ends(len(topology.is_switch), len(words) == shape.n_columns, shape.columns)
    for column, node in enumerate(ends):
        if topology.is_switch[node]:
            rows.fail("dst" if column else "src", f"{shown(words[column])}, a switch", "a host")
    if ends[0] == ends[1]:
        rows.fail("dst", f"{shown(words[1])}, the same as src", "another host")
    unit = payload if shape.has_packets else 1
    group = rows.read_whole("pg", 2, 0, 7)
    dport = rows.read_whole("dport", 3, 0, 65535) if shape.size == 4 else 100
    what, least = ("packets", 0) if shape.has_packets else ("bytes", 1)
    size = unit * rows.read_whole(what, shape.size, least, FLOW_BYTES_MAX // unit)
    start = rows.seconds("start", shape.size + 1)
    stop = rows.seconds("stop", 5) if shape.has_packets else None
    if stop is not None and stop < start:
        rows.fail("stop", shown(words[5]), f"a time not before start, which is {shown(words[4])}")
    return Flow(*ends, group, dport, size, start, stop, rows.line)


def read_flows(path: str, topology: Topology, original: bool, payload: int, remarks: Remarks) -> List[Flow]:
    """Read `src dst pg PACKETS start stop` of ns3-rdma, or `src dst pg [dport] BYTES start` of the HPCC simulator."""
    rows = Rows(path, "a file of flows", FLOWS_MAX)
    rows.rows = rows.count("flows", ROWS_MAX)
    shape = PACKETS if original else PORT
    flows: List[Flow] = []
    for rows.row in range(rows.rows):
        rows.next("rows", f"{rows.rows}, not {rows.row}")
        if rows.row == 0 and not original and len(rows.words) == BYTES.n_columns:
            shape = BYTES
        flows.append(read_flow(rows, topology, shape, payload))
    rows.finish(f"the {counted(rows.rows, 'flow')} of the first line", (shape.n_columns,), remarks)
    return flows


# ---------------------------------------------------------------- others

def read_trace(path: str, topology: Topology, remarks: Remarks) -> List[int]:
    """Read the ids of traced nodes, ascending and each once; others are left out with a warning. Their number and the ids may be on any
    number of lines."""
    rows = Rows(path, "a file of node ids", TRACE_MAX)
    rows.next("nodes", "their number")
    rows.rows = rows.read_whole("nodes", 0, 0, TRACE_MAX)
    column = 1
    traced, skipped, line = set(), [], 0
    nodes = len(topology.is_switch)
    while rows.row < rows.rows:
        if column == len(rows.words):
            rows.next("ids", f"{rows.rows}, not {rows.row}")
            column = 0
        node = rows.read_whole("id", column, 0, U32_MAX)
        rows.row, column = rows.row + 1, column + 1
        if node < nodes:
            traced.add(node)
            continue
        skipped.append(node)
        line = line or rows.line
    behind = f"the {counted(rows.rows, 'id')} of the first line"
    if column < len(rows.words):
        note = at(path, rows.line, f"{counted(len(rows.words) - column, 'word')} behind {behind} ignored, here the first")
        (remarks.warnings if rows.words[column].isdigit() else remarks.notes).append(note)
    rows.finish(behind, (), remarks)
    if skipped:
        remarks.warnings.append(at(path, line, f"id: left out {len(skipped)} of {counted(rows.rows, 'id')}, the first is {skipped[0]}; "
                           f"{topology.path} has nodes 0 to {nodes - 1}"))
    return sorted(traced)


def read_choices(path: str, topology: Topology, flows: List[Flow]) -> None:
    """Read which algorithm each flow has: lines "default CC", "node N CC" and "flow N CC", N a number or a range. A flow line counts more
    than a node line, that more than the default; among equals the last."""
    names = list(catalogue.cores())
    everyone = ""
    of_node, of_flow = [""] * len(topology.is_switch), [""] * len(flows)
    for line, text in lines_of(path, "a file with lines such as 'node 3 dcqcn'", FLOWS_MAX):
        words = words_of(text.partition("#")[0])
        if not words:
            continue
        what, name = words[0], words[-1]

        def fail(key: str, found: str, expected: str, line: int = line) -> NoReturn:
            raise wrong(path, line, key, found, expected)

        if what not in ("default", "node", "flow"):
            fail("what", shown(what), "default, node or flow")
        if len(words) != (2 if what == "default" else 3):
            fail(what, counted(len(words), "word"),
                 "'default' and an algorithm" if what == "default" else f"'{what}', a number or a range, an algorithm")
        if name not in names:
            fail("algorithm", shown(name), f"one of {', '.join(names)}{show_nearest(name, names)}")
        if what == "default":
            everyone = name
            continue
        least, chosen = (0, of_node) if what == "node" else (1, of_flow)
        most = len(chosen) + least - 1
        first, dash, last = words[1].partition("-")
        low, high = quantity.read_whole(first, most), quantity.read_whole(last if dash else first, most)
        if not chosen or low is None or high is None or not least <= low <= high:
            fail(what, shown(words[1]), f"a number from {least} to {most}, or a range of them" if chosen else "no line: there is none")
        if what == "node" and low == high and topology.is_switch[low]:
            fail("node", f"{shown(words[1])}, a switch", "a host")
        chosen[low - least:high - least + 1] = [name] * (high - low + 1)
    for number, flow in enumerate(flows):
        flow.cc = of_flow[number] or of_node[flow.src] or everyone


def dialect_of(text: str) -> bool:
    """Return whether a name of --dialect is that of ns3-rdma. Raises RccError."""
    if text in ("ns3-rdma", "original", "b"):
        return True
    if text in ("hpcc", "h"):
        return False
    refuse_value("dialect", text, "ns3-rdma or hpcc")
