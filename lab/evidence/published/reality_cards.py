# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reality table: tests of single NICs and of one switch (Azure, Lumina, ETH HACC, ByteDance, Juniper, Trident 3, a policer)."""
from __future__ import annotations

from .figure import Figure
from .reality_clos import TESTBED
from .reality_row import HARDWARE, Lab, reality

AZ23 = Figure(
    "az23-testbed", "reality: Azure NSDI'23", "a near and a far sender", "RTT 2 us and 1.77 ms, 40 Gb/s", {}, (
        reality("az23-rtt", "two flows of very different RTT share a link", "both about 17 Gb/s; queue watermark oscillates "
            "around 1.36 MB",
                "each 17 Gb/s +-15 %, ratio <= 1.25; high watermark 1.36 MB +-25 % and < 2 MB",
                Lab(HARDWARE, "B", "paper", "azure",
                    "Gen1 40 Gb/s NICs; A and C in one rack, B across 80 km; one queue pair each to C, 64 KB WRITEs, up to "
                    "160 in flight",
                    (("N 50 us, K 55 us, alpha timer 55 us, R_AI 40 Mb/s: SIGCOMM'15's set", "timers are not stated"),
                     ("MTU 1024; 0.5 us and 441 us a link, A and B on one switch with C", "RTT 2 us and 1.77 ms over two "
                         "links each"),
                     ("window 10.49 MB, no token bucket", "160 x 64 KB; the size of Gen1's bursts is not published"),
                     ("no PFC", "the queue stays below 2 MB in the source; a lossless 80 km link needs 9 MB of headroom"),
                     ("10 seeds, 1 to 2 s; watermark: the mean over 100 ms intervals of the largest queue", "B ramps for 1 s")),
                    (), TESTBED)),), table="reality")

LUMINA = Figure(
    "lum-testbed", "reality: Lumina SIGCOMM'23", "two hosts, a P4 switch between", "marks and losses at chosen packets", {}, (
        reality("lum-mark50", "one queue pair of two has every 50th packet marked", "QP0 11, QP1 73.5 Gb/s; 45 + 45.5 Gb/s "
            "without marks",
                "QP0 11 Gb/s +-25 %; QP1 >= 65 Gb/s; unmarked sum 90.5 Gb/s +-5 %",
                Lab(HARDWARE, "A", "cx6-dx", "lumina-p4",
                    "100 Gb/s, RDMA MTU 1024, two queue pairs, 20 WRITEs of 1 MB each, DCQCN defaults, PFC off, both in one "
                    "ETS queue",
                    (("1 us a link", "lab of two hosts"),
                     ("QP0's rate is its 20 MB over its completion time; QP1's until then or its own end", "goodput of a "
                         "transfer"),
                     ("one seed", "nothing is random")),
                    (), TESTBED + ", every n-th packet marked")),
        reality("lum-cnp", "CNPs of a NIC whose packets are all marked", "least interval 4 us (NVIDIA), about 50 us (E810); "
            "per destination IP (CX4 "
                "Lx), port (CX5, CX6 Dx), queue pair (E810)",
                "CNPs/s with n queue pairs to one host: 250k, 250k, n x 20k, +-2 %",
                Lab(HARDWARE, "A", "cx4-lx, cx5, cx6-dx, e810", "lumina-p4", "every packet marked; 40 Gb/s CX4 Lx, 100 Gb/s "
                    "the others",
                    (("n = 1, 4, 16; 10 ms", "a few"), ("senders do not react (least rate = line rate)", "cut to 1 Mb/s "
                        "they would bring "
                                                        "fewer marks than the limiter passes")),
                    (), TESTBED + ", every packet marked")),
        reality("lum-nack", "time from a loss to the packet sent again", "generation + reaction: CX5 1.2 + 2.9, CX6 Dx 1.5 "
            "+ 4.2, E810 3.8 + "
                "11, CX4 Lx 1.2 + 165 us", "sum per NIC +-25 %; independent of the position",
                Lab(HARDWARE, "A", "cx4-lx, cx5, cx6-dx, e810", "lumina-p4", "one connection, 100 KB WRITEs, MTU 1024, one "
                    "packet dropped "
                    "at a chosen place", (("1 us a link", "lab of two hosts"),
                                          ("the 3rd, 50th, 95th packet of a message of 98 is lost", "chosen places"),
                                          ("delay: from the first packet behind the gap to the packet sent again, both at the "
                                           "receiver, less the idle round trip", "generation and reaction together")), (),
                    "NACK generation and reaction delays in the NIC; loss of a chosen packet"))), table="reality")

