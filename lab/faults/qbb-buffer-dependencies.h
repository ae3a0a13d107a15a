/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Analysis of routes, and the graph that QbbPauseWatchdog shares: makes no objects of ns-3. */
#ifndef QBB_BUFFER_DEPENDENCIES_H
#define QBB_BUFFER_DEPENDENCIES_H

#include "ns3/rdma-nic.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
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
 *     dependencies.Add(senders, receiver);         // as often as there are receivers
 *     for (const auto& cycle : dependencies.FindCycles()) { ... QbbNameOf(cycle) ... }
 */
class QbbBufferDependencies
{
  public:
    /**
     * Follow what hosts send to one host by the routes of now, over all paths of equal length.
     * \param senders hosts; the receiver itself and hosts without a link are left out
     * \param receiver the other end
     */
    void Add(const std::vector<Ptr<RdmaNic>>& senders, Ptr<RdmaNic> receiver);

    /// \return cycles of outputs, one for each set of outputs that wait for one another; empty: a deadlock is
    /// impossible
    std::vector<std::vector<QbbOutput>> FindCycles() const;

  private:
    size_t IndexOf(const QbbOutput& output);

    std::map<std::pair<uint32_t, uint32_t>, size_t> m_index; //!< by node and port
    std::vector<QbbOutput> m_outputs;
    std::set<std::pair<size_t, size_t>> m_known; //!< edges
    QbbWaitGraph m_graph;
};

} // namespace ns3

#endif /* QBB_BUFFER_DEPENDENCIES_H */
