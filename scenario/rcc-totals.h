/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TOTALS_H
#define RCC_TOTALS_H

#include "ns3/rdma-nic.h"

#include <cstdint>

namespace ns3
{

/// Sums of the counters of NICs and switches since the start.
struct RccTotals
{
    uint64_t sentBytes{0}, sentPackets{0};
    uint64_t deliveredBytes{0}, deliveredPackets{0};
    uint64_t marked{0}, dropped{0}, naks{0}, timeouts{0};
    uint64_t cnps{0}, cnms{0}, pauses{0};
    int64_t pausedNs{0}; //!< of all ports of the NICs together

    /// Add the counters of a NIC. \param now ns
    void AddNic(const RdmaNic& nic, int64_t now);

    /// Add the counters of a QbbSwitch or a CioqSwitch.
    template <class Switch> void AddSwitch(const Switch& sw)
    {
        dropped += sw.GetDroppedPackets();
        cnms += sw.GetCnmsSent();
        for (uint32_t p = 0; p < sw.GetNPorts(); p++)
        {
            pauses += sw.GetPort(p)->GetCounters().pausesSent;
        }
    }
};

inline void
RccTotals::AddNic(const RdmaNic& nic, int64_t now)
{
    const RdmaNicCounters& c = nic.GetCounters();
    sentBytes += c.bytesSent;
    sentPackets += c.packetsSent;
    deliveredBytes += c.bytesDelivered;
    deliveredPackets += c.packetsDelivered;
    cnps += c.cnpsSent;
    naks += c.naksSent;
    timeouts += c.timeouts;
    marked += c.packetsMarked;
    for (uint32_t p = 0; p < nic.GetNPorts(); p++)
    {
        pausedNs += nic.GetPort(p)->GetPausedTime(now);
    }
}

} // namespace ns3

#endif /* RCC_TOTALS_H */