BARRE = Figure(
    "bar-testbed", "reality: Barre ATC'25", "BlueField-3, 400 Gb/s, clients come and go", "four clients, one server", {}, (
        reality("bar-fig12", "default parameters lose half of the link while clients come and go, tuned ones do not",
                "default: total dips to 197.7 Gb/s; tuned: near line rate, stable, fair",
                "default: least 1 s total 140 to 260 Gb/s with 1 queue pair per client; tuned: >= 360 Gb/s and higher Jain",
                Lab(HARDWARE, "C", "nic-default, barre-tuned", "tor-400g", "four clients, one server, one ToR; clients "
                    "connect one after "
                    "the other, then end one by one",
                    (("one queue pair per client, MTU 4096, 1 us a link", "not given"),
                     ("a client starts every 100 ms from 0 and ends in the same order from 500 ms on; total over 50 ms "
                      "instead of 1 s; "
                      "least total between 50 and 750 ms", "the schedule is not given; seconds would cost minutes a seed"),
                     ("Jain's index: mean over the 50 ms intervals in which more than one is active", "no formula given"),
                     ("10 seeds", "marking decides")), (), TESTBED)),), table="reality")

METER = ("the meter drains at 94 Gb/s and holds 131072 B; a packet beyond counts as marked",
         "the campaign's lone flow loses packets above about 94 Gb/s; half of a receive buffer of 256 KiB (UNVERIFIED)")

CX5 = Figure(
    "cx5-testbed", "reality: ConnectX-5 at ETH HACC", "4 hosts, 100 Gb/s, one leaf", "MTU 4096, no PFC, no marks", {}, (
        reality("cx5-incast", "2:1 on a lossy port: the wire is full, a quarter is sent again", "wire 99.3 Gb/s, goodput "
            "73.9 Gb/s, 1.65 % lost, shares 50.4/49.6",
                "goodput 73.9 Gb/s +-15 %, wire >= 98 % of line, shares 50 +-2 points, loss 0.8 to 3.3 %",
                Lab(HARDWARE, "B", "cx5", "cx5-leaf", "two RC senders, 1 MiB WRITEs, go-back-N, local ACK timeout 67.1 ms",
                    (("the NIC's CNPs of its own ingress, as cx5-dcqcn", "a loss alone slows no sender here"),
                     METER, ("window 64 MiB a queue pair, 0.515 us a link", "as cx5-msg"),
                     ("200 ms, averages over the second half; lost: packets dropped of those sent; one seed", "nothing is random")), (),
                    "a NIC whose ingress meter makes CNPs")),
        reality("cx5-dcqcn", "a NIC makes CNPs of its own ingress congestion", "283 CNP/s per queue pair; cuts >= 30 %; "
            "back to 95 % in 447 ms; slope "
                "0.107 to 0.093 Gb/s per ms", "recovery 447 ms +-25 %; slope 0.1 Gb/s per ms +-25 %; CNP rate +-30 %",
                Lab(HARDWARE, "B", "cx5", "cx5-leaf", "the fan-in of cx5-incast",
                    (("nic-default's increase", "the cards' settings are not readable"), METER,
                     ("1 s of fan-in, then one sender stops; CNPs a second of its last half and queue pair", "not described"),
                     ("recovery: from the stop until the other has 95 % of the line in a 10 ms mean; slope: what it gained by "
                      "then, over that time", "not described")), (), "a NIC whose ingress meter makes CNPs")),
        reality("cx5-msg", "one WRITE outstanding: goodput by message size", "7.04, 21.95, 49.63, 79.23 Gb/s at 4, 16, 64, "
            "256 KiB; fan-out 97.83 Gb/s; ring 97.98",
                "each size +-10 %; fan-out >= 95 Gb/s, 0 drops",
                Lab(HARDWARE, "A", "cx5", "cx5-leaf", "one queue pair, depth 1, WRITE, MTU 4096; 1:2 fan-out; ring of 4",
                    (("2.4 us from a completion to the next message's first packet, 0.515 us a link",
                      "4.48 us of the fit = 2.08 us path + 2.4; 4 pipes of 515 ns in the 2.08 us"),
                     ("one seed, 10 ms; fan-out and ring with 64 MiB outstanding", "nothing is random")), (),
                    TESTBED + ", messages one at a time"))), table="reality")

