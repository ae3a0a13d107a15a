# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The report of a run, with its table, lines, figures, settings and parameters, and that of ./rcc compare."""
from __future__ import annotations

from typing import Any

from .page import document, esc, figures, flowing, folded, grid, listed, note, picture, scrolled
from ..judge import comparison as compared, lines, questions
from ..judge.summary import answer, columns, headline, marked_name, packets_per_second, prepared, question, rates, span, name_speakers
from ..read import results, seeds
from ...common import get, number, readable, si_bytes, si_count, si_rate, si_time

CAPTIONS = {
    "queue.png": "Queue of the congested port over time. From Kmax on every packet is marked; at the PFC limit the switch pauses all that "
                 "send to it.",
    "rate.png": "What all senders together put on the wire; dashed, where it is known: what the network can carry.",
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
GANTTS = 8          # pictures of a trace's ranks, of the first runs


def comparison(runs: list, asks: questions.Question) -> str:
    """Return the table of ./rcc run, its two header lines merged into grouped headers."""
    cols = columns(runs, asks)
    first, second, i = [], [], 0
    while i < len(cols):
        group, size = cols[i][0], 1
        while group and i + size < len(cols) and cols[i + size][0] == group:
            size += 1
        if size > 1:
            first.append(f'<th class="group" colspan="{size}" scope="colgroup">{esc(group)}</th>')
            second += [f'<th scope="col">{esc(c[1])}</th>' for c in cols[i:i + size]]
        else:   # "utili-", "sation": a header that was broken to save columns is one word here
            label = group[:-1] + cols[i][1] if group.endswith("-") else f"{group} {cols[i][1]}".strip()
            first.append(f'<th rowspan="2" scope="col">{esc(label)}</th>')
        i += size
    rows = []
    for run in runs:
        cells = [esc(cell(run)) for _, _, cell in cols[1:]]
        rows.append(f'<tr><th scope="row">{esc(marked_name(run))}</th><td class="answer">{cells[0]}</td>'
                    + "".join(f"<td>{cell}</td>" for cell in cells[1:]) + "</tr>")
    heads = f'<tr>{"".join(first)}</tr><tr>{"".join(second)}</tr>'
    return scrolled(f'<table><thead>{heads}</thead><tbody>{"".join(rows)}</tbody></table>', len(cols))


def steps(runs: list) -> list:
    """Return the tables of runs of a trace: the rank that ended last and what it waited for, and the collectives."""
    of_ranks: list = [["algorithm", "ends last", "its computing", "exposed", "waited for"]]
    of_collectives: list = [["algorithm", "collective", "ranks", "bytes", "times", "mean time", "busbw", "FCT p99"]]
    for run in runs:
        found = run.get("step")
        if not isinstance(found, dict) or get(run, "step.step_s") is None:
            continue
        waited, all_ = found.get("waited_for"), found.get("collectives")
        of_ranks.append([seeds.label(run), f"rank {plain(found.get('slowest_rank'))}", si_time(get(found, "compute_s")),
                         si_time(get(found, "exposed_s")), "its own sends" if waited is None else f"rank {plain(waited)}"])
        for one in [one for one in all_ if isinstance(one, dict)][:results.COLLECTIVES_SHOWN] if isinstance(all_, list) else []:
            of_collectives.append([seeds.label(run), f"{one.get('kind')}, {one.get('algorithm')}", plain(one.get("ranks")),
                                   si_bytes(get(one, "bytes")), plain(one.get("count")), si_time(get(one, "mean_time_s")),
                                   si_rate(get(one, "mean_busbw_bps")), si_time(get(one, "fct_p99_s"))])
    return ["<h2>Ranks and collectives</h2>", *("<br>" + grid(rows) for rows in (of_ranks, of_collectives) if len(rows) > 1)] \
        if len(of_ranks) > 1 else []


def plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    return ", ".join(map(plain, value)) if isinstance(value, list) else str(value)


def kmax(run: dict) -> str:
    """Return Kmax of an algorithm that has one: run.json has a threshold for the others too, by which drain_s is measured."""
    return si_bytes(get(run, "kmax_bytes") if "kmax" in (run.get("parameters") or ()) else None)


# Rows that are not in the first table: label, and the cell of a run.
SETTINGS = [
    ("title", lambda r: plain(r.get("title"))), ("source", lambda r: plain(r.get("source"))),
    ("preset", lambda r: plain(r.get("preset"))), ("flows", lambda r: seeds.span(r, "flows") or plain(r.get("flows"))),
    ("hosts", lambda r: seeds.span(r, "hosts") or plain(r.get("hosts"))), ("link rate", rates),
    ("simulated time", lambda r: seeds.simulated([r]) or "-"),
    ("seed", lambda r: "-" if r.get("seed") is None else seeds.numbers(r)),
    ("window of the averages", lambda r: span(*r["window_s"]) if r.get("window_s") else "-"),
    ("congested port", lambda r: plain(r.get("congested_port"))), ("Kmax", kmax),
    ("PFC limit", lambda r: si_bytes(get(r, "pfc_limit_bytes"))), ("ns-3", lambda r: plain(r.get("ns3_version"))),
]
MORE = [
    *((label, lambda r, path=path, show=show: show(get(r, path))) for label, path, show in (
        ("packets sent", "packets_sent", si_count), ("packets delivered", "packets_delivered", si_count),
        ("bytes delivered", "bytes_delivered", si_bytes), ("queue median", "queue.p50_bytes", si_bytes),
        ("queue p95", "queue.p95_bytes", si_bytes), ("sending utilisation", "send_utilization", plain),
        ("time paused by PFC, all hosts", "pfc.paused_s", si_time), ("CNPs", "cnps", si_count), ("CNMs", "cnms", si_count),
        ("frames lost on links", "frames_lost", si_count), ("FCT median", "fct.p50_s", si_time), ("FCT max", "fct.max_s", si_time),
        ("slowdown median", "slowdown.p50", plain), ("slowdown p95", "slowdown.p95", plain), ("offered load", "offered_load", plain),
        ("simulator: wall time", "wall_s", si_time), ("simulator: events", "events", si_count),
        ("simulator: peak memory", "peak_rss_bytes", si_bytes))),
    ("simulator: packets per s", lambda r: si_count(packets_per_second(r))),
    ("drained after the last start", lambda r: si_time(get(r, "drain_s")) if number(r.get("drain_s")) is not None else "never"),
    ("flows that ended", seeds.count_ended), ("flows that did not end", lines.show_reasons),
]


def details(heading: str, runs: list, rows: list) -> str:
    """Return a folded table: one row per label, one column per run."""
    return folded(heading, [["", *map(seeds.label, runs)], *([label, *(cell(run) for run in runs)] for label, cell in rows)])


def parameters(runs: list) -> str:
    return "".join(folded(f"Parameters of {seeds.label(run)} (preset {run.get('preset')})",
                          [["parameter", "value"], *([key, readable(plain(value))] for key, value in run["parameters"].items())])
                   for run in runs if isinstance(run.get("parameters"), dict) and run["parameters"])


def page(folder: str, summary: dict) -> str:
    runs = prepared(summary)
    asks = question(summary, runs)
    scenario, _, facts = headline({**summary, "runs": runs}).partition(": ")
    of_ranks = [picture(folder, f"{seeds.folder(run)}/{results.GANTT}", f"What each rank of the trace did under {seeds.label(run)}.")
                for run in runs if get(run, "step.ranks")][:GANTTS]
    notes = lines.list_notes(runs)
    parts = [
        f'<p class="asks">{esc(asks.asks)}</p>', f'<p class="says">{flowing(answer(runs, asks))}</p>',
        note("Partial result.") if summary.get("partial") or any(run.get("partial") for run in runs) else "",
        comparison(runs, asks), f"<p>{flowing(questions.legend(asks))}</p>" if questions.find_best(runs, asks) else "",
        *(f"<p>{flowing(line)}</p>" for line in lines.list_all(summary, runs)),
        listed("Warnings", name_speakers([(seeds.label(r), str(r.get("cc")), map(str, one.get("warnings") or []))
                                   for r in runs for one in seeds.split_seeds(r)])),
        *steps(runs), figures([*of_ranks, *(picture(folder, png, CAPTIONS[png]) for png in results.PLOTS)]),
        "<h2>Settings and parameters</h2>", details("Settings of the runs", runs, SETTINGS), details("More numbers", runs, MORE),
        parameters(runs), folded(f"Notes on the input files ({len(notes)})", [["note"], *([one] for one in notes)]) if notes else "",
        "<h2>Run it again</h2>", f"<pre>{esc(summary.get('command', ''))}</pre>",
        f"<footer>rcc {esc(summary.get('rcc_version'))}, ns-3 {esc(runs[0].get('ns3_version') if runs else '-')}. "
        "The numbers are in summary.json, the series in one folder of CSV files per algorithm.</footer>"]
    names = ", ".join(map(seeds.label, runs))
    return document(f"rcc {scenario}: {names}", f"{scenario.capitalize()}: {names}", facts, parts)


def compare_page(folder: str, found: dict) -> str:
    """Return the report of ./rcc compare. `found`: what compare.json holds."""
    letters = [f["letter"] for f in found["folders"]]
    names = ", ".join(f"{f['letter']}: {f['path']}" for f in found["folders"])
    rows = [["set-up", *letters]] + [[f"{e['what']} ({', '.join(e['runs'])})", *e["values"]] for e in found["setup"]]
    said = compared.verdict(found)
    parts = [note("Partial result: a run was stopped before its end.") if any(f["partial"] for f in found["folders"]) else "",
             "<h2>The set-up differs</h2>" + grid(rows) if found["setup"] else '<p class="says">The set-up is the same.</p>',
             *map(note, compared.missing(found)), f'<p class="says">{"<br>".join(map(esc, said))}</p>' if said else ""]
    for entry in found["runs"]:
        if sum(entry["in"]) > 1:
            parts += [f"<h2>{esc(entry['name'])}</h2>", grid(compared.table(entry["metrics"], letters)),
                      note(entry["not_settled"]) if entry["not_settled"] else ""]
    commands = "\n".join(f"{f['letter']}: {f['command']}" for f in found["folders"])
    parts += [figures([picture(folder, png, text) for png, text in CAPTIONS.items()]), "<h2>What was compared</h2>",
              f"<pre>{esc(commands)}\n{esc(found.get('command', ''))}</pre>",
              f"<footer>rcc {esc(found['rcc_version'])}. The numbers are in compare.json.</footer>"]
    return document(f"rcc compare {names}", "Comparison", names, parts)
