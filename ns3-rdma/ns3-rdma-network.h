/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_NETWORK_H
#define NS3_RDMA_NETWORK_H

#include "ns3-rdma-files.h"
#include "ns3/qbb-helper.h"
#include "rcc-run.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class Ns3RdmaOutput;

/**
 * The network that a configuration and a topology of ns3-rdma or the HPCC
 * simulator describe: hosts, switches, links with a rate and delay of their own,
 * routes, buffers, marking, link errors and the failing link.
 *
 *     Ns3RdmaNetwork net(config, topology);
 *     net.SetAlgorithm(RccAlgorithm::Create("dcqcn", "hpcc"));
 *     std::string why = net.Build(flows);         // empty, or what is wrong
 *     for (const auto& f : flows) { net.Install(f); }
 *     Simulator::Run();
 *
 * With an RccRun, AddTo opens every flow when it starts and gives it back when it ends.
 * Node ids here are those of the files; GetNode(id)->GetId() may be another number.
 */
class Ns3RdmaNetwork
{
  public:
    /// Both outlive this. \param seed of everything random
    Ns3RdmaNetwork(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint64_t seed = 1);

    /// To set attributes that no key sets; what keys set, Build sets.
    QbbHelper& GetHelper()
    {
        return m_helper;
    }

    /// Congestion control of flows that name none. Before Build, which puts in the thresholds by link rate.
    void SetAlgorithm(Ptr<RccAlgorithm> algorithm);

    /// Congestion control of flows that name it; otherwise its first preset. Before Build.
    void AddAlgorithm(Ptr<RccAlgorithm> algorithm);

    /**
     * Make everything. A class of a switch port has one congestion point for ECN-capable frames and one for CN-tagged
     * ones, of the run's algorithm if it has one of that kind, else of the first flow's in file order: dcqcn and
     * dcqcn-plus in one network share one RED marker, or their frames would be marked twice.
     * \param flows tell the classes, which are lossless, and the algorithms
     * \return empty, or what is wrong
     */
    std::string Build(const std::vector<Ns3RdmaFlow>& flows);

    /**
     * Give a run its flows, switches and watched port: the switch port that the flows' bytes would take longest to
     * pass; of equal ones the first.
     * \param output is told of the flows; may be null
     */
    void AddTo(RccRun& run, const std::vector<Ns3RdmaFlow>& flows, Ns3RdmaOutput* output);

    /// An application that opens a flow at its start, on its source's node.
    Ptr<RdmaClient> Install(const Ns3RdmaFlow& flow);

    /// Algorithm, class, window and stop time of a flow.
    RccFlowOptions OptionsOf(const Ns3RdmaFlow& flow) const;

    uint32_t GetNNodes() const
    {
        return m_nodes.GetN();
    }

    Ptr<Node> GetNode(uint32_t id) const
    {
        return m_nodes.Get(id);
    }

    /// Null for a switch.
    Ptr<RdmaNic> GetNic(uint32_t id) const
    {
        return m_nics[id];
    }

    /// Null for a host.
    Ptr<QbbSwitch> GetSwitch(uint32_t id) const
    {
        return m_switches[id];
    }

    /// Of the topology's n-th link, from 0.
    Ptr<QbbChannel> GetChannel(size_t link) const
    {
        return m_channels[link];
    }

    /// A port by its interface index, from 1 in the order of the links.
    Ptr<QbbNetDevice> GetPort(uint32_t id, uint32_t interface) const;

    uint32_t GetNInterfaces(uint32_t id) const
    {
        return static_cast<uint32_t>(m_ports[id].size());
    }

    /// The file's id of a node.
    uint32_t IdOf(const Node& node) const
    {
        return node.GetId() - m_base;
    }

    const Ns3RdmaTopology& GetTopology() const
    {
        return m_topology;
    }

    const Ns3RdmaConfig& GetConfig() const
    {
        return m_config;
    }

    /// A port that frames leave through on their way.
    struct Hop
    {
        uint32_t node, port; //!< port from 0
        uint64_t rate;       //!< bit/s
        int64_t delay;       //!< ns
    };

    /// Way of a flow's frames by the routes of now; empty: there is none. \param hash null: the first of equal ways
    std::vector<Hop> GetPath(uint32_t src, uint32_t dst, const uint32_t* hash = nullptr) const;

    /// What the HPCC simulator says of a pair of hosts.
    struct Pair
    {
        uint64_t rtt{0};        //!< ns: twice the delays, and a payload's time on every link
        uint64_t bottleneck{0}; //!< bit/s; 0 = no way

        /// Bytes.
        uint64_t Bdp() const;
        /// Its ideal completion time: packets of 48 bytes more than their payload at the bottleneck's rate, ns.
        uint64_t IdealFct(uint64_t bytes, uint32_t payload) const;
    };

    Pair GetPair(uint32_t src, uint32_t dst) const;

    /// The largest of all pairs of hosts.
    uint64_t GetMaxBdp() const;

    /// Take down all links between two nodes for good, and route around them.
    void TakeLinkDown(uint32_t a, uint32_t b);

    /// Frames that were lost on links.
    uint64_t GetLostFrames() const;

  private:
    struct Port
    {
        uint32_t peer;
        size_t link;
    };

    std::string CheckFlows(const std::vector<Ns3RdmaFlow>& flows) const;
    std::string FindAlgorithms(const std::vector<Ns3RdmaFlow>& flows);
    std::string SetThresholds(Ptr<RccAlgorithm> algorithm) const;
    void SetAttributes(uint8_t classes);
    void SetBuffer(uint8_t classes);
    void Connect();
    void ChooseMarkers(const std::vector<Ns3RdmaFlow>& flows);
    Ptr<RccAlgorithm> AlgorithmOf(const Ns3RdmaFlow& flow) const;
    std::string PortName(uint32_t node, uint32_t port) const;

    const Ns3RdmaConfig& m_config;
    const Ns3RdmaTopology& m_topology;
    uint64_t m_seed;
    QbbHelper m_helper;
    Ptr<RccAlgorithm> m_algorithm;
    std::map<std::string, Ptr<RccAlgorithm>> m_named;
    NodeContainer m_nodes;
    uint32_t m_base{0}; //!< ns-3's id of node 0
    uint32_t m_maxFrame{0};
    uint64_t m_maxBdp{0}; //!< if windows need it
    std::vector<Ptr<RdmaNic>> m_nics;
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<Ptr<QbbChannel>> m_channels;
    std::vector<std::vector<Port>> m_ports;                     //!< by node
    std::vector<std::pair<uint8_t, Ptr<RccAlgorithm>>> m_marks; //!< class and algorithm of every congestion point
};

} // namespace ns3

#endif /* NS3_RDMA_NETWORK_H */
