/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NETWORK_H
#define LAB_NETWORK_H

#include "lab-experiment.h"
#include "lab-run.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The nodes and links of an experiment, built.
class LabNetwork
{
  public:
    /// \param options of the run \param option that lists classes \return them; exits with status 2 if one is no class
    static std::vector<uint8_t> GetClasses(const LabOptions& options, const std::string& option);

    /// Exits with status 2 if the options are wrong.
    /// \param options of the run \param experiment what is built; outlives this, its links are gone then \param run of
    /// them
    LabNetwork(const LabOptions& options, LabExperiment& experiment, LabRun& run);

    /// \param option for messages \param name of a host; exits with status 2 if there is none \return its NIC
    Ptr<RdmaNic> GetNic(const std::string& option, const std::string& name) const;

    /// \param i index of a host \return its name
    const std::string& GetHostName(size_t i) const
    {
        return NameOf(m_hosts[i]->GetObject<Node>());
    }

    /// \return the hosts' NICs, in the order of the nodes
    const std::vector<Ptr<RdmaNic>>& GetHosts() const
    {
        return m_hosts;
    }

    /// A port of a switch.
    struct Port
    {
        std::string name; //!< "t1>h4"
        Ptr<QbbNetDevice> device;
        Ptr<QbbSwitch> sw; //!< null: its switch is a CioqSwitch
        uint32_t index;
    };

    /// \param option for messages \param from name of a switch \param to name of its neighbour
    /// \return its ports towards it, in the links' order; exits with status 2 if there are none
    std::vector<Port> GetPorts(const std::string& option, const std::string& from, const std::string& to) const;

    /// \param host name of a host \return name of the node on its first port
    const std::string& GetNeighbour(const std::string& host) const;

    /// \return all switches, in the order of their first links
    const std::vector<Ptr<QbbSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /// \return the only switch, of --cioq; null without
    Ptr<CioqSwitch> GetCioqSwitch() const
    {
        return m_cioq;
    }

    /// \return all ports of all switches
    std::vector<Ptr<QbbNetDevice>> GetSwitchPorts() const;

  private:
    void SetNics(QbbHelper& helper) const;
    void SetRules(QbbHelper& helper) const;
    void AddPolicer(const std::string& item);
    void ScaleThresholds(RccAlgorithm& algorithm) const;
    /// \param node one of the network, whose ids follow one another
    const std::string& NameOf(Ptr<Node> node) const
    {
        return m_names[node->GetId() - m_all.Get(0)->GetId()];
    }

    Ptr<Node> FindNode(const std::string& name) const;
    void MakeNode(LabRun& run, const QbbHelper& copies, const std::string& name);
    void AddLinks(LabRun& run, const LabExperiment::Links& links);
    void SetRoutes();
    void StartSwitches(LabRun& run);

    const LabOptions& m_options;
    const std::vector<std::string>& m_names;                    //!< of the nodes
    std::set<std::string> m_policed;                            //!< names of ports
    std::vector<uint32_t> m_byName;                             //!< the nodes in the order of their names
    std::map<std::pair<int64_t, int64_t>, QbbHelper> m_helpers; //!< while it is built, by rate and delay of a link
    std::vector<Ptr<RdmaNic>> m_hosts;
    std::vector<Ptr<QbbSwitch>> m_switches;
    Ptr<CioqSwitch> m_cioq;
    NodeContainer m_all;
};

} // namespace ns3

#endif /* LAB_NETWORK_H */
