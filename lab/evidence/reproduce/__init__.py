# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Published figures and open decisions, run and judged."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "reproduce": "run what was published, row by row: published, measured, inside the band?",
    "check": "checks of a switch's test plan by name, with verdicts",
    "decisions": "what the open decisions of DCQCN+ do",
}
