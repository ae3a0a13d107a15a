/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-loss.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rcc-frame.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{
/* Constants of the HPCC simulator and of its forks, which their files cannot set. */
const int64_t NACK_INTERVAL = 500000; // ns
const int64_t L2_TIMEOUT = 4000000;   // ns, of the forks that have one; a pause may hold an answer back for as long
const uint64_t BUFFER = 16u << 20;    // bytes, of a switch without BUFFER_SIZE

/* Of RdmaNic::DrainShare. */
const int64_t LEAST_PULL = 1000;             // ppb; the fork reads 1 bit/s then
const int64_t MOST_PULL = RCC_RATIO_ONE - 1; // ppb; with 1 a host would read all that waits at once
const int64_t BUFFER_MAX = 1 << 30;          // bytes, of RdmaNic::ReceiveBuffer

bool
LinksLose(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    return config.errorRate > 0 ||
           std::any_of(topology.links.begin(), topology.links.end(), [](const Ns3RdmaLink& l) { return l.error > 0; });
}

/// The longest time without queues from one node to another and back, ns, or more: twice the way there and back from
/// the first node to the one that is farthest from it.
int64_t
LongestRoundTrip(const Ns3RdmaTopology& topology, uint32_t frame)
{
    std::vector<std::vector<std::pair<uint32_t, int64_t>>> links(topology.isSwitch.size());
    for (const auto& l : topology.links)
    {
        const int64_t time = l.delay + static_cast<int64_t>(frame * uint64_t{8000000000} / l.rate);
        links[l.a].emplace_back(l.b, time);
        links[l.b].emplace_back(l.a, time);
    }
    std::vector<int64_t> far(links.size(), INT64_MAX);
    std::set<std::pair<int64_t, uint32_t>> next;
    int64_t longest = 0;
    if (!topology.links.empty())
    {
        next.emplace(far[topology.links[0].a] = 0, topology.links[0].a);
    }
    while (!next.empty())
    {
        const auto node = *next.begin();
        next.erase(next.begin());
        longest = node.first;
        for (const auto& link : links[node.second])
        {
            const int64_t time = node.first + link.second;
            if (time < far[link.first])
            {
                next.erase({far[link.first], link.first});
                next.emplace(far[link.first] = time, link.first);
            }
        }
    }
    return 4 * longest;
}

/// RTO_high of IRN (SIGCOMM 2018, section 4.1), which RoCE without PFC has there too: the longest round trip without
/// queues, and what a full buffer takes on the slowest link of a switch. No packet that arrives takes longer.
int64_t
RtoHigh(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    uint64_t rate = UINT64_MAX;
    for (const auto& l : topology.links)
    {
        rate = topology.isSwitch[l.a] || topology.isSwitch[l.b] ? std::min(rate, l.rate) : rate;
    }
    const uint64_t buffer = config.bufferSize ? config.bufferSize : BUFFER;
    const auto drain = static_cast<int64_t>(static_cast<double>(buffer) * 8e9 / static_cast<double>(rate));
    return LongestRoundTrip(topology, config.payload) + drain;
}

/// \param ppb of the line rate, below 1
DoubleValue
ShareOf(int64_t ppb)
{
    return DoubleValue(static_cast<double>(std::min(std::max(ppb, LEAST_PULL), MOST_PULL)) / RCC_RATIO_ONE);
}

/// \return RX_BUFFER_PER_QUEUE or what it is if it is missing, bytes
int64_t
BufferOfClass(const Ns3RdmaConfig& config)
{
    return config.rxBufferOfClass < 0 ? config.rxBuffer / QBB_CLASSES : config.rxBufferOfClass;
}

/// Data of one class, the usual case, may fill all of the buffer. \param all bytes \param one bytes of a class; 0 = no
/// limit
UintegerValue
BufferOf(int64_t all, int64_t one)
{
    const int64_t least = all && one ? std::min(all, one) : std::max(all, one);
    return UintegerValue(static_cast<uint64_t>(least ? least : BUFFER_MAX));
}

/// From now on a host reads so fast. \param ppb of the line rate
void
ChangeReading(Ptr<RdmaNic> nic, int64_t ppb)
{
    nic->SetAttribute("DrainShare", ShareOf(ppb)); // which holds at once
}
} // namespace

void
Ns3RdmaSetReading(const Ns3RdmaConfig& config, uint32_t node, Ptr<RdmaNic> nic)
{
    bool own = false;
    auto of = [&](const Ns3RdmaNodeMap& some, int64_t all) {
        const auto it = some.find(node);
        own = own || it != some.end();
        return it == some.end() ? all : it->second;
    };
    const int64_t share = of(config.pullRateOf, config.pullRate);
    const bool pulls = of(config.pullsOf, config.pulls) != 0;
    const UintegerValue buffer =
        BufferOf(of(config.rxBufferOf, config.rxBuffer), of(config.rxBufferOfClassOf, BufferOfClass(config)));
    const auto schedule = config.pullSchedule.find(node);
    if (own || schedule != config.pullSchedule.end())
    {
        nic->SetAttribute("DrainShare", pulls && share < RCC_RATIO_ONE ? ShareOf(share) : DoubleValue(1));
        nic->SetAttribute("ReceiveBuffer", buffer);
    }
    if (!pulls || schedule == config.pullSchedule.end())
    {
        return;
    }
    for (const auto& entry : schedule->second)
    {
        Simulator::Schedule(NanoSeconds(static_cast<int64_t>(entry.first)), &ChangeReading, nic, entry.second);
    }
}

void
Ns3RdmaSetRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    const bool hpcc = config.dialect == Ns3RdmaDialect::HPCC;
    Config::SetDefault("ns3::QbbChannel::LosesEveryKind", BooleanValue(true));
    Config::SetDefault("ns3::RdmaNic::Recovery", StringValue(config.irn ? "irn" : "go-back-n"));
    Config::SetDefault("ns3::RdmaNic::NakEvery", TimeValue(NanoSeconds(hpcc ? NACK_INTERVAL : 0)));
    const bool first = !hpcc && !config.packetEcmp && !config.flowEcmp;
    Config::SetDefault("ns3::QbbSwitch::LoadBalancing", StringValue(first ? "first" : "ecmp"));
    if (config.pulls && config.pullRate < RCC_RATIO_ONE)
    {
        Config::SetDefault("ns3::RdmaNic::DrainShare", ShareOf(config.pullRate));
        Config::SetDefault("ns3::RdmaNic::ReceiveBuffer", BufferOf(config.rxBuffer, BufferOfClass(config)));
    }
    if (hpcc && (!config.pfc || LinksLose(config, topology)))
    {
        const int64_t timeout = config.pfc ? L2_TIMEOUT : RtoHigh(config, topology);
        Config::SetDefault("ns3::RdmaNic::RetransmissionTimeout", TimeValue(NanoSeconds(timeout)));
    }
}

} // namespace ns3