JNP = Figure(
    "jnp-testbed", "reality: Juniper long distance", "4 clients into one 100 Gb/s link of 50 to 500 km", "RTT 632 us to 5.2 ms", {}, (
        reality("jnp-dci", "full link, no drop, queue of about one RTT at every distance", "99.99 Gb/s, no tail drop, peak "
            "queue about 1 RTT (7.9 to 64.7 MB), shares even",
                ">= 98 % of line, 0 drops, peak queue 0.75 to 1.25 RTT, Jain >= 0.98, at all six RTTs",
                Lab(HARDWARE, "A", "jnp", "ptx10008",
                    "two PTX10008; 4 clients x 100 Gb/s; measured RTT 632, 1131, 2138, 3158, 4145, 5179 us; 16 queue pairs "
                    "x depth 64 x "
                    "64 KB per client at 500 km, about 1 BDP elsewhere; MTU 4096; timer 5000 us, 7000 at 500 km; 60 s runs",
                    (("AI 5, HAI 50 Mb/s, CNP 4 us, no PFC", "not stated"),
                     ("window of a queue pair = 1.04 BDP / 16 at every RTT", "67.1 MB at 500 km"),
                     ("mark probability from 0, not 1 %, at Kmin", "RED's line here begins at 0"),
                     ("5 s, averages over 2.5 to 5 s, queue's peak in them; one seed", "cost; 5 to 10 s are allowed")),
                    (), TESTBED)),), table="reality")

OTHERS = Figure(
    "a12-testbed", "reality: issue 12 of ns-3-alibabacloud", "Trident 3, 100 Gb/s to 25 Gb/s", "one queue pair", {}, (
        reality("a12-td3", "PFC pauses and CNPs are seen on hardware", "pauses and CNPs; in ns-3 none without NIC delay, "
            "pauses with 55 us",
                "pauses > 0 and CNPs > 0 in the hardware's configuration",
                Lab(HARDWARE, "C", "nic-default", "trident3", "100 WRITEs of 50 MB, Kmin 400 cells, Kmax 1625 cells, Pmax 20 %",
                    (("1 us a link, MTU 1024, 20 ms", "not stated"), ("CNP delay 0, 5, 55 us are shown, 5 us is judged",
                                                                      "sum of generation and reaction of NVIDIA's cards in "
                                                                          "Lumina"),
                     ("the delay is the sender's, before the reaction point; one seed", "a constant in the loop")),
                    ("cells of 256 B",), "CNP processing delay in the NIC")),), table="reality")

DPU = Figure(
    "dpu-testbed", "reality: BlueField behind a policer", "RDMA beside Cubic behind a 20 Gb/s policer", "four tenants", {}, (
        reality("dpu-policer", "a policer that only drops starves RDMA", "RDMA 2.40, TCP 16.74 Gb/s; tenants 4.57 to 4.89 "
            "Gb/s; no CNP",
                "CNPs exactly 0; TCP/RDMA within a factor 2 of 7; tenants +-10 %",
                Lab(HARDWARE, "B", "nic-default", "policer", "4 senders capped at 20 Gb/s, policer 21 Gb/s, 16 RDMA queue "
                    "pairs (64 KB) + 16 Cubic flows, no ECN, go-back-N, RTT 50 us; 3 runs of 60 s",
                    (("4 queue pairs and 4 Cubic flows a sender; the cap of 20 Gb/s is the rate of its link; 12.5 us a link",
                      "four tenants; a shaper with a queue; RTT 50 us over four links"),
                     ("RDMA MTU 1024, TCP MTU 1500; VxLAN's header is left out", "usual on Ethernet of 1500 B; 3 % of a frame"),
                     ("the policer's burst is 128 KB", "not stated: a round trip of its rate is 131 KB"),
                     ("8 MiB in flight a queue pair", "64 KB messages at perftest's depth of 128"),
                     ("local ACK timeout 67.1 ms; TCP's least timeout 200 ms", "the card's default 14; Linux"),
                     ("RDMA begins 50 ms after TCP; 1 s, averages over 0.2 to 1 s; 3 seeds", "cost; the source has 3 runs"),
                     ("tenant: goodput of its RDMA and TCP, against the middle of 4.57 to 4.89 Gb/s", "the band's +-10 %")),
                    (), "a drop-only policer shared by RDMA and TCP")),), table="reality")

FIGURES = (AZ23, LUMINA, BARRE, CX5, JNP, OTHERS, DPU)
