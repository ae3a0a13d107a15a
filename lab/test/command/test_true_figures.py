# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Figures show what is true: reference lines where they hold, the time of the traffic, one colour per algorithm, and what ./rcc plot is
asked for."""
import atexit
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import unittest
from typing import Optional

import test_figures
from support import HERE, ROOT, RccTest, sample_run

from command.common import RccError
from command.results.judge import sweep_results
from command.results.read import results
from command.system import packages

INK = "#222222"


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Lines(test_figures.Figures):
    """With the helpers of test_figures; its tests are run there."""

    def flows(self, cc, starts, sizes=None, receivers=None):
        self.write(cc, "flows.csv", ["flow,src,dst,start_s,size_bytes,fct_s"] + [
            f"{i},{i},{(receivers or [9] * 99)[i]},{start},{(sizes or [0] * 99)[i]}," for i, start in enumerate(starts)])

    def one(self, command, **more):
        return self.look([sample_run("dcqcn", 1e5, bottleneck_bps=40e9, senders=3, **more)], command)

    def test_the_fair_share_has_steps(self):
        self.series("dcqcn", 1e4, [4e10, 1e9, 1e9])
        self.flows("dcqcn", [0, 0.1, 0.3])
        found = self.one("./rcc run convergence", scenario="convergence")["flow_rates.png"]
        self.assertEqual(found["steps"], [[[0, 100, 300, 400], [40e9, 20e9, 40e9 / 3, 40e9 / 3]]])

    def test_no_fair_share_where_flows_share_no_one_link(self):
        for sizes, receivers, more in (([0] * 9, [8, 9, 9], {}), ([1000] * 9, None, {}),
                                       ([0] * 9, None, {"answer": {"capacity_bps": 80e9, "lost": 0}}),
                                       ([0] * 9, None, {"answer": {"lost": 0}})):
            self.series("dcqcn", 1e4, [4e10, 1e9, 1e9])
            self.flows("dcqcn", [0, 0.1, 0.3], sizes, receivers)
            found = self.one("./rcc run incast", **more)["flow_rates.png"]
            self.assertEqual((found["steps"], found["levels"]), ([], []))
            self.assertNotIn("fair share", " ".join(found["texts"]))

    def test_limits_that_are_printed_alike_are_one_line(self):
        """Frames with telemetry are larger, so a switch begins to pause some bytes earlier."""
        for cc in ("dcqcn", "hpcc"):
            self.series(cc, 1e6, [4e10])
        runs = [sample_run("dcqcn", 1e6, pfc_limit_bytes=4437000), sample_run("hpcc", 1e6, pfc_limit_bytes=4436000)]
        levels = self.look(runs, "./rcc run incast")["queue.png"]["levels"]
        self.assertEqual([level for level in levels if level > 4e6], [4437000])

    def test_no_one_capacity_where_the_service_rate_changes(self):
        """A port with several phases has no single capacity: the rate of the first phase is not drawn for all."""
        self.series("dcqcn", 1e4, [1e9])
        for rates, levels in (([950e6, 200e6, 950e6], []), ([950e6] * 3, [950e6])):
            self.write("dcqcn", "utilization.csv", ["time_s,capacity_bps,utilization"] +
                       [f"{i / 10},{rate:.0f},1" for i, rate in enumerate(rates, 1)])
            run = sample_run("dcqcn", 1e5, scenario="capacity", bottleneck_bps=950e6, senders=8, rate_bps=1e9)
            figure = self.look([run], "./rcc run capacity")["rate.png"]
            self.assertEqual(figure["levels"], levels)

    def test_the_time_axis_shows_the_traffic(self):
        """From where it begins on: files of others begin at 2 s, and no tick has space for 2.0000025."""
        for begin, long, unit, since in ((2, 1.1e-3, "ms", "2 s"), (2, 3e-6, "us", "2 s"), (2, 2e-3, "ms", "2 s"), (2, 4e-7, "ns", "2 s"),
                                         (2.0000345, 1.2e-6, "us", "2 s"), (1.99999, 3e-5, "us", "1.999 s"),
                                         (0.0005, 2e-7, "ns", "500 us"), (2, 0.3, "ms", ""), (60, 1.5, "ms", ""),
                                         (0.01, 4e-3, "ms", ""), (0, 2.5e-6, "us", "")):
            with self.subTest(begin=begin, long=long):
                times = [begin + long * i / 100 for i in range(1, 121)]
                self.write("dcqcn", "queue.csv", ["time_s,mean_bytes,max_bytes"] + [f"{t:.12g},1000,2000" for t in times])
                self.write("dcqcn", "rate.csv", ["time_s,sent_bps,delivered_bps"] + [f"{t:.12g},4e10,4e10" for t in times])
                self.write("dcqcn", "flow_rates.csv", ["time_s,flow,rate_bps"] + [f"{t:.12g},{i},1e9" for t in times for i in range(2)])
                self.write("dcqcn", "flows.csv", ["flow,src,dst,start_s,size_bytes,fct_s",
                                                  *(f"{i},{i},2,{begin:.12g},1000,{long:.12g}" for i in (0, 1))])
                figures = self.one("./rcc ns3-rdma config.txt", sim_s=begin + 1.5 * long, window_s=[begin, begin + long])
                for name in ("queue.png", "rate.png", "flow_rates.png"):
                    found = figures[name]
                    self.assertEqual(found["xlabel"], f"simulated time after {since} ({unit})" if since else f"simulated time ({unit})")
                    scale = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}
                    base = float(since.split()[0]) / scale[since.split()[1]] if since else 0
                    for at, end in zip(found["xlim"][0], (begin, begin + long)):
                        self.assertAlmostEqual(at / scale[unit] + base, end, delta=long / 1000)
                    for axis in found["xticks"]:
                        self.assertGreaterEqual(len(axis["names"]), 3 if name != "flow_rates.png" else 0)
                        self.assertGreater(axis["space"], 4, axis)
                        self.assertEqual(axis["beside"], "")
                        self.assertLessEqual(max(map(len, axis["names"])), 6, axis)

    def test_a_logarithm_has_no_place_for_zero(self):
        for cc, queue in (("dcqcn", 1e6), ("qcn", 50)):
            self.series(cc, queue, [4e10, 0, 1e6])
        found = self.look([sample_run("dcqcn", 1e6), sample_run("qcn", 50)])
        self.assertEqual(found["queue.png"]["yscale"], ["log"])
        self.assertEqual(found["queue.png"]["least"], 1e6)       # no line lies on the axis
        self.assertGreaterEqual(found["flow_rates.png"]["least"], 1e6)
        self.assertEqual((found["queue.png"]["marks"], found["flow_rates.png"]["marks"]), ([40], [40, 40]))     # in place of a line
        for figure in found.values():
            self.assertEqual("marks at the foot" in " ".join(" ".join(figure["texts"]).split()), any(figure["marks"]))

    def test_flows_have_no_algorithms_colour(self):
        self.series("dcqcn", 1e4, [4e10, 1e9, 1e6])
        found = self.one("./rcc run incast")
        self.assertEqual(found["queue.png"]["colours"], ["#d55e00"])
        self.assertFalse({"#d55e00", "#0072b2", "#009e73"} & set(found["flow_rates.png"]["colours"]))

    def test_a_run_with_a_files_settings_has_its_algorithms_colour(self):
        found = run_plotting("print(json.dumps(sheet.colours(['dcqcn default', 'dcqcn nic.txt', 'qcn'])))")
        self.assertEqual((found["dcqcn default"], found["qcn"]), ("#D55E00", "#009E73"))
        self.assertNotIn(found["dcqcn nic.txt"], ("#D55E00", "#009E73"))

    def test_a_figure_for_a_slide(self):
        self.series("dcqcn", 1e4, [1e9])
        self.summary([sample_run("dcqcn", 1e5, bottleneck_bps=40e9, senders=3)])
        done = self.rcc("plot", "out", "--figure=queue", "--size=10x5", "--title=Mine $5", "--format=svg,pdf")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(self.read("out", "queue.svg"), r'<svg (?=[^>]*height="180pt")[^>]*width="360pt"')     # the shape of --size
        with open(self.path("out", "queue.pdf"), "rb") as f:
            self.assertRegex(f.read(), rb"/MediaBox \[ 0 0 360 180 \]")
        with open(self.path("out", "queue.png"), "rb") as f:
            self.assertEqual(struct.unpack(">II", f.read(24)[16:24]), (2000, 1000))
        self.assertIn("Mine $5", self.read("out", "queue.svg"))
        self.assertFalse(os.path.exists(self.path("out", "report.html")))
        for words, part in ((["--figure=quee"], "did you mean queue"), (["--size=10"], "expected width x height in inches"),
                            (["--title=x"], "give --figure=NAME too"), (["--figure=queue", "--size=20x2"], "give more height")):
            done = self.rcc("plot", "out", *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(part, done.stderr)
            self.assertNotIn("Error", done.stderr)

    def test_a_title_replaces_the_subtitle(self):
        """--title replaces the subtitle of bars too."""
        self.write("dcqcn", "groups.csv", ["time_s,group,goodput_bps"] + [f"{t / 10},h{i}-h9,1e9" for i in range(9) for t in (1, 2)])
        told = run_plotting("""
