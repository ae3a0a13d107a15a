# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The ranks of a trace in a simulation: when each operation began and ended, how long the step took, how much of its communication is
exposed, and the rank that each rank waited for."""
from __future__ import annotations

import csv
import json
import os
from array import array
from typing import Callable, NamedTuple, Optional

from . import bandwidth, gantt
from .schedule import CALC, NAMES, RECV, SEND, Flows, Schedule
from .. import below
from ..common import EXIT_FAILED, RccError, align, counted, si_time, warn
from ..experiment.paths import ARRIVED, BIT_NS, Paths, Way
from ..results.read import results

RANKS, OPERATIONS = "ranks.csv", "operations.json"
SHOWN = 100_000    # operations of the timeline
COLLECTIVES = 9    # a rank's thread of the timeline, beside those of CALC, SEND and RECV
LATENCY = 10_000   # ns of a message beside its bytes, or less


class Trace(NamedTuple):
    """A trace that is simulated. Computing is scaled already."""
    schedule: Schedule
    order: array        # the order of its events
    flows: Flows        # on the network, in the order of flows.csv
    local: dict         # ns of the other sends
    per_host: int       # ranks
    nodes: list         # the name of each rank's host, or of its NIC, in the network
    plots: bool         # whether gantt.png is wanted

    def times(self, end_of: Callable, received: Callable, end_together: Optional[Callable] = None) -> array:
        """Return the ns of every event.

        Args:
            end_of: of a flow's number and its start, the time at which the flow is acknowledged.
            received: of a flow's number, the time at which its last byte has arrived.
            end_together: of the first number, the number behind the last one and the start, both times of flows that start together.
        """
        s = self.schedule
        last, previous, before, partner, local = s.last, s.previous, s.event, s.partner, self.local
        fans = s.first_send
        number = array("i", [-1]) * len(s)
        for k, operation in enumerate(self.flows.operation):
            number[operation] = k
        times = array("q", [0]) * (2 * len(s))
        for event in self.order:
            i = event >> 1
            if not event & 1:
                latest, wait = 0, last[i]
                fan = s.fan_of(i) if fans else None
                if fan and i >= fan.done:
                    latest = fan.latest(times, i - fan.done)
                while wait >= 0:
                    latest = max(latest, times[before[wait]])
                    wait = previous[wait]
                times[event] = latest
            elif number[i] >= 0:
                times[event] = end_of(number[i], times[event - 1])
                if i in fans:
                    fan, member = fans[i]
                    sends, first, start = fan.sends(member), number[i], times[event - 1]
                    numbers, step = range(first, first + len(sends)), 2 * sends.step     # the flows of Paths.fan
                    ends, arrivals = end_together(first, first + len(sends), start) if end_together else \
                        ([end_of(k, start) for k in numbers], [received(k) for k in numbers])
                    for at, column in enumerate(([start] * len(sends), ends, [], arrivals)):
                        if column:
                            times[2 * sends.start + at:2 * sends.stop + at:step] = array("q", column)
            else:
                own = times[event - 1] + (s.size[i] if s.kind[i] == CALC else local.get(i, 0))
                send = partner[i]
                times[event] = own if send < 0 else max(own, received(number[send]) if number[send] >= 0 else times[2 * send + 1])
        return times

    def estimate(self, paths: Paths, number: dict, frame_bytes: int) -> int:
        """Return the ns that the step takes on an idle network where no message waits for another, and each takes the time of its bytes and
        LATENCY more, or more by its path; at least what the busiest link needs for its bytes. `number`: of each node by name."""
        s, size, flows = self.schedule, self.schedule.size, self.flows.operation
        at = array("i", [number[name] for name in self.nodes])
        kind = paths.kind
        alone: dict = {}     # (ns until the answer, ns until the last byte) by kinds and bytes
        acked, arrived = array("q"), array("q")
        for i in flows:
            source, target, one = at[s.rank[i]], at[s.peer[i]], size[i]
            paths.add(source, target, one)
            key = (kind[source], kind[target], one)
            if key not in alone:
                alone[key] = times_alone(paths.way(source, target) or ARRIVED, one, frame_bytes)
            acked.append(alone[key][0])
            arrived.append(alone[key][1])
        arrivals = array("q", [0]) * len(flows)

        def end_of(k: int, start: int) -> int:
            arrivals[k] = start + arrived[k]
            return start + acked[k]

        def end_together(first: int, end: int, start: int) -> tuple:
            arrivals[first:end] = array("q", [start + ns for ns in arrived[first:end]])
            return array("q", [start + ns for ns in acked[first:end]]), arrivals[first:end]

        times = self.times(end_of, arrivals.__getitem__, end_together)
        return max(max(times, default=0), paths.busiest_ns())

    def measure(self, folder: str, run: dict, timeline: bool) -> dict:
        """Write what ranks did beside a run's other results. Returns its run.json with `step`. Raises RccError if it is not over."""
        ends, starts, received = read_flows(os.path.join(folder, "flows.csv"), len(self.flows))
        missing = sum(end < 0 for end in ends)
        if missing:
            return {**run, "step": {"step_s": None, "messages": len(ends), "messages_not_delivered": missing}}
        times = self.times(lambda k, _: ends[k], received.__getitem__, lambda first, end, _: (ends[first:end], received[first:end]))
        rows = self.rows(times)
        s = self.schedule
        found = bandwidth.measure(s, times, zip(self.flows.operation, (end - start for end, start in zip(ends, starts))))
        try:
            write_ranks(folder, rows)
            if found:
                bandwidth.write(folder, found)
            if timeline:
                self.write_timeline(folder, times)
        except OSError as error:
            raise RccError(f"{folder}: {error.strerror or error}", EXIT_FAILED) from error
        last = max(rows, key=lambda row: row["end"])
        if self.plots:
            self.draw(folder, times, rows, str(run.get("label") or run.get("cc")))
        return {**run, "files": [*run.get("files", []), bandwidth.NAME, results.GANTT], "step": {
            "step_s": last["end"] / 1e9, "ranks": len(rows), "operations": len(self.schedule), "messages": len(ends),
            "slowest_rank": last["rank"], "waited_for": last["waited_for"], "compute_s": last["compute"] / 1e9,
            "exposed_s": last["exposed"] / 1e9, "mean_exposed_s": sum(row["exposed"] for row in rows) / len(rows) / 1e9,
            "collectives": bandwidth.summary(found)}}

    def rows(self, times: array) -> list:
        """Return the times of each rank, in ns."""
        s = self.schedule
        computing, busy = self.intervals(times)
        last: list = [-1] * s.ranks    # the operation that ends last
        for i, rank in enumerate(s.rank):
            if last[rank] < 0 or times[2 * i + 1] >= times[2 * last[rank] + 1]:
                last[rank] = i
        found = []
        for rank in range(s.ranks):
            messages = [one[:2] for one in busy[rank]]
            compute, both = covered(computing[rank]), covered(computing[rank] + messages)
            found.append({"rank": rank, "host": self.nodes[rank], "end": times[2 * last[rank] + 1] if last[rank] >= 0 else 0,
                          "compute": compute, "communication": covered(messages), "exposed": both - compute,
                          "waited_for": self.waited_for(last[rank], times)})
        return found

    def kinds(self) -> list:
        """List the kinds of communication, as intervals() numbers them."""
        return list(dict.fromkeys([*(one.kind for one in self.schedule.collectives), "send and receive"]))

    def intervals(self, times: array) -> tuple:
        """Return when each rank computes, and when it communicates for which of kinds(), in ns. A rank is in a collective from entering to
        leaving it."""
        s = self.schedule
        numbers = {kind: k for k, kind in enumerate(self.kinds())}
        computing: list = [[] for _ in range(s.ranks)]
        busy: list = [[] for _ in range(s.ranks)]
        for i, rank in enumerate(s.rank):
            if s.part[i] != -1 or times[2 * i + 1] == times[2 * i]:
                continue
            if s.kind[i] == CALC:
                computing[rank].append((times[2 * i], times[2 * i + 1]))
            else:
                busy[rank].append((times[2 * i], times[2 * i + 1], numbers["send and receive"]))
        for one in s.collectives:
            for rank, enter, leave in zip(one.ranks, one.enters, one.leaves):
                busy[rank].append((times[2 * enter + 1], times[2 * leave + 1], numbers[one.kind]))
        return computing, busy

    def draw(self, folder: str, times: array, rows: list, name: str) -> None:
        """Draw the ranks over time. A failure is a warning."""
        from ..results.draw.drawing import plotting_process
        last = max(rows, key=lambda row: row["end"])
        computing, busy = self.intervals(times)
        job = {"path": os.path.join(folder, results.GANTT), "rows": gantt.raster(computing, busy, self.kinds(), last["end"]),
               "kinds": self.kinds(),
               "end_s": last["end"] / 1e9, "slowest": last["rank"],
               "together": sum(row["end"] == last["end"] for row in rows), "title": f"{os.path.basename(self.schedule.path)}, {name}"}
        trouble = plotting_process(["-m", "command.traces.gantt"], json.dumps(job))
        if trouble:
            warn(f"no {results.GANTT}: {trouble}")

    def waited_for(self, operation: int, times: array) -> Optional[int]:
        """Return the first other rank whose message an operation waited for last, going back along its waits; None if there is none."""
        s = self.schedule
        event = 2 * operation + 1
        while event >= 0:
            i = event >> 1
            if event % 2 and s.partner[i] >= 0 and times[event] > times[event - 1]:
                return s.rank[s.partner[i]]
            event = event - 1 if event % 2 else max(s.before(i) or [-1], key=lambda e: times[e] if e >= 0 else 0)
        return None

    def write_timeline(self, folder: str, times: array) -> None:
        """Write the first operations as a trace in Chrome's JSON format, a thread for each kind of a rank."""
        s = self.schedule
        with below.replace(*below.split_run(os.path.join(folder, OPERATIONS))) as f:
            f.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            threads = [("process_name", rank, 0, f"rank {rank}") for rank in range(s.ranks)]
            threads += [("thread_name", rank, kind + 1, NAMES[kind]) for rank in range(s.ranks) for kind in (CALC, SEND, RECV)]
            threads += [("thread_name", rank, COLLECTIVES, "collectives")
                        for rank in sorted({rank for one in s.collectives for rank in one.ranks})]
            names = [json.dumps({"ph": "M", "name": kind, "pid": rank + 1, "tid": thread, "args": {"name": name}})
                     for kind, rank, thread, name in threads]
            f.write(",\n".join(names))

            def write(name: str, kind: str, begin: int, end: int, rank: int, thread: int, more: dict) -> None:
                f.write(",\n" + json.dumps({"ph": "X", "name": name, "cat": kind, "ts": begin / 1000, "dur": (end - begin) / 1000,
                                            "pid": rank + 1, "tid": thread, "args": more}))

            for one in s.collectives[:SHOWN]:
                for rank, enter, leave in zip(one.ranks, one.enters, one.leaves):
                    write(f"{one.kind}: {one.name}", "collective", times[2 * enter + 1], times[2 * leave + 1], rank, COLLECTIVES,
                          {"bytes": one.size, "ranks": len(one.ranks), "algorithm": one.algorithm})
            for i in range(min(len(s), SHOWN)):
                write(s.label[i] or NAMES[s.kind[i]], NAMES[s.kind[i]], times[2 * i], times[2 * i + 1], s.rank[i], s.kind[i] + 1,
                      {"line": s.line[i], **({} if s.kind[i] == CALC else {"peer": s.peer[i], "bytes": s.size[i]})})
            f.write("\n]}\n")


