/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TESTBED_H
#define RCC_TESTBED_H

#include "rcc-run.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A network given as a list of links between named nodes (lab/doc/testbed.md). A node whose name begins with h is a
 * host, any other a switch; two nodes may have several links.
 *
 *     h[1-4]-t1                       four links at the run's rate and delay
 *     h[1-4]=t[1-4]:25Gbps:500ns      pairs, one by one
 *     t[1-2]-s1*4                     four parallel links of each pair
 */
class RccTestbed
{
  public:
    /// Declare the options of links, switches and NICs.
    static void AddOptions(RccOptions& options);

    /// \param options of the run \param option that lists classes \return them; exits with status 2 if one is no class
    static std::vector<uint8_t> GetClasses(const RccOptions& options, const std::string& option);

    /// \param options of the run \return the map of --dscp-map; exits with status 2 if it is none
    static rcc_dscp_map GetDscpMap(const RccOptions& options);

    /// Build what the options say. Exits with status 2 if they are wrong. \param options of the run \param run of them
    RccTestbed(const RccOptions& options, RccRun& run);

    /**
     * Expand a pattern of two ends.
     * \param option whose item it is, for messages
     * \param text A-B: every a with every b; A=B: one by one. A and B are names with ranges [FIRST-LAST]
     * \return the pairs of names, at most 1000000
     */
    static std::vector<std::pair<std::string, std::string>> ExpandPairs(const std::string& option,
                                                                        const std::string& text);

    /**
     * Expand a pattern of flows: as ExpandPairs, without the pairs of A-B in which a host would send to itself. Exits
     * with status 2 if no others are left, or one is in A=B. \param option whose item it is, for messages \param text
     * A-B or A=B \return the pairs of names
     */
    static std::vector<std::pair<std::string, std::string>> ExpandFlows(const std::string& option,
                                                                        const std::string& text);

    /// \param option for messages \param name of a host; exits with status 2 if there is none \return its NIC
    Ptr<RdmaNic> GetNic(const std::string& option, const std::string& name) const;

    /// \return names of the hosts, in the order in which --links names them
    const std::vector<std::string>& GetHostNames() const
    {
        return m_hostNames;
    }

    /// \return the hosts' NICs, in the same order
    const std::vector<Ptr<RdmaNic>>& GetHosts() const
    {
        return m_hosts;
    }

    /// A port of a switch.
    struct Port
    {
        std::string name; //!< "t1>h4"
        Ptr<QbbSwitch> sw;
        uint32_t index;
    };

    /// \param option for messages \param from name of a switch \param to name of its neighbour
    /// \return its ports towards it, in the links' order; exits with status 2 if there are none
    std::vector<Port> GetPorts(const std::string& option, const std::string& from, const std::string& to) const;

    /// \param host name of a host \return name of the node on its first port
    const std::string& GetNeighbour(const std::string& host) const
    {
        return m_neighbours.at(host);
    }

    /// \return all switches, in the order of their first links
    const std::vector<Ptr<QbbSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /// \return all ports of all switches
    std::vector<Ptr<QbbNetDevice>> GetSwitchPorts() const;

  private:
    void SetNics(QbbHelper& helper) const;
    void SetRules(QbbHelper& helper) const;
    void AddPolicer(const std::string& item);
    void ScaleThresholds(RccAlgorithm& algorithm) const;
    Ptr<Node> GetNode(RccRun& run, const std::string& name);
    void AddPort(const std::string& from, const std::string& to);

    /// An item of --links.
    struct Links
    {
        std::vector<std::pair<std::string, std::string>> pairs;
        uint64_t parallel; //!< links of each pair
        int64_t rate;      //!< bit/s
        int64_t delay;     //!< ns
    };

    /**
     * Exits with status 2 if there is something wrong with it, or if a switch would have too many ports.
     *
     * \param item of --links
     * \param[in,out] ports of each switch, those of earlier items included
     * \return what it says
     */
    Links ReadLinks(const std::string& item, std::map<std::string, uint64_t>& ports) const;
    void AddLinks(RccRun& run, const Links& links);

    const RccOptions& m_options;
    std::map<std::string, Ptr<Node>> m_nodes;
    std::vector<Ptr<RdmaNic>> m_hosts;
    std::vector<std::string> m_hostNames;
    std::map<std::string, std::string> m_neighbours; //!< of a host, by name
    std::map<std::pair<std::string, std::string>, std::vector<Port>> m_ports;
    std::vector<Ptr<QbbSwitch>> m_switches;
    NodeContainer m_all;
};

} // namespace ns3

#endif /* RCC_TESTBED_H */
