/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-receiver.h"

#include "ns3/rcc_wire_sack.h"
#include "rdma-nic-traces.h"

namespace ns3
{

uint32_t
RdmaReceiver::Open(Ptr<RccAlgorithm> algorithm, uint32_t src, uint32_t srcQp, uint32_t hash, uint8_t cls,
                   const RdmaSendQp* half)
{
    RdmaRecvQp qp;
    qp.src = src;
    qp.srcQp = srcQp;
    qp.half = half;
    qp.hash = hash;
    qp.port = static_cast<uint16_t>(m_shared.ports.Pick(src, hash));
    qp.cls = cls;
    qp.np = m_notifier.Open(GetN(), algorithm, m_shared.ports.GetDevice(0)->GetRate(),
                            m_shared.cnpPerDestination ? src : RdmaNotifier::ANY);
    m_qps.push_back(qp);
    if (m_shared.selective)
    {
        m_placements.emplace_back(new RdmaPlacement(*m_shared.recovery));
    }
    return m_count++;
}

void
RdmaReceiver::CloseAt(uint32_t qp, int64_t when, int64_t now)
{
    if (!m_closing)
    {
        m_closing.reset(new Closing);
        m_closing->event.Bind(&RdmaReceiver::CloseDue, this, RCC_ORDER_NOTICE);
    }
    m_closing->halves.emplace(when, qp);
    m_closing->event.AtOrBefore(when, now);
}

void
RdmaReceiver::CloseDue(void* receiver, int64_t now)
{
    auto self = static_cast<RdmaReceiver*>(receiver);
    auto& halves = self->m_closing->halves;
    while (!halves.empty() && halves.begin()->first <= now)
    {
        self->Close(halves.begin()->second);
        halves.erase(halves.begin());
    }
    if (!halves.empty())
    {
        self->m_closing->event.At(halves.begin()->first, now);
    }
}

void
RdmaReceiver::Reroute()
{
    for (auto& qp : m_qps)
    {
        qp.port = static_cast<uint16_t>(m_shared.ports.Pick(qp.src, qp.hash));
    }
}

void
RdmaReceiver::DataArrived(RccFrame& frame, int64_t now)
{
    RdmaRecvQp& qp = m_qps[frame.dstQp];
    RdmaNicCounters& counters = m_shared.counters;
    if (qp.closed)
    {
        return;
    }
    rcc_data data;
    data.packet = frame.psn;
    data.payload = frame.payload;
    data.ce = frame.ecn == RccEcn::CE;
    data.ack_request = frame.ackRequest;
    if (m_shared.selective)
    {
        PlaceData(qp, data, frame, now);
        return;
    }
    unsigned actions = rcc_receiver_data(&qp.rx, &data, m_shared.transport.reliable);
    if (!(actions & RCC_RECEIVER_ACCEPT))
    {
        actions = rcc_receiver_nak_again(&qp.rx, &data, actions, m_shared.delays.nakEvery, now);
    }
    Count(frame, actions & RCC_RECEIVER_ACCEPT);
    if (actions & RCC_RECEIVER_NAK)
    {
        counters.naksSent++;
        SendAck(qp, RccFrameKind::NAK, false, frame, now);
    }
    if (actions & RCC_RECEIVER_ACK)
    {
        counters.acksSent++;
        SendAck(qp, RccFrameKind::ACK, actions & RCC_RECEIVER_ECHO_CE, frame, now);
    }
    Notify(qp, frame, data.ce, now);
}

/// Data, or the header of trimmed data, of a half that repeats selectively.
__attribute__((noinline)) void
RdmaReceiver::PlaceData(RdmaRecvQp& qp, const rcc_data& data, RccFrame& frame, int64_t now)
{
    const bool trimmed = frame.kind == RccFrameKind::TRIMMED;
    RdmaNicCounters& counters = m_shared.counters;
    RdmaPlacement& placement = *m_placements[frame.dstQp];
    const uint64_t early = placement.early;
    const uint64_t duplicates = placement.duplicates;
    rcc_sack answer;
    const unsigned actions = trimmed ? rcc_placement_trimmed(&placement, data.packet, data.ce, &answer)
                                     : rcc_placement_data(&placement, &data, frame.last, &answer);
    qp.rx.expected = placement.expected;
    qp.rx.bytes = placement.bytes;
    if (!trimmed)
    {
        Count(frame, actions & RCC_RECEIVER_ACCEPT);
    }
    counters.packetsEarly += placement.early - early;
    counters.packetsDuplicate += placement.duplicates - duplicates;
    if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
    {
        (answer.nak ? counters.naksSent : counters.acksSent)++;
        const RccFrameKind kind = answer.nak ? RccFrameKind::NAK : RccFrameKind::ACK;
        SendAck(qp, kind, actions & RCC_RECEIVER_ECHO_CE, frame, now, &answer);
    }
    if (!trimmed)
    {
        Notify(qp, frame, data.ce, now);
    }
}

inline void
RdmaReceiver::Count(const RccFrame& frame, bool accepted)
{
    RdmaNicCounters& counters = m_shared.counters;
    if (accepted)
    {
        counters.packetsDelivered++;
        counters.bytesDelivered += frame.bytes;
        counters.payloadDelivered += frame.payload;
    }
    else
    {
        counters.packetsOutOfOrder++;
    }
    if (m_shared.traces->IsConnected())
    {
        m_shared.traces->RecordData(frame, accepted);
    }
}

/// Tell the notification point of data that are marked, or that overload the NIC.
inline void
RdmaReceiver::Notify(const RdmaRecvQp& qp, const RccFrame& frame, bool ce, int64_t now)
{
    m_shared.counters.packetsMarked += ce ? 1 : 0;
    const bool overloaded = rcc_meter_arrive(&m_shared.meter, now, frame.bytes);
    if (ce || overloaded)
    {
        m_notifier.RecordMark(qp.np, frame.dstQp, now);
    }
}

void
RdmaReceiver::HeaderArrived(RccFrame& frame, int64_t now)
{
    RdmaRecvQp& qp = m_qps[frame.dstQp];
    if (qp.closed || !m_shared.transport.reliable)
    {
        return;
    }
    if (m_shared.selective)
    {
        rcc_data data;
        data.packet = frame.psn;
        data.payload = 0;
        data.ce = frame.ecn == RccEcn::CE;
        data.ack_request = frame.ackRequest;
        PlaceData(qp, data, frame, now);
    }
    else if (rcc_receiver_trimmed(&qp.rx, frame.psn, frame.ackRequest))
    {
        m_shared.counters.naksSent++;
        SendAck(qp, RccFrameKind::NAK, false, frame, now);
    }
}

RccFrame*
RdmaReceiver::BuildAnswer(RccFrameKind kind, uint32_t bytes, const RdmaRecvQp& qp) const
{
    const QbbNetDevice& device = *m_shared.ports.GetDevice(qp.port);
    RccFrame* f = m_shared.pool->Get();
    f->kind = kind;
    f->bytes = bytes + device.GetVlanBytes();
    f->tag.vlan = device.GetVlan();
    f->src = m_shared.node;
    f->dst = qp.src;
    f->dstQp = qp.srcQp;
    f->half = qp.half;
    f->hash = qp.hash;
    const RdmaAnswer& how = kind == RccFrameKind::CNP ? m_shared.cnp : m_shared.ack;
    f->cls = how.cls < QBB_CLASSES ? how.cls : qp.cls;
    f->tag.dscp = how.dscp;
    f->dataClass = qp.cls;
    f->stamp = -1;
    return f;
}

void
RdmaReceiver::SendAck(const RdmaRecvQp& qp, RccFrameKind kind, bool ceEcho, RccFrame& data, int64_t now,
                      const rcc_sack* sack)
{
    RccFrame* f = BuildAnswer(kind, ROCE_ACK_BYTES, qp);
    f->psn = qp.rx.expected;
    f->stamp = kind == RccFrameKind::ACK || sack ? data.stamp : -1; // a packet that was placed gives a round trip
    f->ceEcho = ceEcho;
    if (data.extras)
    {
        TakeTelemetry(f, data);
        f->remote = f->delays && m_shared.buffers ? static_cast<uint32_t>(now - data.due) : 0;
    }
    if (sack && (sack->nak || sack->bits))
    {
        AddSack(f, *sack);
    }
    Send(f, qp.port, m_naks, kind == RccFrameKind::NAK ? m_shared.delays.nakGeneration : 0, now);
}

/// Move the telemetry and delays of a data packet to the acknowledgement that returns them to congestion control.
__attribute__((noinline)) void
RdmaReceiver::TakeTelemetry(RccFrame* ack, RccFrame& data)
{
    ack->dataHops = data.hops;
    ack->telemetry = data.telemetry;
    if (data.telemetry)
    {
        ack->path = data.path;
        data.path = nullptr;
        ack->bytes += rcc_wire_int_bytes(ack->telemetry, ack->path ? ack->path->records.n : 0);
    }
    ack->delays = data.delays;
    ack->bytes += ack->delays ? ACK_DELAY_BYTES : 0;
}

/// Add to an answer of selective repeat which packets have arrived behind the first one that has not.
void
RdmaReceiver::AddSack(RccFrame* ack, const rcc_sack& sack) const
{
    if (!ack->telemetry || !ack->path)
    {
        ack->path = m_shared.pool->NewPath();
        ack->path->records.form = ack->telemetry;
    }
    ack->sacked = true;
    ack->path->sack = sack;
    ack->bytes += RCC_WIRE_SACK_BYTES;
}

/// Send an answer, or let the NIC need its time for it. \param delay ns, 0 = none
inline void
RdmaReceiver::Send(RccFrame* frame, uint16_t port, RdmaDelay& line, int64_t delay, int64_t now)
{
    if (delay == 0)
    {
        m_shared.ports.GetDevice(port)->Enqueue(frame, now);
        return;
    }
    line.Add(frame, delay, now);
}

void
RdmaReceiver::SendLater(void* receiver, RccFrame* frame, int64_t now)
{
    const RdmaPorts& ports = static_cast<RdmaReceiver*>(receiver)->m_shared.ports;
    ports.GetDevice(ports.Pick(frame->dst, frame->hash))->Enqueue(frame, now);
}

void
RdmaReceiver::SendCnp(void* receiver, const rcc_cnp& cnp, int64_t now)
{
    auto self = static_cast<RdmaReceiver*>(receiver);
    const RdmaRecvQp& qp = self->m_qps[cnp.flow];
    RccFrame* f = self->BuildAnswer(RccFrameKind::CNP, ROCE_CNP_BYTES, qp);
    f->period = cnp.period_ns;
    self->m_shared.counters.cnpsSent++;
    if (self->m_shared.traces->IsConnected())
    {
        self->m_shared.traces->RecordCnpSent(cnp.flow, cnp.period_ns);
    }
    self->Send(f, qp.port, self->m_cnps, self->m_shared.delays.cnpGeneration, now);
}

} // namespace ns3
