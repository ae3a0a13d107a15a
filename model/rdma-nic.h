/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_H
#define RDMA_NIC_H

#include "qbb-net-device.h"
#include "rcc-algorithm.h"
#include "rcc-stream-user.h"
#include "rcc-trace.h"
#include "rdma-bucket.h"
#include "rdma-send-heap.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RdmaNic;

/**
 * The sending half of a queue pair: a message, its window of unacknowledged
 * packets (go-back-N), and the reaction point that paces it.
 */
struct RdmaSendQp
{
    rcc_rp* rp{nullptr};
    int64_t key{0};    //!< when the next packet may leave, ns; order of the heap
    uint32_t index{0}; //!< in the NIC
    uint16_t port{0};
    uint8_t cls{0};
    bool cnTagged{false}, ecnCapable{false};
    uint8_t tagBytes{0};    //!< of CN-TAG and 802.1Q
    uint16_t vlan{0};       //!< of RccFrame::vlan
    uint32_t pauseEpoch{0}; //!< of the class when key was computed

    uint32_t dst{0}, dstQp{0}, hash{0};
    uint64_t next{0};    //!< next packet to send
    uint64_t una{0};     //!< oldest unacknowledged packet
    uint64_t highest{0}; //!< packets sent at least once

    /// A posted message; messages are sent in order.
    struct Message
    {
        uint64_t begin;       //!< number of its first packet
        uint64_t end;         //!< number of the packet after its last one; UINT64_MAX: without end
        uint32_t lastPayload; //!< bytes of the last packet
        int64_t posted;       //!< ns
        Callback<void, uint32_t> done;

        /// Bytes of the message as a RETH has them.
        uint32_t DmaLength(uint32_t mtu) const
        {
            const uint64_t most = 1u << 31;
            const uint64_t packets = end - begin;
            return static_cast<uint32_t>(packets > most ? most : std::min(most, (packets - 1) * mtu + lastPayload));
        }
    };

    std::vector<Message> messages;
    uint32_t sending{0};   //!< message that `next` belongs to; messages.size(): nothing left
    uint32_t answering{0}; //!< first message that is not acknowledged

    int64_t rtoDue{0}; //!< valid while on the list of unanswered acknowledgement requests
    uint32_t rtoPrev{UINT32_MAX}, rtoNext{UINT32_MAX};
    bool rtoListed{false};
    bool closed{false};
    RdmaNic* peer{nullptr};

    RdmaBucket::Tokens tokens;  //!< if the NIC has buckets
    uint64_t offerRate{0};      //!< bit/s at which the application offers packets, see SetOfferedRate; 0 = at once
    int64_t offerAt{0};         //!< when it offers the next one, ns
    uint64_t window{0};         //!< bytes that may be in flight, see SetWindow; 0 = any number
    bool variableWindow{false}; //!< it shrinks with the rate
    uint64_t offerRest{0};      //!< what offerAt was rounded down by, in ns / offerRate

    uint64_t packetsSent{0}; //!< retransmissions included
    uint64_t cnmsReceived{0}, cnpsReceived{0};
    int64_t started{-1}, finished{-1}; //!< first Post and last acknowledgement of the last message, ns

    uint64_t rpMemory[RCC_RP_SIZE_MAX / 8]; //!< of rp

    /// A frame of `bytes` left: when does the application offer the next one? offerRate is not 0.
    void Offered(uint32_t bytes, int64_t now)
    {
        const uint64_t bitNs = static_cast<uint64_t>(bytes + ETHERNET_GAP_BYTES) * 8 * 1000000000 + offerRest;
        const int64_t next = offerAt + static_cast<int64_t>(bitNs / offerRate);
        offerRest = next > now ? bitNs % offerRate : 0;
        offerAt = std::max(next, now);
    }
};

/// The receiving half of a queue pair.
struct RdmaRecvQp
{
    uint64_t expected{0}; //!< next packet in order
    uint64_t bytes{0};    //!< payload delivered in order
    uint32_t src{0}, srcQp{0}, hash{0};
    uint16_t port{0};
    uint16_t np{UINT16_MAX}; //!< notification point; UINT16_MAX: the algorithm has none
    uint8_t cls{0};
    bool nakSent{false}; //!< for the packet that is expected now
    bool ceSeen{false};  //!< a packet came with CE since the last ACK
    bool closed{false};
};

