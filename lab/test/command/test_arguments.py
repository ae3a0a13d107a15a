# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The command accepts or refuses words and says why."""
import json
import os
import subprocess
import unittest

from support import RCC, RccTest, needs_programs, program

from command.run.options import EXPERIMENT

# (arguments, a part of the one line on stderr)
REFUSED = [
    ("run incast --flwos=3", "unknown option --flwos=3, did you mean --flows or --faults?"),
    ("run incast extra", "unexpected argument extra"),
    ("run incats", "did you mean incast?"),
    ("run", "SCENARIO"),
    ("rnu incast", "did you mean run?"),
    ("run incast --cc=", "an algorithm's name is missing"),
    ("run incast --cc=qcn,qcn", "qcn is listed twice"),
    ("run incast --cc=dcqcn,nope", "unknown algorithm 'nope'"),
    ("run incast --cc=../../etc", "unknown algorithm"),
    ("run incast --cc=dcqn", "unknown algorithm 'dcqn', expected one of dcqcn, dcqcn-nic, dcqcn-hpcc, dcqcn-plus, dcqcn-plus-share, qcn"),
    ("run incast --cc=dcqn", "the nearest is 'dcqcn'"),
    ("run incast --preset=papr", "dcqcn has no preset 'papr', expected one of paper, "),
    ("run incast --rate=17Tbps", "--rate is '17Tbps', expected 1Mbps to 16Tbps"),
    ("run incast --time=nan", "--time is 'nan', expected a time"),
    ("run incast --flows=1e99", "--flows is '1e99', expected "),
    ("run incast --kmin=1..2KB", "--kmin is '1..2KB', expected a size"),
    ("run incast --set=dcqcn.timr=1us", "--set: dcqcn has no parameter 'timr'; the nearest is 'timer'"),
    ("run incast --set=dcqcn", "--set is 'dcqcn', expected ALGORITHM.PARAMETER=VALUE"),
    ("run incast --flows=0", "--flows is '0', expected 1 to"),
    ("run incast --flows -5", "--flows is '-5', expected a whole number"),
    ("run incast --rate=fast", "--rate is 'fast', expected a rate"),
    ("run incast --flows", "expected one argument"),
    ("run incast --flows=", "--flows=: a value is missing"),
    ("run incast --flows=2 --flows=4", "--flows is given twice"),
    ("run incast --set dcqcn.g=1/16 --set DCQCN.g=1/8", "--set: dcqcn.g is given twice"),
    ("run incast --set dcqcn.g=1/16,dcqcn.g=1/8", "--set: dcqcn.g is given twice"),
    ("run incast --cc=dcqcn+g=1/16+g=1/8", "g is given twice"),
    ("run testbed --links=h[1-2]-s1 --flows=h1-h2:size=3:size=4", "size is given twice"),
    ("run incast --cc=qcn --seed=1,1", "--seed=1,1: 1 is listed twice"),
    ("sweep incast --cc=qcn --seed=1-3,2", "--seed=1-3,2: 2 is listed twice"),
    ("sweep incast --cc=qcn --rate=40Gbps,40000Mbps", "--rate=40Gbps,40000Mbps: 40Gbps is listed twice"),
    ("sweep incast --cc=qcn --set=qcn.gd=0.5,0.5", "--set qcn.gd: 0.5 is listed twice"),
    ("sweep incast --cc=qcn --attr=QbbSwitch.EgressAlpha=2,2", "--attr QbbSwitch.EgressAlpha: 2 is listed twice"),
    ("sweep incast --metric=jain,queue.mean_bytes,jain", "--metric=jain,queue.mean_bytes,jain: jain is listed twice"),
    ("compare out out --metrics=jain,jain", "--metrics=jain,jain: jain is listed twice"),
    ("run incast --format=svg,SVG", "--format=svg,SVG: svg is listed twice"),
    ("run incast --print --out=x", "--out has no effect: --print simulates nothing"),
    ("run incast --print --json", "--json has no effect: --print simulates nothing"),
    ("sweep incast --jobs=2,4", "--jobs: found '2,4', expected a whole number of at least 1"),
    ("properties --first=-1", "--first: found '-1', expected a whole number of at least 1"),
    ("check", "required: plan (see"),
    ("model fixed-point --set timer=1ms,timer=2ms", "--set: timer is given twice"),
    ("run incast --buffer=1B", "--buffer is '1B', expected 1KB to"),
    ("run collective --attr=RdmaNic.BucketSize=1000,RdmaNic.BucketDebt=false", "--attr has 'RdmaNic.BucketSize=1000', expected 0 or at "),
    ("run incast --vlan=5", "--vlan is --attr QbbNetDevice.VlanId=N now"),
    ("sweep incast --alpha=0.1,1", "--alpha is --attr QbbSwitch.Alpha=RATIO now"),
    ("ns3-rdma config.txt --verb=write", "--verb is --attr RdmaNic.Write=true now"),
    ("run capacity --sources=1", "--sources is --senders now"),
    ("run convergence --starts=0s", "--starts is --start now"),
    ("run fan-in --ports=4", "--ports is --hosts now"),
    ("run capacity --attr=RdmaNic.BucketDebt=false --mtu=4096", "RdmaNic.BucketSize is 3000, expected 0 or at least a frame of "),
    ("run incast --out=", "a folder's name is missing"),
    ("run incast --out=/proc/nowhere", "cannot write there"),
    ("sweep incast --no-plots --format=svg,pdf", "--format is 'svg,pdf', expected none beside --no-plots"),
    ("ns3-rdma config.txt --format=svg --no-plots", "--format is 'svg', expected none beside --no-plots"),
    ("compare a b --format=svg --no-plots", "--format is 'svg', expected none beside --no-plots"),
    ("pcap a.pcap --format=svg --no-plots", "--format is 'svg', expected none beside --no-plots"),
    ("plot nowhere", "no summary.json there"),
    ("algorithms dcqcnn", "did you mean dcqcn"),
    ("test --only=fuz", "did you mean fuzz?"),
    ("bench --quik", "did you mean --quick?"),
]


