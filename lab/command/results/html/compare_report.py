# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The report of ./rcc compare."""
from __future__ import annotations

from .page import document, esc, figures, grid, note, picture
from .report import CAPTIONS
from ..judge import comparison


def page(folder: str, found: dict) -> str:
    letters = [f["letter"] for f in found["folders"]]
    names = ", ".join(f"{f['letter']}: {f['path']}" for f in found["folders"])
    rows = [["set-up", *letters]] + [[f"{e['what']} ({', '.join(e['runs'])})", *e["values"]] for e in found["setup"]]
    said = comparison.verdict(found)
    parts = [note("Partial result: a run was stopped before its end.") if any(f["partial"] for f in found["folders"]) else "",
             "<h2>The set-up differs</h2>" + grid(rows) if found["setup"] else '<p class="says">The set-up is the same.</p>',
             *map(note, comparison.missing(found)), f'<p class="says">{"<br>".join(map(esc, said))}</p>' if said else ""]
    for entry in found["runs"]:
        if sum(entry["in"]) > 1:
            parts += [f"<h2>{esc(entry['name'])}</h2>", grid(comparison.table(entry["metrics"], letters)),
                      note(entry["not_settled"]) if entry["not_settled"] else ""]
    commands = "\n".join(f"{f['letter']}: {f['command']}" for f in found["folders"])
    parts += [figures([picture(folder, png, text) for png, text in CAPTIONS.items()]), "<h2>What was compared</h2>",
              f"<pre>{esc(commands)}\n{esc(found.get('command', ''))}</pre>",
              f"<footer>rcc {esc(found['rcc_version'])}. The numbers are in compare.json.</footer>"]
    return document(f"rcc compare {names}", "Comparison", names, parts)
