# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--nic-params: dumps of a real NIC's settings in every form that tools print, in every scenario."""
import json
import unittest

from support import InFolder, RccTest, captured, needs_programs

from command.common import RccError
from command.experiment import catalogue, nic_dump
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
WINDOWS = """DcQcnEnablePrio0               : 0
DcQcnEnablePrio3               : 1
DcQcnRpgTimeReset              : 55
DcQcnRpgAiRate                 : 7
DcQcnAlphaToRateShift          : 11
DcQcnClampTgtRateAfterTimeInc  : 1
DcQcnCnp802pPrio               : 7
"""
IONIC = "/sys/class/infiniband/ionic_0/dcqcn/profiles/{}/roce_rp/"
PROFILES = "".join(IONIC.format(number) + line for number, line in (
    (10, "time_reset:7\n"), (2, "time_reset:300\n"), (2, "dce_tcp_rtt:1\n"), (1, "time_reset:5\n"), (1, "dce_tcp_rtt:55\n"),
    (1, "dce_tcp_g:1019\n"), (1, "clamp_tgt_rate_ati:1\n"), (1, "token_bucket_size:4000000\n")))
IRDMA = "# a server\noptions irdma dcqcn_enable=1 dcqcn_cc_cfg_valid=1 dcqcn_T=0x37 dcqcn_B=0x249f0\n"
BNXT = "running avg. weight(g)                  : 8\ninactivity threshold (inact_th)         : 10000 usec\n"
QUOTED = """> hello
>> Device #1:
>>
>>          RPG_TIME_RESET_P1                   55
> >        RPG_AI_RATE_P1                      300  300  20
>
"""
QCN = """rpg_enable: 1
rppp_max_rps: 1000
rpg_time_reset: 15000
rpg_byte_reset: 153600
rpg_threshold: 5
rpg_max_rate: 40000
rpg_ai_rate: 5
rpg_hai_rate: 50
rpg_gd: 8
rpg_min_dec_fac: 2
rpg_min_rate: 8
cndd_state_machine: 3
"""


class Forms(unittest.TestCase):
    def lines(self, text):
        return [line for line in nic_dump.plain(text.splitlines()) if line]

    def test_tools(self):
        for text, lines in (
                (SYSFS, ["enable 1", "min_time_between_cnps 4", "rpg_time_reset 55", "rpg_ai_rate 7"]),
                (DEBUGFS, ["rp_time_reset 55", "rp_ai_rate 7", "np_min_time_between_cnps 4"]),
                (MLXCONFIG, ["RPG_TIME_RESET_P1 55", "RPG_AI_RATE_P1 7", "MIN_TIME_BETWEEN_CNPS_P1 4", "CLAMP_TGT_RATE_P1 True(1)",
                             "RPG_AI_RATE_P2 9"]),
                ("rpg_ai_rate 5\n# a comment\nrpg_gd: 11\n", ["rpg_ai_rate 5", "# a comment", "rpg_gd: 11"])):
            self.assertEqual(self.lines(text), lines)
        self.assertEqual(len(nic_dump.plain(MLXCONFIG.splitlines())), len(MLXCONFIG.splitlines()), "lines keep their numbers")

    def test_classes_are_one(self):
        lines = [f"/sys/class/net/eth0/ecn/roce_rp/enable/{number}:{int(number == 3)}" for number in range(8)]
        self.assertEqual(nic_dump.plain([*lines, "rpg_gd 11"]), ["enable 1", *[""] * 7, "rpg_gd 11"])
        self.assertEqual(nic_dump.plain(["DcQcnEnablePrio0 : 0", "DcQcnEnablePrio1 : 0"]), ["enable 0", ""])

    def test_rows(self):
        mine = nic_params.NicParams("a/mine.txt", ("timer=55us",))
        default = nic_params.NicParams("default", ())
        both = [specs.parse("dcqcn"), specs.parse("timely")]
        found = list(nic_params.spread(both, [mine, default]))
        self.assertEqual([(spec.label, spec.folder, nic and nic.path) for spec, nic in found],
                         [("dcqcn mine.txt", "dcqcn-mine.txt", "a/mine.txt"), ("dcqcn default", "dcqcn-default", "default"),
                          ("timely", "timely", None)])
        self.assertEqual([spec.label for spec, _ in nic_params.spread(both, [mine])], ["dcqcn", "timely"])

    def test_what_the_user_gives_stands_over_the_file(self):
        found = specs.parse("dcqcn+g=0.5").add_base("dcqcn", "nic-default", ("timer=300us", "g=0.1", "r_ai=5Mbps", "kmin=1KB"),
                                                ["--set=dcqcn.r_ai=9Mbps", "--kmin=5KB"])
        self.assertEqual(found, specs.Spec("dcqcn", "nic-default", ("timer=300us", "g=0.5")))
        self.assertEqual(specs.parse("dcqcn:cx4").add_base("dcqcn", "nic-default", (), []).preset, "cx4")
        self.assertEqual(specs.parse("dcqcn").add_base("dcqcn", "nic-default", (), ["--preset=paper"]).preset, "")
        self.assertEqual(specs.parse("timely").add_base("dcqcn", "nic-default", ("g=1",), []), specs.Spec("timely"))