/// A reaction point as it is seen from outside.
struct RdmaRpState
{
    uint64_t rate{0}, target{0}; //!< bit/s; an algorithm without a target has the rate there
    double alpha{0};             //!< 0 without one
    uint32_t phase{0};           //!< the algorithm's own state word
};

/// Why a reaction point was touched; see RdmaNic's trace source ReactionPoint.
enum class RdmaRpCause : uint8_t
{
    OPENED, //!< the queue pair is new
    SENT,   //!< a packet left
    CNP,
    CNM,
    ACK, //!< an acknowledgement arrived, not a NAK
    READ //!< somebody called GetRate or GetRpState, not from within one of the sinks
};

/// What a NIC did.
struct RdmaNicCounters
{
    uint64_t packetsSent{0}, bytesSent{0};           //!< DATA on the wire
    uint64_t packetsDelivered{0}, bytesDelivered{0}; //!< in order; bytes on the wire
    uint64_t payloadDelivered{0};
    uint64_t packetsOutOfOrder{0}; //!< arrived and thrown away
    uint64_t packetsMarked{0};     //!< arrived with CE
    uint64_t cnpsSent{0}, cnpsReceived{0}, cnmsReceived{0};
    uint64_t acksSent{0}, naksSent{0}, acksReceived{0}, naksReceived{0};
    uint64_t timeouts{0};
};

/**
 * The RDMA part of a host: its queue pairs, their pacing, and the notification
 * point, which is one per NIC and algorithm.
 *
 * A port is served in the order in which reaction points allow: a heap per port
 * and class, keyed by the time the next packet may leave, finds the next queue
 * pair in O(log n). Feedback moves one key. There is one event per packet and
 * none per timer.
 *
 * Trace sources: doc/traces.md. No event is scheduled for any of them. Queue pairs are named by the index of a half in
 * this NIC: the sending one (Connect, GetSendQp) unless it says receiving (GetRecvQp).
 */
class RdmaNic : public Object, public QbbPortOwner
{
  public:
    static TypeId GetTypeId();
    RdmaNic();
    ~RdmaNic() override;

    /// TracedCallback signature of a queue pair that is opened or closed. \param qp sending half
    using QpTracedCallback = void (*)(uint32_t qp);

    /**
     * TracedCallback signature of the start of a message.
     * \param qp sending half
     * \param bytes payload; 0 = without end
     */
    using MessageStartTracedCallback = void (*)(uint32_t qp, uint64_t bytes);

    /**
     * TracedCallback signature of the end of a message.
     * \param qp sending half
     * \param bytes payload
     * \param ns from Post to the acknowledgement of the last packet
     */
    using MessageEndTracedCallback = void (*)(uint32_t qp, uint64_t bytes, int64_t ns);

    /**
     * TracedCallback signature of a CNP.
     * \param qp the half here: the receiving one of CnpSent, the sending one of CnpReceived
     * \param period the CNP's period field, ns; 0 = it has none
     */
    using CnpTracedCallback = void (*)(uint32_t qp, uint32_t period);

    /**
     * TracedCallback signature of a CNM.
     * \param qp sending half
     * \param qfb quantised feedback, 0..63
     */
    using CnmTracedCallback = void (*)(uint32_t qp, uint8_t qfb);

    /**
     * TracedCallback signature of a reaction point that was touched.
     * \param qp sending half
     * \param cause why
     * \param state after it
     */
    using ReactionPointTracedCallback = void (*)(uint32_t qp, RdmaRpCause cause, const RdmaRpState& state);

    /**
     * TracedCallback signature of a rate.
     * \param qp sending half
     * \param oldRate bit/s, at the last time it fired for this queue pair; 0 the first time
     * \param newRate bit/s
     */
    using RateTracedCallback = void (*)(uint32_t qp, uint64_t oldRate, uint64_t newRate);

    /**
     * TracedCallback signature of alpha.
     * \param qp sending half
     * \param oldAlpha 0..1, at the last time it fired for this queue pair; 0 the first time
     * \param newAlpha 0..1
     */
    using AlphaTracedCallback = void (*)(uint32_t qp, double oldAlpha, double newAlpha);

    /**
     * TracedCallback signature of the algorithm's state word.
     * \param qp sending half
     * \param oldPhase at the last time it fired for this queue pair; 0 the first time
     * \param newPhase its meaning is the algorithm's, see its page in doc/
     */
    using PhaseTracedCallback = void (*)(uint32_t qp, uint32_t oldPhase, uint32_t newPhase);

