# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""DCQCN: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015."""
from __future__ import annotations

from command.models.steady_state import Switch

from .figure import Data, Figure, Measured, Row

PAPER = "DCQCN SIGCOMM'15"


def threshold(value: float, target: float) -> Measured:
    """Exact to the last digit that was printed; the paper cuts off what follows it (24.475, 21.7556)."""
    return Measured(f"{value / 1e3:.4f} KB", int(value / 10) == round(target * 100), value)


def static(_: Data) -> Measured:
    return threshold(Switch().static_pause_bytes(), 24.47)


def ecn(_: Data) -> Measured:
    return threshold(Switch().ecn_bound_bytes(), 21.75)


FIGURES = (Figure(
    "s15-pfc", PAPER, "Section 4: when PFC starts, and ECN before it",
    "arithmetic: 12 MB shared buffer, 32 ports, 8 priorities, 22.4 KB in flight, beta 8 (./rcc model fixed-point's module)", {},
    (Row("s15-pfc-static", "static PFC threshold of a port and priority", "24.47 KB", "exact", (), static, quick=True),
     Row("s15-pfc-ecn", "ECN threshold below which marking comes before PFC", "21.75 KB", "exact", (), ecn, quick=True))),)
