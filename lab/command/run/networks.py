# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The networks of scenarios as nodes and links of an experiment: star, fat tree, leaf and spine."""
from __future__ import annotations

from typing import NamedTuple

from .scenario_options import Values, smallest
from ..common import RccError, si_rate

SENDERS = 1900   # the senders of the DCQCN+ paper, 19 pods of 100 hosts


class Net(NamedTuple):
    """The facts of a network that an incast needs. Host h is on edge switch h / hosts_per_edge."""
    words: list
    hosts: int
    hosts_per_edge: int
    target: int       # hosts of a rack or pod, of which the last one receives
    core_rate: int    # rate of all links from core switches to the receivers' rack or pod, bit/s
    core_port: str    # port to there from the first core switch
    core_name: str
    up_port: str      # port from the first rack or pod to the first core switch; its links carry core_rate too
    up_name: str
    edge: str         # first letter of edge switches


def rate(values: Values) -> int:
    """Return --rate in bit/s; 0 if it is wrong, which the program reports."""
    return smallest("rate", values.get_other("rate") or "40Gbps") or 0


def star(senders: int, receiver_link: str = "", sender_link: str = "") -> list:
    """Return a network with all hosts on one switch in their order; the last one receives."""
    return [f"--nodes=h[0-{senders}],s0", f"--links=h[0-{senders - 1}]-s0{sender_link},h{senders}-s0{receiver_link}",
            f"--watch=s0>h{senders}", "--watch-as=switch port to the receiver", "--plain"]