sheet.Output.title = "mine"
run = {"cc": "dcqcn"}
figures.draw_groups(sys.argv[1], {"runs": [run]}, plots.Look([run]))
print(json.dumps([t.get_text() for t in reversed(found["groups.png"].texts)]))""", self.path("out"))
        self.assertEqual(told[:2], ["mine", "dcqcn"])

    def test_panels_of_a_slide_have_space(self):
        """Three panels with legends of their own do not fit into 10 x 5.6 inches with letters of the usual size."""
        told = run_plotting("""
sheet.Output.size = (10.0, 5.6)
one = sheet.Sheet(3)
for row, ax in enumerate(one.axes):
    for i in range(7):
        ax.plot([1, 2], [1, 2], label=f"a long name of flow {i}")
    one.text(row, "dcqcn")
    one.legend(row)
one.finish("command")
boxes = [artist.get_window_extent() for artist in [*one.figure.texts, *one.figure.legends]]
print(json.dumps([bool(box.y0 < ax.get_window_extent().y1 and ax.get_window_extent().y0 < box.y1) for box in boxes for ax in one.axes]))""")
        self.assertFalse(any(told))

    def test_a_figure_without_series_is_not_drawn(self):
        """An earlier figure stays, and is not reported as drawn."""
        self.series("dcqcn", 1e4, [1e9])
        self.summary([sample_run("dcqcn", 1e5, bottleneck_bps=40e9, senders=3)])
        self.assertEqual(self.rcc("plot", "out", "--figure=queue").stdout, "out/queue.png\n")
        first = os.stat(self.path("out", "queue.png"))
        done = self.rcc("plot", "out", "--figure=queue")
        self.assertEqual((done.returncode, done.stdout), (0, "out/queue.png\n"))
        os.unlink(self.path("out", "dcqcn", "queue.csv"))
        again = os.stat(self.path("out", "queue.png"))
        self.assertNotEqual(first.st_mtime_ns, again.st_mtime_ns)
        for runs, words in (([sample_run("dcqcn", 1e5, bottleneck_bps=40e9, senders=3)], ["--figure=queue"]), ([], ["--figure=queue"]),
                            ([], ["--size=10x5"])):
            self.summary(runs)
            done = self.rcc("plot", "out", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("no series for --figure=queue" if "--figure=queue" in words else "no series for any figure", done.stderr)
        self.assertEqual(os.stat(self.path("out", "queue.png")).st_mtime_ns, again.st_mtime_ns)
        with open(self.path("out", ".rcc-files"), encoding="utf-8") as f:
            self.assertIn("queue.png", f.read())

    def test_a_sweeps_figure(self):
        entries = [{"parameters": {"cc": cc, "flows": flows, "seed": str(seed)},
                    "run": sample_run(cc, int(flows) * factor * seed, seed=seed, halves={"jain": [first, 0.9], "queue_bytes": [1, 1],
                                                                                      "utilization": [1, 1]})}
                   for cc, factor, first in (("dcqcn", 10, 0.9), ("qcn", 100, 0.2)) for flows in ("8", "80") for seed in (1, 2)]
        os.makedirs(self.path("study"))
        text = sweep_results.publish(self.path("study"), "./rcc sweep incast --flows=8,80", entries, 0,
                                     sweep_results.Axes("", ["queue.mean_bytes"]), lambda _: {}, True)
        self.assertIn("How small a queue keeps the link full?", text)
        self.assertIn("qcn ~", text)
        self.assertIn("not settled: 2 of 4 rows; try --time=", text)
        self.assertIn("/ dcqcn", text)
        rows = [line for line in self.read("study", "intervals.csv").splitlines() if "/ dcqcn" in line]
        self.assertEqual(rows, ["qcn,8,queue.mean_bytes / dcqcn,2,10,10,10,0", "qcn,80,queue.mean_bytes / dcqcn,2,10,10,10,0"])
        done = self.rcc("plot", "study", "--figure=sweep-queue.mean_bytes", "--size=8x4", "--title=Talk", "--format=svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Talk", self.read("study", "sweep-queue.mean_bytes.svg"))
        with open(self.path("study", "sweep-queue.mean_bytes.png"), "rb") as f:
            self.assertEqual(struct.unpack(">II", f.read(24)[16:24]), (1600, 800))


class Asked:
    """ask.py, once for all tests of a process."""
    process: Optional[subprocess.Popen] = None


def run_plotting(code: str, *words: str):
    """Run Python code in the interpreter that has matplotlib, after the imports of ask.py, and return the JSON that it prints."""
    if not Asked.process:
        Asked.process = subprocess.Popen([packages.plotting_python(), os.path.join(HERE, "ask.py")], cwd=os.path.join(ROOT, "lab"),
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(Asked.process.communicate)
    print(json.dumps([code, words]), file=Asked.process.stdin, flush=True)
    status, told = json.loads(Asked.process.stdout.readline())
    assert status == 0, f"status {status}: {told}"
    return json.loads(told)


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Axes(test_figures.Figures):
    """Axes cut off no data, and ticks can be read."""

    def test_a_second_run_of_captures_is_not_cut_off(self):
        """Panels share the axis: a limit for the first one switches off its search for the largest value of the others."""
        runs = [{"run": name, "chief": "port", "points": [{"run": name, "point": "port", "first_s": 0, "length_s": 1, "zero_s": 0}]}
                for name in ("a", "b")]
        results.write_json(self.path(), "pcap.json", {"runs": runs, "interval_s": 0.1, "align": "none", "command": "", "rcc_version": "1"})
        with open(self.path("bandwidth.csv"), "w", encoding="utf-8") as f:
            f.write("run,point,flow,time_s,payload_bps\n")
            f.writelines(f"{run},port,0,{t / 10},{rate}\n" for run, rate in (("a", 1e9), ("b", 9e9)) for t in range(1, 9))
        code = """
