/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* config.txt of ns3-rdma and of the HPCC simulator, and the parameters of a NIC: what is read of them. */
#include "ns3-rdma-test.h"

#include "ns3/ns3-rdma-keys.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <clocale>

using namespace ns3;

namespace
{

using Reader = Ns3RdmaReader;
using Folder = RccTestFolder;

Ns3RdmaConfig
Config(const std::string& text, const std::string& error = "", const Ns3RdmaDialect* dialect = nullptr)
{
    Folder folder;
    Ns3RdmaConfig config;
    RCC_CHECK_EQ(folder.Short(Reader::ReadConfig(folder.Write("config.txt", text), config, dialect)), error, text);
    Reader::NoteKeys(config, {config.cc.empty() ? "dcqcn" : config.cc});
    for (auto* list : {&config.notes, &config.warnings})
    {
        for (auto& line : *list)
        {
            line = folder.Short(line);
        }
    }
    return config;
}

/// A parameter of dcqcn, or of another algorithm, as text.
std::string
ParameterOf(const Ns3RdmaParameters& parameters, const std::string& name, const std::string& algorithm = "dcqcn")
{
    for (const auto& p : parameters)
    {
        if (p.first == name)
        {
            const rcc_unit unit = Reader::FieldOf(algorithm, name).unit;
            return unit != RCC_UNIT_CHOICE ? RccFormat(unit, p.second) : p.second ? "yes" : "no";
        }
    }
    return "none";
}

const char ORIGINAL[] = "ENABLE_QCN 1\nPAUSE_TIME 7.5\nPACKET_PAYLOAD_SIZE 500\nTOPOLOGY_FILE mix/t.txt\n"
                        "FLOW_FILE mix/f.txt\nTCP_FLOW_FILE tcp.txt\nTRACE_FILE tr.txt\nTRACE_OUTPUT_FILE out.tr\n"
                        "SEND_IN_CHUNKS 0\nAPP_START_TIME 0.5\nAPP_STOP_TIME 20\nSIMULATOR_STOP_TIME 4.25\n"
                        "CNP_INTERVAL 49\nALPHA_RESUME_INTERVAL 54.5\nRP_TIMER 61\nBYTE_COUNTER 150000000\n"
                        "DCTCP_GAIN 0.0078125\nKMAX 900\nKMIN 41\nPMAX 0.75\nFAST_RECOVERY_TIMES 4\nRATE_AI 41Mb/s\n"
                        "RATE_HAI 201Mbps\nERROR_RATE_PER_LINK 0.001\nL2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL 256\n"
                        "L2_BACK_TO_ZERO 1\nCLAMP_TARGET_RATE 1\nPACKET_LEVEL_ECMP 1\n";

void
CheckOriginal(const Ns3RdmaConfig& c)
{
    RCC_CHECK_EQ(Reader::DialectName(c.dialect), "ns3-rdma", "");
    RCC_CHECK_EQ(c.cc + "/" + c.preset, "dcqcn/ns3-rdma", "");
    RCC_CHECK_EQ(c.topologyFile + " " + c.flowFile + " " + c.tcpFlowFile + " " + c.traceFile + " " + c.traceOutput,
                 "mix/t.txt mix/f.txt tcp.txt tr.txt out.tr", "");
    RCC_CHECK_EQ(c.pauseTime, 7500, "us to ns");
    RCC_CHECK_EQ(c.payload, 500, "");
    RCC_CHECK_EQ(c.stop, 4250000000, "");
    RCC_CHECK_EQ(c.kmin[0].second, 41 * 1030, "packets of 1030 bytes");
    RCC_CHECK_EQ(c.kmax[0].second, 900 * 1030, "");
    RCC_CHECK_EQ(c.pmax[0].second, 750000000, "ppb");
    RCC_CHECK_EQ(c.kmin[0].first, 0, "for every rate");
    RCC_CHECK_NEAR(c.errorRate, 0.001, 1e-15, "");
    RCC_CHECK_EQ(c.chunk, 4000 * 500, "packets to bytes");
    RCC_CHECK_EQ(c.ackInterval, 256, "packets");
    RCC_CHECK(c.backToZero && c.ecn && c.dynamicPfc && c.packetEcmp && !c.hasWindow && !c.linkDown, "");
    const std::vector<std::pair<std::string, std::string>> want{{"cnp_interval", "49us"},
                                                                {"alpha_timer", "54500ns"},
                                                                {"timer", "61us"},
                                                                {"byte_counter", "150MB"},
                                                                {"g", "0.0078125"},
                                                                {"f", "4"},
                                                                {"r_ai", "41Mbps"},
                                                                {"r_hai", "201Mbps"},
                                                                {"clamp_target", "yes"},
                                                                {"r_min", "none"},
                                                                {"rate_reduce_period", "none"}};
    for (const auto& w : want)
    {
        RCC_CHECK_EQ(ParameterOf(c.parameters, w.first), w.second, w.first);
    }
    for (const char* note :
         {"config.txt:9: SEND_IN_CHUNKS: has no effect: ", "config.txt:10: APP_START_TIME: has no effect: ",
          "config.txt:11: APP_STOP_TIME: has no effect: "})
    {
        RCC_CHECK(LabTestHas(c.notes, note), LabTestLines(c.notes));
    }
    RCC_CHECK_EQ(c.notes.size(), 3, LabTestLines(c.notes));
}

/// The same configuration in every way in which an editor leaves it.
void
OriginalConfig()
{
    const std::string text = ORIGINAL;
    const Ns3RdmaConfig plain = Config(text);
    CheckOriginal(plain);
    RCC_CHECK_EQ(plain.warnings.size(), 0, LabTestLines(plain.warnings));
    CheckOriginal(Config(LabTestCrlf(text)));
    CheckOriginal(Config(text.substr(0, text.size() - 1)));
    CheckOriginal(Config("\xef\xbb\xbf" + LabTestCrlf(text)));
    const Ns3RdmaConfig prose = Config(text + "\n\nFirst line: what KMIN 99 is\nand more words\n");
    CheckOriginal(prose);
    RCC_CHECK_EQ(LabTestLines(prose.warnings),
                 "config.txt:32: ignored text that does not begin with a key: 'First'\n"
                 "config.txt:32: KMIN: ignored, because its line does not begin with a key; those simulators would "
                 "read it\n",
                 "");
    std::string words = text; // a token stream: lines do not matter
    std::replace(words.begin(), words.begin() + 110, '\n', '\t');
    Ns3RdmaConfig joined = Config(words);
    RCC_CHECK_EQ(joined.pauseTime, 7500, "");
    RCC_CHECK_EQ(joined.warnings.size(), 0, LabTestLines(joined.warnings));
    const Ns3RdmaConfig bare = Config("CNP_INTERVAL 50\n"); // what that simulator has for missing keys
    RCC_CHECK_EQ(bare.kmin[0].second, 60 * 1030, "");
    RCC_CHECK_EQ(bare.stop, 3010000000, "");
    RCC_CHECK_EQ(bare.ackInterval, 1, "");
    RCC_CHECK_EQ(ParameterOf(bare.parameters, "clamp_target"), "no", "");
    RCC_CHECK_EQ(ParameterOf(bare.parameters, "g"), "none", "1/16 = 0 is not taken over");
}

const char HPCC[] = "CC_MODE 1\nALPHA_RESUME_INTERVAL 1\nRATE_DECREASE_INTERVAL 4\nCLAMP_TARGET_RATE 0\nRP_TIMER 900 \n"
                    "EWMA_GAIN 1/16\nFAST_RECOVERY_TIMES 1\nRATE_AI 50Mb/s\nRATE_HAI 100Mb/s\nMIN_RATE 10Mb/s\n"
                    "DCTCP_RATE_AI 1000Mb/s\nL2_CHUNK_SIZE 4000\nL2_ACK_INTERVAL 1001\nL2_BACK_TO_ZERO 0\nHAS_WIN 1\n"
                    "GLOBAL_T 0\nVAR_WIN 1\nFAST_REACT 1\nU_TARGET 0.95\nRATE_BOUND 1\nACK_HIGH_PRIO 1\n"
                    "LINK_DOWN 1000.5 3 4\nENABLE_TRACE 0\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
                    "KMIN_MAP 2 25000000000 100 100Gbps 400\nPMAX_MAP 2 25000000000 0.2 100000000000 1/4\n"
                    "BUFFER_SIZE 32\nQLEN_MON_FILE q.txt\nQLEN_MON_START 2000000000\nQLEN_MON_END 2010000000\n"
                    "FCT_OUTPUT_FILE mix/fct.txt\n";

void
HpccConfig()
{
    const Ns3RdmaConfig c = Config(LabTestCrlf(HPCC));
    RCC_CHECK_EQ(Reader::DialectName(c.dialect), "hpcc", "");
    RCC_CHECK_EQ(c.cc + "/" + c.preset, "dcqcn/hpcc", "");
    RCC_CHECK_EQ(c.warnings.size(), 0, LabTestLines(c.warnings));
    RCC_CHECK_EQ(c.chunk, 4000, "bytes");
    RCC_CHECK_EQ(c.ackInterval, 1, "every packet has an ACK, as that simulator's receiver counts anew with each");
    RCC_CHECK(c.hasWindow && !c.globalWindow && c.variableWindow && c.ackHighPriority && !c.enableTrace, "");
    RCC_CHECK(c.linkDown, "");
    RCC_CHECK_EQ(c.linkDownAt, 2001000500, "2 s + 1000.5 us");
    RCC_CHECK_EQ(c.linkDownA, 3, "");
    RCC_CHECK_EQ(c.linkDownB, 4, "");
    RCC_CHECK_EQ(c.kmin.size(), 2, "");
    RCC_CHECK_EQ(c.kmin[1].first, 100 * G, "");
    RCC_CHECK_EQ(c.kmin[1].second, 400000, "KB of 1000 bytes");
    RCC_CHECK_EQ(c.kmax[0].second, 400000, "");
    RCC_CHECK_EQ(c.pmax[0].second, 200000000, "");
    RCC_CHECK_EQ(c.pmax[1].second, 250000000, "");
    RCC_CHECK_EQ(c.bufferSize, 32 * 1048576, "MiB");
    RCC_CHECK_EQ(c.qlenEnd - c.qlenStart, 10000000, "");
    RCC_CHECK_EQ(c.fctOutput + " " + c.pfcOutput + " " + c.qlenOutput, "mix/fct.txt pfc.txt q.txt", "");
    RCC_CHECK_EQ(c.lines.at("KMAX_MAP"), 24, "");
    const std::vector<std::pair<std::string, std::string>> want{{"alpha_timer", "1us"}, {"rate_reduce_period", "4us"},
                                                                {"clamp_target", "no"}, {"timer", "900us"},
                                                                {"g", "0.0625"},        {"f", "2"},
                                                                {"r_ai", "50Mbps"},     {"r_hai", "100Mbps"},
                                                                {"r_min", "10Mbps"}};
    for (const auto& w : want)
    {
        RCC_CHECK_EQ(ParameterOf(c.parameters, w.first), w.second, w.first);
    }
    RCC_CHECK_EQ(c.parameters.size(), want.size(), "");
    RCC_CHECK(LabTestHas(c.notes, "L2_ACK_INTERVAL: has no effect: every packet has an ACK"), LabTestLines(c.notes));
    RCC_CHECK_EQ(c.notes.size(), 5, LabTestLines(c.notes)); // DCTCP_RATE_AI, FAST_REACT, U_TARGET, RATE_BOUND
    const Ns3RdmaConfig bare = Config("HAS_WIN 0\nLINK_DOWN 0 0 0\nL2_ACK_INTERVAL 1\n");
    RCC_CHECK(!bare.linkDown && !bare.hasWindow && bare.globalWindow && !bare.variableWindow, "");
    RCC_CHECK_EQ(bare.ackInterval, 1, "");
    RCC_CHECK_EQ(bare.bufferSize, 16 * 1048576, "");
    RCC_CHECK_EQ(ParameterOf(bare.parameters, "alpha_timer"), "55us", "");
    RCC_CHECK_EQ(ParameterOf(bare.parameters, "f"), "6", "");
    RCC_CHECK(LabTestHas(bare.notes, "no KMIN_MAP"), LabTestLines(bare.notes));
    // a fork's: a rate above any that a link here can have, and a comment
    const Ns3RdmaConfig fork = Config("KMAX_MAP 2 25Gbps 400 2400000000000 3200\nKMIN_MAP 1 25Gbps 100\n"
                                      "PMAX_MAP 1 25Gbps 0.2\n# Buffer\n");
    RCC_CHECK_EQ(fork.kmax[1].first, 2400 * G, "");
}

/// CC_MODE, and the dialect: detected, mixed, forced.
void
Modes()
{
    const Ns3RdmaConfig timely = Config("CC_MODE 7\nRATE_AI 10Mb/s\nRATE_HAI 50Mb/s\nMIN_RATE 1Mb/s\nRP_TIMER 900\n");
    RCC_CHECK_EQ(timely.cc + "/" + timely.preset, "timely/hpcc", "");
    RCC_CHECK_EQ(ParameterOf(timely.parameters, "delta", "timely"), "10Mbps", "");
    RCC_CHECK_EQ(ParameterOf(timely.parameters, "hai", "timely"), "5", "");
    RCC_CHECK_EQ(ParameterOf(timely.parameters, "r_min", "timely"), "1Mbps", "");
    RCC_CHECK_EQ(timely.parameters.size(), 3, "");
    RCC_CHECK_EQ(LabTestLines(timely.notes),
                 "config.txt:5: RP_TIMER: has no effect: no parameter of timely with CC_MODE 7\n", "");
    RCC_CHECK_EQ(ParameterOf(timely.dcqcn, "timer", "dcqcn"), "900us", "");
    const Ns3RdmaConfig three =
        Config("CC_MODE 3\nRATE_AI 50Mb/s\nU_TARGET 0.9\nMI_THRESH 0\nMULTI_RATE 0\nRP_TIMER 900\n");
    RCC_CHECK_EQ(three.cc + "/" + three.preset, "hpcc/simulator", "");
    RCC_CHECK_EQ(ParameterOf(three.parameters, "r_ai", "hpcc"), "50Mbps", "");
    RCC_CHECK_EQ(ParameterOf(three.parameters, "eta", "hpcc"), "0.9", "");
    RCC_CHECK_EQ(ParameterOf(three.parameters, "max_stage", "hpcc"), "0", "");
    RCC_CHECK_EQ(ParameterOf(three.parameters, "multi_rate", "hpcc"), "no", "");
    RCC_CHECK_EQ(ParameterOf(three.parameters, "fast_react", "hpcc"), "yes", ""); // of a missing key
    RCC_CHECK(LabTestHas(three.notes, "config.txt:6: RP_TIMER: has no effect: no parameter of hpcc with CC_MODE 3"),
              "");
    const Ns3RdmaConfig dctcp = Config("CC_MODE 8\nRATE_AI 50Mb/s\nDCTCP_RATE_AI 615Mb/s\nEWMA_GAIN 0.0625\n");
    RCC_CHECK_EQ(dctcp.cc + "/" + dctcp.preset, "dctcp/simulator", "");
    RCC_CHECK_EQ(ParameterOf(dctcp.parameters, "r_ai", "dctcp"), "615Mbps", "");
    RCC_CHECK_EQ(ParameterOf(dctcp.parameters, "g", "dctcp"), "0.0625", "");
    const Ns3RdmaConfig uneven = Config("CC_MODE 7\nRATE_AI 10Mb/s\nRATE_HAI 24Mb/s\n");
    RCC_CHECK_EQ(ParameterOf(uneven.parameters, "hai", "timely"), "2", "");
    RCC_CHECK(
        LabTestHas(uneven.warnings, "config.txt:3: RATE_HAI: 24Mbps is no multiple of RATE_AI; TIMELY has 2 times"),
        LabTestLines(uneven.warnings));
    const Ns3RdmaConfig pint = Config("CC_MODE 10\nRATE_AI 50Mb/s\nMI_THRESH 0\nINT_MULTI 4\nPINT_LOG_BASE 1.01\n"
                                      "PINT_PROB 0.5\nMULTI_RATE 0\n");
    RCC_CHECK_EQ(pint.cc + "/" + pint.preset, "hpcc/pint", "");
    RCC_CHECK_EQ(ParameterOf(pint.parameters, "log_base", "hpcc"), "1.01", "");
    RCC_CHECK_EQ(ParameterOf(pint.parameters, "pint_prob", "hpcc"), "0.5", "");
    RCC_CHECK_EQ(ParameterOf(pint.parameters, "r_ai", "hpcc"), "50Mbps", "");
    RCC_CHECK_EQ(ParameterOf(Config("CC_MODE 3\nRATE_AI 50Mb/s\nINT_MULTI 4\n").parameters, "int_multi", "hpcc"), "4",
                 "");
    RCC_CHECK(LabTestHas(pint.notes, "config.txt:4: INT_MULTI: has no effect: no parameter of hpcc with CC_MODE 10"),
              "");
    RCC_CHECK(LabTestHas(pint.notes, "config.txt:7: MULTI_RATE: has no effect: no parameter of hpcc with CC_MODE 10"),
              "");
    const Ns3RdmaConfig astra = Config("CC_MODE 12\nRATE_AI 50Mb/s\n");
    RCC_CHECK_EQ(astra.cc + "/" + astra.preset, "/hpcc", "the caller must choose");
    RCC_CHECK_EQ(ParameterOf(astra.parameters, "r_ai"), "50Mbps", "for dcqcn, if that is the choice");
    RCC_CHECK(
        LabTestHas(astra.notes, "config.txt:1: CC_MODE: 12 is no control at all in astra-sim's fork, as --cc=none"),
        "");
    const Ns3RdmaConfig other = Config("CC_MODE 11\nRATE_AI 50Mb/s\n");
    RCC_CHECK_EQ(other.cc, "", "the caller must choose");
    RCC_CHECK(LabTestHas(other.notes, "config.txt:1: CC_MODE: 11 is unknown"), "");
    RCC_CHECK_EQ(Config("CC_MODE 1\nENABLE_PFC 0\n").pfc, false, "");
    RCC_CHECK_EQ(Config("CC_MODE 1\n").pfc, true, "");
    for (const char* large : {"9000000000", "40000000000000.00", "1e99"})
    {
        RCC_CHECK_EQ(Config(std::string("CC_MODE 1\nSIMULATOR_STOP_TIME ") + large + "\n").stop, 9000000000000000000,
                     large);
    }
    const Ns3RdmaConfig mixed = Config("KMIN 5\nKMAX 6\nBUFFER_SIZE 3\n");
    RCC_CHECK_EQ(Reader::DialectName(mixed.dialect), "ns3-rdma", "two keys against one");
    RCC_CHECK_EQ(LabTestLines(mixed.warnings),
                 "config.txt: has keys of both simulators (KMIN, BUFFER_SIZE); it is read as one of ns3-rdma\n"
                 "config.txt:3: BUFFER_SIZE: ignored, as ns3-rdma does: it is a key of hpcc\n",
                 "");
    RCC_CHECK_EQ(mixed.bufferSize, 0, "");
    const Ns3RdmaDialect hpcc = Ns3RdmaDialect::HPCC;
    const Ns3RdmaConfig forced = Config("KMIN 5\nKMAX 6\nBUFFER_SIZE 3\n", "", &hpcc);
    RCC_CHECK_EQ(Reader::DialectName(forced.dialect), "hpcc", "");
    RCC_CHECK_EQ(forced.bufferSize, 3 * 1048576, "");
    RCC_CHECK_EQ(forced.kmin.size(), 0, "");
    RCC_CHECK(
        LabTestHas(Config("RATE_AI 1Mb/s\n").warnings, "no key is of one simulator only; it is read as one of hpcc"),
        "");
    Ns3RdmaDialect d = hpcc;
    RCC_CHECK_EQ(Reader::ParseDialect("original", d), "", "");
    RCC_CHECK_EQ(Reader::DialectName(d), "ns3-rdma", "");
    RCC_CHECK_EQ(Reader::ParseDialect("hpcc", d), "", "");
    RCC_CHECK_EQ(Reader::DialectName(d), "hpcc", "");
    RCC_CHECK_EQ(Reader::ParseDialect("ns2", d), "found 'ns2', expected ns3-rdma or hpcc", "");
}

/// Which keys are without effect goes by the algorithms that run.
void
KeysOfAlgorithms()
{
    const auto without = [](const std::string& text, const std::set<std::string>& algorithms,
                            const std::map<std::string, std::string>& asked = {}) {
        Ns3RdmaConfig config = Config(text);
        config.notes.clear();
        config.path = "config.txt";
        config.maps = true; // else they have a note
        Reader::NoteKeys(config, algorithms, asked);
        return LabTestLines(config.notes);
    };
    const std::string keys = "RP_TIMER 900\nMIN_RATE 1Mb/s\nU_TARGET 0.9\n";
    const std::string timer = "config.txt:2: RP_TIMER: has no effect: no parameter of ";
    const std::string least = "config.txt:3: MIN_RATE: has no effect: no parameter of ";
    const std::string target = "config.txt:4: U_TARGET: has no effect: no parameter of ";
    const std::string three = " with CC_MODE 3\n";
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"hpcc"}), timer + "hpcc" + three, "");
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dcqcn"}), target + "dcqcn" + three, "");
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dcqcn", "hpcc"}), "", "");
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dctcp", "swift"}),
                 timer + "dctcp, swift" + three + least + "dctcp, swift" + three + target + "dctcp, swift" + three,
                 "what CC_MODE 8 says of dctcp, CC_MODE 3 does not");
    RCC_CHECK_EQ(without("CC_MODE 8\n" + keys, {"dctcp"}),
                 timer + "dctcp with CC_MODE 8\n" + target + "dctcp with CC_MODE 8\n", "");
    RCC_CHECK_EQ(without("CC_MODE 7\n" + keys, {"timely", "dcqcn"}), target + "dcqcn, timely with CC_MODE 7\n", "");
    RCC_CHECK_EQ(without("CC_MODE 12\n" + keys, {"dcqcn"}), target + "dcqcn with CC_MODE 12\n", "");
    RCC_CHECK_EQ(without("KMIN 5\nRP_TIMER 60\nKMAX 9\nU_TARGET 1\n", {"qcn"}), timer + "qcn\n",
                 "no CC_MODE, and a key of the other simulator has its warning");
    RCC_CHECK_EQ(without("KMIN 5\nRP_TIMER 60\n", {"dcqcn"}), "", "");
    // what is asked for in place of keys has one note, unless another algorithm takes them
    const std::string unused = "config.txt: not used: ";
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dcqcn"}, {{"dcqcn", "dcqcn:cx4"}}),
                 target + "dcqcn" + three + unused + "RP_TIMER, MIN_RATE: the command asks for dcqcn:cx4\n", "");
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dcqcn", "hpcc"}, {{"dcqcn", "dcqcn:cx4"}}),
                 unused + "RP_TIMER: the command asks for dcqcn:cx4\n", "");
    RCC_CHECK_EQ(without("CC_MODE 3\n" + keys, {"dcqcn", "hpcc"}, {{"dcqcn", "--nic=cx5"}, {"hpcc", "hpcc:pint"}}),
                 unused + "RP_TIMER, MIN_RATE, U_TARGET: the command asks for --nic=cx5, hpcc:pint\n", "");
    RCC_CHECK_EQ(without("CC_MODE 3\nRP_TIMER 900\n", {"swift"}, {{"swift", "swift:x"}}), timer + "swift" + three, "");
}

