# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc sweep: the grid, what survives a kill, points added later, two sweeps in one folder, tables, figures."""
import collections
import contextlib
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import tempfile
import time
import unittest
from unittest import mock

from support import RccTest, needs_programs, sample_run

from command.common import RccError
from command.results.judge import sweep_results
from command.results.read import statistics
from command.run import grid, specs, sweep
from command.run.scenarios import SCENARIOS

GRID = ["--flows=4,8", "--rate=10Gbps,40Gbps", "--cc=dcqcn,qcn", "--seed=1-3", "--time=300us", "--no-plots"]
POINTS = 24
ONE = ["sweep", "incast", "--cc=dcqcn", "--flows=2", "--time=500us", "--no-plots", "--out=out"]
# each simulation leaves a line when it begins and one when it has ended well
TRACE = """case "$*" in *--check*) ;; *) echo "start $*" >> "$TRACE"; '{build}/rcc-run' "$@"; s=$?
[ $s = 0 ] && echo "end $*" >> "$TRACE"; exit $s;; esac"""


def nothing(_given):
    """In place of grid.usual."""
    return {}


def axes(scenario="incast", **given):
    return grid.axes(SCENARIOS[scenario].options, given)


class Waiting(unittest.TestCase):
    """A sweep all of whose points another one simulates."""

    def test_it_is_said_once(self):
        wanted = grid.points("incast", specs.parse_list("dcqcn"), [], [1, 2])
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sweep.points, "claim", return_value=None), \
                mock.patch.object(sweep.time, "sleep") as sleep:
            one = sweep.Sweep(folder, "", "", wanted, 1)
            one.waiting = {("dcqcn", ()): list(wanted)}
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                one._start()
                one._start()
        self.assertEqual(errors.getvalue(), f"rcc: waiting for another ./rcc sweep, which simulates 2 points of {folder}\n")
        self.assertEqual(sleep.call_count, 2)


