/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-invariants.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rcc-lines.h"

#include <algorithm>
#include <deque>
#include <sstream>

namespace ns3
{

namespace
{

const size_t EVENTS = 100;    // events of a node that a message shows
const size_t VIOLATIONS = 20; // that are remembered

/// \return one bit for the kind that a frame was sent as
uint32_t
KindOf(const RccFrame& frame)
{
    const auto kind = frame.kind == RccFrameKind::CORRUPT   ? static_cast<RccFrameKind>(frame.tag.was)
                      : frame.kind == RccFrameKind::TRIMMED ? RccFrameKind::DATA
                                                            : frame.kind;
    return 1u << static_cast<uint32_t>(kind);
}

/// \return frames that a switch makes of one that has arrived: of a broadcast one for each other host, whose copies
/// have its address
uint64_t
CountCopies(const Ptr<QbbSwitch>& sw, const RccFrame& frame)
{
    if (!sw || frame.dst != RCC_ALL_HOSTS)
    {
        return 1;
    }
    uint64_t copies = 0;
    for (uint32_t host = 0; host < sw->GetRoutes().GetHostsEnd(); host++)
    {
        copies += sw->GetRoutes().Find(host) && host != frame.src;
    }
    return copies;
}

} // namespace

/// A frame's event at a node.
struct LabInvariants::Event
{
    int64_t at;
    uint32_t port;
    const char* what;
    RccFrame frame;
};

/// Counts are of frames other than PFC.
struct LabInvariants::NodeState
{
    uint32_t id;
    const char* kind;
    Ptr<QbbSwitch> sw; //!< null for a host
    uint8_t lossless{0};
    uint64_t received{0}, sent{0}, dropped{0}, lostLossless{0}, intended{0};
    std::vector<Event, RccLineAllocator<Event>> events; //!< the last ones, a ring
    size_t oldest{0};                                   //!< the oldest event, once the ring is full
};

struct LabInvariants::PortState
{
    LabInvariants* self;
    NodeState* node;
    Ptr<QbbNetDevice> device;
    uint64_t rate;           //!< the link's first rate, bit/s
    uint64_t received, sent; //!< frames, PFC included
};

/// The messages of a host that have not ended.
struct LabInvariants::NicState
{
    /// One of them.
    struct Message
    {
        int64_t at;     //!< when it was posted, ns
        uint64_t bytes; //!< payload
    };

    /// Counts of a sending half.
    struct QueuePair
    {
        std::deque<Message> open; //!< in the order of posting
        uint64_t packets{0};      //!< packets of the messages that have ended
    };

