# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Golden runs of one feature each, and the files that they read. Each takes about a second."""
from __future__ import annotations

import json
from typing import Dict, NamedTuple


class Case(NamedTuple):
    covers: str                       # the features that only this case has
    words: str                        # the words of the command; {files} is the folder of the files
    status: int = 0                   # the exit status of the command
    environment: Dict[str, str] = {}  # beside that of golden.py
    program: str = ""                 # without this program the case is left out


STAR = "run testbed --links=h[1-4]-s1 --rate=10Gbps"
RACKS = "--links=h[1-4]=a[1-2],a[1-2]-b[1-2] --rate=25Gbps"

CASES = {
    # faults, on fabric.json unless the file is of another simulator
    "fault-links": Case("link-down of both directions with flaps, of one for good, reroute; rate",
                        "run {files}/fabric.json --faults={files}/links.faults"),
    "fault-loss": Case("lose: independent, in bursts, by kind and count", "run {files}/fabric.json --faults={files}/loss.faults"),
    "fault-frames": Case("corrupt, delay, duplicate; invariants",
                         "run {files}/fabric.json --check-invariants --faults={files}/frames.faults"),
    "fault-hosts": Case("pause, stop-reading, slow-np", "run {files}/fabric.json --faults={files}/hosts.faults"),
    "fault-restart": Case("restart; IRN", "run {files}/fabric.json --faults={files}/restart.faults --attr=RdmaNic.Recovery=irn"),
    "fault-forged": Case("forge: CNP, ACK, NAK, DATA, CNM", "run {files}/fabric.json --cc=dcqcn-plus --faults={files}/forged.faults"),
    "fault-storm": Case("a pause without end, PFC frames that are lost, the watchdog drops",
                        "run {files}/fabric.json --cc=none --faults={files}/storm.faults --storm-after=300us --storm-action=drop"),

    # collectives
    "collective": Case("all-reduce, barrier, gap, rounds", "run collective --cc=dcqcn --size=400KB --gap=20us --rounds=2"),
    "collective-data": Case("all-reduce without a barrier, neighbours within a rack",
                            "run collective --cc=hpcc --size=400KB --sync=data --placement=within"),
    "collective-all-to-all": Case("all-to-all, queue pairs", "run collective --cc=dcqcn --size=200KB --operation=all-to-all --qps=2"),

    # random arrivals
    "arrivals": Case("arrivals and incasts on a fabric, load of the payload, --drain",
                     "run testbed --cc=dcqcn --links=h[0-15]=t[0-3],t[0-3]-s[0-1] --arrivals=fb-hadoop:0.3 --incasts=8:50KB:0.05:2 "
                     "--load-counts=payload --drain=5ms --time=300us --seed=5"),
    "arrivals-sizes": Case("a file of sizes, a variant of an algorithm, two seeds",
                           "run testbed --cc=dcqcn:cx4+g=0.01 --links=h[1-6]-s1 --rate=10Gbps --arrivals={files}/sizes.txt:0.5 "
                           "--time=500us --seed=1-2"),

    # traces of training jobs
    "trace-goal": Case("GOAL, ranks that share hosts, computing scaled",
                       "run trace {files}/ring.goal --cc=none,dcqcn --ranks-per-host=2 --compute=0.5x"),
    "trace-chakra": Case("Chakra in JSON, groups, a topology.txt",
                         "run trace {files}/job.0.json --cc=dcqcn --topology={files}/trace-topology.txt"),
    "trace-simai": Case("SimAI, rings of two channels, rails", "run trace {files}/simai.txt --cc=dcqcn --topology=rails --ranks-per-host=2 "
                        "--collective=all-reduce=ring:channels=2"),
    "trace-msccl": Case("MSCCL, --size", "run trace {files}/pair.xml --cc=swift --size=400000"),

    # one simulation in two processes
    "ranks": Case("two ranks of a scenario",
                  "run clos --ranks=2 --cc=dcqcn --k=4 --cores=4 --senders=12 --receivers=2 --flows=24 --time=400us "
                  "--start=50us", program="mpirun"),
    "ranks-trace": Case("two ranks of a trace", "run trace {files}/ring.goal --ranks=2 --cc=dcqcn --topology=leaf-spine", program="mpirun"),
    "ranks-rdma": Case("two ranks of the files of HPCC", "ns3-rdma {files}/telemetry.txt --ranks=2", program="mpirun"),

    # hosts, NICs and classes
    "dscp": Case("DSCP map, DSCP of CNPs, strict priority, weights of classes",
                 f"{STAR} --cc=dcqcn --flows=h1-h4:dscp=26,h2-h4:dscp=10,h3-h4:class=5:stop=800us --dscp-map=24-31:3,10:1,48:6 --strict=5 "
                 "--lossless=3,5 --attr=RdmaNic.CnpDscp=48,QbbNetDevice.ClassWeights=3:2,1:1 --time=1ms"),
    "nic": Case("a NIC as it is shipped", "run incast --cc=dcqcn --nic=cx5 --flows=8 --time=2ms --start=200us"),
    "nic-params": Case("the settings of a NIC, and the preset beside them",
                       "run incast --cc=dcqcn --nic-params={files}/nic.txt,default --flows=8 --time=1ms --start=100us"),
    "policer": Case("policer, a host that emits PFC, a packet that is lost, thresholds by rate, marks.csv",
                    f"{STAR} --cc=dcqcn --flows=h1-h4:size=500KB,h2-h3 --police=s1>h3:4Gbps:32KB "
                    "--pause=h4:class=3:share=0.5:every=50us:stop=1ms "
                    "--lose=h1:49 --scale-thresholds --kmin=20KB --kmax=100KB --marks --record=s1>h3 --rto=300us --time=2ms"),
    "tcp": Case("TCP beside RDMA, two controls of TCP",
                f"{STAR} --cc=dcqcn --flows=h1-h4:start=12ms --tcp=h2-h4:connections=2,h3-h4:cc=dctcp:start=2ms "
                "--attr=QbbNetDevice.Mtu=1000 --time=18ms"),
    "flows": Case("times of last bytes, messages, depth, think, repeat, offered load, ECN, an algorithm for each flow",
                  f"{STAR} --cc=dcqcn --flows=h1-h4:size=4KB:messages=0:depth=8:think=2us,h2-h4:size=8KB:repeat=20:every=20us "
                  "--flows=h3-h4:cc=timely:rate=2Gbps:ecn=not-ect,h1-h3:cc=hpcc:size=100KB:count=3:within=100us "
                  "--ack-every=1 --received --time=1ms"),
    "experiment": Case("a file: flows that wait, steps, nodes in an order, links with a rate, delay and number of their own, port-log",
                       "run {files}/waits.json"),
    "captures-ports": Case("captures of a node and of a port, sprayed packets",
                           f"run testbed --cc=dcqcn {RACKS} --flows=h[1-2]=h[3-4]:size=60KB --capture=3,4:1 --attr=QbbSwitch.LoadBalancing="
                           "least-queue --time=500us"),
    "cut-through": Case("cut-through, parallel links, ports of a host in turn",
                        "run testbed --cc=none --links=h1-a*2,a-b*2,h2-b*2 --flows=h1-h2:size=100KB:qps=4 --attr=QbbSwitch.CutThrough=64 "
                        "--attr=RdmaNic.PortsInTurn=true"),
    "trimming": Case("trimming, switches without PFC, selective repeat",
                     f"{STAR} --cc=nscc --flows=h[1-3]=h4:qps=4:size=100KB --lossy --attr=QbbSwitch.TrimSize=128,QbbSwitch.TrimRtt=12us,"
                     "RdmaNic.Recovery=selective --buffer=200KB --time=2ms"),
    "windows": Case("controls with windows, telemetry, delays; PINT",
                    "run incast --cc=hpcc,hpcc:pint,dctcp,swift,powertcp,theta-powertcp,nscc,barre --flows=8 --rate=100Gbps --time=300us "
                    "--start=10us --ack-every=1"),

    # the other scenarios
    "unfairness": Case("unfairness", "run unfairness --cc=none --time=1ms"),
    "victim": Case("victim", "run victim --cc=none --time=1ms"),
    "permutation": Case("permutation", "run permutation --cc=dcqcn --time=300us"),
    "probes": Case("probes", "run probes --cc=dcqcn --time=8ms"),
    "long-haul": Case("long-haul", "run long-haul --cc=dcqcn --time=5ms"),

    # files of HPCC and its forks
    "telemetry": Case("CC_MODE 3, LINK_DOWN", "ns3-rdma {files}/telemetry.txt"),
    "pint": Case("CC_MODE 10, pcap", "ns3-rdma {files}/pint.txt --capture=all --snaplen=128"),
    "fork": Case("keys of forks: no PFC, IRN, flowlets, hosts that read slowly by a schedule", "ns3-rdma {files}/fork.txt"),
    "choices": Case("an algorithm for each node and flow, faults, ACK_HIGH_PRIO of hosts",
                    "ns3-rdma {files}/choices.txt --choices={files}/choices --faults={files}/racks.faults --ack-priority=hosts "
                    "--rto=200us"),
    "original": Case("a path for each packet, fixed thresholds of PFC, a loss repeats its chunk", "ns3-rdma {files}/chunks.txt"),
    "up-down": Case("routes without cycles", "ns3-rdma {files}/circle.txt --routing=up-down --time=2.0002s"),
    "nvswitch": Case("a topology with NVSwitches", "ns3-rdma {files}/servers.txt --cc=dcqcn"),

    # runs that stop early
    "deadlock": Case("a PFC deadlock ends the run", "ns3-rdma {files}/circle.txt --cc=none --interval=20us --buffer=16MB", status=3),
    "partial": Case("a run that is stopped", "run incast --cc=dcqcn --flows=8 --time=1ms --start=100us --size=1MB",
                    environment={"RCC_MAX_EVENTS": "5000"}),
}


