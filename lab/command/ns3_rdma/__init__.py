# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Files of ns3-rdma, of the HPCC simulator and of its forks: config.txt and what it names, as an experiment (lab/doc/ns3-rdma.md)."""
