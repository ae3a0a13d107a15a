/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-keys.h"

#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

using C = Ns3RdmaConfig;
using Kind = Ns3RdmaKind;

const uint64_t STOP_MAX = 9000000000; // s; what is beyond means until the flows are done
const uint64_t US_MAX = Ns3RdmaReader::SECONDS_MAX * 1000000;
const uint64_t BYTES_MAX = 1000000000000;

const uint64_t STEP_RATE_MAX = 1600000000000; // of the parameters that are rates
const uint64_t MAP_RATE_MAX = 16000000000000; // forks list rates that no link of theirs has to have
const int64_t LINK_DOWN_FROM = 2000000000;    // ns
const std::nullptr_t NOT = nullptr;           // a key of the other simulator only

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

void
Assign(Ns3RdmaNodeMap& to, const Ns3RdmaValue& value)
{
    to[value.a] = value.number;
}

void
Assign(std::map<uint32_t, Ns3RdmaRateMap>& to, const Ns3RdmaValue& value)
{
    to[value.a] = value.map;
}

template <class T, T C::*member>
void
Set(C& config, const Ns3RdmaValue& value)
{
    Assign(config.*member, value);
}

// Where a key's value goes: to a member of the configuration, to a parameter of dcqcn, or nowhere.
#define TO(member) &Set<decltype(C::member), &C::member>, nullptr
#define PARAMETER(name) nullptr, name
#define NOWHERE nullptr, nullptr

void
SetLinkDown(C& config, const Ns3RdmaValue& value)
{
    config.linkDown = value.number > 0;
    config.linkDownAt = config.linkDown ? LINK_DOWN_FROM + value.number : 0;
    config.linkDownA = value.a;
    config.linkDownB = value.b;
}

/// How values of a kind are read and described.
struct KindInfo
{
    const char* unit;     //!< in the table of keys
    const char* expected; //!< in messages
    bool hasRange;        //!< messages have the key's range as well
    unsigned places;      //!< decimal places that count; none: the number is whole
    uint64_t scale;       //!< our units in one of the last place
    uint64_t most;        //!< largest value of a key, if it says nothing else
};

/// In the order of Ns3RdmaKind.
const KindInfo KINDS[] = {
    {"0 or 1", "0 or 1", false, 0, 1, 1},
    {"", "a whole number", true, 0, 1, UINT32_MAX},
    {"us", "a time in us", true, 3, 1, US_MAX},
    {"ns", "a time in ns, a whole number", true, 0, 1, Ns3RdmaReader::TIME_MAX},
    {"s", "a time in s", true, 9, 1, Ns3RdmaReader::SECONDS_MAX},
    {"s", "a time in s", false, 9, 1, STOP_MAX},
    {"B", "bytes, a whole number", true, 0, 1, BYTES_MAX},
    {"MiB", "MiB, a whole number", true, 0, 1 << 20, 0},
    {"0 to 1, or 1/16", "a fraction from 0 to 1 such as 0.01 or 1/16", false, 9, 1, 1},
    {"40Gb/s", "a rate such as 40Gb/s or 5Mbps", false, 0, 1, STEP_RATE_MAX},
    {"packets of 1030 B", "packets, a whole number", true, 0, Ns3RdmaKey::PACKET, 1000000000},
    {"", "a number", true, 9, 1, 1000},
    {"", "a word without blanks", false, 0, 1, 0},
    {"bit/s and KB of 1000 B", "a number of entries, then for each a link rate in bit/s and a whole number of KB", true,
     0, 1000, BYTES_MAX / 1000},
    {"bit/s and 0 to 1", "a number of entries, then for each a link rate in bit/s and a fraction from 0 to 1", false, 9,
     1, 1},
    {"us, node, node", "a time in us and two node ids", false, 3, 1, US_MAX},
    {"node, n, then n times s and 0 to 1",
     "a node id, a number of entries, then for each a time in s and a fraction from 0 to 1", false, 9, 1,
     Ns3RdmaReader::SECONDS_MAX},
    {"", "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC with PINT)", false, 0, 1, UINT32_MAX},
};

const KindInfo&
InfoOf(Kind kind)
{
    return KINDS[static_cast<size_t>(kind)];
}

