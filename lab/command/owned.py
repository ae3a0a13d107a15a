# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The list of files that a command's last run wrote into a folder. A command removes and replaces this alone; a file of one of its
names that is not listed is somebody's, or of another command, and is refused by name."""
from __future__ import annotations

import contextlib
import json
import os
from typing import Callable, Iterable, Optional

from . import below
from .common import RccError

NAME = ".rcc-files"
LIMIT = 1 << 24     # bytes


def _lists(folder: str) -> Optional[dict]:
    """Paths by command, as the folder lists them; None without a list. One of an older version names no command, and is of any. Raises
    for a file of that name that is no list: it would be replaced."""
    try:
        with below.open_file(folder, NAME, LIMIT) as f:
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


def listed(folder: str, command: str, may_write: Callable[[str], bool]) -> Optional[set]:
    """Paths inside the folder that the last run of the command wrote, of those that it may write: the list may be somebody else's, and say
    anything. None where nothing is listed, as in results of older versions."""
    lists = _lists(folder)
    return None if lists is None else set(filter(may_write, lists.get(command, lists.get("", set()))))


def refuse_others(folder: str, paths: Iterable, own: set, command: str) -> None:
    """Raise for the first path that is there and not the command's own, links included."""
    for path in sorted(paths):
        if path not in own and below.is_there(folder, path):
            raise RccError(f"--out={folder}: the {path} there is not from {command}; give another folder")


def place_of(path: str, command: str, option: str) -> tuple:
    """(folder, name, what the command has written there) of the one file that an option names, where its links lead to. Raises if there is
    a file, or a link, that the command has not written."""
    folder, name = os.path.split(os.path.realpath(path))
    own = listed(folder, command, lambda one: not below.leads_out(one) and "/" not in one) or set()
    if os.path.lexists(path) and name not in own:
        raise RccError(f"{option}={path}: the file there is not from {command}; give another name")
    return folder, name, own


def tree(folder: str, path: str = "") -> list:
    """The files below a folder, links as they are, as paths inside it; without its own list. Raises RccError, OSError."""
    return [one for one in below.tree(folder, path) if one != NAME]


def remove_tree(folder: str, path: str, command: str, may_write: Callable[[str], bool], shown: str) -> None:
    """Remove the folder `path` below `folder`, which the command made; raises for the first file in it that the command may not write or
    its list does not have. `shown`: the folder for people. One without a list is an older version's. Raises OSError."""
    place = os.path.join(folder, path)
    if os.path.islink(place):
        raise RccError(f"{shown} is a link to {os.readlink(place)}; give another folder")
    own = listed(place, command, may_write)
    for one in sorted(tree(folder, path)):
        if not may_write(one) or (own is not None and one not in own):
            raise RccError(f"{shown}: the {one} there is not from {command}; give another folder")
    below.remove_tree(folder, path)


def claim(folder: str, names: Iterable, own: set, command: str) -> None:
    """Raise if a file is there that the command would write and that is not its own. List all of them otherwise, so that files of a killed
    command are known as its own. Raises OSError."""
    refuse_others(folder, names, own, command)
    _write(folder, command, {*own, *names})


def refuse_links(folder: str, names: Iterable, shown: str = "") -> None:
    """Raise if a folder of a run leads elsewhere. `shown`: the folder for people."""
    for name in names:
        if os.path.islink(os.path.join(folder, name)):
            target = os.readlink(os.path.join(folder, name))
            raise RccError(f"{shown or f'--out={folder}'}: {name} there is a link to {target}; give another folder")


def remove(folder: str, own: Iterable, command: str) -> None:
    """Remove what is the command's own, the folders that are empty then, and its list. Raises OSError."""
    places = set()
    for path in own:
        with contextlib.suppress(below.LeadsOut):   # it is not of this folder
            below.remove(folder, path)
            places.add(os.path.dirname(path))
    _write(folder, command, set())
    for place in filter(None, places):
        with contextlib.suppress(OSError, below.LeadsOut):   # something of the user's is in it
            below.remove_empty(folder, place)


def record(folder: str, paths: Iterable, command: str, soon: Iterable = ()) -> None:
    """List those of the paths that are there as the command's, and those of `soon` that will be. Raises OSError."""
    _write(folder, command, {*soon, *(path for path in paths if below.is_there(folder, path))})


def _write(folder: str, command: str, paths: set) -> None:
    """Put the command's list beside those of others; no file without any."""
    lists = {other: sorted(own) for other, own in (_lists(folder) or {}).items() if other not in ("", command)}
    lists.update({command: sorted(paths)} if paths else {})
    if not lists:
        below.remove(folder, NAME)
        return
    with below.replace(folder, NAME) as f:
        json.dump({"files": dict(sorted(lists.items()))}, f, indent=1)
        f.write("\n")