    LabInvariants* self;
    Ptr<RdmaNic> nic;
    std::map<uint32_t, QueuePair> qps;
};

LabInvariants::LabInvariants() = default;

LabInvariants::~LabInvariants()
{
    for (const auto& port : m_ports)
    {
        for (const auto& source : Sources())
        {
            port->device->TraceDisconnectWithoutContext(source.first, MakeBoundCallback(source.second, port.get()));
        }
    }
    for (const auto& nic : m_nics)
    {
        nic->nic->TraceDisconnectWithoutContext("MessageStart", MakeBoundCallback(&LabInvariants::Posted, nic.get()));
        nic->nic->TraceDisconnectWithoutContext("MessageEnd",
                                                MakeBoundCallback(&LabInvariants::CheckMessageEnd, nic.get()));
    }
}

// ---------------------------------------------------------------- events

const std::vector<std::pair<const char*, void (*)(LabInvariants::PortState*, const RccFrame&)>>&
LabInvariants::Sources()
{
    static const std::vector<std::pair<const char*, void (*)(PortState*, const RccFrame&)>> sources{
        {"Receive", &LabInvariants::Received},
        {"Dequeue", &LabInvariants::Dequeued},
        {"Drop", &LabInvariants::Dropped}};
    return sources;
}

/// \param object a switch or NIC \param kind its name in messages \return what is known of it
template <class T>
LabInvariants::NodeState&
LabInvariants::Watch(Ptr<T> object, const char* kind)
{
    NS_ABORT_MSG_IF(!object || !object->GetNPorts(), "LabInvariants: a " << kind << " without a port");
    m_nodes.emplace_back(new NodeState);
    NodeState& node = *m_nodes.back();
    node.id = object->GetPort(0)->GetNode()->GetId();
    node.kind = kind;
    m_nodeOf[node.id] = &node;
    for (uint32_t p = 0; p < object->GetNPorts(); p++)
    {
        Ptr<QbbNetDevice> device = object->GetPort(p);
        m_ports.emplace_back(new PortState{this, &node, device, device->GetRate(), 0, 0});
        m_portOf[PeekPointer(device)] = m_ports.back().get();
        for (const auto& source : Sources())
        {
            device->TraceConnectWithoutContext(source.first, MakeBoundCallback(source.second, m_ports.back().get()));
        }
    }
    return node;
}

void
LabInvariants::Add(Ptr<QbbSwitch> sw, uint8_t lossless)
{
    NodeState& node = Watch(sw, "switch");
    node.sw = sw;
    node.lossless = lossless;
}

void
LabInvariants::Add(Ptr<RdmaNic> nic)
{
    m_nicOf[Watch(nic, "host").id] = nic;
    m_nics.emplace_back(new NicState{this, nic, {}});
    nic->TraceConnectWithoutContext("MessageStart", MakeBoundCallback(&LabInvariants::Posted, m_nics.back().get()));
    nic->TraceConnectWithoutContext("MessageEnd",
                                    MakeBoundCallback(&LabInvariants::CheckMessageEnd, m_nics.back().get()));
}

void
LabInvariants::Record(PortState& port, const char* what, const RccFrame& frame)
{
    const int64_t now = RccNow();
    NodeState& node = *port.node;
    if (node.events.size() < EVENTS)
    {
        node.events.push_back(Event{now, port.device->GetPortNumber(), what, frame});
    }
    else
    {
        node.events[node.oldest] = Event{now, port.device->GetPortNumber(), what, frame};
        node.oldest = node.oldest + 1 < EVENTS ? node.oldest + 1 : 0;
    }
    if (now < m_last)
    {
        Violated(node.id, now, "time runs backwards: the last event was at " + std::to_string(m_last) + " ns");
    }
    m_last = std::max(m_last, now);
}

void
LabInvariants::Received(PortState* port, const RccFrame& frame)
{
    port->received++;
    port->node->received += frame.kind != RccFrameKind::PFC ? CountCopies(port->node->sw, frame) : 0;
    port->self->Record(*port, "received", frame);
}

void
LabInvariants::Dequeued(PortState* port, const RccFrame& frame)
{
    port->sent++;
    port->node->sent += frame.kind != RccFrameKind::PFC;
    port->self->Record(*port, "sent", frame);
}

void
LabInvariants::Dropped(PortState* port, const RccFrame& frame)
{
    NodeState& node = *port->node;
    node.dropped += frame.kind != RccFrameKind::PFC ? CountCopies(node.sw, frame) : 0;
    port->self->Record(*port, "dropped", frame);
    Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(port->device->GetChannel());
    const bool routed =
        node.sw && !(channel && channel->IsDown()) && node.sw->GetFirstOutput(frame.dst) < node.sw->GetNPorts();
    const bool intended = node.sw && node.sw->GetIntendedDrops() != node.intended;
    node.intended = node.sw ? node.sw->GetIntendedDrops() : 0;
    if (routed && !intended && (node.lossless >> frame.cls) & 1u && !port->self->m_dropsAllowed &&
        !port->self->IsCrowded(node, frame))
    {
        node.lostLossless++;
        port->self->Violated(node.id, RccNow(), "a frame of a lossless class is dropped");
    }
}

/// \return whether a frame that is dropped, or one that waits in its class, is of a kind that may come beyond headroom
bool
LabInvariants::IsCrowded(const NodeState& node, const RccFrame& dropped) const
{
    bool crowded = m_crowds & KindOf(dropped);
    for (uint32_t p = 0; m_crowds && p < node.sw->GetNPorts(); p++)
    {
        for (const RccFrame* f = node.sw->GetPort(p)->GetQueue(dropped.cls).Head(); f && !crowded; f = f->next)
        {
            crowded = m_crowds & KindOf(*f);
        }
    }
    return crowded;
}

void
LabInvariants::Posted(NicState* nic, uint32_t qp, uint64_t bytes)
{
    nic->qps[qp].open.push_back({RccNow(), bytes});
}

/// It is the oldest one that has not ended, and its receiver, if it is of this rank, has accepted all of it.
void
LabInvariants::CheckMessageEnd(NicState* nic, uint32_t qp, uint64_t bytes, int64_t ns)
{
    const int64_t now = RccNow();
    const uint32_t node = nic->nic->GetPort(0)->GetNode()->GetId();
    const std::string name = "queue pair " + std::to_string(qp) + ": ";
    NicState::QueuePair& state = nic->qps[qp];
    const NicState::Message first = state.open.empty() ? NicState::Message{-1, 0} : state.open.front();
    if (state.open.empty() || first.bytes != bytes || first.at != now - ns)
    {
        nic->self->Violated(node, now,
                            name + "a message of " + std::to_string(bytes) + " bytes posted at " +
                                std::to_string(now - ns) + " ns ends before one of " + std::to_string(first.bytes) +
                                " bytes posted at " + std::to_string(first.at) + " ns");
        return;
    }
    state.open.pop_front();
    state.packets += (bytes + nic->nic->GetMtu() - 1) / nic->nic->GetMtu();
    const RdmaSendQp& tx = nic->nic->GetSendQp(qp);
    const auto to = nic->self->m_nicOf.find(tx.dst);
    if (to == nic->self->m_nicOf.end() || !to->second->IsLocal())
    {
        return;
    }
    const uint64_t expected = to->second->GetRecvQp(tx.dstQp).rx.expected;
    if (expected < state.packets && !nic->self->IsForged(nic->nic, qp))
    {
        nic->self->Violated(node, now,
                            name + std::to_string(state.packets) +
                                " packets of messages have ended, the receiver has " + std::to_string(expected));
    }
}

// ---------------------------------------------------------------- checks

/// \return whether either end of a queue pair gets forged frames
bool
LabInvariants::IsForged(Ptr<RdmaNic> from, uint32_t qp) const
{
    const uint32_t node = from->GetPort(0)->GetNode()->GetId();
    const RdmaSendQp& tx = from->GetSendQp(qp);
    return m_forged.count({node, qp}) || m_forged.count({UINT32_MAX, qp}) || m_forged.count({tx.dst, tx.dstQp}) ||
           m_forged.count({UINT32_MAX, tx.dstQp});
}

void
LabInvariants::Violated(uint32_t id, int64_t now, const std::string& what)
{
    if (m_violations.size() >= VIOLATIONS)
    {
        return;
    }
    std::ostringstream text;
    const NodeState* node = m_nodeOf.count(id) ? m_nodeOf.at(id) : nullptr;
    text << "at " << now << " ns, " << (node ? node->kind : "node") << " " << id << ": " << what;
    for (size_t i = 0; node && i < node->events.size(); i++)
    {
        const Event& e = node->events[(node->oldest + i) % node->events.size()];
        text << "\n  " << e.at << " ns port " << e.port << " " << e.what << " ";
        e.frame.kind == RccFrameKind::IP ? text << "IP" : text << e.frame;
    }
    m_violations.push_back(text.str());
}

/// Every frame is passed on, dropped or held; what the buffer accounts for is what is queued, by port of arrival and
/// class.
void
LabInvariants::CheckSwitch(const NodeState& node, int64_t now)
{
    const uint32_t n = node.sw->GetNPorts();
    uint64_t frames = 0;
    std::vector<uint64_t> queued(static_cast<size_t>(n) * QBB_CLASSES);
    for (uint32_t p = 0; p < n; p++)
    {
        for (const RccFrame* f = node.sw->GetHeld(p); f; f = f->next)
        {
            frames += CountCopies(node.sw, *f);
        }
        for (uint8_t c = 0; c < QBB_CLASSES; c++)
        {
            for (const RccFrame* f = node.sw->GetPort(p)->GetQueue(c).Head(); f; f = f->next)
            {
                frames++;
                if (f->input < n)
                {
                    queued[static_cast<size_t>(f->input) * QBB_CLASSES + f->cls] += f->bytes;
                }
            }
        }
    }
    if (node.received + node.sw->GetCnmsSent() != node.sent + node.dropped + frames)
    {
        Violated(node.id, now,
                 "frames are not conserved: " + std::to_string(node.received) + " received and " +
                     std::to_string(node.sw->GetCnmsSent()) + " made, " + std::to_string(node.sent) + " sent, " +
                     std::to_string(node.dropped) + " dropped and " + std::to_string(frames) + " queued");
    }
    CheckBuffer(node, queued, now);
}

/// \param queued bytes by port of arrival and class
void
LabInvariants::CheckBuffer(const NodeState& node, const std::vector<uint64_t>& queued, int64_t now)
{
    const rcc_mmu& mmu = node.sw->GetMmu();
    uint64_t pool = 0;
    for (uint32_t p = 0; p < node.sw->GetNPorts(); p++)
    {
        for (uint8_t c = 0; c < QBB_CLASSES; c++)
        {
            const struct rcc_mmu_cell& cell = *rcc_mmu_cell(&mmu, p, c);
            const uint64_t bytes = queued[static_cast<size_t>(p) * QBB_CLASSES + c];
            pool += cell.pool;
            if (cell.pool + cell.headroom != bytes)
            {
                Violated(node.id, now,
                         "the buffer accounts for " + std::to_string(cell.pool + cell.headroom) + " bytes of port " +
                             std::to_string(p) + " class " + std::to_string(c) + ", " + std::to_string(bytes) +
                             " are queued");
            }
            if (cell.headroom > rcc_mmu_headroom_of(&mmu, p, c))
            {
                Violated(node.id, now, "headroom of port " + std::to_string(p) + " is exceeded");
            }
        }
    }
    if (pool != mmu.used || mmu.used > mmu.pool)
    {
        Violated(node.id, now,
                 "the pool accounts for " + std::to_string(mmu.used) + " bytes of " + std::to_string(mmu.pool) +
                     ", its ports for " + std::to_string(pool));
    }
}

void
LabInvariants::Check(int64_t now)
{
    for (const auto& node : m_nodes)
    {
        if (node->sw)
        {
            CheckSwitch(*node, now);
        }
    }
    CheckLinks(now);
    CheckCnps(now);
}

void
LabInvariants::CheckLinks(int64_t now)
{
    for (const auto& port : m_ports)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(port->device->GetChannel());
        Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(port->device)) : nullptr;
        const auto other = m_portOf.find(PeekPointer(peer));
        if (!peer || other == m_portOf.end() || !RccGateway::IsLocal(*port->device->GetNode()))
        {
            continue;
        }
        const uint64_t added = channel->GetAddedFrames(channel->GetDevice(0) == port->device ? 0 : 1);
        if (other->second->received > port->sent + added)
        {
            Violated(port->node->id, now,
                     "port " + std::to_string(port->device->GetPortNumber()) + " has sent " +
                         std::to_string(port->sent) + " frames, the other end received " +
                         std::to_string(other->second->received));
        }
    }
}

