# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs Python code of tests, each time in a process of its own that is forked from one which has imported matplotlib, as that takes most
of the time. python ask.py: a JSON list of code and its words for each line of stdin; on a line of stdout the status and what the
code printed. In an interpreter that has matplotlib, which the one that runs the tests need not have."""
import json
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from command.pcap import pcap_plot  # noqa: E402
from command.results.draw import figures, plots, sheet, sweep_plots  # noqa: E402,F401  pylint: disable=unused-import


def show(module, found: dict) -> None:
    """Keep the figures that a module draws, by name, in place of files."""
    module.write = lambda figure, folder, name: found.setdefault(name, figure) and name


FOUND: dict = {}    # figures that the code draws, by name; the code calls it `found`
NAMES = {"found": FOUND, **{name: value for name, value in globals().items() if name in (
    "json", "os", "sys", "figures", "plots", "sheet", "sweep_plots", "pcap_plot")}}


def child(code: str, words: list, out: int) -> None:
    """The forked process: what the code prints goes to `out`."""
    status = 1
    try:
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.argv = ["-c", *words]
        for module in (plots, sheet, pcap_plot):
            show(module, FOUND)
        sheet.set_style()
        exec(compile(code, "<ask>", "exec"), {"__name__": "__main__", **NAMES})  # pylint: disable=exec-used
        sys.stdout.flush()
        status = 0
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)  # pylint: disable=protected-access


def main() -> None:
    for line in sys.stdin:
        code, words = json.loads(line)
        ours, theirs = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(ours)
            child(code, words, theirs)
        os.close(theirs)
        with os.fdopen(ours, encoding="utf-8") as stream:
            told = stream.read()
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(json.dumps([status, told]), flush=True)


if __name__ == "__main__":
    main()
