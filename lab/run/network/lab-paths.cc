/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-paths.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/qbb-routing.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

const uint32_t HPCC_HEADER = 48; // bytes that the HPCC simulator's ideal completion time adds to every packet

} // namespace

LabPaths::LabPaths(const NodeContainer& nodes, const std::vector<RunLink>& links, uint32_t payload)
    : m_nodes(nodes),
      m_links(links),
      m_payload(payload),
      m_ports(nodes.GetN())
{
    for (uint32_t i = 0; i < nodes.GetN(); i++)
    {
        m_nics.push_back(nodes.Get(i)->GetObject<RdmaNic>());
        m_switches.push_back(nodes.Get(i)->GetObject<QbbSwitch>());
    }
    for (size_t i = 0; i < links.size(); i++)
    {
        m_ports[links[i].a].push_back(Port{links[i].b, i});
        m_ports[links[i].b].push_back(Port{links[i].a, i});
    }
}

Ptr<QbbChannel>
LabPaths::GetChannel(size_t link) const
{
    const uint32_t node = m_links[link].a;
    const auto at = std::find_if(m_ports[node].begin(), m_ports[node].end(),
                                 [link](const Port& port) { return port.link == link; });
    return DynamicCast<QbbChannel>(GetPort(node, static_cast<uint32_t>(at - m_ports[node].begin()))->GetChannel());
}

std::string
LabPaths::PortName(uint32_t node, uint32_t port) const
{
    const uint32_t peer = m_ports[node][port].peer;
    return (m_switches[node] ? "switch " : "host ") + std::to_string(node) + " interface " + std::to_string(port + 1) +
           " to " + (m_switches[peer] ? "switch " : "host ") + std::to_string(peer);
}

void
LabPaths::TakeLinkDown(uint32_t a, uint32_t b, bool upDown) const
{
    for (size_t i = 0; i < m_links.size(); i++)
    {
        const RunLink& l = m_links[i];
        const bool between = (l.a == a && l.b == b) || (l.a == b && l.b == a);
        if (between && !GetChannel(i)->IsDown())
        {
            GetChannel(i)->TakeDown(RccNow());
        }
    }
    QbbReroute(m_nodes, upDown);
}

uint64_t
LabPaths::GetLostFrames() const
{
    uint64_t lost = 0;
    for (size_t i = 0; i < m_links.size(); i++)
    {
        lost += GetChannel(i)->GetLostFrames();
    }
    return lost;
}

std::vector<LabPaths::Hop>
LabPaths::GetPath(uint32_t src, uint32_t dst, const uint32_t* hash) const
{
    std::vector<Hop> hops;
    const uint32_t host = m_nodes.Get(dst)->GetId();
    for (uint32_t at = src; at != dst;)
    {
        uint32_t port = 0;
        if (!m_switches[at])
        {
            if (at != src || m_ports[at].empty())
            {
                return {}; // hosts do not forward
            }
            port = m_nics[at]->PickPort(host, hash ? *hash : 0);
        }
        else
        {
            port = hash ? m_switches[at]->GetOutput(host, *hash) : m_switches[at]->GetFirstOutput(host);
            if (port == m_ports[at].size())
            {
                return {};
            }
        }
        const RunLink& l = m_links[m_ports[at][port].link];
        hops.push_back(Hop{at, port, l.rate, l.delay});
        at = m_ports[at][port].peer;
    }
    return hops;
}

uint64_t
LabPaths::Pair::Bdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(rtt) * bottleneck / 1000000000 / 8);
}

uint64_t
LabPaths::Pair::IdealFct(uint64_t bytes, uint32_t payload) const
{
    const Wide packets = bytes ? (bytes - 1) / payload + 1 : 0;
    return rtt + static_cast<uint64_t>((bytes + packets * HPCC_HEADER) * 8000000000u / bottleneck);
}