@needs_programs
class Sources(InFolder):
    """Dumps of several ports, profiles, devices or vendors."""

    def dump(self, text):
        self.put("nic.txt", text)
        return nic_dump.read("nic.txt")

    def values(self, text, *names):
        dump = self.dump(text)
        return [catalogue.find_field("dcqcn", name).shown(dump.parameters[name]) for name in names]

    def test_the_first_port_is_used(self):
        """Under every form, in any order, and a note says it."""
        for text in ("RPG_TIME_RESET_P1=55\nRPG_TIME_RESET_P2=9\nRPG_AI_RATE_P2=9\nRPG_AI_RATE_P1=20\n",
                     "RPG_AI_RATE_P1 20\nRPG_TIME_RESET_P2 9\nRPG_TIME_RESET_P1 55\nrpg_ai_rate_p2: 9\n",
                     "Configurations:\n* RPG_TIME_RESET_P1 1 1 55\n* RPG_TIME_RESET_P2 1 1 9\nRPG_AI_RATE_P1 1 1 20\nRPG_AI_RATE_P2 1 9\n"):
            self.assertEqual(self.values(text, "timer", "r_ai"), ["55us", "20Mbps"], text)
            self.assertRegex(self.dump(text).notes[0], "^nic.txt:[23]: 2 lines of other ports are not used: "
                             "the settings are those of port 1$")
            self.assertEqual(self.dump(text).warnings, [])
        self.assertEqual(self.values("RPG_AI_RATE_P2=9\n", "r_ai"), ["9Mbps"], "a file of port 2 alone")

    def test_the_first_folder_and_device_are_used(self):
        text = "".join(f"/sys/class/net/eth{number}/ecn/roce_{part}\n" for number in (1, 0)
                       for part in (f"rp/rpg_ai_rate:{number + 7}", f"np/enable/3:{number}", f"np/min_time_between_cnps:{number + 4}"))
        self.assertEqual(self.values(text, "r_ai", "cnp_generation"), ["7Mbps", "4us"])
        self.assertEqual(self.dump(text).notes[0], "nic.txt:1: 3 lines of other folders are not used: "
                         "the settings are those of folder '/sys/class/net/eth0/ecn'")
        self.assertNotIn("\033", "".join(self.dump("/a\033/rpg_ai_rate:7\n/b/rpg_ai_rate:7\n").notes))
        text = "Device #1:\nConfigurations:\nRPG_AI_RATE_P1 7\nDevice #2:\nConfigurations:\nRPG_AI_RATE_P1 9\n"
        self.assertEqual(self.values(text, "r_ai"), ["7Mbps"])
        self.assertEqual(self.dump(text).notes, ["nic.txt:6: 1 line of another device is not used: the settings are those of device 1"])

    def test_lines_that_are_no_dump(self):
        """Long paths, and digits that are none: a refusal at once."""
        for line in ("/" * 900_000, "/:" * 400_000, "> " * 400_000, f"/sys/{chr(178)}/rpg_ai_rate:x",
                     f"/a{'9' * 5000}/rpg_ai_rate:1x\n/b/rpg_ai_rate:1"):
            with self.assertRaises(RccError):
                self.dump(line + "\n")

    def test_a_quoted_mail(self):
        self.assertEqual(self.values(QUOTED, "timer", "r_ai"), ["55us", "20Mbps"])
        self.assertEqual(self.values("> rpg_time_reset 55\n>\n> rpg_ai_rate: 20\n", "timer", "r_ai"), ["55us", "20Mbps"])
        self.assertEqual(self.values(f">> {SYSFS.replace(chr(10), chr(10) + '>> ')}", "timer", "r_ai"), ["55us", "7Mbps"])

    def test_the_timer_of_ionic_is_in_periods_of_alpha(self):
        self.assertEqual(self.values(PROFILES, "timer", "alpha_timer", "g"), ["275us", "55us", "0.004882813"])
        notes = "\n".join(self.dump(PROFILES).notes)
        self.assertIn("nic.txt:1: 3 lines of other folders are not used: "
                      "the settings are those of folder '/sys/class/infiniband/ionic_0/dcqcn/profiles/1'\n", notes)
        self.assertIn("nic.txt:4: rpg_time_reset: 5 of a NIC of AMD is a multiple of dce_tcp_rtt, 55 us: 275 us", notes)
        self.assertIn("nic.txt:8: token_bucket_size: 4000000 has no effect: ", notes)
        self.assertEqual(self.dump(PROFILES).warnings, [])
        for text in ("time_reset:5\ndce_tcp_rtt:55\n", "dce_tcp_rtt 1\ntime_reset=5\ndce_tcp_rtt 55\n"):
            self.assertEqual(self.values(text, "timer"), ["275us"])
        self.assertEqual(self.values("rp_time_reset 5\ndce_tcp_rtt 55\n", "timer"), ["5us"], "a ConnectX")
        with self.assertRaisesRegex(RccError, r"^nic.txt:1: rpg_time_reset: found no dce_tcp_rtt, expected it in the file: "):
            self.dump("time_reset 5\n")
        with self.assertRaisesRegex(RccError, r"^nic.txt:2: rpg_time_reset: found '32767', 4294803457us for timer, expected "):
            self.dump("dce_tcp_rtt 131071\ntime_reset 32767\n")

    def test_other_vendors_are_refused_by_name(self):
        for text, place, vendor in (
                (IRDMA, 2, "Intel"), ("/sys/module/irdma/parameters/dcqcn_T:55\n", 1, "Intel"), ("dev.irdma0.dcqcn_T: 55\n", 1, "Intel"),
                (BNXT, 1, "Broadcom"), ("/sys/kernel/debug/bnxt_re/bnxt_re0/cc_config/g:8\n", 1, "Broadcom"),
                ("cc_mode=0x1   # congestion control mode : TCP\n", 1, "Broadcom"),
                ("> options qed dcqcn_enable=1 dcqcn_gd=64\n", 1, "Marvell"), ("dcqcn_rl_r_ai: 40\n", 1, "Marvell")):
            with self.assertRaisesRegex(RccError, f"^nic.txt:{place}: found settings of the driver of {vendor}, whose congestion control "
                                        "is not known here; expected those of a NIC of NVIDIA or AMD$"):
                self.dump(text)
        self.assertEqual(self.values("# in place of an irdma card\nrpg_ai_rate 20\n", "r_ai"), ["20Mbps"])

    def test_ns3_rdma_reads_the_same_forms(self):
        self.put("topology.txt", "3 1 2\n2\n0 2 40Gbps 1us 0\n1 2 40Gbps 1us 0\n")
        self.put("flow.txt", "1\n0 1 3 100 1000 2.0\n")
        self.put("config.txt", "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nSIMULATOR_STOP_TIME 2.001\nCC_MODE 1\n"
                 "KMIN_MAP 1 40000000000 100\nKMAX_MAP 1 40000000000 400\nPMAX_MAP 1 40000000000 0.2\n")
        for text in (SYSFS, MLXCONFIG, QUOTED, PROFILES):
            timer = self.values(text, "timer")
            done = self.succeed("ns3-rdma", "config.txt", "--nic-params=nic.txt", "--no-plots", "--out=out")
            run, = json.loads(self.read("out", "summary.json"))["runs"]
            self.assertEqual([run["parameters"]["timer"]], timer)
            self.assertNotIn("unknown", done.stderr.replace("unknown parameter 'hello'", "").replace("unknown parameter 'Device'", ""))