with open(sys.argv[1] + "/pcap.json") as f:
    job = json.load(f)
pcap_plot.draw_flows(sys.argv[1], job, pcap_plot.read(sys.argv[1], "bandwidth.csv"))
print(json.dumps([ax.get_ylim() for ax in found["flow_bandwidth.png"].axes]))"""
        for low, high in run_plotting(code, self.path()):
            self.assertEqual(low, 0)
            self.assertGreater(high, 9e9)

    def test_a_name_that_begins_with_a_line_is_in_the_legend(self):
        """matplotlib leaves out what begins with _: names of captures, files, hosts and runs, which are those of folders too."""
        points = [{"run": name, "point": "port", "first_s": 0, "length_s": 1, "zero_s": 0} for name in ("_a", "b")]
        job = {"runs": [{"run": one["run"], "chief": "port", "points": [one]} for one in points], "interval_s": 0.1, "align": "none",
               "command": "", "rcc_version": "1"}
        group = {"name": "1", "to_bytes": 1e3, "p50": 1, "p95": 2, "p99": 3}
        files = {"by": "size", "files": [{"label": name, "groups": [group, {**group, "to_bytes": 1e4}]} for name in ("_a", "b")]}
        sizes = {"1000": {"p50": [2, 1, 3]}, "10000": {"p50": [3, 2, 4]}}
        study = {"groups": [{"parameters": {"cc": name, "flows": flows}, "metrics": {"jain": [1, 1, 1]}, "by_size": sizes}
                            for name in ("_a", "b") for flows in ("8", "80")],
                 "varying": ["flows"], "x": "flows", "command": "", "rcc_version": "1"}
        self.write("_a", "groups.csv", ["time_s,group,goodput_bps", "0.1,_h-b,1e9", "0.2,_h-b,1e9", "0.1,b-_h,1e9", "0.2,b-_h,1e9"])
        self.write("_a", "cnps.csv", ["run,point,spacing_s"])
        code = """
