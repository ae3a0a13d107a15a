# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reality table: simulations that others published with their parameters."""
from __future__ import annotations

from .figure import Figure
from .reality_clos import TESTBED
from .reality_row import SIMULATION, Lab, reality

FAT = "fat tree 16 core, 20 Agg, 20 ToR, 320 hosts at 100 Gb/s, 400 Gb/s between switches, 1 us links; FB_Hadoop, Poisson"
HADOOP = "the FB_Hadoop sizes and their arrivals beside an incast"

ASSUME_HADOOP = (("load counts payload", "traffic_gen.py"),
                 ("2 ms of arrivals and up to 20 ms more, 10 seeds", "cost: 1.1 M packets a ms at 30 %; the source has 100 ms"),
                 ("TIMELY: preset hpcc with a step of 100 Mb/s, 500 Mb/s in hyperactive increase, least rate 1 Gb/s",
                  "run.py --cc timely --bw 100 of the public simulator"))

H19 = Figure(
    "h19-simulation", "reality: HPCC SIGCOMM'19 simulations", "320 hosts", FAT, {}, (
        reality("h19-sim-incast", "30 % FB_Hadoop + 60:1 incasts", "p95 slowdown < 1 KB: DCQCN 66, TIMELY 110; paused 5.5 "
                                                                   "and 9 %",
                "within a factor 2; TIMELY > DCQCN; pauses > 0 for both",
                Lab(SIMULATION, "A", "vendor-100g", "h19-sim", FAT + "; 30 % + incast 60 x 500 KB, 2 % of capacity",
                    ASSUME_HADOOP + (("p95 slowdown of flows below 1 KB against the same flow alone, one packet", "its definition"),
                                     ("paused: the NICs' ports together over ports x time", "not defined")), (), HADOOP)),
        reality("h19-sim-50", "50 % FB_Hadoop, no incast", "p95 slowdown of small flows 5.2 (DCQCN), 6.5 (TIMELY); no pauses",
                "+-25 %; pauses <= 0.1 % of time",
                Lab(SIMULATION, "A", "vendor-100g", "h19-sim", FAT + "; 50 %",
                    ASSUME_HADOOP + (("small flows: below 1 KB", "as h19-sim-incast"),), (), HADOOP))),
    table="reality")

SETUP = ("H1 to R1 (F1) and H2 to R2 (F2), long-lived flows of 20 MB messages, over one link P2-P1 between two switches; at 3 ms "
         "15 hosts send 4 KB messages to R2 for 1 ms")
ASSUME = (("32 Gb/s for every link", "F1 + F2 settle at 32 Gb/s in the picture"),
          ("the 15 hosts are on P1, each one stream; payload 1000 B, 1 us a link", "ns3-rdma's defaults"),
          ("10 seeds", "marking decides"))

SC20 = Figure(
    "sc20-simulation", "reality: sc20anonymous' DCQCN validation", "a victim of a burst", "ns3-rdma", {}, (
        reality("sc20-under", "the link P2-P1 stays under-used after the burst", "16 ms; F1 grows 9.5 to 20.5 Gb/s at 0.70 "
            "Gb/s per ms",
                "16 ms +-25 %; slope +-15 %",
                Lab(SIMULATION, "B", "ns3-rdma", "ns3-rdma", SETUP,
                    ASSUME + (("under-used: from 3 ms until F1 + F2 reach 95 % of the link in a 100 us mean after the burst", "no "
                        "threshold given"),
                              ("slope: least squares of F1's rate from 4 ms on until it ends the under-use", "by eye there")),
                    ("the rate of the links",), TESTBED)),
        reality("sc20-cut", "F1's rate is cut though it is only a victim", "DCQCN's rate about 9 Gb/s; PFC sets it for 1.2 "
            "ms; least real rate 2.2 Gb/s",
                "9 Gb/s +-25 %; 1.2 ms +-25 %",
                Lab(SIMULATION, "B", "ns3-rdma", "ns3-rdma", SETUP,
                    ASSUME + (("PFC sets the rate: F1's 50 us mean is below 90 % of its paced rate", "no threshold given"),),
                    ("the rate of the links",), TESTBED))), table="reality")

TLT = Figure(
    "tlt-simulation", "reality: TLT EuroSys'21", "DCQCN on a lossy leaf-spine", "96 hosts at 40 Gb/s", {}, (
        reality("tlt-dcqcn-lossy", "go-back-N without PFC: tail of the foreground", "foreground p99.9 FCT 12.7 ms, "
            "background mean 4.3 ms",
                "background mean +-25 %; p99.9 within a factor 2",
                Lab(SIMULATION, "A", "paper", "tlt",
                    "4 core, 12 ToR x 8 hosts, 1 us links; 40 % of ToR-core, 10,000 web search flows between random pairs, 5 % of bytes "
                    "in incasts of 95 senders x 8 flows x 8 KB to random receivers; RTO 4 ms; 5 seeds",
                    (("5/200 KB/1 %", "its Kmax is 200 KB"),
                     ("182 ms of arrivals, about 10,000 background flows, up to 200 ms more", "10,000 in the source"),
                     ("40 % of ToR-core is both together, on the wire: 21.6 % of the hosts' ports, of which 88 in 95 leave the rack",
                      "load is 40 %, of which 5 % is foreground (figures 5 and 6)")), (),
                    "a dynamic egress threshold of lossy classes")),), table="reality")

FIGURES = (H19, SC20, TLT)
