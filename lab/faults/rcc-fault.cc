/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-fault.h"

namespace ns3
{

const uint32_t RccFault::ALL;
const uint32_t RccFault::ALL_BUT_PFC;
const uint32_t RccFault::PACKETS;

const char*
RccFault::NameOf(RccFaultKind kind)
{
    static const char* const NAMES[] = {"link-down", "rate",         "lose",    "corrupt", "delay", "duplicate",
                                        "pause",     "stop-reading", "restart", "slow-np", "forge"};
    return NAMES[static_cast<size_t>(kind)];
}

std::string
RccFault::GetPossible() const
{
    return "at most " + std::to_string(burst) + "/" + std::to_string(uint64_t{burst} + 1) + " with burst";
}

std::string
RccFault::GetPlace() const
{
    const std::string name = node == ALL ? "all" : std::to_string(node);
    if (kind < RccFaultKind::PAUSE)
    {
        return "link=" + name + (node == ALL ? "" : (oneWay ? ">" : "-") + std::to_string(peer));
    }
    return (kind == RccFaultKind::RESTART ? "switch=" : "host=") + name;
}

} // namespace ns3
