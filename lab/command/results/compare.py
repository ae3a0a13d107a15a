# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc compare A B ...`: saved runs side by side, with overlaid plots, compare.json and one report."""
from __future__ import annotations

import json
import os
import shlex
from typing import Optional

from .draw import drawing
from .html import page, report
from .judge import comparison
from .. import lock, owned
from .read import results
from .. import below
from ..common import EXIT_FAILED, RccError, cannot_write, version, warn
from ..registry import Command

OUT = os.path.join("out", "compare")
NO_LEGEND = ("kmax_bytes", "pfc_limit_bytes", "rcc_version", "ns3_version", "window_s", "congested_port", "partial")   # follow from others
LEGEND_NAMES = {"sim_s": "time", "rate_bps": "rate", "bottleneck_bps": "bottleneck", "mean_size_bytes": "mean size"}
LEGEND = 40    # letters of an entry of a legend
FILES = ["compare.json", "report.html", *results.figure_files(results.PLOTS)]
COMPARE = "./rcc compare"
OURS = (lock.NAME, owned.NAME)     # that tell what a folder is


def add_arguments(parser) -> None:
    parser.add_argument("folders", metavar="DIR", nargs="+", help="folders that ./rcc run or ./rcc ns3-rdma wrote; the first one is "
                        "what the others are compared with")
    parser.add_argument("--metrics", metavar="LIST", help="only these, e.g. queue.mean_bytes,utilization (names as in lab/doc/summary.md)")
    parser.add_argument("--fail-over", metavar="PERCENT", help="exit status 1 if a metric moved by more, or a run is missing; what the "
                        "machine spends (events, wall_s, peak_rss_bytes) counts only where --metrics names it")
    parser.add_argument("--out", metavar="DIR", help=f"folder for compare.json, plots and report (default: {OUT}; with --json: none)")
    parser.add_argument("--no-plots", action="store_true", help="no figures, and none in the report")
    drawing.add_format(parser)
    parser.add_argument("--json", action="store_true", help="print JSON only")


def prepare(folder: str, killed: bool) -> None:
    """Make space; never over something that is not ours. `killed`: the last command that wrote there was, and what it writes is its."""
    try:
        results.remove_left_over(folder)
        for name in FILES if killed else []:
            below.remove_half_written(folder, name)
        entries = [entry for entry in os.listdir(folder) if entry not in OURS and not (killed and entry in FILES)]
        if entries and below.read_json(folder, "compare.json").get("schema") != comparison.SCHEMA:
            raise RccError(f"--out={folder}: not empty, and no result of ./rcc compare; give another folder")
        listed = owned.listed(folder, COMPARE, FILES.__contains__)
        own = set(FILES) if killed or listed is None else listed
        owned.refuse_others(folder, FILES, own, COMPARE)
        owned.remove(folder, own, COMPARE)
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error


def differences(found: dict) -> dict:
    """Return what a legend calls each folder, by its letter: the one thing that differs in its set-up, or its path."""
    own = [entry for entry in found["setup"] if entry["what"] not in NO_LEGEND]
    called = {folder["letter"]: os.path.basename(os.path.normpath(folder["path"])) for folder in found["folders"]}
    if len(own) == 1:
        what = LEGEND_NAMES.get(own[0]["what"], own[0]["what"]).replace("parameter ", "").replace("attribute ", "")
        called = {letter: f"{what} {value}"[:LEGEND] for letter, value in zip(called, own[0]["values"])}
    texts = list(called.values())
    return {letter: f"{letter}: {text}" if texts.count(text) > 1 else text for letter, text in called.items()}


def draw(folder: str, folders: list, rows: list, found: dict, wanted: Optional[str]) -> None:
    """Overlaid plots by command.results.draw.draw_run, in an interpreter that has matplotlib."""
    runs = [dict(run, letter=f.letter, place=f.places(run)[0], command=str(f.summary.get("command", "")), by_seed=None)
            for _, matched in rows for f, run in zip(folders, matched)
            if run is not None and sum(r is not None for r in matched) > 1]
    job = {"runs": runs, "letters": [f.letter for f in folders], "called": differences(found),
           "command": "   ".join(f"{f.letter}: {f.path}" for f in folders), "rcc_version": version(),
           "partial": any(f.summary.get("partial") for f in folders)}
    trouble = drawing.plotting_process(["-m", "command.results.draw.draw_run", os.path.abspath(folder)], json.dumps(job), wanted)
    if trouble:
        warn(f"no plots: {trouble}")


def command(args) -> int:
    metrics, limit = comparison.select(args.metrics), comparison.percentage(args.fail_over)
    folders = comparison.load(args.folders)
    found, rows = comparison.compare(folders, metrics, limit, args.metrics is not None)
    found["command"] = "./rcc compare " + shlex.join(args.folders)
    out = args.out if args.out is not None else None if args.json else OUT
    if out is not None:
        killed = lock.left(out)
        with lock.locked(out):
            prepare(out, killed)
            write(args, folders, found, rows, out)
    print(json.dumps(found, indent=1) if args.json else comparison.text(found))
    if out is not None and not args.json:
        print(f"\nreport: {os.path.join(out, 'report.html')}\nnumbers: {os.path.join(out, 'compare.json')}")
    return EXIT_FAILED if found["moved"] else 0


def write(args, folders: list, found: dict, rows: list, out: str) -> None:
    """Draw and write what was found; all of it or nothing."""
    with results.all_or_nothing(out, FILES):
        if not args.no_plots:
            draw(out, folders, rows, found, args.format)
        results.write_json(out, "compare.json", found)
        page.write(out, report.compare_page(out, found))
        owned.record(out, FILES, COMPARE)


COMMAND = Command(
    description="Compare the results of two or more folders, algorithm by algorithm: first what differs in their set-up, then\n"
        "every metric with difference and ratio. Writes compare.json, PNG plots that lay the runs over each other, report.html.",
    examples=[("./rcc compare out/base out/new", "after ./rcc run incast --out=out/base and another run"),
        ("./rcc compare out/k100 out/k200 out/k400 --out=out/k --no-plots", "three folders"),
        ("./rcc compare out/base out/new --fail-over=5 --metrics=queue.mean_bytes,utilization",
        "in CI: exit status 1 if one of them moved by more than 5 %"),
        ("./rcc compare out/base out/new --json", "JSON on stdout, no files")],
    add_arguments=add_arguments,
    run=command)