const char APPLICATIONS[] = "receivers that do not listen change nothing there: the NIC acknowledges what arrives";

/// A key that is a parameter with one CC_MODE.
struct ControlKey
{
    uint32_t mode;
    const char* key;
    const char* parameter; //!< of its algorithm
};

const ControlKey CONTROL_KEYS[] = {
    {3, "RATE_AI", "r_ai"},
    {3, "MIN_RATE", "r_min"},
    {3, "U_TARGET", "eta"},
    {3, "MI_THRESH", "max_stage"},
    {3, "FAST_REACT", "fast_react"},
    {3, "MULTI_RATE", "multi_rate"},
    {3, "SAMPLE_FEEDBACK", "sample_feedback"},
    {3, "RATE_BOUND", "rate_bound"},
    {3, "INT_MULTI", "int_multi"},
    {8, "DCTCP_RATE_AI", "r_ai"},
    {8, "EWMA_GAIN", "g"},
    {8, "MIN_RATE", "r_min"},
    {10, "RATE_AI", "r_ai"},
    {10, "MIN_RATE", "r_min"},
    {10, "U_TARGET", "eta"},
    {10, "MI_THRESH", "max_stage"},
    {10, "RATE_BOUND", "rate_bound"},
    {10, "PINT_LOG_BASE", "log_base"},
    {10, "PINT_PROB", "pint_prob"},
};

} // namespace

/*
 * Which simulator reads what, and its value for a missing key, is what its source does; a default of 0 that
 * would stop it (RP_TIMER) or is an integer division (a gain of 1/16) is not taken over.
 */