def times_alone(way: Way, size: int, frame_bytes: int) -> tuple:
    """Return (ns until a message is acknowledged, ns until its last byte arrives) where nothing is in its way."""
    sent, frame = size * BIT_NS // way.rate_bps, min(size, frame_bytes)
    return sent + max(LATENCY, way.round_trip_ns(frame)), sent + max(LATENCY, way.transit_ns(frame))


def covered(intervals: list) -> int:
    """Return how much of the time is in one of the intervals."""
    total, until = 0, -1
    for begin, end in sorted(intervals):
        total += max(0, end - max(begin, until))
        until = max(until, end)
    return total


def read_flows(path: str, count: int) -> tuple:
    """Read the ends, the starts and the arrivals of the last bytes of the flows, ns; -1 of one that has not ended."""
    ends, starts, received = array("q"), array("q"), array("q")
    with open(path, encoding="utf-8") as f:
        rows = csv.reader(f)
        names = next(rows, [])
        start, fct, arrival = (names.index(name) for name in ("start_s", "fct_s", "received_s"))
        for row in rows:
            begin = round(float(row[start]) * 1e9)
            starts.append(begin)
            ends.append(begin + round(float(row[fct]) * 1e9) if row[fct] else -1)
            received.append(begin + round(float(row[arrival]) * 1e9) if row[arrival] else -1)
    if len(ends) != count:
        raise RccError(f"{path}: found {counted(len(ends), 'flow')}, expected the {counted(count, 'message')} of the trace", EXIT_FAILED)
    return ends, starts, received