@needs_programs
class Arguments(RccTest):
    def test_refused(self):
        for line, fragment in REFUSED:
            with self.subTest(line):
                self.assert_refused(self.rcc(*line.split()), fragment)

    def test_no_arguments_shows_help(self):
        done = self.rcc()
        self.assertEqual(done.returncode, 2)
        self.assertIn("./rcc run incast", done.stdout)

    def test_help_has_examples(self):
        for words in ("", "run", "run incast", "test", "bench", "plot", "algorithms", "pcap"):
            with self.subTest(words):
                done = self.rcc(*words.split(), "--help")
                self.assertEqual(done.returncode, 0)
                self.assertIn("examples:\n  ./rcc ", done.stdout)

    def test_scenario_help_shows_defaults(self):
        text = " ".join(self.rcc("run", "incast", "--help-all").stdout.split())
        for fragment in ("default: dcqcn,dcqcn-plus,qcn", "default: 2000", "default: 40Gbps", "default: 9MB",
                         "--pmax", "--ack-every", "--set", "--pcap", "default: out/incast"):
            self.assertIn(fragment, text)

    def test_version(self):
        for words in ("version", "--version"):
            self.assertRegex(self.rcc(words).stdout, r"^rcc \d+\.\d+\.\d+\n$")

    def test_options_reach_the_experiment_as_typed(self):
        done = self.rcc("run", "incast", "--cc", "dcqcn", "--rate", "10Gbps", "--set", "dcqcn.g=0.5", "--set=dcqcn.f=3,dcqcn.r_ai=5Mbps",
                        "--pcap", "--ack-every=1", "--print")
        found = json.loads(done.stdout)
        self.assertEqual({key: found[key] for key in ("cc", "rate", "set", "pcap", "ack-every")},
                         {"cc": "dcqcn", "rate": "10Gbps", "set": {"dcqcn.g": "0.5", "dcqcn.f": 3, "dcqcn.r_ai": "5Mbps"}, "pcap": True,
                          "ack-every": 1})
        self.assertFalse(os.path.exists(self.path("out")))

    def test_the_ends_of_each_range(self):
        """Each value of an option's range is possible, or refused beside the other options; the attributes that it sets accept all."""
        ends = [f"--{option.name}={end}" for option in EXPERIMENT if option.low for end in (option.low, option.high)]
        self.assertGreater(len(ends), 30)
        for word in ends:
            done = program.run("experiment", ["--links=h[1-3]-s1", "--flows=h1-h3,h2-h3:size=1KB", word, "--check"])
            self.assertIn(done.returncode, (0, 2), word + done.stderr)
            if done.returncode:
                self.assertRegex(done.stderr, r"^rcc: error: .*\n$", word)

    def test_a_program_that_crashes_in_its_check(self):
        self.wrap("rcc-run", "kill -SEGV $$")
        done = self.rcc("run", "incast")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ended with status -11", done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_reader_that_goes_away(self):
        command = f"'{RCC}' algorithms dcqcn | head -1; echo done"
        done = subprocess.run(["sh", "-c", command], env=self.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertTrue(done.stdout.endswith("done\n"))
        self.assertNotIn("Traceback", done.stderr)


@needs_programs
class Catalog(RccTest):
    def test_overview_and_details(self):
        text = self.rcc("algorithms").stdout
        for name in ("dcqcn", "dcqcn-plus", "qcn"):
            self.assertRegex(text, rf"(?m)^{name} ")
        text = self.rcc("algorithms", "dcqcn-plus").stdout
        self.assertIn("--set dcqcn-plus.PARAM=VALUE", text)
        self.assertIn("0.00390625", text)

    def test_doctor_installs_nothing(self):
        fake = self.path("tools")
        os.mkdir(fake)
        for name in ("apt-get", "sudo"):
            with open(os.path.join(fake, name), "w", encoding="utf-8") as f:
                f.write(f'#!/bin/sh\ntouch "{self.path("called")}"\n')
            os.chmod(os.path.join(fake, name), 0o755)
        done = self.rcc("doctor", PATH=fake)
        self.assertEqual(done.returncode, 1)
        self.assertIn("MISSING  g++", done.stdout)
        self.assertIn("nothing can be built", done.stdout)
        self.assertFalse(os.path.exists(self.path("called")))


if __name__ == "__main__":
    unittest.main()
