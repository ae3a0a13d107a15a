/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-sender.h"

#include "ns3/rcc-gateway.h"
#include "rdma-receiver.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node-list.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSender");

namespace
{
const size_t RP_LINES_MAX = (RCC_RP_SIZE_MAX + RCC_LINE - 1) / RCC_LINE;

/// Never destroyed, as those of RccInSlabs. \param lines of the reaction point \return slabs of such sending halves
RccSlabs&
SlabsOf(size_t lines)
{
    static RccSlabs* slabs[RP_LINES_MAX + 1];
    if (!slabs[lines])
    {
        slabs[lines] = new RccSlabs(sizeof(RdmaSendQp) + lines * RCC_LINE);
    }
    return *slabs[lines];
}

const uint32_t FEW_QPS = 16;  // so many queue pairs of a port and class stay in the cache
const uint32_t FAR_QPS = 512; // pointers to so many do

/// \param qp with a message \param message its number, from 0 \return the notice of its end
RdmaCompletion&
DoneOf(RdmaSendQp& qp, uint64_t message)
{
    return qp.severalDone.empty() ? qp.onlyDone : qp.severalDone[message & qp.tx.mask];
}
} // namespace

RdmaSendQpPtr
RdmaSendQp::Make(size_t rpBytes)
{
    const size_t lines = (rpBytes + RCC_LINE - 1) / RCC_LINE;
    RdmaSendQpPtr qp(new (SlabsOf(lines).Get()) RdmaSendQp);
    qp->rpLines = static_cast<uint8_t>(lines);
    return qp;
}

void
RdmaSendQp::Delete::operator()(RdmaSendQp* qp) const
{
    if (qp)
    {
        RccSlabs& slabs = SlabsOf(qp->rpLines);
        qp->~RdmaSendQp();
        slabs.Put(qp);
    }
}

RdmaSender::RdmaSender(RdmaNicShared& shared)
    : m_shared(shared),
      m_core{&shared.transport, &shared.bucket, nullptr, ETHERNET_GAP_BYTES, {}}
{
    static_assert(RETH_BYTES == RCC_QP_RETH_BYTES, "the core adds the bytes of a RETH");
    rcc_timers_init(&m_core.timers);
}

// ---------------------------------------------------------------- opening and closing

