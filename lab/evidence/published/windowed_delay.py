# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Swift (SIGCOMM 2020), NSCC (Ultra Ethernet) and Barre (ATC 2025). Bands were fixed before the first run."""
from __future__ import annotations

import math
import statistics


from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, accept_between, kb, near, over_seeds, percent, run
from .paths_fabric import AVERAGE, INCASTS
from .seeds import MORE, SEEDS
from .windowed import algorithm, jain, noted

SWIFT = "Swift SIGCOMM'20"
HTSIM = "uet-htsim"
BARRE = "Barre ATC'25"


# ------------------------------------------------------------------------------------------------ Swift

PACKET = 4160        # bytes on the wire
SWIFT_RATE = 50e9
UNLOADED = 9.35e-6   # RTT of the star below without a queue
STAR = ("--rate=50Gbps", "--delay=2us", "--mtu=4098", "--ack-every=1", "--buffer=64MB")


def swift_target(window: float, base: float = 25e-6, hop: float = 1e-6, most: float = 100e-6, low: float = 0.1,
                 high: float = 100.0) -> float:
    """Target delay in seconds of a window in packets over one switch (Swift, section 3.5)."""
    a = most / (1 / math.sqrt(low) - 1 / math.sqrt(high))
    return base + hop + max(0.0, min(a / math.sqrt(window) - a / math.sqrt(high), most))


def swift_rtt(n: int) -> float:
    """RTT at which n equal flows stand: n windows fill the link for one RTT, which is the target of that window."""
    low, high = 1e-4, 1e4
    for _ in range(200):
        middle = math.sqrt(low * high)
        if n * middle * PACKET * 8 / SWIFT_RATE < swift_target(middle):
            low = middle
        else:
            high = middle
    return n * low * PACKET * 8 / SWIFT_RATE


def rtt_of(data: Data, key: str) -> list:
    return [UNLOADED + v * 8 / SWIFT_RATE for v in data.list_values(key, "queue.mean_bytes")]


def microseconds(value: float) -> str:
    return f"{1e6 * value:.1f} us"


def swift_fixed_point() -> Figure:
    runs = {f"n{n}": run("incast", "--cc=swift", f"--flows={n}", f"--senders={min(n, 50)}", *STAR, "--start=1ms", f"--time={time}",
                         seeds=SEEDS, cost=cost)
            for n, time, cost in ((10, "40ms", 0.5), (100, "100ms", 1), (1000, "0.3s", 3), (5000, "4s", 23))}

    def row(n: int, share: float) -> Row:
        return Row(f"swift-rtt-{n}", f"mean RTT of {n} flows", microseconds(swift_rtt(n)), f"+-{100 * share:g} %", (f"n{n}",),
                   lambda data: over_seeds(rtt_of(data, f"n{n}"), microseconds, near(swift_rtt(n), share)))

    def table(data: Data) -> Measured:
        return over_seeds([v * SWIFT_RATE / 1e9 for v in data.list_values("n5000", "utilization")], lambda v: f"{v:.1f} Gb/s",
                          near(49.5, 0.02))

    def delay(data: Data) -> Measured:
        return over_seeds(rtt_of(data, "n5000"), microseconds, near(110.2e-6, 0.20))

    def loss(data: Data) -> Measured:
        return over_seeds(data.list_values("n5000", "packets_dropped"), lambda v: f"{v:g} packets lost", lambda v: v == 0)

    def fair(data: Data) -> Measured:
        return over_seeds(data.list_values("n5000", "jain"), lambda v: f"Jain {v:.3f}", accept_between(0.86, 1.0))

    def panel(ax, data: Data) -> None:
        every = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
        ax.plot(every, [1e6 * swift_rtt(n) for n in every], color=draw.INK, linestyle="--",
                label="published: the target of the fair window")
        draw.published_points(ax, [5000], [110.2], "table 3")
        draw.sweep(ax, data, [("Swift on packets", draw.SHADES[0], [(n, f"n{n}") for n in (10, 100, 1000, 5000)])],
                   lambda d, k: [1e6 * v for v in rtt_of(d, k)], "mean RTT (us)")
    return Figure("swift-many", SWIFT, "Table 3 and figure 21: 10 to 5000 flows into one port",
                  "N flows from up to 50 senders, 50 Gb/s, 4160 B on the wire, RTT 9.35 us unloaded, Swift preset paper (base target "
                  "25 us, 1 us per hop, flow scaling up to 100 us); second half of the run", runs,
                  (row(10, 0.15), row(100, 0.15), row(1000, 0.20), row(5000, 0.20),
                   Row("swift-table3-rate", "5000 flows: throughput", "49.5 Gb/s", "+-2 %", ("n5000",), table),
                   Row("swift-table3-rtt", "5000 flows: mean RTT", "110.2 us", "+-20 %", ("n5000",), delay),
                   Row("swift-table3-loss", "5000 flows: loss", "0.0003 %", "none", ("n5000",), loss),
                   Row("swift-fig21", "5000 flows: Jain's index", "0.91", "0.86 to 1", ("n5000",), fair)),
                  (Panel("RTT by number of flows", tuple(runs), panel),))


