# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The readers in Python take values, the dialect, notes and warnings from right files of ns3-rdma and of the HPCC simulator."""
import os
import unittest

from support import ROOT, InFolder, needs_programs

from command.common import RccError
from command.experiment import catalogue, nic_dump
from command.ns3_rdma import config, inputs, keys, rows
from command.ns3_rdma.files import Remarks

G = 10**9
PPB = 10**9
ORIGINAL = ("ENABLE_QCN 1\nPAUSE_TIME 7.5\nPACKET_PAYLOAD_SIZE 500\nTOPOLOGY_FILE mix/t.txt\nFLOW_FILE mix/f.txt\n"
            "TCP_FLOW_FILE tcp.txt\nTRACE_FILE tr.txt\nTRACE_OUTPUT_FILE out.tr\nSEND_IN_CHUNKS 0\nAPP_START_TIME 0.5\n"
            "APP_STOP_TIME 20\nSIMULATOR_STOP_TIME 4.25\nCNP_INTERVAL 49\nALPHA_RESUME_INTERVAL 54.5\nRP_TIMER 61\n"
            "BYTE_COUNTER 150000000\nDCTCP_GAIN 0.0078125\nKMAX 900\nKMIN 41\nPMAX 0.75\nFAST_RECOVERY_TIMES 4\nRATE_AI 41Mb/s\n"
            "RATE_HAI 201Mbps\nERROR_RATE_PER_LINK 0.001\nL2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL 256\nL2_BACK_TO_ZERO 1\n"
            "CLAMP_TARGET_RATE 1\nPACKET_LEVEL_ECMP 1\n")
ORIGINAL_VALUES = {
    "original": True, "cc": "dcqcn", "preset": "ns3-rdma", "topology_file": "mix/t.txt",
    "flow_file": "mix/f.txt", "tcp_flow_file": "tcp.txt", "trace_file": "tr.txt", "trace_output": "out.tr",
    "pause_time": 7500, "payload": 500, "stop": 4_250_000_000, "kmin": ((0, 41 * 1030),), "kmax": ((0, 900 * 1030),),
    "pmax": ((0, 750_000_000),), "error_rate": 1_000_000, "chunk": 4000 * 500, "ack_interval": 256, "back_to_zero": True,
    "ecn": True, "dynamic_pfc": True, "packet_ecmp": True, "has_window": False, "link_down": None, "warnings": []}
ORIGINAL_PARAMETERS = {"cnp_interval": "49us", "alpha_timer": "54500ns", "timer": "61us", "byte_counter": "150MB", "g": "0.0078125",
                       "f": "4", "r_ai": "41Mbps", "r_hai": "201Mbps", "clamp_target": "yes"}
HPCC = ("CC_MODE 1\nALPHA_RESUME_INTERVAL 1\nRATE_DECREASE_INTERVAL 4\nCLAMP_TARGET_RATE 0\nRP_TIMER 900 \nEWMA_GAIN 1/16\n"
        "FAST_RECOVERY_TIMES 1\nRATE_AI 50Mb/s\nRATE_HAI 100Mb/s\nMIN_RATE 10Mb/s\nDCTCP_RATE_AI 1000Mb/s\nL2_CHUNK_SIZE 4000\n"
        "L2_ACK_INTERVAL 1001\nL2_BACK_TO_ZERO 0\nHAS_WIN 1\nGLOBAL_T 0\nVAR_WIN 1\nFAST_REACT 1\nU_TARGET 0.95\nRATE_BOUND 1\n"
        "ACK_HIGH_PRIO 1\nLINK_DOWN 1000.5 3 4\nENABLE_TRACE 0\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
        "KMIN_MAP 2 25000000000 100 100Gbps 400\nPMAX_MAP 2 25000000000 0.2 100000000000 1/4\nBUFFER_SIZE 32\nQLEN_MON_FILE q.txt\n"
        "QLEN_MON_START 2000000000\nQLEN_MON_END 2010000000\nFCT_OUTPUT_FILE mix/fct.txt\n")
HPCC_VALUES = {
    "original": False, "cc": "dcqcn", "preset": "hpcc", "warnings": [], "chunk": 4000, "has_window": True, "global_window": False,
    "variable_window": True, "ack_high_priority": True, "enable_trace": False, "link_down": (2_001_000_500, 3, 4),
    "ack_interval": 1,    # the receiver of that simulator counts anew with each packet
    "kmin": ((25 * G, 100_000), (100 * G, 400_000)), "kmax": ((25 * G, 400_000), (100 * G, 1_600_000)),
    "pmax": ((25 * G, 200_000_000), (100 * G, 250_000_000)), "buffer_size": 32 << 20, "qlen_start": 2_000_000_000,
    "qlen_end": 2_010_000_000, "fct_output": "mix/fct.txt", "pfc_output": "pfc.txt", "qlen_output": "q.txt"}
HPCC_PARAMETERS = {"alpha_timer": "1us", "rate_reduce_period": "4us", "clamp_target": "no", "timer": "900us", "g": "0.0625", "f": "2",
                   "r_ai": "50Mbps", "r_hai": "100Mbps", "r_min": "10Mbps"}

