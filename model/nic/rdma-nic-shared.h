/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_SHARED_H
#define RDMA_NIC_SHARED_H

#include "rcc_arrival.h"
#include "rcc_selective.h"
#include "rdma-ports.h"

namespace ns3
{

class RdmaNicTraces;

/// Counters of a NIC: packets, unless bytes are named.
struct RdmaNicCounters
{
    uint64_t packetsSent{0};       //!< DATA sent, retransmissions included
    uint64_t bytesSent{0};         //!< of those, bytes on the wire
    uint64_t packetsRepeated{0};   //!< of packetsSent, those that had been sent before
    uint64_t bytesRepeated{0};     //!< of those, bytes on the wire
    uint64_t packetsDelivered{0};  //!< accepted: in order, or placed out of order by selective repeat
    uint64_t bytesDelivered{0};    //!< of those, bytes on the wire
    uint64_t payloadDelivered{0};  //!< of those, payload, bytes
    uint64_t packetsOutOfOrder{0}; //!< arrived and discarded: too early, or duplicates
    uint64_t packetsEarly{0};      //!< of packetsDelivered, those that selective repeat placed behind a gap
    uint64_t packetsDuplicate{0};  //!< of packetsOutOfOrder, those that selective repeat had accepted before
    uint64_t packetsOverrun{0};    //!< arrived and dropped: the receive buffer was full
    uint64_t packetsMarked{0};     //!< arrived with CE
    uint64_t cnpsSent{0};          //!< CNPs sent
    uint64_t cnpsReceived{0};      //!< CNPs received
    uint64_t cnmsReceived{0};      //!< CNMs received
    uint64_t acksSent{0};          //!< ACKs sent
    uint64_t naksSent{0};          //!< NAKs sent
    uint64_t acksReceived{0};      //!< ACKs received
    uint64_t naksReceived{0};      //!< NAKs received
    uint64_t acksInvalid{0};       //!< ACKs and NAKs received for packets that were never sent; ignored
    uint64_t framesRejected{
        0};                 //!< frames for a queue pair that does not exist, CNPs with an incredible period; ignored
    uint64_t icrcErrors{0}; //!< frames whose ICRC was wrong; ignored
    uint64_t timeouts{0};   //!< retransmission timeouts
};

/// How long a NIC needs for a CNP or a NAK, ns.
struct RdmaNicDelays
{
    int64_t cnpGeneration; //!< from a CNP that is due to its transmission
    int64_t cnpReaction;   //!< from its arrival to the reaction point
    int64_t nakGeneration; //!< from the packet behind a gap to the NAK
    int64_t nakReaction;   //!< from its arrival to going back
    int64_t nakEvery;      //!< from a NAK to the next one for the same gap; 0 = there is one
};

/// How a kind of answer is classified.
struct RdmaAnswer
{
    uint8_t cls{QBB_CONTROL_CLASS}; //!< its class; QBB_CLASSES = that of the data
    uint8_t dscp{0};                //!< RccTag::dscp
};

/// State that the parts of a NIC share; RdmaNic owns it.
struct RdmaNicShared
{
    /// \param nic trace sources of the NIC
    explicit RdmaNicShared(RdmaNicTraces* nic) : traces(nic)
    {
    }

    uint32_t node{0};                        //!< id of the NIC's node
    bool local{true};                        //!< this rank owns the node, see RccGateway
    rcc_transport transport{};               //!< from the NIC's attributes
    bool selective{false};                   //!< the NIC repeats selectively, as `recovery` says; false: go-back-N
    std::unique_ptr<rcc_selective> recovery; //!< from the NIC's attributes; null: go-back-N
    rcc_bucket bucket{};                     //!< from the NIC's attributes
    RdmaAnswer ack{};                        //!< of ACK and NAK
    RdmaAnswer cnp{};                        //!< of CNP
    bool buffers{false};                     //!< data may wait before the NIC (RdmaIntake), since RccFrame::due
    bool cnpPerDestination{false}; //!< the least spacing of CNPs is that of the CNPs to one node, not of the NIC
    RdmaNicDelays delays{};        //!< from the NIC's attributes
    rcc_meter meter{};             //!< of arriving data, from the NIC's attributes
    RdmaPorts ports;               //!< ports of the NIC
    RdmaNicCounters counters;      //!< counters of the NIC
    Ptr<RccFramePool> pool{RccFramePool::Current()}; //!< source of frames
    RdmaNicTraces* const traces;                     //!< trace sources of the NIC
};

} // namespace ns3

#endif /* RDMA_NIC_SHARED_H */
