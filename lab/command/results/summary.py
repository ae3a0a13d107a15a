# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The table and the sentence: what a run says, in numbers and then in words that follow from the numbers."""
from __future__ import annotations

from typing import Callable, Optional

from . import endings, identified, seeds
from ..common import digits, fit, get, ratio, si_bytes, si_count, si_rate, si_time, terminal_width, wrapped

WIDTH = 100          # the table fits
AT_LIMIT = 0.9       # mean queue / PFC limit from which the queue "sits at" the limit
REACHES_LIMIT = 0.95  # p99 / PFC limit from which it "reaches" it
UNEVEN = 0.8         # Jain's index below which sharing is called uneven
IDLE = 0.9           # utilisation below which the idle part is named
ALIKE = 1.1          # mean queues within this factor are called alike


def has_fct(runs: list) -> bool:
    return any(get(run, "fct.count") for run in runs)


def packets_per_second(run: dict) -> Optional[float]:
    packets, wall = get(run, "packets_delivered"), get(run, "wall_s")
    return packets / wall if packets is not None and wall else None


def factor(value: Optional[float]) -> str:
    return "-" if value is None else digits(value)


def name(run: dict) -> str:
    return seeds.label(run)


def columns(runs: list) -> list:
    """(first header line, second header line, cell of a run) for each column."""
    def clip(run: dict) -> str:
        label = name(run) + (" *" if run.get("partial") else "")
        return label if len(label) <= 28 else label[:27] + "~"

    def cell(show: Callable, path: str) -> Callable:
        """A number, and half of its interval if there are several seeds."""
        return lambda r: show(get(r, path)) + (f" ±{show(seeds.half(r, path))}" if seeds.half(r, path) else "")

    result = [
        ("", "algorithm", clip),
        ("queue", "mean", cell(si_bytes, "queue.mean_bytes")),
        ("queue", "p99", cell(si_bytes, "queue.p99_bytes")),
        ("queue", "max", cell(si_bytes, "queue.max_bytes")),
        ("utili-", "sation", cell(ratio, "utilization")),
        ("PFC", "pauses", cell(si_count, "pfc.pauses")),
        ("", "dropped", cell(si_count, "packets_dropped")),
    ]
    if any(get(r, "frames_lost") for r in runs):
        result.append(("lost", "links", lambda r: si_count(get(r, "frames_lost"))))
    if any(endings.incomplete(r) for r in runs):
        result.append(("not", "ended", lambda r: si_count(endings.incomplete(r))))
    if any(get(r, "jain") is not None for r in runs):
        result.append(("", "Jain", cell(ratio, "jain")))
    if has_fct(runs):
        result.append(("FCT", "mean", cell(si_time, "fct.mean_s")))
        if any(get(r, "slowdown.count") for r in runs):  # of many sizes: times of the largest flows tell little
            result += [("slowdown", "mean", cell(factor, "slowdown.mean")),
                       ("slowdown", "p99", cell(factor, "slowdown.p99"))]
        else:
            result.append(("FCT", "p99", cell(si_time, "fct.p99_s")))
    return result


def speed(runs: list) -> str:
    """What the simulation cost: a line of its own, for it says nothing about the network."""
    parts = [f"{si_time(get(run, 'wall_s'))}, {si_count(packets_per_second(run))} packets per s ({name(run)})" for run in runs
             if get(run, "wall_s") is not None]
    return "simulator: " + "; ".join(parts) if parts else ""


def table(runs: list) -> str:
    """The table as plain text, at most as wide as the terminal and WIDTH; what does not fit beside follows below."""
    cols = columns(runs)
    rows = [[c[0] for c in cols], [c[1] for c in cols]] + [[c[2](run) for c in cols] for run in runs]
    return fit(rows, 2, 1, terminal_width(WIDTH))


def headline(summary: dict) -> str:
    """What was run, from the first run's own account of it."""
    runs = summary["runs"]
    run = runs[0] if runs else {}
    flows, hosts = get(run, "flows"), get(run, "hosts")
    parts = [str(run.get("scenario", "run")) + ":"]
    facts = []
    if flows is not None:
        facts.append(f"{flows:.0f} flows" if flows != 1 else "1 flow")
    if hosts is not None:
        facts.append(f"{hosts:.0f} hosts")
    if get(run, "rate_bps") is not None:
        facts.append(si_rate(get(run, "rate_bps")))
    if get(run, "sim_s") is not None:
        facts.append(f"{si_time(get(run, 'sim_s'))} simulated")
    window = run.get("window_s")
    if isinstance(window, list) and len(window) == 2:
        facts.append(f"averages over {window[0]:.4g} to {window[1]:.4g} s")
    if run.get("seeds"):
        facts.append(f"{len(run['seeds'])} seeds, means with half of the 95 % interval")
    elif run.get("seed") is not None:
        facts.append(f"seed {run['seed']}")
    return " ".join(parts) + " " + ", ".join(facts)


