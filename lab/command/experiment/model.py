# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The model of an experiment: what is built, sent, measured and written, with all names resolved to numbers.

Times are ns, rates bit/s, sizes bytes, ratios and probabilities parts in 1e9. Nodes, links and algorithms are numbered from 0 in the order
of their lists. None stands for "there is none". writer.py has the run file that it becomes; its records are those of lab/run/run-file.md.
"""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

CLASSES, RDMA_CLASS = 8, 3             # classes of frames, and the usual one of RDMA
LINE_RATE = (10**6, 16 * 10**12)       # the limits of a link's rate, bit/s
TIME_MAX = 1000 * 10**9                # ns


class Default(NamedTuple):
    """A default of an attribute, set before anything is made."""
    type: str        # ns3::QbbSwitch
    attribute: str
    value: str       # as ns-3 reads it


class Algorithm(NamedTuple):
    """A congestion control with all its parameters, in the order and unit of the core's fields."""
    name: str                     # as it was asked for
    core: str                     # name of the algorithm of the core, which may be a variant
    parameters: Dict[str, int]


class AtRate(NamedTuple):
    """A parameter that an algorithm's markers have on ports of one rate."""
    algorithm: int
    rate_bps: int
    parameter: str
    value: int


class Node(NamedTuple):
    """A node. `kind`: host, switch, cioq or nvswitch, a switch that hosts of one server share."""
    kind: str
    name: str


class NodeAttribute(NamedTuple):
    """An attribute of one node's object, from a time on."""
    node: int
    type: str
    attribute: str
    value: str
    at_ns: int


class Link(NamedTuple):
    """A link between two nodes."""
    a: int
    b: int
    rate_bps: int
    delay_ns: int
    loss_ppb: int = 0    # loss of data frames


class Port(NamedTuple):
    """A port of a node; a node's ports are numbered from 0 in the order of its links."""
    node: int
    port: int


class Marker(NamedTuple):
    """A congestion point of a class; `node` None: at every switch."""
    node: Optional[int]
    cls: int
    algorithm: int


class Policer(NamedTuple):
    """A limit on what is forwarded to a port."""
    port: Port
    rate_bps: int
    burst_bytes: int


class RateStep(NamedTuple):
    """A rate of a port from a time on; `port` None: the watched one."""
    port: Optional[Port]
    at_ns: int
    rate_bps: int


class Watched(NamedTuple):
    """A port with the name that results have for it; `port` None: the one that the flows load most."""
    port: Optional[Port]
    name: str


class Flows(NamedTuple):
    """Flows that have all but their ends and starts in common; their queue pairs exist from the beginning.

    Flow i goes from node from_first + i % from_cycle * from_step, to likewise, and starts at start_ns + i * start_step_ns and a random time
    below within_ns. Each is spread over `qps` queue pairs.
    """
    flow_count: int
    from_first: int
    from_step: int
    from_cycle: int
    to_first: int
    to_step: int
    to_cycle: int
    qps: int
    cls: int
    algorithm: Optional[int]    # None: the run's
    size_bytes: int             # bytes of a message; 0: endless
    start_ns: int
    start_step_ns: int
    within_ns: int
    stop_ns: Optional[int]
    messages: int               # one after the other; 0: until the end
    depth: int                  # messages that are posted at a time
    think_ns: int
    rate_bps: Optional[int]
    window_bytes: Optional[int]
    dscp: Optional[int]
    ecn: Optional[int]          # 0 not-ECT, 1 ECT(1), 2 ECT(0), 3 CE


class Arrival(NamedTuple):
    """A flow whose queue pair exists from its start to its end."""
    source: int
    destination: int
    cls: int
    algorithm: Optional[int]
    size_bytes: int
    start_ns: int
    stop_ns: Optional[int]
    window_bytes: object        # None: none; "bdp" of its pair or "max-bdp" of all pairs: the program's rule
    variable_window: bool
    dport: int


class After(NamedTuple):
    """The events that a wait counts: the ends of `flow_count` flows from `first` on, or with first None the beginning of the run."""
    first: Optional[int]
    flow_count: int
    received: bool              # when the last byte has arrived, not when it is acknowledged
    later_ns: int


class Wait(NamedTuple):
    """Flows that start `delay_ns` after enough of others have ended."""
    first: int
    flow_count: int
    needs: int                  # 0: all
    delay_ns: int
    after: Tuple[After, ...]


class Group(NamedTuple):
    """The flows of one row of groups.csv."""
    name: str       # empty: there is no such file
    flows: Tuple[Flows, ...]


class Arrivals(NamedTuple):
    """Single flows between random hosts, of sizes by a distribution, that arrive as a Poisson process."""
    gap: int         # mean time between two, 2^-16 ns
    load_ppb: int    # part of the hosts' links, for the results
    sizes: Tuple[Tuple[int, int], ...]   # bytes, cumulative probability in 1e-12


class Incasts(NamedTuple):
    """Random hosts that send to a random one at the same time, as a Poisson process."""
    senders: int
    qps: int
    size_bytes: int
    gap: int         # mean time between two, 2^-16 ns


