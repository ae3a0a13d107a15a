# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Predictions of analytical models, without a simulation."""

# modules that define a COMMAND, in the order of the help, each with its line there
COMMANDS = {
    "model": "what analytical models predict: the queue's fixed point, static DCQCN+ settings for a real NIC",
}