def hpcc(name: str, topology: str, more: str) -> Dict[str, str]:
    """The config NAME.txt of the HPCC simulator, with further keys, and its traced nodes."""
    return {f"{name}.txt": f"ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE {topology}.txt\n"
                           f"FLOW_FILE {topology}-flows.txt\nTRACE_FILE {topology}-trace.txt\nTRACE_OUTPUT_FILE mix.tr\n"
                           "FCT_OUTPUT_FILE fct.txt\nPFC_OUTPUT_FILE pfc.txt\nSIMULATOR_STOP_TIME 2.004\nL2_CHUNK_SIZE 4000\n"
                           f"L2_ACK_INTERVAL 1\n{more}"}


def ring_of_ranks(ranks: int, steps: int, size: int) -> str:
    """A ring in GOAL: each rank passes on what it has received, and computes at the end."""
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        lines.append(f"rank {rank} {{")
        for step in range(steps):
            lines.append(f"s{step}: send {size}b to {(rank + 1) % ranks} tag {step}")
            lines.append(f"r{step}: recv {size}b from {(rank - 1) % ranks} tag {step}")
            if step:
                lines.append(f"s{step} requires r{step - 1}")
        lines += ["c: calc 5000", f"c requires r{steps - 1}", "}"]
    return "\n".join(lines) + "\n"


