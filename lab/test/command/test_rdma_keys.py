# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Configurations as users of ns3-rdma, of the HPCC simulator and of their forks have them, and which test shows the effect of each key."""
import glob
import json
import os
import re
import unittest

from support import BUILD, ROOT, RccTest, needs_programs, program

from command.ns3_rdma.keys import KEYS as EVERY_KEY

KEYS = os.path.join(ROOT, "lab", "doc", "ns3-rdma-keys.md")
STAR = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
CONFIG = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 1\nHAS_WIN 0\n"
RING = "5 3 5\n2 3 4\n0 2 10Gbps 1us 0\n0 3 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 4 10Gbps 1us 0\n3 4 10Gbps 1us 0\n"
BOTH = "16\n" + "".join(f"{src} {1 - src} 3 {100 + i} 1000000 {2 + i / 1e4:.4f}\n" for src in (0, 1) for i in range(8))
TIE = "6 2 5\n4 5\n0 4 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 5 10Gbps 1us 0\n3 5 10Gbps 1us 0\n4 5 10Gbps 1us 0\n"

SHOWN_BY = {   # each key and output field: the tests (suite/case or file/case) that show its effect
    "ENABLE_QCN": "ns3-rdma-network/marks by rate",
    "USE_DYNAMIC_PFC_THRESHOLD": "ns3-rdma-network/static threshold, test_rdma_config.py/test_values_that_are_given_elsewhere",
    "ENABLE_PFC": "ns3-rdma-switch/without PFC, test_rdma_losses.py/test_an_incast_without_pfc",
    "ENABLE_IRN": "test_rdma_losses.py/test_an_incast_without_pfc",
    "RX_PULL_RATE RX_PULL_MODE RX_BUFFER_SIZE RX_BUFFER_PER_QUEUE": "test_rdma_losses.py/test_a_host_that_reads_slowly",
    "RX_PULL_RATE_NODE RX_PULL_MODE_NODE RX_BUFFER_SIZE_NODE RX_BUFFER_PER_QUEUE_NODE RX_PULL_RATE_SCHEDULE":
        "test_rdma_losses.py/test_hosts_that_read_at_rates_of_their_own, test_rdma_config.py/test_keys_of_nodes",
    "PACKET_PAYLOAD_SIZE RATE_AI RATE_HAI MIN_RATE RP_TIMER ALPHA_RESUME_INTERVAL FAST_RECOVERY_TIMES CLAMP_TARGET_RATE":
        "test_rdma_config.py/test_original, test_rdma_config.py/test_hpcc, "
        "test_hpcc_fct.py/test_completion_times_are_of_one_distribution",
    "CNP_INTERVAL BYTE_COUNTER DCTCP_GAIN EWMA_GAIN RATE_DECREASE_INTERVAL":
        "test_rdma_config.py/test_original, test_rdma_config.py/test_hpcc",
    "PAUSE_TIME": "ns3-rdma-output/pfc.txt",
    "DATA_RATE LINK_DELAY": "test_rdma_keys.py/test_keys_without_effect_are_said",
    "TOPOLOGY_FILE FLOW_FILE TCP_FLOW_FILE TRACE_FILE":
        "test_rdma_config.py/test_where_files_are, test_rdma_config.py/test_tcp_flows, ns3-rdma-network/TCP flows",
    "TRACE_OUTPUT_FILE ENABLE_TRACE": "ns3-rdma-output/mix.tr, ns3-rdma-output/nothing unasked",
    "FCT_OUTPUT_FILE": "ns3-rdma-output/fct.txt",
    "PFC_OUTPUT_FILE": "ns3-rdma-output/pfc.txt",
    "QLEN_MON_FILE QLEN_MON_START QLEN_MON_END": "ns3-rdma-output/qlen.txt, ns3-rdma-output/qlen.txt after the end",
    "SIMULATOR_STOP_TIME":
        "test_rdma_keys.py/test_stop_times, test_rdma_ends.py/test_tcp_flows_are_waited_for, test_rdma_config.py/test_original",
    "APP_START_TIME APP_STOP_TIME SEND_IN_CHUNKS": "test_rdma_config.py/test_original",
    "ERROR_RATE_PER_LINK": "ns3-rdma-network/error rate, test_rdma_losses.py/test_links_lose_acks",
    "LB_MODE": "ns3-rdma-paths/load balancing, test_rdma_mistakes.py/test_config",
    "PACKET_LEVEL_ECMP FLOW_LEVEL_ECMP":
        "ns3-rdma-network/ECMP per packet, test_rdma_keys.py/test_no_ecmp, test_rdma_config.py/test_values",
    "L2_CHUNK_SIZE L2_BACK_TO_ZERO": "ns3-rdma-network/back to zero",
    "L2_ACK_INTERVAL": "test_rdma_config.py/test_hpcc, ns3-rdma-network/windows",
    "L2_WAIT_FOR_ACK L2_TEST_READ NP_SAMPLING_INTERVAL CLAMP_TARGET_RATE_AFTER_TIMER NIC_TOTAL_PAUSE_TIME":
        "test_rdma_keys.py/test_keys_without_effect_are_said",
    "BUFFER_SIZE": "ns3-rdma-network/fat tree",
    "ACK_HIGH_PRIO": "ns3-rdma-switch/priority of ACKs",
    "LINK_DOWN": "ns3-rdma-network/link down",
    "KMIN KMAX PMAX": "test_rdma_config.py/test_original, ns3-rdma-network/marks by rate",
    "KMIN_MAP KMAX_MAP PMAX_MAP": "ns3-rdma-network/thresholds by rate",
    "CC_MODE": "test_rdma_config.py/test_modes",
    "HAS_WIN GLOBAL_T": "ns3-rdma-network/windows",
    "VAR_WIN": "ns3-rdma-network/variable window",
    "DCTCP_RATE_AI FAST_REACT U_TARGET MI_THRESH INT_MULTI MULTI_RATE SAMPLE_FEEDBACK RATE_BOUND PINT_LOG_BASE PINT_PROB":
        "test_rdma_keys.py/test_keys_without_effect_are_said",
    "fct.txt: sip dip sport dport bytes start fct ideal":
        "ns3-rdma-output/fct.txt, test_hpcc_fct.py/test_completion_times_are_of_one_distribution",
    "pfc.txt: time node nodeType ifIndex type": "ns3-rdma-output/pfc.txt",
    "qlen.txt: time:, node ifIndex, counts": "ns3-rdma-output/qlen.txt",
    "mix.tr: header": "ns3-rdma-output/mix.tr",
    "mix.tr: time node intf qidx qlen sip dip size l3Prot event ecn nodeType":
        "ns3-rdma-output/mix.tr, test_rdma_losses.py/test_what_a_slow_host_drops_is_traced",
    "mix.tr: data ack pfc cnp": "ns3-rdma-output/mix.tr, test_rdma_trace.py/test_every_type",
}

