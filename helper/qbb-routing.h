/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_ROUTING_H
#define QBB_ROUTING_H

#include "ns3/node-container.h"

#include <string>

namespace ns3
{

/**
 * Shortest-path routes through QbbSwitches, with every port of equal distance
 * (ECMP). Hosts do not forward; a host may be connected to several switches.
 * Ports keep their order, so the same topology gives the same paths.
 *
 * \param nodes hosts (with an RdmaNic) and switches (with a QbbSwitch), all connected
 * \param partial routes of before are forgotten, links that are down lead nowhere, and what cannot be reached has no
 *        route; hosts with several ports send through those that are nearest to the receiver
 * \return empty, or which pair cannot reach each other
 */
std::string QbbSetRoutes(const NodeContainer& nodes, bool partial = false);

} // namespace ns3

#endif /* QBB_ROUTING_H */
