/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-partition.h"

#include "ns3/channel-list.h"
#include "ns3/node-list.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/qbb-switch.h"
#include "ns3/rcc-disjoint-sets.h"
#include "ns3/rdma-nic.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

const double LEAST_GAIN = 1.2;     // below it, a warning
const double NODE_NS = 500;        // processor time of a packet at a node, about that of the fat tree of ./rcc bench
const double EXCHANGE_NS = 10000;  // of an exchange with one other rank, on one machine: assumed
const double EXCHANGE_MORE = 5000; // and with each further one
const size_t MOST_DELAYS = 8;      // that are tried
const uint32_t PATH_MOST = 64;     // of a path, where routes have a loop
const uint32_t NO_LEVEL = UINT32_MAX;

/// \return the port that a packet leaves a node through, or null
Ptr<QbbNetDevice>
NextPort(const Ptr<Node>& node, uint32_t dst, uint32_t hash)
{
    if (auto nic = node->GetObject<RdmaNic>())
    {
        return nic->GetNPorts() ? nic->GetPort(nic->PickPort(dst, hash)) : nullptr;
    }
    auto sw = node->GetObject<QbbSwitch>();
    const uint32_t port = sw ? sw->GetOutput(dst, hash) : 0;
    return sw && port < sw->GetNPorts() ? sw->GetPort(port) : nullptr;
}

/// \return packets that a flow is expected to send until the end. \param share of the line rate that it gets
double
PacketsOf(const RccFlowSet::Flow& f, const RccPartition::Load& load, double share)
{
    if (f.bytes)
    {
        return static_cast<double>((f.bytes - 1) / load.payload + 1);
    }
    const int64_t end = f.own.stop >= 0 ? std::min(f.own.stop, load.stop) : load.stop;
    const double bits = static_cast<double>(f.from->GetPort(0)->GetRate()) * share / 1e9;
    return std::max<double>(0, static_cast<double>(end - f.start)) * bits / 8 / load.payload;
}

} // namespace

// ---------------------------------------------------------------- the network

void
RccPartition::FindLinks()
{
    m_links.clear();
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); i++)
    {
        auto channel = DynamicCast<QbbChannel>(ChannelList::GetChannel(i));
        if (channel && channel->GetNDevices() == 2)
        {
            m_links.push_back(Link{channel->GetDevice(0)->GetNode()->GetId(), channel->GetDevice(1)->GetNode()->GetId(),
                                   channel->GetDelayNs()});
        }
    }
}

void
RccPartition::FindLevels()
{
    m_levels.assign(NodeList::GetNNodes(), NO_LEVEL);
    for (uint32_t node = 0; node < m_levels.size(); node++)
    {
        m_levels[node] = NodeList::GetNode(node)->GetObject<RdmaNic>() ? 0 : NO_LEVEL;
    }
    bool more = true;
    for (uint32_t level = 0; more; level++)
    {
        more = false;
        for (const Link& l : m_links)
        {
            for (const auto& ends : {std::make_pair(l.a, l.b), std::make_pair(l.b, l.a)})
            {
                if (m_levels[ends.first] == level && m_levels[ends.second] == NO_LEVEL)
                {
                    m_levels[ends.second] = level + 1;
                    more = true;
                }
            }
        }
    }
    m_top = 1;
    for (uint32_t level : m_levels)
    {
        m_top = level != NO_LEVEL ? std::max(m_top, level) : m_top;
    }
}

/// Follow every flow through the network.
void
RccPartition::FindWork(const RccFlowSet& flows, const Load& load)
{
    m_work.assign(NodeList::GetNNodes(), 0);
    std::map<uint32_t, uint32_t> endless; // flows of a host at the same time
    for (const auto& f : flows.GetFlows())
    {
        endless[f.src] += f.bytes ? 0 : 1;
        endless[f.dst] += f.bytes ? 0 : 1;
    }
    std::vector<uint32_t> opened(m_work.size());
    std::vector<double> busy(m_work.size()); // of a host's link, ns
    int64_t last = 0;
    for (const auto& f : flows.GetFlows())
    {
        const double packets = PacketsOf(f, load, 1.0 / std::max(1u, std::max(endless[f.src], endless[f.dst])));
        const double handled = packets * (1 + 1.0 / load.ackEvery);
        const double ns = packets * load.payload * 8e9 / static_cast<double>(f.from->GetPort(0)->GetRate());
        busy[f.src] += ns;
        busy[f.dst] += ns;
        last = std::max(last, f.start);
        const uint32_t hash = RdmaNic::HashOf(load.seed, f.src, opened[f.src]++);
        uint32_t at = f.src;
        for (uint32_t hops = 0; at != f.dst && hops < PATH_MOST; hops++)
        {
            m_work[at] += handled;
            const Ptr<QbbNetDevice> port = NextPort(NodeList::GetNode(at), f.dst, hash);
            if (!port)
            {
                break;
            }
            at = DynamicCast<QbbChannel>(port->GetChannel())->GetPeer(PeekPointer(port))->GetNode()->GetId();
        }
        m_work[f.dst] += handled;
    }
    const double longest = *std::max_element(busy.begin(), busy.end());
    const double end = std::min(static_cast<double>(load.stop), static_cast<double>(last) + longest);
    m_duration = std::max(1.0, end - static_cast<double>(flows.GetFirstStart()));
}

