# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The tables of the manual's page of parameters, as reStructuredText, from what the programs say of themselves."""
from __future__ import annotations

import re
from typing import Any

from .algorithms import ROLES, cell, span


def literal(text: str) -> str:
    return f"``{text}``" if text else ""


def plain(text: Any) -> str:
    """Text without anything that reStructuredText would take for markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", " ".join(str(text).split()))


def table(title: str, widths: list, head: list, rows: list) -> str:
    lines = [f".. list-table:: {title}", "   :header-rows: 1", "   :widths: " + " ".join(map(str, widths)), ""]
    for row in [head] + rows:
        for i, text in enumerate(row):
            lines.append(("   * - " if i == 0 else "     - ") + text)
    return "\n".join(lines) + "\n\n"


def heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n\n"


def algorithm(entry: dict) -> str:
    text = heading(f"{entry['title']} ({entry['typeid']})", "=")
    text += f"``--cc={entry['name']}``. Source: {plain(entry['source'])}.\n\n"
    for role, title in ROLES.items():
        rows = [[literal(f["attribute"]) + ", " + literal(f["name"]), plain(cell(f["default"], "")), plain(span(f)),
                 plain(f["help"]), plain(f["source"])] for f in entry["fields"] if f["role"] == role]
        if rows:
            text += table(title[0].upper() + title[1:], [20, 10, 20, 30, 20],
                          ["attribute, parameter", "default", "range", "meaning", "source"], rows)
    rows = [[literal(p["name"]), ", ".join(literal(f"{k}={v}") for k, v in p["values"].items()) or "nothing: the defaults",
             plain(p["help"])] for p in entry["presets"]]
    return text + table("Presets", [15, 55, 30], ["preset", "what it changes", ""], rows)


def object_class(name: str, attributes: list) -> str:
    rows = [[literal(a["name"]), literal(a["default"]), plain(a["value"]), plain(a["help"])] for a in attributes]
    return heading(name, "=") + table(f"Attributes of {name}", [20, 15, 20, 45], ["attribute", "default", "value", "meaning"], rows)


def page(data: dict) -> str:
    text = ("\nAs the programs of this version say: " + literal("./rcc algorithms") + " and " + literal("./rcc attributes") + ".\n\n"
            + heading("Classes", "*"))
    text += "".join(object_class(name, attributes) for name, attributes in data["classes"].items())
    text += heading("Algorithms", "*")
    text += "Parameters are set with ``--set NAME.PARAMETER=VALUE`` or as attributes of the class.\n\n"
    return "\n" + text + "".join(algorithm(entry) for entry in data["algorithms"])
