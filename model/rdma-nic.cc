/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-nic.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNic");
NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{
const uint32_t PAUSE_LOG_LAST = 16384; // toggles; at one pause in 2 us it remembers 16 ms
} // namespace

TypeId
RdmaNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaNic")
            .SetParent<Object>()
            .SetGroupName("Rcc")
            .AddConstructor<RdmaNic>()
            .AddAttribute("Mtu", "Payload of a full packet, bytes.", UintegerValue(1000),
                          MakeUintegerAccessor(&RdmaNic::m_mtu), MakeUintegerChecker<uint32_t>(1, 9000))
            .AddAttribute("AckEvery", "Every n-th packet asks for an acknowledgement, and the last of a message.",
                          UintegerValue(64), MakeUintegerAccessor(&RdmaNic::m_ackEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ChunkPackets",
                          "The last packet of so many asks for an acknowledgement as well; 0 = no chunks.",
                          UintegerValue(0), MakeUintegerAccessor(&RdmaNic::m_chunk), MakeUintegerChecker<uint32_t>())
            .AddAttribute("BackToZero",
                          "Going back means to the first packet of a chunk, not to the one that is missing.",
                          BooleanValue(false), MakeBooleanAccessor(&RdmaNic::m_backToZero), MakeBooleanChecker())
            .AddAttribute("Write",
                          "Messages are RDMA WRITE, whose first packet has a RETH of 16 bytes more; false: SEND.",
                          BooleanValue(false), MakeBooleanAccessor(&RdmaNic::m_write), MakeBooleanChecker())
            .AddAttribute("AckHighPriority",
                          "ACK and NAK travel in ControlClass; false: in the class of the data they answer.",
                          BooleanValue(true), MakeBooleanAccessor(&RdmaNic::m_ackHighPriority), MakeBooleanChecker())
            .AddAttribute("Reliable",
                          "False: datagrams, which ask for no acknowledgement, are sent once and are accepted "
                          "whatever was lost before. At both ends, and for messages without end.",
                          BooleanValue(true), MakeBooleanAccessor(&RdmaNic::m_reliable), MakeBooleanChecker())
            .AddAttribute("RetransmissionTimeout",
                          "Time without an answer to a requested acknowledgement after which the sender "
                          "goes back; InfiniBand's 4.096 us x 2^14 by default.",
                          TimeValue(NanoSeconds(67108864)), MakeTimeAccessor(&RdmaNic::m_rto),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("BucketSize",
                          "Depth of a queue pair's token bucket, bytes; 0 = every packet leaves when its rate says.",
                          UintegerValue(0), MakeUintegerAccessor(&RdmaNic::m_bucketSize),
                          MakeUintegerChecker<uint32_t>(0, 1u << 30))
            .AddAttribute("BucketInterval", "Time between tokens, which are of whole bytes.",
                          TimeValue(MicroSeconds(16)), MakeTimeAccessor(&RdmaNic::m_bucketInterval),
                          MakeTimeChecker(NanoSeconds(1), MilliSeconds(1)))
            .AddAttribute("BucketDebt",
                          "A packet leaves when there is a token, not when there are as many as it has bytes.",
                          BooleanValue(false), MakeBooleanAccessor(&RdmaNic::m_bucketDebt), MakeBooleanChecker())
            .AddAttribute("ControlClass", "Class of ACK, NAK and CNP.", UintegerValue(7),
                          MakeUintegerAccessor(&RdmaNic::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1));
    static const TypeId traced = AddTraceSources(tid);
    return traced;
}

RdmaNic::RdmaNic() : m_pool(RccFramePool::Current())
{
}

RdmaNic::~RdmaNic() = default;

void
RdmaNic::DoDispose()
{
    m_rtoEvent.Unbind();
    m_nps.clear();
    m_send.clear();
    m_recv.clear();
    m_ports.clear();
    m_algorithms.clear();
    Object::DoDispose();
}

uint32_t
RdmaNic::AddPort(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    auto index = static_cast<uint32_t>(m_ports.size());
    m_node = device->GetNode()->GetId();
    m_ports.emplace_back(new Port);
    m_ports.back()->device = device;
    device->SetOwner(this, index, true);
    m_bucket.Set(m_bucketSize, m_bucketInterval.GetNanoSeconds(), m_bucketDebt);
    if (!m_rtoEvent.IsBound())
    {
        m_rtoEvent.Bind(&RdmaNic::RtoEvent, this);
    }
    return index;
}

// ---------------------------------------------------------------- who is next

void
RdmaNic::HeapSet(RdmaSendQp& qp, int64_t key)
{
    Port& port = *m_ports[qp.port];
    SendClass& c = port.classes[qp.cls];
    qp.pauseEpoch = c.pauseEpoch;
    qp.key = key;
    port.used |= 1u << qp.cls;
    c.heap.Set(qp.index, key, m_heapPos);
}

void
RdmaNic::HeapRemove(RdmaSendQp& qp)
{
    if (m_heapPos[qp.index] == RdmaSendHeap::NOT_QUEUED)
    {
        return;
    }
    Port& port = *m_ports[qp.port];
    port.classes[qp.cls].heap.Remove(qp.index, m_heapPos);
    if (port.classes[qp.cls].heap.IsEmpty())
    {
        port.used &= ~(1u << qp.cls);
    }
}

// ---------------------------------------------------------------- sending

int64_t
RdmaNic::NextDue(uint32_t portIndex, uint8_t paused)
{
    const Port& port = *m_ports[portIndex];
    uint8_t ready = port.used & ~paused;
    int64_t due = RCC_TIME_NEVER;
    for (uint8_t c = 0; ready >> c; c++)
    {
        if (ready & (1u << c))
        {
            due = std::min(due, port.classes[c].heap.FirstKey());
        }
    }
    return due;
}

RccFrame*
RdmaNic::NextFrame(uint32_t portIndex, int64_t now, uint8_t paused)
{
    Port& port = *m_ports[portIndex];
    for (;;)
    {
        uint8_t ready = port.used & ~paused;
        int64_t due = RCC_TIME_NEVER;
        const RdmaSendHeap* first = nullptr;
        for (uint8_t c = 0; ready >> c; c++)
        {
            if ((ready & (1u << c)) && port.classes[c].heap.FirstKey() < due)
            {
                first = &port.classes[c].heap;
                due = first->FirstKey();
            }
        }
        if (due > now)
        {
            return nullptr;
        }
        RdmaSendQp& qp = *m_send[first->First()];
        if (qp.pauseEpoch != port.classes[qp.cls].pauseEpoch)
        {
            // The key was foreseen without the pauses that came since; rate steps may have been skipped.
            Advance(qp, now);
            int64_t key = NextSend(qp);
            if (key > now)
            {
                HeapSet(qp, key);
                continue;
            }
        }
        if (qp.window)
        {
            Advance(qp, now); // a variable window follows the rate
            if (IsWindowFull(qp))
            {
                HeapRemove(qp);
                continue;
            }
        }
        return BuildData(qp, now);
    }
}

/// The queue pair that sends next has left the cache since its last packet.
void
RdmaNic::Prefetch(const RdmaSendHeap& heap) const
{
    if (!heap.IsEmpty())
    {
        const char* qp = reinterpret_cast<const char*>(m_send[heap.First()].get());
        for (size_t line = 0; line < sizeof(RdmaSendQp); line += 64)
        {
            __builtin_prefetch(qp + line);
        }
    }
}

/// Every timer of the reaction point up to now, and the tokens.
void
RdmaNic::Advance(RdmaSendQp& qp, int64_t now)
{
    if (m_bucket.IsOn())
    {
        m_bucket.Fill(qp.rp, qp.tokens, now);
    }
    else
    {
        rcc_rp_advance(qp.rp, now);
    }
}

/// When a queue pair with something to send may, if nothing happens.
int64_t
RdmaNic::NextSend(const RdmaSendQp& qp) const
{
    const int64_t at = m_bucket.IsOn() ? m_bucket.NextSend(qp.rp, qp.tokens, NextPayload(qp) + NextOverhead(qp))
                                       : rcc_rp_next_send(qp.rp);
    return qp.offerRate ? std::max(at, qp.offerAt) : at;
}

/// Bytes of the packet that is next.
uint32_t
RdmaNic::NextPayload(const RdmaSendQp& qp) const
{
    const RdmaSendQp::Message& m = qp.messages[qp.sending];
    return qp.next + 1 == m.end ? m.lastPayload : m_mtu;
}

/// What the packet that is next has around its payload.
uint32_t
RdmaNic::NextOverhead(const RdmaSendQp& qp) const
{
    const bool reth = m_write && qp.next == qp.messages[qp.sending].begin;
    return ROCE_OVERHEAD + qp.tagBytes + (reth ? RETH_BYTES : 0);
}

bool
RdmaNic::IsWindowFull(const RdmaSendQp& qp) const
{
    if (qp.next <= qp.una)
    {
        return false;
    }
    uint64_t window = qp.window;
    if (qp.variableWindow)
    {
        __extension__ typedef unsigned __int128 Wide;
        const uint64_t line = m_ports[qp.port]->device->GetRate();
        window = static_cast<uint64_t>(static_cast<Wide>(window) * (qp.rp->rate >> RCC_RATE_SHIFT) / line);
        window = std::max<uint64_t>(window, 1);
    }
    return (qp.next - qp.una) * m_mtu >= window;
}

/// What was sent after the last packet in order is sent again.
void
RdmaNic::GoBack(RdmaSendQp& qp, bool timeout)
{
    const uint64_t before = qp.next;
    qp.next = qp.una;
    if (m_backToZero && m_chunk && qp.answering < qp.messages.size())
    {
        qp.next = std::max(qp.una - qp.una % m_chunk, qp.messages[qp.answering].begin);
    }
    NS_LOG_INFO("node " << m_node << " queue pair " << qp.index << ": back to packet " << qp.next << " from " << before
                        << (timeout ? ", timeout" : ", NAK"));
    m_goBackTrace(qp.index, qp.next, before > qp.next ? before - qp.next : 0, timeout);
}

RccFrame*
RdmaNic::BuildData(RdmaSendQp& qp, int64_t now)
{
    const RdmaSendQp::Message& m = qp.messages[qp.sending];
    RccFrame* f = m_pool->Get();
    bool last = qp.next + 1 == m.end;
    f->kind = RccFrameKind::DATA;
    f->payload = NextPayload(qp);
    f->bytes = f->payload + NextOverhead(qp);
    f->src = m_node;
    f->dst = qp.dst;
    f->srcQp = qp.index;
    f->dstQp = qp.dstQp;
    f->psn = qp.next;
    f->stamp = now;
    f->hash = qp.hash;
    f->ecn = qp.ecnCapable ? RccEcn::ECT0 : RccEcn::NOT_ECT;
    f->cls = qp.cls;
    f->cnTagged = qp.cnTagged;
    f->first = qp.next == m.begin;
    f->last = last;
    f->vlan = qp.vlan;
    f->write = m_write;
    f->dmaLength = m_write && f->first ? m.DmaLength(m_mtu) : 0;
    const bool chunkEnds = m_chunk && (qp.next + 1) % m_chunk == 0;
    f->ackRequest = m_reliable && (last || chunkEnds || (qp.next + 1) % m_ackEvery == 0);

    qp.next++;
    const bool full = qp.window && IsWindowFull(qp);
    if (full || qp.variableWindow) // nothing else would open the window again
    {
        f->ackRequest = m_reliable;
    }
    qp.highest = std::max(qp.highest, qp.next);
    qp.packetsSent++;
    m_counters.packetsSent++;
    m_counters.bytesSent += f->bytes;
    if (f->ackRequest && !qp.rtoListed)
    {
        RtoAdd(qp, now);
    }
    if (m_bucket.IsOn())
    {
        Advance(qp, now);
        qp.tokens.bytes -= f->bytes;
    }
    rcc_rp_sent(qp.rp, now, f->bytes);
    if (m_watch)
    {
        SawRp(qp, RdmaRpCause::SENT);
    }
    if (qp.offerRate)
    {
        qp.Offered(f->bytes, now);
    }
    if (last)
    {
        qp.sending++;
    }
    if (qp.sending < qp.messages.size() && !full)
    {
        HeapSet(qp, NextSend(qp));
    }
    else
    {
        HeapRemove(qp);
    }
    Prefetch(m_ports[qp.port]->classes[qp.cls].heap);
    return f;
}

void
RdmaNic::KickPort(const RdmaSendQp& qp, int64_t now)
{
    Port& port = *m_ports[qp.port];
    if (m_heapPos[qp.index] == 0 && !(port.device->GetPausedClasses() & (1u << qp.cls)))
    {
        port.device->Kick(qp.key, now);
    }
}

/// Put a queue pair with something to send on the heap, at the message `next` belongs to.
void
RdmaNic::Resume(RdmaSendQp& qp, int64_t now)
{
    qp.sending = qp.answering;
    while (qp.sending < qp.messages.size() && qp.next >= qp.messages[qp.sending].end)
    {
        qp.sending++;
    }
    if (qp.sending == qp.messages.size())
    {
        HeapRemove(qp);
        return;
    }
    Advance(qp, now);
    Reschedule(qp, now);
}

/// Something may have changed when a queue pair can send next.
void
RdmaNic::Reschedule(RdmaSendQp& qp, int64_t now)
{
    int64_t key = NextSend(qp);
    if (m_heapPos[qp.index] != RdmaSendHeap::NOT_QUEUED && key <= now && qp.key <= now)
    {
        return; // it waits for the port only, and keeps its turn
    }
    HeapSet(qp, key);
    KickPort(qp, now);
}

void
RdmaNic::FrameLost(uint32_t port, RccFrame* frame, int64_t now)
{
    m_ports[port]->device->Dropped(*frame, now);
    m_pool->Put(frame);
}

void
RdmaNic::FrameLeaves(uint32_t, RccFrame*, int64_t)
{
}

void
RdmaNic::SendClass::LogPause(bool paused, int64_t now)
{
    uint32_t capacity = pauses.mask + 1;
    if (pauses.count == capacity && capacity < PAUSE_LOG_LAST)
    {
        // Full for the first time at this size: entry i stays at i.
        std::unique_ptr<rcc_time[]> larger(new rcc_time[2 * capacity]);
        std::copy(pauseMemory.get(), pauseMemory.get() + capacity, larger.get());
        pauseMemory = std::move(larger);
        pauses.toggle = pauseMemory.get();
        pauses.mask = 2 * capacity - 1;
    }
    rcc_pause_log_set(&pauses, now, paused);
}

void
RdmaNic::PauseChanged(uint32_t portIndex, uint8_t paused, int64_t now)
{
    Port& port = *m_ports[portIndex];
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        SendClass& sc = port.classes[c];
        if (sc.pauseMemory && ((sc.pauses.count & 1u) != 0) != ((paused >> c) & 1u))
        {
            sc.LogPause((paused >> c) & 1u, now);
            sc.pauseEpoch++;
        }
    }
}

} // namespace ns3