from command.files import fct_plot
fct_plot.save = lambda figure, folder, name, kind: found.update({name: figure})
job, files, study = json.loads(sys.argv[2])
rows = {(one, "port"): [{"run": one, "point": "port", "time_s": t / 10, "payload_bps": 1, "cnps": 1} for t in range(1, 9)]
        for one in ("_a", "b")}
pcap_plot.over_time(sys.argv[1], job, rows, "bandwidth.png", "payload_bps", "", "", str)
pcap_plot.draw_cnps(sys.argv[1] + "/_a", job, rows)
fct_plot.draw(files, "fct.png")
sweep_plots.draw(sys.argv[1], study, "jain")
sweep_plots.draw_sizes(sys.argv[1], study, sweep_plots.size_pictures(study["groups"], study["varying"])[0])
run = {"cc": "_a"}
figures.draw_groups(sys.argv[1], {"runs": [run]}, plots.Look([run]))
print(json.dumps({name: [t.get_text().strip() for one in figure.legends for t in one.texts] for name, figure in found.items()}))"""
        told = run_plotting(code, self.path("out"), json.dumps([job, files, study]))
        self.assertEqual(told.pop("groups.png"), ["_h-b", "b-_h"])
        self.assertEqual(len(told), 5)
        for name, names in told.items():
            self.assertEqual(names, ["_a", "b"], name)

    def test_numbers_between_decades_are_no_tex(self):
        """A logarithmic axis of less than a decade has names at its small ticks too: 2, not $\\mathdefault{2\\times10^{0}}$."""
        code = """
