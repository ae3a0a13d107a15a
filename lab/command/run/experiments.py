# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The experiments of scenarios: a scenario's own options become nodes, links and flows, the keys of the program `experiment`
(lab/doc/testbed.md). Options that are not a scenario's own are passed on."""
from __future__ import annotations

from typing import Callable, Dict, NamedTuple

from . import networks, options, scenario_options, specs
from .networks import star
from .scenario_options import Values, for_people, smallest
from .. import units

PROGRAM = "experiment"


class Made(NamedTuple):
    """The words of an experiment, and notes about defaults that were changed."""
    words: list
    notes: list


class Maker(NamedTuple):
    """The rule by which a scenario's own options become an experiment."""
    own: list            # list of options.Declared
    make: Callable       # Values -> words
    defaults: Dict[str, str] = {}   # defaults of the program's options
    shown: Dict[str, str] = {}      # texts of help in place of these defaults
    parts: tuple = ()               # groups of the program's options that users may give
    hidden: tuple = ()              # options of every run that mean nothing here
    named: Dict[str, str] = {}      # options and attributes that errors call by the scenario's own option


def ending(values: Values) -> str:
    """Return the key for the size of flows that end."""
    return f":size={values.text['size']}" if values["size"] else ""


def flag(value) -> str:
    """Format a flag as an attribute's value."""
    return "true" if value else "false"


def no_effect(values: Values, names: tuple, beside: str, idle: bool) -> None:
    """Note options without effect beside another one; that is no error, as they may have an effect at other points of a sweep."""
    values.notes += [f"rcc: note: --{name} has no effect with --{beside}" for name in names if idle and name in values.given]


# ---------------------------------------------------------------- one switch

def incast(values: Values) -> list:
    senders = values["senders"]
    link = f":rate={values.text['receiver-rate']}" if values["receiver-rate"] else ""
    networks.senders_bound(values, min(senders, values["flows"]), values["receiver-rate"] or networks.rate(values))
    return star(senders, link) + \
        [f"--flows=h[0-{senders - 1}]=h{senders}:count={values['flows']}:within={values.start()}{ending(values)}"]


def convergence(values: Values) -> list:
    starts = values.times("start")
    n = len(starts)
    networks.senders_bound(values, n, networks.rate(values))
    return star(n) + ["--flows=" + ",".join(f"h{i}-h{n}:start={start}{ending(values)}" for i, start in enumerate(starts))]


def capacity(values: Values) -> list:
    senders = values["senders"]
    items = values.items("capacity")
    values.fail_if(not items, "capacity", "TIME:RATE such as 0s:0.95Gbps")
    preset = ["--preset=netfpga-1g"] if values.get_other("cc") == "qcn" and "nic" not in values.others else []
    return star(senders, sender_link=f":delay={values['rtt'] // 2}ns") + preset + \
        ["--lossy", f"--phases={','.join(items)}",
         "--base=RdmaNic.BucketSize=3000,RdmaNic.BucketDebt=true,RdmaNic.Reliable=false",
         f"--flows=h[0-{senders - 1}]-h{senders}:within={values.start()}"]


# ---------------------------------------------------------------- several switches

def clos(values: Values) -> list:
    if values["topology"] == "fat-tree":
        net, senders = networks.fat_tree(values)
    else:
        networks.only_with(values, ("k", "cores"), "fat-tree")
        net = networks.leaf_spine(values)
        senders = values["senders"] or net.hosts - net.target
        networks.check_hosts(values, senders, (net.hosts - net.target, net.target),
                             f"--racks={values.text['racks']} --hosts-per-rack={values.text['hosts-per-rack']}")
    receivers, first = values["receivers"], net.hosts - net.target
    step = net.target // receivers
    to = f"h[{first}-{first + (receivers - 1) * step}/{step}]"
    flows = values["flows"] or senders
    return net.words + networks.watched(values, net, min(senders, flows), min(receivers, flows)) + \
        [f"--bottlenecks={to}", "--plain", f"--flows=h[0-{senders - 1}]~{to}:count={flows}:within={values.start()}{ending(values)}"]


