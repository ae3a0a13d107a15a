# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What is said of results: the answer, the table, the lines below it, and comparisons of folders and sweeps."""
