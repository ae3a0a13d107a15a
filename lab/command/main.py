# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc`: find the command, parse its arguments, run it, turn errors into one line and an exit status."""
from __future__ import annotations

import argparse
import codecs
import contextlib
import io
import os
import signal
import sys
import textwrap
from typing import Tuple

from . import registry
from .experiment import declared
from .arguments import Parser, columns, examples
from .common import DISK_ERRORS, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, RccError, version, visible


HEAD = ("-h", "--help", "--help-all", "--version")   # words that need no command's module


def make_parser(word: str = "") -> Parser:
    """Return the parser of all commands, or of one command only if `word` is its name."""
    known = registry.names()
    one = word in known
    head = word in HEAD
    text = examples([("./rcc run incast", "2000 flows into one port, three algorithms, table, plots and report"),
                     ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=160", "two algorithms, fewer flows"),
                     ("./rcc algorithms dcqcn-plus", "its parameters, with units, ranges, defaults and sources"),
                     ("./rcc test", "everything that the project checks")])
    top = Parser(prog="./rcc", usage="./rcc [-h] [--version] COMMAND ...",
                 description="\n".join(textwrap.wrap("rcc: RDMA congestion control for ns-3. Algorithms, side by side: "
                                                     f"{', '.join(declared.names())}.", columns(), break_on_hyphens=False)),
                 epilog=text if one else registry.overview(columns()) + "\n" + text)
    top.add_argument("--version", action="version", version=f"rcc {version()}")
    # The help has the commands by group, in the epilog.
    commands = top.add_subparsers(dest="command", metavar="COMMAND", prog="./rcc", help=argparse.SUPPRESS, required=True,
                                  parser_class=Parser)
    for name in [word] if one else [] if head else known:
        registry.add(commands, name, registry.load(known[name]))
    return top


def discard_output() -> None:
    """Discard the rest of stdout, which nobody reads, so that the interpreter's exit does not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def finish(status: int) -> int:
    """Check that all that was printed has arrived. Returns the exit status."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # `./rcc algorithms | head`: the reader has what it wanted
        discard_output()
        return EXIT_FAILED
    except OSError as error:
        discard_output()
        print(f"rcc: error: cannot write to stdout: {error.strerror or error}", file=sys.stderr)
        return EXIT_FAILED
    return status


def end_in_order() -> None:
    """Let a kill, and a terminal that is closed, end the command as Ctrl-C does: half-made files and processes are removed. A second signal
    is ignored, a third ends the command at once."""
    seen: list = []

    def interrupt(number, _frame) -> None:
        seen.append(number)
        if len(seen) == 1:
            raise KeyboardInterrupt
        if len(seen) > 2:
            os._exit(EXIT_INTERRUPTED)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):  # nohup's wish is kept
            signal.signal(number, interrupt)


def describe(error: OSError) -> str:
    """Describe a failed call of the operating system in one line. A full disk without a file's name is that of stdout."""
    name, why = error.filename, error.strerror or str(error)
    if name is None:
        return f"cannot write to stdout: {why}" if error.errno in DISK_ERRORS else why
    return f"{os.fsdecode(name) if isinstance(name, (str, bytes)) else name}: {why}"


def written(error: UnicodeError) -> Tuple[bytes, int]:
    """Replace a character that stdout's encoding lacks: bytes of names as they are, plus-minus in two letters, anything else as "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    shown = bytes([ord(letter) - 0xdc00]) if "\udc80" <= letter <= "\udcff" else {"\xb1": b"+-"}.get(letter, b"?")
    return shown, error.start + 1


def main(argv: list) -> int:
    """Run the command and report its errors. Returns the exit status."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # to the end of the process
    if sys.stdout is None:
        print("rcc: error: cannot write to stdout: it is closed", file=sys.stderr)
        return EXIT_FAILED
    end_in_order()
    codecs.register_error("rcc", written)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="rcc")
    try:
        return finish(run(argv))
    except RccError as error:
        print(f"rcc: error: {visible(str(error))}", file=sys.stderr)
        return finish(error.status)
    except KeyboardInterrupt:
        print("rcc: interrupted", file=sys.stderr)
        return finish(EXIT_INTERRUPTED)
    except SystemExit as end:  # argparse, after its help or an error
        return finish(end.code if isinstance(end.code, int) else EXIT_USAGE)
    except BrokenPipeError:
        discard_output()
        return EXIT_FAILED
    except OSError as error:
        discard_output()
        print(f"rcc: error: {describe(error)}", file=sys.stderr)
        return EXIT_FAILED
    except MemoryError:
        print("rcc: error: there is not enough memory for this input", file=sys.stderr)
        return finish(EXIT_FAILED)
    except RecursionError:
        print("rcc: error: the input is nested too deeply", file=sys.stderr)
        return finish(EXIT_USAGE)


def run(argv: list) -> int:
    """Run the command that the words name. Returns the exit status."""
    if "--no-install" in argv:   # every command may need a package
        os.environ["RCC_NO_INSTALL"] = "1"
        argv = [word for word in argv if word != "--no-install"]
    if not argv:
        make_parser().print_help()
        return EXIT_USAGE
    if argv[0] in registry.OLD:
        raise RccError(f"./rcc {argv[0]} is ./rcc {registry.OLD[argv[0]]} now")
    top = make_parser(argv[0])
    if argv[0].startswith("-") and argv[0] not in (*HEAD, *top.known_options()):
        top.reject_unknown(argv)
    args, unknown = top.parse_known_args(argv)
    if unknown:
        args.leaf.reject_unknown(unknown)
    if getattr(args, "no_plots", False) and getattr(args, "format", None):
        raise RccError(f"--format is '{args.format}', expected none beside --no-plots")
    unused = [name for name in ("out", "json", "perfetto", "format") if getattr(args, name, None)] if getattr(args, "print", False) else []
    if unused:
        raise RccError(f"--{unused[0]} has no effect: --print simulates nothing, and writes to standard output")
    args.argv = argv
    return args.function(args)
