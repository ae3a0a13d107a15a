# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The four sets of rows. `./rcc reproduce` runs them (lab/evidence/reproduce/reproduce.py); FIGURES is all of them, in the order of the
papers."""
from __future__ import annotations

from dataclasses import replace

from . import (dcqcn_plus, dcqcn_plus_networks, ecn_or_delay, netfpga, paths, paths_fabric, reality_arrivals_runs, reality_cards_runs,
               reality_clos_runs, reality_others_runs, reality_sonic_runs, sigcomm15, thesis, unbiased_qcn, windowed, windowed_delay,
               windowed_hpcc, windowed_more, windowed_power, windowed_workloads)
from .seeds import judged

PAPERS = judged([figure for source in (dcqcn_plus, dcqcn_plus_networks, thesis, sigcomm15, ecn_or_delay, netfpga, unbiased_qcn)
                 for figure in source.FIGURES])
WINDOWED = [replace(figure, table="windowed") for source in (windowed, windowed_hpcc, windowed_workloads, windowed_delay, windowed_more,
                                                               windowed_power) for figure in source.FIGURES]
PATHS = [replace(figure, table="paths") for source in (paths, paths_fabric) for figure in source.FIGURES]
FIGURES = PAPERS + WINDOWED + PATHS + [figure for source in (reality_clos_runs, reality_cards_runs, reality_others_runs,
                                                             reality_arrivals_runs, reality_sonic_runs) for figure in source.FIGURES]