told = []
for high in (1.2, 4, 40, 40000):
    own = [{"from_bytes": 1, "to_bytes": 10, "count": 2, "mean_slowdown": high / 1.1, "p99_slowdown": high}]
    run = {"cc": "dcqcn", "slowdown": {"by_size": own}}
    found.clear()
    figures.draw_slowdown("", {"runs": [run]}, plots.Look([run]))
    ax = found["slowdown.png"].axes[0]
    low, top = ax.get_ylim()
    told.append([t.label1.get_text() for t in (*ax.yaxis.get_major_ticks(), *ax.yaxis.get_minor_ticks()) if low <= t.get_loc() <= top])
print(json.dumps(told))"""
        for names in run_plotting(code):
            names = list(filter(None, names))
            self.assertFalse([name for name in names if not re.fullmatch(r"[\d.]+", name)], names)
            self.assertGreater(len(names), 2, names)
            self.assertLess(len(names), 10, names)

    def test_panels_that_share_an_axis_hold_the_highest(self):
        """The last panel is not the one with the highest value."""
        for cc, inside, rate in (("qcn", 900_000, 9e9), ("dcqcn", 20_000, 1e9)):
            self.series(cc, 1e5, [1e9])
            self.write(cc, "buffers.csv", ["time_s,port,input_bytes,output_bytes,stopped"] +
                       [f"{t / 100},0,{inside},0,0" for t in range(40)])
            self.write(cc, "utilization.csv", ["time_s,capacity_bps,utilization"] + [f"{t / 100},{rate},0.5" for t in range(1, 40)])
        found = self.look([sample_run(cc, 1e5, scenario="capacity") for cc in ("qcn", "dcqcn")])
        for name, most in (("buffers.png", 900_000), ("utilization.png", 9e9)):
            self.assertTrue(all(high > most for _, high in found[name]["ylim"]), name)


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Sweeps(RccTest):
    """Figures of made-up sweeps."""

    def publish(self, values: dict, drawn=False, sizes=None, **more):
        """A study of every combination of values of options; returns what sweep.json has for the figures. `drawn`: with their files,
        which take longest."""
        entries = []
        for some in itertools.product(("dcqcn", "none"), *values.values()):
            own = dict(zip(values, some[1:]))
            run = sample_run(some[0], 1e5, scenario="workload", fct={"mean_s": 0.1, "p99_s": 0.2, "count": 2}, **more)
            if sizes:
                run["slowdown"] = {"mean": 2.0, "by_size": [
                    {"from_bytes": to / 10, "to_bytes": to, "count": 3, "mean_slowdown": 2.0, "p50_slowdown": 1.5, "p95_slowdown": 4.0,
                     "p99_slowdown": 8.0} for to in sizes]}
            entries.append({"parameters": {"cc": some[0], **own, "seed": "1"}, "run": run})
        os.makedirs(self.path("study"), exist_ok=True)
        axes = sweep_results.Axes("load" if values else "", ["fct.mean_s"])
        sweep_results.publish(self.path("study"), "./rcc sweep workload", entries, 0, axes, lambda _: {}, drawn)
        return json.loads(self.read("study", "sweep.json"))["drawing"]

    def test_figures_by_size_are_its_own(self):
        """They are drawn again, as others are, removed with them, and one of somebody else's is refused."""
        values = {"load": ["0.3", "0.5"], "sizes": ["web-search", "fb-hadoop"]}
        self.publish(values, True, sizes=[1e4, 1e5])
        name = "sweep-slowdown-by-size-0.3"
        done = self.rcc("plot", "study")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"study/{name}.png", done.stdout)
        done = self.rcc("plot", "study", f"--figure={name}", "--size=8x4", "--title=" + "A long title of a talk " * 9, "--format=svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path("study", f"{name}.png"), "rb") as f:
            self.assertEqual(struct.unpack(">II", f.read(24)[16:24]), (1600, 800))
        self.publish(values, True, sizes=[1e4, 1e5])
        self.publish({"load": ["0.5", "0.7"]}, True, sizes=[1e4, 1e5])
        self.assertEqual({one for one in os.listdir(self.path("study")) if "by-size" in one},
                         {"sweep-slowdown-by-size-0.5.png", "sweep-slowdown-by-size-0.7.png"})
        with open(self.path("study", f"{name}.png"), "w", encoding="utf-8") as f:
            f.write("mine")
        with self.assertRaisesRegex(RccError, f"the {name}.png there is not from ./rcc sweep"):
            self.publish(values, True, sizes=[1e4, 1e5])
        self.assertEqual(self.read("study", f"{name}.png"), "mine")

    DRAWN = """
job = json.load(open(sys.argv[1]))["drawing"]
sweep_plots.draw(sys.argv[2], job, "METRIC")
figure = found["sweep-METRIC.png"]
"""
    SEEN = DRAWN.replace("METRIC", "fct.mean_s") + """
ways = [one.get_markerfacecolor() for ax in figure.axes for one in ax.lines if one.get_marker() == "o"]
print(json.dumps([len(figure.axes), [t.get_text() for t in reversed(figure.texts)], ways]))"""

    def seen(self):
        """Panels, texts and colours inside marks of a figure of the last sweep."""
        return run_plotting(self.SEEN, self.path("study", "sweep.json"), self.path("study"))

    def test_panels_that_are_left_out_are_said(self):
        for values, shown, said in (({"rate": list("123456"), "kmin": list("12345")}, 24, "24 of 30 panels"),
                                    ({"rate": ["1", "2"], "kmin": ["1", "2"]}, 4, "")):
            self.publish({"load": ["1", "2"], **values})
            panels, texts, _ = self.seen()
            self.assertEqual(panels, shown)
            self.assertIn(said, " ".join(texts))
            self.assertEqual("panels" in " ".join(texts), bool(said), texts)

    LINES = DRAWN.replace("METRIC", "queue.mean_bytes") + """
lines = [[[list(one.get_xdata()), list(one.get_ydata())] for one in ax.lines] for ax in figure.axes]
print(json.dumps([lines, [t.get_text() for one in figure.legends for t in one.texts], " ".join(t.get_text() for t in figure.texts)]))"""

    def test_an_algorithm_without_the_parameter_is_a_level_line(self):
        """Over a parameter that one algorithm has alone, the others are there too; what has no value of it is said."""
        def lines(*points, x="dcqcn.g"):
            entries = [{"parameters": {"cc": cc, **own, "seed": "1"}, "run": sample_run(cc, queue)} for cc, queue, own in points]
            shutil.rmtree(self.path("study"), ignore_errors=True)
            os.makedirs(self.path("study"))
            axes = sweep_results.Axes(x, ["queue.mean_bytes"])
            sweep_results.publish(self.path("study"), "./rcc sweep incast", entries, 0, axes, lambda _: {}, False)
            return run_plotting(self.LINES, self.path("study", "sweep.json"), self.path("study"))
        points = [("dcqcn", 1e3, {"dcqcn.g": "0.1"}), ("dcqcn", 3e3, {"dcqcn.g": "0.2"}), ("qcn", 2e3, {})]
        for x in ("dcqcn.g", ""):
            (panel,), names, title = lines(*points, x=x)
            self.assertEqual(panel, [[[0.1, 0.2], [1e3, 3e3]], [[0.1, 0.2], [2e3, 2e3]]])
            self.assertEqual(names, ["dcqcn", "qcn, which has no dcqcn.g"])
            self.assertNotIn("without", title)
        (panel,), names, title = lines(*points, ("dcqcn:cx4", 4e3, {}))     # a point of an earlier command, whose g is not known here
        self.assertEqual((len(panel), names), (2, ["dcqcn", "qcn, which has no dcqcn.g"]))
        self.assertIn("1 combination without dcqcn.g left out", title)
        (panel,), names, _ = lines(("dcqcn", 1e3, {"dcqcn.g": "0.1", "flows": "4"}), ("qcn", 2e3, {"flows": "4"}),
                                     ("dcqcn", 1e3, {"dcqcn.g": "0.1", "flows": "8"}), ("qcn", 2e3, {"flows": "8"}), x="")
        self.assertEqual((panel[-1], names[0]), ([[4, 8], [2e3, 2e3]], "dcqcn"))    # --flows has two values, the parameter one

    def test_marks_that_are_not_settled_are_open(self):
        """Without a parameter on the x axis too, and below a title of the user."""
        self.publish({}, halves={"jain": [0.2, 0.9], "queue_bytes": [1, 1], "utilization": [1, 1]})
        self.assertEqual(self.seen()[2].count("white"), 2)      # over those of the bars
        _, texts, _ = run_plotting("\nsheet.Output.title = 'mine'" + self.SEEN,
                                   self.path("study", "sweep.json"), self.path("study"))
        self.assertEqual(texts[0], "mine")
        self.assertIn("open marks: not settled", " ".join(texts[1:]))

    def test_a_band_on_a_logarithm_does_not_run_to_the_floor(self):
        """The interval of three seeds with 1, 2 and 9 KB begins below 0: the band is from the least to the largest value."""
        entries = [{"parameters": {"cc": "dcqcn", "flows": flows, "seed": str(seed)}, "run": sample_run("dcqcn", mean * size, seed=seed)}
                   for flows, size in (("8", 1), ("80", 100)) for seed, mean in enumerate((1e3, 2e3, 9e3), 1)]
        os.makedirs(self.path("study"))
        sweep_results.publish(self.path("study"), "./rcc sweep incast", entries, 0, sweep_results.Axes("", ["queue.mean_bytes"]),
                              lambda _: {}, False)
        told = run_plotting(self.DRAWN.replace("METRIC", "queue.mean_bytes") + """
ax = figure.axes[0]
band = ax.collections[0].get_paths()[0].vertices[:, 1]
print(json.dumps([ax.get_yscale(), min(band), max(band), ax.get_ylim()[0], [t.get_text() for t in figure.texts]]))""",
                            self.path("study", "sweep.json"), self.path("study"))
        self.assertEqual(told[:4], ["log", 1e3, 9e5, 500])
        self.assertIn("from the least to the largest", " ".join(" ".join(told[4]).split()))

    def test_what_is_counted_has_whole_ticks(self):
        code = """
group = {"parameters": {"cc": "dcqcn", "flows": "8"}, "metrics": {"pfc.pauses": [0, None, None], "jain": [1, None, None]}}
job = {"x": "flows", "varying": ["flows"], "metrics": [], "groups": [group], "command": "", "rcc_version": "1"}
for metric in ("pfc.pauses", "jain"):
    sweep_plots.draw("", job, metric)
print(json.dumps([list(figure.axes[0].get_yticks()) for figure in found.values()]))"""
        pauses, jain = run_plotting(code)
        self.assertEqual([at for at in pauses if at % 1], [])
        self.assertNotEqual([at for at in jain if at % 1], [])

    def test_a_long_title_is_broken(self):
        """A title stays within the figure and covers no text below it."""
        code = """
job = json.load(open(sys.argv[1]))["drawing"]
told = []
for size in (None, (5.0, 6.0), (12.0, 5.0)):
    sheet.Output.size = size
    sheet.Output.title = "A long title of a talk on congestion control " * 4
    found.clear()
    sweep_plots.draw(sys.argv[2], job, "fct.mean_s")
    sweep_plots.draw_sizes(sys.argv[2], job, sweep_plots.size_pictures(job["groups"], job["varying"])[0])
    for figure in found.values():
        renderer = figure.canvas.get_renderer()
        figure.draw_without_rendering()
        box = figure.texts[-1].get_window_extent(renderer)
        below = max(one.get_window_extent(renderer).y1 for one in [*figure.axes, *figure.legends])
        told.append([bool(one) for one in (box.x1 <= figure.bbox.x1, below <= box.y0, figure.bbox.y1 >= box.y1)] + [
            figure.get_figheight() / figure.get_figwidth()])
print(json.dumps(told))"""
        self.publish({"load": ["0.3", "0.5"], "sizes": ["web-search", "fb-hadoop"]}, sizes=[1e4, 1e5])
        told = run_plotting(code, self.path("study", "sweep.json"), self.path("study"))
        self.assertEqual(len(told), 6)
        for inside, above, there, _ in told:
            self.assertEqual((inside, above, there), (True, True, True))
        self.assertEqual([round(ratio, 6) for *_, ratio in told[2:]], [1.2, 1.2, round(5 / 12, 6), round(5 / 12, 6)])


for name in list(vars(test_figures.Figures)):     # they are not run a second time
    if name.startswith("test_"):
        setattr(Lines, name, None)
        setattr(Axes, name, None)


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Colours(unittest.TestCase):
    def test_the_same_everywhere(self):
        mixed, look, captures, own, published = run_plotting("""
from evidence.published import drawing
look = plots.Look([{'cc': 'x', 'algorithm': 'qcn'}, {'cc': 'dcqcn:cx4', 'algorithm': 'dcqcn', 'label': 'dcqcn:cx4'}])
print(json.dumps([sheet.colours(['qcn', 'dcqcn:cx4', 'dcqcn', 'dcqcn-plus', 'dcqcn-plus+g=1']), look.colour,
                  pcap_plot.run_colours({'runs': [{'run': 'out/x/qcn'}, {'run': 'out/x/dcqcn'}]}), sheet.COLOURS, drawing.COLOURS]))""")
        self.assertEqual((mixed["qcn"], mixed["dcqcn-plus"], mixed["dcqcn"]), (own["qcn"], own["dcqcn-plus"], own["dcqcn"]))
        self.assertEqual(len(set(mixed.values())), 5)
        self.assertEqual((look["x"], look["dcqcn:cx4"]), (own["qcn"], own["dcqcn"]))
        self.assertEqual((captures["out/x/qcn"], captures["out/x/dcqcn"]), (own["qcn"], own["dcqcn"]))
        self.assertEqual({name: colour for name, colour in published.items() if name in own},
                         {name: colour for name, colour in own.items() if name in published})


if __name__ == "__main__":
    unittest.main()
