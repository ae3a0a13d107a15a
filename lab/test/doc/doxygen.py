#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Run Doxygen over the public headers (doc/Doxyfile) and fail on every warning.

    python3 lab/test/doc/doxygen.py [FOLDER-OR-FILE ...]

A folder or file, e.g. `core/cc` or `model/nic/rdma-nic.h`, limits what is shown and judged. Three things need no documentation
of ours: members declared `override`, which ns-3 documents in the base class, GetTypeId, and in the core a parameter that its type
describes, `struct rcc_qp *qp` or `rcc_time now`. Exit status: 0 no warning, 1 warnings, 77 Doxygen is not installed.
"""
from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SKIPPED = 77


def run_doxygen() -> list[str]:
    """The warnings of one run, with paths relative to the top folder."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(ROOT, "doc", "Doxyfile"), encoding="utf-8") as f:
            settings = f.read()
        # HTML, as in the Doxyfile: with XML alone, Doxygen 1.9.4 reports documented parameters as missing.
        settings += f"\nOUTPUT_DIRECTORY = {folder}\n"
        done = subprocess.run(["doxygen", "-"], cwd=ROOT, input=settings, text=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=300, check=False)
    text = re.sub(r":\n +", ": ", done.stderr.replace(ROOT + "/", ""))  # names of parameters are on lines of their own
    text = re.sub(r"\n {2,}", ", ", text)
    lines = [line for line in text.splitlines() if line]
    if done.returncode:
        lines.append(f"doxygen ended with status {done.returncode}")
    return lines


def declaration(path: str, number: int) -> str:
    """The declaration that begins at or before a line: to its `;` or `{`."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        lines = f.read().splitlines()
    text = " ".join(lines[number - 1:number + 6])
    return re.split(r"[;{]", text, maxsplit=1)[0]


def with_place(warning: str) -> str:
    """Doxygen names no file for parts of a comment: `<PickPort>:1: parameters of member ns3::RdmaNic::PickPort ...`."""
    found = re.match(r"<(.+?)>:1: (.* of member (?:ns3::)?(?:(\w+)::)?.*)", warning)
    if not found:
        return warning
    name, text, compound = found.groups()
    for path in public_headers():
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        if compound and not any(re.match(rf"\s*(class|struct|template.*(class|struct)) {compound}\b", li) for li in lines):
            continue
        for number, line in enumerate(lines, 1):
            if re.search(rf"\b{re.escape(name)}\(", line):
                return f"{os.path.relpath(path, ROOT)}:{number}: {text}"
    return warning


def public_headers() -> list[str]:
    return [path for folder in ("core/*/rcc*.h", "model/*/*.h", "helper/*.h")
            for path in sorted(glob.glob(os.path.join(ROOT, folder)))]


def is_described(warning: str) -> bool:
    """Return whether the types of a C function describe the parameters that a warning names: one pointer of each struct, and `now`."""
    found = re.search(r"parameters? of (?:member )?(\w+).* not documented(.*)", warning)
    signature = found and SIGNATURES.get(found.group(1))
    if not signature:
        return False
    parameters = {re.search(r"(\w+)(\[\w*\])?$", word.strip()).group(1): re.sub(r"\w+(\[\w*\])?$", "", word.strip()).strip()
                  for word in signature.split(",")}
    types = [kind.replace("const ", "") for kind in parameters.values()]
    names = re.findall(r"parameter '(\w+)'", found.group(2)) or list(parameters)
    return all((name, parameters[name]) == ("now", "rcc_time")
               or (re.match(r"(const )?struct rcc_\w+ \*$", parameters[name]) and types.count(parameters[name].replace("const ", "")) == 1)
               for name in names)


def core_signatures() -> dict[str, str]:
    """Return the parameters of each function of the core's public headers, by name."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "core", "*", "rcc*.h"))):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)
        found.update(re.findall(r"\b(rcc_\w+)\(((?:const )?(?:struct|enum|\w+_t|rcc_time|unsigned|bool|void) [^(){};]*)\)\s*[;{]", text))
    return found


SIGNATURES = core_signatures()


def is_exempt(warning: str) -> bool:
    if is_described(warning):
        return True
    found = re.match(r"([^<\s]+?):(\d+): .* (?:is|are) not documented", warning)
    if not found:
        return False
    text = declaration(found.group(1), int(found.group(2)))
    return bool(re.search(r"\boverride\b|\bGetTypeId\(\)", text))


def files_without_comment() -> list[str]:
    """Doxygen passes over the C functions of a file that has no \\file comment."""
    missing = []
    for path in sorted(glob.glob(os.path.join(ROOT, "core", "*", "rcc*.h"))):
        with open(path, encoding="utf-8") as f:
            if not re.search(r"[\\@]file\b", f.read()):
                missing.append(f"{os.path.relpath(path, ROOT)}:1: the header has no \\file comment")
    return missing


def main(wanted: list[str]) -> int:
    if not shutil.which("doxygen"):
        print("doxygen is not installed")
        return SKIPPED
    warnings = run_doxygen() + files_without_comment()
    warnings = [line for line in map(with_place, warnings) if not is_exempt(line)]
    if wanted:
        warnings = [line for line in warnings if line.startswith(tuple(wanted))]
    print("\n".join(warnings))
    print(f"{len(warnings)} warnings")
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
