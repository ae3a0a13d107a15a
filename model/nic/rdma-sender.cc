/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-sender.h"

#include "ns3/rcc-gateway.h"
#include "rdma-nic-traces.h"
#include "rdma-receiver.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node-list.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSender");
template class RccInSlabs<RdmaSendQp>;

namespace
{
const uint32_t FEW_QPS = 16;  // of a port and class: they stay in the cache
const uint32_t FAR_QPS = 512; // so do pointers to them

/// \param qp with a message \param message its number, from 0 \return who hears of its end
RdmaCompletion&
DoneOf(RdmaSendQp& qp, uint64_t message)
{
    return qp.severalDone.empty() ? qp.onlyDone : qp.severalDone[message & qp.tx.mask];
}
} // namespace

RdmaSender::RdmaSender(RdmaNicShared& shared) : m_shared(shared)
{
    rcc_timers_init(&m_timers);
}

// ---------------------------------------------------------------- opening and closing

uint32_t
RdmaSender::Open(const Path& path, Ptr<RccAlgorithm> algorithm)
{
    const uint32_t index = GetN();
    const rcc_algorithm* core = algorithm->GetCore();
    std::unique_ptr<RdmaSendQp> qp(new RdmaSendQp);
    if (!m_timerEvent.IsBound())
    {
        m_timerEvent.Bind(&RdmaSender::TimerExpired, this);
    }
    qp->index = index;
    qp->cls = path.cls;
    qp->tag.dscp = path.dscp;
    qp->cnTagged = rcc_cp_watches(core) == RCC_CP_CN_TAGGED;
    qp->ecn = rcc_cp_watches(core) == RCC_CP_ECN_CAPABLE ? RccEcn::ECT0 : RccEcn::NOT_ECT;
    qp->dst = path.dst;
    qp->hash = path.hash;
    qp->peer = path.peer;
    qp->dstQp = path.peer->Open(algorithm, m_shared.node, index, path.hash, path.cls, qp.get());
    rcc_sender_init(&qp->tx, &m_shared.transport, &qp->only, 1, index);

    const auto port = static_cast<uint16_t>(m_shared.ports.Pick(path.dst, path.hash));
    const QbbNetDevice& device = *m_shared.ports.GetDevice(port);
    qp->pacer.rp = rcc_rp_start(qp->rpMemory, algorithm->GetRpProfile(device.GetRate()), RccNow(), path.stream);
    if (m_shared.bucket.size)
    {
        qp->pacer.tokens = rcc_bucket_start(&m_shared.bucket, RccNow());
        const uint32_t frame = m_shared.transport.mtu + path.maxOverhead + device.GetVlanBytes();
        NS_ABORT_MSG_IF(!rcc_bucket_passes(&m_shared.bucket, frame),
                        "BucketSize is below a frame of " << frame << " bytes");
    }
    SetPort(*qp, port);
    if (std::find(m_algorithms.begin(), m_algorithms.end(), algorithm) == m_algorithms.end())
    {
        m_algorithms.push_back(algorithm);
    }
    m_shared.ports.AddQp();
    m_qps.push_back(std::move(qp));
    NS_LOG_INFO("node " << m_shared.node << " opens queue pair " << index << " to node " << path.dst << ", "
                        << core->name);
    if (!m_shared.local)
    {
        return index;
    }
    m_shared.traces->m_openTrace(index);
    if (m_shared.traces->IsConnected())
    {
        m_shared.traces->RecordReactionPoint(index, m_qps[index]->pacer.rp, RdmaRpCause::OPENED);
    }
    return index;
}

/// The port says whether frames have an 802.1Q tag, and keeps the pauses that a reaction point may read.
void
RdmaSender::SetPort(RdmaSendQp& qp, uint16_t port)
{
    const QbbNetDevice& device = *m_shared.ports.GetDevice(port);
    qp.port = port;
    qp.tag.vlan = device.GetVlan();
    qp.tagBytes = static_cast<uint8_t>(device.GetVlanBytes() + (qp.cnTagged ? CN_TAG_BYTES : 0));
    if (rcc_rp_reads_pauses(qp.pacer.rp->profile->alg))
    {
        qp.pacer.rp->pause = m_shared.ports.LogPauses(port, qp.cls, RccNow());
    }
}

