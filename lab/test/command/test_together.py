# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Capacity where hosts both send and receive: what all pairs can carry together, against closed forms and a linear program."""
import json
import random
import unittest
from unittest import mock

from support import RccTest, needs_programs, with_experiment

from command.results import asked, capacity, questions, together

try:
    from scipy.optimize import linprog
except ImportError:
    linprog = None

G = 1e9
RACKS = "h[0-15]=t[0-3],t[0-3]-s"
NEXT_RACK = "h[0-11]=h[4-15],h[12-15]=h[0-3]"


def every(hosts):
    return [(a, b) for a in hosts for b in hosts if a != b]


def by_program(links, ends):
    """The same from a general solver: flows of every pair on every link, without any grouping."""
    rates = {}
    for a, b, rate in links:
        for arc in ((a, b), (b, a)):
            rates[arc] = rates.get(arc, 0) + rate
    arcs = list(rates)
    nodes = sorted({name for arc in arcs for name in arc})
    count = len(arcs)
    gain, bounds, equal = [], [], []
    for k, (sender, receiver) in enumerate(ends):
        gain += [-1 if b == receiver else 0 for _, b in arcs]
        bounds += [(0, None if (a == sender or a[0] != "h") and (b == receiver or b[0] != "h") else 0) for a, b in arcs]
        for node in set(nodes) - {sender, receiver}:
            row = [0] * (count * len(ends))
            for i, (a, b) in enumerate(arcs):
                row[k * count + i] = (b == node) - (a == node)
            equal.append(row)
    room = [[1 if at % count == i else 0 for at in range(count * len(ends))] for i in range(count)]
    found = linprog(gain, A_ub=room, b_ub=[rates[arc] for arc in arcs], A_eq=equal or None, b_eq=[0] * len(equal) or None, bounds=bounds)
    return -found.fun


