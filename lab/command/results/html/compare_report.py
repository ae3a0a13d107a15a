# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The report of ./rcc compare: one file, in the clothes of lab/command/results/html/report.py."""
from __future__ import annotations

import os

from ..judge import comparison
from ...below import atomic_write
from .report import STYLE, esc, figures, scrolled


def grid(cells: list) -> str:
    head = "".join(f'<th scope="col">{esc(c)}</th>' for c in cells[0])
    body = "".join(f'<tr><th scope="row">{esc(row[0])}</th>' + "".join(f"<td>{esc(c)}</td>" for c in row[1:]) + "</tr>"
                   for row in cells[1:])
    return scrolled(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", len(cells[0]))


def page(folder: str, found: dict, dark: str) -> str:
    letters = [f["letter"] for f in found["folders"]]
    names = ", ".join(f"{f['letter']}: {f['path']}" for f in found["folders"])
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>rcc compare {esc(names)}</title>",
             f"<style>{STYLE}</style>", "</head>", "<body><main>",
             f"<header><h1>Comparison</h1><p>{esc(names)}</p></header>"]
    if any(f["partial"] for f in found["folders"]):
        parts.append('<div class="warn" role="note"><strong>Partial result.</strong> A run was stopped before its end.</div>')
    if found["setup"]:
        rows = [["set-up", *letters]] + [[f"{e['what']} ({', '.join(e['runs'])})", *e["values"]] for e in found["setup"]]
        parts += ["<h2>The set-up differs</h2>", grid(rows)]
    else:
        parts.append(f'<p class="says">The set-up is {esc(comparison.same_words(found))}.</p>')
    parts += [f'<div class="warn" role="note">{esc(line)}</div>' for line in comparison.words(found) if ": not in " in line]
    lines = comparison.verdict(found)
    if lines:
        parts.append(f'<p class="says">{"<br>".join(map(esc, lines))}</p>')
    for entry in found["runs"]:
        if sum(entry["in"]) > 1:
            parts += [f"<h2>{esc(entry['name'])}</h2>", grid(comparison.table(entry["metrics"], letters))]
            parts += [f'<div class="warn" role="note">{esc(entry["not_settled"])}</div>'] if entry["not_settled"] else []
    commands = "\n".join(f"{f['letter']}: {f['command']}" for f in found["folders"])
    parts += [figures(folder, [], dark), "<h2>What was compared</h2>", f"<pre>{esc(commands)}\n{esc(found.get('command', ''))}</pre>",
              f"<footer>rcc {esc(found['rcc_version'])}. The numbers are in compare.json.</footer>", "</main></body></html>", ""]
    return "\n".join(parts)


def write(folder: str, found: dict, dark: str = "") -> None:
    """Write report.html. `dark`: folder of the figures on dark ground, "" for none."""
    text = page(folder, found, dark)
    with atomic_write(os.path.join(folder, "report.html")) as f:
        f.write(text)
