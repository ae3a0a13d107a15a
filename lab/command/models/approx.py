# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc model approx`: DCQCN+ for a NIC that has only DCQCN: its parameters at the point where N flows have converged (ICNP
2018, section V.D)."""
from __future__ import annotations

import json
import textwrap
import math
from fractions import Fraction

from .. import units
from ..common import WIDEST, RccError, counted, digits, si_rate, si_time, terminal_width, warn
from ..registry import Command

LEAST_RATE = 1e6     # rpg_min_rate as shipped, bit/s
PACKET_BITS = 8000   # M: 1000 bytes
LAMBDA = 2           # K is twice the CNP period or the time of a packet


def settings(flows: int, rate: float, delta: float) -> dict:
    """Return K in seconds and R_AI in bit/s: K = 2 max(N delta, M / (R/N)), R_AI = R / (10 N)."""
    share = rate / flows
    return {"flows": flows, "rate_bps": rate, "share_bps": share, "timer_s": LAMBDA * max(flows * delta, PACKET_BITS / share),
            "r_ai_bps": share / 10}


def add_arguments(parser) -> None:
    parser.add_argument("--flows", metavar="N", required=True, help="flows that meet at one receiver")
    parser.add_argument("--rate", metavar="RATE", default="10Gbps", help="rate of the receiver's link (default: 10Gbps)")
    parser.add_argument("--cnp-generation", metavar="TIME", default="1us",
                        help="delta: time in which the receiving NIC can make one CNP (default: 1us, a ConnectX-4)")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def command(args) -> int:
    flows = int(units.parse("count", args.flows, "--flows"))
    rate = units.parse("rate", args.rate, "--rate")
    delta = units.parse("time", args.cnp_generation, "--cnp-generation")
    if not 1 <= flows <= 1_000_000:
        raise RccError(f"--flows={args.flows}: expected 1 to 1000000")
    if not 1e6 <= rate <= 16e12:
        raise RccError(f"--rate={args.rate}: expected 1Mbps to 16Tbps")
    if not 1e-9 <= delta <= 1e-3:
        raise RccError(f"--cnp-generation={args.cnp_generation}: expected 1ns to 1ms")
    found = settings(flows, rate, delta)
    micro = math.ceil(Fraction(found["timer_s"]).limit_denominator(10**12) * 10**6)
    mega = max(1, round(found["r_ai_bps"] / 1e6))
    nic = {"rpg_time_reset": micro, "rpg_ai_rate": mega}
    if args.json:
        print(json.dumps({**found, "nic": nic}, indent=1))
        return 0
    exact = digits(found["r_ai_bps"] / 1e6)
    timer = f"{round(found['timer_s'] * 1e6, 3):g}us"
    lines = [f"{counted(flows, 'flow')} at {si_rate(rate)}: each has {si_rate(found['share_bps'])} once they have converged", ""]
    least = f"{PACKET_BITS} bit / {si_rate(found['share_bps'])}"
    lines.append(f"rpg_time_reset = {micro:<8} us    K = 2 max({flows} x {si_time(delta)}, {least}) = {timer}")
    lines.append(f"rpg_ai_rate    = {mega:<8} Mb/s  R_AI = {si_rate(found['share_bps'])} / 10 = {exact} Mb/s, and the NIC takes whole Mb/s")
    lines += ["", "All other parameters stay as they are. In the simulator, without rounding:"]
    lines.append(f"  ./rcc run incast --cc=dcqcn --preset=cx4 --flows={flows} --rate={args.rate} --time=4s "
          f"--set dcqcn.timer={timer},dcqcn.r_ai={found['r_ai_bps']:.0f}bps")
    lines.append("Source: ICNP 2018, section V.D. Fewer flows than that recover slowly with these settings.")
    print("\n".join(textwrap.fill(line, terminal_width(WIDEST), subsequent_indent="    ", break_on_hyphens=False) for line in lines))
    if flows * LEAST_RATE >= rate:
        warn(f"{flows} flows at the least rate that NICs ship with (rpg_min_rate, 1 Mb/s) already fill {si_rate(rate)}")
    return 0


PART = Command(
    help="static DCQCN+ settings for a real NIC",
    description="DCQCN+ for a NIC that has only DCQCN: its timer and increase step at the point where N flows have\n"
        "converged, by the vendor's names. Simulates and builds nothing.",
    examples=[("./rcc model approx --flows=540 --rate=10Gbps", "the paper's example: 1080 us and 1.85 Mb/s"),
        ("./rcc model approx --flows=2000 --rate=100Gbps --cnp-generation=500ns --json", "another NIC, as JSON")],
    add_arguments=add_arguments,
    run=command)
