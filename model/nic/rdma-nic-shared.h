/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_SHARED_H
#define RDMA_NIC_SHARED_H

#include "rcc_arrival.h"
#include "rcc_selective.h"
#include "rdma-ports.h"
#include "rdma-queue-pair.h"

namespace ns3
{

class RdmaNicTraces;

/// How long a NIC needs for a CNP or a NAK, ns.
struct RdmaNicDelays
{
    int64_t cnpGeneration; //!< delay from a CNP that is due to its transmission, ns
    int64_t cnpReaction;   //!< delay from the arrival of a CNP to the reaction point, ns
    int64_t nakGeneration; //!< delay from the packet behind a gap to the NAK, ns
    int64_t nakReaction;   //!< delay from the arrival of a NAK to going back, ns
    int64_t nakEvery;      //!< time from a NAK to the next one for the same gap, ns; 0 = there is one NAK
};

/// How a kind of answer is classified.
struct RdmaAnswer
{
    uint8_t cls{QBB_CONTROL_CLASS}; //!< traffic class; QBB_CLASSES = that of the data
    uint8_t dscp{0};                //!< RccTag::dscp
};

/// The random numbers that a queue pair gets from the streams of its NIC.
struct RdmaDraws
{
    uint32_t hash;   //!< the flow's hash, which picks its path
    uint64_t stream; //!< the stream of the reaction point's random numbers
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
    rcc_transport transport{};               //!< settings from the NIC's attributes
    bool selective{false};                   //!< the NIC repeats selectively, as `recovery` says; false: go-back-N
    std::unique_ptr<rcc_selective> recovery; //!< settings from the NIC's attributes; null: go-back-N
    rcc_bucket bucket{};                     //!< settings from the NIC's attributes
    RdmaAnswer ack{};                        //!< the classification of ACK and NAK
    RdmaAnswer cnp{};                        //!< the classification of CNP
    bool buffers{false};                     //!< data may wait before the NIC (RdmaIntake), since RccFrame::due
    bool cnpPerDestination{false}; //!< the least spacing of CNPs is that of the CNPs to one node, not of the NIC
    RdmaNicDelays delays{};        //!< delays from the NIC's attributes
    rcc_meter meter{};             //!< a meter of arriving data, from the NIC's attributes
    RdmaPorts ports;               //!< ports of the NIC
    RdmaNicCounters counters;      //!< counters of the NIC
    Ptr<RccFramePool> pool{RccFramePool::Current()}; //!< source of frames
    RdmaNicTraces* const traces;                     //!< trace sources of the NIC
};

} // namespace ns3

#endif /* RDMA_NIC_SHARED_H */