void
RdmaSender::Reroute(int64_t now)
{
    for (auto& half : m_qps)
    {
        if (!half || half->closed)
        {
            continue;
        }
        RdmaSendQp& qp = *half;
        const auto port = static_cast<uint16_t>(m_shared.ports.Pick(qp.dst, qp.hash));
        if (port == qp.port)
        {
            continue;
        }
        const bool queued = m_shared.ports.IsQueued(qp.index);
        Advance(qp, now);
        Unschedule(qp);
        SetPort(qp, port);
        if (queued)
        {
            Reschedule(qp, now);
        }
    }
}

void
RdmaSender::Post(uint32_t index, uint64_t bytes, const RdmaCompletion& done)
{
    static const char* const errors[] = {"", "the ring of messages is full", "message posted behind one without end",
                                         "a message of datagrams has no end that could be acknowledged",
                                         "the messages of a queue pair are longer than 2^64 packets"};
    RdmaSendQp& qp = *m_qps[index];
    const int64_t now = RccNow();
    NS_ABORT_MSG_IF(qp.closed, "message posted on a closed queue pair");
    if (rcc_sender_is_full(&qp.tx))
    {
        const uint32_t old = qp.tx.mask + 1;
        std::vector<rcc_message> ring(2 * old);
        std::vector<RdmaCompletion> larger(2 * old);
        for (uint64_t i = qp.tx.posted - old; i != qp.tx.posted; i++)
        {
            larger[i % (2 * old)] = DoneOf(qp, i);
        }
        rcc_sender_grow(&qp.tx, ring.data(), 2 * old);
        qp.several.swap(ring);
        qp.severalDone.swap(larger);
    }
    const rcc_post result = rcc_sender_post(&qp.tx, bytes, now);
    if (result == RCC_POST_FAILED)
    {
        return;
    }
    NS_ABORT_MSG_IF(result != RCC_POST_OK, errors[result]);
    DoneOf(qp, qp.tx.posted - 1) = done;
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << index << ": a message of " << bytes << " bytes begins");
    if (qp.started < 0)
    {
        qp.started = now;
    }
    qp.finished = -1;
    m_shared.traces->m_startTrace(index, bytes);
    Resume(qp, now);
}

void
RdmaSender::Close(uint32_t index)
{
    RdmaSendQp& qp = *m_qps[index];
    if (qp.closed)
    {
        return;
    }
    if (!m_shared.local)
    {
        qp.closed = true;
        return;
    }
    NS_LOG_INFO("node " << m_shared.node << " closes queue pair " << index);
    m_shared.traces->m_closeTrace(index);
    qp.closed = true;
    Unschedule(qp);
    rcc_timers_disarm(&m_timers, &qp.tx.timer);
    rcc_sender_flush(&qp.tx);
    CloseReceiver(qp, RccNow());
}

/// The receiving half hears of it after the longest delay of a link of its network, so on any rank.
void
RdmaSender::CloseReceiver(const RdmaSendQp& qp, int64_t now) const
{
    const int64_t when = now + QbbChannel::GetLongestDelay(m_shared.node);
    RccGateway* const gateway = RccGateway::Current();
    const uint32_t rank = gateway ? NodeList::GetNode(qp.dst)->GetSystemId() : 0;
    if (gateway && rank != gateway->GetRank())
    {
        gateway->SendNotice(rank, {RccGateway::Notice::CLOSE_RECEIVER, qp.dst, qp.dstQp, when});
    }
    else
    {
        qp.peer->CloseAt(qp.dstQp, when, now);
    }
}

void
RdmaSender::Forget(uint32_t index)
{
    NS_ABORT_MSG_IF(m_qps[index] && !m_qps[index]->closed, "Forget of an open queue pair");
    m_qps[index].reset();
}

void
RdmaSender::Clear()
{
    m_timerEvent.Unbind();
    m_qps.clear();
    m_algorithms.clear();
}

// ---------------------------------------------------------------- scheduling

const rcc_rp*
RdmaSender::Advance(uint32_t index, int64_t now)
{
    Advance(*m_qps[index], now);
    return m_qps[index]->pacer.rp;
}

