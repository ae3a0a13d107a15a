# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""report.html: one file with everything in it, for a laptop, a phone and paper, in light and dark."""
from __future__ import annotations

import base64
import html
import os
import re
from typing import Any

from ..judge import cannot_act, caveats, endings, notes, paper, questions, ranking, settled, traffic
from ..read import results
from ... import below
from ...below import atomic_write
from ...common import get, number, readable, si_bytes, si_count, si_rate, si_time, visible
from ..read import seeds
from ..judge.summary import answer, columns, headline, name, packets_per_second, prepared, question, rates, remarks, span, whose

CAPTIONS = {
    "queue.png": "Queue of the congested port over time.",
    "queue_levels.png": "Mean, 95th and 99th percentile of that queue over the window of the averages.",
    "rate.png": "What all senders together put on the wire.",
    "flow_rates.png": "The rate that congestion control sets for each sampled flow; PFC or a window may hold flows below it.",
    "windows.png": "The congestion window of each sampled flow, and below it its round-trip time and the signal that its algorithm answers "
                   "to: utilisation (HPCC), power (PowerTCP), target delay (Swift), average delay (NSCC).",
    "fct.png": "Share of flows that ended by a given time after their own start; further left is better.",
    "utilization.png": "What the port can serve over time (dashed), and what it served.",
    "buffers.png": "Input buffers (solid) and output buffers (dashed) of the switch, the fullest ones, over time.",
    "groups.png": "Goodput of each pair of hosts: over time, or, of more than eight pairs, its mean, sorted.",
    "steps.png": "Duration of each step of the collective operation.",
    "slowdown.png": "Completion time over that of the same flow alone, by flow size: mean, median, 95th and 99th percentile.",
}

