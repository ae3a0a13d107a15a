/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-net-device.h"

#include "rcc-checker.h"
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");
NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);
template class RccInSlabs<QbbNetDevice>;

namespace
{

const uint16_t LEAST_MTU = 68; // the least MTU of IPv4, RFC 791

Ptr<const AttributeChecker>
MakeRateChecker()
{
    const auto check = [](const AttributeValue& value) {
        return dynamic_cast<const DataRateValue&>(value).Get().GetBitRate() != 0;
    };
    return Ptr<const AttributeChecker>(new RccChecker(MakeDataRateChecker(), check), false);
}

} // namespace

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Rcc")
            .AddConstructor<QbbNetDevice>()
            .AddAttribute("DataRate", "Line rate, not 0.", DataRateValue(DataRate(40000000000ULL)),
                          MakeDataRateAccessor(&QbbNetDevice::SetDataRate, &QbbNetDevice::GetDataRate),
                          MakeRateChecker())
            .AddAttribute("InterframeGap",
                          "Bytes of preamble and gap that follow a frame: 20 for Ethernet; 0, as in the simulators "
                          "behind the published results.",
                          UintegerValue(0), MakeUintegerAccessor(&QbbNetDevice::m_gap),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute(
                "VlanId",
                "Frames of a host have an 802.1Q tag of 4 bytes with this VLAN id and their class as priority; 0 = a "
                "tag with the priority alone, -1 = no tag.",
                IntegerValue(-1), RccFix<QbbNetDevice>(MakeIntegerAccessor(&QbbNetDevice::m_vlanId)),
                MakeIntegerChecker<int16_t>(-1, 4094))
            .AddAttribute("LinkPause",
                          "This end asks for pauses with PAUSE frames of 802.3x in place of PFC. They stop all classes "
                          "of the peer, its control class included.",
                          BooleanValue(false), MakeBooleanAccessor(&QbbNetDevice::m_linkPause), MakeBooleanChecker())
            .AddAttribute("ControlClass", "Class with strict priority, which carries ACK, NAK, CNP and CNM.",
                          UintegerValue(QBB_CONTROL_CLASS), MakeUintegerAccessor(&QbbNetDevice::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute("Mtu", "Largest IP packet, bytes.", UintegerValue(1500),
                          MakeUintegerAccessor(&QbbNetDevice::SetMtu, &QbbNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(LEAST_MTU))
            .AddAttribute("IpClass", "Class of the internet stack's packets.", UintegerValue(1),
                          MakeUintegerAccessor(&QbbNetDevice::m_ipClass),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute("IpClassFromDscp",
                          "A packet whose DSCP is not 0 has class DSCP / 8 (the class selectors of RFC 2474).",
                          BooleanValue(false), MakeBooleanAccessor(&QbbNetDevice::m_ipDscp), MakeBooleanChecker())
            .AddAttribute(
                "IpClassFromPriority",
                "A packet of a socket with a priority (SO_PRIORITY) has class priority mod 8, whatever its DSCP.",
                BooleanValue(false), MakeBooleanAccessor(&QbbNetDevice::m_ipPriority), MakeBooleanChecker())
            .AddAttribute("IpQueueSize",
                          "Bytes of the internet stack's packets that may wait in a class of a host's port.",
                          UintegerValue(262144), MakeUintegerAccessor(&QbbNetDevice::m_ipQueueSize),
                          MakeUintegerChecker<uint32_t>());
    static const TypeId whole = AddTraceSources(AddRules(tid));
    return whole;
}

QbbNetDevice::QbbNetDevice() : m_pauseRequest(), m_pool(RccFramePool::Current())
{
}

QbbNetDevice::QbbNetDevice(const QbbNetDevice& other)
    : NetDevice(other),
      m_gap(other.m_gap),
      m_controlClass(other.m_controlClass),
      m_rules(other.m_rules ? new QbbPortRules(*other.m_rules) : nullptr),
      m_vlanId(other.m_vlanId),
      m_pauseRequest(),
      m_linkPause(other.m_linkPause),
      m_pool(RccFramePool::Current()),
      m_mtu(other.m_mtu),
      m_ipClass(other.m_ipClass),
      m_ipDscp(other.m_ipDscp),
      m_ipPriority(other.m_ipPriority),
      m_ipQueueSize(other.m_ipQueueSize)
{
    SetDataRate(DataRate(other.m_link.rate));
}

void
QbbNetDevice::DoDispose()
{
    m_txEvent.Unbind();
    if (m_pauses)
    {
        m_pauses->event.Unbind();
    }
    for (auto& queue : m_queues)
    {
        m_pool->PutAll(queue);
    }
    if (m_urgent)
    {
        m_pool->Put(m_urgent);
        m_urgent = nullptr;
    }
    m_owner = GetNobody();
    m_source = nullptr;
    if (m_ip)
    {
        m_ip->queue = nullptr;
    }
    if (m_wire)
    {
        m_wire->Leave(m_end);
    }
    m_wire = nullptr;
    m_choosing = true;
    m_channel = nullptr;
    m_node = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

void
QbbNetDevice::AttachChannel(Ptr<QbbChannel> channel)
{
    m_channel = channel;
    m_wire = PeekPointer(channel);
    m_end = static_cast<uint32_t>(channel->GetNDevices());
    channel->Attach(this);
    m_choosing = false;
    m_txEvent.Bind(&QbbNetDevice::TxEvent, this);
    m_txEvent.SetPrefetcher(&QbbNetDevice::PrefetchTxEvent);
}

bool
QbbNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu < LEAST_MTU ? m_mtu : mtu;
    return m_mtu == mtu;
}

void
QbbNetDevice::SetDataRate(DataRate rate)
{
    const uint64_t bps = rate.GetBitRate();
    NS_ABORT_MSG_IF(bps == 0, "QbbNetDevice: a line rate of 0");
    const int64_t now = m_link.rate ? RccNow() : 0;
    m_capacity = GetCapacityBytes(now);
    m_unsent = GetUnsent(now);
    m_rateSince = now;
    if (m_link.rate) // `rest` stays the same fraction of a nanosecond: below 1, because the double is below 1
    {
        m_link.rest = static_cast<uint64_t>(static_cast<double>(m_link.rest) / static_cast<double>(m_link.rate) *
                                            static_cast<double>(bps));
    }
    m_link.rate = bps;
    m_link.bytes = 0;
}

/// Return the bytes of the last frame and the gap after it that have not left.
uint64_t
QbbNetDevice::GetUnsent(int64_t now) const
{
    if (now >= m_link.free)
    {
        return 0;
    }
    const auto left = static_cast<uint64_t>(m_link.free - now);
    if (m_link.bytes) // it left at the present rate
    {
        return std::min(m_link.bytes * left / std::max<uint64_t>(m_link.ns, 1), static_cast<uint64_t>(m_link.bytes));
    }
    return m_unsent * left / static_cast<uint64_t>(m_link.free - m_rateSince);
}

uint32_t
QbbNetDevice::GetUnsentBytes(int64_t now, bool data) const
{
    const uint64_t unsent = data && m_lastKind != RccFrameKind::DATA ? 0 : GetUnsent(now);
    return unsent > m_gap ? static_cast<uint32_t>(unsent - m_gap) : 0; // the gap is what passes last
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_wire && m_channel->GetNDevices() == 2 && !m_channel->IsDown();
}

// ---------------------------------------------------------------- transmit

/// Whether a frame need not wait in a queue: the port is free, and nothing else could come first or wants to know of
/// it.
inline bool
QbbNetDevice::IsNextAtOnce(const RccFrame& frame, int64_t now) const
{
    return now >= m_link.free && !m_waiting && !(m_paused & (1u << frame.cls)) && !m_urgent && !m_choosing &&
           !m_watch && (!m_source || (frame.cls == m_controlClass && frame.kind != RccFrameKind::IP));
}

void
QbbNetDevice::Enqueue(RccFrame* frame, int64_t now)
{
    if (IsNextAtOnce(*frame, now))
    {
        m_choosing = true;
        m_owner->FrameLeaves(m_port, frame, now);
        m_choosing = false;
        Transmit(frame, now);
        ArmNext(now);
        return;
    }
    QueueChanges(now);
    m_queues[frame->cls].Push(frame);
    m_queued += frame->bytes;
    m_waiting |= 1u << frame->cls;
    if (AreFramesWatched())
    {
        ReportFrame(QbbFrameEvent::ENQUEUED, *frame, now);
    }
    if (now < m_link.free)
    {
        m_txEvent.AtOrBefore(m_link.free, now);
        return;
    }
    TryTransmit(now);
}

void
QbbNetDevice::Kick(int64_t when, int64_t now)
{
    if (when <= now)
    {
        TryTransmit(now);
    }
    else
    {
        m_txEvent.AtOrBefore(std::max(when, m_link.free), now);
    }
}

void
QbbNetDevice::TxEvent(void* device, int64_t now)
{
    static_cast<QbbNetDevice*>(device)->TryTransmit(now);
}

inline RccFrame*
QbbNetDevice::PopQueued(uint8_t ready)
{
    auto cls = static_cast<unsigned>(__builtin_ctz(ready));
    if (ready & (ready - 1)) // several classes
    {
        uint32_t heads[QBB_CLASSES];
        for (uint8_t c = 0; c < QBB_CLASSES; c++)
        {
            heads[c] = ready & (1u << c) ? m_queues[c].Head()->bytes : 0;
        }
        cls = rcc_turns_queue(&Turns(), ready, m_controlClass, heads, m_mtu + ROCE_OVERHEAD, Rules());
    }
    RccFrame* frame = m_queues[cls].Pop();
    m_queued -= frame->bytes;
    if (m_queues[cls].IsEmpty())
    {
        m_waiting &= ~(1u << cls);
    }
    return frame;
}

RccFrame*
QbbNetDevice::OwnersTurn(uint8_t& ready, int64_t now)
{
    struct Asked
    {
        QbbNetDevice* self;
        RccFrame* frame;
    } asked = {this, nullptr};

    const rcc_turns_port port = {
        &asked, [](void* a, unsigned cls) { return static_cast<Asked*>(a)->self->m_queues[cls].Head()->bytes; },
        [](void* a, uint8_t paused) -> rcc_time {
            QbbNetDevice* const self = static_cast<Asked*>(a)->self;
            return self->m_source->NextDue(self->m_port, paused);
        },
        [](void* a, rcc_time at, uint8_t paused) -> uint32_t {
            QbbNetDevice* const self = static_cast<Asked*>(a)->self;
            RccFrame* const frame = self->m_source->NextFrame(self->m_port, at, paused);
            static_cast<Asked*>(a)->frame = frame;
            return frame ? frame->bytes : 0;
        }};
    ready = rcc_turns_next(&Turns(), &port, ready, m_paused, now, m_mtu + ROCE_OVERHEAD, Rules());
    return asked.frame;
}

__attribute__((noinline)) void
QbbNetDevice::TryTransmit(int64_t now)
{
    if (now < m_link.free)
    {
        m_txEvent.AtOrBefore(m_link.free, now);
        return;
    }
    if (m_choosing)
    {
        return; // on no link, or called back from FrameLeaves: the choice below sees what was added
    }
    m_choosing = true;
    RccFrame* frame = nullptr;
    uint8_t ready = m_waiting & ~m_paused;
    if (m_urgent)
    {
        frame = m_urgent;
        m_urgent = nullptr;
    }
    else if (m_source && rcc_turns_asks_owner(ready, m_controlClass))
    {
        // alone, it takes its classes in its own order
        frame = ready || m_rules ? OwnersTurn(ready, now) : m_source->NextFrame(m_port, now, m_paused);
    }
    if (!frame && ready)
    {
        QueueChanges(now);
        frame = PopQueued(ready);
        if (AreFramesWatched())
        {
            ReportDequeue(*frame);
        }
        m_owner->FrameLeaves(m_port, frame, now);
        if (m_source && frame->kind == RccFrameKind::IP)
        {
            IpLeaves(frame);
        }
    }
    m_choosing = false;
    if (frame)
    {
        Transmit(frame, now);
    }
    ArmNext(now);
}

/// Arm the event for the next frame that may leave, if there is one.
inline __attribute__((always_inline)) void
QbbNetDevice::ArmNext(int64_t now)
{
    int64_t next = RCC_TIME_NEVER;
    if (m_urgent || (m_waiting & ~m_paused))
    {
        next = now;
    }
    else if (m_source)
    {
        next = m_source->NextDue(m_port, m_paused);
    }
    if (next != RCC_TIME_NEVER)
    {
        m_txEvent.At(std::max(next, m_link.free), now);
    }
    else
    {
        m_txEvent.Disarm();
    }
}

inline void
QbbNetDevice::Transmit(RccFrame* frame, int64_t now)
{
    m_lastKind = frame->kind;
    rcc_link_send(&m_link, now, frame->bytes + m_gap);
    m_counters.txFrames++;
    m_counters.txBytes += frame->bytes;
    if (AreFramesWatched())
    {
        ReportFrame(QbbFrameEvent::DEQUEUED, *frame, now);
    }
    int64_t gapNs = m_gap ? static_cast<int64_t>(static_cast<uint64_t>(m_gap) * 8000000000u / m_link.rate) : 0;
    if (m_announces)
    {
        Announce(*frame);
    }
    m_wire->Send(m_end, frame, m_link.free - gapNs, now);
}

// ---------------------------------------------------------------- receive and PFC

void
QbbNetDevice::SendPfc(uint8_t mask, uint16_t quanta, int64_t now)
{
    m_pauseRequest.link_pause = m_linkPause;
    mask = rcc_pfc_ask(&m_pauseRequest, mask, quanta != 0);
    if (!mask)
    {
        return;
    }
    (quanta ? m_counters.pausesSent : m_counters.resumesSent)++;
    // The PFC of all classes that wait for the frame on the wire share one frame: headroom need not count the classes.
    RccFrame* frame = m_urgent ? m_urgent : m_pool->Get();
    frame->kind = RccFrameKind::PFC;
    frame->bytes = PFC_BYTES;
    frame->pfcMask |= mask;
    frame->linkPause = m_linkPause;
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        if (mask & (1u << c))
        {
            frame->pfcQuanta[c] = quanta;
            if (m_traces)
            {
                m_traces->pfcSent(c, quanta);
            }
        }
    }
    NS_LOG_LOGIC("node " << m_node->GetId() << " port " << m_port << ": PFC for classes " << unsigned(mask)
                         << ", quanta " << quanta);
    if (!m_urgent)
    {
        m_urgent = frame;
        if (AreFramesWatched())
        {
            ReportFrame(QbbFrameEvent::ENQUEUED, *frame, now);
        }
        TryTransmit(now);
    }
}

void
QbbNetDevice::ReceivePfc(RccFrame* frame, int64_t now)
{
    if (!m_pauses)
    {
        m_pauses.reset(new QbbPortPauses);
        m_pauses->event.Bind(&QbbNetDevice::PauseEvent, this);
    }
    PausesChanged(rcc_pfc_receive(&m_pauses->state, now, m_link.rate, frame->pfcMask, frame->pfcQuanta), now);
    m_pool->PutPlain(frame);
}

void
QbbNetDevice::PauseEvent(void* device, int64_t now)
{
    auto self = static_cast<QbbNetDevice*>(device);
    self->PausesChanged(rcc_pfc_expire(&self->m_pauses->state, now), now);
}

void
QbbNetDevice::PausesChanged(uint8_t changed, int64_t now)
{
    if (!m_pauses)
    {
        return; // it was never paused
    }
    m_paused = m_pauses->state.paused;
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        if (changed & (1u << c))
        {
            const bool paused = (m_paused >> c) & 1u;
            m_counters.pausesReceived += paused;
            NS_LOG_INFO("node " << m_node->GetId() << " port " << m_port << ": class " << unsigned(c)
                                << (paused ? " is paused" : " is resumed"));
            if (m_traces)
            {
                m_traces->pause(c, paused);
            }
        }
    }
    const int64_t expiry = rcc_pfc_next_expiry(&m_pauses->state);
    expiry != RCC_TIME_NEVER ? m_pauses->event.At(expiry, now) : m_pauses->event.Disarm();
    if (!changed)
    {
        return;
    }
    m_owner->PauseChanged(m_port, m_paused, now);
    TryTransmit(now);
}

std::string
QbbNetDevice::DescribeStart() const
{
    return m_owner->DescribeStart();
}

const QbbNetDevice*
QbbNetDevice::CheckWay(QbbWay& way, std::string* why) const
{
    return m_owner->CheckWay(way, why);
}

DataRate
QbbNetDevice::GetDataRate() const
{
    return DataRate(m_link.rate);
}

double
QbbNetDevice::GetCapacityBytes(int64_t now) const
{
    return m_capacity + static_cast<double>(m_link.rate) / 8e9 * static_cast<double>(now - m_rateSince);
}

} // namespace ns3
