# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc install NS3_TREE`: put the module and the lab into an ns-3 tree, as links or copies, and say how to build them there."""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from typing import NamedTuple

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


class Module(NamedTuple):
    """One of the modules of this folder in a tree: its folder there, its files, and files that only it has."""
    name: str
    source: str
    marks: tuple

    def place(self, tree: str) -> str:
        return os.path.join(tree, "contrib", self.name)

    def is_at(self, place: str) -> bool:
        """Whether what stands there is this module, of whatever version."""
        return all(os.path.exists(os.path.join(place, mark)) for mark in self.marks)

    def files(self) -> list:
        """What a copy consists of, relative to the source: the module's own copy leaves the lab out."""
        below = os.path.relpath(self.source, ROOT)
        if below == ".":
            return [name for name in files() if not name.startswith("lab/")]
        return [name[len(below) + 1:] for name in files() if name.startswith(below + "/")]


MODULE = Module(NAME, ROOT, (os.path.join("core", "cc", "rcc.h"), "model"))
LAB = Module(NAME + "-lab", os.path.join(ROOT, "lab"), ("scenario", "programs"))


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


def copy(module: Module, place: str) -> None:
    """All or nothing: into a folder beside, then renamed."""
    part = place + ".part"
    shutil.rmtree(part, ignore_errors=True)
    for name in module.files():
        target = os.path.join(part, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(module.source, name), target)
    remove(place)
    os.rename(part, place)


def remove(place: str) -> None:
    if os.path.islink(place):
        os.unlink(place)
    elif os.path.isdir(place):
        shutil.rmtree(place)


def how_to_build(tree: str, version: tuple, module_only: bool = False) -> str:
    name = MODULE.name if module_only else LAB.name
    first = "incast" if module_only else "lab-incast --flows=8 --time=10ms"
    if version < CMAKE:
        steps = [f"./waf configure --enable-modules={name} --enable-examples --enable-tests --disable-werror",
                 "./waf build", f"./waf --run '{first}'", f"./test.py -s {NAME}-switch"]
    else:
        steps = [f"./ns3 configure --enable-modules={name} --enable-examples --enable-tests", "./ns3 build",
                 f"./ns3 run '{first}'", f"./test.py -s {NAME}-switch"]
    return "\n".join([f"build and run it there (leave --enable-modules={name} away to keep every other module):",
                      f"  cd {tree}"] + ["  " + step for step in steps])


def find_tree(text: str) -> str:
    tree = os.path.abspath(os.path.expanduser(text))
    if not os.path.isdir(tree):
        raise RccError(f"{text}: no such folder; expected the top folder of an ns-3 tree")
    return tree


def add_arguments(parser) -> None:
    parser.add_argument("tree", metavar="NS3_TREE", help="the top folder of an ns-3 source tree, 3.31 or later")
    parser.add_argument("--copy", action="store_true", help="copy the files in place of links")
    parser.add_argument("--module-only", action="store_true", help="without the lab: contrib/rcc alone")


def check(module: Module, place: str, as_copy: bool) -> None:
    """Refuse what must not be replaced, before anything is."""
    if os.path.lexists(place) and not os.path.islink(place) and not module.is_at(place):
        raise RccError(f"{place} exists and is not {module.name}; move it away first")
    if os.path.islink(place) and not module.is_at(place) and os.path.exists(place):
        raise RccError(f"{place} is a link to {os.path.realpath(place)}, which is not {module.name}; move it away first")
    if not as_copy and os.path.isdir(place) and not os.path.islink(place):
        raise RccError(f"{place} is a copy of {module.name}: --copy brings it up to date; or remove it for a link")


def put(module: Module, place: str, as_copy: bool) -> None:
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if as_copy:
            copy(module, place)
        elif not (os.path.islink(place) and os.path.realpath(place) == module.source):
            remove(place)
            os.symlink(module.source, place)
    except OSError as error:
        raise RccError(f"{place}: {error.strerror or error}", EXIT_FAILED) from error


def command(args) -> int:
    tree = find_tree(args.tree)
    version = version_of(tree)
    if version < LEAST:
        raise RccError(f"{args.tree}: ns-3 {version[0]}.{version[1]} is older than {LEAST[0]}.{LEAST[1]}, the oldest that works")
    wanted = [(module, module.place(tree)) for module in ([MODULE] if args.module_only else [MODULE, LAB])]
    # this folder may stand in the tree itself
    wanted = [(module, place) for module, place in wanted if os.path.abspath(place) != ROOT]
    for module, place in wanted:
        check(module, place, args.copy)
    name = "a development version" if version[1] == 999 else f"{version[0]}.{version[1]}"
    for module, place in wanted:
        put(module, place, args.copy)
        print(f"{place}: {'a copy of' if args.copy else 'a link to'} {module.source} (ns-3 {name})")
    if not wanted:
        print(f"{ROOT} is in that tree already: nothing to do")
    if version < CMAKE and not args.copy:
        say("waf does not follow a link out of its tree: if it finds no sources there, use --copy")
    print(how_to_build(tree, version, args.module_only))
    return 0


COMMAND = Command(
    help="put the modules into an ns-3 tree",
    description="Link (or copy) this folder to NS3_TREE/contrib/rcc and its lab/ to NS3_TREE/contrib/rcc-lab, and say how to build and run\n"
                "them there.",
    examples=[("./rcc install ~/ns-3.43", "a link: the tree follows this folder"),
        ("./rcc install ~/ns-3.31 --copy", "copies, which a later --copy brings up to date"),
        ("./rcc install ~/ns-3.43 --module-only", "the module alone, for a simulation of your own")],
    add_arguments=add_arguments,
    run=command)
