# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc install NS3_TREE`: put the module and rcc-run into an ns-3 tree, as links or copies, and say how to build them there."""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from typing import NamedTuple

from ..common import EXIT_FAILED, ROOT, RccError, say
from ..registry import Command


class Module(NamedTuple):
    """One of the two ns-3 modules of this folder."""
    name: str    # as ns-3 calls it; contrib/NAME is its place
    source: str
    signs: tuple  # files that it has in every version

    def is_at(self, place: str) -> bool:
        """True if this module is at the place, in any version."""
        return all(os.path.exists(os.path.join(place, sign)) for sign in self.signs)

    def files(self) -> list:
        """List the files of a copy, relative to the source."""
        if self.source == ROOT:
            return [name for name in files() if not name.startswith("lab/")]
        inside = os.path.relpath(self.source, ROOT) + "/"
        return [name[len(inside):] for name in files() if name.startswith(inside)]


RCC = Module("rcc", ROOT, ("core/cc/rcc.h", "model"))
RUN = Module("rcc-run", os.path.join(ROOT, "lab", "run"), ("rcc-run.cc", "run-file.md"))
BEFORE = "rcc-lab"    # earlier versions put this beside the module
LEAST = (3, 31)
CMAKE = (3, 36)   # the first release that is built with cmake
LEFT_OUT = {"build", "out", ".git", ".github", ".ci", "__pycache__"}


def version_of(tree: str) -> tuple:
    """Return the version of a tree from its VERSION file (3.48, 3.48-dev, 3-dev), as (3, 48)."""
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


def files() -> list:
    """List every file of the project: those that git does not ignore (a new algorithm is not tracked yet), or, without git, all but the
    folders of builds and results."""
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
    for name in module.files():
        target = os.path.join(place, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(module.source, name), target)


def remove(place: str) -> None:
    if os.path.islink(place):
        os.unlink(place)
    elif os.path.isdir(place):
        shutil.rmtree(place)


def check(module: Module, place: str, copies: bool) -> bool:
    """True if the module has to be put at the place. Raises RccError if something else is there."""
    if not os.path.islink(place):
        if not os.path.lexists(place):
            return True
        if os.path.realpath(place) == os.path.realpath(module.source):
            return False  # the tree holds this very folder
        if not module.is_at(place):
            raise RccError(f"{place} exists and is not {module.name}; move it away first")
        if not copies:
            raise RccError(f"{place} is a copy of {module.name}: --copy brings it up to date; or remove it for a link")
        return True
    if os.path.exists(place) and not module.is_at(place):
        raise RccError(f"{place} is a link to {os.path.realpath(place)}, which is not {module.name}; move it away first")
    return copies or os.path.realpath(place) != os.path.realpath(module.source)


def forget_before(place: str) -> None:
    """Remove the link of an earlier version, whose classes are those of rcc-run. Raises RccError for a copy."""
    if os.path.islink(place):
        os.unlink(place)
        say(f"removed {place}: rcc-run takes its place")
    elif os.path.isdir(place):
        raise RccError(f"{place} is of an earlier version, and rcc-run takes its place; move it away first")


def put(places: dict, copies: bool) -> None:
    """Put all modules or none: each under another name first, then all are renamed."""
    parts = {place: place + ".part" for place in places}
    try:
        for place, module in places.items():
            os.makedirs(os.path.dirname(place), exist_ok=True)
            remove(parts[place])
            if copies:
                copy(module, parts[place])
            else:
                os.symlink(module.source, parts[place])
    except OSError:
        for part in parts.values():
            with contextlib.suppress(OSError):
                remove(part)
        raise
    for place, part in parts.items():
        remove(place)
        os.rename(part, place)


def how_to_build(tree: str, version: tuple, name: str = RUN.name) -> str:
    program = "./waf" if version < CMAKE else "./ns3"
    options = f"--enable-modules={name} --enable-examples --enable-tests" + (" --disable-werror" if version < CMAKE else "")
    example = "incast --flows=8 --time=10ms"
    steps = [f"{program} configure {options}", f"{program} build",
             f"{program} --run '{example}'" if version < CMAKE else f"{program} run '{example}'", f"./test.py -s {RCC.name}-switch"]
    notes = ["a python3 of 3.12 or later cannot run this waf: put an older one first in PATH"] if version < CMAKE else \
        ["-d optimized needs -DNS3_WARNINGS_AS_ERRORS=OFF: a file of ns-3.37 warns at -O3"] if version == (3, 37) else []
    return "\n".join([f"build and run it there (leave --enable-modules={name} away to keep every other module):",
                      f"  cd {tree}"] + ["  " + step for step in steps] + notes)


def find_tree(text: str) -> str:
    tree = os.path.abspath(os.path.expanduser(text))
    if not os.path.isdir(tree):
        raise RccError(f"{text}: no such folder; expected the top folder of an ns-3 tree")
    return tree


def add_arguments(parser) -> None:
    parser.add_argument("tree", metavar="NS3_TREE", help="the top folder of an ns-3 source tree, 3.31 or later")
    parser.add_argument("--copy", action="store_true", help="copy the files in place of links")
    parser.add_argument("--module-only", action="store_true", help="the module without rcc-run, which is a module of its own")


def command(args) -> int:
    tree = find_tree(args.tree)
    version = version_of(tree)
    if version < LEAST:
        raise RccError(f"{args.tree}: ns-3 {version[0]}.{version[1]} is older than {LEAST[0]}.{LEAST[1]}, the oldest that works")
    modules = [RCC] if args.module_only else [RCC, RUN]
    places = {os.path.join(tree, "contrib", module.name): module for module in modules}
    forget_before(os.path.join(tree, "contrib", BEFORE))
    wanted = {place: module for place, module in places.items() if check(module, place, args.copy)}
    try:
        put(wanted, args.copy)
    except OSError as error:
        raise RccError(f"{error.filename or tree}: {error.strerror or error}", EXIT_FAILED) from error
    name = "a development version" if version[1] == 999 else f"{version[0]}.{version[1]}"
    for place, module in places.items():
        if os.path.islink(place) or place in wanted:
            print(f"{place}: {'a copy of' if args.copy else 'a link to'} {module.source} (ns-3 {name})")
        else:
            print(f"{place} is this folder: nothing to do")
    if version < CMAKE and not args.copy:
        say("waf does not follow a link out of its tree: if it finds no sources there, use --copy")
    print(how_to_build(tree, version, modules[-1].name))
    return 0


COMMAND = Command(
    description="Link (or copy) this folder to NS3_TREE/contrib/rcc and its lab/run to NS3_TREE/contrib/rcc-run, two modules of ns-3,\n"
                "and say how to build and run them there.",
    examples=[("./rcc install ~/ns-3.43", "links: the tree follows this folder"),
        ("./rcc install ~/ns-3.43 --module-only", "helpers, switches, NICs and algorithms alone, for programs of your own"),
        ("./rcc install ~/ns-3.31 --copy", "copies, which a later --copy brings up to date")],
    add_arguments=add_arguments,
    run=command)
