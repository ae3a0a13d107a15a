# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The first inputs of the fuzz targets that read files."""
from __future__ import annotations

import json
import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden"))
from golden import FILES  # noqa: E402

SIZES = "# bytes, cumulative probability\n0 0\n1000 0.15\n20000 0.5\n1000000 0.9\n30000000 1\n"
TOPOLOGY = "6 2 5\n4 5\n0 4 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 5 10Gbps 1us 0\n3 5 10Gbps 1us 0\n4 5 40Gbps 0.005ms 0.001\n"
RUN_FILE = "rcc-run 1\nrun a%20b 7 1000000 0 40000000000\nwindow 0 1000000\ndefault ns3::RdmaNic Mtu 1000\nalgorithm 0 dcqcn g=5\n" \
           "algorithm-at 0 40000000000 kmin 5000\nnode 0 host h0\nnode 1 host -\nnode 2 switch s\ninternet 0\ninternet 1\n" \
           "link 0 0 2 40000000000 1000 0\nlink 1 1 2 40000000000 1000 0\nroutes shortest\nmarker all 3 0\nwatch 2 1 port\n{}" \
           "guard stop - report 0\n"
FLOWS = "group g\nflows 2 0 0 1 1 0 1 1 3 - 1000 0 0 0 - 1 1 0 - - - -\nwait 0 1 0 5\nafter 1 1 received 3\nafter begin - - 9\n" \
        "tcp 0 1 5001 2 0 1 - 0 ns3::TcpCubic x\nlose 0 4\npause 1 3 500000000 100000 0 -\nreroute never\n" \
        "fault lose 0 2 1 5 - - 1000 1 0 3 - - - - - -\nfault forge all - - 0 - 1000 - - 1 1 - - 0 5 0 3\ncapture 2 0 x\n"
ARRIVALS = "arrival 0 1 3 - 5 0 - 100 1 80\narrival 1 0 3 0 5 7 9 bdp 0 80\nfct fct.txt\nqlen q 0 5\nmix m\ntraced 2\n"
GOAL = "num_ranks 2\nrank 0 {\na: calc 100\nb: send 4b to 1 tag 3 cpu 0 nic 0\nb requires a\nc: recv 9b from 1\nc irequires b\n}\n" \
       "rank 1 { r: recv 4b from 0 tag 3; /* of\na */ send 9b to 0 // end\n}\n"
GOAL_BINARY = struct.pack("<QIBB4Q", 4223, 2, 0, 0, 38, 132, 132, 183) \
    + struct.pack("<III", 2, 1, 0) + struct.pack("<IBIQIBBIIII", 0, 3, 0, 100, 0, 0, 0, 1, 0, 0, 1) \
    + struct.pack("<IBIQIBBIIIII", 1, 1, 1, 4, 3, 0, 1, 0, 1, 0, 1, 1) \
    + struct.pack("<III", 1, 1, 0) + struct.pack("<IBIQIBBIIII", 0, 2, 0, 4, 3, 0, 0, 0, 0, 0, 0)
CHAKRA = '{"workload_graph": [{"Id": 1, "Name": "a", "NodeType": 4, "runtime": 5, "data_deps": []}, {"Id": 2, "NodeType": 7, ' \
         '"data_deps": [1], "ctrlDeps": [1], "comm_type": 0, "comm_size": 800, "is_cpu_op": false}, {"Id": 3, "NodeType": 5, ' \
         '"data_deps": [2], "comm_size": 9, "comm_tag": 1, "comm_dst": 1}]}'
JSONIZER = '{"version": "0.0.4"}\n{"id": "1", "name": "c", "type": "COMM_COLL_NODE", "durationMicros": "7", "dataDeps": [], "attr": ' \
           '[{"name": "comm_type", "int64Val": "6"}, {"name": "comm_size", "int64Val": "800"}]}'
SIMAI = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 pp: 1 all_gpus: 4\n2\n" \
        "a -1 50 ALLREDUCE 400 5 ALLGATHER 400 5 REDUCESCATTER 8 0\nb -1 5 ALLTOALL_EP 80 5 NONE 0 5 ALLREDUCE_DP_EP 8 0\n"
MSCCL = '<algo name="x" ngpus="2" coll="allreduce" nchunksperloop="2"><gpu id="0" i_chunks="2"><tb id="0" send="1" recv="1" chan="0">' \
        '<step s="0" type="s" cnt="1" depid="-1" deps="-1"/><step s="1" type="rcs" cnt="1" depid="1" deps="0"/></tb>' \
        '<tb id="1" send="-1" recv="-1"><step s="0" type="cpy"/></tb></gpu><gpu id="1" i_chunks="2"><tb id="0" send="0" recv="0" ' \
        'chan="0"><step s="0" type="r" cnt="1"/><step s="1" type="s" cnt="1"/><step s="2" type="r" cnt="1"/></tb></gpu></algo>'