class Grid(unittest.TestCase):
    def test_values(self):
        self.assertEqual(axes(flows="8,80", rate="10Gbps,40000Mbps"), [("flows", ["8", "80"], ""), ("rate", ["10Gbps", "40Gbps"], "")])
        self.assertEqual(axes("convergence", start=["0s,5ms|0s,1ms"]), [("start", ["0s,5ms", "0s,1ms"], "")])
        self.assertEqual(axes(set=["dcqcn.g=1/256,1/16", "QCN.gd=0.5,dcqcn.r_ai=5Mbps"]),
                         [("dcqcn.g", ["1/256", "1/16"], "dcqcn"), ("qcn.gd", ["0.5"], "qcn"), ("dcqcn.r_ai", ["5Mbps"], "dcqcn")])

    def test_values_of_options_whose_default_is_described(self):
        """The comma in "1us, of the receiver's link" is none of a value."""
        self.assertEqual(axes(preset="paper,cx4", nic="cx5,cx4-lx", window="0s-1ms,1ms-2ms"),
                         [("preset", ["paper", "cx4"], ""), ("nic", ["cx5", "cx4-lx"], ""), ("window", ["0s-1ms", "1ms-2ms"], "")])
        self.assertEqual(axes("capacity", delay="1us,2us"), [("delay", ["1us", "2us"], "")])

    def test_values_have_one_form(self):
        """Which the programs read: a time has a unit."""
        self.assertEqual(axes(rto="67108864ns,0.0015s", start="0s,1.2345678s"),
                         [("start", ["0", "1.2345678s"], ""), ("rto", ["67.108864ms", "1500us"], "")])

    def test_what_an_option_is_that_is_not_given(self):
        """In the form of given values, and as the scenario makes it of those that are given."""
        for scenario, given, name, text in (
                ("incast", {}, "start", "100ms"), ("incast", {"time": "5ms"}, "start", "833333ns"), ("incast", {}, "mtu", "1KB"),
                ("incast", {}, "time", "600ms"), ("incast", {}, "rto", "67.108864ms"), ("incast", {}, "kmin", "of the preset"),
                ("incast", {"time": "5ms", "lossy": ""}, "size", "0"), ("capacity", {}, "mtu", "1434B"), ("capacity", {}, "delay", "1us"),
                ("capacity", {"time": "1s"}, "window", "800ms-1s"), ("capacity", {}, "window", "8s-10s"), ("collective", {}, "gap", "0"),
                ("long-haul", {}, "preset", "nic-default"), ("long-haul", {"cc": "hpcc"}, "preset", "the first of each")):
            with self.subTest(scenario=scenario, given=given, name=name):
                self.assertEqual(grid.usual(scenario, {"cc": "dcqcn:cx4", "seed": "1", "dcqcn.g": "1/16", **given})[name], text)

    def test_refusals(self):
        for given in ({"flows": "8,,80"}, {"flows": "8,x"}, {"rate": "10Gbps,fast"}, {"set": ["g=1"]}, {"set": ["dcqcn.g="]}):
            with self.assertRaises(RccError, msg=given):
                axes(**given)
        for given in ({"flows": "8,8"}, {"size": "1KB,1000"}, {"rto": "67.108864ms,67108864ns"},
                      {"set": ["dcqcn.g=1", "DCQCN.g=1"]}, {"attr": ["QbbSwitch.Alpha=1", "ns3::QbbSwitch.Alpha=1"]}):
            with self.assertRaises(RccError, msg=given):
                axes(**given)
        for text in ("", "1-", "3-1", "a", "1,,2", "-1", "1,1", "1-3,2", "2,02"):
            with self.assertRaises(RccError, msg=text):
                grid.seeds(text)

    def test_seeds(self):
        self.assertEqual(grid.seeds("1-3,5,7-7"), [1, 2, 3, 5, 7])

    def test_points(self):
        found = grid.points("incast", specs.parse_list("dcqcn,qcn"), axes(flows="8,80", set=["dcqcn.g=1/256,1/16"]), [1, 2])
        self.assertEqual(len(found), 2 * 2 * 2 + 2 * 2)  # qcn has no g
        self.assertEqual(len({point.name for point in found}), len(found))
        self.assertEqual(found[0].words()[:3], ["--cc=dcqcn", "--set=dcqcn.g=1/256", "--seed=1"])
        self.assertIn("--flows=h[0-7]=h8:count=8:within=0.1s", found[0].words())

    def test_longest_first(self):
        found = grid.points("incast", specs.parse_list("dcqcn,qcn"), axes(flows="8,2000", rate="10Gbps,40Gbps"), [1])
        longest = max(found, key=lambda point: sweep.guess(point.values))
        self.assertEqual(dict(longest.values), {"flows": "2000", "rate": "40Gbps"})
        self.assertEqual(sweep.guess((("sizes", "a-file"), ("time", "2ms"))), 2 * sweep.guess((("time", "1ms"),)))


class Statistics(unittest.TestCase):
    def test_interval(self):
        """Ten values from a textbook's example: half = t(9) s / sqrt(10)."""
        found = statistics.interval([9.8, 10.2, 10.4, 9.8, 10.0, 10.2, 9.6])
        self.assertAlmostEqual(found.mean, 10.0)
        self.assertAlmostEqual(found.half, 2.4469 * 0.28284 / 7 ** 0.5, places=4)
        self.assertIsNone(statistics.interval([3.0]).half)

    def test_quantiles_beyond_the_table(self):
        for freedom, known in ((31, 2.0395), (60, 2.0003), (120, 1.9799), (1000, 1.9623)):
            self.assertAlmostEqual(statistics.t975(freedom), known, delta=1e-4)


