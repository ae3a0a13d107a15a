/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-keys.h"

#include "ns3-rdma-reader.h"
#include "rcc-text.h"

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
const uint64_t RATE_MAX = RCC_LINE_RATE_MAX;
const uint64_t PACKETS_MAX = 1000000000;
const uint64_t BYTES_MAX = 1000000000000;
const uint64_t U32 = UINT32_MAX;

const uint64_t MAP_RATE_MAX = 8000000000000; // forks list rates that no link of theirs has to have
const int64_t LINK_DOWN_FROM = 2000000000;   // ns
const std::nullptr_t NONE = nullptr;

void
Assign(bool& to, const Ns3RdmaValue& value)
{
    to = value.number != 0;
}

template <class T>
void
Assign(T& to, const Ns3RdmaValue& value)
{
    to = static_cast<T>(value.number);
}

void
Assign(double& to, const Ns3RdmaValue& value)
{
    to = static_cast<double>(value.number) / RCC_RATIO_ONE;
}

void
Assign(std::string& to, const Ns3RdmaValue& value)
{
    to = value.text;
}

void
Assign(Ns3RdmaRateMap& to, const Ns3RdmaValue& value)
{
    to = value.map;
}

template <class T, T C::*member>
void
Set(C& config, const Ns3RdmaValue& value)
{
    Assign(config.*member, value);
}

#define TO(member) &Set<decltype(C::member), &C::member>