def swift_targets() -> Figure:
    targets = (15, 25, 40, 70)
    runs = {f"t{t}": run("testbed", *algorithm(f"swift+base_target={t}us+fs_range=0s"), "--links=h[1-11]-s1",
                         "--flows=h[1-10]-h11:qps=10:size=64KB:messages=0", *STAR, "--time=60ms", seeds=SEEDS, cost=1) for t in targets}

    def tracks(data: Data) -> Measured:
        means = [statistics.fmean(rtt_of(data, f"t{t}")) for t in targets]
        return Measured(", ".join(f"{t} us: {1e6 * v:.1f} us" for t, v in zip(targets, means)),
                        all(near((t + 1) * 1e-6, 0.15)(v) for t, v in zip(targets, means)), means[-1])

    def measure_use(data: Data) -> Measured:
        means = [data.mean(f"t{t}", "utilization") for t in targets]
        return Measured(", ".join(f"{t} us: {percent(v)}" for t, v in zip(targets, means)), min(means[1:]) >= 0.95, means[1])
    return Figure("swift-fig17", SWIFT, "Figure 17: what is achieved for a target",
                  "10 senders of 10 flows, one after another 64 KB each, 50 Gb/s, no flow scaling", runs,
                  (Row("swift-fig17-rtt", "the RTT tracks the target", "tracks", "each within 15 % of the target and one hop",
                       tuple(runs), tracks),
                   Row("swift-fig17-use", "throughput saturates from about 25 us on", "saturates", ">= 95 % of the link from 25 us on",
                       tuple(runs), measure_use)))


def swift_join() -> Figure:
    """Four flows join, 20 ms apart, then leave."""
    flows = ",".join(f"h{i}-h5:start={20 * (i - 1)}ms:stop={160 - 20 * i}ms" for i in range(1, 5))
    runs = {"run": run("testbed", "--cc=swift", "--links=h[1-5]-s1", f"--flows={flows}", *STAR, "--time=140ms", seeds=SEEDS, cost=1.5)}
    there = [(20 * i, {f"h{j}-h5" for j in range(1, min(i + 1, 7 - i) + 1)}) for i in range(7)]

    def shares(data: Data, seed: int) -> list:
        s = data.series("run", "groups.csv", seed)
        rows = list(zip(s["time_s"], s["group"], s["goodput_bps"]))
        found = []
        for begin, names in there:
            means = [statistics.fmean(v for t, g, v in rows if g == name and (begin + 10) * 1e-3 < t <= (begin + 20) * 1e-3)
                     for name in sorted(names)]
            found.append((jain(means), sum(means) / SWIFT_RATE))
        return found

    def fair(data: Data) -> Measured:
        return over_seeds(data.map_seeds("run", lambda seed: min(j for j, _ in shares(data, seed))), lambda v: f"Jain {v:.3f}",
                          lambda v: v >= 0.95)

    def measure_least_use(data: Data) -> Measured:
        return over_seeds(data.map_seeds("run", lambda seed: min(u for _, u in shares(data, seed))), percent, lambda v: v >= 0.93)
    return Figure("swift-fig20", SWIFT, "Figure 20: flows join and leave one by one",
                  "4 flows, one more each 20 ms, then one less; 50 Gb/s; second half of each of the seven periods", runs,
                  (Row("swift-fig20-fair", "tight fair shares: the worst period", "fair", "Jain >= 0.95", ("run",), fair),
                   Row("swift-fig20-use", "the link stays full: payload of the worst period", "full", ">= 93 %", ("run",),
                       measure_least_use)))