# (config.txt, algorithm and preset, some of its parameters): CC_MODE
MODES = [
    ("CC_MODE 7\nRATE_AI 10Mb/s\nRATE_HAI 50Mb/s\nMIN_RATE 1Mb/s\nRP_TIMER 900\n", "timely/hpcc",
     {"delta": "10Mbps", "hai": "5", "r_min": "1Mbps"}),
    ("CC_MODE 7\nRATE_AI 10Mb/s\nRATE_HAI 24Mb/s\n", "timely/hpcc", {"hai": "2"}),
    ("CC_MODE 3\nRATE_AI 50Mb/s\nU_TARGET 0.9\nMI_THRESH 0\nMULTI_RATE 0\nRP_TIMER 900\n", "hpcc/simulator",
     {"r_ai": "50Mbps", "eta": "0.9", "max_stage": "0", "multi_rate": "no", "fast_react": "yes"}),    # FAST_REACT is missing
    ("CC_MODE 3\nRATE_AI 50Mb/s\nINT_MULTI 4\n", "hpcc/simulator", {"int_multi": "4"}),
    ("CC_MODE 8\nRATE_AI 50Mb/s\nDCTCP_RATE_AI 615Mb/s\nEWMA_GAIN 0.0625\n", "dctcp/simulator",
     {"r_ai": "615Mbps", "g": "0.0625", "window": "none"}),
    ("CC_MODE 10\nRATE_AI 50Mb/s\nMI_THRESH 0\nINT_MULTI 4\nPINT_LOG_BASE 1.01\nPINT_PROB 0.5\nMULTI_RATE 0\n", "hpcc/pint",
     {"log_base": "1.01", "pint_prob": "0.5", "r_ai": "50Mbps"}),
    ("CC_MODE 12\nRATE_AI 50Mb/s\n", "/hpcc", {"r_ai": "50Mbps"}),    # the caller chooses; r_ai is that of dcqcn
    ("CC_MODE 11\nRATE_AI 50Mb/s\n", "/hpcc", {"r_ai": "50Mbps"}),
    ("CC_MODE 3\nVAR_WIN 1\nRATE_BOUND 0\n", "hpcc/simulator", {"window": "variable", "rate_bound": "no"}),
]
# (config.txt, notes and warnings of it, which may have others too)
SAID = [
    (MODES[0][0], ["config.txt:5: RP_TIMER: has no effect: no parameter of timely with CC_MODE 7"]),
    (MODES[1][0], ["config.txt:3: RATE_HAI: 24Mbps is no multiple of RATE_AI; TIMELY has 2 times RATE_AI here"]),
    (MODES[2][0], ["config.txt:6: RP_TIMER: has no effect: no parameter of hpcc with CC_MODE 3"]),
    (MODES[5][0], ["config.txt:4: INT_MULTI: has no effect: no parameter of hpcc with CC_MODE 10",
                   "config.txt:7: MULTI_RATE: has no effect: no parameter of hpcc with CC_MODE 10"]),
    (MODES[6][0], ["config.txt:1: CC_MODE: 12 is no control at all in astra-sim's fork, as --cc=none, and unknown elsewhere"]),
    (MODES[7][0], ["config.txt:1: CC_MODE: 11 is unknown"]),
    (HPCC, ["config.txt:13: L2_ACK_INTERVAL: has no effect: every packet has an ACK, as in that simulator once so many bytes of a flow "
            "have come"]),
    ("HAS_WIN 0\n", ["config.txt: no KMIN_MAP, KMAX_MAP and PMAX_MAP: every port has the algorithm's own thresholds"]),
    ("RATE_AI 1Mb/s\n", ["config.txt: no key is of one simulator only; it is read as one of hpcc"]),
    ("CC_MODE 1\nUSE_DYNAMIC_PFC_THRESHOLD 0\n",
     ["config.txt:2: USE_DYNAMIC_PFC_THRESHOLD: 0 has no effect, as in that simulator: its thresholds always follow the free buffer"]),
]
# (config.txt, values)
VALUES = [
    ("CNP_INTERVAL 50\n", {"kmin": ((0, 60 * 1030),), "stop": 3_010_000_000, "ack_interval": 1, "irn": False, "variable_window": False,
                            "ack_high_priority": False, "back_to_zero": False, "packet_ecmp": False}),   # the keys are missing
    ("HAS_WIN 0\nLINK_DOWN 0 0 0\nL2_ACK_INTERVAL 1\n",
     {"link_down": None, "has_window": False, "global_window": True, "variable_window": False, "ack_interval": 1, "buffer_size": 16 << 20}),
    # a fork lists a rate above any that a link here can have
    ("KMAX_MAP 2 25Gbps 400 2400000000000 3200\nKMIN_MAP 1 25Gbps 100\nPMAX_MAP 1 25Gbps 0.2\n# Buffer\n",
     {"kmax": ((25 * G, 400_000), (2400 * G, 3_200_000))}),
    ("CC_MODE 1\n", {"pfc": True, "flow_ecmp": True}), ("CC_MODE 1\nENABLE_PFC 0\n", {"pfc": False}),
    *((f"CC_MODE 1\nSIMULATOR_STOP_TIME {large}\n", {"stop": 9_000_000_000 * G})
      for large in ("9000000000", "40000000000000.00", "1e99", "9" * 5000)),
    # a rate that is listed twice with one threshold
    ("KMIN_MAP 3 10000000000 40 100000000000 400 100000000000 400\nKMAX_MAP 2 10000000000 160 100000000000 1600\n"
     "PMAX_MAP 2 10000000000 .2 100000000000 .2\n", {"kmin": ((10 * G, 40_000), (100 * G, 400_000))}),
    # neither rule of paths is the default of ns3-rdma
    ("KMIN 5\nKMAX 5\nPMAX 1\n", {"flow_ecmp": False}), ("KMIN 5\nKMAX 5\nPMAX 1\nFLOW_LEVEL_ECMP 0\n", {"flow_ecmp": False}),
    ("KMIN 5\nKMAX 5\nPMAX 1\nFLOW_LEVEL_ECMP 1\n", {"flow_ecmp": True}),
]
# (config.txt, all warnings, unknown keys first)
WARNINGS = [
    ("CC_MODE 1\nHAS_WINDOW 1\nVAR_WIN 1 1\nkmin_map 3\nFOO_X 1 2 3 HAS_WIN 0\nMIN_RATE 1Mb/s\nMIN_RATE 2Mb/s\n"
     "NO_SUCH_KEY_IN_ANY_DIALECT1 5\n",
     ["config.txt:2: ignored the unknown key 'HAS_WINDOW'",    # HAS_WIN is there
      "config.txt:4: ignored the unknown key 'kmin_map'; the nearest is 'KMIN_MAP'",
      "config.txt:5: ignored the unknown key 'FOO_X'",
      "config.txt:8: ignored the unknown key 'NO_SUCH_KEY_IN_ANY_DIALECT1'",
      "config.txt:3: VAR_WIN: ignored '1' after the value",
      "config.txt:7: MIN_RATE: given again, line 6 is ignored"]),
    ("CC_MODE 1\nHAS_WINDOW 1\n", ["config.txt:2: ignored the unknown key 'HAS_WINDOW'; the nearest is 'HAS_WIN'"]),
    # the nearest key is one of the same dialect that the file does not have
    ("CC_MODE 1\nKMAX_MPA 1 1Gbps 4\nKMIN_MAP 1 1Gbps 1\nKMAX_MAP 1 1Gbps 4\nPMAX_MAP 1 1Gbps 1\n",
     ["config.txt:2: ignored the unknown key 'KMAX_MPA'"]),
    ("CC_MODE 1\nkmax 5\nHAS_WIN 0\n", ["config.txt:2: ignored the unknown key 'kmax'; the nearest is 'KMAX_MAP'"]),
    ("KMIN 5\nKMAX_MPA 70\nPMAX 1\n", ["config.txt:2: ignored the unknown key 'KMAX_MPA'; the nearest is 'KMAX'"]),
    ("KMIN 5\nKMAX 6\nBUFFER_SIZE 3\n",
     ["config.txt: has keys of both simulators (KMIN, BUFFER_SIZE); it is read as one of ns3-rdma",
      "config.txt:3: BUFFER_SIZE: ignored, as ns3-rdma does: it is a key of hpcc"]),
    ("KMIN 5\nKMAX 5\nPMAX 1\nRX_PULL_RATE_NODE 2 0.1\n",
     ["config.txt: has keys of both simulators (KMIN, RX_PULL_RATE_NODE); it is read as one of ns3-rdma",
      "config.txt:4: RX_PULL_RATE_NODE 2: ignored, as ns3-rdma does: it is a key of hpcc"]),
    (ORIGINAL + "\n\nFirst line: what KMIN 99 is\nand more words\n",
     ["config.txt:32: ignored text that does not begin with a key: 'First'",
      "config.txt:32: KMIN: ignored, because its line does not begin with a key; those simulators would read it"]),
    ("CC_MODE 1\n" + "".join(f"UNKNOWN_{number} 1\n" for number in range(60)),
     [*(f"config.txt:{number + 2}: ignored the unknown key 'UNKNOWN_{number}'" for number in range(50)),
      "config.txt: and 10 more of these"]),
]
# (lines behind CC_MODE 1, what is said of each): keys of forks
FORKS = [
    ("IRN_RTO 1", "the parameters of IRN are attributes here: --attr RdmaNic.RtoLow"),
    ("AR_MODE 9", "of load balancing, LB_MODE 0, 2 and 6 are here"), ("CONWEAVE_TX_EXPIRY_TIME 1000", "of load balancing"),
    ("BW_MON_FILE bw.txt", "a file that this fork writes"), ("QP_MON_INTERVAL 100", "the interval of a file"),
    ("RANDOM_SEED 1", "the seed of a run is --seed"), ("ns3::RdmaHw::Mtu 1000", "an attribute"),
    ("ENABLE_CWND_TRACE 1", "a file that this fork writes"), ("RXBUF_OUTPUT_FILE rx.csv", "a file that this fork writes"),
    ("DATA_DIR out", "the folder of results is --out"), ("EXP_NAME one", "the folder of results is --out"),
    ("INT_PER_PACKET 1", "telemetry is written for the algorithms"), ("R_DELIVERED_GAIN 0.5", "of CC_MODE 11"),
]
KEYS = "RP_TIMER 900\nMIN_RATE 1Mb/s\nU_TARGET 0.9\n"
TIMER, LEAST, TARGET = (f"config.txt:{line}: {key}: has no effect: no parameter of "
                        for line, key in ((2, "RP_TIMER"), (3, "MIN_RATE"), (4, "U_TARGET")))
