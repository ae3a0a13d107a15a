# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The scenarios that `./rcc run` knows, as data: a new one is one entry in SCENARIOS. A scenario has options of its own
(scenario_options.py) and those of the program that runs it (options.py)."""
from __future__ import annotations

from typing import Any, Iterable, NamedTuple

from . import experiments, scenario_options
from .. import units
from ..common import RccError
from .options import of_parts, of_program

OF_FILE = {"scenario", "nodes", "watch-as", "bottlenecks", "plain", "phases", "steps", "cioq", "collective", "defaults", "base"}
OF_TRACE = {"flows", "received", "arrivals", "incasts", "load-counts", "drain", "collective", "scenario", "defaults", "plain",
            "nodes"}   # a trace sets these itself
OF_COMMAND = {"print", "cc", "out", "check", "ranks", "progress", "config", "port-log", "nic-params"}  # the command itself gives these


class Option(NamedTuple):
    """An option of a scenario's program. Values are passed on as typed; the program checks them."""
    name: str
    metavar: str
    default: str   # the behaviour without it, in words or as a value
    help: str
    flag: bool
    repeat: bool   # may be given several times; joined with commas for the program
    commas: bool   # a value may hold some


def pairs(words: Iterable) -> dict:
    """Return --name=value, ... as {"--name": "value"}; a flag's value is ""."""
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _unpaused(word: str) -> str:
    """Remove the factor of PFC's threshold from a word of --base, for switches without PFC."""
    name, _, value = word.partition("=")
    return word if name != "--base" else "--base=" + ",".join(one for one in value.split(",") if not one.startswith("QbbSwitch.Alpha="))


class Scenario(NamedTuple):
    name: str
    program: str
    title: str
    about: str
    algorithms: list   # without --cc
    examples: list
    words: tuple = ()  # options of the program that make the scenario; the user's come in their place
    file: str = ""     # that has the experiment, in place of a scenario
    trace: Any = None  # traces.step.Trace: what the experiment was made of
    shown: tuple = ()  # name=what help says of the default, where that is not the program's

    @property
    def options(self) -> list:
        """The options that users of the command may give."""
        own = {name: value or "yes" for name, value in pairs((*self.words, *self.shown)).items()}
        return [Option(o["name"], o["metavar"], own.get("--" + o["name"]) or o["unset"] or o["default"],
                       o["help"] + ("; repeatable" if o["repeat"] else ""), o["flag"], o["repeat"], o["repeat"] or "," in o["default"])
                for o in self.described() if o["name"] not in OF_COMMAND]

    def described(self) -> list:
        """Return its own options and those of its program, as options.Declared.described() has them."""
        maker = experiments.MAKERS.get(self.program)
        if self.file:
            gone = OF_FILE | OF_TRACE if self.name == "trace" else OF_FILE
            return [o for o in of_program(experiments.PROGRAM) if o["name"] not in gone]
        if not maker:
            return of_program(self.program)
        mine = [option.described() for option in maker.own]
        gone = {*OF_FILE, *maker.hidden, *(o["name"] for o in mine)}
        rest = [o for o in of_parts(maker.parts) if o["name"] not in gone]
        return mine + [{**o, "default": maker.defaults.get(o["name"], o["default"]), "unset": maker.shown.get(o["name"], o["unset"])}
                       for o in rest]

    def experiment(self, options: list, cc: str) -> experiments.Made:
        """Return the experiment of a run."""
        words = self.merge_options(options, cc)
        return experiments.Made(words, []) if self.file else experiments.make(self.program, words)

    def merge_options(self, options: list, cc: str) -> list:
        """Merge the options that make the scenario with the user's, which come in their place. --set has the parameters of both,
        the user's last. The preset holds for the algorithms that the scenario is for. A scenario made of another one keeps its name."""
        given = pairs(options)
        gone = set(given) | ({"--preset"} if "--nic" in given or cc not in self.algorithms else set())  # a named NIC has its own
        own = pairs(self.words)
        window = self._window(given)
        both = f"--set={own.get('--set')},{given.get('--set')}"
        called = [f"--scenario={self.name}"] if self.name != self.program and not self.file else []
        return called + \
            [window if word.startswith("--window=") else _unpaused(word) if "--lossy" in given else word
             for word in self.words if word.partition("=")[0] not in gone] + \
            [both if word.startswith("--set=") and "--set" in own else word for word in options]

    def notes(self, options: list) -> list:
        """Return notes about the scenario's options that change with the user's."""
        made = self.experiment(options, "").notes
        own, window = pairs(self.words), self._window(pairs(options))
        if "--window" not in own or window == f"--window={own['--window']}" or "--window" in pairs(options):
            return made
        times = [scenario_options.smallest("time", text) or 0 for text in window.partition("=")[2].split("-")]
        shown = "-".join(map(scenario_options.for_people, times))
        return made + [f"rcc: note: --window={shown} here: its default, {own['--window']}, is for --time={own['--time']}"]

    def _window(self, given: dict) -> str:
        """Return the scenario's window as a word; with another --time it is the same part of it."""
        own = pairs(self.words)
        word = f"--window={own.get('--window')}"
        if "--window" not in own or "--time" not in given:
            return word
        try:
            longer = units.exact("time", given["--time"], "") / units.exact("time", own["--time"], "")
            begin, end = (int(units.exact("time", text, "") * longer * 10 ** 9) for text in own["--window"].split("-"))
        except RccError:  # the program will say what is wrong with it
            return word
        return f"--window={scenario_options.as_time(begin)}-{scenario_options.as_time(end)}" if 0 < begin < end else word


