# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a command's last run wrote into a folder, as it lists it there. A command removes and replaces this alone; a file of one of its
names that is not listed is somebody's, or of another command, and is refused by name."""
from __future__ import annotations

import contextlib
import json
import os
import shutil
from typing import Iterable, Optional

from ..common import RccError, atomic_write, open_regular

NAME = ".rcc-files"
LIMIT = 1 << 24     # bytes


def _lists(folder: str) -> Optional[dict]:
    """Paths by command, as the folder lists them; None without a list. One of an older version names no command, and is of any. Raises
    for a file of that name that is no list: it would be replaced."""
    try:
        with open_regular(os.path.join(folder, NAME), LIMIT) as f:
            found = json.loads(f.read().decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError):
        found = None
    lists = found.get("files") if isinstance(found, dict) else None
    lists = {"": lists} if isinstance(lists, list) else lists
    if not isinstance(lists, dict) or not all(isinstance(paths, list) for paths in lists.values()):
        raise RccError(f"{os.path.join(folder, NAME)} is not a list of files as ./rcc writes it; move it away, or give another folder")
    return {command: {path for path in paths if isinstance(path, str)} for command, paths in lists.items()}


def listed(folder: str, command: str) -> Optional[set]:
    """Paths inside the folder that the last run of the command wrote; None where nothing is listed, as in results of older versions."""
    lists = _lists(folder)
    return None if lists is None else lists.get(command, lists.get("", set()))


def refuse_others(folder: str, paths: Iterable, own: set, command: str) -> None:
    """Raise for the first path that is there and not the command's own, links included."""
    for path in sorted(paths):
        if path not in own and os.path.lexists(os.path.join(folder, path)):
            raise RccError(f"--out={folder}: the {path} there is not from {command}; give another folder")


def place_of(path: str, command: str, option: str) -> tuple:
    """(folder, name) of the one file that an option names, where its links lead to. Raises if there is a file, or a link, that the command
    has not written."""
    folder, name = os.path.split(os.path.realpath(path))
    if os.path.lexists(path) and name not in (listed(folder, command) or ()):
        raise RccError(f"{option}={path}: the file there is not from {command}; give another name")
    return folder, name


def tree(folder: str) -> list:
    """The files below a folder, links as they are, as paths inside it; without its own list."""
    found = []
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names + links]
    return [path for path in found if path != NAME]


def remove_tree(folder: str, command: str, shown: str) -> None:
    """Remove a folder that the command made; raises for the first file in it that its list does not have. `shown`: the folder for people.
    One without a list is an older version's. Raises OSError."""
    if os.path.islink(folder):
        raise RccError(f"{shown} is a link to {os.readlink(folder)}; give another folder")
    own, there = listed(folder, command), tree(folder)
    for path in sorted(there if own is not None else ()):
        if path not in (own or set()):
            raise RccError(f"{shown}: the {path} there is not from {command}; give another folder")
    shutil.rmtree(folder)


def claim(folder: str, names: Iterable, own: set, command: str) -> None:
    """Raise if a file is there that the command would write and that is not its own; else list all of them, so that what a killed command
    leaves is known as its own. Raises OSError."""
    refuse_others(folder, names, own, command)
    _write(folder, command, {*own, *names})


def refuse_links(folder: str, names: Iterable) -> None:
    """Raise if a folder of a run leads elsewhere."""
    for name in names:
        if os.path.islink(os.path.join(folder, name)):
            raise RccError(f"--out={folder}: {name} there is a link to {os.readlink(os.path.join(folder, name))}; give another folder")


def remove(folder: str, own: Iterable, command: str) -> None:
    """Remove what is the command's own, the folders that are empty then, and its list. Raises OSError."""
    places = set()
    for path in own:
        if os.path.isabs(path) or ".." in path.split("/") or os.path.islink(os.path.join(folder, os.path.dirname(path))):
            continue   # not of this folder
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(os.path.join(folder, path))
        if os.path.dirname(path):
            places.add(os.path.dirname(path))
    _write(folder, command, set())
    for place in places:
        with contextlib.suppress(OSError):   # something of the user's is in it
            os.rmdir(os.path.join(folder, place))


def record(folder: str, paths: Iterable, command: str, soon: Iterable = ()) -> None:
    """List those of the paths that are there as the command's, and those of `soon` that will be. Raises OSError."""
    _write(folder, command, {*soon, *(path for path in paths if os.path.lexists(os.path.join(folder, path)))})


def _write(folder: str, command: str, paths: set) -> None:
    """Put the command's list beside those of others; no file without any."""
    lists = {other: sorted(own) for other, own in (_lists(folder) or {}).items() if other not in ("", command)}
    lists.update({command: sorted(paths)} if paths else {})
    if not lists:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, NAME))
        return
    with atomic_write(os.path.join(folder, NAME)) as f:
        json.dump({"files": dict(sorted(lists.items()))}, f, indent=1)
        f.write("\n")
