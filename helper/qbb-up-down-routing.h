/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_UP_DOWN_ROUTING_H
#define QBB_UP_DOWN_ROUTING_H

#include "ns3/node-container.h"

namespace ns3
{

/**
 * Set routes without cyclic buffer dependencies through QbbSwitches, whatever the topology (up*\/down* routing of
 * Autonet, IEEE JSAC 9(8), 1991). The switches of each connected part are ordered by their distance from its first
 * switch, then by their order in the container; a path goes up in this order first and then only down. A switch sends
 * down if it can and up if it must, over the shortest way of its kind, with every port of equal distance (ECMP). Paths
 * may be longer than shortest paths and use fewer links. A host with several ports sends through those from which the
 * path is the shortest.
 *
 * Existing routes are removed first; links that are down are not used, and nodes that cannot be reached get no route.
 *
 * \param nodes hosts (with an RdmaNic) and switches (with a QbbSwitch)
 */
void QbbSetUpDownRoutes(const NodeContainer& nodes);

} // namespace ns3

#endif /* QBB_UP_DOWN_ROUTING_H */
