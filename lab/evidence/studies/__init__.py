# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Models and calculations beside the packets: fluid models over time, the equilibrium of DCQCN+, the paths of a fat tree."""
