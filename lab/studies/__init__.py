# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What was identified or studied once: the search, its data and its page. Frozen, and still runnable."""

COMMANDS = ("identify",)   # modules that define a COMMAND, in the order of the help