/// Unknown keys, values too many, keys twice.
void
Warnings()
{
    const Ns3RdmaConfig c = Config("CC_MODE 1\nHAS_WINDOW 1\nVAR_WIN 1 1\nkmin_map 3\nFOO_X 1 2 3 HAS_WIN 0\n"
                                   "MIN_RATE 1Mb/s\nMIN_RATE 2Mb/s\nNO_SUCH_KEY_IN_ANY_DIALECT1 5\n");
    RCC_CHECK(c.variableWindow && !c.hasWindow, "a key after an unknown one with its values is read");
    RCC_CHECK_EQ(ParameterOf(c.parameters, "r_min"), "2Mbps", "the last one");
    RCC_CHECK_EQ(LabTestLines(c.warnings),
                 "config.txt:2: ignored the unknown key 'HAS_WINDOW'\n" // HAS_WIN is there
                 "config.txt:4: ignored the unknown key 'kmin_map'; the nearest is 'KMIN_MAP'\n"
                 "config.txt:5: ignored the unknown key 'FOO_X'\n"
                 "config.txt:8: ignored the unknown key 'NO_SUCH_KEY_IN_ANY_DIALECT1'\n"
                 "config.txt:3: VAR_WIN: ignored '1' after the value\n"
                 "config.txt:7: MIN_RATE: given again, line 6 is ignored\n",
                 "unknown keys come first");
    RCC_CHECK_EQ(LabTestLines(Config("CC_MODE 1\nHAS_WINDOW 1\n").warnings),
                 "config.txt:2: ignored the unknown key 'HAS_WINDOW'; the nearest is 'HAS_WIN'\n", "");
    // what is near is a key of the same dialect
    const std::string found = "config.txt:2: ignored the unknown key 'KMAX_MPA'";
    const std::string maps = "KMIN_MAP 1 1Gbps 1\nKMAX_MAP 1 1Gbps 4\nPMAX_MAP 1 1Gbps 1\n";
    RCC_CHECK_EQ(Config("CC_MODE 1\nKMAX_MPA 1 1Gbps 4\n" + maps).warnings.front(), found, "");
    RCC_CHECK_EQ(Config("CC_MODE 1\nkmax 5\nHAS_WIN 0\n").warnings.front(),
                 "config.txt:2: ignored the unknown key 'kmax'", "");
    RCC_CHECK_EQ(Config("KMIN 5\nKMAX_MPA 70\nPMAX 1\n").warnings.front(), found + "; the nearest is 'KMAX'", "");
    const Ns3RdmaDialect original = Ns3RdmaDialect::ORIGINAL;
    RCC_CHECK_EQ(Config("RATE_AI 5Mbps\nKMAX_MPA 5\n", "", &original).warnings.front(),
                 found + "; the nearest is 'KMAX'", "");
    std::string many;
    for (int i = 0; i < 60; i++)
    {
        many += "UNKNOWN_" + std::to_string(i) + " 1\n";
    }
    const Ns3RdmaConfig flood = Config("CC_MODE 1\n" + many);
    RCC_CHECK_EQ(flood.warnings.size(), 51, "");
    RCC_CHECK_EQ(flood.warnings.back(), "config.txt: and 10 more of these", "");
}

