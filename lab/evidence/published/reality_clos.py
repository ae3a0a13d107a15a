# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reality table: testbeds of Microsoft and Alibaba at 25 and 40 Gb/s (SIGCOMM'15, SIGCOMM'16, HPCC)."""
from __future__ import annotations

from .figure import Figure
from .reality_row import HARDWARE, Lab, reality

TESTBED = "the program testbed: any network and groups of flows"

MTU = ("RoCE payload 1024 B, 1 us a link", "the usual RoCE MTU of 2015; cable and switch pipeline")
STREAM = ("a sender's transfers are one stream of one queue pair", "they follow each other without a gap")
CLOS = ("T1, T2 on L1, L2; T3, T4 on L3, L4; every leaf on S1, S2", "the paper's figure 2")
RECALLED = ("the paper's text was not reachable: topology, hosts and numbers are recollection",)

S15 = Figure(
    "s15-testbed", "reality: DCQCN SIGCOMM'15", "40 Gb/s testbed, ConnectX-3 Pro", "4 ToR, 4 leaf, 2 spine, all 40 Gb/s", {}, (
        reality("s15-fig3", "PFC only: H4, in the receiver's rack, is served better than H1 to H3",
                "H4 up to 20 Gb/s; the least of H4 exceeds the most of H1 to H3",
                "order in >= 80 % of seeds; H4's maximum 20 Gb/s +-25 %",
                Lab(HARDWARE, "C", "cx3-pro", "trident2",
                    "3-tier Clos at 40 Gb/s, Arista 7050QX32; H1 to H3 in other racks and H4 in R's rack send to R, 4 MB "
                    "each time, "
                    "one priority, ECMP per flow, PFC only",
                    (MTU, STREAM, CLOS, ("H1, H2, H3 under T1, T2, T3; H4 and R under T4", "one sender per rack"),
                     ("20 seeds, goodput over 10 to 20 ms", "PFC settles within a millisecond")),
                    RECALLED, TESTBED)),
        reality("s15-fig4", "PFC only: senders in another rack halve a victim that shares no congested link with them",
                "median victim 10 Gb/s with 0 senders under T3 (20 expected), 4.5 Gb/s with 2",
                "medians +-25 % over >= 25 ECMP draws; strictly falling over 0, 1, 2",
                Lab(HARDWARE, "C", "cx3-pro", "trident2",
                    "as s15-fig3; H11 to H14 under T1 send to R under T4, victim VS under T1 to VR elsewhere; 0, 1, 2 further "
                    "senders to R under T3; median over the draws",
                    (MTU, STREAM, CLOS, ("VR under T2", "its path shares T1's uplinks only"),
                     ("25 seeds, goodput over 10 to 20 ms; one draw is one transfer of 250 MB", "a queue pair keeps its path")),
                    RECALLED, TESTBED)),
        reality("s15-fig8-9", "with DCQCN the four flows share alike, and senders elsewhere no longer hurt the victim",
                "about 9.5 Gb/s each; the victim unhurt by senders under T3",
                "each of the four 9.5 Gb/s +-10 %, max/min <= 1.15; victim changes <= 15 % from 0 to 2 senders",
                Lab(HARDWARE, "B", "cx3-pro", "trident2",
                    "the set-ups of s15-fig3 and s15-fig4 with DCQCN: N 50 us, K 55 us, F 5, B 10 MB, R_AI 40 Mb/s, g 1/256",
                    (MTU, STREAM, CLOS,
                     ("both readings of the thresholds, 5/200 KB/1 % and 40/40 KB/1: inside if both are", "sources "
                         "contradict each other"),
                     ("10 seeds; rates are means of the seeds and of 100 to 200 ms", "DCQCN converges within 100 ms"),
                     ("the victim's median over the seeds", "as in s15-fig4")),
                    (), TESTBED)),
        reality("s15-k1", "K:1 incast through one switch: full link, short queue", "total > 39 Gb/s; p90 queue at 20:1 76.6 KB",
                ">= 38 Gb/s on the wire at K = 2, 4, 8, 16, 20; p90 queue 76.6 KB +-25 %",
                Lab(HARDWARE, "C", "cx3-pro", "trident2", "one 7050QX32, K senders to one receiver at 40 Gb/s, DCQCN",
                    (MTU, STREAM, ("10 seeds, all start at 0, over 100 to 200 ms", "as s15-fig8-9"),
                     ("the queue is read every 10 us", "the switch's period is not known")),
                    ("76.6 KB is recollection; secondary sources have it",), TESTBED))), table="reality")

