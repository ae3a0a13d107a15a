/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-fault.h"

namespace ns3
{

const uint32_t LabFault::ALL;
const uint32_t LabFault::ALL_BUT_PFC;
const uint32_t LabFault::PACKETS;

const char*
LabFault::NameOf(LabFaultKind kind)
{
    static const char* const NAMES[] = {"link-down", "rate",         "lose",    "corrupt", "delay", "duplicate",
                                        "pause",     "stop-reading", "restart", "slow-np", "forge"};
    return NAMES[static_cast<size_t>(kind)];
}

std::string
LabFault::GetPlace() const
{
    const std::string name = node == ALL ? "all" : std::to_string(node);
    if (kind < LabFaultKind::PAUSE)
    {
        return "link=" + name + (node == ALL ? "" : (oneWay ? ">" : "-") + std::to_string(peer));
    }
    return (kind == LabFaultKind::RESTART ? "switch=" : "host=") + name;
}

} // namespace ns3