@needs_programs
class Verdict(InFolder):
    """The three lines about a file: the flows that r_min allows, what differs from the default, what was not checked."""

    def lines(self, text, least, rate):
        self.put("nic.txt", text)
        nic, = captured(nic_params.read_all, "nic.txt")[0]
        return nic_params.verdict(nic, least, rate)

    def test_flows(self):
        for least, rate, said in (
                (10**6, 40 * 10**9, "r_min=1Mbps allows 39999 flows on the slowest link, 40Gbps: enough for 8, 64 and 512 flows"),
                (10**8, 40 * 10**9, "r_min=100Mbps allows 399 flows on the slowest link, 40Gbps: enough for 8 and 64, "
                 "too few for 512 flows"),
                (10**9, 10**10, "r_min=1Gbps allows 9 flows on the slowest link, 10Gbps: enough for 8, too few for 64 and 512 flows"),
                (10**10, 10**10, "r_min=10Gbps allows 0 flows on the slowest link, 10Gbps: too few for 8, 64 and 512 flows")):
            self.assertEqual(self.lines("rpg_ai_rate 5\n", least, rate)[0], "nic.txt: " + said)

    def test_differences(self):
        self.assertEqual(self.lines("rpg_ai_rate 7\nrpg_time_reset 55\nrpg_gd 11\n", 1, 2)[1],
                         "nic.txt: differs from nic-default in r_ai=7Mbps (5Mbps), timer=55us (300us)")
        self.assertEqual(self.lines("rpg_ai_rate 5\n", 1, 2)[1], "nic.txt: no difference from nic-default")

    def test_not_checked(self):
        default = catalogue.cores()["dcqcn-nic"]
        found = self.lines("rpg_ai_rate 7\ncnp_dscp 48\nrpg_max_rate 40000\n", 1, 2)[2]
        self.assertEqual(found, "nic.txt: not checked: marking and buffers of your switches (--kmin, --kmax, --pmax, --buffer); "
                         f"{len(default.fields) - 1 - 3} parameters that the file does not say; cnp_dscp and rpg_max_rate, "
                         "without effect here")

    def test_a_run_and_a_sweep_end_with_it(self):
        self.put("nic.txt", "rpg_ai_rate 7\nrpg_min_rate 100\n")
        words = ["--cc=dcqcn", "--nic-params=nic.txt,default", "--no-plots", "--time=1ms"]
        for command, more in (("run", []), ("sweep", ["--flows=8,64,512"])):
            done = self.succeed(command, "incast", *words, *more, f"--out={command}")
            lines = [line for line in done.stdout.splitlines() if line.startswith("nic.txt: ")]
            self.assertEqual(lines[0], "nic.txt: r_min=100Mbps allows 399 flows on the slowest link, 40Gbps: enough for 8 and 64, "
                             "too few for 512 flows", command)
            self.assertEqual(lines[1], "nic.txt: differs from nic-default in r_ai=7Mbps (5Mbps), r_min=100Mbps (1Mbps)")
            self.assertEqual(len(lines), 3)
            for name in ("dcqcn nic.txt", "dcqcn default"):     # the names are the same everywhere
                self.assertRegex(done.stdout, rf"(?m)^(?:8 +)?{name} ", command)
        self.assertEqual({row["cc"] for row in self.rows("sweep", "wide.csv")}, {"dcqcn nic.txt", "dcqcn default"})


