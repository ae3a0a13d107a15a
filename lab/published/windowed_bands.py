# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Bands of the windowed algorithms' published results, written down before the first run; not yet rows of `./rcc reproduce`."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Band:
    """What a row may come to. Least and largest are in `unit`; `reason` says why the band is as wide as it is."""
    id: str
    preset: str
    claim: str
    source: str
    least: float
    largest: float
    unit: str
    reason: str


def about(value: float, share: float) -> tuple:
    """Least and largest within `share` of a value."""
    return value * (1 - share), value * (1 + share)


HTSIM = "uet-htsim, validate_uec_sender"
TRIM = "uec"  # with a switch that trims
LAST = "uet-htsim's own time of the last flow: one path in place of spraying leaves this part to phases"
SAW = "closed form of synchronised flows, one packet per RTT; flows are not quite in step"
CLOSED = "SIGCOMM'10, section 3.3; 10 Gb/s, RTT 100 us, threshold 40 packets of 1500 B"

BANDS = (
    Band("nscc-one", TRIM, "one flow of 2 MB, 100 Gb/s: its end", HTSIM, *about(176.2, 0.02), "us", LAST),
    Band("nscc-bidir", TRIM, "two opposite flows of 2 MB: the later end", HTSIM, *about(176.8, 0.02), "us", LAST),
    Band("nscc-incast-15", TRIM, "15 flows of 2 MB into one port: the last end", HTSIM, *about(2478.5, 0.02), "us", LAST),
    Band("nscc-incast-127", TRIM, "127 flows of 2 MB into one port: the last end", HTSIM, *about(21029, 0.02), "us", LAST),
    Band("dctcp-peak-2", "window", "largest queue of 2 flows", CLOSED, *about(42, 0.10), "packets", SAW),
    Band("dctcp-amplitude-2", "window", "amplitude of the queue of 2 flows", CLOSED, *about(11.41, 0.25), "packets", SAW),
    Band("dctcp-period-2", "window", "period of the queue of 2 flows", CLOSED, *about(5.71, 0.25), "RTTs", SAW),
    Band("dctcp-peak-10", "window", "largest queue of 10 flows", CLOSED, *about(50, 0.15), "packets", SAW),
    Band("swift-table-3", "paper", "mean RTT of 5000 flows, scaling on", "Swift SIGCOMM'20, table 3", *about(110.2, 0.20), "us",
         "the range of flow scaling is not published; its fixed point spans 100 to 130 us"),
    Band("swift-figure-21", "paper", "Jain's index of 5000 flows, scaling on", "Swift SIGCOMM'20, figure 21", 0.86, 1.0, "",
         "0.91 was measured on hosts; a simulation has less noise, so only the lower side is narrow"),
    Band("barre-figure-15", "atc25", "throughput of 16 flows into 400 Gb/s", "Barre ATC'25, figure 15", 390, 400, "Gb/s",
         "the range that is printed"),
)
