#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The table of doc/traces.md, from the trace sources that build/rcc-catalog lists and the signatures in the headers.

    lab/tools/traces_table.py build/rcc-catalog
"""
from __future__ import annotations

import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATHS = {"ns3::QbbNetDevice": "/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/",
         **{name: f"/NodeList/*/ApplicationList/*/${name}/" for name in ("ns3::RdmaClient", "ns3::RdmaSink")}}
FOREIGN = {"ns3::Packet::TracedCallback": "Ptr<const Packet> packet"}


def signatures() -> dict:
    """Arguments by callback: {"ns3::QbbNetDevice::PauseTracedCallback": "uint8_t cls, bool paused"}."""
    found = dict(FOREIGN)
    for path in sorted(glob.glob(os.path.join(ROOT, "model", "*", "*.h"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        name = ""
        for match in re.finditer(r"^class (\w+)\b[^;]*$|using (\w+TracedCallback) = void \(\*\)\(([^)]*)\);", text,
                                 re.MULTILINE):
            name = match.group(1) or name
            if match.group(2):
                found[f"ns3::{name}::{match.group(2)}"] = match.group(3)
    return found


def table(sources: list) -> str:
    """Markdown; one table per class, with its path in front."""
    arguments = signatures()
    lines: list = []
    for cls in sorted({s["class"] for s in sources}):
        path = PATHS.get(cls, f"/NodeList/*/${cls}/")
        lines += [f"### {cls[len('ns3::'):]}", "", f"`{path}SOURCE`", "",
                  "| source | what, and when it fires | arguments | callback |", "|---|---|---|---|"]
        for s in (s for s in sources if s["class"] == cls):
            if s["callback"] not in arguments:
                raise KeyError(f"{cls}::{s['name']}: no header of model/ has {s['callback']}")
            lines.append(f"| `{s['name']}` | {s['help']} | `{arguments[s['callback']]}` | "
                         f"`{s['callback'][len('ns3::'):]}` |")
        lines.append("")
    return "\n".join(lines).rstrip("\n")


def read(catalog: str) -> list:
    return json.loads(subprocess.check_output([catalog], text=True))["trace_sources"]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(table(read(sys.argv[1])))
