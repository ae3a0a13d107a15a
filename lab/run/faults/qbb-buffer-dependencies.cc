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
const size_t UNKNOWN = SIZE_MAX - 1; // whether a switch is behind an output
const uint32_t HASHES = 64;          // hashes of flows that are tried at a host with several ports

/// The ports through which a host sends to another one. Called for each pair of hosts.
std::vector<uint32_t>
PortsOf(const RdmaNic& nic, uint32_t receiver)
{
    std::vector<uint32_t> ports;
    if (nic.GetNPorts() == 1)
    {
        return {0};
    }
    for (uint32_t hash = 0; hash < (nic.GetNPorts() ? HASHES : 0); hash++)
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

/// \return what is known of a node; null if it is no switch
QbbBufferDependencies::Switch*
QbbBufferDependencies::Find(Ptr<Node> node)
{
    const auto known = node ? m_switches.find(node->GetId()) : m_switches.end();
    if (known != m_switches.end())
    {
        return &known->second;
    }
    Ptr<QbbSwitch> sw = node ? node->GetObject<QbbSwitch>() : nullptr;
    if (!sw)
    {
        return nullptr;
    }
    Switch& found = m_switches[node->GetId()];
    found.sw = sw;
    found.node = node->GetId();
    found.outputs.assign(sw->GetNPorts(), UNKNOWN);
    return &found;
}

/// \return the switch behind the port of a host; null without one
QbbBufferDependencies::Switch*
QbbBufferDependencies::FindFirst(Ptr<QbbNetDevice> port)
{
    const auto known = m_first.emplace(PeekPointer(port), nullptr);
    if (known.second)
    {
        known.first->second = Find(QbbGetNeighbour(*port));
    }
    return known.first->second;
}

/// \return the number of an output; NONE if no switch is behind it: a host takes what comes
size_t
QbbBufferDependencies::IndexOf(Switch& from, uint32_t port)
{
    size_t& index = from.outputs[port];
    if (index == UNKNOWN)
    {
        Switch* behind = Find(QbbGetNeighbour(*from.sw->GetPort(port)));
        index = behind ? m_outputs.size() : NONE;
        if (behind)
        {
            m_outputs.push_back(QbbOutput{from.node, port, behind->node});
            m_behind.push_back(behind);
            m_reached.push_back(0);
        }
    }
    return index;
}

/// Go on from a switch. Its outputs are the same for all outputs before it, and their edges for all receivers behind
/// one route: what was done for another one is left out. \param from the output before it; NONE: a host
void
QbbBufferDependencies::Follow(size_t from, Switch& at, uint32_t receiver, std::vector<std::pair<size_t, Switch*>>& todo)
{
    const bool first = at.followed != m_calls;
    if (first)
    {
        at.followed = m_calls;
        at.ports = at.sw->GetRoute(receiver);
        at.route = at.routes.emplace(at.ports, at.routes.size()).first->second;
    }
    const bool joins = from != NONE && at.joined.insert({from, at.route}).second;
    if (!first && !joins)
    {
        return;
    }
    for (uint32_t port : at.ports)
    {
        m_steps++;
        const size_t output = IndexOf(at, port);
        if (output != NONE && joins && m_known.insert({from, output}).second)
        {
            m_graph.AddEdge(from, output);
        }
        if (output != NONE && m_reached[output] != m_calls)
        {
            m_reached[output] = m_calls;
            todo.emplace_back(output, m_behind[output]);
        }
    }
}

void
QbbBufferDependencies::Add(const std::vector<Ptr<RdmaNic>>& senders, Ptr<RdmaNic> receiver)
{
    const uint32_t dst = receiver->GetObject<Node>()->GetId();
    std::vector<std::pair<size_t, Switch*>> todo; // output before, switch
    m_calls++;
    for (const auto& nic : senders)
    {
        for (uint32_t port : nic != receiver ? PortsOf(*nic, dst) : std::vector<uint32_t>())
        {
            m_steps++;
            Switch* first = FindFirst(nic->GetPort(port));
            if (first && first->started != m_calls)
            {
                first->started = m_calls;
                todo.emplace_back(NONE, first);
            }
        }
    }
    while (!todo.empty())
    {
        const auto next = todo.back();
        todo.pop_back();
        m_steps++;
        Follow(next.first, *next.second, dst, todo);
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
