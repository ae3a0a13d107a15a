/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_LEAF_SPINE_H
#define QBB_LEAF_SPINE_H

#include "qbb-helper.h"

#include <vector>

namespace ns3
{

/// Numbers of switches and hosts of a leaf-spine network, and the rates of its links.
struct QbbLeafSpineShape
{
    uint32_t racks;        //!< racks, with one leaf switch each
    uint32_t hostsPerRack; //!< hosts of a rack
    uint32_t spines;       //!< spine switches
    uint64_t rate;         //!< rate of the hosts' links, bit/s
    uint64_t coreRate;     //!< rate of the links between leaf and spine, bit/s

    /// \return hosts in all
    uint32_t Hosts() const
    {
        return racks * hostsPerRack;
    }
};

/**
 * A CLOS of two levels: every rack has one leaf switch, connected to every spine
 * switch. Hosts are numbered rack by rack. Port order: a leaf has its hosts
 * first, then the spines; a spine has rack r on port r.
 */
struct QbbLeafSpine
{
    NodeContainer hosts;            //!< rack by rack
    NodeContainer leaves;           //!< leaf switches, by rack
    NodeContainer spines;           //!< spine switches
    std::vector<Ptr<RdmaNic>> nics; //!< by host
    uint32_t hostsPerRack;          //!< hosts on each leaf switch

    /**
     * Make the network with its routes. The caller adds congestion points and calls Start of each switch.
     * \param helper makes nodes and links; its data rate is not used
     * \param shape numbers and rates
     * \return the network
     */
    static QbbLeafSpine Create(const QbbHelper& helper, const QbbLeafSpineShape& shape);

    /// \return all switches: leaves, then spines
    std::vector<Ptr<QbbSwitch>> Switches() const;
};

} // namespace ns3

#endif /* QBB_LEAF_SPINE_H */
