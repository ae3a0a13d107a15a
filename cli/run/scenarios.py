# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The scenarios that `./rcc run` knows, as data: a new one is one entry in SCENARIOS."""
from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """One option of a scenario's program. Values are passed on as typed; the program judges them."""
    name: str
    metavar: str
    default: str   # what the program does without it, in words or as a value
    help: str
    flag: bool = False
    repeat: bool = False  # may be given several times; joined with commas for the program


class Scenario(NamedTuple):
    name: str
    program: str
    title: str
    about: str
    algorithms: list
    options: list
    examples: list


COMMON = [
    Option("preset", "NAME", "the first, paper", "parameter set of the algorithms (./rcc algorithms lists them)"),
    Option("rate", "RATE", "40Gbps", "rate of every link"),
    Option("delay", "TIME", "1us", "propagation delay of every link"),
    Option("time", "TIME", "0.4s", "simulated time"),
    Option("window", "FROM-TO", "the second half, or all if every flow ends",
           "what the averages cover, e.g. 50ms-100ms"),
    Option("start", "TIME", "0.1s", "flows start uniformly at random in [0, TIME]"),
    Option("seed", "N", "1", "random seed; the same seed gives the same bytes"),
    Option("kmin", "BYTES", "of the preset", "queue where ECN marking begins, e.g. 5KB"),
    Option("kmax", "BYTES", "of the preset", "queue where every packet is marked, e.g. 200KB"),
    Option("pmax", "RATIO", "of the preset", "marking probability just below kmax, 0 to 1"),
    Option("buffer", "BYTES", "9MB", "shared buffer of the switch"),
    Option("mtu", "BYTES", "1000", "payload of a full packet"),
    Option("ack-every", "N", "64", "packets per acknowledgement; 1 = one for each packet"),
    Option("set", "ALG.PARAM=VALUE", "", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039; repeatable",
           repeat=True),
]

# what is on the wire, and what is captured of it: doc/pcap.md
CAPTURE = [
    Option("pcap", "", "", "capture the congested switch port, the receiver and the first sender as pcap", flag=True),
    Option("capture", "LIST", "", "capture other ports: all, hosts, switches, NODE or NODE:PORT, separated by commas"),
    Option("snaplen", "BYTES", "whole frames", "bytes captured of a frame"),
    Option("vlan", "ID", "none", "802.1Q tag of all frames: this VLAN id, 0 to 4094, and the class as priority"),
    Option("verb", "NAME", "send", "send, or write: RDMA WRITE, whose first packets have a RETH"),
    Option("flow-control", "NAME", "pfc", "pfc, or pause: PAUSE frames of 802.3x, which stop all classes"),
]
COMMON += CAPTURE


def common(**defaults: str) -> list:
    """COMMON with other defaults, as the scenario's program has them."""
    return [option._replace(default=defaults.get(option.name, option.default)) for option in COMMON]


LEAF_SPINE = [
    Option("racks", "N", "4", "leaf-spine: racks, each with one leaf switch"),
    Option("hosts-per-rack", "N", "16", "leaf-spine: hosts of a rack"),
    Option("spines", "N", "4", "leaf-spine: spine switches, each connected to every leaf"),
    Option("core-rate", "RATE", "--rate", "rate of the links between leaf and spine, or aggregation and core"),
    Option("oversubscription", "RATIO", "of the rates", "leaf-spine: a rack's rate of hosts over that to the spines, in "
           "place of --core-rate"),
]