/// Check the sums of all hosts; one of several ranks cannot.
void
LabInvariants::CheckCnps(int64_t now)
{
    uint64_t sent = 0;
    uint64_t received = 0;
    for (const auto& nic : m_nics)
    {
        sent += nic->nic->GetCounters().cnpsSent;
        received += nic->nic->GetCounters().cnpsReceived;
    }
    if (received > sent && !m_cnpsAllowed && !RccGateway::Current())
    {
        Violated(UINT32_MAX, now,
                 std::to_string(received) + " CNPs were received, " + std::to_string(sent) + " were sent");
    }
}

void
LabInvariants::Check(Ptr<RdmaNic> from, uint32_t qp, Ptr<RdmaNic> to, uint64_t least, int64_t now)
{
    const RdmaSendQp& tx = from->GetSendQp(qp);
    const uint32_t node = from->GetPort(0)->GetNode()->GetId();
    const std::string name = "queue pair " + std::to_string(qp) + ": ";
    if (!from->IsLocal())
    {
        return;
    }
    const uint64_t expected = to->IsLocal() ? to->GetRecvQp(tx.dstQp).rx.expected : tx.tx.una;
    const bool wrong = tx.tx.una > expected || expected > tx.tx.highest;
    if ((wrong && !IsForged(from, qp)) || tx.tx.next > tx.tx.highest)
    {
        Violated(node, now,
                 name + "packets out of order: " + std::to_string(tx.tx.una) + " acknowledged, " +
                     std::to_string(expected) + " expected, " + std::to_string(tx.tx.next) + " next of " +
                     std::to_string(tx.tx.highest) + " sent");
    }
    if (tx.closed)
    {
        return;
    }
    const RdmaRpState rp = from->GetRpState(qp);
    const auto port = m_portOf.find(PeekPointer(from->GetPort(tx.portIndex)));
    const uint64_t present =
        from->GetPort(tx.portIndex)->GetRate(); // a link that has become slower has less than before
    const uint64_t line = port == m_portOf.end() ? present : std::max(present, port->second->rate);
    if (rp.rate < std::min(least, line) || rp.rate > line)
    {
        Violated(node, now,
                 name + "rate " + std::to_string(rp.rate) + " bit/s, expected " + std::to_string(least) + " to " +
                     std::to_string(line));
    }
    if (!(rp.alpha >= 0 && rp.alpha <= 1))
    {
        Violated(node, now, name + "alpha " + std::to_string(rp.alpha) + ", expected 0 to 1");
    }
}

} // namespace ns3