def names(runs: list) -> str:
    words = [name(run) for run in runs]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def queue_words(runs: list) -> str:
    """Who keeps the queue low, by what factor, at which utilisation."""
    known = sorted((r for r in runs if get(r, "queue.mean_bytes") is not None), key=lambda r: r["queue"]["mean_bytes"])
    if not known:
        return "no queue was measured"

    def at(run: dict) -> str:
        use = get(run, "utilization")
        return f"{si_bytes(get(run, 'queue.mean_bytes'))}" + ("" if use is None else f" at utilisation {use:.2f}")

    best, low = known[0], known[0]["queue"]["mean_bytes"]
    use = get(best, "utilization")
    # flows that end may leave the link idle because they have nothing to send: that is no cost of the low queue
    idle = (f", leaving {100 * (1 - use):.0f} % of the link idle"
            if use is not None and use < IDLE and best.get("fct") is None else "")
    if len(known) == 1:
        p99 = get(best, "queue.p99_bytes")
        return (f"{name(best)} has a mean queue of {at(best)}"
                + (f" (p99 {si_bytes(p99)})" if p99 is not None else "") + idle)
    high = known[-1]["queue"]["mean_bytes"]
    if high <= ALIKE * low:
        return "the mean queues are alike: " + ", ".join(f"{name(r)} {at(r)}" for r in known)
    others = []
    for run in known[1:]:
        factor = f", {digits(run['queue']['mean_bytes'] / low, 2)} times as much" if low > 0 else ""
        others.append(f"{name(run)} holds {at(run)}{factor}")
    return f"{name(best)} keeps the lowest mean queue, {at(best)}{idle}; " + "; ".join(others)


def pfc_words(runs: list) -> list:
    def share(run: dict, path: str) -> float:
        limit, value = get(run, "pfc_limit_bytes"), get(run, path)
        return value / limit if limit and value is not None else 0.0

    sits = [r for r in runs if share(r, "queue.mean_bytes") >= AT_LIMIT]
    reaches = [r for r in runs if r not in sits and share(r, "queue.p99_bytes") >= REACHES_LIMIT]
    paused = [r for r in runs if r not in sits and r not in reaches and (get(r, "pfc.pauses") or 0) > 0]
    parts = []
    if sits:
        parts.append(f"{names(sits)} {'sits' if len(sits) == 1 else 'sit'} at the PFC limit"
                     f" ({si_bytes(get(sits[0], 'pfc_limit_bytes'))})")
    if reaches:
        parts.append(f"{names(reaches)} {'reaches' if len(reaches) == 1 else 'reach'} the PFC limit"
                     f" ({si_bytes(get(reaches[0], 'pfc_limit_bytes'))})")
    if paused:
        parts.append(f"PFC paused senders at times under {names(paused)}")
    return parts


def loss_words(runs: list) -> list:
    parts = [text for text in (endings.loss_words(r, name(r)) for r in runs) if text]
    known = all(endings.lost(r) is not None for r in runs)
    return parts or (["no packet was lost"] if runs and known else [])


def fairness_words(runs: list) -> list:
    poor = [r for r in runs if get(r, "jain") is not None and get(r, "jain") < UNEVEN]
    if not poor:
        return []
    return ["bandwidth is shared unevenly under " + ", ".join(f"{name(r)} (Jain {get(r, 'jain'):.2f})" for r in poor)]


def fct_words(runs: list) -> list:
    complete = [r for r in runs if get(r, "fct.count") and get(r, "fct.mean_s") is not None and not endings.incomplete(r)]
    parts = []
    if len(complete) > 1:  # the mean of those that happened to end is not comparable with a mean over all
        order = sorted(complete, key=lambda r: r["fct"]["mean_s"])
        parts.append("mean completion times are "
                     + ", ".join(f"{si_time(get(r, 'fct.mean_s'))} ({name(r)})" for r in order))
    return parts + [text for text in (endings.ended_words(r, name(r)) for r in runs) if text]


RED = ("kmin", "kmax", "pmax")


def marking_words(runs: list) -> str:
    """Which RED each algorithm had, where several are compared; "" if nothing was marked by RED."""
    marked: dict = {}
    for run in runs:
        parameters = run.get("parameters")
        if isinstance(parameters, dict) and all(key in parameters for key in RED):
            marked.setdefault(tuple(str(parameters[key]) for key in RED), []).append(name(run))
    if len(runs) < 2 or not marked:
        return ""
    text = "RED marking (Kmin, Kmax, Pmax): " + "; ".join(", ".join(who) + " " + " ".join(red) for red, who in marked.items())
    if len(marked) > 1:
        same = " ".join(f"--{key}={value}" for key, value in zip(RED, list(marked)[-1]))
        text += f". The same for all: {same}"
    return text


def sentence(runs: list) -> str:
    """One line in words, derived from the numbers of the table."""
    if not runs:
        return "There is no result."
    idle = [r for r in runs if get(r, "packets_delivered") == 0]
    parts = [f"{names(idle)} delivered nothing"] if idle else []
    alive = [r for r in runs if r not in idle]
    if alive:
        parts += [queue_words(alive)] + pfc_words(alive)
    parts += [text for text in (endings.deadlock_words(r, name(r)) for r in runs) if text]
    parts += loss_words(runs) + fairness_words(alive) + fct_words(runs)
    text = "; ".join(parts) + "."
    if any(r.get("partial") for r in runs):
        text = "partial result, stopped early: " + text
    return text if text.startswith(tuple(name(r) for r in runs)) else text[0].upper() + text[1:]


def text(summary: dict) -> str:
    """All that ./rcc run prints about its results."""
    runs = seeds.averaged(summary["runs"])
    width = terminal_width(WIDTH)
    lines = [wrapped(headline({**summary, "runs": runs}), width), "", table(runs)]
    if any(run.get("partial") for run in runs):
        lines.append("* PARTIAL: the simulation was stopped before its end")
    if summary.get("partial") and (summary.get("missing") or not any(run.get("partial") for run in runs)):
        lines.append("PARTIAL: " + ("; ".join(endings.missing_words(summary)) or "not every algorithm was run"))
    return "\n".join(lines + ["", wrapped(sentence(runs), width)]
                     + [wrapped(line, width) for line in [marking_words(runs), identified.run_words(runs), speed(runs)] if line])
