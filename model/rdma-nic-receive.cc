/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic's arrivals: data, acknowledgements, congestion signals, and the notification points. */
#include "rdma-nic.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNicReceive");

void
RdmaNic::FrameArrived(uint32_t, RccFrame* frame, int64_t now)
{
    if (frame->dst == m_node || frame->dst == RCC_ALL_HOSTS)
    {
        switch (frame->kind)
        {
        case RccFrameKind::DATA:
            DataArrived(frame, now);
            break;
        case RccFrameKind::ACK:
        case RccFrameKind::NAK:
            AckArrived(frame, now);
            break;
        case RccFrameKind::CNP:
        case RccFrameKind::CNM: {
            bool cnp = frame->kind == RccFrameKind::CNP;
            (cnp ? m_counters.cnpsReceived : m_counters.cnmsReceived)++;
            rcc_feedback fb = {};
            fb.kind = cnp ? RCC_FEEDBACK_CNP : RCC_FEEDBACK_CNM;
            fb.period_ns = frame->period;
            fb.qfb = frame->qfb;
            if (m_send[frame->dstQp])
            {
                m_send[frame->dstQp]->cnmsReceived += !cnp;
                m_send[frame->dstQp]->cnpsReceived += cnp;
                if (m_watch)
                {
                    SawSignal(*frame);
                }
                Feedback(*m_send[frame->dstQp], fb, now);
            }
            break;
        }
        case RccFrameKind::IP:
            IpArrived(frame);
            break;
        default:
            break;
        }
    }
    m_pool->Put(frame);
}

/// Frames may come in through any port; the address says whose stack they are for.
void
RdmaNic::IpArrived(RccFrame* frame)
{
    const uint32_t port = (frame->mac >> 32) & 0xff;
    const bool group = (frame->mac >> 40) & 1u;
    for (uint32_t p = 0; p < m_ports.size(); p++)
    {
        if (group || p == port)
        {
            m_ports[p]->device->ReceiveIp(frame, !group || p + 1 == m_ports.size());
        }
    }
}

RccFrame*
RdmaNic::BuildControl(RccFrameKind kind, uint32_t bytes, const RdmaRecvQp& qp)
{
    RccFrame* f = m_pool->Get();
    f->kind = kind;
    const QbbNetDevice& device = *m_ports[qp.port]->device;
    f->bytes = bytes + device.GetVlanBytes();
    f->vlan = device.GetVlan();
    f->src = m_node;
    f->dst = qp.src;
    f->dstQp = qp.srcQp;
    f->hash = qp.hash;
    const bool control = m_ackHighPriority || (kind != RccFrameKind::ACK && kind != RccFrameKind::NAK);
    f->cls = control ? m_controlClass : qp.cls;
    f->stamp = -1;
    return f;
}

void
RdmaNic::Reply(RccFrame* frame, const RdmaRecvQp& qp, int64_t now)
{
    m_ports[qp.port]->device->Enqueue(frame, now);
}

void
RdmaNic::DataArrived(RccFrame* frame, int64_t now)
{
    RdmaRecvQp& qp = m_recv[frame->dstQp];
    if (qp.closed)
    {
        return;
    }
    bool ce = frame->ecn == RccEcn::CE;
    bool answer = frame->ackRequest;
    qp.ceSeen = qp.ceSeen || ce;
    if (frame->psn == qp.expected || (!m_reliable && frame->psn > qp.expected))
    {
        qp.expected = frame->psn + 1;
        qp.nakSent = false;
        qp.bytes += frame->payload;
        m_counters.packetsDelivered++;
        m_counters.bytesDelivered += frame->bytes;
        m_counters.payloadDelivered += frame->payload;
        if (m_watch)
        {
            SawData(*frame, true);
        }
    }
    else
    {
        m_counters.packetsOutOfOrder++;
        if (m_watch)
        {
            SawData(*frame, false);
        }
        if (frame->psn > qp.expected)
        {
            answer = false;
            if (!qp.nakSent) // one per gap
            {
                qp.nakSent = true;
                RccFrame* nak = BuildControl(RccFrameKind::NAK, ROCE_ACK_BYTES, qp);
                nak->psn = qp.expected;
                m_counters.naksSent++;
                Reply(nak, qp, now);
            }
        }
    }
    if (answer)
    {
        RccFrame* ack = BuildControl(RccFrameKind::ACK, ROCE_ACK_BYTES, qp);
        ack->psn = qp.expected;
        ack->stamp = frame->stamp;
        ack->ceEcho = qp.ceSeen;
        qp.ceSeen = false;
        m_counters.acksSent++;
        Reply(ack, qp, now);
    }
    if (ce)
    {
        m_counters.packetsMarked++;
        if (qp.np != UINT16_MAX)
        {
            Np& np = *m_nps[qp.np];
            rcc_np_marked(np.state, now, frame->dstQp);
            PollNp(np, now);
        }
    }
}

