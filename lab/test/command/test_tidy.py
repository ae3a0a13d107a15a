# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The files for other tools: the table in long form, the trace for Perfetto."""
import json
import os
import unittest

from support import RccTest, needs_programs

from command.results.draw import perfetto
from command.run import run as run_module
from command.run.processes import Job


@needs_programs
class Table(RccTest):
    def test_of_a_run(self):
        done = self.succeed("run", "incast", "--cc=dcqcn,dcqcn:cx4", "--flows=8", "--time=2ms", "--seed=1-2", "--no-plots", "--out=out")
        self.assertIn("table: out/table.csv", done.stdout)
        rows = self.rows("out", "table.csv")
        self.assertEqual(list(rows[0]), ["run", "cc", "flows", "time", "seed", "metric", "value"])
        self.assertEqual({(row["run"], row["cc"], row["flows"], row["seed"]) for row in rows},
                         {("0", "dcqcn", "8", "1"), ("1", "dcqcn", "8", "2"), ("2", "dcqcn:cx4", "8", "1"), ("3", "dcqcn:cx4", "8", "2")})
        summary = json.loads(self.read("out", "summary.json"))
        means = [float(row["value"]) for row in rows if row["metric"] == "queue.mean_bytes"]
        for value, run in zip(means, summary["runs"]):
            self.assertAlmostEqual(value, run["queue"]["mean_bytes"], delta=1e-9 * value)


class Perfetto(RccTest):
    def write(self):
        self.put("port_series.csv", "time_s,port,queue_bytes,sent_bps\n1e-05,host 0 port 0,1000,4e10\n1e-05,switch 9 port 8,2000,1e9\n"
                "2e-05,host 0 port 0,0,0\n")
        self.put("port_pauses.csv", "time_s,port,class,paused\n0.000005000,host 0 port 0,3,1\n0.000007500,host 0 port 0,3,0\n"
                "0.000009000,host 0 port 0,3,1\n0.000009500,switch 9 port 8,5,1\n0.000010000,switch 9 port 8,5,0\n")
        perfetto.write(self.scratch, {"cc": "dcqcn", "rcc_version": "1", "sim_s": 2e-5})
        return json.loads(self.read("trace.json"))

    def check(self, trace):
        """The rules of the format, as far as viewers insist on them."""
        self.assertIn(trace["displayTimeUnit"], ("ms", "ns"))
        named = set()
        for event in trace["traceEvents"]:
            self.assertIn(event["ph"], ("M", "X", "C"))
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            self.assertIsInstance(event["name"], str)
            self.assertIsInstance(event["args"], dict)
            if event["ph"] == "M":
                named.add((event["name"], event["pid"], event["tid"]))
                continue
            self.assertGreaterEqual(event["ts"], 0)
            self.assertIn(("process_name", event["pid"], 0), named, "a process has its name before its events")
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
                self.assertIn(("thread_name", event["pid"], event["tid"]), named)
            else:
                self.assertTrue(all(isinstance(value, (int, float)) for value in event["args"].values()))
        ends = {}
        for event in trace["traceEvents"]:
            if event["ph"] == "X":  # slices of a thread follow one another
                key = (event["pid"], event["tid"])
                self.assertGreaterEqual(event["ts"], ends.get(key, 0.0) - 1e-9)
                ends[key] = event["ts"] + event["dur"]

    def test_format(self):
        trace = self.write()
        self.check(trace)
        self.assertIs(trace["metadata"]["highres-ticks"], True)
        slices = [(e["pid"], e["ts"], e["dur"]) for e in trace["traceEvents"] if e["ph"] == "X"]
        self.assertEqual(slices, [(1, 5.0, 2.5), (1, 9.0, 11.0), (10, 9.5, 0.5)])
        counters = {(e["pid"], e["ts"], e["name"]): list(e["args"].values())[0] for e in trace["traceEvents"] if e["ph"] == "C"}
        self.assertEqual(counters[1, 10.0, "port 0 queue (bytes)"], 1000)
        self.assertEqual(counters[10, 10.0, "port 8 sent (Gbit/s)"], 1.0)
        self.assertEqual(counters[1, 20.0, "port 0 sent (Gbit/s)"], 0)

    @needs_programs
    def test_of_a_run(self):
        self.succeed("run", "incast", "--cc=none", "--flows=16", "--time=2ms", "--start=0s", "--perfetto", "--no-plots", "--out=out")
        trace = json.loads(self.read("out", "none", "trace.json"))
        self.check(trace)
        run = json.loads(self.read("out", "none", "run.json"))
        slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        names = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
        hosts = sum(e["dur"] for e in slices if names[e["pid"]].startswith("host"))
        self.assertAlmostEqual(hosts / 1e6, run["pfc"]["paused_s"], delta=0.01 * run["pfc"]["paused_s"])
        self.assertGreater(run["pfc"]["pauses"], 0)
        self.assertEqual(len(names), 10, "8 senders, a receiver, a switch")
        # the next run without it leaves no old trace behind
        self.rcc("run", "incast", "--cc=none", "--flows=16", "--time=2ms", "--start=0s", "--no-plots", "--out=out")
        self.assertFalse(os.path.exists(self.path("out", "none", "trace.json")))


class Order(unittest.TestCase):
    def test_the_longest_goes_first(self):
        jobs = [Job(name, []) for name in ("a", "b", "c", "d")]
        order = [job.name for job in run_module.longest_first(jobs, {"a": 1.0, "b": 3.0, "d": 2.0})]
        self.assertEqual(order, ["c", "b", "d", "a"])


if __name__ == "__main__":
    unittest.main()