void
NicParams()
{
    Folder folder;
    Ns3RdmaParameters p;
    std::vector<std::string> notes, warnings;
    const std::string sysfs = "# mlx5\nrpg_time_reset 300\nrpg_byte_reset=32767\nrpg_ai_rate = 5\nrpg_hai_rate: 50\n"
                              "rpg_threshold 1\nrpg_min_rate 1\nrpg_max_rate 0\nrpg_gd 11\ndce_tcp_g 4\ndce_tcp_rtt 1\n"
                              "initial_alpha_value 1023\nclamp_tgt_rate 0\nrate_reduce_monitor_period 4\n"
                              "rate_to_set_on_first_cnp 0\nmin_time_between_cnps 4\n";
    RCC_CHECK_EQ(Reader::ReadNicParams(folder.Write("n", sysfs), p, notes, warnings), "", "");
    const std::vector<std::pair<std::string, std::string>> want{{"timer", "300us"},
                                                                {"byte_counter", "32767B"},
                                                                {"r_ai", "5Mbps"},
                                                                {"r_hai", "50Mbps"},
                                                                {"f", "1"},
                                                                {"r_min", "1Mbps"},
                                                                {"cut_ratio", "0.5"},
                                                                {"g", "0.00390625"},
                                                                {"alpha_timer", "1us"},
                                                                {"initial_alpha", "1"},
                                                                {"clamp_target", "no"},
                                                                {"rate_reduce_period", "4us"},
                                                                {"first_cnp_rate", "0bps"},
                                                                {"cnp_generation", "4us"},
                                                                {"cnp_interval", "0s"}};
    for (const auto& w : want)
    {
        RCC_CHECK_EQ(ParameterOf(p, w.first), w.second, w.first);
    }
    RCC_CHECK_EQ(p.size(), want.size(), "");
    RCC_CHECK_EQ(notes.size() + warnings.size(), 0, LabTestLines(notes) << LabTestLines(warnings));
    const std::string config =
        "  RPG_TIME_RESET_P1     600\nCLAMP_TGT_RATE_P1 True(1)\nrp_gd 10\nRPG_MIN_DEC_FAC_P1 50\n"
        "rpg_time_rset 1\nrpg_time_reset 500\nDCE_TCP_G_P1 1019\nrp_clamp_tgt_rate_ati 1\n"
        "RATE_TO_SET_ON_FIRST_CNP_P1 2000\n";
    RCC_CHECK_EQ(Reader::ReadNicParams(folder.Write("n", LabTestCrlf(config)), p, notes, warnings), "", "");
    RCC_CHECK_EQ(ParameterOf(p, "timer"), "500us", "the last one");
    RCC_CHECK_EQ(ParameterOf(p, "clamp_target"), "yes", "");
    RCC_CHECK_EQ(ParameterOf(p, "cut_ratio"), "1", "");
    RCC_CHECK_EQ(ParameterOf(p, "g"), "0.004882813", "1019 of 1024 stay");
    RCC_CHECK_EQ(ParameterOf(p, "min_dec_fac"), "0.5", "");
    RCC_CHECK_EQ(ParameterOf(p, "first_cnp_rate"), "2Gbps", "");
    RCC_CHECK_EQ(ParameterOf(p, "clamp_after_time"), "yes", "");
    RCC_CHECK_EQ(folder.Short(LabTestLines(notes)),
                 "n:7: dce_tcp_g: 1019 is read as the share of alpha that stays, a gain of 5/1024\n", "");
    RCC_CHECK_EQ(folder.Short(LabTestLines(warnings)),
                 "n:5: ignored the unknown parameter 'rpg_time_rset'; the nearest is 'rpg_time_reset'\n"
                 "n:6: rpg_time_reset: given again, line 1 is ignored\n",
                 "");
}

