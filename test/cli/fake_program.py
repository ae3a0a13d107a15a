# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A stand-in for build/incast, build/ns3-rdma, build/rcc-catalog and build/rcc-bench: the same options, files and exit statuses, from a
formula. The tests of the command use it; environment variables change how it behaves:

    FAKE_SECONDS  wall time of a run          FAKE_CRASH  name of an algorithm that ends with status 3
    FAKE_TRACE    file that gets a line per event (start, SIGINT count) of each process
"""
import csv
import json
import math
import os
import random
import signal
import sys
import time

ALGORITHMS = {"dcqcn": ("DCQCN", 4.86e6, 1.0, 0.91), "dcqcn-plus": ("DCQCN+", 41e3, 0.93, 0.62),
              "qcn": ("QCN", 610e3, 0.97, 0.88)}
PFC_LIMIT = 4_944_000
UNITS = {"Gbps": 1e9, "Mbps": 1e6, "KB": 1e3, "MB": 1e6, "ms": 1e-3, "us": 1e-6, "s": 1, "B": 1, "": 1}


def fail(text):
    print(f"rcc: error: {text}", file=sys.stderr)
    sys.exit(2)


def value(options, name, default):
    text = options.get(name, default)
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            try:
                number = float(text[:len(text) - len(unit)]) * factor
            except ValueError:
                continue
            if not 0 < number < 1e15 and not (number == 0 and name == "start"):
                fail(f"--{name}={text}: out of range")
            return number
    fail(f"--{name}={text}: not a number with a unit")


def trace(text):
    if os.environ.get("FAKE_TRACE"):
        with open(os.environ["FAKE_TRACE"], "a", encoding="utf-8") as f:
            f.write(text + "\n")


def write_csv(folder, name, header, rows):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def incast(argv):
    options = {}
    for word in argv:
        key, _, text = word[2:].partition("=")
        options[key] = text
    cc = options.get("cc", "dcqcn")
    if cc not in ALGORITHMS:
        fail(f"--cc={cc}: unknown algorithm; the nearest is dcqcn")
    if options.get("preset", "paper") not in ("paper", "cx4"):
        fail(f"--preset={options['preset']}: unknown preset; known: paper, cx4")
    for item in filter(None, options.get("set", "").split(",")):
        if "=" not in item or "." not in item:
            fail(f"--set={item}: expected ALGORITHM.PARAM=VALUE")
    flows = int(value(options, "flows", "2000"))
    senders = int(value(options, "senders", "8"))
    rate = value(options, "rate", "40Gbps")
    sim = value(options, "time", "0.4s")
    start = value(options, "start", "0.1s")
    kmax = value(options, "kmax", "200KB")
    size = value(options, "size", "1000") if "size" in options else None
    seed = int(options.get("seed", "1"))
    warnings = []
    if flows > 5000:
        warnings.append(f"{cc}: R_min x flows is above the line rate: the queue will stay full")
        print(f"rcc: warning: {warnings[0]}", file=sys.stderr)
    if "check" in options:
        return 0
    interrupts = []
    signal.signal(signal.SIGINT, lambda *_: (interrupts.append(1), trace(f"{cc} SIGINT {len(interrupts)}")))
    folder = options["out"]
    os.makedirs(folder, exist_ok=True)
    trace(f"{cc} start")
    if os.environ.get("FAKE_CRASH") == cc:
        print("terminate called", file=sys.stderr)
        return 3
    packets = int(rate * sim / 8 / 1048 * ALGORITHMS[cc][2])
    wall = float(os.environ.get("FAKE_SECONDS", "0"))
    begun = time.monotonic()
    done = 0.0 if wall else 1.0
    while done < 1 and not interrupts:
        time.sleep(0.02)
        done = min(1.0, (time.monotonic() - begun) / wall)
        if "progress" in options:
            print(f"progress {done:.4f} {int(done * packets)}", flush=True)
    if interrupts:
        time.sleep(0.2)  # a second SIGINT would show up in the trace
    write(folder, cc, dict(flows=flows, senders=senders, rate=rate, sim=sim * done, start=start, kmax=kmax, size=size,
                           seed=seed, packets=int(packets * done), partial=bool(interrupts), warnings=warnings,
                           wall=max(wall * done, 0.01), preset=options.get("preset", "paper")))
    return 130 if interrupts else 0


def write(folder, cc, p):
    title, level, use, jain = ALGORITHMS[cc]
    draw = random.Random(f"{cc} {p['seed']}")
    steps = 2000
    queue, rates = [], []
    for i in range(1, steps + 1):
        t = p["sim"] * i / steps
        grow = 1 - math.exp(-4 * t / max(p["start"], 1e-9))
        peak = 4.9e6 * math.exp(-((t - p["start"] / 2) / (p["start"] / 4)) ** 2) if cc != "dcqcn" else 0
        mean = level * grow * (1 + 0.12 * draw.uniform(-1, 1) * (cc != "dcqcn")) + peak * 0.6
        mean = min(mean, 4.93e6)
        queue.append((f"{t:.9f}", int(mean), int(min(mean * (1.02 if cc == "dcqcn" else 1.8), PFC_LIMIT))))
        rates.append((f"{t:.9f}", int(p["rate"] * use * min(1, grow * 1.2) * (1 + 0.03 * draw.uniform(-1, 1))),
                      int(p["rate"] * use * min(1, grow * 1.2))))
    write_csv(folder, "queue.csv", ["time_s", "mean_bytes", "max_bytes"], queue)
    write_csv(folder, "rate.csv", ["time_s", "sent_bps", "delivered_bps"], rates)
    fair = p["rate"] * use / p["flows"]
    samples = []
    for flow in sorted(draw.sample(range(p["flows"]), min(16, p["flows"]))):
        begin, level_of = draw.uniform(0, p["start"]), fair * draw.lognormvariate(0, 1 - jain)
        for i in range(1, 201):
            t = p["sim"] * i / 200
            if t >= begin:
                burst = p["rate"] * math.exp(-(t - begin) / (p["sim"] / 100))
                samples.append((f"{t:.9f}", flow, int(min(p["rate"], level_of * draw.uniform(0.8, 1.2) + burst))))
    samples.sort(key=lambda row: (row[0], row[1]))
    write_csv(folder, "flow_rates.csv", ["time_s", "flow", "rate_bps"], samples)
    flows, fcts = [], []
    for flow in range(p["flows"]):
        fct = None
        if p["size"]:
            fct = p["size"] * 8 / fair * draw.lognormvariate(0, 0.4)
            fcts.append(fct)
        goodput = fair * draw.uniform(0.5, 1.5)
        flows.append((flow, flow % p["senders"], p["senders"], f"{draw.uniform(0, p['start']):.9f}",
                      int(p["size"] or 0), int(goodput * p["sim"] / 8), int(goodput), "" if fct is None else f"{fct:.9f}"))
    write_csv(folder, "flows.csv", ["flow", "src", "dst", "start_s", "size_bytes", "delivered_bytes", "goodput_bps",
                                    "fct_s"], flows)
    fcts.sort()
    half = sorted(row[1] for row in queue[steps // 2:])
    run = {
        "scenario": "incast", "cc": cc, "title": title, "source": "formula of the test fixture", "preset": p["preset"],
        "ns3_version": "0.0", "seed": p["seed"], "flows": p["flows"], "hosts": p["senders"] + 1,
        "rate_bps": int(p["rate"]), "sim_s": p["sim"], "wall_s": p["wall"],
        "events": p["packets"] * 5, "packets_sent": p["packets"], "packets_delivered": p["packets"],
        "bytes_delivered": p["packets"] * 1000, "packets_dropped": 0, "window_s": [p["sim"] / 2, p["sim"]],
        "congested_port": "switch port 8 to host 8", "kmax_bytes": int(p["kmax"]), "pfc_limit_bytes": PFC_LIMIT,
        "queue": {"mean_bytes": sum(half) / len(half), "p50_bytes": half[len(half) // 2],
                  "p95_bytes": half[int(len(half) * .95)], "p99_bytes": half[int(len(half) * .99)],
                  "max_bytes": max(row[2] for row in queue)},
        "utilization": use, "send_utilization": use, "jain": jain,
        "pfc": {"pauses": 18234 if cc == "dcqcn" else 0, "paused_s": 0.2 if cc == "dcqcn" else 0},
        "cnps": 1000, "cnms": 0,
        "fct": {"count": len(fcts), "mean_s": sum(fcts) / len(fcts), "p50_s": fcts[len(fcts) // 2],
                "p99_s": fcts[int(len(fcts) * .99)], "max_s": fcts[-1]} if fcts else None,
        "drain_s": None if cc == "dcqcn" else 0.03, "peak_rss_bytes": 50_000_000, "partial": p["partial"],
        "warnings": p["warnings"], "parameters": {"g": 0.00390625, "ai_rate": 40_000_000, "kmax": int(p["kmax"])},
    }
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as f:
        json.dump(run, f)


def ns3_rdma(argv):
    """As incast, under the algorithm that --cc or CC_MODE of the config says."""
    options = dict(word[2:].partition("=")[::2] for word in argv)
    config = options.get("config", "")
    try:
        with open(config, encoding="utf-8") as f:
            words = f.read().split()
    except OSError as error:
        fail(f"{config}: {error.strerror}")
    mode = words[words.index("CC_MODE") + 1] if "CC_MODE" in words else "1"
    cc = options.get("cc") or {"1": "dcqcn", "2": "qcn"}.get(mode)
    if not cc:
        fail(f"{config}:1: CC_MODE: found '{mode}', expected 1 or 2, or --cc")
    trace(" ".join(argv))
    known = ("out", "check", "progress", "seed", "time", "set", "preset")
    status = incast([f"--cc={cc}", "--flows=20"] + [w for w in argv if w[2:].partition("=")[0] in known])
    if status == 0 and "check" not in options:
        with open(os.path.join(options["out"], "fct.txt"), "w", encoding="utf-8") as f:
            f.writelines(f"0b000101 0b000201 {10000 + i} 100 {1000 * i} 2000000000 {2000 * i} {1000 * i}\n" for i in range(1, 21))
        with open(os.path.join(options["out"], "pfc_of_mine.txt"), "w", encoding="utf-8"):
            pass
        with open(os.path.join(options["out"], "run.json"), "r+", encoding="utf-8") as f:
            run = json.load(f)
            run["files"] = ["fct.txt", "pfc_of_mine.txt", "../../../config.txt", 3]
            f.seek(0)
            json.dump(run, f)
    return status


def catalog():
    fields = [{"name": "g", "role": "rp", "unit": "ratio", "min": 0, "max": 1, "default": 0.00390625, "choices": None,
               "help": "Gain of the congestion estimate.", "source": "S15 eq. 1"},
              {"name": "start", "role": "np", "unit": "choice", "min": 0, "max": 1, "default": "now",
               "choices": ["now", "later"], "help": "When the first CNP goes.", "source": "decision `when`"}]
    print(json.dumps({"version": "0.1.0", "ns3_version": "0.0", "algorithms": [
        {"name": name, "title": a[0], "source": "a paper", "presets": [{"name": "paper", "help": "As published."}],
         "fields": fields} for name, a in ALGORITHMS.items()]}))


def bench(argv):
    options = dict(word[2:].partition("=")[::2] for word in argv)
    flows, per_packet = int(options.get("flows", 1125)), options["ack"] == "per-packet"
    cost = (6.5 if per_packet else 4.0) * (1 + flows / 8000)
    print(json.dumps({
        "scenario": options["scenario"], "flows": flows, "rate_bps": 40_000_000_000, "ack": options["ack"],
        "packets": 1_000_000, "cpu_s": 0.7, "packets_per_cpu_s": 1.4e6, "events_per_packet": 6.0 if per_packet else 3.1,
        "bare_events_per_packet": cost, "peak_rss_bytes": 60_000_000, "setup_s": 0.01, "bare_events_per_s": 9.1e6}))


if __name__ == "__main__":
    mode = sys.argv[1]
    if mode == "incast":
        sys.exit(incast(sys.argv[2:]))
    if mode == "ns3-rdma":
        sys.exit(ns3_rdma(sys.argv[2:]))
    sys.exit(bench(sys.argv[2:]) if mode == "rcc-bench" else catalog())
