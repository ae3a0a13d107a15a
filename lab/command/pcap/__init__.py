# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Captures of RoCEv2 traffic."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "pcap": "read RoCEv2 captures of a testbed or of --pcap: bandwidth, CNPs, ECN, pauses, go-back-N",
}
