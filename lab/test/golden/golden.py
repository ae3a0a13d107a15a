#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Golden runs: small simulations whose every output file is known by its SHA-256.

A change that moves code leaves lab/test/golden/sums.txt alone. A change that is meant to alter results runs
`lab/test/golden/golden.py --update` and says in its commit which files changed and why. The English of run.json and summary.json
has sums of its own in words.txt, so that a change of words alone is seen as one.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import more_cases
from more_cases import Case

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
SUMS = os.path.join(ROOT, "lab", "test", "golden", "sums.txt")
WORD_SUMS = os.path.join(ROOT, "lab", "test", "golden", "words.txt")
WORDS = {"title", "source", "warnings", "notes", "command", "rcc_version"}
VOLATILE = {"wall_s", "peak_rss_bytes", "ns3_version", "answer"}  # not results of the simulation, or what follows from them
ASIDE = ("table.csv", "wide.csv", "machine.json")
ALL = "dcqcn,dcqcn-plus,qcn,timely,timely-patched"

CASES = {
    "incast": f"run incast --cc={ALL} --flows=64 --time=20ms --start=2ms",
    "incast-2000": "run incast --cc=dcqcn,dcqcn-plus,qcn --flows=2000 --time=20ms --start=10ms",
    "incast-finite": f"run incast --cc={ALL},none --flows=40 --size=300KB --rate=10Gbps --time=40ms --start=1ms --seed=7",
    "incast-share": "run incast --cc=dcqcn-plus-share --flows=64 --rate=10Gbps --time=30ms --start=2ms",
    "incast-acks": "run incast --cc=dcqcn,timely --flows=16 --senders=3 --ack-every=1 --time=5ms --start=1ms --mtu=1500",
    "incast-pause": "run incast --cc=dcqcn-plus,none --flows=80 --time=8ms --start=1ms --attr=QbbNetDevice.LinkPause=true --buffer=2MB",
    "captures": "run incast --cc=dcqcn-plus,qcn --flows=8 --time=2ms --start=100us --capture=all --snaplen=96 --attr=QbbNetDevice.VlanId=5",
    "captures-write": "run incast --cc=dcqcn --flows=8 --size=30KB --time=3ms --start=100us --pcap --attr=RdmaNic.Write=true",
    "clos": "run clos --cc=dcqcn,dcqcn-plus --k=4 --cores=4 --senders=12 --receivers=2 --flows=48 --time=8ms --start=1ms",
    "leaf-spine": "run clos --topology=leaf-spine --cc=dcqcn,timely --racks=3 --hosts-per-rack=4 --spines=2 --receivers=2 "
                  "--oversubscription=2 --time=5ms --start=1ms --size=200KB",
    "convergence": f"run convergence --cc={ALL} --start=0s,3ms,6ms --time=15ms",
    "workload": "run workload --cc=dcqcn,dcqcn-plus,qcn --time=10ms --hosts=6 --load=0.6",
    "workload-leaf-spine": "run workload --cc=dcqcn --topology=leaf-spine --racks=2 --hosts-per-rack=4 --spines=2 "
                           "--sizes=data-mining --time=4ms --seed=3",
    "fan-in": "run fan-in --cp=inputs --sampling=random --flows=0:5 --flows=1:5 --flows=2:5::2ms:6ms --time=8ms",
    "fan-in-outputs": "run fan-in --cp=both --sampling=deterministic --attr=CioqSwitch.KeepAlive=true,CioqSwitch.Reliable=true "
                      "--flows=0:5 --flows=1:5:8Gbps --flows=2:5 --capacity=5:2ms:1Gbps --time=6ms --pcap",
    "capacity": "run capacity --senders=3 --capacity=0s:0.95Gbps,30ms:0.2Gbps,60ms:0.95Gbps --time=0.1s",
    "capacity-reliable": "run capacity --senders=2 --attr=RdmaNic.Reliable=true,RdmaNic.BucketDebt=false --rtt=1ms "
                         "--capacity=0s:0.95Gbps --time=60ms",
    "testbed-windows": "run testbed --cc=dcqcn --links=h[1-2]-a,h[3-4]-b,a-b:100Gbps:50us --flows=h[1-2]=h[3-4]:qps=8:window=100KB "
                       "--lossy --rate=100Gbps --mtu=4096 --buffer=200KB --kmin=50KB --kmax=200KB --time=6ms --rto=300us",
    "dcqcn-hpcc": "run incast --cc=dcqcn:hpcc --flows=12 --time=5ms --start=1ms --ack-every=1",
    "ns3-rdma": "ns3-rdma {files}/original.txt --cc=dcqcn,dcqcn-plus,qcn",
    "hpcc": "ns3-rdma {files}/hpcc.txt --cc=dcqcn,timely --pcap",
}


def write_config(keys):
    """Return the text of a config.txt with a key in each line."""
    return keys.replace("; ", "\n") + "\n"