UNUSED = "config.txt: not used: "
# (config.txt, algorithms that run, what is asked for in place of keys, notes)
OF_ALGORITHMS = [
    ("CC_MODE 3\n" + KEYS, {"hpcc"}, {}, [TIMER + "hpcc with CC_MODE 3"]),
    ("CC_MODE 3\n" + KEYS, {"dcqcn"}, {}, [TARGET + "dcqcn with CC_MODE 3"]),
    ("CC_MODE 3\n" + KEYS, {"dcqcn", "hpcc"}, {}, []),
    # keys are parameters of dctcp with CC_MODE 8, not with CC_MODE 3
    ("CC_MODE 3\n" + KEYS, {"dctcp", "swift"}, {}, [key + "dctcp, swift with CC_MODE 3" for key in (TIMER, LEAST, TARGET)]),
    ("CC_MODE 8\n" + KEYS, {"dctcp"}, {}, [TIMER + "dctcp with CC_MODE 8", TARGET + "dctcp with CC_MODE 8"]),
    ("CC_MODE 7\n" + KEYS, {"timely", "dcqcn"}, {}, [TARGET + "dcqcn, timely with CC_MODE 7"]),
    ("CC_MODE 12\n" + KEYS, {"dcqcn"}, {}, [TARGET + "dcqcn with CC_MODE 12"]),
    # there is no CC_MODE, and a key of the other simulator has its warning
    ("KMIN 5\nRP_TIMER 60\nKMAX 9\nU_TARGET 1\n", {"qcn"}, {}, [TIMER + "qcn"]),
    ("KMIN 5\nRP_TIMER 60\n", {"dcqcn"}, {}, []),
    ("CC_MODE 3\n" + KEYS, {"dcqcn"}, {"dcqcn": "dcqcn:cx4"},
     [TARGET + "dcqcn with CC_MODE 3", UNUSED + "RP_TIMER, MIN_RATE: the command asks for dcqcn:cx4"]),
    ("CC_MODE 3\n" + KEYS, {"dcqcn", "hpcc"}, {"dcqcn": "dcqcn:cx4"}, [UNUSED + "RP_TIMER: the command asks for dcqcn:cx4"]),
    ("CC_MODE 3\n" + KEYS, {"dcqcn", "hpcc"}, {"dcqcn": "--nic=cx5", "hpcc": "hpcc:pint"},
     [UNUSED + "RP_TIMER, MIN_RATE, U_TARGET: the command asks for --nic=cx5, hpcc:pint"]),
    ("CC_MODE 3\nRP_TIMER 900\n", {"swift"}, {"swift": "swift:x"}, [TIMER + "swift with CC_MODE 3"]),
]

