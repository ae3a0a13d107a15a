# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The sentences for the codes of a program: its warnings and refusals (lab/run/run-file.md)."""
from __future__ import annotations

import urllib.parse
from typing import Callable, Dict, List

from . import quantity
from .model import Fault
from .writer import LINK_KINDS, Writer

FATES = {"retry_limit": "given up at the retry limit, {first}", "paused": "stuck behind a pause{when}", "no_route": "without a route{when}",
         "no_route_back": "without a route for answers{when}", "not_started": "started: what {waits} for had not happened{when}"}
OUTCOMES = {"pfc": "the queue will stay at the PFC limit", "drop": "packets will be dropped", "full": "the queue will stay full"}
UNITS = (("s", 10**9), ("ms", 10**6), ("us", 1000))


def unescape(text: str) -> str:
    """Return the text of a field."""
    return "" if text == "-" else urllib.parse.unquote(text, errors="surrogateescape")


def shown_time(text: str) -> str:
    """Return a time in ns as people write it; exact, and of many digits in the unit below it that has few."""
    ns = int(text)
    shown = quantity.shown("time", ns)
    if ns >= 1000 and len(shown.rstrip("nmus")) > 4:
        name, factor = next(unit for unit in UNITS if ns >= unit[1])
        rest = f"{ns % factor:0{len(str(factor)) - 1}d}".rstrip("0")
        return f"{ns // factor}{'.' if rest else ''}{rest}{name}"
    return shown


def plural(text: str, noun: str) -> str:
    """Return "1 flow" or "3 flows"."""
    return f"{text} {noun}{'' if text == '1' else 's'}"


def say_least_rate(cc: str, least: str, flows: str, together: str, capacity: str, outcome: str) -> str:
    return f"{cc}: r_min x flows = {float(least):.3g} bit/s x {flows} = {float(together):.3g} bit/s is not below the bottleneck's " \
        f"{float(capacity):.3g} bit/s: the senders cannot slow down enough and {OUTCOMES[outcome]}"


def say_never(what: str, at: str, end: str, latest: str) -> str:
    return f"{what} begins at {shown_time(at)}, but the run ends at {shown_time(end)}{' at the latest' if latest == '1' else ''}: it " \
        "never happens"


def say_late_flows(count: str, flows: str, end: str, first: str, waits: str) -> str:
    several = count != "1"
    return f"{count} of {plural(flows, 'flow')} never start{'' if several else 's'}: the run ends at {shown_time(end)} at the latest, " \
        f"{'the first of them' if several else 'it'} is for {shown_time(first)}{' at the earliest' if waits == '1' else ''}"


def say_endless(cc: str, fate: str, count: str, everyone: str, some: str, partial: str, first: str) -> str:
    several = count != "1"
    when = f" when the simulation {'was stopped' if partial == '1' else 'ended'}"
    at = f"{'the first one ' if several else ''}at {shown_time(first)}" if fate == "retry_limit" else ""
    words = FATES[fate].format(first=at, when=when, waits="they wait" if several else "it waits")
    verb = "never" if fate == "not_started" else "were" if several else "was"
    return f"{cc}: {count} of {plural(everyone, 'flow')}{' without an end' if some == '1' else ''} {verb} {words}"


def say_telemetry_paths(cc: str, form: str) -> str:
    what = {"simulator": "has no path id", "paper": "has a path id that parallel links share"}[form]
    return f"packets of a flow may take several paths, and {cc} compares telemetry of different ports: int_form {form} {what}"


def say_storm(port: str, cls: str, since: str, drops: str) -> str:
    return f"pause storm: {port}, class {cls}, is held since {shown_time(since)}{'; its frames are dropped' if drops == '1' else ''}"


def say_ranks_slow(window: str, work: str, largest: str, exchange: str, gain: str) -> str:
    return f"these ranks will not pay: a window of {float(window) / 1e3:.9g} us, the least delay between them, has " \
        f"{float(work) / 1e3:.3g} us of work, of which the largest rank has {float(largest) * 100:.0f} %, and costs an exchange of " \
        f"{float(exchange) / 1e3:.3g} us: about {float(gain):.2g} times as fast as one rank"


