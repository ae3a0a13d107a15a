/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-fat-tree.h"

#include "qbb-routing.h"

#include "ns3/abort.h"
#include "ns3/node.h"

namespace ns3
{

QbbFatTree
QbbFatTree::Create(const QbbHelper& given, uint32_t k, uint32_t cores, uint64_t coreRate)
{
    NS_ABORT_MSG_IF(k < 2 || k % 2 != 0, "QbbFatTree: k is " << k << ", expected an even number of at least 2");
    const uint32_t half = k / 2;
    QbbHelper helper = given;
    helper.MakeCopies();
    NS_ABORT_MSG_IF(cores == 0 || cores % half != 0,
                    "QbbFatTree: " << cores << " core switches, expected a multiple of k/2 = " << half);
    QbbFatTree t;
    t.k = k;
    t.hosts.Create(k * half * half);
    t.edges.Create(k * half);
    t.aggregations.Create(k * half);
    t.cores.Create(cores);
    for (uint32_t i = 0; i < t.hosts.GetN(); i++)
    {
        t.nics.push_back(helper.InstallHost(t.hosts.Get(i)));
    }
    for (const NodeContainer* level : {&t.edges, &t.aggregations, &t.cores})
    {
        for (uint32_t i = 0; i < level->GetN(); i++)
        {
            helper.InstallSwitch(level->Get(i));
        }
    }
    for (uint32_t i = 0; i < t.hosts.GetN(); i++)
    {
        helper.Connect(t.edges.Get(i / half), t.hosts.Get(i));
    }
    QbbHelper core = helper;
    if (coreRate)
    {
        core.SetDeviceAttribute("DataRate", DataRateValue(DataRate(coreRate)));
    }
    for (uint32_t pod = 0; pod < k; pod++)
    {
        for (uint32_t e = 0; e < half; e++)
        {
            for (uint32_t a = 0; a < half; a++)
            {
                helper.Connect(t.edges.Get(pod * half + e), t.aggregations.Get(pod * half + a));
            }
        }
        for (uint32_t a = 0; a < half; a++)
        {
            for (uint32_t c = 0; c < cores / half; c++)
            {
                core.Connect(t.aggregations.Get(pod * half + a), t.cores.Get(a * (cores / half) + c));
            }
        }
    }
    const std::string why = QbbSetRoutes(t.GetNodes());
    NS_ABORT_MSG_IF(!why.empty(), "QbbFatTree: " << why);
    return t;
}

NodeContainer
QbbFatTree::GetNodes() const
{
    NodeContainer all;
    all.Add(hosts);
    all.Add(edges);
    all.Add(aggregations);
    all.Add(cores);
    return all;
}

std::vector<Ptr<QbbSwitch>>
QbbFatTree::Switches() const
{
    return QbbGetSwitches(GetNodes());
}

} // namespace ns3
