# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""PowerTCP and theta-PowerTCP (NSDI 2022): theorem 1, figures 4 and 5. Bands were fixed before the first run."""
from __future__ import annotations

import statistics

from . import drawing as draw
from .figure import Data, Figure, Measured, Panel, Row, accept_between, kb, near, over_seeds, percent, run, smooth
from .seeds import SEEDS
from .windowed import algorithm, jain, lead, least_mean, noted

POWER = "PowerTCP NSDI'22"
POWERS = ("powertcp", "theta-powertcp")
SHORT = {"powertcp": "", "theta-powertcp": "theta-"}
# The settings of the authors' config-burst.txt, for their figures; the theorem is the text's. T is the longest RTT of their network.
AUTHORS = {"powertcp": "powertcp:ns3-datacenter+base_rtt=28960ns", "theta-powertcp": "theta-powertcp:ns3-datacenter+base_rtt=28960ns",
           "hpcc": "hpcc:simulator+max_stage=5+r_min=100Mbps+base_rtt=28960ns", "timely": "timely:hpcc"}
SHORTER = {"powertcp": "power", "theta-powertcp": "theta"}
# topology-256.txt of their simulator: 256 hosts on 8 switches, 4 pods, 4 cores, 4 MB per switch.
THEIRS = ("--links=h[0-255]=t[0-7]:25Gbps:1us," + ",".join(f"t[{i}-{i + 1}]-a[{i}-{i + 1}]:100Gbps:1us" for i in (0, 2, 4, 6))
          + ",a[0-6/2]-c[0-1]:100Gbps:5us,a[1-7/2]-c[2-3]:100Gbps:5us", "--rate=25Gbps", "--delay=1us", "--ack-every=1", "--buffer=4MB",
          "--watch=t0>h16", "--interval=2us")
HOSTS_25G = ("--rate=25Gbps", "--delay=4660ns", "--ack-every=1", "--buffer=16MB")


def power_fixed_point() -> Figure:
    """Theorem 1: n flows hold n beta bytes in the queue. beta is four packets, so that one packet does not decide."""
    beta = 4e3
    counts = (2, 10, 50)
    runs = {f"{cc}-{n}": run("incast", *algorithm(f"{cc}+beta=4000B+base_rtt=20us"), f"--flows={n}", f"--senders={n}", *HOSTS_25G,
                             "--start=100us",
                             "--time=30ms", seeds=SEEDS, cost=1.2) for cc in POWERS for n in counts}

    def row(cc: str, n: int) -> Row:
        return Row(f"powertcp-fp-{SHORT[cc]}{n}", f"queue of {n} flows under {lead(cc)}: N beta", kb(n * beta), "+-25 %", (f"{cc}-{n}",),
                   lambda data: over_seeds(data.list_values(f"{cc}-{n}", "queue.mean_bytes"), kb, near(n * beta, 0.25)))

    def fair(cc: str) -> Row:
        return Row(f"powertcp-fp-{SHORT[cc]}fair", f"10 flows share the link under {lead(cc)}", "fair", "Jain >= 0.95", (f"{cc}-10",),
                   lambda data: over_seeds(data.list_values(f"{cc}-10", "jain"), lambda v: f"Jain {v:.3f}", lambda v: v >= 0.95))

    def panel(ax, data: Data) -> None:
        draw.sweep(ax, data, [(lead(cc), shade, [(n, f"{cc}-{n}") for n in counts]) for cc, shade in zip(POWERS, draw.SHADES)],
                   lambda d, k: [v / 1e3 for v in d.list_values(k, "queue.mean_bytes")], "mean queue (KB)")
        ax.plot(counts, [n * beta / 1e3 for n in counts], color=draw.INK, linestyle="--", label="published: N beta")
    return Figure("powertcp-fp", POWER, "Theorem 1: the queue of N flows",
                  "N senders, 1 receiver, 25 Gb/s, base RTT 20 us, beta 4000 B; second half of 30 ms", runs,
                  tuple(row(cc, n) for cc in POWERS for n in counts) + tuple(fair(cc) for cc in POWERS),
                  (Panel("Queue by number of flows", tuple(runs), panel),))


