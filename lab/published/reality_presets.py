# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""NICs and switches of the reality table as presets. A row names one of each and changes none of its values.

Written before any run of the table. What a source does not give is assumed here, once, with its reason. The switch
`ns3-rdma` was corrected after a run, before the rows that use it were run again (lab/doc/reality.md, Corrections).
"""
from __future__ import annotations

from typing import NamedTuple

UNVERIFIED = "UNVERIFIED"


class Nic(NamedTuple):
    """What `--nic=NAME` stands for."""
    preset: str    # of dcqcn
    settings: str  # over the preset, as for --set
    beside: str    # what is no parameter of DCQCN
    source: str


class Switch(NamedTuple):
    """A switch. Thresholds of a switch that nobody published follow the rule PER_25G."""
    buffer: str
    pool: str      # shared pool; empty: what the computed headroom leaves of the buffer
    alpha: str     # of the dynamic threshold
    kmin: str      # empty: by PER_25G at the rate of the link
    kmax: str
    pmax: str
    source: str


# NVIDIA's defaults as mlxconfig lists them on a user's card; table 2 of Barre (USENIX ATC'25) confirms 4 / 50 / 4 / 5 / 300.
NIC_DEFAULT = ("timer=300us, byte_counter=32767B, f=1, r_ai=5Mbps, r_hai=50Mbps, g=5/1024, alpha_timer=1us, initial_alpha=1, "
               "min_dec_fac=50 %, rate_reduce_period=4us, clamp_target=no, r_min=1Mbps, cnp_interval=0s, cnp_generation=4us")

NICS = {
    "nic-default": Nic("nic-default", "", "", f"mlxconfig listing, Barre table 2: {NIC_DEFAULT}"),
    "cx3-pro": Nic("paper", "", "firmware makes one CNP per flow and 50 us",
                   "SIGCOMM'15: N 50 us, K 55 us, F 5, B 10 MB, R_AI 40 Mb/s, g 1/256"),
    "cx4-lx": Nic("nic-default", "", "CNP limiter per destination IP; a lost packet is sent again 1.2 + 165 us later",
                  "Lumina section 6.2.3, figures 8a and 9a"),
    "cx5": Nic("nic-default", "", "CNP limiter per port; a lost packet is sent again 1.2 + 2.9 us later", "as cx4-lx"),
    "cx6-dx": Nic("nic-default", "", "CNP limiter per port; a lost packet is sent again 1.5 + 4.2 us later", "as cx4-lx"),
    "e810": Nic("nic-default", "cnp_generation=0s,cnp_interval=50us",
                "CNP limiter per queue pair; a lost packet is sent again 3.8 + 11 us later",
                "Lumina; its reaction point is not published and stands as nic-default"),
    "thor-stand-in": Nic("nic-default", "", "", "the DCQCN of Thor Ultra is not published: NVIDIA's defaults stand for it"),
    "vendor-25g": Nic("hpcc", "timer=300us,r_ai=5Mbps,r_hai=50Mbps,r_min=1Gbps", "an ACK for each packet",
                      "HPCC's public simulator, --cc dcqcn, at 25 Gb/s: F 1 counted from stage 0, alpha 1 us, cut 4 us, "
                      "hyper increase by a constant"),
    "vendor-100g": Nic("hpcc", "timer=300us,r_ai=20Mbps,r_hai=200Mbps,r_min=1Gbps", "an ACK for each packet",
                       "the same at 100 Gb/s"),
    "ns3-rdma": Nic("ns3-rdma", "timer=50us,byte_counter=10MB,kmin=5KB,kmax=100KB,pmax=0.01,r_ai=40Mbps", "",
                    "sc20anonymous' parameters over the configuration of ns3-rdma"),
    "jnp": Nic("nic-default", "min_dec_fac=95 %,clamp_target=yes,timer=5000us", "timer 7000 us at 500 km",
               "Juniper's final profile over nic-default"),
    "barre-tuned": Nic("nic-default", "cnp_generation=1us,min_dec_fac=89 %,rate_reduce_period=2500ns,r_ai=14Mbps,timer=60us", "",
                       "the middle of each range of Barre's table 2 over nic-default"),
    "stronger": Nic("nic-default", "cut_ratio=1,min_dec_fac=25 %,cnp_generation=2us,rate_reduce_period=2us", "",
                    "stand-in for a profile that is not published: cuts by alpha in place of alpha / 2 and twice the CNPs"),
    "strongest": Nic("nic-default", "cut_ratio=1,min_dec_fac=10 %,cnp_generation=1us,rate_reduce_period=1us", "",
                     "stand-in as `stronger`, with four times the CNPs"),
    "paper": Nic("paper", "", "", "SIGCOMM'15, as cx3-pro"),
}

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
