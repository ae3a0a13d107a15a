# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The keys of config.txt, and how their values are read. lab/doc/ns3-rdma-keys.md is made from this table.

Which simulator reads what, and its value for a missing key, is what its source does; a default of 0 that would stop it (RP_TIMER) or is an
integer division (a gain of 1/16) is not taken over."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from . import numbers

STOP_MAX = 9_000_000_000       # s; what is beyond means until the flows are done
SECONDS_MAX = 1_000_000
US_MAX = SECONDS_MAX * 1_000_000
TIME_MAX = 10**15              # ns
BYTES_MAX = 10**12
STEP_RATE_MAX = 1_600_000_000_000   # the largest step of a rate, bit/s
MAP_RATE_MAX = 16_000_000_000_000   # forks list rates that no link of theirs has to have
PACKET = 1030                  # bytes of the original's packets, for KMIN and KMAX
U32_MAX = 2**32 - 1
LINK_DOWN_FROM = 2_000_000_000   # ns
MAP_MAX = 1000                 # entries
APPLICATIONS = "receivers that do not listen change nothing there: the NIC acknowledges what arrives"


class Kind(NamedTuple):
    """How the values of keys are read and described."""
    unit: str         # in the table of keys
    expected: str     # in messages
    has_range: bool   # messages have the key's range as well
    places: int       # decimal places that count; 0: the number is whole
    scale: int        # our units in one of the last place
    most: int         # largest value of a key, if it says nothing else