/// The names that Windows has for the same parameters, and a list of QCN.
void
OtherNics()
{
    RccTestFolder folder;
    Ns3RdmaParameters p;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    std::string algorithm;
    const std::string windows = "DcQcnEnablePrio3 : 1\nDcQcnClampTgtRateAfterTimeInc : 0\nDcQcnRpgByteReset : 400\n"
                                "DcQcnAlphaToRateShift : 11\nDcqcnRateReduceMonitorPeriod=32\nDcQcnCnp802pPrio : 7\n"
                                "ROCE_CC_ALGORITHM_P1 ECN(0)\n";
    RCC_CHECK_EQ(Reader::ReadNicParams(folder.Write("n", windows), p, notes, warnings, &algorithm), "", "");
    RCC_CHECK_EQ(algorithm, "dcqcn", "");
    RCC_CHECK_EQ(ParameterOf(p, "clamp_after_time") + ParameterOf(p, "byte_counter"), "no400B", "");
    RCC_CHECK_EQ(ParameterOf(p, "cut_ratio") + ParameterOf(p, "rate_reduce_period"), "0.532us", "");
    RCC_CHECK_EQ(LabTestLines(warnings), "", "");
    RCC_CHECK_EQ(notes.size(), 1, LabTestLines(notes)); // the class of CNPs
    const std::string qcn = "rppp_max_rps: 1000\nrpg_gd: 7\nrpg_enable: 1\nrpg_time_reset: 15000\n";
    RCC_CHECK_EQ(Reader::ReadNicParams(folder.Write("n", qcn), p, notes, warnings, &algorithm), "", "");
    RCC_CHECK_EQ(algorithm + " " + RccFormat(RCC_UNIT_RATIO, p[0].second) + " " + RccFormat(RCC_UNIT_NS, p[1].second),
                 "qcn 0.0078125 15ms", "");
    RCC_CHECK_EQ(folder.Short(Reader::ReadNicParams(folder.Write("n", qcn), p, notes, warnings)),
                 "n:1: found parameters of QCN, expected those of DCQCN", "");
}

