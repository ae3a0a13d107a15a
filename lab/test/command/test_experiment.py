# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A run as a file: what runs leave, what --print writes, what ./rcc run FILE.json does with it; the keys' page."""
import json
import os
import re
import unittest

from support import ROOT, SERVER, RccTest, needs_programs, program

from command.run import experiments, specs
from command.run.options import of_program
from command.run.scenarios import SCENARIOS

OF_CALL = {"out", "check", "print", "progress", "ranks", "defaults", "cc"}
SHORT = ("--time=2ms", "--start=100us", "--flows=8", "--no-plots", "--quiet")
GOAL = "num_ranks 2\nrank 0 {\nl1: send 8000b to 1 tag 0\n}\nrank 1 {\nl1: recv 8000b from 0 tag 0\n}\n"
PAIR = {"links": ["h[1-2]-s1"], "flows": ["h1-h2"], "cc": "none", "time": "100us"}


class Keys(unittest.TestCase):
    def test_each_key_has_its_line(self):
        """The table of the page names the keys that the program has, and no others."""
        with open(os.path.join(ROOT, "lab", "doc", "testbed.md"), encoding="utf-8") as f:
            rows = f.read().partition("### Keys")[2].partition("###")[0].splitlines()
        told = {key for row in rows if row.startswith("| `") for key in re.findall(r"`([\w-]+)`", row.split("|")[1])}
        known = {option["name"] for option in of_program(experiments.PROGRAM)} - OF_CALL | {"cc"}
        self.assertEqual(told, known)

    def test_names_of_options_are_few(self):
        """Help of the commands that simulate shows few options, their own included."""
        names = set()
        for words in (*(["run", name] for name in (*SCENARIOS, "trace", "x.json")), ["ns3-rdma"]):
            text = SERVER.run([*words, "--help-all"], ROOT, dict(os.environ, COLUMNS="100")).stdout
            names |= set(re.findall(r"^  (?:-\w, )?(--[a-z][\w-]*)", text.partition("\noptions:\n")[2], re.M))
        self.assertGreater(len(names), 80)
        self.assertLessEqual(len(names - {"--help"}), 90)


class Watched(unittest.TestCase):
    """The port whose queue a scenario reports is the one that has a queue: that behind which less can go on than arrives."""

    def find_watched(self, name, *words):
        made = experiments.make(name, list(words))
        return next(word[8:] for word in made.words if word.startswith("--watch=")), " ".join(made.notes)

    def test_the_port_of_a_clos_is_the_bottleneck(self):
        leaf_spine = "--topology=leaf-spine"
        for words, port in (((leaf_spine,), "s0>l3"),                             # 480 Gb/s arrive at the spines, 160 go on
                            ((leaf_spine, "--senders=16"), "l0>s0"),              # 640 at one leaf, 160 go on to the spines, and on
                            ((leaf_spine, "--senders=17"), "s0>l3"),
                            ((leaf_spine, "--racks=2"), "l0>s0"),
                            ((leaf_spine, "--racks=2", "--core-rate=20Gbps", "--receivers=2"), "l0>s0"),
                            ((leaf_spine, "--racks=2", "--receivers=2"), "l1>h16"),
                            (("--k=4", "--cores=2"), "c0>a6"), (("--k=4", "--cores=2", "--senders=4", "--receivers=2"), "a0>c0"),
                            (("--k=4", "--cores=4", "--receivers=2"), "e6>h12")):
            with self.subTest(words):
                found, notes = self.find_watched("clos", *words)
                self.assertEqual(found, port)
                self.assertNotIn("senders' links", notes)

    def test_a_port_that_cannot_queue_is_said(self):
        for name, words, rates in (("clos", ("--topology=leaf-spine", "--senders=3"), "120 Gb/s"),
                                   ("clos", ("--topology=leaf-spine", "--senders=16", "--core-rate=320Gbps", "--receivers=16"), "640 Gb/s"),
                                   ("clos", ("--k=4", "--cores=4", "--senders=4", "--receivers=4"), "160 Gb/s"),
                                   ("incast", ("--senders=1",), "40 Gb/s"),
                                   ("incast", ("--senders=2", "--receiver-rate=100Gbps"), "80 Gb/s"),
                                   ("convergence", ("--start=0s",), "40 Gb/s")):
            with self.subTest(words):
                self.assertIn(f"senders' links, {rates} together, are the bottleneck", self.find_watched(name, *words)[1])


class Idle(unittest.TestCase):
    def test_an_option_without_effect_is_said(self):
        """Not refused: at other points of a sweep it has one."""
        for words, notes in ((["--sampling=random", "--cp=none"], ["rcc: note: --sampling has no effect with --cp=none"]),
                             (["--sampling=random"], []), (["--cp=none"], [])):
            self.assertEqual(experiments.make("fan-in", words).notes, notes)

    def test_switches_that_pause_nothing_are_not_watched(self):
        watched = {"deadlock", "storm-after", "storm-action"}
        for name in ("capacity", "fan-in"):
            self.assertFalse(watched & {o.name for o in SCENARIOS[name].options}, name)
        self.assertLess(watched, {o.name for o in SCENARIOS["incast"].options})


