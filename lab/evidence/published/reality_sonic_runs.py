# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs and measures of reality_sonic.py: the test plan's steps and verdicts."""
from __future__ import annotations

import statistics

from . import reality_sonic
from .figure import Data, Measured, near, percent
from .reality_runs import attach, dcqcn, switch, testbed

DUT = switch("sonic-dut", 100) + ("--rate=100Gbps", "--mtu=4096", "--time=50ms")
MAP = ("--lossless=3,4", "--attr=QbbSwitch.EgressAlpha=1,RdmaNic.CnpClass=5,RdmaNic.ControlClass=6")
STAR = "--links=h[0-3]-s1"
STEPS = {1: ("h0-h4:size=1MB", 10), 2: ("h0-h4:size=1MB:qps=16", 10), 3: ("h[0-1]=h[4-5]:size=1MB", 100),
         4: ("h0-h4:size=1MB,h1-h5:size=1MB:start=20us", 100), 5: ("h[0-1]=h[4-5]:size=1MB:qps=16", 10),
         6: ("h[0-3]=h[4-7]:size=1MB", 100),
         7: ("h0-h4:size=1MB,h1-h5:size=1MB:start=20us,h2-h6:size=1MB:start=40us,h3-h7:size=1MB:start=60us", 100),
         8: ("h[0-3]=h[4-7]:size=1MB:qps=16", 10)}
LOSSY = tuple(f"h2-h3:class={c}" for c in range(3))
THREE_TO_ONE = {"s1": ("h[0-1]-h3",) + LOSSY, "s2": ("h0-h3", "h1-h3:class=4") + LOSSY, "s3": ("h0-h3", "h1-h3:class=4") + LOSSY}
PACKETS, FRAME, KMIN, KMAX, PMAX, BUCKETS = 30_000, 64, 400_000, 1_600_000, 0.2, 10


def flows(items: tuple, ecn: str) -> str:
    return "--flows=" + ",".join(f"{item}:class=3:ecn={ecn}" if ":class=" not in item else f"{item}:ecn={ecn}" for item in items)


def sonic_runs() -> dict:
    blind, react = dcqcn("nic-default", "r_min=100Gbps"), dcqcn("nic-default")
    plan = MAP + DUT
    runs = {"tc4-off": testbed(STAR, "--flows=h[0-1]-h3", *blind, *DUT, cost=0.1),
            "tc4-on": testbed(STAR, "--flows=h[0-1]-h3", *react, *DUT, cost=0.1),
            "one": testbed("--links=h[0-2]-s1", "--flows=h0-h2:rate=70Gbps", *blind, *DUT, cost=0.1),
            "both": testbed("--links=h[0-2]-s1", "--flows=h0-h2:rate=70Gbps,h1-h2:rate=70Gbps:start=10ms", *blind, *DUT, cost=0.1),
            "tc1": testbed(STAR, flows(("h0-h2",) + tuple(f"h1-h3:class={c}" for c in range(3)), "not-ect"), *react, *plan, cost=0.1),
            "tc3-ce": testbed(STAR, flows(THREE_TO_ONE["s1"][:1], "ce"), *react, *plan, cost=0.1),
            "tc5": testbed(STAR, flows(("h0-h2", "h1-h3:class=4"), "ect0"), *blind, *plan, "--window=25ms-50ms",
                           "--pause=h2:share=0.9:start=25ms,h3:class=4:share=0.9:start=25ms", cost=0.1)}
    for step, items in THREE_TO_ONE.items():
        runs[f"tc2-{step}"] = testbed(STAR, flows(items, "not-ect"), *react, *plan, "--record=s1>h0,s1>h1", cost=0.1)
        if step != "s3":
            runs[f"tc3-{step}"] = testbed(STAR, flows(items, "ect0"), *react, *plan, cost=0.1)
    for at in ("enqueue", "dequeue"):
        runs[f"accuracy-{at}"] = testbed(
            "--links=h[0-1]-s1", f"--flows=h0-h1:size={2 * PACKETS}B:start=10us:class=3", "--pause=h1:stop=1ms", "--marks", *MAP,
            *dcqcn("nic-default", "r_min=100Gbps", f"mark_at={at}"), *switch("sonic-dut", 100), "--rate=100Gbps", "--mtu=2",
            "--time=2ms", seeds=40, cost=0.2)
    for number, (listed, seeds) in STEPS.items():
        runs[f"tc7-{number}"] = testbed("--links=h[0-3]-l0,h[4-7]-l1,l[0-1]-s0*4", f"--flows={listed}", "--record=l0>s0",
                                      *dcqcn("nic-default"), *DUT, seeds=seeds, cost=0.05)
    return runs


def count(data: Data, key: str, name: str, classes: tuple) -> int:
    """A count of run.json over some classes and all seeds."""
    return sum(c[name] for found in data.list_values(key, "classes") for c in found if c["class"] in classes)


