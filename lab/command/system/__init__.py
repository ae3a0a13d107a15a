# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The machine: packages, builds, ns-3 trees, tests."""

# modules that define a COMMAND, in the order of the help
COMMANDS = ("test", "fuzz", "properties", "build", "install", "doctor", "version")
