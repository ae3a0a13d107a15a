# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reality table: 400 Gb/s RoCE of "Resilient AI Supercomputer Networking using MRC and SRv6" (arXiv 2605.04333)."""
from __future__ import annotations

from .figure import Figure
from .reality_clos import TESTBED
from .reality_row import HARDWARE, Lab, reality

MTU = ("MTU 4096, 1 us a link, goodput counts payload", "not stated; usual at 400 Gb/s")

MRC = Figure(
    "mrc-testbed", "reality: MRC 2026", "400 Gb/s NICs, Tomahawk 5", "4 racks x 4 servers, 4 spines, all 400 Gb/s", {}, (
        reality("mrc-fig18", "an incast hurts a victim in the receiver's rack",
                "1 QP: victim loses about 25 %; 8 QPs: smaller mean loss, spells at 100 Gb/s; some PFC",
                "1 QP: victim 225 to 375 Gb/s mean of seeds; 8 QPs: mean above that of 1 QP; pauses > 0 in both; some "
                "interval with 8 QPs "
                "below 200 Gb/s",
                Lab(HARDWARE, "C", "thor-stand-in", "tomahawk5",
                    "7:1 incast across the spines + victim to an idle host in the receiver's rack; 1 and 8 queue pairs a "
                    "transfer; DCQCN + PFC",
                    (MTU, ("7 senders: 4 of rack 0 and 3 of rack 1 to host 0 of rack 3; victim from host 3 of rack 1 to "
                           "host 1 of rack 3",
                           "the picture was not seen"),
                     ("10 seeds, 10 to 40 ms, intervals of 1 ms instead of 1 s", "cost")), ("pictures not seen",), TESTBED)),
        reality("mrc-fig20", "8 flows over uplinks that are full: hash collisions",
                "1 QP: at line, 1/2 or 1/3, alike with PFC only and DCQCN; 8 QPs: PFC only helps little, DCQCN + PFC "
                "clearly more; 390 Gb/s reachable",
                "1 QP: every flow within +-10 % of 390, 195 or 130 Gb/s; 8 QPs: mean(DCQCN) >= 1.05 x mean(PFC only)",
                Lab(HARDWARE, "B", "thor-stand-in", "tomahawk5", "8 hosts of two racks send one-to-one to 8 hosts of the "
                                                                 "other two; 1 or 8 queue pairs",
                    (MTU, ("10 seeds, 10 to 40 ms", "cost"), ("`every flow` with PFC only and with DCQCN", "the source "
                        "finds them alike")),
                    ("pictures not seen",), TESTBED)),
        reality("mrc-fig22", "15:1, one more flow every 5 s, three profiles", "default: PFC from 10 flows on, link full; "
            "more aggressive: 10 % lost; most: 20 % lost",
                "default: turn-over at 5 to 20 flows, >= 95 % of line; stronger: losses 5 to 15 % and 10 to 30 %, in order",
                Lab(HARDWARE, "C", "thor-stand-in, stronger, strongest", "tomahawk5", "15:1 incast, flows arrive one by one",
                    (MTU, ("a flow every 20 ms instead of 5 s", "cost; the spec allows to shorten it"),
                     ("turn-over: the number of flows at the first pause", "queue held, then PFC"),
                     ("rate: mean of the link from 2 flows on, against the line less headers", "loss of the rate"),
                     ("15 senders on one switch with the receiver", "the queue at the receiver's ToR is shown"),
                     ("10 seeds", "marking decides")), ("pictures not seen",), TESTBED)),
        reality("mrc-fig16", "ring all-reduce and all-to-all of 64 GPUs with 1 and 16 QPs",
                "all-reduce 1 QP about half, little gain past 8; all-to-all: 16 QPs slightly worse than 1",
                "1 QP: 0.35 to 0.65 of the collision-free rate; 8 -> 16 QPs <= +10 %; all-to-all: 16 QPs <= 1.0 x 1 QP",
                Lab(HARDWARE, "C", "thor-stand-in", "tomahawk5", "64 GPUs, Pollara 400 Gb/s, two tiers, PFC + DCQCN, 4 MB "
                                                                 "to 16 GB",
                    (MTU, ("one node per host", "placement is not known"),
                     ("8 leaves x 8 hosts, 8 spines, all 400 Gb/s; rank i on leaf i mod 8: every step of the ring crosses the "
                      "spines", "the source blames collisions in the fabric"),
                     ("64 MB each: 126 messages of 1 MB, 63 of 1 MB; 10 seeds", "large messages; cost"),
                     ("no barrier: a rank of the ring sends on when its message and that of the rank before it are acknowledged; the "
                      "messages of an all-to-all are posted together",
                      "NCCL's and RCCL's ranks wait for their neighbour's data alone, and an all-to-all is one group of sends; the first "
                      "runs had a barrier after each step, for want of this"),
                     ("collision-free: 63 / 64 of the size twice (all-to-all: once) at line rate less headers", "no formula given")),
                    ("pictures not seen",),
                    "collectives whose ranks go on alone"))), table="reality")

FIGURES = (MRC,)
