# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each rule about networks holds for each source of a network. A cell of the table asserts the effect of a rule for a source, or says in
one word why the case does not occur there."""
import json
import random
import re
import unittest
from typing import NamedTuple

from support import RccTest, needs_programs

import program
from command import units
from command.common import RccError, si_time
from command.experiment import network
from command.experiment.paths import Paths
from command.traces.step import LATENCY

CONFIG = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nPACKET_PAYLOAD_SIZE 1000\n"
HPCC = CONFIG + "ENABLE_QCN 1\nCC_MODE 1\nHAS_WIN 0\nL2_CHUNK_SIZE 4000\nBUFFER_SIZE 32\n"
ORIGINAL = CONFIG + "ENABLE_QCN 1\nCNP_INTERVAL 50\nSEND_IN_CHUNKS 0\nFLOW_LEVEL_ECMP 1\nSIMULATOR_STOP_TIME 9\n"


class Net(NamedTuple):
    """A network: hosts are 0 to hosts - 1, then the switches inside servers, then the others."""
    hosts: int
    nvswitches: int
    switches: int
    links: list     # (node, node, Gb/s, ns)

    def name(self, node):
        return f"h{node}" if node < self.hosts else f"s{node}"


# two servers of two hosts, each with a fast switch of its own, at one switch
SERVERS = Net(4, 2, 1, [(h, 4 + h // 2, 400, 100) for h in range(4)] + [(h, 6, 100, 100) for h in range(4)])
# two hosts with a link to each other beside a faster way over a switch, and a third host
LINKED = Net(3, 0, 1, [(0, 1, 10, 1000), (0, 3, 100, 1000), (1, 3, 100, 1000), (2, 3, 100, 1000)])
PAIR = Net(2, 0, 0, [(0, 1, 10, 1000)])
PARTS = Net(4, 0, 2, [(0, 4, 100, 1000), (1, 4, 100, 1000), (2, 5, 100, 1000), (3, 5, 100, 1000)])
UNEVEN = Net(3, 0, 1, [(0, 3, 10, 1000), (1, 3, 40, 1000), (2, 3, 100, 1000)])
FAR = Net(2, 0, 1, [(0, 2, 10, 2_000_000), (1, 2, 10, 2_000_000)])
STAR = Net(2, 0, 1, [(0, 2, 100, 1000), (1, 2, 100, 1000)])
INSIDE = [(0, 1, 100_000, 10_000 * k) for k in range(8)] + [(1, 0, 100_000, 500_000)]    # (from, to, bytes, ns) of flows in SERVERS


class Source:
    """Makes files and the words of a command of a network and flows."""
    behind = ""    # text behind the counted rows of a topology

    def __init__(self, test):
        self.test = test

    def topology(self, net, form):
        """Write topology.txt. `form`: of its header."""
        links = len(net.links)
        header = {"plain": f"{net.hosts + net.nvswitches + net.switches} {net.nvswitches + net.switches} {links}",
                  "six": f"{net.hosts + net.nvswitches + net.switches} 2 {net.nvswitches} {net.switches} {links} H100"}[form]
        ids = " ".join(str(node) for node in range(net.hosts, net.hosts + net.nvswitches + net.switches))
        rows = "".join(f"{a} {b} {rate}Gbps {ns}ns 0\n" for a, b, rate, ns in net.links)
        self.test.put("topology.txt", f"{header}\n{ids}\n{rows}{self.behind}")


class Links(Source):
    """--links and --flows."""

    def words(self, net, flows):
        links = ",".join(f"{net.name(a)}-{net.name(b)}:{rate}Gbps:{ns}ns" for a, b, rate, ns in net.links)
        return ["run", "testbed", f"--links={links}", "--time=200ms",
                *(f"--flows={net.name(a)}-{net.name(b)}:size={size}:start={ns}ns" for a, b, size, ns in flows)]


class Experiment(Source):
    """experiment.json."""

    def words(self, net, flows):
        kind = ["" if not net.hosts <= node < net.hosts + net.nvswitches else ":nvswitch"
                for node in range(net.hosts + net.nvswitches + net.switches)]
        found = {"nodes": [net.name(node) + its for node, its in enumerate(kind)], "time": "200ms",
                 "links": [{"nodes": f"{net.name(a)}-{net.name(b)}", "rate": f"{rate}Gbps", "delay": f"{ns}ns"}
                           for a, b, rate, ns in net.links],
                 "flows": [f"{net.name(a)}-{net.name(b)}:size={size}:start={ns}ns" for a, b, size, ns in flows]}
        self.test.put("e.json", json.dumps(found))
        return ["run", "e.json"]


class Original(Source):
    """config.txt of ns3-rdma."""
    form, config = "plain", ORIGINAL

    def words(self, net, flows):
        self.topology(net, self.form)
        self.test.put("config.txt", self.config)
        rows = "".join(f"{a} {b} 3 {-(-size // 1000)} {ns / 1e9:.9f} 9\n" for a, b, size, ns in flows)
        self.test.put("flow.txt", f"{len(flows)}\n{rows}")
        return ["ns3-rdma", "config.txt"]


class Hpcc(Original):
    """config.txt of HPCC."""
    config = HPCC

    def words(self, net, flows):
        words = super().words(net, flows)
        self.test.put("flow.txt", f"{len(flows)}\n" + "".join(f"{a} {b} 3 100 {size} {ns / 1e9:.9f}\n" for a, b, size, ns in flows))
        return words


class SimAi(Hpcc):
    """SimAI's topology, whose six fields say how many switches are inside servers."""
    form = "six"


