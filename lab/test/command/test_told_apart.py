# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The lines of runs in figures can be told apart on any ground, and figures show only lines that have data."""
import unittest

from support import RccTest
from test_true_figures import run_plotting

from command.system import packages


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Apart(RccTest):
    def test_lines_of_variants_are_told_apart(self):
        """From one another, and from the dashes of limits; an algorithm as it is has its own colour, wherever it stands."""
        code = """
names = [*(f"dcqcn+g={i}" for i in range(16)), "dcqcn", "dcqcn-plus"]
look = plots.Look([{"cc": name, "label": name, "algorithm": name.split("+")[0]} for name in names])
print(json.dumps([[look.colour[name], look.style[name]] for name in names]))"""
        found = run_plotting(code)
        self.assertEqual(len({repr(one) for one in found}), 18, found)
        self.assertEqual(found[-2:], [["#D55E00", "-"], ["#0072B2", "-"]])
        self.assertFalse([style for _, style in found if style in ("--", [0, [5, 3]])])

    def test_lines_of_sweeps_are_as_in_other_figures(self):
        """A metric and the slowdown by size have these lines; the legend also has lines that are not in the first panel."""
        code = """
from matplotlib.axes import Axes
names = ["dcqcn", "qcn", "dcqcn:cx4", *(f"dcqcn+g=1/{i}" for i in range(17, 26))]
groups = [{"parameters": {"cc": name, "flows": flows, "load": load, "sizes": sizes}, "metrics": {"jain": [1 / (3 + i), None, None]},
           "by_size": {to: {which: [2 + i, None, None] for which in ("p50", "p95", "p99")} for to in ("1e4", "1e5", "1e6")}}
          for i, name in enumerate(names) for flows in ("4", "8", "16") for load in ("1", "2") for sizes in ("fb-hadoop", "web-search")
          if (name, sizes, load) != ("dcqcn", "fb-hadoop", "1")]
job = {"x": "flows", "varying": ["load", "sizes", "flows"], "metrics": ["jain"], "groups": groups, "command": "", "rcc_version": "1"}
drawn, plot = [], Axes.plot
def noted(self, *words, **more):
    drawn.append([more.get("label"), more["color"], more["linestyle"], more["marker"]])
    return plot(self, *words, **more)
Axes.plot = noted
told = []
by_size = sweep_plots.size_pictures(groups, job["varying"])[0]
for draw in (lambda: sweep_plots.draw("", job, "jain"), lambda: sweep_plots.draw_sizes("", job, by_size)):
    drawn.clear()
    draw()
    told.append([drawn[:], [t.get_text() for t in found.popitem()[1].legends[0].texts]])
look = plots.Look([{"cc": name, "label": name} for name in names])
print(json.dumps([names, [[name, look.colour[name], look.style[name]] for name in names], told]))"""
        names, looks, told = run_plotting(code)
        self.assertEqual(len(told), 2)
        for lines, legend in told:
            self.assertEqual(sorted({repr(one[:3]) for one in lines}), sorted(map(repr, looks)))
            self.assertEqual(len({repr(one) for one in lines}), len(names))      # a line differs in its marker too
            self.assertEqual(legend, names)

    def test_captures_are_told_apart(self):
        """Points of one run too, by the algorithm that their path names; each has its panel of flows."""
        code = """
told = []
for runs in ([["run", ["dcqcn/port", "qcn/port"]]], [["run", [f"p{i}" for i in range(8)]]], [[f"r{i}", ["p"]] for i in range(8)],
             [["qcn", ["a", "b"]], ["x/dcqcn", ["a", "b"]]], [["run", [f"p{i}" for i in range(9)]]]):
    job = {"runs": [{"run": run, "chief": points[0], "points": [{"run": run, "point": p, "first_s": 0, "length_s": 1, "zero_s": 0}
           for p in points]} for run, points in runs], "interval_s": 0.1, "align": "none", "command": "", "rcc_version": "1"}
    with open(sys.argv[1] + "/bandwidth.csv", "w") as f:
        print("run,point,flow,time_s,payload_bps", *(f"{run},{p},0,{t / 10},1e9" for run, points in runs for p in points
              for t in range(1, 9)), sep="\\n", file=f)
    pcap_plot.draw_flows(sys.argv[1], job, pcap_plot.read(sys.argv[1], "bandwidth.csv"))
    told.append([[[one.colour, one.style] for one in pcap_plot.lines_of(job)], len(found.pop("flow_bandwidth.png").axes)])
print(json.dumps(told))"""
        told = run_plotting(code, self.path())
        for lines, panels in told:
            self.assertEqual(len({tuple(one) for one in lines}), len(lines), lines)
            self.assertEqual(panels, len(lines))
        self.assertEqual([len(lines) for lines, _ in told], [2, 8, 8, 4, 1])
        self.assertEqual(told[0][0], [["#D55E00", "-"], ["#009E73", "-"]])
        self.assertEqual(told[3][0], [["#009E73", "-"], ["#009E73", "--"], ["#D55E00", "-"], ["#D55E00", "--"]])

    def test_runs_that_are_compared_are_told_apart(self):
        code = """
from command.results.draw import draw_run
told = []
for labels in (["dcqcn", "dcqcn+g=1/17"], ["qcn"], [f"dcqcn+g={i}" for i in range(9)]):
    runs = [{"cc": "dcqcn", "title": "DCQCN", "label": one, "place": letter + one, "letter": letter} for one in labels for letter in "AB"]
    job = {"runs": runs, "letters": ["A", "B"], "called": {"A": "flows 8", "B": "flows 16"}}
    look = draw_run.prepare_folders(job)
    told.append([[run["legend"], look.colour[run["cc"]], look.style[run["cc"]]] for run in runs])
print(json.dumps(told))"""
        told = run_plotting(code)
        self.assertEqual([one[0] for one in told[0]], ["dcqcn, flows 8", "dcqcn, flows 16", "dcqcn+g=1/17, flows 8",
                                                       "dcqcn+g=1/17, flows 16"])
        self.assertEqual([one[0] for one in told[1]], ["flows 8", "flows 16"])
        for runs in told:
            self.assertEqual(len({repr(one[1:]) for one in runs}), len(runs), runs)

    def test_a_folder_of_any_name_is_in_the_legend(self):
        """matplotlib leaves out what begins with _; and letters that its usual font has not are another's, or stay boxes."""
        code = """
from command.results.draw import draw_run
runs = [{"cc": "dcqcn", "title": "DCQCN", "place": sys.argv[1] + "/" + letter, "letter": letter, "sim_s": 1.0} for letter in "AB"]
job = {"runs": runs, "letters": ["A", "B"], "called": {"A": "_old", "B": "new $x_1$ \u6d41"}, "command": "A: _old   B: new"}
for run in runs:
    os.makedirs(run["place"])
    with open(run["place"] + "/queue.csv", "w") as f:
        print("time_s,mean_bytes,max_bytes", *(f"{t / 10},{t},{t}" for t in range(1, 9)), sep="\\n", file=f)
look = draw_run.prepare_folders(job)
figures.draw_queue("", {"runs": runs}, look)
print(json.dumps([[t.get_text() for t in found["queue.png"].legends[0].texts][:2]]))"""
        texts, = run_plotting(code, self.path())
        self.assertEqual([text.strip() for text in texts], ["_old", "new $x_1$ \u6d41"])

    def test_what_has_not_begun_is_not_drawn(self):
        """A window, and a round trip before the first acknowledgement, are 0 in the file; merged points are means of what there is."""
        code = """
os.makedirs(sys.argv[1] + "/swift")
with open(sys.argv[1] + "/swift/windows.csv", "w") as f:
    print("time_s,flow,window_bytes,signal,rtt_s", *(f"{t / 1000},{flow},{9000 + t},{25000 if t > 20 * flow + 1 else 0},"
          f"{1e-5 if t > 20 * flow + 1 else 0}" for t in range(1001) for flow in (0, 1)), sep="\\n", file=f)
run = {"cc": "swift", "sim_s": 1.0, "span": (0.0, 1.0)}
figures.draw_windows(sys.argv[1], {"runs": [run]}, plots.Look([run]))
print(json.dumps([min(y for y in line.get_ydata() if y == y) for ax in found["windows.png"].axes for line in ax.lines]))"""
        least = run_plotting(code, self.path())
        self.assertEqual(len(least), 6)
        for value, wanted in zip(least[2:], (1e-5, 1e-5, 25000, 25000)):
            self.assertAlmostEqual(value, wanted)

    def test_flows_without_an_end_are_no_late_ones(self):
        code = """
told = []
for sizes in ((1000, 1000, 0), (1000, 1000, 1000)):
    os.makedirs(sys.argv[1] + "/dcqcn", exist_ok=True)
    with open(sys.argv[1] + "/dcqcn/flows.csv", "w") as f:
        print("flow,size_bytes,fct_s", *(f"{i},{size},{fct}" for i, (size, fct) in enumerate(zip(sizes, ("1", "2", "")))),
              sep="\\n", file=f)
    run = {"cc": "dcqcn", "title": "DCQCN"}
    figures.draw_fct(sys.argv[1], {"runs": [run]}, plots.Look([run]))
    line = found.pop("fct.png").axes[0].lines[0]
    told.append([line.get_label(), max(line.get_ydata())])
print(json.dumps(told))"""
        self.assertEqual(run_plotting(code, self.path()), [["dcqcn", 1.0], ["dcqcn (2 of 3 ended)", 2 / 3]])

    def test_the_window_is_named_where_the_axis_begins(self):
        code = """
ax = sheet.Sheet().axes[0]
ax.set_xlim(2, 4)
plots.shade_window(ax, [{"window_s": [1, 4]}], lambda t: t, True)
ax.axhline(1, zorder=3)
print(json.dumps([ax.texts[0].xy[0], ax.texts[0].get_zorder(), bool(ax.texts[0].get_bbox_patch())]))"""
        at, order, ground = run_plotting(code)
        self.assertEqual((at, ground), (2, True))       # a line that crosses the words is below them
        self.assertGreater(order, 3)

    def test_many_runs_leave_room_for_their_data(self):
        code = """
one = sheet.Sheet()
for i in range(10, 22):
    one.axes[0].plot([1, 2], [1, 2], label=f"dcqcn+g=1/{i}+r_ai={i}Mbps+r_hai=100Mbps+f=5")
one.head(0, "a")
one.finish("b")
print(one.axes[0].get_window_extent().height / one.figure.dpi)"""
        self.assertGreater(run_plotting(code), 1.5)


if __name__ == "__main__":
    unittest.main()
