# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A fluid model of DCQCN+ and DCQCN+ share (doc/dcqcn-plus-share.md), its fixed point, and what it is linearised there.

N flows of one receiver share a link of C packets a second; s = C/N. The list is walked in tau = N delta. With p the marking
probability and R a flow's rate in packets a second, the model of "ECN or Delay" (fluid.py) without a byte counter is

    K       = lambda max(tau, M/R), at least the timer        K_alpha = lambda_alpha max(tau, M/R), at least its timer
    a       = (1 - (1-p)^(T R)) / T                           CNPs a second; T = max(tau, 45 us): a round, or the least interval
    d       = R p / ((1-p)^(-K R) - 1)                        expiries of the rate timer a second: a CNP sets it back
    e       = d (1-p)^((F-1) K R)                             those from the F-th after a CNP on: they move the target

    dalpha/dt = g/K_alpha ((1 - (1-p)^(K_alpha R)) - alpha)
    dR_T/dt   = -(R_T - R_C) a + step e                       step: ai_flow R_C (DCQCN+) or ai_share s, at most ai_line C
    dR_C/dt   = -R_C cut alpha a + (R_T - R_C)/2 d
    dq/dt     = N R_C - C                                     p = Pmax (q - Kmin)/(Kmax - Kmin), a delay earlier

