# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc`: find the command, parse its arguments, run it, turn errors into one line and an exit status."""
from __future__ import annotations

import os
import sys

from . import registry
from .arguments import Parser, examples
from .common import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, RccError, version


def make_parser(word: str = "") -> Parser:
    """The parser of everything, or of one command only if `word` is its name."""
    top = Parser(prog="./rcc", description="rcc: RDMA congestion control for ns-3 - DCQCN, DCQCN+ and QCN side by side.",
                 epilog=examples([
                     ("./rcc run incast", "2000 flows into one port, three algorithms, table, plots and report"),
                     ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=160", "two algorithms, fewer flows"),
                     ("./rcc algorithms dcqcn-plus", "its parameters, with units, ranges, defaults and sources"),
                     ("./rcc test", "everything that the project checks")]))
    top.add_argument("--version", action="version", version=f"rcc {version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    known = registry.names()
    for name in [word] if word in known else known:
        registry.add(commands, name, registry.load(known[name]))
    return top


def main(argv: list) -> int:
    if not argv:
        make_parser().print_help()
        return EXIT_USAGE
    try:
        args, unknown = make_parser(argv[0]).parse_known_args(argv)
        if unknown:
            args.leaf.reject_unknown(unknown)
        args.argv = argv
        status = args.function(args)
        sys.stdout.flush()
        return status
    except RccError as error:
        print(f"rcc: error: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("rcc: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # `./rcc algorithms | head`: the reader has what it wanted. Keep the interpreter's exit from complaining.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
