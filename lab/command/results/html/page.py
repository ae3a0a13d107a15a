# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The frame of every report: one HTML file with everything in it, for a laptop, a phone and paper, in light and dark."""
from __future__ import annotations

import base64
import html
import os
import re
from typing import Any

from ... import below
from ...common import visible

PICTURE_LIMIT = 1 << 26   # bytes
PHONE_COLUMNS = 3   # columns of a table that a phone shows whole
ONE_PIECE = 24      # letters

STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #ffffff; --ink: #1c2127; --soft: #5b6570; --line: #d9dee3;
  --accent: #0072b2; --warn: #fff3d6; --warnink: #6b4700; --edge: rgba(0, 0, 0, .28); }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1d2125; --ink: #e6e9ec; --soft: #a0a9b2;
  --line: #363c43; --accent: #56b4e9; --warn: #3d3116; --warnink: #ffd98a; --edge: rgba(255, 255, 255, .35); } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
header p { margin: 0; color: var(--soft); font-size: .95rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .35rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.says { font-size: 1.12rem; margin: 1.2rem 0; padding: .9rem 1.1rem; background: var(--card);
  border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 6px; overflow-wrap: anywhere; }
.asks { font-size: 1.12rem; font-weight: 600; margin: 1.2rem 0 -.6rem; }
.answer { font-weight: 700; }
th, td, .word { white-space: nowrap; }
.warn { background: var(--warn); color: var(--warnink); padding: .7rem 1.1rem; border-radius: 6px; margin: .8rem 0; }
.warn ul { margin: .2rem 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background-color: var(--card);
  background-attachment: local, local, scroll, scroll; background-repeat: no-repeat;
  background-image: linear-gradient(to right, var(--card), var(--card)), linear-gradient(to left, var(--card), var(--card)),
  linear-gradient(to right, var(--edge), transparent), linear-gradient(to left, var(--edge), transparent);
  background-position: left, right, left, right;
  background-size: 3rem 100%, 3rem 100%, 1.2rem 100%, 1.2rem 100%; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .6rem; text-align: right; border-top: 1px solid var(--line); }
thead tr:first-child > * { border-top: 0; }
thead tr:nth-child(2) th { border-top: 0; padding-top: 0; }
thead th { font-weight: 600; color: var(--soft); }
th.group { text-align: center; padding-bottom: 0; }
tbody th, tr:first-child th:first-child { text-align: left; }
tbody th { font-weight: 600; }
.figures { columns: 2 440px; column-gap: 1rem; }
.hint { display: none; font-size: .85rem; color: var(--soft); margin: 0 0 .3rem; }
figure { margin: 0 0 1rem; break-inside: avoid; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; overflow: hidden; }
figure img { display: block; width: 100%; height: auto; background: #ffffff; padding: .4rem; }
@media (prefers-color-scheme: dark) { figure img { filter: invert(.886) hue-rotate(180deg); } }
figcaption { padding: .55rem .9rem .7rem; font-size: .9rem; color: var(--soft); }
details { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: .6rem 0; }
summary { cursor: pointer; padding: .6rem .9rem; font-weight: 600; }
details .scroll { border-width: 1px 0 0; border-radius: 0; }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; font-size: .9rem; }
footer { margin-top: 2rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 600px) { .hint { display: block; }
  main { padding: 1rem .75rem 2rem; } h1 { font-size: 1.25rem; } .says { font-size: 1.02rem; } }
@media print { body { background: #fff; } figure, details, .scroll { break-inside: avoid; } }
"""


def esc(value: Any) -> str:
    return html.escape(visible(str(value)), quote=True)


def flowing(text: str) -> str:
    """Escape a text; options and names with a hyphen stay in one piece, as long as a phone's line has space for them."""
    return re.sub(r"\S*-\S*", lambda word: f'<span class="word">{word[0]}</span>' if len(word[0]) <= ONE_PIECE else word[0], esc(text))


def picture(folder: str, png: str, caption: str) -> str:
    """Return a figure with its caption; "" if the folder has none."""
    try:
        with below.open_file(folder, png, PICTURE_LIMIT) as f:
            data = "data:image/png;base64," + base64.b64encode(f.read()).decode("ascii")
    except OSError:
        return ""
    return f'<figure><img alt="{esc(caption)}" src="{data}"><figcaption>{esc(caption)}</figcaption></figure>'


def figures(parts: list) -> str:
    """Return the section of those figures that are there."""
    there = "".join(filter(None, parts))
    return f'<h2>Figures</h2>\n<div class="figures">{there}</div>' if there else ""


def scrolled(table: str, columns: int) -> str:
    """Return a table that scrolls by itself where the page is too narrow for it, and says so where that can be expected."""
    hint = '<div class="hint">Swipe sideways: the table has more columns.</div>' if columns > PHONE_COLUMNS else ""
    return f'{hint}<div class="scroll" tabindex="0">{table}</div>'


def grid(rows: list) -> str:
    """Return a table of texts; the first row is its head, the first column names the rows."""
    head = "".join(f'<th scope="col">{esc(cell)}</th>' for cell in rows[0])
    body = "".join(f'<tr><th scope="row">{esc(row[0])}</th>' + "".join(f"<td>{esc(cell)}</td>" for cell in row[1:]) + "</tr>"
                   for row in rows[1:])
    return scrolled(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", len(rows[0]))


def folded(heading: str, rows: list) -> str:
    return f"<details><summary>{esc(heading)}</summary>{grid(rows)}</details>"


def note(text: str) -> str:
    return f'<div class="warn" role="note">{esc(text)}</div>'


def listed(heading: str, texts: list) -> str:
    """Return a box with a list of lines; "" without any."""
    items = "".join(f"<li>{esc(text)}</li>" for text in texts)
    return f'<div class="warn" role="note"><strong>{esc(heading)}</strong><ul>{items}</ul></div>' if texts else ""


def document(title: str, heading: str, facts: str, parts: list) -> str:
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{esc(title)}</title>",
        f"<style>{STYLE}</style>", "</head>", "<body><main>", f"<header><h1>{esc(heading)}</h1><p>{esc(facts)}</p></header>",
        *filter(None, parts), "</main></body></html>", ""])


def write(folder: str, text: str) -> None:
    """Write report.html. Raises OSError."""
    with below.atomic_write(os.path.join(folder, "report.html")) as f:
        f.write(text)
