# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Files below a folder of results, which may be somebody else's. What opens, replaces and removes them here goes from component to
component by the handle of the folder before, and follows no link: no name leads out of the folder. The folder itself is what the user
named, and may be a link."""
from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from typing import Any, Iterator, Tuple

from .common import JSON_LIMIT, RccError, as_object, regular

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
LARGEST = (1 << 63) - 1     # bytes of a file
BLOCK = 1 << 20             # bytes that are compared at once
CHOSEN = "[a-z0-9_]{8}"     # the end of a temporary name, also of the module tempfile


class LeadsOut(RccError):
    """A path leads out of its folder: by a link, as an absolute one, or by `..`."""


def split_run(path: str) -> Tuple[str, str]:
    """The folder of the results, and the path in it, of a file that stands in the folder of a run there."""
    place, name = os.path.split(path)
    folder, run = os.path.split(place)
    return (folder, f"{run}/{name}") if run not in ("", ".", "..") else (place, name)


def leads_out(path: str) -> bool:
    """True if a path is none below a folder by its text: no file has a name with letters that only JSON knows."""
    with contextlib.suppress(UnicodeEncodeError):
        os.fsencode(path)
        return "\0" in path or any(part in ("", ".", "..") for part in path.split("/"))
    return True


def _open(handle: int, name: str, flags: int, shown: str, mode: int = 0o666) -> int:
    """Open a name in an open folder. Raises LeadsOut for a link, OSError."""
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=handle)
    except OSError:
        with contextlib.suppress(OSError):
            target = os.readlink(name, dir_fd=handle)
            kind = "folder" if flags & os.O_DIRECTORY else "regular file"
            raise LeadsOut(f"{shown}: found a link to {target}, expected a {kind}") from None
        raise


@contextlib.contextmanager
def opened_folder(folder: str, path: str = "", make: bool = False) -> Iterator[int]:
    """Open the folder `path` below `folder`; `make`: also those that are not there. Raises LeadsOut, OSError."""
    if path and leads_out(path):
        raise LeadsOut(f"{os.path.join(folder, path)}: found a path that leads out of {folder or '.'}")
    handle = os.open(folder or ".", FOLDER)
    try:
        shown = folder
        for part in path.split("/") if path else []:
            shown = os.path.join(shown, part)
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
            inner = _open(handle, part, FOLDER, shown)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def _around(folder: str, path: str) -> Iterator[Tuple[int, str]]:
    """Open the folder that a path below `folder` ends in: its handle, and the last component."""
    if leads_out(path):
        raise LeadsOut(f"{os.path.join(folder, path)}: found a path that leads out of {folder or '.'}")
    inner, _, name = path.rpartition("/")
    with opened_folder(folder, inner) as handle:
        yield handle, name


# ------------------------------------------------------------------------------------------------ reading

def open_file(folder: str, path: str, limit: int) -> Any:
    """Open a file for reading its bytes, as common.open_regular() does. Raises RccError if it is not regular, OSError."""
    shown = os.path.join(folder, path)
    with _around(folder, path) as (handle, name):
        return regular(_open(handle, name, os.O_RDONLY | os.O_NONBLOCK, shown), shown, limit)


def read_json(folder: str, path: str) -> dict:
    """Read a JSON object from a file; {} if there is none. Raises RccError if the file is not regular, or too large."""
    try:
        with open_file(folder, path, JSON_LIMIT) as f:
            return as_object(f.read())
    except OSError:
        return {}


def same_bytes(one: Tuple[str, str], other: Tuple[str, str]) -> bool:
    """True if two files, (folder, path) each, hold the same bytes. Raises RccError if one is not regular, OSError."""
    with open_file(*one, LARGEST) as a, open_file(*other, LARGEST) as b:
        if os.fstat(a.fileno()).st_size != os.fstat(b.fileno()).st_size:
            return False
        blocks = zip(iter(lambda: a.read(BLOCK), b""), iter(lambda: b.read(BLOCK), b""))
        return all(mine == theirs for mine, theirs in blocks)


def is_there(folder: str, path: str) -> bool:
    """True if something has the name, also a link; false behind a link."""
    with contextlib.suppress(OSError, LeadsOut), _around(folder, path) as (handle, name):
        os.lstat(name, dir_fd=handle)
        return True
    return False


def is_file(folder: str, path: str) -> bool:
    """True if the name is that of a regular file."""
    with contextlib.suppress(OSError, LeadsOut), _around(folder, path) as (handle, name):
        return stat.S_ISREG(os.lstat(name, dir_fd=handle).st_mode)
    return False


def names_in(folder: str, path: str = "") -> list:
    """The names in a folder; [] if there is no such folder, or behind a link."""
    with contextlib.suppress(OSError, LeadsOut), opened_folder(folder, path) as handle:
        return os.listdir(handle)
    return []


def tree(folder: str, path: str = "") -> list:
    """List the files and links below a folder as paths inside it; links are not followed. Raises LeadsOut, OSError."""
    found = []
    with opened_folder(folder, path) as handle:
        for place, folders, names, inner in _walk(".", handle):
            links = [name for name in folders if stat.S_ISLNK(os.lstat(name, dir_fd=inner).st_mode)]
            found += [os.path.normpath(os.path.join(place, name)) for name in names + links]
    return found


def _walk(name: str, handle: int, **more: Any) -> Iterator[tuple]:
    """Walk as os.fwalk() does from a folder in an open one. An OSError, too, where folders are deeper than it can walk."""
    try:
        yield from os.fwalk(name, dir_fd=handle, **more)
    except RecursionError:
        raise OSError(errno.ENAMETOOLONG, "folders are too deep", name) from None


# ------------------------------------------------------------------------------------------------ writing

@contextlib.contextmanager
def replace(folder: str, path: str, mode: str = "w") -> Iterator[Any]:
    """Write to a temporary name beside the file and rename, so that nobody ever reads half a file. Names that are no UTF-8 stand in a text
    as \\udcff. Raises LeadsOut; an OSError names the file."""
    shown, temporary = os.path.join(folder, path), ""
    encoding, errors = (None, None) if "b" in mode else ("utf-8", "backslashreplace")
    try:
        with _around(folder, path) as (handle, name):
            try:
                temporary, file = _create(handle, name)
                with os.fdopen(file, mode, encoding=encoding, errors=errors) as f:
                    yield f
                    f.flush()
                    os.fsync(f.fileno())
                os.rename(temporary, name, src_dir_fd=handle, dst_dir_fd=handle)
            except BaseException:
                if temporary:
                    with contextlib.suppress(OSError):
                        os.unlink(temporary, dir_fd=handle)
                raise
    except OSError as error:
        if error.errno and (not temporary or error.filename in (None, temporary)):
            raise OSError(error.errno, error.strerror, shown) from error
        raise


def _create(handle: int, name: str) -> Tuple[str, int]:
    """Create a file of a new name beside `name` in an open folder. Raises OSError."""
    while True:
        temporary = f".{name}.{secrets.token_hex(4)}"
        with contextlib.suppress(FileExistsError):
            return temporary, os.open(temporary, NEW, 0o666, dir_fd=handle)


def open_to_write(folder: str, path: str) -> int:
    """Open a file to be written in place, and create it if it is not there. Returns its handle. Raises LeadsOut for a link, RccError if
    it is not a regular file, or has a second name elsewhere, OSError."""
    shown = os.path.join(folder, path)
    with _around(folder, path) as (folder_handle, name):
        handle = _open(folder_handle, name, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, shown)
        about = os.fstat(handle)
        if stat.S_ISREG(about.st_mode) and about.st_nlink <= 1:
            return handle
        os.close(handle)
        found = "a file with two names" if stat.S_ISREG(about.st_mode) else "no regular file"
        raise RccError(f"{shown}: found {found}, expected a file of rcc")


def make_folder(folder: str, path: str) -> None:
    """Make a folder and those around it. Raises LeadsOut, OSError."""
    with opened_folder(folder, path, make=True):
        pass


def move(source: str, path: str, folder: str, to: str) -> None:
    """Give a file below `source` a name below `folder`, in place of what has that name. Raises LeadsOut, OSError."""
    with _around(source, path) as (here, name), _around(folder, to) as (there, new):
        os.rename(name, new, src_dir_fd=here, dst_dir_fd=there)


# ------------------------------------------------------------------------------------------------ removing

def remove(folder: str, path: str) -> None:
    """Remove a file, of a link the link, if it is there: none has a name that is too long. Raises LeadsOut, OSError."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), _around(folder, path) as (handle, name):
            os.unlink(name, dir_fd=handle)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise


