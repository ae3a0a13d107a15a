/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-leaf-spine.h"

namespace ns3
{

void
RccLeafSpine::AddOptions(RccOptions& o)
{
    o.Add("racks", RCC_UNIT_COUNT, "4", 2, 256, "leaf-spine: racks, each with one leaf switch");
    o.Add("hosts-per-rack", RCC_UNIT_COUNT, "16", 1, 256, "leaf-spine: hosts of a rack");
    o.Add("spines", RCC_UNIT_COUNT, "4", 1, 256, "leaf-spine: spine switches, each connected to every leaf");
    o.Add("core-rate", RCC_UNIT_BPS, "", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX,
          "rate of the links between leaf and spine, or aggregation and core", "as --rate");
    o.Add("oversubscription", RCC_UNIT_RATIO, "", RCC_RATIO_ONE / 100, 1000 * RCC_RATIO_ONE,
          "leaf-spine: a rack's rate of hosts over its leaf's rate to the spines, in place of --core-rate",
          "of the rates");
}

QbbLeafSpineShape
RccLeafSpine::GetShape(const RccOptions& o)
{
    QbbLeafSpineShape s;
    s.racks = o.Get<uint32_t>("racks");
    s.hostsPerRack = o.Get<uint32_t>("hosts-per-rack");
    s.spines = o.Get<uint32_t>("spines");
    s.rate = o.Get<uint64_t>("rate");
    s.coreRate = o.IsSet("core-rate") ? o.Get<uint64_t>("core-rate") : s.rate;
    if (!o.IsSet("oversubscription"))
    {
        return s;
    }
    if (o.IsSet("core-rate"))
    {
        RccOptions::Fail("--core-rate is '" + o.GetText("core-rate") + "' and --oversubscription '" +
                         o.GetText("oversubscription") + "', expected one of them: each follows from the other");
    }
    // below 256 x 4 Tb/s x 100 / 1; the ratio has six digits that count
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
RccLeafSpine::FailIfGiven(const RccOptions& o)
{
    for (const char* name : {"racks", "hosts-per-rack", "spines", "oversubscription"})
    {
        o.FailValueIf(o.IsChanged(name), name, "only with --topology=leaf-spine");
    }
}

} // namespace ns3
