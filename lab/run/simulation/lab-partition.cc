/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-partition.h"

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

const double LEAST_GAIN = 1.2; // below it, a warning
const double NODE_NS = 500;    // processor time of a packet at a node, about that of the fat tree of ./rcc bench
const double BEFORE_QUEUE =
    1.5; // times that, up to the port that holds a flow back: queues, pauses, frames in cold memory
const double AFTER_QUEUE = 0.3;    // share behind a queue, where packets come one by one and wait nowhere
const double SHIELD = 1.25;        // a port is not held up by what comes through one that is nearly as overloaded
const double EXCHANGE_NS = 10000;  // ns of an exchange with one other rank, on one machine: assumed
const double EXCHANGE_MORE = 5000; // ns for each further rank
const size_t MOST_DELAYS = 8;      // that are tried
const uint32_t PATH_MOST = 64;     // links of a path, where routes have a loop
const double STORED = 0.5;         // share of a switch's buffer, before all that send to it are paused
const uint32_t NO_LEVEL = UINT32_MAX;
const uint32_t NO_PORT = UINT32_MAX;

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

/// \return packets that a flow could send at this share of its line rate until the end
double
PacketsAt(const LabFlowSet::Flow& f, const LabPartition::Load& load, double share)
{
    const int64_t end = f.own.stop >= 0 ? std::min(f.own.stop, load.stop) : load.stop;
    const double bits = static_cast<double>(f.from->GetPort(0)->GetRate()) * share / 1e9;
    return std::max<double>(0, static_cast<double>(end - f.start)) * bits / 8 / load.payload;
}

/// \return full packets that a switch stores before it pauses all who send to it; 0 of a host
double
StoreOf(const Ptr<Node>& node, uint32_t payload)
{
    auto sw = node->GetObject<QbbSwitch>();
    UintegerValue bytes(0);
    if (sw)
    {
        sw->GetAttribute("BufferSize", bytes);
    }
    return STORED * static_cast<double>(bytes.Get()) / payload;
}

/// The flows of a host.
struct HostLoad
{
    uint32_t endless{0}; // flows at the same time
    uint32_t opened{0};  // queue pairs
    double busy{0};      // ns for which flows with an end use the host's link
};

/// \return time of a full packet on the link of a port, ns
double
TimeOf(const LabPartition::Load& load, const QbbNetDevice& port)
{
    return load.payload * 8e9 / static_cast<double>(port.GetRate());
}

} // namespace

// ---------------------------------------------------------------- the network

void
LabPartition::FindLinks()
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
LabPartition::FindLevels()
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

