# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A reader who knows only README and help: for each scenario the first three lines hold the question, the number and the right algorithm.
Number and best algorithm are computed here from the CSV files, by arithmetic of this file."""
import csv
import json
import os
import re
import unittest

from support import RccTest, needs_programs

from command.run.scenarios import SCENARIOS

FRAME, PAYLOAD = 1062, 1000     # bytes of a full frame on the wire, and its payload
UNITS = {"B": 1, "KB": 1e3, "MB": 1e6, "b/s": 1, "kb/s": 1e3, "Mb/s": 1e6, "Gb/s": 1e9, "s": 1, "ms": 1e-3, "us": 1e-6, "": 1}
FULL, ALIKE = 0.9, 1.1          # lab/doc/summary.md#the-answer


class Reader:
    """The CSV files of one run."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            self.begin, self.end = json.load(f)["window_s"]

    def rows(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f))

    def mean(self, name, column, **where):
        """Over the window, each row for the time since the one before."""
        total = seconds = before = 0.0
        for row in self.rows(name):
            if all(row[key] == value for key, value in where.items()):
                now = float(row["time_s"])
                inside = min(now, self.end) - max(before, self.begin)
                if inside > 0:
                    total, seconds = total + float(row[column]) * inside, seconds + inside
                before = now
        return total / seconds

    def rates(self):
        return [float(row["goodput_bps"]) for row in self.rows("flows.csv") if row["size_bytes"] == "0"]

    def p99(self, values):
        return sorted(values)[int(0.99 * (len(values) - 1) + 0.5)]


def queue(run):
    return run.mean("queue.csv", "mean_bytes")


def jain(run):
    rates = run.rates()
    return sum(rates) ** 2 / (len(rates) * sum(rate ** 2 for rate in rates))


def slowdown(run):
    """Compute p99 of the slowdown in a star of 10 Gb/s and links of 1 us: a flow alone takes its bytes on the wire, one frame twice."""
    found = []
    for row in run.rows("flows.csv"):
        size = int(row["size_bytes"])
        frames = -(-size // PAYLOAD)
        alone = (size + (FRAME - PAYLOAD) * frames + min(size, PAYLOAD) + FRAME - PAYLOAD) * 8 / 10e9 + 4e-6
        found.append(float(row["fct_s"]) / alone)
    return run.p99(found)


def bus(run):
    """As nccl-tests has it, of 16 ranks that reduce 16 MB."""
    steps = run.rows("steps.csv")
    took = max(float(row["end_s"]) for row in steps) - min(float(row["start_s"]) for row in steps)
    return 16e6 / took * 2 * 15 / 16 * 8


def used(rate, column="delivered_bps"):
    return lambda run: run.mean("rate.csv", column) / rate


# scenario: (words of an example of help or of lab/doc, with less time and fewer flows, the question, what its number is called, the
# number, least is best, use of the link)
READ = {
    "incast": ("--flows=200 --time=0.15s", "How small a queue keeps the link full?", "mean queue", queue, True, used(40e9)),
    "clos": ("--k=8 --cores=16 --senders=50 --receivers=2 --time=0.03s --start=5ms", "How small a queue keeps the link full?",
             "mean queue", queue, True, used(80e9, "sent_bps")),
    "capacity": ("", "How small a queue keeps the link full?", "mean queue", queue, True, used(0.95e9)),
    "convergence": ("--start=0s,20ms,50ms,100ms --time=0.2s", "How evenly do the flows share the port?", "Jain's index", jain,
                    False, used(40e9)),
    "fan-in": ("--cp=outputs", "How evenly do the flows share the port?", "Jain's index", jain, False, used(10e9)),
    "workload": ("--cc=dcqcn,dcqcn-plus,qcn --time=0.05s", "How much longer do flows take than alone?", "p99 slowdown", slowdown, True,
                 None),
    "testbed": ("--links=h[1-3]-s1 --flows=h[1-2]-h3 --cc=dcqcn,none", "How much do the flows get together?", "goodput",
                lambda run: sum(run.rates()), False, None),
    "unfairness": ("", "What does the flow with the least rate get?", "least rate", lambda run: min(run.rates()), False, used(40e9)),
    "victim": ("--time=20ms", "What does the victim get?", "goodput of the victim",
               lambda run: run.mean("groups.csv", "goodput_bps", group="h8-h9"), False, used(40e9)),
    "probes": ("", "How long do small messages take beside bulk?", "p99 latency",
               lambda run: run.p99([float(row["fct_s"]) for row in run.rows("flows.csv") if row["fct_s"]]), True, used(40e9)),
    "permutation": ("--time=10ms", "How much do all hosts get together?", "goodput", lambda run: sum(run.rates()), False, None),
    "collective": ("--cc=dcqcn,none", "How fast is the operation?", "bus bandwidth", bus, False, None),
    "long-haul": ("--cc=dcqcn,none --time=50ms", "How much does the long link deliver, at which loss?", "goodput",
                  lambda run: sum(run.rates()), False, None),
}


def standing(numbers, use, least):
    """Return (names as good as the best, the best first; names that leave the link idle)."""
    idle = [cc for cc in numbers if use and use[cc] < FULL]
    order = sorted((cc for cc in numbers if cc not in idle), key=lambda cc: numbers[cc] if least else -numbers[cc])
    best = [cc for cc in order if max(numbers[cc], numbers[order[0]]) <= ALIKE * min(numbers[cc], numbers[order[0]])]
    return best, idle


@needs_programs
class SecondReader(RccTest):
    def read_one(self, scenario):
        words, asks, called, number, least, link = READ[scenario]
        done = self.succeed("run", scenario, *words.split(), "--no-plots", f"--out={scenario}")
        first = done.stdout.splitlines()[:3]
        algorithms = sorted(name for name in os.listdir(self.path(scenario)) if os.path.exists(self.path(scenario, name, "run.json")))
        runs = {cc: Reader(self.path(scenario, cc)) for cc in algorithms}
        numbers = {cc: number(run) for cc, run in runs.items()}
        best, idle = standing(numbers, link and {cc: link(run) for cc, run in runs.items()}, least)
        self.assertEqual(first[0], f"{scenario}: {asks}")
        said = " ".join(first[1:])
        self.assertIn(called.lower(), said.lower())
        self.assertTrue(best, f"{numbers}: {idle} leave the link idle")
        if len(algorithms) > 1:
            self.assertTrue(said.startswith(f"{'Smallest' if least else 'Largest'} {called}: {best[0]} "), f"{said} {numbers}")
            rows = done.stdout.partition("---\n")[2].splitlines()[:len(algorithms)]
            self.assertEqual({row.split()[0] for row in rows if " * " in row}, set(best), f"{rows} {numbers}")
        told = re.search(": " + re.escape(best[0]) + r"\b[^0-9]*([\d.]+) ?([KMGk]?B|[kMG]?b/s|[mu]?s\b)?", said.replace("p99 ", ""))
        self.assertIsNotNone(told, said)
        value = float(told[1]) * UNITS[told[2] or ""]
        self.assertAlmostEqual(value / numbers[best[0]], 1, delta=0.03, msg=f"{said} {numbers}")


def add(scenario):
    setattr(SecondReader, "test_" + scenario.replace("-", "_"), lambda self: self.read_one(scenario))


for name in READ:
    add(name)


class All(unittest.TestCase):
    def test_every_scenario_is_read(self):
        self.assertEqual(set(READ), set(SCENARIOS))


if __name__ == "__main__":
    unittest.main()
