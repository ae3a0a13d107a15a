# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What was identified or studied once: the search, its data and its page. Frozen, and still runnable."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "identify": "search for the reading of the DCQCN+ paper that gives what it shows",
}