def chakra(rank: int) -> str:
    """The trace of one of four ranks: it computes, exchanges data with its pair, and sums up with all."""
    first = {"Id": 2, "NodeType": 5, "data_deps": [1], "comm_size": 200000, "comm_tag": 1, "comm_dst": rank + 1} if rank % 2 == 0 else \
        {"Id": 2, "NodeType": 6, "data_deps": [1], "comm_size": 200000, "comm_tag": 1, "comm_src": rank - 1}
    return json.dumps({"workload_graph": [
        {"Id": 1, "Name": "compute", "NodeType": 4, "runtime": 5 + rank, "data_deps": []}, {"Name": "exchange", **first},
        {"Id": 3, "Name": "pair", "NodeType": 7, "data_deps": [2], "comm_type": 2, "comm_size": 100000, "pg_name": str(rank // 2)},
        {"Id": 4, "Name": "all", "NodeType": 7, "data_deps": [3], "comm_type": 0, "comm_size": 400000}]})


def msccl() -> str:
    """An all-gather of two GPUs."""
    step = '<step s="{}" type="{}" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>'
    return '<algo name="pair" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0">' + "".join(
        f'<gpu id="{gpu}" i_chunks="1" o_chunks="2" s_chunks="0"><tb id="0" send="{1 - gpu}" recv="{1 - gpu}" chan="0">'
        + step.format(0, "s") + step.format(1, "r") + "</tb></gpu>" for gpu in range(2)) + "</algo>\n"


FILES = {
    # h1 to h4 are nodes 0 to 3, h5 to h8 are 4 to 7; the leaves are 8 and 9, the spines 10 and 11
    "fabric.json": json.dumps({
        "nodes": ["h[1-8]", "a", "b", "c", "d"], "links": ["h[1-4]-a", "h[5-8]-b", "a-c", "a-d", "b-c", "b-d"],
        "flows": ["h[1-3]-h5", {"hosts": "h[6-8]-h4", "size": "300KB"}], "cc": "dcqcn", "rate": "10Gbps", "buffer": "1MB", "rto": "500us",
        "time": "2ms"}),
    "links.faults": "reroute time=50us\nlink-down link=8-10 at=200us for=100us count=3 every=300us\nlink-down link=9-11 at=1500us\n"
                    "rate link=4-9 at=500us for=500us rate=1Gbps\n",
    "loss.faults": "lose link=all p=0.001\nlose link=8-10 p=0.02 burst=5 frames=DATA at=500us for=1ms\nlose link=4>9 frames=CNP count=20\n"
                   "lose link=9>11 p=0.3 frames=ACK,NAK\n",
    "frames.faults": "corrupt link=0-8 p=0.01\ndelay link=all p=0.01 time=20us frames=DATA\nduplicate link=8-11 p=0.05 at=300us for=1ms\n",
    "hosts.faults": "pause host=3 at=300us for=300us\nstop-reading host=4 at=1ms for=300us buffer=32KB\nslow-np host=4 every=200us\n",
    "restart.faults": "restart switch=10 at=500us for=300us\n",
    "forged.faults": "".join(f"forge host={host} frames={frames} at=200us for=1ms count=20 every=30us{more}\n" for host, frames, more in (
        (0, "CNP", " qp=0 period=100us"), (1, "ACK", " psn=5"), (2, "NAK", " psn=1000000"), (4, "DATA", " qp=77"), (5, "CNM", ""))),
    "storm.faults": "pause host=4 at=200us\nlose link=all p=0.2 frames=PFC\n",
    "sizes.txt": "# bytes, cumulative probability\n500 0\n2000 50\n30000 100\n",
    "ring.goal": ring_of_ranks(8, 5, 50000),
    **{f"job.{rank}.json": chakra(rank) for rank in range(4)},
    "comm_group.json": json.dumps({"0": [0, 1], "1": [2, 3]}),
    "trace-topology.txt": "6 2 5\n4 5\n" + "".join(f"{4 + i // 2} {i} 100Gbps 1us 0\n" for i in range(4)) + "4 5 50Gbps 2us 0\n",
    "simai.txt": "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4 checkpoints: 0 "
                 "checkpoint_initiates: 0\n2\nfirst -1 1000 ALLREDUCE 200000 1000 NONE 0 1000 ALLREDUCE 400000 100\n"
                 "second -1 2000 ALLGATHER 100000 1000 NONE 0 1000 REDUCESCATTER 100000 100\n",
    "pair.xml": msccl(),
    "nic.txt": "rpg_ai_rate 20\nrpg_time_reset 100\nrpg_byte_reset 65536\nmin_time_between_cnps 4\ndce_tcp_g 1019\n",
    "waits.json": json.dumps({
        "nodes": ["s1", "s2", "h[1-6]"],
        "links": ["h[1-3]-s1", {"nodes": "h[4-6]-s2", "rate": "10Gbps", "delay": "5us"}, {"nodes": "s1-s2", "parallel": 2}],
        "flows": [{"hosts": "h[1-3]=h[4-6]", "size": "100KB", "name": "forward", "within": "20us"},
                  {"hosts": "h[4-6]=h[1-3]", "size": "50KB", "name": "backward", "after": "forward.received", "delay": "10us", "needs": 2},
                  {"hosts": "h1-h6", "size": "64KB", "after": "forward@20us+backward+@300us", "cc": "timely", "qps": 2}],
        "cc": "dcqcn", "rate": "25Gbps", "time": "2ms", "seed": 3, "set": {"dcqcn.g": "1/128"}, "attr": {"QbbSwitch.PoolSize": 2000000},
        "steps": ["s1>s2:100us:5Gbps", "s1>s2:200us:25Gbps"], "port-log": True}),

    # four hosts on each of two leaves, two spines; flows from 2 s on, as those simulators have them
    "pairs.txt": "8 4 8\n4 5 6 7\n" + "".join(f"{4 + i // 2} {i} 25Gbps 0.001ms 0\n" for i in range(4))
                 + "".join(f"{leaf} {spine} 100Gbps 0.001ms 0\n" for leaf in (4, 5) for spine in (6, 7)),
    "pairs-flows.txt": "12\n" + "".join(f"{i % 2} {2 + i // 2 % 2} 3 100 {2000 + 7919 * i * i} {2 + i * 0.00001:.5f}\n" for i in range(12)),
    "pairs-trace.txt": "2\n0 4\n",
    **hpcc("telemetry", "pairs", "CC_MODE 3\nRATE_AI 50Mb/s\nMIN_RATE 100Mb/s\nU_TARGET 0.95\nMI_THRESH 0\nINT_MULTI 1\nMULTI_RATE 0\n"
                                 "LINK_DOWN 100 4 6\nENABLE_TRACE 0\n"),
    **hpcc("pint", "pairs", "CC_MODE 10\nRATE_AI 50Mb/s\nPINT_LOG_BASE 1.05\nPINT_PROB 0.5\nENABLE_TRACE 1\n"),
    **hpcc("fork", "pairs", "CC_MODE 1\nENABLE_PFC 0\nENABLE_IRN 1\nLB_MODE 6\nBUFFER_SIZE 1\nHAS_WIN 0\nENABLE_TRACE 0\n"
                            "RX_PULL_MODE 1\nRX_PULL_RATE_NODE 2 0.5\nRX_BUFFER_SIZE_NODE 2 80000\n"
                            "RX_PULL_RATE_SCHEDULE 3 2 2.0001 0.25 2.0004 1.0\n"),
    **hpcc("choices", "pairs", "CC_MODE 1\nACK_HIGH_PRIO 1\nENABLE_TRACE 1\nERROR_RATE_PER_LINK 0.001\n"),
    "chunks.txt": "ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 0\nPACKET_LEVEL_ECMP 1\nFLOW_LEVEL_ECMP 0\nPAUSE_TIME 5\nSEND_IN_CHUNKS 0\n"
                  "PACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE pairs.txt\nFLOW_FILE chunks-flows.txt\nSIMULATOR_STOP_TIME 0.003\n"
                  "KMIN 20\nKMAX 80\nPMAX 0.5\nERROR_RATE_PER_LINK 0.001\nL2_CHUNK_SIZE 40\nL2_ACK_INTERVAL 4\nL2_BACK_TO_ZERO 1\n",
    "chunks-flows.txt": "4\n0 2 3 1000 0.0001 9.5\n1 2 3 1000 0.0002 9.5\n1 3 3 400 0.0003 9.5\n0 3 2 50 0.0004 9.5\n",
    "choices": "default dcqcn\nnode 1 timely\nflow 2-3 dcqcn-plus\n",
    "racks.faults": "link-down link=4-6 at=2.0001s for=100us\n",

    # two servers of two GPUs, each with an NVSwitch, at one switch
    "servers-net.txt": "7 2 2 1 8 H100\n4 5 6\n" + "".join(f"{i} {4 + i // 2} 2400Gbps 0.000025ms 0\n" for i in range(4))
                       + "".join(f"{i} 6 100Gbps 0.0005ms 0\n" for i in range(4)),
    "servers-net-flows.txt": "4\n0 1 3 100 400000 2\n0 2 3 101 400000 2\n3 2 3 102 100000 2.00001\n1 2 3 103 200000 2.00002\n",
    "servers-net-trace.txt": "0\n",
    **hpcc("servers", "servers-net", "CC_MODE 1\nHAS_WIN 0\nBUFFER_SIZE 32\nENABLE_TRACE 0\n"),

    # hosts of a ring of five switches, each of which sends to the one after the next
    "circle-net.txt": "10 5 10\n5 6 7 8 9\n" + "".join(
        f"{i} {5 + i} 40Gbps 1us 0\n{5 + i} {5 + (i + 1) % 5} 40Gbps 1us 0\n" for i in range(5)),
    "circle-net-flows.txt": "80\n" + "".join(f"{i % 5} {(i + 2) % 5} 3 100 100000000 2\n" for i in range(80)),
    "circle-net-trace.txt": "0\n",
    **hpcc("circle", "circle-net", "CC_MODE 1\nHAS_WIN 0\nENABLE_TRACE 0\n"),
}
