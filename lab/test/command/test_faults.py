# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--faults: the table of lab/evidence/doc/faults.md, and files that are wrong."""
import csv
import json
import os
import re
import unittest

import fault_cases
from support import BUILD, ROOT, RccTest, needs_programs, program

# (a line, a part of the message after FILE:LINE: )
MALFORMED = [
    ("explode link=4-6", "fault: found 'explode', expected reroute, link-down, rate, lose"),
    ("lose", "link: found nothing, expected lose link=..."),
    ("lose link", "lose: found 'link', expected link=, at=, for=, p="),
    ("lose link=", "link: found '', expected all, NODE-NODE"),
    ("lose link=4", "link: found '4', expected all, NODE-NODE for both directions or NODE>NODE for one"),
    ("lose link=4-4", "link: found '4-4'"),
    ("lose link=4-99999999999", "link: found '4-99999999999'"),
    ("lose link=0-1", "link: found 0-1, expected two nodes with a link between them"),
    ("lose link=4>99", "link: found 4>99, expected two nodes with a link between them"),
    ("lose link=all link=all", "link: found it twice, expected it once"),
    ("lose link=all p=0", "p: found '0', expected"),
    ("lose link=all p=often", "p: found 'often', expected"),
    ("lose link=all burst=0", "burst: found '0', expected 1 to 1000000"),
    ("lose link=all burst=1.5", "burst: found '1.5', expected 1 to 1000000"),
    ("lose link=all burst=3 p=0.9", "p: found '0.9', expected at most 3/4 with burst=3"),
    ("corrupt burst=10 link=all", "p: found nothing, expected at most 10/11 with burst=10"),
    ("delay link=all time=1us p=0.666666667 burst=2", "p: found '0.666666667', expected at most 2/3 with burst=2"),
    ("lose link=all count=0", "count: found '0', expected 1 to 1000000"),
    ("lose link=all frames=", "frames: found '', expected all, or some of DATA,ACK,NAK,CNP,CNM,PFC,IP"),
    ("lose link=all frames=DATA,XYZ", "frames: found 'DATA,XYZ', expected all"),
    ("lose link=all at=1", "at: found '1', expected"),
    ("lose link=all for=0s", "for: found '0s', expected"),
    ("lose link=all for=2000s", "for: found '2000s', expected 1ns to 1000s"),
    ("lose link=all class=3", "lose: found 'class', expected link=, at=, for=, p=, burst=, count=, frames="),
    ("delay link=all", "time: found nothing, expected delay time=..."),
    ("delay link=all time=0s", "time: found '0s', expected"),
    ("rate link=4-6", "rate: found nothing, expected rate rate=..."),
    ("rate link=4-6 rate=10Gbps", "rate: found 10000000000bps, expected less than the link's 10000000000bps"),
    ("rate link=4>6 rate=1Gbps", "link: found '4>6', expected NODE-NODE: the link fails in both directions"),
    ("link-down link=4>6", "link: found '4>6', expected NODE-NODE"),
    ("rate link=4-6 rate=1Gbps at=1ms for=1ms\nrate link=all rate=2Gbps at=1500us for=3ms",
     "rate: found link=all from 1500us to 4500us, expected a time outside that of line 3, from 1ms to 2ms"),
    ("pause host=2 at=2ms\npause host=3\npause host=all at=1ms for=1001us",
     "pause: found host=all from 1ms to 2001us, expected a time outside that of line 3, from 2ms on"),
    ("stop-reading host=1 for=2ms\nstop-reading host=1 buffer=1MB",
     "stop-reading: found host=1 from 0s on, expected a time outside that of line 3, from 0s to 2ms"),
    ("link-down link=4-6 for=100us every=500us", "count: found nothing, expected count=N with every=TIME"),
    ("link-down link=4-6 for=100us every=500us count=1", "count: found 1, expected 2 or more with every=TIME"),
    ("link-down link=4-6 count=3", "count: found 3, expected for=TIME and a longer every=TIME with it"),
    ("link-down link=4-6 count=3 for=1ms every=1ms", "count: found 3, expected for=TIME and a longer every=TIME"),
    ("pause", "host: found nothing, expected pause host=..."),
    ("pause host=4", "host: found 4, expected a host of the network"),
    ("pause host=x", "host: found 'x', expected 0 to"),
    ("pause host=2 class=8", "class: found '8', expected 0 to 7"),
    ("stop-reading host=2 buffer=0", "buffer: found '0', expected"),
    ("restart switch=4", "for: found nothing, expected restart for=..."),
    ("restart switch=2 for=1ms", "switch: found 2, expected a switch of the network"),
    ("restart switch=all for=1ms", "switch: found 'all', expected 0 to"),
    ("slow-np host=2", "every: found nothing, expected slow-np every=..."),
    ("forge host=2", "frames: found nothing, expected forge frames=..."),
    ("forge host=2 frames=PFC", "frames: found 'PFC', expected one of DATA, ACK, NAK, CNP, CNM"),
    ("forge host=2 frames=all", "frames: found 'all', expected one of DATA"),
    ("forge host=2 frames=CNP period=5s", "period: found '5s', expected"),
    ("forge host=2 frames=CNP qp=-1", "qp: found '-1', expected 0 to 4294967295"),
    ("forge host=2 frames=ACK psn=1e9", "psn: found '1e9', expected 0 to"),
    ("forge host=2 frames=CNP for=1ms", "count: found nothing, expected count=N with for=TIME"),
    ("forge host=2 frames=CNP every=10us", "count: found nothing, expected count=N with every=TIME"),
    ("forge host=2 frames=CNP count=1 for=10us", "count: found 1, expected 2 or more with for=TIME"),
    ("forge host=2 frames=ACK period=1us", "period: found frames=ACK, expected frames=CNP with it"),
    ("forge host=2 class=3 frames=NAK", "class: found frames=NAK, expected frames=DATA with it"),
    ("forge host=2 frames=CNM psn=7", "psn: found frames=CNM, expected frames=DATA, ACK or NAK with it"),
    ("reroute", "reroute: found '', expected time=TIME or time=never"),
    ("reroute time=soon", "time: found 'soon', expected"),
    ("reroute 1ms", "reroute: found '1ms', expected time=TIME or time=never"),
    ("reroute time=2us", "reroute: found it twice, expected it once"),
    ("# nothing", "found no fault, expected at least one"),
    ("lose link=all\0", "found a byte of value 0, expected text"),
]


