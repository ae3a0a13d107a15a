/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-routing.h"

#include "ns3/node.h"
#include "ns3/rdma-nic.h"

#include <map>
#include <set>

namespace ns3
{

void
QbbPreferSwitches(const NodeContainer& nodes, const std::vector<bool>& preferred)
{
    std::set<Ptr<Node>> inside;
    for (uint32_t i = 0; i < preferred.size(); i++)
    {
        inside.insert(preferred[i] ? nodes.Get(i) : nullptr);
    }
    inside.erase(nullptr);
    for (auto node = nodes.Begin(); node != nodes.End() && !inside.empty(); ++node)
    {
        const Ptr<RdmaNic> nic = (*node)->GetObject<RdmaNic>();
        std::map<uint32_t, std::vector<uint32_t>> ports; // by node id of the other host
        std::set<uint32_t> linked;
        for (uint32_t p = 0; nic && p < nic->GetNPorts(); p++)
        {
            const Ptr<Node> peer = QbbGetNeighbour(*nic->GetPort(p));
            const Ptr<QbbSwitch> sw = inside.count(peer) ? peer->GetObject<QbbSwitch>() : nullptr;
            for (uint32_t out = 0; sw && out < sw->GetNPorts(); out++)
            {
                const Ptr<Node> host = QbbGetNeighbour(*sw->GetPort(out));
                std::vector<uint32_t>* to = host && host->GetObject<RdmaNic>() ? &ports[host->GetId()] : nullptr;
                if (to && (to->empty() || to->back() != p))
                {
                    to->push_back(p);
                }
            }
            linked.insert(peer ? peer->GetId() : (*node)->GetId());
        }
        for (const auto& to : ports)
        {
            if (to.first != (*node)->GetId() && !linked.count(to.first))
            {
                nic->SetRoute(to.first, to.second);
            }
        }
    }
}

} // namespace ns3
