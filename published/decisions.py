# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the DCQCN+ paper leaves open, each decision flipped once. Numbers as in doc/dcqcn-plus.md; those that change no
simulated number (1: place of the period on the wire; 3, 23, 24: misprints) or nothing here (2: legacy CNPs) are left out."""
from __future__ import annotations

from typing import NamedTuple


class Flip(NamedTuple):
    number: str     # of the decision
    what: str       # in words, what is different
    settings: str   # NAME=VALUE of dcqcn-plus, separated by commas


FLIPS = [
    Flip("", "as decided", ""),
    Flip("4", "R_min is a tenth of that", "r_min=0.00001"),
    Flip("5", "timers follow the period only above 50 us", "timer_rule=above-50us"),
    Flip("6", "timers are computed at CNPs only", "timer_update=cnp-only"),
    Flip("7", "records leave the list after 10 ms", "list_timeout=10ms"),
    Flip("7", "records leave the list after 100 ms", "list_timeout=100ms"),
    Flip("8", "the period has no floor", "period_floor=0s"),
    Flip("9", "an early check keeps the ECN bit", "early_check=keep"),
    Flip("9", "an idle list wakes at once", "idle_wake=at-once"),
    Flip("10", "the period counts marked flows only", "period_counts=marked"),
    Flip("11", "S = F and S = 4F belong to the lower phase", "phase_boundary=lower"),
    Flip("12", "S = 1 after a cut", "stage_after_cut=1"),
    Flip("13", "two levels of additive increase", "ai_levels=two"),
    Flip("14", "the target rate is not capped", "target_cap=none"),
    Flip("15", "g = 1/16", "g=0.0625"),
    Flip("15", "alpha starts at 0.5", "initial_alpha=0.5"),
    Flip("16", "a CNP leaves the alpha timer alone", "alpha_restart=no"),
    Flip("17", "a paused class steps its timers", "pause_rule=step"),
    Flip("18", "Kmin = 5 KB", "kmin=5KB"),
    Flip("20", "hyper increase begins at 3F", "hi_after=3"),
    Flip("21", "the pacing gap is fixed when a packet leaves", "pacing=frozen"),
    Flip("22", "the NIC makes CNPs without a limit", "cnp_generation=1ns"),
]