/// Comments in braces, behind values, in lines of their own: one note; the unknown key is the first warning.
void
Comments()
{
    const Ns3RdmaConfig c =
        Config("CC_MODE 1 {0: off, 3: KMIN_MAP 3}\nHAS_WIN 0 # no window\nVAR_WIN 1 // shrinks\nGLOBAL_T 0{of all}\n"
               "MIN_RATE 2Mb/s the least\n# CC_MODE 7\n#HAS_WIN 1\nTOS_OF_ACKS 0 {of a fork}\nRATE_AI 5Mb/s {open\n"
               "RATE_HAI 50Mb/s\n");
    RCC_CHECK(c.mode == 1 && !c.hasWindow && c.variableWindow && !c.globalWindow, "values without their comments");
    RCC_CHECK_EQ(ParameterOf(c.parameters, "r_min") + ParameterOf(c.parameters, "r_hai"), "2Mbps50Mbps", "");
    RCC_CHECK_EQ(LabTestLines(c.warnings),
                 "config.txt:8: ignored the unknown key 'TOS_OF_ACKS'\n"
                 "config.txt:6: CC_MODE: ignored, because its line does not begin with a key; those simulators would "
                 "read it\n",
                 "");
    RCC_CHECK_EQ(c.notes[0], "config.txt:1: 7 comments in braces or behind values ignored, here the first", "");
    RCC_CHECK_EQ(c.notes.size(), 2, LabTestLines(c.notes)); // no maps
}