class Together(unittest.TestCase):
    def of(self, links, flows, rate="40Gbps"):
        run = {"scenario": "testbed"}
        found = capacity.known(asked.of(f"./rcc run testbed '--links={links}' '--flows={flows}' --rate={rate}", run), run)
        self.assertTrue(found.exact)
        return found.rate

    def test_closed_forms(self):
        for links, flows, rate in (
                (RACKS + "[0-3]", NEXT_RACK, 640 * G),                                   # a full network
                (RACKS + "0:40Gbps", NEXT_RACK, 160 * G),                                # 4:1, all flows cross
                (RACKS + "[0-1]:20Gbps", NEXT_RACK, 160 * G),
                (RACKS + "0:40Gbps", "h[0-14]=h[1-15],h15-h0", 640 * G),                # a ring along the racks: 4 cross
                (RACKS + "0:10Gbps", "h[0-14]=h[1-15],h15-h0", (12 * 40 + 4 * 10) * G),
                (RACKS + "0:40Gbps", "h[0-15]-h[0-15]", 640 * G),                       # all-to-all: most within racks
                ("h[0-15]=t[0-15],t[0-15]-s0:10Gbps", "h[0-15]-h[0-15]", 160 * G),      # no two in a rack
                ("h[0-7]-t0,h[8-15]-t1,t0-t1:80Gbps", "h[0-7]=h[8-15]", 80 * G),
                ("h[0-7]-t0,h[8-15]-t1,t0-t1:80Gbps", "h[0-7]=h[8-15],h[8-15]=h[0-7]", 160 * G),
                ("h1-a,h2-b,h3-c,a-b:10Gbps,b-c:10Gbps,c-a:10Gbps", "h1-h2,h2-h3,h3-h1", 45 * G),   # half of 30 the other way round
                ("h1-a,h2-b,h3-c,a-b:10Gbps,b-c:10Gbps,c-a:10Gbps", "h1-h2", 20 * G),               # both ways round
                ("h1-a,h2-b,h3-c,a-s:10Gbps,b-s:10Gbps,c-s:10Gbps", "h1-h2,h2-h3,h3-h1", 30 * G),   # a star
                ("h[1-4]-s", "h1-h2,h2-h1,h3-h4", 120 * G),
                ("h[1-4]-s", "h1-h[2-4],h[2-4]-h1", 80 * G),
                ("h1-a,h2-b,h3-a,h4-b,a-b:10Gbps", "h1-h2,h3-h2,h1-h4", 10 * G),
                ("h1-a,h2-b,h3-a,h4-b,a-b:10Gbps", "h1-h3,h2-h4,h1-h2", 80 * G)):
            self.assertEqual(self.of(links, flows), rate, (links, flows))

    def test_small_networks(self):
        """Rates that are no multiple of a link's, and a long path that gives way to two short ones."""
        links = [("h1", "a", 1.0), ("h2", "b", 1.0), ("h3", "c", 1.0), ("a", "d", 1.0), ("b", "d", 1.0), ("c", "d", 1.0)]
        self.assertEqual(together.most(links, every(["h1", "h2", "h3"])).rate, 3.0)
        links = [(f"h{name}", name, 9.0) for name in "abc"] + [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
        self.assertEqual(together.most(links, [("ha", "hb"), ("hb", "hc"), ("hc", "ha")]).rate, 4.5)
        one_way = [("h1", "a", 9.0), ("h2", "a", 9.0), ("h3", "b", 9.0), ("h4", "c", 9.0), ("h5", "c", 9.0), ("h6", "b", 9.0),
                   ("a", "x", 1.0), ("x", "b", 1.0), ("b", "y", 1.0), ("y", "c", 1.0)]
        self.assertEqual(together.most(one_way, [("h1", "h3"), ("h2", "h4"), ("h6", "h5")]).rate, 2.0)

    @unittest.skipUnless(linprog, "needs python3-scipy")
    def test_against_a_general_solver(self):
        chance = random.Random(1)
        for _ in range(60):
            switches, hosts = chance.randint(1, 5), chance.randint(2, 7)
            links = [(f"h{i}", f"s{chance.randrange(switches)}", chance.choice([1, 10, 10, 10, 40])) for i in range(hosts)]
            links += [(f"h{chance.randrange(hosts)}", f"s{chance.randrange(switches)}", 10) for _ in range(chance.randint(0, 2))]
            links += [(f"s{i}", f"s{chance.randrange(i)}", chance.choice([1, 5, 10, 10])) for i in range(1, switches)]
            links += [(f"s{i}", f"s{j}", chance.choice([1, 5, 10, 10])) for i, j in
                      (chance.sample(range(switches), 2) for _ in range(chance.randint(0, 4) if switches > 1 else 0))]
            links += [("h0", "h1", 10)] if chance.random() < 0.2 else []
            ends = every([f"h{i}" for i in range(hosts)])
            ends = chance.sample(ends, chance.randint(1, min(len(ends), 8)))
            found = together.most(links, ends)
            self.assertTrue(found.exact)
            self.assertAlmostEqual(found.rate, by_program(links, ends), places=6, msg=str((links, ends)))

    def test_groups_change_nothing(self):
        """Hosts and spines that are alike are one: with each link a little different none is."""
        chance = random.Random(3)
        for flows in (NEXT_RACK, "h[0-15]-h[0-15]", "h[0-3]-h[4-7],h[4-7]-h[0-3],h8-h9", "h[0-7]-h8,h8-h[0-7]"):
            for spine in ("0:40Gbps", "[0-3]", "[0-1]:5Gbps"):
                net = list(capacity.links(asked.of(f"./rcc run testbed --links={RACKS + spine}", {"scenario": "testbed"})))
                ends = [pair for pair in capacity.flow_pairs(flows) if pair[0] != pair[1]]
                other = [(a, b, rate * (1 + chance.random() * 1e-8)) for a, b, rate in net]
                self.assertAlmostEqual(together.most(other, ends).rate / together.most(net, ends).rate, 1, places=7)

    def test_a_long_chain(self):
        """In which no two hosts are alike."""
        for count, exact in ((100, True), (1000, False)):
            net = [(f"h{i}", f"t{i // 10}", 10 * G) for i in range(count)] + [(f"t{i}", "s", 5 * G) for i in range(count // 10)]
            found = together.most(net, [(f"h{i}", f"h{i + 1}") for i in range(count - 1)])
            self.assertEqual(found.exact, exact)
            limit = (count // 10 * 9 * 10 + (count // 10 - 1) * 5) * G
            self.assertGreaterEqual(found.rate, limit)
            self.assertEqual(found.rate if exact else limit, limit)

    def test_many_hosts_and_flows(self):
        """In a bounded number of steps, and never below what can be carried; what is no exact number says so."""
        looked, programs, shortest = [], set(), together.Program.shortest

        def counted(program):
            looked.append(program)
            programs.add(program)
            return shortest(program)
        patch = mock.patch.object(together.Program, "shortest", counted)
        patch.start()
        self.addCleanup(patch.stop)
        chance = random.Random(2)
        hosts = [f"h{i}" for i in range(1000)]
        turned = {"rack": hosts[40:] + hosts[:40], "any": chance.sample(hosts, 1000)}
        for spines, limit in ((1, 1e12), (40, 40e12)):
            net = [(name, f"t{i // 40}", 40 * G) for i, name in enumerate(hosts)]
            net += [(f"t{i}", f"s{j}", 40 * G) for i in range(25) for j in range(spines)]
            found = together.most(net, list(zip(hosts, turned["rack"])))
            self.assertEqual(found, (min(limit, 40e12), True))
            within = {(a, b) for a, b in zip(hosts, turned["any"]) if a != b and int(a[1:]) // 40 == int(b[1:]) // 40}
            ends = [(a, b) for a, b in zip(hosts, turned["any"]) if a != b]
            found = together.most(net, ends)
            self.assertFalse(found.exact)
            found = found._replace(rate=min(found.rate, capacity.cut(net, ends)))
            self.assertGreaterEqual(found.rate * 1.000001, min(limit + 40 * G * len(within), 40 * G * 999))
            self.assertLess(found.rate, min(limit + 40 * G * len(within), 40e12) * 1.1)
            ends = sorted({(chance.choice(hosts), chance.choice(hosts)) for _ in range(10_000)})
            ends = [(a, b) for a, b in ends if a != b]
            self.assertEqual(together.most(net, ends), together.most(net, ends))
        self.assertLessEqual(max(program.work for program in programs), together.WORK * 1.05)   # the last step may end above it
        self.assertLessEqual(len(looked), 5 * len(programs))    # each takes all links

    def test_every_pair_of_very_many_is_a_bound(self):
        run = {"scenario": "testbed"}
        links = "h[0-399]=t[0-9],t[0-9]-s"
        found = capacity.known(asked.of(f"./rcc run testbed --links={links}", run), run)
        self.assertEqual(found, (400 * 40 * G, False))
        what = asked.of(f"./rcc run testbed --links={links}", run)
        self.assertEqual(questions.answer(run, what), {"capacity_bps": 400 * 40 * G, "capacity_at_most": True})

    def test_a_collective_has_the_pairs_of_its_ranks(self):
        run = {"scenario": "collective"}

        def of(command):
            return capacity.of(asked.of(command, run), run)
        net = f"'--links={RACKS}0'"
        self.assertEqual(of(f"./rcc run collective {net}"), 400 * G)                     # neighbours are on different switches
        self.assertEqual(of(f"./rcc run collective {net} --placement=within"), 1600 * G)
        self.assertEqual(of(f"./rcc run collective '--links={RACKS}0:50Gbps' --placement=within"), 1400 * G)
        self.assertEqual(of(f"./rcc run collective {net} --operation=all-to-all"), 1600 * G)
        self.assertEqual(of("./rcc run collective --links=h[0-3]=t[0-3],t[0-3]-s0:50Gbps --operation=all-to-all"), 200 * G)
        for text, rate in (("all-reduce", 160 * G), ("all-reduce:qps=1:placement=within", 640 * G), ("all-to-all", 640 * G)):
            run = with_experiment(run, {"links": ["h[0-15]=t[0-3]", "t[0-3]-s0"], "collective": text, "rate": "40Gbps"})
            self.assertEqual(of("./rcc run f.json"), rate, text)

    def test_whether_all_pass_a_port_is_of_the_pairs(self):
        """Not of paths between others: h0 to h1 of another rack."""
        def passed(links, flows, port):
            run = {"scenario": "testbed", "congested_port": f"switch port {port}", "bottleneck_bps": 40 * G}
            return capacity.passed(asked.of(f"./rcc run testbed --links={links} --flows={flows} --rate=40Gbps", run), run)
        both = "h[0-1]-t0,h[2-3]-t1,h[4-5]-t2,t[0-1]-s,t2-s"
        self.assertTrue(passed(both, "h0-h2,h1-h3", "t0>s"))
        self.assertFalse(passed(both, "h0-h2,h2-h4", "t0>s"))
        self.assertTrue(passed(both, "h0-h4,h1-h4", "s>t2"))
        self.assertTrue(passed("h[0-3]-t0,h[4-7]-t1,t0-t1", "h0-h4,h1-h5", "t0>t1"))
        self.assertTrue(passed("h0-a,h1-b,h2-b,h3-c,a-b,b-c", "h0-h2,h0-h3", "a>b"))
        self.assertFalse(passed("h0-a,h1-b,a-b*2:40Gbps", "h0-h1", "a>b"))
        self.assertIsNone(passed("h0-a,h1-b,a-b", "h0-h1", "a>c"))


@needs_programs
class Runs(RccTest):
    def used(self, *words):
        done = self.rcc("run", *words, "--cc=none", "--no-plots", "--quiet", "--out=out")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.read("out", "summary.json"))["runs"][0]["answer"]["used"]

    def test_full_links_are_used_in_full(self):
        both = "--links=h[0-7]-t0,h[8-15]-t1,t0-t1:80Gbps"
        self.assertGreater(self.used("permutation", "--time=2ms", f"--links={RACKS}0:40Gbps"), 0.99)
        self.assertGreater(self.used("testbed", "--time=2ms", both, "--flows=h[0-7]=h[8-15]"), 0.99)
        self.assertGreater(self.used("testbed", "--time=2ms", both, "--flows=h[0-7]=h[8-15],h[8-15]=h[0-7]"), 0.99)
        self.assertGreater(self.used("collective", "--size=4MB", f"--links={RACKS}0"), 0.9)


if __name__ == "__main__":
    unittest.main()
