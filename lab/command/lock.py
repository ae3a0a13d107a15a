# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One command at a time writes into a folder of results. The lock is a file there, which names its holder, with a lock of the
operating system on it: that one ends with the process, however it ends, and the file then shows that the command was killed."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shlex
import sys
import time
from typing import Iterator, Optional

from . import below
from .common import EXIT_FAILED, RccError, cannot_write, warn

NAME = ".rcc-lock"


def _read(handle: int) -> dict:
    try:
        value = json.loads(os.pread(handle, 65536, 0).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _words(holder: dict) -> str:
    if not holder:
        return "another command"
    place = "" if holder.get("host") == os.uname().nodename else f" on {holder.get('host')}"
    return f"process {holder.get('pid')}{place}, since {holder.get('since')}: {holder.get('command')}"


def _acquire(folder: str, option: str) -> Optional[int]:
    """An open lock file, or None where the file system has no locks."""
    path = os.path.join(folder, NAME)
    while True:
        handle = below.open_to_write(folder, NAME)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.lexists(path) and os.path.samestat(os.fstat(handle), os.lstat(path)):
                return handle
        except BlockingIOError:
            holder = _words(_read(handle))
            os.close(handle)
            raise RccError(f"{option}{folder}: in use by {holder}", EXIT_FAILED) from None
        except OSError as error:
            os.close(handle)
            warn(f"{folder}: this file system has no locks ({error.strerror}); two commands at once would mix their results")
            return None
        os.close(handle)  # the holder has removed it between our two calls


def _missing(folder: str) -> list:
    """The folder and those around it that are not there, itself first."""
    found = []
    while folder and not os.path.isdir(folder):
        found.append(folder)
        folder = os.path.dirname(folder)
    return found


@contextlib.contextmanager
def locked(folder: str, option: str = "--out=") -> Iterator[None]:
    """Make the folder if it is not there, and keep others from writing into it. Folders that were made for nothing are removed."""
    if not folder:
        raise RccError(f"{option}: a folder's name is missing")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise RccError(f"{option}{folder}: cannot write there: found a file, expected a folder")
    try:
        made = _missing(folder)
        os.makedirs(folder, exist_ok=True)
        handle = _acquire(folder, option)
    except OSError as error:
        raise cannot_write(option + folder, error) from error
    try:
        if handle is not None:
            holder = {"pid": os.getpid(), "host": os.uname().nodename, "since": time.strftime("%Y-%m-%d %H:%M:%S"),
                      "command": "./rcc " + shlex.join(sys.argv[1:])}
            with contextlib.suppress(OSError):  # a full disk: who holds the lock is told by nobody then
                os.ftruncate(handle, 0)
                os.pwrite(handle, json.dumps(holder).encode("utf-8", "replace"), 0)
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(OSError):
                below.remove(folder, NAME)
            os.close(handle)
        with contextlib.suppress(OSError):
            for place in made:
                os.rmdir(place)


def left(folder: str) -> bool:
    """Whether a lock is there, held or left by a command that was killed."""
    return os.path.lexists(os.path.join(folder, NAME))


def state(folder: str) -> str:
    """Return the state of a run without results by the lock of its folder: under way, killed, or "" without a lock."""
    with contextlib.suppress(OSError, RccError), below.open_file(folder, NAME, below.LARGEST) as f:
        try:
            fcntl.flock(f.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return f"a command is at work there ({_words(_read(f.fileno()))})"
        return f"the command that wrote there was killed before its end ({_words(_read(f.fileno()))})"
    return ""