def swift_racks() -> Figure:
    words = ("--links=h[1-2]-t1,h3-t2,t[1-2]-s1", "--flows=h[2-3]-h1:within=100us", "--rate=50Gbps", "--delay=160ns",
             "--mtu=4098", "--ack-every=1",
             "--buffer=64MB", "--time=100ms")
    runs = {"scaled": run("testbed", *algorithm("swift+fs_range=0s"), *words, seeds=MORE, cost=1),   # rule of seeds.py
            "plain": run("testbed", *algorithm("swift+fs_range=0s+hop_delay=0s"), *words, seeds=SEEDS, cost=1)}

    def ratio(data: Data, key: str) -> list:
        def compare_goodputs(seed: int) -> float:
            means = {g["name"]: g["mean_bps"] for g in data.summary(key, seed)["groups"]}
            return means["h3-h1"] / means["h2-h1"]
        return data.map_seeds(key, compare_goodputs)

    def text(value: float) -> str:
        return f"{value:.2f}"
    return Figure("swift-fig22", SWIFT, "Figure 22: a flow of the same rack and one of another",
                  "two flows to one host, over one switch and over three, 50 Gb/s; a hop takes 1 us, its time of a packet included; rate "
                  "of the far one over that of the near one, with 1 us per hop and without", runs,
                  (Row("swift-fig22-scaled", "topology scaling makes them fair", "fair", "0.75 to 1.33", ("scaled",),
                       lambda data: over_seeds(ratio(data, "scaled"), text, accept_between(0.75, 4 / 3))),
                   Row("swift-fig22-plain", "without it the far flow has less", "unfair", "< 0.75", ("plain",),
                       lambda data: over_seeds(ratio(data, "plain"), text, lambda v: v < 0.75))))


# ------------------------------------------------------------------------------------------------ NSCC

# One switch with the RTT of uet-htsim's three tiers.
NSCC_STAR = (*algorithm(f"nscc:uec-no-trimming+base_rtt=14023ns{AVERAGE}"), "--rate=100Gbps", "--delay=3336ns", "--mtu=4088",
             "--ack-every=1", "--buffer=64MB", "--time=40ms")


def nscc() -> Figure:
    """The last flow's end in uet-htsim's own output. One flow each way on one switch with the RTT of its three tiers, 14.023 us; incasts
    in its fabric, with the runs of rows nscc-trim and a narrower band."""
    def made(hosts: int, flows: str, cost: float) -> object:
        return run("testbed", *NSCC_STAR, f"--links=h[1-{hosts}]-s1", f"--flows={flows}:size=2MB", seeds=SEEDS, cost=cost)
    runs = {"one": made(2, "h1-h2", 0.1), "bidir": made(2, "h1-h2:size=2MB,h2-h1", 0.1),
            **{key: INCASTS.runs[key] for key in ("incast-15", "incast-127")}}

    def last(data: Data, key: str) -> list:
        return [v * 1e6 for v in data.list_values(key, "fct.max_s")]

    def row(key: str, claim: str, target: float) -> Row:
        return Row(f"nscc-{key}", f"{claim}: the last end", f"{target:g} us", "+-2 %", (key,),
                   lambda data: over_seeds(last(data, key), lambda v: f"{v:.1f} us", near(target, 0.02)))
    return Figure("nscc", HTSIM, "validate_uec_sender: one, bidir, incast, incast_128",
                  "100 Gb/s, 4150 B on the wire, 2 MB per flow; one, bidir: one switch with the base RTT of three tiers, 14.023 us, and "
                  "PFC; incasts: three tiers, sprayed and trimmed", runs,
                  (row("one", "one flow", 176.2), row("bidir", "two opposite flows", 176.8),
                   row("incast-15", "15 flows into one port", 2478.5),
                   row("incast-127", "127 flows into one port", 21029)))


# ------------------------------------------------------------------------------------------------ Barre