const std::vector<Ns3RdmaKey>&
Ns3RdmaKeys()
{
    static const std::vector<Ns3RdmaKey> keys{
        {"ENABLE_QCN", "1", "1", Kind::FLAG, TO(ecn), "switches mark with ECN"},
        {"USE_DYNAMIC_PFC_THRESHOLD", "1", "1", Kind::FLAG, TO(dynamicPfc),
         "PFC thresholds follow the free buffer; in hpcc they always do, there and here"},
        {"ENABLE_PFC", NOT, "1", Kind::FLAG, TO(pfc),
         "of forks: 0: switches drop what is above the threshold, and senders repeat what was lost"},
        {"ENABLE_IRN", NOT, "0", Kind::FLAG, TO(irn),
         "of forks: 1: senders repeat what is missing and no more, by the rules of IRN (SIGCOMM'18)"},
        {"RX_PULL_RATE", NOT, "1", Kind::FRACTION, TO(pullRate),
         "of a fork: part of the line rate at which hosts read data: RdmaNic's DrainShare; the fork has CNPs and ACKs "
         "wait too"},
        {"RX_PULL_MODE", NOT, "1", Kind::FLAG, TO(pulls), "of a fork: 0: hosts read as fast as data come"},
        {"RX_BUFFER_SIZE", NOT, "8388608", Kind::BYTES, TO(rxBuffer),
         "of a fork: receive buffer of a host's port, an eighth of it for each class. A full one pauses its class "
         "here, and drops with ENABLE_PFC 0, as the fork always does",
         0, 1u << 30},
        {"RX_BUFFER_PER_QUEUE", NOT, "", Kind::BYTES, TO(rxBufferOfClass),
         "of a fork: what each class may have of it, in place of an eighth; a class has the lesser of both: RdmaNic's "
         "ReceiveBuffer",
         0, 1u << 30},
        {"RX_PULL_RATE_NODE", NOT, "", Kind::FRACTION, TO(pullRateOf), "of a fork: RX_PULL_RATE of one host"},
        {"RX_PULL_MODE_NODE", NOT, "", Kind::FLAG, TO(pullsOf), "of a fork: RX_PULL_MODE of one host"},
        {"RX_BUFFER_SIZE_NODE", NOT, "", Kind::BYTES, TO(rxBufferOf),
         "of a fork: RX_BUFFER_SIZE of one host; what a class may have of it stays", 0, 1u << 30},
        {"RX_BUFFER_PER_QUEUE_NODE", NOT, "", Kind::BYTES, TO(rxBufferOfClassOf),
         "of a fork: RX_BUFFER_PER_QUEUE of one host", 0, 1u << 30},
        {"RX_PULL_RATE_SCHEDULE", NOT, "", Kind::SCHEDULE, TO(pullSchedule),
         "of a fork: RX_PULL_RATE of one host from several times on"},
        {"PACKET_PAYLOAD_SIZE", "1000", "1000", Kind::BYTES, TO(payload), "payload of a full packet", 64, 9000},
        {"PAUSE_TIME", "5", "5", Kind::MICROSECONDS, TO(pauseTime), "how long a PFC pause lasts if no resume comes", 0,
         1000000},
        {"DATA_RATE", "", "", Kind::NAME, NOWHERE,
         "those simulators read it and do not use it: rates are in the topology"},
        {"LINK_DELAY", "", "", Kind::NAME, NOWHERE,
         "those simulators read it and do not use it: delays are in the topology"},
        {"TOPOLOGY_FILE", "", "", Kind::NAME, TO(topologyFile), "nodes and links; must be there"},
        {"FLOW_FILE", "", "", Kind::NAME, TO(flowFile), "RDMA flows; must be there"},
        {"TCP_FLOW_FILE", "", NOT, Kind::NAME, TO(tcpFlowFile), "TCP flows"},
        {"TRACE_FILE", "", "", Kind::NAME, TO(traceFile), "nodes whose packets are traced"},
        {"TRACE_OUTPUT_FILE", "", "", Kind::NAME, TO(traceOutput), "where the trace is written"},
        {"FCT_OUTPUT_FILE", NOT, "fct.txt", Kind::NAME, TO(fctOutput), "where flow completion times are written"},
        {"PFC_OUTPUT_FILE", NOT, "pfc.txt", Kind::NAME, TO(pfcOutput), "where PFC frames are written"},
        {"QLEN_MON_FILE", NOT, "", Kind::NAME, TO(qlenOutput), "where histograms of queues are written"},
        {"QLEN_MON_START", NOT, "2000000000", Kind::NANOSECONDS, TO(qlenStart), "from when on queues are read"},
        {"QLEN_MON_END", NOT, "2100000000", Kind::NANOSECONDS, TO(qlenEnd), "until when queues are read"},
        {"ENABLE_TRACE", NOT, "1", Kind::FLAG, TO(enableTrace), "write the trace at all"},
        {"SIMULATOR_STOP_TIME", "3.01", "3.01", Kind::STOP, TO(stop),
         "when the run ends, unless all flows are done before; of any size"},
        {"APP_START_TIME", "", NOT, Kind::SECONDS, NOWHERE, APPLICATIONS},
        {"APP_STOP_TIME", "", NOT, Kind::SECONDS, NOWHERE, APPLICATIONS},
        {"ERROR_RATE_PER_LINK", "0", "0", Kind::FRACTION, TO(errorRate),
         "probability that a link loses a frame of any kind: data, ACKs, NACKs, CNPs, PFC frames"},
        {"PACKET_LEVEL_ECMP", "0", NOT, Kind::FLAG, TO(packetEcmp), "a path for each packet, not for each flow"},
        {"LB_MODE", NOT, "0", Kind::COUNT, TO(loadBalancing),
         "of forks: 0: ECMP, a path for each flow; 2: DRILL, the shorter of two random queues and the last best; 6: "
         "LetFlow, flowlets with a gap of 100 us"},
        {"FLOW_LEVEL_ECMP", "0", NOT, Kind::FLAG, TO(flowEcmp),
         "a path for each flow; with 0 here and in PACKET_LEVEL_ECMP all flows take the first of equal paths; 1 in "
         "both is refused, as there"},
        {"SEND_IN_CHUNKS", "", NOT, Kind::FLAG, NOWHERE, "the original calls it deprecated and not tested"},
        {"L2_CHUNK_SIZE", "0", "0", Kind::COUNT, TO(chunk),
         "what is sent again with L2_BACK_TO_ZERO; packets in ns3-rdma, bytes in hpcc"},
        {"L2_ACK_INTERVAL", "0", "0", Kind::COUNT, TO(ackInterval),
         "ns3-rdma: an ACK for so many packets, 0: every one; hpcc: every packet has an ACK, as there, where the value "
         "only delays a flow's first one"},
        {"L2_WAIT_FOR_ACK", "", NOT, Kind::FLAG, NOWHERE,
         "stop and wait for each chunk: senders here never stop for an ACK but with a window"},
        {"L2_BACK_TO_ZERO", "0", "0", Kind::FLAG, TO(backToZero),
         "a loss repeats the whole chunk, not from the lost packet on"},
        {"L2_TEST_READ", "", NOT, Kind::FLAG, NOWHERE, "a test of the original's own code"},
        {"BUFFER_SIZE", NOT, "16", Kind::MEBIBYTES, TO(bufferSize), "shared buffer of a switch", 1, 1048576},
        {"ACK_HIGH_PRIO", NOT, "0", Kind::FLAG, TO(ackHighPriority),
         "ACKs have the class above data, not that of the data; at hosts only with --ack-priority=hosts"},
        {"LINK_DOWN", NOT, "", Kind::LINK_DOWN, &SetLinkDown, nullptr,
         "`t A B`: the link A-B fails at 2 s + t us; t = 0: none"},
        {"NIC_TOTAL_PAUSE_TIME", NOT, "", Kind::DECIMAL, NOWHERE,
         "no counterpart; how long host ports were paused is `paused_s` in the results", 0, US_MAX},

        {"KMIN", "60", NOT, Kind::PACKETS, TO(kmin), "queue below which nothing is marked"},
        {"KMAX", "60", NOT, Kind::PACKETS, TO(kmax), "queue above which everything is marked"},
        {"PMAX", "1", NOT, Kind::FRACTION, TO(pmax), "marking probability at KMAX"},
        {"KMIN_MAP", NOT, "", Kind::MAP_BYTES, TO(kmin),
         "`n`, then n times link rate and KMIN; every rate at a switch must be there"},
        {"KMAX_MAP", NOT, "", Kind::MAP_BYTES, TO(kmax), "the same for KMAX"},
        {"PMAX_MAP", NOT, "", Kind::MAP_SHARE, TO(pmax), "the same for PMAX, a probability"},

        {"CC_MODE", NOT, "1", Kind::MODE, TO(mode),
         "1 DCQCN (preset hpcc), 3 HPCC, 7 TIMELY, 8 DCTCP, 10 HPCC (preset pint); others are not here: choose another "
         "with --cc"},
        {"CNP_INTERVAL", "50", NOT, Kind::MICROSECONDS, PARAMETER("cnp_interval"),
         "a flow gets at most one CNP in this time"},
        {"NP_SAMPLING_INTERVAL", "", NOT, Kind::DECIMAL, NOWHERE, "the receiver here looks at every packet, as 0 says",
         0, US_MAX},
        {"ALPHA_RESUME_INTERVAL", "55", "55", Kind::MICROSECONDS, PARAMETER("alpha_timer"),
         "period in which alpha moves"},
        {"RATE_DECREASE_INTERVAL", NOT, "4", Kind::MICROSECONDS, PARAMETER("rate_reduce_period"),
         "how often the rate can be cut"},
        {"RP_TIMER", "", "", Kind::MICROSECONDS, PARAMETER("timer"), "period of the rate increase timer"},
        {"BYTE_COUNTER", "", NOT, Kind::BYTES, PARAMETER("byte_counter"),
         "bytes per step of the byte counter; 0: timer only"},
        {"DCTCP_GAIN", "", NOT, Kind::FRACTION, PARAMETER("g"), "gain of alpha; 1/16 is 0.0625 here, 0 there"},
        {"EWMA_GAIN", NOT, "", Kind::FRACTION, PARAMETER("g"), "gain of alpha; 1/16 is 0.0625 here, 0 there"},
        {"FAST_RECOVERY_TIMES", "5", "5", Kind::COUNT, PARAMETER("f"),
         "stages of fast recovery; hpcc counts from stage 0, so that f is one more there"},
        {"CLAMP_TARGET_RATE", "0", "0", Kind::FLAG, PARAMETER("clamp_target"), "every cut sets the target rate"},
        {"CLAMP_TARGET_RATE_AFTER_TIMER", "", NOT, Kind::FLAG, NOWHERE,
         "a cut here always sets the target rate if the rate has increased since the last one"},
        {"RATE_AI", "", "", Kind::RATE, PARAMETER("r_ai"), "additive increase step; TIMELY: `delta`"},
        {"RATE_HAI", "", "", Kind::RATE, PARAMETER("r_hai"),
         "hyper increase step; TIMELY: `hai`, as a multiple of RATE_AI"},
        {"MIN_RATE", "", "100Mb/s", Kind::RATE, PARAMETER("r_min"),
         "least rate; the original has 100 Mb/s and cannot set it, this can", 1, STEP_RATE_MAX},
        {"DCTCP_RATE_AI", NOT, "1000Mb/s", Kind::RATE, NOWHERE, "additive increase step of DCTCP: its `r_ai`"},
        {"HAS_WIN", NOT, "1", Kind::FLAG, TO(hasWindow), "a sender has at most a bandwidth-delay product on the way"},
        {"GLOBAL_T", NOT, "1", Kind::FLAG, TO(globalWindow),
         "the window is the largest of all pairs, not the pair's own"},
        {"VAR_WIN", NOT, "0", Kind::FLAG, TO(variableWindow), "the window shrinks with the rate"},
        {"FAST_REACT", NOT, "1", Kind::FLAG, NOWHERE,
         "HPCC: every ACK sets the window; its `fast_react`; with PINT every one does"},
        {"U_TARGET", NOT, "0.95", Kind::DECIMAL, NOWHERE, "target utilisation of HPCC: its `eta`"},
        {"MI_THRESH", NOT, "5", Kind::COUNT, NOWHERE, "additive steps of HPCC in a row: its `max_stage`"},
        {"INT_MULTI", NOT, "1", Kind::COUNT, NOWHERE, "HPCC: multiplier of the units of telemetry: its `int_multi`"},
        {"MULTI_RATE", NOT, "1", Kind::FLAG, NOWHERE, "HPCC: a rate for each hop; its `multi_rate`; not with PINT"},
        {"SAMPLE_FEEDBACK", NOT, "0", Kind::FLAG, NOWHERE,
         "HPCC: within a round only hops with a queue count; its `sample_feedback`"},
        {"RATE_BOUND", NOT, "1", Kind::FLAG, NOWHERE,
         "HPCC: 0 leaves only its window; its `rate_bound`. Others always have a rate limiter"},
        {"PINT_LOG_BASE", NOT, "1.05", Kind::DECIMAL, NOWHERE, "PINT: base of its logarithm: HPCC's `log_base`"},
        {"PINT_PROB", NOT, "1", Kind::DECIMAL, NOWHERE, "PINT: part of the ACKs that count: HPCC's `pint_prob`", 0, 1},
    };
    return keys;
}