KINDS: Dict[str, Kind] = {
    "flag": Kind("0 or 1", "0 or 1", False, 0, 1, 1),
    "count": Kind("", "a whole number", True, 0, 1, U32_MAX),
    "microseconds": Kind("us", "a time in us", True, 3, 1, US_MAX),
    "nanoseconds": Kind("ns", "a time in ns, a whole number", True, 0, 1, TIME_MAX),
    "seconds": Kind("s", "a time in s", True, 9, 1, SECONDS_MAX),
    "stop": Kind("s", "a time in s", False, 9, 1, STOP_MAX),
    "bytes": Kind("B", "bytes, a whole number", True, 0, 1, BYTES_MAX),
    "mebibytes": Kind("MiB", "MiB, a whole number", True, 0, 1 << 20, 0),
    "fraction": Kind("0 to 1, or 1/16", "a fraction from 0 to 1 such as 0.01 or 1/16", False, 9, 1, 1),
    "rate": Kind("40Gb/s", "a rate such as 40Gb/s or 5Mbps", False, 0, 1, STEP_RATE_MAX),
    "packets": Kind("packets of 1030 B", "packets, a whole number", True, 0, PACKET, 1_000_000_000),
    "decimal": Kind("", "a number", True, 9, 1, 1000),
    "name": Kind("", "a word without blanks", False, 0, 1, 0),
    "map_bytes": Kind("bit/s and KB of 1000 B", "a number of entries, then for each a link rate in bit/s and a whole number of KB", True, 0,
                      1000, BYTES_MAX // 1000),
    "map_share": Kind("bit/s and 0 to 1", "a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1", False, 9, 1,
                      1),
    "link_down": Kind("us, node, node", "a time in us and two node ids", False, 3, 1, US_MAX),
    "schedule": Kind("node, n, then n times s and 0 to 1",
                     "a node id, a number of entries, then for each a time in s and a fraction from 0 to 1", False, 9, 1, SECONDS_MAX),
    "mode": Kind("", "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC with PINT)", False, 0, 1, U32_MAX),
}
MAPS = ("map_bytes", "map_share", "schedule")

# By CC_MODE: keys that are parameters of its algorithm.
CONTROL: Dict[int, Dict[str, str]] = {
    3: {"RATE_AI": "r_ai", "MIN_RATE": "r_min", "U_TARGET": "eta", "MI_THRESH": "max_stage", "FAST_REACT": "fast_react",
        "MULTI_RATE": "multi_rate", "SAMPLE_FEEDBACK": "sample_feedback", "RATE_BOUND": "rate_bound", "INT_MULTI": "int_multi"},
    8: {"DCTCP_RATE_AI": "r_ai", "EWMA_GAIN": "g", "MIN_RATE": "r_min"},
    10: {"RATE_AI": "r_ai", "MIN_RATE": "r_min", "U_TARGET": "eta", "MI_THRESH": "max_stage", "RATE_BOUND": "rate_bound",
         "PINT_LOG_BASE": "log_base", "PINT_PROB": "pint_prob"},
}


class Value(NamedTuple):
    """The value of a key, in ns, bit/s, bytes, parts in 1e9 or a count; which members are set depends on its kind."""
    number: int = 0
    nodes: Tuple[int, ...] = ()                # two nodes of LINK_DOWN, the node of a key of one node
    text: str = ""                             # the value of a name
    entries: Tuple[Tuple[int, int], ...] = ()  # (bit/s, threshold) of a map, (ns, parts in 1e9) of a schedule


class Wrong(Exception):
    """A word that is not as its key expects."""


class Key:
    """A key of config.txt.

    Args:
        name: as in config.txt.
        original: value of ns3-rdma if the key is missing; empty: none; None: it has no such key.
        hpcc: the same of the HPCC simulator.
        kind: of KINDS.
        to: name in Config; empty: none.
        parameter: of dcqcn that it is; empty: none.
        about: what it means, or why it has no effect.
        low, high: range in the unit of the file; high None: that of the kind.
    """

    def __init__(self, name: str, original: Optional[str], hpcc: Optional[str], kind: str, to: str = "", parameter: str = "", low: int = 0,
                 high: Optional[int] = None, about: str = ""):
        self.name, self.original, self.hpcc, self.kind, self.to = name, original, hpcc, kind, to
        self.parameter, self.about, self.low = parameter, about, low
        self.info = KINDS[kind]
        self.high = self.info.most if high is None else high
        self.is_of_node = kind == "schedule" or name.endswith("_NODE")
        self.is_control = any(name in keys for keys in CONTROL.values())

    def missing(self, original: bool) -> Optional[str]:
        """Return the value of a simulator if the key is missing; empty: none; None: it has no such key."""
        return self.original if original else self.hpcc

    def has_effect(self) -> bool:
        """True if the key does anything here."""
        return bool(self.to or self.parameter or self.is_control)

    def expected(self) -> str:
        """Return what the value should be, for messages."""
        node = "a node id and " if self.is_of_node and self.kind != "schedule" else ""
        span = ""
        if self.info.has_range:
            span = f" from {self.low} to {self.high}"
        elif self.kind == "rate":
            span = f"{', above 0' if self.low else ''}, at most 1600Gbps"
        return node + self.info.expected + span

    def read(self, words: List[str]) -> Value:
        """Read the words after the key: three of LINK_DOWN, 1 + 2n of a map, else one; before them the node, if it is of one.

        Raises:
            Wrong: with the word that is wrong.
        """
        nodes: Tuple[int, ...] = ()
        if self.is_of_node:
            nodes = (read_node(words[0]),)
            words = words[1:]
        if self.kind == "schedule":
            return Value(nodes=nodes, text=words[0], entries=self.read_schedule(words))
        if self.kind == "name":
            return Value(text=words[0])
        if self.kind in MAPS:
            return Value(text=words[0], entries=self.read_map(words))
        number = self.read_number(words[0])
        if self.kind == "link_down":
            nodes = tuple(read_node(word) for word in words[1:])
        return Value(number, nodes, words[0], ((0, number),))

    def read_number(self, text: str) -> int:
        if self.kind == "rate":
            found = numbers.read_data_rate(text, self.high)
        elif self.kind in ("fraction", "map_share"):
            found = numbers.read_fraction(text)
        else:
            found = numbers.read_number(text, self.info.places, self.high)
            if found is not None and self.info.places == 0 and not numbers.is_whole(text):
                found = None
        if found is None and self.kind == "stop" and numbers.is_too_large(text):
            found = STOP_MAX * 10**9
        if found is None or found < self.low:
            raise Wrong(text)
        return found * self.info.scale

    def read_map(self, words: List[str]) -> tuple:
        """Read thresholds by link rate."""
        found: Dict[int, int] = {}
        for at in range(1, len(words) - 1, 2):
            rate = numbers.read_data_rate(words[at], MAP_RATE_MAX)
            if not rate:
                raise Wrong(words[at])
            threshold = self.read_number(words[at + 1])
            if found.setdefault(rate, threshold) != threshold:
                raise Wrong(f"{words[at]} twice")
        return tuple(found.items())

    def read_schedule(self, words: List[str]) -> tuple:
        """Read times and fractions; later ones stand behind earlier ones."""
        found = []
        for at in range(1, len(words) - 1, 2):
            share = (self.read_number(words[at]), numbers.read_fraction(words[at + 1]))
            if share[1] is None:
                raise Wrong(words[at + 1])
            found.append(share)
        return tuple(sorted(found, key=lambda entry: entry[0]))


def read_node(text: str) -> int:
    """Read a node id."""
    found = numbers.read_whole(text, U32_MAX)
    if found is None:
        raise Wrong(text)
    return found


KEYS: List[Key] = [
    Key("ENABLE_QCN", "1", "1", "flag", to="ecn",
        about="switches mark with ECN"),
    Key("USE_DYNAMIC_PFC_THRESHOLD", "1", "1", "flag", to="dynamic_pfc",
        about="PFC thresholds follow the free buffer; in hpcc they always do, there and here"),
    Key("ENABLE_PFC", None, "1", "flag", to="pfc",
        about="of forks: 0: switches drop what is above the threshold, and senders repeat what was lost"),
    Key("ENABLE_IRN", None, "0", "flag", to="irn",
        about="of forks: 1: senders repeat what is missing and no more, by the rules of IRN (SIGCOMM'18)"),
    Key("RX_PULL_RATE", None, "1", "fraction", to="pull_rate",
        about="of a fork: part of the line rate at which hosts read data: RdmaNic's DrainShare; the fork has CNPs and ACKs wait too"),
    Key("RX_PULL_MODE", None, "1", "flag", to="pulls",
        about="of a fork: 0: hosts read as fast as data come"),
    Key("RX_BUFFER_SIZE", None, "8388608", "bytes", to="rx_buffer", high=1 << 30,
        about="of a fork: receive buffer of a host's port, an eighth of it for each class. A full one pauses its class here, and "
              "drops with ENABLE_PFC 0, as the fork always does"),
    Key("RX_BUFFER_PER_QUEUE", None, "", "bytes", to="rx_buffer_of_class", high=1 << 30,
        about="of a fork: what each class may have of it, in place of an eighth; a class has the lesser of both: RdmaNic's "
              "ReceiveBuffer"),
    Key("RX_PULL_RATE_NODE", None, "", "fraction", to="pull_rate_of",
        about="of a fork: RX_PULL_RATE of one host"),
    Key("RX_PULL_MODE_NODE", None, "", "flag", to="pulls_of",
        about="of a fork: RX_PULL_MODE of one host"),
    Key("RX_BUFFER_SIZE_NODE", None, "", "bytes", to="rx_buffer_of", high=1 << 30,
        about="of a fork: RX_BUFFER_SIZE of one host; what a class may have of it stays"),
    Key("RX_BUFFER_PER_QUEUE_NODE", None, "", "bytes", to="rx_buffer_of_class_of", high=1 << 30,
        about="of a fork: RX_BUFFER_PER_QUEUE of one host"),
    Key("RX_PULL_RATE_SCHEDULE", None, "", "schedule", to="pull_schedule",
        about="of a fork: RX_PULL_RATE of one host from several times on"),
    Key("PACKET_PAYLOAD_SIZE", "1000", "1000", "bytes", to="payload", low=64, high=9000,
        about="payload of a full packet"),
    Key("PAUSE_TIME", "5", "5", "microseconds", to="pause_time", high=1000000,
        about="how long a PFC pause lasts if no resume comes"),
    Key("DATA_RATE", "", "", "name",
        about="those simulators read it and do not use it: rates are in the topology"),
    Key("LINK_DELAY", "", "", "name",
        about="those simulators read it and do not use it: delays are in the topology"),
    Key("TOPOLOGY_FILE", "", "", "name", to="topology_file",
        about="nodes and links; must be there"),
    Key("FLOW_FILE", "", "", "name", to="flow_file",
        about="RDMA flows; must be there"),
    Key("TCP_FLOW_FILE", "", None, "name", to="tcp_flow_file",
        about="TCP flows"),
    Key("TRACE_FILE", "", "", "name", to="trace_file",
        about="nodes whose packets are traced"),
    Key("TRACE_OUTPUT_FILE", "", "", "name", to="trace_output",
        about="where the trace is written"),
    Key("FCT_OUTPUT_FILE", None, "fct.txt", "name", to="fct_output",
        about="where flow completion times are written"),
    Key("PFC_OUTPUT_FILE", None, "pfc.txt", "name", to="pfc_output",
        about="where PFC frames are written"),
    Key("QLEN_MON_FILE", None, "", "name", to="qlen_output",
        about="where histograms of queues are written"),
    Key("QLEN_MON_START", None, "2000000000", "nanoseconds", to="qlen_start",
        about="from when on queues are read"),
    Key("QLEN_MON_END", None, "2100000000", "nanoseconds", to="qlen_end",
        about="until when queues are read"),
    Key("ENABLE_TRACE", None, "1", "flag", to="enable_trace",
        about="write the trace at all"),
    Key("SIMULATOR_STOP_TIME", "3.01", "3.01", "stop", to="stop",
        about="when the run ends, unless all flows are done before; of any size"),
    Key("APP_START_TIME", "", None, "seconds",
        about=APPLICATIONS),
    Key("APP_STOP_TIME", "", None, "seconds",
        about=APPLICATIONS),
    Key("ERROR_RATE_PER_LINK", "0", "0", "fraction", to="error_rate",
        about="probability that a link loses a frame of any kind: data, ACKs, NACKs, CNPs, PFC frames"),
    Key("PACKET_LEVEL_ECMP", "0", None, "flag", to="packet_ecmp",
        about="a path for each packet, not for each flow"),
    Key("LB_MODE", None, "0", "count", to="load_balancing",
        about="of forks: 0: ECMP, a path for each flow; 2: DRILL, the shorter of two random queues and the last best; 6: LetFlow, "
              "flowlets with a gap of 100 us"),
    Key("FLOW_LEVEL_ECMP", "0", None, "flag", to="flow_ecmp",
        about="a path for each flow; with 0 here and in PACKET_LEVEL_ECMP all flows take the first of equal paths; 1 in both is "
              "an error"),
    Key("SEND_IN_CHUNKS", "", None, "flag",
        about="the original calls it deprecated and not tested"),
    Key("L2_CHUNK_SIZE", "0", "0", "count", to="chunk",
        about="what is sent again with L2_BACK_TO_ZERO; packets in ns3-rdma, bytes in hpcc"),
    Key("L2_ACK_INTERVAL", "0", "0", "count", to="ack_interval",
        about="ns3-rdma: an ACK for so many packets, 0: every one; hpcc: every packet has an ACK, and the value only "
              "delays a flow's first one"),
    Key("L2_WAIT_FOR_ACK", "", None, "flag",
        about="stop and wait for each chunk: senders here never stop for an ACK but with a window"),
    Key("L2_BACK_TO_ZERO", "0", "0", "flag", to="back_to_zero",
        about="a loss repeats the whole chunk, not from the lost packet on"),
    Key("L2_TEST_READ", "", None, "flag",
        about="a test of the original's own code"),
    Key("BUFFER_SIZE", None, "16", "mebibytes", to="buffer_size", low=1, high=1048576,
        about="shared buffer of a switch"),
    Key("ACK_HIGH_PRIO", None, "0", "flag", to="ack_high_priority",
        about="ACKs have the class above data, not that of the data; at hosts only with --ack-priority=hosts"),
    Key("LINK_DOWN", None, "", "link_down", to="link_down",
        about="`t A B`: the link A-B fails at 2 s + t us; t = 0: none"),
    Key("NIC_TOTAL_PAUSE_TIME", None, "", "decimal", high=US_MAX,
        about="no counterpart; how long host ports were paused is `paused_s` in the results"),
    Key("KMIN", "60", None, "packets", to="kmin",
        about="queue below which nothing is marked"),
    Key("KMAX", "60", None, "packets", to="kmax",
        about="queue above which everything is marked"),
    Key("PMAX", "1", None, "fraction", to="pmax",
        about="marking probability at KMAX"),
    Key("KMIN_MAP", None, "", "map_bytes", to="kmin",
        about="`n`, then n times link rate and KMIN; every rate at a switch must be there"),
    Key("KMAX_MAP", None, "", "map_bytes", to="kmax",
        about="the same for KMAX"),
    Key("PMAX_MAP", None, "", "map_share", to="pmax",
        about="the same for PMAX, a probability"),
    Key("CC_MODE", None, "1", "mode", to="mode",
        about="1 DCQCN (preset hpcc), 3 HPCC, 7 TIMELY, 8 DCTCP, 10 HPCC (preset pint); others are not here: choose another with --cc"),
    Key("CNP_INTERVAL", "50", None, "microseconds", parameter="cnp_interval",
        about="a flow gets at most one CNP in this time"),
    Key("NP_SAMPLING_INTERVAL", "", None, "decimal", high=US_MAX,
        about="the receiver here looks at every packet, as 0 says"),
    Key("ALPHA_RESUME_INTERVAL", "55", "55", "microseconds", parameter="alpha_timer",
        about="period in which alpha moves"),
    Key("RATE_DECREASE_INTERVAL", None, "4", "microseconds", parameter="rate_reduce_period",
        about="how often the rate can be cut"),
    Key("RP_TIMER", "", "", "microseconds", parameter="timer",
        about="period of the rate increase timer"),
    Key("BYTE_COUNTER", "", None, "bytes", parameter="byte_counter",
        about="bytes per step of the byte counter; 0: timer only"),
    Key("DCTCP_GAIN", "", None, "fraction", parameter="g",
        about="gain of alpha; 1/16 is 0.0625 here, 0 there"),
    Key("EWMA_GAIN", None, "", "fraction", parameter="g",
        about="gain of alpha; 1/16 is 0.0625 here, 0 there"),
    Key("FAST_RECOVERY_TIMES", "5", "5", "count", parameter="f",
        about="stages of fast recovery; hpcc counts from stage 0, so that f is one more there"),
    Key("CLAMP_TARGET_RATE", "0", "0", "flag", parameter="clamp_target",
        about="every cut sets the target rate"),
    Key("CLAMP_TARGET_RATE_AFTER_TIMER", "", None, "flag",
        about="a cut here always sets the target rate if the rate has increased since the last one"),
    Key("RATE_AI", "", "", "rate", parameter="r_ai",
        about="additive increase step; TIMELY: `delta`"),
    Key("RATE_HAI", "", "", "rate", parameter="r_hai",
        about="hyper increase step; TIMELY: `hai`, as a multiple of RATE_AI"),
    Key("MIN_RATE", "", "100Mb/s", "rate", parameter="r_min", low=1, high=STEP_RATE_MAX,
        about="least rate; the original has 100 Mb/s and cannot set it, this can"),
    Key("DCTCP_RATE_AI", None, "1000Mb/s", "rate",
        about="additive increase step of DCTCP: its `r_ai`"),
    Key("HAS_WIN", None, "1", "flag", to="has_window",
        about="a sender has at most a bandwidth-delay product on the way"),
    Key("GLOBAL_T", None, "1", "flag", to="global_window",
        about="the window is the largest of all pairs, not the pair's own"),
    Key("VAR_WIN", None, "0", "flag", to="variable_window",
        about="the window shrinks with the rate"),
    Key("FAST_REACT", None, "1", "flag",
        about="HPCC: every ACK sets the window; its `fast_react`; with PINT every one does"),
    Key("U_TARGET", None, "0.95", "decimal",
        about="target utilisation of HPCC: its `eta`"),
    Key("MI_THRESH", None, "5", "count",
        about="additive steps of HPCC in a row: its `max_stage`"),
    Key("INT_MULTI", None, "1", "count",
        about="HPCC: multiplier of the units of telemetry: its `int_multi`"),
    Key("MULTI_RATE", None, "1", "flag",
        about="HPCC: a rate for each hop; its `multi_rate`; not with PINT"),
    Key("SAMPLE_FEEDBACK", None, "0", "flag",
        about="HPCC: within a round only hops with a queue count; its `sample_feedback`"),
    Key("RATE_BOUND", None, "1", "flag",
        about="HPCC: 0 leaves only its window; its `rate_bound`. Others always have a rate limiter"),
    Key("PINT_LOG_BASE", None, "1.05", "decimal",
        about="PINT: base of its logarithm: HPCC's `log_base`"),
    Key("PINT_PROB", None, "1", "decimal", high=1,
        about="PINT: part of the ACKs that count: HPCC's `pint_prob`"),]
BY_NAME: Dict[str, Key] = {key.name: key for key in KEYS}


def parameter_of(mode: int, key: str) -> str:
    """Return the parameter of a CC_MODE's algorithm that a key is; empty if it is none, or of DCQCN and TIMELY."""
    return CONTROL.get(mode, {}).get(key, "")


# Keys that forks have added: what a name begins and ends with, and what there is here in its place.
BALANCING = "of load balancing, LB_MODE 0, 2 and 6 are here; --attr QbbSwitch.FlowletGap, BalancingSamples and BalancingMemory set " \
    "what those have"
MONITOR = "a file that this fork writes; rate.csv, queue.csv and flow_rates.csv have rates and queues"
FOLDER = "the folder of results is --out"
INTERVAL = "the interval of a file that this fork writes; --interval is that of the CSV series"
FORKS = (
    ("IRN_", "", "the parameters of IRN are attributes here: --attr RdmaNic.RtoLow=TIME, RtoHigh, RtoLowPackets, BaseRtt"),
    ("AR_MODE", "", BALANCING),
    ("CONWEAVE_", "", BALANCING),
    ("CONGA_", "", BALANCING),
    ("LETFLOW_", "", BALANCING),
    ("DRILL_", "", BALANCING),
    ("RANDOM_SEED", "", "the seed of a run is --seed"),
    ("FLOW_INPUT_FILE", "", "the flows are those of FLOW_FILE, or of --flows=FILE"),
    ("FLOWGEN_", "", "flows are those of the flow file; ./rcc generate workload writes one"),
    ("LOAD", "", "flows are those of the flow file; ./rcc generate workload --load=L writes one"),
    ("SWITCH_FORWARD_DELAY", "", "switches here forward without a delay of their own, but for that of the links"),
    ("QUEUE_MGMT_MODE", "", "queues here are FIFO in each class, marked as KMIN_MAP, KMAX_MAP and PMAX_MAP say"),
    ("MON_START", "", INTERVAL),
    ("MON_END", "", INTERVAL),
    ("", "_OUTPUT_FILE", MONITOR),
    ("ENABLE_CWND_TRACE", "", MONITOR),
    ("ENABLE_ANIM", "", MONITOR),
    ("DATA_DIR", "", FOLDER),
    ("EXP_NAME", "", FOLDER),
    ("INT_PER_PACKET", "", "telemetry is written for the algorithms that read it"),
    ("R_DELIVERED_GAIN", "", "of CC_MODE 11, HPCC with the receiver as a hop, which is not here"),
    ("SW_MONITORING_INTERVAL", "", INTERVAL),
    ("", "_MON_FILE", MONITOR),
    ("", "_MON_DETAIL_FILE", MONITOR),
    ("", "_MON_INTERVAL", INTERVAL),
    ("ns3::", "", "an attribute of a class of that simulator; --attr TYPE.NAME=VALUE sets those of this one"),
)


def fork_key(name: str) -> str:
    """Return what a key is in the fork that has it; empty if no known one has."""
    if name in BY_NAME:
        return ""
    for begin, end, about in FORKS:
        whole = bool(begin) and begin[-1] not in "_:"
        fits = name == begin if whole else len(name) > len(begin or end)
        if fits and name.startswith(begin) and name.endswith(end):
            return about
    return ""


def key_table() -> str:
    """Return the keys as the Markdown table of lab/doc/ns3-rdma-keys.md."""
    lines = ["| key | of | unit | if missing: ns3-rdma, hpcc | here | meaning, or why it has no effect |", "|---|---|---|---|---|---|"]
    for key in KEYS:
        here = f"`{key.parameter}`" if key.parameter else "yes" if key.has_effect() else "no effect"
        missing = ", ".join(value or "-" for value in (key.original, key.hpcc) if value is not None)
        owner = "ns3-rdma" if key.hpcc is None else "hpcc" if key.original is None else "both"
        unit = ("node, " if key.is_of_node and key.kind != "schedule" else "") + key.info.unit
        lines.append(f"| `{key.name}` | {owner} | {unit} | {missing} | {here} | {key.about} |")
    return "\n".join(lines) + "\n"
