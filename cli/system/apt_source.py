# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""ns-3's source package from the machine's own Debian or Ubuntu mirror. /etc is read, never written: apt gets a sources
list and folders of ours, so neither root nor a deb-src line of the user's is needed."""
from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
from typing import NamedTuple

from ..common import EXIT_FAILED, RccError
from .packages import last_error

LISTS = "/etc/apt"
PACKAGE, SOURCE = "libns3-dev", "ns3"
TIMEOUT = 1800


class Entry(NamedTuple):
    """One mirror of the machine. `signed_by` as apt writes it: a path, or the text of a key."""
    uri: str
    suite: str
    components: tuple
    signed_by: str = ""


def one_line(text: str) -> list:
    """Entries of a classic sources.list: `deb [signed-by=KEY arch=ARCH] URI SUITE COMPONENT...`"""
    entries = []
    for line in text.splitlines():
        found = re.match(r"\s*deb(?:-src)?\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)\s+([^#]+)", line)
        if found:
            options, uri, suite, components = found.groups()
            key = re.search(r"signed-by=(\S+)", options or "", re.IGNORECASE)
            entries.append(Entry(uri, suite, tuple(components.split()), key.group(1) if key else ""))
    return entries


def deb822(text: str) -> list:
    """Entries of a *.sources file: paragraphs of `Field: value`, continued by lines that begin with a space."""
    entries = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields: dict = {}
        name = ""
        for line in paragraph.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t") and name:
                fields[name] += "\n" + line
            elif ":" in line:
                name, _, value = line.partition(":")
                name = name.strip().lower()
                fields[name] = value.strip()
        if fields.get("enabled", "yes").lower() in ("no", "false", "0") or "deb" not in fields.get("types", "").replace("-", " ").split():
            continue
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                entries.append(Entry(uri, suite, tuple(fields.get("components", "").split()), fields.get("signed-by", "")))
    return entries


def entries(folder: str = "") -> list:
    """Every archive that this machine's apt knows, in no other order than the files'."""
    folder = folder or LISTS
    found = []
    for path in [os.path.join(folder, "sources.list")] + sorted(glob.glob(os.path.join(folder, "sources.list.d", "*"))):
        reader = deb822 if path.endswith(".sources") else one_line if path.endswith(".list") else None
        if reader and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as f:
                found += reader(f.read())
    return list(dict.fromkeys(found))


def policy() -> tuple:
    """(version, [(uri, suite, component)]) of ns-3's package: the one that is installed, or would be. ("", []) if none."""
    done = subprocess.run(["apt-cache", "policy", PACKAGE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env={**os.environ, "LC_ALL": "C"}, check=False) if shutil.which("apt-cache") else None
    return read_policy(done.stdout if done else "")


def read_policy(text: str) -> tuple:
    versions = dict(re.findall(r"^\s+(Installed|Candidate): (\S+)$", text, re.MULTILINE))
    version = next((versions[k] for k in ("Installed", "Candidate") if versions.get(k, "(none)") != "(none)"), "")
    places, current = [], ""
    for line in text.splitlines():
        found = re.match(r"\s(?:\*\*\*|   ) (\S+) \d+\s*$", line)
        current = found.group(1) if found else current
        found = re.match(r"\s+-?\d+ (\S+) (\S+)/(\S+) \S+ Packages", line)
        if found and version and current == version:
            places.append(found.groups())
    return version, places


def choose(known: list, places: list) -> list:
    """The entries that the package comes from; all of them where apt cannot say (its lists were removed)."""
    chosen = []
    for uri, suite, component in places:
        for entry in known:
            if entry.uri.rstrip("/") == uri.rstrip("/") and entry.suite == suite and component in entry.components:
                chosen.append(entry._replace(components=(component,)))
    return list(dict.fromkeys(chosen)) or known


def sources_file(chosen: list) -> str:
    """A *.sources file that has nothing but source packages."""
    paragraphs = []
    for e in chosen:
        lines = ["Types: deb-src", f"URIs: {e.uri}", f"Suites: {e.suite}", f"Components: {' '.join(e.components)}"]
        paragraphs.append("\n".join(lines + ([f"Signed-By: {e.signed_by}"] if e.signed_by else [])))
    return "\n\n".join(paragraphs) + "\n"


def fetch(version: str, places: list, folder: str) -> str:
    """Download and unpack ns-3's source package into `folder` (made anew), Debian's patches applied; the path of the tree."""
    chosen = choose(entries(), places)
    if not chosen:
        raise RccError(f"no archive is listed in {LISTS}", EXIT_FAILED)
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("lists/partial", "cache/archives/partial", "download"):
        os.makedirs(os.path.join(folder, name))
    listing = os.path.join(folder, "rcc.sources")
    with open(listing, "w", encoding="utf-8") as f:
        f.write(sources_file(chosen))
    settings = {"Dir::Etc::sourcelist": listing, "Dir::Etc::sourceparts": "/dev/null", "Dir::State::lists": folder + "/lists",
                "Dir::Cache": folder + "/cache", "APT::Get::List-Cleanup": "0", "Acquire::Languages": "none"}
    if os.geteuid() == 0:
        settings["APT::Sandbox::User"] = "root"  # the user _apt cannot write to a folder of ours
    apt = ["apt-get", "-q"] + [f"-o{name}={value}" for name, value in settings.items()]
    updated = step(apt + ["update"], folder, must=False)
    step(apt + ["source", "--download-only", f"{SOURCE}={version}"], os.path.join(folder, "download"), because=updated)
    descriptions = glob.glob(os.path.join(folder, "download", "*.dsc"))
    if len(descriptions) != 1:
        raise RccError(f"apt-get source {SOURCE}={version} left {len(descriptions)} .dsc files, expected one", EXIT_FAILED)
    # apt has verified the checksums against the signed lists; the maintainer's own signature needs keys that few have
    step(["dpkg-source", "--no-check", "-x", descriptions[0], os.path.join(folder, "source")], folder)
    found = [os.path.dirname(path) for depth in ("", "*") for path in glob.glob(os.path.join(folder, "source", depth, "VERSION"))
             if os.path.isdir(os.path.join(os.path.dirname(path), "src", "core"))]
    if not found:
        raise RccError(f"the source package {SOURCE} {version} holds no ns-3 tree (VERSION beside src/core)", EXIT_FAILED)
    return found[0]


def step(words: list, folder: str, must: bool = True, because: str = "") -> str:
    """Run one command; what it said. `because`: what went wrong before, if this one has no reason of its own."""
    try:
        done = subprocess.run(words, cwd=folder, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RccError(f"{words[0]}: {error}", EXIT_FAILED) from error
    if done.returncode and must:
        why = failure(because) or failure(done.stdout) or f"status {done.returncode}"
        raise RccError(f"ns-3's source package could not be had: {why}", EXIT_FAILED)
    return done.stdout


def failure(output: str) -> str:
    """The reason in what apt-get said: an update without network only warns."""
    found = re.search(r"^(?:W|Err): ?(Failed to fetch .*)$", output, re.MULTILINE)
    last = output.strip().splitlines()[-1:]
    return last_error(output) or (found.group(1) if found else "") or (last[0] if last and "error" in last[0] else "")
