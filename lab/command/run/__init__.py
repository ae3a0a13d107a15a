# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Running scenarios: `./rcc run`, `sweep`, `ns3-rdma` and `bench`."""

COMMANDS = ("run", "sweep", "ns3_rdma", "bench",)   # modules that define a COMMAND, in the order of the help
