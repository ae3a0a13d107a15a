# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The equilibrium of DCQCN+ (Gao et al., ICNP 2018, equations 11 to 20): how often N flows that have their fair share must get
a CNP, and at which queue RED marks so often.

A flow that gets a CNP at the rate R keeps R as its target, falls to R (1 - alpha/2), and halves the gap in each period K. From the
F-th period on the target grows by a tenth of its rate. So it is back at R after 4.06 to 4.48 periods, whatever alpha is. At the fair
share C/N a period is K = 2 max(N delta, M N/C): its packets, 2 max(C delta/M, 1), do not depend on N. A flow that is marked once in
the packets of its recovery neither gains nor loses: that marking probability is the equilibrium, and RED has it at one queue.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

from command.models.steady_state import ParameterError, check_flows


@dataclass(frozen=True)
class Equilibrium:
    alpha: float               # when a CNP arrives
    periods: float             # from a cut until the flow is back at its rate, in K
    packets: float             # that it sends in that time
    probability: float         # probability that a packet is marked: one mark in that time
    queue_bytes: Optional[float]  # at which RED marks so often; None: pmax is less, the queue must cross kmax


@dataclass(frozen=True)
class DcqcnPlus:
    """Parameters, by the names of core/cc/dcqcn_plus.h; the equilibrium needs no other."""
    kmin_bytes: float = 20e3
    kmax_bytes: float = 200e3
    pmax: float = 0.5
    delta_s: float = 1e-6
    period_floor_s: float = 45e-6
    timer_s: float = 55e-6
    packet_bits: float = 8000
    wire_bits: float = 8496  # bits of a packet on the link: M and 62 bytes of headers
    lambda_: float = 2
    lambda_alpha: float = 1
    g: float = 1 / 256
    cut_ratio: float = 0.5
    f: int = 5
    ai_flow: float = 0.1


def recovery(params: DcqcnPlus, alpha: float) -> list:
    """The rates of the periods from a cut until the flow is back, as parts of the rate before it. The last period counts in part:
    its rate is given with the part, (rate, part). Rates are those of small flows, whose steps the line rate does not bound."""
    if not 0 < alpha <= 1:
        raise ParameterError(f"alpha={alpha}: expected a number above 0, at most 1")
    if not params.ai_flow > 0:
        raise ParameterError(f"ai_flow={params.ai_flow}: expected a number above 0, or the rate never comes back")
    target, rate = 1.0, 1 - alpha * params.cut_ratio
    found = []
    for stage in range(1, 100 * params.f):
        if stage >= params.f:
            target += params.ai_flow * rate
        after = (target + rate) / 2
        if after >= 1:
            return found + [(rate, (1 - rate) / (after - rate))]
        found.append((rate, 1.0))
        rate = after
    raise ParameterError(f"ai_flow={params.ai_flow}: the rate does not come back in {100 * params.f} periods")


def periods(params: DcqcnPlus, alpha: float) -> float:
    """Periods K from a cut until the flow is back at its rate."""
    return sum(part for _, part in recovery(params, alpha))


def equilibrium(params: DcqcnPlus, flows: int, rate_bps: float) -> Equilibrium:
    """Return the equilibrium of `flows` flows that share a link of rate_bps."""
    check_flows(flows)
    if not (math.isfinite(rate_bps) and rate_bps > 0):
        raise ParameterError(f"rate_bps={rate_bps}: expected a finite number above 0")
    share = rate_bps / flows
    tau = max(flows * params.delta_s, params.period_floor_s)
    alpha = 1.0
    for _ in range(200):
        packets = decays = 0.0
        steps = recovery(params, alpha)
        for relative, part in steps:
            base = max(tau, params.packet_bits / (share * relative))  # max(tau, M / R_C)
            period = part * max(params.lambda_ * base, params.timer_s)
            packets += period * share * relative / params.wire_bits
            decays += period / max(params.lambda_alpha * base, params.timer_s)
        left = (1 - params.g) ** decays   # alpha rises by g (1 - alpha) at a CNP and has fallen again at the next one
        alpha = params.g * left / (1 - (1 - params.g) * left)
    probability = 1 / packets
    queue = None
    if probability <= params.pmax:
        queue = params.kmin_bytes + probability / params.pmax * (params.kmax_bytes - params.kmin_bytes)
    return Equilibrium(alpha, sum(part for _, part in steps), packets, probability, queue)