/// Follow every flow through the network. \param nodes filled with the nodes of all ways, each with both hosts
std::vector<LabPartition::Way>
LabPartition::FindWays(const LabFlowSet& flows, const Load& load, std::vector<uint32_t>& nodes)
{
    std::vector<HostLoad> hosts(NodeList::GetNNodes());
    auto packetsOf = [&](const LabFlowSet::Flow& f) {
        return f.bytes ? static_cast<double>((f.bytes - 1) / load.payload + 1)
                       : PacketsAt(f, load, 1.0 / std::max(1u, std::max(hosts[f.src].endless, hosts[f.dst].endless)));
    };
    for (const auto& f : flows.GetFlows())
    {
        hosts[f.src].endless += f.bytes ? 0 : 1;
        hosts[f.dst].endless += f.bytes ? 0 : 1;
    }
    double longest = 0;
    for (const auto& f : flows.GetFlows())
    {
        HostLoad& to = hosts[f.dst];
        to.busy += packetsOf(f) * TimeOf(load, *f.from->GetPort(0));
        longest = std::max(longest, to.busy);
    }
    const double end = std::min(static_cast<double>(load.stop), static_cast<double>(flows.GetLastStart()) + longest);
    m_duration = std::max(1.0, end - static_cast<double>(flows.GetFirstStart()));
    std::vector<Way> ways;
    std::vector<uint32_t> passed; // beside nodes: the port that a packet leaves it through
    std::vector<PortLoad> ports(2 * static_cast<size_t>(ChannelList::GetNChannels()));
    for (const auto& f : flows.GetFlows())
    {
        const double share = 1.0 / std::max(1u, hosts[f.src].endless);
        Way way{packetsOf(f), 0, nodes.size(), 0, 0};
        way.sent = f.bytes ? way.packets : PacketsAt(f, load, share);
        const uint32_t hash = RdmaNic::HashOf(load.seed, f.src, hosts[f.src].opened++);
        uint32_t at = f.src;
        for (uint32_t hops = 0; at != f.dst && hops < PATH_MOST; hops++)
        {
            nodes.push_back(at);
            passed.push_back(NO_PORT);
            const Ptr<QbbNetDevice> port = NextPort(NodeList::GetNode(at), f.dst, hash);
            if (!port)
            {
                break;
            }
            auto channel = DynamicCast<QbbChannel>(port->GetChannel());
            const Ptr<QbbNetDevice> peer = channel->GetPeer(PeekPointer(port));
            passed.back() = 2 * channel->GetId() + (channel->GetDevice(0) == port ? 0 : 1);
            const double rates =
                static_cast<double>(f.from->GetPort(0)->GetRate()) / static_cast<double>(port->GetRate());
            ports[passed.back()].Add(f, f.bytes ? 0 : share * rates, f.bytes ? way.packets * TimeOf(load, *port) : 0);
            at = peer->GetNode()->GetId();
        }
        nodes.push_back(f.dst);
        passed.push_back(NO_PORT);
        way.end = nodes.size();
        ways.push_back(way);
    }
    FindQueues(ways, passed, ports);
    return ways;
}

/// Where each flow is held back: at the first port of its way that is about as overloaded as the worst of them.
void
LabPartition::FindQueues(std::vector<Way>& ways, const std::vector<uint32_t>& passed,
                         const std::vector<PortLoad>& ports)
{
    auto overload = [&](size_t i) { return passed[i] == NO_PORT ? 0 : ports[passed[i]].GetOverload(); };
    for (Way& way : ways)
    {
        double worst = 0;
        for (size_t i = way.begin; i < way.end; i++)
        {
            worst = std::max(worst, overload(i));
        }
        size_t at = way.begin;
        while (overload(at) * SHIELD < worst)
        {
            at++;
        }
        if (worst > 1 && at > way.begin) // a host does not queue
        {
            way.queue = at;
            way.packets = std::min(way.packets, way.sent / overload(at));
        }
    }
}

/// Count the packets that each node handles: those of every flow that arrive, and those that come to it before a pause.
void
LabPartition::FindWork(const LabFlowSet& flows, const Load& load)
{
    std::vector<uint32_t> nodes;
    const std::vector<Way> ways = FindWays(flows, load, nodes);
    m_work.assign(NodeList::GetNNodes(), Work());
    std::vector<double> space(m_work.size()); // packets of a switch for each flow that overloads a link
    std::vector<uint32_t> sharers(m_work.size());
    for (const Way& way : ways)
    {
        for (size_t i = way.begin; way.queue && i <= way.queue; i++)
        {
            sharers[nodes[i]]++;
        }
    }
    for (uint32_t node = 0; node < space.size(); node++)
    {
        space[node] = sharers[node] ? StoreOf(NodeList::GetNode(node), load.payload) / sharers[node] : 0;
    }
    for (size_t flow = 0; flow < ways.size(); flow++)
    {
        const Way& way = ways[flow];
        const bool endless = flows.GetFlows()[flow].bytes == 0;
        const double most = endless ? way.sent - way.packets : way.sent; // that may wait
        double stored = 0;                                               // by the switches from here to the end
        for (size_t i = way.end; i-- > way.begin;)
        {
            const bool before = way.queue && i <= way.queue;
            const double cost = !way.queue ? 1 : before ? BEFORE_QUEUE : AFTER_QUEUE;
            stored = before ? std::min(most, stored + space[nodes[i]]) : stored;
            const double steady = (endless ? way.packets : way.packets - stored) * (1 + 1.0 / load.ackEvery);
            m_work[nodes[i]].Add(Work{cost * stored, cost * std::max(0.0, steady)});
        }
    }
}

