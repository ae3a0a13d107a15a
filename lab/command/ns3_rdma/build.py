# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The experiment that the files of ns3-rdma or of the HPCC simulator are (lab/doc/ns3-rdma.md has what is the same and what differs)."""
from __future__ import annotations

import heapq
from typing import Dict, List, Tuple

from . import config as configs
from . import inputs, rows
from .config import Config, find_rate
from .inputs import Input, Overrides
from .rows import Topology
from ..common import RccError
from ..experiment import algorithms, attributes, catalogue, faults, nic_dump, quantity
from ..experiment.algorithms import Defaults
from ..experiment.build import Builder
from ..experiment.option_values import Given
from ..experiment.model import CLASSES, RDMA_CLASS, Algorithm, Arrival, AtRate, Default, Experiment, Link, Marker, \
    Node, NodeAttribute, Output, Tcp, Watched

PPB = 10**9
# constants of the simulators, for what their files cannot set
HPCC_BUFFER = 16 << 20             # bytes
HPCC_HEADROOM_DELAYS = 3
HPCC_RESUME_OFFSET = 3 * 1024      # bytes below the threshold at which a pause ends
ORIGINAL_POOL, ORIGINAL_HEADROOM = 4000 * 1030, 103_000    # bytes
STATIC_THRESHOLD = 20 * 1030       # m_pg_shared_limit_cell of ns3-rdma, bytes
NACK_INTERVAL = 500_000            # ns
L2_TIMEOUT = 4_000_000             # ns, of the forks that have one; a pause may hold an answer back for as long
LEAST_PULL, MOST_PULL = 1000, PPB - 1   # the limits of RdmaNic::DrainShare, 1e-9
BUFFER_MAX = 1 << 30               # the largest RdmaNic::ReceiveBuffer, bytes
OWN_FILES = {"run.json", "queue.csv", "rate.csv", "flow_rates.csv", "flows.csv", "utilization.csv"}
TCP_FIRST_PORT = 5000
TCP_HEADERS = 72                   # IPv4 20, TCP 20 and its options: with them a segment is no larger than a RoCE packet
BALANCING = {2: "least-queue", 6: "flowlet"}


