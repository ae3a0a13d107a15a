/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What each mistake in the files of ns3-rdma and of the HPCC simulator is called. */
#include "ns3-rdma-test.h"

#include "ns3/rcc.h"

using namespace ns3;

namespace
{

using Reader = Ns3RdmaReader;
using Folder = RccTestFolder;

enum What
{
    CONFIG,
    TOPOLOGY,
    FLOWS,     // hpcc
    ORIGINALS, // flows of ns3-rdma
    TRACE,
    CHOICES,
    NIC
};

struct Mistake
{
    What what;
    std::string text;
    std::string message; //!< the file is called x
};

std::string
ErrorOf(const Mistake& m)
{
    Folder folder;
    const std::string path = folder.Write("x", m.text);
    Ns3RdmaConfig config;
    Ns3RdmaTopology topology;
    Ns3RdmaParameters parameters;
    std::vector<Ns3RdmaFlow> flows(m.what == CHOICES ? 3 : 0);
    std::vector<uint32_t> ids;
    std::vector<std::string> notes, warnings;
    switch (m.what)
    {
    case CONFIG:
        return folder.Short(Reader::ReadConfig(path, config));
    case TOPOLOGY:
        return folder.Short(Reader::ReadTopology(path, topology));
    case FLOWS:
        return folder.Short(Reader::ReadFlows(path, LabTestStar7(), Ns3RdmaDialect::HPCC, 1000, flows));
    case ORIGINALS:
        return folder.Short(Reader::ReadFlows(path, LabTestStar7(), Ns3RdmaDialect::ORIGINAL, 1000, flows));
    case TRACE:
        return folder.Short(Reader::ReadTrace(path, LabTestStar7(), ids, warnings));
    case CHOICES:
        return folder.Short(Reader::ReadChoices(path, LabTestStar7(), flows));
    case NIC:
        return folder.Short(Reader::ReadNicParams(path, parameters, notes, warnings));
    }
    return "";
}

/// As the registry has them: one that somebody adds is no mistake.
std::string
Algorithms()
{
    std::string names;
    for (size_t i = 0; rcc_algorithm_at(i); i++)
    {
        names += (i ? ", " : "") + std::string(rcc_algorithm_at(i)->name);
    }
    return names;
}

void
CheckMistakes(const std::vector<Mistake>& mistakes)
{
    for (const auto& m : mistakes)
    {
        const std::string error = ErrorOf(m);
        RCC_CHECK_EQ(error, m.message, m.text.substr(0, 200));
        RCC_CHECK(error.find('\n') == std::string::npos, "one line");
    }
}

void
ConfigMistakes()
{
    const std::string zero = std::string("KMIN 4") + '\0' + "0\n";
    CheckMistakes({
        {CONFIG, "", "x:1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'"},
        {CONFIG, "hello world\n",
         "x:1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'"},
        {CONFIG, zero, "x:1: found a byte of value 0, expected text"},
        {CONFIG, "\x7f\x45\x4c\x46\x02\x01\n\x80\xff",
         "x:1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'"},
        {CONFIG, "ENABLE_QCN\n", "x:1: ENABLE_QCN: found the end of the file, expected 0 or 1"},
        {CONFIG, "ENABLE_QCN\nKMIN 40\n", "x:1: ENABLE_QCN: found the key 'KMIN', expected 0 or 1"},
        {CONFIG, "ENABLE_QCN yes\n", "x:1: ENABLE_QCN: found 'yes', expected 0 or 1"},
        {CONFIG, "ENABLE_QCN 2\n", "x:1: ENABLE_QCN: found '2', expected 0 or 1"},
        {CONFIG, "TOPOLOGY_FILE\nFLOW_FILE f\n",
         "x:1: TOPOLOGY_FILE: found the key 'FLOW_FILE', expected a word without blanks"},
        {CONFIG, "\n\nKMIN -4\n", "x:3: KMIN: found '-4', expected packets, a whole number from 0 to 1000000000"},
        {CONFIG, "KMIN 4.5\n", "x:1: KMIN: found '4.5', expected packets, a whole number from 0 to 1000000000"},
        {CONFIG, "KMIN 50\nKMAX 40\n", "x:1: KMIN: found KMIN 50 and KMAX 40, expected KMIN to be the smaller one"},
        {CONFIG, "KMIN 99\n", "x:1: KMIN: found KMIN 99 and KMAX 60, expected KMIN to be the smaller one"},
        {CONFIG, "PMAX 1.5\n", "x:1: PMAX: found '1.5', expected a fraction from 0 to 1 such as 0.01 or 1/16"},
        {CONFIG, "PMAX nan\n", "x:1: PMAX: found 'nan', expected a fraction from 0 to 1 such as 0.01 or 1/16"},
        {CONFIG, "EWMA_GAIN 1/0\n",
         "x:1: EWMA_GAIN: found '1/0', expected a fraction from 0 to 1 such as 0.01 or 1/16"},
        {CONFIG, "EWMA_GAIN 16/1\n",
         "x:1: EWMA_GAIN: found '16/1', expected a fraction from 0 to 1 such as 0.01 or 1/16"},
        {CONFIG, "ERROR_RATE_PER_LINK 1%\n",
         "x:1: ERROR_RATE_PER_LINK: found '1%', expected a fraction from 0 to 1 such as 0.01 or 1/16"},
    });
}

void
ConfigMistakesOfAlgorithms()
{
    CheckMistakes({
        {CONFIG, "CNP_INTERVAL 50us\n",
         "x:1: CNP_INTERVAL: found '50us', expected a time in us from 0 to 1000000000000"},
        {CONFIG, "CNP_INTERVAL 2000000\n", "x:1: CNP_INTERVAL: found 2s for dcqcn's cnp_interval, expected 0s to 1s"},
        {CONFIG, "RP_TIMER 0\n", "x:1: RP_TIMER: found 0s for dcqcn's timer, expected 1us to 10s"},
        {CONFIG, "KMIN 40\nFAST_RECOVERY_TIMES 0\n",
         "x:2: FAST_RECOVERY_TIMES: found 0 for dcqcn's f, expected 1 to 1000"},
        {CONFIG, "FAST_RECOVERY_TIMES 1e9\n",
         "x:1: FAST_RECOVERY_TIMES: found 1000000001 for dcqcn's f, expected 1 to 1000"},
        {CONFIG, "RATE_AI 1601Gb/s\n",
         "x:1: RATE_AI: found '1601Gb/s', expected a rate such as 40Gb/s or 5Mbps, at most 1600Gbps"},
        {CONFIG, "RATE_AI 40Mb\n",
         "x:1: RATE_AI: found '40Mb', expected a rate such as 40Gb/s or 5Mbps, at most 1600Gbps"},
        {CONFIG, "LB_MODE 3\n",
         "x:1: LB_MODE: found 3: CONGA, which needs the feedback of leaf switches, is not here, expected 0 (ECMP), 2 "
         "(DRILL) or 6 (LetFlow)"},
        {CONFIG, "LB_MODE 9\n",
         "x:1: LB_MODE: found 9: ConWeave, which reorders in the last switch, is not here, expected 0 (ECMP), 2 "
         "(DRILL) "
         "or 6 (LetFlow)"},
        {CONFIG, "LB_MODE 4\n", "x:1: LB_MODE: found 4, expected 0 (ECMP), 2 (DRILL) or 6 (LetFlow)"},
        {CONFIG, "RATE_AI 2Tb/s\n",
         "x:1: RATE_AI: found '2Tb/s', expected a rate such as 40Gb/s or 5Mbps, at most 1600Gbps"},
        {CONFIG, "MIN_RATE 0Mb/s\n",
         "x:1: MIN_RATE: found '0Mb/s', expected a rate such as 40Gb/s or 5Mbps, above 0, at most 1600Gbps"},
        {CONFIG, "MIN_RATE 10b/s\n", "x:1: MIN_RATE: found 10bps for dcqcn's r_min, expected 1Kbps to 1600Gbps"},
        {CONFIG, "CC_MODE dcqcn\n",
         "x:1: CC_MODE: found 'dcqcn', expected 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC with PINT)"},
        {CONFIG, "CC_MODE 7\nRATE_AI 0Mb/s\n",
         "x:2: RATE_AI: found 0bps for timely's delta, expected 1Kbps to 1600Gbps"},
    });
}

void
ConfigMistakesOfNetwork()
{
    CheckMistakes({
        {CONFIG, "PACKET_PAYLOAD_SIZE 0\n",
         "x:1: PACKET_PAYLOAD_SIZE: found '0', expected bytes, a whole number from 64 to 9000"},
        {CONFIG, "SIMULATOR_STOP_TIME 4s\n", "x:1: SIMULATOR_STOP_TIME: found '4s', expected a time in s"},
        {CONFIG, "SIMULATOR_STOP_TIME 1e\n", "x:1: SIMULATOR_STOP_TIME: found '1e', expected a time in s"},
        {CONFIG, "SIMULATOR_STOP_TIME -1\n", "x:1: SIMULATOR_STOP_TIME: found '-1', expected a time in s"},
        {CONFIG, "BUFFER_SIZE 0\n", "x:1: BUFFER_SIZE: found '0', expected MiB, a whole number from 1 to 1048576"},
        {CONFIG, "QLEN_MON_START 2.5\n",
         "x:1: QLEN_MON_START: found '2.5', expected a time in ns, a whole number from 0 to 1000000000000000"},
        {CONFIG, "CC_MODE 10\nRATE_AI 50Mb/s\nPINT_LOG_BASE 1.001\n",
         "x:3: PINT_LOG_BASE: found 1.001 for hpcc's log_base, expected 1.01 to 2"},
        {CONFIG, "CC_MODE 3\nRATE_AI 50Mb/s\nINT_MULTI 0\n",
         "x:3: INT_MULTI: found 0 for hpcc's int_multi, expected 1 to 65535"},
        {CONFIG, "LINK_DOWN 5 1\nCC_MODE 1\n",
         "x:1: LINK_DOWN: found the key 'CC_MODE' instead of value 3 of 3, expected a time in us and two node ids"},
        {CONFIG, "LINK_DOWN 5 1 b\n", "x:1: LINK_DOWN: found 'b', expected a time in us and two node ids"},
        {CONFIG, "PACKET_LEVEL_ECMP 1\nFLOW_LEVEL_ECMP 1\n",
         "x:2: FLOW_LEVEL_ECMP: found 1 with PACKET_LEVEL_ECMP 1, expected 0 for one of them"},
        {CONFIG, "RX_PULL_RATE_NODE 2 fast\n",
         "x:1: RX_PULL_RATE_NODE 2: found 'fast', expected a node id and a fraction from 0 to 1 such as 0.01 or 1/16"},
        {CONFIG, "CC_MODE 1\nRX_PULL_MODE_NODE host 0\n",
         "x:2: RX_PULL_MODE_NODE host: found 'host', expected a node id and 0 or 1"},
        {CONFIG, "RX_BUFFER_SIZE_NODE 2\nCC_MODE 1\n",
         "x:1: RX_BUFFER_SIZE_NODE: found the key 'CC_MODE' instead of value 2 of 2, expected a node id and bytes, a "
         "whole "
         "number from 0 to 1073741824"},
        {CONFIG, "RX_PULL_RATE_SCHEDULE 2 2 1 0.5 2\n",
         "x:1: RX_PULL_RATE_SCHEDULE: found the end of the file instead of value 6 of 6, expected a node id, a number "
         "of "
         "entries, then for each a time in s and a fraction from 0 to 1"},
        {CONFIG, "RX_PULL_RATE_SCHEDULE 2 1 1 1.5\n",
         "x:1: RX_PULL_RATE_SCHEDULE 2: found '1.5', expected a node id, a number of entries, then for each a time in "
         "s and "
         "a fraction from 0 to 1"},
        {CONFIG, "KMAX_MAP two 25000000000 400\n",
         "x:1: KMAX_MAP: found 'two', expected a number of entries, then for each a link rate in bit/s and a whole "
         "number of KB from 0 to 1000000000"},
        {CONFIG, "KMAX_MAP 2 25000000000 400\nKMIN_MAP 1 25000000000 4\n",
         "x:1: KMAX_MAP: found the key 'KMIN_MAP' instead of value 4 of 5, expected a number of entries, then for each "
         "a link rate in bit/s and a whole number of KB from 0 to 1000000000"},
        {CONFIG, "KMAX_MAP 1 fast 400\n",
         "x:1: KMAX_MAP: found 'fast', expected a number of entries, then for each a link rate in bit/s and a whole "
         "number of KB from 0 to 1000000000"},
        {CONFIG, "KMIN_MAP 1 25000000000 4x\n",
         "x:1: KMIN_MAP: found '4x', expected a number of entries, then for each a link rate in bit/s and a whole "
         "number of KB from 0 to 1000000000"},
        {CONFIG, "KMIN_MAP 1 25000000000 4.5\n",
         "x:1: KMIN_MAP: found '4.5', expected a number of entries, then for each a link rate in bit/s and a whole "
         "number of KB from 0 to 1000000000"},
        {CONFIG, "PMAX_MAP 2 1Gbps 0.1 1000000000 0.2\n",
         "x:1: PMAX_MAP: found '1000000000 twice', expected a number of entries, then for each a link rate in bit/s "
         "and a "
         "fraction from 0 to 1"},
        {CONFIG, "PMAX_MAP 1 1Gbps 2\n",
         "x:1: PMAX_MAP: found '2', expected a number of entries, then for each a link rate in bit/s and a fraction "
         "from 0 to 1"},
        {CONFIG, "PMAX_MAP 1001 1Gbps 1\n",
         "x:1: PMAX_MAP: found '1001', expected a number of entries, then for each a link rate in bit/s and a fraction "
         "from 0 to 1"},
        {CONFIG, "KMIN_MAP 1 1Gbps 4\nKMAX_MAP 1 1Gbps 5\n",
         "x:1: PMAX_MAP: found no entry, expected one for each link rate, as KMAX_MAP has"},
        {CONFIG, "PAUSE_TIME " + std::string(100, '9'),
         "x:1: PAUSE_TIME: found '9999999999999999999999999999999999999999...', expected a time in us from 0 to "
         "1000000"},
    });
}

void
TopologyMistakes()
{
    const std::string head = "4 1 3\n0\n0 1 1Gbps 1us 0\n";
    CheckMistakes({
        {TOPOLOGY, "", "x:1: header: found the end of the file, expected nodes, switches and links"},
        {TOPOLOGY, "\n \n", "x:2: header: found the end of the file, expected nodes, switches and links"},
        {TOPOLOGY, "4 1\n",
         "x:1: header: found 2 fields, expected nodes, switches and links; nodes, switches, tors and links; or six "
         "fields"},
        {TOPOLOGY, "four 1 3\n", "x:1: nodes: found 'four', expected a whole number from 1 to 65536"},
        {TOPOLOGY, "0 0 0\n", "x:1: nodes: found '0', expected a whole number from 1 to 65536"},
        {TOPOLOGY, "99999999999 1 3\n", "x:1: nodes: found '99999999999', expected a whole number from 1 to 65536"},
        {TOPOLOGY, "4 5 3\n", "x:1: switches: found '5', expected a whole number from 0 to 4"},
        {TOPOLOGY, "4 1 -3\n", "x:1: links: found '-3', expected a whole number from 0 to 10000000"},
        {TOPOLOGY, "4 1 3.0\n", "x:1: links: found '3.0', expected a whole number from 0 to 10000000"},
        {TOPOLOGY, "4 1 9 3\n", "x:1: tors: found '9', expected a whole number from 0 to 4"},
        {TOPOLOGY, "4 8 9 1 3 A100\n", "x:1: NVSwitches: found '9', expected a whole number from 0 to 3"},
        {TOPOLOGY, "4 1 3\n", "x:1: switches: found the end of the file, expected 1 switch id"},
        {TOPOLOGY, "4 1 3\n4\n", "x:2: switches: found '4', expected a node id from 0 to 3 (row 1 of 1)"},
        {TOPOLOGY, "4 1 3\n0 1\n",
         "x:2: switches: found '1' after 1 switch id, expected the end of the line, as the header says"},
        {TOPOLOGY, "4 2 3\n0 0\n", "x:2: switches: found 0 twice, expected each switch once"},
        {TOPOLOGY, "4 2 3\n0\n0 1 1Gbps 1us 0\n", "x:3: switches: found 0 twice, expected each switch once"},
        {TOPOLOGY, head, "x:3: rows: found the end of the file, expected 3 links, not 1"},
        {TOPOLOGY, head + "First line: nodes\n",
         "x:4: src: found 'First', expected a node id from 0 to 3 (row 2 of 3)"},
        {TOPOLOGY, head + "0 4 1Gbps 1us 0\n", "x:4: dst: found '4', expected a node id from 0 to 3 (row 2 of 3)"},
        {TOPOLOGY, head + "0 1.0 1Gbps 1us 0\n", "x:4: dst: found '1.0', expected a node id from 0 to 3 (row 2 of 3)"},
        {TOPOLOGY, head + "2 2 1Gbps 1us 0\n", "x:4: dst: found '2', the same as src, expected another node"},
        {TOPOLOGY, head + "0 2 1Gbps\n",
         "x:4: row: found 3 columns, expected src dst rate delay, and error rate or none"},
        {TOPOLOGY, head + "0 2 1Gbps 1us 0 9\n",
         "x:4: row: found 6 columns, expected src dst rate delay, and error rate or none"},
        {TOPOLOGY, head + "0 2 1Gpbs 1us 0\n",
         "x:4: rate: found '1Gpbs', expected a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps"},
        {TOPOLOGY, head + "0 2 100 1us 0\n",
         "x:4: rate: found '100', expected a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps"},
        {TOPOLOGY, head + "0 2 -1Gbps 1us 0\n",
         "x:4: rate: found '-1Gbps', expected a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps"},
        {TOPOLOGY, head + "0 2 9999999999999999999999999Gbps 1us\n",
         "x:4: rate: found '9999999999999999999999999Gbps', expected a rate such as 100Gbps or 25000000000, 1Mbps to "
         "16Tbps"},
        {TOPOLOGY, head + "0 2 1Gbps 1 us 0\n",
         "x:4: row: found 6 columns, expected src dst rate delay, and error rate or none"},
        {TOPOLOGY, head + "0 2 1Gbps 1usec 0\n",
         "x:4: delay: found '1usec', expected a time such as 1us, 0.001ms or 1000ns, at most 1s"},
        {TOPOLOGY, head + "0 2 1Gbps 1000\n",
         "x:4: delay: found '1000', expected a time such as 1us, 0.001ms or 1000ns, at most 1s"},
        {TOPOLOGY, head + "0 2 1Gbps us 0\n",
         "x:4: delay: found 'us', expected a time such as 1us, 0.001ms or 1000ns, at most 1s"},
        {TOPOLOGY, head + "0 2 1Gbps 1us 1.01\n", "x:4: error rate: found '1.01', expected a probability from 0 to 1"},
        {TOPOLOGY, head + "0 2 1Gbps 1us inf\n", "x:4: error rate: found 'inf', expected a probability from 0 to 1"},
        {TOPOLOGY, std::string(1000, '\0'), "x:1: found a byte of value 0, expected text"},
        {TOPOLOGY, head + std::string(1 << 21, '7'), "x:4: found a line of more than 1048576 bytes, expected text"},
        {TOPOLOGY, "\x1b[31m\x80\xfe \xff \x01\n",
         "x:1: nodes: found '?[31m?"
         "?', expected a whole number from 1 to 65536"},
    });
}

void
FlowMistakes()
{
    const std::string head = "2\n0 1 3 100 5 0\n";
    CheckMistakes({
        {FLOWS, "", "x:1: flows: found the end of the file, expected their number"},
        {FLOWS, "0 1 3 100 5 0\n", "x:1: flows: found 6 words, expected their number, alone in the first line"},
        {FLOWS, "many\n", "x:1: flows: found 'many', expected a whole number from 0 to 10000000"},
        {FLOWS, "-1\n", "x:1: flows: found '-1', expected a whole number from 0 to 10000000"},
        {FLOWS, "4294967297\n", "x:1: flows: found '4294967297', expected a whole number from 0 to 10000000"},
        {FLOWS, head, "x:2: rows: found the end of the file, expected 2, not 1"},
        {FLOWS, head + "\nFirst line: flow #\n",
         "x:4: src: found 'First', expected a node id from 0 to 6 (row 2 of 2)"},
        {FLOWS, head + "7 1 3 100 5 0\n", "x:3: src: found '7', expected a node id from 0 to 6 (row 2 of 2)"},
        {FLOWS, head + "0 -1 3 100 5 0\n", "x:3: dst: found '-1', expected a node id from 0 to 6 (row 2 of 2)"},
        {FLOWS, head + "4 1 3 100 5 0\n", "x:3: src: found '4', a switch, expected a host"},
        {FLOWS, head + "1 4 3 100 5 0\n", "x:3: dst: found '4', a switch, expected a host"},
        {FLOWS, head + "1 1 3 100 5 0\n", "x:3: dst: found '1', the same as src, expected another host"},
        {FLOWS, head + "0 1 8 100 5 0\n", "x:3: pg: found '8', expected a whole number from 0 to 7"},
        {FLOWS, head + "0 1 3 65536 5 0\n", "x:3: dport: found '65536', expected a whole number from 0 to 65535"},
        {FLOWS, head + "0 1 3 100 0 0\n",
         "x:3: bytes: found '0', expected a whole number from 1 to 1000000000000000000"},
        {FLOWS, head + "0 1 3 100 -5 0\n",
         "x:3: bytes: found '-5', expected a whole number from 1 to 1000000000000000000"},
        {FLOWS, head + "0 1 3 100 5.5 0\n",
         "x:3: bytes: found '5.5', expected a whole number from 1 to 1000000000000000000"},
        {FLOWS, head + "0 1 3 100 99999999999999999999 0\n",
         "x:3: bytes: found '99999999999999999999', expected a whole number from 1 to 1000000000000000000"},
        {FLOWS, head + "0 1 3 100 5 -1\n", "x:3: start: found '-1', expected a time in s from 0 to 1000000"},
        {FLOWS, head + "0 1 3 100 5 2s\n", "x:3: start: found '2s', expected a time in s from 0 to 1000000"},
        {FLOWS, head + "0 1 3 100 5 1e\n", "x:3: start: found '1e', expected a time in s from 0 to 1000000"},
        {FLOWS, head + "0 1 3 100 5 e5\n", "x:3: start: found 'e5', expected a time in s from 0 to 1000000"},
        {FLOWS, head + "0 1 3 100 5 1,5\n", "x:3: start: found '1,5', expected a time in s from 0 to 1000000"},
        {FLOWS, head + "0 1 3 5 0\n", "x:3: row: found 5 columns, expected src dst pg dport bytes start"},
        {FLOWS, "2\n0 1 3 5 0\n" + std::string("0 1 3 100 5 0\n"),
         "x:3: row: found 6 columns, expected src dst pg bytes start"},
        {FLOWS, "1\n0 1 3 5\n", "x:2: row: found 4 columns, expected src dst pg dport bytes start"},
        {FLOWS, "1\n0 1 3 100 5" + std::string(1, '\0') + " 0\n", "x:2: found a byte of value 0, expected text"},
        {ORIGINALS, "1\n0 1 3 5 1\n", "x:2: row: found 5 columns, expected src dst pg packets start stop"},
        {ORIGINALS, "1\n0 1 3 -5 1 2\n",
         "x:2: packets: found '-5', expected a whole number from 0 to 1000000000000000"},
        {ORIGINALS, "1\n0 1 3 5 2 1\n", "x:2: stop: found '1', expected a time not before start, which is '2'"},
        {ORIGINALS, "1\n0 1 3 5 2 late\n", "x:2: stop: found 'late', expected a time in s from 0 to 1000000"},
        {TRACE, "", "x:1: nodes: found the end of the file, expected their number"},
        {TRACE, "3\n0 1\n", "x:2: ids: found the end of the file, expected 3, not 2"},
        {TRACE, "2\n0 one\n", "x:2: id: found 'one', expected a whole number from 0 to 4294967295"},
        {TRACE, "2 0 1\n", "x:1: nodes: found 3 words, expected their number, alone in the first line"},
        {TRACE, "99999999999\n", "x:1: nodes: found '99999999999', expected a whole number from 0 to 16777216"},
        {CHOICES, "host 1 dcqcn\n", "x:1: what: found 'host', expected default, node or flow"},
        {CHOICES, "default\n", "x:1: default: found 1 word, expected 'default' and an algorithm"},
        {CHOICES, "node dcqcn\n", "x:1: node: found 2 words, expected 'node', a number or a range, an algorithm"},
        {CHOICES, "node 7 dcqcn\n", "x:1: node: found '7', expected a number from 0 to 6, or a range of them"},
        {CHOICES, "node 4 dcqcn\n", "x:1: node: found '4', a switch, expected a host"},
        {CHOICES, "node 3-2 dcqcn\n", "x:1: node: found '3-2', expected a number from 0 to 6, or a range of them"},
        {CHOICES, "flow 0 dcqcn\n", "x:1: flow: found '0', expected a number from 1 to 3, or a range of them"},
        {CHOICES, "\nflow 1-4 dcqcn\n", "x:2: flow: found '1-4', expected a number from 1 to 3, or a range of them"},
        {CHOICES, "flow 1 dcqnc\n",
         "x:1: algorithm: found 'dcqnc', expected one of " + Algorithms() + "; the nearest is 'dcqcn'"},
        {NIC, "", "x:1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'"},
        {NIC, "rpg_ai_rate\n", "x:1: rpg_ai_rate: found no value, expected a whole number from 0 to 1600000, in Mb/s"},
        {NIC, "rpg_ai_rate 5 Mb/s\n",
         "x:1: rpg_ai_rate: found 2 values, expected a whole number from 0 to 1600000, in Mb/s"},
        {NIC, "rpg_ai_rate 5Mbps\n",
         "x:1: rpg_ai_rate: found '5Mbps', expected a whole number from 0 to 1600000, in Mb/s"},
        {NIC, "\nrpg_time_reset -1\n",
         "x:2: rpg_time_reset: found '-1', expected a whole number from 0 to 10000000, in us"},
        {NIC, "rpg_gd 9\n", "x:1: rpg_gd: found '9', 2 for cut_ratio, expected 0 to 1"},
        {NIC, "rpg_min_rate 0\n", "x:1: rpg_min_rate: found '0', 0bps for r_min, expected 1Kbps to 1600Gbps"},
        {NIC, "clamp_tgt_rate maybe\n", "x:1: clamp_tgt_rate: found 'maybe', expected 0 or 1"},
        {NIC, "initial_alpha_value 1024\n",
         "x:1: initial_alpha_value: found '1024', expected a whole number from 0 to 1023, in 1/1023"},
    });
}

/// What is no text file at all.
void
NoFiles()
{
    Folder folder;
    Ns3RdmaConfig config;
    Ns3RdmaTopology topology;
    RCC_CHECK_EQ(Reader::ReadConfig(folder.GetPath(), config),
                 "'" + folder.GetPath() + "': found a directory, expected a configuration file with lines of KEY value",
                 "");
    RCC_CHECK_EQ(Reader::ReadTopology("/nowhere/t", topology),
                 "'/nowhere/t': No such file or directory, expected a file of nodes and links", "");
    RCC_CHECK_EQ(Reader::ReadTopology("/dev/zero", topology),
                 "'/dev/zero': found a device, expected a file of nodes and links", "");
    const std::string zeros = folder.Write("zeros", "");
    RCC_CHECK_EQ(truncate(zeros.c_str(), 400 * 1048576), 0, "sparse");
    RCC_CHECK_EQ(folder.Short(Reader::ReadTopology(zeros, topology)), "zeros:1: found a byte of value 0, expected text",
                 "");
    RCC_CHECK_EQ(folder.Short(Reader::ReadConfig(zeros, config)),
                 "'zeros' has 419430400 bytes, expected at most 1048576", "");
    const std::string blank = folder.Write("blank", std::string(1000002, '\n'));
    RCC_CHECK_EQ(folder.Short(Reader::ReadTopology(blank, topology)),
                 "blank:1000001: found 1000000 blank lines, expected text", "");
    if (geteuid() != 0)
    {
        const std::string secret = folder.Write("secret", "4 1 3\n");
        chmod(secret.c_str(), 0);
        RCC_CHECK_EQ(folder.Short(Reader::ReadTopology(secret, topology)),
                     "'secret': Permission denied, expected a file of nodes and links", "");
    }
}

RccTestSuite g_ns3RdmaMistakesSuite("ns3-rdma-mistakes", {{"config", ConfigMistakes},
                                                          {"config of algorithms", ConfigMistakesOfAlgorithms},
                                                          {"config of the network", ConfigMistakesOfNetwork},
                                                          {"topology", TopologyMistakes},
                                                          {"rows", FlowMistakes},
                                                          {"no-files", NoFiles}});

} // namespace
