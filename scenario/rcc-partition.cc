/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-partition.h"

#include "ns3/channel-list.h"
#include "ns3/node-list.h"
#include "ns3/qbb-channel.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace ns3
{

namespace
{

const double LEAST_GAIN = 1.2; // of the sum of all loads over the largest one

void
SetRank(uint32_t node, uint32_t rank)
{
    NodeList::GetNode(node)->SetAttribute("SystemId", UintegerValue(rank));
}

} // namespace

void
RccPartition::Add(uint32_t groups, const std::vector<NodeContainer>& levels)
{
    for (uint32_t g = 0; g < groups; g++)
    {
        NodeContainer group;
        for (const auto& level : levels)
        {
            const uint32_t each = level.GetN() / groups;
            for (uint32_t i = 0; i < each; i++)
            {
                group.Add(level.Get(g * each + i));
            }
        }
        m_groups.push_back(group);
    }
}

std::string
RccPartition::Apply(const RccFlowSet& flows, uint32_t ranks) const
{
    std::vector<size_t> groupOf(NodeList::GetNNodes(), m_groups.size());
    for (size_t g = 0; g < m_groups.size(); g++)
    {
        for (uint32_t i = 0; i < m_groups[g].GetN(); i++)
        {
            groupOf[m_groups[g].Get(i)->GetId()] = g;
        }
    }
    std::vector<uint64_t> weights(m_groups.size() + 1, 0);
    for (const auto& f : flows.GetFlows())
    {
        weights[groupOf[f.src]]++;
        weights[groupOf[f.dst]]++;
    }
    std::vector<size_t> order(m_groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weights[a] > weights[b]; });
    std::vector<uint64_t> loads(ranks, 0);
    std::vector<uint32_t> sizes(ranks, 0); // groups
    std::vector<uint32_t> rankOf(m_groups.size());
    for (size_t g : order)
    {
        uint32_t least = 0;
        for (uint32_t rank = 1; rank < ranks; rank++)
        {
            const bool less = loads[rank] < loads[least];
            least = less || (loads[rank] == loads[least] && sizes[rank] < sizes[least]) ? rank : least;
        }
        rankOf[g] = least;
        loads[least] += weights[g];
        sizes[least]++;
    }
    uint32_t next = 0;
    for (uint32_t node = 0; node < groupOf.size(); node++)
    {
        SetRank(node, groupOf[node] < m_groups.size() ? rankOf[groupOf[node]] : next++ % ranks);
    }
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); i++)
    {
        if (auto channel = DynamicCast<QbbChannel>(ChannelList::GetChannel(i)))
        {
            channel->FindOwners();
        }
    }
    const uint64_t most = *std::max_element(loads.begin(), loads.end());
    const uint64_t all = std::accumulate(loads.begin(), loads.end(), uint64_t(0));
    const double gain = most ? static_cast<double>(all) / static_cast<double>(most) : 1;
    if (gain >= LEAST_GAIN)
    {
        return "";
    }
    char text[200];
    std::snprintf(text, sizeof text,
                  "%u ranks will not pay: the largest has %llu of %llu ends of flows, so that the run is at most %.2f "
                  "times faster",
                  ranks, static_cast<unsigned long long>(most), static_cast<unsigned long long>(all), gain);
    return text;
}

} // namespace ns3
