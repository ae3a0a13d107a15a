# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the programs say of themselves: parameters, attributes, the manual."""

COMMANDS = ("algorithms", "attributes", "manual", "help", "completion", "man")   # modules that define a COMMAND, in the order of the help
