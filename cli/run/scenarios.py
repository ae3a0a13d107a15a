# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The scenarios that `./rcc run` knows, as data: a new one is one entry in SCENARIOS. The options of a scenario are declared by
its program; options.json, beside this file, repeats what the programs print for --describe, so that help needs no build
(tools/describe_options.py writes it)."""
from __future__ import annotations

import functools
import json
import os
from typing import NamedTuple

OPTIONS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "options.json")
OF_COMMAND = {"cc", "out", "check", "progress", "config"}  # the command gives these to the program itself


class Option(NamedTuple):
    """One option of a scenario's program. Values are passed on as typed; the program judges them."""
    name: str
    metavar: str
    default: str   # what the program does without it, in words or as a value
    help: str
    flag: bool
    repeat: bool   # may be given several times; joined with commas for the program


@functools.lru_cache(maxsize=None)
def read_options() -> dict:
    """The options of every program, as it prints them."""
    with open(OPTIONS, encoding="utf-8") as f:
        return json.load(f)


class Scenario(NamedTuple):
    name: str
    program: str
    title: str
    about: str
    algorithms: list   # without --cc
    examples: list

    @property
    def options(self) -> list:
        """What users of the command may give."""
        return [Option(o["name"], o["metavar"], o["unset"] or o["default"], o["help"] + ("; repeatable" if o["repeat"] else ""),
                       o["flag"], o["repeat"])
                for o in read_options()[self.program] if o["name"] not in OF_COMMAND]


SCENARIOS = {s.name: s for s in [
    Scenario(
        name="incast",
        program="incast",
        title="N flows from several senders to one receiver through one switch",
        about="The incast of the DCQCN+ paper (ICNP 2018): 8 senders, 1 receiver, one switch, 2000 flows that start\n"
              "within 0.1 s and send as much as they can; each algorithm runs on its own, results side by side.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run incast", "the paper's incast under DCQCN, DCQCN+ and QCN"),
            ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=160 --rate=10Gbps", "two algorithms, a smaller incast"),
            ("./rcc run incast --size=1MB --flows=200", "flows of 1 MB each; reports flow completion times"),
            ("./rcc run incast --kmin=5KB --kmax=2000KB --pmax=0.1 --flows=10", "another marking profile"),
            ("./rcc run incast --cc=dcqcn --set dcqcn.g=0.015625 --out=out/g64", "one parameter changed"),
        ]),
    Scenario(
        name="clos",
        program="clos",
        title="incast through a CLOS network of three levels",
        about="Figure 9 of the DCQCN+ paper (ICNP 2018): a fat tree of 20 pods with 10 core switches, 2410 nodes;\n"
              "1900 hosts of 19 pods send to 10 hosts of the last pod. Takes minutes per algorithm.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run clos --topology=leaf-spine --oversubscription=4 --time=0.1s", "64 hosts in 4 racks, 4:1"),
            ("./rcc run clos --cc=dcqcn-plus", "the paper's CLOS under DCQCN+"),
            ("./rcc run clos --k=8 --cores=16 --senders=100 --receivers=4 --time=0.05s --start=10ms", "a small one"),
        ]),
    Scenario(
        name="convergence",
        program="convergence",
        title="flows that start one after the other share one port",
        about="Figure 8 of the DCQCN+ paper (ICNP 2018): three flows from three hosts start at 0, 0.1 and 0.3 s; the\n"
              "per-flow rates show how each algorithm makes room.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run convergence --time=0.6s", "the paper's three flows"),
            ("./rcc run convergence --rate=10Gbps --starts=0s,20ms,40ms,60ms --time=0.1s", "four flows at 10 Gb/s"),
        ]),
    Scenario(
        name="capacity",
        program="capacity",
        title="a few sources share one port whose service rate drops and comes back",
        about="Section 4 of the QCN paper on NetFPGA: up to 8 sources with delay lines on 1 Gb/s links, one output\n"
              "queue of 150 KB without PFC, served at 0.95 Gb/s, at 0.2 Gb/s for 3.7 s, and at 0.95 Gb/s again.",
        algorithms=["qcn"],
        examples=[
            ("./rcc run capacity", "8 sources, a round trip of 100 us"),
            ("./rcc run capacity --sources=1 --rtt=1ms", "one source, a long round trip"),
            ("./rcc run capacity --capacity=0s:0.9Gbps --capacity=1s:0.5Gbps --time=2s", "other service rates"),
        ]),
    Scenario(
        name="workload",
        program="workload",
        title="flows of realistic sizes between all hosts, arriving at random",
        about="Figure 11 of the DCQCN+ paper (ICNP 2018): 9 hosts on one switch, 10 Gb/s, load 0.8; flows of web search or\n"
              "data mining sizes arrive as a Poisson process and end. Reports completion times and slowdowns by size.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run workload --cc=dcqcn,dcqcn-plus", "the paper's web search workload"),
            ("./rcc run workload --sizes=data-mining --seed=2", "the other one, other flows"),
            ("./rcc run workload --sizes=sizes.txt --load=0.5 --hosts=32 --time=0.1s", "sizes of your own"),
        ]),
    Scenario(
        name="fan-in",
        program="fan-in",
        title="QCN at the inputs or the outputs of a combined input/output-queued switch",
        about="The fan-in of \"Unbiased QCN for Scalable Server-Fabrics\" (IBM RZ 3880): full-rate flows from several\n"
              "inputs to one output; the fifth is active from 100 to 200 ms. doc/fan-in.md has every figure's command.",
        algorithms=["qcn"],
        examples=[
            ("./rcc run fan-in --cp=outputs", "standard QCN: congestion points at the outputs"),
            ("./rcc run fan-in --cp=inputs", "the report's: at the inputs"),
            ("./rcc run fan-in --sampling=random --flow=0:5:3Gbps --flow=0:6:7Gbps --flow=1:5 --flow=2:5 --flow=3:5",
             "a victim, from port 0 to port 6"),
            ("./rcc run fan-in --flow=0:5 --capacity=5:10ms:1Gbps --sampling=random --keep-alive", "a capacity step"),
        ]),
]}
