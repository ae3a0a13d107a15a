/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-routing.h"

#include "ns3/node.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3
{

namespace
{

const uint32_t NOT_THERE = UINT32_MAX;

struct Graph
{
    std::vector<Ptr<Node>> nodes;
    std::vector<Ptr<QbbSwitch>> switches;          //!< null for a host
    std::vector<std::vector<uint32_t>> neighbours; //!< by port; of a host: by device
};

Ptr<Node>
Peer(Ptr<QbbNetDevice> device)
{
    auto channel = DynamicCast<QbbChannel>(device->GetChannel());
    Ptr<QbbNetDevice> peer = channel && !channel->IsDown() ? channel->GetPeer(PeekPointer(device)) : nullptr;
    return peer ? peer->GetNode() : nullptr;
}

Graph
ReadGraph(const NodeContainer& container)
{
    Graph g;
    std::map<uint32_t, uint32_t> index; // by node id
    for (auto i = container.Begin(); i != container.End(); ++i)
    {
        index[(*i)->GetId()] = static_cast<uint32_t>(g.nodes.size());
        g.nodes.push_back(*i);
        g.switches.push_back((*i)->GetObject<QbbSwitch>());
    }
    g.neighbours.resize(g.nodes.size());
    for (size_t n = 0; n < g.nodes.size(); n++)
    {
        Ptr<QbbSwitch> sw = g.switches[n];
        Ptr<RdmaNic> nic = sw ? nullptr : g.nodes[n]->GetObject<RdmaNic>();
        uint32_t ports = sw ? sw->GetNPorts() : nic ? nic->GetNPorts() : 0;
        for (uint32_t p = 0; p < ports; p++)
        {
            Ptr<Node> peer = Peer(sw ? sw->GetPort(p) : nic->GetPort(p));
            auto found = peer ? index.find(peer->GetId()) : index.end();
            g.neighbours[n].push_back(found == index.end() ? NOT_THERE : found->second);
        }
    }
    return g;
}

/// Hops of every switch from a set of switches, which are at 0.
std::vector<uint32_t>
Distances(const Graph& g, const std::vector<uint32_t>& from)
{
    std::vector<uint32_t> distance(g.nodes.size(), NOT_THERE);
    std::vector<uint32_t> queue = from;
    for (uint32_t n : from)
    {
        distance[n] = 0;
    }
    for (size_t i = 0; i < queue.size(); i++)
    {
        for (uint32_t next : g.neighbours[queue[i]])
        {
            if (next != NOT_THERE && g.switches[next] && distance[next] == NOT_THERE)
            {
                distance[next] = distance[queue[i]] + 1;
                queue.push_back(next);
            }
        }
    }
    return distance;
}

/// Hosts with several ports send to these hosts through those that are nearest to them.
void
SetHostRoutes(const Graph& g, const std::vector<uint32_t>& hosts, const std::vector<uint32_t>& distance)
{
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        const auto& ports = g.neighbours[n];
        if (g.switches[n] || ports.size() < 2)
        {
            continue;
        }
        Ptr<RdmaNic> nic = g.nodes[n]->GetObject<RdmaNic>();
        for (uint32_t host : hosts)
        {
            std::vector<uint32_t> nearest;
            uint32_t least = NOT_THERE - 1;
            for (uint32_t p = 0; p < ports.size() && host != n; p++)
            {
                const uint32_t next = ports[p];
                const uint32_t hops = next == NOT_THERE                                 ? NOT_THERE
                                      : next == host                                    ? 0
                                      : g.switches[next] && distance[next] != NOT_THERE ? distance[next] + 1
                                                                                        : NOT_THERE;
                if (hops < least)
                {
                    nearest.clear();
                    least = hops;
                }
                if (hops == least)
                {
                    nearest.push_back(p);
                }
            }
            if (!nearest.empty() && nearest.size() < ports.size()) // all is what it does without
            {
                nic->SetRoute(g.nodes[host]->GetId(), nearest);
            }
        }
    }
}

} // namespace

std::string
QbbSetRoutes(const NodeContainer& container, bool partial)
{
    const Graph g = ReadGraph(container);
    for (size_t n = 0; n < g.nodes.size() && partial; n++)
    {
        if (g.switches[n])
        {
            g.switches[n]->ClearRoutes();
        }
        else if (g.neighbours[n].size() > 1)
        {
            g.nodes[n]->GetObject<RdmaNic>()->ClearRoutes();
        }
    }
    // Hosts on the same switches share all routes but the last hop.
    std::map<std::vector<uint32_t>, std::vector<uint32_t>> groups;
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        if (!g.switches[n])
        {
            std::vector<uint32_t> at;
            for (uint32_t s : g.neighbours[n])
            {
                if (s != NOT_THERE && g.switches[s])
                {
                    at.push_back(s);
                }
            }
            std::sort(at.begin(), at.end());
            at.erase(std::unique(at.begin(), at.end()), at.end());
            groups[at].push_back(n);
        }
    }
    for (const auto& group : groups)
    {
        const std::vector<uint32_t> distance = Distances(g, group.first);
        if (partial)
        {
            SetHostRoutes(g, group.second, distance);
        }
        for (uint32_t s = 0; s < g.nodes.size(); s++)
        {
            if (!g.switches[s])
            {
                continue;
            }
            if (distance[s] == NOT_THERE && partial)
            {
                continue;
            }
            if (distance[s] == NOT_THERE)
            {
                return "node " + std::to_string(g.nodes[group.second[0]]->GetId()) + " cannot be reached from switch " +
                       std::to_string(g.nodes[s]->GetId());
            }
            std::vector<uint32_t> closer;
            for (uint32_t p = 0; p < g.neighbours[s].size(); p++)
            {
                uint32_t next = g.neighbours[s][p];
                if (next != NOT_THERE && g.switches[next] && distance[next] + 1 == distance[s])
                {
                    closer.push_back(p);
                }
            }
            for (uint32_t host : group.second)
            {
                std::vector<uint32_t> last;
                for (uint32_t p = 0; distance[s] == 0 && p < g.neighbours[s].size(); p++)
                {
                    if (g.neighbours[s][p] == host)
                    {
                        last.push_back(p);
                    }
                }
                g.switches[s]->SetRoute(g.nodes[host]->GetId(), last.empty() ? closer : last);
            }
        }
    }
    return "";
}

std::vector<Ptr<QbbSwitch>>
QbbGetSwitches(const NodeContainer& nodes)
{
    std::vector<Ptr<QbbSwitch>> switches;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<QbbSwitch> sw = (*i)->GetObject<QbbSwitch>();
        if (sw)
        {
            switches.push_back(sw);
        }
    }
    return switches;
}

} // namespace ns3
