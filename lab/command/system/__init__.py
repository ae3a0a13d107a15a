# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The machine: packages, builds, ns-3 trees, tests."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "test": "build and run all tests",
    "fuzz": "look for inputs that break the readers of files and the core",
    "properties": "random networks under every algorithm: invariants, determinism, and what must change nothing",
    "build": "build an example, or a main of your own against the module",
    "install": "put the module and the lab into an ns-3 tree",
    "doctor": "show what is installed and what is missing",
    "version": "print the version",
}