/// Keys of a fork that are of one host: each host once, with what is behind the value a comment.
void
NodeKeys()
{
    const Ns3RdmaConfig c =
        Config("RX_PULL_RATE 0.5\nRX_PULL_RATE_NODE 0 1.0 {sender 0}\nRX_PULL_RATE_NODE 2 0.1 {receiver}\n"
               "RX_PULL_MODE_NODE 1 0 {immediate}\nRX_BUFFER_SIZE_NODE 2 64000\nRX_BUFFER_PER_QUEUE_NODE 2 0\n"
               "RX_PULL_RATE_SCHEDULE 2 3 2.5 1.0 1 0.05 1.25 1/4 \nRX_PULL_RATE_NODE 2 0.2\n");
    RCC_CHECK_EQ(Reader::DialectName(c.dialect), "hpcc", "");
    RCC_CHECK((c.pullRateOf == Ns3RdmaNodeMap{{0, 1000000000}, {2, 200000000}}), "the last one of a node counts");
    RCC_CHECK((c.pullsOf == Ns3RdmaNodeMap{{1, 0}}), "");
    RCC_CHECK((c.rxBufferOf == Ns3RdmaNodeMap{{2, 64000}}), "");
    RCC_CHECK((c.rxBufferOfClassOf == Ns3RdmaNodeMap{{2, 0}}), "0: no limit");
    const Ns3RdmaRateMap entries{{1000000000, 50000000}, {1250000000, 250000000}, {2500000000, 1000000000}};
    RCC_CHECK(c.pullSchedule.size() == 1 && c.pullSchedule.at(2) == entries, "in the order of time");
    RCC_CHECK_EQ(LabTestLines(c.warnings), "config.txt:8: RX_PULL_RATE_NODE 2: given again, line 3 is ignored\n", "");
    const Ns3RdmaConfig none = Config("KMIN 5\nKMAX 5\nPMAX 1\nRX_PULL_RATE_NODE 2 0.1\n");
    RCC_CHECK_EQ(none.warnings.back(),
                 "config.txt:4: RX_PULL_RATE_NODE 2: ignored, as ns3-rdma does: it is a key of hpcc", "");
}