class Collective(NamedTuple):
    """An operation of all ranks in steps. `operation`: all-reduce or all-to-all; `sync`: barrier or data."""
    operation: str
    sync: str
    size_bytes: int
    qps: int
    gap_ns: int
    rounds: int
    ranks: Tuple[int, ...]    # nodes in the order of the ranks


class Tcp(NamedTuple):
    """TCP connections of one pair of hosts. `control`: a type of ns-3; empty: the default."""
    source: int
    destination: int
    port: int
    connections: int
    size_bytes: int           # bytes of each connection; 0: endless
    start_ns: int
    stop_ns: Optional[int]
    is_awaited: bool          # the run does not end before
    control: str
    name: str


class Lost(NamedTuple):
    """A data packet that is lost on the link by which it leaves its host, by its number in its queue pair."""
    node: int
    packet: int


class Pause(NamedTuple):
    """A host that emits PFC for a share of each period."""
    node: int
    cls: int
    share_ppb: int
    every_ns: int
    start_ns: int
    stop_ns: Optional[int]


class Fault(NamedTuple):
    """Something that goes wrong. Fields that its kind does not have keep their defaults."""
    kind: str
    line: int                       # in the file it is from
    node: Optional[int] = None      # None: all
    peer: Optional[int] = None      # other end of a link
    one_way: bool = False
    at_ns: int = 0
    lasts_ns: Optional[int] = None  # None: to the end of the run
    time_ns: int = 0                # from one to the next, or a delay
    probability_ppb: int = 10**9
    burst: int = 1                  # mean number of picked frames in a row
    most: int = 0                   # times or frames; 0: without limit
    frames: int = 0xff & ~(1 << 5)  # kinds, one bit each: all but PFC
    rate_bps: int = 0
    buffer_bytes: int = 65536
    qp: int = 0
    psn: int = 1 << 20
    period_ns: int = 0
    cls: int = 3


class Guard(NamedTuple):
    """The conditions that are checked during the run."""
    stops: bool = True                    # at a deadlock
    storm_after_ns: Optional[int] = None
    drops: bool = False                   # drop the frames that wait in a pause storm
    invariants: bool = False


class Capture(NamedTuple):
    """A port whose frames go to FILE.pcap. `place`: a Port, or "watched", "receiver" or "sender"."""
    place: object
    file: str


class Output(NamedTuple):
    """A file of the outputs of ns3-rdma and of the HPCC simulator. `kind`: fct, pfc, qlen or mix."""
    kind: str
    file: str
    start_ns: int = 0    # begin and end of the histograms of qlen
    end_ns: int = 0


class Experiment:
    """The description of a whole run."""

    def __init__(self) -> None:
        self.name = "testbed"
        self.seed = 1
        self.time_ns = 0
        self.drain_ns = 0        # time that flows may take after time_ns
        self.rate_bps = 0        # rate of most links, for results
        self.window_ns: Optional[Tuple[int, int]] = None   # interval of the averages
        self.interval_ns: Optional[int] = None             # between two rows of the series
        self.defaults: List[Default] = []
        self.algorithms: List[Algorithm] = []              # the first one is the run's
        self.at_rates: List[AtRate] = []
        self.notes: List[str] = []    # for the person who asked
        self.nodes: List[Node] = []
        self.internet: List[int] = []
        self.node_attributes: List[NodeAttribute] = []
        self.links: List[Link] = []
        self.routes = "shortest"    # between all hosts; "partial": where there are paths; "up-down": without cyclic buffer dependencies
        self.pool: Optional[Tuple[int, int]] = None        # least pool and headroom of a buffer that follows from the network
        self.markers: List[Marker] = []
        self.policers: List[Policer] = []
        self.steps: List[RateStep] = []
        self.phases: List[RateStep] = []
        self.watched = Watched(None, "")
        self.bottlenecks: List[Port] = []
        self.groups: List[Group] = []
        self.arrived: List[Arrival] = []
        self.arrivals: Optional[Arrivals] = None
        self.incasts: Optional[Incasts] = None
        self.waits: List[Wait] = []
        self.collective: Optional[Collective] = None
        self.tcp: List[Tcp] = []
        self.losses: List[Lost] = []
        self.pauses: List[Pause] = []
        self.reroute: Optional[str] = None    # ns or "never"
        self.faults: List[Fault] = []
        self.link_down: Optional[Tuple[int, int, int]] = None   # ns, and two nodes: all links between them fail for good
        self.guard = Guard()
        self.captures: List[Capture] = []
        self.snaplen_bytes = 262144
        self.recorded: List[str] = []         # testbed, classes, marks, received, port-log, cioq
        self.recorded_ports: List[Tuple[Port, str]] = []
        self.outputs: List[Output] = []
        self.traced: List[int] = []
        # The text that a person wrote, for each record.
        self.asked_by: Dict[str, List[str]] = {"pause": [], "tcp": [], "rate": [], "link-down": [], "phase": ["--phases"]}
        self.faults_file = ""

    def neighbours(self) -> List[List[int]]:
        """List, of each node, by port the node on the other end."""
        found: List[List[int]] = [[] for _ in self.nodes]
        for link in self.links:
            found[link.a].append(link.b)
            found[link.b].append(link.a)
        return found