def remove_empty(folder: str, path: str) -> None:
    """Remove a folder that is empty, if it is there. Raises LeadsOut, OSError."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), _around(folder, path) as (handle, name):
        os.rmdir(name, dir_fd=handle)


def remove_tree(folder: str, path: str) -> None:
    """Remove a folder with all that is in it, links as links; a path that is no folder is removed too. Raises LeadsOut, OSError."""
    with contextlib.suppress(FileNotFoundError), _around(folder, path) as (handle, name):
        if not stat.S_ISDIR(os.lstat(name, dir_fd=handle).st_mode):
            os.unlink(name, dir_fd=handle)
            return
        for _, folders, names, inner in _walk(name, handle, topdown=False, onerror=_raise):
            for one in names:
                os.unlink(one, dir_fd=inner)
            for one in folders:
                link = stat.S_ISLNK(os.lstat(one, dir_fd=inner).st_mode)
                (os.unlink if link else os.rmdir)(one, dir_fd=inner)
        os.rmdir(name, dir_fd=handle)


def _raise(error: OSError) -> None:
    if error.errno != errno.ENOENT:
        raise error


def remove_half_written(folder: str, path: str) -> None:
    """Remove what replace() left beside a file in a process that was killed. Nobody else may be writing it."""
    inner, _, name = path.rpartition("/")
    for left in names_in(folder, inner):
        if re.fullmatch(rf"\.{re.escape(name)}\.{CHOSEN}", left):
            remove(folder, f"{inner}/{left}" if inner else left)


@contextlib.contextmanager
def atomic_write(path: str, mode: str = "w") -> Iterator[Any]:
    """Write a file that the user names, or one of a folder itself, as replace() does."""
    with replace(*os.path.split(path), mode) as f:
        yield f
