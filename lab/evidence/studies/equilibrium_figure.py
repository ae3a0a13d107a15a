# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The picture of lab/evidence/doc/identification.md: the equilibrium of DCQCN+ (equilibrium.py) beside packets. About a minute.

    python3 lab/evidence/studies/equilibrium_figure.py [--time=1s] --out=DIR     writes DIR/equilibrium.png and DIR/equilibrium.json
"""
import dataclasses
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from evidence.studies.equilibrium import DcqcnPlus, equilibrium, recovery  # noqa: E402  (the path comes first)
from command.run import simulation  # noqa: E402
from command.system import build, packages  # noqa: E402
from evidence.published.drawing import COLOURS, SHADES  # noqa: E402

PMAX = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
RATES = (10, 40)
FLOWS = 2000


def measure(folder: str, time: str) -> list:
    """Packets: mean and 99th percentile of the queue in the second half of the time, for each rate and Pmax."""
    program = build.program(simulation.PROGRAM, packages.RUN)
    found = []
    for rate in RATES:
        for pmax in PMAX:
            place = os.path.join(folder, f"{rate}g-{pmax:g}")
            words = ["--cc=dcqcn-plus", f"--rate={rate}Gbps", f"--flows={FLOWS}", f"--time={time}", "--seed=1",
                     f"--set=dcqcn-plus.pmax={pmax:g}", f"--out={place}"]
            simulation.run(program, simulation.of_scenario("incast", words))
            with open(os.path.join(place, "run.json"), encoding="utf-8") as f:
                run = json.load(f)
            expected = equilibrium(dataclasses.replace(DcqcnPlus(), pmax=pmax), FLOWS, rate * 1e9)
            found.append({"rate_gbps": rate, "pmax": pmax, "mean_bytes": run["queue"]["mean_bytes"],
                          "p99_bytes": run["queue"]["p99_bytes"], "utilization": run["send_utilization"], "jain": run["jain"],
                          "needed_probability": expected.probability, "equilibrium_bytes": expected.queue_bytes})
    return found


def draw(found: list, path: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from command.results.draw import sheet
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    for alpha, colour in zip((1.0, 0.5, 0.1), SHADES):
        times, rates, now = [-1.0, 0.0], [1.0, 1.0], 0.0
        for rate, part in recovery(DcqcnPlus(), alpha):
            times += [now, now + part]
            rates += [rate, rate]
            now += part
        left.plot(times + [now, now + 0.7], rates + [1.0, 1.0], color=colour, label=f"alpha {alpha:g}: back after {now:.2f} periods")
    left.set(xlabel="periods K after a cut", ylabel="rate / rate before the cut", title="Recovery takes as long, whatever alpha is")
    for rate, colour in zip(RATES, (COLOURS["dcqcn-plus"], COLOURS["dcqcn"])):
        rows = [row for row in found if row["rate_gbps"] == rate]
        line = [(p / 500, equilibrium(dataclasses.replace(DcqcnPlus(), pmax=p / 500), FLOWS, rate * 1e9)) for p in range(1, 501)]
        held = [(p, e.queue_bytes / 1e3) for p, e in line if e.queue_bytes is not None]
        right.plot(*zip(*held), color=colour, label=f"{rate} Gb/s: equilibrium, {rows[0]['needed_probability']:.3f} marked")
        right.plot([r["pmax"] for r in rows], [r["mean_bytes"] / 1e3 for r in rows], "o", color=colour, label="packets: mean")
        right.plot([r["pmax"] for r in rows], [r["p99_bytes"] / 1e3 for r in rows], "x", color=colour, label="packets: p99")
    right.axhline(200, color="#222222", linestyle=(0, (5, 3)), linewidth=1, label="Kmax")
    right.set(xscale="log", yscale="log", ylim=(15, 1500), xlabel="Pmax", ylabel="queue of 2000 flows (KB)",
              title="Below a Pmax the queue must cross Kmax")
    right.set_xticks(PMAX, [f"{p:g}" for p in PMAX])
    right.set_yticks((20, 50, 100, 200, 500, 1000), ("20", "50", "100", "200", "500", "1000"))
    right.minorticks_off()
    left.legend(frameon=False, fontsize=8)
    right.legend(frameon=False, fontsize=8, ncols=2, loc="upper center")
    for axes in (left, right):
        axes.grid(alpha=0.25)
    figure.savefig(path, dpi=110, metadata=sheet.describe(figure))


def main(words: list) -> int:
    if len(words) == 2 and words[0] == "--draw":  # in an interpreter that has matplotlib
        with open(os.path.join(words[1], "equilibrium.json"), encoding="utf-8") as f:
            draw(json.load(f), os.path.join(words[1], "equilibrium.png"))
        return 0
    given = dict(word.split("=", 1) for word in words if re.match("--(out|time)=.", word))
    if "--out" not in given or len(given) < len(words):
        sys.exit(__doc__)
    folder = given["--out"]
    os.makedirs(folder, exist_ok=True)
    found = measure(folder, given.get("--time", "1s"))
    with open(os.path.join(folder, "equilibrium.json"), "w", encoding="utf-8") as f:
        json.dump(found, f, indent=1)
    python = packages.plotting_python()
    if not python:
        sys.exit("matplotlib is missing (./rcc doctor)")
    return subprocess.run([python, os.path.abspath(__file__), "--draw", folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
