# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The options of `./rcc run` and `./rcc ns3-rdma`, which are the keys of an experiment file too. Those that a scenario has of its own
are in scenario_options.py."""
from __future__ import annotations

import functools
import json
import os
from typing import NamedTuple

METAVARS = {"time": "TIME", "rate": "RATE", "size": "BYTES", "ratio": "RATIO", "count": "N"}
LINE_RATE = ("1Mbps", "16Tbps")
NICS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "nics.json")


class Declared(NamedTuple):
    """One option. Of a unit: a quantity from `low` to `high`; of "choice": one of `words`; of "flag": none; of "text" and "list": as it
    is, where a list may be given several times."""
    name: str
    unit: str
    default: str
    low: str = ""
    high: str = ""
    help: str = ""
    unset: str = ""      # the behaviour without the option, as text
    metavar: str = ""
    words: tuple = ()
    fits: bool = False   # the times of its default shrink with --time
    keys: tuple = ()     # keys of an item in a file; the first one is the part before the first ":"

    def described(self) -> dict:
        """Return the declaration for help, completion and readers of options."""
        shown = self.metavar or "|".join(self.words) or METAVARS.get(self.unit, "")
        return {"name": self.name, "metavar": shown, "default": self.default, "unset": self.unset, "help": self.help,
                "flag": self.unit == "flag", "repeat": self.unit == "list"}


def flag(name: str, about: str) -> Declared:
    return Declared(name, "flag", "", help=about)


def text(name: str, metavar: str, about: str, unset: str = "", default: str = "") -> Declared:
    return Declared(name, "text", default, help=about, unset=unset, metavar=metavar)


def items(name: str, metavar: str, about: str, unset: str = "", default: str = "", keys: tuple = ()) -> Declared:
    return Declared(name, "list", default, help=about, unset=unset, metavar=metavar, keys=keys)


def choice(name: str, words: tuple, about: str) -> Declared:
    return Declared(name, "choice", words[0], help=about, words=words)


def cards() -> str:
    """List the NICs that --nic names."""
    with open(NICS, encoding="utf-8") as f:
        return ", ".join(name for name, nic in json.load(f).items() if nic["option"])


FLOW_KEYS = ("size", "start", "stop", "within", "count", "qps", "rate", "window", "messages", "depth", "think", "repeat", "every", "class",
             "dscp", "ecn", "cc", "name", "after", "needs", "delay")

# The options of an experiment, in the order of a file's keys.
NETWORK = [
    text("scenario", "NAME", "what the results call the run", default="testbed"),
    items("nodes", "NAME", "nodes in the order of their numbers, such as h[0-8],s0", "in the order of --links"),
    items("links", "A-B[*N][:RATE[:DELAY]]", "links between nodes; names that begin with h are hosts, others switches; [1-4] is a range, = "
          "pairs one by one, *N parallel links", keys=("nodes", "parallel", "rate", "delay")),
    items("flows", "A-B[:KEY=VALUE...]", "flows between hosts; keys: " + " ".join(FLOW_KEYS), keys=("hosts", *FLOW_KEYS)),
    flag("cioq", "the only switch has combined input and output queues (lab/doc/fan-in.md)"),
    flag("lossy", "switches without PFC: they drop what their buffer cannot hold"),
    items("lossless", "CLASS", "classes with PFC and ECN, e.g. 3,4; the others are dropped beyond a threshold", default="3"),
    flag("scale-thresholds", "--kmin and --kmax are for links of --rate, or the defaults for 40 Gb/s: others have them in proportion"),
    items("dscp-map", "DSCP:CLASS", "classes by DSCP in NICs and switches, e.g. 26:3,48:6 or 0-7:0; a DSCP that is not listed leaves a "
          "frame its class", "none: the DSCP is 8 x class"),
    items("strict", "CLASS", "classes with strict priority beside that of ACK, e.g. 5,6; a higher one goes first"),
    items("police", "SWITCH>NODE:RATE[:BURST]", "drop what a switch forwards to a port beyond a rate and a burst (128 KB), with neither "
          "pause nor mark"),
]
FLOWS = [
    text("arrivals", "SIZES:LOAD", "flows between random hosts in place of --flows; web-search, data-mining, fb-hadoop or a file", "none"),
    text("incasts", "SENDERS:SIZE:LOAD[:QPS]", "random hosts send to a random one at the same time, each SIZE on QPS queue pairs", "none"),
    choice("load-counts", ("wire", "payload"), "what of the hosts' links LOAD is a part of"),
    Declared("drain", "time", "1s", "0s", "1000s", "how long after --time arrived flows may still take"),
    flag("received", "when the last byte of each flow arrives, as received_s in flows.csv"),
    flag("marks", "list the packets that switches mark in marks.csv"),
    text("watch", "SWITCH>NODE", "port whose queue and utilization are reported", "the one to the first flow's receiver"),
    text("watch-as", "NAME", "what the results call that port", "switch port SWITCH>NODE"),
    items("bottlenecks", "HOST", "hosts whose ports at their switches count for the utilization", "the watched port"),
    items("record", "SWITCH>NODE", "ports in ports.csv beside the one to the first flow's receiver"),
    items("phases", "TIME:RATE", "rate of the watched port from TIME on; the first at 0s", "as its link"),
    items("steps", "SWITCH>NODE:TIME:RATE", "rate of another port from TIME on", "as its link"),
    flag("plain", "no groups.csv and ports.csv, and none of what testbeds add to run.json"),
    text("collective", "OPERATION[:KEY=VALUE...]", "all-reduce (a ring) or all-to-all of all hosts in place of --flows; keys: sync size "
         "qps gap rounds placement", "none"),
    items("lose", "HOST:PACKET", "data packets that are lost on the link that they leave a host by, by their number in their queue pair"),
    items("pause", "HOST[:KEY=VALUE...]", "hosts that emit PFC; keys: class (3), share (1) of each period, every (100us), start, stop"),
    items("tcp", "A-B[:KEY=VALUE...]", "TCP connections between hosts, which send as much as they can; keys: connections, start, cc "
          "(cubic, newreno, dctcp or bbr)", keys=("hosts", "connections", "start", "cc")),
    items("defaults", "NAME=VALUE", "other defaults of options"),
    items("base", "TYPE.NAME=VALUE", "attributes that make the scenario; --attr comes in their place"),
]
CAPTURE = [
    flag("pcap", "capture the congested switch port, the receiver and the first sender as pcap"),
    items("capture", "LIST", "capture other ports: all, hosts, switches, NODE or NODE:PORT"),
    Declared("snaplen", "size", "262144", "14B", "262144B", "bytes captured of a frame", "whole frames"),
]
EVERY_RUN = [
    text("cc", "NAME", "congestion control algorithm", default="dcqcn"),
    text("preset", "NAME", "parameter set of the algorithms (./rcc algorithms lists them)", "the first of each"),
    text("nic", "NAME", f"a NIC as it is shipped: {cards()} (lab/doc/testbed.md)", "none: --preset, and no delays"),
    Declared("rate", "rate", "40Gbps", *LINE_RATE, "rate of every link"),
    Declared("delay", "time", "1us", "0s", "1s", "propagation delay of every link"),
    Declared("time", "time", "20ms", "1us", "1000s", "simulated time"),
    text("window", "FROM-TO", "what the averages cover, e.g. 50ms-100ms", "the second half, or all if every flow ends"),
    Declared("interval", "time", "", "10ns", "1000s", "simulated time between two rows of the CSV series", "1000 to 4000 rows"),
    Declared("seed", "count", "1", "0", "999999999999999999", "random seed; the same seed gives the same bytes"),
    Declared("kmin", "size", "", "0B", "1TB", "queue where ECN marking begins, e.g. 5KB", "of the preset"),
    Declared("kmax", "size", "", "0B", "1TB", "queue where every packet is marked, e.g. 200KB", "of the preset"),
    Declared("pmax", "ratio", "", "0", "1", "marking probability just below kmax, 0 to 1", "of the preset"),
    Declared("buffer", "size", "9MB", "1KB", "1TB", "shared buffer of a switch"),
    Declared("mtu", "size", "1000", "1B", "9KB", "payload of a full packet"),
    Declared("ack-every", "count", "64", "1", "1000000", "packets per acknowledgement; 1 = one for each packet"),
    items("set", "ALG.PARAM=VALUE", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039"),
    items("attr", "TYPE.NAME=VALUE", "set one attribute of a class, e.g. QbbSwitch.EgressAlpha=2 (./rcc attributes lists them)"),
    *CAPTURE,
    choice("deadlock", ("stop", "continue"), "what follows a cycle of ports that PFC paused on one another: stop the run, with status 3, "
           "or continue"),
    Declared("storm-after", "time", "", "1us", "1000s", "warn of a queue that a pause holds for this time", "never"),
    choice("storm-action", ("report", "drop"), "what the switch does then; drop: it drops what waits there until the pause ends"),
    flag("check-invariants", "check conservation, buffers, order and rates all the time; status 1 on a violation"),
    Declared("rto", "time", "", "1us", "1000s", "retransmission timeout", "67.108864ms"),
    Declared("retry-limit", "count", "", "1", "1000000", "retransmission timeouts in a row that a flow survives, each twice as long as the "
             "one before (not with RdmaNic.Recovery=irn): the next one ends it", "none"),
    text("faults", "FILE", "faults of links, switches, hosts and frames (lab/doc/reliability.md)", "none"),
    flag("port-log", "write queue, rate and pauses of every port, for --perfetto"),
    text("out", "DIR", "folder for the results", "print the summary"),
    flag("check", "check the options and stop"),
    Declared("ranks", "count", "1", "1", "64", "processes that --check is asked about"),
    flag("progress", "print progress lines"),
]
# Retired options, which are keys of older files, and the option in their place.
RETIRED_KEYS = {"alpha": "--attr QbbSwitch.Alpha=RATIO", "bucket": "--attr RdmaNic.BucketSize=BYTES",
                "cut-through": "--attr QbbSwitch.CutThrough=BYTES", "flow-control": "--attr QbbNetDevice.LinkPause=true",
                "tcp-cc": "--tcp=A-B:cc=NAME", "tcp-mtu": "--attr QbbNetDevice.Mtu=BYTES", "verb": "--attr RdmaNic.Write=true",
                "vlan": "--attr QbbNetDevice.VlanId=N", "weights": "--attr QbbNetDevice.ClassWeights=CLASS:WEIGHT,..."}
# Retired options of single scenarios, which no file had.
RETIRED = {**RETIRED_KEYS, "bucket-rule": "--attr RdmaNic.BucketDebt=true|false", "keep-alive": "--attr CioqSwitch.KeepAlive=true",
           "ports": "--hosts", "reliable": "--attr RdmaNic.Reliable=true, or in fan-in --attr CioqSwitch.Reliable=true",
           "sources": "--senders", "starts": "--start"}
EXPERIMENT = [*NETWORK, *FLOWS, *EVERY_RUN, flag("print", "print the experiment as a file and stop")]

PARTS = {"network": NETWORK, "flows": FLOWS}

# The values of unset options come from a config of ns3-rdma.
OF_CONFIG = {"cc": "as CC_MODE says", "preset": "of the dialect: ns3-rdma, hpcc", "time": "SIMULATOR_STOP_TIME",
             "window": "from the first flow's start on", "buffer": "BUFFER_SIZE", "mtu": "PACKET_PAYLOAD_SIZE",
             "ack-every": "L2_ACK_INTERVAL", "kmin": "of the config", "kmax": "of the config", "pmax": "of the config"}
OF_TOPOLOGY = ("rate", "delay")   # the program derives these from the topology
NS3_RDMA = [
    text("config", "FILE", "configuration file of ns3-rdma or of the HPCC simulator", default="config.txt"),
    text("dialect", "NAME", "original (ns3-rdma) or hpcc (HPCC and its forks)", "by the keys of the config"),
    text("topology", "FILE", "another topology.txt", "TOPOLOGY_FILE of the config"),
    text("flows", "FILE", "another flow.txt, as ./rcc generate workload writes it", "FLOW_FILE of the config"),
    text("nic-params", "FILE", "parameters by the names of a NIC's settings"),
    text("choices", "FILE", "algorithm of single flows: default CC, node N CC, flow N CC"),
    choice("routing", ("shortest", "up-down"), "shortest: all shortest paths; up-down: paths that have no cyclic buffer dependency, some "
           "longer"),
    choice("ack-priority", ("everywhere", "hosts"), "where ACK_HIGH_PRIO 1 holds; hosts: not in switches, as in the HPCC simulator"),
    *(option._replace(default="", unset=OF_CONFIG[option.name]) if option.name in OF_CONFIG else option
      for option in EVERY_RUN if option.name not in OF_TOPOLOGY),
]


@functools.lru_cache(maxsize=None)
def of_program(name: str) -> list:
    """List the options of a program, as described() has them; of an unknown one none."""
    return [option.described() for option in {"experiment": EXPERIMENT, "ns3-rdma": NS3_RDMA}.get(name, [])]


def of_parts(parts: tuple) -> list:
    """List the options of every run and of some parts of an experiment, as of_program() has them."""
    others = {option.name for name, part in PARTS.items() if name not in parts for option in part}
    return [option for option in of_program("experiment") if option["name"] not in others]
