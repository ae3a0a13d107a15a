# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""report.html of `./rcc reproduce`: the table of all rows, then figure by figure, in one file."""
from __future__ import annotations

import os

from command.below import atomic_write
from command.common import duration
from . import identified
from command.results.html.page import STYLE, esc, picture, scrolled

EXTRA = """
a { color: var(--accent); }
td.text, th.text { text-align: left; white-space: normal; }
tr.out td.verdict { color: #b3261e; font-weight: 700; }
td.verdict { text-align: center; font-weight: 600; }
@media (prefers-color-scheme: dark) { tr.out td.verdict { color: #ff8a80; } }
section { margin-top: 2.2rem; }
section figure { max-width: 640px; }
td.text { min-width: 11rem; }
section > p { margin: .3rem 0 .7rem; color: var(--soft); }
.note { color: var(--soft); font-size: .92rem; }
"""
VERDICTS = 2    # lines of a figure, unless more rows are outside


def verdict(row: dict) -> str:
    return "not run" if row.get("needs") else "no result" if row.get("missing") else "yes" if row["inside"] else "NO"


def rows_table(rows: list, linked: bool) -> str:
    body = []
    for row in rows:
        name = f'<a href="#{esc(row["figure"])}">{esc(row["id"])}</a>' if linked else esc(row["id"])
        note = f'<div class="note">{esc(row["note"])}</div>' if row["note"] and not linked else ""
        body.append(f'<tr class="{"in" if row["inside"] else "out"}"><th scope="row">{name}</th>'
                    f'<td class="text">{esc(row["claim"])}{note}</td><td class="text">{esc(identified.published_words(row))}</td>'
                    f'<td class="text">{esc(row["measured"])}</td><td class="text">{esc(row["band"])}</td>'
                    f'<td class="verdict">{verdict(row)}</td></tr>')
    return scrolled('<table><thead><tr><th scope="col">id</th><th class="text" scope="col">claim</th>'
                    '<th class="text" scope="col">published</th><th class="text" scope="col">measured</th>'
                    '<th class="text" scope="col">band</th><th scope="col">inside?</th></tr></thead>'
                    f'<tbody>{"".join(body)}</tbody></table>', 6)


def section(folder: str, figure, rows: list) -> str:
    image = picture(folder, figure.id + ".png", figure.title)
    commands = list(dict.fromkeys(command for row in rows for command in row["commands"]))
    listing = (f"<details><summary>{len(commands)} commands that make these numbers (first seed)</summary>"
               f'<pre>{esc(chr(10).join(commands))}</pre></details>' if commands else "")
    return (f'<section id="{esc(figure.id)}"><h2>{esc(figure.source)}: {esc(figure.title)}</h2>'
            f"<p>{esc(figure.setup)}</p>{rows_table(rows, linked=False)}<br>{image}{listing}</section>")


def verdicts(rows: list) -> list:
    """Return (line, whether the row fails) of each comparison of a figure; rows that fail come first."""
    known = sorted((row for row in rows if row.get("measured")), key=lambda row: bool(row.get("inside")))
    outside = sum(not row.get("inside") for row in known)
    shown = known[:max(outside, VERDICTS)]
    lines = [(f"{'inside' if row.get('inside') else 'outside'}: {row['measured']}, published {identified.published_words(row)}",
              not row.get("inside")) for row in shown]
    rest = len(known) - len(shown)
    return lines + ([(f"{rest} more {'row' if rest == 1 else 'rows'} inside", False)] if rest else [])


def page(folder: str, merged: dict, figures: list) -> str:
    rows = merged["rows"]
    inside = sum(row["inside"] for row in rows)
    missing = sum(bool(row.get("missing")) for row in rows)
    parts = [
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<title>rcc: published and measured</title>", f"<style>{STYLE}{EXTRA}</style>", "</head>", "<body><main>",
        "<header><h1>Published and measured</h1><p>Every row is a number or a sentence of a paper beside what this "
        "simulator gives for the same set-up. Nothing is tuned for a row.</p></header>",
        f'<p class="says">{inside} of {len(rows)} rows are inside their bands'
        + (f"; {missing} have no result" if missing else "") + ".</p>"]
    if identified.row_words(rows):
        parts.append(f"<p>{esc(identified.row_words(rows))}</p>")
    if merged["partial"]:
        parts.append('<div class="warn" role="note"><strong>Partial result.</strong> It was stopped before its end.</div>')
    parts.append(rows_table(rows, linked=True))
    parts += [section(folder, figure, [row for row in rows if row["figure"] == figure.id]) for figure in figures]
    parts += [f"<footer>rcc {esc(merged['rcc_version'])}, {esc(duration(merged['wall_s']))} in all. The numbers are in "
              "published.json.</footer>", "</main></body></html>", ""]
    return "\n".join(parts)


def write(folder: str, merged: dict, figures: list) -> None:
    """Write report.html."""
    text = page(folder, merged, figures)
    with atomic_write(os.path.join(folder, "report.html")) as f:
        f.write(text)
