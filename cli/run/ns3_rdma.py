# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc ns3-rdma`: the config.txt of an ns3-rdma or HPCC user, run like a scenario. The program reads and judges all of it."""
from __future__ import annotations

from ..common import RccError
from .scenarios import CAPTURE, COMMON, Option, Scenario
from . import run
from ..registry import Command

OF_CONFIG = {"window": "from the first flow's start on", "kmin": "of the config", "kmax": "of the config",
             "pmax": "of the config", "buffer": "BUFFER_SIZE", "mtu": "PACKET_PAYLOAD_SIZE", "ack-every": "L2_ACK_INTERVAL"}

SCENARIO = Scenario(
    name="ns3-rdma",
    program="ns3-rdma",
    title="the config.txt, topology.txt and flow.txt of the ns3-rdma and HPCC simulators, unchanged",
    about="Run the input files of the ns3-rdma or HPCC simulator unchanged, under the algorithm that they name or several\n"
          "others side by side. Files that a config names are looked for from here and from beside it; results go to --out, not\n"
          "to where the config says. doc/ns3-rdma.md says what is the same and what differs.",
    algorithms=[],  # what CC_MODE means; only the program knows
    options=[
        Option("preset", "NAME", "of the dialect: ns3-rdma, hpcc", "parameter set under the keys of the config"),
        Option("set", "ALG.PARAM=VALUE", "", "set one parameter of one algorithm, over the config; repeatable", repeat=True),
        Option("dialect", "NAME", "by the keys of the config", "original (ns3-rdma) or hpcc (HPCC and its forks)"),
        Option("topology", "FILE", "TOPOLOGY_FILE of the config", "another topology.txt"),
        Option("flows", "FILE", "FLOW_FILE of the config", "another flow.txt, as ./rcc workload writes it"),
        Option("nic-params", "FILE", "", "parameters by the names of a NIC's settings"),
        Option("choices", "FILE", "", "algorithm of single flows"),
        Option("seed", "N", "1", "random seed; the same seed gives the same bytes"),
        Option("time", "TIME", "SIMULATOR_STOP_TIME", "simulated time"),
    ] + CAPTURE + [option._replace(default=OF_CONFIG[option.name]) for option in COMMON if option.name in OF_CONFIG],
    examples=[
        ("./rcc ns3-rdma mix/config.txt", "what it says, with table, plots, fct.txt, pfc.txt, qlen.txt and mix.tr"),
        ("./rcc ns3-rdma mix/config.txt --cc=dcqcn,dcqcn-plus,timely", "three algorithms side by side"),
        ("./rcc ns3-rdma mix/config.txt --cc=dcqcn --set dcqcn.timer=300us --out=out/t300", "a parameter over the config"),
        ("./rcc fct out/ns3-rdma/*/fct.txt", "slowdowns by flow size of what it wrote"),
    ])


def add_arguments(parser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="config.txt of either simulator")
    run.add_scenario(parser, SCENARIO)


def command(args) -> int:
    if not args.config:
        raise RccError("the name of a config file is missing")
    return run.simulate(SCENARIO, args, [f"--config={args.config}"])


COMMAND = Command(
    help="run the input files of the ns3-rdma and HPCC simulators unchanged",
    description=SCENARIO.about,
    examples=SCENARIO.examples,
    add_arguments=add_arguments,
    run=command)
