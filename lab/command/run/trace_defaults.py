# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Defaults of `./rcc run trace`, for who shows them without the readers of traces."""
from __future__ import annotations

DEFAULTS = {"rate": "100Gbps", "mtu": "4096", "scale-thresholds": True}
TIMES, LEAST_MS = 10, 1
TIME = f"{TIMES} times what an idle network takes, {LEAST_MS}ms or more"