// ---------------------------------------------------------------- divisions

/// \param kind of group \param delay links with a smaller delay than this join too, ns \return by node: a node that
/// stands for its group
std::vector<uint32_t>
LabPartition::Group(Kind kind, int64_t delay) const
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
LabPartition::Try(const std::vector<uint32_t>& groups, uint32_t ranks)
{
    std::map<uint32_t, Work> weights;
    for (uint32_t node = 0; node < groups.size(); node++)
    {
        weights[groups[node]].Add(m_work[node]);
    }
    if (weights.size() < ranks)
    {
        return false;
    }
    std::vector<std::pair<uint32_t, Work>> order(weights.begin(), weights.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const std::pair<uint32_t, Work>& a, const std::pair<uint32_t, Work>& b) {
                         return a.second.Sum() > b.second.Sum();
                     });
    std::vector<Work> loads(ranks);
    std::vector<size_t> counts(ranks);
    std::map<uint32_t, uint32_t> rankOf;
    Work longest; // work of the busiest rank, in each phase
    for (const auto& group : order)
    {
        auto costOf = [&](uint32_t rank) { // the run's longer time, then the rank's work
            const double more = std::max(0.0, loads[rank].burst + group.second.burst - longest.burst) +
                                std::max(0.0, loads[rank].steady + group.second.steady - longest.steady);
            return std::make_pair(std::make_pair(more, loads[rank].Sum()), counts[rank]);
        };
        uint32_t best = 0;
        for (uint32_t rank = 1; rank < ranks; rank++)
        {
            best = costOf(rank) < costOf(best) ? rank : best;
        }
        rankOf[group.first] = best;
        loads[best].Add(group.second);
        counts[best]++;
        longest = Work{std::max(longest.burst, loads[best].burst), std::max(longest.steady, loads[best].steady)};
    }
    std::vector<uint32_t> ranksOfNodes(groups.size());
    for (uint32_t node = 0; node < groups.size(); node++)
    {
        ranksOfNodes[node] = rankOf[groups[node]];
    }
    Keep(ranksOfNodes, ranks, longest.Sum());
    return true;
}

/// Take a division if it is better than what there is. \param longest packets of the ranks with most in each phase
void
LabPartition::Keep(const std::vector<uint32_t>& ranksOfNodes, uint32_t ranks, double longest)
{
    Estimate e;
    auto lookAhead = static_cast<int64_t>(m_duration);
    for (const Link& l : m_links)
    {
        lookAhead = ranksOfNodes[l.a] != ranksOfNodes[l.b] ? std::min(lookAhead, l.delay) : lookAhead;
    }
    const double all = std::accumulate(m_work.begin(), m_work.end(), 0.0,
                                       [](double sum, const Work& work) { return sum + work.Sum(); });
    e.lookAhead = static_cast<uint64_t>(lookAhead);
    e.largest = all > 0 ? longest / all : 1;
    e.work = all * NODE_NS * static_cast<double>(lookAhead) / m_duration;
    e.exchange = EXCHANGE_NS + EXCHANGE_MORE * (ranks - 2);
    if (m_rankOf.empty() || e.GetGain() > m_estimate.GetGain())
    {
        m_rankOf = ranksOfNodes;
        m_estimate = e;
    }
}

std::string
LabPartition::Choose(const LabFlowSet& flows, const Load& load, uint32_t ranks)
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
LabPartition::Apply() const
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

std::vector<RunWarning>
LabPartition::GetWarnings() const
{
    const Estimate& e = m_estimate;
    if (e.GetGain() >= LEAST_GAIN)
    {
        return {};
    }
    return {RunWarning("ranks-slow")
                .With(static_cast<double>(e.lookAhead))
                .With(e.work)
                .With(e.largest)
                .With(e.exchange)
                .With(e.GetGain())};
}

} // namespace ns3
