/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_H
#define RDMA_NIC_H

#include "ns3/qbb-dscp-map.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-random.h"
#include "rdma-nic-traces.h"
#include "rdma-queue-pair.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class RdmaIntake;
struct RdmaAnswer;
struct RdmaDraws;
struct RdmaNicParts;

/**
 * A time as a member of an object of which there are many, for an attribute of ns-3's type Time. ns-3 keeps a list of
 * all Times that exist before the simulation runs, with an entry of its own for each.
 */
struct RccDuration
{
    RccDuration() = default;

    /// \param time whole nanoseconds count
    RccDuration(const Time& time) : ns(time.GetNanoSeconds())
    {
    }

    /// \return the same as ns-3 has it
    operator Time() const
    {
        return NanoSeconds(ns);
    }

    int64_t ns{0}; //!< nanoseconds
};

/// The attributes of a NIC, so that one NIC can be made like another. The parts of a NIC use those that hold
/// from the last AddPort or Connect.
class RdmaNicAttributes
{
    friend class RdmaNic;

    uint32_t m_mtu, m_ackEvery, m_chunk, m_retryLimit, m_bucketSize, m_maxCnpPeriod;
    uint32_t m_bitmapPackets, m_reorderPackets, m_fewPackets;
    RccDuration m_nakEvery, m_rtoLow, m_rtoHigh;
    uint8_t m_recovery; //!< index of the chosen name of Recovery
    bool m_backToZero, m_ackHighPriority, m_write, m_reliable, m_backoff, m_bucketDebt, m_cnpPerDestination,
        m_portsInTurn;
    RccDuration m_timeout, m_baseRtt, m_bucketInterval, m_cnpGeneration, m_cnpReaction, m_nakGeneration, m_nakReaction;
    DataRate m_meterRate;
    uint32_t m_meterDepth, m_receiveBuffer;
    double m_drainShare;
    uint8_t m_losslessClasses;
    uint8_t m_controlClass, m_cnpClass;
    uint8_t m_ackDscp, m_cnpDscp;
    QbbDscpMap m_dscps;
};

/**
 * The RDMA part of a host. It owns the ports and the sending and the receiving halves of queue pairs, with the
 * notification points (RdmaNicParts), and has their attributes and trace sources.
 *
 * A port is served in the order in which reaction points allow, by the time the next packet may leave; finding the next
 * queue pair takes O(log n). There is one event per packet and none per timer.
 *
 * Attributes hold at once, for open queue pairs too, except for those that a queue pair takes with it when it is
 * opened: to set one of these to another value after the first Connect aborts with the reason. When a queue pair posts
 * its first message, or when the simulation starts, the switches on its way must have routes and, if its algorithm
 * reads marks or telemetry, congestion points of that kind; the run ends with the name of the missing call otherwise.
 *
 * A queue pair is named by the index of a half: of the sending one, unless a function says receiving.
 */
class RdmaNic : public Object, public QbbFrameSource, public RdmaNicTraces, public RdmaNicAttributes
{
  public:
    /// \return the type, with attributes and trace sources
    static TypeId GetTypeId();
    RdmaNic();
    ~RdmaNic() override;

    /**
     * A NIC with the attributes of another one, without ports and queue pairs. For ns-3's CopyObject, as that of
     * QbbNetDevice.
     * \param other of this class, not of one derived from it
     */
    RdmaNic(const RdmaNic& other);
    RdmaNic& operator=(const RdmaNic&) = delete;

    /**
     * Add a port; queue pairs are spread over ports by hash.
     * \param device of the port, on the NIC's node
     * \return index of the port
     */
    uint32_t AddPort(Ptr<QbbNetDevice> device);

    /// \return number of ports
    uint32_t GetNPorts() const;

    /// \param port below GetNPorts() \return its device
    const Ptr<QbbNetDevice>& GetPort(uint32_t port) const;

    /**
     * Let the random numbers of the reaction points and flow hashes follow from this seed instead of ns-3's seed and
     * run; see RccStreamUser. Before the first packet.
     * \param seed any number
     */
    void SetSeed(uint64_t seed);