S16 = Figure(
    "s16-testbed", "reality: RDMA at Scale SIGCOMM'16", "two podsets at 40 Gb/s", "2 x (4 leaf, 24 ToR), 64 spines, all 40 Gb/s", {}, (
        reality("s16-fig7", "3072 connections over 128 leaf-spine links reach 60 % of their capacity",
                "3.0 Tb/s = 60 % of 5.12 Tb/s, about 8 Gb/s per server, no drop",
                "52 to 68 % of 5.12 Tb/s, 0 drops",
                Lab(HARDWARE, "B", "cx3-pro", "trident2",
                    "ToR i pairs with ToR i of the other podset; 8 servers of each, 8 connections to the partner in both "
                    "directions, as fast as possible; frame 1086 B, payload 1024 B, ECMP",
                    (("leaf i of a podset is on spines 16 i to 16 i + 15", "64 links of a podset to 64 spines"),
                     ("with and without DCQCN: inside if both are", "not stated"),
                     ("1 us a link; trident2's buffer in every switch", "as the other testbeds"),
                     ("10 seeds, 2 to 4 ms", "384 hosts; 0.3 G packets a second"),
                     ("5.12 Tb/s against bytes on the wire of the leaf-spine links", "the text compares link capacity")),
                    (), TESTBED)),), table="reality")

H19_MTU = ("payload 1000 B, Pmax 0.2", "HPCC's simulator")
RACK = ("0.98 us a link", "base RTT 5.4 us in the rack; a full frame's time on 4 links and 1.0 us in the NICs taken off")

SENDING = ("rates are those at which the NIC sends", "figure 9b has both flows at 24.5 Gb/s at once on one link of 25 Gb/s, before its "
           "queue has drained: no receiver can see that")

H19 = Figure(
    "h19-testbed", "reality: HPCC SIGCOMM'19 testbed", "25 Gb/s NICs with a vendor's DCQCN", "one rack, 25 Gb/s, base RTT 5.4 us", {}, (
        reality("h19-long-short", "a long flow is slow to come back after a 1 MB flow",
                "not back at line rate 2 ms after; 19 Gb/s 1.9 ms after; both cut to 2.5 Gb/s; queue peaks 195 and 225 KB",
                "at +1.9 ms 19 Gb/s +-25 % and below 23; queue peaks +-25 %; first plateau 2.5 Gb/s +-50 %",
                Lab(HARDWARE, "B", "vendor-25g", "h19-tor",
                    "long flow at line rate, a 1 MB flow joins the same link at 25 Gb/s",
                    (H19_MTU, RACK, ("the short flow begins at 2 ms; 10 seeds", "the long flow has its line rate by then"),
                     ("queue peaks: the largest within 0.3 ms of the join, and the largest after that", "two, in this order"),
                     ("plateau: the long flow's mean over 0.1 to 0.3 ms after the join", "0.3 ms by eye, the cut is over by "
                         "0.1 ms"), SENDING),
                    (), TESTBED)),
        reality("h19-incast", "7 senders join a long flow", "queue builds to 550 KB; long flow 0 for 0.45 ms, then 12, 18, "
                                                            "21, 23, 24 Gb/s",
                "peak 550 KB +-25 %; long flow at 90 % of line 0.9 to 1.8 ms after its restart",
                Lab(HARDWARE, "B", "vendor-25g", "h19-tor", "7 senders start at once to the receiver of a running long flow",
                    (H19_MTU, RACK, ("200 KB each", "the figure's queue lasts 0.5 ms"),
                     ("they begin at 2 ms; 10 seeds", "as h19-long-short"),
                     ("restart: the last cut's end in the 2 ms after; 90 %: 22.5 Gb/s", "no definition in the text"), SENDING),
                    (), TESTBED)),
        reality("h19-mice", "1 KB messages wait behind two long flows", "latency always > 35 us; median 40, p99 50 us; "
            "queue 97-150, median 105 KB",
                "median queue 105 KB +-25 %, p1 to p99 inside 75 to 200 KB; median latency 40 us +-25 %",
                Lab(HARDWARE, "B", "vendor-25g", "h19-tor", "two long flows saturate a 25 Gb/s link, 1 KB messages through it",
                    (H19_MTU, RACK, ("a message every 100 us from a third host, same class; queue read every 10 us; 20 to "
                                     "40 ms; 10 seeds",
                                     "enough messages for a median, too few to load the link"),
                     ("latency: post to acknowledgement", "FCT as the paper's other figures")),
                    (), TESTBED)),
        reality("h19-ws", "WebSearch between 32 dual-homed servers: tail slowdown of small flows and queue",
                "p99 slowdown of flows < 3 KB 11.2 (30 %), 53.9 (50 %); queue at 50 %: median 0, p95 1.1 MB, p99 2.1 MB",
                "tails within a factor 2; median queue 0",
                Lab(HARDWARE, "B", "vendor-25g", "h19-tor",
                    "1 Agg, 4 ToR on 100 Gb/s, 32 servers with two 25 Gb/s NICs, 16 on ToR 1 and 2, 16 on ToR 3 and 4; "
                    "Poisson, 30 and "
                    "50 % mean link load; RTT 5.4 / 8.5 us",
                    (H19_MTU, RACK, ("a flow takes one of the two NICs by hash", "bonding is not described"),
                     ("20 ms of arrivals, 10 seeds", "cost"),
                     ("load: the mean of all links, bytes on the wire", "average link loads, says the text"),
                     ("flows < 3 KB against the same flow alone", "no definition"),
                     ("queue: of all ports of all switches, read every 10 us", "queue lengths at switches, says the text")),
                    (), "arrivals between hosts with two ports"))), table="reality")

FIGURES = (S15, S16, H19)
