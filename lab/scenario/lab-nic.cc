/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-nic.h"

#include "lab-options.h"

#include "ns3/lab-text.h"

namespace ns3
{

namespace
{

/// Those of lab/nics.json that --nic offers.
const std::vector<LabNic>&
Nics()
{
    static const std::vector<LabNic> nics = {
#include "lab-nic-table.inc"
    };
    return nics;
}

} // namespace

const LabNic&
LabNic::Find(const std::string& name)
{
    for (const auto& nic : Nics())
    {
        if (nic.name == name)
        {
            return nic;
        }
    }
    LabOptions::Fail("--nic is '" + name + "', expected one of " + RccJoin(GetNames(), ", "));
}

std::vector<std::string>
LabNic::GetNames()
{
    std::vector<std::string> names;
    for (const auto& nic : Nics())
    {
        names.emplace_back(nic.name);
    }
    return names;
}

} // namespace ns3
