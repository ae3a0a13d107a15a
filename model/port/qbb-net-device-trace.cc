/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice's trace sources: what they are, and what a hook does when one has a sink. */
#include "qbb-net-device.h"
#include "rcc-wire.h"

#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <vector>

namespace ns3
{

/**
 * Accessor of a trace source that is a member of QbbPortTraces, which the port makes when a sink connects to one of its
 * sources: a port that nobody watches pays a pointer for all of them.
 */
template <class Source> class QbbNetDevice::TraceAccessor : public TraceSourceAccessor
{
  public:
    explicit TraceAccessor(Source QbbPortTraces::*source) : m_source(source)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Apply(object, [&sink](Source& source) { source.ConnectWithoutContext(sink); });
    }

    bool Connect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return Apply(object, [&](Source& source) { source.Connect(sink, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Apply(object, [&sink](Source& source) { source.DisconnectWithoutContext(sink); });
    }

    bool Disconnect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return Apply(object, [&](Source& source) { source.Disconnect(sink, context); });
    }

  private:
    template <class Change> bool Apply(ObjectBase* object, Change change) const
    {
        auto port = dynamic_cast<QbbNetDevice*>(object);
        if (!port)
        {
            return false;
        }
        change(port->GetTraces().*m_source);
        port->m_watch = (port->m_watch & WATCH_OBSERVERS) | port->m_traces->watch;
        return true;
    }

    Source QbbPortTraces::*m_source;
};

template <class Source>
Ptr<const TraceSourceAccessor>
QbbNetDevice::TraceOf(Source QbbPortTraces::*source)
{
    return Ptr<const TraceSourceAccessor>(new TraceAccessor<Source>(source), false);
}

QbbPortTraces&
QbbNetDevice::GetTraces()
{
    if (!m_traces)
    {
        m_traces.reset(new QbbPortTraces);
    }
    return *m_traces;
}

TypeId
QbbNetDevice::AddTraceSources(TypeId tid)
{
    // Each text says when the source fires; doc/traces.md is made from them.
    return tid
        .AddTraceSource("QueueBytes",
                        "Length of the egress queue of a class in bytes on the wire. Fired when a frame joins or "
                        "leaves the queue or is lost from it.",
                        TraceOf(&QbbPortTraces::queue), "ns3::QbbNetDevice::QueueBytesTracedCallback")
        .AddTraceSource("Enqueue",
                        "A frame to be sent. Fired when it joins an egress queue. Data of a NIC is in no egress queue; "
                        "for it the source fires when the transmission begins.",
                        TraceOf(&QbbPortTraces::enqueue), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("Dequeue",
                        "A frame being sent. Fired when its transmission begins, after the congestion point has "
                        "decided whether to mark it.",
                        TraceOf(&QbbPortTraces::dequeue), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource("Drop",
                        "A dropped frame. Fired when there is no space or no route for it, or when the link goes down "
                        "while it waits. A switch fires it on the port where the frame arrived, or where it waited.",
                        TraceOf(&QbbPortTraces::drop), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource(
            "Receive",
            "A frame that arrives, PFC included. Fired when its last bit has arrived, before the frame is processed.",
            TraceOf(&QbbPortTraces::receive), "ns3::QbbNetDevice::FrameTracedCallback")
        .AddTraceSource(
            "Pause",
            "Whether the peer has paused a class. Fired when a PFC frame, or the expiry of a pause, changes it.",
            TraceOf(&QbbPortTraces::pause), "ns3::QbbNetDevice::PauseTracedCallback")
        .AddTraceSource("PfcSent",
                        "The pause that this port asks its peer for, in quanta of 512 bit times. Fired when a PFC "
                        "frame is made, once for each class in it; refreshes of a pause are included.",
                        TraceOf(&QbbPortTraces::pfcSent), "ns3::QbbNetDevice::PfcSentTracedCallback")
        .AddTraceSource("PhyTxBegin",
                        "The bytes of a frame, from the Ethernet header on, without frame check sequence. Fired when "
                        "its first bit is sent.",
                        TraceOf(&QbbPortTraces::phyTxBegin), "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxEnd", "The bytes of a frame. Fired when its last bit arrives.",
                        TraceOf(&QbbPortTraces::phyRxEnd), "ns3::Packet::TracedCallback")
        .AddTraceSource("PhyRxDrop",
                        "The bytes of a frame that the link loses on its way to this port. Fired when the frame is "
                        "sent or when the link goes down.",
                        TraceOf(&QbbPortTraces::phyRxDrop), "ns3::Packet::TracedCallback")
        .AddTraceSource(
            "Sniffer",
            "The bytes of a frame, sent or received. Fired when its first bit is sent or its last bit has arrived.",
            TraceOf(&QbbPortTraces::sniffer), "ns3::Packet::TracedCallback")
        .AddTraceSource("PromiscSniffer",
                        "The same frames as Sniffer: a port sees no frames of others. Fired when Sniffer fires.",
                        TraceOf(&QbbPortTraces::promiscSniffer), "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTx",
                        "A packet of the internet stack without Ethernet header. Fired when it is queued for the link.",
                        TraceOf(&QbbPortTraces::macTx), "ns3::Packet::TracedCallback")
        .AddTraceSource("MacTxDrop",
                        "A packet of the internet stack without Ethernet header. Fired when it is dropped because its "
                        "queue is full or no node has its address.",
                        TraceOf(&QbbPortTraces::macTxDrop), "ns3::Packet::TracedCallback")
        .AddTraceSource(
            "MacRx", "A packet for the internet stack without Ethernet header. Fired when it is handed to the stack.",
            TraceOf(&QbbPortTraces::macRx), "ns3::Packet::TracedCallback");
}

void
QbbNetDevice::AddObserver(QbbFrameObserver* observer, uint32_t what)
{
    if (!m_observers)
    {
        m_observers.reset(new std::vector<Observer>);
    }
    m_observers->push_back({observer, what});
    m_watch |= what;
}

void
QbbNetDevice::RemoveObserver(const QbbFrameObserver* observer)
{
    if (!m_observers)
    {
        return;
    }
    m_observers->erase(std::remove_if(m_observers->begin(), m_observers->end(),
                                      [observer](const Observer& o) { return o.who == observer; }),
                       m_observers->end());
    m_watch &= ~WATCH_OBSERVERS;
    for (const Observer& o : *m_observers)
    {
        m_watch |= o.what;
    }
}

void
QbbNetDevice::ReportQueue(int64_t now)
{
    for (const Observer& o : *m_observers)
    {
        if (o.what & QBB_OBSERVE_QUEUE)
        {
            o.who->QueueWas(m_queued, now);
        }
    }
}

void
QbbNetDevice::ReportFrame(QbbFrameEvent event, const RccFrame& frame, int64_t now)
{
    const bool pfc = frame.kind == RccFrameKind::PFC;
    for (size_t i = 0; m_watch & QBB_OBSERVE_FRAMES && i < m_observers->size(); i++)
    {
        if ((*m_observers)[i].what & QBB_OBSERVE_FRAMES)
        {
            (*m_observers)[i].who->FrameSeen(event, *this, frame, now);
        }
    }
    if (!m_traces)
    {
        return;
    }
    QbbPortTraces& traces = *m_traces;
    switch (event)
    {
    case QbbFrameEvent::ENQUEUED:
        if (!pfc)
        {
            const uint64_t bytes = m_queues[frame.cls].Bytes();
            traces.queue(frame.cls, bytes - frame.bytes, bytes);
        }
        traces.enqueue(frame);
        break;
    case QbbFrameEvent::DEQUEUED:
        if (!pfc && traces.left != &frame)
        {
            traces.enqueue(frame); // made by the owner just now
        }
        traces.left = nullptr;
        traces.dequeue(frame);
        ReportPacket(QbbPortTraces::TX_BEGIN, frame, false);
        break;
    case QbbFrameEvent::RECEIVED:
        traces.receive(frame);
        ReportPacket(QbbPortTraces::RX_END, frame, true);
        break;
    case QbbFrameEvent::DROPPED:
        traces.drop(frame);
        break;
    }
}

void
QbbNetDevice::ReportDequeue(const RccFrame& frame)
{
    if (!m_traces)
    {
        return;
    }
    m_traces->left = &frame;
    const uint64_t bytes = m_queues[frame.cls].Bytes();
    m_traces->queue(frame.cls, bytes + frame.bytes, bytes);
}

/// One packet for the sources that want it.
void
QbbNetDevice::ReportPacket(QbbPortTraces::Source watch, const RccFrame& frame, bool received)
{
    if (!(m_watch & (watch | QbbPortTraces::SNIFFER | QbbPortTraces::PROMISC)))
    {
        return;
    }
    Ptr<const Packet> packet = ToPacket(frame, received);
    (received ? m_traces->phyRxEnd : m_traces->phyTxBegin)(packet);
    m_traces->promiscSniffer(packet);
    m_traces->sniffer(packet);
}

void
QbbNetDevice::LostOnLink(const RccFrame& frame)
{
    if (m_watch & QbbPortTraces::RX_DROP)
    {
        m_traces->phyRxDrop(ToPacket(frame, true));
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
