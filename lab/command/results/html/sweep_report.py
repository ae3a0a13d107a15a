# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The report of ./rcc sweep: one file, in the clothes of lab/command/results/html/report.py."""
from __future__ import annotations

import os

from . import report
from .compare_report import grid
from .report import STYLE, esc
from ...below import atomic_write
from ...common import counted


def picture(metric: str) -> str:
    """The file of a metric's figure."""
    return f"sweep-{metric}.png"


def size_pictures(groups: list, varying: list) -> list:
    """Names of the figures of slowdown by flow size, one for each combination of parameters but the sizes; `groups` as drawing_job's."""
    found = {tuple(g["parameters"][key] for key in varying if key != "sizes") for g in groups if g.get("by_size")}
    return ["-".join(["slowdown-by-size", *values]) for values in sorted(found)]


def names(job: dict) -> list:
    """Names of all figures of a sweep."""
    return [f"sweep-{name}" for name in [*job["metrics"], *size_pictures(job["groups"], job["varying"])]]


def figures(folder: str, metrics: list, dark: str, by_size: list) -> str:
    parts = [report.picture(folder, picture(metric), f"{metric}: mean over the seeds, with the 95 % interval as a band.", dark)
             for metric in metrics]
    parts += [report.picture(folder, picture(name), "Median, 95th and 99th percentile of the slowdown by flow size: mean over the "
                             "seeds, with the 95 % interval as a band.", dark) for name in by_size]
    return f'<h2>Figures</h2>\n<div class="figures">{"".join(parts)}</div>' if any(parts) else ""


def page(folder: str, summary: dict, rows: list, metrics: list, dark: str) -> str:
    scenario, count = summary["scenario"], summary["points"]
    facts = "; ".join(f"{name}: {', '.join(values)}" for name, values in summary["parameters"].items())
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>rcc sweep {esc(scenario)}</title>",
             f"<style>{STYLE}</style>", "</head>", "<body><main>",
             f"<header><h1>Sweep of {esc(scenario)}</h1><p>{counted(count, 'point')}. {esc(facts)}</p></header>"]
    if summary["missing"]:
        parts.append(f'<div class="warn" role="note"><strong>Not complete.</strong> {summary["missing"]} points have no result yet; '
                     "the same command goes on with them.</div>")
    parts += [f'<p class="asks">{esc(summary["asks"])}</p>'] if summary.get("asks") else []
    parts += [f'<div class="warn" role="note">{esc(summary["not_settled"])}</div>'] if summary.get("not_settled") else []
    drawn = summary["drawing"]
    parts += [figures(folder, metrics, dark, size_pictures(drawn["groups"], drawn["varying"])),
              "<h2>Means and 95 % intervals over the seeds</h2>", grid(rows),
              *([f"<p>{esc(summary['no_ratio'])}</p>"] if summary.get("no_ratio") else []), "<h2>Run it again</h2>",
              f"<pre>{esc(summary['command'])}</pre>",
              f"<footer>rcc {esc(summary['rcc_version'])}. Every number of every point is in table.csv, one row per point and metric; "
              "the intervals are in intervals.csv.</footer>", "</main></body></html>", ""]
    return "\n".join(parts)


def write(folder: str, summary: dict, rows: list, metrics: list, dark: str = "") -> None:
    """Write report.html. `dark`: folder of the figures on dark ground, "" for none."""
    text = page(folder, summary, rows, metrics, dark)
    with atomic_write(os.path.join(folder, "report.html")) as f:
        f.write(text)
