/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-routing.h"

#include "ns3/node.h"

namespace ns3
{

std::vector<Ptr<QbbSwitch>>
QbbGetSwitches(const NodeContainer& nodes)
{
    std::vector<Ptr<QbbSwitch>> switches;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<QbbSwitch> sw = (*i)->GetObject<QbbSwitch>();
        if (sw)
        {
            switches.push_back(sw);
        }
    }
    return switches;
}

std::vector<Ptr<QbbNetDevice>>
QbbGetPorts(const NodeContainer& nodes)
{
    std::vector<Ptr<QbbNetDevice>> ports;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        for (uint32_t d = 0; d < (*i)->GetNDevices(); d++)
        {
            if (auto port = DynamicCast<QbbNetDevice>((*i)->GetDevice(d)))
            {
                ports.push_back(port);
            }
        }
    }
    return ports;
}

Ptr<Node>
QbbGetNeighbour(const QbbNetDevice& port)
{
    auto channel = DynamicCast<QbbChannel>(port.GetChannel());
    Ptr<QbbNetDevice> peer = channel && !channel->IsDown() ? channel->GetPeer(&port) : nullptr;
    return peer ? peer->GetNode() : nullptr;
}

} // namespace ns3