MODES = (1, 3, 7, 8, 10)
# The configuration in which each key alone has another value: 15 senders on links of two rates and delays, two equal paths, losses.
SENDERS = 15
MANY = (f"{SENDERS + 4} 2 {SENDERS + 4}\n0 1\n"
        + "".join(f"{2 + i} {int(i >= SENDERS)} {'25' if i == 3 else '100'}Gbps {4 if i == 0 else 1}us 0\n" for i in range(SENDERS + 2))
        + "0 1 100Gbps 1us 0\n" * 2)
INCAST = (f"{SENDERS + 2}\n17 2 3 200 1000000 2\n18 3 3 201 1000000 2\n"
          + "".join(f"{2 + i} {17 + i % 2} 3 {100 + i} {400000 + 1000 * i} {2 + i % 3 * 0.00001:.5f}\n" for i in range(SENDERS)))
USUAL = {"TOPOLOGY_FILE": "topology.txt", "FLOW_FILE": "flow.txt", "SIMULATOR_STOP_TIME": "2.05", "ENABLE_TRACE": "0", "BUFFER_SIZE": "8",
         "KMIN_MAP": "2 25000000000 20 100000000000 50", "KMAX_MAP": "2 25000000000 100 100000000000 200",
         "PMAX_MAP": "2 25000000000 0.2 100000000000 0.2", "RATE_AI": "50Mb/s", "RATE_HAI": "100Mb/s", "MIN_RATE": "1Gb/s",
         "RP_TIMER": "30",
         "ERROR_RATE_PER_LINK": "0.0005", "L2_CHUNK_SIZE": "4000", "L2_BACK_TO_ZERO": "1", "HAS_WIN": "1", "GLOBAL_T": "1",
         "VAR_WIN": "1", "MI_THRESH": "1"}
