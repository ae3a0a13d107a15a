# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""trace.json: queue, sending rate and pauses of every port as a trace in Chrome's JSON format, which ui.perfetto.dev opens. A node is a
process, a paused class of a port a thread with a slice for each pause; queue and rate are counters of the process."""
from __future__ import annotations

import json
import os

from ..read import series
from ... import below
from ...common import get

NAME = "trace.json"
SERIES, PAUSES = "port_series.csv", "port_pauses.csv"
FILES = [SERIES, PAUSES, NAME]


def microseconds(seconds: float) -> float:
    return round(seconds * 1e6, 3)


class Threads:
    """Numbers for processes and threads, and the events that name them."""

    def __init__(self):
        self.known: dict = {}
        self.events: list = []

    def process(self, port: str) -> int:
        """Return the process of a port, "host 3 port 0": 4; 0 would be the idle process."""
        node = port.partition(" port ")[0]
        pid = int(node.split()[-1]) + 1
        if pid not in self.known:
            self.known[pid] = {}
            self.events.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": node}})
            self.events.append({"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}})
        return pid

    def thread(self, port: str, cls: int) -> tuple:
        """(process, thread) of a class of a port."""
        pid = self.process(port)
        name = f"port {port.partition(' port ')[2]} class {cls}"
        if name not in self.known[pid]:
            self.known[pid][name] = len(self.known[pid]) + 1
            self.events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": self.known[pid][name], "args": {"name": name}})
        return pid, self.known[pid][name]


def slices(columns: dict, end: float, threads: Threads) -> list:
    """A complete event for each pause; one that is not over ends with the simulation."""
    open_pauses: dict = {}
    found = []
    for t, port, cls, paused in zip(*(columns[name] for name in ("time_s", "port", "class", "paused"))):
        key = (port, int(cls))
        if paused:
            open_pauses.setdefault(key, t)
        elif key in open_pauses:
            found.append((open_pauses.pop(key), t, key))
    found += [(begin, end, key) for key, begin in open_pauses.items()]
    events = []
    for begin, until, (port, cls) in sorted(found):
        pid, tid = threads.thread(port, cls)
        events.append({"ph": "X", "name": "paused", "cat": "pfc", "ts": microseconds(begin),
                       "dur": microseconds(max(until - begin, 0)), "pid": pid, "tid": tid, "args": {"class": cls}})
    return events


def counters(columns: dict, threads: Threads) -> list:
    """Counter events of queue and rate."""
    events = []
    for t, port, queue, sent in zip(*(columns[name] for name in ("time_s", "port", "queue_bytes", "sent_bps"))):
        number = port.partition(" port ")[2]
        base: dict = {"ph": "C", "ts": microseconds(t), "pid": threads.process(port), "tid": 0}
        events.append({**base, "name": f"port {number} queue (bytes)", "args": {"bytes": queue}})
        events.append({**base, "name": f"port {number} sent (Gbit/s)", "args": {"Gbit/s": round(sent / 1e9, 6)}})
    return events


def write(folder: str, run: dict) -> None:
    """Write the trace of a run from the port series in its folder. Raises OSError."""
    threads = Threads()
    pauses, rows = series.read(os.path.join(folder, PAUSES)), series.read(os.path.join(folder, SERIES))
    last = max([get(run, "sim_s") or 0.0, *pauses["time_s"][-1:], *rows["time_s"][-1:]])
    events = slices(pauses, last, threads) + counters(rows, threads)
    with below.replace(*below.split_run(os.path.join(folder, NAME))) as f:
        f.write('{"displayTimeUnit": "ns", "otherData": ' + json.dumps({"rcc": str(run.get("rcc_version")), "cc": str(run.get("cc"))})
                + ', "metadata": {"highres-ticks": true}, "traceEvents": [\n')   # chrome://tracing warns of a coarse clock without it
        f.write(",\n".join(json.dumps(event) for event in threads.events + events))
        f.write("\n]}\n")