def lossless(data: Data, key: str) -> bool:
    """No loss and no NAK in queues 3 and 4, ACKs in queue 6 and CNPs in queue 5 alone, and data did flow."""
    answers = [count(data, key, "acks", tuple(set(range(8)) - {6})), count(data, key, "cnps", tuple(set(range(8)) - {5}))]
    return (count(data, key, "drops", (3, 4)) == 0 and count(data, key, "naks", (3, 4)) == 0 and answers == [0, 0]
            and count(data, key, "acks", (6,)) > 0 and count(data, key, "data", (3,)) > 0)


def no_ecn(data: Data, key: str) -> bool:
    return max(data.list_values(key, "packets_marked")) == 0 and max(data.list_values(key, "cnps_sent")) == 0


def counters(data: Data, key: str) -> bool:
    """Marks and CNPs: what one side counts, the other does, but for frames that are on their way at the end."""
    marks = zip(data.list_values(key, "marked_by_switches"), data.list_values(key, "packets_marked"))
    cnps = zip(data.list_values(key, "cnps_sent"), data.list_values(key, "cnps_received"))
    return all(a == b or near(a, 0.001)(b) for a, b in marks) and all(0 <= a - b <= 16 for a, b in cnps)


def verdict(good: bool, text: str) -> str:
    return text if good else f"NOT: {text}"


def tc1(data: Data) -> Measured:
    clean = lossless(data, "tc1") and max(data.list_values("tc1", "packets_dropped")) == 0 and max(data.list_values("tc1", "naks")) == 0
    quiet = no_ecn(data, "tc1")
    pauses = count(data, "tc1", "pauses", (3, 4))
    return Measured(f"{verdict(clean, 'no loss, no NAK, ACKs on 6')}; {verdict(quiet, 'CE = CNP = 0')}; {pauses} PFC frames on 3 and 4",
                    clean and quiet and pauses == 0)


def ports(data: Data, key: str) -> list:
    """Least PFC frames of a seed towards ranks 0 and 1."""
    return [min(next(p["pauses_sent"] for p in data.summary(key, s)["ports"] if p["name"] == f"s1>h{h}")
                for s in data.figure.runs[key].seeds) for h in (0, 1)]


def tc2(data: Data) -> Measured:
    texts, inside = [], True
    for step in THREE_TO_ONE:
        key = f"tc2-{step}"
        clean, quiet, least = lossless(data, key), no_ecn(data, key), ports(data, key)
        inside = inside and clean and quiet and min(least) > 0
        lost = count(data, key, "drops", (0, 1, 2)) / max(1, count(data, key, "data", (0, 1, 2)))
        texts.append(f"{step}: {verdict(clean, 'no loss, no NAK')}, {verdict(quiet, 'CE = CNP = 0')}, PFC at least {least[0]} and "
                     f"{least[1]}, lossy lose {percent(lost)}")
    return Measured("; ".join(texts), inside)


def tc3(data: Data) -> Measured:
    texts, inside = [], True
    for step in ("s1", "s2"):
        key = f"tc3-{step}"
        clean, same = lossless(data, key), counters(data, key)
        seen = min(data.list_values(key, "packets_marked")) > 0 and min(data.list_values(key, "cnps_sent")) > 0
        with_, without = (count(data, k, "pauses", (3, 4)) for k in (key, f"tc2-{step}"))
        inside = inside and clean and same and seen and with_ <= 0.01 * without
        texts.append(f"{step}: {verdict(clean, 'no loss, no NAK')}, {verdict(seen, 'CE and CNP')}, {verdict(same, 'counters match')}, PFC "
                     f"{with_} of {without}")
    arrived = count(data, "tc3-ce", "marked", (3,)), count(data, "tc3-ce", "data", (3,))
    texts.append(f"CE at the source: {arrived[0]} of {arrived[1]} arrive CE")
    return Measured("; ".join(texts), inside and arrived[0] == arrived[1] > 0 and lossless(data, "tc3-ce"))


def tc4(data: Data) -> Measured:
    pauses = {k: data.mean(f"tc4-{k}", "switch_pauses") for k in ("off", "on")}
    clean = all(max(data.list_values(f"tc4-{k}", name)) == 0 for k in pauses for name in ("packets_dropped", "naks"))
    seen = all(min(data.list_values(f"tc4-{k}", name)) > 0 for k in pauses for name in ("packets_marked", "cnps_sent"))
    return Measured(f"PFC frames off {pauses['off']:.0f}, on {pauses['on']:.0f}; {'no loss' if clean else 'losses'}, CE and "
                    f"CNP "
                    f"{'seen' if seen else 'missing'}",
                    clean and seen and pauses["off"] > 0 and pauses["on"] <= 0.01 * pauses["off"], pauses["on"])


def tc5(data: Data) -> Measured:
    clean = lossless(data, "tc5")
    first = data.list_values("tc5", "first_pause_s")
    passed = all(t is not None and t >= 0.025 for t in first)
    rates = [g["mean_bps"] * (4096 + 62) / 4096 for s in data.figure.runs["tc5"].seeds for g in data.summary("tc5", s)["groups"]]
    rate = statistics.fmean(rates)
    return Measured(f"{verdict(clean, 'no loss, no NAK')}; first PFC upstream {1e3 * min(t or 0 for t in first):.2f} ms, that of the end "
                    f"points 25 ms; second half {percent(rate / 100e9)} of line", clean and passed and 0.07 <= rate / 100e9 <= 0.13, rate)


