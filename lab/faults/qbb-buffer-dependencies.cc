/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-buffer-dependencies.h"

#include "ns3/qbb-routing.h"

#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

namespace
{

const size_t NONE = SIZE_MAX;
const uint32_t HASHES = 64; // of flows that are tried at a host with several ports

/// The ports through which a host sends to another one. Called for each pair of hosts.
std::vector<uint32_t>
PortsOf(const RdmaNic& nic, uint32_t receiver)
{
    std::vector<uint32_t> ports;
    for (uint32_t hash = 0; hash < (nic.GetNPorts() > 1 ? HASHES : nic.GetNPorts()); hash++)
    {
        const uint32_t port = nic.PickPort(receiver, hash);
        if (std::find(ports.begin(), ports.end(), port) == ports.end())
        {
            ports.push_back(port);
        }
    }
    std::sort(ports.begin(), ports.end());
    return ports;
}

using Edges = std::vector<std::vector<size_t>>;

/// The vertices of a graph in the order in which a depth-first search leaves them. It has a stack of its own: a path
/// through a network may be long.
std::vector<size_t>
LeaveOrder(const Edges& edges)
{
    std::vector<size_t> order;
    std::vector<bool> seen(edges.size(), false);
    std::vector<std::pair<size_t, size_t>> path; // vertex, and its next edge
    auto enter = [&](size_t v) {
        if (!seen[v])
        {
            seen[v] = true;
            path.emplace_back(v, 0);
        }
    };
    for (size_t root = 0; root < edges.size(); root++)
    {
        enter(root);
        while (!path.empty())
        {
            const size_t v = path.back().first;
            if (path.back().second < edges[v].size())
            {
                enter(edges[v][path.back().second++]);
                continue;
            }
            order.push_back(v);
            path.pop_back();
        }
    }
    return order;
}

/// The strongly connected components of a graph (Kosaraju, Sharir).
std::vector<std::vector<size_t>>
FindComponents(const Edges& edges)
{
    Edges back(edges.size());
    for (size_t v = 0; v < edges.size(); v++)
    {
        for (size_t next : edges[v])
        {
            back[next].push_back(v);
        }
    }
    const std::vector<size_t> order = LeaveOrder(edges);
    std::vector<bool> taken(edges.size(), false);
    std::vector<std::vector<size_t>> components;
    for (auto root = order.rbegin(); root != order.rend(); ++root)
    {
        std::vector<size_t> component(taken[*root] ? 0 : 1, *root);
        taken[*root] = true;
        for (size_t i = 0; i < component.size(); i++)
        {
            for (size_t next : back[component[i]])
            {
                if (!taken[next])
                {
                    taken[next] = true;
                    component.push_back(next);
                }
            }
        }
        if (!component.empty())
        {
            components.push_back(component);
        }
    }
    return components;
}

} // namespace

std::string
QbbNameOf(const QbbOutput& output)
{
    return "switch " + std::to_string(output.node) + " port " + std::to_string(output.port) + " to node " +
           std::to_string(output.peer);
}

std::string
QbbNameOf(const std::vector<QbbOutput>& cycle)
{
    std::string names;
    for (const auto& output : cycle)
    {
        names += QbbNameOf(output) + " -> ";
    }
    return cycle.empty() ? names : names + QbbNameOf(cycle.front());
}

// ---------------------------------------------------------------- cycles

void
QbbWaitGraph::AddEdge(size_t vertex, size_t to)
{
    m_edges.resize(std::max({m_edges.size(), vertex + 1, to + 1}));
    m_edges[vertex].push_back(to);
}

/// Breadth first from the least vertex back to it, inside of its component. \return empty if there is no way back
std::vector<size_t>
QbbWaitGraph::FindCycle(const std::vector<size_t>& component) const
{
    const std::set<size_t> inside(component.begin(), component.end());
    const size_t first = *inside.begin();
    std::map<size_t, size_t> before;
    std::vector<size_t> queue{first};
    for (size_t i = 0; i < queue.size(); i++)
    {
        for (size_t next : m_edges[queue[i]])
        {
            if (next == first)
            {
                std::vector<size_t> cycle;
                for (size_t v = queue[i]; v != first; v = before[v])
                {
                    cycle.push_back(v);
                }
                cycle.push_back(first);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (inside.count(next) && before.emplace(next, queue[i]).second)
            {
                queue.push_back(next);
            }
        }
    }
    return {};
}

std::vector<std::vector<size_t>>
QbbWaitGraph::FindCycles() const
{
    std::vector<std::vector<size_t>> cycles;
    for (const auto& component : FindComponents(m_edges))
    {
        const std::vector<size_t> cycle = FindCycle(component);
        if (!cycle.empty())
        {
            cycles.push_back(cycle);
        }
    }
    std::sort(cycles.begin(), cycles.end());
    return cycles;
}

// ---------------------------------------------------------------- routes

size_t
QbbBufferDependencies::IndexOf(const QbbOutput& output)
{
    const auto known = m_index.emplace(std::make_pair(output.node, output.port), m_outputs.size());
    if (known.second)
    {
        m_outputs.push_back(output);
    }
    return known.first->second;
}

void
QbbBufferDependencies::Add(const std::vector<Ptr<RdmaNic>>& senders, Ptr<RdmaNic> receiver)
{
    const uint32_t dst = receiver->GetObject<Node>()->GetId();
    std::set<std::pair<size_t, uint32_t>> seen; // output before, switch
    std::vector<std::pair<size_t, Ptr<Node>>> todo;
    auto visit = [&](size_t from, Ptr<Node> node) {
        if (node && seen.insert({from, node->GetId()}).second && node->GetObject<QbbSwitch>())
        {
            todo.emplace_back(from, node);
        }
    };
    for (const auto& nic : senders)
    {
        if (nic != receiver)
        {
            for (uint32_t port : PortsOf(*nic, dst))
            {
                visit(NONE, QbbGetNeighbour(*nic->GetPort(port)));
            }
        }
    }
    while (!todo.empty())
    {
        const size_t from = todo.back().first;
        Ptr<Node> node = todo.back().second;
        todo.pop_back();
        Ptr<QbbSwitch> sw = node->GetObject<QbbSwitch>();
        for (uint32_t port : sw->GetRoute(dst))
        {
            Ptr<Node> peer = QbbGetNeighbour(*sw->GetPort(port));
            if (!peer || !peer->GetObject<QbbSwitch>())
            {
                continue; // a host takes what comes
            }
            const size_t output = IndexOf(QbbOutput{node->GetId(), port, peer->GetId()});
            if (from != NONE && m_known.insert({from, output}).second)
            {
                m_graph.AddEdge(from, output);
            }
            visit(output, peer);
        }
    }
}

std::vector<std::vector<QbbOutput>>
QbbBufferDependencies::FindCycles() const
{
    std::vector<std::vector<QbbOutput>> cycles;
    for (const auto& cycle : m_graph.FindCycles())
    {
        cycles.emplace_back();
        for (size_t output : cycle)
        {
            cycles.back().push_back(m_outputs[output]);
        }
    }
    return cycles;
}

} // namespace ns3
