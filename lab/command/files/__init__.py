# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Files of ns3-rdma and HPCC users: read and written without a simulation."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "fct": "slowdowns by flow size from fct.txt of the HPCC simulator, its forks or ./rcc ns3-rdma",
    "compare_fct": "compare the completion times of the same flows in two simulations",
    "trace": "print a packet trace, mix.tr, as HPCC's trace_reader does",
    "generate": "write topology.txt or flow.txt: common networks; flows of realistic sizes at random times",
}