void
RdmaSender::Advance(RdmaSendQp& qp, int64_t now)
{
    rcc_pacer_advance(&qp.pacer, &m_shared.bucket, now);
}

/// What the next packet has around its payload, bytes.
uint32_t
RdmaSender::NextOverhead(const RdmaSendQp& qp) const
{
    return ROCE_OVERHEAD + qp.tagBytes + (rcc_sender_has_reth(&qp.tx) ? RETH_BYTES : 0);
}

/// When a queue pair with something to send may, if nothing happens.
inline int64_t
RdmaSender::NextSend(const RdmaSendQp& qp) const
{
    const uint32_t bytes = m_shared.bucket.size ? rcc_sender_payload(&qp.tx) + NextOverhead(qp) : 0;
    const int64_t at = rcc_pacer_next_send(&qp.pacer, &m_shared.bucket, bytes);
    return qp.offered ? std::max(at, qp.tx.offer.at) : at;
}

/// Bytes that may be in flight now; 0 = any amount.
uint64_t
RdmaSender::WindowOf(const RdmaSendQp& qp) const
{
    return rcc_sender_window(&qp.tx, qp.pacer.rp->rate >> RCC_RATE_SHIFT, m_shared.ports.GetDevice(qp.port)->GetRate());
}

void
RdmaSender::Schedule(RdmaSendQp& qp, int64_t key)
{
    qp.pauseEpoch = m_shared.ports.Get(qp.port).classes[qp.cls].pause_epoch;
    qp.key = key;
    m_shared.ports.Set(qp.port, qp.cls, qp.index, key);
}

void
RdmaSender::Unschedule(RdmaSendQp& qp)
{
    m_shared.ports.Remove(qp.port, qp.cls, qp.index);
}

/// Something may have changed when a queue pair can send next.
inline __attribute__((always_inline)) void
RdmaSender::Reschedule(RdmaSendQp& qp, int64_t now)
{
    const int64_t key = NextSend(qp);
    if (m_shared.ports.IsQueued(qp.index) && key <= now && qp.key <= now)
    {
        return; // it waits for the port only, and keeps its turn
    }
    Schedule(qp, key);
    QbbNetDevice& device = *m_shared.ports.GetDevice(qp.port);
    if (m_shared.ports.IsFirst(qp.index) && !(device.GetPausedClasses() & (1u << qp.cls)))
    {
        device.Kick(key, now);
    }
}

/// The next packet is another one than it was: schedule it, if there is one.
void
RdmaSender::Resume(RdmaSendQp& qp, int64_t now)
{
    if (!rcc_sender_has_data(&qp.tx))
    {
        Unschedule(qp);
        return;
    }
    Advance(qp, now);
    Reschedule(qp, now);
}

// ---------------------------------------------------------------- sending

RccFrame*
RdmaSender::NextFrame(uint32_t portIndex, int64_t now, uint8_t paused)
{
    const rcc_port& port = m_shared.ports.Get(portIndex);
    for (;;)
    {
        rcc_time due;
        const uint32_t first = rcc_port_first(&port, paused, &due);
        if (due > now)
        {
            return nullptr;
        }
        RdmaSendQp& qp = *m_qps[first];
        uint64_t window = 0;
        if (qp.pauseEpoch != port.classes[qp.cls].pause_epoch)
        {
            // The key was computed without the pauses that came since; rate steps may have been skipped.
            Advance(qp, now);
            const int64_t key = NextSend(qp);
            if (key > now)
            {
                Schedule(qp, key);
                continue;
            }
        }
        if (qp.tx.window)
        {
            Advance(qp, now); // a variable window follows the rate
            window = WindowOf(qp);
            if (rcc_sender_is_blocked(&qp.tx, window))
            {
                Unschedule(qp);
                continue;
            }
        }
        return BuildData(qp, window, now);
    }
}