/// What those simulators read without a word: a rate that is listed twice with one threshold.
void
RateTwice()
{
    const Ns3RdmaConfig c =
        Config("KMIN_MAP 3 10000000000 40 100000000000 400 100000000000 400\n"
               "KMAX_MAP 2 10000000000 160 100000000000 1600\nPMAX_MAP 2 10000000000 .2 100000000000 .2\n");
    RCC_CHECK_EQ(c.kmin.size(), 2, "");
    RCC_CHECK_EQ(c.kmin[1].second, 400000, "");
}

/// Of FLOW_LEVEL_ECMP and PACKET_LEVEL_ECMP neither is the default there.
void
NoEcmp()
{
    const std::string original = "KMIN 5\nKMAX 5\nPMAX 1\n";
    RCC_CHECK(!Config(original).flowEcmp, "missing");
    RCC_CHECK(!Config(original + "FLOW_LEVEL_ECMP 0\n").flowEcmp, "");
    RCC_CHECK(Config(original + "FLOW_LEVEL_ECMP 1\n").flowEcmp, "");
    RCC_CHECK(Config("CC_MODE 1\n").flowEcmp, "of hpcc always");
}

/// A key of a known fork is answered by what it is, never by a key that looks like it.
void
Forks()
{
    const Ns3RdmaConfig c =
        Config("CC_MODE 1\nIRN_RTO 1\nAR_MODE 9\nCONWEAVE_TX_EXPIRY_TIME 1000\n"
               "BW_MON_FILE bw.txt\nQP_MON_INTERVAL 100\nRANDOM_SEED 1\n"
               "ns3::RdmaHw::Mtu 1000\nLOADS 3\nENABLE_CWND_TRACE 1\nRXBUF_OUTPUT_FILE rx.csv\nDATA_DIR out\n"
               "EXP_NAME one\nINT_PER_PACKET 1\nR_DELIVERED_GAIN 0.5\n");
    const std::string shown = LabTestLines(c.warnings);
    for (const char* part :
         {"config.txt:2: IRN_RTO: ignored, a key of forks: the parameters of IRN are attributes here: --attr "
          "RdmaNic.RtoLow",
          "config.txt:3: AR_MODE: ignored, a key of forks: of load balancing, LB_MODE 0, 2 and 6 are here",
          "config.txt:4: CONWEAVE_TX_EXPIRY_TIME: ignored, a key of forks: of load balancing",
          "config.txt:5: BW_MON_FILE: ignored, a key of forks: a file that this fork writes",
          "config.txt:6: QP_MON_INTERVAL: ignored, a key of forks: the interval of a file",
          "config.txt:7: RANDOM_SEED: ignored, a key of forks: the seed of a run is --seed",
          "config.txt:8: ns3::RdmaHw::Mtu: ignored, a key of forks: an attribute",
          "config.txt:9: ignored the unknown key 'LOADS'",
          "config.txt:10: ENABLE_CWND_TRACE: ignored, a key of forks: a file that this fork writes",
          "config.txt:11: RXBUF_OUTPUT_FILE: ignored, a key of forks: a file that this fork writes",
          "config.txt:12: DATA_DIR: ignored, a key of forks: the folder of results is --out",
          "config.txt:13: EXP_NAME: ignored, a key of forks: the folder of results is --out",
          "config.txt:14: INT_PER_PACKET: ignored, a key of forks: telemetry is written for the algorithms",
          "config.txt:15: R_DELIVERED_GAIN: ignored, a key of forks: of CC_MODE 11"})
    {
        RCC_CHECK(shown.find(part) != std::string::npos, part << " in\n" << shown);
    }
    RCC_CHECK(shown.find("nearest") == std::string::npos, shown);
    for (const auto& key : Ns3RdmaKeys())
    {
        RCC_CHECK(!Ns3RdmaForkKey(key.name), key.name);
    }
}

