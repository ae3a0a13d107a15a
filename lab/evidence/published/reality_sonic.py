# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reality table: the RoCEv2 test plan of SONiC (sonic-mgmt), checks by name."""
from __future__ import annotations

from .figure import Figure
from .reality_clos import TESTBED
from .reality_row import PLAN, Lab, reality

PORTS = ("100 Gb/s, 1 us a link, RDMA MTU 4096", "one of the plan's speeds")
SHORT = ("50 ms instead of minutes", "the criteria are zeros and signs")
MIXED = "lossy classes beside lossless ones, a class per DSCP, non-ECT data"
CLASSES = ("queues 3, 4 with PFC and ECN, 0 to 2 lossy with an egress threshold of alpha 1, CNP 5, ACK 6; no strict priority among "
           "them", "the plan's map; chip and weights are open")
BLIND = ("a sender that ignores CNPs has its least rate at the offered rate or above", "it counts them and keeps its rate")


def check(name: str, claim: str, criteria: str, band: str, setup: str, assume: tuple, needs: str, complete: str = "A"):
    return reality(name, claim, criteria, band,
                   Lab(PLAN, complete, "nic-default", "sonic-dut", setup, (PORTS, SHORT) + assume, (), needs))


SONIC = Figure(
    "sonic-plan", "reality: SONiC RoCEv2 test plan", "checks by name", "one switch, four ports", {}, (
        check("sonic-tc1", "TC1: no congestion", "no loss, no NAK, CE = CNP = 0, no PFC on 3/4, ACKs on 6, counters "
                                                 "match", "exact zeros",
              "rank 0 to 2 one lossless queue pair, rank 1 to 3 one per lossy queue, 1 MB messages, ECN 00",
              (CLASSES, ("rank 0 to 2 on queue 3; 10 seeds", "one lossless queue pair")), MIXED),
        check("sonic-tc2", "TC2: 3:1 with PFC only", "lossless: no loss, no NAK, PFC > 0; CE = CNP = 0", "exact; PFC > 0",
              "3:1 into rank 3, 128 KB messages, ECN 00; ranks 0, 1 lossless, rank 2 on lossy 0 to 2",
              (CLASSES, ("equal weights", "not stated"), ("s3: rank 1's messages are a packet of 4 KB each", "WRITE-only"),
               ("128 KB messages one behind the other, without end; 10 seeds", "4 GB take 300 ms of the line")), MIXED),
        check("sonic-tc3", "TC3: 3:1 with DCQCN", "no loss, no NAK, CE seen, CNP sent = received, few PFC", "PFC frames <= "
            "1 % of those of TC2",
              "as TC2 with ECN and DCQCN; then CE at the source",
              (CLASSES, ("equal weights", "not stated"),
               ("CE at the source: every data packet; few PFC is judged without it", "the switch marks nothing more")), MIXED),
        check("sonic-tc4", "TC4: storage, DCQCN off, then on", "no loss, no NAK, CE and CNP in both; PFC off: present, on: "
                                                               "none or few",
              "PFC(on) <= 1 % of PFC(off), PFC(off) > 0", "1 MB messages at 100 % of line",
              (BLIND, ("ranks 0 and 1 to rank 3, one queue pair each", "the lossless part of TC2 s1"),
               ("PFC frames over the whole run, DCQCN's start included; 10 seeds", "no warm-up in the plan")), TESTBED),
        check("sonic-tc5", "TC5: PFC from the end points", "first half no PFC; second: PFC passed on, no loss, no NAK",
              "exact; throughput in the second half 10 +-3 % of line", "two 1:1 pairs, 128 KB; then ranks 2, 3 emit PFC for "
                  "90 %",
              (CLASSES, ("one pair on queue 3, one on 4; 25 ms each half", "as the other tests"),
               ("Xoff for 90 us of every 100 us", "one reading of 90 %")),
              "an end point that emits PFC"),
        check("sonic-tc7", "TC7: uplinks that rank pairs use", "1; >= 1; 1 with 2:1; 2; >= 2; 1 with 4:1; >= 2; >= 2",
              "steps 1, 2, 5, 8 exact; 3, 4, 6, 7 as frequency over 100 hash seeds", "2 leaf + 1 spine, several links per "
                  "pair, 1 MB messages",
              (("4 links a pair; X = 16; steps 1-2 one pair, 3-5 two, 6-8 four; 3, 6 start together, 4, 7 staggered, 5, 8 X "
                "queue pairs",
                "the plan leaves them open"), ("uplink used: frames sent", "counter of the port")), TESTBED + ", parallel "
                    "links", "B"),
        check("sonic-ecn-accuracy", "ECN marking accuracy", "no mark below Kmin, linear to Pmax at Kmax, all above; counter "
                                                            "= received CE",
              "10 % per bucket; mark_at enqueue and dequeue", "egress closed, n packets of 64 B fill a queue, egress "
                                                              "opened",
              (CLASSES, ("30,000 packets; Kmin 400 KB, Kmax 1600 KB, Pmax 0.2 as PER_25G at 100 Gb/s", "n is not stated"),
               ("10 buckets between Kmin and Kmax; 40 seeds together: 10 % of a bucket's expectation", "fewer would miss by chance")),
              "a port that can be held closed"),
        check("sonic-ecn-before-pfc", "ECN before PFC", "one group: no CE, no PFC; both: CE, the first before the first PFC "
                                                        "frame, counters match",
              "exact order; CE = switch counter +-0.1 %", "two groups at 70 % of line each into one port, ECT(1), lossless; "
                                                          "one, then both",
              (BLIND, ("one queue pair a group; the second group at 10 ms", "as the plan's order")), TESTBED)), table="reality")

FIGURES = (SONIC,)
