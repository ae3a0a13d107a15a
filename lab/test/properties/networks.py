# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Random networks and flows, and what must hold of them under every algorithm, with all invariants checked:

    determinism     the same files and seed give the same results
    idle-host       a host more, which nobody talks to, changes nothing else
    idle-flow       a flow more, which begins after the end, changes nothing else
    other-island    a second network without a link to the first changes nothing in it
    relabelled      other node ids change the names of the nodes, and nothing else
    scaled          rates divided and times multiplied by 8 give completion times multiplied by 8
    lossy           links lose frames of every kind, from 1e-4 to 0.3 of them: every flow ends, each packet is delivered once, and
                    the same seed gives the same results, with go-back-N, selective repeat and IRN in turn

The draws of switches and queue pairs follow from node ids. Where a property changes ids, the network is a tree and marks at one
threshold, so that no draw decides anything. qcn samples at random, and is left out there."""
from __future__ import annotations

import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from typing import Callable, Dict, List, NamedTuple, Tuple

from command.common import ROOT

sys.path.append(os.path.join(ROOT, "lab", "test"))
import program  # noqa: E402


def listed() -> List[str]:
    """Every algorithm of the core."""
    with open(os.path.join(ROOT, "core", "cc", "algorithms.def"), encoding="utf-8") as f:
        return [name.replace("_", "-") for name in re.findall(r"^RCC_ALGORITHM\((\w+)\)", f.read(), re.MULTILINE)]


ALGORITHMS = listed()
WORDS = {cc: ("--buffer=9MB",) for cc in ("hpcc", "powertcp")}   # frames with telemetry need more headroom than the files leave
BASE_RTT = ("--attr=RdmaNic.BaseRtt=40us",)   # the default is the longest path of all hosts, which one more host would change
STOP = 0.02         # simulated seconds
SCALE = 8
TOLERANCE = 0.03    # for scaled networks: times are whole nanoseconds, which orders frames that meet


class Link(NamedTuple):
    a: int
    b: int
    gbps: float
    us: float


class Flow(NamedTuple):
    src: int
    dst: int
    packets: int
    start_us: float


class Network(NamedTuple):
    nodes: int
    switches: List[int]
    links: List[Link]
    flows: List[Flow]
    threshold: bool      # marks at one threshold

    def config(self) -> str:
        marks = "KMAX 20\nKMIN 20\nPMAX 1\n" if self.threshold else "KMAX 80\nKMIN 8\nPMAX 0.2\n"
        return ("ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_LEVEL_ECMP 0\nFLOW_LEVEL_ECMP 1\nPAUSE_TIME 5\n"
                "PACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nSEND_IN_CHUNKS 0\nL2_ACK_INTERVAL 1\n"
                f"SIMULATOR_STOP_TIME {STOP}\n{marks}")

    def topology(self) -> str:
        rows = [f"{self.nodes} {len(self.switches)} {len(self.links)}", " ".join(map(str, self.switches))]
        return "\n".join(rows + [f"{k.a} {k.b} {k.gbps:g}Gbps {k.us:g}us 0" for k in self.links]) + "\n"

    def flow_file(self) -> str:
        rows = [f"{f.src} {f.dst} 3 {f.packets} {f.start_us / 1e6:.9f} 9.5" for f in self.flows]
        return "\n".join([str(len(rows)), *rows]) + "\n"


def make(chance: random.Random, tree: bool, first: int = 0) -> Network:
    """Hosts come before switches. `first`: the first node's id."""
    n_switches, n_hosts = chance.randint(1, 5), chance.randint(2, 10)
    hosts = list(range(first, first + n_hosts))
    switches = list(range(first + n_hosts, first + n_hosts + n_switches))
    core = chance.choice([25, 40, 100])
    links = [Link(s, chance.choice(switches[:i]), core, chance.choice([0.5, 1, 5])) for i, s in enumerate(switches) if i]
    if not tree:
        taken = {frozenset(link[:2]) for link in links}
        for pair in [chance.sample(switches, 2) for _ in range(chance.randint(0, n_switches)) if n_switches > 1]:
            if frozenset(pair) not in taken:  # a second link between two nodes: see with_paths
                taken.add(frozenset(pair))
                links.append(Link(*pair, core, 1))
    links += [Link(h, chance.choice(switches), chance.choice([10, 10, 25, 40]), chance.choice([0.5, 1, 2])) for h in hosts]
    flows = []
    for _ in range(chance.randint(1, 16)):
        src, dst = chance.sample(hosts, 2)
        flows.append(Flow(src, dst, chance.choice([1, 2, 10, 50, 200, 500]), round(chance.uniform(0, 60), 3)))
    return Network(n_hosts + n_switches, switches, links, flows, tree)


