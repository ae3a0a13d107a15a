/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_NETWORK_H
#define NS3_RDMA_NETWORK_H

#include "ns3-rdma-files.h"

#include "ns3/lab-paths.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-client.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * The network that a configuration and a topology of ns3-rdma or the HPCC
 * simulator describe: hosts, switches, links with a rate and delay of their own,
 * routes, buffers, marking, link errors and the failing link.
 *
 *     Ns3RdmaNetwork net(input.config, input.topology);
 *     const std::string error = net.Build(input.flows);   // empty, or what is wrong
 *     Ns3RdmaOutput output(net, input.traced);
 *     output.InstallFlows(input.flows);
 *     Simulator::Run();
 *
 * Nothing here prints or exits. Node ids are those of the files; GetNode(id)->GetId() may be another number.
 * lab/programs/ns3-rdma-own-main.cc is a whole program.
 */
class Ns3RdmaNetwork
{
  public:
    /// \param config what the keys set \param topology nodes and links; both outlive this
    /// \param seed of everything random
    Ns3RdmaNetwork(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint64_t seed = 1);

    /// \return the helper, to set attributes that no key sets; what keys set, Build sets
    QbbHelper& GetHelper()
    {
        return m_helper;
    }

    /**
     * Choose the congestion control of flows that name none, before Build.
     * \param algorithm as it is, but that Build sets the thresholds by link rate; without this call it is that of
     *        the configuration, with its parameters
     */
    void SetAlgorithm(Ptr<RccAlgorithm> algorithm)
    {
        m_algorithm = algorithm;
    }

    /// Choose routes, before Build. \param upDown those of QbbSetUpDownRoutes in place of all shortest paths
    void SetUpDownRouting(bool upDown)
    {
        m_upDown = upDown;
    }

    /// Choose that of flows that name it, before Build. \param algorithm without this call it has its first preset
    void AddAlgorithm(Ptr<RccAlgorithm> algorithm)
    {
        m_named[algorithm->GetCore()->name] = algorithm;
    }

    /**
     * Make everything. A class of a switch port has one congestion point for ECN-capable frames and one for CN-tagged
     * ones, of the run's algorithm if it has one of that kind, else of the first flow's in file order: dcqcn and
     * dcqcn-plus in one network share one RED marker, or their frames would be marked twice.
     * \param flows whose classes are lossless and whose algorithms mark; they are opened by Install or by the caller
     * \return empty, or what is wrong
     */
    std::string Build(const std::vector<Ns3RdmaFlow>& flows);

    /// What a flow's queue pair has besides its row.
    struct QueuePair
    {
        Ptr<RccAlgorithm> algorithm; //!< its own or the run's
        uint64_t window{0};          //!< bytes in flight at most; 0 = no limit
        bool variableWindow{false};  //!< the window shrinks with the rate
    };

    /// \param flow one of Build's \return what its queue pair has
    QueuePair GetQueuePair(const Ns3RdmaFlow& flow) const;

    /// \param flow one of Build's \return an application on its source's node that opens it at its start
    Ptr<RdmaClient> Install(const Ns3RdmaFlow& flow) const;

    /// \return nodes, ports, links and paths, after Build
    const LabPaths& GetPaths() const
    {
        return *m_paths;
    }

    /// \return number of hosts and switches
    uint32_t GetNNodes() const
    {
        return m_nodes.GetN();
    }

    /// \param id in the files \return the node
    Ptr<Node> GetNode(uint32_t id) const
    {
        return m_nodes.Get(id);
    }

    /// \param id in the files \return the NIC of a host, null for a switch
    Ptr<RdmaNic> GetNic(uint32_t id) const
    {
        return m_nics[id];
    }

    /// \param id in the files \return the switch, null for a host
    Ptr<QbbSwitch> GetSwitch(uint32_t id) const
    {
        return m_switches[id];
    }

