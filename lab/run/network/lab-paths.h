/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PATHS_H
#define LAB_PATHS_H

#include "run-file.h"

#include "ns3/node-container.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * The nodes, ports and links of a network that is built, by their numbers, and the paths between its hosts. Numbers are
 * those of the nodes and links in the order in which they were made; GetNode(n)->GetId() may be another number.
 */
class LabPaths
{
  public:
    /// A port that frames leave through on their way.
    struct Hop
    {
        uint32_t node; //!< number of the node
        uint32_t port; //!< from 0
        uint64_t rate; //!< bit/s
        int64_t delay; //!< ns
    };

    /// Round trip time and bottleneck of two hosts as the HPCC simulator calculates them.
    struct Pair
    {
        uint64_t rtt{0};        //!< ns: twice the delays, and a payload's time on every link
        uint64_t bottleneck{0}; //!< bit/s; 0 = no way

        /// \return the bandwidth-delay product, bytes
        uint64_t Bdp() const;
        /// Ideal completion time: packets of 48 bytes more than their payload at the bottleneck's rate.
        /// \param bytes of the flow \param payload of a packet, bytes \return the time, ns
        uint64_t IdealFct(uint64_t bytes, uint32_t payload) const;
    };

    /// \param nodes all nodes \param links all links, as they were made \param payload of a full packet, bytes
    LabPaths(const NodeContainer& nodes, const std::vector<RunLink>& links, uint32_t payload);

    /// \return number of hosts and switches
    uint32_t GetNNodes() const
    {
        return m_nodes.GetN();
    }

    /// \param node its number \return the node
    Ptr<Node> GetNode(uint32_t node) const
    {
        return m_nodes.Get(node);
    }

    /// \param node its number \return the NIC of a host, null for a switch
    Ptr<RdmaNic> GetNic(uint32_t node) const
    {
        return m_nics[node];
    }

    /// \param node its number \return the switch, null for a host
    Ptr<QbbSwitch> GetSwitch(uint32_t node) const
    {
        return m_switches[node];
    }

    /// \param node its number \param port from 0, in the order of the links \return the port
    Ptr<QbbNetDevice> GetPort(uint32_t node, uint32_t port) const
    {
        return m_switches[node] ? m_switches[node]->GetPort(port) : m_nics[node]->GetPort(port);
    }

    /// \param node its number \return number of its ports
    uint32_t CountPorts(uint32_t node) const
    {
        return static_cast<uint32_t>(m_ports[node].size());
    }

    /// \param node its number \param port from 0 \return number of its link
    uint32_t GetLink(uint32_t node, uint32_t port) const
    {
        return static_cast<uint32_t>(m_ports[node][port].link);
    }

    /// \return all links
    const std::vector<RunLink>& GetLinks() const
    {
        return m_links;
    }

    /// \return payload of a full packet, bytes
    uint32_t GetPayload() const
    {
        return m_payload;
    }

    /// \param link its number \return its channel
    Ptr<QbbChannel> GetChannel(size_t link) const;

    /// \param node its number \param port from 0 \return "switch 4 interface 2 to host 1"
    std::string PortName(uint32_t node, uint32_t port) const;

    /**
     * The path of a flow's frames by the present routes.
     * \param src sending host
     * \param dst receiving host
     * \param hash of the queue pair; null: the first of equal paths
     * \return the ports on the way; empty if there is none
     */
    std::vector<Hop> GetPath(uint32_t src, uint32_t dst, const uint32_t* hash = nullptr) const;

    /// \param src a host \param dst another \return round trip time and bottleneck of the two
    Pair GetPair(uint32_t src, uint32_t dst) const;

    /// \return the largest bandwidth-delay product of all pairs of hosts, bytes
    uint64_t GetMaxBdp() const;

    /// Take down all links between two nodes for good, and route around them. \param a one node \param b the other
    /// \param upDown see QbbReroute
    void TakeLinkDown(uint32_t a, uint32_t b, bool upDown) const;

    /// \return frames that were lost on links
    uint64_t GetLostFrames() const;

  private:
    struct Port
    {
        uint32_t peer;
        size_t link;
    };

    NodeContainer m_nodes;
    std::vector<RunLink> m_links;
    uint32_t m_payload;
    std::vector<Ptr<RdmaNic>> m_nics;
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<std::vector<Port>> m_ports; //!< by node
};

/// \param port any \return whether its peer sends PAUSE frames, each of which is a change of all classes at once
bool LabHasLinkPauses(const QbbNetDevice& port);

/**
 * The load that flows put on the ports of a network, and with it the port that limits them. Flows are added in the
 * order of their starts: a queue pair's number decides between equal paths.
 */
class LabLoad
{
  public:
    /// \param paths outlive this \param seed of the network \param end of the run, ns
    LabLoad(const LabPaths& paths, uint64_t seed, int64_t end);

    /// \param flow next in the order of the starts \return the path that its frames will take; empty if there is none
    std::vector<LabPaths::Hop> Add(const RunArrival& flow);

    /// \return the switch port that takes longest to send the flows' bytes, of equal ones the first; the first flow's
    /// own port if there is no switch. There is a flow.
    LabPaths::Hop GetBusiestPort() const;

  private:
    const LabPaths& m_paths;
    uint64_t m_seed;
    int64_t m_end;
    std::vector<uint32_t> m_opened;          //!< queue pairs by host
    std::vector<std::vector<double>> m_load; //!< ns that a port needs, by node and port
    LabPaths::Hop m_first{0, 0, 0, 0};
    bool m_any{false};
};

} // namespace ns3

#endif /* LAB_PATHS_H */