class Files:
    """Reads the files that options name, and turns them into an experiment."""

    def __init__(self, given: Given):
        self.given = given
        self.attributes = attributes.Attributes(given)
        self.nic: List[Tuple[str, int]] = []       # settings of --nic-params
        self.places: Dict[str, str] = {}           # FILE:LINE: NAME of each
        self.input = self.read()
        self.config, self.topology = self.input.config, self.input.topology
        self.asked: Dict[str, str] = {}            # by algorithm: the command's options in place of keys
        self.defaults = Defaults({}, [])
        self.experiment = Experiment()
        self.numbers: Dict[str, int] = {}          # the numbers of the flows' algorithms
        self.marking: Dict[int, int] = {}          # by algorithm, the number of another one whose congestion point marks its frames

    def read(self) -> Input:
        """Read all files as the options say."""
        given = self.given
        original = None
        if given.is_set("dialect"):
            original = rows.dialect_of(given.text("dialect"))
        replaced = (("time", "SIMULATOR_STOP_TIME"), ("ack-every", "L2_ACK_INTERVAL"), ("buffer", "BUFFER_SIZE"))
        keys = frozenset(key for option, key in replaced if given.is_set(option))
        over = Overrides(original, given.text("topology"), given.text("flows"), all(map(given.is_set, ("kmin", "kmax", "pmax"))), keys,
                         given.quantity("time"))
        found = inputs.read_all(given.text("config"), over)
        inputs.check_output_names(found.config, OWN_FILES)
        if given.is_set("choices"):
            rows.read_choices(given.text("choices"), found.topology, found.flows)
        if given.is_set("nic-params"):
            dump = nic_dump.read(given.text("nic-params"), has_qcn=False)
            self.nic, self.places = list(dump.parameters.items()), dump.places
            found.config.notes += dump.notes
            found.config.warnings += dump.warnings
        if not found.flows:
            raise RccError(f"{found.config.flow_file}: found no flow, expected at least one")
        return found

    def build(self) -> Experiment:
        """Return the experiment."""
        e, config = self.experiment, self.config
        self.merge_algorithm()
        self.merge()
        self.check_algorithms()
        builder = Builder(self.given, e)
        e.name, e.seed, e.time_ns = "ns3-rdma", self.given.quantity("seed"), config.stop
        e.rate_bps = self.given.quantity("rate")
        e.interval_ns, e.guard = self.given.quantity("interval"), builder.read_guard()
        first = min(flow.start for flow in self.input.flows)
        e.window_ns = builder.read_window() or ((first, config.stop) if 0 < first < config.stop else None)
        self.add_network()
        self.add_flows()
        e.algorithms = [self.created(name) for name in self.numbers]
        self.add_marking()
        self.add_thresholds()
        self.add_markers()
        self.add_defaults()
        self.add_disturbances()
        e.captures, e.snaplen_bytes = builder.read_captures(), self.given.quantity("snaplen")
        e.recorded = ["port-log"] if self.given.flag("port-log") else []
        self.add_outputs()
        return e

    # ------------------------------------------------------------ options over files

    def set_default(self, name: str, text: str) -> None:
        """Give an option that is not given the value of the files."""
        option = self.given.options[name]
        option.text = option.initial = text
        option.check()

    def merge_algorithm(self) -> None:
        """Let what the files say of algorithms be the default of --cc, --preset and --set. A preset or a NIC that is asked for is more than
        the keys."""
        given, config = self.given, self.config
        owner = config.cc or "dcqcn"    # a CC_MODE that is not among our algorithms: what its keys set is of DCQCN still
        if not given.is_set("cc"):
            self.set_default("cc", config.cc)
        cc = given.text("cc")
        asked: Dict[str, str] = {}
        if given.is_set("nic"):
            asked["dcqcn"] = f"--nic={given.text('nic')}"
        if cc == "dcqcn" and given.is_set("nic-params") and not given.is_set("preset"):
            self.set_default("preset", "nic-default")
        if given.is_set("preset"):
            asked.setdefault(cc, f"{cc}:{given.text('preset')}")
        presets: Dict[str, str] = {}
        for name in (cc, owner, "dcqcn"):    # the flows of --choices may have these
            # Keys of dcqcn may be set beside another CC_MODE: they belong to this simulator's DCQCN.
            preset = config.preset if name == owner else "hpcc" if name == "dcqcn" and config.dcqcn else ""
            if name != cc:
                presets[name] = "" if name in asked else preset
            elif cc not in asked and preset:
                self.set_default("preset", preset)
        parameters: List[tuple] = [(of, name, value) for of, keys in (("dcqcn", config.dcqcn), (owner, config.parameters))
                                   if of not in asked for name, value in keys]
        parameters += [("dcqcn", name, value) for name, value in self.nic]
        for name in ("kmin", "kmax", "pmax"):
            if given.is_set(name) or f".{name}=" in given.text("set"):
                setattr(config, name, ())
        self.asked, self.defaults = asked, Defaults(presets, parameters)

    def merge(self) -> None:
        """Let options that are not given be as the files say; those that are override the files."""
        given, config = self.given, self.config
        for option, key, unit, value, least in (("time", "SIMULATOR_STOP_TIME", "time", config.stop, 1000),
                                                ("mtu", "PACKET_PAYLOAD_SIZE", "size", config.payload, 1),
                                                ("ack-every", "L2_ACK_INTERVAL", "count", max(config.ack_interval, 1), 1)):
            if given.is_set(option):
                continue
            most = quantity.read(unit, given.options[option].declared.high)[0]
            if option == "time":
                value = min(value, most)    # until the flows are done
            if not least <= value <= most:
                raise config.wrong(key, quantity.shown(unit, value), f"{quantity.shown(unit, least)} to {quantity.shown(unit, most)}, or "
                                   f"--{option} in place of it")
            self.set_default(option, quantity.shown(unit, value))
        config.stop, config.payload, config.ack_interval = (given.quantity(name) for name in ("time", "mtu", "ack-every"))
        config.buffer_size = given.quantity("buffer") or config.buffer_size
        config.ack_priority_at_hosts = given.text("ack-priority") == "hosts"
        outer = [link for link in self.topology.links if not (self.topology.is_switch[link.a] and self.topology.is_switch[link.b])]
        if outer:
            self.set_default("rate", quantity.shown("rate", max(link.rate for link in outer)))
            self.set_default("delay", quantity.shown("time", max(link.delay for link in outer)))

    def created(self, name: str) -> Algorithm:
        """Return an algorithm with the parameters of files and options."""
        return algorithms.create(self.given, "" if name == self.given.text("cc") else name, self.defaults)

    def check_algorithms(self) -> None:
        """Raise if no algorithm is named; note the keys that are parameters of none; number those of flows."""
        config, cc = self.config, self.given.text("cc")
        if not cc:
            notes = "".join(f"{note}; " for note in config.notes if "CC_MODE: " in note)
            raise RccError(f"{notes}expected --cc=NAME")
        used = {flow.cc or cc for flow in self.input.flows}
        if "timely" in used and config.uneven:    # --set may have other steps
            timely = self.created("timely").parameters
            if any(name != "r_min" and timely[name] != value for name, value in config.parameters):
                config.uneven = ""
        configs.note_keys(config, used, self.asked)
        self.numbers = {cc: 0}
        for flow in self.input.flows:
            self.numbers.setdefault(flow.cc or cc, len(self.numbers))

    # ------------------------------------------------------------ records

    def add_network(self) -> None:
        e, config = self.experiment, self.config
        e.nodes = [Node(kind, str(number)) for number, kind in enumerate(self.topology.kinds())]
        for link in self.topology.links:
            loss = link.error or config.error_rate * 10**9
            if loss % 10**9:
                raise RccError(f"{self.topology.path}:{link.line}: error rate: found less than 1e-9 of it, expected a multiple of 1e-9")
            e.links.append(Link(link.a, link.b, link.rate, link.delay, loss // 10**9))
        e.routes = "up-down" if self.given.text("routing") == "up-down" else "partial"
        for node in sorted({*config.pull_rate_of, *config.pulls_of, *config.rx_buffer_of, *config.rx_buffer_of_class_of,
                            *config.pull_schedule}):
            self.add_reading(node)
        e.watched = Watched(None, "")

    def add_reading(self, node: int) -> None:
        """Add how fast a host reads that has keys of its own."""
        config, e = self.config, self.experiment
        share = config.pull_rate_of.get(node, config.pull_rate)
        pulls = config.pulls_of.get(node, config.pulls)
        buffer = buffer_of(config.rx_buffer_of.get(node, config.rx_buffer), config.rx_buffer_of_class_of.get(node, buffer_of_class(config)))

        def add(name: str, value: str, at: int = 0) -> None:
            e.node_attributes.append(NodeAttribute(node, "ns3::RdmaNic", name, value, at))

        add("DrainShare", share_of(share) if pulls and share < PPB else "1")
        add("ReceiveBuffer", str(buffer))
        for at, part in config.pull_schedule.get(node, ()) if pulls else ():
            add("DrainShare", share_of(part), at)

    def classes(self) -> int:
        """Return the classes of flows, one bit each."""
        return sum(1 << cls for cls in {flow.pg for flow in self.input.flows}) or 1 << RDMA_CLASS

    def add_flows(self) -> None:
        e, config = self.experiment, self.config
        window = ("max-bdp" if config.global_window else "bdp") if config.has_window else None
        variable = config.has_window and config.variable_window
        numbers = self.numbers
        e.arrived = [Arrival(flow.src, flow.dst, flow.pg, numbers[flow.cc] if flow.cc else None, flow.bytes, flow.start, flow.stop, window,
                             variable, flow.dport) for flow in sorted(self.input.flows, key=lambda flow: flow.start)]
        for number, flow in enumerate(self.input.tcp_flows):
            e.tcp.append(Tcp(flow.src, flow.dst, TCP_FIRST_PORT + number, 1, flow.bytes, flow.start, flow.stop, True, "", ""))
        e.internet = sorted({end for flow in self.input.tcp_flows for end in (flow.src, flow.dst)})

    def add_marking(self) -> None:
        """Add the algorithm whose congestion point marks for DCTCP: there the switches of all modes mark by the same thresholds. DCTCP has
        its own K if no file and no option has thresholds, or if --set has it."""
        e, given = self.experiment, self.given
        own = [number for number, algorithm in enumerate(e.algorithms) if algorithm.core == "dctcp"]
        thresholds = any(values for _, _, values in self.config.rate_maps()) or any(map(given.is_set, algorithms.THRESHOLDS))
        if own and thresholds and not any(item.startswith("dctcp.k=") for item in given.items("set")):
            if "dcqcn" not in self.numbers:
                e.algorithms.append(self.created("dcqcn"))
            marking = self.numbers.get("dcqcn", len(e.algorithms) - 1)
            self.marking = dict.fromkeys(own, marking)

    def add_thresholds(self) -> None:
        """Add the thresholds of every link rate at a switch to the algorithms that mark."""
        e, topology = self.experiment, self.topology
        rates = dict.fromkeys(link.rate for link in topology.links if topology.is_switch[link.a] or topology.is_switch[link.b])
        for number, algorithm in enumerate(e.algorithms):
            for rate in rates:
                for key, name, thresholds in self.config.rate_maps():
                    value = find_rate(thresholds, rate)
                    if value is None or name not in algorithm.parameters:
                        continue
                    field = catalogue.cores()[algorithm.core].fields[name]
                    if not field.low <= value <= field.high:
                        raise RccError(self.config.at(key, f"{key}: {algorithm.name}.{name} is '{field.quantity(value)}', expected "
                                                      f"{field.span()}"))
                    e.at_rates.append(AtRate(number, rate, name, value))
        for number, marking in self.marking.items():    # the K of results is where marks begin
            for rate in rates:
                begins = find_rate(self.config.kmin, rate)
                e.at_rates.append(AtRate(number, rate, "k", e.algorithms[marking].parameters["kmin"] if begins is None else begins))

    def add_markers(self) -> None:
        """Choose one congestion point for ECN-capable frames and one for CN-tagged ones in each class: of the run's algorithm, else of the
        first flow's. Telemetry is beside them, and without ECN too."""
        e, config = self.experiment, self.config
        known, found = set(), []
        used = [(flow.pg, self.numbers[flow.cc] if flow.cc else 0) for flow in self.input.flows]
        for cls, number in dict.fromkeys([one for one in used if one[1] == 0] + used):
            watches = catalogue.cores()[e.algorithms[number].core].watches
            if watches == "telemetry":
                found.append(Marker(None, cls, number))
            elif config.ecn and watches != "none" and (cls, watches) not in known:
                known.add((cls, watches))
                found.append(Marker(None, cls, self.marking.get(number, number)))
        e.markers = found

    def add_defaults(self) -> None:
        """Add the attributes that keys are, between those of loss and those of --attr."""
        given, config, e = self.given, self.config, self.experiment
        found: List[Default] = []

        def add(kind: str, name: str, value: object) -> None:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            found.append(Default(f"ns3::{kind}", name, text))

        self.add_recovery(add)
        found += attributes.list_timeouts(given)
        if given.is_set("nic"):
            found += algorithms.find_nic(given).defaults
        classes = self.classes()
        control = next((cls for cls in range(CLASSES - 1, -1, -1) if not classes >> cls & 1), CLASSES - 1)   # a class without data
        lossless = classes if config.pfc else 0
        add("QbbNetDevice", "ControlClass", control)
        add("RdmaNic", "ControlClass", control)
        add("RdmaNic", "Mtu", config.payload)
        add("RdmaNic", "AckEvery", max(config.ack_interval, 1))
        add("RdmaNic", "ChunkPackets", config.chunk // config.payload)
        add("RdmaNic", "BackToZero", config.back_to_zero)
        add("RdmaNic", "AckHighPriority", config.original or config.ack_high_priority)
        add("RdmaNic", "LosslessClasses", lossless)
        add("QbbSwitch", "ControlClass", control)
        add("QbbSwitch", "LosslessClasses", lossless)
        add("QbbSwitch", "AnswersWithData", config.ack_priority_at_hosts and not config.original)
        add("QbbSwitch", "PauseTime", f"{config.pause_time}ns")
        add("QbbSwitch", "EcmpPerPacket", config.packet_ecmp)
        if config.load_balancing:    # the defaults of least-queue and flowlet are those of the fork
            add("QbbSwitch", "LoadBalancing", BALANCING[config.load_balancing])
        add("QbbSwitch", "StaticThreshold", 0 if config.dynamic_pfc else STATIC_THRESHOLD)
        self.add_buffer(add)
        if self.input.tcp_flows:
            segment = max(config.payload, TCP_HEADERS + 64) - TCP_HEADERS
            add("TcpSocket", "SegmentSize", segment)
            add("TcpSocket", "SndBufSize", attributes.SOCKET_BUFFER)
            add("TcpSocket", "RcvBufSize", attributes.SOCKET_BUFFER)
            add("ArpL3Protocol", "RequestJitter", "ns3::ConstantRandomVariable[Constant=0]")   # by default up to 10 ms, at random
        e.defaults = found + self.attributes.list_attr_defaults()

    def add_buffer(self, add) -> None:
        """Add the buffers as their simulators have them."""
        config, topology = self.config, self.topology
        if config.original and not config.buffer_size:
            self.experiment.pool = (ORIGINAL_POOL, ORIGINAL_HEADROOM)
            return
        add("QbbSwitch", "BufferSize", config.buffer_size or HPCC_BUFFER)
        if config.original:
            return
        links = [(node, link.rate) for link in topology.links for node in (link.a, link.b) if not topology.is_switch[node]]
        first = min((node for node, _ in links), default=None)    # the rate of the first host's first link
        add("QbbSwitch", "HeadroomDelays", HPCC_HEADROOM_DELAYS)
        add("QbbSwitch", "AlphaRate", f"{next((rate for node, rate in links if node == first), 0)}bps")
        add("QbbSwitch", "ResumeGap", HPCC_RESUME_OFFSET)

    def add_recovery(self, add) -> None:
        """Add what is lost, and how senders find out."""
        config, topology = self.config, self.topology
        hpcc = not config.original
        add("QbbChannel", "LosesEveryKind", True)
        add("RdmaNic", "Recovery", "irn" if config.irn else "go-back-n")
        add("RdmaNic", "NakEvery", f"{NACK_INTERVAL if hpcc else 0}ns")
        add("QbbSwitch", "LoadBalancing", "ecmp" if hpcc or config.packet_ecmp or config.flow_ecmp else "first")
        if config.pulls and config.pull_rate < PPB:
            add("RdmaNic", "DrainShare", share_of(config.pull_rate))
            add("RdmaNic", "ReceiveBuffer", buffer_of(config.rx_buffer, buffer_of_class(config)))
        loses = config.error_rate > 0 or any(link.error for link in topology.links)
        if hpcc and (not config.pfc or loses):
            add("RdmaNic", "RetransmissionTimeout", f"{L2_TIMEOUT if config.pfc else rto_high(config, topology)}ns")

    def add_disturbances(self) -> None:
        e, path = self.experiment, self.given.text("faults")
        if path:
            e.faults, e.reroute = faults.read(path, e.nodes)
            e.faults_file = path
        if self.config.link_down:
            e.link_down = self.config.link_down
            e.asked_by["link-down"].append(self.config.at("LINK_DOWN", "LINK_DOWN"))

    def rate_refusal(self, link: int, number: int, why: str) -> str:
        """Return why an algorithm cannot work at the rate of a link, both by number. `why`: what the module says."""
        row = self.topology.links[link]
        place = f"{self.topology.path}:{row.line}"
        if self.topology.is_switch[row.a] and self.topology.is_switch[row.b]:
            return f"{why} ({quantity.shown('rate', row.rate)}, {place})"
        key, least = self.least_rate(list(self.numbers)[number])
        if key and least > row.rate and "r_min=" not in self.given.text("set"):
            return f"{key}: found {quantity.shown('rate', least)}, expected at most {quantity.shown('rate', row.rate)}, the rate of a " \
                f"host's link at {place}"
        return f"{why}, of a host's link at {place}"

    def least_rate(self, cc: str) -> Tuple[str, int]:
        """Return the place and the value of an algorithm's least rate in files; "" and 0 if none has it."""
        config = self.config
        if cc == "dcqcn" and "r_min" in self.places:
            return self.places["r_min"], dict(self.nic)["r_min"]
        keys = config.parameters if cc == (config.cc or "dcqcn") else config.dcqcn
        found = dict(keys).get("r_min", 0) if cc not in self.asked and cc in (config.cc, "dcqcn") else 0
        return (config.at("MIN_RATE", "MIN_RATE"), found) if found and "MIN_RATE" in config.lines else ("", 0)

    def buffer_hint(self, least: int) -> str:
        """Return the end of a message about a switch that cannot start. `least`: bytes that it reserves."""
        mib = (least >> 20) + 1
        hpcc = not self.config.original
        return ("; that simulator reserves 3 x delay x rate for each port" if hpcc else "") + f"; expected --buffer={mib}MiB or more" + \
            (f", BUFFER_SIZE {mib}" if hpcc else "")

    def add_outputs(self) -> None:
        e, config = self.experiment, self.config
        for kind, path in (("fct", config.fct_output), ("pfc", config.pfc_output),
                           ("mix", config.trace_output if config.enable_trace and self.input.traced else "")):
            if path:
                e.outputs.append(Output(kind, path[path.rfind("/") + 1:]))
        if config.qlen_output:
            e.outputs.append(Output("qlen", config.qlen_output[config.qlen_output.rfind("/") + 1:], config.qlen_start, config.qlen_end))
        e.traced = self.input.traced


def share_of(ppb: int) -> str:
    """Return RdmaNic::DrainShare of a part of the line rate."""
    return f"{min(max(ppb, LEAST_PULL), MOST_PULL) / PPB:.17g}"


def buffer_of_class(config: Config) -> int:
    """Return RX_BUFFER_PER_QUEUE, or what it is if it is missing, bytes."""
    return config.rx_buffer // CLASSES if config.rx_buffer_of_class < 0 else config.rx_buffer_of_class


def buffer_of(everything: int, one: int) -> int:
    """Return the receive buffer: data of one class, the usual case, may fill all of it. 0 of either: no limit."""
    least = min(everything, one) if everything and one else max(everything, one)
    return least or BUFFER_MAX


def rto_high(config: Config, topology: Topology) -> int:
    """Return RTO_high of IRN (SIGCOMM 2018, section 4.1), which RoCE without PFC has there too: the longest round trip without queues, and
    what a full buffer takes on the slowest link of a switch, ns."""
    slowest = min(link.rate for link in topology.links if topology.is_switch[link.a] or topology.is_switch[link.b])
    drain = int(float(config.buffer_size or HPCC_BUFFER) * 8e9 / float(slowest))
    return longest_round_trip(topology, config.payload) + drain


def longest_round_trip(topology: Topology, frame: int) -> int:
    """Return the longest time without queues from one node to another and back, or more: twice the way from the first node to
    the one that is farthest from it, there and back, ns."""
    links: List[List[Tuple[int, int]]] = [[] for _ in topology.is_switch]
    for link in topology.links:
        time = link.delay + frame * 8 * 10**9 // link.rate
        links[link.a].append((link.b, time))
        links[link.b].append((link.a, time))
    if not topology.links:
        return 0
    far: Dict[int, int] = {}
    ready = [(0, topology.links[0].a)]
    longest = 0
    while ready:
        time, node = heapq.heappop(ready)
        if node in far:
            continue
        far[node] = longest = time
        for other, more in links[node]:
            if other not in far:
                heapq.heappush(ready, (time + more, other))
    return 4 * longest
