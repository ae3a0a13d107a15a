# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Linters on what they have not found clean before. The build folder keeps digests of that: of a file, its name, the linter's version
and what configures it. A fresh clone has none, and everything is looked at."""
from __future__ import annotations

import hashlib
import json
import os

from command.below import atomic_write
from command.common import ROOT, build_dir

from .outcome import run


def digest(*parts: bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def content(path: str) -> bytes:
    with open(os.path.join(ROOT, path), "rb") as f:
        return f.read()


def read_digests(place: str) -> set:
    try:
        with open(place, encoding="utf-8") as f:
            return set(json.load(f))
    except (OSError, ValueError, TypeError):
        return set()


def configuration(name: str, path: str) -> bytes:
    """Return the content of all files of a name in the folder of `path` or above it: a linter reads them."""
    folders = path.split("/")[:-1]
    places = ["/".join([*folders[:depth], name]) for depth in range(len(folders) + 1)]
    return b"\0".join(content(place) for place in places if os.path.exists(os.path.join(ROOT, place)))


def lint(tool: list, config: str, files: list, timeout: float, whole: tuple = ()) -> tuple:
    """(exit status, output) of `tool` with those of the files that it has not found clean before. `whole`: of a linter that looks from one
    file into others its words in place of files; it looks at all, or where no file has changed, at nothing."""
    name = os.path.basename(tool[-1] if "-m" in tool else tool[0])
    version = repr(tool) + run([*(tool if "-m" in tool else tool[:1]), "--version"])[1]
    digests = {path: digest(version.encode(), configuration(config, path), path.encode(), content(path)) for path in files}
    if whole:
        digests = {"": digest(*map(str.encode, (*whole, *digests.values())))}
    place = os.path.join(build_dir("lint"), name + ".json")
    clean = read_digests(place)
    left = [path for path, value in digests.items() if value not in clean]
    if not left:
        return 0, ""
    status, output = run([*tool, *(whole or left)], timeout=timeout)
    if status == 0:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with atomic_write(place) as f:
            json.dump(sorted(digests.values()), f)
    return status, output
