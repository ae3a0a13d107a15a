/* SPDX-License-Identifier: GPL-2.0-only */
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
 * \return empty, or which pair cannot reach each other
 */
std::string QbbSetRoutes(const NodeContainer& nodes);

} // namespace ns3

#endif /* QBB_ROUTING_H */
