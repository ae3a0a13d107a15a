# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The experiment that the options of a command or a file describe (lab/doc/testbed.md)."""
from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from . import algorithms, arrivals, attributes, faults, flows, names, network
from .option_values import Given
from .model import CLASSES, LINE_RATE, RDMA_CLASS, TIME_MAX, Algorithm, AtRate, Capture, Collective, Experiment, Group, Guard, Lost, \
    Marker, Pause, Policer, Port, RateStep, Tcp, Watched
from .network import Network
from .quantity import read, read_whole, shown
from .refusal import Refusal, Statement, read_field, refuse_item, refuse_value
from ..common import si_bytes, si_rate

POLICED_BURST = "128KB"
BURST_MAX = 1 << 30
SECOND = 10**9
RATE_40G, OF_40G = 40 * 10**9, {"kmin": 5000, "kmax": 200_000}     # bytes; SIGCOMM 2015, table 14
NONE_BESIDE_PLAIN = "none beside --plain, --collective and --cioq"
SCALED = "{}: kmin, kmax: {} and {} are for {}, scaled to {} and {} at {}"
TCP_FORM = "A-B[:connections=..:start=..:cc=..]"
TCP_KEYS = {"connections": flows.Key("count", 1, 1, 10_000), "start": flows.Key("time", 0, 0, TIME_MAX), "cc": flows.Key("word", "")}
TCP_TYPES = {"cubic": "ns3::TcpCubic", "newreno": "ns3::TcpLinuxReno", "dctcp": "ns3::TcpDctcp", "bbr": "ns3::TcpBbr"}
TCP_FIRST_PORT = 5001
PAUSE_FORM = "HOST[:class=..:share=..:every=..:start=..:stop=..]"
PAUSE_KEYS = {"class": flows.Key("count", RDMA_CLASS, 0, CLASSES - 1), "share": flows.Key("ratio", SECOND, 1, SECOND),
              "every": flows.Key("time", 100_000, 1000, TIME_MAX), "start": flows.Key("time", 0, 0, TIME_MAX),
              "stop": flows.Key("time", None, 0, TIME_MAX)}
COLLECTIVE_FORM = "all-reduce or all-to-all, then :KEY=VALUE of sync size qps gap rounds placement"
COLLECTIVE_KEYS = {"sync": flows.Key("word", "barrier"), "size": flows.Key("size", 16_000_000, 1, 1000 * SECOND),
                   "qps": flows.Key("count", 1, 1, 1024), "gap": flows.Key("time", 0, 0, SECOND),
                   "rounds": flows.Key("count", 1, 1, 1_000_000), "placement": flows.Key("word", "across")}


