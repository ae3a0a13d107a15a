# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run testbed, and the scenarios that are made of it: the notation of links and flows, what is refused, what is written."""
import csv
import json
import os
import re
import subprocess
import unittest

from support import RccTest, needs_programs, scenario as scenario_words

from evidence.published import reality_presets, reality_runs


@needs_programs
class Testbed(RccTest):

    def results(self, *words, scenario="testbed"):
        self.succeed("run", scenario, "--no-plots", f"--out={scenario}", *words)
        names = [name for name in os.listdir(self.path(scenario)) if os.path.isdir(self.path(scenario, name))]
        return {name: json.loads(self.read(scenario, name, "run.json")) for name in names}

    def rows(self, scenario, cc, name):
        return list(csv.DictReader(self.read(scenario, cc, name).splitlines()))

    def test_patterns(self):
        """One by one and all pairs give the groups that they say."""
        for flows, want in (("h[1-2]-h[3-4]", ["h1-h3", "h1-h4", "h2-h3", "h2-h4"]), ("h[1-2]=h[3-4]", ["h1-h3", "h2-h4"]),
                            ("h[1-4]=h[5-6]", ["h1-h5", "h2-h5", "h3-h6", "h4-h6"]), ("h[1-2]-h[1-2]", ["h1-h2", "h2-h1"])):
            run = self.results("--links=h[1-6]-s1", f"--flows={flows}", "--time=200us")["dcqcn"]
            self.assertEqual([g["name"] for g in run["groups"]], want)

    def test_parallel_links_carry_queue_pairs(self):
        run = self.results("--links=h1-a,h2-b,a-b*4", "--flows=h1-h2:qps=64:size=1MB", "--record=a>b", "--time=1ms")["dcqcn"]
        ports = [p for p in run["ports"] if p["name"].startswith("a>b")]
        self.assertEqual([p["name"] for p in ports], ["a>b", "a>b#2", "a>b#3", "a>b#4"])
        self.assertTrue(all(p["tx_frames"] > 0 for p in ports), ports)
        self.assertEqual(run["groups"][0]["delivered_bytes"], 1_000_000)
        run = self.results("--links=h1-s1,h2-s1", "--flows=h1-h2:qps=3:size=1MB", "--time=1ms")["dcqcn"]
        self.assertEqual(run["groups"][0]["delivered_bytes"], 1_000_000)

    def test_messages(self):
        """A round of 2 us there, 2 us back and 6 us of thought takes 10 us and the frames' time: there are 9 in 100 us, and four times as
        many at a depth of four. Messages without thought go together."""
        words = ("--links=h[1-2]-s1", "--rate=100Gbps")
        for time, depth, least, most in ((100, 1, 9000, 10000), (200, 1, 18000, 20000), (200, 4, 72000, 80000)):
            run = self.results(*words, f"--flows=h1-h2:size=1000B:messages=0:think=6us:depth={depth}", f"--time={time}us",
                               f"--window=1us-{time}us")["dcqcn"]
            self.assertTrue(least <= run["groups"][0]["delivered_bytes"] <= most, run["groups"])
        self.results(*words, "--flows=h1-h2:size=10KB:messages=4", "--time=1ms")
        flow, = self.rows("testbed", "dcqcn", "flows.csv")
        self.assertEqual((flow["size_bytes"], flow["delivered_bytes"]), ("40000", "40000"))

    def test_a_packet_of_each_queue_pair_is_lost(self):
        """--lose names a packet of a host: each of its queue pairs loses it once."""
        for qps in (1, 8):
            run = self.results("--links=h[1-2]-s1", f"--flows=h1-h2:size=80KB:qps={qps}", "--lose=h1:5", "--cc=none", "--rate=10Gbps",
                               "--time=5ms")["none"]
            self.assertEqual((run["frames_lost"], run["groups"][0]["delivered_bytes"]), (qps, 80000))

    def test_invariants_of_settings(self):
        """A flow's own control has its own least rate, and the warning of the run's control counts only its flows. Drops of a policer are
        what the settings ask for."""
        done = self.succeed("run", "testbed", "--links=h[1-81]-s1", "--flows=h[1-80]-h81:cc=dcqcn", "--cc=dcqcn-plus+r_min=0.05",
                            "--rate=40Gbps", "--time=1ms", "--check-invariants", "--no-plots")
        self.assertNotIn("r_min x flows", done.stderr + done.stdout)
        policed = self.results("--links=h[1-2]-s1", "--flows=h2-h1", "--police=s1>h1:1Gbps:64KB", "--check-invariants", "--time=2ms")
        self.assertGreater(policed["dcqcn"]["packets_dropped"], 0)

    def test_scope_of_cnps(self):
        """All of the packets marked: two senders get 250,000 CNPs a second together, or each."""
        words = ("--links=h[1-3]-s1", "--flows=h[1-2]-h3", "--preset=nic-default", "--set=dcqcn.mark_every=1,dcqcn.r_min=10Gbps",
                 "--time=1ms", "--rate=40Gbps")
        for more, want in (((), 250), (("--attr=RdmaNic.CnpPerDestination=true",), 500), (("--nic=cx4-lx",), 500),
                           (("--nic=cx4-lx", "--attr=RdmaNic.CnpPerDestination=false"), 250)):
            self.assertAlmostEqual(self.results(*words, *more)["dcqcn"]["cnps_sent"], want, delta=10)

    def test_marks_are_counted_at_both_ends(self):
        cc = "dcqcn-nic+mark_every=10"
        run = self.results("--links=h[1-3]-s1", "--flows=h[1-2]-h3", f"--cc={cc}", "--time=1ms")[cc]
        self.assertAlmostEqual(run["marked_by_switches"], run["packets_delivered"] / 10, delta=20)
        self.assertLess(run["first_mark_s"], 1e-4)
        self.assertEqual(run["parameters"]["mark_every"], "10")
        run = self.results("--links=h[1-3]-s1", "--flows=h[1-2]-h3", "--cc=dcqcn-nic", "--time=100us")["dcqcn-nic"]
        self.assertFalse({"mark_every", "min_dec_fac", "first_cnp_rate", "clamp_after_time", "start_rate"} & set(run["parameters"]))

    def test_parking_lot(self):
        """PFC alone: the sender in the receiver's rack has the most, or as much as the best of the others."""
        run = self.results("--cc=none", "--time=4ms", scenario="unfairness")["none"]
        rates = {g["name"]: g["mean_bps"] for g in run["groups"]}
        self.assertGreaterEqual(rates["h4-h5"], 0.95 * max(rates.values()))
        self.assertGreater(run["switch_pauses"], 0)
        self.assertEqual(run["packets_dropped"], 0)
        self.assertEqual({row["group"] for row in self.rows("unfairness", "none", "groups.csv")}, set(rates))

    def test_victim_and_long_haul(self):
        run = self.results("--cc=none", "--time=2ms", scenario="victim")["none"]
        self.assertEqual(len(run["groups"]), 7)
        self.assertEqual({row["port"] for row in self.rows("victim", "none", "ports.csv")}, {"t2>h9", "t4>h7"})
        run = self.results("--time=3ms", scenario="long-haul")["dcqcn"]
        self.assertEqual(run["parameters"]["min_dec_fac"], "0.95")
        self.assertGreater(run["packets_marked"], 0)
        self.assertEqual(run["congested_port"], "switch port a>b")

    def test_options_beside_those_of_a_scenario(self):
        """A scenario's options stay beside those of the user, go to the algorithms that they are for, and are in the help."""
        run = self.results("--time=1ms", "--cc=dcqcn,dcqcn-plus,none", "--set=DCQCN.g=1/16,dcqcn.timer=1ms", scenario="long-haul")
        self.assertEqual(sorted(run), ["dcqcn", "dcqcn-plus", "none"])
        found = {key: run["dcqcn"]["parameters"][key] for key in ("g", "timer", "min_dec_fac", "clamp_target")}
        self.assertEqual(found, {"g": "0.0625", "timer": "1ms", "min_dec_fac": "0.95", "clamp_target": "yes"})
        for time, window, said in (("30ms", [0.015, 0.02], "15ms-20ms"), ("600ms", [0.3, 0.4], "300ms-400ms"),
                                   ("5ms", [0.0025, 0.003333333], "2.5ms-3.333333ms")):
            done = self.succeed("run", "fan-in", f"--time={time}", "--no-plots", "--json")
            self.assertEqual(json.loads(done.stdout)["runs"][0]["window_s"], window)
            self.assertIn(f"rcc: note: --window={said} here: its default, 150ms-200ms, is for --time=300ms", done.stderr)
        done = self.rcc("run", "fan-in", "--time=1ms", "--window=2ms-10ms", "--no-plots")
        self.assertEqual(done.returncode, 2)
        text = " ".join(self.rcc("run", "long-haul", "--help-all").stdout.split())
        for fragment in ("(default: 100Gbps)", "(default: nic-default)", "(default: 35344KB)", "repeatable (default: h[1-4]=h[5-8]:qps=16"):
            self.assertIn(fragment, text)

    def test_hosts_with_several_ports(self):
        """Two planes carry more than a link of either: queue pairs are spread over the ports of a host (lab/doc/testbed.md)."""
        words = ("--cc=none", "--time=4ms", "--flows=h1-h3:qps=8,h2-h3:qps=8")
        one = self.results("--links=h[1-3]-a", *words)["none"]
        two = self.results("--links=h[1-3]-a,h[1-3]-b", *words)["none"]
        rate = {run: sum(group["mean_bps"] for group in found["groups"]) for run, found in (("one", one), ("two", two))}
        self.assertLess(rate["one"], 40e9)
        self.assertGreater(rate["two"], 1.9 * rate["one"])

    def test_probes(self):
        """Each message waits as long as the queue is: latency percentiles behind PFC alone are those of a full buffer."""
        runs = self.results("--cc=none,dcqcn", "--time=12ms", scenario="probes")
        none, dcqcn = runs["none"], runs["dcqcn"]
        for run in (none, dcqcn):
            self.assertGreater(run["fct"]["count"], 60)
            self.assertEqual(run["fct"]["count"] + run["incomplete"], 200)
        self.assertAlmostEqual(none["fct"]["p50_s"] / (none["queue"]["p50_bytes"] * 8 / 40e9 + 4.6e-6), 1, delta=0.05)
        self.assertLess(dcqcn["fct"]["p99_s"], none["fct"]["p50_s"] / 5)
        self.assertGreater(none["jain"], 0.99)  # the two long flows

    def test_permutation(self):
        """Hosts that share no uplink have the rate of their link, and nobody less than those who share one with all of a rack."""
        run = self.results("--cc=none", "--time=2ms", "--window=1ms-2ms", scenario="permutation")["none"]
        self.assertEqual([g["name"] for g in run["groups"]], [f"h{i}-h{(i + 4) % 16}" for i in range(16)])
        rates = [g["mean_bps"] / 1e9 for g in run["groups"]]
        self.assertGreater(max(rates), 37)
        self.assertGreater(min(rates), 4)
        self.assertEqual(run["packets_dropped"], 0)

    def test_classes(self):
        """Queues 3 and 4 lose nothing, queues 0 and 1 do; answers keep to their classes; what is not ECN-capable is not marked."""
        words = ("--links=h[0-3]-s1", "--rate=100Gbps", "--lossless=3,4", "--buffer=4MB", "--time=2ms",
                 "--attr=QbbSwitch.EgressAlpha=0.125,RdmaNic.ControlClass=6,RdmaNic.CnpClass=5")
        for ecn in ("not-ect", "ect0"):
            flows = f"--flows=h0-h3:class=3:ecn={ecn},h1-h3:class=4:ecn={ecn},h2-h3:class=0:ecn={ecn},h2-h3:class=1:ecn={ecn}"
            run = self.results(flows, *words)["dcqcn"]
            by = {c["class"]: c for c in run["classes"]}
            self.assertEqual([by[c]["drops"] + by[c]["naks"] for c in (3, 4)], [0, 0])
            self.assertGreater(min(by[c]["drops"] for c in (0, 1)), 0)
            self.assertEqual({c for c in by if by[c]["acks"]}, {6})
            self.assertEqual({c for c in by if by[c]["cnps"]}, {5} if ecn == "ect0" else set())
            self.assertEqual(run["packets_marked"] > 0, ecn == "ect0")
            if ecn == "not-ect":
                self.assertGreater(min(by[c]["pauses"] for c in (3, 4)), 0)

    def test_marked_at_the_source(self):
        run = self.results("--links=h[1-2]-s1", "--flows=h1-h2:class=3:ecn=ce", "--time=1ms")["dcqcn"]
        one = next(c for c in run["classes"] if c["class"] == 3)
        self.assertEqual(one["marked"], one["data"])
        self.assertGreater(run["cnps_sent"], 0)
        self.assertEqual(run["marked_by_switches"], 0)

    def test_a_lost_packet_beside_other_flows(self):
        """Packets of another queue pair to the same receiver do not end a gap: the sender gets the NAK a round trip of 4 us later."""
        run = self.results("--links=h[1-3]-s1", "--flows=h1-h3:size=100KB,h2-h3:size=100KB", "--lose=h1:49", "--lossy", "--rate=100Gbps",
                           "--cc=none", "--time=1ms")["none"]
        self.assertEqual((run["naks"], run["timeouts"], len(run["retransmission_s"])), (1, 0, 1))
        self.assertGreater(run["retransmission_s"][0], 4e-6)

    def test_gaps_of_lost_packets(self):
        """Selective repeat discards nothing behind a gap; two gaps are two times; what no packet followed, and comes again with what had
        come, leaves none."""
        words = ("--links=h[1-2]-s1", "--flows=h1-h2:size=10KB", "--rate=100Gbps", "--cc=none", "--mtu=1000", "--rto=1ms", "--time=5ms")
        for recovery in ("go-back-n", "selective", "irn"):
            for lost, gaps in ((("h1:4",), 1), (("h1:2", "h1:6"), 2), (("h1:0",), 1), (("h1:9",), 0)):
                run = self.results(*words, "--lose=" + ",".join(lost), f"--attr=RdmaNic.Recovery={recovery}")["none"]
                self.assertEqual((run["frames_lost"], len(run["retransmission_s"]), run.get("incomplete", 0)), (len(lost), gaps, 0),
                                 (recovery, lost, run["retransmission_s"]))
                for one in run["retransmission_s"]:   # a round trip of 4 us, and what is in the way
                    self.assertTrue(4e-6 < one < 8e-6, (recovery, lost, one))

    def test_telemetry_of_several_paths(self):
        """A warning where packets of a flow take several paths and the records do not say which."""
        several, four = "--links=h[1-4]-l1,h[5-8]-l2,l1-l2*4", "--links=h[1-4]-l1,h[5-8]-l2,l[1-2]-p[1-4]"
        spray = "--attr=QbbSwitch.LoadBalancing=random,RdmaNic.Recovery=selective"
        for links, attr, cc, said in ((several, spray, "hpcc:paper", "paper has a path id that parallel links share"),
                                      (four, spray, "hpcc:paper", None), (several, "--time=10us", "hpcc:paper", None),
                                      (four, spray, "powertcp:ns3-datacenter", "int_form simulator has no path id"),
                                      (several, spray, "hpcc:pint", None), (several, spray, "dcqcn", None)):
            run = self.results(links, "--flows=h[1-4]-h[5-8]:size=10KB", f"--cc={cc}", "--time=10us", *([attr] if attr == spray else []))
            found = [text for one in run.values() for text in one["warnings"] if "telemetry" in text]
            self.assertEqual([said in text for text in found] if said else found, [True] if said else [], (links, cc))
        for rate, cc, wrong in (("4.9Mbps", "hpcc", True), ("5Mbps", "hpcc", False), ("25.78125Gbps", "hpcc", False),
                                ("4.9Mbps", "dcqcn", False)):
            run = self.results("--links=h[1-3]-s1", "--flows=h[1-2]-h3:size=1KB", f"--rate={rate}", f"--cc={cc}", "--time=10us",
                               "--set=hpcc.r_min=1Mbps,dcqcn.r_min=1Mbps")[cc]
            self.assertEqual(["whole Mb/s" in text for text in run["warnings"] if "telemetry" in text], [True] * wrong, (rate, cc))

    def test_flows_with_an_algorithm_of_their_own_are_counted(self):
        """In run.json, with their parameters, under every algorithm of --cc: one of their own is there under its own name too."""
        words = ("--links=h[1-4]-s1", "--flows=h1-h4:cc=timely:qps=2,h2-h4:cc=timely,h3-h4:cc=hpcc,h1-h3", "--cc=hpcc,dcqcn")
        for run in self.results(*words, "--set=timely.beta=0.5", "--time=50us").values():
            self.assertEqual({name: own["flows"] for name, own in run["own_algorithms"].items()}, {"timely": 3, "hpcc": 1})
            self.assertEqual([own["parameters"].get("beta") for own in run["own_algorithms"].values()], ["0.5", None])
        self.put("many.json", json.dumps({"links": ["h[0-8]-s0"], "flows": [{"hosts": "h[0-7]-h8", "count": 9, "cc": "dcqcn"}],
                                          "time": "50us"}))
        done = self.succeed("run", "many.json", "--cc=none", "--no-plots", "--out=many")
        self.assertIn("cannot act: none: flows 9, with the run's algorithm 0: each has its own: dcqcn", " ".join(done.stdout.split()))
        self.assertNotIn("own_algorithms", self.results("--links=h[1-2]-s1", "--flows=h1-h2", "--time=50us")["dcqcn"])

    def test_a_nic_goes_before_the_preset_of_a_scenario(self):
        """long-haul has a preset of its own; who names a NIC gets that of the NIC, and who names both his preset."""
        for words, preset in ((("--nic=cx3-pro",), "paper"), (("--nic=cx3-pro", "--preset=cx4"), "cx4"), ((), "nic-default")):
            self.assertEqual(self.results(*words, "--time=1ms", scenario="long-haul")["dcqcn"]["preset"], preset, words)

    def test_nics_are_those_of_the_reality_table(self):
        """`--nic=NAME` has the parameters and the delays that lab/evidence/published/reality_presets.py says of it."""
        names = re.search("expected one of (.*)", self.rcc("run", "testbed", "--nic=cx9").stderr).group(1).split(", ")
        self.assertEqual(len(names), 7)
        lossy = ("--links=h[1-2]-s1", "--flows=h1-h2:size=100KB", "--lose=h1:49", "--lossy", "--rate=100Gbps", "--time=1ms")
        for name in names:
            named = self.results(f"--nic={name}", *lossy)["dcqcn"]
            words = self.results(*reality_runs.dcqcn(name), *lossy)["dcqcn"]
            self.assertEqual(named["parameters"], words["parameters"], name)
            again = re.search(r"sent again ([\d.]+) \+ ([\d.]+) us later", reality_presets.NICS[name].beside)
            delay = 1e-6 * sum(map(float, again.groups())) if again else 0
            self.assertAlmostEqual(named["retransmission_s"][0] - words["retransmission_s"][0], delay, delta=0.2e-6, msg=name)

    def test_dropped_frames_of_all_kinds_have_a_class(self):
        run = self.results("--links=h[1-8]=t[1-2],t[1-2]-s[1-2]", "--flows=h[1-7]-h8:size=500KB:class=3", "--cc=dcqcn", "--rate=40Gbps",
                           "--buffer=300KB", "--lossy", "--rto=500us", "--time=5ms", "--attr=RdmaNic.Recovery=selective",
                           "--attr=QbbSwitch.EcmpPerPacket=true", "--attr=QbbSwitch.TrimSize=128")["dcqcn"]
        self.assertGreater(run["packets_dropped"], 0)
        self.assertEqual(sum(c["drops"] for c in run["classes"]), run["packets_dropped"])

    def test_trimmed_frames_are_counted(self):
        """Where switches trim: each of the headers asks for its packet with a NAK, and none is dropped. Elsewhere the number is absent."""
        words = ("--links=h[1-3]-s1", "--flows=h[1-2]-h3:size=500KB", "--cc=none", "--lossy", "--time=5ms",
                 "--attr=RdmaNic.Recovery=selective")
        whole = self.results(*words, "--buffer=200KB")["none"]
        self.assertGreater(whole["packets_dropped"], 0)
        self.assertNotIn("frames_trimmed", whole)
        run = self.results(*words, "--attr=QbbSwitch.TrimSize=64", "--buffer=200KB")["none"]
        self.assertEqual((run["packets_dropped"], run["frames_trimmed"] > 0), (0, True))
        self.assertEqual(run["frames_trimmed"], run["packets_repeated"])
        self.assertIn("trimmed", self.read("testbed", "report.html"))
        run = self.results(*words, "--attr=QbbSwitch.TrimSize=64")["none"]
        self.assertEqual(run["frames_trimmed"], 0)

    def test_a_host_that_is_linked_to_another(self):
        """It sends to a third one through the switch: hosts do not forward."""
        run = self.results("--links=h1-h2,h[1-3]-s1", "--flows=" + ",".join(["h1-h3:size=10KB"] * 8), "--cc=none", "--time=1ms")["none"]
        self.assertEqual([g["delivered_bytes"] for g in run["groups"]], [10_000] * 8)

    def test_the_limit_of_fast_ports(self):
        """AlphaRate doubles Alpha here, whose limit is that of Alpha 0.25; the queue stands there."""
        limits = []
        for attr in ("QbbSwitch.AlphaRate=30Gbps", "QbbSwitch.Alpha=0.25"):
            run = self.results("--links=h[1-5]-s1", "--flows=h[1-4]=h5", "--cc=none", "--time=3ms", f"--attr={attr}")["none"]
            limits.append(run["pfc_limit_bytes"])
            self.assertAlmostEqual(run["queue"]["mean_bytes"] / limits[-1], 1, delta=0.02)
        self.assertEqual(limits[0], limits[1])

    def test_tcp_beside_queue_pairs(self):
        run = self.results("--links=h[1-3]-s1", "--flows=h1-h3:start=1ms:rate=2Gbps", "--tcp=h[1-2]-h3:connections=2", "--rate=10Gbps",
                           "--time=40ms", "--window=20ms-40ms")["dcqcn"]
        self.assertEqual([(g["name"], g["connections"]) for g in run["tcp"]], [("h1-h3", 2), ("h2-h3", 2)])
        self.assertGreater(min(g["mean_bps"] for g in run["tcp"]), 1e9)
        self.assertAlmostEqual(run["groups"][0]["mean_bps"] / 1e9, 1.9, delta=0.2)
        self.assertNotIn("tcp", self.results("--time=100us")["dcqcn"])

    def test_a_host_that_emits_pfc(self):
        run = self.results("--links=h[1-2]-s1", "--flows=h1-h2", "--cc=none", "--rate=100Gbps", "--mtu=4096",
                           "--pause=h2:share=0.9:start=1ms", "--time=2ms", "--window=1ms-2ms")["none"]
        self.assertAlmostEqual(run["groups"][0]["mean_bps"] / 1e9, 10, delta=1)
        self.assertGreater(run["first_pause_s"], 1e-3)
        self.assertEqual(run["packets_dropped"], 0)
        run = self.results("--links=h[1-2]-s1", "--flows=h1-h2", "--cc=none", "--rate=100Gbps", "--pause=h2:stop=1ms", "--marks",
                           "--time=2ms", "--window=10us-1ms")["none"]
        self.assertEqual(run["groups"][0]["mean_bps"], 0)
        self.assertGreater(run["groups"][0]["delivered_bytes"], 10_000_000)

    def test_arrivals(self):
        """Hadoop sizes beside incasts: as many bytes as the loads say, every flow ends, and a lone flow has a slowdown of 1."""
        words = ("--links=h[0-15]=t[0-3],t[0-3]-s[0-1]:200Gbps", "--rate=100Gbps", "--load-counts=payload")
        run = self.results(*words, "--time=1ms", "--arrivals=fb-hadoop:0.3", "--incasts=8:50KB:0.02:2", "--scale-thresholds",
                           "--kmin=400KB", "--kmax=1600KB")["dcqcn"]
        rows = self.rows("testbed", "dcqcn", "flows.csv")
        sizes = [int(row["size_bytes"]) for row in rows]
        incasts = [row for row in rows if row["size_bytes"] == "50000"]
        self.assertEqual(run["incomplete"], 0)
        self.assertEqual(len(incasts) % 16, 0)
        self.assertGreater(len(incasts), 0)
        self.assertAlmostEqual((sum(sizes) - 50000 * len(incasts)) * 8 / (16 * 1e8), 0.3, delta=0.1)
        self.assertTrue(all(row["src"] != row["dst"] for row in rows))
        self.assertGreaterEqual(run["slowdown"]["p50"], 1)
        few = self.results(*words, "--arrivals=fb-hadoop:0.0005", "--time=20ms")["dcqcn"]
        self.assertAlmostEqual(few["slowdown"]["p50"], 1, places=6)

    def test_marked_packets(self):
        run = self.results("--links=h[0-1]-s1", "--flows=h0-h1:size=60KB:start=10us", "--pause=h1:stop=1ms", "--marks", "--mtu=2",
                           "--kmin=400KB", "--kmax=800KB", "--cc=dcqcn-nic", "--set=dcqcn-nic.mark_at=enqueue,dcqcn.r_min=100Gbps",
                           "--rate=100Gbps", "--buffer=64MB", "--time=2ms")["dcqcn-nic"]
        packets = [int(row["packet"]) for row in self.rows("testbed", "dcqcn-nic", "marks.csv")]
        self.assertEqual(len(packets), run["marked_by_switches"])
        self.assertGreaterEqual(min(packets), 400_000 // 64 - 1)
        self.assertEqual([p for p in packets if p >= 800_000 // 64], list(range(800_000 // 64, 30_000)))

    def test_collective(self):
        """One switch, nothing shared: a step takes the message's time on the link, the path's and the gap."""
        words = ("--links=h[0-3]-s1", "--rate=100Gbps", "--size=4MB", "--delay=1us", "--cc=none")
        run = self.results(*words, scenario="collective")["none"]["collective"]
        step = (1e6 + 245 * 62) * 8 / 100e9
        self.assertEqual((run["steps"], run["rounds"], run["ranks"]), (6, 1, 4))
        self.assertAlmostEqual(run["step_p50_s"], step + 4.4e-6, delta=0.3e-6)
        self.assertAlmostEqual(run["bus_bps"], 4e6 * 8 * 1.5 / run["time_s"], delta=1e6)
        slow = self.results(*words, "--gap=50us", "--rounds=2", "--qps=2", scenario="collective")["none"]["collective"]
        self.assertAlmostEqual(slow["time_s"] - run["time_s"], 5 * 50e-6, delta=5e-6)
        rows = self.rows("collective", "none", "steps.csv")
        self.assertEqual([(row["round"], row["step"]) for row in rows], [(str(r), str(s)) for r in range(2) for s in range(6)])
        for a, b in zip(rows, rows[1:]):
            self.assertAlmostEqual(float(b["start_s"]) - float(a["end_s"]), 50e-6, places=9)
        run = self.results(*words, "--operation=all-to-all", scenario="collective")["none"]["collective"]
        self.assertEqual(run["steps"], 3)
        self.assertAlmostEqual(run["bus_bps"], 4e6 * 8 * 0.75 / run["time_s"], delta=1e6)
        self.assert_refused(self.rcc("run", "collective", "--operation=sum"), "--operation")
        run = self.results("--links=h[1-4]-s1", "--operation=all-to-all", "--size=7B", "--cc=none", scenario="collective")["none"]
        sent = sum(int(row["delivered_bytes"]) for row in self.rows("collective", "none", "flows.csv"))
        self.assertEqual((run["collective"]["size_bytes"], sent), (8, 24))    # a part for each of four ranks, of which one stays
        self.assertIn("collective: size=7B is 8B here: each of 4 messages has whole bytes", run["warnings"])

    def test_collective_without_barriers(self):
        """With equal ranks a ring takes the same time with and without barriers. Beside a slow rank the steps overlap, at its
        rate. An all-to-all whose messages begin together is one step."""
        words = ("--rate=100Gbps", "--size=4MB", "--delay=1us", "--cc=none", "--rounds=2", "--qps=2", "--gap=5us")
        links = "--links=h[0-3]-s1"
        found = {sync: self.results(links, *words, f"--sync={sync}", scenario="collective")["none"]["collective"]
                 for sync in ("barrier", "data")}
        self.assertEqual((found["data"]["sync"], found["data"]["steps"], found["data"]["rounds"]), ("data", 6, 2))
        self.assertAlmostEqual(found["data"]["step_p50_s"], found["barrier"]["step_p50_s"], delta=1e-6)
        self.assertAlmostEqual(found["data"]["time_s"], found["barrier"]["time_s"] + 2.5e-6, delta=3e-6)
        rows = self.rows("collective", "none", "steps.csv")
        self.assertEqual([(row["round"], row["step"]) for row in rows], [(str(r), str(s)) for r in range(2) for s in range(6)])
        overlaps = {}
        for sync in ("barrier", "data"):   # h3 receives at half the rate: the others run ahead of it
            run = self.results("--links=h[0-2]-s1,h3-s1:50Gbps", *words, f"--sync={sync}", scenario="collective")["none"]["collective"]
            rows = self.rows("collective", "none", "steps.csv")
            ends = [float(row["end_s"]) for row in rows]
            self.assertEqual(ends, sorted(ends))
            overlaps[sync] = sum(float(b["start_s"]) < float(a["end_s"]) for a, b in zip(rows, rows[1:]))
            self.assertAlmostEqual(run["bus_bps"], 47e9, delta=3e9)
        self.assertEqual((overlaps["barrier"], overlaps["data"]), (0, 11))
        run = self.results(links, *words, "--operation=all-to-all", "--sync=data", scenario="collective")["none"]["collective"]
        self.assertEqual((run["steps"], run["rounds"]), (1, 2))
        self.assertGreater(run["bus_bps"], 0.9 * 100e9 * 4096 / 4158)

    def test_cut_short(self):
        """A run that a deadlock ends within its window has means until then."""
        done = self.rcc("run", "testbed", "--links=h[1-5]=s[1-5],s1-s2,s2-s3,s3-s4,s4-s5,s5-s1", "--cc=none", "--rate=10Gbps",
                        "--flows=h1-h3,h2-h4,h3-h5,h4-h1,h5-h2", "--buffer=1MB", "--time=40ms", "--window=0.1ms-40ms", "--no-plots",
                        "--out=cut")
        self.assertEqual(done.returncode, 3, done.stderr)
        run = json.loads(self.read("cut", "none", "run.json"))
        self.assertIs(run["partial"], True)
        begin, end = run["window_s"]
        for group in run["groups"]:
            self.assertLessEqual(group["mean_bps"] * (end - begin), 8 * group["delivered_bytes"])
            self.assertGreater(group["mean_bps"], 0)

    def test_means_of_flows_that_end(self):
        """Without --window the averages of flows that end cover the run, whether it ends before the middle of --time or after it:
        groups, TCP beside them and CNPs count all of it."""
        for words in (("--time=200ms",), ("--time=80ms",), ("--time=80ms", "--window=2ms-5ms"), ("--time=200ms", "--window=180ms-190ms")):
            run = self.results("--links=h[1-4]-s1", "--flows=h1-h3:size=3MB,h2-h3:size=1500KB:repeat=2:every=1ms", "--rate=1Gbps",
                               "--tcp=h4-h2", *words)["dcqcn"]
            begin, end = run["window_s"]
            if len(words) == 1:
                self.assertEqual((begin, end), (0, run["sim_s"]))
                self.assertEqual([round(g["mean_bps"] * end) for g in run["groups"]], [24_000_000, 24_000_000])
                self.assertAlmostEqual(run["tcp"][0]["mean_bps"] * end, 8 * run["tcp"][0]["delivered_bytes"], delta=1)
                self.assertEqual(run["cnps_in_window"], run["cnps_sent"])
                self.assertGreater(min(run["cnps_sent"], run["tcp"][0]["delivered_bytes"]), 0)
                continue
            delivered = sum(float(row["goodput_bps"]) for row in self.rows("testbed", "dcqcn", "flows.csv")) * (end - begin)
            self.assertAlmostEqual(sum(g["mean_bps"] for g in run["groups"]) * (end - begin), delivered, delta=100)

    def test_a_long_queue(self):
        """Percentiles of a queue above 16 MB lie where the queue is."""
        queue = self.results("--links=h[1-9]-s1:100Gbps:1us", "--flows=h[1-8]-h9", "--lossy", "--buffer=50MB", "--cc=none", "--time=6ms",
                             "--window=5ms-6ms")["none"]["queue"]
        self.assertGreater(queue["mean_bytes"], 49e6)
        for name in ("p50_bytes", "p95_bytes", "p99_bytes"):
            self.assertAlmostEqual(queue[name], queue["mean_bytes"], delta=0.001 * queue["mean_bytes"])
            self.assertLessEqual(queue[name], queue["max_bytes"])

    def test_refused(self):
        for words, fragment in ((("--nic=cx9",), "expected one of nic-default"), (("--lossless=9",), "expected 0 to 7"),
                                (("--flows=h1-h5:ecn=red",), "ecn is 'red'"), (("--lose=h1",), "expected HOST:PACKET"),
                                (("--pause=h1:colour=red",), "expected HOST"), (("--arrivals=web-search",), "expected SIZES:LOAD"),
                                (("--arrivals=web-serch:0.1",), "did you mean web-search?"), (("--incasts=60:1KB",), "expected SENDERS"),
                                (("--incasts=9:1KB:0.1",), "expected 1 to 4"), (("--arrivals=web-search:0.1", "--flows=h1-h5"), "--flows"),
                                (("--links=h1",), "expected A-B, A=B or A~B"), (("--links=h[3-1]-s1",), "expected ranges"),
                                ((f"--links=h[1-{'9' * 5000}]-s1",), "expected ranges"),
                                (("--links=h1-s1*x",), "number of parallel links"), (("--links=h1-h1",), "to itself"),
                                (("--links=h[1-3]=s[1-2]",), "as many names"),
                                (("--flows=h1-h9",), "expected a host of --links"), (("--flows=h1-h5:colour=red",), "expected A-B"),
                                (("--flows=h1-h5:start=2ms:stop=1ms",), "stop after start"), (("--record=t9>h1",), "--record names"),
                                (("--flows=h1-h5:within=2ms:stop=1ms",), "stop after all starts"),
                                (("--flows=h1-h5:size=1KB:repeat=3:every=1ms:stop=2ms",), "stop after all starts"),
                                (("--watch=t9>h1",), "--watch names"), (("--police=t9>h1:1Gbps",), "--police names"),
                                (("--police=t1>h1",), "expected SWITCH>NODE:RATE"),
                                (("--flows=h1-h5:depth=4",), "expected a size"),
                                (("--attr=QbbNetDevice.ClassWeights=4",), "CLASS:WEIGHT joined"),
                                (("--attr=QbbNetDevice.ClassWeights=4:0",), "expected"),
                                (("--attr=QbbNetDevice.ClassWeights=3:4,3:1",), "CLASS:WEIGHT joined"),
                                (("--police=t1>h1:1Gbps,t1>h1:2Gbps",), "each port once"),
                                (("--flows=h1-h5:size=3B:qps=5",), "expected a byte of the size for each"),
                                (("--links=h1-s1,h2-s2", "--flows=h1-h2"), "links: node h1 cannot be reached from switch s2, expected"),
                                (("--strict=8",), "expected"),
                                (("--flows=h1-h1",), "expected two different hosts"), (("--tcp=h1-h1",), "expected two different hosts"),
                                (("--flows=h[1-4]=h[1-4]",), "expected two different hosts"),
                                (("--links=h[0-32767]-s1,g[0-32767]-s1",), "switch s1 has more than 65535 ports"),
                                (("--dscp-map=64:3",), "has '64:3', expected DSCP:CLASS"), (("--dscp-map=26:3,26:4",), "'26:4'"),
                                (("--flows=h1-h5:dscp=26",), "expected a DSCP that --dscp-map lists"),
                                (("--flows=h1-h5:dscp=26:class=4", "--dscp-map=26:3"), "expected class=3 or none"),
                                (("--flows=h1-h5:dscp=64",), "expected 0 to 63"), (("--attr=RdmaNic.CnpDscp=65",), "expected uint8_t 0:64"),
                                (("--tcp=h1-h5:colour=red",), "expected A-B"), (("--tcp=h1-h9",), "expected a host"),
                                (("--tcp=h1-h5:cc=vegas",), "expected cc= one of"),
                                (("--tcp=h1-h5", "--attr=QbbNetDevice.Mtu=9001"), "expected 576 to 9000 beside --tcp")):
            self.assert_refused(self.rcc("run", "testbed", *words), fragment)

    def test_a_pair_of_hosts_has_its_own_tcp(self):
        """As ns-3's attribute gives all of them; both beside each other are neither's alone."""
        def delivered(*words):
            run = self.results("--links=h[1-3]-s1:10Gbps", "--flows=h2-h3:rate=2Gbps", "--lossy", "--buffer=100KB", "--cc=none",
                               "--time=60ms", *words)["none"]
            return [group["delivered_bytes"] for group in run["tcp"]]

        mine, theirs = delivered("--tcp=h1-h3:cc=dctcp"), delivered("--tcp=h1-h3", "--attr=TcpL4Protocol.SocketType=ns3::TcpDctcp")
        self.assertEqual(mine, theirs)
        self.assertNotEqual(mine, delivered("--tcp=h1-h3"))
        self.assertEqual(delivered("--tcp=h1-h3:cc=cubic"), delivered("--tcp=h1-h3"))
        two = delivered("--tcp=h1-h3:cc=dctcp", "--tcp=h1-h3:cc=newreno")
        self.assertNotEqual(two[0], two[1])

    def test_tcp_that_got_nothing_is_told(self):
        """In a run that ends with its last RDMA flow, before the addresses of IP are resolved; not in one that goes on."""
        for flow, nothing in (("h1-h3:size=1MB", True), ("h1-h3", False)):
            done = self.rcc("run", "testbed", "--links=h[1-3]-s1:10Gbps", f"--flows={flow}", "--tcp=h2-h3", "--cc=none", "--time=40ms",
                            "--no-plots", "--out=tcp")
            run = json.loads(self.read("tcp", "none", "run.json"))
            self.assertEqual(run["tcp"][0]["delivered_bytes"] == 0, nothing, flow)
            self.assertEqual("--tcp=h2-h3 delivered nothing: it begins at 0s, the run ended at " in done.stderr, nothing, flow)

    def test_what_does_nothing_beside_others_is_refused(self):
        """An option without effect is refused with its default value too: its user counts on it."""
        cioq = ("--cioq", "--links=h[1-2]-s1", "--flows=h1-h2", "--cc=qcn")
        for words, said in ((("--drain=1s",), "--drain is '1s', expected none beside --flows"),
                            (("--flows=h1-h5", "--drain=5s"), "--drain is '5s', expected none beside --flows"),
                            (("--load-counts=wire",), "--load-counts is 'wire', expected none beside --flows"),
                            (("--lossy", "--lossless=3"), "--lossless is '3', expected none beside --lossy"),
                            (("--lossy", "--attr=QbbSwitch.Alpha=0.125"),
                             "--attr has 'QbbSwitch.Alpha=0.125', expected no --lossy beside it"),
                            (("--lossy", "--deadlock=stop"), "--deadlock is 'stop', expected none beside --lossy"),
                            (("--lossy", "--storm-after=1ms"), "--storm-after is '1ms', expected none beside --lossy"),
                            (("--lossy", "--attr=QbbNetDevice.LinkPause=true"),
                             "--attr has 'QbbNetDevice.LinkPause=true', expected none beside --lossy"),
                            (("--snaplen=60",), "--snaplen is '60', expected --pcap or --capture with it"),
                            (("--plain", "--marks"), "--marks is given, expected none beside --plain"),
                            *(((*cioq, word), "--{} is '{}', expected none beside --cioq".format(*word[2:].split("=")))
                              for word in ("--buffer=1MB", "--kmin=5KB", "--kmax=200KB", "--pmax=0.1",
                                           "--deadlock=stop", "--storm-after=1ms", "--storm-action=report")),
                            ((*cioq, "--attr=QbbSwitch.CutThrough=64"),
                             "--attr has 'QbbSwitch.CutThrough=64', expected none beside --cioq"),
                            ((*cioq, "--lossy"), "--lossy is given, expected none beside --cioq"),
                            (("--flows=h1-h5:size=1KB:think=2us",), "expected messages beside think and depth"),
                            (("--flows=h1-h5:size=1KB:depth=2",), "expected messages beside think and depth"),
                            (("--flows=h1-h5:messages=3",), "expected a size of the messages"),
                            (("--flows=h1-h5:size=1KB:every=1us",), "expected repeat beside every")):
            with self.subTest(words):
                if {"--plain", "--cioq"} & set(words):      # options of files alone
                    done = subprocess.run(scenario_words("testbed", *words, "--check"), capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
                    self.assertIn(said, done.stderr)
                else:
                    self.assert_refused(self.rcc("run", "testbed", *words), said)
        self.results("--arrivals=web-search:0.1", "--drain=1ms", "--load-counts=wire", "--time=1ms", "--cc=none")
        self.results("--lossy", "--lossless=3,4", "--time=100us", "--cc=none")      # class 4 is marked
        self.results("--lossy", "--attr=QbbNetDevice.LinkPause=true", "--pause=h5:start=10us", "--time=100us", "--cc=none")
        self.results("--scale-thresholds", "--kmin=5KB", "--time=100us")
        self.assertEqual(self.rcc("run", "unfairness", "--lossy", "--cc=none", "--time=100us", "--no-plots").returncode, 0)


if __name__ == "__main__":
    unittest.main()
