# SPDX-License-Identifier: GPL-2.0-only
"""What the papers' models predict, without a packet simulated. Standard library only; see doc/analytic-line.md."""
