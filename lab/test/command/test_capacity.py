# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Utilisation and figures refer to the least cut of a run's own network."""
import unittest

from support import pairs, with_experiment

from command.results.judge import capacity, questions, traffic
from command.results.read import asked


class Capacity(unittest.TestCase):
    def of(self, command, **run):
        return capacity.of(asked.of(command, run), run)

    def test_an_oversubscribed_leaf_spine(self):
        run = {"scenario": "clos", "senders": 48, "bottleneck_bps": 400e9, "utilization": 0.39, "rate_bps": 40e9}
        command = "./rcc run clos --topology=leaf-spine --oversubscription=4"
        self.assertEqual(self.of(command, **run), 160e9)
        self.assertAlmostEqual(questions.answer(run, asked.of(command, run))["used"], 0.975)
        self.assertEqual(self.of("./rcc run clos --topology=leaf-spine", **{**run, "senders": 3}), 120e9)

    def test_links_that_a_fault_makes_slower(self):
        """All of them in the whole window count with their rate, else nothing is known but the watched port."""
        def used(scenario, run, **fault):
            own = {"scenario": scenario.split()[0], "rate_bps": 40e9, "bottleneck_bps": 10e9, "utilization": 0.99, "sim_s": 0.01,
                   "window_s": [0.005, 0.01], **run,
                   "faults": [{"fault": "lose"}, {"fault": "rate", "place": "link=all", "rate_bps": 10e9, "time_s": 0, "for_s": None,
                                                  **fault}, *run.get("faults", [])]}
            found = questions.answer(own, asked.of(f"./rcc run {scenario} --topology=leaf-spine --receivers=1", own))
            return found.get("capacity_bps"), found["used"]
        clos = {"senders": 4}
        two = {"groups": [{"name": f"h{i}-h5", "flows": 1, "mean_bps": 2.4e9, "delivered_bytes": 1} for i in (1, 2)]}
        self.assertEqual(used("clos", clos), (10e9, 0.99))
        self.assertEqual(used("clos", clos, time_s=0.001, for_s=1), (10e9, 0.99))
        self.assertEqual(used("clos", clos, time_s=0.006), (None, 0.99))
        self.assertEqual(used("clos", clos, for_s=0.007), (None, 0.99))
        self.assertEqual(used("clos", clos, place="link=1-2"), (None, 0.99))
        self.assertEqual(used("clos", clos, rate_bps=None), (None, 0.99))    # of a version that did not say
        for gone in ({"for_s": 0.004}, {"time_s": 0.02}):
            self.assertEqual(used("clos", {**clos, "bottleneck_bps": 40e9}, **gone), (40e9, 0.99))
        self.assertEqual(used("unfairness", two), (10e9, 0.99))
        self.assertEqual(used("testbed --links=h[1-2]-s1,h5-s1", two), (10e9, 0.99))
        self.assertEqual(used("long-haul", {"groups": two["groups"][:1]}), (10e9, 0.99))
        self.assertEqual(used("incast", {"senders": 8}), (10e9, 0.99))
        before = {"fault": "rate", "place": "link=all", "rate_bps": 1e9, "time_s": 0, "for_s": 0.001}
        self.assertEqual(used("clos", {**clos, "faults": [before]}, time_s=0.002), (10e9, 0.99))    # the one in force
        self.assertEqual(used("clos", {**clos, "faults": [{**before, "for_s": 0.006}]}), (None, 0.99))

    def with_file(self, content, command="f.json", **run):
        """(capacity, used) of a run of an experiment file."""
        own = {"scenario": content["scenario"], "senders": 2, "flows": 2, "rate_bps": 40e9, "bottleneck_bps": 4e9, "utilization": 0.9,
               "sim_s": 4e-3, "window_s": [2e-3, 4e-3], **run}
        own = with_experiment(own, content)
        found = questions.answer(own, asked.of("./rcc run " + command, own))
        return found.get("capacity_bps"), found["used"]

    def test_an_experiment_that_changes_rates(self):
        """By `steps`, by `phases` or by an attribute that overrides all: the watched port's use counts its rate at each time."""
        net = {"scenario": "incast", "links": ["h[0-2]-s0"], "flows": ["h[0-1]=h2"], "rate": "40Gbps"}
        still = {"bottleneck_bps": 40e9}
        for time in ("0s", "1ms", "3ms"):
            for steps in ([f"s0>h2:{time}:4Gbps"], f"s0>h0:1s:1Gbps,s0>h2:{time}:4Gbps"):
                self.assertEqual(self.with_file({**net, "steps": steps}), (None, 0.9), time)
        self.assertEqual(self.with_file({**net, "steps": ["s0>h2:3ms:4Gbps"]}, window_s=[1e-3, 2e-3]), (None, 0.9))    # before it
        self.assertEqual(self.with_file({**net, "steps": ["s0>h2:9ms:4Gbps"]}, **still), (40e9, 0.9))     # after the end
        self.assertEqual(self.with_file({**net, "steps": ["s0>h2:fast"]}), (None, 0.9))
        self.assertEqual(self.with_file({**net, "steps": [7, {}], "base": [7]}, **still), (40e9, 0.9))
        self.assertEqual(self.with_file({**net, "phases": ["0s:40Gbps", "3ms:4Gbps"]},
                                        phases=[{"from_s": 0, "rate_bps": 40e9}, {"from_s": 3e-3, "rate_bps": 4e9}]), (None, 0.9))
        for scenario in ("incast", "clos", "convergence", "testbed", "unfairness"):
            for name in ("QbbNetDevice.DataRate", "ns3::QbbNetDevice.DataRate"):
                self.assertEqual(self.with_file({**net, "scenario": scenario, "base": {"RdmaNic.BucketDebt": True, name: "4Gbps"}}),
                                 (None, 0.9), scenario)
        self.assertEqual(self.with_file({**net, "base": {"QbbNetDevice.InterframeGap": 20}}, **still), (40e9, 0.9))
        self.assertEqual(self.with_file({**net, "rate": None, "attr": {"QbbNetDevice.DataRate": "4Gbps"}},
                                        attributes={"QbbNetDevice.DataRate": "4Gbps"}), (4e9, 0.9))

    def test_a_port_whose_rate_is_scheduled(self):
        """Of `capacity` and `fan-in` the watched port is the cut, where its rate stays the same."""
        phases = {"phases": [{"from_s": 0, "rate_bps": 40e9}, {"from_s": 1e-3, "rate_bps": 4e9}]}
        for command, scenario in (("capacity", "capacity"), ("f.json", "capacity")):
            for begin, limit in ((2e-3, 4e9), (1e-3, 4e9), (0.5e-3, None)):
                self.assertEqual(self.with_file({"scenario": scenario}, command, window_s=[begin, 4e-3], **phases), (limit, 0.9))
        step = {"scenario": "fan-in", "steps": ["s0>h5:1ms:4Gbps"]}
        for command, content in (("fan-in --capacity=5:1ms:4Gbps", {"scenario": "fan-in"}), ("f.json", step)):
            self.assertEqual(self.with_file(content, command), (None, 0.9))
        for command in ("fan-in", "fan-in --capacity=5:0s:4Gbps", "fan-in --capacity=5:9ms:4Gbps"):
            self.assertEqual(self.with_file({"scenario": "fan-in"}, command), (4e9, 0.9))

    def test_the_fat_tree(self):
        self.assertEqual(self.of("./rcc run clos", scenario="clos", senders=1900), 400e9)
        self.assertEqual(self.of("./rcc run clos --k=4 --cores=2 --receivers=4 --core-rate=10Gbps", scenario="clos", senders=12), 20e9)

    def test_a_clos_of_a_file_has_its_network(self):
        """./rcc run clos --print, edited, whatever the defaults of clos are."""
        run = {"scenario": "clos", "senders": 48, "flows": 48, "bottleneck_bps": 400e9, "utilization": 0.09, "rate_bps": 40e9}
        for core, flows, limit in (("10Gbps", {"hosts": "h[0-47]~h[48-57/1]", "count": 48}, 40e9),
                                   ("40Gbps", {"hosts": "h[0-47]~h[48-57/1]", "count": 2}, 80e9),
                                   ("40Gbps", "h[0-47]~h[48-57/1]:count=48", 160e9),
                                   ("40Gbps", {"hosts": "h[0-46]~h[48-63]"}, 160e9)):
            run = with_experiment(run, {"scenario": "clos", "nodes": ["h[0-63],l[0-3],s[0-3]"], "flows": [flows], "rate": "40Gbps",
                                        "links": ["h[0-63]=l[0-3]", {"nodes": "l[0-3]-s[0-3]", "rate": core}]})
            self.assertEqual(self.of("./rcc run f.json", **run), limit)
            self.assertEqual(self.of("./rcc run f.json --links=h[0-63]=l[0-3],l[0-3]-s0:1Gbps", **run), 1e9)
        self.assertAlmostEqual(questions.answer(run, asked.of("./rcc run f.json", run))["used"], 0.225)

    def test_an_incast_of_a_file_has_its_links(self):
        run = {"scenario": "incast", "senders": 2, "flows": 2, "bottleneck_bps": 40e9, "rate_bps": 40e9, "utilization": 0.5}
        run = with_experiment(run, {"scenario": "incast", "links": [{"nodes": "h[0-1]-s0", "rate": "10Gbps"}, "h2-s0"],
                                    "flows": ["h[0-1]=h2"]})
        self.assertEqual(self.of("./rcc run f.json", **run), 20e9)
        self.assertEqual(traffic.sender_rate(asked.of("./rcc run f.json", run), run), 10e9)

    def test_links_of_a_testbed(self):
        every = {f"h{i}_h{(i + 4) % 16}": 1 for i in range(16)}
        self.assertEqual(self.of("./rcc run permutation", scenario="testbed", groups=pairs(**every)), 640e9)
        self.assertEqual(self.of("./rcc run long-haul", scenario="testbed", groups=pairs(h1_h5=1, h2_h6=1, h3_h7=1, h4_h8=1)), 100e9)
        self.assertEqual(self.of("./rcc run testbed --links=h[1-4]-a,h[5-8]-b,a-b*2:25Gbps:1us", scenario="testbed",
                                 groups=pairs(h1_h5=1, h2_h6=1)), 50e9)
        self.assertEqual(self.of("./rcc run testbed --links=h[1-3]-s1 --rate=10Gbps", scenario="testbed",
                                 groups=pairs(h1_h3=1, h2_h3=1)), 10e9)

    def test_pairs_that_share_links_have_a_bound(self):
        """What hosts of one switch send to other switches is no more than its links, whoever else receives there."""
        racks = "'--links=h[0-15]=t[0-3],t[0-3]-s0'"
        for flows, rate in (("h[0-11]=h[4-15],h[12-15]=h[0-3]", 160e9), ("h[0-3]-h[0-3]", 160e9), ("h[0-3]=h[4-7],h[0-3]-h[0-3]", 160e9),
                            ("h[4-15]-h0", 40e9)):
            what = asked.of(f"./rcc run testbed {racks} '--flows={flows}' --rate=40Gbps", {"scenario": "testbed"})
            self.assertEqual(capacity.known(what, {"scenario": "testbed"}), (rate, flows == "h[4-15]-h0"), flows)
        one = asked.of("./rcc run testbed '--links=h[0-399]=t[0-9],t[0-9]-s'", {"scenario": "testbed"})
        self.assertEqual(questions.answer({"scenario": "testbed"}, one), {"capacity_bps": 16e12, "capacity_at_most": True})

    def test_default_links(self):
        """Those that help shows, and the same as with the links given."""
        four = pairs(h1_h5=1, h2_h5=1)
        for name in ("testbed", "unfairness"):
            self.assertEqual(self.of(f"./rcc run {name}", scenario="testbed", groups=four), 40e9)
            self.assertEqual(self.of(f"./rcc run {name} --rate=10Gbps", scenario="testbed", groups=four), 10e9)
        self.assertIsNone(self.of("./rcc compare a b", scenario="testbed", groups=four))   # no command of a network
        self.assertEqual(self.of("./rcc run collective", scenario="collective"), 1600e9)
        self.assertEqual(self.of("./rcc run collective --links=h[0-15]=t[0-3],t[0-3]-s[0-3]", scenario="collective"), 1600e9)

    def test_an_experiment_file(self):
        """It has the links; options beside it come in their place."""
        content = {"links": ["h[1-2]-s1", {"nodes": "h[3-4]-s2", "rate": "20Gbps"}, {"nodes": "s1-s2", "rate": "5Gbps", "parallel": 2}],
                   "flows": [{"hosts": "h[1-2]=h[3-4]", "size": "1MB"}], "rate": 10e9}
        run = with_experiment({"scenario": "testbed"}, content)
        self.assertEqual(self.of("./rcc run f.json", **run), 10e9)
        self.assertEqual(self.of("./rcc run f.json --links=h[1-2]-s1,h[3-4]-s1", **run), 20e9)
        self.assertEqual(self.of("./rcc run f.json --links=h[1-2]-s1,h[3-4]-s1 --rate=1Gbps", **run), 2e9)
        self.assertEqual(asked.of("./rcc run f.json", run).scenario, "testbed")
        for broken in ({}, {"links": 5, "flows": [3, {}], "rate": []}, {"links": [{"nodes": 7, "rate": {}}]}):
            self.assertIsNone(self.of("./rcc run f.json", **with_experiment(run, broken)), broken)

    def test_several_receivers_behind_the_cut(self):
        """What one receiver gets is not what the cut carries."""
        def run(port, bottleneck=40e9, use=0.1255, rates=(4.7e9, 4.72e9), receivers=("h3", "h4"), **more):
            groups = [{"name": f"h{i}-{to}", "flows": 1, "mean_bps": rate, "delivered_bytes": 1e6}
                      for i, (to, rate) in enumerate(zip(receivers, rates), 1)]
            return {"scenario": "testbed", "congested_port": f"switch port {port}", "bottleneck_bps": bottleneck, "utilization": use,
                    "groups": groups, "bytes_delivered": 2.12e6, "send_utilization": 0.5, **more}

        def used(links, of_run):
            command = f"./rcc run testbed --links={links} --rate=40Gbps"
            return questions.answer(of_run, asked.of(command, of_run))["used"]
        two = "h[1-2]-s1,h[3-4]-s2,s1-s2"
        self.assertAlmostEqual(used(two + ":10Gbps", run("s2>h3")), 0.942 * 1.06)     # 6 % of the wire are headers
        self.assertAlmostEqual(used(two + ":10Gbps", run("s2>h3", rates=(1e9, 1e9))), 0.2 * 1.06)
        self.assertAlmostEqual(used(two, run("s2>h3", use=0.5, rates=(18e9, 18.5e9))), 36.5 / 40 * 1.06)   # a cut as fast as the port
        self.assertEqual(used(two + ":10Gbps", run("s2>h3", rates=(9e9, 9e9))), 1)
        self.assertEqual(used(two + ":10Gbps", run("s1>s2", 10e9, 0.97)), 0.97)          # the cut itself is watched
        self.assertAlmostEqual(used(two + ":10Gbps", run("s2>h3", 40e9, 0.24, receivers=("h3", "h3"))), 0.96)    # one receiver
        self.assertAlmostEqual(used(two + ":10Gbps", run("s2>h3", bytes_delivered=None, send_utilization=0.2)), 0.8)

    def test_one_of_several_parallel_links(self):
        """What is sent and dropped uses no capacity; what a queue still holds from before comes out of it."""
        def used(links, port="a>b", **run):
            of_run = {"scenario": "testbed", "congested_port": f"switch port {port}", "bottleneck_bps": 50e9, "utilization": 1,
                      "groups": pairs(h1_h5=23e9, h2_h6=23e9), "bytes_delivered": 2, **run}
            command = f"./rcc run testbed --links=h[1-4]-a,h[5-8]-b,{links} --rate=100Gbps"
            return questions.answer(of_run, asked.of(command, of_run))["used"]
        for sent in (4, 0.02):
            self.assertAlmostEqual(used("a-b*2:50Gbps", send_utilization=sent), 0.46)
        self.assertAlmostEqual(used("a-c:50Gbps,c-b:50Gbps", "c>b"), 1)                  # the cut itself
        self.assertEqual(used("a-b*2:25Gbps", bottleneck_bps=25e9, utilization=0.9), 0.92)
        self.assertEqual(used("a-b*2:50Gbps", bytes_delivered=None, send_utilization=0.5), 0.25)
        one = {"bottleneck_bps": 100e9, "utilization": 0.46, "groups": pairs(h1_h5=46e9, h2_h5=46e9), "bytes_delivered": 2}
        self.assertAlmostEqual(used("a-b*2:100Gbps", **one), 0.92)                      # as fast as the cut, and one of two
        self.assertAlmostEqual(used("a-s[1-2],s[1-2]-b", "s1>b", **one), 0.92)
        self.assertAlmostEqual(used("a-b:100Gbps", **one), 0.92)                        # of one receiver behind it as well
        self.assertAlmostEqual(used("a-b:100Gbps", "b>h5", **one), 0.46)

    def test_a_collective_uses_what_arrives(self):
        run = {"scenario": "collective", "bottleneck_bps": 100e9, "utilization": 0.2, "send_utilization": 8.0, "sim_s": 1e-3,
               "window_s": [0, 1e-3], "bytes_delivered": 50e6}

        def used(**more):
            return questions.answer({**run, **more}, asked.of("./rcc run collective", run))["used"]
        self.assertAlmostEqual(used(), 0.25)
        self.assertAlmostEqual(used(window_s=[5e-4, 1e-3]), 0.5)    # of which nobody says what arrived

    def test_ranges_with_a_step_and_pairs_in_turn(self):
        """As the program reads them (lab/doc/testbed.md)."""
        self.assertEqual(capacity.names("h[10-30/10]"), ["h10", "h20", "h30"])
        self.assertEqual(capacity.names("h[1-2]x[0-5/3]"), ["h1x0", "h1x3", "h2x0", "h2x3"])
        self.assertEqual(capacity.pairs("h[1-4]~h[10-30/10]")[:4], [("h1", "h10"), ("h2", "h20"), ("h3", "h30"), ("h4", "h10")])
        self.assertEqual(len(capacity.pairs("h[1-4]~h[10-30/10]")), 12)
        self.assertEqual(capacity.pairs("h[1-4]~s[1-2]"), [("h1", "s1"), ("h2", "s2"), ("h3", "s1"), ("h4", "s2")])
        for links, rate in (("h[2-8/2]-s1,h1-s1:10Gbps", 10e9), ("h[2-8/2]~s1,h1-s1:10Gbps", 10e9),
                            ("h[2-8/2]~s[1-2],s[1-2]-t,h1-t:10Gbps", 10e9), ("h2-s1,h[4-8]~s[1-2],s[1-2]-t,h1-t:20Gbps", 20e9)):
            self.assertEqual(self.of(f"./rcc run testbed --links={links} --flows=h[2-8/2]-h1", scenario="testbed",
                                     groups=pairs(h2_h1=1, h4_h1=1, h6_h1=1, h8_h1=1)), rate, links)

    def test_as_many_flows_of_a_pattern(self):
        """Those of `count` have the pairs of different hosts in turn, each with its queue pairs."""
        self.assertEqual([f"{a}-{b}" for a, b in capacity.flow_pairs("h[1-4]-h[1-4]:cc=timely:count=10")],
                         ["h1-h2", "h1-h3", "h1-h4", "h2-h1", "h2-h3", "h2-h4", "h3-h1", "h3-h2", "h3-h4", "h4-h1"])
        self.assertEqual(len(list(capacity.flow_pairs("h[1-4]-h[1-4],h[1-3]~h[4-9]:count=4,h[1-2]-h3:count=5"))), 21)
        command = "./rcc run testbed --links=h[1-4]-s1 --flows="
        for flows, count, rate in (("h[1-4]-h[1-4]:count=10", 10, 160e9), ("h[1-2]-h[3-4]:count=2:qps=2", 4, 40e9)):
            name = flows.partition(":")[0]
            run = {"scenario": "testbed", "groups": [{"name": name, "flows": count}]}
            self.assertEqual(self.of(command + flows, **run), rate)
            self.assertEqual(sum(traffic.flows_from(asked.of(command + flows, run), run).values()), count)
        self.assertEqual(traffic.flows_from(asked.of(command + flows, run), run), {"h1": 4})

    def test_what_is_not_understood_has_no_capacity(self):
        groups = pairs(h1_h2=1)
        for links in ("h1-s1,h[2-s1", "h1-s1,h[2-1]-s1", "h1-s1,h[2-4/0]-s1", "h1-s1,h2+s1", "h[1-2]-s1,h[3-5]=s[1-2]", "h1-s1*x,h2-s1",
                      "h1-s1:fast,h2-s1", "h1-s1,h2-s1,", "h1-s1,h3-s1"):   # of the last one, a host of the flow is not there
            expected = 40e9 if links.endswith(",") else None
            self.assertEqual(self.of(f"./rcc run testbed --links={links}", scenario="testbed", groups=groups), expected, links)

    def test_an_incast_with_one_sender(self):
        self.assertEqual(self.of("./rcc run incast", scenario="incast", senders=8, rate_bps=40e9, bottleneck_bps=40e9), 40e9)

    def test_the_port_that_is_watched_is_no_cut(self):
        for program in ("trace", "my-network", "ns3-rdma"):
            self.assertIsNone(self.of("./rcc run trace step.goal --topology=leaf-spine", scenario=program, senders=8, rate_bps=100e9,
                                      bottleneck_bps=100e9), program)

    def test_a_command_of_somebody_else(self):
        for command in ("", "./rcc run testbed --links='", "./rcc run testbed --links=h[1-9999][1-9999][1-9999]-s1",
                        "./rcc run testbed --links=h[9-1]=s1,[-=],h1-s1*" + "9" * 5000, "./rcc run testbed --links=x",
                        "./rcc run clos --k=x --senders=y"):
            for program in ("testbed", "clos", "ns3-rdma"):
                self.of(command, scenario=program, senders=3, groups=pairs(h1_h2=1))


if __name__ == "__main__":
    unittest.main()
