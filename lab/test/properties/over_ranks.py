# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Random networks over 1, 2, 3 and 4 ranks: the sha256 of every file that they write is the same. Every second network is of the HPCC
dialect with all outputs of that simulator (fct.txt, pfc.txt, qlen.txt, mix.tr); lossy links, a link that fails while flows run, a small
buffer, windows, TCP flows and captures come and go with the number of the network. Every fifth chooses paths by a rule. In some all flows
are equal and begin at one time, so that they end in one nanosecond on several ranks."""
from __future__ import annotations

import glob
import hashlib
import json
import os
import random
import subprocess
import tempfile
from typing import Dict, List, Optional

import networks

RANKS = (2, 3, 4)
VARIES = ("wall_s", "peak_rss_bytes")   # keys of run.json
OUTPUTS = """ENABLE_TRACE 1
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE mix.tr
FCT_OUTPUT_FILE fct.txt
PFC_OUTPUT_FILE pfc.txt
QLEN_MON_FILE qlen.txt
QLEN_MON_START 2000010000
QLEN_MON_END 2000400000
"""
BEGIN_US = 2_000_000    # the begin of the HPCC dialect: LINK_DOWN counts from it


def hpcc(net: networks.Network, chance: random.Random) -> str:
    """A config of the HPCC dialect."""
    rates = sorted({round(link.gbps * 1e9) for link in net.links})

    def table(values):
        return " ".join([str(len(rates)), *(f"{rate} {value}" for rate, value in zip(rates, values))])

    kmin = [max(1, rate // 10**9 // 4) for rate in rates]
    down = [link for link in net.links if link.a in net.switches and link.b in net.switches]
    link = chance.choice(down) if down and chance.random() < 0.7 else None
    return ("ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
            f"SIMULATOR_STOP_TIME {BEGIN_US / 1e6 + 0.002:.3f}\nCC_MODE 1\nHAS_WIN {chance.randint(0, 1)}\n"
            f"GLOBAL_T {chance.randint(0, 1)}\nVAR_WIN 1\n"
            f"L2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL {chance.choice([1, 4])}\nL2_BACK_TO_ZERO 0\nACK_HIGH_PRIO {chance.randint(0, 1)}\n"
            f"ERROR_RATE_PER_LINK {chance.choice(['0', '0', '0.01'])}\nBUFFER_SIZE {chance.choice([4, 16])}\n"
            f"KMIN_MAP {table(kmin)}\nKMAX_MAP {table([4 * k for k in kmin])}\nPMAX_MAP {table([0.2] * len(rates))}\n"
            f"LINK_DOWN {f'{chance.randint(10, 120)} {link.a} {link.b}' if link else '0 0 0'}\n"
            f"ENABLE_IRN {chance.randint(0, 1)}\nENABLE_PFC {chance.randint(0, 1)}\n")


def files(seed: int) -> Dict[str, str]:
    """The inputs of one network, by name."""
    chance = random.Random(f"ranks {seed}")
    net = networks.make(random.Random(seed), tree=False)
    if seed % 5 == 0:
        net = networks.with_paths(net, seed)[0]
    if chance.random() < 0.3:
        net = net._replace(flows=[f._replace(packets=net.flows[0].packets, start_us=net.flows[0].start_us) for f in net.flows],
                           links=[link._replace(gbps=net.links[-1].gbps, us=net.links[-1].us) for link in net.links])
    nodes = f"{net.nodes}\n{' '.join(map(str, range(net.nodes)))}\n"
    found = {"topology.txt": net.topology(), "flow.txt": net.flow_file(), "trace.txt": nodes}
    if seed % 2:
        less = chance.randint(0, 999)
        rows = [f"{f.src} {f.dst} 3 100 {f.packets * 1000 - less} {(f.start_us + BEGIN_US) / 1e6:.9f}" for f in net.flows]
        found["flow.txt"] = "\n".join([str(len(rows)), *rows]) + "\n"
        found["config.txt"] = hpcc(net, chance) + OUTPUTS
        return found
    found["config.txt"] = net.config() + "TRACE_FILE trace.txt\nTRACE_OUTPUT_FILE mix.tr\nENABLE_TRACE 1\n"
    if seed % 4 == 0:
        f = net.flows[0]
        found["tcp.txt"] = f"1\n{f.src} {f.dst} 1 {chance.randint(5, 40)} 0.000010 0.001\n"
        found["config.txt"] += "TCP_FLOW_FILE tcp.txt\n"
    return found


def simulate(folder: str, build: str, name: str, number: int, words: List[str], runs: Optional[List[dict]] = None) -> Dict[str, str]:
    """Run in some ranks. Returns the sha256 of every output, without what always varies. `runs`: run.json is appended to it."""
    done = networks.program.run(name, [*words, "--out=out"], folder, number, build, timeout=900)
    if done.returncode:
        raise networks.Failure(f"{number} ranks: status {done.returncode}: {done.stderr.strip()[:2000]}")
    found = {}
    for path in glob.glob(os.path.join(folder, "out", "*")):
        with open(path, "rb") as f:
            data = f.read()
        if path.endswith("run.json"):
            run = {key: value for key, value in json.loads(data).items() if key not in VARIES}
            data = json.dumps(run).encode()
            if runs is not None:
                runs.append(run)
        found[os.path.basename(path)] = hashlib.sha256(data).hexdigest()
        os.remove(path)
    return found


def check(build: str, seed: int) -> List[str]:
    """One network under one algorithm, over all numbers of ranks. `build`: folder of the programs. Returns what differs."""
    cc = networks.ALGORITHMS[seed % len(networks.ALGORITHMS)]
    words = ["--config=config.txt", f"--cc={cc}", "--deadlock=continue", f"--seed={seed}", *networks.WORDS.get(cc, ()),
             *(["--pcap"] if seed % 3 == 0 else [])]
    if seed % 5 == 0:
        words += networks.with_paths(networks.make(random.Random(seed), tree=False), seed)[1]
    inputs = files(seed)
    fails = "LINK_DOWN" in inputs["config.txt"] and "LINK_DOWN 0 0 0" not in inputs["config.txt"]
    nodes = int(inputs["topology.txt"].split()[0]) - fails   # the ends of a link that fails are in one rank
    wrong = []
    with tempfile.TemporaryDirectory(prefix="rcc-ranks-") as folder:
        networks.program.write_files(folder, inputs)
        try:
            alone = simulate(folder, build, "ns3-rdma", 1, words)
            for number in [n for n in RANKS if n <= nodes]:
                found = simulate(folder, build, "ns3-rdma", number, words)
                differ = sorted(name for name in {*alone, *found} if alone.get(name) != found.get(name))
                if differ:
                    wrong.append(f"network {seed}, {cc}, {number} ranks: {', '.join(differ)} differ")
        except (networks.Failure, subprocess.TimeoutExpired) as failure:
            wrong.append(f"network {seed}, {cc}: {failure}")
    return wrong
