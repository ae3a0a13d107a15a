# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The answer, the table and the lines of a run, and comparisons of folders and sweeps."""
