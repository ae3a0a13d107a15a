# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The faults of the table in lab/evidence/doc/faults.md: a leaf-spine network of four hosts, six flows of 6 MB, and what goes wrong."""
from __future__ import annotations

import json
import os
import sys
from typing import List, NamedTuple

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import program  # noqa: E402

FLOWS = 6

FILES = {
    "config.txt": """ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE mix.tr
FCT_OUTPUT_FILE fct.txt
PFC_OUTPUT_FILE pfc.txt
SIMULATOR_STOP_TIME 0.1
CC_MODE 1
L2_ACK_INTERVAL 1
HAS_WIN 0
BUFFER_SIZE 1
KMIN_MAP 1 10000000000 20
KMAX_MAP 1 10000000000 80
PMAX_MAP 1 10000000000 0.2
ENABLE_TRACE 0
""",
    "topology.txt": """8 4 8
4 5 6 7
0 4 10Gbps 1us 0
1 4 10Gbps 1us 0
2 5 10Gbps 1us 0
3 5 10Gbps 1us 0
4 6 10Gbps 1us 0
4 7 10Gbps 1us 0
5 6 10Gbps 1us 0
5 7 10Gbps 1us 0
""",
    "flow.txt": """6
0 2 3 100 6000000 0
1 3 3 100 6000000 0
2 0 3 100 6000000 0
3 1 3 100 6000000 0
0 3 3 100 6000000 0
1 2 3 100 6000000 0
""",
    "trace.txt": "0\n",
}


class Case(NamedTuple):
    name: str
    says: str           # in the table
    faults: str         # the file
    words: List[str] = []


CNPS = ["--preset=paper"]  # the preset of HPCC's simulator has marks in ACKs instead

CASES = [
    Case("flap-spine", "a link to a spine is down for 1 ms; routes follow after 100 us", "link-down link=4-6 at=2ms for=1ms"),
    Case("flap-fast", "the same, routes follow after 1 us", "reroute time=1us\nlink-down link=4-6 at=2ms for=1ms"),
    Case("flap-never", "the same, routes never follow", "reroute time=never\nlink-down link=4-6 at=2ms for=1ms"),
    Case("flap-5", "5 flaps of 100 us, one each 500 us", "link-down link=4-6 at=2ms for=100us every=500us count=5"),
    Case("link-gone", "a link to a spine is gone for good", "link-down link=5-7 at=2ms"),
    Case("spines-gone", "both links of a leaf are gone for good", "link-down link=4-6 at=2ms\nlink-down link=4-7 at=3ms"),
    Case("flap-host", "a host's only link is down for 1 ms", "link-down link=2-5 at=2ms for=1ms"),
    Case("host-gone", "a host's only link is gone for good", "link-down link=2-5 at=2ms"),
    Case("slow-link", "a link to a spine has 1 Gbit/s for 2 ms", "rate link=4-6 at=2ms for=2ms rate=1Gbps"),
    Case("slow-host", "a host's link has 1 Gbit/s for 2 ms", "rate link=2-5 at=2ms for=2ms rate=1Gbps"),
    Case("loss-random", "0.01 % of all frames but PFC are lost for 2 ms", "lose link=all p=0.0001 at=1ms for=2ms"),
    Case("loss-data", "1 % of the data frames of a link are lost for 2 ms", "lose link=4-6 p=0.01 at=2ms for=2ms frames=DATA"),
    Case("loss-burst", "the same 1 % in bursts of 10 on average", "lose link=4-6 p=0.01 burst=10 at=2ms for=2ms frames=DATA"),
    Case("loss-acks", "30 % of the ACKs are lost for 2 ms", "lose link=4-6 p=0.3 at=2ms for=2ms frames=ACK"),
    Case("loss-naks", "a data frame and all NAKs are lost for 2 ms", "lose link=4>6 at=2ms count=1 frames=DATA\n"
         "lose link=all at=2ms for=2ms frames=NAK"),
    Case("loss-cnps", "all CNPs are lost", "lose link=all frames=CNP", CNPS),
    Case("late-cnps", "CNPs arrive 500 us late", "delay link=4-6 time=500us frames=CNP\ndelay link=4-7 time=500us frames=CNP", CNPS),
    Case("late-acks", "ACKs arrive 200 us late for 2 ms", "delay link=4-6 time=200us at=2ms for=2ms frames=ACK,NAK"),
    Case("slow-np", "a host sends one CNP in 1 ms", "slow-np host=2 every=1ms", CNPS),
    Case("loss-pfc", "half of all PFC frames are lost", "lose link=all p=0.5 frames=PFC", ["--cc=none"]),
    Case("no-pfc", "all PFC frames are lost for 1 ms", "lose link=all frames=PFC at=1ms for=1ms", ["--cc=none"]),
    Case("corrupt", "0.1 % of the frames of a link have a wrong ICRC for 2 ms", "corrupt link=4-6 p=0.001 at=2ms for=2ms"),
    Case("reorder", "1 % of the data frames of a link arrive 20 us late for 2 ms",
         "delay link=4-6 p=0.01 time=20us at=2ms for=2ms frames=DATA"),
    Case("duplicate", "1 % of the frames of a link arrive twice for 2 ms", "duplicate link=4-6 p=0.01 at=2ms for=2ms"),
    Case("host-pauses", "a host pauses its link for 2 ms", "pause host=2 at=2ms for=2ms"),
    Case("host-pauses-for-ever", "a host pauses its link for ever", "pause host=2 at=2ms"),
    Case("host-pauses-drop", "the same, and --storm-after=1ms --storm-action=drop", "pause host=2 at=2ms",
         ["--storm-after=1ms", "--storm-action=drop"]),
    Case("stops-reading", "a host does not read for 2 ms", "stop-reading host=2 at=2ms for=2ms buffer=64KB"),
    Case("reads-no-more", "a host stops reading for ever", "stop-reading host=2 at=2ms buffer=64KB"),
    Case("spine-restarts", "a spine restarts in 1 ms", "restart switch=6 at=2ms for=1ms"),
    Case("leaf-restarts", "a leaf restarts in 1 ms", "restart switch=5 at=2ms for=1ms"),
    Case("forged-cnps", "a host gets 100 CNPs of its queue pair that nobody has sent", "forge host=0 frames=CNP qp=0 count=100 "
         "every=10us at=2ms for=1ms"),
    Case("forged-period", "a host gets CNPs with a period of 4 s", "forge host=0 frames=CNP qp=0 period=4s count=10 every=10us at=2ms",
         ["--cc=dcqcn-plus"]),
    Case("forged-acks", "a host gets ACKs of packets that were never sent", "forge host=0 frames=ACK qp=0 psn=1000000 count=100 at=2ms"),
    Case("forged-data", "a host gets data from the future, and of no queue pair",
         "forge host=2 frames=DATA qp=0 psn=1000000 count=100 at=2ms\nforge host=2 frames=DATA qp=77 count=100 at=2ms"),
    Case("all-at-once", "loss, corruption, reordering and duplication everywhere, and a flap",
         "lose link=all p=0.001 at=1ms for=2ms\ncorrupt link=all p=0.001 at=1ms for=2ms\n"
         "delay link=all p=0.001 time=20us at=1ms for=2ms\nduplicate link=all p=0.001 at=1ms for=2ms\n"
         "link-down link=4-6 at=2ms for=200us"),
]


