/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic's queue pairs: opening and closing, messages, the ports that they use. */
#include "rdma-nic.h"

#include "rcc-random.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNicQp");

namespace
{
const uint32_t PAUSE_LOG_FIRST = 256; // toggles
} // namespace

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
    qp->rp = rcc_rp_start(qp->rpMemory, core->rp, algorithm->GetRpProfile(port.device->GetRate()), RccNow(),
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
    NS_LOG_INFO("node " << from->m_node << " opens queue pair " << index << " to node " << to->m_node << ", "
                        << core->name);
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
        const bool may =
            route == m_routes.end() || std::find(route->second.begin(), route->second.end(), p) != route->second.end();
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
    np->state = rcc_np_start(np->memory.get(), ops, algorithm->GetNpProfile(m_ports[0]->device->GetRate()), capacity);
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

} // namespace ns3
