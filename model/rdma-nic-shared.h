/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_SHARED_H
#define RDMA_NIC_SHARED_H

#include "rcc_transport.h"
#include "rdma-ports.h"

namespace ns3
{

class RdmaNicTraces;

/// What a NIC did; packets, unless it says bytes.
struct RdmaNicCounters
{
    uint64_t packetsSent{0}, bytesSent{0};           //!< DATA on the wire
    uint64_t packetsDelivered{0}, bytesDelivered{0}; //!< in order; bytes on the wire
    uint64_t payloadDelivered{0};                    //!< in order, bytes
    uint64_t packetsOutOfOrder{0};                   //!< arrived and thrown away
    uint64_t packetsMarked{0};                       //!< arrived with CE
    uint64_t cnpsSent{0}, cnpsReceived{0}, cnmsReceived{0};
    uint64_t acksSent{0}, naksSent{0}, acksReceived{0}, naksReceived{0};
    uint64_t acksInvalid{0}; //!< ACKs and NAKs received for packets that were never sent; ignored
    uint64_t timeouts{0};    //!< of retransmission
};

/// What the parts of a NIC share; RdmaNic owns it.
struct RdmaNicShared
{
    uint32_t node{0};          //!< id of the NIC's node
    rcc_transport transport{}; //!< from the NIC's attributes
    rcc_bucket bucket{};       //!< from the NIC's attributes
    bool ackHighPriority{true};
    uint8_t controlClass{7};
    RdmaPorts ports;
    RdmaNicCounters counters;
    Ptr<RccFramePool> pool;
    RdmaNicTraces* traces{nullptr};
};

} // namespace ns3

#endif /* RDMA_NIC_SHARED_H */