PICTURE_LIMIT = 1 << 26   # bytes
GANTTS = 8          # pictures of a trace's ranks, of the first runs
PHONE_COLUMNS = 3   # of a table that a phone shows whole
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
figure .white { background: #ffffff; padding: .4rem; }
@media (prefers-color-scheme: dark) { figure .white { background: var(--card); }
  figure .white img { filter: invert(.886) hue-rotate(180deg); } }
figure img { display: block; width: 100%; height: auto; }
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
    """A text whose options and names with a hyphen stay in one piece, as long as a phone's line has room for them."""
    return re.sub(r"\S*-\S*", lambda word: f'<span class="word">{word[0]}</span>' if len(word[0]) <= ONE_PIECE else word[0], esc(text))


def comparison(runs: list, asks: questions.Question) -> str:
    """The table of ./rcc run, its two header lines merged into grouped headers."""
    cols = columns(runs, asks)
    first, second, i = [], [], 0
    while i < len(cols):
        group = cols[i][0]
        span = 1
        while group and i + span < len(cols) and cols[i + span][0] == group:
            span += 1
        if span > 1:
            first.append(f'<th class="group" colspan="{span}" scope="colgroup">{esc(group)}</th>')
            second += [f'<th scope="col">{esc(c[1])}</th>' for c in cols[i:i + span]]
        else:
            # "utili-", "sation": a header that was broken to save columns is one word here
            label = group[:-1] + cols[i][1] if group.endswith("-") else f"{group} {cols[i][1]}".strip()
            first.append(f'<th rowspan="2" scope="col">{esc(label)}</th>')
        i += span
    rows = []
    for run in runs:
        cells = [esc(cell(run)) for _, _, cell in cols]
        cells[0] = esc(name(run)) + (" (partial)" if run.get("partial") else "") + ("" if settled.steady(run) else f" {settled.MARK}")
        rows.append(f'<tr><th scope="row">{cells[0]}</th>'
                    + f'<td class="answer">{cells[1]}</td>' + "".join(f"<td>{c}</td>" for c in cells[2:]) + "</tr>")
    head = f'<tr>{"".join(first)}</tr><tr>{"".join(second)}</tr>'
    return scrolled(f'<table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>', len(cols))


def data_of(folder: str, png: str) -> str:
    """A PNG as the address of an image, or "" if there is none."""
    try:
        with below.open_file(folder, png, PICTURE_LIMIT) as f:
            return "data:image/png;base64," + base64.b64encode(f.read()).decode("ascii")
    except OSError:
        return ""


def picture(folder: str, png: str, caption: str, dark: str = "") -> str:
    """A figure with its caption; "" if the folder has none. `dark`: the folder of the same figures on dark ground; without one, its
    light and dark are turned round there, and its hues stay."""
    data = data_of(folder, png)
    if not data:
        return ""
    night = data_of(dark, png) if dark else ""
    image = f'<img alt="{esc(caption)}" src="{data}">'
    if night:
        image = f'<picture><source media="(prefers-color-scheme: dark)" srcset="{night}">{image}</picture>'
    ground = "ground" if night else "white"
    return f'<figure><div class="{ground}">{image}</div><figcaption>{esc(caption)}</figcaption></figure>'


def scrolled(table: str, columns: int) -> str:
    """A table that scrolls by itself where the page is too narrow for it, and says so where that can be expected."""
    hint = '<div class="hint">Swipe sideways: the table has more columns.</div>' if columns > PHONE_COLUMNS else ""
    return f'{hint}<div class="scroll" tabindex="0">{table}</div>'


def caption(png: str, runs: list, folder: str = "") -> str:
    """What a figure shows. It explains those of its lines that these runs have; `folder`: of their series."""
    have = {key for run in runs for key in run.get("parameters") or ()}
    limits = sorted({limit for limit in (get(run, "pfc_limit_bytes") for run in runs) if limit})  # may be above the figure
    pauses = list(dict.fromkeys(map(si_bytes, limits)))
    lines = [text for figure, text, there in (
        ("queue.png", "From Kmax on every packet is marked.", "kmax" in have), ("queue.png", "QCN aims at Qeq.", "q_eq" in have),
        ("queue.png", f"At the PFC limit, {' or '.join(pauses)}, the switch pauses all that send to it.",
         pauses),
        ("rate.png", "Dashed: what the network can carry from them to the receivers.",
         png == "rate.png" and any(get(run, "answer.capacity_bps") and not traffic.changes(folder, {**run, "cc": seeds.folder(run)})
                                   for run in runs)))
        if there and figure == png]
    return " ".join([CAPTIONS[png], *lines])


def figures(folder: str, runs: list, dark: str = "") -> str:
    of_ranks = [picture(folder, f"{seeds.folder(run)}/{results.GANTT}", f"What each rank of the trace did under {name(run)}.")
                for run in runs if get(run, "step.ranks")][:GANTTS]
    parts = [part for part in (*of_ranks, *(picture(folder, png, caption(png, runs, folder), dark) for png in results.PLOTS)) if part]
    return f'<h2>Figures</h2>\n<div class="figures">{"".join(parts)}</div>' if parts else ""


def steps(runs: list) -> str:
    """Of runs of a trace: the rank that ended last and what it waited for, and the collectives; "" if there are none."""
    of_ranks, of_collectives = [], []
    for run in runs:
        found = run.get("step")
        if not isinstance(found, dict) or get(run, "step.step_s") is None:
            continue
        waited = found.get("waited_for")
        of_ranks.append([name(run), f"rank {plain(found.get('slowest_rank'))}", si_time(get(found, "compute_s")),
                         si_time(get(found, "exposed_s")), "its own sends" if waited is None else f"rank {plain(waited)}"])
        listed = found.get("collectives")
        for one in [one for one in listed if isinstance(one, dict)][:results.COLLECTIVES_SHOWN] if isinstance(listed, list) else []:
            of_collectives.append([name(run), f"{one.get('kind')}, {one.get('algorithm')}", plain(one.get("ranks")),
                                   si_bytes(get(one, "bytes")), plain(one.get("count")), si_time(get(one, "mean_time_s")),
                                   si_rate(get(one, "mean_busbw_bps")), si_time(get(one, "fct_p99_s"))])
    tables = ((of_ranks, ["algorithm", "ends last", "its computing", "exposed", "waited for"]),
              (of_collectives, ["algorithm", "collective", "ranks", "bytes", "times", "mean time", "busbw", "FCT p99"]))
    parts = []
    for rows, heads in tables:
        head = "".join(f'<th scope="col">{esc(one)}</th>' for one in heads)
        body = "".join(f'<tr><th scope="row">{esc(row[0])}</th>' + "".join(f"<td>{esc(one)}</td>" for one in row[1:]) + "</tr>"
                       for row in rows)
        parts += [scrolled(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", len(heads)), "<br>"] if rows else []
    return "<h2>Ranks and collectives</h2>\n" + "".join(parts[:-1]) if parts else ""


def plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    return ", ".join(map(plain, value)) if isinstance(value, list) else str(value)


def has_kmax(run: dict) -> bool:
    """Whether its algorithm has a Kmax: run.json has a threshold for the others too, by which drain_s is measured."""
    return "kmax" in (run.get("parameters") or ())


# what is not in the first table: label, and the cell of a run
SETTINGS = [
    ("title", lambda r: plain(r.get("title"))), ("source", lambda r: plain(r.get("source"))),
    ("preset", lambda r: plain(r.get("preset"))), ("flows", lambda r: seeds.span(r, "flows") or plain(r.get("flows"))),
    ("hosts", lambda r: seeds.span(r, "hosts") or plain(r.get("hosts"))), ("link rate", rates),
    ("simulated time", lambda r: seeds.simulated([r]) or "-"),
    ("seed", lambda r: "-" if r.get("seed") is None else seeds.numbers(r)),
    ("window of the averages", lambda r: ("one of each seed, inside of " if len(seeds.windows(r)) > 1 else "") + span(*r["window_s"])
        if r.get("window_s") else "-"),
    ("congested port", lambda r: plain(r.get("congested_port"))),
    ("Kmax", lambda r: si_bytes(get(r, "kmax_bytes") if has_kmax(r) else None)),
    ("PFC limit", lambda r: si_bytes(get(r, "pfc_limit_bytes"))),
    ("ns-3", lambda r: plain(r.get("ns3_version"))),
]
MORE = [
    ("packets sent", lambda r: si_count(get(r, "packets_sent"))),
    ("packets delivered", lambda r: si_count(get(r, "packets_delivered"))),
    ("bytes delivered", lambda r: si_bytes(get(r, "bytes_delivered"))),
    ("queue median", lambda r: si_bytes(get(r, "queue.p50_bytes"))),
    ("queue p95", lambda r: si_bytes(get(r, "queue.p95_bytes"))),
    ("sending utilisation", lambda r: plain(get(r, "send_utilization"))),
    ("time paused by PFC, all hosts", lambda r: si_time(get(r, "pfc.paused_s"))),
    ("CNPs", lambda r: si_count(get(r, "cnps"))), ("CNMs", lambda r: si_count(get(r, "cnms"))),
    ("drained after the last start", lambda r: si_time(get(r, "drain_s")) if number(r.get("drain_s")) is not None
        else f"never stayed below {'Kmax' if has_kmax(r) else si_bytes(get(r, 'kmax_bytes'))}"),
    ("frames lost on links", lambda r: si_count(get(r, "frames_lost"))),
    ("flows that ended", endings.count_words),
    ("flows that did not end", lambda r: f"{endings.late_words(r)}: {endings.why(r)}" if endings.incomplete(r) else "0"),
    ("FCT median", lambda r: si_time(get(r, "fct.p50_s"))), ("FCT max", lambda r: si_time(get(r, "fct.max_s"))),
    ("slowdown median", lambda r: plain(get(r, "slowdown.p50"))),
    ("slowdown p95", lambda r: plain(get(r, "slowdown.p95"))),
    ("offered load", lambda r: plain(get(r, "offered_load"))),
    ("simulator: wall time", lambda r: si_time(get(r, "wall_s"))),
    ("simulator: packets per s", lambda r: si_count(packets_per_second(r))),
    ("simulator: events", lambda r: si_count(get(r, "events"))), ("simulator: peak memory", lambda r: si_bytes(get(r, "peak_rss_bytes"))),
]


def details(heading: str, runs: list, rows: list) -> str:
    """A folded table: one row per label, one column per run."""
    head = "".join(f'<th scope="col">{esc(name(r))}</th>' for r in runs)
    body = "".join(f'<tr><th scope="row">{esc(label)}</th>'
                   + "".join(f"<td>{esc(cell(r))}</td>" for r in runs) + "</tr>" for label, cell in rows)
    table = scrolled(f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>", 1 + len(runs))
    return f"<details><summary>{esc(heading)}</summary>{table}</details>"


def parameters(runs: list) -> str:
    parts = []
    for run in runs:
        values = run.get("parameters")
        if isinstance(values, dict) and values:
            body = "".join(f'<tr><th scope="row">{esc(key)}</th><td>{esc(readable(plain(value)))}</td></tr>'
                           for key, value in values.items())
            parts.append(f"<details><summary>Parameters of {esc(name(run))} (preset {esc(run.get('preset'))})</summary>"
                         f'<div class="scroll"><table><tbody>{body}</tbody></table></div></details>')
    return "".join(parts)


def page(folder: str, summary: dict, dark: str = "") -> str:
    runs = prepared(summary)
    asks, command = question(summary, runs), str(summary.get("command", ""))
    what = headline({**summary, "runs": runs})
    warned = [*whose([(name(r), str(r.get("cc")), map(str, one.get("warnings") or [])) for r in runs for one in endings.own(r)]),
              *(text for r in runs for text in endings.warnings(r, name(r)))]
    scenario, _, facts = what.partition(": ")
    titles = ", ".join(seeds.title(r) for r in runs)
    parts = [
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>rcc {esc(scenario)}: {esc(', '.join(name(r) for r in runs))}</title>",
        f"<style>{STYLE}</style>", "</head>", "<body><main>",
        f"<header><h1>{esc(scenario.capitalize())}: {esc(titles)}</h1><p>{esc(facts)}</p></header>",
        f'<p class="asks">{esc(asks.asks)}</p>', f'<p class="says">{flowing(answer(runs, asks))}</p>']
    if any(run.get("partial") for run in runs) or (summary.get("partial") and not summary.get("missing")):
        parts.append('<div class="warn" role="note"><strong>Partial result.</strong> The run was stopped before its end; '
                     "averages cover what was simulated until then.</div>")
    if summary.get("missing"):
        parts.append('<div class="warn" role="note"><strong>Partial result.</strong> Algorithms without a result: '
                     f"{esc('; '.join(endings.missing_words(summary)))}.</div>")
    parts += [comparison(runs, asks), *([f"<p>{flowing(ranking.legend(asks))}</p>"] if ranking.find_best(runs, asks) else [])]
    parts += [f"<p>{flowing(words)}</p>" for words in (*remarks(runs), paper.words(runs, name, command),
                                                     *caveats.words(runs, asks), *cannot_act.words(runs),
                                                     settled.words(runs, name))
              if words]
    if warned:
        parts.append('<div class="warn" role="note"><strong>Warnings</strong><ul>'
                     + "".join(f"<li>{esc(n)}</li>" for n in warned) + "</ul></div>")
    said = caveats.marking_words(runs)
    parts += filter(None, [steps(runs)])
    parts += [figures(folder, runs, dark), f"<h2>Marking</h2><p>{flowing(said)}</p>" if said else "",
              "<h2>Settings and parameters</h2>", details("Settings of the runs", runs, SETTINGS),
              details("More numbers", runs, MORE), parameters(runs), notes.folded(runs),
              "<h2>Run it again</h2>", f"<pre>{esc(summary.get('command', ''))}</pre>",
              f"<footer>rcc {esc(summary.get('rcc_version'))}, ns-3 {esc(runs[0].get('ns3_version') if runs else '-')}. "
              "The numbers are in summary.json, the series in one folder of CSV files per algorithm.</footer>",
              "</main></body></html>", ""]
    return "\n".join(parts)


def write(folder: str, summary: dict, dark: str = "") -> None:
    """Write report.html. `dark`: folder of the figures on dark ground, "" for none."""
    text = page(folder, summary, dark)
    with atomic_write(os.path.join(folder, "report.html")) as f:
        f.write(text)
