/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_FAT_TREE_H
#define QBB_FAT_TREE_H

#include "qbb-helper.h"

#include <vector>

namespace ns3
{

/**
 * A CLOS of three levels: the k-ary fat tree of Al-Fares et al. (SIGCOMM 2008),
 * with as many core switches as asked for.
 *
 * k pods of k/2 edge and k/2 aggregation switches; k/2 hosts per edge switch.
 * Aggregation switch j of every pod is connected to the core switches
 * j c .. j c + c - 1, where c = cores / (k/2): c = k/2 is the full fat tree.
 * Hosts are numbered pod by pod, edge switch by edge switch. Port order: an edge
 * switch has its hosts first, then the aggregation switches; a core switch has
 * pod p on port p.
 */
struct QbbFatTree
{
    NodeContainer hosts;            //!< pod by pod, edge switch by edge switch
    NodeContainer edges;            //!< edge switches, pod by pod
    NodeContainer aggregations;     //!< aggregation switches, pod by pod
    NodeContainer cores;            //!< core switches
    std::vector<Ptr<RdmaNic>> nics; //!< by host
    uint32_t k;                     //!< number of pods

    /**
     * Make the network with its routes. The caller adds congestion points and calls Start of each switch.
     * \param helper makes nodes and links
     * \param k number of pods, even, at least 2
     * \param cores number of core switches, a multiple of k/2
     * \param coreRate rate of the links between aggregation and core, bit/s; 0: the helper's
     * \return the network
     */
    static QbbFatTree Create(const QbbHelper& helper, uint32_t k, uint32_t cores, uint64_t coreRate = 0);

    /// \return all nodes: hosts, edge, aggregation and core switches
    NodeContainer GetNodes() const;

    /// \return all switches: edge, aggregation, core
    std::vector<Ptr<QbbSwitch>> Switches() const;

    /// \return hosts of a pod
    uint32_t HostsPerPod() const
    {
        return k * k / 4;
    }
};

} // namespace ns3

#endif /* QBB_FAT_TREE_H */