# (key, its other value, the CC_MODEs under which the result is another one): under the rest a note says that there is no effect
MATRIX = [
    ("ENABLE_QCN", "0", (1, 8)), ("KMIN_MAP", "2 25000000000 10 100000000000 20", (1, 8)),
    ("KMAX_MAP", "2 25000000000 200 100000000000 400", (1, 8)), ("PMAX_MAP", "2 25000000000 0.5 100000000000 0.5", (1, 8)),
    ("HAS_WIN", "0", MODES), ("GLOBAL_T", "0", MODES), ("VAR_WIN", "0", MODES),
    ("RATE_AI", "500Mb/s", (1, 3, 7, 10)), ("RATE_HAI", "1000Mb/s", (1, 7)), ("MIN_RATE", "10Gb/s", MODES), ("RP_TIMER", "300", (1,)),
    ("ALPHA_RESUME_INTERVAL", "5", (1,)), ("RATE_DECREASE_INTERVAL", "50", (1,)), ("EWMA_GAIN", "0.5", (1, 8)),
    ("FAST_RECOVERY_TIMES", "1", (1,)), ("CLAMP_TARGET_RATE", "1", (1,)), ("DCTCP_RATE_AI", "50Mb/s", (8,)), ("FAST_REACT", "0", (3,)),
    ("U_TARGET", "0.8", (3, 10)), ("MI_THRESH", "5", (3, 10)), ("INT_MULTI", "4", (3,)), ("MULTI_RATE", "0", (3,)),
    ("SAMPLE_FEEDBACK", "1", (3,)), ("RATE_BOUND", "0", (3, 10)), ("PINT_LOG_BASE", "1.5", (10,)), ("PINT_PROB", "0.5", (10,)),
    ("BUFFER_SIZE", "1", MODES), ("ACK_HIGH_PRIO", "1", MODES), ("PACKET_PAYLOAD_SIZE", "1500", MODES), ("PAUSE_TIME", "50", MODES),
    ("L2_CHUNK_SIZE", "100000", MODES), ("L2_BACK_TO_ZERO", "0", MODES), ("L2_ACK_INTERVAL", "5000", ()),
    ("USE_DYNAMIC_PFC_THRESHOLD", "0", ()), ("ENABLE_PFC", "0", MODES), ("ENABLE_IRN", "1", MODES), ("ERROR_RATE_PER_LINK", "0.001", MODES),
    ("LINK_DOWN", "10 0 1", MODES), ("LB_MODE", "2", MODES), ("NIC_TOTAL_PAUSE_TIME", "5", ()), ("DATA_RATE", "1Gbps", ()),
    ("LINK_DELAY", "1us", ()), ("RX_PULL_RATE", "0.5", MODES)]
BESIDE = {"RATE_HAI": {"RP_TIMER": "5", "FAST_RECOVERY_TIMES": "1"},    # keys without whose other values a key has nothing to do
          "PAUSE_TIME": {"BUFFER_SIZE": "1"}, "ENABLE_PFC": {"BUFFER_SIZE": "1"}}
NOT_OF_CONTROL = re.compile(r"CC_MODE|SIMULATOR_STOP_TIME|ENABLE_TRACE|QLEN_MON_\w+|\w+_FILE|RX_\w+")    # files, and hosts that read


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Audit(unittest.TestCase):
    """Every key and every output field has tests that show its effect, and those tests exist."""

    def test_every_key_is_there(self):
        keys = re.findall(r"^\| `([A-Z0-9_]+)` \| (?:both|hpcc|ns3-rdma) \|", read(KEYS), re.MULTILINE)
        listed = [key for row in SHOWN_BY for key in re.findall(r"\b[A-Z0-9_]+\b", row) if ":" not in row]
        self.assertGreater(len(keys), 60)
        self.assertEqual(sorted(listed), sorted(keys))

    def test_every_output_file_is_there(self):
        self.assertEqual({row.partition(":")[0] for row in SHOWN_BY if ":" in row}, {"fct.txt", "pfc.txt", "qlen.txt", "mix.tr"})

    def test_every_test_exists(self):
        cases = set()
        for path in glob.glob(os.path.join(ROOT, "lab", "run", "test", "*-test-suite.cc")):
            text = read(path)
            for suite, body in re.findall(r'RccTestSuite \w+\(\s*"([^"]+)",(.*?)\);', text, re.DOTALL):
                cases |= {f"{suite}/{case}" for case in re.findall(r'\{"([^"]+)",', body)}
        for path in glob.glob(os.path.join(ROOT, "lab", "test", "command", "test_*.py")):
            cases |= {f"{os.path.basename(path)}/{case}" for case in re.findall(r"def (test_\w+)", read(path))}
        for row, tests in SHOWN_BY.items():
            for test in tests.split(", "):
                self.assertIn(test, cases, row)


