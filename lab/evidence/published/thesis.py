# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The testbed thesis: Y. Yang, "Improvements for Congestion Control Algorithms in Large-Scale Datacenter Network",
Nanjing University 2018."""
from __future__ import annotations

import os
import statistics
import struct

from . import drawing as draw
from .dcqcn_plus import DOUBLINGS, SPREAD, STAR, incast, mean_queue, threshold
from .drawing import COLOURS
from .figure import Data, Figure, Measured, Missing, Panel, Row, ratio_text, run

PAPER = "Thesis Yang 2018"

# ------------------------------------------------------------------------------------------------ figure 2


def fig2() -> Figure:
    cx4_flows = (80, 160, 240, 320, 480, 640)
    sets = {"paper": ("preset paper", DOUBLINGS, ("--time=0.4s",), 1.0), "cx4": ("preset cx4, the vendor's defaults", cx4_flows,
                                                                    ("--preset=cx4", "--time=4s"), 3.3)}
    runs: dict = {}
    keys: dict = {}
    for preset, (_, flows, words, cost) in sets.items():
        for rate in ("10Gbps", "40Gbps"):
            keys[preset, rate] = [(n, f"{preset}-{rate}-{n}") for n in flows]
            for n, key in keys[preset, rate]:
                runs[key] = incast("dcqcn", rate, n, *words, cost=cost * (3 if rate == "40Gbps" else 1))

    def row(preset: str) -> Row:
        def measure(data: Data) -> Measured:
            ten, forty = (threshold(data, keys[preset, rate]) for rate in ("10Gbps", "40Gbps"))
            words = [f"{n} flows" if n else f"none up to {sets[preset][1][-1]}" for n in (ten, forty)]
            holds = ("the paper's statement holds" if ten and (not forty or ten < forty) else
                     "the thesis' statement holds" if forty and (not ten or forty < ten) else "neither statement holds")
            return Measured(f"10 Gb/s: {words[0]}, 40 Gb/s: {words[1]}: {holds}", holds.startswith("the"))
        return Row("th-fig2" + ("" if preset == "paper" else "-" + preset),
                   f"flows from which DCQCN, {sets[preset][0]}, fails: which rate fails first?",
                   "thesis: 160 at 10 Gb/s, 80 at 40 Gb/s; ICNP'18: 80 and 160", "one of the two statements holds",
                   tuple(key for rate in ("10Gbps", "40Gbps") for _, key in keys[preset, rate]), measure,
                   note="fails: the mean queue in the second half is above Kmax")

    def panel(preset: str):
        def draw_panel(ax, data: Data) -> None:
            draw.sweep(ax, data, [(rate.replace("Gbps", " Gb/s"), colour, keys[preset, rate]) for rate, colour in
                                  (("10Gbps", COLOURS["dcqcn"]), ("40Gbps", COLOURS["cx4"]))], mean_queue,
                       "mean queue (KB), log scale", logy=True)
            draw.published_line(ax, 200, "Kmax, above which congestion is not drained")
        return draw_panel
    return Figure("th-fig2", PAPER, "Figure 2: at which rate does DCQCN fail first?",
                  f"{STAR}, DCQCN presets paper and cx4 at 10 and 40 Gb/s, {SPREAD}; second half of 0.4 s (paper), 4 s (cx4)",
                  runs, (row("paper"), row("cx4")),
                  tuple(Panel(sets[p][0], tuple(k for r in ("10Gbps", "40Gbps") for _, k in keys[p, r]), panel(p))
                        for p in sets))


# ------------------------------------------------------------------------------------------------ section 3, abstract

def scale() -> Figure:
    flows = (240, 320, 400, 480, 560, 640, 800)
    runs = {f"cx4-{n}": incast("dcqcn", "10Gbps", n, "--preset=cx4", "--time=4s", cost=3.7) for n in flows}
    runs["static-540"] = incast("dcqcn", "10Gbps", 540, "--preset=cx4", "--time=4s",
                                f"--set=dcqcn.timer=1080us,dcqcn.r_ai={1000 / 540:.6g}Mbps", cost=3.7)
    runs["cx4-540"] = incast("dcqcn", "10Gbps", 540, "--preset=cx4", "--time=4s", cost=3.7)
    runs["static-1600"] = incast("dcqcn", "10Gbps", 1600, "--preset=cx4", "--time=4s",
                                 "--set=dcqcn.timer=3200us,dcqcn.r_ai=0.625Mbps", cost=5)

    def at(data: Data) -> Measured:
        n = next((n for n in flows if data.mean(f"cx4-{n}", "queue.max_bytes") > 4e6), 0)
        return Measured(f"{n} flows", 200 <= n <= 800, n)

    def latency(data: Data) -> Measured:
        value = data.mean("cx4-540", "queue.mean_bytes") / data.mean("static-540", "queue.mean_bytes")
        return Measured(ratio_text(value), value >= 5, value)

    def larger(data: Data) -> Measured:
        value = data.mean("static-1600", "queue.max_bytes")
        return Measured(f"1600 flows: {value / 1e6:.2f} MB at most in the second half", value < 4e6, value)

    def panel(ax, data: Data) -> None:
        draw.timeline(ax, data, [("CX4, 240 flows", draw.SHADES[2], "cx4-240"), ("CX4, 560 flows", COLOURS["cx4"], "cx4-560"),
                                 ("static DCQCN+ parameters, 540 flows", COLOURS["dcqcn-plus"], "static-540"),
                                 ("static DCQCN+ parameters, 1600 flows", draw.SHADES[3], "static-1600")],
                      "queue.csv", "mean_bytes", 1e6, "queue, 10 ms means (MB)", width=10e-3, milliseconds=False)
    return Figure(
        "th-400", PAPER, "Section 3: more than 400 flows on ConnectX-4 NICs",
        f"{STAR}, 10 Gb/s, DCQCN preset cx4, and cx4 with the static parameters of DCQCN+ for the number of flows "
        f"(./rcc model approx); {SPREAD}; 2 to 4 s", runs,
        (Row("th-400", "under 400 flows the queue goes down within 2 to 3 s, above it stays", "400 flows",
             "200 to 800 (one doubling)", tuple(f"cx4-{n}" for n in flows), at,
             note="stays: the largest queue of the second half is above 4 MB"),
         Row("th-400-latency", "DCQCN+ parameters: 10 times smaller latency", "10x", ">= 5x", ("cx4-540", "static-540"),
             latency),
         Row("th-400-scale", "DCQCN+ parameters: 4 times the flows", "4 x 400 flows", "1600 flows drain: below 4 MB",
             ("static-1600",), larger)),
        (Panel("Queue of the congested port", ("cx4-240", "cx4-560", "static-540", "static-1600"), panel),))


# ------------------------------------------------------------------------------------------------ section 5.4

def cnp_times(data: Data, seed: int = 1) -> list:
    """ns of the CNPs in the capture at the receiver: UDP 4791, BTH opcode 0x81."""
    path = os.path.join(data.place("cx4", seed), "receiver.pcap")
    try:
        with open(path, "rb") as f:
            raw = f.read()
    except OSError as error:
        raise Missing("receiver.pcap") from error
    times, at = [], 24
    while at + 16 <= len(raw):
        seconds, ns, kept, _ = struct.unpack_from("<IIII", raw, at)
        frame = raw[at + 16:at + 16 + kept]
        if frame[12:14] == b"\x08\x00" and frame[36:38] == b"\x12\xb7" and frame[42] == 0x81:
            times.append(seconds * 10**9 + ns)
        at += 16 + kept
    return times


def ports() -> Figure:
    runs = {"cx4": run("incast", "--cc=dcqcn", "--preset=cx4", "--senders=1", "--flows=16", "--rate=100Gbps",
                       "--receiver-rate=10Gbps", "--start=0s", "--time=5ms", "--kmin=0B", "--kmax=0B", "--pmax=1",
                       "--set=dcqcn.cut_ratio=0", "--mtu=256", "--ack-every=1000000", "--pcap", cost=0.5)}

    def measure(data: Data) -> Measured:
        captures = data.map_seeds("cx4", lambda seed: cnp_times(data, seed))
        least = min(b - a for times in captures for a, b in zip(times, times[1:]))
        rates = [(len(times) - 1) / (times[-1] - times[0]) * 1e3 for times in captures]
        rate = statistics.fmean(rates)
        return Measured(f"{rate:.3f} CNPs per us, {least} ns apart at least ({sum(map(len, captures))} CNPs, {len(captures)} seeds)",
                        least >= 1000 and abs(rate - 1) < 0.005, rate, (min(rates), max(rates)))

    def panel(ax, data: Data) -> None:
        times = cnp_times(data)
        gaps = [(b - a) / 1e3 for a, b in zip(times, times[1:])]
        ax.hist(gaps, bins=60, color=COLOURS["dcqcn"], label="gaps between CNPs in the capture")
        ax.axvline(1, color=draw.INK, linestyle=(0, (5, 3)), label="published: about one per us")
        ax.set_xlabel("time between CNPs (us)")
        ax.set_ylabel("CNPs")
    return Figure("th-ports", PAPER, "Section 5.4, and III.D of DCQCN+ ICNP'18: how fast a ConnectX-4 makes CNPs",
                  "1 sender at 100 Gb/s, receiver at 10 Gb/s, every packet marked, CNPs not acted on, 256 B packets so that "
                  "marks come faster than CNPs can be made, no ACKs that a CNP could wait for; DCQCN preset cx4; counted in the "
                  "capture", runs,
                  (Row("th-ports", "a ConnectX-4 makes one CNP per us", "about 1 per us (DCQCN+ ICNP'18, III.D)", "exact", ("cx4",),
                       measure, quick=True),),
                  (Panel("Gaps between CNPs", ("cx4",), panel),))


FIGURES = (fig2(), scale(), ports())
