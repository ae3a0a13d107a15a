# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--ranks: the same bytes from 1, 2, 3 and 4 processes; what is refused."""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import BUILD, ROOT, RccTest, program, scenario

from command.run import experiments, ranks  # noqa: E402  (support.py puts ROOT on the path)

sys.path.append(os.path.join(ROOT, "lab", "test", "properties"))
import over_ranks  # noqa: E402

PROGRAMS = ["rcc-run-ranks", "own-main-ranks"]
needs_ranks = unittest.skipUnless(shutil.which("mpirun") and all(os.access(os.path.join(BUILD, name), os.X_OK) for name in PROGRAMS),
                                  "the programs for several ranks are not built, or there is no mpirun")
TREE = "--k=4 --cores=4 --senders=12 --receivers=2 --flows=24 --start=50us --time=200us"
RACKS = "--topology=leaf-spine --racks=4 --hosts-per-rack=3 --spines=2 --ack-every=1"
VARIES = ("wall_s", "peak_rss_bytes")   # keys of run.json
CASES = {
    "finite flows": ("clos", TREE + " --size=20KB --cc=dcqcn-plus"),
    "endless flows, captures": ("clos", TREE + " --cc=dcqcn --pcap"),
    "messages of QCN": ("clos", TREE + " --start=0s --cc=qcn"),
    "pauses": ("clos", "--topology=leaf-spine --racks=4 --hosts-per-rack=3 --spines=2 --receivers=1 --start=10us --time=150us --cc=none"
               " --buffer=3MB"),
    "a slow core that cuts through": ("clos", "--topology=leaf-spine --racks=4 --hosts-per-rack=3 --spines=2 --rate=40Gbps"
                                      " --core-rate=10Gbps --attr=QbbSwitch.CutThrough=64 --receivers=2 --start=10us --time=150us"
                                      " --cc=dcqcn"),
    "much in a window": ("clos", "--k=4 --cores=4 --senders=12 --receivers=4 --flows=24 --delay=50us --start=10us --time=400us --cc=dcqcn"),
    "telemetry, windows, captures": ("clos", TREE + " --cc=hpcc --pcap"),
    "telemetry of PINT": ("clos", TREE + " --size=20KB --cc=hpcc --preset=pint"),
    "arrivals": ("workload", RACKS + " --time=300us --load=0.8 --drain=1ms --cc=timely --seed=2"),
}


