/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_NET_DEVICE_H
#define QBB_NET_DEVICE_H

#include "ns3/rcc-compiler.h"
#include "ns3/rcc-event.h"
#include "ns3/rcc-slabs.h"
#include "ns3/rcc_link.h"
#include "ns3/rcc_turns.h"
#include "qbb-channel.h"
#include "qbb-port-owner.h"
#include "qbb-port-parts.h"
#include "rcc-frame.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rcc
 * A port with eight traffic classes, each with an egress queue and a PFC pause
 * state. The control class and StrictClasses have strict priority; the others share the link by
 * deficit round robin (ClassWeights). PFC frames overtake everything but the frame on the wire.
 *
 * On a host it carries packets of ns-3's internet stack as well, in a class of their own that shares the link with the
 * queue pairs' classes. To the stack it is an Ethernet: ARP, broadcast, MAC addresses 02, port, node id
 * (RccWire::MacOf), which is how switches know the host; see doc/internet.md.
 *
 * A port that is idle sends a frame at once; an event per frame is needed only while something waits.
 *
 * Trace sources: doc/traces.md. A port without sinks and observers tests one mask per hook;
 * packets and their headers are made only for sources that have a sink.
 */
class QbbNetDevice : public NetDevice, public RccInSlabs<QbbNetDevice>
{
  public:
    /// \return the TypeId with all attributes and trace sources
    static TypeId GetTypeId();
    QbbNetDevice();

    /**
     * A device with the attributes of another one, on no node and no link. For ns-3's CopyObject: to look up the
     * initial value of each attribute takes longer than all the rest of making a device.
     * \param other of this class, not of one derived from it
     */
    QbbNetDevice(const QbbNetDevice& other);
    QbbNetDevice& operator=(const QbbNetDevice&) = delete;

    /**
     * TracedCallback signature of what happens to frames.
     * \param frame its kind says which fields hold, see RccFrame; valid during the call only
     */
    using FrameTracedCallback = void (*)(const RccFrame& frame);

    /**
     * TracedCallback signature of the length of an egress queue.
     * \param cls traffic class, 0..7
     * \param oldBytes before, on the wire
     * \param newBytes now
     */
    using QueueBytesTracedCallback = void (*)(uint8_t cls, uint64_t oldBytes, uint64_t newBytes);

    /**
     * TracedCallback signature of a class's pause state.
     * \param cls traffic class, 0..7
     * \param paused whether the peer forbids to send it now
     */
    using PauseTracedCallback = void (*)(uint8_t cls, bool paused);

    /**
     * TracedCallback signature of what the peer is asked for.
     * \param cls traffic class, 0..7
     * \param quanta in 512 bit times, for which it must not send; 0 = it may again
     */
    using PfcSentTracedCallback = void (*)(uint8_t cls, uint16_t quanta);

    /// Connect to a link. \param channel a link with a free end
    void AttachChannel(Ptr<QbbChannel> channel);

    /**
     * Set what stands behind the port of a switch.
     * \param owner not owned; outlives the port's traffic
     * \param port the owner's number of this port
     */
    void SetOwner(QbbPortOwner* owner, uint32_t port)
    {
        m_owner = owner;
        m_source = nullptr;
        m_port = port;
        m_receive.Nullify(); // only a host hands packets up, and Node::AddDevice gives a callback to every device
    }

    /**
     * Set what stands behind the port of a host.
     * \param source the owner, asked for frames; not owned, outlives the port's traffic
     * \param port the source's number of this port
     */
    void SetOwner(QbbFrameSource* source, uint32_t port)
    {
        m_owner = m_source = source;
        m_port = port;
    }

    /// \copydoc QbbPortOwner::DescribeStart
    std::string DescribeStart() const;

    /// \copydoc QbbPortOwner::CheckWay
    const QbbNetDevice* CheckWay(QbbWay& way, std::string* why) const;

    /// \return bytes of the largest frame that a host's NIC and internet stack send through this port, without
    /// telemetry; 0 at a switch
    uint32_t GetLargestFrame() const;

    /// Fetch from memory what a frame that is about to arrive will touch. \param frame of any kind \param step
    /// RccPrefetch
    void PrefetchArrival(const RccFrame& frame, uint32_t step) const;

    /// Fetch from memory what Enqueue and TryTransmit will touch.
    void PrefetchTransmit() const;

    /// Fetch from memory what GetPausedClasses reads, and GetQueue for the class of most RDMA traffic.
    void PrefetchQueues() const
    {
        RccFetch(&m_owner);
        RccFetch(&m_queues[3]);
    }

    /// \return line rate, bit/s; it stays where it is
    const uint64_t& GetRate() const
    {
        return m_link.rate;
    }

