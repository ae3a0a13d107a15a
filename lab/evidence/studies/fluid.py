# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Integrates the delay differential equations of DCQCN, TIMELY and patched TIMELY ([EoD], see command/models/steady_state.py).

DCQCN ([EoD] section 3), in packets; p^ and R^ are those of a control loop delay tau* ago, a..e as in [EoD]:

    dq/dt     = sum R_C - C
    dalpha/dt = g/tau' ((1 - (1-p^)^(tau' R^)) - alpha)
    dR_T/dt   = -(R_T - R_C)/tau a + R_AI R^ (c + e)
    dR_C/dt   = -R_C alpha/(2 tau) a + (R_T - R_C)/2 R^ (b + d)

TIMELY ([EoD] section 4), in bytes; q' = q(t - tau'), q'' = q(t - tau' - tau*), tau' = q/C + MTU/C + D_prop,
tau* = max(Seg/R, D_minRTT):

    dg/dt = ewma/tau* (-g + (q' - q'')/(C D_minRTT))
    dR/dt = delta/tau*                                                   q' < C T_low
            -beta/tau* (1 - C T_high/q') R                               q' > C T_high
            TIMELY:   delta/tau* if g <= 0, else -g beta/tau* R          between
            patched:  ((1-w) delta - w beta R (q' - C T_low)/(C T_low))/tau*,  w = 2g + 1/2 within 0..1

Beyond the equations, as in the authors' Matlab: rates stop at the line rate, the queue at 0. Ours: a least rate, a buffer
limit if given, and flows that start later; in its first delay a flow gets no mark.

Heun's method with a fixed step that divides tau*, so that every delayed value is a grid point and no interpolation enters
DCQCN; TIMELY's delays vary and are interpolated. The right sides have kinks at Kmin, Kmax and the caps: a higher order
would not pay. Flows that start together at the same rate stay equal and are integrated once (Group.flows).
"""
from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

from command.models.steady_state import Dcqcn, ParameterError, Timely, check_flows

R_MIN_BPS = 1e6   # the model divides by rates; the packet core's least rate


class Group(NamedTuple):
    """Flows with one history."""
    flows: int = 1
    start_s: float = 0.0
    rate_bps: Optional[float] = None   # at the start; None: the line rate
    alpha: float = 1.0                 # DCQCN only


@dataclass
class Trajectory:
    """Samples. rates[k][i] is group k's R_C in bit/s per flow at time_s[i], 0 before its start; targets and alphas (TIMELY:
    gradients) have the same form."""
    time_s: list = field(default_factory=list)
    queue_bytes: list = field(default_factory=list)
    rates: list = field(default_factory=list)
    targets: list = field(default_factory=list)
    alphas: list = field(default_factory=list)
    gradients: list = field(default_factory=list)

    def tail(self, values: list, from_s: float) -> list:
        return [v for t, v in zip(self.time_s, values) if t >= from_s]

    def mean_queue(self, from_s: float) -> float:
        queue = self.tail(self.queue_bytes, from_s)
        return sum(queue) / len(queue)

    def swing(self, from_s: float) -> float:
        """(max - min) / mean of the queue from that time on: how far it is from rest."""
        queue = self.tail(self.queue_bytes, from_s)
        return (max(queue) - min(queue)) / (sum(queue) / len(queue)) if any(queue) else 0.0


def _positive(name: str, value: float) -> None:
    if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
        raise ParameterError(f"{name}={value}: expected a finite number above 0")


def _check_groups(groups: list, line_rate: float) -> None:
    if not groups:
        raise ParameterError("groups: expected at least one")
    for group in groups:
        check_flows(group.flows)
        if not (math.isfinite(group.start_s) and group.start_s >= 0):
            raise ParameterError(f"start_s={group.start_s}: expected a time of 0 or more")
        if group.rate_bps is not None and not R_MIN_BPS <= group.rate_bps <= line_rate:
            raise ParameterError(f"rate_bps={group.rate_bps}: expected {R_MIN_BPS:g} to the line rate, {line_rate:g}")
        if not 0 <= group.alpha <= 1:
            raise ParameterError(f"alpha={group.alpha}: expected 0 to 1")


def _clip(value: float, low: float, high: float) -> float:
    return low if value < low else high if value > high else value


class _Recorder:
    """Takes every `stride`-th state, and the last."""

    def __init__(self, groups: int, step: float, steps: int, sample_s: float):
        self.out = Trajectory(rates=[[] for _ in range(groups)], targets=[[] for _ in range(groups)],
                              alphas=[[] for _ in range(groups)], gradients=[[] for _ in range(groups)])
        self.step, self.steps = step, steps
        self.stride = max(1, round(sample_s / step))

    def due(self, n: int) -> bool:
        return n % self.stride == 0 or n == self.steps

    def at(self, n: int, queue: float) -> None:
        self.out.time_s.append(n * self.step)
        self.out.queue_bytes.append(queue)


# ------------------------------------------------------------------------------------------------ DCQCN

def _steps(p: float, s: float, length: float, f: float) -> tuple:
    """b and c (d and e) of a cycle of `length` packets, marking hazard s."""
    if length == math.inf:
        return 0.0, 0.0
    x = s * length
    if x > 700:
        return 0.0, 0.0
    every = 1 / length if x < 1e-12 else p / math.expm1(x)   # p/s -> 1 as both vanish
    return every, every * math.exp(-f * x)


def _feedback(params: Dcqcn, p: float, rate: float) -> tuple:
    """Return what marking p at this rate does a delay later: alpha's goal, a/tau, R_AI R (c + e), R (b + d)/2."""
    s = -math.log1p(-p) if p < 1 else math.inf
    b, c = _steps(p, s, params.counter, params.f)
    d, e = _steps(p, s, params.timer_s * rate, params.f)
    return (-math.expm1(-s * params.alpha_timer_s * rate),
            -math.expm1(-s * params.cnp_interval_s * rate) / params.cnp_interval_s,
            params.ai * rate * (c + e), rate * (b + d) / 2)


def dcqcn(params: Dcqcn, groups: list, time_s: float, delay_s: float = 4e-6, step_s: float = 2e-6, sample_s: float = 1e-4,
          buffer_bytes: float = math.inf) -> Trajectory:
    """Integrate from an empty queue. delay_s is the control loop's tau*; step_s an upper bound of the step."""
    _check_groups(groups, params.rate_bps)
    for name, value in (("time_s", time_s), ("delay_s", delay_s), ("step_s", step_s), ("sample_s", sample_s)):
        _positive(name, value)
    lag = math.ceil(delay_s / step_s * (1 - 1e-12))
    step = delay_s / lag
    steps = max(1, round(time_s / step))
    bits = 8 * params.packet_bytes
    line, least, capacity = params.capacity, R_MIN_BPS / bits, params.capacity
    limit = buffer_bytes / params.packet_bytes
    per_alpha = params.g / params.alpha_timer_s

    first = [round(g.start_s / step) for g in groups]
    state = [[line if g.rate_bps is None else g.rate_bps / bits] * 2 + [g.alpha] for g in groups]     # R_C, R_T, alpha
    heard = [deque([_feedback(params, 0.0, s[0])] * (lag + 1), lag + 1) for s in state]               # [0]: a delay ago
    record = _Recorder(len(groups), step, steps, sample_s)
    queue = 0.0
    for n in range(steps + 1):
        if record.due(n):
            record.at(n, queue * params.packet_bytes)
            for k, (rate, target, alpha) in enumerate(state):
                on = n >= first[k]
                record.out.rates[k].append(rate * bits if on else 0.0)
                record.out.targets[k].append(target * bits if on else 0.0)
                record.out.alphas[k].append(alpha)
        p = params.marking(queue * params.packet_bytes)
        inflow = inflow_next = 0.0
        for k, group in enumerate(groups):
            if n < first[k]:
                continue
            rate, target, alpha = state[k]
            # the new value pushes the oldest out: [0] is then t - tau*, [1] one step later
            heard[k].append(_feedback(params, p, rate))
            goal, cut, add, recover = heard[k][0]
            gap = target - rate
            alpha_1 = per_alpha * (goal - alpha)
            target_1 = add - gap * cut
            rate_1 = gap * recover - rate * alpha * cut / 2
            rate_p = _clip(rate + step * rate_1, least, line)
            target_p = _clip(target + step * target_1, least, line)
            alpha_p = alpha + step * alpha_1
            goal, cut, add, recover = heard[k][1]
            gap = target_p - rate_p
            inflow += group.flows * rate
            inflow_next += group.flows * rate_p
            state[k] = [_clip(rate + step / 2 * (rate_1 + gap * recover - rate_p * alpha_p * cut / 2), least, line),
                        _clip(target + step / 2 * (target_1 + add - gap * cut), least, line),
                        alpha + step / 2 * (alpha_1 + per_alpha * (goal - alpha_p))]
        queue = _clip(queue + step / 2 * (inflow + inflow_next - 2 * capacity), 0.0, limit)
    return record.out


# ------------------------------------------------------------------------------------------------ TIMELY

def _timely_slopes(params: Timely, patched: bool, rate: float, gradient: float, queue: float, before: float) -> tuple:
    """dR/dt in bytes/s^2 and dg/dt in 1/s; queue = q(t - tau'), before = q(t - tau' - tau*)."""
    capacity = params.rate_bps / 8
    delta = params.delta_bps / 8
    low, high = capacity * params.t_low_s, capacity * params.t_high_s
    interval = max(params.segment_bytes / rate, params.min_rtt_s)
    if queue < low:
        change = delta
    elif queue > high:
        change = -params.beta * (1 - high / queue) * rate
    elif patched:
        weight = _clip(2 * gradient + 0.5, 0.0, 1.0)
        change = (1 - weight) * delta - weight * params.beta * rate * (queue - low) / low
    else:
        change = delta if gradient <= 0 else -gradient * params.beta * rate
    return change / interval, params.ewma / interval * ((queue - before) / (capacity * params.min_rtt_s) - gradient)


def timely(params: Timely, groups: list, time_s: float, patched: bool = True, step_s: float = 1e-6, sample_s: float = 1e-4,
           buffer_bytes: float = math.inf) -> Trajectory:
    """Integrate from an empty queue. Group.rate_bps None means C / (all flows), not the line rate: TIMELY flows do not
    start at it."""
    _check_groups(groups, params.rate_bps)
    for name, value in (("time_s", time_s), ("step_s", step_s), ("sample_s", sample_s)):
        _positive(name, value)
    capacity = params.rate_bps / 8
    base = params.packet_bytes / capacity + params.propagation_s
    step = min(step_s, base)     # the delay never falls below base: delayed values are known when they are needed
    steps = max(1, round(time_s / step))
    share = params.rate_bps / sum(g.flows for g in groups)
    least = R_MIN_BPS / 8
    state = [[(share if g.rate_bps is None else g.rate_bps) / 8, 0.0] for g in groups]                # R, g
    first = [round(g.start_s / step) for g in groups]
    record = _Recorder(len(groups), step, steps, sample_s)
    past = [0.0]

    def at(time: float) -> float:
        """The queue at a past time."""
        place = time / step
        if place <= 0:
            return 0.0
        index = int(place)
        if index >= len(past) - 1:
            return past[-1]
        return past[index] + (place - index) * (past[index + 1] - past[index])

    for n in range(steps + 1):
        queue = past[-1]
        if record.due(n):
            record.at(n, queue)
            for k, (rate, gradient) in enumerate(state):
                record.out.rates[k].append(rate * 8 if n >= first[k] else 0.0)
                record.out.gradients[k].append(gradient)
        now = n * step
        active = [k for k in range(len(groups)) if n >= first[k]]
        slope = sum(groups[k].flows * state[k][0] for k in active) - capacity
        queue_p = _clip(queue + step * slope, 0.0, buffer_bytes)
        slope_p = -capacity
        seen, seen_p = now - queue / capacity - base, now + step - queue_p / capacity - base
        for k in active:
            rate, gradient = state[k]
            interval = max(params.segment_bytes / rate, params.min_rtt_s)
            rate_1, gradient_1 = _timely_slopes(params, patched, rate, gradient, at(seen), at(seen - interval))
            rate_p = _clip(rate + step * rate_1, least, capacity)
            gradient_p = gradient + step * gradient_1
            interval = max(params.segment_bytes / rate_p, params.min_rtt_s)
            rate_2, gradient_2 = _timely_slopes(params, patched, rate_p, gradient_p, at(seen_p), at(seen_p - interval))
            slope_p += groups[k].flows * rate_p
            state[k] = [_clip(rate + step / 2 * (rate_1 + rate_2), least, capacity),
                        gradient + step / 2 * (gradient_1 + gradient_2)]
        past.append(_clip(queue + step / 2 * (slope + slope_p), 0.0, buffer_bytes))
    return record.out
