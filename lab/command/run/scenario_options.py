# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The options that scenarios have of their own, and their values. Those of every run are in options.py."""
from __future__ import annotations

from typing import Dict, Optional

from .. import units
from ..common import RccError
from ..experiment import quantity
from ..experiment.option_values import Option
from .options import LINE_RATE, METAVARS, Declared

TIME_MIN, TIME_MAX = 1000, 10**12     # the limits of --time, ns


def smallest(unit: str, text: str) -> Optional[int]:
    """Read a quantity in ns, bit/s, bytes or 1e-9, rounded to nearest; None if it is none."""
    value, expected = quantity.read(unit, text)
    return None if expected else value


def as_time(ns: int) -> str:
    """Format a time as short as it is exact."""
    return quantity.shown("time", ns)


def for_people(ns: int) -> str:
    """Format a time in the unit that people use, exactly."""
    for name, places in (("s", 9), ("ms", 6), ("us", 3)):
        if ns >= 10**places:
            whole, rest = divmod(ns, 10**places)
            return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".") + name
    return f"{ns}ns" if ns else "0s"


class Values:
    """The values of a scenario's own options, checked: in ns, bit/s, bytes, 1e-9 or as text."""

    def __init__(self, own: list, given: Dict[str, str], others: Dict[str, str], defaults: Dict[str, str]):
        """`others`: what is given of the program's options. `defaults`: of those, for the scenario."""
        self.own = {option.name: option for option in own}
        self.given, self.others, self.defaults = given, others, defaults
        self.notes: list = []
        self.text = {option.name: given.get(option.name, option.default) for option in own}
        for option in own:
            if option.fits:
                self._shrink(option)
        self.value = {option.name: self._read(option) for option in own}

    def __getitem__(self, name: str):
        return self.value[name]

    def get_other(self, name: str) -> str:
        """Return an option of the program, as text."""
        return self.others.get(name, self.defaults.get(name, ""))

    def fail_if(self, wrong: bool, name: str, expected: str) -> None:
        if wrong:
            raise RccError(f"--{name} is '{self.text[name]}', expected {expected}")

    def _read(self, option: Declared):
        found = Option(option)
        found.text = self.text[option.name]
        found.check()
        return found.value if option.unit in METAVARS else found.text

    def items(self, name: str) -> list:
        """List the parts of a list."""
        return self.text[name].split(",") if self.text[name] else []

    def item_fail_if(self, wrong: bool, name: str, item: str, expected: str) -> None:
        if wrong:
            raise RccError(f"--{name} has '{item}', expected {expected}")

    def time(self) -> Optional[int]:
        """Return --time in ns; None if it is no whole number of ns, which the program reports."""
        text = self.get_other("time")
        found = smallest("time", text)
        whole = found is not None and units.exact("time", text, "") * units.PER_SMALLEST["time"] == found
        if whole and not TIME_MIN <= found <= TIME_MAX:
            raise RccError(f"--time is '{text}', expected 1us to 1000s")
        return found if whole else None

    def start(self) -> str:
        """Return --start, which must be before --time."""
        time = self.time()
        self.fail_if(time is not None and self["start"] >= time, "start", f"less than --time, '{self.get_other('time')}'")
        return self.text["start"]

    def times(self, name: str) -> list:
        """Return a list of times before --time."""
        found = self.items(name)
        self.fail_if(not 1 <= len(found) <= 1000, name, "1 to 1000 times")
        for item in found:
            ns = smallest("time", item)
            self.item_fail_if(ns is None, name, item, units.UNITS["time"][1])
            time = self.time()
            self.item_fail_if(time is not None and ns >= time, name, item, f"0s to {for_people((time or 1) - 1)}")
        return found

    def _shrink(self, option: Declared) -> None:
        """Multiply the times of a default by --time over its default, if one of them is not before --time."""
        if option.name in self.given or "time" not in self.others:
            return
        time, usual = self.time(), smallest("time", self.defaults["time"])
        parts = [(part, smallest("time", part) if part not in ("0", "") else None)
                 for part in _cut(self.text[option.name])]
        times = [ns for _, ns in parts if ns]
        if time is None or time >= usual or all(ns < time for ns in times):
            return
        fitted = [(part, int(float(ns) * (float(time) / float(usual))) if ns else None) for part, ns in parts]
        shown = "".join(part if ns is None else for_people(ns) for part, ns in fitted)
        self.text[option.name] = "".join(part if ns is None else as_time(ns) for part, ns in fitted)
        self.notes.append(f"rcc: note: --{option.name} is {shown} here: its default, {option.default}, is for "
                          f"--time={self.defaults['time']}")


def _cut(text: str) -> list:
    """Split a text into its parts and the separators."""
    parts = [""]
    for letter in text:
        if letter in ",:-":
            parts += [letter, ""]
        else:
            parts[-1] += letter
    return parts


COUNT_MAX = "1000000"
SIZE = Declared("size", "size", "0", "0B", "1000TB", "bytes per flow, 0 = without end; flows that end have their FCT reported")


def start(latest: str) -> Declared:
    return Declared("start", "time", latest, "0s", "1000s", "flows start uniformly at random in [0, TIME]", fits=True)


