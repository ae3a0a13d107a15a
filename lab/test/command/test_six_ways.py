# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Six ways of users, from the files that they have to the answer that they came for, as they would type them. The sixth, a main with
TCP, is a step of lab/test/first-hour.sh, which has a build of its own."""
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from support import BUILD, ROOT, RccTest, needs_programs

from command.system import packages

SYSFS = "".join(f"/sys/class/net/eth0/ecn/roce_{name}\n" for name in ("rp/enable/3:1", "rp/rpg_time_reset:{0}", "rp/rpg_ai_rate:5",
                                                                    "rp/rpg_hai_rate:50", "np/min_time_between_cnps:4"))
HPCC = ("ENABLE_QCN 1\nUSE_DYNAMIC_PFC_THRESHOLD 1\nPACKET_PAYLOAD_SIZE 1000\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
        "FCT_OUTPUT_FILE fct.txt\nPFC_OUTPUT_FILE pfc.txt\nSIMULATOR_STOP_TIME 4.00\nCC_MODE 3\nALPHA_RESUME_INTERVAL 1\n"
        "RATE_DECREASE_INTERVAL 4\nCLAMP_TARGET_RATE 0\nRP_TIMER 900\nEWMA_GAIN 0.00390625\nFAST_RECOVERY_TIMES 1\n"
        "RATE_AI 50Mb/s\nRATE_HAI 100Mb/s\nMIN_RATE 100Mb/s\nERROR_RATE_PER_LINK 0.0000\nL2_CHUNK_SIZE 4000\n"
        "L2_ACK_INTERVAL 1\nL2_BACK_TO_ZERO 0\nHAS_WIN 1\nGLOBAL_T 1\nVAR_WIN 1\nFAST_REACT 1\nU_TARGET 0.95\nMI_THRESH 0\n"
        "INT_MULTI 1\nRATE_BOUND 1\nACK_HIGH_PRIO 0\nLINK_DOWN 0 0 0\nENABLE_TRACE 0\nKMAX_MAP 1 100000000000 1600\n"
        "KMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\nBUFFER_SIZE 32\n")


@needs_programs
class SixWays(RccTest):
    def runs(self, folder):
        return {run.get("label") or run["cc"]: run for run in json.loads(self.read(folder, "summary.json"))["runs"]}

    def test_an_own_algorithm_in_a_copied_checkout(self):
        """cp -a of a checkout with its build: the copy builds its own sources, and says that the folder was another's. Here the core
        alone is built there; stages/own_algorithm.py and stages/tutorial.py build and run all of it."""
        copy = self.path("copy")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=lambda at, names: [
            name for name in names if name in (".git", "out", "__pycache__") or (at == ROOT and name.startswith("build"))])
        os.mkdir(os.path.join(copy, "build"))
        shutil.copy(os.path.join(BUILD, "CMakeCache.txt"), os.path.join(copy, "build"))
        shutil.copy(os.path.join(copy, "examples", "own-algorithm", "dctcp_rate.c"), os.path.join(copy, "core", "cc"))
        with open(os.path.join(copy, "core", "cc", "algorithms.def"), "a", encoding="utf-8") as f:
            f.write("RCC_ALGORITHM(dctcp_rate)\n")
        environment = {key: value for key, value in os.environ.items() if key != "RCC_BUILD_DIR"}
        doctor = subprocess.run([sys.executable, os.path.join(copy, "rcc"), "doctor"], cwd=copy, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        self.assertIn("was made for", doctor.stdout)
        done = subprocess.run(["cc", "-std=c11", "-fsyntax-only", f"-I{copy}/core/cc", f"-I{copy}/core/text", f"{copy}/core/cc/registry.c",
                               f"{copy}/core/cc/dctcp_rate.c"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_an_operator_with_two_dumps(self):
        """Two NICs, and what is shipped: three rows, and what differs in a line."""
        for name, reset in (("old.txt", 300), ("new.txt", 55)):
            self.put(name, SYSFS.format(reset))
        done = self.succeed("run", "incast", "--cc=dcqcn", "--nic-params=old.txt,new.txt,default", "--flows=16", "--time=20ms",
                       "--no-plots", "--out=out")
        self.assertEqual({label: run["parameters"]["timer"] for label, run in self.runs("out").items()},
                         {"dcqcn old.txt": "300us", "dcqcn new.txt": "55us", "dcqcn default": "300us"})
        self.assertIn("your settings: timer=55us", done.stderr)
        self.assertIn("incast: How small a queue keeps the link full?", done.stdout.splitlines()[0])
        alone = self.succeed("run", "incast", "--nic-params=old.txt", "--cc=dcqcn", "--flows=4", "--time=2ms", "--no-plots", "--out=one")
        self.assertEqual(alone.stdout.splitlines()[0], "incast: How small a queue keeps the link full?")
        self.assertIn("<tr><th scope=\"row\">kmin</th>", self.read("one", "report.html"))

    def test_a_user_of_hpcc(self):
        """The files of its README, unchanged: the run ends with its flows, and fct.txt gives slowdowns by size."""
        self.put("hpcc/config.txt", HPCC)
        self.put("hpcc/topology.txt", "5 1 4\n4\n" + "".join(f"{host} 4 100Gbps 1000ns 0.000000\n" for host in range(4)))
        self.put("hpcc/flow.txt", "3\n0 3 3 100 1000000 2\n1 3 3 101 1000000 2\n2 3 3 102 1000 2.0001\n")
        self.succeed("ns3-rdma", "hpcc/config.txt", "--no-plots", "--out=out")
        run = self.runs("out")["hpcc"]
        self.assertEqual((run["fct"]["count"], run.get("incomplete", 0)), (3, 0))
        self.assertLess(run["sim_s"], 2.1)
        rows = [line.split() for line in self.read("out", "hpcc", "fct.txt").splitlines()]
        self.assertEqual([(row[0], row[4]) for row in sorted(rows)],
                         [("0b000001", "1000000"), ("0b000101", "1000000"), ("0b000201", "1000")])
        both = [int(row[6]) for row in rows if row[4] == "1000000"]       # two share 100 Gb/s
        self.assertTrue(all(160e3 < ns < 200e3 for ns in both), both)
        self.assertIn("1000000", self.succeed("fct", "out/hpcc/fct.txt", "--json").stdout)

    @unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
    def test_three_pictures_of_a_teacher(self):
        """One figure of a run, one of a sweep, one in vectors, each as wide as a slide and with the teacher's title."""
        self.succeed("run", "convergence", "--start=0s,2ms,6ms", "--time=12ms", "--cc=dcqcn,dcqcn-plus", "--no-plots", "--out=out")
        self.succeed("sweep", "incast", "--cc=dcqcn,qcn", "--flows=2,8", "--time=4ms", "--no-plots", "--out=study")
        for words, name in ((["out", "--figure=flow_rates", "--title=Who gets what?"], "out/flow_rates"),
                            (["study", "--figure=sweep-queue.mean_bytes", "--title=More flows"], "study/sweep-queue.mean_bytes"),
                            (["out", "--figure=queue", "--format=svg", "--title=The queue, $t$"], "out/queue")):
            self.succeed("plot", *words, "--size=10x6")
            with open(self.path(name + ".png"), "rb") as f:
                self.assertEqual(struct.unpack(">II", f.read(24)[16:24]), (2000, 1200), name)
        self.assertIn("The queue, $t$", self.read("out", "queue.svg"))

    def test_a_maintainer(self):
        """A change under review: nothing moved, and what did is named, with status 1; two runs of a seed have the same files."""
        words = ["run", "incast", "--flows=16", "--time=4ms", "--start=100us", "--cc=dcqcn", "--no-plots"]
        self.succeed(*words, "--out=base")
        self.succeed(*words, "--out=same")
        self.succeed(*words, "--set=dcqcn.g=0.5", "--out=new")
        self.succeed("compare", "base", "same", "--fail-over=0", "--no-plots", "--out=cmp")
        for name in ("summary.json", "table.csv", "dcqcn/run.json", "dcqcn/flows.csv", "dcqcn/experiment.json"):
            self.assertEqual(self.read("base", name), self.read("same", name), name)
        done = self.rcc("compare", "base", "new", "--fail-over=5", "--no-plots", "--out=cmp")
        self.assertEqual(done.returncode, 1)
        self.assertIn("parameter g", done.stdout)
        self.assertIn("moved by more than 5 %:", done.stdout)
        listed = self.succeed("test", "--list").stdout
        for stage in ("golden", "core-tests", "lint", "tutorial"):
            self.assertIn(stage, listed)


if __name__ == "__main__":
    unittest.main()