void
RdmaNic::PollNp(Np& np, int64_t now)
{
    rcc_cnp cnp;
    while (rcc_np_poll(np.state, now, &cnp))
    {
        const RdmaRecvQp& qp = m_recv[cnp.flow];
        RccFrame* f = BuildControl(RccFrameKind::CNP, ROCE_CNP_BYTES, qp);
        f->period = cnp.period_ns;
        m_counters.cnpsSent++;
        if (m_watch)
        {
            SawCnpSent(cnp.flow, cnp.period_ns);
        }
        Reply(f, qp, now);
    }
    rcc_time due = rcc_np_next_due(np.state);
    if (due == RCC_NEVER)
    {
        np.event.Disarm();
    }
    else
    {
        np.event.At(due, now);
    }
}

void
RdmaNic::NpEvent(void* np, int64_t now)
{
    auto p = static_cast<Np*>(np);
    p->self->PollNp(*p, now);
}

void
RdmaNic::Feedback(RdmaSendQp& qp, const rcc_feedback& feedback, int64_t now)
{
    if (qp.closed)
    {
        return;
    }
    if (m_bucket.IsOn())
    {
        Advance(qp, now); // what came until now came at the old rate
    }
    rcc_rp_feedback(qp.rp, now, &feedback);
    if (m_watch)
    {
        static const RdmaRpCause causes[] = {RdmaRpCause::CNP, RdmaRpCause::CNM, RdmaRpCause::ACK};
        SawRp(qp, causes[feedback.kind]);
    }
    if (feedback.kind != RCC_FEEDBACK_ACK)
    {
        NS_LOG_INFO("node " << m_node << " queue pair " << qp.index << ": "
                            << (feedback.kind == RCC_FEEDBACK_CNP ? "CNP" : "CNM") << ", rate now "
                            << rcc_rp_rate(qp.rp) << " bit/s");
    }
    if (m_heapPos[qp.index] != RdmaSendHeap::NOT_QUEUED)
    {
        Reschedule(qp, now);
    }
}

void
RdmaNic::AckArrived(const RccFrame* frame, int64_t now)
{
    bool nak = frame->kind == RccFrameKind::NAK;
    (nak ? m_counters.naksReceived : m_counters.acksReceived)++;
    if (!m_send[frame->dstQp] || m_send[frame->dstQp]->closed)
    {
        return;
    }
    RdmaSendQp& qp = *m_send[frame->dstQp];
    uint64_t before = qp.una;
    qp.una = std::max(qp.una, frame->psn);
    if (qp.una > before || nak)
    {
        RtoRemove(qp);
    }
    if (nak && frame->psn == qp.una && qp.next > qp.una)
    {
        GoBack(qp, false);
        Resume(qp, now);
    }
    else if (qp.next < qp.una && !m_backToZero)
    {
        qp.next = qp.una; // an acknowledgement of what a timeout was about to repeat
        Resume(qp, now);
    }
    if (!nak)
    {
        rcc_feedback fb = {};
        fb.kind = RCC_FEEDBACK_ACK;
        fb.ce = frame->ceEcho;
        fb.rtt = frame->stamp >= 0 ? now - frame->stamp : -1;
        fb.acked = (qp.una - before) * m_mtu;
        Feedback(qp, fb, now);
    }
    if (qp.window && m_heapPos[qp.index] == RdmaSendHeap::NOT_QUEUED && qp.sending < qp.messages.size())
    {
        Advance(qp, now);
        if (!IsWindowFull(qp))
        {
            Reschedule(qp, now);
        }
    }
    Complete(qp, now);
    if (qp.closed)
    {
        return; // by its owner, now that it is complete
    }
    // Another acknowledgement was requested and is not here yet.
    bool asked = qp.next / m_ackEvery > qp.una / m_ackEvery ||
                 (qp.next > qp.una && (qp.sending > qp.answering || qp.window || m_chunk));
    if (asked && !qp.rtoListed)
    {
        RtoAdd(qp, now);
    }
}

void
RdmaNic::Complete(RdmaSendQp& qp, int64_t now)
{
    while (qp.answering < qp.messages.size() && qp.una >= qp.messages[qp.answering].end)
    {
        const RdmaSendQp::Message& m = qp.messages[qp.answering];
        const uint64_t bytes = (m.end - m.begin - 1) * m_mtu + m.lastPayload;
        const int64_t took = now - m.posted;
        auto done = m.done;
        qp.answering++;
        qp.finished = now;
        NS_LOG_INFO("node " << m_node << " queue pair " << qp.index << ": a message of " << bytes
                            << " bytes ends after " << took << " ns");
        m_endTrace(qp.index, bytes, took);
        if (!done.IsNull())
        {
            done(qp.index);
        }
    }
}

} // namespace ns3
