# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Files whose networks lose frames: without PFC, with error rates, with go-back-N of the HPCC simulator and with IRN."""
import csv
import json
import os
import unittest

from support import ROOT, RccTest, needs_programs

CONFIG = ("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 1\nHAS_WIN 0\nPACKET_PAYLOAD_SIZE 1000\nRP_TIMER 900\nRATE_AI 50Mb/s\n"
          "RATE_HAI 100Mb/s\nMIN_RATE 100Mb/s\nEWMA_GAIN 0.00390625\nFAST_RECOVERY_TIMES 1\nL2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL 1\n"
          "KMAX_MAP 1 100000000000 1600\nKMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\nSIMULATOR_STOP_TIME 4\n")
STAR = "10 1 9\n9\n" + "".join(f"{host} 9 100Gbps 1us 0\n" for host in range(9))
INCAST = "8\n" + "".join(f"{host} 8 3 {100 + host} 1000000 2\n" for host in range(8))
PAIR = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
MS = 1e-3


@needs_programs
class Losses(RccTest):
    def run_files(self, keys, *words, topology=STAR, flows=INCAST, status=0):
        for name, text in (("config.txt", CONFIG + keys), ("topology.txt", topology), ("flow.txt", flows)):
            self.put(name, text)
        done = self.rcc("ns3-rdma", "config.txt", "--no-plots", "--out=out", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.stdout, self.stderr = done.stdout, done.stderr
        if status:
            return {}
        run = json.loads(self.read("out", "dcqcn", "run.json"))
        self.assertEqual(run["incomplete"], 0)
        return run

    def test_an_incast_without_pfc(self):
        """Eight messages of 1 MB to one host, buffer of 1 MB: 640 us and headers at 100 Gb/s."""
        lossless = self.run_files("ENABLE_PFC 1\nBUFFER_SIZE 32\n")
        self.assertEqual((lossless["packets_dropped"], lossless["timeouts"]), (0, 0))
        self.assertNotIn("packets_repeated", lossless)
        lossy = "ENABLE_PFC 0\nBUFFER_SIZE 1\n"
        irn = self.run_files(lossy + "ENABLE_IRN 1\n")
        self.assertEqual(irn["packets_sent"], 8000)     # eight bandwidth-delay products fit into the buffer
        ends = {"irn": irn["fct"]["max_s"]}
        for recovery, words in (("selective", ["--attr", "RdmaNic.Recovery=selective"]), ("go-back-n", [])):
            run = self.run_files(lossy, *words)
            self.assertGreater(run["packets_dropped"], 0, recovery)
            self.assertEqual(run["packets_sent"], 8000 + run["packets_repeated"], recovery)
            ends[recovery] = run["fct"]["max_s"]
            if recovery == "selective":     # no packet that has arrived is repeated
                self.assertEqual(run["packets_repeated"], run["packets_dropped"])
        self.assertLess(ends["irn"], 1.5 * lossless["fct"]["max_s"], ends)
        self.assertLess(ends["selective"], 1.5 * lossless["fct"]["max_s"], ends)
        self.assertLess(ends["go-back-n"], 5 * MS, ends)

    def test_a_queue_that_drops_before_it_marks(self):
        high = "KMAX_MAP 1 100000000000 8000\nKMIN_MAP 1 100000000000 4000\n"
        said = "cannot act: dcqcn: Kmin 4 MB, longest queue"
        for keys, expected in (("ENABLE_PFC 0\nBUFFER_SIZE 1\n", False), ("ENABLE_PFC 0\nBUFFER_SIZE 1\n" + high, True)):
            self.assertGreater(self.run_files(keys)["packets_dropped"], 0)
            self.assertEqual(said in " ".join(self.stdout.split()), expected, self.stdout)

    def test_what_the_page_says_is_lost(self):
        """lab/doc/reliability.md has the losses of this incast."""
        lossy = "ENABLE_PFC 0\nBUFFER_SIZE 1\n"
        lost = [self.run_files(lossy, "--attr", f"RdmaNic.Recovery={recovery}", "--rto=500us")["packets_dropped"]
                for recovery in ("selective", "go-back-n")]
        self.assertEqual(self.run_files(lossy + "ENABLE_IRN 1\n")["packets_dropped"], 0)
        with open(os.path.join(ROOT, "lab", "doc", "reliability.md"), encoding="utf-8") as f:
            text = " ".join(f.read().split())
        self.assertIn("(the files of test_rdma_losses.py) loses {} packets with `selective` and {} with `go-back-n`, both with "
                      "`--rto=500us`; with `irn` none".format(*lost), text)

    def test_options_for_many_files_are_taken_without_pfc(self):
        """A command that runs many files has them for those with PFC."""
        self.run_files("ENABLE_PFC 0\n", "--deadlock=continue", "--storm-after=1ms", "--attr=QbbNetDevice.LinkPause=true")

    def test_the_timeout_of_the_network(self):
        """Without PFC that of IRN: the longest round trip, of packets of 1000 bytes over two links and at most twice that, and 1 MiB at
        100 Gb/s. In a deep and slow buffer nothing is lost, and no sender gives up."""
        run = self.run_files("ENABLE_PFC 0\nBUFFER_SIZE 1\n")
        self.assertGreater(run["timeouts"], 0)
        self.assertAlmostEqual(run["rto_s"], 4 * 2 * 1080e-9 + 2**20 * 8 / 100e9, delta=2e-9)
        self.assertLess(run["fct"]["max_s"], 5 * MS)
        slow = "34 1 33\n33\n" + "".join(f"{host} 33 10Gbps 1us 0\n" for host in range(33))
        incast = "32\n" + "".join(f"{host} 32 3 {100 + host} 1000000 2\n" for host in range(32))
        keys = "ENABLE_PFC 0\nBUFFER_SIZE 16\nKMAX_MAP 1 10000000000 160\nKMIN_MAP 1 10000000000 40\nPMAX_MAP 1 10000000000 0.2\n"
        run = self.run_files(keys, topology=slow, flows=incast)
        self.assertEqual((run["packets_dropped"], run["timeouts"]), (0, 0))

    def test_a_host_that_reads_slowly(self):
        """1 MB at a tenth of 100 Gb/s: the 999 packets after the first one take 1062 bytes at 10 Gb/s each, whether they are paused or
        lost. A buffer of 80 kB holds all of 80 packets, and 8 of those of a class in an eighth of it."""
        flow = "1\n0 1 3 100 1000000 2\n"
        slow = "RX_PULL_RATE 0.1 {of a fork}\n"
        first = 4 * 1000e-9 + 2 * 1062 * 8 / 100e9      # four links, and the ACK of the last packet
        for keys, packets in (("RX_PULL_MODE 0\n", 0), ("", 999)):
            run = self.run_files(slow + keys, topology=PAIR, flows=flow)
            ideal = first + (packets * 1062 * 8 / 10e9 or 999 * 1062 * 8 / 100e9)
            self.assertAlmostEqual(run["fct"]["max_s"], ideal, delta=0.2e-6, msg=keys)
            self.assertEqual(run["packets_sent"], 1000)
            self.assertNotIn("packets_overrun", run)
        paused = self.run_files(slow + "RX_BUFFER_SIZE 640000\n", topology=PAIR, flows=flow)
        self.assertEqual((paused["packets_sent"], paused.get("packets_overrun", 0)), (1000, 0))
        self.assertLess(run["queue"]["max_bytes"], 5000)
        self.assertGreater(paused["queue"]["max_bytes"], 800000)     # packets without space in the host wait in the switch
        eighty = "1\n0 1 3 100 81000 2\n"               # the first one is read at once
        for keys, kept in (("RX_BUFFER_SIZE 640000\n", True), ("RX_BUFFER_SIZE 64000\n", False),
                           ("RX_BUFFER_SIZE 640000\nRX_BUFFER_PER_QUEUE 8000\n", False),
                           ("RX_BUFFER_SIZE 64000\nRX_BUFFER_PER_QUEUE 100000\n", False),     # all classes together
                           ("RX_BUFFER_SIZE 0\n", True),      # no limit
                           ("RX_BUFFER_SIZE_NODE 1 64000\n", False), ("RX_BUFFER_SIZE_NODE 0 64000\n", True),
                           ("RX_BUFFER_PER_QUEUE_NODE 1 8000\n", False)):
            run = self.run_files(slow + "ENABLE_PFC 0\nBUFFER_SIZE 32\n" + keys, topology=PAIR, flows=eighty)
            self.assertEqual("packets_overrun" not in run, kept, keys)
            self.assertEqual(run["packets_delivered"], 81)

    def test_hosts_that_read_at_rates_of_their_own(self):
        """1 MB to each of two hosts. One reads at a tenth, or from a tenth of a packet's way on until 40 us later: nine tenths of that
        time are missing, and a packet or two at either end take 850 ns in place of 85."""
        pairs = "5 1 4\n4\n" + "".join(f"{host} 4 100Gbps 1us 0\n" for host in range(4))
        flows = "2\n0 1 3 100 1000000 2\n2 3 3 100 1000000 2\n"
        first = 4 * 1000e-9 + 2 * 1062 * 8 / 100e9
        fast, slow = first + 999 * 1062 * 8 / 100e9, first + 999 * 1062 * 8 / 10e9
        for keys, ends in (("RX_PULL_RATE_NODE 1 0.1\nRX_PULL_RATE_NODE 0 0.5\n", (slow, fast)),
                           ("RX_PULL_RATE 0.1\nRX_PULL_RATE_NODE 3 1\n", (slow, fast)),
                           ("RX_PULL_RATE 0.1\nRX_PULL_MODE_NODE 1 0\n", (fast, slow)),
                           ("RX_PULL_MODE 0\nRX_PULL_MODE_NODE 1 1\nRX_PULL_RATE_NODE 1 0.1\nRX_PULL_RATE_NODE 3 0.1\n", (slow, fast)),
                           ("RX_PULL_RATE_SCHEDULE 1 2 2.00001 0.1 2.00005 1.0\n", (fast + 0.9 * 40e-6, fast)),
                           ("RX_PULL_MODE_NODE 1 0\nRX_PULL_RATE_SCHEDULE 1 1 2.00001 0.1\n", (fast, fast))):
            run = self.run_files(keys, topology=pairs, flows=flows)
            self.assertNotIn("packets_overrun", run, keys)
            found = [float(row["fct_s"]) for row in csv.DictReader(self.read("out", "dcqcn", "flows.csv").splitlines())]
            for end, ideal in zip(found, ends):
                self.assertAlmostEqual(end, ideal, delta=0.2e-6 if "SCHEDULE" not in keys else 1e-6, msg=keys)
        self.run_files("RX_PULL_RATE_NODE 4 0.1\n", topology=pairs, flows=flows, status=2)
        self.assertIn("config.txt:18: RX_PULL_RATE_NODE 4: found node 4, expected a host of topology.txt", self.stderr)

    def test_what_a_slow_host_drops_is_traced(self):
        """mix.tr has a record of each packet that a receive buffer drops, and none of frames that links lose; data are ECN-capable."""
        self.put("trace.txt", "3\n0 1 2\n")
        keys = "TRACE_FILE trace.txt\nTRACE_OUTPUT_FILE mix.tr\nBUFFER_SIZE 32\n"
        for more, drops in (("ENABLE_PFC 0\nRX_PULL_RATE 0.1\nRX_BUFFER_SIZE 64000\n", True), ("ERROR_RATE_PER_LINK 0.05\n", False)):
            run = self.run_files(keys + more, topology=PAIR, flows="1\n0 1 3 100 100000 2\n")
            counts = {}
            for name, terms in (("drops", "event=3"), ("data", "event=2&node=0"), ("capable", "event=2&node=0&ecn=2")):
                done = self.rcc("trace", "out/dcqcn/mix.tr", terms, "--count")
                counts[name] = int(done.stdout)
            self.assertEqual(counts["drops"], run.get("packets_overrun", 0), more)
            self.assertEqual((counts["drops"] > 0, run["frames_lost"] > 0), (drops, not drops), more)
            self.assertEqual((counts["data"], counts["capable"]), (run["packets_sent"], run["packets_sent"]), more)

    def test_links_lose_acks(self):
        """1 % of the frames of two links, of 10,000 packets and as many ACKs: about 400 are lost, 200 if links lose data alone."""
        flow = "1\n0 1 3 100 10000000 2\n"
        keys = "ERROR_RATE_PER_LINK 0.01\nBUFFER_SIZE 32\nENABLE_IRN 1\n"
        every = self.run_files(keys, topology=PAIR, flows=flow)
        data = self.run_files(keys, "--attr", "QbbChannel.LosesEveryKind=false", topology=PAIR, flows=flow)
        sent = every["packets_sent"]
        self.assertLess(sent, 10500)
        self.assertAlmostEqual(every["frames_lost"], 0.0199 * (sent + 0.99 ** 2 * sent), delta=80)    # four standard deviations
        self.assertAlmostEqual(data["frames_lost"], 0.0199 * data["packets_sent"], delta=57)

    def test_what_is_said(self):
        """Timeouts, NAKs and repeated bytes stand in run.json and in the table."""
        run = self.run_files("ENABLE_PFC 0\nBUFFER_SIZE 1\n", "--attr", "RdmaNic.NakEvery=0", "--rto=2ms")
        self.assertGreater(run["timeouts"], 0)
        self.assertEqual((run["rto_s"], run["recovery"]), (2 * MS, "go-back-n"))
        self.assertGreater(run["bytes_repeated"], 1000 * run["packets_repeated"])
        for words in ("NAKs", "repeated", "time-"):
            self.assertIn(words, " ".join(self.stdout.split()))
        run = self.run_files("ERROR_RATE_PER_LINK 0.01\nENABLE_IRN 1\n", "--rto=2ms", topology=PAIR, flows="1\n0 1 3 100 3000000 2\n")
        self.assertGreater(run["timeouts"], 0)
        self.assertEqual((run["rto_low_s"], run["rto_s"], run["recovery"]), (0.1 * MS, 0.32 * MS, "irn"))
        self.assertIn("--rto has no effect with RdmaNic.Recovery=irn", self.stderr)


if __name__ == "__main__":
    unittest.main()