HTSIM = "Nodes 3\nConnections 3\nTriggers 1\n0->1 id 1 start 1500 size 9 send_done_trigger 4\n1->2 id 2 trigger 4 size 5 prio 1\n" \
        "2->0 id 3 start 0 size 7 recv_done_trigger 4\ntrigger id 4 barrier count 2\n"


def mix() -> bytes:
    """A packet trace of two ports with a record of each kind."""
    out = struct.pack("<I", 2) + struct.pack("<HBQ", 0, 1, 10 ** 10) + struct.pack("<HBQ", 4, 2, 10 ** 10) + struct.pack("<I", 30000)
    for kind in (0x11, 0xFC, 0xFD, 0xFE, 0xFF, 0x06, 0x00, 0x42):
        out += struct.pack("<QHBBIIIHBBBBxxHHIQQ", 2000010000, 4, 1, 3, 1062, 0x0B000001, 0x0B000101, 1062, kind, 1, 1, 1, 10000, 100,
                           5000, 2000000000, 3)
    return out


def summary() -> str:
    """A result with most of what the tables read."""
    queue = {"mean_bytes": 5e4, "p50_bytes": 4e4, "p95_bytes": 9e4, "p99_bytes": 1e5, "max_bytes": 2e5}
    run = {"scenario": "incast", "cc": "dcqcn", "title": "DCQCN", "flows": 8, "hosts": 9, "rate_bps": 4e10, "sim_s": 0.4, "wall_s": 2.0,
           "seed": 1, "packets_delivered": 1000, "packets_dropped": 0, "window_s": [0.2, 0.4], "utilization": 0.95, "jain": 0.9,
           "pfc": {"pauses": 0, "paused_s": 0.0}, "fct": {"count": 8, "mean_s": 0.1, "p50_s": 0.1, "p99_s": 0.2, "max_s": 0.2},
           "slowdown": {"count": 8, "mean": 2.0, "p99": 3.0}, "queue": queue, "kmax_bytes": 200000, "pfc_limit_bytes": 4944000,
           "partial": False, "warnings": [], "incomplete": 0, "frames_lost": 3, "parameters": {"g": "0.0039"}, "events": 9}
    return json.dumps({"schema": 1, "rcc_version": "0.1.0", "command": "./rcc run incast", "partial": False, "runs": [run]})


SEEDS = {
    "config": [FILES["original.txt"], FILES["hpcc.txt"]],
    "topology": [TOPOLOGY, "3 1 2\n2\n0 2 40000000000 1000ns 0\n1 2 40Gbps 1us\n"],
    "flow": ["3\n0 1 3 100 200000 2\n1 2 3 100 1000 0.001\n2 3 3 5000 0\n"],
    "tcp_flow": ["2\n0 1 3 100 0 1\n1 2 3 0 0.5 2.5\n"],
    "goal": [GOAL, GOAL_BINARY], "chakra": [CHAKRA, JSONIZER], "simai": [SIMAI], "msccl": [MSCCL], "htsim": [HTSIM],
    "trace": ["3\n0 1 2\n", "2\n0\n9\n"],
    "choices": ["# who has what\ndefault dcqcn\nnode 0-1 dcqcn-plus\nflow 2 timely\n"],
    "nic_params": ["rp_dce_tcp_g = 1019\nrpg_ai_rate=5\nRPG_HAI_RATE_P1: 50\nrpg_time_reset 300\nmin_time_between_cnps 4\n"],
    "faults": ["reroute time=200us\nlink-down link=4-5 at=1ms for=500us every=1ms count=3\nlose link=all p=0.001 burst=4 "
               "frames=DATA,ACK\n# more\nforge host=2 frames=CNP qp=7 period=10us count=5 every=1us\npause host=all class=3\n",
               "restart switch=4 for=1ms\nslow-np host=0 every=50us\nrate link=4-5 rate=1Gbps\nstop-reading host=1 buffer=64KB\n"
               "delay link=0>4 time=5us p=0.5\ncorrupt link=0-4\nduplicate link=0-4 count=3\n"],
    "run_file": [RUN_FILE.format("record testbed\n" + FLOWS), RUN_FILE.format(ARRIVALS), RUN_FILE.format(
        "arrivals 5 300000000\ncdf 0 0\ncdf 9 1000000000000\nincasts 1 2 3 4\n")],
    "cdf": [SIZES, "100 0\n2000 50\n3000 100\n"],
    "fct": ["0b000001 0b000101 10000 100 200000 2000000000 60000 55000\n0b000101 0b000201 10001 200 1000 2000000000 3000 2900\n"],
    "mix": [mix()],
    "python_topology": [TOPOLOGY],
    "summary": [summary()],
    "capture": [],   # lab/test/command/pcap_bytes.py writes them
}
