# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""An experiment: the model of nodes, links, flows and measures that every source fills, and the run file that it becomes."""
