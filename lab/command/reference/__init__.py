# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Reference commands: parameters, attributes, the manual."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "algorithms": "list algorithms, presets and parameters",
    "attributes": "list attributes that --attr sets",
    "manual": "build the manual as HTML",
    "help": "what a command does and its options",
    "completion": "completion of commands and options for bash or zsh",
}
