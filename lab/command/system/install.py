# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc install NS3_TREE`: put the module into an ns-3 tree, as a link or a copy, and say how to build it there."""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess

from ..common import EXIT_FAILED, ROOT, RccError, say
from ..registry import Command

NAME = "rcc"
LEAST = (3, 31)
CMAKE = (3, 36)   # the first release that is built with cmake
LEFT_OUT = {"build", "out", ".git", ".github", ".ci", "__pycache__"}


def version_of(tree: str) -> tuple:
    """(3, 48) of the tree, from its VERSION file: 3.48, 3.48-dev, 3-dev."""
    try:
        with open(os.path.join(tree, "VERSION"), encoding="utf-8", errors="replace") as f:
            text = f.read(64).strip()
    except OSError as error:
        raise RccError(f"{tree}: no VERSION file there ({error.strerror}); expected the top folder of an ns-3 tree") from error
    found = re.match(r"3\.(\d+)", text)
    if not found and not text.startswith("3-dev"):
        raise RccError(f"{tree}/VERSION: found '{text[:40]}', expected an ns-3 version such as 3.37")
    if not os.path.isdir(os.path.join(tree, "src", "core")):
        raise RccError(f"{tree}: no src/core there; expected the top folder of an ns-3 tree")
    return (3, int(found.group(1))) if found else (3, 999)


def is_ours(place: str) -> bool:
    """Whether what stands at contrib/rcc is this module, of whatever version."""
    return os.path.exists(os.path.join(place, "core", "cc", "rcc.h")) and os.path.exists(os.path.join(place, "model"))


def files() -> list:
    """What a copy consists of: what git tracks and does not ignore (a user's new algorithm is not tracked yet), or everything
    but what builds and runs leave behind."""
    tracked = b""
    with contextlib.suppress(FileNotFoundError):  # no git on this machine
        tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    if tracked:
        return [name for name in tracked.decode().split("\0")
                if name and name.split("/")[0] not in LEFT_OUT and os.path.exists(os.path.join(ROOT, name))]
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name not in LEFT_OUT]
    return found


def copy(place: str) -> None:
    """All or nothing: into a folder beside, then renamed."""
    part = place + ".part"
    shutil.rmtree(part, ignore_errors=True)
    for name in files():
        target = os.path.join(part, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), target)
    remove(place)
    os.rename(part, place)


def remove(place: str) -> None:
    if os.path.islink(place):
        os.unlink(place)
    elif os.path.isdir(place):
        shutil.rmtree(place)


def how_to_build(tree: str, version: tuple) -> str:
    if version < CMAKE:
        steps = [f"./waf configure --enable-modules={NAME} --enable-examples --enable-tests --disable-werror",
                 "./waf build", "./waf --run 'incast --flows=8 --time=10ms'", f"./test.py -s {NAME}-switch"]
    else:
        steps = [f"./ns3 configure --enable-modules={NAME} --enable-examples --enable-tests", "./ns3 build",
                 "./ns3 run 'incast --flows=8 --time=10ms'", f"./test.py -s {NAME}-switch"]
    return "\n".join([f"build and run it there (leave --enable-modules={NAME} away to keep every other module):",
                      f"  cd {tree}"] + ["  " + step for step in steps])


def find_tree(text: str) -> str:
    tree = os.path.abspath(os.path.expanduser(text))
    if not os.path.isdir(tree):
        raise RccError(f"{text}: no such folder; expected the top folder of an ns-3 tree")
    return tree


def add_arguments(parser) -> None:
    parser.add_argument("tree", metavar="NS3_TREE", help="the top folder of an ns-3 source tree, 3.31 or later")
    parser.add_argument("--copy", action="store_true", help="copy the files in place of a link")


def command(args) -> int:
    tree = find_tree(args.tree)
    version = version_of(tree)
    if version < LEAST:
        raise RccError(f"{args.tree}: ns-3 {version[0]}.{version[1]} is older than {LEAST[0]}.{LEAST[1]}, the oldest that works")
    place = os.path.join(tree, "contrib", NAME)
    if os.path.abspath(place) == ROOT:
        print(f"{place} is this folder: nothing to do")
        print(how_to_build(tree, version))
        return 0
    if os.path.lexists(place) and not os.path.islink(place) and not is_ours(place):
        raise RccError(f"{place} exists and is not rcc; move it away first")
    if os.path.islink(place) and not is_ours(place) and os.path.exists(place):
        raise RccError(f"{place} is a link to {os.path.realpath(place)}, which is not rcc; move it away first")
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if args.copy:
            copy(place)
        elif not (os.path.islink(place) and os.path.realpath(place) == ROOT):
            if os.path.isdir(place) and not os.path.islink(place):
                raise RccError(f"{place} is a copy of rcc: --copy brings it up to date; or remove it for a link")
            remove(place)
            os.symlink(ROOT, place)
    except OSError as error:
        raise RccError(f"{place}: {error.strerror or error}", EXIT_FAILED) from error
    name = "a development version" if version[1] == 999 else f"{version[0]}.{version[1]}"
    print(f"{place}: {'a copy of' if args.copy else 'a link to'} {ROOT} (ns-3 {name})")
    if version < CMAKE and not args.copy:
        say("waf does not follow a link out of its tree: if it finds no sources there, use --copy")
    print(how_to_build(tree, version))
    return 0


COMMAND = Command(
    help="put the module into an ns-3 tree",
    description="Link (or copy) this folder to NS3_TREE/contrib/rcc and say how to build and run it there.",
    examples=[("./rcc install ~/ns-3.43", "a link: the tree follows this folder"),
        ("./rcc install ~/ns-3.31 --copy", "a copy, which a later --copy brings up to date")],
    add_arguments=add_arguments,
    run=command)
