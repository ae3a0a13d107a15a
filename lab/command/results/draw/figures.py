# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The figures of runs: each takes (folder, summary, look) and returns the name of its file, or None without series. Imported only where
matplotlib is."""
from __future__ import annotations

from typing import Optional

from matplotlib.ticker import MaxNLocator

from . import plots
from .plots import BELOW, LOG_RATIO, NOWHERE, Line, Look, Panel, draw_panels, last, mean, numbers, panels_of, save, scale, shared, thin
from .sheet import DASHES, INK, NOTE, SMALL, Sheet, flow_colours
from ..judge import questions, settled
from ..judge.lines import parameter
from ...models import fixed_point
from ... import units
from ...common import counted, get, si_bytes, si_rate, si_time

EMPTY = 100.0       # bytes; a logarithmic axis begins here, and has no place for a queue below
PFC, MODEL, QEQ = "#AA3377", "#6A51A3", "#009E73"   # reference lines
THRESHOLDS = {"STOP": ("CioqSwitch.StopThreshold", 110_000), "GO": ("CioqSwitch.GoThreshold", 44_000)}
VICTIM = 2.2        # width of its line
LINES = 8           # more buffers or groups tell nobody anything as lines
# The state word of a reaction point by algorithm: its title, how it is shown.
SIGNALS: dict = {
    "hpcc": ("utilisation U", lambda v: f"{v / 1000:.3g}"), "powertcp": ("power Gamma", lambda v: f"{v / 1000:.3g}"),
    "theta-powertcp": ("power Gamma", lambda v: f"{v / 1000:.3g}"), "swift": ("target delay", lambda v: si_time(v / 1e9)),
    "nscc": ("average delay", lambda v: si_time(v / 1e9)),
}


def wants_log(runs: list) -> bool:
    positive = [m for m in (get(r, "queue.mean_bytes") for r in runs) if m]
    return bool(positive) and max(positive) > EMPTY and max(positive) / min(positive) > LOG_RATIO


def limits(ax, runs: list, look: Look, top: float, log: bool) -> float:
    """Draw the lines that queues are compared with: those of the algorithms that are drawn, and of the network. Returns the new top."""
    for name, colour, value_of, near in (
            ("fluid model", MODEL, fixed_point.queue_of, 1.0),
            ("Kmax", INK, lambda run: get(run, "kmax_bytes") if parameter(run, "kmax") is not None else None, 0.0),
            ("Qeq", QEQ, lambda run: parameter(run, "q_eq"), 0.0),
            ("PFC limit", PFC, lambda run: get(run, "pfc_limit_bytes"), 3.0)):
        for value, who, own in shared(runs, value_of):
            if not near or value < near * top or (log and near > 1):
                single = name == "Kmax" and len(own) == 1 < len(runs)
                plots.reference(ax, value, f"{name} {si_bytes(value)}{who}", look.colour[own[0]["cc"]] if single else colour)
                top = max(top, value)
    return top


def draw_queue(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs, series = summary["runs"], panels_of(folder, summary["runs"], "queue.csv")
    if not series:
        return None
    sheet, log, top = Sheet(), wants_log(runs), 0.0
    ax, at = sheet.axes[0], plots.time_axis(sheet.axes[0], runs)
    floor, below = EMPTY if log else 0, False     # a logarithm has no zero: what is below the floor is marked
    for row, (run, s) in enumerate(series):
        t, low, high = thin([list(map(at, s["time_s"])), s["mean_bytes"], s["max_bytes"]], [last, mean, max])
        ax.fill_between(t, [max(x, floor) for x in low], [max(x, floor) for x in high], color=look.colour[run["cc"]], alpha=0.18,
                        linewidth=0)
        ax.plot(t, [x if x >= floor else NOWHERE for x in low], **look.line(run))
        below |= plots.mark_below(ax, t, low, floor, look.colour[run["cc"]], row)
        top = max(top, max(high))
    top = limits(ax, runs, look, top, log)
    scale(ax, floor, max(top, 10 * floor) * 6 if log else top * 1.12 or 1, log)
    numbers(ax.yaxis, si_bytes)
    plots.shade_window(ax, runs, at, note=True)
    sheet.head(0, "Queue of the congested port", "line: mean, shade: up to the maximum"
               + ("; log scale" if log else "") + (f"; {BELOW}" if below else ""))
    return save(sheet, folder, "queue.png", summary)


def capacity_of(folder: str, run: dict) -> Optional[float]:
    """Return what the network can carry between senders and receivers, bit/s; None where it is not known, or changes."""
    served = plots.read_series(folder, run, "utilization.csv")
    return None if len(set(served.get("capacity_bps", []))) > 1 else get(run, "answer.capacity_bps")


def draw_rate(folder: str, summary: dict, look: Look) -> Optional[str]:
    runs, series = summary["runs"], panels_of(folder, summary["runs"], "rate.csv")
    if not series:
        return None
    sheet = Sheet()
    ax, at, top = sheet.axes[0], plots.time_axis(sheet.axes[0], runs), 0.0
    for run, s in series:
        # fewer points than the queue: a rate over a very short interval is mostly the grain of single packets
        t, sent = thin([list(map(at, s["time_s"])), s["sent_bps"]], [last, mean], 400)
        ax.plot(t, sent, **look.line(run))
        top = max(top, max(sent))
    for value, who, _ in shared(runs, lambda run: capacity_of(folder, run)):
        plots.reference(ax, value, f"capacity between senders and receivers, {si_rate(value)}{who}")
        top = max(top, value)
    scale(ax, 0, top * 1.12 or 1, False)
    numbers(ax.yaxis, si_rate)
    plots.shade_window(ax, runs, at)
    sheet.head(0, "Total sending rate", "what all senders together put on the wire")
    return save(sheet, folder, "rate.png", summary)


def share_steps(folder: str, run: dict) -> list:
    """Return (time, bit/s) of the fair share as flows begin: only of flows without an end to one receiver, of a known capacity."""
    flows, limit = plots.read_series(folder, run, "flows.csv"), get(run, "answer.capacity_bps")
    starts = sorted(t for t in flows.get("start_s", []) if isinstance(t, float))
    if not limit or not starts or any(flows.get("size_bytes", [])) or len(set(flows.get("dst", []))) != 1 or \
            limit != get(run, "bottleneck_bps") or run.get("scenario") in ("capacity", "fan-in") or run.get("algorithm") == "none":
        return []
    steps = [(t, limit / (i + 1)) for i, t in enumerate(starts)]
    return [*steps, (max(run["span"][1], starts[-1]), steps[-1][1])]


def lines_of(columns: dict, key: str, value: str) -> dict:
    """Return {name: [(time, value)]} of a table in long form; rows of one name and time are added."""
    sums: dict = {}
    for t, name, v in zip(columns["time_s"], columns[key], columns[value]):
        line = sums.setdefault(int(name) if isinstance(name, float) else name, {})
        line[t] = line.get(t, 0.0) + (v or 0.0)
    return {name: list(line.items()) for name, line in sums.items()}


def flow_lines(columns: dict, value: str) -> list:
    flows = lines_of(columns, "flow", value)
    return [Line(flows[flow], colour) for colour, flow in zip(flow_colours(len(flows)), sorted(flows))]


def flows_in(panels: list) -> tuple:
    """Return the legend of the flows of the series."""
    return plots.flow_legend(sorted({int(flow) for _, s in panels for flow in s["flow"]}))


def draw_flow_rates(folder: str, summary: dict, look: Look) -> Optional[str]:
    found = panels_of(folder, summary["runs"], "flow_rates.csv")
    positive = [x for _, s in found for x in s["rate_bps"] if x]
    steps = [share_steps(folder, run) for run, _ in found]
    shares = [share for some in steps for _, share in some]
    # flows start at line rate and share a small part of it: with many flows only a logarithm shows both
    log = bool(positive) and max(positive) / (max(shares, default=0) and shares[-1] or min(positive)) > LOG_RATIO
    floor = min(positive + shares) / 1.5 if log else 0.0     # below the smallest flow; a flow that sends nothing has no place
    panels = []
    for (run, s), share in zip(found, steps):
        lines = flow_lines(s, "rate_bps")
        jain = get(run, "jain") if settled.shares_a_port(run) else None
        panels.append(Panel(run, f"{look.label(run)}: {len(lines)} of {counted(get(run, 'flows') or len(lines), 'flow')}"
                            + (f", Jain {jain:.3f}" if jain is not None else ""),
                            lines + [Line(share, INK, "", DASHES, last, True)] * bool(share), si_rate, log, floor))
    return draw_panels(folder, "flow_rates.png", summary, look, panels, "Rate of each flow", "what congestion control allows; PFC or a "
                       "window may hold it below" + ("; dashed: the fair share" if shares else "") + ("; log scale" if log else ""),
                       flows_in(found))


def draw_windows(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw window and round-trip time of each flow, and what the algorithm measures, below one another for each run."""
    found = [(run, s) for run, s in panels_of(folder, summary["runs"], "windows.csv") if any(s["window_bytes"]) or any(s.get("rtt_s", []))]
    panels = []
    for run, s in found:
        signal = SIGNALS.get(run.get("algorithm", run["cc"]).split(":")[0])
        for column, title, show in (("window_bytes", "congestion window", si_bytes),
                                    ("rtt_s", "round-trip time of the last acknowledgement", si_time),
                                    *([("signal", *signal)] if signal else [])):
            values = sorted(v for v in s.get(column, []) if v)
            if values:
                log = values[-1] / values[0] > LOG_RATIO     # windows begin at the bandwidth-delay product, of which many keep a small part
                lines = [line._replace(points=[(t, v or NOWHERE) for t, v in line.points]) for line in flow_lines(s, column)]
                panels.append(Panel(run, f"{look.label(run)}: {title}" + (", log scale" if log else ""), lines, show, log,
                                    values[0] / 1.5 if log else 0.0))
    return draw_panels(folder, "windows.png", summary, look, panels, "Window and round-trip time of each flow, and what its algorithm "
                       "measures", "", flows_in(found), False)