@needs_programs
class Matrix(RccTest):
    """Each key of the HPCC simulator under each CC_MODE."""

    def setUp(self):
        super().setUp()
        self.put("topology.txt", MANY)
        self.put("flow.txt", INCAST)

    def run_file(self, mode, **values):
        """Return what a run of the usual configuration with other values gives, and its notes."""
        self.put("config.txt", "".join(f"{key} {value}\n" for key, value in {**USUAL, "CC_MODE": mode, **values}.items()))
        done = program.run("ns3-rdma", ["--config=config.txt", "--out=out"], self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(self.read("out", "run.json"))
        return (self.read("out", "fct.txt"), run["queue"], run["pfc"]), run["notes"]

    def test_every_key_of_control_is_there(self):
        names = [key.name for key in EVERY_KEY if key.hpcc is not None and not NOT_OF_CONTROL.fullmatch(key.name)]
        self.assertEqual(sorted(name for name, _, _ in MATRIX if name != "RX_PULL_RATE"), sorted(names))

    def test_a_key_has_an_effect_or_a_note(self):
        for mode in MODES:
            usual = {}
            for key, value, modes in MATRIX:
                beside = BESIDE.get(key, {})
                before = usual.setdefault(str(beside), self.run_file(mode, **beside)[0] if str(beside) not in usual else None)
                found, notes = self.run_file(mode, **beside, **{key: value})
                self.assertEqual(found != before, mode in modes, f"CC_MODE {mode}: {key} {value}")
                said = any(re.search(rf" {key}: (?:{value} )?has no effect", note) for note in notes)
                self.assertEqual(said, mode not in modes, f"CC_MODE {mode}: {key} {value}: {notes}")

    def test_dctcp_marks_at_the_thresholds_of_the_link(self):
        """K of 20 KB has a smaller queue than K of 400 KB, options are more than the file, and --set more than both; 100 KB of each are
        one result."""
        def maps(kilobytes):
            of_rates = f"2 25000000000 {kilobytes} 100000000000 {kilobytes}"
            return {"KMIN_MAP": of_rates, "KMAX_MAP": of_rates, "PMAX_MAP": "2 25000000000 1 100000000000 1"}
        results = {}
        for kilobytes in (20, 100, 400):
            results[kilobytes] = self.run_file(8, **maps(kilobytes))[0]
            run = json.loads(self.read("out", "run.json"))
            self.assertEqual((run["parameters"]["k"], run.get("kmin_bytes")), (f"{kilobytes}KB", None))
        self.assertLess(results[20][1]["mean_bytes"], results[100][1]["mean_bytes"])
        self.assertLess(results[100][1]["mean_bytes"], results[400][1]["mean_bytes"])
        for words in (["--kmin=100KB", "--kmax=100KB", "--pmax=1"], ["--set=dctcp.k=100KB"]):
            done = program.run("ns3-rdma", ["--config=config.txt", "--out=out", *words], self.scratch)
            self.assertEqual((done.returncode, self.read("out", "fct.txt")), (0, results[100][0]), done.stderr)

    def test_the_base_rtt_of_a_pair(self):
        """With GLOBAL_T 0 the delay of a host that sends after all others have ended changes neither their window nor HPCC's base RTT;
        with 1 it does. PINT's switches average over the longest RTT in both cases, as the simulator of HPCC does."""
        near = MANY.replace("100Gbps 4us", "100Gbps 1us").replace("25Gbps", "100Gbps").replace("19 2 19", "20 2 20")
        self.put("flow.txt", INCAST.replace("17\n", "18\n", 1) + "19 2 3 300 1000 2.04\n")
        for mode, global_t, same in ((3, "0", True), (8, "0", True), (3, "1", False), (8, "1", False), (10, "0", False), (10, "1", False)):
            found = []
            for delay in ("1us", "50us"):
                self.put("topology.txt", near + f"1 19 100Gbps {delay} 0\n")
                lines = self.run_file(mode, GLOBAL_T=global_t, ERROR_RATE_PER_LINK="0")[0][0].splitlines()
                self.assertEqual((len(lines), lines[-1].split()[3]), (18, "300"))
                found.append(lines[:-1])
            self.assertEqual(found[0] == found[1], same, (mode, global_t))

    def test_a_key_without_the_one_that_it_needs(self):
        _, notes = self.run_file(1, HAS_WIN="0", L2_BACK_TO_ZERO="0")
        for key, needed in (("GLOBAL_T", "HAS_WIN"), ("VAR_WIN", "HAS_WIN"), ("L2_CHUNK_SIZE", "L2_BACK_TO_ZERO")):
            self.assertTrue(any(note.endswith(f" {key}: has no effect: {needed} is 0") for note in notes), notes)


@needs_programs
class Runs(RccTest):
    def files(self, config, topology=STAR, flows="1\n0 1 3 100 100000 0\n"):
        for name, text in (("config.txt", config), ("topology.txt", topology), ("flow.txt", flows)):
            self.put(name, text)

    def run_files(self, *words, status=0):
        done = self.rcc("ns3-rdma", "config.txt", "--no-plots", "--out=out", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def result(self, cc="dcqcn", folder="out"):
        return json.loads(self.read(folder, cc, "run.json"))

    def test_stop_times(self):
        for stop in ("40000000000000.00", "1e30"):
            self.files(CONFIG + f"SIMULATOR_STOP_TIME {stop}\n")
            self.run_files()
            self.assertEqual((self.result()["fct"]["count"], self.result()["incomplete"]), (1, 0), stop)
            self.assertLess(self.result()["sim_s"], 1, stop)
        self.files(CONFIG + "SIMULATOR_STOP_TIME never\n")
        self.assertIn("SIMULATOR_STOP_TIME: found 'never'", self.run_files(status=2).stderr)
        self.run_files("--time=1ms")
        self.assertEqual(self.result()["fct"]["count"], 1)

    def test_what_matters_comes_first(self):
        """Comments of all kinds make one note; the unknown key and that of a fork are the first warnings."""
        self.files("".join(f"{line} {{what this means}}\n" for line in CONFIG.splitlines()) + "MIN_RATE 1Mb/s # least\n"
                   "TOS_OF_ACKS 0 {of a fork}\nMIN_RATE 2Mb/s\nIRN_RTO 1\n" + "# a line\n" * 30)
        self.run_files()
        run = self.result()
        found = [text for text in run["warnings"] if "config.txt:" in text]
        self.assertRegex(found[0], "config.txt:6: ignored the unknown key 'TOS_OF_ACKS'$")
        self.assertRegex(found[1], "config.txt:8: IRN_RTO: ignored, a key of forks: the parameters of IRN are attributes here: --attr")
        self.assertRegex(found[2], "config.txt:7: MIN_RATE: given again")
        self.assertEqual(len(found), 3, found)
        self.assertEqual(len([note for note in run["notes"] if "comments in braces or behind values ignored" in note]), 1)

    def test_keys_without_effect_are_said(self):
        values = {"DATA_RATE": "1Gbps", "LINK_DELAY": "1us", "NIC_TOTAL_PAUSE_TIME": "1", "DCTCP_RATE_AI": "1Mb/s", "U_TARGET": "0.95",
                  "MI_THRESH": "5", "INT_MULTI": "1", "PINT_LOG_BASE": "1.05", "PINT_PROB": "1"}
        hpcc = ["FAST_REACT", "MULTI_RATE", "SAMPLE_FEEDBACK", "RATE_BOUND", *values]
        original = ["SEND_IN_CHUNKS", "L2_WAIT_FOR_ACK", "L2_TEST_READ", "NP_SAMPLING_INTERVAL",
                    "CLAMP_TARGET_RATE_AFTER_TIMER", "APP_START_TIME", "APP_STOP_TIME"]
        for names, more in ((hpcc, "CC_MODE 1\n"), (original, "KMIN 5\nKMAX 200\n")):
            self.files("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nSIMULATOR_STOP_TIME 2\n" + more +
                       "".join(f"{name} {values.get(name, 1)}\n" for name in names),
                       flows="1\n0 1 3 100 100000 0\n" if names is hpcc else "1\n0 1 3 100 0 1\n")
            done = self.run_files()
            for name in names:
                self.assertTrue([note for note in self.result()["notes"] if f" {name}: has no effect: " in note], name)
                self.assertRegex(self.read("out", "report.html"), rf"config.txt:\d+: {name}: has no effect: ")
            said = [line for line in done.stderr.splitlines() if "no effect" in line]
            every = self.result()["notes"]
            self.assertEqual(said, [f"rcc: {note}" for note in every[:12] if "no effect" in note])
            more = f" in {os.path.join('out', 'report.html')}\n"
            self.assertEqual(more in done.stderr, len(every) > 12, done.stderr)
            self.assertNotIn("no effect", self.run_files("--quiet").stderr)

    def test_without_effect_is_what_the_algorithm_that_runs_does_not_take(self):
        """CC_MODE 3 is HPCC: dcqcn has its own keys of the config, others have none; flows of two algorithms take those of both."""
        keys = "RP_TIMER 300\nEWMA_GAIN 0.5\nRATE_AI 50Mb/s\nU_TARGET 0.9\nDCTCP_RATE_AI 1Mb/s\n"
        every = {line.split()[0] for line in keys.splitlines()}
        self.files(CONFIG.replace("CC_MODE 1", "CC_MODE 3") + keys, flows="2\n0 1 3 100 100000 0\n0 1 3 100 100000 0\n")
        done = self.run_files("--cc=hpcc,dcqcn,dctcp,none")
        self.assertEqual(self.without_effect("hpcc"), {"RP_TIMER", "EWMA_GAIN", "DCTCP_RATE_AI"})
        self.assertEqual(self.without_effect("dcqcn"), {"U_TARGET", "DCTCP_RATE_AI"})
        self.assertEqual((self.without_effect("dctcp"), self.without_effect("none")), (every, every))
        self.assertIn("config.txt:5: RP_TIMER: has no effect: no parameter of hpcc with CC_MODE 3", self.result("hpcc")["notes"])
        self.assertEqual([self.result("dcqcn")["parameters"][name] for name in ("timer", "g", "r_ai")], ["300us", "0.5", "50Mbps"])
        self.assertIn("rcc: config.txt:5: RP_TIMER: has no effect: no parameter of hpcc with CC_MODE 3\n", done.stderr)
        for choices, cc, expected in (("default dcqcn", "hpcc", {"U_TARGET", "DCTCP_RATE_AI"}), ("flow 1 dcqcn", "hpcc", {"DCTCP_RATE_AI"}),
                                      ("flow 1 hpcc", "timely", {"RP_TIMER", "EWMA_GAIN", "DCTCP_RATE_AI"})):
            self.put("choices.txt", choices + "\n")
            self.run_files(f"--cc={cc}", "--choices=choices.txt")
            self.assertEqual(self.without_effect(cc), expected, choices)

    def test_the_page_says_which_keys_an_algorithm_takes(self):
        """A note names each parameter of the HPCC simulator that is not in the row of the algorithm."""
        text = read(KEYS)
        rows = re.findall(r"^\| `(\w+)` \| (\d+) \| ([A-Z_, ]+) \|$", text, re.MULTILINE)
        dcqcn = re.findall(r"^\| `([A-Z_]+)` \| (?:both|hpcc) \|[^|]*\|[^|]*\| `\w+` \|", text, re.MULTILINE)
        every = {key for _, _, keys in rows for key in keys.split(", ")} | set(dcqcn)
        self.assertEqual((len(rows), len(dcqcn)), (4, 9))
        values = {"RATE_AI": "50Mb/s", "RATE_HAI": "100Mb/s", "MIN_RATE": "100Mb/s", "DCTCP_RATE_AI": "1Gb/s", "PINT_LOG_BASE": "1.05"}
        for cc, mode, keys in [*rows, ("dcqcn", "7", ", ".join(dcqcn))]:
            self.files(CONFIG.replace("CC_MODE 1", f"CC_MODE {mode}") + "".join(f"{key} {values.get(key, 1)}\n" for key in sorted(every)))
            self.run_files(f"--cc={cc}")
            self.assertEqual(every - self.without_effect(cc), set(keys.split(", ")), (cc, mode))

    def without_effect(self, cc):
        return {note.split(":")[2].strip() for note in self.result(cc)["notes"] if "has no effect" in note}

    def of_nic(self, run):
        """The parameters but for the thresholds of the switches, which stay those of the config."""
        return {name: value for name, value in run["parameters"].items() if name not in ("kmin", "kmax", "pmax")}

    def test_a_preset_that_is_asked_for_is_more_than_the_keys(self):
        """With --preset, --cc=NAME:PRESET or --nic-params the parameters are those of ./rcc run; one note names the keys."""
        self.put("nic.txt", "rpg_time_reset 55\n")
        done = self.succeed("run", "incast", "--cc=dcqcn", "--nic-params=nic.txt,default", "--no-plots", "--out=ran", "--quiet",
                        RCC_MAX_EVENTS="3000")
        mine, default = (self.of_nic(run) for run in json.loads(self.read("ran", "summary.json"))["runs"])
        self.assertEqual((mine["timer"], default["timer"]), ("55us", "300us"))
        keys = "RP_TIMER 60\nFAST_RECOVERY_TIMES 5\nRATE_AI 33Mb/s\n"
        three = "RP_TIMER, FAST_RECOVERY_TIMES, RATE_AI"
        for mode, more, names in (("CC_MODE 1", "MIN_RATE 100Mb/s\n", three + ", MIN_RATE"), ("CC_MODE 3", "", three),
                                  ("KMIN 40", "CNP_INTERVAL 50\n", "CNP_INTERVAL, " + three)):
            config = CONFIG.replace("CC_MODE 1\nHAS_WIN 0", mode).replace("KMIN 40", "KMIN 40\nKMAX 200")
            self.files(config + keys + more, flows="1\n0 1 3 100 100000 0\n" if "CC_MODE" in mode else "1\n0 1 3 100 0 1\n")
            done = self.run_files("--nic-params=nic.txt,default")
            note = f"config.txt: not used: {names}: the command asks for dcqcn:nic-default"
            for folder, expected in (("dcqcn-nic.txt", mine), ("dcqcn-default", default)):
                run = self.result(folder)
                self.assertEqual((run["preset"], self.of_nic(run)), ("nic-default", expected), mode)
                self.assertEqual([text for text in run["notes"] if "not used" in text], [note])
            self.assertIn(f"rcc: {note}\n", done.stderr)
            for words, cc in ((("--cc=dcqcn:nic-default",), "dcqcn:nic-default"), (("--cc=dcqcn", "--preset=nic-default"), "dcqcn")):
                self.run_files(*words)
                self.assertEqual(self.of_nic(self.result(cc)), default, (mode, words))
            self.run_files("--cc=dcqcn")
            self.assertEqual((self.result()["parameters"]["timer"], self.result()["parameters"]["r_ai"]), ("60us", "33Mbps"), mode)
            self.assertFalse([text for text in self.result()["notes"] if "not used" in text])

    def test_a_nic(self):
        """A NIC's DCQCN overrides the keys, its delays hold for every algorithm, and --attr overrides the delays."""
        keys = "RP_TIMER 60\nRATE_AI 33Mb/s\nERROR_RATE_PER_LINK 0.001\n"
        self.files(CONFIG + keys, flows="1\n0 1 3 100 1000000 0\n")
        self.run_files("--cc=dcqcn,timely", "--nic=cx4-lx")
        run = self.result()
        self.assertEqual((run["preset"], run["parameters"]["timer"], run["parameters"]["r_ai"], run["parameters"]["cnp_generation"]),
                         ("nic-default", "300us", "5Mbps", "4us"))
        note = "config.txt: not used: RP_TIMER, RATE_AI: the command asks for --nic=cx4-lx"
        self.assertEqual([text for text in run["notes"] if "not used" in text], [note])
        self.assertFalse([text for text in self.result("timely")["notes"] if "not used" in text])
        slow = self.result("timely")["fct"]["max_s"]
        self.run_files("--cc=timely")
        fast = self.result("timely")["fct"]["max_s"]
        self.assertGreater(slow, fast + 165e-6)     # one lost packet at least, and its NAK waits so long
        self.run_files("--cc=timely", "--nic=cx4-lx", "--attr", "RdmaNic.NakReactionDelay=0s", "--attr", "RdmaNic.NakGenerationDelay=0s")
        self.assertEqual(self.result("timely")["fct"]["max_s"], fast)
        self.run_files("--cc=dcqcn", "--nic=cx4-lx", "--set=dcqcn.timer=77us")
        self.assertEqual(self.result()["parameters"]["timer"], "77us")
        self.put("choices.txt", "default dcqcn\n")
        self.run_files("--cc=timely", "--nic=cx4-lx", "--choices=choices.txt")
        self.assertEqual([text for text in self.result("timely")["notes"] if "not used" in text], [note])

    def test_what_is_said_of_an_algorithm_goes_by_what_runs(self):
        """Remarks do not follow CC_MODE: RATE_HAI gets one where TIMELY runs, maps get one where a port has an algorithm's thresholds."""
        def find_remarks(*words):
            self.run_files("--quiet", *words)
            name = next(word[5:].split(":")[0] for word in (*words, "--cc=timely") if word.startswith("--cc="))
            run = self.result(name)
            return ["no multiple of RATE_AI" in " ".join(run["warnings"]), "no KMIN_MAP" in " ".join(run["notes"]),
                    "choose one" in " ".join(run["notes"])]
        keys = CONFIG + "RATE_AI 50Mb/s\nRATE_HAI 75Mb/s\n"
        star = "2\n0 1 3 100 100000 0\n0 1 3 100 100000 0\n"
        self.files(keys.replace("CC_MODE 1", "CC_MODE 7"), flows=star)
        self.put("choices.txt", "flow 1 timely\n")
        self.assertEqual(find_remarks(), [True, False, False])
        self.assertIn("<li>config.txt:6: RATE_HAI: 75Mbps is no multiple of RATE_AI; TIMELY has 2 times RATE_AI here</li>",
                      self.read("out", "report.html"))
        self.assertEqual(find_remarks("--cc=dcqcn"), [False, True, False])
        self.assertEqual(find_remarks("--cc=none"), [False, False, False])
        self.files(keys.replace("CC_MODE 1", "CC_MODE 7") + "KMIN_MAP 1 100Gbps 9\nKMAX_MAP 1 100Gbps 99\nPMAX_MAP 1 100Gbps 1\n",
                   flows=star)
        self.assertEqual(find_remarks("--cc=dcqcn", "--kmin=5KB"), [False, False, False])
        self.files(keys.replace("CC_MODE 1", "CC_MODE 7"), flows=star)
        self.assertEqual(find_remarks("--cc=dcqcn", "--choices=choices.txt"), [True, True, False])
        self.assertEqual(find_remarks("--cc=timely", "--preset=paper"), [False, False, False])
        self.assertEqual(find_remarks("--cc=timely", "--set=timely.hai=3"), [False, False, False])
        self.files(keys, flows=star)
        self.assertEqual(find_remarks("--cc=timely"), [False, False, False])
        self.files(keys.replace("CC_MODE 1", "CC_MODE 11"), flows=star)
        self.assertEqual(find_remarks("--cc=dctcp"), [False, True, False])

    def test_a_cc_mode_that_is_not_here(self):
        self.files(CONFIG.replace("CC_MODE 1", "CC_MODE 11"))
        self.assert_refused(self.rcc("ns3-rdma", "config.txt"), "CC_MODE: 11 is unknown; expected --cc=NAME")

    def test_the_ideal_time_has_the_gaps(self):
        self.files(CONFIG)
        self.run_files("--cc=none", "--attr=QbbNetDevice.InterframeGap=20")
        self.assertAlmostEqual(self.result("none")["slowdown"]["mean"], 1, delta=1e-9)

    def test_a_least_rate_above_the_line_rate(self):
        """Is named with its key; the link of each host counts, which is the slower one here."""
        star = STAR.replace("1 2 100Gbps", "1 2 25Gbps")
        rest = "expected at most 25Gbps, the rate of a host's link at topology.txt:4"
        self.files(CONFIG + "MIN_RATE 40Gb/s\n", star)
        self.assert_refused(self.rcc("ns3-rdma", "config.txt"), f"config.txt:5: MIN_RATE: found 40Gbps, {rest}")
        self.assert_refused(self.rcc("ns3-rdma", "config.txt", "--cc=none,dcqcn"), f"config.txt:5: MIN_RATE: found 40Gbps, {rest}")
        done = self.rcc("ns3-rdma", "config.txt", "--set=dcqcn.r_min=50Gbps")
        self.assert_refused(done, "(r_min = 50Gbps, expected 1Kbps to 25Gbps), of a host's link at topology.txt:4")
        self.run_files("--cc=timely")
        self.put("nic.txt", "rpg_ai_rate 5\nrpg_min_rate 40000\n")
        done = program.run("ns3-rdma", ["--config=config.txt", "--nic-params=nic.txt"], self.scratch)
        self.assertEqual((done.returncode, done.stderr), (2, f"rcc: error: nic.txt:2: rpg_min_rate: found 40Gbps, {rest}\n"))

    def test_no_ecmp(self):
        """Eight flows of 1 MB over two equal ways: with neither rule, or without the keys, the original sends all of them through the
        first one, which takes 8000 packets of 1062 bytes at 100 Gb/s. A rule that is set by --attr counts."""
        ends = {}
        topology = ("20 4 20\n16 17 18 19\n" + "".join(f"{host} {16 if host < 8 else 19} 100Gbps 1us 0\n" for host in range(16))
                    + "".join(f"{a} {b} 100Gbps 1us 0\n" for a, b in ((16, 17), (16, 18), (17, 19), (18, 19))))
        flows = "8\n" + "".join(f"{host} {host + 8} 3 1000 0 9\n" for host in range(8))
        first = 8000 * 1062 * 8 / 100e9
        for keys, words in (("", ()), ("FLOW_LEVEL_ECMP 0\nPACKET_LEVEL_ECMP 0\n", ()), ("FLOW_LEVEL_ECMP 1\nPACKET_LEVEL_ECMP 0\n", ()),
                            ("FLOW_LEVEL_ECMP 0\n", ("--attr", "QbbSwitch.LoadBalancing=ecmp"))):
            config = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nKMIN 4000\nKMAX 4000\nSIMULATOR_STOP_TIME 1\n" + keys
            self.files(config, topology, flows)
            self.run_files("--cc=none", *words)
            ends[keys + " ".join(words)] = self.result("none")["fct"]["max_s"]
        neither, zero, flow, attr = ends.values()
        self.assertEqual(neither, zero)
        self.assertAlmostEqual(neither, first, delta=10e-6, msg=str(ends))
        self.assertLess(flow, 0.9 * first, ends)
        self.assertEqual(flow, attr)

    def test_up_down_with_a_dual_homed_host(self):
        self.files(CONFIG + "SIMULATOR_STOP_TIME 2.05\nLINK_DOWN 10 3 4\n", RING, BOTH)
        for routing in ("up-down", "shortest"):
            self.run_files("--cc=none", f"--routing={routing}")
            run = self.result("none")
            self.assertEqual((run["fct"]["count"], run["incomplete"]), (16, 0), routing)

    def test_why_flows_did_not_end(self):
        """A flow that begins late, one whose host is cut off, one whose answers are, and one that is still on its way."""
        topology = "6 2 5\n4 5\n0 4 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 5 10Gbps 1us 0\n3 5 10Gbps 1us 0\n4 5 10Gbps 1us 0\n"
        flows = "4\n0 1 3 100 100000000 2\n0 2 3 101 1000000 2\n2 3 3 102 1000 2\n2 3 3 103 1000 3\n"
        self.files(CONFIG + "SIMULATOR_STOP_TIME 2.01\nLINK_DOWN 10 4 5\n", topology, flows)
        self.run_files()
        self.assertEqual((self.result()["incomplete"], self.result()["unfinished"]), (3, {"not_started": 1, "no_route": 1}))

    @unittest.skipUnless(os.access(os.path.join(BUILD, "rcc-run-ranks"), os.X_OK), "the program for ranks is not built")
    def test_ends_in_one_nanosecond_on_two_ranks(self):
        self.files(CONFIG + "SIMULATOR_STOP_TIME 2.5\n", TIE, "2\n2 3 3 100 1001 2.0\n0 1 3 100 1001 2.0\n")
        for more in ((), ("--interval=1us",)):
            found = {}
            for ranks in (1, 2, 3):
                done = program.run("ns3-rdma", ["--config=config.txt", *more, f"--out={ranks}"], self.scratch, ranks)
                self.assertEqual(done.returncode, 0, done.stderr)
                found[ranks] = self.read(str(ranks), "flow_rates.csv")
            self.assertEqual(found[1], found[2], more)
            self.assertEqual(found[1], found[3], more)


if __name__ == "__main__":
    unittest.main()