INCAST = [
    Declared("flows", "count", "2000", "1", COUNT_MAX, "number of flows, spread evenly over the senders"),
    Declared("senders", "count", "8", "1", "1000", "number of sending hosts"),
    Declared("receiver-rate", "rate", "", *LINE_RATE, "rate of the receiver's link, e.g. 10Gbps behind senders of 100Gbps", "as --rate"),
    start("0.1s"),
    SIZE,
]
CONVERGENCE = [
    Declared("start", "list", "0s,0.1s,0.3s", help="start of each flow; one sender per flow", metavar="TIME", fits=True),
    SIZE,
]
CORE = Declared("core-rate", "rate", "", *LINE_RATE, "rate of the links between leaf and spine, or aggregation and core", "as --rate")
LEAF_SPINE = [
    Declared("racks", "count", "4", "2", "256", "leaf-spine: racks, each with one leaf switch"),
    Declared("hosts-per-rack", "count", "16", "1", "256", "leaf-spine: hosts of a rack"),
    Declared("spines", "count", "4", "1", "256", "leaf-spine: spine switches, each connected to every leaf"),
    CORE,
    Declared("oversubscription", "ratio", "", "0.01", "1000",
             "leaf-spine: a rack's rate of hosts over its leaf's rate to the spines, in place of --core-rate", "of the rates"),
]
CLOS = [
    Declared("topology", "choice", "fat-tree", help="network; each has options of its own", words=("fat-tree", "leaf-spine")),
    Declared("k", "count", "20", "2", "64", "pods; each has k/2 edge switches with k/2 hosts"),
    Declared("cores", "count", "10", "1", "1024", "core switches, a multiple of k/2; k^2/4 is the full fat tree"),
    Declared("senders", "count", "", "1", "65536", "sending hosts, from the first on", "1900; leaf-spine: all racks but the last"),
    Declared("receivers", "count", "10", "1", "1024", "receiving hosts, spread over the last pod or rack"),
    Declared("flows", "count", "", "1", COUNT_MAX, "flows in all", "one per sender"),
    start("0.1s"),
    SIZE,
    *LEAF_SPINE,
]
WORKLOAD = [
    Declared("hosts", "count", "9", "2", "1000", "hosts, all of which send and receive"),
    Declared("topology", "choice", "star", help="network; star: all hosts on one switch; fat-tree: 320 hosts, as in the HPCC paper",
             words=("star", "leaf-spine", "fat-tree")),
    Declared("sizes", "text", "web-search", help="web-search, data-mining, fb-hadoop, or a file (lab/doc/workload.md)", metavar="NAME"),
    Declared("load", "ratio", "0.8", "0.001", "1", "part of the hosts' links that the flows take, headers included"),
    Declared("drain", "time", "10s", "0s", "1000s", "how long after --time flows may still take to end"),
    *(option._replace(unset="as --rate; fat-tree: four times that") if option is CORE else option for option in LEAF_SPINE),
]
CAPACITY = [
    Declared("senders", "count", "8", "1", "64", "number of sending hosts, one flow each"),
    Declared("capacity", "list", "0s:0.95Gbps,2s:0.2Gbps,5.7s:0.95Gbps",
             help="service rate of the output from TIME on; the first at 0s", metavar="TIME:RATE", fits=True),
    Declared("rtt", "time", "100us", "0s", "1s", "round trip from a sender to the switch and back, by the delay of its link"),
    start("1ms"),
]
FAN_IN = [
    Declared("cp", "choice", "inputs", help="congestion points", words=("none", "outputs", "inputs", "both")),
    Declared("sampling", "choice", "arrival", help="whom they notify; deterministic and random: by occupancy",
             words=("arrival", "deterministic", "random")),
    Declared("flows", "list", "0:5,1:5,2:5,3:5,4:5::100ms:200ms",
             help="a flow between two ports; without RATE as fast as possible", metavar="SRC:DST[:RATE[:START[:STOP]]]", fits=True),
    Declared("capacity", "list", "", help="RATE of the switch's link to PORT from TIME on", metavar="PORT:TIME:RATE"),
    Declared("hosts", "count", "8", "2", "4096", "ports of the switch, with a host each"),
]
COLLECTIVE = [
    Declared("operation", "choice", "all-reduce", help="all-reduce: a ring", words=("all-reduce", "all-to-all")),
    Declared("sync", "choice", "barrier", help="what a rank waits for before its next step; barrier: all ranks, data: its own message and "
             "the data that it passes on", words=("barrier", "data")),
    Declared("size", "size", "16MB", "1B", "1TB", "what each rank has, bytes; a message is its n-th part"),
    Declared("qps", "count", "1", "1", "1024", "queue pairs that a message is spread over"),
    Declared("gap", "time", "0s", "0s", "1s", "computing between two steps"),
    Declared("rounds", "count", "1", "1", COUNT_MAX, "operations one after the other"),
    Declared("placement", "choice", "across", words=("across", "within"),
             help="of the ranks; across: neighbours on different switches, within: in the order of --links"),
]
