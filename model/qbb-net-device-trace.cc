/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice's trace sources: what they are, and what a hook does when one has a sink. */
#include "qbb-net-device.h"
#include "rcc-wire.h"

#include "ns3/node.h"

#include <vector>

namespace ns3
{

TypeId
QbbNetDevice::AddTraceSources(TypeId tid)
{
    // Each text says when the source fires; doc/traces.md is made from them.
    return tid
        .AddTraceSource("QueueBytes",
                        "Length of the egress queue of a class in bytes on the wire. Fired when a frame joins or "
                        "leaves the queue or is lost from it.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_queueTrace),
                        "ns3::QbbNetDevice::QueueBytesTracedCallback")
        .AddTraceSource("Enqueue",
                        "A frame to be sent. Fired when it joins an egress queue. Data of a NIC is in no egress queue; "
                        "for it the source fires when the transmission begins.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_enqueueTrace),
                        "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("Dequeue",
                        "A frame being sent. Fired when its transmission begins, after the congestion point has "
                        "decided whether to mark it.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_dequeueTrace),
                        "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("Drop",
                        "A dropped frame. Fired when there is no room or no route for it, or when the link goes down "
                        "while it waits. A switch fires it on the port where the frame arrived, or where it waited.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_dropTrace), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource(
            "Receive",
            "A frame that arrives, PFC included. Fired when its last bit has arrived, before the frame is processed.",
            MakeTraceSourceAccessor(&QbbNetDevice::m_receiveTrace), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource(
            "Pause",
            "Whether the peer has paused a class. Fired when a PFC frame, or the expiry of a pause, changes it.",
            MakeTraceSourceAccessor(&QbbNetDevice::m_pauseTrace), "ns3::QbbNetDevice::PauseTracedCallback")
        .AddTraceSource("PfcSent",
                        "The pause that this port asks its peer for, in quanta of 512 bit times. Fired when a PFC "
                        "frame is made, once for each class in it; refreshes of a pause are included.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_pfcSentTrace),
                        "ns3::QbbNetDevice::PfcSentTracedCallback")
        .AddTraceSource("PhyTxBegin",
                        "The bytes of a frame, from the Ethernet header on, without frame check sequence. Fired when "
                        "its first bit is sent.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_phyTxBegin), "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxEnd", "The bytes of a frame. Fired when its last bit arrives.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_phyRxEnd), "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxDrop",
                        "The bytes of a frame that the link loses on its way to this port. Fired when the frame is "
                        "sent or when the link goes down.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_phyRxDrop), "ns3::Packet::TracedCallback")
        .AddTraceSource(
            "Sniffer",
            "The bytes of a frame, sent or received. Fired when its first bit is sent or its last bit has arrived.",
            MakeTraceSourceAccessor(&QbbNetDevice::m_sniffer), "ns3::Packet::TracedCallback")
        .AddTraceSource("PromiscSniffer",
                        "The same frames as Sniffer: a port sees no frames of others. Fired when Sniffer fires.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_promiscSniffer), "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTx",
                        "A packet of the internet stack without Ethernet header. Fired when it is queued for the link.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_macTx), "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTxDrop",
                        "A packet of the internet stack without Ethernet header. Fired when it is dropped because its "
                        "queue is full or no node has its address.",
                        MakeTraceSourceAccessor(&QbbNetDevice::m_macTxDrop), "ns3::Packet::TracedCallback")
        .AddTraceSource(
            "MacRx", "A packet for the internet stack without Ethernet header. Fired when it is handed to the stack.",
            MakeTraceSourceAccessor(&QbbNetDevice::m_macRx), "ns3::Packet::TracedCallback");
}

void
QbbNetDevice::ReportFrame(QbbFrameEvent event, const RccFrame& frame, int64_t now)
{
    const bool pfc = frame.kind == RccFrameKind::PFC;
    const bool sent = event == QbbFrameEvent::DEQUEUED;
    const bool received = event == QbbFrameEvent::RECEIVED;
    if (m_tap && (sent || received))
    {
        m_tap(m_tapContext, &frame, received, now);
    }
    if (m_observer)
    {
        m_observer->FrameSeen(event, *this, frame, now);
    }
    switch (event)
    {
    case QbbFrameEvent::ENQUEUED:
        if (!pfc)
        {
            const uint64_t bytes = m_queues[frame.cls].Bytes();
            m_queueTrace(frame.cls, bytes - frame.bytes, bytes);
        }
        m_enqueueTrace(frame);
        break;
    case QbbFrameEvent::DEQUEUED:
        if (!pfc && m_left != &frame)
        {
            m_enqueueTrace(frame); // made by the owner just now
        }
        m_left = nullptr;
        m_dequeueTrace(frame);
        ReportPacket(WATCH_TX_BEGIN, frame, false);
        break;
    case QbbFrameEvent::RECEIVED:
        m_receiveTrace(frame);
        ReportPacket(WATCH_RX_END, frame, true);
        break;
    case QbbFrameEvent::DROPPED:
        m_dropTrace(frame);
        break;
    }
}

void
QbbNetDevice::ReportDequeue(const RccFrame& frame)
{
    m_left = &frame;
    const uint64_t bytes = m_queues[frame.cls].Bytes();
    m_queueTrace(frame.cls, bytes + frame.bytes, bytes);
}

/// One packet for the sources that want it.
void
QbbNetDevice::ReportPacket(uint32_t watch, const RccFrame& frame, bool received)
{
    if (!(m_watch & (watch | WATCH_SNIFFER | WATCH_PROMISC)))
    {
        return;
    }
    Ptr<const Packet> packet = ToPacket(frame, received);
    (received ? m_phyRxEnd : m_phyTxBegin)(packet);
    m_promiscSniffer(packet);
    m_sniffer(packet);
}

void
QbbNetDevice::LostOnLink(const RccFrame& frame)
{
    if (m_watch & WATCH_RX_DROP)
    {
        m_phyRxDrop(ToPacket(frame, true));
    }
}

uint32_t
QbbNetDevice::WriteFrame(const RccFrame& frame, bool received, uint8_t* out) const
{
    uint32_t sender = frame.src;
    if (frame.kind == RccFrameKind::PFC)
    {
        sender = (received ? m_wire->GetPeer(this)->m_node : m_node)->GetId();
    }
    return RccWire::Write(frame, sender, out);
}

Ptr<Packet>
QbbNetDevice::ToPacket(const RccFrame& frame, bool received) const
{
    std::vector<uint8_t> bytes(frame.bytes);
    const uint32_t size = WriteFrame(frame, received, bytes.data());
    return Create<Packet>(bytes.data(), size);
}

} // namespace ns3