LabPaths::Pair
LabPaths::GetPair(uint32_t src, uint32_t dst) const
{
    Pair pair;
    for (const Hop& h : GetPath(src, dst))
    {
        pair.rtt += 2 * static_cast<uint64_t>(h.delay) + m_payload * 8000000000u / h.rate;
        pair.bottleneck = pair.bottleneck ? std::min(pair.bottleneck, h.rate) : h.rate;
    }
    return pair;
}

uint64_t
LabPaths::GetMaxBdp() const
{
    // Hosts with equal links to the same nodes have equal paths: two of each kind stand for all.
    std::map<std::vector<std::pair<uint32_t, std::pair<uint64_t, int64_t>>>, std::vector<uint32_t>> kinds;
    for (uint32_t id = 0; id < m_nics.size(); id++)
    {
        if (!m_nics[id])
        {
            continue;
        }
        std::vector<std::pair<uint32_t, std::pair<uint64_t, int64_t>>> links;
        for (const Port& p : m_ports[id])
        {
            const RunLink& l = m_links[p.link];
            links.push_back({p.peer, {l.rate, l.delay}});
        }
        std::vector<uint32_t>& some = kinds[links];
        if (some.size() < 2)
        {
            some.push_back(id);
        }
    }
    uint64_t most = 0;
    for (const auto& from : kinds)
    {
        for (const auto& to : kinds)
        {
            const uint32_t src = from.second[0];
            const uint32_t dst = src == to.second[0] ? to.second.back() : to.second[0];
            most = src == dst ? most : std::max(most, GetPair(src, dst).Bdp());
        }
    }
    return most;
}

bool
LabHasLinkPauses(const QbbNetDevice& port)
{
    const auto channel = DynamicCast<QbbChannel>(port.GetChannel());
    const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(&port) : nullptr;
    BooleanValue link(false);
    if (peer)
    {
        peer->GetAttribute("LinkPause", link);
    }
    return link.Get();
}

LabLoad::LabLoad(const LabPaths& paths, uint64_t seed, int64_t end)
    : m_paths(paths),
      m_seed(seed),
      m_end(end),
      m_opened(paths.GetNNodes()),
      m_load(paths.GetNNodes())
{
    for (uint32_t id = 0; id < paths.GetNNodes(); id++)
    {
        m_load[id].resize(paths.CountPorts(id));
    }
}

std::vector<LabPaths::Hop>
LabLoad::Add(const RunArrival& flow)
{
    const uint32_t hash = RdmaNic::HashOf(m_seed, m_paths.GetNode(flow.from)->GetId(), m_opened[flow.from]++);
    const auto hops = m_paths.GetPath(flow.from, flow.to, &hash);
    if (hops.empty())
    {
        return {};
    }
    const int64_t until = flow.stop >= 0 ? std::min(flow.stop, m_end) : m_end;
    const double endless = static_cast<double>(std::max<int64_t>(until - flow.start, 0)) / 8e9;
    const uint64_t packets = flow.size ? (flow.size - 1) / m_paths.GetPayload() + 1 : 0;
    const double bytes = flow.size ? static_cast<double>(flow.size + packets * ROCE_OVERHEAD)
                                   : endless * static_cast<double>(hops[0].rate);
    for (const auto& h : hops)
    {
        m_load[h.node][h.port] += bytes / static_cast<double>(h.rate);
    }
    m_first = m_any ? m_first : hops[0];
    m_any = true;
    return hops;
}

LabPaths::Hop
LabLoad::GetBusiestPort() const
{
    NS_ABORT_MSG_IF(!m_any, "there is no flow");
    double most = 0;
    LabPaths::Hop busiest = m_first;
    for (uint32_t id = 0; id < m_load.size(); id++)
    {
        for (uint32_t p = 0; m_paths.GetSwitch(id) && p < m_load[id].size(); p++)
        {
            if (m_load[id][p] > most)
            {
                most = m_load[id][p];
                busiest.node = id;
                busiest.port = p;
            }
        }
    }
    return busiest;
}

} // namespace ns3
