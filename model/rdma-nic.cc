/* SPDX-License-Identifier: GPL-2.0-only */
#include "rdma-nic.h"

#include "rcc-random.h"

#include "ns3/abort.h"
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
const uint32_t PAUSE_LOG_FIRST = 256;
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
            .AddAttribute("Mtu",
                          "Payload of a full packet, bytes.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RdmaNic::m_mtu),
                          MakeUintegerChecker<uint32_t>(1, 9000))
            .AddAttribute("AckEvery",
                          "Every n-th packet asks for an acknowledgement, and the last of a message.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RdmaNic::m_ackEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ChunkPackets",
                          "The last packet of so many asks for an acknowledgement as well; 0 = no chunks.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaNic::m_chunk),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BackToZero",
                          "Going back means to the first packet of a chunk, not to the one that is missing.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_backToZero),
                          MakeBooleanChecker())
            .AddAttribute("Write",
                          "Messages are RDMA WRITE, whose first packet has a RETH of 16 bytes more; false: SEND.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_write),
                          MakeBooleanChecker())
            .AddAttribute("AckHighPriority",
                          "ACK and NAK travel in ControlClass; false: in the class of the data they answer.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaNic::m_ackHighPriority),
                          MakeBooleanChecker())
            .AddAttribute("Reliable",
                          "False: datagrams, which ask for no acknowledgement, are sent once and are accepted "
                          "whatever was lost before. At both ends, and for messages without end.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaNic::m_reliable),
                          MakeBooleanChecker())
            .AddAttribute("RetransmissionTimeout",
                          "Time without an answer to a requested acknowledgement after which the sender "
                          "goes back; InfiniBand's 4.096 us x 2^14 by default.",
                          TimeValue(NanoSeconds(67108864)),
                          MakeTimeAccessor(&RdmaNic::m_rto),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("BucketSize",
                          "Depth of a queue pair's token bucket, bytes; 0 = every packet leaves when its rate says.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaNic::m_bucketSize),
                          MakeUintegerChecker<uint32_t>(0, 1u << 30))
            .AddAttribute("BucketInterval",
                          "Time between tokens, which are of whole bytes.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&RdmaNic::m_bucketInterval),
                          MakeTimeChecker(NanoSeconds(1), MilliSeconds(1)))
            .AddAttribute("BucketDebt",
                          "A packet leaves when there is a token, not when there are as many as it has bytes.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNic::m_bucketDebt),
                          MakeBooleanChecker())
            .AddAttribute("ControlClass",
                          "Class of ACK, NAK and CNP.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaNic::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1));
    static const TypeId traced = AddTraceSources(tid);
    return traced;
}

RdmaNic::RdmaNic()
    : m_pool(RccFramePool::Current())
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

// ---------------------------------------------------------------- queue pairs

uint32_t
RdmaNic::Connect(Ptr<RdmaNic> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> algorithm, uint8_t cls)
{
    NS_ABORT_MSG_IF(cls >= QBB_CLASSES, "traffic class " << unsigned(cls) << " is above 7");
    auto index = static_cast<uint32_t>(from->m_send.size());
    const uint64_t id = (from->m_user.Id(from->m_node) << 32) + index;
    const uint64_t seed = from->m_user.Seed(from->m_seed);
    const uint32_t hash = HashOf(seed, static_cast<uint32_t>(from->m_user.Id(from->m_node)), index);
    const rcc_algorithm* core = algorithm->GetCore();

    std::unique_ptr<RdmaSendQp> qp(new RdmaSendQp);
    qp->index = index;
    qp->port = static_cast<uint16_t>(from->PickPort(to->m_node, hash));
    qp->cls = cls;
    qp->cnTagged = core->cp && core->cp->frames == RCC_CP_CN_TAGGED;
    qp->ecnCapable = core->cp && core->cp->frames == RCC_CP_ECN_CAPABLE;
    qp->dst = to->m_node;
    qp->hash = hash;
    qp->peer = PeekPointer(to);
    qp->dstQp = to->AddRecvQp(algorithm, from->m_node, index, hash, cls);

    Port& port = *from->m_ports[qp->port];
    qp->rp = rcc_rp_start(qp->rpMemory,
                          core->rp,
                          algorithm->GetRpProfile(port.device->GetRate()),
                          RccNow(),
                          RccStreamOf(seed, RccStream::REACTION_POINT, id));
    if (from->m_bucket.IsOn())
    {
        qp->tokens = from->m_bucket.Start(RccNow());
        const uint32_t frame = from->m_mtu + from->GetMaxOverhead() + port.device->GetVlanBytes();
        NS_ABORT_MSG_IF(!from->m_bucket.Passes(frame), "BucketSize is below a frame of " << frame << " bytes");
    }
    from->SetTags(*qp);
    from->LogPauses(*qp);
    if (std::find(from->m_algorithms.begin(), from->m_algorithms.end(), algorithm) == from->m_algorithms.end())
    {
        from->m_algorithms.push_back(algorithm);
    }
    from->m_heapPos.push_back(RdmaSendHeap::NOT_QUEUED);
    from->m_send.push_back(std::move(qp));
    NS_LOG_INFO("node " << from->m_node << " opens queue pair " << index << " to node " << to->m_node << ", " << core->name);
    from->m_openTrace(index);
    if (from->m_watch)
    {
        from->SawRp(*from->m_send[index], RdmaRpCause::OPENED);
    }
    return index;
}

uint32_t
RdmaNic::HashOf(uint64_t seed, uint32_t host, uint32_t index)
{
    const uint64_t id = (static_cast<uint64_t>(host) << 32) + index;
    return static_cast<uint32_t>(RccStreamOf(seed, RccStream::FLOW_HASH, id));
}

void
RdmaNic::SetRoute(uint32_t host, const std::vector<uint32_t>& ports)
{
    m_routes[host] = ports;
}

uint32_t
RdmaNic::PickPort(uint32_t host, uint32_t hash) const
{
    const auto n = static_cast<uint32_t>(m_ports.size());
    if (m_routes.empty() && !m_anyDown)
    {
        return hash % n;
    }
    std::vector<uint32_t> some;
    auto route = m_routes.find(host);
    for (uint32_t p = 0; p < n; p++)
    {
        const bool may = route == m_routes.end() ||
                         std::find(route->second.begin(), route->second.end(), p) != route->second.end();
        if (may && !m_ports[p]->down)
        {
            some.push_back(p);
        }
    }
    return some.empty() ? hash % n : some[hash % some.size()];
}

/// The port of a queue pair says whether its frames have an 802.1Q tag.
void
RdmaNic::SetTags(RdmaSendQp& qp) const
{
    const QbbNetDevice& device = *m_ports[qp.port]->device;
    qp.vlan = device.GetVlan();
    qp.tagBytes = static_cast<uint8_t>(device.GetVlanBytes() + (qp.cnTagged ? CN_TAG_BYTES : 0));
}

/// Keep the pause log of a queue pair's port and class if its reaction point reads it.
void
RdmaNic::LogPauses(RdmaSendQp& qp)
{
    if (!qp.rp->ops->reads_pauses)
    {
        return;
    }
    Port& port = *m_ports[qp.port];
    SendClass& c = port.classes[qp.cls];
    if (!c.pauseMemory)
    {
        c.pauseMemory.reset(new rcc_time[PAUSE_LOG_FIRST]);
        rcc_pause_log_init(&c.pauses, c.pauseMemory.get(), PAUSE_LOG_FIRST);
        c.LogPause(port.device->GetPausedClasses() & (1u << qp.cls), RccNow());
    }
    qp.rp->pause = &c.pauses;
}

void
RdmaNic::MovePort(RdmaSendQp& qp, int64_t now)
{
    const auto port = static_cast<uint16_t>(PickPort(qp.dst, qp.hash));
    if (port == qp.port)
    {
        return;
    }
    const bool queued = m_heapPos[qp.index] != RdmaSendHeap::NOT_QUEUED;
    Advance(qp, now);
    HeapRemove(qp);
    qp.port = port;
    SetTags(qp);
    LogPauses(qp);
    if (queued)
    {
        Reschedule(qp, now);
    }
}

void
RdmaNic::LinkDown(uint32_t port, int64_t now)
{
    m_ports[port]->down = m_anyDown = true;
    Reroute(now);
}

void
RdmaNic::Reroute(int64_t now)
{
    for (auto& qp : m_send)
    {
        if (qp && !qp->closed)
        {
            MovePort(*qp, now);
        }
    }
    for (auto& qp : m_recv)
    {
        qp.port = static_cast<uint16_t>(PickPort(qp.src, qp.hash));
    }
}

uint32_t
RdmaNic::AddRecvQp(Ptr<RccAlgorithm> algorithm, uint32_t src, uint32_t srcQp, uint32_t hash, uint8_t cls)
{
    auto index = static_cast<uint32_t>(m_recv.size());
    RdmaRecvQp qp;
    qp.src = src;
    qp.srcQp = srcQp;
    qp.hash = hash;
    qp.port = static_cast<uint16_t>(PickPort(src, hash));
    qp.cls = cls;
    qp.np = FindNp(algorithm);
    m_recv.push_back(qp);
    if (qp.np != UINT16_MAX)
    {
        Np& np = *m_nps[qp.np];
        if (index >= np.state->capacity)
        {
            uint32_t capacity = std::max(index + 1, 2 * np.state->capacity);
            std::unique_ptr<uint64_t[]> memory(new uint64_t[np.state->ops->size(capacity) / 8 + 1]);
            np.state = rcc_np_grow(memory.get(), np.state, capacity);
            np.memory = std::move(memory);
        }
        rcc_np_open(np.state, index);
    }
    return index;
}

uint16_t
RdmaNic::FindNp(Ptr<RccAlgorithm> algorithm)
{
    const rcc_np_ops* ops = algorithm->GetCore()->np;
    if (!ops)
    {
        return UINT16_MAX;
    }
    for (size_t i = 0; i < m_nps.size(); i++)
    {
        if (m_nps[i]->algorithm == algorithm)
        {
            return static_cast<uint16_t>(i);
        }
    }
    const uint32_t capacity = 64;
    std::unique_ptr<Np> np(new Np);
    np->algorithm = algorithm;
    np->memory.reset(new uint64_t[ops->size(capacity) / 8 + 1]);
    np->state =
        rcc_np_start(np->memory.get(), ops, algorithm->GetNpProfile(m_ports[0]->device->GetRate()), capacity);
    np->event.Bind(&RdmaNic::NpEvent, np.get());
    np->self = this;
    m_nps.push_back(std::move(np));
    return static_cast<uint16_t>(m_nps.size() - 1);
}

void
RdmaNic::Post(uint32_t index, uint64_t bytes, Callback<void, uint32_t> done)
{
    RdmaSendQp& qp = *m_send[index];
    int64_t now = RccNow();
    NS_ABORT_MSG_IF(qp.closed, "message posted on a closed queue pair");
    NS_ABORT_MSG_IF(!m_reliable && bytes, "a message of datagrams has no end that could be acknowledged");
    uint64_t first = qp.messages.empty() ? qp.next : qp.messages.back().end;
    NS_ABORT_MSG_IF(first == UINT64_MAX, "message posted behind one without end");
    if (qp.answering >= qp.messages.size() / 2)
    {
        // Forget what is answered; half at a time, so that it costs O(1) a message.
        qp.messages.erase(qp.messages.begin(), qp.messages.begin() + qp.answering);
        qp.sending -= qp.answering;
        qp.answering = 0;
    }
    uint64_t packets = bytes / m_mtu + (bytes % m_mtu != 0); // bytes may be near 2^64
    RdmaSendQp::Message m;
    m.begin = first;
    m.end = bytes ? first + packets : UINT64_MAX;
    m.lastPayload = bytes ? static_cast<uint32_t>(bytes - (packets - 1) * m_mtu) : m_mtu;
    m.posted = now;
    m.done = done;
    qp.messages.push_back(m);
    NS_LOG_INFO("node " << m_node << " queue pair " << index << ": a message of " << bytes << " bytes begins");
    if (qp.started < 0)
    {
        qp.started = now;
    }
    qp.finished = -1;
    m_startTrace(index, bytes);
    Resume(qp, now);
}

void
RdmaNic::Close(uint32_t index)
{
    RdmaSendQp& qp = *m_send[index];
    if (qp.closed)
    {
        return;
    }
    NS_LOG_INFO("node " << m_node << " closes queue pair " << index);
    m_closeTrace(index);
    qp.closed = true;
    HeapRemove(qp);
    RtoRemove(qp);
    qp.messages.clear();
    qp.answering = qp.sending = 0;
    qp.peer->CloseRecv(qp.dstQp);
}

void
RdmaNic::Forget(uint32_t index)
{
    NS_ABORT_MSG_IF(m_send[index] && !m_send[index]->closed, "Forget of an open queue pair");
    m_send[index].reset();
}

void
RdmaNic::CloseRecv(uint32_t index)
{
    RdmaRecvQp& qp = m_recv[index];
    qp.closed = true;
    if (qp.np != UINT16_MAX)
    {
        rcc_np_close(m_nps[qp.np]->state, index);
    }
}

uint64_t
RdmaNic::GetRate(uint32_t index)
{
    RdmaSendQp& qp = *m_send[index];
    Advance(qp, RccNow());
    if (m_watch)
    {
        SawRp(qp, RdmaRpCause::READ);
    }
    return rcc_rp_rate(qp.rp);
}

RdmaRpState
RdmaNic::GetRpState(uint32_t index)
{
    RdmaSendQp& qp = *m_send[index];
    Advance(qp, RccNow());
    if (m_watch)
    {
        SawRp(qp, RdmaRpCause::READ);
    }
    return StateOf(qp);
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
    const int64_t at = m_bucket.IsOn() ? m_bucket.NextSend(qp.rp, qp.tokens, NextPayload(qp) + NextOverhead(qp)) : rcc_rp_next_send(qp.rp);
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