@needs_ranks
class Ranks(RccTest):
    def setUp(self):
        super().setUp()
        for name in PROGRAMS:
            os.symlink(os.path.join(BUILD, name), os.path.join(self.bin, name))

    def simulate(self, kind, options, number):
        """The sha256 of every output."""
        folder = self.path(f"out-{number}")
        words = [*experiments.words(kind, options.split()), f"--out={folder}"]
        done = program.run(experiments.program(kind), words, count=number)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for path in sorted(glob.glob(folder + "/*")):
            with open(path, "rb") as f:
                data = f.read()
            if path.endswith(".json"):
                run = json.loads(data)
                data = json.dumps({k: v for k, v in run.items() if k not in VARIES}).encode()
            found[os.path.basename(path)] = hashlib.sha256(data).hexdigest()
        shutil.rmtree(folder)
        return found

    def test_same_bytes(self):
        for name, (kind, options) in CASES.items():
            alone = self.simulate(kind, options, 1)
            self.assertGreaterEqual(len(alone), 5)
            for number in (2, 3, 4):
                with self.subTest(name, ranks=number):
                    self.assertEqual(self.simulate(kind, options, number), alone)

    def test_same_bytes_from_several_machines(self):
        """Messages through MPI, and through memory for those that share a machine."""
        for name in ("endless flows, captures", "much in a window"):
            kind, options = CASES[name]
            alone = self.simulate(kind, options, 1)
            for number, machines in ((2, 2), (3, 2), (4, 2)):
                with self.subTest(name, ranks=number, machines=machines):
                    os.environ["RCC_RANK_MACHINES"] = str(machines)
                    self.addCleanup(os.environ.pop, "RCC_RANK_MACHINES", None)
                    self.assertEqual(self.simulate(kind, options, number), alone)
                    del os.environ["RCC_RANK_MACHINES"]

    def test_a_main_of_ones_own(self):
        def flows(number):
            done = subprocess.run([*ranks.launcher(number), os.path.join(BUILD, "own-main-ranks")], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.splitlines()
        alone = flows(1)
        self.assertEqual(len(alone), 24)
        self.assertNotIn("-1", " ".join(alone).split())
        self.assertEqual(flows(2), alone)

    def test_command(self):
        words = ["run", "clos", *(TREE + " --size=20KB --cc=dcqcn").split(), "--no-plots", "--quiet"]
        one = self.rcc(*words, "--out=one")
        two = self.rcc(*words, "--out=two", "--ranks=2")
        self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
        self.assertEqual(self.read("one", "dcqcn", "flows.csv"), self.read("two", "dcqcn", "flows.csv"))
        self.assertIn("--ranks=2", json.loads(self.read("two", "summary.json"))["command"])

    def test_flows_that_are_given_up(self):
        """Only the rank of the sender knows."""
        words = ["run", "clos", *"--topology=leaf-spine --racks=2 --hosts-per-rack=4 --spines=1 --receivers=1 --flows=7".split(),
                 "--start=10us", "--delay=5us", "--attr=QbbSwitch.LosslessClasses=0", "--attr=QbbSwitch.Alpha=1024", "--buffer=50KB",
                 "--cc=none", "--rto=100us", "--retry-limit=1", "--time=4ms", "--no-plots", "--quiet"]
        one = self.rcc(*words, "--out=one")
        two = self.rcc(*words, "--out=two", "--ranks=2")
        runs = [json.loads(self.read(folder, "none", "run.json")) for folder in ("one", "two")]
        self.assertRegex(one.stderr, r"none: \d of 7 flows were given up at the retry limit, the first one at [0-9.]+us\n")
        self.assertIn(one.stderr, two.stderr)
        for key in ("warnings", "endless", "timeouts"):
            self.assertEqual(runs[1][key], runs[0][key])

    def test_a_trace(self):
        """Flows that wait for what their host receives, and for times. What a host's NICs wait for from each other stays in one rank.
        The last network loses packets: the last one of a flow is not the last one to come."""
        self.put("w.txt", "HYBRID_TRANSFORMER model_parallel_NPU_group: 4 all_gpus: 16\n2\n"
                 "a -1 5000 ALLREDUCE 400000 5000 ALLREDUCE 400000 5000 ALLREDUCE 80000 0\n"
                 "b -1 5000 ALLTOALL 80000 5000 NONE 0 5000 ALLGATHER 90000 0\n")
        for words in (["--topology=leaf-spine"], ["--topology=fat-tree", "--ranks-per-host=2", "--compute=0.5x"],
                      ["--topology=rails", "--ranks-per-host=8"],
                      ["--topology=leaf-spine", "--attr=QbbSwitch.LoadBalancing=random,RdmaNic.Recovery=selective", "--lossy",
                       "--buffer=40KB", "--collective=all-reduce=direct", "--rto=200us", "--time=5ms"],
                      ["--topology=leaf-spine", "--attr=RdmaNic.Recovery=selective,QbbSwitch.TrimSize=64", "--lossy",
                       "--buffer=40KB", "--collective=all-reduce=direct", "--rto=200us", "--time=5ms"]):
            with self.subTest(words):
                words = ["run", "trace", "w.txt", *words, "--cc=dcqcn,none", "--no-plots", "--quiet"]
                one, two = self.rcc(*words, "--out=one"), self.rcc(*words, "--out=two", "--ranks=2")
                self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
                for cc in ("dcqcn", "none"):
                    for name in ("flows.csv", "run.json", "collectives.csv", "ranks.csv", "queue.csv"):
                        self.assertEqual(self.read("one", cc, name), self.read("two", cc, name), (cc, name))
        run = json.loads(self.read("one", "none", "run.json"))
        self.assertGreater(run["packets_repeated"], 0)
        self.assertGreater(run["frames_trimmed"], 0)
        self.assertGreater(run["step"]["step_s"], 0)

    def test_waits_of_other_hosts(self):
        """A barrier: what every host waits for happens at all others, at the same time."""
        experiment = {"links": ["h[0-3]=t[0-1]", "t[0-1]-s0"], "plain": True, "time": "1ms", "flows": [
            {"hosts": "h[0-3]=h[2-3,0-1]", "size": "9KB", "name": "a"}, {"hosts": "h[0-3]=h[2-3,0-1]", "size": "9KB", "after": "a"}]}
        experiment["flows"] = [{**flow, "hosts": f"h{i}-h{(i + 2) % 4}", **({"name": f"{flow['name']}{i}"} if "name" in flow else {
            "after": "+".join(f"a{k}" for k in range(4))})} for flow in experiment["flows"] for i in range(4)]
        self.put("barrier.json", json.dumps(experiment))
        words = ["run", "barrier.json", "--cc=dcqcn", "--no-plots", "--quiet"]
        one, two = self.rcc(*words, "--out=one"), self.rcc(*words, "--out=two", "--ranks=2")
        self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
        self.assertEqual(self.read("one", "dcqcn", "flows.csv"), self.read("two", "dcqcn", "flows.csv"))
        self.assert_refused(self.rcc(*words, "--ranks=5"), "hosts whose flows wait for those of others at once count as one")

    def test_hosts_file(self):
        self.put("hosts", "# one machine\nlocalhost slots=2\n")
        words = ["run", "workload", *RACKS.split(), *"--time=300us --load=0.8 --seed=2 --cc=dcqcn --no-plots --quiet".split()]
        one = self.rcc(*words, "--out=one")
        two = self.rcc(*words, "--out=two", "--ranks=2", "--hosts-file=hosts")
        self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
        self.assertEqual(self.read("one", "dcqcn", "flows.csv"), self.read("two", "dcqcn", "flows.csv"))

    def test_what_does_not_pay(self):
        racks = "--topology=leaf-spine --racks=3 --hosts-per-rack=1 --spines=1 --receivers=1 --senders=1 --flows=9 --time=100us"
        done = self.succeed("run", "clos", *racks.split(), "--start=10us", "--cc=dcqcn", "--no-plots", "--ranks=3")
        self.assertRegex(done.stderr, r"will not pay: a window of 1 us, the least delay between them, has [0-9.]+ us of work, of which the "
                         r"largest rank has \d+ %, and costs an exchange of 15 us: about 0\.\d+ times as fast as one rank")
        self.assertEqual(done.stderr.count("will not pay"), 1)   # the check warns, the run does not repeat it
        wide = subprocess.run(scenario("clos", *"--k=8 --cores=16 --senders=96 --receivers=16 --flows=2000".split(),
                                       *"--delay=10us --rate=100Gbps --cc=dcqcn --ranks=2 --check".split()), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((wide.returncode, wide.stderr), (0, ""))

    def test_networks(self):
        for seed in (1, 4):   # all outputs of the HPCC simulator; TCP
            self.assertEqual(over_ranks.check(BUILD, seed), [])

    def test_the_command_for_networks(self):
        done = self.rcc("properties", "--ranks", "--networks=1", "--first=7")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"^1 networks x 1 to 4 ranks: 0 failures \(.*\)\n$")

    def test_files_of_ns3_rdma(self):
        for name, text in over_ranks.files(3).items():
            self.put(name, text)
        self.put("hosts", "localhost slots=2\n")
        quiet = ("--no-plots", "--quiet")
        one = self.rcc("ns3-rdma", "config.txt", *quiet, "--out=one")
        two = self.rcc(*"ns3-rdma config.txt --ranks=2 --hosts-file=hosts".split(), *quiet, "--out=two")   # as lab/doc/scale.md has it
        self.assertEqual((one.returncode, two.returncode), (0, 0), two.stderr)
        for name in ("fct.txt", "mix.tr", "pfc.txt", "qlen.txt", "flows.csv"):
            with open(self.path("one", "dcqcn", name), "rb") as a, open(self.path("two", "dcqcn", name), "rb") as b:
                self.assertEqual(a.read(), b.read(), name)

    def test_pauses_of_another_class(self):
        config = ("PACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 1\nSIMULATOR_STOP_TIME 0.0005\n"
                  "BUFFER_SIZE 1\nPAUSE_TIME 5\nUSE_DYNAMIC_PFC_THRESHOLD 1\n")
        links = [*((host, 8 + host // 4) for host in range(8)), (8, 9)]
        topology = f"10 2 {len(links)}\n8 9\n" + "".join(f"{a} {b} 40Gbps 1us 0\n" for a, b in links)
        flows = "7\n" + "".join(f"{host} 7 6 100 2000000 0\n" for host in range(7))
        for name, text in (("config.txt", config), ("topology.txt", topology), ("flow.txt", flows)):
            self.put(name, text)
        seen = set()
        for keys in ("", "RX_PULL_RATE_SCHEDULE 7 2 0.0001 0.1 0.0002 1.0\n"):     # the second has a slow host for a while
            self.put("config.txt", config + keys)
            found, pauses = [], []
            for number in ("1", "2"):
                self.succeed("ns3-rdma", "config.txt", "--cc=none", f"--ranks={number}", "--no-plots", "--quiet", f"--out={number}")
                found.append(self.read(number, "none", "flows.csv"))
                pauses.append(json.loads(self.read(number, "none", "run.json"))["pfc"]["pauses"])
            self.assertEqual(found[0], found[1], keys)
            self.assertEqual(pauses[0], pauses[1], keys)
            self.assertGreater(pauses[0], 0)
            seen.add(found[0])
        self.assertEqual(len(seen), 2)


class Refused(RccTest):
    def test_what_needs_one_rank(self):
        self.put("faults.txt", "link-down 1 0 at=1ms\n")
        words = ["run", "workload", *RACKS.split(), "--time=300us", "--no-plots", "--cc=dcqcn"]
        self.assert_refused(self.rcc(*words, "--ranks=19"), "19 ranks, expected at most 18, the number of nodes")
        self.assert_refused(self.rcc(*words, "--storm-after=1ms", "--ranks=2"), "--storm-after needs one rank, found --ranks=2")
        self.assert_refused(self.rcc(*words, "--perfetto", "--ranks=2"), "--perfetto needs one rank")

    def test_bad_hosts_files(self):
        words = ["run", "workload", *RACKS.split(), "--hosts-file=hosts"]
        self.assert_refused(self.rcc(*words), "--hosts-file needs --ranks=N with N above 1")
        self.assert_refused(self.rcc(*words, "--ranks=2"), "--hosts-file=hosts: No such file")
        for text, expected in (("a slots=2\nb 3\n", "hosts:2: found 'b 3', expected NAME slots=N"), ("-x slots=2\n", "hosts:1: found"),
                               ("a slots=0\n", "hosts:1: found"), ("a slots=1\n", "hosts: found 1 slots, expected at least --ranks=2"),
                               ("", "hosts: found 0 slots")):
            self.put("hosts", text)
            self.assert_refused(self.rcc(*words, "--ranks=2"), expected)

    def test_refused(self):
        for text in ("0", "65", "two", "1.5", ""):
            self.assert_refused(self.rcc("run", "clos", f"--ranks={text}"), f"--ranks={text}: expected 1 to 64")


if __name__ == "__main__":
    unittest.main()
