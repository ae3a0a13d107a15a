# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--attr and ./rcc attributes: any attribute of any class, checked by ns-3 and recorded."""
import csv
import json
import unittest

from support import RccTest, needs_programs

from command.common import RccError
from command.run import grid, run
from command.run.scenarios import SCENARIOS

STAR = ("--links=h[1-3]-s1", "--flows=h[1-2]-h3", "--time=1ms", "--no-plots")
VOLATILE = ("wall_s", "peak_rss_bytes", "attributes")

# (items, a part of the error)
REFUSED = [
    ("QbbSwich.Alpha=2", "expected a type of ns-3; the nearest is 'QbbSwitch'"),
    ("QbbSwitch.EgresAlpha=2", "expected an attribute of QbbSwitch; the nearest is 'EgressAlpha'"),
    ("QbbSwitch.EgressAlpha=-3", "expected double 0:1024"),
    ("QbbSwitch.EgressAlpha", "expected TYPE.NAME=VALUE"),
    ("QbbSwitch.EcmpPerPacket=maybe", "expected true or false"),
    ("QbbSwitch.PauseTime=5", "expected Time"),
    ("RdmaNic.Recovery=maybe", "expected what its help says: "),
    ("RdmaNic.Mtu=0", "expected 1B to 9KB as --mtu"),
    ("RdmaNic.BitmapPackets=100", "expected uint32_t 64:65536, a power of two"),
    ("QbbNetDevice.DataRate=fast", "expected a rate such as 40Gbps or 5Mbps as --rate"),
    ("TcpL4Protocol.SocketType=nope", "expected TypeId"),
    ("RateErrorModel.RanVar=x", "expected an attribute that a text can set"),
    ("RccDcqcn.G=0.5", "expected --set for the parameters of an algorithm"),
    ("RdmaClient.Window=3", "the program says of each flow what it is"),
    ("QbbSwitch.EgressAlpha=2,QbbSwitch.EgressAlpha=3", "QbbSwitch.EgressAlpha is given twice"),
    # settings that are right one by one and do not go together: the network refuses to start
    ("RdmaNic.Recovery=selective,RdmaNic.ReorderPackets=600", "as many packets as a bitmap spans"),
    ("RdmaNic.Recovery=selective,RdmaNic.Reliable=false", "datagrams are not repeated"),
    ("RdmaNic.Recovery=irn,RdmaNic.RtoLow=1ms", "timeout with few packets in flight"),
    ("QbbSwitch.TrimSize=20", "expected 64 or more"),
    ("QbbSwitch.MaxFrame=100", "--attr has 'QbbSwitch.MaxFrame=100', expected 0 or at least a frame of 1086 bytes"),
    ("RdmaNic.BucketSize=100", "--attr has 'RdmaNic.BucketSize=100', expected 0 or at least a frame of "),
]


class Words(unittest.TestCase):
    def test_a_value_may_hold_commas(self):
        self.assertEqual(run.attributes(["ns3::QbbNetDevice.ClassWeights=3:2,4:1, QbbSwitch.Alpha = 2", "RdmaNic.Mtu=500"]),
                         ["QbbNetDevice.ClassWeights=3:2,4:1", "QbbSwitch.Alpha=2", "RdmaNic.Mtu=500"])
        with self.assertRaisesRegex(RccError, "QbbSwitch.Alpha is given twice"):
            run.attributes(["QbbSwitch.Alpha=2", "ns3::QbbSwitch.Alpha=2"])

    def test_an_axis(self):
        axes = grid.axes(SCENARIOS["incast"].options, {"attr": ["ns3::QbbSwitch.EgressAlpha=0.125,0.5"], "set": ["dcqcn.g=1/256"]})
        points = grid.points("incast", [grid.specs.parse("dcqcn")], axes, [1])
        self.assertEqual([point.options for point in points], [["--set=dcqcn.g=1/256", f"--attr=QbbSwitch.EgressAlpha={value}"]
                                                               for value in ("0.125", "0.5")])
        with self.assertRaisesRegex(RccError, "expected TYPE.NAME=VALUE"):
            grid.attributes(["dcqcn.g=1"])


