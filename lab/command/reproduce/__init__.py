# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Published figures and open decisions, run and judged."""

COMMANDS = ("reproduce", "check", "decisions")   # modules that define a COMMAND, in the order of the help
