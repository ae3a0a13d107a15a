/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_TOPOLOGY_FILE_H
#define QBB_TOPOLOGY_FILE_H

#include "qbb-helper.h"

#include "ns3/rdma-client.h"

#include <istream>

namespace ns3
{

/// The network of a topology.txt and the flows of a flow.txt of ns3-rdma, HPCC and their forks; see
/// examples/ns3-rdma.cc. Functions return an empty text, or what is wrong: "FILE:LINE: KEY: found ..., expected ...".
struct QbbTopologyFile
{
    /// A row of the topology.
    struct Link
    {
        uint32_t line; //!< line number in the file
        uint32_t a;    //!< node at one end
        uint32_t b;    //!< node at the other end
        uint64_t rate; //!< bit/s
        int64_t delay; //!< ns
        double loss;   //!< probability that a frame is lost
    };

    /// A row of the flows.
    struct Flow
    {
        uint32_t line; //!< line number in the file
        uint32_t src;  //!< node
        uint32_t dst;  //!< node
        uint8_t pg;    //!< traffic class
        bool packets;  //!< `size` counts full packets, not bytes; 0 of them: without end
        uint64_t size; //!< payload
        int64_t start; //!< ns
        int64_t stop;  //!< ns; 0: none
    };

    std::string topologyName;     //!< name of the file
    std::string flowsName;        //!< name of the file
    std::vector<bool> isSwitch;   //!< by node; an NVSwitch is a switch too
    std::vector<bool> isNvSwitch; //!< by node
    std::vector<Link> links;      //!< links in the order of the file
    std::vector<Flow> flows;      //!< flows in the order of the file
    NodeContainer nodes;          //!< nodes that Build made, as in the file

    /// Read both files. A topology is `nodes switches links`, `nodes switches tors links` or SimAI's `nodes
    /// GPUs-per-server NVSwitches switches links GPU-type`, then the switches, NVSwitches first, then a row `src dst
    /// rate delay [error rate]` for each link. Flows are `src dst pg bytes start`, `src dst pg dport bytes start`,
    /// whose dport has no effect, or ns3-rdma's `src dst pg packets start stop`, in s, below their number: the first
    /// row decides. What is not counted is not read. \param topology text \param topologyFile its name \param flow text
    /// \param flowFile its name \return see above
    RCC_NODISCARD std::string Read(std::istream& topology, const std::string& topologyFile, std::istream& flow,
                                   const std::string& flowFile);

    /// Make the network, start its switches and set the base RTT. Classes with flows are lossless and have a congestion
    /// point; the highest other one is the control class. NVSwitches are preferred.
    /// \param helper its attributes hold, but rates, delays and classes \param algorithm of the congestion points
    /// \param seed of losses and paths \return see above; the network is of no use if it is not empty
    RCC_NODISCARD std::string Build(QbbHelper helper, Ptr<RccAlgorithm> algorithm, uint64_t seed = 1);

    /// Install the flows, after Build. \param algorithm of the queue pairs \return their clients, in the same order
    std::vector<Ptr<RdmaClient>> Install(Ptr<RccAlgorithm> algorithm) const;
};

} // namespace ns3

#endif /* QBB_TOPOLOGY_FILE_H */