uint32_t
RdmaSender::Open(const Path& path, Ptr<RccAlgorithm> algorithm)
{
    const uint32_t index = GetN();
    const rcc_algorithm* core = algorithm->GetCore();
    RdmaSendQpPtr qp = RdmaSendQp::Make(rcc_rp_size(core));
    if (!m_timerEvent.IsBound())
    {
        m_timerEvent.Bind(&RdmaSender::TimerExpired, this);
    }
    qp->tag.dscp = path.dscp;
    qp->ecn = rcc_cp_watches(core) == RCC_CP_ECN_CAPABLE ? RccEcn::ECT0 : RccEcn::NOT_ECT;
    qp->dst = path.dst;
    qp->hash = path.draws.hash;
    qp->peer = path.peer;
    qp->dstQp = path.peer->Open(algorithm, m_shared.node, index, path.draws.hash, path.cls, qp.get());

    const auto port = static_cast<uint16_t>(m_shared.ports.Pick(path.dst, path.draws.hash));
    const QbbNetDevice& device = *m_shared.ports.GetDevice(port);
    const rcc_profile* const profile =
        algorithm->GetRpProfile(device.GetRate(), {path.rate, path.baseRtt, m_shared.transport.mtu});
    RccFrame like = {};
    like.cnTagged = rcc_cp_watches(core) == RCC_CP_CN_TAGGED;
    like.telemetry = profile->needs.int_form;
    like.delays = profile->needs.wants & (RCC_WANT_HOPS | RCC_WANT_REMOTE_DELAY);
    qp->extras = like.extras;
    const uint32_t frame =
        m_shared.transport.mtu + path.maxOverhead + device.GetVlanBytes() + profile->needs.data_extra;
    NS_ABORT_MSG_IF(!rcc_bucket_passes(&m_shared.bucket, frame),
                    "BucketSize is below a frame of " << frame << " bytes");
    m_core.at = m_shared.ports.AddQp();
    rcc_rp* rp = rcc_rp_start(qp->RpMemory(), profile, RccNow(), path.draws.stream);
    rcc_qp_start(qp.get(), &m_core, rp, index, RccNow());
    rcc_qp_attach(qp.get(), &m_shared.ports.Reserve(port, path.cls), path.cls, SetPort(*qp, port, path.cls));
    if (m_shared.selective)
    {
        Recover(*qp, path, device.GetRate());
    }
    if (std::find(m_algorithms.begin(), m_algorithms.end(), algorithm) == m_algorithms.end())
    {
        m_algorithms.push_back(algorithm);
    }
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

/// Let a new half repeat selectively, with the window that its recovery has.
void
RdmaSender::Recover(RdmaSendQp& qp, const Path& path, uint64_t lineRate)
{
    qp.recovery.reset(new RdmaRepeat(*m_shared.recovery));
    if (path.baseRtt)
    {
        qp.recovery->window = rcc_selective_window(m_shared.recovery.get(), m_shared.transport.mtu,
                                                   std::min(path.rate, lineRate), path.baseRtt);
    }
    rcc_qp_repeat(&qp, qp.recovery.get());
}

/// The port says whether frames have an 802.1Q tag, and keeps the pauses that a reaction point may read.
/// \return bytes of a frame around its payload
uint16_t
RdmaSender::SetPort(RdmaSendQp& qp, uint16_t port, uint8_t cls)
{
    const QbbNetDevice& device = *m_shared.ports.GetDevice(port);
    qp.portIndex = port;
    qp.tag.vlan = device.GetVlan();
    if (rcc_rp_reads_pauses(qp.pacer.rp->profile->alg))
    {
        m_shared.ports.LogPauses(port, cls, RccNow());
    }
    const bool cnTagged = rcc_cp_watches(qp.pacer.rp->profile->alg) == RCC_CP_CN_TAGGED;
    return static_cast<uint16_t>(ROCE_OVERHEAD + device.GetVlanBytes() + (cnTagged ? CN_TAG_BYTES : 0) +
                                 qp.pacer.rp->profile->needs.data_extra);
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
        if (port == qp.portIndex)
        {
            continue;
        }
        m_shared.ports.Release(qp.portIndex, qp.cls);
        rcc_port& to = m_shared.ports.Reserve(port, qp.cls);
        Act(qp, rcc_qp_move(&m_core, &qp, &to, SetPort(qp, port, qp.cls), now), now);
    }
}

void
RdmaSender::Redraw(uint32_t index, const RdmaDraws& draws)
{
    RdmaSendQp& qp = *m_qps[index];
    const rcc_pause_log* const pauses = qp.pacer.rp->pause;
    rcc_rp_start(qp.RpMemory(), qp.pacer.rp->profile, RccNow(), draws.stream)->pause = pauses;
    qp.hash = draws.hash;
    qp.peer->Rehash(qp.dstQp, draws.hash);
}

void
RdmaSender::Post(uint32_t index, uint64_t bytes, const RdmaCompletion& done)
{
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
    unsigned actions;
    const rcc_post result = rcc_qp_post(&m_core, &qp, bytes, now, &actions);
    if (result == RCC_POST_FAILED)
    {
        return;
    }
    NS_ABORT_MSG_IF(result != RCC_POST_OK, rcc_post_text(result));
    DoneOf(qp, qp.tx.posted - 1) = done;
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << index << ": a message of " << bytes << " bytes begins");
    if (qp.started < 0)
    {
        qp.started = now;
    }
    qp.finished = -1;
    m_shared.traces->m_startTrace(index, bytes);
    Act(qp, actions, now);
}

void
RdmaSender::SetWindow(uint32_t index, uint64_t bytes, bool variable)
{
    NS_ABORT_MSG_IF(bytes && !m_shared.transport.reliable, "a window of datagrams, which nobody acknowledges");
    const int64_t now = RccNow();
    Act(*m_qps[index], rcc_qp_set_window(&m_core, m_qps[index].get(), bytes, variable, now), now);
}

void
RdmaSender::Close(uint32_t index)
{
    if (StopSending(index))
    {
        CloseReceiver(*m_qps[index], RccNow());
    }
}

bool
RdmaSender::StopSending(uint32_t index)
{
    RdmaSendQp& qp = *m_qps[index];
    if (qp.closed)
    {
        return false;
    }
    m_shared.ports.Release(qp.portIndex, qp.cls);
    if (!m_shared.local)
    {
        qp.closed = true;
        return false;
    }
    NS_LOG_INFO("node " << m_shared.node << " closes queue pair " << index);
    m_shared.traces->m_closeTrace(index);
    rcc_qp_close(&m_core, &qp);
    return true;
}