inline __attribute__((always_inline)) RccFrame* // of NextFrame alone
RdmaSender::BuildData(RdmaSendQp& qp, uint64_t window, int64_t now)
{
    const uint32_t overhead = NextOverhead(qp);
    rcc_segment segment;
    rcc_sender_send(&qp.tx, window, &segment);

    RccFrame* f = m_shared.pool->Get();
    f->kind = RccFrameKind::DATA;
    f->payload = segment.payload;
    f->bytes = segment.payload + overhead;
    f->src = m_shared.node;
    f->dst = qp.dst;
    f->srcQp = qp.index;
    f->dstQp = qp.dstQp;
    f->psn = segment.packet;
    f->stamp = now;
    f->hash = qp.hash;
    f->ecn = qp.ecn;
    f->cls = qp.cls;
    f->cnTagged = qp.cnTagged;
    f->first = segment.first;
    f->last = segment.last;
    f->tag = qp.tag;
    f->write = m_shared.transport.write;
    f->dmaLength = segment.dma_length;
    f->ackRequest = segment.ack_request;

    qp.packetsSent++;
    m_shared.counters.packetsSent++;
    m_shared.counters.bytesSent += f->bytes;
    if (segment.ack_request)
    {
        ArmTimer(qp, now);
    }
    rcc_pacer_sent(&qp.pacer, &m_shared.bucket, now, f->bytes);
    if (m_shared.traces->IsConnected())
    {
        m_shared.traces->RecordReactionPoint(qp.index, qp.pacer.rp, RdmaRpCause::SENT);
    }
    if (qp.offered)
    {
        rcc_offer_sent(&qp.tx.offer, f->bytes + ETHERNET_GAP_BYTES, now);
    }
    if (rcc_sender_has_data(&qp.tx) && !segment.window_full)
    {
        Schedule(qp, NextSend(qp));
    }
    else
    {
        Unschedule(qp);
    }
    const rcc_heap& heap = m_shared.ports.Get(qp.port).classes[qp.cls].heap;
    if (heap.count > FEW_QPS) // the next one has left the cache since its last packet
    {
        m_qps[heap.ids[0]]->Prefetch();
        for (uint32_t i = 1; i <= 4 && heap.count > FAR_QPS; i++) // one of these comes after it
        {
            RccFetch(&m_qps[heap.ids[i]]);
        }
    }
    return f;
}

void
RdmaSender::PrefetchFirst(uint32_t port) const
{
    rcc_time due;
    const uint32_t first = rcc_port_first(&m_shared.ports.Get(port), 0, &due);
    if (first != RCC_PORT_NONE)
    {
        m_qps[first]->Prefetch();
    }
}

// ---------------------------------------------------------------- what comes back

void
RdmaSender::SignalArrived(const RccFrame& frame, int64_t now)
{
    const bool cnp = frame.kind == RccFrameKind::CNP;
    (cnp ? m_shared.counters.cnpsReceived : m_shared.counters.cnmsReceived)++;
    if (!m_qps[frame.dstQp])
    {
        return;
    }
    RdmaSendQp& qp = *m_qps[frame.dstQp];
    (cnp ? qp.cnpsReceived : qp.cnmsReceived)++;
    if (m_shared.traces->IsConnected())
    {
        m_shared.traces->RecordSignal(frame);
    }
    if (qp.closed)
    {
        return;
    }
    rcc_feedback feedback = {};
    feedback.kind = cnp ? RCC_FEEDBACK_CNP : RCC_FEEDBACK_CNM;
    feedback.period_ns = frame.period;
    feedback.qfb = frame.qfb;
    Feedback(qp, feedback, now);
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.index << ": " << (cnp ? "CNP" : "CNM") << ", rate now "
                        << rcc_rp_rate(qp.pacer.rp) << " bit/s");
}

inline void
RdmaSender::Feedback(RdmaSendQp& qp, const rcc_feedback& feedback, int64_t now)
{
    rcc_pacer_feedback(&qp.pacer, &m_shared.bucket, now, &feedback);
    if (m_shared.traces->IsConnected())
    {
        static const RdmaRpCause causes[] = {RdmaRpCause::CNP, RdmaRpCause::CNM, RdmaRpCause::ACK};
        m_shared.traces->RecordReactionPoint(qp.index, qp.pacer.rp, causes[feedback.kind]);
    }
    if (m_shared.ports.IsQueued(qp.index))
    {
        Reschedule(qp, now);
    }
}

