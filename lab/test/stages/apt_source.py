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

from command.common import EXIT_FAILED, RccError
from command.system.packages import last_error

LISTS = "/etc/apt"
PACKAGE, SOURCE = "libns3-dev", "ns3"
TIMEOUT = 1800


def version() -> str:
    """Return the version of ns-3's package: the installed one, or the candidate; "" if there is none."""
    done = subprocess.run(["apt-cache", "policy", PACKAGE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env={**os.environ, "LC_ALL": "C"}, check=False) if shutil.which("apt-cache") else None
    return read_policy(done.stdout if done else "")


def read_policy(text: str) -> str:
    versions = dict(re.findall(r"^\s+(Installed|Candidate): (\S+)$", text, re.MULTILINE))
    return next((versions[k] for k in ("Installed", "Candidate") if versions.get(k, "(none)") != "(none)"), "")


def write_lists(folder: str) -> int:
    """Write the machine's lists of archives with source packages in place of binary ones. Returns the number of lists."""
    count = 0
    for path in [os.path.join(LISTS, "sources.list")] + sorted(glob.glob(os.path.join(LISTS, "sources.list.d", "*"))):
        if not os.path.isfile(path) or not path.endswith((".list", ".sources")):
            continue
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE | re.IGNORECASE) if path.endswith(".sources") else \
            re.sub(r"^\s*deb(-src)?(?=\s)", "deb-src", text, flags=re.MULTILINE)
        with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as f:
            f.write(text)
        count += 1
    return count


def fetch(wanted: str, folder: str) -> str:
    """Download and unpack a version of ns-3's source package into `folder`, which is made anew, with Debian's patches. Returns the path
    of the tree."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("lists/partial", "cache/archives/partial", "download", "sources"):
        os.makedirs(os.path.join(folder, name))
    if not write_lists(os.path.join(folder, "sources")):
        raise RccError(f"no archive is listed in {LISTS}", EXIT_FAILED)
    settings = {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": folder + "/sources", "Dir::State::lists": folder + "/lists",
                "Dir::Cache": folder + "/cache", "APT::Get::List-Cleanup": "0", "Acquire::Languages": "none"}
    if os.geteuid() == 0:
        settings["APT::Sandbox::User"] = "root"  # the user _apt cannot write to a folder of ours
    apt = ["apt-get", "-q"] + [f"-o{name}={value}" for name, value in settings.items()]
    updated = step(apt + ["update"], folder, must=False)
    step(apt + ["source", "--download-only", f"{SOURCE}={wanted}"], os.path.join(folder, "download"), because=updated)
    descriptions = glob.glob(os.path.join(folder, "download", "*.dsc"))
    if len(descriptions) != 1:
        raise RccError(f"apt-get source {SOURCE}={wanted} left {len(descriptions)} .dsc files, expected one", EXIT_FAILED)
    # apt has verified the checksums against the signed lists; the maintainer's own signature needs keys that few have
    step(["dpkg-source", "--no-check", "-x", descriptions[0], os.path.join(folder, "source")], folder)
    found = [os.path.dirname(path) for depth in ("", "*") for path in glob.glob(os.path.join(folder, "source", depth, "VERSION"))
             if os.path.isdir(os.path.join(os.path.dirname(path), "src", "core"))]
    if not found:
        raise RccError(f"the source package {SOURCE} {wanted} holds no ns-3 tree (VERSION beside src/core)", EXIT_FAILED)
    return found[0]


def step(words: list, folder: str, must: bool = True, because: str = "") -> str:
    """Run one command. Returns its output. `because`: an earlier output, for the reason if this command gives none."""
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
    """Return the reason in the output of apt-get: an update without network only warns."""
    found = re.search(r"^(?:W|Err): ?(Failed to fetch .*)$", output, re.MULTILINE)
    last = output.strip().splitlines()[-1:]
    return last_error(output) or (found.group(1) if found else "") or (last[0] if last and "error" in last[0] else "")