def barre() -> Figure:
    """Fixed point of the fluid model (appendix B): CNPs per RTT balance the steps, and RED makes so many of them at one queue."""
    rate, step, cut, packet, rtt, kmin, kmax, pmax = 400e9, 10e6, 0.98, 4096 * 8, 10e-6, 1e6, 4e6, 0.1

    def fixed(n: int) -> float:
        cnps = n * math.log(1 - step * n / rate) / math.log(cut)
        low, high = kmin, 64e6
        for _ in range(200):
            q = (low + high) / 2
            if (q - kmin) * 8 * (q * 8 + rate * rtt) * pmax / ((kmax - kmin) * 8 * packet) < cnps:
                low = q
            else:
                high = q
        return low
    words = ("--rate=400Gbps", "--delay=2420ns", "--mtu=4034", "--buffer=256MB", "--start=1ms")
    runs = {f"fp-{n}": run("incast", *algorithm("barre+c=10us+k=1000000+monitor=no"), f"--flows={n}", f"--senders={min(n, 64)}", *words,
                           f"--time={time}", seeds=SEEDS, cost=cost)
            for n, time, cost in ((2, "0.5s", 9), (16, "0.2s", 5), (256, "0.1s", 4))}
    runs.update({f"n{n}": run("incast", "--cc=barre", f"--flows={n}", f"--senders={min(n, 64)}", *words, "--time=0.3s", seeds=SEEDS,
                              cost=9) for n in (16, 256, 1024)})

    def queue(n: int) -> Row:
        return Row(f"barre-fp-{n}", f"queue of {n} flows beside the fluid model's", kb(fixed(n)), "+-15 %", (f"fp-{n}",),
                   lambda data: over_seeds(data.list_values(f"fp-{n}", "queue.mean_bytes"), kb, near(fixed(n), 0.15)))

    def total(n: int) -> Row:
        return Row(f"barre-fig15-{n}", f"total of {n} flows into 400 Gb/s", "390 to 400 Gb/s", "390 to 400 Gb/s", (f"n{n}",),
                   lambda data: over_seeds([v * rate / 1e9 for v in data.list_values(f"n{n}", "utilization")], lambda v: f"{v:.1f} Gb/s",
                                           accept_between(390, 400.001)))
    return Figure("barre", BARRE, "Appendix B's fixed point and figure 15 (experimental)",
                  "N flows from up to 64 senders, 400 Gb/s, base RTT 10 us, 4096 B on the wire, Kmin 1 MB, Kmax 4 MB, Pmax 10 %; fixed "
                  "point: the model's main loop alone, a step of 10 Mb/s (c 10 us), no fast step, no monitor; figure 15: atc25", runs,
                  (queue(2), queue(16), queue(256), total(16), total(256), total(1024)))


BARRE_OPEN = ("experimental: what the paper leaves open (K, the unit of alpha, what ends the monitor's period, what a CNP "
              "restores) decides "
              "how deep the rate swings. ")
STEP = ("A step of base RTT / c = 10 times 10 Mb/s is a fifteenth of a fair share of 256 flows and a quarter of one of 1024, and a CNP "
        "takes 2 % of it: rates swing. As B6 is read here the monitor quarters the flows that send less than 8 KB in an RTT, "
        "below 6.5 Gb/s; "
        "without it 256 flows have 91 % of the link")
FEW = ("the increase of 0.5 % of the BDP, 0.07 packets, is two fair windows of 5000 flows, added with each ACK; the paper gives no ai. "
       "With ai=0.03 it is 141 us, with ai=0.01 110.8 us")
NOTES = {
    "swift-rtt-5000": FEW,
    "swift-table3-rtt": FEW,
    "barre-fp-2": BARRE_OPEN + "One cut of 2 % is 4 Gb/s, which takes 200 round trips to gain: the queue swings down to 0",
    "barre-fp-16": BARRE_OPEN + "The queue swings down to 0",
    "barre-fp-256": BARRE_OPEN + "A round trip with a CNP adds nothing, which the fluid model does not have; its queue is near Kmax, above "
                                 "which every packet is marked",
    "barre-fig15-16": BARRE_OPEN + "A CNP takes 0.5 Gb/s of a flow and a step gives 0.1",
    "barre-fig15-256": BARRE_OPEN + STEP, "barre-fig15-1024": BARRE_OPEN + STEP,
}
FIGURES = noted((swift_fixed_point(), swift_targets(), swift_join(), swift_racks(), nscc(), barre()), NOTES)