LOSSES = ["1e-4", "0.001", "0.01", "0.05", "0.3"]
MANY = 0.05              # the share of losses from which flows are short
RECOVERIES = ["go-back-n", "selective", "irn"]


class Lossy(Network):
    """A network whose links lose frames."""
    loss = "0"

    def config(self) -> str:
        return Network.config(self) + f"ERROR_RATE_PER_LINK {self.loss}\n"


class Result(NamedTuple):
    flows: List[dict]     # rows of flows.csv
    run: dict

    def times(self) -> List[tuple]:
        """Return the results of each flow, without names of nodes."""
        return [(row["start_s"], row["size_bytes"], row["delivered_bytes"], row["fct_s"]) for row in self.flows]


class Failure(Exception):
    """A property that does not hold, or a run that failed."""


def simulate(build: str, net: Network, cc: str, more: Tuple[str, ...] = ()) -> Result:
    """Run a network with every invariant on. `build`: folder of the programs."""
    with tempfile.TemporaryDirectory(prefix="rcc-property-") as folder:
        program.write_files(folder, {"config.txt": net.config(), "topology.txt": net.topology(), "flow.txt": net.flow_file()})
        interval = [] if any(word.startswith("--interval=") for word in more) else ["--interval=100us"]
        words = ["--config=config.txt", f"--cc={cc}", "--check-invariants", "--deadlock=continue", *interval, "--out=out",
                 *WORDS.get(cc, ()), *more]
        done = program.run("ns3-rdma", words, folder, build=build)
        if done.returncode:
            raise Failure(f"status {done.returncode}: {done.stderr.strip()[:2000]}")
        with open(os.path.join(folder, "out", "flows.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        with open(os.path.join(folder, "out", "run.json"), encoding="utf-8") as f:
            run = json.load(f)
    for key in ("wall_s", "peak_rss_bytes"):
        run.pop(key)
    return Result(rows, run)


def equal(what: str, before: list, after: list) -> None:
    """Compare flow by flow."""
    for i, (old, new) in enumerate(zip(before, after)):
        if old != new:
            raise Failure(f"{what}: flow {i} was {old} and is {new}")
    if len(before) != len(after):
        raise Failure(f"{what}: {len(before)} flows became {len(after)}")


# Each property makes a network, and checks it under one algorithm.

RULES = ["ecmp", "weighted", "round-robin", "random", "weighted-random", "least-queue", "flowlet", "3:weighted-flowlet"]


def with_paths(net: Network, seed: int) -> Tuple[Network, Tuple[str, ...]]:
    """A network with a second link here and there, and options: a rule that chooses paths, trimming or none."""
    chance = random.Random(f"paths {seed}")
    more = [link for link in net.links if link.a in net.switches and link.b in net.switches and chance.random() < 0.5]
    words = [f"--attr=QbbSwitch.LoadBalancing={chance.choice(RULES)}",
             f"--attr=QbbSwitch.FlowletGap={chance.choice(['200ns', '2us'])}", f"--attr=QbbSwitch.BalancingMemory={chance.randint(0, 2)}"]
    if chance.random() < 0.5:
        words += [f"--attr=QbbSwitch.TrimSize={chance.choice([64, 128])}", "--attr=QbbSwitch.TrimThreshold=15000"]
    return net._replace(links=[*net.links, *more]), tuple(words)


def determinism(build: str, seed: int, cc: str) -> None:
    net = make(random.Random(seed), tree=False)
    first, second = simulate(build, net, cc), simulate(build, net, cc)
    equal("a second run", [first.flows, first.run], [second.flows, second.run])
    net, words = with_paths(net, seed)
    first, second = simulate(build, net, cc, words), simulate(build, net, cc, words)
    equal("a second run", [first.flows, first.run], [second.flows, second.run])


def idle_host(build: str, seed: int, cc: str) -> None:
    chance = random.Random(seed)
    net = make(chance, tree=False)
    more = net._replace(nodes=net.nodes + 1, links=[*net.links, Link(net.nodes, chance.choice(net.switches), 10, 1)])
    equal("an idle host", simulate(build, net, cc, BASE_RTT).times(), simulate(build, more, cc, BASE_RTT).times())


def idle_flow(build: str, seed: int, cc: str) -> None:
    chance = random.Random(seed)
    net = make(chance, tree=False)
    src, dst = net.flows[0].src, net.flows[0].dst
    more = net._replace(flows=[*net.flows, Flow(src, dst, 10, 1e6 * STOP + 1)])
    # a run ends when its flows have ended; an idle flow holds it up to its end
    equal("an idle flow", simulate(build, net, cc).times(), simulate(build, more, cc).times()[:len(net.flows)])


def other_island(build: str, seed: int, cc: str) -> None:
    chance = random.Random(seed)
    net = make(chance, tree=False)
    other = make(chance, tree=False, first=net.nodes)
    both = net._replace(nodes=net.nodes + other.nodes, switches=net.switches + other.switches, links=net.links + other.links,
                        flows=net.flows + other.flows)
    alone = simulate(build, net, cc, BASE_RTT)
    rows = [row for row in simulate(build, both, cc, BASE_RTT).flows if int(row["src"]) < net.nodes]
    equal("an island more", alone.times(), Result(rows, {}).times())


def relabelled(build: str, seed: int, cc: str) -> None:
    if cc == "qcn":
        return
    chance = random.Random(seed)
    net = make(chance, tree=True)
    new = list(range(net.nodes))
    chance.shuffle(new)
    other = net._replace(switches=[new[s] for s in net.switches], links=[Link(new[k.a], new[k.b], k.gbps, k.us) for k in net.links],
                         flows=[f._replace(src=new[f.src], dst=new[f.dst]) for f in net.flows])
    equal("other names", simulate(build, net, cc).times(), simulate(build, other, cc).times())


def scaled(build: str, seed: int, cc: str) -> None:
    """Only without congestion control: the others have times and rates of their own, which are parameters."""
    if cc != "none":
        return
    chance = random.Random(seed)
    net = make(chance, tree=True)
    net = net._replace(flows=[f._replace(packets=max(f.packets, 50)) for f in net.flows])
    slow = net._replace(links=[k._replace(gbps=k.gbps / SCALE, us=k.us * SCALE) for k in net.links],
                        flows=[f._replace(start_us=f.start_us * SCALE) for f in net.flows])

    def last(result: Result) -> float:
        return max(float(row["start_s"]) + float(row["fct_s"]) for row in result.flows)

    before, after = last(simulate(build, net, cc)), last(simulate(build, slow, cc, (f"--time={STOP * SCALE}s",)))
    if abs(after / before / SCALE - 1) > TOLERANCE:
        raise Failure(f"scaled by {SCALE}: the last flow ended at {before} s and then at {after} s")


def lossy(build: str, seed: int, cc: str) -> None:
    chance = random.Random(f"lossy {seed}")
    net = make(chance, tree=False)
    loss, recovery = LOSSES[seed % len(LOSSES)], RECOVERIES[seed % len(RECOVERIES)]
    if float(loss) >= MANY:
        net = net._replace(flows=[f._replace(packets=min(f.packets, 20)) for f in net.flows])
    some = Lossy(*net)
    some.loss = loss
    words = (f"--attr=RdmaNic.Recovery={recovery}", "--rto=300us", "--time=9s", "--interval=10ms")
    first, second = simulate(build, some, cc, words), simulate(build, some, cc, words)
    equal("a second run", [first.flows, first.run], [second.flows, second.run])
    what = f"loss {loss}, {recovery}"
    for i, row in enumerate(first.flows):
        if row["delivered_bytes"] != row["size_bytes"] or not row["fct_s"]:
            raise Failure(f"{what}: flow {i} has {row['delivered_bytes']} of {row['size_bytes']} bytes after 9 s")
    packets, run = sum(f.packets for f in net.flows), first.run
    if run["packets_delivered"] != packets or run["packets_sent"] != packets + run.get("packets_repeated", 0):
        raise Failure(f"{what}: of {packets} packets {run['packets_sent']} were sent, {run.get('packets_repeated', 0)} of them again, "
                      f"and {run['packets_delivered']} delivered")


PROPERTIES: Dict[str, Callable[[str, int, str], None]] = {
    "determinism": determinism, "idle-host": idle_host, "idle-flow": idle_flow, "other-island": other_island, "relabelled": relabelled,
    "scaled": scaled}


def check(build: str, seed: int) -> List[str]:
    """One network number under every algorithm: each property that its turn is, all six within six numbers; invariants always.
    Returns what does not hold."""
    names = list(PROPERTIES)
    found = []
    for i, cc in enumerate(ALGORITHMS):
        name = "scaled" if cc == "none" and seed % 6 == 5 else names[(seed + i) % 5]
        try:
            PROPERTIES[name](build, seed, cc)
        except (Failure, subprocess.TimeoutExpired) as failure:
            found.append(f"network {seed}, {cc}, {name}: {failure}")
    try:
        cc = ALGORITHMS[seed // 15 % len(ALGORITHMS)]    # after all losses with all recoveries
        lossy(build, seed, cc)
    except (Failure, subprocess.TimeoutExpired) as failure:
        found.append(f"network {seed}, {cc}, lossy: {failure}")
    return found