void
RdmaSender::AckArrived(const RccFrame& frame, int64_t now)
{
    const bool nak = frame.kind == RccFrameKind::NAK;
    (nak ? m_shared.counters.naksReceived : m_shared.counters.acksReceived)++;
    if (!m_qps[frame.dstQp] || m_qps[frame.dstQp]->closed || m_qps[frame.dstQp]->tx.failed)
    {
        return;
    }
    RdmaSendQp& qp = *m_qps[frame.dstQp];
    const uint64_t before = qp.tx.next;
    uint64_t acked;
    const rcc_sender_event event = rcc_sender_acknowledge(&qp.tx, &m_timers, frame.psn, nak, &acked);
    if (event == RCC_SENDER_INVALID)
    {
        m_shared.counters.acksInvalid++;
        m_shared.traces->m_rejectTrace(frame);
        return;
    }
    if (event == RCC_SENDER_WENT_BACK)
    {
        RecordGoBack(qp, before, false);
    }
    if (event != RCC_SENDER_GOES_ON)
    {
        Resume(qp, now);
    }
    if (!nak)
    {
        rcc_feedback feedback = {};
        feedback.kind = RCC_FEEDBACK_ACK;
        feedback.ce = frame.ceEcho;
        feedback.rtt = frame.stamp >= 0 ? now - frame.stamp : -1;
        feedback.acked = acked * m_shared.transport.mtu;
        Feedback(qp, feedback, now);
    }
    if (qp.tx.window && !m_shared.ports.IsQueued(qp.index) && rcc_sender_has_data(&qp.tx))
    {
        Advance(qp, now);
        if (!rcc_sender_is_blocked(&qp.tx, WindowOf(qp)))
        {
            Reschedule(qp, now);
        }
    }
    Complete(qp, now);
    if (!qp.closed && rcc_sender_awaits_ack(&qp.tx)) // it may have been closed by its owner, now that it is complete
    {
        ArmTimer(qp, now);
    }
}

void
RdmaSender::Complete(RdmaSendQp& qp, int64_t now)
{
    rcc_message message;
    while (rcc_sender_complete(&qp.tx, &message))
    {
        const uint64_t bytes = rcc_message_bytes(&message, m_shared.transport.mtu);
        const int64_t took = now - message.posted;
        RdmaCompletion done;
        std::swap(done, DoneOf(qp, qp.tx.answering - 1));
        qp.finished = now;
        NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.index << ": a message of " << bytes
                            << " bytes ends after " << took << " ns");
        m_shared.traces->m_endTrace(qp.index, bytes, took);
        done(qp.index);
    }
}

// ---------------------------------------------------------------- retransmission

void
RdmaSender::ArmTimer(RdmaSendQp& qp, int64_t now)
{
    if (rcc_sender_arm(&qp.tx, &m_timers, now))
    {
        m_timerEvent.AtOrBefore(qp.tx.timer.due, now);
    }
}

void
RdmaSender::TimerExpired(void* sender, int64_t now)
{
    auto self = static_cast<RdmaSender*>(sender);
    const rcc_timer* first = rcc_timers_first(&self->m_timers);
    for (; first && first->due <= now; first = rcc_timers_first(&self->m_timers))
    {
        self->Timeout(*self->m_qps[first->id], now);
    }
    if (first)
    {
        self->m_timerEvent.At(first->due, now);
    }
}

void
RdmaSender::Timeout(RdmaSendQp& qp, int64_t now)
{
    const uint64_t before = qp.tx.next;
    m_shared.counters.timeouts++;
    if (rcc_sender_timeout(&qp.tx, &m_timers) == RCC_SENDER_FAILED)
    {
        NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.index << " fails: no acknowledgement after "
                            << qp.tx.retries << " retries");
        Unschedule(qp);
        m_shared.traces->m_failTrace(qp.index);
        return;
    }
    RecordGoBack(qp, before, true);
    Resume(qp, now);
}

void
RdmaSender::RecordGoBack(const RdmaSendQp& qp, uint64_t from, bool timeout)
{
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.index << ": back to packet " << qp.tx.next << " from "
                        << from << (timeout ? ", timeout" : ", NAK"));
    m_shared.traces->m_goBackTrace(qp.index, qp.tx.next, from > qp.tx.next ? from - qp.tx.next : 0, timeout);
}

} // namespace ns3
