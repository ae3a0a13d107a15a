/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_LEAF_SPINE_H
#define QBB_LEAF_SPINE_H

#include "ns3/rcc-options.h"
#include "qbb-helper.h"

#include <vector>

namespace ns3
{

/// What a leaf-spine network is made of.
struct QbbLeafSpineShape
{
    uint32_t racks, hostsPerRack, spines;
    uint64_t rate, coreRate; //!< of the hosts' links and of those between leaf and spine, bit/s

    /// Add --racks, --hosts-per-rack, --spines, --core-rate, --oversubscription.
    static void AddOptions(RccOptions& options);

    /// Read those and --rate; exits with status 2 if they contradict each other.
    static QbbLeafSpineShape FromOptions(const RccOptions& options);

    /// Exits with status 2 if one of its own options is given; --core-rate is left to the caller.
    static void Refuse(const RccOptions& options);

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