def incast(name: str, title: str, more: str, losers: tuple) -> Figure:
    """One long flow, then ten of the same rack at 2 ms, and what `more` adds: flow-burstExp-10.txt and -256.txt of their simulator."""
    words = (*THEIRS, f"--flows=h0-h16,h[1-10]-h16:start=2ms{more}", "--time=5ms", "--window=3ms-5ms")
    runs = {cc: run("testbed", *algorithm(AUTHORS[cc]), *words, seeds=SEEDS, cost=0.7) for cc in (*POWERS, *losers)}

    def find_least(data: Data, cc: str) -> list:
        return data.map_seeds(cc, lambda seed: least_mean(data, cc, seed, 100e-6, 2.1e-3, 4e-3, 25e9))

    def peak(data: Data, cc: str) -> float:
        return statistics.fmean(max(q for t, q in zip(s["time_s"], s["max_bytes"]) if 2.05e-3 < t <= 3e-3)
                                for s in (data.series(cc, "queue.csv", seed) for seed in data.figure.runs[cc].seeds))

    def twice(data: Data) -> Measured:
        value = peak(data, "hpcc") / peak(data, "powertcp")
        return Measured(f"{value:.2f}x: {kb(peak(data, 'hpcc'))} and {kb(peak(data, 'powertcp'))}", 1.4 <= value <= 2.6, value)
    rows = []
    for cc in POWERS:
        rows += [Row(f"{name}-queue-{SHORTER.get(cc, cc)}", f"{title}: {lead(cc)}'s queue is near zero again after 1 ms", "near zero",
                     "mean <= 20 KB, a third of the BDP", (cc,),
                     lambda data, cc=cc: over_seeds(data.list_values(cc, "queue.mean_bytes"), kb, lambda v: v <= 20e3)),
                 Row(f"{name}-use-{SHORTER.get(cc, cc)}", f"{title}: {lead(cc)} loses no throughput, least 100 us", "no loss",
                     ">= 95 % of the link", (cc,), lambda data, cc=cc: over_seeds(find_least(data, cc), percent, lambda v: v >= 0.95))]
    rows += [Row(f"{name}-use-{SHORTER.get(cc, cc)}", f"{title}: {lead(cc)} loses throughput, least 100 us", "loses", "< 90 % of the link",
                 (cc,), lambda data, cc=cc: over_seeds(find_least(data, cc), percent, lambda v: v < 0.9)) for cc in losers]
    if "timely" not in losers:
        rows.append(Row(f"{name}-peak", f"{title}: HPCC's largest queue, after the first RTTs, beside PowerTCP's", "about 2x",
                        "1.4x to 2.6x", ("hpcc", "powertcp"), twice))

    def panel(ax, data: Data) -> None:
        draw.timeline(ax, data, [(lead(cc), shade, cc) for cc, shade in zip(runs, draw.SHADES)], "queue.csv", "mean_bytes", 1e3,
                      "queue, 20 us means (KB)", width=20e-6)
        ax.set_xlim(1.8, 4)
    return Figure(name, POWER, title, "256 hosts, 25 and 100 Gb/s, as in the authors' simulator; one long flow, ten more of its rack at "
                  "2 ms" + (", and 255 hosts answer with 2800 B at 2 ms" if more else ""), runs, tuple(rows),
                  (Panel("Queue", tuple(runs), panel),))


def power_join() -> Figure:
    flows = ",".join(f"h{i}-h5:start={t}ms" for i, t in zip(range(1, 5), (1, 20, 40, 60)))
    runs = {cc: run("testbed", *algorithm(f"{cc}:ns3-datacenter"), "--links=h[1-5]-s1", f"--flows={flows}", *HOSTS_25G, "--time=80ms",
                    "--interval=100us", seeds=SEEDS, cost=1) for cc in POWERS}

    def slowest(data: Data, cc: str, seed: int) -> float:
        """The longest time, over the three that join others, until means over 1 ms have Jain's index .95; 20 ms if they never have."""
        s = data.series(cc, "groups.csv", seed)
        by: dict = {}
        for t, g, v in zip(s["time_s"], s["group"], s["goodput_bps"]):
            by.setdefault(g, []).append((t, v))
        means = {g: smooth([t for t, _ in rows], [v for _, v in rows], 1e-3) for g, rows in by.items()}
        times = [20e-3]
        for count, begin in ((2, 20e-3), (3, 40e-3), (4, 60e-3)):
            axis = means["h1-h5"][0]
            inside = [i for i, t in enumerate(axis) if begin < t <= begin + 20e-3]
            times.append(next((axis[i] - begin for i in inside
                               if jain([means[f"h{j}-h5"][1][i] for j in range(1, count + 1)]) >= 0.95), 20e-3))
        return max(times[1:])

    def row(cc: str) -> Row:
        return Row(f"powertcp-fig5-{SHORTER[cc]}", f"flows that join have their share quickly: {lead(cc)}", "quickly",
                   "<= 5 ms, a twentieth of the paper's time between joins", (cc,),
                   lambda data: over_seeds(data.map_seeds(cc, lambda seed: slowest(data, cc, seed)), lambda v: f"{1e3 * v:.0f} ms",
                                           lambda v: v <= 5e-3))
    return Figure("powertcp-fig5", POWER, "Figure 5: flows join", "4 flows to one host at 1, 20, 40, 60 ms, 25 Gb/s; 1 ms means", runs,
                  tuple(row(cc) for cc in POWERS))


def power_many() -> Figure:
    runs = {"run": run("testbed", *algorithm(AUTHORS["powertcp"]), *THEIRS, "--flows=h0-h16,h[32-127]-h16:start=20ms", "--time=70ms",
                       "--window=45ms-70ms", seeds=SEEDS, cost=4)}
    return Figure("powertcp-96", POWER, "ns3-datacenter, issue 8: 96 long flows",
                  "the report's flows in the authors' network: one, and 96 from three other racks 20 ms later; 25 to 50 ms after that",
                  runs,
                  (Row("powertcp-96", "the queue of 96 long flows settles", "100 to 200 KB", "100 to 200 KB", ("run",),
                       lambda data: over_seeds(data.list_values("run", "queue.mean_bytes"), kb, accept_between(100e3, 200e3))),))


NOTES = {"powertcp-96": "N beta is 53 KB, the rest packets; what build and frames the report had is not known"}
FIGURES = noted((power_fixed_point(), incast("powertcp-10", "Figure 4, 10:1", "", ("hpcc",)),
                 incast("powertcp-255", "Figure 4, 255:1", ",h[0-15]-h16:size=2800:start=2ms,h[17-255]-h16:size=2800:start=2ms",
                        ("hpcc", "timely")), power_join(), power_many()), NOTES)