/// The receiving half is closed after the longest delay of a link of its network, so on any rank.
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

// ---------------------------------------------------------------- sending

const rcc_rp*
RdmaSender::Advance(uint32_t index, int64_t now)
{
    rcc_qp_advance(&m_core, m_qps[index].get(), now);
    return m_qps[index]->pacer.rp;
}

/// Do what the core leaves to its host. \param actions bits of enum rcc_qp_action
inline void
RdmaSender::Act(RdmaSendQp& qp, unsigned actions, int64_t now)
{
    if (actions & RCC_QP_WAKE)
    {
        QbbNetDevice& device = *m_shared.ports.GetDevice(qp.portIndex);
        if (!(device.GetPausedClasses() & (1u << qp.cls)))
        {
            device.Kick(qp.key, now);
        }
    }
    if (actions & RCC_QP_TIMER)
    {
        m_timerEvent.AtOrBefore(qp.tx.timer.due, now);
    }
}

inline void
RdmaSender::RecordReactionPoint(const RdmaSendQp& qp, RdmaRpCause cause) const
{
    if (m_shared.traces->IsConnected())
    {
        m_shared.traces->RecordReactionPoint(qp.id, qp.pacer.rp, cause);
    }
}

RccFrame*
RdmaSender::NextFrame(uint32_t portIndex, int64_t now, uint8_t paused)
{
    const rcc_port& port = m_shared.ports.Get(portIndex);
    for (;;)
    {
        rcc_time due;
        rcc_segment segment;
        const uint32_t first = rcc_port_first(&port, paused, &due);
        if (due > now)
        {
            return nullptr;
        }
        RdmaSendQp& qp = *m_qps[first];
        const unsigned actions = rcc_qp_next(&m_core, &qp, now, &segment);
        if (actions & RCC_QP_TIMER)
        {
            m_timerEvent.AtOrBefore(qp.tx.timer.due, now);
        }
        if (actions & RCC_QP_SENT)
        {
            return BuildData(qp, segment, now);
        }
    }
}

inline __attribute__((always_inline)) RccFrame* // only NextFrame calls it
RdmaSender::BuildData(RdmaSendQp& qp, const rcc_segment& segment, int64_t now)
{
    RccFrame* f = m_shared.pool->Get();
    f->kind = RccFrameKind::DATA;
    f->payload = segment.payload;
    f->bytes = rcc_qp_frame_bytes(&qp, &segment);
    f->src = m_shared.node;
    f->dst = qp.dst;
    f->srcQp = qp.id;
    f->dstQp = qp.dstQp;
    f->psn = segment.packet;
    f->stamp = now;
    f->hash = qp.hash;
    f->ecn = qp.ecn;
    f->cls = qp.cls;
    f->extras = qp.extras;
    f->first = segment.first;
    f->last = segment.last;
    f->tag = qp.tag;
    f->write = m_shared.transport.write;
    f->dmaLength = segment.dma_length;
    f->ackRequest = segment.ack_request;

    qp.packetsSent++;
    m_shared.counters.packetsSent++;
    m_shared.counters.bytesSent += f->bytes;
    if (segment.repeated)
    {
        CountRepeated(*f);
    }
    RecordReactionPoint(qp, RdmaRpCause::SENT);
    const rcc_heap& heap = qp.port->classes[qp.cls].heap;
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

__attribute__((noinline)) void
RdmaSender::CountRepeated(const RccFrame& frame)
{
    m_shared.counters.packetsRepeated++;
    m_shared.counters.bytesRepeated += frame.bytes;
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
    RdmaSendQp* const found = m_qps[frame.dstQp].get();
    (cnp ? m_shared.counters.cnpsReceived : m_shared.counters.cnmsReceived)++;
    if (!found)
    {
        return;
    }
    RdmaSendQp& qp = *found;
    (cnp ? qp.cnpsReceived : qp.cnmsReceived)++;
    const bool watched = m_shared.traces->IsConnected();
    if (watched)
    {
        m_shared.traces->RecordSignal(frame);
    }
    rcc_feedback feedback = {};
    feedback.kind = cnp ? RCC_FEEDBACK_CNP : RCC_FEEDBACK_CNM;
    feedback.period_ns = frame.period;
    feedback.qfb = frame.qfb;
    const unsigned actions = rcc_qp_signal(&m_core, &qp, &feedback, now);
    if (actions & RCC_QP_IGNORED)
    {
        return;
    }
    if (watched)
    {
        m_shared.traces->RecordReactionPoint(qp.id, qp.pacer.rp, cnp ? RdmaRpCause::CNP : RdmaRpCause::CNM);
    }
    Act(qp, actions, now);
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.id << ": " << (cnp ? "CNP" : "CNM") << ", rate now "
                        << rcc_rp_rate(qp.pacer.rp) << " bit/s");
}