@needs_programs
class Faults(RccTest):
    def setUp(self):
        super().setUp()
        for name, text in fault_cases.FILES.items():
            self.put(name, text)

    def program(self, text, *words):
        self.put("faults.txt", text)
        return program.run("ns3-rdma", ["--config=config.txt", "--faults=faults.txt", *words], self.scratch)

    def test_table(self):
        with open(os.path.join(ROOT, "lab", "evidence", "doc", "faults.md"), encoding="utf-8") as f:
            rows = f.read().splitlines()
        self.assertGreaterEqual(len(fault_cases.CASES), 24)
        for case in fault_cases.CASES:
            with self.subTest(case.name):
                result = fault_cases.run(BUILD, case, self.scratch)
                self.assertEqual((result.status, result.run.get("partial")), (0, False), result.stderr)
                self.assertGreater(result.hits(), 0, "the fault does not happen")
                row = fault_cases.row(case, result)
                self.assertTrue(row in rows, f"lab/evidence/doc/faults.md lacks {row}; lab/tools/fault_table.py makes its table")

    def test_malformed(self):
        for line, message in MALFORMED:
            with self.subTest(line):
                done = self.program("# first\nreroute time=1us # second\n" + line + "\n", "--check")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                last = 3 + line.count("\n")
                self.assertIn(f"rcc: error: faults.txt:{last}: " + message, done.stderr)

    def test_one_after_the_other(self):
        """Faults of a kind that follow each other at once, in both orders, hold up to the end of the last one."""
        for first, then in (("rate link=2-5 rate=1Gbps at=1ms for=1ms", "rate link=2-5 rate=2Gbps at=2ms for=2ms"),
                            ("pause host=2 at=1ms for=1ms", "pause host=2 at=2ms for=2ms"),
                            ("stop-reading host=2 at=1ms for=1ms", "stop-reading host=2 at=2ms for=2ms")):
            received = []
            for text in (f"{first}\n{then}\n", f"{then}\n{first}\n", then.replace("at=2ms for=2ms", "at=1ms for=3ms")):
                run = json.loads(self.program(text, "--time=4ms", "--cc=none").stdout)
                received.append(run["bytes_delivered"])
            with self.subTest(first):
                self.assertEqual(received[0], received[1])
                self.assertLessEqual(received[0], received[2])

    def stepped(self, faults, *words, **more):
        """A run of an experiment file with rates that change, beside faults."""
        self.put("f.txt", faults + "\n")
        self.put("x.json", json.dumps({"links": ["h[1-3]-s1"], "flows": ["h1-h2", "h2-h3"], "time": "2ms", **more}))
        return self.rcc("run", "x.json", "--faults=f.txt", "--cc=none", "--no-plots", "--quiet", *words)

    def test_a_rate_that_something_else_sets(self):
        """The end of a fault would put the link's own rate in the place of what phases or steps have set."""
        phases, step = {"phases": ["0s:10Gbps", "1ms:5Gbps"]}, {"steps": ["s1>h3:1ms:5Gbps"]}
        for text, more, refused in (
                ("rate link=1-2 at=1ms for=1ms rate=1Gbps", phases, "found link=1-2 from 1ms to 2ms, expected none of 1-2 from 0s on, as "
                                                                    "phases sets its rate"),
                ("rate link=all at=1ms rate=1Gbps", phases, "found link=all from 1ms on, expected none of 1-2 from 0s on"),
                ("rate link=0-1 at=1ms for=1ms rate=1Gbps", phases, ""),
                ("rate link=1-3 at=999us for=2us rate=1Gbps", step, "found link=1-3 from 999us to 1001us, expected none of 1-3 from 1ms "
                                                                    "on, as steps=s1>h3:1ms:5Gbps sets its rate"),
                ("rate link=1-3 at=1500us for=2us rate=1Gbps", step, "found link=1-3 from 1500us to 1502us, expected none of 1-3"),
                ("rate link=1-3 at=999us for=1us rate=1Gbps", step, ""), ("rate link=1-2 rate=1Gbps", step, "")):
            with self.subTest(text + " " + str(more)):
                done = self.stepped(text, "--out=out/" + ("no" if refused else "yes"), **more)
                self.assertEqual(done.returncode, 2 if refused else 0, done.stderr)
                self.assertIn("f.txt:1: rate: " + refused if refused else "", done.stderr)
                self.assertFalse(os.path.exists(self.path("out", "no")))

    def test_a_step_in_the_nanosecond_in_which_a_fault_ends(self):
        """It takes over, at its port alone."""
        sent = {}
        for at in ("1ms", "1000001ns"):
            done = self.stepped("rate link=1-2 at=500us for=500us rate=1Gbps", "--window=1200us-2ms", "--out=out/" + at,
                                steps=[f"s1>h2:{at}:2Gbps"])
            self.assertEqual(done.returncode, 0, done.stderr)
            sent[at] = [float(row["goodput_bps"]) for row in csv.DictReader(self.read("out", at, "none", "flows.csv").splitlines())]
            self.assertLess(sent[at][0], 2e9)
            self.assertGreater(sent[at][1], 5 * sent[at][0])

    def test_no_documented_fault_violates_an_invariant(self):
        for text in ("duplicate link=all frames=DATA", "duplicate link=all frames=ACK", "delay link=all time=500us frames=DATA",
                     "forge host=0 frames=NAK psn=3 at=8us", "forge host=all frames=ACK psn=3 at=8us"):
            with self.subTest(text):
                done = self.program(text + "\n", "--time=4ms", "--cc=dcqcn", "--interval=5us", "--check-invariants")
                self.assertEqual((done.returncode, done.stderr[:200]), (0, ""))

    def test_tcp_and_small_frames_in_a_lossless_class_violate_no_invariant(self):
        """Broadcasts (ARP) are copied by switches; what comes late or twice may be of any kind, in the class of the data."""
        plain = ("testbed", "--links=h[1-5]-s1", "--time=2ms", "--no-plots", "--quiet", "--check-invariants", "--out=out/kinds")
        tcp = ("--flows=h1-h5", "--tcp=h[2-4]-h5:connections=8", "--attr", "QbbNetDevice.IpClass=3", "--cc=none")
        for text, words in (("rate link=0-1 rate=1Gbps", tcp), ("delay link=all time=200us frames=IP", tcp),
                            ("duplicate link=all frames=IP", tcp),
                            ("delay link=all time=200us frames=ACK", ("--flows=h[1-4]-h5:repeat=50", "--cc=dcqcn", "--attr",
                                                                      "RdmaNic.AckHighPriority=false")),
                            ("duplicate link=all frames=CNP", ("--flows=h[1-4]-h5:repeat=50", "--cc=dcqcn", "--attr",
                                                               "RdmaNic.CnpClass=3")),
                            ("delay link=all time=200us frames=CNM", ("--flows=h[1-4]-h5:repeat=50", "--cc=qcn", "--attr",
                                                                      "QbbSwitch.ControlClass=3"))):
            with self.subTest(text):
                self.put("f.txt", text + "\n")
                done = self.rcc("run", *plain, *words, "--faults=f.txt")
                self.assertEqual((done.returncode, "violated" in done.stderr), (0, False), done.stderr[:300])

    def test_no_such_file(self):
        for name, message in (("missing", "'missing': No such file"), (".", ".: found a directory"), ("/dev/zero", "found a device")):
            done = self.rcc("run", "incast", f"--faults={name}")
            self.assert_refused(done, message)

    def test_the_seed_decides(self):
        lossy = "lose link=all p=0.01\nduplicate link=4-6 p=0.01 burst=3\ndelay link=4-6 p=0.1 time=3us\n"
        texts = {}
        for seed in "112":
            done = self.program(lossy, "--time=2ms", f"--seed={seed}")
            self.assertEqual(done.returncode, 0, done.stderr)
            run = json.loads(done.stdout)
            texts.setdefault(seed, set()).add(str([(k, v) for k, v in run.items() if k not in ("wall_s", "peak_rss_bytes")]))
        self.assertEqual(len(texts["1"]), 1, "same seed, same result")
        self.assertNotEqual(texts["1"], texts["2"])

    def test_one_fault_leaves_the_picks_of_another_alone(self):
        hits = []
        for text in ("lose link=4-6 p=0.01 frames=CNP\nlose link=0-4 p=0.001 frames=DATA for=1ms\n",
                     "lose link=4-6 p=0.01 frames=IP\nlose link=0-4 p=0.001 frames=DATA for=1ms\n"):
            run = json.loads(self.program(text, "--time=2ms").stdout)
            hits.append(run["faults"][1]["hits"])
        self.assertEqual(hits[0], hits[1])
        self.assertGreater(hits[0], 0)

    def test_through_the_command(self):
        self.put("f.txt", "lose link=all p=0.01 frames=DATA\n")
        done = self.succeed("run", "incast", "--faults=f.txt", "--flows=4", "--time=2ms", "--start=0s", "--no-plots", "--cc=dcqcn",
                            "--check-invariants")
        self.assertIn("frames lost on links", done.stdout)
        run = json.loads(self.read("out", "incast", "dcqcn", "run.json"))
        self.assertEqual((run["faults"][0]["fault"], run["faults"][0]["place"]), ("lose", "link=all"))
        self.assertEqual(run["faults"][0]["hits"], run["frames_lost"])

    def warned(self, *words):
        """The warnings of a run, as printed and in run.json, which are the same."""
        done = self.succeed("run", *words, "--cc=none", "--no-plots", "--quiet", "--out=out/never")
        listed = json.loads(self.read("out", "never", "none", "run.json"))["warnings"]
        printed = [line[len("rcc: warning: "):] for line in done.stderr.splitlines() if line.startswith("rcc: warning: ")]
        self.assertEqual([line for line in printed if not line.startswith("not ended: ")], listed)
        return listed

    def test_a_fault_after_the_end_is_said(self):
        latest = "the run ends at 2ms at the latest"
        lines = ("lose link=all at=1ms p=0.1", "lose link=all at=2ms p=0.1", "pause host=0 at=5ms")
        for text, size, said in (("\n".join(lines[:1]), "", []),
                                 ("# one\n" + lines[1], "", [f"f.txt:2: lose at 2ms never happens: {latest}"]),
                                 ("\n".join(lines), "", [f"f.txt:2: lose at 2ms never happens: {latest} (2 faults of the file "
                                                         "never happen)"]),
                                 (lines[0], ":size=10KB", [r"f.txt:1: lose at 1ms never happens: the run ends at \d+ns"])):
            with self.subTest(text + size):
                self.put("f.txt", text + "\n")
                found = self.warned("testbed", "--links=h[1-2]-s1", f"--flows=h1-h2{size}", "--time=2ms", "--faults=f.txt")
                self.assertEqual(len(found), len(said), found)
                for one, pattern in zip(found, said):
                    self.assertRegex(one, pattern if size else re.escape(pattern))

    def test_before_a_run_its_end_is_the_latest(self):
        """With --drain a run may go on to --time and that: before it begins nobody knows the end, which comes with the last flow."""
        self.put("f.txt", "pause host=0 at=9s for=1us\npause host=0 at=11s for=1us\n")
        first, second = self.warned("workload", "--hosts=4", "--load=0.5", "--time=1ms", "--faults=f.txt")
        self.assertEqual(first, "f.txt:2: pause at 11s never happens: the run ends at 10.001s at the latest")
        self.assertRegex(second, r"^f.txt:1: pause at 9s never happens: the run ends at [0-9.]+us$")

    def test_what_else_begins_after_the_end(self):
        plain, latest = ("testbed", "--links=h[1-3]-s1", "--time=2ms"), "the run ends at 2ms at the latest"
        for words, said in (("--flows=h1-h2,h3-h2:start=1ms", []),
                            ("--flows=h1-h2,h3-h2:start=2ms", [f"1 of 2 flows never starts: {latest}, it is for 2ms"]),
                            ("--flows=h1-h2:size=1KB:name=a,h3-h2:after=a@1999us",
                             ["none: 1 of 1 flow without an end never started: what it waits for had not happened when the simulation "
                              "ended"]),
                            ("--flows=h1-h2:size=1KB:name=a,h3-h2:after=a@2ms:size=1KB",
                             [f"1 of 2 flows never starts: {latest}, it is for 2ms at the earliest"]),
                            ("--flows=h1-h2:size=1KB:after=b,h1-h2:size=1KB:name=a:start=1ms,h3-h2:name=b:after=a:delay=1ms:size=1KB",
                             [f"2 of 3 flows never start: {latest}, the first of them is for 2ms at the earliest"]),
                            ("--flows=h1-h2:size=1KB:name=a:repeat=2:every=1900us,h3-h2:after=a+@9ms:needs=2:delay=200us",
                             [f"1 of 3 flows never starts: {latest}, it is for 2100us at the earliest"]),
                            ("--flows=h1-h2:size=1KB:name=a:repeat=2:every=1900us,h3-h2:after=a+@9ms:needs=1:delay=200us", []),
                            ("--flows=h1-h2:after=@3ms,h3-h2:start=4ms",
                             [f"2 of 2 flows never start: {latest}, the first of them is for 3ms at the earliest"]),
                            ("--flows=h1-h2 --pause=h2:start=1ms:stop=9ms", []),
                            ("--flows=h1-h2 --pause=h2:start=3ms", [f"--pause=h2:start=3ms begins at 3ms, but {latest}: it never happens"]),
                            ("--flows=h1-h2 --tcp=h3-h2:start=4ms", [f"--tcp=h3-h2:start=4ms begins at 4ms, but {latest}: "
                                                                     "it never happens"]),
                            ("--flows=h1-h2:size=10KB --lose=h1:5,h1:50", ["--lose: 1 of its packets were never sent in this run, and so "
                                                                          "not lost"])):
            with self.subTest(words):
                found = self.warned(*plain, *words.split())
                self.assertEqual([one for one in found if "averages begin" not in one], said)

    def test_what_begins_after_the_flows_have_ended(self):
        plain = ("testbed", "--links=h[1-3]-s1", "--flows=h1-h2:size=10KB", "--time=2ms")
        self.put("x.json", json.dumps({"links": ["h[1-3]-s1"], "flows": ["h1-h2:size=10KB"], "time": "2ms", "steps": ["s1>h2:1ms:1Gbps"]}))
        for word, words in (("--pause=h3:start=1ms", plain), ("--tcp=h3-h2:start=1ms", plain), ("--steps=s1>h2:1ms:1Gbps", ["x.json"])):
            with self.subTest(word):
                found = self.warned(*words, *([word] if words == plain else []))
                self.assertEqual(len(found), 1, found)
                self.assertRegex(found[0], re.escape(word) + r" begins at 1ms, but the run ends at \d+ns: it never happens$")
        self.assertEqual(self.warned(*plain, "--pause=h3:start=1us"), [])

    def test_a_link_of_a_config_that_fails_after_the_end(self):
        """After the end of the run, and after that of the flows."""
        config = fault_cases.FILES["config.txt"]
        for at, time, end in ((1, "4s", r"[\d.]+[mun]?s"), (1000000, "1ms", r"\S+ at the latest")):
            self.put("config.txt", f"{config}LINK_DOWN {at} 4 6\n")
            found = json.loads(self.program("lose link=all p=0.01\n", f"--time={time}").stdout)["warnings"]
            self.assertRegex(" ".join(found), rf"config.txt:19: LINK_DOWN begins at \S+, but the run ends at {end}( at the latest)?: it "
                             "never happens")

    def test_a_step_of_a_rate_after_the_end(self):
        done = self.succeed("run", "fan-in", "--flows=0:5,1:5", "--capacity=5:10ms:1Gbps", "--time=2ms", "--no-plots", "--quiet")
        self.assertIn("warning: --steps=s0>h5:10ms:1Gbps begins at 10ms, but the run ends at 2ms at the latest: it never happens",
                      done.stderr)

    def test_what_links_lose_in_other_networks(self):
        self.put("f.txt", "lose link=all p=0.01 frames=DATA\n")
        testbed = ("testbed", "--links=h[1-2]-s1", "--flows=h1-h2:size=1MB", "--time=9ms")
        for words, lost in (((*testbed, "--faults=f.txt"), 0), ((*testbed, "--lose=h1:49", "--lose=h1:50"), 2),
                            (("permutation", "--time=100us", "--faults=f.txt"), 0),
                            (("collective", "--size=100KB", "--faults=f.txt"), 0)):
            done = self.succeed("run", *words, "--cc=dcqcn", "--no-plots", "--out=out/net")
            self.assertRegex(done.stdout, r"lost: dcqcn: \d+ frames lost on links", words)
            run = json.loads(self.read("out", "net", "dcqcn", "run.json"))
            self.assertEqual(run["frames_lost"], lost or run["faults"][0]["hits"], words)


if __name__ == "__main__":
    unittest.main()
