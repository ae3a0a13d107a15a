# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Why two DCQCN flows stay apart in packets and not in the fluid model: python3 lab/evidence/studies/two_flows.py

Two reaction points, one port and two notification points, by the equations of doc/dcqcn.md in double precision: not the code of core/.
The second flow starts 30 ms after the first, so that they begin far apart. One candidate is changed at a time, and the distance of
the two rates, the rms of (x - y) / (x + y) over means of 1 ms, is printed for the second half. A cause is what the distance follows.

    marking  random: RED draws for each packet. even: a flow's packets are marked when the sum of their probabilities reaches the next
             whole number, so that the marks are as many, and none is drawn.
    counter  the byte counter of 10 MB, or none.
    timers   exact, or each period off by up to 10 % at random, which no two flows have in step.

The fluid model (studies/fluid.py, its equations) has none of the three. `events` draws only its CNPs: a CNP is then an event of the
model's rate, which cuts as equation 2 says; all else stays smooth.
"""
from __future__ import annotations

import argparse
import math
import random
import sys
from collections import deque
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from command.models.steady_state import Dcqcn  # noqa: E402

LINE = 40e9            # bit/s
WIRE = 1062 * 8        # bits of a packet
HOP_S = 1e-6           # delay of a link; a CNP takes two
MEAN_S = 1e-3
STARTS_S = (0.0, 30e-3)


class Variant(NamedTuple):
    """The candidates that are changed."""
    even: bool = False     # marks are not drawn
    counter: bool = True   # the byte counter
    jitter: float = 0.0    # jitter of timers, a part of the period


class Flow:
    """Reaction point and notification point of a flow, preset `paper`."""

    def __init__(self, params: Dcqcn, variant: Variant, start_s: float, draw: random.Random):
        self.params, self.variant, self.draw = params, variant, draw
        self.rate = self.target = LINE
        self.alpha = 1.0
        self.next_s = start_s              # time of its next packet
        self.stages = [0, 0]               # stages of timer and byte counter since the cut
        self.bits = 0.0                    # bits of the counter's step
        self.timer_s = self.alpha_s = math.inf   # no CNP yet: no timers
        self.cnps: deque = deque()         # arrival times at the sender
        self.open_s = 0.0                  # end of the NP's interval
        self.sum = 0.0                     # sum of marking probabilities, for even marks

    def period(self, seconds: float) -> float:
        return seconds * (1 + self.variant.jitter * (2 * self.draw.random() - 1))

    def marked(self, now: float) -> None:
        """A marked packet has arrived: a CNP at once, or one at the end of the interval."""
        if self.open_s > now + self.params.cnp_interval_s:
            return  # one waits already
        sent = max(now, self.open_s)
        self.open_s = sent + self.params.cnp_interval_s
        self.cnps.append(sent + 2 * HOP_S)

    def react(self, now: float) -> None:
        """Apply all that is due until now, in order of time."""
        while True:
            cnp = self.cnps[0] if self.cnps else math.inf
            due = min(cnp, self.timer_s, self.alpha_s)
            if due > now:
                return
            if due == cnp:
                self.cnps.popleft()
                self.target = self.rate
                self.rate = max(self.rate * (1 - self.alpha / 2), 1e6)
                self.alpha += self.params.g * (1 - self.alpha)
                self.stages, self.bits = [0, 0], 0.0
                self.timer_s = due + self.period(self.params.timer_s)
                self.alpha_s = due + self.period(self.params.alpha_timer_s)
            elif due == self.timer_s:
                self.timer_s = due + self.period(self.params.timer_s)
                self.increase(0)
            else:
                self.alpha_s = due + self.period(self.params.alpha_timer_s)
                self.alpha *= 1 - self.params.g

    def increase(self, which: int) -> None:
        self.stages[which] += 1
        past = [stage - self.params.f for stage in self.stages]
        if min(past) > 0:
            self.target += min(past) * 100e6
        elif max(past) > 0:
            self.target += self.params.r_ai_bps
        self.target = min(self.target, LINE)
        self.rate = (self.rate + self.target) / 2

    def sent(self) -> None:
        self.bits += WIRE
        if self.variant.counter and self.timer_s < math.inf and self.bits >= self.params.byte_counter_bytes * 8:
            self.bits = 0.0
            self.increase(1)
        self.next_s += WIRE / self.rate

    def draws(self, p: float) -> bool:
        """Whether a packet with this probability is marked."""
        if not self.variant.even:
            return self.draw.random() < p
        before = math.floor(self.sum)
        self.sum += p
        return math.floor(self.sum) > before


def packets(params: Dcqcn, variant: Variant, time_s: float, seed: int) -> list:
    """The bits that each flow sent, by intervals of MEAN_S."""
    draw = random.Random(seed)
    flows = [Flow(params, variant, start, draw) for start in STARTS_S]
    sent = [[0.0] * (round(time_s / MEAN_S) + 1) for _ in flows]
    queue: deque = deque()   # flows of the packets at the port
    free = 0.0               # when the port can begin the next packet
    while True:
        k = 0 if flows[0].next_s <= flows[1].next_s else 1
        flow, now = flows[k], flows[k].next_s
        if now >= time_s:
            return [one[:-1] for one in sent]
        while queue and free <= now:
            owner = queue.popleft()
            p = params.marking(len(queue) * params.packet_bytes)  # read when the packet leaves
            if p and owner.draws(p):
                owner.marked(free + WIRE / LINE + HOP_S)
            free += WIRE / LINE
        if not queue:
            free = max(free, now)
        queue.append(flow)
        flow.react(now)
        flow.sent()
        sent[k][int(now / MEAN_S)] += WIRE


def fluid(params: Dcqcn, events: bool, time_s: float, seed: int, step_s: float = 2e-6) -> list:
    """Return the bits that each flow sends in the fluid model, Euler's method, a control loop of 4 us; with `events` CNPs are drawn."""
    draw = random.Random(seed)
    line = params.capacity
    state = [[line, line, 1.0] for _ in STARTS_S]  # R_C, R_T in packets a second, alpha
    heard = deque([0.0, 0.0], 3)
    sent: list = [[0.0] * (round(time_s / MEAN_S) + 1) for _ in state]
    queue = 0.0
    for n in range(round(time_s / step_s)):
        heard.append(params.marking(queue * params.packet_bytes))
        p = heard[0]
        inflow = 0.0
        for k, one in enumerate(state):
            if n * step_s < STARTS_S[k]:
                continue
            rate, target, alpha = one
            inflow += rate
            sent[k][int(n * step_s / MEAN_S + 1e-9)] += rate * step_s
            kept = (1 - p) ** (params.cnp_interval_s * rate)
            b, c = _stage(p, params.byte_counter_bytes / params.packet_bytes, params.f)
            d, e = _stage(p, params.timer_s * rate, params.f)
            cut = (1 - kept) / params.cnp_interval_s                             # CNPs a second
            one[1] += step_s * rate * (c + e) * params.r_ai_bps / (8 * params.packet_bytes)
            one[0] += step_s * (target - rate) / 2 * rate * (b + d)
            one[2] += step_s * params.g / params.alpha_timer_s * (1 - (1 - p) ** (params.alpha_timer_s * rate) - alpha)
            if not events:
                one[1] -= step_s * (target - rate) * cut
                one[0] -= step_s * rate * alpha / 2 * cut
            elif draw.random() < cut * step_s:
                one[1] = one[0]
                one[0] *= 1 - alpha / 2
            one[0], one[1] = (min(max(x, 1e6 / 8 / params.packet_bytes), line) for x in one[:2])
        queue = max(0.0, queue + step_s * (inflow - line))
    return [one[:-1] for one in sent]