SCENARIOS = {s.name: s for s in [
    Scenario(
        name="incast",
        program="incast",
        title="N flows from several senders to one receiver through one switch",
        about="The incast of the DCQCN+ paper (ICNP 2018): 8 senders, 1 receiver, one switch, 2000 flows that start\n"
              "within 0.1 s and send as much as they can; each algorithm runs on its own, results side by side.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        options=[
            Option("flows", "N", "2000", "number of flows, spread evenly over the senders"),
            Option("senders", "N", "8", "number of sending hosts"),
            Option("receiver-rate", "RATE", "as --rate",
                   "rate of the receiver's link, e.g. 10Gbps behind senders of 100Gbps"),
            Option("size", "BYTES", "0", "bytes per flow, 0 = without end; flows that end have their FCT reported"),
        ] + COMMON,
        examples=[
            ("./rcc run incast", "the paper's incast under DCQCN, DCQCN+ and QCN"),
            ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=160 --rate=10Gbps", "two algorithms, a smaller incast"),
            ("./rcc run incast --size=1MB --flows=200", "flows of 1 MB each; reports flow completion times"),
            ("./rcc run incast --kmin=5KB --kmax=2000KB --pmax=0.1 --flows=10", "another marking profile"),
            ("./rcc run incast --cc=dcqcn --set dcqcn.g=0.015625 --out=out/g64", "one parameter changed"),
        ]),
    Scenario(
        name="clos",
        program="clos",
        title="incast through a CLOS network of three levels",
        about="Figure 9 of the DCQCN+ paper (ICNP 2018): a fat tree of 20 pods with 10 core switches, 2410 nodes;\n"
              "1900 hosts of 19 pods send to 10 hosts of the last pod. Takes minutes per algorithm.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        options=[
            Option("topology", "NAME", "fat-tree", "fat-tree, or leaf-spine with the options that name it"),
            Option("k", "N", "20", "pods; each has N/2 edge switches with N/2 hosts"),
            Option("cores", "N", "10", "core switches, a multiple of k/2"),
            Option("senders", "N", "1900", "sending hosts, from the first on; leaf-spine: all racks but the last"),
            Option("receivers", "N", "10", "receiving hosts, spread over the last pod or rack"),
            Option("flows", "N", "one per sender", "flows in all"),
            Option("size", "BYTES", "0", "bytes per flow, 0 = without end; flows that end have their FCT reported"),
        ] + LEAF_SPINE + COMMON,
        examples=[
            ("./rcc run clos --topology=leaf-spine --oversubscription=4 --time=0.1s", "64 hosts in 4 racks, 4:1"),
            ("./rcc run clos --cc=dcqcn-plus", "the paper's CLOS under DCQCN+"),
            ("./rcc run clos --k=8 --cores=16 --senders=100 --receivers=4 --time=0.05s --start=10ms", "a small one"),
        ]),
    Scenario(
        name="convergence",
        program="convergence",
        title="flows that start one after the other share one port",
        about="Figure 8 of the DCQCN+ paper (ICNP 2018): three flows from three hosts start at 0, 0.1 and 0.3 s; the\n"
              "per-flow rates show how each algorithm makes room.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        options=[
            Option("starts", "LIST", "0s,0.1s,0.3s", "start of each flow, separated by commas; one sender per flow"),
            Option("size", "BYTES", "0", "bytes per flow, 0 = without end; flows that end have their FCT reported"),
        ] + [option for option in COMMON if option.name != "start"],
        examples=[
            ("./rcc run convergence --time=0.6s", "the paper's three flows"),
            ("./rcc run convergence --rate=10Gbps --starts=0s,20ms,40ms,60ms --time=0.1s", "four flows at 10 Gb/s"),
        ]),
    Scenario(
        name="capacity",
        program="capacity",
        title="a few sources share one port whose service rate drops and comes back",
        about="Section 4 of the QCN paper on NetFPGA: up to 8 sources with delay lines on 1 Gb/s links, one output\n"
              "queue of 150 KB without PFC, served at 0.95 Gb/s, at 0.2 Gb/s for 3.7 s, and at 0.95 Gb/s again.",
        algorithms=["qcn"],
        options=[
            Option("sources", "N", "8", "number of sending hosts, one flow each"),
            Option("capacity", "TIME:RATE", "0s:0.95Gbps,2s:0.2Gbps,5.7s:0.95Gbps",
                   "service rate of the output from TIME on; repeatable, the first at 0s", repeat=True),
            Option("rtt", "TIME", "100us", "round trip from a source to the switch and back, by the delay of its link"),
            Option("bucket", "BYTES", "3KB", "depth of a source's token bucket, 0 = exact pacing"),
            Option("bucket-interval", "TIME", "16us", "time between its tokens, which are of whole bytes"),
            Option("bucket-rule", "RULE", "debt",
                   "debt: a frame leaves at the first token; frame: when all its tokens are there"),
            Option("reliable", "", "", "go-back-N in place of datagrams that are sent once", flag=True),
        ] + common(preset="netfpga-1g for qcn", rate="1Gbps", delay="1us, of the receiver's link", time="10s",
                   start="1ms", buffer="150KB, the output queue", mtu="1434, a frame of 1500"),
        examples=[
            ("./rcc run capacity", "8 sources, a round trip of 100 us"),
            ("./rcc run capacity --sources=1 --rtt=1ms", "one source, a long round trip"),
            ("./rcc run capacity --capacity=0s:0.9Gbps --capacity=1s:0.5Gbps --time=2s", "other service rates"),
        ]),
    Scenario(
        name="workload",
        program="workload",
        title="flows of realistic sizes between all hosts, arriving at random",
        about="Figure 11 of the DCQCN+ paper (ICNP 2018): 9 hosts on one switch, 10 Gb/s, load 0.8; flows of web search or\n"
              "data mining sizes arrive as a Poisson process and end. Reports completion times and slowdowns by size.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        options=[
            Option("hosts", "N", "9", "hosts, all of which send and receive"),
            Option("topology", "NAME", "star", "star (all hosts on one switch), or leaf-spine"),
            Option("pattern", "NAME", "all-to-all", "every flow from a random host to a random other one"),
            Option("sizes", "NAME", "web-search", "web-search, data-mining, or a file (doc/workload.md)"),
            Option("load", "RATIO", "0.8", "of the hosts' links that the flows take, headers included"),
            Option("drain", "TIME", "10s", "how long after --time flows may still take to end"),
        ] + LEAF_SPINE + [option for option in common(rate="10Gbps", time="1s") if option.name != "start"],
        examples=[
            ("./rcc run workload --cc=dcqcn,dcqcn-plus", "the paper's web search workload"),
            ("./rcc run workload --sizes=data-mining --seed=2", "the other one, other flows"),
            ("./rcc run workload --sizes=sizes.txt --load=0.5 --hosts=32 --time=0.1s", "sizes of your own"),
        ]),
    Scenario(
        name="fan-in",
        program="fan-in",
        title="QCN at the inputs or the outputs of a combined input/output-queued switch",
        about="The fan-in of \"Unbiased QCN for Scalable Server-Fabrics\" (IBM RZ 3880): full-rate flows from several\n"
              "inputs to one output; the fifth is active from 100 to 200 ms. doc/fan-in.md has every figure's command.",
        algorithms=["qcn"],
        options=[
            Option("cp", "WHERE", "inputs", "congestion points: none, outputs, inputs or both"),
            Option("sampling", "HOW", "arrival", "whom they notify: arrival, deterministic or random (by occupancy)"),
            Option("keep-alive", "", "", "clock the congestion point of an input that pauses its upstream", flag=True),
            Option("reliable", "", "", "inputs keep a copy of a frame until it is on the outgoing link", flag=True),
            Option("flow", "SRC:DST[:RATE[:START[:STOP]]]", "0:5,1:5,2:5,3:5,4:5::100ms:200ms",
                   "a flow between two ports; without RATE as fast as possible; repeatable", repeat=True),
            Option("capacity", "PORT:TIME:RATE", "", "RATE of the switch's link to PORT from TIME on; repeatable",
                   repeat=True),
            Option("ports", "N", "8", "ports of the switch, with a host each"),
            Option("speedup", "N", "1.6", "rate at which an input enters the fabric, in rates of its port"),
            Option("latency", "TIME", "1us", "latency of the fabric"),
            Option("cnm-delay", "TIME", "2.4us", "from a sample to its notification; the limiter's reaction time"),
            Option("input-buffer", "BYTES", "150KB", "input buffer of a port"),
            Option("output-buffer", "BYTES", "150KB", "output buffer of a port"),
            Option("stop", "BYTES", "110KB", "input occupancy that pauses the upstream"),
            Option("go", "BYTES", "44KB", "input occupancy that resumes it"),
            Option("preset", "NAME", "ibm-10g of qcn", "parameter set of the algorithm; ibm-100g for --rate=100Gbps"),
            Option("rate", "RATE", "10Gbps", "rate of every link"),
            Option("delay", "TIME", "100ns", "propagation delay of every link"),
            Option("time", "TIME", "300ms", "simulated time"),
            Option("mtu", "BYTES", "1456", "payload of a packet; with QCN's tag 1456 is a frame of 1522 bytes"),
        ] + [option for option in COMMON if option.name in ("seed", "ack-every", "window", "set")] + CAPTURE,
        examples=[
            ("./rcc run fan-in --cp=outputs", "standard QCN: congestion points at the outputs"),
            ("./rcc run fan-in --cp=inputs", "the report's: at the inputs"),
            ("./rcc run fan-in --sampling=random --flow=0:5:3Gbps --flow=0:6:7Gbps --flow=1:5 --flow=2:5 --flow=3:5",
             "a victim, from port 0 to port 6"),
            ("./rcc run fan-in --flow=0:5 --capacity=5:10ms:1Gbps --sampling=random --keep-alive", "a capacity step"),
        ]),
]}
