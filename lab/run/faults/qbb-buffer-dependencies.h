/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Analysis of routes, and the graph that QbbPauseWatchdog shares: makes no objects of ns-3. */
#ifndef QBB_BUFFER_DEPENDENCIES_H
#define QBB_BUFFER_DEPENDENCIES_H

#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// An output port of a switch.
struct QbbOutput
{
    uint32_t node; //!< id of the switch's node
    uint32_t port; //!< from 0
    uint32_t peer; //!< id of the node at the other end of the link

    /// \param other an output \return whether it is the same port of the same switch
    bool operator==(const QbbOutput& other) const
    {
        return node == other.node && port == other.port;
    }
};

/// \param output any \return e.g. "switch 3 port 1 to node 4"
std::string QbbNameOf(const QbbOutput& output);

/**
 * \param cycle outputs, each of which waits for the next, and the last for the first
 * \return their names, joined by arrows, with the first one again at the end
 */
std::string QbbNameOf(const std::vector<QbbOutput>& cycle);

/// A graph of what waits for what, and its cycles. Vertices are numbers from 0.
class QbbWaitGraph
{
  public:
    /// \param vertex to add an edge from \param to its end; both exist from then on
    void AddEdge(size_t vertex, size_t to);

    /// \return a shortest cycle through the first vertex of each strongly connected component that has one, in order
    std::vector<std::vector<size_t>> FindCycles() const;

  private:
    std::vector<size_t> FindCycle(const std::vector<size_t>& component) const;

    std::vector<std::vector<size_t>> m_edges;
};

/**
 * The buffer dependencies of routes: frames that leave a switch through one output wait in the next switch for another.
 * With PFC, a cycle of outputs can stop for ever: each is paused because the next one is. Up-down routes
 * (QbbSetUpDownRoutes) and those of a tree, a fat tree and a leaf-spine network have no cycle.
 *
 *     QbbBufferDependencies dependencies;
 *     dependencies.Add(senders, receiver);         // once for each receiver
 *     for (const auto& cycle : dependencies.FindCycles()) { ... QbbNameOf(cycle) ... }
 */
class QbbBufferDependencies
{
  public:
    /**
     * Follow what hosts send to one host by the present routes, over all paths of equal length. Links are those of the
     * first call.
     * \param senders hosts; the receiver itself and hosts without a link are left out
     * \param receiver the other end
     */
    void Add(const std::vector<Ptr<RdmaNic>>& senders, Ptr<RdmaNic> receiver);

    /// \return cycles of outputs, one for each set of outputs that wait for one another; empty: a deadlock is
    /// impossible
    std::vector<std::vector<QbbOutput>> FindCycles() const;

    /// \return how many senders and outputs all calls of Add have looked at: what they have cost
    uint64_t CountSteps() const
    {
        return m_steps;
    }

  private:
    /// A switch on the way to receivers.
    struct Switch
    {
        Ptr<QbbSwitch> sw;
        uint32_t node;
        std::vector<size_t> outputs;                    //!< by port
        std::map<std::vector<uint32_t>, size_t> routes; //!< the ports of each, by which receivers are reached
        std::set<std::pair<size_t, size_t>> joined;     //!< outputs before it and routes behind them, with all edges
        std::vector<uint32_t> ports;                    //!< to the present receiver
        size_t route{0};                                //!< that they are
        uint64_t started{0}, followed{0};               //!< the calls for whose senders, and whose receiver
    };

    Switch* Find(Ptr<Node> node);
    Switch* FindFirst(Ptr<QbbNetDevice> port);
    size_t IndexOf(Switch& from, uint32_t port);
    void Follow(size_t from, Switch& at, uint32_t receiver, std::vector<std::pair<size_t, Switch*>>& todo);

    std::map<uint32_t, Switch> m_switches;                    //!< by node
    std::unordered_map<const QbbNetDevice*, Switch*> m_first; //!< behind the ports of hosts; null: a host
    std::vector<QbbOutput> m_outputs;
    std::vector<Switch*> m_behind;               //!< each of them
    std::vector<uint64_t> m_reached;             //!< the call in which each of them was reached last
    std::set<std::pair<size_t, size_t>> m_known; //!< edges
    QbbWaitGraph m_graph;
    uint64_t m_calls{0}, m_steps{0};
};

} // namespace ns3

#endif /* QBB_BUFFER_DEPENDENCIES_H */
