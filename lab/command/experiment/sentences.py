# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The sentences for the codes of a program: its warnings and refusals (lab/run/run-file.md), a format string for each code.

A format has the kinds of SPECS, or 1=ONE|OTHER, which is ONE for a value of 1 and OTHER for any other."""
from __future__ import annotations

import string
from typing import Callable, Dict, List

from . import quantity
from .model import Fault
from .writer import LINK_KINDS, Writer

OUTCOMES = {"pfc": "the queue will stay at the PFC limit", "drop": "packets will be dropped", "full": "the queue will stay full"}
PATHS = {"simulator": "has no path id", "paper": "has a path id that parallel links share"}
UNITS = (("s", 10**9), ("ms", 10**6), ("us", 1000))


def unescape(text: str) -> str:
    """Return the text of a field."""
    import urllib.parse     # here: most runs are not refused
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


SPECS: Dict[str, Callable[[str], str]] = {
    "time": shown_time, "exact": lambda text: quantity.shown("time", int(text)), "size": lambda text: quantity.shown("size", int(text)),
    "ratio": lambda text: quantity.shown("ratio", int(text)),
    "g3": lambda text: f"{float(text):.3g}", "g2": lambda text: f"{float(text):.2g}",
    "us9": lambda text: f"{float(text) / 1e3:.9g}", "us3": lambda text: f"{float(text) / 1e3:.3g}",
    "percent": lambda text: f"{float(text) * 100:.0f}", "next": lambda text: str(int(text) + 1),
    "outcome": OUTCOMES.__getitem__, "paths": PATHS.__getitem__,
}


class Formatter(string.Formatter):
    """A formatter of values that are texts."""

    def format_field(self, value: str, format_spec: str) -> str:
        """Return a value as a kind of SPECS, as one of two texts, or as it is."""
        if format_spec.startswith("1="):
            one, _, other = format_spec[2:].partition("|")
            return one if value == "1" else other
        return SPECS[format_spec](value) if format_spec else value


FORMATTER = Formatter()
FLOWS = "{0} of {1} flow{1:1=|s}"
TCP_FLOWS = "{0} of {1} TCP flow{1:1=|s}"
WHEN = " when the simulation {5:1=was stopped|ended}"
SENTENCES: Dict[str, str] = {
    "text": "{0}",
    "invariant": "invariant violated {0}",
    "stdout": "cannot write the summary to stdout: {0}",
    "rank-died": "rank {0} has died: the results are partial, without its nodes, and end at {1:time}",
    "least-rate": "{0}: r_min x flows = {1:g3} bit/s x {2} = {3:g3} bit/s is not below the bottleneck's {4:g3} bit/s: the senders cannot "
                  "slow down enough and {5:outcome}",
    "never": "{0} begins at {1:time}, but the run ends at {2:time}{3:1= at the latest}: it never happens",
    "late-flows": FLOWS + " never start{0:1=s}: the run ends at {2:time} at the latest, {0:1=it|the first of them} is for {3:time}"
                          "{4:1= at the earliest}",
    "endless": "{0}: {2} of {3} flow{3:1=|s}{4:1= without an end} ",    # FATES has the end
    "irn-timeout": "--rto has no effect with RdmaNic.Recovery=irn, whose timeouts are RdmaNic.RtoLow and RtoHigh",
    "timeout-below": "the retransmission timeout of {0:time} is below the round trip of {1:time}: senders send again what is on its way; "
                     "--rto sets another",
    "spray-go-back-n": "packets of a flow may take several paths, and go-back-N sends again what comes out of order: much of what is sent "
                       "is sent twice",
    "telemetry-paths": "packets of a flow may take several paths, and {0} compares telemetry of different ports: int_form {1} {1:paths}",
    "telemetry-rates": "the telemetry that {0} reads has rates in whole Mb/s, and a link here has another rate: its utilization is wrong "
                       "by the rest",
    "window-after-end": "the run ended before the window of --window={0:exact}-{1:exact}: averages cover all of it",
    "averages-before": "the averages begin at {0:time}, before the last flow has started, at {1:time}; --window sets another begin",
    "buffer-cycle": "cyclic buffer dependency: PFC can stop for ever {0}",
    "deadlock": "PFC deadlock at {0:time}, found at {1:time}: {2}",
    "storm": "pause storm: {0}, class {1}, is held since {2:time}{3:1=; its frames are dropped}",
    "lose-unsent": "--lose: {0} of its packets were never sent in this run, and so not lost",
    "tcp-silent": "--tcp={0} delivered nothing: it begins at {1:time}, the run ended at {2:time}",
    "collective-size": "collective: size={0:size} is {1:size} here: each of {2} messages has whole bytes",
    "tcp-late": TCP_FLOWS + " never started: the simulation ended at {2:time}, {0:1=it|the first of them} is for {3:time}",
    "tcp-running": TCP_FLOWS + " did not end (still running when the simulation ended)",
    "tcp-cut": TCP_FLOWS + " did not end (cut off at the stop time of the flow)",
    "ranks-slow": "these ranks will not pay: a window of {0:us9} us, the least delay between them, has {1:us3} us of work, of which the "
                  "largest rank has {2:percent} %, and costs an exchange of {3:us3} us: about {4:g2} times as fast as one rank",
    "fault-never": "{0}: {1} at {2:time} never happens: the run ends at {3:time}{4:1= at the latest}"
                   "{5:1=| ({5} faults of the file never happen)}",
}
FATES = {
    "retry_limit": "{2:1=was|were} given up at the retry limit, {2:1=|the first one }at {6:time}",
    "paused": "{2:1=was|were} stuck behind a pause" + WHEN,
    "no_route": "{2:1=was|were} without a route" + WHEN,
    "no_route_back": "{2:1=was|were} without a route for answers" + WHEN,
    "not_started": "never started: what {2:1=it waits|they wait} for had not happened" + WHEN,
}
OF_ALGORITHM = ("least-rate", "endless", "telemetry-paths", "telemetry-rates")    # codes whose first value is an algorithm of the core
# A fault that cannot be: KEY: found .., expected .., with the values of the code and the words of Speaker.fault.
NO_PLACE = "{where}: found {found}, expected {place_expected}"
FAULTS: Dict[str, str] = {
    "burst": "p: found {found:ratio}, expected at most {0}/{0:next} with burst={0}",
    "word": "{key}: found {found}, expected one of DATA, ACK, NAK, CNP, CNM",
    "kind": NO_PLACE, "node": NO_PLACE, "no-link": NO_PLACE,
    "link-rate": "rate: found {found}bps, expected less than the link's {0}bps",
    "overlap": "{kind}: found {place} {times}, expected a time outside that of line {0}, {1}",
    "rate-set": "rate: found {place} {times}, expected none of {0}-{1} from {2:exact} on, as {3} sets its rate",
}


def show_times(fault: Fault) -> str:
    """Return "from BEGIN to END" or "from BEGIN on"."""
    end = "on" if fault.lasts_ns is None else f"to {quantity.shown('time', fault.at_ns + fault.lasts_ns)}"
    return f"from {quantity.shown('time', fault.at_ns)} {end}"


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
        elif code in OF_ALGORITHM:
            values[0] = next((one.name for one in self.experiment.algorithms if one.core == values[0]), values[0])
        elif code == "fault-never":
            values[0] = f"{self.experiment.faults_file}:{self.faults[int(values[0])].line}"
        return FORMATTER.format(SENTENCES[code] + (FATES[values[1]] if code == "endless" else ""), *values)

    def name(self, text: str) -> str:
        """Return what a person wrote for "pause 3", the number of a record of its kind."""
        kind, _, number = text.partition(" ")
        return self.experiment.asked_by[kind][int(number or 0)]

    def fault(self, record: int, field: str, code: str, found: str, expected: List[str]) -> str:
        """Return the sentence of why the fault of a record cannot be: FILE:LINE: KEY: found .., expected .."""
        fault = self.faults[record]
        where = "link" if fault.kind in LINK_KINDS else "switch" if fault.kind == "restart" else "host"
        ends = f"{fault.node}{'>' if fault.one_way else '-'}{fault.peer}" if fault.peer is not None else str(fault.node)
        key = "every" if code not in FAULTS and field == "TIME" and fault.kind != "delay" else field.lower()
        if code == "overlap":
            other = self.faults[int(expected[0])]
            expected = [str(other.line), show_times(other)]
        text = FAULTS.get(code, "{key}: found {found}" + (", expected {span}" if expected else ""))
        return f"{self.experiment.faults_file}:{fault.line}: " + FORMATTER.format(
            text, *expected, key=key, kind=fault.kind, where=where, times=show_times(fault), span=" to ".join(expected),
            found=ends if text is NO_PLACE and where == "link" else found, place=f"{where}={'all' if fault.node is None else ends}",
            place_expected="two nodes with a link between them" if where == "link" else f"a {where} of the network")