    /// \param link in the topology's order, from 0 \return its channel
    Ptr<QbbChannel> GetChannel(size_t link) const
    {
        return m_paths->GetChannel(link);
    }

    /// \param id in the files \param interface from 1, in the order of the links \return the port
    Ptr<QbbNetDevice> GetPort(uint32_t id, uint32_t interface) const
    {
        return m_paths->GetPort(id, interface - 1);
    }

    /// \param id in the files \return number of its ports
    uint32_t GetNInterfaces(uint32_t id) const
    {
        return m_paths->CountPorts(id);
    }

    /// \return that of the constructor
    const Ns3RdmaTopology& GetTopology() const
    {
        return m_topology;
    }

    /// \return that of the constructor
    const Ns3RdmaConfig& GetConfig() const
    {
        return m_config;
    }

    /// \param config of the network \param topology of it \param id of a switch whose buffer is too small
    /// \param classes of the flows, one bit each
    /// \return the end of a refusal: how the headroom is calculated, and a --buffer that holds it
    static std::string BufferHint(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint32_t id,
                                  uint8_t classes);

    using Hop = LabPaths::Hop;   //!< a port on a way
    using Pair = LabPaths::Pair; //!< two hosts

    /// \param src a host \param dst another \param hash of the queue pair; null: the first of equal paths \return the
    /// ports on the way; empty if there is none
    std::vector<Hop> GetPath(uint32_t src, uint32_t dst, const uint32_t* hash = nullptr) const
    {
        return m_paths->GetPath(src, dst, hash);
    }

    /// \param src a host \param dst another \return round trip time and bottleneck of the two
    Pair GetPair(uint32_t src, uint32_t dst) const
    {
        return m_paths->GetPair(src, dst);
    }

    /// \return the largest bandwidth-delay product of all pairs of hosts, bytes
    uint64_t GetMaxBdp() const
    {
        return m_paths->GetMaxBdp();
    }

    /// Take down all links between two nodes for good, and route around them. \param a one node \param b the other
    void TakeLinkDown(uint32_t a, uint32_t b)
    {
        m_paths->TakeLinkDown(a, b, m_upDown);
    }

    /// \return frames that were lost on links
    uint64_t GetLostFrames() const
    {
        return m_paths->GetLostFrames();
    }

  private:
    struct Port
    {
        uint32_t peer;
        size_t link;
    };

    void CheckLinks() const;
    void CheckFlows(const std::vector<Ns3RdmaFlow>& flows) const;
    void FindAlgorithms(const std::vector<Ns3RdmaFlow>& flows);
    void SetThresholds(Ptr<RccAlgorithm> algorithm) const;
    void SetAttributes(uint8_t classes);
    void SetBuffer(uint8_t classes);
    void Connect();
    void ChooseMarkers(const std::vector<Ns3RdmaFlow>& flows);

    Ptr<RccAlgorithm> AlgorithmOf(const Ns3RdmaFlow& flow) const
    {
        return flow.cc.empty() ? m_algorithm : m_named.at(flow.cc);
    }

    const Ns3RdmaConfig& m_config;
    const Ns3RdmaTopology& m_topology;
    uint64_t m_seed;
    QbbHelper m_helper;
    Ptr<RccAlgorithm> m_algorithm;
    std::map<std::string, Ptr<RccAlgorithm>> m_named;
    NodeContainer m_nodes;
    uint32_t m_maxFrame{0};
    bool m_upDown{false};
    uint64_t m_maxBdp{0}; //!< if windows need it
    std::unique_ptr<LabPaths> m_paths;
    std::vector<Ptr<RdmaNic>> m_nics;
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<std::vector<Port>> m_ports;                     //!< by node
    std::vector<std::pair<uint8_t, Ptr<RccAlgorithm>>> m_marks; //!< class and algorithm of every congestion point
};

} // namespace ns3

#endif /* NS3_RDMA_NETWORK_H */
