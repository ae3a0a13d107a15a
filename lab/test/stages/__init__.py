# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The stages of `./rcc test`: what is tested beside unit tests, and what runs and counts all of it."""
