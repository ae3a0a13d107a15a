# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""config.txt: as soon as the dialect is known from the keys given, their values become a configuration."""
from __future__ import annotations

from typing import Dict, List, NoReturn, Optional, Set, Tuple

from . import keys as table
from .files import Remarks, at, found_expected, shown
from .words import Given, KeyReader, dialect_keys, is_original
from ..common import RccError
from ..experiment import catalogue, quantity

ALGORITHMS = {3: ("hpcc", "simulator"), 7: ("timely", "hpcc"), 8: ("dctcp", "simulator"), 10: ("hpcc", "pint")}   # by CC_MODE
NEEDED = (("GLOBAL_T", "HAS_WIN", "has_window"), ("VAR_WIN", "HAS_WIN", "has_window"),    # (key, the one without which it does nothing)
          ("L2_CHUNK_SIZE", "L2_BACK_TO_ZERO", "back_to_zero"))
BALANCING = {3: "CONGA, which needs the feedback of leaf switches,", 9: "ConWeave, which reorders in the last switch,"}   # by LB_MODE


class Config(Remarks):
    """The configuration of config.txt in ns, bit/s, bytes and parts in 1e9. keys.KEYS has the key of each member."""

    def __init__(self, path: str):
        super().__init__()
        self.path = path
        self.original = False            # the dialect: ns3-rdma, or the HPCC simulator and its forks
        self.topology_file = self.flow_file = self.tcp_flow_file = self.trace_file = ""
        self.trace_output = self.fct_output = self.pfc_output = self.qlen_output = ""   # as written; empty: not written
        self.ecn = self.pfc = self.pulls = self.dynamic_pfc = self.enable_trace = True
        self.irn = self.back_to_zero = self.packet_ecmp = self.ack_high_priority = False
        self.flow_ecmp = True
        self.pull_rate = 10**9           # part of the line rate at which hosts read
        self.rx_buffer = 8 << 20         # 0: no limit
        self.rx_buffer_of_class = -1     # below 0: an eighth of rx_buffer
        self.pull_rate_of: Dict[int, int] = {}   # by node, as the next three
        self.pulls_of: Dict[int, int] = {}
        self.rx_buffer_of: Dict[int, int] = {}
        self.rx_buffer_of_class_of: Dict[int, int] = {}
        self.pull_schedule: Dict[int, tuple] = {}   # by node: (ns, part of the line rate)
        self.payload = 1000
        self.pause_time = 5000
        self.stop = 3_010_000_000
        self.error_rate = 0              # the rate of links that have none
        self.ack_interval = 1            # packets for an ACK
        self.chunk = 0
        self.load_balancing = 0          # 0 ECMP, 2 DRILL, 6 LetFlow
        self.buffer_size = 0             # 0: the default
        self.kmin: tuple = ()            # thresholds by link rate; a rate of 0 is any
        self.kmax: tuple = ()
        self.pmax: tuple = ()
        self.has_maps = False            # the file has all three
        self.ack_priority_at_hosts = False
        self.qlen_start = self.qlen_end = 0
        self.link_down: Optional[Tuple[int, int, int]] = None   # ns, and two nodes
        self.has_window = False
        self.global_window = True        # the largest bandwidth-delay product for all pairs
        self.variable_window = False     # the window shrinks with the rate
        self.mode = 1
        self.cc = ""                     # algorithm of CC_MODE; empty: one that is not here
        self.preset = ""
        self.parameters: List[Tuple[str, int]] = []   # that keys set; of dcqcn, if cc is empty
        self.dcqcn: List[Tuple[str, int]] = []        # that they set of dcqcn where cc is another
        self.uneven = ""                 # warning where TIMELY has another RATE_HAI than the file
        self.taken: Dict[str, Set[str]] = {}          # by algorithm: keys of the file that are its parameters
        self.lines: Dict[str, int] = {}  # the lines of the keys that the file gives

    def at(self, key: str, message: str) -> str:
        """Return a message with the place of a key in front."""
        return at(self.path, self.lines.get(key, 1), message)

    def wrong(self, key: str, found: str, expected: str) -> RccError:
        """Return an error about a key's value."""
        return RccError(self.at(key, found_expected(key, found, expected)))

    def dialect(self) -> str:
        """Return the name of the simulator that the file is for."""
        return "ns3-rdma" if self.original else "hpcc"

    def rate_maps(self) -> list:
        """List (key, parameter, thresholds) of what is marked by link rate."""
        end = "" if self.original else "_MAP"
        return [("KMIN" + end, "kmin", self.kmin), ("KMAX" + end, "kmax", self.kmax), ("PMAX" + end, "pmax", self.pmax)]


