# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc ns3-rdma`: the config.txt of an ns3-rdma or HPCC user, run like a scenario. The program reads and judges all of it."""
from __future__ import annotations

from ..common import RccError
from .scenarios import Scenario
from . import ranks, run
from ..registry import Command

SCENARIO = Scenario(
    name="ns3-rdma",
    program="ns3-rdma",
    title="the config.txt, topology.txt and flow.txt of the ns3-rdma and HPCC simulators, unchanged",
    about="Run the input files of the ns3-rdma or HPCC simulator unchanged, under the algorithm that they name or several\n"
          "others side by side. Files that a config names are looked for from here and from beside it; results go to --out, not\n"
          "to where the config says. lab/doc/ns3-rdma.md says what is the same and what differs.",
    algorithms=[],  # as CC_MODE says, which only the program reads
    shown=("--rto=67.108864ms; with files of HPCC 4ms if links have error rates, and that of IRN's network without PFC",),
    examples=[
        ("./rcc ns3-rdma mix/config.txt", "what it says, with table, plots, fct.txt, pfc.txt, qlen.txt and mix.tr"),
        ("./rcc ns3-rdma mix/config.txt --cc=dcqcn,dcqcn-plus,timely", "three algorithms side by side"),
        ("./rcc ns3-rdma mix/config.txt --cc=dcqcn --set dcqcn.timer=300us --out=out/t300", "a parameter over the config"),
        ("./rcc fct out/ns3-rdma/*/fct.txt", "slowdowns by flow size of what it wrote"),
    ])


def add_arguments(parser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="config.txt of either simulator")
    run.add_scenario(parser, SCENARIO)
    ranks.add_argument(parser, SCENARIO.name)
    run.add_output(parser)


def command(args) -> int:
    if not args.config:
        raise RccError("the name of a config file is missing")
    return run.simulate(SCENARIO, args, [f"--config={args.config}"])


COMMAND = Command(
    description=SCENARIO.about,
    examples=SCENARIO.examples,
    add_arguments=add_arguments,
    run=command)
