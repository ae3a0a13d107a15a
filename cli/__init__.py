# SPDX-License-Identifier: GPL-2.0-only
"""The ./rcc command. One module per purpose; standard library only, but for cli/plots.py (matplotlib)."""