class Trace(Source):
    """A trace of training on a topology.txt."""

    def words(self, net, flows):
        self.topology(net, "six")
        ranks = {rank: [] for rank in range(net.hosts)}
        for number, (a, b, size, ns) in enumerate(flows):
            ranks[a] += [f"c{number}: calc {ns}", f"f{number}: send {size}b to {b} tag {number}", f"f{number} requires c{number}"]
            ranks[b].append(f"r{number}: recv {size}b from {a} tag {number}")
        text = "".join(f"rank {rank} {{\n" + "".join(f"{line}\n" for line in lines) + "}\n" for rank, lines in ranks.items())
        self.test.put("t.goal", f"num_ranks {net.hosts}\n{text}")
        return ["run", "trace", "t.goal", "--topology=topology.txt", "--mtu=1000"]


class Collective(Source):
    """A collective operation of all hosts."""

    def words(self, net, _):
        links = ",".join(f"{net.name(a)}-{net.name(b)}:{rate}Gbps:{ns}ns" for a, b, rate, ns in net.links)
        return ["run", "collective", "--size=300KB", f"--links={links}", "--time=200ms"]


class Scenario(Source):
    """A scenario with a network of its own."""

    def words(self, *_):
        return ["run", "incast", "--flows=2", "--senders=2", "--size=10KB", "--time=20ms", "--start=0s"]


SOURCES = {"scenario": Scenario, "links": Links, "experiment": Experiment, "ns3-rdma": Original, "hpcc": Hpcc, "simai": SimAi,
           "trace": Trace, "collective": Collective}


