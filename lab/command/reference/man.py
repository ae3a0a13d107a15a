# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc man`: a manual page in roff, of the same parsers as --help."""
from __future__ import annotations

from . import tree
from ..common import version
from ..registry import Command


def roff(text: str) -> str:
    """Text that roff takes as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def entry(name: str, text: str) -> list:
    return [".TP", f"\\fB{roff(name)}\\fR", roff(text) or "\\&"]


def place(action) -> str:
    return action.metavar if isinstance(action.metavar, str) else action.dest


def option(action) -> str:
    value = f"={place(action) if action.metavar else action.dest.upper()}" if tree.takes_value(action) else ""
    return ", ".join(action.option_strings) + value


def page() -> str:
    lines = [f'.TH RCC 1 "" "rcc {version()}" "RDMA congestion control for ns\\-3"', ".SH NAME",
             "rcc \\- RDMA congestion control for ns\\-3", ".SH SYNOPSIS", "\\fB./rcc\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]"]
    for leaf in tree.leaves():
        if not leaf.words:
            lines += [".SH DESCRIPTION", roff(leaf.help), ".SH OPTIONS"]
            for action in leaf.options:
                lines += entry(option(action), (action.help or "").replace("%%", "%"))
            lines.append(".SH COMMANDS")
            continue
        lines += [f".SS {roff('./rcc ' + ' '.join(leaf.words))}", roff(leaf.parser.description or leaf.help)]
        for action in leaf.places:
            lines += entry(place(action), (action.help or "").replace("%%", "%"))
        for action in leaf.options:
            if "--help" not in action.option_strings:
                lines += entry(option(action), (action.help or "").replace("%%", "%"))
        if leaf.parser.epilog:
            lines += [".PP", ".nf", roff(leaf.parser.epilog), ".fi"]
    return "\n".join(lines) + "\n"


def command(_args) -> int:
    print(page(), end="")
    return 0


COMMAND = Command(
    description="Print a manual page with every command, option and example.",
    examples=[("./rcc man > rcc.1", "then: man ./rcc.1")],
    run=command)
