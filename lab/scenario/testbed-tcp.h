/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_TCP_H
#define TESTBED_TCP_H

#include "lab-network.h"

#include "ns3/tcp-bulk.h"

namespace ns3
{

/// TCP connections beside the queue pairs of a testbed, which send as much as they can; "tcp" of run.json.
class TestbedTcp
{
  public:
    /// Install the connections. Throws RunError if this ns-3 has no such congestion control.
    /// \param file of the run \param run is told of what never happens \param testbed the
    /// network
    TestbedTcp(const RunFile& file, LabRun& run, const LabNetwork& testbed);

    /// Called before the simulation. \param run whose window is that of the averages
    void Begin(const LabRun& run);

    /// Add the groups, if there are any. \param json of run.json \param seconds of the window
    void AddResults(LabJson& json, double seconds);

    /// \param end of the simulation, ns \return a warning for each pair whose connections began and delivered nothing
    std::vector<RunWarning> GetWarnings(int64_t end) const;

  private:
    /// The connections of one pair of hosts.
    struct Group
    {
        std::string name; //!< "h1-h5"
        TcpBulkReceiver receiver;
        std::vector<std::unique_ptr<TcpBulkSender>> senders;
        uint64_t from{0}, till{0}; //!< bytes delivered at begin and end of the window
        int64_t start{0};          //!< ns

        /// \param of names \param to node of the receiver \param control type of the congestion control
        Group(const std::string& of, Ptr<Node> to, TypeId control) : name(of), receiver(to, 0, control)
        {
        }
    };

    void AddGroup(const LabNetwork& testbed, const RunTcp& tcp);
    void Mark(uint64_t Group::*bytes);

    std::vector<std::unique_ptr<Group>> m_groups;
    bool m_windowEnded{false}; //!< before the run
};

} // namespace ns3

#endif /* TESTBED_TCP_H */