def say_fault_never(place: str, kind: str, at: str, end: str, latest: str, count: str) -> str:
    more = f" ({count} faults of the file never happen)" if count != "1" else ""
    latest = " at the latest" if latest == "1" else ""
    return f"{place}: {kind} at {shown_time(at)} never happens: the run ends at {shown_time(end)}{latest}{more}"


def size(text: str) -> str:
    return quantity.shown("size", int(text))


# ---------------------------------------------------------------- faults that cannot be

def kind_of_place(fault: Fault) -> str:
    """Return the key that says where a fault is."""
    return "link" if fault.kind in LINK_KINDS else "switch" if fault.kind == "restart" else "host"


def say_place(fault: Fault) -> str:
    """Return where a fault is, as its file has it: link=4-6, host=3."""
    peer = f"{'>' if fault.one_way else '-'}{fault.peer}" if fault.peer is not None else ""
    return f"{kind_of_place(fault)}={'all' if fault.node is None else fault.node}{peer}"


def say_times(fault: Fault) -> str:
    """Return "from BEGIN to END" or "from BEGIN on"."""
    end = "on" if fault.lasts_ns is None else f"to {quantity.shown('time', fault.at_ns + fault.lasts_ns)}"
    return f"from {quantity.shown('time', fault.at_ns)} {end}"


def say_wrong_field(fault: Fault, field: str, found: str, *expected: str) -> str:
    """Return what is wrong with one value; its limits are the smallest and the largest."""
    key = "every" if field == "TIME" and fault.kind != "delay" else field.lower()
    return f"{key}: found {found}" + (f", expected {' to '.join(expected)}" if expected else "")


def say_burst(fault: Fault, _: str, found: str, burst: str) -> str:
    return f"p: found {quantity.shown('ratio', int(found))}, expected at most {burst}/{int(burst) + 1} with burst={burst}"


def say_no_place(fault: Fault, _: str, found: str, *__: str) -> str:
    where = kind_of_place(fault)
    if where == "link":
        return f"link: found {fault.node}{'>' if fault.one_way else '-'}{fault.peer}, expected two nodes with a link between them"
    return f"{where}: found {found}, expected a {where} of the network"


def say_overlap(fault: Fault, other: Fault) -> str:
    return f"{fault.kind}: found {say_place(fault)} {say_times(fault)}, expected a time outside that of line {other.line}, " \
        f"{say_times(other)}"


def say_rate_set(fault: Fault, node: str, peer: str, begin: str, name: str) -> str:
    return f"rate: found {say_place(fault)} {say_times(fault)}, expected none of {node}-{peer} from " \
        f"{quantity.shown('time', int(begin))} on, as {name} sets its rate"


# By code, KEY: found .., expected .. of a fault, its field, the value found, and the values of the code.
FAULTS: Dict[str, Callable[..., str]] = {
    "burst": say_burst,
    "word": lambda fault, field, found, *_: f"{field.lower()}: found {found}, expected one of DATA, ACK, NAK, CNP, CNM",
    "kind": say_no_place,
    "node": say_no_place,
    "no-link": say_no_place,
    "link-rate": lambda fault, field, found, rate: f"rate: found {found}bps, expected less than the link's {rate}bps",
    "overlap": lambda fault, field, found, other: say_overlap(fault, other),
    "rate-set": lambda fault, field, found, *values: say_rate_set(fault, *values),
}