    /**
     * TracedCallback signature of packets that will be sent again.
     * \param qp sending half
     * \param psn the first of them, counted from 0, not wrapped
     * \param packets how many
     * \param timeout true: no answer came in RetransmissionTimeout; false: a NAK came
     */
    using GoBackTracedCallback = void (*)(uint32_t qp, uint64_t psn, uint64_t packets, bool timeout);

    /**
     * TracedCallback signature of data that arrives.
     * \param qp receiving half
     * \param frame valid during the call only
     */
    using DataTracedCallback = void (*)(uint32_t qp, const RccFrame& frame);

    /// Add a port; queue pairs are spread over ports by hash.
    uint32_t AddPort(Ptr<QbbNetDevice> device);

    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    Ptr<QbbNetDevice> GetPort(uint32_t port) const
    {
        return m_ports[port]->device;
    }

    /// Random numbers of the reaction points and flow hashes follow from this seed and the node id.
    void SetSeed(uint64_t seed)
    {
        m_seed = seed;
    }

    /**
     * Let them follow from this number instead of the node id, and from ns-3's seed and run number as well; see
     * RccStreamUser. Before the first Connect.
     * \param stream not negative
     * \return 1, the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Open a queue pair from one NIC to another.
     * \param from sender
     * \param to receiver
     * \param algorithm congestion control of this queue pair
     * \param cls traffic class of its data
     * \return index of the send half in `from`
     */
    static uint32_t Connect(Ptr<RdmaNic> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> algorithm, uint8_t cls);

    /**
     * Send a message.
     * \param qp index of the send half
     * \param bytes payload; 0 = without end
     * \param done called when the last packet is acknowledged; may be null
     */
    void Post(uint32_t qp, uint64_t bytes, Callback<void, uint32_t> done);

    /**
     * Limit what the application offers; call before Post. A packet is offered one gap after the one before it was,
     * or when that one leaves if it was held up for longer: nothing piles up behind a pause or a slow reaction point.
     * \param qp index of the send half
     * \param rate bit/s of frames with the ETHERNET_GAP_BYTES around each; 0 = as fast as the reaction point allows
     */
    void SetOfferedRate(uint32_t qp, uint64_t rate)
    {
        m_send[qp]->offerRate = rate;
        m_send[qp]->offerAt = RccNow();
        m_send[qp]->offerRest = 0;
    }

    /**
     * Bound the payload in flight: a packet leaves only while less than this is unacknowledged.
     * \param qp index of the send half
     * \param bytes 0 = no bound
     * \param variable the bound is bytes x rate / line rate, with the rate of now
     */
    void SetWindow(uint32_t qp, uint64_t bytes, bool variable)
    {
        m_send[qp]->window = bytes;
        m_send[qp]->variableWindow = variable;
    }

    /// Queue pairs with a host use these ports only, of several; from the next Connect on.
    void SetRoute(uint32_t host, const std::vector<uint32_t>& ports);

    /// Forget what SetRoute said.
    void ClearRoutes()
    {
        m_routes.clear();
    }

    /// Hash of the index-th queue pair that a host's NIC opens, which picks its path.
    static uint32_t HashOf(uint64_t seed, uint32_t host, uint32_t index);

    /// Links went down or routes changed: move every queue pair to a port that PickPort allows.
    void Reroute(int64_t now);

    /// Port for frames of a flow to or from a host.
    uint32_t PickPort(uint32_t host, uint32_t hash) const;

    /// Stop sending and forget both halves' congestion state; packets in flight are ignored.
    void Close(uint32_t qp);

    /**
     * Give back the memory of a send half that was closed; not from within its own `done`. What is still on its
     * way to it is ignored; GetSendQp must not be called for it again.
     */
    void Forget(uint32_t qp);

    uint32_t GetNSendQps() const
    {
        return static_cast<uint32_t>(m_send.size());
    }

    const RdmaSendQp& GetSendQp(uint32_t qp) const
    {
        return *m_send[qp];
    }

    uint32_t GetNRecvQps() const
    {
        return static_cast<uint32_t>(m_recv.size());
    }

    const RdmaRecvQp& GetRecvQp(uint32_t qp) const
    {
        return m_recv[qp];
    }

