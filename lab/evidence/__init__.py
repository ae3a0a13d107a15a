# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The evidence: published and measured numbers with their bands, studies, and the commands that run them. It uses the command `./rcc`;
nothing else uses it, but the list of commands (command/registry.py), which loads `./rcc reproduce` when it is called."""
