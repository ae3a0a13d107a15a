# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The papers and other sources behind the figures, and the result of each row in the last full run (last-run.tsv)."""
from __future__ import annotations

import os
from typing import NamedTuple

LAST_RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "last-run.tsv")


class Paper(NamedTuple):
    """A source of rows."""
    title: str
    venue: str


HPCC = Paper("HPCC: High Precision Congestion Control", "SIGCOMM 2019")
DCQCN = Paper("Congestion Control for Large-Scale RDMA Deployments", "SIGCOMM 2015")
BARRE = Paper("Barre", "USENIX ATC 2025")
SONIC = Paper("Test plans of RoCEv2 and of trimming", "SONiC")

# By `source` of a figure, up to its first comma.
SOURCES = {
    "DCQCN+ ICNP'18": Paper("DCQCN+: Taming Large-scale Incast Congestion in RDMA over Ethernet Networks", "ICNP 2018"),
    "Thesis Yang 2018": Paper("Improvements for Congestion Control Algorithms in Large-Scale Datacenter Network",
                              "thesis, Nanjing University 2018"),
    "DCQCN SIGCOMM'15": DCQCN,
    "ECN or Delay CoNEXT'16": Paper("ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", "CoNEXT 2016"),
    "QCN on NetFPGA": Paper("Data Center Quantized Congestion Notification: Implementation and Evaluation on NetFPGA",
                            "Kabbani and Yasuda"),
    "Unbiased QCN IBM'14": Paper("Unbiased QCN for Scalable Server-Fabrics", "IBM RZ 3880, 2014"),
    "DCTCP SIGCOMM'10": Paper("Data Center TCP (DCTCP)", "SIGCOMM 2010"),
    "HPCC SIGCOMM'19": HPCC,
    "Swift SIGCOMM'20": Paper("Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", "SIGCOMM 2020"),
    "uet-htsim": Paper("Results that ship with uet-htsim: NSCC, trimming", "uet-htsim"),
    "Barre ATC'25": BARRE,
    "PowerTCP NSDI'22": Paper("PowerTCP: Pushing the Performance Limits of Datacenter Networks", "NSDI 2022"),
    "IRN SIGCOMM'18": Paper("Revisiting Network Support for RDMA", "SIGCOMM 2018"),
    "closed form": Paper("Go-back-N and selective repeat", "closed form"),
    "LetFlow NSDI'17": Paper("Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching", "NSDI 2017"),
    "DRILL SIGCOMM'17": Paper("DRILL: Micro Load Balancing for Low-latency Data Center Networks", "SIGCOMM 2017"),
    "SONiC trimming test plan": SONIC,
    "reality: DCQCN SIGCOMM'15": DCQCN,
    "reality: RDMA at Scale SIGCOMM'16": Paper("RDMA over Commodity Ethernet at Scale", "SIGCOMM 2016"),
    "reality: HPCC SIGCOMM'19 testbed": HPCC,
    "reality: Azure NSDI'23": Paper("Empowering Azure Storage with RDMA", "NSDI 2023"),
    "reality: Lumina SIGCOMM'23": Paper("Understanding the Micro-Behaviors of Hardware Offloaded Network Stacks with Lumina",
                                        "SIGCOMM 2023"),
    "reality: Barre ATC'25": BARRE,
    "reality: ConnectX-5 at ETH HACC": Paper("4 hosts, 100 Gb/s, one leaf", "ConnectX-5 at ETH HACC"),
    "reality: Juniper long distance": Paper("4 clients into one 100 Gb/s link of 50 to 500 km", "Juniper"),
    "reality: issue 12 of ns-3-alibabacloud": Paper("Pauses and CNPs of a Trident 3, 100 Gb/s to 25 Gb/s", "issue 12 of ns-3-alibabacloud"),
    "reality: BlueField behind a policer": Paper("RDMA beside Cubic behind a policer of 20 Gb/s", "BlueField"),
    "reality: MRC 2026": Paper("Resilient AI Supercomputer Networking using MRC and SRv6", "arXiv 2605.04333"),
    "reality: sc20anonymous' DCQCN validation": Paper("A victim of a burst in ns3-rdma", "sc20anonymous' DCQCN validation"),
    "reality: HPCC SIGCOMM'19 simulations": HPCC,
    "reality: TLT EuroSys'21": Paper("Towards Timeout-less Transport in Commodity Datacenter Networks", "EuroSys 2021"),
    "reality: SONiC RoCEv2 test plan": SONIC,
}


def find_paper(figure) -> Paper:
    """Return the source of a figure."""
    return SOURCES[figure.source.partition(",")[0]]


class Last(NamedTuple):
    """The result of a row in the last full run."""
    question: str    # that the row answers: queue, completion, fairness, rate, pauses, loss, formula or hardware
    inside: bool
    measured: str


def read_last() -> dict:
    """Return {id of a row: its Last}."""
    with open(LAST_RUN, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return {name: Last(question, inside == "yes", measured) for name, question, inside, measured in lines}


def list_papers(wanted: list) -> list:
    """Return (Paper, rows inside in the last full run, all rows) of the (figure, rows) pairs, in their order."""
    last, counts = read_last(), {}
    for figure, rows in wanted:
        inside, of_all = counts.get(find_paper(figure), (0, 0))
        counts[find_paper(figure)] = (inside + sum(last[row.id].inside for row in rows), of_all + len(rows))
    return [(paper, *pair) for paper, pair in counts.items()]
