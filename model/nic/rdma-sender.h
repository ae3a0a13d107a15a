/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_SENDER_H
#define RDMA_SENDER_H

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-compiler.h"
#include "ns3/rcc-event.h"
#include "ns3/rcc-slabs.h"
#include "rcc_qp.h"
#include "rdma-completion.h"
#include "rdma-nic-shared.h"
#include "rdma-nic-traces.h"

#include <memory>
#include <vector>

namespace ns3
{

class RdmaReceiver;

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

/// What a signal and a packet need beside the queue pair of the core, and share its first cache line with.
struct RdmaSendQpHead
{
    uint64_t cnpsReceived{0};    //!< CNPs received
    uint32_t dst{0};             //!< node id of the receiver
    uint32_t dstQp{0};           //!< receiving half at the receiver
    uint32_t hash{0};            //!< of the flow: picks its path
    uint16_t portIndex{0};       //!< port of the NIC
    uint8_t extras{0};           //!< RccFrame::extras of its frames
    RccEcn ecn{RccEcn::NOT_ECT}; //!< of its frames
};

/// The sending half of a queue pair: that of the core, and where its packets go. The reaction point lies behind it, in
/// as many lines as its algorithm needs (Make).
struct alignas(RCC_LINE) RdmaSendQp : RdmaSendQpHead, rcc_qp
{
    // With many queue pairs each cache line is a miss: a signal touches three, a packet three more.
    uint64_t packetsSent{0}; //!< retransmissions included
    RccTag tag{};            //!< of its frames

    RdmaReceiver* peer{nullptr};             //!< at the other end
    uint64_t cnmsReceived{0};                //!< CNMs received
    int64_t started{-1};                     //!< time of the first Post, ns; -1: not yet
    int64_t finished{-1};                    //!< time at which the last message was acknowledged, ns; -1: not yet
    std::vector<rcc_message> several;        //!< ring of tx, from two messages at a time on
    RdmaCompletion onlyDone;                 //!< what Post was given, until there are two messages at a time
    std::vector<RdmaCompletion> severalDone; //!< same places as in the ring
    std::unique_ptr<RdmaRepeat> recovery;    //!< owns rcc_qp::repeat; null: go-back-N

    uint8_t rpLines{0}; //!< of the reaction point

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

/// Owns a sending half.
using RdmaSendQpPtr = std::unique_ptr<RdmaSendQp, RdmaSendQp::Delete>;

/**
 * The sending halves of a NIC: hands their packets to the ports in the order in which reaction points allow, and feeds
 * them acknowledgements, congestion signals and timeouts. There is one event per packet and none per timer.
 */
class RdmaSender
{
  public:
    /// \param shared of the NIC, which outlives this
    explicit RdmaSender(RdmaNicShared& shared);

    /// What is the same for all queue pairs that Open is called for.
    struct Path
    {
        uint32_t dst;         //!< node id
        RdmaReceiver* peer;   //!< at dst
        uint8_t cls;          //!< traffic class
        uint8_t dscp;         //!< RccTag::dscp
        uint32_t hash;        //!< of the flow
        uint64_t stream;      //!< of the reaction point's random numbers
        uint32_t maxOverhead; //!< bytes around a payload, at most
        uint64_t rate;        //!< of the receiver's port, bit/s
        int64_t baseRtt;      //!< without queues, ns; 0 = not known
    };

    /// \param path of the queue pair \param algorithm congestion control \return index of the new half
    uint32_t Open(const Path& path, Ptr<RccAlgorithm> algorithm);

    /**
     * Append a message; see RdmaNic::Post.
     * \param qp index
     * \param bytes payload; 0 = without end
     * \param done called with the index when the last packet is acknowledged; may be null
     */
    void Post(uint32_t qp, uint64_t bytes, const RdmaCompletion& done);

    /// As RdmaNic::SetWindow. \param qp index \param bytes payload in flight; 0 = any amount \param variable the bound
    /// shrinks with the rate
    void SetWindow(uint32_t qp, uint64_t bytes, bool variable);

    /// Stop sending; the other end hears of it later. \param qp index
    void Close(uint32_t qp);

    /// Give back the memory of a closed half. \param qp index
    void Forget(uint32_t qp);

    /// Forget all halves.
    void Clear();

    /// An answer or signal is on its way to a half. \param qp index, of a frame
    void Expect(uint32_t qp) const
    {
        if (qp < m_qps.size() && m_qps[qp])
        {
            m_qps[qp]->Prefetch();
        }
    }

    /// Fetch where a half stands. \param qp index, of a frame
    void PrefetchPlace(uint32_t qp) const
    {
        if (qp < m_qps.size())
        {
            RccFetch(&m_qps[qp]);
        }
    }

    /// Fetch what the next queue pair of a port touches. \param port its index
    void PrefetchFirst(uint32_t port) const;

    /// Move every half to the port that RdmaPorts picks now. \param now ns
    void Reroute(int64_t now);

    /// \return number of halves that were opened
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_qps.size());
    }

    /// \param qp below GetN(), not forgotten \return the half
    RdmaSendQp& Get(uint32_t qp)
    {
        return *m_qps[qp];
    }

    /// \copydoc Get
    const RdmaSendQp& Get(uint32_t qp) const
    {
        return *m_qps[qp];
    }

    /// Apply the timers of a reaction point. \param qp index \param now ns \return the reaction point
    const rcc_rp* Advance(uint32_t qp, int64_t now);

    /**
     * Make the next data frame of a port.
     * \param port index of the port
     * \param now ns
     * \param paused bit c: class c is paused
     * \return the frame, which the caller owns; null if none is due
     */
    RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused);

    /// \param frame ACK or NAK for this NIC \param now ns
    void AckArrived(const RccFrame& frame, int64_t now);

    /// \param frame CNP or CNM for this NIC \param now ns
    void SignalArrived(const RccFrame& frame, int64_t now);

  private:
    RccFrame* BuildData(RdmaSendQp& qp, const rcc_segment& segment, int64_t now);
    void Act(RdmaSendQp& qp, unsigned actions, int64_t now);
    static void ReadExtras(const RccFrame& frame, rcc_qp_answer* answer);
    void RecordReactionPoint(const RdmaSendQp& qp, RdmaRpCause cause) const;
    void Recover(RdmaSendQp& qp, const Path& path, uint64_t lineRate);
    void CountRepeated(const RccFrame& frame);
    void RecordGoBack(const RdmaSendQp& qp, uint64_t from, bool timeout) const;
    void Complete(RdmaSendQp& qp, int64_t now);
    void Timeout(RdmaSendQp& qp, int64_t now);
    uint16_t SetPort(RdmaSendQp& qp, uint16_t port, uint8_t cls);
    void CloseReceiver(const RdmaSendQp& qp, int64_t now) const;
    static void TimerExpired(void* sender, int64_t now);

    RdmaNicShared& m_shared;
    std::vector<RdmaSendQpPtr> m_qps;            //!< null: forgotten
    std::vector<Ptr<RccAlgorithm>> m_algorithms; //!< kept alive for their profiles
    rcc_nic m_core;                              //!< what the queue pairs share
    RccEvent m_timerEvent;
};

} // namespace ns3

#endif /* RDMA_SENDER_H */