def find_rate(thresholds: tuple, rate: int) -> Optional[int]:
    """Return the threshold of a link rate, if there is one."""
    return next((value for of, value in thresholds if of in (rate, 0)), None)


class Interpreter:
    """Turns keys with values into a configuration."""

    def __init__(self, config: Config, given: Dict[str, Given], elsewhere: set):
        self.config, self.given, self.elsewhere = config, given, elsewhere
        self.numbers: Dict[str, int] = {}    # values of the keys that are parameters

    def run(self, original: Optional[bool]) -> None:
        """Fill the configuration. `original`: the dialect, None by the keys."""
        config = self.config
        config.lines = {name: one.line for name, one in self.given.items()}
        config.original = is_original(self.given) if original is None else original
        if original is None:
            self.warn_of_dialect()
        self.read_keys()
        self.check_balancing()
        self.choose_algorithm()
        self.set_parameters()
        self.check_thresholds()
        self.convert_intervals()

    def fail(self, key: str, found: str, expected: str) -> NoReturn:
        raise self.config.wrong(key, found, expected)

    def warn_of_dialect(self) -> None:
        """Warn where the keys do not say whose they are."""
        original, hpcc = dialect_keys(self.given)
        end = f"; it is read as one of {self.config.dialect()}"
        if not original and not hpcc:
            self.config.warnings.append(f"{self.config.path}: no key is of one simulator only{end}")
        elif original and hpcc:
            self.config.warnings.append(f"{self.config.path}: has keys of both simulators ({original[0]}, {hpcc[0]}){end}")

    def read_keys(self) -> None:
        """Read the keys of the dialect, as given or with their values for missing keys."""
        config = self.config
        notes: Dict[tuple, str] = {}     # by line and key
        for key in table.KEYS:
            missing = key.missing(config.original)
            given = self.given.get(key.name)
            if key.is_of_node:
                self.read_nodes(key, missing is not None)
            elif given is None or key.name in self.elsewhere:
                if missing:
                    self.read_key(key, key.name, [missing])
            elif missing is None:
                self.warn_of_other(key.name)
            else:
                self.read_key(key, key.name, given.words)
                if not key.has_effect():
                    notes[given.line, key.name] = config.at(key.name, f"{key.name}: has no effect: {key.about}")
        config.notes += [notes[place] for place in sorted(notes)]

    def warn_of_other(self, name: str) -> None:
        config = self.config
        config.warnings.append(config.at(name, f"{name}: ignored, as {config.dialect()} does: it is a key of "
                                         f"{'hpcc' if config.original else 'ns3-rdma'}"))

    def read_nodes(self, key: table.Key, is_known: bool) -> None:
        """Read the values of a key of single nodes."""
        for name in sorted(name for name in self.given if name.startswith(key.name + " ")):
            if is_known:
                self.read_key(key, name, self.given[name].words)
            else:
                self.warn_of_other(name)

    def read_key(self, key: table.Key, name: str, words: list) -> None:
        """Read one value. `name`: of the key in the file."""
        try:
            node = table.read_node(words[0]) if key.is_of_node else 0
            value = key.read(words[key.is_of_node:])
        except table.Wrong as wrong:
            self.fail(name, shown(str(wrong)), key.expected())
        if key.is_of_node:
            getattr(self.config, key.to)[node] = value
        elif key.to:
            setattr(self.config, key.to, value)
        if key.parameter or key.control:
            self.numbers[key.name] = value

    def check_balancing(self) -> None:
        """Refuse two kinds of ECMP, at which those simulators stop, and schemes of forks that are not here."""
        config = self.config
        if config.original and config.packet_ecmp and config.flow_ecmp:
            self.fail("FLOW_LEVEL_ECMP", "1 with PACKET_LEVEL_ECMP 1", "0 for one of them")
        mode = config.load_balancing
        if mode not in (0, 2, 6):
            what = f": {BALANCING[mode]} is not here" if mode in BALANCING else ""
            self.fail("LB_MODE", f"{mode}{what}", "0 (ECMP), 2 (DRILL) or 6 (LetFlow)")

    def choose_algorithm(self) -> None:
        """Choose what CC_MODE means."""
        config = self.config
        config.cc, config.preset = "dcqcn", "ns3-rdma" if config.original else "hpcc"
        if config.original or config.mode == 1:
            return
        if config.mode in ALGORITHMS:
            config.cc, config.preset = ALGORITHMS[config.mode]
            return
        config.cc = ""
        # the fork's sources: no branch of hosts or switches has this number
        what = "no control at all in astra-sim's fork, as --cc=none, and unknown elsewhere" if config.mode == 12 else "unknown"
        config.notes.append(config.at("CC_MODE", f"CC_MODE: {config.mode} is {what}"))

    def set_parameters(self) -> None:
        """Find the parameters of the algorithm that keys are, and those of dcqcn beside another one."""
        config = self.config
        algorithm = config.cc or "dcqcn"
        for key in table.KEYS:
            if key.name not in self.numbers:
                continue
            name, value = self.parameter_of(key, self.numbers[key.name], algorithm)
            if not name:
                continue
            self.take(algorithm, key.name)
            field = catalogue.find_field(algorithm, name)
            if not field.low <= value <= field.high:
                self.fail(key.name, f"{field.quantity(value)} for {algorithm}'s {name}", field.span())
            config.parameters.append((name, value))
        self.set_window(algorithm)
        for key in table.KEYS if algorithm != "dcqcn" else ():
            if key.parameter and key.name in self.numbers:
                config.dcqcn.append(self.of_dcqcn(key, self.numbers[key.name]))
                self.take("dcqcn", key.name)

    def set_window(self, algorithm: str) -> None:
        """Leave the window to the flow, as that simulator does: HAS_WIN, GLOBAL_T and VAR_WIN hold for every CC_MODE. With RATE_BOUND 0 the
        rate of the flow stays that of the line, so that a window that shrinks is the algorithm's."""
        config = self.config
        field = catalogue.cores()[algorithm].fields.get("window")
        if config.original or not field:
            return
        unbound = "rate_bound" in dict(config.parameters) and self.numbers["RATE_BOUND"] == 0
        shrinks = config.has_window and config.variable_window and unbound
        config.parameters.append(("window", field.read("variable" if shrinks else "none")[0]))

    def take(self, algorithm: str, key: str) -> None:
        """Remember that a key of the file, not its default, is a parameter of an algorithm."""
        if key in self.given:
            self.config.taken.setdefault(algorithm, set()).add(key)

    def of_dcqcn(self, key: table.Key, value: int) -> Tuple[str, int]:
        """Return the parameter of dcqcn that a key is: the HPCC simulator counts stages of fast recovery from 0."""
        return key.parameter, value + (key.parameter == "f" and not self.config.original)

    def parameter_of(self, key: table.Key, value: int, algorithm: str) -> Tuple[str, int]:
        """Return the parameter of an algorithm that a key is, and its value; no name if it is none."""
        if algorithm == "dcqcn":
            return self.of_dcqcn(key, value) if key.parameter else ("", 0)
        name = key.control.get(self.config.mode, "")
        return self.of_step(key.name, value) if name == "hai" else (name, value)

    def of_step(self, key: str, value: int) -> Tuple[str, int]:
        """Return TIMELY's hai. The HPCC simulator adds RATE_HAI itself, TIMELY here so many times delta."""
        step = self.numbers.get("RATE_AI")
        if step is None:
            return "", 0
        steps = max((value + step // 2) // step, 1) if step > 0 else 1
        if steps * step != value:
            self.config.uneven = self.config.at(key, f"{key}: {quantity.shown('rate', value)} is no multiple of RATE_AI; TIMELY has "
                                                f"{steps} times RATE_AI here")
        return "hai", steps

    def check_thresholds(self) -> None:
        """Check that all three marking thresholds are given or none, and are in order."""
        config = self.config
        if config.original:
            kmin, kmax = config.kmin[0][1], config.kmax[0][1]
            if kmin > kmax:
                self.fail("KMIN" if "KMIN" in self.given else "KMAX",
                          f"KMIN {kmin // table.PACKET} and KMAX {kmax // table.PACKET}", "KMIN to be the smaller one")
            return
        present = [key for key, _, thresholds in config.rate_maps() if thresholds]
        absent = [key for key, _, thresholds in config.rate_maps() if not thresholds]
        if present and absent:
            self.fail(absent[0], "no entry", f"one for each link rate, as {present[-1]} has")
        config.has_maps = bool(present)

    def convert_intervals(self) -> None:
        """Convert what is in packets in one dialect and in bytes in the other, and note what the HPCC simulator does not read."""
        config = self.config
        if config.original:
            config.chunk *= config.payload
            config.ack_interval = max(config.ack_interval, 1)
            return
        if config.ack_interval > config.payload:
            config.notes.append(config.at("L2_ACK_INTERVAL", "L2_ACK_INTERVAL: has no effect: every packet has an ACK, as in that "
                                          "simulator once so many bytes of a flow have come"))
        config.ack_interval = 1
        if not config.dynamic_pfc:
            config.dynamic_pfc = True
            config.notes.append(config.at("USE_DYNAMIC_PFC_THRESHOLD", "USE_DYNAMIC_PFC_THRESHOLD: 0 has no effect, as in that simulator: "
                                          "its thresholds always follow the free buffer"))


def read(path: str, original: Optional[bool] = None, elsewhere: Optional[set] = None) -> Config:
    """Read config.txt alone: the paths in it stay as they are written. Raises RccError: FILE:LINE: KEY: found .., expected ..

    Args:
        original: the dialect, ns3-rdma or not; None: by the keys.
        elsewhere: keys whose values are given elsewhere: those of the file are not looked at.
    """
    config = Config(path)
    given = KeyReader(path, original, config).read()
    Interpreter(config, given, elsewhere or set()).run(original)
    return config


def note_keys(config: Config, algorithms: set, asked: Dict[str, str]) -> None:
    """Note keys that are parameters of algorithms but of none that runs, `algorithms`, and in one note those in whose place something else
    was asked for: `asked`, by algorithm."""
    names = sorted(algorithms)
    has_mode = not config.original
    listed = ", ".join(names) + (f" with CC_MODE {config.mode}" if has_mode else "")
    if "timely" in algorithms and "timely" not in asked and config.uneven:
        config.warnings.append(config.uneven)
    cores = catalogue.cores()
    if has_mode and config.ecn and not config.has_maps and any(name in cores and cores[name].watches == "ecn" for name in names):
        config.notes.append(f"{config.path}: no KMIN_MAP, KMAX_MAP and PMAX_MAP: every port has the algorithm's own thresholds")
    unmarked = {"none", "telemetry"}.issuperset(cores[name].watches for name in names if name in cores)
    for key in ("ENABLE_QCN", *(key for key, _, _ in config.rate_maps())) if unmarked else ():
        if key in config.lines:
            config.notes.append(config.at(key, f"{key}: has no effect: no mark is read by {listed}"))
    for key, needed, member in NEEDED:
        if key in config.lines and table.BY_NAME[key].missing(config.original) is not None and not getattr(config, member):
            config.notes.append(config.at(key, f"{key}: has no effect: {needed} is 0"))
    if has_mode and config.mode == 3 and not config.has_window and "hpcc" in names:
        config.notes.append(config.at("HAS_WIN", "HAS_WIN: 0 with CC_MODE 3: that simulator divides the queue by the window, which is 0; "
                                      "here it is divided by what a round trip carries"))
    unused, why = [], set()
    for key in table.KEYS:
        if not (key.parameter or key.control) or key.missing(config.original) is None or key.name not in config.lines:
            continue
        owners = [name for name in names if key.name in config.taken.get(name, ())]
        if not owners:
            config.notes.append(config.at(key.name, f"{key.name}: has no effect: no parameter of {listed}"))
        elif all(owner in asked for owner in owners):
            unused.append(key.name)
            why |= {asked[owner] for owner in owners}
    if unused:
        config.notes.append(f"{config.path}: not used: {', '.join(unused)}: the command asks for {', '.join(sorted(why))}")