// ---------------------------------------------------------------- divisions

/// \param kind of group \param delay links with a smaller delay than this join too, ns \return by node: a node that
/// stands for its group
std::vector<uint32_t>
RccPartition::Group(Kind kind, int64_t delay) const
{
    RccDisjointSets groups(m_levels.size());
    for (const auto& pair : m_together)
    {
        groups.Join(pair.first, pair.second);
    }
    for (const Link& l : m_links)
    {
        const uint32_t low = std::min(m_levels[l.a], m_levels[l.b]);
        const uint32_t high = std::max(m_levels[l.a], m_levels[l.b]);
        if (l.delay < delay || (kind == Kind::POD && high < m_top) || (kind == Kind::RACK && low == 0))
        {
            groups.Join(l.a, l.b);
        }
    }
    std::vector<uint32_t> found(m_levels.size());
    for (uint32_t node = 0; node < found.size(); node++)
    {
        found[node] = groups.Find(node);
    }
    return found;
}

/// Deal out groups, and keep that if it is better than what there is. \return whether there are enough groups
bool
RccPartition::Try(const std::vector<uint32_t>& groups, uint32_t ranks)
{
    std::map<uint32_t, double> weights;
    for (uint32_t node = 0; node < groups.size(); node++)
    {
        weights[groups[node]] += m_work[node];
    }
    if (weights.size() < ranks)
    {
        return false;
    }
    std::vector<std::pair<uint32_t, double>> order(weights.begin(), weights.end());
    std::stable_sort(
        order.begin(), order.end(),
        [](const std::pair<uint32_t, double>& a, const std::pair<uint32_t, double>& b) { return a.second > b.second; });
    std::set<std::pair<std::pair<double, size_t>, uint32_t>> least; // load and number of groups of each rank
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        least.insert({{0, 0}, rank});
    }
    std::map<uint32_t, uint32_t> rankOf;
    for (const auto& group : order)
    {
        auto first = *least.begin();
        least.erase(least.begin());
        rankOf[group.first] = first.second;
        least.insert({{first.first.first + group.second, first.first.second + 1}, first.second});
    }
    std::vector<uint32_t> ranksOfNodes(groups.size());
    for (uint32_t node = 0; node < groups.size(); node++)
    {
        ranksOfNodes[node] = rankOf[groups[node]];
    }
    Estimate e;
    int64_t lookAhead = static_cast<int64_t>(m_duration);
    for (const Link& l : m_links)
    {
        lookAhead = ranksOfNodes[l.a] != ranksOfNodes[l.b] ? std::min(lookAhead, l.delay) : lookAhead;
    }
    const double all = std::accumulate(m_work.begin(), m_work.end(), 0.0);
    e.lookAhead = static_cast<uint64_t>(lookAhead);
    e.largest = all > 0 ? least.rbegin()->first.first / all : 1;
    e.work = all * NODE_NS * static_cast<double>(lookAhead) / m_duration;
    e.exchange = EXCHANGE_NS + EXCHANGE_MORE * (ranks - 2);
    if (m_rankOf.empty() || e.GetGain() > m_estimate.GetGain())
    {
        m_rankOf = ranksOfNodes;
        m_estimate = e;
    }
    return true;
}

std::string
RccPartition::Choose(const RccFlowSet& flows, const Load& load, uint32_t ranks)
{
    FindLinks();
    FindLevels();
    FindWork(flows, load);
    m_rankOf.clear();
    std::set<int64_t> delays{1}; // links without delay join always
    for (const Link& l : m_links)
    {
        delays.insert(std::max<int64_t>(l.delay, 1));
    }
    for (Kind kind : {Kind::POD, Kind::RACK, Kind::NODE})
    {
        size_t tried = 0;
        for (auto delay = delays.begin(); delay != delays.end() && tried++ < MOST_DELAYS; ++delay)
        {
            Try(Group(kind, *delay), ranks);
        }
        if (!m_rankOf.empty())
        {
            return "";
        }
    }
    const std::vector<uint32_t> groups = Group(Kind::NODE, 1);
    const size_t most = std::set<uint32_t>(groups.begin(), groups.end()).size();
    return std::to_string(ranks) + " ranks, expected at most " + std::to_string(most) +
           ", the number of nodes that a link with a delay joins to the others";
}

void
RccPartition::Apply() const
{
    for (uint32_t node = 0; node < m_rankOf.size(); node++)
    {
        NodeList::GetNode(node)->SetAttribute("SystemId", UintegerValue(m_rankOf[node]));
    }
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); i++)
    {
        if (auto channel = DynamicCast<QbbChannel>(ChannelList::GetChannel(i)))
        {
            channel->FindOwners();
        }
    }
}

std::string
RccPartition::GetWarning() const
{
    const Estimate& e = m_estimate;
    if (e.GetGain() >= LEAST_GAIN)
    {
        return "";
    }
    char text[400];
    std::snprintf(
        text, sizeof text,
        "these ranks will not pay: a window of %.9g us, the least delay between them, has %.3g us of work, of "
        "which the largest rank has %.0f %%, and costs an exchange of %.3g us: about %.2g times as fast as "
        "one rank",
        static_cast<double>(e.lookAhead) / 1e3, e.work / 1e3, e.largest * 100, e.exchange / 1e3, e.GetGain());
    return text;
}

} // namespace ns3
