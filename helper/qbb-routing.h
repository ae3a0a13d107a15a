/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_ROUTING_H
#define QBB_ROUTING_H

#include "ns3/node-container.h"
#include "ns3/qbb-switch.h"
#include "ns3/rcc-compiler.h"

#include <string>
#include <vector>

namespace ns3
{

/// An error of QbbSetRoutes: the nodes without a route.
struct QbbRouteError
{
    static const uint32_t NONE = UINT32_MAX; //!< `from`: no node
    uint32_t node{NONE};                     //!< id of the node that is not reached; NONE: every node is
    uint32_t from{NONE};                     //!< id of a node that does not reach it; NONE: it has no link at all
};

/**
 * Set shortest-path routes through QbbSwitches, with every port of equal distance
 * (ECMP). Hosts do not forward; a host may be connected to several switches and
 * hosts, and sends through those of its ports that are nearest to the receiver.
 * Where a preferred switch (QbbSwitch::SetPreferred) is among several next hops at
 * the same distance, only such switches are used: so SimAI routes over the NVSwitch
 * inside a server. Ports keep their order, so the same topology gives the same paths.
 *
 * \param nodes hosts (with an RdmaNic), each of which reaches every other one, and switches (with a QbbSwitch), each of
 *        which reaches a host
 * \param partial whether the network may be cut: existing routes are removed first, links that are down are not used,
 *        and nodes that cannot be reached get no route
 * \param[out] error gets the nodes that an error is about; may be null
 * \return empty, or an error that names a pair without a path between them or, unless `partial`, a node of neither
 *         kind
 */
RCC_NODISCARD std::string QbbSetRoutes(const NodeContainer& nodes, bool partial = false,
                                       QbbRouteError* error = nullptr);

/**
 * Set the routes of a network that may be cut, and move queue pairs of hosts with several ports to those that are left.
 * \param nodes hosts and switches
 * \param upDown whether the routes are those of QbbSetUpDownRoutes; false: all shortest paths
 */
void QbbReroute(const NodeContainer& nodes, bool upDown);

/// \param nodes any \return the switches among them, in their order
std::vector<Ptr<QbbSwitch>> QbbGetSwitches(const NodeContainer& nodes);

/// \param nodes any \return the QbbNetDevices of all of them, in the order of nodes and devices
std::vector<Ptr<QbbNetDevice>> QbbGetPorts(const NodeContainer& nodes);

/// \param port of a node \return the node at the other end of its link; null without a link, or if it is down
Ptr<Node> QbbGetNeighbour(const QbbNetDevice& port);

/**
 * Set routes without cyclic buffer dependencies through QbbSwitches, whatever the topology (up*\/down* routing of
 * Autonet, IEEE JSAC 9(8), 1991). The switches of each connected part are ordered by their distance from its first
 * switch, then by their order in the container; a path goes up in this order first and then only down. A switch sends
 * down if it can and up if it must, over the shortest way of its kind, with every port of equal distance (ECMP). Paths
 * may be longer than shortest paths and use fewer links. A host with several ports sends through those from which the
 * path is the shortest. Preferred switches are as in QbbSetRoutes.
 *
 * Existing routes are removed first; links that are down are not used, and nodes that cannot be reached get no route.
 *
 * \param nodes hosts (with an RdmaNic) and switches (with a QbbSwitch)
 */
void QbbSetUpDownRoutes(const NodeContainer& nodes);

} // namespace ns3

#endif /* QBB_ROUTING_H */
