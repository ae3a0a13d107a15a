# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The run files that lab/command writes: rcc-run accepts them, and what it says of them becomes sentences."""
import contextlib
import importlib.util
import json
import os
import random
import re
import shlex
import subprocess
import sys
import unittest

from support import BUILD, ROOT, RccTest, needs_programs, program

from command.common import RccError
from command.experiment import build, option_values, sentences, writer
from command.run import experiments, specs

DRAWN = 60


def golden_cases() -> dict:
    """Return the golden runs by name."""
    folder = os.path.join(ROOT, "lab", "test", "golden")
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("golden_of_run_files", os.path.join(folder, "golden.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.CASES
    finally:
        sys.path.remove(folder)


class Draw:
    """Draws the words of experiments, right ones and wrong ones."""
    OPTIONS = (
        "--lossy --lossless=3,4 --lossless=2 --strict=5,6 --dscp-map=26:3,48:6 --police=s1>h1:5Gbps --police=s1>h1:1Gbps:1MB --received "
        "--marks --watch=s1>h2 --watch-as=a%b --bottlenecks=h[1-2] --record=s1>h1 --phases=0s:5Gbps,100us:1Gbps --steps=s1>h1:50us:3Gbps "
        "--plain --collective=all-reduce:size=1MB:sync=data --collective=all-to-all:qps=2:rounds=3:placement=within --lose=h1:5,h2:7 "
        "--pause=h1:share=0.3:every=50us --pause=h2:class=2:stop=1ms --tcp=h1-h2:connections=3 --tcp=h1-h2:cc=dctcp:start=1ms --kmin=5KB "
        "--kmin=100KB: --kmax=1MB --pmax=0.2 --scale-thresholds --preset=paper --preset=nope --nic=cx5 --nic=e810 --nic=bad "
        "--set=dcqcn.g=0.01 --set=timely.x=1 --set=dcqcn.timer=0s --window=100us-200us --window=5-6 --interval=10us --interval=100s "
        "--buffer=2MB --mtu=1500 --mtu=99999 --ack-every=1 --attr=RdmaNic.Recovery=irn --attr=QbbNetDevice.DataRate=10Gbps "
        "--attr=QbbSwitch.BufferSize=3000000 --attr=QbbSwitch.Alpha=0.5 --attr=QbbNetDevice.VlanId=5,RdmaNic.Write=true --attr=Foo "
        "--rto=1ms --retry-limit=3 --deadlock=continue --storm-after=1ms --storm-action=drop --check-invariants --port-log --pcap "
        "--capture=hosts --capture=1:0,switches "
        "--capture=9999 --snaplen=96 --nodes=h[1-4],s1 --drain=2s --delay=3us --load-counts=payload").split()

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def maybe(self, share: float, *texts: str) -> str:
        """Return one of the texts with a probability, else nothing."""
        return self.random.choice(texts) if self.random.random() < share else ""

    def flow(self, number: int, hosts: int) -> str:
        """Return an item of --flows."""
        a, b = self.random.sample(range(1, hosts + 1), 2)
        text = self.random.choice((f"h[1-{hosts - 1}]-h{hosts}", f"h[1-{hosts - 1}]~h{hosts}:count={self.random.randint(1, 50)}",
                                   f"h{a}-h{b}", f"h{a}-h{b}"))
        size = self.maybe(.5, ":size=1MB", ":size=30KB", ":size=5000", ":size=2GB")
        text += size + self.maybe(.3, ":start=1ms", ":start=10us", ":start=0s", ":within=1ms") + self.maybe(.2, ":qps=3")
        text += self.maybe(.2, ":window=100KB", ":window=1MB") + self.maybe(.2, ":rate=1Gbps", ":rate=5Mbps")
        text += self.maybe(.2, ":class=2", ":class=7") + self.maybe(.1, ":dscp=26", ":dscp=9") + self.maybe(.1, ":ecn=ect0", ":ecn=x")
        text += self.maybe(.2, ":cc=dcqcn", ":cc=timely", ":cc=none", ":cc=hpcc") + self.maybe(.15, ":repeat=3:every=10us", ":stop=4ms")
        if size:
            text += self.maybe(.2, ":messages=5:think=3us:depth=2", ":messages=0") + self.maybe(.4, f":name=n{number}")
        if number:
            text += self.maybe(.3, ":after=n0", ":after=n0.received", ":after=n0@5us:needs=1:delay=2us", ":after=@3us")
        return text

    def words(self) -> list:
        """Return the words of one experiment."""
        n = self.random.randint(2, 9)
        links, hosts = self.random.choice(((f"h[1-{n}]-s1", n), (f"h[1-{n}]=t1,h[{n + 1}-{2 * n}]=t2,t1-l1:100Gbps:5us,t2-l1", 2 * n),
                                           (f"h[1-{n}]-a,h[{n + 1}-{2 * n}]-b,a-b*3:40Gbps", 2 * n)))
        choose = self.random.choice
        found = [f"--cc={choose(('dcqcn', 'qcn', 'hpcc', 'nscc', 'none', 'dcqcn-plus'))}", f"--seed={self.random.randint(0, 99)}",
                 f"--time={choose(('5ms', '20ms', '1s', '300us'))}", f"--rate={choose(('10Gbps', '40Gbps', '100Gbps'))}",
                 f"--links={links}", "--out=results"]
        flows = ",".join(self.flow(number, hosts) for number in range(self.random.randint(1, 4)))
        found.append(self.random.choice((f"--flows={flows}",) * 6 + ("--arrivals=web-search:0.3", "--incasts=1:500KB:0.02")))
        for option in self.random.sample(self.OPTIONS, self.random.randint(0, 4)):
            if option.partition("=")[0] not in [word.partition("=")[0] for word in found]:
                found.append(option)
        return found


@needs_programs
class RunFiles(RccTest):
    def made(self, words: list, name: str = "experiment") -> str:
        """Return the run file of the words, which rcc-run accepts; or the refusal, which is one line."""
        words = [*words, "--out=results"] if "--out=results" not in words else words
        done = program.run(name, [*words, "--check"], self.scratch)
        if done.returncode:
            self.assertEqual((done.returncode, done.stdout), (2, ""), shlex.join(words))
            errors = [line for line in done.stderr.splitlines() if line.startswith("rcc: error: ")]
            self.assertEqual(len(errors), 1, shlex.join(words) + done.stderr)
            self.assertNotIn("run file:", errors[0], "the command has a sentence for each code of the program")
            return errors[0]
        return program.read(name, words, self.scratch).text()

    def test_scenarios(self):
        for name in experiments.MAKERS:
            with self.subTest(name):
                self.assertTrue(self.made(experiments.words(name, [])).startswith("rcc-run 1\n"))

    def test_thresholds_of_40_gbps_are_scaled(self):
        """A training job and a collective have links of 100 Gb/s; the thresholds of DCQCN are for 40 Gb/s (SIGCOMM 2015, table 14)."""
        def thresholds(*more, cc="dcqcn"):
            text = self.made(experiments.words("collective", [f"--cc={cc}", *more]))
            return re.findall("^algorithm-at 0 (.*)$", text, re.MULTILINE)
        self.assertEqual(thresholds(), ["100000000000 kmin 12500", "100000000000 kmax 500000"])
        self.assertEqual(thresholds("--links=h[0-1]-s1,h2-s1:400Gbps")[2:], ["400000000000 kmin 50000", "400000000000 kmax 2000000"])
        for option, cc in (("--kmin=5KB", "dcqcn"), ("--set=dcqcn.kmax=300KB", "dcqcn"), ("--rate=40Gbps", "dcqcn"), ("", "hpcc")):
            self.assertEqual(thresholds(*[option] * bool(option), cc=cc), [], option)
        self.assertEqual(program.read("experiment", experiments.words("collective", ["--cc=dcqcn"]), self.scratch).notes,
                         ["dcqcn: kmin, kmax: 5 KB and 200 KB are for 40 Gb/s, scaled to 12.5 KB and 500 KB at 100 Gb/s"])

    def test_golden_runs(self):
        """The golden runs that are scenarios with options alone have a run file."""
        accepted = 0
        for name, text in golden_cases().items():
            words = shlex.split(text)
            if words[0] != "run" or words[1] not in experiments.MAKERS or "{files}" in text or "--ranks" in text or "--nic-params" in text:
                continue
            algorithms = next((word[len("--cc="):] for word in words if word.startswith("--cc=")), "")
            rest = [word for word in words[2:] if not word.startswith("--cc=") and word != "--no-plots" and word != "--perfetto"]
            for spec in specs.parse_list(algorithms) if algorithms else [None]:
                made = experiments.words(words[1], spec.words(rest) if spec else rest)
                accepted += self.made(made).startswith("rcc-run 1\n")
        self.assertGreater(accepted, 40)

    def test_drawn_experiments(self):
        """Right and wrong ones."""
        draw = Draw(2026)
        found = [self.made(draw.words()).startswith("rcc-run 1\n") for _ in range(DRAWN)]
        self.assertGreater(sum(found), DRAWN // 10)
        self.assertLess(sum(found), DRAWN)

    def test_faults(self):
        right = ["link-down link=0-4 at=1ms for=1ms", "link-down link=0-4 for=10us every=1ms count=3", "rate link=0-4 rate=1Gbps at=1ms",
                 "lose link=0>4 p=0.1 burst=4 frames=DATA,ACK count=9", "corrupt link=all", "delay link=0-4 time=1s",
                 "duplicate link=4>0 p=0.5", "pause host=1 at=1ms for=1ms class=4", "stop-reading host=all buffer=1MB",
                 "restart switch=4 for=1ms", "slow-np host=2 every=10us", "forge host=1 frames=CNP period=3us qp=2",
                 "forge host=1 frames=DATA psn=4 class=2 count=3", "reroute time=never\nlose link=all", "reroute time=5us\nlose link=all"]
        wrong = ["reroute time=never", "restart switch=4", "pause host=4", "slow-np host=9 every=10us", "lose",
                 "fly link=all", "lose link=0", "lose link=all p=2", "lose link=all p=0.9 burst=3", "link-down link=0>4",
                 "forge host=1 frames=PFC", "forge host=1 frames=ACK period=3us", "forge host=1 frames=CNP for=3us", "lose p=1 p=2",
                 "link-down link=0-4 count=3 every=1us", "reroute time=soon", "# nothing", "lose link=all frames=X"]
        for line in right + wrong:
            self.put("faults.txt", f"# a comment\n\n{line}\n")
            with self.subTest(line):
                found = self.made(["--nodes=h[0-3],s4", "--links=h[0-3]-s4", "--flows=h0-h3", "--faults=faults.txt"])
                self.assertTrue(found.startswith("rcc-run 1\n" if line in right else "rcc: error: faults.txt:"), found)


SMALL = {"topology.txt": "5 1 4\n4\n0 4 40Gbps 0.001ms 0\n1 4 40Gbps 1us 0.001\n2 4 100Gbps 1000ns\n3 4 40Gbps 0.000001s\n",
         "flow.txt": "3\n0 2 3 100 200000 0.002\n1 2 3 100 1000 0.001\n3 1 5 7 44 0.001\n",
         "packets.txt": "2\n0 2 3 200 0.001 1\n1 2 3 0 0 0.002\n", "tcp.txt": "1\n2 3 3 20 0.001 1\n", "trace.txt": "3\n0 4 9\n",
         "choices.txt": "default dcqcn\nnode 1 timely\nflow 3 qcn\n", "nic.txt": "rpg_ai_rate 5\nrpg_gd: 11\nmin_time_between_cnps=4\n"}
ORIGINAL = """ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 0
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE topology.txt
FLOW_FILE packets.txt
TCP_FLOW_FILE tcp.txt
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE mix/mix.tr
SIMULATOR_STOP_TIME 0.02
CNP_INTERVAL 50
RP_TIMER 60
BYTE_COUNTER 300000
KMAX 200
KMIN 5
RATE_AI 40Mb/s
L2_CHUNK_SIZE 4
L2_BACK_TO_ZERO 1
NP_SAMPLING_INTERVAL 3 // a comment
"""
HPCC = """ENABLE_QCN 1
PACKET_PAYLOAD_SIZE 1000
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE mix.tr
FCT_OUTPUT_FILE fct.txt
QLEN_MON_FILE qlen.txt
SIMULATOR_STOP_TIME 0.02
CC_MODE {mode}
RATE_AI 50Mb/s
RATE_HAI 120Mb/s
MIN_RATE 100Mb/s
KMAX_MAP 2 40000000000 400 100000000000 1600
KMIN_MAP 2 40000000000 100 100000000000 400
PMAX_MAP 2 40000000000 0.2 100000000000 0.2
HAS_WIN 1
VAR_WIN 1
{more}
"""
MORE = ("", "GLOBAL_T 0", "ENABLE_PFC 0", "ENABLE_PFC 0\nENABLE_IRN 1", "LINK_DOWN 1000 0 4", "LB_MODE 6", "LB_MODE 9", "BUFFER_SIZE 2",
        "RX_PULL_RATE 0.5\nRX_PULL_RATE_NODE 1 0.25", "RX_PULL_RATE_SCHEDULE 1 2 0.001 0.5 0.002 1", "ENABLE_QCN 0", "ACK_HIGH_PRIO 1",
        "ERROR_RATE_PER_LINK 0.01", "CONWEAVE_TX 3", "KMIN_MAP 1 40000000000 10", "RATE_AI fast", "MI_THRESH", "U_TARGET 0.9",
        "ENABLE_IRN 2")
WRONG = ("LB_MODE 9", "KMIN_MAP 1 40000000000 10", "RATE_AI fast", "MI_THRESH", "ENABLE_IRN 2")


@needs_programs
class FilesOfOthers(RunFiles):
    test_scenarios = test_golden_runs = test_drawn_experiments = test_faults = None

    def setUp(self):
        super().setUp()
        for name, text in SMALL.items():
            self.put(name, text)

    def test_original(self):
        self.put("config.txt", ORIGINAL)
        for more in ([], ["--cc=dcqcn-plus"], ["--cc=qcn", "--buffer=4MB"], ["--time=3ms", "--mtu=1500"],
                     ["--nic-params=nic.txt", "--cc=dcqcn"],
                     ["--routing=up-down"], ["--capture=hosts", "--out=results"]):
            with self.subTest(more=more):
                self.assertTrue(self.made(["--config=config.txt", *more], "ns3-rdma").startswith("rcc-run 1\n"))
        self.assertRegex(self.made(["--config=config.txt", "--flows=flow.txt"], "ns3-rdma"),
                         "flow.txt:2: stop: found .0.002., expected a time not before start")

    def test_hpcc(self):
        for mode in (1, 3, 7, 8, 10, 12):
            self.put("config.txt", HPCC.format(mode=mode, more=""))
            for more in ([], ["--cc=dcqcn", "--preset=paper"], ["--cc=timely", "--choices=choices.txt"], ["--nic=cx5", "--rto=1ms"],
                         ["--ack-priority=hosts", "--kmin=1KB", "--kmax=9KB", "--pmax=1"], ["--set=dcqcn.g=0.01"]):
                with self.subTest(mode=mode, more=more):
                    found = self.made(["--config=config.txt", *more], "ns3-rdma")
                    known = mode != 12 or any(word.startswith("--cc=") for word in more)
                    expected = "rcc-run 1\n" if known else "rcc: error: config.txt:10: CC_MODE: 12 is no control"
                    self.assertTrue(found.startswith(expected), found)

    def test_keys(self):
        for more in MORE:
            self.put("config.txt", HPCC.format(mode=1, more=more))
            with self.subTest(more):
                found = self.made(["--config=config.txt"], "ns3-rdma")
                self.assertTrue(found.startswith("rcc: error: config.txt:" if more in WRONG else "rcc-run 1\n"), found)


@needs_programs
class Sentences(RccTest):
    """A program that reads a run file says codes and values, and the command says what they mean."""
    STAR = ["--links=h[1-3]-s1", "--time=300us"]
    END = "but the run ends at 300us at the latest: it never happens"
    RUNS = (
        (["--flows=h[1-2]-h3", "--cc=dcqcn", "--set=dcqcn.r_min=30Gbps"],
         ["dcqcn: r_min x flows = 3e+10 bit/s x 2 = 6e+10 bit/s is not below the bottleneck's 4e+10 bit/s: the senders cannot slow down "
          "enough and the queue will stay at the PFC limit"]),
        (["--flows=h1-h3", "--pause=h1:start=1ms", "--tcp=h1-h2:start=2ms", "--steps=s1>h1:400us:1Gbps"],
         [f"--pause=h1:start=1ms begins at 1ms, {END}", f"--tcp=h1-h2:start=2ms begins at 2ms, {END}",
          f"--steps=s1>h1:400us:1Gbps begins at 400us, {END}"]),
        (["--flows=h1-h3,h2-h3:start=1ms", "--rto=1ms", "--attr=RdmaNic.Recovery=irn"],
         ["--rto has no effect with RdmaNic.Recovery=irn, whose timeouts are RdmaNic.RtoLow and RtoHigh",
          "1 of 2 flows never starts: the run ends at 300us at the latest, it is for 1ms"]),
        (["--flows=h1-h3,h2-h3:start=1ms", "--attr=RdmaNic.Recovery=irn"],    # nobody asked for this timeout: nothing is said of it
         ["1 of 2 flows never starts: the run ends at 300us at the latest, it is for 1ms"]),
        (["--flows=h1-h3:size=1MB:name=a,h2-h3:after=a", "--lose=h2:9", "--window=250us-300us"], []),
        (["--flows=h1-h3:size=1KB", "--window=250us-300us"],
         ["the run ended before the window of --window=250us-300us: averages cover all of it"]),
        (["--flows=h1-h3,h2-h3:start=200us", "--window=100us-300us"],
         ["the averages begin at 100us, before the last flow has started, at 200us; --window sets another begin"]),
        (["--flows=h1-h3", "--attr=QbbSwitch.EcmpPerPacket=true"],
         ["packets of a flow may take several paths, and go-back-N sends again what comes out of order: much of what is sent is sent "
          "twice"]),
        (["--flows=h1-h3", "--faults=faults.txt"],
         ["faults.txt:2: lose at 1ms never happens: the run ends at 300us at the latest (2 faults of the file never happen)"]),
        (["--flows=h1-h3", "--pause=h3", "--storm-after=20us"],
         ["pause storm: switch 1 port 2 to node 3, class 3, is held since 10us"]),
        (["--collective=all-reduce:size=1000001"],
         ["collective: size=1000001B is 1000002B here: each of 3 messages has whole bytes"]),
        (["--flows=h1-h3", "--pause=h3", "--retry-limit=1", "--rto=10us"],
         ["dcqcn: 1 of 1 flow was given up at the retry limit, at 56.957us"]),
    )

    def test_warnings(self):
        self.put("faults.txt", "# two that never happen\nlose link=all at=1ms\nlose link=all at=2ms\n")
        for words, expected in self.RUNS:
            done = program.run("experiment", [*self.STAR, *words], self.scratch)
            said = [line[len("rcc: warning: "):] for line in done.stderr.splitlines() if line.startswith("rcc: warning: ")]
            self.assertEqual((done.returncode, said), (0, expected), shlex.join(words))


@needs_programs
class Page(RccTest):
    """lab/run/run-file.md says what rcc-run reads."""

    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, "lab", "run", "run-file.md"), encoding="utf-8") as f:
            self.page = f.read()
        records = re.sub(r"\n {10}", " ", self.page)    # a record that takes two lines
        self.records = {line.split()[0]: line.split()[1:] for line in re.findall(r"^ {4}([a-z][a-z-]* .*)$", records, re.M)
                        if not line.startswith("build/")}

    def run_text(self, text: str) -> str:
        """Return what rcc-run says of a file."""
        self.put("a.run", text)
        return subprocess.run([os.path.join(BUILD, "rcc-run"), "a.run"], cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False).stdout.strip()

    def test_example(self):
        """The script of the page writes a run file: its four messages of 100 kB arrive."""
        script, = re.findall(r"^```sh\n(.*?)^```", self.page, re.M | re.S)
        self.assertEqual(len(script.splitlines()), 10)
        text = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout
        results = json.loads(self.run_text(text))
        self.assertEqual((results["fct"]["count"], results["packets_delivered"], results["warnings"]), (4, 400, []))

    def test_records(self):
        """Each record is known, and its first field is that of the page."""
        for name, fields in self.records.items():
            first = "rcc-run 1\n" if name != "rcc-run" else ""
            if name == "after":
                first += "node 0 host a\nwait 0 1 0 0\n"
            where = first.count("\n") + 1
            self.assertEqual(self.run_text(f"{first}{name}"), f"rcc-run: error a.run {where} {fields[0]} missing -")
        self.assertEqual(self.run_text("rcc-run 1\nflow 1\n"), "rcc-run: error a.run 2 - record flow")

    def test_fields(self):
        """Run files of scenarios, drawn experiments and golden runs have as many fields as the page names; the page knows every record."""
        texts = [writer.Writer(build.build(option_values.Given.read(experiments.words(name, [])))).text() for name in experiments.MAKERS]
        draw = Draw(2027)
        for _ in range(3 * DRAWN):
            with contextlib.suppress(RccError):
                texts.append(writer.Writer(build.build(option_values.Given.read(draw.words()))).text())
        folder = os.path.join(ROOT, "lab", "run", "test", "golden")
        for name in os.listdir(folder):
            if name.endswith(".run"):
                with open(os.path.join(folder, name), encoding="ascii") as f:
                    texts.append(f.read())
        seen = set()
        for line in "".join(texts).splitlines():
            record, *fields = line.split(" ")
            if record not in ("#", "algorithm"):
                seen.add(record)
                self.assertEqual(len(fields), len(self.records[record]), line)
        self.assertLessEqual(len(set(self.records) - seen), 8, set(self.records) - seen)

    def test_every_record(self):
        """The page names the records of the program's reader, and no others."""
        with open(os.path.join(ROOT, "lab", "run", "files", "run-file-reader.cc"), encoding="utf-8") as f:
            read = re.findall(r'^    \{"([a-z-]+)", (?:true|false),', f.read(), re.M)
        self.assertEqual(sorted(self.records), sorted(read))

    def test_warnings(self):
        """The page names every code of a warning, and the command has a sentence for each."""
        table = self.page.partition("A warning is ")[2]
        self.assertEqual(re.findall(r"`([a-z-]+)`", table.partition("Its codes are")[2].partition(".")[0]), sorted(sentences.SENTENCES))


if __name__ == "__main__":
    unittest.main()
