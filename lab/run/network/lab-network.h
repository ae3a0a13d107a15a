/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NETWORK_H
#define LAB_NETWORK_H

#include "lab-run.h"
#include "run-file.h"

#include "lab-paths.h"
#include "ns3/node-container.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The nodes and links of a run file, built.
class LabNetwork
{
  public:
    /// Throws RunError if the network cannot work. \param file what is built; outlives this \param run of it
    LabNetwork(const RunFile& file, LabRun& run);

    /// \param node number of a host \return its NIC
    Ptr<RdmaNic> GetNic(uint32_t node) const
    {
        return m_nics[node];
    }

    /// \param node number in the file \return the node
    Ptr<Node> GetNode(uint32_t node) const
    {
        return m_all.Get(node);
    }

    /// \return the hosts' NICs, in the order of the nodes
    const std::vector<Ptr<RdmaNic>>& GetHosts() const
    {
        return m_hosts;
    }

    /// \param port of the file \return its device
    Ptr<QbbNetDevice> GetPort(const RunPort& port) const;

    /// \return all switches with a shared buffer, in the order of the nodes
    const std::vector<Ptr<QbbSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /// \return the only switch with combined queues; null without
    Ptr<CioqSwitch> GetCioqSwitch() const
    {
        return m_cioq;
    }

    /// \return paths, of a run whose flows arrive as the file lists them
    const LabPaths& GetPaths() const
    {
        return *m_paths;
    }

    /// \return all ports of all switches
    std::vector<Ptr<QbbNetDevice>> GetSwitchPorts() const;

  private:
    void CheckDatagrams() const;
    void SetPool(LabRun& run) const;
    void MakeNodes(LabRun& run);
    void AddLinks(LabRun& run);
    void SetRoutes();
    void AddMarkers(const LabRun& run);
    void StartSwitches(LabRun& run);
    void StartCioqSwitch(LabRun& run);
    uint32_t RecordOf(const QbbSwitchBase& sw) const;

    const RunFile& m_file;
    std::vector<Ptr<RdmaNic>> m_nics; //!< by node, null where there is none
    std::vector<Ptr<RdmaNic>> m_hosts;
    std::vector<Ptr<QbbSwitch>> m_switches;
    Ptr<CioqSwitch> m_cioq;
    NodeContainer m_all;
    std::unique_ptr<LabPaths> m_paths;
};

} // namespace ns3

#endif /* LAB_NETWORK_H */
