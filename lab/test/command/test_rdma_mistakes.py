# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Each mistake in the files of ns3-rdma and of the HPCC simulator has its whole message here, as the readers raise it; test_malformed.py
shows that messages reach a user of the command."""
import os
import unittest

from support import InFolder, needs_programs

from command.common import RccError
from command.experiment import catalogue, nic_dump
from command.ns3_rdma import config, inputs, rows
from command.ns3_rdma.files import Remarks

FRACTION = "expected a fraction from 0 to 1 such as 0.01 or 1/16"
SIZES = "expected a number of entries, then for each a link rate in bit/s and a whole number of KB from 0 to 1000000000"
SHARES = "expected a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1"
SCHEDULE = "expected a node id, a number of entries, then for each a time in s and a fraction from 0 to 1"
RATE = "expected a rate such as 40Gb/s or 5Mbps, at most 1600Gbps"
NO_KEY = "found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'"
LINK_RATE = "expected a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps"
DELAY = "expected a time such as 1us, 0.001ms or 1000ns, at most 1s"
SECONDS = "expected a time in s from 0 to 1000000"
FLOW_BYTES = "expected a whole number from 1 to 1000000000000000000"
ROW = "expected src dst rate delay, and error rate or none"
MBPS = "expected a whole number from 0 to 1600000, in Mb/s"
MODES = "expected 0 (ECMP), 2 (DRILL) or 6 (LetFlow)"
STAR7 = "7 1 5\n4\n0 4 10Gbps 1us\n1 4 10Gbps 1us\n2 4 10Gbps 1us\n3 4 10Gbps 1us\n5 4 10Gbps 1us\n"   # host 6 has no link
LINKS = "4 1 3\n0\n0 1 1Gbps 1us 0\n"
FLOW = "2\n0 1 3 100 5 0\n"
LONG = "9" * 5000    # digits, of which int() refuses more than 4300

# (content of the file, its message from the number of the line on)
CONFIG = [
    ("", f"1: {NO_KEY}"),
    ("KMIN 4\0 0\n", "1: found a byte of value 0, expected text"),
    ("\x7fELF\x02\x01\n\x80\xff", f"1: {NO_KEY}"),
    ("ENABLE_QCN\n", "1: ENABLE_QCN: found the end of the file, expected 0 or 1"),
    ("ENABLE_QCN\nKMIN 40\n", "1: ENABLE_QCN: found the key 'KMIN', expected 0 or 1"),
    ("ENABLE_QCN yes\n", "1: ENABLE_QCN: found 'yes', expected 0 or 1"),
    ("ENABLE_QCN 2\n", "1: ENABLE_QCN: found '2', expected 0 or 1"),
    ("TOPOLOGY_FILE\nFLOW_FILE f\n", "1: TOPOLOGY_FILE: found the key 'FLOW_FILE', expected a word without blanks"),
    ("\n\nKMIN -4\n", "3: KMIN: found '-4', expected packets, a whole number from 0 to 1000000000"),
    ("KMIN 2000.5\n", "1: KMIN: found '2000.5', expected packets, a whole number from 0 to 1000000000"),
    ("KMIN 4.5\n", "1: KMIN: found '4.5', expected packets, a whole number from 0 to 1000000000"),
    ("KMIN 50\nKMAX 40\n", "1: KMIN: found KMIN 50 and KMAX 40, expected KMIN to be the smaller one"),
    ("PMAX 1.5\n", f"1: PMAX: found '1.5', {FRACTION}"),
    ("PMAX 1e-10\n", f"1: PMAX: found '1e-10', {FRACTION}"),    # rounding changes at most one part in 1000
    ("PMAX 1.5e-9\n", f"1: PMAX: found '1.5e-9', {FRACTION}"),
    ("EWMA_GAIN 1/0\n", f"1: EWMA_GAIN: found '1/0', {FRACTION}"),
    ("EWMA_GAIN 16/1\n", f"1: EWMA_GAIN: found '16/1', {FRACTION}"),
    ("ERROR_RATE_PER_LINK 1%\n", f"1: ERROR_RATE_PER_LINK: found '1%', {FRACTION}"),
    ("CNP_INTERVAL 50us\n", "1: CNP_INTERVAL: found '50us', expected a time in us from 0 to 1000000000000"),
    ("CNP_INTERVAL 2000000\n", "1: CNP_INTERVAL: found 2s for dcqcn's cnp_interval, expected 0s to 1s"),
    ("RP_TIMER 0\n", "1: RP_TIMER: found 0s for dcqcn's timer, expected 1us to 10s"),
    ("KMIN 40\nFAST_RECOVERY_TIMES 0\n", "2: FAST_RECOVERY_TIMES: found 0 for dcqcn's f, expected 1 to 1000"),
    ("FAST_RECOVERY_TIMES 1e9\n", "1: FAST_RECOVERY_TIMES: found 1000000001 for dcqcn's f, expected 1 to 1000"),
    ("FAST_RECOVERY_TIMES five\n", "1: FAST_RECOVERY_TIMES: found 'five', expected a whole number from 0 to 4294967295"),
    ("RATE_AI 1601Gb/s\n", f"1: RATE_AI: found '1601Gb/s', {RATE}"),
    ("RATE_AI 40Mb\n", f"1: RATE_AI: found '40Mb', {RATE}"),
    ("LB_MODE 3\n", f"1: LB_MODE: found 3: CONGA, which needs the feedback of leaf switches, is not here, {MODES}"),
    ("LB_MODE 9\n", f"1: LB_MODE: found 9: ConWeave, which reorders in the last switch, is not here, {MODES}"),
    ("LB_MODE 4\n", f"1: LB_MODE: found 4, {MODES}"),
    ("MIN_RATE 0Mb/s\n", "1: MIN_RATE: found '0Mb/s', expected a rate such as 40Gb/s or 5Mbps, above 0, at most 1600Gbps"),
    ("MIN_RATE 10b/s\n", "1: MIN_RATE: found 10bps for dcqcn's r_min, expected 1Kbps to 1600Gbps"),
    ("CC_MODE dcqcn\n", "1: CC_MODE: found 'dcqcn', expected 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC with PINT)"),
    ("CC_MODE 7\nRATE_AI 0Mb/s\n", "2: RATE_AI: found 0bps for timely's delta, expected 1Kbps to 1600Gbps"),
    ("PACKET_PAYLOAD_SIZE 0\n", "1: PACKET_PAYLOAD_SIZE: found '0', expected bytes, a whole number from 64 to 9000"),
    ("SIMULATOR_STOP_TIME 4s\n", "1: SIMULATOR_STOP_TIME: found '4s', expected a time in s"),
    ("SIMULATOR_STOP_TIME 1e\n", "1: SIMULATOR_STOP_TIME: found '1e', expected a time in s"),
    ("APP_START_TIME soon\n", "1: APP_START_TIME: found 'soon', expected a time in s from 0 to 1000000"),
    ("U_TARGET high\n", "1: U_TARGET: found 'high', expected a number from 0 to 1000"),
    ("BUFFER_SIZE 0\n", "1: BUFFER_SIZE: found '0', expected MiB, a whole number from 1 to 1048576"),
    ("QLEN_MON_START 2.5\n", "1: QLEN_MON_START: found '2.5', expected a time in ns, a whole number from 0 to 1000000000000000"),
    ("CC_MODE 10\nRATE_AI 50Mb/s\nPINT_LOG_BASE 1.001\n", "3: PINT_LOG_BASE: found 1.001 for hpcc's log_base, expected 1.01 to 2"),
    ("CC_MODE 3\nRATE_AI 50Mb/s\nINT_MULTI 0\n", "3: INT_MULTI: found 0 for hpcc's int_multi, expected 1 to 65535"),
    ("LINK_DOWN 5 1\nCC_MODE 1\n", "1: LINK_DOWN: found the key 'CC_MODE' instead of value 3 of 3, expected a time in us and two node ids"),
    ("LINK_DOWN 5 1 b\n", "1: LINK_DOWN: found 'b', expected a time in us and two node ids"),
    ("PACKET_LEVEL_ECMP 1\nFLOW_LEVEL_ECMP 1\n", "2: FLOW_LEVEL_ECMP: found 1 with PACKET_LEVEL_ECMP 1, expected 0 for one of them"),
    ("RX_PULL_RATE_NODE 2 fast\n",
     "1: RX_PULL_RATE_NODE 2: found 'fast', expected a node id and a fraction from 0 to 1 such as 0.01 or 1/16"),
    ("CC_MODE 1\nRX_PULL_MODE_NODE host 0\n", "2: RX_PULL_MODE_NODE host: found 'host', expected a node id and 0 or 1"),
    ("RX_BUFFER_SIZE_NODE 2\nCC_MODE 1\n",
     "1: RX_BUFFER_SIZE_NODE: found the key 'CC_MODE' instead of value 2 of 2, expected a node id and bytes, a whole number from 0 to "
     "1073741824"),
    ("RX_PULL_RATE_SCHEDULE 2 2 1 0.5 2\n", f"1: RX_PULL_RATE_SCHEDULE: found the end of the file instead of value 6 of 6, {SCHEDULE}"),
    ("RX_PULL_RATE_SCHEDULE 2 1 1 1.5\n", f"1: RX_PULL_RATE_SCHEDULE 2: found '1.5', {SCHEDULE}"),
    ("KMAX_MAP two 25000000000 400\n", f"1: KMAX_MAP: found 'two', {SIZES}"),
    ("KMAX_MAP 2 25000000000 400\nKMIN_MAP 1 25000000000 4\n", f"1: KMAX_MAP: found the key 'KMIN_MAP' instead of value 4 of 5, {SIZES}"),
    ("KMIN_MAP 1 25000000000 4x\n", f"1: KMIN_MAP: found '4x', {SIZES}"),
    ("KMIN_MAP 1 25000000000 4.5\n", f"1: KMIN_MAP: found '4.5', {SIZES}"),
    ("PMAX_MAP 2 1Gbps 0.1 1000000000 0.2\n", f"1: PMAX_MAP: found '1000000000 twice', {SHARES}"),
    ("PMAX_MAP 1 1Gbps 2\n", f"1: PMAX_MAP: found '2', {SHARES}"),
    ("PMAX_MAP 1001 1Gbps 1\n", f"1: PMAX_MAP: found '1001', {SHARES}"),
    ("KMIN_MAP 1 1Gbps 4\nKMAX_MAP 1 1Gbps 5\n", "1: PMAX_MAP: found no entry, expected one for each link rate, as KMAX_MAP has"),
    ("PAUSE_TIME " + "9" * 100,
     "1: PAUSE_TIME: found '9999999999999999999999999999999999999999...', expected a time in us from 0 to 1000000"),
]
TOPOLOGY = [
    ("", "1: header: found the end of the file, expected nodes, switches and links"),
    ("4 1\n", "1: header: found 2 fields, expected nodes, switches and links; nodes, switches, tors and links; or six fields"),
    ("four 1 3\n", "1: nodes: found 'four', expected a whole number from 1 to 65536"),
    ("0 0 0\n", "1: nodes: found '0', expected a whole number from 1 to 65536"),
    ("4 5 3\n", "1: switches: found '5', expected a whole number from 0 to 4"),
    ("4 1 -3\n", "1: links: found '-3', expected a whole number from 0 to 10000000"),
    ("4 1 9 3\n", "1: tors: found '9', expected a whole number from 0 to 4"),
    ("4 8 9 1 3 A100\n", "1: NVSwitches: found '9', expected a whole number from 0 to 3"),
    ("4 1 3\n", "1: switches: found the end of the file, expected 1 switch id"),
    ("4 1 3\n4\n", "2: switches: found '4', expected a node id from 0 to 3 (row 1 of 1)"),
    ("4 1 3\n0 1\n", "2: switches: found '1' after 1 switch id, expected the end of the line, as the header says"),
    ("4 2 3\n0 0\n", "2: switches: found 0 twice, expected each switch once"),
    (LINKS, "3: rows: found the end of the file, expected 3 links, not 1"),
    (LINKS + "First line: nodes\n", "4: src: found 'First', expected a node id from 0 to 3 (row 2 of 3)"),
    (LINKS + "0 4 1Gbps 1us 0\n", "4: dst: found '4', expected a node id from 0 to 3 (row 2 of 3)"),
    (LINKS + "2 2 1Gbps 1us 0\n", "4: dst: found '2', the same as src, expected another node"),
    (LINKS + "0 2 1Gbps\n", f"4: row: found 3 columns, {ROW}"),
    (LINKS + "0 2 100 1us 0\n", f"4: rate: found '100', {LINK_RATE}"),
    (LINKS + "0 2 1Gbps 1 us 0\n", f"4: row: found 6 columns, {ROW}"),
    (LINKS + "0 2 1Gbps 1usec 0\n", f"4: delay: found '1usec', {DELAY}"),
    (LINKS + "0 2 1Gbps 1000\n", f"4: delay: found '1000', {DELAY}"),
    (LINKS + "0 2 1Gbps 1us 1.01\n", "4: error rate: found '1.01', expected a probability from 0 to 1"),
    ("\0" * 1000, "1: found a byte of value 0, expected text"),
    (LINKS + "7" * (1 << 21), "4: found a line of more than 1048576 bytes, expected text"),
    ("\x1b[31m\x80\xfe \xff \x01\n", "1: nodes: found '?[31m??', expected a whole number from 1 to 65536"),
]
FLOWS = [
    ("", "1: flows: found the end of the file, expected their number"),
    ("0 1 3 100 5 0\n", "1: flows: found 6 words, expected their number, alone in the first line"),
    ("many\n", "1: flows: found 'many', expected a whole number from 0 to 10000000"),
    (FLOW, "2: rows: found the end of the file, expected 2, not 1"),
    (FLOW + "\nFirst line: flow #\n", "4: src: found 'First', expected a node id from 0 to 6 (row 2 of 2)"),
    (FLOW + "0 -1 3 100 5 0\n", "3: dst: found '-1', expected a node id from 0 to 6 (row 2 of 2)"),
    (FLOW + "4 1 3 100 5 0\n", "3: src: found '4', a switch, expected a host"),
    (FLOW + "1 4 3 100 5 0\n", "3: dst: found '4', a switch, expected a host"),
    (FLOW + "1 1 3 100 5 0\n", "3: dst: found '1', the same as src, expected another host"),
    (FLOW + "0 1 8 100 5 0\n", "3: pg: found '8', expected a whole number from 0 to 7"),
    (FLOW + "0 1 3 65536 5 0\n", "3: dport: found '65536', expected a whole number from 0 to 65535"),
    (FLOW + "0 1 3 100 0 0\n", f"3: bytes: found '0', {FLOW_BYTES}"),
    (FLOW + "0 1 3 100 5.5 0\n", f"3: bytes: found '5.5', {FLOW_BYTES}"),
    (FLOW + "0 1 3 100 99999999999999999999 0\n", f"3: bytes: found '99999999999999999999', {FLOW_BYTES}"),
    (FLOW + "0 1 3 100 5 -1\n", f"3: start: found '-1', {SECONDS}"),
    (FLOW + "0 1 3 100 5 2s\n", f"3: start: found '2s', {SECONDS}"),
    (FLOW + "0 1 3 100 5 e5\n", f"3: start: found 'e5', {SECONDS}"),
    (FLOW + "0 1 3 5 0\n", "3: row: found 5 columns, expected src dst pg dport bytes start"),
    ("2\n0 1 3 5 0\n0 1 3 100 5 0\n", "3: row: found 6 columns, expected src dst pg bytes start"),
    ("1\n0 1 3 5\n", "2: row: found 4 columns, expected src dst pg dport bytes start"),
    ("1\n0 1 3 100 5\0 0\n", "2: found a byte of value 0, expected text"),
]
ORIGINALS = [
    ("1\n0 1 3 5 1\n", "2: row: found 5 columns, expected src dst pg packets start stop"),
    ("1\n0 1 3 -5 1 2\n", "2: packets: found '-5', expected a whole number from 0 to 1000000000000000"),
    ("1\n0 1 3 5 2 1\n", "2: stop: found '1', expected a time not before start, which is '2'"),
    ("1\n0 1 3 5 2 late\n", f"2: stop: found 'late', {SECONDS}"),
]
TRACE = [
    ("", "1: nodes: found the end of the file, expected their number"),
    ("3\n0 1\n", "2: ids: found the end of the file, expected 3, not 2"),
    ("2\n0 one\n", "2: id: found 'one', expected a whole number from 0 to 4294967295"),
    ("3 0 1\n", "1: ids: found the end of the file, expected 3, not 2"),
    ("one 0 1\n", "1: nodes: found 'one', expected a whole number from 0 to 16777216"),
]
CHOICES = [
    ("host 1 dcqcn\n", "1: what: found 'host', expected default, node or flow"),
    ("default\n", "1: default: found 1 word, expected 'default' and an algorithm"),
    ("node dcqcn\n", "1: node: found 2 words, expected 'node', a number or a range, an algorithm"),
    ("node 7 dcqcn\n", "1: node: found '7', expected a number from 0 to 6, or a range of them"),
    ("node 4 dcqcn\n", "1: node: found '4', a switch, expected a host"),
    ("node 3-2 dcqcn\n", "1: node: found '3-2', expected a number from 0 to 6, or a range of them"),
    ("flow 0 dcqcn\n", "1: flow: found '0', expected a number from 1 to 3, or a range of them"),
    ("\nflow 1-4 dcqcn\n", "2: flow: found '1-4', expected a number from 1 to 3, or a range of them"),
    ("flow 1 dcqnc\n", "1: algorithm: found 'dcqnc', expected one of ALGORITHMS; the nearest is 'dcqcn'"),
]
NIC = [
    ("", "1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'"),
    ("rpg_ai_rate\n", f"1: rpg_ai_rate: found no value, {MBPS}"),
    ("rpg_ai_rate 5 Mb/s\n", f"1: rpg_ai_rate: found 2 values, {MBPS}"),
    ("rpg_ai_rate 5Mbps\n", f"1: rpg_ai_rate: found '5Mbps', {MBPS}"),
    ("\nrpg_time_reset -1\n", "2: rpg_time_reset: found '-1', expected a whole number from 0 to 10000000, in us"),
    ("rpg_gd 9\n", "1: rpg_gd: found '9', 2 for cut_ratio, expected 0 to 1"),
    ("rpg_min_rate 0\n", "1: rpg_min_rate: found '0', 0bps for r_min, expected 1Kbps to 1600Gbps"),
    ("clamp_tgt_rate maybe\n", "1: clamp_tgt_rate: found 'maybe', expected 0 or 1"),
    ("initial_alpha_value 1024\n", "1: initial_alpha_value: found '1024', expected a whole number from 0 to 1023, in 1/1023"),
]
# (reader of Mistakes, content, its message from the number of the line on): numbers of thousands of digits
LONG_NUMBERS = [
    ("config", f"KMIN {LONG}\n", "1: KMIN: found '{}', expected packets, a whole number from 0 to 1000000000"),
    ("config", f"EWMA_GAIN 1/{LONG}\n", f"1: EWMA_GAIN: found '1/{LONG[:38]}...', {FRACTION}"),
    ("config", f"EWMA_GAIN 1e-{LONG}\n", f"1: EWMA_GAIN: found '1e-{LONG[:37]}...', {FRACTION}"),
    ("config", f"RATE_AI {LONG}\n", f"1: RATE_AI: found '{{}}', {RATE}"),
    ("config", f"KMAX_MAP {LONG} 3 4\n", f"1: KMAX_MAP: found '{{}}', {SIZES}"),
    ("topology", f"4 1 3\n0\n0 1 {LONG}Gbps 1us\n", f"3: rate: found '{{}}', {LINK_RATE}"),
    ("topology", f"4 1 3\n0\n0 1 1Gbps {LONG}\n", f"3: delay: found '{{}}', {DELAY}"),
    ("topology", f"4 1 3\n0\n0 1 1Gbps 1us {LONG}\n", "3: error rate: found '{}', expected a probability from 0 to 1"),
    ("flows", f"1\n0 1 3 100 {LONG} 0\n", f"2: bytes: found '{{}}', {FLOW_BYTES}"),
    ("choices", f"flow {LONG} dcqcn\n", "1: flow: found '{}', expected a number from 1 to 3, or a range of them"),
    ("nic", f"rpg_ai_rate {LONG}\n", f"1: rpg_ai_rate: found '{{}}', {MBPS}"),
]

# These blanks do not separate words: only those of ASCII do, as in those simulators.
NO_BLANKS = ["\u00a0", "\u2003", "\u0085"]

MAPS = ("KMIN_MAP 2 25000000000 100 100000000000 400\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
        "PMAX_MAP 2 25000000000 0.2 100000000000 0.2\n")
FILES = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n"
# (config.txt, the message): what must hold between the files
INPUTS = [
    ("CC_MODE 1\nFLOW_FILE flow.txt\n", "config.txt:1: TOPOLOGY_FILE: found no such key, expected it with a file's name"),
    ("CC_MODE 1\nTOPOLOGY_FILE topology.txt\n", "config.txt:1: FLOW_FILE: found no such key, expected it with a file's name"),
    ("CC_MODE 1\nTOPOLOGY_FILE mix/none.txt\n",
     "config.txt:2: TOPOLOGY_FILE: found no such file, expected it to be one of 'mix/none.txt', 'none.txt'"),
    (FILES + "KMIN_MAP 1 25000000000 100\nKMAX_MAP 1 25000000000 400\nPMAX_MAP 1 25000000000 0.2\n",
     "config.txt:3: KMIN_MAP: found no entry for 100Gbps, expected one: topology.txt:4 has such a link at a switch"),
    (FILES + "PMAX_MAP 1 25000000000 0.2\nKMIN_MAP 2 25000000000 100 100Gbps 2\nKMAX_MAP 2 25Gbps 400 100Gbps 9\n",
     "config.txt:3: PMAX_MAP: found no entry for 100Gbps, expected one: topology.txt:4 has such a link at a switch"),
    (FILES + "PMAX_MAP 1 25Gbps 0.2\nKMIN_MAP 1 25Gbps 100\nKMAX_MAP 1 25Gbps 99\n",
     "config.txt:4: KMIN_MAP: found 100KB for 25Gbps, expected at most what KMAX_MAP has, 99KB"),
    (FILES + MAPS + "LINK_DOWN 5 0 1\n",
     "config.txt:6: LINK_DOWN: found nodes 0 and 1, expected two that a link of topology.txt joins"),
    ("CC_MODE 1\nTOPOLOGY_FILE .\nFLOW_FILE flow.txt\n", "config.txt:2: TOPOLOGY_FILE: found '.', a directory, expected a regular file"),
    (FILES + MAPS + "FLOW_FILE /dev/null\n", "config.txt:6: FLOW_FILE: found '/dev/null', a device, expected a regular file"),
    (FILES + MAPS + "TRACE_FILE .\n", "config.txt:6: TRACE_FILE: found '.', a directory, expected a regular file"),
    (FILES + MAPS + "FLOW_FILE fifo\n", "config.txt:6: FLOW_FILE: found 'fifo', a FIFO, expected a regular file"),
    (FILES + "KMIN 5\nKMAX 6\nTCP_FLOW_FILE tcp.txt\n",
     "flow.txt:2: stop: found '2', expected a time not before start, which is '5000'"),
    (FILES + MAPS + "RX_PULL_RATE_NODE 2 0.1\n", "config.txt:6: RX_PULL_RATE_NODE 2: found node 2, expected a host of topology.txt"),
    (FILES + MAPS + "RX_PULL_RATE_SCHEDULE 3 1 1 0.5\n",
     "config.txt:6: RX_PULL_RATE_SCHEDULE 3: found node 3, expected a host of topology.txt"),
    # a file, a rate or a link that is not used may be missing
    (FILES + MAPS + "TRACE_FILE none.txt\nENABLE_TRACE 0\nLINK_DOWN 5 2 0\n", ""),
    (FILES + "KMIN_MAP 1 25000000000 100\nKMAX_MAP 1 1Gbps 4\nPMAX_MAP 1 1Gbps 0\nENABLE_QCN 0\n", ""),
]

ISLANDS = ("8 3 7\n5 6 7\n0 5 1Gbps 1us\n1 5 1Gbps 1us\n2 6 1Gbps 1us\n3 6 1Gbps 1us\n1 6 1Gbps 1us\n3 7 1Gbps 1us\n"
           "0 3 1Gbps 1us\n")
# (topology, src, dst, the message without its place): paths are through switches only
PATHS = [
    (ISLANDS, 0, 1, ""), (ISLANDS, 1, 2, ""), (ISLANDS, 3, 0, ""),    # one switch, the second link of 1, a link of two hosts
    (ISLANDS, 0, 2, "found no path from 0 to 2, expected one through the switches of t.txt; hosts do not forward: write a GPU that does as "
     "a switch with a host behind it"),
    (ISLANDS, 0, 4, "found host 4 without a link, expected one through the switches of t.txt"),
    ("4 2 3\n1 2\n0 1 1Gbps 1us\n2 1 1Gbps 1us\n2 3 1Gbps 1us\n", 0, 3, ""),
]


@needs_programs
class Mistakes(InFolder):
    """A reader is a function here that reads the file x."""

    def setUp(self):
        super().setUp()
        self.put("star.txt", STAR7)
        self.star = rows.read_topology("star.txt", Remarks())

    def config(self):
        config.read("x")

    def topology(self):
        rows.read_topology("x", Remarks())

    def flows(self):
        return rows.read_flows("x", self.star, False, 1000, Remarks())

    def originals(self):
        rows.read_flows("x", self.star, True, 1000, Remarks())

    def trace(self):
        rows.read_trace("x", self.star, Remarks())

    def choices(self):
        rows.read_choices("x", self.star, [rows.Flow(0, 1, 3, 100, 5, 0, None, 2) for _ in range(3)])

    def nic(self):
        nic_dump.read("x", has_qcn=False)

    def refusal(self, read, *args):
        """Return the message with which a call is refused."""
        with self.assertRaises(RccError) as caught:
            read(*args)
        self.assertEqual((caught.exception.status, len(str(caught.exception).splitlines())), (2, 1))
        return str(caught.exception)

    def check(self, table, read):
        for content, message in table:
            with self.subTest(content[:200]):
                self.put("x", content.encode("latin-1"))
                self.assertEqual(self.refusal(read), "x:" + message.replace("ALGORITHMS", ", ".join(catalogue.cores())))

    def test_config(self):
        self.check(CONFIG, self.config)

    def test_topology(self):
        self.check(TOPOLOGY, self.topology)

    def test_rows(self):
        self.check(FLOWS, self.flows)
        self.check(ORIGINALS, self.originals)
        self.check(TRACE, self.trace)
        self.check(CHOICES, self.choices)

    def test_nic(self):
        self.check(NIC, self.nic)

    def test_long_numbers(self):
        for reader, content, message in LONG_NUMBERS:
            with self.subTest(f"{reader} {message}"):
                self.check([(content, message.replace("{}", LONG[:40] + "..."))], getattr(self, reader))

    def test_blanks_of_other_scripts(self):
        for blank in NO_BLANKS:
            with self.subTest(blank):
                self.put("x", f"1\n0 1 3 100{blank}5 0\n")
                self.assertRegex(self.refusal(self.flows), "^x:2: bytes: found '100[?]+5', ")
                self.put("x", f"4 1 1\n0\n0 1 1Gbps{blank}1us\n")
                self.assertRegex(self.refusal(self.topology), r"^x:3: row: found 3 columns, ")
                self.put("x", f"KMIN 5{blank}KMAX 9\n")
                self.assertRegex(self.refusal(self.config), r"^x:1: KMIN: found '5\?+KMAX', ")
                self.put("x", f"rpg_ai_rate{blank}5\n")
                self.assertRegex(self.refusal(self.nic), "^x:1: found no parameter, ")
                self.put("x", f"default{blank}dcqcn\n")
                self.assertRegex(self.refusal(self.choices), r"^x:1: what: found 'default\?+dcqcn', ")

    def test_files(self):
        """A directory, a device, zeros and blank lines are no text file."""
        nodes, keys = "expected a file of nodes and links", "expected a configuration file with lines of KEY value"
        self.assertEqual(self.refusal(config.read, "."), f"'.': found a directory, {keys}")
        self.assertEqual(self.refusal(rows.read_topology, "/nowhere/t", Remarks()), f"'/nowhere/t': No such file or directory, {nodes}")
        self.assertEqual(self.refusal(rows.read_topology, "/dev/zero", Remarks()), f"'/dev/zero': found a device, {nodes}")
        self.put("x", "")
        os.truncate("x", 8 << 20)
        self.assertEqual(self.refusal(self.topology), "x:1: found a byte of value 0, expected text")
        self.assertEqual(self.refusal(self.config), f"'x' has {8 << 20} bytes, expected at most 1048576")
        self.put("x", "\n" * 1000002)
        self.assertEqual(self.refusal(self.topology), "x:1000001: found 1000000 blank lines, expected text")

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_a_file_that_may_not_be_read(self):
        self.put("x", "4 1 3\n")
        os.chmod("x", 0)
        self.assertEqual(self.refusal(self.topology), "'x': Permission denied, expected a file of nodes and links")

    def test_between_files(self):
        self.put("topology.txt", "3 1 2\n2\n0 2 25Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.put("flow.txt", "1\n0 1 3 100 5000 2\n")
        os.mkfifo("fifo")
        for content, message in INPUTS:
            with self.subTest(content):
                self.put("config.txt", content)
                if message:
                    self.assertEqual(self.refusal(inputs.read_all, "config.txt", inputs.Overrides()), message)
                else:
                    inputs.read_all("config.txt", inputs.Overrides())

    def test_paths(self):
        for topology, src, dst, message in PATHS:
            with self.subTest(f"{src} to {dst}"):
                self.put("t.txt", topology)
                args = (rows.read_topology("t.txt", Remarks()), [rows.Flow(src, dst, 3, 100, 5, 0, None, 12)], "f.txt")
                if message:
                    place = f"f.txt:12: flow 1 (src {src}, dst {dst}): "
                    self.assertEqual(self.refusal(inputs.check_reachable, *args), place + message)
                else:
                    inputs.check_reachable(*args)

    def test_paths_of_a_long_chain(self):
        """20000 switches in a row and a flow of each of 100000 pairs: linear, or this does not end."""
        switches = 20000
        topology = rows.Topology("t.txt", switches + 2)
        topology.is_switch = [False, *[True] * switches, False]
        topology.links = [rows.Link(node, node + 1, 10**9, 1000, 0, node + 3) for node in range(switches + 1)]
        inputs.check_reachable(topology, [rows.Flow(0, switches + 1, 3, 100, 5, 0, None, 2) for _ in range(100000)], "f.txt")


if __name__ == "__main__":
    unittest.main()