    /**
     * Let them follow from this number instead of the node id; see RccStreamUser. Before the first packet.
     * \param stream not negative
     * \return 1, the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Open a queue pair from one NIC to another.
     * \param from sender
     * \param to receiver
     * \param algorithm congestion control of this queue pair
     * \param cls traffic class of its data, unless the DscpMap of `from` lists their DSCP
     * \param dscp of its data, below RCC_DSCPS; RCC_DSCPS = 8 x class
     * \return index of the send half in `from`
     */
    static uint32_t Connect(Ptr<RdmaNic> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> algorithm, uint8_t cls,
                            uint8_t dscp = RCC_DSCPS);

    /**
     * Send a message after those posted before. It aborts on a closed queue pair, and behind a message without end; it
     * does nothing on a queue pair that has failed (see the attribute RetryLimit).
     * \param qp index of the send half
     * \param bytes payload; 0 = without end
     * \param done called with qp when the last packet is acknowledged: a Callback, which may be null, or a function and
     *     its owner
     */
    void Post(uint32_t qp, uint64_t bytes, const RdmaCompletion& done);

    /**
     * Limit what the application offers; call before Post. A packet is offered one gap after the one before it was,
     * or when that one leaves if it was held up for longer: nothing piles up behind a pause or a slow reaction point.
     * \param qp index of the send half
     * \param rate bit/s of frames with the ETHERNET_GAP_BYTES around each; 0 = as fast as the reaction point allows
     */
    void SetOfferedRate(uint32_t qp, uint64_t rate);

    /**
     * Bound the payload in flight: a packet leaves only while less than this is unacknowledged. It may change at any
     * time. With less than is in flight the queue pair may wait for RetransmissionTimeout, as what has left asked for
     * no acknowledgement.
     * \param qp index of the send half
     * \param bytes below 2^62; 0 = no bound, the only one of datagrams (see the attribute Reliable)
     * \param variable the bound is bytes x rate / line rate, with the present rate
     */
    void SetWindow(uint32_t qp, uint64_t bytes, bool variable);

    /**
     * Set the ECN field of a queue pair's data frames, in place of what its algorithm needs.
     * \param qp index of the send half
     * \param ecn NOT_ECT: switches do not mark them; CE: they leave marked
     */
    void SetEcn(uint32_t qp, RccEcn ecn);

    /**
     * Queue pairs with a host use these ports only, of several; from the next Connect or Reroute on.
     * \param host node id
     * \param ports indices
     */
    void SetRoute(uint32_t host, const std::vector<uint32_t>& ports);

    /// Forget what SetRoute said.
    void ClearRoutes();

    /**
     * \param seed of the NIC
     * \param host its node id
     * \param index of the send half
     * \return hash that picks the path of a queue pair
     */
    static uint32_t HashOf(uint64_t seed, uint32_t host, uint32_t index);

    /// Links went down or routes changed: move every queue pair to a port that PickPort allows. \param now ns
    void Reroute(int64_t now);

    /// \param host node id at the other end \param hash of the flow \return port of its frames
    uint32_t PickPort(uint32_t host, uint32_t hash) const;

    /**
     * Stop sending. Packets that arrive later than the longest delay of a link from now on are ignored.
     * \param qp index of the send half
     */
    void Close(uint32_t qp);

    /// Stop sending as Close does, but what is under way is accepted, however late. \param qp index of the send half
    void StopSending(uint32_t qp);

    /// The sender of a receiving half has closed it. \param qp index of the receiving half \param when it ends, ns
    void CloseReceiver(uint32_t qp, int64_t when);

    /// \return whether this process owns the NIC's node, see RccGateway
    bool IsLocal() const;

    /**
     * Give back the memory of a send half that was closed; not from within its own `done`. What is still on its
     * way to it is ignored; GetSendQp must not be called for it again.
     * \param qp index of the send half
     */
    void Forget(uint32_t qp);

    /**
     * The host reads no data until ResumeReading, as with a DrainShare of 0.
     * \param limit bytes of a class that may wait at a port, in place of ReceiveBuffer
     */
    void StopReading(uint64_t limit);

    /// The host reads again as DrainShare says; with 1, all that waits at once.
    void ResumeReading();

    /// \return number of send halves that were opened
    uint32_t GetNSendQps() const;

