/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/rcc-compiler.h"
#include "ns3/rcc-frame.h"
#include "ns3/rcc-lines.h"
#include "ns3/rcc_qp.h"
#include "rdma-completion.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class RdmaReceiver;

/// Counters of a NIC: packets, unless bytes are named.
struct RdmaNicCounters
{
    uint64_t packetsSent{0};       //!< DATA sent, retransmissions included
    uint64_t bytesSent{0};         //!< bytes of packetsSent on the wire
    uint64_t packetsRepeated{0};   //!< retransmissions among packetsSent
    uint64_t bytesRepeated{0};     //!< bytes of packetsRepeated on the wire
    uint64_t packetsDelivered{0};  //!< accepted: in order, or placed out of order by selective repeat
    uint64_t bytesDelivered{0};    //!< bytes of packetsDelivered on the wire
    uint64_t payloadDelivered{0};  //!< payload bytes of packetsDelivered
    uint64_t packetsOutOfOrder{0}; //!< arrived and discarded: too early, or duplicates
    uint64_t packetsEarly{0};      //!< packets among packetsDelivered that selective repeat placed behind a gap
    uint64_t packetsDuplicate{0};  //!< packets among packetsOutOfOrder that selective repeat had accepted before
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

/// Selective repeat of a sending half: that of the core, and its memory.
struct RdmaRepeat : rcc_repeat
{
    /// \param settings of the NIC
    explicit RdmaRepeat(const rcc_selective& settings) : words(rcc_repeat_words(&settings))
    {
        rcc_repeat_init(this, &settings, words.data());
    }

    std::vector<uint64_t> words; //!< the bitmaps
};

/// The fields that a signal and a packet need beside the queue pair of the core; they share its first cache line.
struct RdmaSendQpHead
{
    uint64_t cnpsReceived{0};    //!< CNPs received
    uint32_t dst{0};             //!< node id of the receiver
    uint32_t dstQp{0};           //!< receiving half at the receiver
    uint32_t hash{0};            //!< the flow's hash, which picks its path
    uint16_t portIndex{0};       //!< port of the NIC
    uint8_t extras{0};           //!< RccFrame::extras of its frames
    RccEcn ecn{RccEcn::NOT_ECT}; //!< the ECN field of its frames
};

/// The sending half of a queue pair: that of the core, and where its packets go. The reaction point lies behind it, in
/// as many lines as its algorithm needs (Make).
struct alignas(RCC_LINE) RdmaSendQp : RdmaSendQpHead, rcc_qp
{
    // With many queue pairs each cache line is a miss: a signal touches three, a packet three more.
    uint64_t packetsSent{0}; //!< retransmissions included
    RccTag tag{};            //!< the tag of its frames

    RdmaReceiver* peer{nullptr};             //!< the receiver at the other end
    uint64_t cnmsReceived{0};                //!< CNMs received
    int64_t started{-1};                     //!< time of the first Post, ns; -1: not yet
    int64_t finished{-1};                    //!< time at which the last message was acknowledged, ns; -1: not yet
    std::vector<rcc_message> several;        //!< ring of tx, from two messages at a time on
    RdmaCompletion onlyDone;                 //!< the completion given to Post, until there are two messages at a time
    std::vector<RdmaCompletion> severalDone; //!< same places as in the ring
    std::unique_ptr<RdmaRepeat> recovery;    //!< owns rcc_qp::repeat; null: go-back-N

    uint8_t rpLines{0}; //!< cache lines that the reaction point takes

    /// Gives back what Make has returned.
    struct Delete
    {
        /// \param qp from Make, or null
        void operator()(RdmaSendQp* qp) const;
    };

    /// \param rpBytes of the state of its reaction point, at most RCC_RP_SIZE_MAX \return a sending half
    static std::unique_ptr<RdmaSendQp, Delete> Make(size_t rpBytes);

    /// \return memory of the reaction point; what it uses often is in the first two lines
    void* RpMemory()
    {
        return this + 1;
    }

    /// Fetch what a signal touches, ahead of it.
    void PrefetchSignal() const
    {
        const char* const rp = reinterpret_cast<const char*>(this + 1);
        RccFetch(this);
        RccFetch(rp);
        RccFetch(rp + RCC_LINE);
    }

    /// Fetch what a packet or an answer touches, ahead of it.
    void Prefetch() const
    {
        const char* const half = reinterpret_cast<const char*>(this);
        PrefetchSignal();
        RccFetch(half + RCC_LINE);
        RccFetch(half + 2 * RCC_LINE);
        RccFetch(&packetsSent);
    }
};

/// The receiving half of a queue pair: one cache line.
struct alignas(RCC_LINE) RdmaRecvQp
{
    rcc_receiver rx{};               //!< the PSN that is expected and the packets accepted, with selective repeat too
    uint32_t src{0};                 //!< node id of the sender
    uint32_t srcQp{0};               //!< sending half at the sender
    const RdmaSendQp* half{nullptr}; //!< the sending half itself, as RccFrame::half
    uint32_t hash{0};                //!< the flow's hash, which picks the path of the answers
    uint16_t port{0};                //!< port of the NIC through which the answers leave
    uint16_t np{UINT16_MAX};         //!< notification point; UINT16_MAX: there is none
    uint8_t cls{0};                  //!< traffic class of the data
    bool closed{false};              //!< no data are accepted any more
};

} // namespace ns3

#endif /* RDMA_QUEUE_PAIR_H */
