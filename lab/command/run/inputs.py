# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The hashes of the files that a run was given by name. They go into its results, as a file may change later."""
from __future__ import annotations

import contextlib
import os
from typing import Dict

CHUNK = 1 << 20


def hash_files(paths: Dict[str, str]) -> dict:
    """Hash files by option: {option: {"name", "sha256"}}, without those that are no regular files."""
    found = {}
    for option, path in paths.items():
        with contextlib.suppress(OSError):
            if os.path.isfile(path):
                import hashlib  # here: most runs have no files
                digest = hashlib.sha256()
                with open(path, "rb") as f:
                    for part in iter(lambda: f.read(CHUNK), b""):
                        digest.update(part)
                found[option] = {"name": os.path.basename(path), "sha256": digest.hexdigest()}
    return found
