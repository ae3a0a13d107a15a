# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Files of ns3-rdma and HPCC users: read and written without a simulation."""

COMMANDS = ("fct", "compare_fct", "trace", "generate")   # modules that define a COMMAND, in the order of the help
