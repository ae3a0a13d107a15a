/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-loss.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/rcc-frame.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdio>
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
std::string
ShareOf(int64_t ppb)
{
    char text[32];
    const auto share = static_cast<double>(std::min(std::max(ppb, LEAST_PULL), MOST_PULL)) / RCC_RATIO_ONE;
    std::snprintf(text, sizeof text, "%.17g", share);
    return text;
}

/// \return RX_BUFFER_PER_QUEUE or what it is if it is missing, bytes
int64_t
BufferOfClass(const Ns3RdmaConfig& config)
{
    return config.rxBufferOfClass < 0 ? config.rxBuffer / QBB_CLASSES : config.rxBufferOfClass;
}

/// Data of one class, the usual case, may fill all of the buffer. \param all bytes \param one bytes of a class; 0 = no
/// limit
std::string
BufferOf(int64_t all, int64_t one)
{
    const int64_t least = all && one ? std::min(all, one) : std::max(all, one);
    return std::to_string(least ? least : BUFFER_MAX);
}

/// From now on a host reads so fast. \param share of the line rate
void
ChangeReading(Ptr<RdmaNic> nic, const std::string& share)
{
    nic->SetAttribute("DrainShare", StringValue(share)); // which holds at once
}
} // namespace

std::vector<Ns3RdmaAttribute>
Ns3RdmaReading(const Ns3RdmaConfig& config, uint32_t node)
{
    bool own = false;
    auto of = [&](const Ns3RdmaNodeMap& some, int64_t all) {
        const auto it = some.find(node);
        own = own || it != some.end();
        return it == some.end() ? all : it->second;
    };
    const int64_t share = of(config.pullRateOf, config.pullRate);
    const bool pulls = of(config.pullsOf, config.pulls) != 0;
    const int64_t whole = of(config.rxBufferOf, config.rxBuffer);
    const std::string buffer = BufferOf(whole, of(config.rxBufferOfClassOf, BufferOfClass(config)));
    const auto schedule = config.pullSchedule.find(node);
    std::vector<Ns3RdmaAttribute> found;
    if (own || schedule != config.pullSchedule.end())
    {
        found.push_back({"RdmaNic", "DrainShare", pulls && share < RCC_RATIO_ONE ? ShareOf(share) : "1", 0});
        found.push_back({"RdmaNic", "ReceiveBuffer", buffer, 0});
    }
    if (pulls && schedule != config.pullSchedule.end())
    {
        for (const auto& entry : schedule->second)
        {
            found.push_back({"RdmaNic", "DrainShare", ShareOf(entry.second), static_cast<int64_t>(entry.first)});
        }
    }
    return found;
}

void
Ns3RdmaSetReading(const Ns3RdmaConfig& config, uint32_t node, Ptr<RdmaNic> nic)
{
    const std::vector<Ns3RdmaAttribute> all = Ns3RdmaReading(config, node);
    for (size_t i = 0; i < all.size(); i++)
    {
        if (i < 2)
        {
            nic->SetAttribute(all[i].attribute, StringValue(all[i].value));
        }
        else
        {
            Simulator::Schedule(NanoSeconds(all[i].at), &ChangeReading, nic, all[i].value);
        }
    }
}

std::vector<Ns3RdmaAttribute>
Ns3RdmaRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    const bool hpcc = config.dialect == Ns3RdmaDialect::HPCC;
    const bool first = !hpcc && !config.packetEcmp && !config.flowEcmp;
    std::vector<Ns3RdmaAttribute> all = {{"QbbChannel", "LosesEveryKind", "true", 0},
                                         {"RdmaNic", "Recovery", config.irn ? "irn" : "go-back-n", 0},
                                         {"RdmaNic", "NakEvery", std::to_string(hpcc ? NACK_INTERVAL : 0) + "ns", 0},
                                         {"QbbSwitch", "LoadBalancing", first ? "first" : "ecmp", 0}};
    if (config.pulls && config.pullRate < RCC_RATIO_ONE)
    {
        all.push_back({"RdmaNic", "DrainShare", ShareOf(config.pullRate), 0});
        all.push_back({"RdmaNic", "ReceiveBuffer", BufferOf(config.rxBuffer, BufferOfClass(config)), 0});
    }
    if (hpcc && (!config.pfc || LinksLose(config, topology)))
    {
        const int64_t timeout = config.pfc ? L2_TIMEOUT : RtoHigh(config, topology);
        all.push_back({"RdmaNic", "RetransmissionTimeout", std::to_string(timeout) + "ns", 0});
    }
    return all;
}

void
Ns3RdmaSetRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    for (const auto& one : Ns3RdmaRecovery(config, topology))
    {
        Config::SetDefault("ns3::" + one.type + "::" + one.attribute, StringValue(one.value));
    }
}

} // namespace ns3
