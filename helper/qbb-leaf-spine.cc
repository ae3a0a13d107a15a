/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-leaf-spine.h"

#include "qbb-routing.h"

#include "ns3/abort.h"
#include "ns3/node.h"

namespace ns3
{

QbbLeafSpine
QbbLeafSpine::Create(const QbbHelper& helper, const QbbLeafSpineShape& shape)
{
    QbbHelper edge = helper;
    edge.MakeCopies();
    QbbHelper core = edge;
    edge.SetDeviceAttribute("DataRate", DataRateValue(DataRate(shape.rate)));
    core.SetDeviceAttribute("DataRate", DataRateValue(DataRate(shape.coreRate)));
    QbbLeafSpine t;
    t.hostsPerRack = shape.hostsPerRack;
    t.hosts.Create(shape.Hosts());
    t.leaves.Create(shape.racks);
    t.spines.Create(shape.spines);
    for (const NodeContainer* level : {&t.leaves, &t.spines})
    {
        for (uint32_t i = 0; i < level->GetN(); i++)
        {
            helper.InstallSwitch(level->Get(i));
        }
    }
    for (uint32_t i = 0; i < t.hosts.GetN(); i++)
    {
        t.nics.push_back(edge.InstallHost(t.hosts.Get(i)));
        edge.Connect(t.leaves.Get(i / t.hostsPerRack), t.hosts.Get(i));
    }
    for (uint32_t rack = 0; rack < shape.racks; rack++)
    {
        for (uint32_t s = 0; s < shape.spines; s++)
        {
            core.Connect(t.leaves.Get(rack), t.spines.Get(s));
        }
    }
    NodeContainer all(t.hosts, t.leaves, t.spines);
    const std::string why = QbbSetRoutes(all);
    NS_ABORT_MSG_IF(!why.empty(), "QbbLeafSpine: " << why);
    return t;
}

std::vector<Ptr<QbbSwitch>>
QbbLeafSpine::Switches() const
{
    return QbbGetSwitches(NodeContainer(leaves, spines));
}

} // namespace ns3