    /**
     * Change the line rate. The frame on the wire keeps the rate it was sent at, and a switch that has started keeps
     * the headroom of the rate it started with.
     * \param rate not 0, which is a fatal error
     */
    void SetDataRate(DataRate rate);

    /// \return line rate
    DataRate GetDataRate() const;

    /// \param now ns \return bytes that the port could have sent until now: its line rate over time
    double GetCapacityBytes(int64_t now) const;

    /**
     * Return the bytes that have not left yet of the frame that leaves now. The counters have a frame as a whole from
     * its first bit on; less these bytes, they have the bits that have left.
     * \param now ns
     * \param data whether only a data frame counts
     * \return bytes; 0 if no frame leaves
     */
    uint32_t GetUnsentBytes(int64_t now, bool data = false) const;

    /**
     * 802.1Q tag of the frames that this end of the link sends.
     * \return VLAN_TAGGED + VLAN id; 0 = they have none
     */
    uint16_t GetVlan() const
    {
        return m_vlanId < 0 ? 0 : static_cast<uint16_t>(VLAN_TAGGED | m_vlanId);
    }

    /// \return its bytes, which count on the link and in queues
    uint32_t GetVlanBytes() const
    {
        return m_vlanId < 0 ? 0 : VLAN_TAG_BYTES;
    }

    /// \return the owner's number of this port
    uint32_t GetPortNumber() const
    {
        return m_port;
    }

    /// \return the class with strict priority
    uint8_t GetControlClass() const
    {
        return m_controlClass;
    }

    /**
     * Queue a frame for transmission.
     * \param frame of any kind but PFC; ownership passes to the port
     * \param now ns
     */
    void Enqueue(RccFrame* frame, int64_t now);

    /**
     * The source has a frame to send, earlier than it said last.
     * \param when it is due, ns; up to now: at once
     * \param now ns
     */
    void Kick(int64_t when, int64_t now);

    /**
     * Send a PFC frame; with LinkPause, a PAUSE frame.
     * \param mask classes it speaks of
     * \param quanta for each of them, in 512 bit times; 0 resumes. With LinkPause the link resumes with the last class
     * \param now ns
     */
    void SendPfc(uint8_t mask, uint16_t quanta, int64_t now);

    /**
     * Tell the host at the other end of the link of each frame when it leaves: QbbPortOwner::PrefetchArrival.
     * \param announces whether to
     */
    void SetAnnounces(bool announces)
    {
        m_announces = announces;
    }

    /// Called by the channel: the last bit of a frame has arrived. \param frame the port owns it now \param now ns
    void Arrived(RccFrame* frame, int64_t now)
    {
        m_counters.rxFrames++;
        m_counters.rxBytes += frame->bytes;
        if (AreFramesWatched())
        {
            ReportFrame(QbbFrameEvent::RECEIVED, *frame, now);
        }
        if (frame->kind == RccFrameKind::PFC)
        {
            ReceivePfc(frame, now);
            return;
        }
        m_owner->FrameArrived(m_port, frame, now);
    }

    /// \param cls traffic class, 0..7 \return bytes waiting in its egress queue
    uint64_t GetQueueBytes(uint8_t cls) const
    {
        return m_queues[cls].Bytes();
    }

    /// \param cls traffic class, 0..7 \return its egress queue
    const RccFrameQueue& GetQueue(uint8_t cls) const
    {
        return m_queues[cls];
    }

    /**
     * Drop what waits in an egress queue, as a watchdog for pause storms does.
     * \param cls traffic class, 0..7
     * \param now ns
     * \return number of frames
     */
    uint64_t DropQueued(uint8_t cls, int64_t now);

    /// \return bytes waiting in all egress queues
    uint64_t GetQueueBytesTotal() const
    {
        return m_queued;
    }

    /// \return classes that the peer has paused, one bit each
    uint8_t GetPausedClasses() const
    {
        return m_paused;
    }

    /// \param now ns \return time for which at least one class was paused, ns, until now
    int64_t GetPausedTime(int64_t now) const
    {
        return m_pauses ? rcc_pfc_paused_time(&m_pauses->state, now) : 0;
    }

    /// \return frames, bytes and pauses until now
    const QbbPortCounters& GetCounters() const
    {
        return m_counters;
    }

    /// \return packets of the internet stack until now
    const QbbIpCounters& GetIpCounters() const
    {
        static const QbbIpCounters none;
        return m_ip ? m_ip->counters : none;
    }

    /**
     * Called by the host: a frame for this port's internet stack.
     * \param frame of kind IP; its packet is taken if `last`, otherwise copied
     * \param last whether no other port gets it too
     */
    void ReceiveIp(RccFrame* frame, bool last);

    /**
     * Tell an observer what happens at this port. Several are told in the order in which they came.
     * \param observer not owned; it has to be removed before it goes
     * \param what of QbbObserve: every frame, each change of the sum of the egress queues, or both
     */
    void AddObserver(QbbFrameObserver* observer, uint32_t what);

