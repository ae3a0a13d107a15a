/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_INTERNET_H
#define QBB_INTERNET_H

#include "qbb-helper.h"

#include "ns3/ipv4-interface-container.h"

#include <string>

namespace ns3
{

/**
 * Install ns-3's internet stack on hosts that have an RdmaNic: InternetStackHelper on those without a stack, and an
 * address of one subnet for port 0 of each, in their order. The hosts are on one Ethernet: whatever switches connect
 * them, no router is needed between them. InternetStackHelper and Ipv4AddressHelper, called by hand, do the same.
 *
 * Aborts if a host has no RdmaNic or the subnet has no space for the hosts.
 *
 * \param hosts nodes of one connected network, e.g. QbbStar::hosts
 * \param network address of the subnet
 * \param mask mask of the subnet
 * \return the interfaces, by host
 */
Ipv4InterfaceContainer QbbInstallInternet(const NodeContainer& hosts, const std::string& network = "10.0.0.0",
                                          const std::string& mask = "255.255.0.0");

/**
 * Let Ipv4GlobalRoutingHelper find routers behind switches, for networks with routers among the hosts. Each switch's
 * node gets a BridgeNetDevice over its ports; ns-3's global routing looks there for the other routers of a subnet. The
 * bridge never carries a frame.
 *
 * \param switches nodes with a QbbSwitch, all connected
 */
void QbbBridgeForGlobalRouting(const NodeContainer& switches);

} // namespace ns3

#endif /* QBB_INTERNET_H */
