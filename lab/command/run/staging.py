# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Where simulators write: a folder of this command alone. What they wrote is checked and then moved to where it belongs, so that
the files of two runs never mix."""
from __future__ import annotations

import os
import shutil
import tempfile

from ..results import results
from ..common import EXIT_FAILED, RccError, cannot_write


def make(folder: str) -> str:
    """A new folder for the simulators, inside the folder of the results: what is in it can be renamed to there."""
    try:
        return tempfile.mkdtemp(prefix=results.TEMPORARY, dir=folder)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error


def remove(place: str) -> None:
    shutil.rmtree(place, ignore_errors=True)


def check(run: dict, expected: dict) -> str:
    """Why a run.json is not the result of the command that was to write it, or ""."""
    for key, value in expected.items():
        if run.get(key) != value:
            return f"its run.json says {key} {run.get(key)!r}, expected {value!r}"
    return ""


def adopt(place: str, name: str, folder: str, new: str) -> None:
    """Move a run's files from the simulators' folder to the run's own. What else is in a folder of that name stays; run.json,
    which says that the others are complete, comes last."""
    results.check_folder_name(new, folder)
    source, target = os.path.join(place, name), os.path.join(folder, new)
    try:
        os.makedirs(target, exist_ok=True)
        entries = sorted(os.listdir(source), key=lambda e: (e == "run.json", e))
        for entry in entries:   # what earlier runs wrote is gone
            if os.path.lexists(os.path.join(target, entry)):
                raise RccError(f"{os.path.join(target, entry)}: not from ./rcc run; give another folder")
        for entry in entries:
            os.replace(os.path.join(source, entry), os.path.join(target, entry))
        results.record(folder)
    except OSError as error:
        raise RccError(f"{target}: {error.strerror or error}", EXIT_FAILED) from error