class Studies(unittest.TestCase):
    """Tables of made-up points."""

    def study(self, *points):
        entries = [{"parameters": {"cc": cc, "seed": str(seed)}, "run": sample_run(cc, 1e3, seed=seed, **more)}
                   for cc, seed, more in points]
        return sweep_results.read(entries, nothing, sweep_results.Axes("", []), "workload")

    def test_flows_that_did_not_end(self):
        def make_run(cc, seed, out):
            slow = {"count": 16 - out, "mean": 1.5, "p99": 2.0}
            return cc, seed, {"flows": 16, "incomplete": out, "slowdown": slow, "fct": {"count": 16 - out, "mean_s": 1e-3, "p99_s": 2e-3}}
        rows = sweep_results.table(self.study(make_run("a", 1, 1), make_run("a", 2, 0), make_run("b", 1, 0), make_run("b", 2, 0)))
        self.assertEqual([row[-1] for row in rows], ["not ended", "1 in 2 seeds", "0 in 2 seeds"])
        rows = sweep_results.table(self.study(make_run("a", 1, 0), make_run("b", 1, 0)))
        self.assertNotIn("not ended", rows[0])

    def ratios(self, order, *points):
        """The head of the ratios and each row's, of points (cc, seed, queue, own parameters) under --cc=`order`."""
        entries = [{"parameters": {"cc": cc, **own, "seed": str(seed)}, "run": sample_run(cc, queue, seed=seed)}
                   for cc, seed, queue, own in points]
        study = sweep_results.read(entries, nothing, sweep_results.Axes("", [], order), "incast")
        head, *rows = sweep_results.table(study)
        at = next((i for i, text in enumerate(head) if text.startswith("/ ")), None)
        who = head.index("algorithm")
        return study, None if at is None else head[at], {} if at is None else {(*row[:who + 1],): row[at].split()[0] for row in rows}

    def test_ratios_are_to_the_first_algorithm(self):
        """The first algorithm is that of --cc, in whatever order the points are; algorithms of earlier commands come after."""
        points = [(cc, seed, queue * seed, {}) for cc, queue in (("dcqcn", 1e3), ("hpcc", 2e3), ("none", 8e3)) for seed in (1, 2)]
        for order, ratios in ((["none", "dcqcn"], {"none": "-", "dcqcn": "0.125", "hpcc": "0.25"}),
                              (["hpcc", "none", "dcqcn"], {"hpcc": "-", "none": "4", "dcqcn": "0.5"})):
            study, head, rows = self.ratios(order, *points)
            self.assertEqual((head, study.first, list(rows)[0]), (f"/ {order[0]}", order[0], (order[0],)))
            self.assertEqual({cc: f"{float(text):g}" if text != "-" else text for (cc,), text in rows.items()}, ratios)
        self.assertEqual(self.ratios(["swift", "hpcc"], *points)[1], "/ hpcc")     # swift has no point yet

    def test_ratios_beside_a_parameter_of_one_algorithm(self):
        """The other algorithms do not have it; where the first has several values of it, there is none to be the base, which is said."""
        points = [("qcn", seed, 2e3 * seed, {"flows": flows}) for seed in (1, 2) for flows in ("4", "8")]
        own = [("dcqcn", seed, 1e3 * seed, {"dcqcn.g": "1/16", "flows": flows}) for seed in (1, 2) for flows in ("4", "8")]
        more = [("dcqcn", seed, 3e3 * seed, {"dcqcn.g": "1/256", "flows": flows}) for seed in (1, 2) for flows in ("4", "8")]
        study, head, rows = self.ratios(["dcqcn", "qcn"], *points, *own)
        self.assertEqual((head, [float(text) for (*_, cc), text in rows.items() if cc == "qcn"]), ("/ dcqcn", [2, 2]))
        study, head, rows = self.ratios(["qcn", "dcqcn"], *points, *own, *more)
        self.assertEqual(sorted(float(text) for (*_, cc), text in rows.items() if cc == "dcqcn"), [0.5, 0.5, 1.5, 1.5])
        study, head, _ = self.ratios(["dcqcn", "qcn"], *points, *own, *more)
        self.assertIsNone(head)
        variant = [("dcqcn:cx4", seed, 4e3 * seed, {"dcqcn.g": g, "flows": flows}) for seed in (1, 2) for flows in ("4", "8")
                   for g in ("1/16", "1/256")]
        study, head, rows = self.ratios(["dcqcn", "dcqcn:cx4", "qcn"], *points, *own, *more, *variant)   # which has the parameter
        self.assertEqual(sorted(round(float(text), 2) for (*_, cc), text in rows.items() if cc == "dcqcn:cx4"), [1.33, 1.33, 4, 4])

    def test_attributes_are_of_the_network(self):
        """Every algorithm has them: ratios are to the row of the same value."""
        points = [(cc, seed, queue * seed * (1 if size == "1" else 4), {"QbbSwitch.PoolSize": size})
                  for cc, queue in (("none", 8e3), ("dcqcn", 2e3)) for seed in (1, 2) for size in ("1", "2")]
        study, head, rows = self.ratios(["none", "dcqcn"], *points)
        self.assertEqual((head, [float(text) for (*_, cc), text in rows.items() if cc == "dcqcn"]), ("/ none", [0.25, 0.25]))

    def test_counters_that_are_absent_are_0(self):
        study = self.study(("a", 1, {"bytes_repeated": 121_000, "unfinished": {"paused": 4}}), ("a", 2, {}))
        self.assertEqual([study.groups[0].metrics[path][:2] for path in ("bytes_repeated", "unfinished.paused")], [(2, 60_500), (2, 2)])

    def test_a_mean_of_some_seeds_says_of_how_many(self):
        """A counter that is absent is 0, not unknown."""
        ended = {"count": 1, "mean_s": 40e-6, "p99_s": 46e-6}
        study = self.study(("a", 1, {"fct": ended}), *(("a", seed, {}) for seed in (2, 3, 4)), *(("b", s, {"fct": ended}) for s in (1, 2)))
        head, one, other = sweep_results.table(study._replace(metrics=["fct.p99_s", "queue.mean_bytes", "packets_repeated"]))
        self.assertEqual(one, ["a", "4", "46 us in 1 of 4 seeds", *one[3:]])
        self.assertEqual(other, ["b", "2", "46 us", *other[3:]])
        self.assertEqual(one[3].partition(" in ")[1], "")
        more = self.study(("a", 1, {"packets_repeated": 4}), ("a", 2, {}), ("b", 1, {}))
        _, one, other = sweep_results.table(more._replace(metrics=["packets_repeated"]))
        self.assertEqual((one[2].partition(" ±")[0], other[2], one[2].partition(" in ")[1]), ("2", "0", ""))


