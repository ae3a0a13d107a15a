/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-nic.h"

#include "rcc-options.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/rcc-text.h"

namespace ns3
{

namespace
{

/// Those of lab/nics.json that --nic offers.
const std::vector<RccNic>&
Nics()
{
    static const std::vector<RccNic> nics = {
#include "rcc-nic-table.inc"
    };
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
RccNic::SetDelays() const
{
    Config::SetDefault("ns3::RdmaNic::CnpPerDestination", BooleanValue(cnpPerDestination));
    Config::SetDefault("ns3::RdmaNic::NakGenerationDelay", TimeValue(NanoSeconds(nakGeneration)));
    Config::SetDefault("ns3::RdmaNic::NakReactionDelay", TimeValue(NanoSeconds(nakReaction)));
}

} // namespace ns3