    /// Tell it no more. \param observer may be none of this port's
    void RemoveObserver(const QbbFrameObserver* observer);

    /**
     * Called by the owner: a frame is dropped at this port. Fires the trace source Drop.
     * \param frame still the owner's
     * \param now ns
     */
    void Dropped(const RccFrame& frame, int64_t now)
    {
        if (AreFramesWatched())
        {
            ReportFrame(QbbFrameEvent::DROPPED, frame, now);
        }
    }

    /// Called by the channel: a frame for this port was lost on the link. \param frame still the channel's
    void LostOnLink(const RccFrame& frame);

    /**
     * Write the bytes that a frame has on this port's link: RccWire::Write.
     * \param frame of any kind
     * \param received whether it came in; PFC frames, which know no node, have their sender from it
     * \param out space for frame.bytes bytes
     * \return bytes written, without the frame check sequence
     */
    uint32_t WriteFrame(const RccFrame& frame, bool received, uint8_t* out) const;

    /// As WriteFrame. \param frame of any kind \param received whether it came in \return the bytes
    Ptr<Packet> ToPacket(const RccFrame& frame, bool received) const;

    /// Called by the channel: the link went down. What waits is lost, and no pause is left. \param now ns
    void LinkDown(int64_t now);

    /// Called by the channel: the link is up again. \param now ns
    void LinkUp(int64_t now);

    /// \param n pause quanta of 512 bits \return their time on this link, ns, rounded up
    int64_t QuantaToNs(uint32_t n) const
    {
        return rcc_pfc_quanta_ns(n, m_link.rate);
    }

