# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What is done with the results of runs: summary, plots, report, comparison."""

COMMANDS = ("plot", "compare",)   # modules that define a COMMAND, in the order of the help
