# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Traces of training jobs: read, checked, turned into flows that wait for one another, and what ranks did in the simulation."""
