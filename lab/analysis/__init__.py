# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What the papers' models predict, without a packet simulated. Standard library only; see lab/doc/analytic-line.md."""
