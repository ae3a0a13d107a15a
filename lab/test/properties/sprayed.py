#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Random networks that lose, spray and trim packets, on one and on two ranks, with all invariants checked:

    python3 lab/test/properties/sprayed.py BUILD_FOLDER [NETWORKS [FIRST]]

Each network draws an algorithm of all, a recovery, a rule that chooses paths, trimming, PFC or none, a buffer, and parallel links. Two of
three are files of the HPCC simulator, whose links lose frames of every kind (none, or 1e-4 to 0.3 of them), and one of whose links between
switches may fail while flows run. The others have queue pairs with several messages, several posted at a time, and lose what switches drop.

The invariants are those of --check-invariants: conservation, order, messages that end in their turn and when their receiver has all of
them. In addition every flow ends, unless no path is left for it; each packet is delivered once; and a second run, and one on two ranks,
write the same bytes. Two kinds are not asked to end (lab/test/command/test_livelock.py shows why): go-back-N under switches that trim or
have a small buffer without PFC, where what is sent again may take the place of the packet that is missing for ever, as in networks 225,
387 and 402; and `none` with trimming where the headers of all senders may fill the slowest link alone, as in network 210."""
from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Dict, List, NamedTuple, Optional, Tuple

if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))

import networks  # noqa: E402  (after lab/ is on the path)
import over_ranks  # noqa: E402

ALGORITHMS = ["dcqcn", "dcqcn-plus", "dcqcn-plus-share", "qcn", "timely", "timely-patched", "hpcc", "dctcp", "swift", "powertcp",
              "theta-powertcp", "nscc", "barre", "none"]
LOSSES = ["0", *networks.LOSSES]
SIM_S, LOSSY_S = 0.3, 3   # simulated seconds that a run may take, at most; with the most losses
FEW = 20           # packets of a flow where many are lost
FRAME = 1062       # bytes of a full packet on a link
Files = Dict[str, str]


class Case(NamedTuple):
    program: str             # ns3-rdma or experiment
    words: List[str]
    files: Files
    packets: int             # that the flows have together
    what: str
    headers: float           # the largest share of trimmed frames on the slowest link, with all senders at the rates of their links

    def ends(self) -> bool:
        """Whether every flow that has a path must end."""
        goes_back = "--attr=RdmaNic.Recovery=go-back-n" in self.words
        return not (goes_back and (self.headers or "--lossy" in self.words)) and not (self.headers >= 1 and "--cc=none" in self.words)


def share_of_headers(net: networks.Network, words: List[str]) -> float:
    """Return the share of the slowest link that the headers of all senders take if no packet is sent whole."""
    size = sum(int(word.rpartition("=")[2]) for word in words if "TrimSize" in word)
    senders = {f.src for f in net.flows}
    rate = sum(link.gbps for link in net.links if {link.a, link.b} & senders)
    return rate * size / FRAME / min(link.gbps for link in net.links)


def recovery(chance: random.Random) -> List[str]:
    """How what is lost is repeated. Spraying needs more space than a window of one BDP has with a few packets of 1000 bytes."""
    name = chance.choice(networks.RECOVERIES)
    words = [f"--attr=RdmaNic.Recovery={name}"]
    if name != "go-back-n":
        words += [f"--attr=RdmaNic.BitmapPackets={chance.choice([64, 512])}", f"--attr=RdmaNic.ReorderPackets={chance.choice([0, 0, 8])}"]
    elif chance.random() < 0.5:
        words.append("--attr=RdmaNic.NakEvery=100us")
    return words


def hpcc_config(net: networks.Network, chance: random.Random, loss: str, down: bool) -> str:
    """A configuration of the HPCC simulator, and whether a link fails."""
    between = [link for link in net.links if link.a in net.switches and link.b in net.switches]
    link = chance.choice(between) if between and down else None
    rates = sorted({round(k.gbps * 1e9) for k in net.links})
    kmin = [max(1, rate // 10**9 // 4) for rate in rates]

    def table(values):
        return " ".join([str(len(rates)), *(f"{rate} {value}" for rate, value in zip(rates, values))])

    seconds = over_ranks.BEGIN_US // 10**6 + (LOSSY_S if float(loss) >= networks.MANY else SIM_S)
    return ("ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
            f"SIMULATOR_STOP_TIME {seconds}\nCC_MODE 1\nHAS_WIN {chance.randint(0, 1)}\nGLOBAL_T 1\n"
            f"L2_ACK_INTERVAL 1\nACK_HIGH_PRIO {chance.randint(0, 1)}\nERROR_RATE_PER_LINK {loss}\n"
            f"BUFFER_SIZE {chance.choice([1, 4, 16])}\nENABLE_PFC {chance.randint(0, 1)}\n"
            f"KMIN_MAP {table(kmin)}\nKMAX_MAP {table([4 * k for k in kmin])}\nPMAX_MAP {table([0.2] * len(rates))}\n"
            f"LINK_DOWN {f'{chance.randint(5, 120)} {link.a} {link.b}' if link else '0 0 0'}\n"
            "ENABLE_TRACE 0\nFCT_OUTPUT_FILE fct.txt\nPFC_OUTPUT_FILE pfc.txt\n")


def draw(seed: int) -> Case:
    """The network of a number."""
    chance = random.Random(f"sprayed {seed}")
    net, paths = networks.with_paths(networks.make(chance, tree=False), seed)
    if chance.random() < 0.5:   # an incast
        to = net.flows[0].dst
        net = net._replace(flows=[f._replace(dst=f.dst if f.src == to else to, start_us=f.start_us / 16) for f in net.flows])
    cc = chance.choice(ALGORITHMS)
    loss = chance.choice(LOSSES)
    words = [f"--cc={cc}", "--check-invariants", f"--seed={seed}", "--rto=300us", "--interval=10ms", *paths, *recovery(chance)]
    if seed % 3:
        if float(loss) >= networks.MANY:
            net = net._replace(flows=[f._replace(packets=min(f.packets, FEW)) for f in net.flows])
        down = chance.random() < 0.5
        config = hpcc_config(net, chance, loss, down)
        rows = [f"{f.src} {f.dst} 3 100 {f.packets * 1000} {(f.start_us + over_ranks.BEGIN_US) / 1e6:.9f}" for f in net.flows]
        files = {"config.txt": config, "topology.txt": net.topology(), "flow.txt": "\n".join([str(len(rows)), *rows]) + "\n"}
        return Case("ns3-rdma", [*words, "--config=config.txt", "--deadlock=continue"], files, sum(f.packets for f in net.flows),
                    f"{cc}, loss {loss}, {config[config.index('LINK_DOWN'):].splitlines()[0]}", share_of_headers(net, words))
    return with_messages(net, words, cc, chance)


def with_messages(net: networks.Network, words: List[str], cc: str, chance: random.Random) -> Case:
    """Give the case as options of the program of experiments, with flows of several messages."""
    def name(node: int) -> str:
        return ("s" if node in net.switches else "h") + str(node)

    links = [f"{name(k.a)}-{name(k.b)}:{k.gbps:g}Gbps:{k.us:g}us" for k in net.links]
    same = {link: links.count(link) for link in links}
    flows, packets = [], 0
    for f in net.flows:
        each, messages = chance.choice([1, 2, 10, 50, 200]), chance.randint(1, 8)
        packets += each * messages
        depth = chance.choice([1, 2, 4])
        flows.append(f"{name(f.src)}-{name(f.dst)}:size={each * 1000}B:messages={messages}:depth={depth if messages > 1 else 1}"
                     f":start={round(1000 * f.start_us)}ns")
    lossy = chance.random() < 0.7
    words = [*words, "--links=" + ",".join(link.replace(":", f"*{n}:", 1) if n > 1 else link for link, n in same.items()),
             "--flows=" + ",".join(flows), f"--time={SIM_S}s", "--plain",
             f"--buffer={chance.choice(['20KB', '60KB', '200KB']) if lossy else '9MB'}"]
    return Case("experiment", [*words, *(["--lossy"] if lossy else ["--deadlock=continue"])], {}, packets,
                f"{cc}, messages, {'lossy' if lossy else 'PFC'}", share_of_headers(net, words))


def simulate(case: Case, build: str, number: int) -> Tuple[Files, dict]:
    """The sha256 of every file of a run in some ranks, and run.json."""
    with tempfile.TemporaryDirectory(prefix="rcc-sprayed-") as folder:
        networks.program.write_files(folder, case.files)
        runs: List[dict] = []
        return over_ranks.simulate(folder, build, case.program, number, case.words, runs), runs[0]


def accounts(case: Case, run: dict) -> List[str]:
    """List the wrong figures of a run."""
    left = {reason: n for reason, n in run.get("unfinished", {}).items()}
    cut = sum(left.get(reason, 0) for reason in ("no_route", "no_route_back"))
    found = []
    incomplete = run.get("incomplete", 0)
    if incomplete != cut and case.ends():
        found.append(f"{incomplete} flows did not end, {cut} of them have no path: {left}")
    delivered, sent, again = run["packets_delivered"], run["packets_sent"], run.get("packets_repeated", 0)
    done = not incomplete and (case.ends() or delivered == case.packets)
    if delivered > case.packets or (done and delivered != case.packets):
        found.append(f"{delivered} packets delivered, the flows have {case.packets}")
    if done and sent != case.packets + again:
        found.append(f"{sent} packets sent, {again} of them again, the flows have {case.packets}")
    if run["partial"]:
        found.append("the run is partial")
    return found


def check(build: str, seed: int, seen: Optional[Counter] = None) -> List[str]:
    """One network. `build`: folder of the programs. Returns what does not hold. `seen`: counts what the networks had."""
    case = draw(seed)
    found = []
    seen = seen if seen is not None else Counter()
    try:
        alone, run = simulate(case, build, 1)
        found += accounts(case, run)
        for key in ("packets_dropped", "frames_lost", "packets_repeated", "timeouts", "naks", "incomplete"):
            seen[key] += run.get(key, 0) > 0
        for what, (files, _) in (("a second run", simulate(case, build, 1)), ("two ranks", simulate(case, build, 2))):
            differ = sorted(name for name in {*alone, *files} if alone.get(name) != files.get(name))
            found += [f"{what}: {', '.join(differ)} differ"] if differ else []
    except (networks.Failure, subprocess.TimeoutExpired) as failure:
        found.append(str(failure))
    return [f"network {seed}, {case.what}: {text}" for text in found]


def main(words: List[str]) -> int:
    count, first = int(words[1]) if len(words) > 1 else 500, int(words[2]) if len(words) > 2 else 1
    started, failures, seen = time.monotonic(), 0, Counter()
    for seed in range(first, first + count):
        found = check(words[0], seed, seen)
        failures += len(found)
        if found:
            print("\n".join(found), flush=True)
    print(f"{count} networks x 1 and 2 ranks: {failures} failures ({time.monotonic() - started:.0f} s); networks with "
          + ", ".join(f"{key} {n}" for key, n in seen.items()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
