/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_SENDER_H
#define RDMA_SENDER_H

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-compiler.h"
#include "ns3/rcc-event.h"
#include "ns3/rcc-slabs.h"
#include "rdma-nic-shared.h"
#include "rdma-nic-traces.h"
#include "rdma-queue-pair.h"

#include <memory>
#include <vector>

namespace ns3
{

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

    /// The properties of a path that a new queue pair needs.
    struct Path
    {
        uint32_t dst;         //!< node id
        RdmaReceiver* peer;   //!< the receiver at dst
        uint8_t cls;          //!< traffic class
        uint8_t dscp;         //!< RccTag::dscp
        RdmaDraws draws;      //!< random numbers from the NIC's streams
        uint32_t maxOverhead; //!< bytes around a payload, at most
        uint64_t rate;        //!< rate of the receiver's port, bit/s
        int64_t baseRtt;      //!< round-trip time without queues, ns; 0 = not known
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

    /// Stop sending; the other end is notified later. \param qp index
    void Close(uint32_t qp);

    /// Close the sending half without notifying the receiver. \param qp index \return false if it
    /// was closed before, or if another process has it
    bool StopSending(uint32_t qp);

    /// Give back the memory of a closed half. \param qp index
    void Forget(uint32_t qp);

    /// Begin the reaction point anew, with other draws; Reroute finds the port. \param qp index of a half that has sent
    /// nothing \param draws of the NIC's streams
    void Redraw(uint32_t qp, const RdmaDraws& draws);

    /// \param qp below GetN() \return false if the half was forgotten
    bool HasHalf(uint32_t qp) const
    {
        return m_qps[qp] != nullptr;
    }

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
    rcc_nic m_core;                              //!< settings that the queue pairs share
    RccEvent m_timerEvent;
};

} // namespace ns3

#endif /* RDMA_SENDER_H */
