# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The ./rcc command. One module per purpose; standard library only, but for results/plots.py (matplotlib)."""
