# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The report of ./rcc sweep, and the names of its figures."""
from __future__ import annotations

from . import page
from .page import esc, grid, note
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


def make_page(folder: str, summary: dict, rows: list, metrics: list) -> str:
    facts = "; ".join(f"{name}: {', '.join(values)}" for name, values in summary["parameters"].items())
    drawn = summary["drawing"]
    parts = [note(f"Not complete: {summary['missing']} points have no result yet; the same command goes on with them.")
             if summary["missing"] else "", f'<p class="asks">{esc(summary["asks"])}</p>' if summary.get("asks") else "",
             note(summary["not_settled"]) if summary.get("not_settled") else "",
             page.figures([page.picture(folder, picture(metric), f"{metric}: mean over the seeds, with the 95 % interval as a band; on a "
                                       "logarithmic axis the band is from the least to the largest value.")
                           for metric in metrics] +
                          [page.picture(folder, picture(name), "Median, 95th and 99th percentile of the slowdown by flow size: mean over "
                                        "the seeds, with a band from the least to the largest value.")
                           for name in size_pictures(drawn["groups"], drawn["varying"])]),
             "<h2>Means and 95 % intervals over the seeds</h2>", grid(rows),
             "<h2>Run it again</h2>",
             f"<pre>{esc(summary['command'])}</pre>",
             f"<footer>rcc {esc(summary['rcc_version'])}. Every number of every point is in table.csv, one row per point and metric; "
             "the intervals are in intervals.csv.</footer>"]
    return page.document(f"rcc sweep {summary['scenario']}", f"Sweep of {summary['scenario']}",
                         f"{counted(summary['points'], 'point')}. {facts}", parts)