def tc7(data: Data) -> Measured:
    def used(step: int) -> list:
        return [sum(p["tx_frames"] > 0 for p in data.summary(f"tc7-{step}", s)["ports"] if p["name"].startswith("l0>s0"))
                for s in data.figure.runs[f"tc7-{step}"].seeds]
    found = {step: used(step) for step in STEPS}
    exact = set(found[1]) == {1} and min(found[2]) >= 1 and min(found[5]) >= 2 and min(found[8]) >= 2
    rates = {3: statistics.fmean(u == 1 for u in found[3]), 4: statistics.fmean(u == 2 for u in found[4]),
             6: statistics.fmean(u == 1 for u in found[6]), 7: statistics.fmean(u >= 2 for u in found[7])}
    return Measured(f"steps 1, 2, 5, 8 use {found[1][0]}, {min(found[2])}, {min(found[5])}, {min(found[8])} uplinks at "
                    f"least; frequency over 100 "
                    "seeds: " + ", ".join(f"step {k} {percent(v)}" for k, v in rates.items()), exact)


def buckets(data: Data, at: str) -> tuple:
    """Marks below Kmin; packets above Kmax without one; the largest deviation of a bucket from its expectation, as a share."""
    seeds = data.figure.runs[f"accuracy-{at}"].seeds
    marks = [0] * PACKETS
    for seed in seeds:
        for packet in data.series(f"accuracy-{at}", "marks.csv", seed)["packet"]:
            marks[int(packet)] += 1
    wanted, found, low, missed = [0.0] * BUCKETS, [0] * BUCKETS, 0, 0
    for packet, n in enumerate(marks):
        depth = FRAME * (packet + 1 if at == "enqueue" else PACKETS - 1 - packet)
        if depth <= KMIN:
            low += n
        elif depth > KMAX:
            missed += len(seeds) - n
        else:
            bucket = min(BUCKETS - 1, (depth - KMIN) * BUCKETS // (KMAX - KMIN))
            wanted[bucket] += len(seeds) * PMAX * (depth - KMIN) / (KMAX - KMIN)
            found[bucket] += n
    return low, missed, max(abs(f / w - 1) for f, w in zip(found, wanted))


def accuracy(data: Data) -> Measured:
    texts, inside = [], True
    for at in ("enqueue", "dequeue"):
        low, missed, worst = buckets(data, at)
        same = all(a == b for a, b in zip(data.list_values(f"accuracy-{at}", "marked_by_switches"),
                                          data.list_values(f"accuracy-{at}", "packets_marked")))
        inside = inside and low == 0 and missed == 0 and worst <= 0.1 and same
        texts.append(f"at {at}: {low} marks below Kmin, {missed} packets above Kmax without, buckets within {percent(worst)}, "
                     f"{verdict(same, 'counters match')}")
    return Measured("; ".join(texts), inside)


def ecn_first(data: Data) -> Measured:
    quiet = max(data.list_values("one", "marked_by_switches")) == 0 and max(data.list_values("one", "switch_pauses")) == 0
    marks, pauses = data.list_values("both", "first_mark_s"), data.list_values("both", "first_pause_s")
    order = all(m is not None and (p is None or m < p) for m, p in zip(marks, pauses))
    same = all(near(a, 0.001)(b) for a, b in zip(data.list_values("both", "marked_by_switches"),
                                                 data.list_values("both", "packets_marked")))
    first = f"{1e6 * (marks[0] - 0.01):.0f} us" if marks[0] is not None else "never"
    pause = f"{1e6 * (pauses[0] - 0.01):.0f} us" if pauses[0] is not None else "never"
    return Measured(f"one group: {'nothing' if quiet else 'CE or PFC'}; both: first CE after {first}, first PFC after "
                    f"{pause}; counters "
                    f"{'match' if same else 'differ'}", quiet and order and same and pauses[0] is not None)


FIGURES = (
    attach(reality_sonic.SONIC, sonic_runs(), {
        "sonic-tc1": (("tc1",), tc1, False),
        "sonic-tc2": (tuple(f"tc2-{s}" for s in THREE_TO_ONE), tc2, False),
        "sonic-tc3": (("tc3-s1", "tc3-s2", "tc3-ce", "tc2-s1", "tc2-s2"), tc3, False),
        "sonic-tc4": (("tc4-off", "tc4-on"), tc4, False),
        "sonic-tc5": (("tc5",), tc5, False),
        "sonic-tc7": (tuple(f"tc7-{s}" for s in STEPS), tc7, False),
        "sonic-ecn-accuracy": (("accuracy-enqueue", "accuracy-dequeue"), accuracy, False),
        "sonic-ecn-before-pfc": (("one", "both"), ecn_first, False)}),)
