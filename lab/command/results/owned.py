# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a command's last run wrote into a folder of results, as it lists it there. A command removes and replaces this alone; a file of
one of its names that is not listed is somebody's, and is refused by name."""
from __future__ import annotations

import contextlib
import json
import os
from typing import Iterable, Optional

from ..common import RccError, atomic_write, open_regular

NAME = ".rcc-files"
LIMIT = 1 << 24     # bytes


def listed(folder: str) -> Optional[set]:
    """Paths inside the folder; None where there is no list, as in results of older versions."""
    try:
        with open_regular(os.path.join(folder, NAME), LIMIT) as f:
            found = json.loads(f.read().decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    files = found.get("files") if isinstance(found, dict) else None
    return {path for path in files if isinstance(path, str)} if isinstance(files, list) else None


def refuse_others(folder: str, paths: Iterable, own: set, command: str) -> None:
    """Raise for the first path that is there and not the command's own, links included."""
    for path in sorted(paths):
        if path not in own and os.path.lexists(os.path.join(folder, path)):
            raise RccError(f"--out={folder}: the {path} there is not from {command}; give another folder")


def refuse_links(folder: str, names: Iterable) -> None:
    """Raise if a folder of a run leads elsewhere."""
    for name in names:
        if os.path.islink(os.path.join(folder, name)):
            raise RccError(f"--out={folder}: {name} there is a link to {os.readlink(os.path.join(folder, name))}; give another folder")


def remove(folder: str, own: Iterable) -> None:
    """Remove what is the command's own, the folders that are empty then, and the list. Raises OSError."""
    places = set()
    for path in own:
        if os.path.isabs(path) or ".." in path.split("/") or os.path.islink(os.path.join(folder, os.path.dirname(path))):
            continue   # not of this folder
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(os.path.join(folder, path))
        if os.path.dirname(path):
            places.add(os.path.dirname(path))
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, NAME))
    for place in places:
        with contextlib.suppress(OSError):   # something of the user's is in it
            os.rmdir(os.path.join(folder, place))


def record(folder: str, paths: Iterable) -> None:
    """List those of the paths that are there. Raises OSError."""
    files = sorted(path for path in set(paths) if os.path.lexists(os.path.join(folder, path)))
    with atomic_write(os.path.join(folder, NAME)) as f:
        json.dump({"files": files}, f, indent=1)
        f.write("\n")