# (lines of a NIC, algorithm, parameters, notes, warnings)
NICS = [
    ("# mlx5\nrpg_time_reset 300\nrpg_byte_reset=32767\nrpg_ai_rate = 5\nrpg_hai_rate: 50\nrpg_threshold 1\nrpg_min_rate 1\n"
     "rpg_max_rate 0\nrpg_gd 11\ndce_tcp_g 4\ndce_tcp_rtt 1\ninitial_alpha_value 1023\nclamp_tgt_rate 0\n"
     "rate_reduce_monitor_period 4\nrate_to_set_on_first_cnp 0\nmin_time_between_cnps 4\n", "dcqcn",
     {"timer": "300us", "byte_counter": "32767B", "r_ai": "5Mbps", "r_hai": "50Mbps", "f": "1", "r_min": "1Mbps", "cut_ratio": "0.5",
      "g": "0.00390625", "alpha_timer": "1us", "initial_alpha": "1", "clamp_target": "no", "rate_reduce_period": "4us",
      "first_cnp_rate": "0bps", "cnp_generation": "4us", "cnp_interval": "0s"}, [], []),
    # names of several tools
    ("  RPG_TIME_RESET_P1     600\r\nCLAMP_TGT_RATE_P1 True(1)\r\nrp_gd 10\r\nRPG_MIN_DEC_FAC_P1 50\r\nrpg_time_rset 1\r\n"
     "rpg_time_reset 500\r\nDCE_TCP_G_P1 1019\r\nrp_clamp_tgt_rate_ati 1\r\nRATE_TO_SET_ON_FIRST_CNP_P1 2000\r\n", "dcqcn",
     {"timer": "500us", "clamp_target": "yes", "cut_ratio": "1", "g": "0.004882813", "min_dec_fac": "0.5", "first_cnp_rate": "2Gbps",
      "clamp_after_time": "yes"}, ["n:7: dce_tcp_g: 1019 is read as the share of alpha that stays, a gain of 5/1024"],
     ["n:5: ignored the unknown parameter 'rpg_time_rset'; the nearest is 'rpg_time_reset'",
      "n:6: rpg_time_reset: given again, line 1 is ignored"]),
    ("DcQcnEnablePrio3 : 1\nDcQcnClampTgtRateAfterTimeInc : 0\nDcQcnRpgByteReset : 400\nDcQcnAlphaToRateShift : 11\n"
     "DcqcnRateReduceMonitorPeriod=32\nDcQcnCnp802pPrio : 7\nROCE_CC_ALGORITHM_P1 ECN(0)\n", "dcqcn",
     {"clamp_after_time": "no", "byte_counter": "400B", "cut_ratio": "0.5", "rate_reduce_period": "32us"},
     ["n:6: cnp_802p_prio: 7 has no effect: CNPs here have the class of ACKs"], []),
    ("rppp_max_rps: 1000\nrpg_gd: 7\nrpg_enable: 1\nrpg_time_reset: 15000\n", "qcn", {"gd": "0.0078125", "timer": "15ms"},
     ["n:1: rppp_max_rps: 1000 has no effect: every queue pair has a rate limiter of its own"], []),
]