void
RdmaSender::AckArrived(const RccFrame& frame, int64_t now)
{
    const bool nak = frame.kind == RccFrameKind::NAK;
    (nak ? m_shared.counters.naksReceived : m_shared.counters.acksReceived)++;
    if (!m_qps[frame.dstQp])
    {
        return;
    }
    RdmaSendQp& qp = *m_qps[frame.dstQp];
    const uint64_t before = qp.tx.next;
    rcc_qp_answer answer = {};
    answer.packet = frame.psn;
    answer.rtt = frame.stamp >= 0 ? now - frame.stamp : -1;
    answer.nak = nak;
    answer.ce = frame.ceEcho;
    if (frame.extras)
    {
        ReadExtras(frame, &answer);
    }
    const unsigned actions = rcc_qp_ack(&m_core, &qp, &answer, now);
    if (actions & RCC_QP_IGNORED)
    {
        return;
    }
    if (actions & RCC_QP_INVALID)
    {
        m_shared.counters.acksInvalid++;
        m_shared.traces->m_rejectTrace(frame);
        return;
    }
    if (actions & RCC_QP_WENT_BACK)
    {
        RecordGoBack(qp, before, false);
    }
    if (!nak)
    {
        RecordReactionPoint(qp, RdmaRpCause::ACK);
    }
    Act(qp, actions, now);
    Complete(qp, now);
    if (!qp.closed) // it may have been closed by its owner, now that it is complete
    {
        Act(qp, rcc_qp_await(&m_core, &qp, now), now); // a packet may have left since
    }
}

/// Read what an acknowledgement says of the path and of selective repeat. \param answer output
__attribute__((noinline)) void
RdmaSender::ReadExtras(const RccFrame& frame, rcc_qp_answer* answer)
{
    if (frame.sacked)
    {
        answer->sack = &frame.path->sack;
    }
    if (!frame.telemetry && !frame.delays)
    {
        return;
    }
    answer->hops = frame.dataHops;
    answer->remote = frame.remote;
    if (frame.telemetry && frame.path)
    {
        const rcc_wire_int& path = frame.path->records;
        answer->n_path = rcc_wire_int_records(path.form, path.n);
        answer->path_id = path.path_id;
        answer->path = path.hop;
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
        NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.id << ": a message of " << bytes
                            << " bytes ends after " << took << " ns");
        m_shared.traces->m_endTrace(qp.id, bytes, took);
        done(qp.id);
    }
}

// ---------------------------------------------------------------- retransmission

void
RdmaSender::TimerExpired(void* sender, int64_t now)
{
    auto self = static_cast<RdmaSender*>(sender);
    const rcc_timer* first = rcc_timers_first(&self->m_core.timers);
    for (; first && first->due <= now; first = rcc_timers_first(&self->m_core.timers))
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
    const unsigned actions = rcc_qp_timeout(&m_core, &qp, now);
    if (!(actions & (RCC_QP_FAILED | RCC_QP_WENT_BACK))) // selective repeat waits for longer
    {
        Act(qp, actions, now);
        return;
    }
    m_shared.counters.timeouts++;
    if (actions & RCC_QP_FAILED)
    {
        NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.id << " fails: no acknowledgement after "
                            << qp.tx.retries << " retries");
        m_shared.traces->m_failTrace(qp.id);
        return;
    }
    RecordGoBack(qp, before, true);
    Act(qp, actions, now);
}

void
RdmaSender::RecordGoBack(const RdmaSendQp& qp, uint64_t from, bool timeout) const
{
    NS_LOG_INFO("node " << m_shared.node << " queue pair " << qp.id << ": back to packet " << qp.tx.next << " from "
                        << from << (timeout ? ", timeout" : ", NAK"));
    m_shared.traces->m_goBackTrace(qp.id, qp.tx.next, from > qp.tx.next ? from - qp.tx.next : 0, timeout);
}

} // namespace ns3
