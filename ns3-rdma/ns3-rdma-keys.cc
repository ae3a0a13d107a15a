/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-keys.h"

#include "ns3-rdma-reader.h"

#include <algorithm>

namespace ns3
{

namespace
{

using C = Ns3RdmaConfig;
using K = Ns3RdmaKey;
using Kind = Ns3RdmaKind;

const uint64_t SECONDS_MAX = Ns3RdmaReader::TIME_MAX / 1000000000;
const uint64_t US_MAX = SECONDS_MAX * 1000000;
const uint64_t NS_MAX = Ns3RdmaReader::TIME_MAX;
const uint64_t RATE_MAX = 1600000000000;
const uint64_t PACKETS_MAX = 1000000000;
const uint64_t BYTES_MAX = 1000000000000;
const uint64_t U32 = UINT32_MAX;
const Ns3RdmaMember::None NONE{};

const char HPCC_ONLY[] = "belongs to HPCC, which is not among our algorithms";
const char PINT_ONLY[] = "belongs to PINT, which is not among our algorithms";

} // namespace

/*
 * Which simulator reads what, and its value for a missing key, is what its source does; a default of 0 that
 * would stop it (RP_TIMER) or is an integer division (a gain of 1/16) is not taken over.
 */
const std::vector<Ns3RdmaKey>&
Ns3RdmaKeys()
{
    static const std::vector<Ns3RdmaKey> keys{
        {"ENABLE_QCN", K::BOTH, Kind::FLAG, 0, 1, "1", "1", &C::ecn, nullptr, "switches mark with ECN"},
        {"USE_DYNAMIC_PFC_THRESHOLD", K::BOTH, Kind::FLAG, 0, 1, "1", "1", &C::dynamicPfc, nullptr,
         "PFC thresholds follow the free buffer"},
        {"PACKET_PAYLOAD_SIZE", K::BOTH, Kind::BYTES, 64, 9000, "1000", "1000", &C::payload, nullptr,
         "payload of a full packet"},
        {"PAUSE_TIME", K::BOTH, Kind::MICROSECONDS, 0, 1000000, "5", "5", &C::pauseTime, nullptr,
         "how long a PFC pause lasts if no resume comes"},
        {"DATA_RATE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, NONE, nullptr,
         "those simulators read it and do not use it: rates are in the topology"},
        {"LINK_DELAY", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, NONE, nullptr,
         "those simulators read it and do not use it: delays are in the topology"},
        {"TOPOLOGY_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, &C::topologyFile, nullptr,
         "nodes and links; must be there"},
        {"FLOW_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, &C::flowFile, nullptr, "RDMA flows; must be there"},
        {"TCP_FLOW_FILE", K::ORIGINAL, Kind::NAME, 0, 0, nullptr, nullptr, &C::tcpFlowFile, nullptr, "TCP flows"},
        {"TRACE_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, &C::traceFile, nullptr,
         "nodes whose packets are traced"},
        {"TRACE_OUTPUT_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, &C::traceOutput, nullptr,
         "where the trace is written"},
        {"FCT_OUTPUT_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, "fct.txt", &C::fctOutput, nullptr,
         "where flow completion times are written"},
        {"PFC_OUTPUT_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, "pfc.txt", &C::pfcOutput, nullptr,
         "where PFC frames are written"},
        {"QLEN_MON_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, nullptr, &C::qlenOutput, nullptr,
         "where histograms of queues are written"},
        {"QLEN_MON_START", K::HPCC, Kind::NANOSECONDS, 0, NS_MAX, nullptr, "2000000000", &C::qlenStart, nullptr,
         "from when on queues are read"},
        {"QLEN_MON_END", K::HPCC, Kind::NANOSECONDS, 0, NS_MAX, nullptr, "2100000000", &C::qlenEnd, nullptr,
         "until when queues are read"},
        {"ENABLE_TRACE", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", &C::enableTrace, nullptr, "write the trace at all"},
        {"SIMULATOR_STOP_TIME", K::BOTH, Kind::SECONDS, 0, SECONDS_MAX, "3.01", "3.01", &C::stop, nullptr,
         "when the run ends"},
        {"APP_START_TIME", K::ORIGINAL, Kind::SECONDS, 0, SECONDS_MAX, "1.0", nullptr, &C::appStart, nullptr,
         "receivers listen from then on"},
        {"APP_STOP_TIME", K::ORIGINAL, Kind::SECONDS, 0, SECONDS_MAX, "9.0", nullptr, &C::appStop, nullptr,
         "receivers listen until then"},
        {"ERROR_RATE_PER_LINK", K::BOTH, Kind::FRACTION, 0, 1, "0", "0", &C::errorRate, nullptr,
         "probability that a link loses a packet"},
        {"PACKET_LEVEL_ECMP", K::ORIGINAL, Kind::FLAG, 0, 1, "0", nullptr, &C::packetEcmp, nullptr,
         "a path for each packet, not for each flow"},
        {"FLOW_LEVEL_ECMP", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "a path for each flow is what there is without PACKET_LEVEL_ECMP"},
        {"SEND_IN_CHUNKS", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "the original calls it deprecated and not tested"},
        {"L2_CHUNK_SIZE", K::BOTH, Kind::COUNT, 0, U32, "0", "0", &C::chunk, nullptr,
         "what is sent again with L2_BACK_TO_ZERO; packets in ns3-rdma, bytes in hpcc"},
        {"L2_ACK_INTERVAL", K::BOTH, Kind::COUNT, 0, U32, "0", "0", &C::ackInterval, nullptr,
         "an ACK for every so much; packets in ns3-rdma, bytes (rounded up to packets) in hpcc; 0: every packet"},
        {"L2_WAIT_FOR_ACK", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "stop and wait for each chunk: senders here never stop for an ACK but with a window"},
        {"L2_BACK_TO_ZERO", K::BOTH, Kind::FLAG, 0, 1, "0", "0", &C::backToZero, nullptr,
         "a loss repeats the whole chunk, not from the lost packet on"},
        {"L2_TEST_READ", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "a test of the original's own code"},
        {"BUFFER_SIZE", K::HPCC, Kind::MEBIBYTES, 1, 1048576, nullptr, "16", &C::bufferSize, nullptr,
         "shared buffer of a switch"},
        {"ACK_HIGH_PRIO", K::HPCC, Kind::FLAG, 0, 1, nullptr, "0", &C::ackHighPriority, nullptr,
         "ACKs have the class above data, not that of the data"},
        {"LINK_DOWN", K::HPCC, Kind::LINK_DOWN, 0, US_MAX, nullptr, nullptr, NONE, nullptr,
         "`t A B`: the link A-B fails at 2 s + t us; t = 0: none"},
        {"NIC_TOTAL_PAUSE_TIME", K::HPCC, Kind::DECIMAL, 0, US_MAX, nullptr, nullptr, NONE, nullptr,
         "no counterpart; how long host ports were paused is `paused_s` in the results"},

        {"KMIN", K::ORIGINAL, Kind::PACKETS, 0, PACKETS_MAX, "60", nullptr, &C::kmin, nullptr,
         "queue below which nothing is marked"},
        {"KMAX", K::ORIGINAL, Kind::PACKETS, 0, PACKETS_MAX, "60", nullptr, &C::kmax, nullptr,
         "queue above which everything is marked"},
        {"PMAX", K::ORIGINAL, Kind::FRACTION, 0, 1, "1", nullptr, &C::pmax, nullptr, "marking probability at KMAX"},
        {"KMIN_MAP", K::HPCC, Kind::MAP_BYTES, 0, BYTES_MAX / 1000, nullptr, nullptr, &C::kmin, nullptr,
         "`n`, then n times link rate and KMIN; every rate at a switch must be there"},
        {"KMAX_MAP", K::HPCC, Kind::MAP_BYTES, 0, BYTES_MAX / 1000, nullptr, nullptr, &C::kmax, nullptr,
         "the same for KMAX"},
        {"PMAX_MAP", K::HPCC, Kind::MAP_SHARE, 0, 1, nullptr, nullptr, &C::pmax, nullptr,
         "the same for PMAX, a probability"},

        {"CC_MODE", K::HPCC, Kind::MODE, 0, U32, nullptr, "1", NONE, nullptr,
         "1 DCQCN (preset hpcc), 7 TIMELY; 3 HPCC, 8 DCTCP and 10 PINT are not here: choose another with --cc"},
        {"CNP_INTERVAL", K::ORIGINAL, Kind::MICROSECONDS, 0, US_MAX, "50", nullptr, NONE, "cnp_interval",
         "a flow gets at most one CNP in this time"},
        {"NP_SAMPLING_INTERVAL", K::ORIGINAL, Kind::DECIMAL, 0, US_MAX, nullptr, nullptr, NONE, nullptr,
         "the receiver here looks at every packet, as 0 says"},
        {"ALPHA_RESUME_INTERVAL", K::BOTH, Kind::MICROSECONDS, 0, US_MAX, "55", "55", NONE, "alpha_timer",
         "period in which alpha moves"},
        {"RATE_DECREASE_INTERVAL", K::HPCC, Kind::MICROSECONDS, 0, US_MAX, nullptr, "4", NONE, "rate_reduce_period",
         "how often the rate can be cut"},
        {"RP_TIMER", K::BOTH, Kind::MICROSECONDS, 0, US_MAX, nullptr, nullptr, NONE, "timer",
         "period of the rate increase timer"},
        {"BYTE_COUNTER", K::ORIGINAL, Kind::BYTES, 0, BYTES_MAX, nullptr, nullptr, NONE, "byte_counter",
         "bytes per step of the byte counter; 0: timer only"},
        {"DCTCP_GAIN", K::ORIGINAL, Kind::FRACTION, 0, 1, nullptr, nullptr, NONE, "g",
         "gain of alpha; 1/16 is 0.0625 here, 0 there"},
        {"EWMA_GAIN", K::HPCC, Kind::FRACTION, 0, 1, nullptr, nullptr, NONE, "g",
         "gain of alpha; 1/16 is 0.0625 here, 0 there"},
        {"FAST_RECOVERY_TIMES", K::BOTH, Kind::COUNT, 0, U32, "5", "5", NONE, "f",
         "stages of fast recovery; hpcc counts from stage 0, so that f is one more there"},
        {"CLAMP_TARGET_RATE", K::BOTH, Kind::FLAG, 0, 1, "0", "0", NONE, "clamp_target",
         "every cut sets the target rate"},
        {"CLAMP_TARGET_RATE_AFTER_TIMER", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "a cut here always sets the target rate if the rate has increased since the last one"},
        {"RATE_AI", K::BOTH, Kind::RATE, 0, RATE_MAX, nullptr, nullptr, NONE, "r_ai",
         "additive increase step; TIMELY: `delta`"},
        {"RATE_HAI", K::BOTH, Kind::RATE, 0, RATE_MAX, nullptr, nullptr, NONE, "r_hai",
         "hyper increase step; TIMELY: `hai`, as a multiple of RATE_AI"},
        {"MIN_RATE", K::BOTH, Kind::RATE, 1, RATE_MAX, nullptr, "100Mb/s", NONE, "r_min",
         "least rate; the original has 100 Mb/s and cannot set it, this can"},
        {"DCTCP_RATE_AI", K::HPCC, Kind::RATE, 0, RATE_MAX, nullptr, nullptr, NONE, nullptr,
         "belongs to DCTCP, which is not among our algorithms"},
        {"HAS_WIN", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", &C::hasWindow, nullptr,
         "a sender has at most a bandwidth-delay product on the way"},
        {"GLOBAL_T", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", &C::globalWindow, nullptr,
         "the window is the largest of all pairs, not the pair's own"},
        {"VAR_WIN", K::HPCC, Kind::FLAG, 0, 1, nullptr, "0", &C::variableWindow, nullptr,
         "the window shrinks with the rate"},
        {"FAST_REACT", K::HPCC, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"U_TARGET", K::HPCC, Kind::DECIMAL, 0, 1000, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"MI_THRESH", K::HPCC, Kind::COUNT, 0, U32, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"INT_MULTI", K::HPCC, Kind::COUNT, 0, U32, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"MULTI_RATE", K::HPCC, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"SAMPLE_FEEDBACK", K::HPCC, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr, HPCC_ONLY},
        {"RATE_BOUND", K::HPCC, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "the rate limiter is always on; 0 would leave only HPCC's window"},
        {"PINT_LOG_BASE", K::HPCC, Kind::DECIMAL, 0, 1000, nullptr, nullptr, NONE, nullptr, PINT_ONLY},
        {"PINT_PROB", K::HPCC, Kind::DECIMAL, 0, 1, nullptr, nullptr, NONE, nullptr, PINT_ONLY},
    };
    return keys;
}

const Ns3RdmaKey*
Ns3RdmaFindKey(const std::string& name)
{
    const auto& keys = Ns3RdmaKeys();
    auto it = std::find_if(keys.begin(), keys.end(), [&](const Ns3RdmaKey& k) { return name == k.name; });
    return it == keys.end() ? nullptr : &*it;
}

std::string
Ns3RdmaExpected(const Ns3RdmaKey& key)
{
    const std::string range = " from " + std::to_string(key.least) + " to " + std::to_string(key.most);
    switch (key.kind)
    {
    case Kind::FLAG:
        return "0 or 1";
    case Kind::COUNT:
        return "a whole number" + range;
    case Kind::MICROSECONDS:
        return "a time in us" + range;
    case Kind::NANOSECONDS:
        return "a time in ns, a whole number" + range;
    case Kind::SECONDS:
        return "a time in s" + range;
    case Kind::BYTES:
        return "bytes, a whole number" + range;
    case Kind::MEBIBYTES:
        return "MiB, a whole number" + range;
    case Kind::FRACTION:
        return "a fraction from 0 to 1 such as 0.01 or 1/16";
    case Kind::RATE:
        return std::string("a rate such as 40Gb/s or 5Mbps") + (key.least ? ", above 0" : "") + ", at most 1600Gbps";
    case Kind::PACKETS:
        return "packets, a whole number" + range;
    case Kind::DECIMAL:
        return "a number" + range;
    case Kind::NAME:
        return "a word without blanks";
    case Kind::MAP_BYTES:
        return "a number of entries, then for each a link rate in bit/s and a whole number of KB" + range;
    case Kind::MAP_SHARE:
        return "a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1";
    case Kind::LINK_DOWN:
        return "a time in us and two node ids";
    case Kind::MODE:
        return "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (PINT)";
    }
    return "";
}

namespace
{

const char*
UnitOf(Kind kind)
{
    switch (kind)
    {
    case Kind::FLAG:
        return "0 or 1";
    case Kind::MICROSECONDS:
        return "us";
    case Kind::NANOSECONDS:
        return "ns";
    case Kind::SECONDS:
        return "s";
    case Kind::BYTES:
        return "B";
    case Kind::MEBIBYTES:
        return "MiB";
    case Kind::FRACTION:
        return "0 to 1, or 1/16";
    case Kind::RATE:
        return "40Gb/s";
    case Kind::PACKETS:
        return "packets of 1030 B";
    case Kind::MAP_BYTES:
        return "bit/s and KB of 1000 B";
    case Kind::MAP_SHARE:
        return "bit/s and 0 to 1";
    case Kind::LINK_DOWN:
        return "us, node, node";
    default:
        return "";
    }
}

} // namespace

std::string
Ns3RdmaReader::GetKeyTable()
{
    std::string table = "| key | of | unit | if missing: ns3-rdma, hpcc | here | meaning, or why it has no effect |\n"
                        "|---|---|---|---|---|---|\n";
    for (const auto& k : Ns3RdmaKeys())
    {
        const bool original = k.lineage & Ns3RdmaKey::ORIGINAL;
        const bool hpcc = k.lineage & Ns3RdmaKey::HPCC;
        std::string here = k.HasEffect() ? "yes" : "no effect";
        here = k.parameter ? "`" + std::string(k.parameter) + "`" : here;
        const std::string missing = (original ? (k.original ? k.original : "-") : std::string()) +
                                    std::string(original && hpcc ? ", " : "") +
                                    (hpcc ? (k.hpcc ? k.hpcc : "-") : std::string());
        table += "| `" + std::string(k.name) + "` | " +
                 (original && hpcc ? "both"
                  : original       ? "ns3-rdma"
                                   : "hpcc") +
                 " | " + UnitOf(k.kind) + " | " + missing + " | " + here + " | " + k.text + " |\n";
    }
    return table;
}

} // namespace ns3