    // NetDevice
    bool IsLinkUp() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet, const Address& source, const Address& dest, uint16_t protocol) override;

    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    Ptr<Channel> GetChannel() const override
    {
        return m_channel;
    }

    void SetAddress(Address address) override
    {
        m_address = Mac48Address::ConvertFrom(address);
    }

    Address GetAddress() const override
    {
        return m_address;
    }

    /// \param mtu bytes of the largest IP packet \return false, and nothing changes, below 68
    bool SetMtu(const uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    /// Called after the link went down and after it came up again, when the owner knows of it. \param callback to call
    void AddLinkChangeCallback(Callback<void> callback) override;

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override
    {
        return Mac48Address::GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    Address GetMulticast(Ipv6Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return false; // the stack sees all hosts behind the switches on one Ethernet
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return true;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override
    {
        m_receive = cb;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override
    {
        m_promiscReceive = cb;
    }

    bool SupportsSendFrom() const override
    {
        return !m_source; // only to let a bridge have a switch's port: see QbbBridgeForGlobalRouting
    }

  private:
    void DoInitialize() override;
    void DoDispose() override;

    /// Bits of m_watch; the others are QbbPortTraces'.
    static constexpr uint32_t WATCH_OBSERVERS = QBB_OBSERVE_FRAMES | QBB_OBSERVE_QUEUE;

    /// An observer, and what it is told of.
    struct Observer
    {
        QbbFrameObserver* who;
        uint32_t what; //!< bits of QbbObserve
    };

    /// \return whether somebody wants to know of frames
    bool AreFramesWatched() const
    {
        return m_watch & ~static_cast<uint32_t>(QBB_OBSERVE_QUEUE);
    }

    /// Called before the length of the queues changes. \param now ns
    void QueueChanges(int64_t now)
    {
        if (m_watch & QBB_OBSERVE_QUEUE)
        {
            ReportQueue(now);
        }
    }

    template <class Source> class TraceAccessor;
    QbbPortTraces& GetTraces();

    void ReportQueue(int64_t now);
    /// Tell the observers and trace sources of a frame; only if AreFramesWatched.
    void ReportFrame(QbbFrameEvent event, const RccFrame& frame, int64_t now);
    /// Tell them that a frame left the queue of its class; only if AreFramesWatched.
    void ReportDequeue(const RccFrame& frame);
    void ReportPacket(QbbPortTraces::Source watch, const RccFrame& frame, bool received);
    template <class Source> static Ptr<const TraceSourceAccessor> TraceOf(Source QbbPortTraces::*source);
    static TypeId AddTraceSources(TypeId tid);
    static TypeId AddRules(TypeId tid);
    QbbPortRules& GetRules();
    void SetStrictClasses(uint8_t classes);
    uint8_t GetStrictClasses() const;
    void SetClassWeights(std::string text);
    std::string GetClassWeights() const;

    static QbbPortOwner* GetNobody();
    static void TxEvent(void* device, int64_t now);
    static void PauseEvent(void* device, int64_t now);

    /// Send if the port is free and something may go; arm the event for what cannot.
    void TryTransmit(int64_t now);
    bool IsNextAtOnce(const RccFrame& frame, int64_t now) const;
    void ArmNext(int64_t now);
    RccFrame* PopQueued(uint8_t ready);
    RccFrameQueue TakeQueue(uint8_t cls);
    uint64_t Lose(RccFrameQueue& lost, int64_t now);

    rcc_turns& Turns()
    {
        if (!m_turns)
        {
            m_turns.reset(new rcc_turns{});
        }
        return *m_turns;
    }

    /// \return the rules of the port's turns; null if it has none
    const rcc_turns_rules* Rules() const
    {
        return m_rules ? &m_rules->turns : nullptr;
    }

    /// Choose the class that sends next (rcc_turns_next). \param ready classes that may send; afterwards the chosen
    /// ones \param now ns \return the frame that the owner made for its turn, or null
    RccFrame* OwnersTurn(uint8_t& ready, int64_t now);
    uint8_t IpClassOf(Ptr<const Packet> packet, uint8_t trafficClass) const;
    bool DropIp(Ptr<Packet> packet, uint64_t QbbIpCounters::*counter);
    void HandUp(Ptr<Packet> packet, uint16_t protocol, Mac48Address from, Mac48Address to);
    void IpLeaves(const RccFrame* frame);
    QbbPortIp& GetIp();
    void ReportLinkChange() const;
    bool HasIpRoom(uint8_t cls) const;

    void Transmit(RccFrame* frame, int64_t now);
    void Announce(const RccFrame& frame) const;
    static void PrefetchTxEvent(void* device, uint32_t step);
    uint64_t GetUnsent(int64_t now) const;
    void ReceivePfc(RccFrame* frame, int64_t now);
    void PausesChanged(uint8_t changed, int64_t now);

    // By lines of the cache, as a hop should cost few of them: one when a frame leaves, one for all that happens here,
    // one of counters, three of queues, of which a network with one class of data uses one, and the event's.
    alignas(RCC_LINE) rcc_link m_link{}; //!< the times at which the last bits of frames leave
    uint32_t m_gap;                      //!< bytes between frames
    uint32_t m_end{0};
    RccFrame* m_urgent{nullptr};                          //!< the PFC frame that waits, for all classes; null: none
    alignas(RCC_LINE) QbbPortOwner* m_owner{GetNobody()}; //!< never null
    QbbFrameSource* m_source{nullptr};                    //!< m_owner, if that is asked for frames
    QbbChannel* m_wire{nullptr};
    uint64_t m_queued{0}; //!< bytes in m_queues
    uint32_t m_watch{0};  //!< bits: the events that observers and sinks of trace sources see
    uint32_t m_port{0};
    uint8_t m_waiting{0}; //!< classes with a queue
    uint8_t m_paused{0};  //!< classes that m_pauses has paused, one bit each
    uint8_t m_controlClass;
    RccFrameKind m_lastKind{RccFrameKind::DATA};
    bool m_choosing{true};   //!< TryTransmit is running, or there is no link: queued frames wait
    bool m_announces{false}; //!< SetAnnounces: a frame that leaves is announced to the receiver
    alignas(RCC_LINE) QbbPortCounters m_counters;
    alignas(RCC_LINE) RccFrameQueue m_queues[QBB_CLASSES];
    alignas(RCC_LINE) RccEvent m_txEvent;

    std::unique_ptr<rcc_turns> m_turns;      //!< turns of the classes; null until several of them wait
    std::unique_ptr<QbbPortRules> m_rules;   //!< null: one class has strict priority, the others have equal weights
    std::unique_ptr<QbbPortPauses> m_pauses; //!< null until the port is paused
    std::unique_ptr<QbbPortTraces> m_traces; //!< null until there is a sink
    std::unique_ptr<std::vector<Observer>> m_observers; //!< null until there is one
    std::unique_ptr<QbbPortIp> m_ip;                    //!< null until there is a packet
    int16_t m_vlanId;
    rcc_pfc_request m_pauseRequest;
    bool m_linkPause;
    int64_t m_rateSince{0}; //!< time of the last change of the line rate, ns
    uint64_t m_unsent{0};   //!< bytes that had not left, with the gap, when the rate changed last
    double m_capacity{0};   //!< bytes, until then
    Ptr<RccFramePool> m_pool;

    Ptr<QbbChannel> m_channel;
    Ptr<Node> m_node;
    Mac48Address m_address;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu;
    NetDevice::ReceiveCallback m_receive;
    NetDevice::PromiscReceiveCallback m_promiscReceive;

    uint8_t m_ipClass;
    bool m_ipDscp, m_ipPriority; //!< whether a packet may say its class
    uint32_t m_ipQueueSize;      //!< bytes per class
};

extern template class RccInSlabs<QbbNetDevice>;

} // namespace ns3

#endif /* QBB_NET_DEVICE_H */