@needs_programs
class Table(RccTest):
    def run_words(self, words, status=0):
        done = self.rcc(*words, "--cc=none", "--no-plots", "--out=o")
        self.assertEqual(done.returncode, status, (words, done.stdout[-500:], done.stderr))
        return done

    def times(self):
        """FCTs of the flows in ns, in their order."""
        return [round(float(row["fct_s"]) * 1e9) for row in self.rows("o", "none", "flows.csv")]

    # ------------------------------------------------------------ rules

    def hosts_reach_each_other(self, source):
        self.run_words(source.words(STAR, [(0, 1, 1000, 0)]))
        done = self.run_words(source.words(PARTS, [(0, 3, 1000, 0)]), 2)
        self.assertRegex(done.stderr, "cannot be reached from|no path from 0 to 3")

    def inner_switches_need_no_path(self, source):
        """A host does not reach the switch inside another server."""
        self.run_words(source.words(SERVERS, [(0, 3, 1000, 0), (2, 3, 1000, 0)]))

    def linked_hosts_use_their_link(self, source):
        self.run_words(source.words(LINKED, [(0, 1, 100_000, 0)]))
        self.assertGreater(self.times()[0], 100_000 * 8 // 10)
        self.run_words(source.words(LINKED, [(0, 2, 100_000, 0)]))
        self.assertLess(self.times()[0], 100_000 * 8 // 10)
        self.run_words(source.words(PAIR, [(1, 0, 100_000, 0)]))
        self.assertGreater(self.times()[0], 100_000 * 8 // 10)

    def linked_ranks_use_their_link(self, source):
        self.run_words(source.words(LINKED, []))
        slow = json.loads(self.read("o", "none", "run.json"))["sim_s"]
        self.run_words(source.words(LINKED._replace(links=LINKED.links[1:]), []))
        self.assertGreater(slow, 3 * json.loads(self.read("o", "none", "run.json"))["sim_s"])

    def server_stays_inside(self, source):
        self.run_words(source.words(SERVERS, INSIDE))
        times = self.times()
        self.assertEqual(len(times), len(INSIDE))
        self.assertLess(max(times), 100_000 * 8 // 100)    # less than on a link to the switch of all

    def time_follows_paths(self, source):
        """A step on a network of long delays ends by default."""
        self.run_words([*source.words(FAR, [(0, 1, 10_000, 0)]), "--lossy"])
        run = json.loads(self.read("o", "none", "run.json"))
        self.assertGreater(run["step"]["step_s"], 0.004)

    def header_has_rates(self, source):
        done = self.run_words(source.words(UNEVEN, [(0, 1, 1000, 0), (0, 2, 1000, 0)]))
        self.assertIn(" hosts, 10 Gb/s to 100 Gb/s,", done.stdout)

    def header_has_rates_of_options(self, source):
        self.assertIn(" hosts, 10 Gb/s to 40 Gb/s,", self.run_words([*source.words(), "--receiver-rate=10Gbps"]).stdout)

    def header_has_end_of_step(self, source):
        done = self.run_words(source.words(STAR, [(0, 1, 1000, 7000)]))
        step = json.loads(self.read("o", "none", "run.json"))["step"]["step_s"]
        self.assertIn(f" 100 Gb/s, {si_time(step)} simulated", done.stdout)
        self.assertGreater(step, 7e-6)

    def rows_behind_the_count(self, source):
        source.behind = "0 1 100Gbps 1us 0\nEach row is a link.\n"
        done = self.run_words(source.words(STAR, [(0, 1, 1000, 0)]))
        self.assertIn("topology.txt:5: 1 row behind the 2 links of the header is ignored", done.stderr)
        told = done.stderr + self.read("o", "none", "run.json")
        self.assertIn("topology.txt:6: 1 line of text behind the 2 links of the header ignored", told)

    def hint_at_short_timeout(self, source):
        done = self.run_words([*source.words(FAR, [(0, 1, 1000, 0)]), "--rto=1ms", "--buffer=32MB"])
        self.assertRegex(done.stderr, r"timeout of 1ms is below the round trip of 8\.0\d*ms")

    def hint_at_short_timeout_of_links(self, source):
        done = self.run_words([*source.words(), "--rto=1ms", "--delay=2ms", "--buffer=300MB"])
        self.assertRegex(done.stderr, r"timeout of 1ms is below the round trip of 8\.0\d*ms")

    def headroom_needs_buffer(self, source):
        done = self.run_words([*source.words(UNEVEN, [(0, 1, 1000, 0), (0, 2, 1000, 0)]), "--buffer=20KB"], 2)
        self.assertIn("cannot be lossless: headroom for 3 ports", done.stderr)

    def thresholds_follow_rates(self, source):
        """Ports have thresholds for their rate. The words that say so are those of the source."""
        words = source.words(UNEVEN, [(0, 1, 1000, 0), (0, 2, 1000, 0)])
        more = ["--cc=dcqcn", "--rate=40Gbps", "--kmin=40KB", "--kmax=160KB", "--scale-thresholds"]
        if words[0] == "ns3-rdma":
            self.write_maps()
            made = program.read("ns3-rdma", ["--config=config.txt", "--cc=dcqcn"], self.scratch)
        else:
            done = self.succeed(*words, *more, "--print")
            self.put("printed.json", done.stdout)
            made = program.read("experiment", ["printed.json"], self.scratch)
        found = dict(re.findall(r"^algorithm-at 0 (\d+) kmin (\d+)$", made.text(), re.M))
        self.assertEqual({rate: found[rate] for rate in ("10000000000", "100000000000")},
                         {"10000000000": "10000", "100000000000": "100000"})

    def write_maps(self):
        with open(self.path("config.txt"), "a", encoding="utf-8") as f:
            f.write("".join(f"{key} 3 10000000000 {1 * of} 40000000000 {4 * of} 100000000000 {10 * of}\n"
                            for key, of in (("KMIN_MAP", 10), ("KMAX_MAP", 40)))
                    + "PMAX_MAP 3 10000000000 0.2 40000000000 0.2 100000000000 0.2\n")

    def no_entry_for_a_rate(self, source):
        """A map without the rate of a link is refused."""
        source.words(UNEVEN, [(0, 1, 1000, 0)])
        self.write_maps()
        text = self.read("config.txt").replace("KMIN_MAP 3 10000000000 10", "KMIN_MAP 2")
        self.put("config.txt", text)
        with self.assertRaises(RccError) as caught:
            program.read("ns3-rdma", ["--config=config.txt", "--cc=dcqcn"], self.scratch)
        self.assertIn("KMIN_MAP: found no entry for 10Gbps", str(caught.exception))

    # ------------------------------------------------------------ the table

    CELLS = {
        #                      scenario, links, experiment, ns3-rdma, hpcc, simai, trace, collective
        "hosts": ["fixed"] + [hosts_reach_each_other] * 7,
        "inner switches": ["fixed", "unnamed", inner_switches_need_no_path, inner_switches_need_no_path, inner_switches_need_no_path,
                           inner_switches_need_no_path, inner_switches_need_no_path, "unnamed"],
        "linked hosts": ["fixed"] + [linked_hosts_use_their_link] * 6 + [linked_ranks_use_their_link],
        "inside a server": ["fixed", "unnamed", server_stays_inside, "unnamed", "unnamed", server_stays_inside, server_stays_inside,
                            "unnamed"],
        "default of --time": ["constant"] * 3 + ["SIMULATOR_STOP_TIME"] * 3 + [time_follows_paths, "constant"],
        "rates of the header": [header_has_rates_of_options] + [header_has_rates] * 7,
        "time of the header": ["simulated"] * 6 + [header_has_end_of_step, "simulated"],
        "rows behind a count": ["uncounted"] * 3 + [rows_behind_the_count] * 4 + ["uncounted"],
        "timeout": [hint_at_short_timeout_of_links] + [hint_at_short_timeout] * 7,
        "headroom": [headroom_needs_buffer] * 8,
        "thresholds": ["constant", thresholds_follow_rates, thresholds_follow_rates, "rateless", thresholds_follow_rates,
                       thresholds_follow_rates, thresholds_follow_rates, thresholds_follow_rates],
        "missing thresholds": ["computed"] * 3 + ["rateless"] + [no_entry_for_a_rate] * 2 + ["computed"] * 2,
    }

    def test_cells(self):
        for rule, row in self.CELLS.items():
            self.assertEqual(len(row), len(SOURCES), rule)
            for (name, source), cell in zip(SOURCES.items(), row):
                with self.subTest(rule=rule, source=name):
                    if isinstance(cell, str):
                        self.assertRegex(cell, r"^[\w]+$")
                    else:
                        cell(self, source(self))


@needs_programs
class Servers(RccTest):
    """Networks with switches inside servers, beyond the table."""

    def test_again_from_what_a_run_leaves(self):
        """The experiment.json of a trace has the kinds of its switches."""
        words = Trace(self).words(SERVERS, INSIDE)
        for more in (words, ["run", "out/trace/none/experiment.json", "--out=again"]):
            self.succeed(*more, "--cc=none", "--no-plots")
        self.assertEqual(self.read("out", "trace", "none", "flows.csv"), self.read("again", "none", "flows.csv"))

    def test_routes_after_a_failure(self):
        """While the link inside the server is down its flows take the other switch, and afterwards their own again."""
        self.put("faults", "link-down link=0-4 at=1ms for=1ms\n")
        flows = [(0, 1, 100_000, ns) for ns in (0, 1_200_000, 1_300_000, 1_400_000, 2_200_000, 2_300_000, 2_400_000, 2_500_000)]
        self.succeed(*SimAi(self).words(SERVERS, flows), "--cc=none", "--no-plots", "--faults=faults", "--out=o")
        inside = [float(row["fct_s"]) < 8e-6 for row in self.rows("o", "none", "flows.csv")]
        self.assertEqual(inside, [True] + [False] * 3 + [True] * 4)

    def test_names_of_kinds(self):
        for nodes, expected in ((["h[0-1]:nvswitch", "s"], "'h[0-1]:nvswitch', expected NAME or"),
                                (["h[0-1]", "s:nvswitc"], "'s:nvswitc', expected NAME or")):
            with self.assertRaises(RccError) as caught:
                network.read(["h[0-1]-s"], nodes, 10**9, 1000, "switch")
            self.assertIn(expected, str(caught.exception))
        found = network.read(["h[0-1]-s1", "h1-s2"], ["h[0-1]", "s[1-2]:nvswitch"], 10**9, 1000, "switch")
        self.assertEqual([node.kind for node in found.nodes], ["host", "host", "nvswitch", "nvswitch"])


def drawn(rng):
    """A tree of switches with parallel links, of servers with switches inside; links have rates and delays of their own."""
    servers, per_server, switches = rng.randrange(1, 4), rng.randrange(1, 4), rng.randrange(1, 4)
    hosts = servers * per_server

    def link(a, b, rates=(1, 10, 40)):
        return (a, b, rng.choice(rates), rng.choice((500, 20_000, 300_000)))

    links = [link(h, hosts + h // per_server, (100, 400)) for h in range(hosts)]
    links += [link(h, hosts + servers + rng.randrange(switches)) for h in range(hosts)]
    links += [link(hosts + servers + rng.randrange(s), hosts + servers + s) for s in range(1, switches) for _ in range(rng.choice((1, 2)))]
    return Net(hosts, servers, switches, links)


class PathsOfNetworks(RccTest):
    """Compares what Python says of paths with the program."""

    @needs_programs
    def test_estimate_is_what_a_step_takes(self):
        """The default of --time is ten times a step of messages that follow one another, within what paths that differ leave open."""
        for seed in range(8):
            rng = random.Random(seed)
            net = drawn(rng)
            if net.hosts < 2:
                continue
            chain = []
            for _ in range(6):
                a, b = rng.sample(range(net.hosts), 2)
                chain.append((a, b, rng.choice((1, 5000, 400_000))))
            with self.subTest(seed=seed):
                self.compare(net, chain)

    def compare(self, net, chain):
        """Simulate messages, each of which begins when the one before has arrived."""
        source = Trace(self)
        words = source.words(net, [])
        ranks = {rank: [] for rank in range(net.hosts)}
        begun = {}
        for number, (a, b, size) in enumerate(chain):
            ranks[a] += [f"f{number}: send {size}b to {b} tag {number}"] + [f"f{number} requires {last}" for last in begun.get(a, [])]
            ranks[b].append(f"r{number}: recv {size}b from {a} tag {number}")
            begun.setdefault(b, []).append(f"r{number}")
        text = "".join(f"rank {rank} {{\n" + "".join(f"{line}\n" for line in lines) + "}\n" for rank, lines in ranks.items())
        self.put("t.goal", f"num_ranks {net.hosts}\n{text}")
        self.succeed(*words, "--cc=none", "--no-plots", "--lossy", "--out=o")
        step = json.loads(self.read("o", "none", "run.json"))["step"]
        text = json.loads(self.read("o", "none", "experiment.json"))["time"]
        estimate = units.parse("time", text, "time") / 10
        latency = LATENCY * len(chain) / 1e9
        self.assertIsNotNone(step["step_s"], step)
        self.assertGreater(10 * max(estimate, 1e-4), step["step_s"])
        self.assertLess(estimate, 2.5 * (step["step_s"] + latency))

    def test_a_star(self):
        """On a star the busiest host counts, exactly."""
        found = network.read(["h[0-3]-s"], [], 3 * 10**9, 1000, "switch")
        paths = Paths(found.nodes, found.links)
        for a, b, size in ((0, 1, 1000), (2, 1, 1001), (1, 3, 7)):
            paths.add(found.number[f"h{a}"], found.number[f"h{b}"], size)
        self.assertEqual(paths.busiest_ns(), 2001 * 8 // 3)

    def test_a_trunk(self):
        """Two equal links between two switches share what four hosts send over them."""
        found = network.read(["h[0-3]-a:10Gbps", "h[4-7]-b:10Gbps", "a-b*2:1Gbps"], [], 10**9, 1000, "switch")
        paths = Paths(found.nodes, found.links)
        for host in range(4):
            paths.add(found.number[f"h{host}"], found.number[f"h{host + 4}"], 1000)
        self.assertEqual(paths.busiest_ns(), 4 * 1000 * 8 // 2)
        self.assertEqual(paths.way(found.number["h0"], found.number["h4"]).rate_bps, 10**9)

    def test_a_long_row(self):
        """A path of many switches, and no path."""
        found = network.read([f"s{k}-s{k + 1}" for k in range(1500)] + ["h0-s0", "h1-s1500", "h2-x"], [], 10**9, 1000, "switch")
        paths = Paths(found.nodes, found.links)
        self.assertEqual(paths.way(found.number["h0"], found.number["h1"]).delay_ns, 1502 * 1000)
        self.assertIsNone(paths.way(found.number["h0"], found.number["h2"]))


if __name__ == "__main__":
    unittest.main()