SENTENCES: Dict[str, Callable[..., str]] = {
    "text": lambda text: text,
    "invariant": lambda text: f"invariant violated {text}",
    "stdout": lambda why: f"cannot write the summary to stdout: {why}",
    "rank-died": lambda rank, at: f"rank {rank} has died: the results are partial, without its nodes, and end at {shown_time(at)}",
    "least-rate": say_least_rate,
    "never": say_never,
    "late-flows": say_late_flows,
    "endless": say_endless,
    "irn-timeout": lambda: "--rto has no effect with RdmaNic.Recovery=irn, whose timeouts are RdmaNic.RtoLow and RtoHigh",
    "timeout-below": lambda timeout, rtt: f"the retransmission timeout of {shown_time(timeout)} is below the round trip of "
                                          f"{shown_time(rtt)}: senders send again what is on its way; --rto sets another",
    "spray-go-back-n": lambda: "packets of a flow may take several paths, and go-back-N sends again what comes out of order: much of what "
                               "is sent is sent twice",
    "telemetry-paths": say_telemetry_paths,
    "telemetry-rates": lambda cc: f"the telemetry that {cc} reads has rates in whole Mb/s, and a link here has another rate: its "
                                  "utilization is wrong by the rest",
    "window-after-end": lambda begin, end: f"the run ended before the window of --window={quantity.shown('time', int(begin))}-"
                                           f"{quantity.shown('time', int(end))}: averages cover all of it",
    "averages-before": lambda begin, last: f"the averages begin at {shown_time(begin)}, before the last flow has started, at "
                                           f"{shown_time(last)}; --window sets another begin",
    "buffer-cycle": lambda ports: f"cyclic buffer dependency: PFC can stop for ever {ports}",
    "deadlock": lambda since, found, ports: f"PFC deadlock at {shown_time(since)}, found at {shown_time(found)}: {ports}",
    "storm": say_storm,
    "lose-unsent": lambda count: f"--lose: {count} of its packets were never sent in this run, and so not lost",
    "tcp-silent": lambda name, at, end: f"--tcp={name} delivered nothing: it begins at {shown_time(at)}, the run ended at "
                                        f"{shown_time(end)}",
    "collective-size": lambda asked, made, messages: f"collective: size={size(asked)} is {size(made)} here: each of {messages} messages "
                                                     "has whole bytes",
    "tcp-late": lambda count, flows, end, first: f"{count} of {plural(flows, 'TCP flow')} never started: the simulation ended at "
                f"{shown_time(end)}, {'it' if count == '1' else 'the first of them'} is for {shown_time(first)}",
    "tcp-running": lambda count, flows: f"{count} of {plural(flows, 'TCP flow')} did not end (still running when the simulation ended)",
    "tcp-cut": lambda count, flows: f"{count} of {plural(flows, 'TCP flow')} did not end (cut off at the stop time of the flow)",
    "ranks-slow": say_ranks_slow,
    "fault-never": say_fault_never,
}


class Speaker:
    """Translates the lines of a program about one run file into sentences."""

    def __init__(self, writer: Writer):
        self.experiment = writer.experiment
        self.faults = writer.faults

    def sentence(self, line: str) -> str:
        """Return the sentence of "CODE VALUE...", in which records are called as the person wrote them. The values are escaped."""
        code, *fields = line.split(" ")
        values = [unescape(field) for field in fields]
        if code == "never":
            values[0] = self.name(values[0])
        elif code == "fault-never":
            values[0] = f"{self.experiment.faults_file}:{self.faults[int(values[0])].line}"
        return SENTENCES[code](*values)

    def name(self, text: str) -> str:
        """Return what a person wrote for "pause 3", the number of a record of its kind."""
        kind, _, number = text.partition(" ")
        return self.experiment.asked_by[kind][int(number or 0)]

    def fault(self, record: int, field: str, code: str, found: str, expected: List[str]) -> str:
        """Return the sentence of why the fault of a record cannot be: FILE:LINE: KEY: found .., expected .."""
        fault = self.faults[record]
        values: list = [self.faults[int(expected[0])]] if code == "overlap" else expected
        return f"{self.experiment.faults_file}:{fault.line}: {FAULTS.get(code, say_wrong_field)(fault, field, found, *values)}"