STAR7 = "7 1 5\n4\n0 4 10Gbps 1us\n1 4 10Gbps 1us\n2 4 10Gbps 1us\n3 4 10Gbps 1us\n5 4 10Gbps 1us\n"   # host 6 has no link
# (topology.txt, its switches, its links as (a, b, bit/s, ns, error in 1e-18, line))
TOPOLOGIES = [
    # surplus rows and prose are not read
    ("4 1 3\n0\n0 1 40Gbps 0.001ms 0\n0 2 40Gb/s 1000ns 1e-12\n0 3 5GB/s 1us 0.5\n\nFirst line: nodes\n0 9 1Gbps 1us 0\n", [0],
     [(0, 1, 40 * G, 1000, 0, 3), (0, 2, 40 * G, 1000, 10**6, 4), (0, 3, 40 * G, 1000, PPB * G // 2, 5)]),
    ("4 1 3\r\n0\r\n0 1 40Gbps 0.001ms 0\r\n0 2 40Gb/s 1000ns 0\r\n0 3 40Gbps 1us 0", [0],
     [(0, 1, 40 * G, 1000, 0, 3), (0, 2, 40 * G, 1000, 0, 4), (0, 3, 40 * G, 1000, 0, 5)]),
    # bit/s, seconds, four fields in the first line, no column of errors
    ("4 2 1 3\n2 3\n0 2 25000000000.0 1us\n1 2 1e11 0.000001\n3 2 100Gbps 1000ns 0\n", [2, 3],
     [(0, 2, 25 * G, 1000, 0, 3), (1, 2, 100 * G, 1000, 0, 4), (3, 2, 100 * G, 1000, 0, 5)]),
    ("3 1 1 2 25 100\n2\n0 2 1Gbps 1us\n1 2 1Gbps 1us\n", [2], [(0, 2, G, 1000, 0, 3), (1, 2, G, 1000, 0, 4)]),   # six fields
    # an NVSwitch is a switch
    ("5 2 1 1 3 H100\n3 4\n0 3 400Gbps 1us 0\n1 3 400Gbps 1us 0\n3 4 1Gbps 1us 0\n", [3, 4],
     [(0, 3, 400 * G, 1000, 0, 3), (1, 3, 400 * G, 1000, 0, 4), (3, 4, G, 1000, 0, 5)]),
    ("2 0 1\n\n0 1 100Mbps 5us 0\n", [], [(0, 1, G // 10, 5000, 0, 3)]),    # no switch: the second line is empty
    ("2 0 2\n0 1 1Mbps 1s 1\n0 1 16Tbps 0s\n", [], [(0, 1, 10**6, G, PPB * G, 2), (0, 1, 16000 * G, 0, 0, 3)]),    # the limits
    # a host at two switches; ids on two lines, and anywhere
    ("4 2 4\n1\n3\n0 1 1Gbps 1us\n0 3 1Gbps 1us\n2 1 1Gbps 1us\n2 3 1Gbps 1us\n", [1, 3],
     [(0, 1, G, 1000, 0, 4), (0, 3, G, 1000, 0, 5), (2, 1, G, 1000, 0, 6), (2, 3, G, 1000, 0, 7)]),
]
# (flow.txt, whether it is one of ns3-rdma, bytes of a packet, flows as (src, dst, pg, dport, bytes, start in ns, stop, line))
FLOWS = [
    # 2^33 bytes; times are exact, and rows need no order; what is behind the counted rows is not read
    ("3\n3 1 3 200 8589934592 2\n2 1 0 100 1 1.000000001\n0 1 7 65535 5 2e-05\n9 9 9\nprose\n", False, 1000,
     [(3, 1, 3, 200, 1 << 33, 2 * G, None, 2), (2, 1, 0, 100, 1, G + 1, None, 3), (0, 1, 7, 65535, 5, 20_000, None, 4)]),
    ("2\r\n0 1 3 1000 2.0\r\n1 2 3 9999999999 0.1", False, 1000,    # a fork has no column of ports
     [(0, 1, 3, 100, 1000, 2 * G, None, 2), (1, 2, 3, 100, 9_999_999_999, G // 10, None, 3)]),
    ("2\n2 1 3 10000000 2.0 9.5\n3 1 1 0 2 3\n\n\nFirst line: flow #\n", True, 1000,    # in packets; 0: without an end
     [(2, 1, 3, 100, 10 * G, 2 * G, 9_500_000_000, 2), (3, 1, 1, 100, 0, 2 * G, 3 * G, 3)]),
    ("1\n0 1 1 10 0 1\n", True, 1460, [(0, 1, 1, 100, 14600, 0, G, 2)]),
    ("0\n", False, 1000, []),
    *((f"1\n0 1 3 100 5 {text}\n", False, 1000, [(0, 1, 3, 100, 5, start, None, 2)])
      for text, start in (("0.1", G // 10), ("2.00000000049", 2 * G), ("2.0000000005", 2 * G + 1), ("1.9999999999999999999999", 2 * G),
                          ("+3", 3 * G), (".5", G // 2), ("1E1", 10 * G), ("123456.789012345", 123_456_789_012_345))),
]
# (file of choices, algorithms of four flows)
CHOICES = [
    ("# who has what\r\nflow 2 qcn\r\nnode 0-4 timely # a range\r\ndefault dcqcn\r\nnode 3 none\r\n", ["timely", "qcn", "timely", "none"]),
    ("default dcqcn-plus", ["dcqcn-plus"] * 4),
    ("", [""] * 4),    # every flow has the run's algorithm
]
MAPS = ("KMIN_MAP 2 25000000000 100 100000000000 400\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
        "PMAX_MAP 2 25000000000 0.2 100000000000 0.2\n")


def crlf(text):
    """Return the text with line ends of two bytes."""
    return text.replace("\n", "\r\n")


def shown(algorithm, parameters):
    """Return the values of parameters by name as a person writes them."""
    fields = {name: catalogue.find_field(algorithm or "dcqcn", name) for name, _ in parameters}
    return {name: (fields[name].shown if fields[name].unit == "choice" else fields[name].quantity)(value) for name, value in parameters}


class Reading(InFolder):
    def read(self, text, original=None, elsewhere=()):
        """Read config.txt, and note what its own algorithm does not take."""
        self.put("config.txt", text)
        found = config.read("config.txt", original, set(elsewhere))
        config.note_keys(found, {found.cc or "dcqcn"}, {})
        return found

    def assert_values(self, found, values):
        self.assertEqual({name: getattr(found, name) for name in values}, values)


@needs_programs
class Config(Reading):
    def check_original(self, found, **others):
        self.assert_values(found, {**ORIGINAL_VALUES, **others})
        self.assertEqual(shown("dcqcn", found.parameters), ORIGINAL_PARAMETERS)

    def test_original(self):
        """A file reads the same in every way in which an editor leaves it."""
        for text in (ORIGINAL, crlf(ORIGINAL), ORIGINAL[:-1], "\ufeff" + crlf(ORIGINAL)):
            found = self.read(text)
            self.check_original(found)
            self.assertEqual([note.partition(": has no effect: ")[0] for note in found.notes],
                             ["config.txt:9: SEND_IN_CHUNKS", "config.txt:10: APP_START_TIME", "config.txt:11: APP_STOP_TIME"])
        prose = self.read(ORIGINAL + "\n\nFirst line: what KMIN 99 is\nand more words\n")
        self.check_original(prose, warnings=prose.warnings)
        self.check_original(self.read(ORIGINAL[:110].replace("\n", "\t") + ORIGINAL[110:]))    # lines do not matter
        self.assertNotIn("g", dict(self.read("CNP_INTERVAL 50\n").parameters))                # 1/16 = 0 is not taken over
        self.assertEqual(shown("dcqcn", self.read("CNP_INTERVAL 50\n").parameters)["clamp_target"], "no")

    def test_hpcc(self):
        found = self.read(crlf(HPCC))
        self.assert_values(found, HPCC_VALUES)
        self.assertEqual(shown("dcqcn", found.parameters), HPCC_PARAMETERS)
        self.assertEqual(found.lines["KMAX_MAP"], 24)
        self.assertEqual([note.split(":")[2].strip() for note in found.notes],
                         ["L2_ACK_INTERVAL", "L2_CHUNK_SIZE", "DCTCP_RATE_AI", "FAST_REACT", "U_TARGET", "RATE_BOUND"])
        self.assertNotIn("L2_ACK_INTERVAL", " ".join(self.read(HPCC.replace("INTERVAL 1001", "INTERVAL 1000")).notes))    # a packet
        missing = shown("dcqcn", self.read("HAS_WIN 0\n").parameters)
        self.assertEqual((missing["alpha_timer"], missing["f"]), ("55us", "6"))

    def test_modes(self):
        for text, algorithm, parameters in MODES:
            with self.subTest(text):
                found = self.read(text)
                self.assertEqual(f"{found.cc}/{found.preset}", algorithm)
                self.assertLessEqual(parameters.items(), shown(found.cc, found.parameters).items())
        timely = self.read(MODES[0][0])
        self.assertEqual(shown("timely", timely.parameters), MODES[0][2])
        self.assertEqual(shown("dcqcn", timely.dcqcn)["timer"], "900us")

    def test_values(self):
        for text, values in VALUES:
            with self.subTest(text[:80]):
                self.assert_values(self.read(text), values)

    def test_what_is_said(self):
        for text, said in SAID:
            with self.subTest(text):
                found = self.read(text)
                self.assertLessEqual(set(said), {*found.notes, *found.warnings})

    def test_warnings(self):
        for text, warnings in WARNINGS:
            with self.subTest(text[:80]):
                self.assertEqual(self.read(text).warnings, warnings)
        found = self.read(WARNINGS[0][0])    # a key behind an unknown one with its values is read; the last one counts
        self.assertEqual((found.variable_window, found.has_window, shown("dcqcn", found.parameters)["r_min"]), (True, False, "2Mbps"))

    def test_dialect(self):
        """Two keys against one decide, unless the caller says which one it is."""
        text = "KMIN 5\nKMAX 6\nBUFFER_SIZE 3\n"
        self.assert_values(self.read(text), {"original": True, "buffer_size": 0})
        self.assert_values(self.read(text, original=False), {"original": False, "buffer_size": 3 << 20, "kmin": ()})
        self.assertEqual(self.read("RATE_AI 5Mbps\nKMAX_MPA 5\n", original=True).warnings,
                         ["config.txt:2: ignored the unknown key 'KMAX_MPA'; the nearest is 'KMAX'"])
        self.assertEqual([rows.dialect_of(name) for name in ("original", "ns3-rdma", "hpcc")], [True, True, False])
        with self.assertRaisesRegex(RccError, "^--dialect is 'ns2', expected ns3-rdma or hpcc$"):
            rows.dialect_of("ns2")

    def test_keys_of_algorithms(self):
        """The algorithms that run decide which keys are without effect."""
        for text, algorithms, asked, notes in OF_ALGORITHMS:
            with self.subTest(text=text, algorithms=algorithms, asked=asked):
                self.put("config.txt", text)
                found = config.read("config.txt")
                found.notes, found.has_maps = [], True    # without maps they would have a note
                config.note_keys(found, algorithms, asked)
                self.assertEqual(found.notes, notes)

    def test_a_step_that_is_no_multiple(self):
        """TIMELY has another RATE_HAI than the file, which matters where TIMELY runs with the file's keys."""
        for text, algorithms, asked, warned in ((MODES[1][0], {"timely"}, {}, True), (MODES[1][0], {"dcqcn"}, {}, False),
                                                (MODES[1][0], {"timely"}, {"timely": "timely:paper"}, False),
                                                (MODES[0][0], {"timely"}, {}, False)):
            self.put("config.txt", text)
            found = config.read("config.txt")
            config.note_keys(found, algorithms, asked)
            self.assertEqual(found.warnings, SAID[1][1] if warned else [])

    def test_comments(self):
        """Comments in braces, behind values and in lines of their own make one note."""
        found = self.read("CC_MODE 1 {0: off, 3: KMIN_MAP 3}\nHAS_WIN 0 # no window\nVAR_WIN 1 // shrinks\nGLOBAL_T 0{of all}\n"
                          "MIN_RATE 2Mb/s the least\n# CC_MODE 7\n#HAS_WIN 1\nTOS_OF_ACKS 0 {of a fork}\nRATE_AI 5Mb/s {open\n"
                          "RATE_HAI 50Mb/s\n")
        self.assert_values(found, {"mode": 1, "has_window": False, "variable_window": True, "global_window": False})
        self.assertLessEqual({"r_min": "2Mbps", "r_hai": "50Mbps"}.items(), shown("dcqcn", found.parameters).items())
        self.assertEqual(found.warnings, [
            "config.txt:8: ignored the unknown key 'TOS_OF_ACKS'",
            "config.txt:6: CC_MODE: ignored, because its line does not begin with a key; those simulators would read it"])
        self.assertEqual(found.notes[0], "config.txt:1: 7 comments in braces or behind values ignored, here the first")
        self.assertEqual(len(found.notes), 4, found.notes)    # others are about the maps, and what HAS_WIN 0 leaves without effect

    def test_keys_of_nodes(self):
        """A key counts once for each host; words behind the value are a comment."""
        found = self.read("RX_PULL_RATE 0.5\nRX_PULL_RATE_NODE 0 1.0 {sender 0}\nRX_PULL_RATE_NODE 2 0.1 {receiver}\n"
                          "RX_PULL_MODE_NODE 1 0 {immediate}\nRX_BUFFER_SIZE_NODE 2 64000\nRX_BUFFER_PER_QUEUE_NODE 2 0\n"
                          "RX_PULL_RATE_SCHEDULE 2 3 2.5 1.0 1 0.05 1.25 1/4 \nRX_PULL_RATE_NODE 2 0.2\n")
        self.assert_values(found, {
            "original": False, "pull_rate_of": {0: PPB, 2: PPB // 5}, "pulls_of": {1: 0}, "rx_buffer_of": {2: 64000},
            "rx_buffer_of_class_of": {2: 0}, "pull_schedule": {2: ((G, PPB // 20), (1_250_000_000, PPB // 4), (2_500_000_000, PPB))},
            "warnings": ["config.txt:8: RX_PULL_RATE_NODE 2: given again, line 3 is ignored"]})

    def test_forks(self):
        """A key of a known fork is answered by what it is, never by a key that looks like it."""
        found = self.read("CC_MODE 1\n" + "".join(f"{line}\n" for line, _ in FORKS) + "LOADS 3\n")
        self.assertEqual(len(found.warnings), len(FORKS) + 1)
        for number, (line, about) in enumerate(FORKS):
            place = f"config.txt:{number + 2}: {line.split()[0]}: ignored, a key of forks: "
            self.assertTrue(found.warnings[number].startswith(place + about), found.warnings[number])
        self.assertEqual(found.warnings[-1], f"config.txt:{len(FORKS) + 2}: ignored the unknown key 'LOADS'")
        self.assertEqual([key.name for key in keys.KEYS if keys.fork_key(key.name)], [])

    def test_values_that_are_given_elsewhere(self):
        text = "CC_MODE 1\nSIMULATOR_STOP_TIME never\nUSE_DYNAMIC_PFC_THRESHOLD 0\n"
        with self.assertRaises(RccError):
            self.read(text)
        self.assert_values(self.read(text, elsewhere=["SIMULATOR_STOP_TIME"]), {"stop": 3_010_000_000, "dynamic_pfc": True})

    def test_the_page_has_the_tables(self):
        with open(os.path.join(ROOT, "lab", "doc", "ns3-rdma-keys.md"), encoding="utf-8") as f:
            page = f.read()
        for table in (keys.key_table(), nic_dump.table_text(), nic_dump.table_text(has_qcn=True)):
            self.assertTrue(table in page, f"lab/doc/ns3-rdma-keys.md should have\n{table}")


@needs_programs
class Nic(Reading):
    def test_dumps(self):
        for text, algorithm, parameters, notes, warnings in NICS:
            with self.subTest(text[:40]):
                self.put("n", text)
                dump = nic_dump.read("n")
                self.assertEqual((dump.algorithm, shown(algorithm, dump.parameters.items())), (algorithm, parameters))
                self.assertEqual((dump.notes, dump.warnings), (notes, warnings))
        with self.assertRaisesRegex(RccError, "^n:1: found parameters of QCN, expected those of DCQCN$"):
            nic_dump.read("n", has_qcn=False)


@needs_programs
class Rows(Reading):
    def setUp(self):
        super().setUp()
        self.put("t.txt", STAR7)
        self.star = rows.read_topology("t.txt", Remarks())

    def test_topologies(self):
        for text, switches, links in TOPOLOGIES:
            with self.subTest(text):
                self.put("topology.txt", text)
                found = rows.read_topology("topology.txt", Remarks())
                self.assertEqual([node for node, is_switch in enumerate(found.is_switch) if is_switch], switches)
                self.assertEqual(len(found.is_switch), int(text.split()[0]))
                self.assertEqual([tuple(link) for link in found.links], links)
                self.assertEqual(found.nvswitches, [3] if "H100" in text else [])
        remarks = Remarks()
        self.put("topology.txt", TOPOLOGIES[0][0])
        rows.read_topology("topology.txt", remarks)
        self.assertEqual((remarks.warnings, remarks.notes), (
            ["topology.txt:8: 1 row behind the 3 links of the header is ignored; expected a larger count for all rows"],
            ["topology.txt:7: 1 line of text behind the 3 links of the header ignored, here the first"]))

    def test_flows(self):
        for text, original, payload, flows in FLOWS:
            with self.subTest(text):
                self.put("flow.txt", text)
                found = rows.read_flows("flow.txt", self.star, original, payload, Remarks())
                self.assertEqual([(f.src, f.dst, f.pg, f.dport, f.bytes, f.start, f.stop, f.line) for f in found], flows)

    def test_traces(self):
        for text, said in (("3\n5 1\n1\nprose\n", []),    # each once
                           ("4\r\n0 7 8 6\r\nprose", ["t:2: id: left out 2 of 4 ids, the first is 7; t.txt has nodes 0 to 6"])):
            self.put("t", text)
            remarks = Remarks()
            self.assertEqual(rows.read_trace("t", self.star, remarks), [0, 6] if said else [1, 5])
            self.assertEqual(remarks.warnings, said)

    def test_traces_in_one_line(self):
        """The simulators read words on any number of lines; words behind the counted ids are reported."""
        for text, warnings, notes in (("2 5 1\n", [], []), ("2 5\n1 prose\n", [], [
                                      "t:2: 1 word behind the 2 ids of the first line ignored, here the first"]),
                                      ("2 1 5 6 4\n", ["t:1: 2 words behind the 2 ids of the first line ignored, here the first"], [])):
            self.put("t", text)
            remarks = Remarks()
            self.assertEqual((rows.read_trace("t", self.star, remarks), remarks.warnings, remarks.notes), ([1, 5], warnings, notes), text)
        self.put("t", "0\n")
        self.assertEqual(rows.read_trace("t", self.star, Remarks()), [])

    def test_choices(self):
        flows = [rows.Flow(src, dst, 3, 100, 5, 0, None, 2) for src, dst in ((0, 1), (0, 2), (1, 2), (3, 2))]
        for text, algorithms in CHOICES:
            self.put("c", text)
            rows.read_choices("c", self.star, flows)
            self.assertEqual([flow.cc for flow in flows], algorithms)


@needs_programs
class Inputs(Reading):
    def files(self, text, flows="1\n0 1 3 100 5000 2\n"):
        self.put("config.txt", text)
        self.put("topology.txt", "3 1 2\n2\n0 2 25Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.put("flow.txt", flows)
        return inputs.read_all("config.txt", inputs.Overrides())

    def test_where_files_are(self):
        """A file is found by its base name beside the configuration, after the folder that the key names."""
        text = f"CC_MODE 1\nTOPOLOGY_FILE mix/topology.txt\nFLOW_FILE mix/flow.txt\nTRACE_FILE mix/trace.txt\n{MAPS}"
        self.put("trace.txt", "2\n0 2\n")
        found = self.files(text, "2\n0 1 3 100 5000 2\n1 0 3 200 5000 9\n")
        self.assertEqual((found.config.topology_file, len(found.flows), found.traced), ("topology.txt", 2, [0, 2]))
        self.assertEqual(found.config.warnings, ["flow.txt: 1 of 2 flows begins after SIMULATOR_STOP_TIME, 3010ms"])
        self.put("mix/topology.txt", "2 0 1\n\n0 1 1Gbps 1us\n")
        found = inputs.read_all(self.path("config.txt"), inputs.Overrides())
        self.assertEqual((found.config.topology_file, len(found.topology.is_switch)), ("mix/topology.txt", 2))
        os.mkdir(self.path("elsewhere"))
        os.chdir(self.path("elsewhere"))
        found = inputs.read_all(self.path("config.txt"), inputs.Overrides())
        self.assertEqual((found.config.topology_file, found.config.flow_file), (self.path("mix", "topology.txt"), self.path("flow.txt")))

    def test_no_node_is_traced(self):
        """The simulators trace no node if the file is absent or empty."""
        self.put("blank.txt", "\n \n")
        for name, why in (("none.txt", "config.txt:6: TRACE_FILE: found no such file, expected it to be one of 'none.txt'"),
                          ("blank.txt", "blank.txt is empty")):
            found = self.files(f"TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n{MAPS}TRACE_FILE {name}\n")
            self.assertEqual(found.traced, [])
            self.assertIn(f"{why}: no node is traced", found.config.notes)

    def test_tcp_flows(self):
        self.put("tcp.txt", "1\n1 0 1 10 2.5 3\n")
        found = self.files("TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nKMIN 5\nKMAX 6\nTCP_FLOW_FILE tcp.txt\n", "1\n0 1 3 10 2 3\n")
        self.assertEqual([(flow.src, flow.dst, flow.bytes, flow.start) for flow in found.tcp_flows], [(1, 0, 10_000, 2_500_000_000)])

    def test_a_traced_switch_with_many_interfaces(self):
        for hosts in (255, 256):
            self.put("t", f"{hosts + 1} 1 {hosts}\n0\n" + "".join(f"0 {host} 100Gbps 1us\n" for host in range(1, hosts + 1)))
            self.put("trace", "2\n0 1\n")
            found = self.files(f"CC_MODE 1\nTOPOLOGY_FILE t\nFLOW_FILE flow.txt\n\nTRACE_FILE trace\n{MAPS}", "1\n1 2 3 100 1000 0\n")
            said = "config.txt:5: TRACE_FILE: found node 0 with 256 interfaces, expected at most 255: 256 is 0 in the trace, 257 is 1"
            self.assertEqual(found.config.warnings, [said] if hosts == 256 else [])


if __name__ == "__main__":
    unittest.main()