SCENARIOS = {s.name: s for s in [
    Scenario(
        name="incast",
        program="incast",
        title="N flows from several senders to one receiver through one switch",
        about="The incast of the DCQCN+ paper (ICNP 2018): 8 senders, 1 receiver, one switch, 2000 flows that start\n"
              "within 0.1 s and send as much as they can; each algorithm runs on its own, results side by side.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run incast", "the paper's incast under DCQCN, DCQCN+ and QCN"),
            ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=80 --rate=10Gbps", "two algorithms, a smaller incast"),
            ("./rcc run incast --size=1MB --flows=200", "flows of 1 MB each; reports flow completion times"),
            ("./rcc run incast --kmin=5KB --kmax=2000KB --pmax=0.1 --flows=10 --time=1s", "another marking profile"),
            ("./rcc run incast --cc=dcqcn --set dcqcn.g=0.015625 --out=out/g64", "one parameter changed"),
        ]),
    Scenario(
        name="clos",
        program="clos",
        title="incast through a CLOS network of three levels",
        about="Figure 9 of the DCQCN+ paper (ICNP 2018): a fat tree of 20 pods with 10 core switches, 2410 nodes;\n"
              "1900 hosts of 19 pods send to 10 hosts of the last pod. Takes a minute per algorithm; shares under QCN,\n"
              "which is not in the figure, settle after more than a second (--time).",
        algorithms=["dcqcn", "dcqcn-plus"],
        examples=[
            ("./rcc run clos --topology=leaf-spine --oversubscription=4 --time=0.1s", "64 hosts in 4 racks, 4:1"),
            ("./rcc run clos --cc=dcqcn-plus", "the paper's CLOS under DCQCN+"),
            ("./rcc run clos --k=8 --cores=16 --senders=100 --receivers=4 --time=0.05s --start=10ms", "a small one"),
        ]),
    Scenario(
        name="convergence",
        program="convergence",
        title="flows that start one after the other share one port",
        about="Figure 8 of the DCQCN+ paper (ICNP 2018): three flows from three hosts start at 0, 0.1 and 0.3 s; the\n"
              "per-flow rates show how each algorithm divides the port anew.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run convergence --time=0.6s", "the paper's three flows"),
            ("./rcc run convergence --rate=10Gbps --start=0s,20ms,40ms,60ms --time=0.1s", "four flows at 10 Gb/s"),
        ]),
    Scenario(
        name="capacity",
        program="capacity",
        title="a few sources share one port whose service rate drops and comes back",
        about="Section 4 of the QCN paper on NetFPGA: up to 8 sources with delay lines on 1 Gb/s links, one output\n"
              "queue of 150 KB without PFC, served at 0.95 Gb/s, at 0.2 Gb/s for 3.7 s, and at 0.95 Gb/s again.",
        algorithms=["qcn"],
        examples=[
            ("./rcc run capacity", "8 sources, a round trip of 100 us"),
            ("./rcc run capacity --senders=1 --rtt=1ms", "one source, a long round trip"),
            ("./rcc run capacity --capacity=0s:0.9Gbps --capacity=1s:0.5Gbps --time=2s", "other service rates"),
        ],
        words=("--time=10s", "--window=8s-10s")),   # the rates have settled in the window
    Scenario(
        name="workload",
        program="workload",
        title="flows of realistic sizes between all hosts, arriving at random",
        about="Figure 11 of the DCQCN+ paper (ICNP 2018): 9 hosts on one switch, 10 Gb/s, load 0.8; flows of web search or\n"
              "data mining sizes arrive as a Poisson process and end. Reports completion times and slowdowns by size.",
        algorithms=["dcqcn", "dcqcn-plus", "qcn"],
        examples=[
            ("./rcc run workload --cc=dcqcn,dcqcn-plus", "the paper's web search workload"),
            ("./rcc run workload --sizes=data-mining --seed=2", "the other one, other flows"),
            ("./rcc run workload --sizes=sizes.txt --load=0.5 --hosts=32 --time=10ms", "sizes of your own"),
        ]),
    Scenario(
        name="fan-in",
        program="fan-in",
        title="QCN at the inputs or the outputs of a combined input/output-queued switch",
        about="The fan-in of \"Unbiased QCN for Scalable Server-Fabrics\" (IBM RZ 3880): full-rate flows from several\n"
              "inputs to one output; the fifth is active from 100 to 200 ms. lab/doc/fan-in.md has every figure's command.",
        algorithms=["qcn"],
        examples=[
            ("./rcc run fan-in --cp=outputs", "standard QCN: congestion points at the outputs"),
            ("./rcc run fan-in --cp=inputs", "the report's: at the inputs"),
            ("./rcc run fan-in --sampling=random --flows=0:5:3Gbps --flows=0:6:7Gbps --flows=1:5 --flows=2:5 --flows=3:5",
             "a victim, from port 0 to port 6"),
            ("./rcc run fan-in --flows=0:5 --capacity=5:10ms:1Gbps --sampling=random --attr=CioqSwitch.KeepAlive=true", "a capacity step"),
        ],
        words=("--time=300ms", "--window=150ms-200ms")),   # all five are active in the window
    Scenario(
        name="testbed",
        program="testbed",
        title="any network and any flows, such as the laboratory of a measurement",
        about="Links between named nodes and flows between hosts, in one command: h[1-4]-t1 are four hosts on switch t1.\n"
              "lab/doc/testbed.md has the notation, the results and the networks of published measurements.",
        algorithms=["dcqcn"],
        examples=[
            ("./rcc run testbed --links=h[1-3]-s1 --flows=h[1-2]-h3 --time=60ms", "two senders, one receiver"),
            ("./rcc run testbed --links=h[1-8]=t[1-2] --links=t[1-2]-s1*4 --flows=h[1-4]=h[5-8]:qps=8", "parallel links, 8 queue pairs"),
            ("./rcc run testbed --links=h[1-2]-s1 --flows=h1-h2:size=4KB:messages=0:think=2us", "one message at a time"),
        ]),
    Scenario(
        name="unfairness",
        program="testbed",
        title="PFC's parking lot: four senders, one of them in the receiver's rack",
        about="Figure 3 of the DCQCN paper (SIGCOMM 2015): h1 to h4 send to h5 through a CLOS network of 4 ToR, 4 leaf and 2 spine\n"
              "switches at 40 Gb/s; h4 and h5 are in one rack. Pauses stop ports, not flows: h4 gets more than its share.",
        algorithms=["none", "dcqcn"],
        examples=[
            ("./rcc run unfairness", "PFC alone and DCQCN, the paper's switch"),
            ("./rcc run unfairness --cc=none --seed=2", "other paths"),
        ],
        words=("--buffer=12MB", "--base=QbbSwitch.PoolSize=6265600,QbbSwitch.Alpha=1", "--time=40ms")),
    Scenario(
        name="victim",
        program="testbed",
        title="a victim flow behind a tree of paused links",
        about="Figure 4 of the DCQCN paper (SIGCOMM 2015): h1 to h4 of rack t1 and h5, h6 of rack t3 send to h7 in rack t4; the victim\n"
              "from h8 of t1 to h9 of t2 shares no congested link with them, and suffers from the pauses that spread.",
        algorithms=["none", "dcqcn"],
        examples=[
            ("./rcc run victim", "PFC alone and DCQCN"),
            ("./rcc run victim --flows=h8-h9 --flows=h[1-4]-h7 --cc=none", "without the senders of t3"),
        ],
        words=("--links=h[1-4]-t1,h8-t1,h9-t2,h[5-6]-t3,h7-t4,t[1-2]-l[1-2],t[3-4]-l[3-4],l[1-4]-s[1-2]",
               "--flows=h8-h9,h[1-6]-h7", "--watch=t4>h7", "--record=t2>h9", "--buffer=12MB",
               "--base=QbbSwitch.PoolSize=6265600,QbbSwitch.Alpha=1", "--time=100ms")),
    Scenario(
        name="probes",
        program="testbed",
        title="small messages through a link that two long flows fill",
        about="h1 and h2 fill the link to h4; h3 sends a message of 1 KB through it every 100 us. Completion times are those of\n"
              "the messages: what the queue costs others. lab/doc/scenarios.md.",
        algorithms=["none", "dcqcn", "dcqcn-plus"],
        examples=[
            ("./rcc run probes", "behind PFC alone, DCQCN and DCQCN+"),
            ("./rcc run probes --cc=dcqcn:nic-default --rate=25Gbps --kmin=100KB --kmax=400KB --pmax=0.2", "a NIC as it is shipped"),
        ],
        words=("--links=h[1-4]-t1", "--flows=h[1-2]-h4,h3-h4:size=1KB:start=5ms:repeat=200:every=100us", "--time=26ms")),
    Scenario(
        name="permutation",
        program="testbed",
        title="every host sends to one other host across a leaf-spine network",
        about="16 hosts on 4 leaves and 4 spines, as many uplinks as hosts: each host sends to the one in the same place of the next\n"
              "rack. Any host could have its link's rate; flows whose hash picks one uplink share it. lab/doc/scenarios.md.",
        algorithms=["none", "dcqcn"],
        examples=[
            ("./rcc run permutation", "one queue pair each"),
            ("./rcc run permutation --flows=h[0-11]=h[4-15]:qps=8,h[12-15]=h[0-3]:qps=8", "spread over 8 queue pairs"),
            ("./rcc run permutation --seed=1-3", "other hashes of the switches"),
        ],
        words=("--links=h[0-15]=t[0-3],t[0-3]-s[0-3]", "--flows=h[0-11]=h[4-15],h[12-15]=h[0-3]", "--time=40ms")),
    Scenario(
        name="collective",
        program="collective",
        title="ring all-reduce or all-to-all of all hosts, with a barrier after each step",
        about="A collective operation as training jobs do it: in each step every rank sends to another one, and the next step\n"
              "begins when all have been acknowledged. 16 hosts on 4 leaves and 4 spines at 100 Gb/s; lab/doc/scenarios.md.",
        algorithms=["dcqcn"],
        examples=[
            ("./rcc run collective", "an all-reduce of 16 MB"),
            ("./rcc run collective --operation=all-to-all --qps=4 --size=4MB", "another operation, four queue pairs each"),
            ("./rcc run collective --links=h[0-3]-s1 --gap=20us --rounds=3", "one switch, computing between the steps"),
        ]),
    Scenario(
        name="long-haul",
        program="testbed",
        title="four clients into one long link between two switches",
        about="Scale-across over 100 km without PFC (Juniper, 2026): four clients at 100 Gb/s into one link of 100 Gb/s and 0.56 ms;\n"
              "buffers of 2.5 round trips, which drop what they cannot hold, marks from 0.75 to 1.5 round trips, NICs that\n"
              "cut by 5 % at most.",
        algorithms=["dcqcn"],
        examples=[
            ("./rcc run long-haul", "a round trip of 1.13 ms"),
            ("./rcc run long-haul --preset=paper --time=1s", "another DCQCN"),
        ],
        words=("--links=h[1-4]-a,h[5-8]-b,a-b:100Gbps:563us", "--flows=h[1-4]=h[5-8]:qps=16:window=919KB", "--watch=a>b", "--lossy",
               "--rate=100Gbps", "--mtu=4096", "--time=0.4s", "--preset=nic-default", "--buffer=35344KB", "--kmin=10603KB",
               "--kmax=21206KB", "--pmax=1", "--set=dcqcn.min_dec_fac=0.95,dcqcn.clamp_target=yes,dcqcn.timer=5ms")),
]}