@needs_programs
class Runs(RccTest):
    def parameters(self, scenario, cc, *words):
        done = self.succeed("run", scenario, f"--cc={cc}", "--nic-params=nic.txt", "--no-plots", "--out=out", "--quiet", *words,
                            RCC_MAX_EVENTS="3000")
        return {run["cc"]: run for run in json.loads(self.read("out", "summary.json"))["runs"]}, done.stderr

    def test_every_form_and_scenario(self):
        for text in (SYSFS, DEBUGFS, MLXCONFIG):
            self.put("nic.txt", text)
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
        self.put("nic.txt", "rpg_ai_rate 5\nrpg_max_rate 40000\ncnp_dscp 48\n")
        _, said = self.parameters("incast", "dcqcn")
        for setting in ("2: rpg_max_rate: 40000", "3: cnp_dscp: 48"):
            self.assertIn(f"rcc: warning: nic.txt:{setting} has no effect: ", said)
        self.assertNotIn("rpg_ai_rate", said)
        self.assertIn("--nic-params has no effect: dcqcn is not among", self.parameters("incast", "qcn")[1])

    def test_names_of_windows(self):
        self.put("nic.txt", WINDOWS)
        runs, said = self.parameters("incast", "dcqcn")
        found = runs["dcqcn"]["parameters"]
        self.assertEqual([found[name] for name in ("timer", "r_ai", "cut_ratio")], ["55us", "7Mbps", "0.5"])
        self.assertNotIn("unknown", said)
        self.assertNotIn("given again", said)
        self.assertIn("nic.txt:7: cnp_802p_prio: 7 has no effect", said)

    def test_a_list_of_qcn(self):
        self.put("nic.txt", QCN)
        runs, said = self.parameters("incast", "qcn")
        found = runs["qcn"]["parameters"]
        self.assertEqual([found[name] for name in ("timer", "byte_counter", "gd", "r_min")], ["15ms", "153600B", "0.00390625", "8Mbps"])
        self.assertNotIn("unknown", said)
        self.assertNotIn("rpg_enable", said)
        self.assertIn("--nic-params has no effect: qcn is not among", self.parameters("incast", "dcqcn")[1])

    def test_beside_the_default(self):
        self.put("nic.txt", "rpg_time_reset 55\nROCE_CC_ALGORITHM_P1 ECN(0)\n")
        done = self.succeed("run", "incast", "--cc=dcqcn", "--nic-params=nic.txt,default", "--no-plots", "--out=out", RCC_MAX_EVENTS="3000")
        runs = {run["label"]: run for run in json.loads(self.read("out", "summary.json"))["runs"]}
        self.assertEqual({label: run["parameters"]["timer"] for label, run in runs.items()},
                         {"dcqcn nic.txt": "55us", "dcqcn default": "300us"})
        self.assertEqual([run["preset"] for run in runs.values()], ["nic-default"] * 2)
        self.assertIn("your settings: timer=55us (nic.txt); all else is nic-default's", done.stderr)
        self.assertNotIn("roce_cc_algorithm", done.stderr)

    def test_what_all_else_is(self):
        """The preset that each entry is over, and of the file what stands: other options come over it."""
        self.put("nic.txt", "rpg_time_reset 600\nrpg_ai_rate 20\n")
        mine = "timer=600us, r_ai=20Mbps (nic.txt); all else is"
        for scenario, cc, words, said in (
                ("incast", "dcqcn,dcqcn:cx4", (), [f"your settings of dcqcn: {mine} nic-default's",
                                                   f"your settings of dcqcn:cx4: {mine} cx4's"]),
                ("incast", "dcqcn,timely", ("--preset=paper",), [f"your settings: {mine} paper's"]),
                ("incast", "timely", (), []),
                ("incast", "dcqcn", ("--set=dcqcn.timer=1ms",), ["your settings: r_ai=20Mbps (nic.txt); all else is nic-default's"])):
            done = self.rcc("run", scenario, f"--cc={cc}", "--nic-params=nic.txt,default", "--no-plots", "--out=out", "--quiet", *words,
                            RCC_MAX_EVENTS="3000")
            self.assertEqual([line for line in done.stderr.splitlines() if "all else is" in line], [f"rcc: {line}" for line in said], words)
        self.put("nic.txt", QCN)
        for scenario, preset in (("incast", "the default preset"), ("capacity", "netfpga-1g")):
            done = self.rcc("run", scenario, "--cc=qcn", "--nic-params=nic.txt,default", "--no-plots", "--out=q", "--quiet",
                            RCC_MAX_EVENTS="3000")
            self.assertIn(f"(nic.txt); all else is {preset}'s\n", done.stderr)

    def test_a_preset_replaces_nic_default(self):
        """Under the file."""
        self.put("nic.txt", "rpg_time_reset 600\n")
        found = self.parameters("incast", "dcqcn:cx4")[0]["dcqcn"]
        plain = self.rcc("run", "incast", "--cc=dcqcn:cx4", "--no-plots", "--out=cx4", "--quiet", RCC_MAX_EVENTS="3000")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        cx4 = json.loads(self.read("cx4", "summary.json"))["runs"][0]["parameters"]
        self.assertEqual(found["parameters"], {**cx4, "timer": "600us"})

    def test_refused(self):
        for text, words, fragment in (
                ("rpg_ai_rate x\n", "", "nic.txt:1: rpg_ai_rate: found 'x'"),
                ("rpg_ai_rate 5\nrpg_min_rate 100000\n", "",
                 "nic.txt:2: rpg_min_rate: dcqcn: r_min is above the line rate (r_min = 100Gbps, expected 1Kbps to 40Gbps)"),
                ("rpg_min_rate 5\n", "--set=dcqcn.r_min=200Gbps", "rcc: error: dcqcn: r_min is above the line rate (r_min = 200Gbps")):
            self.put("nic.txt", text)
            self.assert_refused(self.rcc("run", "incast", "--nic-params=nic.txt", *words.split()), fragment)
        for word, fragment in (("none.txt", "--nic-params=none.txt: No such file"), ("", "--nic-params=: a value is missing"),
                               (".", "--nic-params=.: found a directory, expected a file")):
            self.assert_refused(self.rcc("run", "incast", f"--nic-params={word}"), fragment)


if __name__ == "__main__":
    unittest.main()
