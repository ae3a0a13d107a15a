# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc manual`: the manual as HTML, its tables asked of the programs, built by Sphinx without a warning."""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile

from . import algorithms, attributes
from .. import owned
from ..system import packages, probe
from ..common import EXIT_FAILED, ROOT, RccError, cannot_write, say
from ..registry import Command

SOURCE = os.path.join(ROOT, "doc")
PAGE = "rcc.html"
PAGES = re.compile(r"(.+/)?[^/]+\.html|objects\.inv|searchindex\.js|_sources/.+\.txt|"
                   r"_(static|images)/.+\.(js|css|map|png|svg|gif|jpg|ico|woff2?|ttf|eot)")     # by their paths
MANUAL = "./rcc manual"    # by whose name its files are listed


def data() -> dict:
    """Algorithms, and every other class of the module that has attributes, as the catalog has them."""
    catalog = algorithms.read()["algorithms"]
    classes = {entry["type"]: entry["attributes"] for entry in attributes.list_module_types(attributes.read())}
    if not classes:
        raise RccError("rcc-catalog --attributes named no class of the module", EXIT_FAILED)
    return {"algorithms": catalog, "classes": classes}


def make(target: str) -> str:
    """Build into the folder `target`. Returns what Sphinx complained about, or ""."""
    with tempfile.TemporaryDirectory() as scratch:
        tables = os.path.join(scratch, "data.json")
        with open(tables, "w", encoding="utf-8") as f:
            json.dump(data(), f)
        # -W: a warning is an error; --keep-going: all of them; -E: no memory of an earlier build; doctrees elsewhere
        done = subprocess.run([probe.sphinx(), "-b", "html", "-W", "--keep-going", "-E", "-q",
                               "-d", os.path.join(scratch, "doctrees"), SOURCE, target],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False,
                              env={**os.environ, "RCC_MANUAL_DATA": tables, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
        return done.stdout.strip() or f"sphinx-build ended with status {done.returncode}"
    return ""


def may_write(path: str) -> bool:
    """True if Sphinx writes files of such a name."""
    return PAGES.fullmatch(path) is not None


def add_arguments(parser) -> None:
    parser.add_argument("--out", metavar="DIR", default=os.path.join("out", "manual"),
        help="folder for the pages (default: out/manual)")


def command(args) -> int:
    folder = args.out
    packages.ensure(packages.BENCH + [packages.SPHINX])
    there = os.path.isdir(folder) and bool(os.listdir(folder))
    if there and not os.path.exists(os.path.join(folder, PAGE)):
        raise RccError(f"--out={folder}: not empty, and no manual of rcc; give another folder")
    parent = os.path.dirname(os.path.abspath(folder))
    try:
        os.makedirs(parent, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=parent, prefix=".manual-") as scratch:
            made = os.path.join(scratch, "html")
            trouble = make(made)
            if trouble:
                raise RccError(f"Sphinx: {trouble}", EXIT_FAILED)
            for name in (".buildinfo", ".nojekyll"):
                if os.path.exists(os.path.join(made, name)):
                    os.unlink(os.path.join(made, name))
            owned.record(made, owned.tree(made), MANUAL)
            if there:
                owned.remove_tree(parent, os.path.basename(os.path.abspath(folder)), MANUAL, may_write, f"--out={folder}")
            os.rename(made, folder)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error
    say("the other pages are doc/*.md")
    print(os.path.join(folder, PAGE))
    return 0


COMMAND = Command(
    description="Build the manual with Sphinx, which is installed if need be: doc/rcc.rst, the chapter\n"
        "that an ns-3 tree can take, and tables of all parameters and attributes as the programs say.",
    examples=[("./rcc manual", "out/manual/rcc.html"),
        ("./rcc manual --out=/tmp/rcc-manual", "elsewhere")],
    add_arguments=add_arguments,
    run=command)