def write_ranks(folder: str, rows: list) -> None:
    with below.replace(*below.split_run(os.path.join(folder, RANKS))) as f:
        f.write("rank,host,end_s,compute_s,communication_s,exposed_s,waited_for\n")
        for row in rows:
            f.write(f"{row['rank']},{row['host']}," + ",".join(f"{row[name] / 1e9:.9f}" for name in
                                                                ("end", "compute", "communication", "exposed"))
                    + f",{'' if row['waited_for'] is None else row['waited_for']}\n")


def text(runs: list) -> str:
    """Format the steps of all runs as a table. A run of one seed out of several is named with it."""
    several = len({run.get("seed") for run in runs}) > 1
    rows = [["algorithm", "step", "exposed, mean", "slowest", "its compute", "exposed", "waited for"]]
    for run in runs:
        step = run["step"]
        name = str(run.get("label") or run.get("cc")) + (f", seed {run.get('seed')}" if several else "")
        if step["step_s"] is None:
            rows.append([name, f"not over: {step['messages_not_delivered']} of {counted(step['messages'], 'message')} "
                         f"{'is' if step['messages_not_delivered'] == 1 else 'are'} not delivered; a longer "
                         "--time?"])
            continue
        rows.append([name, si_time(step["step_s"]), si_time(step["mean_exposed_s"]), f"rank {step['slowest_rank']}",
                     si_time(step["compute_s"]), si_time(step["exposed_s"]),
                     "its own sends" if step["waited_for"] is None else f"rank {step['waited_for']}"])
    return align(rows) + bandwidth.text(runs)
