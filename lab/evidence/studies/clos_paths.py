# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The rates that the paths of figure 9 allow, whatever the algorithm: python3 lab/evidence/studies/clos_paths.py

The hashes of ./rcc run clos give each flow its core switch. Progressive filling gives the max-min fair rates on these paths. Printed for
each seed: the part of the receivers' links that they use, Jain's index of the rates, and the least and most flows of a core switch.
Hashes are written down here once more, so that the paths do not come from the simulator's code; a test compares them with a run.
"""
from __future__ import annotations

import argparse
import sys

MASK = (1 << 64) - 1
FLOW_HASH = 4   # purpose of the stream, model/engine/rcc-random.h


def mix(x: int) -> int:
    """The output function of SplitMix64, core/cc/rcc_mix.h."""
    x = (x + 0x9e3779b97f4a7c15) & MASK
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


def core_of(seed: int, sender: int, k: int = 20) -> int:
    """Core switch of a sender's first flow in a fat tree with k/2 core switches: the edge switch picks an aggregation switch, and each of
    these has one core switch."""
    half = k // 2
    edge = k * half * half + sender // half     # node id: hosts come first
    flow = mix(mix(mix(seed) ^ FLOW_HASH) ^ (sender << 32)) & 0xffffffff
    return mix(flow ^ (mix(edge) << 32 & MASK)) % half


def links_of(seed: int, sender: int, receivers: int, k: int = 20) -> tuple:
    """Links of a sender's flow that other flows share, all of one rate."""
    half = k // 2
    core, edge, pod, receiver = core_of(seed, sender, k), sender // half, sender // (half * half), sender % receivers
    return ("up", edge, core), ("to core", pod, core), ("core", core), ("down", core, receiver), ("host", receiver)


def shares(paths: list) -> list:
    """Max-min fair rates on links of rate 1, by progressive filling: the link with the least share per flow is full first."""
    on: dict = {}
    for flow, links in enumerate(paths):
        for link in links:
            on.setdefault(link, set()).add(flow)
    left = dict.fromkeys(on, 1.0)
    rates = [0.0] * len(paths)
    while on:
        full = min(on, key=lambda link: left[link] / len(on[link]))
        share = left[full] / len(on[full])
        for flow in on.pop(full):
            rates[flow] = share
            for link in paths[flow]:
                if link in on:
                    on[link].discard(flow)
                    left[link] -= share
        on = {link: flows for link, flows in on.items() if flows}
    return rates


def jain(rates: list) -> float:
    return sum(rates) ** 2 / (len(rates) * sum(rate * rate for rate in rates))


def main() -> int:
    parser = argparse.ArgumentParser(description="What the paths of figure 9 allow")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--senders", type=int, default=1900)
    parser.add_argument("--receivers", type=int, default=10)
    args = parser.parse_args()
    print("seed  used   Jain   flows of a core switch")
    for seed in range(1, args.seeds + 1):
        paths = [links_of(seed, sender, args.receivers) for sender in range(args.senders)]
        rates = shares(paths)
        cores = [core_of(seed, sender) for sender in range(args.senders)]
        counts = [cores.count(core) for core in set(cores)]
        print(f"{seed:4}  {sum(rates) / args.receivers:.3f}  {jain(rates):.3f}  {min(counts)} to {max(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
