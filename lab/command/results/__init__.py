# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What is done with the results of runs: summary, plots, report, comparison."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "plot": "draw the plots and the report of a finished run again",
    "compare": "put saved runs side by side: what differs in set-up, every metric, overlaid plots",
}
