# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--nic-params: dumps of a real NIC's settings in every form that tools print, in every scenario."""
import json
import unittest

from support import RccTest, needs_programs

from command.run import nic_params, specs

SYSFS = """/sys/class/net/eth0/ecn/roce_np/enable/0:1
/sys/class/net/eth0/ecn/roce_np/min_time_between_cnps:4
/sys/class/net/eth0/ecn/roce_rp/rpg_time_reset:55
/sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate:7
"""
DEBUGFS = """/sys/kernel/debug/mlx5/0000:03:00.0/cc_params/rp_time_reset:55
/sys/kernel/debug/mlx5/0000:03:00.0/cc_params/rp_ai_rate:7
/sys/kernel/debug/mlx5/0000:03:00.0/cc_params/np_min_time_between_cnps:4
"""
MLXCONFIG = """
Device #1:
----------

Device type:    ConnectX5
Device:         /dev/mst/mt4119_pciconf0

Configurations:                              Default             Current         Next Boot
         NUM_OF_VFS                          0                   8               8
*        RPG_TIME_RESET_P1                   300                 300             55
         RPG_AI_RATE_P1                      5                   5               7
         MIN_TIME_BETWEEN_CNPS_P1            0                   0               4
         CLAMP_TGT_RATE_P1                   False(0)            False(0)        True(1)
         RPG_AI_RATE_P2                      5                   5               9
         LINK_TYPE_P1                        ETH(2)              ETH(2)          ETH(2)
The '*' shows parameters with next value different from default/current value.
"""


class Forms(unittest.TestCase):
    def lines(self, text):
        return [line for line in nic_params.plain(text.splitlines()) if line]

    def test_sysfs(self):
        self.assertEqual(self.lines(SYSFS), ["enable 1", "min_time_between_cnps 4", "rpg_time_reset 55", "rpg_ai_rate 7"])

    def test_debugfs(self):
        self.assertEqual(self.lines(DEBUGFS), ["rp_time_reset 55", "rp_ai_rate 7", "np_min_time_between_cnps 4"])

    def test_mlxconfig(self):
        self.assertEqual(self.lines(MLXCONFIG), ["RPG_TIME_RESET_P1 55", "RPG_AI_RATE_P1 7", "MIN_TIME_BETWEEN_CNPS_P1 4",
                                                 "CLAMP_TGT_RATE_P1 True(1)"])
        self.assertEqual(len(nic_params.plain(MLXCONFIG.splitlines())), len(MLXCONFIG.splitlines()), "lines keep their numbers")

    def test_by_hand(self):
        self.assertEqual(self.lines("rpg_ai_rate 5\n# a comment\nrpg_gd: 11\nrpg_threshold=1\n"),
                         ["rpg_ai_rate 5", "# a comment", "rpg_gd: 11", "rpg_threshold=1"])

    def test_what_the_user_gives_stands_over_the_file(self):
        found = specs.parse("dcqcn+g=0.5").over("dcqcn", "nic-default", ("timer=300us", "g=0.1", "r_ai=5Mbps", "kmin=1KB"),
                                                ["--set=dcqcn.r_ai=9Mbps", "--kmin=5KB"])
        self.assertEqual(found, specs.Spec("dcqcn", "nic-default", ("timer=300us", "g=0.5")))
        self.assertEqual(specs.parse("dcqcn:cx4").over("dcqcn", "nic-default", (), []).preset, "cx4")
        self.assertEqual(specs.parse("dcqcn").over("dcqcn", "nic-default", (), ["--preset=paper"]).preset, "")
        self.assertEqual(specs.parse("timely").over("dcqcn", "nic-default", ("g=1",), []), specs.Spec("timely"))


@needs_programs
class Runs(RccTest):
    def file(self, text):
        with open(self.path("nic.txt"), "w", encoding="utf-8") as f:
            f.write(text)

    def parameters(self, scenario, cc, *words):
        done = self.rcc("run", scenario, f"--cc={cc}", "--nic-params=nic.txt", "--no-plots", "--out=out", "--quiet", *words,
                        RCC_MAX_EVENTS="3000")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {run["cc"]: run for run in json.loads(self.read("out", "summary.json"))["runs"]}, done.stderr

    def test_every_form_and_scenario(self):
        for text in (SYSFS, DEBUGFS, MLXCONFIG):
            self.file(text)
            run = self.parameters("incast", "dcqcn,timely")[0]["dcqcn"]
            self.assertEqual(run["preset"], "nic-default")
            self.assertEqual((run["parameters"]["timer"], run["parameters"]["r_ai"], run["parameters"]["cnp_generation"]),
                             ("55us", "7Mbps", "4us"))
        for scenario in ("convergence", "clos --k=4", "workload --time=1ms", "testbed --links=h[1-3]-s1 --flows=h[1-2]-h3", "capacity",
                         "long-haul"):
            name, *words = scenario.split()
            self.assertEqual(self.parameters(name, "dcqcn", *words)[0]["dcqcn"]["parameters"]["timer"],
                             "5ms" if name == "long-haul" else "55us", scenario)

    def test_a_setting_without_effect_is_a_warning(self):
        self.file("rpg_ai_rate 5\nrpg_max_rate 40000\ncnp_dscp 48\n")
        _, said = self.parameters("incast", "dcqcn")
        for setting in ("2: rpg_max_rate: 40000", "3: cnp_dscp: 48"):
            self.assertIn(f"rcc: warning: nic.txt:{setting} has no effect: ", said)
        self.assertNotIn("rpg_ai_rate", said)
        self.assertIn("--nic-params has no effect: dcqcn is not among", self.parameters("incast", "qcn")[1])

    def test_refused(self):
        self.file("rpg_ai_rate x\n")
        self.assert_refused(self.rcc("run", "incast", "--nic-params=nic.txt"), "nic.txt:1: rpg_ai_rate: found 'x'")
        self.assert_refused(self.rcc("run", "incast", "--nic-params=none.txt"), "none.txt: No such file")
        self.assert_refused(self.rcc("run", "incast", "--nic-params="), "--nic-params=: a value is missing")


if __name__ == "__main__":
    unittest.main()