def fit_to_pods(values: Values) -> None:
    """Adapt the defaults, which are for 20 pods, to another number of pods."""
    k = values["k"]
    per_pod, every = k * k // 4, (k - 1) * k * k // 4
    for name, wrong, value, what in (
            ("senders", every < SENDERS, every, "all hosts of all pods but the last"),
            ("receivers", per_pod < values["receivers"], per_pod, "all hosts of the last pod"),
            ("cores", values["cores"] % (k // 2) != 0, k // 2, "k/2")):
        if name not in values.given and wrong:
            values.value[name], values.text[name] = value, str(value)
            values.notes.append(f"rcc: note: --{name} is {value} here: {what}")


def check_hosts(values: Values, senders: int, most: tuple, network: str) -> None:
    if senders > most[0] or values["receivers"] > most[1]:
        raise RccError(f"--senders is '{senders}' and --receivers '{values.text['receivers']}', expected at most {most[0]} and {most[1]} "
                       f"with {network}")


def only_with(values: Values, names: tuple, topology: str) -> None:
    """Refuse options of another network."""
    for name in names:
        values.fail_if(name in values.given, name, f"only with --topology={topology}")


def fat_tree(values: Values) -> tuple:
    """Return a Net and its number of senders."""
    only_with(values, ("racks", "hosts-per-rack", "spines", "oversubscription"), "leaf-spine")
    k = values["k"]
    values.fail_if(k % 2 != 0, "k", "an even number")
    fit_to_pods(values)
    half, cores = k // 2, values["cores"]
    values.fail_if(cores % half != 0, "cores", f"a multiple of k/2 = {half}")
    per_pod = half * half
    senders = values["senders"] or SENDERS
    check_hosts(values, senders, ((k - 1) * per_pod, per_pod), f"--k={k}")
    hosts, switches, up = k * per_pod, k * half, cores // half
    fast = f":rate={values.text['core-rate']}" if values["core-rate"] else ""
    links = [f"h[0-{hosts - 1}]=e[0-{switches - 1}]"]
    for first in range(0, switches, half):
        links.append(f"e[{first}-{first + half - 1}]-a[{first}-{first + half - 1}]")
        links += [f"a{first + a}-c[{a * up}-{a * up + up - 1}]{fast}" for a in range(half)]
    words = [f"--nodes=h[0-{hosts - 1}],e[0-{switches - 1}],a[0-{switches - 1}],c[0-{cores - 1}]", "--links=" + ",".join(links)]
    return Net(words, hosts, half, per_pod, cores * (values["core-rate"] or rate(values)), f"c0>a{(k - 1) * half}",
               "core switch 0, port to the receivers' pod", "a0>c0", "aggregation switch 0, port to core switch 0", "e"), senders


def hpcc_fat_tree(values: Values) -> list:
    """Y. Li et al., "HPCC", SIGCOMM 2019, section 5.1: 20 racks of 16 hosts, five pods of four racks and four aggregation switches, 16
    cores; links between switches are four times as fast as those of hosts."""
    fast = f":rate={values['core-rate'] or 4 * rate(values)}bps"
    links = ["h[0-319]=e[0-19]"]
    for first in range(0, 20, 4):
        links.append(f"e[{first}-{first + 3}]-a[{first}-{first + 3}]{fast}")
        links += [f"a{first + i}-c[{4 * i}-{4 * i + 3}]{fast}" for i in range(4)]
    return ["--nodes=h[0-319],e[0-19],a[0-19],c[0-15]", "--links=" + ",".join(links)]


def leaf_spine_rate(values: Values) -> int:
    """Return the rate of a link between leaf and spine, bit/s."""
    if values["oversubscription"] is None:
        return values["core-rate"] or rate(values)
    if values["core-rate"]:
        raise RccError(f"--core-rate is '{values.text['core-rate']}' and --oversubscription '{values.text['oversubscription']}', "
                       "expected one of them: each follows from the other")
    found = values["hosts-per-rack"] * rate(values) // values["spines"] * 1000 // (values["oversubscription"] // 10**6)
    if not 10**6 <= found <= 16 * 10**12:
        raise RccError(f"--oversubscription is '{values.text['oversubscription']}', which makes a core rate of {found} bit/s, expected "
                       "1Mbps to 16Tbps")
    return found


def leaf_spine(values: Values) -> Net:
    racks, per_rack, spines = values["racks"], values["hosts-per-rack"], values["spines"]
    fast = leaf_spine_rate(values)
    hosts = racks * per_rack
    words = [f"--nodes=h[0-{hosts - 1}],l[0-{racks - 1}],s[0-{spines - 1}]",
             f"--links=h[0-{hosts - 1}]=l[0-{racks - 1}],l[0-{racks - 1}]-s[0-{spines - 1}]:rate={fast}bps"]
    return Net(words, hosts, per_rack, per_rack, spines * fast, f"s0>l{racks - 1}", "spine switch 0, port to the receivers' rack",
               "l0>s0", "leaf switch 0, port to spine switch 0", "l")


def watched(values: Values, net: Net, senders: int, receivers: int) -> list:
    """Return the words for the port of an incast's queue: the last port on the way at which more arrives than leaves. Senders fill racks
    or pods from the first one on. Without such a port it is the receiver's."""
    own, (full, rest) = rate(values), divmod(senders, net.target)
    first = net.hosts - net.target
    stages = ((full * min(net.target * own, net.core_rate) + min(rest * own, net.core_rate), net.up_port, net.up_name),
              (net.core_rate, net.core_port, net.core_name),
              (receivers * own, f"{net.edge}{first // net.hosts_per_edge}>h{first}", "edge switch port to receiver 0"))
    arriving, found = senders * own, None
    for able, port, name in stages:
        if able < arriving:
            arriving, found = able, (port, name)
    if not found:
        senders_bound(values, senders, arriving)
    port, name = found or stages[-1][1:]
    return [f"--watch={port}", f"--watch-as={name}"]


def senders_bound(values: Values, senders: int, able: int) -> None:
    """Add a note if no switch port is the bottleneck. `able`: the rate that the network carries to the receivers, bit/s."""
    together = senders * rate(values)
    if together <= able:
        values.notes.append(f"rcc: note: the senders' links, {si_rate(together)} together, are the bottleneck: queues at switches are "
                            "short, if there are any")
