# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Captures of RoCEv2 traffic."""

COMMANDS = ("pcap",)   # modules that define a COMMAND, in the order of the help
