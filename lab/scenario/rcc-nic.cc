/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-nic.h"

#include "rcc-options.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/rcc-text.h"

namespace ns3
{

namespace
{

/// DCQCN: mlxconfig's defaults, for NICs of which nobody says it. Delays of NAKs: Lumina (SIGCOMM'23), figures 8a and
/// 9a.
const std::vector<RccNic>&
Nics()
{
    static const std::vector<RccNic> nics = {
        {"nic-default", "nic-default", {}, 0, 0, false},
        {"cx3-pro", "paper", {}, 0, 0, false},
        {"cx4-lx", "nic-default", {}, 1200, 165000, true},
        {"cx5", "nic-default", {}, 1200, 2900, false},
        {"cx6-dx", "nic-default", {}, 1500, 4200, false},
        {"e810", "nic-default", {{"cnp_generation", "0s"}, {"cnp_interval", "50us"}}, 3800, 11000, false},
        {"thor-stand-in", "nic-default", {}, 0, 0, false}};
    return nics;
}

} // namespace

const RccNic&
RccNic::Find(const std::string& name)
{
    for (const auto& nic : Nics())
    {
        if (nic.name == name)
        {
            return nic;
        }
    }
    RccOptions::Fail("--nic is '" + name + "', expected one of " + RccJoin(GetNames(), ", "));
}

std::vector<std::string>
RccNic::GetNames()
{
    std::vector<std::string> names;
    for (const auto& nic : Nics())
    {
        names.emplace_back(nic.name);
    }
    return names;
}

void
RccNic::SetDelays(QbbHelper& helper) const
{
    helper.SetNicAttribute("CnpPerDestination", BooleanValue(cnpPerDestination));
    helper.SetNicAttribute("NakGenerationDelay", TimeValue(NanoSeconds(nakGeneration)));
    helper.SetNicAttribute("NakReactionDelay", TimeValue(NanoSeconds(nakReaction)));
}

} // namespace ns3
