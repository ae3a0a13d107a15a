# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Running scenarios: `./rcc run`, `ns3-rdma` and `bench`."""

COMMANDS = ("run", "ns3_rdma", "bench",)   # modules that define a COMMAND, in the order of the help
