/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_RECEIVER_H
#define RDMA_RECEIVER_H

#include "ns3/rcc-compiler.h"
#include "ns3/rcc-lines.h"
#include "rdma-delay.h"
#include "rdma-nic-shared.h"
#include "rdma-notifier.h"
#include "rdma-queue-pair.h"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/// Selective repeat of a receiving half: that of the core, and its memory.
struct RdmaPlacement : rcc_placement
{
    /// \param selective settings of the NIC
    explicit RdmaPlacement(const rcc_selective& selective) : words(rcc_placement_words(&selective))
    {
        rcc_placement_init(this, &selective, words.data());
    }

    std::vector<uint64_t> words; //!< the bitmaps
};

/// The receiving halves of a NIC: data that arrives and what answers it (ACK, NAK, CNP).
class RdmaReceiver
{
  public:
    /// \param shared of the NIC, which outlives this
    explicit RdmaReceiver(RdmaNicShared& shared)
        : m_shared(shared),
          m_notifier(&RdmaReceiver::SendCnp, this),
          m_cnps(&RdmaReceiver::SendLater, this),
          m_naks(&RdmaReceiver::SendLater, this)
    {
    }

    /**
     * \param algorithm of the queue pair
     * \param src node id of the sender
     * \param srcQp its sending half
     * \param hash of the flow
     * \param cls traffic class of the data
     * \param half the sending half, to be fetched ahead of answers; never read, and may be gone
     * \return index of the new half
     */
    uint32_t Open(Ptr<RccAlgorithm> algorithm, uint32_t src, uint32_t srcQp, uint32_t hash, uint8_t cls,
                  const RdmaSendQp* half);

    /// Give a half another hash, which picks the port of its answers. \param qp index; nothing happens once the halves
    /// are forgotten \param hash of the flow
    void Rehash(uint32_t qp, uint32_t hash)
    {
        if (qp < m_count)
        {
            m_qps[qp].hash = hash;
            m_qps[qp].port = static_cast<uint16_t>(m_shared.ports.Pick(m_qps[qp].src, hash));
        }
    }

    /// Data are on their way to a half: fetch what they touch. \param qp index, of a frame
    void Expect(uint32_t qp) const
    {
        if (qp < m_count)
        {
            RccFetch(&m_qps[qp]);
            m_notifier.Expect(qp);
        }
    }

    /// Ignore what arrives for a half from now on. \param qp index; nothing happens once the halves are forgotten
    void Close(uint32_t qp)
    {
        if (qp < m_count)
        {
            m_qps[qp].closed = true;
            m_notifier.Close(m_qps[qp].np, qp);
        }
    }

    /// Close at a later time: the sender has told it. \param qp index \param when ns, not before `now` \param now ns
    void CloseAt(uint32_t qp, int64_t when, int64_t now);

    /// Forget all halves.
    void Clear()
    {
        m_closing.reset();
        m_notifier.Clear();
        m_cnps.Clear(*m_shared.pool);
        m_naks.Clear(*m_shared.pool);
        m_qps.clear();
        m_placements.clear();
        m_count = 0;
    }

    /// Pick the port of every half anew.
    void Reroute();

    /// \return number of halves
    uint32_t GetN() const
    {
        return m_count;
    }

    /// \param qp below GetN() \return the half
    const RdmaRecvQp& Get(uint32_t qp) const
    {
        return m_qps[qp];
    }

    /// \param frame DATA for this NIC; its acknowledgement takes its telemetry \param now ns
    void DataArrived(RccFrame& frame, int64_t now);

    /// The header of a data frame that a switch has trimmed. \param frame for a queue pair that exists \param now ns
    void HeaderArrived(RccFrame& frame, int64_t now);

  private:
    /// Halves that will be closed.
    struct Closing
    {
        RccEvent event;
        std::set<std::pair<int64_t, uint32_t>> halves; //!< time, ns, and index
    };

    void PlaceData(RdmaRecvQp& qp, const rcc_data& data, RccFrame& frame, int64_t now);
    void Count(const RccFrame& frame, bool accepted);
    void Notify(const RdmaRecvQp& qp, const RccFrame& frame, bool ce, int64_t now);
    RccFrame* BuildAnswer(RccFrameKind kind, uint32_t bytes, const RdmaRecvQp& qp) const;
    void SendAck(const RdmaRecvQp& qp, RccFrameKind kind, bool ceEcho, RccFrame& data, int64_t now,
                 const rcc_sack* sack = nullptr);
    void AddSack(RccFrame* ack, const rcc_sack& sack) const;
    static void TakeTelemetry(RccFrame* ack, RccFrame& data);
    static void CloseDue(void* receiver, int64_t now);
    static void SendCnp(void* receiver, const rcc_cnp& cnp, int64_t now);
    void Send(RccFrame* frame, uint16_t port, RdmaDelay& line, int64_t delay, int64_t now);
    static void SendLater(void* receiver, RccFrame* frame, int64_t now);

    RdmaNicShared& m_shared;
    std::vector<RdmaRecvQp, RccLineAllocator<RdmaRecvQp>> m_qps;
    uint32_t m_count{0};                                      //!< number of m_qps; their size() would be a division
    std::vector<std::unique_ptr<RdmaPlacement>> m_placements; //!< by half; none with go-back-N
    RdmaNotifier m_notifier;
    RdmaDelay m_cnps, m_naks;           //!< answers on their way out
    std::unique_ptr<Closing> m_closing; //!< null: there was none yet
};

} // namespace ns3

#endif /* RDMA_RECEIVER_H */
