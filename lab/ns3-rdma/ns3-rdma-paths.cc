/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Paths between hosts: their ports, their bandwidth-delay products and the load on them. */
#include "ns3-rdma-network.h"

#include "ns3/abort.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

const uint32_t HPCC_HEADER = 48; // bytes that the HPCC simulator's ideal completion time adds to every packet

} // namespace

std::vector<Ns3RdmaNetwork::Hop>
Ns3RdmaNetwork::GetPath(uint32_t src, uint32_t dst, const uint32_t* hash) const
{
    std::vector<Hop> hops;
    const uint32_t host = dst + m_base;
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
        const Ns3RdmaLink& l = m_topology.links[m_ports[at][port].link];
        hops.push_back(Hop{at, port, l.rate, l.delay});
        at = m_ports[at][port].peer;
    }
    return hops;
}

uint64_t
Ns3RdmaNetwork::Pair::Bdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(rtt) * bottleneck / 1000000000 / 8);
}

uint64_t
Ns3RdmaNetwork::Pair::IdealFct(uint64_t bytes, uint32_t payload) const
{
    const Wide packets = bytes ? (bytes - 1) / payload + 1 : 0;
    return rtt + static_cast<uint64_t>((bytes + packets * HPCC_HEADER) * 8000000000u / bottleneck);
}

Ns3RdmaNetwork::Pair
Ns3RdmaNetwork::GetPair(uint32_t src, uint32_t dst) const
{
    Pair pair;
    for (const Hop& h : GetPath(src, dst))
    {
        pair.rtt += 2 * static_cast<uint64_t>(h.delay) + m_config.payload * 8000000000u / h.rate;
        pair.bottleneck = pair.bottleneck ? std::min(pair.bottleneck, h.rate) : h.rate;
    }
    return pair;
}

uint64_t
Ns3RdmaNetwork::GetMaxBdp() const
{
    // Hosts with equal links to the same nodes are alike: two of each kind stand for all.
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
            const Ns3RdmaLink& l = m_topology.links[p.link];
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

Ns3RdmaLoad::Ns3RdmaLoad(const Ns3RdmaNetwork& net, uint64_t seed)
    : m_net(net),
      m_seed(seed),
      m_opened(net.GetNNodes()),
      m_load(net.GetNNodes())
{
    for (uint32_t id = 0; id < net.GetNNodes(); id++)
    {
        m_load[id].resize(net.GetNInterfaces(id));
    }
}

std::vector<Ns3RdmaNetwork::Hop>
Ns3RdmaLoad::Add(const Ns3RdmaFlow& flow)
{
    const Ns3RdmaConfig& config = m_net.GetConfig();
    const uint32_t hash = RdmaNic::HashOf(m_seed, m_net.GetNode(flow.src)->GetId(), m_opened[flow.src]++);
    const auto hops = m_net.GetPath(flow.src, flow.dst, &hash);
    const int64_t until = flow.stop >= 0 ? std::min(flow.stop, config.stop) : config.stop;
    const double endless = static_cast<double>(std::max<int64_t>(until - flow.start, 0)) / 8e9;
    const uint64_t packets = flow.bytes ? (flow.bytes - 1) / config.payload + 1 : 0;
    const double bytes = flow.bytes ? static_cast<double>(flow.bytes + packets * ROCE_OVERHEAD)
                                    : endless * static_cast<double>(hops[0].rate);
    for (const auto& h : hops)
    {
        m_load[h.node][h.port] += bytes / static_cast<double>(h.rate);
    }
    m_first = m_any ? m_first : hops[0];
    m_any = true;
    return hops;
}

Ns3RdmaNetwork::Hop
Ns3RdmaLoad::GetBusiestPort() const
{
    NS_ABORT_MSG_IF(!m_any, "there is no flow");
    double most = 0;
    Ns3RdmaNetwork::Hop busiest = m_first;
    for (uint32_t id = 0; id < m_load.size(); id++)
    {
        for (uint32_t p = 0; m_net.GetSwitch(id) && p < m_load[id].size(); p++)
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