const char*
Ns3RdmaParameterOf(uint32_t mode, const std::string& key)
{
    const auto it = std::find_if(std::begin(CONTROL_KEYS), std::end(CONTROL_KEYS),
                                 [&](const ControlKey& c) { return c.mode == mode && key == c.key; });
    return it == std::end(CONTROL_KEYS) ? nullptr : it->parameter;
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

/// Whether what cannot be read as a number is one that is too large.
bool
IsTooLarge(const std::string& text)
{
    return text.find_first_not_of("0123456789.eE+") == std::string::npos && text[0] >= '0' && text[0] <= '9' &&
           std::count(text.begin(), text.end(), '.') < 2 && text.find_first_of("eE") == text.find_last_of("eE") &&
           text.find_first_of("eE+", text.size() - 1) > text.size();
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
    if (!fine && key.kind == Kind::STOP && IsTooLarge(text))
    {
        n = STOP_MAX * 1000000000;
        fine = true;
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
        if (!RccParseDataRate(words[i], MAP_RATE_MAX, &rate) || rate == 0)
        {
            return false;
        }
        const auto old = std::find_if(map->begin(), map->end(),
                                      [&](const std::pair<uint64_t, int64_t>& e) { return e.first == rate; });
        *found = words[i + 1];
        if (!ReadNumber(key, words[i + 1], &threshold))
        {
            return false;
        }
        if (old == map->end())
        {
            map->emplace_back(rate, threshold);
        }
        else if (old->second != threshold) // of a rate that is listed again with the same threshold nothing is lost
        {
            *found = words[i] + " twice";
            return false;
        }
    }
    return true;
}

/// Times and fractions, later ones behind earlier ones.
bool
ReadSchedule(const Ns3RdmaKey& key, const std::vector<std::string>& words, Ns3RdmaRateMap* map, std::string* found)
{
    for (size_t i = 1; i + 1 < words.size(); i += 2)
    {
        int64_t at = 0;
        uint64_t share = 0;
        *found = words[i];
        if (!ReadNumber(key, words[i], &at))
        {
            return false;
        }
        *found = words[i + 1];
        if (!ReadFraction(words[i + 1], &share))
        {
            return false;
        }
        map->emplace_back(static_cast<uint64_t>(at), static_cast<int64_t>(share));
    }
    std::stable_sort(
        map->begin(), map->end(),
        [](const std::pair<uint64_t, int64_t>& x, const std::pair<uint64_t, int64_t>& y) { return x.first < y.first; });
    return true;
}

} // namespace