def workload(values: Values) -> list:
    if values["topology"] == "star":
        networks.only_with(values, ("racks", "hosts-per-rack", "spines", "oversubscription", "core-rate"), "leaf-spine")
        hosts, switch = values["hosts"], "s0"
        made = [f"--nodes=h[0-{hosts - 1}],s0", f"--links=h[0-{hosts - 1}]-s0"]
    elif values["topology"] == "fat-tree":
        networks.only_with(values, ("racks", "hosts-per-rack", "spines", "oversubscription"), "leaf-spine")
        values.fail_if("hosts" in values.given, "hosts", "only with --topology=star; the fat tree has 320")
        hosts, switch, made = 320, "e0", networks.hpcc_fat_tree(values)
    else:
        net = networks.leaf_spine(values)
        values.fail_if("hosts" in values.given, "hosts", "only with --topology=star; a leaf-spine network has racks x hosts-per-rack")
        hosts, switch, made = net.hosts, "l0", net.words
    return made + [f"--arrivals={values.text['sizes']}:{values.text['load']}", f"--drain={values.text['drain']}", "--plain",
                   f"--bottlenecks=h[0-{hosts - 1}]", f"--watch={switch}>h0", "--watch-as=switch port to host 0"]


# ---------------------------------------------------------------- one switch with combined queues

def fan_in(values: Values) -> list:
    ports = values["hosts"]
    flows = [port_flow(values, item) for item in values.items("flows")]
    values.fail_if(not flows, "flows", "SRC:DST[:RATE[:START[:STOP]]]")
    steps = []
    for item in values.items("capacity"):
        part = item.split(":")
        values.item_fail_if(len(part) != 3, "capacity", item, "PORT:TIME:RATE")
        in_field(values, "capacity", item, "rate", part[2], options.LINE_RATE[0], values.get_other("rate"))
        steps.append(f"s0>h{port(values, 'capacity', item, part[0])}:{part[1]}:{part[2]}")
    no_effect(values, ("sampling",), "cp=none", values["cp"] == "none")
    switch = {"CongestionPoints": values["cp"].capitalize(), "Sampling": values["sampling"].capitalize()}
    preset = ["--preset=ibm-10g"] if values.get_other("cc") == "qcn" and "nic" not in values.others else []
    congested = flows[0].partition(":")[0].partition("-")[2]
    return preset + \
        [f"--nodes=h[0-{ports - 1}],s0", f"--links=h[0-{ports - 1}]-s0", "--cioq", "--flows=" + ",".join(flows),
         "--base=QbbNetDevice.InterframeGap=20," + ",".join(f"CioqSwitch.{name}={value}" for name, value in switch.items()),
         f"--watch=s0>{congested}", f"--watch-as=output buffer of port {congested[1:]}", *([f"--steps={','.join(steps)}"] if steps else [])]


def in_field(values: Values, name: str, item: str, kind: str, text: str, low: str, high: str) -> None:
    """Check that a field of an item is a quantity from `low` to `high`."""
    found, least, most = (smallest(kind, one) for one in (text, low, high))
    whole = f"{item}': '{text}"
    values.item_fail_if(found is None, name, whole, units.UNITS[kind][1])
    values.item_fail_if(least is not None and most is not None and not least <= found <= most, name, whole, f"{low} to {high}")


def port(values: Values, name: str, item: str, text: str) -> int:
    found = smallest("count", text)
    values.item_fail_if(found is None or found >= values["hosts"], name, f"{item}': '{text}", f"0 to {values['hosts'] - 1}")
    return found or 0


def port_flow(values: Values, item: str) -> str:
    """Convert SRC:DST[:RATE[:START[:STOP]]] into an item of --flows."""
    part = item.split(":")
    values.item_fail_if(not 2 <= len(part) <= 5, "flows", item, "SRC:DST[:RATE[:START[:STOP]]]")
    source, destination = (port(values, "flows", item, text) for text in part[:2])
    values.item_fail_if(source == destination, "flows", item, "two different ports: source and destination are the same port")
    rate, begin, end = (part[2:] + ["", "", ""])[:3]
    if rate:
        in_field(values, "flows", item, "rate", rate, *options.LINE_RATE)
    if begin:
        in_field(values, "flows", item, "time", begin, "0s", for_people((values.time() or 1) - 1))
    if end:
        in_field(values, "flows", item, "time", end, for_people((smallest("time", begin) or 0) + 1), "1000s")
    keys = [f":{name}={text}" for name, text in zip(("rate", "start", "stop"), part[2:]) if text]
    return f"h{source}-h{destination}" + "".join(keys)


# ---------------------------------------------------------------- networks of the user