@needs_programs
class Attributes(RccTest):
    def result(self, *words):
        self.succeed("run", "testbed", "--out=out", *STAR, *words)
        return json.loads(self.read("out", "dcqcn", "run.json"))

    def test_refused(self):
        for items, fragment in REFUSED:
            with self.subTest(items):
                self.assert_refused(self.rcc("run", "testbed", "--out=out", *STAR, f"--attr={items}"), fragment)

    def test_datagrams_have_no_end(self):
        """Nobody acknowledges them, so that a flow can neither end nor have a window."""
        asked = "--attr=RdmaNic.Reliable=false"
        for flows, what in (("h1-h3:size=100KB", "an end"), ("h1-h3:window=10KB", "a window"), ("h1-h3", "")):
            done = self.rcc("run", "testbed", "--out=results", STAR[0], *STAR[2:], f"--flows={flows}", asked)
            with self.subTest(flows):
                self.assertEqual(done.returncode, 2 if what else 0, done.stderr)
                told = f"--attr has 'RdmaNic.Reliable=false', expected RdmaNic.Reliable=true for flows with {what}"
                self.assertIn(told if what else "", done.stderr)
        self.put("x.json", '{"links": ["h[1-3]-s1"], "flows": ["h1-h2:size=1KB"],\n"attr": {\n"RdmaNic.Reliable": "false"}}')
        self.assert_refused(self.rcc("run", "x.json"), "x.json:3: attr: found 'RdmaNic.Reliable=false', expected RdmaNic.Reliable=true")

    def test_beside_the_option(self):
        """Two words for one attribute contradict each other, whether the option is a quantity or a choice."""
        for items, option in (("QbbSwitch.BufferSize=2000000", "--buffer=1MB"), ("QbbSwitch.Alpha=1", "--lossy"),
                              ("QbbSwitch.LosslessClasses=0", "--lossy")):
            self.assert_refused(self.rcc("run", "testbed", *STAR, f"--attr={items}", option),
                                f"expected no {option.partition('=')[0]} beside")

    def test_an_attribute_is_its_option(self):
        for items, words in (("ns3::QbbSwitch.BufferSize=100000", ["--buffer=100KB"]), ("QbbNetDevice.DataRate=10Gb/s", ["--rate=10Gbps"]),
                             ("RdmaNic.Mtu=500", ["--mtu=500"])):
            mine, theirs = self.result(f"--attr={items}"), self.result(*words)
            self.assertEqual(mine["attributes"], dict([items.replace("ns3::", "").split("=")]))
            self.assertNotIn("attributes", theirs)
            self.assertEqual(*({k: v for k, v in one.items() if k not in VOLATILE} for one in (mine, theirs)), items)

    def test_it_wins_over_what_the_program_sets(self):
        """The testbed makes class 3 lossless by itself."""
        self.assertGreater(self.result("--buffer=50KB")["switch_pauses"], 0)
        self.assertEqual(self.result("--buffer=50KB", "--attr=QbbSwitch.LosslessClasses=0")["switch_pauses"], 0)

    def test_the_limit_of_pfc_is_of_classes_that_have_it(self):
        """A Kmin that a dropping queue does not reach is above no PFC limit, nor does the queue sit at one."""
        for classes, limit, told in ((0, False, "queues drop packets before they mark"), (16, False, "before they mark"),
                                     (8, True, "PFC limit")):
            done = self.succeed("run", "incast", "--cc=dcqcn", "--flows=16", "--time=1ms", "--start=100us", "--kmin=8MB", "--kmax=9MB",
                                "--no-plots", f"--attr=QbbSwitch.LosslessClasses={classes}", f"--out=c{classes}")
            self.assertEqual(json.loads(self.read(f"c{classes}", "dcqcn", "run.json"))["pfc_limit_bytes"] is not None, limit)
            self.assertIn(told, " ".join(done.stdout.split()))
            self.assertEqual("PFC limit" in " ".join(done.stdout.split()), limit, done.stdout)

    def test_the_limit_of_pfc_is_that_of_ports(self):
        """Without a control the queue stays at it: of senders behind one port, two ports and three, and of one whose flows, or packets,
        come by two."""
        rack = "h[1-4]-a,h[5-6]-b,h9-b,a-b"
        two = "h1-a:80Gbps,h9-b,a-b,a-b"
        for links, senders, qps, more in ((rack, "h[1-4],h5", 8, ()), (rack, "h[1-6]", 8, ()), ("h[1-6]-a,h9-b,a-b,a-b", "h[1-6]", 8, ()),
                                          ("h[1-6]-a,h9-b,a-c,a-d,c-b,d-b", "h[1-6]", 8, ()), (two, "h1", 64, ()),
                                          (two, "h1", 1, ("--attr=QbbSwitch.LoadBalancing=round-robin",))):
            flows = ",".join(f"{name}=h9:qps={qps}" for name in senders.split(","))
            self.succeed("run", "testbed", "--cc=none", f"--links={links}", f"--flows={flows}", "--time=5ms", "--no-plots", "--out=ports",
                         *more)
            run = json.loads(self.read("ports", "none", "run.json"))
            self.assertAlmostEqual(run["queue"]["mean_bytes"] / run["pfc_limit_bytes"], 1, delta=0.02, msg=links)

    def test_a_column_of_tables(self):
        self.result("--attr=QbbSwitch.EcmpPerPacket=true")
        with open(self.path("out", "table.csv"), encoding="utf-8", newline="") as f:
            self.assertEqual({row["attr"] for row in csv.DictReader(f)}, {"QbbSwitch.EcmpPerPacket=true"})

    def test_listed(self):
        names = [line.split()[0] for line in self.rcc("attributes").stdout.splitlines()[1:] if line and not line.startswith("./rcc")]
        self.assertEqual(names, ["CioqSwitch", "QbbChannel", "QbbNetDevice", "QbbSwitch", "RdmaNic"])
        for name in ("QbbSwitch", "ns3::QbbSwitch"):
            self.assertIn("EgressAlpha  default 0   [double 0:1024]", self.rcc("attributes", name).stdout)
        self.assertIn("MinRto", self.rcc("attributes", "TcpSocketBase").stdout)
        self.assert_refused(self.rcc("attributes", "QbbSwich"), "did you mean QbbSwitch")
        self.assertEqual([entry["type"] for entry in json.loads(self.rcc("attributes", "RdmaNic", "--json").stdout)], ["ns3::RdmaNic"])


if __name__ == "__main__":
    unittest.main()