namespace
{

/// \return whether a name ends so
bool
EndsWith(const std::string& name, const std::string& end)
{
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Ns3RdmaKey::Ns3RdmaKey(const char* aName, const char* ofOriginal, const char* ofHpcc, Kind aKind, Setter setter,
                       const char* ofDcqcn, const char* meaning, uint64_t from, uint64_t to)
    : name(aName),
      original(ofOriginal),
      hpcc(ofHpcc),
      kind(aKind),
      set(setter),
      parameter(ofDcqcn),
      text(meaning),
      ofNode(aKind == Kind::SCHEDULE || EndsWith(aName, "_NODE")),
      control(std::any_of(std::begin(CONTROL_KEYS), std::end(CONTROL_KEYS),
                          [&](const ControlKey& c) { return std::string(aName) == c.key; })),
      least(from),
      most(to ? to : InfoOf(aKind).most)
{
}

std::string
Ns3RdmaKey::GetExpected() const
{
    const KindInfo& info = InfoOf(kind);
    const std::string range = " from " + std::to_string(least) + " to " + std::to_string(most);
    const std::string ofRate = (least ? ", above 0" : "") + std::string(", at most 1600Gbps");
    const bool node = ofNode && kind != Kind::SCHEDULE;
    return (node ? "a node id and " : "") + std::string(info.expected) +
           (info.hasRange        ? range
            : kind == Kind::RATE ? ofRate
                                 : "");
}

bool
Ns3RdmaKey::Read(const std::vector<std::string>& given, Ns3RdmaValue* value, std::string* found) const
{
    std::vector<std::string> words = given;
    *found = words[0];
    if (ofNode)
    {
        uint64_t id = 0;
        if (!RccParseWhole(words[0], UINT32_MAX, &id))
        {
            return false;
        }
        value->a = static_cast<uint32_t>(id);
        words.erase(words.begin());
        *found = words[0];
    }
    value->text = words[0];
    if (kind == Kind::SCHEDULE)
    {
        return ReadSchedule(*this, words, &value->map, found);
    }
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
    for (size_t i = 1; fine && kind == Kind::LINK_DOWN && i < words.size(); i++)
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
        std::string here = k.HasEffect() ? "yes" : "no effect";
        here = k.parameter ? "`" + std::string(k.parameter) + "`" : here;
        std::string missing;
        for (const char* value : {k.original, k.hpcc})
        {
            missing += value ? (missing.empty() ? "" : ", ") + std::string(*value ? value : "-") : "";
        }
        const char* of = !k.hpcc ? "ns3-rdma" : !k.original ? "hpcc" : "both";
        const std::string unit =
            (k.ofNode && k.kind != Kind::SCHEDULE ? "node, " : "") + std::string(InfoOf(k.kind).unit);
        table += "| `" + std::string(k.name) + "` | " + of + " | " + unit + " | " + missing + " | " + here + " | " +
                 k.text + " |\n";
    }
    return table;
}

} // namespace ns3
