# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Open decisions of the DCQCN+ paper, each flipped once. Names as in doc/decisions.md; those that change no
simulated number (`period_place`, misprints) or nothing here (`legacy_cnp`) are left out."""
from __future__ import annotations

from typing import NamedTuple


class Flip(NamedTuple):
    name: str       # name of the decision
    what: str       # in words, what is different
    settings: str   # NAME=VALUE of dcqcn-plus, separated by commas


FLIPS = [
    Flip("", "as decided", ""),
    Flip("r_min", "R_min is 0.00001 of the rate", "r_min=0.00001"),
    Flip("timer_rule", "timers follow the period only above 50 us", "timer_rule=above-50us"),
    Flip("timer_update", "timers are computed at CNPs only", "timer_update=cnp-only"),
    Flip("list_timeout", "records leave the list after 10 ms", "list_timeout=10ms"),
    Flip("list_timeout", "records leave the list after 100 ms", "list_timeout=100ms"),
    Flip("period_floor", "the period has no floor", "period_floor=0s"),
    Flip("early_check", "an early check keeps the ECN bit", "early_check=keep"),
    Flip("idle_wake", "an idle list keeps its turn", "idle_wake=in-turn"),
    Flip("period_counts", "the period counts marked flows only", "period_counts=marked"),
    Flip("phase_boundary", "S = F and S = 4F belong to the lower phase", "phase_boundary=lower"),
    Flip("stage_after_cut", "S = 1 after a cut", "stage_after_cut=1"),
    Flip("ai_levels", "two levels of additive increase", "ai_levels=two"),
    Flip("target_cap", "the target rate is not capped", "target_cap=none"),
    Flip("g", "g = 1/16", "g=0.0625"),
    Flip("initial_alpha", "alpha starts at 0.5", "initial_alpha=0.5"),
    Flip("alpha_order", "a CNP raises alpha before the cut", "alpha_order=before-cut"),
    Flip("alpha_restart", "a CNP leaves the alpha timer alone", "alpha_restart=no"),
    Flip("pause_rule", "a paused class steps its timers", "pause_rule=step"),
    Flip("marking", "Pmax = 1 %", "pmax=0.01"),
    Flip("marking", "Kmin = 5 KB", "kmin=5KB"),
    Flip("hyper_index", "hyper increase begins at 3F", "hi_after=3"),
    Flip("pacing", "the pacing gap is fixed when a packet leaves", "pacing=frozen"),
    Flip("cnp_generation", "the NIC makes CNPs without a limit", "cnp_generation=1ns"),
]