# Two small sets in the dialects that lab/doc/ns3-rdma.md describes: a star, and two racks with windows, failures of a link,
# a trace of every node and a flow of TCP.
FILES = {
    "original.txt": write_config(
        "ENABLE_QCN 1; USE_DYNAMIC_PFC_THRESHOLD 1; PACKET_LEVEL_ECMP 0; FLOW_LEVEL_ECMP 1; PAUSE_TIME 5; "
        "PACKET_PAYLOAD_SIZE 1000; TOPOLOGY_FILE star.txt; FLOW_FILE star-flows.txt; TCP_FLOW_FILE star-tcp.txt; "
        "TRACE_FILE star-trace.txt; TRACE_OUTPUT_FILE mix.tr; SEND_IN_CHUNKS 0; APP_START_TIME 0; APP_STOP_TIME 10; "
        "SIMULATOR_STOP_TIME 0.012; CNP_INTERVAL 50; ALPHA_RESUME_INTERVAL 55; NP_SAMPLING_INTERVAL 0; CLAMP_TARGET_RATE 1; "
        "CLAMP_TARGET_RATE_AFTER_TIMER 0; RP_TIMER 60; BYTE_COUNTER 300000; DCTCP_GAIN 0.00390625; KMAX 200; KMIN 5; PMAX 0.1; "
        "FAST_RECOVERY_TIMES 5; RATE_AI 40Mb/s; RATE_HAI 200Mb/s; ERROR_RATE_PER_LINK 0.0000; L2_CHUNK_SIZE 4000; "
        "L2_WAIT_FOR_ACK 0; L2_ACK_INTERVAL 32; L2_BACK_TO_ZERO 0"),
    "star.txt": "6 1 5\n0\n" + "".join(f"0 {i} 40Gbps 0.001ms 0\n" for i in range(1, 6)),
    "star-flows.txt": "4\n2 1 3 10000000 0.001 9.5\n3 1 3 4000 0.001 9.5\n4 1 3 2000 0.002 9.5\n5 2 3 900 0.0025 9.5\n",
    "star-tcp.txt": "1\n5 1 1 60 0.001 0.012\n",
    "star-trace.txt": "6\n0 1 2 3 4 5\n",
    "hpcc.txt": write_config(
        "ENABLE_QCN 1; USE_DYNAMIC_PFC_THRESHOLD 1; PACKET_PAYLOAD_SIZE 1000; TOPOLOGY_FILE racks.txt; "
        "FLOW_FILE racks-flows.txt; TRACE_FILE racks-trace.txt; TRACE_OUTPUT_FILE mix.tr; FCT_OUTPUT_FILE fct.txt; "
        "PFC_OUTPUT_FILE pfc.txt; SIMULATOR_STOP_TIME 0.02; CC_MODE 1; ALPHA_RESUME_INTERVAL 1; RATE_DECREASE_INTERVAL 4; "
        "CLAMP_TARGET_RATE 0; RP_TIMER 900; EWMA_GAIN 0.00390625; FAST_RECOVERY_TIMES 1; RATE_AI 50Mb/s; RATE_HAI 100Mb/s; "
        "MIN_RATE 100Mb/s; DCTCP_RATE_AI 1000Mb/s; ERROR_RATE_PER_LINK 0.0001; L2_CHUNK_SIZE 4000; L2_ACK_INTERVAL 1; "
        "L2_BACK_TO_ZERO 0; HAS_WIN 1; GLOBAL_T 1; VAR_WIN 1; FAST_REACT 1; U_TARGET 0.95; MI_THRESH 0; INT_MULTI 1; "
        "MULTI_RATE 0; SAMPLE_FEEDBACK 0; RATE_BOUND 1; ACK_HIGH_PRIO 0; LINK_DOWN 4000000 8 10; ENABLE_TRACE 1; "
        "KMAX_MAP 2 25000000000 400 100000000000 1600; KMIN_MAP 2 25000000000 100 100000000000 400; "
        "PMAX_MAP 2 25000000000 0.2 100000000000 0.2; BUFFER_SIZE 16; QLEN_MON_FILE qlen.txt; QLEN_MON_START 1000000; "
        "QLEN_MON_END 15000000"),
    "racks.txt": "12 4 12\n8 9 10 11\n" + "".join(f"{8 + i // 4} {i} 25Gbps 0.001ms 0\n" for i in range(8))
                 + "".join(f"{leaf} {spine} 100Gbps 0.001ms 0\n" for leaf in (8, 9) for spine in (10, 11)),
    "racks-flows.txt": "30\n" + "".join(
        f"{i % 4} {4 + i * 3 % 4} 3 100 {20000 + 7919 * i * i} {0.001 + i * 0.00003:.5f}\n" for i in range(30)),
    "racks-trace.txt": "12\n0 1 2 3 4 5 6 7 8 9 10 11\n",
}


ALL_CASES = {**{name: Case("", words) for name, words in CASES.items()}, **more_cases.CASES}