class Specs(unittest.TestCase):
    def test_forms(self):
        self.assertEqual([spec.label for spec in specs.parse_list("dcqcn,dcqcn:cx4,dcqcn:cx4+g=0.01,DCQCN+,dcqcn+:paraleon-plus, TIMELY")],
                         ["dcqcn", "dcqcn:cx4", "dcqcn:cx4+g=0.01", "dcqcn-plus", "dcqcn-plus:paraleon-plus", "timely"])
        self.assertEqual(specs.parse("dcqcn++g=1/16")[:3], ("dcqcn-plus", "", ("g=1/16",)))
        self.assertEqual(specs.parse("Patched TIMELY").cc, "timely-patched")
        self.assertEqual(specs.parse("dcqcn+g=1/256").folder, "dcqcn+g=1_256")

    def test_words(self):
        self.assertEqual(specs.parse("dcqcn:cx4+g=0.01").words(["--preset=paper", "--flows=8", "--set=dcqcn.g=1,qcn.gd=1"]),
                         ["--cc=dcqcn", "--preset=cx4", "--flows=8", "--set=dcqcn.g=0.01,qcn.gd=1"])

    def test_refusals(self):
        for text in ("", "dcqcn,", "dcqcn:", "dcqcn:cx4+", "dcqcn:cx4+g", "dcqcn+=3", ":cx4", "dcqcn,DCQCN"):
            with self.assertRaises(RccError, msg=text):
                specs.parse_list(text)