/// Of values that are given elsewhere the file's are not looked at; thresholds of the HPCC simulator always follow the
/// buffer.
void
Elsewhere()
{
    RccTestFolder folder;
    const std::string path = folder.Write("c", "CC_MODE 1\nSIMULATOR_STOP_TIME never\nUSE_DYNAMIC_PFC_THRESHOLD 0\n");
    Ns3RdmaConfig c;
    RCC_CHECK(!Reader::ReadConfig(path, c).empty(), "");
    RCC_CHECK_EQ(Reader::ReadConfig(path, c, nullptr, {"SIMULATOR_STOP_TIME"}), "", "");
    RCC_CHECK(c.dynamicPfc, "");
    RCC_CHECK(LabTestHas(c.notes, "USE_DYNAMIC_PFC_THRESHOLD: 0 has no effect"), LabTestLines(c.notes));
}

/// A comma for a decimal point elsewhere changes nothing here.
void
Locale()
{
    const std::string old = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    {
        if (std::setlocale(LC_ALL, name))
        {
            break;
        }
    }
    CheckOriginal(Config(ORIGINAL));
    std::setlocale(LC_ALL, old.c_str());
}

/// lab/doc/ns3-rdma-keys.md has the tables of the code.
void
Document()
{
    const std::string source = __FILE__;
    const size_t slash = source.rfind("lab/test/");
    if (slash == std::string::npos)
    {
        return;
    }
    std::ifstream in(source.substr(0, slash) + "lab/doc/ns3-rdma-keys.md");
    if (!in)
    {
        return; // built from elsewhere
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    RCC_CHECK(text.find(Reader::GetKeyTable()) != std::string::npos, "the keys are to be\n" << Reader::GetKeyTable());
    RCC_CHECK(text.find(Reader::GetNicTable()) != std::string::npos, "the NIC's are to be\n" << Reader::GetNicTable());
    RCC_CHECK(text.find(Reader::GetNicTable(true)) != std::string::npos, "QCN's to be\n" << Reader::GetNicTable(true));
}

RccTestSuite g_ns3RdmaConfigSuite("ns3-rdma-config", {{"original-config", OriginalConfig},
                                                      {"comments", Comments},
                                                      {"forks", Forks},
                                                      {"node keys", NodeKeys},
                                                      {"rate twice", RateTwice},
                                                      {"no ECMP", NoEcmp},
                                                      {"elsewhere", Elsewhere},
                                                      {"hpcc-config", HpccConfig},
                                                      {"modes", Modes},
                                                      {"keys of algorithms", KeysOfAlgorithms},
                                                      {"warnings", Warnings},
                                                      {"nic", NicParams},
                                                      {"other NICs", OtherNics},
                                                      {"locale", Locale},
                                                      {"document", Document}});

} // namespace
