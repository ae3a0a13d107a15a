# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Published results as data: one file per source, one Figure per figure or sentence, one Row per claim; sets.py has all of them."""