In units of tau and s nothing but C delta and the floors of the timers is left: N drops out, except from the queue, whose C tau
grows with N. Hyper increase and the least rate are not in the model.
"""
from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import NamedTuple, Optional

from command.models.steady_state import ParameterError, check_flows, check_positive

TIMER_S = 55e-6            # least periods of both timers
INTERVAL_S = 45e-6         # a flow gets at most one CNP in this time


@dataclass(frozen=True)
class Plus:
    """A set-up; the defaults are those of dcqcn-plus-share."""
    rate_bps: float = 40e9
    by_share: bool = True              # False: the step of equation 19
    ai_share: float = 1 / 20
    ai_flow: float = 1 / 10
    ai_line: float = 1 / 100
    kmin_bytes: float = 20e3
    kmax_bytes: float = 200e3
    pmax: float = 1.0
    delta_s: float = 1e-6
    lambda_rate: float = 1.4
    lambda_alpha: float = 1.5
    g: float = 1 / 256
    cut: float = 0.5
    f: int = 5
    packet_bytes: float = 1062.0       # on the wire
    m_bytes: float = 1000.0            # M of equations 16 and 17
    path_s: float = 5e-6               # the loop without queue and list

    def __post_init__(self):
        check_positive(self, ("rate_bps", "kmax_bytes", "pmax", "delta_s", "lambda_rate", "lambda_alpha", "g", "cut", "f",
                              "packet_bytes", "m_bytes", "path_s"))
        if not 0 <= self.kmin_bytes < self.kmax_bytes or self.pmax > 1:
            raise ParameterError("expected kmin < kmax and pmax of at most 1")

    @property
    def capacity(self) -> float:
        """C in packets a second."""
        return self.rate_bps / (8 * self.packet_bytes)

    def round_s(self, flows: int) -> float:
        """tau."""
        return flows * self.delta_s


class State(NamedTuple):
    """The state of one flow: alpha, R_T and R_C in parts of the fair share."""
    alpha: float
    target: float
    rate: float


class Point(NamedTuple):
    """The fixed point of equal flows."""
    p: float
    state: State
    queue_bytes: Optional[float]       # None: p > Pmax, RED's slope does not hold it
    delay_s: float                     # delay of the loop: path, queue, and half a round of the list


def slopes(params: Plus, flows: int, state: State, p: float) -> tuple:
    """d(alpha, R_T, R_C)/dt, per tau."""
    share, tau = params.capacity / flows, params.round_s(flows)
    rate = state.rate * share
    base = max(tau, params.m_bytes / params.packet_bytes / rate)
    k, k_alpha = max(params.lambda_rate * base, TIMER_S), max(params.lambda_alpha * base, TIMER_S)
    heard = max(tau, INTERVAL_S)
    hazard = -math.log1p(-p)
    cnps = -math.expm1(-hazard * heard * rate) / heard
    expiries = rate * p / math.expm1(hazard * k * rate)
    additive = expiries * math.exp(-(params.f - 1) * hazard * k * rate)
    step = min(params.ai_share if params.by_share else params.ai_flow * state.rate, params.ai_line * flows)
    gap = state.target - state.rate
    return (tau * params.g / k_alpha * (-math.expm1(-hazard * k_alpha * rate) - state.alpha),
            tau * (-gap * cnps + step * additive),
            tau * (-state.rate * params.cut * state.alpha * cnps + gap / 2 * expiries))


def _at_rest(params: Plus, flows: int, rate: float, p: float) -> tuple:
    """alpha and R_T with which they stand still at this rate and p, and what is left of dR_C/dt."""
    low = slopes(params, flows, State(0.0, rate, rate), p)
    one = slopes(params, flows, State(1.0, rate + 1, rate), p)
    alpha = -low[0] / (one[0] - low[0])           # both slopes are linear
    gap = -low[1] / (one[1] - low[1])
    state = State(alpha, rate + gap, rate)
    return state, slopes(params, flows, state, p)[2]


def solve(params: Plus, flows: int) -> Point:
    """The fixed point with every rate at the fair share: more marking, less growth, so bisection finds p."""
    check_flows(flows)
    low, high = 1e-9, 1 - 1e-9
    for _ in range(200):
        middle = math.sqrt(low * high)
        if _at_rest(params, flows, 1.0, middle)[1] > 0:
            low = middle
        else:
            high = middle
    state, _ = _at_rest(params, flows, 1.0, high)
    queue = None
    if high <= params.pmax:
        queue = params.kmin_bytes + high / params.pmax * (params.kmax_bytes - params.kmin_bytes)
    delay = params.path_s + params.round_s(flows) / 2 + (queue or 0) * 8 / params.rate_bps
    return Point(high, state, queue, delay)


def drift(params: Plus, flows: int, rate: float, p: float) -> float:
    """d ln R / dt, per tau, of one flow at `rate` fair shares among others that keep the marking at p; alpha and R_T follow."""
    return _at_rest(params, flows, rate, p)[1] / rate


# ------------------------------------------------------------------------------------------------ linearised

def _jacobian(params: Plus, flows: int, point: Point) -> tuple:
    """The matrix of d(alpha, R_T, R_C)/dt by those three, and its column by p; per tau."""
    def column(which: int) -> list:
        high, low = [], []
        for sign, out in ((1, high), (-1, low)):
            values = [*point.state, point.p]
            values[which] *= 1 + sign * 1e-6
            out.extend(slopes(params, flows, State(*values[:3]), values[3]))
        size = 2e-6 * [*point.state, point.p][which]
        return [(above - below) / size for above, below in zip(high, low)]

    columns = [column(i) for i in range(4)]
    return [[columns[j][i] for j in range(3)] for i in range(3)], columns[3]


def _determinant(m: list) -> complex:
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def loop_gain(params: Plus, flows: int, point: Point, omega: float) -> complex:
    """The open loop from p to p at omega radians per tau: all flows together, the queue, RED's slope, the delay. At rest more
    marking means less rate: the loop begins at +90 degrees and oscillates for ever if it comes to 0 while its gain is above 1."""
    matrix, by_p = _jacobian(params, flows, point)
    system = [[(1j * omega if i == j else 0) - matrix[i][j] for j in range(3)] for i in range(3)]
    replaced = [[system[i][0], system[i][1], by_p[i]] for i in range(3)]
    rate = _determinant(replaced) / _determinant(system)              # Cramer's rule
    tau = params.round_s(flows)
    slope = params.pmax / (params.kmax_bytes - params.kmin_bytes)     # per byte
    queue = rate * params.rate_bps / 8 * tau / (1j * omega)           # bytes; rates are in fair shares
    return queue * slope * cmath.exp(-1j * omega * point.delay_s / tau)


class Margin(NamedTuple):
    phase_deg: float                   # phase margin: above 0 a disturbance of the queue dies away
    period_s: float                    # frequency of the oscillation where the gain is 1


def margin(params: Plus, flows: int) -> Optional[Margin]:
    """At the highest frequency where the loop's gain is 1; None if there is no fixed point on RED's slope."""
    point = solve(params, flows)
    if point.queue_bytes is None:
        return None
    low, high = 1e-4, 1e5
    for _ in range(100):
        middle = math.sqrt(low * high)
        if abs(loop_gain(params, flows, point, middle)) > 1:
            low = middle
        else:
            high = middle
    steps, ratio = 2000, high / 1e-4   # the phase is followed from a low frequency on: it may pass a whole turn
    values = [loop_gain(params, flows, point, 1e-4 * ratio ** (i / steps)) for i in range(steps + 1)]
    phase = cmath.phase(values[0]) + sum(cmath.phase(b / a) for a, b in zip(values, values[1:]))
    return Margin(math.degrees(phase), 2 * math.pi / high * params.round_s(flows))


def return_s(params: Plus, flows: int, rate: float, until: float = 0.9) -> float:
    """How long one flow takes from `rate` to `until` fair shares, while the others keep the marking at the fixed point."""
    if not 0 < rate < until < 1:
        raise ParameterError(f"rate={rate}, until={until}: expected 0 < rate < until < 1")
    p, steps = solve(params, flows).p, 400
    width = math.log(until / rate) / steps
    return params.round_s(flows) * sum(width / drift(params, flows, rate * math.exp((i + 0.5) * width), p) for i in range(steps))
