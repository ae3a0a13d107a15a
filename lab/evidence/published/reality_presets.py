# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""NICs and switches of the reality table as presets. A row names one of each and changes none of its values.

Written before any run of the table. What a source does not give is assumed here, once, with its reason. The switch
`ns3-rdma` was corrected after a run, before the rows that use it were run again (lab/evidence/doc/reality.md, Corrections).
"""
from __future__ import annotations

import json
import os
from typing import NamedTuple

UNVERIFIED = "UNVERIFIED"


class Nic(NamedTuple):
    """The NIC that `--nic=NAME` names."""
    preset: str    # a preset of dcqcn
    settings: str  # over the preset, as for --set
    beside: str    # properties that are no parameters of DCQCN
    source: str


class Switch(NamedTuple):
    """A switch. Thresholds of a switch that nobody published follow the rule PER_25G."""
    buffer: str
    pool: str      # shared pool; empty: what the computed headroom leaves of the buffer
    alpha: str     # the factor of the dynamic threshold
    kmin: str      # empty: by PER_25G at the rate of the link
    kmax: str
    pmax: str
    source: str


NICS_FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "nics.json")


def describe_extras(nic: dict) -> str:
    """Describe what a card has beside DCQCN's parameters."""
    if "nak_generation" not in nic:
        return nic.get("beside", "")
    generation, reaction = (nic[key].replace("us", "") for key in ("nak_generation", "nak_reaction"))
    return f"CNP limiter per {nic['cnp_limiter']}; a lost packet is sent again {generation} + {reaction} us later"


def read_nics() -> dict:
    """The cards, of which lab/nics.json is the one table: `option` says whether --nic offers one."""
    with open(NICS_FILE, encoding="utf-8") as f:
        return {name: Nic(nic["preset"], ",".join(f"{key}={value}" for key, value in nic["settings"].items()), describe_extras(nic),
                          nic["source"])
                for name, nic in json.load(f).items()}


NICS = read_nics()

# HPCC, section 5.1: 100 and 400 KB at 25 Gb/s, Pmax 0.2, in proportion to the rate of the link. The one rule for
# thresholds that a source leaves out: the only published set that scales with the rate.
PER_25G = (100_000, 400_000, 0.2)

SWITCHES = {
    "trident2": Switch("12MB", "6265600B", "1", "5KB", "200KB", "0.01",
                       "SIGCOMM'15 section 4: 12 MB, 32 ports and 8 priorities with 22.4 KB of headroom each, beta 8, which is "
                       "alpha 1 of a port and class; Kmin, Kmax, Pmax of the paper's fig. 5"),
    "h19-tor": Switch("32MB", "", "0.11", "100KB", "400KB", "0.2",
                      f"HPCC: PFC at 11 % of the free buffer, thresholds for 25 Gb/s; 32 MB as in its simulations "
                      f"({UNVERIFIED} "
                      "for the testbed)"),
    "h19-sim": Switch("32MB", "", "0.11", "400KB", "1600KB", "0.2", "HPCC section 5.1, thresholds of its map"),
    "azure": Switch("24MB", "", "0.125", "1MB", "2MB", "0.05",
                    "Azure: 18 MB shared + 6 MB of headroom, alpha 1/8 (its SONiC listing); Kmin, Kmax, Pmax of its figure 12"),
    "tomahawk5": Switch("165MB", "", "0.125", "", "", "",
                        f"165 MB ({UNVERIFIED}); alpha 1/8 as in Azure's SONiC listing; thresholds by PER_25G"),
    "tor-400g": Switch("165MB", "", "0.125", "", "", "", "Barre names no switch: as tomahawk5"),
    "sonic-dut": Switch("64MB", "", "0.125", "", "", "",
                        "the plan names no chip: 64 MB (Tomahawk 3's size), alpha 1/8, thresholds by PER_25G at 100 Gb/s"),
    "cx5-leaf": Switch("5200KB", "", "", "", "", "", "ETH HACC: 5.2 MB tail drop for a port, no PFC, no marks; 515 ns a pipe"),
    "ptx10008": Switch("2.5 RTT", "", "", "0.75 RTT", "1.5 RTT", "1", "Juniper: of 100 Gb/s x RTT; marks at the head; no PFC"),
    "trident3": Switch("32MB", "", "0.125", "102400B", "416000B", "0.2",
                       "issue 12 of ns-3-alibabacloud; cells of 256 B (sonic-mgmt PR 25573); 32 MB and alpha 1/8 assumed"),
    "lumina-p4": Switch("22MB", "", "", "", "", "", f"a P4 switch that marks what the script says; 22 MB ({UNVERIFIED})"),
    "policer": Switch("12MB", "", "", "", "", "", "a drop-only policer; the switches around it are not described"),
    "ns3-rdma": Switch("9MB", "4120000B", "16", "5KB", "100KB", "0.01",
                       "9 MB; 4000 cells of 1030 B in the shared pool and 16 times what is free of it: constants of "
                       "src/network/model/broadcom-node.cc and USE_DYNAMIC_PFC_THRESHOLD 1 of mix/config.txt in bobzhuyb/ns3-rdma"),
    "tlt": Switch("4500KB", "", "1", "5KB", "200KB", "0.01", "TLT section 7.1: 4.5 MB a switch, alpha 1 per egress queue"),
}