def _stage(p: float, packets_of: float, f: float) -> tuple:
    """b and c, or d and e, of the model: steps per packet, and those past fast recovery. Without marks every packets_of-th."""
    if p <= 0:
        return 1 / packets_of, 1 / packets_of
    survive = (1 - p) ** packets_of
    per = p * survive / (1 - survive)
    return per, per * survive ** f


def distance(sent: list) -> float:
    """The rms of (x - y) / (x + y) over means of MEAN_S in the second half."""
    pairs = list(zip(*(one[len(one) // 2:] for one in sent)))
    return math.sqrt(sum(((x - y) / (x + y)) ** 2 for x, y in pairs) / len(pairs))


def main() -> int:
    parser = argparse.ArgumentParser(description="What keeps two DCQCN flows apart?")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--time", type=float, default=0.4, help="simulated seconds")
    args = parser.parse_args()
    params = Dcqcn(packet_bytes=1062)
    variants = [(f"marks {'even' if even else 'random'}, {'byte counter' if counter else 'no byte counter'}, timers "
                 f"{'10 % off' if jitter else 'exact'}", Variant(even, counter, jitter))
                for even in (False, True) for counter, jitter in ((True, 0.0), (False, 0.0), (True, 0.1))]
    runs = [(name, lambda seed, v=variant: packets(params, v, args.time, seed)) for name, variant in variants]
    runs += [(f"fluid model{', CNPs drawn' if events else ''}", lambda seed, e=events: fluid(params, e, args.time, seed))
             for events in (False, True)]
    for name, simulate in runs:
        found = [distance(simulate(seed)) for seed in range(1, args.seeds + 1)]
        print(f"{name:50} {min(found):.3f} to {max(found):.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