void
SetLinkDown(C& config, const Ns3RdmaValue& value)
{
    config.linkDown = value.number > 0;
    config.linkDownAt = config.linkDown ? LINK_DOWN_FROM + value.number : 0;
    config.linkDownA = value.a;
    config.linkDownB = value.b;
}

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
        {"ENABLE_QCN", K::BOTH, Kind::FLAG, 0, 1, "1", "1", TO(ecn), nullptr, "switches mark with ECN"},
        {"USE_DYNAMIC_PFC_THRESHOLD", K::BOTH, Kind::FLAG, 0, 1, "1", "1", TO(dynamicPfc), nullptr,
         "PFC thresholds follow the free buffer"},
        {"PACKET_PAYLOAD_SIZE", K::BOTH, Kind::BYTES, 64, 9000, "1000", "1000", TO(payload), nullptr,
         "payload of a full packet"},
        {"PAUSE_TIME", K::BOTH, Kind::MICROSECONDS, 0, 1000000, "5", "5", TO(pauseTime), nullptr,
         "how long a PFC pause lasts if no resume comes"},
        {"DATA_RATE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, NONE, nullptr,
         "those simulators read it and do not use it: rates are in the topology"},
        {"LINK_DELAY", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, NONE, nullptr,
         "those simulators read it and do not use it: delays are in the topology"},
        {"TOPOLOGY_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, TO(topologyFile), nullptr,
         "nodes and links; must be there"},
        {"FLOW_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, TO(flowFile), nullptr, "RDMA flows; must be there"},
        {"TCP_FLOW_FILE", K::ORIGINAL, Kind::NAME, 0, 0, nullptr, nullptr, TO(tcpFlowFile), nullptr, "TCP flows"},
        {"TRACE_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, TO(traceFile), nullptr,
         "nodes whose packets are traced"},
        {"TRACE_OUTPUT_FILE", K::BOTH, Kind::NAME, 0, 0, nullptr, nullptr, TO(traceOutput), nullptr,
         "where the trace is written"},
        {"FCT_OUTPUT_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, "fct.txt", TO(fctOutput), nullptr,
         "where flow completion times are written"},
        {"PFC_OUTPUT_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, "pfc.txt", TO(pfcOutput), nullptr,
         "where PFC frames are written"},
        {"QLEN_MON_FILE", K::HPCC, Kind::NAME, 0, 0, nullptr, nullptr, TO(qlenOutput), nullptr,
         "where histograms of queues are written"},
        {"QLEN_MON_START", K::HPCC, Kind::NANOSECONDS, 0, NS_MAX, nullptr, "2000000000", TO(qlenStart), nullptr,
         "from when on queues are read"},
        {"QLEN_MON_END", K::HPCC, Kind::NANOSECONDS, 0, NS_MAX, nullptr, "2100000000", TO(qlenEnd), nullptr,
         "until when queues are read"},
        {"ENABLE_TRACE", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", TO(enableTrace), nullptr, "write the trace at all"},
        {"SIMULATOR_STOP_TIME", K::BOTH, Kind::SECONDS, 0, SECONDS_MAX, "3.01", "3.01", TO(stop), nullptr,
         "when the run ends"},
        {"APP_START_TIME", K::ORIGINAL, Kind::SECONDS, 0, SECONDS_MAX, "1.0", nullptr, TO(appStart), nullptr,
         "receivers listen from then on"},
        {"APP_STOP_TIME", K::ORIGINAL, Kind::SECONDS, 0, SECONDS_MAX, "9.0", nullptr, TO(appStop), nullptr,
         "receivers listen until then"},
        {"ERROR_RATE_PER_LINK", K::BOTH, Kind::FRACTION, 0, 1, "0", "0", TO(errorRate), nullptr,
         "probability that a link loses a packet"},
        {"PACKET_LEVEL_ECMP", K::ORIGINAL, Kind::FLAG, 0, 1, "0", nullptr, TO(packetEcmp), nullptr,
         "a path for each packet, not for each flow"},
        {"FLOW_LEVEL_ECMP", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "a path for each flow is what there is without PACKET_LEVEL_ECMP"},
        {"SEND_IN_CHUNKS", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "the original calls it deprecated and not tested"},
        {"L2_CHUNK_SIZE", K::BOTH, Kind::COUNT, 0, U32, "0", "0", TO(chunk), nullptr,
         "what is sent again with L2_BACK_TO_ZERO; packets in ns3-rdma, bytes in hpcc"},
        {"L2_ACK_INTERVAL", K::BOTH, Kind::COUNT, 0, U32, "0", "0", TO(ackInterval), nullptr,
         "an ACK for every so much; packets in ns3-rdma, bytes (rounded up to packets) in hpcc; 0: every packet"},
        {"L2_WAIT_FOR_ACK", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "stop and wait for each chunk: senders here never stop for an ACK but with a window"},
        {"L2_BACK_TO_ZERO", K::BOTH, Kind::FLAG, 0, 1, "0", "0", TO(backToZero), nullptr,
         "a loss repeats the whole chunk, not from the lost packet on"},
        {"L2_TEST_READ", K::ORIGINAL, Kind::FLAG, 0, 1, nullptr, nullptr, NONE, nullptr,
         "a test of the original's own code"},
        {"BUFFER_SIZE", K::HPCC, Kind::MEBIBYTES, 1, 1048576, nullptr, "16", TO(bufferSize), nullptr,
         "shared buffer of a switch"},
        {"ACK_HIGH_PRIO", K::HPCC, Kind::FLAG, 0, 1, nullptr, "0", TO(ackHighPriority), nullptr,
         "ACKs have the class above data, not that of the data"},
        {"LINK_DOWN", K::HPCC, Kind::LINK_DOWN, 0, US_MAX, nullptr, nullptr, &SetLinkDown, nullptr,
         "`t A B`: the link A-B fails at 2 s + t us; t = 0: none"},
        {"NIC_TOTAL_PAUSE_TIME", K::HPCC, Kind::DECIMAL, 0, US_MAX, nullptr, nullptr, NONE, nullptr,
         "no counterpart; how long host ports were paused is `paused_s` in the results"},

        {"KMIN", K::ORIGINAL, Kind::PACKETS, 0, PACKETS_MAX, "60", nullptr, TO(kmin), nullptr,
         "queue below which nothing is marked"},
        {"KMAX", K::ORIGINAL, Kind::PACKETS, 0, PACKETS_MAX, "60", nullptr, TO(kmax), nullptr,
         "queue above which everything is marked"},
        {"PMAX", K::ORIGINAL, Kind::FRACTION, 0, 1, "1", nullptr, TO(pmax), nullptr, "marking probability at KMAX"},
        {"KMIN_MAP", K::HPCC, Kind::MAP_BYTES, 0, BYTES_MAX / 1000, nullptr, nullptr, TO(kmin), nullptr,
         "`n`, then n times link rate and KMIN; every rate at a switch must be there"},
        {"KMAX_MAP", K::HPCC, Kind::MAP_BYTES, 0, BYTES_MAX / 1000, nullptr, nullptr, TO(kmax), nullptr,
         "the same for KMAX"},
        {"PMAX_MAP", K::HPCC, Kind::MAP_SHARE, 0, 1, nullptr, nullptr, TO(pmax), nullptr,
         "the same for PMAX, a probability"},

        {"CC_MODE", K::HPCC, Kind::MODE, 0, U32, nullptr, "1", TO(mode), nullptr,
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
        {"HAS_WIN", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", TO(hasWindow), nullptr,
         "a sender has at most a bandwidth-delay product on the way"},
        {"GLOBAL_T", K::HPCC, Kind::FLAG, 0, 1, nullptr, "1", TO(globalWindow), nullptr,
         "the window is the largest of all pairs, not the pair's own"},
        {"VAR_WIN", K::HPCC, Kind::FLAG, 0, 1, nullptr, "0", TO(variableWindow), nullptr,
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

namespace
{

/// How values of a kind are read and described.
struct KindInfo
{
    const char* unit;     //!< in the table of keys
    const char* expected; //!< in messages
    bool hasRange;        //!< messages have the key's range as well
    unsigned places;      //!< decimal places that count; none: the number is whole
    uint64_t scale;       //!< our units in one of the last place
};

/// In the order of Ns3RdmaKind.
const KindInfo KINDS[] = {
    {"0 or 1", "0 or 1", false, 0, 1},
    {"", "a whole number", true, 0, 1},
    {"us", "a time in us", true, 3, 1},
    {"ns", "a time in ns, a whole number", true, 0, 1},
    {"s", "a time in s", true, 9, 1},
    {"B", "bytes, a whole number", true, 0, 1},
    {"MiB", "MiB, a whole number", true, 0, 1 << 20},
    {"0 to 1, or 1/16", "a fraction from 0 to 1 such as 0.01 or 1/16", false, 9, 1},
    {"40Gb/s", "a rate such as 40Gb/s or 5Mbps", false, 0, 1},
    {"packets of 1030 B", "packets, a whole number", true, 0, Ns3RdmaKey::PACKET},
    {"", "a number", true, 9, 1},
    {"", "a word without blanks", false, 0, 1},
    {"bit/s and KB of 1000 B", "a number of entries, then for each a link rate in bit/s and a whole number of KB", true,
     0, 1000},
    {"bit/s and 0 to 1", "a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1", false, 9,
     1},
    {"us, node, node", "a time in us and two node ids", false, 3, 1},
    {"", "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (PINT)", false, 0, 1},
};

const KindInfo&
InfoOf(Kind kind)
{
    return KINDS[static_cast<size_t>(kind)];
}

/// A fraction in ppb: 0.01, 1e-3 or 1/16.
bool
ReadFraction(const std::string& text, uint64_t* ppb)
{
    if (text.find('/') == std::string::npos)
    {
        return RccParseNumber(text, 9, 1, ppb);
    }
    int64_t value = 0;
    const bool fine = RccParse(RCC_UNIT_RATIO, text, &value).empty() && value <= RCC_RATIO_ONE;
    *ppb = static_cast<uint64_t>(value);
    return fine;
}

/// Whether what a number has after its point is zeros: "5.0", but not "1.5" packets.
bool
IsWhole(const std::string& text)
{
    const size_t point = text.find('.');
    return point == std::string::npos || text.find_first_not_of("0", point + 1) == std::string::npos;
}

bool
ReadNumber(const Ns3RdmaKey& key, const std::string& text, int64_t* number)
{
    const KindInfo& info = InfoOf(key.kind);
    uint64_t n = 0;
    bool fine = false;
    if (key.kind == Kind::RATE)
    {
        fine = RccParseDataRate(text, key.most, &n);
    }
    else if (key.kind == Kind::FRACTION || key.kind == Kind::MAP_SHARE)
    {
        fine = ReadFraction(text, &n);
    }
    else
    {
        fine = RccParseNumber(text, info.places, key.most, &n) && (info.places > 0 || IsWhole(text));
    }
    *number = static_cast<int64_t>(n * info.scale);
    return fine && n >= key.least;
}

bool
ReadMap(const Ns3RdmaKey& key, const std::vector<std::string>& words, Ns3RdmaRateMap* map, std::string* found)
{
    for (size_t i = 1; i + 1 < words.size(); i += 2)
    {
        uint64_t rate = 0;
        int64_t threshold = 0;
        *found = words[i];
        if (!RccParseDataRate(words[i], MAP_RATE_MAX, &rate) || rate == 0 ||
            std::any_of(map->begin(), map->end(),
                        [&](const std::pair<uint64_t, int64_t>& e) { return e.first == rate; }))
        {
            return false;
        }
        *found = words[i + 1];
        if (!ReadNumber(key, words[i + 1], &threshold))
        {
            return false;
        }
        map->emplace_back(rate, threshold);
    }
    return true;
}

} // namespace

std::string
Ns3RdmaKey::GetExpected() const
{
    const KindInfo& info = InfoOf(kind);
    const std::string range = " from " + std::to_string(least) + " to " + std::to_string(most);
    const std::string ofRate = (least ? ", above 0" : "") + std::string(", at most 1600Gbps");
    return info.expected + (info.hasRange ? range : kind == Kind::RATE ? ofRate : "");
}

bool
Ns3RdmaKey::Read(const std::vector<std::string>& words, Ns3RdmaValue* value, std::string* found) const
{
    *found = value->text = words[0];
    if (kind == Kind::NAME)
    {
        return true;
    }
    if (kind == Kind::MAP_BYTES || kind == Kind::MAP_SHARE)
    {
        return ReadMap(*this, words, &value->map, found);
    }
    bool fine = ReadNumber(*this, words[0], &value->number);
    value->map = {{0, value->number}};
    for (size_t i = 1; fine && i < words.size(); i++) // the nodes of LINK_DOWN
    {
        uint64_t id = 0;
        *found = words[i];
        fine = RccParseWhole(words[i], UINT32_MAX, &id);
        (i == 1 ? value->a : value->b) = static_cast<uint32_t>(id);
    }
    return fine;
}

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
                 " | " + InfoOf(k.kind).unit + " | " + missing + " | " + here + " | " + k.text + " |\n";
    }
    return table;
}

} // namespace ns3