class Result(NamedTuple):
    status: int
    stderr: str
    run: dict

    def count_ended(self) -> int:
        return FLOWS - self.run["incomplete"]

    def lost(self) -> int:
        """On links, in switches, and those whose ICRC was wrong."""
        return self.run["frames_lost"] + self.run["packets_dropped"] + self.run["icrc_errors"]

    def hits(self) -> int:
        """Frames that were picked, links that went down and up, pauses."""
        return sum(fault["hits"] for fault in self.run["faults"])

    def recovery(self) -> str:
        """Return the longest recovery of a fault as text."""
        faults = [fault for fault in self.run["faults"] if fault["for_s"] is not None]
        if not faults:
            return "does not end"
        times = [fault["recovery_s"] for fault in faults]
        return "not before the end" if None in times else f"{max(times) * 1e3:.4g} ms"


def run(build: str, case: Case, folder: str) -> Result:
    """Simulate one case with every invariant on. `build`: folder of the programs."""
    for name, text in {**FILES, "faults.txt": case.faults + "\n"}.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    done = program.run("ns3-rdma", ["--config=config.txt", "--faults=faults.txt", "--interval=20us", "--check-invariants",
                                    "--rto=1ms", *case.words], folder, build=build)
    return Result(done.returncode, done.stderr, json.loads(done.stdout) if done.stdout else {})


def row(case: Case, result: Result) -> str:
    """Return the row of the table in lab/evidence/doc/faults.md."""
    survived = "yes" if result.status == 0 and not result.run["partial"] else f"no: status {result.status}"
    return (f"| {case.says} | {result.hits()} | {survived} | {result.count_ended()} of {FLOWS} | {result.lost()} | {result.recovery()} | "
            f"`{case.name}` |")
