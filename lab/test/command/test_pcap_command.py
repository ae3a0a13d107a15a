# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc pcap on captures of our own runs: its numbers are those that the runs counted; and its files, runs and labels."""
import collections
import json
import os
import struct
import subprocess
import unittest

from pcap_bytes import ack, cnp, data, enhanced, interface, pcap, pfc, section
from support import ROOT, RccTest, needs_programs, scenario

from command import owned
from command.system import packages

BUILD = os.path.abspath(os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build"))
MS = 1_000_000
DAY = 1_700_000_000 * 10**9
FIRST = [(DAY, cnp(period=1)), (DAY + 5 * MS, data(0, ask=True)), (DAY + 6 * MS, data(1, ecn=3)), (DAY + 6 * MS + 9, ack(1)),
         (DAY + 7 * MS, cnp(period=55000)), (DAY + 8 * MS, pfc({3: 9})), (DAY + 9 * MS, pfc({3: 0})), (DAY + 9 * MS, data(2))]
SECOND = [(t - DAY, raw) for t, raw in FIRST[1:]] + [(20 * MS, data(3)), (21 * MS, cnp())]


class CommandTest(RccTest):
    def pcap(self, *args):
        done = self.succeed("pcap", *args, *([] if "--plots" in args else ["--no-plots"]), "--json")
        found = json.loads(done.stdout)
        self.warnings = done.stderr
        self.points = {(p["run"], p["point"]): p for r in found["runs"] for p in r["points"]}
        return found


@needs_programs
class OfRuns(CommandTest):
    def incast(self, name, *options):
        subprocess.run(scenario("incast", "--senders=3", "--flows=12", "--rate=10Gbps", "--time=3ms", "--interval=10us",
                                "--start=300us", "--buffer=700KB", "--out=" + self.path(name), *options),
                       check=True, timeout=300, stdout=subprocess.DEVNULL)
        with open(self.path(name, "run.json"), encoding="utf-8") as f:
            return json.load(f)

    def test_numbers_are_those_of_the_run(self):
        for cc, more in (("dcqcn", []), ("dcqcn-plus", ["--attr=QbbNetDevice.VlanId=3", "--attr=RdmaNic.Write=true"]), ("qcn", [])):
            with self.subTest(cc):
                run = self.incast(cc, "--cc=" + cc, "--pcap", *more)
                self.pcap(f"{cc}/receiver.pcap", f"{cc}/switch-port.pcap", "--align=none", "--interval=10us")
                receiver = self.points[cc, "receiver"]
                for key, field in (("data_packets", "packets_delivered"), ("wire_bytes", "bytes_delivered"), ("ce", "packets_marked"),
                                   ("cnps", "cnps"), ("naks", "naks"), ("flows", "flows")):
                    self.assertEqual(receiver[key], run[field], key)
                self.assertGreater(receiver["cnps"] if cc != "qcn" else 1, 0)
                # flows.csv: payload of each flow, by sender
                own = collections.defaultdict(list)
                for row in self.rows("out", "pcap", "flows.csv"):
                    if row["point"] == "receiver":
                        own[row["src"]].append(int(row["payload_bytes"]))
                        self.assertEqual(len(row["sender_qp"].split()), 1)
                theirs = collections.defaultdict(list)
                for row in self.rows(cc, "flows.csv"):
                    theirs[f"11.0.{row['src']}.1"].append(int(row["delivered_bytes"]))
                self.assertEqual({k: sorted(v) for k, v in own.items()}, {k: sorted(v) for k, v in theirs.items()})
                # the rate of the port in every interval, to the frame that begins just when one ends
                bandwidth = {round(float(r["time_s"]) * 1e5): float(r["wire_bps"]) for r in self.rows("out", "pcap", "intervals.csv")
                             if r["point"] == "switch-port"}
                total = 0.0
                for row in self.rows(cc, "rate.csv"):
                    here = bandwidth.get(round(float(row["time_s"]) * 1e5), 0.0)
                    self.assertLessEqual(abs(here - float(row["delivered_bps"])), 1090 * 8 / 10e-6, row)
                    total += here - float(row["delivered_bps"])
                self.assertLessEqual(abs(total), 1090 * 8 / 10e-6)
                # flows and intervals add up
                flows = collections.Counter()
                for row in self.rows("out", "pcap", "bandwidth.csv"):
                    flows[row["point"], row["time_s"]] += int(row["packets"])
                self.assertEqual({(r["point"], r["time_s"]): int(r["packets"]) for r in self.rows("out", "pcap", "intervals.csv")
                                  if int(r["packets"])}, dict(flows))

    def test_pauses_are_those_of_the_run(self):
        for name, more in (("pfc", []), ("link", ["--attr=QbbNetDevice.LinkPause=true"])):
            with self.subTest(name):
                run = self.incast(name, "--cc=dcqcn", "--capture=hosts,switches", "--flows=30", *more)
                ports = [f"{name}/node-{n}-port-0.pcap" for n in range(3)]
                self.pcap(*ports, "--align=none")
                self.assertEqual({p["class"] for point in self.points.values() for p in point["pauses_by_class"]},
                                 {"3" if name == "pfc" else "link"})
                paused = sum(p["paused_s"] for p in self.points.values())
                # a pause that lasts ends with the last frame that the port sees, in the run's count with the run
                ended = [row for row in self.rows("out", "pcap", "pauses.csv") if row["ended"] != "resumed"]
                paused += sum(run["sim_s"] - float(row["to_s"]) for row in ended)
                self.assertAlmostEqual(paused, run["pfc"]["paused_s"], delta=1e-10)
                self.assertGreater(paused, 1e-3)
                self.pcap(*[f"{name}/node-4-port-{p}.pcap" for p in range(4)])
                self.assertEqual(sum(p["pauses"] for p in self.points.values()), run["pfc"]["pauses"])

    def test_cut_to_60_bytes_says_the_same(self):
        self.incast("whole", "--cc=dcqcn-plus", "--pcap")
        self.incast("short", "--cc=dcqcn-plus", "--pcap", "--snaplen=60")
        found = []
        for name in ("whole", "short"):
            self.pcap(f"{name}/receiver.pcap", "--names=x")
            self.assertEqual(self.warnings, "")
            found.append([self.read("out", "pcap", f) for f in ("flows.csv", "bandwidth.csv", "intervals.csv", "cnps.csv")])
        self.assertEqual(found[0], found[1])
        self.assertLess(os.path.getsize(self.path("short", "receiver.pcap")), 0.1 * os.path.getsize(self.path("whole", "receiver.pcap")))


class OfFiles(CommandTest):
    def test_time_begins_with_the_first_data_packet(self):
        self.put("testbed.pcap", pcap(FIRST))
        self.put("simulated.pcap", pcap(SECOND))
        for align, cnps in (("run", ["-0.005", "0.002", "0.002", "0.016"]), ("point", ["-0.005", "0.002", "0.002", "0.016"]),
                            ("none", [None, None, "0.007", "0.021"])):
            found = self.pcap("testbed.pcap", "--over", "simulated.pcap", "--align=" + align)
            self.assertEqual([(r["run"], r["chief"]) for r in found["runs"]], [("testbed", "testbed"), ("simulated", "simulated")])
            for row, at in zip(self.rows("out", "pcap", "cnps.csv"), cnps):
                if at:
                    self.assertEqual(row["time_s"], at)
        self.assertEqual(self.points["testbed", "testbed"]["first_s"], 1_700_000_000)

    def test_csv(self):
        self.put("a.pcap", pcap(FIRST))
        self.pcap("a.pcap")
        self.assertEqual(self.read("out", "pcap", "flows.csv").splitlines()[1],
                         "a,a,0,10.0.0.1,10.0.0.2,7,90,50000,0,,,0,0.004,3,3186,3000,6000000,0.333333333,1,0,0,2,0.007,0.007,0,0,0,0,0")
        self.assertEqual(self.read("out", "pcap", "bandwidth.csv").splitlines()[1:],
                         ["a,a,0.001,0,1,8496000,8000000,0,0", "a,a,0.002,0,1,8496000,8000000,1,0", "a,a,0.005,0,1,8496000,8000000,0,0"])
        self.assertEqual(self.read("out", "pcap", "intervals.csv").splitlines()[1:],
                         ["a,a,-0.004,0,0,0,0,0,,0,0,0,0,1,0,0,0,0,0,0", "a,a,0.001,1,8496000,8000000,1,0,0,0,0,0,0,0,0,0,0,0,0,0",
                          "a,a,0.002,1,8496000,8000000,1,1,1,0,1,0,0,0,0,0,0,0,0,0", "a,a,0.003,0,0,0,0,0,,0,0,0,0,1,0,0,0,0,0,0",
                          "a,a,0.004,0,0,0,0,0,,0,0,0,0,0,0,1,0,1,0,0", "a,a,0.005,1,8496000,8000000,1,0,0,0,0,0,0,0,0,0,1,0,0,0"])
        self.assertEqual(self.read("out", "pcap", "cnps.csv").splitlines()[1:],
                         ["a,a,-0.005,0,10.0.0.2,10.0.0.1,90,,1e-09", "a,a,0.002,0,10.0.0.2,10.0.0.1,90,0.007,5.5e-05"])
        self.assertEqual(self.read("out", "pcap", "pauses.csv").splitlines()[1:],
                         ["a,a,0.003,0.004,0.001,02:00:00:00:00:09,3,1,resumed"])

    def test_points_labels_and_interfaces(self):
        for name in ("x/port.pcap", "y/port.pcap"):
            self.put(name, pcap(FIRST))
        raw = data(0)
        self.put("two.pcapng", section() + interface(name=b"eth0") + interface() + interface(name=b"idle")
                   + enhanced(1, raw) + enhanced(2, raw, number=1))
        self.put("late.pcap", pcap([(DAY + 10 * MS, data(3)), (DAY + 11 * MS, data(4))]))
        found = self.pcap("x/port.pcap", "host=y/port.pcap", "host=late.pcap", "two.pcapng", "--names=all")
        self.assertEqual([p["point"] for p in found["runs"][0]["points"]], ["x/port", "host", "two:eth0", "two:1"])
        self.assertEqual((found["runs"][0]["chief"], self.points["all", "host"]["data_packets"]), ("host", 5))
        self.assertEqual(self.points["all", "host"]["gobacks"], 0)
        self.assertEqual(self.points["all", "x/port"]["data_packets"], 3)  # counted where it passed, at each place

    def test_runs_side_by_side(self):
        for name, frames in (("a.pcap", FIRST), ("b.pcap", SECOND), ("c.pcap", FIRST[:3])):
            self.put(name, pcap(frames))
        done = self.succeed("pcap", "a.pcap", "--over", "b.pcap", "--over", "c.pcap", "--no-plots", "--names=testbed,simulated,third")
        self.assertRegex(done.stdout, r"\n +testbed +simulated +third +2 / 1 +3 / 1\n"
                                      r"payload +6 Mb/s +2\.13 Mb/s +16 Mb/s +0\.356 +2\.67\n")
        self.assertRegex(done.stdout, r"\ntestbed +1 +3 +6 Mb/s +33\.33 % +2 +7 ms +0 +0 +0 +1 +1 ms\n")

    def test_an_earlier_result_goes(self):
        self.put("a.pcap", pcap(FIRST))
        self.pcap("a.pcap")
        os.unlink(self.path("out", "pcap", owned.NAME))    # as an older version left it, without a list
        for name in ("cnp.png", "notes.txt"):
            self.put(f"out/pcap/{name}", b"old")
        self.pcap("a.pcap")
        self.assertFalse(os.path.exists(self.path("out", "pcap", "cnp.png")))
        self.assertTrue(os.path.exists(self.path("out", "pcap", "notes.txt")))

    @unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
    def test_plots(self):
        self.put("a.pcap", pcap(FIRST))
        self.put("b.pcap", pcap(SECOND))
        for align in ("run", "none"):
            done = self.rcc("pcap", "a.pcap", "--over", "b.pcap", "--align=" + align, "--out=" + align)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for name in ("bandwidth.png", "flow_bandwidth.png", "cnp.png", "ecn.png", "pauses.png"):
                with open(self.path(align, name), "rb") as f:
                    head = f.read(24)
                self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n", name)
                self.assertGreater(min(struct.unpack("!II", head[16:])), 500)


if __name__ == "__main__":
    unittest.main()
