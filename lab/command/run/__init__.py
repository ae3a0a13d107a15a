# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Running scenarios: `./rcc run`, `sweep`, `ns3-rdma` and `bench`."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "run": "run a scenario under one or more algorithms",
    "sweep": "a grid over the options of a scenario, with intervals over seeds",
    "ns3_rdma": "run the input files of the ns3-rdma and HPCC simulators unchanged",
    "bench": "measure the cost of a simulated packet",
}
