# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Steady states in closed or implicit form: DCQCN's fluid model, patched TIMELY, PFC thresholds.

Paper: Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016 ([EoD]); thresholds
from Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015 ([S15]).

DCQCN's model ([EoD] section 3). N flows of rate R = C/N packets a second, each packet marked with probability p, have

    a^2 alpha / ((b + d)(c + e)) = tau^2 R_AI R                                                              (fixed p)
    a = 1 - (1-p)^(tau R)          a CNP within tau                    alpha = 1 - (1-p)^(tau' R)
    b = p / ((1-p)^-B - 1)         byte counter's steps, per packet    c = b (1-p)^(F B)     those of them after F
    d = p / ((1-p)^-(T R) - 1)     timer's steps, per packet           e = d (1-p)^(F T R)

and q = Kmin + p/Pmax (Kmax - Kmin) as long as p <= Pmax. Here everything is a function of the marking hazard
s = -log(1-p): (1-p)^x = exp(-s x), so that p near 1 loses no digits. a and alpha grow with s. 1/b = ((1-p)^-B - 1)/p is a
power series in p with positive coefficients for every B > 0, so b falls, and so do c, d and e. The left side therefore grows
strictly from 0 to infinity: there is exactly one s, and bisection finds it.

The model has no hyper increase, no cap at line rate and no least rate: `DcqcnPoint.target_bps` above the line rate says
where the second of these matters.
"""
from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Optional

LOG_S_RANGE = 650.0   # |log s| of any finite set-up lies far within; exp() of it is still a double


class ParameterError(ValueError):
    """A value that no set-up can have. The message is one line: NAME=VALUE: expected ..."""


def check_positive(params, names: tuple) -> None:
    for name in names:
        value = getattr(params, name)
        if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
            raise ParameterError(f"{name}={value}: expected a finite number above 0")


def check_flows(flows: int) -> None:
    if isinstance(flows, bool) or not isinstance(flows, int) or flows < 1:
        raise ParameterError(f"flows={flows}: expected a whole number of at least 1")


# ------------------------------------------------------------------------------------------------ DCQCN

@dataclass(frozen=True)
class Dcqcn:
    """A DCQCN set-up. The defaults are the paper's at 40 Gb/s; the letters are [EoD]'s."""
    rate_bps: float = 40e9             # C: the bottleneck, also the senders' line rate
    packet_bytes: float = 1000.0       # unit of a marking decision: a packet as it is on the wire
    kmin_bytes: float = 5e3
    kmax_bytes: float = 200e3
    pmax: float = 0.01
    cnp_interval_s: float = 50e-6      # tau: at most one CNP per flow in this time
    alpha_timer_s: float = 55e-6       # tau'
    timer_s: float = 55e-6             # T: period of the rate increase timer
    byte_counter_bytes: float = 10e6   # B; 0 = timer only
    f: float = 5                       # F: steps of fast recovery
    r_ai_bps: float = 40e6             # R_AI
    g: float = 1 / 256                 # gain of alpha: moves the transient, not the fixed point

    def __post_init__(self):
        check_positive(self, tuple(f.name for f in fields(self) if f.name not in ("kmin_bytes", "byte_counter_bytes")))
        for name in ("kmin_bytes", "byte_counter_bytes"):
            if getattr(self, name) != 0:
                check_positive(self, (name,))
        if self.kmin_bytes >= self.kmax_bytes:
            raise ParameterError(f"kmin_bytes={self.kmin_bytes:.15g}: expected less than Kmax, {self.kmax_bytes:.15g}: the "
                                 "model needs a slope")
        for name in ("pmax", "g"):
            if getattr(self, name) > 1:
                raise ParameterError(f"{name}={getattr(self, name)}: expected at most 1")

    # In packets, the model's unit.
    @property
    def capacity(self) -> float:
        """C in packets a second."""
        return self.rate_bps / (8 * self.packet_bytes)

    @property
    def ai(self) -> float:
        """R_AI in packets a second."""
        return self.r_ai_bps / (8 * self.packet_bytes)

    @property
    def counter(self) -> float:
        """B in packets; infinite without a byte counter."""
        return self.byte_counter_bytes / self.packet_bytes if self.byte_counter_bytes else math.inf

    def marking(self, queue_bytes: float) -> float:
        """RED's marking probability ([EoD] eq. 1)."""
        if queue_bytes <= self.kmin_bytes:
            return 0.0
        if queue_bytes > self.kmax_bytes:
            return 1.0
        return (queue_bytes - self.kmin_bytes) / (self.kmax_bytes - self.kmin_bytes) * self.pmax

    def queue(self, p: float) -> float:
        """The queue in bytes that marks with probability p on the slope, the slope continued above Pmax."""
        return self.kmin_bytes + p / self.pmax * (self.kmax_bytes - self.kmin_bytes)


@dataclass(frozen=True)
class DcqcnPoint:
    """The fixed point of N equal flows."""
    flows: int
    p: float                         # marking probability that balances the rates
    alpha: float
    rate_bps: float                  # R_C of each flow, C/N
    target_bps: float                # R_T of each flow; the model does not cap it at the line rate
    below_kmax: bool                 # p <= Pmax: RED's slope holds it
    queue_bytes: Optional[float]     # q*; None if not below_kmax: RED jumps from Pmax to 1 and nothing is in balance
    sloped_queue_bytes: float        # q on the slope continued beyond Kmax; equals queue_bytes where there is one


def _one_minus_exp(x: float) -> float:
    """Return 1 - exp(-x)."""
    return -math.expm1(-x)


def _terms(params: Dcqcn, rate: float, s: float) -> tuple:
    """Return a, alpha, b + d and c + e at the marking hazard s."""
    every = after = 0.0
    for length in (params.counter, params.timer_s * rate):
        if s * length < 700:     # beyond, a cycle without a mark is rarer than the least double
            steps = _one_minus_exp(s) / math.expm1(s * length)
            every += steps
            after += steps * math.exp(-params.f * s * length)
    return _one_minus_exp(s * params.cnp_interval_s * rate), _one_minus_exp(s * params.alpha_timer_s * rate), every, after


def _is_above(params: Dcqcn, rate: float, s: float) -> bool:
    """True if the left side of (fixed p) is not below the right one, which it is for every s above the fixed point's."""
    a, alpha, every, after = _terms(params, rate, s)
    return a * a * alpha >= every * after * params.cnp_interval_s ** 2 * params.ai * rate


def solve(params: Dcqcn, flows: int) -> DcqcnPoint:
    """The fixed point of `flows` equal flows, to a few ulps: no series, no cube root."""
    check_flows(flows)
    rate = params.capacity / flows
    low, high = -LOG_S_RANGE, LOG_S_RANGE
    if _is_above(params, rate, math.exp(low)) or not _is_above(params, rate, math.exp(high)):
        raise ParameterError(f"flows={flows}: no fixed point within the range of double precision")
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _is_above(params, rate, math.exp(middle)):
            high = middle
        else:
            low = middle
    a, alpha, every, _ = _terms(params, rate, math.exp(high))
    p = _one_minus_exp(math.exp(high))
    gap = a * alpha / every / params.cnp_interval_s if every else math.inf    # R_T - R_C = a alpha / (tau (b + d))
    below = below_kmax(params, flows)
    sloped = params.queue(p)
    return DcqcnPoint(flows, p, alpha, params.rate_bps / flows, (rate + gap) * 8 * params.packet_bytes, below,
                      sloped if below else None, sloped)


def below_kmax(params: Dcqcn, flows: int) -> bool:
    """Whether p* <= Pmax. One evaluation: the left side at Pmax has passed the right one."""
    check_flows(flows)
    if params.pmax == 1:
        return True
    return _is_above(params, params.capacity / flows, -math.log1p(-params.pmax))


def most_flows_below_kmax(params: Dcqcn, limit: int = 10_000) -> int:
    """The largest N in 1..limit with a fixed point below Kmax, 0 if none has one."""
    check_flows(limit)
    return next((n for n in range(limit, 0, -1) if below_kmax(params, n)), 0)


def cube_root(params: Dcqcn, flows: int) -> float:
    """[EoD]'s closed-form approximation of p*, the first term of a series around p = 0. Overshoots: see the tests."""
    check_flows(flows)
    rate = params.capacity / flows
    steps = 1 / params.counter + 1 / (params.timer_s * rate)
    return (params.ai * steps * steps / (params.alpha_timer_s * rate * rate)) ** (1 / 3)


# ------------------------------------------------------------------------------------------------ patched TIMELY

@dataclass(frozen=True)
class Timely:
    """A TIMELY set-up; the defaults are [EoD]'s patched one. `TIMELY` below is the original."""
    rate_bps: float = 10e9             # C
    delta_bps: float = 10e6            # additive step
    beta: float = 0.008                # multiplicative decrease
    ewma: float = 0.875                # alpha: weight of a new RTT difference
    t_low_s: float = 50e-6             # T_low, and the patch's reference RTT
    t_high_s: float = 500e-6
    min_rtt_s: float = 20e-6           # D_minRTT: normalises the gradient, bounds the update interval from below
    segment_bytes: float = 16e3        # bytes per RTT sample
    packet_bytes: float = 1000.0       # MTU in the feedback delay
    propagation_s: float = 4e-6        # D_prop in the feedback delay

    def __post_init__(self):
        check_positive(self, tuple(f.name for f in fields(self)))
        if self.t_low_s >= self.t_high_s:
            raise ParameterError(f"t_low_s={self.t_low_s:.15g}: expected less than T_high, {self.t_high_s:.15g} s")
        for name in ("beta", "ewma"):
            if getattr(self, name) > 1:
                raise ParameterError(f"{name}={getattr(self, name)}: expected at most 1")


PATCHED = Timely()
TIMELY = Timely(beta=0.8, segment_bytes=64e3)


@dataclass(frozen=True)
class TimelyPoint:
    flows: int
    rate_bps: float
    below_t_high: bool               # above C T_high another branch of the law is in force
    queue_bytes: Optional[float]     # q*, None if not below_t_high. The model's RTT is queueing delay alone


def solve_patched_timely(params: Timely, flows: int) -> TimelyPoint:
    """q* = q' (1 + N delta / (beta C)), q' = C T_low ([EoD], patched TIMELY): w = 1/2 and increase equals decrease."""
    check_flows(flows)
    reference = params.rate_bps / 8 * params.t_low_s
    queue = reference * (1 + flows * params.delta_bps / (params.beta * params.rate_bps))
    below = queue <= params.rate_bps / 8 * params.t_high_s
    return TimelyPoint(flows, params.rate_bps / flows, below, queue if below else None)


# ------------------------------------------------------------------------------------------------ PFC thresholds

@dataclass(frozen=True)
class Switch:
    """The shared-buffer switch of [S15] section 4."""
    buffer_bytes: float = 12e6
    ports: int = 32
    priorities: int = 8
    flight_bytes: float = 22.4e3       # t_flight: arrives after a PAUSE was sent, per port and priority

    def __post_init__(self):
        check_positive(self, ("buffer_bytes", "ports", "priorities", "flight_bytes"))
        if self.shared_bytes <= 0:
            raise ParameterError(f"buffer_bytes={self.buffer_bytes:.15g}: expected more than the headroom of all ports and "
                                 f"priorities, {self.headroom_bytes:.15g}")

    @property
    def headroom_bytes(self) -> float:
        return self.ports * self.priorities * self.flight_bytes

    @property
    def shared_bytes(self) -> float:
        return self.buffer_bytes - self.headroom_bytes

    def static_pause_bytes(self) -> float:
        """t_PFC: the shared part divided evenly over every port and priority."""
        return self.shared_bytes / (self.ports * self.priorities)

    def dynamic_pause_bytes(self, used_bytes: float, beta: float = 8.0) -> float:
        """t_PFC = beta (B - 8 n t_flight - s) / 8 with s bytes of the buffer in use."""
        return beta * (self.shared_bytes - used_bytes) / self.priorities

    def ecn_bound_bytes(self, beta: float = 8.0) -> float:
        """The t_ECN below which marking comes before PAUSE under the dynamic threshold: every egress queue stands at t_ECN,
        s = 8 n t_ECN, and one ingress port holds a share of all n of one priority, t_PFC(s) = n t_ECN."""
        return beta * self.shared_bytes / (self.priorities * self.ports * (beta + 1))