class Builder:
    """Reads the options of one experiment."""

    def __init__(self, given: Given, experiment: Optional[Experiment] = None):
        self.given = given
        self.experiment = experiment or Experiment()
        self.network = Network()
        self.attributes = attributes.Attributes(given)
        self.named: Dict[str, int] = {}     # numbers of the flows' algorithms
        self.cioq = "cioq" in given.options and given.flag("cioq")
        self.items: List[flows.Item] = []   # the items of --flows
        self.receiver = 0                   # host whose port is watched
        self.has_classes = False            # a flow has a class or DSCP of its own
        self.has_received = False           # somebody asks when last bytes arrive

    def build(self) -> Experiment:
        """Return the experiment. Raises RccError for the first thing that is wrong."""
        self.read_run()
        self.read_network()
        self.read_flows()
        self.read_watched()
        self.read_disturbances()
        self.read_outputs()
        return self.experiment

    # ------------------------------------------------------------ the run

    def read_run(self) -> None:
        given, e = self.given, self.experiment
        e.name, e.seed = given.text("scenario"), given.quantity("seed")
        e.time_ns, e.rate_bps = given.quantity("time"), given.quantity("rate")
        e.algorithms.append(algorithms.create(given))
        e.window_ns = self.read_window()
        e.interval_ns = given.quantity("interval")
        if e.interval_ns is not None and e.interval_ns > e.time_ns:
            refuse_value("interval", given.text("interval"), f"at most --time, '{given.text('time')}'")
        if given.is_set("arrivals") or given.is_set("incasts"):
            e.drain_ns = given.quantity("drain")
        e.guard = self.read_guard()

    def read_window(self) -> Optional[Tuple[int, int]]:
        """Read --window=FROM-TO, ns."""
        text = self.given.text("window")
        if not text:
            return None
        first, dash, last = text.partition("-")
        (begin, wrong), (end, bad) = read("time", first), read("time", last)
        if not dash or wrong or bad:
            refuse_value("window", text, "FROM-TO such as 50ms-100ms")
        if begin >= end or end > self.experiment.time_ns:
            refuse_value("window", text, f"FROM before TO and TO at most --time, '{self.given.text('time')}'")
        return begin, end

    def read_guard(self) -> Guard:
        given = self.given
        after, drops = given.quantity("storm-after"), given.text("storm-action") == "drop"
        if drops and after is None:
            refuse_value("storm-action", "drop", "--storm-after with it")
        return Guard(given.text("deadlock") == "stop" and not drops, after, drops, given.flag("check-invariants"))

    # ------------------------------------------------------------ the network

    def read_network(self) -> None:
        given, e = self.given, self.experiment
        self.network = network.read(given.items("links"), given.items("nodes"), given.quantity("rate"), given.quantity("delay"),
                                    "cioq" if self.cioq else "switch")
        if not any(map(given.is_set, ("arrivals", "incasts", "collective"))):
            self.items = flows.read_items(given.items("flows"), flows.read_dscp_map(given.items("dscp-map")), self.network.number)
            e.waits = flows.read_waits(self.items)
        self.refuse_idle()
        lossless = self.read_classes("lossless")
        e.nodes, e.links = self.network.nodes, self.network.links
        if self.cioq and sum(node.kind == "cioq" for node in e.nodes) > 1:
            refuse_value("links", given.text("links"), "one switch with --cioq")
        e.defaults = self.attributes.defaults(e.algorithms[0], lossless, self.read_classes("strict"))
        if not self.cioq:
            e.markers = [Marker(None, cls, 0) for cls in [*(cls for cls in lossless if cls != RDMA_CLASS), RDMA_CLASS]]
        e.policers = self.read_policers()
        if given.flag("scale-thresholds"):
            e.at_rates = self.scaled_thresholds(e.algorithms[0])

    def read_classes(self, option: str) -> list:
        """List the classes of an option, each once."""
        found: List[int] = []
        for item in self.given.items(option):
            cls = read_field(option, item, "count", item, 0, CLASSES - 1)
            if cls in found:
                refuse_item(option, item, "each class once")    # two congestion points would mark twice
            found.append(cls)
        return found

    def refuse_idle(self) -> None:
        """Refuse options that have no effect beside others: the user expects an effect."""
        given = self.given

        def refuse_if(wrong: bool, name: str, expected: str) -> None:
            if wrong:
                refuse_value(name, given.text(name), expected)

        plain = given.flag("plain") or given.is_set("collective") or self.cioq
        for name in ("record", "tcp", "lose", "pause"):
            refuse_if(plain and given.is_set(name), name, NONE_BESIDE_PLAIN)
        if plain and given.flag("marks"):
            raise Statement("marks", f"--marks is given, expected {NONE_BESIDE_PLAIN}")
        arrive = given.is_set("arrivals") or given.is_set("incasts")
        for name in ("drain", "load-counts"):
            refuse_if(not arrive and given.is_given(name), name,
                      "none beside --collective" if given.is_set("collective") else "none beside --flows")
        refuse_if(self.cioq and given.is_changed("buffer"), "buffer", "none beside --cioq")
        for name in ("kmin", "kmax", "pmax", "deadlock", "storm-after", "storm-action"):
            refuse_if(self.cioq and given.is_given(name), name, "none beside --cioq")
        for item in self.attributes.items if self.cioq else ():
            if item.type == "ns3::QbbSwitch":
                refuse_item("attr", item.text, "none beside --cioq")
        lossy = given.flag("lossy")
        if self.cioq and lossy:
            raise Statement("lossy", "--lossy is given, expected none beside --cioq")
        refuse_if(lossy and given.is_given("lossless") and given.text("lossless") == "3", "lossless",
                  "none beside --lossy, or classes that are marked too")
        for name in ("deadlock", "storm-after", "storm-action"):
            refuse_if(lossy and given.is_given(name), name, "none beside --lossy: nothing is paused")
        link_pause = self.attributes.find("QbbNetDevice.LinkPause")
        if lossy and link_pause and not (given.is_set("faults") or given.is_set("pause")):
            refuse_item("attr", link_pause.text, "none beside --lossy: nothing is paused")

    def read_policers(self) -> list:
        """List the policers of --police, SWITCH>NODE:RATE[:BURST]."""
        found: List[Policer] = []
        seen = set()
        for item in self.given.items("police"):
            part = item.split(":")
            if ">" not in part[0] or len(part) not in (2, 3):
                refuse_item("police", item, "SWITCH>NODE:RATE[:BURST]")
            rate = read_field("police", item, "rate", part[1], *LINE_RATE)
            burst = read_field("police", item, "size", (part + [POLICED_BURST])[2], 1, BURST_MAX)
            for port, name in self.network.ports("police", part[0]):
                if self.cioq:
                    refuse_item("police", item, "no --cioq beside it")
                if name in seen:
                    refuse_item("police", item, "each port once")
                seen.add(name)
                found.append(Policer(port, rate, burst))
        return found

    def scaled_thresholds(self, algorithm: Algorithm) -> list:
        """List --kmin and --kmax in proportion for ports whose rate is not --rate. Without both, thresholds of 40 Gb/s that the algorithm
        has by default are scaled."""
        given, usual = self.given, self.given.quantity("rate")
        values = {name: given.quantity(name) for name in ("kmin", "kmax") if given.is_set(name)}
        if not values and {name: algorithm.parameters.get(name) for name in OF_40G} == OF_40G:
            values, usual = OF_40G, RATE_40G
        found: Dict[tuple, AtRate] = {}
        switches = {number for number, node in enumerate(self.network.nodes) if node.kind != "host"}
        rates = [link.rate_bps for link in self.network.links if link.a in switches or link.b in switches]
        for rate in dict.fromkeys(rates):
            for name, value in values.items():
                if rate != usual and name in algorithm.parameters:
                    scaled = int(float(value) * (float(rate) / float(usual)))
                    found[rate, name] = AtRate(0, rate, name, scaled)
        if values is OF_40G:
            for rate in dict.fromkeys(at.rate_bps for at in found.values()):
                self.experiment.notes.append(SCALED.format(algorithm.name, *map(si_bytes, OF_40G.values()), si_rate(RATE_40G),
                                                           *(si_bytes(found[rate, name].value) for name in OF_40G), si_rate(rate)))
        return list(found.values())

    # ------------------------------------------------------------ flows

    def algorithm_of(self, name: str) -> Optional[int]:
        """Return the number of a flow's own algorithm; None for the run's."""
        if not name:
            return None
        if name not in self.named:
            self.named[name] = len(self.experiment.algorithms)
            self.experiment.algorithms.append(algorithms.create(self.given, name))
        return self.named[name]

    def read_flows(self) -> None:
        given, e = self.given, self.experiment
        random = given.is_set("arrivals") or given.is_set("incasts")
        listed = not random and not given.is_set("collective")
        if not listed and given.flag("received"):
            raise Statement("received", "--received needs --flows")
        if given.is_set("collective"):
            self.refuse_changed_flows("--collective")
            e.collective = self.read_collective()
        elif random:
            self.refuse_changed_flows("--arrivals and --incasts")
            if len(self.network.hosts()) < 2:
                option = "arrivals" if given.is_set("arrivals") else "incasts"
                raise Statement(option, "--arrivals and --incasts need two hosts in --links")
            e.arrivals = arrivals.read_arrivals(given, self.network)
            e.incasts = arrivals.read_incasts(given, self.network)
        else:
            self.read_listed()

    def refuse_changed_flows(self, beside: str) -> None:
        if self.given.is_changed("flows"):
            refuse_value("flows", self.given.text("flows"), f"none beside {beside}")

    def read_listed(self) -> None:
        """Add the flows of --flows."""
        given, e, items = self.given, self.experiment, self.items
        if not items:
            raise Statement("flows", "--flows is empty, expected A-B[:KEY=VALUE...]")
        for item in items:
            algorithm = self.algorithm_of(item["cc"])
            e.groups += [Group(name, tuple(records)) for name, records in flows.groups(item, self.network.number, algorithm)]
        self.receiver = self.network.number[items[0].pairs[0][1]]
        self.has_classes = any(key in item.text for item in items for key in (":class=", ":dscp="))
        self.has_received = given.flag("received") or any(one.received for wait in e.waits for one in wait.after)

    def read_collective(self) -> Collective:
        """Read --collective, OPERATION[:KEY=VALUE...]."""
        text = self.given.text("collective")
        operation = text.partition(":")[0]
        keys = flows.read_keys("collective", text, COLLECTIVE_KEYS, COLLECTIVE_FORM)
        for wrong, expected in ((operation not in ("all-reduce", "all-to-all"), COLLECTIVE_FORM),
                                (keys["sync"] not in ("barrier", "data"), "sync=barrier or data"),
                                (keys["placement"] not in ("across", "within"), "placement=across or within")):
            if wrong:
                refuse_item("collective", text, expected)
        hosts = self.network.hosts()
        if len(hosts) < 2:
            raise Statement("collective", "--collective needs two hosts in --links")
        ranks = self.ranks_across(hosts) if keys["placement"] == "across" else hosts
        return Collective(operation, keys["sync"], keys["size"], keys["qps"], keys["gap"], keys["rounds"], tuple(ranks))

    def ranks_across(self, hosts: list) -> list:
        """Order hosts so that neighbours are on different switches: one of each switch in turn."""
        by_switch: Dict[int, list] = {}
        for host in hosts:
            by_switch.setdefault(self.network.first_switch(host), []).append(host)
        longest = max(map(len, by_switch.values()))
        return [members[turn] for turn in range(longest) for members in by_switch.values() if turn < len(members)]

    # ------------------------------------------------------------ what is watched, and rates that change

    def read_watched(self) -> None:
        given, e = self.given, self.experiment
        if e.collective or e.arrivals or e.incasts:
            self.receiver = self.network.hosts()[0]
        watch = given.text("watch")
        port, name = (self.network.ports("watch", watch) if watch else self.network.ports_to_host(self.receiver))[0]
        kind = "host" if e.nodes[port.node].kind == "host" else "switch"
        e.watched = Watched(port, given.text("watch-as") or f"{kind} port {name}")
        for host in (host for item in given.items("bottlenecks") for host in names.expand_names("bottlenecks", item)):
            e.bottlenecks += [one for one, _ in self.network.ports_to_host(self.network.host("bottlenecks", host))]
        e.phases = self.read_phases()
        e.steps = self.read_steps()
        if not (given.flag("plain") or e.collective or self.cioq):
            recorded = dict((name, one) for item in given.items("record") for one, name in self.network.ports("record", item))
            recorded.setdefault(name, port)
            e.recorded_ports = [(one, its) for its, one in recorded.items()]

    def read_rate(self, option: str, item: str, text: str) -> int:
        """Read a rate of a list's item, at most --rate."""
        value, expected = read("rate", text)
        if expected or not LINE_RATE[0] <= value <= self.given.quantity("rate"):
            refuse_item(option, item, f"{shown('rate', LINE_RATE[0])} to --rate, '{self.given.text('rate')}'")
        return value

    def read_phases(self) -> list:
        """List the rates of the watched port, TIME:RATE."""
        found: List[RateStep] = []
        for item in self.given.items("phases"):
            part = item.split(":")
            at, wrong = read("time", part[0])
            for bad, expected in ((len(part) != 2 or wrong, "TIME:RATE such as 2s:0.2Gbps"), (not found and at != 0, "0s for the first"),
                                  (found and at <= found[-1].at_ns, "a time after the one before"),
                                  (at >= self.experiment.time_ns, f"a time before --time, '{self.given.text('time')}'")):
                if bad:
                    refuse_item("phases", item, expected)
            found.append(RateStep(None, at, self.read_rate("phases", item, part[1])))
        return found

    def read_steps(self) -> list:
        """List the rates of other ports, SWITCH>NODE:TIME:RATE."""
        found: List[RateStep] = []
        for item in self.given.items("steps"):
            part = item.split(":")
            if len(part) != 3:
                refuse_item("steps", item, "SWITCH>NODE:TIME:RATE")
            at = read_field("steps", item, "time", part[1], 0, TIME_MAX)
            rate = self.read_rate("steps", item, part[2])
            steps = [RateStep(port, at, rate) for port, _ in self.network.ports("steps", part[0])]
            self.experiment.asked_by["rate"] += [f"--steps={item}"] * len(steps)
            found += steps
        return found

    # ------------------------------------------------------------ what disturbs hosts and links

    def read_disturbances(self) -> None:
        e = self.experiment
        e.losses = self.read_losses()
        e.pauses = self.read_pauses()
        e.tcp = self.read_tcp()
        e.internet = self.network.hosts() if e.tcp else []
        path = self.given.text("faults")
        if path:
            e.faults, e.reroute = faults.read(path, e.nodes)
            e.faults_file = path

    def read_losses(self) -> list:
        """List the packets of --lose, HOST:PACKET."""
        found: List[Lost] = []
        for item in self.given.items("lose"):
            host, _, number = item.partition(":")
            packet = read_whole(number, 2**32 - 1)
            if packet is None:
                refuse_item("lose", item, "HOST:PACKET")
            if self.given.is_set("faults"):
                refuse_value("lose", self.given.text("lose"), "none beside --faults")
            found.append(Lost(self.network.host("lose", host), packet))
        return found

    def read_pauses(self) -> list:
        """List the hosts of --pause that emit PFC."""
        found: List[Pause] = []
        for item in self.given.items("pause"):
            node = self.network.host("pause", item.partition(":")[0])
            keys = flows.read_keys("pause", item, PAUSE_KEYS, PAUSE_FORM)
            self.experiment.asked_by["pause"].append(f"--pause={item}")
            found.append(Pause(node, keys["class"], keys["share"], keys["every"], keys["start"], keys["stop"]))
        return found

    def read_tcp(self) -> list:
        """List the connections of --tcp; each pair of hosts has a port of the receiver."""
        found: List[Tcp] = []
        for item in self.given.items("tcp"):
            keys = flows.read_keys("tcp", item, TCP_KEYS, TCP_FORM)
            own = keys["cc"] or not self.attributes.find("TcpL4Protocol.SocketType")
            control = self.tcp_type(item, keys["cc"] or "cubic") if own else ""
            pairs = names.expand_flows("tcp", item.partition(":")[0])
            self.experiment.asked_by["tcp"] += [f"--tcp={item}"] * len(pairs)
            if len(found) + len(pairs) > 65535 - TCP_FIRST_PORT:
                refuse_item("tcp", item, f"at most {65535 - TCP_FIRST_PORT} pairs of hosts in all")
            for a, b in pairs:
                found.append(Tcp(self.network.host("tcp", a), self.network.host("tcp", b), TCP_FIRST_PORT + len(found),
                                 keys["connections"], 0, keys["start"], None, False, control, f"{a}-{b}"))
        return found

    @staticmethod
    def tcp_type(item: str, name: str) -> str:
        """Return ns-3's type of a control of TCP."""
        if name not in TCP_TYPES:
            refuse_item("tcp", item, f"cc= one of {', '.join(TCP_TYPES)}, which this ns-3 has")
        return TCP_TYPES[name]

    # ------------------------------------------------------------ outputs

    def read_outputs(self) -> None:
        given, e = self.given, self.experiment
        e.captures = self.read_captures()
        e.snaplen_bytes = given.quantity("snaplen")
        testbed = not (given.flag("plain") or e.collective or self.cioq)
        for what, wanted in (("testbed", testbed), ("classes", testbed and self.has_classes), ("marks", testbed and given.flag("marks")),
                             ("received", self.has_received), ("port-log", given.flag("port-log")), ("cioq", self.cioq)):
            if wanted:
                e.recorded.append(what)
        if not testbed:
            e.groups = [Group("", group.flows) for group in e.groups]

    def read_captures(self) -> list:
        """List the ports of --pcap and --capture, each once."""
        given = self.given
        wanted = given.flag("pcap") or given.is_set("capture")
        if not wanted and given.is_given("snaplen"):
            refuse_value("snaplen", given.text("snaplen"), "--pcap or --capture with it")
        if not wanted:
            return []
        if not given.text("out"):
            option = "pcap" if given.flag("pcap") else "capture"
            raise Statement(option, f"--{option} needs --out")
        if not given.is_set("capture"):
            return [Capture("watched", "switch-port"), Capture("receiver", "receiver"), Capture("sender", "sender-0")]
        found: Dict[Port, str] = {}
        for word in given.items("capture"):
            ports = self.captured(word)
            if not ports:
                raise Refusal("capture", "has", word, f", but there is no such port: nodes are 0 to {len(self.experiment.nodes) - 1}")
            for port in ports:
                found.setdefault(port, f"node-{port.node}-port-{port.port}")
        return [Capture(port, file) for port, file in found.items()]

    def captured(self, word: str) -> list:
        """List the ports that one word of --capture names."""
        node, colon, port = word.partition(":")
        numbers = [read_whole(text, 2**32 - 1) for text in ((node, port) if colon else (node,))]
        hosts, switches = word in ("all", "hosts"), word in ("all", "switches")
        if not hosts and not switches and None in numbers:
            refuse_item("capture", word, "all, hosts, switches, NODE or NODE:PORT")
        every = [Port(number, index) for number, ends in enumerate(self.experiment.neighbours()) for index in range(len(ends))]
        if hosts or switches:
            return [one for one in every if (hosts if self.experiment.nodes[one.node].kind == "host" else switches)]
        return [one for one in every if one.node == numbers[0] and (not colon or one.port == numbers[1])]


def build(given: Given) -> Experiment:
    """Return the experiment of options. Raises RccError with the place of the first thing that is wrong."""
    try:
        return Builder(given).build()
    except Refusal as refusal:
        raise given.place(refusal) from refusal
