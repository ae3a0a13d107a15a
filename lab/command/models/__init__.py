# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What analytical models say without a simulation."""

COMMANDS = ("model",)   # modules that define a COMMAND, in the order of the help