@needs_programs
class Experiment(RccTest):
    def results(self, folder):
        """summary.json but for the command."""
        found = json.loads(self.read(folder, "summary.json"))
        return {key: value for key, value in found.items() if key != "command"}

    def test_what_a_run_leaves_repeats_it(self):
        self.succeed("run", "incast", "--cc=qcn", *SHORT, "--attr=QbbSwitch.CutThrough=64", "--set=qcn.gd=1/64", "--out=a b")
        self.assertEqual(self.succeed("run", "incast", "--cc=qcn,dcqcn", *SHORT, "--attr=QbbSwitch.CutThrough=64", "--set=qcn.gd=1/64",
                                   "--print").stdout, self.read("a b", "qcn", "experiment.json"))
        self.succeed("run", "a b/qcn/experiment.json", "--no-plots", "--quiet")
        self.assertEqual(self.results("a b"), self.results("out/experiment"))
        for name in ("experiment.json", "queue.csv", "rate.csv", "flows.csv", "flow_rates.csv"):
            self.assertEqual(self.read("a b", "qcn", name), self.read("out", "experiment", "qcn", name), name)

    def test_what_the_command_adds_is_not_repeated(self):
        """As lab/doc/testbed.md says: the names of variants and seeds, and the step of a trace."""
        self.put("w.goal", GOAL)
        for words, keys, absent in (("victim --time=2ms", set(), set()), ("unfairness --time=2ms", set(), set()),
                                    ("probes --time=6ms", set(), set()), ("permutation --time=1ms", set(), set()),
                                    ("incast --cc=dcqcn:cx4+g=0.01 --flows=4 --time=2ms --start=1ms", {"label", "folder"}, set()),
                                    ("long-haul --cc=none --time=1ms --seed=1-2", {"label", "folder"}, set()),
                                    ("trace w.goal", {"step"}, {"ranks.csv", "operations.json"})):
            with self.subTest(words):
                more = [] if "--cc" in words else ["--cc=dcqcn"]
                self.succeed("run", *words.split(), *more, "--no-plots", "--quiet", "--out=first")
                name = next(one["folder"] if "folder" in one else one["cc"]
                            for one in json.loads(self.read("first", "summary.json"))["runs"])
                self.succeed("run", f"first/{name}/experiment.json", "--no-plots", "--quiet", "--out=again")
                cc = name.partition(":")[0].partition("-seed-")[0]
                first, again = (json.loads(self.read(*place, "run.json")) for place in (("first", name), ("again", cc)))
                aside = {"wall_s", "peak_rss_bytes", "files"}
                self.assertEqual({key for key in {**first, **again} if first.get(key) != again.get(key)} - aside, keys)
                there, after = (set(os.listdir(self.path(*place))) for place in (("first", name), ("again", cc)))
                self.assertLessEqual(there - after, absent | {"collectives.csv"} if absent else set())
                for file in after - {"run.json"}:
                    self.assertEqual(self.read("first", name, file), self.read("again", cc, file), file)

    def test_a_file_keeps_the_question(self):
        """The printed one and the one that a run leaves, of all scenarios of a testbed: the same lines, numbers and winner."""
        for name, time in (("victim", "2ms"), ("unfairness", "1ms"), ("probes", "6ms"), ("permutation", "500us"), ("long-haul", "2ms")):
            with self.subTest(name):
                words = ("--cc=none,hpcc", f"--time={time}", "--no-plots")
                first = self.succeed("run", name, *words, "--out=first").stdout
                self.put("x.json", self.succeed("run", name, f"--time={time}", "--cc=none", "--print").stdout)
                for file in ("x.json", "first/none/experiment.json"):
                    again = self.succeed("run", file, *words, "--out=again").stdout
                    self.assertEqual(again.partition("\nreport: ")[0], first.partition("\nreport: ")[0])
                    self.assertTrue(first.startswith(f"{name}: "), first)
                    self.assertEqual(self.results("again"), self.results("first"))
                    self.assertIn("set-up: the same", self.rcc("compare", "first", "again", "--no-plots").stdout)

    def test_a_file_is_what_it_says_and_no_more(self):
        """A user's network under the name of a scenario gets nothing of the scenario's own network."""
        self.put("probes.json", json.dumps({**PAIR, "scenario": "victim", "flows": ["h1-h2", "h2-h1"], "watch": "s1>h1"}))
        self.assert_refused(self.rcc("run", "probes.json", "--scenario=testbed"), "unknown option --scenario=testbed")   # the file says it
        text = self.succeed("run", "probes.json", "--no-plots").stdout
        self.assertIn("What does the victim get? Goodput of the victim: none ", " ".join(text.split()))

    def test_the_file_of_a_trace_asks_for_completion_times(self):
        self.put("w.goal", GOAL)
        self.put("f.json", self.succeed("run", "trace", "w.goal", "--print").stdout)
        self.assertIn("trace: How long does the step take?", self.succeed("run", "trace", "w.goal", "--no-plots", "--out=first").stdout)
        for file in ("f.json", "first/dcqcn/experiment.json"):
            text = self.succeed("run", file, "--cc=dcqcn,hpcc", "--no-plots").stdout
            self.assertRegex(" ".join(text.split()), "^trace: How long do the slowest flows take\\? Smallest p99 of the FCT: (dcqcn|hpcc) ")
            self.assertNotIn("step", text.partition("simulator:")[0])

    def test_options_come_in_place_of_keys(self):
        self.put("mine.json", json.dumps({**PAIR, "flows": [{"hosts": "h1-h2", "size": "4KB"}], "preset": "",
                                          "attr": {"RdmaNic.Mtu": 500}}))
        self.succeed("run", "mine.json", "--cc=none,dcqcn", "--seed=1-2", "--time=1ms", "--no-plots", "--quiet", "--out=out")
        runs = json.loads(self.read("out", "summary.json"))["runs"]
        self.assertEqual([(run["cc"], run["seed"], run["packets_sent"]) for run in runs],
                         [("none", 1, 8), ("none", 2, 8), ("dcqcn", 1, 8), ("dcqcn", 2, 8)])

    def test_the_program_alone_takes_each_of_a_list(self):
        """An option that can be repeated adds up, behind a file too; one with a single value is refused the second time."""
        def run(*words):
            return program.run("experiment", [*words, "--print"])
        network = ("--links=h[1-3]-s1", "--flows=h1-h3", "--flows=h2-h3:size=1KB", "--lose=h1:2", "--lose=h1:4", "--cc=dcqcn")
        sets = ("--set=dcqcn.r_ai=41Mbps", "--set=dcqcn.r_hai=402Mbps")
        attributes = ("--attr=RdmaNic.Mtu=500", "--attr=QbbSwitch.CutThrough=64")
        done = run(*network, *sets, *attributes)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual(said["flows"], ["h1-h3", {"hosts": "h2-h3", "size": "1KB"}])
        self.assertEqual(said["lose"], ["h1:2", "h1:4"])
        self.assertEqual(said["set"], {"dcqcn.r_ai": "41Mbps", "dcqcn.r_hai": "402Mbps"})
        self.assertEqual(said["attr"], {"RdmaNic.Mtu": 500, "QbbSwitch.CutThrough": 64})
        self.put("x.json", done.stdout)
        said = json.loads(run(self.path("x.json"), "--set=dcqcn.g=1/16", "--set=dcqcn.r_ai=1Mbps", "--rate=1Gbps").stdout)
        self.assertEqual((said["set"], said["lose"]), ({"dcqcn.g": "1/16", "dcqcn.r_ai": "1Mbps"}, ["h1:2", "h1:4"]))
        for twice in (("--rate=1Gbps", "--rate=2Gbps"), ("--seed=1", "--seed=1"), ("--watch=s1>h3", "--watch=s1>h2"),
                      ("--cc=dcqcn",)):
            done = run(*network, *twice)
            name = twice[0].partition("=")[0]
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"rcc: error: {name} is given twice\n"))
        for twice in (("--set=dcqcn.g=1/16", "--set=dcqcn.g=1/32"), ("--set=dcqcn.g=1/16,qcn.gd=1/64,dcqcn.g=1/16",)):
            done = run(*network, *twice)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "rcc: error: --set: dcqcn.g is given twice\n"))
        self.put("y.json", json.dumps({**PAIR, "set": ["dcqcn.g=1/16", "dcqcn.g=1/32"]}))
        done = run(self.path("y.json"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("y.json:1: set: dcqcn.g is given twice\n", done.stderr)
        self.assertEqual(json.loads(run(self.path("y.json"), "--set=dcqcn.g=1/8").stdout)["set"], {"dcqcn.g": "1/8"})

    def test_an_option_of_before_is_told_what_says_it_now(self):
        """An old file gets the advice with the line; the advice works, with the same result except for its name."""
        for key, value, now in (("alpha", 1, "attr QbbSwitch.Alpha=RATIO"), ("tcp-cc", "dctcp", "tcp=A-B:cc=NAME"),
                                ("vlan", 5, "attr QbbNetDevice.VlanId=N"), ("sources", 2, "one of lab/doc/testbed.md")):
            self.put("x.json", json.dumps({**PAIR, key: value}, indent=1))
            self.assert_refused(self.rcc("run", "x.json"), f"x.json:10: found the key '{key}', expected {now}")
        self.put("x.json", json.dumps({**PAIR, "attr": {"QbbSwitch.Alpha": 1, "QbbNetDevice.VlanId": 5}, "time": "20ms",
                       "tcp": [{"hosts": "h2-h1", "cc": "dctcp", "connections": 2}]}))
        self.succeed("run", "x.json", "--no-plots", "--quiet", "--out=o")
        run = json.loads(self.read("o", "none", "run.json"))
        self.assertEqual(run["attributes"], {"QbbSwitch.Alpha": "1", "QbbNetDevice.VlanId": "5"})
        self.assertEqual((run["tcp"][0]["name"], run["tcp"][0]["connections"]), ("h2-h1", 2))
        self.assertGreater(run["tcp"][0]["delivered_bytes"], 0)

    def test_the_later_of_two_settings_counts(self):
        """A row, a scenario or --cc's list overrides --set: the program gets each parameter once."""
        self.assertEqual(experiments.words("testbed", ["--set=dcqcn.g=1/16,qcn.gd=1/64", "--watch=a>b", "--set=dcqcn.g=1/32"])[:2],
                         ["--set=dcqcn.g=1/32,qcn.gd=1/64", "--watch=a>b"])
        self.assertEqual(specs.parse("dcqcn+g=1/8").words(["--set=dcqcn.g=1/16,dcqcn.r_ai=1Mbps"]),
                         ["--cc=dcqcn", "--set=dcqcn.g=1/8,dcqcn.r_ai=1Mbps"])
        text = self.succeed("run", "incast", "--cc=dcqcn+g=1/8", "--set=dcqcn.g=1/16", *SHORT, "--print").stdout
        self.assertEqual(json.loads(text)["set"], {"dcqcn.g": "1/8"})

    def test_a_preset_is_of_its_algorithm(self):
        """As the scenario's own is, which the file was printed from; one that is given counts for all."""
        self.put("x.json", json.dumps({**PAIR, "flows": ["h1-h2:size=4KB"], "cc": "dcqcn", "preset": "nic-default"}))
        self.succeed("run", "x.json", "--cc=none,dcqcn,dctcp", "--no-plots", "--out=o")
        presets = {cc: json.loads(self.read("o", cc, "run.json"))["preset"] for cc in ("none", "dcqcn", "dctcp")}
        alone = self.rcc("run", "testbed", "--links=h1-s,h2-s", "--flows=h1-h2:size=4KB", "--cc=none,dctcp", "--no-plots", "--out=p")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        own = {cc: json.loads(self.read("p", cc, "run.json"))["preset"] for cc in ("none", "dctcp")}
        self.assertEqual(presets, {**own, "dcqcn": "nic-default"})
        self.assertNotIn("preset", json.loads(self.read("o", "none", "experiment.json")))
        self.assertEqual(json.loads(self.read("o", "dcqcn", "experiment.json"))["preset"], "nic-default")
        self.assertIn("none has no preset 'nic-default'", self.rcc("run", "x.json", "--cc=none", "--preset=nic-default").stderr)

    def test_every_scenario_as_a_file(self):
        """The program takes the file that --print writes, and prints it as it is."""
        for name in SCENARIOS:
            with self.subTest(name):
                few = ["--k=4", "--senders=4", "--receivers=2"] if name == "clos" else []
                text = self.succeed("run", name, *few, "--print").stdout
                self.put("x.json", text)
                self.assertEqual(self.succeed("run", "x.json", "--print").stdout, text)
                self.assertIn("links", json.loads(text))

    def test_refused(self):
        for text, fragment in ((json.dumps({**PAIR, "lins": []}, indent=1), "x.json:10: found the key 'lins'"),
                               (json.dumps({**PAIR, "base": {"QbbNetDevice.DataRate": "fast"}}),
                                "x.json:1: base: found 'QbbNetDevice.DataRate=fast', expected a rate"),
                               ("\0", "x.json:1: found a byte of value 0")):
            self.put("x.json", text)
            self.assert_refused(self.rcc("run", "x.json", "--no-plots"), fragment)
        for scenario in ("incast", "clos", "convergence", "capacity", "fan-in", "workload", "collective"):    # not the start's fault
            self.assert_refused(self.rcc("run", scenario, "--time=500ns"), "--time is '500ns', expected 1us to 1000s")
        for words, fragment in (("incast --start=1ms --time=1us", "--start is '1ms', expected less than --time, '1us'"),
                                ("none.json", "none.json: No such file or directory"),
                                ("incast --print --rate=fast", "--rate is 'fast', expected a rate")):
            self.assert_refused(self.rcc("run", *words.split()), fragment)


if __name__ == "__main__":
    unittest.main()
