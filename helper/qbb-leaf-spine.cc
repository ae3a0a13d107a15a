/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-leaf-spine.h"

#include "qbb-routing.h"

#include "ns3/abort.h"
#include "ns3/node.h"

namespace ns3
{

void
QbbLeafSpineShape::AddOptions(RccOptions& o)
{
    o.Add("racks", RCC_UNIT_COUNT, "4", 2, 256, "leaf-spine: racks, each with one leaf switch");
    o.Add("hosts-per-rack", RCC_UNIT_COUNT, "16", 1, 256, "leaf-spine: hosts of a rack");
    o.Add("spines", RCC_UNIT_COUNT, "4", 1, 256, "leaf-spine: spine switches, each connected to every leaf");
    o.Add("core-rate", RCC_UNIT_BPS, "", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX,
          "rate of the links between leaf and spine, or aggregation and core; as --rate if not given");
    o.Add("oversubscription", RCC_UNIT_RATIO, "", RCC_RATIO_ONE / 100, 1000 * RCC_RATIO_ONE,
          "leaf-spine: hosts' rate of a rack / its leaf's rate to the spines, in place of --core-rate");
}

QbbLeafSpineShape
QbbLeafSpineShape::FromOptions(const RccOptions& o)
{
    QbbLeafSpineShape s;
    s.racks = static_cast<uint32_t>(o.Get("racks"));
    s.hostsPerRack = static_cast<uint32_t>(o.Get("hosts-per-rack"));
    s.spines = static_cast<uint32_t>(o.Get("spines"));
    s.rate = static_cast<uint64_t>(o.Get("rate"));
    s.coreRate = o.IsSet("core-rate") ? static_cast<uint64_t>(o.Get("core-rate")) : s.rate;
    if (!o.IsSet("oversubscription"))
    {
        return s;
    }
    if (o.IsSet("core-rate"))
    {
        RccOptions::Fail("--core-rate is '" + o.GetText("core-rate") + "' and --oversubscription '" +
                         o.GetText("oversubscription") + "', expected one of them: each follows from the other");
    }
    // below 256 x 1.6 Tb/s x 100 / 1; the ratio has six digits that count
    s.coreRate = s.hostsPerRack * s.rate / s.spines * 1000 /
                 static_cast<uint64_t>(o.Get("oversubscription") / (RCC_RATIO_ONE / 1000));
    if (s.coreRate < RCC_LINE_RATE_MIN || s.coreRate > RCC_LINE_RATE_MAX)
    {
        RccOptions::Fail("--oversubscription is '" + o.GetText("oversubscription") + "', which makes a core rate of " +
                         std::to_string(s.coreRate) + " bit/s, expected " + RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MIN) +
                         " to " + RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MAX));
    }
    return s;
}

void
QbbLeafSpineShape::Refuse(const RccOptions& o)
{
    for (const char* name : {"racks", "hosts-per-rack", "spines", "oversubscription"})
    {
        if (o.IsChanged(name))
        {
            RccOptions::Fail(std::string("--") + name + " is '" + o.GetText(name) +
                             "', expected only with --topology=leaf-spine");
        }
    }
}

QbbLeafSpine
QbbLeafSpine::Create(const QbbHelper& helper, const QbbLeafSpineShape& shape)
{
    QbbHelper edge = helper;
    QbbHelper core = helper;
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
        t.nics.push_back(helper.InstallHost(t.hosts.Get(i)));
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
    std::vector<Ptr<QbbSwitch>> switches;
    for (const NodeContainer* level : {&leaves, &spines})
    {
        for (uint32_t i = 0; i < level->GetN(); i++)
        {
            switches.push_back(level->Get(i)->GetObject<QbbSwitch>());
        }
    }
    return switches;
}

} // namespace ns3
