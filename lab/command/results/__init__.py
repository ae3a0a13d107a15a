# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Summaries, plots, reports and comparisons of runs."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "plot": "draw the plots and the report of a finished run again",
    "compare": "put saved runs side by side: what differs in set-up, every metric, overlaid plots",
}