    /// Rate of a queue pair now, bit/s.
    uint64_t GetRate(uint32_t qp);

    /// State of a queue pair's reaction point now.
    RdmaRpState GetRpState(uint32_t qp);

    const RdmaNicCounters& GetCounters() const
    {
        return m_counters;
    }

    uint32_t GetMtu() const
    {
        return m_mtu;
    }

    /// Name of a queue pair's algorithm, as in --cc.
    const char* GetAlgorithmName(uint32_t qp) const;

    /// \return bytes that a packet of any algorithm may have around its payload, without an 802.1Q tag
    uint32_t GetMaxOverhead() const
    {
        return ROCE_OVERHEAD + CN_TAG_BYTES + GetRethBytes();
    }

    /// \return bytes of the first packet of a message beyond those of the others
    uint32_t GetRethBytes() const
    {
        return m_write ? RETH_BYTES : 0;
    }

    // QbbPortOwner
    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override;
    RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused) override;
    int64_t NextDue(uint32_t port, uint8_t paused) override;
    void PauseChanged(uint32_t port, uint8_t paused, int64_t now) override;
    void LinkDown(uint32_t port, int64_t now) override;

  private:
    /// A class of a port: the queue pairs that have something to send, and when it was paused.
    struct SendClass
    {
        RdmaSendHeap heap;
        uint32_t pauseEpoch{0};
        rcc_pause_log pauses{nullptr, 0, 0}; //!< kept if a reaction point reads it
        std::unique_ptr<rcc_time[]> pauseMemory;

        void LogPause(bool paused, int64_t now);
    };

    struct Port
    {
        Ptr<QbbNetDevice> device;
        SendClass classes[QBB_CLASSES];
        uint8_t used{0}; //!< classes with a non-empty heap
        bool down{false};
    };

    /// A notification point with its memory.
    struct Np
    {
        Ptr<RccAlgorithm> algorithm;
        rcc_np* state;
        std::unique_ptr<uint64_t[]> memory;
        RccEvent event;
        RdmaNic* self;
    };

    /// Who watches; one bit each.
    enum Watch : uint32_t
    {
        WATCH_RP = 1u << 0,
        WATCH_RATE = 1u << 1,
        WATCH_TARGET = 1u << 2,
        WATCH_ALPHA = 1u << 3,
        WATCH_PHASE = 1u << 4,
        WATCH_RP_ALL = (1u << 5) - 1,
        WATCH_DELIVER = 1u << 5,
        WATCH_DISCARD = 1u << 6,
        WATCH_CNP_SENT = 1u << 7,
        WATCH_CNP = 1u << 8,
        WATCH_CNM = 1u << 9
    };

    /// Somebody watches, and a reaction point was touched; its state is that of now.
    void SawRp(const RdmaSendQp& qp, RdmaRpCause cause);
    /// The hooks of busy functions: somebody watches, perhaps this. Apart from them, to keep them small.
    void SawSignal(const RccFrame& frame);
    void SawData(const RccFrame& frame, bool inOrder);
    void SawCnpSent(uint32_t qp, uint32_t period);
    RdmaRpState StateOf(const RdmaSendQp& qp) const;
    static TypeId AddTraceSources(TypeId tid);

    void DoDispose() override;
    uint32_t AddRecvQp(Ptr<RccAlgorithm> algorithm, uint32_t src, uint32_t srcQp, uint32_t hash, uint8_t cls);
    uint16_t FindNp(Ptr<RccAlgorithm> algorithm);
    void PollNp(Np& np, int64_t now);
    static void NpEvent(void* np, int64_t now);

    void LogPauses(RdmaSendQp& qp);
    void SetTags(RdmaSendQp& qp) const;
    void MovePort(RdmaSendQp& qp, int64_t now);
    bool IsWindowFull(const RdmaSendQp& qp) const;
    void GoBack(RdmaSendQp& qp, bool timeout);
    void HeapSet(RdmaSendQp& qp, int64_t key);
    void HeapRemove(RdmaSendQp& qp);
    void Prefetch(const RdmaSendHeap& heap) const;

    void Advance(RdmaSendQp& qp, int64_t now);
    int64_t NextSend(const RdmaSendQp& qp) const;
    uint32_t NextPayload(const RdmaSendQp& qp) const;
    uint32_t NextOverhead(const RdmaSendQp& qp) const;
    RccFrame* BuildData(RdmaSendQp& qp, int64_t now);
    RccFrame* BuildControl(RccFrameKind kind, uint32_t bytes, const RdmaRecvQp& qp);
    void Reply(RccFrame* frame, const RdmaRecvQp& qp, int64_t now);
    void DataArrived(RccFrame* frame, int64_t now);
    void AckArrived(const RccFrame* frame, int64_t now);
    void IpArrived(RccFrame* frame);
    void Feedback(RdmaSendQp& qp, const rcc_feedback& feedback, int64_t now);
    void Resume(RdmaSendQp& qp, int64_t now);
    void Reschedule(RdmaSendQp& qp, int64_t now);
    void RtoAdd(RdmaSendQp& qp, int64_t now);
    void RtoRemove(RdmaSendQp& qp);
    static void RtoEvent(void* nic, int64_t now);
    void Complete(RdmaSendQp& qp, int64_t now);
    void CloseRecv(uint32_t qp);
    void KickPort(const RdmaSendQp& qp, int64_t now);

    std::vector<std::unique_ptr<Port>> m_ports;      //!< reaction points keep pointers into them
    std::vector<std::unique_ptr<RdmaSendQp>> m_send; //!< null: forgotten
    RdmaSendHeap::Positions m_heapPos;               //!< by queue pair; apart from it to stay in the cache
    std::vector<RdmaRecvQp> m_recv;
    std::vector<Ptr<RccAlgorithm>> m_algorithms; //!< kept alive for their profiles
    std::vector<std::unique_ptr<Np>> m_nps;
    uint32_t m_rtoHead{UINT32_MAX}, m_rtoTail{UINT32_MAX};
    RccEvent m_rtoEvent;
    Ptr<RccFramePool> m_pool;
    RdmaNicCounters m_counters;
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_routes; //!< by host; looked up, never walked
    bool m_anyDown{false};
    uint32_t m_watch{0}; //!< who watches, see Watch
    uint64_t m_seed{1};
    RccStreamUser m_user;
    uint32_t m_node{0};

    uint32_t m_mtu;
    uint32_t m_ackEvery;
    uint32_t m_chunk;
    bool m_backToZero;
    bool m_ackHighPriority;
    bool m_write;
    bool m_reliable;
    uint32_t m_bucketSize;
    Time m_bucketInterval;
    bool m_bucketDebt;
    RdmaBucket m_bucket;
    int64_t m_rtoNs{0};
    Time m_rto;
    uint8_t m_controlClass{7};

    TracedCallback<uint32_t> m_openTrace, m_closeTrace;
    TracedCallback<uint32_t, uint64_t> m_startTrace;
    TracedCallback<uint32_t, uint64_t, int64_t> m_endTrace;
    RccTrace<uint32_t, uint32_t> m_cnpSentTrace{m_watch, WATCH_CNP_SENT};
    RccTrace<uint32_t, uint32_t> m_cnpReceivedTrace{m_watch, WATCH_CNP};
    RccTrace<uint32_t, uint8_t> m_cnmReceivedTrace{m_watch, WATCH_CNM};
    TracedCallback<uint32_t, uint64_t, uint64_t, bool> m_goBackTrace;
    RccTrace<uint32_t, RdmaRpCause, const RdmaRpState&> m_rpTrace{m_watch, WATCH_RP};
    RccTrace<uint32_t, uint64_t, uint64_t> m_rateTrace{m_watch, WATCH_RATE};
    RccTrace<uint32_t, uint64_t, uint64_t> m_targetTrace{m_watch, WATCH_TARGET};
    RccTrace<uint32_t, double, double> m_alphaTrace{m_watch, WATCH_ALPHA};
    RccTrace<uint32_t, uint32_t, uint32_t> m_phaseTrace{m_watch, WATCH_PHASE};
    RccTrace<uint32_t, const RccFrame&> m_deliverTrace{m_watch, WATCH_DELIVER};
    RccTrace<uint32_t, const RccFrame&> m_discardTrace{m_watch, WATCH_DISCARD};
    bool m_seeing{false};                //!< inside SawRp
    std::vector<RdmaRpState> m_lastSeen; //!< by queue pair, what the four sources fired with last; if somebody watches
};

} // namespace ns3

#endif /* RDMA_NIC_H */
