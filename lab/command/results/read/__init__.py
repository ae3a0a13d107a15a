# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The files of an output folder: which are ours, how they are read and written, and runs of several seeds as one."""