    /// \param qp below GetNSendQps() \return the send half
    const RdmaSendQp& GetSendQp(uint32_t qp) const;

    /// \return number of receiving halves that were opened
    uint32_t GetNRecvQps() const;

    /// \param qp below GetNRecvQps() \return the receiving half
    const RdmaRecvQp& GetRecvQp(uint32_t qp) const;

    /// \param qp index of the send half \return its rate now, bit/s
    uint64_t GetRate(uint32_t qp)
    {
        return GetRpState(qp).rate;
    }

    /// \param qp index of the send half \return state of its reaction point now
    RdmaRpState GetRpState(uint32_t qp);

    /// \return what the NIC did so far
    const RdmaNicCounters& GetCounters() const;

    /// \return payload of a full packet, bytes
    uint32_t GetMtu() const
    {
        return m_mtu;
    }

    /// \param qp index of the send half \return name of its algorithm, as in --cc
    const char* GetAlgorithmName(uint32_t qp) const;

    /// \return bytes that a packet may have around its payload, without 802.1Q tag and telemetry (data_extra)
    uint32_t GetMaxOverhead() const
    {
        return ROCE_OVERHEAD + CN_TAG_BYTES + GetRethBytes();
    }

    /// \return bytes of the first packet of a message beyond those of the others
    uint32_t GetRethBytes() const
    {
        return m_write ? RETH_BYTES : 0;
    }

    /**
     * Judge the attributes together, as the first port and each queue pair do. Before the first queue pair.
     * \return empty, or why they do not go together
     */
    RCC_NODISCARD std::string CheckAttributes();

    // QbbFrameSource
    std::string DescribeStart() const override;
    uint32_t GetLargestFrame() const override
    {
        return m_mtu + GetMaxOverhead();
    }

    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;
    void FrameLeaves(uint32_t, RccFrame*, int64_t) override
    {
    }

    RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused) override;

    int64_t NextDue(uint32_t port, uint8_t paused) override;

    void PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step) override;
    void PrefetchSend(uint32_t port, uint32_t step) override;

    void PauseChanged(uint32_t port, uint8_t paused, int64_t now) override;

    void LinkDown(uint32_t port, int64_t now) override;

    void LinkUp(uint32_t port, int64_t now) override;

  private:
    static TypeId AddDelays(TypeId tid);
    static TypeId AddDscp(TypeId tid);
    static TypeId AddRecovery(TypeId tid);
    static TypeId AddIntake(TypeId tid);
    RdmaAnswer AnswerOf(uint8_t dscp, uint8_t cls) const;
    void DoInitialize() override;
    void DoDispose() override;
    void OtherArrived(RccFrame* frame, int64_t now);
    void HandleOther(RccFrame* frame, int64_t now);
    void AnswerArrived(const RccFrame& frame, int64_t now);
    void TakeEffect(const RccFrame& frame, int64_t now);
    static void AnswerDue(void* nic, RccFrame* frame, int64_t now);
    void Reject(const RccFrame& frame);
    void IpArrived(RccFrame* frame);
    RdmaDraws DrawsOf(uint32_t dst, uint32_t qp);
    void RestartDraws(const char* call);
    bool HasQueuePairs() const;
    void CheckWays(uint32_t qp) const;
    std::string CheckWayTo(const RdmaNic& to, uint32_t hash, QbbWay way) const;
    void ApplyAttributes();
    void ApplyLate();
    void ApplyReading();
    void CountDelivered() const;
    void SetRecovery(std::string name);
    std::string GetRecovery() const;
    std::string ApplyRecovery();
    void ApplyIntake();
    RdmaIntake& GetIntake(uint32_t port);
    uint64_t GetDrainRate(uint32_t port) const;
    void Overrun(uint32_t port, RccFrame* frame, int64_t now);
    friend class RdmaIntake;
    void WatchForFrames() const;

    std::unique_ptr<RdmaNicParts> m_parts;
    std::vector<std::unique_ptr<RdmaIntake>> m_intakes; //!< by port; empty: the host reads as fast as data come
    bool m_stopped{false};                              //!< StopReading was called, and ResumeReading not since
    RccStreamUser m_streams;
};

} // namespace ns3

#endif /* RDMA_NIC_H */
