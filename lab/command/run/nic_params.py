# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--nic-params: the DCQCN settings of a real NIC, dumped from sysfs, debugfs or mlxconfig, over the preset that behaves like that NIC.
Which parameter of dcqcn a setting is, rcc-catalog knows (lab/ns3-rdma/ns3-rdma-nic.cc); here its forms are brought into one."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

from ..common import EXIT_FAILED, RccError, refuse_device, warn
from ..system import build, packages

ALGORITHM, PRESET = "dcqcn", "nic-default"
MOST_BYTES = 1 << 20
OURS = re.compile(r"(?i)(rpg|rp|np|dce_tcp|clamp_tgt|rate_reduce|rate_to_set|initial_alpha|min_time_between_cnps|cnp|roce_cc)_?")
LISTING = re.compile(r"\*?\s*([A-Z][A-Z0-9_]*[A-Z0-9])\s+(\S.*\S|\S)\s*")   # of mlxconfig: NAME VALUE, or NAME DEFAULT CURRENT NEXT


class NicParams(NamedTuple):
    """The settings of a NIC."""
    path: str
    settings: tuple      # "timer=300us", parameters of dcqcn


def plain(lines: list) -> list:
    """The lines of a dump as lines "name value", in the same places; what says nothing of DCQCN is empty. Known are lines "name value"
    and "name=value", sysfs and debugfs as `grep -r .` prints them ("path/name:value"), and the listing of mlxconfig."""
    listing = any(re.match(r"\s*(Device #\d|Configurations:)", line) for line in lines)
    return [from_listing(line) if listing else from_path(line) for line in lines]


def from_path(line: str) -> str:
    """Of "/sys/class/net/eth0/ecn/roce_rp/rpg_time_reset:300": rpg_time_reset 300; other lines as they are."""
    found = re.fullmatch(r"\s*(\S*/\S+):\s*(\S.*?)\s*", line)
    if not found:
        return line
    parts = found.group(1).split("/")
    while len(parts) > 1 and parts[-1].isdigit():  # .../enable/3: of a priority
        parts.pop()
    return f"{parts[-1]} {found.group(2)}"


def from_listing(line: str) -> str:
    """A line of mlxconfig's listing, the value of the next boot, which comes last; other settings than DCQCN's, and those of a second
    port, are left out."""
    found = LISTING.fullmatch(line.strip())
    if not found or not OURS.match(found.group(1)) or re.search(r"_P[2-9]$", found.group(1)):
        return ""
    return f"{found.group(1)} {found.group(2).split()[-1]}"


def read(path: str) -> NicParams:
    """Read a dump, and print its notes and warnings. Raises RccError."""
    if not path:
        raise RccError("--nic-params=: a value is missing; expected FILE")
    try:
        refuse_device(path, os.stat(path).st_mode)
        with open(path, "rb") as f:
            text = f.read(MOST_BYTES + 1)
    except OSError as error:
        raise RccError(f"{path}: {error.strerror or error}") from error
    if len(text) > MOST_BYTES:
        raise RccError(f"{path}: longer than 1 MiB, expected lines of name and value")
    program = build.program("rcc-catalog", packages.BENCH)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "nic-params")
        with open(name, "w", encoding="utf-8") as f:
            f.write("\n".join(plain(text.decode("utf-8", "replace").splitlines())) + "\n")
        done = subprocess.run([program, f"--nic-params={name}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)
    said = done.stderr.replace(name, path)
    if done.returncode == 2:
        raise RccError(said.strip().replace("rcc: error: ", "", 1))
    if done.returncode:
        raise RccError(f"{program} --nic-params ended with status {done.returncode}", EXIT_FAILED)
    found = json.loads(done.stdout.replace(name, path))
    for note in found["notes"]:
        if " has no effect: " in note:
            warn(note)
        else:
            print(f"rcc: note: {note}", file=sys.stderr)
    for warning in found["warnings"]:
        warn(warning)
    return NicParams(path, tuple(f"{key}={value}" for key, value in found["parameters"].items()))
