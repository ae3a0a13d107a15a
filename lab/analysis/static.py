# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The parameters of DCQCN+ at the point where N flows have converged, for a NIC that has only DCQCN (Gao et al., "DCQCN+:
Taming Large-scale Incast Congestion in RDMA over Ethernet Networks", ICNP 2018, section V.D)."""
from __future__ import annotations

PACKET_BITS = 8000   # M: 1000 bytes
LAMBDA = 2           # K is twice the CNP period or the time of a packet


def settings(flows: int, rate: float, delta: float) -> dict:
    """K in seconds and R_AI in bit/s: K = 2 max(N delta, M / (R/N)), R_AI = R / (10 N)."""
    share = rate / flows
    return {"flows": flows, "rate_bps": rate, "share_bps": share, "timer_s": LAMBDA * max(flows * delta, PACKET_BITS / share),
            "r_ai_bps": share / 10}
