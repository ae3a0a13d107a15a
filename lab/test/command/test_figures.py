# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The figures as matplotlib has laid them out: nothing is clipped, axes hold the data, limits belong to what is drawn."""
import json
import os
import subprocess
import unittest
from typing import Optional

from support import HERE, RccTest, pairs, sample_run

from command.results.read import results
from command.system import packages

ALGORITHMS = [("dcqcn", "DCQCN", 1e5), ("dcqcn-plus", "DCQCN+", 2e4), ("qcn", "QCN", 5e4), ("timely", "TIMELY", 2e6),
              ("timely-patched", "patched TIMELY", 4e6), ("dcqcn-plus-share", "DCQCN+ share", 9e3), ("none", "no congestion control", 4e6)]


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Figures(RccTest):
    SEVEN: dict = {}
    looks: Optional[subprocess.Popen] = None    # look.py

    @classmethod
    def ask(cls, folder) -> str:
        """Ask look.py about the folder; one process serves all tests of a class, as matplotlib takes half a second to import."""
        if not cls.looks:
            cls.looks = subprocess.Popen([packages.plotting_python(), os.path.join(HERE, "look.py")], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
            cls.addClassCleanup(cls.looks.communicate)
        print(folder, file=cls.looks.stdin, flush=True)
        return cls.looks.stdout.readline()

    def write(self, folder, name, lines):
        os.makedirs(self.path("out", folder), exist_ok=True)
        with open(self.path("out", folder, name), "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")

    def summary(self, runs, command="./rcc run incast"):
        results.write_json(self.path("out"), "summary.json",
                           {"schema": 1, "rcc_version": "1", "command": command, "partial": False, "runs": runs})

    def look(self, runs, command="./rcc run incast"):
        """Draw these runs with the series of the folder and describe the figures."""
        self.summary(runs, command)
        found = json.loads(self.ask(self.path("out")))
        self.assertNotIn("error", found, found.get("error"))
        for name, figure in found.items():
            self.assertLessEqual(figure["out"], 0.5, f"{name}: something is clipped at the figure's edge")
            self.assertLess(figure["covered"], 0.02, f"{name}: a head covers the axes")
        return found

    def series(self, cc, queue, rates):
        times = [i / 100 for i in range(1, 41)]
        self.write(cc, "queue.csv", ["time_s,mean_bytes,max_bytes"] + [f"{t},{queue},{2 * queue}" for t in times])
        self.write(cc, "rate.csv", ["time_s,sent_bps,delivered_bps"] + [f"{t},4e10,4e10" for t in times])
        self.write(cc, "flow_rates.csv", ["time_s,flow,rate_bps"] + [f"{t},{i},{rate}" for t in times for i, rate in enumerate(rates)])

    def look_at_seven(self):
        """The figures of seven algorithms, drawn once for all tests."""
        if not self.SEVEN:
            self.SEVEN.update(self.look(self.seven()))
        return self.SEVEN

    def seven(self):
        runs = []
        for cc, title, queue in ALGORITHMS:
            own = {"q_eq": "33KB"} if cc == "qcn" else {"kmin": "5KB", "kmax": "200KB"} if cc.startswith("dcqcn") else {"t_low": "50us"}
            runs.append(sample_run(cc, queue, title=title, parameters=own, kmax_bytes=200_000, pfc_limit_bytes=4_440_321,
                                   bottleneck_bps=40_000_000_000))
            self.series(cc, queue, [4e10, 1e9, 1e6])
        return runs

    def test_seven_algorithms(self):
        found = self.look_at_seven()
        queue = found["queue.png"]
        names = [text.split()[0] for text in queue["legend"][:7]]
        self.assertEqual(names, [name for name, *_ in ALGORITHMS])     # as in the table and in --cc
        self.assertIn("Kmax 200 KB (dcqcn, dcqcn-plus, dcqcn-plus-share)", [" ".join(text.split()) for text in queue["legend"]])
        self.assertIn("Qeq 33 KB (qcn)", queue["legend"])
        self.assertEqual({round(figure["height"] / 3.9, 6) % 1 for figure in found.values()}, {0.0})

    def test_limits_of_algorithms_that_do_not_run_are_not_drawn(self):
        self.series("timely", 1e5, [1e9])
        found = self.look([sample_run("timely", 1e5, parameters={"t_low": "50us"}, kmax_bytes=200_000)])
        self.assertEqual([text for text in found["queue.png"]["legend"] if "Kmax" in text or "Qeq" in text], [])

    def test_the_floor_is_below_the_smallest_flow(self):
        figure = self.look_at_seven()["flow_rates.png"]
        self.assertEqual(set(figure["yscale"]), {"log"})
        for low, high in figure["ylim"]:
            self.assertLess(low, 1e6)
            self.assertGreater(high, 4e10)

    def test_few_flows_have_names_and_colours_of_their_own(self):
        self.series("dcqcn", 1e5, [2e9, 1e9, 3e9, 4e9])
        figure = self.look([sample_run("dcqcn", 1e5, bottleneck_bps=4e10)])["flow_rates.png"]
        self.assertEqual(figure["legend"], ["flow 0", "flow 1", "flow 2", "flow 3"])
        self.assertEqual(len(set(figure["colours"])), 4)

    def test_a_pair_of_hosts_has_all_of_its_groups(self):
        """`--flows=h1-h3,h2-h3,h1-h3` writes two rows of h1-h3 for each time: together they are its goodput."""
        for count, text in ((1, ""), (8, "mean 16 Gb/s")):     # lines, bars
            names = ["h1-h9", *(f"h{i}-h9" for i in range(2, count + 2)), "h1-h9"]
            self.write("dcqcn", "groups.csv", ["time_s,group,goodput_bps,rate_bps"] + [
                f"{t / 100},{name},{12e9 if name == 'h1-h9' else 15e9},5e9" for t in range(1, 41) for name in names])
            figure = self.look([sample_run("dcqcn", 1e5)])["groups.png"]
            self.assertAlmostEqual(figure["ylim"][0][1], 24e9 * 1.1)
            self.assertIn(text or "h1-h9", figure["legend"])

    def test_the_victim_is_thick_and_named(self):
        self.write("dcqcn", "groups.csv", ["time_s,group,goodput_bps,rate_bps"] + [
            f"{t / 100},{name},1e9,1e9" for t in range(1, 41) for name in ("h1-h7", "h8-h9")])
        run = sample_run("dcqcn", 1e5, scenario="victim", groups=pairs(h1_h7=1e9, h8_h9=1e9), congested_port="switch port t4>h7")
        for command, names, widths in (("victim", ["h1-h7", "h8-h9, the victim"], 2), ("permutation", ["h1-h7", "h8-h9"], 1)):
            figure = self.look([{**run, "scenario": command}], f"./rcc run {command}")["groups.png"]
            self.assertEqual((figure["legend"], len(set(figure["widths"]))), (names, widths))

    def test_a_sum_over_receivers_stands_against_their_sum(self):
        self.series("dcqcn", 1e5, [1e9])
        figure = self.look([sample_run("dcqcn", 1e5, rate_bps=40_000_000_000, bottleneck_bps=160_000_000_000)])["rate.png"]
        self.assertEqual(figure["levels"], [160e9])
        self.assertIn("capacity between senders and receivers, 160 Gb/s", figure["legend"])

    def test_stop_and_go(self):
        self.series("qcn", 1e5, [1e9])
        self.write("qcn", "buffers.csv", ["time_s,port,input_bytes,output_bytes,stopped"] + [f"{t / 100},0,90000,0,0" for t in range(40)])
        run = sample_run("qcn", 1e5, scenario="fan-in", parameters={"q_eq": "60KB"},
                         attributes={"CioqSwitch.StopThreshold": "100000"})
        found = self.look([run])
        self.assertIn("STOP of inputs, 100 KB", found["buffers.png"]["legend"])
        self.assertIn("GO of inputs, 44 KB", found["buffers.png"]["legend"])

    def test_long_labels(self):
        runs = []
        for g in ("1/256", "1/64", "1/16"):
            label = f"dcqcn:cx4+g={g}+r_ai=40Mbps+r_hai=100Mbps+rate_reduce_period=4us"
            run = sample_run("dcqcn", 1e5, label=label, folder=label.replace("/", "_"))
            self.series(run["folder"], 1e5, [1e9])
            runs.append(run)
        self.assertGreaterEqual(len(self.look(runs)["queue.png"]["legend"]), 3)


if __name__ == "__main__":
    unittest.main()