def sum_text(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sum_json(path):
    """Return the sums of the numbers and codes of a JSON file and of its words, without what a repetition of the same run may change.

    Numbers count as they are written, and keys in their order."""
    with open(path, encoding="utf-8") as f:
        value = without_volatile(json.load(f, parse_float="number:{}".format))
    words = []
    numbers = without_words(value, words)
    return sum_text(json.dumps(numbers)), sum_text(json.dumps(words))


def without_volatile(value):
    if isinstance(value, dict):
        return {k: without_volatile(v) for k, v in value.items() if k not in VOLATILE}
    return [without_volatile(v) for v in value] if isinstance(value, list) else value


def without_words(value, words):
    """Move the words of a JSON value into the list `words`: what is under a key of WORDS, and every text with a blank.

    Of such a text the nodes and ports stay, as `5`, `1` and `6` of "switch 5 port 1 to node 6"."""
    if isinstance(value, dict):
        words += [{k: v} for k, v in value.items() if k in WORDS]
        return {k: without_words(v, words) for k, v in value.items() if k not in WORDS}
    if isinstance(value, list):
        return [without_words(v, words) for v in value]
    if isinstance(value, str) and " " in value:
        words.append(value)
        return [word for word in value.split() if re.search("[0-9>]", word)]
    return value


def sum_files(folder, name):
    """Sum the files of a case: {case/file: sum of its numbers}, {case/file: sum of its words}."""
    numbers, words = {}, {}
    for base, _, names in os.walk(os.path.join(folder, name)):
        for file in names:
            # tables say in another form what summary.json says; machine.json says what a run took
            if not file.endswith((".html", ".png")) and file not in ASIDE and not file.startswith("."):
                path = os.path.join(base, file)
                case = os.path.relpath(path, folder)
                if file in ("run.json", "summary.json"):
                    numbers[case], words[case] = sum_json(path)
                else:
                    with open(path, "rb") as f:
                        content = f.read()
                    if file == "experiment.json":  # it names the files that it reads by their whole paths
                        content = content.replace(os.path.realpath(folder).encode() + b"/", b"")
                    numbers[case] = hashlib.sha256(content).hexdigest()
    return numbers, words


def run_case(name, folder):
    """Run one case; "" or what is wrong with its end."""
    case = ALL_CASES[name]
    done = subprocess.run([sys.executable, os.path.join(ROOT, "rcc"), *case.words.format(files="files").split(), "--no-plots",
                           f"--out={name}"], cwd=folder, env={**os.environ, **case.environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == case.status:
        return ""
    return f"{name} ({case.covers}): exit status {done.returncode}, expected {case.status}\n{done.stdout}"


def read_sums(path):
    with open(path, encoding="utf-8") as f:
        return {path: value for value, path in (line.split("  ", 1) for line in f.read().splitlines())}


def write_sums(path, found, cases):
    """Write the sums of cases that were run; other cases keep theirs, and those that are no more lose them."""
    kept = {p: v for p, v in read_sums(path).items() if p.split("/")[0] in ALL_CASES.keys() - set(cases)}
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{value}  {path}\n" for path, value in sorted({**kept, **found}.items()))


def compare_sums(path, found, cases, what):
    """List the files whose sum is missing, new or another."""
    expected = {p: v for p, v in read_sums(path).items() if p.split("/")[0] in cases}
    return [f"{p}: {what} {'missing' if p not in found else 'new' if p not in expected else 'differ'}"
            for p in sorted(expected.keys() | found.keys()) if expected.get(p) != found.get(p)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write sums.txt and words.txt anew")
    parser.add_argument("--only", action="append", choices=ALL_CASES, help="this case only; repeatable")
    parser.add_argument("--keep", metavar="DIR", help="leave the outputs in DIR")
    args = parser.parse_args()
    asked = args.only or list(ALL_CASES)
    cases = [name for name in asked if not ALL_CASES[name].program or shutil.which(ALL_CASES[name].program)]
    for name in set(asked) - set(cases):
        print(f"{name} is left out: there is no {ALL_CASES[name].program}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or scratch
        os.makedirs(os.path.join(folder, "files"), exist_ok=True)
        for name, text in {**FILES, **more_cases.FILES}.items():
            with open(os.path.join(folder, "files", name), "w", encoding="utf-8") as f:
                f.write(text)
        troubles, numbers, words = [], {}, {}
        for name in cases:
            trouble = run_case(name, folder)
            if trouble:
                troubles.append(trouble)
            else:
                for sums, more in zip((numbers, words), sum_files(folder, name)):
                    sums.update(more)
    if args.update:
        if troubles:
            sys.exit("\n".join(troubles))
        write_sums(SUMS, numbers, cases)
        write_sums(WORD_SUMS, words, cases)
        return 0
    troubles += compare_sums(SUMS, numbers, cases, "numbers") + compare_sums(WORD_SUMS, words, cases, "words")
    for trouble in troubles:
        print(f"FAIL {trouble}")
    print(f"golden: {len(numbers)} files of {len(cases)} cases, {len(troubles)} differences")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