@needs_programs
class Sweep(RccTest):
    def start(self, *words):
        return self.begin("sweep", "incast", *words)

    def traced(self):
        self.wrap("rcc-run", TRACE.format(build=os.path.dirname(os.path.realpath(os.path.join(self.bin, "rcc-run")))))

    def ends(self):
        """How often each simulation came to its end."""
        if not os.path.exists(self.path("trace")):
            return collections.Counter()
        return collections.Counter(line for line in self.read("trace").splitlines() if line.startswith("end "))

    def table(self, name="table.csv"):
        return self.rows("out", "sweep-incast", name)

    def test_results(self):
        done = self.succeed("sweep", "incast", *GRID)
        rows = self.table()
        self.assertEqual(len({row["run"] for row in rows}), POINTS)
        self.assertEqual(list(rows[0]), ["run", "cc", "flows", "rate", "time", "seed", "metric", "value"])
        one = [row for row in rows if (row["cc"], row["flows"], row["rate"], row["metric"]) == ("qcn", "8", "40000000000", "utilization")]
        self.assertEqual([row["seed"] for row in one], ["1", "2", "3"])
        want = statistics.interval([float(row["value"]) for row in one])
        got = next(row for row in self.table("intervals.csv")
                   if (row["cc"], row["flows"], row["rate"], row["metric"]) == ("qcn", "8", "40000000000", "utilization"))
        self.assertAlmostEqual(float(got["mean"]), want.mean)
        self.assertAlmostEqual(float(got["low95"]), want.low)
        self.assertEqual(got["seeds"], "3")
        self.assertIn("/ dcqcn: ratio of mean queue to that of dcqcn with the same seeds", done.stdout)
        done = self.rcc("sweep", "incast", *(word.replace("dcqcn,qcn", "qcn,dcqcn") for word in GRID[:-1]),
                        "--metric=queue.mean_bytes,utilization")
        self.assertIn("/ qcn: ratio of mean queue to that of qcn with the same seeds", done.stdout)
        if "no plots" not in done.stderr:
            self.assertEqual(self.read("out", "sweep-incast", "report.html").count("<figure>"), 2)
        # a point is the run that ./rcc run makes of the same words
        self.succeed("run", "incast", "--cc=qcn", "--flows=8", "--rate=40Gbps", "--seed=2", "--time=300us", "--no-plots")
        self.assertAlmostEqual(json.loads(self.read("out", "incast", "summary.json"))["runs"][0]["utilization"], float(one[1]["value"]))

    def test_scenarios_of_one_program(self):
        """A point of `probes` has its network and flows, and is none of `victim`, whose program is the same."""
        words = ["--cc=none", "--time=6ms", "--no-plots"]
        for _ in range(2):  # the second time the point is there
            done = self.succeed("sweep", "probes", *words, "--out=s")
        self.assertIn("1 point, 1 of them finished before", done.stderr)
        name, = os.listdir(self.path("s", "points"))
        point = json.loads(self.read("s", "points", name))["run"]
        alone = json.loads(self.rcc("run", "probes", *words, "--json").stdout)["runs"][0]
        for run in (point, alone):
            for key in ("wall_s", "peak_rss_bytes", "answer", "events"):   # a point writes no series
                run.pop(key, None)
        self.assertEqual(point, alone)
        done = self.rcc("sweep", "victim", *words, "--out=s")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--out=s: the points there are of probes; give another folder", done.stderr)

    def test_slowdown_by_size(self):
        """A workload's percentiles by flow size, over the seeds: in the tables, and a figure for each load."""
        done = self.succeed("sweep", "workload", "--cc=dcqcn,dctcp", "--sizes=web-search,fb-hadoop", "--load=0.2,0.4", "--time=1ms",
                            "--seed=1-2", "--metric=fct.mean_s", "--out=w")
        runs = []
        for name in os.listdir(self.path("w", "points")):
            point = json.loads(self.read("w", "points", name))
            if {"cc": "dctcp", "sizes": "fb-hadoop", "load": "0.4"}.items() <= point["parameters"].items():
                runs.append(next(b["p95_slowdown"] for b in point["run"]["slowdown"]["by_size"] if b["to_bytes"] == 10000))
        rows = [row for row in self.rows("w", "intervals.csv") if row["metric"] == "slowdown.to_10000.p95_slowdown"]
        self.assertEqual(len([row for row in rows if row["sizes"] == "fb-hadoop"]), 4)
        mean = next(float(row["mean"]) for row in rows if (row["cc"], row["sizes"], row["load"]) == ("dctcp", "fb-hadoop", "0.4"))
        self.assertEqual(len(runs), 2)
        self.assertAlmostEqual(mean, sum(runs) / 2, delta=1e-9)
        if "no plots" not in done.stderr:
            self.assertEqual({name for name in os.listdir(self.path("w")) if "by-size" in name},
                             {"sweep-slowdown-by-size-0.2.png", "sweep-slowdown-by-size-0.4.png"})
            self.assertIn("99th percentile of the slowdown by flow size", self.read("w", "report.html"))

    def test_survives_kills(self):
        """SIGKILL at random moments, of the sweep or of everything: nothing finished is lost or done again."""
        self.traced()
        draw = random.Random(12)
        for number in range(5):
            process = self.start(*GRID)
            time.sleep(draw.uniform(0.2, 2.0))
            with_simulators = number % 2
            found = [process.pid]
            if with_simulators:  # the simulators that it has started, by their parent
                listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], stdout=subprocess.PIPE, text=True, check=False)
                found += [int(pid) for pid in listed.stdout.split()]
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            process.wait()
        before = self.ends()
        process = self.start(*GRID)
        self.assertEqual(process.wait(timeout=300), 0)
        after = self.ends()
        self.assertLessEqual(set(before), set(after))
        # a simulation that outlives the shell around it leaves no line, and its result is kept all the same
        self.assertLessEqual(len(after), POINTS)
        self.assertEqual(max(after.values()), 1, after.most_common(3))
        self.assertEqual(len({row["run"] for row in self.table()}), POINTS)
        folder = self.path("out", "sweep-incast", "points")
        self.assertEqual({name.rsplit(".", 1)[1] for name in os.listdir(folder)}, {"json"}, "files were left behind")

    def test_what_a_killed_sweep_leaves(self):
        """A half-written point, and the result of an ended simulation that was not kept or whose files were not removed, go with the next
        sweep. One of another build is refused."""
        self.succeed(*ONE)
        name, = os.listdir(self.path("out", "points"))
        point = json.loads(self.read("out", "points", name))
        raw = name[:-len("json")] + hashlib.sha256(point["made_by"].encode()).hexdigest()[:8] + ".raw"
        for left in ([f".{name}.k1lled00"], [f".{name}.k1lled00", raw], [raw, name[:-len("json")] + "err"]):
            for path in left:
                self.put(f"out/points/{path}", json.dumps(point["run"]))
            if left[0].startswith("."):
                os.unlink(self.path("out", "points", name))
            done = self.succeed(*ONE)
            self.assertEqual(os.listdir(self.path("out", "points")), [name])
        self.wrap("rcc-run", ":")    # does the same, and is another program
        done = self.rcc(*ONE)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"--out=out: the points there were made by another build \(rcc \S+, rcc-run [0-9a-f]{16} as "
                         "incast; this is")
        self.succeed(*ONE[:-1], "--out=new")

    def test_points_are_added(self):
        self.traced()
        words = ["--rate=10Gbps", *GRID[2:3], "--time=300us", "--no-plots"]
        self.succeed("sweep", "incast", "--flows=4,8", "--seed=1-2", *words, TRACE=self.path("trace"))
        done = self.succeed("sweep", "incast", "--flows=8,16", "--seed=1-3", *words, TRACE=self.path("trace"))
        self.assertIn("12 points, 4 of them finished before", done.stderr)
        self.assertEqual(sum(self.ends().values()), 8 + 8)
        self.assertEqual(len({row["run"] for row in self.table()}), 8 + 8)

    def test_points_that_leave_a_value_to_its_default(self):
        """Are those that give it: simulated once, and one row."""
        words = ["sweep", "incast", "--flows=2", "--cc=dcqcn", "--seed=1-2", "--time=500us", "--no-plots"]
        self.succeed(*words)
        done = self.rcc(*words, "--mtu=1000,4000", "--start=83333ns", "--rto=67.108864ms")   # 0.1 s of 0.6 s
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 points, 2 of them finished before", done.stderr)
        self.assertEqual([(row["mtu"], row["start"], row["seed"]) for row in self.table("wide.csv")],
                         [(mtu, "8.3333e-05", seed) for mtu in ("1000", "4000") for seed in "12"])
        self.assertEqual(len(os.listdir(self.path("out", "sweep-incast", "points"))), 4)
        self.assertEqual(json.loads(self.read("out", "sweep-incast", "sweep.json"))["missing"], 0)

    def test_two_at_once(self):
        self.traced()
        words = [*GRID[1:], "--flows=4"]
        both = [self.start(*words), self.start(*words)]
        self.assertEqual([process.wait(timeout=300) for process in both], [0, 0])
        self.assertEqual(max(self.ends().values()), 1)
        self.assertEqual(len({row["run"] for row in self.table()}), POINTS // 2)

    def test_interrupt(self):
        """The points of seed 1 end; the others go on until they are interrupted."""
        self.wrap("rcc-run", 'case "$*" in *--check*) ;; *,seed=1-*) ;; *) exec sleep 3600;; esac')
        for flows, number in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 2):  # SIGHUP: the terminal is gone
            with self.subTest(signal=number.name):
                process = self.start(f"--flows={flows}", "--time=200us", "--seed=1-3", "--no-plots", "--cc=qcn")
                points = self.path("out", "sweep-incast", "points")
                while not os.path.isdir(points) or sum(name.endswith(".json") for name in os.listdir(points)) < flows - 1:
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=60), 130)
                self.assertEqual(len({row["run"] for row in self.table()}), flows - 1)

    def test_a_point_that_fails(self):
        self.wrap("rcc-run", 'case "$*" in *--check*) ;; *,seed=2-*) echo "rcc: error: no luck" >&2; exit 1;; esac')
        done = self.rcc("sweep", "incast", "--flows=4", "--time=200us", "--cc=dcqcn", "--seed=1-3", "--no-plots")
        self.assertEqual(done.returncode, 1)
        self.assertIn("seed=2: no luck", done.stderr)
        self.assertEqual(len({row["run"] for row in self.table()}), 2)

    def test_refusals(self):
        for words, fragment in ((["--flows=4,x"], "expected a whole number"), (["--cc=dcqn"], "dcqcn"), (["--pcap"], "not for a sweep"),
                                (["--x=rate"], "--x=rate"), (["--metric=qeue"], "--metric=qeue"), (["--seed=5-1"], "--seed=5-1"),
                                (["--flows=8", "--rate=0.1Mbps"], "--rate")):
            self.assert_refused(self.rcc("sweep", "incast", *words, "--no-plots"), fragment)

    def test_what_it_refuses_is_not_offered(self):
        """Neither in its help, nor to a shell; the refusals stay."""
        hidden = ("--pcap", "--capture", "--snaplen")
        text, offered = self.rcc("sweep", "incast", "--help-all").stdout, self.rcc("completion", "bash").stdout
        offered = next(line for line in offered.splitlines() if "--metric" in line and "--flows" in line and "--receiver-rate" in line)
        for option in hidden:
            self.assertNotIn(option, text)
            self.assertNotIn(option, offered)
            self.assertIn(option, self.rcc("run", "incast", "--help-all").stdout)
            self.assert_refused(self.rcc("sweep", "incast", option, *([] if option == "--pcap" else ["9"])), f"{option} is not for a sweep")
        self.assertNotIn("--capture", self.rcc("sweep", "incast", "--captur=1").stderr)

    def test_figures_by_size_that_cannot_be_are_refused_before(self):
        """Not when all points have been simulated."""
        words = ("sweep", "workload", "--cc=dcqcn", "--load=0.2,0.4", "--time=1ms", "--out=s")
        for more, fragment in (("--faults=d/a.txt,d/b.txt", "'sweep-slowdown-by-size-0.2-d/a.txt.png', expected values without /"),
                               ("--sizes=web-search|fb-hadoop", "the sweep-slowdown-by-size-0.4.png there is not from ./rcc sweep")):
            self.put("s/sweep-slowdown-by-size-0.4.png", "mine")
            self.assert_refused(self.rcc(*words, more), fragment)
            self.assertEqual(os.listdir(self.path("s")), ["sweep-slowdown-by-size-0.4.png"])

    def test_thresholds_that_no_algorithm_has(self):
        words = ("sweep", "incast", "--flows=2", "--time=100us", "--start=0s", "--no-plots", "--kmin=5KB,6KB")
        done = self.succeed(*words, "--cc=hpcc,swift", "--out=none")
        self.assertIn("rcc: warning: --kmin has no effect: no algorithm of --cc=hpcc,swift has that parameter\n", done.stderr)
        self.assertNotIn("has no effect", self.rcc(*words, "--cc=hpcc,nscc", "--out=some").stderr)

    def test_warnings_say_of_which_points_they_are(self):
        words = ("sweep", "incast", "--time=1ms", "--start=0s", "--rate=1Gbps", "--set=dcqcn.r_min=100Mbps", "--no-plots")
        done = self.succeed(*words, "--flows=2,20", "--cc=dcqcn", "--out=one")
        self.assertRegex(done.stderr, "(?m)^rcc: warning: dcqcn flows=20: r_min x flows = ")
        done = self.rcc(*words, "--flows=20", "--cc=dcqcn,none", "--mtu=1000,1500", "--out=two")
        self.assertRegex(done.stderr, "(?m)^rcc: warning: dcqcn mtu=1KB, dcqcn mtu=1500B: r_min x flows = ")
        done = self.rcc(*words, "--flows=20", "--cc=dcqcn", "--mtu=1000,1500", "--out=all")
        self.assertRegex(done.stderr, "(?m)^rcc: warning: dcqcn: r_min x flows = ")

    def test_a_folder_of_another_scenario(self):
        self.succeed("sweep", "incast", "--flows=4", "--time=200us", "--cc=dcqcn", "--no-plots", "--out=s")
        done = self.rcc("sweep", "convergence", "--time=200us", "--cc=dcqcn", "--no-plots", "--out=s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the points there are of incast", done.stderr)


if __name__ == "__main__":
    unittest.main()