def draw_buffers(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw input buffers (solid) and output buffers (dashed) of the ports that carry flows; a panel for each run."""
    panels = []
    for run, s in panels_of(folder, summary["runs"], "buffers.csv"):
        found = {(side, port): points for side in ("input", "output") for port, points in lines_of(s, "port", f"{side}_bytes").items()}
        most = {key: max(v for _, v in points) for key, points in found.items()}
        used = sorted(sorted((key for key in found if most[key]), key=lambda key: (-most[key], key))[:LINES])
        lines = [Line(found[key], colour, f"{key[0]} {key[1]}", "-" if key[0] == "input" else "--")
                 for key, colour in zip(used, flow_colours(len(used)))]
        for name, (attribute, usual) in THRESHOLDS.items():
            value = units.value_of(str((run.get("attributes") or {}).get(attribute, usual)))
            if value and value < 3 * max(most.values(), default=0):
                lines.append(Line([(t, value) for t in run["span"]], INK, f"{name} of inputs, {si_bytes(value)}",
                                  ":" if name == "GO" else DASHES))
        panels.append(Panel(run, look.label(run), lines, si_bytes))
    return draw_panels(folder, "buffers.png", summary, look, panels, "Buffers of the switch")


def draw_utilization(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw what the port could serve, and what it served."""
    panels = [Panel(run, look.label(run), [
        Line([(t, c * u) for t, c, u in zip(s["time_s"], s["capacity_bps"], s["utilization"])], look.colour[run["cc"]], "served"),
        Line(list(zip(s["time_s"], s["capacity_bps"])), INK, "service rate of the port", DASHES)], si_rate)
        for run, s in panels_of(folder, summary["runs"], "utilization.csv")]
    return draw_panels(folder, "utilization.png", summary, look, panels, "Service rate")


def name_victims(run: dict) -> set:
    """Return the names of the groups of flows that are the victim of the scenario of that name."""
    own = questions.find_victims(run) if get(run, questions.VICTIM.path) is not None else []
    return {str(questions.list_groups(run)[at].get("name")) for at in own}


def draw_groups(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw the goodput of each group of flows: over time, or, of many groups, the mean over the window as bars, sorted."""
    found = [(run, lines_of(s, "group", "goodput_bps")) for run, s in panels_of(folder, summary["runs"], "groups.csv")]
    if max([len(lines) for _, lines in found] or [0]) <= LINES:
        panels = [Panel(run, look.label(run), [
            Line(points, colour, f"{name}, the victim", width=VICTIM) if str(name) in name_victims(run) else Line(points, colour, str(name))
            for colour, (name, points) in zip(flow_colours(len(lines)), lines.items())], si_rate) for run, lines in found]
        return draw_panels(folder, "groups.png", summary, look, panels, "Goodput of each pair of hosts",
                           "as it is delivered to the receiver")
    sheet = Sheet(len(found))
    for row, (ax, (run, lines)) in enumerate(zip(sheet.axes, found)):
        begin, end = run["window_s"] if isinstance(run.get("window_s"), list) else (0, float("inf"))
        values = sorted(mean([v for t, v in points if begin < t <= end] or [v for _, v in points]) for points in lines.values())
        ax.bar(range(1, len(values) + 1), values, width=0.8, color=look.colour[run["cc"]])
        plots.reference(ax, mean(values), f"mean {si_rate(mean(values))}")
        ax.set_ylim(0, max(ax.get_ylim()[1] if row else 0, 1.1 * values[-1]) or 1)     # panels share it
        numbers(ax.yaxis, si_rate)
        if row == 0:
            sheet.head(row, "Goodput of each pair of hosts", "mean over the window of the averages", legend=False)
        sheet.text(row, look.label(run), SMALL, "bold", look.colour[run["cc"]])
        sheet.legend(row)
    sheet.axes[-1].set_xlabel("pairs of hosts, the one with the least goodput first")
    return save(sheet, folder, "groups.png", summary)


def draw_steps(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw how long each step of a collective operation took."""
    sheet = Sheet()
    ax, top = sheet.axes[0], 0.0
    for run, s in panels_of(folder, summary["runs"], "steps.csv"):
        took = [end - begin for begin, end in zip(s["start_s"], s.get("end_s", [])) if begin is not None and end is not None]
        if took:
            ax.plot(range(1, len(took) + 1), took, marker="o", markersize=3,
                    **{**look.line(run), "label": f"{look.label(run)}, median {si_time(sorted(took)[len(took) // 2])}"})
            top = max(top, *took)
    if not top:
        return None
    ax.set_xlabel("step")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    scale(ax, 0, top * 1.12, False)
    numbers(ax.yaxis, si_time)
    sheet.head(0, "Duration of each step", "until every message of it is acknowledged")
    return save(sheet, folder, "steps.png", summary)


def draw_fct(folder: str, summary: dict, look: Look) -> Optional[str]:
    sheet = Sheet()
    ax = sheet.axes[0]
    ends: list = []
    for run in summary["runs"]:
        flows = plots.read_series(folder, run, "flows.csv")
        messages = [x for x, size in zip(flows.get("fct_s", []), flows.get("size_bytes") or flows.get("fct_s", [])) if size != 0]
        fcts = sorted(x for x in messages if x is not None)
        if fcts:    # Flows without an end show as a curve that stays below 1.
            ax.step([fcts[0]] + fcts, [i / len(messages) for i in range(len(fcts) + 1)], where="post", **{
                **look.line(run), "label": look.label(run) + ("" if len(fcts) == len(messages) else
                                                              f" ({len(fcts)} of {len(messages)} ended)")})
            ends += [fcts[0], fcts[-1]]
    if not ends:
        return None
    log = min(ends) > 0 and max(ends) / min(ends) > LOG_RATIO
    if log:
        ax.set_xscale("log")
    else:
        ax.set_xlim(left=0)
    ax.set_xlabel("flow completion time" + (", log scale" if log else ""))
    numbers(ax.xaxis, si_time)
    ax.set_ylim(0, 1.03)
    sheet.head(0, "Flow completion times", "share of the flows that ended by then")
    return save(sheet, folder, "fct.png", summary)


def draw_slowdown(folder: str, summary: dict, look: Look) -> Optional[str]:
    """Draw by decade of size, algorithms side by side: a bar from 1, as fast as alone, to the mean, marks at percentiles."""
    rows = [(r, r["slowdown"]["by_size"]) for r in summary["runs"]
            if isinstance(r.get("slowdown"), dict) and r["slowdown"].get("by_size")]
    if not rows:
        return None
    edges = sorted({(b["from_bytes"], b["to_bytes"]) for _, buckets in rows for b in buckets})
    sheet = Sheet()
    ax, wide, top = sheet.axes[0], 0.8 / len(rows), 1.0
    for i, (run, buckets) in enumerate(rows):
        x = [edges.index((b["from_bytes"], b["to_bytes"])) + (i - (len(rows) - 1) / 2) * wide for b in buckets]
        colour, means, high = look.colour[run["cc"]], [b["mean_slowdown"] for b in buckets], [b["p99_slowdown"] for b in buckets]
        ax.bar(x, [max(m - 1, 0) for m in means], bottom=1, width=0.9 * wide, color=colour, label=look.label(run))
        ax.vlines(x, means, high, color=colour, linewidth=0.8)
        for name, reach in (("p99", 0.45), ("p95", 0.25)):
            at = [(v, b[f"{name}_slowdown"]) for v, b in zip(x, buckets) if f"{name}_slowdown" in b]
            ax.hlines([y for _, y in at], [v - reach * wide for v, _ in at], [v + reach * wide for v, _ in at], color=colour, linewidth=1.5)
        at = [(v, b["p50_slowdown"]) for v, b in zip(x, buckets) if "p50_slowdown" in b]
        ax.plot([v for v, _ in at], [y for _, y in at], linestyle="none", marker="o", markersize=min(5.0, 20 * wide), color=colour,
                markerfacecolor="white", markeredgewidth=1.0)
        top = max([top] + high)
    scale(ax, 1, top * 1.5, True)
    plots.ratios(ax.yaxis)
    most = {e: max(b["count"] for _, buckets in rows for b in buckets if (b["from_bytes"], b["to_bytes"]) == e) for e in edges}
    ax.set_xticks(range(len(edges)))
    ax.set_xticklabels([f"to {si_bytes(e[1])}\n{counted(most[e], 'flow')}" for e in edges], fontsize=SMALL if len(edges) < 5 else NOTE)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("flow size")
    sheet.head(0, "Slowdown by flow size", "completion time / that of the flow alone; bar: mean; "
               "circle: median; short, long mark: 95th, 99th percentile; log scale")
    return save(sheet, folder, "slowdown.png", summary)


# the one with most lines first
FIGURES: dict = {"flow_rates": draw_flow_rates, "windows": draw_windows, "queue": draw_queue, "rate": draw_rate,
                 "fct": draw_fct, "slowdown": draw_slowdown, "utilization": draw_utilization, "buffers": draw_buffers,
                 "groups": draw_groups, "steps": draw_steps}
OF_COMPARE = ("queue", "rate", "fct", "slowdown")