LINKS = "h1=t1,h2=t2,h3=t3,h4=t4,h5=t4,t[1-2]-l[1-2],t[3-4]-l[3-4],l[1-4]-s[1-2]"
RACKS = "h[0-15]=t[0-3],t[0-3]-s[0-3]"


def testbed(values: Values) -> list:
    flows = [] if {"arrivals", "incasts"} & set(values.others) else ["--flows=h[1-4]-h5"]
    return [f"--links={LINKS}", *flows]


def collective(values: Values) -> list:
    keys = "".join(f":{name}={values.text[name]}" for name in ("sync", "size", "qps", "gap", "rounds", "placement"))
    return [f"--links={RACKS}", f"--collective={values['operation']}{keys}", "--scale-thresholds"]


WATCHED = ("deadlock", "storm-after", "storm-action")     # pauses of switches with a shared buffer

MAKERS: Dict[str, Maker] = {
    "incast": Maker(scenario_options.INCAST, incast, {"time": "0.6s"}),
    "convergence": Maker(scenario_options.CONVERGENCE, convergence, {"time": "0.6s"}),
    "capacity": Maker(scenario_options.CAPACITY, capacity,
                      {"cc": "qcn", "delay": "1us", "rate": "1Gbps", "time": "10s", "buffer": "150KB", "mtu": "1434"},
                      {"preset": "netfpga-1g for qcn", "delay": "1us, of the receiver's link", "buffer": "150KB, the output queue",
                       "mtu": "1434, a frame of 1500"}, named={"phases": "capacity"}, hidden=WATCHED),
    "clos": Maker(scenario_options.CLOS, clos, {"time": "0.4s"}),
    "workload": Maker(scenario_options.WORKLOAD, workload, {"rate": "10Gbps", "time": "1s"}, named={"arrivals": "sizes"}),
    "fan-in": Maker(scenario_options.FAN_IN, fan_in, {"cc": "qcn", "rate": "10Gbps", "delay": "100ns", "time": "300ms", "mtu": "1456"},
                    {"preset": "ibm-10g of qcn; ibm-100g is for --rate=100Gbps", "mtu": "1456, with QCN's tag a frame of 1522 bytes"},
                    hidden=("buffer", "kmin", "kmax", "pmax", *WATCHED),
                    named={"steps": "capacity", "CioqSwitch.CongestionPoints": "cp", "CioqSwitch.Sampling": "sampling"}),
    "testbed": Maker([], testbed, {"time": "20ms", "mtu": "1024"}, {"links": LINKS, "flows": "h[1-4]-h5"}, ("network", "flows")),
    "collective": Maker(scenario_options.COLLECTIVE, collective, {"rate": "100Gbps", "time": "1s", "mtu": "4096"}, {"links": RACKS},
                        ("network",), ("flows",)),
}


# ---------------------------------------------------------------- any of them

def program(name: str) -> str:
    """Return the program that runs a scenario's program of this name."""
    return PROGRAM if name in MAKERS else name


def make(name: str, words: list) -> Made:
    """Make the experiment of a scenario's options. `words`: --NAME=VALUE of the scenario and of the program. Raises RccError."""
    words = specs.once(words)
    if name not in MAKERS:
        return Made(words, [])
    maker = MAKERS[name]
    mine = {option.name: option for option in maker.own}
    given: Dict[str, str] = {}
    rest = []
    for word in words:
        key, equal, value = word[2:].partition("=")
        if word.startswith("--") and key in mine:
            given[key] = value if equal else "yes"
        else:
            rest.append(word)
    others = {word[2:].partition("=")[0]: word.partition("=")[2] for word in rest if word.startswith("--")}
    values = Values(maker.own, given, others, maker.defaults)
    made = maker.make(values)
    taken = {word.partition("=")[0] for word in rest}
    defaults = ",".join(f"{key}={value}" for key, value in maker.defaults.items())
    made = [f"--scenario={name}", *([f"--defaults={defaults}"] if defaults else []), *made]
    return Made([*rest, *(word for word in made if word.partition("=")[0] not in taken)], values.notes)


def named(name: str) -> Dict[str, str]:
    """Return the scenario's own option for each option and attribute that the scenario makes of it."""
    return MAKERS[name].named if name in MAKERS else {}


def words(name: str, options: list) -> list:
    """Return the options of the program that runs a scenario."""
    return make(name, options).words
