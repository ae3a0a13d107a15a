# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc generate topology|workload`: input files of ns3-rdma, HPCC and ./rcc ns3-rdma."""
from __future__ import annotations

from . import topology, workload
from ..registry import Command, add_parts

PARTS = {"topology": topology.PART, "workload": workload.PART}


def add_arguments(parser) -> None:
    add_parts(parser, PARTS, "FILE")


COMMAND = Command(
    description="Write input files of ns3-rdma, HPCC and ./rcc ns3-rdma. Simulates nothing.",
    examples=[example for part in PARTS.values() for example in part.examples],
    add_arguments=add_arguments,
    run=lambda args: 0)   # each part has its own
